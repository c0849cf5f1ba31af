/* The model file of a command, or standard input in its place. */
#include "support/model_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text of standard input, which several documents may be read from, also by threads. */
static char *text;
static size_t length;

int take_model(const session *s, const char **path)
{
    char part[65536];
    size_t count;
    if (strcmp(*path, "-") != 0)
        return EXIT_DONE;
    *path = MODEL_OF_INPUT;
    free(text);
    text = NULL;
    length = 0;
    while ((count = fread(part, 1, sizeof part, stdin)) > 0) {
        char *more = realloc(text, length + count);
        if (!more)
            return memory_error();
        text = more;
        memcpy(text + length, part, count);
        length += count;
    }
    if (ferror(stdin))
        return session_fail(s, EXIT_IO, "standard input cannot be read: %s", strerror(errno));
    if (!length)
        return session_fail(s, EXIT_MODEL, "standard input is empty; a model file is expected there");
    return EXIT_DONE;
}

carom_status read_model(const session *s, const char *path, const char *const *overrides, size_t count,
                        carom_document **out)
{
    return text ? carom_document_parse(s->ctx, path, text, length, overrides, count, out)
                : carom_document_read(s->ctx, path, overrides, count, out);
}
