/* The forces of friction in ideal joints. The normal forces follow from the reactions, and these from friction:
   with the forces f along all directions of slip,
     lambda = lambda0 + R f,   slip' = s0 + W f,   N = sum |b0 + B f| + preload,
   linear in f but for the norms. A place that slides has f = law(N); one that sticks has the f that lets its slip die away,
   within the cone of its law: f = clip(f - p (s0 + W f + k s), law(0, N)). Newton's method finds both together; its
   derivative jumps where a bearing's force passes through zero or a place leaves its cone, and steps that do not help
   are shortened. */
#include "dynamics/dynamics.h"

#include <math.h>
#include <string.h>

/* What is left of the slip when a place begins to stick dies away in 1/100 s [1/s]: at less than a micrometre a second that
   is 10 nm. */
#define SETTLE 100
/* Several places that stick give way by this share of their own mobility: without it those of a closed loop would brace
   against each other with any force to stop the last slip. */
#define GIVE 1e-6
/* A place of less mobility than this, of that which it has without joints, cannot slip. */
#define LEAST_MOBILITY 1e-12
#define ITERATIONS 60
#define HALVINGS 6
/* Greatest residual of a force, of the forces that it follows from; where Newton's method gets no farther, the second. */
#define ACCURACY 1e-13
#define STALLED 1e-12

static double times(const carom_jacobian_row *row, const double *x, int size)
{
    double sum = 0;
    for (int side = 0; side < 2; side++)
        for (int k = 0; row->body[side] && k < size; k++)
            sum += row->j[side][k] * x[(row->body[side] - 1) * size + k];
    return sum;
}

/* J M^-1 J^T of two rows. */
static double couple(const carom_jacobian_row *a, const carom_jacobian_row *b, int size)
{
    double sum = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; a->body[i] && a->body[i] == b->body[j] && k < size; k++)
                sum += a->j[i][k] * b->w[j][k];
    return sum;
}

/* ---- what forces do ---- */

/* Forces of the bearings of every place that multipliers make. */
static void find_bearings(carom_dynamics *d, const double *multipliers, carom_vec3 *out, bool count)
{
    const carom_model *m = d->model;
    for (int k = 0; k < m->rub_count; k++) {
        const carom_model_joint *j = &m->joints[m->rubs[k].joint];
        const carom_frame_pose fi = carom_dynamics_frame_pose(&d->pose[j->i.body], &j->i, m->dimension);
        const carom_frame_pose fj = carom_dynamics_frame_pose(&d->pose[j->j.body], &j->j, m->dimension);
        const carom_wrench w = carom_dynamics_reaction(d, m->rubs[k].joint, multipliers, false);
        carom_vec3 forces[CAROM_RUBBING_BEARINGS];
        const int n = j->kind->bearings(j->friction.size, &fi, &fj, m->dimension, m->rubs[k].place, w.force, w.torque, forces);
        if (count)
            d->rubs[k].bearing_count = n;
        memcpy(count ? d->rubs[k].bearing : out + k * CAROM_RUBBING_BEARINGS, forces, (size_t)n * sizeof *forces);
    }
}

static bool sticks(const carom_dynamics *d, int k)
{
    return d->rubs[k].stick && d->model->joints[d->model->rubs[k].joint].friction.law->holds;
}

/* The linear part: replies of the constraints, bearings, slips without friction, mobilities. */
static void prepare(carom_dynamics *d)
{
    const carom_model *m = d->model;
    const int n = m->slip_count, size = m->v_per_body;
    int sticking = 0;
    for (int k = 0; k < m->rub_count; k++)
        sticking += sticks(d, k);
    d->rub_search.give = sticking > 1 ? GIVE : 0;
    find_bearings(d, d->multipliers, NULL, true);
    for (int c = 0; c < n; c++) {
        carom_rub_slip *slip = &d->slips[c];
        for (int r = 0; r < m->row_count; r++) {
            slip->coupling[r] = couple(&d->jacobian[r], &slip->jacobian, size);
            slip->reply[r] = -slip->coupling[r];
        }
        carom_cartesian_solve(d, slip->reply);
        find_bearings(d, slip->reply, slip->bearing, false);
        slip->rate = times(&slip->jacobian, d->acceleration, size) - slip->row.gamma;
    }
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            double sum = couple(&d->slips[a].jacobian, &d->slips[b].jacobian, size);
            for (int r = 0; r < m->row_count; r++)
                sum += d->slips[a].coupling[r] * d->slips[b].reply[r];
            d->rub_search.mobility[a + b * n] = sum;
        }
}

/* ---- residuals ---- */

/* Normal force of a place with the forces f, and its slope by each of them; `reach`: the sum of the sizes it is made of. */
static double normal_force(const carom_dynamics *d, int k, const double *f, double *slope, double *reach)
{
    const carom_model *m = d->model;
    const carom_rub *rub = &d->rubs[k];
    double sum = m->joints[m->rubs[k].joint].friction.preload;
    *reach = sum;
    memset(slope, 0, (size_t)m->slip_count * sizeof *slope);
    for (int b = 0; b < rub->bearing_count; b++) {
        carom_vec3 force = rub->bearing[b];
        *reach += carom_v3_norm(force);
        for (int c = 0; c < m->slip_count; c++) {
            const carom_vec3 *part = &d->slips[c].bearing[k * CAROM_RUBBING_BEARINGS + b];
            force = carom_v3_add_scaled(force, f[c], *part);
            *reach += fabs(f[c]) * carom_v3_norm(*part);
        }
        const double norm = carom_v3_norm(force);
        sum += norm;
        for (int c = 0; norm > 0 && c < m->slip_count; c++)
            slope[c] += carom_v3_dot(force, d->slips[c].bearing[k * CAROM_RUBBING_BEARINGS + b]) / norm;
    }
    return sum;
}

/* A place that slides, or has a law with state: f - law(N). */
static void slide_residual(carom_dynamics *d, int k, double normal, double reach, const double *f, const double *slope)
{
    const carom_model *m = d->model;
    const int n = m->slip_count, first = m->rubs[k].first_slip, count = m->rubs[k].slip_count;
    double law[CAROM_RUBBING_SLIPS], more[CAROM_RUBBING_SLIPS];
    const double step = fmax(1e-6 * normal, 1e-9);
    carom_rubbing_law(d, k, normal, law, NULL);
    carom_rubbing_law(d, k, normal + step, more, NULL);
    for (int c = 0; c < count; c++) {
        const double gain = (more[c] - law[c]) / step;
        d->rub_search.residual[first + c] = f[first + c] - law[c];
        d->rub_search.scale[first + c] = fabs(law[c]) + fabs(gain) * reach;
        for (int e = 0; e < n; e++)
            d->rub_search.matrix[first + c + e * n] = (e == first + c) - gain * slope[e];
    }
}

/* A place that sticks: f - clip(f - p (slip' + k s)), clipped to the cone. */
static void stick_residual(carom_dynamics *d, int k, double normal, double reach, const double *f, const double *slope)
{
    const carom_model *m = d->model;
    const carom_model_friction *friction = &m->joints[m->rubs[k].joint].friction;
    const carom_rub_search *search = &d->rub_search;
    const int n = m->slip_count, first = m->rubs[k].first_slip, count = m->rubs[k].slip_count;
    double most = 0, free = 0, y[CAROM_RUBBING_SLIPS] = {0}, norm = 0;
    for (int c = first; c < first + count; c++) {
        most = fmax(most, search->mobility[c + c * n]);
        free = fmax(free, couple(&d->slips[c].jacobian, &d->slips[c].jacobian, m->v_per_body));
    }
    const bool held = !(most > LEAST_MOBILITY * free);
    const double p = held ? 0 : 1 / most, cone = friction->law->map(friction->constants, 0, normal);
    for (int c = 0; c < count; c++) {
        const int row = first + c;
        double rate = d->slips[row].rate + SETTLE * d->rubs[k].slip[c], size = fabs(rate);
        for (int e = 0; e < n; e++) {
            const double w = search->mobility[row + e * n] + (e == row ? d->rub_search.give * most : 0);
            rate += w * f[e];
            size += fabs(w * f[e]);
        }
        y[c] = held ? 0 : f[row] - p * rate;
        norm += y[c] * y[c];
        search->scale[row] = held ? 1 : p * size + cone + (normal > 0 ? cone / normal : 0) * reach;
    }
    norm = sqrt(norm);
    const bool clipped = norm > cone;
    const double share = clipped ? cone / norm : 1, gain = clipped && normal > 0 ? cone / normal : 0;
    for (int c = 0; c < count; c++) {
        const int row = first + c;
        search->residual[row] = f[row] - share * y[c];
        for (int e = 0; e < n; e++) {
            double turned = 0; /* derivative of y, and where it is clipped the part across it */
            for (int i = 0; i < count && !held; i++) {
                const double w = search->mobility[first + i + e * n] + (e == first + i ? d->rub_search.give * most : 0);
                const double own = (e == first + i) - p * w;
                turned += own * ((i == c) - (clipped ? y[c] * y[i] / (norm * norm) : 0));
            }
            search->matrix[row + e * n] = (e == row) - share * turned - (clipped ? gain * slope[e] * y[c] / norm : 0);
        }
    }
}

/* Residual and derivative at f; returns the largest residual of all, of its scale. */
static double evaluate(carom_dynamics *d, const double *f)
{
    const carom_model *m = d->model;
    double worst = 0;
    for (int k = 0; k < m->rub_count; k++) {
        double reach, *slope = d->rub_search.slope;
        const double normal = normal_force(d, k, f, slope, &reach);
        d->rubs[k].normal = normal;
        (sticks(d, k) ? stick_residual : slide_residual)(d, k, normal, reach, f, slope);
        for (int c = m->rubs[k].first_slip; c < m->rubs[k].first_slip + m->rubs[k].slip_count; c++) {
            const double r = fabs(d->rub_search.residual[c]), share = r > 0 ? r / d->rub_search.scale[c] : 0;
            if (!(share <= worst)) {
                worst = isfinite(share) ? share : HUGE_VAL;
                d->rub_fault = k;
            }
        }
    }
    return worst;
}

/* ---- search ---- */

/* One step of Newton's method from the forces that have been evaluated; returns the residual at the new ones. */
static double advance(carom_dynamics *d, double before)
{
    const carom_rub_search *search = &d->rub_search;
    const size_t n = (size_t)d->model->slip_count;
    double now = HUGE_VAL;
    memcpy(search->base, search->force, n * sizeof(double));
    memcpy(search->change, search->residual, n * sizeof(double));
    if (!carom_dense_eliminate((int)n, search->matrix, search->pivot, search->change))
        return HUGE_VAL;
    for (int halving = 0; halving <= HALVINGS && !(now < before); halving++) {
        /* the last try is the whole step again: it leaves a corner from which no shorter one leads away */
        const double share = halving < HALVINGS ? ldexp(1, -halving) : 1;
        for (size_t c = 0; c < n; c++)
            search->force[c] = search->base[c] - share * search->change[c];
        now = evaluate(d, search->force);
    }
    return now;
}

static bool find(carom_dynamics *d)
{
    double *f = d->rub_search.force;
    memset(f, 0, (size_t)d->model->slip_count * sizeof *f);
    double worst = evaluate(d, f), before = HUGE_VAL;
    for (int k = 0; k < ITERATIONS && worst > ACCURACY && (worst > STALLED || worst < before); k++) {
        before = worst;
        worst = advance(d, before);
    }
    return worst <= STALLED;
}

bool carom_rubbing_search(carom_dynamics *d)
{
    const carom_model *m = d->model;
    prepare(d);
    if (!find(d))
        return false;
    d->rub_fault = -1;
    double *total = d->solve;
    memset(total, 0, (size_t)m->row_count * sizeof *total);
    for (int k = 0; k < m->rub_count; k++)
        for (int c = 0; c < m->rubs[k].slip_count; c++) {
            const carom_rub_slip *slip = &d->slips[m->rubs[k].first_slip + c];
            const double force = d->rub_search.force[m->rubs[k].first_slip + c];
            d->rubs[k].friction[c] = force;
            for (int r = 0; r < m->row_count; r++)
                total[r] += force * slip->reply[r];
            for (int side = 0; side < 2; side++)
                for (int i = 0; slip->jacobian.body[side] && i < m->v_per_body; i++)
                    d->acceleration[(slip->jacobian.body[side] - 1) * m->v_per_body + i] += force * slip->jacobian.w[side][i];
        }
    carom_cartesian_add(d, total, d->acceleration);
    for (int r = 0; r < m->row_count; r++)
        d->multipliers[r] += total[r];
    return true;
}
