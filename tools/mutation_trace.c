/* Linked into a test program whose sources were compiled with gcc's -fsanitize-coverage=trace-pc: writes where the program has
   been, as offsets from its begin, to the file CAROM_REACHED (tools/mutation.py). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

extern const char __executable_start;
static unsigned char seen[1 << 25];

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    const uintptr_t at = (uintptr_t)__builtin_return_address(0) - (uintptr_t)&__executable_start;
    if (at < sizeof seen)
        seen[at] = 1;
}

__attribute__((destructor)) static void write_seen(void)
{
    const char *name = getenv("CAROM_REACHED");
    FILE *file = name ? fopen(name, "w") : NULL;
    for (size_t at = 0; file && at < sizeof seen; at++)
        if (seen[at])
            fprintf(file, "0x%zx\n", at - 1);
    if (file)
        fclose(file);
}
