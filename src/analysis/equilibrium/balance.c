/* Forces at rest, the motions that constraints and friction that holds allow, and the tangent stiffness along these.
   With N the basis of the null space of the rows J, N^T M N = 1, the forces along it are N^T (M a), and the stiffness
   is -N^T d(M a)/dq N: it has the forces of the constraints in it, which turn with their rows.
   Source: Golub and Van Loan 2013, Matrix Computations, section 2.4; Nikravesh 1988, chapter 10. */
#include "analysis/equilibrium/equilibrium.h"

#include "math/derivative.h"
#include "math/solve.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Share of the largest singular value, of rows of norm 1, below which one is none. */
#define DEPENDS 1e-9
/* Part of a row in a combination of rows above which it counts. */
#define LOOSE 1e-8
/* Friction holds if so much of what it can bear is left. */
#define SPARE 1e-9
/* Residual of an equilibrium, of the forces that act; and what the last digits of the positions make of the model's
   length. */
#define BALANCED 1e-9
#define ROUNDING 1e-15
/* Forces that differ by rounding make so much of a stiffness, of their size over the model's length: over steps of
   CAROM_STEP_LENGTH 2e-10. What they leave of parts that cancel, as at the load of buckling, is none. */
#define NOISE 1e-9
/* Share of the forces to which those of friction that holds are found. */
#define HELD 1e-11
/* Stiffness that is none, of the largest one. */
#define NONE 1e-11
/* Part of a stiffness that is not symmetric, which differences do not make. */
#define SKEW 1e-4

carom_status carom_balance_create(carom_analysis *a, carom_evaluation *d, carom_state *s, carom_balance *out)
{
    const carom_model *m = a->model;
    const int size = carom_twist_size(m), columns = m->body_count * size;
    const int rows = m->row_count + 2 * m->contact_count + m->slip_count;
    const size_t n = (size_t)columns, r = (size_t)rows;
    *out = (carom_balance){.ctx = a->ctx, .m = m, .d = d, .s = s, .size = size, .columns = columns};
    if (m->contact_set_count)
        return carom_fail(a->ctx, CAROM_ERROR_MODEL, &m->contact_sets[0].place,
                          "%s needs a contact of each pair: %s", a->name, m->other_refusal);
    if (columns > CAROM_EQUILIBRIUM_MOST || m->row_count > CAROM_EQUILIBRIUM_MOST)
        return carom_fail(a->ctx, CAROM_ERROR_MODEL, &a->run->analysis_place,
                          "%s: the model has %d velocities and %d constraint rows, more than %d; let it settle by "
                          "dynamics with dampers",
                          a->name, columns, m->row_count, CAROM_EQUILIBRIUM_MOST);
    double **vectors[] = {&out->force,  &out->eigenvalue, &out->imaginary, &out->column,
                          &out->change, &out->step,       &out->work};
    bool done = true;
    for (size_t k = 0; k < CAROM_COUNT(vectors); k++)
        done = done && (*vectors[k] = carom_arena_alloc(&a->arena, n + r + 1, sizeof(double)));
    double **squares[] = {&out->basis, &out->stiffness, &out->eigenvector, &out->vt};
    for (size_t k = 0; k < CAROM_COUNT(squares); k++)
        done = done && (*squares[k] = carom_arena_alloc(&a->arena, n * n, sizeof(double)));
    done = done && (out->rows = carom_arena_alloc(&a->arena, r * n, sizeof(double))) &&
           (out->scaled = carom_arena_alloc(&a->arena, r * n, sizeof(double))) &&
           (out->singular = carom_arena_alloc(&a->arena, n + r, sizeof(double))) &&
           (out->q = carom_arena_alloc(&a->arena, (size_t)s->layout.positions, sizeof(double))) &&
           (out->here = carom_arena_alloc(&a->arena, (1 + CAROM_DERIVATIVE_ROOM) * n, sizeof(double))) &&
           (out->loose = carom_arena_alloc(&a->arena, (size_t)m->joint_count, sizeof(bool))) &&
           (out->kept = carom_arena_alloc(&a->arena, (size_t)m->contact_count, sizeof(bool)));
    return done ? CAROM_OK : carom_fail_memory(a->ctx);
}

carom_status carom_balance_begin(carom_analysis *a, carom_evaluation *d, carom_state *s, carom_balance *out,
                                 bool *dropped)
{
    carom_start start = {0};
    CAROM_TRY(carom_analysis_start(a, d, s, &start));
    *dropped = false;
    for (int k = 0; k < s->layout.velocities; k++)
        *dropped = *dropped || s->v[k] != 0;
    memset(s->v, 0, (size_t)s->layout.velocities * sizeof *s->v);
    d->system->at_rest = true;
    CAROM_TRY(carom_balance_create(a, d, s, out));
    CAROM_TRY(carom_system_hold_deflected(d->system));
    carom_balance_hold(out, true);
    return carom_balance_find_states(a, out);
}

/* In a state that is in absolute coordinates; the analysis' own becomes what it has been moved to. */
static carom_status run_in(carom_analysis *a, carom_state *s,
                           carom_status (*run)(carom_analysis *a, carom_evaluation *d, carom_state *s))
{
    carom_state *const own = a->state;
    carom_system *system;
    carom_evaluation *d;
    CAROM_TRY(carom_analysis_system(a, s, &system, &d));
    a->state = s;
    carom_status status = run(a, d, s);
    a->state = own;
    if (status == CAROM_OK && s != own)
        status = carom_assembly_take(d, s, own);
    if (status == CAROM_OK)
        own->edited = own->rests = true; /* a motion that begins in it opens its contacts anew */
    carom_system_free(system);
    return status;
}

carom_status carom_balance_run(carom_analysis *a,
                               carom_status (*run)(carom_analysis *a, carom_evaluation *d, carom_state *s))
{
    carom_state *s;
    if (!a->state->formulation->take_bodies)
        return run_in(a, a->state, run);
    CAROM_TRY(carom_state_create_in(a->ctx, a->model, &carom_formulation_cartesian, &s));
    carom_status status = CAROM_OK;
    if (carom_run_follows(a->run)) {
        status = carom_state_share(s, a->state);
        if (status == CAROM_OK)
            carom_state_absolute(a->state, s->q, s->v);
    }
    if (status == CAROM_OK)
        status = run_in(a, s, run);
    carom_state_free(s);
    return status;
}

/* ---- forces ---- */

bool carom_balance_law_holds(const carom_balance *b, const carom_friction_kind *law)
{
    return law->set_valued || (law->state && b->deflected_hold);
}

void carom_balance_hold(carom_balance *b, bool deflected)
{
    b->deflected_hold = deflected;
    for (int k = 0; k < b->m->site_count; k++)
        b->s->site_stick[k] = carom_balance_law_holds(b, b->m->joints[b->m->sites[k].joint].friction.law);
}

/* Begins the episode of a contact whose shapes overlap, at rest. */
static carom_status open_contact(carom_balance *b, int k, const carom_contact_point *p)
{
    const carom_model_contact *c = &b->m->contacts[k];
    carom_episode *e = &b->s->located[k];
    carom_episode_open(e, *b->s->time, 0, p);
    e->mass = carom_effective_mass(b->d, c->body_i, c->body_j, p);
    if (!b->kept[k]) {
        const char *refusal = carom_episode_set_constants(c, e, p);
        if (refusal)
            return carom_fail(b->ctx, CAROM_ERROR_MODEL, &c->place,
                              "contact '%s': the surfaces touch with the radii %.4g m and %.4g m: %s; give radius_i "
                              "and radius_j, or a stiffness",
                              c->name, e->radii[0], e->radii[1], refusal);
        b->kept[k] = c->radii_of_start;
    }
    carom_episode_begin_compression(c, e, p->gap, 0); /* as a motion does that begins here */
    carom_episode_set_scales(c, e, false);
    e->stick = c->friction && carom_balance_law_holds(b, c->friction) ? CAROM_STICKING : CAROM_SLIPPING;
    return CAROM_OK;
}

/* Opens the contacts, and takes the branches of loads and expressions, that the positions have. */
static carom_status touch(carom_balance *b)
{
    const carom_model *m = b->m;
    if (b->branches_stay)
        carom_state_pose(b->d, b->s);
    else
        carom_assembly_branches(b->d, b->s);
    if (m->contact_count)
        carom_dynamics_constraints(b->d, b->s, *b->s->time);
    for (int k = 0; k < m->contact_count; k++) {
        carom_contact_point *p = &b->d->contacts[k];
        b->s->located[k].open = 0;
        carom_contact_geometry_at(m, NULL, k, &b->d->pose[carom_contact_body(m, k, 0)],
                                  &b->d->pose[carom_contact_body(m, k, 1)], p);
        if (p->gap < 0)
            CAROM_TRY(open_contact(b, k, p));
    }
    return CAROM_OK;
}

static carom_vec3 turned(const carom_mat3 *axes, const carom_mat3 *inertia, carom_vec3 w)
{
    return carom_m3_apply(axes, carom_m3_apply(inertia, carom_m3_apply_t(axes, w)));
}

void carom_balance_times_mass(const carom_balance *b, int body, const double *x, double *out)
{
    const carom_model_body *of = &b->m->bodies[body];
    for (int k = 0; k < b->m->dimension; k++)
        out[k] = of->mass * x[k];
    if (b->size == 3) {
        out[2] = x[2] / of->inverse_inertia.m[2][2];
        return;
    }
    const carom_vec3 l = turned(&b->d->pose[body].axes, &of->inertia, carom_v3_load(x + 3));
    out[3] = l.x;
    out[4] = l.y;
    out[5] = l.z;
}

/* Square of the size of a force and a torque about its centre of mass on a body. */
static double square_of(const carom_balance *b, int body, carom_vec3 force, carom_vec3 torque)
{
    const carom_model_body *of = &b->m->bodies[body];
    if (body == 0)
        return 0;
    return of->inverse_mass * carom_v3_dot(force, force) +
           (b->size == 3 ? of->inverse_inertia.m[2][2] * torque.z * torque.z
                         : carom_v3_dot(torque, carom_m3_apply(&b->d->inverse_inertia[body], torque)));
}

/* The same of a force at a marker. */
static double square_at(const carom_balance *b, const carom_marker *at, carom_vec3 force, carom_vec3 torque)
{
    const carom_frame_pose frame = carom_dynamics_frame_pose(&b->d->pose[at->body], at, b->m->dimension);
    return square_of(b, at->body, force, carom_v3_add(torque, carom_v3_cross(frame.arm, force)));
}

/* The sizes of what acts, without constraints, each weight, load, contact and friction for itself: in balance they are
   nothing together. */
static double size_of_forces(const carom_balance *b)
{
    const carom_model *m = b->m;
    const carom_evaluation *d = b->d;
    double sum = 0;
    for (int body = 1; body <= m->body_count; body++)
        sum += m->bodies[body].mass * carom_v3_dot(m->gravity, m->gravity);
    for (int k = 0; k < m->load_count; k++) {
        const carom_load_output *f = &d->loads[k];
        sum += square_at(b, &m->loads[k].i, f->force_i, f->torque_i) +
               square_at(b, &m->loads[k].j, f->force_j, f->torque_j);
    }
    for (int k = 0; k < m->contact_count; k++) {
        const carom_contact_point *p = &d->contacts[k];
        if (!b->s->located[k].open)
            continue;
        const bool rubs = m->contacts[k].friction_work >= 0;
        const carom_vec3 normal = carom_v3_scale(p->force, p->normal);
        const carom_vec3 f = rubs ? carom_v3_add(normal, p->friction) : normal;
        const carom_vec3 couple = rubs ? p->couple : carom_v3(0, 0, 0);
        sum += square_of(b, m->contacts[k].body_i, f, carom_v3_add(carom_v3_cross(p->arm_i, f), couple)) +
               square_of(b, m->contacts[k].body_j, f, carom_v3_add(carom_v3_cross(p->arm_j, f), couple));
    }
    for (int k = 0; m->site_count && k < m->joint_count; k++) {
        const carom_wrench f = carom_joint_friction_wrench(d, k);
        sum += square_at(b, &m->joints[k].i, f.force, f.torque) + square_at(b, &m->joints[k].j, f.force, f.torque);
    }
    return sqrt(sum);
}

/* At the positions, with the contacts that are open. */
static bool balance(carom_balance *b)
{
    const carom_model *m = b->m;
    memset(b->s->v, 0, (size_t)b->columns * sizeof *b->s->v);
    if (!carom_balance_rest(b))
        return false;
    double sum = 0;
    for (int body = 1; body <= m->body_count; body++) {
        const double *a = b->d->acceleration + (body - 1) * b->size;
        double *f = b->force + (body - 1) * b->size;
        carom_balance_times_mass(b, body, a, f);
        for (int k = 0; k < b->size; k++)
            sum += a[k] * f[k];
    }
    b->residual = sqrt(fmax(sum, 0));
    for (int k = 0; k < m->block_count; k++) {
        const carom_constraint_block *e = &m->blocks[k];
        if (e->type != CAROM_BLOCK_ARMATURE)
            continue;
        const carom_jacobian_row *row = &b->d->jacobian[e->first_row];
        for (int n = 0; n < row->count; n++)
            for (int i = 0; row->part[n].body && i < b->size; i++)
                b->force[(row->part[n].body - 1) * b->size + i] -=
                    b->d->multipliers[e->first_row] * row->part[n].j[i];
    }
    return isfinite(sum);
}

carom_status carom_balance_evaluate(carom_balance *b, bool *found)
{
    CAROM_TRY(touch(b));
    *found = balance(b);
    b->scale = size_of_forces(b);
    return CAROM_OK;
}

double carom_balance_root_of_mass(const carom_balance *b)
{
    double mass = 0;
    for (int body = 1; body <= b->m->body_count; body++)
        mass += b->m->bodies[body].mass;
    return sqrt(mass);
}

double carom_balance_small(const carom_balance *b)
{
    const double most = b->width ? fabs(b->eigenvalue[b->width - 1]) : 0;
    return BALANCED * b->scale + ROUNDING * most * b->m->distance_scale * carom_balance_root_of_mass(b);
}

bool carom_balance_place_create(const carom_balance *b, carom_arena *arena, carom_balance_place *out)
{
    return (out->q = carom_arena_alloc(arena, (size_t)b->s->layout.positions, sizeof(double))) &&
           (out->coordinate = carom_arena_alloc(arena, (size_t)b->m->coordinate_count, sizeof(double)));
}

void carom_balance_keep(const carom_balance *b, carom_balance_place *to)
{
    memcpy(to->q, b->s->q, (size_t)b->s->layout.positions * sizeof *to->q);
    memcpy(to->coordinate, b->s->coordinate, (size_t)b->m->coordinate_count * sizeof *to->coordinate);
}

void carom_balance_return(carom_balance *b, const carom_balance_place *to)
{
    memcpy(b->s->q, to->q, (size_t)b->s->layout.positions * sizeof *to->q);
    memcpy(b->s->coordinate, to->coordinate, (size_t)b->m->coordinate_count * sizeof *to->coordinate);
}

carom_status carom_balance_move(carom_balance *b, const carom_balance_place *from, const double *x, bool *found)
{
    const carom_formulation *f = b->d->system->formulation;
    carom_balance_return(b, from);
    f->retract(b->m, x, b->s->q);
    f->normalise(b->m, b->s->q);
    memset(b->s->v, 0, (size_t)b->columns * sizeof *b->s->v);
    *found = f->project(b->d, b->s, *b->s->time, b->s->q, b->s->v, 1e-13, 20);
    return *found ? carom_balance_evaluate(b, found) : CAROM_OK;
}

/* ---- motions ---- */

/* Adds a row of norm 1 in the metric of the mass matrix; false if it is 0. */
static void spread(carom_balance *b, const carom_jacobian_row *row, int *count)
{
    double *v = b->rows + (size_t)*count * (size_t)b->columns;
    memset(v, 0, (size_t)b->columns * sizeof *v);
    for (int n = 0; n < row->count; n++)
        for (int k = 0; row->part[n].body && k < b->size; k++)
            v[(row->part[n].body - 1) * b->size + k] += row->part[n].j[k];
    ++*count;
}

static void constraint_rows(carom_balance *b, int *count)
{
    for (int k = 0; k < b->m->block_count; k++) {
        const carom_constraint_block *e = &b->m->blocks[k];
        for (int r = e->first_row; carom_block_constrains(e) && r < e->first_row + e->row_count; r++)
            if (!b->d->idle || !b->d->idle[r])
                spread(b, &b->d->jacobian[r], count);
    }
}

bool carom_balance_holds(const carom_balance *b, int contact)
{
    const carom_contact_point *p = &b->d->contacts[contact];
    const carom_episode *e = &b->s->located[contact];
    return e->open && e->stick == CAROM_STICKING && p->force > 0 && p->spare > SPARE;
}

static void held_rows(carom_balance *b, int *count)
{
    const carom_model *m = b->m;
    for (int k = 0; k < m->contact_count; k++) {
        const carom_contact_point *p = &b->d->contacts[k];
        if (!carom_balance_holds(b, k))
            continue;
        const carom_vec3 n = p->normal, hint = fabs(n.x) < 0.6 ? carom_v3(1, 0, 0) : carom_v3(0, 1, 0);
        carom_vec3 t[2] = {m->dimension == 2 ? carom_v3(-n.y, n.x, 0) : carom_v3_cross(n, hint)};
        t[1] = carom_v3_cross(n, t[0]);
        for (int i = 0; i < m->dimension - 1; i++) {
            carom_jacobian_row row;
            const carom_row between = {.Li = carom_v3_scale(-1, t[i]),
                                       .Ai = carom_v3_scale(-1, carom_v3_cross(p->arm_i, t[i])),
                                       .Lj = t[i],
                                       .Aj = carom_v3_cross(p->arm_j, t[i])};
            carom_row_between(b->d, &between, m->contacts[k].body_i, m->contacts[k].body_j, &row);
            spread(b, &row, count);
        }
    }
    for (int k = 0; k < m->site_count; k++)
        if (b->d->sites[k].stick && !b->d->sites[k].sliding)
            for (int c = 0; c < m->sites[k].slip_count; c++)
                spread(b, &b->d->slips[m->sites[k].first_slip + c].jacobian, count);
}

/* Makes the norms of rows, which stand by columns, 1; those below `none` are left out. */
static void normalise_rows(double *a, int rows, int columns, double none)
{
    for (int r = 0; r < rows; r++) {
        double sum = 0;
        for (int k = 0; k < columns; k++)
            sum += a[k * rows + r] * a[k * rows + r];
        for (int k = 0; k < columns; k++)
            a[k * rows + r] *= sqrt(sum) > none ? 1 / sqrt(sum) : 0;
    }
}

static int rank_of(const carom_balance *b, int most, double share)
{
    int rank = 0;
    while (rank < most && b->singular[rank] > share * b->singular[0])
        rank++;
    return rank;
}

/* Null space of the first `count` rows in the metric of the mass matrix. */
static carom_status null_space(carom_balance *b, int count, int *rank)
{
    const carom_formulation *f = b->d->system->formulation;
    const int n = b->columns;
    f->scale_rows(b->d, b->rows, count, b->scaled);
    normalise_rows(b->scaled, count, n, 0);
    CAROM_TRY(carom_right_singular(b->ctx, count, n, b->scaled, b->singular, b->vt));
    *rank = rank_of(b, count < n ? count : n, DEPENDS);
    b->width = n - *rank;
    for (int c = 0; c < b->width; c++) {
        for (int k = 0; k < n; k++)
            b->work[k] = b->vt[k * n + *rank + c];
        f->scale_back(b->d, b->work, b->basis + c * n);
    }
    return CAROM_OK;
}

/* Takes the motions along the first `count` rows out of the basis. */
static carom_status take_out(carom_balance *b, int count)
{
    const int n = b->columns, width = b->width;
    double most = 0;
    for (int c = 0; c < width; c++)
        for (int r = 0; r < count; r++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += b->rows[r * n + k] * b->basis[c * n + k];
            b->scaled[c * count + r] = sum;
            most = fmax(most, fabs(sum));
        }
    normalise_rows(b->scaled, count, width, DEPENDS * most);
    CAROM_TRY(carom_right_singular(b->ctx, count, width, b->scaled, b->singular, b->vt));
    const int rank = rank_of(b, count < width ? count : width, CAROM_BRACED);
    memset(b->stiffness, 0, (size_t)n * (size_t)width * sizeof *b->stiffness);
    for (int c = rank; c < width; c++)
        for (int i = 0; i < width; i++)
            for (int k = 0; k < n; k++)
                b->stiffness[(c - rank) * n + k] += b->vt[i * width + c] * b->basis[i * n + k];
    b->width = width - rank;
    memcpy(b->basis, b->stiffness, (size_t)n * (size_t)b->width * sizeof *b->basis);
    return CAROM_OK;
}

carom_status carom_balance_motions(carom_balance *b)
{
    int count = 0;
    constraint_rows(b, &count);
    b->held = count;
    CAROM_TRY(null_space(b, count, &b->rank));
    count = 0;
    held_rows(b, &count);
    return count && b->width ? take_out(b, count) : CAROM_OK;
}

/* Marks the joints of which a row has a part in a combination of rows that is zero. */
static void mark_loose(carom_balance *b, const double *vt, int rows, int rank)
{
    int r = 0;
    for (int k = 0; k < b->m->block_count; k++) {
        const carom_constraint_block *e = &b->m->blocks[k];
        const bool own = e->type == CAROM_BLOCK_JOINT || e->type == CAROM_BLOCK_JOINT_MOTION;
        for (int i = e->first_row; carom_block_constrains(e) && i < e->first_row + e->row_count; i++) {
            if (b->d->idle && b->d->idle[i])
                continue;
            for (int c = rank; c < rows && own; c++)
                b->loose[e->object] = b->loose[e->object] || fabs(vt[r * rows + c]) > LOOSE;
            r++;
        }
    }
}

carom_status carom_balance_unique(carom_balance *b)
{
    int rows = 0;
    memset(b->loose, 0, (size_t)b->m->joint_count * sizeof *b->loose);
    constraint_rows(b, &rows);
    if (b->rank >= rows)
        return CAROM_OK;
    /* the null space of the columns: combinations of rows that are zero; rows by columns are the transpose */
    const size_t size = (size_t)rows * (size_t)rows;
    double *vt = carom_allocate(b->ctx, size, sizeof *vt);
    if (!vt)
        return carom_fail_memory(b->ctx);
    const carom_status status = carom_right_singular(b->ctx, b->columns, rows, b->rows, b->singular, vt);
    if (status == CAROM_OK)
        mark_loose(b, vt, rows, rank_of(b, rows < b->columns ? rows : b->columns, DEPENDS));
    carom_release(b->ctx, vt, size, sizeof *vt);
    return status;
}

bool carom_balance_is_unique(const carom_balance *b, int joint) { return !b->loose[joint]; }

void carom_balance_along(const carom_balance *b, double *out)
{
    for (int c = 0; c < b->width; c++) {
        const double *x = b->basis + (size_t)c * (size_t)b->columns;
        out[c] = 0;
        for (int k = 0; k < b->columns; k++)
            out[c] += x[k] * b->force[k];
    }
}

void carom_balance_motion(const carom_balance *b, const double *c, double *x)
{
    memset(x, 0, (size_t)b->columns * sizeof *x);
    for (int i = 0; i < b->width; i++)
        for (int k = 0; k < b->columns; k++)
            x[k] += c[i] * b->basis[(size_t)i * (size_t)b->columns + (size_t)k];
}

void carom_balance_reach(const carom_balance *b, const double *x, double *length, double *angle)
{
    *length = *angle = 0;
    for (int body = 0; body < b->m->body_count; body++) {
        const double *of = x + body * b->size;
        const bool plane = b->size == 3;
        *length = fmax(*length, plane ? hypot(of[0], of[1]) : carom_v3_norm(carom_v3_load(of)));
        *angle = fmax(*angle, plane ? fabs(of[2]) : carom_v3_norm(carom_v3_load(of + 3)));
    }
}

/* ---- stiffness ---- */

static carom_vec3 moved(const carom_balance *b, int body, const double *x, carom_vec3 arm)
{
    if (body == 0)
        return carom_v3(0, 0, 0);
    const double *of = x + (body - 1) * b->size;
    const bool plane = b->size == 3;
    const carom_vec3 v = carom_v3(of[0], of[1], plane ? 0 : of[2]);
    return carom_v3_add(v, carom_v3_cross(plane ? carom_v3(0, 0, of[2]) : carom_v3_load(of + 3), arm));
}

double carom_balance_difference(const carom_balance *b, const double *x, double of_length, double of_depth)
{
    double length, angle;
    carom_balance_reach(b, x, &length, &angle);
    double h = of_length * b->m->length_scale / fmax(length, angle * b->m->length_scale);
    const double least = 1e-6 * h;
    for (int k = 0; k < b->m->contact_count; k++) {
        const carom_model_contact *c = &b->m->contacts[k];
        const carom_contact_point *p = &b->d->contacts[k];
        if (!b->s->located[k].open)
            continue;
        const carom_vec3 apart =
            carom_v3_sub(moved(b, c->body_j, x, p->arm_j), moved(b, c->body_i, x, p->arm_i));
        const double rate = fabs(carom_v3_dot(apart, p->normal));
        h = rate > 0 ? fmin(h, of_depth * -p->gap / rate) : h;
    }
    return fmax(h, least);
}

double carom_balance_rounded(const carom_balance *b, const double *x)
{
    double length, angle;
    carom_balance_reach(b, x, &length, &angle);
    return DBL_EPSILON * b->m->distance_scale / fmax(length, angle * b->m->length_scale);
}

double carom_balance_blur(const carom_balance *b)
{
    bool holds = false;
    for (int k = 0; k < b->m->contact_count; k++)
        holds = holds || (b->s->located[k].open && b->s->located[k].stick == CAROM_STICKING);
    for (int k = 0; k < b->m->site_count; k++)
        holds = holds || b->d->sites[k].stick;
    return holds ? HELD * b->scale : 0;
}

/* Forces along all motions beside the pose, by h along one of them. */
static bool forces_beside(void *user, double h, double *out)
{
    carom_balance *b = user;
    const carom_formulation *f = b->d->system->formulation;
    const double *x = b->basis + (size_t)b->moved * (size_t)b->columns;
    for (int k = 0; k < b->columns; k++)
        b->step[k] = h * x[k];
    f->retract(b->m, b->step, b->s->q);
    f->normalise(b->m, b->s->q);
    const bool found = balance(b);
    memcpy(b->s->q, b->q, (size_t)b->s->layout.positions * sizeof *b->q);
    if (found)
        carom_balance_along(b, out);
    return found;
}

static carom_status refuse_beside(const carom_balance *b)
{
    return carom_fail(b->ctx, CAROM_ERROR_SOLVER, NULL, "equilibrium: no forces can be found beside a pose");
}

/* Loss of force along all motions by one along the motion c of the basis, as a step of the search needs it. */
static carom_status difference(carom_balance *b, int c, double h)
{
    double *out = b->stiffness + (size_t)c * (size_t)b->width;
    b->moved = c;
    if (!forces_beside(b, -h, b->column) || !forces_beside(b, h, b->work))
        return refuse_beside(b);
    for (int k = 0; k < b->width; k++)
        out[k] = (b->column[k] - b->work[k]) / (2 * h);
    return CAROM_OK;
}

/* A stiffness beside which one that is open does not matter: what is none of the largest one. */
static double none_beside(const carom_balance *b)
{
    return NONE / CAROM_BALANCE_OPEN * fmax(fabs(b->eigenvalue[0]), fabs(b->eigenvalue[b->width - 1]));
}

/* The same as it is told, by a step that is looked for. */
static carom_status derivative(carom_balance *b, int c, double h)
{
    const carom_derivative wanted = {.evaluate = forces_beside,
                                     .user = b,
                                     .count = b->width,
                                     .alike = b->width,
                                     .judged = c,
                                     .size = b->scale,
                                     .blur = carom_balance_blur(b),
                                     .here = b->here,
                                     .room = b->here + b->columns};
    double *out = b->stiffness + (size_t)c * (size_t)b->width, doubt = 0;
    b->moved = c;
    const double rounded = carom_balance_rounded(b, b->basis + (size_t)c * (size_t)b->columns);
    const double natural = fmax(CAROM_LONGEST_LENGTH * b->scale / h, none_beside(b));
    if (!carom_derivative_find(&wanted, h, rounded, natural, out, &doubt))
        return refuse_beside(b);
    for (int k = 0; k < b->width; k++)
        out[k] = -out[k];
    if (doubt > b->doubt) {
        b->doubt = doubt;
        b->doubtful = c;
    }
    return CAROM_OK;
}

static carom_status eigenvalues(carom_balance *b)
{
    const int n = b->width;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            b->eigenvector[i * n + k] = 0.5 * (b->stiffness[i * n + k] + b->stiffness[k * n + i]);
    return carom_symmetric_eigen(b->ctx, n, b->eigenvector, b->eigenvalue);
}

static carom_status differences(carom_balance *b, bool told)
{
    double *steps = b->change; /* all at the indentations of the pose */
    b->doubt = 0;
    carom_balance_along(b, b->here);
    for (int c = 0; c < b->width; c++)
        steps[c] = carom_balance_difference(b, b->basis + (size_t)c * (size_t)b->columns,
                                            told ? CAROM_LONGEST_LENGTH : CAROM_STEP_LENGTH,
                                            told ? CAROM_LONGEST_DEPTH : CAROM_STEP_DEPTH);
    for (int c = 0; c < b->width; c++)
        CAROM_TRY(told ? derivative(b, c, steps[c]) : difference(b, c, steps[c]));
    CAROM_TRY(balance(b) ? CAROM_OK : refuse_beside(b));
    return eigenvalues(b);
}

static bool is_symmetric(const carom_balance *b)
{
    const int n = b->width;
    double part = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            part = fmax(part, fabs(b->stiffness[i * n + k] - b->stiffness[k * n + i]));
    return n == 0 || part < SKEW * fmax(fabs(b->eigenvalue[0]), fabs(b->eigenvalue[n - 1]));
}

static void exchange(double *a, double *b, int count)
{
    for (int k = 0; k < count; k++) {
        const double kept = a[k];
        a[k] = b[k];
        b[k] = kept;
    }
}

/* Of a stiffness that has no potential the real parts of the eigenvalues tell where damped motions lead. */
static carom_status own_eigenvalues(carom_balance *b)
{
    const int n = b->width;
    double *matrix = b->vt;
    memcpy(matrix, b->stiffness, (size_t)n * (size_t)n * sizeof *matrix);
    CAROM_TRY(carom_eigen(b->ctx, n, matrix, b->eigenvalue, b->imaginary, b->eigenvector));
    for (int i = 0; i < n; i++) {
        int least = i;
        for (int k = i + 1; k < n; k++)
            if (b->eigenvalue[k] < b->eigenvalue[least])
                least = k;
        exchange(&b->eigenvalue[i], &b->eigenvalue[least], 1);
        exchange(&b->imaginary[i], &b->imaginary[least], 1);
        if (least != i)
            exchange(b->eigenvector + (size_t)i * (size_t)n, b->eigenvector + (size_t)least * (size_t)n, n);
    }
    return CAROM_OK;
}

carom_status carom_balance_stiffness(carom_balance *b, bool told)
{
    const int n = b->width;
    memcpy(b->q, b->s->q, (size_t)b->s->layout.positions * sizeof *b->q);
    CAROM_TRY(differences(b, false));
    /* once more along the eigenvectors: soft ones are not lost beside stiff contacts, and take longer steps */
    for (int c = 0; c < n; c++)
        carom_balance_motion(b, b->eigenvector + (size_t)c * (size_t)n, b->vt + (size_t)c * (size_t)b->columns);
    memcpy(b->basis, b->vt, (size_t)n * (size_t)b->columns * sizeof *b->basis);
    CAROM_TRY(differences(b, told));
    memset(b->imaginary, 0, (size_t)n * sizeof *b->imaginary);
    if (!is_symmetric(b))
        CAROM_TRY(own_eigenvalues(b));
    const double most = n ? fmax(fabs(b->eigenvalue[0]), fabs(b->eigenvalue[n - 1])) : 0;
    const double forces = NOISE * b->scale / (b->m->length_scale * carom_balance_root_of_mass(b));
    b->none = NONE * most + 1e-7 * carom_v3_norm(b->m->gravity) / b->m->length_scale + forces;
    return CAROM_OK;
}

carom_status carom_balance_say_open(carom_analysis *a, double doubt, const char *motion, int table)
{
    char text[600];
    snprintf(text, sizeof text,
             "%s: how the forces change beside the state is open by %.2g of it: they bend or jump there within less "
             "than rounding lets see, as where a contact, a stop or an `if` just begins, or where the machine is so "
             "far from the origin that its places are rounded; what follows from it is as uncertain: look at a motion "
             "from a small push, or move the machine nearer to the origin",
             motion, doubt);
    return carom_analysis_add(a, table, &(carom_analysis_cell){.text = text});
}
