/* JSON as a growing text. */
#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

carom_status carom_json_create(carom_context *ctx, bool indented, carom_json **out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, out);
    *out = carom_allocate(ctx, 1, sizeof **out);
    if (!*out)
        return carom_fail_memory(ctx);
    **out = (carom_json){.text = {.ctx = ctx}, .indented = indented};
    return CAROM_OK;
}

void carom_json_free(carom_json *json)
{
    if (!json)
        return;
    carom_text_clear(&json->text);
    carom_release(json->text.ctx, json, 1, sizeof *json);
}

carom_status carom_json_get(const carom_json *json, const char **text)
{
    CAROM_NEED(NULL, json);
    CAROM_NEED(json->text.ctx, text);
    *text = json->text.data ? json->text.data : "";
    return json->text.failed ? carom_fail_memory(json->text.ctx) : CAROM_OK;
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
        else if (*p == '\n' || *p == '\t')
            carom_text_append_n(out, *p == '\n' ? "\\n" : "\\t", 2);
        else
            carom_text_append(out, "\\u%04x", size ? (unsigned char)*p : 0xfffdu);
        run = ++p;
    }
    carom_text_append_n(out, run, (size_t)(p - run));
    carom_text_append_n(out, "\"", 1);
}

static void new_line(carom_json *json)
{
    if (json->indented && !json->on_one_line)
        carom_text_append(&json->text, "\n%*s", 2 * json->depth, "");
}

/* What comes before a value: a comma after another one, and the key. */
static void begin_value(carom_json *json, const char *key)
{
    if (json->filled)
        carom_text_append_n(&json->text, ", ", json->indented && json->on_one_line ? 2 : 1);
    if (json->depth > 0)
        new_line(json);
    json->filled = true;
    if (key) {
        append_quoted(&json->text, key);
        carom_text_append_n(&json->text, ": ", json->indented ? 2 : 1);
    }
}

void carom_json_begin(carom_json *json, const char *key, char bracket)
{
    if (!json)
        return;
    begin_value(json, key);
    carom_text_append_n(&json->text, &bracket, 1);
    json->filled = false;
    json->depth++;
}

void carom_json_end(carom_json *json, char bracket)
{
    if (!json)
        return;
    json->depth--;
    if (json->filled)
        new_line(json);
    carom_text_append_n(&json->text, &bracket, 1);
    json->filled = true;
    if (json->depth == 0)
        new_line(json);
}

void carom_json_raw(carom_json *json, const char *entries)
{
    if (!json || !entries)
        return;
    begin_value(json, NULL);
    carom_text_append_n(&json->text, entries, strlen(entries));
}

void carom_json_bool(carom_json *json, const char *key, bool value)
{
    if (!json)
        return;
    begin_value(json, key);
    carom_text_append(&json->text, "%s", value ? "true" : "false");
}

void carom_json_null(carom_json *json, const char *key)
{
    if (!json)
        return;
    begin_value(json, key);
    carom_text_append_n(&json->text, "null", 4);
}

void carom_json_text(carom_json *json, const char *key, const char *text)
{
    if (!json)
        return;
    if (!text) {
        carom_json_null(json, key);
        return;
    }
    begin_value(json, key);
    append_quoted(&json->text, text);
}

void carom_json_number(carom_json *json, const char *key, double number)
{
    if (!json)
        return;
    char text[40];
    if (!isfinite(number)) {
        carom_json_null(json, key);
        return;
    }
    begin_value(json, key);
    carom_number_text(text, number);
    carom_text_append_n(&json->text, text, strlen(text));
}

void carom_json_integer(carom_json *json, const char *key, int64_t number)
{
    if (!json)
        return;
    begin_value(json, key);
    carom_text_append(&json->text, "%" PRId64, number);
}

void carom_json_numbers(carom_json *json, const char *key, const double *numbers, size_t count)
{
    if (!json || (!numbers && count))
        return;
    const bool on_one_line = json->on_one_line;
    carom_json_begin(json, key, '[');
    json->on_one_line = true;
    for (size_t k = 0; k < count; k++)
        carom_json_number(json, NULL, numbers[k]);
    carom_json_end(json, ']');
    json->on_one_line = on_one_line;
}

void carom_json_fields(carom_json *json, const carom_field *fields, size_t count, const void *record)
{
    if (!json || (count && (!fields || !record)))
        return;
    for (size_t k = 0; k < count; k++) {
        const void *member = (const char *)record + fields[k].offset;
        if (fields[k].type == CAROM_FIELD_TEXT)
            carom_json_text(json, fields[k].name, *(const char *const *)member);
        else if (fields[k].type == CAROM_FIELD_INDEX)
            carom_json_integer(json, fields[k].name, (int64_t) * (const size_t *)member);
        else
            carom_json_number(json, fields[k].name, *(const double *)member);
    }
}
