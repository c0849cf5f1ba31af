/* Models: read a file (or fill a spec), compile, ask. A compiled model is constant and may be shared between threads. */
#ifndef CAROM_MODEL_H
#define CAROM_MODEL_H

#include <stddef.h>
#include "carom/context.h"
#include "carom/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- model files ---- */

/* A model file in memory: owns the spec read from it. */
typedef struct carom_document carom_document;

/* Reads a YAML or JSON model file. `overrides` are `name=value` texts that replace values of parameters (and only of
   parameters); may be NULL when the count is 0. The caller frees *out with carom_document_free().
   Errors: CAROM_ERROR_IO (not readable), CAROM_ERROR_MODEL (with file:line:column), CAROM_ERROR_USAGE (an override
   names no parameter), CAROM_ERROR_MEMORY. */
carom_status carom_document_read(carom_context *ctx, const char *path, const char *const *overrides,
                                 size_t override_count, carom_document **out);
/* The same from memory; `name` stands for the file in messages. */
carom_status carom_document_parse(carom_context *ctx, const char *name, const char *text, size_t length,
                                  const char *const *overrides, size_t override_count, carom_document **out);
/* The spec in the document; valid as long as the document. */
const carom_spec *carom_document_spec(const carom_document *document);
void carom_document_free(carom_document *document);

/* ---- models ---- */

typedef struct carom_model carom_model;

/* Checks and compiles a spec; the model keeps nothing of it. The caller frees *out with carom_model_free().
   Errors: CAROM_ERROR_MODEL with the place in the spec, CAROM_ERROR_MEMORY. */
carom_status carom_model_compile(carom_context *ctx, const carom_spec *spec, carom_model **out);
/* Reads and compiles a file: carom_document_read() and carom_model_compile() in one call. */
carom_status carom_model_load(carom_context *ctx, const char *path, const char *const *overrides, size_t override_count,
                              carom_model **out);
void carom_model_free(carom_model *model);

/* Counts of a model. */
typedef struct carom_model_info {
    const char *name, *title;
    int dimension;
    size_t bodies;              /* without ground */
    size_t joints, shapes, contacts, loads, runs;
    size_t coordinates;         /* velocities: 3 a body in the plane, 6 in space */
    size_t rows;                /* constraint rows, prescribed motions included */
} carom_model_info;
carom_model_info carom_model_get_info(const carom_model *model);
/* Name of body 0 ... bodies-1 in the file's order; NULL beyond. */
const char *carom_model_body_name(const carom_model *model, size_t body);

/* Writes the reference page of the model file (Markdown) or its JSON Schema to a new text of `ctx`'s allocator; free it
   with carom_text_release(). Both are made from the table of keys that the reader uses. */
carom_status carom_reference_page(carom_context *ctx, char **out);
carom_status carom_json_schema(carom_context *ctx, char **out);
void carom_text_release(carom_context *ctx, char *text);

#ifdef __cplusplus
}
#endif
#endif
