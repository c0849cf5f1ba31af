/* Contact law of Poursina and Nikravesh (2020): Hertz with a constant damper: F = K delta^1.5 + D rate, D = a(e)
   m^(3/5) K^(2/5) v0^(1/5).
   Source: Poursina and Nikravesh 2020, Multibody Syst. Dyn. 50, 169 (form unverified); a(e) is computed from the
   equation of motion.
   Validity: Give damping or restitution; the form is unverified, a(e) is computed so that a free impact that ends
   at F = 0 returns exactly e. That is release: clamp, the default, or latch-open; with release: raw the contact
   keeps pulling and returns less. The force jumps by D v0 at the onset. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_poursina_nikravesh = {
    .kind = {.name = "poursina-nikravesh",
             .title = "Contact law of Poursina and Nikravesh (2020): Hertz with a constant damper.",
             .formula = "F = K delta^1.5 + D rate, D = a(e) m^(3/5) K^(2/5) v0^(1/5)",
             .source = "Poursina and Nikravesh 2020, Multibody Syst. Dyn. 50, 169 (form unverified); a(e) is "
                       "computed from the equation of motion.",
             .validity = "Give damping or restitution; the form is unverified, a(e) is computed so that a free "
                         "impact that ends at F = 0 returns exactly e. That is release: clamp, the default, or "
                         "latch-open; with release: raw the contact keeps pulling and returns less. The force jumps "
                         "by D v0 at the onset."},
    .elastic = "power",
    .elastic_without_stiffness = "hertz",
    .damping = "poursina-nikravesh",
    .exponent = 1.5,
};
