/* Mindlin's tangential spring with history: F = k_t xi within the cone mu_k N, k_t = kappa dFe/d delta,
   kappa = 4 G* / E*, 1/G* = sum (2 - nu)/G, 1/E* = sum (1 - nu^2)/E: k_t = 8 G* a where dFe/d delta = 2 E* a (Hertz).
   Source: Mindlin 1949, J. Appl. Mech. 16, 259; k_t as in public codes of granular media.
   With r = k_t |xi|/(mu_k N), the fraction of the cone, and the slip v:
     xidot = v - max(kdot/k_t, 0) xi - A xi,
     A = alpha(r) max(0, (1 + b) (v.xi)/|xi|^2 - g),    g = Ndot/N - min(kdot/k_t, 0),
   b = r - 1, except that in a cone still short it is held back (|xi| less the cone's reach over a tenth of that at the
   expected depth, or over the slip while the cone grows by its own length): else the law is stiff without bound there.
   alpha = 0 up to r = 0.9 and 1 from r = 1 on. The first term loads the spring, the second keeps its force while it
   stiffens (an increment of force belongs to the radius of the moment), the third slides: r = 1 stays 1 while the slip
   outruns the cone. With V = k_t xi^2/2 and F the force on i, the power F.v - dV/dt is A k_t xi^2 + |kdot| xi^2/2
   inside the cone, never negative; beyond it A is at least (v.xi)(1 - 1/r)/|xi|^2, with which that remains so: no
   history of the normal force draws energy from the spring. Ndot/N is that of the elastic part; kdot/k_t is that of a
   power law with the exponent (dFe/d delta) delta/Fe of the moment, exact for power laws.
   A slip passes the reach l of the cone, mu_k N/k_t, in the time l/|v|, the law's time constant, which goes to zero
   with N. Where that is less than four instants tau the spring is slack: its edge is at L, L^4 = l^4 + max(|v| tau -
   l/4, 0)^4, F = s k_t xi, xidot = s v - ..., s = l/L up to a margin, r = |xi|/L, and L's growth counts, not that of l.
   tau is a share of the expected duration, less where the slip could not get the spring to the edge: L dL/dt < l |v|.
   The force of what slides is mu_k N all the same, and the rates are bounded. F and xidot have the same share of v: the
   power above stays what it was, and nothing is drawn from the spring.
   From the onset at the speeds v_n, v_t the solution is xi = t v_t min(1/n, mu_k v_n/(n kappa v_t)), at r < 1 or r = 1.
   Up to a millionth of the expected indentation its rate is taken, since the coefficients are singular there.
   Validity: elastic contact; partial slip in the ring of the contact area is not resolved. */
#include "kinds/batch.h"
#include "kinds/friction/friction.h"

enum { KINETIC, STIFFNESS_RATIO, DAMPING };
enum { RATIO = CAROM_FRICTION_OWN, TIME };

/* The deflection goes back to the cone with at most this many times the slip. */
#define SWIFTEST 8.0
/* Shares of the expected indentation: below the first the spring follows the solution of the onset, since the relative
   rates of load and stiffness are without bound there; a deflection beyond the cone comes back over the reach of the
   second, while the cone of a shallower contact is shorter. */
#define BEGIN 1e-6
#define PACE 0.1

/* Below this share of the expected indentation the spring of a contact that opens shortens no faster: its rate goes as
   1/delta, where no integrator could follow to the release. The forces are then a share of 3e-5. */
#define RELEASE 1e-3
/* Share of the expected duration within which a spring beyond the cone comes back to it unless the slip does it, since
   the cone also shrinks by the damping part of the normal force, which the evolution does not see. */
#define RETURN 5e-3
/* Share of it that is an instant: a slip that passes the cone within a few of them is not resolved. */
#define SLACK 1e-4
/* Share of the reach up to which the slip of an instant leaves the law as it is, and the least beyond it that counts:
   the fourth power of less is rounding. */
#define RESOLVED 0.25
#define COUNTS 1e-4
/* Pace of a contact whose onset is past [1/expected duration]. */
#define LATER 6
/* Share by which a slack spring that slides is beyond the cone: a slip or a cone that grows does not take it below. */
#define MARGIN 0.1

static const carom_param_row params[] = {
    {"kinetic", "-", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL, "Coefficient of friction mu_k."},
    {"stiffness_ratio", "-", 1, CAROM_PARAM_OPTIONAL | CAROM_PARAM_ABOVE, (double)NAN, 0, HUGE_VAL,
     "Tangential over normal stiffness kappa; default: from the materials, or 0.8235 (nu = 0.3) without them."},
    {"damping", "s", 1, 0, 0, 0, HUGE_VAL,
     "Damping of the spring: adds k_t times this times the slip to its force, within the cone."},
};

/* 4 G* over E*, with G = E/(2 (1 + nu)). */
static double ratio_of(const carom_contact_geometry *g)
{
    double normal = 0, tangential = 0; /* 1/E*, 1/G* [1/Pa] */
    if (!g->has_materials)
        return 2 * (1 - 0.3) / (2 - 0.3);
    for (int side = 0; side < 2; side++) {
        double nu = g->poisson[side];
        normal += (1 - nu * nu) / g->young[side];
        tangential += 2 * (1 + nu) * (2 - nu) / g->young[side];
    }
    return 4 * normal / tangential;
}

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    c[RATIO] = isnan(p[STIFFNESS_RATIO]) ? ratio_of(geometry) : p[STIFFNESS_RATIO];
    c[TIME] = p[DAMPING];
    if (!(c[RATIO] > 0) || isinf(c[RATIO]))
        return "the tangential stiffness does not follow from two rigid materials: give stiffness_ratio";
    return carom_friction_coefficients(p[KINETIC], (double)NAN, c);
}

/* Reach of the cone at an indentation [m], of a linear contact; where that is not known, at a micrometre. */
static double scale(const double *c, double depth)
{
    return (depth > 0 ? depth : 1e-6) * c[CAROM_FRICTION_KINETIC] / c[RATIO];
}

/* The edge of the cone: the spring's length from which on it slides, and that at which its force is on the cone [m];
   growth over the length [1/s]; share of the spring's force and of the slip that is left where the spring is slack. */
typedef struct cone_edge {
    double length, full, growth, share;
} cone_edge;

/* `growth`: of the reach, over it. */
static cone_edge edge_of(const carom_friction_input *in, double reach, double growth)
{
    const double whole = SLACK * in->duration;
    if (!(in->speed * whole > RESOLVED * reach))
        return (cone_edge){reach, reach, growth, 1};
    if (!(reach > 0))
        return (cone_edge){0, 0, growth, 0};
    const double begins = in->delta > 0 ? fmax(in->rate, 0) / in->delta : 0, pace = hypot(begins, LATER / in->duration);
    const double load = pace / (RESOLVED * RESOLVED) * whole * whole * in->speed / reach;
    const double passed = in->speed * whole / sqrt(1 + load), more = passed - RESOLVED * reach;
    if (!(more > COUNTS * reach))
        return (cone_edge){reach, reach, growth, 1};
    const double ratio = reach / more, fourth = ratio * ratio * ratio * ratio;
    const double length = more * sqrt(sqrt(1 + fourth)), slow = 0.5 * load / (1 + load) * (growth + begins);
    const double grows = fourth * growth + (passed * slow - RESOLVED * reach * growth) / more;
    const double share = reach / length * (1 + MARGIN / (1 + fourth));
    return (cone_edge){length, reach / share, grows / (1 + fourth), share};
}

/* What of the relative rates [1/s] hardens the spring, and what lets its cone grow. */
static double hardens(const carom_friction_input *in, double *growth)
{
    *growth = 0;
    if (!(in->elastic > 0 && in->delta > 0))
        return 0;
    const double exponent = in->elastic_slope * in->delta / in->elastic;
    const double relative = in->rate / (in->rate < 0 ? fmax(in->delta, RELEASE * in->depth) : in->delta);
    const double load = exponent * relative, stiffness = load - relative;
    *growth = load - fmin(stiffness, 0);
    return fmax(stiffness, 0);
}

/* What shortens the spring as it slides, over its length [1/s]. */
static double slide(const double *c, const carom_friction_input *in, carom_vec3 xi, const cone_edge *edge)
{
    const double square = carom_v3_dot(xi, xi), length = sqrt(square), over = length - edge->length;
    if (!(square > 0))
        return 0;
    const double r = length < 2 * edge->length ? length / edge->length : 2;
    const bool loaded = in->elastic > 0 && in->delta > 0 && in->speed > 0;
    const double pace = 1 / scale(c, PACE * in->depth) + (loaded ? fmax(in->rate, 0) / (in->delta * in->speed) : 0);
    const double back = fmin(pace * edge->length < 1 ? over * pace : over / edge->length, SWIFTEST);
    const double along = edge->share * carom_v3_dot(in->slip, xi) / square;
    double slides = carom_friction_sliding_share(r) * fmax((1 + back) * along - edge->growth, 0);
    if (length > edge->full)
        slides = fmax(slides, along * (length - edge->full) / length);
    if (over > 0 && in->duration > 0)
        slides = fmax(slides, over / (length * RETURN * in->duration * (1 + in->duration * fmax(along, 0))));
    return slides;
}

/* Share of the slip that deflects a spring from the onset on at constant speeds: 1/n where it sticks, and what keeps it
   on the cone where it slides, the solution of the law for a delta that grows in proportion to time. */
static double onset_share(const double *c, const carom_friction_input *in, double k, double reach)
{
    bool begun = in->elastic > 0 && in->delta > 0;
    double exponent = begun ? in->elastic_slope * in->delta / in->elastic : k > 0 ? 1 : 1.5;
    if (!(in->speed > 0) || (!begun && k > 0 && reach > 0))
        return 1 / exponent;
    double edge =
        begun ? reach * in->rate / in->delta : c[CAROM_FRICTION_KINETIC] * in->rate / (c[RATIO] * exponent);
    return fmin(1 / exponent, edge / in->speed);
}

static void force(const double *c, const carom_friction_input *in, carom_friction_force *out)
{
    carom_vec3 xi = carom_v3_load(in->state);
    double k = c[RATIO] * fmax(in->elastic_slope, 0), cone = c[CAROM_FRICTION_KINETIC] * in->normal, growth;
    const double hardening = hardens(in, &growth);
    const cone_edge edge = k > 0 ? edge_of(in, cone / k, growth) : (cone_edge){.share = 1};
    carom_vec3 pull = carom_v3_scale(k, carom_v3_add_scaled(carom_v3_scale(edge.share, xi), c[TIME], in->slip));
    double size = carom_v3_norm(pull);
    out->force = carom_v3_scale(size > cone ? -cone / size : -1, pull);
    const double shorter = k > 0 ? slide(c, in, xi, &edge) + hardening : 0;
    carom_vec3 rate = carom_v3_add_scaled(carom_v3_scale(edge.share, in->slip), -shorter, xi);
    if (in->rate > 0 && in->depth > 0) {
        double ratio = in->delta / (BEGIN * in->depth), weight = 1 / (1 + ratio * ratio);
        carom_vec3 onset = carom_v3_scale(onset_share(c, in, k, edge.length), in->slip);
        rate = carom_v3_add_scaled(carom_v3_scale(1 - weight, rate), weight, onset);
    }
    carom_friction_store(rate, out->rate);
}

/* Power of delta that the stiffness goes with. */
static double hardening_power(const carom_friction_input *in)
{
    return in->elastic_slope * in->delta / in->elastic - 1;
}

/* Powers this near are one half. */
static bool is_half(double power) { return fabs(power - 0.5) < 1e-9; }

/* Share of the spring's length that is left as the elastic part has hardened since the step's begin; `half`: the power
   is known to be one half. */
static double shortened(const carom_friction_input *in, double h, bool half)
{
    const double before = 1 - in->rate * h / in->delta, power = half ? 0.5 : hardening_power(in);
    const bool hardens = in->rate * h > 0 && in->elastic > 0;
    const double share = half || is_half(power) ? sqrt(before) : power > 0 ? pow(before, power) : 1;
    return !hardens ? 1 : before > 0 ? share : 0;
}

/* A step by return mapping: the spring has shortened to a share of its length, takes up the slip, and slides where it
   is longer than the cone allows. */
static carom_vec3 take_up(const double *c, const carom_friction_input *in, double h, double share, double *state)
{
    const double k = c[RATIO] * in->elastic_slope, cone = c[CAROM_FRICTION_KINETIC] * in->normal;
    const double left = k > 0 ? 1 : 0, reach = left > 0 ? cone / k : 0;
    carom_vec3 xi = carom_v3_add_scaled(carom_v3_scale(share, carom_v3_load(state)), h, in->slip);
    const double square = carom_v3_dot(xi, xi);
    xi = carom_v3_scale(square > reach * reach ? reach / sqrt(square) : left, xi);
    state[0] = xi.x;
    state[1] = xi.y;
    state[2] = xi.z;
    carom_vec3 pull = carom_v3_scale(-left * k, xi);
    if (!(c[TIME] > 0))
        return pull;
    pull = carom_v3_add_scaled(pull, -left * k * c[TIME], in->slip);
    const double size = carom_v3_norm(pull);
    return carom_v3_scale(size > cone ? cone / size : 1, pull);
}

static carom_vec3 advance(const double *c, const carom_friction_input *in, double h, double *state)
{
    return take_up(c, in, h, shortened(in, h, false), state);
}

/* Hertzian contacts have the power one half. */
CAROM_WIDE static void batch(const double *c, double h, carom_batch *b)
{
    double share[CAROM_BATCH];
    int other = 0;
    for (int n = 0; n < CAROM_BATCH; n++) {
        const carom_friction_input in = carom_batch_friction(b, n);
        other |= b->force[n] > 0 && !is_half(hardening_power(&in));
        share[n] = shortened(&in, h, true);
    }
    for (int n = 0; other && n < b->count; n++) {
        const carom_friction_input in = carom_batch_friction(b, n);
        if (b->force[n] > 0)
            share[n] = shortened(&in, h, false);
    }
    CAROM_FRICTION_COLUMNS(3, take_up(c, &in, h, share[n], z))
}

const carom_friction_kind carom_friction_mindlin = {
    .kind = {.name = "mindlin",
             .title = "Mindlin's tangential spring with history, within Coulomb's cone.",
             .formula =
                 "F = k_t xi, at most mu_k N, k_t = kappa dFe/d delta, kappa = 4 G* / E*, 1/G* = (2 - nu_i)/G_i + "
                 "(2 - nu_j)/G_j; xidot = v - max(kdot/k_t, 0) xi - A xi, A = 0 up to 0.9 of the cone and such "
                 "that the force stays on the cone in sliding",
             .source =
                 "Mindlin 1949, J. Appl. Mech. 16, 259; Mindlin and Deresiewicz 1953, J. Appl. Mech. 20, 327; k_t "
                 "as in public codes of granular media.",
             .validity =
                 "Oblique impacts and contacts at rest of elastic bodies: the contact comes back tangentially as it "
                 "does normally. Below 0.9 of the cone it is a spring and nothing creeps; whatever the normal force "
                 "does, it gives back no more energy than it took. A contact slides from its onset if kappa times the "
                 "tangential speed exceeds mu_k times the normal one. For equal materials kappa is 2 (1 - nu)/(2 - "
                 "nu). Partial slip within the contact area is not resolved. Where the elastic part becomes stiffer at "
                 "once (permanent indentation) the spring keeps its force. Sliding has the time constant mu_k N/(k_t "
                 "v): prefer bdf where it lasts. Unverified: the papers were not read; the evolution of xi is this "
                 "program's.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .state = 3,
    .spring = true,
    .prepare = prepare,
    .force = force,
    .update = advance,
    .scale = scale,
    .cone = carom_friction_kinetic_cone,
    .batch = batch,
};
