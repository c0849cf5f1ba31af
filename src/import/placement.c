/* Placements of axes, and inertias in them. */
#include "import/robot.h"

#include <math.h>

carom_placement carom_placement_none(void) { return (carom_placement){{0, 0, 0}, carom_m3_identity()}; }

carom_placement carom_placement_chain(const carom_placement *ab, const carom_placement *bc)
{
    return (carom_placement){carom_v3_add(ab->p, carom_m3_apply(&ab->r, bc->p)), carom_m3_multiply(&ab->r, &bc->r)};
}

carom_placement carom_placement_inverse(const carom_placement *ab)
{
    const carom_mat3 one = carom_m3_identity();
    return (carom_placement){carom_v3_neg(carom_m3_apply_t(&ab->r, ab->p)), carom_m3_multiply_t(&ab->r, &one)};
}

carom_mat3 carom_rotation_rpy(double roll, double pitch, double yaw)
{
    const double cr = cos(roll), sr = sin(roll), cp = cos(pitch), sp = sin(pitch), cy = cos(yaw), sy = sin(yaw);
    return (carom_mat3){{{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
                         {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
                         {-sp, cp * sr, cp * cr}}};
}

/* Rodrigues' formula: 1 + sin K + (1 - cos) K^2. */
carom_mat3 carom_rotation_about(carom_vec3 u, double angle)
{
    const double s = sin(angle), h = sin(0.5 * angle), c = 2 * h * h;
    return (carom_mat3){{{1 - c * (u.y * u.y + u.z * u.z), c * u.x * u.y - s * u.z, c * u.x * u.z + s * u.y},
                         {c * u.x * u.y + s * u.z, 1 - c * (u.x * u.x + u.z * u.z), c * u.y * u.z - s * u.x},
                         {c * u.x * u.z - s * u.y, c * u.y * u.z + s * u.x, 1 - c * (u.x * u.x + u.y * u.y)}}};
}

void carom_inertia_rotate(const carom_mat3 *r, const double *inertia, double *out)
{
    const carom_mat3 i = {{{inertia[0], inertia[3], inertia[4]},
                           {inertia[3], inertia[1], inertia[5]},
                           {inertia[4], inertia[5], inertia[2]}}};
    const carom_mat3 ri = carom_m3_multiply(r, &i);
    static const int row[] = {0, 1, 2, 0, 0, 1}, column[] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; k++) {
        const double *a = ri.m[row[k]], *b = r->m[column[k]];
        out[k] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }
}

/* Jacobi's rotations, which find small moments beside large ones. */
void carom_inertia_moments(const double *inertia, double *moments)
{
    double a[3][3] = {{inertia[0], inertia[3], inertia[4]},
                      {inertia[3], inertia[1], inertia[5]},
                      {inertia[4], inertia[5], inertia[2]}};
    for (int sweep = 0; sweep < 30; sweep++)
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) {
                if (a[p][q] == 0)
                    continue;
                const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + hypot(theta, 1));
                const double c = 1 / hypot(t, 1), s = t * c;
                for (int k = 0; k < 3; k++) {
                    const double x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - s * y;
                    a[k][q] = s * x + c * y;
                }
                for (int k = 0; k < 3; k++) {
                    const double x = a[p][k], y = a[q][k];
                    a[p][k] = c * x - s * y;
                    a[q][k] = s * x + c * y;
                }
            }
    for (int k = 0; k < 3; k++)
        moments[k] = a[k][k];
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < 2 - k; j++)
            if (moments[j] > moments[j + 1]) {
                const double larger = moments[j];
                moments[j] = moments[j + 1];
                moments[j + 1] = larger;
            }
}
