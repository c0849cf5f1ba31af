/* `carom optimise`: the best design of a model. */
#include "fit/fit_call.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/json.h"
#include "support/save.h"
#include "support/table.h"
#include "support/terminal.h"

typedef struct optimise_options {
    const char *study, *model;
    double jobs; /* NAN: not given */
    bool check, json, quiet;
} optimise_options;

typedef struct optimise_call {
    session *session;
    const optimise_options *options;
    carom_optimise *study;
    carom_optimise_info info;
    carom_optimise_result result;
    progress_bar bar;
    fit_pool pool;
    double seconds;
    char *model; /* file to write */
} optimise_call;

/* ---- how it is done ---- */

static bool go_on(void *user)
{
    (void)user;
    return caught_signal() == 0;
}

static void show(void *user, const char *what, size_t evaluations, double objective)
{
    optimise_call *c = user;
    char text[120];
    snprintf(text, sizeof text, "%.40s: %zu designs, the best %.6g", what, evaluations, fabs(objective));
    progress_text(&c->bar, text);
}

static void perform_tasks(void *user, size_t count, carom_fit_task task, void *job)
{
    optimise_call *c = user;
    fit_pool_perform(&c->pool, count, task, job);
}

/* ---- what it prints ---- */

static void print_head(const optimise_call *c)
{
    const carom_optimise_info *i = &c->info;
    if (i->title[0])
        print_line(0, "%s", i->title);
    print_line(0, "%zu free number%s, %zu constraint%s, method %s from %zu start%s%s%s", i->unknowns,
               i->unknowns == 1 ? "" : "s", i->constraints, i->constraints == 1 ? "" : "s", i->method, i->starts,
               i->starts == 1 ? "" : "s", i->model ? ", of " : "", i->model ? i->model : "");
}

static void print_plan(const optimise_call *c)
{
    char low[32], high[32], start[32];
    print_head(c);
    for (size_t k = 0; k < c->info.unknowns; k++) {
        carom_fit_unknown u;
        carom_optimise_get_unknown(c->study, k, &u);
        print_line(2, "%s%s%s%s: from %s to %s, start %s%s", u.name, u.unit ? " [" : "", u.unit ? u.unit : "",
                   u.unit ? "]" : "", short_number(low, u.low, 6), short_number(high, u.high, 6),
                   short_number(start, u.start, 6), u.log ? ", by its logarithm" : "");
    }
    carom_optimise_item item;
    for (size_t k = 0; carom_optimise_get_item(c->study, k, &item); k++)
        if (k <= c->info.quantities)
            print_line(2, "%s%s%s%s = %s", item.name, item.unit ? " [" : "", item.unit ? item.unit : "",
                       item.unit ? "]" : "", item.expression);
        else
            print_line(2, "constraint %s", item.name);
}

/* A row of the table of numbers. */
static void put_row(const optimise_call *c, size_t row, char **names, char **values, char **notes)
{
    const carom_optimise_info *i = &c->info;
    const carom_optimise_result *r = &c->result;
    char text[32];
    if (row < i->unknowns) {
        carom_fit_unknown u;
        carom_optimise_get_unknown(c->study, row, &u);
        names[row] = format_text("%s%s%s%s", u.name, u.unit ? " [" : "", u.unit ? u.unit : "", u.unit ? "]" : "");
        values[row] = format_text("%s", short_number(text, r->values[row], 6));
        return;
    }
    const size_t k = row - i->unknowns;
    carom_optimise_item item;
    carom_optimise_get_item(c->study, k, &item);
    names[row] =
        format_text("%s%s%s%s", item.name, item.unit ? " [" : "", item.unit ? item.unit : "", item.unit ? "]" : "");
    values[row] = format_text("%s", short_number(text, r->numbers[k], 6));
    if (k == i->quantities)
        notes[row] = format_text("objective");
    else if (k > i->quantities)
        notes[row] = format_text("%s", r->active[k - i->quantities - 1] ? "holds just so"
                                       : r->numbers[k] < 0              ? "violated by this"
                                                                        : "holds by this");
}

static void print_result(const optimise_call *c)
{
    const carom_optimise_info *i = &c->info;
    const size_t rows = i->unknowns + i->quantities + 1 + i->constraints;
    char **cells[3] = {calloc(rows, sizeof(char *)), calloc(rows, sizeof(char *)), calloc(rows, sizeof(char *))};
    static const char *const heads[3] = {"design", "value", ""};
    print_head(c);
    print_line(0, "%s after %zu designs in %.3g s",
               caught_signal()      ? "interrupted"
               : c->result.feasible ? "found"
                                    : "NOT FOUND",
               c->result.evaluations, c->seconds);
    if (c->result.derivatives)
        print_line(0, "derivatives: %s", c->result.derivatives);
    putchar('\n');
    table t = {.rows = rows};
    if (cells[0] && cells[1] && cells[2]) {
        for (size_t k = 0; k < rows; k++)
            put_row(c, k, cells[0], cells[1], cells[2]);
        for (int k = 0; k < 3; k++) {
            for (size_t row = 0; k == 2 && row < rows; row++)
                if (!cells[k][row])
                    cells[k][row] = format_text(" ");
            table_texts(&t, heads[k], k == 1, (const char *const *)cells[k]);
        }
        table_print(&t, stdout);
    }
    table_free(&t);
    for (int k = 0; k < 3; k++) {
        for (size_t row = 0; cells[k] && row < rows; row++)
            free(cells[k][row]);
        free(cells[k]);
    }
    putchar('\n');
    for (size_t k = 0; k < c->result.sentence_count; k++)
        print_line(0, "%s", c->result.sentences[k]);
}

static int print_json(const optimise_call *c, const char *model)
{
    carom_json *j = json_open(c->session);
    const carom_optimise_result *r = &c->result;
    carom_optimise_item item;
    if (!j)
        return EXIT_SOLVER;
    carom_json_begin(j, NULL, '{');
    carom_json_text(j, "study", c->info.file);
    carom_json_text(j, "version", carom_version());
    carom_json_text(j, "method", c->info.method);
    carom_json_bool(j, "feasible", r->feasible);
    carom_json_bool(j, "converged", r->converged);
    carom_json_integer(j, "designs", (int64_t)r->evaluations);
    carom_json_text(j, "derivatives", r->derivatives);
    carom_json_begin(j, "parameters", '{');
    for (size_t k = 0; k < c->info.unknowns; k++) {
        carom_fit_unknown u;
        carom_optimise_get_unknown(c->study, k, &u);
        carom_json_number(j, u.name, r->values[k]);
    }
    carom_json_end(j, '}');
    carom_json_begin(j, "quantities", '{');
    for (size_t k = 0; k < c->info.quantities && carom_optimise_get_item(c->study, k, &item); k++)
        carom_json_number(j, item.name, r->numbers[k]);
    carom_json_end(j, '}');
    carom_json_number(j, "objective", r->numbers[c->info.quantities]);
    carom_json_begin(j, "constraints", '[');
    for (size_t k = 0; k < c->info.constraints; k++) {
        carom_optimise_get_item(c->study, c->info.quantities + 1 + k, &item);
        carom_json_begin(j, NULL, '{');
        carom_json_text(j, "constraint", item.name);
        carom_json_number(j, "holds_by", r->numbers[c->info.quantities + 1 + k]);
        carom_json_bool(j, "active", r->active[k]);
        carom_json_end(j, '}');
    }
    carom_json_end(j, ']');
    carom_json_begin(j, "searches", '[');
    for (size_t k = 0; k < r->end_count; k++) {
        carom_json_begin(j, NULL, '{');
        carom_json_number(j, "objective", r->ends[k].objective);
        carom_json_bool(j, "feasible", r->ends[k].feasible);
        carom_json_bool(j, "converged", r->ends[k].converged);
        carom_json_integer(j, "designs", (int64_t)r->ends[k].evaluations);
        carom_json_end(j, '}');
    }
    carom_json_end(j, ']');
    carom_json_begin(j, "sentences", '[');
    for (size_t k = 0; k < r->sentence_count; k++)
        carom_json_text(j, NULL, r->sentences[k]);
    carom_json_end(j, ']');
    carom_json_text(j, "model", model);
    carom_json_end(j, '}');
    return json_print(c->session, j);
}

static int solve(optimise_call *c)
{
    carom_fit_options options = carom_default_fit_options();
    if (!fit_pool_open(&c->pool, fit_workers(c->options->jobs, c->info.model != NULL)))
        return memory_error();
    options.workers = c->pool.count + 1;
    options.perform = perform_tasks;
    options.go_on = go_on;
    options.progress = show;
    options.user = c;
    watch_signals();
    progress_begin(&c->bar, c->options->quiet, 0);
    progress_text(&c->bar, "looking at designs within the bounds");
    const carom_status status = carom_optimise_solve(c->session->ctx, c->study, &options, &c->result);
    c->seconds = progress_end(&c->bar);
    fit_pool_close(&c->pool);
    if (caught_signal() && c->result.values && !c->options->json && !c->options->quiet)
        print_result(c);
    else if (caught_signal() && !c->options->json && !c->options->quiet)
        print_line(0, "interrupted before a first design was evaluated: there are no values yet");
    if (caught_signal())
        return EXIT_SIGNAL + caught_signal();
    return status == CAROM_OK ? EXIT_DONE : session_error(c->session, status);
}

static int report(optimise_call *c)
{
    const optimise_options *o = c->options;
    char *text = NULL;
    int code = EXIT_DONE;
    if (!o->json && !o->quiet)
        print_result(c);
    fflush(stdout);
    const carom_status status = carom_optimise_model_text(c->session->ctx, c->study, &c->result, &text);
    if (status != CAROM_OK)
        code = session_error(c->session, status);
    if (text)
        code = write_fit_model(c->session, c->model, text);
    const char *written = text && code == EXIT_DONE ? c->model : NULL;
    carom_text_free(c->session->ctx, text);
    if (o->json) {
        const int told = print_json(c, written);
        code = code == EXIT_DONE ? told : code;
    } else if (!o->quiet && written) {
        printf("\nmodel with these values: %s\n", written);
    }
    return code == EXIT_DONE && !c->result.feasible ? EXIT_SOLVER : code;
}

/* ---- command ---- */

/* The file, named before the work is done; it may not be what the study reads. */
static int name_file(optimise_call *c)
{
    const optimise_options *o = c->options;
    c->model = o->model ? format_text("%s", o->model) : sibling_name(o->study, "-optimal.yaml");
    if (!c->model)
        return memory_error();
    if (!c->info.model)
        return EXIT_DONE;
    const int code = refuse_input("optimise", "--model", c->model, o->study, "the study");
    return code == EXIT_DONE ? refuse_input("optimise", "--model", c->model, c->info.model, "the model of the study")
                             : code;
}

static int perform(optimise_call *c)
{
    carom_status status = carom_optimise_read(c->session->ctx, c->options->study, &c->study);
    if (status == CAROM_OK)
        status = carom_optimise_check(c->session->ctx, c->study);
    if (status != CAROM_OK)
        return session_error(c->session, status);
    c->info = carom_optimise_get_info(c->study);
    if (c->options->check) {
        print_plan(c);
        return EXIT_DONE;
    }
    int code = name_file(c);
    if (code == EXIT_DONE)
        code = solve(c);
    return code == EXIT_DONE ? report(c) : code;
}

static int optimise_arguments(session *s, const text_list *arguments, void *user)
{
    optimise_options *o = user;
    o->study = arguments->items[0];
    const int jobs = check_fit_jobs("optimise", o->jobs);
    if (jobs != EXIT_DONE)
        return jobs;
    s->deaf = true;
    optimise_call c = {.session = s, .options = o};
    const int code = perform(&c);
    carom_optimise_result_free(s->ctx, &c.result);
    carom_optimise_free(c.study);
    free(c.model);
    return code;
}

int command_optimise(int argc, char **argv)
{
    optimise_options o = {.jobs = NAN};
    const option options[] = {
        {"check", 0, OPTION_FLAG, &o.check, NULL, "check the study, tell what would be searched, search nothing"},
        {"json", 0, OPTION_FLAG, &o.json, NULL, "one JSON object instead of the table"},
        {"model", 'm', OPTION_FILE, &o.model, "FILE",
         "the model with the best values (default: STUDY with the\nending -optimal.yaml)"},
        {"jobs", 'j', OPTION_NUMBER, &o.jobs, "N", "runs made at a time (default: the number of cores)"},
        {"quiet", 'q', OPTION_FLAG, &o.quiet, NULL, "no progress and no table"},
    };
    const command_def def = {
        .name = "optimise",
        .arguments = "STUDY",
        .text =
            "Finds the values of parameters, within bounds, at which an objective over quantities of a run is least\n"
            "(or greatest) and constraints on quantities hold, from several starts. Tells which constraints decide\n"
            "the design, and writes the model with the best values. Exit status 3: no design holds them.\n"
            "docs/fit.md tells of studies.",
        .example = "  carom optimise study.yaml --check\n"
                   "  carom optimise study.yaml && carom run study-optimal.yaml",
        .options = options,
        .option_count = COUNT(options),
        .least = 1,
        .most = 1};
    return command_perform(&def, argc, argv, optimise_arguments, &o);
}
