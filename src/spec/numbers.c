/* Numbers of model files, as they are read. */
#include "spec/numbers.h"

#include <math.h>
#include <string.h>

carom_status carom_read_numbers_add(carom_read_numbers *numbers, double value, const char *unit)
{
    static const struct {
        const char *unit;
        carom_read_scale scale;
    } scales[] = {{"m", CAROM_READ_LENGTH}, {"m/s", CAROM_READ_SPEED}, {"rad", CAROM_READ_ANGLE},
                  {"rad/s", CAROM_READ_RATE}};
    if (!numbers)
        return CAROM_OK;
    CAROM_TRY(carom_grow(numbers->ctx, &numbers->at, &numbers->capacity, numbers->count + 1, sizeof *numbers->at));
    carom_read_one *one = &numbers->at[numbers->count++];
    *one = (carom_read_one){.value = value, .size = fabs(value)};
    for (size_t k = 0; k < CAROM_COUNT(scales) && unit; k++)
        if (strcmp(unit, scales[k].unit) == 0)
            one->scale = scales[k].scale;
    return CAROM_OK;
}

void carom_read_numbers_join(carom_read_numbers *numbers, size_t count)
{
    if (!numbers || count > numbers->count)
        return;
    carom_read_one *first = numbers->at + (numbers->count - count);
    double size = 0;
    for (size_t k = 0; k < count; k++)
        size = hypot(size, first[k].value);
    for (size_t k = 0; k < count; k++) {
        first[k].size = size;
        first[k].scale = first[k].scale == CAROM_READ_LENGTH  ? CAROM_READ_PLACE
                         : first[k].scale == CAROM_READ_SPEED ? CAROM_READ_VELOCITY
                                                              : first[k].scale;
    }
}

void carom_read_numbers_free(carom_read_numbers *numbers)
{
    carom_release(numbers->ctx, numbers->at, numbers->capacity, sizeof *numbers->at);
    *numbers = (carom_read_numbers){.ctx = numbers->ctx};
}
