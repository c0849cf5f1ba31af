/* Control characters are shown. */
#include "support/visible.h"
#include "support/colours.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of a character that is not written as it is, and which it is; 0: it is. Tabs and ends of lines are. */
static size_t control(const unsigned char *c, size_t length, unsigned *code)
{
    *code = c[0];
    if (c[0] < 0x20 || c[0] == 0x7f)
        return c[0] == '\t' || c[0] == '\n' ? 0 : 1;
    if (length > 1 && c[0] == 0xc2 && c[1] < 0xa0) {
        *code = c[1]; /* C1, of which U+009B begins sequences of a terminal */
        return 2;
    }
    if (length < 3 || c[0] != 0xe2 || (c[1] != 0x80 && c[1] != 0x81))
        return 0;
    *code = 0x2000u + (c[1] == 0x81 ? 0x40u : 0) + (c[2] & 0x3fu);
    const bool turns = (*code >= 0x202a && *code <= 0x202e) || (*code >= 0x2066 && *code <= 0x2069) ||
                       *code == 0x2028 || *code == 0x2029 || *code == 0x200e || *code == 0x200f;
    return turns ? 3 : 0;
}

void visible_write(FILE *file, const char *text, size_t length, bool painted)
{
    for (size_t k = 0, plain = 0; k < length;) {
        unsigned code = 0;
        const size_t colour = painted ? colour_length(text + k, length - k) : 0;
        const size_t bytes = colour ? 0 : control((const unsigned char *)text + k, length - k, &code);
        if (!bytes) {
            k += colour ? colour : 1;
            if (k < length)
                continue;
        }
        fwrite(text + plain, 1, k - plain, file);
        if (bytes)
            fprintf(file, code < 0x100 ? "\\x%02x" : "\\u%04x", code);
        k += bytes;
        plain = k;
    }
}

void visible_print(FILE *file, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (!text) {
        fputs("out of memory", file);
        return;
    }
    vsnprintf(text, (size_t)length + 1, format, args);
    for (char *line = text, *end; line; line = end ? end + 1 : NULL) {
        end = strchr(line, '\n');
        visible_write(file, line, end ? (size_t)(end - line) : strlen(line), false);
        if (end)
            fputs("\\n", file);
    }
    free(text);
}
