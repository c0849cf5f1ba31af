/* Every load in both dimensions: power balance against differences along a motion, zero resultant of loads between two
   frames, dissipation, defaults from the start, closed forms and the places without direction. */
#include "carom_test.h"

#include "kinds/joint/joint.h"
#include "kinds/load/load.h"
#include "support/kinds.h"
#include "support/frames.h"

#define POSES 300
#define STEP 0.0025
#define PI 3.14159265358979323846

#define LOADS carom_kind_count(every_kind(), CAROM_FAMILY_LOAD)
#define MOST_LOADS 64

static const carom_load_kind *load_at(size_t k)
{
    return (const carom_load_kind *)carom_kind_at(every_kind(), CAROM_FAMILY_LOAD, k);
}

#define VALUES 24

/* Values of the parameters, in their order; the planar vectors are {x, y, 0} and {0, 0, z}. A spline is 1 + its
   index. */
static const struct {
    const char *name;
    int frames;
    double values_2d[VALUES], values_3d[VALUES], other[VALUES];
} cases[] = {
    {"force", 1, {3, -2, 0, 0}, {3, -2, 5, 0}, {1, 4, 0, 1}},
    {"force", 2, {3, -2, 0, 0}, {3, -2, 5, 2}, {1, 4, 0, 1}},
    {"torque", 1, {0, 0, 7, 0}, {3, -2, 5, 0}, {0, 0, -4, 1}},
    {"torque", 2, {0, 0, 7, 0}, {3, -2, 5, 2}, {0, 0, -4, 1}},
    {"spring", 2, {40, 0.7, 3}, {40, 0.7, 3}, {25, 0, 0}},
    {"spring", 2, {40, 1.3, 3, 20, 0.2, 0, 0}, {0, 1.3, 3, 0, 0.2, 0, 1}, {0, 1.3, 3, 0, 0, 0, 1}},
    {"spring", 2, {40, 1.2, 3, 0, 0, 1, 0}, {40, 1.4, 3, 0, 0.1, 2, 0}, {0, 1.2, 3, 0, 0.1, 2, 1}},
    {"damper", 2, {6}, {6}, {0}},
    {"outside-damper", 2, {6}, {6}, {0}},
    {"torsion-spring", 2, {40, 0.3, 3}, {40, 0.3, 3}, {25, -0.5, 0}},
    {"torsion-spring", 2, {40, 0.3, 3, 20, 0.4, 0, 0}, {0, 0.3, 3, 0, 0.4, 0, 1}, {30, -0.5, 2, 0, 0.5, 2, 0}},
    {"torsion-damper", 2, {6}, {6}, {0}},
    {"line-force", 2, {6}, {-7}, {2}},
    {"ligament", 2, {40, 0.7, 3}, {40, 1.3, 3}, {30, 1, 0}},
    {"bushing", 2, {40, 30, 0, 3, 2, 0, 0.1, 0, 0, 0, 0, 20, 0, 0, 1, 0, 0, 0.2},
     {40, 30, 20, 3, 2, 1, 0.1, 0, 0.2, 15, 20, 25, 1, 2, 3, 0, 0.3, 0},
     {0, 30, 20, 3, 2, 1, 0.1, 0.2, 0, 0, 20, 0, 1, 2, 3, 0, 0, 0.1, 1, 0, 0, 1, 0, 0}},
    {"bushing", 2, {40, 30, 0, 3, 2}, {40, 30, 20, 3, 2, 1}, {0, 30, 20}},
    {"motor", 1, {0.4, 30, 2, (double)NAN, (double)NAN}, {0.4, 30, 2, 20, 3}, {0.4, 30, 0, 20, (double)NAN}},
    {"motor", 1, {0.4, 30, 2, 20, 3, 50, 0.5}, {0.4, 30, 2, 20, 3, 50, 4},
     {0.4, 30, 0, 20, (double)NAN, 50, (double)NAN}},
    {"joint-spring", 1, {40, 0.3, 3}, {40, 0.3, 3}, {25, -0.5, 0}},
    {"joint-spring", 1, {40, 0.3, 3, 20, 0.4, 0, 0}, {0, 0.3, 3, 0, 0.4, 0, 1}, {30, -0.5, 2, 0, 0.5, 2, 0}},
    {"joint-damper", 1, {6}, {6}, {0}},
    {"joint-effort", 1, {-7}, {-7}, {0}},
    {"joint-limits", 1, {-0.4, 0.3, 40, 3, (double)NAN}, {-0.4, 0.3, 40, 3, (double)NAN},
     {(double)NAN, 0.3, 40, 3, (double)NAN}},
};
#define CASES (sizeof cases / sizeof cases[0])

/* A spline that all tests may name. */
#define KNOTS 5
static const double knots[KNOTS] = {-1, -0.3, 0, 0.4, 1.2}, ordinates[KNOTS] = {-30, -5, 0, 8, 40};
static double bends[KNOTS], sums[KNOTS];
static carom_spline_table spline = {{.n = KNOTS, .x = knots, .y = ordinates, .y2 = bends}, sums};

static int fit_spline(void **state)
{
    (void)state;
    double work[KNOTS];
    carom_spline_fit(KNOTS, knots, ordinates, bends, work);
    carom_spline_sums(&spline.spline, sums);
    return 0;
}

static struct {
    double power, resultant;
} margin;

static const carom_load_kind *load_of(size_t row)
{
    for (size_t k = 0; k < LOADS; k++)
        if (!strcmp(cases[row].name, load_at(k)->kind.name))
            return load_at(k);
    fail_msg("there is no load '%s'", cases[row].name);
    return NULL;
}

static void note(double *largest, double value, double bound, const char *name, int dimension, const char *what)
{
    if (value > *largest)
        *largest = value;
    if (!(value <= bound))
        fail_msg("%s, %d-D: %s is off by %.3g, allowed %.3g", name, dimension, what, value, bound);
}

#define EDGES 16

/* What the pipeline gives a load besides its parameters and frames. */
static void surround(const carom_load_kind *load, carom_load_input *in)
{
    static const double rates[VALUES] = {0.8}, states[CAROM_LOAD_STATES] = {0.02};
    static double x[CAROM_LOAD_SWITCHES * EDGES];
    static carom_edges edges[CAROM_LOAD_SWITCHES];
    in->rates = in->accelerations = rates;
    in->states = states;
    in->curves = &spline;
    in->edges = NULL; /* as of loads that never switch */
    in->reference = test_turn_z(0.7);
    for (int k = 0; k < load->switches; k++) {
        edges[k] = (carom_edges){.n = load->edges(in->p, &spline, in->dimension, k, x + k * EDGES), .x = x + k * EDGES};
        assert_true(edges[k].n <= EDGES && edges[k].n == load->edges(in->p, &spline, in->dimension, k, NULL));
        for (size_t n = 1; n < edges[k].n; n++)
            assert_true(edges[k].x[n - 1] < edges[k].x[n]);
        in->edges = edges[k].n ? edges : in->edges;
    }
    if (!load->on_joint)
        return;
    carom_row_angle(&in->i, &in->j, in->dimension, &in->coordinate);
    in->coordinate_rate = carom_v3_dot(in->coordinate.Aj, carom_v3_sub(in->j.w, in->i.w));
}

/* `branch`: of the switches; NULL: as the state is. */
static void apply_at(const carom_load_kind *load, int frames, const double *p, const test_frame pair[2], double t,
                     int dimension, const int *branch, carom_load_input *in, carom_load_output *out)
{
    *in = (carom_load_input){.p = p, .frames = frames, .dimension = dimension, .branch = branch};
    in->i = test_pose(&pair[0], t);
    in->j = test_pose(&pair[1], t);
    surround(load, in);
    memset(out, load->outside ? 0 : 0xff, sizeof *out);
    CAROM_KIND_CALL(load, apply, in, out);
}

static double wrench_power(const carom_load_input *in, const carom_load_output *out)
{
    return carom_v3_dot(out->force_i, in->i.v) + carom_v3_dot(out->torque_i, in->i.w) +
           carom_v3_dot(out->force_j, in->j.v) + carom_v3_dot(out->torque_j, in->j.w);
}

/* Two frames away from the places where a direction or a wrapped angle jumps. */
static void random_pair(uint64_t *seed, int dimension, double free_angle, test_frame pair[2])
{
    for (;;) {
        pair[0] = test_random_frame(seed, dimension, carom_m3_identity());
        pair[1] = test_random_frame(seed, dimension, carom_m3_identity());
        const carom_frame_pose i = test_pose(&pair[0], 0), j = test_pose(&pair[1], 0);
        const carom_vec3 f = carom_m3_apply_t(&i.axes, carom_m3_column(&j.axes, 0));
        const double twist = remainder(atan2(f.y, f.x) - free_angle, 2 * PI);
        const carom_mat3 turn = carom_m3_multiply_t(&i.axes, &j.axes);
        const double cosine = 0.5 * (turn.m[0][0] + turn.m[1][1] + turn.m[2][2] - 1);
        if (carom_v3_norm(carom_v3_sub(j.p, i.p)) > 0.5 && fabs(f.z) < 0.8 && fabs(twist) < 2.9 && cosine > -0.97)
            return;
    }
}

/* Power of the wrenches = work_power - dissipation - d(stored)/dt, on the branches of the present; no resultant
   between two frames. */
static void check_power(const carom_load_kind *load, int frames, const double *p, const test_frame pair[2],
                        int dimension)
{
    const test_frame steady[2] = {test_steady(&pair[0]), test_steady(&pair[1])};
    carom_load_input in;
    carom_load_output out;
    double stored_rate = 0, highest = 0;
    int branch[CAROM_LOAD_SWITCHES];
    apply_at(load, frames, p, steady, 0, dimension, NULL, &in, &out);
    memcpy(branch, out.branch, sizeof branch);
    for (int n = 0; n < 9; n++) {
        apply_at(load, frames, p, steady, (n - 4) * STEP, dimension, branch, &in, &out);
        stored_rate += test_first[n] / STEP * out.stored;
        highest = fmax(highest, out.stored);
    }
    apply_at(load, frames, p, steady, 0, dimension, branch, &in, &out);
    const double power = wrench_power(&in, &out);
    const double size = carom_v3_norm(out.force_i) * carom_v3_norm(in.i.v) +
                        carom_v3_norm(out.torque_i) * carom_v3_norm(in.i.w) +
                        carom_v3_norm(out.force_j) * carom_v3_norm(in.j.v) +
                        carom_v3_norm(out.torque_j) * carom_v3_norm(in.j.w) + highest + 1e-3;
    note(&margin.power, fabs(power - out.work_power + out.dissipation + stored_rate) / size, 1e-8, load->kind.name,
         dimension, "power");
    assert_true(out.dissipation >= 0 && out.stored >= 0);
    if (dimension == 2) {
        assert_true(out.force_i.z == 0 && out.force_j.z == 0);
        assert_true(out.torque_i.x == 0 && out.torque_i.y == 0 && out.torque_j.x == 0 && out.torque_j.y == 0);
    }
    if (frames == 1 && !load->on_joint) {
        assert_true(carom_v3_norm(out.force_j) == 0 && carom_v3_norm(out.torque_j) == 0);
        return;
    }
    const carom_vec3 force = carom_v3_add(out.force_i, out.force_j);
    carom_vec3 moment = carom_v3_add(out.torque_i, out.torque_j);
    moment = carom_v3_add(moment, carom_v3_cross(in.i.p, out.force_i));
    moment = carom_v3_add(moment, carom_v3_cross(in.j.p, out.force_j));
    const double arm = carom_v3_norm(in.i.p) + carom_v3_norm(in.j.p) + 1;
    note(&margin.resultant, carom_v3_norm(force) + carom_v3_norm(moment) / (arm * (carom_v3_norm(out.force_i) + 1)),
         1e-14, load->kind.name, dimension, "resultant");
}

static void power_balances(void **state)
{
    (void)state;
    uint64_t seed = 19680101;
    for (size_t row = 0; row < CASES; row++) {
        const carom_load_kind *load = load_of(row);
        const bool twist = load->has_axis && load->kind.param_count > 1;
        for (int dimension = 2; dimension <= 3; dimension++)
            for (int n = 0; n < POSES; n++) {
                const double *p = n % 2            ? cases[row].other
                                  : dimension == 2 ? cases[row].values_2d
                                                   : cases[row].values_3d;
                test_frame pair[2];
                random_pair(&seed, dimension, twist ? p[1] : 0, pair);
                check_power(load, cases[row].frames, p, pair, dimension);
            }
    }
    printf("power %.1e (allowed 1e-8), resultant %.1e (1e-14)\n", margin.power, margin.resultant);
}

/* A load that starts from the defaults rests there. */
static void defaults_come_from_the_start(void **state)
{
    (void)state;
    uint64_t seed = 5;
    int started = 0;
    for (size_t k = 0; k < LOADS; k++)
        for (int dimension = 2;
             dimension <= 3 && load_at(k)->start && !load_at(k)->stops &&
             load_at(k)->kind.params[1].flags & CAROM_PARAM_OPTIONAL;
             dimension++)
            for (int n = 0; n < 20; n++) {
                double p[VALUES] = {40, (double)NAN, 0};
                test_frame pair[2];
                carom_load_input in;
                carom_load_output out;
                random_pair(&seed, dimension, 0, pair);
                const carom_frame_pose i = test_pose(&pair[0], 0), j = test_pose(&pair[1], 0);
                assert_null(load_at(k)->start(p, &i, &j, dimension));
                assert_true(isfinite(p[1]));
                apply_at(load_at(k), 2, p, pair, 0, dimension, NULL, &in, &out);
                assert_true(carom_v3_norm(out.force_i) == 0 && carom_v3_norm(out.torque_i) == 0 && out.stored == 0);

                /* what was given stays */
                const double given = p[1] = 0.25;
                assert_null(load_at(k)->start(p, &i, &j, dimension));
                assert_true(p[1] == given);
                started++;
            }
    assert_int_equal(started, 3 * 2 * 20);
}

static void closed_forms(void **state)
{
    (void)state;
    carom_load_input in = {.dimension = 3};
    carom_load_output out;
    in.i.axes = in.j.axes = test_turn_z(PI / 2);
    in.j.p = carom_v3(2, 0, 0);
    in.j.v = carom_v3(0.5, 9, 9);

    /* spring 2 m long of free length 0.5 m, lengthening with 0.5 m/s: pulls i along +x */
    in.p = (const double[VALUES]){10, 0.5, 4};
    carom_load_spring.apply(&in, &out);
    assert_true(fabs(out.force_i.x - 17) < 1e-14 && fabs(out.force_j.x + 17) < 1e-14);
    assert_true(fabs(out.stored - 11.25) < 1e-14 && fabs(out.dissipation - 1) < 1e-14);
    in.p = (const double[]){4};
    carom_load_damper.apply(&in, &out);
    assert_true(fabs(out.force_i.x - 2) < 1e-14 && fabs(out.dissipation - 1) < 1e-14 && out.stored == 0);

    /* a force along the x-axis of a frame that is turned by 90 degrees */
    in.i.v = carom_v3(0, 3, 0);
    in.p = (const double[]){6, 0, 0, 1};
    carom_load_force.apply(&in, &out);
    assert_true(fabs(out.force_i.y - 6) < 1e-14 && fabs(out.work_power - 18) < 1e-13);
    in.p = (const double[]){6, 0, 0, 0};
    carom_load_force.apply(&in, &out);
    assert_true(out.force_i.x == 6 && out.work_power == 0);
    in.i.w = carom_v3(0, 0, 2);
    in.p = (const double[]){0, 0, 6, 0};
    carom_load_torque.apply(&in, &out);
    assert_true(out.torque_i.z == 6 && out.work_power == 12);
}

/* j is turned against i: the torsion spring turns j back; in the plane over whole turns, too. */
static void torsion_turns_back(void **state)
{
    (void)state;
    carom_load_input in = {.dimension = 3, .p = (const double[VALUES]){10, 0.1, 2}};
    carom_load_output out;
    in.i.axes = carom_m3_identity();
    in.j.axes = test_turn_z(0.4);
    in.j.w = carom_v3(0, 0, 3);
    carom_load_torsion_spring.apply(&in, &out);
    assert_true(fabs(out.torque_j.z + 9) < 1e-14 && fabs(out.torque_i.z - 9) < 1e-14);
    assert_true(fabs(out.stored - 0.45) < 1e-14 && fabs(out.dissipation - 18) < 1e-13);

    in.dimension = 2;
    in.j.angle = 0.4 + 4 * PI;
    carom_load_torsion_spring.apply(&in, &out);
    assert_true(fabs(out.torque_j.z + 9 + 40 * PI) < 1e-12);
    in.p = (const double[]){2};
    carom_load_torsion_damper.apply(&in, &out);
    assert_true(fabs(out.torque_j.z + 6) < 1e-14 && fabs(out.dissipation - 18) < 1e-13);
}

/* A deflection of the free angle 3 rad through the jump of atan2 at pi stays small. */
static void torsion_crosses_half_a_turn(void **state)
{
    (void)state;
    carom_load_input in = {.dimension = 3, .p = (const double[VALUES]){10, 3, 0}};
    carom_load_output out;
    in.i.axes = carom_m3_identity();
    in.j.axes = test_turn_z(3.5);
    carom_load_torsion_spring.apply(&in, &out);
    assert_true(fabs(out.torque_j.z + 5) < 1e-13);
}

/* Where the origins coincide: finite, no force, the energy of the compression. */
static void no_length_no_direction(void **state)
{
    (void)state;
    carom_load_input in = {.dimension = 3, .p = (const double[VALUES]){10, 0.5, 4}};
    carom_load_output out;
    in.i.axes = in.j.axes = carom_m3_identity();
    in.j.v = carom_v3(1, 2, 3);
    carom_load_spring.apply(&in, &out);
    assert_true(carom_v3_norm(out.force_i) == 0 && carom_v3_norm(out.force_j) == 0);
    assert_true(out.stored == 1.25 && out.dissipation == 0);
    carom_load_damper.apply(&in, &out);
    assert_true(carom_v3_norm(out.force_i) == 0 && out.dissipation == 0);

    /* f_j along h_i: no angle */
    in.j.axes = carom_m3_columns(carom_v3(0, 0, 1), carom_v3(0, 1, 0), carom_v3(-1, 0, 0));
    in.j.w = carom_v3(1, 2, 3);
    carom_load_torsion_spring.apply(&in, &out);
    assert_true(isfinite(out.stored) && carom_v3_norm(out.torque_i) == 0);
}

static void descriptions_are_whole(void **state)
{
    (void)state;
    bool tested[MOST_LOADS] = {false};
    assert_true(LOADS <= MOST_LOADS);
    for (size_t row = 0; row < CASES; row++) {
        const carom_load_kind *load = load_of(row);
        assert_true(cases[row].frames == load->frame_count || (load->may_react && cases[row].frames == 2));
        for (size_t k = 0; k < LOADS; k++)
            tested[k] = tested[k] || load_at(k) == load;
    }
    for (size_t k = 0; k < LOADS; k++) {
        const carom_kind *kind = &load_at(k)->kind;
        if (!tested[k])
            fail_msg("load '%s' has no row in the table of this test", kind->name);
        assert_true(carom_kind_param_size(kind) <= VALUES && load_at(k)->switches <= CAROM_LOAD_SWITCHES);
        const char *const texts[] = {kind->title, kind->formula, kind->source, kind->validity};
        for (size_t n = 0; n < 4; n++)
            assert_true(texts[n] && strlen(texts[n]) > 10);
        assert_true(kind->param_count > 0);
        for (int n = 0; n < kind->param_count; n++) {
            const carom_param_row *row = &kind->params[n];
            assert_true(row->unit[0] && row->description[0]);
            assert_true(isnan(row->default_value) == ((row->flags & CAROM_PARAM_OPTIONAL) != 0));
            assert_true(!(row->flags & CAROM_PARAM_OPTIONAL) || load_at(k)->start);
            assert_true(!(row->flags & CAROM_PARAM_TEXT) || (row->flags & CAROM_PARAM_SPLINE) ||
                        strchr(row->unit, '|'));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(power_balances),
        cmocka_unit_test(defaults_come_from_the_start),
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(torsion_turns_back),
        cmocka_unit_test(torsion_crosses_half_a_turn),
        cmocka_unit_test(no_length_no_direction),
        cmocka_unit_test(descriptions_are_whole),
    };
    return cmocka_run_group_tests(tests, fit_spline, NULL);
}
