/* Dop853: the explicit Runge-Kutta method of Dormand and Prince of order 8 with step control.
   source: Hairer, Norsett and Wanner 1993, Solving Ordinary Differential Equations I, 2nd ed., sections II.4 to II.6
   (coefficients, error estimate of orders 5 and 3, dense output of order 7).
   Validity: non-stiff motion at tight tolerances.

   Steps are made in the time t or in x, the p-th root of the time since the last restart or until a stop: after an
   onset the indentation is v0 t, and a force that goes with its power 1.5 is smooth in x = sqrt(t), not in t. */
#include "base/wide.h"
#include "integrate/integrator.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The step's rates k1 to k12, f at its end, and three more of its dense output. */
#define STAGES 16
#define END 12
#define MOST_TERMS 12
/* Numbers that are found at a time. */
#define WIDTH 8

/* Step control: the next step is SAFETY error^(-1/8) of the last one, between these shares of it. */
#define SAFETY 0.84
#define LEAST_SHARE 0.2
/* Units of the tolerance that the estimate may reach, in an impact, which begins with an onset and lasts a few times
   `scale`, and elsewhere. The error of order 8 is a hundredth to a thousandth of it. */
#define IMPACT_UNITS 50
#define UNITS 3
#define IMPACT 3
#define MOST_SHARE 6
/* Errors from which on a step may cross a kink or a jump of the rates, where the estimate of a shorter one is small by
   chance as often as the inverse of this: the shorter one is taken only if it is, halved, within the tolerance, too. */
#define DOUBTFUL 1e4
/* Share of a step that cannot be evaluated, and failures in a row of one step. */
#define FAILED_SHARE 0.25
#define MOST_FAILURES 60

/* Products of one row: which rates, and their coefficients. */
typedef struct terms {
    double time;                /* of the stage, in steps */
    int count, of[MOST_TERMS];
    double a[MOST_TERMS];
} terms;

static const terms stages[STAGES] = {
    {0, 0, {0}, {0}},
    {0.526001519587677318785587544488e-1, 1, {0}, {5.26001519587677318785587544488e-2}},
    {0.789002279381515978178381316732e-1, 2, {0, 1}, {1.97250569845378994544595329183e-2,
     5.91751709536136983633785987549e-2}},
    {0.118350341907227396726757197510, 2, {0, 2}, {2.95875854768068491816892993775e-2,
     8.87627564304205475450678981324e-2}},
    {0.281649658092772603273242802490, 3, {0, 2, 3}, {2.41365134159266685502369798665e-1,
     -8.84549479328286085344864962717e-1, 9.24834003261792003115737966543e-1}},
    {1. / 3, 3, {0, 3, 4}, {3.7037037037037037037037037037e-2, 1.70828608729473871279604482173e-1,
     1.25467687566822425016691814123e-1}},
    {0.25, 4, {0, 3, 4, 5}, {3.7109375e-2, 1.70252211019544039314978060272e-1, 6.02165389804559606850219397283e-2,
     -1.7578125e-2}},
    {4. / 13, 5, {0, 3, 4, 5, 6}, {3.70920001185047927108779319836e-2, 1.70383925712239993810214054705e-1,
     1.07262030446373284651809199168e-1, -1.53194377486244017527936158236e-2, 8.27378916381402288758473766002e-3}},
    {127. / 195, 6, {0, 3, 4, 5, 6, 7}, {6.24110958716075717114429577812e-1, -3.36089262944694129406857109825,
     -8.68219346841726006818189891453e-1, 2.75920996994467083049415600797e1, 2.01540675504778934086186788979e1,
     -4.34898841810699588477366255144e1}},
    {0.6, 7, {0, 3, 4, 5, 6, 7, 8}, {4.77662536438264365890433908527e-1, -2.48811461997166764192642586468,
     -5.90290826836842996371446475743e-1, 2.12300514481811942347288949897e1, 1.52792336328824235832596922938e1,
     -3.32882109689848629194453265587e1, -2.03312017085086261358222928593e-2}},
    {6. / 7, 8, {0, 3, 4, 5, 6, 7, 8, 9}, {-9.3714243008598732571704021658e-1, 5.18637242884406370830023853209,
     1.09143734899672957818500254654, -8.14978701074692612513997267357, -1.85200656599969598641566180701e1,
     2.27394870993505042818970056734e1, 2.49360555267965238987089396762, -3.0467644718982195003823669022}},
    {1, 9, {0, 3, 4, 5, 6, 7, 8, 9, 10}, {2.27331014751653820792359768449, -1.05344954667372501984066689879e1,
     -2.00087205822486249909675718444, -1.79589318631187989172765950534e1, 2.79488845294199600508499808837e1,
     -2.85899827713502369474065508674, -8.87285693353062954433549289258, 1.23605671757943030647266201528e1,
     6.43392746015763530355970484046e-1}},
    {1, 8, {0, 5, 6, 7, 8, 9, 10, 11}, {5.42937341165687622380535766363e-2, 4.45031289275240888144113950566,
     1.89151789931450038304281599044, -5.8012039600105847814672114227, 3.1116436695781989440891606237e-1,
     -1.52160949662516078556178806805e-1, 2.01365400804030348374776537501e-1, 4.47106157277725905176885569043e-2}},
    {0.1, 8, {0, 6, 7, 8, 9, 10, 11, 12}, {5.61675022830479523392909219681e-2, 2.53500210216624811088794765333e-1,
     -2.46239037470802489917441475441e-1, -1.24191423263816360469010140626e-1, 1.5329179827876569731206322685e-1,
     8.20105229563468988491666602057e-3, 7.56789766054569976138603589584e-3, -8.298e-3}},
    {0.2, 8, {0, 5, 6, 7, 10, 11, 12, 13}, {3.18346481635021405060768473261e-2, 2.83009096723667755288322961402e-2,
     5.35419883074385676223797384372e-2, -5.49237485713909884646569340306e-2, -1.08347328697249322858509316994e-4,
     3.82571090835658412954920192323e-4, -3.40465008687404560802977114492e-4, 1.41312443674632500278074618366e-1}},
    {7. / 9, 8, {0, 5, 6, 7, 8, 12, 13, 14}, {-4.28896301583791923408573538692e-1, -4.69762141536116384314449447206,
     7.68342119606259904184240953878, 4.06898981839711007970213554331, 3.56727187455281109270669543021e-1,
     -1.39902416515901462129418009734e-3, 2.9475147891527723389556272149, -9.15095847217987001081870187138}},
};

/* The errors of orders 5 and 3. */
static const terms error_5 = {0, 8, {0, 5, 6, 7, 8, 9, 10, 11},
    {0.1312004499419488073250102996e-1, -0.1225156446376204440720569753e1, -0.4957589496572501915214079952,
     0.1664377182454986536961530415e1, -0.3503288487499736816886487290, 0.3341791187130174790297318841,
     0.8192320648511571246570742613e-1, -0.2235530786388629525884427845e-1}};
static const terms error_3 = {0, 8, {0, 5, 6, 7, 8, 9, 10, 11},
    {5.42937341165687622380535766363e-2 - 0.244094488188976377952755905512, 4.45031289275240888144113950566,
     1.89151789931450038304281599044, -5.8012039600105847814672114227,
     3.1116436695781989440891606237e-1 - 0.733846688281611857341361741547, -1.52160949662516078556178806805e-1,
     2.01365400804030348374776537501e-1, 4.47106157277725905176885569043e-2 - 0.220588235294117647058823529412e-1}};

/* Higher coefficients of the dense output. */
#define DENSE 4
/* Those before, of both ends and their rates. */
#define HERMITE 3
static const terms dense[DENSE] = {
    {0, 12, {0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
     {-0.84289382761090128651353491142e1, 0.56671495351937776962531783590, -0.30689499459498916912797304727e1,
      0.23846676565120698287728149680e1, 0.21170345824450282767155149946e1, -0.87139158377797299206789907490,
      0.22404374302607882758541771650e1, 0.63157877876946881815570249290, -0.88990336451333310820698117400e-1,
      0.18148505520854727256656404962e2, -0.91946323924783554000451984436e1, -0.44360363875948939664310572000e1}},
    {0, 12, {0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
     {0.10427508642579134603413151009e2, 0.24228349177525818288430175319e3, 0.16520045171727028198505394887e3,
      -0.37454675472269020279518312152e3, -0.22113666853125306036270938578e2, 0.77334326684722638389603898808e1,
      -0.30674084731089398182061213626e2, -0.93321305264302278729567221706e1, 0.15697238121770843886131091075e2,
      -0.31139403219565177677282850411e2, -0.93529243588444783865713862664e1, 0.35816841486394083752465898540e2}},
    {0, 12, {0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
     {0.19985053242002433820987653617e2, -0.38703730874935176555105901742e3, -0.18917813819516756882830838328e3,
      0.52780815920542364900561016686e3, -0.11573902539959630126141871134e2, 0.68812326946963000169666922661e1,
      -0.10006050966910838403183860980e1, 0.77771377980534432092869265740, -0.27782057523535084065932004339e1,
      -0.60196695231264120758267380846e2, 0.84320405506677161018159903784e2, 0.11992291136182789328035130030e2}},
    {0, 12, {0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
     {-0.25693933462703749003312586129e2, -0.15418974869023643374053993627e3, -0.23152937917604549567536039109e3,
      0.35763911791061412378285349910e3, 0.93405324183624310003907691704e2, -0.37458323136451633156875139351e2,
      0.10409964950896230045147246184e3, 0.29840293426660503123344363579e2, -0.43533456590011143754432175058e2,
      0.96324553959188282948394950600e2, -0.39177261675615439165231486172e2, -0.14972683625798562581422125276e3}},
};

/* The variable of a step. */
typedef struct variable {
    int power;                  /* p; 1: x is sign (t - origin) */
    double origin, sign;        /* t = origin + sign scale ((1 + x^p)^(1/p) - 1) */
    double scale;               /* [s] */
} variable;

typedef struct dop853 {
    carom_integrator base;
    double *block;              /* all arrays below, and base.y */
    size_t block_size;
    double *k[STAGES], slope[STAGES];   /* rates by t; and dt/dx there */
    double *f, *f_end;          /* the first one, and that at the end */
    double *y_before, *y_end, *y_try, *tolerance;
    double *polynomial[HERMITE + DENSE];        /* coefficients of the dense output; room of the error */
    double *roots_before, *roots_now, *roots_try, *roots_past;
    int *direction;
    double relative, max_step;
    double length;              /* [s] of the next step as the error proposes it */
    bool rejected;              /* the last attempt was */
    bool stale;                 /* f_end is not that of y */
    variable opening, x;        /* since the last restart; of the last step */
    double x_begin, step;       /* where in x that began, and its length in x; that of time may be cut by a root */
    bool dense_known;
    bool fresh;                 /* the next step is the first one after a restart */
    double impact_end;          /* of an impact that began at the last restart */
    double past;                /* share of the step from which the signs of its roots are known */
} dop853;

/* ---- creation ---- */

static void destroy(carom_integrator *base)
{
    dop853 *self = (dop853 *)base;
    carom_release(base->ctx, self->block, self->block_size, sizeof(double));
    carom_release(base->ctx, self->direction, (size_t)base->ode.root_count, sizeof(int));
    carom_release(base->ctx, base->root_found, (size_t)base->ode.root_count, sizeof(int));
    carom_release(base->ctx, self, 1, sizeof *self);
}

static carom_status create(carom_context *ctx, const carom_integrator_kind *kind, const carom_ode *ode,
                           carom_integrator **out)
{
    dop853 *self = carom_allocate(ctx, 1, sizeof *self);
    if (!self)
        return carom_fail_memory(ctx);
    const size_t n = (size_t)ode->size, r = (size_t)ode->root_count;
    self->base = (carom_integrator){.ctx = ctx, .kind = kind, .ode = *ode};
    double **const vectors[] = {&self->base.y, &self->f, &self->f_end, &self->y_before,
                                &self->y_end, &self->y_try, &self->tolerance};
    const size_t padded = (n + WIDTH - 1) / WIDTH * WIDTH;
    self->block_size = (CAROM_COUNT(vectors) + STAGES + HERMITE + DENSE) * padded + 4 * r;
    self->block = carom_allocate(ctx, self->block_size, sizeof(double));
    self->direction = carom_allocate(ctx, r, sizeof(int));
    self->base.root_found = carom_allocate(ctx, r, sizeof(int));
    if (!self->block || !self->direction || !self->base.root_found) {
        destroy(&self->base);
        return carom_fail_memory(ctx);
    }
    double *p = self->block;
    for (size_t i = 0; i < CAROM_COUNT(vectors); i++, p += padded)
        *vectors[i] = p;
    for (int i = 0; i < STAGES; i++, p += padded)
        self->k[i] = p;
    for (int i = 0; i < HERMITE + DENSE; i++, p += padded)
        self->polynomial[i] = p;
    self->roots_before = p;
    self->roots_now = p + r;
    self->roots_try = p + 2 * r;
    self->roots_past = p + 3 * r;
    *out = &self->base;
    return CAROM_OK;
}

/* ---- the variable ---- */

static double power_of(double x, int n)
{
    double out = 1;
    for (int i = 0; i < n; i++)
        out *= x;
    return out;
}

static double root_of(double t, int n) { return n == 2 ? sqrt(t) : pow(t, 1. / n); }

/* x of a time since the origin, or until it. */
static double x_of(const variable *v, double since)
{
    if (v->power == 1)
        return since;
    return root_of(fmax(power_of(1 + since / v->scale, v->power) - 1, 0), v->power);
}

static double x_at(const variable *v, double t) { return x_of(v, v->sign * (t - v->origin)); }

static double time_at(const variable *v, double x)
{
    if (v->power == 1)
        return v->origin + v->sign * x;
    return v->origin + v->sign * v->scale * (root_of(1 + power_of(x, v->power), v->power) - 1);
}

/* dt/dx */
static double slope_at(const variable *v, double x)
{
    if (v->power == 1)
        return v->sign;
    const double root = root_of(1 + power_of(x, v->power), v->power);
    return v->sign * v->scale * power_of(x / root, v->power - 1);
}

/* ---- one step ---- */

/* The first `size` numbers of y + h times a row of products; y NULL: 0. Arrays have room for a multiple of WIDTH. */
CAROM_WIDE static void add_terms(const dop853 *self, const terms *row, const double *y, double h, int size, double *out)
{
    const double *k[MOST_TERMS];
    double a[MOST_TERMS];
    const int count = row->count;
    for (int j = 0; j < count; j++) {
        k[j] = self->k[row->of[j]];
        a[j] = h * row->a[j] * self->slope[row->of[j]];
    }
    for (int i = 0; i < size; i += WIDTH) { /* several at a time: each sum waits for the one before */
        carom_four sum[WIDTH / 4] = {{0}};
        for (int j = 0; j < count; j++)
#pragma GCC unroll 8
            for (int n = 0; n < WIDTH / 4; n++)
                sum[n] += a[j] * *carom_four_of(k[j] + i + 4 * n);
#pragma GCC unroll 8
        for (int n = 0; n < WIDTH / 4; n++) {
            if (y)
                sum[n] = *carom_four_of(y + i + 4 * n) + sum[n];
            *carom_four_at(out + i + 4 * n) = sum[n];
        }
    }
}

static int rates(dop853 *self, double t, const double *y, double *f)
{
    self->base.evaluations++;
    return self->base.ode.rhs(self->base.ode.user, t, y, f);
}

/* Keeps what holds the constraints for a step of that length; 0: no longer; less: as last. */
static void hold(const dop853 *self, double step)
{
    if (self->base.ode.hold)
        self->base.ode.hold(self->base.ode.user, step);
}

/* The weight of a number's error. Integrals need be no better than a share of what they have become: tolerances are
   those of an impact, and a contact at rest goes on. */
static double weight_of(const dop853 *self, int i)
{
    const carom_ode *ode = &self->base.ode;
    const double size = fmax(fabs(self->y_before[i]), fabs(self->y_end[i]));
    const double relative = i < ode->coupled_count ? self->relative : fmax(self->relative, ode->integral_share);
    return 1 / (relative * size + self->tolerance[i]);
}

/* Rate k of one stage. What no rate depends on is not found for it. */
static int make_stage(dop853 *self, int stage)
{
    const terms *row = &stages[stage];
    const double x = self->x_begin + row->time * self->step;
    add_terms(self, row, self->y_before, self->step, self->base.ode.coupled_count, self->y_try);
    self->slope[stage] = slope_at(&self->x, x);
    return rates(self, time_at(&self->x, x), self->y_try, self->k[stage]);
}

/* The step's error in units of the tolerance (Hairer et al., section II.10). */
static double error_of(const dop853 *self)
{
    const int n = self->base.ode.size;
    double *const e5 = self->polynomial[0], *const e3 = self->polynomial[1];
    double fifth = 0, third = 0;
    add_terms(self, &error_5, NULL, 1, n, e5);
    add_terms(self, &error_3, NULL, 1, n, e3);
    for (int i = 0; i < n; i++) {
        const double weight = weight_of(self, i);
        fifth += (e5[i] * weight) * (e5[i] * weight);
        third += (e3[i] * weight) * (e3[i] * weight);
    }
    const double sum = fifth + 0.01 * third;
    const double units = self->base.t < self->impact_end ? IMPACT_UNITS : UNITS;
    return sum > 0 ? fabs(self->step) * fifth / (units * sqrt(carom_ode_whole(&self->base.ode) * sum)) : 0;
}

/* The twelve stages, the new state and its error; not 0: it cannot be evaluated. */
static int attempt(dop853 *self, double *error)
{
    self->k[0] = self->f;
    self->slope[0] = slope_at(&self->x, self->x_begin);
    for (int stage = 1; stage < END; stage++) {
        const int result = make_stage(self, stage);
        if (result != 0)
            return result;
    }
    add_terms(self, &stages[END], self->y_before, self->step, self->base.ode.size, self->y_end);
    *error = error_of(self);
    return isfinite(*error) ? 0 : 1;
}

/* ---- dense output ---- */

/* Three more stages and the coefficients of the polynomial of degree 7. */
static bool make_dense(dop853 *self)
{
    if (self->dense_known)
        return true;
    const int n = self->base.ode.size;
    self->base.rates = CAROM_RATES_ELSEWHERE;
    self->k[END] = self->f_end;
    self->slope[END] = slope_at(&self->x, self->x_begin + self->step);
    int result = 0;
    hold(self, -1);
    for (int stage = END + 1; stage < STAGES && result == 0; stage++)
        result = make_stage(self, stage);
    hold(self, 0);
    if (result != 0)
        return false;
    for (int i = 0; i < DENSE; i++)
        add_terms(self, &dense[i], NULL, self->step, n, self->polynomial[HERMITE + i]);
    const double begin = self->step * self->slope[0], end = self->step * self->slope[END];
    for (int i = 0; i < n; i++) {
        const double rise = self->y_end[i] - self->y_before[i], bend = begin * self->f[i] - rise;
        self->polynomial[0][i] = rise;
        self->polynomial[1][i] = bend;
        self->polynomial[2][i] = rise - end * self->f_end[i] - bend;
    }
    self->dense_known = true;
    return true;
}

/* The state when a part of the step has elapsed, which may be less than rounding of the time. */
static bool state_after(dop853 *self, double elapsed, int count, double *y)
{
    if (!make_dense(self))
        return false;
    const variable *v = &self->x;
    const double since = v->sign * (self->base.t_before - v->origin) + v->sign * elapsed;
    const double s = (x_of(v, since) - self->x_begin) / self->step, r = 1 - s;
    double *const *p = self->polynomial;
    for (int i = 0; i < count; i++) {
        const double high = p[3][i] + s * (p[4][i] + r * (p[5][i] + s * p[6][i]));
        y[i] = self->y_before[i] + s * (p[0][i] + r * (p[1][i] + s * (p[2][i] + r * high)));
    }
    return true;
}

static bool interpolate(carom_integrator *base, double t, int count, double *y)
{
    return state_after((dop853 *)base, t - base->t_before, count, y);
}

/* ---- start ---- */

static double norm(const dop853 *self, const double *x)
{
    double sum = 0;
    for (int i = 0; i < self->base.ode.size; i++) {
        const double weight = 1 / (self->relative * fabs(self->base.y[i]) + self->tolerance[i]);
        sum += (x[i] * weight) * (x[i] * weight);
    }
    return sqrt(sum / carom_ode_whole(&self->base.ode));
}

/* A first step from the rates and their change (Hairer et al., section II.4); 0: it cannot be evaluated. */
static double first_length(dop853 *self, double longest)
{
    const int n = self->base.ode.size;
    const double size = norm(self, self->base.y), speed = norm(self, self->f);
    double h = size > 1e-10 && speed > 1e-10 ? 0.01 * size / speed : 1e-6;
    h = fmin(h, longest);
    for (int attempts = 0; attempts < MOST_FAILURES; attempts++, h *= FAILED_SHARE) {
        for (int i = 0; i < n; i++)
            self->y_try[i] = self->base.y[i] + h * self->f[i];
        if (rates(self, self->base.t + h, self->y_try, self->f_end) != 0)
            continue;
        for (int i = 0; i < n; i++)
            self->f_end[i] -= self->f[i];
        const double greatest = fmax(norm(self, self->f_end) / h, speed);
        const double next = greatest > 1e-15 ? pow(0.01 / greatest, 1. / 8) : fmax(1e-6, 1e-3 * h);
        return fmin(100 * h, next);
    }
    return 0;
}

static bool restart(carom_integrator *base, double t, const double *y, double relative, const double *tolerance,
                    const int *direction, double first_step, double max_step)
{
    dop853 *self = (dop853 *)base;
    const carom_ode *ode = &base->ode;
    const size_t n = (size_t)ode->size;
    memcpy(base->y, y, n * sizeof *y);
    memcpy(self->tolerance, tolerance, n * sizeof *y);
    memcpy(self->direction, direction, (size_t)ode->root_count * sizeof(int));
    base->t = base->t_before = t;
    base->rates = CAROM_RATES_ELSEWHERE;
    base->message[0] = '\0';
    self->relative = relative;
    self->max_step = fmin(max_step > 0 ? max_step : HUGE_VAL, ode->hold ? ode->longest_hold : HUGE_VAL);
    self->length = first_step;
    self->rejected = self->dense_known = self->stale = false;
    self->fresh = true;
    self->impact_end = base->opening > 0 ? base->opened + IMPACT * base->scale : -HUGE_VAL;
    self->opening = (variable){base->opening > 1 ? base->opening : 1, base->opened, 1, base->scale};
    if (base->known)
        memcpy(self->f_end, base->known, n * sizeof *y);
    else if (rates(self, t, y, self->f_end) != 0)
        return false;
    return !ode->root_count || ode->roots(ode->user, t, y, self->roots_now) == 0;
}

/* ---- steps ---- */

static carom_step_result failed(carom_integrator *base, const char *text)
{
    snprintf(base->message, sizeof base->message, "dop853: %s at t = %.6g s", text, base->t);
    return CAROM_STEP_FAILED;
}

/* Time of the step that has elapsed at a share of what is left of it from `past` on. */
static double elapsed_at(const dop853 *self, double share)
{
    return (self->past + share * (1 - self->past)) * (self->base.t - self->base.t_before);
}

/* The state there, without what no rate depends on, and its root functions. */
static int reach(void *user, double share)
{
    dop853 *self = user;
    const carom_ode *ode = &self->base.ode;
    const double elapsed = elapsed_at(self, share);
    return !state_after(self, elapsed, ode->coupled_count, self->y_try) ||
           ode->roots(ode->user, self->base.t_before + elapsed, self->y_try, self->roots_try) != 0;
}

/* A root that a restart begins at has no sign there. Where the first step ends beyond it all the same, it has left it
   and come back: it is looked for at halves, quarters, ... of the step, as long as values there are more than
   rounding. */
#define HALVINGS 20
#define ROUNDING_OF_TIME 1e3

static bool ends_beyond(const dop853 *self, int k)
{
    const int d = self->direction[k];
    const double before = self->roots_before[k], now = self->roots_now[k];
    return d < 0 ? before <= 0 && now <= 0 : d > 0 ? before >= 0 && now >= 0 : before == 0 && now != 0;
}

static bool came_back(const dop853 *self, int k, const double *between)
{
    const int d = self->direction[k];
    const double now = self->roots_now[k];
    return ends_beyond(self, k) && ((d <= 0 && now <= 0 && between[k] > 0) || (d >= 0 && now >= 0 && between[k] < 0));
}

/* Puts `past` where the signs of as many such roots as may be are known, before any other root crosses. */
static int look_past(dop853 *self, const carom_crossing *crossing)
{
    const int count = self->base.ode.root_count;
    int suspected = 0, most = 0;
    for (int k = 0; k < count; k++)
        suspected += ends_beyond(self, k);
    const double least = ROUNDING_OF_TIME * DBL_EPSILON * fabs(self->base.t) / (self->base.t - self->base.t_before);
    double past = 0, share = 0.5;
    for (int n = 0; most < suspected && n < HALVINGS && share > least; n++, share *= 0.5) {
        if (reach(self, share) != 0)
            return 1;
        int back = 0;
        for (int k = 0; k < count; k++)
            back += came_back(self, k, self->roots_try);
        if (back <= most || carom_crossing_first(crossing, self->roots_try) >= 0)
            continue;
        most = back;
        past = share;
        memcpy(self->roots_past, self->roots_try, (size_t)count * sizeof(double));
    }
    self->past = past;
    if (most)
        memcpy(self->roots_before, self->roots_past, (size_t)count * sizeof(double));
    return 0;
}

/* Ends the step at the first root that it passes, if there is one. */
static carom_step_result take_roots(dop853 *self, carom_step_result result)
{
    carom_integrator *base = &self->base;
    const carom_crossing crossing = {base->ode.root_count, self->direction, self->roots_before, self->roots_try, reach,
                                     self};
    const bool fresh = self->fresh;
    self->past = 0;
    self->fresh = false;
    if (fresh && look_past(self, &crossing) != 0)
        return failed(base, "a root function cannot be evaluated");
    if (carom_crossing_first(&crossing, self->roots_now) < 0)
        return result;
    memcpy(self->roots_try, self->roots_now, (size_t)base->ode.root_count * sizeof(double));
    const double share = carom_crossing_locate(&crossing, fabs(base->t / (base->t - base->t_before)), 1);
    if (share < 0)
        return failed(base, "a root function cannot be evaluated");
    for (int k = 0; k < base->ode.root_count; k++)
        base->root_found[k] = carom_crossing_of(&crossing, k, self->roots_try);
    const double elapsed = elapsed_at(self, share);
    base->t = base->t_before + elapsed;
    base->rates = CAROM_RATES_ELSEWHERE;
    self->stale = true;
    if (!state_after(self, elapsed, base->ode.size, base->y))
        return failed(base, "there is no dense output");
    memcpy(self->roots_now, self->roots_try, (size_t)base->ode.root_count * sizeof(double));
    return CAROM_STEP_ROOT;
}

/* Sets the variable of a step of the length h, and returns where it ends; `stops`: that is the stop. */
static double set_variable(dop853 *self, double h, double stop, bool *stops)
{
    const carom_integrator *base = &self->base;
    const double t = base->t;
    *stops = t + h * (1 + 1e-9) >= stop;
    const double end = *stops ? stop : t + h;
    if (base->closing > 1 && end <= base->closes) /* behind it x has no time */
        self->x = (variable){base->closing, base->closes, -1, base->scale};
    else if (self->opening.power > 1)
        self->x = self->opening;
    else
        self->x = (variable){1, t, 1, 1};
    self->x_begin = x_at(&self->x, t);
    self->step = x_at(&self->x, end) - self->x_begin;
    return end;
}

/* h rho from the last two stages, both at the end of the step: its error is what the fastest motion grows
   (Hairer and Wanner 1996, Solving Ordinary Differential Equations II, section IV.2). 0: not known. */
static double stiffness_of(const dop853 *self, double length)
{
    const int n = self->base.ode.coupled_count;
    const double *last = self->k[END - 1];
    double change = 0, apart = 0;
    for (int i = 0; i < n; i++) {
        const double weight = weight_of(self, i);
        const double rate = (self->f_end[i] - last[i]) * weight, y = (self->y_end[i] - self->y_try[i]) * weight;
        change += rate * rate;
        apart += y * y;
    }
    return apart > 0 ? length * sqrt(change / apart) : 0;
}

/* Takes over an attempt that ends at t, whose rates are known: the length of the next step, and roots. */
static carom_step_result take(dop853 *self, double t, double share, bool stops)
{
    carom_integrator *base = &self->base;
    const carom_ode *ode = &base->ode;
    const double next = self->x.sign > 0 ? time_at(&self->x, self->x_begin + (1 + share) * self->step) - t
                                         : share * (t - base->t);
    self->length = stops && !self->rejected ? fmax(next, self->length) : next;
    self->rejected = self->dense_known = false;
    base->next_step = self->length;
    /* steps of an impact are as long as its oscillation */
    base->stiffness = base->t < self->impact_end || self->x.power > 1 ? 0 : stiffness_of(self, t - base->t);
    if (ode->root_count && ode->roots(ode->user, t, self->y_end, self->roots_now) != 0)
        return failed(base, "a root function cannot be evaluated");
    base->t_before = base->t;
    base->t = t;
    memcpy(base->y, self->y_end, (size_t)ode->size * sizeof(double));
    base->rates = CAROM_RATES_AT_END;
    return take_roots(self, stops ? CAROM_STEP_STOP : CAROM_STEP_DONE);
}

/* Attempts until one is within the tolerance. */
static carom_step_result make_step(dop853 *self, double stop)
{
    carom_integrator *base = &self->base;
    bool doubted = false;
    for (int attempts = 0; attempts < MOST_FAILURES; attempts++) {
        const double h = fmin(self->length, self->max_step);
        if (!(h > 4 * DBL_EPSILON * fabs(base->t)))
            return failed(base, "the step has become too short");
        double error;
        bool stops;
        const double end = set_variable(self, h, stop, &stops);
        hold(self, end - base->t);
        int result = attempt(self, &error);
        hold(self, 0);
        if (result == 0 && error <= 1 && !doubted) {
            result = rates(self, end, self->y_end, self->f_end);
            const double share = fmin(self->rejected ? 1 : MOST_SHARE, SAFETY * pow(fmax(error, 1e-9), -1. / 8));
            if (result == 0)
                return take(self, end, fmax(share, LEAST_SHARE), stops);
        }
        if (result < 0)
            return failed(base, "the right-hand side failed");
        double share = result > 0 ? FAILED_SHARE : fmax(SAFETY * pow(error, -1. / 8), LEAST_SHARE);
        if (result == 0 && error <= 1)
            share = 0.5;
        doubted = result == 0 && error > DOUBTFUL;
        self->length = time_at(&self->x, self->x_begin + share * self->step) - base->t;
        self->rejected = true;
    }
    return failed(base, "the right-hand side could not be evaluated or its error not be kept");
}

static void exchange_rates(dop853 *self)
{
    double *const former = self->f;
    self->f = self->f_end;
    self->f_end = former;
}

static carom_step_result step(carom_integrator *base, double stop)
{
    dop853 *self = (dop853 *)base;
    const carom_ode *ode = &base->ode;
    const size_t r = (size_t)ode->root_count;
    if (self->stale && rates(self, base->t, base->y, self->f_end) != 0)
        return failed(base, "the right-hand side could not be evaluated");
    self->stale = false;
    exchange_rates(self);
    memcpy(self->y_before, base->y, (size_t)ode->size * sizeof(double));
    memcpy(self->roots_before, self->roots_now, r * sizeof(double));
    if (!(self->length > 0))
        self->length = first_length(self, fmin(stop - base->t, self->max_step));
    const double t = base->t, before = base->t_before, length = self->length;
    const carom_step_result result = make_step(self, stop);
    if (result != CAROM_STEP_FAILED)
        return result;
    exchange_rates(self);
    memcpy(base->y, self->y_before, (size_t)ode->size * sizeof(double));
    memcpy(self->roots_now, self->roots_before, r * sizeof(double));
    base->t = t;
    base->t_before = before;
    self->length = length;
    self->stale = true;
    return CAROM_STEP_FAILED;
}

const carom_integrator_kind carom_integrator_dop853 = {
    .kind = {.name = "dop853",
             .title = "Dormand-Prince explicit Runge-Kutta method of order 8 with step control.",
             .formula = "12 stages, order 8, errors of orders 5 and 3; dense output of order 7; after an onset and "
                        "before a release steps in a root of the time, in which the force is smooth",
             .source = "Hairer, Norsett and Wanner 1993, Solving Ordinary Differential Equations I, 2nd ed., sections "
                       "II.4 to II.6",
             .validity = "Non-stiff motion. A restart costs nothing and steps are long, so that it suits short impacts "
                         "and tight tolerances."},
    .order = 8,
    .maps = true,
    .can_project = true,
    .shortens = true,
    .create = create,
    .destroy = destroy,
    .restart = restart,
    .step = step,
    .interpolate = interpolate,
};
