/* Figures of a sweep: curves over a parameter, contours over two, points over all, bars of words, sensitivity. */
#include "plot/plot_study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/table.h"

static int too_many(void) { return usage_error("plot", "more than %d panels; name fewer quantities", MOST_PANELS); }

/* Label and unit of an axis. */
static void set_x(carom_figure *f, const study_column *c)
{
    if (!f->x_label)
        f->x_label = c->name;
    f->x_unit = c->unit;
    f->x_log = f->x_log || c->log;
}

static void set_y(carom_figure *f, const study_column *c)
{
    if (!f->y_label)
        f->y_label = c->name;
    f->y_unit = c->unit;
}

/* ---- which runs make a curve ---- */

/* Other parameters: what they are fixed at, or that they tell curves apart. */
typedef struct choice {
    size_t count; /* of values */
    double *values;
    bool fixed, axis;
    double at;
} choice;

static int read_choices(study_table *t, choice **out)
{
    choice *c = study_block(t, t->info.parameters, sizeof *c);
    *out = c;
    if (!c)
        return memory_error();
    for (size_t k = 0; k < t->info.parameters; k++) {
        const int code = study_values(t, k, &c[k].values, &c[k].count);
        if (code != EXIT_DONE)
            return code;
    }
    return EXIT_DONE;
}

/* The numbers with most values that is no axis yet; `parameters` if there is none. */
static size_t widest(const study_table *t, const choice *c)
{
    size_t best = t->info.parameters;
    for (size_t k = 0; k < t->info.parameters; k++)
        if (!t->columns[k].is_word && !c[k].axis && c[k].count > 1 &&
            (best == t->info.parameters || c[k].count > c[best].count))
            best = k;
    return best;
}

/* The axis that was asked for, or the widest one. */
static int choose_axis(const study_table *t, choice *c, const char *name, size_t *out)
{
    *out = name ? 0 : widest(t, c);
    while (name && *out < t->info.parameters && strcmp(t->columns[*out].name, name) != 0)
        ++*out;
    if (*out == t->info.parameters && name)
        return usage_error("plot", "the sweep has no parameter '%s'; `--list` names them", name);
    if (*out == t->info.parameters)
        return usage_error("plot", "no parameter that is a number has two values among these runs");
    if (t->columns[*out].is_word)
        return usage_error("plot", "parameter '%s' has words, and an axis numbers; `--as bars` draws them", name);
    c[*out].axis = true;
    return EXIT_DONE;
}

/* Fixes parameters, those with most values first, in the middle of their values until few curves are left. */
static void fix_others(study_table *t, choice *c, size_t most)
{
    for (;;) {
        size_t curves = 1, last = t->info.parameters;
        for (size_t k = 0; k < t->info.parameters; k++)
            if (!c[k].axis && !c[k].fixed) {
                curves *= c[k].count;
                if (c[k].count > 1 && (last == t->info.parameters || c[k].count >= c[last].count))
                    last = k;
            }
        if (curves <= most || last == t->info.parameters)
            return;
        char text[96];
        c[last].fixed = true;
        c[last].at = c[last].values[c[last].count / 2];
        study_label(&t->columns[last], c[last].at, text, sizeof text);
        snprintf(t->note + strlen(t->note), sizeof t->note - strlen(t->note), "%s%s", t->note[0] ? ", " : "at ", text);
    }
}

static void end_note(study_table *t)
{
    if (t->note[0])
        snprintf(t->note + strlen(t->note), sizeof t->note - strlen(t->note), "; --where NAME=VALUE shows others");
}

static bool is_shown(const study_table *t, const choice *c, size_t row)
{
    for (size_t k = 0; k < t->info.parameters; k++)
        if (c[k].fixed && study_at(t, row, k) != c[k].at)
            return false;
    return true;
}

/* Whether two runs are of one curve. */
static bool same_curve(const study_table *t, const choice *c, size_t a, size_t b)
{
    for (size_t k = 0; k < t->info.parameters; k++)
        if (!c[k].axis && study_at(t, a, k) != study_at(t, b, k))
            return false;
    return true;
}

/* Name of the curve of a run: what tells it from the others. */
static char *curve_name(study_table *t, const choice *c, size_t row)
{
    char *name = study_block(t, 256, 1);
    for (size_t k = 0; k < t->info.parameters && name; k++) {
        char text[96];
        if (c[k].axis || c[k].fixed || c[k].count < 2)
            continue;
        study_label(&t->columns[k], study_at(t, row, k), text, sizeof text);
        snprintf(name + strlen(name), 256 - strlen(name), "%s%s", name[0] ? ", " : "", text);
    }
    return name;
}

/* ---- curves ---- */

typedef struct point {
    double x, y;
} point;

static int compare_points(const void *a, const void *b)
{
    const double x = ((const point *)a)->x, y = ((const point *)b)->x;
    return (x > y) - (x < y);
}

/* Fills the curve of a quantity that begins with run `first`. */
static int fill_curve(study_table *t, const choice *c, size_t axis, size_t quantity, size_t first, carom_curve *out)
{
    point *points = study_block(t, t->rows, sizeof *points);
    double *numbers = study_block(t, 2 * t->rows, sizeof *numbers);
    char *name = curve_name(t, c, first);
    if (!points || !numbers || !name)
        return memory_error();
    size_t count = 0;
    for (size_t k = first; k < t->rows; k++)
        if (is_shown(t, c, k) && same_curve(t, c, first, k))
            points[count++] = (point){study_at(t, k, axis), study_at(t, k, quantity)};
    qsort(points, count, sizeof *points, compare_points);
    for (size_t k = 0; k < count; k++) {
        numbers[k] = points[k].x;
        numbers[count + k] = points[k].y;
    }
    *out = (carom_curve){.label = name, .count = count, .x = numbers, .y = numbers + count};
    return EXIT_DONE;
}

/* All curves of a quantity, without those that have no value. */
static int fill_curves(study_table *t, const choice *c, size_t axis, size_t quantity, carom_figure *f)
{
    carom_curve *curves = study_block(t, MOST_CURVES, sizeof *curves);
    size_t *firsts = study_block(t, MOST_CURVES, sizeof *firsts), count = 0;
    int code = curves && firsts ? EXIT_DONE : memory_error();
    for (size_t k = 0; k < t->rows && code == EXIT_DONE; k++) {
        bool known = !is_shown(t, c, k);
        for (size_t i = 0; i < count && !known; i++)
            known = same_curve(t, c, firsts[i], k);
        if (known || count == MOST_CURVES)
            continue;
        firsts[count] = k;
        code = fill_curve(t, c, axis, quantity, k, &curves[count++]);
    }
    f->curves = curves;
    f->curve_count = count;
    return code;
}

int study_curves(study_table *t, const plot_options *o, const size_t *quantities, size_t count)
{
    choice *c;
    size_t axis;
    int code = read_choices(t, &c);
    if (code == EXIT_DONE)
        code = choose_axis(t, c, o->against, &axis);
    if (code != EXIT_DONE)
        return code;
    fix_others(t, c, MOST_CURVES);
    end_note(t);
    for (size_t k = 0; k < count && code == EXIT_DONE; k++) {
        carom_figure *f = study_figure(t, o);
        if (!f)
            return too_many();
        set_x(f, &t->columns[axis]);
        set_y(f, &t->columns[quantities[k]]);
        /* the same range of all panels, also where runs have no value */
        if (f->x_min == f->x_max) {
            f->x_min = c[axis].values[0];
            f->x_max = c[axis].values[c[axis].count - 1];
        }
        code = fill_curves(t, c, axis, quantities[k], f);
        /* the curves of all panels are the same */
        if (f->curve_count < 2 || k > 0)
            f->legend = CAROM_LEGEND_NONE;
    }
    return code;
}

/* ---- contours ---- */

static size_t place_of(const choice *c, double value)
{
    size_t k = 0;
    while (k < c->count && c->values[k] != value)
        k++;
    return k;
}

static int fill_map(study_table *t, const choice *c, size_t x, size_t y, size_t quantity, carom_figure *f)
{
    const size_t size = c[x].count * c[y].count;
    double *values = study_block(t, size, sizeof *values), *points = study_block(t, 2 * size, sizeof *points);
    carom_map *map = study_block(t, 1, sizeof *map);
    carom_curve *curve = study_block(t, 1, sizeof *curve);
    if (!values || !points || !map || !curve)
        return memory_error();
    for (size_t k = 0; k < size; k++)
        values[k] = (double)NAN;
    size_t count = 0;
    for (size_t k = 0; k < t->rows; k++) {
        if (!is_shown(t, c, k))
            continue;
        const double a = study_at(t, k, x), b = study_at(t, k, y);
        values[place_of(&c[x], a) + place_of(&c[y], b) * c[x].count] = study_at(t, k, quantity);
        if (count < size) {
            points[count] = a;
            points[size + count++] = b;
        }
    }
    *map = (carom_map){c[x].count, c[y].count, c[x].values, c[y].values, values};
    *curve =
        (carom_curve){.label = "runs", .count = count, .x = points, .y = points + size, .markers = true, .dots = true};
    f->map = map;
    f->curves = curve;
    f->curve_count = 1;
    f->x_min = c[x].values[0];
    f->x_max = c[x].values[c[x].count - 1];
    f->y_min = c[y].values[0];
    f->y_max = c[y].values[c[y].count - 1];
    f->legend = CAROM_LEGEND_NONE;
    return EXIT_DONE;
}

int study_contour(study_table *t, const plot_options *o, const size_t *quantities, size_t count)
{
    choice *c;
    size_t x, y;
    if (strcmp(t->info.sampler, "grid") != 0)
        return usage_error("plot",
                           "a contour is drawn of a grid, and this sweep has sampling %s; `--as scatter` draws it",
                           t->info.sampler);
    int code = read_choices(t, &c);
    if (code == EXIT_DONE)
        code = choose_axis(t, c, o->against, &x);
    if (code == EXIT_DONE && widest(t, c) == t->info.parameters)
        return usage_error("plot",
                           "a contour has two axes, and '%s' is the only parameter that is a number with two values "
                           "among these runs; `--as curves` draws it",
                           t->columns[x].name);
    if (code == EXIT_DONE)
        code = choose_axis(t, c, NULL, &y);
    if (code != EXIT_DONE)
        return code;
    fix_others(t, c, 1);
    end_note(t);
    for (size_t k = 0; k < count && code == EXIT_DONE; k++) {
        carom_figure *f = study_figure(t, o);
        if (!f)
            return too_many();
        set_x(f, &t->columns[x]);
        set_y(f, &t->columns[y]);
        f->y_log = f->y_log || t->columns[y].log;
        f->y2_label = t->columns[quantities[k]].name;
        f->y2_unit = t->columns[quantities[k]].unit;
        code = fill_map(t, c, x, y, quantities[k], f);
    }
    return code;
}

/* ---- scatter ---- */

int study_scatter(study_table *t, const plot_options *o, const size_t *quantities, size_t count)
{
    const size_t parameters = t->info.parameters;
    if (parameters * count > MOST_PANELS)
        return usage_error("plot", "%zu parameters and %zu quantities are more than %d panels; name fewer quantities",
                           parameters, count, MOST_PANELS);
    for (size_t k = 0; k < count; k++)
        for (size_t p = 0; p < parameters; p++) {
            carom_figure *f = study_figure(t, o);
            carom_curve *curve = study_block(t, 1, sizeof *curve);
            double *numbers = study_block(t, 2 * t->rows, sizeof *numbers);
            if (!curve || !numbers)
                return memory_error();
            for (size_t row = 0; row < t->rows; row++) {
                numbers[row] = study_at(t, row, p);
                numbers[t->rows + row] = study_at(t, row, quantities[k]);
            }
            *curve = (carom_curve){.label = t->columns[quantities[k]].name,
                                   .count = t->rows,
                                   .x = numbers,
                                   .y = numbers + t->rows,
                                   .markers = true,
                                   .dots = true};
            f->curves = curve;
            f->curve_count = 1;
            f->legend = CAROM_LEGEND_NONE;
            set_x(f, &t->columns[p]);
            set_y(f, &t->columns[quantities[k]]);
        }
    return EXIT_DONE;
}

/* ---- bars ---- */

/* A figure of `count` names from top to bottom, and `series` bars for each. */
static carom_figure *bar_figure(study_table *t, const plot_options *o, size_t count, size_t series,
                                const char *const *labels, double **numbers, const char ***names)
{
    carom_figure *f = study_figure(t, o);
    carom_curve *curves = study_block(t, series, sizeof *curves);
    *numbers = study_block(t, 4 * count * series, sizeof **numbers);
    *names = study_block(t, count, sizeof **names);
    if (!f || !curves || !*numbers || !*names)
        return NULL;
    for (size_t i = 0; i < series; i++) {
        double *own = *numbers + 4 * count * i;
        for (size_t k = 0; k < count; k++)
            own[count + k] = (double)(count - 1 - k) + 0.4 * (((double)series - 1) / 2 - (double)i) * (series > 1);
        curves[i] = (carom_curve){.label = labels[i],
                                  .count = count,
                                  .x = own,
                                  .y = own + count,
                                  .low = own + 2 * count,
                                  .high = own + 3 * count,
                                  .bars = true,
                                  .thickness = series > 1 ? 0.36 : 0.6};
    }
    f->curves = curves;
    f->curve_count = series;
    f->y_names = *names;
    f->y_name_count = count;
    f->y_min = -0.6;
    f->y_max = (double)count - 0.4;
    f->legend = series > 1 ? CAROM_LEGEND_OUTSIDE : CAROM_LEGEND_NONE;
    return f;
}

/* The range of x that shows zero and all bars. */
static void set_bar_range(carom_figure *f)
{
    double low = 0, high = 0;
    for (size_t i = 0; i < f->curve_count; i++)
        for (size_t k = 0; k < f->curves[i].count; k++) {
            const double ends[] = {f->curves[i].x[k], f->curves[i].low[k], f->curves[i].high[k]};
            for (int e = 0; e < 3; e++)
                if (isfinite(ends[e])) {
                    low = fmin(low, ends[e]);
                    high = fmax(high, ends[e]);
                }
        }
    const double pad = high > low ? 0.04 * (high - low) : 1;
    f->x_min = low < 0 ? low - pad : 0;
    f->x_max = high > 0 || low == high ? high + pad : 0;
}

int study_bars(study_table *t, const plot_options *o, const size_t *quantities, size_t count)
{
    if (t->rows > 60)
        return usage_error("plot", "%zu runs are too many bars; choose some by --where NAME=VALUE", t->rows);
    choice *c;
    int code = read_choices(t, &c);
    for (size_t k = 0; k < count && code == EXIT_DONE; k++) {
        const char *const labels[] = {t->columns[quantities[k]].name};
        const char **names;
        double *numbers;
        carom_figure *f = bar_figure(t, o, t->rows, 1, labels, &numbers, &names);
        if (!f)
            return too_many();
        for (size_t row = 0; row < t->rows; row++) {
            numbers[row] = study_at(t, row, quantities[k]);
            numbers[2 * t->rows + row] = numbers[3 * t->rows + row] = (double)NAN;
            /* names from bottom to top */
            names[t->rows - 1 - row] = curve_name(t, c, row);
        }
        f->x_label = t->columns[quantities[k]].name;
        f->x_unit = t->columns[quantities[k]].unit;
        set_bar_range(f);
    }
    return code;
}

/* ---- sensitivity ---- */

/* What is not found is a dash. */
static void print_index(double value, double low, double high)
{
    if (isfinite(value))
        printf("%8.4g ", value);
    else
        printf("%8s ", "-");
    if (isfinite(low) && isfinite(high))
        printf("[%.4g, %.4g]", low, high);
    else
        printf("[-, -]");
}

/* A quantity that has no indices is told and left out, unless it is the only one. */
static int fill_indices(const session *s, study_table *t, const plot_options *o, size_t quantity, bool only)
{
    const bool morris = strcmp(t->info.sampler, "morris") == 0;
    static const char *const sobol_labels[] = {"total", "first order"}, *const morris_labels[] = {"mu*", "sigma"};
    const size_t count = t->info.parameters;
    carom_study_index *index = study_block(t, count, sizeof *index);
    double *values = study_block(t, t->info.runs, sizeof *values), *numbers;
    char *label = study_block(t, 128, 1);
    const char **names;
    if (!index || !values || !label)
        return memory_error();
    for (size_t k = 0; k < t->info.runs; k++)
        values[k] = k < t->rows ? study_at(t, k, quantity) : (double)NAN;
    size_t used;
    const carom_status status = carom_study_indices(s->ctx, t->study, values, index, &used);
    if (status == CAROM_ERROR_USAGE && !only) {
        printf("%s: no indices: %s\n", t->columns[quantity].name, carom_context_error(s->ctx));
        return EXIT_DONE;
    }
    if (status != CAROM_OK)
        return session_fail(s, exit_status_of(status), "%s: %s", t->columns[quantity].name,
                            carom_context_error(s->ctx));
    carom_figure *f = bar_figure(t, o, count, 2, morris ? morris_labels : sobol_labels, &numbers, &names);
    if (!f)
        return too_many();
    printf("%s: %s of %zu %s\n", t->columns[quantity].name,
           morris ? "mu* and sigma, with 95 % intervals," : "total and first-order index, with 95 % intervals,", used,
           morris ? "trajectories" : "samples");
    for (size_t k = 0; k < count; k++) {
        const carom_study_index *i = &index[k];
        printf("  %-16s ", t->columns[k].name);
        print_index(i->total, i->total_low, i->total_high);
        printf("  ");
        print_index(i->first, i->first_low, i->first_high);
        putchar('\n');
        numbers[k] = i->total;
        numbers[2 * count + k] = i->total_low;
        numbers[3 * count + k] = i->total_high;
        numbers[4 * count + k] = i->first;
        numbers[6 * count + k] = i->first_low;
        numbers[7 * count + k] = i->first_high;
        names[count - 1 - k] = t->columns[k].name;
    }
    snprintf(label, 128, "%s of %s", morris ? "elementary effects" : "Sobol indices", t->columns[quantity].name);
    f->x_label = label;
    f->x_unit = morris ? t->columns[quantity].unit : NULL;
    set_bar_range(f);
    return EXIT_DONE;
}

int study_sensitivity(const session *s, study_table *t, const plot_options *o, const size_t *quantities, size_t count)
{
    if (o->where.count)
        return usage_error("plot", "sensitivity needs all runs; leave --where out");
    if (t->rows < t->info.runs)
        return usage_error("plot", "the sweep has made %zu of its %zu runs; sensitivity needs all", t->rows,
                           t->info.runs);
    const bool sampled = strcmp(t->info.sampler, "saltelli") == 0 || strcmp(t->info.sampler, "morris") == 0;
    int code = EXIT_DONE;
    for (size_t k = 0; k < count && code == EXIT_DONE; k++)
        code = fill_indices(s, t, o, quantities[k], count == 1 || !sampled);
    if (code == EXIT_DONE && t->figure_count == 0)
        return usage_error("plot", "no quantity has indices; `--as scatter` draws the runs");
    return code;
}
