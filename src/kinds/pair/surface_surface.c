/* Two surfaces: the common-normal equations d x n_i = 0, n_j x n_i = 0 of the points with the least gap; of a pin, a
   cylinder or capsule thinner than the bore of a tube, two points, at the ends of what lies in the tube. The wrench
   acts halfway between the surfaces.
   Source: Machado et al. 2012, section 3, eqs. (7)-(13); Rodrigues da Silva et al. 2024, section 3.1.
   Validity: one of the two at most is hollow. */
#include "geometry/surface/on_box.h"
#include "geometry/surface/patch/least.h"
#include "geometry/surface/patch/patch.h"
#include "kinds/shape/shape_solid.h"

#include <stdio.h>

/* 0: no pin in a tube; 1: i is the tube; 2: j is. */
static int tube_of(const double *pi, const double *pj)
{
    const carom_surface i = carom_solid_surface(pi), j = carom_solid_surface(pj);
    const carom_surface *tube = i.kind == &carom_surface_tube ? &i : &j, *pin = tube == &i ? &j : &i;
    if (tube->kind != &carom_surface_tube || pin->hollow || !(pin->p[0] < tube->p[0]) ||
        (pin->kind != &carom_surface_cylinder && pin->kind != &carom_surface_capsule))
        return 0;
    return tube == &i ? 1 : 2;
}

static const char *check(const double *pi, const double *pj)
{
    const carom_surface i = carom_solid_surface(pi), j = carom_solid_surface(pj);
    const char *refusal = carom_surface_pair_check(&i, &j);
    if (refusal)
        return refusal;
    if ((i.hollow && carom_solid_inner_radius(pj) >= carom_solid_inner_radius(pi)) ||
        (j.hollow && carom_solid_inner_radius(pi) >= carom_solid_inner_radius(pj)))
        return "the solid does not fit into the hollow: it is thicker than the hollow is wide";
    return NULL;
}

static bool boxes(const double *pi, const double *pj)
{
    const carom_surface i = carom_solid_surface(pi), j = carom_solid_surface(pj);
    return i.kind == &carom_surface_box && j.kind == &carom_surface_box && !i.hollow && !j.hollow;
}

/* Places of two solids with faces, but for two boxes; 0: they are others. */
static int patch_places(const double *pi, const double *pj)
{
    const carom_surface i = carom_solid_surface(pi), j = carom_solid_surface(pj);
    return carom_surface_patch_count(&i, &j);
}

/* Places of a solid over a face of a box, behind those of the patch, or behind the deepest point alone. `box`: which of
   the two is the box, 1: j. */
static int box_places(const double *pi, const double *pj, int *box)
{
    const carom_surface i = carom_solid_surface(pi), j = carom_solid_surface(pj);
    const int count = carom_surface_on_box_count(&i, &j);
    *box = count > 0;
    return count > 0 ? count : carom_surface_on_box_count(&j, &i);
}

static int first_on_box(const double *pi, const double *pj)
{
    const int places = patch_places(pi, pj);
    return places > 0 ? places : 1;
}

static int points(const double *pi, const double *pj)
{
    int box;
    const int places = patch_places(pi, pj), over = box_places(pi, pj, &box);
    if (over > 0)
        return first_on_box(pi, pj) + over;
    return places > 0 ? places : boxes(pi, pj) ? CAROM_BOXES_PLACES : tube_of(pi, pj) ? 2 : 1;
}

/* Corners and crossing edges of boxes, ends of a pin. */
static void point_name(const double *pi, const double *pj, int point, char *text, size_t size)
{
    int box;
    if (box_places(pi, pj, &box) > 0 && point >= first_on_box(pi, pj)) {
        snprintf(text, size, "place %d over the face", point - first_on_box(pi, pj) + 1);
        return;
    }
    const int places = patch_places(pi, pj), line = places - (carom_solid_bears_line(pi, pj) ? 4 : 0);
    if (places > 0 && point >= line)
        snprintf(text, size, "end %d of the line of the %s", (point - line) % 2 + 1,
                 point - line < 2 ? "first" : "second");
    else if (places > 0)
        snprintf(text, size, point ? "edge %d" : "the deepest point", point);
    else if (box_places(pi, pj, &box) > 0 || (boxes(pi, pj) && point == CAROM_BOXES_LEAST))
        snprintf(text, size, "the deepest point");
    else if (!boxes(pi, pj))
        snprintf(text, size, "end z%c", point ? '+' : '-');
    else if (point < 16)
        snprintf(text, size, "corner x%c y%c z%c of the %s", point & 1 ? '+' : '-', point & 2 ? '+' : '-',
                 point & 4 ? '+' : '-', point < 8 ? "first" : "second");
    else
        snprintf(text, size, "edge %d across edge %d", (point - 16) / 4 + 1, (point - 16) % 4 + 1);
}

/* Returns whose face the contact is over, 0 or 1, -1: none. */
static int find(const carom_shape_pose *i, const carom_shape_pose *j, bool motion, int point, carom_solid *a,
                carom_solid *b, carom_surface_contact *out)
{
    const int tube = tube_of(i->p, j->p);
    carom_solid_at(i, motion, a);
    carom_solid_at(j, motion, b);
    if (tube == 0)
        return carom_surface_least(&a->surface, &a->pose, &b->surface, &b->pose, out);
    if (tube == 1) {
        carom_surface_pin(&a->surface, &a->pose, &b->surface, &b->pose, point, out);
    } else {
        carom_surface_pin(&b->surface, &b->pose, &a->surface, &a->pose, point, out);
        carom_surface_turn_round(out);
    }
    return -1;
}

_Static_assert(sizeof(carom_pair_memory) >= CAROM_BOXES_MEMORY, "boxes have room in it");

static void boxes_at(const carom_shape_pose *i, const carom_shape_pose *j, int point, carom_pair_memory *memory,
                     carom_pair_point *out)
{
    carom_solid a, b;
    carom_surface_contact contact;
    double share;
    carom_solid_at(i, false, &a);
    carom_solid_at(j, false, &b);
    carom_surface_boxes(&a.surface, &a.pose, &b.surface, &b.pose, point, memory ? memory->room : NULL, &contact,
                        &share);
    carom_solid_contact(&contact, i, a.offset, b.offset, 0.5, out);
    out->less = 1 - share;
    if (point == CAROM_BOXES_LEAST)
        return;
    /* corners are balls of the radius of the edges, a face has none */
    out->radius_i = point >= 8 && point < 16 ? HUGE_VAL : a.surface.p[3];
    out->radius_j = point < 8 ? HUGE_VAL : b.surface.p[3];
}

static void patch_at(const carom_shape_pose *i, const carom_shape_pose *j, int point, carom_pair_point *out)
{
    carom_solid a, b;
    carom_surface_contact contact;
    double share;
    carom_solid_at(i, false, &a);
    carom_solid_at(j, false, &b);
    carom_surface_patch(&a.surface, &a.pose, &b.surface, &b.pose, point, &contact, &share);
    carom_solid_contact(&contact, i, a.offset, b.offset, 0.5, out);
    out->less = 1 - share;
}

/* The part of a law that acts at the places over the face of a box. */
static double over_box(const carom_solid *a, const carom_solid *b, int box)
{
    return box ? carom_surface_on_box_share(&a->surface, &a->pose, &b->surface, &b->pose)
               : carom_surface_on_box_share(&b->surface, &b->pose, &a->surface, &a->pose);
}

/* One of those places, or the deepest point, which has what is left. */
static void over_box_at(const carom_shape_pose *i, const carom_shape_pose *j, int box, int point, carom_pair_point *out)
{
    carom_solid a, b;
    carom_surface_contact contact;
    const int first = first_on_box(i->p, j->p);
    carom_solid_at(i, false, &a);
    carom_solid_at(j, false, &b);
    double share = point == 0 ? over_box(&a, &b, box) : 0;
    if (point == 0 && patch_places(i->p, j->p) > 0) {
        patch_at(i, j, point, out);
        out->less = 1 - (1 - out->less) * (1 - share);
        return;
    }
    if (point == 0) {
        carom_surface_pair(&a.surface, &a.pose, &b.surface, &b.pose, NULL, &contact);
    } else if (box) {
        carom_surface_on_box(&a.surface, &a.pose, &b.surface, &b.pose, point - first, &contact, &share);
    } else {
        carom_surface_on_box(&b.surface, &b.pose, &a.surface, &a.pose, point - first, &contact, &share);
        carom_surface_turn_round(&contact);
    }
    carom_solid_contact(&contact, i, a.offset, b.offset, 0.5, out);
    out->less = point == 0 ? share : 1 - share;
}

static void gap_with(const carom_shape_pose *i, const carom_shape_pose *j, int point, carom_pair_memory *memory,
                     carom_pair_point *out)
{
    carom_solid a, b;
    carom_surface_contact contact;
    int box;
    if (box_places(i->p, j->p, &box) > 0 && (point == 0 || point >= first_on_box(i->p, j->p))) {
        over_box_at(i, j, box, point, out);
        return;
    }
    if (boxes(i->p, j->p)) {
        boxes_at(i, j, point, memory, out);
        return;
    }
    if (patch_places(i->p, j->p) > 0) {
        patch_at(i, j, point, out);
        return;
    }
    find(i, j, false, point, &a, &b, &contact);
    const int tube = tube_of(i->p, j->p);
    /* a law takes a pin to touch along a line, whatever its tilt */
    for (int k = 0; k < 2 && tube; k++) {
        contact.direction_j[k] = contact.direction_i[k];
        contact.curvature_i[k] = k ? 0 : (tube == 1 ? -1 : 1) / a.surface.p[0];
        contact.curvature_j[k] = k ? 0 : (tube == 2 ? -1 : 1) / b.surface.p[0];
    }
    carom_solid_contact(&contact, i, a.offset, b.offset, 0.5, out);
}

static void gap_at(const carom_shape_pose *i, const carom_shape_pose *j, int point, carom_pair_point *out)
{
    gap_with(i, j, point, NULL, out);
}

static carom_vec3 normal_rate_at(const carom_shape_pose *i, const carom_shape_pose *j, int point)
{
    carom_solid a, b;
    carom_surface_contact contact;
    int box;
    const int over = box_places(i->p, j->p, &box), first = first_on_box(i->p, j->p);
    if (over > 0 && (point >= first || first == 1)) {
        carom_pair_point at;
        carom_solid_at(i, false, &a);
        carom_solid_at(j, false, &b);
        const bool flat = box ? carom_surface_over_face(&a.surface, &a.pose, &b.surface, &b.pose, &contact)
                              : carom_surface_over_face(&b.surface, &b.pose, &a.surface, &a.pose, &contact);
        if (point > 0 || flat) { /* the face */
            over_box_at(i, j, box, point, &at);
            return carom_v3_cross(box ? j->spin : i->spin, at.normal);
        }
    }
    if (boxes(i->p, j->p)) {
        carom_solid_at(i, true, &a);
        carom_solid_at(j, true, &b);
        return carom_surface_boxes_normal_rate(&a.surface, &a.pose, &b.surface, &b.pose, point);
    }
    if (patch_places(i->p, j->p) > 0) {
        carom_solid_at(i, true, &a);
        carom_solid_at(j, true, &b);
        return carom_surface_patch_normal_rate(&a.surface, &a.pose, &b.surface, &b.pose, point);
    }
    const int face = find(i, j, true, point, &a, &b, &contact);
    return carom_surface_least_normal_rate(&contact, face, &a.pose, &b.pose);
}

static void curvature(const double *pi, const double *pj, double *radius_i, double *radius_j)
{
    const int tube = tube_of(pi, pj);
    *radius_i = tube == 1 ? -pi[CAROM_SOLID_PARAMS] : carom_solid_typical_radius(pi);
    *radius_j = tube == 2 ? -pj[CAROM_SOLID_PARAMS] : carom_solid_typical_radius(pj);
}

static double feature_size(const double *pi, const double *pj)
{
    return fmin(carom_solid_inner_radius(pi), carom_solid_inner_radius(pj));
}

const carom_pair_kind carom_pair_surface_surface = {
    .kind = {.name = "surface-surface",
             .title = "Two solids: ellipsoids, tori, cylinders, tubes, boxes, ... (3-D).",
             .formula = "d x n_i = 0, n_j x n_i = 0, gap = d . n_i",
             .source = "Machado et al. 2012, section 3, eqs. (7)-(13); Rodrigues da Silva et al. 2024, section 3.1.",
             .validity =
                 "One of the two at most is hollow. Two boxes touch at the corners of the patch on which their faces "
                 "lie over each other, and so do two meshes, or a mesh and a box, and cylinders, cones and capsules "
                 "that lie on one of these with a flat end, cylinders and capsules with their side too. A mesh or box "
                 "that stands on an edge along a face touches at both ends of that. Cylinders and "
                 "capsules side by side, or along the edge of a box, touch at both ends of the line, and so does the "
                 "side of a cone on the face of a box. A torus or a tube wholly over the face of a box bears on it as "
                 "on a plane. Others have one contact, where the gap is "
                 "least, so that a body that lies on a face or along a line of another one is not borne where that "
                 "ends; give such a body spheres or capsules for feet. A cylinder or capsule thinner than the bore of "
                 "a tube is a pin in it and has two contacts, at the ends of what lies in the tube: its end touches "
                 "the wall, or the edge of the mouth its side. The wrench acts halfway between the surfaces."},
    .shape_i = "surface",
    .shape_j = "surface",
    .varies = true,
    .check = check,
    .points = points,
    .points_word = "corners and ends",
    .point_name = point_name,
    .gap_at = gap_at,
    .gap_with = gap_with,
    .normal_rate_at = normal_rate_at,
    .curvature = curvature,
    .feature_size = feature_size,
};
