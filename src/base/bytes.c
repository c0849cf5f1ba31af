/* Sizes of files as people write them. */
#include "base/base.h"

#include <math.h>
#include <string.h>

bool carom_parse_size(const char *text, double *bytes)
{
    static const struct {
        const char *name;
        double bytes;
    } units[] = {{"", 1}, {"B", 1}, {"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}};
    if (!text)
        return false;
    const size_t digits = strspn(text, "0123456789.eE+"), blanks = strspn(text + digits, " ");
    double value;
    if (!carom_parse_number(text, digits, &value))
        return false;
    for (size_t k = 0; k < CAROM_COUNT(units); k++)
        if (strcmp(text + digits + blanks, units[k].name) == 0) {
            *bytes = floor(value * units[k].bytes);
            return *bytes >= 1;
        }
    return false;
}
