/* Derivatives of a run: the models and simulations beside it, and what is asked of them. */
#include "carom/sensitivity.h"
#include "analysis/sensitivity/size.h"
#include "base/context.h"
#include "base/fields.h"
#include "sim/tangent/tangent.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Values beside a parameter: this share of it; where there is one on one side alone a smaller one, whose error is of
   its order. */
#define STEP 1e-5
#define ONE_SIDED_STEP 1e-7
/* Shares that a caller may ask for. */
#define LEAST_STEP 1e-12
#define LARGEST_STEP 0.1
/* A state of the user's own below this, whose size is not known, is what rounding has left of zero. */
#define ROUNDED 1e-15

/* A parameter, and its two models and simulations. */
typedef struct beside {
    carom_sensitivity_parameter is;
    carom_model *model[2];      /* NULL: that of the run */
    double until;               /* derivative of the time at which the run ends, unless an event ends it [s per unit] */
    carom_simulation *twin[2];
} beside;

struct carom_sensitivity {
    carom_context *ctx;
    carom_arena arena;
    carom_document *document;
    carom_simulation_def def;   /* of the twins */
    carom_model *model;
    carom_simulation *sim;
    size_t count;
    beside *of;
    carom_sensitivity_parameter *parameters;
    double *ends;               /* of each parameter, of the time at which the run has ended */
};

carom_sensitivity_def carom_default_sensitivity_def(void)
{
    return (carom_sensitivity_def){.size = sizeof(carom_sensitivity_def)};
}

/* ---- what a name is ---- */

static carom_status not_found(carom_sensitivity *s, const carom_document *document, const char *name)
{
    const carom_spec *spec = carom_document_spec(document);
    const char **names = carom_allocate(s->ctx, spec->parameter_count, sizeof *names);
    if (!names)
        return carom_fail_memory(s->ctx);
    for (size_t k = 0; k < spec->parameter_count; k++)
        names[k] = spec->parameters[k].name;
    const char *nearest = carom_nearest_name(name, names, spec->parameter_count);
    const carom_status status =
        carom_fail(s->ctx, CAROM_ERROR_USAGE, NULL,
                   "no derivatives by '%.100s': the model has no such parameter%s%s%s; a name is one of `parameters:`, "
                   "or such as body.NAME.mass, contact.NAME.stiffness, body.NAME.velocity.y",
                   name, nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    carom_release(s->ctx, names, spec->parameter_count, sizeof *names);
    return status;
}

/* The number of `parameters:`; false: it is none. */
static bool find_parameter(const carom_spec *spec, const char *name, carom_sensitivity_parameter *out)
{
    for (size_t k = 0; k < spec->parameter_count; k++)
        if (strcmp(spec->parameters[k].name, name) == 0) {
            out->kind = CAROM_SENSITIVITY_PARAMETER;
            out->value = spec->parameters[k].value;
            out->unit = spec->parameters[k].unit ? spec->parameters[k].unit : "";
            return true;
        }
    return false;
}

/* A number of the state at the start, with its unit; false: it is none. */
static bool find_start(carom_sensitivity *s, const char *name, carom_sensitivity_parameter *out)
{
    if (strcmp(name, "time") == 0 || carom_state_get(&s->sim->s, name, &out->value, 1) != CAROM_OK)
        return false;
    out->kind = CAROM_SENSITIVITY_START;
    out->unit = "";
    size_t count;
    const carom_state_part *part = carom_state_parts(&s->sim->s, &count);
    for (size_t k = 0; part && k < count; k++) {
        const size_t length = strlen(part[k].name);
        if (strncmp(part[k].name, name, length) == 0 && (name[length] == '\0' || name[length] == '.'))
            out->unit = part[k].unit;
    }
    return true;
}

/* Whether a name is that of several numbers of the start. */
static bool is_part(carom_sensitivity *s, const char *name)
{
    size_t count;
    const carom_state_part *part = carom_state_parts(&s->sim->s, &count);
    bool found = false;
    for (size_t k = 0; part && k < count; k++)
        found = found || (part[k].size > 1 && strcmp(part[k].name, name) == 0);
    return found;
}

static carom_status find(carom_sensitivity *s, const carom_document *document, const char *name, beside *out)
{
    const bool dotted = name && strchr(name, '.');
    if (!name)
        return carom_fail(s->ctx, CAROM_ERROR_USAGE, NULL, "the name of a parameter is NULL");
    out->is = (carom_sensitivity_parameter){.name = carom_arena_text(&s->arena, name), .lost = HUGE_VAL};
    if (!out->is.name)
        return carom_fail_memory(s->ctx);
    if (find_parameter(carom_document_spec(document), name, &out->is))
        return CAROM_OK;
    if (!dotted) {
        /* a word is refused as one by the reader, all else as no parameter */
        carom_document *copy;
        CAROM_TRY(carom_document_copy(document, &copy));
        const carom_status status = carom_document_set(copy, name, "0");
        carom_document_free(copy);
        if (status != CAROM_OK && strstr(carom_context_error(s->ctx), "word"))
            return carom_fail(s->ctx, CAROM_ERROR_USAGE, NULL, "no derivatives by '%.100s': its value is a word", name);
        return not_found(s, document, name);
    }
    if (carom_simulation_get_parameter(s->sim, name, &out->is.value) == CAROM_OK) {
        out->is.kind = CAROM_SENSITIVITY_NUMBER;
        out->is.unit = "";
        return CAROM_OK;
    }
    char why[400];
    snprintf(why, sizeof why, "%s", carom_context_error(s->ctx));
    if (find_start(s, name, &out->is))
        return CAROM_OK;
    if (is_part(s, name))
        return carom_fail(s->ctx, CAROM_ERROR_USAGE, NULL, "no derivatives by '%.100s': name one component, such as "
                          "%.100s.x", name, name);
    return carom_fail(s->ctx, CAROM_ERROR_USAGE, NULL, "no derivatives by %s", why);
}

/* ---- values beside it ---- */

/* What a number of the start is compared with: its value, and no less than the model's own size of its unit. A value
   of 1e-17, which rounding has left of zero, is none. */
static double size_of_start(const carom_model *m, const carom_sensitivity_parameter *p)
{
    const struct {
        const char *unit;
        double size;
    } least[] = {{"m", m->length_scale},
                 {"m/s", m->speed_scale},
                 {"rad", 1},
                 {"rad/s", m->speed_scale / m->length_scale}};
    const double value = fabs(p->value);
    for (size_t k = 0; k < CAROM_COUNT(least); k++)
        if (strcmp(p->unit, least[k].unit) == 0)
            return fmax(value, least[k].size);
    /* parts of a quaternion, and what has no size that is known */
    return strncmp(p->name, "body.", 5) == 0 ? fmax(value, 1) : value > ROUNDED ? value : 1;
}

/* Of a number of the model that is a component, the length of its vector. */
static double size_of_number(carom_sensitivity *s, const carom_sensitivity_parameter *p)
{
    const size_t length = strlen(p->name);
    double size = fabs(p->value), other;
    char name[256];
    if (length < 3 || length >= sizeof name || p->name[length - 2] != '.' || !strchr("xyz", p->name[length - 1]))
        return size > 0 ? size : 1;
    memcpy(name, p->name, length + 1);
    for (const char *axis = "xyz"; *axis; axis++) {
        name[length - 1] = *axis;
        if (*axis != p->name[length - 1] && carom_simulation_get_parameter(s->sim, name, &other) == CAROM_OK)
            size = hypot(size, other);
    }
    return size > 0 ? size : 1;
}

/* What a change of a parameter is compared with. */
static carom_status find_size(carom_sensitivity *s, const carom_sensitivity_parameter *p, double share, double *size)
{
    if (p->kind == CAROM_SENSITIVITY_START)
        *size = size_of_start(s->model, p);
    else if (p->kind == CAROM_SENSITIVITY_NUMBER)
        *size = size_of_number(s, p);
    else if (p->value != 0)
        return carom_parameter_size(s->document, s->model, p->name, p->value, share, size);
    else
        *size = strcmp(p->unit, "m") == 0     ? s->model->length_scale
                : strcmp(p->unit, "m/s") == 0 ? s->model->speed_scale
                                              : 1;
    return CAROM_OK;
}

static carom_status create_twin(carom_sensitivity *s, beside *of, int side, double offset)
{
    const double value = of->is.value + offset;
    if (of->is.kind == CAROM_SENSITIVITY_PARAMETER) {
        CAROM_TRY(carom_parameter_model(s->ctx, s->document, of->is.name, value, &of->model[side]));
        return carom_simulation_create(s->ctx, of->model[side], &s->def, &of->twin[side]);
    }
    CAROM_TRY(carom_simulation_create(s->ctx, s->model, &s->def, &of->twin[side]));
    carom_simulation *twin = of->twin[side];
    if (of->is.kind == CAROM_SENSITIVITY_NUMBER) {
        CAROM_TRY(carom_simulation_set_parameter(twin, of->is.name, value));
        return carom_simulation_reset(twin);
    }
    carom_state *state;
    CAROM_TRY(carom_state_create(s->ctx, s->model, &state));
    carom_assembly_def closed = carom_default_assembly_def();
    closed.tolerance = 1e-14;
    carom_status status = carom_simulation_get_state(twin, state);
    if (status == CAROM_OK)
        status = carom_state_set(state, of->is.name, &value, 1);
    if (status == CAROM_OK)
        status = carom_simulation_set_state(twin, state, &closed, NULL);
    carom_state_free(state);
    return status;
}

/* A simulation of the run with a value of a parameter, moved by `offset`. What its model and its start tell the log has
   been told of the run itself. */
static carom_status make_twin(carom_sensitivity *s, beside *of, int side, double offset)
{
    const carom_log_fn log = s->ctx->log;
    s->ctx->log = NULL;
    const carom_status status = create_twin(s, of, side, offset);
    s->ctx->log = log;
    return status;
}

static void drop_twin(beside *of, int side)
{
    carom_simulation_free(of->twin[side]);
    carom_model_free(of->model[side]);
    of->twin[side] = NULL;
    of->model[side] = NULL;
}

/* Index of the run among those of the model; -1: it is another one, or has another `until`. */
static int run_index(const carom_sensitivity *s, const carom_simulation_def *def)
{
    for (int k = 0; k < s->model->run_count; k++) {
        const carom_run_def *run = carom_model_get_run(s->model, (size_t)k), *own = def->run_def;
        const bool same = own ? own->place.line == run->place.line && own->place.column == run->place.column
                              : (size_t)k == def->run;
        if (same && run->until == s->sim->run.until)
            return k;
    }
    return -1;
}

/* What a parameter does to the time of the end, by the models beside. */
static double until_slope(const carom_sensitivity *s, const beside *of, const double offset[2])
{
    const int run = run_index(s, &s->def);
    if (run < 0 || !of->model[0] || !of->model[1])
        return 0;
    const double at[2] = {carom_model_get_run(of->model[0], (size_t)run)->until,
                          carom_model_get_run(of->model[1], (size_t)run)->until};
    return at[0] == at[1] ? 0 : (at[1] - at[0]) / (offset[1] - offset[0]);
}

/* Both twins, on both sides of the value or where it is at its bound on one. */
static carom_status make_twins(carom_sensitivity *s, beside *of, double size, double share, double offset[2])
{
    offset[0] = -share * size;
    offset[1] = share * size;
    carom_status status[2];
    for (int side = 0; side < 2; side++) {
        status[side] = make_twin(s, of, side, offset[side]);
        if (status[side] == CAROM_ERROR_MEMORY)
            return status[side];
    }
    of->is.step = share * size;
    if (status[0] == CAROM_OK && status[1] == CAROM_OK)
        return CAROM_OK;
    if (status[0] != CAROM_OK && status[1] != CAROM_OK) {
        char why[600];
        snprintf(why, sizeof why, "%s", carom_context_error(s->ctx));
        return carom_fail(s->ctx, status[1], NULL, "no derivatives by '%s': %s", of->is.name, why);
    }
    const int good = status[0] == CAROM_OK ? 0 : 1;
    of->is.step = ONE_SIDED_STEP * size;
    of->is.one_sided = true;
    offset[good] = good ? of->is.step : -of->is.step;
    offset[1 - good] = 0;
    for (int side = 0; side < 2; side++) {
        drop_twin(of, side);
        CAROM_TRY(make_twin(s, of, side, offset[side]));
    }
    return CAROM_OK;
}

/* ---- creation ---- */

static carom_status remake(void *user, size_t parameter, int side, double offset, carom_simulation **twin)
{
    carom_sensitivity *s = user;
    beside *of = &s->of[parameter];
    drop_twin(of, side);
    *twin = NULL;
    CAROM_TRY(make_twin(s, of, side, offset));
    *twin = of->twin[side];
    return CAROM_OK;
}

static carom_status create_twins(carom_sensitivity *s, const carom_sensitivity_def *def)
{
    carom_tangent *tangents = carom_arena_alloc(&s->arena, s->count, sizeof *tangents);
    /* the simulation has copies of what the caller gave */
    s->def = s->sim->def;
    s->def.sink = NULL;
    s->def.progress = NULL;
    s->def.integrator = s->sim->run.integrator->kind.name;
    s->of = carom_arena_alloc(&s->arena, s->count, sizeof *s->of);
    s->parameters = carom_arena_alloc(&s->arena, s->count, sizeof *s->parameters);
    s->ends = carom_arena_alloc(&s->arena, s->count, sizeof *s->ends);
    if (!tangents || !s->of || !s->parameters || !s->ends)
        return carom_fail_memory(s->ctx);
    const double share = def->step != 0 ? def->step : STEP;
    for (size_t k = 0; k < s->count; k++) {
        beside *of = &s->of[k];
        CAROM_TRY(find(s, s->document, def->parameters[k], of));
        CAROM_TRY(find_size(s, &of->is, share, &tangents[k].size));
        CAROM_TRY(make_twins(s, of, tangents[k].size, share, tangents[k].offset));
        of->until = until_slope(s, of, tangents[k].offset);
        tangents[k].name = of->is.name;
        tangents[k].twin[0] = of->twin[0];
        tangents[k].twin[1] = of->twin[1];
    }
    return carom_tangents_attach(s->sim, s->count, tangents, remake, s);
}

carom_status carom_sensitivity_create(carom_context *ctx, const carom_document *document,
                                      const carom_sensitivity_def *def, carom_sensitivity **out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, document);
    CAROM_NEED(ctx, out);
    *out = NULL;
    carom_sensitivity_def own = carom_default_sensitivity_def();
    CAROM_TRY(carom_take_def(ctx, def, &own, sizeof own, "sensitivity_def"));
    if (!own.parameters || !own.parameter_count)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "derivatives by nothing: name parameters");
    if (own.step != 0 && !(own.step >= LEAST_STEP && own.step <= LARGEST_STEP))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "derivatives with values beside the parameter at a share of %.3g of it: it must be between "
                          "%.0g and %.0g, or 0 for the default, %.0g",
                          own.step, LEAST_STEP, LARGEST_STEP, STEP);
    carom_simulation_def simulation = carom_default_simulation_def();
    CAROM_TRY(carom_take_def(ctx, own.simulation, &simulation, sizeof simulation, "simulation_def"));
    carom_sensitivity *s = carom_allocate(ctx, 1, sizeof *s);
    if (!s)
        return carom_fail_memory(ctx);
    s->ctx = ctx;
    s->count = own.parameter_count;
    carom_arena_init(&s->arena, ctx);
    carom_status status = carom_document_copy(document, &s->document);
    if (status == CAROM_OK)
        status = carom_model_compile(ctx, carom_document_spec(s->document), &s->model);
    if (status == CAROM_OK)
        status = carom_simulation_create(ctx, s->model, &simulation, &s->sim);
    if (status == CAROM_OK)
        status = carom_tangents_check(s->sim);
    if (status == CAROM_OK)
        status = create_twins(s, &own);
    if (status != CAROM_OK) {
        carom_sensitivity_free(s);
        return status;
    }
    *out = s;
    return CAROM_OK;
}

void carom_sensitivity_free(carom_sensitivity *s)
{
    if (!s)
        return;
    carom_context *ctx = s->ctx;
    carom_simulation_free(s->sim);
    for (size_t k = 0; k < s->count && s->of; k++)
        for (int side = 0; side < 2; side++)
            drop_twin(&s->of[k], side);
    carom_model_free(s->model);
    carom_document_free(s->document);
    carom_arena_free(&s->arena);
    carom_release(ctx, s, 1, sizeof *s);
}

/* ---- asking ---- */

carom_simulation *carom_sensitivity_simulation(carom_sensitivity *s) { return s ? s->sim : NULL; }
const carom_model *carom_sensitivity_model(const carom_sensitivity *s) { return s ? s->model : NULL; }

static bool influences(const carom_tangents *all, size_t i)
{
    const size_t numbers = carom_tangent_fields();
    bool any = all->of[i].lost < HUGE_VAL || all->of[i].clock != 0 || all->of[i].noticed;
    for (size_t k = 0; k < all->n && !any; k++)
        any = all->y[(i + 1) * all->n + k] != 0;
    for (size_t n = 0; n < all->impact_count && !any; n++)
        for (size_t k = 0; k < numbers && !any; k++)
            any = all->impacts[n].d[i * numbers + k] != 0 && !isnan(all->impacts[n].d[i * numbers + k]);
    return any;
}

/* Derivatives of the time at which the run has ended; zeros before that. */
static void find_ends(carom_sensitivity *s)
{
    const carom_tangents *all = s->sim->tangents;
    const bool over = *s->sim->s.time >= s->sim->run.until;
    for (size_t k = 0; k < s->count; k++)
        s->ends[k] = all->stopped ? all->of[k].end : over ? s->of[k].until : 0;
}

const carom_sensitivity_parameter *carom_sensitivity_parameters(carom_sensitivity *s, size_t *count)
{
    if (!s)
        return carom_give_none(count);
    carom_give_count(count, s->count);
    find_ends(s);
    for (size_t k = 0; k < s->count; k++) {
        s->of[k].is.lost = s->sim->tangents->of[k].lost;
        s->of[k].is.end = s->ends[k];
        s->of[k].is.influences = s->of[k].is.influences || s->ends[k] != 0 || influences(s->sim->tangents, k);
        s->parameters[k] = s->of[k].is;
    }
    return s->parameters;
}

carom_status carom_sensitivity_read(carom_sensitivity *s, const carom_channel_ref *channel, double *out)
{
    CAROM_NEED_AS(NULL, s, "sensitivity");
    CAROM_NEED(s->ctx, channel);
    CAROM_NEED(s->ctx, out);
    CAROM_TRY(carom_channels_check(s->sim, channel));
    return carom_tangents_channel(s->sim, channel, out);
}

carom_status carom_sensitivity_final(carom_sensitivity *s, const carom_channel_ref *channel, double *out)
{
    CAROM_NEED_AS(NULL, s, "sensitivity");
    CAROM_NEED(s->ctx, channel);
    CAROM_NEED(s->ctx, out);
    CAROM_TRY(carom_channels_check(s->sim, channel));
    find_ends(s);
    return carom_tangents_moving(s->sim, channel, s->ends, out);
}

carom_status carom_sensitivity_channel(carom_sensitivity *s, const char *name, double *out)
{
    CAROM_NEED_AS(NULL, s, "sensitivity");
    CAROM_NEED(s->ctx, out);
    carom_channel_ref channel;
    CAROM_TRY(carom_simulation_find_channel(s->sim, name, &channel));
    return carom_tangents_channel(s->sim, &channel, out);
}

/* `times` NULL: those of the output interval. */
static carom_status record(carom_sensitivity *s, const carom_channel_ref *channels, size_t count,
                           const carom_tangent_records *given)
{
    carom_tangent_records records = *given;
    for (size_t k = 0; k < count; k++)
        CAROM_TRY(carom_channels_check(s->sim, &channels[k]));
    const double every = s->sim->run.output_every;
    carom_channel_ref *copy = carom_arena_alloc(&s->arena, count, sizeof *copy);
    double *times = given->times ? carom_arena_alloc(&s->arena, (size_t)given->time_count + 1, sizeof *times) : NULL;
    for (size_t k = 0; k < count; k++)
        records.numbers += (size_t)channels[k].size;
    records.row = carom_arena_alloc(&s->arena, s->count * records.numbers, sizeof(double));
    if (!copy || !records.row || (given->times && !times))
        return carom_fail_memory(s->ctx);
    for (size_t k = 0; k < count; k++)
        copy[k] = channels[k];
    for (int k = 0; times && k < given->time_count; k++)
        times[k] = given->times[k];
    records.count = count;
    records.channels = copy;
    records.times = times;
    records.index = times ? 0 : (int)ceil(carom_simulation_time(s->sim) / every - 1e-9);
    s->sim->tangents->records = records;
    return CAROM_OK;
}

carom_status carom_sensitivity_record(carom_sensitivity *s, const carom_channel_ref *channels, size_t count,
                                      carom_status (*row)(void *user, double time, const double *data), void *user)
{
    CAROM_NEED_AS(NULL, s, "sensitivity");
    CAROM_TRY(carom_simulation_check_idle(s->sim, "carom_sensitivity_record()"));
    const carom_tangent_records records = {.take = row, .user = user};
    return record(s, channels, count, &records);
}

carom_status carom_sensitivity_record_at(carom_sensitivity *s, const carom_channel_ref *channels, size_t count,
                                         const double *times, size_t time_count,
                                         carom_status (*row)(void *user, double time, const double *data), void *user)
{
    CAROM_NEED_AS(NULL, s, "sensitivity");
    CAROM_TRY(carom_simulation_check_idle(s->sim, "carom_sensitivity_record_at()"));
    if (!times || time_count > INT_MAX)
        return carom_fail(s->ctx, CAROM_ERROR_USAGE, NULL, "carom_sensitivity_record_at: no times, or too many");
    for (size_t k = 0; k < time_count; k++)
        if (!(times[k] >= (k > 0 ? times[k - 1] : carom_simulation_time(s->sim))))
            return carom_fail(s->ctx, CAROM_ERROR_USAGE, NULL, "time %zu of the derivatives, %.9g s, lies before %s", k,
                              times[k], k > 0 ? "the one before it" : "the present one");
    const carom_tangent_records records = {.take = row, .user = user, .times = times, .time_count = (int)time_count};
    return record(s, channels, count, &records);
}

static carom_status check_parameter(const carom_sensitivity *s, size_t parameter)
{
    if (parameter < s->count)
        return CAROM_OK;
    return carom_fail(s->ctx, CAROM_ERROR_USAGE, NULL, "parameter %zu: derivatives are by %zu", parameter, s->count);
}

carom_status carom_sensitivity_state(carom_sensitivity *s, size_t parameter, double *positions, double *velocities)
{
    CAROM_NEED_AS(NULL, s, "sensitivity");
    CAROM_TRY(check_parameter(s, parameter));
    double *all = s->sim->tangents->rate;
    CAROM_TRY(carom_tangents_state(s->sim, parameter, all));
    const carom_layout layout = s->sim->s.layout;
    if (positions)
        memcpy(positions, all, (size_t)layout.positions * sizeof *all);
    if (velocities)
        memcpy(velocities, all + (s->sim->s.v - s->sim->s.q), (size_t)layout.velocities * sizeof *all);
    return CAROM_OK;
}

carom_status carom_sensitivity_impact(carom_sensitivity *s, size_t impact, size_t parameter, carom_impact *out)
{
    CAROM_NEED_AS(NULL, s, "sensitivity");
    CAROM_TRY(check_parameter(s, parameter));
    size_t count, fields, n = 0;
    const carom_impact *of = carom_simulation_impacts(s->sim, &count);
    if (impact >= count || !out)
        return carom_fail(s->ctx, CAROM_ERROR_USAGE, NULL, "impact %zu: there are %zu", impact, count);
    const carom_tangents *all = s->sim->tangents;
    const carom_field *field = carom_impact_fields(&fields);
    const carom_tangent_impact *row = NULL;
    for (size_t k = 0; k < all->impact_count && !row; k++)
        if (all->impacts[k].contact == of[impact].contact_index && all->impacts[k].onset == of[impact].onset)
            row = &all->impacts[k];
    *out = of[impact];
    for (size_t f = 0; f < fields; f++) {
        if (field[f].type != CAROM_FIELD_NUMBER)
            continue;
        const double value = row ? row->d[parameter * carom_tangent_fields() + n] : (double)NAN;
        memcpy((char *)out + field[f].offset, &value, sizeof value);
        n++;
    }
    return CAROM_OK;
}
