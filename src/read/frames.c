/* Frames that joints and loads name, and orientations in their several forms. */
#include "read/reader.h"

#include "math/vec.h"

#include <math.h>
#include <string.h>

/* ---- frames ---- */

/* `{body: [x, y]}` and `{body: [x, y], orientation: ...}`: a point without name. Its axes are read by the caller. */
static carom_status read_point(carom_reader *r, const carom_node *node, carom_frame_ref *out)
{
    const carom_node *turn = carom_frame_turn(node);
    if (node->count != (turn ? 2 : 1))
        return carom_read_fail(r, &node->place,
                               "a point on a body is a mapping of one entry, {body: [x, y%s]}, and of an `orientation` "
                               "if its axes are turned",
                               r->spec->dimension == 3 ? ", z" : "");
    const carom_node *point = turn == node->first ? turn->next : node->first;
    if (strchr(point->key, '.'))
        return carom_read_fail(r, &point->key_place,
                               "'%.80s': a point is given from the centre of mass of a body, {body: [x, y]}",
                               point->key);
    CAROM_TRY(carom_check_name(r, "body", point->key, &point->key_place));
    out->body = point->key;
    out->place = point->key_place;
    return carom_read_vector(r, point, "m", r->spec->dimension, out->point);
}

const carom_node *carom_frame_turn(const carom_node *node)
{
    return node->type == CAROM_NODE_MAPPING && node->count > 1 ? carom_node_find(node, "orientation") : NULL;
}

carom_status carom_read_dotted(carom_reader *r, const char *what, const char *what_part, const carom_node *node,
                               const char **name, const char **part)
{
    CAROM_TRY(carom_read_text(r, node, name));
    const char *dot = strchr(*name, '.');
    *part = dot ? dot + 1 : NULL;
    if (dot && !(*name = carom_arena_text_n(r->arena, *name, (size_t)(dot - *name))))
        return carom_fail_memory(r->ctx);
    CAROM_TRY(carom_check_name(r, what, *name, &node->place));
    return dot ? carom_check_name(r, what_part, *part, &node->place) : CAROM_OK;
}

carom_status carom_read_frame_ref(carom_reader *r, const carom_node *node, carom_frame_ref *out)
{
    *out = (carom_frame_ref){.place = node->place};
    if (node->type == CAROM_NODE_MAPPING)
        return read_point(r, node, out);
    if (node->type == CAROM_NODE_LIST)
        return carom_read_fail(r, &node->place,
                               "a frame is `body`, `body.frame` or {body: [x, y]}; whose point is this?");
    return carom_read_dotted(r, "body", "frame", node, &out->body, &out->frame);
}

/* ---- orientations ---- */

static carom_quat turn_about(double x, double y, double z, double angle)
{
    double s = sin(0.5 * angle);
    return (carom_quat){cos(0.5 * angle), s * x, s * y, s * z};
}

/* {axis, angle} or {zxz}. */
static carom_status quaternion_of(const carom_reader *r, const carom_node *node, const carom_turn_def *turn,
                                  carom_quat *out)
{
    bool axis = !isnan(turn->axis[0]), angle = !isnan(turn->angle), zxz = !isnan(turn->zxz[0]);
    if (axis != angle || axis == zxz)
        return carom_read_fail(r, &node->place,
                               "an orientation is [w, x, y, z], {axis: [x, y, z], angle: a} or "
                               "{zxz: [a, b, c]}");
    if (zxz) {
        carom_quat first = turn_about(0, 0, 1, turn->zxz[0]), second = turn_about(1, 0, 0, turn->zxz[1]);
        *out = carom_quat_multiply(carom_quat_multiply(first, second), turn_about(0, 0, 1, turn->zxz[2]));
        return CAROM_OK;
    }
    double length = sqrt(turn->axis[0] * turn->axis[0] + turn->axis[1] * turn->axis[1] + turn->axis[2] * turn->axis[2]);
    if (!(length > 0) || isinf(length))
        return carom_read_fail(r, &carom_node_find(node, "axis")->place, "the axis has the length %g; give a direction",
                               length);
    *out = turn_about(turn->axis[0] / length, turn->axis[1] / length, turn->axis[2] / length, turn->angle);
    return CAROM_OK;
}

static carom_status read_quaternion(carom_reader *r, const carom_node *node, const carom_turn_def *turn,
                                    carom_quat *out)
{
    if (node->type == CAROM_NODE_MAPPING)
        return quaternion_of(r, node, turn, out);
    if (node->type != CAROM_NODE_LIST || node->count != 4)
        return carom_read_fail(r, &node->place,
                               "an orientation in space is [w, x, y, z], {axis: [x, y, z], angle: a} or "
                               "{zxz: [a, b, c]}");
    double q[4];
    CAROM_TRY(carom_read_vector(r, node, "-", 4, q));
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 0) || isinf(length))
        return carom_read_fail(r, &node->place, "the quaternion has the length %g; a unit quaternion is meant", length);
    *out = (carom_quat){q[0] / length, q[1] / length, q[2] / length, q[3] / length};
    return CAROM_OK;
}

static carom_status read_angle(carom_reader *r, const carom_node *node, double *out)
{
    if (node->type != CAROM_NODE_SCALAR)
        return carom_read_fail(r, &node->place, "an orientation in the plane is one angle [rad]");
    return carom_read_number(r, node, "rad", out);
}

carom_status carom_read_orientation(carom_reader *r, const carom_node *node, const carom_turn_def *turn,
                                    double *quaternion)
{
    carom_quat q = {1, 0, 0, 0};
    if (r->spec->dimension == 2) {
        double angle = 0;
        CAROM_TRY(read_angle(r, node, &angle));
        q = turn_about(0, 0, 1, angle);
    } else {
        CAROM_TRY(read_quaternion(r, node, turn, &q));
    }
    quaternion[0] = q.w;
    quaternion[1] = q.x;
    quaternion[2] = q.y;
    quaternion[3] = q.z;
    return CAROM_OK;
}

carom_status carom_read_orientation_value(carom_reader *r, const carom_node *node, const carom_turn_def *turn,
                                          carom_value *out)
{
    if (r->spec->dimension == 2) {
        double angle = 0;
        CAROM_TRY(read_angle(r, node, &angle));
        *out = carom_value_number(angle);
    } else {
        double q[4];
        CAROM_TRY(carom_read_orientation(r, node, turn, q));
        *out = carom_value_vector(4, q);
    }
    out->place = node->place;
    return CAROM_OK;
}
