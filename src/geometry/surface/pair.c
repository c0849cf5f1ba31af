/* Surface against surface: Newton's method on the common-normal equations in four unknowns, the moves of both points
   along their principal directions, in which the Jacobian is written with the curvatures alone; moves turn the
   normal instead of the point on sharp edges. Its starts are a hint, the polytope of surface_hull.c for two convex
   solids, or a scan of one surface for the least distances to the other.
   Source: Machado et al. 2012, section 3, eqs. (7)-(13); Rodrigues da Silva et al. 2024, section 3.1 (parametric
   surfaces); do Carmo 1976, section 3.2 (dn = k dx along principal directions). */
#include "base/base.h"
#include "geometry/surface/on_box.h"
#include "math/roots.h"

#define STEPS 40
#define HALVINGS 8
#define SETTLED 1e-13           /* residual at which the steps end */
#define ENOUGH 1e-11            /* residual that counts as a solution where rounding ends the steps before */
#define TIGHT 1e-12             /* of the size: what a guess leaves open that cannot be bettered */
#define OPEN 1e-9               /* the same of one that counts as a solution */
#define GROWTH 110              /* corners the polytope may get */
#define SCAN_U 36
#define SCAN_V 28
#define STARTS 24

typedef struct problem {
    const carom_surface *i, *j;
    carom_surface_placed placed;
    double size, scale_i, scale_j, scale;
    int evaluations;
} problem;

/* Both points, in the axes of i. */
typedef struct state {
    carom_surface_point i, j;
    carom_vec3 d;
    double r[4];                /* d . e_k, scale n_j . e_k */
    double facing;              /* n_i . n_j */
    double merit;
} state;

static carom_surface_point at_j(const problem *s, double u, double v)
{
    carom_surface_point here;
    carom_surface_at(s->j, u, v, &here);
    return carom_surface_moved(&s->placed, &here);
}

static void evaluate(problem *s, double ui, double vi, double uj, double vj, state *out)
{
    carom_surface_at(s->i, ui, vi, &out->i);
    out->j = at_j(s, uj, vj);
    out->d = carom_v3_sub(out->j.position, out->i.position);
    out->facing = carom_v3_dot(out->i.normal, out->j.normal);
    out->merit = 0;
    for (int k = 0; k < 2; k++) {
        out->r[k] = carom_v3_dot(out->d, out->i.direction[k]);
        out->r[2 + k] = s->scale * carom_v3_dot(out->j.normal, out->i.direction[k]);
    }
    for (int k = 0; k < 4; k++)
        out->merit += out->r[k] * out->r[k];
    if (out->facing > 0)
        out->merit += s->scale * s->scale * out->facing;
    s->evaluations++;
}

static double residual(const problem *s, const state *x)
{
    const double apart = hypot(x->r[0], x->r[1]) / s->size, turned = hypot(x->r[2], x->r[3]) / s->scale;
    return x->facing < 0 ? fmax(apart, turned) : HUGE_VAL;
}

/* ---- linear part ---- */

/* Solves a x = b by elimination with full pivoting; unknowns without a pivot stay 0. Returns the sign of the
   determinant, 0 where it is singular. */
static int solve4(double a[4][4], double *b, double *x)
{
    int column[4] = {0, 1, 2, 3}, rank = 0, sign = 1;
    double first = 0, y[4] = {0, 0, 0, 0};
    for (; rank < 4; rank++) {
        int row = rank, pivot = rank;
        for (int r = rank; r < 4; r++)
            for (int c = rank; c < 4; c++)
                if (fabs(a[r][c]) > fabs(a[row][pivot])) {
                    row = r;
                    pivot = c;
                }
        if (rank == 0)
            first = fabs(a[row][pivot]);
        if (!(fabs(a[row][pivot]) > 1e-13 * first))
            break;
        for (int c = 0; c < 4; c++) {
            const double t = a[rank][c];
            a[rank][c] = a[row][c];
            a[row][c] = t;
        }
        const double t = b[rank];
        b[rank] = b[row];
        b[row] = t;
        for (int r = 0; r < 4; r++) {
            const double q = a[r][rank];
            a[r][rank] = a[r][pivot];
            a[r][pivot] = q;
        }
        const int q = column[rank];
        column[rank] = column[pivot];
        column[pivot] = q;
        sign *= (row == rank ? 1 : -1) * (pivot == rank ? 1 : -1) * (a[rank][rank] < 0 ? -1 : 1);
        for (int r = rank + 1; r < 4; r++) {
            const double factor = a[r][rank] / a[rank][rank];
            for (int c = rank; c < 4; c++)
                a[r][c] -= factor * a[rank][c];
            b[r] -= factor * b[rank];
        }
    }
    for (int r = rank - 1; r >= 0; r--) {
        double sum = b[r];
        for (int c = r + 1; c < rank; c++)
            sum -= a[r][c] * y[c];
        y[r] = sum / a[r][r];
    }
    for (int c = 0; c < 4; c++)
        x[column[c]] = y[c];
    return rank < 4 ? 0 : sign;
}

/* Jacobian of d . e_k and scale n_j . e_k over the moves of i and of j; the e_k are carried along without turning about
   the normal. `g` = d . n_i, `cosine` = e_k . f_l. */
static void jacobian(const carom_surface_moves *mi, const carom_surface_moves *mj, double cosine[2][2], double g,
                     double facing, double scale, double a[4][4])
{
    for (int k = 0; k < 2; k++)
        for (int l = 0; l < 2; l++) {
            a[k][l] = k == l ? -(mi->way[k] + mi->turn[k] * g) : 0;
            a[k][2 + l] = cosine[k][l] * mj->way[l];
            a[2 + k][l] = k == l ? -scale * facing * mi->turn[k] : 0;
            a[2 + k][2 + l] = scale * cosine[k][l] * mj->turn[l];
        }
}

/* ---- Newton's method ---- */

/* Parameters after a move from a point. `back` takes directions of the surface to those of i, NULL: they are. */
static void displaced(const carom_surface *surface, const carom_surface_placed *back, const carom_surface_point *from,
                      const carom_surface_moves *moves, const double *step, double share, double *u, double *v)
{
    carom_vec3 x = from->position, n = from->normal;
    for (int k = 0; k < 2; k++) {
        x = carom_v3_add_scaled(x, share * moves->way[k] * step[k], from->direction[k]);
        n = carom_v3_add_scaled(n, share * moves->turn[k] * step[k], from->direction[k]);
    }
    n = carom_unit(n);
    if (back) {
        x = carom_m3_apply_t(&back->axes, carom_v3_sub(x, back->origin));
        n = carom_m3_apply_t(&back->axes, n);
    }
    surface->kind->locate(surface->p, x, surface->hollow ? carom_v3_neg(n) : n, u, v);
}

/* Full step and the share of it that turns no normal by more than 0.7 and moves no point farther than the size. */
static double newton_step(const problem *s, const state *x, carom_surface_moves *mi, carom_surface_moves *mj,
                          double *step, int *sign)
{
    double a[4][4], b[4], cosine[2][2];
    carom_surface_moves_of(x->i.curvature, s->scale_i, mi);
    carom_surface_moves_of(x->j.curvature, s->scale_j, mj);
    for (int k = 0; k < 2; k++)
        for (int l = 0; l < 2; l++)
            cosine[k][l] = carom_v3_dot(x->i.direction[k], x->j.direction[l]);
    jacobian(mi, mj, cosine, carom_v3_dot(x->d, x->i.normal), x->facing, s->scale, a);
    for (int k = 0; k < 4; k++)
        b[k] = -x->r[k];
    *sign = solve4(a, b, step);
    double most = 1;
    for (int k = 0; k < 2; k++) {
        most = fmax(most, fabs(mi->turn[k] * step[k]) / 0.7);
        most = fmax(most, fabs(mj->turn[k] * step[2 + k]) / 0.7);
        most = fmax(most, fabs(mi->way[k] * step[k]) / (2 * s->size));
        most = fmax(most, fabs(mj->way[k] * step[2 + k]) / (2 * s->size));
    }
    return 1 / most;
}

/* From the state `x`; true at a solution. */
static bool newton(problem *s, state *x, int *iterations)
{
    for (*iterations = 0; *iterations < STEPS && residual(s, x) > SETTLED; ++*iterations) {
        carom_surface_moves mi, mj;
        double step[4];
        int sign;
        double share = newton_step(s, x, &mi, &mj, step, &sign);
        state next = *x;
        for (int half = 0; half < HALVINGS; half++, share *= 0.5) {
            double p[4];
            displaced(s->i, NULL, &x->i, &mi, step, share, &p[0], &p[1]);
            displaced(s->j, &s->placed, &x->j, &mj, step + 2, share, &p[2], &p[3]);
            evaluate(s, p[0], p[1], p[2], p[3], &next);
            if (next.merit < x->merit)
                break;
        }
        if (!(next.merit < x->merit))
            break;
        *x = next;
    }
    return residual(s, x) <= ENOUGH;
}

/* Whether a solution of Newton's method is a least gap and not a saddle: for convex solids apart any one is. Else the
   Jacobian of the least one has the sign of e_1, e_2 over f_1, f_2. */
static bool is_least(const problem *s, const state *x, bool convex)
{
    carom_surface_moves mi, mj;
    double step[4];
    int sign;
    if (convex && carom_v3_dot(x->d, x->i.normal) > 0)
        return true;
    newton_step(s, x, &mi, &mj, step, &sign);
    const carom_vec3 e = carom_v3_cross(x->i.direction[0], x->i.direction[1]);
    const carom_vec3 f = carom_v3_cross(x->j.direction[0], x->j.direction[1]);
    const int turned = carom_v3_dot(e, f) < 0 ? -1 : 1;
    return sign == 0 || sign == turned;
}

/* ---- results ---- */

static void put_points(const problem *s, const carom_shape_pose *pose, const carom_surface_point *i,
                       const carom_surface_point *j, carom_surface_contact *out)
{
    out->from_i = carom_m3_apply(&pose->axes, i->position);
    out->from_j = carom_m3_apply(&pose->axes, carom_v3_sub(j->position, s->placed.origin));
    out->normal = carom_m3_apply(&pose->axes, i->normal);
    out->hint[0] = i->u;
    out->hint[1] = i->v;
    out->hint[2] = j->u;
    out->hint[3] = j->v;
    for (int k = 0; k < 2; k++) {
        out->curvature_i[k] = i->curvature[k];
        out->curvature_j[k] = j->curvature[k];
        out->direction_i[k] = carom_m3_apply(&pose->axes, i->direction[k]);
        out->direction_j[k] = carom_m3_apply(&pose->axes, j->direction[k]);
    }
}

static void put(const problem *s, const carom_shape_pose *pose, const state *x, int iterations,
                carom_surface_contact *out)
{
    put_points(s, pose, &x->i, &x->j, out);
    out->gap = carom_v3_dot(x->d, x->i.normal);
    out->residual = residual(s, x);
    out->iterations = iterations;
    out->converged = out->residual <= ENOUGH;
}

/* A result of the polytope alone, of two solids of this size together, if it is a solution with a larger gap or there
   is none yet. */
static void put_guess(problem *s, const carom_shape_pose *pose, const carom_surface_guess *guess, double gap,
                      double size, const state *x, carom_surface_contact *out)
{
    const carom_vec3 d = carom_v3_sub(guess->x_j, guess->x_i);
    /* a guess from outside is along d whatever it is: what its bound leaves open tells how far it is from a solution */
    const double open = (guess->bound - gap) / size;
    const double off = fmax(carom_v3_norm(carom_v3_cross(d, guess->normal)) / s->size, open > OPEN ? open : 0);
    if (gap <= out->gap || (out->converged && off > ENOUGH))
        return;
    put(s, pose, x, 0, out);
    out->normal = carom_m3_apply(&pose->axes, guess->normal);
    out->from_i = carom_m3_apply(&pose->axes, guess->x_i);
    out->from_j = carom_m3_apply(&pose->axes, carom_v3_sub(guess->x_j, s->placed.origin));
    out->gap = gap;
    out->residual = off;
    out->converged = out->residual <= ENOUGH;
}

/* ---- two convex solids ---- */

/* The state at the two points of a guess. */
static void start_at(problem *s, const carom_surface_guess *guess, state *x)
{
    double p[4];
    const carom_vec3 n_j = carom_m3_apply_t(&s->placed.axes, carom_v3_neg(guess->normal));
    const carom_vec3 x_j = carom_m3_apply_t(&s->placed.axes, carom_v3_sub(guess->x_j, s->placed.origin));
    s->i->kind->locate(s->i->p, guess->x_i, guess->normal, &p[0], &p[1]);
    s->j->kind->locate(s->j->p, x_j, n_j, &p[2], &p[3]);
    evaluate(s, p[0], p[1], p[2], p[3], x);
}

/* The separation along any direction is at most the least gap: where a larger one was met than what was found, the
   search ends there. */
static void settle(problem *s, const carom_shape_pose *pose, const carom_surface_guess *most, double separation,
                   double size, carom_surface_contact *out)
{
    state x;
    int iterations = 0;
    if (out->gap >= separation - TIGHT * size)
        return;
    start_at(s, most, &x);
    if (newton(s, &x, &iterations) && carom_v3_dot(x.d, x.i.normal) >= separation - TIGHT * size)
        put(s, pose, &x, iterations, out);
    else {
        out->converged = false;
        put_guess(s, pose, most, separation, size, &x, out);
    }
}

static void pair_convex(problem *s, const carom_shape_pose *pose, carom_surface_contact *out)
{
    carom_gjk hull;
    carom_surface_guess guess, most = {.bound = HUGE_VAL};
    carom_surface_known known[2 * CAROM_HULL_VERTICES];
    int count = 0, iterations = 0;
    double width = 3e-2, separation = -HUGE_VAL, largest = -HUGE_VAL;
    out->gap = -HUGE_VAL;
    carom_gjk_start(&hull, s->i, s->j, &s->placed);
    for (int k = 0; k < GROWTH && carom_gjk_best(&hull, known, count, &guess); k++) {
        if (guess.bound <= out->gap + 1e-12 * hull.size)
            break;
        const bool grown = carom_gjk_grow(&hull, guess.normal, &separation);
        if (separation > largest) {
            largest = separation;
            most = guess;
        }
        if (guess.known && (!grown || guess.bound <= out->gap + 1e-9 * hull.size))
            break;
        const bool tight = guess.bound - separation <= TIGHT * hull.size;
        if (guess.known || (grown && !tight && guess.bound - separation > width * hull.size))
            continue;
        state x;
        start_at(s, &guess, &x);
        const bool solved = newton(s, &x, &iterations), settled = solved && is_least(s, &x, true);
        const double gap = carom_v3_dot(x.d, x.i.normal);
        if (settled)
            known[count++] = (carom_surface_known){x.i.normal, CAROM_KNOWN_SOLVED};
        if (tight || !grown)
            known[count++] = (carom_surface_known){guess.normal, CAROM_KNOWN_ALONE};
        if (solved && (gap > out->gap || !out->converged) && gap <= guess.bound + 1e-9 * hull.size)
            put(s, pose, &x, iterations, out);
        else if (tight || !out->converged)
            put_guess(s, pose, &guess, separation, hull.size, &x, out);
        if (settled && gap > 0)
            break;
        if (!settled && !tight)
            width *= 0.1;
    }
    settle(s, pose, &most, largest, hull.size, out);
    s->evaluations += hull.evaluations;
}

/* ---- other pairs: scan ---- */

static bool convex_solid(const carom_surface *a) { return !a->hollow && a->kind->convex(a->p); }

/* One surface is gone over, the other one gives the distances. */
typedef struct scan {
    const carom_surface *scanned, *field;
    bool field_is_j;
} scan;

static carom_surface_placed inverse(const carom_surface_placed *a)
{
    carom_surface_placed out;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            out.axes.m[r][c] = a->axes.m[c][r];
    out.origin = carom_v3_neg(carom_m3_apply_t(&a->axes, a->origin));
    return out;
}

/* `to` takes the axes of the scanned surface to those of the field. `rough`: where the field has no closed form, the
   distance to a tangent plane near. */
static double score(const scan *c, const carom_surface_placed *to, double u, double v, bool rough, double *field_u,
                    double *field_v)
{
    const carom_surface *field = c->field;
    carom_surface_point here, foot;
    carom_surface_at(c->scanned, u, v, &here);
    here = carom_surface_moved(to, &here);
    if (rough && !field->kind->nearest) {
        field->kind->locate(field->p, here.position, carom_unit(here.position), field_u, field_v);
        carom_surface_at(field, *field_u, *field_v, &foot);
        return carom_v3_dot(carom_v3_sub(here.position, foot.position), foot.normal);
    }
    const double distance = carom_surface_distance(field, here.position, &foot);
    *field_u = foot.u;
    *field_v = foot.v;
    return distance;
}

typedef struct start {
    double score, u, v;
} start;

/* Keeps the lowest STARTS in order. */
static void keep(start *list, int *count, start one)
{
    if (*count == STARTS && one.score >= list[STARTS - 1].score)
        return;
    int k = *count < STARTS ? (*count)++ : STARTS - 1;
    for (; k > 0 && list[k - 1].score > one.score; k--)
        list[k] = list[k - 1];
    list[k] = one;
}

/* Whether a place of the grid is lower than its neighbours; of equal ones the first counts. */
static bool is_lowest(double grid[SCAN_V][SCAN_U], int b, int a)
{
    for (int db = -1; db <= 1; db++)
        for (int da = -1; da <= 1; da++) {
            if (b + db < 0 || b + db >= SCAN_V || (da == 0 && db == 0))
                continue;
            const int next = (a + da + SCAN_U) % SCAN_U;
            const double other = grid[b + db][next];
            const bool before = db < 0 || (db == 0 && next < a);
            if (other < grid[b][a] || (before && other == grid[b][a]))
                return false;
        }
    return true;
}

/* Local minima of the scores over the chart of the scanned surface. */
static int scan_starts(const scan *c, const carom_surface_placed *to, start *list)
{
    double low, high, field_u, field_v, grid[SCAN_V][SCAN_U];
    int count = 0;
    c->scanned->kind->range(c->scanned->p, &low, &high);
    for (int b = 0; b < SCAN_V; b++)
        for (int a = 0; a < SCAN_U; a++)
            grid[b][a] = score(c, to, CAROM_PI * (2.0 * a / SCAN_U - 1), low + (high - low) * (b + 0.5) / SCAN_V, true,
                               &field_u, &field_v);
    for (int b = 0; b < SCAN_V; b++)
        for (int a = 0; a < SCAN_U; a++)
            if (is_lowest(grid, b, a))
                keep(list, &count, (start){grid[b][a], CAROM_PI * (2.0 * a / SCAN_U - 1),
                                           low + (high - low) * (b + 0.5) / SCAN_V});
    return count;
}

/* Goes down from a start by steps along u and v that shorten. */
static void descend(const scan *c, const carom_surface_placed *to, start *one, double step_u, double step_v,
                    int halvings)
{
    double field_u, field_v;
    for (int k = 0; k < halvings;) {
        const start from = *one;
        for (int way = 0; way < 4; way++) {
            const double u = from.u + (way == 0 ? step_u : way == 1 ? -step_u : 0);
            const double v = from.v + (way == 2 ? step_v : way == 3 ? -step_v : 0);
            const double value = score(c, to, u, v, false, &field_u, &field_v);
            if (value < one->score)
                *one = (start){value, u, v};
        }
        if (one->score < from.score)
            continue;
        step_u *= 0.5;
        step_v *= 0.5;
        k++;
    }
}

/* The state at a start; on an edge the normal against that of the other surface. */
static void state_of(problem *s, const scan *c, const carom_surface_placed *to, const start *one, state *x)
{
    double field_u, field_v, u = one->u, v = one->v;
    score(c, to, u, v, false, &field_u, &field_v);
    carom_surface_point here, there;
    carom_surface_at(c->scanned, u, v, &here);
    if (fmax(here.curvature[0], here.curvature[1]) * c->scanned->kind->scale(c->scanned->p) > 2) {
        carom_surface_at(c->field, field_u, field_v, &there);
        const carom_vec3 n = carom_m3_apply_t(&to->axes, there.normal);
        c->scanned->kind->locate(c->scanned->p, here.position, c->scanned->hollow ? n : carom_v3_neg(n), &u, &v);
    }
    if (c->field_is_j)
        evaluate(s, u, v, field_u, field_v, x);
    else
        evaluate(s, field_u, field_v, u, v, x);
}

/* From a start to a solution that is not above it, going down first where Newton's method does not arrive. */
static bool refine(problem *s, const scan *c, const carom_surface_placed *to, start *one, state *x, int *iterations)
{
    double low, high, field_u, field_v;
    c->scanned->kind->range(c->scanned->p, &low, &high);
    one->score = score(c, to, one->u, one->v, false, &field_u, &field_v);
    for (int halvings = 0; halvings < 40; halvings += 8) {
        if (halvings > 0)
            descend(c, to, one, 2 * CAROM_PI / SCAN_U / halvings, (high - low) / SCAN_V / halvings, halvings);
        state_of(s, c, to, one, x);
        if (newton(s, x, iterations) && carom_v3_dot(x->d, x->i.normal) <= one->score + 1e-12 * s->size)
            return true;
    }
    return false;
}

/* Least gap over the starts of a scan of one surface; in `out` if it is below what is there. Returns the least score of
   the starts that led nowhere. */
static double pair_scan(problem *s, const carom_shape_pose *pose, bool field_is_j, carom_surface_contact *out)
{
    scan c = {.field_is_j = field_is_j};
    c.scanned = field_is_j ? s->i : s->j;
    c.field = field_is_j ? s->j : s->i;
    const carom_surface_placed back = inverse(&s->placed), *to = field_is_j ? &back : &s->placed;
    start list[STARTS];
    const int count = scan_starts(&c, to, list);
    double lost = HUGE_VAL;
    s->evaluations += SCAN_U * SCAN_V;
    for (int k = 0; k < count; k++) {
        state x;
        int iterations = 0;
        const bool settled = refine(s, &c, to, &list[k], &x, &iterations);
        const double gap = settled ? carom_v3_dot(x.d, x.i.normal) : list[k].score;
        if (!settled)
            lost = fmin(lost, gap);
        if (settled ? gap < out->gap || !out->converged : gap < out->gap && !out->converged) {
            put(s, pose, &x, iterations, out);
            out->gap = gap;
            out->converged = settled;
        }
    }
    return lost;
}

/* ---- other pairs: a ring ---- */

#define RING 64

/* A torus is a ball that goes round its circle: the least distance of that circle from the other surface. */
typedef struct ring {
    const carom_surface *torus, *field;
    carom_surface_placed to;            /* from the axes of the torus to those of the field */
} ring;

static carom_vec3 ring_point(const ring *r, double angle)
{
    const double radius = r->torus->p[0];
    const carom_vec3 c = carom_v3(radius * cos(angle), radius * sin(angle), 0);
    return carom_v3_add(carom_m3_apply(&r->to.axes, c), r->to.origin);
}

/* Change of the distance along the circle. */
static double ring_slope(problem *s, const ring *r, double angle, double *distance, carom_surface_point *foot)
{
    const carom_vec3 along = carom_m3_apply(&r->to.axes, carom_v3(-sin(angle), cos(angle), 0));
    *distance = carom_surface_distance(r->field, ring_point(r, angle), foot);
    s->evaluations++;
    return carom_v3_dot(foot->normal, along);
}

/* The least distance between two angles about a place that is lower than both, by the false position, the ends weighted
   (Illinois). */
static double ring_between(problem *s, const ring *r, double low, double high, double *distance)
{
    carom_surface_point foot;
    const double at_low = ring_slope(s, r, low, distance, &foot), at_high = ring_slope(s, r, high, distance, &foot);
    carom_bracket b = {.low = low, .high = high, .at_low = at_low, .at_high = at_high};
    double angle = 0.5 * (low + high);
    for (int k = 0; k < 60 && b.high - b.low > 1e-14 && at_low < 0 && at_high > 0; k++) {
        angle = carom_bracket_next(&b, k % 8 == 7);
        const double here = ring_slope(s, r, angle, distance, &foot);
        if (fabs(here) < 1e-13)
            break;
        carom_bracket_take(&b, angle, here);
    }
    ring_slope(s, r, angle, distance, &foot);
    return angle;
}

/* The state where a ring is nearest. False: its circle passes through the material of the other surface, or that has
   no closed form of its distance. */
static bool ring_nearest(problem *s, bool torus_is_i, state *x)
{
    ring r = {.torus = torus_is_i ? s->i : s->j, .field = torus_is_i ? s->j : s->i, .to = s->placed};
    if (r.torus->kind != &carom_surface_torus || r.torus->hollow || !r.field->kind->nearest)
        return false;
    if (torus_is_i)
        r.to = inverse(&s->placed);
    double grid[RING], least = HUGE_VAL, angle = 0, distance, p[4];
    carom_surface_point foot;
    const double step = 2 * CAROM_PI / RING;
    for (int k = 0; k < RING; k++)
        ring_slope(s, &r, step * k, &grid[k], &foot);
    for (int k = 0; k < RING; k++) {
        if (grid[k] > grid[(k + RING - 1) % RING] || grid[k] > grid[(k + 1) % RING])
            continue;
        const double at = ring_between(s, &r, step * (k - 1), step * (k + 1), &distance);
        if (distance < least) {
            least = distance;
            angle = at;
        }
    }
    if (!(least > 0))
        return false;
    ring_slope(s, &r, angle, &distance, &foot);
    const carom_vec3 n = carom_m3_apply_t(&r.to.axes, carom_v3_neg(foot.normal));
    const carom_vec3 c = carom_v3(r.torus->p[0] * cos(angle), r.torus->p[0] * sin(angle), 0);
    double *own = torus_is_i ? p : p + 2, *other = torus_is_i ? p + 2 : p;
    r.torus->kind->locate(r.torus->p, carom_v3_add_scaled(c, r.torus->p[1], n), n, &own[0], &own[1]);
    r.field->kind->locate(r.field->p, foot.position, r.field->hollow ? carom_v3_neg(foot.normal) : foot.normal,
                          &other[0], &other[1]);
    evaluate(s, p[0], p[1], p[2], p[3], x);
    return fabs(carom_v3_dot(x->d, x->i.normal) - (least - r.torus->p[1])) < 1e-9 * s->size;
}

static bool pair_ring(problem *s, const carom_shape_pose *pose, carom_surface_contact *out)
{
    for (int side = 0; side < 2; side++) {
        state x;
        int iterations;
        if (!ring_nearest(s, side == 0, &x))
            continue;
        const double gap = carom_v3_dot(x.d, x.i.normal);
        if (!newton(s, &x, &iterations) || fabs(carom_v3_dot(x.d, x.i.normal) - gap) > 1e-9 * s->size)
            continue;
        put(s, pose, &x, iterations, out);
        return true;
    }
    return false;
}

/* The field is a convex solid, unless the other surface is hollow. Where two sides of a field tie, as in a sharp
   edge from within, its distance has a least value without a common normal: then the other surface is gone over as
   well. */
static void pair_other(problem *s, const carom_shape_pose *pose, carom_surface_contact *out)
{
    if (pair_ring(s, pose, out))
        return;
    const bool field_is_j = convex_solid(s->j) ? !s->i->hollow : !convex_solid(s->i) || s->j->hollow;
    out->gap = HUGE_VAL;
    const double lost = pair_scan(s, pose, field_is_j, out);
    if (!out->converged || lost < out->gap)
        pair_scan(s, pose, !field_is_j, out);
}

/* ---- the pair ---- */

void carom_surface_turn_round(carom_surface_contact *c)
{
    const carom_surface_contact given = *c;
    c->normal = carom_v3_neg(given.normal);
    c->from_i = given.from_j;
    c->from_j = given.from_i;
    for (int k = 0; k < 2; k++) {
        c->hint[k] = given.hint[2 + k];
        c->hint[2 + k] = given.hint[k];
        c->curvature_i[k] = given.curvature_j[k];
        c->curvature_j[k] = given.curvature_i[k];
        c->direction_i[k] = given.direction_j[k];
        c->direction_j[k] = given.direction_i[k];
    }
}

const char *carom_surface_pair_check(const carom_surface *i, const carom_surface *j)
{
    if (i->hollow && j->hollow)
        return "two hollow surfaces cannot touch: one of them must be solid";
    return NULL;
}

void carom_surface_pair(const carom_surface *i, const carom_shape_pose *pose_i, const carom_surface *j,
                        const carom_shape_pose *pose_j, const double *hint, carom_surface_contact *out)
{
    if (carom_surface_over_face(i, pose_i, j, pose_j, out))
        return;
    if (carom_surface_over_face(j, pose_j, i, pose_i, out)) {
        carom_surface_turn_round(out);
        return;
    }
    const double size_i = i->kind->bounding_radius(i->p), size_j = j->kind->bounding_radius(j->p);
    problem s = {.i = i, .j = j, .placed = carom_surface_place(pose_i, pose_j), .size = fmin(size_i, size_j)};
    s.scale_i = i->kind->scale(i->p);
    s.scale_j = j->kind->scale(j->p);
    s.scale = fmin(s.scale_i, s.scale_j);
    const bool convex = convex_solid(i) && convex_solid(j);
    state x, first;
    if (hint)
        evaluate(&s, hint[0], hint[1], hint[2], hint[3], &first);
    *out = (carom_surface_contact){.residual = HUGE_VAL};
    if (hint) {
        int iterations;
        x = first;
        if (newton(&s, &x, &iterations) && carom_v3_dot(x.i.normal, first.i.normal) > 0.5 && is_least(&s, &x, convex)) {
            put(&s, pose_i, &x, iterations, out);
            out->evaluations = s.evaluations;
            return;
        }
    }
    if (convex)
        pair_convex(&s, pose_i, out);
    else
        pair_other(&s, pose_i, out);
    out->evaluations = s.evaluations;
}

/* ---- rates and relative curvature ---- */

carom_vec3 carom_surface_normal_rate(const carom_surface_contact *contact, const carom_shape_pose *pose_i,
                                     const carom_shape_pose *pose_j)
{
    const carom_vec3 n = contact->normal, n_j = carom_v3_neg(n);
    const carom_vec3 turn = carom_v3_sub(pose_j->spin, pose_i->spin);
    const carom_vec3 at = carom_v3_add_scaled(contact->from_i, contact->gap, n);
    const carom_vec3 slip =
        carom_v3_sub(carom_v3_add(pose_j->velocity, carom_v3_cross(pose_j->spin, contact->from_j)),
                     carom_v3_add(pose_i->velocity, carom_v3_cross(pose_i->spin, at)));
    double bend = 0, cosine[2][2], a[4][4], b[4], step[4];
    for (int k = 0; k < 2; k++) {
        bend = fmax(bend, isinf(contact->curvature_i[k]) ? 0 : fabs(contact->curvature_i[k]));
        bend = fmax(bend, isinf(contact->curvature_j[k]) ? 0 : fabs(contact->curvature_j[k]));
    }
    const double scale = bend > 0 ? 1 / bend : 1;
    carom_surface_moves mi, mj;
    carom_surface_moves_of(contact->curvature_i, scale, &mi);
    carom_surface_moves_of(contact->curvature_j, scale, &mj);
    for (int k = 0; k < 2; k++) {
        for (int l = 0; l < 2; l++)
            cosine[k][l] = carom_v3_dot(contact->direction_i[k], contact->direction_j[l]);
        b[k] = -carom_v3_dot(slip, contact->direction_i[k]);
        b[2 + k] = -scale * carom_v3_dot(carom_v3_cross(turn, n_j), contact->direction_i[k]);
    }
    jacobian(&mi, &mj, cosine, contact->gap, -1, scale, a);
    solve4(a, b, step);
    carom_vec3 rate = carom_v3_cross(pose_i->spin, n);
    for (int k = 0; k < 2; k++)
        rate = carom_v3_add_scaled(rate, mi.turn[k] * step[k], contact->direction_i[k]);
    return rate;
}

void carom_surface_relative_curvature(const carom_surface_contact *contact, double *low, double *high,
                                      carom_vec3 *along)
{
    const carom_vec3 e = contact->direction_i[0], f = contact->direction_i[1];
    double ee = contact->curvature_i[0], ef = 0, ff = contact->curvature_i[1];
    if (contact->curvature_j[0] == contact->curvature_j[1]) {
        /* a sphere or a plane: the principal directions are those of i */
        *low = fmin(ee, ff) + contact->curvature_j[0];
        *high = fmax(ee, ff) + contact->curvature_j[0];
        *along = ee <= ff ? e : f;
        return;
    }
    for (int k = 0; k < 2; k++) {
        const double a = carom_v3_dot(contact->direction_j[k], e), b = carom_v3_dot(contact->direction_j[k], f);
        /* an infinite curvature adds nothing across its direction */
        ee += a != 0 ? contact->curvature_j[k] * a * a : 0;
        ef += a != 0 && b != 0 ? contact->curvature_j[k] * a * b : 0;
        ff += b != 0 ? contact->curvature_j[k] * b * b : 0;
    }
    if (isinf(ee) || isinf(ff)) {
        *high = HUGE_VAL;
        *low = fmin(ee, ff);
        *along = isinf(ee) ? f : e;
        return;
    }
    const double mean = 0.5 * (ee + ff), half = 0.5 * (ff - ee), radius = hypot(half, ef);
    const double angle = radius > 0 ? 0.5 * atan2(-ef, half) : 0;
    *low = mean - radius;
    *high = mean + radius;
    *along = carom_v3_add(carom_v3_scale(cos(angle), e), carom_v3_scale(sin(angle), f));
}
