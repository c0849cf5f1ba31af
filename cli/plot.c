/* `carom plot`: channels of a result as a figure. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "options.h"

typedef struct plot_options {
    const char *result, *against, *title, *output;
    const char *const *channels;
    size_t channel_count;
    double from, to, impact; /* NAN: not given */
} plot_options;

/* A channel as read from the result. */
typedef struct column {
    const char *name, *unit;
    size_t rows;
    const double *time, *values;
} column;

/* Arrays of a figure; all are freed together. */
typedef struct plot_data {
    column *columns; /* one a curve */
    column against;  /* rows 0: time */
    carom_curve *curves;
    double *points; /* x and y of all curves */
    char *y_label;
} plot_data;

/* ---- reading ---- */

static int read_column(const session *s, carom_result *result, const char *name, column *out)
{
    out->name = name;
    carom_status status = carom_result_column(result, name, &out->rows, &out->time, &out->values, &out->unit);
    return status == CAROM_OK ? EXIT_DONE : session_error(s, status);
}

static int read_columns(const session *s, const plot_options *o, carom_result *result, plot_data *data)
{
    data->columns = calloc(o->channel_count, sizeof *data->columns);
    if (!data->columns)
        return memory_error();
    int code = o->against ? read_column(s, result, o->against, &data->against) : EXIT_DONE;
    for (size_t k = 0; k < o->channel_count && code == EXIT_DONE; k++) {
        column *c = &data->columns[k], *first = &data->columns[0];
        code = read_column(s, result, o->channels[k], c);
        if (code != EXIT_DONE)
            break;
        if (strcmp(c->unit, first->unit) != 0)
            return usage_error("plot",
                               "'%s' is in %s and '%s' in %s: channels of differing units cannot share an axis; draw "
                               "them in two figures",
                               first->name, *first->unit ? first->unit : "no unit", c->name,
                               *c->unit ? c->unit : "no unit");
        if (o->against && c->rows != data->against.rows)
            return usage_error("plot", "'%s' has %zu rows and '%s' has %zu: they are not recorded at the same times",
                               c->name, c->rows, o->against, data->against.rows);
    }
    return code;
}

/* ---- range ---- */

static int find_range(const plot_options *o, const carom_result *result, double *from, double *to)
{
    *from = isnan(o->from) ? -HUGE_VAL : o->from;
    *to = isnan(o->to) ? HUGE_VAL : o->to;
    if (!isnan(o->impact)) {
        size_t count;
        const carom_impact *impacts = carom_result_impacts(result, &count);
        if (o->impact != floor(o->impact) || o->impact < 1 || o->impact > (double)count)
            return usage_error("plot", "there is no impact %.10g; the result has %zu", o->impact, count);
        const carom_impact *impact = &impacts[(size_t)o->impact - 1];
        *from = impact->onset - 0.2 * impact->duration;
        *to = impact->onset + 1.2 * impact->duration;
    }
    return EXIT_DONE;
}

/* Number of rows of a column in the range, and the first one. */
static size_t rows_between(const column *c, double from, double to, size_t *first)
{
    size_t begin = 0, end = c->rows;
    while (begin < end && c->time[begin] < from)
        begin++;
    while (end > begin && c->time[end - 1] > to)
        end--;
    *first = begin;
    return end - begin;
}

/* ---- drawing ---- */

/* The last word that all channels share, such as "force", or the name of the only one. */
static char *common_label(const plot_options *o)
{
    if (o->channel_count == 1)
        return format_text("%s", o->channels[0]);
    const char *last = strrchr(o->channels[0], '.');
    for (size_t k = 1; last && k < o->channel_count; k++) {
        const char *other = strrchr(o->channels[k], '.');
        if (!other || strcmp(other, last) != 0)
            last = NULL;
    }
    return format_text("%s", last ? last + 1 : "");
}

/* Fills the curves with the points of the range; time in milliseconds if the figure ends before one second. */
static int fill_curves(const plot_options *o, plot_data *data, double from, double to, double *scale)
{
    size_t total = 0, first;
    double end = 0;
    for (size_t k = 0; k < o->channel_count; k++) {
        size_t rows = rows_between(&data->columns[k], from, to, &first);
        total += rows;
        if (rows > 0)
            end = fmax(end, data->columns[k].time[first + rows - 1]);
    }
    if (total == 0)
        return usage_error("plot", "there is nothing to draw: no rows%s",
                           isfinite(from) || isfinite(to) ? " in this range of time" : " were recorded");
    *scale = !o->against && end < 1 ? 1e3 : 1;
    data->points = malloc(2 * total * sizeof *data->points);
    data->curves = calloc(o->channel_count, sizeof *data->curves);
    data->y_label = common_label(o);
    if (!data->points || !data->curves || !data->y_label)
        return memory_error();
    double *next = data->points;
    for (size_t k = 0; k < o->channel_count; k++) {
        const column *c = &data->columns[k];
        size_t rows = rows_between(c, from, to, &first);
        const double *x = o->against ? data->against.values : c->time;
        data->curves[k] = (carom_curve){.label = c->name, .count = rows, .x = next, .y = next + rows};
        for (size_t j = 0; j < rows; j++) {
            next[j] = x[first + j] * *scale;
            next[rows + j] = c->values[first + j];
        }
        next += 2 * rows;
    }
    return EXIT_DONE;
}

static int draw(const session *s, const plot_options *o, const plot_data *data, double from, double to, double scale)
{
    carom_figure figure = {.title = o->title,
                           .x_label = o->against ? o->against : "time",
                           .x_unit = o->against   ? data->against.unit
                                     : scale == 1 ? "s"
                                                  : "ms",
                           .y_label = data->y_label,
                           .y_unit = data->columns[0].unit,
                           .curves = data->curves,
                           .curve_count = o->channel_count};
    if (!o->against && isfinite(from) && isfinite(to)) {
        figure.x_min = from * scale;
        figure.x_max = to * scale;
    }
    carom_status status = carom_figure_draw(s->ctx, &figure, o->output);
    return status == CAROM_OK ? EXIT_DONE : session_error(s, status);
}

static int plot_result(const session *s, const plot_options *o, carom_result *result)
{
    plot_data data = {0};
    double from = 0, to = 0, scale = 1;
    int code = read_columns(s, o, result, &data);
    if (code == EXIT_DONE)
        code = find_range(o, result, &from, &to);
    if (code == EXIT_DONE)
        code = fill_curves(o, &data, from, to, &scale);
    if (code == EXIT_DONE)
        code = draw(s, o, &data, from, to, scale);
    free(data.columns);
    free(data.curves);
    free(data.points);
    free(data.y_label);
    return code;
}

/* ---- command ---- */

static int check_options(const plot_options *o)
{
    if (!o->output)
        return usage_error("plot", "--output FILE is missing; its ending, .svg, .pdf or .png, tells the format");
    const char *ending = strrchr(o->output, '.');
    if (!ending || (strcmp(ending, ".svg") != 0 && strcmp(ending, ".pdf") != 0 && strcmp(ending, ".png") != 0))
        return usage_error("plot", "'%s' ends in none of .svg, .pdf, .png", o->output);
    if (!isnan(o->impact) && !(isnan(o->from) && isnan(o->to)))
        return usage_error("plot", "--impact sets the range of time; --from and --to cannot be given with it");
    if (o->from >= o->to)
        return usage_error("plot", "--from %.10g is not before --to %.10g", o->from, o->to);
    return EXIT_DONE;
}

static int plot(const plot_options *o)
{
    int code = check_options(o);
    if (code != EXIT_DONE)
        return code;
    session s;
    code = session_open(&s);
    if (code != EXIT_DONE)
        return code;
    carom_result *result = NULL;
    carom_status status = carom_result_open(s.ctx, o->result, &result);
    code = status == CAROM_OK ? plot_result(&s, o, result) : session_error(&s, status);
    carom_result_close(result);
    session_close(&s);
    return code;
}

int command_plot(int argc, char **argv)
{
    plot_options o = {.from = NAN, .to = NAN, .impact = NAN};
    const option options[] = {
        {"output", 'o', OPTION_TEXT, &o.output, "FILE", "figure to write; .svg, .pdf or .png"},
        {"against", 0, OPTION_TEXT, &o.against, "CHANNEL", "channel of the horizontal axis (default: time)"},
        {"from", 0, OPTION_NUMBER, &o.from, "T0", "begin at this time [s]"},
        {"to", 0, OPTION_NUMBER, &o.to, "T1", "end at this time [s]"},
        {"impact", 0, OPTION_POSITIVE, &o.impact, "K", "show impact K of the table that `carom run` prints"},
        {"title", 0, OPTION_TEXT, &o.title, "TEXT", "title of the figure (default: none)"},
    };
    const command_def def = {
        .name = "plot",
        .arguments = "RESULT CHANNEL...",
        .text =
            "Draws channels of a result file over time or against another channel. A channel is named like a path,\n"
            "a vector with its component: body.slider.position.x, joint.pin.reaction.x, contact.hit.force,\n"
            "energy.kinetic. All channels of a figure have the same unit.",
        .example = "  carom plot carom-out/slider_crank_block.h5 contact.hit.force --impact 1 -o force.svg\n"
                   "  carom plot carom-out/slider_crank_block.h5 contact.hit.force --against contact.hit.indentation "
                   "-o loop.pdf",
        .options = options,
        .option_count = COUNT(options),
        .least = 2,
        .most = SIZE_MAX};
    text_list arguments = {0};
    int result = options_parse(&def, argc, argv, &arguments);
    if (result == OPTIONS_GO) {
        o.result = arguments.items[0];
        o.channels = arguments.items + 1;
        o.channel_count = arguments.count - 1;
        result = plot(&o);
    }
    options_free(&def, &arguments);
    return result;
}
