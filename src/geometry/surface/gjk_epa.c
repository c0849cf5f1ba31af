/* Largest separation of two convex solids along a direction: min over n of f(n) = max (x_i - x_j) . n. A polytope is
   grown within the Minkowski difference of the solids by its support points x_i - x_j; the least f of the polytope
   bounds that of the solids from below and is met at a face (origin inside) or against its point nearest to the
   origin (outside), and the support there is the next corner.
   Source: Gilbert, Johnson & Keerthi 1988; van den Bergen 2001 (expanding polytope). */
#include "geometry/surface/surface.h"

/* Of the size of the bodies: below, a corner does not grow the polytope. */
#define FLAT 1e-12
/* Of it: rounding of a distance. Over a face the direction is its normal: rounding turns that of a short distance
   more. */
#define ROUNDING 1e-14
/* A support that goes so far makes a corner of the first polytope. */
#define FAR 1e-3

static carom_vec3 support(carom_gjk *hull, carom_vec3 n, carom_vec3 *x_i, carom_vec3 *x_j)
{
    const carom_mat3 *axes = &hull->placed.axes;
    *x_i = hull->i->kind->support(hull->i->p, n);
    *x_j = hull->placed.origin;
    if (hull->j) {
        const carom_vec3 there = carom_m3_apply_t(axes, carom_v3_neg(n));
        *x_j = carom_v3_add(*x_j, carom_m3_apply(axes, hull->j->kind->support(hull->j->p, there)));
    }
    hull->evaluations++;
    return carom_v3_sub(*x_i, *x_j);
}

/* A face out of three corners; of one without area the normal is 0 and it is never met. */
static void set_face(carom_gjk *hull, int f, int a, int b, int c)
{
    const carom_vec3 wa = hull->vertex[a].w, ab = carom_v3_sub(hull->vertex[b].w, wa);
    const carom_vec3 ac = carom_v3_sub(hull->vertex[c].w, wa);
    const carom_vec3 area = carom_v3_cross(ab, ac);
    const double twice = carom_v3_norm(area);
    hull->face[f].corner[0] = a;
    hull->face[f].corner[1] = b;
    hull->face[f].corner[2] = c;
    if (twice > FLAT * hull->size * fmax(carom_v3_norm(ab), carom_v3_norm(ac))) {
        hull->face[f].normal = carom_v3_scale(1 / twice, area);
        hull->face[f].offset = carom_v3_dot(hull->face[f].normal, wa);
    } else {
        hull->face[f].normal = carom_v3(0, 0, 0);
        hull->face[f].offset = HUGE_VAL;
    }
}

static bool put_vertex(carom_gjk *hull, carom_vec3 n)
{
    const int k = hull->vertices;
    if (k >= CAROM_HULL_VERTICES)
        return false;
    hull->vertex[k].w = support(hull, n, &hull->vertex[k].x_i, &hull->vertex[k].x_j);
    hull->vertices++;
    return true;
}

/* The support that goes farthest from the first one, of those along some directions: of the first that goes far. */
static void put_farthest(carom_gjk *hull, const carom_vec3 *along, int count)
{
    const int k = hull->vertices;
    double most = -HUGE_VAL;
    int best = k;
    for (int m = 0; m < count && !(most >= FAR * hull->size); m++) {
        put_vertex(hull, along[m]);
        const double way = carom_v3_dot(along[m], carom_v3_sub(hull->vertex[k + m].w, hull->vertex[0].w));
        if (way > most) {
            most = way;
            best = k + m;
        }
    }
    hull->vertex[k] = hull->vertex[best];
    hull->vertices = k + 1;
}

/* Supports along x, away from it, across the line of both and off the plane of the three. Where a side of the solids
   lies along the line, or a face in the plane, the support may be on them, and the other ways are tried. */
void carom_gjk_start(carom_gjk *hull, const carom_surface *i, const carom_surface *j,
                              const carom_surface_placed *placed)
{
    hull->i = i;
    hull->j = j;
    hull->placed = *placed;
    hull->size = i->kind->bounding_radius(i->p) + (j ? j->kind->bounding_radius(j->p) : 0);
    hull->vertices = hull->faces = hull->evaluations = 0;
    put_vertex(hull, carom_v3(1, 0, 0));
    put_vertex(hull, carom_v3(-1, 0, 0));
    const carom_mat3 axes = carom_m3_axes(carom_v3_sub(hull->vertex[1].w, hull->vertex[0].w), carom_v3(0, 1, 0));
    const carom_vec3 x = carom_m3_column(&axes, 0), y = carom_m3_column(&axes, 1);
    put_farthest(hull, (carom_vec3[]){x, carom_v3_neg(x), y, carom_v3_neg(y)}, 4);
    carom_vec3 up = carom_v3_cross(carom_v3_sub(hull->vertex[1].w, hull->vertex[0].w),
                                   carom_v3_sub(hull->vertex[2].w, hull->vertex[0].w));
    up = carom_v3_scale(1 / carom_v3_norm(up), up);
    put_farthest(hull, (carom_vec3[]){up, carom_v3_neg(up)}, 2);
    const double height = carom_v3_dot(up, carom_v3_sub(hull->vertex[3].w, hull->vertex[0].w));
    static const int face[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    for (int f = 0; f < 4; f++)
        set_face(hull, f, face[f][0], face[f][height > 0 ? 1 : 2], face[f][height > 0 ? 2 : 1]);
    hull->faces = 4;
}

/* Shares of the corners in the point of a triangle nearest to the origin (Ericson 2005, section 5.1.5). */
static void nearest_shares(carom_vec3 a, carom_vec3 b, carom_vec3 c, double *share)
{
    const carom_vec3 ab = carom_v3_sub(b, a), ac = carom_v3_sub(c, a);
    const double d1 = -carom_v3_dot(ab, a), d2 = -carom_v3_dot(ac, a);
    const double d3 = -carom_v3_dot(ab, b), d4 = -carom_v3_dot(ac, b);
    const double d5 = -carom_v3_dot(ab, c), d6 = -carom_v3_dot(ac, c);
    const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    share[0] = share[1] = share[2] = 0;
    if (d1 <= 0 && d2 <= 0) {
        share[0] = 1;
    } else if (d3 >= 0 && d4 <= d3) {
        share[1] = 1;
    } else if (d6 >= 0 && d5 <= d6) {
        share[2] = 1;
    } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        share[1] = d1 / (d1 - d3);
        share[0] = 1 - share[1];
    } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        share[2] = d2 / (d2 - d6);
        share[0] = 1 - share[2];
    } else if (va <= 0 && d4 >= d3 && d5 >= d6) {
        share[2] = (d4 - d3) / (d4 - d3 + d5 - d6);
        share[1] = 1 - share[2];
    } else {
        const double sum = va + vb + vc;
        share[1] = vb / sum;
        share[2] = vc / sum;
        share[0] = 1 - share[1] - share[2];
    }
}

static carom_vec3 mix(const double *share, carom_vec3 a, carom_vec3 b, carom_vec3 c)
{
    return carom_v3_add_scaled(carom_v3_add_scaled(carom_v3_scale(share[0], a), share[1], b), share[2], c);
}

static bool is_known(carom_vec3 n, const carom_surface_known *known, int count)
{
    for (int k = 0; k < count; k++)
        if (carom_v3_dot(n, known[k].normal) > known[k].cosine)
            return true;
    return false;
}

/* The point of a face that is nearest to the origin, and its shares of the corners. */
static carom_vec3 nearest_of_face(const carom_gjk *hull, int f, double *share)
{
    const int *corner = hull->face[f].corner;
    const carom_vec3 a = hull->vertex[corner[0]].w, b = hull->vertex[corner[1]].w, c = hull->vertex[corner[2]].w;
    nearest_shares(a, b, c, share);
    return mix(share, a, b, c);
}

static void points_of(const carom_gjk *hull, int f, const double *share, carom_surface_guess *out)
{
    const int *corner = hull->face[f].corner;
    out->x_i = mix(share, hull->vertex[corner[0]].x_i, hull->vertex[corner[1]].x_i, hull->vertex[corner[2]].x_i);
    out->x_j = mix(share, hull->vertex[corner[0]].x_j, hull->vertex[corner[1]].x_j, hull->vertex[corner[2]].x_j);
}

/* Origin outside: from the nearest point of the polytope to it. Faces in whose plane it lies count, as the point may be
   in one that is beside another in the same plane. */
static void best_outside(const carom_gjk *hull, carom_surface_guess *out)
{
    out->bound = HUGE_VAL;
    for (int f = 0; f < hull->faces; f++) {
        if (hull->face[f].offset > FLAT * hull->size)
            continue;
        double share[3];
        const carom_vec3 w = nearest_of_face(hull, f, share);
        const double distance = carom_v3_norm(w);
        if (distance >= out->bound)
            continue;
        out->bound = distance;
        const bool over = distance <= fmax(1e-9 * hull->size, ROUNDING * hull->size - hull->face[f].offset);
        out->normal = over ? hull->face[f].normal : carom_v3_scale(-1 / distance, w);
        points_of(hull, f, share, out);
    }
}

/* Of faces that tie with the best one, as the triangles of one flat face of the difference do, the one whose point is
   nearest to the origin: that point is over the foot of the origin, and those of both bodies are over each other. */
static int nearest_tied(const carom_gjk *hull, const carom_surface_known *known, int count, int best)
{
    double least = HUGE_VAL;
    int found = best;
    for (int f = 0; f < hull->faces; f++) {
        if (hull->face[f].offset > hull->face[best].offset + FLAT * hull->size ||
            is_known(hull->face[f].normal, known, count))
            continue;
        double share[3];
        const double distance = carom_v3_norm(nearest_of_face(hull, f, share));
        if (distance >= least)
            continue;
        least = distance;
        found = f;
    }
    return found;
}

bool carom_gjk_best(const carom_gjk *hull, const carom_surface_known *known, int count,
                             carom_surface_guess *out)
{
    double best = HUGE_VAL;
    int found = -1;
    for (int f = 0; f < hull->faces; f++) {
        if (hull->face[f].offset < -FLAT * hull->size) {
            best_outside(hull, out);
            out->known = is_known(out->normal, known, count);
            return true;
        }
        if (hull->face[f].offset < best && !is_known(hull->face[f].normal, known, count)) {
            best = hull->face[f].offset;
            found = f;
        }
    }
    if (found < 0)
        return false;
    found = nearest_tied(hull, known, count, found);
    double share[3];
    (void)nearest_of_face(hull, found, share);
    points_of(hull, found, share, out);
    out->normal = hull->face[found].normal;
    out->bound = -best;
    out->known = false;
    return true;
}

/* Removes the faces seen from corner k, whose rim of directed sides is collected, and joins the rim to the corner. */
bool carom_gjk_grow(carom_gjk *hull, carom_vec3 n, double *separation)
{
    const int k = hull->vertices;
    int rim[CAROM_HULL_FACES][2], sides = 0;
    if (!put_vertex(hull, n))
        return false;
    const carom_vec3 w = hull->vertex[k].w;
    *separation = -carom_v3_dot(w, n);
    for (int f = 0; f < hull->faces;) {
        if (!(carom_v3_dot(hull->face[f].normal, w) > hull->face[f].offset + FLAT * hull->size)) {
            f++;
            continue;
        }
        for (int s = 0; s < 3; s++) {
            const int a = hull->face[f].corner[s], b = hull->face[f].corner[(s + 1) % 3];
            int twin = 0;
            while (twin < sides && !(rim[twin][0] == b && rim[twin][1] == a))
                twin++;
            if (twin < sides) {
                sides--;
                rim[twin][0] = rim[sides][0];
                rim[twin][1] = rim[sides][1];
            } else if (sides < CAROM_HULL_FACES) {
                rim[sides][0] = a;
                rim[sides++][1] = b;
            }
        }
        hull->face[f] = hull->face[--hull->faces];
    }
    if (sides == 0) {
        hull->vertices--;
        return false;
    }
    if (hull->faces + sides > CAROM_HULL_FACES)
        return false;
    for (int s = 0; s < sides; s++)
        set_face(hull, hull->faces++, rim[s][0], rim[s][1], k);
    return true;
}

/* Whatever rounding makes of faces that are nearly in one plane, the separation along any direction is a lower bound of
   the largest one: of all directions that were tried the best one is the answer. */
double carom_gjk_least(carom_gjk *hull, double exact, int growth, carom_surface_guess *out)
{
    double most = -HUGE_VAL;
    carom_surface_guess guess = *out;
    for (int k = 0; k < growth && carom_gjk_best(hull, NULL, 0, &guess); k++) {
        double separation = -HUGE_VAL;
        const bool grown = carom_gjk_grow(hull, guess.normal, &separation);
        if (separation > most) {
            most = separation;
            *out = guess;
        }
        if (!grown || guess.bound - separation <= exact * hull->size)
            break;
    }
    return most > -HUGE_VAL ? most : 0;
}
