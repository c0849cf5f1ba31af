/* The first look at a file. The child shares nothing but the pipe to which it writes what it found: what it allocates,
   opens and breaks ends with it. It is made by fork() and not by a program, which an embedded library has none of; it
   calls HDF5 under the lock of this process, memory of the C library, and no function of the caller's. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "result/look.h"
#include "result/os/os.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define CPU_SECONDS 30                  /* of a file of any size, */
#define BYTES_A_SECOND (1 << 22)        /* and for each of its bytes */
#define WAITS_FOR_CPU 8                 /* times as long by the clock: a busy machine, a slow disk */
#define MEMORY ((rlim_t)1 << 30)        /* beyond what the process has, and 64 times the size of the file [bytes] */
#define POLL_MS 200

/* What a child has found. */
typedef struct finding {
    carom_status status;
    char text[CAROM_ERROR_TEXT];
} finding;

/* ---- the child ---- */

static struct rlimit at_most(struct rlimit r, rlim_t most)
{
    r.rlim_cur = r.rlim_max == RLIM_INFINITY || most < r.rlim_max ? most : r.rlim_max;
    return r;
}

/* The C library's own type of resources is not int. */
#define LIMIT(resource, most)                       \
    do {                                            \
        struct rlimit r;                            \
        if (getrlimit(resource, &r) == 0) {         \
            r = at_most(r, most);                   \
            setrlimit(resource, &r);                \
        }                                           \
    } while (0)

static rlim_t seconds_of(off_t size) { return CPU_SECONDS + (rlim_t)(size / BYTES_A_SECOND); }

static void set_limits(off_t size)
{
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGXCPU, SIGALRM, SIGXFSZ};
    const rlim_t have = (rlim_t)carom_os_address_space();
    sigset_t set;
    sigfillset(&set);
    for (size_t k = 0; k < CAROM_COUNT(fatal); k++) {
        signal(fatal[k], SIG_DFL);
        sigdelset(&set, fatal[k]);
    }
    sigprocmask(SIG_SETMASK, &set, NULL); /* what ends the caller ends it, and this by its limits */
    LIMIT(RLIMIT_CORE, 0);
    LIMIT(RLIMIT_CPU, seconds_of(size));
    if (have > 0)
        LIMIT(RLIMIT_AS, have + MEMORY + 64 * (rlim_t)size);
    alarm((unsigned)(WAITS_FOR_CPU * seconds_of(size)));
}

static void close_unless_file(void *out, int file)
{
    struct stat info;
    if (file != *(int *)out && fstat(file, &info) == 0 && !S_ISREG(info.st_mode))
        close(file);
}

/* Pipes and sockets of the caller, whose ends others wait for, are none of this process; files stay, as HDF5 knows
   those that are open. What the C library says of a broken heap goes nowhere. */
static void keep_files(int out)
{
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int k = 0; nothing >= 0 && k < 3; k++)
        dup2(nothing, k);
    carom_os_each_file(close_unless_file, &out);
}

static void look(const char *path, off_t size, carom_look_reading *read, int out)
{
    finding f = {.status = CAROM_ERROR_MEMORY};
    carom_context *ctx = NULL;
    keep_files(out);
    set_limits(size);
    carom_h5_forget_lock();
    /* a file that leads to others is none of Carom's: as damaged */
    H5Lunregister(H5L_TYPE_EXTERNAL);
    if (carom_context_create(NULL, &ctx) == CAROM_OK) {
        f.status = read(ctx, path);
        snprintf(f.text, sizeof f.text, "%s", f.status == CAROM_OK ? "" : carom_context_error(ctx));
    }
    _exit(write(out, &f, sizeof f) != (ssize_t)sizeof f);
}

/* ---- the caller ---- */

/* Waits for what the child writes, and for its end; false: it ended without a word. A descriptor of the pipe that
   another child of this process holds for a moment is not waited for. */
static bool hear(int in, pid_t child, finding *out, int *ended)
{
    size_t got = 0;
    bool gone = false;
    *ended = 0;
    while (got < sizeof *out) {
        struct pollfd wait = {.fd = in, .events = POLLIN};
        if (poll(&wait, 1, POLL_MS) > 0) {
            const ssize_t more = read(in, (char *)out + got, sizeof *out - got);
            if (more == 0 || (more < 0 && errno != EINTR && errno != EAGAIN))
                break;
            got += more > 0 ? (size_t)more : 0;
        } else if (gone) {
            break;
        } else {
            /* a caller that waits for any child may have been told of this one */
            const pid_t told = waitpid(child, ended, WNOHANG);
            gone = told == child || (told < 0 && errno == ECHILD);
        }
    }
    while (!gone && waitpid(child, ended, 0) < 0 && errno == EINTR)
        ;
    return got == sizeof *out;
}

static carom_status say_end(carom_context *ctx, const char *path, int ended, off_t size)
{
    const int number = WIFSIGNALED(ended) ? WTERMSIG(ended) : 0;
    if (number == SIGXCPU || number == SIGALRM)
        return carom_fail(ctx, CAROM_ERROR_IO, NULL,
                          "%s: is damaged: it is not read in %llu s of CPU time; copy it again or run again", path,
                          (unsigned long long)seconds_of(size));
    if (number == SIGKILL)
        return carom_fail(ctx, CAROM_ERROR_IO, NULL,
                          "%s: reading it was ended from outside (signal 9): it is damaged, or memory is short; "
                          "copy it again or run again", path);
    return carom_fail(ctx, CAROM_ERROR_IO, NULL,
                      "%s: is damaged: HDF5 cannot read it and ends (%s %d); copy it again or run again", path,
                      number ? "signal" : "status", number ? number : WEXITSTATUS(ended));
}

/* Makes the child while no other thread is in HDF5; false: there is no need of one. */
static bool make_child(const char *path, const struct stat *file, carom_look_reading *read, int out, pid_t *child)
{
    carom_h5_scope scope;
    carom_h5_enter(&scope);
    const bool needed = !carom_h5_is_own(file);
    *child = needed ? fork() : 0;
    const int error = errno;
    if (needed && *child == 0)
        look(path, file->st_size, read, out);
    carom_h5_leave(&scope);
    errno = error;
    return needed;
}

carom_status carom_look(carom_context *ctx, const char *path, carom_look_reading *read)
{
    struct stat file;
    int ends[2], ended = 0;
    finding f;
    if (stat(path, &file) != 0)
        return carom_fail(ctx, CAROM_ERROR_IO, NULL, "%s: cannot be opened: %s; check the name", path, strerror(errno));
    if (!S_ISREG(file.st_mode))
        return carom_fail(ctx, CAROM_ERROR_IO, NULL, "%s: is not an ordinary file; check the name", path);
    pid_t child = -1;
    if (!carom_os_pipe(ends)) {
        ends[0] = -1;
    } else {
        const bool needed = make_child(path, &file, read, ends[1], &child);
        const int error = errno;
        close(ends[1]);
        errno = error;
        if (!needed) {
            close(ends[0]);
            return CAROM_OK;
        }
    }
    carom_status status = CAROM_OK;
    if (child < 0)
        status = carom_fail(ctx, CAROM_ERROR_IO, NULL,
                            "%s: no process for a first look at it could be made: %s; end other programs and try again",
                            path, strerror(errno));
    else if (!hear(ends[0], child, &f, &ended))
        status = say_end(ctx, path, ended, file.st_size);
    else if (f.status == CAROM_ERROR_MEMORY)
        status = carom_fail(ctx, CAROM_ERROR_MEMORY, NULL,
                            "%s: opening it takes more memory than there is; it is damaged, or memory is short", path);
    else if (f.status != CAROM_OK)
        status = carom_fail(ctx, f.status, NULL, "%.*s", (int)sizeof f.text - 1, f.text);
    if (ends[0] >= 0)
        close(ends[0]);
    return status;
}
