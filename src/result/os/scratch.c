/* A file that nobody keeps. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create() */
#endif
#include "result/os/os.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static int in_folder(const char *folder)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/carom-XXXXXX", folder) >= (int)sizeof path)
        return -1;
    const int file = mkstemp(path);
    if (file < 0)
        return -1;
    unlink(path);
    fcntl(file, F_SETFD, FD_CLOEXEC);
    return file;
}

int carom_os_scratch(void)
{
#ifdef MFD_CLOEXEC
    if (!carom_os_portable)
        return memfd_create("carom", MFD_CLOEXEC);
#endif
    const char *folder = getenv("TMPDIR");
    const int file = folder && *folder ? in_folder(folder) : -1;
    return file >= 0 ? file : in_folder("/tmp");
}
