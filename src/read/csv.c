/* Lines of tables as text. */
#include "read/csv.h"

static size_t field_end(const char *line, size_t at, size_t length, char separator, bool quoted)
{
    for (; at < length; at++)
        if (quoted ? line[at] == '"' : separator == ' ' ? carom_csv_is_blank(line[at]) : line[at] == separator)
            break;
    return at;
}

size_t carom_csv_split(const char *line, size_t length, char separator, carom_csv_field *fields)
{
    size_t count = 0;
    for (size_t at = 0; at <= length;) {
        while (at < length && carom_csv_is_blank(line[at]))
            at++;
        if (at == length && separator == ' ')
            return count;
        const bool quoted = at < length && line[at] == '"';
        const size_t end = field_end(line, at + quoted, length, separator, quoted);
        if (count == CAROM_CSV_COLUMNS)
            return count + 1;
        carom_csv_field *f = &fields[count++];
        *f = (carom_csv_field){line + at + quoted, end - at - quoted};
        while (f->length && carom_csv_is_blank(f->text[f->length - 1]))
            f->length--;
        at = end;
        while (at < length && (separator == ' ' ? carom_csv_is_blank(line[at]) : line[at] != separator))
            at++;
        at += separator != ' ';
    }
    return count;
}

const char *carom_csv_begin(const char *text, size_t length)
{
    return length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? text + 3 : text;
}

const char *carom_csv_line(const char **at, const char *end, size_t *length, int *number)
{
    while (*at < end) {
        const char *line = *at, *stop = memchr(line, '\n', (size_t)(end - line));
        if (!stop)
            stop = end;
        *at = stop + 1;
        ++*number;
        *length = (size_t)(stop - line);
        size_t blank = 0;
        while (blank < *length && carom_csv_is_blank(line[blank]))
            blank++;
        if (blank < *length && line[blank] != '#')
            return line;
    }
    return NULL;
}
