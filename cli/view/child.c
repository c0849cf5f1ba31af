/* The run behind a page that is open. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "view/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/cli.h"

enum { MOST_ARGUMENTS = 256, MOST_TEXT = 65536 };

/* In the new process: never returns. */
static void become(int messages, char **arguments, int count)
{
    const int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, STDOUT_FILENO);
    dup2(messages, STDERR_FILENO);
    signal(SIGINT, SIG_IGN); /* Ctrl-C is for the server, which ends this one */
    signal(SIGTERM, SIG_DFL);
    const int status = command_run(count, arguments);
    fflush(NULL);
    _exit(status);
}

int child_start(child *c, const char *model, const char *folder, const char *const *arguments)
{
    char *all[MOST_ARGUMENTS] = {(char *)model, "--quiet", "-o", (char *)folder};
    int count = 4, ends[2];
    child_stop(c);
    for (; *arguments && count < MOST_ARGUMENTS - 1; arguments++)
        all[count++] = (char *)*arguments;
    c->folder = format_text("%s", folder);
    if (!c->folder)
        return memory_error();
    fflush(NULL);
    if (pipe(ends) != 0) {
        print_error("view: cannot start a run: %s", strerror(errno));
        return EXIT_IO;
    }
    const pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        become(ends[1], all, count);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        print_error("view: cannot start a run: %s", strerror(errno));
        return EXIT_IO;
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    c->pid = pid;
    c->messages = ends[0];
    return EXIT_DONE;
}

/* Takes what has been said; what goes beyond a page of text is dropped. */
static void listen_to(child *c)
{
    char part[4096];
    ssize_t size;
    while ((size = read(c->messages, part, sizeof part)) > 0) {
        const size_t kept = c->length + (size_t)size > MOST_TEXT ? MOST_TEXT - c->length : (size_t)size;
        char *more = realloc(c->text, c->length + kept + 1);
        if (!more)
            return;
        c->text = more;
        memcpy(c->text + c->length, part, kept);
        c->length += kept;
        c->text[c->length] = 0;
    }
}

bool child_ended(child *c)
{
    int status;
    if (!c->pid)
        return false;
    listen_to(c);
    if (waitpid(c->pid, &status, WNOHANG) != c->pid)
        return false;
    listen_to(c);
    close(c->messages);
    c->pid = 0;
    c->status = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_SIGNAL + WTERMSIG(status);
    return true;
}

void child_stop(child *c)
{
    if (c->pid) {
        kill(c->pid, SIGKILL);
        waitpid(c->pid, NULL, 0);
        close(c->messages);
    }
    free(c->folder);
    free(c->text);
    *c = (child){0};
}
