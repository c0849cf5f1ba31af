/* Messages of the reader, and names in the model file. */
#include "read/reader.h"

#include <stdio.h>
#include <string.h>

/* ---- messages ---- */

carom_status carom_read_fail(const carom_reader *r, const carom_place *place, const char *format, ...)
{
    char text[CAROM_ERROR_TEXT / 2];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return carom_fail(r->ctx, CAROM_ERROR_MODEL, place, "%s%s", r->where, text);
}

/* The name that shares the longest beginning with the word, three letters at least. */
static const char *same_beginning(const char *word, const char *const *names, size_t count)
{
    const char *best = NULL;
    size_t longest = 2;
    for (size_t k = 0; k < count; k++) {
        size_t n = 0;
        while (word[n] && word[n] == names[k][n])
            n++;
        if (n > longest) {
            longest = n;
            best = names[k];
        }
    }
    return best;
}

const char *carom_suggest(const char *word, const char *const *names, size_t count, char *buffer, size_t size)
{
    const char *nearest = carom_nearest_name(word, names, count);
    if (!nearest)
        nearest = same_beginning(word, names, count);
    if (nearest)
        snprintf(buffer, size, "; did you mean '%.63s'?", nearest);
    else
        buffer[0] = '\0';
    return buffer;
}

/* ---- names ---- */

carom_status carom_check_name(const carom_reader *r, const char *what, const char *name, const carom_place *place)
{
    bool good = carom_is_letter(name[0]);
    for (const char *c = name; *c; c++)
        good = good && (carom_is_word_char(*c) || *c == '-');
    if (!good)
        return carom_read_fail(
            r, place, "'%.80s' is no name of a %s: letters, digits, _ and -, beginning with a letter", name, what);
    if (strlen(name) > CAROM_NAME_LENGTH)
        return carom_read_fail(r, place, "the name '%.63s...' is longer than %d characters", name, CAROM_NAME_LENGTH);
    return CAROM_OK;
}

carom_status carom_check_expression_name(const carom_reader *r, const char *what, const carom_node *node)
{
    const char *name = node->key;
    CAROM_TRY(carom_check_name(r, what, name, &node->key_place));
    if (strchr(name, '-'))
        return carom_read_fail(r, &node->key_place, "the name '%s' would be a subtraction in an expression; write '_'",
                               name);
    if (!carom_expr_is_reserved(name))
        return CAROM_OK;
    size_t count;
    const carom_expr_word *words = carom_expr_words(&count);
    for (size_t k = 0; k < count; k++)
        if (strcmp(words[k].name, name) == 0)
            return carom_read_fail(r, &node->key_place, "the name '%s' is reserved (%s); choose another", name,
                                   words[k].description);
    return carom_read_fail(r, &node->key_place, "the name '%s' is reserved; choose another", name);
}
