/* Analysis modes: how many motions nothing brings back, and which. A motion without spring or damper has two
   eigenvalues 0, one with a damper and an integral have a single one: each is one rigid mode. Masses on a rail with
   springs and dampers that chance sets, whose components tell the numbers; integrals; friction that holds by a
   deflection. Both formulations. */
#include "carom_test.h"

#include <math.h>

#include "support/context.h"

static const char *const formulations[] = {"cartesian", "tree"};
static carom_model *model;
static carom_analysis *analysis;

static void open_model(const char *text)
{
    assert_ok(ctx, carom_model_parse(ctx, "test.yaml", text, strlen(text), NULL, 0, &model));
    assert_ok(ctx, carom_analysis_run(ctx, model, NULL, &analysis));
}

static void close_model(void)
{
    carom_analysis_free(analysis);
    carom_model_free(model);
}

static double value(const char *name)
{
    double out;
    assert_ok(ctx, carom_analysis_get(analysis, name, &out));
    return out;
}

/* Eigenvalues of the modes that are not rigid. */
static int others(void)
{
    const carom_analysis_table *t = carom_analysis_find_table(analysis, "modes");
    int count = 0;
    for (size_t k = 0; k < t->row_count; k++) {
        const carom_analysis_cell *row = t->cells + k * t->column_count;
        if (strcmp(row[1].text, "rigid") != 0)
            count += row[6].number != 0 ? 2 : 1;
    }
    return count;
}

static bool names(const char *words)
{
    const carom_analysis_table *t = carom_analysis_find_table(analysis, "modes");
    for (size_t k = 0; k < t->row_count; k++)
        if (strcmp(t->cells[k * t->column_count + 7].text, words) == 0)
            return true;
    return false;
}

/* ---- masses on a rail ---- */

enum { MASSES = 6 };

typedef struct part {
    int of[MASSES + 1]; /* the component of each, the ground last */
    int loose;          /* components without the ground */
} part;

static void join(part *p, int i, int k)
{
    const int from = p->of[i], to = p->of[k];
    for (int n = 0; n <= MASSES; n++)
        p->of[n] = p->of[n] == from ? to : p->of[n];
}

static void count(part *p)
{
    bool seen[MASSES + 1] = {false};
    p->loose = 0;
    seen[p->of[MASSES]] = true;
    for (int n = 0; n < MASSES; n++) {
        p->loose += !seen[p->of[n]];
        seen[p->of[n]] = true;
    }
}

static unsigned long long seed;

static int chance(int below)
{
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (int)((seed >> 33) % (unsigned long long)below);
}

/* Bodies that springs join move as one, those that they join to the ground do not move. */
static void check_shape(const part *springs, size_t mode)
{
    double x[MASSES + 1] = {0};
    size_t matrices;
    const carom_analysis_matrix *shapes = NULL, *all = carom_analysis_matrices(analysis, &matrices);
    for (size_t k = 0; k < matrices; k++)
        if (strcmp(all[k].name, "shapes_real") == 0)
            shapes = &all[k];
    for (int n = 0; n < MASSES; n++)
        x[n] = shapes->values[mode * shapes->rows + (size_t)n * 3];
    for (int i = 0; i <= MASSES; i++)
        for (int k = 0; k < i; k++)
            if (springs->of[i] == springs->of[k])
                assert_true(fabs(x[i] - x[k]) < 1e-9);
}

static void check_rail(int turn, int *damped)
{
    static char text[8000];
    part springs, all;
    int length = snprintf(text, sizeof text, "carom: 1\ndimension: 2\nbodies:\n");
    for (int n = 0; n < MASSES; n++)
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "  m%d: {mass: %d, inertia: 1, at: [%d, 0]}\n", n, 1 + chance(9), n + 1);
    length += snprintf(text + length, sizeof text - (size_t)length, "joints:\n");
    for (int n = 0; n < MASSES; n++)
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "  r%d: {type: translational, between: [ground, m%d], axis: [1, 0]}\n", n, n);
    length += snprintf(text + length, sizeof text - (size_t)length, "loads:\n");
    for (int n = 0; n <= MASSES; n++)
        springs.of[n] = all.of[n] = n;
    for (int n = 0; n < MASSES - 1; n++) {
        const int i = chance(MASSES + 1), k = chance(MASSES), kind = chance(3);
        if (i == k)
            continue;
        char first[12];
        snprintf(first, sizeof first, i == MASSES ? "ground" : "m%d", i);
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "  s%d: {type: spring, between: [%s, m%d], length: %d, stiffness: %g, damping: %g}\n", n,
                           first, k, i == MASSES ? k + 1 : abs(i - k), kind == 0 ? 0 : 50 * pow(10, chance(5)),
                           kind == 1 ? 0 : pow(10, chance(3)));
        if (kind)
            join(&springs, i, k);
        join(&all, i, k);
    }
    snprintf(text + length, sizeof text - (size_t)length, "run: {analysis: modes, formulation: %s}\n",
             formulations[turn % 2]);
    count(&springs);
    count(&all);
    open_model(text);
    if (value("rigid") != springs.loose || others() != 2 * MASSES - springs.loose - all.loose)
        fail_msg("rigid %g, to be %d; others %d, to be %d\n%s", value("rigid"), springs.loose, others(),
                 2 * MASSES - springs.loose - all.loose, text);
    assert_true(value("unstable") == 0);
    for (int k = 0; k < springs.loose; k++)
        check_shape(&springs, (size_t)k);
    *damped += springs.loose > all.loose;
    close_model();
}

static void test_rail(void **state)
{
    (void)state;
    int damped = 0;
    seed = 12;
    for (int turn = 0; turn < 60; turn++)
        check_rail(turn, &damped);
    printf("%d of 60 have motions that dampers alone brake\n", damped);
    assert_true(damped > 20);
}

/* ---- states ---- */

/* Four integrals beside an oscillator, of a place (twice it), of x x' and of x': each is a mode of its own. */
static void test_integrals(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        char text[900];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\n"
                 "states: {h1: {rate: x(m) - 0.3}, h2: {rate: 2*x(m) - 0.6}, h3: {rate: x(m)*vx(m)},\n"
                 "  h4: {rate: vx(m)}}\n"
                 "bodies: {m: {mass: 2, inertia: 1, at: [0.3, 0]}}\n"
                 "joints: {r: {type: translational, between: [ground, m], axis: [1, 0]}}\n"
                 "loads: {s: {type: spring, between: [ground, m], stiffness: 200, length: 0.3, damping: 1}}\n"
                 "run: {analysis: modes, formulation: %s}\n",
                 formulations[f]);
        open_model(text);
        assert_true(value("rigid") == 4 && others() == 2);
        for (int k = 1; k <= 4; k++) {
            snprintf(text, sizeof text, "state.h%d alone: no body moves", k);
            assert_true(names(text));
        }
        close_model();
    }
}

/* The integral of the place of a mass that nothing holds: three eigenvalues 0 and one eigenvector. With a damper in the
   place of nothing there are two, and one eigenvector; and a state that lags, with its own eigenvalue. */
static void test_chain(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++)
        for (int damper = 0; damper < 2; damper++) {
            char text[900];
            snprintf(text, sizeof text,
                     "carom: 1\ndimension: 2\nstates: {h: {rate: x(m)}, z: {rate: 7*(h - z)}}\n"
                     "bodies: {m: {mass: 2, inertia: 1}}\n"
                     "joints: {r: {type: translational, between: [ground, m], axis: [1, 0], damper: {damping: %d}}}\n"
                     "run: {analysis: modes, formulation: %s}\n",
                     6 * damper, formulations[f]);
            open_model(text);
            assert_true(value("rigid") == 1 && value("unstable") == 0);
            assert_true(names("state.h alone: no body moves") || names("state.z alone: no body moves"));
            const carom_analysis_table *t = carom_analysis_find_table(analysis, "modes");
            assert_int_equal(t->row_count, 2 + damper);
            for (size_t k = 1; k < t->row_count; k++) {
                const double real = t->cells[k * t->column_count + 5].number;
                printf("chain: %.15g 1/s\n", real);
                assert_true(fabs(real / (k + 1 == t->row_count ? -7 : -3) - 1) < 1e-10);
            }
            close_model();
        }
}

/* ---- friction that holds by a deflection ---- */

/* A block in a plane on two feet with a push along it: it rests as well a little further along, with the same
   deflections, and that is its only motion of frequency 0. Deflections of corners in the air, and across the plane, are
   no motions. */
static void test_deflections(void **state)
{
    (void)state;
    static const char *const laws[] = {"mindlin", "dahl", "lugre", "gonthier"};
    for (int k = 0; k < 4; k++) {
        char text[1200];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
                 "bodies: {blk: {mass: 2, inertia: 0.02, at: [0, 0.0999]}}\n"
                 "shapes:\n  b: {type: box, on: blk, size: [0.4, 0.2]}\n"
                 "  fl: {type: plane, on: ground, normal: [0, 1]}\n"
                 "loads: {push: {type: force, on: blk, force: [4, 0]}}\n"
                 "contacts: {c: {between: [b, fl], normal: {law: hunt-crossley, stiffness: 1e6, restitution: 0.5},\n"
                 "  friction: {law: %s, kinetic: 0.4}}}\nrun: {analysis: modes}\n",
                 laws[k]);
        open_model(text);
        printf("%-9s rigid %g, others %d\n", laws[k], value("rigid"), others());
        assert_true(value("rigid") == 1 && names("'blk' moves along x"));
        close_model();
    }
}

/* A disc that rolls on its edge, at rest: it rolls on and turns about its vertical freely, and tips over with
   sqrt(m g R/(I + m R^2)). In motion it is refused, with what to do. */
static void test_rolling(void **state)
{
    (void)state;
    for (int moves = 0; moves < 2; moves++) {
        char text[900];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
                 "bodies: {disc: {mass: 2, inertia: [0.03, 0.06, 0.03], at: [0, 0, 0.25], velocity: [%g, 0, 0],\n"
                 "  angular_velocity: [0, %g, 0]}}\n"
                 "joints: {roll: {type: rolling, between: [ground, disc], axis: [0, 0, 1], axis2: [0, 1, 0],\n"
                 "  radius: 0.25}}\nrun: {analysis: modes%s}\n",
                 2.0 * moves, 8.0 * moves, moves ? ", about: state" : "");
        assert_ok(ctx, carom_model_parse(ctx, "test.yaml", text, strlen(text), NULL, 0, &model));
        if (moves) {
            assert_true(carom_analysis_run(ctx, model, NULL, &analysis) != CAROM_OK);
            assert_non_null(strstr(carom_context_error(ctx), "joint 'roll' rolls"));
            assert_non_null(strstr(carom_context_error(ctx), "leave `about: state` out"));
            carom_model_free(model);
            continue;
        }
        assert_ok(ctx, carom_analysis_run(ctx, model, NULL, &analysis));
        const carom_analysis_table *t = carom_analysis_find_table(analysis, "modes");
        assert_true(value("rigid") == 2 && value("unstable") == 1 && t->row_count == 4);
        const double grows = fmax(t->cells[2 * t->column_count + 5].number, t->cells[3 * t->column_count + 5].number);
        printf("disc tips by %.12g 1/s\n", grows);
        assert_true(fabs(grows / sqrt(2 * 9.81 * 0.25 / (0.03 + 2 * 0.0625)) - 1) < 1e-9);
        close_model();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rail),
        cmocka_unit_test(test_integrals),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_deflections),
        cmocka_unit_test(test_rolling),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
