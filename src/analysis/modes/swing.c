/* States of a mode, from which it is drawn. */
#include "analysis/modes/modes.h"

#include <math.h>
#include <string.h>

static const double *shape(const carom_analysis *a, const char *name, size_t mode)
{
    for (size_t k = 0; k < a->matrix_count; k++)
        if (strcmp(a->matrices[k].name, name) == 0 && mode < a->matrices[k].columns)
            return a->matrices[k].values + mode * a->matrices[k].rows;
    return NULL;
}

carom_status carom_analysis_mode_state(const carom_analysis *a, size_t mode, double amplitude, double phase,
                                       carom_state *out)
{
    CAROM_NEED_AS(NULL, a, "analysis");
    CAROM_NEED(a->ctx, out);
    const double *re = a->about ? shape(a, "shapes_real", mode) : NULL;
    const double *im = a->about ? shape(a, "shapes_imaginary", mode) : NULL;
    if (!re || !im)
        return carom_fail(a->ctx, CAROM_ERROR_USAGE, NULL, "analysis %s has no mode %zu", a->name, mode + 1);
    if (out->model != a->about->model || out->formulation != a->about->formulation)
        return carom_fail(a->ctx, CAROM_ERROR_USAGE, NULL,
                          "the state of a mode is that of a run of the model with `formulation: cartesian`");
    const double time = *out->time, size = amplitude * a->model->length_scale;
    const carom_formulation *f = a->about->formulation;
    CAROM_TRY(carom_state_assign(out, a->about));
    for (int k = 0; k < out->layout.velocities; k++)
        out->v[k] = size * (re[k] * cos(phase) - im[k] * sin(phase));
    f->retract(a->model, out->v, out->q);
    f->normalise(a->model, out->q);
    memset(out->v, 0, (size_t)out->layout.velocities * sizeof *out->v);
    for (int k = 0; k < a->model->contact_count; k++)
        out->located[k].open = 0; /* what touches would press through the drawn amplitude */
    *out->time = time;
    out->edited = false;
    return CAROM_OK;
}
