/* The coordinates c of a linearisation: those of joints, then of bodies, as many as there are freedoms, each the one
   that moves most of what those before it leave (Wehage and Haug 1982, J. Mech. Design 104:247-255, by a pivoted
   factorisation). Rates and accelerations: of a joint, with its row J, c' = J v and c'' = J a - gamma; of a place of a
   body or its angle in the plane, its velocity and acceleration; of a turn in space, which is a small one dphi from
   the state that goes on spinning with w, in world axes
       c' = dw + w x dphi,   c'' = a + a0 x dphi + w x c'.
   In axes that turn with the body, of small turns and displacements dr (r: the state goes on with v),
       c' = dw,              c'' = a - w x dw,
       c' = dv - w x dr,     c'' = a - w x v - a0 x dr - w x dv - w x c',
   where the last terms without d are what the state itself has in these axes (Wittenburg 2008, Dynamics of Multibody
   Systems, chapter 2). */
#include "analysis/modes/modes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A joint's coordinate is taken before one of a body while so much of it is left. */
#define LEFT 0.05

typedef struct candidate {
    int number; /* the joint; those of velocities of bodies follow */
    double *row, *rest;      /* over the allowed motions; what others leave of it */
    double scale;            /* turns in lengths */
    bool joint, taken;
} candidate;

static double norm(const double *x, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += x[k] * x[k];
    return sqrt(sum);
}

const char *carom_linear_part(const carom_balance *b, int k)
{
    static const char *const planar[] = {"x", "y", "angle"}, *const spatial[] = {"x", "y", "z", "rx", "ry", "rz"};
    return b->size == 3 ? planar[k % 3] : spatial[k % 6];
}

bool carom_linear_turns(const carom_balance *b, int k) { return b->size == 3 ? k % 3 == 2 : k % 6 >= 3; }

/* Row of a joint's coordinate and its rate where the bodies are; the row over the velocities of all bodies. */
static void joint_row(const carom_balance *b, int joint, carom_row *row, carom_jacobian_row *full, double *rate)
{
    const carom_model_joint *j = &b->m->joints[joint];
    carom_dynamics_coordinate(b->d, joint, b->s->coordinate[j->coordinate], row, rate);
    carom_row_between(b->d, row, j->i.body, j->j.body, full);
}

/* Of the velocities x of all bodies the vector of velocity k and those beside it, or the one of the turns. */
static carom_vec3 vector_of(const carom_balance *b, const double *x, int k, bool turn)
{
    const double *of = x + k - k % b->size;
    if (b->size == 3)
        return turn ? carom_v3(0, 0, of[2]) : carom_v3(of[0], of[1], 0);
    return carom_v3_load(of + (turn ? 3 : 0));
}

static bool in_turning_axes(const carom_linear *l, int k)
{
    return carom_linear_turns(l->b, k) ? l->b->size == 6 && l->axes_of > CAROM_LINEAR_WORLD
                                       : l->axes_of == CAROM_LINEAR_BODIES;
}

/* The component of a vector of velocity k along the axis of that. */
static double component(const carom_linear *l, int k, carom_vec3 x)
{
    if (in_turning_axes(l, k))
        x = carom_m3_apply_t(&l->axes[k / l->b->size], x);
    const int part = k % 3;
    return part == 0 ? x.x : part == 1 ? x.y : x.z;
}

static double along(const carom_linear *l, int k, const double *x)
{
    return in_turning_axes(l, k) ? component(l, k, vector_of(l->b, x, k, carom_linear_turns(l->b, k))) : x[k];
}

void carom_linear_set_axes(carom_linear *l)
{
    for (int body = 0; l->axes_of && body < l->b->m->body_count; body++)
        l->axes[body] = carom_m3_multiply_by_t(&l->b->d->pose[body + 1].axes, &l->home[body]);
}

/* How much a coordinate moves in each allowed motion. */
static void moves_in(const carom_linear *l, int number, double *out)
{
    const carom_balance *b = l->b;
    const int k = number - b->m->joint_count;
    carom_row row;
    carom_jacobian_row full;
    double rate;
    if (k < 0)
        joint_row(b, number, &row, &full, &rate);
    for (int c = 0; c < l->f; c++) {
        const double *x = b->basis + (size_t)c * (size_t)b->columns;
        out[c] = k < 0 ? b->d->system->formulation->row_times(b->d, &full, x) : along(l, k, x);
    }
}

void carom_linear_rows(const carom_linear *l, double *out)
{
    for (int i = 0; i < l->f; i++)
        moves_in(l, l->chosen[i], out + (size_t)i * (size_t)l->f);
}

double carom_linear_scale(const carom_linear *l, int number)
{
    const carom_model *m = l->b->m;
    const bool turns = number < m->joint_count ? m->joints[number].kind->coordinate_unit[0] == 'r'
                                               : carom_linear_turns(l->b, number - m->joint_count);
    return turns ? m->length_scale : 1;
}

bool carom_linear_spins(const carom_linear *l)
{
    for (int i = 0; i < l->f; i++) {
        const int k = l->chosen[i] - l->b->m->joint_count;
        if (k >= 0 && carom_v3_norm(vector_of(l->b, l->v, k, true)) > 0)
            return true;
    }
    return false;
}

/* Of velocity k of all bodies, as displaced by l->step. */
static void body_rates(const carom_linear *l, int k, double *rate, double *acceleration)
{
    const carom_balance *b = l->b;
    const bool turns = carom_linear_turns(b, k), turning = in_turning_axes(l, k);
    *rate = b->s->v[k];
    *acceleration = b->d->acceleration[k];
    if (!turning && (!turns || b->size == 3))
        return;
    const carom_vec3 spin = vector_of(b, l->v, k, true), at_state = vector_of(b, l->at_state, k, true);
    const carom_vec3 step = vector_of(b, l->step, k, turns), before = vector_of(b, l->v, k, turns);
    const carom_vec3 faster = carom_v3_sub(vector_of(b, b->s->v, k, turns), before);
    const carom_vec3 carried = carom_v3_cross(spin, step), turned = carom_v3_cross(at_state, step);
    carom_vec3 change = faster, a = vector_of(b, b->d->acceleration, k, turns);
    if (!turning) {
        change = carom_v3_add(faster, carried);
        a = carom_v3_add(a, carom_v3_add(turned, carom_v3_cross(spin, change)));
    } else if (turns)
        a = carom_v3_sub(a, carom_v3_cross(spin, faster));
    else {
        change = carom_v3_sub(faster, carried);
        a = carom_v3_sub(carom_v3_sub(a, turned), carom_v3_cross(spin, carom_v3_add(before, faster)));
        a = carom_v3_sub(a, carom_v3_cross(spin, change));
    }
    *rate = component(l, k, change);
    *acceleration = component(l, k, a);
}

void carom_linear_rates(const carom_linear *l, double *rate, double *acceleration)
{
    const carom_balance *b = l->b;
    for (int i = 0; i < l->f; i++) {
        carom_row row;
        carom_jacobian_row full;
        if (l->chosen[i] >= b->m->joint_count) {
            body_rates(l, l->chosen[i] - b->m->joint_count, &rate[i], &acceleration[i]);
            continue;
        }
        joint_row(b, l->chosen[i], &row, &full, &rate[i]);
        acceleration[i] = b->d->system->formulation->row_times(b->d, &full, b->d->acceleration) - row.gamma;
    }
}

void carom_linear_own_rates(const carom_linear *l, double *out)
{
    for (int i = 0; i < l->f; i++) {
        const int k = l->chosen[i] - l->b->m->joint_count;
        carom_row row;
        carom_jacobian_row full;
        if (k < 0)
            joint_row(l->b, l->chosen[i], &row, &full, &out[i]);
        else
            out[i] = along(l, k, l->b->s->v);
    }
}

static int list(const carom_linear *l, candidate *out)
{
    const carom_model *m = l->b->m;
    int count = 0;
    for (int k = 0; k < m->joint_count + l->b->columns; k++) {
        if (k < m->joint_count && (m->joints[k].coordinate < 0 || m->joints[k].of >= 0))
            continue;
        moves_in(l, k, out[count].row);
        out[count].number = k;
        out[count].joint = k < m->joint_count;
        out[count++].scale = carom_linear_scale(l, k);
    }
    return count;
}

/* The one of which most is left; of joints while they have enough. */
static int choose(candidate *all, int count, int f)
{
    int best[2] = {-1, -1};
    double most[2] = {0, 0};
    for (int k = 0; k < count; k++) {
        const double left = all[k].taken ? 0 : all[k].scale * norm(all[k].rest, f);
        if (left > most[!all[k].joint] * (1 + 1e-9)) {
            most[!all[k].joint] = left;
            best[!all[k].joint] = k;
        }
    }
    return best[0] >= 0 && most[0] > LEFT * most[1] ? best[0] : best[1];
}

static void take_out(candidate *all, int count, int f, const candidate *one)
{
    const double size = norm(one->rest, f);
    for (int k = 0; k < count; k++) {
        double sum = 0;
        if (all[k].taken)
            continue;
        for (int i = 0; i < f; i++)
            sum += all[k].rest[i] * one->rest[i] / (size * size);
        for (int i = 0; i < f; i++)
            all[k].rest[i] -= sum * one->rest[i];
    }
}

/* "joint.pin.coordinate" and "joint.pin.rate", "body.slider.x" and "body.slider.x_rate". */
static carom_status put_names(carom_analysis *a, const carom_linear *l, int k, const char **names)
{
    const carom_balance *b = l->b;
    const int of = l->chosen[k] - b->m->joint_count;
    char text[2][200];
    for (int i = 0; i < 2; i++)
        if (of < 0)
            snprintf(text[i], sizeof text[i], "joint.%s.%s", b->m->joints[l->chosen[k]].name,
                     i ? "rate" : "coordinate");
        else
            snprintf(text[i], sizeof text[i], "body.%s.%s%s", b->m->bodies[of / b->size + 1].name,
                     carom_linear_part(b, of), i ? "_rate" : "");
    for (int i = 0; i < 2; i++)
        if (!(names[k + i * l->f] = carom_arena_text(&a->arena, text[i])))
            return carom_fail_memory(a->ctx);
    return CAROM_OK;
}

static carom_status name_further(carom_analysis *a, const carom_linear *l, const char **names)
{
    char text[200];
    for (int k = 2 * l->f; k < l->n; k++) {
        carom_linear_further(l, k - 2 * l->f, text, sizeof text);
        if (!(names[k] = carom_arena_text(&a->arena, text)))
            return carom_fail_memory(a->ctx);
    }
    return CAROM_OK;
}

/* Rows first ... first + f of a matrix by columns: T times them; and columns: them times `back`. */
static void times_rows(double *a, int rows, int columns, int first, int f, const double *t, double *work)
{
    for (int c = 0; c < columns; c++) {
        double *column = a + (size_t)c * (size_t)rows + first;
        for (int i = 0; i < f; i++) {
            work[i] = 0;
            for (int k = 0; k < f; k++)
                work[i] += t[i * f + k] * column[k];
        }
        memcpy(column, work, (size_t)f * sizeof *work);
    }
}

static void times_columns(double *a, int rows, int first, int f, const double *back, double *work)
{
    for (int r = 0; r < rows; r++) {
        for (int i = 0; i < f; i++) {
            work[i] = 0;
            for (int k = 0; k < f; k++)
                work[i] += a[(size_t)(first + k) * (size_t)rows + (size_t)r] * back[k + i * f];
        }
        for (int i = 0; i < f; i++)
            a[(size_t)(first + i) * (size_t)rows + (size_t)r] = work[i];
    }
}

carom_status carom_linear_choose(carom_analysis *a, carom_linear *l)
{
    const size_t f = (size_t)l->f, most = (size_t)(l->b->m->joint_count + l->b->columns);
    candidate *all = carom_arena_alloc(&a->arena, most, sizeof *all);
    double *rows = carom_arena_alloc(&a->arena, 2 * most * f, sizeof *rows);
    l->chosen = carom_arena_alloc(&a->arena, f, sizeof *l->chosen);
    if (!all || !rows || !l->chosen)
        return carom_fail_memory(a->ctx);
    for (size_t k = 0; k < most; k++) {
        all[k].row = rows + 2 * k * f;
        all[k].rest = all[k].row + f;
    }
    const int count = list(l, all);
    for (int k = 0; k < count; k++)
        memcpy(all[k].rest, all[k].row, f * sizeof *rows);
    for (int k = 0; k < l->f; k++) {
        const int one = choose(all, count, l->f);
        if (one < 0)
            return carom_fail(a->ctx, CAROM_ERROR_SOLVER, NULL, "modes: no coordinates tell the motions apart");
        l->chosen[k] = all[one].number;
        all[one].taken = true;
        take_out(all, count, l->f, &all[one]);
    }
    return CAROM_OK;
}

carom_status carom_linear_name(carom_analysis *a, const carom_linear *l, const char **names)
{
    for (int k = 0; k < l->f; k++)
        CAROM_TRY(put_names(a, l, k, names));
    return name_further(a, l, names);
}

void carom_linear_take_names(carom_linear *l)
{
    const int f = l->f;
    for (int half = 0; half < 2; half++) {
        times_rows(l->a, l->n, l->n, half * f, f, l->t, l->own_rate);
        times_rows(l->in, l->n, l->inputs, half * f, f, l->t, l->own_rate);
        times_columns(l->a, l->n, half * f, f, l->back, l->own_rate);
        times_columns(l->out, l->outputs, half * f, f, l->back, l->own_rate);
    }
}
