/* The free direct impact of a law: by its first integral where it has one, else by a simulation of a ball that meets a
   plane. */
#include "law/impact_general.h"
#include "law/law.h"
#include "sim/expect.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

carom_impact_def carom_default_impact_def(void)
{
    return (carom_impact_def){.size = sizeof(carom_impact_def),
                              .law = carom_default_law_def(),
                              .mass = (double)NAN,
                              .speed = (double)NAN,
                              .tolerance = 1e-10};
}

void carom_impact_solution_free(carom_context *ctx, carom_impact_solution *solution)
{
    if (solution && solution->time)
        carom_release(ctx, solution->time, 4 * solution->loop, sizeof(double));
    if (solution)
        solution->time = solution->delta = solution->rate = solution->force = NULL;
}

/* Room for the points of the motion. */
static carom_status make_loop(carom_context *ctx, size_t count, carom_impact_solution *out)
{
    if (!count)
        return CAROM_OK;
    out->time = carom_allocate(ctx, count, 4 * sizeof(double));
    if (!out->time)
        return carom_fail_memory(ctx);
    out->loop = count;
    out->delta = out->time + count;
    out->rate = out->delta + count;
    out->force = out->rate + count;
    return CAROM_OK;
}

static void set_speeds(carom_impact_solution *out, double v_out)
{
    out->v_out = v_out;
    out->e_got = v_out / out->v_in;
    out->energy_lost = 0.5 * out->mass * (out->v_in - v_out) * (out->v_in + v_out);
}

static carom_status beyond_limit(const carom_law *law, const carom_impact_def *def)
{
    return carom_fail(
        law->ctx, CAROM_ERROR_MODEL, NULL,
        "the impact of %.6g kg at %.6g m/s goes beyond the indentation of %.6g m up to which elastic part %s holds",
        def->mass, def->speed, law->info.limit, law->info.elastic);
}

/* ---- in closed form ---- */

static carom_status solve_exactly(const carom_law *law, const carom_impact_def *def, carom_impact_solution *out)
{
    const carom_normal_law *c = &law->normal;
    const carom_free_impact impact = {c->elastic, c->elastic_constants, out->factor, def->mass, def->speed, false};
    carom_free_solution s;
    out->method = "exact";
    if (!carom_free_impact_solve(&impact, &s))
        return beyond_limit(law, def);
    set_speeds(out, s.restitution * def->speed);
    out->energy_lost = 0.5 * def->mass * def->speed * def->speed * s.loss;
    out->peak_force = s.peak_force;
    out->peak_indentation = s.peak_indentation;
    out->peak_rate = s.peak_rate;
    out->max_indentation = s.max_indentation;
    out->duration = s.duration;
    out->duration_to_zero = s.duration + (s.end > 0 ? s.end / out->v_out : 0);
    CAROM_TRY(make_loop(law->ctx, def->loop, out));
    if (def->loop)
        carom_free_impact_loop(&impact, &s, def->loop, out->time, out->delta, out->rate, out->force);
    return CAROM_OK;
}

/* ---- by integration ---- */

/* One accepted step: motion and force at its end. */
typedef struct row {
    double time, delta, rate, force;
} row;

typedef struct rows {
    carom_context *ctx;
    row *item;
    size_t count, capacity;
} rows;

/* What the scene records, in the order of the table of channels. */
enum { FORCE, INDENTATION, INDENTATION_RATE, CONTACT_COLUMNS };

static carom_status keep_rows(void *user, int group, size_t count, const double *time, const double *data)
{
    rows *r = user;
    if (group != 1)
        return CAROM_OK;
    CAROM_TRY(carom_grow(r->ctx, &r->item, &r->capacity, r->count + count, sizeof *r->item));
    for (size_t k = 0; k < count; k++, data += CONTACT_COLUMNS)
        r->item[r->count++] = (row){time[k], data[INDENTATION], data[INDENTATION_RATE], data[FORCE]};
    return CAROM_OK;
}

/* Radius of the ball in depths of the impact: the indentation keeps its digits, and no rule on deep contacts speaks. */
#define SHALLOW 100
/* Times of an elastic impact after which a contact that has not come to rest is given up. */
#define PATIENCE 1e5
/* Share of the impact velocity, and of the greatest indentation, below which a body rests. */
#define AT_REST 1e-12

/* Steps after which the integration is given up. */
#define MOST_STEPS 1000000

static bool goes_on(void *user, const carom_progress *progress)
{
    (void)user;
    return progress->steps < MOST_STEPS;
}

/* Runs until the contact has opened, or the body rests in it; *released says which. A rate of separation below AT_REST is
   rounding. */
static carom_status run_impact(carom_simulation *sim, double scale, bool *released)
{
    const carom_state *s = &sim->s;
    *released = true;
    for (double time = 4 * scale; time <= sim->run.until; time *= 2) {
        CAROM_TRY(carom_simulation_advance(sim, time));
        if (sim->impact_count) {
            *released = sim->impacts[0].v_out > AT_REST * sim->impacts[0].v_in;
            return carom_record_flush(sim);
        }
        const carom_contact_point *p = &sim->d->contacts[0];
        if (fabs(p->gap_rate) < AT_REST * s->located[0].speed && fabs(p->gap) < AT_REST * s->located[0].peak_depth)
            break;
    }
    *released = false;
    return carom_record_flush(sim);
}

/* Motion within a step: the polynomial of degree 5 through indentation, rate and acceleration at both ends. */
typedef struct arc {
    double start, length, c[6];
} arc;

static arc arc_between(const row *a, const row *b, double mass)
{
    double h = b->time - a->time, p0 = a->delta, v0 = a->rate * h, a0 = -a->force / mass * h * h;
    double p1 = b->delta, v1 = b->rate * h, a1 = -b->force / mass * h * h;
    double d = p1 - p0;
    return (arc){a->time,
                 h,
                 {p0, v0, 0.5 * a0, 10 * d - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1,
                  -15 * d + 8 * v0 + 7 * v1 + 1.5 * a0 - a1, 6 * d - 3 * (v0 + v1) - 0.5 * a0 + 0.5 * a1}};
}

static void arc_at(const arc *p, double mass, double time, row *out)
{
    double x = (time - p->start) / p->length;
    const double *c = p->c;
    out->time = time;
    out->delta = c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * (c[4] + x * c[5]))));
    out->rate = (c[1] + x * (2 * c[2] + x * (3 * c[3] + x * (4 * c[4] + x * 5 * c[5])))) / p->length;
    out->force = -mass * (2 * c[2] + x * (6 * c[3] + x * (12 * c[4] + x * 20 * c[5]))) / (p->length * p->length);
}

/* Motion at a time between the first and the last row. */
static void motion_at(const rows *r, double mass, double time, row *out)
{
    size_t low = 0, high = r->count - 1;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        *(r->item[middle].time <= time ? &low : &high) = middle;
    }
    arc p = arc_between(&r->item[low], &r->item[high], mass);
    arc_at(&p, mass, time, out);
}

/* Force of the law at a point of the motion, and how fast it changes there. */
static double force_rate(const carom_law *law, const carom_impact_def *def, const row *at, double *force)
{
    carom_law_output f;
    const carom_law_input in = {fmax(at->delta, 0), at->rate, def->speed, def->mass, 0};
    if (carom_law_force(law, &in, &f) != CAROM_OK)
        return -1;
    *force = f.force;
    return f.d_delta * at->rate - f.d_rate * f.force / def->mass;
}

/* The greatest force and where it acts: at the onset, at the turn of a law with memory, or where the force is stationary
   near the step of the largest one. */
static void find_peak(const carom_law *law, const carom_impact_def *def, const rows *r, carom_impact_solution *out)
{
    size_t best = 0;
    for (size_t k = 1; k < r->count; k++)
        if (r->item[k].force > r->item[best].force)
            best = k;
    row at = r->item[best];
    double force = at.force;
    if (!law->info.has_memory && !(best == 0 && force_rate(law, def, &at, &force) <= 0)) {
        double low = r->item[best ? best - 1 : 0].time, high = r->item[best + 1 < r->count ? best + 1 : best].time;
        for (int k = 0; k < 60 && high - low > 1e-15 * high; k++) {
            double middle = 0.5 * (low + high);
            motion_at(r, def->mass, middle, &at);
            *(force_rate(law, def, &at, &force) > 0 ? &low : &high) = middle;
        }
    }
    out->peak_force = force;
    out->peak_indentation = at.delta;
    out->peak_rate = at.rate;
}

static void read_record(const carom_simulation *sim, bool released, carom_impact_solution *out)
{
    if (released) {
        const carom_impact *record = &sim->impacts[0];
        set_speeds(out, record->v_out);
        out->max_indentation = record->max_indentation;
        out->duration = record->force_duration;
        out->duration_to_zero = record->duration;
        return;
    }
    out->released = false;
    out->max_indentation = sim->s.located[0].peak_depth;
    out->v_out = out->e_got = out->duration = out->duration_to_zero = out->energy_lost = (double)NAN;
    snprintf(out->note, sizeof out->note,
             "not released after %.3g s: the damping is too strong for a rebound, at release %s the body creeps back "
             "without "
             "parting",
             *sim->s.time, out->law.release);
}

static void fill_loop(const carom_impact_def *def, const rows *r, carom_impact_solution *out)
{
    double end = isnan(out->duration) ? r->item[r->count - 1].time : out->duration;
    for (size_t k = 0; k < def->loop; k++) {
        row at;
        motion_at(r, def->mass, end * (double)k / (double)(def->loop - 1), &at);
        out->time[k] = at.time;
        out->delta[k] = at.delta;
        out->rate[k] = at.rate;
        out->force[k] = at.force;
    }
}

/* Rate of the damping, dF/d rate/m, times the duration of the elastic impact, above which it is stiff. */
#define STIFF 30

/* Whether the damping brings the body to rest in much less than the time of the impact. */
static bool is_stiff(const carom_law *law, const carom_impact_def *def, double depth, double scale)
{
    carom_law_output f;
    const carom_law_input in = {fmin(depth, law->info.limit), 1e-6 * def->speed, def->speed, def->mass, 0};
    return carom_law_force(law, &in, &f) == CAROM_OK && f.d_rate * scale / def->mass > STIFF;
}

static carom_status integrate(const carom_law *law, const carom_impact_def *def, const carom_model *model, double depth,
                              rows *r, carom_impact_solution *out)
{
    carom_simulation *sim = NULL;
    const carom_sink sink = {.user = r, .rows = keep_rows};
    carom_simulation_def sim_def = carom_default_simulation_def();
    bool released = false;
    double scale = CAROM_HERTZ_DURATION * depth / def->speed;
    sim_def.sink = &sink;
    sim_def.progress = goes_on;
    if (is_stiff(law, def, depth, scale))
        sim_def.integrator = "bdf";
    carom_law_output onset;
    carom_status status = carom_law_force(law, &(carom_law_input){0, def->speed, def->speed, def->mass, 0}, &onset);
    if (status == CAROM_OK)
        status = carom_grow(r->ctx, &r->item, &r->capacity, 1, sizeof *r->item);
    if (status == CAROM_OK) {
        r->item[r->count++] = (row){0, 0, def->speed, onset.force};
        status = carom_simulation_create(law->ctx, model, &sim_def, &sim);
    }
    if (status == CAROM_OK)
        status = run_impact(sim, scale, &released);
    if (status == CAROM_INTERRUPTED)
        status = carom_fail(law->ctx, CAROM_ERROR_SOLVER, NULL, "the impact has not ended after %d steps, %.3g s",
                            MOST_STEPS, *sim->s.time);
    if (status == CAROM_ERROR_SOLVER && sim && -sim->d->contacts[0].gap > (1 - 1e-6) * law->info.limit)
        status = beyond_limit(law, def);
    if (status == CAROM_OK) {
        read_record(sim, released, out);
        find_peak(law, def, r, out);
        status = make_loop(law->ctx, def->loop, out);
    }
    if (status == CAROM_OK && def->loop)
        fill_loop(def, r, out);
    carom_simulation_free(sim);
    return status;
}

/* The model of a free direct impact: a ball of that radius and mass touches a plane and approaches at that speed. */
typedef struct law_scene {
    double mass, speed, radius; /* [kg], [m/s], [m] */
    double until, tolerance;    /* of its run [s], [-]; it records force, indentation and its rate */
} law_scene;

static carom_status compile_scene(carom_context *ctx, const carom_law_def *def, const law_scene *scene,
                                  carom_model **out)
{
    char owner[96];
    if (def->law)
        snprintf(owner, sizeof owner, "law '%.64s'", def->law);
    else
        snprintf(owner, sizeof owner, "law");
    *out = NULL;
    carom_body_def ball = carom_default_body_def();
    ball.name = "ball";
    ball.mass = scene->mass;
    ball.inertia = carom_value_number(0.4 * scene->mass * scene->radius * scene->radius);
    ball.at[1] = scene->radius;
    ball.velocity = carom_value_vector(2, (const double[]){0, -scene->speed});
    ball.angular_velocity = carom_value_number(0);
    const carom_param radius = {.name = "radius", .value = carom_value_number(scene->radius)};
    const carom_param normal = {.name = "normal", .value = carom_value_vector(2, (const double[]){0, 1})};
    carom_shape_def shapes[2] = {carom_default_shape_def(), carom_default_shape_def()};
    shapes[0].name = "skin", shapes[0].type = "sphere", shapes[0].on = "ball";
    shapes[0].params = (carom_param_list){&radius, 1};
    shapes[1].name = "plane", shapes[1].type = "plane", shapes[1].on = "ground";
    shapes[1].params = (carom_param_list){&normal, 1};
    carom_contact_def contact = carom_default_contact_def();
    contact.name = def->law && def->law[0] && strlen(def->law) < 64 ? def->law : "law";
    contact.owner = owner;
    contact.between[0] = "skin", contact.between[1] = "plane";
    contact.law = def->law, contact.elastic = def->elastic, contact.damping = def->damping;
    contact.velocity = def->velocity, contact.tension = def->release;
    contact.minimum_speed = def->minimum_speed;
    contact.normal = def->params;
    char channel[3][96];
    const char *const channels[3] = {channel[0], channel[1], channel[2]};
    static const char *const quantities[3] = {"force", "indentation", "indentation_rate"};
    for (int k = 0; k < 3; k++)
        snprintf(channel[k], sizeof channel[k], "contact.%s.%s", contact.name, quantities[k]);
    carom_run_def run = carom_default_run_def();
    run.until = scene->until, run.tolerance = scene->tolerance;
    run.channels = channels, run.channel_count = 3;
    carom_spec spec = carom_default_spec();
    spec.name = "impact";
    spec.dimension = 2;
    spec.bodies = &ball, spec.body_count = 1;
    spec.shapes = shapes, spec.shape_count = 2;
    spec.contacts = &contact, spec.contact_count = 1;
    spec.runs = &run, spec.run_count = 1;
    return carom_model_compile(ctx, &spec, out);
}

static carom_status solve_by_integration(const carom_law *law, const carom_impact_def *def, carom_impact_solution *out)
{
    const carom_normal_law *c = &law->normal;
    double depth = carom_normal_depth_of_energy(c, 0.5 * def->mass * def->speed * def->speed);
    const double until = PATIENCE * CAROM_HERTZ_DURATION * depth / def->speed;
    const law_scene scene = {def->mass, def->speed, SHALLOW * depth, until, def->tolerance};
    carom_model *model;
    rows r = {.ctx = law->ctx};
    out->method = "integrated";
    carom_status status = compile_scene(law->ctx, &def->law, &scene, &model);
    if (status == CAROM_OK)
        status = integrate(law, def, model, depth, &r, out);
    carom_release(law->ctx, r.item, r.capacity, sizeof *r.item);
    carom_model_free(model);
    return status;
}

/* ---- both ---- */

static carom_status check_def(carom_context *ctx, const carom_impact_def *def)
{
    if (!(def->mass > 0) || !isfinite(def->mass))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "mass is %.6g kg; it must be above 0", def->mass);
    if (!(def->speed > 0) || !isfinite(def->speed))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "speed is %.6g m/s; it must be above 0", def->speed);
    if (!(def->tolerance >= 1e-13 && def->tolerance <= 0.1))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "tolerance is %.6g; it must be between 1e-13 and 0.1",
                          def->tolerance);
    if (def->loop && def->loop < 3)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "a motion has at least 3 points, not %zu", def->loop);
    return CAROM_OK;
}

carom_status carom_impact_solve(carom_context *ctx, const carom_impact_def *def, carom_impact_solution *out)
{
    memset(out, 0, sizeof *out);
    carom_impact_def own = carom_default_impact_def();
    CAROM_TRY(carom_take_def(ctx, def, &own, sizeof own, "impact_def"));
    def = &own;
    CAROM_TRY(check_def(ctx, def));
    carom_law *law;
    CAROM_TRY(carom_law_compile(ctx, &def->law, &law));
    const carom_normal_law *c = &law->normal;
    out->law = law->info;
    out->mass = def->mass;
    out->v_in = def->speed;
    out->e_asked = law->info.restitution;
    out->released = true;
    /* the policies may give the law another impact velocity than that of this impact */
    out->factor = carom_normal_impact_factor(c, def->speed);
    bool exact =
        out->factor >= 0 && isfinite(out->factor) && (!c->elastic->memory || out->factor == 0) && !def->integrate;
    carom_status status = exact ? solve_exactly(law, def, out) : solve_by_integration(law, def, out);
    carom_law_free(law);
    return status;
}
