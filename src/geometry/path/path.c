/* Places of a path and the feet of points on it; conventions in path.h. */
#include "geometry/path/path.h"

#include <float.h>
#include <math.h>

static const double *segment_of(const double *path, int k)
{
    return path + CAROM_PATH_HEADER + (size_t)k * CAROM_PATH_SEGMENT;
}

/* The segment that s lies in, the last one that begins at or before it. */
static const double *find_segment(const double *path, double s)
{
    int low = 0, high = (int)path[CAROM_PATH_COUNT] - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (segment_of(path, middle)[CAROM_PATH_START] <= s)
            low = middle;
        else
            high = middle - 1;
    }
    return segment_of(path, low);
}

#define DEGREE 8

/* A polynomial of w and its derivatives by it. */
static void polynomial(const double *c, double w, carom_vec3 *out, int derivatives)
{
    for (int n = 0; n <= derivatives; n++)
        out[n] = carom_v3(0, 0, 0);
    for (int k = DEGREE; k >= 0; k--) {
        for (int n = derivatives; n > 0; n--)
            out[n] = carom_v3_add_scaled(carom_v3_scale(n, out[n - 1]), w, out[n]);
        out[0] = carom_v3_add_scaled(carom_v3_load(c + 3 * (size_t)k), w, out[0]);
    }
}

void carom_path_at(const double *path, double s, carom_path_point *out)
{
    const double length = path[CAROM_PATH_LENGTH];
    double inside = s;
    if (path[CAROM_PATH_CLOSED] > 0)
        inside = s - length * floor(s / length);
    else
        inside = fmin(fmax(s, 0), length);
    const double *c = find_segment(path, inside);
    const double scale = 2 / c[CAROM_PATH_EXTENT], w = (inside - c[CAROM_PATH_START]) * scale - 1;
    carom_vec3 at[4], across[3];
    polynomial(c + CAROM_PATH_POINT, w, at, 3);
    polynomial(c + CAROM_PATH_ACROSS, w, across, 2);
    *out = (carom_path_point){.at = at[0],
                              .d1 = carom_v3_scale(scale, at[1]),
                              .d2 = carom_v3_scale(scale * scale, at[2]),
                              .d3 = carom_v3_scale(scale * scale * scale, at[3]),
                              .across = across[0],
                              .across1 = carom_v3_scale(scale, across[1]),
                              .across2 = carom_v3_scale(scale * scale, across[2])};
    if (path[CAROM_PATH_CLOSED] > 0 || inside == s)
        return;
    out->at = carom_v3_add_scaled(out->at, s - inside, out->d1);
    out->d2 = out->d3 = out->across1 = out->across2 = carom_v3(0, 0, 0);
}

/* Steps of the search, and the least share of the derivative without curvature that they divide by: beyond the centre
   of curvature they go on towards the foot. */
#define STEPS 100
#define LEAST 0.5

double carom_path_follow(const double *path, carom_vec3 x, double near)
{
    double s = near, last = HUGE_VAL;
    for (int k = 0; k < STEPS; k++) {
        carom_path_point c;
        carom_path_at(path, s, &c);
        const carom_vec3 e = carom_v3_sub(x, c.at);
        const double speed = carom_v3_dot(c.d1, c.d1);
        const double step = carom_v3_dot(e, c.d1) / fmax(speed - carom_v3_dot(e, c.d2), LEAST * speed);
        s += step;
        /* the last steps are rounding: they no longer shrink */
        if (!(fabs(step) > 4 * DBL_EPSILON * (fabs(s) + path[CAROM_PATH_SIZE])) ||
            (fabs(step) < 1e-9 * path[CAROM_PATH_SIZE] && !(fabs(step) < last)))
            break;
        last = fabs(step);
    }
    return s;
}

/* Places of each segment at which the search for the nearest begins. */
#define PLACES 4

double carom_path_nearest(const double *path, carom_vec3 x)
{
    double best = HUGE_VAL, at = 0;
    for (int k = 0; k < (int)path[CAROM_PATH_COUNT]; k++) {
        const double *c = segment_of(path, k);
        for (int n = 0; n <= PLACES; n++) {
            carom_vec3 place;
            polynomial(c + CAROM_PATH_POINT, 2.0 * n / PLACES - 1, &place, 0);
            const double distance = carom_v3_norm(carom_v3_sub(x, place));
            if (distance < best) {
                best = distance;
                at = c[CAROM_PATH_START] + c[CAROM_PATH_EXTENT] * n / PLACES;
            }
        }
    }
    return carom_path_follow(path, x, at);
}
