/* What prescribes the motion and what makes it: motions of joints and bodies, motors with a target, and the joints that
   the run names as its actuators. */
#include "analysis/inverse_dynamics/inverse.h"

#include "kinds/load/load.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Part of a row in a combination of rows above which it counts. */
#define LOOSE 1e-8

/* ---- the list ---- */

/* Expression or number of the target of a load; false: it has none. */
static bool target_of(const carom_compiled_load *l, int *expr, double *constant)
{
    if (!l->kind->computed)
        return false;
    for (int k = 0; k < l->kind->kind.param_count; k++) {
        const carom_param_row *row = &l->kind->kind.params[k];
        if (!(row->flags & CAROM_PARAM_RATE))
            continue;
        const int offset = carom_kind_param_offset(&l->kind->kind, row->name);
        *expr = -1;
        *constant = l->p[offset];
        for (int i = 0; i < l->slot_count; i++)
            if (l->slots[i].offset == offset)
                *expr = l->slots[i].expr;
        return true;
    }
    return false;
}

static bool turns(const carom_model *m, int joint) { return m->joints[joint].kind->coordinate_unit[0] == 'r'; }

static carom_drive *find(carom_inverse *w, int joint)
{
    for (int k = 0; k < w->drive_count; k++)
        if (w->drives[k].joint == joint)
            return &w->drives[k];
    return NULL;
}

static carom_drive *add(carom_inverse *w, const carom_drive *drive)
{
    w->drives[w->drive_count] = *drive;
    return &w->drives[w->drive_count++];
}

static carom_status add_motions(carom_analysis *a, carom_inverse *w)
{
    static const char *const axis[] = {"x", "y", "z", "angle"};
    const carom_model *m = w->m;
    for (int k = 0; k < m->block_count; k++) {
        const carom_constraint_block *e = &m->blocks[k];
        char name[200];
        carom_drive drive = {.joint = -1, .block = k, .load = -1, .target = -1, .prescribes = true};
        if (e->type == CAROM_BLOCK_JOINT_MOTION) {
            drive.joint = e->object;
            drive.name = m->joints[e->object].name;
            drive.turns = turns(m, e->object);
        } else if (e->type == CAROM_BLOCK_BODY_MOTION) {
            snprintf(name, sizeof name, "%.180s.%s", m->bodies[e->object].name, axis[e->axis]);
            drive.name = carom_arena_text(&a->arena, name);
            drive.turns = e->axis == 3;
            if (!drive.name)
                return carom_fail_memory(a->ctx);
        } else
            continue;
        add(w, &drive);
    }
    return CAROM_OK;
}

/* Motors lead their joints along their targets; where a motion does so already they act as they are. */
static void add_motors(carom_inverse *w)
{
    const carom_model *m = w->m;
    for (int k = 0; k < m->load_count; k++) {
        const carom_compiled_load *l = &m->loads[k];
        carom_drive drive = {.joint = l->joint, .block = -1, .load = k, .prescribes = true};
        if (l->joint < 0 || w->s->load_off[k] || find(w, l->joint) || !target_of(l, &drive.target, &drive.constant))
            continue;
        drive.name = m->joints[l->joint].name;
        drive.turns = turns(m, l->joint);
        add(w, &drive);
        w->s->load_off[k] = true;
    }
}

static carom_status no_actuator(carom_analysis *a, carom_inverse *w, const char *name)
{
    const char **names = carom_arena_alloc(&a->arena, (size_t)(w->m->joint_count + w->drive_count), sizeof *names);
    size_t count = 0;
    for (int k = 0; names && k < w->m->joint_count; k++)
        if (w->m->joints[k].coordinate >= 0)
            names[count++] = w->m->joints[k].name;
    for (int k = 0; names && k < w->drive_count; k++)
        if (w->drives[k].joint < 0)
            names[count++] = w->drives[k].name;
    const char *nearest = names ? carom_nearest_name(name, names, count) : NULL;
    return carom_fail(a->ctx, CAROM_ERROR_MODEL, &a->run->actuators_place,
                      "actuators: no joint '%s' that has a coordinate, and no motion of a body '%s'%s%s%s", name, name,
                      nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

static carom_status add_actuators(carom_analysis *a, carom_inverse *w)
{
    const carom_model *m = w->m;
    for (int k = 0; !a->run->actuator_count && k < w->drive_count; k++)
        w->drives[k].acts = true;
    for (size_t n = 0; n < a->run->actuator_count; n++) {
        const char *name = a->run->actuators[n];
        carom_drive *drive = NULL;
        int joint = -1;
        for (int k = 0; k < w->drive_count; k++)
            drive = strcmp(w->drives[k].name, name) == 0 ? &w->drives[k] : drive;
        for (int k = 0; !drive && k < m->joint_count; k++)
            joint = m->joints[k].coordinate >= 0 && strcmp(m->joints[k].name, name) == 0 ? k : joint;
        if (!drive && joint < 0)
            return no_actuator(a, w, name);
        if (!drive)
            drive = add(w, &(carom_drive){.name = m->joints[joint].name,
                                          .joint = joint,
                                          .block = -1,
                                          .load = -1,
                                          .target = -1,
                                          .turns = turns(m, joint)});
        if (drive->acts)
            return carom_fail(a->ctx, CAROM_ERROR_MODEL, &a->run->actuators_place,
                              "actuators: '%s' stands twice", name);
        drive->acts = true;
    }
    for (int k = 0; k < w->drive_count; k++)
        w->actuators += w->drives[k].acts;
    return CAROM_OK;
}

/* ---- rows ---- */

/* Rows of constraints; locks that hold are among them, what moves a coordinate is not. */
static void list_rows(carom_inverse *w)
{
    const carom_model *m = w->m;
    for (int k = 0; k < m->block_count; k++) {
        const carom_constraint_block *e = &m->blocks[k];
        if (e->type != CAROM_BLOCK_JOINT && e->type != CAROM_BLOCK_LOCK)
            continue;
        for (int r = e->first_row; r < e->first_row + e->row_count; r++) {
            if (w->d->idle && w->d->idle[r])
                continue;
            w->held[w->held_count] = r;
            w->held_block[w->held_count] = k;
            w->velocity_only[w->held_count++] = r >= e->first_row + e->row_count - e->rate_rows;
        }
    }
    w->count = w->held_count + w->drive_count;
}

static carom_status allocate(carom_analysis *a, carom_inverse *w)
{
    carom_arena *arena = &a->arena;
    const carom_model *m = w->m;
    const size_t n = (size_t)w->columns, most = (size_t)(m->row_count + m->load_count) + a->run->actuator_count + 1;
    double **vectors[] = {&w->violation, &w->b, &w->y, &w->acceleration, &w->load, &w->rest, &w->column, &w->effort,
                          &w->x};
    bool done = (w->drives = carom_arena_alloc(arena, most, sizeof *w->drives)) &&
                (w->held = carom_arena_alloc(arena, most, sizeof *w->held)) &&
                (w->held_block = carom_arena_alloc(arena, most, sizeof *w->held_block)) &&
                (w->angle = carom_arena_alloc(arena, most, sizeof *w->angle)) &&
                (w->velocity_only = carom_arena_alloc(arena, most, sizeof *w->velocity_only)) &&
                (w->unique = carom_arena_alloc(arena, most, sizeof *w->unique)) &&
                (w->rows = carom_arena_alloc(arena, most * n, sizeof(double))) &&
                (w->scaled = carom_arena_alloc(arena, most * n, sizeof(double))) &&
                (w->beyond = carom_arena_alloc(arena, (size_t)m->load_count, sizeof(double))) &&
                (w->overlap = carom_arena_alloc(arena, (size_t)m->contact_count, sizeof(double))) &&
                (w->basis = carom_arena_alloc(arena, most * n, sizeof(double)));
    for (size_t k = 0; k < CAROM_COUNT(vectors) && done; k++)
        done = (*vectors[k] = carom_arena_alloc(arena, most + n, sizeof(double))) != NULL;
    return done ? CAROM_OK : carom_fail_memory(a->ctx);
}

/* The state of a friction law is that of a way that was gone, which single instants do not know. */
static carom_status check_friction(carom_analysis *a)
{
    static const char text[] = "%s '%s': the friction law %s has a state, which inverse-dynamics does not integrate; "
                               "use one without, such as coulomb";
    const carom_model *m = a->model;
    for (int k = 0; k < m->contact_count; k++)
        if (m->contacts[k].friction_state >= 0 && m->contacts[k].friction->state)
            return carom_fail(a->ctx, CAROM_ERROR_MODEL, &m->contacts[k].place, text, "contact", m->contacts[k].name,
                              m->contacts[k].friction->kind.name);
    for (int k = 0; k < m->site_count; k++)
        if (m->sites[k].state >= 0)
            return carom_fail(a->ctx, CAROM_ERROR_MODEL, &m->joints[m->sites[k].joint].place, text, "joint",
                              m->joints[m->sites[k].joint].name,
                              m->joints[m->sites[k].joint].friction.law->kind.name);
    return CAROM_OK;
}

carom_status carom_inverse_create(carom_analysis *a, carom_evaluation *d, carom_state *s, carom_inverse *w)
{
    const carom_model *m = a->model;
    const int size = carom_twist_size(m), columns = m->body_count * size;
    *w = (carom_inverse){.ctx = a->ctx, .m = m, .d = d, .s = s, .size = size, .columns = columns, .missed = -1};
    w->place = &a->run->analysis_place;
    if (m->contact_set_count)
        return carom_fail(a->ctx, CAROM_ERROR_MODEL, &m->contact_sets[0].place,
                          "inverse-dynamics needs a contact of each pair: %s", m->other_refusal);
    if (columns > CAROM_INVERSE_MOST || m->row_count > CAROM_INVERSE_MOST)
        return carom_fail(a->ctx, CAROM_ERROR_MODEL, &a->run->analysis_place,
                          "inverse-dynamics: the model has %d velocities and %d constraint rows, more than %d", columns,
                          m->row_count, CAROM_INVERSE_MOST);
    CAROM_TRY(check_friction(a));
    CAROM_TRY(allocate(a, w));
    CAROM_TRY(add_motions(a, w));
    add_motors(w);
    CAROM_TRY(add_actuators(a, w));
    list_rows(w);
    const int held = w->held_count ? w->held_count : 1, count = w->count ? w->count : 1;
    CAROM_TRY(carom_orthogonal_create(a->ctx, held, columns, &w->joints));
    return carom_orthogonal_create(a->ctx, count, columns, &w->all);
}

void carom_inverse_release_motors(carom_inverse *w)
{
    for (int k = 0; k < w->drive_count; k++)
        if (w->drives[k].load >= 0)
            w->s->load_off[w->drives[k].load] = false;
}

void carom_inverse_free(carom_inverse *w)
{
    carom_orthogonal_free(w->joints);
    carom_orthogonal_free(w->all);
}

/* ---- what is prescribed, and what is unique ---- */

/* Which rows a decomposition takes. */
typedef enum choice {
    HELD,
    PRESCRIBED,                 /* those of positions, with drives that prescribe */
    ACTUATED
} choice;

static bool takes(const carom_inverse *w, choice which, int k)
{
    if (k < w->held_count)
        return which != PRESCRIBED || !w->velocity_only[k];
    const carom_drive *drive = &w->drives[k - w->held_count];
    return which == PRESCRIBED ? drive->prescribes : which == ACTUATED && drive->acts;
}

/* The rank of these rows, and of `more` behind them which depend on earlier ones. */
static carom_status rank_of(carom_inverse *w, choice which, const double *more, int more_count, bool *redundant,
                            int *rank)
{
    const size_t n = (size_t)w->columns;
    const int count = w->count + more_count;
    carom_orthogonal *o;
    *rank = 0;
    if (!count)
        return CAROM_OK;
    CAROM_TRY(carom_orthogonal_create(w->ctx, count, w->columns, &o));
    double *out = carom_orthogonal_rows(o);
    memset(out, 0, (size_t)count * n * sizeof *out);
    for (int k = 0; k < w->count; k++)
        if (takes(w, which, k))
            memcpy(out + (size_t)k * n, w->scaled + (size_t)k * n, n * sizeof *out);
    if (more_count)
        memcpy(out + (size_t)w->count * n, more, (size_t)more_count * n * sizeof *out);
    *rank = carom_orthogonal_rank(o, redundant);
    carom_orthogonal_free(o);
    return CAROM_OK;
}

static void append(char *text, size_t size, const char *what, const char *name, int *listed)
{
    const size_t used = strlen(text);
    if (*listed < 8)
        snprintf(text + used, size - used, "%s%s'%s'", *listed ? ", " : "", what, name);
    else if (*listed == 8)
        snprintf(text + used, size - used, ", ...");
    ++*listed;
}

/* Joints whose coordinates are free, and bodies where these are none: of as many motions as nothing prescribes. */
static carom_status name_free(carom_analysis *a, carom_inverse *w, int rank)
{
    const carom_model *m = w->m;
    const carom_formulation *f = w->d->system->formulation;
    const size_t n = (size_t)w->columns;
    const size_t most = (size_t)m->joint_count + n;
    double *more = carom_arena_alloc(&a->arena, most * n, sizeof *more);
    bool *redundant = carom_arena_alloc(&a->arena, (size_t)w->count + most, sizeof *redundant);
    int *joint = carom_arena_alloc(&a->arena, most, sizeof *joint), count = 0, joints, listed = 0, full, last = -1;
    char names[400] = "";
    if (!more || !redundant || !joint)
        return carom_fail_memory(a->ctx);
    for (int k = 0; k < m->joint_count; k++) {
        const carom_model_joint *j = &m->joints[k];
        carom_row row;
        double unused;
        if (j->coordinate < 0 || j->coupled[0] >= 0)
            continue;
        carom_dynamics_coordinate(w->d, k, w->s->coordinate[j->coordinate], &row, &unused);
        memset(w->column, 0, n * sizeof *w->column);
        f->row_entries(w->d, &row, j->i.body, j->j.body, w->column);
        f->scale_rows(w->d, w->column, 1, more + (size_t)count * n);
        joint[count++] = k;
    }
    joints = count;
    for (int i = 0; i < w->columns; i++, count++) {
        memset(w->column, 0, n * sizeof *w->column);
        w->column[i] = 1;
        f->scale_rows(w->d, w->column, 1, more + (size_t)count * n);
    }
    CAROM_TRY(rank_of(w, PRESCRIBED, more, count, redundant, &full));
    for (int k = 0; k < joints; k++)
        if (!redundant[w->count + k])
            append(names, sizeof names, "joint ", m->joints[joint[k]].name, &listed);
    for (int k = joints; k < count; k++) {
        const int body = (k - joints) / w->size + 1;
        if (!redundant[w->count + k] && body != last)
            append(names, sizeof names, "body ", m->bodies[body].name, &listed);
        last = redundant[w->count + k] ? last : body;
    }
    const int open = w->columns - rank;
    return carom_fail(a->ctx, CAROM_ERROR_MODEL, &a->run->analysis_place,
                      "inverse-dynamics: the motion is not wholly prescribed, %d independent motion%s free, of %s; "
                      "give each a `motion` or a motor with a target, or use dynamics (`carom check` names the free "
                      "motions)",
                      open, open == 1 ? " is" : "s are", names);
}

/* Prescribed motions that no actuator can make. */
static carom_status name_passive(carom_analysis *a, carom_inverse *w, int rank)
{
    const size_t n = (size_t)w->columns;
    double *more = carom_arena_alloc(&a->arena, (size_t)(w->drive_count + 1) * n, sizeof *more);
    bool *redundant = carom_arena_alloc(&a->arena, (size_t)(w->count + w->drive_count), sizeof *redundant);
    int full, listed = 0;
    char names[400] = "";
    if (!more || !redundant)
        return carom_fail_memory(a->ctx);
    memcpy(more, w->scaled + (size_t)w->held_count * n, (size_t)w->drive_count * n * sizeof *more);
    CAROM_TRY(rank_of(w, ACTUATED, more, w->drive_count, redundant, &full));
    for (int k = 0; k < w->drive_count; k++)
        if (!redundant[w->count + k])
            append(names, sizeof names, "", w->drives[k].name, &listed);
    return carom_fail(a->ctx, CAROM_ERROR_MODEL,
                      a->run->actuators_place.line ? &a->run->actuators_place : &a->run->analysis_place,
                      "inverse-dynamics: underactuated: the mechanism has %d degrees of freedom, and its actuators "
                      "move %d of them; nothing makes the motion of %s: name more joints in `actuators`",
                      w->freedoms, rank - w->rank, names);
}

/* Multipliers that are the only ones: unit rows that lie in what the rows can make. */
static carom_status find_unique(carom_inverse *w)
{
    const size_t n = (size_t)w->columns;
    carom_orthogonal *o;
    if (!w->count)
        return CAROM_OK;
    CAROM_TRY(carom_orthogonal_create(w->ctx, w->count, w->columns, &o));
    double *out = carom_orthogonal_rows(o);
    memset(out, 0, (size_t)w->count * n * sizeof *out);
    for (int k = 0; k < w->count; k++)
        if (takes(w, ACTUATED, k))
            memcpy(out + (size_t)k * n, w->scaled + (size_t)k * n, n * sizeof *out);
    memcpy(carom_orthogonal_angles(o), w->angle, (size_t)w->count * sizeof(bool));
    carom_orthogonal_factor(o);
    for (int r = 0; r < w->count; r++) {
        memset(w->b, 0, (size_t)w->count * sizeof *w->b);
        w->b[r] = 1;
        const double *x = carom_orthogonal_solve(o, w->b);
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += w->scaled[(size_t)r * n + i] * x[i];
        const bool unique = fabs(sum - 1) < LOOSE;
        if (r < w->held_count)
            w->unique[w->held[r]] = unique;
        else
            w->drives[r - w->held_count].unique = unique;
    }
    carom_orthogonal_free(o);
    return CAROM_OK;
}

carom_status carom_inverse_check(carom_analysis *a, carom_inverse *w)
{
    bool *redundant = carom_arena_alloc(&a->arena, (size_t)w->count + 1, sizeof *redundant);
    int prescribed, actuated;
    if (!redundant)
        return carom_fail_memory(a->ctx);
    carom_state_pose(w->d, w->s);
    carom_inverse_rows(w);
    CAROM_TRY(rank_of(w, HELD, NULL, 0, redundant, &w->rank));
    w->freedoms = w->columns - w->rank;
    CAROM_TRY(rank_of(w, PRESCRIBED, NULL, 0, redundant, &prescribed));
    if (prescribed < w->columns)
        return name_free(a, w, prescribed);
    CAROM_TRY(rank_of(w, ACTUATED, NULL, 0, redundant, &actuated));
    w->spare = w->rank + w->actuators - actuated;
    if (actuated < w->columns)
        return name_passive(a, w, actuated);
    return find_unique(w);
}
