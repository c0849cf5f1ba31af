/* Motions in words: by the joint coordinate that moves most, or by the body. */
#include "analysis/equilibrium/equilibrium.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Share of the motion's largest displacement that a joint coordinate has at least where it names the motion. */
#define NAMES 0.2
/* Share of the largest motion below which nothing of a motion is left. */
#define NONE 1e-6

/* How much a joint's coordinate changes in the motion x, turns in lengths; 0: it has none of its own. */
static double joint_share(const carom_balance *b, int joint, const double *x)
{
    const carom_model_joint *j = &b->m->joints[joint];
    carom_row row;
    carom_jacobian_row full;
    double rate;
    if (j->coordinate < 0 || j->coupled[0] >= 0)
        return 0;
    carom_dynamics_coordinate(b->d, joint, b->s->coordinate[j->coordinate], &row, &rate);
    carom_row_between(b->d, &row, j->i.body, j->j.body, &full);
    const double moves = b->d->system->formulation->row_times(b->d, &full, x);
    return moves * (j->kind->coordinate_unit[0] == 'r' ? b->m->length_scale : 1);
}

static void name_joint(const carom_model_joint *j, char *text, size_t size)
{
    snprintf(text, size, "'%s' %s", j->name, j->kind->coordinate_unit[0] == 'r' ? "turns" : "slides");
}

/* The joint whose coordinate moves most, and that in lengths; -1: none has one. */
static int moving_joint(const carom_balance *b, const double *x, double *most)
{
    int found = -1;
    *most = 0;
    for (int k = 0; k < b->m->joint_count; k++) {
        const double share = fabs(joint_share(b, k, x));
        if (share > *most * (1 + 1e-9)) {
            *most = share;
            found = k;
        }
    }
    return found;
}

/* Largest displacement of a body in a motion, turns in lengths. */
static double reach_of(const carom_balance *b, const double *x)
{
    double length, angle;
    carom_balance_reach(b, x, &length, &angle);
    return fmax(length, angle * b->m->length_scale);
}

void carom_balance_name(const carom_balance *b, const double *x, char *text, size_t size)
{
    const carom_model *m = b->m;
    double most;
    char way[64];
    const int joint = moving_joint(b, x, &most);
    if (joint >= 0 && most > NAMES * reach_of(b, x)) {
        name_joint(&m->joints[joint], text, size);
        return;
    }
    int body = 0;
    double reach = -1;
    carom_vec3 v = {0, 0, 0}, w = {0, 0, 0};
    for (int k = 1; k <= m->body_count; k++) {
        const double *of = x + (k - 1) * b->size;
        const bool plane = b->size == 3;
        const carom_vec3 move = carom_v3(of[0], of[1], plane ? 0 : of[2]),
                         turn = plane ? carom_v3(0, 0, of[2]) : carom_v3_load(of + 3);
        const double own = fmax(carom_v3_norm(move), m->length_scale * carom_v3_norm(turn));
        if (own > reach * (1 + 1e-9)) {
            reach = own;
            body = k;
            v = move;
            w = turn;
        }
    }
    if (carom_v3_norm(w) * m->length_scale > carom_v3_norm(v))
        snprintf(text, size, "'%s' turns about %s", m->bodies[body].name, carom_direction_name(w, way));
    else
        snprintf(text, size, "'%s' moves along %s", m->bodies[body].name, carom_direction_name(v, way));
}

/* ---- motions without stiffness ---- */

/* How much a candidate moves in x: joints, then the parts of the velocities of bodies. */
static double share_of(const carom_balance *b, int candidate, const double *x)
{
    if (candidate < b->m->joint_count)
        return joint_share(b, candidate, x);
    const int k = candidate - b->m->joint_count;
    return x[k] * (k % b->size < b->m->dimension ? 1 : b->m->length_scale);
}

/* What is left of some motions, which are columns of norm 1. */
typedef struct basis {
    const carom_balance *b;
    double *z;                  /* columns x count */
    int count;
    double least;               /* motion that is none [m] */
    double *c, *x;              /* parts of a motion, and that motion */
} basis;

/* The motion in which a candidate moves most for its size goes from the basis to x; false if it is no fair part of
   it. */
static bool take(basis *w, int candidate)
{
    const carom_balance *b = w->b;
    const int n = b->columns;
    double sum = 0;
    memset(w->x, 0, (size_t)n * sizeof *w->x);
    for (int i = 0; i < w->count; i++) {
        const double *z = w->z + (size_t)i * (size_t)n;
        w->c[i] = share_of(b, candidate, z);
        sum += w->c[i] * w->c[i];
        for (int k = 0; k < n; k++)
            w->x[k] += w->c[i] * z[k];
    }
    if (!(sqrt(sum) > w->least) || fabs(share_of(b, candidate, w->x)) < NAMES * reach_of(b, w->x))
        return false;
    for (int i = 0; i < w->count; i++)
        for (int k = 0; k < n; k++)
            w->z[(size_t)i * (size_t)n + (size_t)k] -= w->c[i] / sum * w->x[k];
    return true;
}

/* The longest motion that is left goes to x. */
static void take_any(basis *w)
{
    const size_t n = (size_t)w->b->columns;
    double most = -1;
    int longest = 0;
    for (int i = 0; i < w->count; i++) {
        const double own = reach_of(w->b, w->z + (size_t)i * n);
        if (own > most) {
            most = own;
            longest = i;
        }
    }
    memcpy(w->x, w->z + (size_t)longest * n, n * sizeof *w->x);
    memset(w->z + (size_t)longest * n, 0, n * sizeof *w->x);
}

static void name_candidate(const carom_balance *b, int candidate, char *text)
{
    const int k = candidate - b->m->joint_count, part = k % b->size;
    if (k < 0)
        name_joint(&b->m->joints[candidate], text, CAROM_MOTION_NAME);
    else
        snprintf(text, CAROM_MOTION_NAME, "'%s' %s %c", b->m->bodies[k / b->size + 1].name,
                 part < b->m->dimension ? "moves along" : "turns about",
                 b->size == 3 ? "xyz"[part] : "xyzxyz"[part]);
}

/* Joints and bodies in the order of the file: each takes one direction; the rest is named as it comes. */
carom_status carom_balance_neutral(const carom_balance *b, int first, int count, char (*names)[CAROM_MOTION_NAME])
{
    const size_t n = (size_t)b->columns;
    carom_arena arena;
    carom_arena_init(&arena, b->ctx);
    basis w = {.b = b, .count = count};
    const bool done = (w.z = carom_arena_alloc(&arena, n * (size_t)count, sizeof(double))) &&
                      (w.c = carom_arena_alloc(&arena, (size_t)count, sizeof(double))) &&
                      (w.x = carom_arena_alloc(&arena, n, sizeof(double)));
    for (int i = 0; done && i < count; i++) {
        double *z = w.z + (size_t)i * n;
        carom_balance_motion(b, b->eigenvector + (size_t)(first + i) * (size_t)b->width, z);
        w.least = fmax(w.least, NONE * reach_of(b, z));
    }
    int named = 0;
    for (int k = 0; done && k < b->m->joint_count + b->columns && named < count; k++)
        if (take(&w, k))
            name_candidate(b, k, names[named++]);
    while (done && named < count) {
        take_any(&w);
        carom_balance_name(b, w.x, names[named++], CAROM_MOTION_NAME);
    }
    carom_arena_free(&arena);
    return done ? CAROM_OK : carom_fail_memory(b->ctx);
}
