/* Corners of curves that are round elsewhere: the normal jumps there, and with it the force of each contact of the
   shape. They are told once for a shape, however many contacts it has. */
#include "model/compile.h"

#include "kinds/shape/shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The first two contacts of a shape with corners, the last one, and their number. */
struct carom_corner_note {
    const char *owner[2], *last;
    int count;
};

static bool has_corners(const carom_compiler *c, const carom_model_shape *shape)
{
    const double *curve = shape->p;
    return strcmp(carom_shape_surface(shape->kind, c->model->dimension == 2), "curve") == 0 &&
           curve[CAROM_CURVE_CORNERS] > 0 && (curve[CAROM_CURVE_SHARPEST] != 0 || curve[CAROM_CURVE_HOLLOWEST] != 0);
}

carom_status carom_corners_note(carom_compiler *c, const char *owner, int shape)
{
    carom_model *m = c->model;
    if (!has_corners(c, &m->shapes[shape]))
        return CAROM_OK;
    if (!c->corners && !(c->corners = carom_arena_alloc(&m->arena, (size_t)m->shape_count, sizeof *c->corners)))
        return carom_fail_memory(c->ctx);
    struct carom_corner_note *note = &c->corners[shape];
    if (note->last && strcmp(note->last, owner) == 0) /* both of its shapes are this one */
        return CAROM_OK;
    if (!(note->last = carom_arena_text(&m->arena, owner)))
        return carom_fail_memory(c->ctx);
    if (note->count < 2)
        note->owner[note->count] = note->last;
    note->count++;
    return CAROM_OK;
}

/* The first corner of a curve that has one. */
static carom_curve_joint first_corner(const double *curve)
{
    carom_curve_joint joint = {0};
    int k = carom_curve_closed(curve) ? 0 : 1;
    do
        carom_curve_joint_at(curve, k, &joint);
    while (joint.kind != CAROM_JOINT_CONVEX && joint.kind != CAROM_JOINT_CONCAVE && ++k < carom_curve_segments(curve));
    return joint;
}

carom_status carom_corners_warn(carom_compiler *c)
{
    for (int k = 0; c->corners && k < c->model->shape_count; k++) {
        const struct carom_corner_note *note = &c->corners[k];
        const carom_model_shape *shape = &c->model->shapes[k];
        if (note->count == 0)
            continue;
        char others[160] = "";
        if (note->count == 2)
            snprintf(others, sizeof others, " and %s", note->owner[1]);
        else if (note->count > 2)
            snprintf(others, sizeof others, ", %s and %d other%s", note->owner[1], note->count - 2,
                     note->count > 3 ? "s" : "");
        const carom_curve_joint joint = first_corner(shape->p);
        CAROM_TRY(carom_compile_warn(
            c, CAROM_WARN_CORNER,
            "%s%s: shape '%s' is not smooth: it has a corner at (%.6g, %.6g) m, of %.4g degrees%s; the normal jumps "
            "there",
            note->owner[0], others, shape->name, joint.at.x, joint.at.y, fabs(joint.turn) * (180 / CAROM_PI),
            shape->p[CAROM_CURVE_CORNERS] > 1 ? ", and others" : ""));
    }
    return CAROM_OK;
}
