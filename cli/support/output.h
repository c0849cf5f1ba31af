/* What the rows of a run need, in words. */
#ifndef CAROM_CLI_OUTPUT_H
#define CAROM_CLI_OUTPUT_H

#include "support/cli.h"

/* In a line; false: it is not much. */
bool output_line(const carom_output_estimate *rows, char *text, size_t size);
/* That contacts are recorded at the output interval alone, in lines with an indent of so many columns; nothing where
   they are not, or where the model asks for it. */
void output_print_contacts(const carom_output_estimate *rows, size_t indent);

#endif
