/* Lists and ranges in options. */
#include "support/ranges.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

char *part_end(char *text, char separator)
{
    int depth = 0;
    for (; *text; text++) {
        depth += (*text == '(') - (*text == ')');
        if (*text == separator && depth <= 0)
            break;
    }
    return text;
}

char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    for (size_t length = strlen(text); length > 0 && isspace((unsigned char)text[length - 1]); length--)
        text[length - 1] = '\0';
    return text;
}

double range_steps(const double number[3]) { return floor((number[1] - number[0]) / number[2] + 1e-9); }

void range_text(const double number[3], unsigned long step, char text[40])
{
    double value = number[0] + (double)step * number[2];
    snprintf(text, 40, "%.15g", fabs(value) < 1e-12 * fabs(number[2]) ? 0 : value);
}
