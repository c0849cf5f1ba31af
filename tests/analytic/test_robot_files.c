/* Files of robots: meshes by package and by path, scaled, in both formats; a mobile base whose root has no inertia; a
   gripper whose fingers mimic each other; names that the model cannot have. Included from another folder and imported
   into a third, all is the same. */
#include "carom_test.h"

#include <math.h>
#include <sys/stat.h>

#include "support/free_runs.h"

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* A box of 600 x 400 x 200 from the origin, as OBJ in millimetres. */
static const char box[] =
    "v 0 0 0\nv 600 0 0\nv 600 400 0\nv 0 400 0\nv 0 0 200\nv 600 0 200\nv 600 400 200\nv 0 400 200\n"
    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

static const char mobile[] =
    "<robot name='mobile'><link name='foot'/><joint name='base_joint' type='fixed'><origin xyz='0 0 0.1'/>"
    "<parent link='foot'/><child link='base'/></joint><link name='base'><inertial><origin xyz='0.3 0.2 0.1'/>"
    "<mass value='20'/><inertia ixx='0.4' iyy='0.6' izz='0.8'/></inertial><visual><geometry>"
    "<mesh filename='package://elsewhere/pretty.dae'/></geometry></visual><collision><geometry>"
    "<mesh filename='package://cart/meshes/box.obj' scale='0.001 0.001 0.001'/></geometry></collision></link>"
    "<link name='1st wheel'><inertial><mass value='1'/><inertia ixx='.01' iyy='.01' izz='.01'/></inertial><visual>"
    "<geometry><cylinder radius='.1' length='.05'/></geometry></visual></link><joint name='wheel.1' type='continuous'>"
    "<origin xyz='0.3 -0.1 0' rpy='1.5707963267948966 0 0'/><parent link='base'/><child link='1st wheel'/>"
    "<axis xyz='0 0 1'/></joint><link name='left'><inertial><mass value='.1'/><inertia ixx='1e-4' iyy='1e-4' "
    "izz='1e-4'/>"
    "</inertial><visual><geometry><mesh filename='../meshes/missing.stl'/></geometry></visual></link><link "
    "name='right'>"
    "<inertial><mass value='.1'/><inertia ixx='1e-4' iyy='1e-4' izz='1e-4'/></inertial></link>"
    "<joint name='l' type='prismatic'><parent link='base'/><child link='left'/><axis xyz='0 1 0'/></joint>"
    "<joint name='r' type='prismatic'><parent link='base'/><child link='right'/><axis xyz='0 -1 0'/>"
    "<mimic joint='l' multiplier='0.5' offset='0.02'/></joint></robot>";

static void make_folders(void)
{
    static const char *const folders[] = {"work", "work/cart", "work/cart/urdf", "work/cart/meshes", "models", "out"};
    for (size_t k = 0; k < sizeof folders / sizeof folders[0]; k++)
        mkdir(folders[k], 0777);
    write_file("work/cart/package.xml", "<package/>");
    write_file("work/cart/meshes/box.obj", box);
    write_file("work/cart/urdf/mobile.urdf", mobile);
    write_file(
        "models/cart.yaml",
        "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\ninclude: {file: ../work/cart/urdf/mobile.urdf, base: free, "
        "start: {l: 0.03}}\nshapes:\n  floor: {type: plane, on: ground, at: [0, 0, -0.2], normal: [0, 0, 1]}\n"
        "contacts:\n  c: {between: [base, floor], normal: {law: flores, stiffness: 1e5, restitution: 0.5}}\n"
        "run: {until: 1}\n");
}

static void test_mobile(void **state)
{
    (void)state;
    make_folders();
    carom_context *ctx = new_context();
    carom_document *document = NULL;
    assert_ok(ctx, carom_document_read(ctx, "models/cart.yaml", NULL, 0, &document));
    const carom_spec *spec = carom_document_spec(document);
    assert_int_equal(spec->body_count, 4);
    assert_int_equal(spec->joint_count, 4);
    assert_int_equal(spec->shape_count, 3);
    assert_string_equal(spec->bodies[0].name, "base");
    assert_string_equal(spec->bodies[1].name, "link_1st_wheel");
    assert_string_equal(spec->joints[0].name, "wheel_1");
    assert_string_equal(spec->joints[3].type, "coupler");
    /* the finger that mimics starts at 0.5 * 0.03 + 0.02 to the other side */
    assert_true(fabs(spec->bodies[2].at[1] - 0.03) < 1e-15 && fabs(spec->bodies[3].at[1] + 0.035) < 1e-15);
    /* the mesh is named as seen from the model file, and held by the text that results keep */
    const carom_shape_def *mesh = &spec->shapes[0];
    assert_string_equal(mesh->type, "mesh");
    assert_non_null(strstr(spec->text, "file: ../work/cart/meshes/box.obj"));
    assert_non_null(strstr(spec->text, "\nfiles:"));
    /* the floor is 0.2 m below, and the box stands 0.1 m above the world's origin */
    carom_model *model = NULL;
    assert_ok(ctx, carom_model_compile(ctx, spec, &model));
    const carom_pose base = {{0.3, 0.2, 0.2}, {1, 0, 0, 0, 1, 0, 0, 0, 1}},
                     ground = {{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    carom_gap gap;
    assert_ok(ctx, carom_model_contact_gap(ctx, model, 0, &base, &ground, &gap));
    print_message("gap %.17g m\n", gap.gap);
    assert_true(fabs(gap.gap - 0.3) < 1e-12);
    carom_model_free(model);
    carom_document_free(document);
    carom_context_free(ctx);
}

/* Imported into another folder the mesh is named from there, and the model is the same. */
static void test_imported(void **state)
{
    (void)state;
    make_folders();
    carom_context *ctx = new_context();
    carom_import_def def = carom_default_import_def();
    const carom_import_start start = {.joint = "l", .value = 0.03};
    char *text = NULL;
    carom_document *document = NULL, *other = NULL;
    def.base = CAROM_IMPORT_BASE_FREE;
    def.start = &start;
    def.start_count = 1;
    def.folder = "out";
    assert_ok(ctx, carom_import_text(ctx, "work/cart/urdf/mobile.urdf", &def, &text));
    assert_non_null(strstr(text, "file: ../work/cart/meshes/box.obj"));
    write_file("out/cart.yaml", text);
    assert_ok(ctx, carom_document_read(ctx, "out/cart.yaml", NULL, 0, &document));
    assert_ok(ctx, carom_document_read(ctx, "models/cart.yaml", NULL, 0, &other));
    const carom_spec *a = carom_document_spec(document), *b = carom_document_spec(other);
    assert_int_equal(a->body_count, b->body_count);
    for (size_t k = 0; k < a->body_count; k++) {
        assert_string_equal(a->bodies[k].name, b->bodies[k].name);
        assert_memory_equal(a->bodies[k].at, b->bodies[k].at, sizeof a->bodies[k].at);
        assert_memory_equal(a->bodies[k].orientation, b->bodies[k].orientation, sizeof a->bodies[k].orientation);
    }
    carom_document_free(document);
    carom_document_free(other);
    carom_text_free(ctx, text);
    carom_context_free(ctx);
}

/* A mesh of MJCF gives its body mass: the box of 0.048 m^3 at the density of 250 kg/m^3. */
static void test_mesh_mass(void **state)
{
    (void)state;
    make_folders();
    write_file(
        "work/cart/robot.xml",
        "<mujoco><compiler meshdir='meshes'/><asset><mesh name='b' file='box.obj' scale='.001 .001 .001'/></asset>"
        "<worldbody><body name='b' pos='1 0 0'><freejoint/><geom type='mesh' mesh='b' "
        "density='250'/></body></worldbody>"
        "</mujoco>");
    free_run run;
    free_run_parse(&run, "{carom: 1, dimension: 3, include: work/cart/robot.xml, run: {until: 1}}", 1e-8, NULL);
    const carom_body_state now = free_run_body(&run, "b");
    assert_true(fabs(now.position[0] - 1.3) < 1e-12 && fabs(now.position[1] - 0.2) < 1e-12);
    free_run_close(&run);
    carom_context *ctx = new_context();
    carom_document *document = NULL;
    static const char text[] = "{carom: 1, dimension: 3, include: work/cart/robot.xml, run: {until: 1}}";
    assert_ok(ctx, carom_document_parse(ctx, "x.yaml", text, strlen(text), NULL, 0, &document));
    const carom_body_def *body = carom_document_spec(document)->bodies;
    const double m = 12, is[3] = {m * (0.16 + 0.04) / 12, m * (0.36 + 0.04) / 12, m * (0.36 + 0.16) / 12};
    double worst = fabs(body->mass - m);
    for (int k = 0; k < 3; k++)
        worst = fmax(worst, fabs(body->inertia.number[k] - is[k]));
    print_message("mass and inertia of a mesh: %.1e\n", worst);
    assert_true(worst < 1e-12);
    carom_document_free(document);
    carom_context_free(ctx);
}

/* Millimetres taken for metres are told. */
static void count_units(void *user, carom_log_level level, const char *text)
{
    *(int *)user += level == CAROM_LOG_WARNING && (strstr(text, "600 m large") || strstr(text, "mean density"));
}

static void test_units(void **state)
{
    (void)state;
    make_folders();
    char text[2000], *model = NULL;
    int told = 0;
    snprintf(text, sizeof text, "%s", mobile);
    memcpy(strstr(text, "0.001 0.001 0.001"), "1     1     1    ", 17);
    write_file("work/cart/urdf/large.urdf", text);
    carom_context_def def = carom_default_context_def();
    def.log = count_units;
    def.log_user = &told;
    carom_context *ctx = NULL;
    assert_int_equal(carom_context_create(&def, &ctx), CAROM_OK);
    assert_ok(ctx, carom_import_text(ctx, "work/cart/urdf/large.urdf", NULL, &model));
    assert_int_equal(told, 1);
    carom_text_free(ctx, model);
    write_file("heavy.urdf",
               "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='5000'/><inertia ixx='1' "
               "iyy='1' izz='1'/></inertial><collision><geometry><sphere radius='.1'/></geometry></collision>"
               "</link><joint name='j' type='revolute'><parent link='a'/><child link='b'/></joint></robot>");
    assert_ok(ctx, carom_import_text(ctx, "heavy.urdf", NULL, &model));
    assert_int_equal(told, 2);
    carom_text_free(ctx, model);
    carom_context_free(ctx);
}

/* Dropped on its edge: in the end the wheel is held by the ground and by the friction of its bearing, one more than it
   has freedoms, and all comes to rest. */
static void test_held_twice(void **state)
{
    (void)state;
    make_folders();
    write_file(
        "models/dropped.yaml",
        "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\ninclude: {file: ../work/cart/urdf/mobile.urdf, base: free, "
        "at: [0, 0, 0.5], orientation: {axis: [1, 0.2, 0], angle: 0.3}, start: {l: 0.02}}\n"
        "joints:\n  wheel_1: {friction: {law: coulomb, kinetic: 1, constant: 0.2}, damper: {damping: 0.1}}\n"
        "shapes:\n  floor: {type: plane, on: ground, normal: [0, 0, 1]}\n"
        "contacts:\n  c: {all: [base, link_1st_wheel_visual, floor], normal: {law: flores, stiffness: 1e6, "
        "restitution: 0.3}, friction: {law: coulomb, kinetic: 0.4}}\nrun: {until: 1.2}\n");
    carom_context *ctx = new_context();
    carom_model *model = NULL;
    carom_simulation *sim = NULL;
    assert_ok(ctx, carom_model_load(ctx, "models/dropped.yaml", NULL, 0, &model));
    assert_ok(ctx, carom_simulation_create(ctx, model, NULL, &sim));
    assert_ok(ctx, carom_simulation_run(sim));
    const carom_ledger ledger = carom_simulation_ledger(sim);
    print_message("dropped: kinetic %.1e J, residual %.1e J\n", ledger.kinetic, ledger.residual);
    assert_true(ledger.kinetic < 0.1 && fabs(ledger.residual) < 1e-5);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mobile), cmocka_unit_test(test_imported),   cmocka_unit_test(test_mesh_mass),
        cmocka_unit_test(test_units),  cmocka_unit_test(test_held_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
