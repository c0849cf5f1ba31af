/* Point on a curve: the origin of frame j stays on a curve that is fixed in frame i, at any orientation: a bead on a
   wire, a roller in a groove, a car on its track.

   c(s) is the curve over its arc length, a = c', b = c'', x the place of the point in frame i, and s that of its foot,
   (x - c) . a = 0, followed from where it was. With e = x - c and m(s), a field across the curve
   (geometry/path/path.h): 2-D: m . e = 0 (1 row). 3-D: m . e = 0, (a x m) . e = 0 (2 rows). Coordinate: s,
   s' = a . x'/(a . a - e . b).
   Source: Pombo, Ambrosio 2003, Multibody Syst. Dyn. 9, 237 (spatial curve joint, tracks as splines over their arc
   length); Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, section 3.4 (point-follower). Valid
   as far as the point is nearer to the curve than its centre of curvature. */
#include "geometry/path/path.h"
#include "kinds/joint/joint.h"

static const carom_param_row parameters[] = {
    {"points", "m", 0, CAROM_PARAM_CORNERS, 0, -HUGE_VAL, HUGE_VAL,
     "Points of the curve in the axes of the first frame; between them runs a cubic spline with continuous curvature, "
     "straight at open ends."},
    {"curve", "m", 0, CAROM_PARAM_CURVE, 0, -HUGE_VAL, HUGE_VAL,
     "Instead of `points`: the components of the curve as expressions of a parameter `u`, smooth, such as "
     "`[R*cos(u), R*sin(u), p*u/(2*pi)]`."},
    {"range", "-", 2, CAROM_PARAM_OPTIONAL, (double)NAN, -HUGE_VAL, HUGE_VAL, "Of `curve`: first and last `u`."},
    {"closed", "false|true", 1, CAROM_PARAM_TEXT, 0, -HUGE_VAL, HUGE_VAL,
     "Whether the curve ends where it begins; its coordinate counts the laps."},
    {"start", "m", 1, CAROM_PARAM_OPTIONAL, (double)NAN, -HUGE_VAL, HUGE_VAL,
     "Arc length near which the point starts, where the curve passes near it several times; without it the nearest."},
};

/* Share of the size of the curve by which the point may be off it, as where bodies are placed roughly, before it is
   looked for on all of the curve. */
#define OFF 0.01

/* ---- the foot ---- */

static carom_vec3 place_in_frame(const carom_frame_pose *i, const carom_frame_pose *j)
{
    return carom_m3_apply_t(&i->axes, carom_v3_sub(j->p, i->p));
}

static double distance(const double *path, carom_vec3 x, double s)
{
    carom_path_point c;
    carom_path_at(path, s, &c);
    return carom_v3_norm(carom_v3_sub(x, c.at));
}

static double follow(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, double near)
{
    const carom_vec3 x = place_in_frame(i, j);
    const double s = carom_path_follow(p, x, near), off = distance(p, x, s), most = OFF * p[CAROM_PATH_SIZE];
    if (!(off > most))
        return s;
    double other = carom_path_nearest(p, x);
    if (!(distance(p, x, other) < off - most))
        return s;
    if (p[CAROM_PATH_CLOSED] > 0)
        other += p[CAROM_PATH_LENGTH] * nearbyint((s - other) / p[CAROM_PATH_LENGTH]);
    return other;
}

/* ---- rows ---- */

/* What the rows share: curve and foot in the axes of i, and the coordinate as a row. */
typedef struct foot {
    carom_path_point c;
    carom_vec3 off, slip;       /* e = x - c; x' */
    double rate;                /* s' */
    carom_row s;
} foot;

/* The row a . (p_j - p_i) of a vector in the axes of i, where that does not change. */
static void along(const carom_frame_pose *i, carom_vec3 a, const carom_frame_pose *j, carom_row *out)
{
    carom_row_along(i, carom_m3_apply(&i->axes, a), j, out);
}

static void add_scaled(carom_row *row, double factor, const carom_row *more)
{
    row->gamma += factor * more->gamma;
    row->Li = carom_v3_add_scaled(row->Li, factor, more->Li);
    row->Ai = carom_v3_add_scaled(row->Ai, factor, more->Ai);
    row->Lj = carom_v3_add_scaled(row->Lj, factor, more->Lj);
    row->Aj = carom_v3_add_scaled(row->Aj, factor, more->Aj);
}

/* From D = a . a - e . b and s' D = a . x':
   s'' D = a . x'' + 2 s' b . x' - 3 s'^2 a . b + s'^2 e . c''' */
static foot foot_at(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, double at)
{
    foot f = {.s = {.gamma = 0}};
    carom_path_at(p, at, &f.c);
    f.off = carom_v3_sub(place_in_frame(i, j), f.c.at);
    const carom_vec3 d = carom_v3_sub(j->p, i->p);
    f.slip = carom_m3_apply_t(&i->axes, carom_v3_sub(carom_v3_sub(j->v, i->v), carom_v3_cross(i->w, d)));
    const carom_vec3 a = f.c.d1, b = f.c.d2;
    const double inverse = 1 / (carom_v3_dot(a, a) - carom_v3_dot(f.off, b));
    f.rate = inverse * carom_v3_dot(a, f.slip);
    carom_row tangent;
    along(i, a, j, &tangent);
    add_scaled(&f.s, inverse, &tangent);
    f.s.phi = at;
    f.s.gamma -= inverse * f.rate *
                 (2 * carom_v3_dot(b, f.slip) +
                  f.rate * (carom_v3_dot(f.off, f.c.d3) - 3 * carom_v3_dot(a, b)));
    return f;
}

/* The row m . e with m and its derivatives by s: with n = m' . e - m . a
   (m . e)'' = m . x'' + n s'' + 2 s' m' . (x' - s' a) + s'^2 (m'' . e - m . b) */
static void across(const foot *f, const carom_frame_pose *i, const carom_frame_pose *j, carom_vec3 m, carom_vec3 m1,
                   carom_vec3 m2, carom_row *out)
{
    along(i, m, j, out);
    add_scaled(out, carom_v3_dot(m1, f->off) - carom_v3_dot(m, f->c.d1), &f->s);
    out->phi = carom_v3_dot(m, f->off);
    out->gamma -= f->rate * (2 * carom_v3_dot(m1, carom_v3_add_scaled(f->slip, -f->rate, f->c.d1)) +
                             f->rate * (carom_v3_dot(m2, f->off) - carom_v3_dot(m, f->c.d2)));
}

static void rows_at(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension, double at,
                    carom_row *out)
{
    const foot f = foot_at(p, i, j, at);
    const carom_path_point *c = &f.c;
    across(&f, i, j, c->across, c->across1, c->across2, out);
    if (dimension < 3)
        return;
    const carom_vec3 m = carom_v3_cross(c->d1, c->across);
    const carom_vec3 m1 = carom_v3_add(carom_v3_cross(c->d2, c->across), carom_v3_cross(c->d1, c->across1));
    const carom_vec3 m2 =
        carom_v3_add(carom_v3_add(carom_v3_cross(c->d3, c->across), carom_v3_cross(c->d1, c->across2)),
                     carom_v3_scale(2, carom_v3_cross(c->d2, c->across1)));
    across(&f, i, j, m, m1, m2, out + 1);
}

static void coordinate_at(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, double at,
                          carom_row *out)
{
    *out = foot_at(p, i, j, at).s;
}

static void rows(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension, carom_row *out)
{
    rows_at(p, i, j, dimension, carom_path_nearest(p, place_in_frame(i, j)), out);
}

static void coordinate(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension,
                       carom_row *out)
{
    (void)dimension;
    coordinate_at(p, i, j, carom_path_nearest(p, place_in_frame(i, j)), out);
}

/* ---- friction: the point rubs along the curve under the force across it ---- */

/* t . x' with the unit tangent t, t' = s' (b - t (t . b))/|a|. */
static int slips(void *user, const double *size, const carom_joint_input *in, int place, carom_row *out)
{
    (void)user;
    (void)size;
    if (place > 0)
        return 0;
    const foot f = foot_at(in->p, in->i, in->j, in->coordinate.phi);
    const double inverse = 1 / carom_v3_norm(f.c.d1);
    const carom_vec3 t = carom_v3_scale(inverse, f.c.d1);
    const carom_vec3 bend =
        carom_v3_scale(inverse, carom_v3_add_scaled(f.c.d2, -carom_v3_dot(f.c.d2, t), t));
    along(in->i, t, in->j, out);
    out->gamma -= f.rate * carom_v3_dot(bend, f.slip);
    return 1;
}

static int bearings(void *user, const double *size, const carom_joint_input *in, int place, carom_vec3 force,
                    carom_vec3 moment, carom_vec3 *out)
{
    (void)user;
    (void)size;
    (void)place;
    (void)moment;
    const carom_vec3 tangent = in->coordinate.Lj;
    out[0] = carom_v3_add_scaled(force, -carom_v3_dot(force, tangent) / carom_v3_dot(tangent, tangent), tangent);
    return 1;
}

static const carom_joint_friction_kind friction = {
    .slip_types = CAROM_SLIPS_SLIDE, .slips = slips, .bearings = bearings};

const carom_joint_kind carom_joint_point_on_curve = {
    .kind = {
        .name = "point-on-curve",
        .aliases = "point-curve",
        .title = "Bead on a wire, roller in a groove: the second point moves on a curve that is fixed on the first "
                 "body, and the bodies turn freely.",
        .formula = "c(s) the curve over its arc length, x the second point as the first frame sees it, s that of its "
                   "foot: (x - c) . c' = 0. 2-D: m . (x - c) = 0. 3-D: m . (x - c) = 0, (c' x m) . (x - c) = 0, m a "
                   "vector across the curve. Coordinate: s.",
        .source = "Pombo, Ambrosio 2003, Multibody Syst. Dyn. 9, 237; Haug 1989, Computer Aided Kinematics and "
                  "Dynamics of Mechanical Systems, section 3.4 (point-follower)",
        .validity = "The curve is given in the axes of the first frame, by points or by expressions, and must be "
                    "smooth: its curvature is continuous. The coordinate is the arc length from its first point [m], "
                    "of a closed curve over any number of laps. It is followed from where it was, so that a curve may "
                    "cross itself. At both ends of an open curve there are stops, `limits` at 0 and at its length, "
                    "unless `limits` or a motion are given; beyond them it goes on straight.",
        .params = parameters,
        .param_count = sizeof parameters / sizeof parameters[0],
    },
    .rows_2d = 1,
    .rows_3d = 2,
    .coordinate_unit = "m",
    .rows = rows,
    .coordinate = coordinate,
    .follow = follow,
    .rows_at = rows_at,
    .coordinate_at = coordinate_at,
    .friction = &friction,
};
