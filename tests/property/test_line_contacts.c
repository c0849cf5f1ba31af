/* Lines of contact: the gap of each place along random motions of cylinders, capsules and boxes that are nearly
   parallel, its distance by another computation, forces that stay continuous as lines turn through parallel into
   crossing ones, and runs with closed forms. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "geometry/surface/patch/lines.h"
#include "geometry/surface/patch/patch.h"
#include "support/runs.h"
#include "support/solids.h"

static uint64_t seed = 23;

static double chance(double low, double high) { return solid_uniform(&seed, low, high); }

static carom_vec3 chance_vector(double size) { return solid_vector(&seed, size); }

static const double thick[3] = {0.05, 0.15, 0}, thin[3] = {0.04, 0.1, 0.005}, coin[3] = {0.05, 0.004, 0.001};
static const double pill[2] = {0.05, 0.1}, brick[4] = {0.06, 0.08, 0.2, 0}, soft[4] = {0.06, 0.08, 0.1, 0.01};
static const carom_surface solids[] = {{&carom_surface_cylinder, thick, false}, {&carom_surface_cylinder, thin, false},
                                       {&carom_surface_cylinder, coin, false},  {&carom_surface_capsule, pill, false},
                                       {&carom_surface_box, brick, false},      {&carom_surface_box, soft, false}};

/* The second beside the first along x (over an edge of a box at 45 degrees), axes along z, and turned a little. */
typedef struct arrangement {
    const carom_surface *i, *j;
    carom_vec3 origin, turn, velocity, spin;
} arrangement;

static double reach(const carom_surface *a)
{
    return a->kind == &carom_surface_box ? hypot(a->p[0] - a->p[3], a->p[1] - a->p[3]) + a->p[3] : a->p[0];
}

static carom_shape_pose first_pose(const arrangement *a)
{
    const double *p = a->i->p, angle = a->i->kind == &carom_surface_box ? -atan2(p[1] - p[3], p[0] - p[3]) : 0;
    return (carom_shape_pose){.p = p, .axes = carom_quat_matrix(carom_quat_from_rotation(carom_v3(0, 0, angle)))};
}

static carom_shape_pose second_pose(const arrangement *a, double t)
{
    const bool box = a->j->kind == &carom_surface_box;
    const double angle = box ? CAROM_PI - atan2(a->j->p[1] - a->j->p[3], a->j->p[0] - a->j->p[3]) : 0;
    const carom_mat3 own = carom_quat_matrix(carom_quat_from_rotation(carom_v3(0, 0, angle)));
    const carom_mat3 turn = carom_quat_matrix(carom_quat_from_rotation(a->turn));
    const carom_mat3 moved = carom_quat_matrix(carom_quat_from_rotation(carom_v3_scale(t, a->spin)));
    const carom_mat3 to = carom_m3_multiply(&turn, &own);
    return (carom_shape_pose){.p = a->j->p,
                              .origin = carom_v3_add_scaled(a->origin, t, a->velocity),
                              .axes = carom_m3_multiply(&moved, &to),
                              .velocity = a->velocity,
                              .spin = a->spin};
}

static double place_at(const arrangement *a, double t, int which, carom_surface_contact *out)
{
    const carom_shape_pose i = first_pose(a), j = second_pose(a, t);
    double share;
    carom_surface_patch(a->i, &i, a->j, &j, which, out, &share);
    return share;
}

static bool is_pair(const carom_surface *i, const carom_surface *j) { return carom_lines_count(i, j) > 0; }

/* In it lines turn by less than the least tilt. */
#define STEP 1e-8

/* How much a rate is off from the differences over a step; where the place passes from an edge onto a corner in it the
   rate jumps, and is that of one side. */
static double off_from_differences(carom_vec3 rate, carom_vec3 before, carom_vec3 now, carom_vec3 after)
{
    const carom_vec3 whole = carom_v3_scale(0.5 / STEP, carom_v3_sub(after, before));
    const carom_vec3 first = carom_v3_scale(1 / STEP, carom_v3_sub(now, before));
    const carom_vec3 last = carom_v3_scale(1 / STEP, carom_v3_sub(after, now));
    return fmin(carom_v3_norm(carom_v3_sub(whole, rate)),
                fmin(carom_v3_norm(carom_v3_sub(first, rate)), carom_v3_norm(carom_v3_sub(last, rate))));
}

/* The gap of a place changes by the motion of both points along the normal, the normal by its rate, and both points lie
   on the normal, a gap apart. */
static void test_motions(void **state)
{
    (void)state;
    margin m;
    int bearing = 0;
    margin_begin(&m, "places along motions");
    for (size_t first = 0; first < (size_t)CAROM_COUNT(solids); first++)
        for (size_t second = 0; second < (size_t)CAROM_COUNT(solids); second++)
            for (int trial = 0; trial < 40 && is_pair(&solids[first], &solids[second]); trial++) {
                arrangement a = {.i = &solids[first], .j = &solids[second]};
                const double tilt = pow(10, chance(-6, -1));
                a.origin = chance_vector(0.1);
                a.origin.x = reach(a.i) + reach(a.j) - chance(-1e-3, 1e-3);
                a.origin.y *= 0.1;
                a.turn = chance_vector(tilt);
                a.velocity = chance_vector(1);
                a.spin = chance_vector(2);
                const int count = carom_surface_patch_count(a.i, a.j);
                for (int which = 0; which < count; which++) {
                    carom_surface_contact c, before, after;
                    const double share = place_at(&a, 0, which, &c);
                    if (!(share > 0) || (which > 0 && which < count - 4) || !(place_at(&a, STEP, which, &after) > 0) ||
                        !(place_at(&a, -STEP, which, &before) > 0))
                        continue;
                    bearing++;
                    const carom_shape_pose i = first_pose(&a), j = second_pose(&a, 0);
                    const carom_vec3 v = carom_v3_add(a.velocity, carom_v3_cross(a.spin, c.from_j));
                    const carom_vec3 rate = carom_surface_patch_normal_rate(a.i, &i, a.j, &j, which);
                    const carom_vec3 d = carom_v3_sub(carom_v3_add(a.origin, c.from_j), c.from_i);
                    const double speed = carom_v3_dot(c.normal, v);
                    margin_add(&m, "rate of the gap", (size_t)bearing,
                               off_from_differences(carom_v3(speed, 0, 0), carom_v3(before.gap, 0, 0),
                                                    carom_v3(c.gap, 0, 0), carom_v3(after.gap, 0, 0)),
                               0, 2e-6);
                    margin_add(&m, "rate of the normal", (size_t)bearing,
                               off_from_differences(rate, before.normal, c.normal, after.normal), 0,
                               2e-5 * (1 + carom_v3_norm(rate)));
                    margin_add(&m, "points", (size_t)bearing,
                               carom_v3_norm(carom_v3_add_scaled(d, -c.gap, c.normal)), 0, 1e-13);
                }
            }
    margin_end(&m);
    print_message("%d places\n", bearing);
    assert_true(bearing > 1500);
}

/* Force along x and moment about the origin of the second, of a law with the power 3/2 and the stiffness 1. */
static void load_at(const arrangement *a, double *out)
{
    carom_vec3 force = {0, 0, 0}, moment = {0, 0, 0};
    const int count = carom_surface_patch_count(a->i, a->j);
    for (int which = 0; which < count; which++) {
        carom_surface_contact c;
        const double share = place_at(a, 0, which, &c), size = share > 0 && c.gap < 0 ? share * pow(-c.gap, 1.5) : 0;
        const carom_vec3 f = carom_v3_scale(size, c.normal);
        force = carom_v3_add(force, f);
        moment = carom_v3_add(moment, carom_v3_cross(c.from_j, f));
    }
    const double all[6] = {force.x, force.y, force.z, moment.x, moment.y, moment.z};
    memcpy(out, all, sizeof all);
}

/* The way by which a turn in the plane of the lines brings the end of the second nearest. */
static double sunk(const arrangement *a, double turn)
{
    const carom_surface_placed placed = {carom_m3_identity(), a->origin};
    carom_lines lines;
    carom_lines_find(a->i, a->j, &placed, &lines);
    return fmax(fabs(lines.low - a->origin.z), fabs(lines.high - a->origin.z)) * sin(fabs(turn));
}

/* Ways: a turn about the normal, in the plane of both lines, and a slide along. x: from -1 to 1. */
static void load_on_way(arrangement *a, int way, double x, double *load)
{
    const double half = 0.3 * a->i->kind->bounding_radius(a->i->p);
    a->turn = carom_v3(0, 0, 0);
    const double depth = 0.01 * fmin(fmin(a->i->p[0], a->i->p[1]), fmin(a->j->p[0], a->j->p[1]));
    a->origin = carom_v3(reach(a->i) + reach(a->j) - depth, 0, way == 2 ? half * x : 0.1 * half);
    if (way == 1)
        a->origin.x += sunk(a, 0.3 * x) - 2 * depth;
    a->turn = way == 0 ? carom_v3(0.1 * x, 0, 0) : way == 1 ? carom_v3(0, 0.3 * x, 0) : carom_v3(1e-3, 1e-3, 0);
    load_at(a, load);
    for (int n = 3; n < 6; n++)
        load[n] /= half;
}

static double change_of(const double *a, const double *b)
{
    double most = 0;
    for (int n = 0; n < 6; n++)
        most = fmax(most, fabs(a[n] - b[n]));
    return most;
}

#define PARTS 500

/* A line turns through parallel and slides past the end of the other one: the step in which force and moment change
   most is halved ten times, of which a slope leaves a thousandth, and a jump all. */
static void test_continuous(void **state)
{
    (void)state;
    margin m;
    margin_begin(&m, "force and moment as lines turn and slide");
    for (size_t first = 0; first < (size_t)CAROM_COUNT(solids); first++)
        for (size_t second = 0; second < (size_t)CAROM_COUNT(solids); second++)
            for (int way = 0; way < 3 && is_pair(&solids[first], &solids[second]); way++) {
                arrangement a = {.i = &solids[first], .j = &solids[second]};
                double low[6], middle[6], high[6], most = -1, largest = 0, from = 0, width = 2.0 / PARTS;
                load_on_way(&a, way, -1, low);
                for (int k = 1; k <= PARTS; k++, memcpy(low, high, sizeof low)) {
                    load_on_way(&a, way, -1 + k * width, high);
                    largest = fmax(largest, hypot(high[0], high[1]));
                    if (change_of(low, high) > most) {
                        most = change_of(low, high);
                        from = -1 + (k - 1) * width;
                    }
                }
                load_on_way(&a, way, from, low);
                load_on_way(&a, way, from + width, high);
                for (int k = 0; k < 10; k++) {
                    width *= 0.5;
                    load_on_way(&a, way, from + width, middle);
                    const bool upper = change_of(middle, high) > change_of(low, middle);
                    from += upper ? width : 0;
                    memcpy(upper ? low : high, middle, sizeof middle);
                }
                assert_true(largest > 0);
                margin_add(&m, way == 0 ? "twist" : way == 1 ? "tilt" : "slide", 6 * first + second,
                           change_of(low, high) / largest, 0, 2e-3);
            }
    margin_end(&m);
}

/* ---- runs ---- */

static carom_body_state body_after(free_run *run, const char *text, double until, const char *body)
{
    free_run_parse(run, text, 1e-9, NULL);
    free_run_to(run, until);
    return free_run_body(run, body);
}

#define TURNED "orientation: {axis: [0, 1, 0], angle: 90*deg}"

/* A log falls on two parallel ones, a way d to either side of its middle: it comes to rest where two ends a side bear
   2 2 K delta^1.5 h/D = W, with the distance D = r + R - delta of the axes, h^2 = D^2 - d^2. */
static void test_rests(void **state)
{
    (void)state;
    static const char *const logs[] = {"cylinder, length: 0.6, radius: 0.05", "cylinder, length: 0.3, radius: 0.05",
                                       "cylinder, length: 0.6, radius: 0.05, rim: 0.01",
                                       "capsule, from: [0, 0, -0.2], to: [0, 0, 0.2], radius: 0.05"};
    static const char *const frictions[] = {"", ", friction: {law: coulomb, kinetic: 0.4}"};
    margin m;
    margin_begin(&m, "a log on two logs");
    for (size_t k = 0; k < 2 * (size_t)CAROM_COUNT(logs); k++) {
        const char *rough = frictions[k % 2];
        char text[2048];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
                 "bodies: {c: {mass: 5, inertia: [0.15, 0.15, 0.00625], at: [0, 0, 0.088], " TURNED "}}\n"
                 "shapes:\n  c: {type: %s, on: c}\n  a: {type: cylinder, on: ground, at: [0, -0.05, 0], " TURNED
                 ", radius: 0.05, length: 0.6}\n  b: {type: cylinder, on: ground, at: [0, 0.05, 0], " TURNED
                 ", radius: 0.05, length: 0.6}\ncontacts:\n"
                 "  a: {between: [a, c], normal: {law: hunt-crossley, stiffness: 1e7, restitution: 0.1}%s}\n"
                 "  b: {between: [b, c], normal: {law: hunt-crossley, stiffness: 1e7, restitution: 0.1}%s}\n"
                 "run: {until: 1.5}\n", logs[k / 2], rough, rough);
        free_run run;
        const carom_body_state c = body_after(&run, text, 1.5, "c");
        double depth = 0;
        for (int step = 0; step < 40; step++) {
            const double distance = 0.1 - depth, height = sqrt(distance * distance - 0.0025);
            depth = cbrt(pow(5 * 9.81 * distance / height / (4 * 1e7), 2));
        }
        const double distance = 0.1 - depth;
        /* friction that holds along the sides bears up to tan 30 0.4 of the weight: depths are 14 % less at most */
        margin_add(&m, "height", k, c.position[2], sqrt(distance * distance - 0.0025), k % 2 ? 0.14 * depth : 1e-8);
        margin_add(&m, "aside", k, hypot(c.position[0], c.position[1]), 0, 1e-8);
        margin_add(&m, "speed", k, fabs(c.velocity[2]), 0, 1e-5);
        margin_add(&m, "ledger", k, carom_simulation_ledger(run.sim).residual_fraction, 0, 1e-7);
        margin_add(&m, "steps", k, (double)carom_simulation_statistics(run.sim).steps, 0, 2000);
        free_run_close(&run);
    }
    margin_end(&m);
}

/* Two free solids that meet side by side, or a cube edge first, in the line of their centres: the law's restitution. */
static void test_meets(void **state)
{
    (void)state;
    static const char *const shapes[][2] = {
        {"cylinder, length: 0.3, radius: 0.05", "cylinder, length: 0.3, radius: 0.05"},
        {"cylinder, length: 0.3, radius: 0.05, rim: 0.01", "cylinder, length: 0.2, radius: 0.05"},
        {"capsule, from: [0, 0, -0.1], to: [0, 0, 0.1], radius: 0.05", "cylinder, length: 0.3, radius: 0.05"},
        {"capsule, from: [0, 0, -0.1], to: [0, 0, 0.1], radius: 0.05",
         "capsule, from: [0, 0, -0.1], to: [0, 0, 0.1], radius: 0.05"},
        {"cylinder, length: 0.3, radius: 0.05",
         "box, size: [0.1/sqrt(2), 0.1/sqrt(2), 0.4], orientation: {axis: [0, 0, 1], angle: 45*deg}"}};
    margin m;
    margin_begin(&m, "two solids side by side");
    for (size_t k = 0; k < 3 * (size_t)CAROM_COUNT(shapes); k++) {
        const double e = 0.2 + 0.3 * (double)(k % 3);
        char text[2048];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 3\ngravity: [0, 0, 0]\nbodies:\n"
                 "  a: {mass: 1, inertia: [0.008, 0.008, 0.00125], at: [0, -0.051, 0], velocity: [0, 0.1, 0], " TURNED
                 "}\n"
                 "  b: {mass: 1, inertia: [0.008, 0.008, 0.00125], at: [0, 0.05, 0], " TURNED "}\n"
                 "shapes:\n  a: {type: %s, on: a}\n  b: {type: %s, on: b}\n"
                 "contacts: {k: {between: [a, b], normal: {law: exact, stiffness: 1e6, restitution: %g}}}\n"
                 "run: {until: 0.1}\n", shapes[k / 3][0], shapes[k / 3][1], e);
        free_run run;
        const carom_body_state a = body_after(&run, text, 0.1, "a"), b = free_run_body(&run, "b");
        margin_add(&m, "first", k, a.velocity[1], 0.05 * (1 - e), 1e-8);
        margin_add(&m, "second", k, b.velocity[1], 0.05 * (1 + e), 1e-8);
        for (int axis = 0; axis < 3; axis++)
            margin_add(&m, "spin", k, fmax(fabs(a.angular_velocity[axis]), fabs(b.angular_velocity[axis])), 0, 1e-8);
        margin_add(&m, "ledger", k, carom_simulation_ledger(run.sim).residual_fraction, 0, 1e-8);
        free_run_close(&run);
    }
    margin_end(&m);
}

/* A cylinder that rests along the edge of a table and is a little beyond it rolls over the edge without slipping: from
   the energy, (3/4) r^2 w^2 = g r (1 - cos) since the axis goes round the edge. */
static void test_rolls_off(void **state)
{
    (void)state;
    margin m;
    margin_begin(&m, "a cylinder over the edge of a table");
    for (size_t k = 0; k < 2; k++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
                 "bodies: {c: {mass: 2, inertia: [0.02791667, 0.02791667, 0.0025], at: [0, %g, %.12g], " TURNED ", "
                 "velocity: [0, %g, 0], angular_velocity: [%g, 0, 0]}}\n"
                 "shapes:\n  c: {type: cylinder, on: c, radius: 0.05, length: 0.4}\n"
                 "  t: {type: box, on: ground, at: [0, -0.1, -0.1], size: [%g, 0.2, 0.2]}\n"
                 "contacts: {k: {between: [t, c], normal: {law: hunt-crossley, stiffness: 1e11, restitution: 0.1}, "
                 "friction: {law: coulomb, kinetic: 20}}}\nrun: {until: 0.3}\n",
                 k ? -0.02 : 1e-3, k ? 0.05 : sqrt(0.0025 - 1e-6), k ? 0.2 : 0.0, k ? -0.2 / 0.05 : 0.0, k ? 0.6 : 0.3);
        free_run run;
        free_run_parse(&run, text, 1e-9, NULL);
        double t = 0, y = 0, z = 0.05, v = 0;
        while (t < 0.3 && y < 0.05 * sin(40 * CAROM_PI / 180)) {
            t += 1e-3;
            free_run_to(&run, t);
            const carom_body_state c = free_run_body(&run, "c");
            y = c.position[1];
            z = c.position[2];
            v = hypot(c.velocity[1], c.velocity[2]);
            margin_add(&m, "tilt", k, fmax(fabs(c.velocity[0]), fabs(c.angular_velocity[2])), 0, 1e-6);
        }
        const double begin = k ? 0.2 * 0.2 : 0, top = k ? 0.05 : sqrt(0.0025 - 1e-6);
        margin_add(&m, "distance", k, hypot(y, z), 0.05, 1e-5);
        margin_add(&m, "speed", k, v * v, begin + 4.0 / 3 * 9.81 * (top - z), 3e-5);
        margin_add(&m, "ledger", k, carom_simulation_ledger(run.sim).residual_fraction, 0, 1e-7);
        free_run_close(&run);
    }
    margin_end(&m);
}

/* Two capsules that cross at right angles have the relative curvatures of a ball of their radius on a plane: the law of
   an ellipse tells the same depth and force as that of the ball. */
static void test_crossed(void **state)
{
    (void)state;
    margin m;
    margin_begin(&m, "crossed capsules with the law of an ellipse");
    double depth[2], force[2];
    static const char *const shapes[2][2] = {
        {"capsule, from: [0, -0.1, 0], to: [0, 0.1, 0], radius: 0.02", "capsule, from: [-0.1, 0, 0], to: [0.1, 0, 0], "
                                                                       "radius: 0.02"},
        {"sphere, radius: 0.02", "plane, normal: [0, 0, 1], at: [0, 0, 0.02]"}};
    for (size_t k = 0; k < 2; k++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 3\ngravity: [0, 0, 0]\nmaterials: {s: {E: 2.1e11, nu: 0.3}}\n"
                 "bodies: {a: {mass: 0.1, inertia: [1e-4, 1e-4, 1e-4], at: [0, 0, 0.041], velocity: [0, 0, -0.5]}}\n"
                 "shapes:\n  a: {type: %s, on: a, material: s}\n  g: {type: %s, on: ground, material: s}\n"
                 "contacts: {k: {between: [g, a], normal: {law: %s}}}\nrun: {until: 0.005}\n",
                 shapes[k][0], shapes[k][1], k ? "hertz" : "hertz-elliptic");
        free_run run;
        const carom_body_state a = body_after(&run, text, 0.005, "a");
        margin_add(&m, "speed", k, a.velocity[2], 0.5, 1e-7);
        size_t count;
        const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
        assert_int_equal(count, 1);
        depth[k] = impacts[0].max_indentation;
        force[k] = impacts[0].peak_force;
        free_run_close(&run);
    }
    margin_add(&m, "depth", 0, depth[0], depth[1], 1e-6 * depth[1]);
    margin_add(&m, "force", 0, force[0], force[1], 1e-6 * force[1]);
    margin_end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_motions), cmocka_unit_test(test_continuous), cmocka_unit_test(test_rests),
        cmocka_unit_test(test_meets),   cmocka_unit_test(test_rolls_off),
        cmocka_unit_test(test_crossed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
