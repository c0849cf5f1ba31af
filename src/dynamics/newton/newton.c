/* Newton's equations: layout, evaluation, factors, solution. */
#include "base/wide.h"
#include "dynamics/newton/newton.h"

#include <math.h>
#include <string.h>

/* Rows that depend on others are kept apart by this share of their own inverse mass. */
#define SEPARATION 1e-10
/* Up to so many unknowns the matrix is factored as a whole, with exchanges. */
#define SMALL 48
/* Contacts that are closed at once and have derivatives, of each body; others are left to the iteration. */
#define CLOSED_CONTACTS 16

/* ---- layout ---- */

static bool holds(const carom_model *m, int contact)
{
    return m->contacts[contact].friction && m->contacts[contact].friction->set_valued;
}

static bool late_states(const carom_model *m)
{
    for (int k = 0; m->state_count && k < m->step_measure_count; k++)
        if (carom_measure_is_late(m->measures[k].type))
            return true;
    return false;
}

/* Adds a body that moves; false if there is no room for it. */
static bool add_body(carom_slopes *e, int body)
{
    if (body == 0)
        return true;
    for (int b = 0; b < e->body_count; b++)
        if (e->body[b] == body)
            return true;
    e->crowded = e->body_count == CAROM_SLOPE_BODIES;
    if (e->crowded)
        return false;
    e->body[e->body_count++] = body;
    return true;
}

/* Bodies that a measure reads. */
static bool add_measure(const carom_model *m, carom_slopes *e, const carom_measure *measure)
{
    const int a = measure->a;
    bool fits = true;
    for (int k = 0; measure->bodies && k < measure->b; k++)
        fits = fits && add_body(e, measure->bodies[k]);
    if (measure->bodies)
        return fits;
    switch (measure->type) {
    case CAROM_MEASURE_ANGLE:
    case CAROM_MEASURE_SPEED: return add_body(e, m->joints[a].i.body) && add_body(e, m->joints[a].j.body);
    case CAROM_MEASURE_DISTANCE: return add_body(e, a) && add_body(e, measure->b);
    case CAROM_MEASURE_LENGTH:
    case CAROM_MEASURE_STRETCH:
    case CAROM_MEASURE_LENGTH_RATE: return add_body(e, m->loads[a].i.body) && add_body(e, m->loads[a].j.body);
    case CAROM_MEASURE_INDENTATION:
    case CAROM_MEASURE_INDENTATION_RATE:
        for (int k = a; k < a + measure->b; k++)
            fits = fits && add_body(e, m->contacts[k].body_i) && add_body(e, m->contacts[k].body_j);
        return fits;
    case CAROM_MEASURE_INPUT:
    case CAROM_MEASURE_STATE:
    case CAROM_MEASURE_COUNT:
    case CAROM_MEASURE_OPEN: return true;
    default: return add_body(e, a);
    }
}

/* Bodies and states that an expression reads; counts the columns, and names them where there is room. */
static bool add_expression(const carom_newton *nt, carom_slopes *e, int expr, bool *states)
{
    const carom_model *m = nt->model;
    for (int k = 0; k < m->step_measure_count; k++) {
        if (carom_measure_is_late(m->measures[k].type) || !carom_expr_reads(m->exprs[expr].expr, k))
            continue;
        if (!add_measure(m, e, &m->measures[k]))
            return false;
        if (m->measures[k].type == CAROM_MEASURE_STATE)
            states[m->measures[k].a] = true;
    }
    return true;
}

/* Room of an element whose bodies are known. */
static bool take_room(carom_newton *nt, carom_slopes *e, int rows, int columns)
{
    e->height = e->body_count * nt->width + rows;
    e->row_count = rows;
    e->column_count = columns;
    e->row = carom_arena_alloc(&nt->arena, (size_t)rows, sizeof *e->row);
    e->column = carom_arena_alloc(&nt->arena, (size_t)columns, sizeof *e->column);
    const size_t size = (size_t)e->height * (size_t)(e->body_count * 2 * nt->width + columns);
    if (e->fill == carom_slopes_fill_contact) { /* many may touch, few do */
        nt->slot_size = size > nt->slot_size ? size : nt->slot_size;
        return e->row && e->column;
    }
    return e->row && e->column && (e->d = carom_arena_alloc(&nt->arena, size, sizeof *e->d));
}

/* Place in y, as a row of an element. */
static int integral(const carom_newton *nt, const double *field, int k)
{
    return -1 - (int)(field - nt->state->q) - k;
}

static bool lay_out_block(carom_newton *nt, carom_slopes *e, int k)
{
    const carom_constraint_block *block = &nt->model->blocks[k];
    const bool drive = block->drive >= 0;
    e->fill = carom_slopes_fill_block;
    for (int side = 0; side < carom_block_sides(block); side++)
        if (!add_body(e, carom_block_body(block, side)))
            return false;
    if (!take_room(nt, e, block->row_count + drive, drive))
        return false;
    for (int r = 0; r < block->row_count; r++)
        e->row[r] = nt->rows + block->first_row + r;
    if (drive) {
        e->row[block->row_count] = integral(nt, nt->state->work_drive, block->drive);
        e->column[0] = nt->rows + block->first_row;
    }
    return true;
}

static bool lay_out_contact(carom_newton *nt, carom_slopes *e, int k)
{
    const carom_model_contact *c = &nt->model->contacts[k];
    const carom_state *s = nt->state;
    const int states = c->friction_state >= 0 ? c->friction->state : 0, sticks = nt->stick[k] >= 0 ? 2 : 0;
    int n = 0;
    e->fill = carom_slopes_fill_contact;
    if (!add_body(e, c->body_i) || !add_body(e, c->body_j) ||
        !take_room(nt, e, states + 2 + (c->friction_work >= 0) + sticks, states + sticks))
        return false;
    for (int z = 0; z < states; z++)
        e->row[n++] = e->column[z] = nt->others + c->friction_state + z;
    e->row[n++] = integral(nt, s->work_contact, k);
    e->row[n++] = integral(nt, s->normal_impulse, k);
    if (c->friction_work >= 0)
        e->row[n++] = integral(nt, s->work_friction, c->friction_work);
    for (int t = 0; t < sticks; t++)
        e->row[n++] = e->column[states + t] = nt->stick[k] + t;
    return true;
}

static bool lay_out_load(carom_newton *nt, carom_slopes *e, int k, bool *states)
{
    const carom_model *m = nt->model;
    const carom_compiled_load *l = &m->loads[k];
    const int first = nt->others + m->friction_state_count;
    int columns = l->state_count, n = 0;
    e->fill = carom_slopes_fill_load;
    memset(states, 0, (size_t)m->state_count * sizeof *states);
    bool done = add_body(e, l->i.body) && add_body(e, l->j.body) &&
                (!l->has_reference || add_body(e, l->reference.body));
    for (int n_slot = 0; n_slot < l->slot_count; n_slot++)
        done = done && add_expression(nt, e, l->slots[n_slot].expr, states);
    for (int z = 0; z < m->state_count; z++)
        columns += states[z];
    if (!done || !take_room(nt, e, l->state_count + 2, columns))
        return false;
    for (int z = 0; z < m->state_count; z++)
        if (states[z])
            e->column[n++] = first + z;
    for (int z = 0; z < l->state_count; z++)
        e->row[z] = e->column[n++] = first + m->state_count + l->first_state + z;
    e->row[l->state_count] = integral(nt, nt->state->work_load, k);
    e->row[l->state_count + 1] = integral(nt, nt->state->work_load_damper, k);
    return true;
}

static bool lay_out_states(carom_newton *nt, carom_slopes *e, bool *states)
{
    const carom_model *m = nt->model;
    const int first = nt->others + m->friction_state_count;
    int columns = 0, n = 0;
    bool done = true;
    e->fill = carom_slopes_fill_states;
    memset(states, 0, (size_t)m->state_count * sizeof *states);
    for (int k = 0; k < m->state_count; k++)
        done = done && add_expression(nt, e, m->states[k].expr, states);
    for (int z = 0; z < m->state_count; z++)
        columns += states[z];
    if (!done || !take_room(nt, e, m->state_count, columns))
        return false;
    for (int z = 0; z < m->state_count; z++) {
        e->row[z] = first + z;
        if (states[z])
            e->column[n++] = first + z;
    }
    return true;
}

static bool lay_out_site(carom_newton *nt, carom_slopes *e, int k)
{
    const carom_model *m = nt->model;
    const carom_model_friction_site *site = &m->sites[k];
    const carom_model_joint *joint = &m->joints[site->joint];
    const int states = site->state >= 0 ? joint->friction.law->state : 0;
    int rows = 0, columns = 0;
    e->fill = carom_slopes_fill_site;
    while (e->block < m->block_count - 1 &&
           (m->blocks[e->block].type != CAROM_BLOCK_JOINT || m->blocks[e->block].object != site->joint))
        e->block++;
    if (!add_body(e, joint->i.body) || !add_body(e, joint->j.body) ||
        !take_room(nt, e, site->slip_count + 1 + states, joint->clearance.rows + site->slip_count + states))
        return false;
    for (int r = 0; r < joint->clearance.rows; r++)
        e->column[columns++] = nt->rows + joint->first_row + r;
    for (int c = 0; c < site->slip_count; c++)
        e->row[rows++] = e->column[columns++] = nt->slips + site->first_slip + c;
    e->row[rows++] = integral(nt, nt->state->work_friction, joint->friction.friction_work);
    for (int z = 0; z < states; z++)
        e->row[rows++] = e->column[columns++] = nt->others + site->state + z;
    return true;
}

static bool lay_out_body(carom_newton *nt, carom_slopes *e, int body)
{
    e->fill = carom_slopes_fill_body;
    if (!add_body(e, body) || !take_room(nt, e, nt->model->applied_count, 0))
        return false;
    if (nt->model->applied_count)
        e->row[0] = integral(nt, nt->state->work_applied, 0);
    return true;
}

static void count_unknowns(carom_newton *nt)
{
    const carom_model *m = nt->model;
    nt->width = m->dimension == 2 ? 3 : 6;
    nt->positions = nt->system->layout.positions;
    nt->velocities = nt->system->layout.velocities;
    nt->rows = nt->velocities;
    nt->slips = nt->rows + m->row_count;
    nt->sticks = nt->others = nt->slips + m->slip_count;
    for (int k = 0; k < m->contact_count; k++) {
        nt->stick[k] = nt->system->sticking && holds(m, k) ? nt->others : -1;
        nt->others += nt->stick[k] >= 0 ? 2 : 0;
    }
    nt->other_count = m->friction_state_count + m->state_count + m->load_state_count;
    nt->order = nt->others + nt->other_count;
}

/* False: no room, or an element that touches too many bodies. */
static bool lay_out(carom_newton *nt)
{
    const carom_model *m = nt->model;
    carom_slopes *e = nt->slopes;
    bool *states = carom_arena_alloc(&nt->arena, (size_t)m->state_count, sizeof *states), done = states != NULL;
    for (int k = 1; k <= m->body_count && done; k++, e++)
        done = lay_out_body(nt, e, e->object = k);
    for (int k = 0; k < m->block_count && done; k++, e++)
        done = lay_out_block(nt, e, e->object = k);
    for (int k = 0; k < m->contact_count && done; k++, e++)
        done = lay_out_contact(nt, e, e->object = k);
    for (int k = 0; k < m->load_count && done; k++, e++)
        done = lay_out_load(nt, e, e->object = k, states);
    for (int k = 0; k < m->site_count && done; k++, e++)
        done = lay_out_site(nt, e, e->object = k);
    if (m->state_count && done)
        done = lay_out_states(nt, e, states);
    return done;
}

static bool take_memory(carom_newton *nt)
{
    const carom_model *m = nt->model;
    carom_arena *a = &nt->arena;
    nt->stick = carom_arena_alloc(a, (size_t)m->contact_count, sizeof *nt->stick);
    if (!nt->stick)
        return false;
    count_unknowns(nt);
    const size_t order = (size_t)nt->order, speeds = (size_t)nt->velocities;
    nt->count = m->body_count + m->block_count + m->contact_count + m->load_count + m->site_count +
                (m->state_count > 0);
    return (nt->slopes = carom_arena_alloc(a, (size_t)nt->count, sizeof *nt->slopes)) &&
           (nt->y = carom_arena_alloc(a, nt->state->integrated, sizeof(double))) &&
           (nt->states = carom_arena_alloc(a, (size_t)(m->state_count + m->load_state_count), sizeof(double))) &&
           (nt->order > SMALL || ((nt->matrix = carom_arena_alloc(a, order * order, sizeof(double))) &&
                                  (nt->pivot = carom_arena_alloc(a, order, sizeof *nt->pivot)))) &&
           (nt->b = carom_arena_alloc(a, order, sizeof(double))) &&
           (nt->unknowns = carom_arena_alloc(a, order, sizeof(double))) &&
           (nt->move = carom_arena_alloc(a, speeds, sizeof(double))) &&
           (nt->speed = carom_arena_alloc(a, speeds, sizeof(double))) &&
           (!nt->system->sticking ||
            (nt->sticking = carom_arena_alloc(a, (size_t)m->contact_count, sizeof *nt->sticking))) &&
           (nt->at = carom_system_workspace(nt->system));
}

carom_status carom_newton_create(carom_context *ctx, carom_system *system, const carom_state *state,
                                 carom_newton **out)
{
    const carom_model *m = system->model;
    *out = NULL;
    if (!system->formulation->newton_position || m->contact_set_count || late_states(m))
        return CAROM_OK;
    carom_newton *nt = carom_allocate(ctx, 1, sizeof *nt);
    if (!nt)
        return carom_fail_memory(ctx);
    nt->ctx = ctx;
    nt->system = system;
    nt->model = m;
    nt->state = state;
    carom_arena_init(&nt->arena, ctx);
    size_t height = 0;
    bool done = take_memory(nt) && lay_out(nt);
    for (int k = 0; k < nt->count && done; k++)
        height = (size_t)nt->slopes[k].height > height ? (size_t)nt->slopes[k].height : height;
    const int most = CLOSED_CONTACTS * (m->body_count + 1);
    nt->slot_count = m->contact_count < most ? m->contact_count : most;
    const size_t slots = (size_t)nt->slot_count * nt->slot_size;
    done = done && (nt->slots = carom_arena_alloc(&nt->arena, slots, sizeof(double))) &&
           (nt->matrix || carom_newton_order_create(nt) == CAROM_OK) &&
           (nt->low = carom_arena_alloc(&nt->arena, height, sizeof(double))) &&
           (nt->high = carom_arena_alloc(&nt->arena, height, sizeof(double)));
    bool crowded = false;
    for (int k = 0; k < nt->count && nt->slopes && !done; k++)
        crowded = crowded || nt->slopes[k].crowded;
    if (done)
        *out = nt;
    else
        carom_newton_free(nt);
    return done || crowded ? CAROM_OK : carom_fail_memory(ctx);
}

void carom_newton_free(carom_newton *nt)
{
    if (!nt)
        return;
    carom_arena_free(&nt->arena);
    carom_release(nt->ctx, nt, 1, sizeof *nt);
}

/* ---- evaluation ---- */

bool carom_newton_evaluate(carom_newton *nt, double t, const double *y)
{
    const carom_state *s = nt->state;
    nt->time = t;
    memcpy(nt->y, y, (size_t)(nt->positions + nt->velocities + nt->other_count) * sizeof *y);
    memcpy(nt->states, y + (s->states - s->q),
           (size_t)(nt->model->state_count + nt->model->load_state_count) * sizeof *y);
    if (!carom_system_evaluate(nt->at, s, t, nt->y))
        return false;
    if (nt->sticking)
        memcpy(nt->sticking, nt->system->sticking, (size_t)nt->model->contact_count * sizeof *nt->sticking);
    nt->slots_used = 0;
    for (int k = 0; k < nt->count; k++) {
        carom_slopes *e = &nt->slopes[k];
        const bool contact = e->fill == carom_slopes_fill_contact;
        e->on = !contact || (s->located[e->object].open && nt->slots_used < nt->slot_count &&
                             nt->system->contact_forces == CAROM_FORCES_OF_LAWS);
        if (contact && e->on)
            e->d = nt->slots + nt->slot_size * (size_t)nt->slots_used++;
        if (e->on)
            e->fill(nt, e);
    }
    if (!nt->matrix && carom_newton_order_changed(nt))
        carom_newton_order_make(nt);
    return true;
}

/* ---- products ---- */

/* What an element gives for small motions, changes of the velocities and of further unknowns, from row `first` on: its
   bodies' forces and its rows. `unknowns`: of further ones also those that are forces. */
static CAROM_WIDE void times(const carom_newton *nt, const carom_slopes *e, const double *move, const double *speed,
                             const double *unknowns, int first, double *out)
{
    const int w = nt->width, height = e->height;
    const double *d = e->d;
    memset(out, 0, (size_t)height * sizeof *out);
    for (int b = 0; b < e->body_count; b++)
        for (int half = 0; half < 2; half++) {
            const double *x = (half ? speed : move) + (e->body[b] - 1) * w;
            for (int k = 0; k < w; k++, d += height)
                if (x[k] != 0)
                    carom_four_add_scaled(height - first, x[k], d + first, out + first);
        }
    for (int c = 0; unknowns && c < e->column_count; c++) {
        const double x = unknowns[e->column[c]];
        if (x != 0)
            carom_four_add_scaled(height - first, x, carom_slopes_column(nt, e, c) + first, out + first);
    }
}

/* The first row of an element that is an integral; its height: none. */
static int first_integral(const carom_newton *nt, const carom_slopes *e)
{
    int r = 0;
    while (r < e->row_count && e->row[r] >= 0)
        r++;
    return e->body_count * nt->width + r;
}

/* Adds the part of it that belongs to the equations, or to y. */
static void add_to_equations(const carom_newton *nt, const carom_slopes *e, double f, const double *from, double *b)
{
    const int w = nt->width;
    for (int n = 0; n < e->body_count; n++)
        for (int k = 0; k < w; k++)
            b[(e->body[n] - 1) * w + k] += f * from[n * w + k];
    for (int r = 0; r < e->row_count; r++)
        if (e->row[r] >= 0)
            b[e->row[r]] += f * from[e->body_count * w + r];
}

/* ---- matrix ---- */

static void add(carom_newton *nt, int row, int column, double value)
{
    if (nt->matrix) {
        nt->matrix[(size_t)column * (size_t)nt->order + (size_t)row] += value;
        return;
    }
    carom_envelope_add(&nt->envelope, nt->order_of.position[row], nt->order_of.position[column], value);
}

/* A row of the coordinates, and the force that goes with it; `own` its inverse mass. */
static void add_border(carom_newton *nt, int unknown, const carom_jacobian_row *row, double own)
{
    const int w = nt->width;
    for (int n = 0; n < row->count; n++)
        for (int k = 0; row->part[n].body && k < w; k++) {
            const int speed = (row->part[n].body - 1) * w + k;
            add(nt, unknown, speed, row->part[n].j[k]);
            add(nt, speed, unknown, -row->part[n].j[k]);
        }
    add(nt, unknown, unknown, !(own > 0) ? 1 : nt->system->redundant ? SEPARATION * own : 0);
}

static void add_masses(carom_newton *nt)
{
    const carom_model *m = nt->model;
    for (int body = 1; body <= m->body_count; body++) {
        const int at = (body - 1) * nt->width;
        for (int k = 0; k < m->dimension; k++)
            add(nt, at + k, at + k, m->bodies[body].mass);
        if (m->dimension == 2) {
            add(nt, at + 2, at + 2, m->bodies[body].inertia.m[2][2]);
            continue;
        }
        const carom_mat3 *axes = &nt->at->pose[body].axes;
        const carom_mat3 half = carom_m3_multiply(axes, &m->bodies[body].inertia);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                add(nt, at + 3 + i, at + 3 + j,
                    half.m[i][0] * axes->m[j][0] + half.m[i][1] * axes->m[j][1] + half.m[i][2] * axes->m[j][2]);
    }
}

static bool site_holds(const carom_newton *nt, int k)
{
    const carom_friction_site *site = &nt->at->sites[k];
    return site->stick && nt->model->joints[nt->model->sites[k].joint].friction.law->set_valued && !site->sliding;
}

/* Forces of a site on the edge of its cone, which may turn there. */
static void add_edge(carom_newton *nt, int k)
{
    const int first = nt->model->sites[k].first_slip, count = nt->model->sites[k].slip_count;
    double rate[CAROM_FRICTION_SLIPS][CAROM_FRICTION_SLIPS], force[CAROM_FRICTION_SLIPS][CAROM_FRICTION_SLIPS];
    carom_slopes_site_rows(nt, k, rate, force);
    for (int c = 0; c < count; c++) {
        const carom_jacobian_row *row = &nt->at->slips[first + c].jacobian;
        for (int n = 0; n < row->count; n++)
            for (int i = 0; row->part[n].body && i < nt->width; i++) {
                const int speed = (row->part[n].body - 1) * nt->width + i;
                add(nt, speed, nt->slips + first + c, -row->part[n].j[i]);
                for (int e = 0; e < count; e++)
                    add(nt, nt->slips + first + e, speed, rate[e][c] * row->part[n].j[i]);
            }
        for (int e = 0; e < count; e++)
            add(nt, nt->slips + first + e, nt->slips + first + c, force[e][c]);
    }
}

static void add_borders(carom_newton *nt)
{
    const carom_model *m = nt->model;
    const carom_evaluation *d = nt->at;
    for (int r = 0; r < m->row_count; r++)
        add_border(nt, nt->rows + r, &d->jacobian[r],
                   nt->system->formulation->couple(d, &d->jacobian[r], &d->jacobian[r]));
    const carom_constraint_block *e = carom_model_armatures(m);
    for (int k = 0; k < m->armature_count; k++)
        add(nt, nt->rows + e[k].first_row, nt->rows + e[k].first_row, 1 / e[k].armature);
    for (int k = 0; k < m->site_count; k++) {
        if (carom_slopes_turns(nt, k)) {
            add_edge(nt, k);
            continue;
        }
        for (int c = m->sites[k].first_slip; c < m->sites[k].first_slip + m->sites[k].slip_count; c++) {
            const carom_jacobian_row *row = &d->slips[c].jacobian;
            if (site_holds(nt, k) && !d->slips[c].redundant) {
                add_border(nt, nt->slips + c, row, nt->system->formulation->couple(d, row, row));
                continue;
            }
            for (int n = 0; n < row->count; n++)
                for (int i = 0; row->part[n].body && i < nt->width; i++)
                    add(nt, (row->part[n].body - 1) * nt->width + i, nt->slips + c, -row->part[n].j[i]);
            add(nt, nt->slips + c, nt->slips + c, 1);
        }
    }
}

/* The tangents of a contact, as rows. */
static void tangent_row(const carom_newton *nt, int k, int t, carom_jacobian_row *out)
{
    const carom_contact_point *p = &nt->at->contacts[k];
    const carom_model_contact *c = &nt->model->contacts[k];
    const carom_vec3 along = nt->sticking[k].tangent[t], shift = nt->sticking[k].shift;
    const carom_row row = {.Li = carom_v3_neg(along),
                           .Ai = carom_v3_neg(carom_v3_cross(carom_v3_add(p->arm_i, shift), along)),
                           .Lj = along,
                           .Aj = carom_v3_cross(carom_v3_add(p->arm_j, shift), along)};
    carom_row_between(nt->at, &row, c->body_i, c->body_j, out);
}

static void add_stick(carom_newton *nt, int k)
{
    const int count = nt->sticking[k].count, first = nt->stick[k];
    double rate[2][2], force[2][2];
    carom_slopes_stick_rows(nt, k, rate, force);
    for (int t = 0; t < 2; t++) {
        if (t >= count) {
            add(nt, first + t, first + t, 1);
            continue;
        }
        carom_jacobian_row row;
        tangent_row(nt, k, t, &row);
        for (int n = 0; n < row.count; n++)
            for (int i = 0; row.part[n].body && i < nt->width; i++) {
                const int speed = (row.part[n].body - 1) * nt->width + i;
                add(nt, speed, first + t, -row.part[n].j[i]);
                for (int e = 0; e < count; e++)
                    if (rate[e][t] != 0)
                        add(nt, first + e, speed, rate[e][t] * row.part[n].j[i]);
            }
        for (int e = 0; e < count; e++)
            if (force[e][t] != 0)
                add(nt, first + e, first + t, force[e][t]);
    }
}

static void add_sticks(carom_newton *nt)
{
    for (int k = 0; k < nt->model->contact_count; k++)
        if (nt->stick[k] >= 0)
            add_stick(nt, k);
}

/* The equation that a row of an element belongs to; negative: none. */
static int equation(const carom_newton *nt, const carom_slopes *e, int r)
{
    const int w = nt->width, forces = e->body_count * w;
    return r < forces ? (e->body[r / w] - 1) * w + r % w : e->row[r - forces];
}

/* Whether the equation of an unknown is that of a constraint held on the positions. */
static bool is_held(const carom_newton *nt, int unknown)
{
    return nt->held && unknown >= nt->rows && unknown < nt->rows + carom_model_hard_rows(nt->model);
}

/* What an element takes off: by velocities gamma (C + K dx/dv), by states gamma times, by forces once. */
static void add_slopes(carom_newton *nt, const carom_slopes *e)
{
    const int w = nt->width, dimension = nt->model->dimension;
    for (int b = 0; b < e->body_count; b++) {
        const double *by_pose = e->d + (size_t)(b * 2 * w) * (size_t)e->height, *by_twist = by_pose + w * e->height;
        double turn[3][3];
        nt->system->formulation->newton_turn(nt->model, e->body[b], nt->y, nt->y + nt->positions, nt->move_by, turn);
        for (int k = 0; k < w; k++)
            for (int r = 0; r < e->height; r++) {
                double value = by_twist[k * e->height + r];
                if (k < dimension)
                    value += nt->move_by * by_pose[k * e->height + r];
                for (int i = 0; k >= dimension && i < w - dimension; i++)
                    value += by_pose[(dimension + i) * e->height + r] * turn[i][k - dimension];
                const int row = equation(nt, e, r);
                if (row >= 0 && value != 0 && !is_held(nt, row))
                    add(nt, row, (e->body[b] - 1) * w + k, -nt->gamma * value);
            }
    }
    for (int c = 0; c < e->column_count; c++) {
        const double f = e->column[c] >= nt->others ? nt->gamma : 1, *d = carom_slopes_column(nt, e, c);
        for (int r = 0; r < e->height; r++) {
            const int row = equation(nt, e, r);
            if (row >= 0 && d[r] != 0 && !is_held(nt, row))
                add(nt, row, e->column[c], -f * d[r]);
        }
    }
}

static bool factor(carom_newton *nt, double gamma, double move, bool held)
{
    nt->gamma = gamma;
    nt->move_by = move;
    nt->held = held;
    if (nt->matrix)
        memset(nt->matrix, 0, (size_t)nt->order * (size_t)nt->order * sizeof *nt->matrix);
    else
        carom_envelope_clear(&nt->envelope);
    add_masses(nt);
    add_borders(nt);
    if (nt->others > nt->sticks)
        add_sticks(nt);
    for (int k = nt->others; k < nt->order; k++)
        add(nt, k, k, 1);
    for (int k = 0; k < nt->count; k++)
        if (nt->slopes[k].on)
            add_slopes(nt, &nt->slopes[k]);
    return nt->matrix ? carom_lu_factor(nt->order, nt->matrix, nt->pivot) : carom_envelope_factor(&nt->envelope);
}

bool carom_newton_factor(carom_newton *nt, double gamma) { return factor(nt, gamma, gamma, false); }

bool carom_newton_factor_held(carom_newton *nt, double gamma, double move) { return factor(nt, gamma, move, true); }

/* ---- solution ---- */

/* Right-hand side of what is multiplied by masses and rows: r are changes of the velocities. */
static void add_inertia(carom_newton *nt, const carom_evaluation *d, const double *r)
{
    const carom_model *m = nt->model;
    const int w = nt->width;
    for (int body = 1; body <= m->body_count; body++) {
        const double *x = r + (body - 1) * w;
        double *b = nt->b + (body - 1) * w;
        for (int k = 0; k < m->dimension; k++)
            b[k] += m->bodies[body].mass * x[k];
        if (m->dimension == 2) {
            b[2] += m->bodies[body].inertia.m[2][2] * x[2];
            continue;
        }
        const carom_mat3 *axes = &d->pose[body].axes;
        const carom_vec3 turn = carom_m3_apply(
            axes, carom_m3_apply(&m->bodies[body].inertia, carom_m3_apply_t(axes, carom_v3_load(x + 3))));
        b[3] += turn.x;
        b[4] += turn.y;
        b[5] += turn.z;
    }
    for (int k = 0; k < m->row_count; k++)
        nt->b[nt->rows + k] += nt->system->formulation->row_times(d, &d->jacobian[k], r);
    for (int k = 0; k < m->site_count; k++) {
        const int first = m->sites[k].first_slip, count = m->sites[k].slip_count;
        double rate[CAROM_FRICTION_SLIPS][CAROM_FRICTION_SLIPS], force[CAROM_FRICTION_SLIPS][CAROM_FRICTION_SLIPS];
        const bool turns = carom_slopes_turns(nt, k), holds = site_holds(nt, k);
        if (turns)
            carom_slopes_site_rows(nt, k, rate, force);
        for (int c = 0; c < count && (turns || holds); c++) {
            const double along = nt->system->formulation->row_times(d, &d->slips[first + c].jacobian, r);
            for (int e = 0; turns && e < count; e++)
                nt->b[nt->slips + first + e] += rate[e][c] * along;
            if (holds && !d->slips[first + c].redundant)
                nt->b[nt->slips + first + c] += along;
        }
    }
    for (int k = 0; k < m->contact_count && nt->others > nt->sticks; k++) {
        double rate[2][2], force[2][2];
        const int count = nt->stick[k] >= 0 ? nt->sticking[k].count : 0;
        if (count)
            carom_slopes_stick_rows(nt, k, rate, force);
        for (int t = 0; t < count; t++) {
            carom_jacobian_row row;
            tangent_row(nt, k, t, &row);
            const double along = nt->system->formulation->row_times(d, &row, r);
            for (int e = 0; e < count; e++)
                nt->b[nt->stick[k] + e] += rate[e][t] * along;
        }
    }
}

static void solve_equations(carom_newton *nt)
{
    double *x = nt->order_of.permuted;
    const int *position = nt->order_of.position;
    if (nt->matrix) {
        carom_lu_solve(nt->order, nt->matrix, nt->pivot, nt->b);
        return;
    }
    for (int u = 0; u < nt->order; u++)
        x[position[u]] = nt->b[u];
    carom_envelope_solve(&nt->envelope, x);
    for (int u = 0; u < nt->order; u++)
        nt->b[u] = x[position[u]];
}

/* The rows of y that are no unknowns: integrals. */
static void add_integrals(const carom_newton *nt, const carom_slopes *e, double f, const double *from, double *y)
{
    for (int r = 0; r < e->row_count; r++)
        if (e->row[r] < 0)
            y[-1 - e->row[r]] += f * from[e->body_count * nt->width + r];
}

void carom_newton_solve(carom_newton *nt, double *y)
{
    const carom_formulation *formulation = nt->system->formulation;
    const int first = nt->positions + nt->velocities;
    const double *q = nt->y, *v = nt->y + nt->positions;
    memset(nt->b, 0, (size_t)nt->order * sizeof *nt->b);
    memset(nt->speed, 0, (size_t)nt->velocities * sizeof *nt->speed);
    formulation->newton_position(nt->model, q, v, nt->gamma, y, nt->speed, nt->move, NULL);
    add_inertia(nt, nt->at, y + nt->positions);
    memcpy(nt->b + nt->others, y + first, (size_t)nt->other_count * sizeof *y);
    for (int k = 0; k < nt->count; k++) {
        if (!nt->slopes[k].on)
            continue;
        times(nt, &nt->slopes[k], nt->move, nt->speed, NULL, 0, nt->low);
        add_to_equations(nt, &nt->slopes[k], nt->gamma, nt->low, nt->b);
    }
    solve_equations(nt);
    memcpy(nt->speed, nt->b, (size_t)nt->velocities * sizeof *nt->speed);
    formulation->newton_position(nt->model, q, v, nt->gamma, y, nt->speed, nt->move, y);
    memcpy(y + nt->positions, nt->b, (size_t)nt->velocities * sizeof *y);
    memcpy(y + first, nt->b + nt->others, (size_t)nt->other_count * sizeof *y);
    /* the integrals: forces are gamma times their changes */
    for (int k = nt->rows; k < nt->others && nt->gamma > 0; k++)
        nt->b[k] /= nt->gamma;
    for (int k = 0; k < nt->count; k++) {
        const int integral_row = first_integral(nt, &nt->slopes[k]);
        if (!nt->slopes[k].on || integral_row == nt->slopes[k].height)
            continue;
        times(nt, &nt->slopes[k], nt->move, nt->speed, nt->b, integral_row, nt->low);
        add_integrals(nt, &nt->slopes[k], nt->gamma, nt->low, y);
    }
}

void carom_newton_solve_held(carom_newton *nt, const carom_evaluation *d, double *b, double *impulse,
                             carom_held_level level)
{
    const int w = nt->width, rows = carom_model_hard_rows(nt->model);
    memset(nt->b, 0, (size_t)nt->order * sizeof *nt->b);
    add_inertia(nt, d, b);
    for (int r = 0; r < rows; r++) {
        const carom_jacobian_row *row = &d->jacobian[r];
        nt->b[nt->rows + r] = -carom_held_miss(d, r, level);
        for (int n = 0; n < row->count; n++)
            for (int k = 0; row->part[n].body && k < w; k++)
                nt->b[(row->part[n].body - 1) * w + k] += impulse[r] * row->part[n].j[k];
    }
    memcpy(nt->b + nt->others, b + nt->velocities, (size_t)nt->other_count * sizeof *b);
    solve_equations(nt);
    memcpy(b, nt->b, (size_t)nt->velocities * sizeof *b);
    memcpy(b + nt->velocities, nt->b + nt->others, (size_t)nt->other_count * sizeof *b);
    for (int r = 0; r < rows; r++)
        impulse[r] += nt->b[nt->rows + r];
}

void carom_newton_times(carom_newton *nt, const double *x, double *out)
{
    const carom_formulation *formulation = nt->system->formulation;
    const int first = nt->positions + nt->velocities;
    const double *q = nt->y, *v = nt->y + nt->positions, *speed = x + nt->positions;
    memset(out, 0, nt->state->integrated * sizeof *out);
    memset(nt->b, 0, (size_t)nt->order * sizeof *nt->b);
    memcpy(nt->speed, speed, (size_t)nt->velocities * sizeof *speed);
    formulation->newton_position(nt->model, q, v, 0, x, nt->speed, nt->move, NULL);
    formulation->newton_rate(nt->model, q, v, x, speed, out);
    memset(nt->unknowns, 0, (size_t)nt->order * sizeof *nt->unknowns);
    memcpy(nt->unknowns + nt->others, x + first, (size_t)nt->other_count * sizeof *x);
    for (int k = 0; k < nt->count; k++) {
        if (!nt->slopes[k].on)
            continue;
        times(nt, &nt->slopes[k], nt->move, nt->speed, nt->unknowns, 0, nt->low);
        add_to_equations(nt, &nt->slopes[k], 1, nt->low, nt->b);
    }
    memset(nt->b + nt->others, 0, (size_t)nt->other_count * sizeof *nt->b);
    solve_equations(nt);
    memcpy(out + nt->positions, nt->b, (size_t)nt->velocities * sizeof *out);
    memcpy(nt->unknowns + nt->rows, nt->b + nt->rows, (size_t)(nt->others - nt->rows) * sizeof *nt->b);
    memset(nt->b, 0, (size_t)nt->order * sizeof *nt->b);
    for (int k = 0; k < nt->count; k++) {
        if (!nt->slopes[k].on)
            continue;
        times(nt, &nt->slopes[k], nt->move, nt->speed, nt->unknowns, 0, nt->low);
        add_to_equations(nt, &nt->slopes[k], 1, nt->low, nt->b);
        add_integrals(nt, &nt->slopes[k], 1, nt->low, out);
    }
    memcpy(out + first, nt->b + nt->others, (size_t)nt->other_count * sizeof *out);
}
