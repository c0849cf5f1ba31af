/* What a model file includes: the entries of a robot, overridden and extended by those of the file. */
#include "base/warnings.h"
#include "read/reader.h"

#include "import/import.h"

#include <stdio.h>
#include <string.h>

typedef struct merger {
    carom_reader *reader;
    carom_tree_maker tree;
} merger;

static const carom_node *merge_object(merger *m, carom_object object, const carom_node *included,
                                      const carom_node *own);

/* ---- by the table of keys ---- */

static carom_node *begin(merger *m, const carom_node *own)
{
    carom_node *out = carom_make_copy(&m->tree, own);
    if (out) {
        out->first = out->last = NULL;
        out->count = 0;
    }
    return out;
}

static void add(merger *m, carom_node *out, const carom_node *entry)
{
    carom_node *copy = m->tree.failed || !out ? NULL : carom_make_copy(&m->tree, entry);
    if (copy)
        carom_make_entry(&m->tree, out, copy->key, copy);
}

/* Entries of the included mapping in their order, overridden, and then those that are only the file's. */
static const carom_node *merge_map(merger *m, carom_object element, const carom_node *included, const carom_node *own)
{
    carom_node *out = begin(m, own);
    for (const carom_node *n = included->first; n; n = n->next) {
        const carom_node *over = carom_node_find(own, n->key);
        const bool both = over && over->type == CAROM_NODE_MAPPING && n->type == CAROM_NODE_MAPPING;
        add(m, out, both ? merge_object(m, element, n, over) : over ? over : n);
    }
    for (const carom_node *n = own->first; n; n = n->next)
        if (!carom_node_find(included, n->key))
            add(m, out, n);
    return out ? out : own;
}

/* Keys of an object that is there in both. One that names its kind anew keeps no parameters of the former kind. */
static const carom_node *merge_object(merger *m, carom_object object, const carom_node *included, const carom_node *own)
{
    const carom_object_row *row = carom_object_get(object);
    const bool anew = row->has_family && !row->kind && carom_node_find(own, row->kind_key ? row->kind_key : "type");
    carom_node *out = begin(m, own);
    if (out && !out->comment)
        out->comment = included->comment;
    for (const carom_node *n = included->first; n; n = n->next) {
        const carom_key *key = carom_key_find(object, n->key);
        const carom_node *over = carom_node_find(own, n->key);
        const bool both = over && over->type == CAROM_NODE_MAPPING && n->type == CAROM_NODE_MAPPING && key;
        if (!over && anew && !key)
            continue;
        add(m, out,
            both && key->type == CAROM_KEY_MAP       ? merge_map(m, key->element, n, over)
            : both && key->type == CAROM_KEY_SECTION ? merge_object(m, key->element, n, over)
            : over                                   ? over
                                                     : n);
    }
    for (const carom_node *n = own->first; n; n = n->next)
        if (!carom_node_find(included, n->key))
            add(m, out, n);
    return out ? out : own;
}

/* ---- several robots ---- */

/* Adds the sections of one more robot; a name that is there is refused. */
static carom_status gather(merger *m, carom_node *all, const carom_node *robot)
{
    for (const carom_node *part = robot->first; part; part = part->next) {
        carom_node *section = NULL;
        carom_names names;
        for (carom_node *n = all->first; n; n = n->next)
            section = strcmp(n->key, part->key) == 0 ? n : section;
        if (!section)
            section = carom_make_entry(&m->tree, all, part->key, begin(m, part));
        if (!section)
            return carom_fail_memory(m->reader->ctx);
        CAROM_TRY(carom_names_create(&m->reader->scratch, section->count, &names));
        for (const carom_node *n = section->first; n; n = n->next)
            carom_names_add(&names, n->key, n->key_place.line);
        for (const carom_node *n = part->first; n; n = n->next) {
            if (carom_names_find(&names, n->key) >= 0)
                return carom_read_fail(m->reader, &n->key_place,
                                       "%s: '%.63s' is in another file that is included as well; give one of both a "
                                       "`prefix`",
                                       part->key, n->key);
            add(m, section, n);
        }
    }
    return m->tree.failed ? carom_fail_memory(m->reader->ctx) : CAROM_OK;
}

/* Values by name: those of the file override included ones. Parameters of the file come first, as those of a part may
   be made of them. */
static const carom_node *merge_values(merger *m, bool own_first, const carom_node *included, const carom_node *own)
{
    carom_node *out = begin(m, own);
    for (const carom_node *n = own_first ? own->first : NULL; n; n = n->next)
        if (!carom_node_find(included, n->key))
            add(m, out, n);
    for (const carom_node *n = included->first; n; n = n->next) {
        const carom_node *over = carom_node_find(own, n->key);
        add(m, out, over ? over : n);
    }
    for (const carom_node *n = own_first ? NULL : own->first; n; n = n->next)
        if (!carom_node_find(included, n->key))
            add(m, out, n);
    return out ? out : own;
}

carom_status carom_reader_put_before(carom_reader *r, const carom_node *root, const carom_node *const *included,
                                     size_t count, const carom_node *rest, const carom_node **out)
{
    merger m = {.reader = r, .tree = {.arena = r->arena, .place = root->place}};
    carom_node *all = carom_make_mapping(&m.tree), *merged = begin(&m, root);
    if (!all || !merged)
        return carom_fail_memory(r->ctx);
    for (size_t k = 0; k < count; k++)
        CAROM_TRY(gather(&m, all, included[k]));
    for (const carom_node *n = root->first; n; n = n->next) {
        const carom_key *key = carom_key_find(CAROM_OBJECT_MODEL, n->key);
        const carom_node *theirs = carom_node_find(all, n->key);
        const bool both = theirs && n->type == CAROM_NODE_MAPPING && theirs->type == CAROM_NODE_MAPPING && key;
        if (key && key->type == CAROM_KEY_INCLUDES) {
            if (rest)
                add(&m, merged, rest);
        } else {
            add(&m, merged,
                both && key->type == CAROM_KEY_MAP ? merge_map(&m, key->element, theirs, n)
                : both                             ? merge_values(&m, key->type == CAROM_KEY_PARAMETERS, theirs, n)
                                                   : n);
        }
    }
    for (const carom_node *n = all->first; n; n = n->next)
        if (!carom_node_find(root, n->key))
            add(&m, merged, n);
    *out = merged;
    return m.tree.failed ? carom_fail_memory(r->ctx) : CAROM_OK;
}

/* ---- one robot ---- */

/* The folder of the model file. */
static const char *folder_of(const carom_reader *r)
{
    const char *slash = strrchr(r->file, '/');
    return slash ? carom_arena_text_n(r->arena, r->file, (size_t)(slash - r->file) + (slash == r->file)) : ".";
}

static carom_status check_prefix(const carom_reader *r, const carom_include_def *d)
{
    return d->prefix && *d->prefix ? carom_check_name(r, "robot", d->prefix, &d->prefix_place) : CAROM_OK;
}

/* The motors of the model file. */
static carom_status find_motors(const carom_reader *r, const carom_node *root, carom_import_def *def)
{
    const carom_node *loads = carom_node_find(root, "loads");
    const bool any = loads && loads->type == CAROM_NODE_MAPPING;
    carom_import_motor *motors = carom_arena_alloc(r->arena, (any ? loads->count : 0) + 1, sizeof *motors);
    if (!motors)
        return carom_fail_memory(r->ctx);
    def->motors = motors;
    for (const carom_node *n = any ? loads->first : NULL; n; n = n->next) {
        const bool load = n->type == CAROM_NODE_MAPPING;
        const carom_node *type = load ? carom_node_find(n, "type") : NULL, *on = load ? carom_node_find(n, "on") : NULL;
        if (type && on && type->type == CAROM_NODE_SCALAR && on->type == CAROM_NODE_SCALAR &&
            strcmp(type->text, "motor") == 0)
            motors[def->motor_count++] =
                (carom_import_motor){.joint = on->text,
                                     .limits_effort = carom_node_find(n, "limit") != NULL,
                                     .limits_speed = carom_node_find(n, "no_load_speed") != NULL};
    }
    return CAROM_OK;
}

static carom_status read_robot(carom_reader *r, const carom_node *root, const carom_include_def *d, carom_node **out)
{
    carom_import_def def = carom_default_import_def();
    const char **packages = carom_arena_alloc(r->arena, d->package_count + 1, sizeof *packages);
    const char *file = carom_reader_path(r, d->file), *folder = folder_of(r);
    carom_import_about about;
    if (!packages || !file || !folder)
        return carom_fail_memory(r->ctx);
    CAROM_TRY(check_prefix(r, d));
    for (size_t k = 0; k < d->package_count; k++)
        if (!(packages[k] = carom_reader_path(r, d->packages[k])))
            return carom_fail_memory(r->ctx);
    def.prefix = d->prefix && *d->prefix ? d->prefix : NULL;
    memcpy(def.at, d->at, sizeof def.at);
    memcpy(def.orientation, d->orientation, sizeof def.orientation);
    def.base = strcmp(d->base, "fixed") == 0  ? CAROM_IMPORT_BASE_FIXED
               : strcmp(d->base, "free") == 0 ? CAROM_IMPORT_BASE_FREE
                                              : CAROM_IMPORT_BASE_AUTO;
    def.start = d->start;
    def.start_count = d->start_count;
    def.keyframe = d->keyframe;
    def.folder = folder;
    def.packages = packages;
    def.package_count = d->package_count;
    def.strict = d->strict;
    CAROM_TRY(find_motors(r, root, &def));
    const carom_status status = carom_import_tree(r->arena, file, &def, &about, out);
    if (status == CAROM_OK && about.gravity_place.line)
        carom_log_warning(r->ctx, CAROM_WARN_NOT_TAKEN,
                          "%.900s:%d: 'gravity' of <option> is ignored: that of the model holds", file,
                          about.gravity_place.line);
    if (status != CAROM_ERROR_IO)
        return status;
    char text[CAROM_ERROR_TEXT / 2];
    snprintf(text, sizeof text, "%s", carom_context_error(r->ctx));
    return carom_fail(r->ctx, status, &d->file_place, "include: %s", text);
}

carom_status carom_reader_merge(carom_reader *r, const carom_node *root, const carom_include_def *includes,
                                size_t count, const carom_node **out)
{
    const carom_node **robots = carom_arena_alloc(r->arena, count + 1, sizeof *robots);
    if (!robots)
        return carom_fail_memory(r->ctx);
    for (size_t k = 0; k < count; k++) {
        carom_node *robot = NULL;
        CAROM_TRY(read_robot(r, root, &includes[k], &robot));
        robots[k] = robot;
    }
    return carom_reader_put_before(r, root, robots, count, NULL, out);
}
