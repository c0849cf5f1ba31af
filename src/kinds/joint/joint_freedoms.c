/* What the coordinates of several joints have in common. */
#include "kinds/joint/joint.h"

carom_mat3 carom_joint_turned(double angle)
{
    const double c = cos(angle), s = sin(angle);
    return (carom_mat3){{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
}

double carom_joint_angle(const carom_mat3 *axes) { return atan2(axes->m[1][0], axes->m[0][0]); }
