/* A contact law by itself: what carom/law.h calls carom_law. */
#ifndef CAROM_LAW_OBJECT_H
#define CAROM_LAW_OBJECT_H

#include "carom/law.h"
#include "law/normal_law.h"

struct carom_law {
    carom_context *ctx;         /* of its memory; a law that is compiled writes nothing to it */
    carom_arena arena;
    carom_normal_law normal;
    carom_law_info info;
};

#endif
