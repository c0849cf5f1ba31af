/* A thousand seeded random impacts, speeds 1e-3 to 300 m/s and stiffnesses 1e3 to 1e12 N/m^1.5, in the plane and in
   space, with spin, off-centre and grazing: free spheres against the radial equation, spheres on planes that are fixed
   to free bodies against runs at a hundredth of the tolerance. None may be missed. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/frames.h"
#include "support/radial.h"
#include "support/scene.h"

#ifdef __SANITIZE_ADDRESS__
#define SPHERES 140
#define PLANES 60
#else
#define SPHERES 700
#define PLANES 300
#endif
#define TOLERANCE 1e-8
#define PI 3.14159265358979323846
#define FLYING 60 /* units of rounding of a position that an impact may carry in its indentation */

static const char *const adaptive[] = {"adams", "bdf", "dopri5", "dop853"};

#define ADAPTIVE CAROM_COUNT(adaptive)

static carom_context *context;
static scene s;
static scene_result result, finer;
static uint64_t seed = 20240611;

typedef struct worst {
    double share, error;        /* of the allowed; absolute */
    int count;
} worst;

static struct {
    worst v_out[6], duration, peak, depth, impulse, loss, plane, mass;
    int grazing, spinning, slow, fast, soft, stiff, loosest_count;
    double loosest, ledger, momentum, angular;
    uint64_t steps, most_steps;
} margin;

static double random_between(double low, double high) { return test_random(&seed, low, high); }

static double random_log(double low, double high) { return exp(random_between(log(low), log(high))); }

static void check(worst *w, double error, double allowed, const char *what, const char *where)
{
    w->count++;
    w->share = fmax(w->share, error / allowed);
    w->error = fmax(w->error, error);
    if (!(error <= allowed))
        fail_msg("%s: %s is off by %.3g, allowed %.3g", where, what, error, allowed);
}

static double hertz_depth(double mass, double speed, double stiffness)
{
    return pow(1.25 * mass * speed * speed / stiffness, 0.4);
}

static carom_vec3 random_direction(int dimension)
{
    for (;;) {
        carom_vec3 v = test_random_vector(&seed, dimension, 1);
        double size = carom_v3_norm(v);
        if (size > 0.1 && size < 1)
            return carom_v3_scale(1 / size, v);
    }
}

static void store(carom_vec3 v, double *out)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

/* Change of the linear momentum and of the angular momentum about the origin, as shares of their parts. */
static void check_momentum(bool fixed, const char *where)
{
    carom_vec3 p = {0, 0, 0}, l = {0, 0, 0};
    double p_size = 0, l_size = 0;
    for (size_t k = 0; k < s.spec.body_count; k++) {
        const carom_body_def *b = &s.bodies[k];
        const carom_body_state *now = &result.body[k];
        carom_vec3 x0 = carom_v3_load(b->at), v0 = carom_v3_load(b->velocity.number), x1 = carom_v3_load(now->position),
                   v1 = carom_v3_load(now->velocity), w0 = {0, 0, b->angular_velocity.number[0]};
        if (s.spec.dimension == 3)
            w0 = carom_v3_load(b->angular_velocity.number);
        carom_vec3 turn = carom_v3_scale(b->inertia.number[0], carom_v3_sub(carom_v3_load(now->angular_velocity), w0));
        carom_vec3 arm = carom_v3_sub(carom_v3_cross(x1, v1), carom_v3_cross(x0, v0));
        p = carom_v3_add_scaled(p, b->mass, carom_v3_sub(v1, v0));
        l = carom_v3_add(l, carom_v3_add(turn, carom_v3_scale(b->mass, arm)));
        p_size += b->mass * (carom_v3_norm(v0) + carom_v3_norm(v1));
        l_size += b->mass * (carom_v3_norm(x0) * carom_v3_norm(v0) + carom_v3_norm(x1) * carom_v3_norm(v1)) +
                  b->inertia.number[0] * carom_v3_norm(w0);
    }
    double worst_p = carom_v3_norm(p) / p_size, worst_l = carom_v3_norm(l) / l_size;
    margin.momentum = fmax(margin.momentum, worst_p);
    if (!fixed)
        margin.angular = fmax(margin.angular, worst_l);
    if (!(worst_p <= 1e-10) || (!fixed && !(worst_l <= 1e-10)))
        fail_msg("%s: momentum off by %.3g, angular momentum by %.3g", where, worst_p, worst_l);
}

static void run_once(const char *integrator, const char *where)
{
    scene_run(context, &s, integrator, TOLERANCE, &result);
    if (result.status != CAROM_OK)
        fail_msg("%s: %s", where, result.error);
    margin.steps += result.statistics.steps;
    if (result.statistics.steps > margin.most_steps)
        margin.most_steps = result.statistics.steps;
}

/* A draw of two free spheres that meet once. */
typedef struct draw {
    int dimension;
    double radius[2], mass[2], reduced, speed, stiffness, restitution, offset, distance, depth;
    bool spins;
} draw;

static draw draw_spheres(int k)
{
    for (;;) {
        draw d = {.dimension = 2 + (k & 1), .speed = random_log(1e-3, 300), .stiffness = random_log(1e3, 1e12),
                  .restitution = random_between(0.05, 1), .distance = random_log(1e-4, 10), .spins = k % 3 == 0};
        double draw_offset = random_between(0, 1);
        d.offset = k % 5 == 0 ? 0 : k % 5 == 1 ? 1 - 0.1 * random_log(0.01, 1) : sqrt(draw_offset);
        if (d.offset > 0.999)
            d.offset = 0.999;
        for (int side = 0; side < 2; side++) {
            d.radius[side] = random_log(0.5e-3, 20e-3);
            d.mass[side] = random_between(1000, 8000) * 4 / 3 * PI * pow(d.radius[side], 3);
        }
        d.reduced = d.mass[0] * d.mass[1] / (d.mass[0] + d.mass[1]);
        d.depth = hertz_depth(d.reduced, d.speed * sqrt(1 - d.offset * d.offset), d.stiffness);
        if (d.depth > 0.1 * fmin(d.radius[0], d.radius[1]))
            continue; /* softer than any law is meant for */
        d.distance = fmin(d.distance, 1e-3 * d.depth / (FLYING * 2.2e-16));
        return d;
    }
}

static void build_spheres(const draw *d)
{
    double sum = d->radius[0] + d->radius[1];
    carom_vec3 along = random_direction(d->dimension), across;
    if (d->dimension == 2)
        across = carom_v3(-along.y, along.x, 0);
    else {
        across = carom_v3_cross(along, random_direction(3));
        across = carom_v3_scale(1 / carom_v3_norm(across), across);
    }
    /* the nearer end of the flight touches at the depth of the path where the spheres meet */
    double reach = d->distance + sum * sqrt(1 - d->offset * d->offset), share = random_between(0, 1);
    scene_begin(&s, d->dimension, (reach + d->distance + sum) / d->speed + 20 * d->depth / d->speed);
    int shape[2];
    for (int side = 0; side < 2; side++) {
        carom_vec3 at = {0, 0, 0}, spin = {0, 0, 0};
        if (side)
            at = carom_v3_add_scaled(carom_v3_scale(reach, along), d->offset * sum, across);
        double pace = side ? share - 1 : share, x[3], v[3], w[3];
        if (d->spins)
            spin = carom_v3_scale(
                random_log(1, 0.3 * PI * d->speed / d->depth < 1 ? 1.5 : fmin(1e4, d->speed / d->radius[side])),
                d->dimension == 3 ? random_direction(3) : carom_v3(0, 0, 1));
        store(at, x);
        store(carom_v3_scale(pace * d->speed, along), v);
        store(spin, w);
        double inertia = 0.4 * d->mass[side] * d->radius[side] * d->radius[side];
        shape[side] = scene_sphere(&s, scene_body(&s, d->mass[side], inertia, x, v, w), NULL, d->radius[side]);
    }
    scene_contact(&s, shape[0], shape[1], "exact", d->stiffness, d->restitution);
    s.contacts[0].minimum_speed = 1e-12;
}

static void check_spheres(const draw *d, int k)
{
    /* one draw in ten goes to a fixed-step method with steps of a user who does not know of the impact */
    size_t method = k % 20 == 7 ? ADAPTIVE : k % 20 == 17 ? ADAPTIVE + 1 : k % 6 == 5 ? ADAPTIVE - 1 : (size_t)(k % 3);
    const char *integrator = method < ADAPTIVE ? adaptive[method] : method == ADAPTIVE ? "rk4" : "semi-implicit-euler";
    char where[240];
    snprintf(where, sizeof where, "draw %d, %s, %d-D, %g m/s, K %g, e %g, offset %.9g, radii %g %g, distance %g", k,
             integrator, d->dimension, d->speed, d->stiffness, d->restitution, d->offset, d->radius[0], d->radius[1],
             d->distance);
    build_spheres(d);
    s.run.step = s.run.until / 50;
    run_once(integrator, where);
    if (result.count != 1 || result.open)
        fail_msg("%s: %zu impacts, %zu open", where, result.count, result.open);
    double sum = d->radius[0] + d->radius[1];
    radial_impact r = radial_solve(&(radial_case){.mass = d->reduced,
                                                  .speed = d->speed,
                                                  .offset = d->offset,
                                                  .distance = sum,
                                                  .law = "exact",
                                                  .stiffness = d->stiffness,
                                                  .restitution = d->restitution});
    const carom_impact *got = &result.impacts[0];
    double size = d->distance + sum, touch = 1 - d->offset * d->offset;
    double rounding = 4 * FLYING * 2.2e-16 * size / r.max_indentation + 1e-14 * size / sum / touch;
    double allowed = TOLERANCE + rounding + (method == ADAPTIVE ? 1e-4 : method == ADAPTIVE + 1 ? 5e-2 : 0);
    margin.loosest = method < ADAPTIVE ? fmax(margin.loosest, allowed) : margin.loosest;
    margin.loosest_count += method < ADAPTIVE && allowed > 1e-6;
    check(&margin.v_out[method], fabs(got->v_out - r.v_out) / r.v_in, allowed, "v_out", where);
    check(&margin.v_out[method], fabs(got->v_in / r.v_in - 1), allowed, "v_in", where);
    check(&margin.mass, fabs(got->mass / d->reduced - 1), 1e-12, "mass", where);
    if (method < ADAPTIVE) {
        check(&margin.peak, fabs(got->peak_force / r.peak_force - 1), 10 * allowed, "peak force", where);
        check(&margin.depth, fabs(got->max_indentation / r.max_indentation - 1), 10 * allowed, "indentation", where);
        check(&margin.duration, fabs(got->duration / r.duration - 1), 10 * allowed + 1e-6 / d->restitution, "duration",
              where);
        check(&margin.impulse, fabs(got->impulse - r.impulse) / (d->reduced * r.v_in), 3 * allowed, "impulse", where);
        double energy = 0.5 * d->reduced * r.v_in * r.v_in;
        check(&margin.loss, fabs(got->energy_lost - r.energy_lost) / energy, 2 * allowed, "loss", where);
        margin.ledger = fmax(margin.ledger, result.ledger.residual_fraction);
        check_momentum(false, where);
    } else
        check_momentum(true, where);
}

static void test_spheres(void **state)
{
    (void)state;
    for (int k = 0; k < SPHERES; k++) {
        draw d = draw_spheres(k);
        margin.grazing += d.offset > 0.95;
        margin.spinning += d.spins;
        margin.slow += d.speed < 0.01;
        margin.fast += d.speed > 100;
        margin.soft += d.stiffness < 1e6;
        margin.stiff += d.stiffness > 1e11;
        check_spheres(&d, k);
    }
}

/* A free plate that turns and drifts, and a ball that meets its face off the centre. */
static void build_plane(int k, double *reach, double *depth)
{
    int dimension = 2 + (k & 1);
    double mass, plate, inertia, radius, speed, stiffness, lever;
    do {
        radius = random_log(0.5e-3, 20e-3);
        mass = random_between(1000, 8000) * 4 / 3 * PI * radius * radius * radius;
        plate = mass * random_log(0.3, 30);
        double arm = radius * random_log(1, 5);
        inertia = plate * arm * arm;
        lever = k % 4 == 0 ? 0 : arm * random_between(-1.5, 1.5);
        speed = random_log(1e-3, 300);
        stiffness = random_log(1e3, 1e12);
        *depth = hertz_depth(1 / (1 / mass + 1 / plate + lever * lever / inertia), speed, stiffness);
    } while (*depth > 0.05 * radius);
    carom_vec3 normal = random_direction(dimension), side = dimension == 2 ? carom_v3(-normal.y, normal.x, 0)
                                                                          : carom_v3_cross(normal, random_direction(3));
    side = carom_v3_scale(1 / carom_v3_norm(side), side);
    double distance = fmin(random_log(1e-4, 1), 1e-3 * *depth / (FLYING * 2.2e-16)), thickness = 0.5 * radius, x[3],
           v[3], n[3], top[3];
    const double zero[3] = {0, 0, 0};
    *reach = distance + radius + thickness;
    scene_begin(&s, dimension, 1.2 * distance / speed + 6 * *depth / speed);
    /* a slow turn, so that the face still looks at the ball when they meet */
    double turn = k % 3 ? random_between(-0.3, 0.3) * fmin(speed / *reach, 0.05 * speed / radius) : 0,
           w[3] = {0, 0, turn};
    int body = scene_body(&s, plate, inertia, zero, zero, w);
    store(carom_v3_scale(thickness, normal), top);
    store(normal, n);
    int face = scene_plane(&s, body, top, n);
    store(carom_v3_add_scaled(carom_v3_scale(*reach, normal), lever, side), x);
    store(carom_v3_add_scaled(carom_v3_scale(-speed, normal),
                              random_between(-0.2, 0.2) * speed * fmin(1, radius / distance), side),
          v);
    int ball = scene_body(&s, mass, 0.4 * mass * radius * radius, x, v, NULL);
    scene_contact(&s, face, scene_sphere(&s, ball, NULL, radius), k % 2 ? "flores" : "hunt-crossley", stiffness,
                  random_between(0.3, 1));
    s.contacts[0].minimum_speed = 1e-3 * speed;
}

static void test_planes(void **state)
{
    (void)state;
    for (int k = 0; k < PLANES; k++) {
        double reach, depth;
        char where[160];
        build_plane(k, &reach, &depth);
        const char *integrator = adaptive[k % 6 == 5 ? 3 : k % 3];
        snprintf(where, sizeof where, "plane %d, %s, %d-D, %.3g m/s, K %.3g, from %.3g m", k, integrator,
                 s.spec.dimension, s.bodies[1].velocity.number[0], s.contact_params[0][0].value.number[0], reach);
        run_once(integrator, where);
        scene_run(context, &s, "adams", TOLERANCE / 100, &finer);
        if (finer.status != CAROM_OK)
            fail_msg("%s, finer: %s", where, finer.error);
        if (result.count < 1 || result.count != finer.count || result.open != finer.open)
            fail_msg("%s: %zu impacts and %zu open, finer %zu and %zu", where, result.count, result.open, finer.count,
                     finer.open);
        double allowed = TOLERANCE + 4 * FLYING * 2.2e-16 * reach / finer.impacts[0].max_indentation;
        for (size_t i = 0; i < result.count; i++) {
            const carom_impact *got = &result.impacts[i], *want = &finer.impacts[i];
            double scale = finer.impacts[0].v_in;
            check(&margin.plane, fabs(got->v_in - want->v_in) / scale, allowed, "v_in", where);
            check(&margin.plane, fabs(got->v_out - want->v_out) / scale, allowed, "v_out", where);
        }
        /* the record's mass by the levers of the closed form, taken back to the onset along the free flight */
        const carom_impact *first = &finer.impacts[0];
        const carom_body_def *plate = &s.bodies[0], *ball = &s.bodies[1];
        double spin = s.spec.dimension == 2 ? plate->angular_velocity.number[0] : plate->angular_velocity.number[2];
        if (spin == 0) {
            carom_vec3 n = carom_v3_load(s.shape_params[0][0].value.number);
            if (s.spec.dimension == 2)
                n.z = 0;
            carom_vec3 c =
                carom_v3_add_scaled(carom_v3_load(ball->at), first->onset, carom_v3_load(ball->velocity.number));
            double lever = carom_v3_norm(carom_v3_cross(c, n));
            double expected = 1 / (1 / plate->mass + 1 / ball->mass + lever * lever / plate->inertia.number[0]);
            check(&margin.mass, fabs(first->mass / expected - 1), 1e-9, "mass", where);
        }
        check_momentum(false, where);
        margin.ledger = fmax(margin.ledger, result.ledger.residual_fraction);
    }
}

static void print_worst(const char *name, const worst *w)
{
    print_message("  %-28s %4d checks, worst error %.2g, %.3g of the allowed\n", name, w->count, w->error, w->share);
}

static int print_margins(void **state)
{
    (void)state;
    print_message("random impacts: %d, none missed; %d grazing, %d with spin, %d below 0.01 m/s, %d above 100 m/s, %d "
                  "with K < 1e6, %d with K > 1e11; %.0f steps each, at most %llu\n",
                  SPHERES + PLANES, margin.grazing, margin.spinning, margin.slow, margin.fast, margin.soft,
                  margin.stiff, (double)margin.steps / (SPHERES + PLANES), (unsigned long long)margin.most_steps);
    const char *const names[] = {"speeds, adams", "speeds, bdf", "speeds, dopri5", "speeds, dop853", "speeds, rk4",
                                 "speeds, semi-implicit-euler"};
    for (size_t k = 0; k < CAROM_COUNT(names); k++)
        print_worst(names[k], &margin.v_out[k]);
    print_worst("duration", &margin.duration);
    print_worst("peak force", &margin.peak);
    print_worst("indentation", &margin.depth);
    print_worst("impulse", &margin.impulse);
    print_worst("loss", &margin.loss);
    print_worst("speeds, planes", &margin.plane);
    print_worst("mass", &margin.mass);
    print_message("  allowed error of speeds: %.2g and rounding, above 1e-6 in %d draws, at most %.2g; ledger %.2g, "
                  "momentum %.2g, angular %.2g\n",
                  TOLERANCE, margin.loosest_count, margin.loosest, margin.ledger, margin.momentum, margin.angular);
    carom_context_free(context);
    return 0;
}

static int set_up(void **state)
{
    (void)state;
    return carom_context_create(NULL, &context) == CAROM_OK ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_spheres), cmocka_unit_test(test_planes)};
    return cmocka_run_group_tests_name("random impacts", tests, set_up, print_margins);
}
