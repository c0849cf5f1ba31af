/* Ranges, ticks, prefixes and labels of the axes of figures. */
#include "io/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/base.h"

#define SMALLEST 1e-290     /* of a range: the power of ten that makes it readable is a number */
#define NARROW 1e-6         /* range, relative to its numbers, of which the axis shows the distance from an offset */

/* ---- texts ---- */

/* Bytes of the UTF-8 character at `p`, 0 if there is none. */
static size_t character_size(const unsigned char *p)
{
    size_t size = p[0] < 0x80 ? 1 : p[0] >= 0xC2 && p[0] < 0xE0 ? 2 : p[0] >= 0xE0 && p[0] < 0xF0 ? 3 : 0;
    if (p[0] >= 0xF0 && p[0] < 0xF5)
        size = 4;
    for (size_t k = 1; k < size; k++)
        if ((p[k] & 0xC0) != 0x80)
            return 0;
    bool overlong = (p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xF0 && p[1] < 0x90);
    bool outside = (p[0] == 0xED && p[1] >= 0xA0) || (p[0] == 0xF4 && p[1] >= 0x90);
    return overlong || outside ? 0 : size;
}

void carom_figure_text(char *out, size_t size, const char *text)
{
    size_t length = 0;
    const unsigned char *p = (const unsigned char *)(text ? text : "");
    while (*p) {
        size_t bytes = character_size(p);
        bool plain = bytes > 1 || (bytes == 1 && *p >= 0x20 && *p != 0x7F);
        size_t take = bytes ? bytes : 1;
        if (length + (plain ? take : 1) >= size)
            break;
        if (plain)
            memcpy(out + length, p, take);
        else
            out[length] = bytes ? ' ' : '?';
        length += plain ? take : 1;
        p += take;
    }
    out[length] = '\0';
}

bool carom_figure_is_point(double x, double y)
{
    return fabs(x) < CAROM_FIGURE_LIMIT && fabs(y) < CAROM_FIGURE_LIMIT;
}

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

/* Factor from the unit given to the unit shown for numbers up to `size`, and the text of the unit shown; the unit given
   stays from 0.1 to 1000 of it. */
static double choose_unit(const char *unit, double size, char *text, size_t room)
{
    int given, largest;
    const char *word;
    text[0] = '\0';
    if (engineering(size) != 0 && split_unit(unit, &given, &largest, &word)) {
        int shown = engineering(size * pow(10, given));
        shown = shown > largest ? largest : shown < -12 ? -12 : shown;
        double factor = pow(10, given - shown);
        if (is_readable(size * factor)) {
            append(text, room, prefix_text(shown));
            append_unit(text, room, word);
            return factor;
        }
    }
    int shown = is_readable(size) ? 0 : engineering(size);
    if (shown) {
        char digits[16];
        snprintf(digits, sizeof digits, "%d", shown);
        append(text, room, "×10");
        append_raised(text, room, digits, strlen(digits));
    }
    if (unit[0] && strcmp(unit, "1") != 0 && strcmp(unit, "-") != 0) {
        append(text, room, shown ? " " : "");
        append_unit(text, room, unit);
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

void carom_axis_plan(carom_axis *axis, const char *label, const char *unit, double low, double high, int max_ticks)
{
    char name[CAROM_AXIS_TEXT], given[64], shown[96];
    carom_figure_text(name, sizeof name / 2, label);
    carom_figure_text(given, sizeof given, unit);
    *axis = (carom_axis){.low = low, .high = high};
    double size = fmax(fabs(low), fabs(high));
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
    if (shown[0])
        snprintf(axis->label, sizeof axis->label, "%.140s%s[%.96s]", name, name[0] ? " " : "", shown);
    else
        snprintf(axis->label, sizeof axis->label, "%s", name);
}

double carom_axis_tick(const carom_axis *axis, int k, int part)
{
    double steps = axis->first + k + (double)part / axis->minor;
    return axis->offset + steps * axis->step / axis->factor;
}

void carom_axis_tick_text(const carom_axis *axis, int k, char *out, size_t size)
{
    double value = (axis->first + k) * axis->step;
    char digits[64];
    snprintf(digits, sizeof digits, "%.*f", axis->decimals, fabs(value));
    for (char *p = digits; *p; p++)
        if (*p < '0' || *p > '9')
            *p = '.';
    /* a tick whose digits are all zero has no sign */
    bool negative = value < 0 && strpbrk(digits, "123456789");
    snprintf(out, size, "%s%s", negative ? "−" : "", digits);
}

/* ---- ranges of figures ---- */

/* True if a curve goes back in x, such as a loop of force over indentation. */
static bool returns(const carom_figure *f)
{
    for (size_t c = 0; c < f->curve_count; c++)
        for (size_t k = 1; k < f->curves[c].count; k++)
            if (f->curves[c].x[k] < f->curves[c].x[k - 1])
                return true;
    return false;
}

/* Adds the ordinates of the part of a segment from a to b that lies in the range of x. */
static void include_part(const double x[2], const double a[2], const double b[2], double y[2])
{
    double from = fmax(fmin(a[0], b[0]), x[0]), to = fmin(fmax(a[0], b[0]), x[1]);
    if (from > to)
        return;
    double ends[2] = {from, to};
    for (int k = 0; k < 2; k++) {
        double at = a[0] == b[0] ? (k ? b[1] : a[1]) : a[1] + (ends[k] - a[0]) / (b[0] - a[0]) * (b[1] - a[1]);
        y[0] = fmin(y[0], at);
        y[1] = fmax(y[1], at);
    }
}

static carom_status find_x(carom_context *ctx, const carom_figure *f, double x[2])
{
    x[0] = HUGE_VAL;
    x[1] = -HUGE_VAL;
    for (size_t c = 0; c < f->curve_count; c++)
        for (size_t k = 0; k < f->curves[c].count; k++)
            if (carom_figure_is_point(f->curves[c].x[k], f->curves[c].y[k])) {
                x[0] = fmin(x[0], f->curves[c].x[k]);
                x[1] = fmax(x[1], f->curves[c].x[k]);
            }
    if (!(x[0] <= x[1]))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "figure: nothing to draw, no curve has a finite point");
    if (f->x_min < f->x_max) {
        x[0] = f->x_min;
        x[1] = f->x_max;
    } else if (!carom_axis_is_wide(x[0], x[1])) {
        carom_axis_widen(&x[0], &x[1], 0);
    } else if (returns(f)) {
        double pad = 0.04 * (x[1] - x[0]);
        x[0] -= pad;
        x[1] += pad;
    }
    return CAROM_OK;
}

carom_status carom_figure_ranges(carom_context *ctx, const carom_figure *f, double x[2], double y[2])
{
    CAROM_TRY(find_x(ctx, f, x));
    y[0] = HUGE_VAL;
    y[1] = -HUGE_VAL;
    for (size_t c = 0; c < f->curve_count; c++) {
        const carom_curve *curve = &f->curves[c];
        for (size_t k = 0; k < curve->count; k++) {
            double here[2] = {curve->x[k], curve->y[k]};
            if (!carom_figure_is_point(here[0], here[1]))
                continue;
            bool joined = k > 0 && carom_figure_is_point(curve->x[k - 1], curve->y[k - 1]);
            double before[2] = {curve->x[joined ? k - 1 : k], curve->y[joined ? k - 1 : k]};
            include_part(x, before, here, y);
        }
    }
    if (!(y[0] <= y[1]))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "figure: nothing to draw, no curve has a point from x = %g to %g; choose another range", x[0],
                          x[1]);
    carom_axis_widen(&y[0], &y[1], 0.05);
    return CAROM_OK;
}
