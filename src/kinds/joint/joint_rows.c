/* The constraint rows that joints are made of; formulas and conventions in kinds/joint/joint.h. */
#include "kinds/joint/joint.h"

void carom_row_point(const carom_frame_pose *i, const carom_frame_pose *j, int count, carom_row *out)
{
    const carom_vec3 s = i->arm, r = j->arm;

    /* e . (w x s) = w . (s x e), with s x e_x = (0, s_z, -s_y) and so on */
    out[0] = (carom_row){.phi = j->p.x - i->p.x, .gamma = i->centripetal.x - j->centripetal.x,
                         .Li = {-1, 0, 0}, .Ai = {0, -s.z, s.y}, .Lj = {1, 0, 0}, .Aj = {0, r.z, -r.y}};
    out[1] = (carom_row){.phi = j->p.y - i->p.y, .gamma = i->centripetal.y - j->centripetal.y,
                         .Li = {0, -1, 0}, .Ai = {s.z, 0, -s.x}, .Lj = {0, 1, 0}, .Aj = {-r.z, 0, r.x}};
    if (count < 3)
        return;
    out[2] = (carom_row){.phi = j->p.z - i->p.z, .gamma = i->centripetal.z - j->centripetal.z,
                         .Li = {0, 0, -1}, .Ai = {-s.y, s.x, 0}, .Lj = {0, 0, 1}, .Aj = {r.y, -r.x, 0}};
}

void carom_row_perpendicular(const carom_frame_pose *i, carom_vec3 a, const carom_frame_pose *j, carom_vec3 b,
                             carom_row *out)
{
    const carom_vec3 n = carom_v3_cross(a, b);
    const carom_vec3 w = carom_v3_sub(i->w, j->w);

    /* phi' = (w_i - w_j) . n, n' = a (w_i . b) - b (w_j . a) - (w_i - w_j)(a . b) */
    const double phi = carom_v3_dot(a, b);
    out->phi = phi;
    out->gamma = carom_v3_dot(w, b) * carom_v3_dot(j->w, a) - carom_v3_dot(w, a) * carom_v3_dot(i->w, b) +
                 carom_v3_dot(w, w) * phi;
    out->Li = out->Lj = carom_v3(0, 0, 0);
    out->Ai = n;
    out->Aj = carom_v3_neg(n);
}

void carom_row_along(const carom_frame_pose *i, carom_vec3 a, const carom_frame_pose *j, carom_row *out)
{
    const carom_vec3 d = carom_v3_sub(j->p, i->p);
    const carom_vec3 rate = carom_v3_sub(j->v, i->v);
    const carom_vec3 a_rate = carom_v3_cross(i->w, a);
    const double phi = carom_v3_dot(a, d);

    /* phi'' = a . d'' + 2 a' . d' + (alpha_i x a + w_i x (w_i x a)) . d */
    const carom_vec3 c = carom_v3_sub(i->centripetal, j->centripetal);
    out->phi = phi;
    out->gamma = carom_v3_dot(a, c) - 2 * carom_v3_dot(a_rate, rate) -
                 carom_v3_dot(i->w, a) * carom_v3_dot(i->w, d) + carom_v3_dot(i->w, i->w) * phi;
    out->Li = carom_v3_neg(a);
    out->Ai = carom_v3_cross(a, carom_v3_add(d, i->arm));
    out->Lj = a;
    out->Aj = carom_v3_cross(j->arm, a);
}

void carom_row_distance(const carom_frame_pose *i, const carom_frame_pose *j, carom_row *out)
{
    const carom_vec3 d = carom_v3_sub(j->p, i->p);
    const carom_vec3 rate = carom_v3_sub(j->v, i->v);
    const double length = carom_v3_norm(d);
    const double inverse = length > 0 ? 1 / length : 0;
    const carom_vec3 u = carom_v3_scale(inverse, d);

    /* phi'' = u . d'' + |d' - u (u . d')|^2 / |d| */
    const carom_vec3 across = carom_v3_add_scaled(rate, -carom_v3_dot(u, rate), u);
    const carom_vec3 c = carom_v3_sub(i->centripetal, j->centripetal);
    out->phi = length;
    out->gamma = carom_v3_dot(u, c) - carom_v3_dot(across, across) * inverse;
    out->Li = carom_v3_neg(u);
    out->Ai = carom_v3_cross(u, i->arm);
    out->Lj = u;
    out->Aj = carom_v3_cross(j->arm, u);
}

void carom_row_spin(const carom_frame_pose *i, carom_vec3 a, carom_vec3 turn, const carom_frame_pose *j, double arm,
                    carom_row *out)
{
    const carom_vec3 n = carom_v3_scale(arm, a);

    /* (n . w)' = n . w' + (turn x n) . w, w = w_j - w_i */
    *out = (carom_row){.gamma = -carom_v3_dot(carom_v3_cross(turn, n), carom_v3_sub(j->w, i->w)),
                       .Ai = carom_v3_neg(n),
                       .Aj = n};
}

/* With w = w_j - w_i and z = h . f, phi' = n . w, n = (h - z f)/(1 - z^2). */
void carom_row_turn(const carom_frame_pose *i, const carom_vec3 base[3], const carom_frame_pose *j, carom_vec3 f,
                    carom_row *out)
{
    const carom_vec3 h = base[2];
    const double x = carom_v3_dot(f, base[0]);
    const double y = carom_v3_dot(f, base[1]);
    const double z = carom_v3_dot(f, h);
    const carom_vec3 w = carom_v3_sub(j->w, i->w);
    double inverse = x * x + y * y;
    inverse = inverse > 0 ? 1 / inverse : 1;

    /* n' = (h' - z' f - z f' + 2 z z' n)/(1 - z^2), z' = w . (f x h), h' = w_i x h, f' = w_j x f */
    const carom_vec3 n = carom_v3_scale(inverse, carom_v3_add_scaled(h, -z, f));
    const double z_rate = carom_v3_dot(w, carom_v3_cross(f, h));
    const double n_rate = carom_v3_dot(w, carom_v3_cross(i->w, h)) - z_rate * carom_v3_dot(w, f) -
                          z * carom_v3_dot(w, carom_v3_cross(j->w, f)) + 2 * z * z_rate * carom_v3_dot(w, n);
    out->phi = atan2(y, x);
    out->gamma = -inverse * n_rate;
    out->Li = out->Lj = carom_v3(0, 0, 0);
    out->Ai = carom_v3_neg(n);
    out->Aj = n;
}

void carom_row_angle(const carom_frame_pose *i, const carom_frame_pose *j, int dimension, carom_row *out)
{
    if (dimension == 3) {
        const carom_vec3 base[3] = {carom_m3_column(&i->axes, 0), carom_m3_column(&i->axes, 1),
                                    carom_m3_column(&i->axes, 2)};
        carom_row_turn(i, base, j, carom_m3_column(&j->axes, 0), out);
        return;
    }
    *out = (carom_row){.phi = j->angle - i->angle, .Ai = {0, 0, -1}, .Aj = {0, 0, 1}};
}
