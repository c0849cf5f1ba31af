/* What the rows of a run need, in words. */
#ifndef CAROM_CLI_OUTPUT_H
#define CAROM_CLI_OUTPUT_H

#include "support/cli.h"

/* In a line; false: it is not much. */
bool output_line(const carom_output_estimate *rows, char *text, size_t size);

#endif
