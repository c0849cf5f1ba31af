/* Singular positions. With the constraint rows as unit vectors J, the volume det(J J^T)^(1/2) of those that were
   independent at the start falls to zero where they depend on each other: there a mechanism whose motion is prescribed
   may go on along more than one branch, or not at all, and any other one has a motion more than elsewhere. Zeros that
   change no sign, as of two loops at once, are found as well. Motions that nothing prescribes are looked at only where
   a factorisation of the last step had a weak pivot, since the volume costs more than a step.
   Source: Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, sections 3.6, 4.3; Gosselin and
   Angeles 1990, IEEE Trans. Robot. Autom. 6:281-290 (singularities of the second kind). */
#include "sim/kinematics/singular.h"

#include "sim/kinematics/freedoms.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Part of a step over which the slope of the volume is taken. */
#define PART 1e-4
/* A volume that has a zero within a step falls at least so far, as a logarithm, where the zero is bracketed to a
   hundredth of the step; and to its place: */
#define FALLS 2.0
#define PLACED 1e-11
/* Golden section. */
#define GOLDEN 0.6180339887498949
/* Below this share of the largest one seen a pivot is weak. */
#define WEAK 0.2
/* Of motions by forces mechanisms up to so many velocities are watched: the volume costs their cube. */
#define SMALL 48
/* Singular positions that a warning names; all are events. */
#define NAMED 1
/* A prescribed motion that has gone on behind a singular position for more than this share of the run has passed it;
   where it ends there, its last steps come this far at most (kinematics.c). */
#define BEHIND 4e-8

typedef struct carom_singular {
    int columns;                /* velocities of the bodies */
    double *rows;               /* all rows, then the independent ones, orthogonal to each other */
    int *row_of;
    bool *none;                 /* no row is redundant, for the names of free motions */
    double *y;                  /* a state of the last step */
    double strongest;           /* pivot seen so far, of motions that nothing prescribes */
    double level;               /* logarithm of the volume where one has become weak */
    double at;                  /* [s] end of the last step that was looked at, */
    double volume, slope;       /* logarithm of the volume there, and how it changed before it */
    double found;               /* [s] time of the last one */
    int passed;                 /* how many */
    const char *held;           /* what is told once a prescribed motion has gone on behind it; NULL: nothing */
} carom_singular;

carom_status carom_singular_create(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    const size_t n = (size_t)(m->body_count * carom_twist_size(m)), rows = (size_t)m->row_count;
    carom_arena *arena = &sim->arena;
    const bool watched = sim->run.kinematic ? n <= CAROM_FREEDOMS_MOST && rows <= CAROM_FREEDOMS_MOST
                                            : n <= SMALL && m->tree.cut_count > 0 && sim->system->formulation->weakest;
    if (!watched)
        return CAROM_OK;
    carom_singular *w = carom_arena_alloc(arena, 1, sizeof *w);
    if (!w)
        return carom_fail_memory(sim->ctx);
    w->columns = (int)n;
    w->found = w->at = -HUGE_VAL;
    sim->weakest_pivot = HUGE_VAL;
    sim->singular = w;
    const bool done = (w->none = carom_arena_alloc(arena, rows, sizeof *w->none)) &&
                      (w->rows = carom_arena_alloc(arena, rows * n, sizeof *w->rows)) &&
                      (w->row_of = carom_arena_alloc(arena, rows, sizeof *w->row_of)) &&
                      (w->y = carom_arena_alloc(arena, carom_sim_vector_room(sim), sizeof *w->y));
    return done ? CAROM_OK : carom_fail_memory(sim->ctx);
}

carom_status carom_singular_motions(carom_simulation *sim, carom_evaluation *d, int mobility, char *text, size_t size)
{
    carom_freedoms found;
    size_t used = 0;
    text[0] = '\0';
    CAROM_TRY(carom_freedoms_find(sim, d, sim->singular->none, (size_t)mobility, &found));
    for (size_t k = 0; k < found.free_count && k < 8 && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", k ? ", " : "", found.free[k]);
    if (found.free_count > 8 && used < size)
        snprintf(text + used, size - used, " and %zu more", found.free_count - 8);
    return CAROM_OK;
}

/* ---- the volume ---- */

/* Poses at a time of the last step, in the simulation's probe. */
static bool pose_at(carom_simulation *sim, double t)
{
    double *y = sim->singular->y;
    if (!carom_step_interpolate(sim, t, y))
        return false;
    carom_system_pose(sim->probe, &sim->s, t, y, y + (sim->s.v - sim->s.q));
    return true;
}

/* Logarithm of the volume of the independent rows at a time of the last step; false: there is no state, or they are not
   those of the start. */
static bool volume(carom_simulation *sim, double t, double *out)
{
    carom_singular *w = sim->singular;
    const size_t n = (size_t)w->columns;
    if (!pose_at(sim, t))
        return false;
    const int rows = carom_freedoms_rows(sim, sim->probe, t, w->rows, w->row_of);
    size_t count = 0;
    *out = 0;
    for (int r = 0; r < rows; r++) {
        if (sim->start.redundant[w->row_of[r]])
            continue;
        double *to = w->rows + count * n;
        memmove(to, w->rows + (size_t)r * n, n * sizeof *to);
        const double left = carom_freedoms_clear(w->rows, n, count, to);
        *out += left > 0 ? log(left) : -HUGE_VAL;
        for (size_t i = 0; i < n && left > 0; i++)
            to[i] /= left;
        count++;
    }
    return count == (size_t)sim->start.rank;
}

/* The least value in [begin, end], by golden section; false where it is no zero. */
static bool find_zero(carom_simulation *sim, double begin, double end, double lower, double *time)
{
    const double whole = end - begin;
    double a = begin, b = end, x[2] = {b - GOLDEN * (b - a), a + GOLDEN * (b - a)}, f[2];
    if (!volume(sim, x[0], &f[0]) || !volume(sim, x[1], &f[1]))
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
        if (!volume(sim, x[low], &f[low]))
            return false;
    }
    return falls;
}

/* ---- the watch ---- */

/* Whether the volume is worth its cost in the last step: from the first weak pivot until the volume is what it was
   there. At the position itself the row that depends on others is left out, and no pivot is weak. */
static bool is_near(carom_simulation *sim)
{
    carom_singular *w = sim->singular;
    if (sim->run.kinematic)
        return carom_freedoms_count(sim) == 0;
    const double pivot = sim->system->formulation->weakest(sim->system);
    w->strongest = fmax(w->strongest, pivot);
    /* long steps may pass a position between their ends */
    const bool weak = fmin(pivot, sim->weakest_pivot) < WEAK * w->strongest, near = sim->near_singular;
    sim->weakest_pivot = HUGE_VAL;
    if (weak && !near)
        w->level = HUGE_VAL;
    sim->near_singular = weak || (near && w->volume < w->level);
    return weak || near;
}

/* The volume at the end of a step, and how it changed there; `volume_before` and `slope` those of its begin. */
static bool look(carom_simulation *sim, double begin, double end, double *volume_before, double *slope)
{
    carom_singular *w = sim->singular;
    const double part = PART * (end - begin);
    double f;
    *volume_before = w->volume;
    *slope = w->slope;
    if (w->at != begin) {
        if (!volume(sim, begin, volume_before) || !volume(sim, begin + part, &f))
            return false;
        *slope = f - *volume_before;
    }
    w->level = w->level == HUGE_VAL ? *volume_before : w->level;
    w->at = -HUGE_VAL;
    if (!volume(sim, end - part, &f) || !volume(sim, end, &w->volume))
        return false;
    w->slope = w->volume - f;
    w->at = end;
    return true;
}

bool carom_singular_passed(carom_simulation *sim, double *end)
{
    carom_singular *w = sim->singular;
    const double begin = *sim->s.time;
    double before, slope, time = 0;
    if (!w || !(*end - begin > 1e-13 * fabs(begin)) || !is_near(sim) || !look(sim, begin, *end, &before, &slope) ||
        !(slope < 0) || !(w->slope > 0) || !find_zero(sim, begin, *end, fmin(before, w->volume), &time))
        return false;
    w->found = time;
    if (sim->run.stops_at_singular)
        *end = time;
    return true;
}

/* Counts the one that was found, and finds the words for the first. */
static carom_status note(carom_simulation *sim)
{
    carom_singular *w = sim->singular;
    const bool stops = sim->run.stops_at_singular, driven = sim->run.kinematic;
    char names[600];
    w->passed++;
    if (sim->muted)
        return CAROM_OK;
    CAROM_TRY(carom_notices_singular(sim, w->found));
    if (stops)
        *sim->s.event_stop = 1 + sim->model->event_count;
    if (w->passed > NAMED || !pose_at(sim, w->found))
        return CAROM_OK;
    CAROM_TRY(carom_singular_motions(sim, sim->probe, carom_freedoms_count(sim) + 1, names, sizeof names));
    const char *come = stops ? "has come to" : "has passed";
    if (driven) {
        w->held = carom_arena_format(&sim->arena,
                                     "t = %.9g s: the mechanism %s a singular position, where its drives leave a "
                                     "motion free: %s%s",
                                     w->found, come, names, stops ? "" : "; it goes on along its branch");
        return w->held ? CAROM_OK : carom_fail_memory(sim->ctx);
    }
    return carom_simulation_warn(sim, CAROM_WARN_SINGULAR,
                                 "t = %.9g s: the mechanism %s a singular position, where its constraints leave one "
                                 "motion more: %s%s",
                                 w->found, come, names,
                                 stops ? ""
                                       : "; small errors may decide on which branch it goes on, so compare with a run "
                                         "at a tenth of the tolerance");
}

carom_status carom_singular_note(carom_simulation *sim, bool found)
{
    carom_singular *w = sim->singular;
    if (found)
        CAROM_TRY(note(sim));
    if (!w || !w->held || (!sim->run.stops_at_singular && !(*sim->s.time - w->found > BEHIND * sim->run.until)))
        return CAROM_OK;
    const char *text = w->held;
    w->held = NULL;
    return carom_simulation_warn(sim, CAROM_WARN_SINGULAR, "%s", text);
}
