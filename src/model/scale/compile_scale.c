/* Length and speed of a model, of which tolerances, steps and default stiffnesses are shares. The length is that of the
   model itself: a machine that stands elsewhere in the world has the same. */
#include "model/compile.h"
#include "kinds/shape/shape.h"

#include <math.h>
#include <string.h>

/* What a box along the world axes holds. */
typedef struct box {
    carom_vec3 low, high;
    int count;
} box;

static void add(box *b, carom_vec3 p)
{
    if (b->count++ == 0)
        b->low = b->high = p;
    b->low = carom_v3(fmin(b->low.x, p.x), fmin(b->low.y, p.y), fmin(b->low.z, p.z));
    b->high = carom_v3(fmax(b->high.x, p.x), fmax(b->high.y, p.y), fmax(b->high.z, p.z));
}

static carom_vec3 middle(const box *b) { return carom_v3_scale(0.5, carom_v3_add(b->low, b->high)); }

static double diagonal(const box *b) { return b->count ? carom_v3_norm(carom_v3_sub(b->high, b->low)) : 0; }

/* ---- shapes ---- */

/* What a shape draws: the box about it, or the largest distance from a centre. */
typedef struct drawn {
    box box;
    bool measures;
    carom_vec3 centre;
    double radius;
} drawn;

static void take_point(void *user, carom_vec3 at, carom_vec3 normal)
{
    drawn *d = user;
    (void)normal;
    if (d->measures)
        d->radius = fmax(d->radius, carom_v3_norm(carom_v3_sub(at, d->centre)));
    else
        add(&d->box, at);
}

static void take_triangle(void *user, int a, int b, int c)
{
    (void)user, (void)a, (void)b, (void)c;
}

static void take_line(void *user, int a, int b)
{
    (void)user, (void)a, (void)b;
}

/* A ball about the middle of what a bounded shape draws, unless that about its origin is smaller: an outline may have
   its points far from the origin. The centre is in shape axes. */
static double ball(const carom_model *m, const carom_model_shape *shape, carom_vec3 *centre)
{
    const bool planar = m->dimension == 2;
    const double radius = carom_shape_bounding_radius(shape->kind, shape->p, planar);
    drawn d = {.centre = {0, 0, 0}};
    const carom_mesh_sink sink = {&d, take_point, take_triangle, take_line};
    *centre = d.centre;
    if (!isfinite(radius))
        return radius;
    carom_shape_draw(shape->kind, shape->p, planar, 0, &sink);
    d.centre = middle(&d.box);
    d.measures = true;
    carom_shape_draw(shape->kind, shape->p, planar, 0, &sink);
    if (!d.box.count || !(d.radius < radius * (1 - 1e-3)))
        return radius;
    *centre = d.centre;
    return d.radius;
}

/* Distance of the farthest body from a plane of the ground. */
static double above(const carom_model *m, const carom_model_shape *plane)
{
    const carom_shape_pose pose = {.p = plane->p, .axes = plane->axes};
    const carom_vec3 normal = carom_plane_normal(&pose);
    double out = 0;
    for (int k = 1; k <= m->body_count; k++)
        out = fmax(out, fabs(carom_v3_dot(normal, carom_v3_sub(m->bodies[k].position, plane->at))));
    return out;
}

/* Radii of bounded shapes, distances from planes of the ground; and where other shapes of the ground are. */
static double of_shapes(const carom_model *m, box *places)
{
    double length = 0;
    for (int k = 0; k < m->shape_count; k++) {
        const carom_model_shape *shape = &m->shapes[k];
        carom_vec3 centre = {0, 0, 0};
        if (shape->body > 0) {
            const double radius = carom_shape_bounding_radius(shape->kind, shape->p, m->dimension == 2);
            length = fmax(length, isfinite(radius) ? radius : 0);
            continue;
        }
        if (strcmp(shape->kind->kind.name, "plane") == 0) {
            length = fmax(length, above(m, shape));
            continue;
        }
        const double radius = ball(m, shape, &centre);
        length = fmax(length, isfinite(radius) ? radius : 0);
        add(places, carom_v3_add(shape->at, carom_m3_apply(&shape->axes, centre)));
    }
    return length;
}

/* ---- bodies and joints ---- */

/* Radius of gyration of a body [m]; that of the ground is none. */
static double gyration_of(const carom_model *m, int body)
{
    const carom_mat3 *i = &m->bodies[body].inertia;
    return body ? sqrt(fmax(fmax(i->m[0][0], i->m[1][1]), i->m[2][2]) / m->bodies[body].mass) : 0;
}

/* The largest one. */
static double gyration(const carom_model *m)
{
    double largest = 0;
    for (int k = 1; k <= m->body_count; k++)
        largest = fmax(largest, gyration_of(m, k));
    return largest;
}

/* Of a frame of a joint on a body its arm; on the ground it is a place. */
static double arm_of(const carom_marker *marker, box *places)
{
    if (marker->body > 0)
        return carom_v3_norm(marker->at);
    add(places, marker->at);
    return 0;
}

/* Where loads act on the ground. */
static carom_status of_loads(carom_compiler *c, box *places)
{
    for (size_t k = 0; c->spec->loads && k < c->spec->load_count; k++) {
        const carom_load_def *def = &c->spec->loads[k];
        for (int i = 0; i < def->frame_count && i < 2; i++) {
            carom_marker marker;
            if (!def->on[i].body || strcmp(def->on[i].body, "ground") != 0)
                continue;
            CAROM_TRY(carom_compile_marker(c, def->name, &def->on[i], &marker));
            add(places, marker.at);
        }
    }
    return CAROM_OK;
}

/* Speed of a joint's coordinate as the model starts [m/s]; a body that turns about its centre of mass has that at its
   radius of gyration. */
static double speed_of(const carom_model *m, const carom_model_joint *j, double arm)
{
    if (!j->rate_given || !j->kind->coordinate_unit)
        return 0;
    const double reach = arm > 0 ? 2 * arm : fmax(gyration_of(m, j->i.body), gyration_of(m, j->j.body));
    return fabs(j->rate) * (j->kind->coordinate_unit[0] == 'r' ? reach : 1);
}

carom_status carom_compile_scale(carom_compiler *c)
{
    carom_model *m = c->model;
    box places = {0};
    double length = 0, speed = 0, far = 0;
    bool turns = m->joint_count > 0;
    for (int k = 1; k <= m->body_count; k++) {
        const carom_model_body *b = &m->bodies[k];
        add(&places, b->position);
        far = fmax(far, carom_v3_norm(b->position));
        speed = fmax(speed, carom_v3_norm(b->velocity));
        turns = turns || carom_v3_norm(b->spin) > 0;
    }
    for (int k = 0; k < m->joint_count; k++) {
        const carom_model_joint *j = &m->joints[k];
        const double arm = fmax(arm_of(&j->i, &places), arm_of(&j->j, &places));
        length = fmax(length, arm);
        speed = fmax(speed, speed_of(m, j, arm));
    }
    CAROM_TRY(of_loads(c, &places));
    const double radius = of_shapes(m, &places);
    length = fmax(length, diagonal(&places));
    for (int k = 1; k <= m->body_count; k++)
        speed = fmax(speed, 0.1 * length * carom_v3_norm(m->bodies[k].spin));
    length = fmax(length, radius);
    if (!(length > 0) && turns)
        length = gyration(m);
    m->length_scale = length > 0 ? length : 1;
    m->distance_scale = fmax(far, m->length_scale);
    speed = fmax(speed, sqrt(carom_v3_norm(m->gravity) * m->length_scale));
    m->speed_guessed = !(speed > 0);
    m->speed_scale = speed > 0 ? speed : m->length_scale;
    return CAROM_OK;
}
