/* The cases of tests/data/mechanisms.json at two tolerances. */
#include "carom_test.h"
#include "support/golden.h"

#include <string.h>

json *mechanisms;

int golden_open(void **state)
{
    (void)state;
    mechanisms = reference_open("mechanisms.json");
    return mechanisms ? 0 : -1;
}

int golden_close(void **state)
{
    (void)state;
    json_free(mechanisms);
    return 0;
}

static const char *prefix_of_cases;
static size_t least_of_cases;
static golden_case run_of_cases;

static void all_cases(double tolerance, double relative)
{
    const json *cases = json_member(mechanisms, "cases");
    size_t seen = 0;
    for (size_t k = 0; k < json_size(cases); k++) {
        const json *c = json_item(cases, k);
        const char *id = json_text(json_member(c, "id"));
        if (strncmp(id, prefix_of_cases, strlen(prefix_of_cases)) != 0 || strstr(id, "eq40-printed"))
            continue;
        run_of_cases(c, tolerance, relative);
        seen++;
    }
    assert_true(seen >= least_of_cases);
}

static void test_tight(void **state)
{
    (void)state;
    all_cases(1e-10, 1e-6);
}

static void test_default(void **state)
{
    (void)state;
    all_cases(1e-8, 1e-4);
}

int golden_main(const char *prefix, size_t least, golden_case run)
{
    prefix_of_cases = prefix;
    least_of_cases = least;
    run_of_cases = run;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tight), cmocka_unit_test(test_default)};
    return cmocka_run_group_tests(tests, golden_open, golden_close);
}
