/* Room on the disk for a result. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "result/room.h"
#include "result/h5.h"
#include "result/os/os.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CREATION_BYTES 4096     /* that HDF5 writes as it creates a file, at most */

carom_status carom_room_make(carom_context *ctx, const char *path, int file, off_t from, off_t needed, off_t wanted,
                             off_t *end)
{
    *end = wanted;
    int error = carom_os_reserve(file, from, wanted - from);
    if (error != 0 && needed < wanted) {
        *end = needed;
        error = carom_os_reserve(file, from, needed - from);
    }
    if (error == 0)
        return CAROM_OK;
    *end = from;
    if (error != ENOSPC && error != EFBIG && error != EDQUOT && error != EIO)
        return CAROM_OK;
    return carom_fail(ctx, CAROM_ERROR_IO, NULL,
                      "%s: cannot be written: %s; make room on the disk or write to another folder", path,
                      strerror(error));
}

carom_status carom_room_check(carom_context *ctx, const char *path, bool *exists)
{
    struct stat info;
    *exists = stat(path, &info) == 0;
    if (!*exists)
        return CAROM_OK;
    if (!S_ISREG(info.st_mode))
        return carom_fail(ctx, CAROM_ERROR_IO, NULL, "%s: is not an ordinary file; give another name", path);
    if (access(path, R_OK | W_OK) != 0)
        return carom_fail(ctx, CAROM_ERROR_IO, NULL, "%s: cannot be written: %s; give another name", path,
                          strerror(errno));
    if (carom_h5_is_being_written(path))
        return carom_fail(ctx, CAROM_ERROR_IO, NULL,
                          "%s: another run is writing it; wait for its end or give another name", path);
    return CAROM_OK;
}

int carom_room_lock(const char *path)
{
    char folder[4096];
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    if (length >= sizeof folder)
        return -1;
    memcpy(folder, path, length);
    folder[length] = 0;
    const int file = open(length ? folder : ".", O_RDONLY | O_CLOEXEC);
    if (file < 0 || carom_os_take_folder(file))
        return file;
    close(file);
    return -1;
}

void carom_room_unlock(int folder)
{
    if (folder >= 0)
        close(folder);
}

carom_status carom_room_claim(carom_context *ctx, const char *path)
{
    off_t end;
    const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return CAROM_OK; /* HDF5 says why it cannot be created */
    const carom_status status = carom_room_make(ctx, path, file, 0, CREATION_BYTES, CREATION_BYTES, &end);
    close(file);
    return status;
}

uint64_t carom_room_of_rows(uint64_t rows_before, size_t rows, size_t size, size_t chunk)
{
    const uint64_t chunks = rows / chunk + 2;
    return chunks * chunk * size * sizeof(double) + 4096 + 48 * (chunks + rows_before / chunk);
}

static size_t text_length(const char *text) { return text ? strlen(text) : 0; }

size_t carom_room_of_override(const carom_writer_def *def)
{
    size_t longest = 1;
    for (size_t k = 0; k < def->override_count; k++)
        longest = text_length(def->overrides[k]) + 1 > longest ? text_length(def->overrides[k]) + 1 : longest;
    return longest;
}

uint64_t carom_room_of_objects(const carom_writer_def *def)
{
    uint64_t bytes = 262144 + 2 * text_length(def->model_text) + 2 * text_length(def->title) +
                     2 * text_length(def->options) + 2 * text_length(def->model_name) +
                     def->override_count * carom_room_of_override(def);
    for (size_t k = 0; k < def->channel_count; k++) {
        const carom_channel *c = &def->channels[k];
        bytes += 8192 + 4 * (2 * text_length(c->name) + text_length(c->unit) + text_length(c->description));
        for (int i = 0; c->components && i < c->size; i++)
            bytes += 2 * text_length(c->components[i]) + 2;
    }
    return bytes;
}
