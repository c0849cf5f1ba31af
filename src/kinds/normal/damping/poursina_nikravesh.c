/* Constant damper with Hertz, separation at F = 0: Fd = D rate, D = a(e) m^(3/5) K^(2/5) v0^(1/5) (Poursina and
   Nikravesh). a(e) is computed: with x in units of v0 T, T = (m/(K sqrt(v0)))^(2/5), the impact is x'' = -x^1.5 - a
   x' from x = 0, x' = 1 until its force is zero, where x' = -e.
   Source: Poursina and Nikravesh 2020, Multibody Syst. Dyn. 50, 169; a(e) from the equation of motion.
   Validity: 0.001 <= e <= 1, Hertz, release at F = 0. Form of the law not compared with the paper. */
#include "kinds/normal/dashpot.h"
#include "kinds/normal/law.h"
#include "math/roots.h"

enum { DAMPING, RESTITUTION };

static const carom_param_row params[] = {
    {"damping", "N s/m", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL,
     "Damping coefficient D; or give restitution."},
    {"restitution", "-", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0.001, 1,
     "Coefficient of restitution e asked for, in place of damping."},
};

/* Taylor series of z = sqrt(x) and v = x' in s, dt = 2 z ds, which makes the equation polynomial: z' = v, v' = -2 (z^4
   + a z v). In units of 1/sqrt(1 + a) the nearest singularity is about 1.3 away, five steps. */
#define ORDER 22
#define STEP 0.25

typedef struct series {
    double z[ORDER + 1], v[ORDER + 1];
} series;

static double product(const double *a, const double *b, int k)
{
    double sum = 0;
    for (int i = 0; i <= k; i++)
        sum += a[i] * b[k - i];
    return sum;
}

/* The series that starts from z, v. */
static void expand(double a, double z, double v, series *out)
{
    double square[ORDER];
    out->z[0] = z;
    out->v[0] = v;
    for (int k = 0; k < ORDER; k++) {
        square[k] = product(out->z, out->z, k);
        out->z[k + 1] = out->v[k] / (k + 1);
        out->v[k + 1] = -2 * (product(square, square, k) + a * product(out->z, out->v, k)) / (k + 1);
    }
}

static double value(const double *coefficients, double s)
{
    double sum = 0;
    for (int k = ORDER; k >= 0; k--)
        sum = sum * s + coefficients[k];
    return sum;
}

/* Force of the impact, x^1.5 + a x'. */
static double force_at(double a, const series *motion, double s)
{
    const double z = value(motion->z, s);
    return z * z * z + a * value(motion->v, s);
}

/* e of a > 0. The speed of the rebound is greatest where the force is zero, so that an error of that place hardly
   counts. */
static double returned(double a)
{
    const double h = STEP / sqrt(1 + a);
    series motion;
    expand(a, 0, 1, &motion);
    for (int k = 0; k < 1000 && (value(motion.v, h) > 0 || force_at(a, &motion, h) > 0); k++)
        expand(a, value(motion.z, h), value(motion.v, h), &motion);
    double low = 0, high = h;
    for (int k = 0; k < 30; k++) {
        const double middle = 0.5 * (low + high);
        if (force_at(a, &motion, middle) > 0)
            low = middle;
        else
            high = middle;
    }
    return -value(motion.v, high);
}

/* a(e), the root of ln e(a) = ln e between 0 and e^(-2/5), to which it tends for e -> 0: regula falsi (Illinois). */
static double coefficient(double e)
{
    if (e >= 1)
        return 0;
    double a = pow(e, -0.4);
    carom_bracket b = {.high = a, .at_low = -log(e), .at_high = log(returned(a) / e)};
    for (int k = 0; k < 60; k++) {
        const double next = carom_bracket_secant(&b);
        const bool done = fabs(next - a) < 1e-13 * next;
        a = next;
        if (done)
            break;
        carom_bracket_take(&b, a, log(returned(a) / e));
    }
    return a;
}

/* c[0] is D as given, c[1] a(e); the one that is not given is zero. */
static const char *prepare(const double *p, double *c)
{
    const bool damping = !isnan(p[DAMPING]), restitution = !isnan(p[RESTITUTION]);
    if (!damping && !restitution)
        return "poursina-nikravesh needs damping or restitution";
    if (damping && restitution)
        return "poursina-nikravesh takes either damping or restitution, not both";
    c[0] = damping ? p[DAMPING] : 0;
    c[1] = restitution ? coefficient(p[RESTITUTION]) : 0;
    return isfinite(c[1]) ? NULL : "the restitution is too small";
}

static const char *fits(bool power_law, double exponent)
{
    return power_law && exponent == 1.5 ? NULL : "it is made for Hertz's exponent n = 1.5; kelvin-voigt takes any n";
}

static void force(const double *c, const carom_damping_input *in, carom_damping_force *out)
{
    double damping = c[0];
    if (c[1] > 0)
        damping = c[1] * pow(in->mass * in->mass * in->mass * in->stiffness * in->stiffness * in->v0, 0.2);
    carom_dashpot_force(damping, 0, in, out);
}

const carom_damping_kind carom_damping_poursina_nikravesh = {
    .kind = {.name = "poursina-nikravesh",
             .title = "Constant damper of Poursina and Nikravesh (2020), made for a restitution.",
             .formula = "Fd = D rate, D = a(e) m^(3/5) K^(2/5) v0^(1/5)",
             .source = "Poursina and Nikravesh 2020, Multibody Syst. Dyn. 50, 169 (form unverified); a(e) is "
                       "computed from the equation of motion.",
             .validity = "unverified: the form of the law was not compared with the paper; a(e) is computed to "
                         "1e-9, so that a free impact that ends at F = 0 returns exactly e >= 0.001 (a = 0.06156, "
                         "0.21968, 0.45173, 0.84970, 1.93862 for 0.9, 0.7, 0.5, 0.3, 0.1). That is tension: clip, "
                         "the default, or cut-off; with tension: allow the contact pulls until delta = 0 and "
                         "returns less.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .takes_restitution = true,
    .uses_mass = true,
    .uses_stiffness = true,
    .prepare = prepare,
    .fits = fits,
    .force = force,
};
