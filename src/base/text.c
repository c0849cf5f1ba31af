/* Growing texts, nearest names, numbers, hashes. */
#include "base/base.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void carom_text_append_n(carom_text *text, const char *bytes, size_t length)
{
    if (text->failed)
        return;
    if (carom_grow(text->ctx, &text->data, &text->capacity, text->length + length + 1, 1) != CAROM_OK) {
        text->failed = true;
        return;
    }
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void carom_text_append(carom_text *text, const char *format, ...)
{
    if (text->failed)
        return;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0 ||
        carom_grow(text->ctx, &text->data, &text->capacity, text->length + (size_t)length + 1, 1) != CAROM_OK) {
        text->failed = true;
        return;
    }
    va_start(args, format);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, args);
    va_end(args);
    text->length += (size_t)length;
}

void carom_text_clear(carom_text *text)
{
    carom_release(text->ctx, text->data, text->capacity, 1);
    text->data = NULL;
    text->length = text->capacity = 0;
}

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
    if (strlen(word) > 62)
        return NULL;
    int limit = (int)strlen(word) / 3;
    int best = limit < 1 ? 1 : limit;
    const char *nearest = NULL;
    for (size_t k = 0; k < count; k++) {
        if (strcasecmp(word, names[k]) == 0)
            return names[k];
        int distance = edit_distance(word, names[k]);
        if (distance <= best && (!nearest || distance < best)) {
            best = distance;
            nearest = names[k];
        }
    }
    return nearest;
}

carom_status carom_fail_unknown(carom_context *ctx, const carom_place *place, const char *owner, const char *what,
                                const char *word, const char *const *names, size_t count)
{
    const char *nearest = carom_nearest_name(word, names, count);
    if (nearest)
        return carom_fail(ctx, CAROM_ERROR_MODEL, place, "%s: no %s '%s'; did you mean '%s'?", owner, what, word,
                          nearest);
    carom_text known = {.ctx = ctx};
    for (size_t k = 0; k < count && k < 12; k++)
        carom_text_append(&known, "%s%s", k ? ", " : "", names[k]);
    carom_status status = carom_fail(ctx, CAROM_ERROR_MODEL, place, "%s: no %s '%s'; %s%s%s", owner, what, word,
                                     count ? "there are: " : "there are none",
                                     known.data && !known.failed ? known.data : "", count > 12 ? ", ..." : "");
    carom_text_clear(&known);
    return status;
}

size_t carom_utf8_size(const char *text, size_t room)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
    if (n == 0 || n > room)
        return 0;
    for (size_t k = 1; k < n; k++)
        if ((s[k] & 0xc0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool outside = (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf4 && s[1] > 0x8f);
    return overlong || outside ? 0 : n;
}

bool carom_parse_number(const char *text, size_t length, double *out)
{
    char copy[64];
    if (!length || length >= sizeof copy)
        return false;
    /* digits, one point, one exponent: strtod alone would also take hex, inf, nan and spaces */
    for (size_t k = 0; k < length; k++)
        if (!strchr("0123456789+-.eE", text[k]))
            return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    /* strtod takes the point of the program's locale */
    char *point = strchr(copy, '.'), sample[16];
    if (point && snprintf(sample, sizeof sample, "%.1f", 0.5) == 3)
        *point = sample[1];
    char *end;
    double value = strtod(copy, &end);
    if (end != copy + length || !isfinite(value))
        return false;
    *out = value;
    return true;
}

const char *carom_number_text(char *text, double value)
{
    snprintf(text, 40, "%.17g", value);
    for (char *p = text; *p; p++)
        if (!strchr("0123456789+-e", *p))
            *p = '.';
    return text;
}

uint64_t carom_hash(const void *bytes, size_t length, uint64_t seed)
{
    const unsigned char *b = bytes;
    uint64_t h = seed ? seed : 14695981039346656037u;
    for (size_t k = 0; k < length; k++)
        h = (h ^ b[k]) * 1099511628211u;
    return h;
}
