/* Adams: variable-order (1 to 12), variable-step Adams-Moulton in Nordsieck form with fixed-point iteration.
   source: Hindmarsh et al. 2005, ACM Trans. Math. Softw. 31:363-396 (SUNDIALS CVODE).
   Validity: smooth non-stiff motion and impacts. */
#include "integrate/integrator.h"

static carom_status create(carom_context *ctx, const carom_integrator_kind *kind, const carom_ode *ode,
                           carom_integrator **out)
{
    return carom_cvode_create(ctx, kind, ode, false, out);
}

const carom_integrator_kind carom_integrator_adams = {
    .kind = {.name = "adams",
             .title = "Variable-order, variable-step Adams-Moulton method (CVODE).",
             .formula = "y_n - y_(n-1) = h sum beta_k y'_(n-k), order 1 to 12, fixed-point iteration",
             .source = "Hindmarsh et al. 2005, ACM Trans. Math. Softw. 31:363-396 (SUNDIALS CVODE)",
             .validity =
                 "Non-stiff motion between impacts and the impacts themselves. Restarts at order 1 at each event, "
                 "which costs some thirty small steps. No projection: SUNDIALS projects with BDF only."},
    .shortens = true,
    .create = create,
    .destroy = carom_cvode_destroy,
    .restart = carom_cvode_restart,
    .step = carom_cvode_step,
    .interpolate = carom_cvode_interpolate,
};
