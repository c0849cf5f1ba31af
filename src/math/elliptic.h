/* Complete elliptic integrals by the arithmetic-geometric mean, and the axes of the contact ellipse of Hertz. */
#ifndef CAROM_ELLIPTIC_H
#define CAROM_ELLIPTIC_H

/* Integral of (a cos^2 + b sin^2)/sqrt(cos^2 + kc^2 sin^2) from 0 to pi/2, kc > 0 the complementary modulus, a and b
   >= 0. With (a, b) = (1, 1) it is K, with (1, kc^2) it is E, with (0, 1) it is D = (K - E)/(1 - kc^2), with (1, 0) it
   is B = K - D; no difference is formed, so that all have full relative accuracy at both ends of kc. */
double carom_elliptic_integral(double kc, double a, double b);

/* Axis ratio kc = b/a in (0, 1] of the contact ellipse, a >= b, for the ratio B/A >= 1 of the principal relative
   curvatures (E/kc^2 - K)/(K - E) = B/A; NAN for B/A < 1 or not finite. */
double carom_elliptic_axis_ratio(double curvature_ratio);

#endif
