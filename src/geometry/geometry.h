/* What all of geometry shares: the pose of a shape, and what a shape is drawn on. Pure values: no bodies, no time. */
#ifndef CAROM_GEOMETRY_H
#define CAROM_GEOMETRY_H

#include "carom/space.h"
#include "math/vec.h"

#endif
