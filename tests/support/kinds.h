/* Contexts for tests that ask for kinds; made at the first call and destroyed at the end of the program. */
#ifndef TEST_KINDS_H
#define TEST_KINDS_H

#include "kinds/kind.h"

/* The built-in kinds. */
const carom_context *all_kinds(void);
/* Those and the kinds of support/outside.h: what the contract of kinds is tested with. */
const carom_context *every_kind(void);

#endif
