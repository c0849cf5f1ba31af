/* BDF: variable-order (1 to 5) backward differentiation with Newton iteration and a dense difference Jacobian.
   source: Hindmarsh et al. 2005, ACM Trans. Math. Softw. 31:363-396 (SUNDIALS CVODE).
   Validity: stiff springs and dampers, long contacts of stiff bodies; may project onto the constraints. */
#include "integrate/integrator.h"

static carom_status create(carom_context *ctx, const carom_integrator_kind *kind, const carom_ode *ode,
                           carom_integrator **out)
{
    return carom_cvode_create(ctx, kind, ode, true, out);
}

const carom_integrator_kind carom_integrator_bdf = {
    .kind = {.name = "bdf",
             .title = "Variable-order backward differentiation with Newton iteration (CVODE), for stiff models.",
             .formula = "sum alpha_k y_(n-k) = h y'_n, order 1 to 5",
             .source = "Hindmarsh et al. 2005, ACM Trans. Math. Softw. 31:363-396 (SUNDIALS CVODE)",
             .validity =
                 "Stiff springs and dampers and long contacts. Needs more steps than adams on smooth motion at tight "
                 "tolerances, and n evaluations for each Jacobian."},
    .stiff = true,
    .projects = true,
    .can_project = true,
    .shortens = true,
    .create = create,
    .destroy = carom_cvode_destroy,
    .restart = carom_cvode_restart,
    .step = carom_cvode_step,
    .interpolate = carom_cvode_interpolate,
};
