/* The mobile manipulator of models/manipulator.yaml, after CHARMIE (Rodrigues da Silva et al. 2024, section 5.2),
   without motors, springs and floor, against minimal coordinates in closed form of 40 digits
   without motors, springs and floor, against minimal coordinates of 40 digits
   and forward dynamics 1e-9 of the largest number of their kind, kinetic energy, the mass matrix by energies at unit
   rates, forces of the actuators.

   The 30 coordinates inside of the robot are set as wishes with the base fixed; the state is then moved with the base
   as a rigid body. Inverse dynamics prescribes them as motions and looks for the wrench on the base that gives it its
   acceleration, from evaluations with unit forces: both are linear. */
#include "carom_test.h"

#include <math.h>

#include "support/golden.h"
#include "support/sample.h"

#define COORDINATES 36
#define BASE 6
#define BODIES 45
#define KINEMATICS 1e-12
#define INVERSE 1e-10
#define FORWARD 1e-9

/* The coordinates behind those of the base, in the order of the reference: their joints, and what their force acts on,
   the second body and the first. */
static const char *const joints[COORDINATES - BASE][3] = {
    {"suspension_1", "suspension_1", "base"}, {"suspension_2", "suspension_2", "base"},
    {"suspension_3", "suspension_3", "base"}, {"suspension_4", "suspension_4", "base"},
    {"wheel_1", "wheel_1", "suspension_1"},   {"wheel_2", "wheel_2", "suspension_2"},
    {"wheel_3", "wheel_3", "suspension_3"},   {"wheel_4", "wheel_4", "suspension_4"},
    {"crankA_1", "crankA_1", "base"},         {"crankB_1", "crankB_1", "hip"},
    {"waist", "trunk", "waist"},              {"arm1_1", "arm1_1", "trunk"},
    {"arm2_1", "arm2_1", "arm1_1"},           {"arm3_1", "arm3_1", "arm2_1"},
    {"arm4_1", "arm4_1", "arm3_1"},           {"arm5_1", "arm5_1", "arm4_1"},
    {"arm6_1", "arm6_1", "arm5_1"},           {"arm7_1", "arm7_1", "arm6_1"},
    {"arm1_2", "arm1_2", "trunk"},            {"arm2_2", "arm2_2", "arm1_2"},
    {"arm3_2", "arm3_2", "arm2_2"},           {"arm4_2", "arm4_2", "arm3_2"},
    {"arm5_2", "arm5_2", "arm4_2"},           {"arm6_2", "arm6_2", "arm5_2"},
    {"arm7_2", "arm7_2", "arm6_2"},           {"head1", "head1", "trunk"},
    {"head2", "head2", "head1"},              {"head3", "head3", "head2"},
    {"finger_a_1", "finger_a_1", "arm7_1"},   {"finger_a_2", "finger_a_2", "arm7_2"}};

/* Names of bodies in the reference, and here; a number stands behind both where there are several. */
static const char *const bodies[][2] = {
    {"base", "base"},          {"hip", "hip"},           {"waist", "waist"},        {"trunk", "trunk"},
    {"susp#", "suspension_#"}, {"wheel#", "wheel_#"},    {"crankA#", "crankA_#"},   {"cylA", "cylinderA"},
    {"rodA", "rodA"},          {"crankB#", "crankB_#"},  {"cylB", "cylinderB"},     {"rodB", "rodB"},
    {"armR#", "arm#_1"},       {"armL#", "arm#_2"},      {"head#", "head#"},        {"fingerRa", "finger_a_1"},
    {"fingerRb", "finger_b_1"}, {"fingerLa", "finger_a_2"}, {"fingerLb", "finger_b_2"}};

static double input_of(const json *c, const char *name, size_t k)
{
    return json_number(json_item(json_member(json_member(c, "inputs"), name), k));
}

/* ---- a model of the bodies and joints ---- */

typedef struct robot {
    carom_document *document;
    free_run run;
    carom_state *state;
} robot;

static const char *formulation;
static carom_joint_def all_joints[64];
static char motions[COORDINATES][160];

/* How the model is made: motions of joints are polynomials of the coordinate, its rate and acceleration. */
typedef struct wanted {
    bool fixed;                 /* the base, where the file puts it */
    bool driven;                /* q + qd t + qdd t^2/2 of all coordinates of the case, by joints or actuators */
    bool by_actuators;
    double acceleration;        /* times qdd */
    double actuator[2][3];      /* coordinate, rate, acceleration of the actuators */
} wanted;

static void drive(const char *joint, size_t slot, double q, double rate, double acceleration)
{
    snprintf(motions[slot], sizeof motions[slot], "(%.17g) + (%.17g)*t + (%.17g)*t^2", q, rate, 0.5 * acceleration);
    for (size_t k = 0; all_joints[k].name; k++)
        if (strcmp(all_joints[k].name, joint) == 0)
            all_joints[k].motion = (carom_value){.type = CAROM_VALUE_EXPRESSION, .size = 1, .text = motions[slot]};
}

static void build(robot *r, const json *c, const wanted *w)
{
    carom_context *ctx = new_context();
    char path[1024];
    const char *folder = getenv("CAROM_MODELS");
    snprintf(path, sizeof path, "%s/manipulator.yaml", folder ? folder : CAROM_MODELS);
    assert_ok(ctx, carom_document_read(ctx, path, NULL, 0, &r->document));
    carom_spec spec = *carom_document_spec(r->document);
    spec.load_count = spec.contact_count = 0;
    memset(all_joints, 0, sizeof all_joints);
    memcpy(all_joints, spec.joints, spec.joint_count * sizeof *all_joints);
    spec.joints = all_joints;
    carom_run_def own = spec.runs[0];
    own.formulation = formulation;
    spec.runs = &own;
    spec.run_count = 1;
    for (size_t k = 0; k < COORDINATES - BASE && w->driven; k++) {
        const bool crank = strncmp(joints[k][0], "crank", 5) == 0;
        if (!(crank && w->by_actuators))
            drive(joints[k][0], k, input_of(c, "q", BASE + k), input_of(c, "qd", BASE + k),
                  w->acceleration * input_of(c, "qdd", BASE + k));
    }
    for (size_t k = 0; k < 2 && w->by_actuators; k++)
        drive(k ? "actuatorB" : "actuatorA", COORDINATES - BASE + k, w->actuator[k][0], w->actuator[k][1],
              w->actuator[k][2]);
    if (w->fixed) {
        carom_joint_def *base = &all_joints[spec.joint_count++];
        *base = (carom_joint_def){.name = "held", .type = "fixed"};
        base->between[0] = (carom_frame_ref){.body = "ground", .point = {0, 0, spec.bodies[0].at[2]}};
        base->between[1] = (carom_frame_ref){.body = "base"};
    }
    memset(&r->run, 0, sizeof r->run);
    r->run.ctx = ctx;
    assert_ok(ctx, carom_model_compile(ctx, &spec, &r->run.model));
    assert_ok(ctx, carom_simulation_create(ctx, r->run.model, NULL, &r->run.sim));
    assert_ok(ctx, carom_state_create(ctx, r->run.model, &r->state));
    assert_ok(ctx, carom_simulation_get_state(r->run.sim, r->state));
}

static void discard(robot *r)
{
    carom_state_free(r->state);
    carom_simulation_free(r->run.sim);
    carom_model_free(r->run.model);
    carom_document_free(r->document);
    carom_context_free(r->run.ctx);
}

/* ---- states ---- */

/* Coordinates inside of the robot with the base where the file has it, at the rates of the case, or 1 for one alone. */
static void wish(robot *held, const json *c, int alone)
{
    const carom_assembly_def exact = {.size = sizeof exact, .tolerance = 1e-15};
    for (size_t k = 0; k < COORDINATES - BASE; k++) {
        char name[64];
        const double q = input_of(c, "q", BASE + k);
        const double rate = alone < 0 ? input_of(c, "qd", BASE + k) : (int)k == alone - BASE;
        snprintf(name, sizeof name, "joint.%s.coordinate", joints[k][0]);
        assert_ok(held->run.ctx, carom_state_set(held->state, name, &q, 1));
        snprintf(name, sizeof name, "joint.%s.rate", joints[k][0]);
        assert_ok(held->run.ctx, carom_state_set(held->state, name, &rate, 1));
    }
    assert_ok(held->run.ctx, carom_simulation_assemble(held->run.sim, held->state, &exact, NULL));
    assert_ok(held->run.ctx, carom_simulation_assemble(held->run.sim, held->state, &exact, NULL));
}

/* Rotation of the base and the axes of its angles, yaw, pitch and roll, as columns, with their rates. */
typedef struct attitude {
    double turn[9], quaternion[4], axes[9], axes_rate[9];
} attitude;

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void times(const double m[9], const double v[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = m[3 * k] * v[0] + m[3 * k + 1] * v[1] + m[3 * k + 2] * v[2];
}

static void multiply(const double a[4], const double b[4], double out[4])
{
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

static attitude attitude_of(const json *c, const double rates[3])
{
    attitude a;
    const double yaw = input_of(c, "q", 3), pitch = input_of(c, "q", 4), roll = input_of(c, "q", 5);
    const double z[4] = {cos(yaw / 2), 0, 0, sin(yaw / 2)}, y[4] = {cos(pitch / 2), 0, sin(pitch / 2), 0};
    const double x[4] = {cos(roll / 2), sin(roll / 2), 0, 0};
    double zy[4];
    multiply(z, y, zy);
    multiply(zy, x, a.quaternion);
    free_rotation(a.quaternion, a.turn);
    const double up[3] = {0, 0, 1}, second[3] = {-sin(yaw), cos(yaw), 0};
    const double third[3] = {cos(yaw) * cos(pitch), sin(yaw) * cos(pitch), -sin(pitch)};
    double second_rate[3], third_rate[3], spin[3];
    for (int k = 0; k < 3; k++)
        spin[k] = rates[0] * up[k];
    cross(spin, second, second_rate);
    for (int k = 0; k < 3; k++)
        spin[k] += rates[1] * second[k];
    cross(spin, third, third_rate);
    for (int k = 0; k < 3; k++) {
        memcpy(a.axes + 3 * k, (double[]){up[k], second[k], third[k]}, 3 * sizeof(double));
        memcpy(a.axes_rate + 3 * k, (double[]){0, second_rate[k], third_rate[k]}, 3 * sizeof(double));
    }
    return a;
}

/* Absolute positions and velocities of all bodies, by their names: read, or set if `set`. */
static void bodies_of(const robot *r, double q[7 * BODIES], double v[6 * BODIES], bool set)
{
    static const char *const names[] = {"position", "orientation", "velocity", "angular_velocity"};
    static const size_t sizes[] = {3, 4, 3, 3};
    for (size_t body = 0; body < BODIES; body++)
        for (size_t part = 0; part < 4; part++) {
            char name[128];
            double *at = part < 2 ? q + 7 * body + 3 * part : v + 6 * body + 3 * (part - 2);
            snprintf(name, sizeof name, "body.%s.%s", carom_model_body_name(r->run.model, body), names[part]);
            assert_ok(r->run.ctx, set ? carom_state_set(r->state, name, at, sizes[part])
                                      : carom_state_get(r->state, name, at, sizes[part]));
        }
}

/* Moves the state with the base as one rigid body into that of a free robot. */
static void place(const robot *held, robot *r, const json *c, const double rates[BASE])
{
    double q[7 * BODIES], v[6 * BODIES];
    bodies_of(held, q, v, false);
    const attitude a = attitude_of(c, rates + 3);
    const double origin[3] = {q[0], q[1], q[2]};
    double spin[3];
    times(a.axes, rates + 3, spin);
    for (int body = 0; body < BODIES; body++) {
        double *p = q + 7 * body, *u = v + 6 * body, arm[3], at[3], turn[4], moved[3], turned[3], carried[3];
        for (int k = 0; k < 3; k++)
            arm[k] = p[k] - origin[k];
        times(a.turn, arm, at);
        times(a.turn, u, moved);
        times(a.turn, u + 3, turned);
        cross(spin, at, carried);
        multiply(a.quaternion, p + 3, turn);
        for (size_t k = 0; k < 3; k++) {
            p[k] = input_of(c, "q", k) + at[k];
            u[k] = rates[k] + carried[k] + moved[k];
            u[3 + k] = spin[k] + turned[k];
        }
        memcpy(p + 3, turn, sizeof turn);
    }
    bodies_of(r, q, v, true);
}

static void rates_of_base(const json *c, double rates[BASE])
{
    for (size_t k = 0; k < BASE; k++)
        rates[k] = input_of(c, "qd", k);
}

/* ---- kinematics ---- */

static void compare_bodies(const json *c, const robot *r, margin *m)
{
    const json *coms = json_member(json_member(c, "outputs"), "body_com");
    if (json_member(coms, "value"))
        coms = json_member(coms, "value");
    size_t compared = 0;
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++)
        for (int copy = 1; copy <= (strchr(bodies[k][0], '#') ? 7 : 1); copy++) {
            char theirs[64], ours[64];
            double at[3];
            for (int side = 0; side < 2; side++) {
                const char *name = bodies[k][side], *number = strchr(name, '#');
                snprintf(side ? ours : theirs, 64, number ? "%s%.*s%d%s" : "%s%.*s%.0d%s", side ? "body." : "",
                         number ? (int)(number - name) : 64, name, number ? copy : 0, number ? number + 1 : "");
            }
            const json *expected = json_member(coms, theirs);
            if (!expected)
                continue;
            strncat(ours, ".position", sizeof ours - strlen(ours) - 1);
            assert_ok(r->run.ctx, carom_state_get(r->state, ours, at, 3));
            for (size_t i = 0; i < 3; i++)
                margin_add(m, theirs, i, at[i], json_number(json_item(expected, i)), KINEMATICS);
            compared++;
        }
    assert_int_equal(compared, BODIES);
}

/* The hand, 50 mm beyond the last link: position, axes, velocity; its acceleration where it is given. */
static void compare_hand(const json *c, robot *r, const char *side, const char *arm, const double *acceleration,
                         margin *m)
{
    char name[64];
    double at[3], quaternion[4], turn[9], v[3], w[3], offset[3], carried[3], twice[3];
    const double own[3] = {0, 0, -0.09};
    snprintf(name, sizeof name, "body.%s.position", arm);
    assert_ok(r->run.ctx, carom_state_get(r->state, name, at, 3));
    snprintf(name, sizeof name, "body.%s.orientation", arm);
    assert_ok(r->run.ctx, carom_state_get(r->state, name, quaternion, 4));
    snprintf(name, sizeof name, "body.%s.velocity", arm);
    assert_ok(r->run.ctx, carom_state_get(r->state, name, v, 3));
    snprintf(name, sizeof name, "body.%s.angular_velocity", arm);
    assert_ok(r->run.ctx, carom_state_get(r->state, name, w, 3));
    free_rotation(quaternion, turn);
    times(turn, own, offset);
    cross(w, offset, carried);
    char pos[32], axes[32], vel[32], acc[32];
    snprintf(pos, sizeof pos, "ee_%s_pos", side);
    snprintf(axes, sizeof axes, "ee_%s_R", side);
    snprintf(vel, sizeof vel, "ee_%s_vel", side);
    snprintf(acc, sizeof acc, "ee_%s_acc", side);
    if (acceleration) {
        double swept[3];
        cross(w, carried, twice);
        cross(acceleration + 3, offset, swept);
        for (size_t k = 0; k < 3; k++)
            margin_add(m, acc, k, acceleration[k] + swept[k] + twice[k], reference_value(c, acc, k), INVERSE);
        return;
    }
    for (size_t k = 0; k < 3; k++) {
        margin_add(m, pos, k, at[k] + offset[k], reference_value(c, pos, k), KINEMATICS);
        margin_add(m, vel, k, v[k] + carried[k], reference_value(c, vel, k), 10 * KINEMATICS);
    }
    for (size_t k = 0; k < 9; k++)
        margin_add(m, axes, k, turn[k], reference_value(c, axes, k), KINEMATICS);
}

/* Half of an element of the mass matrix is the energy at its unit rate. */
static void compare_masses(const json *c, robot *held, robot *r, margin *m)
{
    const double none[BASE] = {0};
    for (int k = 0; k < COORDINATES; k++) {
        carom_evaluated now;
        double rates[BASE] = {0};
        if (k < BASE)
            rates[k] = 1;
        wish(held, c, k < BASE ? COORDINATES : k);
        place(held, r, c, k < BASE ? rates : none);
        assert_ok(r->run.ctx, carom_simulation_evaluate_at(r->run.sim, r->state, &now));
        const double expected = reference_value(c, "mass_matrix_diag", (size_t)k);
        margin_add(m, "mass_matrix_diag", (size_t)k, 2 * now.kinetic, expected, INVERSE * fmax(1, expected));
        if (k == 14 || k == 15) {
            size_t joint;
            const char *actuator = k == 14 ? "actuatorA" : "actuatorB";
            assert_ok(r->run.ctx, carom_simulation_find_joint(r->run.sim, actuator, &joint));
            margin_add(m, actuator, 0, now.joints[joint].coordinate,
                       reference_value(c, "actuator_length", (size_t)k - 14), KINEMATICS);
            margin_add(m, actuator, 1, now.joints[joint].rate,
                       reference_value(c, "actuator_dlength_dangle", (size_t)k - 14), 10 * KINEMATICS);
        }
    }
}

/* ---- inverse dynamics ---- */

/* Acceleration of the base under a wrench on it, world axes. */
static void base_acceleration(robot *r, const double wrench[BASE], double out[BASE], carom_evaluated *now)
{
    assert_ok(r->run.ctx, carom_simulation_clear_forces(r->run.sim));
    assert_ok(r->run.ctx, carom_simulation_apply_force(r->run.sim, 0, wrench, NULL, CAROM_AXES_WORLD));
    assert_ok(r->run.ctx, carom_simulation_apply_torque(r->run.sim, 0, wrench + 3, CAROM_AXES_WORLD));
    assert_ok(r->run.ctx, carom_simulation_evaluate_at(r->run.sim, NULL, now));
    memcpy(out, now->accelerations, BASE * sizeof *out);
}

/* Solves six equations by elimination with the largest pivot. */
static void solve(double a[BASE][BASE + 1])
{
    for (int k = 0; k < BASE; k++) {
        int best = k;
        for (int i = k; i < BASE; i++)
            best = fabs(a[i][k]) > fabs(a[best][k]) ? i : best;
        for (int j = 0; j <= BASE; j++) {
            const double x = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = x;
        }
        for (int i = 0; i < BASE; i++) {
            const double f = a[i][k] / a[k][k];
            for (int j = k; j <= BASE && i != k; j++)
                a[i][j] -= f * a[k][j];
        }
    }
    for (int k = 0; k < BASE; k++)
        a[k][BASE] /= a[k][k];
}

/* Generalised forces that give the coordinates their accelerations: those of the base are conjugate to its angles. */
static void inverse(robot *r, const json *c, double share, double forces[COORDINATES], carom_evaluated *now)
{
    double rates[BASE], wanted_rates[BASE], none[BASE] = {0}, system[BASE][BASE + 1], free[BASE], column[BASE];
    rates_of_base(c, rates);
    const attitude a = attitude_of(c, rates + 3);
    double change[3], spun[3], second[3];
    for (size_t k = 0; k < 3; k++) {
        wanted_rates[k] = share * input_of(c, "qdd", k);
        second[k] = share * input_of(c, "qdd", 3 + k);
    }
    times(a.axes, second, spun);
    times(a.axes_rate, rates + 3, change);
    for (int k = 0; k < 3; k++)
        wanted_rates[3 + k] = spun[k] + change[k];
    assert_ok(r->run.ctx, carom_simulation_set_state(r->run.sim, r->state, NULL, NULL));
    base_acceleration(r, none, free, now);
    for (int k = 0; k < BASE; k++) {
        double unit[BASE] = {0};
        unit[k] = 1;
        base_acceleration(r, unit, column, now);
        for (int i = 0; i < BASE; i++)
            system[i][k] = column[i] - free[i];
        system[k][BASE] = wanted_rates[k] - free[k];
    }
    solve(system);
    double wrench[BASE];
    for (int k = 0; k < BASE; k++)
        wrench[k] = system[k][BASE];
    base_acceleration(r, wrench, column, now);
    memcpy(forces, wrench, 3 * sizeof *forces);
    for (int k = 0; k < 3; k++)
        forces[3 + k] = a.axes[k] * wrench[3] + a.axes[3 + k] * wrench[4] + a.axes[6 + k] * wrench[5];
    for (size_t k = 0; k < COORDINATES - BASE; k++) {
        char name[64];
        carom_channel_ref channel;
        snprintf(name, sizeof name, "joint.%s.drive", joints[k][0]);
        forces[BASE + k] = (double)NAN;
        if (carom_simulation_find_channel(r->run.sim, name, &channel) == CAROM_OK)
            forces[BASE + k] = free_run_get(&r->run, name);
    }
}

static double largest_of(const json *c, const char *name, size_t count)
{
    double largest = 0;
    for (size_t k = 0; k < count; k++)
        largest = fmax(largest, fabs(reference_value(c, name, k)));
    return largest;
}

static void compare_inverse(const json *c, const robot *held, margin *m)
{
    robot r;
    double rates[BASE], forces[COORDINATES];
    carom_evaluated now;
    wanted w = {.driven = true, .acceleration = 1};
    build(&r, c, &w);
    rates_of_base(c, rates);
    place(held, &r, c, rates);
    inverse(&r, c, 1, forces, &now);
    const double scale = INVERSE * largest_of(c, "generalized_forces", COORDINATES);
    for (size_t k = 0; k < COORDINATES; k++)
        margin_add(m, "generalized_forces", k, forces[k], reference_value(c, "generalized_forces", k), scale);
    for (int side = 0; side < 2; side++) {
        const char *arm = side ? "arm7_2" : "arm7_1";
        double acceleration[6];
        for (size_t k = 0; k < 6; k++) {
            char name[64];
            snprintf(name, sizeof name, "body.%s.%sacceleration.%c", arm, k < 3 ? "" : "angular_", (int)('x' + k % 3));
            acceleration[k] = free_run_get(&r.run, name);
        }
        compare_hand(c, &r, side ? "left" : "right", arm, acceleration, m);
        size_t joint;
        assert_ok(r.run.ctx, carom_simulation_find_joint(r.run.sim, side ? "actuatorB" : "actuatorA", &joint));
        memcpy(w.actuator[side],
               (double[]){now.joints[joint].coordinate, now.joints[joint].rate, now.joints[joint].acceleration},
               sizeof w.actuator[side]);
    }
    discard(&r);
    w.by_actuators = true;
    build(&r, c, &w);
    place(held, &r, c, rates);
    inverse(&r, c, 1, forces, &now);
    margin_add(m, "actuator_force_A", 0, free_run_get(&r.run, "joint.actuatorA.drive"),
               reference_value(c, "actuator_force_A", 0), scale);
    margin_add(m, "actuator_force_B", 0, free_run_get(&r.run, "joint.actuatorB.drive"),
               reference_value(c, "actuator_force_B", 0), scale);
    discard(&r);
}

/* ---- forward dynamics ---- */

/* A force or torque of 1 along the axis of a coordinate, the opposite on the other body. */
static void act(robot *r, size_t k, double force)
{
    const bool slides = strncmp(joints[k][0], "finger", 6) == 0;
    size_t second, first, joint;
    assert_ok(r->run.ctx, carom_simulation_find_body(r->run.sim, joints[k][1], &second));
    assert_ok(r->run.ctx, carom_simulation_find_body(r->run.sim, joints[k][2], &first));
    assert_ok(r->run.ctx, carom_simulation_find_joint(r->run.sim, joints[k][0], &joint));
    /* axes of the joints in their first bodies: y, but for these */
    const char *name = joints[k][0];
    double own[3] = {0, 1, 0}, turn[9], axis[3], back[3], at[3], to[3], arm[3], couple[3];
    const bool x = strncmp(name, "arm2", 4) == 0 || strncmp(name, "arm7", 4) == 0 || strcmp(name, "head3") == 0;
    const bool z = strncmp(name, "arm3", 4) == 0 || strncmp(name, "arm5", 4) == 0 || strcmp(name, "head1") == 0 ||
                   strcmp(name, "waist") == 0;
    if (x || z)
        memcpy(own, (double[]){x, 0, z}, sizeof own);
    double q[7 * BODIES], v[6 * BODIES];
    bodies_of(r, q, v, false);
    free_rotation(q + 7 * first + 3, turn);
    times(turn, own, axis);
    for (int i = 0; i < 3; i++) {
        axis[i] *= force;
        back[i] = -axis[i];
        at[i] = q[7 * second + (size_t)i];
        to[i] = q[7 * first + (size_t)i];
        arm[i] = at[i] - to[i];
    }
    if (!slides) {
        assert_ok(r->run.ctx, carom_simulation_apply_torque(r->run.sim, second, axis, CAROM_AXES_WORLD));
        assert_ok(r->run.ctx, carom_simulation_apply_torque(r->run.sim, first, back, CAROM_AXES_WORLD));
        return;
    }
    cross(arm, back, couple);
    assert_ok(r->run.ctx, carom_simulation_apply_force(r->run.sim, second, axis, NULL, CAROM_AXES_WORLD));
    assert_ok(r->run.ctx, carom_simulation_apply_force(r->run.sim, first, back, NULL, CAROM_AXES_WORLD));
    assert_ok(r->run.ctx, carom_simulation_apply_torque(r->run.sim, first, couple, CAROM_AXES_WORLD));
}

static void compare_forward(const json *c, const robot *held, robot *r, margin *m)
{
    static const char output[] = "forward_acc_for_tau_0p9_bias";
    robot still;
    double rates[BASE], bias[COORDINATES];
    carom_evaluated now;
    rates_of_base(c, rates);
    build(&still, c, &(wanted){.driven = true, .acceleration = 0});
    place(held, &still, c, rates);
    inverse(&still, c, 0, bias, &now);
    discard(&still);
    const attitude a = attitude_of(c, rates + 3);
    place(held, r, c, rates);
    assert_ok(r->run.ctx, carom_simulation_set_state(r->run.sim, r->state, NULL, NULL));
    /* torque of the forces of the angles: axes^T torque = them */
    double system[BASE][BASE + 1] = {{0}}, torque[3], force[3];
    for (int i = 0; i < BASE; i++)
        system[i][i] = 1;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            system[i][k] = a.axes[3 * k + i];
        system[i][BASE] = 0.9 * bias[3 + i];
        force[i] = 0.9 * bias[i];
    }
    solve(system);
    for (int i = 0; i < 3; i++)
        torque[i] = system[i][BASE];
    assert_ok(r->run.ctx, carom_simulation_apply_force(r->run.sim, 0, force, NULL, CAROM_AXES_WORLD));
    assert_ok(r->run.ctx, carom_simulation_apply_torque(r->run.sim, 0, torque, CAROM_AXES_WORLD));
    for (size_t k = 0; k < COORDINATES - BASE; k++)
        act(r, k, 0.9 * bias[BASE + k]);
    assert_ok(r->run.ctx, carom_simulation_evaluate_at(r->run.sim, NULL, &now));
    const double scale = FORWARD * fmax(1, largest_of(c, output, COORDINATES));
    double change[3];
    times(a.axes_rate, rates + 3, change);
    for (int i = 0; i < BASE; i++)
        for (int k = 0; k <= BASE; k++)
            system[i][k] = k == i;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            system[i][k] = a.axes[3 * i + k];
        system[i][BASE] = now.accelerations[3 + i] - change[i];
    }
    solve(system);
    for (size_t k = 0; k < 3; k++) {
        margin_add(m, output, k, now.accelerations[k], reference_value(c, output, k), scale);
        margin_add(m, output, 3 + k, system[k][BASE], reference_value(c, output, 3 + k), scale);
    }
    for (size_t k = 0; k < COORDINATES - BASE; k++) {
        size_t joint;
        assert_ok(r->run.ctx, carom_simulation_find_joint(r->run.sim, joints[k][0], &joint));
        margin_add(m, output, BASE + k, now.joints[joint].acceleration, reference_value(c, output, BASE + k), scale);
    }
}

/* ---- the poses ---- */

static void test_pose(const char *id)
{
    const json *c = reference_case(mechanisms, id);
    robot held, r;
    double rates[BASE];
    margin m;
    carom_check check;
    carom_evaluated now;
    char what[64];
    snprintf(what, sizeof what, "%s, %s", id, formulation);
    margin_begin(&m, what);
    build(&held, c, &(wanted){.fixed = true});
    build(&r, c, &(wanted){0});
    const carom_model_info info = carom_model_get_info(r.run.model);
    assert_ok(r.run.ctx, carom_simulation_check(r.run.sim, &check));
    assert_int_equal(info.bodies, (int)reference_value(c, "n_bodies", 0));
    assert_int_equal(info.joints, (int)reference_value(c, "n_joints", 0));
    assert_int_equal(check.rows, (int)reference_value(c, "constraint_rows", 0));
    assert_int_equal(check.rank, (int)reference_value(c, "constraint_rank", 0));
    assert_int_equal(check.mobility, (int)reference_value(c, "dof", 0));
    wish(&held, c, -1);
    rates_of_base(c, rates);
    place(&held, &r, c, rates);
    compare_bodies(c, &r, &m);
    compare_hand(c, &r, "right", "arm7_1", NULL, &m);
    compare_hand(c, &r, "left", "arm7_2", NULL, &m);
    assert_ok(r.run.ctx, carom_simulation_evaluate_at(r.run.sim, r.state, &now));
    margin_add(&m, "position residual", 0, now.position_residual, 0, KINEMATICS);
    margin_add(&m, "velocity residual", 0, now.velocity_residual, 0, KINEMATICS);
    const double kinetic = reference_value(c, "kinetic_energy", 0);
    margin_add(&m, "kinetic_energy", 0, now.kinetic, kinetic, INVERSE * fmax(1, kinetic));
    compare_inverse(c, &held, &m);
    compare_forward(c, &held, &r, &m);
    compare_masses(c, &held, &r, &m);
    discard(&r);
    discard(&held);
    margin_end(&m);
}

static void test_formulations(const char *id)
{
    static const char *const names[] = {"cartesian", "tree"};
    for (size_t k = 0; k < 2; k++) {
        formulation = names[k];
        test_pose(id);
    }
}

static void test_start(void **state)
{
    (void)state;
    test_formulations("charmie-pose0");
}

static void test_reach(void **state)
{
    (void)state;
    test_formulations("charmie-pose1");
}

static void test_lifted(void **state)
{
    (void)state;
    test_formulations("charmie-pose2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_start), cmocka_unit_test(test_reach),
                                       cmocka_unit_test(test_lifted)};
    return sample_group_tests(tests, 1, 3, golden_open, golden_close);
}
