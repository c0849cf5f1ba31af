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

/* Where the control of an actuator goes: a drive, effort or cable of the robot. */
typedef struct carom_mjcf_control {
    char of; /* 'd'rive, 'e'ffort, 'c'able; 0: it is not taken over */
    size_t index;
    double least, most; /* range */
} carom_mjcf_control;

/* A tendon: of coordinates of joints, or through points. */
typedef struct carom_mjcf_tendon {
    const char *name;
    carom_xml *element;
    carom_robot_term *terms; /* NULL: through points */
    int term_count;
    double drawn; /* length of the terms at their references */
    int cable;    /* of the robot; -1: none */
} carom_mjcf_tendon;

/* A link between two of several joints of a body, which has a share of the body's inertia. */
typedef struct carom_mjcf_between {
    int link, body;
} carom_mjcf_between;

typedef struct carom_mjcf {
    carom_robot *robot;
    carom_mjcf_class *classes;
    carom_mjcf_part *parts;
    carom_mjcf_control *controls; /* by the order of actuators */
    carom_mjcf_tendon *tendons;
    carom_mjcf_between *betweens;
    size_t class_count, class_capacity, part_count, part_capacity, control_count, control_capacity;
    size_t between_count, between_capacity, tendon_count, tendon_capacity;
    bool degrees, autolimits, strip;     /* strip: of files the names alone */
    double least_mass, least_inertia, total_mass; /* 0: as the bodies have them */
    bool balance;                        /* inertias that no body has become round */
    char from_geom; /* inertia 'n'ever, 'a'lways of geoms, or where there is 'i'nertial none */
    char euler[4];
    double groups[2]; /* of geoms that have mass */
    const char *mesh_folder;
    carom_xml *root;
    int q_count, v_count, world_shapes;
    double *rates; /* `qvel` of the keyframe that is taken; NULL: none */
    int rate_count;
    carom_names part_names, driven; /* joints that something is said of elsewhere */
} carom_mjcf;

/* An element with the class whose defaults hold for it; class -1: none. */
typedef struct carom_mjcf_element {
    carom_xml *xml;
    int class;
} carom_mjcf_element;

/* ---- mjcf_expand.c ---- */

/* Puts the elements of included files where <include> stands. */
carom_status carom_mjcf_include(carom_mjcf *m, carom_arena *arena, carom_xml *root);
/* Writes out what <replicate> repeats; needs the settings of the compiler. */
carom_status carom_mjcf_replicate(carom_mjcf *m, carom_arena *arena, carom_xml *root);

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
/* Where a <frame> stands in the axes of the body, and the class in it. */
carom_status carom_mjcf_frame(carom_mjcf *m, carom_xml *frame, const carom_placement *in, int *class,
                              carom_placement *out);
/* An angle of the file in radians. */
double carom_mjcf_angle(const carom_mjcf *m, double value);

/* A hinge or slide that is a joint of its own; others are noted and *out is NULL. */
carom_status carom_mjcf_find_coordinate(carom_mjcf *m, carom_xml *e, const char *name, const carom_mjcf_part **out);
/* The name of an element, or WHAT_NUMBER. */
carom_status carom_mjcf_own_name(carom_mjcf *m, carom_xml *e, const char *what, size_t number, const char **out);

/* ---- mjcf_geom.c ---- */

/* Shapes of a body; those that have mass are added to `link` if it has no inertia of its own. */
carom_status carom_mjcf_read_geoms(carom_mjcf *m, carom_xml *body, int class, int link, const carom_placement *in);
/* The <inertial> of a body. */
carom_status carom_mjcf_read_inertial(carom_mjcf *m, carom_xml *inertial, carom_robot_link *link);

/* ---- mjcf_joint.c ---- */

/* The joint of a body that its <joint> elements make; none: the parent holds it. */
carom_status carom_mjcf_read_joints(carom_mjcf *m, carom_xml *body, int class, int parent, int link,
                                    const carom_placement *at);

/* Notes the joints that actuators, tendons and equalities name. */
carom_status carom_mjcf_note_driven(carom_mjcf *m);
/* Gives the links between joints of one body their inertias, once that of the body is known. */
void carom_mjcf_share_inertia(carom_mjcf *m);

/* ---- mjcf_more.c ---- */

carom_status carom_mjcf_read_equality(carom_mjcf *m, carom_xml *root);
/* The rates of the keyframe that is taken, before there are joints. */
carom_status carom_mjcf_peek_rates(carom_mjcf *m);
carom_status carom_mjcf_read_keyframe(carom_mjcf *m, carom_xml *root);

/* ---- mjcf_tendon.c ---- */

carom_status carom_mjcf_read_tendons(carom_mjcf *m, carom_xml *root);
/* A tendon by its name. */
carom_status carom_mjcf_find_tendon(carom_mjcf *m, carom_xml *e, const char *name, const carom_mjcf_tendon **out);
/* A site by its name. */
carom_status carom_mjcf_find_site(carom_mjcf *m, carom_xml *e, const char *name, int *out);
/* Sum of factors times `measure` of the joints, as an expression. */
const char *carom_mjcf_sum(const carom_mjcf *m, const carom_robot_term *terms, int count, const char *measure);

/* ---- mjcf_drive.c ---- */

carom_status carom_mjcf_read_actuators(carom_mjcf *m, carom_xml *root);
/* The control of an actuator at the start. */
void carom_mjcf_set_control(carom_mjcf *m, const carom_mjcf_control *to, double value);

#endif
