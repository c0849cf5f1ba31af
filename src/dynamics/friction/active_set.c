/* The forces of friction in ideal joints. The normal forces follow from the reactions, and these from friction:
   with the forces f along all directions of slip,
     lambda = lambda0 + R f,   slip' = s0 + W f,   N = sum |b0 + B f| + preload,
   linear in f but for the norms. A site that slides has f = law(N). One that sticks holds, slip' + k s = 0, or is
   sliding to the cone of its law, f = law(0, N) u. Newton's method finds f for given sites that hold and that are
   sliding along given u. With y = f - slip'/W of each, a site holds where y lies in its cone, and else is sliding
   along y: the site that is farthest from that is changed, until there is none. Where sites hold more slips than
   can move, as in a closed loop, later ones have no force. */
#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A slip depends on others where less than this share of its mobility is left without them. */
#define DEPENDENT 1e-9
/* A site of less mobility than this, of that which it has without joints, cannot slip. */
#define LEAST_MOBILITY 1e-12
#define ITERATIONS 60
#define HALVINGS 6
/* Greatest residual of a force, of the forces that it follows from; where Newton's method gets no farther, the
   second. */
#define ACCURACY 1e-13
#define STALLED 1e-12
/* Share of its cone within which a force lies in it. */
#define CLIP 1e-9
/* Change of its direction after which a force on the edge of its cone stays, and after half of the changes. */
#define TURNED 1e-11
#define NEARLY_TURNED 1e-8
/* Changes of sites that stick, for each site. */
#define CHANGES 20
/* The same where forces turn on the edges of their cones, by steps that may be slow. */
#define SLOW_CHANGES 100

/* J M^-1 J^T of two rows. */
static double couple(const carom_evaluation *d, const carom_jacobian_row *a, const carom_jacobian_row *b)
{
    return d->system->formulation->couple(d, a, b);
}

/* ---- what forces do ---- */

/* Forces of the bearings of a site that a reaction makes; returns their number. */
static int bearings_under(const carom_evaluation *d, int k, carom_wrench w, carom_vec3 *forces)
{
    const carom_model *m = d->model;
    const carom_model_joint *j = &m->joints[m->sites[k].joint];
    if (j->friction.constant)
        return 0;
    carom_frame_pose fi, fj;
    const carom_joint_input in = carom_dynamics_joint_input(d, m->sites[k].joint, &fi, &fj);
    return j->kind->friction->bearings(j->kind->user, j->friction.size, &in, m->sites[k].place, w.force, w.torque,
                                       forces);
}

static int bearings_of(const carom_evaluation *d, int k, const double *multipliers, carom_vec3 *forces)
{
    return bearings_under(d, k, carom_dynamics_reaction(d, d->model->sites[k].joint, multipliers, false), forces);
}

double carom_joint_friction_normal(const carom_evaluation *d, int k, const double *multipliers)
{
    carom_vec3 forces[CAROM_FRICTION_BEARINGS];
    const int n = bearings_of(d, k, multipliers, forces);
    double sum = d->model->joints[d->model->sites[k].joint].friction.preload;
    for (int b = 0; b < n; b++)
        sum += carom_v3_norm(forces[b]);
    return sum;
}

double carom_joint_friction_reach(const carom_evaluation *d, int k, double force)
{
    double sum = 0;
    for (int axis = 0; axis < 6; axis++) {
        carom_vec3 forces[CAROM_FRICTION_BEARINGS];
        const double size = axis < 3 ? force : force * d->model->length_scale;
        const carom_vec3 part = {axis % 3 == 0 ? size : 0, axis % 3 == 1 ? size : 0, axis % 3 == 2 ? size : 0};
        const carom_vec3 none = {0, 0, 0};
        const int n = bearings_under(d, k, (carom_wrench){axis < 3 ? part : none, axis < 3 ? none : part}, forces);
        for (int b = 0; b < n; b++)
            sum += carom_v3_norm(forces[b]);
    }
    return sum;
}

/* Forces of the bearings of every site that multipliers make. */
static void find_bearings(carom_evaluation *d, const double *multipliers, carom_vec3 *out, bool count)
{
    const carom_model *m = d->model;
    for (int k = 0; k < m->site_count; k++) {
        carom_vec3 forces[CAROM_FRICTION_BEARINGS];
        const int n = bearings_of(d, k, multipliers, forces);
        if (count)
            d->sites[k].bearing_count = n;
        memcpy(count ? d->sites[k].bearing : out + k * CAROM_FRICTION_BEARINGS, forces, (size_t)n * sizeof *forces);
    }
}

static bool sticks(const carom_evaluation *d, int k) { return d->sites[k].stick; }

/* Finds the slips of holding sites that depend on earlier ones, by Cholesky's method. `all`: of all that stick,
   whose rates without friction are made to do so as well, where they do not by rounding and by the violation of
   constraints, which no force can make up for. */
static void find_redundant(carom_evaluation *d, bool all)
{
    const carom_model *m = d->model;
    const int n = m->slip_count;
    double *l = d->system->active_set.matrix, *y = d->system->active_set.change;
    memcpy(l, d->system->active_set.mobility, (size_t)n * (size_t)n * sizeof *l);
    for (int k = 0; k < m->site_count; k++)
        for (int j = m->sites[k].first_slip; j < m->sites[k].first_slip + m->sites[k].slip_count; j++) {
            const bool holds = sticks(d, k) && (all || !d->sites[k].sliding);
            const double free = couple(d, &d->slips[j].jacobian, &d->slips[j].jacobian);
            double left = l[j + j * n], known = 0;
            for (int i = 0; i < j; i++) {
                left -= l[j + i * n] * l[j + i * n];
                known += l[j + i * n] * y[i];
            }
            d->slips[j].redundant = holds && !(left > DEPENDENT * l[j + j * n] && left > LEAST_MOBILITY * free);
            if (all && d->slips[j].redundant)
                d->slips[j].rate = known;
            const double pivot = holds && !d->slips[j].redundant ? sqrt(left) : 0;
            y[j] = pivot > 0 ? (d->slips[j].rate - known) / pivot : 0;
            for (int r = j + 1; r < n; r++) {
                double sum = l[r + j * n];
                for (int i = 0; i < j; i++)
                    sum -= l[r + i * n] * l[j + i * n];
                l[r + j * n] = pivot > 0 ? sum / pivot : 0;
            }
        }
}

/* The linear part: replies of the constraints, bearings, slips without friction, mobilities. */
static void prepare(carom_evaluation *d)
{
    const carom_model *m = d->model;
    const int n = m->slip_count;
    find_bearings(d, d->multipliers, NULL, true);
    for (int c = 0; c < n; c++) {
        carom_friction_slip *slip = &d->slips[c];
        for (int r = 0; r < m->row_count; r++) {
            slip->coupling[r] = couple(d, &d->jacobian[r], &slip->jacobian);
            slip->multipliers[r] = -slip->coupling[r];
        }
        d->system->formulation->solve(d, slip->multipliers);
        find_bearings(d, slip->multipliers, slip->bearing, false);
        slip->rate = d->system->formulation->row_times(d, &slip->jacobian, d->acceleration) - slip->row.gamma;
    }
    for (int k = 0; k < m->site_count; k++)
        for (int c = 0; sticks(d, k) && c < m->sites[k].slip_count; c++)
            d->slips[m->sites[k].first_slip + c].rate += CAROM_JOINT_SETTLE * d->sites[k].slip[c];
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            double sum = couple(d, &d->slips[a].jacobian, &d->slips[b].jacobian);
            for (int r = 0; r < m->row_count; r++)
                sum += d->slips[a].coupling[r] * d->slips[b].multipliers[r];
            d->system->active_set.mobility[a + b * n] = sum;
        }
}

/* ---- residuals ---- */

/* Normal force of a site with the forces f, and its slope by each of them; `reach`: the sum of the sizes it is made
   of. */
static double normal_force(const carom_evaluation *d, int k, const double *f, double *slope, double *reach)
{
    const carom_model *m = d->model;
    const carom_friction_site *site = &d->sites[k];
    double sum = m->joints[m->sites[k].joint].friction.preload;
    *reach = sum;
    memset(slope, 0, (size_t)m->slip_count * sizeof *slope);
    for (int b = 0; b < site->bearing_count; b++) {
        carom_vec3 force = site->bearing[b];
        *reach += carom_v3_norm(force);
        for (int c = 0; c < m->slip_count; c++) {
            const carom_vec3 *part = &d->slips[c].bearing[k * CAROM_FRICTION_BEARINGS + b];
            force = carom_v3_add_scaled(force, f[c], *part);
            *reach += fabs(f[c]) * carom_v3_norm(*part);
        }
        const double norm = carom_v3_norm(force);
        sum += norm;
        for (int c = 0; norm > 0 && c < m->slip_count; c++)
            slope[c] += carom_v3_dot(force, d->slips[c].bearing[k * CAROM_FRICTION_BEARINGS + b]) / norm;
    }
    return sum;
}

/* A site that slides, or has a law with state: f - law(N). */
static void slide_residual(carom_evaluation *d, int k, double normal, double reach, const double *f,
                           const double *slope)
{
    const carom_model *m = d->model;
    const int n = m->slip_count, first = m->sites[k].first_slip, count = m->sites[k].slip_count;
    double law[CAROM_FRICTION_SLIPS], more[CAROM_FRICTION_SLIPS];
    const double step = fmax(1e-6 * normal, 1e-9);
    carom_joint_friction_law(d, k, normal, law, NULL);
    carom_joint_friction_law(d, k, normal + step, more, NULL);
    for (int c = 0; c < count; c++) {
        const double gain = (more[c] - law[c]) / step;
        d->system->active_set.residual[first + c] = f[first + c] - law[c];
        d->system->active_set.scale[first + c] = fabs(law[c]) + fabs(gain) * reach;
        for (int e = 0; e < n; e++)
            d->system->active_set.matrix[first + c + e * n] = (e == first + c) - gain * slope[e];
    }
}

double carom_joint_friction_cone(const carom_evaluation *d, int k, double normal)
{
    const carom_model_friction *friction = &d->model->joints[d->model->sites[k].joint].friction;
    return carom_friction_greatest(friction->law, friction->constants, normal);
}

/* Rate of a slip with the forces f; `size`: the sum of the sizes it is made of. */
static double slip_rate(const carom_evaluation *d, int c, const double *f, double *size)
{
    const int n = d->model->slip_count;
    double rate = d->slips[c].rate;
    *size = fabs(rate);
    for (int e = 0; e < n; e++) {
        rate += d->system->active_set.mobility[c + e * n] * f[e];
        *size += fabs(d->system->active_set.mobility[c + e * n] * f[e]);
    }
    return rate;
}

/* A site that holds: its slip's rate over its mobility, a force; of a redundant slip the force itself. */
static void hold_residual(carom_evaluation *d, int k, const double *f)
{
    const carom_model *m = d->model;
    const carom_friction_active_set *search = &d->system->active_set;
    const int n = m->slip_count;
    for (int c = m->sites[k].first_slip; c < m->sites[k].first_slip + m->sites[k].slip_count; c++) {
        double size;
        const double p = 1 / search->mobility[c + c * n], rate = slip_rate(d, c, f, &size);
        const bool redundant = d->slips[c].redundant;
        search->residual[c] = redundant ? f[c] : p * rate;
        search->scale[c] = redundant ? fmax(fabs(f[c]), 1) : p * size;
        for (int e = 0; e < n; e++)
            search->matrix[c + e * n] = redundant ? e == c : p * search->mobility[c + e * n];
    }
}

/* A site that is sliding: f - cone u. */
static void clip_residual(carom_evaluation *d, int k, double normal, double reach, const double *f, const double *slope)
{
    const carom_friction_active_set *search = &d->system->active_set;
    const int n = d->model->slip_count, first = d->model->sites[k].first_slip, count = d->model->sites[k].slip_count;
    const double cone = carom_joint_friction_cone(d, k, normal), gain = normal > 0 ? cone / normal : 0;
    for (int c = 0; c < count; c++) {
        search->residual[first + c] = f[first + c] - cone * d->sites[k].clip[c];
        search->scale[first + c] = cone + gain * reach;
        for (int e = 0; e < n; e++)
            search->matrix[first + c + e * n] = (e == first + c) - gain * slope[e] * d->sites[k].clip[c];
    }
}

/* Residual and derivative at f; returns the largest residual of all, of its scale. */
static double evaluate(carom_evaluation *d, const double *f)
{
    const carom_model *m = d->model;
    double worst = 0;
    for (int k = 0; k < m->site_count; k++) {
        double reach, *slope = d->system->active_set.slope;
        const double normal = normal_force(d, k, f, slope, &reach);
        d->sites[k].normal = normal;
        if (!sticks(d, k))
            slide_residual(d, k, normal, reach, f, slope);
        else if (d->sites[k].sliding)
            clip_residual(d, k, normal, reach, f, slope);
        else
            hold_residual(d, k, f);
        for (int c = m->sites[k].first_slip; c < m->sites[k].first_slip + m->sites[k].slip_count; c++) {
            const double r = fabs(d->system->active_set.residual[c]),
                         share = r > 0 ? r / d->system->active_set.scale[c] : 0;
            if (!(share <= worst)) {
                worst = isfinite(share) ? share : HUGE_VAL;
                d->system->friction_fault = k;
            }
        }
    }
    return worst;
}

/* ---- search ---- */

/* One step of Newton's method from the forces that have been evaluated; returns the residual at the new ones. */
static double advance(carom_evaluation *d, double before)
{
    const carom_friction_active_set *search = &d->system->active_set;
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

/* Forces for given sites that hold and are sliding. */
static bool find(carom_evaluation *d)
{
    double *f = d->system->active_set.force;
    memset(f, 0, (size_t)d->model->slip_count * sizeof *f);
    double worst = evaluate(d, f), before = HUGE_VAL;
    for (int k = 0; k < ITERATIONS && worst > ACCURACY && (worst > STALLED || worst < before); k++) {
        before = worst;
        worst = advance(d, before);
    }
    return worst <= STALLED;
}

/* How far a site that sticks is from what it should do with the forces f, of its cone; sets `clip` to the direction
   in which it is to be sliding, zero where it is to hold. */
static double fault_of(const carom_evaluation *d, int k, const double *f, double turned, double *clip)
{
    const carom_model *m = d->model;
    const carom_friction_site *site = &d->sites[k];
    const int first = m->sites[k].first_slip, count = m->sites[k].slip_count;
    double y[CAROM_FRICTION_SLIPS] = {0}, most = 0, free = 0, norm = 0, off = 0, size;
    for (int c = 0; c < count; c++) {
        most = fmax(most, d->system->active_set.mobility[(first + c) * (m->slip_count + 1)]);
        free = fmax(free, couple(d, &d->slips[first + c].jacobian, &d->slips[first + c].jacobian));
    }
    const bool held = !(most > LEAST_MOBILITY * free);
    for (int c = 0; c < count; c++) {
        y[c] = f[first + c] - (held || !site->sliding ? 0 : slip_rate(d, first + c, f, &size) / most);
        norm = hypot(norm, y[c]);
    }
    const double cone = carom_joint_friction_cone(d, k, site->normal), unit = fmax(cone, DBL_MIN);
    memset(clip, 0, CAROM_FRICTION_SLIPS * sizeof *clip);
    /* at the edge of its cone a site stays as it is */
    const bool holds = held || norm <= cone * (site->sliding ? 1 - CLIP : 1 + CLIP);
    for (int c = 0; c < count; c++) {
        clip[c] = holds ? 0 : y[c] / norm;
        off = hypot(off, clip[c] - site->clip[c]);
    }
    if (holds && site->sliding)
        return 1 + (cone - norm) / unit;
    return holds || (site->sliding && off <= turned) ? 0 : site->sliding ? off : norm / unit - 1;
}

/* 0: holds, 1: sliding forward, 2: backward. */
static int way_of(const double *clip) { return clip[0] > 0 ? 1 : clip[0] < 0 ? 2 : 0; }

/* Lets a site hold (`clip` is zero) or clips it. A slip of one direction that has been that way twice takes the way
   in which it was least: where its force acts back on itself through other sites, the rule may lead around in a
   circle. */
static void set_place(const carom_evaluation *d, int k, const double *clip)
{
    carom_friction_site *site = &d->sites[k];
    memcpy(site->clip, clip, sizeof site->clip);
    if (d->model->sites[k].slip_count == 1) {
        int way = way_of(clip), least = way;
        for (int w = 0; w < 3; w++)
            if (site->visits[w] < site->visits[least])
                least = w;
        way = site->visits[way] < 2 ? way : least;
        site->visits[way]++;
        site->clip[0] = way == 1 ? 1 : way == 2 ? -1 : 0;
    }
    site->sliding = site->clip[0] != 0 || site->clip[1] != 0 || site->clip[2] != 0;
}

/* The site that sticks and is farthest from what it should do, and what that is; -1: all do. */
static int worst_place(const carom_evaluation *d, double turned, double *next)
{
    double farthest = 0, clip[CAROM_FRICTION_SLIPS];
    int found = -1;
    for (int k = 0; k < d->model->site_count; k++) {
        const double fault = sticks(d, k) ? fault_of(d, k, d->system->active_set.force, turned, clip) : 0;
        if (!(fault > farthest))
            continue;
        farthest = fault;
        found = k;
        memcpy(next, clip, sizeof clip);
    }
    return found;
}

/* What each site that sticks would do by itself, without any friction. */
static void begin(carom_evaluation *d)
{
    const carom_model *m = d->model;
    find_redundant(d, true);
    memset(d->system->active_set.force, 0, (size_t)m->slip_count * sizeof(double));
    for (int k = 0; k < m->site_count; k++) {
        double clip[CAROM_FRICTION_SLIPS] = {0}, reach;
        memset(d->sites[k].clip, 0, sizeof d->sites[k].clip);
        memset(d->sites[k].visits, 0, sizeof d->sites[k].visits);
        d->sites[k].sliding = sticks(d, k);
        d->sites[k].normal = normal_force(d, k, d->system->active_set.force, d->system->active_set.slope, &reach);
        if (!d->sites[k].sliding)
            continue;
        fault_of(d, k, d->system->active_set.force, TURNED, clip);
        set_place(d, k, clip);
    }
}

/* The site that holds and is moved least by its own force: near a dead centre it asks for a force without measure.
   -1: none holds. */
static int stiffest_place(const carom_evaluation *d)
{
    double least = HUGE_VAL;
    int found = -1;
    for (int k = 0; k < d->model->site_count; k++) {
        const int c = d->model->sites[k].first_slip;
        const double mobility = d->system->active_set.mobility[c * (d->model->slip_count + 1)];
        if (!sticks(d, k) || d->sites[k].sliding || d->slips[c].redundant || !(mobility < least))
            continue;
        least = mobility;
        found = k;
    }
    return found;
}

/* Where a site goes that leaves no solution as it is: the other way, or against its slip. */
static double turn_back(const carom_evaluation *d, int k)
{
    const double clip = d->sites[k].clip[0], rate = d->slips[d->model->sites[k].first_slip].rate;
    return clip != 0 ? -clip : rate > 0 ? -1 : 1;
}

/* Finds how sites stick, and the forces of all. */
static bool settle(carom_evaluation *d)
{
    const carom_model *m = d->model;
    const int most = (m->slip_count > m->site_count ? SLOW_CHANGES : CHANGES) * m->site_count;
    int changed = -1;
    begin(d);
    for (int change = 0; change <= most; change++) {
        double next[CAROM_FRICTION_SLIPS] = {0};
        find_redundant(d, false);
        const bool found = find(d);
        if (found) {
            changed = worst_place(d, 2 * change < most ? TURNED : NEARLY_TURNED, next);
        } else {
            changed = changed < 0 ? stiffest_place(d) : changed;
            next[0] = changed < 0 ? 0 : turn_back(d, changed);
        }
        if (changed < 0)
            return found;
        set_place(d, changed, next);
    }
    return false;
}

/* What a site that sticks needs to hold is its force and what its slip still asks for, less what lets the last of the
   slip die away. */
static double spare_of(const carom_evaluation *d, int k)
{
    const carom_model *m = d->model;
    const carom_friction_site *site = &d->sites[k];
    const int first = m->sites[k].first_slip;
    double most = 0, needed = 0, size;
    for (int c = first; c < first + m->sites[k].slip_count; c++)
        most = fmax(most, d->system->active_set.mobility[c * (m->slip_count + 1)]);
    for (int c = first; c < first + m->sites[k].slip_count; c++) {
        const double *f = d->system->active_set.force, last = CAROM_JOINT_SETTLE * site->slip[c - first];
        const double asks = site->sliding ? slip_rate(d, c, f, &size) - last : -last;
        needed = hypot(needed, f[c] - (most > 0 ? asks / most : 0));
    }
    const double cone = carom_joint_friction_cone(d, k, site->normal);
    return needed > 0 ? 1 - needed / fmax(cone, DBL_MIN) : 1;
}

bool carom_joint_friction_solve(carom_evaluation *d)
{
    const carom_model *m = d->model;
    prepare(d);
    if (!settle(d))
        return false;
    d->system->friction_fault = -1;
    for (int k = 0; k < m->site_count; k++)
        d->sites[k].spare = sticks(d, k) ? spare_of(d, k) : 1;
    double *total = d->system->solve;
    memset(total, 0, (size_t)m->row_count * sizeof *total);
    for (int k = 0; k < m->site_count; k++)
        for (int c = 0; c < m->sites[k].slip_count; c++) {
            const carom_friction_slip *slip = &d->slips[m->sites[k].first_slip + c];
            const double force = d->system->active_set.force[m->sites[k].first_slip + c];
            d->sites[k].friction[c] = force;
            for (int r = 0; r < m->row_count; r++)
                total[r] += force * slip->multipliers[r];
            d->system->formulation->add_row(d, &slip->jacobian, force, d->acceleration);
        }
    d->system->formulation->add_rows(d, total, d->acceleration);
    for (int r = 0; r < m->row_count; r++)
        d->multipliers[r] += total[r];
    return true;
}
