/* No tunnelling: small fast balls, central, off-centre and grazing, near misses, thin moving discs, turning planes,
   walls and hollow spheres, with every integrator; each impact against the radial equation or a closed form. */
#include "carom_test.h"

#include <math.h>

#include "support/radial.h"
#include "support/sample.h"
#include "support/scene.h"

static const struct {
    const char *name;
    bool fixed;
    double allowed;     /* of e_got beyond the tolerance: what the method reaches with its own steps */
} integrators[] = {{"adams", false, 0}, {"bdf", false, 0}, {"dopri5", false, 0}, {"dop853", false, 0},
                   {"rk4", true, 1e-4}, {"verlet", true, 2e-3},   {"semi-implicit-euler", true, 5e-2}};
#define INTEGRATORS (sizeof integrators / sizeof integrators[0])
#define STEP 1e-4 /* [s] of the fixed-step methods, as for motion without impacts */
#define DENSITY 7800.0
#define PI 3.14159265358979323846
#ifdef __SANITIZE_ADDRESS__
#define RADII 2
#define TURNS 2
#else
#define RADII 3
#define TURNS 8
#endif

static double tolerance = 1e-8;
static carom_context *context;
static scene s;
static scene_result result;

static struct {
    int impacts, misses, runs;
    double share[INTEGRATORS], momentum, angular, ledger, onset;
    uint64_t steps;
} margin, tight;

static double ball_mass(double radius) { return DENSITY * 4.0 / 3 * PI * pow(fabs(radius), 3); }

static double ball_inertia(double radius) { return 0.4 * ball_mass(radius) * radius * radius; }

static void note(double *largest, double value)
{
    if (!(value <= *largest))
        *largest = value;
}

static void run(size_t method, const char *what)
{
    s.run.step = STEP;
    s.run.output_every = 0.01;
    scene_run(context, &s, integrators[method].name, tolerance, &result);
    if (result.status != CAROM_OK)
        fail_msg("%s, %s: %s", what, integrators[method].name, result.error);
    margin.runs++;
    margin.steps += result.statistics.steps;
}

/* Linear and angular momentum of the bodies against their start, in units of the largest sum of magnitudes. */
static void check_momentum(const char *what, size_t method)
{
    double p[3] = {0}, l[3] = {0}, p_size = 0, l_size = 0;
    for (size_t k = 0; k < s.spec.body_count; k++) {
        const carom_body_def *b = &s.bodies[k];
        const double *x1 = result.body[k].position, *v1 = result.body[k].velocity,
                     *w1 = result.body[k].angular_velocity;
        const double *x0 = b->at, *v0 = b->velocity.number;
        bool planar = s.spec.dimension == 2;
        double inertia = b->inertia.number[0];
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, n = (i + 2) % 3;
            double w0 = planar ? (i == 2 ? b->angular_velocity.number[0] : 0) : b->angular_velocity.number[i];
            p[i] += b->mass * (v1[i] - v0[i]);
            l[i] += b->mass * (x1[j] * v1[n] - x1[n] * v1[j] - x0[j] * v0[n] + x0[n] * v0[j]) + inertia * (w1[i] - w0);
            p_size += b->mass * (fabs(v1[i]) + fabs(v0[i]));
            l_size += b->mass * (fabs(x1[j] * v1[n]) + fabs(x1[n] * v1[j])) + inertia * fabs(w0);
        }
    }
    double worst_p = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) / p_size;
    double worst_l = sqrt(l[0] * l[0] + l[1] * l[1] + l[2] * l[2]) / l_size;
    note(&margin.momentum, worst_p);
    note(&margin.angular, worst_l);
    double allowed = integrators[method].fixed ? 1 : 1e-10; /* fixed steps turn the arm by their own error */
    if (!(worst_p <= 1e-10) || !(worst_l <= allowed))
        fail_msg("%s, %s: momentum off by %.3g, angular momentum by %.3g", what, integrators[method].name, worst_p,
                 worst_l);
}

/* A ball flies at another: start distance, speed, impact parameter as a share of R1 + R2, direction of flight. */
typedef struct flight {
    int dimension;
    double radius[2], distance, speed, offset, origin;
    bool falling;       /* gravity acts on both */
    const double *spin;
    const char *law;
    double stiffness, restitution;
} flight;

static const double direction[3] = {0.36, 0.48, 0.8};

static void build_flight(const flight *f)
{
    double sum = f->radius[0] + f->radius[1], along[3], across[3], at[2][3], velocity[2][3];
    if (f->dimension == 2) {
        const double a[3] = {0.6, 0.8, 0}, b[3] = {-0.8, 0.6, 0};
        memcpy(along, a, sizeof a);
        memcpy(across, b, sizeof b);
    } else {
        const double b[3] = {0.8, -0.6, 0};
        memcpy(along, direction, sizeof along);
        memcpy(across, b, sizeof b);
    }
    double reach = f->distance + sum;
    scene_begin(&s, f->dimension, 1.5 * reach / f->speed + 1e-4);
    if (f->falling)
        s.spec.gravity[1] = -9.81;
    for (int i = 0; i < 3; i++) {
        at[0][i] = f->origin;
        at[1][i] = f->origin + reach * along[i] + f->offset * sum * across[i];
        velocity[0][i] = 0.7 * f->speed * along[i];
        velocity[1][i] = -0.3 * f->speed * along[i];
    }
    at[0][2] = f->dimension == 2 ? 0 : at[0][2];
    at[1][2] = f->dimension == 2 ? 0 : at[1][2];
    int shape[2];
    for (int k = 0; k < 2; k++) {
        int body =
            scene_body(&s, ball_mass(f->radius[k]), ball_inertia(f->radius[k]), at[k], velocity[k], k ? NULL : f->spin);
        shape[k] = scene_sphere(&s, body, NULL, f->radius[k]);
    }
    scene_contact(&s, shape[0], shape[1], f->law, f->stiffness, f->restitution);
}

/* The one impact of a flight against the radial equation; a miss must have none. */
static void check_flight(const flight *f, size_t method)
{
    char what[160];
    snprintf(what, sizeof what, "%d-D, R %g and %g mm, from %g m at %g m/s, offset %g, %s K %g, origin %g%s",
             f->dimension, 1e3 * f->radius[0], 1e3 * f->radius[1], f->distance, f->speed, f->offset, f->law,
             f->stiffness, f->origin, f->falling ? ", falling" : "");
    build_flight(f);
    run(method, what);
    if (f->offset > 1) {
        if (result.count || result.open)
            fail_msg("%s, %s: %zu impacts in a near miss", what, integrators[method].name, result.count);
        margin.misses++;
        return;
    }
    if (result.count != 1 || result.open)
        fail_msg("%s, %s: %zu impacts and %zu open, expected one", what, integrators[method].name, result.count,
                 result.open);
    margin.impacts++;
    double sum = f->radius[0] + f->radius[1], m0 = ball_mass(f->radius[0]), m1 = ball_mass(f->radius[1]);
    radial_impact expected = radial_solve(&(radial_case){.mass = m0 * m1 / (m0 + m1),
                                                         .speed = f->speed,
                                                         .offset = f->offset,
                                                         .distance = sum,
                                                         .law = f->law,
                                                         .stiffness = f->stiffness,
                                                         .restitution = f->restitution});
    const carom_impact *got = &result.impacts[0];
    double size = fabs(f->origin) + f->distance, depth = expected.max_indentation;
    /* the offset is known to rounding only, and near grazing the normal speed depends on it as 1/(1 - offset^2) */
    double geometry = 1e-14 * fmax(size, sum) / sum / (1 - f->offset * f->offset);
    double rounding = 60 * 2.2e-16 * size / depth + geometry;
    double allowed = integrators[method].allowed + 30 * tolerance + rounding;
    double error = fabs(got->v_out - expected.v_out) / expected.v_in;
    note(&margin.share[method], error / allowed);
    if (!(error <= allowed) || !(fabs(got->v_in - expected.v_in) <= (1e-9 + rounding) * f->speed))
        fail_msg("%s, %s: v_in %.12g (%.12g), v_out %.12g (%.12g): off by %.3g of v_in, allowed %.3g", what,
                 integrators[method].name, got->v_in, expected.v_in, got->v_out, expected.v_out, error, allowed);
    double onset = (f->distance + sum - sum * sqrt(1 - f->offset * f->offset)) / f->speed;
    double onset_error = fabs(got->onset - onset) * f->speed / (sum * (1e-8 + geometry));
    note(&margin.onset, onset_error);
    if (!(onset_error <= 1))
        fail_msg("%s, %s: onset %.15g, expected %.15g", what, integrators[method].name, got->onset, onset);
    assert_true(fabs(got->mass * (1 / m0 + 1 / m1) - 1) < 1e-9);
    if (!f->falling)
        check_momentum(what, method);
    note(&margin.ledger, integrators[method].fixed ? 0 : result.ledger.residual_fraction);
    /* in free flight steps are bounded by the distance, so that their number grows with its logarithm; an impact whose
       indentation is within a million units of rounding of the positions takes some thousand */
    if (!integrators[method].fixed && result.statistics.steps > 5000)
        fail_msg("%s, %s: %llu steps", what, integrators[method].name, (unsigned long long)result.statistics.steps);
}

static void run_balls(size_t methods)
{
    static const double offsets[] = {0, 0.3, 0.9, 0.99, 0.999, 1.001};
    static const double radii[3][2] = {{0.5e-3, 0.5e-3}, {1e-3, 1e-3}, {0.5e-3, 1e-3}};
    static const double distances[] = {10, 0.02};
    static const double spin[3] = {0, 0, 3000};
    for (size_t method = 0; method < methods; method++)
        for (int dimension = 2; dimension <= 3; dimension++)
            for (size_t o = 0; o < sizeof offsets / sizeof *offsets; o++)
                for (size_t r = 0; r < RADII; r++)
                    for (size_t d = 0; d < 2; d++) {
                        flight f = {.dimension = dimension,
                                    .distance = distances[d],
                                    .speed = 300,
                                    .offset = offsets[o],
                                    .law = r == 1 ? "exact" : "hertz",
                                    .stiffness = 2e10,
                                    .restitution = r == 1 ? 0.6 : (double)NAN,
                                    .falling = r == 2,
                                    .spin = r == 1 && d == 0 && dimension == 2 ? spin : NULL};
                        memcpy(f.radius, radii[r], sizeof f.radius);
                        check_flight(&f, method);
                    }
}

static void test_balls(void **state)
{
    (void)state;
    run_balls(INTEGRATORS);
}

static void test_balls_at_a_tight_tolerance(void **state)
{
    (void)state;
    tolerance = 1e-10;
    double ledger = margin.ledger, angular = margin.angular;
    margin.angular = margin.ledger = 0;
    run_balls(INTEGRATORS - 2);
    tight = margin;
    margin.ledger = fmax(ledger, tight.ledger);
    margin.angular = fmax(angular, tight.angular);
    tolerance = 1e-8;
    assert_true(tight.ledger <= 1e-7);
}

/* Slow and fast, far from the origin and stiff: rounding of the positions against the indentation. */
static void test_far_from_the_origin(void **state)
{
    (void)state;
    static const double speeds[] = {0.1, 3, 300};
    static const double origins[] = {1, 100};
    for (size_t method = 0; method < INTEGRATORS; method++)
        for (size_t v = 0; v < 3; v++)
            for (size_t o = 0; o < 2; o++) {
                flight f = {.dimension = 3, .radius = {1e-3, 1e-3}, .distance = 0.02, .speed = speeds[v], .offset = 0.3,
                            .origin = origins[o], .law = "exact", .stiffness = 1e12, .restitution = 0.8};
                check_flight(&f, method);
            }
}

/* A disc of 0.2 mm crosses the path of a ball at right angles, so that they meet: neither stands. */
static void test_thin_moving_disc(void **state)
{
    (void)state;
    for (size_t method = 0; method < INTEGRATORS; method++)
        for (int dimension = 2; dimension <= 3; dimension++)
            for (int late = -1; late <= 1; late++) {
                const double still[3] = {0, 0, 0};
                double ball_at[3] = {-3, 0, 0}, ball_v[3] = {300, 0, 0}, disc_v[3] = {0, -40, 0};
                double disc_at[3] = {0, 40 * (3 / 300.0) + late * 0.4e-3, 0};
                scene_begin(&s, dimension, 0.02);
                int ball = scene_body(&s, ball_mass(1e-3), ball_inertia(1e-3), ball_at, ball_v, still);
                int disc = scene_body(&s, ball_mass(0.2e-3), ball_inertia(0.2e-3), disc_at, disc_v, still);
                int i = scene_sphere(&s, ball, NULL, 1e-3), j = scene_sphere(&s, disc, NULL, 0.2e-3);
                scene_contact(&s, i, j, "exact", 1e10, 0.5);
                run(method, "thin disc");
                if (result.count != 1)
                    fail_msg("thin disc, %s, late %d: %zu impacts", integrators[method].name, late, result.count);
                margin.impacts++;
                check_momentum("thin disc", method);
            }
}

/* A plane on a free body at 300 m/s meets a ball off the body's centre: the record's mass by the closed form. */
static void test_moving_plane(void **state)
{
    (void)state;
    for (size_t method = 0; method < INTEGRATORS; method++)
        for (int dimension = 2; dimension <= 3; dimension++)
            for (int k = 0; k < 4; k++) {
                const double still[3] = {0, 0, 0}, normal[3] = {0, 1, 0}, top[3] = {0, 0.01, 0};
                const double spin[3] = {0, 0, k == 3 ? 40 : 0};
                double lever = 0.004 * k, plate_at[3] = {0, -6, 0}, plate_v[3] = {0, 300, 0},
                       ball_at[3] = {lever, 0, 0};
                double mass = 0.05, inertia = 2e-6, m = ball_mass(1e-3);
                scene_begin(&s, dimension, 0.03);
                int plate = scene_body(&s, mass, inertia, plate_at, plate_v, spin);
                int ball = scene_body(&s, m, ball_inertia(1e-3), ball_at, still, still);
                int i = scene_plane(&s, plate, top, normal), j = scene_sphere(&s, ball, NULL, 1e-3);
                scene_contact(&s, j, i, "exact", 2e10, 0.7);
                run(method, "moving plane");
                if (result.count < 1)
                    fail_msg("moving plane, %s, lever %g m, %d-D: no impact", integrators[method].name, lever,
                             dimension);
                margin.impacts++;
                if (k == 3) /* the plane has turned by the onset */
                    continue;
                double expected = 1 / (1 / m + 1 / mass + lever * lever / inertia),
                       allowed = integrators[method].allowed + 1e-6;
                double error = fabs(result.impacts[0].e_got / 0.7 - 1);
                assert_true(fabs(result.impacts[0].mass / expected - 1) < 1e-9);
                note(&margin.share[method], error / allowed);
                /* the plane turns and slides under the ball while they touch: 1e-4 of the speed at this lever */
                if (!(error <= allowed + (k ? 2e-4 : 0)))
                    fail_msg("moving plane, %s, lever %g m: e_got %.9g", integrators[method].name, lever,
                             result.impacts[0].e_got);
            }
}

/* Two blades, a sphere of 1 mm at the end of an arm of 0.2 m that turns at 1000 rad/s, against a ball at rest in its
   circle, and a spinning plate whose plane sweeps a ball. */
static void test_turning(void **state)
{
    (void)state;
    for (size_t method = 0; method < INTEGRATORS; method++)
        for (int dimension = 2; dimension <= 3; dimension++)
            for (int k = 0; k < TURNS; k++) {
                const double origin[3] = {0, 0, 0}, tip[3] = {0.2, 0, 0}, fast[3] = {0, 0, 1000 * (k & 1 ? -1 : 1)};
                double angle = 0.7 * k + 0.5, ball_at[3] = {0.2 * cos(angle), 0.2 * sin(angle), 0};
                scene_begin(&s, dimension, 2 * PI / 1000);
                int arm = scene_body(&s, 0.1, 1e-3, origin, origin, fast);
                int ball = scene_body(&s, ball_mass(1e-3), ball_inertia(1e-3), ball_at, origin, origin);
                int i = scene_sphere(&s, arm, tip, 1e-3), j = scene_sphere(&s, ball, NULL, 1e-3);
                scene_contact(&s, i, j, "exact", 1e11, 0.7);
                run(method, "turning arm");
                if (result.count != 1)
                    fail_msg("turning arm, %s, %d-D, angle %g: %zu impacts", integrators[method].name, dimension, angle,
                             result.count);
                double lost = angle, onset = (k & 1 ? 2 * PI - lost : lost) - 2 * asin(1e-3 / 0.2);
                if (!(fabs(1000 * result.impacts[0].onset - onset) < (integrators[method].fixed ? 2e-2 : 1e-6)))
                    fail_msg("turning arm, %s: onset at %.12g rad, expected %.12g", integrators[method].name,
                             1000 * result.impacts[0].onset, onset);
                margin.impacts++;
                check_momentum("turning arm", method);
                const double normal[3] = {0, 1, 0}, far[3] = {0.5 * cos(angle), 0.5 * sin(angle), 0};
                scene_begin(&s, dimension, 2 * PI / 100);
                const double spin[3] = {0, 0, 100};
                int plate = scene_body(&s, 0.5, 1e-3, origin, origin, spin);
                ball = scene_body(&s, ball_mass(1e-3), ball_inertia(1e-3), far, origin, origin);
                i = scene_plane(&s, plate, origin, normal);
                j = scene_sphere(&s, ball, NULL, 1e-3);
                scene_contact(&s, i, j, "exact", 1e9, 0.7);
                if (angle < PI) { /* else it lies under the plane from the start */
                    run(method, "turning plate");
                    if (result.count < 1)
                        fail_msg("turning plate, %s, angle %g: no impact", integrators[method].name, angle);
                    margin.impacts++;
                }
            }
}

/* A 1 mm ball between walls 10 mm apart at 30 m/s without loss: the number of impacts in 0.1 s by the free path, and
   each time between; and in a hollow sphere. */
static void test_between_walls(void **state)
{
    (void)state;
    for (size_t method = 0; method < INTEGRATORS; method++)
        for (int dimension = 2; dimension <= 3; dimension++) {
            const double zero[3] = {0, 0, 0}, right[3] = {1, 0, 0}, left[3] = {-1, 0, 0};
            const double walls[2][3] = {{-5e-3, 0, 0}, {5e-3, 0, 0}}, v[3] = {30, 3, 0};
            scene_begin(&s, dimension, 0.03);
            int ball = scene_body(&s, ball_mass(1e-3), ball_inertia(1e-3), zero, v, zero);
            int i = scene_sphere(&s, ball, NULL, 1e-3);
            scene_contact(&s, i, scene_plane(&s, -1, walls[0], right), "hertz", 1e10, NAN);
            scene_contact(&s, i, scene_plane(&s, -1, walls[1], left), "hertz", 1e10, NAN);
            run(method, "walls");
            double depth = pow(1.25 * ball_mass(1e-3) * 900 / 1e10, 0.4), time = 2.943275 * depth / 30;
            size_t expected = (size_t)floor((0.03 - (4e-3 / 30 + time)) / (8e-3 / 30 + time)) + 1;
            size_t slack = strcmp(integrators[method].name, "semi-implicit-euler") ? 0 : 2;
            if (result.count + result.open + slack < expected || result.count > expected + slack)
                fail_msg("walls, %s: %zu impacts, expected %zu", integrators[method].name, result.count, expected);
            margin.impacts += (int)result.count;
            scene_begin(&s, dimension, 0.03);
            const double off[3] = {1e-3, 2e-3, 0}, w[3] = {50, 10, 0};
            ball = scene_body(&s, ball_mass(1e-3), ball_inertia(1e-3), off, w, zero);
            i = scene_sphere(&s, ball, NULL, 1e-3);
            scene_contact(&s, scene_sphere(&s, -1, zero, -5e-3), i, "hertz", 1e10, NAN);
            run(method, "hollow sphere");
            /* the lever of the path, 1.76 mm, gives chords of 2 sqrt(4^2 - 1.76^2) mm */
            double lever = (off[0] * w[1] - off[1] * w[0]) / hypot(w[0], w[1]), chord = 2 * sqrt(16e-6 - lever * lever);
            size_t least = (size_t)(0.9 * 0.03 * hypot(w[0], w[1]) / chord);
            double x = hypot(hypot(result.body[0].position[0], result.body[0].position[1]), result.body[0].position[2]);
            if (result.count < least - least / 20 || result.count > least + least / 4 || x > 4.2e-3)
                fail_msg("hollow sphere, %s: %zu impacts, at least %zu expected; the ball is at %g m",
                         integrators[method].name, result.count, least, x);
            margin.impacts += (int)result.count;
        }
}

static int print_margins(void **state)
{
    (void)state;
    print_message("tunnelling: %d runs, %d impacts, %d near misses, none wrong, %.0f steps a run\n", margin.runs,
                  margin.impacts, margin.misses, (double)margin.steps / margin.runs);
    for (size_t method = 0; method < INTEGRATORS; method++)
        print_message("  %-20s worst error of v_out / allowed %.3g\n", integrators[method].name, margin.share[method]);
    print_message("  balls at tolerance 1e-10: angular momentum %.2g, ledger residual %.2g of the energy\n",
                  tight.angular, tight.ledger);
    print_message("  onset %.3g of allowed, momentum %.2g, angular momentum %.2g, ledger residual %.2g of the energy\n",
                  margin.onset, margin.momentum, margin.angular, margin.ledger);
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balls),
        cmocka_unit_test(test_balls_at_a_tight_tolerance),
        cmocka_unit_test(test_far_from_the_origin),
        cmocka_unit_test(test_thin_moving_disc),
        cmocka_unit_test(test_moving_plane),
        cmocka_unit_test(test_turning),
        cmocka_unit_test(test_between_walls),
    };
    return sample_group_tests(tests, 1, 3, set_up, print_margins);
}
