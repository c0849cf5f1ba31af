/* What joints say of where they start. */
#include "carom_test.h"

#include <math.h>
#include <string.h>

#include "kinds/joint/joint.h"

static carom_frame_pose frame(double about_x)
{
    const double c = cos(about_x), s = sin(about_x);
    return (carom_frame_pose){.axes = {{{1, 0, 0}, {0, c, -s}, {0, s, c}}}};
}

/* A disc whose axis is along the normal of the plane has no point at which it rolls; tilted, or round as a ball, it
   has, and no edge is rounder than the disc is large. */
static void flat_disc(void **state)
{
    (void)state;
    const struct {
        double edge, tilt;
        const char *refusal;
    } cases[] = {
        {0, 0, "flat"},      {0.05, 0, "flat"},         {0.05, 3.14159265358979, "flat"}, {0, 1e-3, NULL},
        {0.05, 1e-3, NULL},  {0.05, 1.5707963, NULL},   {0.2, 0, NULL},                   {0.2, 1e-3, NULL},
        {0.21, 0.3, "edge"}, {0.19, 1e-7, "flat"},
    };
    for (size_t k = 0; k < CAROM_COUNT(cases); k++) {
        double p[8] = {0.2, cases[k].edge};
        const carom_frame_pose plane = frame(0.4), disc = frame(0.4 + cases[k].tilt);
        const char *refusal = carom_joint_rolling.start(p, &plane, &disc);
        if (cases[k].refusal ? !refusal || !strstr(refusal, cases[k].refusal) : refusal != NULL)
            fail_msg("case %zu: %s", k, refusal ? refusal : "accepted");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(flat_disc)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
