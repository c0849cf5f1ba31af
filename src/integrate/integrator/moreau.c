/* Time stepping of Moreau and Jean: contacts are rigid, steps end with impulses; theta rule, order 1, fixed steps.
   source: Moreau 1999, Comput. Methods Appl. Mech. Engrg. 177:329-349; Jean 1999, ibid. 177:235-257; Acary and
   Brogliato 2008, Numerical Methods for Nonsmooth Dynamical Systems, section 10.1. Validity: the rigid limit of a
   model, to be compared with its compliant contacts; impulses and speeds after impacts, no peak forces. */
#include "integrate/integrator.h"

static int make_step(const carom_ode *ode, double t, const double *y, const double *f, double h, double *y_new,
                     double *work)
{
    (void)work;
    return ode->leap(ode->user, t, y, f, h, y_new);
}

const carom_integrator_kind carom_integrator_moreau = {
    .kind = {.name = "moreau",
             .aliases = "moreau-jean",
             .title = "Time stepping of Moreau and Jean with rigid contacts: impulses in place of contact forces.",
             .formula = "M (v' - v) = h ((1 - theta) f + theta f') + H p, q' = q + h ((1 - theta) v + theta v'); "
                        "0 <= u_N' + e u_N perpendicular to p_N >= 0 where the gap at q + h v/2 is closed, Coulomb's "
                        "cone for u_T' and p_T",
             .source = "Moreau 1999, Comput. Methods Appl. Mech. Engrg. 177:329-349; Jean 1999, ibid. 177:235-257; "
                       "Acary and Brogliato 2008, section 10.1",
             .validity =
                 "The rigid limit of a model, as a judge of its compliant contacts: `carom compare MODEL --vary "
                 "integrator=auto,moreau`. The restitution of an impact is that which its law has in a free impact at "
                 "its speed and effective mass, friction is Coulomb's with the coefficients of its law. Impulses and "
                 "speeds after impacts are found, peak forces, durations and indentations are not; rolling resistance "
                 "and adhesion are left out. Order 1 in `step`, 1/10000 of the run unless given; contact sets are "
                 "contacts of each pair."},
    .fixed_step = true,
    .rigid = true,
    .stiff = true,
    .order = 1,
    .can_project = true,
    .method = make_step,
    .create = carom_fixed_create,
    .destroy = carom_fixed_destroy,
    .restart = carom_fixed_restart,
    .step = carom_fixed_step,
    .interpolate = carom_fixed_interpolate,
};
