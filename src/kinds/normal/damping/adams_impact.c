/* Damper of the function IMPACT: Fd = STEP(delta; 0, 0; d, c) rate = c s^2 (3 - 2s) rate, s = min(delta/d, 1).
   Source: manuals of MSC Adams and Altair MotionSolve, function IMPACT. There the rate is that of the gap, and the
   force is k (x1 - x)^e - STEP(x, x1 - d, cmax, x1, 0) xdot, limited to be positive.
   Validity: any elastic part. */
#include "kinds/normal/law.h"

enum { DAMPING, DEPTH };

static const carom_param_row params[] = {
    {"damping", "N s/m", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Full damping coefficient c, cmax of IMPACT."},
    {"depth", "m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL,
     "Indentation d from which on the damping is full."},
};

static const char *prepare(const double *p, double *c)
{
    c[0] = p[DAMPING];
    c[1] = p[DEPTH];
    return NULL;
}

static void force(const double *c, const carom_damping_input *in, carom_damping_force *out)
{
    const double s = fmax(0, fmin(in->delta / c[1], 1));
    out->d_rate = c[0] * s * s * (3 - 2 * s);
    out->force = out->d_rate * in->rate;
    out->d_delta = 6 * c[0] * s * (1 - s) / c[1] * in->rate;
}

const carom_damping_kind carom_damping_adams_impact = {
    .kind = {.name = "adams-impact",
             .title = "Damper of the function IMPACT of Adams and MotionSolve.",
             .formula = "Fd = c s^2 (3 - 2s) rate, s = min(delta/d, 1)",
             .source = "Manuals of MSC Adams and Altair MotionSolve, function IMPACT(x, xdot, x1, k, e, cmax, d).",
             .validity = "Any elastic part; tension is cut by tension: clip, the default, as IMPACT does. No "
                         "restitution follows from the parameters. The rate of the manuals is that of the gap, of "
                         "opposite sign.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .ignores_v0 = true,
    .prepare = prepare,
    .force = force,
};
