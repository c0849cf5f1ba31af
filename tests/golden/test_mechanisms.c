/* Contact-free mechanisms against independent references (tests/data/mechanisms.json): closed forms, or integrations in
   minimal coordinates. Each case runs at the tolerance 1e-10, where every quantity has to be within 1e-7 of its largest
   reference value (or within ten error estimates of the reference), and at 1e-8 within 1e-4. Disturbances of the start
   grow 46-fold in the free four-bar and 62-fold in the rotation about the intermediate axis, at most fivefold elsewhere
   (largest change of a rate as a share of its largest value, for one of the start's angles or rates). */
#include "carom_test.h"

#include <math.h>
#include <stdlib.h>

#include "support/golden.h"
#include "support/sample.h"

#define PI 3.14159265358979323846
#define MOST_TIMES 16
#define MOST_WIDTH 9

/* A quantity of the reference: `width` numbers at each time. */
typedef struct quantity {
    const char *name;
    int width;
    bool turns;                 /* an angle that our output has up to whole turns */
    void (*measure)(free_run *run, double *out);
} quantity;

/* A parameter of the model and the input of the reference that it takes. */
typedef struct binding {
    const char *parameter, *input;
} binding;

typedef struct mechanism {
    const char *id, *model;
    const binding *bindings;
    size_t binding_count;
    const char *positions, *speed;      /* inputs: the times are positions/speed; speed NULL: positions are times */
    const quantity *quantities;
    size_t quantity_count;
} mechanism;

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- measures ---- */

static void pendulum_theta(free_run *r, double *out) { *out = free_run_body(r, "rod").angle + PI / 2; }
static void pendulum_omega(free_run *r, double *out) { *out = free_run_body(r, "rod").angular_velocity[2]; }
/* The centre of oscillation lies at 4/3 of the distance of the centre of mass. */
static void pendulum_x(free_run *r, double *out) { *out = free_run_body(r, "rod").position[0] / 0.75; }
static void pendulum_y(free_run *r, double *out) { *out = free_run_body(r, "rod").position[1] / 0.75; }
static const quantity pendulum_quantities[] = {{"theta", 1, false, pendulum_theta},
                                               {"omega", 1, false, pendulum_omega},
                                               {"x", 1, false, pendulum_x},
                                               {"y", 1, false, pendulum_y}};

static void hinge_theta(free_run *r, double *out) { *out = free_run_get(r, "joint.pin.coordinate") + PI / 2; }
static void hinge_omega(free_run *r, double *out) { *out = free_run_get(r, "joint.pin.rate"); }
static void hinge_y(free_run *r, double *out) { *out = free_run_body(r, "rod").position[2] / 0.75; }
static const quantity hinge_quantities[] = {{"theta", 1, false, hinge_theta},
                                            {"omega", 1, false, hinge_omega},
                                            {"x", 1, false, pendulum_x},
                                            {"y", 1, false, hinge_y}};

/* Angle from the downward vertical of the rod between two points, and its rate. */
static void rod_angle(const carom_body_state *a, const carom_body_state *b, double *angle, double *rate)
{
    double x = b->position[0] - a->position[0], y = b->position[1] - a->position[1];
    double vx = b->velocity[0] - a->velocity[0], vy = b->velocity[1] - a->velocity[1];
    *angle = atan2(x, -y);
    *rate = (vy * x - vx * y) / (x * x + y * y);
}
static void points_both(free_run *r, double *angle, double *rate)
{
    carom_body_state pivot, first = free_run_body(r, "first"), second = free_run_body(r, "second");
    memset(&pivot, 0, sizeof pivot);
    rod_angle(&pivot, &first, angle, rate);
    rod_angle(&first, &second, angle + 1, rate + 1);
}
static void points_theta(free_run *r, double *out)
{
    double rate[2];
    points_both(r, out, rate);
}
static void points_omega(free_run *r, double *out)
{
    double angle[2];
    points_both(r, angle, out);
}
static void points_x(free_run *r, double *out) { *out = free_run_body(r, "second").position[0]; }
static void points_y(free_run *r, double *out) { *out = free_run_body(r, "second").position[1]; }
static const quantity points_quantities[] = {{"theta", 2, true, points_theta},
                                             {"omega", 2, false, points_omega},
                                             {"tip_x", 1, false, points_x},
                                             {"tip_y", 1, false, points_y}};

static const char *const bars2[] = {"first", "second"}, *const bars5[] = {"bar1", "bar2", "bar3", "bar4", "bar5"};
static void bars_theta(free_run *r, const char *const *names, int count, double *out)
{
    for (int k = 0; k < count; k++)
        out[k] = free_run_body(r, names[k]).angle + PI / 2;
}
static void bars_omega(free_run *r, const char *const *names, int count, double *out)
{
    for (int k = 0; k < count; k++)
        out[k] = free_run_body(r, names[k]).angular_velocity[2];
}
static void bars2_theta(free_run *r, double *out) { bars_theta(r, bars2, 2, out); }
static void bars2_omega(free_run *r, double *out) { bars_omega(r, bars2, 2, out); }
static void bars5_theta(free_run *r, double *out) { bars_theta(r, bars5, 5, out); }
static void bars5_omega(free_run *r, double *out) { bars_omega(r, bars5, 5, out); }
static double tip(free_run *r, const char *name, int axis, double half)
{
    carom_body_state s = free_run_body(r, name);
    return s.position[axis] + half * (axis ? sin(s.angle) : cos(s.angle));
}
static void bars2_x(free_run *r, double *out) { *out = tip(r, "second", 0, 0.5); }
static void bars2_y(free_run *r, double *out) { *out = tip(r, "second", 1, 0.5); }
static void bars5_x(free_run *r, double *out) { *out = tip(r, "bar5", 0, 0.2); }
static void bars5_y(free_run *r, double *out) { *out = tip(r, "bar5", 1, 0.2); }
static const quantity bars2_quantities[] = {{"theta", 2, false, bars2_theta},
                                            {"omega", 2, false, bars2_omega},
                                            {"tip_x", 1, false, bars2_x},
                                            {"tip_y", 1, false, bars2_y}};
static const quantity bars5_quantities[] = {{"theta", 5, false, bars5_theta},
                                            {"omega", 5, false, bars5_omega},
                                            {"tip_x", 1, false, bars5_x},
                                            {"tip_y", 1, false, bars5_y}};

#define MEASURE_CHANNEL(name, channel) \
    static void name(free_run *r, double *out) { *out = free_run_get(r, channel); }

MEASURE_CHANNEL(crank_x, "body.slider.position.x")
MEASURE_CHANNEL(crank_v, "body.slider.velocity.x")
MEASURE_CHANNEL(crank_a, "body.slider.acceleration.x")
MEASURE_CHANNEL(rod_turn, "body.rod.angle")
MEASURE_CHANNEL(rod_spin, "body.rod.angular_velocity")
MEASURE_CHANNEL(rod_spin_rate, "body.rod.angular_acceleration")
static const quantity crank_quantities[] = {{"x", 1, false, crank_x},      {"xdot", 1, false, crank_v},
                                            {"xddot", 1, false, crank_a},  {"phi", 1, false, rod_turn},
                                            {"phidot", 1, false, rod_spin}, {"phiddot", 1, false, rod_spin_rate}};

MEASURE_CHANNEL(crank_turn, "body.crank.angle")
MEASURE_CHANNEL(crank_spin, "body.crank.angular_velocity")
MEASURE_CHANNEL(rocker_turn, "body.rocker.angle")
MEASURE_CHANNEL(rocker_spin, "body.rocker.angular_velocity")
MEASURE_CHANNEL(rocker_spin_rate, "body.rocker.angular_acceleration")
static const quantity four_bar_quantities[] = {
    {"theta", 1, false, crank_turn},   {"thetadot", 1, false, crank_spin},   {"coupler", 1, false, rod_turn},
    {"rocker", 1, false, rocker_turn}, {"coupler_rate", 1, false, rod_spin}, {"rocker_rate", 1, false, rocker_spin}};
static const quantity four_bar_kin_quantities[] = {
    {"kin_coupler", 1, false, rod_turn},          {"kin_rocker", 1, false, rocker_turn},
    {"kin_coupler_rate", 1, false, rod_spin},     {"kin_rocker_rate", 1, false, rocker_spin},
    {"kin_coupler_acc", 1, false, rod_spin_rate}, {"kin_rocker_acc", 1, false, rocker_spin_rate}};

static void body_rotation(free_run *r, double *out) { free_rotation(free_run_body(r, "body").orientation, out); }
static void body_omega_space(free_run *r, double *out)
{
    carom_body_state s = free_run_body(r, "body");
    memcpy(out, s.angular_velocity, sizeof s.angular_velocity);
}
static void body_omega_body(free_run *r, double *out)
{
    double w[3], a[9];
    body_omega_space(r, w);
    body_rotation(r, a);
    for (int k = 0; k < 3; k++)
        out[k] = a[k] * w[0] + a[3 + k] * w[1] + a[6 + k] * w[2];
}
static const quantity body_quantities[] = {{"omega_body", 3, false, body_omega_body},
                                           {"omega_space", 3, false, body_omega_space},
                                           {"rotation_matrix", 9, false, body_rotation}};

/* Euler angles z-x-z: the axis is (sin theta sin phi, -sin theta cos phi, cos theta). */
static void top_axes(free_run *r, double *a, double *w)
{
    carom_body_state s = free_run_body(r, "top");
    free_rotation(s.orientation, a);
    memcpy(w, s.angular_velocity, sizeof s.angular_velocity);
}
static void top_theta(free_run *r, double *out)
{
    double a[9], w[3];
    top_axes(r, a, w);
    *out = atan2(hypot(a[2], a[5]), a[8]);
}
static void top_theta_rate(free_run *r, double *out)
{
    double a[9], w[3];
    top_axes(r, a, w);
    *out = -(w[0] * a[5] - w[1] * a[2]) / hypot(a[2], a[5]);
}
static void top_phi(free_run *r, double *out)
{
    double a[9], w[3];
    top_axes(r, a, w);
    *out = atan2(a[2], -a[5]);
}
static void top_psi(free_run *r, double *out)
{
    double a[9], w[3];
    top_axes(r, a, w);
    *out = atan2(a[6], a[7]);
}
static void top_com(free_run *r, double *out)
{
    carom_body_state s = free_run_body(r, "top");
    memcpy(out, s.position, sizeof s.position);
}
static const quantity top_quantities[] = {{"theta", 1, false, top_theta},
                                          {"thetadot", 1, false, top_theta_rate},
                                          {"phi", 1, true, top_phi},
                                          {"psi", 1, true, top_psi},
                                          {"com", 3, false, top_com}};

/* beta, Theta, gamma, Phi, delta, Omega, epsilon from the angles of the bodies. */
static void andrews(const double *a, double *q)
{
    const double rows[7] = {a[0], a[1] - a[0], a[2], a[3] - a[4], a[4], a[5] - a[6], a[6]};
    memcpy(q, rows, sizeof rows);
}
static const char *const andrews_bodies[] = {"one", "two", "three", "four", "five", "six", "seven"};
static void andrews_q(free_run *r, double *out)
{
    double a[7];
    for (int k = 0; k < 7; k++)
        a[k] = free_run_body(r, andrews_bodies[k]).angle;
    andrews(a, out);
}
static void andrews_qd(free_run *r, double *out)
{
    double a[7];
    for (int k = 0; k < 7; k++)
        a[k] = free_run_body(r, andrews_bodies[k]).angular_velocity[2];
    andrews(a, out);
}
static const quantity andrews_quantities[] = {{"q", 7, false, andrews_q}, {"qd", 7, false, andrews_qd}};

/* Tip of the first of the bars in a row, whose foot is the origin. */
static void row_tip(free_run *r, int axis, bool rate, double *out)
{
    carom_body_state s = free_run_body(r, "bar_1");
    *out = 2 * (rate ? s.velocity[axis] : s.position[axis]);
}
MEASURE_CHANNEL(row_theta, "body.bar_1.angle")
static void row_x(free_run *r, double *out) { row_tip(r, 0, false, out); }
static void row_y(free_run *r, double *out) { row_tip(r, 1, false, out); }
static void row_vx(free_run *r, double *out) { row_tip(r, 0, true, out); }
static void row_vy(free_run *r, double *out) { row_tip(r, 1, true, out); }
static const quantity row_quantities[] = {{"theta", 1, false, row_theta},
                                          {"B0x", 1, false, row_x},
                                          {"B0y", 1, false, row_y},
                                          {"B0vx", 1, false, row_vx},
                                          {"B0vy", 1, false, row_vy}};

/* The angles of the hinges are right ones at the start, where their coordinates are zero. */
static void bricard_angle(free_run *r, const char *channel, double *out) { *out = PI / 2 + free_run_get(r, channel); }
static void bricard_p(free_run *r, double *out) { bricard_angle(r, "joint.hinge_1.coordinate", out); }
static void bricard_q(free_run *r, double *out) { bricard_angle(r, "joint.hinge_2.coordinate", out); }
static void bricard_velocity(free_run *r, double *out)
{
    carom_body_state s = free_run_body(r, "third");
    double a[9];
    free_rotation(s.orientation, a);
    /* the end at o_3 lies 0.5 m behind the centre of mass on the bar's x-axis */
    const double arm[3] = {-0.5 * a[0], -0.5 * a[3], -0.5 * a[6]}, *w = s.angular_velocity;
    for (int k = 0; k < 3; k++)
        out[k] = s.velocity[k] + w[(k + 1) % 3] * arm[(k + 2) % 3] - w[(k + 2) % 3] * arm[(k + 1) % 3];
}
static const quantity bricard_quantities[] = {{"p", 1, true, bricard_p},
                                              {"q", 1, true, bricard_q},
                                              {"origin3_vel", 3, false, bricard_velocity}};

/* ---- cases ---- */

static const binding pendulum_inputs[] = {{"L", "L"}, {"theta0", "theta0"}};
static const binding points_inputs[] = {{"L1", "L.0"}, {"L2", "L.1"}, {"m1", "m.0"}, {"m2", "m.1"},
                                        {"theta1", "theta0.0"}, {"theta2", "theta0.1"}};
static const binding bars_inputs[] = {{"L", "L.0"}, {"mass", "m.0"}, {"Jz", "I.0"}};
static const binding crank_inputs[] = {{"r", "r"}, {"l", "l"}, {"offset", "offset"}, {"omega", "omega"}};
static const binding four_bar_inputs[] = {{"a", "a"},     {"b", "b"},     {"c", "c"},         {"d", "d"},
                                          {"ma", "m.0"},  {"mb", "m.1"},  {"mc", "m.2"},      {"theta", "theta0"},
                                          {"omega0", "omega0"}};
static const binding four_bar_kin_inputs[] = {{"a", "a"}, {"b", "b"}, {"c", "c"}, {"d", "d"}, {"omega", "kin_omega"}};
static const binding body_inputs[] = {{"wx", "omega0.0"}, {"wy", "omega0.1"}, {"wz", "omega0.2"}};
static const binding top_inputs[] = {{"mass", "m"},       {"l", "l"},
                                     {"I1", "I1_fixed_point"}, {"I3", "I3"},
                                     {"theta0", "theta0"}, {"thetadot0", "thetadot0"},
                                     {"phidot0", "phidot0"}, {"psidot0", "psidot0"}};
static const binding andrews_inputs[] = {
    {"xa", "xa"}, {"ya", "ya"}, {"xb", "xb"}, {"yb", "yb"}, {"xc", "xc"}, {"yc", "yc"}, {"c0", "c0"}, {"d", "d"},
    {"da", "da"}, {"ee", "e"},  {"ea", "ea"}, {"rr", "rr"}, {"ra", "ra"}, {"l0", "l0"}, {"ss", "ss"}, {"sa", "sa"},
    {"sb", "sb"}, {"sc", "sc"}, {"sd", "sd"}, {"ta", "ta"}, {"tb", "tb"}, {"u", "u"},   {"ua", "ua"}, {"ub", "ub"},
    {"zf", "zf"}, {"zt", "zt"}, {"fa", "fa"}, {"drive", "mom"}, {"beta", "q0.0"}, {"Theta", "q0.1"},
    {"gamma", "q0.2"}, {"Phi", "q0.3"}, {"delta", "q0.4"}, {"Omega", "q0.5"}, {"epsilon", "q0.6"}};

static const binding row_inputs[] = {{"count", "N"}, {"L", "L"}, {"mass", "m"}, {"v0", "v0"}};
static const binding bricard_inputs[] = {{"L", "L"},        {"mass", "m"},    {"side", "side"},  {"g", "g"},
                                         {"gx", "gdir.0"}, {"gy", "gdir.1"}, {"gz", "gdir.2"}};

#define MECHANISM(id, model, inputs, positions, speed, quantities) \
    {id, model, inputs, COUNT(inputs), positions, speed, quantities, COUNT(quantities)}

static const mechanism cases[] = {
    MECHANISM("bm-pendulum", "pendulum.yaml", pendulum_inputs, "t", NULL, pendulum_quantities),
    MECHANISM("bm-pendulum", "pendulum_3d.yaml", pendulum_inputs, "t", NULL, hinge_quantities),
    MECHANISM("bm-double-pendulum-point", "double_pendulum.yaml", points_inputs, "t", NULL, points_quantities),
    MECHANISM("bm-double-pendulum-bars", "double_pendulum_bars.yaml", bars_inputs, "t", NULL, bars2_quantities),
    MECHANISM("bm-5-pendulum-bars", "n_pendulum.yaml", bars_inputs, "t", NULL, bars5_quantities),
    MECHANISM("bm-slider-crank-kin", "slider_crank_driven.yaml", crank_inputs, "theta", "omega", crank_quantities),
    MECHANISM("bm-slider-crank-kin-offset", "slider_crank_driven.yaml", crank_inputs, "theta", "omega",
              crank_quantities),
    MECHANISM("bm-four-bar", "four_bar.yaml", four_bar_inputs, "t", NULL, four_bar_quantities),
    MECHANISM("bm-four-bar", "four_bar_driven.yaml", four_bar_kin_inputs, "kin_theta", "kin_omega",
              four_bar_kin_quantities),
    MECHANISM("bm-free-body-max-axis", "free_body.yaml", body_inputs, "t", NULL, body_quantities),
    MECHANISM("bm-free-body-intermediate", "free_body.yaml", body_inputs, "t", NULL, body_quantities),
    MECHANISM("bm-top", "spinning_top.yaml", top_inputs, "t", NULL, top_quantities),
    MECHANISM("bm-top-slow", "spinning_top.yaml", top_inputs, "t", NULL, top_quantities),
    MECHANISM("bm-andrews", "andrews.yaml", andrews_inputs, "t", NULL, andrews_quantities),
    MECHANISM("bm-two-four-bar", "../tests/data/n_four_bar.yaml", row_inputs, "t", NULL, row_quantities),
    MECHANISM("bm-bricard", "bricard.yaml", bricard_inputs, "t", NULL, bricard_quantities),
    MECHANISM("bm-bricard-gx", "bricard.yaml", bricard_inputs, "t", NULL, bricard_quantities),
    MECHANISM("bm-bricard-A04", "bricard.yaml", bricard_inputs, "t", NULL, bricard_quantities),
};
/* 242 rows through positions where many of them depend on each other: 14 s. */
static const mechanism long_row =
    MECHANISM("bm-40-four-bar", "../tests/data/n_four_bar.yaml", row_inputs, "t", NULL, row_quantities);

/* ---- comparison ---- */

/* Worst error of a quantity as a share of its largest reference value, and what is allowed for it. */
typedef struct error_share {
    double error, allowed;
} error_share;

static double number_at(const json *list, size_t row, int column, int width)
{
    const json *item = json_item(list, row);
    return json_number(width == 1 ? item : json_item(item, (size_t)column));
}

static void compare(const json *reference, const quantity *q, size_t times, double (*ours)[MOST_WIDTH], double allowed,
                    error_share *out)
{
    const json *values = json_get(json_member(reference, "outputs"), q->name);
    const json *value = json_member(values, "value"), *error = json_member(values, "err");
    double largest = 0;
    assert_int_equal(json_size(value), times);
    for (size_t k = 0; k < times; k++)
        for (int i = 0; i < q->width; i++)
            largest = fmax(largest, fabs(number_at(value, k, i, q->width)));
    *out = (error_share){0, allowed};
    for (size_t k = 0; k < times; k++)
        for (int i = 0; i < q->width; i++) {
            double off = ours[k][i] - number_at(value, k, i, q->width);
            if (q->turns)
                off = remainder(off, 2 * PI);
            assert_true(isfinite(off));
            double bound = fmax(allowed, 10 * number_at(error, k, i, q->width) / largest), share = fabs(off) / largest;
            if (share / bound >= out->error / out->allowed)
                *out = (error_share){share, bound};
        }
}

static size_t read_times(const mechanism *m, const json *reference, double *times)
{
    const json *list = reference_input(reference, m->positions);
    double speed = m->speed ? json_number(reference_input(reference, m->speed)) : 1;
    size_t count = json_size(list);
    assert_in_range(count, 1, MOST_TIMES);
    for (size_t k = 0; k < count; k++)
        times[k] = json_number(json_item(list, k)) / speed;
    return count;
}

static void open_case(free_run *run, const mechanism *m, const json *reference, double tolerance,
                      const char *integrator)
{
    char text[64][64];
    const char *overrides[64];
    assert_true(m->binding_count <= 64);
    for (size_t k = 0; k < m->binding_count; k++) {
        double value = json_number(reference_input(reference, m->bindings[k].input));
        assert_true(isfinite(value));
        snprintf(text[k], sizeof text[k], "%s=%.17g", m->bindings[k].parameter, value);
        overrides[k] = text[k];
    }
    free_run_open(run, m->model, overrides, m->binding_count, tolerance, integrator);
}

static bool run_case(const mechanism *m, const char *integrator, double tolerance, double allowed)
{
    const json *reference = reference_case(mechanisms, m->id);
    double times[MOST_TIMES], ours[8][MOST_TIMES][MOST_WIDTH];
    bool passed = true;
    assert_non_null(reference);
    size_t count = read_times(m, reference, times);
    free_run run;
    open_case(&run, m, reference, tolerance, integrator);
    for (size_t k = 0; k < count; k++) {
        free_run_to(&run, times[k]);
        for (size_t q = 0; q < m->quantity_count; q++)
            m->quantities[q].measure(&run, ours[q][k]);
    }
    carom_statistics statistics = carom_simulation_statistics(run.sim);
    carom_ledger ledger = carom_simulation_ledger(run.sim);
    carom_violation violation = carom_simulation_violation(run.sim);
    printf("%-27s %-26s %-6s %6.0e  %7llu rhs  ledger %.1e  violation %.1e %.1e\n", m->id, m->model,
           carom_simulation_integrator(run.sim), tolerance, (unsigned long long)statistics.rhs_evaluations,
           ledger.residual_fraction, violation.position, violation.velocity);
    for (size_t q = 0; q < m->quantity_count; q++) {
        error_share one;
        compare(reference, &m->quantities[q], count, ours[q], allowed, &one);
        bool fits = one.error <= one.allowed;
        passed = passed && fits;
        printf("  %-20s error %.2e  allowed %.1e  margin %8.1f%s\n", m->quantities[q].name, one.error, one.allowed,
               one.allowed / fmax(one.error, 1e-300), fits ? "" : "  FAILS");
    }
    free_run_close(&run);
    return passed;
}

static void run_all(const char *integrator, double tolerance, double allowed)
{
    bool passed = true;
    for (size_t k = 0; k < COUNT(cases); k++)
        passed = run_case(&cases[k], integrator, tolerance, allowed) && passed;
    assert_true(passed);
}

static void test_tight(void **state)
{
    (void)state;
    run_all(NULL, 1e-10, 1e-7);
}

static void test_tight_dopri5(void **state)
{
    (void)state;
    run_all("dopri5", 1e-10, 1e-7);
}

static void test_default(void **state)
{
    (void)state;
    run_all(NULL, 1e-8, 1e-4);
}

/* After a period the pendulum of angle 90 degrees is at rest again: its rate there is g/L times the error of the
   period. */
static void test_period(void **state)
{
    (void)state;
    const json *reference = reference_case(mechanisms, "bm-pendulum");
    double period = reference_value(reference, "period", 0), rate;
    free_run run;
    free_run_open(&run, "pendulum.yaml", NULL, 0, 1e-10, NULL);
    free_run_to(&run, period);
    pendulum_omega(&run, &rate);
    printf("period %.12f s, error %.1e s\n", period, fabs(rate) / 9.81);
    assert_true(fabs(rate) / 9.81 < 1e-7 * period);
    free_run_close(&run);
}

static void test_long_row(void **state)
{
    (void)state;
    if (!getenv("CAROM_TEST_ALL"))
        skip();
    assert_true(run_case(&long_row, NULL, 1e-8, 1e-4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_long_row), cmocka_unit_test(test_tight),
                                       cmocka_unit_test(test_tight_dopri5), cmocka_unit_test(test_default),
                                       cmocka_unit_test(test_period)};
    return sample_group_tests(tests, 1, 3, golden_open, golden_close);
}
