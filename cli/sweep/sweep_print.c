/* What `carom sweep` prints: the plan of a study, and what became of its runs. */
#include "sweep/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/table.h"
#include "support/terminal.h"

#define REASONS 5 /* kinds of failures that are told */

static void print_parameter(const sweep *w, size_t index)
{
    carom_study_parameter p;
    char low[32], high[32], text[64];
    carom_study_get_parameter(w->study, index, &p);
    if (p.words) {
        char list[512] = "";
        for (size_t k = 0; k < p.values && strlen(list) < 400; k++)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", k ? ", " : "",
                     carom_study_value_text(w->study, index, (double)k, text));
        print_line(2, "%s: %s", p.name, list);
        return;
    }
    short_number(low, p.low, 6);
    short_number(high, p.high, 6);
    if (p.values > 0)
        print_line(2, "%s: %zu value%s from %s to %s%s%s", p.name, p.values, p.values == 1 ? "" : "s", low, high,
                   p.unit ? " " : "", p.unit ? p.unit : "");
    else
        print_line(2, "%s: from %s to %s%s%s%s", p.name, low, high, p.unit ? " " : "", p.unit ? p.unit : "",
                   p.log ? ", even in its logarithm" : "");
}

static void print_head(const sweep *w)
{
    const carom_study_info *i = &w->info;
    if (i->title[0])
        print_line(0, "%s", i->title);
    if (w->parts)
        print_line(0, "%zu runs, sampling %s, of them part %zu of %zu%s%s", i->runs, i->sampler, w->part, w->parts,
                   i->model ? ", of " : "", i->model ? i->model : "");
    else
        print_line(0, "%zu runs, sampling %s%s%s", i->runs, i->sampler, i->model ? ", of " : "",
                   i->model ? i->model : "");
}

void print_sweep_plan(const sweep *w)
{
    print_head(w);
    print_line(0, "parameters");
    for (size_t k = 0; k < w->info.parameters; k++)
        print_parameter(w, k);
    print_line(0, "quantities");
    for (size_t k = 0; k < w->info.quantities; k++) {
        carom_study_quantity q;
        carom_study_get_quantity(w->study, k, &q);
        print_line(2, "%s%s%s%s = %s", q.name, q.unit ? " [" : "", q.unit ? q.unit : "", q.unit ? "]" : "",
                   q.expression);
    }
    print_line(0, "store %s", w->path);
}

/* A blank and a word of a command, of three parts. */
static void print_word(const char *first, const char *between, const char *last)
{
    char *text = format_text("%s%s%s", first, between, last), *word = text ? shell_word(text) : NULL;
    printf(" %s", word ? word : "");
    free(text);
    free(word);
}

int print_sweep_run(const sweep *w, double number)
{
    double values[CAROM_STUDY_PARAMETERS];
    char text[64];
    if (!(number >= 1 && number <= (double)w->info.runs) || number != floor(number))
        return usage_error("sweep", "--show takes a run from 1 to %zu, not %.10g", w->info.runs, number);
    const carom_status status = carom_study_point(w->session->ctx, w->study, (size_t)number - 1, values);
    if (status != CAROM_OK)
        return session_error(w->session, status);
    printf("carom run");
    if (w->info.model)
        print_word(w->info.model, "", "");
    for (size_t k = 0; w->info.options[k]; k++)
        print_word(w->info.options[k], "", "");
    for (size_t k = 0; k < w->info.parameters; k++) {
        carom_study_parameter p;
        carom_study_get_parameter(w->study, k, &p);
        printf(" --set");
        print_word(p.name, "=", carom_study_value_text(w->study, k, values[k], text));
    }
    putchar('\n');
    return EXIT_DONE;
}

/* ---- summary ---- */

typedef struct reason {
    char *text;
    const char *status;
    size_t count, first; /* runs; the first one's number */
} reason;

/* What is found by going through the rows. */
typedef struct summary {
    const sweep *w;
    size_t completed, inaccurate, failed, refused, late;
    double seconds;
    double *least, *most, *sum; /* of each quantity */
    size_t *count, *least_run, *most_run;
    reason reasons[REASONS];
    size_t reason_count, others;
} summary;

/* Reasons are told apart by their beginning, which has no numbers of the run. */
static bool same_reason(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b || (strchr("0123456789.-", *a) && strchr("0123456789.-", *b));
}

static void note_reason(summary *m, const carom_store_row *row, const char *status)
{
    for (size_t k = 0; k < m->reason_count; k++)
        if (m->reasons[k].status == status && same_reason(m->reasons[k].text, row->message)) {
            m->reasons[k].count++;
            return;
        }
    char *text = m->reason_count < REASONS ? format_text("%s", row->message) : NULL;
    if (text)
        m->reasons[m->reason_count++] = (reason){text, status, 1, row->run + 1};
    else
        m->others++;
}

static carom_status note_row(void *user, const carom_store_row *row)
{
    static const char *const names[] = {"completed, inaccurate", "failed", "refused", "out of time"};
    summary *m = user;
    size_t *const counts[] = {&m->inaccurate, &m->failed, &m->refused, &m->late};
    size_t kind = 0;
    while (kind < COUNT(names) && strcmp(names[kind], row->status) != 0)
        kind++;
    m->seconds += row->seconds;
    m->completed += kind == COUNT(names);
    if (kind < COUNT(names))
        ++*counts[kind];
    if (row->message[0])
        note_reason(m, row, kind < COUNT(names) ? names[kind] : "without a value");
    for (size_t k = 0; k < m->w->info.quantities; k++) {
        const double value = row->quantities[k];
        if (isnan(value))
            continue;
        if (m->count[k] == 0 || value < m->least[k]) {
            m->least[k] = value;
            m->least_run[k] = row->run + 1;
        }
        if (m->count[k] == 0 || value > m->most[k]) {
            m->most[k] = value;
            m->most_run[k] = row->run + 1;
        }
        m->sum[k] += value;
        m->count[k]++;
    }
    return CAROM_OK;
}

static void number_cell(char *text, double value, size_t count)
{
    if (count)
        short_number(text, value, 5);
    else
        strcpy(text, "-");
}

#define CELL 32

static void print_quantities(const summary *m)
{
    const size_t count = m->w->info.quantities;
    enum { NAME, UNIT, LEAST, LEAST_RUN, MEAN, MOST, MOST_RUN, VALUES, COLUMNS };
    static const char *const heads[COLUMNS] = {"quantity", "unit", "least", "run", "mean", "greatest", "run", "values"};
    char(*cells)[CELL] = calloc(count * COLUMNS + 1, sizeof *cells);
    const char **texts = calloc(count + 1, sizeof *texts);
    table t = {.rows = count};
    for (int c = 0; c < COLUMNS && cells && texts; c++) {
        for (size_t k = 0; k < count; k++) {
            carom_study_quantity q;
            carom_study_get_quantity(m->w->study, k, &q);
            char *cell = cells[k * COLUMNS + (size_t)c];
            texts[k] = cell;
            switch (c) {
            case NAME:
                texts[k] = q.name;
                break;
            case UNIT:
                texts[k] = q.unit ? q.unit : "-";
                break;
            case LEAST:
                number_cell(cell, m->least[k], m->count[k]);
                break;
            case LEAST_RUN:
                snprintf(cell, CELL, "%zu", m->least_run[k]);
                break;
            case MEAN:
                number_cell(cell, m->sum[k] / (double)m->count[k], m->count[k]);
                break;
            case MOST:
                number_cell(cell, m->most[k], m->count[k]);
                break;
            case MOST_RUN:
                snprintf(cell, CELL, "%zu", m->most_run[k]);
                break;
            default:
                snprintf(cell, CELL, "%zu", m->count[k]);
            }
        }
        table_texts(&t, heads[c], c > UNIT, texts);
    }
    table_print(&t, stdout);
    table_free(&t);
    free(cells);
    free(texts);
}

static void print_counts(const summary *m)
{
    const sweep *w = m->w;
    const size_t counts[] = {m->completed, m->inaccurate, m->failed, m->refused, m->late};
    static const char *const names[] = {"completed", "inaccurate", "failed", "refused", "out of time"};
    char line[256] = "";
    for (size_t k = 0; k < COUNT(names); k++)
        if (counts[k] > 0 || k == 0)
            snprintf(line + strlen(line), sizeof line - strlen(line), "%s%zu %s", k ? ", " : "", counts[k], names[k]);
    const size_t left = w->todo_count - w->taken;
    if (left > 0)
        snprintf(line + strlen(line), sizeof line - strlen(line), ", %zu not run", left);
    if (w->before > 0)
        snprintf(line + strlen(line), sizeof line - strlen(line), "; %zu were there", w->before);
    print_line(0, "%s", line);
}

static void print_reasons(const summary *m)
{
    for (size_t k = 0; k < m->reason_count; k++) {
        const reason *r = &m->reasons[k];
        print_line(0, "%zu run%s %s, the first is run %zu: %s", r->count, r->count == 1 ? "" : "s", r->status, r->first,
                   r->text);
    }
    if (m->others > 0)
        print_line(0, "%zu runs with other messages", m->others);
}

static void print_next(const sweep *w)
{
    char *path = shell_word(w->path);
    if (path)
        print_line(0, "next: carom plot %s; carom export %s -o TABLE.csv; sqlite3 %s 'SELECT * FROM runs'", path, path,
                   path);
    free(path);
}

static void print_paths(const sweep *w)
{
    print_line(0, "store %s", w->path);
    if (w->todo_count > w->taken)
        print_line(0, "the same command continues");
    else if (w->parts)
        print_line(0, "`carom sweep merge` puts the parts together when all are there");
    else
        print_next(w);
}

int print_sweep_summary(const sweep *w)
{
    const size_t count = w->info.quantities;
    summary m = {.w = w};
    double *numbers = calloc(3 * count + 1, sizeof *numbers);
    size_t *sizes = calloc(3 * count + 1, sizeof *sizes);
    int code = numbers && sizes ? EXIT_DONE : memory_error();
    if (code == EXIT_DONE) {
        m.least = numbers;
        m.most = numbers + count;
        m.sum = numbers + 2 * count;
        m.count = sizes;
        m.least_run = sizes + count;
        m.most_run = sizes + 2 * count;
        const carom_status status = carom_store_each(w->store, note_row, &m);
        if (status != CAROM_OK)
            code = session_error(w->session, status);
    }
    if (code == EXIT_DONE) {
        print_head(w);
        print_counts(&m);
        putchar('\n');
        print_quantities(&m);
        putchar('\n');
        print_reasons(&m);
        print_paths(w);
    }
    for (size_t k = 0; k < m.reason_count; k++)
        free(m.reasons[k].text);
    free(numbers);
    free(sizes);
    return code;
}
