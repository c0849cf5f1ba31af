/* The program carom from outside: help, exit statuses, errors, JSON, interruption, checkpoints, export, figures. */
#include "carom_test.h"

#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <sys/wait.h>

#include "carom/io.h"
#include "support/command.h"
#include "support/json_at.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define WRONG_MODELS CAROM_TEST_DATA "/../wrong"

static const char ball[] = "carom: 1\n"
                           "title: Ball on a plate\n"
                           "dimension: 2\n"
                           "gravity: [0, -9.81]\n"
                           "parameters: {e: 0.8, end: 0.25, law: flores}\n"
                           "bodies:\n"
                           "  ball: {mass: 0.1, inertia: 4e-6, at: [0, 0.03]}\n"
                           "shapes:\n"
                           "  skin: {type: sphere, on: ball, radius: 0.01}\n"
                           "  plate: {type: plane, on: ground, normal: [0, 1]}\n"
                           "contacts:\n"
                           "  hit: {between: [plate, skin], normal: {law: $law, stiffness: 1e8, restitution: e}}\n"
                           "run: {until: end, tolerance: 1e-8}\n";

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* ---- JSON ---- */

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not %.17g within %g", value, expected, tolerance);
}

/* Asserts that two values agree to the last bit. */
static void assert_same(const json *a, const json *b, const char *where)
{
    double x = json_number(a), y = json_number(b);
    if (json_type_of(a) != json_type_of(b) || json_size(a) != json_size(b) ||
        (json_type_of(a) == JSON_NUMBER && memcmp(&x, &y, sizeof x) != 0))
        fail_msg("'%s' differs: %.17g and %.17g", where, x, y);
    for (size_t k = 0; k < json_size(a); k++)
        assert_same(json_item(a, k), json_item(b, k), json_name(a, k) ? json_name(a, k) : where);
}

/* ---- set-up ---- */

static int set_up(void **state)
{
    if (enter_folder(state))
        return -1;
    write_text("ball.yaml", ball);
    return 0;
}

/* ---- help and usage ---- */

static void test_help(void **state)
{
    (void)state;
    static const char *const commands[] = {"run", "check", "explain", "list", "export", "plot"};
    outcome global = carom("--help");
    assert_int_equal(global.status, 0);
    for (size_t k = 0; k < COUNT(commands); k++) {
        assert_non_null(strstr(global.out, commands[k]));
        outcome help = carom("%s --help", commands[k]), same = carom("help %s", commands[k]);
        assert_int_equal(help.status, 0);
        assert_string_equal(help.err, "");
        assert_non_null(strstr(help.out, "Usage: carom "));
        assert_non_null(strstr(help.out, "Example:\n  carom "));
        assert_string_equal(help.out, same.out);
        free_outcome(&help);
        free_outcome(&same);
    }
    free_outcome(&global);
    outcome version = carom("--version");
    assert_int_equal(version.status, 0);
    assert_string_equal(version.out, "carom " CAROM_VERSION "\n");
    free_outcome(&version);
    outcome nothing = carom(" ");
    assert_int_equal(nothing.status, 2);
    assert_string_equal(nothing.out, "");
    assert_non_null(strstr(nothing.err, "Usage: carom COMMAND"));
    free_outcome(&nothing);
}

static void test_usage(void **state)
{
    (void)state;
    expect_error(2, "did you mean 'check'?", "chekc");
    expect_error(2, "carom help", "frobnicate");
    expect_error(2, "did you mean '--tolerance'?", "run ball.yaml --tolerence 1e-8");
    expect_error(2, "--tolerance needs a value", "run ball.yaml --tolerance");
    expect_error(2, "takes a number", "run ball.yaml --tolerance 1e-8x");
    expect_error(2, "greater than 0", "run ball.yaml --tolerance=-1");
    expect_error(2, "takes no value", "run ball.yaml --json=yes");
    expect_error(2, "unknown option '-x'", "run ball.yaml -x");
    expect_error(2, "argument is missing", "run");
    expect_error(2, "one argument too many", "run ball.yaml ball.yaml");
    expect_error(2, "did you mean 'adams'?", "run ball.yaml --integrator adam");
    expect_error(2, "cartesian", "run ball.yaml --formulation cartesien");
    expect_error(2, "--json", "run ball.yaml --at 0.1");
    expect_error(2, "separated by commas", "run ball.yaml --json --at 0.1,,0.2");
    expect_error(2, "not in the run", "run ball.yaml --json --at 0.1,7");
    expect_error(2, "not in the run", "run ball.yaml --checkpoint -1");
    expect_error(2, "frob", "run ball.yaml --set frob=1");
    expect_error(2, "did you mean 'law'?", "list lwa");
    expect_error(2, "frobnicate", "explain frobnicate");
    expect_error(2, ".svg", "plot x.h5 contact.hit.force");
    expect_error(2, ".svg", "plot x.h5 contact.hit.force -o figure.gif");
    expect_error(2, "--from", "plot x.h5 contact.hit.force --from 2 --to 1 -o figure.svg");
    expect_error(2, "did you mean 'run'?", "help rnu");
    assert_false(exists("carom-out"));
}

static void test_files(void **state)
{
    (void)state;
    expect_error(4, "none.yaml", "run none.yaml");
    expect_error(4, "none.yaml", "check none.yaml");
    expect_error(4, "none.h5", "export none.h5 --csv");
    expect_error(4, "ball.yaml", "export ball.yaml --csv");
    expect_error(4, "none.h5", "plot none.h5 contact.hit.force -o figure.svg");
    expect_error(4, "none.ckpt", "run ball.yaml --resume none.ckpt");
    assert_false(exists("carom-out"));
    expect_error(4, "ball.yaml/out", "run ball.yaml -o ball.yaml/out");
    if (exists("/dev/full")) {
        char command[1024];
        snprintf(command, sizeof command, "'%s' help >/dev/full 2>err.txt", CAROM_EXECUTABLE);
        int status = system(command);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 4);
        char *text = read_text("err.txt");
        assert_non_null(strstr(text, "standard output"));
        free(text);
    }
}

/* ---- wrong models ---- */

/* "file:line:column" somewhere in the text. */
static bool has_place(const char *text, const char *name)
{
    for (const char *c = text; (c = strstr(c, name)); c++) {
        int line, column;
        if (sscanf(c + strlen(name), ":%d:%d", &line, &column) == 2 && line > 0 && column > 0)
            return true;
    }
    return false;
}

static void test_wrong_models(void **state)
{
    (void)state;
    DIR *directory = opendir(WRONG_MODELS);
    if (!directory) {
        print_message("tests/wrong does not exist\n");
        skip();
    }
    size_t models = 0, failures = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        const char *ending = strrchr(entry->d_name, '.');
        if (!ending || strcmp(ending, ".yaml") != 0)
            continue;
        models++;
        outcome o = carom("run '%s/%s' -o wrong-out", WRONG_MODELS, entry->d_name);
        bool good = o.status == 1 && *o.out == '\0' && count_lines(o.err) == 1 && has_place(o.err, entry->d_name) &&
                    !exists("wrong-out");
        if (!good) {
            print_error("%s: exit status %d, stderr: %s\n", entry->d_name, o.status, o.err);
            failures++;
            assert_int_equal(system("rm -rf wrong-out"), 0);
        }
        free_outcome(&o);
    }
    closedir(directory);
    assert_int_equal(failures, 0);
    assert_true(models > 0);
}

/* ---- run ---- */

static const char *const run_keys[] = {"model",   "version",       "analysis", "formulation",     "integrator",
                                       "status",  "time",          "steps",    "rhs_evaluations", "cpu_seconds",
                                       "methods", "method_changes", "impacts", "rests",  "open_contacts", "ledger",
                                       "accuracy", "constraints",  "final",    "samples",         "warnings",
                                       "results", "report"};
/* The object has the members of the list and no other. */
static void assert_fields(const json *object, const carom_field *fields, size_t count)
{
    const char *names[64];
    assert_in_range(count, 1, COUNT(names));
    for (size_t k = 0; k < count; k++)
        names[k] = fields[k].name;
    assert_keys(object, names, count);
}

static void test_run_json(void **state)
{
    (void)state;
    outcome o = carom("run ball.yaml --json --at 0.2,0.05 -o json-out");
    assert_int_equal(o.status, 0);
    assert_string_equal(o.err, "");
    json *run = expect_json(o.out);
    assert_keys(run, run_keys, COUNT(run_keys));
    assert_string_equal(text_at(run, "model"), "ball");
    assert_string_equal(text_at(run, "analysis"), "dynamics");
    assert_string_equal(text_at(run, "status"), "completed");
    assert_string_equal(text_at(run, "results"), "json-out/ball.h5");
    assert_true(exists("json-out/ball.h5"));
    assert_true(number_at(run, "time") == 0.25);
    assert_true(json_size(json_get(run, "impacts")) > 0);
    size_t field_count;
    const carom_field *fields = carom_impact_fields(&field_count);
    assert_fields(json_get(run, "impacts.0"), fields, field_count);
    assert_near(number_at(run, "impacts.0.mass"), 0.1, 1e-15);
    /* a free fall over 20 mm */
    assert_near(number_at(run, "impacts.0.onset"), sqrt(2 * 0.02 / 9.81), 1e-6);
    assert_near(number_at(run, "impacts.0.v_in"), sqrt(2 * 0.02 * 9.81), 1e-6);
    fields = carom_ledger_fields(&field_count);
    assert_fields(json_get(run, "ledger"), fields, field_count);
    static const char *const violation_keys[] = {"position_violation", "velocity_violation"};
    assert_keys(json_get(run, "constraints"), violation_keys, COUNT(violation_keys));
    static const char *const state_keys[] = {"position", "velocity", "angle", "angular_velocity"};
    assert_keys(json_get(run, "final.ball"), state_keys, COUNT(state_keys));
    assert_int_equal(json_size(json_get(run, "samples")), 2);
    assert_true(number_at(run, "samples.0.time") == 0.05 && number_at(run, "samples.1.time") == 0.2);
    assert_near(number_at(run, "samples.0.ball.position.1"), 0.03 - 0.5 * 9.81 * 0.0025, 1e-9);
    json_free(run);
    free_outcome(&o);
    outcome other = carom("run ball.yaml --json --no-results --set e=0.5");
    assert_int_equal(other.status, 0);
    run = expect_json(other.out);
    assert_null(json_member(run, "samples"));
    assert_int_equal(json_type_of(json_member(run, "results")), JSON_NULL);
    assert_true(number_at(run, "impacts.0.e_asked") == 0.5);
    assert_false(exists("carom-out"));
    json_free(run);
    free_outcome(&other);
    outcome hertz = carom("run ball.yaml --json --no-results --set law=hertz");
    assert_int_equal(hertz.status, 0);
    run = expect_json(hertz.out);
    assert_int_equal(json_type_of(json_get(run, "impacts.0.e_asked")), JSON_NULL);
    assert_true(json_size(json_get(run, "warnings")) > 0);
    json_free(run);
    free_outcome(&hertz);
}

static void test_run_text(void **state)
{
    (void)state;
    outcome o = carom("run ball.yaml -o text-out");
    assert_int_equal(o.status, 0);
    assert_string_equal(o.err, "");
    static const char *const parts[] = {"ball · 1 body, 3 degrees of freedom · cartesian · auto, tolerance 1e-8\n",
                                        "completed  0.25 s",
                                        "impact  contact  onset [ms]  duration [us]  v in [m/s]  v out [m/s]  e asked",
                                        "     1  hit",
                                        "\nenergy ",
                                        " of peak\n",
                                        "\nconstraints ",
                                        "results      text-out/ball.h5\n"};
    for (size_t k = 0; k < COUNT(parts); k++)
        if (!strstr(o.out, parts[k]))
            fail_msg("'%s' is missing in\n%s", parts[k], o.out);
    assert_null(strstr(o.out, " \n"));
    free_outcome(&o);
    outcome quiet = carom("run ball.yaml -o text-out --quiet");
    assert_int_equal(quiet.status, 0);
    assert_string_equal(quiet.out, "");
    assert_string_equal(quiet.err, "");
    free_outcome(&quiet);
    outcome many = carom("run ball.yaml --set end=1.5 --no-results"),
            all = carom("run ball.yaml --set end=1.5 --no-results --all");
    size_t shorter = count_lines(many.out), longer = count_lines(all.out);
    if (longer > 40) {
        assert_non_null(strstr(many.out, "more; --all prints all"));
        assert_true(shorter < longer);
    }
    free_outcome(&many);
    free_outcome(&all);
}

static void test_checkpoint(void **state)
{
    (void)state;
    outcome whole = carom("run ball.yaml --json -o check-out --checkpoint 0.1");
    assert_int_equal(whole.status, 0);
    assert_true(exists("check-out/ball.ckpt"));
    outcome resumed = carom("run ball.yaml --json -o resume-out --resume check-out/ball.ckpt");
    assert_int_equal(resumed.status, 0);
    json *first = expect_json(whole.out), *second = expect_json(resumed.out);
    static const char *const keys[] = {"final", "impacts", "ledger", "time"};
    for (size_t k = 0; k < COUNT(keys); k++) {
        assert_non_null(json_member(first, keys[k]));
        assert_same(json_member(first, keys[k]), json_member(second, keys[k]), keys[k]);
    }
    json_free(first);
    json_free(second);
    free_outcome(&whole);
    free_outcome(&resumed);
    expect_error(2, "not in the run", "run ball.yaml --json --at 0.05 --resume check-out/ball.ckpt");
}

/* ---- interruption ---- */

/* Starts a run of a ball that never comes to rest, and stops it by a signal when its results exist. */
static int interrupt_run(int number)
{
    static const char *const arguments[] = {"run",  "ball.yaml", "--set", "end=1e6",  "--set", "e=1",
                                            "--json", "-o",       "long-out", NULL};
    return interrupt(arguments, "long.json", "long-out/ball.h5", 0.5, number);
}

static void test_interruption(void **state)
{
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM};
    for (size_t k = 0; k < COUNT(signals); k++) {
        assert_int_equal(interrupt_run(signals[k]), 128 + signals[k]);
        json *run = json_parse_file("long.json");
        assert_non_null(run);
        assert_string_equal(text_at(run, "status"), "interrupted");
        carom_context *context;
        carom_result *result;
        context = new_context();
        assert_int_equal(carom_result_open(context, "long-out/ball.h5", &result), CAROM_OK);
        assert_string_equal(carom_result_status(result), "interrupted");
        size_t impacts;
        carom_result_impacts(result, &impacts);
        assert_true(impacts > 0);
        carom_result_close(result);
        carom_context_free(context);
        json_free(run);
        assert_int_equal(system("rm -r long-out"), 0);
    }
}

/* ---- the other commands ---- */

static void test_check(void **state)
{
    (void)state;
    outcome o = carom("check ball.yaml --json");
    assert_int_equal(o.status, 0);
    json *check = expect_json(o.out);
    static const char *const keys[] = {"bodies", "joints", "coordinates", "rows", "rank", "mobility", "redundant"};
    for (size_t k = 0; k < COUNT(keys); k++)
        assert_non_null(json_member(check, keys[k]));
    assert_true(number_at(check, "bodies") == 1);
    assert_true(number_at(check, "mobility") == 3);
    assert_true(number_at(check, "contacts.0.stiffness") == 1e8);
    assert_true(number_at(check, "contacts.0.exponent") == 1.5);
    assert_near(number_at(check, "contacts.0.mass"), 0.1, 1e-12);
    assert_near(number_at(check, "contacts.0.gap"), 0.02, 1e-12);
    json_free(check);
    free_outcome(&o);
    outcome text = carom("check ball.yaml");
    assert_int_equal(text.status, 0);
    assert_non_null(strstr(text.out, "mobility     3\n"));
    assert_non_null(strstr(text.out, "flores"));
    free_outcome(&text);
    assert_false(exists("carom-out"));
}

static void test_explain(void **state)
{
    (void)state;
    outcome families = carom("list"), laws = carom("list laws"), law = carom("list law"),
            flores = carom("explain flores");
    assert_int_equal(families.status, 0);
    assert_non_null(strstr(families.out, "integrator"));
    assert_int_equal(laws.status, 0);
    assert_non_null(strstr(laws.out, "flores"));
    assert_string_equal(laws.out, law.out);
    assert_int_equal(flores.status, 0);
    assert_true(count_lines(flores.out) > 2);
    free_outcome(&families);
    free_outcome(&laws);
    free_outcome(&law);
    free_outcome(&flores);
    outcome keys = carom("list keys"), schema = carom("schema");
    assert_int_equal(keys.status, 0);
    assert_non_null(strstr(keys.out, "until"));
    assert_int_equal(schema.status, 0);
    json_free(expect_json(schema.out));
    free_outcome(&keys);
    free_outcome(&schema);
}

static void test_results(void **state)
{
    (void)state;
    outcome run = carom("run ball.yaml -o result-out --quiet");
    assert_int_equal(run.status, 0);
    free_outcome(&run);
    outcome csv = carom("export result-out/ball.h5 --csv --channels body.ball.position.y");
    assert_int_equal(csv.status, 0);
    assert_true(count_lines(csv.out) > 100);
    free_outcome(&csv);
    outcome steps =
        carom("export result-out/ball.h5 --csv --channels contact.hit.force,contact.hit.indentation -o steps.csv");
    assert_int_equal(steps.status, 0);
    assert_string_equal(steps.out, "");
    char *table = read_text("steps.csv");
    assert_true(count_lines(table) > 10);
    free(table);
    free_outcome(&steps);
    expect_error(2, "contact.hit.force", "export result-out/ball.h5 --channels contact.hit.forse");
    expect_error(2, "a table has one group",
                 "export result-out/ball.h5 --group steps --channels contact.hit.force,body.ball.position.y");
    expect_error(4, "nowhere/x.csv", "export result-out/ball.h5 -o nowhere/x.csv");
    static const char *const figures[] = {
        "contact.hit.force -o force.svg",
        "contact.hit.force --impact 1 -o force.pdf",
        "contact.hit.force --against contact.hit.indentation -o force.png",
        "contact.hit.force --against body.ball.position.y -o against.svg",
        "body.ball.position.x body.ball.position.y --from 0.1 --to 0.2 --title 'Ball' -o path.svg",
    };
    for (size_t k = 0; k < COUNT(figures); k++) {
        outcome o = carom("plot result-out/ball.h5 %s", figures[k]);
        if (o.status != 0)
            fail_msg("carom plot %s: %d, %s", figures[k], o.status, o.err);
        assert_string_equal(o.out, "");
        free_outcome(&o);
    }
    assert_true(exists("force.svg") && exists("force.pdf") && exists("force.png") && exists("path.svg"));
    expect_error(2, "three differing units",
                 "plot result-out/ball.h5 body.ball.position.y body.ball.velocity.y contact.hit.force -o x.svg");
    expect_error(2, "no impact 99", "plot result-out/ball.h5 contact.hit.force --impact 99 -o x.svg");
    expect_error(2, "no rows", "plot result-out/ball.h5 contact.hit.force --from 7 -o x.svg");
    expect_error(4, "nowhere/x.svg", "plot result-out/ball.h5 contact.hit.force -o nowhere/x.svg");
    assert_false(exists("x.svg"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_help),         cmocka_unit_test(test_usage),        cmocka_unit_test(test_files),
        cmocka_unit_test(test_wrong_models), cmocka_unit_test(test_run_json),     cmocka_unit_test(test_run_text),
        cmocka_unit_test(test_checkpoint),   cmocka_unit_test(test_interruption), cmocka_unit_test(test_check),
        cmocka_unit_test(test_explain),      cmocka_unit_test(test_results),
    };
    return cmocka_run_group_tests_name("cli", tests, set_up, leave_folder);
}
