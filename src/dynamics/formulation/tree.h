/* The formulation in joint coordinates: what its files share. */
#ifndef CAROM_FORMULATION_TREE_H
#define CAROM_FORMULATION_TREE_H

#include "dynamics/formulation/articulated.h"
#include "dynamics/formulation/formulation.h"
#include "kinds/joint/joint.h"

#include <string.h>

/* Most speeds of a body in the tree: those of a joint, or of a free body, whose columns are not kept. */
#define CAROM_TREE_COLUMNS CAROM_JOINT_SPEEDS

/* How a body moves against the one that carries it, at the poses of an evaluation: A = X A' + S u' + ... with
   X (turn, move) = (turn, move - r x turn). */
typedef struct carom_tree_motion {
    carom_motion_vector s[CAROM_TREE_COLUMNS];
    carom_motion_vector a0; /* its acceleration where the free coordinates of all joints have none */
    carom_vec3 r;           /* from the carrying body's centre of mass to its own */
} carom_tree_motion;

/* What an evaluation has besides. */
typedef struct carom_tree_evaluation {
    carom_tree_motion *motion; /* by body */
    double *rates;             /* of the velocities */
    carom_jet *drive;          /* by body: prescribed motion of its first coordinate */
    double *coordinate;        /* by body: the first of those that put it where it is */
} carom_tree_evaluation;

/* A body in the sweeps: D = S^T I S = L L^T of its free columns, w = I S L^-T. */
typedef struct carom_tree_sweep {
    carom_articulated inertia;
    carom_motion_vector w[CAROM_TREE_COLUMNS]; /* turn: torque, move: force */
    double l[CAROM_TREE_COLUMNS][CAROM_TREE_COLUMNS];
    double scale;          /* of one free column 1/L */
    carom_motion_vector a; /* acceleration by the free coordinates, of the last outward sweep */
} carom_tree_sweep;

/* L of a body that moves freely against the ground, of order 6 or 3. */
typedef struct carom_tree_root {
    double l[6][6];
} carom_tree_root;

typedef struct carom_tree_work {
    bool by_rows;   /* joints have friction: the accelerations are found from the rows of all joints */
    bool redundant; /* the constraint rows that are left depend on each other */
    carom_tree_sweep *body;
    carom_tree_root *root; /* by body */
    carom_wrench *p;       /* by body: what keeps its subtree from accelerating, about its centre of mass */
    carom_wrench *kept;    /* the wrenches of an evaluation */
    double *z;             /* of each constraint row, J times the root of the inverse mass matrix */
    double *force, *y;     /* such vectors, over the free coordinates */
    double *b;             /* right-hand side of the multipliers */
    int *filled;           /* places of a row of z that are not zero */
    carom_dense *dense;
    carom_orthogonal *orthogonal;
    bool by_orthogonal; /* the last factorisation is that of `orthogonal` */
    double least;       /* share of a row that the joints of the tree left in it, of the weakest one that has any */
    carom_proximal soft;        /* that of the system, of the rows of the tree */
    double *step;       /* of a projection, in velocities */
    bool *dependent;    /* constraint rows, of the rank */
} carom_tree_work;

static inline bool carom_tree_is_root(const carom_tree_body *b) { return b->joint < 0; }
/* First free column of a body: the motion of the first one may be prescribed. */
static inline int carom_tree_first(const carom_tree_body *b) { return b->motion >= 0; }

/* Numbers of a row of Z: the free coordinates, and the rotors of armatures that are constraint rows. */
static inline int carom_tree_width(const carom_tree *t) { return t->free_count + t->armature_count; }

/* Of the first coordinate of a body. */
static inline double carom_tree_armature(const carom_model *m, const carom_tree_body *b)
{
    return b->armature < 0 ? 0 : m->blocks[b->armature].armature;
}

/* X a'. */
static inline carom_motion_vector carom_tree_carried(const carom_motion_vector *parent, carom_vec3 r)
{
    return (carom_motion_vector){parent->turn, carom_v3_sub(parent->move, carom_v3_cross(r, parent->turn))};
}

/* The acceleration of a body, in its place in x; and x += it. */
static inline void carom_tree_put_body(const carom_model *m, int body, const carom_motion_vector *a, double *x)
{
    if (m->dimension == 2) {
        const double own[3] = {a->move.x, a->move.y, a->turn.z};
        memcpy(x + (body - 1) * 3, own, sizeof own);
        return;
    }
    const double own[6] = {a->move.x, a->move.y, a->move.z, a->turn.x, a->turn.y, a->turn.z};
    memcpy(x + (body - 1) * 6, own, sizeof own);
}
static inline void carom_tree_add_to_body(const carom_model *m, int body, const carom_motion_vector *a, double *x)
{
    double own[6] = {0};
    const int size = carom_twist_size(m);
    carom_tree_put_body(m, 1, a, own);
    for (int k = 0; k < size; k++)
        x[(body - 1) * size + k] += own[k];
}

/* p less the wrench j, as a row has it. */
static inline void carom_tree_take_part(const carom_model *m, carom_wrench *p, const double *j)
{
    if (m->dimension == 2) {
        p->force = carom_v3_sub(p->force, carom_v3(j[0], j[1], 0));
        p->torque.z -= j[2];
        return;
    }
    p->force = carom_v3_sub(p->force, carom_v3_load(j));
    p->torque = carom_v3_sub(p->torque, carom_v3_load(j + 3));
}

/* A row of a joint that is not locked. */
static inline bool carom_tree_is_idle(const carom_evaluation *d, int row) { return d->idle && d->idle[row]; }

/* ---- tree_motion.c ---- */

/* Pose and twist of a body from those of the one that carries it; with `motion` (may be NULL) how it moves, from that
   of the carrying one. */
void carom_tree_place(const carom_model *m, int body, const carom_body_pose *parent, const double *q, const double *u,
                      carom_body_pose *out, const carom_tree_motion *from, carom_tree_motion *motion);
/* Coordinates of a body from poses of both, angles nearest to `near`; and its speeds. */
void carom_tree_coordinates(const carom_model *m, int body, const carom_body_pose *parent, const carom_body_pose *pose,
                            double near, double *q, double *u);

/* ---- tree_sweeps.c ---- */

/* The inertia of a body alone, world axes. */
void carom_tree_own_inertia(const carom_evaluation *d, int body, carom_articulated *out);

/* Articulated inertias of all bodies, inwards, and with `z` what the forces on all bodies are over the free
   coordinates. False if a joint moves nothing. */
bool carom_tree_articulate(const carom_evaluation *d, double *z);
/* z alone, with these inertias. */
void carom_tree_sweep_all_in(const carom_evaluation *d, double *z);
/* x += the accelerations of bodies that z makes, over all free coordinates; and `rates`, over the velocities (may be
   NULL). */
void carom_tree_sweep_all_out(const carom_evaluation *d, const double *z, double *x, double *rates);
/* Accelerations of all bodies and rates of all speeds that z makes, those that are known included. */
void carom_tree_sweep_motion(carom_evaluation *d, const double *z);
/* z of wrenches on a few bodies, -p of the workspace; the list of bodies is destroyed. */
void carom_tree_sweep_paths_in(const carom_evaluation *d, int *bodies, int count, double *z);
/* z of each of two wrenches -p on a body. */
void carom_tree_sweep_path_in(const carom_evaluation *d, int body, carom_wrench *p, double *const *z);
/* The speeds of a free body: those of its centre of mass, then of its axes. */
void carom_tree_root_vector(int n, carom_vec3 turn, carom_vec3 move, double *out);

/* ---- tree_rows.c ---- */

/* Articulated inertias, and the matrix of the constraint rows; `z` as for carom_tree_articulate(). */
bool carom_tree_factor(const carom_evaluation *d, double *z);
/* Multipliers that make the rows accelerate as b has it, in the place of b, and what they are over the free
   coordinates. */
void carom_tree_solve_rows(const carom_evaluation *d, double *b, double *y);
double carom_tree_delassus(const carom_evaluation *d, const carom_force_pair *pair, bool factored, double *column,
                           double *free);
int carom_tree_root_size(const carom_system *system);
void carom_tree_roots(const carom_evaluation *d, const carom_force_pair *pair, const carom_vec3 *directions, int count,
                      double *const *roots, double *inverse, double *free);
void carom_tree_root_column(const carom_evaluation *d, const double *root, double *column);
double carom_tree_free_delassus(const carom_evaluation *d, const carom_force_pair *pair);
/* As carom_formulation.weakest. */
double carom_tree_weakest(const carom_system *system);
bool carom_tree_project(carom_evaluation *d, const carom_state *state, double t, double *q, double *v, double tolerance,
                        int iterations);
carom_status carom_tree_rank(const carom_evaluation *d, bool *redundant, int *rank);

/* ---- tree_solve.c ---- */

bool carom_tree_accelerate(carom_evaluation *d);
bool carom_tree_accelerate_again(carom_evaluation *d, const double *root);
void carom_tree_velocity_rate(const carom_evaluation *d, double *out);
/* What a change of the accelerations of bodies is for the speeds; of prescribed ones nothing. */
void carom_tree_speeds(const carom_evaluation *d, const double *x, double *out);

/* ---- tree_matrix.c ---- */

void carom_tree_row_entries(const carom_evaluation *d, const carom_row *row, int body_i, int body_j, double *a);
void carom_tree_mass_matrix(const carom_evaluation *d, double *out);

/* ---- tree_reactions.c ---- */

void carom_tree_reactions(carom_evaluation *d, const carom_state *state, double t);

#endif
