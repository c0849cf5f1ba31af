/* Results to draw: a spatial and a planar model with frames that formulas give, for the tests of what is exported. */
#ifndef CAROM_TEST_DRAWN_RUN_H
#define CAROM_TEST_DRAWN_RUN_H

#include "result_run.h"
#include "support/channel.h"

#define RESULT "two balls.h5"
#define NAME "two_balls"
/* Frames between rows of the output interval: one. */
enum { ROWS = 5, DRAWN_FRAMES = 2 * ROWS - 1 };

/* Two shapes of one body and one of the ground are equal spheres; --set r=2 changes them. */
static const char space_text[] =
    "carom: 1\n"
    "dimension: 3\n"
    "parameters: {r: 1}\n"
    "bodies:\n"
    "  one: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 3]}\n"
    "  two: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 1]}\n"
    "shapes:\n"
    "  a: {type: sphere, on: one, at: [0.1, 0.2, 0.3], radius: r}\n"
    "  floor: {type: plane, on: ground, at: [0, 0, -1], normal: [1, 2, 2]}\n"
    "  b: {type: sphere, on: two, radius: 0.5}\n"
    "  shell: {type: sphere, on: ground, radius: -40}\n"
    "  twin: {type: sphere, on: two, at: [3, 0, 0], radius: r}\n"
    "contacts:\n"
    "  ab: {between: [a, b], normal: {law: hertz, stiffness: 1e5}}\n"
    "  af: {between: [floor, a], normal: {law: hertz, stiffness: 1e5}, friction: {law: mindlin, kinetic: 0.2}}\n"
    "run: {until: 1}\n";

static const char plane_text[] =
    "carom: 1\n"
    "dimension: 2\n"
    "bodies:\n"
    "  one: {mass: 1, inertia: 1, at: [0, 3]}\n"
    "shapes:\n"
    "  a: {type: sphere, on: one, at: [0.1, 0.2], radius: 0.25}\n"
    "  floor: {type: plane, on: ground, normal: [0, 1]}\n"
    "contacts:\n"
    "  af: {between: [floor, a], normal: {law: hertz, stiffness: 1e5}}\n"
    "run: {until: 1}\n";

static const char *const wxyz[] = {"w", "x", "y", "z"};
static const carom_channel space_channels[] = {
    CHANNEL("energy.kinetic", "J", "", 1, NULL, 0),          CHANNEL("body.one.position", "m", "", 3, xyz, 2),
    CHANNEL("body.one.orientation", "-", "", 4, wxyz, 2),    CHANNEL("body.two.position", "m", "", 3, xyz, 2),
    CHANNEL("body.two.orientation", "-", "", 4, wxyz, 2),    CHANNEL("contact.ab.point", "m", "", 3, xyz, 2),
    CHANNEL("contact.ab.total_force", "N", "", 3, xyz, 2),   CHANNEL("contact.af.point", "m", "", 3, xyz, 2),
    CHANNEL("contact.af.total_force", "N", "", 3, xyz, 2)};
static const carom_channel plane_channels[] = {
    CHANNEL("energy.kinetic", "J", "", 1, NULL, 0),     CHANNEL("body.one.position", "m", "", 2, xyz, 2),
    CHANNEL("body.one.angle", "rad", "", 1, NULL, 2),   CHANNEL("contact.af.point", "m", "", 2, xyz, 2),
    CHANNEL("contact.af.total_force", "N", "", 2, xyz, 2)};
/* Numbers of a frame, and where they start. */
enum { SPACE_WIDTH = 26, PLANE_WIDTH = 7 };
enum { ONE = 0, TWO = 7, AB_POINT = 14, AB_FORCE = 17, AF_POINT = 20, AF_FORCE = 23 };

static inline double drawn_time(int frame) { return frame / 6.0; }

static inline double distance(const double *p, const double *c)
{
    return sqrt((p[0] - c[0]) * (p[0] - c[0]) + (p[1] - c[1]) * (p[1] - c[1]) + (p[2] - c[2]) * (p[2] - c[2]));
}

/* Centre of sphere a in a frame: position + the quaternion's rotation of (0.1, 0.2, 0.3) by Rodrigues' formula. */
static inline void centre_of_a(const double *frame, double *out)
{
    const double r[3] = {0.1, 0.2, 0.3}, *q = frame + 3;
    double t[3] = {2 * (q[2] * r[2] - q[3] * r[1]), 2 * (q[3] * r[0] - q[1] * r[2]), 2 * (q[1] * r[1] - q[2] * r[0])};
    out[0] = frame[0] + r[0] + q[0] * t[0] + q[2] * t[2] - q[3] * t[1];
    out[1] = frame[1] + r[1] + q[0] * t[1] + q[3] * t[0] - q[1] * t[2];
    out[2] = frame[2] + r[2] + q[0] * t[2] + q[1] * t[1] - q[2] * t[0];
}

/* Body one turns and moves, two moves; the contact points lie halfway between a and b and at the deepest point of a. */
static inline void space_frame(int frame, double *out)
{
    double turn = 0.15 * frame, row = 0.5 * frame, a[3];
    const double poses[AB_POINT] = {0.7 * row, 1, 3 - 0.2 * row, cos(turn), 0.6 * sin(turn), 0, 0.8 * sin(turn),
                                    -1, 0.1 * row, 1, 1, 0, 0, 0};
    memcpy(out, poses, sizeof poses);
    centre_of_a(out, a);
    double d = distance(a, out + TWO), gap = d - 2.5;
    for (int k = 0; k < 3; k++) {
        double along = (out[TWO + k] - a[k]) / d, normal = (k ? 2 : 1) / 3.0, tangent = k == 0 ? 0 : k == 1 ? 1 : -1;
        out[AB_POINT + k] = a[k] + (2 + gap / 2) * along;
        out[AB_FORCE + k] = 7 * row * along;
        out[AF_POINT + k] = a[k] - 2 * normal;
        out[AF_FORCE + k] = 10 * row * normal + 2 * row * tangent;
    }
}

static inline void plane_frame(int frame, double *out)
{
    const double row = 0.5 * frame, turn = 0.5 * row;
    const double point = 100 * row + 0.1 * cos(turn) - 0.2 * sin(turn);
    const double values[PLANE_WIDTH] = {100 * row, 3, turn, point, 2.9, 0, 5 * row};
    memcpy(out, values, sizeof values);
}

/* Writes a result of these channels and opens it; `override` "": none; NULL `fill`: without rows. */
static inline carom_result *make_result(carom_context *ctx, const char *text, const char *override,
                                        const carom_channel *list, size_t count, size_t width,
                                        void (*fill)(int frame, double *out))
{
    carom_writer_def def = {.size = sizeof(carom_writer_def), .path = RESULT, .model_name = "m", .model_text = text,
                            .options = "integrator adams", .overrides = &override,
                            .override_count = override[0] != '\0', .channels = list, .channel_count = count};
    carom_writer *writer = NULL;
    assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_OK);
    double time[DRAWN_FRAMES], rows[ROWS], energy[ROWS] = {0}, data[DRAWN_FRAMES * SPACE_WIDTH];
    for (int k = 0; k < DRAWN_FRAMES && fill; k++) {
        double all[SPACE_WIDTH];
        fill(k, all);
        time[k] = drawn_time(k);
        rows[k / 2] = drawn_time(k / 2 * 2);
        memcpy(data + (size_t)k * width, all, width * sizeof *all);
    }
    const carom_sink *sink = carom_writer_sink(writer);
    if (fill) {
        assert_int_equal(sink->rows(sink->user, 0, ROWS, rows, energy), CAROM_OK);
        if (list[count - 1].group == 2)
            assert_int_equal(sink->rows(sink->user, 2, DRAWN_FRAMES, time, data), CAROM_OK);
    }
    assert_int_equal(carom_writer_close(writer, NULL, "completed"), CAROM_OK);
    carom_result *result = NULL;
    assert_int_equal(carom_result_open(ctx, RESULT, &result), CAROM_OK);
    return result;
}

#endif
