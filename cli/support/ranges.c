/* Lists and ranges in options. */
#include "support/ranges.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NUMBERS 100000

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

/* ---- numbers with units ---- */

int read_number_option(const session *s, const char *command, const char *name, const char *text, const char *unit,
                       double *out)
{
    char what[64];
    snprintf(what, sizeof what, "%s: --%s", command, name);
    carom_status status = carom_law_quantity(s->ctx, what, text, unit, out);
    return status == CAROM_OK ? EXIT_DONE : session_fail(s, EXIT_USAGE, "%s", carom_context_error(s->ctx));
}

static int add_number(number_list *list, double number)
{
    double *items = realloc(list->items, (list->count + 1) * sizeof *items);
    if (!items)
        return memory_error();
    items[list->count++] = number;
    list->items = items;
    return EXIT_DONE;
}

static int add_range(const char *command, const char *name, const double number[3], number_list *out)
{
    double steps = range_steps(number);
    if (!(steps >= 0) || !isfinite(steps))
        return usage_error(command, "--%s: the range never gets from %.10g to %.10g by steps of %.10g", name, number[0],
                           number[1], number[2]);
    if (steps + (double)out->count >= MOST_NUMBERS)
        return usage_error(command, "--%s: more than %d numbers", name, MOST_NUMBERS);
    int code = EXIT_DONE;
    for (size_t k = 0; k <= (size_t)steps && code == EXIT_DONE; k++) {
        char text[40];
        range_text(number, k, text);
        code = add_number(out, strtod(text, NULL));
    }
    return code;
}

/* A number or a range; the text is cut into its parts. */
static int add_item(const session *s, const char *command, const char *name, char *item, const char *unit,
                    number_list *out)
{
    double number[3];
    int count = 0;
    for (char *part = item; part;) {
        char *end = part_end(part, ':');
        bool last = *end == '\0';
        *end = '\0';
        if (count == 3)
            return usage_error(command, "--%s: a range is first:last:step", name);
        if (!*trim(part))
            return usage_error(command, "--%s: a number is missing", name);
        int code = read_number_option(s, command, name, trim(part), unit, &number[count++]);
        if (code != EXIT_DONE)
            return code;
        part = last ? NULL : end + 1;
    }
    if (count == 2)
        return usage_error(command, "--%s: a range is first:last:step; the step is missing", name);
    return count == 1 ? add_number(out, number[0]) : add_range(command, name, number, out);
}

int read_range_option(const session *s, const char *command, const char *name, const char *text, const char *unit,
                      number_list *out)
{
    char *copy = format_text("%s", text);
    int code = copy ? EXIT_DONE : memory_error();
    for (char *item = copy; item && code == EXIT_DONE;) {
        char *end = part_end(item, ',');
        bool last = *end == '\0';
        *end = '\0';
        code = add_item(s, command, name, item, unit, out);
        item = last ? NULL : end + 1;
    }
    free(copy);
    return code;
}
