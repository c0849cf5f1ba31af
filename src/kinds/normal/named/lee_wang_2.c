/* Contact law of Lee and Wang (1983), second function: F = K delta + 2 zeta sqrt(K m) T2(delta) rate, T2 =
   exp(2q(delta - eps)/eps) below eps, 1 above.
   Source: Lee and Wang 1983, J. Mech. Transm. Autom. Des. 105, 534; Autiero et al. 2022, eqs. (40)-(45).
   Validity: eps at most the greatest indentation; q of 2, 3 or 4. Softens the jump of the linear damper at the
   onset to exp(-2q) of it: 1.8 %, 0.25 %, 0.034 %. The damping that is missing below eps makes it return more than
   asked. The condition of no tension, eq. (43), cannot hold at the end of the rebound: release: clamp, the default,
   enforces it. Misprint: eq. (41) prints the rate where the unit step of delta is meant. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_lee_wang_2 = {
    .kind = {.name = "lee-wang-2",
             .aliases = "lee-wang2",
             .title = "Contact law of Lee and Wang (1983), second function.",
             .formula = "F = K delta + 2 zeta sqrt(K m) T2(delta) rate, T2 = exp(2q(delta - eps)/eps) below eps, 1 "
                        "above",
             .source = "Lee and Wang 1983, J. Mech. Transm. Autom. Des. 105, 534; Autiero et al. 2022, eqs. "
                       "(40)-(45).",
             .validity = "eps at most the greatest indentation; q of 2, 3 or 4. Softens the jump of the linear "
                         "damper at the onset to exp(-2q) of it: 1.8 %, 0.25 %, 0.034 %. The damping that is missing "
                         "below eps makes it return more than asked: with q = 3 and eps a tenth of v0 sqrt(m/K) "
                         "0.573 for 0.5, with a third of it 0.675. The condition of no tension, eq. (43), cannot "
                         "hold at the end of the rebound: release: clamp, the default, enforces it. Misprint: eq. "
                         "(41) prints the rate where the unit step of delta is meant."},
    .elastic = "hooke",
    .damping = "lee-wang-2",
    .exponent = 1,
};
