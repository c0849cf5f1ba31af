/* Room on the disk. */
#include "result/os/os.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef CAROM_PORTABLE
bool carom_os_portable = true;
#else
bool carom_os_portable = false;
#endif

#define ZEROS 65536

/* Writes zeros from the end of the file on: what is there already is kept. */
static int write_zeros(int file, off_t end)
{
    static const char zeros[ZEROS];
    struct stat info;
    if (fstat(file, &info) != 0)
        return errno;
    for (off_t at = info.st_size; at < end;) {
        const size_t count = end - at < ZEROS ? (size_t)(end - at) : ZEROS;
        const ssize_t written = pwrite(file, zeros, count, at);
        if (written < 0 && errno != EINTR)
            return errno;
        at += written > 0 ? written : 0;
    }
    return 0;
}

int carom_os_reserve(int file, off_t from, off_t size)
{
#if defined(_POSIX_ADVISORY_INFO) && _POSIX_ADVISORY_INFO > 0
    if (!carom_os_portable)
        return posix_fallocate(file, from, size);
#endif
    return write_zeros(file, from + size);
}
