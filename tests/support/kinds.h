/* The kinds that every context knows. */
#ifndef TEST_KINDS_H
#define TEST_KINDS_H

#include "kinds/kind.h"

/* A context made at the first call and destroyed at the end of the program. */
const carom_context *all_kinds(void);

#endif
