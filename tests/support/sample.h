/* Tests that take some of many cases: which, the commit says, so that all have their turn. */
#ifndef CAROM_TEST_SAMPLE_H
#define CAROM_TEST_SAMPLE_H

#include "carom_test.h"

/* Whether all cases are wanted: CAROM_TEST_ALL=1. */
bool sample_all(void);

/* First of *count of `total` cases: *count becomes all of them with CAROM_TEST_ALL=1. */
int sample_first(int total, int *count);

/* Whether case k, from 0, of a slow test has its turn: each has one in `plain` commits, under the address sanitizer in
   `sanitized`. */
bool sample_turn(int k, int plain, int sanitized);

/* Names of the files of models/, without `.yaml`, in their order, that have their turn: a quarter, under the sanitizer
   a sixteenth. */
typedef char sample_name[64];
int sample_models(sample_name *names, int room);

/* cmocka_run_group_tests() of those tests of an array that have their turn. */
#define sample_group_tests(tests, plain, sanitized, set_up, tear_down)                                                 \
    sample_run_tests(#tests, tests, sizeof(tests) / sizeof *(tests), plain, sanitized, set_up, tear_down)
int sample_run_tests(const char *group, const struct CMUnitTest *tests, size_t count, int plain, int sanitized,
                     CMFixtureFunction set_up, CMFixtureFunction tear_down);

#endif
