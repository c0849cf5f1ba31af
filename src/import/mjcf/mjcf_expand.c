/* MJCF before it is read: <include> and <replicate> become the elements that they stand for.

   Source: the XML reference of MuJoCo: a file is found from the folder of the main one, and its elements stand where
   <include> stood. Copy k of <replicate> has the angles k `euler`, and stands at sum of R_i offset, i < k; to the names
   in it `sep` and k are added, with as many digits as `count` has, and elements that name one of them are as many. */
#include "import/mjcf/mjcf.h"

#include <stdio.h>

#define MOST_FILES 16 /* that include each other */
#define BUCKETS 1024

/* A name that <replicate> has made several of. */
typedef struct replica replica;
struct replica {
    const char *name, *separator;
    int set, count; /* names of one <replicate> have the same set */
    char kind;      /* 'b'ody, 'j'oint, 'g'eom, 's'ite, 't'endon */
    replica *next;
};

typedef struct expander {
    carom_mjcf *m;
    carom_arena *arena; /* of elements */
    const char *files[MOST_FILES];
    int file_count, sets;
    size_t bytes;
    replica *replicas[BUCKETS]; /* by their names */
} expander;

static size_t bucket_of(const char *name)
{
    size_t hash = 5381;
    for (const char *c = name; *c; c++)
        hash = 33 * hash + (unsigned char)*c;
    return hash % BUCKETS;
}

static carom_status fail(const expander *x, const carom_xml *e, const char *text)
{
    return carom_fail(x->m->robot->ctx, CAROM_ERROR_MODEL, &e->place, "<%.60s> %s", e->name, text);
}

/* ---- the list of children ---- */

/* Puts a chain of elements, which may be empty, in the place of one; returns where the rest begins. */
static carom_xml **splice(carom_xml **at, carom_xml *parent, carom_xml *first, carom_xml *last)
{
    carom_xml *behind = (*at)->next;
    for (carom_xml *e = first; e; e = e->next)
        e->parent = parent;
    if (first)
        last->next = behind;
    *at = first ? first : behind;
    if (!behind) {
        parent->last = first ? last : NULL;
        for (carom_xml *e = first ? NULL : parent->first; e; e = e->next)
            parent->last = e;
    }
    return first ? &last->next : at;
}

/* ---- <include> ---- */

static carom_status include_into(expander *x, carom_xml *parent, int depth);

static carom_status parse_file(expander *x, const carom_xml *e, const char *path, carom_xml **root)
{
    carom_robot *robot = x->m->robot;
    carom_text text = {.ctx = robot->ctx};
    size_t elements = 0;
    const char *name = carom_arena_text(robot->arena, path);
    carom_status status = name ? carom_text_read(&text, path, CAROM_XML_BYTES) : carom_fail_memory(robot->ctx);
    x->bytes += text.length;
    if (status == CAROM_OK && x->bytes > CAROM_XML_BYTES)
        status = fail(x, e, "makes the model larger than a description of a robot is");
    if (status == CAROM_OK)
        status = carom_xml_parse(x->arena, name, text.data ? text.data : "", text.length, root, &elements);
    carom_text_clear(&text);
    robot->elements += elements;
    if (status == CAROM_OK && robot->elements > CAROM_XML_ELEMENTS)
        status = fail(x, e, "makes more elements than a robot has");
    return status;
}

static carom_status read_include(expander *x, carom_xml *e, int depth, carom_xml **root)
{
    const char *file, *path;
    CAROM_TRY(carom_import_text_of(x->m->robot, e, "file", &file));
    CAROM_TRY(carom_import_find(x->m->robot, &e->place, file, &path));
    if (!path)
        return carom_fail(x->m->robot->ctx, CAROM_ERROR_MODEL, &e->place,
                          "there is no file '%.200s'; it is looked for from the folder of %.200s", file,
                          x->m->robot->file);
    for (int k = 0; k < x->file_count; k++)
        if (x->files[k] && strcmp(x->files[k], path) == 0)
            return carom_fail(x->m->robot->ctx, CAROM_ERROR_MODEL, &e->place,
                              "file '%.200s' includes itself%s; remove one <include>", file,
                              k + 1 < x->file_count ? " by way of others" : "");
    if (x->file_count == MOST_FILES)
        return fail(x, e, "is nested too deeply: files include each other in more than 16 steps");
    CAROM_TRY(parse_file(x, e, path, root));
    x->files[x->file_count++] = path;
    CAROM_TRY(include_into(x, *root, depth));
    x->file_count--;
    return CAROM_OK;
}

static carom_status include_into(expander *x, carom_xml *parent, int depth)
{
    if (depth > CAROM_XML_DEPTH)
        return fail(x, parent, "is nested too deeply for a robot");
    for (carom_xml **at = &parent->first; *at;) {
        carom_xml *e = *at, *root;
        if (strcmp(e->name, "include") != 0) {
            CAROM_TRY(include_into(x, e, depth + 1));
            at = &e->next;
            continue;
        }
        CAROM_TRY(read_include(x, e, depth, &root));
        at = splice(at, parent, root->first, root->last);
    }
    return CAROM_OK;
}

/* Elements of later top-level <default> of the outermost class stand in the first, as one of later classes does. */
static void join_defaults(carom_xml *root)
{
    carom_xml *main = NULL;
    for (carom_xml **at = &root->first; *at;) {
        carom_xml *e = *at;
        const char *class = carom_xml_get(e, "class");
        if (strcmp(e->name, "default") != 0 || (class && strcmp(class, "main") != 0) || !main) {
            if (strcmp(e->name, "default") == 0 && !main)
                main = e;
            at = &e->next;
            continue;
        }
        splice(at, root, NULL, NULL);
        for (carom_xml *c = e->first; c; c = c->next)
            c->parent = main;
        if (e->first && main->last)
            main->last->next = e->first;
        else if (e->first)
            main->first = e->first;
        if (e->first)
            main->last = e->last;
    }
}

/* ---- names that are several ---- */

static char kind_of_element(const char *name)
{
    static const char *const names[] = {"body", "joint", "freejoint", "geom", "site"};
    for (size_t k = 0; k < CAROM_COUNT(names); k++)
        if (strcmp(name, names[k]) == 0)
            return "bjjgs"[k];
    return 0;
}

static char kind_of_reference(const char *attribute)
{
    static const struct {
        const char *name;
        char kind;
    } references[] = {{"joint", 'j'},   {"joint1", 'j'},    {"joint2", 'j'},     {"jointinparent", 'j'}, {"body", 'b'},
                      {"body1", 'b'},   {"body2", 'b'},     {"site", 's'},       {"site1", 's'},         {"site2", 's'},
                      {"refsite", 's'}, {"cranksite", 's'}, {"slidersite", 's'}, {"sidesite", 's'},      {"geom", 'g'},
                      {"tendon", 't'},  {"tendon1", 't'},   {"tendon2", 't'}};
    for (size_t k = 0; k < CAROM_COUNT(references); k++)
        if (strcmp(attribute, references[k].name) == 0)
            return references[k].kind;
    return 0;
}

static carom_status keep_name(expander *x, char kind, const char *name, const replica *like)
{
    replica *r = carom_arena_alloc(x->arena, 1, sizeof *r);
    if (!r)
        return carom_fail_memory(x->m->robot->ctx);
    *r = *like;
    r->kind = kind;
    r->name = name;
    r->next = x->replicas[bucket_of(name)];
    x->replicas[bucket_of(name)] = r;
    return CAROM_OK;
}

static carom_status keep_names(expander *x, carom_xml *e, const replica *like)
{
    const char *name = carom_xml_get(e, "name");
    const char kind = kind_of_element(e->name);
    if (kind && name && *name)
        CAROM_TRY(keep_name(x, kind, name, like));
    for (carom_xml *c = e->first; c; c = c->next)
        CAROM_TRY(keep_names(x, c, like));
    return CAROM_OK;
}

static const char *with_number(const expander *x, const replica *r, const char *name, int k)
{
    int digits = 1;
    for (int n = r->count; n >= 10; n /= 10)
        digits++;
    return carom_arena_format(x->arena, "%s%s%0*d", name, r->separator, digits, k);
}

/* ---- copies ---- */

static const replica *find_replica(const expander *x, char kind, const char *name, int set)
{
    for (const replica *r = kind ? x->replicas[bucket_of(name)] : NULL; r; r = r->next)
        if (r->kind == kind && (set < 0 || r->set == set) && strcmp(r->name, name) == 0)
            return r;
    return NULL;
}

/* The value of an attribute in copy k: names of this set have the number, and so has `name` itself. */
static const char *copied_value(const expander *x, const carom_xml *e, const carom_xml_attribute *a, const replica *r,
                                bool own, int k)
{
    const char kind = kind_of_reference(a->name);
    const bool name = strcmp(a->name, "name") == 0 && (own || kind_of_element(e->name));
    if (*a->value && (name || find_replica(x, kind, a->value, r->set)))
        return with_number(x, r, a->value, k);
    return a->value;
}

static carom_status copy(expander *x, const carom_xml *e, const replica *r, bool own, int k, carom_xml **out)
{
    carom_xml *made = carom_arena_alloc(x->arena, 1, sizeof *made);
    if (!made)
        return carom_fail_memory(x->m->robot->ctx);
    if (++x->m->robot->elements > CAROM_XML_ELEMENTS)
        return carom_fail(x->m->robot->ctx, CAROM_ERROR_MODEL, &e->place,
                          "<replicate> makes more elements than a robot has");
    made->name = e->name;
    made->place = e->place;
    carom_xml_attribute **end = &made->attributes;
    for (const carom_xml_attribute *a = e->attributes; a; a = a->next) {
        carom_xml_attribute *b = carom_arena_alloc(x->arena, 1, sizeof *b);
        if (!b)
            return carom_fail_memory(x->m->robot->ctx);
        *b = (carom_xml_attribute){a->name, copied_value(x, e, a, r, own, k), false, NULL};
        if (!b->value)
            return carom_fail_memory(x->m->robot->ctx);
        *end = b;
        end = &b->next;
    }
    for (const carom_xml *c = e->first; c; c = c->next) {
        carom_xml *child;
        CAROM_TRY(copy(x, c, r, false, k, &child));
        child->parent = made;
        if (made->last)
            made->last->next = child;
        else
            made->first = child;
        made->last = child;
    }
    *out = made;
    return CAROM_OK;
}

/* ---- <replicate> ---- */

static carom_status set_attribute(expander *x, carom_xml *e, const char *name, const char *value)
{
    carom_xml_attribute *a = carom_arena_alloc(x->arena, 1, sizeof *a);
    if (!a || !value)
        return carom_fail_memory(x->m->robot->ctx);
    *a = (carom_xml_attribute){name, value, false, e->attributes};
    e->attributes = a;
    return CAROM_OK;
}

static const char *three_numbers(const expander *x, carom_vec3 v)
{
    return carom_arena_format(x->arena, "%.17g %.17g %.17g", v.x, v.y, v.z);
}

static carom_status read_replicate(expander *x, carom_xml *e, replica *r, double *offset, double *euler)
{
    double count = 0;
    CAROM_TRY(carom_import_required(x->m->robot, e, "count", 1, &count));
    CAROM_TRY(carom_import_vector(x->m->robot, e, "offset", 3, offset, NULL));
    CAROM_TRY(carom_import_vector(x->m->robot, e, "euler", 3, euler, NULL));
    if (!(count >= 1 && count <= (double)CAROM_XML_ELEMENTS) || count != (double)(int)count)
        return carom_fail(x->m->robot->ctx, CAROM_ERROR_MODEL, &e->place,
                          "'count' of <replicate> is %g; it is a whole number from 1 to %zu", count,
                          CAROM_XML_ELEMENTS);
    const char *separator = carom_xml_get(e, "sep");
    *r = (replica){.separator = separator ? separator : "", .count = (int)count, .set = x->sets++};
    e->used = true;
    for (carom_xml *c = e->first; c; c = c->next)
        CAROM_TRY(keep_names(x, c, r));
    return CAROM_OK;
}

/* Copies as elements <frame>. */
static carom_status replicate(expander *x, carom_xml *e, carom_xml **first, carom_xml **last)
{
    replica r;
    double offset[3] = {0}, euler[3] = {0};
    carom_vec3 at = {0, 0, 0};
    const char *class = carom_xml_get(e, "childclass");
    *first = *last = NULL;
    CAROM_TRY(read_replicate(x, e, &r, offset, euler));
    carom_xml plain = *e;
    plain.name = "frame";
    plain.attributes = NULL;
    for (int k = 0; k < r.count; k++) {
        carom_xml *frame;
        carom_placement placed;
        CAROM_TRY(copy(x, &plain, &r, false, k, &frame));
        CAROM_TRY(set_attribute(x, frame, "pos", three_numbers(x, at)));
        CAROM_TRY(set_attribute(x, frame, "euler", three_numbers(x, carom_v3_scale(k, carom_v3_load(euler)))));
        if (class)
            CAROM_TRY(set_attribute(x, frame, "childclass", class));
        const carom_mjcf_element element = {frame, -1};
        CAROM_TRY(carom_mjcf_placement(x->m, &element, &placed));
        at = carom_v3_add(at, carom_m3_apply(&placed.r, carom_v3_load(offset)));
        if (*last)
            (*last)->next = frame;
        else
            *first = frame;
        *last = frame;
    }
    return CAROM_OK;
}

/* The innermost first, whose copies are then copied. */
static carom_status replicate_in(expander *x, carom_xml *parent)
{
    for (carom_xml **at = &parent->first; *at;) {
        carom_xml *e = *at, *first, *last;
        CAROM_TRY(replicate_in(x, e));
        if (strcmp(e->name, "replicate") != 0) {
            at = &e->next;
            continue;
        }
        CAROM_TRY(replicate(x, e, &first, &last));
        at = splice(at, parent, first, last);
    }
    return CAROM_OK;
}

/* ---- elements that name copies ---- */

/* The first name in an element that has become several. */
static const replica *named_in(const expander *x, const carom_xml *e)
{
    const replica *r = NULL;
    for (const carom_xml_attribute *a = e->attributes; a && !r; a = a->next)
        r = find_replica(x, kind_of_reference(a->name), a->value, -1);
    for (const carom_xml *c = e->first; c && !r; c = c->next)
        r = named_in(x, c);
    return r;
}

static carom_status repeat_in(expander *x, carom_xml *section)
{
    for (carom_xml **at = &section->first; *at;) {
        carom_xml *e = *at, *first = NULL, *last = NULL;
        const replica *r = named_in(x, e);
        if (!r) {
            at = &e->next;
            continue;
        }
        const char *name = carom_xml_get(e, "name");
        if (strcmp(section->name, "tendon") == 0 && name && *name)
            CAROM_TRY(keep_name(x, 't', name, r));
        for (int k = 0; k < r->count; k++) {
            carom_xml *made;
            CAROM_TRY(copy(x, e, r, true, k, &made));
            if (last)
                last->next = made;
            else
                first = made;
            last = made;
        }
        splice(at, section, first, last); /* and once more, for names that are several of several */
    }
    return CAROM_OK;
}

/* ---- entry ---- */

carom_status carom_mjcf_include(carom_mjcf *m, carom_arena *arena, carom_xml *root)
{
    const carom_robot *robot = m->robot;
    expander x = {.m = m, .arena = arena, .file_count = 1};
    const char *slash = strrchr(robot->file, '/');
    bool any = false;
    for (const carom_xml *e = root; e && !any;) {
        any = strcmp(e->name, "include") == 0;
        const carom_xml *next = e->first;
        while (!next && e && e != root) {
            next = e->next;
            e = e->parent;
        }
        e = next;
    }
    if (any)
        CAROM_TRY(carom_import_find(m->robot, &root->place, slash ? slash + 1 : robot->file, &x.files[0]));
    CAROM_TRY(include_into(&x, root, 1));
    join_defaults(root);
    return CAROM_OK;
}

carom_status carom_mjcf_replicate(carom_mjcf *m, carom_arena *arena, carom_xml *root)
{
    static const char *const sections[] = {"tendon", "equality", "actuator"};
    expander x = {.m = m, .arena = arena};
    for (carom_xml *e = root->first; e; e = e->next)
        if (strcmp(e->name, "worldbody") == 0)
            CAROM_TRY(replicate_in(&x, e));
    for (size_t k = 0; k < CAROM_COUNT(sections) && x.sets; k++)
        for (carom_xml *e = root->first; e; e = e->next)
            if (strcmp(e->name, sections[k]) == 0)
                CAROM_TRY(repeat_in(&x, e));
    return CAROM_OK;
}
