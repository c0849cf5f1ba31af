/* The data of a glTF 2.0 file: accessors over three byte ranges, and the binary container (.glb). */
#ifndef CAROM_IO_GLTF_FILE_H
#define CAROM_IO_GLTF_FILE_H

#include <stdint.h>
#include "base/json.h"
#include "export/save.h"

/* What a range of bytes holds. */
typedef enum carom_gltf_view {
    CAROM_GLTF_VERTICES,
    CAROM_GLTF_INDICES,
    CAROM_GLTF_ANIMATION,
    CAROM_GLTF_VIEWS
} carom_gltf_view;

typedef struct carom_gltf_accessor {
    carom_gltf_view view;
    size_t offset, count; /* first byte in the view; elements */
    int components;       /* 1, 3 or 4 */
    bool bounded;         /* its least and largest values are written */
    float low[4], high[4];
} carom_gltf_accessor;

/* Starts as {.ctx = ctx, .bytes = {{.ctx = ctx}, {.ctx = ctx}, {.ctx = ctx}}}; `failed`: memory ran out. */
typedef struct carom_gltf_file {
    carom_context *ctx;
    carom_text bytes[CAROM_GLTF_VIEWS];
    carom_gltf_accessor *accessors;
    size_t accessor_count, capacity;
    bool failed;
} carom_gltf_file;

/* Begins an accessor, which the next numbers belong to; returns its index. Vertices have three components. */
int carom_gltf_begin(carom_gltf_file *file, carom_gltf_view view, int components, bool bounded);
/* One component: a float, or an index into CAROM_GLTF_INDICES. */
void carom_gltf_float(carom_gltf_file *file, double value);
void carom_gltf_index(carom_gltf_file *file, uint32_t index);

/* Writes the entries "accessors", "bufferViews" and "buffers" of the JSON part. */
void carom_gltf_tables(const carom_gltf_file *file, carom_json *json);
/* Writes the file: header, the JSON part, the bytes. Errors: CAROM_ERROR_USAGE (more than 4 GiB), CAROM_ERROR_IO,
   CAROM_ERROR_MEMORY. */
carom_status carom_gltf_save(const carom_gltf_file *file, const carom_json *json, const char *path);
void carom_gltf_free(carom_gltf_file *file);

#endif
