/* What `carom converge` prints: text or one JSON object. */
#include "run/converge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/table.h"
#include "support/terminal.h"

#define LABELLED 15
#define LONG_TABLE 30
#define LONG_HEAD 20
#define LONG_TAIL 5

/* ---- tables ---- */

static void print_runs(const convergence *c)
{
    table t = {.rows = c->count};
    const char *labels[CONVERGE_RUNS], *statuses[CONVERGE_RUNS];
    double steps[CONVERGE_RUNS], impacts[CONVERGE_RUNS], residual[CONVERGE_RUNS];
    for (size_t k = 0; k < c->count; k++) {
        const converge_run *r = &c->runs[k];
        labels[k] = r->label;
        statuses[k] = r->job.status;
        steps[k] = (double)carom_simulation_statistics(r->job.sim).steps;
        impacts[k] = (double)r->impact_count;
        residual[k] = carom_simulation_ledger(r->job.sim).residual_fraction;
    }
    table_texts(&t, "run", false, labels);
    table_texts(&t, "status", false, statuses);
    table_numbers(&t, "steps", units_none, 0, steps);
    table_numbers(&t, "impacts", units_none, 0, impacts);
    table_numbers(&t, "residual", units_none, 2, residual);
    table_numbers(&t, "agrees until", units_time, 4, c->against);
    printf("\n");
    table_print(&t, stdout);
    table_free(&t);
}

static void print_horizon(const convergence *c)
{
    char horizon[32], share[32], until[32], poses[32];
    const double end = c->times[c->sample_count - 1];
    short_number(horizon, c->horizon, 4);
    short_number(share, 100 * c->options->share, 3);
    short_number(until, end, 4);
    printf("\n");
    if (c->whole) {
        print_line(LABELLED, "%-13s  the whole run: positions, speeds and impacts agree within %s %%", "trust horizon",
                   share);
        return;
    }
    print_line(LABELLED,
               "%-13s  %s s of %s s: until then positions, speeds and impacts agree within %s %%; behind it a single "
               "run tells the statistics below, and no more",
               "trust horizon", horizon, until, share);
    if (c->poses_agree >= end)
        print_line(LABELLED, "%-13s  positions and angles alone agree to the end", "");
    else
        print_line(LABELLED, "%-13s  positions and angles alone agree until %s s", "",
                   short_number(poses, c->poses_agree, 4));
}

/* A column of the digits of the impacts that are shown. */
static void add_digits(table *t, const char *name, const convergence *c, const size_t *rows, size_t offset)
{
    double *values = malloc((t->rows + 1) * sizeof *values);
    for (size_t k = 0; values && k < t->rows; k++) {
        memcpy(&values[k], (const char *)&c->impacts[rows[k]] + offset, sizeof values[k]);
        values[k] = floor(values[k]);
    }
    if (values)
        table_numbers(t, name, units_none, 0, values);
    else
        t->failed = true;
    free(values);
}
#define ADD(t, name, member) add_digits(t, name, c, rows, offsetof(converge_impact, member))

static void print_impacts(const convergence *c)
{
    const converge_run *r = &c->runs[0];
    const bool shortened = r->impact_count > LONG_TABLE && !c->options->run.all;
    table t = {.rows = shortened ? LONG_HEAD + LONG_TAIL : r->impact_count};
    size_t *rows = malloc((t.rows + 1) * sizeof *rows);
    double *numbers = malloc((t.rows + 1) * sizeof *numbers), *onsets = malloc((t.rows + 1) * sizeof *onsets);
    const char **names = malloc((t.rows + 1) * sizeof *names);
    char gap[80];
    if (r->impact_count && rows && numbers && onsets && names) {
        for (size_t k = 0; k < t.rows; k++) {
            rows[k] = shortened && k >= LONG_HEAD ? r->impact_count - (t.rows - k) : k;
            numbers[k] = (double)(rows[k] + 1);
            onsets[k] = r->impacts[rows[k]].onset;
            names[k] = r->impacts[rows[k]].contact;
        }
        table_numbers(&t, "impact", units_none, 0, numbers);
        table_texts(&t, "contact", false, names);
        table_numbers(&t, "onset", units_time, 6, onsets);
        ADD(&t, "digits: onset", onset);
        ADD(&t, "v in", v_in);
        ADD(&t, "v out", v_out);
        ADD(&t, "peak", peak_force);
        ADD(&t, "depth", max_indentation);
        ADD(&t, "impulse", impulse);
        if (shortened) {
            snprintf(gap, sizeof gap, "  ... %zu more; --all prints all %zu impacts", r->impact_count - t.rows,
                     r->impact_count);
            t.gap_after = LONG_HEAD;
            t.gap_text = gap;
        }
        printf("\nimpacts: digits on which all runs agree\n");
        table_print(&t, stdout);
    }
    free(rows);
    free(numbers);
    free(onsets);
    free(names);
    table_free(&t);
}

static void print_ends(const convergence *c)
{
    const size_t shown = c->end_count > LONG_TABLE && !c->options->run.all ? LONG_TABLE : c->end_count;
    char number[32];
    if (shown)
        printf("\nat the end: value of the most accurate run, digits on which all runs agree\n");
    for (size_t k = 0; k < shown; k++)
        printf("  %-40s %16s %-6s %2.0f\n", c->ends[k].name, short_number(number, c->ends[k].value, 8), c->ends[k].unit,
               floor(c->ends[k].digits));
    if (shown < c->end_count)
        printf("  ... %zu more; --all prints all %zu\n", c->end_count - shown, c->end_count);
    if (shown && c->rounding_count)
        printf("  %zu more %s 0 but for rounding, in all runs at all times\n", c->rounding_count,
               c->rounding_count > 1 ? "are" : "is");
}

static void print_statistics(const convergence *c)
{
    char mean[32], spread[32];
    bool other = false;
    if (c->statistic_count)
        printf("\nbehind the horizon: mean over the runs and their spread, where the runs agree within it\n");
    for (size_t k = 0; k < c->statistic_count; k++) {
        const converge_statistic *s = &c->statistics[k];
        other = other || !s->agrees;
        if (s->agrees)
            printf("  %-40s %12s +- %-10s %s\n", s->name, short_number(mean, s->mean, 4),
                   short_number(spread, s->spread, 2), s->unit);
    }
    if (other)
        printf("these differ by more than the scatter within the runs; simulate longer:\n");
    for (size_t k = 0; k < c->statistic_count; k++) {
        const converge_statistic *s = &c->statistics[k];
        if (!s->agrees)
            printf("  %-40s %12s +- %-10s %s\n", s->name, short_number(mean, s->mean, 4),
                   short_number(spread, s->spread, 2), s->unit);
    }
}

void converge_print_text(const convergence *c)
{
    print_line(2, "%s · %zu runs", c->runs[0].job.info.name, c->count);
    print_runs(c);
    print_horizon(c);
    print_impacts(c);
    print_ends(c);
    print_statistics(c);
}

/* ---- JSON ---- */

static void write_runs(carom_json *json, const convergence *c)
{
    carom_json_begin(json, "runs", '[');
    for (size_t k = 0; k < c->count; k++) {
        const converge_run *r = &c->runs[k];
        const carom_statistics s = carom_simulation_statistics(r->job.sim);
        carom_json_begin(json, NULL, '{');
        carom_json_text(json, "integrator", carom_simulation_integrator(r->job.sim));
        carom_json_number(json, "tolerance", r->options.step > 0 ? (double)NAN : r->options.tolerance);
        carom_json_number(json, "step", r->options.step > 0 ? r->options.step : (double)NAN);
        carom_json_text(json, "status", r->job.status);
        carom_json_number(json, "time", s.time);
        carom_json_integer(json, "steps", (int64_t)s.steps);
        carom_json_number(json, "cpu_seconds", s.cpu_seconds);
        carom_json_integer(json, "impacts", (int64_t)r->impact_count);
        carom_json_number(json, "residual", carom_simulation_ledger(r->job.sim).residual_fraction);
        carom_json_number(json, "agrees_until", c->against[k]);
        carom_json_end(json, '}');
    }
    carom_json_end(json, ']');
}

static void write_impacts(carom_json *json, const convergence *c)
{
    carom_json_begin(json, "impacts", '[');
    for (size_t k = 0; k < c->runs[0].impact_count; k++) {
        const carom_impact *i = &c->runs[0].impacts[k];
        const converge_impact *d = &c->impacts[k];
        carom_json_begin(json, NULL, '{');
        carom_json_text(json, "contact", i->contact);
        carom_json_number(json, "onset", i->onset);
        carom_json_begin(json, "digits", '{');
        carom_json_number(json, "onset", d->onset);
        carom_json_number(json, "v_in", d->v_in);
        carom_json_number(json, "v_out", d->v_out);
        carom_json_number(json, "peak_force", d->peak_force);
        carom_json_number(json, "max_indentation", d->max_indentation);
        carom_json_number(json, "impulse", d->impulse);
        carom_json_end(json, '}');
        carom_json_end(json, '}');
    }
    carom_json_end(json, ']');
}

static void write_statistics(carom_json *json, const convergence *c)
{
    carom_json_begin(json, "statistics", '[');
    for (size_t k = 0; k < c->statistic_count; k++) {
        const converge_statistic *s = &c->statistics[k];
        carom_json_begin(json, NULL, '{');
        carom_json_text(json, "name", s->name);
        carom_json_text(json, "unit", s->unit);
        carom_json_number(json, "mean", s->mean);
        carom_json_number(json, "spread", s->spread);
        carom_json_number(json, "error", s->error);
        carom_json_bool(json, "agrees", s->agrees);
        carom_json_numbers(json, "of_runs", s->of, c->count);
        carom_json_end(json, '}');
    }
    carom_json_end(json, ']');
}

int converge_print_json(const session *s, const convergence *c)
{
    carom_json *json = json_open(s);
    if (!json)
        return EXIT_SOLVER;
    carom_json_begin(json, NULL, '{');
    carom_json_text(json, "model", c->runs[0].job.info.name);
    carom_json_text(json, "version", carom_version());
    carom_json_number(json, "share", c->options->share);
    carom_json_number(json, "until", c->times[c->sample_count - 1]);
    carom_json_number(json, "horizon", c->horizon);
    carom_json_bool(json, "whole", c->whole);
    carom_json_number(json, "poses_agree", c->poses_agree);
    write_runs(json, c);
    write_impacts(json, c);
    carom_json_begin(json, "end", '[');
    for (size_t k = 0; k < c->end_count; k++) {
        carom_json_begin(json, NULL, '{');
        carom_json_text(json, "name", c->ends[k].name);
        carom_json_text(json, "unit", c->ends[k].unit);
        carom_json_number(json, "value", c->ends[k].value);
        carom_json_number(json, "digits", c->ends[k].digits);
        carom_json_end(json, '}');
    }
    carom_json_end(json, ']');
    write_statistics(json, c);
    carom_json_end(json, '}');
    return json_print(s, json);
}
