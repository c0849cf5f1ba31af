/* MJCF while it is read: settings of the compiler, classes of defaults, the order of coordinates. */
#ifndef CAROM_IMPORT_MJCF_H
#define CAROM_IMPORT_MJCF_H

#include "import/robot.h"

/* A class of defaults; those of an enclosing class hold where it says nothing. */
typedef struct carom_mjcf_class {
    const char *name;
    int outer; /* -1: the outermost */
    carom_xml *element;
} carom_mjcf_class;

/* A joint of the file, in the order of coordinates; several of one body may be one joint of the robot. */
typedef struct carom_mjcf_part {
    carom_xml *element;
    const char *name;
    char type;           /* 'h'inge, 's'lide, 'b'all, 'f'ree */
    carom_vec3 at, axis; /* in the body's axes */
    double reference;
    int joint;  /* of the robot; -1: not made yet */
    bool alone; /* the joint is this one alone */
    int q, v;   /* first coordinate and velocity in a keyframe */
} carom_mjcf_part;

typedef struct carom_mjcf {
    carom_robot *robot;
    carom_mjcf_class *classes;
    carom_mjcf_part *parts;
    int *controls; /* drives of the robot by the order of actuators; -1: not taken over */
    size_t class_count, class_capacity, part_count, part_capacity, control_count, control_capacity;
    bool degrees, autolimits;
    char from_geom; /* inertia 'n'ever, 'a'lways of geoms, or where there is 'i'nertial none */
    char euler[4];
    double groups[2]; /* of geoms that have mass */
    const char *mesh_folder;
    carom_xml *asset;
    int q_count, v_count, world_shapes;
    carom_names part_names;
} carom_mjcf;

/* An element with the class whose defaults hold for it; class -1: none. */
typedef struct carom_mjcf_element {
    carom_xml *xml;
    int class;
} carom_mjcf_element;

/* ---- mjcf_values.c ---- */

/* Reads the classes of a <default>. */
carom_status carom_mjcf_read_classes(carom_mjcf *m, carom_xml *element, int outer);
/* The element with its class: its own, or that of the bodies around it. */
carom_status carom_mjcf_with_class(carom_mjcf *m, carom_xml *xml, int inherited, carom_mjcf_element *out);
/* A class by its name. */
carom_status carom_mjcf_find_class(carom_mjcf *m, carom_xml *xml, const char *name, int *out);
/* The value of an attribute, or its default; NULL: neither. */
const char *carom_mjcf_get(const carom_mjcf *m, const carom_mjcf_element *e, const char *name);
/* `least` to `most` numbers; *count 0: not given. */
carom_status carom_mjcf_numbers(carom_mjcf *m, const carom_mjcf_element *e, const char *name, int least, int most,
                                double *out, int *count);
carom_status carom_mjcf_number(carom_mjcf *m, const carom_mjcf_element *e, const char *name, double *out);
/* Position and orientation: quat, axisangle, euler, xyaxes, zaxis. */
carom_status carom_mjcf_placement(carom_mjcf *m, const carom_mjcf_element *e, carom_placement *out);
/* An angle of the file in radians. */
double carom_mjcf_angle(const carom_mjcf *m, double value);

/* ---- mjcf_geom.c ---- */

/* Shapes of a body; those that have mass are added to `link` if it has no inertia of its own. */
carom_status carom_mjcf_read_geoms(carom_mjcf *m, carom_xml *body, int class, int link, const carom_placement *in);
/* The <inertial> of a body. */
carom_status carom_mjcf_read_inertial(carom_mjcf *m, carom_xml *inertial, carom_robot_link *link);

/* ---- mjcf_joint.c ---- */

/* The joint of a body that its <joint> elements make; none: the parent holds it. */
carom_status carom_mjcf_read_joints(carom_mjcf *m, carom_xml *body, int class, int parent, int link,
                                    const carom_placement *at);

/* ---- mjcf_more.c ---- */

carom_status carom_mjcf_read_equality(carom_mjcf *m, carom_xml *root);
carom_status carom_mjcf_read_actuators(carom_mjcf *m, carom_xml *root);
carom_status carom_mjcf_read_keyframe(carom_mjcf *m, carom_xml *root);

#endif
