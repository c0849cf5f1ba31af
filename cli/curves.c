/* Curves of a figure from the columns of results. */
#include "curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A channel as read from a result, and the rows of it that are drawn. */
typedef struct column {
    const char *name, *unit;
    size_t rows, first, count;
    const double *time, *values;
    const double *x; /* of the horizontal axis, NULL: time */
} column;

/* Arrays of a figure; all are freed together. */
typedef struct curve_data {
    column *columns; /* one a curve, channel by channel for each source */
    size_t count;
    const char *x_unit; /* of the channel of the horizontal axis */
    carom_curve *curves;
    char **labels;
    double *points; /* x and y of all curves */
    char *y_label;
} curve_data;

int check_figure_path(const char *command, const char *path)
{
    const char *ending = strrchr(path, '.');
    if (!ending || (strcmp(ending, ".svg") != 0 && strcmp(ending, ".pdf") != 0 && strcmp(ending, ".png") != 0))
        return usage_error(command, "'%s' ends in none of .svg, .pdf, .png", path);
    return EXIT_DONE;
}

static bool is_against_time(const curve_request *r) { return !r->against || strcmp(r->against, "time") == 0; }

/* ---- reading ---- */

static int read_column(const session *s, carom_result *result, const char *name, column *out)
{
    out->name = name;
    carom_status status = carom_result_column(result, name, &out->rows, &out->time, &out->values, &out->unit);
    return status == CAROM_OK ? EXIT_DONE : session_error(s, status);
}

/* Number of rows of a column in a range of time, and the first one. */
static void find_rows(column *c, double from, double to)
{
    size_t begin = 0, end = c->rows;
    while (begin < end && c->time[begin] < from)
        begin++;
    while (end > begin && c->time[end - 1] > to)
        end--;
    c->first = begin;
    c->count = end - begin;
}

/* Reads the columns of a source. */
static int read_source(const session *s, const curve_request *r, const curve_source *source, curve_data *data)
{
    column x = {0};
    int code = is_against_time(r) ? EXIT_DONE : read_column(s, source->result, r->against, &x);
    for (size_t k = 0; k < r->channel_count && code == EXIT_DONE; k++) {
        column *c = &data->columns[data->count++], *first = &data->columns[0];
        code = read_column(s, source->result, r->channels[k], c);
        if (code != EXIT_DONE)
            break;
        if (strcmp(c->unit, first->unit) != 0)
            return usage_error(r->command,
                               "'%s' is in %s and '%s' in %s: channels of differing units cannot share an axis; draw "
                               "them in two figures",
                               first->name, *first->unit ? first->unit : "no unit", c->name,
                               *c->unit ? c->unit : "no unit");
        if (x.values && c->rows != x.rows)
            return usage_error(r->command,
                               "'%s' has %zu rows and '%s' has %zu: they are not recorded at the same times", c->name,
                               c->rows, r->against, x.rows);
        c->x = x.values;
        find_rows(c, source->from, source->to);
    }
    data->x_unit = x.unit;
    return code;
}

static int read_columns(const session *s, const curve_request *r, curve_data *data)
{
    data->columns = calloc(r->source_count * r->channel_count + 1, sizeof *data->columns);
    if (!data->columns)
        return memory_error();
    int code = EXIT_DONE;
    for (size_t k = 0; k < r->source_count && code == EXIT_DONE; k++)
        code = read_source(s, r, &r->sources[k], data);
    return code;
}

/* ---- labels ---- */

/* Bytes of a channel's name without its component: "body.a.position" of "body.a.position.x". */
static size_t vector_length(const char *name)
{
    size_t length = strlen(name);
    bool component = length > 2 && name[length - 2] == '.' && strchr("wxyz", name[length - 1]);
    return component ? length - 2 : length;
}

/* Last word of a channel's name without its component, and its length. */
static const char *last_word(const char *name, size_t *length)
{
    size_t end = vector_length(name), begin = end;
    while (begin > 0 && name[begin - 1] != '.')
        begin--;
    *length = end - begin;
    return name + begin;
}

/* The quantity that a unit is of, for channels that share no word. */
static const char *quantity_of(const char *unit)
{
    static const char *const quantities[][2] = {
        {"N", "force"},
        {"N m", "moment"},
        {"m", "length"},
        {"m/s", "velocity"},
        {"m/s^2", "acceleration"},
        {"rad", "angle"},
        {"J", "energy"},
        {"rad/s", "angular velocity"},
        {"rad/s^2", "angular acceleration"},
    };
    for (size_t k = 0; k < COUNT(quantities); k++)
        if (strcmp(unit, quantities[k][0]) == 0)
            return quantities[k][1];
    return "";
}

/* Label of the vertical axis: the only channel, the word and component that all share, or the quantity of the unit. */
static char *value_label(const curve_request *r, const char *unit)
{
    const char *first = r->channels[0];
    if (r->channel_count == 1)
        return format_text("%s", first);
    size_t length, other_length;
    const char *word = last_word(first, &length), *component = first + vector_length(first);
    bool shared = true;
    for (size_t k = 1; k < r->channel_count; k++) {
        const char *name = r->channels[k], *other = last_word(name, &other_length);
        shared = shared && length == other_length && memcmp(word, other, length) == 0;
        if (strcmp(component, name + vector_length(name)) != 0)
            component = "";
    }
    if (!shared)
        return format_text("%s", quantity_of(unit));
    char *label = format_text("%.*s%s%s", (int)length, word, *component ? " " : "", *component ? component + 1 : "");
    for (char *c = label; c && *c; c++)
        if (*c == '_')
            *c = ' ';
    return label;
}

/* Bytes at the beginning of all channels up to a point. */
static size_t common_prefix(const curve_request *r)
{
    const char *first = r->channels[0];
    size_t prefix = 0;
    for (size_t i = 0; first[i]; i++) {
        for (size_t k = 1; k < r->channel_count; k++)
            if (r->channels[k][i] != first[i])
                return prefix;
        if (first[i] == '.')
            prefix = i + 1;
    }
    return prefix;
}

/* Name of a curve: the channel, the source, or both. */
static char *curve_label(const curve_request *r, const curve_source *source, const char *channel)
{
    if (!source->label)
        return format_text("%s", channel);
    if (r->channel_count == 1)
        return format_text("%s", source->label);
    return format_text("%s: %s", source->label, channel + common_prefix(r));
}

/* ---- drawing ---- */

/* Takes the memory of the curves; *end is the last time shown. */
static int make_curves(const curve_request *r, curve_data *data, double *end)
{
    size_t total = 0;
    bool part = false;
    *end = 0;
    for (size_t k = 0; k < data->count; k++) {
        const column *c = &data->columns[k];
        const curve_source *source = &r->sources[k / r->channel_count];
        total += c->count;
        part = part || isfinite(source->from) || isfinite(source->to);
        if (c->count > 0)
            *end = fmax(*end, c->time[c->first + c->count - 1] - source->origin);
    }
    if (total == 0)
        return usage_error(r->command, "there is nothing to draw: no rows%s",
                           part ? " in this range of time" : " were recorded");
    data->points = malloc(2 * total * sizeof *data->points);
    data->curves = calloc(data->count, sizeof *data->curves);
    data->labels = calloc(data->count, sizeof *data->labels);
    data->y_label = value_label(r, data->columns[0].unit);
    return data->points && data->curves && data->labels && data->y_label ? EXIT_DONE : memory_error();
}

/* Fills the curves; times are multiplied by `scale`. */
static int fill_curves(const curve_request *r, curve_data *data, double scale)
{
    double *next = data->points;
    for (size_t k = 0; k < data->count; k++) {
        const column *c = &data->columns[k];
        const curve_source *source = &r->sources[k / r->channel_count];
        data->labels[k] = curve_label(r, source, c->name);
        if (!data->labels[k])
            return memory_error();
        data->curves[k] = (carom_curve){.label = data->labels[k], .count = c->count, .x = next, .y = next + c->count};
        for (size_t j = 0; j < c->count; j++) {
            next[j] = c->x ? c->x[c->first + j] : (c->time[c->first + j] - source->origin) * scale;
            next[c->count + j] = c->values[c->first + j];
        }
        next += 2 * c->count;
    }
    return EXIT_DONE;
}

/* Height [mm] at which the legend of several sources has room above the curves; 0: the usual one. */
static double figure_height(const curve_request *r, size_t curves)
{
    return r->source_count > 1 ? fmin(260, fmax(80, 32 + 8.5 * (double)curves)) : 0;
}

static int draw_figure(const session *s, const curve_request *r, const curve_data *data, double scale)
{
    bool time = is_against_time(r);
    carom_figure figure = {.title = r->title,
                           .x_label = time ? r->time_label : r->against,
                           .x_unit = !time        ? data->x_unit
                                     : scale == 1 ? "s"
                                                  : "ms",
                           .y_label = data->y_label,
                           .y_unit = data->columns[0].unit,
                           .curves = data->curves,
                           .curve_count = data->count,
                           .height = figure_height(r, data->count)};
    const curve_source *only = &r->sources[0];
    if (time && r->source_count == 1 && isfinite(only->from) && isfinite(only->to)) {
        figure.x_min = (only->from - only->origin) * scale;
        figure.x_max = (only->to - only->origin) * scale;
    }
    carom_status status = carom_figure_draw(s->ctx, &figure, r->output);
    return status == CAROM_OK ? EXIT_DONE : session_error(s, status);
}

int draw_curves(const session *s, const curve_request *r)
{
    curve_data data = {0};
    double end = 0;
    int code = read_columns(s, r, &data);
    if (code == EXIT_DONE)
        code = make_curves(r, &data, &end);
    /* milliseconds if the figure ends before one second */
    double scale = is_against_time(r) && end < 1 ? 1e3 : 1;
    if (code == EXIT_DONE)
        code = fill_curves(r, &data, scale);
    if (code == EXIT_DONE)
        code = draw_figure(s, r, &data, scale);
    for (size_t k = 0; data.labels && k < data.count; k++)
        free(data.labels[k]);
    free(data.labels);
    free(data.columns);
    free(data.curves);
    free(data.points);
    free(data.y_label);
    return code;
}
