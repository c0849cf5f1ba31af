/* Robots from MJCF files: inertias of shapes against integrals over points, poses and coordinates in closed form,
   loops, drives and the start of a keyframe. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* A model that includes the robot of a text. */
static void open_robot(free_run *run, const char *robot, const char *keys, const char *more)
{
    char text[2000];
    write_file("robot.xml", robot);
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\ninclude: {file: robot.xml%s}\n%s\n"
             "run: {until: 1}\n",
             keys, more);
    free_run_parse(run, text, 1e-10, NULL);
}

/* ---- masses ---- */

/* Mass, centre and inertia of what a function holds, by the midpoints of a fine grid about the origin. */
static void integrate(bool (*inside)(const double *x), double half, double density, double *out)
{
    enum { CELLS = 200 };
    const double h = 2 * half / CELLS, m = density * h * h * h;
    memset(out, 0, 10 * sizeof *out);
    for (int i = 0; i < CELLS * CELLS * CELLS; i++) {
        const double x[3] = {(i % CELLS + 0.5) * h - half, (i / CELLS % CELLS + 0.5) * h - half,
                             (i / CELLS / CELLS + 0.5) * h - half};
        if (!inside(x))
            continue;
        out[0] += m;
        for (int k = 0; k < 3; k++) {
            out[1 + k] += m * x[k];
            out[4 + k] += m * (x[(k + 1) % 3] * x[(k + 1) % 3] + x[(k + 2) % 3] * x[(k + 2) % 3]);
        }
        out[7] -= m * x[0] * x[1];
        out[8] -= m * x[0] * x[2];
        out[9] -= m * x[1] * x[2];
    }
    for (int k = 0; k < 3; k++)
        out[1 + k] /= out[0];
    const double *c = out + 1, square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    for (int k = 0; k < 3; k++)
        out[4 + k] -= out[0] * (square - c[k] * c[k]);
    out[7] += out[0] * c[0] * c[1];
    out[8] += out[0] * c[0] * c[2];
    out[9] += out[0] * c[1] * c[2];
}

/* Distance from the segment a to b. */
static double from_segment(const double *x, const double *a, const double *b)
{
    double along = 0, length = 0, s = 0;
    for (int k = 0; k < 3; k++) {
        along += (x[k] - a[k]) * (b[k] - a[k]);
        length += (b[k] - a[k]) * (b[k] - a[k]);
    }
    along = fmin(1, fmax(0, along / length));
    for (int k = 0; k < 3; k++)
        s += (x[k] - a[k] - along * (b[k] - a[k])) * (x[k] - a[k] - along * (b[k] - a[k]));
    return sqrt(s);
}

/* A capsule from (-0.3, 0, 0.1) to (0.2, 0.3, 0) of radius 0.15 and an ellipsoid about (0.3, -0.3, -0.2). */
static bool in_capsule(const double *x)
{
    static const double a[3] = {-0.3, 0, 0.1}, b[3] = {0.2, 0.3, 0};
    return from_segment(x, a, b) < 0.15;
}

static bool in_ellipsoid(const double *x)
{
    const double y[3] = {(x[0] - 0.3) / 0.1, (x[1] + 0.3) / 0.2, (x[2] + 0.2) / 0.25};
    return y[0] * y[0] + y[1] * y[1] + y[2] * y[2] < 1;
}

/* A box turned by 30 degrees about z, and a cylinder along y. */
static bool in_box(const double *x)
{
    const double c = sqrt(0.75), s = 0.5, u = c * x[0] + s * x[1], v = c * x[1] - s * x[0];
    return fabs(u) < 0.4 && fabs(v) < 0.2 && fabs(x[2]) < 0.1;
}

static bool in_cylinder(const double *x) { return hypot(x[0], x[2]) < 0.3 && fabs(x[1]) < 0.4; }

static void check_mass(const char *geoms, bool (*first)(const double *), bool (*second)(const double *), double density,
                       double half)
{
    char text[1500], *model;
    double is[10], one[10], other[10] = {0}, worst = 0;
    snprintf(text, sizeof text, "<mujoco><worldbody><body name='b'><freejoint/>%s</body></worldbody></mujoco>", geoms);
    write_file("mass.xml", text);
    carom_context *ctx = new_context();
    carom_document *document;
    assert_ok(ctx, carom_import_text(ctx, "mass.xml", NULL, &model));
    assert_ok(ctx, carom_document_parse(ctx, "m.yaml", model, strlen(model), NULL, 0, &document));
    const carom_body_def *body = carom_document_spec(document)->bodies;
    is[0] = body->mass;
    memcpy(is + 1, body->at, 3 * sizeof *is);
    for (int k = 0; k < 6; k++)
        is[4 + k] = k < body->inertia.size ? body->inertia.number[k] : 0;
    integrate(first, half, density, one);
    if (second) {
        /* both about the common centre */
        integrate(second, half, density, other);
        double sum[10] = {one[0] + other[0]};
        for (int k = 0; k < 3; k++)
            sum[1 + k] = (one[0] * one[1 + k] + other[0] * other[1 + k]) / sum[0];
        const double *parts[] = {one, other};
        for (int p = 0; p < 2; p++) {
            const double *q = parts[p], d[3] = {q[1] - sum[1], q[2] - sum[2], q[3] - sum[3]};
            const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            for (int k = 0; k < 3; k++)
                sum[4 + k] += q[4 + k] + q[0] * (square - d[k] * d[k]);
            sum[7] += q[7] - q[0] * d[0] * d[1];
            sum[8] += q[8] - q[0] * d[0] * d[2];
            sum[9] += q[9] - q[0] * d[1] * d[2];
        }
        memcpy(one, sum, sizeof sum);
    }
    for (int k = 0; k < 10; k++)
        worst = fmax(worst, fabs(is[k] - one[k]) / (k == 0 ? one[0] : k < 4 ? 1 : one[4]));
    print_message("mass %.4f kg, against the grid %.1e\n", is[0], worst);
    /* cells at the surface are in or out as a whole; measured 1.1e-3 */
    assert_true(worst < 4e-3);
    carom_document_free(document);
    carom_text_free(ctx, model);
    carom_context_free(ctx);
}

static void test_masses(void **state)
{
    (void)state;
    check_mass("<geom type='capsule' fromto='-.3 0 .1 .2 .3 0' size='.15'/><geom type='ellipsoid' pos='.3 -.3 -.2' "
               "size='.1 .2 .25'/>",
               in_capsule, in_ellipsoid, 1000, 0.5831);
    check_mass("<geom type='box' size='.4 .2 .1' euler='0 0 30' density='500'/>", in_box, NULL, 500, 0.5);
    check_mass("<geom type='cylinder' size='.3 .4' zaxis='0 1 0'/>", in_cylinder, NULL, 1000, 0.5);
}

/* ---- poses and coordinates ---- */

/* A hinge whose drawing stands at 30 degrees, with an anchor of its own, at 75 degrees: the body is turned by 45. */
static void test_reference(void **state)
{
    (void)state;
    free_run run;
    open_robot(&run,
               "<mujoco><default><joint armature='.1'/><default class='h'><joint type='hinge' axis='0 2 "
               "0'/></default></default>"
               "<worldbody><body name='arm' pos='1 0 2' childclass='h'>"
               "<joint name='pin' pos='0 0 .5' ref='30' range='-90 120'/><inertial pos='0 0 -.5' mass='2' "
               "diaginertia='1 1 .2'/>"
               "</body></worldbody><keyframe><key name='k' qpos='1.3089969389957472' qvel='0.25'/></keyframe></mujoco>",
               ", keyframe: k", "");
    const carom_body_state now = free_run_body(&run, "arm");
    const double s = sqrt(0.5), is[3] = {1 - s, 0, 2.5 - s};
    double worst = fabs(free_run_get(&run, "joint.pin.coordinate") - 75 * 3.14159265358979323846 / 180);
    worst = fmax(worst, fabs(free_run_get(&run, "joint.pin.rate") - 0.25));
    for (int k = 0; k < 3; k++)
        worst = fmax(worst, fabs(now.position[k] - is[k]));
    print_message("hinge with a reference: %.1e\n", worst);
    assert_true(worst < 1e-13);
    free_run_close(&run);
}

/* eulerseq: small letters about the newest axes, capitals about those of the parent. */
static void test_euler(void **state)
{
    (void)state;
    const char *sequences[] = {"xyz", "ZYX", "zyx", "XYZ"};
    double first[9], worst = 0, apart = 0;
    for (int k = 0; k < 4; k++) {
        char text[600];
        snprintf(text, sizeof text,
                 "<mujoco><compiler angle='radian' eulerseq='%s'/><worldbody><body name='b' euler='%s'><freejoint/>"
                 "<geom size='.1'/></body></worldbody></mujoco>",
                 sequences[k], k % 2 ? "0.9 -0.4 0.7" : "0.7 -0.4 0.9");
        free_run run;
        double axes[9];
        open_robot(&run, text, "", "");
        free_rotation(free_run_body(&run, "b").orientation, axes);
        free_run_close(&run);
        if (k % 2 == 0)
            memcpy(first, axes, sizeof axes);
        /* about the newest axes in turn is about the parent's in the other order */
        for (int n = 0; n < 9 && k % 2; n++)
            worst = fmax(worst, fabs(axes[n] - first[n]));
        for (int n = 0; n < 9 && k == 2; n++)
            apart = fmax(apart, fabs(axes[n] - first[n]));
        if (k == 0) {
            const double c1 = cos(0.7), s1 = sin(0.7), c2 = cos(-0.4), s2 = sin(-0.4), c3 = cos(0.9), s3 = sin(0.9);
            const double xyz[9] = {c2 * c3,
                                   -c2 * s3,
                                   s2,
                                   c1 * s3 + c3 * s1 * s2,
                                   c1 * c3 - s1 * s2 * s3,
                                   -c2 * s1,
                                   s1 * s3 - c1 * c3 * s2,
                                   c3 * s1 + c1 * s2 * s3,
                                   c1 * c2};
            for (int n = 0; n < 9; n++)
                worst = fmax(worst, fabs(axes[n] - xyz[n]));
        }
    }
    print_message("Euler angles: %.1e\n", worst);
    assert_true(worst < 1e-14);
    (void)apart;
}

/* Two slides and a hinge are a planar joint, hinges across each other a universal one, three through a point a
   spherical one: where the keyframe puts the body, and how many freedoms it has. */
static void test_together(void **state)
{
    (void)state;
    static const struct {
        const char *joints, *qpos;
        size_t rows;
        double at[3];
    } cases[] = {
        {"<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/><joint axis='0 1 0'/>",
         ".3 .2 1.5707963267948966",
         3,
         {0.3 + 0.5, 0, 1.2}},
        {"<joint axis='1 0 0'/><joint axis='0 1 0'/>", "1.5707963267948966 1.5707963267948966", 4, {0.5, 0, 1}},
        {"<joint axis='1 0 0'/><joint axis='0 1 0'/><joint axis='0 0 1'/>",
         "1.5707963267948966 0 0.3",
         3,
         {0, -0.5, 1}},
        {"<joint type='slide' axis='0 0 1'/><joint axis='0 0 1'/>", ".25 1", 4, {0, 0, 1.75}},
        {"<joint type='ball'/>", "0.7071067811865476 0.7071067811865476 0 0", 3, {0, -0.5, 1}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "<mujoco><compiler angle='radian'/><worldbody><body name='b' pos='0 0 1'>%s"
                 "<inertial pos='0 0 .5' mass='2' diaginertia='1 1 .2'/></body></worldbody>"
                 "<keyframe><key name='k' qpos='%s'/></keyframe></mujoco>",
                 cases[k].joints, cases[k].qpos);
        free_run run;
        double worst = 0;
        open_robot(&run, text, ", keyframe: k", "");
        assert_int_equal(carom_model_get_info(run.model).rows, cases[k].rows);
        for (int n = 0; n < 3; n++)
            worst = fmax(worst, fabs(free_run_body(&run, "b").position[n] - cases[k].at[n]));
        print_message("joints together %zu: %.1e m\n", k, worst);
        assert_true(worst < 1e-15 * 4);
        free_run_close(&run);
    }
}

/* A free body: place, orientation and velocities of the keyframe, the angular one in the body's axes. */
static void test_free_body(void **state)
{
    (void)state;
    free_run run;
    open_robot(&run,
               "<mujoco><worldbody><body name='b'><freejoint name='root'/><inertial pos='.1 0 0' mass='1' "
               "diaginertia='1 2 2'/>"
               "</body></worldbody><keyframe><key name='k' qpos='1 2 3 0.7071067811865476 0 0 0.7071067811865476' "
               "qvel='.1 .2 .3 1 0 2'/></keyframe></mujoco>",
               ", keyframe: k, at: [0, 0, 10]", "");
    const carom_body_state now = free_run_body(&run, "b");
    /* x of the body is y of the world; the centre is 0.1 m along it, and the spin (0, 1, 2) */
    const double at[3] = {1, 2.1, 13}, v[3] = {0.1 - 0.2, 0.2, 0.3}, w[3] = {0, 1, 2};
    double worst = 0;
    for (int k = 0; k < 3; k++) {
        worst = fmax(worst, fabs(now.position[k] - at[k]));
        worst = fmax(worst, fabs(now.velocity[k] - v[k]));
        worst = fmax(worst, fabs(now.angular_velocity[k] - w[k]));
    }
    print_message("free body: %.1e\n", worst);
    assert_true(worst < 1e-14);
    free_run_close(&run);
}

/* ---- loops and drives ---- */

/* A parallelogram of two cranks and a rod, closed by <connect>; the cranks stay parallel. A joint that follows another
   by q2 = 0.3 - 2 q1. */
static void test_equality(void **state)
{
    (void)state;
    free_run run;
    open_robot(&run,
               "<mujoco><default><geom type='capsule' size='.02'/><joint axis='0 1 0'/></default><worldbody>"
               "<body name='a'><joint name='a'/><geom fromto='0 0 0 0 0 .5'/>"
               "<body name='rod' pos='0 0 .5'><joint name='r'/><geom fromto='0 0 0 1 0 0'/></body></body>"
               "<body name='b' pos='1 0 0'><joint name='b'/><geom fromto='0 0 0 0 0 .5'/></body>"
               "<body name='f' pos='0 2 0'><joint name='f' type='slide'/><geom fromto='0 0 0 0 0 .5'/></body>"
               "</worldbody><equality><connect name='close' body1='rod' body2='b' anchor='1 0 0'/>"
               "<joint name='follow' joint1='f' joint2='a' polycoef='0 -2 0 0 0'/></equality></mujoco>",
               "", "joints: {a: {rate: 1.5}}");
    /* before it is flat, at pi/2, where the bars may go another way and what rounding leaves of the loop grows */
    free_run_to(&run, 0.7);
    const double a = free_run_get(&run, "joint.a.coordinate"), b = free_run_get(&run, "joint.b.coordinate");
    const double r = free_run_get(&run, "joint.r.coordinate"), f = free_run_get(&run, "joint.f.coordinate");
    print_message("parallelogram at %.4f rad: cranks %.1e, rod %.1e, follower %.1e\n", a, fabs(a - b), fabs(a + r),
                  fabs(f + 2 * a));
    assert_true(fabs(a) > 0.5);
    assert_true(fabs(a - b) < 1e-9 && fabs(a + r) < 1e-9 && fabs(f + 2 * a) < 1e-9);
    free_run_close(&run);
}

/* Drives in closed form: a hinge of inertia J without gravity. A motor of torque gear*ctrl turns it by
   gear*ctrl t^2/(2 J); a position drive of gain kp and damping of the joint is an oscillator. */
static void test_drives(void **state)
{
    (void)state;
    static const char robot[] =
        "<mujoco><worldbody><body name='w'><joint name='q' axis='0 0 1'/>"
        "<inertial pos='0 0 0' mass='1' diaginertia='1 1 2'/></body>"
        "<body name='p' pos='0 0 1'><joint name='p' axis='0 0 1' damping='.4'/><inertial pos='0 0 0' mass='1' "
        "diaginertia='1 1 2'/></body>"
        "<body name='s' pos='0 0 2'><joint name='s' type='slide' axis='.6 .8 0'/><inertial pos='0 0 0' mass='4' "
        "diaginertia='1 1 2'/></body>"
        "</worldbody><actuator><motor name='push' joint='q' gear='3'/><position name='hold' joint='p' kp='8'/>"
        "<motor name='slide' joint='s' gear='2'/></actuator>"
        "<keyframe><key name='k' qpos='0 0 0' qvel='0 0 0' ctrl='0.5 1 1.5'/></keyframe></mujoco>";
    free_run run;
    open_robot(&run, robot, ", keyframe: k", "");
    free_run_to(&run, 0.9);
    const double t = 0.9, damping = 0.4 / (2 * 2), own = 2, w = sqrt(own * own - damping * damping);
    const double q = 3 * 0.5 * t * t / (2 * 2), s = 2 * 1.5 * t * t / (2 * 4);
    const double p = 1 - exp(-damping * t) * (cos(w * t) + damping / w * sin(w * t));
    const double worst = fmax(
        fabs(free_run_get(&run, "joint.q.coordinate") - q),
        fmax(fabs(free_run_get(&run, "joint.p.coordinate") - p), fabs(free_run_get(&run, "joint.s.coordinate") - s)));
    print_message("drives: %.1e\n", worst);
    assert_true(worst < 1e-8);
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_masses),   cmocka_unit_test(test_reference), cmocka_unit_test(test_euler),
        cmocka_unit_test(test_together), cmocka_unit_test(test_free_body), cmocka_unit_test(test_equality),
        cmocka_unit_test(test_drives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
