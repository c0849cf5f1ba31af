/* Derivatives of a motion: created with it, recorded beside its channels, printed behind its impacts. */
#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/save.h"
#include "support/table.h"
#include "support/terminal.h"

#define LABELLED 13
#define DIGITS 7
/* Impacts and channels that are printed without --all. */
#define MOST_IMPACTS 30
#define MOST_FINAL 40

/* ---- creation ---- */

int run_derivatives_create(run_job *job, const carom_simulation_def *def)
{
    const run_options *o = job->options;
    if (o->derivatives.count == 0) {
        const carom_status status = carom_simulation_create(job->session->ctx, job->model, def, &job->sim);
        return status == CAROM_OK ? EXIT_DONE : session_error(job->session, status);
    }
    if (o->resume || !isnan(o->checkpoint))
        return usage_error(o->command, "--derivatives is not with --checkpoint and --resume: a checkpoint has none");
    if (carom_run_follows(job->def))
        return usage_error(o->command, "--derivatives takes a run that begins at the start of the model");
    carom_sensitivity_def sensitivity = carom_default_sensitivity_def();
    sensitivity.parameters = o->derivatives.items;
    sensitivity.parameter_count = o->derivatives.count;
    sensitivity.simulation = def;
    const carom_status status =
        carom_sensitivity_create(job->session->ctx, job->document, &sensitivity, &job->derivatives.of);
    if (status != CAROM_OK)
        return session_error(job->session, status);
    job->sim = carom_sensitivity_simulation(job->derivatives.of);
    job->model = carom_sensitivity_model(job->derivatives.of);
    return EXIT_DONE;
}

/* ---- channels ---- */

/* What is recorded where nothing is named: the motion of the bodies. */
static bool is_motion(const carom_channel *c)
{
    static const char *const quantities[] = {"position", "velocity", "angle", "orientation", "angular_velocity"};
    bool found = false;
    for (size_t k = 0; k < COUNT(quantities) && c->group == 0 && strcmp(c->type, "body") == 0; k++)
        found = found || strcmp(c->quantity, quantities[k]) == 0;
    return found;
}

static char *keep(run_derivatives *d, char *text)
{
    if (text)
        d->texts[d->text_count++] = text;
    return text;
}

/* Unit of a quantity by a parameter: "m/(kg)", of one without a known unit "m per K". */
static char *unit_text(const char *unit, const carom_sensitivity_parameter *p)
{
    const bool pure = strcmp(unit, "1") == 0 || strcmp(unit, "-") == 0;
    if (!p->unit[0])
        return format_text("%s per %s", pure ? "1" : unit, p->name);
    if (strcmp(p->unit, "1") == 0 || strcmp(p->unit, "-") == 0)
        return format_text("%s", unit);
    return format_text("%s/(%s)", pure ? "1" : unit, p->unit);
}

/* Names of the channels: those of the command line, or the motion of the bodies. */
static int choose(run_job *job, const carom_channel *channels, size_t count)
{
    run_derivatives *d = &job->derivatives;
    const text_list *asked = &job->options->derivatives_of;
    const size_t most = asked->count > 0 ? asked->count : count;
    d->names = calloc(most + 1, sizeof *d->names);
    d->channels = calloc(most + 1, sizeof *d->channels);
    if (!d->names || !d->channels)
        return memory_error();
    for (size_t k = 0; k < most; k++)
        if (asked->count > 0 || is_motion(&channels[k]))
            d->names[d->count++] = asked->count > 0 ? asked->items[k] : channels[k].name;
    for (size_t k = 0; k < d->count; k++) {
        const carom_status status = carom_simulation_find_channel(job->sim, d->names[k], &d->channels[k]);
        if (status != CAROM_OK)
            return session_error(job->session, status);
    }
    return EXIT_DONE;
}

/* Adds the channel of one derivative. */
static int add_channel(run_derivatives *d, const carom_sensitivity_parameter *p, size_t k, const carom_channel *like)
{
    static const char *const axes[] = {"x", "y", "z"}, *const quaternion[] = {"w", "x", "y", "z"};
    char *name = keep(d, format_text("derivative.%s.%s", p->name, d->names[k]));
    char *unit = keep(d, unit_text(d->channels[k].unit, p));
    char *text = keep(d, format_text("Derivative of %s by %s.", d->names[k], p->name));
    const int size = d->channels[k].size;
    if (!name || !unit || !text)
        return memory_error();
    d->listed[d->listed_count++] = (carom_channel){.name = name,
                                                   .unit = unit,
                                                   .description = text,
                                                   .size = size,
                                                   .components = size == 1   ? NULL
                                                                 : like      ? like->components
                                                                 : size == 4 ? quaternion
                                                                             : axes,
                                                   .type = "derivative",
                                                   .object = p->name,
                                                   .quantity = d->names[k]};
    d->numbers += (size_t)size;
    return EXIT_DONE;
}

static carom_status on_row(void *user, double time, const double *data)
{
    run_derivatives *d = user;
    const size_t width = d->numbers + 1;
    if (d->row_count == d->capacity) {
        const size_t more = d->capacity ? 2 * d->capacity : 256;
        double *rows = realloc(d->rows, more * width * sizeof *rows);
        if (!rows)
            return CAROM_ERROR_MEMORY;
        d->rows = rows;
        d->capacity = more;
    }
    d->rows[d->row_count * width] = time;
    memcpy(d->rows + d->row_count * width + 1, data, d->numbers * sizeof *data);
    d->row_count++;
    return CAROM_OK;
}

int run_derivatives_prepare(run_job *job)
{
    run_derivatives *d = &job->derivatives;
    size_t count, parameters;
    if (!d->of)
        return EXIT_DONE;
    const carom_channel *channels = carom_simulation_channels(job->sim, &count);
    const carom_sensitivity_parameter *p = carom_sensitivity_parameters(d->of, &parameters);
    int result = channels ? choose(job, channels, count) : memory_error();
    if (result != EXIT_DONE)
        return result;
    d->listed = calloc(count + parameters * d->count + 1, sizeof *d->listed);
    d->texts = calloc(3 * parameters * d->count + 1, sizeof *d->texts);
    if (!d->listed || !d->texts)
        return memory_error();
    for (size_t k = 0; k < count; k++) {
        d->listed[d->listed_count++] = channels[k];
        d->width += channels[k].group == 0 ? (size_t)channels[k].size : 0;
    }
    for (size_t i = 0; i < parameters; i++)
        for (size_t k = 0; k < d->count && result == EXIT_DONE; k++) {
            const carom_channel *like = NULL;
            for (size_t n = 0; n < count && !like; n++)
                like = strcmp(channels[n].name, d->names[k]) == 0 ? &channels[n] : NULL;
            result = add_channel(d, &p[i], k, like);
        }
    if (result != EXIT_DONE)
        return result;
    const carom_status status = carom_sensitivity_record(d->of, d->channels, d->count, on_row, d);
    return status == CAROM_OK ? EXIT_DONE : session_error(job->session, status);
}

carom_status run_derivatives_rows(run_job *job, size_t rows, const double *time, const double *data)
{
    run_derivatives *d = &job->derivatives;
    const size_t width = d->width + d->numbers, own = d->numbers + 1;
    if (rows * width > d->merged_capacity) {
        free(d->merged);
        d->merged_capacity = 0;
        d->merged = malloc(rows * width * sizeof *d->merged);
        if (!d->merged)
            return CAROM_ERROR_MEMORY;
        d->merged_capacity = rows * width;
    }
    for (size_t k = 0; k < rows; k++) {
        double *row = d->merged + k * width;
        memcpy(row, data + k * d->width, d->width * sizeof *row);
        while (d->taken < d->row_count && d->rows[d->taken * own] < time[k])
            d->taken++;
        const bool there = d->taken < d->row_count && d->rows[d->taken * own] == time[k];
        for (size_t n = 0; n < d->numbers; n++)
            row[d->width + n] = there ? d->rows[d->taken * own + 1 + n] : (double)NAN;
    }
    if (d->taken > 0) {
        memmove(d->rows, d->rows + d->taken * own, (d->row_count - d->taken) * own * sizeof *d->rows);
        d->row_count -= d->taken;
        d->taken = 0;
    }
    return job->target->rows(job->target->user, 0, rows, time, d->merged);
}

/* ---- the table of impacts ---- */

static double number_of(const carom_impact *impact, const carom_field *field)
{
    double value;
    memcpy(&value, (const char *)impact + field->offset, sizeof value);
    return value;
}

static void write_impacts(const run_job *job, FILE *out)
{
    size_t count, parameters, fields;
    const carom_field *field = carom_impact_fields(&fields);
    const carom_sensitivity_parameter *p = carom_sensitivity_parameters(job->derivatives.of, &parameters);
    carom_simulation_impacts(job->sim, &count);
    fprintf(out, "parameter,impact,contact");
    for (size_t f = 0; f < fields; f++)
        if (field[f].type == CAROM_FIELD_NUMBER)
            fprintf(out, ",%s [%s]", field[f].name, field[f].unit);
    fprintf(out, "\n");
    for (size_t i = 0; i < parameters; i++)
        for (size_t k = 0; k < count; k++) {
            carom_impact d;
            if (carom_sensitivity_impact(job->derivatives.of, k, i, &d) != CAROM_OK)
                continue;
            fprintf(out, "%s,%zu,%s", p[i].name, k + 1, d.contact);
            for (size_t f = 0; f < fields; f++)
                if (field[f].type == CAROM_FIELD_NUMBER)
                    fprintf(out, ",%.17g", number_of(&d, &field[f]));
            fprintf(out, "\n");
        }
}

int run_derivatives_write(run_job *job)
{
    run_derivatives *d = &job->derivatives;
    size_t count = 0;
    if (d->of)
        carom_simulation_impacts(job->sim, &count);
    if (!job->results || !d->of)
        return EXIT_DONE;
    const carom_status status = carom_result_add_derivatives(job->session->ctx, job->results, d->of);
    if (status != CAROM_OK)
        return session_error(job->session, status);
    if (count == 0)
        return EXIT_DONE;
    char *path = sibling_name(job->results, ".derivatives.csv");
    save out;
    if (path && save_begin(&out, path)) {
        write_impacts(job, out.file);
        if (save_end(&out, true)) {
            d->table = path;
            return EXIT_DONE;
        }
    }
    print_error("cannot write '%s'", path ? path : "the derivatives of the impacts");
    free(path);
    return EXIT_IO;
}

/* ---- printing ---- */

/* Impacts by one parameter, in SI units. */
static void print_impacts(const run_job *job, size_t parameter, size_t count)
{
    size_t fields;
    const carom_field *field = carom_impact_fields(&fields);
    table t = {.rows = count, .keys = 2};
    carom_impact *d = calloc(count, sizeof *d);
    double *numbers = calloc(count, sizeof *numbers);
    const char **names = calloc(count, sizeof *names);
    for (size_t k = 0; k < count && d && names && numbers; k++) {
        if (carom_sensitivity_impact(job->derivatives.of, k, parameter, &d[k]) != CAROM_OK)
            break;
        names[k] = d[k].contact;
        numbers[k] = (double)(k + 1);
    }
    if (d && names && numbers) {
        table_numbers(&t, "impact", units_none, 0, numbers);
        table_texts(&t, "contact", false, names);
        for (size_t f = 0; f < fields; f++) {
            if (field[f].type != CAROM_FIELD_NUMBER || !field[f].rank || t.columns == TABLE_COLUMNS)
                continue;
            bool any = false;
            for (size_t k = 0; k < count; k++) {
                numbers[k] = number_of(&d[k], &field[f]);
                any = any || (numbers[k] != 0 && !isnan(numbers[k]));
            }
            char *head = strcmp(field[f].unit, "1") == 0 ? format_text("%s", field[f].head)
                                                          : format_text("%s [%s]", field[f].head, field[f].unit);
            if (head && any)
                table_numbers(&t, head, units_none, DIGITS, numbers);
            free(head);
        }
        table_print(&t, stdout);
    } else {
        memory_error();
    }
    free(d);
    free(numbers);
    free(names);
    table_free(&t);
}

/* Whether a parameter moves the end of the run. */
static bool end_moves(const carom_sensitivity_parameter *p, size_t count)
{
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any = any || p[i].end != 0;
    return any;
}

/* The parameters, once the channels at the end have been read: of some nothing else depends on them. */
static const carom_sensitivity_parameter *parameters_at_end(const run_derivatives *d, size_t *count)
{
    carom_sensitivity_parameters(d->of, count);
    double *out = calloc(4 * *count, sizeof *out);
    for (size_t k = 0; k < d->count && out; k++)
        if (carom_sensitivity_final(d->of, &d->channels[k], out) != CAROM_OK)
            break;
    free(out);
    return carom_sensitivity_parameters(d->of, count);
}

/* Channels at the end, by all parameters; when that is, if one moves it. */
static void print_final(const run_job *job)
{
    const run_derivatives *d = &job->derivatives;
    size_t parameters, rows = 0, row = 0;
    const carom_sensitivity_parameter *p = carom_sensitivity_parameters(d->of, &parameters);
    for (size_t k = 0; k < d->count; k++)
        rows += (size_t)d->channels[k].size;
    const size_t times = end_moves(p, parameters);
    rows += times;
    if (rows == times || (rows > MOST_FINAL && !job->options->all))
        return;
    table t = {.rows = rows};
    double *values = calloc(rows * (parameters + 1), sizeof *values), *out = calloc(4 * parameters, sizeof *out);
    const char **names = calloc(rows, sizeof *names);
    char **texts = calloc(rows, sizeof *texts);
    for (size_t i = 0; times && values && texts && names && i <= parameters; i++)
        values[i * rows] = i == 0 ? carom_simulation_time(job->sim) : p[i - 1].end;
    if (times && texts && names) {
        texts[0] = format_text("time [s]");
        names[row++] = texts[0];
    }
    for (size_t k = 0; k < d->count && values && out && names && texts; k++) {
        const size_t size = (size_t)d->channels[k].size;
        const carom_channel *c = &d->listed[d->listed_count - d->count + k];
        double now[4];
        if (carom_simulation_evaluate(job->sim) != CAROM_OK ||
            carom_simulation_read(job->sim, &d->channels[k], now) != CAROM_OK ||
            carom_sensitivity_final(d->of, &d->channels[k], out) != CAROM_OK)
            break;
        for (size_t n = 0; n < size; n++, row++) {
            texts[row] = size == 1 ? format_text("%s [%s]", d->names[k], d->channels[k].unit)
                                   : format_text("%s.%s [%s]", d->names[k], c->components[n], d->channels[k].unit);
            names[row] = texts[row];
            values[row] = now[n];
            for (size_t i = 0; i < parameters; i++)
                values[(i + 1) * rows + row] = out[i * size + n];
        }
    }
    if (row == rows) {
        printf("\n");
        table_texts(&t, "at the end", false, names);
        table_numbers(&t, "value", units_none, DIGITS, values);
        for (size_t i = 0; i < parameters && t.columns < TABLE_COLUMNS; i++) {
            char *head = format_text("by %s", p[i].name);
            if (head)
                table_numbers(&t, head, units_none, DIGITS, values + (i + 1) * rows);
            free(head);
        }
        table_print(&t, stdout);
    }
    for (size_t k = 0; k < rows && texts; k++)
        free(texts[k]);
    free(values);
    free(out);
    free(names);
    free(texts);
    table_free(&t);
}

void run_derivatives_print(const run_job *job)
{
    size_t parameters, count;
    if (!job->derivatives.of)
        return;
    const carom_sensitivity_parameter *p = parameters_at_end(&job->derivatives, &parameters);
    carom_simulation_impacts(job->sim, &count);
    const size_t shown = count > MOST_IMPACTS && !job->options->all ? MOST_IMPACTS : count;
    char value[32];
    for (size_t i = 0; i < parameters; i++) {
        printf("\n");
        print_line(LABELLED, "derivatives by %s, which is %s%s%s%s%s%s", p[i].name,
                   short_number(value, p[i].value, 10), p[i].unit[0] && strcmp(p[i].unit, "1") != 0 ? " " : "",
                   strcmp(p[i].unit, "1") != 0 ? p[i].unit : "",
                   p[i].influences ? "" : ": nothing in this run depends on it, all are 0",
                   p[i].one_sided ? ", the bound of its range: taken on one side" : "",
                   p[i].lost < HUGE_VAL ? ", not defined for the whole run, see the warnings" : "");
        if (shown > 0 && p[i].influences)
            print_impacts(job, i, shown);
        if (shown < count && p[i].influences)
            printf("  ... %zu more; --all prints all %zu impacts\n", count - shown, count);
    }
    print_final(job);
}

static void json_final(const run_job *job, carom_json *json, size_t parameter)
{
    const run_derivatives *d = &job->derivatives;
    size_t parameters;
    carom_sensitivity_parameters(d->of, &parameters);
    double *out = calloc(4 * parameters, sizeof *out);
    carom_json_begin(json, "final", '{');
    for (size_t k = 0; k < d->count && out; k++) {
        const size_t size = (size_t)d->channels[k].size;
        if (carom_sensitivity_final(d->of, &d->channels[k], out) != CAROM_OK)
            continue;
        if (size == 1)
            carom_json_number(json, d->names[k], out[parameter]);
        else
            carom_json_numbers(json, d->names[k], out + parameter * size, size);
    }
    carom_json_end(json, '}');
    free(out);
}

void run_derivatives_print_json(const run_job *job, carom_json *json)
{
    size_t parameters, count, fields;
    if (!job->derivatives.of)
        return;
    const carom_sensitivity_parameter *p = parameters_at_end(&job->derivatives, &parameters);
    const carom_field *field = carom_impact_fields(&fields);
    carom_simulation_impacts(job->sim, &count);
    carom_json_begin(json, "derivatives", '[');
    for (size_t i = 0; i < parameters; i++) {
        carom_json_begin(json, NULL, '{');
        carom_json_text(json, "parameter", p[i].name);
        carom_json_number(json, "value", p[i].value);
        carom_json_text(json, "unit", p[i].unit);
        carom_json_bool(json, "influences", p[i].influences);
        carom_json_bool(json, "one_sided", p[i].one_sided);
        carom_json_number(json, "end", p[i].end);
        carom_json_number(json, "defined_until", p[i].lost < HUGE_VAL ? p[i].lost : carom_simulation_time(job->sim));
        carom_json_begin(json, "impacts", '[');
        for (size_t k = 0; k < count; k++) {
            carom_impact d;
            if (carom_sensitivity_impact(job->derivatives.of, k, i, &d) != CAROM_OK)
                continue;
            carom_json_begin(json, NULL, '{');
            carom_json_fields(json, field, fields, &d);
            carom_json_end(json, '}');
        }
        carom_json_end(json, ']');
        json_final(job, json, i);
        carom_json_end(json, '}');
    }
    carom_json_end(json, ']');
}

void run_derivatives_free(run_derivatives *d)
{
    carom_sensitivity_free(d->of);
    free(d->channels);
    free(d->names);
    free(d->listed);
    for (size_t k = 0; k < d->text_count; k++)
        free(d->texts[k]);
    free(d->texts);
    free(d->rows);
    free(d->merged);
    free(d->table);
}
