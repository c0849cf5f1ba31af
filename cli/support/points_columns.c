/* Measured data of the option --data FILE:Y[UNIT]±ERROR@X[UNIT]: named columns of a table, converted to SI, and where
   they are put beside the curves. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/law.h"
#include "carom/table.h"
#include "support/points.h"

#define FORM "write FILE:Y[UNIT]@X[UNIT], such as test.csv:force[N]@time[ms]"
#define FOOT 0.1        /* of the peak: two points of the rise, whose line of F^(2/3) is 0 at the onset */
#define KNEE 0.3

/* A column as the user names it: `name`, `name[unit]`. */
typedef struct column_name {
    char name[128], unit[64];
} column_name;

/* Takes the name and the unit in brackets of a part of the text. */
static bool take_name(const char *text, size_t length, column_name *out)
{
    const char *open = memchr(text, '[', length);
    const size_t name = open ? (size_t)(open - text) : length, unit = open ? length - name - 2 : 0;
    if (name == 0 || name >= sizeof out->name || (open && (text[length - 1] != ']' || unit >= sizeof out->unit)))
        return false;
    snprintf(out->name, sizeof out->name, "%.*s", (int)name, text);
    snprintf(out->unit, sizeof out->unit, "%.*s", (int)unit, open ? open + 1 : "");
    return true;
}

/* Y, the column of its errors, and X; names of the last two may be empty. */
static bool take_columns(const char *text, column_name out[3])
{
    const char *at = strchr(text, '@'), *plus = strstr(text, "\xC2\xB1"), *other = strstr(text, "+-");
    const size_t end = at ? (size_t)(at - text) : strlen(text);
    plus = plus ? plus : other;
    memset(out, 0, 3 * sizeof *out);
    if (plus && at && plus > at)
        return false;
    return take_name(text, plus ? (size_t)(plus - text) : end, &out[0]) &&
           (!plus || take_name(plus + 2, end - (size_t)(plus + 2 - text), &out[1])) &&
           (!at || take_name(at + 1, strlen(at + 1), &out[2]));
}

/* Whether a name of columns holds a slash outside of the brackets of its units: then it is part of a path. */
static bool has_slash(const char *text)
{
    bool inside = false;
    for (; *text; text++) {
        inside = *text == '[' || (inside && *text != ']');
        if (*text == '/' && !inside)
            return true;
    }
    return false;
}

const char *data_columns(const char *path)
{
    FILE *file = fopen(path, "r");
    if (file) {
        fclose(file);
        return NULL;
    }
    const char *colon = strrchr(path, ':');
    return colon && colon > path && colon[1] && !has_slash(colon) ? colon : NULL;
}

/* ---- columns ---- */

/* The table that is read, and for whom. */
typedef struct record {
    const session *s;
    const char *command;
    char *path;
    carom_table table;
} record;

static int find_column(const record *r, const column_name *wanted, size_t otherwise, size_t *out)
{
    const carom_table *table = &r->table;
    *out = otherwise;
    if (!*wanted->name && otherwise < table->column_count)
        return EXIT_DONE;
    const size_t named = carom_table_find(table, wanted->name);
    if (named < table->column_count) {
        *out = named;
        return EXIT_DONE;
    }
    char *names = format_text("%s", "");
    for (size_t k = 0; k < table->column_count && names; k++) {
        char *more = format_text("%s%s%s", names, k ? ", " : "", table->columns[k].name);
        free(names);
        names = more;
    }
    const int code = usage_error(r->command, "--data: %s has no column '%s'; it has %s", r->path, wanted->name,
                                 names ? names : "others");
    free(names);
    return code;
}

/* A unit as expressions have it. */
static void unit_text(const char *unit, char text[96])
{
    size_t n = 0;
    for (const char *c = unit; *c && n + 1 < 96; c++) {
        /* the micro sign and the Greek letter */
        const bool micro = strncmp(c, "\xC2\xB5", 2) == 0 || strncmp(c, "\xCE\xBC", 2) == 0;
        text[n++] = micro ? 'u' : *c == ' ' ? '*' : *c;
        c += micro;
    }
    text[n] = '\0';
}

bool unit_fits(const session *s, const char *unit, const char *of)
{
    char text[96];
    double value;
    if (!unit || !*unit || strcmp(unit, "-") == 0)
        return true;
    unit_text(unit, text);
    return carom_law_quantity(s->ctx, "unit", text, *of ? of : "1", &value) == CAROM_OK;
}

/* Whether two units mean the same; true as well where the second is none. */
static bool same_unit(const session *s, const char *a, const char *b)
{
    char text[2][96], ratio[220];
    double value;
    unit_text(a, text[0]);
    unit_text(b, text[1]);
    snprintf(ratio, sizeof ratio, "(%s)/(%s)", text[0], text[1]);
    if (strcmp(b, "-") == 0 || carom_law_number(s->ctx, "unit", text[1], &value) != CAROM_OK)
        return true;
    return carom_law_quantity(s->ctx, "unit", ratio, "1", &value) == CAROM_OK && fabs(value - 1) <= 1e-12;
}

/* What a number of the column times gives SI: by the unit that the user gives, or that of the heading. Where there are
   both and they differ one of them is wrong. */
static int unit_of(const record *r, const column_name *wanted, const carom_table_column *column, double *factor)
{
    char unit[80], text[96];
    *factor = 1;
    snprintf(unit, sizeof unit, "%s", *wanted->unit ? wanted->unit : column->unit);
    if (!*unit || strcmp(unit, "-") == 0)
        return EXIT_DONE;
    unit_text(unit, text);
    if (carom_law_number(r->s->ctx, "unit", text, factor) != CAROM_OK || !(*factor > 0))
        return usage_error(r->command, "--data: %s: '%s' of column '%s' is no unit; see `carom explain expressions`",
                           r->path, unit, column->name);
    if (!*wanted->unit || !*column->unit || same_unit(r->s, wanted->unit, column->unit))
        return EXIT_DONE;
    return usage_error(r->command,
                       "--data: %s: column '%s' is in %s by its heading, and in %s here: write '%s' alone, or mend the "
                       "heading",
                       r->path, column->name, column->unit, wanted->unit, column->name);
}

/* Takes a column in SI units into new memory, and if `unit` is not NULL the text of its unit. */
static int take_column(const record *r, const column_name *wanted, size_t otherwise, double **out, char **unit)
{
    size_t column;
    double factor;
    int code = find_column(r, wanted, otherwise, &column);
    if (code == EXIT_DONE)
        code = unit_of(r, wanted, &r->table.columns[column], &factor);
    if (code != EXIT_DONE)
        return code;
    const carom_table_column *from = &r->table.columns[column];
    *out = malloc((r->table.rows + 1) * sizeof **out);
    if (unit)
        *unit = format_text("%s", *wanted->unit ? wanted->unit : from->unit);
    if (!*out || (unit && !*unit))
        return memory_error();
    if (from->text)
        return usage_error(r->command, "--data: %s:%d: column '%s' has '%s' where a number is needed", r->path,
                           r->table.lines[from->text_row], from->name, from->text);
    for (size_t k = 0; k < r->table.rows; k++)
        (*out)[k] = factor * from->values[k];
    return EXIT_DONE;
}

int read_columns(const session *s, const char *command, const char *text, const char *columns, point_set *out)
{
    column_name names[3] = {{.name = ""}};
    const size_t length = columns ? (size_t)(columns - text) : strlen(text);
    record r = {.s = s, .command = command, .path = format_text("%.*s", (int)length, text)};
    int code = r.path ? EXIT_DONE : memory_error();
    if (code == EXIT_DONE && columns && !take_columns(columns + 1, names))
        code = usage_error(command, "--data: '%s' names no columns; " FORM, columns + 1);
    carom_status status = code == EXIT_DONE ? carom_table_read_csv(s->ctx, r.path, &r.table) : CAROM_OK;
    if (status != CAROM_OK)
        code = session_error(s, status);
    if (code == EXIT_DONE)
        code = take_column(&r, &names[2], 0, &out->x, &out->x_unit);
    if (code == EXIT_DONE)
        code = take_column(&r, &names[0], 1, &out->y, &out->unit);
    if (code == EXIT_DONE && *names[1].name) {
        /* in the unit of y, unless it has one */
        const size_t column = carom_table_find(&r.table, names[1].name);
        if (!*names[1].unit && (column == r.table.column_count || !*r.table.columns[column].unit))
            snprintf(names[1].unit, sizeof names[1].unit, "%s", out->unit);
        code = take_column(&r, &names[1], 1, &out->error, NULL);
    }
    if (code == EXIT_DONE)
        out->count = r.table.rows;
    carom_table_free(s->ctx, &r.table);
    free(r.path);
    return code;
}

/* ---- places ---- */

int read_shift(const session *s, const char *text, double out[2])
{
    out[0] = out[1] = 0;
    if (!text)
        return EXIT_DONE;
    const char *comma = strchr(text, ',');
    char *first = format_text("%.*s", (int)(comma ? (size_t)(comma - text) : strlen(text)), text);
    if (!first)
        return memory_error();
    carom_status status = *first ? carom_law_number(s->ctx, "--shift", first, &out[0]) : CAROM_OK;
    if (status == CAROM_OK && comma && comma[1])
        status = carom_law_number(s->ctx, "--shift", comma + 1, &out[1]);
    free(first);
    return status == CAROM_OK ? EXIT_DONE : session_error(s, status);
}

/* The first time at which y is off the value before it by a part of its peak; NAN: never. */
static double crossing(const point_set *set, double base, double level)
{
    for (size_t k = 1; k < set->count; k++) {
        const double before = fabs(set->y[k - 1] - base), now = fabs(set->y[k] - base);
        if (now >= level && before < level)
            return set->x[k - 1] + (set->x[k] - set->x[k - 1]) * (level - before) / (now - before);
    }
    return NAN;
}

/* Onset of measured data: a force of contact begins as the indentation to the power 3/2, so that its power 2/3 rises
   along a line, which 10 and 30 % of the peak give; of half a sine it misses the onset by 0.4 % of the duration. */
static double onset_of(const point_set *set)
{
    double peak = 0;
    for (size_t k = 0; k < set->count; k++)
        peak = fmax(peak, fabs(set->y[k] - set->y[0]));
    const double foot = crossing(set, set->y[0], FOOT * peak), knee = crossing(set, set->y[0], KNEE * peak);
    const double low = cbrt(FOOT * FOOT), high = cbrt(KNEE * KNEE);
    return foot - (knee - foot) * low / (high - low);
}

int place_points(const char *command, const char *text, const double shift[2], bool onset, double at, point_set *set)
{
    const double begins = onset ? onset_of(set) : 0;
    if (isnan(begins))
        return usage_error(command, "--align onset: the data of '%s' do not rise from their first value", text);
    for (size_t k = 0; k < set->count; k++) {
        set->x[k] += shift[0] + (onset ? at - begins : 0);
        set->y[k] += shift[1];
    }
    return EXIT_DONE;
}
