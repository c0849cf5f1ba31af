/* Power laws Fe = K delta^n that Autiero et al. fitted to four laws of line contact, for steel and aluminium and six
   differences of radii; K and n between the tabulated dR by interpolation of ln K and n over ln dR.
   Source: Autiero et al. 2022, Tables 2-9.
   Validity: dR from 0.5 to 80 mm, forces up to 1000 N a mm of length; prefer the laws themselves. */
#include "kinds/normal/geometry.h"
#include "kinds/normal/law.h"
#include "base/base.h"

enum { FIT, MATERIAL, TABLE, CLEARANCE };
enum { ESDU = 3 };

#define ROWS 6

static const carom_param_row params[] = {
    {"fit", "radzimovsky|johnson|goldsmith|esdu", 1, CAROM_PARAM_TEXT, 0, 0, 3, "The law that was fitted."},
    {"material", "steel|aluminium", 1, CAROM_PARAM_TEXT, 0, 0, 1,
     "Of both sides: `steel`, E = 207 GPa and nu = 0.3, or `aluminium`, 70 GPa and 0.33."},
    {"table", "corrected|printed", 1, CAROM_PARAM_TEXT, 0, 0, 1,
     "Numbers of the tables with their misprints put right, or as printed."},
    {"clearance", "m", 1, CAROM_PARAM_ABOVE | CAROM_PARAM_OPTIONAL, 0, 0, HUGE_VAL,
     "Difference dR of the radii (their sum in external contact) in place of that of the two sides."},
};

/* dR [mm] */
static const double differences[ROWS] = {0.5, 5, 10, 30, 60, 80};

/* K [N/mm^n a mm of length] and n over these, as printed. */
static const struct {
    double stiffness[ROWS], exponent[ROWS];
} printed[4][2] = {
    {{{1.04e5, 6.24e4, 5.55e4, 4.72e4, 4.32e4, 4.17e4}, {1.162, 1.118, 1.109, 1.097, 1.091, 1.089}},
     {{41308, 22979, 20228, 16993, 15434, 14867}, {1.195, 1.135, 1.123, 1.108, 1.100, 1.098}}},
    {{{1.42e5, 7.53e4, 6.54e4, 5.44e4, 4.91e4, 4.72e4}, {1.192, 1.133, 1.122, 1.107, 1.100, 1.097}},
     {{60628, 28324, 24286, 19782, 17703, 16962}, {1.242, 1.155, 1.140, 1.121, 1.111, 1.083}}},
    {{{2.86e4, 2.39e4, 2.27e4, 2.09e4, 1.94e4, 1.84e4}, {1.066, 1.057, 1.055, 1.051, 1.048, 1.046}},
     {{10032, 8354, 7933, 7273, 6752, 6394}, {1.071, 1.061, 1.058, 1.054, 1.050, 1.048}}},
    {{{2.84e3, 1.77e3, 1.59e3, 1.36e3, 1.25e3, 1.21e3}, {1.165, 1.119, 1.110, 1.098, 1.092, 1.090}},
     {{10868, 6395, 5691, 4849, 4437, 4286}, {1.165, 1.119, 1.110, 1.098, 1.092, 1.090}}},
};

/* What the fits give in place of the misprints: Table 4, K(10); Table 5, n(60) (truncated, as all of that table) and
   n(80); Table 8, all K; Table 9, all n. */
static const struct {
    int fit, material, row;
    double stiffness, exponent; /* 0: as printed */
} corrections[] = {
    {1, 0, 2, 6.56e4, 0},  {1, 1, 4, 0, 1.1118},  {1, 1, 5, 0, 1.1084},  {3, 0, 0, 2.84e4, 0},  {3, 0, 1, 1.77e4, 0},
    {3, 0, 2, 1.59e4, 0},  {3, 0, 3, 1.36e4, 0},  {3, 0, 4, 1.25e4, 0},  {3, 0, 5, 1.21e4, 0},  {3, 1, 0, 0, 1.2002},
    {3, 1, 1, 0, 1.1369},  {3, 1, 2, 0, 1.1250},  {3, 1, 3, 0, 1.1099},  {3, 1, 4, 0, 1.1021},  {3, 1, 5, 0, 1.0991},
};

static void look_up(const double *p, int row, double *stiffness, double *exponent)
{
    const int fit = (int)p[FIT], material = (int)p[MATERIAL];
    *stiffness = printed[fit][material].stiffness[row];
    *exponent = printed[fit][material].exponent[row];
    for (size_t k = 0; p[TABLE] == 0 && k < CAROM_COUNT(corrections); k++)
        if (corrections[k].fit == fit && corrections[k].material == material && corrections[k].row == row) {
            *stiffness = corrections[k].stiffness > 0 ? corrections[k].stiffness : *stiffness;
            *exponent = corrections[k].exponent > 0 ? corrections[k].exponent : *exponent;
        }
}

/* dR [m] as given or of the radii. */
static const char *find_difference(const double *p, const carom_contact_geometry *geometry, double *out)
{
    *out = p[CLEARANCE];
    if (!isnan(*out))
        return NULL;
    carom_cylinders cylinders;
    const char *refusal = carom_contact_cylinders(geometry, &cylinders);
    if (refusal)
        return refusal;
    *out = cylinders.difference;
    return p[FIT] == ESDU && !cylinders.internal
               ? "the fit of ESDU 78035 is for a pin in a hollow cylinder: one radius must be negative (a 'clearance' "
                 "given by itself is taken as it is)"
               : NULL;
}

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    double difference;
    const char *refusal = find_difference(p, geometry, &difference);
    if (refusal)
        return refusal;
    if (!(geometry->length > 0) || isinf(geometry->length))
        return "autiero-fit needs 'length', the length of the contact [m]";
    /* differences of decimal radii miss the ends of the table by their rounding */
    double d = 1e3 * difference, slack = 1e-9;
    if (!(d >= differences[0] * (1 - slack)) || d > differences[ROWS - 1] * (1 + slack))
        return "autiero-fit is tabulated for differences of the radii from 0.5 mm to 80 mm; take the law itself "
               "(radzimovsky, johnson, goldsmith, esdu-78035) outside";
    int row = 0;
    while (row < ROWS - 2 && d > differences[row + 1])
        row++;
    double k0, k1, n0, n1;
    look_up(p, row, &k0, &n0);
    look_up(p, row + 1, &k1, &n1);
    double part = log(d / differences[row]) / log(differences[row + 1] / differences[row]);
    part = fmax(0, fmin(1, part));
    double n = n0 + part * (n1 - n0), per_mm = part == 0 ? k0 : part == 1 ? k1 : k0 * pow(k1 / k0, part);
    c[0] = per_mm * (1e3 * geometry->length) * pow(1e3, n);
    c[1] = n;
    return NULL;
}

static void force(const double *c, const double *history, double delta, carom_elastic_force *out)
{
    (void)history;
    carom_power_force(c[0], c[1], delta, out);
}

const carom_elastic_kind carom_elastic_autiero_fit = {
    .kind = {.name = "autiero-fit",
             .aliases = "autiero",
             .title = "Power-law fit of a line contact by Autiero et al. (2022).",
             .formula = "Fe = K(dR) L delta^n(dR); ln K and n linear in ln dR between the rows of the table",
             .source = "Autiero et al. 2022, Tables 2-9.",
             .validity =
                 "Least squares of the force over 0 to 1000 N a mm of length, two equal materials, dR from 0.5 to 80 "
                 "mm; off by 1 to 24 % above an indentation of 1 um and by more below and beyond: the laws "
                 "themselves cost no more. Misprints, put right with `table: corrected`: Table 4, K(10) = 6.56e4; "
                 "Table 5, n(80) = 1.1084 (n(60) = 1.1118 is printed truncated); Table 8, every K ten times too "
                 "small; Table 9, the exponents are those of Table 8. Radzimovsky's fits have radii where diameters "
                 "belong, those of ESDU 78035 h without its pi, those of Goldsmith a cylinder of 100 mm and L^m = "
                 "1e8 (mm) inside the logarithm with 1 mm outside, whatever the radii and length of the model. "
                 "`table: printed` takes the tables at their word. `carom force --law johnson --fit` with materials, "
                 "radii and length makes such a fit again; there `fit` of this law is `--set fit=johnson`.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .power_law = true,
    .needs = CAROM_NEEDS_RADII | CAROM_NEEDS_LENGTH,
    .prepare = prepare,
    .force = force,
};
