/* What this process has. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pipe2() */
#endif
#include "result/os/os.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST_FILES 65536

bool carom_os_pipe(int ends[2])
{
#ifdef __linux__
    if (!carom_os_portable)
        return pipe2(ends, O_CLOEXEC) == 0;
#endif
    if (pipe(ends) != 0)
        return false;
    return fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

uint64_t carom_os_address_space(void)
{
    char text[64] = "";
    const int file = carom_os_portable ? -1 : open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    const ssize_t got = file >= 0 ? read(file, text, sizeof text - 1) : 0;
    if (file >= 0)
        close(file);
    return got > 0 ? (uint64_t)strtoull(text, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

static void each_number(void (*take)(void *user, int file), void *user)
{
    const long most = sysconf(_SC_OPEN_MAX);
    for (int file = 3; file < MOST_FILES && (most < 0 || file < most); file++)
        if (fcntl(file, F_GETFD) >= 0)
            take(user, file);
}

void carom_os_each_file(void (*take)(void *user, int file), void *user)
{
    DIR *open_files = carom_os_portable ? NULL : opendir("/proc/self/fd");
    const struct dirent *entry;
    if (!open_files) {
        each_number(take, user);
        return;
    }
    while ((entry = readdir(open_files))) {
        const int file = atoi(entry->d_name);
        if (file > 2 && file != dirfd(open_files))
            take(user, file);
    }
    closedir(open_files);
}
