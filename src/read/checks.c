/* Checks of a mapping: keys that are unknown, missing, or do not go together. */
#include "read/reader.h"
#include "spec/analyses.h"

#include <stdio.h>
#include <string.h>

/* ---- unknown and missing keys ---- */

static bool has_name(const char *const *names, size_t count, const char *name)
{
    for (size_t k = 0; k < count; k++)
        if (strcmp(names[k], name) == 0)
            return true;
    return false;
}

/* The section of an object that has such a key; NULL: none has. */
static const char *section_with(carom_object object, const char *name)
{
    size_t count;
    const carom_key *keys = carom_keys_of(object, &count);
    for (size_t k = 0; k < count; k++)
        if (keys[k].type == CAROM_KEY_SECTION && carom_key_find(keys[k].element, name))
            return keys[k].name;
    return NULL;
}

/* Refuses a key that neither the table nor a kind knows, with the nearest name that would do. */
static carom_status fail_unknown(const carom_reader *r, carom_object object, const carom_param_tables *tables,
                                 const carom_node *node)
{
    const char *names[128];
    size_t count = 0, rows;
    char hint[CAROM_SUGGESTION];
    const carom_key *keys = carom_keys_of(object, &rows);
    for (size_t k = 0; k < rows; k++)
        names[count++] = keys[k].name;
    for (int t = 0; t < tables->tables; t++)
        for (size_t k = 0; k < tables->counts[t] && count < CAROM_COUNT(names); k++)
            if (!has_name(names, count, tables->rows[t][k].name)) /* parts of a law share some */
                names[count++] = tables->rows[t][k].name;
    const char *section = section_with(object, node->key);
    if (section)
        snprintf(hint, sizeof hint, "; it is one of '%s': write `%s: {%.40s: ...}`", section, section, node->key);
    else if (strchr(node->key, ':') && node->type == CAROM_NODE_SCALAR && !*node->text)
        snprintf(hint, sizeof hint, "; a blank belongs behind the ':'");
    else
        carom_suggest(node->key, names, count, hint, sizeof hint);
    const char *of = tables->owner ? tables->owner : carom_object_get(object)->name;
    if (hint[0])
        return carom_read_fail(r, &node->key_place, "unknown key '%.63s' of %s%s", node->key, of, hint);
    char list[512];
    size_t n = 0;
    for (size_t k = 0; k < count && n + 64 < sizeof list; k++)
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", k ? ", " : "", names[k]);
    return carom_read_fail(r, &node->key_place, "unknown key '%.63s' of %s; there are %s", node->key, of, list);
}

const carom_node *carom_read_entry(const carom_node *node, const carom_key *key)
{
    const carom_node *value = carom_node_find(node, key->name);
    return value || !key->alias ? value : carom_node_find(node, key->alias);
}

carom_status carom_check_known(const carom_reader *r, carom_object object, const carom_param_tables *tables,
                               const carom_node *node)
{
    for (const carom_node *n = node->first; n; n = n->next) {
        const carom_key *key = carom_key_find(object, n->key);
        if (!key && !carom_tables_find(tables, n->key)) {
            CAROM_TRY_ON(r->ctx, fail_unknown(r, object, tables, n));
            continue;
        }
        if (key && key->alias && strcmp(n->key, key->alias) == 0 && carom_node_find(node, key->name))
            return carom_read_fail(r, &n->key_place, "'%s' is the former name of '%s'; remove one of both keys", n->key,
                                   key->name);
        if (key && (key->flags & CAROM_KEY_2D) && r->spec->dimension == 3)
            return carom_read_fail(r, &n->key_place, "'%s' is for planar models; this one has dimension 3%s", key->name,
                                   carom_key_find(object, "orientation") ? ", where it is 'orientation'" : "");
        if (key && (key->flags & CAROM_KEY_3D) && r->spec->dimension == 2)
            return carom_read_fail(r, &n->key_place, "'%s' is for spatial models; this one has dimension 2%s",
                                   key->name, carom_key_find(object, "angle") ? ", where it is 'angle'" : "");
    }
    return CAROM_OK;
}

/* The entry of an included robot that one of the file may have been meant to override; "" if there is none near. */
static const char *meant_entry(const carom_reader *r, carom_object object, const carom_node *node, char *buffer,
                               size_t size)
{
    size_t count;
    const carom_key *keys = carom_keys_of(CAROM_OBJECT_MODEL, &count);
    const carom_node *section = NULL;
    buffer[0] = '\0';
    for (size_t k = 0; k < count && r->expanded && node->key; k++)
        if (keys[k].type == CAROM_KEY_MAP && keys[k].element == object)
            section = carom_node_find(r->expanded, keys[k].name);
    for (const carom_node *n = section ? section->first : NULL; n; n = n->next)
        if (strcmp(n->key, node->key) != 0 && carom_nearest_name(node->key, &n->key, 1))
            snprintf(buffer, size, "; or did you mean '%.63s', which a robot has?", n->key);
    return buffer;
}

carom_status carom_check_required(const carom_reader *r, carom_object object, const carom_node *node,
                                  const carom_place *place)
{
    size_t count;
    char hint[120];
    const carom_key *keys = carom_keys_of(object, &count);
    for (size_t k = 0; k < count; k++)
        if ((keys[k].flags & CAROM_KEY_REQUIRED) && !carom_read_entry(node, &keys[k]))
            return carom_read_fail(r, place, "missing key '%s': %s%s", keys[k].name, keys[k].description,
                                   meant_entry(r, object, node, hint, sizeof hint));
    return CAROM_OK;
}

/* ---- what a table of single keys cannot say ---- */

/* A load has the frames that its kind asks for. */
static carom_status check_load(const carom_reader *r, const carom_node *node, const carom_place *place,
                               const carom_load_def *def)
{
    const carom_load_kind *kind = (const carom_load_kind *)carom_kind_find(r->ctx, CAROM_FAMILY_LOAD, def->type);
    const carom_node *on = carom_node_find(node, "on"), *between = carom_node_find(node, "between");
    const carom_node *wrong = kind->frame_count == 1 ? between : on;
    const char *right = kind->frame_count == 1 ? "on" : "between";
    if (kind->may_react && between && on)
        return carom_read_fail(r, &between->key_place,
                               "a %s acts 'on' one frame or 'between' two; remove one of both keys", def->type);
    if (kind->may_react && between)
        return CAROM_OK;
    if (wrong)
        return carom_read_fail(r, &wrong->key_place, "a %s acts %s; write '%s' instead of '%s'", def->type,
                               kind->on_joint           ? "on one joint"
                               : kind->frame_count == 1 ? "on one frame"
                                                        : "between two frames",
                               right, wrong->key);
    if (def->frame_count != kind->frame_count)
        return carom_read_fail(r, place, "missing key '%s': %s", right,
                               carom_key_find(CAROM_OBJECT_LOAD, right)->description);
    return CAROM_OK;
}

/* A joint is between two frames, or of two other joints. */
static carom_status check_joint(const carom_reader *r, const carom_node *node, const carom_place *place,
                                const carom_joint_def *def)
{
    const carom_joint_kind *kind = (const carom_joint_kind *)carom_kind_find(r->ctx, CAROM_FAMILY_JOINT, def->type);
    const char *right = kind->couple ? "joints" : "between", *other = kind->couple ? "between" : "joints";
    const carom_node *wrong = carom_node_find(node, other);
    if (wrong)
        return carom_read_fail(r, &wrong->key_place, "a %s joint is %s; write '%s' instead of '%s'", def->type,
                               kind->couple ? "of other joints" : "between two frames", right, other);
    if (!carom_node_find(node, right))
        return carom_read_fail(r, place, "missing key '%s': %s", right,
                               carom_key_find(CAROM_OBJECT_JOINT, right)->description);
    return CAROM_OK;
}

/* A contact is one of two shapes, or a set. */
static carom_status check_contact(const carom_reader *r, const carom_node *node, const carom_place *place)
{
    const carom_node *between = carom_node_find(node, "between"), *all = carom_node_find(node, "all");
    static const char *const of_sets[] = {"exclude", "allow_connected"};
    if (!between && !all)
        return carom_read_fail(r, place, "missing key 'between': %s",
                               carom_key_find(CAROM_OBJECT_CONTACT, "between")->description);
    if (between && all)
        return carom_read_fail(r, &all->key_place,
                               "a contact is 'between' two shapes, or a set of 'all' shapes; remove one of both keys");
    for (size_t k = 0; k < CAROM_COUNT(of_sets); k++) {
        const carom_node *with = carom_read_entry(node, carom_key_find(CAROM_OBJECT_CONTACT, of_sets[k]));
        if (with && !all)
            return carom_read_fail(r, &with->key_place, "'%s' goes with 'all', the contact set", with->key);
    }
    return CAROM_OK;
}

/* A spline goes through points, or through those of a file. */
static carom_status check_curve(const carom_reader *r, const carom_node *node, const carom_place *place)
{
    const carom_node *file = carom_node_find(node, "file"), *columns = carom_node_find(node, "columns");
    const bool points = carom_node_find(node, "points") != NULL;
    if (!file && !points)
        return carom_read_fail(r, place, "missing key 'points': %s",
                               carom_key_find(CAROM_OBJECT_CURVE, "points")->description);
    if (file && points)
        return carom_read_fail(r, &file->key_place, "'points' and 'file' both say where the spline goes; remove one");
    if (columns && !file)
        return carom_read_fail(r, &columns->key_place, "'columns' go with 'file'");
    return CAROM_OK;
}

carom_status carom_check_object(const carom_reader *r, carom_object object, const carom_node *node,
                                const carom_place *place, const void *target)
{
    if (object == CAROM_OBJECT_LOAD)
        return check_load(r, node, place, target);
    if (object == CAROM_OBJECT_JOINT)
        return check_joint(r, node, place, target);
    if (object == CAROM_OBJECT_CONTACT)
        return check_contact(r, node, place);
    if (object == CAROM_OBJECT_CURVE)
        return check_curve(r, node, place);
    if (object == CAROM_OBJECT_RUN) {
        const carom_run_def *run = target;
        if (carom_analysis_moves(run->analysis) && !carom_node_find(node, "until"))
            return carom_read_fail(r, place, "missing key 'until': %s",
                                   carom_key_find(CAROM_OBJECT_RUN, "until")->description);
    }
    return CAROM_OK;
}
