/* Sequences of a terminal, the only ones that the program writes. */
#include "support/colours.h"

#include <string.h>

static const char *const codes[] = {[PAINT_ERROR] = "\033[1;31m",
                                    [PAINT_WARNING] = "\033[33m",
                                    [PAINT_HEADING] = "\033[1m",
                                    [PAINT_COUNT] = "\033[0m"};

const char *colour_code(paint what) { return codes[what]; }

size_t colour_length(const char *text, size_t length)
{
    for (size_t k = 0; k < sizeof codes / sizeof *codes; k++)
        if (length >= strlen(codes[k]) && strncmp(text, codes[k], strlen(codes[k])) == 0)
            return strlen(codes[k]);
    return 0;
}
