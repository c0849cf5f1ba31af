/* Parts of joints with clearance: they move freely by the play, and no further, whichever way; journal, ball and slider
   have the sizes that were given. Gaps are those of elementary geometry. */
#include "carom_test.h"

#include <math.h>
#include <string.h>

#include "kinds/joint/joint.h"

#define CLOSE 1e-15

static const carom_joint_kind *const joints[] = {
#define CAROM_KIND(symbol) &carom_joint_##symbol,
#include "kinds/joint/joint.def"
#undef CAROM_KIND
};

static const double sizes[2][CAROM_CLEARANCE_SIZES] = {
    {[CAROM_CLEARANCE_RADIAL] = 1e-4, [CAROM_CLEARANCE_RADIUS] = 0.02, [CAROM_CLEARANCE_LENGTH] = 0.05,
     [CAROM_CLEARANCE_AXIAL] = 3e-4, [CAROM_CLEARANCE_GAP] = 2e-4, [CAROM_CLEARANCE_HEIGHT] = 0.03},
    {[CAROM_CLEARANCE_RADIAL] = 1e-4, [CAROM_CLEARANCE_RADIUS] = 0.02, [CAROM_CLEARANCE_LENGTH] = 0.05,
     [CAROM_CLEARANCE_GAP] = 2e-4, [CAROM_CLEARANCE_HEIGHT] = 0.03, [CAROM_CLEARANCE_WIDTH] = 0.04,
     [CAROM_CLEARANCE_EDGE] = 0.002},
};

static bool is(const carom_clearance_shape *shape, const char *type) { return strcmp(shape->type, type) == 0; }

/* Gap of a contact when the second body has moved by d. */
static double gap_of(const carom_clearance_parts *parts, int k, carom_vec3 d)
{
    const carom_clearance_shape *a = &parts->shapes[parts->contacts[k][0]], *b = &parts->shapes[parts->contacts[k][1]];
    assert_true(a->side == 0 && b->side == 1);
    const carom_vec3 from = carom_v3_sub(carom_v3_add(b->at, d), a->at);
    if (is(a, "plane"))
        return carom_v3_dot(from, a->direction) - b->radius;
    if (is(a, "bore")) {
        assert_true(is(b, "ring") && fabs(from.z) <= 0.5 * a->length);
        return a->radius - b->radius - hypot(from.x, from.y);
    }
    assert_true(is(a, "sphere") && is(b, "sphere") && a->radius < 0);
    return -a->radius - b->radius - carom_v3_norm(from);
}

static double least_gap(const carom_clearance_parts *parts, carom_vec3 d)
{
    double least = HUGE_VAL;
    for (int k = 0; k < parts->contact_count; k++)
        least = fmin(least, gap_of(parts, k, d));
    return least;
}

static void assert_touches(const carom_clearance_parts *parts, carom_vec3 way, double play)
{
    assert_true(least_gap(parts, carom_v3_scale(0.999 * play, way)) > 0);
    assert_true(fabs(least_gap(parts, carom_v3_scale(play, way))) < CLOSE);
}

/* Farthest that the parts of the second body reach from the frame's origin along f, g or h. */
static double reach(const carom_clearance_parts *parts, int axis, bool up)
{
    double most = -HUGE_VAL;
    for (int k = 0; k < parts->shape_count; k++) {
        const carom_clearance_shape *shape = &parts->shapes[k];
        const double at[3] = {shape->at.x, shape->at.y, shape->at.z};
        const double radius = is(shape, "ring") && axis == 2 ? 0 : shape->radius;
        if (shape->side == 1)
            most = fmax(most, (up ? at[axis] : -at[axis]) + radius);
    }
    return most;
}

static void check_extents(const carom_clearance_parts *parts, const double *extents, int dimension)
{
    for (int axis = 0; axis < 3; axis++)
        for (int up = 0; up < 2; up++)
            if (dimension == 3 || axis != 1)
                assert_true(fabs(reach(parts, axis, up) - 0.5 * extents[axis]) < CLOSE);
}

/* A slider of corners between walls: as high, wide and long as it says, with its gap to each wall. */
static void check_slider(const carom_clearance_parts *parts, const double *size, int dimension)
{
    const double height = size[CAROM_CLEARANCE_HEIGHT];
    const double width = size[CAROM_CLEARANCE_WIDTH] > 0 ? size[CAROM_CLEARANCE_WIDTH] : height;
    const double edge = size[CAROM_CLEARANCE_EDGE] > 0 ? size[CAROM_CLEARANCE_EDGE] : 0.01 * height;
    check_extents(parts, (const double[3]){height, width, size[CAROM_CLEARANCE_LENGTH]}, dimension);
    assert_int_equal(parts->contact_count, dimension == 2 ? 4 : 16);
    for (int k = 0; k < parts->contact_count; k++) {
        assert_true(fabs(gap_of(parts, k, carom_v3(0, 0, 0)) - size[CAROM_CLEARANCE_GAP]) < CLOSE);
        assert_true(parts->shapes[parts->contacts[k][1]].radius == edge);
    }
    for (int sign = -1; sign <= 1; sign += 2) {
        assert_touches(parts, carom_v3(sign, 0, 0), size[CAROM_CLEARANCE_GAP]);
        if (dimension == 3)
            assert_touches(parts, carom_v3(0, sign, 0), size[CAROM_CLEARANCE_GAP]);
        assert_true(least_gap(parts, carom_v3(0, 0, sign * 0.5)) > 0);
    }
}

/* A round part: it touches after the radial play in every direction across, and after the axial one along. */
static void check_round(const carom_clearance_parts *parts, const double *size, int dimension)
{
    for (int k = 0; k < 12; k++) {
        const double angle = k * 0.5235987755982988;
        assert_touches(parts, carom_v3(cos(angle), sin(angle), 0), size[CAROM_CLEARANCE_RADIAL]);
        if (parts->round_about)
            assert_touches(parts, carom_v3(0, sin(angle), cos(angle)), size[CAROM_CLEARANCE_RADIAL]);
    }
    assert_true(fabs(reach(parts, 0, true) - size[CAROM_CLEARANCE_RADIUS]) < CLOSE);
    if (parts->round_about)
        return;
    if (dimension == 2) {
        assert_true(parts->contact_count == 1 && parts->line == size[CAROM_CLEARANCE_LENGTH]);
        return;
    }
    const double round = 2 * size[CAROM_CLEARANCE_RADIUS];
    check_extents(parts, (const double[3]){round, round, size[CAROM_CLEARANCE_LENGTH]}, 3);
    assert_true(fabs(2 * parts->line - size[CAROM_CLEARANCE_LENGTH]) < CLOSE);
    assert_int_equal(parts->contact_count, size[CAROM_CLEARANCE_AXIAL] > 0 ? 4 : 2);
    const double bore = size[CAROM_CLEARANCE_LENGTH] + 2 * size[CAROM_CLEARANCE_AXIAL];
    assert_true(is(&parts->shapes[0], "bore") && fabs(parts->shapes[0].length - bore) < CLOSE);
    for (int sign = -1; sign <= 1 && size[CAROM_CLEARANCE_AXIAL] > 0; sign += 2)
        assert_true(fabs(least_gap(parts, carom_v3(0, 0, sign * size[CAROM_CLEARANCE_AXIAL]))) < CLOSE);
}

static void parts_move_by_the_play(void **state)
{
    (void)state;
    int found = 0;
    for (size_t n = 0; n < sizeof joints / sizeof joints[0]; n++) {
        const carom_joint_clearance_kind *kind = joints[n]->clearance;
        for (int k = 0; kind && k < 4; k++) {
            const int dimension = 2 + k / 2;
            carom_clearance_parts parts = {0};
            if (!kind->needs[dimension - 2])
                continue;
            found++;
            double size[CAROM_CLEARANCE_SIZES] = {0};
            for (unsigned i = 0; i < CAROM_CLEARANCE_SIZES; i++)
                if ((kind->needs[dimension - 2] | kind->takes[dimension - 2]) & 1u << i)
                    size[i] = sizes[k % 2][i];
            kind->parts(NULL, size, dimension, &parts);
            const bool slider = (kind->needs[dimension - 2] & CAROM_CLEARANCE_BIT(GAP)) != 0;
            assert_true(parts.play == size[slider ? CAROM_CLEARANCE_GAP : CAROM_CLEARANCE_RADIAL]);
            (slider ? check_slider : check_round)(&parts, size, dimension);
        }
    }
    assert_int_equal(found, 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_move_by_the_play)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
