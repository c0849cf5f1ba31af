/* Frames on bodies, energies of bodies, and the poses that bodies will have. */
#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"

#include <math.h>
#include <string.h>

/* True of the axes of most frames, which are those of the body. */
static bool is_unit(const carom_mat3 *a)
{
    static const carom_mat3 unit = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    return memcmp(a, &unit, sizeof unit) == 0;
}

/* Axes turned in the plane. */
static carom_mat3 turn_2d(const carom_mat3 *a, double c, double s)
{
    carom_mat3 out;
    for (int col = 0; col < 3; col++) {
        const double x = a->m[0][col], y = a->m[1][col];
        out.m[0][col] = c * x - s * y;
        out.m[1][col] = s * x + c * y;
        out.m[2][col] = a->m[2][col];
    }
    return out;
}

static carom_frame_pose frame_pose_2d(const carom_body_pose *b, const carom_marker *k)
{
    const double c = b->axes.m[0][0], s = b->axes.m[1][0], w = b->w.z;
    const carom_vec3 arm = carom_v3(c * k->at.x - s * k->at.y, s * k->at.x + c * k->at.y, 0);
    return (carom_frame_pose){.p = carom_v3(b->p.x + arm.x, b->p.y + arm.y, 0),
                              .v = carom_v3(b->v.x - w * arm.y, b->v.y + w * arm.x, 0),
                              .w = b->w,
                              .arm = arm,
                              .centripetal = carom_v3(-w * w * arm.x, -w * w * arm.y, 0),
                              .axes = is_unit(&k->axes) ? b->axes : turn_2d(&k->axes, c, s),
                              .angle = b->angle + k->angle};
}

carom_frame_pose carom_dynamics_frame_pose(const carom_body_pose *b, const carom_marker *k, int dimension)
{
    if (dimension == 2)
        return frame_pose_2d(b, k);
    const carom_vec3 arm = carom_m3_apply(&b->axes, k->at), turn = carom_v3_cross(b->w, arm);
    return (carom_frame_pose){.p = carom_v3_add(b->p, arm),
                              .v = carom_v3_add(b->v, turn),
                              .w = b->w,
                              .arm = arm,
                              .centripetal = carom_v3_cross(b->w, turn),
                              .axes = is_unit(&k->axes) ? b->axes : carom_m3_multiply(&b->axes, &k->axes)};
}

carom_vec3 carom_dynamics_frame_acceleration(const carom_evaluation *d, int body, const carom_frame_pose *frame)
{
    const carom_body_acceleration a = d->system->formulation->body_acceleration(d, body);
    return carom_v3_add(carom_v3_add(a.linear, carom_v3_cross(a.angular, frame->arm)), frame->centripetal);
}

/* Twice the energy of a body's spin [J]. */
static double spin_energy(const carom_evaluation *d, int body, const carom_body_inertia *own, carom_vec3 spin)
{
    const carom_model *m = d->model;
    if (m->dimension == 2)
        return own->inertia * spin.z * spin.z;
    if (own->inverse_inertia > 0)
        return own->inertia * carom_v3_dot(spin, spin);
    const carom_vec3 w = carom_m3_apply_t(&d->pose[body].axes, spin);
    return carom_v3_dot(w, carom_m3_apply(&m->bodies[body].inertia, w));
}

carom_body_sums carom_dynamics_part_sums(const carom_evaluation *d, int part)
{
    const carom_model *m = d->model;
    carom_body_sums sums = {0};
    int first;
    const int end = carom_body_part(m, part, &first);
    const carom_motions of = carom_evaluation_motions(d);
    for (int body = first + 1; body <= end; body++) {
        const carom_body_inertia *own = carom_system_inertia(d->system, body);
        const carom_vec3 p = carom_v3_load(carom_motions_p(&of, body)), v = carom_v3_load(carom_motions_v(&of, body));
        const carom_vec3 spin = carom_v3_load(carom_motions_v(&of, body) + 3);
        const double square = carom_v3_dot(v, v);
        sums.kinetic += 0.5 * (own->mass * square + spin_energy(d, body, own, spin));
        sums.potential -= own->mass * carom_v3_dot(m->gravity, p);
        sums.fastest = square > sums.fastest ? square : sums.fastest;
    }
    return sums;
}

carom_body_sums carom_dynamics_sums(const carom_evaluation *d)
{
    carom_body_sums all = {0};
    for (int k = 0; k < carom_body_parts(d->model); k++) {
        const carom_body_sums part = d->sums_known ? d->part_sums[k] : carom_dynamics_part_sums(d, k);
        all.kinetic += part.kinetic;
        all.potential += part.potential;
        all.fastest = fmax(all.fastest, part.fastest);
    }
    return all;
}

void carom_dynamics_sum_up(carom_evaluation *d)
{
    for (int k = 0; k < carom_body_parts(d->model) && !d->sums_known; k++)
        d->part_sums[k] = carom_dynamics_part_sums(d, k);
    d->sums_known = true;
}

double carom_dynamics_kinetic(const carom_evaluation *d) { return carom_dynamics_sums(d).kinetic; }

carom_body_pose carom_pose_after(const carom_body_pose *pose, carom_vec3 acceleration, carom_vec3 turning, double t)
{
    carom_body_pose out = *pose;
    carom_vec3 turn = carom_v3_add_scaled(carom_v3_scale(t, pose->w), 0.5 * t * t, turning);
    carom_mat3 rotation = carom_quat_matrix(carom_quat_from_rotation(turn));
    out.p = carom_v3_add_scaled(carom_v3_add_scaled(pose->p, t, pose->v), 0.5 * t * t, acceleration);
    out.v = carom_v3_add_scaled(pose->v, t, acceleration);
    out.axes = carom_m3_multiply(&rotation, &pose->axes);
    out.angle += turn.z;
    out.w = carom_v3_add_scaled(pose->w, t, turning);
    return out;
}
