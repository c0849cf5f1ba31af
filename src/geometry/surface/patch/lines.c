/* Lines of contact: two cylinders or capsules side by side, or one of them along the edge of a box. The common length
   of both lines bears where it ends, with one law at each end, so that it carries a moment, whatever turns: a place is
   an end of either line over the other solid, with the exact distance of the two at any tilt.
     a capsule's round end or a box's corner: a ball about a point, over the axis of the other line;
     the rim of a cylinder: a ring about its axis a, whose point P = C + r e lies where the common normal of its tangent
     t = a x e and of the axis of the other line goes through a; found by repetition, e from the foot on that axis.
   Over an edge the normal is that of the distance of a wedge: where it points more along a face than its normal does,
   the face is touched. Where ends of both lines lie next to each other they share the law.
   Lines that cross at an angle theta are nearest between the ends, by the sagitta (theta L)^2/(8 D) of the common
   length L, with the sum D of the radii. From a sagitta on that is a small share of D the point where they cross bears
   in place of the ends, and beyond another share alone: force and moment are continuous in the pose.
   Source: Ericson 2005, Real-Time Collision Detection, section 5.1.8 (nearest points of two lines); the shares are made
   here. */
#include "geometry/surface/patch/lines.h"

#include "base/base.h"
#include "geometry/surface/patch/face.h"

/* Cosines of the angle between two lines below which they have no common length. */
#define ALONG 0.9
/* Share of the sum of the radii, or of a length that is less, from which common length on both ends bear a whole law:
   half of it where there is hardly any. */
#define LONG 0.3
/* Tilts in the plane of both lines, and sagittas over the sum of the radii: from where on the ends bear less, not at
   all. */
#define FLAT 0.08
#define STEEP 0.25
#define STRAIGHT 1e-6
#define BENT 1e-4
/* Depths over the common length or the sum of the radii: from where on the ends bear less, and another side of the
   solids is nearer. */
#define SHALLOW 0.3
#define DEEP 0.6
/* Share of the common length within which ends of both lines lie next to each other. */
#define FLUSH 0.02
/* Ends that lie beyond the other line leave it by so much of their distance from its end. */
#define AWAY 10
/* Lines whose directions differ by less do not cross. */
#define PARALLEL 1e-9
#define ROUNDS 40

static bool has_axis(const carom_surface *a)
{
    return (a->kind == &carom_surface_cylinder && !a->hollow) || carom_surface_is_capsule(a);
}

int carom_lines_count(const carom_surface *i, const carom_surface *j)
{
    const bool first = has_axis(i), second = has_axis(j);
    return (first && (second || carom_surface_is_box(j))) || (second && carom_surface_is_box(i)) ? 4 : 0;
}

/* ---- the two lines ---- */

static carom_vec3 across_of(carom_vec3 x, carom_vec3 along)
{
    return carom_v3_add_scaled(x, -carom_v3_dot(x, along), along);
}

static carom_vec3 point_at(const carom_line *line, double s)
{
    return carom_v3_add_scaled(line->middle, s, line->along);
}

/* The point of a line at a place along another direction. */
static carom_vec3 point_beside(const carom_line *line, carom_vec3 along, double place)
{
    return point_at(line, (place - carom_v3_dot(line->middle, along)) / carom_v3_dot(line->along, along));
}

static void axis_line(const carom_surface *a, const carom_surface_placed *placed, carom_line *out)
{
    const bool capsule = carom_surface_is_capsule(a);
    *out = (carom_line){.middle = placed->origin, .along = carom_m3_column(&placed->axes, 2), .radius = a->p[0]};
    out->rim = capsule ? a->p[0] : a->p[2];
    out->ring = out->radius - out->rim;
    out->half = capsule ? a->p[1] : a->p[1] - out->rim;
}

/* The edge of a box that looks at the middle of what lies beside it of another line; false: none is along that. */
static bool edge_line(const carom_surface *a, const carom_surface_placed *placed, const carom_line *by, carom_line *out)
{
    const carom_vec3 from = carom_m3_apply_t(&placed->axes, carom_v3_sub(by->middle, placed->origin));
    const carom_vec3 along = carom_m3_apply_t(&placed->axes, by->along);
    const double x[3] = {from.x, from.y, from.z}, d[3] = {along.x, along.y, along.z}, edge = a->p[3];
    int k = 0;
    for (int n = 1; n < 3; n++)
        k = fabs(d[n]) > fabs(d[k]) ? n : k;
    if (!(fabs(d[k]) > ALONG))
        return false;
    const double low = fmax(x[k] - by->half * fabs(d[k]), -a->p[k]);
    const double high = fmin(x[k] + by->half * fabs(d[k]), a->p[k]), s = (0.5 * (low + high) - x[k]) / d[k];
    *out = (carom_line){.middle = placed->origin, .along = carom_m3_column(&placed->axes, k), .edge = true};
    for (int n = 1; n < 3; n++) {
        const int axis = (k + n) % 3, sign = x[axis] + s * d[axis] < 0 ? -1 : 1;
        out->face[n - 1] = carom_v3_scale(sign, carom_m3_column(&placed->axes, axis));
        out->middle = carom_v3_add_scaled(out->middle, a->p[axis] - edge, out->face[n - 1]);
    }
    out->radius = out->rim = edge;
    out->half = a->p[k] - edge;
    return true;
}

/* The face of an edge towards which its distance lies beyond the normal of that, `out` being out of the edge; -1: the
   edge itself is nearest; 2: neither, within the material. */
static int face_under(const carom_line *edge, carom_vec3 out)
{
    const bool first = carom_v3_dot(out, edge->face[1]) < 0, second = carom_v3_dot(out, edge->face[0]) < 0;
    return !edge->edge ? -1 : first && second ? 2 : first ? 0 : second ? 1 : -1;
}

/* How much the ends of the common length bear, and which part of a law each. */
static double weight_of(carom_lines *l)
{
    const carom_line *a = &l->side[0], *b = &l->side[1];
    const double middle = 0.5 * (l->low + l->high), length = l->high - l->low, sum = a->radius + b->radius;
    const carom_vec3 on_a = point_beside(a, l->common, middle), on_b = point_beside(b, l->common, middle);
    const carom_vec3 d = carom_v3_sub(on_b, on_a);
    const double distance = carom_v3_norm(d);
    if (!(distance > 0))
        return 0;
    const carom_vec3 n = carom_v3_scale(1 / distance, d);
    l->across = n;
    const carom_line *edge = a->edge ? a : b;
    if (face_under(edge, edge == a ? n : carom_v3_neg(n)) == 2)
        return 0;
    const carom_vec3 turn = carom_v3_add_scaled(a->along, -l->sense, b->along);
    const double tilt = fabs(carom_v3_dot(turn, n));
    const double angle = carom_v3_dot(turn, carom_v3_cross(l->common, n));
    const double bent = angle * angle * length * length / (8 * sum);
    const double least = fmin(sum, 2 * fmin(a->half + a->rim, b->half + b->rim));
    const double shallow = 1 - carom_ramp((sum - distance) / fmin(length, sum), SHALLOW, DEEP);
    l->deep = 1 - shallow;
    l->tilted = tilt > FLAT || shallow < 1;
    l->part = 0.5 + 0.5 * shallow * carom_ramp(length / least, 0, LONG);
    return shallow * (1 - carom_ramp(tilt, FLAT, STEEP)) * (1 - carom_ramp(bent / sum, STRAIGHT, BENT));
}

void carom_lines_find(const carom_surface *i, const carom_surface *j, const carom_surface_placed *placed,
                      carom_lines *out)
{
    const carom_surface_placed here = {carom_m3_identity(), {0, 0, 0}};
    out->weight = out->deep = 0;
    out->tilted = false;
    if (carom_lines_count(i, j) == 0)
        return;
    if (has_axis(i))
        axis_line(i, &here, &out->side[0]);
    if (has_axis(j))
        axis_line(j, placed, &out->side[1]);
    if ((!has_axis(i) && !edge_line(i, &here, &out->side[1], &out->side[0])) ||
        (!has_axis(j) && !edge_line(j, placed, &out->side[0], &out->side[1])))
        return;
    const carom_line *a = &out->side[0], *b = &out->side[1];
    const double cosine = carom_v3_dot(a->along, b->along);
    if (!(fabs(cosine) > ALONG))
        return;
    out->sense = cosine < 0 ? -1 : 1;
    out->common = carom_unit(carom_v3_add_scaled(a->along, out->sense, b->along));
    out->low = -HUGE_VAL;
    out->high = HUGE_VAL;
    for (int k = 0; k < 2; k++) {
        const carom_line *line = &out->side[k];
        const double at = carom_v3_dot(line->middle, out->common);
        const double half = line->half * fabs(carom_v3_dot(line->along, out->common));
        out->low = fmax(out->low, at - half);
        out->high = fmin(out->high, at + half);
    }
    if (out->high > out->low)
        out->weight = weight_of(out);
}

/* ---- places ---- */

/* The solid of the point and the one that it lies over. */
typedef struct touch {
    carom_vec3 normal, point, foot;     /* from the point's solid; on both */
    double gap;
    double point_curvature[2], foot_curvature[2];
    carom_vec3 point_direction[2], foot_direction[2];
} touch;

static double curvature_of(double radius) { return radius > 0 ? 1 / radius : HUGE_VAL; }

/* Curvatures of a line in the tangent plane of n: along it and across. */
static void put_line(carom_vec3 along, double radius, carom_vec3 n, double *curvature, carom_vec3 *direction)
{
    direction[1] = carom_unit(carom_v3_cross(n, along));
    direction[0] = carom_v3_cross(direction[1], n);
    curvature[0] = 0;
    curvature[1] = curvature_of(radius);
}

/* Curvatures of a ring with the direction e from its middle to its point, or of a ball. */
static void put_end(const carom_line *of, carom_vec3 n, carom_vec3 e, touch *out)
{
    const double outward = carom_v3_dot(n, e);
    out->point_direction[0] = carom_unit(carom_v3_cross(of->along, of->ring > 0 ? e : n));
    out->point_direction[1] = carom_v3_cross(n, out->point_direction[0]);
    out->point_curvature[1] = curvature_of(of->rim);
    out->point_curvature[0] = of->ring > 0 ? outward / (of->ring + of->rim * outward) : out->point_curvature[1];
}

/* Over a face of the other solid's edge. */
static void over_face(const carom_line *of, carom_vec3 end, const carom_line *edge, int face, touch *out)
{
    const carom_vec3 n = carom_v3_neg(edge->face[face]), e = carom_unit(across_of(n, of->along));
    const carom_vec3 middle = carom_v3_add_scaled(end, of->ring, e);
    out->normal = n;
    put_end(of, n, e, out);
    out->gap = carom_v3_dot(carom_v3_sub(edge->middle, middle), n) - of->rim - edge->radius;
    out->point = carom_v3_add_scaled(middle, of->rim, n);
    out->foot = carom_v3_add_scaled(out->point, out->gap, n);
    put_line(edge->along, edge->radius, n, out->foot_curvature, out->foot_direction);
    out->foot_curvature[1] = 0;
}

/* The corner of a box, where the edge along a face ends, over the line of a round solid. */
static void face_edge(const carom_line *edge, carom_vec3 end, int face, const carom_line *over, touch *out)
{
    const carom_vec3 u = edge->face[1 - face], v = over->along, w = carom_v3_cross(u, v);
    const double square = carom_v3_dot(w, w);
    const carom_vec3 d = carom_v3_sub(over->middle, end);
    const double s = carom_v3_dot(carom_v3_cross(d, v), w) / square, t = carom_v3_dot(carom_v3_cross(d, u), w) / square;
    out->normal = carom_v3_scale((carom_v3_dot(w, edge->face[face]) < 0 ? -1 : 1) / sqrt(square), w);
    out->gap = carom_v3_dot(d, out->normal) - edge->rim - over->radius;
    out->point = carom_v3_add_scaled(carom_v3_add_scaled(end, s, u), edge->rim, out->normal);
    out->foot = carom_v3_add_scaled(point_at(over, t), -over->radius, out->normal);
    put_line(u, edge->rim, out->normal, out->point_curvature, out->point_direction);
    put_line(v, over->radius, out->normal, out->foot_curvature, out->foot_direction);
}

/* A ball about the end of a line over another line. */
static void ball_over(const carom_line *of, carom_vec3 end, const carom_line *over, touch *out)
{
    const carom_vec3 d = carom_v3_sub(over->middle, end), w = across_of(d, over->along);
    out->normal = carom_unit(w);
    out->gap = carom_v3_norm(w) - of->rim - over->radius;
    out->point = carom_v3_add_scaled(end, of->rim, out->normal);
    out->foot = carom_v3_add_scaled(out->point, out->gap, out->normal);
    put_line(over->along, over->radius, out->normal, out->foot_curvature, out->foot_direction);
    put_end(of, out->normal, out->normal, out);
}

/* The ring about the end of a cylinder over another line. */
static void ring_over(const carom_line *of, carom_vec3 end, const carom_line *over, touch *out)
{
    const carom_vec3 a = of->along, b = over->along;
    const double along = carom_v3_dot(a, carom_v3_sub(end, over->middle)) / carom_v3_dot(a, b);
    carom_vec3 foot = point_at(over, along), e = carom_unit(carom_v3_sub(foot, end)), t = carom_v3_cross(a, e), n = e;
    for (int round = 0; round < ROUNDS; round++) {
        const carom_vec3 d = carom_v3_sub(over->middle, carom_v3_add_scaled(end, of->ring, e));
        const carom_vec3 w = carom_v3_cross(t, b);
        n = carom_v3_scale((carom_v3_dot(w, e) < 0 ? -1 : 1) / carom_v3_norm(w), w);
        foot = point_at(over, carom_v3_dot(carom_v3_cross(d, t), w) / carom_v3_dot(w, w));
        out->gap = carom_v3_dot(d, n) - of->rim - over->radius;
        const carom_vec3 next = carom_unit(across_of(carom_v3_sub(foot, end), a));
        const double change = carom_v3_norm(carom_v3_sub(next, e));
        if (!(change > 1e-15))
            break;
        e = next;
        t = carom_v3_cross(a, e);
    }
    out->normal = n;
    out->point = carom_v3_add_scaled(carom_v3_add_scaled(end, of->ring, e), of->rim, n);
    out->foot = carom_v3_add_scaled(foot, -over->radius, n);
    put_end(of, n, e, out);
    put_line(b, over->radius, n, out->foot_curvature, out->foot_direction);
}

static void put_touch(const touch *t, bool second, carom_surface_contact *out)
{
    *out = (carom_surface_contact){.gap = t->gap, .converged = true};
    out->normal = second ? carom_v3_neg(t->normal) : t->normal;
    out->from_i = second ? t->foot : t->point;
    out->from_j = second ? t->point : t->foot;
    for (int k = 0; k < 2; k++) {
        out->curvature_i[k] = second ? t->foot_curvature[k] : t->point_curvature[k];
        out->curvature_j[k] = second ? t->point_curvature[k] : t->foot_curvature[k];
        out->direction_i[k] = second ? t->foot_direction[k] : t->point_direction[k];
        out->direction_j[k] = second ? t->point_direction[k] : t->foot_direction[k];
    }
}

static carom_vec3 end_of(const carom_lines *l, int side, int end)
{
    return point_at(&l->side[side], end ? l->side[side].half : -l->side[side].half);
}

/* Along the common direction, of the point of a ring that is nearest to the other line. */
static double rim_place(const carom_lines *l, int side, int end)
{
    const carom_line *of = &l->side[side];
    const carom_vec3 out = across_of(carom_v3_scale(side ? -1 : 1, l->across), of->along);
    return carom_v3_dot(l->common, carom_v3_add_scaled(end_of(l, side, end), of->ring, carom_unit(out)));
}

/* The share of an end, and whether it is the one of both that lies over the other line. */
static double end_at(const carom_lines *lines, int number, carom_surface_contact *out, bool *bears)
{
    const int side = number / 2, end = number % 2, other = lines->sense > 0 ? end : 1 - end;
    const carom_line *of = &lines->side[side], *over = &lines->side[1 - side];
    const carom_vec3 at = end_of(lines, side, end);
    touch t = {.gap = 0};
    if (of->ring > 0)
        ring_over(of, at, over, &t);
    else
        ball_over(of, at, over, &t);
    const int below = face_under(over, carom_v3_neg(t.normal)), beside = face_under(of, t.normal);
    if (below == 0 || below == 1)
        over_face(of, at, over, below, &t);
    else if (beside == 0 || beside == 1)
        face_edge(of, at, beside, over, &t);
    put_touch(&t, side == 1, out);
    /* outwards along the common direction */
    const double way = (side == 0 ? 1 : lines->sense) * (end ? 1 : -1);
    const double beyond = way * (rim_place(lines, side, end) - rim_place(lines, 1 - side, other));
    const double band = FLUSH * (lines->high - lines->low);
    out->gap += AWAY * fmax(beyond - band, 0);
    *bears = beyond <= 0;
    return lines->part * (1 - carom_ramp(beyond, -band, band));
}

double carom_lines_end(const carom_lines *lines, int number, carom_surface_contact *out)
{
    bool bears;
    return end_at(lines, number, out, &bears);
}

/* Where the lines cross; false: they do not between their ends, or in front of a face of an edge. */
static bool crossing(const carom_lines *l, carom_surface_contact *out)
{
    const carom_line *a = &l->side[0], *b = &l->side[1];
    const carom_vec3 w = carom_v3_cross(a->along, b->along), d = carom_v3_sub(b->middle, a->middle);
    const double sine = carom_v3_norm(w);
    if (!(sine > PARALLEL))
        return false;
    const double s = carom_v3_dot(carom_v3_cross(d, b->along), w) / (sine * sine);
    const double t = carom_v3_dot(carom_v3_cross(d, a->along), w) / (sine * sine), at = carom_v3_dot(d, w) / sine;
    const carom_vec3 on_a = point_at(a, s), n = carom_v3_scale((at < 0 ? -1 : 1) / sine, w);
    const double place = carom_v3_dot(on_a, l->common);
    const carom_line *edge = a->edge ? a : b;
    if (!(place > l->low && place < l->high) || face_under(edge, edge == a ? n : carom_v3_neg(n)) >= 0)
        return false;
    touch c = {.normal = n, .gap = fabs(at) - a->radius - b->radius};
    c.point = carom_v3_add_scaled(on_a, a->radius, n);
    c.foot = carom_v3_add_scaled(point_at(b, t), -b->radius, n);
    put_line(a->along, a->radius, n, c.point_curvature, c.point_direction);
    put_line(b->along, b->radius, n, c.foot_curvature, c.foot_direction);
    put_touch(&c, false, out);
    return true;
}

void carom_lines_least(const carom_lines *lines, carom_surface_contact *out)
{
    if (crossing(lines, out))
        return;
    carom_surface_contact at;
    bool bears;
    out->gap = HUGE_VAL;
    for (int end = 0; end < 4; end++)
        if (end_at(lines, end, &at, &bears) > 0 && bears && at.gap < out->gap)
            *out = at;
}

void carom_lines_straighten(const carom_shape_pose *pose_i, const carom_lines *lines, carom_surface_contact *c)
{
    const carom_vec3 common = carom_m3_apply(&pose_i->axes, lines->common);
    for (int side = 0; side < 2; side++) {
        double *curvature = side ? c->curvature_j : c->curvature_i;
        const bool flat = curvature[0] == 0 && curvature[1] == 0;
        put_line(common, lines->side[side].radius, c->normal, curvature,
                 side ? c->direction_j : c->direction_i);
        curvature[1] = flat ? 0 : curvature[1];
    }
}
