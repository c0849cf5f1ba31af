/* Points of the option --data: two columns of numbers from a text file. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/points.h"

#define COLUMNS_WANTED "two columns, x and y in SI, are expected"

/* ---- labels ---- */

static bool is_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

char *split_label(const char *text, const char **path)
{
    *path = text;
    const char *split = is_file(text) ? NULL : strchr(text, '=');
    /* labels and names of files may hold an equals sign, too */
    for (const char *equals = split; equals; equals = strchr(equals + 1, '='))
        if (is_file(equals + 1)) {
            split = equals;
            break;
        }
    if (split && split > text && split[1]) {
        *path = split + 1;
        return format_text("%.*s", (int)(split - text), text);
    }
    const char *slash = strrchr(text, '/'), *name = slash ? slash + 1 : text, *dot = strrchr(name, '.');
    return format_text("%.*s", (int)(dot && dot > name ? dot - name : (ptrdiff_t)strlen(name)), name);
}

/* ---- a line ---- */

/* The separator of a line: a semicolon, a tab, a comma, or blanks. */
static const char *separators_of(const char *line)
{
    return strchr(line, ';') ? ";" : strchr(line, '\t') ? "\t" : strchr(line, ',') ? "," : " ";
}

/* Reads the number at the beginning of a field, up to blanks and its end; false if it is none. */
static bool read_field(const char *field, double *out)
{
    char *end;
    *out = strtod(field, &end);
    return end != field && end[strspn(end, " \t\r\n")] == '\0' && isfinite(*out);
}

/* Splits a line into fields; returns how many there are, of which the first `most` are stored. */
static size_t split_line(char *line, char *fields[], size_t most)
{
    const char *separators = separators_of(line);
    bool blanks = *separators == ' ';
    size_t count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *at = line; at;) {
        if (blanks)
            at += strspn(at, " ");
        if (blanks && *at == '\0')
            break;
        char *end = strpbrk(at, separators);
        if (end)
            *end++ = '\0';
        if (count < most)
            fields[count] = at;
        count++;
        at = end;
    }
    return count;
}

static int add_point(point_set *set, size_t *capacity, const double point[2])
{
    if (set->count == *capacity) {
        size_t more = *capacity ? 2 * *capacity : 64;
        double *x = realloc(set->x, more * sizeof *x);
        set->x = x ? x : set->x;
        double *y = realloc(set->y, more * sizeof *y);
        set->y = y ? y : set->y;
        if (!x || !y)
            return memory_error();
        *capacity = more;
    }
    set->x[set->count] = point[0];
    set->y[set->count++] = point[1];
    return EXIT_DONE;
}

/* ---- the file ---- */

/* What the line before the first point is. */
typedef enum header { HEADER_NONE, HEADER_WORDS, HEADER_UNITS } header;

/* Reads a line that is not empty; before the first point one line that begins with no number is the header. */
static int read_line(const char *command, const char *path, size_t number, char *line, header *head, point_set *set,
                     size_t *capacity)
{
    const bool units = strchr(line, '[') != NULL;
    char *fields[2] = {line, line};
    double point[2];
    size_t count = split_line(line, fields, 2);
    bool first = read_field(fields[0], &point[0]);
    if (!first && set->count == 0 && *head == HEADER_NONE) {
        *head = units ? HEADER_UNITS : HEADER_WORDS;
        return EXIT_DONE;
    }
    if (count != 2)
        return usage_error(command, "--data: %s:%zu: %zu column%s; " COLUMNS_WANTED, path, number, count,
                           count == 1 ? "" : "s");
    for (int k = 0; k < 2; k++)
        if (!read_field(fields[k], &point[k]))
            return usage_error(command, "--data: %s:%zu: '%s' is no finite number; " COLUMNS_WANTED "%s", path, number,
                               fields[k], strchr(fields[k], ',') ? ", with decimal points" : "");
    return add_point(set, capacity, point);
}

static int read_lines(const char *command, const char *path, FILE *file, point_set *set, header *head)
{
    char *line = NULL;
    size_t buffer = 0, capacity = 0;
    int code = EXIT_DONE;
    for (size_t number = 1; code == EXIT_DONE && getline(&line, &buffer, file) >= 0; number++) {
        /* some programs begin with a byte order mark */
        char *text = number == 1 && strncmp(line, "\xEF\xBB\xBF", 3) == 0 ? line + 3 : line;
        text += strspn(text, " \t\r\n");
        if (*text && *text != '#')
            code = read_line(command, path, number, text, head, set, &capacity);
    }
    free(line);
    if (code == EXIT_DONE && ferror(file)) {
        print_error("--data: %s: cannot be read: %s; give another file", path, strerror(errno));
        code = EXIT_IO;
    }
    if (code == EXIT_DONE && set->count == 0)
        code = usage_error(command, "--data: %s has no points; " COLUMNS_WANTED, path);
    return code;
}

int read_points(const session *s, const char *command, const char *text, point_set *out)
{
    const char *path;
    out->label = split_label(text, &path);
    if (!out->label)
        return memory_error();
    const char *columns = data_columns(path);
    if (columns && path == text) {
        /* the label is that of the file */
        free(out->label);
        char *name = format_text("%.*s", (int)(columns - path), path);
        out->label = name ? split_label(name, &(const char *){NULL}) : NULL;
        free(name);
        if (!out->label)
            return memory_error();
    }
    if (columns)
        return read_columns(s, command, path, columns, out);
    FILE *file = fopen(path, "r");
    if (!file) {
        print_error("--data: %s: cannot be read: %s; " COLUMNS_WANTED, path, strerror(errno));
        return EXIT_IO;
    }
    header head = HEADER_NONE;
    int code = read_lines(command, path, file, out, &head);
    fclose(file);
    if (code != EXIT_DONE || head != HEADER_UNITS)
        return code;
    free(out->x);
    free(out->y);
    out->x = out->y = NULL;
    out->count = 0;
    return read_columns(s, command, path, NULL, out); /* in the units of the headings */
}

void free_points(point_set *sets, size_t count)
{
    for (size_t k = 0; sets && k < count; k++) {
        free(sets[k].label);
        free(sets[k].x);
        free(sets[k].y);
        free(sets[k].error);
        free(sets[k].unit);
        free(sets[k].x_unit);
    }
    free(sets);
}
