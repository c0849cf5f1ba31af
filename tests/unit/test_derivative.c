/* Derivatives by differences whose step is looked for, of functions that bend at some distance from 0, jump, are
   rounded more than numbers are, or have no values far from 0; and what is left open where there is no derivative. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "math/derivative.h"

typedef struct function {
    const char *name;
    double (*at)(double x);
    double derivative, error;   /* what is allowed, of the derivative or of 1 */
    double rounded;
    bool open;                  /* there is none */
} function;

static double smooth(double x) { return exp(sin(3 * x)); }
static double film(double x) { return 1 / ((1e-5 + x) * (1e-5 + x)); }
/* As a ball in a bowl: it is pressed by 1e-7 + x^2, along a normal that turns by x. */
static double bowl(double x) { return -3e10 * pow(1e-7 + x * x, 1.5) * x; }
/* As a ball on a ball, which leaves it at 3e-4. */
static double hill(double x) { return x * x < 1e-7 ? 3e10 * pow(1e-7 - x * x, 1.5) * x : 0; }
static double steep(double x) { return tanh(x / 1e-7); }
static double bent(double x) { return x > 0 ? 1 - exp(-x / 1e-3) : exp(x / 1e-3) - 1; }
static double play(double x) { return x > 1e-5 ? x - 1e-5 : x < -1e-5 ? x + 1e-5 : 0; }
static double root(double x) { return x < -1e-6 ? (double)NAN : sqrt(1e-6 + x); }
static double rounded(double x) { return nearbyint((7 + 2 * x) * 1e11) / 1e11; }
static double moved(double x) { return (100 + 1e-6 * x - 100) * 1e6; }
static double flat(double x) { return 5 - x * x * x; }
static double none(double x) { return x > 0 ? sqrt(x) : -sqrt(-x); }
static double jump(double x) { return x > 0 ? 1 : 0; }

static const function functions[] = {
    {"smooth", smooth, 3, 1e-11, 0, false},
    {"film", film, -2e15, 1e-7, 0, false},
    {"bowl", bowl, -0.94868329805051381, 1e-7, 0, false},
    {"hill", hill, 0.94868329805051381, 1e-7, 0, false},
    {"steep", steep, 1e7, 1e-7, 0, false},
    {"bent", bent, 1e3, 1e-6, 0, false},
    {"play", play, 0, 1e-12, 0, false},
    {"no values", root, 500, 1e-7, 0, false},
    {"rounded", rounded, 2, 1e-7, 0, false},
    {"moved", moved, 1, 1e-3, 1e-8, false},
    {"flat", flat, 0, 1e-12, 0, false},
    {"none", none, NAN, 0, 0, true},
    {"jump", jump, NAN, 0, 0, true},
};

typedef struct user {
    const function *f;
    bool missed;
} user;

static bool evaluate(void *to, double x, double *out)
{
    user *u = to;
    out[0] = u->f->at(x);
    return isfinite(out[0]);
}

static void test_functions(void **state)
{
    (void)state;
    for (size_t k = 0; k < CAROM_COUNT(functions); k++) {
        user u = {.f = &functions[k]};
        const double here = u.f->at(0);
        double room[CAROM_DERIVATIVE_ROOM], found = 0, doubt = 0;
        const carom_derivative d = {
            .evaluate = evaluate, .user = &u, .count = 1, .alike = 1, .here = &here, .room = room};
        assert_true(carom_derivative_find(&d, 1e-3, u.f->rounded, 0, &found, &doubt));
        const double off = fabs(found - u.f->derivative) / fmax(fabs(u.f->derivative), 1);
        printf("%-10s %.12g, off by %.1e of %.0e, open by %.1e\n", u.f->name, found, off, u.f->error, doubt);
        if (u.f->open)
            assert_true(doubt > 0.1);
        else
            assert_true(off <= u.f->error && doubt < 1e-3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_functions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
