/* The tables of the model's splines, and a word where one goes far beyond its points. */
#include "model/compile.h"

#include <stdio.h>
#include <string.h>

carom_status carom_compile_warn_overshoot(carom_compiler *c, const carom_place *place, const char *owner,
                                          const carom_overshoot *overshoot, const char *remedy)
{
    char text[300], line[500];
    carom_overshoot_text(overshoot, text, sizeof text);
    snprintf(line, sizeof line, "%s: %s; %s", owner, text, remedy);
    return carom_compile_warn_at(c, CAROM_WARN_OVERSHOOT, place, line);
}

/* Warns of a spline that overshoots, in its worst segment. */
static carom_status warn_of_overshoot(carom_compiler *c, const carom_spline_def *s, const carom_edges *spline)
{
    const bool repeats = s->ends && strcmp(s->ends, "periodic") == 0;
    const carom_via_points points = {
        .n = s->count, .x = s->x, .y = s->y, .ends = repeats ? CAROM_ENDS_PERIODIC : CAROM_ENDS_FREE};
    carom_overshoot overshoot;
    char owner[100];
    snprintf(owner, sizeof owner, "spline '%.80s'", s->name);
    return carom_curve_overshoots(spline, &points, &overshoot)
               ? carom_compile_warn_overshoot(c, &s->place, owner, &overshoot,
                                              "write `between: monotone`, which stays between its points, or give more "
                                              "points there")
               : CAROM_OK;
}

/* Tables of all splines: x, y, second derivatives, and the room for the fit, which then holds the integrals. */
carom_status carom_compile_splines(carom_compiler *c)
{
    const carom_spec *spec = c->spec;
    carom_spline_table *curves = c->model->curves =
        carom_arena_alloc(&c->model->arena, spec->spline_count, sizeof *curves);
    if (!curves)
        return carom_fail_memory(c->ctx);
    for (size_t k = 0; k < spec->spline_count; k++) {
        const carom_spline_def *s = &spec->splines[k];
        double *table = carom_arena_alloc(&c->model->arena, s->count, 6 * sizeof *table);
        if (!table)
            return carom_fail_memory(c->ctx);
        double *sums = table + 4 * s->count;
        memcpy(table, s->x, s->count * sizeof *table);
        memcpy(table + s->count, s->y, s->count * sizeof *table);
        if (!carom_spline_fit_ends(s->between, s->ends, s->slopes, s->count, table, table + s->count,
                                   table + 2 * s->count, sums, &curves[k].spline))
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, &s->place,
                              "spline '%s': ends are natural, clamped (2 points or more) or periodic (4 or more), and "
                              "between them it is smooth or monotone",
                              s->name);
        curves[k].sums = sums;
        carom_spline_sums(&curves[k].spline, sums);
        CAROM_TRY(warn_of_overshoot(c, s, &curves[k].spline));
    }
    return CAROM_OK;
}
