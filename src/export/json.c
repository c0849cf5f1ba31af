/* JSON as a growing text. */
#include "export/json.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

const char *carom_number_text(char *text, double value)
{
    snprintf(text, 40, "%.17g", value);
    for (char *p = text; *p; p++)
        if (!strchr("0123456789+-e", *p))
            *p = '.';
    return text;
}

/* A text between quotes; characters that need no escape are appended in runs. */
static void append_quoted(carom_text *out, const char *text)
{
    carom_text_append_n(out, "\"", 1);
    const char *run = text, *p = text;
    while (*p) {
        size_t size = carom_utf8_size(p, SIZE_MAX);
        bool plain = size > 1 || (size == 1 && (unsigned char)*p >= 0x20 && !strchr("\"\\<\x7f", *p));
        if (plain) {
            p += size;
            continue;
        }
        carom_text_append_n(out, run, (size_t)(p - run));
        if (*p == '"' || *p == '\\')
            carom_text_append(out, "\\%c", *p);
        else
            carom_text_append(out, "\\u%04x", size ? (unsigned char)*p : 0xfffdu);
        run = ++p;
    }
    carom_text_append_n(out, run, (size_t)(p - run));
    carom_text_append_n(out, "\"", 1);
}

/* What comes before a value: a comma after another one, and the key. */
static void begin_value(carom_json *json, const char *key)
{
    if (json->filled)
        carom_text_append_n(&json->text, ",", 1);
    json->filled = true;
    if (key) {
        append_quoted(&json->text, key);
        carom_text_append_n(&json->text, ":", 1);
    }
}

void carom_json_begin(carom_json *json, const char *key, char bracket)
{
    begin_value(json, key);
    carom_text_append_n(&json->text, &bracket, 1);
    json->filled = false;
}

void carom_json_end(carom_json *json, char bracket)
{
    carom_text_append_n(&json->text, &bracket, 1);
    json->filled = true;
}

void carom_json_bool(carom_json *json, const char *key, bool value)
{
    begin_value(json, key);
    carom_text_append(&json->text, "%s", value ? "true" : "false");
}

void carom_json_null(carom_json *json, const char *key)
{
    begin_value(json, key);
    carom_text_append_n(&json->text, "null", 4);
}

void carom_json_text(carom_json *json, const char *key, const char *text)
{
    if (!text) {
        carom_json_null(json, key);
        return;
    }
    begin_value(json, key);
    append_quoted(&json->text, text);
}

void carom_json_number(carom_json *json, const char *key, double number)
{
    char text[40];
    if (!isfinite(number)) {
        carom_json_null(json, key);
        return;
    }
    begin_value(json, key);
    carom_number_text(text, number);
    carom_text_append_n(&json->text, text, strlen(text));
}

void carom_json_numbers(carom_json *json, const char *key, const double *numbers, size_t count)
{
    carom_json_begin(json, key, '[');
    for (size_t k = 0; k < count; k++)
        carom_json_number(json, NULL, numbers[k]);
    carom_json_end(json, ']');
}
