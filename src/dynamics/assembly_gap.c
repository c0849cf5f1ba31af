/* What does not fit together where parts cannot be assembled. At the least sum of squares the rows of a loop that does
   not close hold each other in balance: each of them is open, and those of all others are closed. */
#include "dynamics/assembly.h"

#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Rows with less than this share of the largest violation, each by the size of its unit, are closed. */
#define OPEN 1e-3
#define NAMED 6

/* The joint or motion of a row. */
typedef struct part {
    carom_row_source source;    /* of its first row */
    double way, turn;           /* what is left open [m], [rad] */
    int row;
} part;

/* Whether a row is one of lengths, not of turns. */
static bool is_way(const carom_jacobian_row *j, int dimension)
{
    double sum = 0;
    for (int n = 0; n < j->count; n++)
        for (int k = 0; k < dimension; k++)
            sum += fabs(j->part[n].j[k]);
    return sum > 0;
}

/* Adds the violations of the rows to those of their parts; returns how many there are. */
static int list_parts(const carom_assembly_rows *rows, part *parts)
{
    const carom_model *m = rows->d->model;
    int count = 0;
    for (int r = 0; r < rows->count; r++) {
        if (!count || !carom_assembly_same_part(rows, parts[count - 1].row, r))
            parts[count++] = (part){.source = rows->source[r], .row = r};
        part *p = &parts[count - 1];
        double *open = is_way(&rows->jacobian[r], m->dimension) ? &p->way : &p->turn;
        *open = hypot(*open, rows->b[r]);
    }
    return count;
}

static double size_of(const carom_model *m, const part *p) { return fmax(p->way, p->turn * m->length_scale); }

static void name_part(const carom_model *m, const part *p, char *text, size_t size)
{
    const char *joint = p->source.type == CAROM_SOURCE_ROW ? NULL : m->joints[p->source.index].name;
    if (p->source.type == CAROM_SOURCE_IDEAL)
        snprintf(text, size, "joint '%s' (centred in its clearance)", joint);
    else if (joint)
        snprintf(text, size, "the coordinate of joint '%s'", joint);
    else
        carom_row_part_name(m, p->source.index, text, size);
}

static const carom_place *place_of(const carom_model *m, const part *p)
{
    return p->source.type == CAROM_SOURCE_ROW ? carom_row_place(m, p->source.index)
                                              : &m->joints[p->source.index].place;
}

/* "joint 'A', joint 'B' and motion of joint 'C'" */
static int name_open(const carom_model *m, const part *parts, int count, double least, char *text, size_t size)
{
    int open = 0, named = 0;
    size_t used = 0;
    for (int k = 0; k < count; k++)
        open += size_of(m, &parts[k]) >= least;
    for (int k = 0; k < count && named < NAMED && used < size; k++) {
        char name[220];
        if (!(size_of(m, &parts[k]) >= least))
            continue;
        name_part(m, &parts[k], name, sizeof name);
        named++;
        const bool last = named == open && named > 1;
        used += (size_t)snprintf(text + used, size - used, "%s%s", named == 1 ? "" : last ? " and " : ", ", name);
    }
    if (open > NAMED && used < size)
        snprintf(text + used, size - used, " and %d more", open - NAMED);
    return open;
}

static void fill_rows(carom_evaluation *d, carom_state *s, const carom_assembly_target *target,
                      carom_assembly_rows *rows)
{
    memset(s->v, 0, (size_t)s->layout.velocities * sizeof *s->v);
    carom_state_pose(d, s);
    carom_dynamics_constraints(d, s, *s->time);
    rows->count = 0;
    target->fill(target->user, rows);
}

/* What the worst part lacks when all others are closed; false if they cannot be. */
static carom_status find_gap(carom_evaluation *d, carom_state *s, const carom_assembly_target *target,
                             carom_assembly_rows *rows, part *parts, int worst, bool *found)
{
    carom_assembly_target loose = *target;
    bool closed;
    loose.loose = parts[worst].row;
    CAROM_TRY(carom_assembly_close(d, s, &loose, &closed));
    fill_rows(d, s, target, rows);
    const int count = list_parts(rows, parts);
    *found = true;
    for (int k = 0; k < count; k++)
        *found = *found && (k == worst || !(size_of(d->model, &parts[k]) > OPEN * size_of(d->model, &parts[worst])));
    return CAROM_OK;
}

static bool all_closed(const carom_evaluation *d, const part *parts, int count, double tolerance)
{
    const carom_model *m = d->model;
    tolerance = fmax(tolerance, carom_row_rounding(d, false));
    for (int k = 0; k < count; k++)
        if (!(size_of(m, &parts[k]) <= tolerance * m->length_scale))
            return false;
    return true;
}

static carom_status refuse(carom_evaluation *d, carom_state *s, const carom_assembly_target *target,
                           carom_assembly_rows *rows, part *parts)
{
    const carom_model *m = d->model;
    char open[600], name[220], gap[80];
    bool alone;
    int worst = 0;
    fill_rows(d, s, target, rows);
    const int count = list_parts(rows, parts);
    for (int k = 1; k < count; k++)
        if (size_of(m, &parts[k]) > size_of(m, &parts[worst]))
            worst = k;
    const double least = OPEN * size_of(m, &parts[worst]);
    const int together = name_open(m, parts, count, least, open, sizeof open);
    name_part(m, &parts[worst], name, sizeof name);
    CAROM_TRY(find_gap(d, s, target, rows, parts, worst, &alone));
    if (all_closed(d, parts, count, target->tolerance))
        return CAROM_OK;
    const part *p = &parts[worst];
    if (p->way * 1e-3 > p->turn * m->length_scale)
        snprintf(gap, sizeof gap, "%.4g m", p->way);
    else if (p->turn * m->length_scale * 1e-3 > p->way)
        snprintf(gap, sizeof gap, "%.4g rad", p->turn);
    else
        snprintf(gap, sizeof gap, "%.4g m and %.4g rad", p->way, p->turn);
    if (together == 1)
        return carom_fail(d->system->ctx, CAROM_ERROR_MODEL, place_of(m, p),
                          "%s cannot be assembled: %s is left open by %s; %s", target->what, name, gap, target->remedy);
    return carom_fail(d->system->ctx, CAROM_ERROR_MODEL, place_of(m, p),
                      "%s cannot be assembled: %s do not fit together; %s is left open by %s%s; %s", target->what,
                      open, name, gap, alone ? " where all others are closed" : "", target->remedy);
}

carom_status carom_assembly_refuse(carom_evaluation *d, carom_state *s, const carom_assembly_target *target)
{
    carom_context *ctx = d->system->ctx;
    carom_assembly_rows rows;
    CAROM_TRY(carom_assembly_rows_create_sparse(d, target->more, &rows));
    const size_t capacity = (size_t)rows.capacity;
    part *parts = carom_allocate(ctx, capacity, sizeof *parts);
    carom_status status = parts ? refuse(d, s, target, &rows, parts) : carom_fail_memory(ctx);
    carom_release(ctx, parts, capacity, sizeof *parts);
    carom_assembly_rows_free(&rows);
    return status;
}
