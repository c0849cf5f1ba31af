#include "support/radial.h"
#include "support/law.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define STEPS 2000 /* over the duration of a Hertz impact */

typedef struct motion {
    double depth, rate, impulse, lost; /* rate of the depth */
} motion;

typedef struct radial {
    const radial_case *c;
    test_law law;
    double v0, swirl; /* (r v_t)^2 */
    bool pulls;       /* the law would pull: no force. Constant within a step */
} radial;

static double force_at(const radial *p, double depth, double rate, double *damping)
{
    test_law_force f = test_law_evaluate(&p->law, fmax(depth, 0), rate, p->v0);
    double floor = p->pulls ? -f.elastic : f.damping;
    *damping = depth > 0 ? floor : 0;
    return depth > 0 ? f.elastic + floor : 0;
}

static motion rate_of(const radial *p, motion x)
{
    double damping, force = force_at(p, x.depth, x.rate, &damping), r = p->c->distance - x.depth;
    return (motion){x.rate, -force / p->c->mass - p->swirl / (r * r * r), force, damping * x.rate};
}

static motion ahead(motion x, double h, motion f)
{
    return (motion){x.depth + h * f.depth, x.rate + h * f.rate, x.impulse + h * f.impulse, x.lost + h * f.lost};
}

static motion step(const radial *p, motion x, double h)
{
    motion a = rate_of(p, x), b = rate_of(p, ahead(x, 0.5 * h, a)), c = rate_of(p, ahead(x, 0.5 * h, b)),
           d = rate_of(p, ahead(x, h, c));
    const motion sum = {a.depth + 2 * b.depth + 2 * c.depth + d.depth, a.rate + 2 * b.rate + 2 * c.rate + d.rate,
                        a.impulse + 2 * b.impulse + 2 * c.impulse + d.impulse,
                        a.lost + 2 * b.lost + 2 * c.lost + d.lost};
    return ahead(x, h / 6, sum);
}

static bool would_pull(const radial *p, motion x)
{
    return x.depth > 0 && test_law_evaluate(&p->law, x.depth, x.rate, p->v0).force < 0;
}

/* Length of the step from x, at most h, at which the law begins or ceases to pull. */
static double change(const radial *p, motion x, double h)
{
    double low = 0, high = h;
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        if (would_pull(p, step(p, x, middle)) == p->pulls)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Length of the step from x at which the depth comes back to zero, between 0 and h. */
static double release(const radial *p, motion x, double h)
{
    double low = 0, high = h;
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        if (step(p, x, middle).depth > 0)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static double force_after(const radial *p, motion x, double h)
{
    double unused;
    const motion next = step(p, x, h);
    return force_at(p, next.depth, next.rate, &unused);
}

/* Largest force within h of x, where it has one maximum, by golden sections. */
static double largest_force(const radial *p, motion x, double h)
{
    const double share = 0.5 * (sqrt(5) - 1);
    double low = 0, high = h, a = high - share * (high - low), b = low + share * (high - low);
    double at_a = force_after(p, x, a), at_b = force_after(p, x, b);
    for (int k = 0; k < 40; k++)
        if (at_a > at_b) {
            high = b;
            b = a;
            at_b = at_a;
            a = high - share * (high - low);
            at_a = force_after(p, x, a);
        } else {
            low = a;
            a = b;
            at_a = at_b;
            b = low + share * (high - low);
            at_b = force_after(p, x, b);
        }
    return fmax(at_a, at_b);
}

radial_impact radial_solve(const radial_case *c)
{
    radial p = {.c = c};
    const char *refusal = test_law_make(&p.law, c->law, c->stiffness, NAN, c->restitution);
    if (refusal) {
        fprintf(stderr, "radial: %s\n", refusal);
        abort();
    }
    double swirl = c->distance * c->speed * c->offset;
    p.v0 = c->speed * sqrt((1 - c->offset) * (1 + c->offset));
    p.swirl = swirl * swirl;
    double hertz = pow(1.25 * c->mass * p.v0 * p.v0 / c->stiffness, 0.4), h = 2.9432 * hertz / p.v0 / STEPS;
    radial_impact out = {.v_in = p.v0};
    motion x = {.rate = p.v0}, former = x;
    double force = 0, since_former = 0;
    /* the first steps are short: the force begins as the power 3/2 */
    double age = 0;
    for (int k = 0; k < 100 * STEPS; k++) {
        double now = k < 200 ? h * 1e-4 * (1 + k) : h, unused;
        motion next = step(&p, x, now);
        bool changes = would_pull(&p, next) != p.pulls && next.depth > 0;
        if (changes) {
            now = change(&p, x, now);
            next = step(&p, x, now);
        }
        if (next.rate <= 0 && x.rate > 0)
            out.max_indentation = x.depth + 0.5 * now * x.rate * x.rate / (x.rate - next.rate); /* a parabola */
        if (!(next.depth > 0)) {
            double last = release(&p, x, now);
            next = step(&p, x, last);
            out.duration = age + last;
            out.v_out = -next.rate;
            out.impulse = next.impulse;
            out.energy_lost = next.lost;
            return out;
        }
        const double reached = force_at(&p, next.depth, next.rate, &unused);
        if (reached < force && force >= out.peak_force)
            out.peak_force = fmax(force, largest_force(&p, former, since_former + now));
        out.peak_force = fmax(out.peak_force, reached);
        force = reached;
        former = x;
        since_former = now;
        x = next;
        age += now;
        p.pulls = p.pulls != changes;
    }
    return out;
}
