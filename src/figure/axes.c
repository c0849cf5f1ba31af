/* Ranges, ticks, prefixes and labels of the axes of figures. */
#include "figure/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/base.h"

#define SMALLEST 1e-290     /* of a range: the power of ten that makes it readable is a number */
#define NARROW 1e-6         /* range, relative to its numbers, of which the axis shows the distance from an offset */

/* ---- texts ---- */

static void append(char *out, size_t size, const char *text)
{
    size_t length = strlen(out);
    snprintf(out + length, size - length, "%s", text);
}

/* Appends an exponent in raised digits. */
static void append_raised(char *out, size_t size, const char *digits, size_t count)
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    for (size_t k = 0; k < count; k++)
        append(out, size, digits[k] == '-' ? "⁻" : raised[digits[k] - '0']);
}

/* Appends a unit: "m/s^2" with a raised 2, products with a dot; powers that are not whole stay as they are. */
static void append_unit(char *out, size_t size, const char *unit)
{
    for (const char *p = unit; *p; p++) {
        size_t digits = *p == '^' ? strspn(p + 1, "-0123456789") : 0;
        char one[2] = {*p, '\0'};
        if (digits && p[1 + digits] != '.' && strspn(p + 1, "-") <= 1) {
            append_raised(out, size, p + 1, digits);
            p += digits;
        } else {
            append(out, size, *p == '*' ? "·" : one);
        }
    }
}

/* ---- prefixes ---- */

static const struct prefix {
    const char *text;
    int exponent;
} prefixes[] = {{"p", -12}, {"n", -9}, {"µ", -6}, {"u", -6}, {"m", -3}, {"k", 3}, {"M", 6}, {"G", 9}, {"T", 12}};

/* Units that take prefixes; the large ones only where they are usual. */
static const struct unit {
    const char *text;
    int largest;
} units[] = {{"m", 3},  {"s", 0},  {"N", 12}, {"J", 12}, {"W", 12}, {"Pa", 12},
             {"Hz", 12}, {"rad", 0}, {"V", 12}, {"A", 12}, {"C", 12}};

/* The first word of a unit, split into prefix and unit: its exponent, its largest one, and where the word begins and
   ends. False if it takes no prefix, as in "kg", "1", "m^2". */
static bool split_unit(const char *unit, int *exponent, int *largest, const char **word)
{
    size_t length = strcspn(unit, " */^·");
    if (unit[length] == '^')
        return false;
    for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
        size_t tail = strlen(units[k].text);
        if (tail > length || strncmp(unit + length - tail, units[k].text, tail) != 0)
            continue;
        *largest = units[k].largest;
        *word = unit + length - tail;
        *exponent = 0;
        if (tail == length)
            return true;
        for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
            if (strlen(prefixes[i].text) == length - tail && strncmp(unit, prefixes[i].text, length - tail) == 0) {
                *exponent = prefixes[i].exponent;
                return true;
            }
    }
    return false;
}

static const char *prefix_text(int exponent)
{
    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++)
        if (prefixes[k].exponent == exponent)
            return prefixes[k].text;
    return "";
}

/* Power of ten, a multiple of three, that brings `size` into 1 … 1000; 0 from 0.1 to 1000. */
static int engineering(double size)
{
    if (!(size > 0) || (size >= 0.1 && size < 1000))
        return 0;
    return 3 * (int)floor(log10(size) / 3 + 1e-12);
}

/* True if numbers up to `size` are readable without a power of ten. */
static bool is_readable(double size) { return !(size > 0) || (size >= 1e-2 && size < 1e4); }

static bool has_unit(const char *unit) { return unit[0] && strcmp(unit, "1") != 0 && strcmp(unit, "-") != 0; }

/* Factor from the unit given to the unit shown for numbers up to `size`, and the text of the unit shown; the unit given
   stays from 0.1 to 1000 of it. */
static double choose_unit(const char *unit, double size, char *text, size_t capacity)
{
    int given, largest;
    const char *word;
    text[0] = '\0';
    if (engineering(size) != 0 && split_unit(unit, &given, &largest, &word)) {
        int shown = engineering(size * pow(10, given));
        shown = shown > largest ? largest : shown < -12 ? -12 : shown;
        double factor = pow(10, given - shown);
        if (is_readable(size * factor)) {
            append(text, capacity, prefix_text(shown));
            append_unit(text, capacity, word);
            return factor;
        }
    }
    int shown = is_readable(size) ? 0 : engineering(size);
    if (shown) {
        char digits[16];
        snprintf(digits, sizeof digits, "%d", shown);
        append(text, capacity, "×10");
        append_raised(text, capacity, digits, strlen(digits));
    }
    if (has_unit(unit)) {
        append(text, capacity, shown ? " " : "");
        append_unit(text, capacity, unit);
    }
    return pow(10, -shown);
}

/* ---- ranges and ticks ---- */

bool carom_axis_is_wide(double low, double high)
{
    return high - low > fmax(1e-13 * fmax(fabs(low), fabs(high)), SMALLEST);
}

void carom_axis_widen(double *low, double *high, double pad)
{
    double span = *high - *low, size = fmax(fabs(*low), fabs(*high));
    if (!carom_axis_is_wide(*low, *high)) {
        double half = size > SMALLEST ? 0.1 * size : 1;
        double middle = *low + 0.5 * span;
        *low = middle - half;
        *high = middle + half;
        return;
    }
    /* a range that nearly begins at zero begins there */
    if (*low > 0 && *low < 0.1 * *high)
        *low = 0;
    if (*high < 0 && *high > 0.1 * *low)
        *high = 0;
    span = *high - *low;
    *low -= pad * span;
    *high += pad * span;
}

/* Smallest of 1, 2 and 5 times a power of ten that is at least `least`; `minor` gets the parts to divide it into. */
static double nice_step(double least, int *minor)
{
    double power = pow(10, floor(log10(least)));
    double part = least / power;
    *minor = part > 1 + 1e-9 && part <= 2 + 1e-9 ? 4 : 5;
    double times = part <= 1 + 1e-9 ? 1 : part <= 2 + 1e-9 ? 2 : part <= 5 + 1e-9 ? 5 : 10;
    return times * power;
}

static void place_ticks(carom_axis *a, int max_ticks)
{
    double low = (a->low - a->offset) * a->factor, high = (a->high - a->offset) * a->factor;
    a->step = nice_step((high - low) / max_ticks, &a->minor);
    a->first = ceil(low / a->step - 1e-6);
    a->count = (int)(floor(high / a->step + 1e-6) - a->first) + 1;
    int decimals = (int)-floor(log10(a->step) + 1e-9);
    a->decimals = decimals > 0 ? decimals : 0;
}

static void set_label(carom_axis *axis, const char *name, const char *unit)
{
    if (unit[0])
        snprintf(axis->label, sizeof axis->label, "%.140s%s[%.96s]", name, name[0] ? " " : "", unit);
    else
        snprintf(axis->label, sizeof axis->label, "%s", name);
}

void carom_axis_plan(carom_axis *axis, const char *label, const char *unit, double low, double high, int max_ticks)
{
    carom_axis_plan_sized(axis, label, unit, low, high, fmax(fabs(low), fabs(high)), max_ticks);
}

void carom_axis_plan_sized(carom_axis *axis, const char *label, const char *unit, double low, double high, double size,
                           int max_ticks)
{
    char name[CAROM_AXIS_TEXT], given[64], shown[96];
    carom_figure_text(name, sizeof name / 2, label);
    carom_figure_text(given, sizeof given, unit);
    *axis = (carom_axis){.low = low, .high = high};
    /* digits that all ticks share go into the label if they are many */
    if (high - low < NARROW * size) {
        int parts;
        double coarse = 10 * nice_step((high - low) / max_ticks, &parts);
        axis->offset = round((low + 0.5 * (high - low)) / coarse) * coarse;
        double factor = choose_unit(given, fabs(axis->offset), shown, sizeof shown);
        char number[96];
        snprintf(number, sizeof number, " %s %.15g%s", axis->offset < 0 ? "+" : "−", fabs(axis->offset * factor),
                 shown[0] ? " " : "");
        /* some locales write a comma */
        char *comma = strchr(number, ',');
        if (comma)
            *comma = '.';
        append(name, sizeof name, number);
        append(name, sizeof name, shown);
        size = fmax(fabs(low - axis->offset), fabs(high - axis->offset));
    }
    axis->factor = choose_unit(given, size, shown, sizeof shown);
    place_ticks(axis, max_ticks);
    set_label(axis, name, shown);
}

/* ---- logarithmic axes ---- */

/* Ticks at 1, 2 and 5 times powers of ten; their parts. */
static const int mantissas[] = {1, 2, 5}, mantissa_parts[] = {1, 3, 5};

/* Tick `n` of these, counted from the one at 1: its mantissa's index and its exponent. */
static int split_tick(int n, int *exponent)
{
    *exponent = (int)floor(n / 3.0);
    return n - 3 * *exponent;
}

static double mantissa_tick(int n, int part)
{
    int exponent, index = split_tick(n, &exponent);
    return (mantissas[index] + part) * pow(10, exponent);
}

/* Ticks at powers of ten, at every `step`-th if they are more than `max_ticks`; false if the range has but one. */
static bool place_decades(carom_axis *a, int max_ticks)
{
    double low = log10(a->low), high = log10(a->high);
    if (floor(high + 1e-6) - ceil(low - 1e-6) < 1)
        return false;
    int step = 0;
    do {
        step++;
        a->first = ceil(low / step - 1e-6);
        a->count = (int)(floor(high / step + 1e-6) - a->first) + 1;
    } while (a->count > max_ticks && a->count > 1);
    a->kind = CAROM_AXIS_DECADES;
    a->step = step;
    a->minor = step == 1 ? 9 : step;
    return true;
}

/* False if fewer than three of these ticks are in the range, or more than `max_ticks`. */
static bool place_mantissas(carom_axis *a, int max_ticks)
{
    double low = a->low * a->factor * (1 - 1e-9), high = a->high * a->factor * (1 + 1e-9);
    int first = 3 * (int)floor(log10(low)), last = 3 * (int)floor(log10(high)) + 3;
    while (first < last && mantissa_tick(first, 0) < low)
        first++;
    while (last >= first && mantissa_tick(last, 0) > high)
        last--;
    if (last - first + 1 < 3 || last - first + 1 > max_ticks)
        return false;
    a->kind = CAROM_AXIS_MANTISSAS;
    a->first = first;
    a->count = last - first + 1;
    return true;
}

void carom_axis_plan_log(carom_axis *axis, const char *label, const char *unit, double low, double high, int max_ticks)
{
    char name[CAROM_AXIS_TEXT], given[64], shown[96] = "";
    carom_figure_text(name, sizeof name / 2, label);
    carom_figure_text(given, sizeof given, unit);
    *axis = (carom_axis){.low = low, .high = high, .factor = 1};
    if (place_decades(axis, max_ticks)) {
        if (has_unit(given))
            append_unit(shown, sizeof shown, given);
    } else {
        axis->factor = choose_unit(given, high, shown, sizeof shown);
        if (!place_mantissas(axis, max_ticks)) {
            carom_axis_plan(axis, label, unit, low, high, max_ticks);
            return;
        }
    }
    set_label(axis, name, shown);
}

void carom_axis_plan_names(carom_axis *axis, const char *label, const char *const *names, size_t count)
{
    *axis = (carom_axis){.kind = CAROM_AXIS_NAMES, .factor = 1, .minor = 1, .count = (int)count, .names = names};
    axis->high = (double)count - 1;
    carom_figure_text(axis->label, sizeof axis->label, label);
}

/* ---- ticks ---- */

int carom_axis_parts(const carom_axis *axis, int k)
{
    int exponent;
    if (axis->kind == CAROM_AXIS_MANTISSAS)
        return mantissa_parts[split_tick((int)axis->first + k, &exponent)];
    return axis->minor;
}

double carom_axis_tick(const carom_axis *axis, int k, int part)
{
    if (axis->kind == CAROM_AXIS_NAMES)
        return k;
    if (axis->kind == CAROM_AXIS_MANTISSAS)
        return mantissa_tick((int)axis->first + k, part) / axis->factor;
    if (axis->kind == CAROM_AXIS_DECADES) {
        double exponent = (axis->first + k) * axis->step;
        return axis->step == 1 ? (part + 1) * pow(10, exponent) : pow(10, exponent + part);
    }
    double steps = axis->first + k + (double)part / axis->minor;
    return axis->offset + steps * axis->step / axis->factor;
}

/* Writes a number with a decimal point in every locale. */
static void decimal_text(double value, int decimals, char *out, size_t size)
{
    char digits[64];
    snprintf(digits, sizeof digits, "%.*f", decimals, fabs(value));
    for (char *p = digits; *p; p++)
        if (*p < '0' || *p > '9')
            *p = '.';
    /* a tick whose digits are all zero has no sign */
    bool negative = value < 0 && strpbrk(digits, "123456789");
    snprintf(out, size, "%s%s", negative ? "−" : "", digits);
}

/* Text of a power of ten: in digits where all of the axis are short. */
static void decade_text(const carom_axis *axis, int k, char *out, size_t size)
{
    int exponent = (int)((axis->first + k) * axis->step), last = (int)((axis->first + axis->count - 1) * axis->step);
    char digits[16];
    snprintf(digits, sizeof digits, "%d", exponent);
    snprintf(out, size, "%s", "10");
    if (axis->first * axis->step < -3 || last > 4)
        append_raised(out, size, digits, strlen(digits));
    else
        decimal_text(pow(10, exponent), exponent < 0 ? -exponent : 0, out, size);
}

void carom_axis_tick_text(const carom_axis *axis, int k, char *out, size_t size)
{
    int exponent;
    if (axis->kind == CAROM_AXIS_NAMES) {
        carom_figure_text(out, size, k >= 0 && k < axis->count ? axis->names[k] : "");
    } else if (axis->kind == CAROM_AXIS_DECADES) {
        decade_text(axis, k, out, size);
    } else if (axis->kind == CAROM_AXIS_MANTISSAS) {
        split_tick((int)axis->first + k, &exponent);
        decimal_text(mantissa_tick((int)axis->first + k, 0), exponent < 0 ? -exponent : 0, out, size);
    } else {
        decimal_text((axis->first + k) * axis->step, axis->decimals, out, size);
    }
}
