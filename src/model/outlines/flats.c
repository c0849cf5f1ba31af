/* Outlines that have straight sides and may lie flat on each other, but touch in one point at a time, as they are
   neither of straight sides alone nor convex ones of lines and arcs. They are told once for a contact, or for the pairs
   of a contact set. */
#include "model/compile.h"

#include "kinds/shape/shape.h"

#include <stdio.h>
#include <string.h>

/* The pairs of a contact or a set: its name, the first of them, and their number. */
struct carom_flats_note {
    const char *name, *owner;
    size_t length; /* of the name */
    const char *i, *j;
    int count;
    struct carom_flats_note *next;
};

/* Length of the set's name in that of one of its pairs, SET.SHAPE-SHAPE; else that of the contact's. */
static size_t set_length(const carom_contact_def *def)
{
    const size_t whole = strlen(def->name), first = strlen(def->between[0]), second = strlen(def->between[1]);
    const size_t own = first + second + 2;
    if (whole <= own)
        return whole;
    const char *tail = def->name + whole - own;
    const bool pair = tail[0] == '.' && strncmp(tail + 1, def->between[0], first) == 0 && tail[1 + first] == '-' &&
                      strcmp(tail + 2 + first, def->between[1]) == 0;
    return pair ? whole - own : whole;
}

carom_status carom_flats_note(carom_compiler *c, const carom_contact_def *def, const char *owner,
                              const carom_model_shape *i, const carom_model_shape *j)
{
    const bool planar = c->model->dimension == 2;
    if (strcmp(carom_shape_surface(i->kind, planar), "curve") != 0 ||
        strcmp(carom_shape_surface(j->kind, planar), "curve") != 0 || !carom_curve_has_sides(i->p) ||
        !carom_curve_has_sides(j->p))
        return CAROM_OK;
    const size_t length = set_length(def);
    struct carom_flats_note **last = &c->flats;
    for (; *last; last = &(*last)->next)
        if ((*last)->length == length && strncmp((*last)->name, def->name, length) == 0) {
            (*last)->count++;
            return CAROM_OK;
        }
    struct carom_flats_note *note = carom_arena_alloc(&c->model->arena, 1, sizeof *note);
    const char *text = carom_arena_text(&c->model->arena, owner);
    if (!note || !text)
        return carom_fail_memory(c->ctx);
    *note = (struct carom_flats_note){def->name, text, length, i->name, j->name, 1, NULL};
    *last = note;
    return CAROM_OK;
}

carom_status carom_flats_warn(carom_compiler *c)
{
    for (const struct carom_flats_note *note = c->flats; note; note = note->next) {
        char whose[400];
        if (note->count > 1)
            snprintf(whose, sizeof whose, "contact '%.*s', %d of its pairs: those such as '%s' and '%s'",
                     (int)note->length, note->name, note->count, note->i, note->j);
        else
            snprintf(whose, sizeof whose, "%s: '%s' and '%s'", note->owner, note->i, note->j);
        CAROM_TRY(carom_compile_warn(
            c, CAROM_WARN_FLATS,
            "%s both have straight sides, and touch in one point at a time: they rattle if they lie flat on each "
            "other; take a plane for one of them, outlines of straight sides alone, or convex ones of lines and arcs, "
            "such as boxes and capsules",
            whose));
    }
    return CAROM_OK;
}
