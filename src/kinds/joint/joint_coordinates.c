/* Coordinates that joints with several freedoms have besides their own. */
#include "kinds/joint/joint.h"

#include <string.h>

const carom_joint_kind *carom_joint_further(const carom_joint_kind *kind, const char *name)
{
    for (int k = 0; kind && kind->coordinates && kind->coordinates[k]; k++)
        if (strcmp(kind->coordinates[k]->kind.name, name) == 0)
            return kind->coordinates[k];
    return NULL;
}

static void along(const carom_frame_pose *i, int axis, const carom_frame_pose *j, carom_row *out)
{
    carom_row_along(i, carom_m3_column(&i->axes, axis), j, out);
}

static void x(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension, carom_row *out)
{
    (void)p;
    (void)dimension;
    along(i, 0, j, out);
}

static void y(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension, carom_row *out)
{
    (void)p;
    (void)dimension;
    along(i, 1, j, out);
}

static void travel(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension,
                   carom_row *out)
{
    (void)p;
    (void)dimension;
    along(i, 2, j, out);
}

static void angle(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension, carom_row *out)
{
    (void)p;
    carom_row_angle(i, j, dimension, out);
}

const carom_joint_kind carom_coordinate_x = {.kind = {.name = "x"}, .coordinate_unit = "m", .coordinate = x};
const carom_joint_kind carom_coordinate_y = {.kind = {.name = "y"}, .coordinate_unit = "m", .coordinate = y};
const carom_joint_kind carom_coordinate_travel = {
    .kind = {.name = "travel"}, .coordinate_unit = "m", .coordinate = travel};
const carom_joint_kind carom_coordinate_angle = {
    .kind = {.name = "angle"}, .coordinate_unit = "rad", .coordinate = angle};
