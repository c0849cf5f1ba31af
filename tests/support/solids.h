/* Random solid shapes: parameters within their ranges, in sizes that fit each other. */
#ifndef CAROM_TEST_SOLIDS_H
#define CAROM_TEST_SOLIDS_H

#include <stdint.h>
#include "kinds/shape/shape_solid.h"

/* Uniform in [low, high) of a fixed sequence. */
double solid_uniform(uint64_t *seed, double low, double high);
/* Three of them in [-size, size), drawn one after the other: compilers choose the order of arguments. */
carom_vec3 solid_vector(uint64_t *seed, double size);
/* A packed solid of the kind that its check accepts, lengths from 0.05 to 1.5; `hollow`: where the kind may be. Returns
   how many were refused before. */
int solid_random(const carom_shape_kind *kind, uint64_t *seed, bool hollow, double *solid);
bool solid_may_be_hollow(const carom_shape_kind *kind);
/* Kinds that are solids; NULL after the last. */
const carom_shape_kind *solid_kind_at(size_t index);

#endif
