/* Names of the states of a linearisation: of the coordinates of joints, then of bodies, as many as there are freedoms,
   each the one that moves most of what those before it leave (Wehage and Haug 1982, J. Mech. Design 104:247-255, by a
   pivoted factorisation). */
#include "analysis/modes/modes.h"
#include "math/solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A joint's coordinate is taken before one of a body while so much of it is left. */
#define LEFT 0.05

typedef struct candidate {
    const char *name, *part; /* "joint.pin.coordinate", "body.slider.x" */
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

static int list(const carom_linear *l, candidate *out)
{
    const carom_balance *b = l->b;
    const carom_model *m = b->m;
    int count = 0;
    for (int k = 0; k < m->joint_count; k++) {
        const carom_model_joint *j = &m->joints[k];
        carom_row row;
        carom_jacobian_row full;
        double rate;
        if (j->coordinate < 0 || j->of >= 0)
            continue;
        carom_dynamics_coordinate(b->d, k, b->s->coordinate[j->coordinate], &row, &rate);
        carom_row_between(b->d, &row, j->i.body, j->j.body, &full);
        for (int c = 0; c < l->f; c++)
            out[count].row[c] = b->d->system->formulation->row_times(
                b->d, &full, b->basis + (size_t)c * (size_t)b->columns);
        out[count].name = j->name;
        out[count].part = NULL;
        out[count].joint = true;
        out[count++].scale = j->kind->coordinate_unit[0] == 'r' ? m->length_scale : 1;
    }
    for (int k = 0; k < b->columns; k++, count++) {
        for (int c = 0; c < l->f; c++)
            out[count].row[c] = b->basis[(size_t)c * (size_t)b->columns + (size_t)k];
        out[count].name = m->bodies[k / b->size + 1].name;
        out[count].part = carom_linear_part(b, k);
        out[count].joint = false;
        out[count].scale = carom_linear_turns(b, k) ? m->length_scale : 1;
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
static carom_status put_names(carom_analysis *a, const candidate *c, int k, int f, const char **names)
{
    char text[2][200];
    snprintf(text[0], sizeof text[0], c->part ? "body.%s.%s" : "joint.%s.%s", c->name,
             c->part ? c->part : "coordinate");
    snprintf(text[1], sizeof text[1], c->part ? "body.%s.%s_rate" : "joint.%s.%s", c->name, c->part ? c->part : "rate");
    for (int i = 0; i < 2; i++)
        if (!(names[k + i * f] = carom_arena_text(&a->arena, text[i])))
            return carom_fail_memory(a->ctx);
    return CAROM_OK;
}

static carom_status name_further(carom_analysis *a, const carom_linear *l, const char **names)
{
    const carom_model *m = l->b->m;
    char text[200];
    int k = 2 * l->f;
    for (int i = 0; i < m->friction_state_count; i++, k++) {
        snprintf(text, sizeof text, "friction.%d", i + 1);
        if (!(names[k] = carom_arena_text(&a->arena, text)))
            return carom_fail_memory(a->ctx);
    }
    for (int i = 0; i < m->state_count; i++, k++) {
        snprintf(text, sizeof text, "state.%s", m->states[i].name);
        if (!(names[k] = carom_arena_text(&a->arena, text)))
            return carom_fail_memory(a->ctx);
    }
    for (int j = 0; j < m->load_count; j++)
        for (int i = 0; i < m->loads[j].state_count; i++, k++) {
            snprintf(text, sizeof text, "load.%s.%s", m->loads[j].name, m->loads[j].kind->states[i].name);
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

static carom_status change(carom_analysis *a, carom_linear *l, const double *t, double *back)
{
    const int f = l->f;
    const size_t size = (size_t)f * (size_t)f;
    double *factors = carom_arena_alloc(&a->arena, size, sizeof *factors);
    double *work = carom_arena_alloc(&a->arena, (size_t)f, sizeof *work);
    int *pivot = carom_arena_alloc(&a->arena, (size_t)f, sizeof *pivot);
    if (!factors || !work || !pivot)
        return carom_fail_memory(a->ctx);
    for (int i = 0; i < f; i++)
        for (int k = 0; k < f; k++)
            factors[i + k * f] = t[i * f + k];
    memset(back, 0, size * sizeof *back);
    if (f && !carom_lu_factor(f, factors, pivot))
        return carom_fail(a->ctx, CAROM_ERROR_SOLVER, NULL, "modes: no coordinates tell the motions apart");
    for (int k = 0; k < f; k++) {
        back[k + k * f] = 1;
        carom_lu_solve(f, factors, pivot, back + (size_t)k * (size_t)f);
    }
    for (int half = 0; half < 2; half++) {
        times_rows(l->a, l->n, l->n, half * f, f, t, work);
        times_rows(l->in, l->n, l->inputs, half * f, f, t, work);
        times_columns(l->a, l->n, half * f, f, back, work);
        times_columns(l->out, l->outputs, half * f, f, back, work);
    }
    return CAROM_OK;
}

carom_status carom_linear_name(carom_analysis *a, carom_linear *l, double *back, const char **names)
{
    const size_t f = (size_t)l->f, most = (size_t)(l->b->m->joint_count + l->b->columns);
    candidate *all = carom_arena_alloc(&a->arena, most, sizeof *all);
    double *rows = carom_arena_alloc(&a->arena, 2 * most * f, sizeof *rows);
    double *t = carom_arena_alloc(&a->arena, f * f, sizeof *t);
    if (!all || !rows || !t)
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
        memcpy(t + (size_t)k * f, all[one].row, f * sizeof *t);
        CAROM_TRY(put_names(a, &all[one], k, l->f, names));
        all[one].taken = true;
        take_out(all, count, l->f, &all[one]);
    }
    CAROM_TRY(name_further(a, l, names));
    return change(a, l, t, back);
}
