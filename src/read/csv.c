/* Lines of tables as text. */
#include "read/csv.h"

/* Whether the character there stands between two digits. */
static bool in_number(const char *text, size_t at, size_t length)
{
    return at > 0 && at + 1 < length && carom_is_digit(text[at - 1]) && carom_is_digit(text[at + 1]);
}

char carom_csv_separator(const char *line, size_t length)
{
    const bool semicolon = memchr(line, ';', length) != NULL;
    for (size_t at = 0; at < length; at++)
        if (line[at] == ',' && !(semicolon && in_number(line, at, length)))
            return ',';
    return semicolon ? ';' : ' ';
}

const char *carom_csv_remedy(const char *text, size_t length)
{
    const char *comma = memchr(text, ',', length);
    return comma && in_number(text, (size_t)(comma - text), length)
               ? "; decimals have a point: write the table with 0.5 in place of 0,5"
               : "";
}

static size_t field_end(const char *line, size_t at, size_t length, char separator, bool quoted)
{
    for (; at < length; at++)
        if (quoted ? line[at] == '"' : separator == ' ' ? carom_csv_is_blank(line[at]) : line[at] == separator)
            break;
    return at;
}

/* Where the brackets end that follow a field between blanks; `at` where there are none. */
static size_t brackets_end(const char *line, size_t at, size_t length)
{
    const char close = line[at] == '[' ? ']' : line[at] == '(' ? ')' : '\0';
    const char *end = close ? memchr(line + at, close, length - at) : NULL;
    return end ? (size_t)(end - line) + 1 : at;
}

size_t carom_csv_split(const char *line, size_t length, char separator, carom_csv_field *fields)
{
    size_t count = 0;
    for (size_t at = 0; at <= length;) {
        while (at < length && carom_csv_is_blank(line[at]))
            at++;
        if (at == length && separator == ' ')
            return count;
        if (separator == ' ' && count && brackets_end(line, at, length) > at) {
            carom_csv_field *before = &fields[count - 1];
            at = brackets_end(line, at, length);
            before->length = (size_t)(line + at - before->text);
            continue;
        }
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

static carom_csv_field trimmed(const char *text, size_t length)
{
    while (length && carom_csv_is_blank(text[length - 1]))
        length--;
    for (; length && carom_csv_is_blank(*text); length--)
        text++;
    return (carom_csv_field){text, length};
}

/* "t [ms]", "Force (N)", "v/(m/s)". */
static bool take_brackets(const carom_csv_field *heading, carom_csv_field *name, carom_csv_field *unit)
{
    const char *text = heading->text;
    const size_t length = heading->length;
    const char close = length ? text[length - 1] : '\0';
    const char open = close == ']' ? '[' : close == ')' ? '(' : '\0';
    if (!open)
        return false;
    size_t at = length - 1;
    while (at > 0 && text[at] != open)
        at--;
    if (text[at] != open || at == 0)
        return false;
    *unit = (carom_csv_field){text + at + 1, length - at - 2};
    if (unit->length > 3 && memcmp(unit->text, "in ", 3) == 0)
        *unit = trimmed(unit->text + 3, unit->length - 3);
    *name = trimmed(text, at > 1 && text[at - 1] == '/' ? at - 1 : at);
    return true;
}

/* A unit behind the first place of a word: "F/kN", "t in ms". */
static bool take_behind(const carom_csv_field *heading, const char *word, carom_csv_field *name, carom_csv_field *unit)
{
    const size_t size = strlen(word);
    for (size_t at = 1; at + size < heading->length; at++) {
        if (memcmp(heading->text + at, word, size) != 0)
            continue;
        *unit = trimmed(heading->text + at + size, heading->length - at - size);
        *name = trimmed(heading->text, at);
        return carom_csv_is_unit(unit->text, unit->length);
    }
    return false;
}

/* A part of a second behind a name: "time_ms", "t.us". */
static bool take_part_of_second(const carom_csv_field *heading, carom_csv_field *name, carom_csv_field *unit)
{
    static const char *const parts[] = {"ms", "us", "ns", "\xc2\xb5s", "\xce\xbcs"};
    for (size_t k = 0; k < CAROM_COUNT(parts); k++) {
        const size_t size = strlen(parts[k]);
        if (heading->length < size + 2 || memcmp(heading->text + heading->length - size, parts[k], size) != 0 ||
            !strchr("_. ", heading->text[heading->length - size - 1]))
            continue;
        *unit = (carom_csv_field){heading->text + heading->length - size, size};
        *name = *heading;
        return true;
    }
    return false;
}

void carom_csv_heading(const carom_csv_field *heading, carom_csv_field *name, carom_csv_field *unit)
{
    if (take_brackets(heading, name, unit))
        return;
    if (take_behind(heading, "/", name, unit) || take_behind(heading, " in ", name, unit) ||
        take_part_of_second(heading, name, unit))
        return;
    *name = *heading;
    *unit = (carom_csv_field){heading->text, 0};
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
