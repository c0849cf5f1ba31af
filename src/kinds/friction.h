/* Friction laws: what the kinds of the family share. */
#ifndef CAROM_FRICTION_H
#define CAROM_FRICTION_H

#include "kinds/kinds.h"

#define CAROM_KIND(symbol) extern const carom_friction_kind carom_friction_##symbol;
#include "kinds/friction/friction.def"
#undef CAROM_KIND

#endif
