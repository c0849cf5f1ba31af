/* Where this program is. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "support/own_path.h"
#include "support/cli.h"

#include <string.h>
#include <unistd.h>

char *path_beside(const char *name)
{
    char own[4096] = "";
#if defined(__linux__) && !defined(CAROM_PORTABLE)
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    own[length > 0 ? length : 0] = '\0';
#endif
    const char *slash = strrchr(own, '/');
    return slash ? format_text("%.*s/%s", (int)(slash - own), own, name) : format_text("%s", name);
}
