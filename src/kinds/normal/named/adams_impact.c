/* The function IMPACT of Adams and MotionSolve: power law and a damper that grows with the indentation: F = K
   delta^n + D s^2 (3 - 2s) rate, s = min(delta/depth, 1).
   Source: Manuals of MSC Adams and Altair MotionSolve, function IMPACT(x, xdot, x1, k, e, cmax, d).
   Validity: damping is cmax, depth is d, exponent is e of IMPACT, whose rate is that of the gap, of opposite sign;
   the manuals ask for the exponent, 1.5 is used where none is given. No restitution follows from the parameters: it
   falls as the impact passes depth. Tension is cut there as by release: clamp, the default. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_adams_impact = {
    .kind = {.name = "adams-impact",
             .title = "The function IMPACT of Adams and MotionSolve: power law and a damper that grows with the "
                      "indentation.",
             .formula = "F = K delta^n + D s^2 (3 - 2s) rate, s = min(delta/depth, 1)",
             .source = "Manuals of MSC Adams and Altair MotionSolve, function IMPACT(x, xdot, x1, k, e, cmax, d).",
             .validity = "damping is cmax, depth is d, exponent is e of IMPACT, whose rate is that of the gap, of "
                         "opposite sign; the manuals ask for the exponent, 1.5 is used where none is given. No "
                         "restitution follows from the parameters: it falls as the impact passes depth. Tension is "
                         "cut there as by release: clamp, the default."},
    .elastic = "power",
    .elastic_without_stiffness = "hertz",
    .damping = "adams-impact",
    .exponent = 1.5,
};
