/* What `carom compare` prints: one table of the variants, or one JSON object. */
#include "run/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/csv.h"
#include "support/table.h"
#include "support/terminal.h"

const char *variant_status(const variant *v)
{
    if (!v->tried)
        return "not run";
    if (v->job.status && strcmp(v->job.status, "interrupted") == 0)
        return v->job.status;
    return v->code != EXIT_DONE ? "failed" : v->job.status ? v->job.status : "completed";
}

#define LABELLED 13 /* columns of a label before its line */

/* ---- table ---- */

/* A row: what the columns take their numbers from. */
typedef struct row {
    episode e;
    double impacts, lost_contact, lost_friction, residual;
    char *status;
} row;

typedef struct row_column {
    const char *name;
    const unit_scale *units;
    int digits;
    size_t offset;
} row_column;

static size_t shown_episode(const comparison *c) { return isnan(c->options->impact) ? 1 : (size_t)c->options->impact; }

static row make_row(const comparison *c, const variant *v)
{
    const double none = (double)NAN;
    row r = {.e = find_episode(v, c->options->contact, shown_episode(c)),
             .impacts = none,
             .lost_contact = none,
             .lost_friction = none,
             .residual = none};
    if (strcmp(variant_status(v), "failed") == 0)
        r.status = format_text("failed: %s", v->error ? v->error : "out of memory");
    else
        r.status = format_text("%s", variant_status(v));
    if (!v->job.status)
        return r;
    carom_ledger l = carom_simulation_ledger(v->job.sim);
    r.impacts = (double)r.e.impacts;
    r.lost_contact = l.dissipated_contact;
    r.lost_friction = l.dissipated_friction;
    r.residual = l.residual_fraction;
    return r;
}

static void add_text_column(table *t, const comparison *c, const char *header, const row *rows, size_t vary)
{
    const char **texts = malloc((c->count + 1) * sizeof *texts);
    for (size_t k = 0; texts && k < c->count; k++)
        texts[k] = vary < c->varied_count    ? c->variants[k].values[vary]
                   : vary == c->varied_count ? rows[k].e.contact
                                             : rows[k].status;
    if (texts)
        table_texts(t, header, false, texts);
    else
        t->failed = true;
    free(texts);
}

static void add_numbers(table *t, const comparison *c, const row *rows, const row_column *columns, size_t count)
{
    double *values = malloc((c->count + 1) * sizeof *values);
    for (size_t k = 0; values && k < count; k++) {
        for (size_t i = 0; i < c->count; i++)
            memcpy(&values[i], (const char *)&rows[i] + columns[k].offset, sizeof values[i]);
        table_numbers(t, columns[k].name, columns[k].units, columns[k].digits, values);
    }
    if (!values)
        t->failed = true;
    free(values);
}

/* Whether the variants have more than one contact, so that the table says which one it shows. */
static bool has_contacts(const comparison *c)
{
    for (size_t k = 0; k < c->count; k++)
        if (c->variants[k].job.status && c->variants[k].job.info.contacts > 1)
            return true;
    return false;
}

static void print_rows(const comparison *c, const row *rows)
{
    static const row_column number[] = {{"impacts", units_none, 0, offsetof(row, impacts)}};
    static const row_column columns[] = {
        {"v in", units_speed, 4, offsetof(row, e.v_in)},
        {"v out", units_speed, 4, offsetof(row, e.v_out)},
        {"e asked", units_none, 4, offsetof(row, e.e_asked)},
        {"e got", units_none, 6, offsetof(row, e.e_got)},
        {"peak", units_force, 4, offsetof(row, e.peak_force)},
        {"depth", units_length, 4, offsetof(row, e.max_indentation)},
        {"duration", units_short_time, 4, offsetof(row, e.duration)},
        {"lost in contact", units_energy, 4, offsetof(row, lost_contact)},
        {"in friction", units_energy, 4, offsetof(row, lost_friction)},
        {"residual", units_none, 2, offsetof(row, residual)},
    };
    table t = {.rows = c->count, .keys = c->varied_count};
    for (size_t k = 0; k < c->varied_count; k++)
        add_text_column(&t, c, c->varied[k].name, rows, k);
    add_numbers(&t, c, rows, number, COUNT(number));
    if (has_contacts(c))
        add_text_column(&t, c, "contact", rows, c->varied_count);
    add_numbers(&t, c, rows, columns, COUNT(columns));
    add_text_column(&t, c, "status", rows, c->varied_count + 1);
    table_print(&t, stdout);
    table_free(&t);
}

/* ---- lines ---- */

static size_t count_status(const comparison *c, const char *status)
{
    size_t count = 0;
    for (size_t k = 0; k < c->count; k++)
        count += strcmp(variant_status(&c->variants[k]), status) == 0;
    return count;
}

static void print_head(const comparison *c)
{
    char wall[32];
    text_line line = {.width = LINE_BYTES};
    line_add(&line, "%s · %zu variant%s of ", c->model_name, c->count, c->count == 1 ? "" : "s");
    for (size_t k = 0; k < c->varied_count; k++)
        line_add(&line, "%s%s", k > 0 ? ", " : "", c->varied[k].name);
    line_add(&line, " · impact %zu", shown_episode(c));
    if (c->options->contact)
        line_add(&line, " of %s", c->options->contact);
    print_line(2, "%s", line.text);
    printf("%zu completed", count_status(c, "completed"));
    static const char *const others[] = {STATUS_INACCURATE, "failed", "interrupted", "not run"};
    for (size_t k = 0; k < COUNT(others); k++)
        if (count_status(c, others[k]) > 0)
            printf("  %zu %s", count_status(c, others[k]), others[k]);
    printf("  %s s elapsed  %d thread%s\n\n", short_number(wall, c->wall_seconds, 3), c->threads,
           c->threads == 1 ? "" : "s");
}

static bool has_warning(const variant *v, const char *text)
{
    for (size_t k = 0; k < v->session.warning_count; k++)
        if (strcmp(v->session.warnings[k], text) == 0)
            return true;
    return false;
}

/* Each warning once, with the variants that it is about. */
static void print_shared_warnings(const comparison *c)
{
    for (size_t k = 0; k < c->count; k++)
        for (size_t i = 0; i < c->variants[k].session.warning_count; i++) {
            const char *text = c->variants[k].session.warnings[i];
            size_t before = 0, all = 0;
            for (size_t j = 0; j < c->count; j++) {
                bool has = has_warning(&c->variants[j], text);
                all += has;
                before += has && j < k;
            }
            if (before > 0)
                continue;
            char more[40] = "";
            if (all < c->count && all > 1)
                snprintf(more, sizeof more, " and %zu more", all - 1);
            char *line = format_text("%s (%s%s)", text, all == c->count ? "all variants" : c->variants[k].label, more);
            if (line)
                print_warning_line(line);
            free(line);
        }
}

static void print_paths(const comparison *c)
{
    size_t files = 0;
    const char *only = NULL;
    for (size_t k = 0; k < c->count; k++)
        if (c->variants[k].job.status && c->variants[k].job.results) {
            files++;
            only = c->variants[k].job.results;
        }
    const char *output = c->options->run.output, *slash = output[strlen(output) - 1] == '/' ? "" : "/";
    if (files == 1)
        printf("%-11s  %s\n", "results", only);
    else if (files > 1)
        printf("%-11s  %zu files %s%s%s-%s=*.h5\n", "results", files, output, slash, c->model_name, c->varied[0].name);
    if (c->report)
        printf("%-11s  %s  %zu of %zu variants\n", "report", c->report, c->reported, c->count);
    if (c->report_error)
        print_warning_line(c->report_error);
    if (c->drawn > 0)
        printf("%-11s  %s  %zu of %zu variants\n", "figure", c->options->figure, c->drawn, c->count);
}

void print_comparison(const comparison *c)
{
    row *rows = calloc(c->count, sizeof *rows);
    bool ready = rows != NULL;
    for (size_t k = 0; rows && k < c->count; k++) {
        rows[k] = make_row(c, &c->variants[k]);
        ready = ready && rows[k].status;
    }
    if (ready) {
        print_head(c);
        print_rows(c, rows);
        printf("\n");
        print_shared_warnings(c);
        print_paths(c);
    } else {
        memory_error();
    }
    for (size_t k = 0; rows && k < c->count; k++)
        free(rows[k].status);
    free(rows);
}

/* ---- CSV ---- */

void print_comparison_csv(const comparison *c)
{
    static const struct {
        const char *name, *unit;
        size_t offset;
    } columns[] = {
        {"onset", "s", offsetof(row, e.onset)},
        {"v_in", "m/s", offsetof(row, e.v_in)},
        {"v_out", "m/s", offsetof(row, e.v_out)},
        {"e_asked", "1", offsetof(row, e.e_asked)},
        {"e_got", "1", offsetof(row, e.e_got)},
        {"peak_force", "N", offsetof(row, e.peak_force)},
        {"max_indentation", "m", offsetof(row, e.max_indentation)},
        {"duration", "s", offsetof(row, e.duration)},
        {"dissipated_contact", "J", offsetof(row, lost_contact)},
        {"dissipated_friction", "J", offsetof(row, lost_friction)},
        {"residual_fraction", "1", offsetof(row, residual)},
    };
    csv out = {.file = stdout};
    for (size_t k = 0; k < c->varied_count; k++)
        csv_text(&out, c->varied[k].name);
    csv_text(&out, "impacts");
    csv_text(&out, "contact");
    for (size_t k = 0; k < COUNT(columns); k++)
        csv_head(&out, columns[k].name, columns[k].unit);
    csv_text(&out, "status");
    csv_end_line(&out);
    for (size_t i = 0; i < c->count; i++) {
        const row r = make_row(c, &c->variants[i]);
        for (size_t k = 0; k < c->varied_count; k++)
            csv_text(&out, c->variants[i].values[k]);
        csv_number(&out, r.impacts);
        csv_text(&out, r.e.contact);
        for (size_t k = 0; k < COUNT(columns); k++) {
            double number;
            memcpy(&number, (const char *)&r + columns[k].offset, sizeof number);
            csv_number(&out, number);
        }
        csv_text(&out, r.status);
        csv_end_line(&out);
        free(r.status);
    }
}

/* ---- JSON ---- */

/* The values of a variant: numbers as the model has them, words as texts. */
static void write_set(const comparison *c, const variant *v, carom_json *json)
{
    const carom_spec *spec = v->document ? carom_document_spec(v->document) : NULL;
    carom_json_begin(json, "set", '{');
    for (size_t k = 0; k < c->varied_count; k++) {
        const char *name = c->varied[k].name;
        const carom_parameter_def *number = NULL;
        for (size_t i = 0; spec && i < spec->parameter_count && !number; i++)
            if (strcmp(spec->parameters[i].name, name) == 0)
                number = &spec->parameters[i];
        char *end;
        double value = strtod(v->values[k], &end);
        if (number)
            carom_json_number(json, name, number->value);
        else if (!spec && end != v->values[k] && *end == '\0')
            carom_json_number(json, name, value);
        else
            carom_json_text(json, name, v->values[k]);
    }
    carom_json_end(json, '}');
}

int print_comparison_json(const session *s, const comparison *c)
{
    carom_json *json = json_open(s);
    if (!json)
        return EXIT_SOLVER;
    carom_json_begin(json, NULL, '{');
    carom_json_text(json, "model", c->model_name);
    carom_json_text(json, "version", carom_version());
    carom_json_begin(json, "variants", '[');
    for (size_t k = 0; k < c->count; k++) {
        const variant *v = &c->variants[k];
        carom_json_begin(json, NULL, '{');
        write_set(c, v, json);
        carom_json_text(json, "status", variant_status(v));
        carom_json_text(json, "error", v->error);
        if (v->job.status)
            run_print_json(&v->job, json, "run");
        else
            carom_json_text(json, "run", NULL);
        carom_json_end(json, '}');
    }
    carom_json_end(json, ']');
    carom_json_text(json, "figure", c->drawn > 0 ? c->options->figure : NULL);
    carom_json_text(json, "report", c->report);
    carom_json_end(json, '}');
    return json_print(s, json);
}
