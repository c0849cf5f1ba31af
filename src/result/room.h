/* Room on the disk for a result, made before HDF5 writes: it does not survive a write of metadata that fails. */
#ifndef CAROM_RESULT_ROOM_H
#define CAROM_RESULT_ROOM_H

#include <sys/types.h>

#include "carom/result.h"
#include "base/base.h"

/* Makes a file that has room up to `from` longer: up to `wanted`, or where there is less room up to `needed`, which
   *end tells. A file system that cannot tell is trusted. Errors: CAROM_ERROR_IO. */
carom_status carom_room_make(carom_context *ctx, const char *path, int file, off_t from, off_t needed, off_t wanted,
                             off_t *end);
/* Refuses what must not be overwritten: folders, devices, and the file of a run under way; *exists: it is there.
   Errors: CAROM_ERROR_IO. */
carom_status carom_room_check(carom_context *ctx, const char *path, bool *exists);
/* Waits until nobody else creates a result in the folder of a path, and keeps others from it until carom_room_unlock().
   -1: the folder cannot be locked, as on some network file systems. */
int carom_room_lock(const char *path);
void carom_room_unlock(int folder);
/* Makes room for what HDF5 writes as it creates a file: an ordinary file is there then. Errors: CAROM_ERROR_IO. */
carom_status carom_room_claim(carom_context *ctx, const char *path);

/* Bytes by which `rows` more rows of a dataset can make the file grow: whole chunks and their index. */
uint64_t carom_room_of_rows(uint64_t rows_before, size_t rows, size_t size, size_t chunk);
/* Bytes of a file without rows: texts, and the headers of objects and groups. */
uint64_t carom_room_of_objects(const carom_writer_def *def);
/* Bytes of the longest override, with its NUL. */
size_t carom_room_of_override(const carom_writer_def *def);

#endif
