/* The terminal, and lines that fit it. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* TIOCGWINSZ */
#endif
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "support/terminal.h"
#include "support/visible.h"

#include <langinfo.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

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

size_t terminal_columns(FILE *file)
{
    struct winsize size = {0};
    return isatty(fileno(file)) && ioctl(fileno(file), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* What `--color` says. */
enum { AUTO, ALWAYS, NEVER };
static int colours;

bool terminal_take_colour(const char *when)
{
    static const char *const words[] = {[AUTO] = "auto", [ALWAYS] = "always", [NEVER] = "never"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcmp(when, words[k]) == 0) {
            colours = (int)k;
            return true;
        }
    return false;
}

static bool has_colour(FILE *file)
{
    const char *terminal = getenv("TERM"), *none = getenv("NO_COLOR");
    if (colours != AUTO)
        return colours == ALWAYS;
    return !(none && *none) && !(terminal && strcmp(terminal, "dumb") == 0) && isatty(fileno(file));
}

const char *paint_begin(FILE *file, paint what) { return has_colour(file) ? colour_code(what) : ""; }

const char *paint_end(FILE *file) { return has_colour(file) ? colour_code(PAINT_COUNT) : ""; }

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

/* Decodes one code point and moves on; malformed bytes count as themselves. */
static unsigned long next_code_point(const unsigned char **text)
{
    const unsigned char *c = *text;
    int length = *c < 0xC0 ? 1 : *c < 0xE0 ? 2 : *c < 0xF0 ? 3 : 4;
    unsigned long code = length == 1 ? *c : *c & (0xFFu >> (length + 1));
    int k = 1;
    for (; k < length && (c[k] & 0xC0) == 0x80; k++)
        code = code << 6 | (c[k] & 0x3Fu);
    *text = c + k;
    return code;
}

/* Bytes of what paints a text and takes no column; 0: none. */
static size_t paint_length(const char *text)
{
    const size_t numbers = text[0] == '\033' && text[1] == '[' ? strspn(text + 2, "0123456789;") : 0;
    return numbers && text[2 + numbers] == 'm' ? numbers + 3 : 0;
}

size_t display_width(const char *text)
{
    size_t width = 0;
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        const size_t painted = paint_length((const char *)c);
        c += painted;
        if (painted)
            continue;
        unsigned long code = next_code_point(&c);
        if ((code >= 0x300 && code <= 0x36F) || code == 0x200B || code == 0x200D || (code >= 0xFE00 && code <= 0xFE0F))
            continue;
        bool wide = (code >= 0x1100 && code <= 0x115F) || (code >= 0x2E80 && code <= 0xA4CF) ||
                    (code >= 0xAC00 && code <= 0xD7A3) || (code >= 0xF900 && code <= 0xFAFF) ||
                    (code >= 0xFF00 && code <= 0xFF60) || (code >= 0x1F300 && code <= 0x1FAFF);
        width += wide ? 2 : 1;
    }
    return width;
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
        if (line->columns + columns > line->width)
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

/* ---- folded lines ---- */

/* Where a text is folded: at the last two blanks within so many columns, else at the last blank there, else at the
   first beyond; at its end if it fits. What stands before column `label` belongs to what follows. */
static const char *fold_at(const char *text, size_t width, size_t label)
{
    const char *parts = NULL, *words = NULL, *c = text;
    for (size_t columns = 0; *c; columns++) {
        char one[8] = "";
        c += paint_length(c);
        if (!*c)
            break;
        size_t bytes = character_length(c);
        memcpy(one, c, bytes < sizeof one ? bytes : 1);
        if (*c == ' ' && columns > label) {
            words = c;
            parts = c[1] == ' ' && c[-1] != ' ' ? c : parts;
        }
        columns += display_width(one) - 1;
        if (columns >= width && words)
            return parts ? parts : words;
        c += bytes;
    }
    return c;
}

static void print_folded(size_t indentation, const char *text, size_t width)
{
    size_t label = indentation;
    if (width < indentation + 20)
        indentation = 2;
    const char *end = fold_at(text, width, label);
    visible_write(stdout, text, (size_t)(end - text), true);
    putchar('\n');
    while (*end) {
        const char *begin = end + strspn(end, " ");
        end = fold_at(begin, width > indentation ? width - indentation : 1, 0);
        if (end == begin)
            continue;
        printf("%*s", (int)indentation, "");
        visible_write(stdout, begin, (size_t)(end - begin), true);
        putchar('\n');
    }
}

void print_line(size_t indentation, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    size_t width = terminal_columns(stdout);
    int length = vsnprintf(NULL, 0, format, again);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, args);
    if (text && width > 0 && display_width(text) > width) {
        print_folded(indentation, text, width);
    } else {
        if (text)
            visible_write(stdout, text, strlen(text), true);
        putchar('\n');
    }
    free(text);
    va_end(again);
    va_end(args);
}
