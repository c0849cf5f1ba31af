/* Frames on bodies, energies of bodies, and the poses that bodies will have. */
#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"

#include <math.h>
#include <string.h>

static carom_frame_pose frame_pose_2d(const carom_body_pose *b, const carom_marker *k)
{
    double c = b->axes.m[0][0], s = b->axes.m[1][0], w = b->w.z;
    carom_frame_pose f;
    f.arm = carom_v3(c * k->at.x - s * k->at.y, s * k->at.x + c * k->at.y, 0);
    f.p = carom_v3(b->p.x + f.arm.x, b->p.y + f.arm.y, 0);
    f.v = carom_v3(b->v.x - w * f.arm.y, b->v.y + w * f.arm.x, 0);
    f.w = b->w;
    f.centripetal = carom_v3(-w * w * f.arm.x, -w * w * f.arm.y, 0);
    for (int col = 0; col < 3; col++) {
        double x = k->axes.m[0][col], y = k->axes.m[1][col];
        f.axes.m[0][col] = c * x - s * y;
        f.axes.m[1][col] = s * x + c * y;
        f.axes.m[2][col] = k->axes.m[2][col];
    }
    f.angle = b->angle + k->angle;
    return f;
}

/* True of the axes of most frames, which are those of the body. */
static bool is_unit(const carom_mat3 *a)
{
    static const carom_mat3 unit = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    return memcmp(a, &unit, sizeof unit) == 0;
}

carom_frame_pose carom_dynamics_frame_pose(const carom_body_pose *b, const carom_marker *k, int dimension)
{
    if (dimension == 2)
        return frame_pose_2d(b, k);
    carom_frame_pose f = {.p = b->p, .v = b->v, .w = b->w};
    f.axes = is_unit(&k->axes) ? b->axes : carom_m3_multiply(&b->axes, &k->axes);
    if (k->at.x == 0 && k->at.y == 0 && k->at.z == 0)
        return f;
    f.arm = carom_m3_apply(&b->axes, k->at);
    const carom_vec3 turn = carom_v3_cross(b->w, f.arm);
    f.p = carom_v3_add(b->p, f.arm);
    f.v = carom_v3_add(b->v, turn);
    f.centripetal = carom_v3_cross(b->w, turn);
    return f;
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
