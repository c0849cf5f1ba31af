/* What the parts of the compilation share: kinds, bodies and frames by name, places, warnings, poses at the start. */
#include "model/compile.h"

#include <stdio.h>
#include <string.h>

/* ---- names ---- */

carom_status carom_compile_unknown(carom_compiler *c, const carom_place *place, const char *owner, const char *what,
                                   const char *word, size_t name_count)
{
    return carom_fail_unknown(c->ctx, place, owner, what, word, c->names, name_count);
}

carom_status carom_compile_find_body(carom_compiler *c, const carom_place *place, const char *owner, const char *name,
                                     int *out)
{
    const carom_model *m = c->model;
    *out = carom_names_find(&c->body_index, name);
    if (*out >= 0)
        return CAROM_OK;
    for (int k = 0; k <= m->body_count; k++)
        c->names[k] = m->bodies[k].name;
    return carom_compile_unknown(c, place, owner, "body", name ? name : "", (size_t)m->body_count + 1);
}

carom_status carom_compile_find_kind(carom_compiler *c, const carom_place *place, const char *owner,
                                     carom_family family, const char *name, const carom_kind **out)
{
    return carom_kind_require(c->ctx, place, owner, family, name, out);
}

/* A point without a name, and its axes. */
static void place_marker(const carom_frame_ref *ref, carom_marker *out)
{
    carom_quat q = {ref->orientation[0], ref->orientation[1], ref->orientation[2], ref->orientation[3]};
    const double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    out->at = carom_v3_load(ref->point);
    if (!(length > 0))
        return;
    q = (carom_quat){q.w / length, q.x / length, q.y / length, q.z / length};
    out->angle = 2 * atan2(q.z, q.w);
    out->axes = carom_quat_matrix(q);
}

carom_status carom_compile_marker(carom_compiler *c, const char *owner, const carom_frame_ref *ref, carom_marker *out)
{
    *out = (carom_marker){.axes = carom_m3_identity()};
    CAROM_TRY(carom_compile_find_body(c, &ref->place, owner, ref->body, &out->body));
    if (!ref->frame || !ref->frame[0]) {
        place_marker(ref, out);
        return CAROM_OK;
    }
    if (out->body == 0)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &ref->place,
                          "%s: the ground has no frames; write {ground: [x, y]} for a point of it, with "
                          "`orientation` where its axes are turned",
                          owner);
    const carom_body_def *body = &c->spec->bodies[out->body - 1];
    for (size_t k = 0; k < body->frame_count; k++) {
        const carom_frame_def *frame = &body->frames[k];
        if (strcmp(frame->name, ref->frame) != 0)
            continue;
        out->at = carom_v3_load(frame->at);
        const carom_value *o = &frame->orientation;
        if (o->type == CAROM_VALUE_NUMBER) {
            out->angle = o->number[0];
            out->axes = carom_quat_matrix(carom_quat_from_rotation(carom_v3(0, 0, out->angle)));
        } else if (o->type == CAROM_VALUE_VECTOR)
            out->axes = carom_quat_matrix((carom_quat){o->number[0], o->number[1], o->number[2], o->number[3]});
        return CAROM_OK;
    }
    char what[128];
    snprintf(what, sizeof what, "frame on body '%s' named", body->name);
    for (size_t k = 0; k < body->frame_count; k++)
        c->names[k] = body->frames[k].name;
    return carom_compile_unknown(c, &ref->place, owner, what, ref->frame, body->frame_count);
}

/* ---- poses at the start ---- */

carom_mat3 carom_model_start_axes(const carom_model *m, int body)
{
    if (body == 0)
        return carom_m3_identity();
    if (m->dimension == 2)
        return carom_quat_matrix(carom_quat_from_rotation(carom_v3(0, 0, m->bodies[body].angle)));
    return carom_quat_matrix(m->bodies[body].orientation);
}

carom_frame_pose carom_compile_start_pose(const carom_model *m, const carom_marker *marker)
{
    carom_mat3 axes = carom_model_start_axes(m, marker->body);
    carom_frame_pose pose = {.axes = carom_m3_multiply(&axes, &marker->axes)};
    pose.arm = carom_m3_apply(&axes, marker->at);
    pose.p = carom_v3_add(m->bodies[marker->body].position, pose.arm);
    pose.angle = marker->angle + (marker->body ? m->bodies[marker->body].angle : 0);
    return pose;
}

/* ---- messages ---- */

carom_status carom_compile_place(carom_compiler *c, carom_place place, carom_place *out)
{
    carom_model *m = c->model;
    *out = place;
    if (!place.file)
        return CAROM_OK;
    if (m->file && strcmp(place.file, m->file) == 0)
        out->file = m->file;
    else
        out->file = c->included = carom_arena_text_again(&m->arena, place.file, c->included);
    return out->file ? CAROM_OK : carom_fail_memory(c->ctx);
}

carom_status carom_compile_warn(carom_compiler *c, carom_warning_code code, const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    carom_model *m = c->model;
    CAROM_TRY(carom_grow(c->ctx, &m->ignored, &m->warning_capacity, (size_t)m->warning_count + 1, sizeof *m->ignored));
    m->ignored[m->warning_count] = (carom_model_warning){code, carom_arena_text(&m->arena, line)};
    if (!m->ignored[m->warning_count].text)
        return carom_fail_memory(c->ctx);
    m->warning_count++;
    return CAROM_OK;
}

carom_status carom_compile_warn_at(carom_compiler *c, carom_warning_code code, const carom_place *place,
                                   const char *text)
{
    if (place->line > 0 && place->file && (!c->model->file || strcmp(place->file, c->model->file) != 0))
        return carom_compile_warn(c, code, "%s:%d: %s", place->file, place->line, text);
    if (place->line > 0)
        return carom_compile_warn(c, code, "line %d: %s", place->line, text);
    return carom_compile_warn(c, code, "%s", text);
}
