/* Growing texts, nearest names, numbers, hashes. */
#include "base/base.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

carom_status carom_text_finish(carom_text *text, char **out)
{
    char *block = text->failed ? NULL : carom_allocate(text->ctx, text->length + 1, 1);
    if (block)
        memcpy(block, text->data ? text->data : "", text->length + 1);
    carom_text_clear(text);
    if (!block)
        return carom_fail_memory(text->ctx);
    *out = block;
    return CAROM_OK;
}

carom_status carom_text_read(carom_text *text, const char *path, size_t most)
{
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (!file)
        return carom_fail_open(text->ctx, path);
    char block[16384];
    size_t n;
    while (!text->failed && text->length <= most && (n = fread(block, 1, sizeof block, file)) > 0)
        carom_text_append_n(text, block, n);
    bool bad = ferror(file) != 0;
    int reason = errno;
    fclose(file);
    if (text->failed)
        return carom_fail_memory(text->ctx);
    if (bad)
        return carom_fail(text->ctx, CAROM_ERROR_IO, NULL, "%.1000s: cannot be read: %s", path, strerror(reason));
    return CAROM_OK;
}

size_t carom_utf8_size(const char *text, size_t available)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
    if (n == 0 || n > available)
        return 0;
    for (size_t k = 1; k < n; k++)
        if ((s[k] & 0xc0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool outside = (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf4 && s[1] > 0x8f);
    return overlong || outside ? 0 : n;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static size_t skip_word(const char *text, size_t at)
{
    while (is_word(text[at]))
        at++;
    return at;
}

bool carom_path_is_plain(const char *family, size_t length)
{
    static const char *const plain[] = {"energy", "solver", "constraint", "ledger", "value", "impacts", "rests"};
    for (size_t k = 0; k < CAROM_COUNT(plain); k++)
        if (strlen(plain[k]) == length && memcmp(plain[k], family, length) == 0)
            return true;
    return false;
}

/* Whether `family.object.quantity` or `energy.kinetic` begins here. */
static bool begins_path(const char *text, size_t at)
{
    static const char *const families[] = {"body", "contact", "joint", "load", "frame", "output", "input", "state"};
    const size_t end = skip_word(text, at), length = end - at;
    if (text[end] != '.' || !is_word(text[end + 1]))
        return false;
    if (carom_path_is_plain(text + at, length))
        return true;
    size_t object = end + 1;
    while (is_word(text[object]) || text[object] == '-')
        object++;
    for (size_t k = 0; k < CAROM_COUNT(families); k++)
        if (strlen(families[k]) == length && memcmp(families[k], text + at, length) == 0)
            return text[object] == '.' && is_word(text[object + 1]) && !(text[end + 1] >= '0' && text[end + 1] <= '9');
    return false;
}

/* Whether the hyphen here joins the parts of a name, which a quantity follows. */
static bool joins(const char *text, size_t hyphen)
{
    size_t end = hyphen + 1;
    if (!is_word(text[end]) || begins_path(text, end))
        return false;
    while (is_word(text[end]) || (text[end] == '-' && !begins_path(text, end + 1)))
        end++;
    return text[end] == '.' && is_word(text[end + 1]);
}

size_t carom_path_end(const char *text, size_t at, bool hyphens, size_t *last)
{
    size_t end = at, dot = at;
    while (is_word(text[end]) || (hyphens && text[end] == '-'))
        end++;
    while (text[end] == '.' && is_word(text[end + 1]))
        for (dot = end++; is_word(text[end]) || (hyphens && text[end] == '-' && joins(text, end));)
            end++;
    if (last)
        *last = dot;
    return end;
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

static const char *number_text(char *text, int digits, double value)
{
    snprintf(text, 40, "%.*g", digits, value);
    for (char *p = text; *p; p++)
        if (!strchr("0123456789+-e", *p))
            *p = '.';
    return text;
}

const char *carom_number_text(char *text, double value) { return number_text(text, 17, value); }

const char *carom_short_number_text(char *text, double value)
{
    double again = 0;
    for (int digits = 15; digits < 17; digits++) {
        number_text(text, digits, value);
        if (carom_parse_number(text, strlen(text), &again) && again == value)
            return text;
    }
    return number_text(text, 17, value);
}

uint64_t carom_hash(const void *bytes, size_t length, uint64_t seed)
{
    const unsigned char *b = bytes;
    uint64_t h = seed ? seed : 14695981039346656037u;
    for (size_t k = 0; k < length; k++)
        h = (h ^ b[k]) * 1099511628211u;
    return h;
}

bool carom_text_fits(const char *pattern, const char *name)
{
    const char *star = NULL, *from = NULL;
    while (*name) {
        if (*pattern == '*') {
            star = ++pattern;
            from = name;
        } else if (*pattern == *name) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star;
            name = ++from;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

bool carom_text_names(const char *item, const char *name)
{
    const size_t n = strlen(item);
    const bool begins = strncmp(name, item, n) == 0 && (name[n] == '\0' || name[n] == '.');
    return begins || (strchr(item, '*') && carom_text_fits(item, name));
}

/* What a program of tables would calculate: a text that begins like a formula and is no number. */
static bool is_formula(const char *field)
{
    char *end;
    if (!strchr("=+-@\t\r", field[0]) || !field[0])
        return false;
    strtod(field, &end);
    return end == field || *end;
}

void carom_csv_put(const char *field, void (*write)(void *user, const char *text, size_t length), void *user)
{
    const bool formula = is_formula(field), quoted = formula || strpbrk(field, ",\"\r\n");
    if (quoted)
        write(user, formula ? "\"'" : "\"", formula ? 2 : 1);
    while (quoted && *field) {
        const size_t plain = strcspn(field, "\"");
        write(user, field, plain);
        field += plain;
        if (*field) {
            write(user, "\"\"", 2);
            field++;
        }
    }
    write(user, quoted ? "\"" : field, quoted ? 1 : strlen(field));
}

static void append_part(void *user, const char *text, size_t length) { carom_text_append_n(user, text, length); }

void carom_text_append_csv(carom_text *text, const char *field) { carom_csv_put(field, append_part, text); }
