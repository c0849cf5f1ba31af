/* Comma-separated values, as `carom export` writes them. */
#include "support/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void begin_cell(csv *out)
{
    if (out->begun)
        fputc(',', out->file);
    out->begun = true;
}

static void put(void *user, const char *text, size_t length) { fwrite(text, 1, length, user); }

static void put_text(csv *out, const char *text) { carom_csv_cell(text, put, out->file); }

void csv_head(csv *out, const char *name, const char *unit)
{
    char *head = *unit && strcmp(unit, "1") != 0 ? format_text("%s [%s]", name, unit) : NULL;
    begin_cell(out);
    put_text(out, head ? head : name);
    free(head);
}

void csv_text(csv *out, const char *text)
{
    begin_cell(out);
    put_text(out, text);
}

void csv_number(csv *out, double number)
{
    begin_cell(out);
    if (isfinite(number))
        fprintf(out->file, "%.17g", number);
    else
        fputs(isnan(number) ? "nan" : number > 0 ? "inf" : "-inf", out->file);
}

void csv_end_line(csv *out)
{
    fputc('\n', out->file);
    out->begun = false;
}

void csv_field_heads(csv *out, const carom_field *fields, size_t count)
{
    for (size_t k = 0; k < count; k++)
        csv_head(out, fields[k].name, fields[k].unit);
}

void csv_fields(csv *out, const carom_field *fields, size_t count, const void *record)
{
    for (size_t k = 0; k < count; k++) {
        const char *at = (const char *)record + fields[k].offset;
        const char *text;
        size_t index;
        double number;
        switch (fields[k].type) {
        case CAROM_FIELD_TEXT:
            memcpy(&text, at, sizeof text);
            csv_text(out, text);
            break;
        case CAROM_FIELD_INDEX:
            memcpy(&index, at, sizeof index);
            begin_cell(out);
            fprintf(out->file, "%zu", index);
            break;
        case CAROM_FIELD_NUMBER:
            memcpy(&number, at, sizeof number);
            csv_number(out, number);
            break;
        }
    }
}
