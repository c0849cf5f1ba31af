/* Derivatives of quantities. The run gives those of the channels, the impacts and the ledger by each parameter
   (carom/sensitivity.h). What an expression makes of them is found by its values a little beside the run, where all
   that it reads is the value of the run and a share of the derivative: no run is made there, and the share may be as
   small as rounding allows. */
#include "study/runner.h"

#include "base/fields.h"
#include "read/reader.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Share of a parameter, and of the time between the first and the last one of a probe. */
#define SHARE 1e-6

/* ---- whether there are any ---- */

/* What a program reads that has no derivative; NULL: nothing. */
static const char *without(const carom_program *p)
{
    const char *found = NULL;
    for (size_t k = 0; k < p->leaf_count && !found; k++) {
        const carom_leaf *leaf = &p->leaves[k];
        const bool of_rows = leaf->type == CAROM_LEAF_FIELD || leaf->type == CAROM_LEAF_ELEMENT;
        if (of_rows && leaf->rows == CAROM_ROWS_RESTS)
            found = "rests have no derivatives";
        else if (leaf->type == CAROM_LEAF_LEDGER && (strcmp(leaf->field->name, "start") == 0 ||
                                                     strcmp(leaf->field->name, "cutoff_loss") == 0 ||
                                                     strcmp(leaf->field->name, "residual_fraction") == 0))
            found = "that term of the ledger has no derivative";
        else if (leaf->type == CAROM_LEAF_VALUE || leaf->type == CAROM_LEAF_CELL)
            found = "an analysis that is no motion has none";
        if (!found && leaf->body)
            found = without(leaf->body);
        for (size_t i = 0; i < leaf->argument_count && !found; i++)
            found = without(leaf->arguments[i]);
    }
    return found;
}

/* What the expressions of a study read. */
typedef struct reading {
    bool parameters, ledger, times, course;     /* times: of the course, methods that look at a time of it; course: at
                                                   all of it */
} reading;

static void add_reading(const carom_program *p, reading *out)
{
    for (size_t k = 0; k < p->leaf_count; k++) {
        const carom_leaf *leaf = &p->leaves[k];
        out->parameters = out->parameters || leaf->type == CAROM_LEAF_PARAMETER;
        out->ledger = out->ledger || leaf->type == CAROM_LEAF_LEDGER;
        if (leaf->type == CAROM_LEAF_REDUCTION && leaf->body && !leaf->body->of_rows) {
            const int id = leaf->reduction->id;
            const bool all = id == CAROM_REDUCTION_MEAN || id == CAROM_REDUCTION_RMS || id == CAROM_REDUCTION_INTEGRAL;
            *(all ? &out->course : &out->times) = true;
        }
        if (leaf->body)
            add_reading(leaf->body, out);
        for (size_t i = 0; i < leaf->argument_count; i++)
            add_reading(leaf->arguments[i], out);
    }
}

static reading reading_of(const carom_study *s)
{
    reading out = {false};
    for (size_t k = 0; k < s->item_count; k++)
        add_reading(s->items[k].program, &out);
    return out;
}

bool carom_study_slopes_at_times(const carom_study *s)
{
    const reading what = reading_of(s);
    return what.times && !what.course;
}

const char *carom_study_without_slopes(const carom_study *s)
{
    const char *found = NULL;
    for (size_t k = 0; k < s->item_count && !found; k++)
        found = without(s->items[k].program);
    return found;
}

/* ---- the run ---- */

carom_status carom_study_slopes_begin(carom_study_runner *r, const carom_document *document,
                                      const carom_simulation_def *motion)
{
    const carom_study *s = r->study;
    const char *names[CAROM_STUDY_PARAMETERS];
    carom_sensitivity_def def = carom_default_sensitivity_def();
    for (size_t k = 0; k < r->slopes->count; k++)
        names[k] = s->sides[r->slopes->sides[k]].name;
    def.parameters = names;
    def.parameter_count = r->slopes->count;
    def.simulation = motion;
    CAROM_TRY(carom_sensitivity_create(r->ctx, document, &def, &r->sensitivity));
    r->sim = carom_sensitivity_simulation(r->sensitivity);
    r->slopes_of_course = reading_of(s).course;
    return CAROM_OK;
}

static carom_status on_slopes(void *user, double time, const double *data)
{
    carom_study_runner *r = user;
    const carom_series *rows = &r->slope_rows;
    if (rows->count > 0 && rows->time[rows->count - 1] >= time)
        return CAROM_OK;
    return carom_series_add(r->ctx, &r->slope_rows, time, data);
}

/* The row of derivatives at the present time. */
static carom_status read_row(carom_study_runner *r, double *all)
{
    const size_t channels = r->study->channel_count;
    double row[CAROM_STUDY_PARAMETERS * 4];
    for (size_t c = 0; c < channels; c++) {
        CAROM_TRY(carom_sensitivity_read(r->sensitivity, &r->refs[c], row));
        for (size_t k = 0; k < r->slopes->count; k++)
            all[k * channels + c] = row[k];
    }
    return CAROM_OK;
}

carom_status carom_study_slopes_step(carom_study_runner *r)
{
    if (!r->slopes_of_course)
        return CAROM_OK;
    CAROM_TRY(read_row(r, r->slope_steps.scale));
    return carom_series_add(r->ctx, &r->slope_steps, carom_simulation_time(r->sim), r->slope_steps.scale);
}

/* What the end of the run does, which an event or a parameter moves. */
static carom_status read_end(carom_study_runner *r)
{
    const size_t channels = r->study->channel_count;
    size_t count;
    const carom_sensitivity_parameter *p = carom_sensitivity_parameters(r->sensitivity, &count);
    double row[CAROM_STUDY_PARAMETERS * 4];
    for (size_t k = 0; k < count; k++)
        r->ends[k] = p[k].end;
    for (size_t c = 0; c < channels; c++) {
        CAROM_TRY(carom_sensitivity_final(r->sensitivity, &r->refs[c], row));
        for (size_t k = 0; k < count; k++)
            r->slope_final[k * channels + c] = row[k];
    }
    return CAROM_OK;
}

carom_status carom_study_slopes_end(carom_study_runner *r)
{
    if (r->slope_rows.width == 0)
        return CAROM_OK;
    CAROM_TRY(read_end(r));
    CAROM_TRY(read_row(r, r->slope_rows.scale));
    return on_slopes(r, carom_simulation_time(r->sim), r->slope_rows.scale);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Rows of a run between which derivatives that methods over the time read are found. */
#define ROWS 200

/* At the times of a probe and at those that methods took their results from; where they look at the whole course
   evenly, and at steps, as well. */
carom_status carom_study_slopes_record(carom_study_runner *r)
{
    const carom_study *s = r->study;
    const size_t width = s->channel_count * r->slopes->count, probes = r->probe ? r->probe->count : 0;
    const size_t looked = r->slopes_of_course ? 0 : s->reduction_count;
    const double until = carom_simulation_until(r->sim);
    const size_t rows = r->slopes_of_course ? ROWS + 1 : 0;
    if (width == 0)
        return CAROM_OK;
    r->slope_rows.width = r->slope_steps.width = width;
    r->slope_rows.scale = carom_allocate(r->ctx, width, sizeof(double));
    r->slope_steps.scale = carom_allocate(r->ctx, width, sizeof(double));
    const size_t most = probes + rows + looked;
    size_t count = 0;
    double *times = carom_allocate(r->ctx, most + 1, sizeof *times);
    r->slope_final = carom_allocate(r->ctx, width, sizeof(double));
    if (!times || !r->slope_rows.scale || !r->slope_steps.scale || !r->slope_final) {
        carom_release(r->ctx, times, most + 1, sizeof *times);
        return carom_fail_memory(r->ctx);
    }
    for (size_t k = 0; k < probes; k++)
        times[count++] = fmin(fmax(r->probe->times[k], 0), until);
    for (size_t k = 0; k < rows; k++)
        times[count++] = (double)k / ROWS * until;
    for (size_t k = 0; k < looked; k++)
        if (isfinite(r->times[k]))
            times[count++] = fmin(fmax(r->times[k], 0), until);
    qsort(times, count, sizeof *times, ascending);
    const carom_status status =
        carom_sensitivity_record_at(r->sensitivity, r->refs, s->channel_count, times, count, on_slopes, r);
    carom_release(r->ctx, times, most + 1, sizeof *times);
    return status;
}

/* ---- what is read beside the run ---- */

/* Distance of the values beside a parameter: a share of its size, which is that of the derivatives. */
static double step_of(const carom_study_runner *r, size_t k)
{
    size_t count;
    const double value = fabs(r->point[r->slopes->sides[k]]);
    const carom_sensitivity_parameter *of = carom_sensitivity_parameters(r->sensitivity, &count);
    return fmax(SHARE * (value > 0 ? value : 1), k < count && !of[k].one_sided ? 0.1 * of[k].step : 0);
}

/* Derivatives of the numbers of the model: what else of `parameters` follows from a parameter moves with it. */
static carom_status find_parameters(carom_study_runner *r, const carom_document *document)
{
    const carom_study_slopes *slopes = r->slopes;
    const size_t count = r->spec->parameter_count;
    if (!reading_of(r->study).parameters)
        return CAROM_OK;
    r->parameter_slope_count = slopes->count * count;
    r->parameter_slopes = carom_allocate(r->ctx, r->parameter_slope_count + 1, sizeof *r->parameter_slopes);
    if (!r->parameter_slopes)
        return carom_fail_memory(r->ctx);
    for (size_t k = 0; k < slopes->count; k++) {
        const carom_study_side *side = &r->study->sides[slopes->sides[k]];
        const double value = r->point[slopes->sides[k]], step = step_of(r, k);
        double *out = r->parameter_slopes + k * count;
        for (int sign = -1; sign <= 1; sign += 2) {
            carom_document *beside;
            CAROM_TRY(carom_document_with(document, side->name, value + sign * step, NULL, &beside));
            const carom_spec *spec = carom_document_spec(beside);
            for (size_t i = 0; i < count; i++)
                out[i] += sign * spec->parameters[i].value / (2 * step);
            carom_document_free(beside);
        }
    }
    return CAROM_OK;
}

/* The numbers of a struct and a share of others. */
static void add_share(void *to, const void *of, double share, const carom_field *fields, size_t count)
{
    for (size_t f = 0; f < count; f++) {
        double value, slope;
        if (fields[f].type != CAROM_FIELD_NUMBER)
            continue;
        memcpy(&value, (const char *)to + fields[f].offset, sizeof value);
        memcpy(&slope, (const char *)of + fields[f].offset, sizeof slope);
        value += share * slope;
        memcpy((char *)to + fields[f].offset, &value, sizeof value);
    }
}

static carom_status find_ledger(carom_study_runner *r, size_t k, carom_ledger *out)
{
    size_t count;
    const carom_field *fields = carom_ledger_fields(&count);
    double numbers[CAROM_STUDY_PARAMETERS];
    for (size_t f = 0; f < count; f++) {
        char name[80];
        snprintf(name, sizeof name, "energy.%.60s", fields[f].name);
        /* what is no channel has none */
        double value = NAN;
        carom_channel_ref channel;
        carom_status status = carom_simulation_find_channel(r->sim, name, &channel);
        if (status == CAROM_OK)
            status = carom_sensitivity_final(r->sensitivity, &channel, numbers);
        if (status == CAROM_OK)
            value = numbers[k];
        else if (status != CAROM_ERROR_USAGE)
            return status;
        memcpy((char *)out + fields[f].offset, &value, sizeof value);
    }
    return CAROM_OK;
}

/* What a run left, kept while the quantities read it beside. */
typedef struct kept {
    carom_impact *impacts, *slopes;     /* beside the run; derivatives by one parameter */
    carom_ledger ledger;
    double *numbers, *values;           /* quantities and curves of both sides */
    size_t number_count, value_count;
} kept;

static void look_beside(carom_study_runner *r, size_t k, double offset, const kept *b, const carom_ledger *ledger,
                        double *numbers, double *values)
{
    const carom_study_probe *probe = r->probe;
    carom_study_probe own = probe ? *probe : (carom_study_probe){0};
    const carom_impact *impacts = r->impacts;
    double *quantities = r->quantities;
    const carom_ledger of_run = r->ledger;
    size_t fields;
    const carom_field *field = carom_impact_fields(&fields);
    for (size_t n = 0; n < r->impact_count; n++) {
        b->impacts[n] = impacts[n];
        add_share(&b->impacts[n], &b->slopes[n], offset, field, fields);
    }
    field = carom_ledger_fields(&fields);
    add_share(&r->ledger, ledger, offset, field, fields);
    own.values = values;
    r->probe = probe ? &own : NULL;
    r->impacts = b->impacts;
    r->quantities = numbers;
    r->beside = (carom_study_beside){true, k, offset};
    memset(r->cached, 0, r->study->reduction_count * sizeof *r->cached);
    carom_study_find_quantities(r);
    r->beside.on = false;
    r->quantities = quantities;
    r->impacts = impacts;
    r->probe = probe;
    r->ledger = of_run;
}

static carom_status find_slopes(carom_study_runner *r, size_t k, kept *b)
{
    const carom_study_slopes *slopes = r->slopes;
    const double step = step_of(r, k);
    carom_ledger ledger = r->ledger;
    for (size_t n = 0; n < r->impact_count; n++)
        CAROM_TRY(carom_sensitivity_impact(r->sensitivity, n, k, &b->slopes[n]));
    if (reading_of(r->study).ledger)
        CAROM_TRY(find_ledger(r, k, &ledger));
    for (int side = 0; side < 2; side++)
        look_beside(r, k, side ? step : -step, b, &ledger, b->numbers + (size_t)side * b->number_count,
                    b->values + (size_t)side * b->value_count);
    for (size_t i = 0; i < b->number_count; i++)
        slopes->quantities[k * b->number_count + i] = (b->numbers[b->number_count + i] - b->numbers[i]) / (2 * step);
    for (size_t i = 0; i < b->value_count; i++)
        slopes->curves[k * b->value_count + i] = (b->values[b->value_count + i] - b->values[i]) / (2 * step);
    return CAROM_OK;
}

/* By the times of the probe, along the rows of the run. */
static carom_status find_later(carom_study_runner *r, const kept *b)
{
    const carom_study_probe *probe = r->probe;
    double *times = carom_allocate(r->ctx, 2 * probe->count + 1, sizeof *times), *quantities = r->quantities;
    const double span = probe->times[probe->count - 1] - probe->times[0];
    const double step = SHARE * (span > 0 ? span : carom_simulation_until(r->sim));
    if (!times)
        return carom_fail_memory(r->ctx);
    memset(r->cached, 0, r->study->reduction_count * sizeof *r->cached);
    for (size_t k = 0; k < probe->count; k++) {
        times[k] = probe->times[k] - step;
        times[probe->count + k] = probe->times[k] + step;
        carom_series_clear_span(&r->series, probe->times[k], &times[k], &times[probe->count + k]);
    }
    for (int side = 0; side < 2; side++) {
        const carom_study_probe own = {
            .count = probe->count, .times = times + (size_t)side * probe->count,
            .values = b->values + (size_t)side * b->value_count};
        r->probe = &own;
        r->quantities = b->numbers;
        carom_study_find_quantities(r);
        r->quantities = quantities;
        r->probe = probe;
    }
    for (size_t i = 0; i < b->value_count; i++)
        r->slopes->later[i] = (b->values[b->value_count + i] - b->values[i]) /
                              fmax(times[probe->count + i % probe->count] - times[i % probe->count], DBL_MIN);
    carom_release(r->ctx, times, 2 * probe->count + 1, sizeof *times);
    return CAROM_OK;
}

carom_status carom_study_slopes_find(carom_study_runner *r, const carom_document *document)
{
    char message[sizeof r->message];
    const size_t items = r->study->item_count;
    kept b = {.number_count = items, .value_count = r->probe ? items * r->probe->count : 0};
    snprintf(message, sizeof message, "%s", r->message);
    b.impacts = carom_allocate(r->ctx, r->impact_count + 1, sizeof *b.impacts);
    b.slopes = carom_allocate(r->ctx, r->impact_count + 1, sizeof *b.slopes);
    b.numbers = carom_allocate(r->ctx, 2 * b.number_count + 1, sizeof *b.numbers);
    b.values = carom_allocate(r->ctx, 2 * b.value_count + 1, sizeof *b.values);
    carom_status status =
        b.impacts && b.slopes && b.numbers && b.values ? CAROM_OK : carom_fail_memory(r->ctx);
    if (status == CAROM_OK && r->sensitivity && r->slope_rows.width > 0)
        status = carom_series_merge(r->ctx, &r->slope_rows, &r->slope_steps);
    if (status == CAROM_OK && r->sensitivity)
        status = find_parameters(r, document);
    for (size_t k = 0; status == CAROM_OK && r->sensitivity && k < r->slopes->count; k++)
        status = find_slopes(r, k, &b);
    if (status == CAROM_OK && r->slopes->later && r->sim && r->probe && r->probe->count > 0 &&
        !r->probe->depths)
        status = find_later(r, &b);
    carom_release(r->ctx, b.impacts, r->impact_count + 1, sizeof *b.impacts);
    carom_release(r->ctx, b.slopes, r->impact_count + 1, sizeof *b.slopes);
    carom_release(r->ctx, b.numbers, 2 * b.number_count + 1, sizeof *b.numbers);
    carom_release(r->ctx, b.values, 2 * b.value_count + 1, sizeof *b.values);
    snprintf(r->message, sizeof r->message, "%s", message);
    return status;
}

void carom_study_slopes_clear(carom_study_runner *r)
{
    carom_release(r->ctx, r->slope_final, r->slope_rows.width, sizeof *r->slope_final);
    r->slope_final = NULL;
    carom_series_free(r->ctx, &r->slope_rows);
    carom_series_free(r->ctx, &r->slope_steps);
    carom_release(r->ctx, r->parameter_slopes, r->parameter_slope_count + 1, sizeof *r->parameter_slopes);
    r->parameter_slopes = NULL;
    r->parameter_slope_count = 0;
    carom_sensitivity_free(r->sensitivity);
    r->sensitivity = NULL;
}
