/* A file that takes its name when it is complete. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "export/save.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRIES 100    /* names tried for the temporary file */
#define NAME_ROOM 40 /* of a temporary name behind the path */

bool carom_is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

static carom_status fail_write(carom_context *ctx, const char *path, int error)
{
    const char *remedy = "choose another name or folder";
    if (error == ENOENT)
        remedy = "make the folder first";
    else if (error == ENOSPC || error == EDQUOT || error == EFBIG)
        remedy = "make room on the disk or write to another folder";
    else if (error == EACCES || error == EPERM || error == EROFS)
        remedy = "write to a folder that you may write to";
    return carom_fail(ctx, CAROM_ERROR_IO, NULL, "%s: cannot be written: %s; %s", path, strerror(error), remedy);
}

/* Opens a new file under a name that is free; NULL with errno on failure. */
static FILE *create_beside(carom_save *s)
{
    int descriptor = -1;
    errno = EEXIST;
    for (int k = 0; k < TRIES && descriptor < 0 && errno == EEXIST; k++) {
        snprintf(s->part, s->part_size, "%s.%ld-%d.part", s->path, (long)getpid(), k);
        descriptor = open(s->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (!file && descriptor >= 0) {
        int error = errno;
        close(descriptor);
        remove(s->part);
        errno = error;
    }
    return file;
}

carom_status carom_save_begin(carom_context *ctx, const char *path, carom_save *out)
{
    struct stat old;
    *out = (carom_save){.ctx = ctx, .path = path, .part_size = strlen(path) + NAME_ROOM};
    if (stat(path, &old) == 0 && !S_ISREG(old.st_mode))
        return carom_fail(ctx, CAROM_ERROR_IO, NULL, "%s: is not an ordinary file; choose another name", path);
    out->part = carom_allocate(ctx, out->part_size, 1);
    if (!out->part)
        return carom_fail_memory(ctx);
    out->file = create_beside(out);
    if (out->file)
        return CAROM_OK;
    carom_status status = fail_write(ctx, path, errno);
    carom_release(ctx, out->part, out->part_size, 1);
    return status;
}

void carom_save_bytes(carom_save *save, const void *bytes, size_t length)
{
    if (save->error || fwrite(bytes, 1, length, save->file) == length)
        return;
    save->error = errno ? errno : EIO;
}

carom_status carom_save_end(carom_save *save, carom_status status)
{
    errno = 0;
    if (fclose(save->file) != 0 && !save->error)
        save->error = errno ? errno : EIO;
    if (status == CAROM_OK && !save->error && rename(save->part, save->path) != 0)
        save->error = errno;
    if (status != CAROM_OK || save->error)
        remove(save->part);
    if (status == CAROM_OK && save->error)
        status = fail_write(save->ctx, save->path, save->error);
    carom_release(save->ctx, save->part, save->part_size, 1);
    save->part = NULL;
    save->file = NULL;
    return status;
}
