/* The impacts of Chung and Ooi 2011, Granular Matter 13, 643-656, tests 1 to 8: closed forms, values read from the
   figures of the paper (by the Kratos project, in its public data), and two models of the tangential contact that are
   integrated here, apart from the program:
   - a spring of Mindlin's stiffness without slip inside the contact area, which is the law `mindlin` but for its
     rounding of the edge between sticking and sliding;
   - partial slip: independent springs under the profile x^2/R, normal E* dx and tangential kappa E* dx, each with its
     own cone, the theory of Cattaneo, Mindlin and Jaeger for every history (method of dimensionality reduction; used
     for impacts, there without sliding, by Lyashenko and Popov 2015, Scientific Reports 5, 8479).
   Angles are from the normal; n and t are the normal and tangential speed at the onset, a prime marks speeds after it.
   A value read from a figure is allowed 0.01 of v_t'/v_t, 6 rad/s and 1 degree; where the closed form is known, in
   gross sliding, the readings are off by up to 0.003, 3.2 rad/s and 0.6 degrees. */
#include "carom_test.h"

#include <math.h>

#include "support/runs.h"

#define PI 3.14159265358979323846
#define DEGREE (PI / 180)
#define EXACT 1e-6 /* relative, of closed forms */
#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct material {
    const char *name;
    double E, nu, rho;
} material;

static const material glass = {"glass", 48e9, 0.2, 2800}, limestone = {"limestone", 20e9, 0.25, 2500},
                      aluminium = {"aluminium alloy", 70e9, 0.3, 2699},
                      magnesium = {"magnesium alloy", 40e9, 0.35, 1800}, oxide = {"aluminium oxide", 380e9, 0.23, 4000},
                      iron = {"cast iron", 100e9, 0.25, 7000}, steel = {"steel", 208e9, 0.3, 7850},
                      polyethylene = {"polyethylene", 1e9, 0.4, 1400};

static void set_material(run_sets *sets, const material *m)
{
    run_set(sets, "E", m->E);
    run_set(sets, "nu", m->nu);
    run_set(sets, "rho", m->rho);
}

static carom_impact only_impact(const free_run *run)
{
    size_t count;
    const carom_impact *list = carom_simulation_impacts(run->sim, &count);
    assert_int_equal(count, 1);
    return list[0];
}

static void add_relative(margin *m, const char *what, size_t index, double got, double expected, double relative)
{
    margin_add(m, what, index, got, expected, relative * fabs(expected));
}

/* ---- tests 1 to 3: along the normal ---- */

typedef struct hertz {
    double K, force, depth, duration;
} hertz;

/* Elastic impact: mass, E*, radius and speed that count. */
static hertz hertz_impact(double mass, double E, double R, double speed)
{
    hertz h = {.K = 4. / 3 * E * sqrt(R)};
    h.depth = pow(5 * mass * speed * speed / (4 * h.K), 0.4);
    h.force = h.K * pow(h.depth, 1.5);
    h.duration = 2 * sqrt(PI) * tgamma(1.4) / tgamma(0.9) * h.depth / speed;
    return h;
}

static double sphere_mass(double rho, double R) { return 4. / 3 * PI * R * R * R * rho; }

/* The run against Hertz within 1e-6 and against the printed digits. */
static void check_elastic(const char *model, const material *of, run_sets *sets, double until, const hertz *h,
                          const double printed[3], const double half[3])
{
    free_run run;
    margin closed, digits;
    set_material(sets, of);
    margin_begin(&closed, of->name);
    margin_begin(&digits, "printed digits");
    run_open(&run, model, sets, 1e-10);
    free_run_to(&run, until);
    carom_impact i = only_impact(&run);
    const double got[3] = {i.peak_force, i.max_indentation, i.duration};
    const double expected[3] = {h->force, h->depth, h->duration};
    static const char *const names[3] = {"force", "depth", "duration"};
    for (int k = 0; k < 3; k++) {
        add_relative(&closed, names[k], 0, got[k], expected[k], EXACT);
        margin_add(&digits, names[k], 0, got[k], printed[k], half[k]);
    }
    add_relative(&closed, "speed", 0, i.v_out, i.v_in, EXACT);
    margin_end(&closed);
    margin_end(&digits);
    free_run_close(&run);
}

static void test_1(void **state)
{
    (void)state;
    const material *of[2] = {&glass, &limestone};
    static const double printed[2][3] = {{10697, 274.11e-6, 40.34e-6}, {7108, 368.30e-6, 54.20e-6}};
    static const double half[3] = {0.5, 0.005e-6, 0.005e-6};
    for (int k = 0; k < 2; k++) {
        run_sets sets = {0};
        hertz h =
            hertz_impact(sphere_mass(of[k]->rho, 0.01) / 2, of[k]->E / (2 * (1 - of[k]->nu * of[k]->nu)), 0.005, 20);
        check_elastic("chung_ooi_1.yaml", of[k], &sets, 0.1e-3, &h, printed[k], half);
        if (k == 0) /* the paper's curve, 10.176 kN at 265.24 um, read to half a per cent */
            assert_true(fabs(h.K * pow(265.24e-6, 1.5) - 10176) < 0.005 * 10176);
    }
}

static void test_2(void **state)
{
    (void)state;
    const material *of[2] = {&aluminium, &magnesium};
    static const double printed[2][3] = {{11370, 49.72e-6, 731.7e-6}, {7233, 52.12e-6, 767.1e-6}};
    static const double half[3] = {0.5, 0.005e-6, 0.05e-6};
    for (int k = 0; k < 2; k++) {
        run_sets sets = {0};
        hertz h = hertz_impact(sphere_mass(of[k]->rho, 0.1), of[k]->E / (1 - of[k]->nu * of[k]->nu), 0.1, 0.2);
        check_elastic("chung_ooi_2.yaml", of[k], &sets, 1e-3, &h, printed[k], half);
    }
}

/* What a law F = K delta^n (1 + A rate/v0) returns: ln((1 + A)/(1 - A e)) = A (1 + e). */
static double returned(double A)
{
    double low = 0, high = fmin(1, 1 / A);
    for (int k = 0; k < 200; k++) {
        double e = 0.5 * (low + high);
        *(log((1 + A) / (1 - A * e)) < A * (1 + e) ? &low : &high) = e;
    }
    return low;
}

static double restitution_of_run(const char *law, const material *of, double e)
{
    run_sets sets = {0};
    free_run run;
    set_material(&sets, of);
    run_set_word(&sets, "law", law);
    run_set(&sets, "e", e);
    run_open(&run, "chung_ooi_3.yaml", &sets, 1e-10);
    free_run_to(&run, 0.1e-3);
    double got = only_impact(&run).e_got;
    free_run_close(&run);
    return got;
}

static void test_3(void **state)
{
    (void)state;
    const material *of[2] = {&oxide, &iron};
    static const double printed[2][3] = {{615.4, 8.089e-6, 6.105e-6}, {506.8, 17.189e-6, 12.972e-6}};
    static const double half[3] = {0.05, 0.0005e-6, 0.0005e-6};
    margin m;
    margin_begin(&m, "restitution returned, of that asked");
    for (int k = 0; k < 2; k++) {
        run_sets sets = {0};
        hertz h = hertz_impact(sphere_mass(of[k]->rho, 0.0025), of[k]->E / (1 - of[k]->nu * of[k]->nu), 0.0025, 3.9);
        run_set(&sets, "e", 1);
        check_elastic("chung_ooi_3.yaml", of[k], &sets, 0.1e-3, &h, printed[k], half);
        for (int e = 2; e <= 10; e++)
            margin_add(&m, of[k]->name, (size_t)e, restitution_of_run("exact", of[k], 0.1 * e), 0.1 * e, EXACT);
    }
    margin_end(&m);
}

/* Laws of the literature in test 3: what they return is what the first integral of the impact says. */
static void test_3_laws(void **state)
{
    (void)state;
    margin m;
    margin_begin(&m, "restitution returned by other laws");
    printf("           asked  hunt-crossley  lankarani-nikravesh  flores\n");
    for (int k = 2; k <= 9; k++) {
        double e = 0.1 * k;
        const double A[3] = {1.5 * (1 - e), 0.75 * (1 - e * e), 1.6 * (1 - e) / e};
        static const char *const laws[3] = {"hunt-crossley", "lankarani-nikravesh", "flores"};
        double got[3];
        for (int law = 0; law < 3; law++) {
            got[law] = restitution_of_run(laws[law], &oxide, e);
            margin_add(&m, laws[law], (size_t)k, got[law], returned(A[law]), EXACT);
        }
        printf("           %5.1f  %13.4f  %19.4f  %6.4f\n", e, got[0], got[1], got[2]);
    }
    margin_end(&m);
}

/* ---- tangential contact, apart from the program ---- */

typedef enum tangential { TOTAL, INCREMENTAL, HELD, PARTIAL } tangential;

/* After an impact with n = 1 and mass, radius and normal stiffness 1, over mu: speed of the centre, spin, and speed of
   the contact point. */
typedef struct rebound {
    double centre, spin, point;
} rebound;

#define SPRINGS 400
#define STEPS 20000

/* A = rate factor of the damped force that returns e: ln((1 + A)/(1 - A e)) = A (1 + e). */
static double rate_factor(double e)
{
    double low = 1e-3, high = (1 - 1e-14) / e;
    for (int k = 0; e < 1 && k < 200; k++) {
        double A = 0.5 * (low + high);
        *(log((1 + A) / (1 - A * e)) < A * (1 + e) ? &low : &high) = A;
    }
    return e < 1 ? low : 0;
}

/* Friction of all springs after a slip of `moved`; depth over R, share of the elastic pressure that acts. */
static double partial_slip(double *deflection, double width, double depth, double share, double kappa, double mu,
                           double moved)
{
    const double E = 0.75; /* K = 4/3 E* sqrt(R) = 1 */
    double sum = 0;
    for (int k = 0; k < SPRINGS; k++) {
        double x = (k + 0.5) * width, bound = mu * E * (depth - x * x) * share;
        if (bound <= 0) {
            deflection[k] = 0;
            continue;
        }
        double pull = kappa * E * (deflection[k] + moved);
        pull = fabs(pull) > bound ? copysign(bound, pull) : pull;
        deflection[k] = pull / (kappa * E);
        sum += 2 * pull * width;
    }
    return sum;
}

/* Sphere on a plane, contact point moving with x mu across it; steps of a 20000th of the contact. The springs: TOTAL k
   xi with the stiffness of the moment, INCREMENTAL dF = k dxi, HELD the same but scaled down with the stiffness. */
static rebound impact_with(tangential kind, double kappa, double mu, double e, double x)
{
    static double deflection[SPRINGS];
    double A = rate_factor(e), depth = 0, rate = 1, centre = x * mu, spin = 0, xi = 0, force = 0, before = 0;
    double greatest = pow(1.25, 0.4), step = 2.9433 * greatest / STEPS, width = sqrt(greatest) / SPRINGS;
    memset(deflection, 0, sizeof deflection);
    for (double middle = 0.5 * step; middle > 0; middle = depth + 0.5 * step * rate) {
        double share = fmax(1 + A * rate, 0), normal = pow(middle, 1.5) * share, k = 1.5 * kappa * sqrt(middle);
        double moved = step * (centre + spin);
        if (kind == PARTIAL) {
            force = partial_slip(deflection, width, middle, share, kappa, mu, moved);
        } else {
            force *= kind == HELD && k < before ? k / before : 1;
            xi += moved;
            force = kind == TOTAL ? k * xi : force + k * moved;
            force = fabs(force) > mu * normal ? copysign(mu * normal, force) : force;
            xi = force / k;
        }
        before = k;
        rate -= step * normal;
        centre -= step * force;
        spin -= step * force / 0.4;
        depth += step * rate;
    }
    return (rebound){centre / mu, spin / mu, (centre + spin) / mu};
}

/* Of equal materials, and of one on a rigid plane. */
static double mindlin_ratio(double nu) { return 2 * (1 - nu) / (2 - nu); }

/* ---- test 4 ---- */

enum { SHARE, SPIN, ANGLE, QUANTITIES }; /* v_t'/v_t, spin [rad/s], angle of the contact point's velocity [degrees] */

#define SPEED_4 3.9
#define RADIUS_4 0.0025
#define MU_4 0.092
#define E_4 0.98

typedef struct row_4 {
    double theta, read[QUANTITIES];
} row_4;

/* Curves for aluminium oxide. */
static const row_4 table_4[] = {
    {5, {0.948, -19.3, 3.76}},    {10, {0.687, -213.0, -1.56}}, {15, {0.624, -377.8, -5.54}},
    {20, {0.616, -510.6, -7.54}}, {25, {0.634, -599.4, -7.54}}, {30, {0.684, -616.5, -3.55}},
    {35, {0.737, -582.3, 3.43}},  {40, {0.781, -544.8, 11.57}}, {50, {0.845, -457.0, 29.35}},
    {60, {0.893, -357.5, 47.79}}, {70, {0.932, -246.2, 64.58}}, {80, {0.966, -126.3, 78.70}},
    {85, {0.983, -63.1, 84.52}}};

static const double reading[QUANTITIES] = {0.01, 6, 1};
static const char *const quantity[QUANTITIES] = {"share", "spin", "angle"};

static void run_4(const char *friction, double theta, double tolerance, double *out)
{
    run_sets sets = {0};
    free_run run;
    run_set_word(&sets, "friction", friction);
    run_set(&sets, "theta", theta * DEGREE);
    run_open(&run, "chung_ooi_4.yaml", &sets, tolerance);
    free_run_to(&run, 24.9e-6);
    assert_true(fabs(only_impact(&run).e_got / E_4 - 1) < EXACT);
    carom_body_state ball = free_run_body(&run, "ball");
    assert_true(fabs(carom_simulation_ledger(run.sim).residual_fraction) < 1e-7);
    out[SHARE] = ball.velocity[1] / (SPEED_4 * sin(theta * DEGREE));
    out[SPIN] = ball.angular_velocity[0];
    out[ANGLE] = atan2(ball.velocity[1] + RADIUS_4 * out[SPIN], ball.velocity[2]) / DEGREE;
    free_run_close(&run);
}

static void sliding_4(double theta, double *out)
{
    double n = SPEED_4 * cos(theta * DEGREE), t = SPEED_4 * sin(theta * DEGREE), change = MU_4 * (1 + E_4) * n;
    out[SHARE] = 1 - change / t;
    out[SPIN] = -2.5 * change / RADIUS_4;
    out[ANGLE] = atan2(t - 3.5 * change, E_4 * n) / DEGREE;
}

static void reference_4(tangential kind, double theta, double *out)
{
    double x = tan(theta * DEGREE) / MU_4, n = SPEED_4 * cos(theta * DEGREE);
    rebound r = impact_with(kind, mindlin_ratio(oxide.nu), MU_4, E_4, x);
    out[SHARE] = r.centre / x;
    out[SPIN] = r.spin * MU_4 * n / RADIUS_4;
    out[ANGLE] = atan2(r.point * MU_4, E_4) / DEGREE;
}

/* From 32.5 degrees on Coulomb's law, the spring and the paper's curve are gross sliding. */
static void test_4_sliding(void **state)
{
    (void)state;
    static const char *const laws[2] = {"coulomb", "mindlin"};
    margin closed, read;
    margin_begin(&closed, "gross sliding");
    margin_begin(&read, "gross sliding, curves read");
    for (size_t k = 0; k < COUNT(table_4); k++)
        for (int law = 0; law < 2 && table_4[k].theta > 32.5; law++) {
            double got[QUANTITIES], expected[QUANTITIES];
            run_4(laws[law], table_4[k].theta, 1e-8, got);
            sliding_4(table_4[k].theta, expected);
            for (int q = 0; q < QUANTITIES; q++) {
                add_relative(&closed, laws[law], (size_t)table_4[k].theta, got[q], expected[q], EXACT);
                margin_add(&read, quantity[q], (size_t)table_4[k].theta, got[q], table_4[k].read[q], reading[q]);
            }
        }
    margin_end(&closed);
    margin_end(&read);
}

/* Below 32.5 degrees. The program is the spring without partial slip that gives back no more than it took. From 15
   degrees on that is the paper's curve; at 5 and 10 degrees the curve is the spring with the stiffness of the moment,
   which makes energy. */
static void test_4_sticking(void **state)
{
    (void)state;
    margin spring, read, total, partial;
    margin_begin(&spring, "spring without partial slip");
    margin_begin(&read, "curves read, from 20 degrees");
    margin_begin(&total, "curves read, spring of total stretch");
    margin_begin(&partial, "spring against partial slip");
    printf("           theta           mindlin                 paper          partial slip          total spring\n");
    for (size_t k = 0; table_4[k].theta < 32.5; k++) {
        const row_4 *row = &table_4[k];
        double got[QUANTITIES], held[QUANTITIES], slips[QUANTITIES], whole[QUANTITIES];
        size_t angle = (size_t)row->theta;
        run_4("mindlin", row->theta, 1e-8, got);
        reference_4(HELD, row->theta, held);
        reference_4(PARTIAL, row->theta, slips);
        reference_4(TOTAL, row->theta, whole);
        printf("           %5.0f  %.3f %6.1f %5.2f  %.3f %6.1f %5.2f  %.3f %6.1f %5.2f  %.3f %6.1f %5.2f\n", row->theta,
               got[0], got[1], got[2], row->read[0], row->read[1], row->read[2], slips[0], slips[1], slips[2], whole[0],
               whole[1], whole[2]);
        /* the law rounds the edge of the cone between 0.9 and 1 */
        static const double rounding[QUANTITIES] = {0.003, 4, 0.25};
        /* what the law leaves out: micro-slip from the onset on, which costs some of the spring's return */
        static const double most[QUANTITIES] = {0.13, 50, 2.7};
        for (int q = 0; q < QUANTITIES; q++) {
            margin_add(&spring, quantity[q], angle, got[q], held[q], rounding[q]);
            margin_add(&partial, quantity[q], angle, got[q], slips[q], most[q]);
            if (row->theta > 19)
                margin_add(&read, quantity[q], angle, got[q], row->read[q], reading[q]);
            margin_add(&total, quantity[q], angle, whole[q], row->read[q], 1.5 * reading[q]); /* another program's */
        }
    }
    margin_end(&spring);
    margin_end(&read);
    margin_end(&total);
    margin_end(&partial);
    double got[QUANTITIES];
    reference_4(TOTAL, 2, got);
    double spin = RADIUS_4 * got[SPIN] / (SPEED_4 * sin(2 * DEGREE)),
           energy = got[SHARE] * got[SHARE] + 0.4 * spin * spin;
    printf("           tangential energy after the total spring at 2 degrees: %.4f of that before\n", energy);
    assert_true(energy > 1.005);
}

/* ---- test 5 ---- */

#define MU_5 0.3

/* Speed of the contact point over mu n', spin times R over mu n. */
static rebound run_5(const material *of, double x)
{
    run_sets sets = {0};
    free_run run;
    const double R = 10e-6, n = 5;
    set_material(&sets, of);
    run_set(&sets, "x", x);
    run_open(&run, "chung_ooi_5.yaml", &sets, 1e-8);
    free_run_to(&run, 39.9 * R * sqrt(of->rho / of->E));
    assert_true(fabs(only_impact(&run).e_got - 1) < EXACT);
    carom_body_state ball = free_run_body(&run, "ball");
    free_run_close(&run);
    double spin = R * ball.angular_velocity[0];
    return (rebound){ball.velocity[1] / (MU_5 * n), spin / (MU_5 * n),
                     (ball.velocity[1] + spin) / (MU_5 * ball.velocity[2])};
}

static void test_5_sliding(void **state)
{
    (void)state;
    static const double xs[] = {7.01, 7.5, 10, 12.96, 20, 100};
    margin m;
    margin_begin(&m, "small sphere, gross sliding");
    for (size_t k = 0; k < COUNT(xs); k++) {
        rebound got = run_5(k % 2 ? &steel : &polyethylene, xs[k]);
        margin_add(&m, "spin", k, got.spin, -5, 5e-6);
        margin_add(&m, "point", k, got.point, xs[k] - 7, 7e-6);
    }
    margin_end(&m);
}

/* x, contact point and spin of the paper's curve for steel, read to 0.03 and 0.02. */
static const double table_5[][3] = {{0.332, -0.280, -0.430}, {0.671, -0.493, -0.820}, {1.009, -0.747, -1.250},
                                    {1.335, -1.000, -1.664}, {1.662, -1.267, -2.094}, {2.000, -1.533, -2.524},
                                    {2.350, -1.813, -2.978}, {2.991, -2.440, -3.904}, {3.341, -2.693, -4.293},
                                    {4.006, -2.787, -4.837}, {4.997, -2.000, -5.007}};
/* Finite elements that the paper shows, contact point, read to 0.03. */
static const double finite_elements[][2] = {{0.272, -0.027}, {0.586, -0.027}, {0.876, -0.080}, {1.190, -0.213},
                                            {1.553, -0.373}, {1.915, -0.627}, {2.314, -0.947}, {2.785, -1.253},
                                            {3.317, -1.520}, {3.970, -1.720}, {4.755, -1.707}, {5.758, -1.200},
                                            {7.124, 0.133}};

/* The program is the spring without partial slip; the theory of partial slip is what the finite elements give; the
   paper's curve is a spring with half of Mindlin's stiffness. */
static void test_5_sticking(void **state)
{
    (void)state;
    double kappa = mindlin_ratio(steel.nu);
    margin spring, theory, half;
    margin_begin(&spring, "small sphere, spring");
    margin_begin(&theory, "finite elements, partial slip");
    margin_begin(&half, "curve read, half of the stiffness");
    printf("               x  mindlin  partial slip  finite elements\n");
    for (size_t k = 0; k < COUNT(finite_elements); k++) {
        double x = finite_elements[k][0];
        rebound got = run_5(&steel, x), held = impact_with(HELD, kappa, MU_5, 1, x),
                slips = impact_with(PARTIAL, kappa, MU_5, 1, x);
        margin_add(&spring, "point", k, got.point, held.point, 0.02);
        margin_add(&spring, "spin", k, got.spin, held.spin, 0.02);
        margin_add(&theory, "point", k, slips.point, finite_elements[k][1], x < 1.6 ? 0.16 : 0.065);
        printf("           %5.3f  %7.3f  %12.3f  %15.3f\n", x, got.point, slips.point, finite_elements[k][1]);
    }
    printf("               x  mindlin         half stiffness   paper\n");
    for (size_t k = 0; k < COUNT(table_5); k++) {
        double x = table_5[k][0];
        rebound got = run_5(&steel, x), soft = impact_with(INCREMENTAL, kappa / 2, MU_5, 1, x);
        margin_add(&half, "point", k, soft.point, table_5[k][1], 0.07);
        margin_add(&half, "spin", k, soft.spin, table_5[k][2], 0.06);
        printf("           %5.3f  %6.3f %6.3f  %6.3f %6.3f  %6.3f %6.3f\n", x, got.point, got.spin, soft.point,
               soft.spin, table_5[k][1], table_5[k][2]);
    }
    margin_end(&spring);
    margin_end(&theory);
    margin_end(&half);
}

/* ---- tests 6 to 8: spin ---- */

#define MU_6 0.4
#define E_6 0.5
#define N_6 0.2
#define R_6 0.1

typedef struct spun {
    double across, spin; /* [m/s] of the centre, [rad/s] */
} spun;

static spun run_6(const char *friction, double angle)
{
    run_sets sets = {0};
    free_run run;
    run_set_word(&sets, "friction", friction);
    run_set(&sets, "angle", angle * DEGREE);
    run_open(&run, "chung_ooi_6.yaml", &sets, 1e-8);
    free_run_to(&run, 2e-3);
    assert_true(fabs(only_impact(&run).e_got / E_6 - 1) < EXACT);
    carom_body_state ball = free_run_body(&run, "ball");
    free_run_close(&run);
    return (spun){ball.velocity[0], ball.angular_velocity[1]};
}

static double spin_6(double angle) { return N_6 * tan(angle * DEGREE) / R_6; }

/* From 64.5 degrees on; the impulse acts on centre and spin alike at all angles. */
static void test_6_sliding(void **state)
{
    (void)state;
    static const char *const laws[2] = {"coulomb", "mindlin"};
    margin sliding, momentum;
    margin_begin(&sliding, "spinning sphere, gross sliding");
    margin_begin(&momentum, "spinning sphere, momentum");
    for (int law = 0; law < 2; law++)
        for (int degrees = 5; degrees <= 85; degrees += 5) {
            spun got = run_6(laws[law], degrees);
            double spin = spin_6(degrees);
            add_relative(&momentum, laws[law], (size_t)degrees, got.across / (0.4 * R_6), spin - got.spin, EXACT);
            if (degrees > 64.6) {
                margin_add(&sliding, laws[law], (size_t)degrees, got.across, 0.12, 0.12 * EXACT);
                margin_add(&sliding, laws[law], (size_t)degrees, got.spin, spin - 3, spin * EXACT);
            }
        }
    margin_end(&sliding);
    margin_end(&momentum);
}

/* Below that: with Coulomb's law the sphere rolls away, the spring turns it back. The paper's curve is not compared:
   its program damps the tangential motion as well, strongly at this restitution. */
static void test_6_sticking(void **state)
{
    (void)state;
    margin rolling, spring;
    margin_begin(&rolling, "spinning sphere, rolling");
    margin_begin(&spring, "spinning sphere, spring");
    for (int degrees = 5; degrees <= 60; degrees += 5) {
        double x = spin_6(degrees) * R_6 / (MU_6 * N_6), returns = run_6("mindlin", degrees).across / (MU_6 * N_6);
        rebound held = impact_with(HELD, mindlin_ratio(0.33), MU_6, E_6, x);
        margin_add(&rolling, "spin", (size_t)degrees, run_6("coulomb", degrees).spin / spin_6(degrees), 2. / 7, 1e-4);
        margin_add(&spring, "across", (size_t)degrees, returns, x - held.centre, 0.02);
    }
    margin_end(&rolling);
    margin_end(&spring);
}

static void test_7(void **state)
{
    (void)state;
    static const char *const laws[2] = {"coulomb", "mindlin"};
    margin m;
    margin_begin(&m, "spheres that spin against each other");
    for (int law = 0; law < 2; law++)
        for (int degrees = 5; degrees <= 85; degrees += 5) {
            run_sets sets = {0};
            free_run run;
            run_set_word(&sets, "friction", laws[law]);
            run_set(&sets, "angle", degrees * DEGREE);
            run_open(&run, "chung_ooi_7.yaml", &sets, 1e-8);
            free_run_to(&run, 2e-3);
            assert_true(fabs(only_impact(&run).e_got / E_6 - 1) < EXACT);
            carom_body_state left = free_run_body(&run, "left"), right = free_run_body(&run, "right");
            margin_add(&m, "spin", (size_t)degrees, left.angular_velocity[1], spin_6(degrees), spin_6(degrees) * EXACT);
            margin_add(&m, "spin", (size_t)degrees, right.angular_velocity[1], -spin_6(degrees),
                       spin_6(degrees) * EXACT);
            margin_add(&m, "across", (size_t)degrees, hypot(left.velocity[1], left.velocity[2]), 0, N_6 * EXACT);
            free_run_close(&run);
        }
    margin_end(&m);
}

static spun run_8(double angle, double ratio, double dense, double stiff)
{
    run_sets sets = {0};
    free_run run;
    run_set(&sets, "angle", angle * DEGREE);
    run_set(&sets, "ratio", ratio);
    run_set(&sets, "dense", dense);
    run_set(&sets, "stiff", stiff);
    run_open(&run, "chung_ooi_8.yaml", &sets, 1e-8);
    free_run_to(&run, 3e-3);
    carom_body_state small = free_run_body(&run, "small"), large = free_run_body(&run, "large");
    free_run_close(&run);
    double mass = sphere_mass(2700, R_6), heavy = mass * dense * ratio * ratio * ratio;
    assert_true(fabs(mass * small.velocity[2] + heavy * large.velocity[2]) < EXACT * mass * N_6);
    return (spun){small.velocity[2], small.angular_velocity[1]};
}

/* Two spheres meet half way in their indentation, at R - delta/2 from the centre: up to 2.1e-4 of the lever that the
   plane has. The share of the large sphere's motion falls with its mass. */
static void test_8(void **state)
{
    (void)state;
    margin limit, sliding;
    margin_begin(&limit, "large sphere, as the plane");
    margin_begin(&sliding, "large sphere, gross sliding");
    for (int degrees = 15; degrees <= 75; degrees += 15) {
        spun plane = run_6("mindlin", degrees);
        double before = INFINITY;
        for (int stiff = 1; stiff <= 1000; stiff *= 1000) {
            spun got = run_8(degrees, 5, 1000, stiff);
            margin_add(&limit, "across", (size_t)degrees, got.across, plane.across, 5e-4 * N_6 * tan(degrees * DEGREE));
            margin_add(&limit, "spin", (size_t)degrees, got.spin, plane.spin, 5e-4 * spin_6(degrees));
        }
        for (double ratio = 1; ratio <= 8; ratio *= 2) {
            double differs = fabs(run_8(degrees, ratio, 1, 1).across - plane.across);
            assert_true(differs < 0.3 * before);
            before = differs;
        }
    }
    for (double ratio = 5; ratio <= 20; ratio *= 2) {
        double heavy = 1000 * ratio * ratio * ratio, across = MU_6 * (1 + E_6) * N_6 * heavy / (1 + heavy);
        spun got = run_8(75, ratio, 1000, 1000);
        margin_add(&sliding, "across", (size_t)ratio, got.across, across, 1e-4 * across);
        margin_add(&sliding, "spin", (size_t)ratio, got.spin, spin_6(75) - 2.5 * across / R_6, 3 * 2.1e-4);
    }
    margin_end(&limit);
    margin_end(&sliding);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_1),          cmocka_unit_test(test_2),          cmocka_unit_test(test_3),
        cmocka_unit_test(test_3_laws),     cmocka_unit_test(test_4_sliding),  cmocka_unit_test(test_4_sticking),
        cmocka_unit_test(test_5_sliding),  cmocka_unit_test(test_5_sticking), cmocka_unit_test(test_6_sliding),
        cmocka_unit_test(test_6_sticking), cmocka_unit_test(test_7),          cmocka_unit_test(test_8)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
