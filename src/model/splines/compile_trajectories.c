/* The tables of the model's trajectories, and a word where one goes far beyond its points. */
#include "model/compile.h"

#include <stdio.h>
#include <string.h>

/* Warns of a trajectory that overshoots, in its worst segment. */
static carom_status warn_of_overshoot(carom_compiler *c, const carom_trajectory_def *def,
                                      const carom_via_points *via, const double *table)
{
    const carom_edges curve = {.n = via->n, .x = table, .y = table + via->n};
    carom_overshoot overshoot;
    char owner[100], remedy[160];
    snprintf(owner, sizeof owner, "trajectory '%.80s'", def->name);
    snprintf(remedy, sizeof remedy,
             "give the points between which it shall stay their rates%s, such as `[x, y, 0%s]` where it stands, or "
             "give more points there",
             via->cubic ? "" : " and accelerations", via->cubic ? "" : ", 0");
    return carom_curve_overshoots(&curve, via, &overshoot)
               ? carom_compile_warn_overshoot(c, &def->place, owner, &overshoot, remedy)
               : CAROM_OK;
}

/* Points x and coefficients of all trajectories. */
carom_status carom_compile_trajectories(carom_compiler *c)
{
    const carom_spec *spec = c->spec;
    c->trajectories = carom_arena_alloc(&c->model->arena, spec->trajectory_count, sizeof *c->trajectories);
    if (!c->trajectories)
        return carom_fail_memory(c->ctx);
    for (size_t k = 0; k < spec->trajectory_count; k++) {
        const carom_trajectory_def *s = &spec->trajectories[k];
        const char *fault = !s->x || !s->y ? "x or y is missing"
                                           : carom_trajectory_fault(s->degree, s->ends, s->count, s->x, s->y, s->rates,
                                                                    s->accelerations);
        for (size_t other = 0; other < spec->spline_count && !fault; other++)
            if (strcmp(spec->splines[other].name, s->name) == 0)
                fault = "that is the name of a spline already";
        if (fault)
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, &s->place, "trajectory '%s': %s", s->name, fault);
        double *table = c->trajectories[k] =
            carom_arena_alloc(&c->model->arena, s->count, (7 + CAROM_TRAJECTORY_WORK) * sizeof *table);
        if (!table)
            return carom_fail_memory(c->ctx);
        const carom_via_points via =
            carom_trajectory_points(s->degree, s->ends, s->count, s->x, s->y, s->rates, s->accelerations);
        memcpy(table, s->x, s->count * sizeof *table);
        carom_trajectory_fit(&via, table + s->count, table + 7 * s->count);
        CAROM_TRY(warn_of_overshoot(c, s, &via, table));
    }
    return CAROM_OK;
}
