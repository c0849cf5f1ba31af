/* Steps towards a root that lies between two places. Who calls evaluates the function, and says when it is enough. */
#ifndef CAROM_ROOTS_H
#define CAROM_ROOTS_H

#include <stdbool.h>

/* Newton's step from x, where the function has a value and a slope; the middle of low and high if the slope is zero or
   the step does not end between them. */
static inline double carom_newton_between(double x, double value, double slope, double low, double high)
{
    const double next = slope != 0 ? x - value / slope : low;
    return next > low && next < high ? next : 0.5 * (low + high);
}

/* Two places at which the values of a function differ in sign; `low` may be the greater one. */
typedef struct carom_bracket {
    double low, high, at_low, at_high;
    int kept;                           /* the end that stayed at the last step: 1 high, -1 low, 0 neither */
} carom_bracket;

/* Where the line through both ends is zero. */
static inline double carom_bracket_secant(const carom_bracket *b)
{
    return (b->low * b->at_high - b->high * b->at_low) / (b->at_high - b->at_low);
}

/* The same, or the middle if that is not between the ends, or if `halve` is set. */
static inline double carom_bracket_next(const carom_bracket *b, bool halve)
{
    const double x = halve ? 0.5 * (b->low + b->high) : carom_bracket_secant(b);
    const bool between = b->low < b->high ? x > b->low && x < b->high : x > b->high && x < b->low;
    return between ? x : 0.5 * (b->low + b->high);
}

/* Puts x, with the value there, in place of the end whose value has its sign, of `high` if it is zero. The value at an
   end that stays twice is halved. Source: the Illinois method, Dowell and Jarratt 1971, BIT 11, 168. */
static inline void carom_bracket_take(carom_bracket *b, double x, double value)
{
    if (value != 0 && (value > 0) == (b->at_low > 0)) {
        b->low = x;
        b->at_low = value;
        b->at_high *= b->kept == 1 ? 0.5 : 1;
        b->kept = 1;
    } else {
        b->high = x;
        b->at_high = value;
        b->at_low *= b->kept == -1 ? 0.5 : 1;
        b->kept = -1;
    }
}

#endif
