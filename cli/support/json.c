/* JSON writer. */
#include "support/json.h"

#include <inttypes.h>
#include <math.h>

/* Length of the UTF-8 sequence at `text`, 0 if it is malformed. */
static int sequence_length(const unsigned char *text)
{
    int length = text[0] < 0x80   ? 1
                 : text[0] < 0xC2 ? 0
                 : text[0] < 0xE0 ? 2
                 : text[0] < 0xF0 ? 3
                 : text[0] < 0xF5 ? 4
                                  : 0;
    for (int k = 1; k < length; k++)
        if ((text[k] & 0xC0) != 0x80)
            return 0;
    if (length == 3 && ((text[0] == 0xE0 && text[1] < 0xA0) || (text[0] == 0xED && text[1] > 0x9F)))
        return 0;
    if (length == 4 && ((text[0] == 0xF0 && text[1] < 0x90) || (text[0] == 0xF4 && text[1] > 0x8F)))
        return 0;
    return length;
}

static void write_string(json_writer *json, const char *text)
{
    fputc('"', json->file);
    const unsigned char *c = (const unsigned char *)text;
    while (*c) {
        int length = sequence_length(c);
        if (length == 0)
            fputs("\\ufffd", json->file);
        else if (*c == '"' || *c == '\\')
            fprintf(json->file, "\\%c", *c);
        else if (*c == '\n')
            fputs("\\n", json->file);
        else if (*c == '\t')
            fputs("\\t", json->file);
        else if (*c < 0x20 || *c == 0x7F)
            fprintf(json->file, "\\u%04x", *c);
        else
            fwrite(c, 1, (size_t)length, json->file);
        c += length == 0 ? 1 : length;
    }
    fputc('"', json->file);
}

static void new_line(json_writer *json) { fprintf(json->file, "\n%*s", 2 * json->depth, ""); }

/* Comma, line and key before an entry. */
static void begin_entry(json_writer *json, const char *key)
{
    if (json->depth > 0) {
        if (json->filled)
            fputc(',', json->file);
        new_line(json);
    }
    if (key) {
        write_string(json, key);
        fputs(": ", json->file);
    }
    json->filled = true;
}

static void begin(json_writer *json, const char *key, char bracket)
{
    begin_entry(json, key);
    fputc(bracket, json->file);
    json->depth++;
    json->filled = false;
}

static void end(json_writer *json, char bracket)
{
    json->depth--;
    if (json->filled)
        new_line(json);
    fputc(bracket, json->file);
    json->filled = true;
    if (json->depth == 0)
        fputc('\n', json->file);
}

void json_begin_object(json_writer *json, const char *key) { begin(json, key, '{'); }

void json_end_object(json_writer *json) { end(json, '}'); }

void json_begin_array(json_writer *json, const char *key) { begin(json, key, '['); }

void json_end_array(json_writer *json) { end(json, ']'); }

void json_text(json_writer *json, const char *key, const char *text)
{
    begin_entry(json, key);
    if (text)
        write_string(json, text);
    else
        fputs("null", json->file);
}

static void write_number(json_writer *json, double number)
{
    if (isfinite(number))
        fprintf(json->file, "%.17g", number);
    else
        fputs("null", json->file);
}

void json_number(json_writer *json, const char *key, double number)
{
    begin_entry(json, key);
    write_number(json, number);
}

void json_integer(json_writer *json, const char *key, int64_t number)
{
    begin_entry(json, key);
    fprintf(json->file, "%" PRId64, number);
}

void json_numbers(json_writer *json, const char *key, const double *numbers, size_t count)
{
    begin_entry(json, key);
    fputc('[', json->file);
    for (size_t k = 0; k < count; k++) {
        if (k > 0)
            fputs(", ", json->file);
        write_number(json, numbers[k]);
    }
    fputc(']', json->file);
}

void json_fields(json_writer *json, const carom_field *fields, size_t count, const void *record)
{
    for (size_t k = 0; k < count; k++) {
        const void *member = (const char *)record + fields[k].offset;
        if (fields[k].type == CAROM_FIELD_TEXT)
            json_text(json, fields[k].name, *(const char *const *)member);
        else if (fields[k].type == CAROM_FIELD_INDEX)
            json_integer(json, fields[k].name, (int64_t) * (const size_t *)member);
        else
            json_number(json, fields[k].name, *(const double *)member);
    }
}
