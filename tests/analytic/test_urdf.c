/* Robots from URDF files: masses, joint axes and poses of all links against products of homogeneous matrices that the
   test makes of the file by itself; a robot that is included and one that is imported move alike, bit for bit. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

static uint64_t seed = 11;

static double uniform(void)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(seed >> 11) / (double)(1ULL << 52) - 1;
}

/* ---- 4 x 4 matrices ---- */

typedef double matrix[4][4];

static void unit(matrix a)
{
    memset(a, 0, sizeof(matrix));
    for (int k = 0; k < 4; k++)
        a[k][k] = 1;
}

static void times(matrix a, matrix b)
{
    matrix c = {{0}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++)
                c[i][j] += a[i][k] * b[k][j];
    memcpy(a, c, sizeof c);
}

/* a = a * turn about a coordinate axis. */
static void turn(matrix a, int axis, double angle)
{
    matrix b;
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    unit(b);
    b[i][i] = b[j][j] = cos(angle);
    b[j][i] = sin(angle);
    b[i][j] = -sin(angle);
    times(a, b);
}

static void move(matrix a, const double *p)
{
    matrix b;
    unit(b);
    for (int k = 0; k < 3; k++)
        b[k][3] = p[k];
    times(a, b);
}

/* ---- the files, line by line ---- */

typedef struct link {
    char name[64];
    double com[3], mass;
    int joint;
    matrix pose;
} link;

typedef struct joint {
    char name[64], parent[64], child[64];
    double xyz[3], rpy[3], lower, upper, q;
} joint;

typedef struct robot {
    link links[40];
    joint joints[40];
    int link_count, joint_count;
} robot;

static const char *attribute(const char *line, const char *name)
{
    char key[32];
    snprintf(key, sizeof key, " %s=\"", name);
    const char *at = strstr(line, key);
    return at ? at + strlen(key) : NULL;
}

static void text_of(const char *line, const char *name, char *out)
{
    const char *at = attribute(line, name);
    assert_non_null(at);
    snprintf(out, 64, "%.*s", (int)strcspn(at, "\""), at);
}

static void numbers_of(const char *line, const char *name, int count, double *out)
{
    const char *at = attribute(line, name);
    assert_non_null(at);
    for (int k = 0; k < count; k++) {
        char *end;
        out[k] = strtod(at, &end);
        assert_ptr_not_equal(at, end);
        at = end;
    }
}

static void scan(const char *path, robot *out)
{
    char line[512];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    memset(out, 0, sizeof *out);
    link *l = NULL;
    joint *j = NULL;
    while (fgets(line, sizeof line, file)) {
        if (strstr(line, "<link ")) {
            l = &out->links[out->link_count++];
            text_of(line, "name", l->name);
            l->joint = -1;
            j = NULL;
        } else if (strstr(line, "<joint ")) {
            j = &out->joints[out->joint_count++];
            text_of(line, "name", j->name);
        } else if (strstr(line, "<origin ")) {
            numbers_of(line, "xyz", 3, j ? j->xyz : l->com);
            if (j)
                numbers_of(line, "rpy", 3, j->rpy);
        } else if (strstr(line, "<mass ")) {
            numbers_of(line, "value", 1, &l->mass);
        } else if (strstr(line, "<parent ")) {
            text_of(line, "link", j->parent);
        } else if (strstr(line, "<child ")) {
            text_of(line, "link", j->child);
        } else if (strstr(line, "<limit ")) {
            numbers_of(line, "lower", 1, &j->lower);
            numbers_of(line, "upper", 1, &j->upper);
        }
    }
    fclose(file);
}

static link *find_link(robot *r, const char *name)
{
    for (int k = 0; k < r->link_count; k++)
        if (strcmp(r->links[k].name, name) == 0)
            return &r->links[k];
    fail_msg("no link %s", name);
    return NULL;
}

/* Poses of all links from that of the root; joints stand behind those of their parents, and turn about z. */
static void place(robot *r, matrix base)
{
    memcpy(r->links[0].pose, base, sizeof(matrix));
    for (int pass = 0; pass < 4; pass++)
        for (int k = 0; k < r->joint_count; k++) {
            joint *j = &r->joints[k];
            link *child = find_link(r, j->child);
            memcpy(child->pose, find_link(r, j->parent)->pose, sizeof(matrix));
            move(child->pose, j->xyz);
            turn(child->pose, 2, j->rpy[2]);
            turn(child->pose, 1, j->rpy[1]);
            turn(child->pose, 0, j->rpy[0]);
            turn(child->pose, 2, j->q);
            child->joint = k;
        }
}

/* ---- the tests ---- */

static void path_of(const char *name, char *out, size_t size)
{
    snprintf(out, size, "%s/robots/%s.urdf", CAROM_MODELS, name);
}

/* The largest differences of centres, axes and coordinates. */
static void compare(free_run *run, robot *r, double *worst)
{
    for (int k = 0; k < r->link_count; k++) {
        link *l = &r->links[k];
        if (!(l->mass > 0))
            continue;
        const carom_body_state now = free_run_body(run, l->name);
        double axes[9];
        free_rotation(now.orientation, axes);
        matrix at;
        memcpy(at, l->pose, sizeof at);
        move(at, l->com);
        for (int i = 0; i < 3; i++) {
            worst[0] = fmax(worst[0], fabs(at[i][3] - now.position[i]));
            for (int m = 0; m < 3; m++)
                worst[1] = fmax(worst[1], fabs(at[i][m] - axes[3 * i + m]));
        }
    }
    for (int k = 0; k < r->joint_count; k++) {
        char channel[128];
        snprintf(channel, sizeof channel, "joint.%s.coordinate", r->joints[k].name);
        worst[2] = fmax(worst[2], fabs(free_run_get(run, channel) - r->joints[k].q));
    }
}

/* Poses of a robot anywhere: imported with its start, and included with its place. */
static void check_poses(const char *name, int bodies)
{
    char path[512], *text = malloc(100000);
    double worst[3] = {0};
    robot r;
    assert_non_null(text);
    path_of(name, path, sizeof path);
    scan(path, &r);
    for (int n = 0; n < 5; n++) {
        double at[3] = {uniform(), uniform(), uniform()}, yaw = 3 * uniform(), pitch = uniform();
        int length =
            snprintf(text, 100000,
                     "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nparameters: {x: %.17g, yaw: %.17g}\ninclude:\n"
                     "  file: %s\n  at: [x, %.17g, %.17g]\n"
                     "  orientation: ",
                     at[0], yaw, path, at[1], at[2]);
        length += snprintf(
            text + length, 1000,
            n % 2 ? "{axis: [0, 0, 1], angle: yaw}\n  start: {" : "{axis: [0, 1, 0], angle: %.17g}\n  start: {", pitch);
        for (int k = 0; k < r.joint_count; k++) {
            joint *j = &r.joints[k];
            /* without a start at 0, or at the limit that excludes it */
            j->q = n ? j->lower + 0.5 * (1 + uniform()) * (j->upper - j->lower) : fmin(fmax(0, j->lower), j->upper);
            if (!n)
                continue;
            length += snprintf(text + length, 200, "%s%s: %.17g", k ? ", " : "", j->name, j->q);
        }
        snprintf(text + length, 200, "}\nrun: {until: 1}\n");
        matrix base;
        unit(base);
        move(base, at);
        turn(base, n % 2 ? 2 : 1, n % 2 ? yaw : pitch);
        place(&r, base);
        free_run run;
        free_run_parse(&run, text, 1e-8, NULL);
        assert_int_equal(carom_model_get_info(run.model).bodies, bodies);
        compare(&run, &r, worst);
        free_run_close(&run);
    }
    print_message("%s: centres %.1e m, axes %.1e, coordinates %.1e rad\n", name, worst[0], worst[1], worst[2]);
    assert_true(worst[0] < 1e-14 * 4 && worst[1] < 1e-13 && worst[2] < 1e-12);
    free(text);
}

static void test_poses(void **state)
{
    (void)state;
    check_poses("iiwa", 7);
    check_poses("hyq", 13);
}

/* The channels of both runs, bit for bit. */
static void check_same(const char *name)
{
    char path[512], text[1024];
    path_of(name, path, sizeof path);
    carom_context *ctx = new_context();
    char *imported = NULL;
    assert_ok(ctx, carom_import_text(ctx, path, NULL, &imported));
    snprintf(text, sizeof text, "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\ninclude: %s\nrun: {until: 1}\n", path);
    free_run a, b;
    free_run_parse(&a, imported, 1e-8, NULL);
    free_run_parse(&b, text, 1e-8, NULL);
    free_run_to(&a, 0.4);
    free_run_to(&b, 0.4);
    const size_t count = carom_model_get_info(a.model).bodies;
    assert_int_equal(count, carom_model_get_info(b.model).bodies);
    for (size_t k = 0; k < count; k++) {
        const char *body = carom_model_body_name(a.model, k);
        const carom_body_state one = free_run_body(&a, body), other = free_run_body(&b, body);
        assert_memory_equal(&one, &other, sizeof one);
    }
    free_run_close(&a);
    free_run_close(&b);
    carom_text_free(ctx, imported);
    carom_context_free(ctx);
}

static void test_round_trip(void **state)
{
    (void)state;
    check_same("iiwa");
    check_same("hyq");
}

/* Dropped: a robot whose base is free falls as a point, whatever its joints do. */
static void test_drop(void **state)
{
    (void)state;
    char path[512], text[1024];
    path_of("hyq", path, sizeof path);
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\ninclude: %s\n"
             "joints: {lf_hfe_joint: {rate: 2}, rh_kfe_joint: {rate: -1}}\nrun: {until: 1}\n",
             path);
    free_run run;
    robot r;
    double before[4] = {0}, after[4] = {0}, velocity[3] = {0};
    scan(path, &r);
    free_run_parse(&run, text, 1e-10, NULL);
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < r.link_count; k++) {
            const carom_body_state now = free_run_body(&run, r.links[k].name);
            double *out = pass ? after : before;
            out[3] += r.links[k].mass;
            for (int i = 0; i < 3; i++) {
                out[i] += r.links[k].mass * now.position[i];
                velocity[i] += pass ? 0 : r.links[k].mass * now.velocity[i];
            }
        }
        if (!pass)
            free_run_to(&run, 0.5);
    }
    double worst = 0;
    for (int i = 0; i < 3; i++)
        worst = fmax(worst,
                     fabs(after[i] - before[i] - 0.5 * velocity[i] + (i == 2) * before[3] * 9.81 * 0.125) / before[3]);
    print_message("hyq: %.6f kg, its centre of mass falls to %.1e m\n", before[3], worst);
    assert_true(fabs(before[3] - 86.774) < 1e-9);
    assert_true(worst < 1e-9);
    assert_true(fabs(free_run_get(&run, "joint.lf_hfe_joint.coordinate")) > 0.1);
    free_run_close(&run);
}

/* ---- small robots as texts ---- */

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* The inertia of a rod along x of its own axes, that stand turned about z: I = R diag(a, b, b) R^T in closed form. */
static void test_inertia(void **state)
{
    (void)state;
    const double a = 0.01, b = 0.4, angles[] = {0.3, 1.2, -2.5};
    double worst = 0;
    for (size_t k = 0; k < sizeof angles / sizeof angles[0]; k++)
        for (int axis = 0; axis < 3; axis++) {
            char text[1000], *model, rpy[3][64];
            for (int i = 0; i < 3; i++)
                snprintf(rpy[i], sizeof rpy[i], "%.17g", i == axis ? angles[k] : 0);
            /* the odd moment stands along the axis behind the turn's */
            const double own[3] = {axis == 2 ? a : b, axis == 0 ? a : b, axis == 1 ? a : b};
            snprintf(
                text, sizeof text,
                "<robot name='r'><link name='base'><inertial><origin xyz='0.1 0 0' rpy='%s %s %s'/><mass value='2'/>"
                "<inertia ixx='%.17g' iyy='%.17g' izz='%.17g' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>",
                rpy[0], rpy[1], rpy[2], own[0], own[1], own[2]);
            write_file("rod.urdf", text);
            carom_context *ctx = new_context();
            carom_document *document;
            assert_ok(ctx, carom_import_text(ctx, "rod.urdf", NULL, &model));
            assert_ok(ctx, carom_document_parse(ctx, "m.yaml", model, strlen(model), NULL, 0, &document));
            const carom_body_def *body = carom_document_spec(document)->bodies;
            const int i = (axis + 1) % 3, j = (axis + 2) % 3;
            const double c = cos(angles[k]), s = sin(angles[k]);
            double expected[3][3] = {{0}};
            expected[axis][axis] = b;
            expected[i][i] = a * c * c + b * s * s;
            expected[j][j] = a * s * s + b * c * c;
            expected[i][j] = expected[j][i] = (a - b) * s * c;
            const double is[6] = {expected[0][0], expected[1][1], expected[2][2],
                                  expected[0][1], expected[0][2], expected[1][2]};
            assert_int_equal(body->inertia.size, 6);
            for (int n = 0; n < 6; n++)
                worst = fmax(worst, fabs(body->inertia.number[n] - is[n]));
            carom_document_free(document);
            carom_text_free(ctx, model);
            carom_context_free(ctx);
        }
    print_message("inertia turned: %.1e kg m^2\n", worst);
    assert_true(worst < 1e-16 * 4);
}

/* A planar joint led to x, y and an angle: in the axes of its <origin>, about its axis. On a root that is the ground as
   on one that is a body, and for any place of the robot. */
static void test_planar(void **state)
{
    (void)state;
    static const struct {
        const char *axis;
        double place[3];    /* along the axes of the joint's frame */
        int turns;          /* about this one */
    } cases[] = {{"0 0 1", {0.3, -0.2, 0}, 2}, {"1 0 0", {0, 0.3, -0.2}, 0}};
    static const char *const roots[] = {
        "", "<inertial><mass value='3'/><inertia ixx='.1' iyy='.1' izz='.1'/></inertial>"};
    double worst = 0;
    for (size_t k = 0; k < 2 * sizeof cases / sizeof cases[0]; k++) {
        char text[1200];
        snprintf(text, sizeof text,
                 "<robot name='r'><link name='w'>%s</link><link name='cart'><inertial><mass value='1'/>"
                 "<inertia ixx='.1' iyy='.1' izz='.1'/></inertial></link><joint name='pl' type='planar'>"
                 "<origin xyz='.1 .2 .3' rpy='.4 -.5 .6'/><parent link='w'/><child link='cart'/>"
                 "<axis xyz='%s'/></joint></robot>",
                 roots[k % 2], cases[k / 2].axis);
        write_file("planar.urdf", text);
        snprintf(text, sizeof text,
                 "{carom: 1, dimension: 3, include: {file: planar.urdf, at: [1, 2, 3], orientation: {axis: [0, 1, 0], "
                 "angle: 0.7}}, joints: {pl: {coordinates: {x: {motion: 0.3}, y: {motion: -0.2}, angle: {motion: 0.9}}}"
                 "%s}, run: {until: 1}}",
                 k % 2 ? ", held: {type: fixed, between: [{ground: [1, 2, 3], orientation: {axis: [0, 1, 0], angle: "
                         "0.7}}, w]}"
                       : "");
        free_run run;
        matrix pose;
        free_run_parse(&run, text, 1e-8, NULL);
        const carom_body_state cart = free_run_body(&run, "cart");
        unit(pose);
        move(pose, (const double[]){1, 2, 3});
        turn(pose, 1, 0.7);
        move(pose, (const double[]){0.1, 0.2, 0.3});
        turn(pose, 2, 0.6);
        turn(pose, 1, -0.5);
        turn(pose, 0, 0.4);
        move(pose, cases[k / 2].place);
        turn(pose, cases[k / 2].turns, 0.9);
        double axes[9];
        free_rotation(cart.orientation, axes);
        for (int i = 0; i < 3; i++) {
            worst = fmax(worst, fabs(cart.position[i] - pose[i][3]));
            for (int j = 0; j < 3; j++)
                worst = fmax(worst, fabs(axes[3 * i + j] - pose[i][j]));
        }
        print_message("planar, case %zu: %.1e\n", k, worst);
        free_run_close(&run);
    }
    assert_true(worst < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poses),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_drop),
        cmocka_unit_test(test_inertia),
        cmocka_unit_test(test_planar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
