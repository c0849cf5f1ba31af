/* Contact law of Anagnostopoulos (1988): linear spring, linear damper made for a restitution: F = K delta + 2 zeta
   sqrt(K m) rate, zeta = -ln e/sqrt(pi^2 + ln^2 e).
   Source: Anagnostopoulos 1988, Earthq. Eng. Struct. Dyn. 16, 443; Alves et al., table 1.
   Validity: Returns e exactly with release: raw, where the force pulls before the end. With release: clamp, the
   default, more: 0.550 for 0.5, 0.253 for 0.1, 0.135 for 0. Misprint: Alves et al., table 1, multiplies the damping
   by delta, which is unsound in its units. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_anagnostopoulos = {
    .kind = {.name = "anagnostopoulos",
             .title = "Contact law of Anagnostopoulos (1988): linear spring, linear damper made for a restitution.",
             .formula = "F = K delta + 2 zeta sqrt(K m) rate, zeta = -ln e/sqrt(pi^2 + ln^2 e)",
             .source = "Anagnostopoulos 1988, Earthq. Eng. Struct. Dyn. 16, 443; Alves et al., table 1.",
             .validity = "Returns e exactly with release: raw, where the force pulls before the end. With release: "
                         "clamp, the default, more: 0.550 for 0.5, 0.253 for 0.1, 0.135 for 0. Misprint: Alves et "
                         "al., table 1, multiplies the damping by delta, which is unsound in its units."},
    .elastic = "hooke",
    .damping = "anagnostopoulos",
    .exponent = 1,
};
