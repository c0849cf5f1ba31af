/* An analysis that is no motion: computed at once, printed as it names its numbers and tables. */
#include "run/run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/export.h"
#include "support/save.h"
#include "support/table.h"
#include "support/terminal.h"

#define LABELLED 22 /* columns of a label before its line */
#define LONG_TABLE 30
#define LONG_HEAD 20
#define LONG_TAIL 5

/* Options that ask for a motion, where there is none in the whole file. */
int run_check_motion(const run_job *jobs, size_t count)
{
    const run_options *o = jobs[0].options;
    const struct {
        const char *name;
        bool given;
    } options[] = {{"--at", o->at.count > 0},
                   {"--live", o->live.count > 0},
                   {"--resume", o->resume},
                   {"--checkpoint", !isnan(o->checkpoint)},
                   {"--integrator", o->integrator},
                   {"--tolerance", o->tolerance > 0},
                   {"--derivatives", o->derivatives.count > 0},
                   {"--final", o->final}};
    for (size_t k = 0; k < count; k++)
        if (carom_run_moves(jobs[k].def))
            return EXIT_DONE;
    for (size_t k = 0; k < COUNT(options); k++)
        if (options[k].given)
            return usage_error(o->command, "%s takes effect on motions only, and analysis %s of '%s' is none",
                               options[k].name, jobs[0].def->analysis, o->model);
    return EXIT_DONE;
}

/* ---- tables as files ---- */

/* The table that NAME=FILE asks for; NULL: the analysis has none of that name. */
static const carom_analysis_table *asked_table(const run_job *job, const char *text)
{
    const char *equals = strchr(text, '=');
    char name[64];
    if (!equals || !equals[1] || (size_t)(equals - text) >= sizeof name)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    return carom_analysis_find_table(job->analysis, name);
}

static void write_cell(FILE *out, const carom_analysis_quantity *column, const carom_analysis_cell *cell)
{
    if (column->unit[0]) {
        fprintf(out, "%.17g", cell->number);
        return;
    }
    fputc('"', out);
    for (const char *c = cell->text; *c; c++)
        fprintf(out, *c == '"' ? "\"\"" : "%c", *c);
    fputc('"', out);
}

/* A head with names and units, then the rows: such as --input reads. */
static int write_table_file(const run_job *job, const carom_analysis_table *t, const char *path)
{
    const int code = refuse_input(job->options->command, "--table", path, job->options->model, "the model");
    if (code != EXIT_DONE)
        return code;
    save file;
    if (!save_begin(&file, path))
        return session_fail(job->session, EXIT_IO, "%s: cannot be written: %s", path, strerror(errno));
    FILE *out = file.file;
    for (size_t c = 0; c < t->column_count; c++) {
        const char *unit = t->columns[c].unit;
        fprintf(out, unit[0] && strcmp(unit, "1") != 0 ? "%s%s [%s]" : "%s%s", c ? "," : "", t->columns[c].name, unit);
    }
    for (size_t k = 0; k < t->row_count * t->column_count; k++) {
        fputc(k % t->column_count ? ',' : '\n', out);
        write_cell(out, &t->columns[k % t->column_count], &t->cells[k]);
    }
    fputc('\n', out);
    return save_end(&file, true)
               ? EXIT_DONE
               : session_fail(job->session, EXIT_IO, "%s: cannot be written: %s", path, strerror(errno));
}

static int write_tables(const run_job *job)
{
    const text_list *asked = &job->options->tables;
    for (size_t k = 0; k < asked->count; k++) {
        const carom_analysis_table *t = asked_table(job, asked->items[k]);
        const int result = t ? write_table_file(job, t, strchr(asked->items[k], '=') + 1) : EXIT_DONE;
        if (result != EXIT_DONE)
            return result;
    }
    return EXIT_DONE;
}

int run_analysis_execute(run_job *job)
{
    const carom_run_def run = run_job_def(job);
    carom_analysis_def def = carom_default_analysis_def();
    def.run_def = &run;
    def.state = run_job_start(job);
    if (carom_run_follows(&run) && !def.state)
        return EXIT_SOLVER;
    const int result = run_job_read_records(job);
    if (result != EXIT_DONE)
        return result;
    def.inputs = job->records;
    def.input_count = job->record_count;
    carom_status status = carom_analysis_run(job->session->ctx, job->model, &def, &job->analysis);
    if (status != CAROM_OK)
        return session_error(job->session, status);
    job->status = "completed";
    size_t matrices;
    carom_analysis_matrices(job->analysis, &matrices);
    if (job->options->matrices && matrices) {
        status = carom_analysis_write_matrices(job->session->ctx, job->analysis, job->options->matrices);
        if (status != CAROM_OK)
            return session_error(job->session, status);
    }
    const int drawn = run_modes_draw(job);
    return drawn == EXIT_DONE ? write_tables(job) : drawn;
}

int run_analysis_check_tables(const run_job *jobs, size_t count)
{
    const run_options *o = jobs[0].options;
    bool any = false;
    for (size_t k = 0; k < count; k++) {
        size_t matrices = 0;
        if (jobs[k].analysis)
            carom_analysis_matrices(jobs[k].analysis, &matrices);
        any = any || matrices;
    }
    if (o->matrices && !any)
        return usage_error(o->command, "--matrices '%s': no analysis of '%s' has matrices; `analysis: modes` has",
                           o->matrices, o->model);
    for (size_t n = 0; n < o->tables.count; n++) {
        bool found = false;
        for (size_t k = 0; k < count; k++)
            found = found || (jobs[k].analysis && asked_table(&jobs[k], o->tables.items[n]));
        if (!found)
            return usage_error(o->command, "--table '%s': not of the form NAME=FILE, or no analysis of '%s' has such a "
                               "table", o->tables.items[n], o->model);
    }
    return EXIT_DONE;
}

/* ---- for people ---- */

static bool is_text(const carom_analysis_quantity *column) { return !column->unit[0]; }
static bool has_unit(const carom_analysis_quantity *q) { return !is_text(q) && strcmp(q->unit, "1") != 0; }

/* The cells of a column in the rows of a table for people. */
static void add_column(table *t, const carom_analysis_table *from, size_t column, const size_t *rows)
{
    const carom_analysis_quantity *q = &from->columns[column];
    const char **texts = calloc(t->rows + 1, sizeof *texts);
    char(*numbers)[32] = calloc(t->rows + 1, sizeof *numbers);
    char header[96];
    if (!texts || !numbers)
        t->failed = true;
    for (size_t k = 0; k < t->rows && texts && numbers; k++) {
        const carom_analysis_cell *cell = &from->cells[rows[k] * from->column_count + column];
        texts[k] = is_text(q) ? cell->text : isnan(cell->number) ? NULL : short_number(numbers[k], cell->number, 6);
    }
    snprintf(header, sizeof header, has_unit(q) ? "%s [%s]" : "%s", q->name, q->unit);
    if (texts && numbers)
        table_texts(t, header, !is_text(q), texts);
    free(texts);
    free(numbers);
}

static void print_table(const run_job *job, const carom_analysis_table *from)
{
    const bool shortened = from->row_count > LONG_TABLE && !job->options->all;
    table t = {.rows = shortened ? LONG_HEAD + LONG_TAIL : from->row_count};
    size_t *rows = malloc((t.rows + 1) * sizeof *rows);
    char gap[80];
    if (!from->row_count || !rows) {
        free(rows);
        return;
    }
    for (size_t k = 0; k < t.rows; k++)
        rows[k] = shortened && k >= LONG_HEAD ? from->row_count - (t.rows - k) : k;
    for (size_t k = 0; k < from->column_count && k < TABLE_COLUMNS; k++)
        add_column(&t, from, k, rows);
    if (shortened) {
        snprintf(gap, sizeof gap, "  ... %zu more; --all prints all %zu", from->row_count - t.rows, from->row_count);
        t.gap_after = LONG_HEAD;
        t.gap_text = gap;
    }
    printf("\n%s: %s\n", from->name, from->description);
    table_print(&t, stdout);
    table_free(&t);
    free(rows);
}

void run_analysis_print_text(const run_job *job)
{
    size_t count, tables;
    const carom_analysis_quantity *list = carom_analysis_quantities(job->analysis, &count);
    const carom_analysis_table *all = carom_analysis_tables(job->analysis, &tables);
    const double *values = carom_analysis_values(job->analysis);
    char number[32];
    print_line(2, "%s · %zu %s · %s", job->info.name, job->info.bodies, job->info.bodies == 1 ? "body" : "bodies",
               carom_analysis_name(job->analysis));
    for (size_t k = 0; k < count; k++)
        print_line(LABELLED, "%-21s %s%s%s", list[k].name, short_number(number, values[k], 6),
                   has_unit(&list[k]) ? " " : "", has_unit(&list[k]) ? list[k].unit : "");
    for (size_t k = 0; k < tables; k++)
        print_table(job, &all[k]);
    if (job->session->warning_count)
        printf("\n");
    for (size_t k = 0; k < job->session->warning_count; k++)
        print_warning_line(job->session->warnings[k]);
    if (job->report)
        printf("\n%-11s  %s\n", "report", job->report);
}

/* ---- JSON ---- */

static void write_table(carom_json *json, const carom_analysis_table *from)
{
    carom_json_begin(json, from->name, '[');
    for (size_t r = 0; r < from->row_count; r++) {
        carom_json_begin(json, NULL, '{');
        for (size_t c = 0; c < from->column_count; c++) {
            const carom_analysis_cell *cell = &from->cells[r * from->column_count + c];
            if (is_text(&from->columns[c]))
                carom_json_text(json, from->columns[c].name, cell->text);
            else
                carom_json_number(json, from->columns[c].name, cell->number);
        }
        carom_json_end(json, '}');
    }
    carom_json_end(json, ']');
}

void run_analysis_print_json(const run_job *job, carom_json *json)
{
    size_t count, tables;
    const carom_analysis_quantity *list = carom_analysis_quantities(job->analysis, &count);
    const carom_analysis_table *all = carom_analysis_tables(job->analysis, &tables);
    const double *values = carom_analysis_values(job->analysis);
    carom_json_begin(json, NULL, '{');
    carom_json_text(json, "model", job->info.name);
    carom_json_text(json, "version", carom_version());
    carom_json_text(json, "analysis", carom_analysis_name(job->analysis));
    carom_json_text(json, "status", job->status);
    carom_json_begin(json, "values", '{');
    for (size_t k = 0; k < count; k++)
        carom_json_number(json, list[k].name, values[k]);
    carom_json_end(json, '}');
    carom_json_begin(json, "tables", '{');
    for (size_t k = 0; k < tables; k++)
        write_table(json, &all[k]);
    carom_json_end(json, '}');
    carom_json_begin(json, "warnings", '[');
    for (size_t k = 0; k < job->session->warning_count; k++)
        carom_json_text(json, NULL, job->session->warnings[k]);
    carom_json_end(json, ']');
    carom_json_end(json, '}');
}
