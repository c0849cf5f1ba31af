/* Gear i and gear j, involutes on one line of action for each pair of flanks, at any distance of their centres. With
   the base radii Ri, Rj (that of a ring negative), the distance d and direction e of the centres (of a ring from it to
   the gear), angles of a tooth of i against e and of a space of j against -e as arcs qi, qj on the base circles:
       cos w = |Ri + Rj|/d, B = 2 (Ri + Rj) inv w + p - si - sj, u = (qi + qj) modulo p, from -p/2 to p/2,
       gap = B/2 -+ u along n = sin w e +- cos w (k x e),
   with the base pitch p and the tooth thicknesses s on the base circles; u ascends where i turns counterclockwise.
   Point 1 is that of the flanks that counterclockwise motion of i (of a ring and a gear: of the gear) brings together,
   point 2 that of the others. Where the distance of the tip circles is larger, it is the gap.
   Source: docs/theory/gears.md. Yang and Sun 1985, J. Mech. Transm. Autom. Des. 107, 529 (rotary model of a gear pair).
   Validity: equal base pitches; a contact ratio of 1 or more. */
#include <stdio.h>

#include "geometry/involute.h"
#include "kinds/shape/shape.h"

/* Two gears in mesh; `a` is not a ring. */
typedef struct mesh {
    const carom_shape_pose *pose_a, *pose_b;
    bool exchanged; /* a is gear j */
    carom_gear a, b;
    double distance;      /* of the centres */
    carom_vec3 e, across; /* from a's centre to the mesh, and a quarter turn counterclockwise of it */
    double difference;    /* Ra + Rb with their signs */
    double working;       /* working pressure angle w */
    double arc;           /* of a's tooth against e on the base circle, qa */
    double turn;          /* u */
    double backlash;      /* B, along the line of action */
    double tips;          /* gap of the tip circles */
    double begin, end;    /* of the path of contact, from where the line of action leaves a's base circle */
} mesh;

/* Arc on the base circle from a direction to the nearest middle of a tooth, `offset` pitches before it. */
static double arc_of(const carom_shape_pose *pose, const carom_gear *g, carom_vec3 from, double offset)
{
    const carom_vec3 x = carom_m3_column(&pose->axes, 0);
    const double angle = atan2(from.x * x.y - from.y * x.x, from.x * x.x + from.y * x.y),
                 pitch = 2 * CAROM_PI / g->teeth;
    return g->base * remainder(angle + offset * pitch, pitch);
}

static void set_path(mesh *m)
{
    const double between = m->difference * tan(m->working); /* from the one base circle to the other */
    m->begin = fmax(between - m->b.sign * carom_gear_tangent(&m->b, m->b.tip), 0);
    m->end = carom_gear_tangent(&m->a, m->a.tip);
    if (!m->b.ring)
        m->end = fmin(m->end, between);
}

static mesh mesh_of(const carom_shape_pose *i, const carom_shape_pose *j)
{
    const bool exchanged = i->p[CAROM_GEAR_INTERNAL] > 0;
    mesh m = {.pose_a = exchanged ? j : i, .pose_b = exchanged ? i : j, .exchanged = exchanged};
    m.a = carom_gear_of(m.pose_a->p);
    m.b = carom_gear_of(m.pose_b->p);
    const carom_vec3 line = carom_v3_scale(m.b.sign, carom_v3_sub(m.pose_b->origin, m.pose_a->origin));
    m.distance = hypot(line.x, line.y);
    m.e = m.distance > 0 ? carom_v3(line.x / m.distance, line.y / m.distance, 0) : carom_v3(1, 0, 0);
    m.across = carom_v3(-m.e.y, m.e.x, 0);
    m.difference = m.a.base + m.b.sign * m.b.base;
    m.working = m.distance > fabs(m.difference) ? acos(fabs(m.difference) / m.distance) : 0;
    m.arc = arc_of(m.pose_a, &m.a, m.e, 0);
    /* a space of b stands towards a */
    const double other = m.b.sign * arc_of(m.pose_b, &m.b, carom_v3_scale(-m.b.sign, m.e), 0.5);
    m.turn = remainder(m.arc + other, m.a.base_pitch);
    m.backlash =
        2 * m.difference * carom_involute(m.working) + m.a.base_pitch - m.a.base_thickness - m.b.base_thickness;
    m.tips = m.b.ring ? m.b.tip - m.a.tip - m.distance : m.distance - m.a.tip - m.b.tip;
    set_path(&m);
    return m;
}

static double flank_gap(const mesh *m, int point) { return 0.5 * m->backlash + (point ? m->turn : -m->turn); }

/* Normal from a to b, and the point from a's centre halfway between the surfaces. */
static double touch(const mesh *m, int point, carom_vec3 *normal, carom_vec3 *from)
{
    const double side = point ? -1 : 1, gap = flank_gap(m, point);
    if (m->tips > gap) {
        *normal = m->e;
        *from = carom_v3_scale(m->a.tip + 0.5 * m->tips, m->e);
        return m->tips;
    }
    const double c = cos(m->working), s = sin(m->working), middle = 0.5 * (m->begin + m->end);
    const double flank = side * m->arc + 0.5 * m->a.base_thickness + m->a.base * m->working;
    const double place = middle + remainder(flank - middle, m->a.base_pitch);
    *normal = carom_v3_add_scaled(carom_v3_scale(s, m->e), side * c, m->across);
    const carom_vec3 leaves = carom_v3_add_scaled(carom_v3_scale(c, m->e), -side * s, m->across);
    *from = carom_v3_add_scaled(carom_v3_scale(m->a.base, leaves), place + 0.5 * gap, *normal);
    return gap;
}

static void gap_at(const carom_shape_pose *i, const carom_shape_pose *j, int point, carom_pair_point *out)
{
    const mesh m = mesh_of(i, j);
    carom_vec3 normal, from;
    out->gap = touch(&m, point, &normal, &from);
    const carom_vec3 other = carom_v3_add(from, carom_v3_sub(m.pose_a->origin, m.pose_b->origin));
    const double radius = m.a.base * tan(m.working), radius_b = m.b.sign * m.b.base * tan(m.working);
    out->normal = m.exchanged ? carom_v3_neg(normal) : normal;
    out->from_i = m.exchanged ? other : from;
    out->from_j = m.exchanged ? from : other;
    out->point = carom_v3_add(m.pose_a->origin, from);
    out->radius_i = m.exchanged ? radius_b : radius;
    out->radius_j = m.exchanged ? radius : radius_b;
    out->residual = 0;
    out->common = true;
}

static carom_vec3 normal_rate_at(const carom_shape_pose *i, const carom_shape_pose *j, int point)
{
    const mesh m = mesh_of(i, j);
    if (!(m.distance > 0))
        return carom_v3(0, 0, 0);
    const carom_vec3 velocity = carom_v3_scale(m.b.sign, carom_v3_sub(m.pose_b->velocity, m.pose_a->velocity));
    double rate = carom_v3_dot(velocity, m.across) / m.distance; /* of e; that of w is added */
    if (!(m.tips > flank_gap(&m, point)) && m.working > 0)
        rate -= (point ? -1 : 1) * carom_v3_dot(velocity, m.e) / (m.distance * tan(m.working));
    carom_vec3 normal, from;
    touch(&m, point, &normal, &from);
    return carom_v3_scale(m.exchanged ? -rate : rate, carom_v3(-normal.y, normal.x, 0));
}

static const char *check(const double *pi, const double *pj)
{
    const carom_gear i = carom_gear_of(pi), j = carom_gear_of(pj);
    if (i.ring && j.ring)
        return "two rings with teeth inside cannot mesh: one of them must be without `internal`";
    if (fabs(i.base_pitch - j.base_pitch) > 1e-9 * i.base_pitch)
        return "gears mesh where their base pitches, pi module cos(pressure_angle), are equal: give both the same "
               "module and pressure_angle";
    if ((i.ring || j.ring) && !(i.ring ? i.teeth > j.teeth : j.teeth > i.teeth))
        return "the ring must have more teeth than the gear that runs in it";
    return NULL;
}

static double base_pitch(const double *p) { return carom_gear_of(p).base_pitch; }

static int points(const double *pi, const double *pj)
{
    (void)pi;
    (void)pj;
    return 2;
}

static void remark(const carom_shape_pose *i, const carom_shape_pose *j, char *text, size_t size)
{
    const mesh m = mesh_of(i, j);
    const double ratio = (m.end - m.begin) / m.a.base_pitch, between = m.difference * tan(m.working);
    const double sum = m.b.sign * m.distance, round = 1e-9 * m.distance;
    /* between a's tips and b's root circle, b's tips and a's root circle */
    const double clearance = fmin(sum - m.a.tip - m.b.sign * m.b.root, sum - m.a.root - m.b.sign * m.b.tip);
    if (m.tips >= 0)
        return;
    if (!(m.distance > fabs(m.difference)))
        snprintf(
            text, size,
            "the centres are %.6g m apart, and involutes touch from %.6g m on: the gap means nothing here; move a body",
            m.distance, fabs(m.difference));
    else if (clearance < -round)
        snprintf(text, size,
                 "the tips of the teeth reach %.4g m into the root circle, which no contact holds: move the centres, "
                 "or give a larger dedendum",
                 -clearance);
    else if (m.backlash < -round)
        snprintf(text, size,
                 "the teeth are %.4g m thicker than the spaces along the line of action, so that both flanks press: "
                 "move the centres, or give a thinning",
                 -m.backlash);
    else if (ratio < 1)
        snprintf(text, size,
                 "the contact ratio is %.4g, below 1: between two teeth the motion continues as if the involutes were "
                 "longer",
                 ratio);
    else if (between - m.b.sign * carom_gear_tangent(&m.b, m.b.tip) < -round ||
             (!m.b.ring && carom_gear_tangent(&m.a, m.a.tip) > between + round))
        snprintf(text, size,
                 "a tip reaches beyond the point where the line of action leaves the other base circle: the teeth "
                 "interfere there, which is not modelled (contact ratio %.4g without these parts)",
                 ratio);
}

static void curvature(const double *pi, const double *pj, double *radius_i, double *radius_j)
{
    const carom_gear i = carom_gear_of(pi), j = carom_gear_of(pj);
    *radius_i = i.sign * i.base * tan(i.pressure);
    *radius_j = j.sign * j.base * tan(j.pressure);
}

static double feature_size(const double *pi, const double *pj)
{
    (void)pj;
    return 0.5 * base_pitch(pi);
}

const carom_pair_kind carom_pair_gear_gear = {
    .kind = {.name = "gear-gear",
             .title =
                 "Two involute spur gears with backlash, one of which may be a ring (2-D), by both pairs of flanks.",
             .formula =
                 "gap = B/2 -+ u, B = 2 (Ri + Rj) inv w + p - si - sj, cos w = |Ri + Rj|/d, u = (qi + qj) modulo p",
             .source = "Derived in docs/theory/gears.md; Yang and Sun 1985, J. Mech. Transm. Autom. Des. 107, 529.",
             .validity = "Equal base pitches, any distance of the centres at which a tooth is in mesh all the time "
                         "(contact ratio 1 or more). Point 1 is that of the flanks that counterclockwise motion of "
                         "the first gear (of a ring and a gear: of the gear) brings together, point 2 that of the "
                         "others. All teeth in mesh are one contact. The wrench acts along the line of action, on "
                         "the tooth nearest to the middle of the path of contact; laws see the radii of the "
                         "involutes at the pitch point. Tips and roots do not touch; the gap is at least the "
                         "distance of the tip circles, so that gears that are apart have no contact."},
    .shape_i = "gear",
    .shape_j = "gear",
    .varies = true,
    .check = check,
    .checked = "base pitches",
    .checked_size = base_pitch,
    .remark = remark,
    .apart = "turn one of the gears (`angle` of the body, `orientation` of the shape), or move it",
    .points = points,
    .points_word = "flanks",
    .gap_at = gap_at,
    .normal_rate_at = normal_rate_at,
    .curvature = curvature,
    .feature_size = feature_size,
};
