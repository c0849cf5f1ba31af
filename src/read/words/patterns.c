/* Patterns: copies of an entry in a row or around an axis. */
#include "read/reader.h"

#include "math/vec.h"

#include <math.h>
#include <string.h>

carom_status carom_check_pattern(carom_reader *r, const carom_node *entry, const carom_node *node,
                                 carom_pattern_def *pattern, size_t *count)
{
    if (!(pattern->count >= 1 && pattern->count <= CAROM_READER_COPIES) || pattern->count != floor(pattern->count))
        return carom_read_fail(r, &pattern->count_place, "'%s': a pattern has a whole number of copies, "
                               "1 to %d, not %g", entry->key, CAROM_READER_COPIES, pattern->count);
    *count = (size_t)pattern->count;
    const bool row = carom_node_find(node, "spacing") != NULL;
    const bool around = carom_node_find(node, "centre") || carom_node_find(node, "axis");
    if (isnan(pattern->step))
        pattern->step = around ? 2 * CAROM_PI / pattern->count : 0;
    if (!row && !around && pattern->step == 0 && carom_node_find(entry, "at"))
        return carom_read_fail(r, &node->key_place,
                               "'%s': all %zu would be in one place; a pattern has a `spacing`, [dx, dy], or goes "
                               "around a `centre`",
                               entry->key, *count);
    if (isnan(pattern->axis[0])) {
        pattern->axis[0] = pattern->axis[1] = 0;
        pattern->axis[2] = 1;
    }
    const double length = sqrt(pattern->axis[0] * pattern->axis[0] + pattern->axis[1] * pattern->axis[1] +
                               pattern->axis[2] * pattern->axis[2]);
    if (!(length > 0) || isinf(length))
        return carom_read_fail(r, &pattern->axis_place, "the axis has the length %g; give a direction", length);
    for (int k = 0; k < 3; k++)
        pattern->axis[k] /= length;
    return CAROM_OK;
}

/* ---- places ---- */

typedef struct placement {
    carom_quat turn;
    double angle, centre[3], shift[3];
} placement;

static void turn_vector(const placement *p, double *v, int n)
{
    const carom_mat3 m = carom_quat_matrix(p->turn);
    const double in[3] = {v[0], v[1], n == 3 ? v[2] : 0};
    double parts[3];
    for (int k = 0; k < 3; k++)
        parts[k] = m.m[k][0] * in[0] + m.m[k][1] * in[1] + m.m[k][2] * in[2];
    if (p->angle != 0)
        memcpy(v, parts, (size_t)n * sizeof *v);
}

static void move_point(const placement *p, double *v)
{
    for (int k = 0; k < 3; k++)
        v[k] -= p->centre[k];
    turn_vector(p, v, 3);
    for (int k = 0; k < 3; k++)
        v[k] += p->centre[k] + p->shift[k];
}

static void turn_quaternion(const placement *p, double *q)
{
    const carom_quat out = carom_quat_multiply(p->turn, (carom_quat){q[0], q[1], q[2], q[3]});
    q[0] = out.w;
    q[1] = out.x;
    q[2] = out.y;
    q[3] = out.z;
}

static void turn_value(const placement *p, carom_value *v)
{
    if (v->type == CAROM_VALUE_VECTOR && !v->expression[0] && v->size >= 2)
        turn_vector(p, v->number, v->size > 3 ? 3 : v->size);
}

static void place_body(const placement *p, carom_body_def *body)
{
    move_point(p, body->at);
    body->angle += p->angle;
    turn_quaternion(p, body->orientation);
    turn_value(p, &body->velocity);
    turn_value(p, &body->angular_velocity);
}

static void place_frame(const carom_reader *r, const placement *p, carom_frame_def *frame)
{
    move_point(p, frame->at);
    if (p->angle == 0)
        return;
    double q[4] = {1, 0, 0, 0};
    const carom_place place = frame->orientation.place;
    if (r->spec->dimension == 2) {
        const double own = frame->orientation.type == CAROM_VALUE_NUMBER ? frame->orientation.number[0] : 0;
        frame->orientation = carom_value_number(own + p->angle);
    } else {
        if (frame->orientation.type == CAROM_VALUE_VECTOR)
            memcpy(q, frame->orientation.number, sizeof q);
        turn_quaternion(p, q);
        frame->orientation = carom_value_vector(4, q);
    }
    frame->orientation.place = place;
}

/* Whether a name is that of a copy; the copies of a body have their places already. */
static bool is_copy(const carom_reader *r, const char *name)
{
    const char *digits = strrchr(name, '_');
    for (size_t k = 0; digits && k < r->copies_count; k++)
        if (r->copies[k].object == CAROM_OBJECT_BODY && strlen(r->copies[k].name) == (size_t)(digits - name) &&
            strncmp(r->copies[k].name, name, (size_t)(digits - name)) == 0)
            return true;
    return false;
}

static void place_point(const placement *p, carom_frame_ref *frame)
{
    const double none[4] = {0};
    move_point(p, frame->point);
    if (memcmp(frame->orientation, none, sizeof none) != 0)
        turn_quaternion(p, frame->orientation);
}

/* Points `{body: [x, y]}` on bodies that have no copies. */
static void place_points(const carom_reader *r, const placement *p, const carom_node *entry, carom_frame_ref *frames)
{
    const carom_node *between = carom_node_find(entry, "between"), *on = carom_node_find(entry, "on");
    const carom_node *node = between && between->type == CAROM_NODE_LIST ? between->first : on;
    for (int k = 0; k < 2 && node; k++, node = node == on ? NULL : node->next)
        if (node->type == CAROM_NODE_MAPPING && frames[k].body && !is_copy(r, frames[k].body))
            place_point(p, &frames[k]);
}

static void turn_axes(const placement *p, const carom_param_list *params)
{
    for (size_t k = 0; k < params->count; k++) {
        carom_param *param = (carom_param *)&params->items[k];
        if (strcmp(param->name, "axis") == 0 || strcmp(param->name, "axis2") == 0 ||
            strcmp(param->name, "direction") == 0)
            turn_value(p, &param->value);
    }
}

void carom_pattern_place(const carom_reader *r, const carom_pattern_def *pattern, carom_object object,
                         const carom_node *entry, size_t number, void *target)
{
    placement p = {.angle = pattern->step * (double)(number - 1)};
    const double s = sin(0.5 * p.angle);
    p.turn = (carom_quat){cos(0.5 * p.angle), s * pattern->axis[0], s * pattern->axis[1], s * pattern->axis[2]};
    memcpy(p.centre, pattern->centre, sizeof p.centre);
    for (int k = 0; k < 3; k++)
        p.shift[k] = pattern->spacing[k] * (double)(number - 1);
    if (object == CAROM_OBJECT_BODY) {
        place_body(&p, target);
    } else if (object == CAROM_OBJECT_FRAME) {
        place_frame(r, &p, target);
    } else if (object == CAROM_OBJECT_SHAPE) {
        carom_shape_def *shape = target;
        move_point(&p, shape->at);
        turn_quaternion(&p, shape->orientation);
    } else if (object == CAROM_OBJECT_JOINT) {
        carom_joint_def *joint = target;
        place_points(r, &p, entry, joint->between);
        turn_axes(&p, &joint->params);
    } else if (object == CAROM_OBJECT_LOAD) {
        place_points(r, &p, entry, ((carom_load_def *)target)->on);
    }
}
