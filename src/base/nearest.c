/* The name that was meant. */
#include "base/base.h"

#include <string.h>
#include <strings.h>

/* Edit distance with insertions, deletions, substitutions and swaps of neighbours; words up to 63 characters. */
static int edit_distance(const char *a, const char *b)
{
    int d[3][64];
    int n = (int)strlen(a), m = (int)strlen(b);
    if (n > 62 || m > 62)
        return 64;
    for (int j = 0; j <= m; j++)
        d[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int *row = d[i % 3], *up = d[(i + 2) % 3], *up2 = d[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            int best = up[j - 1] + (a[i - 1] != b[j - 1]);
            if (up[j] + 1 < best)
                best = up[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && up2[j - 2] + 1 < best)
                best = up2[j - 2] + 1;
            row[j] = best;
        }
    }
    return d[n % 3][m];
}

const char *carom_nearest_name(const char *word, const char *const *names, size_t count)
{
    if (!word || strlen(word) > 62)
        return NULL;
    int limit = (int)strlen(word) / 3;
    int best = limit < 1 ? 1 : limit;
    const char *nearest = NULL;
    for (size_t k = 0; k < count; k++) {
        if (strcasecmp(word, names[k]) == 0)
            return names[k];
        int distance = edit_distance(word, names[k]);
        /* of one letter that is another one nothing is near */
        const size_t letters = strlen(word) > strlen(names[k]) ? strlen(word) : strlen(names[k]);
        if (distance <= best && (size_t)distance < letters && (!nearest || distance < best)) {
            best = distance;
            nearest = names[k];
        }
    }
    return nearest;
}
