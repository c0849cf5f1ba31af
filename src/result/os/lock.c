/* Who has a file. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* flock() */
#endif
#include "result/os/os.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static int record_lock(int file, int command, short type, struct flock *out)
{
    memset(out, 0, sizeof *out); /* the whole file */
    out->l_type = type;
    out->l_whence = SEEK_SET;
    return fcntl(file, command, out);
}

bool carom_os_share(int file)
{
    struct flock lock;
#ifdef LOCK_SH
    if (!carom_os_portable)
        return flock(file, LOCK_SH | LOCK_NB) == 0;
#endif
    return record_lock(file, F_SETLK, F_RDLCK, &lock) == 0;
}

bool carom_os_take_folder(int folder)
{
#ifdef LOCK_EX
    int locked = -1;
    while (!carom_os_portable && (locked = flock(folder, LOCK_EX)) != 0 && errno == EINTR)
        ;
    return locked == 0;
#else
    (void)folder;
    return false;
#endif
}

void carom_os_unlock(int file)
{
    struct flock lock;
#ifdef LOCK_UN
    if (!carom_os_portable) {
        flock(file, LOCK_UN);
        return;
    }
#endif
    record_lock(file, F_SETLK, F_UNLCK, &lock);
}

bool carom_os_is_shared(int file)
{
    struct flock lock;
#ifdef LOCK_EX
    if (!carom_os_portable)
        return flock(file, LOCK_EX | LOCK_NB) != 0;
#endif
    return record_lock(file, F_GETLK, F_WRLCK, &lock) != 0 || lock.l_type != F_UNLCK;
}
