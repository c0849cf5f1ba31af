/* Two gears with backlash, and planetary gears, against closed forms: the ratio, tooth after tooth; the indentation
   under a torque; impacts and flights between the flanks, one mass m = 1/(rb1^2/J1 + rb2^2/J2) in a gap; the frequency
   sqrt(K/m) in the mesh; other distances of the centres; what is conserved; the regimes of models/gear_backlash.yaml;
   what is said of a bad start. */
#include "carom_test.h"

#include <math.h>

#include "support/runs.h"

#define PI 3.14159265358979323846
#define TIGHT 1e-10
#define LEDGER 1e-6

/* ---- a pair ---- */

/* Two gears on bearings a distance apart, or a gear in a ring (z2 < 0), of the module 2 mm and 20 degrees. */
typedef struct pair {
    int z1, z2;
    double thinning, spread;   /* of each gear, of the distance [m] */
    double turned_1, turned_2; /* whole teeth at the start */
    double speed_1, speed_2;   /* [rad/s] */
    const char *motion;        /* of the first gear, or NULL */
    double torque_1, torque_2; /* [N m] */
    double drag;               /* on the second gear [N m s] */
    const char *law;           /* keys of the normal force */
} pair;

#define MODULE 2e-3
#define INERTIA_1 2e-4
#define INERTIA_2 9e-4
#define COSINE 0.93969262078590838405

/* Sizes that follow from it. */
typedef struct sizes {
    double base_1, base_2; /* base radii, that of a ring negative */
    double mass;           /* along the line of action */
    double backlash;       /* likewise */
} sizes;

static double involute(double angle) { return tan(angle) - angle; }

static sizes sizes_of(const pair *x)
{
    sizes s = {.base_1 = 0.5 * MODULE * x->z1 * COSINE, .base_2 = 0.5 * MODULE * x->z2 * COSINE};
    const double sum = s.base_1 + s.base_2, distance = 0.5 * MODULE * abs(x->z1 + x->z2) + x->spread;
    s.mass = 1 / (s.base_1 * s.base_1 / INERTIA_1 + s.base_2 * s.base_2 / INERTIA_2);
    s.backlash = 2 * x->thinning * COSINE + 2 * sum * (involute(acos(fabs(sum) / distance)) - involute(acos(COSINE)));
    return s;
}

static void open_pair(free_run *run, const pair *x, double tolerance)
{
    char text[4000], first[200];
    const int teeth = abs(x->z2), ring = x->z2 < 0;
    const double distance = 0.5 * MODULE * abs(x->z1 + x->z2) + x->spread;
    if (x->motion)
        snprintf(first, sizeof first, "motion: \"%s\"", x->motion);
    else
        snprintf(first, sizeof first, "rate: %.17g", x->speed_1);
    /* a tooth of the first gear on the line of the centres, and a space of the other */
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 2\n"
             "bodies:\n  one: {mass: 1, inertia: %.17g, angle: 2*pi*(%.17g)/%d}\n"
             "  two: {mass: 1, inertia: %.17g, at: [%.17g, 0], angle: 2*pi*(%.17g)/%d}\n"
             "joints:\n  one: {type: revolute, between: [ground, one], %s}\n"
             "  two: {type: revolute, between: [{ground: [%.17g, 0]}, two], rate: %.17g}\n"
             "shapes:\n  one: {type: gear, on: one, teeth: %d, module: 2*mm, thinning: %.17g, orientation: %s}\n"
             "  two: {type: gear, on: two, teeth: %d, module: 2*mm, thinning: %.17g, internal: %s, addendum: %s, "
             "orientation: pi - pi/%d}\n"
             "contacts:\n  mesh: {between: [one, two], normal: {%s}}\n"
             "loads:\n  one: {type: torque, on: one, torque: %.17g}\n  two: {type: torque, on: two, torque: %.17g}\n"
             "  drag: {type: torsion-damper, between: [ground, two], damping: %.17g}\n"
             "run: {until: 10, tolerance: 1e-8}\n",
             INERTIA_1, x->turned_1, x->z1, INERTIA_2, distance, x->turned_2, teeth, first, distance, x->speed_2, x->z1,
             x->thinning, ring ? "pi" : "0", teeth, x->thinning, ring ? "true" : "false", ring ? "0.8" : "1", teeth,
             x->law, x->torque_1, x->torque_2, x->drag);
    free_run_parse(run, text, tolerance, NULL);
}

static void check_ledger(free_run *run, margin *m)
{
    margin_add(m, "ledger", 0, carom_simulation_ledger(run->sim).residual_fraction, 0, LEDGER);
}

/* ---- ratio and static torque ---- */

/* The first gear turns at a given speed, a torque holds the second one back. Once the mesh is at rest the indentation
   is M/(rb2 K) in every tooth, and the angles keep rb1 a1 + rb2 a2 = B/2 + delta over all turns. */
static void run_ratio(const pair *x, double *indentation)
{
    const sizes s = sizes_of(x);
    const double K = 2e8, w = 30, settled = 0.05;
    free_run run;
    margin m;
    char name[64];
    snprintf(name, sizeof name, "ratio, %d to %d teeth", x->z1, x->z2);
    margin_begin(&m, name);
    open_pair(&run, x, TIGHT);
    for (size_t k = 0; k < 200; k++) {
        const double t = settled + (double)k * 1.7e-3;
        free_run_to(&run, t);
        const carom_body_state one = free_run_body(&run, "one"), two = free_run_body(&run, "two");
        const double start = 2 * PI * (x->turned_1 * s.base_1 / x->z1 + x->turned_2 * s.base_2 / abs(x->z2));
        const double delta = free_run_get(&run, "contact.mesh.1.indentation");
        const double held = (x->torque_2 - x->drag * two.angular_velocity[2]) / (s.base_2 * -K);
        margin_add(&m, "angles", k, s.base_1 * one.angle + s.base_2 * two.angle - start, 0.5 * s.backlash + delta,
                   1e-13);
        margin_add(&m, "speed", k, two.angular_velocity[2], -w * x->z1 / x->z2, 1e-7);
        margin_add(&m, "indentation", k, delta, -held, 1e-6 * fabs(held));
        *indentation = delta;
    }
    assert_true(free_run_body(&run, "one").angle > 11); /* nearly two turns */
    check_ledger(&run, &m);
    free_run_close(&run);
    margin_end(&m);
}

static void test_ratio(void **state)
{
    (void)state;
    const char *law = "law: kelvin-voigt, stiffness: 2e8, damping: 3e3";
    pair x = {.z1 = 20, .z2 = 33, .thinning = 4e-5, .speed_1 = 30, .motion = "30*t", .torque_2 = 4, .law = law};
    double straight, turned, drawn;
    x.torque_2 = 4; /* against the clockwise turn of the second gear */
    run_ratio(&x, &straight);
    x.turned_1 = 7;
    x.turned_2 = -12;
    x.motion = "2*pi*7/20 + 30*t";
    run_ratio(&x, &turned);
    printf("           a few teeth further: %.1e of the indentation\n", fabs(turned - straight) / straight);
    assert_true(fabs(turned - straight) < 1e-7 * straight);
    x = (pair){.z1 = 20, .z2 = -61, .thinning = 4e-5, .motion = "30*t", .torque_2 = -4, .law = law};
    run_ratio(&x, &drawn);
    x = (pair){.z1 = 20, .z2 = 33, .spread = 3e-4, .motion = "30*t", .torque_2 = 4, .drag = 0.01, .law = law};
    run_ratio(&x, &drawn);
}

/* ---- rattle ---- */

/* Free inertias between the flanks: flights of B/v, impacts with the restitution asked on either flank in turn, the
   amplitude of the rattle the backlash; J1 w1/rb1 - J2 w2/rb2 is conserved. */
static void run_rattle(const char *name, const pair *x, double tolerance, double relative, margin *m)
{
    const sizes s = sizes_of(x);
    const double e = 0.9, v = s.base_1 * x->speed_1 + s.base_2 * x->speed_2;
    const double spin = INERTIA_1 * x->speed_1 / s.base_1 - INERTIA_2 * x->speed_2 / s.base_2;
    free_run run;
    size_t count;
    margin_begin(m, name);
    open_pair(&run, x, tolerance);
    free_run_to(&run, 0.02);
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    assert_true(count >= 8);
    double speed = v, end = 0;
    for (size_t k = 0; k < count; k++) {
        const carom_impact *i = &impacts[k];
        assert_string_equal(i->contact, (k % 2 == 0) == (v > 0) ? "mesh.1" : "mesh.2");
        const double flight = (k ? s.backlash : 0.5 * s.backlash) / fabs(speed);
        margin_add(m, "flight", k, i->onset - end, flight, relative * flight);
        margin_add(m, "v_in", k, i->v_in, fabs(speed), relative * fabs(v));
        margin_add(m, "v_out", k, i->v_out, e * fabs(speed), relative * fabs(v));
        margin_add(m, "mass", k, i->mass, s.mass, 1e-12 * s.mass);
        margin_add(m, "lost", k, i->energy_lost, 0.5 * s.mass * (1 - e * e) * speed * speed, relative * s.mass * v * v);
        speed *= e;
        end = i->onset + i->duration;
    }
    const carom_body_state one = free_run_body(&run, "one"), two = free_run_body(&run, "two");
    margin_add(m, "conserved", 0,
               INERTIA_1 * one.angular_velocity[2] / s.base_1 - INERTIA_2 * two.angular_velocity[2] / s.base_2, spin,
               1e-12 * fabs(spin));
    check_ledger(&run, m);
    free_run_close(&run);
}

static void test_rattle(void **state)
{
    (void)state;
    margin m;
    const char *law = "law: yang-sun, damping: exact, restitution: 0.9, E_i: 207*GPa, length: 10*mm";
    pair x = {.z1 = 20, .z2 = 33, .thinning = 4e-5, .speed_1 = 12, .speed_2 = -3, .law = law};
    run_rattle("rattle of two gears", &x, TIGHT, 1e-6, &m);
    margin_end(&m);
    x.turned_1 = -9;
    x.turned_2 = 40;
    run_rattle("the same, some teeth further", &x, TIGHT, 1e-6, &m);
    margin_end(&m);
    x = (pair){.z1 = 20, .z2 = 33, .speed_2 = -9, .law = law};
    const double spreads[] = {1e-5, 1e-4, 5e-4, 1e-3};
    for (int k = 0; k < 4; k++) {
        char name[64];
        x.spread = spreads[k];
        x.speed_2 = k < 3 ? -9 : -40;
        snprintf(name, sizeof name, "rattle, %g mm further apart", 1e3 * spreads[k]);
        run_rattle(name, &x, TIGHT, 1e-6, &m);
        margin_end(&m);
    }
    x = (pair){.z1 = 20, .z2 = -61, .thinning = 4e-5, .speed_1 = 15, .speed_2 = 1, .law = law};
    run_rattle("rattle in a ring", &x, TIGHT, 1e-6, &m);
    margin_end(&m);
    x.spread = -1e-4;
    run_rattle("the same, nearer to the middle", &x, TIGHT, 1e-6, &m);
    margin_end(&m);
}

/* Errors fall with the tolerance. */
static void test_convergence(void **state)
{
    (void)state;
    const pair x = {.z1 = 20,
                    .z2 = 33,
                    .thinning = 4e-5,
                    .speed_1 = 12,
                    .speed_2 = -3,
                    .law = "law: yang-sun, damping: exact, restitution: 0.9, E_i: 207*GPa, length: 10*mm"};
    double worst[3];
    for (int k = 0; k < 3; k++) {
        margin m;
        run_rattle("at a tolerance", &x, pow(10, -4 - 2 * k), 1e-6, &m);
        worst[k] = 1e-6 * m.worst;
    }
    printf("           errors at 1e-4, 1e-6, 1e-8: %.1e %.1e %.1e\n", worst[0], worst[1], worst[2]);
    assert_true(worst[0] < 1e-3 && worst[1] < 0.1 * worst[0] && worst[2] < 0.1 * worst[1]);
}

/* ---- frequency ---- */

/* Without damping, K = pi E L/(4 (1 - nu^2)): a free impact is half a period pi sqrt(m/K), its depth v sqrt(m/K). Under
   a torque that holds F on the flanks, dropped from half the backlash, delta = F/K (1 - cos wt) + v/w sin wt with
   v^2 = F B/m: it leaves after (pi + 2 atan(F w/(K v)))/w, and comes back after 2 v m/F. */
static void test_frequency(void **state)
{
    (void)state;
    const char *law = "law: yang-sun, E_i: 207*GPa, nu_i: 0.3, length: 10*mm";
    pair x = {.z1 = 20, .z2 = 33, .thinning = 4e-5, .speed_1 = 12, .law = law};
    const sizes s = sizes_of(&x);
    const double K = PI * 207e9 * 0.01 / (4 * (1 - 0.09)), w = sqrt(K / s.mass);
    size_t count;
    free_run run;
    margin m;
    margin_begin(&m, "frequency of the mesh");
    open_pair(&run, &x, TIGHT);
    free_run_to(&run, 5e-3);
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    assert_true(count > 10);
    for (size_t k = 0; k < count; k++) {
        margin_add(&m, "half a period", k, impacts[k].duration, PI / w, 1e-6 * PI / w);
        margin_add(&m, "depth", k, impacts[k].max_indentation, s.base_1 * 12 / w, 1e-6 * s.base_1 * 12 / w);
        margin_add(&m, "force", k, impacts[k].peak_force, K * s.base_1 * 12 / w, 1e-6 * K * s.base_1 * 12 / w);
    }
    check_ledger(&run, &m);
    free_run_close(&run);
    const double F = 300, v = sqrt(F * s.backlash / s.mass), still = F / K;
    x.speed_1 = 0;
    x.torque_1 = F * s.base_1;
    x.torque_2 = F * s.base_2;
    open_pair(&run, &x, TIGHT);
    free_run_to(&run, 20e-3);
    impacts = carom_simulation_impacts(run.sim, &count);
    assert_true(count > 8);
    const double inside = (PI + 2 * atan(still * w / v)) / w, outside = 2 * v * s.mass / F;
    for (size_t k = 0; k < count; k++) {
        const double depth = still + sqrt(still * still + v * v / (w * w));
        assert_string_equal(impacts[k].contact, "mesh.1");
        margin_add(&m, "loaded, in mesh", k, impacts[k].duration, inside, 1e-6 * inside);
        margin_add(&m, "loaded, depth", k, impacts[k].max_indentation, depth, 1e-6 * depth);
        if (k)
            margin_add(&m, "loaded, away", k, impacts[k].onset - impacts[k - 1].onset, inside + outside,
                       1e-6 * outside);
    }
    check_ledger(&run, &m);
    free_run_close(&run);
    margin_end(&m);
}

/* ---- planetary gears ---- */

/* Sun, planet on a carrier, ring: the carrier turns at ws zs/(zs + zr), the planet at wc - (ws - wc) zs/zp. The line of
   the centres turns with the carrier. */
static void test_planetary(void **state)
{
    (void)state;
    const double zs = 24, zp = 18, zr = 60, w = 20;
    static const char text[] =
        "carom: 1\ndimension: 2\nparameters: {d: 42*mm}\n"
        "bodies:\n  sun: {mass: 1, inertia: 1e-3}\n  carrier: {mass: 1, inertia: 1e-3}\n  planet: {mass: 0.3, inertia: "
        "1e-4, at: [d, 0]}\n"
        "joints:\n  sun: {type: revolute, between: [ground, sun], motion: 20*t}\n  carrier: {type: revolute, between: "
        "[ground, carrier]}\n"
        "  planet: {type: revolute, between: [{carrier: [d, 0]}, planet]}\n"
        "shapes:\n  sun: {type: gear, on: sun, teeth: 24, module: 2*mm, thinning: 0.05*mm}\n"
        "  planet: {type: gear, on: planet, teeth: 18, module: 2*mm, thinning: 0.05*mm, orientation: pi - pi/18}\n"
        "  ring: {type: gear, on: ground, teeth: 60, module: 2*mm, thinning: 0.05*mm, internal: true, addendum: 0.8}\n"
        "contacts:\n  inner: {between: [sun, planet], normal: {law: kelvin-voigt, stiffness: 1e7, damping: 1e3}}\n"
        "  outer: {between: [ring, planet], normal: {law: kelvin-voigt, stiffness: 1e7, damping: 1e3}}\n"
        "loads:\n  brake: {type: torsion-damper, between: [ground, carrier], damping: 0.5}\n"
        "run: {until: 2}\n";
    free_run run;
    margin m;
    margin_begin(&m, "planetary gears");
    free_run_parse(&run, text, TIGHT, NULL);
    const double carrier = w * zs / (zs + zr), planet = carrier - (w - carrier) * zs / zp;
    for (size_t k = 0; k < 20; k++) {
        free_run_to(&run, 0.2 + 0.013 * (double)k);
        /* the brake's torque acts on the planet's centre, from sun and ring in halves */
        const double force = 0.5 * carrier / (2 * 0.042 * COSINE);
        margin_add(&m, "carrier", k, free_run_body(&run, "carrier").angular_velocity[2], carrier, 1e-6 * carrier);
        margin_add(&m, "planet", k, free_run_body(&run, "planet").angular_velocity[2], planet, 1e-6 * fabs(planet));
        margin_add(&m, "force of the sun", k, free_run_get(&run, "contact.inner.1.force"), force, 1e-6 * force);
        margin_add(&m, "force of the ring", k,
                   free_run_get(&run, "contact.outer.1.force") + free_run_get(&run, "contact.outer.2.force"), force,
                   1e-6 * force);
    }
    check_ledger(&run, &m);
    free_run_close(&run);
    margin_end(&m);
}

/* ---- the model ---- */

/* Impacts of either flank from a time on. */
static void count_impacts(double ripple, double drive, double speed, size_t count[2])
{
    run_sets sets = {0};
    run_set(&sets, "ripple", ripple);
    run_set(&sets, "drive", drive);
    run_set(&sets, "speed", speed);
    run_set(&sets, "duration", 0.04);
    free_run run;
    run_open(&run, "gear_backlash.yaml", &sets, 1e-8);
    free_run_to(&run, 0.04);
    size_t n;
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &n);
    count[0] = count[1] = 0;
    for (size_t k = 0; k < n; k++)
        if (impacts[k].onset > 0.02)
            count[strcmp(impacts[k].contact, "mesh.2") == 0]++;
    assert_true(carom_simulation_ledger(run.sim).residual_fraction < LEDGER);
    free_run_close(&run);
    printf("           ripple %g, mean %g N m: %zu and %zu impacts in 20 ms\n", ripple, drive, count[0], count[1]);
}

static void test_model(void **state)
{
    (void)state;
    size_t count[2];
    count_impacts(20, 20, 30, count);
    assert_true(count[0] == 0 && count[1] == 0);
    count_impacts(30, 20, 30, count);
    assert_true(count[0] > 20 && count[1] == 0);
    count_impacts(60, 20, 30, count);
    assert_true(count[0] > count[1] && count[1] > 5);
    count_impacts(60, 0, 0, count);
    assert_true(count[0] > 20 && count[1] > 20);
}

/* ---- what is said at the start ---- */

static const char *error_of(const char *two)
{
    char text[2000];
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 2\nbodies:\n  one: {mass: 1, inertia: 1e-3}\n  two: {mass: 1, inertia: 1e-3, at: "
             "[0.053, 0]}\n"
             "shapes:\n  one: {type: gear, on: one, teeth: 20, module: 2*mm}\n  two: {type: gear, on: two, teeth: 33, "
             "module: 2*mm%s}\n"
             "contacts:\n  mesh: {between: [one, two], normal: {law: hooke, stiffness: 1e7}}\nrun: {until: 1e-3}\n",
             two);
    return free_error_of_text(text);
}

static void test_teeth_on_teeth(void **state)
{
    (void)state;
    assert_string_equal(error_of(", orientation: pi - pi/33"), "");
    assert_non_null(strstr(error_of(", orientation: pi"), "turn one of the gears"));
}

static void warns(const pair *x, const char *of)
{
    free_run run;
    open_pair(&run, x, 0);
    size_t count;
    const char *const *warnings = carom_simulation_warnings(run.sim, &count);
    bool found = !of && count == 0;
    for (size_t k = 0; k < count; k++) {
        printf("           %s\n", warnings[k]);
        found = found || (of && strstr(warnings[k], of));
    }
    assert_true(found);
    free_run_close(&run);
}

static void test_warnings(void **state)
{
    (void)state;
    pair x = {.z1 = 20, .z2 = 33, .thinning = 1e-5, .law = "law: hooke, stiffness: 1e7"};
    warns(&x, NULL);
    x.spread = 1.5e-3;
    warns(&x, "contact ratio");
    x.spread = -1e-4;
    warns(&x, "both flanks press");
    x.spread = -1e-3;
    x.thinning = 1e-3;
    warns(&x, "root circle");
    x = (pair){.z1 = 16, .z2 = 33, .thinning = 1e-5, .law = x.law};
    warns(&x, "undercut");
    x.z1 = 12;
    x.z2 = 60;
    warns(&x, "beyond the point where the line of action");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ratio),          cmocka_unit_test(test_rattle),
                                       cmocka_unit_test(test_convergence),    cmocka_unit_test(test_frequency),
                                       cmocka_unit_test(test_planetary),      cmocka_unit_test(test_model),
                                       cmocka_unit_test(test_teeth_on_teeth), cmocka_unit_test(test_warnings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
