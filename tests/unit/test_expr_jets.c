/* The expression language: exact derivatives, switches and their times, root functions, splines. */
#include <complex.h>

#include "expr_scope.h"

/* ---- derivatives against formulas differentiated by hand ---- */

#define FORMULA(name, v, r, a)       \
    static carom_jet name(double t)  \
    {                                \
        const double w = 3.7;        \
        (void)w;                     \
        return (carom_jet){v, r, a}; \
    }

FORMULA(f_poly, 3 + t * (2 - t * (1 - 5 * t)), 2 - 2 * t + 15 * t * t, -2 + 30 * t)
FORMULA(f_sin, sin(w *t), w *cos(w *t), -w *w *sin(w *t))
FORMULA(f_tan, tan(0.3 * t), 0.3 / pow(cos(0.3 * t), 2), 0.18 * sin(0.3 * t) / pow(cos(0.3 * t), 3))
FORMULA(f_asin, asin(0.4 * t), 0.4 / sqrt(1 - 0.16 * t * t), 0.064 * t / pow(1 - 0.16 * t * t, 1.5))
FORMULA(f_acos, acos(0.4 * t), -0.4 / sqrt(1 - 0.16 * t * t), -0.064 * t / pow(1 - 0.16 * t * t, 1.5))
FORMULA(f_atan, atan(w *t), w / (1 + w * w * t * t), -2 * w * w * w * t / pow(1 + w * w * t * t, 2))
FORMULA(f_sinh, sinh(w *t), w *cosh(w *t), w *w *sinh(w *t))
FORMULA(f_cosh, cosh(w *t), w *sinh(w *t), w *w *cosh(w *t))
FORMULA(f_tanh, tanh(w *t), w / pow(cosh(w * t), 2), -2 * w * w * sinh(w * t) / pow(cosh(w * t), 3))
FORMULA(f_gauss, exp(-t *t), -2 * t * exp(-t * t), (4 * t * t - 2) * exp(-t * t))
FORMULA(f_log, log(2 + t), 1 / (2 + t), -1 / ((2 + t) * (2 + t)))
FORMULA(f_log10, log10(2 + t), 1 / (2 + t) / log(10.0), -1 / ((2 + t) * (2 + t)) / log(10.0))
FORMULA(f_sqrt, sqrt(2 + t), 0.5 / sqrt(2 + t), -0.25 * pow(2 + t, -1.5))
FORMULA(f_pow32, pow(2 + t, 1.5), 1.5 * sqrt(2 + t), 0.75 / sqrt(2 + t))
FORMULA(f_powc, pow(2 + t, w), w *pow(2 + t, w - 1), w *(w - 1) * pow(2 + t, w - 2))
FORMULA(f_inverse, 1 / (2 + t), -pow(2 + t, -2), 2 * pow(2 + t, -3))
FORMULA(f_minus4, pow(2 + t, -4), -4 * pow(2 + t, -5), 20 * pow(2 + t, -6))
FORMULA(f_seven, pow(t, 7), 7 * pow(t, 6), 42 * pow(t, 5))
FORMULA(f_cpow, pow(w, t), log(w) * pow(w, t), log(w) * log(w) * pow(w, t))
FORMULA(f_tt, pow(2 + t, t), pow(2 + t, t) * (log(2 + t) + t / (2 + t)),
        pow(2 + t, t) * (pow(log(2 + t) + t / (2 + t), 2) + 1 / (2 + t) + 2 / ((2 + t) * (2 + t))))
FORMULA(f_ratio, t / (1 + t * t), (1 - t * t) / pow(1 + t * t, 2), 2 * t * (t * t - 3) / pow(1 + t * t, 3))
FORMULA(f_atan2, atan2(sin(t), cos(t)), 1.0, 0.0)
FORMULA(f_hypot, hypot(t, 2.0), t / sqrt(t * t + 4), 4 * pow(t * t + 4, -1.5))
FORMULA(f_product, t *sin(w *t), sin(w *t) + w * t * cos(w * t), 2 * w * cos(w * t) - w * w * t * sin(w * t))
FORMULA(f_abs, fabs(t), t < 0 ? -1.0 : 1.0, 0.0)
FORMULA(f_square, t *fabs(t), 2 * fabs(t), t < 0 ? -2.0 : 2.0)
FORMULA(f_mod, t - 0.3 * floor(t / 0.3), 1.0, 0.0)
FORMULA(f_floor, floor(4 * t), 0.0, 0.0)
FORMULA(f_max, fmax(t *t, 0.5), t *t > 0.5 ? 2 * t : 0.0, t *t > 0.5 ? 2.0 : 0.0)
#define INSIDE(u, inside, before, after) ((u) < 0 ? (before) : (u) > 1 ? (after) : (inside))
FORMULA(f_step, INSIDE(t / 2, 1 + 0.5 * t * t * (3 - t), 1.0, 3.0), INSIDE(t / 2, 3 * t - 1.5 * t * t, 0, 0),
        INSIDE(t / 2, 3 - 3 * t, 0, 0))
FORMULA(f_step5, INSIDE(t, t *t *t *(10 - 15 * t + 6 * t * t), 0, 1), INSIDE(t, 30 * t * t * (1 - t) * (1 - t), 0, 0),
        INSIDE(t, 60 * t - 180 * t * t + 120 * t * t * t, 0, 0))
FORMULA(f_havsin, INSIDE(t, 2 + 0.5 * (1 - cos(CAROM_PI * t)), 2, 3),
        INSIDE(t, 0.5 * CAROM_PI * sin(CAROM_PI * t), 0, 0),
        INSIDE(t, 0.5 * CAROM_PI * CAROM_PI * cos(CAROM_PI * t), 0, 0))

static const struct {
    const char *text;
    carom_jet (*formula)(double t);
} formulas[] = {
    {"3+2*t-t^2+5*t^3", f_poly},
    {"poly(t,0,3,2,-1,5)", f_poly},
    {"sin(3.7*t)", f_sin},
    {"cos(3.7*t-pi/2)", f_sin},
    {"tan(0.3*t)", f_tan},
    {"asin(0.4*t)", f_asin},
    {"acos(0.4*t)", f_acos},
    {"atan(3.7*t)", f_atan},
    {"sinh(3.7*t)", f_sinh},
    {"cosh(3.7*t)", f_cosh},
    {"tanh(3.7*t)", f_tanh},
    {"exp(-t^2)", f_gauss},
    {"log(2+t)", f_log},
    {"log10(2+t)", f_log10},
    {"sqrt(2+t)", f_sqrt},
    {"(2+t)^0.5", f_sqrt},
    {"(2+t)^1.5", f_pow32},
    {"(2+t)^3.7", f_powc},
    {"1/(2+t)", f_inverse},
    {"(2+t)^-1", f_inverse},
    {"(2+t)^-4", f_minus4},
    {"t^7", f_seven},
    {"3.7^t", f_cpow},
    {"(2+t)^t", f_tt},
    {"pow(2+t,t)", f_tt},
    {"t/(1+t^2)", f_ratio},
    {"atan2(sin(t),cos(t))", f_atan2},
    {"hypot(t,2)", f_hypot},
    {"t*sin(3.7*t)", f_product},
    {"abs(t)", f_abs},
    {"sign(t)*t", f_abs},
    {"max(t,-t)", f_abs},
    {"-min(t,-t)", f_abs},
    {"if(t<0,-t,t)", f_abs},
    {"t*abs(t)", f_square},
    {"if(t>=0,t^2,-t^2)", f_square},
    {"mod(t,0.3)", f_mod},
    {"floor(4*t)", f_floor},
    {"-ceil(-4*t)", f_floor},
    {"max(t^2,0.5)", f_max},
    {"step(t,0,1,2,3)", f_step},
    {"step5(t,0,0,1,1)", f_step5},
    {"havsin(t,0,2,1,3)", f_havsin},
    {"if(not (t<0) and t<=1, t^3*(10-15*t+6*t^2), if(t<0, 0, 1))", f_step5},
};

static void test_derivatives_by_hand(void **state)
{
    (void)state;
    random_state = 11;
    double worst = 0.0;
    for (size_t k = 0; k < CAROM_COUNT(formulas); k++) {
        carom_expr *expr = compile(formulas[k].text);
        for (int i = 0; i < 500; i++) {
            double t = random_between(-1.9, 1.9);
            int switches[16];
            carom_expr_set_switches(expr, t, NULL, switches);
            carom_jet jet = carom_expr_jet(expr, t, switches), want = formulas[k].formula(t);
            double error = scaled_error(jet, want);
            if (!(error <= 1e-13))
                fail_msg("%s at %.17g: %.17g %.17g %.17g, not %.17g %.17g %.17g", formulas[k].text, t, jet.value,
                         jet.rate, jet.acceleration, want.value, want.rate, want.acceleration);
            assert_true(jet.value == carom_expr_value(expr, t, NULL, switches));
            worst = largest(worst, error);
        }
    }
    printf("  %zu formulas x 500 times, worst scaled error %.1e (limit 1e-13)\n", CAROM_COUNT(formulas), worst);
}

/* ---- derivatives of random expressions against complex steps in long double ---- */

typedef struct node {
    int kind;
    double number;
    int left, right;
} node;

/* Text of a node: %L, %R its parts, %N its number. */
static const char *const shapes[] = {"t",
                                     "%N",
                                     "((%L)+(%R))",
                                     "((%L)-(%R))",
                                     "(%L)*(%R)",
                                     "(%L)/(2+sin(%R))",
                                     "sin(%L)",
                                     "cos(%L)",
                                     "exp(sin(%L))",
                                     "tanh(%L)",
                                     "atan(%L)",
                                     "sqrt(1+(%L)^2)",
                                     "log(1.5+(%L)^2)",
                                     "(%L)^3",
                                     "(1+(%L)^2)^1.5",
                                     "(1.2+(%L)^2)^-1.3",
                                     "1.7^sin(%L)",
                                     "(2+sin(%L))^cos(%R)",
                                     "atan2(%L, 2+cos(%R))",
                                     "hypot(%L, 1+(%R)^2)",
                                     "asin(0.9*sin(%L))",
                                     "acos(0.9*sin(%L))",
                                     "sinh(sin(%L))",
                                     "cosh(sin(%L))",
                                     "log10(2+cos(%L))",
                                     "tan(0.7*sin(%L))",
                                     "(%L)^4",
                                     "(2+sin(%L))^-3",
                                     "%N-(%L)",
                                     "%N/(3+cos(%L))",
                                     "poly(%L, 0.3, %R, 1.1, %N)",
                                     "step5(2+sin(%L), 0, %R, 4, %L)",
                                     "havsin(2+sin(%L), 0, %R, 4, %N)",
                                     "step(2+sin(%L), 0, %R, 4, %N)",
                                     "if(1 < 2, %L, %R)",
                                     "abs(3+sin(%L))*(%R)"};

typedef long double complex number;

/* Kinds from 20 on. */
static number composed_value(int kind, long double c, number x, number y)
{
    const long double pi = 3.14159265358979323846264338327950288L;
    number u;
    switch (kind) {
    case 20:
        return casinl((long double)0.9 * csinl(x));
    case 21:
        return cacosl((long double)0.9 * csinl(x));
    case 22:
        return csinhl(csinl(x));
    case 23:
        return ccoshl(csinl(x));
    case 24:
        return clogl(2 + ccosl(x)) / logl(10.0L);
    case 25:
        return ctanl((long double)0.7 * csinl(x));
    case 26:
        return x * x * x * x;
    case 27:
        u = 2 + csinl(x);
        return 1 / (u * u * u);
    case 28:
        return c - x;
    case 29:
        return c / (3 + ccosl(x));
    case 30:
        u = x - (long double)0.3;
        return y + u * ((long double)1.1 + u * c);
    case 31:
        u = (2 + csinl(x)) / 4;
        return y + (x - y) * u * u * u * (10 - 15 * u + 6 * u * u);
    case 32:
        u = (2 + csinl(x)) / 4;
        return y + (c - y) * (1 - ccosl(pi * u)) / 2;
    case 33:
        u = (2 + csinl(x)) / 4;
        return y + (c - y) * u * u * (3 - 2 * u);
    case 34:
        return x;
    default:
        return (3 + csinl(x)) * y;
    }
}

static number node_value(const node *nodes, int k, number t)
{
    const node *n = &nodes[k];
    long double c = n->number;
    number x = n->left >= 0 ? node_value(nodes, n->left, t) : 0;
    number y = n->right >= 0 ? node_value(nodes, n->right, t) : 0;
    switch (n->kind) {
    case 0:
        return t;
    case 1:
        return c;
    case 2:
        return x + y;
    case 3:
        return x - y;
    case 4:
        return x * y;
    case 5:
        return x / (2 + csinl(y));
    case 6:
        return csinl(x);
    case 7:
        return ccosl(x);
    case 8:
        return cexpl(csinl(x));
    case 9:
        return ctanhl(x);
    case 10:
        return catanl(x);
    case 11:
        return csqrtl(1 + x * x);
    case 12:
        return clogl(1.5L + x * x);
    case 13:
        return x * x * x;
    case 14:
        return (1 + x * x) * csqrtl(1 + x * x);
    case 15:
        return cexpl(-(long double)1.3 * clogl((long double)1.2 + x * x));
    case 16:
        return cexpl(csinl(x) * logl((long double)1.7));
    case 17:
        return cexpl(ccosl(y) * clogl(2 + csinl(x)));
    case 18:
        return catanl(x / (2 + ccosl(y)));
    case 19:
        return csqrtl(x * x + (1 + y * y) * (1 + y * y));
    default:
        return composed_value(n->kind, c, x, y);
    }
}

static int grow(node *nodes, int *count, int depth)
{
    int k = (*count)++;
    int kind = depth == 0 ? (random_bits() % 4 == 0) : (int)(random_bits() % CAROM_COUNT(shapes));
    nodes[k] = (node){kind, floor(random_between(-30.0, 30.0)) / 10.0, -1, -1};
    if (strstr(shapes[kind], "%L"))
        nodes[k].left = grow(nodes, count, depth - 1);
    if (strstr(shapes[kind], "%R"))
        nodes[k].right = grow(nodes, count, depth - 1);
    return k;
}

static size_t write_node(const node *nodes, int k, char *text, size_t at, size_t size)
{
    for (const char *s = shapes[nodes[k].kind]; *s && at + 40 < size; s++) {
        if (*s != '%') {
            text[at++] = *s;
            continue;
        }
        s++;
        if (*s == 'N')
            at += (size_t)snprintf(text + at, size - at, "(%.17g)", nodes[k].number);
        else
            at = write_node(nodes, *s == 'L' ? nodes[k].left : nodes[k].right, text, at, size);
    }
    text[at] = '\0';
    return at;
}

static long double step_rate(const node *nodes, long double t)
{
    const long double h = 1e-25L;
    return cimagl(node_value(nodes, 0, t + h * (number)_Complex_I)) / h;
}

static void test_derivatives_of_random_expressions(void **state)
{
    (void)state;
    enum { TREES = 3000 };
    static node nodes[4096];
    static char text[8192];
    static const long double weights[3] = {45.0L, -9.0L, 1.0L};
    random_state = 5;
    double worst = 0.0;
    int used = 0;
    for (int k = 0; k < TREES; k++) {
        int count = 0;
        grow(nodes, &count, 1 + k % 4);
        if (write_node(nodes, 0, text, 0, sizeof text) > 4000)
            continue;
        carom_expr *expr = compile(text);
        int *switches = test_calloc((size_t)carom_expr_switch_count(expr) + 1, sizeof *switches);
        for (int i = 0; i < 4; i++) {
            double t = random_between(-1.5, 1.5);
            const long double h = 2e-5L;
            long double second = 0.0L;
            for (int j = 1; j <= 3; j++)
                second += weights[j - 1] * (step_rate(nodes, t + j * h) - step_rate(nodes, t - j * h)) / (60.0L * h);
            carom_jet want = {(double)creall(node_value(nodes, 0, t)), (double)step_rate(nodes, t), (double)second};
            if (!(fabs(want.value) + fabs(want.rate) + fabs(want.acceleration) < 1e4))
                continue;
            carom_expr_set_switches(expr, t, NULL, switches);
            carom_jet jet = carom_expr_jet(expr, t, switches);
            double error = scaled_error(jet, want);
            if (!(error <= 1e-10))
                fail_msg("%s at %.17g: %.17g %.17g %.17g, not %.17g %.17g %.17g", text, t, jet.value, jet.rate,
                         jet.acceleration, want.value, want.rate, want.acceleration);
            assert_true(jet.value == carom_expr_value(expr, t, NULL, switches));
            worst = largest(worst, error);
            used++;
        }
        test_free(switches);
    }
    assert_true(used > 2 * TREES);
    printf("  %d points of random expressions, worst scaled error %.1e (limit 1e-10)\n", used, worst);
}

static void test_derivatives_where_the_argument_rests(void **state)
{
    (void)state;
    /* the argument is zero and at rest: infinite derivatives of the outer function do not count */
    carom_jet jet = carom_expr_jet(compile("(t^4)^1.5 + sqrt(t^4) + (t^2)^1.25 + asin(1-t^4)"), 0.0, NULL);
    assert_true(jet.value == 0.5 * CAROM_PI && jet.rate == 0.0 && isfinite(jet.acceleration));
    jet = carom_expr_jet(compile("(0*t)^1.5 + 3*t^2"), 0.0, NULL);
    assert_true(jet.value == 0.0 && jet.rate == 0.0 && jet.acceleration == 6.0);
    jet = carom_expr_jet(compile("hypot(3*t, 4*t+t^2)"), 0.0, NULL);
    assert_true(jet.value == 0.0 && jet.rate == 5.0 && fabs(jet.acceleration - 1.6) < 1e-15);
    /* the same bits as C in the same order */
    carom_expr *expr = compile("A*exp(-4.73*(t/td)^2)*sin(pi*t/td)");
    for (int k = 1; k < 40; k++) {
        double t = 0.01 * k, td = 0.4, u = t / td;
        assert_true(carom_expr_value(expr, t, NULL, NULL) == 2.5 * exp(-4.73 * (u * u)) * sin(CAROM_PI * t / td));
    }
}

/* ---- switches and their times ---- */

enum { MOST_BREAKS = 12 };

static const struct {
    const char *text;
    double times[MOST_BREAKS]; /* all in -1 < t < 3 */
    int count;
} breaks[] = {
    {"if(t < 0.3, 1, 2)", {0.3}, 1},
    {"if(2*t > 0.6, 1, 2)", {0.3}, 1},
    {"step(t, 0.1, 0, td, 1)", {0.1, 0.4}, 2},
    {"step5(-t, -0.7, 0, -0.2, 1)", {0.2, 0.7}, 2},
    {"havsin(3*t, 0.3, 1, 0.9, 2)", {0.3 / 3.0, 0.9 / 3.0}, 2},
    {"abs(t-0.5)", {0.5}, 1},
    {"sign(t)", {0.0}, 1},
    {"min(t, 1-t, 0.25)", {0.25, 0.5, 0.75}, 3},
    {"max(1, t)", {1.0}, 1},
    {"floor(2*t)", {-0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5}, 7},
    {"ceil(-t)", {0.0, 1.0, 2.0}, 3},
    {"mod(t, 0.7)", {-0.7, 0.0, 0.7, 1.4, 2.1, 2.8}, 6},
    {"if(mod(t, 2) < 1, 1, -1)", {0.0, 1.0, 2.0}, 3},
    {"abs(mod(t, 1) - 0.5)", {-0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5}, 7},
    {"if(floor(t) == 1, 5, 6)", {0.0, 1.0, 2.0}, 3},
    {"if(t >= 0.2 and t < 0.4, 1, 0)", {0.2, 0.4}, 2},
    {"spline(cam, t)", {0.0, 0.25, 0.5, 1.0, 2.0}, 5},
    {"spline(cam, 1-2*t)", {-0.5, 0.0, 0.25, 0.375, 0.5}, 5},
    {"abs(sign(t-1)*t - 2)", {1.0, 2.0}, 2},
    {"if(t < 1, if(t < 2, t, 0), t-0.5)", {1.0, 2.0}, 2},
    {"2*t + 3", {0.0}, 0},
    {"abs(sin(t))", {0.0}, 0},
};

static void test_break_times_are_exact(void **state)
{
    (void)state;
    for (size_t k = 0; k < CAROM_COUNT(breaks); k++) {
        carom_expr *expr = compile(breaks[k].text);
        int before[16], after[16], inside[16], count = carom_expr_switch_count(expr), found = 0;
        assert_true(count <= 16);
        double t = -0.999;
        for (;;) {
            double next = carom_expr_next_break(expr, t);
            /* between two breaks no switch moves */
            carom_expr_set_switches(expr, t, NULL, before);
            double stop = next < 3.0 ? next : 2.999;
            const double at[3] = {t + 0.01 * (stop - t), 0.5 * (t + stop), nextafter(stop, -9.0)};
            for (int j = 0; j < 3 && carom_expr_root_count(expr) == 0; j++) {
                carom_expr_set_switches(expr, at[j], NULL, inside);
                if (memcmp(before, inside, sizeof *before * (size_t)count) != 0)
                    fail_msg("%s: a switch moves at %.17g between %.17g and %.17g", breaks[k].text, at[j], t, next);
            }
            if (!(next < 2.999))
                break;
            assert_true(next > t);
            if (found >= breaks[k].count || next != breaks[k].times[found])
                fail_msg("%s: break %d at %.17g, not %.17g", breaks[k].text, found, next, breaks[k].times[found]);
            carom_expr_set_switches(expr, next, NULL, after);
            if (memcmp(before, after, sizeof *before * (size_t)count) == 0)
                fail_msg("%s: nothing moves at %.17g", breaks[k].text, next);
            found++;
            t = next;
        }
        if (found != breaks[k].count)
            fail_msg("%s: %d breaks, not %d", breaks[k].text, found, breaks[k].count);
    }
    printf("  break times of %zu expressions to the bit\n", CAROM_COUNT(breaks));
}

/* Long series of breaks against the true sequence, and no lost or doubled stop. */
static void test_periodic_breaks(void **state)
{
    (void)state;
    carom_expr *expr = compile("if(mod(t, 0.1) < 0.03, 1, 0)");
    int switches[4], count = 0;
    double t = -1e-9, worst = 0.0;
    while ((t = carom_expr_next_break(expr, t)) < 1000.0 - 1e-9) {
        double want = count / 2 * 0.1 + (count % 2 ? 0.03 : 0.0);
        worst = largest(worst, fabs(t - want));
        carom_expr_set_switches(expr, t, NULL, switches);
        assert_true(carom_expr_value(expr, t, NULL, switches) == (count % 2 == 0));
        count++;
    }
    assert_int_equal(count, 20000);
    assert_true(worst < 5e-13);
    printf("  20000 periodic breaks, worst error %.1e s (limit 5e-13)\n", worst);
}

static void test_derivatives_at_breaks_are_one_sided(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double t;
        carom_jet before, after;
    } rows[] = {
        {"abs(t-0.5)", 0.5, {0, -1, 0}, {0, 1, 0}},
        {"step(t,0,1,2,3)", 2.0, {3, 0, -3}, {3, 0, 0}},
        {"step5(t,0,0,1,1)", 1.0, {1, 0, 0}, {1, 0, 0}},
        {"step5(t,0,0.1,1,0.3)", 1.0, {0.3, 0, 0}, {0.3, 0, 0}},
        {"havsin(t,0,2,1,3)", 0.0, {2, 0, 0}, {2, 0, 0.5 * CAROM_PI * CAROM_PI}},
        {"mod(t,1)", 2.0, {1, 1, 0}, {0, 1, 0}},
        {"floor(-t)", 1.0, {-1, 0, 0}, {-2, 0, 0}},
        {"ceil(t)", 1.0, {1, 0, 0}, {2, 0, 0}},
        {"if(1-t >= 0, t^2, 7)", 1.0, {1, 2, 2}, {7, 0, 0}},
        {"if(1-t > 0, t^2, 7)", 1.0, {1, 2, 2}, {7, 0, 0}},
        {"max(t, t^2)", 1.0, {1, 1, 0}, {1, 2, 2}},
        {"abs(sin(pi*t)*1e3)", 0.0, {0, -1e3 * CAROM_PI, 0}, {0, 1e3 * CAROM_PI, 0}},
        {"floor(-t^2)", 0.0, {-1, 0, 0}, {-1, 0, 0}},
    };
    double worst = 0.0;
    for (size_t k = 0; k < CAROM_COUNT(rows); k++) {
        carom_expr *expr = compile(rows[k].text);
        int switches[8];
        carom_expr_set_switches(expr, rows[k].t - 1e-9, NULL, switches);
        double error = scaled_error(carom_expr_jet(expr, rows[k].t, switches), rows[k].before);
        carom_expr_set_switches(expr, rows[k].t, NULL, switches);
        error = largest(error, scaled_error(carom_expr_jet(expr, rows[k].t, switches), rows[k].after));
        if (!(error < 1e-14))
            fail_msg("%s at %g: error %g", rows[k].text, rows[k].t, error);
        worst = largest(worst, error);
    }
    carom_expr *expr = compile("step(t, 0, 0.1, 1, 0.3)");
    int after[1] = {2};
    assert_true(carom_expr_value(expr, 5.0, NULL, after) == 0.3);
    printf("  %zu one-sided derivatives, worst scaled error %.1e (limit 1e-14)\n", CAROM_COUNT(rows), worst);
}

static void test_root_functions_tell_the_other_breaks(void **state)
{
    (void)state;
    static const char *const texts[] = {"if(sin(3*t) > 0.5, 1, 0)",
                                        "abs(sin(2*t))",
                                        "floor(4*sin(t))",
                                        "step5(t^2, 0.5, 0, 1, 1)",
                                        "min(sin(t), cos(t))",
                                        "spline(cam, 1+sin(t))",
                                        "mod(t^2, 0.8)",
                                        "if(t^2 < 0.5 or t^3 > 1, 1, 0)",
                                        "sign(exp(t)-2)",
                                        "max(t, t^2, 0.3)",
                                        "if(mod(t,1) < 0.4, abs(sin(5*t)), 0)",
                                        "havsin(cos(t), 0.1, 2, 0.4, 3)",
                                        "floor(3*sin(floor(t)+t^2))"};
    int crossings = 0;
    for (size_t k = 0; k < CAROM_COUNT(texts); k++) {
        carom_expr *expr = compile(texts[k]);
        int n = carom_expr_root_count(expr), old[16], now[16], all = carom_expr_switch_count(expr);
        double out[16];
        assert_true(n > 0 && all <= 16);
        const double dt = 1e-4;
        for (double t = -2.0; t < 2.5; t += dt) {
            carom_expr_set_switches(expr, t, NULL, old);
            carom_expr_roots(expr, t, NULL, old, out);
            for (int j = 0; j < n; j++)
                assert_true(out[j] >= 0.0);
            /* a switch moves exactly when a root function of the frozen branch turns negative or a break passes */
            carom_expr_set_switches(expr, t + dt, NULL, now);
            carom_expr_roots(expr, t + dt, NULL, old, out);
            bool left = carom_expr_next_break(expr, t) <= t + dt;
            for (int j = 0; j < n; j++)
                left = left || out[j] < 0.0;
            bool moved = memcmp(old, now, sizeof *old * (size_t)all) != 0;
            if (moved != left)
                fail_msg("%s at %.17g: moved %d, announced %d", texts[k], t, moved, left);
            crossings += moved;
        }
    }
    assert_true(crossings > 70);
    printf("  %d crossings of root functions (at least 71)\n", crossings);
}

/* ---- splines ---- */

static double spline_error(size_t n)
{
    double x[65] = {0.0}, y[65] = {0.0}, y2[65], work[65], worst = 0.0;
    for (size_t k = 0; k < n; k++) {
        x[k] = CAROM_PI * (double)k / (double)(n - 1);
        y[k] = sin(x[k]);
    }
    carom_spline_fit(n, x, y, y2, work);
    for (size_t k = 0; k < n; k++)
        worst = largest(worst, fabs(y2[k] + y[k]) * CAROM_PI / (double)(n - 1) * CAROM_PI / (double)(n - 1));
    return worst;
}

static void test_splines(void **state)
{
    (void)state;
    const double x[3] = {0.0, 1.0, 2.0}, y[3] = {0.0, 1.0, 0.0};
    double y2[3], work[3], worst = 0.0;
    carom_spline_fit(3, x, y, y2, work);
    assert_true(y2[0] == 0.0 && y2[1] == -3.0 && y2[2] == 0.0);
    double order = log2(spline_error(33) / spline_error(65));
    assert_true(order > 3.9 && order < 4.1);
    /* at a knot both segments agree in value and two derivatives, at the ends too */
    carom_expr *expr = compile("spline(cam, t)");
    for (int k = 0; k < KNOTS; k++) {
        int left = k, right = k + 1;
        carom_jet a = carom_expr_jet(expr, knot_x[k], &left), b = carom_expr_jet(expr, knot_x[k], &right);
        worst = largest(worst, largest(scaled_error(a, b), fabs(a.value - knot_y[k])));
    }
    assert_true(worst < 1e-14);
    int end = KNOTS;
    carom_jet far = carom_expr_jet(expr, 3.0, &end), near = carom_expr_jet(expr, 2.0, &end);
    assert_true(far.rate == near.rate && far.acceleration == 0.0 && fabs(far.value - near.value - near.rate) < 1e-15);
    /* the spline of a spline's argument: by the chain rule */
    carom_expr *chain = compile("spline(cam, 1+0.9*sin(t))");
    for (int k = 0; k < 200; k++) {
        double t = random_between(-3, 3), u = 1 + 0.9 * sin(t), u1 = 0.9 * cos(t), u2 = -0.9 * sin(t);
        int switches[1], inner[1];
        carom_expr_set_switches(chain, t, NULL, switches);
        carom_expr_set_switches(expr, u, NULL, inner);
        carom_jet f = carom_expr_jet(expr, u, inner);
        carom_jet want = {f.value, f.rate * u1, f.rate * u2 + f.acceleration * u1 * u1};
        worst = largest(worst, scaled_error(carom_expr_jet(chain, t, switches), want));
    }
    assert_true(worst < 1e-14);
    printf("  splines: order %.2f (3.9 to 4.1), worst scaled error %.1e (limit 1e-14)\n", order, worst);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_derivatives_by_hand),
        TEST(test_derivatives_of_random_expressions),
        TEST(test_derivatives_where_the_argument_rests),
        TEST(test_break_times_are_exact),
        TEST(test_periodic_breaks),
        TEST(test_derivatives_at_breaks_are_one_sided),
        TEST(test_root_functions_tell_the_other_breaks),
        TEST(test_splines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
