/* The numbers that the texts of a model file stand for, in the order in which they are read: of two documents that
   differ in the value of a parameter they show what is made of it, and how strongly it depends on it. */
#ifndef CAROM_SPEC_NUMBERS_H
#define CAROM_SPEC_NUMBERS_H

#include "base/base.h"

/* What a number of a file is measured with beside its own size. */
typedef enum carom_read_scale {
    CAROM_READ_OWN,             /* nothing */
    CAROM_READ_LENGTH, CAROM_READ_SPEED,        /* lengths and speeds that are no parts of a vector */
    CAROM_READ_PLACE, CAROM_READ_VELOCITY,      /* parts of vectors in m and m/s, which may be zero */
    CAROM_READ_ANGLE, CAROM_READ_RATE           /* in rad and rad/s, likewise */
} carom_read_scale;

typedef struct carom_read_one {
    double value;
    double size;                /* of the vector that it is a part of, else its own */
    carom_read_scale scale;
} carom_read_one;

typedef struct carom_read_numbers {
    carom_context *ctx;
    carom_read_one *at;
    size_t count, capacity;
} carom_read_numbers;

/* One more; `numbers` NULL: nothing is kept. */
carom_status carom_read_numbers_add(carom_read_numbers *numbers, double value, const char *unit);
/* The last `count` are the parts of a vector. */
void carom_read_numbers_join(carom_read_numbers *numbers, size_t count);
void carom_read_numbers_free(carom_read_numbers *numbers);

#endif
