/* The terminal on standard error, and lines that fit it. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* TIOCGWINSZ */
#endif
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "table.h"

bool terminal_can_draw(void)
{
    const char *terminal = getenv("TERM");
    return !(terminal && strcmp(terminal, "dumb") == 0) && isatty(STDERR_FILENO);
}

void terminal_size(size_t *columns, size_t *rows)
{
    struct winsize size = {0};
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0;
    *columns = known && size.ws_col > 0 ? size.ws_col : 80;
    *rows = known && size.ws_row > 0 ? size.ws_row : 24;
}

bool terminal_is_utf8(void)
{
    /* the program's own locale stays "C", in which numbers have a point */
    locale_t user = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (user == (locale_t)0)
        return false;
    bool utf8 = strcmp(nl_langinfo_l(CODESET, user), "UTF-8") == 0;
    freelocale(user);
    return utf8;
}

/* ---- lines ---- */

/* Bytes of the UTF-8 character at the beginning of a text. */
static size_t character_length(const char *text)
{
    size_t length = 1;
    while (((unsigned char)text[length] & 0xC0) == 0x80)
        length++;
    return length;
}

void line_add(text_line *line, const char *format, ...)
{
    char added[LINE_BYTES];
    va_list args;
    va_start(args, format);
    vsnprintf(added, sizeof added, format, args);
    va_end(args);
    for (const char *c = added; *c;) {
        char one[8] = "";
        size_t bytes = character_length(c);
        if (bytes >= sizeof one || line->length + bytes >= LINE_BYTES)
            return;
        memcpy(one, c, bytes);
        size_t columns = display_width(one);
        if (line->columns + columns > line->room)
            return;
        memcpy(line->text + line->length, one, bytes + 1);
        line->length += bytes;
        line->columns += columns;
        c += bytes;
    }
}

void line_pad(text_line *line, size_t column)
{
    if (column > line->columns)
        line_add(line, "%*s", (int)(column - line->columns), "");
}
