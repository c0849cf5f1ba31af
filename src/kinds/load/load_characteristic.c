/* Force of one direction over its deflection: linear, cubic or a spline, with free play and one-sided; see
   kinds/load/load.h.

   Segments of the deflection, from below: those of the lower side (bounded by the knots of the curve below zero,
   moved by -gap), the free play, those of the upper side. Without free play and on both sides the segments are those
   of the curve. */
#include "kinds/load/load.h"

/* ---- segments ---- */

static const carom_spline_table *curve_of(const carom_characteristic *c, const carom_spline_table *curves)
{
    return c->curve > 0.5 ? &curves[(int)c->curve - 1] : NULL;
}

/* Knots below zero, or at most zero. */
static size_t knots_below(const carom_spline_table *curve, bool with_zero)
{
    size_t count = 0;
    const size_t n = curve ? curve->spline.n : 0;
    while (count < n && (curve->spline.x[count] < 0 || (with_zero && curve->spline.x[count] == 0)))
        count++;
    return count;
}

static bool is_split(const carom_characteristic *c) { return c->side != 0 || c->gap > 0; }

/* The segment of the free play; the lower side has as many segments as that. */
static size_t free_segment(const carom_characteristic *c, const carom_spline_table *curve)
{
    return c->side > 0 ? 0 : knots_below(curve, false) + 1;
}

static size_t put(double *out, size_t count, double edge)
{
    if (out)
        out[count] = edge;
    return count + 1;
}

size_t carom_characteristic_edges(const carom_characteristic *c, const carom_spline_table *curves, int which,
                                  double *out)
{
    const carom_spline_table *curve = curve_of(c, curves);
    size_t count = 0, knots = curve ? curve->spline.n : 0;
    if (which > 0)
        return is_split(c) && c->damping > 0 ? put(out, 0, 0) : 0;
    if (!is_split(c)) {
        for (size_t k = 0; k < knots; k++)
            count = put(out, count, curve->spline.x[k]);
        return count;
    }
    if (c->side <= 0) {
        for (size_t k = 0; k < knots_below(curve, false); k++)
            count = put(out, count, curve->spline.x[k] - c->gap);
        count = put(out, count, -c->gap);
    }
    if (c->side >= 0) {
        count = put(out, count, c->gap);
        for (size_t k = knots_below(curve, true); k < knots; k++)
            count = put(out, count, curve->spline.x[k] + c->gap);
    }
    return count;
}

/* ---- forces ---- */

/* Elastic force and energy at the deflection e beyond the free play, on a segment of the curve. */
static carom_characteristic_force elastic(const carom_characteristic *c, const carom_spline_table *curve, int segment,
                                          double e)
{
    if (!curve)
        return (carom_characteristic_force){.force = e * (c->stiffness + c->cubic * e * e),
                                            .slope = c->stiffness + 3 * c->cubic * e * e,
                                            .stored = e * e * (0.5 * c->stiffness + 0.25 * c->cubic * e * e)};
    double force, slope, bend;
    carom_spline_segment(&curve->spline, segment, e, &force, &slope, &bend);
    int origin = (int)knots_below(curve, true);
    return (carom_characteristic_force){.force = force,
                                        .slope = slope,
                                        .stored = carom_spline_integral(&curve->spline, curve->sums, segment, e) -
                                                  carom_spline_integral(&curve->spline, curve->sums, origin, 0)};
}

/* Adds the damping of a side (+1 or -1) that is engaged by e: the force does not turn around by it. A step that goes on
   over the edge of the free play (e < 0) sees no pull there that would begin with a kink. */
static void damp_side(const carom_characteristic *c, const carom_load_input *in, carom_load_output *out, int which,
                      int side, double e, const carom_deflection *s, carom_characteristic_force *f)
{
    const double spring = f->force, raw = side * (spring + c->damping * s->rate);
    const double least = e > 0 ? fmin(side * spring, 0) : 0;
    const double noise = fabs(f->slope) * s->noise + c->damping * s->rate_noise;
    const bool holds = carom_load_branch(in, out, which, raw - least, 0, noise) == 1;
    f->force = holds ? spring + c->damping * s->rate : side * least;
    f->dissipation = (f->force - spring) * s->rate;
}

carom_characteristic_force carom_characteristic_at(const carom_characteristic *c, const carom_load_input *in,
                                                   carom_load_output *out, int first, const carom_deflection *s)
{
    const carom_spline_table *curve = curve_of(c, in->curves);
    const double x = s->value, rate = s->rate;
    carom_characteristic_force f = {0};
    if (!is_split(c)) {
        f = elastic(c, curve, curve ? carom_load_branch(in, out, first, x, rate, s->noise) : 0, x);
        f.force += c->damping * rate;
        f.dissipation = c->damping * rate * rate;
        return f;
    }
    const int segment = carom_load_branch(in, out, first, x, rate, s->noise), play = (int)free_segment(c, curve);
    const double e = segment < play ? -(x + c->gap) : x - c->gap;
    if (segment < play)
        f = elastic(c, curve, segment, x + c->gap);
    else if (c->side >= 0 && segment > play)
        f = elastic(c, curve, (int)knots_below(curve, true) + segment - play - 1, x - c->gap);
    if (c->damping > 0 && segment != play)
        damp_side(c, in, out, first + 1, segment < play ? -1 : 1, e, s, &f);
    else if (c->damping > 0) {
        /* nothing to turn around in the free play */
        out->quantity[first + 1] = 1;
        out->branch[first + 1] = 1;
    }
    return f;
}

const char *carom_characteristic_check(double *stiffness, double cubic, double curve)
{
    if (isnan(*stiffness) && !(curve > 0.5) && cubic == 0)
        return "give its 'stiffness', 'cubic' or 'curve'";
    if (curve > 0.5 && (!isnan(*stiffness) || cubic != 0))
        return "'curve' is the whole elastic force; give it without 'stiffness' and 'cubic'";
    if (isnan(*stiffness))
        *stiffness = 0;
    return NULL;
}
