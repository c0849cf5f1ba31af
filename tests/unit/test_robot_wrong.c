/* Wrong descriptions of robots: place and remedy of every message, whether they are imported or included; hostile
   sizes; what includes themselves may get wrong; what is told of what is ignored. */
#include "carom_test.h"

#include <math.h>

#ifndef CAROM_TEST_DATA
#define CAROM_TEST_DATA "tests/data"
#endif
#define ROBOTS CAROM_TEST_DATA "/../wrong/robots/"

/* Files of tests/wrong/robots: line of the message, and a part of its text. */
static const struct {
    const char *name;
    int line;
    const char *has;
} wrong[] = {
    {"negative_mass.urdf", 4, "greater than 0"},
    {"nan_mass.urdf", 4, "no number"},
    {"infinite_inertia.urdf", 5, "no number"},
    {"impossible_inertia.urdf", 5, "0.1, 0.2, 0.5"},
    {"indefinite_inertia.urdf", 5, "-1, 1, 3"},
    {"inertial_without_inertia.urdf", 4, "needs <inertia"},
    {"mass_without_value.urdf", 4, "is 'valeu' misspelt?"},
    {"missing_collision_mesh.urdf", 4, "nowhere.stl"},
    {"broken_collision_mesh.urdf", 4, "broken.stl"},
    {"path_out_of_the_folder.urdf", 4, "leads out of the folder"},
    {"absolute_path.urdf", 4, "leads out of the folder"},
    {"package_path_out.urdf", 4, "packages"},
    {"unknown_package.urdf", 4, "--package DIR"},
    {"mesh_of_the_web.urdf", 4, "not on this machine"},
    {"two_roots.urdf", 4, "one root"},
    {"cycle.urdf", 4, "own ancestor"},
    {"own_parent.urdf", 4, "own parent"},
    {"two_parents.urdf", 6, "one parent"},
    {"mimic_of_itself.urdf", 5, "itself"},
    {"mimic_in_a_circle.urdf", 5, "mimics it"},
    {"mimic_misspelt.urdf", 6, "did you mean 'elbow'"},
    {"mimic_of_a_fixed_joint.urdf", 6, "no coordinate"},
    {"duplicate_link.urdf", 4, "in line 3"},
    {"duplicate_joint.urdf", 5, "in line 4"},
    {"zero_axis.urdf", 5, "length 0"},
    {"axis_of_two_numbers.urdf", 5, "3 numbers"},
    {"moved_without_mass.urdf", 4, "no mass"},
    {"misspelt_link.urdf", 5, "did you mean 'upper_arm'"},
    {"misspelt_joint_type.urdf", 4, "did you mean 'revolute'"},
    {"joint_without_child.urdf", 4, "<child link=...>"},
    {"limits_exchanged.urdf", 5, "exchange them"},
    {"negative_damping.urdf", 5, "at least 0"},
    {"no_links.urdf", 2, "no <link>"},
    {"negative_radius.urdf", 4, "greater than 0"},
    {"geometry_of_no_shape.urdf", 4, "capsule or mesh"},
    {"name_too_long.urdf", 3, "63"},
    {"called_ground.urdf", 3, "ground"},
    {"xacro.urdf", 3, "run `xacro"},
    {"xacro_value.urdf", 4, "xacro FILE"},
    {"not_xml.urdf", 1, "URDF"},
    {"empty.urdf", 1, "no element"},
    {"a_world.urdf", 2, "<robot>"},
    {"tag_not_closed.urdf", 3, "</tag>"},
    {"cut_off.urdf", 3, "no XML"},
    {"entity_bomb.urdf", 2, "DOCTYPE"},
    {"external_entity.urdf", 1, "DOCTYPE"},
    {"unknown_entity.urdf", 2, "no XML"},
    {"duplicate_attribute.urdf", 2, "remove one"},
    {"no_worldbody.xml", 1, "worldbody"},
    {"unknown_class.xml", 4, "did you mean 'leg'"},
    {"nested_default_without_name.xml", 3, "needs 'class'"},
    {"unknown_geom_type.xml", 3, "did you mean 'sphere'"},
    {"geom_without_size.xml", 3, "needs 3 numbers"},
    {"geom_of_no_length.xml", 3, "no direction"},
    {"geom_of_negative_size.xml", 3, "greater than 0"},
    {"geom_of_negative_density.xml", 3, "at least 0"},
    {"geom_of_no_mesh.xml", 3, "in <asset>"},
    {"missing_mesh.xml", 3, "x.stl"},
    {"mesh_path_out.xml", 3, "leads out"},
    {"free_within_a_body.xml", 3, "worldbody"},
    {"free_with_a_hinge.xml", 3, "remove one"},
    {"unknown_joint_type.xml", 3, "did you mean 'hinge'"},
    {"joint_axis_zero.xml", 3, "length 0"},
    {"range_reversed.xml", 3, "below the second"},
    {"negative_stiffness.xml", 3, "at least 0"},
    {"duplicate_mjcf_joint.xml", 3, "in line 2"},
    {"duplicate_body_name.xml", 3, "in line 2"},
    {"quaternion_of_zero.xml", 3, "length is zero"},
    {"nan_position.xml", 3, "no number"},
    {"world_coordinates.xml", 3, "coordinates of the world"},
    {"wrong_eulerseq.xml", 3, "xyz"},
    {"body_without_mass.xml", 3, "no mass"},
    {"connect_without_anchor.xml", 3, "anchor"},
    {"connect_of_an_unknown_body.xml", 3, "did you mean 'bar'"},
    {"weld_of_one_body.xml", 3, "itself"},
    {"coupled_with_itself.xml", 3, "itself"},
    {"actuator_misspelt.xml", 3, "did you mean 'knee'"},
    {"actuator_of_no_gear.xml", 3, "moves nothing"},
    {"mujoco_cut_off.xml", 3, "no XML"},
    {"include_of_itself.xml", 3, "includes itself"},
    {"include_out.xml", 3, "leads out"},
    {"include_missing.xml", 3, "there is no file"},
    {"include_without_file.xml", 3, "needs 'file'"},
    {"replicate_without_count.xml", 3, "needs 'count'"},
    {"replicate_half.xml", 3, "whole number"},
    {"replicate_bomb.xml", 2, "more elements than"},
    {"composite.xml", 3, "compile"},
    {"tendon_of_an_unknown_joint.xml", 3, "did you mean 'knee'"},
    {"tendon_of_an_unknown_site.xml", 3, "did you mean 'tip'"},
    {"tendon_length_reversed.xml", 3, "exchange them"},
    {"pulley_of_zero.xml", 3, "greater than 0"},
    {"actuator_of_an_unknown_tendon.xml", 3, "did you mean 'split'"},
    {"control_range_reversed.xml", 3, "below the second"},
};

/* ---- the files ---- */

static void expect(carom_context *ctx, const char *path, int line, const char *has, carom_status status)
{
    char place[600];
    const carom_error error = carom_context_last_error(ctx);
    snprintf(place, sizeof place, "%s:%d:", path, line);
    if (status != CAROM_ERROR_MODEL || !strstr(error.text, place) || !strstr(error.text, has) || error.column < 1)
        fail_msg("%s: '%s' has no '%s' or no '%s'", path, error.text, place, has);
}

static void test_files(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        char path[500], text[700], *model = NULL;
        carom_document *document = NULL;
        carom_context *ctx = new_context();
        snprintf(path, sizeof path, ROBOTS "%s", wrong[k].name);
        expect(ctx, path, wrong[k].line, wrong[k].has, carom_import_text(ctx, path, NULL, &model));
        assert_null(model);
        snprintf(text, sizeof text, "{carom: 1, dimension: 3, include: \"%s\", run: {until: 1}}", path);
        expect(ctx, path, wrong[k].line, wrong[k].has,
               carom_document_parse(ctx, "test.yaml", text, strlen(text), NULL, 0, &document));
        assert_null(document);
        carom_context_free(ctx);
    }
    print_message("%zu files\n", sizeof wrong / sizeof wrong[0]);
}

/* ---- sizes ---- */

static void refuse(const char *path, const char *has)
{
    carom_context *ctx = new_context();
    char *model = NULL;
    assert_refused(ctx, carom_import_text(ctx, path, NULL, &model), CAROM_ERROR_MODEL, has);
    carom_context_free(ctx);
}

/* A file of so many times a text between a head and a foot. */
static void repeat(const char *path, const char *head, const char *text, size_t count, const char *foot)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(head, file);
    for (size_t k = 0; k < count; k++)
        fputs(text, file);
    fputs(foot, file);
    fclose(file);
}

static void test_sizes(void **state)
{
    (void)state;
    repeat("large.urdf", "<robot name='r'>",
           "<!-- a comment of a hundred characters, which is there for its length, and says "
           "nothing else at all -->\n",
           500000, "</robot>");
    refuse("large.urdf", "16 MB");
    remove("large.urdf");
    repeat("deep.urdf", "<robot name='r'>", "<link>", 100000, "");
    refuse("deep.urdf", "nested too deeply");
    repeat("many.urdf", "<robot name='r'>", "<link/>", 100000, "</robot>");
    refuse("many.urdf", "more elements");
    repeat("deep.xml", "<mujoco><worldbody>", "<body><joint/><geom size='.1'/>", 1000, "");
    refuse("deep.xml", "nested too deeply");
    repeat("classes.xml", "<mujoco>", "<default class='a'>", 1000, "");
    refuse("classes.xml", "nested too deeply");
    repeat("long.urdf", "<robot name='r'><link name='", "a", 1000000, "'/></robot>");
    refuse("long.urdf", "longer than 63");
    repeat("numbers.urdf", "<robot name='r'><link name='a'><inertial><mass value='", "1 ", 1000000,
           "'/><inertia/></inertial></link></robot>");
    refuse("numbers.urdf", "more than 1");
}

/* ---- includes ---- */

static const char pair[] =
    "<robot name='r'><link name='base'/><link name='arm'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/>"
    "</inertial></link><joint name='shoulder' type='revolute'><parent link='base'/><child link='arm'/>"
    "<axis xyz='0 0 1'/><limit lower='-1' upper='1' effort='3' velocity='2'/></joint><transmission/></robot>";

static void test_includes(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *has;
    } cases[] = {
        {"dimension: 3, include: nowhere.urdf", "test.yaml:1:35: include: nowhere.urdf: cannot be opened"},
        {"dimension: 2, include: pair.urdf", "`dimension: 3`"},
        {"dimension: 3, include: {file: pair.urdf, start: {shulder: 1}}", "did you mean 'shoulder'"},
        {"dimension: 3, include: {file: pair.urdf, at: [0, 0]}", "3 numbers"},
        {"dimension: 3, include: {file: pair.urdf, base: fix}", "did you mean 'fixed'"},
        {"dimension: 3, include: {file: pair.urdf, base: free}", "no mass"},
        {"dimension: 3, include: {file: pair.urdf, prefix: 1_}", "beginning with a letter"},
        {"dimension: 3, include: {file: pair.urdf, strict: yes}", "pair.urdf:1:"},
        {"dimension: 3, include: {fiel: pair.urdf}", "did you mean 'file'"},
        {"dimension: 3, include: {prefix: a_}", "missing key 'file'"},
        {"dimension: 3, include: []", "a mapping or a list"},
        {"dimension: 3, include: [pair.urdf, pair.urdf]", "give one of both a `prefix`"},
        {"dimension: 3, include: pair.urdf, bodies: {arn: {mass: 2}}", "did you mean 'arm', which a robot has?"},
        {"dimension: 3, include: pair.urdf, bodies: {arm: {mass: -2}}", "test.yaml:1:67: body 'arm': 'mass'"},
        {"dimension: 3, include: pair.urdf, joints: {shoulder: {axes: 1}}", "did you mean 'axis'"},
    };
    repeat("pair.urdf", pair, "", 0, "");
    carom_context *ctx = new_context();
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[500];
        carom_document *document = NULL;
        snprintf(text, sizeof text, "{carom: 1, %s, run: {until: 1}}", cases[k].keys);
        const carom_status status = carom_document_parse(ctx, "test.yaml", text, strlen(text), NULL, 0, &document);
        if (status == CAROM_OK || !strstr(carom_context_error(ctx), cases[k].has))
            fail_msg("%s: '%s' does not say '%s'", cases[k].keys, carom_context_error(ctx), cases[k].has);
    }
    carom_context_free(ctx);
}

/* Overridden and extended by name; two of one robot by their prefixes. */
static void test_overrides(void **state)
{
    (void)state;
    static const char text[] =
        "{carom: 1, dimension: 3, parameters: {x: 2}, include: [{file: pair.urdf, prefix: l_, start: {shoulder: x/4}}, "
        "{file: "
        "pair.urdf, prefix: r_, at: [x, 0, 0]}], bodies: {l_arm: {mass: 7, frames: {tip: [1, 0, 0]}}}, joints: "
        "{r_shoulder: "
        "{limits: {upper: 0.5}, damper: {damping: 3}}, l_shoulder: {type: spherical}}, run: {until: 1}}";
    repeat("pair.urdf", pair, "", 0, "");
    carom_context *ctx = new_context();
    carom_document *document = NULL;
    assert_ok(ctx, carom_document_parse(ctx, "test.yaml", text, strlen(text), NULL, 0, &document));
    const carom_spec *spec = carom_document_spec(document);
    assert_int_equal(spec->body_count, 2);
    assert_int_equal(spec->joint_count, 2);
    const carom_body_def *l = &spec->bodies[0], *r = &spec->bodies[1];
    assert_string_equal(l->name, "l_arm");
    assert_true(l->mass == 7 && r->mass == 1 && l->frame_count == 1);
    assert_true(r->at[0] == 2 && l->orientation[3] > 0.247 && l->orientation[3] < 0.248);
    assert_string_equal(spec->joints[0].type, "spherical");
    assert_int_equal(spec->joints[0].params.count, 0);
    const carom_joint_def *j = &spec->joints[1];
    assert_int_equal(j->limits.params.count, 2);
    assert_true(j->limits.params.items[0].value.number[0] == -1 && j->limits.params.items[1].value.number[0] == 0.5);
    assert_true(j->damper.given == 1);
    /* what results keep is read where no file is */
    remove("pair.urdf");
    carom_model *model = NULL;
    carom_document *again = NULL;
    char *kept = malloc(spec->text_length);
    assert_non_null(kept);
    memcpy(kept, spec->text, spec->text_length);
    assert_ok(ctx, carom_document_parse(ctx, "kept.yaml", kept, spec->text_length, NULL, 0, &again));
    assert_true(carom_document_spec(again)->bodies[0].mass == 7);
    assert_memory_equal(carom_document_spec(again)->bodies[0].orientation, l->orientation, sizeof l->orientation);
    carom_document_free(again);
    free(kept);
    carom_model_free(model);
    carom_document_free(document);
    carom_context_free(ctx);
}

/* ---- lines of what the compilation and the start say ---- */

/* An error of the model, or the one warning of the start, names file and line of the robot. */
static void expect_of_start(const char *text, carom_status wanted, const char *has)
{
    carom_context *ctx = new_context();
    carom_model *model = NULL;
    carom_simulation *simulation = NULL;
    assert_ok(ctx, carom_model_parse(ctx, "test.yaml", text, strlen(text), NULL, 0, &model));
    const carom_simulation_def def = carom_default_simulation_def();
    const carom_status status = carom_simulation_create(ctx, model, &def, &simulation);
    if (status != wanted)
        fail_msg("%s", carom_context_error(ctx));
    const char *said = carom_context_error(ctx);
    if (status == CAROM_OK) {
        carom_check check;
        assert_ok(ctx, carom_simulation_check(simulation, &check));
        size_t count;
        const char *const *warnings = carom_simulation_warnings(simulation, &count);
        assert_int_equal(count, 1);
        said = warnings[0];
    }
    if (!strstr(said, has))
        fail_msg("'%s' does not say '%s'", said, has);
    carom_simulation_free(simulation);
    carom_model_free(model);
    carom_context_free(ctx);
}

static void test_lines_behind_the_reading(void **state)
{
    (void)state;
    repeat("dense.urdf",
           "<robot name='r'>\n<link name='base'/>\n<link name='arm'><inertial><mass value='20'/>"
           "<inertia ixx='1e-4' iyy='1e-4' izz='1e-4'/></inertial>\n",
           "<collision><geometry><sphere radius='0.01'/></geometry></collision></link>", 1,
           "\n<joint name='shoulder' type='revolute'><parent link='base'/><child link='arm'/><axis xyz='0 1 0'/>"
           "<limit lower='-1' upper='1' effort='3' velocity='2'/></joint></robot>");
    expect_of_start("{carom: 1, dimension: 3, include: {file: dense.urdf, start: {shoulder: 2.5}}, run: {until: 1}}",
                    CAROM_ERROR_MODEL, "dense.urdf:5:1: joint 'shoulder' starts at 2.5 rad");
    expect_of_start("{carom: 1, dimension: 3, include: {file: dense.urdf, start: {shoulder: 2.5}}, run: {until: 1}}",
                    CAROM_ERROR_MODEL, "within the limits, those of a robot by `start` of its `include`");
    expect_of_start("{carom: 1, dimension: 3, include: dense.urdf, "
                    "run: {until: 1}}",
                    CAROM_OK, "dense.urdf:3: body 'arm': 20 kg within a ball of radius 0.01 m");
}

/* ---- what is ignored ---- */

static void count_log(void *user, carom_log_level level, const char *text)
{
    int *counts = user;
    counts[0]++;
    counts[1] += level == CAROM_LOG_WARNING && strstr(text, "pair.urdf:1: <transmission> is ignored") != NULL;
}

static void test_ignored(void **state)
{
    (void)state;
    int counts[2] = {0};
    repeat("pair.urdf", pair, "", 0, "");
    carom_context_def def = carom_default_context_def();
    def.log = count_log;
    def.log_user = counts;
    carom_context *ctx = NULL;
    assert_int_equal(carom_context_create(&def, &ctx), CAROM_OK);
    char *text = NULL;
    assert_ok(ctx, carom_import_text(ctx, "pair.urdf", NULL, &text));
    /* effort, velocity, transmission */
    assert_int_equal(counts[0], 3);
    assert_int_equal(counts[1], 1);
    carom_text_free(ctx, text);

    /* in a model: of drives where one has no limit */
    static const struct {
        const char *loads;
        int told;
    } drives[] = {
        {"", 1},
        {"loads: {m: {type: motor, on: shoulder, target: 0, proportional: 9}}\n", 3},
        {"loads: {m: {type: motor, on: shoulder, target: 0, proportional: 9, limit: 3}}\n", 2},
        {"loads: {m: {type: motor, on: shoulder, target: 0, proportional: 9, limit: 3, no_load_speed: 2}}\n", 1},
    };
    for (size_t k = 0; k < sizeof drives / sizeof drives[0]; k++) {
        char model_text[400];
        carom_model *model = NULL;
        counts[0] = 0;
        snprintf(model_text, sizeof model_text, "carom: 1\ndimension: 3\ninclude: pair.urdf\n%srun: {until: 1}\n",
                 drives[k].loads);
        assert_ok(ctx, carom_model_parse(ctx, "pair.yaml", model_text, strlen(model_text), NULL, 0, &model));
        assert_int_equal(counts[0], drives[k].told);
        carom_model_free(model);
    }
    /* what a root without inertia is, where a body is fixed to it, unless it is said */
    static const char mobile[] =
        "<robot name='r'><link name='base'/><link name='trunk'><inertial><mass value='1'/>"
        "<inertia ixx='1' iyy='1' izz='1'/></inertial></link><joint name='weld' type='fixed'><parent link='base'/>"
        "<child link='trunk'/></joint><link name='arm'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/>"
        "</inertial></link><joint name='hip' type='continuous'><parent link='trunk'/><child link='arm'/></joint>"
        "</robot>";
    repeat("mobile.urdf", mobile, "", 0, "");
    for (int base = CAROM_IMPORT_BASE_AUTO; base <= CAROM_IMPORT_BASE_FREE; base++) {
        carom_import_def import = carom_default_import_def();
        import.base = (carom_import_base)base;
        counts[0] = 0;
        assert_ok(ctx, carom_import_text(ctx, "mobile.urdf", &import, &text));
        assert_int_equal(counts[0], base == CAROM_IMPORT_BASE_AUTO);
        carom_text_free(ctx, text);
    }
    carom_import_def strict = carom_default_import_def();
    strict.strict = true;
    assert_refused(ctx, carom_import_text(ctx, "pair.urdf", &strict, &text), CAROM_ERROR_MODEL, "strict");
    /* a place that is none, as where the definition does not begin with the default; of any length but zero it is */
    static const double turns[][4] = {{0, 0, 0, 0}, {NAN, 0, 0, 0}, {INFINITY, 0, 0, 0}, {1e-200, 0, 0, 0}};
    char *same;
    for (size_t k = 0; k < sizeof turns / sizeof turns[0]; k++) {
        carom_import_def placed = carom_default_import_def();
        memcpy(placed.orientation, turns[k], sizeof turns[k]);
        assert_refused(ctx, carom_import_text(ctx, "mobile.urdf", &placed, &text), CAROM_ERROR_USAGE, "quaternion");
    }
    carom_import_def placed = carom_default_import_def();
    placed.at[1] = INFINITY;
    assert_refused(ctx, carom_import_parse(ctx, "m.urdf", mobile, strlen(mobile), &placed, &text), CAROM_ERROR_USAGE,
                   "`at`");
    placed.at[1] = 0;
    for (int i = 0; i < 4; i++)
        placed.orientation[i] = 0.5;
    assert_ok(ctx, carom_import_text(ctx, "mobile.urdf", &placed, &text));
    for (int i = 0; i < 4; i++)
        placed.orientation[i] = 2;
    assert_ok(ctx, carom_import_text(ctx, "mobile.urdf", &placed, &same));
    assert_string_equal(text, same);
    carom_text_free(ctx, text);
    carom_text_free(ctx, same);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),    cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_includes), cmocka_unit_test(test_overrides),
        cmocka_unit_test(test_ignored),  cmocka_unit_test(test_lines_behind_the_reading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
