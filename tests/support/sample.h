/* Tests that take some of many cases: which, the commit says, so that all have their turn. */
#ifndef CAROM_TEST_SAMPLE_H
#define CAROM_TEST_SAMPLE_H

#include <stdbool.h>

/* First of *count of `total` cases: *count becomes all of them with CAROM_TEST_ALL=1. */
int sample_first(int total, int *count);

/* Slow tests over all models take half of them, under sanitizers a sixth: whether a model is in it, by its name. */
bool sample_has(const char *model);

#endif
