/* One kind of each family as a program registers its own, with formulas of built-in ones; through the public header
   only. */
#ifndef TEST_OUTSIDE_H
#define TEST_OUTSIDE_H

#include <carom/kind.h>

/* Registers outside-power, outside-hunt (damping and law), outside-whole, outside-friction, outside-hinge,
   outside-disc, outside-disc-plane, outside-damper, outside-decay. Returns CAROM_OK or the first failure. */
carom_status register_outside(carom_context *ctx);

#endif
