/* Opens pages with the program that the desktop has for it. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "support/browser.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "support/cli.h"

extern char **environ;

#ifdef __APPLE__
static const char opener[] = "open";
bool browser_is_there(void) { return true; }
#else
static const char opener[] = "xdg-open";
bool browser_is_there(void)
{
    const char *display = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    return (display && *display) || (wayland && *wayland);
}
#endif

bool browser_open(const char *address)
{
    char *arguments[] = {(char *)opener, (char *)address, NULL};
    posix_spawn_file_actions_t quiet;
    pid_t child;
    int status = 0;
    if (!browser_is_there() || posix_spawn_file_actions_init(&quiet) != 0)
        return false;
    posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", O_WRONLY, 0);
    const int failed = posix_spawnp(&child, opener, &quiet, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&quiet);
    /* the program hands the page on and ends */
    return failed == 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
