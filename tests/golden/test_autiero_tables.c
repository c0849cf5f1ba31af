/* Autiero et al. 2022, Tables 2-9 and 11: the power laws K delta^n they fitted to laws of line contact, fitted again
   and printed beside theirs. The settings are not in the paper; they follow from the numbers: L = 1 mm, a uniform grid
   of forces up to 1000 N a mm, least squares of the force, largest error above 1 um, steel 207 GPa/0.3, aluminium 70
   GPa/0.33. Radzimovsky with radii in the contact width, Goldsmith with L^m = 1e8 (mm, N) inside the logarithm and L =
   1 mm before it, ESDU 78035 without the pi of h. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "law/fit.h"
#include "kinds/normal/law.h"
#include "kinds/normal/line.h"

#define ROWS 6
#define POINTS 10000

enum { STEEL, ALUMINIUM };

static const double differences[ROWS] = {0.5, 5, 10, 30, 60, 80}; /* [mm] */

typedef struct paper_table {
    int number;
    const char *law, *material;
    const carom_elastic_kind *kind;
    double params[2];           /* compiled, of `kind` */
    double length;              /* [m] */
    double stiffness[ROWS];     /* [N/mm^n] as printed */
    double exponent[ROWS];
    double error[ROWS];         /* [%] */
    unsigned wrong_stiffness, wrong_exponent; /* rows that are misprints */
} paper_table;

#define RADII {1}
#define PRINTED {1}
/* length 100 mm and the exponent 5 make B = L^4/(R h) = 1e8/(R h) in mm and N, for a length of 1 mm */
#define GOLDSMITH {0, 5}

static const paper_table tables[] = {
    {2, "radzimovsky", "steel", &carom_elastic_radzimovsky, RADII, 1e-3,
     {1.04e5, 6.24e4, 5.55e4, 4.72e4, 4.32e4, 4.17e4}, {1.162, 1.118, 1.109, 1.097, 1.091, 1.089},
     {6.1, 4.1, 3.8, 3.2, 3.0, 2.9}, 0, 0},
    {3, "radzimovsky", "aluminium", &carom_elastic_radzimovsky, RADII, 1e-3,
     {41308, 22979, 20228, 16993, 15434, 14867}, {1.195, 1.135, 1.123, 1.108, 1.100, 1.098},
     {14.6, 9.0, 8.0, 6.7, 6.1, 5.8}, 0, 0},
    /* misprint: K(10) = 6.54e4 for 6.56e4 */
    {4, "johnson", "steel", &carom_elastic_johnson, {0}, 1e-3,
     {1.42e5, 7.53e4, 6.54e4, 5.44e4, 4.91e4, 4.72e4}, {1.192, 1.133, 1.122, 1.107, 1.100, 1.097},
     {7.4, 4.8, 4.3, 3.7, 3.4, 3.2}, 1 << 2, 0},
    /* misprint: n(80) = 1.083 for 1.108; n(60) = 1.111 for 1.1118 is truncated as are 1.195 and 1.100 of Table 3 */
    {5, "johnson", "aluminium", &carom_elastic_johnson, {0}, 1e-3,
     {60628, 28324, 24286, 19782, 17703, 16962}, {1.242, 1.155, 1.140, 1.121, 1.111, 1.083},
     {18.9, 10.9, 9.5, 7.8, 7.0, 6.7}, 0, 1 << 5},
    {6, "goldsmith", "steel", &carom_elastic_goldsmith, GOLDSMITH, 0.1,
     {2.86e4, 2.39e4, 2.27e4, 2.09e4, 1.94e4, 1.84e4}, {1.066, 1.057, 1.055, 1.051, 1.048, 1.046},
     {2.0, 1.6, 1.5, 1.4, 1.3, 1.2}, 0, 0},
    {7, "goldsmith", "aluminium", &carom_elastic_goldsmith, GOLDSMITH, 0.1,
     {10032, 8354, 7933, 7273, 6752, 6394}, {1.071, 1.061, 1.058, 1.054, 1.050, 1.048},
     {3.7, 2.9, 2.8, 2.5, 2.3, 2.1}, 0, 0},
    /* misprint: every K ten times too small */
    {8, "esdu-78035", "steel", &carom_elastic_esdu_78035, PRINTED, 1e-3,
     {2.84e3, 1.77e3, 1.59e3, 1.36e3, 1.25e3, 1.21e3}, {1.165, 1.119, 1.110, 1.098, 1.092, 1.090},
     {12.2, 8.0, 7.2, 6.1, 5.6, 5.4}, 0x3f, 0},
    /* misprint: the exponents are those of Table 8 */
    {9, "esdu-78035", "aluminium", &carom_elastic_esdu_78035, PRINTED, 1e-3,
     {10868, 6395, 5691, 4849, 4437, 4286}, {1.165, 1.119, 1.110, 1.098, 1.092, 1.090},
     {23.6, 14.4, 12.8, 10.7, 9.6, 9.3}, 0, 0x3f},
};

static carom_contact_geometry geometry_of(int material, double hollow, double pin, double length)
{
    const double young = material == STEEL ? 207e9 : 70e9, poisson = material == STEEL ? 0.3 : 0.33;
    return (carom_contact_geometry){.has_materials = true,
                                    .young = {young, young},
                                    .poisson = {poisson, poisson},
                                    .radius = {hollow, pin},
                                    .length = length,
                                    .dimension = 2};
}

typedef struct fitted {
    double stiffness, exponent, error; /* [N/mm^n] a mm of length, [-], [%] */
} fitted;

static fitted fit(const carom_elastic_kind *kind, const double *params, const carom_contact_geometry *geometry)
{
    double c[CAROM_LAW_CONSTANTS];
    const double lengths = geometry->length / 1e-3;
    const carom_power_fit_range range = {1000 * lengths, POINTS, 1e-6};
    carom_power_fit out;
    assert_null(CAROM_KIND_CALL(kind, prepare, params, geometry, c));
    assert_null(carom_power_fit_make(kind, c, &range, &out));
    return (fitted){out.stiffness * pow(1e-3, out.exponent) / lengths, out.exponent, 100 * out.largest_error};
}

/* Is `ours` what the tables print as `theirs`? Steel: three digits, rounded; aluminium: truncated to integers. */
static bool stiffness_agrees(const paper_table *t, double ours, double theirs)
{
    if (strcmp(t->material, "steel") != 0)
        return ours >= theirs && ours < theirs + 1;
    return fabs(ours - theirs) <= 0.5 * pow(10, floor(log10(theirs)) - 2);
}

/* Steel rounded, aluminium in part rounded, in part truncated. */
static bool exponent_agrees(const paper_table *t, double ours, double theirs)
{
    return fabs(ours - theirs) <= (strcmp(t->material, "steel") == 0 ? 0.5e-3 : 1e-3);
}

static void check_row(const paper_table *t, int row)
{
    const int material = strcmp(t->material, "steel") == 0 ? STEEL : ALUMINIUM;
    /* Goldsmith's law depends on R_i as well: 100 mm */
    const carom_contact_geometry g = geometry_of(material, -0.1, 0.1 - 1e-3 * differences[row], t->length);
    const fitted f = fit(t->kind, t->params, &g);
    const bool k_wrong = t->wrong_stiffness >> row & 1, n_wrong = t->wrong_exponent >> row & 1;
    printf("%7.1f %10.0f %10.1f %s %7.3f %9.5f %s %6.1f %7.2f\n", differences[row], t->stiffness[row], f.stiffness,
           k_wrong ? "!" : " ", t->exponent[row], f.exponent, n_wrong ? "!" : " ", t->error[row], f.error);
    assert_int_equal(stiffness_agrees(t, f.stiffness, t->stiffness[row]), !k_wrong);
    assert_int_equal(exponent_agrees(t, f.exponent, t->exponent[row]), !n_wrong);
    /* in part truncated; at the grid's first point above 1 um, unknown, ours at 1 um: 3 % further it is 0.1 to 0.2
       less */
    assert_true(f.error - t->error[row] > -0.06 && f.error - t->error[row] < 0.16);
    if (t->number == 8)
        assert_true(stiffness_agrees(t, f.stiffness, 10 * t->stiffness[row]));
}

static void test_tables(void **state)
{
    (void)state;
    for (size_t k = 0; k < CAROM_COUNT(tables); k++) {
        const paper_table *t = &tables[k];
        printf("Table %d, %s, %s (! a misprint)\n  dR mm    K paper     K ours   n paper    n ours    err %%    ours\n",
               t->number, t->law, t->material);
        for (int row = 0; row < ROWS; row++)
            check_row(t, row);
    }
}

/* The part `autiero-fit` holds the tables: printed as they are, corrected within their digits of ours. */
static void test_part(void **state)
{
    (void)state;
    static const char *const words[] = {"radzimovsky", "johnson", "goldsmith", "esdu-78035"};
    double worst = 0;
    for (size_t k = 0; k < CAROM_COUNT(tables); k++)
        for (int row = 0; row < ROWS; row++) {
            const paper_table *t = &tables[k];
            const int material = strcmp(t->material, "steel") == 0 ? STEEL : ALUMINIUM;
            double law = 0, c[CAROM_LAW_CONSTANTS];
            while (strcmp(words[(int)law], t->law) != 0)
                law++;
            double p[4] = {law, material, 1, (double)NAN};
            const carom_contact_geometry g = geometry_of(material, -0.1, 0.1 - 1e-3 * differences[row], 2e-3);
            assert_null(carom_elastic_autiero_fit.prepare(p, &g, c));
            /* at 10 um: 2 mm of length, K (delta/mm)^n */
            carom_elastic_force f;
            carom_elastic_autiero_fit.force(c, NULL, 1e-5, &f);
            const double expected = 2 * t->stiffness[row] * pow(0.01, t->exponent[row]);
            worst = fmax(worst, fabs(f.force / expected - 1));
            assert_true(fabs(c[1] - t->exponent[row]) < 1e-12);
            p[2] = 0;
            assert_null(carom_elastic_autiero_fit.prepare(p, &g, c));
            const carom_contact_geometry law_geometry = geometry_of(material, g.radius[0], g.radius[1], t->length);
            const fitted ours = fit(t->kind, t->params, &law_geometry);
            const double stiffness = c[0] / 2 * pow(1e-3, c[1]);
            assert_true(exponent_agrees(t, ours.exponent, c[1]));
            assert_true(fabs(stiffness / ours.stiffness - 1) < 5e-3);
            p[3] = 1e-3 * differences[row];
            double given[CAROM_LAW_CONSTANTS];
            assert_null(carom_elastic_autiero_fit.prepare(p, &g, given));
            assert_true(fabs(given[0] / c[0] - 1) < 1e-9 && fabs(given[1] - c[1]) < 1e-9);
        }
    printf("autiero-fit, printed, against K (delta/mm)^n: %.2g\n", worst);
    assert_true(worst < 1e-9); /* dR of two radii rounds by 1e-13 */
}

/* Between the rows K and n are those of the nearest rows at the ends, monotonic, linear in ln dR; outside it
   refuses. */
static void test_interpolation(void **state)
{
    (void)state;
    const carom_contact_geometry g = geometry_of(STEEL, -0.1, 0.09, 1e-3);
    double p[4] = {1, STEEL, 0, 5e-3}, a[CAROM_LAW_CONSTANTS], b[CAROM_LAW_CONSTANTS], c[CAROM_LAW_CONSTANTS];
    assert_null(carom_elastic_autiero_fit.prepare(p, &g, a));
    p[3] = 10e-3;
    assert_null(carom_elastic_autiero_fit.prepare(p, &g, b));
    p[3] = sqrt(5e-3 * 10e-3);
    assert_null(carom_elastic_autiero_fit.prepare(p, &g, c));
    assert_true(fabs(c[1] - (a[1] + b[1]) / 2) < 1e-14);
    assert_true(fabs(c[0] / sqrt(a[0] * b[0]) - 1) < 1e-12);
    double before = HUGE_VAL;
    for (double d = 0.5e-3; d <= 80e-3; d *= 1.01) {
        p[3] = d;
        assert_null(carom_elastic_autiero_fit.prepare(p, &g, c));
        carom_elastic_force f;
        carom_elastic_autiero_fit.force(c, NULL, 1e-5, &f);
        assert_true(f.force < before && f.slope > 0 && f.energy > 0);
        before = f.force;
    }
    static const double outside[] = {0.499e-3, 80.1e-3, HUGE_VAL};
    for (size_t k = 0; k < CAROM_COUNT(outside); k++) {
        p[3] = outside[k];
        assert_non_null(carom_elastic_autiero_fit.prepare(p, &g, c));
    }
    /* external contact: any fit but that of ESDU, whose clearance may be given all the same */
    const carom_contact_geometry outer = geometry_of(STEEL, 0.052, 0.0079, 1e-3);
    p[3] = (double)NAN;
    assert_null(carom_elastic_autiero_fit.prepare(p, &outer, c));
    p[0] = 3;
    assert_non_null(carom_elastic_autiero_fit.prepare(p, &outer, c));
    p[3] = 44.5e-3;
    assert_null(carom_elastic_autiero_fit.prepare(p, &outer, c));
    carom_contact_geometry none = g;
    none.length = 0;
    assert_non_null(carom_elastic_autiero_fit.prepare(p, &none, c));
}

/* ---- Table 11 ---- */

typedef struct slot_row {
    const char *name;
    double hollow, pin;         /* [mm] */
    double pin_used;            /* with which the row was computed */
    double stiffness[4], exponent[4];
} slot_row;

static const slot_row slot_rows[] = {
    {"Ri/Rp", 52, 7.9, 7.5, {4.321e4, 4.914e4, 1.717e4, 1.300e4}, {1.09, 1.10, 1.04, 1.09}},
    {"Ro/Rp", -68, 7.9, 7.9, {4.315e4, 4.907e4, 1.743e4, 1.254e4}, {1.09, 1.10, 1.04, 1.09}},
    {"Rc/Rp", -8, 7.9, 7.9, {1.846e5, 3.147e5, 2.221e4, 4.786e4}, {1.22, 1.28, 1.05, 1.22}},
};

static fitted fit_slot(size_t law, double first, double pin)
{
    const paper_table *t = &tables[2 * law];
    /* ESDU: the paper takes R_i - R_p for the external contact, too */
    if (law == 3)
        first = -fabs(first);
    const carom_contact_geometry g = geometry_of(STEEL, 1e-3 * first, 1e-3 * pin, t->length);
    return fit(t->kind, t->params, &g);
}

static void test_slot(void **state)
{
    (void)state;
    printf("Table 11      law           K paper   Rp = 7.9   as computed  n paper   ours\n");
    for (size_t r = 0; r < CAROM_COUNT(slot_rows); r++)
        for (size_t law = 0; law < 4; law++) {
            const slot_row *row = &slot_rows[r];
            const fitted stated = fit_slot(law, row->hollow, row->pin),
                         used = fit_slot(law, row->hollow, row->pin_used);
            const double k = row->stiffness[law], unit = pow(10, floor(log10(k)) - 3);
            printf("%-10s %-14s %10.0f %10.1f %10.1f %9.2f %9.4f\n", row->name, tables[2 * law].law, k,
                   stated.stiffness, used.stiffness, row->exponent[law], used.exponent);
            /* printed with four digits; n with two decimals */
            assert_true(fabs(used.stiffness - k) <= 0.51 * unit);
            assert_true(fabs(used.exponent - row->exponent[law]) <= 0.006);
            /* the row R_i/R_p does not belong to the 7.9 mm of Table 10 but to 7.5 mm */
            assert_int_equal(fabs(stated.stiffness - k) <= 0.51 * unit, r != 0);
        }
    /* Lankarani and Nikravesh: 4/3 E* sqrt(R), which is 3.183 times the printed column */
    static const double lankarani[] = {1.220e5, 1.424e5, 1.198e6};
    for (size_t r = 0; r < CAROM_COUNT(slot_rows); r++) {
        const carom_contact_geometry g =
            geometry_of(STEEL, 1e-3 * slot_rows[r].hollow, 1e-3 * slot_rows[r].pin_used, 1e-3);
        double c[CAROM_LAW_CONSTANTS];
        assert_null(carom_elastic_hertz.prepare(NULL, &g, c));
        const double k = c[0] * pow(1e-3, 1.5);
        printf("%-10s %-14s %10.0f %21.0f      times %.4f\n", slot_rows[r].name, "lankarani", lankarani[r], k,
               k / lankarani[r]);
        assert_true(fabs(k / lankarani[r] - 3.183) < 0.003);
    }
}

/* ---- the fit itself ---- */

/* A power law comes back; the sum of squares of a line law, from its own formula without any inversion, has its least
   value there. */
static void test_fit(void **state)
{
    (void)state;
    static const double exponents[] = {1, 1.04, 1.5, 2.2, 3};
    double worst = 0;
    const carom_contact_geometry none = {.dimension = 3};
    for (size_t k = 0; k < CAROM_COUNT(exponents); k++) {
        const double p[2] = {3.7e9, exponents[k]};
        double c[CAROM_LAW_CONSTANTS];
        carom_power_fit f;
        assert_null(carom_elastic_power.prepare(p, &none, c));
        assert_null(carom_power_fit_make(&carom_elastic_power, c, &(carom_power_fit_range){250, 1000, 1e-9}, &f));
        worst = fmax(worst, fmax(fabs(f.stiffness / p[0] - 1), fabs(f.exponent / p[1] - 1)));
        worst = fmax(worst, f.largest_error);
    }
    printf("power laws fitted: %.2g\n", worst);
    assert_true(worst < 1e-11);
    double c[CAROM_LAW_CONSTANTS];
    const carom_contact_geometry g = geometry_of(ALUMINIUM, -0.1, 0.0995, 1e-3);
    const double p[1] = {0};
    carom_power_fit f;
    assert_null(carom_elastic_johnson.prepare(p, &g, c));
    assert_null(carom_power_fit_make(&carom_elastic_johnson, c, &(carom_power_fit_range){1000, 2000, 1e-6}, &f));
    double sums[5] = {0};
    for (int k = 1; k <= 2000; k++) {
        const double force = k / 2.0, W = force / g.length;
        const double delta = c[CAROM_LINE_A] * W * (log(c[CAROM_LINE_B] / W) + c[CAROM_LINE_C]);
        static const double shift[5][2] = {{0, 0}, {1e-4, 0}, {-1e-4, 0}, {0, 1e-5}, {0, -1e-5}};
        for (int i = 0; i < 5; i++) {
            const double power = f.stiffness * (1 + shift[i][0]) * pow(delta, f.exponent * (1 + shift[i][1]));
            sums[i] += (force - power) * (force - power);
        }
        if (k == 2000)
            assert_true(fabs(f.max_indentation / delta - 1) < 1e-14);
    }
    for (int i = 1; i < 5; i += 2) {
        assert_true(sums[i] > sums[0] && sums[i + 1] > sums[0]);
        /* a quadratic about its vertex: the two sides rise alike */
        assert_true(fabs((sums[i] - sums[i + 1]) / (sums[i] + sums[i + 1] - 2 * sums[0])) < 1e-3);
    }
    assert_non_null(carom_power_fit_make(&carom_elastic_johnson, c, &(carom_power_fit_range){1e9, 100, 0}, &f));
    assert_non_null(carom_power_fit_make(&carom_elastic_johnson, c, &(carom_power_fit_range){0, 100, 0}, &f));
    assert_non_null(carom_power_fit_make(&carom_elastic_johnson, c, &(carom_power_fit_range){10, 1, 0}, &f));
    assert_null(carom_power_fit_make(&carom_elastic_johnson, c, &(carom_power_fit_range){10, 2, 0}, &f));
    assert_true(isfinite(f.stiffness) && f.exponent > 1);
}

/* `slot-fit` takes the fit of the region by the radius of the slot, whichever side it is on. */
static void test_slot_regions(void **state)
{
    (void)state;
    const double p[7] = {1e7, 1.1, 2e7, 1.2, 3e7, 1.3, 8e-3}; /* inner, outer, end; radius of the ends */
    static const struct {
        double slot;
        int region; /* -1: refused */
    } cases[] = {{52e-3, 0},   {-68e-3, 1},    {HUGE_VAL, 1}, {-8e-3, 2}, {-8e-3 * (1 + 1e-12), 2},
                 {-7.9e-3, 2}, {-8.001e-3, 1}, {0, -1}};
    for (size_t k = 0; k < CAROM_COUNT(cases); k++)
        for (int side = 0; side < 2; side++) {
            carom_contact_geometry g = {.radius = {7.8e-3, 7.8e-3}, .dimension = 2};
            double c[CAROM_LAW_CONSTANTS] = {0};
            g.radius[side] = cases[k].slot;
            const char *refusal = carom_elastic_slot_fit.prepare(p, &g, c);
            assert_int_equal(refusal != NULL, cases[k].region < 0);
            if (!refusal)
                assert_true(c[0] == p[2 * cases[k].region] && c[1] == p[2 * cases[k].region + 1]);
        }
    const carom_contact_geometry hollows = {.radius = {-1, -2}, .dimension = 2};
    double c[CAROM_LAW_CONSTANTS];
    assert_non_null(carom_elastic_slot_fit.prepare(p, &hollows, c));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit),           cmocka_unit_test(test_tables), cmocka_unit_test(test_part),
        cmocka_unit_test(test_interpolation), cmocka_unit_test(test_slot),   cmocka_unit_test(test_slot_regions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
