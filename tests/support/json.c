#include "support/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct json {
    json_type type;
    double number;
    char *text;
    json **items;
    char **names; /* of objects */
    size_t size, capacity;
};

typedef struct reader {
    const char *start, *at;
    bool failed;
} reader;

static json *read_value(reader *r, int depth);

static void fail(reader *r, const char *what)
{
    if (!r->failed)
        fprintf(stderr, "json: %s at byte %ld\n", what, (long)(r->at - r->start));
    r->failed = true;
}

static void *must(void *block)
{
    if (!block) {
        fprintf(stderr, "json: out of memory\n");
        abort();
    }
    return block;
}

static void skip_blanks(reader *r) { r->at += strspn(r->at, " \t\r\n"); }

static bool take(reader *r, char c)
{
    skip_blanks(r);
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

/* UTF-8 of a code point below 0x10000. */
static size_t put_utf8(char *out, unsigned code)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xc0 | (code >> 6));
        out[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    out[0] = (char)(0xe0 | (code >> 12));
    out[1] = (char)(0x80 | ((code >> 6) & 0x3f));
    out[2] = (char)(0x80 | (code & 0x3f));
    return 3;
}

static char *read_text(reader *r)
{
    if (!take(r, '"')) {
        fail(r, "a text was expected");
        return NULL;
    }
    size_t length = 0;
    while (r->at[length] && r->at[length] != '"')
        length += r->at[length] == '\\' && r->at[length + 1] ? 2 : 1;
    if (!r->at[length]) {
        fail(r, "a text does not end");
        return NULL;
    }
    char *text = must(malloc(length + 1));
    const char *end = r->at + length;
    size_t n = 0;
    while (r->at < end) {
        char c = *r->at++;
        if (c != '\\') {
            text[n++] = c;
            continue;
        }
        c = *r->at++;
        static const char codes[] = "bfnrt", values[] = "\b\f\n\r\t";
        const char *code = strchr(codes, c);
        unsigned point;
        if (c == 'u' && sscanf(r->at, "%4x", &point) == 1 && end - r->at >= 4) {
            n += put_utf8(text + n, point);
            r->at += 4;
        } else {
            text[n++] = code ? values[code - codes] : c;
        }
    }
    text[n] = '\0';
    r->at = end + 1;
    return text;
}

static void append(json *value, char *name, json *item)
{
    if (value->size == value->capacity) {
        value->capacity = value->capacity ? 2 * value->capacity : 8;
        value->items = must(realloc(value->items, value->capacity * sizeof *value->items));
        value->names = must(realloc(value->names, value->capacity * sizeof *value->names));
    }
    value->names[value->size] = name;
    value->items[value->size++] = item;
}

static void read_items(reader *r, json *value, char close, int depth)
{
    if (take(r, close))
        return;
    do {
        char *name = NULL;
        if (close == '}') {
            name = read_text(r);
            if (!r->failed && !take(r, ':'))
                fail(r, "':' was expected");
        }
        append(value, name, r->failed ? NULL : read_value(r, depth + 1));
    } while (!r->failed && take(r, ','));
    if (!r->failed && !take(r, close))
        fail(r, "',' or the end of an array or object was expected");
}

static bool word(reader *r, const char *text)
{
    size_t n = strlen(text);
    if (strncmp(r->at, text, n) != 0)
        return false;
    r->at += n;
    return true;
}

static json *read_value(reader *r, int depth)
{
    json *value = must(calloc(1, sizeof *value));
    skip_blanks(r);
    if (depth > 100) {
        fail(r, "nested too deeply");
    } else if (*r->at == '"') {
        value->type = JSON_TEXT;
        value->text = read_text(r);
    } else if (*r->at == '{' || *r->at == '[') {
        value->type = *r->at == '{' ? JSON_OBJECT : JSON_ARRAY;
        r->at++;
        read_items(r, value, value->type == JSON_OBJECT ? '}' : ']', depth);
    } else if (word(r, "true") || word(r, "false")) {
        value->type = JSON_BOOL;
        value->number = r->at[-2] == 'u';
    } else if (!word(r, "null")) {
        char *end;
        value->type = JSON_NUMBER;
        value->number = strtod(r->at, &end);
        if (end == r->at)
            fail(r, "a value was expected");
        r->at = end;
    }
    return value;
}

json *json_parse_text(const char *text)
{
    reader r = {text, text, false};
    json *value = read_value(&r, 0);
    skip_blanks(&r);
    if (!r.failed && *r.at)
        fail(&r, "the end was expected");
    if (r.failed) {
        json_free(value);
        return NULL;
    }
    return value;
}

json *json_parse_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "json: cannot open %s\n", path);
        return NULL;
    }
    char *text = NULL;
    size_t length = 0, capacity = 0;
    do {
        capacity = capacity ? 2 * capacity : 65536;
        text = must(realloc(text, capacity));
        length += fread(text + length, 1, capacity - length - 1, file);
    } while (length == capacity - 1);
    fclose(file);
    text[length] = '\0';
    json *value = json_parse_text(text);
    if (!value)
        fprintf(stderr, "json: in %s\n", path);
    free(text);
    return value;
}

void json_free(json *value)
{
    if (!value)
        return;
    for (size_t k = 0; k < value->size; k++) {
        free(value->names[k]);
        json_free(value->items[k]);
    }
    free(value->names);
    free(value->items);
    free(value->text);
    free(value);
}

json_type json_type_of(const json *value) { return value ? value->type : JSON_NULL; }

size_t json_size(const json *value) { return value ? value->size : 0; }

const json *json_item(const json *value, size_t index) { return index < json_size(value) ? value->items[index] : NULL; }

const char *json_name(const json *value, size_t index) { return index < json_size(value) ? value->names[index] : NULL; }

const json *json_member(const json *value, const char *name)
{
    for (size_t k = 0; k < json_size(value); k++)
        if (value->names[k] && strcmp(value->names[k], name) == 0)
            return value->items[k];
    return NULL;
}

const json *json_get(const json *value, const char *path)
{
    while (value && *path) {
        char name[128];
        size_t n = strcspn(path, ".");
        if (n >= sizeof name)
            return NULL;
        memcpy(name, path, n);
        name[n] = '\0';
        value =
            json_type_of(value) == JSON_ARRAY ? json_item(value, strtoul(name, NULL, 10)) : json_member(value, name);
        path += n + (path[n] == '.');
    }
    return value;
}

double json_number(const json *value) { return json_type_of(value) == JSON_NUMBER ? value->number : (double)NAN; }

const char *json_text(const json *value) { return json_type_of(value) == JSON_TEXT ? value->text : NULL; }

bool json_bool(const json *value) { return json_type_of(value) == JSON_BOOL && value->number != 0; }
