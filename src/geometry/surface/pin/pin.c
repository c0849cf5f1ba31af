/* A cylinder or capsule in the bore of a tube that is wider: a place at each end of the pin.

   The pin is all points within the radius q of a core, a cylinder of the radius R - q with flat ends (q: radius of
   its rim, of a capsule R); the edge of the tube's mouth is all points within the radius t of a circle (t: radius of
   its rim). Where an end of the pin lies between the mouths, its outermost point touches the wall of the bore, with the
   radial normal. Where it is beyond a mouth, the edge of the mouth touches the pin: the side, with the normal square to
   the pin's axis, or, of a pin that has not entered yet, its rim or flat end. Each gap is the distance of the two, so
   that it changes as the motion of both points along the normal tells, at any tilt.
   Source: the common normal of Machado et al. 2012, section 3; distances of a circle and a capped cylinder. */
#include "base/base.h"
#include "geometry/surface/surface.h"
#include "math/roots.h"

#define ANGLES 32

typedef struct fit {
    double bore, length, rim;           /* of the tube; half the length between the circles of its mouths */
    double radius, half, round;         /* of the pin; half the length of its core; q */
    carom_vec3 origin, axis;            /* of the pin, in the axes of the tube */
} fit;

/* Where the two touch, in the axes of the tube. */
typedef struct place {
    double gap;
    carom_vec3 n;                       /* out of the pin */
    carom_vec3 on_tube, on_pin;
    double tube[2], pin[2];             /* curvatures about the axis and along it */
    double residual;
} place;

/* Angle on the circle e + R (cos f + sin g) of the point farthest from the z-axis. */
static double farthest_angle(carom_vec3 e, double radius, carom_vec3 f, carom_vec3 g)
{
    double angle = 0, most = -HUGE_VAL;
    for (int k = 0; k < ANGLES; k++) {
        const double a = 2 * CAROM_PI * k / ANGLES, c = cos(a), s = sin(a);
        const double x = e.x + radius * (c * f.x + s * g.x), y = e.y + radius * (c * f.y + s * g.y);
        if (x * x + y * y > most) {
            most = x * x + y * y;
            angle = a;
        }
    }
    for (int k = 0; k < 20; k++) {
        const double c = cos(angle), s = sin(angle);
        const double x = e.x + radius * (c * f.x + s * g.x), y = e.y + radius * (c * f.y + s * g.y);
        const double x1 = radius * (c * g.x - s * f.x), y1 = radius * (c * g.y - s * f.y);
        const double rate = x * x1 + y * y1;
        const double bend = x1 * x1 + y1 * y1 - x * (x - e.x) - y * (y - e.y);
        const double step = bend < 0 ? -rate / bend : 0;
        angle += fmin(fmax(step, -0.2), 0.2);
        if (fabs(step) < 1e-15)
            break;
    }
    return angle;
}

/* Point farthest from the z-axis of the circle of an end. */
static carom_vec3 farthest(const fit *s, double way, double radius)
{
    const carom_vec3 e = carom_v3_add_scaled(s->origin, way, s->axis);
    if (!(radius > 0))
        return e;
    const carom_mat3 axes = carom_m3_axes(s->axis, carom_v3(e.x, e.y, 0));
    const carom_vec3 f = carom_m3_column(&axes, 0), g = carom_m3_column(&axes, 1);
    const double angle = farthest_angle(e, radius, f, g);
    return carom_v3_add_scaled(carom_v3_add_scaled(e, radius * cos(angle), f), radius * sin(angle), g);
}

static carom_vec3 radial_of(carom_vec3 x)
{
    const double far = hypot(x.x, x.y);
    return far > 0 ? carom_v3(x.x / far, x.y / far, 0) : carom_v3(1, 0, 0);
}

static double across(carom_vec3 n, carom_vec3 axis)
{
    return carom_v3_norm(carom_v3_add_scaled(n, -carom_v3_dot(n, axis), axis));
}

/* Curvatures of the rim of a circle of the pin with the round `round`, at the normal n. */
static void put_pin_rim(const fit *s, double circle, double round, place *out)
{
    const double c = across(out->n, s->axis);
    out->pin[0] = circle > 0 ? c / (circle + round * c) : 1 / round;
    out->pin[1] = round > 0 ? 1 / round : HUGE_VAL;
}

/* ---- an end of the pin ---- */

/* The point of an end that is farthest out: on its rim where it leans outwards, else on the edge of its side. */
static void end_point(const fit *s, int end, carom_vec3 *q, double *circle, double *round)
{
    const double way = end ? s->half : -s->half;
    *circle = s->radius - s->round;
    *round = s->round;
    *q = farthest(s, way, *circle);
    const double lean = carom_v3_dot(radial_of(*q), s->axis);
    if (*round > 0 && (end ? lean : -lean) < 0) {
        *circle = s->radius;
        *round = 0;
        *q = farthest(s, way, *circle);
    }
}

/* An end between the mouths, at the wall; one that comes in through the mouth (its z is over that by `over` < 0), no
   deeper than that. */
static void at_wall(const fit *s, carom_vec3 q, double circle, double round, double over, double mouth, place *out)
{
    const carom_vec3 radial = radial_of(q);
    const double wall = s->bore + s->rim - hypot(q.x, q.y);
    const bool face = over > wall && round == s->round;
    out->n = face ? carom_v3(0, 0, -mouth) : radial;
    out->gap = (face ? over : wall) - s->rim - round;
    out->on_pin = carom_v3_add_scaled(q, round, out->n);
    out->on_tube = carom_v3_add_scaled(out->on_pin, out->gap, out->n);
    out->tube[0] = face ? 0 : -1 / s->bore;
    out->tube[1] = 0;
    put_pin_rim(s, circle, round, out);
    out->residual = 0;
}

/* ---- the edge of a mouth ---- */

typedef enum part { SIDE, RIM, FLAT } part;

/* Distance of a point from the core of the pin, and the normal there. Through the flat end that comes in at this mouth
   a point gets out as well. */
static double from_core(const fit *s, carom_vec3 m, double mouth, carom_vec3 *n, part *where)
{
    const carom_vec3 d = carom_v3_sub(m, s->origin);
    const double w = carom_v3_dot(d, s->axis);
    const carom_vec3 out = carom_v3_add_scaled(d, -w, s->axis);
    const double far = carom_v3_norm(out), x = far - (s->radius - s->round), y = fabs(w) - s->half;
    const bool first = w * s->axis.z * mouth < 0;
    const carom_vec3 along = carom_v3_scale(w < 0 ? -1 : 1, s->axis);
    const carom_vec3 side = far > 0 ? carom_v3_scale(1 / far, out) : carom_v3(1, 0, 0);
    if (x > 0 && y > 0) {
        const double distance = hypot(x, y);
        *where = RIM;
        *n = carom_v3_add(carom_v3_scale(x / distance, side), carom_v3_scale(y / distance, along));
        return distance;
    }
    *where = first && x <= 0 && y > x ? FLAT : SIDE;
    *n = *where == FLAT ? along : side;
    return *where == FLAT ? y : x;
}

static carom_vec3 on_mouth(const fit *s, double mouth, double angle)
{
    const double radius = s->bore + s->rim;
    return carom_v3(radius * cos(angle), radius * sin(angle), mouth * s->length);
}

/* Change of the distance over the angle. */
static double slope(const fit *s, double mouth, double angle)
{
    carom_vec3 n;
    part where;
    from_core(s, on_mouth(s, mouth, angle), mouth, &n, &where);
    return n.y * cos(angle) - n.x * sin(angle);
}

/* Angle between two about a least distance, by the rule of the false position, the ends weighted (Illinois). `edge`:
   the distance has a kink there, the edge of the mouth crosses that of the flat end. */
static double least_between(const fit *s, double mouth, double low, double mid, double high, bool *edge)
{
    carom_bracket b = {.low = low, .high = high, .at_low = slope(s, mouth, low), .at_high = slope(s, mouth, high)};
    double angle = mid;
    *edge = false;
    if (!(b.at_low < 0) || !(b.at_high > 0))
        return mid;
    for (int k = 0; k < 80 && b.high - b.low > 1e-15; k++) {
        angle = carom_bracket_next(&b, k % 8 == 7);
        const double here = slope(s, mouth, angle);
        if (here == 0)
            return angle;
        carom_bracket_take(&b, angle, here);
    }
    carom_vec3 n;
    part first, second;
    from_core(s, on_mouth(s, mouth, b.low), mouth, &n, &first);
    from_core(s, on_mouth(s, mouth, b.high), mouth, &n, &second);
    *edge = first != second && first != RIM && second != RIM;
    return angle;
}

/* The circle of the mouth across that of the flat end, within it: the common normal of both by Newton's method from the
   angle of the kink. False: there is none near. */
static bool cross(const fit *s, double mouth, double angle, double depth, place *out, double *least)
{
    const carom_vec3 start = on_mouth(s, mouth, angle), d = carom_v3_sub(start, s->origin);
    const double w = carom_v3_dot(d, s->axis), radius = s->radius - s->round, ring = s->bore + s->rim;
    const carom_vec3 e = carom_v3_add_scaled(s->origin, w < 0 ? -s->half : s->half, s->axis);
    const carom_mat3 axes = carom_m3_axes(s->axis, carom_v3_add_scaled(d, -w, s->axis));
    const carom_vec3 f = carom_m3_column(&axes, 0), g = carom_m3_column(&axes, 1);
    const carom_vec3 outward = carom_v3_add_scaled(f, w < 0 ? -1 : 1, s->axis);
    double phi = angle, theta = 0;
    for (int k = 0; k < 30; k++) {
        const carom_vec3 p = on_mouth(s, mouth, phi), p1 = carom_v3(-ring * sin(phi), ring * cos(phi), 0);
        const carom_vec3 arm = carom_v3_add(carom_v3_scale(cos(theta), f), carom_v3_scale(sin(theta), g));
        const carom_vec3 turned = carom_v3_add(carom_v3_scale(-sin(theta), f), carom_v3_scale(cos(theta), g));
        const carom_vec3 q = carom_v3_add_scaled(e, radius, arm), q1 = carom_v3_scale(radius, turned);
        const carom_vec3 off = carom_v3_sub(p, q);
        const double r0 = carom_v3_dot(off, p1), r1 = carom_v3_dot(off, q1), mixed = carom_v3_dot(p1, q1);
        const double a = ring * ring - ring * carom_v3_dot(off, radial_of(p));
        const double b = -radius * radius - radius * carom_v3_dot(off, arm), det = a * b + mixed * mixed;
        const double to_phi = -(r0 * b + r1 * mixed) / det, to_theta = -(a * r1 - mixed * r0) / det;
        if (!(fabs(to_phi) < 0.5 && fabs(to_theta) < 0.5))
            return false;
        if (fmax(fabs(to_phi), fabs(to_theta)) < 1e-14) {
            carom_vec3 n = carom_unit(carom_v3_cross(p1, q1));
            n = carom_v3_dot(n, outward) < 0 ? carom_v3_neg(n) : n;
            *least = carom_v3_dot(off, n);
            out->n = n;
            out->on_tube = p;
            return *least <= 0 && *least > 2 * depth;
        }
        phi += to_phi;
        theta += to_theta;
    }
    return false;
}

/* Angle of the least distance of the edge of a mouth. */
static double least_angle(const fit *s, double mouth, bool *edge)
{
    double grid[ANGLES], least = HUGE_VAL, angle = 0;
    carom_vec3 n;
    part where;
    *edge = false;
    for (int k = 0; k < ANGLES; k++)
        grid[k] = from_core(s, on_mouth(s, mouth, 2 * CAROM_PI * k / ANGLES), mouth, &n, &where);
    for (int k = 0; k < ANGLES; k++) {
        const double before = grid[(k + ANGLES - 1) % ANGLES], after = grid[(k + 1) % ANGLES];
        if (grid[k] > before || grid[k] > after)
            continue;
        const double step = 2 * CAROM_PI / ANGLES, mid = step * k;
        bool crossed;
        const double a = least_between(s, mouth, mid - step, mid, mid + step, &crossed);
        const double distance = from_core(s, on_mouth(s, mouth, a), mouth, &n, &where);
        if (distance < least) {
            least = distance;
            angle = a;
            *edge = crossed;
        }
    }
    return angle;
}

/* The edge of a mouth at the pin. */
static void at_mouth(const fit *s, double mouth, place *out)
{
    bool edge;
    part where;
    const double angle = least_angle(s, mouth, &edge);
    out->on_tube = on_mouth(s, mouth, angle);
    double least = from_core(s, out->on_tube, mouth, &out->n, &where);
    if (edge) {
        place crossing;
        double depth;
        if (cross(s, mouth, angle, least, &crossing, &depth)) {
            out->n = crossing.n;
            out->on_tube = crossing.on_tube;
            least = depth;
            where = RIM;
        }
    }
    const carom_vec3 m = out->on_tube, radial = radial_of(m);
    out->gap = least - s->rim - s->round;
    out->on_tube = carom_v3_add_scaled(m, -s->rim, out->n);
    out->on_pin = carom_v3_add_scaled(m, s->round - least, out->n);
    const double c = -carom_v3_dot(out->n, radial);
    out->tube[0] = c / (s->bore + s->rim + s->rim * c);
    out->tube[1] = s->rim > 0 ? 1 / s->rim : HUGE_VAL;
    put_pin_rim(s, s->radius - s->round, s->round, out);
    if (where != RIM) {
        out->pin[0] = where == SIDE ? 1 / s->radius : 0;
        out->pin[1] = 0;
    }
    out->residual = fabs(out->n.y * radial.x - out->n.x * radial.y);
}

/* ---- the contact ---- */

static place place_of(const fit *s, int end)
{
    carom_vec3 q;
    double circle, round;
    place out;
    end_point(s, end, &q, &circle, &round);
    /* `inwards`: this end comes in through the mouth at +z (1) or -z (-1) */
    const double inwards = (end ? s->axis.z : -s->axis.z) > 0 ? -1 : 1;
    if (fabs(q.z) <= s->length) {
        at_wall(s, q, circle, round, inwards * q.z - s->length, inwards, &out);
        return out;
    }
    const double mouth = q.z > 0 ? 1 : -1;
    at_mouth(s, mouth, &out);
    /* over the flat end of the tube */
    circle = s->radius - s->round;
    q = farthest(s, end ? s->half : -s->half, circle);
    const double over = mouth * q.z - s->length;
    if (mouth == inwards && hypot(q.x, q.y) >= s->bore + s->rim && over - s->rim - s->round < out.gap)
        at_wall(s, q, circle, s->round, over, mouth, &out);
    return out;
}

/* Principal directions at the normal n of a surface about an axis: round it and along it. */
static void put_directions(const carom_shape_pose *pose, carom_vec3 axis, carom_vec3 n, carom_vec3 *direction)
{
    carom_vec3 round = carom_v3_cross(axis, n);
    if (carom_v3_norm(round) > 1e-12)
        round = carom_unit(round);
    else {
        const carom_mat3 axes = carom_m3_axes(n, carom_v3(1, 0, 0));
        round = carom_m3_column(&axes, 0);
    }
    direction[0] = carom_m3_apply(&pose->axes, round);
    direction[1] = carom_m3_apply(&pose->axes, carom_v3_cross(n, round));
}

void carom_surface_pin(const carom_surface *tube, const carom_shape_pose *pose, const carom_surface *pin,
                       const carom_shape_pose *pin_pose, int end, carom_surface_contact *out)
{
    const carom_surface_placed placed = carom_surface_place(pose, pin_pose);
    const bool capsule = pin->kind != &carom_surface_cylinder;
    const double round = capsule ? pin->p[0] : pin->p[2];
    const fit s = {.bore = tube->p[0],
                   .length = tube->p[2] - tube->p[3],
                   .rim = tube->p[3],
                   .radius = pin->p[0],
                   .half = pin->p[1] - (capsule ? 0 : round),
                   .round = round,
                   .origin = placed.origin,
                   .axis = carom_m3_column(&placed.axes, 2)};
    const place at = place_of(&s, end);
    const carom_vec3 n = carom_v3_neg(at.n), on_pin = carom_v3_sub(at.on_pin, placed.origin);
    *out = (carom_surface_contact){.gap = at.gap, .converged = true, .evaluations = 1, .residual = at.residual};
    out->normal = carom_m3_apply(&pose->axes, n);
    out->from_i = carom_m3_apply(&pose->axes, at.on_tube);
    out->from_j = carom_m3_apply(&pose->axes, on_pin);
    for (int k = 0; k < 2; k++) {
        out->curvature_i[k] = at.tube[k];
        out->curvature_j[k] = at.pin[k];
    }
    put_directions(pose, carom_v3(0, 0, 1), n, out->direction_i);
    put_directions(pose, s.axis, at.n, out->direction_j);
    tube->kind->locate(tube->p, at.on_tube, n, &out->hint[0], &out->hint[1]);
    pin->kind->locate(pin->p, carom_m3_apply_t(&placed.axes, on_pin), carom_m3_apply_t(&placed.axes, at.n),
                      &out->hint[2], &out->hint[3]);
}
