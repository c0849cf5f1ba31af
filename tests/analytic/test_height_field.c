/* The shape `height-field` (height_field) and its pairs field-sphere and field-surface (field_sphere, field_surface):
   waves against closed forms and a search of their own, rates against differences of
   motions, a ball that slides in a bowl, and bodies that come to rest on waves. */
#include "carom_test.h"

#include <math.h>

#include "geometry/surface/field.h"
#include "kinds/shape/shape.h"
#include "support/polyhedra.h"
#include "support/runs.h"
#include "support/sample.h"
#include "support/solids.h"

static uint64_t seed = 9;

#define ROOM (CAROM_FIELD_TABLE + 4 * 161 * 161)

static double field[ROOM], heights[161 * 161], work[5 * 161];

typedef double (*graph)(double x, double y);

static void make(graph h, int columns, int rows, double x, double y, bool straight)
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            heights[r * columns + c] = h(x * ((double)c / (columns - 1) - 0.5), y * ((double)r / (rows - 1) - 0.5));
    carom_field_make(columns, rows, x, y, straight, heights, work, field);
}

static double waves(double x, double y) { return 0.1 * sin(3 * x) * cos(2 * y); }
static double swell(double x, double y) { return sin(0.3 * x) * cos(0.2 * y); }

static carom_vec3 random_vector(double size)
{
    return carom_v3(solid_uniform(&seed, -size, size), solid_uniform(&seed, -size, size),
                    solid_uniform(&seed, -size, size));
}

/* ---- waves ---- */

/* Values, slopes and curvatures against the closed form, which the spline meets with the fourth, third and second power
   of the distance between its lines; h and its first two derivatives go on over the lines. */
static void test_waves(void **state)
{
    (void)state;
    double off[2][3] = {{0}}, jump = 0;
    for (int fine = 0; fine < 2; fine++) {
        make(waves, fine ? 161 : 81, fine ? 161 : 81, 4, 4, false);
        for (int k = 0; k < 3000; k++) {
            const double x = solid_uniform(&seed, -1, 1), y = solid_uniform(&seed, -1, 1);
            carom_surface_point at;
            carom_field_at(field, x, y, &at);
            const double hx = 0.3 * cos(3 * x) * cos(2 * y), hy = -0.2 * sin(3 * x) * sin(2 * y);
            const double hxx = -9 * waves(x, y), hyy = -4 * waves(x, y), hxy = -0.6 * cos(3 * x) * sin(2 * y);
            const double w = sqrt(1 + hx * hx + hy * hy);
            const double mean = -((1 + hy * hy) * hxx - 2 * hx * hy * hxy + (1 + hx * hx) * hyy) / (2 * w * w * w);
            const double gauss = (hxx * hyy - hxy * hxy) / (w * w * w * w);
            off[fine][0] = fmax(off[fine][0], fabs(at.position.z - waves(x, y)));
            const carom_vec3 normal = carom_v3_scale(1 / w, carom_v3(-hx, -hy, 1));
            off[fine][1] = fmax(off[fine][1], carom_v3_norm(carom_v3_sub(at.normal, normal)));
            off[fine][2] = fmax(off[fine][2], fabs(0.5 * (at.curvature[0] + at.curvature[1]) - mean));
            off[fine][2] = fmax(off[fine][2], fabs(at.curvature[0] * at.curvature[1] - gauss));
            assert_true(fabs(carom_v3_dot(at.direction[0], at.normal)) < 1e-14);
            assert_true(fabs(carom_field_height(field, x, y) - at.position.z) < 1e-15);
            carom_surface_point low, high;
            const double line = 4.0 / (fine ? 160 : 80) * floor(solid_uniform(&seed, -20, 20));
            carom_field_at(field, line - 1e-12, y, &low);
            carom_field_at(field, line + 1e-12, y, &high);
            jump = fmax(jump, carom_v3_norm(carom_v3_sub(low.normal, high.normal)));
            jump = fmax(jump, fabs(low.curvature[0] - high.curvature[0]));
        }
    }
    print_message("waves: height %.1e, %.1e m; normal %.1e, %.1e; curvatures %.1e, %.1e; jumps over lines %.1e\n",
                  off[0][0], off[1][0], off[0][1], off[1][1], off[0][2], off[1][2], jump);
    assert_true(off[0][0] < 3e-7 && off[1][0] < off[0][0] / 12);
    assert_true(off[1][1] < off[0][1] / 6 && off[1][2] < off[0][2] / 3.5);
    assert_true(jump < 1e-8);
}

/* The least distance of a point from the waves by a fine search of its own. */
static double searched(carom_vec3 c)
{
    double best = HUGE_VAL, bx = c.x, by = c.y, step = 0.02;
    for (int b = -60; b <= 60; b++)
        for (int a = -60; a <= 60; a++) {
            const double x = c.x + a * step, y = c.y + b * step, e = carom_field_height(field, x, y) - c.z;
            const double d = (x - c.x) * (x - c.x) + (y - c.y) * (y - c.y) + e * e;
            if (d < best) {
                best = d;
                bx = x;
                by = y;
            }
        }
    for (; step > 1e-9; step *= 0.5)
        for (int k = 0; k < 40; k++) {
            const double from = best;
            for (int way = 0; way < 8; way++) {
                static const int dx[8] = {1, 1, 0, -1, -1, -1, 0, 1}, dy[8] = {0, 1, 1, 1, 0, -1, -1, -1};
                const double x = bx + dx[way] * step, y = by + dy[way] * step;
                const double e = carom_field_height(field, x, y) - c.z;
                const double d = (x - c.x) * (x - c.x) + (y - c.y) * (y - c.y) + e * e;
                if (d < best) {
                    best = d;
                    bx = x;
                    by = y;
                }
            }
            if (!(best < from))
                break;
        }
    return sqrt(best);
}

static void test_feet(void **state)
{
    (void)state;
    double most = 0;
    make(waves, 81, 81, 4, 4, false);
    for (int k = 0; k < 400; k++) {
        carom_vec3 c = random_vector(1.5);
        c.z = carom_field_height(field, c.x, c.y) + solid_uniform(&seed, 0.01, 0.5);
        carom_surface_point foot;
        const double distance = carom_field_distance(field, c, &foot);
        most = fmax(most, fabs(distance - searched(c)));
        assert_true(carom_v3_norm(carom_v3_cross(carom_v3_sub(c, foot.position), foot.normal)) < 1e-13);
    }
    print_message("feet on waves: distance %.1e m of a search\n", most);
    assert_true(most < 1e-9);
}

/* ---- rates along motions ---- */

typedef struct mover {
    const double *p;
    carom_vec3 origin, velocity, spin;
    carom_mat3 axes;
} mover;

static carom_shape_pose pose_at(const mover *m, double t)
{
    const carom_mat3 turn = carom_quat_matrix(carom_quat_from_rotation(carom_v3_scale(t, m->spin)));
    return (carom_shape_pose){.p = m->p,
                              .origin = carom_v3_add_scaled(m->origin, t, m->velocity),
                              .axes = carom_m3_multiply(&turn, &m->axes),
                              .velocity = m->velocity,
                              .spin = m->spin};
}

static carom_pair_point point_at(const mover *i, const mover *j, bool ball, int n, double t)
{
    const carom_shape_pose a = pose_at(i, t), b = pose_at(j, t);
    carom_pair_point out = {0};
    if (ball)
        carom_pair_field_sphere.gap(&a, &b, &out);
    else
        carom_pair_field_surface.gap_at(&a, &b, n, &out);
    return out;
}

/* The gap changes by n . (v_j - v_i) at the point, the normal by its rate. */
static void test_rates(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_arena arena;
    carom_arena_init(&arena, ctx);
    make(swell, 81, 81, 40, 40, false);
    double corners[24], solid[64], rate = 0, turn = 0, arms = 0;
    box_corners(0.2, 0.1, 0.06, corners);
    const double *mesh = polyhedron_of(&arena, corners, 8), radius[1] = {0.15};
    int tried = 0, skipped = 0;
    for (int k = 0; k < 800; k++) {
        const bool ball = k % 10 == 9;
        mover i = {.p = field, .origin = random_vector(1)}, j = {.p = ball ? radius : solid};
        i.axes = carom_quat_matrix(carom_quat_from_rotation(random_vector(0.5)));
        j.axes = carom_quat_matrix(carom_quat_from_rotation(random_vector(3)));
        if (!ball && k % 10 == 8)
            j.p = mesh;
        else if (!ball)
            assert_true(solid_random(solid_kind_at((size_t)k % 10), &seed, false, solid) >= 0);
        i.velocity = random_vector(1);
        j.velocity = random_vector(1);
        i.spin = random_vector(1);
        j.spin = random_vector(1);
        j.origin = carom_v3_add(i.origin, carom_m3_apply(&i.axes, carom_v3(3, 2, 3)));
        const int points = ball ? 1 : carom_pair_field_surface.points(field, j.p), n = k % points;
        for (int round = 0; round < 30; round++) {
            const carom_pair_point at = point_at(&i, &j, ball, n, 0);
            j.origin = carom_v3_add_scaled(j.origin, 1e-3 - at.gap, at.normal);
        }
        const double h = 1e-5;
        const carom_pair_point low = point_at(&i, &j, ball, n, -h), at = point_at(&i, &j, ball, n, 0);
        const carom_pair_point high = point_at(&i, &j, ball, n, h);
        const carom_vec3 v_i = carom_v3_add(i.velocity, carom_v3_cross(i.spin, at.from_i));
        const carom_vec3 v_j = carom_v3_add(j.velocity, carom_v3_cross(j.spin, at.from_j));
        const double expected = carom_v3_dot(at.normal, carom_v3_sub(v_j, v_i));
        const double error = fabs((high.gap - low.gap) / (2 * h) - expected);
        const carom_vec3 d = carom_v3_scale(1 / (2 * h), carom_v3_sub(high.normal, low.normal));
        const carom_shape_pose a = pose_at(&i, 0), b = pose_at(&j, 0);
        const carom_vec3 r = ball ? carom_pair_field_sphere.normal_rate(&a, &b)
                                  : carom_pair_field_surface.normal_rate_at(&a, &b, n);
        const double off = carom_v3_norm(carom_v3_sub(r, d)) / (1 + carom_v3_norm(d));
        /* places that bear, where the distance is known exactly */
        if (low.less >= 1 || high.less >= 1 || !at.common)
            continue;
        tried++;
        rate = fmax(rate, error);
        if (off > 1e-2) {
            skipped++; /* near the end of a rim, which bends one way on its edge and another way beside it */
            continue;
        }
        turn = fmax(turn, off);
        const carom_vec3 point = carom_v3_add(a.origin, at.from_i);
        arms = fmax(arms, carom_v3_norm(carom_v3_sub(carom_v3_sub(point, b.origin), at.from_j)));
    }
    print_message("rates on waves: %d tried, %d skipped, gap %.1e m/s, normal %.1e, points %.1e m\n", tried, skipped,
                  rate, turn, arms);
    assert_true(tried > 500 && skipped < tried / 20);
    assert_true(rate < 1e-7 && arms < 1e-12);
    carom_arena_free(&arena);
    carom_context_free(ctx);
}

/* ---- motions ---- */

#define SPACE "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"

/* A ball without friction in a bowl z = x^2/2 + y^2/2 slides as a pendulum whose length is the radius of the bowl less
   its own; small swings take 2 pi sqrt((1 - r)/g), and nothing is lost. */
static void test_bowl(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run,
                   SPACE "bodies: {ball: {mass: 1, inertia: [0.004, 0.004, 0.004], at: [0.002, 0, 0.100002124], "
                         "velocity: [0, 0, 0]}}\nshapes: {ball: {type: sphere, on: ball, radius: 0.1}, "
                         "ground: {type: height-field, on: ground, size: [2, 2], "
                         "lines: [101, 101], value: (x^2 + y^2)/2}}\n"
                         "contacts: {slide: {between: [ball, ground], normal: {elastic: hooke, damping: none, "
                         "stiffness: 1e8}}}\nrun: {until: 3}\n",
                   1e-10, NULL);
    const double period = 2 * CAROM_PI * sqrt(0.9 / 9.81);
    free_run_to(&run, 0.75 * period);
    const double before = free_run_body(&run, "ball").position[0];
    free_run_to(&run, period);
    const double after = free_run_body(&run, "ball").position[0];
    const double residual = carom_simulation_ledger(run.sim).residual_fraction;
    print_message("bowl: %.2e m after 3/4 of a swing, %.9f m after one, ledger %.1e\n", before, after, residual);
    assert_true(fabs(before) < 2e-7 && fabs(after - 0.002) < 2e-7 && residual < 1e-7);
    free_run_close(&run);
}

/* What falls onto waves comes to rest there: its weight is borne, and the energy closes. */
static void test_rest(void **state)
{
    (void)state;
    static const struct {
        const char *name, *shape;
        int points;
    } bodies[] = {
        {"ball", "type: sphere, radius: 0.1", 1},
        {"brick", "type: box, size: [0.3, 0.2, 0.1]", 8},
        {"mesh", "type: mesh, points: [[0.15, 0.1, 0.05], [-0.15, 0.1, 0.05], [0.15, -0.1, 0.05], [-0.15, -0.1, 0.05], "
                 "[0.15, 0.1, -0.05], [-0.15, 0.1, -0.05], [0.15, -0.1, -0.05], [-0.15, -0.1, -0.05]]", 4},
        {"pin", "type: capsule, radius: 0.05, from: [0, 0, -0.2], to: [0, 0, 0.2]", 3},
        {"can", "type: cylinder, radius: 0.1, length: 0.2", 18},
    };
    double place[2][3] = {{0}};
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++) {
        char text[2000];
        free_run run;
        double up = 0;
        snprintf(text, sizeof text,
                 SPACE "bodies: {a: {mass: 1, inertia: [0.004, 0.006, 0.008], at: [0.4, 0.1, 0.4], orientation: {axis: "
                       "[1, 2, 0.5], angle: 0.4}}}\nshapes: {a: {on: a, %s}, ground: {type: height-field, on: "
                       "ground, size: [4, 4], lines: [81, 81], value: 0.05*sin(3*x)*cos(3*y)}}\n"
                       "contacts: {rest: {between: [a, ground], normal: {law: flores, stiffness: 1e6, restitution: "
                       "0.2}, friction: {law: coulomb, kinetic: 0.6, rolling: 0.01}}}\nrun: {until: 2}\n",
                 bodies[k].shape);
        free_run_parse(&run, text, 1e-8, NULL);
        free_run_to(&run, 2);
        for (int n = 1; n <= bodies[k].points; n++) {
            char name[64];
            const bool several = bodies[k].points > 1;
            snprintf(name, sizeof name, several ? "contact.rest.%d.total_force.z" : "contact.rest.total_force.z", n);
            up += fabs(free_run_get(&run, name));
        }
        const carom_body_state at = free_run_body(&run, "a");
        const double speed = hypot(hypot(at.velocity[0], at.velocity[1]), at.velocity[2]);
        const carom_ledger ledger = carom_simulation_ledger(run.sim);
        print_message("%s on waves: borne %.8f of the weight, speed %.1e m/s, ledger %.1e, %llu steps\n",
                      bodies[k].name, up / 9.81, speed, ledger.residual_fraction,
                      (unsigned long long)carom_simulation_statistics(run.sim).steps);
        /* what is round still rocks in its hollow */
        const bool angular = k == 1 || k == 2;
        assert_true(fabs(up / 9.81 - 1) < (angular ? 1e-6 : 1e-3) && speed < (angular ? 1e-5 : 1e-2));
        assert_true(ledger.residual_fraction < 1e-6);
        for (int axis = 0; axis < 3 && k >= 1 && k <= 2; axis++)
            place[k - 1][axis] = at.position[axis];
        free_run_close(&run);
    }
    for (int axis = 0; axis < 3; axis++)
        assert_true(fabs(place[0][axis] - place[1][axis]) < 1e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_waves), cmocka_unit_test(test_feet),
        cmocka_unit_test(test_rates), cmocka_unit_test(test_bowl),  cmocka_unit_test(test_rest),
    };
    return sample_group_tests(tests, 1, 6, NULL, NULL);
}
