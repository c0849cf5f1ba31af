/* same_results [--list FILE] [--uses FILE] [--name TEXT] A.h5 B.h5: compares two result files bit for bit (tools/same).

   Compared are the values, the type and the shape of every dataset, the attributes of every group but the root, and the
   root's `status`. Values are compared by their bits after decoding, so that a NaN equals itself, -0 does not equal 0, and
   chunks and filters do not matter. Attributes of datasets and the texts of the root (version, host, the model's text) are
   not results. An attribute is named GROUP/@NAME.

   The list says what may differ, one rule a line; `*` stands for any characters, `#` begins a comment:
     renamed OLD NEW    OLD of A is NEW of B; what the stars of OLD stand for replaces those of NEW in their order
     gone PATTERN       may be missing in B
     new PATTERN        may be missing in A
     reworded PATTERN   a text, whose type and characters may differ; its shape may not
     changed MODEL      is for tools/same, which leaves the model out
   --uses appends the rules that were used and how often. Exit status 0: same, 1: something differs, 2: not compared. */
#include <hdf5.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RULES 256
#define MOST_STARS 4
#define MOST_NAME 1024
#define MOST_RANK 32
#define MOST_REPORTED 5         /* differences of a file that are printed */

typedef struct span {
    const char *begin;
    size_t length;
} span;

typedef struct rule {
    char word[16], from[MOST_NAME], to[MOST_NAME];
    size_t used;
} rule;

/* A dataset, or an attribute of a group. */
typedef struct item {
    char *path;
    char *attribute;            /* NULL: a dataset */
    char *name;                 /* path, or path/@attribute */
    bool taken;
} item;

typedef struct result_file {
    hid_t file;
    item *items;
    size_t count, capacity;
} result_file;

/* What an item holds, decoded. */
typedef struct content {
    hid_t type;
    int rank;
    hsize_t size[MOST_RANK];
    size_t count, width;        /* elements, bytes of one */
    unsigned char *data;
} content;

static rule rules[MOST_RULES];
static size_t rule_count;
static FILE *report;
static size_t differing;

_Noreturn static void fail(const char *what, const char *name)
{
    fprintf(stderr, "same_results: %s '%s'\n", what, name);
    exit(2);
}

static void *take(size_t size)
{
    void *block = calloc(1, size ? size : 1);
    if (!block)
        fail("no memory for", "results");
    return block;
}

static char *copy_of(const char *text)
{
    char *copy = take(strlen(text) + 1);
    return strcpy(copy, text);
}

/* ---- the list of what may differ ---- */

static void read_list(const char *path)
{
    FILE *list = fopen(path, "r");
    if (!list)
        fail("cannot read", path);
    char line[3 * MOST_NAME];
    while (fgets(line, sizeof line, list)) {
        line[strcspn(line, "#\n")] = '\0';
        char extra;
        rule r = {.used = 0};
        int got = sscanf(line, "%15s %1023s %1023s %c", r.word, r.from, r.to, &extra);
        if (got <= 0)
            continue;
        bool pair = !strcmp(r.word, "renamed");
        if (!pair && strcmp(r.word, "gone") && strcmp(r.word, "new") && strcmp(r.word, "reworded") &&
            strcmp(r.word, "changed"))
            fail("the list has a rule that is none of renamed, gone, new, reworded, changed:", line);
        if (got != (pair ? 3 : 2))
            fail("the list has a rule of too few or too many words:", line);
        if (rule_count == MOST_RULES)
            fail("too many rules in", path);
        rules[rule_count++] = r;
    }
    fclose(list);
}

/* Whether the text is what the pattern says; what the stars stand for goes to `stars`. */
static bool matches(const char *pattern, const char *text, span *stars, size_t n)
{
    for (; *pattern && *pattern != '*'; pattern++, text++)
        if (*pattern != *text)
            return false;
    if (!*pattern)
        return !*text;
    if (n == MOST_STARS)
        fail("too many stars before", pattern);
    for (const char *end = text;; end++) {
        stars[n] = (span){text, (size_t)(end - text)};
        if (matches(pattern + 1, end, stars, n + 1))
            return true;
        if (!*end)
            return false;
    }
}

/* The first rule of that word that the name obeys; NULL: none. */
static rule *allowed(const char *word, const char *name)
{
    span stars[MOST_STARS];
    for (size_t i = 0; i < rule_count; i++)
        if (!strcmp(rules[i].word, word) && matches(rules[i].from, name, stars, 0))
            return &rules[i];
    return NULL;
}

/* The name that a rule of renaming makes of another one; false: the rule is not for that name. */
static bool renamed(const rule *r, const char *name, char *out, size_t size)
{
    span stars[MOST_STARS] = {{NULL, 0}};
    if (strcmp(r->word, "renamed") || !matches(r->from, name, stars, 0))
        return false;
    size_t used = 0, length = 0;
    for (const char *c = r->to; *c; c++) {
        span part = {c, 1};
        if (*c == '*') {
            if (used == MOST_STARS || !stars[used].begin)
                fail("more stars in the new name than in the old one:", r->to);
            part = stars[used++];
        }
        if (length + part.length >= size)
            fail("too long a name", name);
        memcpy(out + length, part.begin, part.length);
        length += part.length;
    }
    out[length] = '\0';
    return true;
}

/* ---- the items of a file ---- */

static void add_item(result_file *f, const char *path, const char *attribute)
{
    if (f->count == f->capacity) {
        f->capacity = f->capacity ? 2 * f->capacity : 256;
        f->items = realloc(f->items, f->capacity * sizeof *f->items);
        if (!f->items)
            fail("no memory for", path);
    }
    item *i = &f->items[f->count++];
    *i = (item){.path = copy_of(path)};
    if (!attribute) {
        i->name = copy_of(path);
        return;
    }
    i->attribute = copy_of(attribute);
    size_t size = strlen(path) + strlen(attribute) + 3;
    i->name = take(size);
    snprintf(i->name, size, "%s/@%s", path, attribute);
}

typedef struct place {
    result_file *f;
    const char *path;
} place;

static herr_t visit_attribute(hid_t object, const char *name, const H5A_info_t *info, void *user)
{
    (void)object, (void)info;
    const place *p = user;
    add_item(p->f, p->path, name);
    return 0;
}

static herr_t visit_link(hid_t file, const char *name, const H5L_info_t *info, void *user)
{
    (void)info;
    result_file *f = user;
    char path[MOST_NAME];
    if (snprintf(path, sizeof path, "/%s", name) >= (int)sizeof path)
        fail("too long a name", name);
    hid_t object = H5Oopen(file, name, H5P_DEFAULT);
    if (object < 0)
        fail("cannot open", path);
    place p = {f, path};
    herr_t status = 0;
    H5I_type_t type = H5Iget_type(object);
    if (type == H5I_DATASET)
        add_item(f, path, NULL);
    else if (type == H5I_GROUP)
        status = H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, visit_attribute, &p);
    H5Oclose(object);
    return status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const item *)a)->name, ((const item *)b)->name);
}

static result_file open_results(const char *path)
{
    result_file f = {.file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT)};
    if (f.file < 0)
        fail("cannot open", path);
    if (H5Lvisit(f.file, H5_INDEX_NAME, H5_ITER_NATIVE, visit_link, &f) < 0)
        fail("cannot list the contents of", path);
    if (H5Aexists(f.file, "status") > 0)
        add_item(&f, "/", "status");
    if (!f.count)
        fail("nothing to compare in", path);
    qsort(f.items, f.count, sizeof *f.items, by_name);
    return f;
}

static void close_results(result_file *f)
{
    for (size_t i = 0; i < f->count; i++) {
        free(f->items[i].path);
        free(f->items[i].attribute);
        free(f->items[i].name);
    }
    free(f->items);
    H5Fclose(f->file);
}

static item *find_item(const result_file *f, char *name)
{
    item key = {.name = name};
    return bsearch(&key, f->items, f->count, sizeof key, by_name);
}

/* ---- the comparison of two items ---- */

static content read_content(hid_t file, const item *i)
{
    content c = {.type = -1};
    hid_t object = i->attribute ? H5Aopen_by_name(file, i->path, i->attribute, H5P_DEFAULT, H5P_DEFAULT)
                                : H5Dopen2(file, i->path, H5P_DEFAULT);
    if (object < 0)
        fail("cannot open", i->name);
    hid_t space = i->attribute ? H5Aget_space(object) : H5Dget_space(object);
    c.type = i->attribute ? H5Aget_type(object) : H5Dget_type(object);
    c.rank = H5Sget_simple_extent_ndims(space);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    if (c.type < 0 || c.rank < 0 || c.rank > MOST_RANK || count < 0)
        fail("cannot read type and shape of", i->name);
    if (H5Tdetect_class(c.type, H5T_VLEN) > 0 || H5Tis_variable_str(c.type) > 0)
        fail("values of variable length are not compared:", i->name);
    H5Sget_simple_extent_dims(space, c.size, NULL);
    c.count = (size_t)count;
    c.width = H5Tget_size(c.type);
    c.data = take(c.count * c.width);
    herr_t status = 0;
    if (c.count)
        status = i->attribute ? H5Aread(object, c.type, c.data)
                              : H5Dread(object, c.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, c.data);
    if (status < 0)
        fail("cannot read", i->name);
    H5Sclose(space);
    if (i->attribute)
        H5Aclose(object);
    else
        H5Dclose(object);
    return c;
}

static void drop_content(content *c)
{
    H5Tclose(c->type);
    free(c->data);
}

static void print_value(const content *c, size_t k)
{
    const unsigned char *at = c->data + k * c->width;
    H5T_class_t class = H5Tget_class(c->type);
    if (class == H5T_STRING) {
        fprintf(report, "'%.*s'", (int)(c->width < 60 ? c->width : 60), (const char *)at);
    } else if (class == H5T_FLOAT && H5Tequal(c->type, H5T_NATIVE_DOUBLE) > 0) {
        double value;
        uint64_t bits;
        memcpy(&value, at, sizeof value);
        memcpy(&bits, at, sizeof bits);
        fprintf(report, "%.17g (%016llx)", value, (unsigned long long)bits);
    } else if (class == H5T_INTEGER && H5Tequal(c->type, H5T_NATIVE_INT64) > 0) {
        int64_t value;
        memcpy(&value, at, sizeof value);
        fprintf(report, "%lld", (long long)value);
    } else {
        for (size_t b = c->width; b-- > 0;)
            fprintf(report, "%02x", at[b]);
    }
}

static void print_shape(const content *c)
{
    fprintf(report, "{");
    for (int d = 0; d < c->rank; d++)
        fprintf(report, d ? ", %llu" : "%llu", (unsigned long long)c->size[d]);
    fprintf(report, "}");
}

/* Whether a difference is printed, or only counted. */
static bool begin_difference(const char *name)
{
    if (++differing > MOST_REPORTED)
        return false;
    fprintf(report, "  %s", name);
    return true;
}

static void report_values(const char *name, const content *a, const content *b)
{
    size_t first = a->count, n = 0;
    for (size_t k = 0; k < a->count; k++)
        if (memcmp(a->data + k * a->width, b->data + k * b->width, a->width)) {
            first = n++ ? first : k;
        }
    if (!n || !begin_difference(name))
        return;
    size_t rest = first, block = a->count;
    for (int d = 0; d < a->rank; d++) {
        block /= (size_t)a->size[d];
        fprintf(report, "[%zu]", rest / block);
        rest %= block;
    }
    fprintf(report, ": ");
    print_value(a, first);
    fprintf(report, ", now ");
    print_value(b, first);
    fprintf(report, "; %zu of %zu differ\n", n, a->count);
}

static void compare_items(const result_file *fa, const item *ia, const result_file *fb, const item *ib)
{
    content a = read_content(fa->file, ia), b = read_content(fb->file, ib);
    bool texts = H5Tget_class(a.type) == H5T_STRING && H5Tget_class(b.type) == H5T_STRING;
    rule *reworded = texts ? allowed("reworded", ia->name) : NULL;
    if (a.rank != b.rank || memcmp(a.size, b.size, (size_t)a.rank * sizeof *a.size)) {
        if (begin_difference(ia->name)) {
            fprintf(report, ": shape ");
            print_shape(&a);
            fprintf(report, ", now ");
            print_shape(&b);
            fprintf(report, "\n");
        }
    } else if (reworded) {
        if (a.width != b.width || memcmp(a.data, b.data, a.count * a.width))
            reworded->used++;
    } else if (H5Tequal(a.type, b.type) <= 0) {
        if (begin_difference(ia->name))
            fprintf(report, ": another type\n");
    } else {
        report_values(ia->name, &a, &b);
    }
    drop_content(&a);
    drop_content(&b);
}

/* The item of B that is the item of A: one of the name that a rule gives it, or of its own name. */
static item *counterpart(const item *ia, const result_file *fb)
{
    char name[MOST_NAME];
    for (size_t k = 0; k < rule_count; k++) {
        item *ib = renamed(&rules[k], ia->name, name, sizeof name) ? find_item(fb, name) : NULL;
        if (ib) {
            rules[k].used++;
            return ib;
        }
    }
    return find_item(fb, ia->name);
}

static void compare_files(result_file *fa, result_file *fb)
{
    for (size_t k = 0; k < fa->count; k++) {
        item *ia = &fa->items[k], *ib = counterpart(ia, fb);
        rule *gone = ib ? NULL : allowed("gone", ia->name);
        if (ib) {
            ib->taken = true;
            compare_items(fa, ia, fb, ib);
        } else if (gone) {
            gone->used++;
        } else if (begin_difference(ia->name)) {
            fprintf(report, ": missing\n");
        }
    }
    for (size_t k = 0; k < fb->count; k++) {
        const item *ib = &fb->items[k];
        rule *added = ib->taken ? NULL : allowed("new", ib->name);
        if (added)
            added->used++;
        else if (!ib->taken && begin_difference(ib->name))
            fprintf(report, ": new\n");
    }
    if (differing > MOST_REPORTED)
        fprintf(report, "  and %zu more\n", differing - MOST_REPORTED);
}

static void write_uses(const char *path)
{
    FILE *uses = fopen(path, "a");
    if (!uses)
        fail("cannot write", path);
    for (size_t k = 0; k < rule_count; k++)
        if (rules[k].used)
            fprintf(uses, "%zu %s %s %s\n", rules[k].used, rules[k].word, rules[k].from, rules[k].to);
    if (fclose(uses))
        fail("cannot write", path);
}

int main(int count, char **arguments)
{
    const char *name = NULL, *list = NULL, *uses = NULL, *file[2] = {NULL, NULL};
    int files = 0;
    for (int k = 1; k < count; k++) {
        const char **value = !strcmp(arguments[k], "--list")   ? &list
                             : !strcmp(arguments[k], "--uses") ? &uses
                             : !strcmp(arguments[k], "--name") ? &name
                                                               : NULL;
        if (value && k + 1 < count)
            *value = arguments[++k];
        else if (!value && files < 2)
            file[files++] = arguments[k];
        else
            fail("one argument too many or too few at", arguments[k]);
    }
    if (files != 2)
        fail("Usage: same_results [--list FILE] [--uses FILE] [--name TEXT]", "A.h5 B.h5");
    if (list)
        read_list(list);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    result_file a = open_results(file[0]), b = open_results(file[1]);
    size_t compared = a.count;

    char *text = NULL;
    size_t length = 0;
    report = open_memstream(&text, &length);
    if (!report)
        fail("no memory for", "the report");
    compare_files(&a, &b);
    fclose(report);
    if (differing)
        printf("DIFFERS %-24s %zu of %zu datasets\n%s", name ? name : file[1], differing, compared, text);
    else
        printf("same    %-24s %zu datasets\n", name ? name : file[1], compared);
    free(text);
    close_results(&a);
    close_results(&b);
    if (uses)
        write_uses(uses);
    return differing ? 1 : 0;
}
