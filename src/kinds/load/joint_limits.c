/* Limits of the coordinate of a joint as compliant stops: what the key `limits` of a joint makes.

   With the coordinate q, and e = q - upper beyond the upper limit, e = lower - q beyond the lower one:
   Q = -(k e + c e') on the upper side and k e + c e' on the lower one, the reaction on the first body, never pulling
   back; stored energy k e^2/2, dissipation (k e + c e' - k e) e' as far as the stop pushes.
   Defaults. k: the energy E that what the joint carries has at the model's speed and over its length makes an
   indentation of DEPTH, 2 E/DEPTH^2, or of a FRACTION of the travel where that is less. A stop that is met with more
   than this k holds so is made stiffer there (sim/named/stops.c). c: 2 zeta sqrt(k m), m the effective mass along the
   coordinate where the stop is met, until then the inertia of what the joint carries, taken rigid at the start; zeta
   that of the restitution of a free impact of the linear spring and dashpot until they would pull:
   restitution = exp(-tan b (pi - 2 b)) with zeta = sin b < 1, exp(-2 zeta/sqrt(zeta^2 - 1) acosh zeta) beyond.
   Source: Goldsmith 1960, Impact, section 4.1 (spring and dashpot); Schwager, Poeschel 2007, Granular Matter 9, 465
   (release where the force is zero), eqs. 19-23; Seth, Sherman, Eastman, Delp 2010, Nonlinear Dynamics 62, 291
   (coordinate limit forces). Valid for any coordinate, over any number of turns. */
#include "kinds/load/load.h"

/* Indentation of the default stiffness [rad], of the model's length for translations [-]; share of the travel. */
#define DEPTH 0.01
#define FRACTION 0.05
/* Restitution of the default damping. */
#define RESTITUTION 0.3

static const carom_param_row parameters[] = {
    {"lower", "m or rad", 1, CAROM_PARAM_OPTIONAL, (double)NAN, -HUGE_VAL, HUGE_VAL,
     "Coordinate at which the lower stop begins; without it there is none."},
    {"upper", "m or rad", 1, CAROM_PARAM_OPTIONAL, (double)NAN, -HUGE_VAL, HUGE_VAL,
     "Coordinate at which the upper stop begins; without it there is none."},
    {"stiffness", "N/m or N m/rad", 1, CAROM_PARAM_OPTIONAL | CAROM_PARAM_ABOVE, (double)NAN, 0, HUGE_VAL,
     "Force or torque per indentation of a stop; without it that which stops what meets it within 0.01 rad, 1/100 of "
     "the model's length, or 1/20 of the travel."},
    {"damping", "N s/m or N m s/rad", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL,
     "Force or torque per rate of the indentation; without it that of the restitution."},
    {"restitution", "-", 1, CAROM_PARAM_OPTIONAL | CAROM_PARAM_ABOVE, (double)NAN, 0, 1,
     "Rate after over rate before a free impact of the mechanism on the stop; without it, and without a damping, 0.3."},
};

enum { LOWER, UPPER, STIFFNESS, DAMPING, RETURNED };

static const char *start(double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension)
{
    (void)i;
    (void)j;
    (void)dimension;
    if (isnan(p[LOWER]) && isnan(p[UPPER]))
        return "limits need 'lower', 'upper' or both";
    if (p[LOWER] >= p[UPPER])
        return "its 'lower' limit must be below the 'upper' one";
    if (!isnan(p[DAMPING]) && !isnan(p[RETURNED]))
        return "'restitution' is what the damping is made from; give one of the two";
    return NULL;
}

/* Restitution of a free impact on a linear spring and dashpot that do not pull. */
static double restitution_of(double zeta)
{
    if (zeta < 1) {
        const double b = asin(zeta);
        return exp(-tan(b) * (CAROM_PI - 2 * b));
    }
    const double root = sqrt(zeta * zeta - 1);
    return root > 1e-6 ? exp(-2 * zeta / root * acosh(zeta)) : exp(-2.0);
}

/* The damping ratio of a restitution, which falls with it, by halving; HALVINGS leave no more than rounding. */
static double ratio_of(double restitution)
{
    enum { HALVINGS = 100 };
    double low = 0, high = 1;
    if (restitution >= 1)
        return 0;
    while (restitution_of(high) > restitution && high < 1e6)
        high *= 2;
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = 0.5 * (low + high);
        if (restitution_of(middle) > restitution)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static carom_load_sized fill(double *p, const carom_load_carried *carried)
{
    carom_load_sized sized = {.damping = isnan(p[DAMPING])};
    if (isnan(p[STIFFNESS])) {
        const double travel = p[UPPER] - p[LOWER], depth = DEPTH * carried->length;
        sized.depth = travel > 0 ? fmin(depth, FRACTION * travel) : depth;
        p[STIFFNESS] = 2 * carried->energy / (sized.depth * sized.depth);
    }
    if (isnan(p[DAMPING])) {
        sized.ratio = ratio_of(isnan(p[RETURNED]) ? RESTITUTION : p[RETURNED]);
        p[DAMPING] = 2 * sized.ratio * sqrt(p[STIFFNESS] * carried->inertia);
    }
    p[RETURNED] = (double)NAN; /* it is in the damping */
    return sized;
}

static double limit(const double *p, int level) { return p[level > 0 ? UPPER : LOWER]; }

static double stiffness(const double *p) { return p[STIFFNESS]; }

static void suit(double *p, double stiffness, double mass, const carom_load_sized *sized)
{
    if (stiffness > 0)
        p[STIFFNESS] = stiffness;
    if (sized->damping && mass > 0)
        p[DAMPING] = 2 * sized->ratio * sqrt(p[STIFFNESS] * mass);
}

static double damped(const carom_load_sized *sized)
{
    const double zeta = sized->ratio, root = sqrt(fabs(1 - zeta * zeta));
    if (!sized->damping)
        return 1;
    if (root < 1e-6)
        return exp(-1.0);
    return exp(-zeta / root * (zeta < 1 ? acos(zeta) : acosh(zeta)));
}

static double duration(const double *p, double mass) { return CAROM_PI * sqrt(mass / p[STIFFNESS]); }

/* Half the travel is the free play of both stops about its middle. */
static carom_characteristic characteristic(const double *p, double *origin)
{
    const bool below = !isnan(p[LOWER]), above = !isnan(p[UPPER]);
    *origin = below && above ? 0.5 * (p[LOWER] + p[UPPER]) : below ? p[LOWER] : p[UPPER];
    return (carom_characteristic){.stiffness = p[STIFFNESS],
                                  .damping = p[DAMPING],
                                  .gap = below && above ? 0.5 * (p[UPPER] - p[LOWER]) : 0,
                                  .side = below && above ? 0 : below ? -1 : 1};
}

static size_t edges(const double *p, const carom_spline_table *curves, int dimension, int which, double *out)
{
    (void)dimension;
    double origin;
    const carom_characteristic c = characteristic(p, &origin);
    return carom_characteristic_edges(&c, curves, which, out);
}

static void apply(const carom_load_input *in, carom_load_output *out)
{
    double origin;
    const carom_characteristic c = characteristic(in->p, &origin);
    *out = (carom_load_output){0};
    const carom_deflection s = carom_load_coordinate(in, origin);
    const carom_characteristic_force f = carom_characteristic_at(&c, in, out, 0, &s);
    carom_load_along_coordinate(in, -f.force, out);
    out->stored = f.stored;
    out->dissipation = f.dissipation;
}

static int level(const double *p, int branch) { return isnan(p[LOWER]) ? branch : branch - 1; }

static double beyond(const double *p, double coordinate, double *energy)
{
    const double e = coordinate > p[UPPER] ? coordinate - p[UPPER] : coordinate < p[LOWER] ? coordinate - p[LOWER] : 0;
    *energy = 0.5 * p[STIFFNESS] * e * e;
    return e;
}

static const carom_load_stops stops = {fill, limit, stiffness, suit, damped, beyond, duration};
static const carom_load_notices notices = {
    "limit", level, {"lower limit met", "upper limit met"}, {"lower limit left", "upper limit left"}};

const carom_load_kind carom_load_joint_limits = {
    .kind =
        {
            .name = "joint-limits",
            .title = "Limits of the coordinate of a joint: a compliant stop at each end.",
            .formula =
                "Q = -(k e + c e'), e = q - upper, beyond the upper limit; Q = k e + c e', e = lower - q, beyond the "
                "lower one; never pulling. Along the joint's coordinate q, the reaction on the first body. Energy: "
                "k e^2/2.",
            .source = "Schwager, Poeschel 2007, Granular Matter 9, 465, eqs. 19-23; Goldsmith 1960, Impact, section "
                      "4.1; Seth, Sherman, Eastman, Delp 2010, Nonlinear Dynamics 62, 291",
            .validity =
                "`on` a joint with a coordinate, or as the key `limits` of that joint. The coordinate is that of the "
                "joint, unwrapped: over any number of turns. Where a stop is met and where it is left are located; one "
                "at which a coordinate lies without moving is not met by its rounding, up to 1e-9 rad or 1e-9 of the "
                "model's length. A "
                "default stiffness that would let in what meets the stop deeper than it is made for is raised there, "
                "for the rest of the run. A restitution becomes a damping with the effective mass along the coordinate "
                "where the stop is met, all constraints kept: loads that act meanwhile, and springs and "
                "contacts of the mechanism that are stiffer than the stop (joints with clearance), are not in it.",
            .params = parameters,
            .param_count = sizeof parameters / sizeof parameters[0],
        },
    .frame_count = 1,
    .on_joint = true,
    .switches = CAROM_CHARACTERISTIC_SWITCHES,
    .edges = edges,
    .start = start,
    .stops = &stops,
    .notices = &notices,
    .apply = apply,
};
