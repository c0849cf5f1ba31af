/* MJCF that is made of parts: files that include each other, subtrees that are repeated, with what names them. */
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

static void open_file(free_run *run, const char *name, const char *keys)
{
    char text[600];
    snprintf(text, sizeof text, "carom: 1\ndimension: 3\ngravity: [0, 0, 0]\ninclude: {file: %s%s}\nrun: {until: 1}\n",
             name, keys);
    free_run_parse(run, text, 1e-10, NULL);
}

/* Three arms about the vertical, 120 degrees apart, each with a motor and a tendon that name one of them; the second
   level of copies has two digits. */
static void test_replicate(void **state)
{
    (void)state;
    write_file("star.xml",
               "<mujoco><worldbody><replicate count='3' euler='0 0 120' sep='-'>"
               "<frame pos='1 0 0'><body name='arm'><joint name='hinge' axis='0 1 0'/>"
               "<geom type='box' size='.1 .1 .1' pos='.2 0 0'/>"
               "</body></frame></replicate>"
               "<replicate count='10' offset='0 .5 0'><body name='rod' pos='5 0 0'><joint name='rod'/>"
               "<geom size='.1'/></body></replicate></worldbody>"
               "<tendon><fixed name='t'><joint joint='hinge' coef='2'/></fixed></tendon>"
               "<actuator><motor name='push' joint='hinge' gear='3'/><motor name='pull' tendon='t'/></actuator>"
               "<keyframe><key name='k' qpos='0 0 0 0 0 0 0 0 0 0 0 0 0' ctrl='0 1 0 0 0 .5'/></keyframe></mujoco>");
    free_run run;
    open_file(&run, "star.xml", ", keyframe: k");
    double worst = 0;
    for (int k = 0; k < 3; k++) {
        char name[40];
        snprintf(name, sizeof name, "arm-%d", k);
        const carom_body_state now = free_run_body(&run, name);
        const double angle = k * 2 * 3.14159265358979323846 / 3;
        worst = fmax(worst, hypot(now.position[0] - 1.2 * cos(angle), now.position[1] - 1.2 * sin(angle)));
    }
    for (int k = 0; k < 10; k++) {
        char name[40];
        snprintf(name, sizeof name, "rod%02d", k);
        const carom_body_state now = free_run_body(&run, name);
        worst = fmax(worst, hypot(now.position[0] - 5, now.position[1] - 0.5 * k));
    }
    print_message("copies stand within %.1e m\n", worst);
    assert_true(worst < 1e-14);
    /* a box of 8 kg, 0.2 m from its hinge: 3 u and 2 u turn it */
    const double inertia = 8 * (0.04 + 0.04 / 6), t = 0.3;
    free_run_to(&run, t);
    const double one = free_run_get(&run, "joint.hinge-1.coordinate");
    const double two = free_run_get(&run, "joint.hinge-2.coordinate");
    print_message("motor %.1e, tendon %.1e\n", fabs(one - 1.5 * t * t / inertia), fabs(two - 0.5 * t * t / inertia));
    assert_true(fabs(free_run_get(&run, "joint.hinge-0.coordinate")) < 1e-15);
    assert_true(fabs(one - 1.5 * t * t / inertia) < 1e-9 && fabs(two - 0.5 * t * t / inertia) < 1e-9);
    free_run_close(&run);
}

/* Files within files, defaults of which add up; messages name the file that they are about. */
static void test_include(void **state)
{
    (void)state;
    write_file("main.xml",
               "<mujoco><include file='defaults.xml'/><default><geom density='500'/></default><worldbody>"
               "<body name='a'><joint name='a'/><geom/><include file='inner.xml'/></body></worldbody></mujoco>");
    write_file("defaults.xml", "<mujocoinclude><default><geom type='box' size='.1 .1 .1'/><joint axis='0 1 0'/>"
                               "</default></mujocoinclude>");
    write_file("inner.xml", "<mujocoinclude><include file='deep.xml'/></mujocoinclude>");
    write_file("deep.xml", "<mujocoinclude>\n<body name='b' pos='.5 0 0'><joint name='b' pos='-.2 0 0'/><geom/>"
                           "<geom mass='0' solref='1 2'/></body></mujocoinclude>");
    free_run run;
    open_file(&run, "main.xml", ", start: {b: 1.5707963267948966}");
    const carom_body_state now = free_run_body(&run, "b");
    const double off = hypot(now.position[0] - 0.3, now.position[2] + 0.2);
    print_message("body of the innermost file: %.1e m\n", off);
    assert_true(off < 1e-15);
    free_run_close(&run);
    carom_context *ctx = new_context();
    carom_import_def def = carom_default_import_def();
    char *text = NULL;
    def.strict = true;
    assert_int_equal(carom_import_text(ctx, "main.xml", &def, &text), CAROM_ERROR_MODEL);
    assert_non_null(strstr(carom_context_error(ctx), "deep.xml:2:"));
    write_file("inner.xml", "<mujocoinclude>\n<include file='./main.xml'/></mujocoinclude>");
    assert_int_equal(carom_import_text(ctx, "main.xml", NULL, &text), CAROM_ERROR_MODEL);
    assert_non_null(strstr(carom_context_error(ctx), "inner.xml:2:"));
    assert_non_null(strstr(carom_context_error(ctx), "includes itself by way of others"));
    carom_context_free(ctx);
}

/* Actuators whose names are words of expressions: their inputs are called otherwise, and turn the cube of 8 kg and
   0.2 m by u t^2/2I, included, with a prefix and imported. */
static void test_words(void **state)
{
    (void)state;
    static const char *const names[] = {"t", "pi", "N", "sin", "if", "free"};
    const double inertia = 8 * (0.1 * 0.1 + 0.1 * 0.1) / 3, turned = 2 * 0.5 / (2 * inertia) * 0.01;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        char text[700];
        snprintf(text, sizeof text,
                 "<mujoco><worldbody><body name='a'><joint name='ja' axis='0 1 0'/><geom type='box' size='.1 .1 .1'/>"
                 "</body></worldbody><actuator><motor name='%s' joint='ja' gear='2'/></actuator>"
                 "<keyframe><key name='k' ctrl='0.5'/></keyframe></mujoco>",
                 names[k]);
        write_file("words.xml", text);
        carom_context *ctx = new_context();
        char *imported = NULL;
        carom_import_def def = carom_default_import_def();
        def.keyframe = "k";
        assert_ok(ctx, carom_import_text(ctx, "words.xml", &def, &imported));
        for (int way = 0; way < 3; way++) {
            free_run run;
            if (way < 2)
                open_file(&run, "words.xml", way ? ", keyframe: k, prefix: p_" : ", keyframe: k");
            else
                free_run_parse(&run, imported, 1e-10, NULL);
            free_run_to(&run, 0.1);
            const char *angle = way == 1 ? "joint.p_ja.coordinate" : "joint.ja.coordinate";
            const double off = fabs(free_run_get(&run, angle) - turned);
            if (!(off < 1e-12))
                fail_msg("%s, way %d: %g rad off", names[k], way, off);
            free_run_close(&run);
        }
        carom_text_free(ctx, imported);
        carom_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_replicate), cmocka_unit_test(test_include),
                                       cmocka_unit_test(test_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
