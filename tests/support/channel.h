/* A channel for the tests that write results; its parts are those of its name. */
#ifndef CAROM_TEST_CHANNEL_H
#define CAROM_TEST_CHANNEL_H

#include "carom/simulation.h"

#define CHANNEL(NAME, UNIT, SENTENCE, SIZE, COMPONENTS, GROUP)                                                \
    {                                                                                                        \
        .name = NAME, .unit = UNIT, .description = SENTENCE, .size = SIZE, .components = COMPONENTS, .group = GROUP \
    }

#endif
