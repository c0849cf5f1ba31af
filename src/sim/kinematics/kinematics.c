/* Motions that are wholly prescribed: positions and velocities that the constraints ask for, and the singular positions
   on their way. With the constraint rows as unit vectors, J of as many independent ones as there are velocities is
   square; where its determinant falls to zero the drives do not determine the motion, and it may go on along more than
   one branch.
   Source: Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, sections 3.6, 4.3; Gosselin and
   Angeles 1990, IEEE Trans. Robot. Autom. 6:281-290 (singularities of the second kind). */
#include "sim/kinematics/kinematics.h"

#include "math/solve.h"
#include "sim/kinematics/freedoms.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Part of a step over which the slope of the determinant is taken. */
#define PART 1e-4
/* A determinant that has a zero within a step falls at least so far, as a logarithm, where the zero is bracketed to a
   hundredth of the step; and to its place: */
#define FALLS 2.0
#define PLACED 1e-11
/* Golden section. */
#define GOLDEN 0.6180339887498949
/* Steps below this share of the run, so many one after the other, before the end of the way. */
#define SHORT 1e-10
#define SHORT_STEPS 200
/* Singular positions that a warning names; all are events. */
#define NAMED 1

typedef struct carom_kinematics {
    int columns, count;         /* velocities; independent rows */
    bool watched;               /* singular positions are looked for */
    double *rows, *square;      /* all rows; the independent ones, and their factors */
    int *row_of, *pivot;
    bool *none;                 /* no row is redundant, for the names of free motions */
    double *y;                  /* a state of the last step */
    double found;               /* [s] time of the last one */
    int passed;                 /* how many */
    int short_steps;            /* one after the other, before the end of the way */
} carom_kinematics;

/* ---- the start ---- */

static int free_motions(const carom_simulation *sim)
{
    return sim->model->body_count * carom_twist_size(sim->model) - sim->start.rank;
}

/* "joint 'a' turns, ...", up to eight of them. */
static carom_status name_motions(carom_simulation *sim, carom_evaluation *d, int mobility, char *text, size_t size)
{
    carom_freedoms found;
    size_t used = 0;
    text[0] = '\0';
    CAROM_TRY(carom_freedoms_find(sim, d, sim->kinematics->none, (size_t)mobility, &found));
    for (size_t k = 0; k < found.free_count && k < 8 && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", k ? ", " : "", found.free[k]);
    if (found.free_count > 8 && used < size)
        snprintf(text + used, size - used, " and %zu more", found.free_count - 8);
    return CAROM_OK;
}

carom_status carom_kinematics_create(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    const size_t n = (size_t)(m->body_count * carom_twist_size(m)), rows = (size_t)m->row_count;
    carom_arena *arena = &sim->arena;
    carom_kinematics *k = carom_arena_alloc(arena, 1, sizeof *k);
    if (!k)
        return carom_fail_memory(sim->ctx);
    k->columns = (int)n;
    k->watched = n <= CAROM_FREEDOMS_MOST && rows <= CAROM_FREEDOMS_MOST;
    k->found = -HUGE_VAL;
    sim->kinematics = k;
    const size_t cells = k->watched ? n : 0;
    const bool done = (k->none = carom_arena_alloc(arena, rows, sizeof *k->none)) &&
                      (k->rows = carom_arena_alloc(arena, rows * cells, sizeof *k->rows)) &&
                      (k->square = carom_arena_alloc(arena, n * cells, sizeof *k->square)) &&
                      (k->row_of = carom_arena_alloc(arena, rows, sizeof *k->row_of)) &&
                      (k->pivot = carom_arena_alloc(arena, n, sizeof *k->pivot)) &&
                      (k->y = carom_arena_alloc(arena, sim->s.integrated, sizeof *k->y));
    return done ? CAROM_OK : carom_fail_memory(sim->ctx);
}

carom_status carom_kinematics_start(carom_simulation *sim)
{
    const int open = free_motions(sim);
    char names[600];
    if (!sim->run.kinematic || open <= 0)
        return CAROM_OK;
    CAROM_TRY(name_motions(sim, sim->d, open, names, sizeof names));
    return carom_fail(sim->ctx, CAROM_ERROR_MODEL, &sim->run.analysis_place,
                      "kinematics: the motion is not wholly prescribed, %d independent motion%s free: %s; give each a "
                      "`motion`, or use `analysis: dynamics`. If the mechanism only starts in a singular position, "
                      "place it beside that",
                      open, open == 1 ? " is" : "s are", names);
}

/* ---- singular positions ---- */

/* Poses at a time of the last step, in the simulation's probe. */
static bool pose_at(carom_simulation *sim, double t)
{
    double *y = sim->kinematics->y;
    if (!carom_step_interpolate(sim, t, y))
        return false;
    carom_system_pose(sim->probe, &sim->s, t, y, y + (sim->s.v - sim->s.q));
    return true;
}

/* Logarithm of the determinant of the independent rows at a time of the last step; false: there is no state. */
static bool determinant(carom_simulation *sim, double t, double *out)
{
    carom_kinematics *k = sim->kinematics;
    const size_t n = (size_t)k->columns;
    if (!pose_at(sim, t))
        return false;
    const int rows = carom_freedoms_rows(sim, sim->probe, t, k->rows, k->row_of);
    size_t count = 0;
    for (int r = 0; r < rows; r++)
        if (!sim->start.redundant[k->row_of[r]] && count < n)
            memcpy(k->square + count++ * n, k->rows + (size_t)r * n, n * sizeof *k->square);
    *out = -HUGE_VAL;
    if (count < n || !carom_lu_factor((int)n, k->square, k->pivot))
        return count == n;
    *out = 0;
    for (size_t i = 0; i < n; i++)
        *out += log(fabs(k->square[i * n + i]));
    return true;
}

/* The least value in [begin, end], by golden section; false where it is no zero. */
static bool find_zero(carom_simulation *sim, double begin, double end, double lower, double *time)
{
    const double whole = end - begin;
    double a = begin, b = end, x[2] = {b - GOLDEN * (b - a), a + GOLDEN * (b - a)}, f[2];
    if (!determinant(sim, x[0], &f[0]) || !determinant(sim, x[1], &f[1]))
        return false;
    bool falls = false;
    while (b - a > PLACED * whole && b - a > 4e-16 * fabs(b)) {
        const int low = f[1] < f[0];
        if (!falls && b - a < 0.01 * whole && !(falls = f[low] < lower - FALLS))
            return false;
        *time = x[low];
        if (f[low] == -HUGE_VAL)
            return true;
        *(low ? &a : &b) = x[1 - low];
        x[1 - low] = x[low];
        f[1 - low] = f[low];
        x[low] = low ? a + GOLDEN * (b - a) : b - GOLDEN * (b - a);
        if (!determinant(sim, x[low], &f[low]))
            return false;
    }
    return falls;
}

bool carom_kinematics_passed(carom_simulation *sim, double *end)
{
    carom_kinematics *k = sim->kinematics;
    if (!k->watched || free_motions(sim) != 0)
        return false;
    const double begin = *sim->s.time, h = *end - begin;
    double f[4], time = 0;
    if (!(h > 1e-13 * fabs(begin)) || !determinant(sim, begin, &f[0]) || !determinant(sim, begin + PART * h, &f[1]) ||
        !(f[1] < f[0]) || !determinant(sim, *end - PART * h, &f[2]) || !determinant(sim, *end, &f[3]) ||
        !(f[3] > f[2]))
        return false;
    if (!find_zero(sim, begin, *end, fmin(f[0], f[3]), &time))
        return false;
    k->found = time;
    if (sim->run.stops_at_singular)
        *end = time;
    return true;
}

carom_status carom_kinematics_note(carom_simulation *sim)
{
    carom_kinematics *k = sim->kinematics;
    char names[600];
    k->passed++;
    if (sim->muted)
        return CAROM_OK;
    CAROM_TRY(carom_notices_singular(sim, k->found));
    if (sim->run.stops_at_singular)
        *sim->s.event_stop = 1 + sim->model->event_count;
    if (k->passed > NAMED)
        return CAROM_OK;
    if (!pose_at(sim, k->found))
        return CAROM_OK;
    CAROM_TRY(name_motions(sim, sim->probe, 1, names, sizeof names));
    const bool stops = sim->run.stops_at_singular;
    return carom_simulation_warn(sim, CAROM_WARN_STEP,
                                 "t = %.9g s: the mechanism %s a singular position, where its drives leave a motion "
                                 "free: %s%s",
                                 k->found, stops ? "has come to" : "has passed", names,
                                 stops ? "" : "; it goes on along its branch");
}

bool carom_kinematics_halts(carom_simulation *sim)
{
    carom_kinematics *k = sim->kinematics;
    k->short_steps = *sim->s.step_size < SHORT * sim->run.until ? k->short_steps + 1 : 0;
    return k->short_steps > SHORT_STEPS;
}

const char *carom_kinematics_stuck(carom_simulation *sim, char *text, size_t size)
{
    char names[600];
    text[0] = '\0';
    if (!sim->kinematics->watched || name_motions(sim, sim->d, 1, names, sizeof names) != CAROM_OK)
        return text;
    snprintf(text, size,
             "the prescribed motion cannot be reached beyond this time: the mechanism has come to the end of its way, "
             "a singular position where %s without limit; end the run before it, or drive that instead",
             names);
    return text;
}
