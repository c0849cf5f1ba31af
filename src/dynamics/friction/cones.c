/* Forces of contacts that stick, within their cones.

   With the forces f along the tangents the slips' rates are r = b + W f, W = J P J^T. Wanted is for each contact, of
   the softness c and the greatest force g,
     f = the point next to -r/c of all |f| <= g,                                                                  (1)
   which holds (c f + r = 0), or lies on the cone's edge against the slip that is left. That is the minimum over the
   accelerations a of Gauss's measure with a penalty, psi = |a - a0|^2/2 + sum h(r), where h is r^2/(2c) up to |r| = c g
   and linear beyond: convex, so that there is one solution, which depends on nothing but the state and is continuous in
   it. Newton's method finds it. Contacts that hold have c f + r = 0; those on the edge along u = -r/|r| have
   f = g u + phi s, s across u, with |r|/g phi + s.r = 0. The system is symmetric and positive definite. Along each
   step psi is searched by its slope: sum dr . (f - (1)).
   Source: Qi and Sun 1993, semismooth Newton; a search along a convex function as in Nocedal and Wright 2006, 3.1. */
#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"
#include "math/solve.h"

#include <math.h>
#include <string.h>

/* Newton's steps. */
#define STEPS 60
/* Change of a force, of its cone, after which the next one would be rounding, with contacts on the edge as they were;
   whether or not they were; and what is left at most. */
#define NEAR 1e-8
#define THERE 1e-11
#define ENOUGH 1e-7
/* Rates that are left of the first ones, of which the rest would be rounding. Along directions in which contacts brace
   each other, forces would be made of it. */
#define ROUNDING 1e-12
/* Eigenvalue of the slips' rates by forces, of norm 1, along which what contacts give way by leaves next to nothing of
   a force that would brace them. */
#define NOT_BRACED 1e-9
/* The search ends where the slope of psi is this share of that at its begin. */
#define SLOPE_SHARE 0.1
#define HALVINGS 40

typedef carom_sticking sticking;

/* Tangential acceleration of j against i that the accelerations `a` make at the contact's point as it is now. */
carom_vec3 carom_friction_slip_rate(const carom_evaluation *d, int k, const double *a)
{
    const carom_model *m = d->model;
    const carom_contact_point *p = &d->contacts[k];
    const carom_sticking *own = &d->system->sticking[k];
    carom_vec3 sum = {0, 0, 0};
    for (int side = 0; side < 2; side++) {
        int body = carom_contact_body(m, k, side);
        if (body == 0)
            continue;
        const carom_body_acceleration x = d->system->formulation->body_change(d, a, body);
        const carom_vec3 arm = carom_v3_add(side ? p->arm_j : p->arm_i, own->shift);
        const carom_vec3 point = carom_v3_add(x.linear, carom_v3_cross(x.angular, arm));
        sum = side ? carom_v3_add(sum, point) : carom_v3_sub(sum, point);
    }
    return carom_v3_add_scaled(sum, -carom_v3_dot(sum, own->normal), own->normal);
}

static double dot2(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1]; }

static void in_plane(const sticking *own, carom_vec3 v, double *out)
{
    out[0] = carom_v3_dot(v, own->tangent[0]);
    out[1] = own->count > 1 ? carom_v3_dot(v, own->tangent[1]) : 0;
}

/* In four sums, which do not wait for each other. */
static inline double dot(const double *a, const double *b, int n)
{
    double sum[4] = {0, 0, 0, 0};
    int k = 0;
    for (; k + 4 <= n; k += 4)
        for (int i = 0; i < 4; i++)
            sum[i] += a[k + i] * b[k + i];
    for (; k < n; k++)
        sum[0] += a[k] * b[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Slips' rates that the forces x make, W x. */
static void rates_of(const carom_cone_search *search, const double *x, double *rates)
{
    for (int r = 0; r < search->count; r++)
        rates[r] = dot(search->mobility + r * search->count, x, search->count);
}

/* Numbers the tangents of the contacts that stick; false if there is no room for them. */
static bool number(carom_evaluation *d)
{
    carom_cone_search *search = &d->system->cones;
    search->count = 0;
    search->braced = false;
    for (int h = 0; h < d->system->holding_count; h++) {
        sticking *own = &d->system->sticking[d->system->holding[h]];
        own->row = search->count;
        search->count += own->count;
    }
    return search->count <= search->room;
}

/* Slips' rates of contact k by a unit force along a tangent of another, in the plane. */
static void couple(const carom_evaluation *d, int k, const double *column, double *along)
{
    const sticking *own = &d->system->sticking[k];
    const int roots = carom_system_root_size(d->system);
    if (!roots)
        in_plane(own, carom_friction_slip_rate(d, k, column), along);
    for (int t = 0; roots && t < own->count; t++)
        along[t] = dot(own->delassus[t], column, roots);
}

bool carom_friction_couple(carom_evaluation *d)
{
    const carom_model *m = d->model;
    carom_cone_search *search = &d->system->cones;
    if (!number(d))
        return false;
    const int n = search->count;
    const bool joined = m->row_count || carom_system_root_size(d->system);
    for (int h = 0; h < d->system->holding_count; h++) {
        const int k = d->system->holding[h];
        const sticking *own = &d->system->sticking[k];
        for (int t = 0; t < own->count; t++)
            for (int u = 0; u < own->count; u++)
                search->mobility[(own->row + t) * n + own->row + u] = own->own[t][u];
        for (int place = 0; place < h; place++) {
            const int j = d->system->holding[place];
            const sticking *other = &d->system->sticking[j];
            const bool apart = !joined && !carom_contacts_share(&m->contacts[j], &m->contacts[k]);
            for (int u = 0; u < other->count; u++) {
                double along[2] = {0, 0};
                if (!apart)
                    couple(d, k, other->delassus[u], along);
                for (int t = 0; t < own->count; t++)
                    search->mobility[(own->row + t) * n + other->row + u] =
                        search->mobility[(other->row + u) * n + own->row + t] = along[t];
            }
        }
    }
    return true;
}

/* W by rows and columns of norm 1, the roots of its diagonal, and its largest sum of a row. */
static double normalise(carom_evaluation *d, double *root)
{
    carom_cone_search *search = &d->system->cones;
    const int n = search->count;
    double most = 0;
    for (int h = 0; h < d->system->holding_count; h++) {
        const sticking *own = &d->system->sticking[d->system->holding[h]];
        for (int t = 0; t < own->count; t++)
            root[own->row + t] = sqrt(fmax(own->own[t][t], 0));
    }
    for (int r = 0; r < n; r++) {
        double sum = 0;
        for (int c = 0; c < n; c++) {
            const double size = root[r] * root[c];
            search->matrix[r * n + c] = size > 0 ? search->mobility[r * n + c] / size : 0;
            sum += fabs(search->matrix[r * n + c]);
        }
        most = fmax(most, sum);
    }
    return most;
}

/* How many eigenvalues of a symmetric matrix, which is destroyed, lie below a value: negative pivots of its L D L^T
   less that value (Sylvester's law of inertia). */
static int count_below(int n, double *a, double value, int *first)
{
    int below = 0;
    for (int r = 0; r < n; r++) {
        double *row = a + (size_t)r * (size_t)n;
        int start = 0;
        while (start < r && row[start] == 0)
            start++;
        first[r] = start;
        for (int c = start; c < r; c++) {
            const double *other = a + (size_t)c * (size_t)n;
            const int from = first[c] > start ? first[c] : start;
            row[c] -= dot(row + from, other + from, c - from);
        }
        row[r] -= value;
        for (int c = start; c < r; c++) {
            const double part = row[c] / a[(size_t)c * (size_t)(n + 1)];
            row[r] -= row[c] * part;
            row[c] = part;
        }
        if (row[r] == 0)
            row[r] = value;
        below += row[r] < 0;
    }
    return below;
}

/* Takes what lies along a direction of the slips, of norm 1, out of W and b. */
static void take_out(carom_cone_search *search, const double *direction, double eigenvalue, const double *root)
{
    const int n = search->count;
    double *of = search->change, part = 0;
    for (int r = 0; r < n; r++) {
        of[r] = direction[r] * root[r];
        part += root[r] > 0 ? direction[r] / root[r] * search->begin[r] : 0;
    }
    for (int r = 0; r < n; r++) {
        search->begin[r] -= part * of[r];
        for (int c = 0; c < n; c++)
            search->mobility[r * n + c] -= eigenvalue * of[r] * of[c];
    }
}

/* At rest contacts do not brace against each other, as feet of indentations that differ could with any force: of W and
   of b what lies along directions in which all their slips together are small is left out. Those below NOT_BRACED are
   left to what contacts give way by. */
static bool leave_braced(carom_evaluation *d)
{
    carom_cone_search *search = &d->system->cones;
    const int n = search->count;
    const double limit = CAROM_BRACED * CAROM_BRACED;
    if (!search->braced) {
        const double most = normalise(d, search->rate);
        const int small = count_below(n, search->matrix, limit * most, search->first);
        normalise(d, search->rate);
        search->braced = small > count_below(n, search->matrix, NOT_BRACED, search->first);
        if (!search->braced)
            return true;
    }
    normalise(d, search->rate);
    if (carom_symmetric_eigen(d->system->ctx, n, search->matrix, search->solution) != CAROM_OK)
        return false;
    for (int e = 0; e < n && search->solution[e] < limit * search->solution[n - 1]; e++)
        take_out(search, search->matrix + e * n, search->solution[e], search->rate);
    return true;
}

/* b and the forces from which the search begins. */
static bool begin(carom_evaluation *d)
{
    carom_cone_search *search = &d->system->cones;
    bool any = false;
    for (int h = 0; h < d->system->holding_count; h++) {
        const int k = d->system->holding[h];
        sticking *own = &d->system->sticking[k];
        own->on_edge = false;
        own->reference[0] = own->reference[1] = 0;
        double force[2], applied[2], rate[2];
        in_plane(own, d->contacts[k].friction, force);
        in_plane(own, own->applied, applied);
        in_plane(own, carom_v3_add(own->wanted, carom_friction_slip_rate(d, k, d->acceleration)), rate);
        for (int t = 0; t < own->count; t++) {
            search->force[own->row + t] = force[t];
            search->change[own->row + t] = applied[t];
            any = any || applied[t] != 0;
            search->begin[own->row + t] = rate[t];
        }
    }
    if (any) {
        rates_of(search, search->change, search->rate);
        for (int r = 0; r < search->count; r++)
            search->begin[r] -= search->rate[r];
    }
    return !d->system->at_rest || search->count < 2 || leave_braced(d);
}

/* The two numbers of a contact in a vector of all. */
static void of_contact(const sticking *own, const double *all, double *out)
{
    out[0] = all[own->row];
    out[1] = own->count > 1 ? all[own->row + 1] : 0;
}

/* Which contacts lie on the edge, and along what. `first`: by the forces, else by the rates. Returns whether any has
   changed between hold and edge. */
static bool set_edges(carom_evaluation *d, bool first)
{
    const carom_cone_search *search = &d->system->cones;
    bool changed = false;
    for (int h = 0; h < d->system->holding_count; h++) {
        sticking *own = &d->system->sticking[d->system->holding[h]];
        double y[2];
        of_contact(own, first ? search->force : search->rate, y);
        const double size = sqrt(dot2(y, y)), edge = first ? own->greatest : own->softness * own->greatest;
        const bool before = own->on_edge;
        own->on_edge = !(size <= edge);
        own->pull = first ? own->softness * size : size;
        for (int t = 0; t < 2 && size > 0; t++)
            own->toward[t] = first ? y[t] / size : -y[t] / size;
        changed = changed || before != own->on_edge;
    }
    return changed;
}

/* Unknowns of Newton's system of a contact, and the directions of their forces: both tangents, or across `toward`. */
static int unknowns(const sticking *own, double direction[2][2])
{
    direction[0][0] = own->on_edge ? -own->toward[1] : 1;
    direction[0][1] = own->on_edge ? own->toward[0] : 0;
    direction[1][0] = 0;
    direction[1][1] = 1;
    return own->on_edge ? (own->greatest > 0 ? own->count - 1 : 0) : own->count;
}

/* L of the symmetric positive definite matrix of order n, lower part by rows, in its place: Cholesky's method, from the
   first number of each row that is not zero on, whose place is put into `first`. Its diagonal is inverted. */
static bool factor(int n, double *a, int *first)
{
    for (int r = 0; r < n; r++) {
        double *row = a + (size_t)r * (size_t)n;
        int begin = 0;
        while (begin < r && row[begin] == 0)
            begin++;
        first[r] = begin;
        for (int c = begin; c <= r; c++) {
            const double *other = a + (size_t)c * (size_t)n;
            const int from = first[c] > begin ? first[c] : begin;
            const double sum = row[c] - dot(row + from, other + from, c - from);
            if (c < r)
                row[c] = sum * other[c];
            else if (sum > 0)
                row[c] = 1 / sqrt(sum);
            else
                return false;
        }
    }
    return true;
}

/* Solves L L^T x = b, in the place of b. */
static void solve(int n, const double *l, double *x)
{
    for (int r = 0; r < n; r++) {
        const double *row = l + (size_t)r * (size_t)n;
        x[r] = (x[r] - dot(row, x, r)) * row[r];
    }
    for (int r = n - 1; r >= 0; r--) {
        const double *row = l + (size_t)r * (size_t)n;
        x[r] *= row[r];
        for (int i = 0; i < r; i++)
            x[i] -= row[i] * x[r];
    }
}

/* Rows of Newton's system of contact k, the first of which is `row`; `known` are the rates with the forces that are
   known. */
static void fill_rows(const carom_evaluation *d, int k, int row, int size)
{
    const carom_cone_search *search = &d->system->cones;
    const sticking *own = &d->system->sticking[k];
    double mine[2][2], theirs[2][2];
    const int count = unknowns(own, mine);
    for (int h = 0, column = 0; h < d->system->holding_count && d->system->holding[h] <= k; h++) {
        const sticking *other = &d->system->sticking[d->system->holding[h]];
        const int width = unknowns(other, theirs);
        const double *block = search->mobility + own->row * search->count + other->row;
        double *out = search->matrix + (size_t)row * (size_t)size + (size_t)column;
        const bool plain = !own->on_edge && !other->on_edge;
        for (int a = 0; a < count; a++)
            for (int b = 0; b < width; b++) {
                double sum = plain ? block[a * search->count + b] : 0;
                for (int t = 0; !plain && t < own->count; t++)
                    for (int u = 0; u < other->count; u++)
                        sum += mine[a][t] * theirs[b][u] * block[t * search->count + u];
                out[a * size + b] = sum;
            }
        column += width;
    }
    double known[2];
    of_contact(own, search->rate_change, known);
    for (int a = 0; a < count; a++) {
        search->matrix[(size_t)(row + a) * (size_t)size + (size_t)(row + a)] +=
            own->on_edge ? own->pull / own->greatest : own->softness;
        search->solution[row + a] = -dot2(mine[a], known);
    }
}

/* Newton's step from the present edges: change of the forces, and of the rates by it. */
static bool find_step(carom_evaluation *d)
{
    carom_cone_search *search = &d->system->cones;
    double direction[2][2];
    int size = 0;
    for (int h = 0; h < d->system->holding_count; h++) {
        const sticking *own = &d->system->sticking[d->system->holding[h]];
        for (int t = 0; t < own->count; t++)
            search->change[own->row + t] = own->on_edge ? own->greatest * own->toward[t] : 0;
        size += unknowns(own, direction);
    }
    rates_of(search, search->change, search->rate_change);
    for (int r = 0; r < search->count; r++)
        search->rate_change[r] += search->begin[r];
    for (int h = 0, row = 0; h < d->system->holding_count; h++) {
        fill_rows(d, d->system->holding[h], row, size);
        row += unknowns(&d->system->sticking[d->system->holding[h]], direction);
    }
    if (!factor(size, search->matrix, search->first))
        return false;
    solve(size, search->matrix, search->solution);
    for (int h = 0, row = 0; h < d->system->holding_count; h++) {
        const sticking *own = &d->system->sticking[d->system->holding[h]];
        const int count = unknowns(own, direction);
        for (int a = 0; a < count; a++)
            for (int t = 0; t < own->count; t++)
                search->change[own->row + t] += search->solution[row + a] * direction[a][t];
        row += count;
    }
    for (int r = 0; r < search->count; r++)
        search->change[r] -= search->force[r];
    rates_of(search, search->change, search->rate_change);
    return true;
}

/* Slope of psi at this share of the step. */
static double slope_at(const carom_evaluation *d, double share)
{
    const carom_cone_search *search = &d->system->cones;
    double sum = 0;
    for (int h = 0; h < d->system->holding_count; h++) {
        const sticking *own = &d->system->sticking[d->system->holding[h]];
        double f[2], df[2], r[2], dr[2];
        of_contact(own, search->force, f);
        of_contact(own, search->change, df);
        of_contact(own, search->rate, r);
        of_contact(own, search->rate_change, dr);
        for (int t = 0; t < 2; t++) {
            f[t] += share * df[t];
            r[t] += share * dr[t];
        }
        const double size = sqrt(dot2(r, r)), edge = own->softness * own->greatest;
        const double gain = size > edge ? own->greatest / size : own->softness > 0 ? 1 / own->softness : 0;
        for (int t = 0; t < 2; t++)
            sum += dr[t] * (f[t] + gain * r[t]);
    }
    return sum;
}

/* Share of the step at which psi is about least. */
static double search_along(const carom_evaluation *d)
{
    const double first = slope_at(d, 0);
    double low = 0, high = 1, end = slope_at(d, 1);
    if (!(first < 0) || !(end > -SLOPE_SHARE * first))
        return 1;
    for (int halving = 0; halving < HALVINGS; halving++) {
        const double middle = 0.5 * (low + high), slope = slope_at(d, middle);
        if (fabs(slope) <= -SLOPE_SHARE * first)
            return middle;
        if (slope < 0)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* The largest change of the step against the cone. */
static double largest_change(const carom_evaluation *d)
{
    double largest = 0;
    for (int h = 0; h < d->system->holding_count; h++) {
        const sticking *own = &d->system->sticking[d->system->holding[h]];
        double change[2];
        of_contact(own, d->system->cones.change, change);
        largest = fmax(largest, sqrt(dot2(change, change)) / fmax(own->greatest, 1e-300));
    }
    return largest;
}

/* Adds this share of the step to the forces, and finds the rates with them. */
static void advance(carom_evaluation *d, double share)
{
    carom_cone_search *search = &d->system->cones;
    for (int r = 0; r < search->count; r++)
        search->force[r] += share * search->change[r];
    rates_of(search, search->force, search->rate);
    for (int r = 0; r < search->count; r++)
        search->rate[r] += search->begin[r];
}

/* Gives the forces to the contacts, within their cones those on the edge exactly there. */
static void store(carom_evaluation *d, bool within)
{
    for (int h = 0; h < d->system->holding_count; h++) {
        const int k = d->system->holding[h];
        const sticking *own = &d->system->sticking[k];
        double f[2];
        of_contact(own, d->system->cones.force, f);
        const double size = sqrt(dot2(f, f));
        const double share = within && size > 0 && (own->on_edge || size > own->greatest) ? own->greatest / size : 1;
        d->contacts[k].friction = carom_v3_scale(share * f[0], own->tangent[0]);
        if (own->count > 1)
            d->contacts[k].friction = carom_v3_add_scaled(d->contacts[k].friction, share * f[1], own->tangent[1]);
    }
}

/* Counts what contacts give way by from the forces as they are now, instead of from none or those of the time before.
   Returns by how much the latter differ from those now, of their cones. */
static double refer(carom_evaluation *d, bool to_now)
{
    carom_cone_search *search = &d->system->cones;
    double largest = 0;
    for (int h = 0; h < d->system->holding_count; h++) {
        const int k = d->system->holding[h];
        sticking *own = &d->system->sticking[k];
        for (int t = 0; t < own->count; t++) {
            const double before = to_now ? own->reference[t] : 0;
            own->reference[t] = to_now ? search->force[own->row + t] : 0;
            search->begin[own->row + t] += own->softness * (before - own->reference[t]);
            largest = fmax(largest, fabs(own->reference[t] - before) / fmax(own->greatest, 1e-300));
        }
    }
    advance(d, 0);
    return largest;
}

/* Newton's method from the forces as they are; `first`: their edges are not known. */
static bool find_forces(carom_evaluation *d, bool first)
{
    double left = HUGE_VAL;
    for (int step = 0; step < STEPS; step++) {
        const bool changed = set_edges(d, first && step == 0) || step == 0;
        if (!find_step(d))
            return false;
        left = largest_change(d);
        /* the slope of so short a step is rounding */
        const double share = left <= NEAR ? 1 : search_along(d);
        advance(d, share);
        if (left <= THERE || (left <= NEAR && !changed))
            break;
    }
    return left <= ENOUGH;
}

/* W and what contacts give way by, factored. */
static bool factor_all(carom_evaluation *d)
{
    carom_cone_search *search = &d->system->cones;
    const size_t n = (size_t)search->count;
    memcpy(search->matrix, search->mobility, n * n * sizeof *search->matrix);
    for (int h = 0; h < d->system->holding_count; h++) {
        const sticking *own = &d->system->sticking[d->system->holding[h]];
        for (int t = 0; t < own->count; t++)
            search->matrix[(size_t)(own->row + t) * (n + 1)] += own->softness;
    }
    return factor(search->count, search->matrix, search->first);
}

static bool inside_cones(const carom_evaluation *d)
{
    for (int h = 0; h < d->system->holding_count; h++) {
        const sticking *own = &d->system->sticking[d->system->holding[h]];
        double f[2];
        of_contact(own, d->system->cones.force, f);
        if (dot2(f, f) > own->greatest * own->greatest)
            return false;
    }
    return true;
}

/* Squares of the rates in `change`, by what contacts give way. */
static double size_of_rates(const carom_evaluation *d)
{
    double sum = 0;
    for (int h = 0; h < d->system->holding_count; h++) {
        const sticking *own = &d->system->sticking[d->system->holding[h]];
        for (int t = 0; t < own->count; t++)
            sum += d->system->cones.change[own->row + t] * d->system->cones.change[own->row + t] / own->yield;
    }
    return sum;
}

bool carom_friction_hold_all(carom_evaluation *d, int passes)
{
    carom_cone_search *search = &d->system->cones;
    double first = 0;
    if (!begin(d))
        return false;
    memset(search->force, 0, (size_t)search->count * sizeof(double));
    if (!factor_all(d))
        return false;
    for (int pass = 0; pass < passes; pass++) {
        /* (W + c) change = -(b + W f) */
        if (pass)
            rates_of(search, search->force, search->rate);
        for (int r = 0; r < search->count; r++)
            search->change[r] = -(search->begin[r] + (pass ? search->rate[r] : 0));
        const double left = size_of_rates(d);
        first = pass ? first : left;
        if (pass && left <= ROUNDING * ROUNDING * first)
            break;
        solve(search->count, search->matrix, search->change);
        for (int h = 0; h < d->system->holding_count; h++) {
            const int k = d->system->holding[h];
            sticking *own = &d->system->sticking[k];
            for (int t = 0; t < own->count; t++)
                own->reference[t] = search->force[own->row + t];
        }
        for (int r = 0; r < search->count; r++)
            search->force[r] += search->change[r];
        if (!inside_cones(d)) {
            store(d, false);
            return false;
        }
    }
    store(d, true);
    return true;
}

bool carom_friction_within_cones(carom_evaluation *d, int passes)
{
    carom_cone_search *search = &d->system->cones;
    if (!begin(d))
        return false;
    memset(search->change, 0, (size_t)search->count * sizeof(double));
    for (int pass = 0; pass < passes; pass++) {
        const double moved = refer(d, pass > 0);
        if (pass > 0 && moved <= THERE)
            break;
        /* what is left of a pass would be another one where other contacts are on the edge: the forces would jump */
        if (!find_forces(d, pass == 0))
            return false;
    }
    store(d, true);
    return true;
}
