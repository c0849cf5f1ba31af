/* `carom force` and `carom impact` from outside: tables, JSON, figures, ranges, errors. */
#include "carom_test.h"

#include <math.h>
#include <sys/stat.h>

#include "support/kinds.h"
#include "support/command.h"
#include "support/json_at.h"
#include "support/reference.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define BALL "--mass 0.046 --speed 0.3 --stiffness 5.5e9 "
#define PIN "--E_i 207*GPa --nu_i 0.3 --radius_i 9.5*mm --radius_j -10*mm "

/* ---- running the program ---- */

static outcome succeed(const char *arguments)
{
    outcome o = carom("%s", arguments);
    if (o.status != 0)
        fail_msg("carom %s: exit status %d; %s", arguments, o.status, o.err);
    return o;
}

static json *succeed_json(const char *arguments)
{
    outcome o = succeed(arguments);
    json *value = expect_json(o.out);
    free_outcome(&o);
    return value;
}

static void assert_near(double value, double expected, double relative)
{
    if (!(fabs(value - expected) <= relative * fabs(expected)))
        fail_msg("%.17g is not %.17g within %g", value, expected, relative);
}

static bool is_figure(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && info.st_size > 2000;
}

/* ---- impact ---- */

static void test_impact_json(void **state)
{
    (void)state;
    static const char *const keys[] = {"law",      "mass",        "v_in",       "e_asked",
                                       "v_out",    "e_got",       "peak_force", "max_indentation",
                                       "duration", "energy_lost", "tension",    "method"};
    json *contact = reference_open("contact.json");
    const json *group = json_get(contact, "groups.impact"), *one = NULL;
    for (size_t k = 0; k < json_size(group); k++)
        if (strcmp(json_text(json_get(json_item(group, k), "id")), "flores/0/e0.7") == 0)
            one = json_item(group, k);
    char arguments[512];
    if (!one)
        fail_msg("the reference has no impact flores/0/e0.7");
    snprintf(
        arguments, sizeof arguments,
        "impact --law flores --json --mass %.17g --speed %.17g --restitution %.17g --stiffness %.17g --exponent %.17g",
        number_at(one, "params.m"), number_at(one, "params.v0"), number_at(one, "params.e"), number_at(one, "params.K"),
        number_at(one, "params.n"));
    json *value = succeed_json(arguments);
    assert_int_equal(json_type_of(value), JSON_ARRAY);
    assert_int_equal(json_size(value), 1);
    const json *got = json_item(value, 0);
    assert_int_equal(json_size(got), COUNT(keys));
    for (size_t k = 0; k < COUNT(keys); k++)
        assert_string_equal(json_name(got, k), keys[k]);
    assert_near(number_at(got, "e_got"), number_at(one, "impact.e_post"), 1e-12);
    assert_near(number_at(got, "v_out"), number_at(one, "impact.exit_speed"), 1e-12);
    assert_near(number_at(got, "peak_force"), number_at(one, "impact.Fmax"), 1e-12);
    assert_near(number_at(got, "max_indentation"), number_at(one, "impact.dmax"), 1e-12);
    assert_near(number_at(got, "duration"), number_at(one, "impact.duration"), 1e-12);
    assert_near(number_at(got, "energy_lost"), number_at(one, "impact.energy"), 1e-12);
    assert_string_equal(json_text(json_member(got, "method")), "exact");
    assert_string_equal(json_text(json_member(got, "tension")), "clip");
    json_free(value);
    json_free(contact);
    /* units, the parameter as --set, integration */
    value = succeed_json("impact --law flores --json --mass 46*gram --speed 30*cm/s --set restitution=0.7 --set "
                         "'stiffness=5.5e9*N/m^1.5' --integrate");
    assert_string_equal(json_text(json_get(value, "0.method")), "integrated");
    assert_near(number_at(value, "0.e_got"), 0.68318419973068389, 1e-9);
    json_free(value);
    value = succeed_json("impact --law hertz --json " BALL);
    assert_int_equal(json_type_of(json_get(value, "0.e_asked")), JSON_NULL);
    json_free(value);
}

static void test_impact_ranges(void **state)
{
    (void)state;
    json *value = succeed_json("impact --laws hunt-crossley,hertz,exact --json --mass 0.046 --speed 0.1,0.2:0.3:0.1 "
                               "--stiffness 5.5e9 --restitution 0.1:0.9:0.4");
    /* hertz takes no restitution: once a speed */
    assert_int_equal(json_size(value), 3 * 3 + 3 + 3 * 3);
    assert_true(number_at(value, "3.v_in") == 0.2 && number_at(value, "4.e_asked") == 0.5);
    for (size_t k = 12; k < 21; k++) {
        const json *one = json_item(value, k);
        assert_near(number_at(one, "e_got"), number_at(one, "e_asked"), 1e-14);
    }
    json_free(value);
}

/* A number given to --damping is the parameter, a name the part. */
static void test_impact_damping(void **state)
{
    (void)state;
    json *value = succeed_json(
        "impact --law kelvin-voigt --json --mass 1 --speed 0.5 --stiffness 1e6 --damping 600 --release raw");
    double zeta = 0.3;
    assert_near(number_at(value, "0.e_got"), exp(-zeta * acos(-1) / sqrt(1 - zeta * zeta)), 1e-8);
    assert_string_equal(json_text(json_get(value, "0.tension")), "allow");
    json_free(value);
    value = succeed_json("impact --law hertz --damping exact --restitution 0.4 --json " BALL);
    assert_near(number_at(value, "0.e_got"), 0.4, 1e-14);
    json_free(value);
    value = succeed_json(
        "impact --elastic johnson --damping exact --restitution 0.4 --json --mass 0.5 --speed 0.2 --length 10*mm " PIN);
    assert_near(number_at(value, "0.e_got"), 0.4, 1e-14);
    assert_string_equal(json_text(json_get(value, "0.law")), "johnson + exact");
    json_free(value);
}

static void test_impact_all(void **state)
{
    (void)state;
    outcome o = succeed("impact --laws all --restitution 0.7 " BALL);
    size_t count;
    const char *const *names = carom_law_list(all_kinds(), &count);
    for (size_t k = 0; k < count; k++) {
        char line[80];
        snprintf(line, sizeof line, "\n%s ", names[k]);
        expect_text(o.out, line);
    }
    expect_text(o.out, "left out");
    expect_text(o.out, "johnson needs the materials");
    free_outcome(&o);
    o = succeed("impact --laws all --restitution 0.7 --json " BALL);
    json *value = json_parse_text(o.out);
    size_t left_out = 0;
    for (const char *at = o.err; (at = strstr(at, " is left out: ")); at++)
        left_out++;
    assert_true(left_out > 0);
    assert_int_equal(json_size(value) + left_out, count);
    json_free(value);
    free_outcome(&o);
}

static void test_impact_text(void **state)
{
    (void)state;
    outcome o = succeed("impact --law flores --restitution 0.7 " BALL);
    expect_text(o.out, "effective mass 46 g");
    expect_text(o.out, "0.68318");
    expect_text(o.out, "exact");
    expect_text(o.out, "K 5.5e9 N/m^n, n 1.5");
    free_outcome(&o);
    o = succeed("impact --law kelvin-voigt --mass 1 --speed 0.5 --stiffness 1e6 --damping 1e5 --release raw");
    expect_text(o.out, "not released");
    free_outcome(&o);
    o = succeed("impact --law hertz --restitution 0.7 " BALL);
    expect_text(o.out, "takes no restitution");
    free_outcome(&o);
}

static void test_impact_figures(void **state)
{
    (void)state;
    outcome o = succeed("impact --laws flores,exact,lankarani-nikravesh-1994 --restitution 0.5,0.9 --loop loop.svg "
                        "--phase phase.pdf " BALL);
    expect_text(o.out, "flores");
    free_outcome(&o);
    assert_true(is_figure("loop.svg") && is_figure("phase.pdf"));
    char *svg = read_text("loop.svg");
    expect_text(svg, "lankarani-nikravesh-1994, e 0.9");
    free(svg);
    o = succeed("impact --laws flores,exact,tsuji --restitution-figure found.png --factor-figure a.svg " BALL);
    assert_string_equal(o.out, "");
    free_outcome(&o);
    assert_true(is_figure("found.png") && is_figure("a.svg"));
    svg = read_text("a.svg");
    expect_text(svg, "flores, exact");
    assert_null(strstr(svg, "tsuji"));
    free(svg);
    /* A needs neither mass nor speed */
    o = succeed("impact --law flores --stiffness 1 --factor-figure b.svg");
    free_outcome(&o);
    assert_true(is_figure("b.svg"));
}

static void test_impact_errors(void **state)
{
    (void)state;
    expect_error(1, "did you mean 'flores'?", "impact --law florse " BALL);
    expect_error(2, "did you mean 'flores'?", "impact --laws exact,florse " BALL);
    expect_error(1, "law 'flores': restitution is 1.2; it must be above 0 and at most 1",
                 "impact --law flores --restitution 1.2 " BALL);
    expect_error(1, "or a stiffness", "impact --law flores --mass 1 --speed 1 --restitution 0.5");
    expect_error(2, "--stiffness: no parameter or constant 'Nn'; did you mean 'N'?",
                 "impact --law hertz --mass 1 --speed 1 --stiffness '5*Nn'");
    expect_error(2, "unknown option '--stifness'; did you mean '--stiffness'?", "impact --law hertz --stifness 1");
    expect_error(2, "did you mean 'stiffness'?", "impact --law hertz --set stifness=1 --mass 1 --speed 1");
    expect_error(1, "no parameter 'chi'", "impact --law flores --restitution 0.5 --chi 1 " BALL);
    expect_error(2, "none of the laws takes 'chi'", "impact --laws flores,exact --restitution 0.5 --chi 1 " BALL);
    expect_error(2, "--mass M is missing", "impact --law flores --speed 1");
    expect_error(2, "--speed V is missing", "impact --law flores --mass 1");
    expect_error(2, "--law NAME is missing", "impact --mass 1");
    expect_error(2, "either --law or --laws", "impact --law flores --laws exact --mass 1");
    expect_error(2, "mass is -1 kg", "impact --law hertz --stiffness 1 --mass -1 --speed 1");
    expect_error(1, "did you mean 'allow'?", "impact --law hertz --tension alow " BALL);
    expect_error(2, "ends in none of .svg, .pdf, .png", "impact --law hertz --loop a.jpg " BALL);
    expect_error(2, "the step is missing", "impact --law hertz --mass 1 --speed 1:2 --stiffness 1");
    expect_error(2, "never gets from 2 to 1", "impact --law hertz --mass 1 --speed 2:1:0.5 --stiffness 1");
    expect_error(1, "up to which elastic part johnson holds",
                 "impact --law johnson --mass 100 --speed 100 --length 1*mm " PIN);
    expect_error(1, "convention",
                 "impact --law esdu-78035 --convention prnted --mass 1 --speed 0.1 --length 1*mm " PIN);
    expect_error(4, "cannot be written", "impact --law hertz --loop nowhere/a.svg " BALL);
}

/* ---- force ---- */

static void test_force_json(void **state)
{
    (void)state;
    json *value = succeed_json("force --law flores --stiffness 5.5e9 --restitution 0.7 --delta 0:15*um:5*um --rate "
                               "-0.1,0.2 --speed 0.3 --json");
    assert_int_equal(json_size(json_member(value, "rows")), 8);
    const json *row = json_get(value, "rows.6");
    double elastic = 5.5e9 * pow(1e-5, 1.5), a = 8 * 0.3 / 3.5;
    assert_near(number_at(row, "delta"), 1e-5, 1e-15);
    assert_near(number_at(row, "elastic"), elastic, 1e-14);
    assert_near(number_at(row, "damping"), elastic * a * 0.2 / 0.3, 1e-14);
    assert_near(number_at(row, "force"), elastic * (1 + a * 0.2 / 0.3), 1e-14);
    assert_near(number_at(row, "d_rate"), elastic * a / 0.3, 1e-14);
    assert_near(number_at(row, "d_delta"), 1.5 * elastic / 1e-5 * (1 + a * 0.2 / 0.3), 1e-14);
    assert_near(number_at(row, "energy"), 0.4 * elastic * 1e-5, 1e-14);
    json_free(value);
    /* unloading of a law with memory */
    value = succeed_json("force --law lankarani-nikravesh-1994 --stiffness 5.5e9 --restitution 0.6 --delta "
                         "5*um,8*um,10*um --from 10*um --json");
    assert_true(number_at(value, "rows.0.force") == 0);
    assert_near(number_at(value, "rows.1.force"), elastic * pow((8 - 6.4) / 3.6, 1.5), 1e-12);
    assert_near(number_at(value, "rows.2.force"), elastic, 1e-14);
    json_free(value);
}

static void test_force_table(void **state)
{
    (void)state;
    outcome o = succeed("force --law johnson --length 10*mm --delta 0:10*um:2*um " PIN);
    expect_text(o.out, "holds to 270.67 um");
    expect_text(o.out, "dF/ddelta [MN/m]");
    expect_text(o.out, "5.8500");
    assert_null(strstr(o.out, "dF/drate"));
    free_outcome(&o);
    o = succeed("force --law tsuji --stiffness 1e9 --alpha 0.2 --mass 0.1 --delta 1*um --rate 0.1,-0.1 -o force.svg");
    expect_text(o.out, "effective mass 0.1 kg");
    expect_text(o.out, "dF/drate");
    free_outcome(&o);
    assert_true(is_figure("force.svg"));
}

/* Autiero et al. 2022, Table 4, first row: Johnson's law, clearance 0.5 mm, steel, to the digits printed. */
static void test_force_fit(void **state)
{
    (void)state;
    json *fit = succeed_json("force --law johnson --length 1*mm --least-delta 1*um --fit --json " PIN);
    double k = number_at(fit, "stiffness"), n = number_at(fit, "exponent");
    assert_true(number_at(fit, "max_force") == 1000);
    assert_near(number_at(fit, "stiffness_mm"), k * pow(1e-3, n), 1e-14);
    assert_true(fabs(number_at(fit, "stiffness_mm") - 1.42e5) <= 0.005e5);
    assert_true(fabs(n - 1.192) <= 0.0005);
    assert_true(fabs(number_at(fit, "largest_error") - 0.074) <= 0.001);
    json_free(fit);
    outcome o = succeed("force --law hertz --stiffness 1e9 --exponent 1.5 --max-force 5*kN --fit");
    expect_text(o.out, "1000000000 N/m^n  =  31622.7766 N/mm^n");
    free_outcome(&o);
}

static void test_force_errors(void **state)
{
    (void)state;
    expect_error(2, "--delta RANGE is missing", "force --law hertz --stiffness 1e9");
    expect_error(2, "--law NAME is missing", "force --delta 1");
    expect_error(1, "did you mean 'johnson'?", "force --law jonson --delta 1");
    expect_error(2, "holds up to an indentation of 0.000270671 m",
                 "force --law johnson --length 10*mm --delta 0:1*mm:0.1*mm " PIN);
    expect_error(2, "give --mass", "force --law tsuji --stiffness 1e9 --alpha 0.2 --delta 1e-6");
    expect_error(2, "has no memory", "force --law hertz --stiffness 1e9 --delta 1e-6 --from 1e-5");
    expect_error(2, "at least 0", "force --law hertz --stiffness 1e9 --delta -1e-6");
    expect_error(2, "belongs to --fit", "force --law hertz --stiffness 1e9 --delta 1e-6 --max-force 3");
    expect_error(2, "needs --max-force", "force --law hertz --stiffness 1e9 --fit");
    expect_error(1, "fit of johnson", "force --law johnson --length 1*mm --fit --max-force 1e9 " PIN);
    expect_error(2, "one argument too many", "force johnson --delta 1e-6");
}

static void test_help(void **state)
{
    (void)state;
    static const char *const commands[] = {"force", "impact"};
    for (size_t k = 0; k < COUNT(commands); k++) {
        outcome o = carom("%s --help", commands[k]);
        assert_int_equal(o.status, 0);
        expect_text(o.out, "Example:");
        expect_text(o.out, "--stiffness");
        expect_text(o.out, "--chi");
        expect_text(o.out, "carom explain LAW");
        free_outcome(&o);
        o = carom("help");
        expect_text(o.out, commands[k]);
        free_outcome(&o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_impact_json),    cmocka_unit_test(test_impact_ranges),
        cmocka_unit_test(test_impact_damping), cmocka_unit_test(test_impact_all),
        cmocka_unit_test(test_impact_text),    cmocka_unit_test(test_impact_figures),
        cmocka_unit_test(test_impact_errors),  cmocka_unit_test(test_force_json),
        cmocka_unit_test(test_force_table),    cmocka_unit_test(test_force_fit),
        cmocka_unit_test(test_force_errors),   cmocka_unit_test(test_help),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
