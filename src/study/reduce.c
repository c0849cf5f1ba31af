/* Values of quantities: expressions, and how a channel or a column becomes one number. Between its rows a channel is
   the polynomial through four of them (math/rows.h). */
#include "study/runner.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

/* Parts of the golden section, and steps of a bisection: until a double has no more digits. */
#define GOLDEN 0.6180339887498949
#define SEARCH_STEPS 60

static void miss(carom_study_runner *r, const char *format, ...) CAROM_PRINTF(2, 3);
static void miss(carom_study_runner *r, const char *format, ...)
{
    if (r->missing[0])
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(r->missing, sizeof r->missing, format, args);
    va_end(args);
}

/* ---- over the time ---- */

/* The times at which a reduction looks: its ends and the rows between them. */
typedef struct span {
    double from, to;
    size_t first, last; /* rows strictly between; first > last: none */
    size_t count;       /* of times */
} span;

/* By how much the run ends later beside it [s]. */
static double end_moves(const carom_study_runner *r)
{
    return r->beside.on && r->slope_final ? r->beside.offset * r->ends[r->beside.slope] : 0;
}

/* Whether a reduction reads the end of a run beside of which it is not known when it ends. */
static bool end_unknown(const carom_study_runner *r, int id, double to)
{
    return id != CAROM_REDUCTION_WHEN && id != CAROM_REDUCTION_START && id != CAROM_REDUCTION_AT &&
           isnan(end_moves(r)) && to >= r->series.time[r->series.count - 1];
}

static span make_span(const carom_study_runner *r, double from, double to)
{
    const carom_series *s = &r->series;
    const double moves = end_moves(r), last = s->time[s->count - 1] + (isnan(moves) ? 0 : moves);
    span n = {.from = fmax(from, s->time[0]), .to = fmin(to, last)};
    n.first = 0;
    while (n.first < s->count && s->time[n.first] <= n.from)
        n.first++;
    n.last = n.first;
    while (n.last < s->count && s->time[n.last] < n.to)
        n.last++;
    n.count = n.to >= n.from ? n.last - n.first + 2 : 0;
    return n;
}

static double span_time(const carom_series *s, const span *n, size_t k)
{
    return k == 0 ? n->from : k == n->count - 1 ? n->to : s->time[n->first + k - 1];
}

/* Greatest value of sign * body near time k of a span, by a golden section between its neighbours. */
static double refine(carom_study_runner *r, const carom_leaf *leaf, const span *n, size_t k, double sign, double best)
{
    const carom_series *s = &r->series;
    /* where derivatives are read at times that a run before this one told, these stay */
    const bool told = r->slopes && !r->slopes_of_course && isfinite(r->times[leaf->index]);
    double found_at, *at = told ? &found_at : &r->times[leaf->index];
    *at = span_time(s, n, k);
    double low = span_time(s, n, k > 0 ? k - 1 : k), high = span_time(s, n, k + 1 < n->count ? k + 1 : k);
    double x = high - GOLDEN * (high - low), y = low + GOLDEN * (high - low);
    double at_x = sign * carom_program_value(r, leaf->body, x, NULL);
    double at_y = sign * carom_program_value(r, leaf->body, y, NULL);
    for (int step = 0; step < SEARCH_STEPS && high > low; step++) {
        if (at_x > at_y) {
            high = y;
            y = x;
            at_y = at_x;
            x = high - GOLDEN * (high - low);
            at_x = sign * carom_program_value(r, leaf->body, x, NULL);
        } else {
            low = x;
            x = y;
            at_x = at_y;
            y = low + GOLDEN * (high - low);
            at_y = sign * carom_program_value(r, leaf->body, y, NULL);
        }
    }
    const double found = fmax(at_x, at_y);
    if (found > best)
        *at = at_x > at_y ? x : y;
    return fmax(best, found);
}

/* Beside the run: a greatest value changes as the body does at the time where the run has it, or where the span that
   ends there does. A search would find where the derivatives between their rows go over from one polynomial to
   another. */
static double extreme_beside(carom_study_runner *r, const carom_leaf *leaf, const span *n, double sign)
{
    const double at[] = {fmin(fmax(r->times[leaf->index], n->from), n->to), n->from, n->to};
    double best = -HUGE_VAL;
    for (size_t k = 0; k < CAROM_COUNT(at); k++) {
        const double value = sign * carom_program_value(r, leaf->body, at[k], NULL);
        if (isnan(value))
            return value;
        best = fmax(best, value);
    }
    return sign * best;
}

static double extreme(carom_study_runner *r, const carom_leaf *leaf, const span *n, double sign)
{
    if (r->beside.on && isfinite(r->times[leaf->index]))
        return extreme_beside(r, leaf, n, sign);
    double best = -HUGE_VAL;
    size_t at = 0;
    for (size_t k = 0; k < n->count; k++) {
        const double value = sign * carom_program_value(r, leaf->body, span_time(&r->series, n, k), NULL);
        if (isnan(value))
            return value;
        if (value > best) {
            best = value;
            at = k;
        }
    }
    return sign * refine(r, leaf, n, at, sign, best);
}

/* Integral of the body, or of its square, by Gauss's three points between each two times. */
static double integrate(carom_study_runner *r, const carom_leaf *leaf, const span *n, bool square)
{
    static const double places[] = {-0.7745966692414834, 0, 0.7745966692414834};
    static const double weights[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    double sum = 0;
    for (size_t k = 0; k + 1 < n->count; k++) {
        const double a = span_time(&r->series, n, k), b = span_time(&r->series, n, k + 1);
        double part = 0;
        for (int i = 0; i < 3; i++) {
            const double value = carom_program_value(r, leaf->body, 0.5 * (a + b) + 0.5 * (b - a) * places[i], NULL);
            part += weights[i] * (square ? value * value : value);
        }
        sum += (b - a) * part;
    }
    return sum;
}

/* The time at which the condition becomes true for the wanted time. */
static double find_time(carom_study_runner *r, const carom_leaf *leaf, const span *n, double wanted)
{
    double found = 0;
    bool held = false;
    if (!(wanted >= 1) || wanted != floor(wanted)) {
        miss(r, "%s: the times are counted from 1", leaf->label);
        return NAN;
    }
    for (size_t k = 0; k < n->count; k++) {
        const double time = span_time(&r->series, n, k);
        const bool holds = carom_program_value(r, leaf->body, time, NULL) > 0;
        if (holds && !held && ++found == wanted) {
            double low = k > 0 ? span_time(&r->series, n, k - 1) : time, high = time;
            for (int step = 0; step < SEARCH_STEPS && k > 0; step++) {
                const double middle = low + 0.5 * (high - low);
                *(carom_program_value(r, leaf->body, middle, NULL) > 0 ? &high : &low) = middle;
            }
            return high;
        }
        held = holds;
    }
    if (found > 0)
        miss(r, "%s: it becomes true %.0f time%s", leaf->label, found, found == 1 ? "" : "s");
    else
        miss(r, "%s: never true", leaf->label);
    return NAN;
}

static double reduce_time(carom_study_runner *r, const carom_leaf *leaf)
{
    const carom_series *s = &r->series;
    const int id = leaf->reduction->id;
    double arguments[2] = {NAN, NAN};
    for (size_t k = 0; k < leaf->argument_count; k++)
        arguments[k] = carom_program_value(r, leaf->arguments[k], 0, NULL);
    if (s->count == 0) {
        miss(r, "%s: the run has no rows", leaf->label);
        return NAN;
    }
    const bool ranged = id != CAROM_REDUCTION_WHEN && leaf->argument_count == 2;
    if (end_unknown(r, id, ranged ? arguments[1] : HUGE_VAL))
        return NAN;
    const span n = make_span(r, ranged ? arguments[0] : -HUGE_VAL, ranged ? arguments[1] : HUGE_VAL);
    for (size_t k = 0; k < leaf->argument_count; k++)
        if (isnan(arguments[k]))
            return NAN;
    /* of a run beside, which may end a little before, what that one has */
    const double last = fmax(n.to, s->time[s->count - 1]);
    if (id == CAROM_REDUCTION_AT && !(arguments[0] >= n.from && arguments[0] <= last)) {
        miss(r, "%s: the run goes from %.6g s to %.6g s", leaf->label, n.from, n.to);
        return NAN;
    }
    if (n.count == 0) {
        miss(r, "%s: nothing lies between %.6g s and %.6g s", leaf->label, arguments[0], arguments[1]);
        return NAN;
    }
    switch (id) {
    case CAROM_REDUCTION_MAX:
        return extreme(r, leaf, &n, 1);
    case CAROM_REDUCTION_MIN:
        return extreme(r, leaf, &n, -1);
    case CAROM_REDUCTION_MEAN:
        return integrate(r, leaf, &n, false) / (n.to - n.from);
    case CAROM_REDUCTION_RMS:
        return sqrt(integrate(r, leaf, &n, true) / (n.to - n.from));
    case CAROM_REDUCTION_INTEGRAL:
        return integrate(r, leaf, &n, false);
    case CAROM_REDUCTION_START:
        r->times[leaf->index] = n.from;
        return carom_program_value(r, leaf->body, n.from, NULL);
    case CAROM_REDUCTION_END:
        r->times[leaf->index] = n.to;
        return carom_program_value(r, leaf->body, n.to, NULL);
    case CAROM_REDUCTION_AT:
        r->times[leaf->index] = arguments[0];
        return carom_program_value(r, leaf->body, arguments[0], NULL);
    default:
        return r->times[leaf->index] = find_time(r, leaf, &n, leaf->argument_count ? arguments[0] : 1);
    }
}

/* ---- over a list ---- */

static const char *rows_name(carom_rows rows) { return rows == CAROM_ROWS_RESTS ? "rests" : "impacts"; }

static size_t rows_count(const carom_study_runner *r, carom_rows rows)
{
    return rows == CAROM_ROWS_RESTS ? r->rest_count : r->impact_count;
}

static const void *rows_row(const carom_study_runner *r, carom_rows rows, size_t k)
{
    return rows == CAROM_ROWS_RESTS ? (const void *)&r->rests[k] : (const void *)&r->impacts[k];
}

static bool is_of(const carom_study_runner *r, carom_rows rows, size_t k, const char *contact)
{
    const char *name = rows == CAROM_ROWS_RESTS ? r->rests[k].contact : r->impacts[k].contact;
    return !contact || strcmp(contact, name) == 0;
}

static double field_value(const carom_field *field, const void *row)
{
    const char *at = (const char *)row + field->offset;
    if (field->type == CAROM_FIELD_INDEX) {
        size_t index;
        memcpy(&index, at, sizeof index);
        return (double)index;
    }
    double number;
    memcpy(&number, at, sizeof number);
    return number;
}

static double reduce_rows(carom_study_runner *r, const carom_leaf *leaf)
{
    const int id = leaf->reduction->id;
    const carom_rows rows = leaf->body ? leaf->body->rows : leaf->rows;
    const char *contact = leaf->body ? leaf->body->contact : leaf->contact;
    double sum = 0, squares = 0, least = HUGE_VAL, most = -HUGE_VAL, count = 0;
    for (size_t k = 0; k < rows_count(r, rows); k++) {
        if (!is_of(r, rows, k, contact))
            continue;
        count++;
        if (!leaf->body)
            continue;
        const double value = carom_program_value(r, leaf->body, 0, rows_row(r, rows, k));
        sum += value;
        squares += value * value;
        least = value < least || isnan(value) ? value : least;
        most = value > most || isnan(value) ? value : most;
    }
    if (id == CAROM_REDUCTION_COUNT)
        return count;
    if (id == CAROM_REDUCTION_SUM)
        return sum;
    if (count == 0) {
        miss(r, "%s: the run has no %s%s%s", leaf->label, rows_name(rows), contact ? " of " : "",
             contact ? contact : "");
        return NAN;
    }
    return id == CAROM_REDUCTION_MAX    ? most
           : id == CAROM_REDUCTION_MIN  ? least
           : id == CAROM_REDUCTION_MEAN ? sum / count
                                        : sqrt(squares / count);
}

/* Field of one row, counted from 1, or from the last one with -1. */
static double element(carom_study_runner *r, const carom_leaf *leaf)
{
    const size_t count = rows_count(r, leaf->rows);
    long passed = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t k = leaf->row > 0 ? i : count - 1 - i;
        if (is_of(r, leaf->rows, k, leaf->contact) && ++passed == labs(leaf->row))
            return field_value(leaf->field, rows_row(r, leaf->rows, k));
    }
    miss(r, "there is no %s %ld%s%s: the run has %ld", leaf->rows == CAROM_ROWS_RESTS ? "rest" : "impact", leaf->row,
         leaf->contact ? " of " : "", leaf->contact ? leaf->contact : "", passed);
    return NAN;
}

/* ---- of an analysis ---- */

static double analysis_value(carom_study_runner *r, const carom_leaf *leaf)
{
    double value;
    if (r->analysis && carom_analysis_get(r->analysis, leaf->name, &value) == CAROM_OK)
        return value;
    miss(r, "the analysis has no value '%s'", leaf->name);
    return NAN;
}

static double analysis_cell(carom_study_runner *r, const carom_leaf *leaf)
{
    const carom_analysis_table *table = r->analysis ? carom_analysis_find_table(r->analysis, leaf->name) : NULL;
    if (!table) {
        miss(r, "the analysis has no table '%s'", leaf->name);
        return NAN;
    }
    const size_t row = leaf->row > 0 ? (size_t)leaf->row - 1 : table->row_count - (size_t)-leaf->row;
    for (size_t c = 0; c < table->column_count && row < table->row_count; c++)
        if (strcmp(table->columns[c].name, leaf->column) == 0)
            return table->columns[c].unit[0] ? table->cells[row * table->column_count + c].number : (double)NAN;
    miss(r, "table '%s' has no row %ld, or no column '%s'", leaf->name, leaf->row, leaf->column);
    return NAN;
}

/* ---- expressions ---- */

/* Beside the run a number is its own and a share of its derivative. */
static double parameter_value(const carom_study_runner *r, const carom_leaf *leaf)
{
    const carom_study_beside *b = &r->beside;
    for (size_t k = 0; r->spec && k < r->spec->parameter_count; k++)
        if (strcmp(r->spec->parameters[k].name, leaf->name) == 0)
            return r->spec->parameters[k].value +
                   (b->on ? b->offset * r->parameter_slopes[b->slope * r->spec->parameter_count + k] : 0);
    for (size_t k = 0; k < r->study->side_count; k++)
        if (strcmp(r->study->sides[k].name, leaf->name) == 0)
            return r->point[k];
    return NAN;
}

/* Beside the run, whose end moves from `last` on: along the motion up to there, and what it has there behind that. */
static double value_at_end(const carom_study_runner *r, size_t channel, double t, double last)
{
    const carom_study_beside *b = &r->beside;
    const size_t column = b->slope * r->study->channel_count + channel;
    const double fixed = carom_series_at(&r->slope_rows, column, last), moves = r->ends[b->slope];
    const double share = (fmin(t, last + end_moves(r)) - last) / moves;
    return carom_series_at(&r->series, channel, last) + b->offset * fixed + share * (r->slope_final[column] - fixed);
}

static double channel_value(const carom_study_runner *r, size_t channel, double t)
{
    const carom_study_beside *b = &r->beside;
    const double value = carom_series_at(&r->series, channel, t), moves = end_moves(r);
    if (!b->on)
        return value;
    if (moves != 0 && t >= r->series.time[r->series.count - 1] - fabs(moves))
        return value_at_end(r, channel, t, r->series.time[r->series.count - 1]);
    return value + b->offset * carom_series_at(&r->slope_rows, b->slope * r->study->channel_count + channel, t);
}

static double leaf_value(carom_study_runner *r, const carom_leaf *leaf, double t, const void *row)
{
    switch (leaf->type) {
    case CAROM_LEAF_PARAMETER:
        return parameter_value(r, leaf);
    case CAROM_LEAF_QUANTITY:
        return r->quantities[leaf->index];
    case CAROM_LEAF_CHANNEL:
        return channel_value(r, leaf->index, t);
    case CAROM_LEAF_FIELD:
        return field_value(leaf->field, row);
    case CAROM_LEAF_ELEMENT:
        return element(r, leaf);
    case CAROM_LEAF_LEDGER:
        return field_value(leaf->field, &r->ledger);
    case CAROM_LEAF_VALUE:
        return analysis_value(r, leaf);
    case CAROM_LEAF_CELL:
        return analysis_cell(r, leaf);
    case CAROM_LEAF_REDUCTION:
        break;
    }
    if (!r->cached[leaf->index]) {
        const bool of_rows = leaf->body ? leaf->body->of_rows : true;
        r->cache[leaf->index] = of_rows ? reduce_rows(r, leaf) : reduce_time(r, leaf);
        r->cached[leaf->index] = true;
    }
    return r->cache[leaf->index];
}

double carom_program_value(carom_study_runner *r, const carom_program *p, double t, const void *row)
{
    double measures[CAROM_PROGRAM_LEAVES];
    int switches[CAROM_PROGRAM_SWITCHES];
    for (size_t k = 0; k < p->leaf_count; k++) {
        measures[k] = leaf_value(r, &p->leaves[k], t, row);
        if (isnan(measures[k]))
            return NAN;
    }
    if (carom_expr_switch_count(p->expr) > 0)
        carom_expr_set_switches(p->expr, t, measures, switches);
    return carom_expr_value(p->expr, t, measures, switches);
}

/* ---- all quantities ---- */

/* An item at the times of the probe; its number is then the last value. */
static void read_curve(carom_study_runner *r, size_t item)
{
    const carom_study_probe *probe = r->probe;
    for (size_t k = 0; probe && k < probe->count; k++) {
        r->quantities[item] = carom_program_value(r, r->study->items[item].program, probe->times[k], NULL);
        probe->values[item * probe->count + k] = r->quantities[item];
    }
    if (probe && probe->count > 0 && !isfinite(r->quantities[item]) && !r->message[0])
        snprintf(r->message, sizeof r->message, "%s: %s", r->study->items[item].name,
                 r->missing[0] ? r->missing : "not a finite number");
}

/* The time between two, at which a curve is below and above a value, at which it has it. */
static double find_crossing(carom_study_runner *r, const carom_program *p, double below, double above, double value)
{
    for (int step = 0; step < SEARCH_STEPS && fabs(above - below) > DBL_EPSILON * fabs(above); step++) {
        const double middle = below + 0.5 * (above - below);
        *(carom_program_value(r, p, middle, NULL) < value ? &below : &above) = middle;
    }
    return above;
}

/* The time of the greatest value of a curve, whose values at the rows are given, and its row. */
static double find_crest(carom_study_runner *r, const carom_program *p, const double *rows, size_t *row)
{
    const carom_series *s = &r->series;
    *row = 0;
    for (size_t k = 1; k < s->count; k++)
        *row = rows[k] > rows[*row] ? k : *row;
    double low = s->time[*row > 0 ? *row - 1 : 0], high = s->time[*row + 1 < s->count ? *row + 1 : *row];
    for (int step = 0; step < SEARCH_STEPS; step++) {
        const double x = high - GOLDEN * (high - low), y = low + GOLDEN * (high - low);
        if (carom_program_value(r, p, x, NULL) > carom_program_value(r, p, y, NULL))
            high = y;
        else
            low = x;
    }
    return 0.5 * (low + high);
}

/* Share of the greatest value that stands for none: where the curve begins and ends. */
#define ONSET 1e-9

/* The time at which a curve has a value before its crest, or behind it. */
static double find_side(carom_study_runner *r, const carom_program *p, const double *rows, size_t crest, double at,
                        double depth, bool before)
{
    const carom_series *s = &r->series;
    size_t row = crest;
    double last = at;
    for (; (before ? row > 0 : row + 1 < s->count) && rows[row] >= depth; before ? row-- : row++)
        last = before ? fmin(s->time[row], at) : fmax(s->time[row], at);
    return find_crossing(r, p, s->time[row], last, depth);
}

/* The times of a probe over a curve. */
static void find_times(carom_study_runner *r, const carom_study_probe *probe)
{
    const carom_series *s = &r->series;
    const carom_program *p = r->study->items[probe->depth].program;
    double *rows = s->count > 0 ? carom_allocate(r->ctx, s->count, sizeof *rows) : NULL;
    size_t crest, deepest = 0;
    if (!rows) {
        for (size_t k = 0; k < probe->count; k++)
            probe->times[k] = NAN;
        return;
    }
    for (size_t k = 0; k < s->count; k++)
        rows[k] = carom_program_value(r, p, s->time[k], NULL);
    const double at = find_crest(r, p, rows, &crest), most = carom_program_value(r, p, at, NULL);
    for (size_t k = 0; k < probe->count; k++)
        deepest = probe->depths[k] > probe->depths[deepest] ? k : deepest;
    for (size_t k = 0; k < probe->count; k++) {
        const double depth = fmax(probe->depths[k], ONSET * most);
        probe->times[k] = depth < most ? find_side(r, p, rows, crest, at, depth, k <= deepest) : at;
    }
    carom_release(r->ctx, rows, s->count, sizeof *rows);
}

void carom_study_find_quantities(carom_study_runner *r)
{
    const carom_study *s = r->study;
    if (r->probe && r->probe->depths)
        find_times(r, r->probe);
    for (size_t k = 0; k < s->item_count; k++) {
        r->missing[0] = '\0';
        if (s->items[k].of_time) {
            read_curve(r, k);
            continue;
        }
        const double value = carom_program_value(r, s->items[k].program, 0, NULL);
        r->quantities[k] = isfinite(value) ? value : (double)NAN;
        if (isfinite(value) || r->message[0])
            continue;
        snprintf(r->message, sizeof r->message, "%s: %s", s->items[k].name,
                 r->missing[0] ? r->missing : "not a finite number");
    }
}
