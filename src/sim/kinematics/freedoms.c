/* What may move, and what is held more than once: free motions of a mechanism by name, and what redundant rows hold.
   The velocities x that the constraints allow are the null space of J, from its singular value decomposition. Each
   named motion takes one direction from it: bodies that move by themselves between their joints, joint coordinates in
   the order of the file, other motions of joints, bodies. A redundant row is a combination of others, by least
   squares. Source: Golub and Van Loan 2013, Matrix Computations, section 2.4; Wehage and Haug 1982, J. Mech. Design
   104, 247 (independent coordinates). */
#include "sim/kinematics/freedoms.h"
#include "dynamics/dynamics.h"
#include "math/solve.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Share of a motion by which a coordinate must move to name it. */
#define MOVES 1e-4
/* Singular value below which a body alone is held by nothing. */
#define HELD 1e-9
/* Share of its row by which another one makes up a redundant one. */
#define SHARE 1e-6
#define NAMES 3

typedef struct work {
    carom_simulation *sim;
    carom_evaluation *d;
    const carom_model *m;
    carom_freedoms *out;
    int size, columns, rows;    /* velocities of a body and of all; rows that hold */
    double length;
    double *matrix;             /* rows x columns, row by row, each of norm 1 */
    int *row;                   /* of the model */
    double *basis;              /* columns x left, column by column */
    int width, left;            /* columns of the basis, and how many of its directions have no name yet */
    double *v, *c;              /* a row, and its products with the basis */
} work;

static bool is_angular_of(int size, int k) { return size == 3 ? k == 2 : k >= 3; }

static bool is_angular(const work *w, int k) { return is_angular_of(w->size, k); }

static carom_status add(work *w, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *kept = carom_arena_text(&w->sim->arena, text);
    if (!kept)
        return carom_fail_memory(w->sim->ctx);
    w->out->free[w->out->free_count++] = kept;
    return CAROM_OK;
}

/* ---- rows ---- */

/* A row over all velocities, angular ones in lengths, of norm 1; false if it is 0. */
static bool spread(const carom_model *m, const carom_jacobian_row *row, double *v)
{
    const int size = carom_twist_size(m), columns = m->body_count * size;
    double sum = 0;
    memset(v, 0, (size_t)columns * sizeof *v);
    for (int n = 0; n < row->count; n++)
        for (int k = 0; row->part[n].body && k < size; k++)
            v[(row->part[n].body - 1) * size + k] +=
                row->part[n].j[k] / (is_angular_of(size, k) ? m->length_scale : 1);
    for (int k = 0; k < columns; k++)
        sum += v[k] * v[k];
    for (int k = 0; k < columns && sum > 0; k++)
        v[k] /= sqrt(sum);
    return sum > 0;
}

int carom_freedoms_count(const carom_simulation *sim)
{
    return sim->model->body_count * carom_twist_size(sim->model) - sim->start.rank;
}

int carom_freedoms_rows(const carom_simulation *sim, carom_evaluation *d, double t, double *matrix, int *row_of)
{
    const carom_model *m = sim->model;
    const size_t columns = (size_t)(m->body_count * carom_twist_size(m));
    int count = 0;
    for (int b = 0; b < m->block_count; b++) {
        const carom_constraint_block *e = &m->blocks[b];
        if (!carom_block_constrains(e))
            continue;
        carom_dynamics_block(d, &sim->s, e, t);
        for (int r = e->first_row; r < e->first_row + e->row_count; r++) {
            carom_jacobian_row row;
            if (d->idle && d->idle[r])
                continue;
            carom_block_row(d, e, r, &row);
            spread(m, &row, matrix + (size_t)count * columns);
            row_of[count++] = r;
        }
    }
    return count;
}

/* ---- directions of the null space ---- */

/* Products of v with the basis; how much of v lies in it. */
static double project(work *w, const double *v)
{
    double sum = 0;
    for (int k = 0; k < w->width; k++) {
        const double *column = w->basis + (size_t)k * (size_t)w->columns;
        w->c[k] = 0;
        for (int i = 0; i < w->columns; i++)
            w->c[k] += column[i] * v[i];
        sum += w->c[k] * w->c[k];
    }
    return sqrt(sum);
}

/* The same of one velocity, whose products are numbers of the basis. */
static double project_one(work *w, int i)
{
    double sum = 0;
    for (int k = 0; k < w->width; k++) {
        w->c[k] = w->basis[(size_t)k * (size_t)w->columns + (size_t)i];
        sum += w->c[k] * w->c[k];
    }
    return sqrt(sum);
}

/* Takes the direction of the products out of the basis, of this norm; false if there is none. Uses `v`. */
static bool take_products(work *w, double norm)
{
    if (!w->left || !(norm > MOVES))
        return false;
    memset(w->v, 0, (size_t)w->columns * sizeof *w->v);
    for (int k = 0; k < w->width; k++)
        for (int i = 0; w->c[k] != 0 && i < w->columns; i++)
            w->v[i] += w->basis[(size_t)k * (size_t)w->columns + (size_t)i] * w->c[k];
    for (int k = 0; k < w->width; k++)
        for (int i = 0; w->c[k] != 0 && i < w->columns; i++)
            w->basis[(size_t)k * (size_t)w->columns + (size_t)i] -= w->v[i] * w->c[k] / (norm * norm);
    w->left--;
    return true;
}

/* Takes the direction along which `v` moves out of the basis; false if there is none. */
static bool take(work *w) { return take_products(w, w->left ? project(w, w->v) : 0); }

static bool take_row(work *w, const carom_row *row, int body_i, int body_j)
{
    carom_jacobian_row full;
    carom_row_between(w->d, row, body_i, body_j, &full);
    return spread(w->m, &full, w->v) && take(w);
}

/* ---- bodies by themselves ---- */

/* Joints of a body, without the parts of clearances. */
static int joints_of(const work *w, int body, int *last)
{
    int count = 0;
    for (int k = 0; k < w->m->joint_count; k++)
        if (w->m->joints[k].i.body == body || w->m->joints[k].j.body == body) {
            count++;
            *last = k;
        }
    return count;
}

/* The names of joints whose places lie on a line through p. */
static int joints_on(const work *w, int body, carom_vec3 p, carom_vec3 axis, const char *names[2])
{
    int count = 0;
    for (int k = 0; k < w->m->joint_count && count < 2; k++) {
        const carom_model_joint *j = &w->m->joints[k];
        if (j->i.body != body && j->j.body != body)
            continue;
        const carom_marker *marker = j->i.body == body ? &j->i : &j->j;
        const carom_frame_pose f = carom_dynamics_frame_pose(&w->d->pose[body], marker, w->m->dimension);
        if (carom_v3_norm(carom_v3_cross(carom_v3_sub(f.p, p), axis)) < 1e-6 * w->length)
            names[count++] = j->name;
    }
    return count;
}

static carom_status name_own_motion(work *w, int body, const double *x)
{
    const carom_body_pose *pose = &w->d->pose[body];
    const bool planar = w->size == 3;
    const carom_vec3 v = carom_v3(x[0], x[1], planar ? 0 : x[2]);
    const carom_vec3 turn = carom_v3_scale(1 / w->length, planar ? carom_v3(0, 0, x[2]) : carom_v3_load(x + 3));
    const char *name = w->m->bodies[body].name, *on[2];
    const double rate = carom_v3_norm(turn);
    char text[64];
    if (rate * w->length < 1e-6 * carom_v3_norm(v))
        return add(w, "'%s' slides along %s by itself", name, carom_direction_name(v, text));
    const carom_vec3 axis = carom_v3_scale(1 / rate, turn);
    const carom_vec3 p = carom_v3_add(pose->p, carom_v3_scale(1 / rate, carom_v3_cross(axis, v)));
    const int count = joints_on(w, body, p, axis, on);
    if (count == 2)
        return add(w, "'%s' spins about the line through '%s' and '%s'", name, on[0], on[1]);
    return add(w, "'%s' turns about %s by itself", name, carom_direction_name(axis, text));
}

/* Whether a motion of one body alone is one that a joint coordinate of it measures. */
static bool is_measured(const work *w, int body, const double *x)
{
    for (int k = 0; k < w->m->joint_count; k++) {
        const carom_model_joint *j = &w->m->joints[k];
        carom_row row;
        carom_jacobian_row full;
        double rate, sum = 0;
        if (j->coordinate < 0 || (j->i.body != body && j->j.body != body))
            continue;
        carom_dynamics_coordinate(w->d, k, w->sim->s.coordinate[j->coordinate], &row, &rate);
        carom_row_between(w->d, &row, j->i.body, j->j.body, &full);
        for (int n = 0; n < full.count; n++)
            for (int i = 0; full.part[n].body == body && i < w->size; i++)
                sum += full.part[n].j[i] * x[i] / (is_angular(w, i) ? w->length : 1);
        if (fabs(sum) > MOVES * (carom_row_is_angle(&row) ? 1 / w->length : 1))
            return true;
    }
    return false;
}

/* What a body can do while all others are at rest. */
static carom_status name_alone(work *w, int body)
{
    const int size = w->size, first = (body - 1) * size;
    int count = 0, joint = 0;
    const int joints = joints_of(w, body, &joint);
    double values[6], vt[36];
    for (int r = 0; r < w->rows; r++) {
        const double *row = w->matrix + (size_t)r * (size_t)w->columns + first;
        bool touches = false;
        for (int k = 0; k < size; k++)
            touches = touches || row[k] != 0;
        for (int k = 0; touches && k < size; k++)
            w->v[k * w->rows + count] = row[k];
        count += touches;
    }
    if (count == 0 || joints < 2)
        return CAROM_OK;
    double *a = w->v;
    for (int k = 1; k < size; k++) /* columns one behind the other */
        memmove(a + k * count, a + k * w->rows, (size_t)count * sizeof *a);
    CAROM_TRY(carom_right_singular(w->sim->ctx, count, size, a, values, vt));
    for (int k = 0; k < size; k++) {
        double x[6];
        if (k < count && values[k] > HELD)
            continue;
        for (int i = 0; i < size; i++)
            x[i] = vt[k + i * size];
        if (is_measured(w, body, x))
            continue;
        memset(w->v, 0, (size_t)w->columns * sizeof *w->v);
        memcpy(w->v + first, x, (size_t)size * sizeof *x);
        if (take(w))
            CAROM_TRY(name_own_motion(w, body, x));
    }
    return CAROM_OK;
}

/* ---- joints, bodies ---- */

static carom_status name_joint(work *w, int joint)
{
    const carom_model_joint *j = &w->m->joints[joint];
    carom_row row;
    double rate;
    if (j->coordinate < 0 || w->left == 0)
        return CAROM_OK;
    carom_dynamics_coordinate(w->d, joint, w->sim->s.coordinate[j->coordinate], &row, &rate);
    if (!take_row(w, &row, j->i.body, j->j.body))
        return CAROM_OK;
    return add(w, "'%s' %s", j->name, carom_row_is_angle(&row) ? "turns" : "slides");
}

/* Motions of a joint other than its coordinate. */
static carom_status name_rest_of_joint(work *w, int joint)
{
    const carom_model_joint *j = &w->m->joints[joint];
    const carom_evaluation *d = w->d;
    const carom_frame_pose i = carom_dynamics_frame_pose(&d->pose[j->i.body], &j->i, w->m->dimension);
    const carom_frame_pose k = carom_dynamics_frame_pose(&d->pose[j->j.body], &j->j, w->m->dimension);
    char text[64];
    for (int n = 0; n < 6 && w->left; n++) {
        const bool turns = n < 3;
        const carom_vec3 axis = carom_m3_column(&i.axes, 2 - n % 3);
        carom_row row = {.phi = 0};
        if (w->m->dimension == 2 && turns != (n % 3 == 0))
            continue;
        if (turns)
            carom_row_spin(&i, axis, i.w, &k, 1, &row);
        else
            carom_row_along(&i, axis, &k, &row);
        if (take_row(w, &row, j->i.body, j->j.body))
            CAROM_TRY(add(w, "'%s' %s %s", j->name, turns ? "turns about" : "moves along",
                          carom_direction_name(axis, text)));
    }
    return CAROM_OK;
}

/* How much of the unnamed motions is in a body. */
static double share_of(work *w, int body)
{
    double sum = 0;
    for (int k = 0; k < w->size; k++) {
        const double part = project_one(w, (body - 1) * w->size + k);
        sum += part * part;
    }
    return sum;
}

static carom_status name_body(work *w, int body)
{
    const char *name = w->m->bodies[body].name;
    bool taken[6] = {false};
    int count = 0;
    for (int k = 0; k < w->size && w->left; k++) {
        taken[k] = take_products(w, project_one(w, (body - 1) * w->size + k));
        count += taken[k];
    }
    if (count == w->size) {
        w->out->whole += (size_t)count - 1;
        return add(w, "'%s' moves freely", name);
    }
    for (int k = 0; k < w->size; k++)
        if (taken[k])
            CAROM_TRY(add(w, "'%s' %s %c", name, is_angular(w, k) ? "turns about" : "moves along",
                          w->size == 3 ? "xyz"[k] : "xyzxyz"[k]));
    return CAROM_OK;
}

static carom_status name_bodies(work *w)
{
    while (w->left) {
        int best = 0; /* the heaviest that moves */
        for (int body = 1; body <= w->m->body_count; body++)
            if ((best == 0 || w->m->bodies[body].mass > w->m->bodies[best].mass) && share_of(w, body) > MOVES)
                best = body;
        const int before = w->left;
        if (best)
            CAROM_TRY(name_body(w, best));
        if (w->left == before)
            return CAROM_OK;
    }
    return CAROM_OK;
}

static carom_status name_free(work *w)
{
    for (int body = 1; body <= w->m->body_count && w->left; body++)
        CAROM_TRY(name_alone(w, body));
    for (int k = 0; k < w->m->joint_count; k++)
        CAROM_TRY(name_joint(w, k));
    for (int k = 0; k < w->m->joint_count && w->left; k++)
        CAROM_TRY(name_rest_of_joint(w, k));
    return name_bodies(w);
}

/* ---- coordinates that cannot move ---- */

static bool is_drive(const carom_constraint_block *e)
{
    return e->type != CAROM_BLOCK_JOINT && e->type != CAROM_BLOCK_LOCK;
}

/* Whether a row of the model is of a drive; row -1: whether any is. */
static bool drives(const carom_model *m, int row)
{
    for (int b = 0; b < m->block_count; b++) {
        const carom_constraint_block *e = &m->blocks[b];
        if (is_drive(e) && (row < 0 || (row >= e->first_row && row < e->first_row + e->row_count)))
            return true;
    }
    return false;
}

static bool is_driven(const carom_model *m, int joint)
{
    for (int b = 0; b < m->block_count; b++)
        if (is_drive(&m->blocks[b]) && m->blocks[b].type != CAROM_BLOCK_BODY_MOTION && m->blocks[b].object == joint)
            return true;
    return false;
}

static void drop_drives(work *w)
{
    int kept = 0;
    for (int r = 0; r < w->rows; r++)
        if (!drives(w->m, w->row[r])) {
            memmove(w->matrix + (size_t)kept * (size_t)w->columns, w->matrix + (size_t)r * (size_t)w->columns,
                    (size_t)w->columns * sizeof *w->matrix);
            w->row[kept++] = w->row[r];
        }
    w->rows = kept;
}

static carom_status name_stuck(work *w)
{
    for (int k = 0; k < w->m->joint_count && w->width; k++) {
        const carom_model_joint *j = &w->m->joints[k];
        carom_row row;
        carom_jacobian_row full;
        double rate;
        if (j->coordinate < 0 || is_driven(w->m, k))
            continue;
        carom_dynamics_coordinate(w->d, k, w->sim->s.coordinate[j->coordinate], &row, &rate);
        carom_row_between(w->d, &row, j->i.body, j->j.body, &full);
        if (!spread(w->m, &full, w->v) || project(w, w->v) > MOVES)
            continue;
        char text[200];
        snprintf(text, sizeof text, "'%s' cannot %s", j->name, carom_row_is_angle(&row) ? "turn" : "slide");
        if (!(w->out->stuck[w->out->stuck_count++] = carom_arena_text(&w->sim->arena, text)))
            return carom_fail_memory(w->sim->ctx);
    }
    return CAROM_OK;
}

/* ---- redundant rows ---- */

/* What a row keeps from happening. */
static void describe_row(const carom_row *row, char text[96])
{
    char direction[64];
    const bool turns = carom_row_is_angle(row);
    const carom_vec3 own = turns ? row->Aj : row->Lj, other = turns ? row->Ai : row->Li;
    const carom_vec3 axis = carom_v3_norm(own) > 0 ? own : other;
    if (carom_v3_norm(axis) > 0)
        snprintf(text, 96, "%s %s", turns ? "turning about" : "moving along", carom_direction_name(axis, direction));
    else
        snprintf(text, 96, "nothing here");
}

static const char *owner(const carom_model *m, int row, bool *joint)
{
    for (int b = 0; b < m->block_count; b++) {
        const carom_constraint_block *e = &m->blocks[b];
        if (row < e->first_row || row >= e->first_row + e->row_count)
            continue;
        *joint = e->type != CAROM_BLOCK_BODY_MOTION;
        return *joint ? m->joints[e->object].name : m->bodies[e->object].name;
    }
    return "";
}

/* The joints whose rows make up a redundant one, up to NAMES of them. */
static carom_status find_holders(work *w, int at, const bool *redundant, double *a, double *b, char *text, size_t size)
{
    const char *names[NAMES + 1];
    int count = 0, *row = w->row + w->rows, independent = 0, rank;
    bool joint;
    for (int r = 0; r < w->rows; r++)
        if (!redundant[w->row[r]]) {
            memcpy(a + (size_t)independent * (size_t)w->columns, w->matrix + (size_t)r * (size_t)w->columns,
                   (size_t)w->columns * sizeof *a);
            row[independent++] = w->row[r];
        }
    memset(b, 0, (size_t)(w->columns + w->rows) * sizeof *b);
    memcpy(b, w->matrix + (size_t)at * (size_t)w->columns, (size_t)w->columns * sizeof *b);
    const char *own = owner(w->m, w->row[at], &joint);
    CAROM_TRY(carom_least_norm(w->sim->ctx, w->columns, independent, a, b, 1e-10, &rank));
    for (int r = 0; r < independent; r++) {
        const char *name = owner(w->m, row[r], &joint);
        bool known = !(fabs(b[r]) > SHARE) || strcmp(name, own) == 0;
        for (int k = 0; k < count && k <= NAMES; k++)
            known = known || strcmp(names[k], name) == 0;
        if (!known && count <= NAMES)
            names[count++] = name;
    }
    size_t used = 0;
    for (int k = 0; k < count && k < NAMES && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%s'%s'", k ? ", " : "", names[k]);
    if (count > NAMES && used < size)
        used += (size_t)snprintf(text + used, size - used, " and others");
    if (used < size)
        snprintf(text + used, size - used, "%s", count == 0 ? "the joint itself" : "");
    return CAROM_OK;
}

static carom_status name_redundant(work *w, const bool *redundant, double *a, double *b)
{
    for (int r = 0; r < w->rows; r++) {
        char what[96], holders[200];
        if (!redundant[w->row[r]])
            continue;
        describe_row(&w->d->rows[w->row[r]], what);
        CAROM_TRY(find_holders(w, r, redundant, a, b, holders, sizeof holders));
        char text[400];
        snprintf(text, sizeof text, "%s, held by %s", what, holders);
        if (!(w->out->held[w->out->held_count++] = carom_arena_text(&w->sim->arena, text)))
            return carom_fail_memory(w->sim->ctx);
    }
    return CAROM_OK;
}

/* ---- all of it ---- */

/* The rows that hold, and the right singular vectors of what they allow: `mobility` of them; -1: as many as there are
   without drives. */
static carom_status find_basis(work *w, int mobility, double *a, double *values, double *vt)
{
    const size_t columns = (size_t)w->columns;
    w->rows = carom_freedoms_rows(w->sim, w->d, *w->sim->s.time, w->matrix, w->row);
    if (mobility < 0)
        drop_drives(w);
    for (int r = 0; r < w->rows; r++) /* column by column, for LAPACK */
        for (size_t k = 0; k < columns; k++)
            a[k * (size_t)w->rows + (size_t)r] = w->matrix[(size_t)r * columns + k];
    CAROM_TRY(carom_right_singular(w->sim->ctx, w->rows, w->columns, a, values, vt));
    const int most = w->rows < w->columns ? w->rows : w->columns;
    int rank = 0;
    while (rank < most && values[rank] > HELD)
        rank++;
    w->width = w->left = mobility < 0 ? w->columns - rank : mobility;
    for (size_t k = 0; k < (size_t)w->width; k++)
        for (size_t i = 0; i < columns; i++)
            w->basis[k * columns + i] = vt[(columns - (size_t)w->width + k) + i * columns];
    return CAROM_OK;
}

static carom_status run(work *w, const bool *redundant, int mobility)
{
    carom_arena room;
    carom_arena_init(&room, w->sim->ctx);
    const size_t rows = (size_t)w->m->row_count + 1, columns = (size_t)w->columns, total = rows * columns;
    const size_t most = rows > 6 ? rows : 6, long_side = (most > columns ? most : columns) * 6 + columns + rows;
    double *a = carom_arena_alloc(&room, total, sizeof *a), *values = carom_arena_alloc(&room, columns, sizeof *values);
    double *vt = carom_arena_alloc(&room, columns * columns, sizeof *vt);
    w->matrix = carom_arena_alloc(&room, total, sizeof *w->matrix);
    w->row = carom_arena_alloc(&room, 2 * rows, sizeof *w->row);
    w->basis = carom_arena_alloc(&room, columns * columns, sizeof *w->basis);
    w->v = carom_arena_alloc(&room, long_side, sizeof *w->v);
    w->c = carom_arena_alloc(&room, columns, sizeof *w->c);
    carom_status status = a && values && vt && w->matrix && w->row && w->basis && w->v && w->c
                              ? CAROM_OK
                              : carom_fail_memory(w->sim->ctx);
    const bool driven = drives(w->m, -1);
    if (status == CAROM_OK)
        status = find_basis(w, driven ? -1 : mobility, a, values, vt);
    if (status == CAROM_OK)
        status = name_stuck(w);
    if (status == CAROM_OK && driven)
        status = find_basis(w, mobility, a, values, vt);
    if (status == CAROM_OK)
        status = name_free(w);
    if (status == CAROM_OK)
        status = name_redundant(w, redundant, a, w->v);
    carom_arena_free(&room);
    return status;
}

carom_status carom_freedoms_find(carom_simulation *sim, carom_evaluation *d, const bool *redundant, size_t mobility,
                                 carom_freedoms *out)
{
    const carom_model *m = sim->model;
    const int size = carom_twist_size(m), columns = m->body_count * size;
    *out = (carom_freedoms){0};
    const bool many = columns > CAROM_FREEDOMS_MOST || m->row_count > CAROM_FREEDOMS_MOST;
    if (columns == 0 || many || mobility > (size_t)columns)
        return CAROM_OK;
    out->free = carom_arena_alloc(&sim->arena, mobility, sizeof *out->free);
    out->held = carom_arena_alloc(&sim->arena, (size_t)m->row_count, sizeof *out->held);
    out->stuck = carom_arena_alloc(&sim->arena, (size_t)m->joint_count, sizeof *out->stuck);
    if (!out->free || !out->held || !out->stuck)
        return carom_fail_memory(sim->ctx);
    work w = {.sim = sim, .d = d, .m = m, .out = out, .size = size, .columns = columns, .length = m->length_scale};
    return run(&w, redundant, (int)mobility);
}

double carom_freedoms_clear(const double *rows, size_t n, size_t count, double *r)
{
    double square = 0;
    for (size_t k = 0; k < count; k++) {
        const double *q = rows + k * n;
        double along = 0;
        for (size_t i = 0; i < n; i++)
            along += q[i] * r[i];
        for (size_t i = 0; i < n && along != 0; i++)
            r[i] -= along * q[i];
    }
    for (size_t i = 0; i < n; i++)
        square += r[i] * r[i];
    return sqrt(square);
}
