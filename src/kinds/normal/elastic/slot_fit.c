/* Power laws Fe = K delta^n fitted to the regions of a slot one by one: inner track, outer track and round ends.
   Source: Autiero et al. 2022, section 4, Table 11.
   Validity: each fit within its own range of forces; at the border of two regions the force jumps. */
#include "kinds/normal/law.h"

#include <math.h>

enum { INNER_STIFFNESS, INNER_EXPONENT, OUTER_STIFFNESS, OUTER_EXPONENT, END_STIFFNESS, END_EXPONENT, END_RADIUS };

static const carom_param_row params[] = {
    {"inner_stiffness", "N/m^n", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL,
     "Stiffness K of the inner track, which is convex."},
    {"inner_exponent", "-", 1, 0, 1.5, 1, HUGE_VAL, "Exponent n there."},
    {"outer_stiffness", "N/m^n", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL,
     "Stiffness K of the outer track, which is hollow, and of straight tracks."},
    {"outer_exponent", "-", 1, 0, 1.5, 1, HUGE_VAL, "Exponent n there."},
    {"end_stiffness", "N/m^n", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL,
     "Stiffness K of the round ends."},
    {"end_exponent", "-", 1, 0, 1.5, 1, HUGE_VAL, "Exponent n there."},
    {"end_radius", "m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL,
     "Radius of the ends: hollows of at most this radius are ends, wider ones the outer track."},
};

/* Radii of decimal numbers differ from their sums by rounding. */
#define SLACK 1e-9

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    const double a = geometry->radius[0], b = geometry->radius[1];
    const double slot = a < 0 || (b > 0 && a > b) ? a : b;
    if (a == 0 || b == 0)
        return "slot-fit needs the radii of pin and slot; a corner has none";
    if (a < 0 && b < 0)
        return "slot-fit is for a pin in a slot: the radius of one of the two is positive";
    const int region = slot < 0 ? -slot <= p[END_RADIUS] * (1 + SLACK) ? END_STIFFNESS : OUTER_STIFFNESS
                       : isinf(slot) ? OUTER_STIFFNESS
                                     : INNER_STIFFNESS;
    c[0] = p[region];
    c[1] = p[region + 1];
    return NULL;
}

static void force(const double *c, const double *history, double delta, carom_elastic_force *out)
{
    (void)history;
    carom_power_force(c[0], c[1], delta, out);
}

const carom_elastic_kind carom_elastic_slot_fit = {
    .kind = {.name = "slot-fit",
             .title = "Power laws fitted to the tracks and ends of a slot, each to its own.",
             .formula = "Fe = K delta^n, K and n of the region of the slot that is touched",
             .source = "Autiero et al. 2022, section 4, Table 11.",
             .validity =
                 "A pin in a slot. The region follows from the sign and size of the radius of the slot where "
                 "it is touched: convex is the inner track, hollow the outer one, narrow and hollow an end. "
                 "With `radii: segments` of the contact a pin that passes from one region to another in "
                 "contact meets the fit of the other there, and the force jumps; else it keeps that of the onset.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .power_law = true,
    .needs = CAROM_NEEDS_RADII,
    .prepare = prepare,
    .force = force,
};
