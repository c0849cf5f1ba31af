/* Files that take their name when they are whole. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* realpath() */
#endif
#include "support/save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/options.h"

#define TRIES 100 /* names tried for the file under way */

/* Whether a name is that of an open descriptor, behind which an ordinary file may be: it is the caller's. */
static bool is_descriptor(const char *path)
{
    static const char *const names[] = {"/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/"};
    for (size_t k = 0; k < COUNT(names); k++)
        if (strncmp(path, names[k], strlen(names[k])) == 0)
            return true;
    return false;
}

static void forget(save *s)
{
    const int error = errno;
    free(s->path);
    free(s->part);
    *s = (save){0};
    errno = error;
}

bool save_begin(save *s, const char *path)
{
    struct stat old;
    *s = (save){0};
    const bool exists = stat(path, &old) == 0;
    if (is_descriptor(path) || (exists && !S_ISREG(old.st_mode))) {
        s->file = fopen(path, "wb");
        return s->file != NULL;
    }
    s->path = exists ? realpath(path, NULL) : format_text("%s", path);
    int descriptor = -1;
    errno = s->path ? EEXIST : errno;
    for (int k = 0; k < TRIES && s->path && descriptor < 0 && errno == EEXIST; k++) {
        free(s->part);
        s->part = format_text("%s.%ld-%d.part", s->path, (long)getpid(), k);
        if (!s->part) {
            errno = ENOMEM;
            break;
        }
        descriptor = open(s->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    s->file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (s->file)
        return true;
    if (descriptor >= 0) {
        const int error = errno;
        close(descriptor);
        unlink(s->part);
        errno = error;
    }
    forget(s);
    return false;
}

bool save_end(save *s, bool good)
{
    errno = 0;
    int error = ferror(s->file) ? EIO : 0;
    if (fclose(s->file) != 0)
        error = errno ? errno : EIO;
    if (s->part && good && !error && rename(s->part, s->path) != 0)
        error = errno;
    if (s->part && (!good || error))
        unlink(s->part);
    forget(s);
    errno = error;
    return !good || !error;
}

bool save_bytes(const char *path, const void *bytes, size_t size)
{
    save s;
    if (!save_begin(&s, path))
        return false;
    const bool written = fwrite(bytes, 1, size, s.file) == size;
    const int error = errno;
    if (written)
        return save_end(&s, true);
    save_end(&s, false);
    errno = error;
    return false;
}

bool save_text(const char *path, const char *text) { return save_bytes(path, text, strlen(text)); }

int refuse_input(const char *command, const char *by, const char *output, const char *input, const char *what)
{
    struct stat a, b;
    if (!output || !input || option_is_standard(output) || stat(output, &a) != 0 || stat(input, &b) != 0 ||
        a.st_dev != b.st_dev || a.st_ino != b.st_ino)
        return EXIT_DONE;
    return usage_error(command, "'%s' is %s, which would be lost; name another file by %s", output, what, by);
}
