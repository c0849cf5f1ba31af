/* Curves of a figure from the columns of results. */
#include "support/curves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/points.h"

#define CIRCLE_POINTS 361

/* A channel as read from a result, and the rows of it that are drawn. */
typedef struct column {
    const char *name, *unit;
    int axis; /* 0 left, 1 right */
    size_t rows, first, count;
    const double *time, *values;
    const double *x; /* of the horizontal axis, NULL: time */
} column;

/* Times at which the columns of a source are sampled. */
typedef struct section_times {
    size_t count, coarse;
    const double *at;
} section_times;

/* Arrays of a figure; all are freed together. */
typedef struct curve_data {
    column *columns; /* one a curve, channel by channel for each source */
    size_t count;
    const char *x_unit;           /* of the channel of the horizontal axis */
    const column *axis_column[2]; /* first column of a vertical axis, NULL: none */
    carom_curve *curves;          /* of the columns, then of the points from elsewhere, then the circle */
    size_t curve_count;
    char **labels;                /* of the columns */
    double *numbers;              /* x and y of all curves */
    char *y_label[2];
    char against_label[160];
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

/* Parts of the time of which large series are drawn by their extrema. */
#define PARTS 20000

/* Reads a column, or of a curve over time from `from` to `to` its outline. */
static int read_column(const session *s, carom_result *result, const char *name, const double *range, column *out)
{
    out->name = name;
    carom_status status = range ? carom_result_outline(result, name, range[0], range[1], PARTS, &out->rows, &out->time,
                                                       &out->values, &out->unit)
                                : carom_result_column(result, name, &out->rows, &out->time, &out->values, &out->unit);
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

static const char *unit_text(const column *c) { return *c->unit ? c->unit : "no unit"; }

static bool is_right(const curve_request *r, const char *name)
{
    for (size_t k = 0; k < r->right_count; k++)
        if (strcmp(r->right[k], name) == 0)
            return true;
    return false;
}

/* Finds the vertical axis of a column: as the request says, else the left one has the unit of the first column and the
   right one a second unit. */
static int choose_axis(const curve_request *r, curve_data *data, column *c)
{
    const column *left = data->axis_column[0], *right = data->axis_column[1];
    if (r->right_count)
        c->axis = is_right(r, c->name);
    else
        c->axis = left && strcmp(c->unit, left->unit) != 0;
    const column *first = data->axis_column[c->axis];
    if (!first)
        data->axis_column[c->axis] = c;
    else if (strcmp(c->unit, first->unit) != 0 && r->right_count)
        return usage_error(r->command,
                           "'%s' is in %s and '%s' in %s: channels of differing units cannot share the %s axis; change "
                           "--right, or draw them in two figures",
                           first->name, unit_text(first), c->name, unit_text(c), c->axis ? "right" : "left");
    else if (strcmp(c->unit, first->unit) != 0)
        return usage_error(r->command,
                           "'%s' is in %s, '%s' in %s and '%s' in %s: a figure has two vertical axes, not one for each "
                           "of three differing units; draw '%s' in a figure of its own",
                           left->name, unit_text(left), right->name, unit_text(right), c->name, unit_text(c), c->name);
    return EXIT_DONE;
}

/* ---- sections ---- */

static double turn_of(const char *unit) { return strcmp(unit, "rad") == 0 ? 2 * acos(-1) : 0; }

/* The times of the request's section in a source. */
static int find_section(const session *s, const curve_request *r, const curve_source *source, section_times *out)
{
    carom_poincare_section_def def = carom_default_poincare_section_def();
    def.from = source->from;
    def.to = source->to;
    def.start = r->section->start;
    def.period = r->section->period;
    def.channel = r->section->channel;
    def.value = r->section->value;
    def.direction = r->section->direction;
    if (def.channel) {
        column c;
        int code = read_column(s, source->result, def.channel, NULL, &c);
        if (code != EXIT_DONE)
            return code;
        def.modulus = turn_of(c.unit);
    }
    carom_status status = carom_result_poincare_section(source->result, &def, &out->count, &out->at, &out->coarse);
    if (status != CAROM_OK)
        return session_error(s, status);
    return out->count ? EXIT_DONE
                      : usage_error(r->command, "--%s %s has no point%s; `carom plot RESULT %s` shows the range",
                                    def.channel ? "section" : "every", r->section->text,
                                    isfinite(def.from) || isfinite(def.to) ? " in this range of time" : "",
                                    def.channel ? def.channel : r->channels[0]);
}

/* Puts the values of a column at the times of a section instead of its rows. */
static int sample_column(const session *s, carom_result *result, const section_times *times, column *c, size_t *coarse)
{
    size_t rough;
    carom_status status =
        carom_result_sample(result, c->name, times->count, times->at, &c->values, &c->unit, &rough);
    c->time = times->at;
    c->rows = times->count;
    *coarse = rough > *coarse ? rough : *coarse;
    return status == CAROM_OK ? EXIT_DONE : session_error(s, status);
}

static void warn_of_coarse(size_t coarse, size_t all)
{
    if (coarse)
        print_warning(
            "coarse",
            "%zu of the %zu points lie across an impact or between rows that are too far apart, and "
            "may be off by more than 1 %%; record rows closer together (output: every)",
            coarse, all);
}

/* The horizontal channel at the times of a column that has other rows, such as those of contacts at solver steps. */
static int sample_against(const session *s, const curve_request *r, const curve_source *source, column *c)
{
    const char *unit;
    size_t coarse;
    carom_status status = carom_result_sample(source->result, r->against, c->rows, c->time, &c->x, &unit, &coarse);
    if (status != CAROM_OK)
        return session_error(s, status);
    warn_of_coarse(coarse, c->rows);
    return EXIT_DONE;
}

/* Reads the columns of a source. */
static int read_source(const session *s, const curve_request *r, const curve_source *source, curve_data *data)
{
    column x = {0};
    section_times times = {0};
    size_t coarse = 0;
    const double times_drawn[2] = {source->from, source->to};
    const double *range = is_against_time(r) && !r->section && !r->scatter ? times_drawn : NULL;
    int code = is_against_time(r) ? EXIT_DONE : read_column(s, source->result, r->against, NULL, &x);
    if (code == EXIT_DONE && r->section)
        code = find_section(s, r, source, &times);
    if (code == EXIT_DONE && r->section && x.values)
        code = sample_column(s, source->result, &times, &x, &coarse);
    if (code == EXIT_DONE && data->x_unit && x.unit && strcmp(data->x_unit, x.unit) != 0)
        return usage_error(r->command, "'%s' is in %s in one result and in %s in another; draw them in two figures",
                           r->against, data->x_unit, x.unit);
    data->x_unit = x.unit;
    for (size_t k = 0; k < r->channel_count && code == EXIT_DONE; k++) {
        column *c = &data->columns[data->count++];
        code = read_column(s, source->result, r->channels[k], range, c);
        if (code == EXIT_DONE)
            code = choose_axis(r, data, c);
        if (code == EXIT_DONE && r->section)
            code = sample_column(s, source->result, &times, c, &coarse);
        if (code != EXIT_DONE)
            break;
        if (x.values && c->rows != x.rows)
            code = sample_against(s, r, source, c);
        else
            c->x = x.values;
        if (code != EXIT_DONE)
            break;
        if (r->section)
            c->count = c->rows;
        else
            find_rows(c, source->from, source->to);
    }
    if (code == EXIT_DONE)
        warn_of_coarse(coarse > times.coarse ? coarse : times.coarse, times.count);
    return code;
}

static int read_sources(const session *s, const curve_request *r, curve_data *data)
{
    data->columns = calloc(r->source_count * r->channel_count + 1, sizeof *data->columns);
    if (!data->columns)
        return memory_error();
    int code = EXIT_DONE;
    for (size_t k = 0; k < r->source_count && code == EXIT_DONE; k++)
        code = read_source(s, r, &r->sources[k], data);
    if (code == EXIT_DONE && !data->axis_column[0])
        return usage_error(r->command, "--right takes all channels to the right axis; leave one to the left axis");
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
        {"N", "Force"},
        {"N m", "Moment"},
        {"m", "Length"},
        {"m/s", "Velocity"},
        {"m/s^2", "Acceleration"},
        {"rad", "Angle"},
        {"J", "Energy"},
        {"rad/s", "Angular velocity"},
        {"rad/s^2", "Angular acceleration"},
    };
    for (size_t k = 0; k < COUNT(quantities); k++)
        if (strcmp(unit, quantities[k][0]) == 0)
            return quantities[k][1];
    return "";
}

/* Label of a vertical axis: its only channel, the word and component that all of its channels share, or the quantity of
   its unit. */
static char *value_label(const curve_request *r, const curve_data *data, int axis)
{
    const char *first = data->axis_column[axis]->name;
    size_t length, other_length, count = 0;
    const char *word = last_word(first, &length), *component = first + vector_length(first);
    bool shared = true;
    for (size_t k = 0; k < r->channel_count; k++) {
        const char *name = r->channels[k], *other = last_word(name, &other_length);
        if (data->columns[k].axis != axis)
            continue;
        count++;
        shared = shared && length == other_length && memcmp(word, other, length) == 0;
        if (strcmp(component, name + vector_length(name)) != 0)
            component = "";
    }
    char label_text[160], whole[256];
    snprintf(whole, sizeof whole, "%.*s%s", (int)vector_length(first), first, component);
    if ((count == 1 || shared) && carom_figure_label(whole, label_text, sizeof label_text))
        return format_text("%s", label_text);
    if (count == 1)
        return format_text("%s", first);
    if (!shared)
        return format_text("%s", quantity_of(data->axis_column[axis]->unit));
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
    data->curve_count = data->count + r->point_count + (r->circle > 0);
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
    if (r->figure && r->figure->x_min < r->figure->x_max)
        *end = r->figure->x_max;
    for (size_t k = 0; k < r->point_count; k++)
        total += 2 * r->points[k].count;
    total += CIRCLE_POINTS;
    data->numbers = malloc(2 * total * sizeof *data->numbers);
    data->curves = calloc(data->curve_count, sizeof *data->curves);
    data->labels = calloc(data->count, sizeof *data->labels);
    bool labelled = true;
    for (int axis = 0; axis < 2; axis++)
        if (data->axis_column[axis]) {
            data->y_label[axis] = value_label(r, data, axis);
            labelled = labelled && data->y_label[axis];
        }
    return data->numbers && data->curves && data->labels && labelled ? EXIT_DONE : memory_error();
}

/* Checks that there are as many labels as curves, and names these if not. */
static int check_labels(const curve_request *r, const curve_data *data)
{
    size_t count = data->curve_count;
    if (!r->labels || r->label_count == count || r->label_count == data->count)
        return EXIT_DONE;
    char *names = format_text("%s", data->labels[0]);
    for (size_t k = 1; k < count && names; k++) {
        const size_t point = k - data->count;
        const char *name = k < data->count          ? data->labels[k]
                           : point < r->point_count ? r->points[point].label
                                                    : r->circle_label;
        char *more = format_text("%s, %s", names, name);
        free(names);
        names = more;
    }
    int code = names ? usage_error(r->command, "--labels has %zu of the %zu curves; give one for each of: %s",
                                   r->label_count, count, names)
                     : memory_error();
    free(names);
    return code;
}

/* Appends the circle about the origin. */
static void add_circle(const curve_request *r, curve_data *data, double *next)
{
    for (size_t j = 0; j < CIRCLE_POINTS; j++) {
        const double angle = 2 * acos(-1) * (double)j / (CIRCLE_POINTS - 1);
        next[j] = r->circle * cos(angle);
        next[CIRCLE_POINTS + j] = r->circle * sin(angle);
    }
    data->curves[data->curve_count - 1] =
        (carom_curve){.label = r->circle_label, .count = CIRCLE_POINTS, .x = next, .y = next + CIRCLE_POINTS};
}

/* Appends the points from elsewhere, and the circle. */
static void add_points(const curve_request *r, curve_data *data, double scale, double *next)
{
    for (size_t k = 0; k < r->point_count; k++) {
        const point_set *set = &r->points[k];
        for (size_t j = 0; j < set->count; j++)
            next[j] = set->x[j] * scale;
        carom_curve *curve = &data->curves[data->count + k];
        *curve = (carom_curve){.label = set->label, .count = set->count, .x = next, .y = set->y, .markers = true};
        next += set->count;
        if (!set->error)
            continue;
        curve->low = next;
        curve->high = next + set->count;
        for (size_t j = 0; j < set->count; j++) {
            next[j] = set->y[j] - fabs(set->error[j]);
            next[set->count + j] = set->y[j] + fabs(set->error[j]);
        }
        next += 2 * set->count;
    }
    if (r->circle > 0)
        add_circle(r, data, next);
}

/* Fills the curves; times are multiplied by `scale`. */
static int fill_curves(const curve_request *r, curve_data *data, double scale)
{
    double *next = data->numbers;
    for (size_t k = 0; k < data->count; k++) {
        const column *c = &data->columns[k];
        const curve_source *source = &r->sources[k / r->channel_count];
        data->labels[k] = curve_label(r, source, c->name);
        if (!data->labels[k])
            return memory_error();
        data->curves[k] = (carom_curve){.label = data->labels[k],
                                        .count = c->count,
                                        .x = next,
                                        .y = next + c->count,
                                        .axis = c->axis,
                                        .markers = r->scatter,
                                        .dots = r->section != NULL};
        for (size_t j = 0; j < c->count; j++) {
            next[j] = c->x ? c->x[c->first + j] : (c->time[c->first + j] - source->origin) * scale;
            next[c->count + j] = c->values[c->first + j];
        }
        next += 2 * c->count;
    }
    add_points(r, data, scale, next);
    int code = check_labels(r, data);
    for (size_t k = 0; code == EXIT_DONE && r->labels && k < r->label_count; k++)
        data->curves[k].label = r->labels[k];
    return code;
}

/* Height [mm] at which the legend of several sources has room above the curves; 0: the usual one. */
static double figure_height(const curve_request *r, size_t curves)
{
    return r->source_count > 1 ? fmin(260, fmax(80, 32 + 8.5 * (double)curves)) : 0;
}

/* Labels, units and range of the horizontal axis. */
static void set_x_axis(const curve_request *r, curve_data *data, double scale, carom_figure *f)
{
    bool time = is_against_time(r);
    const curve_source *only = &r->sources[0];
    if (!time && carom_figure_label(r->against, data->against_label, sizeof data->against_label))
        f->x_label = f->x_label ? f->x_label : data->against_label;
    f->x_label = f->x_label ? f->x_label : time ? r->time_label : r->against;
    f->x_unit = !time ? data->x_unit : scale == 1 ? "s" : "ms";
    if (f->x_min < f->x_max) {
        f->x_min *= scale;
        f->x_max *= scale;
    } else if (time && r->source_count == 1 && isfinite(only->from) && isfinite(only->to)) {
        double from = (only->from - only->origin) * scale, to = (only->to - only->origin) * scale;
        if (!f->x_log || from > 0) {
            f->x_min = from;
            f->x_max = to;
        }
    }
}

/* The axes of points whose units are known: they stand where their units fit. */
static int place_points_on_axes(const session *s, const curve_request *r, curve_data *data)
{
    const char *x_unit = is_against_time(r) ? "s" : data->x_unit ? data->x_unit : "";
    for (size_t k = 0; k < r->point_count; k++) {
        const point_set *set = &r->points[k];
        carom_curve *curve = &data->curves[data->count + k];
        const column *left = data->axis_column[0], *right = data->axis_column[1];
        if (!unit_fits(s, set->x_unit, x_unit))
            return usage_error(r->command, "--data: x of '%s' is in %s, and the horizontal axis in %s", set->label,
                               set->x_unit, *x_unit ? x_unit : "no unit");
        curve->axis = !unit_fits(s, set->unit, left->unit) && right && unit_fits(s, set->unit, right->unit);
        if (!curve->axis && !unit_fits(s, set->unit, left->unit))
            return usage_error(r->command, "--data: y of '%s' is in %s, and the %s in %s%s%s", set->label, set->unit,
                               right ? "axes" : "vertical axis", unit_text(left), right ? " and " : "",
                               right ? unit_text(right) : "");
    }
    return EXIT_DONE;
}

static int draw_figure(const session *s, const curve_request *r, curve_data *data, double scale)
{
    carom_figure figure = carom_default_figure();
    const column *left = data->axis_column[0], *right = data->axis_column[1];
    if (r->figure)
        figure = *r->figure;
    figure.title = r->title;
    figure.curves = data->curves;
    figure.curve_count = data->curve_count;
    set_x_axis(r, data, scale, &figure);
    figure.y_label = figure.y_label ? figure.y_label : data->y_label[0];
    figure.y_unit = left->unit;
    if (!right && (figure.y2_label || figure.y2_log || figure.y2_min < figure.y2_max))
        return usage_error(r->command, "--%s: no channel is on the right axis; name one by --right",
                           figure.y2_label ? "y2-label"
                           : figure.y2_log ? "log-y2"
                                           : "y2-range");
    if (right) {
        figure.y2_label = figure.y2_label ? figure.y2_label : data->y_label[1];
        figure.y2_unit = right->unit;
    }
    if (figure.equal_scales && strcmp(figure.x_unit, figure.y_unit) != 0)
        return usage_error(r->command, "--equal: the axes are in %s and %s; equal scales need one unit",
                           *figure.x_unit ? figure.x_unit : "no unit", unit_text(left));
    if (figure.style == CAROM_FIGURE_SCREEN && figure.height == 0 && figure.legend == CAROM_LEGEND_AUTO)
        figure.height = figure_height(r, data->count);
    carom_status status = carom_figure_draw(s->ctx, &figure, r->output);
    return status == CAROM_OK ? EXIT_DONE : session_error(s, status);
}

int draw_curves(const session *s, const curve_request *r)
{
    curve_data data = {0};
    double end = 0;
    int code = read_sources(s, r, &data);
    if (code == EXIT_DONE)
        code = make_curves(r, &data, &end);
    /* milliseconds if the figure ends before one second */
    double scale = is_against_time(r) && end < 1 ? 1e3 : 1;
    if (code == EXIT_DONE)
        code = fill_curves(r, &data, scale);
    if (code == EXIT_DONE)
        code = place_points_on_axes(s, r, &data);
    if (code == EXIT_DONE)
        code = draw_figure(s, r, &data, scale);
    for (size_t k = 0; data.labels && k < data.count; k++)
        free(data.labels[k]);
    free(data.labels);
    free(data.columns);
    free(data.curves);
    free(data.numbers);
    free(data.y_label[0]);
    free(data.y_label[1]);
    return code;
}
