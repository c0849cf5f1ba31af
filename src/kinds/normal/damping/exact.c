/* Damping factor that returns the restitution asked: A is the root in (0, 1/e) of ln((1 + A)/(1 - A e)) = (1 + e) A,
   the first integral of a free impact, with Fd = Fe A rate/v0.
   Source: Gonthier et al. 2004, Multibody Syst. Dyn. 11, 209; Zhang and Sharf 2009, J. Appl. Mech. 76, 051002; Autiero
   et al. 2022, eqs. (113), (114).
   Validity: 0 < e <= 1, any elastic part; exact for a free direct impact with v0 the velocity at onset. */
#include "kinds/normal/hysteresis.h"
#include "kinds/normal/impact.h"
#include "kinds/normal/law.h"
#include "math/roots.h"

enum { RESTITUTION };

static const carom_param_row params[] = {
    {"restitution", "-", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, 1,
     "Coefficient of restitution e asked for."},
};

/* A as a power series of x = 1 - e; the first term left out is below 1e-17 of the sum for x <= 0.05. */
static double series_near_one(double x)
{
    static const double coefficient[] = {
        3.0 / 2,
        3.0 / 2,
        27.0 / 20,
        6.0 / 5,
        759.0 / 700,
        351.0 / 350,
        6639.0 / 7000,
        1599.0 / 1750,
        192537.0 / 215600,
        190221.0 / 215600,
        10993971.0 / 12512500,
        308346453.0 / 350350000,
        6203405379.0 / 7007000000,
    };
    double sum = 0;
    for (int k = (int)(sizeof coefficient / sizeof coefficient[0]) - 1; k >= 0; k--)
        sum = sum * x + coefficient[k];
    return sum * x;
}

/* A = (1 - s)/e with q = ln s from q = ln(1 + A) - (1 + e) A; for e <= 0.3, where s <= 0.074. Below e = 0.02, s is less
   than the rounding of 1 (it is 4e-21 there). */
static double root_at_low(double e)
{
    if (e < 0.02)
        return 1 / e;
    double q = log1p(1 / e) - (1 + 1 / e), s = exp(q);
    for (int k = 0; k < 20; k++) {
        double a = (1 - s) / e;
        double residual = q - log1p(a) + (1 + e) * a;
        double slope = 1 + s * (1 / (e * (1 + a)) - (1 + e) / e);
        double step = residual / slope;
        q -= step;
        s = exp(q);
        if (fabs(step) < 1e-14)
            break;
    }
    return (1 - s) / e;
}

/* Newton with bracketing on L(u) - L(-e u), L(y) = ln(1 + y) - y, which increases through its root u = A. */
static double root_between(double e)
{
    double low = 0, high = 1 / e;
    double u = 1.5 * (1 - e) * (11 - e) / (1 + 9 * e);
    for (int k = 0; k < 60; k++) {
        double residual = carom_log1p_minus(u) - carom_log1p_minus(-e * u);
        if (residual > 0)
            high = u;
        else
            low = u;
        double slope = u * (e * e / (1 - e * u) - 1 / (1 + u));
        const double next = carom_newton_between(u, residual, slope, low, high);
        double step = fabs(next - u);
        u = next;
        if (step < 1e-16 * u)
            break;
    }
    return u;
}

static double factor(double e)
{
    if (e > 0.95)
        return series_near_one(1 - e);
    return e > 0.3 ? root_between(e) : root_at_low(e);
}

static const char *prepare(const double *p, double *c) { return carom_hysteresis_prepare(factor(p[RESTITUTION]), c); }

const carom_damping_kind carom_damping_exact = {
    .kind = {.name = "exact",
             .aliases = "gonthier-exact",
             .title = "Damping that returns exactly the restitution asked in a free impact.",
             .formula = "Fd = Fe A rate/v0, ln((1 + A)/(1 - A e)) = A (1 + e)",
             .source = "Gonthier et al. 2004, Multibody Syst. Dyn. 11, 209; Zhang and Sharf 2009, J. Appl. Mech. 76, "
                       "051002; Autiero et al. 2022, eqs. (113), "
                       "(114).",
             .validity =
                 "e > 0 and any elastic part; exact for a free direct impact. With d = A e the relation is "
                 "(1 + d/e)/(1 - d) = exp(d(1 + 1/e)); Machado et al. 2012, eq. (40), and Autiero et al. 2022, eq. "
                 "(115), are misprinted.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .takes_restitution = true,
    .returns_what_is_asked = true,
    .factor = factor,
    .ratio = carom_hysteresis_ratio,
    .prepare = prepare,
    .force = carom_hysteresis_force,
};
