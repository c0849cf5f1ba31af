/* A robot between its description and the model: links, joints and shapes with their placements. URDF and MJCF fill it,
   robot.c completes and checks it, model.c makes the tree of a model of it. */
#ifndef CAROM_IMPORT_ROBOT_H
#define CAROM_IMPORT_ROBOT_H

#include "carom/model.h"
#include "import/mesh.h"
#include "import/xml.h"
#include "math/vec.h"
#include "tree/tree.h"

/* Where axes b stand in axes a: X_AB. */
typedef struct carom_placement {
    carom_vec3 p;
    carom_mat3 r;
} carom_placement;

typedef struct carom_robot_link {
    const char *name;
    carom_place place, inertia_place;
    bool has_inertia;
    bool inertia_given; /* as such, not by the masses of shapes */
    int shapes;         /* that are on it so far */
    bool touches;       /* some of them are not only drawn, */
    bool is_seen;       /* some are */
    double mass;        /* [kg] */
    carom_vec3 com;     /* link axes [m] */
    double inertia[6];  /* Ixx Iyy Izz Ixy Ixz Iyz about the centre of mass, link axes [kg m^2] */
    /* made by carom_robot_complete(): */
    int joint;                     /* to its parent; -1: a root */
    int first_child, next_sibling; /* links; -1: none */
    int holder;                    /* link whose body it is a part of; CAROM_GROUND */
    carom_placement on;            /* in the axes of that link, or of the world */
    carom_placement world;         /* at the start */
    carom_placement drawn;         /* where the description has it */
    carom_vec3 spin;               /* angular velocity at the start, world axes; where rates are given */
    double volume, size;           /* of its shapes [m^3], [m] */
} carom_robot_link;
#define CAROM_GROUND (-1)

typedef struct carom_robot_joint {
    const char *name;
    const char *type; /* a joint kind; "free" */
    carom_place place;
    int parent, child;      /* links; parent CAROM_GROUND: the world */
    carom_placement before; /* the joint in the parent's axes */
    carom_placement behind; /* the child in the joint's axes, at coordinate zero */
    carom_vec3 axis, axis2; /* joint's axes; unit vectors */
    double start;           /* coordinate [m or rad] */
    bool start_given;       /* not only drawn */
    double reference;       /* coordinate in which the description places the child */
    bool has_placed;        /* joints without one coordinate: the start is `placed`, not where the description has it */
    carom_placement placed; /* between before and behind */
    bool has_rate;
    bool is_held; /* at its start */
    double rate;        /* of the coordinate at the start */
    double velocity[6]; /* of a free body at the start: of its origin in world axes, angular in its own; has_rate. Of
                           a spherical joint the angular one */
    bool has_limits;
    double lower, upper;
    double damping, friction, stiffness, rest, armature;
    int mimics; /* joint whose coordinate it follows; -1: none */
    const char *mimic_name;
    carom_place mimic_place;
    double ratio, offset;
} carom_robot_joint;

typedef struct carom_robot_shape {
    const char *name;
    const char *type; /* a shape kind */
    carom_place place;
    int link;             /* CAROM_GROUND: the world */
    carom_placement on;   /* in the axes of the link */
    double size[3];       /* sphere: radius; box: lengths; cylinder, capsule: radius, length; ellipsoid: half axes */
    const char *mesh;     /* path of the file of a mesh */
    carom_mesh_mass mass; /* of a mesh: with its scale, in its axes */
    double extent;        /* of a mesh: longest side of the box around it [m] */
    double scale[3];
    bool visual;     /* drawn only */
    bool unseen;     /* not drawn where the link has shapes that are */
    bool has_hull;   /* of a mesh that is drawn: it could touch as well */
    bool has_colour; /* red, green, blue from 0 to 1: */
    double colour[3];
} carom_robot_shape;

/* A named point with axes of a link. */
typedef struct carom_robot_frame {
    const char *name;
    carom_place place;
    int link; /* CAROM_GROUND: not taken over */
    carom_placement on;
} carom_robot_frame;

/* A joint that closes a loop where the description has both links: "spherical" or "fixed". */
typedef struct carom_robot_closure {
    const char *name, *type;
    carom_place place;
    int links[2];      /* CAROM_GROUND: the world */
    carom_vec3 anchor; /* in the axes of the first */
} carom_robot_closure;

/* A drive of a joint with a coordinate q: gain control + bias - proportional q - derivative q'. */
typedef struct carom_robot_drive {
    const char *name;
    carom_place place;
    int joint;
    double gain, control, bias;
    double proportional, derivative, limit; /* limit 0: none */
} carom_robot_drive;

/* A factor of the coordinate of a joint. */
typedef struct carom_robot_term {
    int joint;
    double factor;
} carom_robot_term;

/* An expression that acts along coordinates of joints with a factor each, or on a point of a link. */
typedef struct carom_robot_effort {
    const char *name;
    carom_place place;
    carom_robot_term *terms; /* NULL: on the point */
    int term_count, frame;   /* frame: of the robot */
    double wrench[6];        /* force and torque in the axes of the frame, times the expression */
    const char *input;       /* a number that it may read; NULL: none */
    double start;            /* of the input */
    const char *text;        /* the expression */
} carom_robot_effort;

/* Part of a cable between two frames, share times which its length counts. */
typedef struct carom_robot_segment {
    int frames[2];
    double share;
} carom_robot_segment;

/* A cable of the length L = sum of shares and distances, which pulls with stiffness (L - rest) + damping L', and an
   expression. */
typedef struct carom_robot_cable {
    const char *name;
    carom_place place;
    carom_robot_segment *segments;
    int segment_count;
    double stiffness, damping;
    double rest[2];    /* between them no pull; negative: the length as drawn [m] */
    const char *pull;  /* NULL: none */
    const char *input; /* that it reads; NULL: none */
    double start;
} carom_robot_cable;

/* The sum of factors and coordinates stays what it is, or a relation of q1, q2, ... is zero. */
typedef struct carom_robot_coupling {
    const char *name;
    carom_place place;
    carom_robot_term *terms;
    int term_count;
    double offset;
    const char *relation; /* NULL: by the factors */
} carom_robot_coupling;

/* What was not taken over, or looks wrong, and where. */
typedef struct carom_import_note {
    const char *text;
    carom_place place;
    bool ignored; /* refused where the import is strict */
} carom_import_note;

typedef struct carom_robot {
    carom_context *ctx;
    carom_arena *arena;        /* of the tree that is made */
    const char *file, *format; /* format: "URDF", "MJCF" */
    const carom_import_def *def;
    const char *name;
    carom_xml *root; /* of a URDF */
    bool has_gravity;          /* the format says what it is, */
    carom_place gravity_place; /* here; line 0: by default */
    double gravity[3];
    carom_robot_link *links;
    carom_robot_joint *joints;
    carom_robot_shape *shapes;
    carom_robot_frame *frames;
    carom_robot_closure *closures;
    carom_robot_drive *drives;
    carom_robot_effort *efforts;
    carom_robot_cable *cables;
    carom_robot_coupling *couplings;
    size_t link_count, link_capacity, joint_count, joint_capacity, shape_count, shape_capacity;
    size_t frame_count, frame_capacity, closure_count, closure_capacity, drive_count, drive_capacity;
    size_t effort_count, effort_capacity, cable_count, cable_capacity, coupling_count, coupling_capacity;
    size_t elements; /* of the description */
    carom_names link_names, joint_names, shape_names;
    carom_import_note *notes;
    size_t note_count, note_capacity;
    bool root_is_ground;
} carom_robot;

/* ---- placement.c ---- */

carom_placement carom_placement_none(void);
/* X_AC of X_AB and X_BC. */
carom_placement carom_placement_chain(const carom_placement *ab, const carom_placement *bc);
carom_placement carom_placement_inverse(const carom_placement *ab);
/* Turned about fixed axes x, y, z in turn: roll, pitch, yaw. */
carom_mat3 carom_rotation_rpy(double roll, double pitch, double yaw);
carom_mat3 carom_rotation_about(carom_vec3 unit_axis, double angle);
/* Inertia about the same point in other axes: R I R^T, with the axes of I in the others' as columns of R. */
void carom_inertia_rotate(const carom_mat3 *r, const double *inertia, double *out);
/* Principal moments, the smallest first. */
void carom_inertia_moments(const double *inertia, double *moments);

/* ---- notes.c ---- */

/* Keeps a note. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_import_ignore(carom_robot *robot, const carom_place *place, const char *format, ...)
    CAROM_PRINTF(3, 4);
carom_status carom_import_warn(carom_robot *robot, const carom_place *place, const char *format, ...)
    CAROM_PRINTF(3, 4);
/* Notes every element and attribute that no importer has read, with the reason that `reason` knows; NULL: none. */
carom_status carom_import_unread(carom_robot *robot, carom_xml *root,
                                 const char *(*reason)(const char *element, const char *attribute));
/* Sends the notes to the log, those that say the same in one line. Strict: fails with the first that ignores. */
carom_status carom_import_tell(carom_robot *robot);

/* ---- values.c: attributes ---- */

/* `least` to `most` numbers between blanks; *count is how many there are. */
carom_status carom_import_list(carom_robot *robot, const carom_xml *element, const char *name, const char *text,
                               int least, int most, double *out, int *count);
/* `count` of them. */
carom_status carom_import_numbers(carom_robot *robot, const carom_xml *element, const char *name, const char *text,
                                  int count, double *out);
/* The numbers of an attribute; *given says whether there is one. */
carom_status carom_import_vector(carom_robot *robot, carom_xml *element, const char *name, int count, double *out,
                                 bool *given);
/* The same, which must be given. */
carom_status carom_import_required(carom_robot *robot, carom_xml *element, const char *name, int count, double *out);
/* A text that must be given and is not empty. */
carom_status carom_import_text_of(carom_robot *robot, carom_xml *element, const char *name, const char **out);

/* ---- files.c: mesh files ---- */

/* Finds a file that a description names, within the folder of the description, its package or those of
   `packages`. *out is NULL where there is none. Errors: CAROM_ERROR_MODEL for paths that lead out of them. */
carom_status carom_import_find(carom_robot *robot, const carom_place *place, const char *name, const char **out);

/* The path of a file as the model names it. */
const char *carom_import_path(carom_robot *robot, const char *path);
/* Reads the mesh of a shape and measures it. One that is only drawn and cannot be is noted, and has no file then. */
carom_status carom_import_measure(carom_robot *robot, const carom_place *place, carom_robot_shape *shape);

/* ---- robot.c ---- */

/* Makes the indices of names, for as many as the description has elements. */
carom_status carom_robot_index(carom_robot *robot);
/* The name of the model for one of the description: with the prefix, '_' for what a name may not hold, and `what`
   before one that begins with no letter. NULL without memory. */
const char *carom_robot_name(carom_robot *robot, const char *what, const char *name);
/* The same of a frame, which has no prefix. */
const char *carom_robot_frame_name(carom_robot *robot, const char *name);
carom_status carom_robot_add_link(carom_robot *robot, const carom_robot_link *link);
carom_status carom_robot_add_joint(carom_robot *robot, const carom_robot_joint *joint);
carom_status carom_robot_add_shape(carom_robot *robot, const carom_robot_shape *shape);
carom_status carom_robot_add_frame(carom_robot *robot, const carom_robot_frame *frame);
carom_status carom_robot_add_closure(carom_robot *robot, const carom_robot_closure *closure);
carom_status carom_robot_add_drive(carom_robot *robot, const carom_robot_drive *drive);
carom_status carom_robot_add_effort(carom_robot *robot, const carom_robot_effort *effort);
carom_status carom_robot_add_cable(carom_robot *robot, const carom_robot_cable *cable);
carom_status carom_robot_add_coupling(carom_robot *robot, const carom_robot_coupling *coupling);
/* What a solid of this shape has: volume, centre, and the inertia of the density 1 about it, as links have it; false:
   it is none. */
bool carom_robot_solid(const carom_robot_shape *shape, carom_mesh_mass *out);
/* Fails with "OWNER: no joint 'NAME'" and the nearest one. */
carom_status carom_robot_fail_joint(carom_robot *robot, const carom_place *place, const char *owner, const char *name);
/* Refuses masses and inertias that no body has. */
carom_status carom_robot_check_inertia(carom_robot *robot, const carom_robot_link *link);
/* Joins links without inertia to bodies, and finds the start of each, from joints with links given by number. */
carom_status carom_robot_complete(carom_robot *robot);

/* ---- urdf.c, mjcf.c ---- */

carom_status carom_urdf_read(carom_robot *robot, carom_xml *root);
/* What is included or repeated is made in the arena. */
carom_status carom_mjcf_read(carom_robot *robot, carom_arena *scratch, carom_xml *root);

/* ---- model.c ---- */

/* A model while it is made. */
typedef struct carom_robot_maker {
    carom_robot *robot;
    carom_tree_maker tree;
    carom_node **bodies;  /* by the numbers of their links; NULL: none */
    carom_node **between; /* of joints, by their numbers; NULL: there is none in the model */
    carom_node *root;
} carom_robot_maker;

/* Bodies, joints and shapes. */
void carom_robot_add_parts(carom_robot_maker *m);
/* Rounding of products of rotations is no part of a robot. */
double carom_robot_tidy(double value, double scale);
/* The axis of a joint in those of its second frame, which has the world's where the first is the ground's. */
carom_vec3 carom_robot_axis(const carom_robot_maker *m, int joint);
/* A section of the model; it is made where there is none. */
carom_node *carom_robot_section(carom_robot_maker *m, const char *name);
/* A comment that says where in the description an entry comes from. */
void carom_robot_say_origin(carom_robot_maker *m, carom_node *entry, const carom_place *place);
/* A frame of the robot as `body.frame`, or a point of the ground. */
carom_node *carom_robot_frame_node(carom_robot_maker *m, int frame);

/* ---- model_loads.c ---- */

/* The sections of a model. */
carom_status carom_robot_tree(carom_robot *robot, carom_node **out);

#endif
