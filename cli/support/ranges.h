/* Lists and ranges in options, "a,b,first:last:step": their parts and values. */
#ifndef CAROM_CLI_RANGES_H
#define CAROM_CLI_RANGES_H

#include "support/cli.h"
#include "support/options.h"

/* End of the part of a text up to a separator outside of brackets. */
char *part_end(char *text, char separator);
/* The text without the blanks around it, cut in place. */
char *trim(char *text);

/* Steps of the range first:last:step, a whole number; one that is not finite or below 0 if it never gets there. A step
   that does not divide the range exactly only by rounding still reaches its end. */
double range_steps(const double number[3]);
/* Writes a value of the range: 0.3 and not 0.30000000000000004; what remains of zero is zero. */
void range_text(const double number[3], unsigned long step, char text[40]);

/* A number with units; prints errors. */
int read_number_option(const session *s, const char *command, const char *name, const char *text, const char *unit,
                       double *out);
/* "a,b,c" and "first:last:step", numbers with units, in any mixture; a new array. */
int read_range_option(const session *s, const char *command, const char *name, const char *text, const char *unit,
                      number_list *out);

#endif
