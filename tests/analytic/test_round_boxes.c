/* Boxes with rounded edges are the balls about the corners, the capsules about the edges and the flat faces of their
   cores: where two of them meet with corners or edges they touch when and where these do, and gain no energy. Boxes
   with sharp edges that meet near a corner of their faces gain none either. */
#include "carom_test.h"

#include <math.h>

#include "geometry/surface/surface.h"
#include "kinds/shape/shape.h"
#include "support/free_runs.h"
#include "support/solids.h"

#define TWO                                                                                                            \
    "carom: 1\ndimension: 3\nbodies:\n"                                                                                \
    "  a: {mass: 1, inertia: [0.004, 0.004, 0.004]}\n"                                                                 \
    "  b: {mass: 1, inertia: [0.004, 0.004, 0.004], at: [0.22, 0.13, %s], velocity: [-1, 0, 0]}\n"                     \
    "shapes:\n  sa: {%s, on: a}\n  sb: {%s, on: b}\n"                                                                  \
    "contacts: {c: {between: [sa, sb], normal: {law: exact, stiffness: 1e9, restitution: 0.6}}}\n"                     \
    "run: {until: 0.1}\n"
#define ROUND "type: box, size: [0.2, 0.16, 0.12], edge: 0.02"

static void open_two(free_run *run, const char *z, const char *first, const char *second)
{
    char text[1200];
    snprintf(text, sizeof text, TWO, z, first, second);
    free_run_parse(run, text, 1e-10, NULL);
    free_run_to(run, 0.1);
}

static double first_onset(const free_run *run)
{
    size_t count = 0;
    const carom_impact *impacts = carom_simulation_impacts(run->sim, &count);
    assert_true(count > 0);
    return impacts[0].onset;
}

/* Corner against corner: as the two balls about them, to the tolerance of the run. */
static void test_corners(void **state)
{
    (void)state;
    free_run boxes, balls;
    open_two(&boxes, "0.09", ROUND, ROUND);
    open_two(&balls, "0.09", "type: sphere, radius: 0.02, at: [0.08, 0.06, 0.04]",
             "type: sphere, radius: 0.02, at: [-0.08, -0.06, -0.04]");
    /* the balls, beside each other by 0.01 in y and z, touch at a distance of 0.04 */
    const double onset = 0.22 - 0.16 - sqrt(0.04 * 0.04 - 2 * 0.01 * 0.01);
    assert_true(fabs(first_onset(&boxes) - onset) < 1e-9);
    for (int b = 0; b < 2; b++) {
        const carom_body_state got = free_run_body(&boxes, b ? "b" : "a"), is = free_run_body(&balls, b ? "b" : "a");
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(got.velocity[k] - is.velocity[k]) < 1e-7);
            assert_true(fabs(got.angular_velocity[k] - is.angular_velocity[k]) < 1e-6);
        }
    }
    free_run_close(&boxes);
    free_run_close(&balls);
}

/* Edge along edge: as the two capsules about them, struck in the middle of both. */
static void test_edges(void **state)
{
    (void)state;
    free_run run;
    open_two(&run, "0", ROUND, ROUND);
    const double onset = 0.06 - sqrt(0.04 * 0.04 - 0.01 * 0.01);
    assert_true(fabs(first_onset(&run) - onset) < 1e-9);
    const carom_ledger ledger = carom_simulation_ledger(run.sim);
    assert_true(ledger.kinetic < ledger.start && fabs(ledger.switch_term) < 1e-12 * ledger.start);
    for (int b = 0; b < 2; b++) { /* nothing turns out of the plane */
        const carom_body_state at = free_run_body(&run, b ? "b" : "a");
        assert_true(fabs(at.velocity[2]) < 1e-12 && fabs(at.angular_velocity[0]) < 1e-12);
    }
    free_run_close(&run);
}

/* ---- the gap ---- */

static uint64_t seed = 11;

static carom_vec3 random_vector(double size) { return solid_vector(&seed, size); }

/* The point of a core nearest to x. */
static carom_vec3 nearest_in(const double *p, const carom_shape_pose *pose, carom_vec3 x)
{
    double y[3];
    const carom_vec3 own = carom_m3_apply_t(&pose->axes, carom_v3_sub(x, pose->origin));
    y[0] = own.x;
    y[1] = own.y;
    y[2] = own.z;
    for (int k = 0; k < 3; k++)
        y[k] = fmin(fmax(y[k], p[3] - p[k]), p[k] - p[3]);
    return carom_v3_add(pose->origin, carom_m3_apply(&pose->axes, carom_v3_load(y)));
}

/* Against the distance of the cores by going to and fro between them, which comes down to it; with its motion. */
static void test_gap(void **state)
{
    (void)state;
    static const double i[4] = {0.1, 0.08, 0.06, 0.02}, j[4] = {0.12, 0.07, 0.05, 0.01};
    const carom_surface first = {&carom_surface_box, i, false}, second = {&carom_surface_box, j, false};
    for (int n = 0; n < 300; n++) {
        carom_surface_contact c;
        double share;
        const carom_shape_pose a = {.axes = carom_quat_matrix(carom_quat_from_rotation(random_vector(3)))};
        const carom_shape_pose b = {.origin = carom_v3_scale(0.25, carom_unit(random_vector(1))),
                                    .axes = carom_quat_matrix(carom_quat_from_rotation(random_vector(3)))};
        carom_surface_boxes(&first, &a, &second, &b, CAROM_BOXES_LEAST, NULL, &c, &share);
        carom_vec3 x = a.origin, y = b.origin;
        for (int k = 0; k < 20000; k++) {
            y = nearest_in(j, &b, x);
            x = nearest_in(i, &a, y);
        }
        const double distance = carom_v3_norm(carom_v3_sub(y, x));
        if (distance > 1e-3 && !(fabs(c.gap - (distance - i[3] - j[3])) < 1e-8))
            fail_msg("pose %d: a gap of %.12g m in place of %.12g m", n, c.gap, distance - i[3] - j[3]);
        const carom_vec3 between = carom_v3_sub(carom_v3_add(b.origin, c.from_j), carom_v3_add(a.origin, c.from_i));
        assert_true(carom_v3_norm(carom_v3_add_scaled(between, -c.gap, c.normal)) < 1e-12);
    }
}

/* ---- energy ---- */

#define BODY                                                                                                           \
    "  %c: {mass: %.17g, inertia: [%.17g, %.17g, %.17g], at: [%.17g, %.17g, %.17g], orientation: {axis: [%.17g, "      \
    "%.17g, %.17g], angle: %.17g}, velocity: [%.17g, %.17g, %.17g], angular_velocity: [%.17g, %.17g, %.17g]}\n"

static int put_body(char *text, size_t size, char name, double side)
{
    const double m = solid_uniform(&seed, 0.5, 2);
    const carom_vec3 at = random_vector(0.05), axis = random_vector(1), v = random_vector(0.3), w = random_vector(5);
    return snprintf(text, size, BODY, name, m, 0.004 * m, 0.005 * m, 0.006 * m, side * 0.19, at.y, at.z, axis.x,
                    axis.y, axis.z, solid_uniform(&seed, 0, 3), -side * solid_uniform(&seed, 0.5, 2), v.y,
                    v.z, w.x, w.y, w.z);
}

/* Two boxes that meet as they tumble: what the places that hand over to each other make or lose is less than 1 % of
   the energy but for so many, and none ends with more than it began with. */
static void tumble(int count, const char *edge, int allowed)
{
    int many = 0;
    for (int n = 0; n < count; n++) {
        char text[3000] = "carom: 1\ndimension: 3\nbodies:\n";
        size_t at = strlen(text);
        at += (size_t)put_body(text + at, sizeof text - at, 'a', -1);
        at += (size_t)put_body(text + at, sizeof text - at, 'b', 1);
        snprintf(text + at, sizeof text - at,
                 "shapes:\n  sa: {type: box, size: [0.2, 0.16, 0.12], edge: %s, on: a}\n"
                 "  sb: {type: box, size: [0.2, 0.16, 0.12], edge: %s, on: b}\n"
                 "contacts: {c: {between: [sa, sb], normal: {law: exact, stiffness: 1e9, restitution: 0.6}}}\n"
                 "run: {until: 0.2}\n",
                 edge, edge);
        free_run run;
        free_run_parse(&run, text, 1e-8, NULL);
        free_run_to(&run, 0.2);
        const carom_ledger l = carom_simulation_ledger(run.sim);
        many += !(fabs(l.switch_term) < 0.01 * l.start);
        if (!(l.kinetic <= l.start * (1 + 1e-6)) || many > allowed)
            fail_msg("edge %s, motion %d: from %.6g J to %.6g J, %.3g J of it where places changed\n%s", edge, n,
                     l.start, l.kinetic, l.switch_term, text);
        free_run_close(&run);
    }
}

static void test_tumbling(void **state)
{
    (void)state;
    tumble(30, "0.02", 0);
    tumble(30, "0", 1);
}

/* ---- meetings that made energy ---- */

#define SHARP "type: box, size: [0.2, 0.16, 0.12]"
#define CAN "type: cylinder, radius: 0.08, length: 0.2"
#define CAPSULE "type: capsule, from: [-0.1, 0, 0.02], to: [0.1, 0.03, 0], radius: 0.05"

typedef struct meeting {
    const char *shape, *body[2], *place[2];
} meeting;

/* Three pairs of boxes whose corners meet near an edge of a face, a cylinder that does so with a box, and a capsule and
   the edge of one. */
static const meeting meetings[] = {
    {SHARP,
     {"mass: 0.516939, inertia: [0.002389, 0.002157, 0.002576], at: [-0.199954, 0.0444266, 0.0297488], "
      "orientation: [-0.00372295, -0.952569, -0.0280242, 0.303008], "
      "velocity: [0.845836, -0.238508, 0.00913748], angular_velocity: [0.113284, -3.70275, 4.22541]",
      "mass: 0.513443, inertia: [0.002606, 0.002395, 0.002073], at: [0.180352, -0.0346369, -0.0359868], "
      "orientation: [-0.243593, 0.831366, -0.00433, 0.499474], velocity: [-0.816123, 0.232201, -0.156845], "
      "angular_velocity: [0.553302, -0.473666, -1.68595]"},
     {"at: [0.0191401, -0.0172678, -0.0198732], orientation: [0.902383, 0.36912, 0.133549, -0.177821]",
      "at: [-0.00372959, -0.0193604, -0.0125981], orientation: [-0.59755, -0.7236, 0.0682034, 0.338652]"}},
    {SHARP,
     {"mass: 1.36642, inertia: [0.006979, 0.006535, 0.006001], at: [-0.194984, -0.0507421, 0.0343428], "
      "orientation: [0.690304, 0.260967, -0.499484, 0.453755], velocity: [1.38651, -0.222495, 0.0231013], "
      "angular_velocity: [-4.25832, -2.58782, -1.18331]",
      "mass: 1.02158, inertia: [0.00518, 0.004267, 0.005777], at: [0.188353, -0.00438567, -0.0251645], "
      "orientation: [0.230584, -0.580227, -0.585335, -0.517253], "
      "velocity: [-0.882345, -0.265051, 0.197133], angular_velocity: [-1.84395, 3.12271, 4.56639]"},
     {"at: [-0.00857315, 0.00647037, 0.0194734], orientation: [-0.48033, 0.604504, 0.0990219, 0.627736]",
      "at: [0.00516765, -0.0158683, 0.0141595], orientation: [-0.356862, -0.396811, 0.221247, 0.816235]"}},
    {SHARP,
     {"mass: 1.39314, inertia: [0.006309, 0.007885, 0.00587], at: [-0.188695, -0.0416364, 0.0257042], "
      "orientation: [0.19948, -0.975525, 0.0755433, -0.0533941], velocity: [1.49156, 0.246251, 0.162167], "
      "angular_velocity: [-0.458196, 2.50273, -2.15909]",
      "mass: 1.95575, inertia: [0.009747, 0.011114, 0.008734], at: [0.181126, 0.0363881, -0.0107347], "
      "orientation: [0.831823, 0.485205, 0.219156, -0.156899], "
      "velocity: [-1.41619, -0.0914326, -0.274534], angular_velocity: [-4.26779, -4.54654, -1.93296]"},
     {"at: [0.0121234, -0.00374635, 0.0188362], orientation: [0.603461, 0.106847, 0.541125, 0.57585]",
      "at: [-0.0076847, 0.00149808, 0.00482958], orientation: [0.480237, -0.657196, 0.276233, 0.511039]"}},
    {CAN,
     {"mass: 1.67118, inertia: [0.006724, 0.00924, 0.008268], at: [-0.186565, -0.0283154, 0.021208], "
      "orientation: [-0.415045, -0.0404071, 0.372295, -0.829157], "
      "velocity: [0.504037, -0.204855, 0.0682095], angular_velocity: [-2.80298, 0.494837, -4.15161]",
      "mass: 1.91413, inertia: [0.010723, 0.00992, 0.010298], at: [0.192258, -0.0385106, 0.0465298], "
      "orientation: [0.82975, -0.103696, -0.125598, 0.533841], velocity: [-1.63183, -0.150234, 0.0793696], "
      "angular_velocity: [-4.58331, -3.79356, -2.86423]"},
     {"at: [-0.0196834, 0.0116663, 0.0139961], orientation: [-0.313565, 0.4266, -0.768872, -0.358506]",
      "at: [0.00334814, 0.0113576, -0.0115203], orientation: [-0.434709, -0.166549, -0.549433, 0.693839]"}},
    {CAPSULE,
     {"mass: 1.408459, inertia: [0.007109, 0.006333, 0.006108], at: [-0.202934850, -0.017105290, -0.025726669], "
      "orientation: [0.058344126, -0.308093665, 0.666504149, 0.676347896], "
      "velocity: [1.178905961, -0.231326611, 0.189367812], "
      "angular_velocity: [-4.602568719, -1.269545075, -0.945724079]",
      "mass: 1.340609, inertia: [0.006963, 0.006024, 0.007698], at: [0.173735471, 0.052006026, -0.009134315], "
      "orientation: [-0.467306951, -0.024968128, -0.881394137, -0.064383059], "
      "velocity: [-1.418578814, 0.111783180, -0.239693245], "
      "angular_velocity: [-4.272961162, 3.958687796, -2.945718803]"},
     {"at: [0.000724012, -0.010457079, 0.017089559], "
      "orientation: [-0.587558317, -0.327271467, -0.477660230, -0.565251522]",
      "at: [0.007120828, 0.009216700, 0.011270015], "
      "orientation: [0.982390370, 0.034132714, 0.100436816, -0.153806908]"}},
};

static void open_meeting(free_run *run, const meeting *m, const char *first, const char *second)
{
    char text[3000];
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 3\nbodies:\n  a: {%s}\n  b: {%s}\nshapes:\n"
             "  sa: {%s%s, on: a, %s}\n  sb: {%s%s, on: b, %s}\n"
             "contacts: {c: {between: [sa, sb], normal: {law: exact, stiffness: 1e9, restitution: 0.6}, "
             "friction: {law: coulomb, kinetic: 0.2}}}\nrun: {until: 0.3}\n",
             m->body[0], m->body[1], m->shape, first, m->place[0], SHARP, second, m->place[1]);
    free_run_parse(run, text, 1e-8, NULL);
    free_run_to(run, 0.3);
}

static void test_meetings(void **state)
{
    (void)state;
    for (size_t k = 0; k < 4; k++) {
        free_run run;
        carom_accuracy accuracy;
        open_meeting(&run, &meetings[k], "", "");
        const carom_ledger l = carom_simulation_ledger(run.sim);
        assert_ok(run.ctx, carom_simulation_accuracy(run.sim, &accuracy));
        assert_true(accuracy.accurate);
        if (!(l.kinetic < l.start) || !(fabs(l.switch_term) < 1e-3 * l.start) || !(l.residual_fraction < 1e-6))
            fail_msg("meeting %zu: from %.6g J to %.6g J, %.3g J of it where places changed, %.3g left", k, l.start,
                     l.kinetic, l.switch_term, l.residual_fraction);
        free_run_close(&run);
    }
}

/* What is made so is told, by the contact's name, and what the sentence proposes helps. */
static void test_told(void **state)
{
    (void)state;
    free_run run;
    carom_accuracy accuracy;
    open_meeting(&run, &meetings[4], "", "");
    assert_ok(run.ctx, carom_simulation_accuracy(run.sim, &accuracy));
    const carom_ledger l = carom_simulation_ledger(run.sim);
    assert_true(fabs(l.switch_term) > 0.01 * l.start && l.residual_fraction < CAROM_GREATEST_RESIDUAL);
    assert_false(accuracy.accurate);
    assert_non_null(strstr(accuracy.text, "contact 'c'"));
    assert_non_null(strstr(accuracy.text, "`edge`"));
    free_run_close(&run);
    open_meeting(&run, &meetings[4], "", ", edge: 0.005");
    assert_ok(run.ctx, carom_simulation_accuracy(run.sim, &accuracy));
    assert_true(accuracy.accurate);
    assert_true(carom_simulation_ledger(run.sim).kinetic < carom_simulation_ledger(run.sim).start);
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_corners), cmocka_unit_test(test_edges),
                                       cmocka_unit_test(test_gap), cmocka_unit_test(test_tumbling),
                                       cmocka_unit_test(test_meetings), cmocka_unit_test(test_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
