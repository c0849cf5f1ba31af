/* What the golden tests share: the cases of tests/data/mechanisms.json, run at two tolerances. */
#ifndef CAROM_TEST_GOLDEN_H
#define CAROM_TEST_GOLDEN_H

#include "support/runs.h"

/* The file, from golden_open() to golden_close(): set-up and tear-down of a group of tests. */
extern json *mechanisms;
int golden_open(void **state);
int golden_close(void **state);

/* Compares a run with a case: all within `relative` of each quantity's largest value. */
typedef void (*golden_case)(const json *one_case, double tolerance, double relative);

/* main() of a test: all cases whose id begins with `prefix`, `least` of them or more, within 1e-6 at the tolerance
   1e-10 and within 1e-4 at the default one. Cases of formulas that are misprinted in the literature are left out. */
int golden_main(const char *prefix, size_t least, golden_case run);

#endif
