/* Words of a machine: functions of the user's own, curves of functions, tables as splines and profiles, patterns,
   parts; against the same written out, closed forms, and what is refused. */
#include "carom_test.h"

#include <math.h>
#include <unistd.h>

#include "support/free_runs.h"

#define PI 3.14159265358979323846
#define EXACT 1e-12
#define HEAD "carom: 1\ndimension: 2\n"
#define RUN "run: {until: 2}\n"

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void refuse(const char *text, const char *has)
{
    const char *error = free_error_of_text(text);
    if (!strstr(error, has))
        fail_msg("'%s' is not in '%s'", has, error);
}

static void expect(double value, double wanted, double tolerance, const char *what)
{
    if (!(fabs(value - wanted) <= tolerance))
        fail_msg("%s: %.15g, expected %.15g", what, value, wanted);
}

/* ---- functions ---- */

#define CART(functions, motion)                                                                   \
    HEAD "parameters: {A: 0.3, w: 2}\nfunctions:\n" functions "bodies:\n"                         \
         "  cart: {mass: 2, inertia: 1, motion: {x: \"" motion "\", y: 0, angle: 0}}\n" RUN

/* A motion by functions of functions has the derivatives of the same written out. */
static void functions_have_exact_derivatives(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run,
                   CART("  wave(x): A*sin(w*x)\n  square(x): x*x\n"
                        "  mix(a, b): square(a) - b*wave(a) + a/(1 + square(b))\n",
                        "mix(t, 2*t + 1) + square(wave(t))"),
                   1e-12, NULL);
    for (int k = 1; k < 20; k++) {
        const double t = 0.1 * k, b = 2 * t + 1, s = sin(2 * t), c = cos(2 * t), q = 1 + b * b, wave = 0.3 * s;
        const double wave1 = 0.6 * c, wave2 = -1.2 * s;
        free_run_to(&run, t);
        expect(free_run_get(&run, "body.cart.position.x"), t * t - b * wave + t / q + wave * wave, EXACT, "position");
        expect(free_run_get(&run, "body.cart.velocity.x"),
               2 * t - 2 * wave - b * wave1 + 1 / q - t * 4 * b / (q * q) + 2 * wave * wave1, EXACT, "velocity");
        expect(free_run_get(&run, "body.cart.acceleration.x"),
               2 - 4 * wave1 - b * wave2 - 8 * b / (q * q) - 8 * t / (q * q) + 32 * t * b * b / (q * q * q) +
                   2 * wave1 * wave1 + 2 * wave * wave2,
               1e-10, "acceleration");
    }
    free_run_close(&run);
}

/* A spring by a function with a kink, of a measure, moves as one that is written out, its kink located. */
static void functions_of_measures_and_kinks(void **state)
{
    (void)state;
    static const char *const forces[] = {"pull(x(ball))", "if(x(ball) > 0, -50*x(ball), -200*x(ball))"};
    double ends[2];
    for (int k = 0; k < 2; k++) {
        char text[600];
        free_run run;
        snprintf(text, sizeof text,
                 HEAD "functions:\n  pull(d): if(d > 0, -50*d, -200*d)\nbodies:\n  ball: {mass: 1, inertia: 1, "
                      "at: [0.1, 0]}\nloads:\n  f: {type: force, on: ball, force: [\"%s\", 0]}\n" RUN,
                 forces[k]);
        free_run_parse(&run, text, 1e-10, NULL);
        free_run_to(&run, 1.9);
        ends[k] = free_run_get(&run, "body.ball.position.x");
        free_run_close(&run);
    }
    expect(ends[0], ends[1], EXACT, "the end of the motion");
}

static void wrong_functions(void **state)
{
    (void)state;
    refuse(CART("  f(x): g(x)\n  g(x): 2*f(x)\n", "f(t)"), 
           "test.yaml:6:11: body 'cart': 'x': function 'f' needs its own value, by 'g'");
    refuse(CART("  f(x): 2*f(x)\n", "t"), "function 'f' needs its own value, by 'f': a cycle");
    refuse(CART("  f(x): 2*x\n", "f(t, 1)"), "f takes 1 argument, not 2");
    refuse(CART("  f(x): 2*y\n", "t"), "test.yaml:5:11: no parameter or constant 'y'");
    refuse(CART("  lift(arg): 2*arh\n", "t"), "did you mean 'arg'");
    refuse(CART("  lift(x): 2*x\n", "lit(t)"), "no function 'lit'; did you mean 'lift'");
    refuse(CART("  lift(x): 2*x\n", "2*lift"), "function 'lift' needs its arguments");
    refuse(CART("  lift: 2*w\n", "t"), "a value without arguments is a parameter");
    refuse(CART("  lift(): 2*w\n", "t"), "with 1 to 8 arguments");
    refuse(CART("  f(x, x): 2*x\n", "t"), "two arguments 'x'");
    refuse(CART("  sin(x): 2*x\n", "t"), "reserved");
    refuse(CART("  f(x): x\n  f(a, b): a\n", "t"), "two functions 'f'");
    refuse(CART("  f(x): x\n", "f(t)*3*mm + f(2*s)*kg"), "kg");
}

/* ---- curves ---- */

#define BALL_ON(shape)                                                                                           \
    HEAD "gravity: [0, -9.81]\nfunctions:\n  r(a): 50*mm*(1 + 0*a)\nbodies:\n  ball: {mass: 0.1, inertia: "      \
         "1e-5, at: [3*mm, 80*mm]}\nshapes:\n  ball: {type: sphere, on: ball, radius: 10*mm}\n  cam: " shape     \
         "\ncontacts:\n  hit: {between: [cam, ball], normal: {law: flores, stiffness: 1e8, restitution: 0.7}}\n" \
         "run: {until: 0.1}\n"

/* A ball falls on a circle, one of r(phi), one of x(u), y(u), and one that is parallel to a larger one: a spline
   through 73 points of a circle of 50 mm, off by 0.05*(2 pi/72)^4/384 = 8 nm at most. */
static void curves_of_functions_are_the_curve(void **state)
{
    (void)state;
    static const char *const texts[] = {
        BALL_ON("{type: sphere, on: ground, radius: 50*mm}"),
        BALL_ON("{type: profile, on: ground, closed: true, outline: [{polar: {radius: r(phi), from: 0, to: 2*pi}}]}"),
        BALL_ON("{type: profile, on: ground, closed: true, outline: [{curve: {x: 50*mm*cos(u), y: 50*mm*sin(u), "
                "from: 0.3, to: 0.3 + 2*pi}}]}"),
        BALL_ON("{type: profile, on: ground, closed: true, outline: [{polar: {radius: 1.4*r(phi), "
                "offset: -20*mm, from: 0, to: 2*pi}}]}"),
    };
    double ends[sizeof texts / sizeof texts[0]][2];
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        free_run run;
        free_run_parse(&run, texts[k], 1e-9, NULL);
        free_run_to(&run, 0.1);
        ends[k][0] = free_run_get(&run, "body.ball.position.x");
        ends[k][1] = free_run_get(&run, "body.ball.position.y");
        free_run_close(&run);
        expect(ends[k][0], ends[0][0], 2e-5, "x after the impact");
        expect(ends[k][1], ends[0][1], 2e-6, "y after the impact");
    }
    assert_true(ends[0][0] > 4e-3);
}

static void wrong_curves(void **state)
{
    (void)state;
    refuse(BALL_ON("{type: profile, on: ground, closed: true, outline: [{polar: {radius: r(phi), offset: -60*mm, "
                   "from: 0, to: 2*pi}}]}"),
           "the outline would cross itself");
    refuse(BALL_ON("{type: profile, on: ground, outline: [{polar: {radius: r(psi), from: 0, to: 1}}]}"), "psi");
    refuse(BALL_ON("{type: profile, on: ground, outline: [{polar: {radius: 2*kg, from: 0, to: 1}}]}"), "a length");
    refuse(BALL_ON("{type: profile, on: ground, outline: [{polar: {radius: r(phi), from: 1, to: 1}}]}"),
           "it ends where it begins");
    refuse(BALL_ON("{type: profile, on: ground, outline: [{curve: {x: 1, y: 2, from: 0, to: 1}}]}"), "stands still");
    refuse(BALL_ON("{type: profile, on: ground, outline: [{polar: {radius: r(phi), from: 0, to: 1, points: 2}}]}"),
           "4 to 20000");
    refuse(BALL_ON("{type: profile, on: ground, outline: [{spline: {ends: natural}}]}"), "missing key 'points'");
}

/* ---- tables ---- */

#define LIFT(spline)                                                                                     \
    HEAD "splines:\n  lift: " spline "\nbodies:\n  cart: {mass: 2, inertia: 1, motion: {x: "             \
         "\"spline(lift, t*rad/s)\", y: 0, angle: 0}}\n" RUN

/* A spline of a table in degrees and millimetres is that of the same points, and its text needs the table no more. */
static void tables_are_splines(void **state)
{
    (void)state;
    write_file("lift.csv", "a [deg]; other; h [mm]\n0; 1; 0\n60; 1; 5\n# a remark\n120; 1; 15\n180; 1; 20\n");
    free_run by_table, by_points, again;
    free_run_parse(&by_points, LIFT("[[0, 0], [60*deg, 5*mm], [120*deg, 15*mm], [180*deg, 20*mm]]"), 1e-12, NULL);
    free_run_parse(&by_table, LIFT("{file: lift.csv, columns: [a, h]}"), 1e-12, NULL);
    carom_document *document = NULL;
    const char *text = LIFT("{file: lift.csv, columns: [a, 3]}");
    assert_ok(by_table.ctx, carom_document_parse(by_table.ctx, "m.yaml", text, strlen(text), NULL, 0, &document));
    const carom_spec *spec = carom_document_spec(document);
    unlink("lift.csv");
    char *held = malloc(spec->text_length + 1);
    assert_non_null(held);
    memcpy(held, spec->text, spec->text_length);
    held[spec->text_length] = '\0';
    free_run_parse(&again, held, 1e-12, NULL);
    for (int k = 0; k <= 20; k++) {
        free_run *const runs[] = {&by_points, &by_table, &again};
        double x[3];
        for (int n = 0; n < 3; n++) {
            free_run_to(runs[n], 0.1 * k);
            x[n] = free_run_get(runs[n], "body.cart.position.x");
        }
        expect(x[1], x[0], 1e-15, "by the table");
        expect(x[2], x[0], 1e-15, "by the text that holds it");
    }
    free(held);
    carom_document_free(document);
    free_run_close(&by_points);
    free_run_close(&by_table);
    free_run_close(&again);
}

static void wrong_tables(void **state)
{
    (void)state;
    write_file("text.csv", "a, h\n0, 0\n1, two\n2, 3\n");
    write_file("falls.csv", "a, h\n0, 0\n2, 2\n1, 3\n");
    write_file("one.csv", "a\n0\n2\n1\n");
    write_file("unit.csv", "a [deg], h [furlong]\n0, 0\n2, 2\n3, 3\n");
    write_file("mass.csv", "a [s], h [kg]\n0, 0\n2, 2\n3, 3\n");
    refuse(LIFT("{file: none.csv}"), "test.yaml:4:16: 'file': none.csv: cannot be");
    refuse(LIFT("{file: text.csv}"), "text.csv:3:1: column 'h' has 'two' where a number is needed");
    refuse(LIFT("{file: falls.csv}"), "falls.csv:4: x must ascend, and 1 follows 2");
    refuse(LIFT("{file: one.csv}"), "the table has one column");
    refuse(LIFT("{file: falls.csv, columns: [a, hh]}"), "has no column 'hh'; did you mean 'h'");
    refuse(LIFT("{file: unit.csv}"), "'furlong' is no unit");
    refuse(LIFT("{file: falls.csv, points: [[0, 0], [1, 1], [2, 2]]}"), "remove 'points'");
    refuse(LIFT("{file: mass.csv}"), "spline");
    refuse(BALL_ON("{type: profile, on: ground, outline: [{spline: {file: mass.csv}}]}"), "a length");
}

/* ---- patterns ---- */

/* Bodies around an axis stand, turn and move as their copies written out; joints and shapes go with them. */
static void patterns_are_copies(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run,
                   HEAD "bodies:\n"
                        "  plate: {mass: 1, inertia: 1, frames: {pin: {pattern: {count: 4, spacing: [0.1, 0.2]}, at: "
                        "[1, 0]}}}\n"
                        "  ball: {pattern: {count: 3, centre: [1, 0]}, mass: 1, inertia: 1, at: [3, 0], angle: 0.1, "
                        "velocity: [0, 2], angular_velocity: 0.5}\n"
                        "  row: {pattern: {count: 3, spacing: [0.5, -1]}, mass: 1, inertia: 1, at: [0, 9]}\n"
                        "joints:\n"
                        "  hold: {pattern: {count: 3, spacing: [0.5, -1]}, type: revolute, between: [{ground: [0, 8]}, "
                        "{row: [0, -1]}]}\n" RUN,
                   1e-9, NULL);
    for (int k = 0; k < 3; k++) {
        char name[32];
        const double a = 2 * PI * k / 3;
        snprintf(name, sizeof name, "ball_%d", k + 1);
        carom_body_state ball = free_run_body(&run, name);
        expect(ball.position[0], 1 + 2 * cos(a), EXACT, "x");
        expect(ball.position[1], 2 * sin(a), EXACT, "y");
        expect(ball.velocity[0], -2 * sin(a), EXACT, "vx");
        expect(ball.velocity[1], 2 * cos(a), EXACT, "vy");
        snprintf(name, sizeof name, "body.ball_%d.angle", k + 1);
        expect(free_run_get(&run, name), 0.1 + a, EXACT, "angle");
        snprintf(name, sizeof name, "row_%d", k + 1);
        ball = free_run_body(&run, name);
        expect(ball.position[0], 0.5 * k, 1e-9, "x of the row");
        expect(ball.position[1], 9 - k, 1e-9, "y of the row");
    }
    free_run_close(&run);
}

static void wrong_patterns(void **state)
{
    (void)state;
#define BODY(pattern) HEAD "bodies:\n  b: {pattern: " pattern ", mass: 1, inertia: 1, at: [1, 0]}\n" RUN
    refuse(BODY("{count: 2.5, centre: [0, 0]}"), "a whole number of copies");
    refuse(BODY("{count: 3}"), "all 3 would be in one place");
    refuse(BODY("{spacing: [1, 0]}"), "missing key 'count'");
    refuse(BODY("{count: 3, spacing: [1, 0]}, copies: 2"), "remove 'copies'");
    refuse(BODY("{count: 3, centr: [1, 0]}"), "did you mean 'centre'");
}

/* ---- parts ---- */

static const char arm[] = "parameters: {mount: base, L: 0.4, J: m0*L^2/12, m0: 2}\n";
static const char arm_right[] = "parameters: {mount: base, m0: 2, L: 0.4, J: m0*L^2/12}\n"
                                "functions: {half(L): L/2}\n"
                                "bodies:\n  bar: {mass: m0, inertia: J, at: [0, -half(L)], frames: {top: "
                                "[0, half(L)]}}\n"
                                "joints:\n  pin: {type: revolute, between: [$mount, bar.top]}\n"
                                "outputs:\n  tip: {value: x(bar) + L*sin(coordinate(pin))/2, unit: m}\n"
                                "  pull: {value: joint.pin.reaction, unit: N}\n";

static const char two_arms[] = HEAD "gravity: [0, -9.81]\nparameters: {long: 0.8}\ninclude:\n"
                                    "  - {file: arm.yaml, prefix: left_, parameters: {L: long, mount: post}}\n"
                                    "  - {file: arm.yaml, prefix: row, copies: 2, parameters: {L: 0.1*copy, "
                                    "mount: post}}\n"
                                    "bodies:\n  post: {mass: 1, inertia: 1}\n  left_bar: {angle: 0.3}\n"
                                    "joints:\n  foot: {type: fixed, between: [ground, post]}\n" RUN;

static void parts_have_prefix_and_parameters(void **state)
{
    (void)state;
    free_run run;
    write_file("arm.yaml", arm_right);
    free_run_parse(&run, two_arms, 1e-9, NULL);
    free_run_to(&run, 0.7);
    expect(free_run_get(&run, "output.left_tip"), 2 * free_run_body(&run, "left_bar").position[0], 1e-9, "tip");
    expect(free_run_body(&run, "row2_bar").position[1], -0.1, 1e-9, "the second of the copies");
    expect(free_run_get(&run, "output.row1_pull"), 2 * 9.81, 1e-6, "pull of the first of the copies");
    free_run_close(&run);

    /* the text needs the part no more; parameters of the part are those of the model */
    carom_context *ctx = new_context();
    carom_document *document = NULL;
    static const char *const overrides[] = {"left_L=0.2"};
    assert_ok(ctx, carom_document_parse(ctx, "m.yaml", two_arms, strlen(two_arms), overrides, 1, &document));
    const carom_spec *spec = carom_document_spec(document);
    unlink("arm.yaml");
    expect(spec->bodies[0].at[1], -0.1, EXACT, "the arm that `--set` made shorter");
    expect(spec->bodies[0].angle, 0.3, EXACT, "a key more of the model's own");
    char *held = malloc(spec->text_length + 1);
    assert_non_null(held);
    memcpy(held, spec->text, spec->text_length);
    held[spec->text_length] = '\0';
    carom_document *again = NULL;
    assert_ok(ctx, carom_document_parse(ctx, "held.yaml", held, strlen(held), overrides, 1, &again));
    assert_int_equal(carom_document_spec(again)->body_count, spec->body_count);
    expect(carom_document_spec(again)->bodies[0].at[1], -0.1, EXACT, "the same of the text that is held");
    free(held);
    carom_document_free(again);
    carom_document_free(document);
    carom_context_free(ctx);
}

/* The axes at a point of a joint, of a part whose parameter tells them: the coordinate is the angle from them. */
static void turned_point(void **state)
{
    (void)state;
    write_file("arm.yaml", "parameters: {tilt: 0.4}\nbodies:\n  bar: {mass: 1, inertia: 1, at: [1, 0], angle: 0.1}\n"
                           "joints:\n  pin: {type: revolute, between: [{ground: [1, 0], orientation: tilt}, bar]}\n");
    free_run run;
    free_run_parse(&run, HEAD "include: {file: arm.yaml, prefix: a_, parameters: {tilt: 0.5}}\n" RUN, 1e-8, NULL);
    expect(free_run_get(&run, "joint.a_pin.coordinate"), 0.1 - 0.5, EXACT, "angle from turned axes");
    free_run_close(&run);
}

static void wrong_parts(void **state)
{
    (void)state;
    write_file("arm.yaml", arm);
    refuse(two_arms, "arm.yaml:1:38: parameter 'left_m0' is defined later");
    write_file("arm.yaml", "bodies:\n  bar: {mas: 1, inertia: 1}\n");
    refuse(HEAD "include: {file: arm.yaml, prefix: a_}\n" RUN, "arm.yaml:2:9: body 'a_bar': unknown key 'mas'");
    refuse(HEAD "include: {file: none.yaml}\n" RUN, "test.yaml:3:17: include: none.yaml");
    refuse(HEAD "include: {file: arm.yaml, prefix: a_, parameters: {M: 2}}\n" RUN, "has no parameter 'M'");
    refuse(HEAD "include: {file: arm.yaml, at: [1, 0]}\n" RUN, "'at' is for robots");
    refuse(HEAD "include: {file: arm.yaml, prefx: a_}\n" RUN, "did you mean 'prefix'");
    refuse(HEAD "include: [arm.yaml, arm.yaml]\n" RUN, "give one of both a `prefix`");
    refuse(HEAD "include: {file: arm.yaml, prefix: a-}\n" RUN, "subtraction");
    write_file("arm.yaml", "include: leg.yaml\n");
    write_file("leg.yaml", "include: {file: arm.yaml, prefix: b_}\n");
    refuse(HEAD "include: {file: arm.yaml, prefix: a_}\n" RUN, "leg.yaml:1:17: 'arm.yaml' includes itself");
    write_file("arm.yaml", "dimension: 3\n");
    refuse(HEAD "include: {file: arm.yaml, prefix: a_}\n" RUN, "the part has dimension 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_have_exact_derivatives),
        cmocka_unit_test(functions_of_measures_and_kinks),
        cmocka_unit_test(wrong_functions),
        cmocka_unit_test(curves_of_functions_are_the_curve),
        cmocka_unit_test(wrong_curves),
        cmocka_unit_test(tables_are_splines),
        cmocka_unit_test(wrong_tables),
        cmocka_unit_test(patterns_are_copies),
        cmocka_unit_test(wrong_patterns),
        cmocka_unit_test(parts_have_prefix_and_parameters),
        cmocka_unit_test(turned_point),
        cmocka_unit_test(wrong_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
