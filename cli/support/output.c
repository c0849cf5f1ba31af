/* What the rows of a run need, in words. */
#include "support/output.h"
#include "support/terminal.h"

#include <stdio.h>

#define MUCH 100e6              /* bytes that are told of */

bool output_line(const carom_output_estimate *rows, char *text, size_t size)
{
    const bool giga = rows->bytes >= 1e9;
    snprintf(text, size, "%-12s %.0f rows of %zu numbers, up to about %.*f %s", "output", rows->rows, rows->numbers,
             giga ? 1 : 0, (giga ? 1e-9 : 1e-6) * rows->bytes, giga ? "GB" : "MB");
    return rows->bytes >= MUCH;
}

void output_print_contacts(const carom_output_estimate *rows, size_t indent)
{
    if (rows->not_recorded)
        print_line(indent,
                   "%-12s %zu places of contacts of sets, each of whose onsets is located: a heap that takes long is "
                   "faster with `integrator: verlet`, a `step` and a regularised friction law. They are not recorded "
                   "each by itself; there are their sums, `contact.SET.force` and others, and all impacts; `output: "
                   "{contacts: interval}` of the run asks for the places",
                   "contacts", rows->not_recorded);
    if (rows->at_interval)
        print_line(indent,
                   "%-12s %zu places of contacts of sets are recorded at the output interval, not at every step; "
                   "`output: {contacts: every-step}` of the run asks for that",
                   "contacts", rows->at_interval);
}
