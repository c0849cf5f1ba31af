/* Tests that take some of many cases: which, the commit says, so that all have their turn. */
#ifndef CAROM_TEST_SAMPLE_H
#define CAROM_TEST_SAMPLE_H

/* First of *count of `total` cases: *count becomes all of them with CAROM_TEST_ALL=1. */
int sample_first(int total, int *count);

#endif
