/* The model file of a command, or standard input in its place. */
#ifndef CAROM_CLI_MODEL_TEXT_H
#define CAROM_CLI_MODEL_TEXT_H

#include "support/options.h"

/* Name of a model that comes by standard input, in messages and of files. */
#define MODEL_OF_INPUT "stdin"

/* Where `*path` is "-", reads standard input to its end, and makes it MODEL_OF_INPUT. Returns an exit status, and has
   said what went wrong. */
int take_model(const session *s, const char **path);
/* The document of the model that take_model() has taken; errors as of carom_document_read(). */
carom_status read_model(const session *s, const char *path, const char *const *overrides, size_t count,
                        carom_document **out);

#endif
