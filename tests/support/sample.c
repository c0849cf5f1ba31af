#include "support/sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sample_first(int total, int *count)
{
    const char *all = getenv("CAROM_TEST_ALL"), *source = getenv("CAROM_SOURCE_DIR");
    char command[1100], hash[16] = "";
    if (all && strcmp(all, "0") != 0) {
        *count = total;
        return 0;
    }
    snprintf(command, sizeof command, "git -C '%s' rev-parse --short=7 HEAD 2>/dev/null", source ? source : ".");
    FILE *pipe = popen(command, "r");
    if (pipe && !fgets(hash, sizeof hash, pipe))
        *hash = 0;
    if (pipe)
        pclose(pipe);
    return (int)(strtol(hash, NULL, 16) % total);
}

#ifdef __SANITIZE_ADDRESS__
enum { PARTS = 6 };
#else
enum { PARTS = 2 };
#endif

bool sample_has(const char *model)
{
    static int first = -1, count = 1;
    int sum = 0;
    if (first < 0)
        first = sample_first(PARTS, &count);
    for (const char *c = model; *c; c++)
        sum += *c;
    return count == PARTS || sum % PARTS == first;
}
