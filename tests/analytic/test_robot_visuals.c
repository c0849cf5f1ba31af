/* What robots show: meshes as shapes `drawing`, with their colours, in the place of what touches; large ones with
   fewer triangles; contacts leave them out. */
#include "carom_test.h"

#include <math.h>

#define TURNS 100

/* A torus of radii 1 and 0.3 with 2*TURNS^2 triangles as OBJ: it is not convex, and large. */
static void write_torus(const char *name)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    for (int a = 0; a < TURNS; a++)
        for (int b = 0; b < TURNS; b++) {
            const double u = 2 * 3.14159265358979323846 * a / TURNS, v = 2 * 3.14159265358979323846 * b / TURNS;
            fprintf(file, "v %.9g %.9g %.9g\n", (1 + 0.3 * cos(v)) * cos(u), (1 + 0.3 * cos(v)) * sin(u), 0.3 * sin(v));
        }
    for (int a = 0; a < TURNS; a++)
        for (int b = 0; b < TURNS; b++) {
            const int i = a * TURNS + b + 1, j = (a + 1) % TURNS * TURNS + b + 1;
            const int k = (a + 1) % TURNS * TURNS + (b + 1) % TURNS + 1, l = a * TURNS + (b + 1) % TURNS + 1;
            fprintf(file, "f %d %d %d\nf %d %d %d\n", i, j, k, i, k, l);
        }
    fclose(file);
}

static void write_robots(void)
{
    FILE *urdf = fopen("robot.urdf", "w"), *mjcf = fopen("robot.xml", "w");
    assert_non_null(urdf);
    assert_non_null(mjcf);
    fputs("<robot name='r'><material name='red'><color rgba='1 0 0 1'/></material><link name='base'><inertial>"
          "<mass value='2'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
          "<visual><geometry><mesh filename='torus.obj' scale='.5 .5 .5'/></geometry><material name='red'/></visual>"
          "<visual><origin xyz='0 0 1'/><geometry><mesh filename='nowhere.stl'/></geometry></visual>"
          "<visual><origin xyz='0 0 1'/><geometry><sphere radius='.1'/></geometry><material name='own'>"
          "<color rgba='0 .5 1 1'/></material></visual>"
          "<collision><geometry><box size='1 1 .3'/></geometry></collision></link></robot>",
          urdf);
    fputs("<mujoco><asset><mesh name='t' file='torus.obj'/><material name='grey' rgba='.2 .2 .2 1'/></asset>"
          "<default><default class='v'><geom contype='0' conaffinity='0' group='2' mass='0'/></default></default>"
          "<worldbody><body name='b'><freejoint/><geom class='v' type='mesh' mesh='t' material='grey'/>"
          "<geom name='touches' size='.1' group='3'/><geom name='both' size='.2'/></body></worldbody></mujoco>",
          mjcf);
    fclose(urdf);
    fclose(mjcf);
}

static carom_model *read_with(carom_context *ctx, const char *robot, const char *contacts)
{
    char text[600];
    carom_model *model = NULL;
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 3\ninclude: %s\nshapes:\n  floor: {type: plane, on: ground, at: [0, 0, -9], normal: "
             "[0, 0, 1]}\n%srun: {until: 1}\n",
             robot, contacts);
    carom_model_parse(ctx, "m.yaml", text, strlen(text), NULL, 0, &model);
    return model;
}

static carom_shape_info shape(const carom_model *model, const char *name, size_t *index)
{
    carom_shape_info info;
    for (*index = 0; carom_model_get_shape(model, *index, &info); ++*index)
        if (strcmp(info.name, name) == 0)
            return info;
    fail_msg("there is no shape '%s'", name);
    return info;
}

static void test_urdf(void **state)
{
    (void)state;
    size_t k;
    carom_mesh mesh;
    carom_context *ctx = new_context();
    write_torus("torus.obj");
    write_robots();
    carom_model *model = read_with(ctx, "robot.urdf", "");
    assert_non_null(model);
    const carom_shape_info box = shape(model, "base", &k), ball = shape(model, "base_visual_3", &k);
    const carom_shape_info torus = shape(model, "base_visual_1", &k);
    assert_true(box.hidden && !box.visual && ball.visual && !ball.hidden && torus.visual && !torus.hidden);
    assert_int_equal(torus.colour, 0xff0000);
    assert_int_equal(ball.colour, 0x0080ff);
    assert_string_equal(torus.type, "drawing");
    assert_ok(ctx, carom_model_shape_mesh(ctx, model, k, 1, &mesh));
    double worst = 0;
    for (size_t n = 0; n < mesh.point_count; n++) {
        const double *at = mesh.points + 3 * n;
        worst = fmax(worst, fabs(hypot(hypot(at[0], at[1]) - 0.5, at[2]) - 0.15));
    }
    print_message("%zu of %d triangles, %.3f m off the torus\n", mesh.triangle_count, 2 * TURNS * TURNS, worst);
    /* 1500 triangles of the 3 m^2 of the torus are 0.06 m large: the sagitta of that on a tube of 0.15 m is 0.003 m */
    assert_true(mesh.triangle_count > 700 && mesh.triangle_count <= 1500 && worst < 0.01);
    carom_mesh_free(ctx, &mesh);
    carom_model_free(model);
    carom_context_free(ctx);
}

static void test_mjcf(void **state)
{
    (void)state;
    size_t k;
    carom_context *ctx = new_context();
    carom_model *model = read_with(ctx, "robot.xml", "");
    assert_non_null(model);
    assert_string_equal(shape(model, "b_1", &k).type, "drawing");
    assert_int_equal(shape(model, "b_1", &k).colour, 0x333333);
    assert_true(shape(model, "touches", &k).hidden);
    assert_false(shape(model, "both", &k).hidden);
    carom_model_free(model);
    carom_context_free(ctx);
}

/* Patterns leave out what is drawn alone; its name is refused. */
static void test_contacts(void **state)
{
    (void)state;
    static const char law[] = "normal: {law: flores, stiffness: 1e6, restitution: 0.5}}\n";
    carom_context *ctx = new_context();
    carom_contact_info contact;
    char text[300];
    snprintf(text, sizeof text, "contacts:\n  c: {all: ['*'], %s", law);
    carom_model *model = read_with(ctx, "robot.urdf", text);
    assert_non_null(model);
    const carom_model *located = carom_model_for_steps(model, false);
    size_t count = 0;
    for (; carom_model_get_contact(located, count, &contact); count++)
        for (int k = 0; k < 2; k++) {
            carom_shape_info info;
            assert_true(carom_model_get_shape(located, (size_t)contact.shape[k], &info));
            assert_false(info.visual);
        }
    assert_true(count > 0);
    carom_model_free(model);
    snprintf(text, sizeof text, "contacts:\n  c: {all: [base_visual_3, floor], %s", law);
    assert_null(read_with(ctx, "robot.urdf", text));
    assert_non_null(strstr(carom_context_error(ctx), "drawn alone"));
    snprintf(text, sizeof text, "contacts:\n  c: {between: [base_visual_1, floor], %s", law);
    assert_null(read_with(ctx, "robot.urdf", text));
    assert_non_null(strstr(carom_context_error(ctx), "drawn alone"));
    assert_null(read_with(ctx, "robot.urdf", "  base: {colour: red}\n"));
    assert_non_null(strstr(carom_context_error(ctx), "#rrggbb"));
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_urdf), cmocka_unit_test(test_mjcf),
                                       cmocka_unit_test(test_contacts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
