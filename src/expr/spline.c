/* Natural cubic splines: the fit, and one piece at a point. */
#include "expr/expr_program.h"

/* Tridiagonal system for the second derivatives, y2 zero at both ends (Stoer & Bulirsch, section 2.4). */
void carom_spline_fit(size_t n, const double *x, const double *y, double *y2, double *work)
{
    if (n == 0)
        return;
    y2[0] = work[0] = 0.0;
    for (size_t i = 1; i + 1 < n; i++) {
        double below = x[i] - x[i - 1], above = x[i + 1] - x[i];
        double fraction = below / (below + above);
        double pivot = fraction * y2[i - 1] + 2.0;
        double bend = ((y[i + 1] - y[i]) / above - (y[i] - y[i - 1]) / below) / (below + above);
        y2[i] = (fraction - 1.0) / pivot;
        work[i] = (6.0 * bend - fraction * work[i - 1]) / pivot;
    }
    y2[n - 1] = 0.0;
    for (size_t i = n - 1; i-- > 0;)
        y2[i] = y2[i] * y2[i + 1] + work[i];
    y2[0] = 0.0;
}

void carom_spline_piece(const carom_edges *spline, int branch, double x, double *f, double *f1, double *f2)
{
    size_t n = spline->n;
    size_t k = branch < 1 ? 0 : (size_t)branch > n - 1 ? n - 2 : (size_t)branch - 1;
    double x0 = spline->x[k], x1 = spline->x[k + 1], h = x1 - x0;
    double y0 = spline->y[k], y1 = spline->y[k + 1];
    double c0 = spline->y2[k], c1 = spline->y2[k + 1];
    double chord = (y1 - y0) / h;
    if (branch < 1) {
        *f1 = chord - h * (c0 / 3.0 + c1 / 6.0);
        *f = y0 + *f1 * (x - x0);
        *f2 = 0.0;
    } else if ((size_t)branch > n - 1) {
        *f1 = chord + h * (c0 / 6.0 + c1 / 3.0);
        *f = y1 + *f1 * (x - x1);
        *f2 = 0.0;
    } else {
        double a = (x1 - x) / h, b = (x - x0) / h;
        *f = a * y0 + b * y1 + ((a * a - 1.0) * a * c0 + (b * b - 1.0) * b * c1) * (h * h / 6.0);
        *f1 = chord + ((3.0 * b * b - 1.0) * c1 - (3.0 * a * a - 1.0) * c0) * (h / 6.0);
        *f2 = a * c0 + b * c1;
    }
}
