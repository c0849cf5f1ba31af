/* Impact of two free spheres as a motion of one number, the distance r of their centres:
     r'' = F(delta, delta')/m + (r v_t)^2/r^3,   delta = D - r,
   with the reduced mass m and the angular momentum r v_t, which the force along the line of centres keeps. Solved by
   Runge-Kutta steps of its own, apart from the library's integrators. */
#ifndef CAROM_TEST_RADIAL_H
#define CAROM_TEST_RADIAL_H

typedef struct radial_case {
    double mass;                /* reduced [kg] */
    double speed;               /* relative [m/s] */
    double offset;              /* impact parameter over the distance of the centres at touch */
    double distance;            /* of the centres at touch [m] */
    const char *law;
    double stiffness, restitution;
} radial_case;

typedef struct radial_impact {
    double v_in, v_out, duration, peak_force, max_indentation, impulse, energy_lost;
} radial_impact;

radial_impact radial_solve(const radial_case *c);

#endif
