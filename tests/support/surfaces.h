/* Surfaces of every family in several proportions. */
#ifndef CAROM_TEST_SURFACES_H
#define CAROM_TEST_SURFACES_H

#include "geometry/surface/surface.h"

typedef struct test_surface {
    const char *name;
    const carom_surface_kind *kind;
    double p[16];
} test_surface;

/* Sizes of the order of 1 m; NULL after the last. */
const test_surface *test_surface_at(size_t index);
carom_surface test_surface_named(const char *name);

#endif
