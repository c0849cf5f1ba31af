/* Forces of contacts that stick, such that they do not slip. */
#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"

#include <math.h>
#include <string.h>

/* What is left of the slip dies away over the time of an impact, at most at this share of the deceleration that the
   cone allows. */
#define SETTLE_SHARE 0.05
/* Iterations over several sticking contacts. */
#define JACOBI_SWEEPS 500
#define JACOBI_SWEEP_TOLERANCE 1e-12
/* The rate of a slip is taken over a length of so many sizes of the shapes at most. */
#define FARTHEST 100
/* A contact of less mobility than this, of that which it has without joints, cannot slip. */
#define BLOCKED 1e-12
/* Turns that sticking contacts and the friction of joints take. */
#define TURNS 200
#define TURN_TOLERANCE 1e-9
/* More turns at rest, which take away what the asymmetry of columns has left. */
#define REST_TURNS 2
/* Where joints hold what contacts hold as well, both let the last of a slip die away at rates of their own. These
   contradict, and what a turn changes does not fall from one round of turns to the next: it is left, if it is less than
   this share of the cone. */
#define CONTRADICTION 1e-3
#define ROUND 10
/* Contacts that share a body give way by this share of their inverse masses: without it feet whose indentations differ
   by micrometres would brace against each other with any force to stop the last rotation. They give way the more the
   less they can bear, so that their shares are those of what they can bear, and all break away at once. */
#define REGULARISATION 1e-6
/* A force that makes less than this share of the slip at which a contact sticks, in the time of an impact, is none. */
#define LITTLE 1e-3
/* Least that a contact can bear, of the mean of those that share a body. */
#define LEAST_SHARE 1e-9

/* The part of v in the tangent plane. */
static carom_vec3 across(carom_vec3 v, carom_vec3 n) { return carom_v3_add_scaled(v, -carom_v3_dot(v, n), n); }

/* A length over which the contact's point moves on the bodies as it does there: the shapes' size, or the way to the
   point from the middle of a body that moves, as of a coin that rolls on its edge. Over the thickness of the coin alone
   rounding of the slip would be 20 times as much. */
static double reach_of(const carom_evaluation *d, int k)
{
    const carom_model_contact *c = &d->model->contacts[k];
    const carom_contact_point *p = &d->contacts[k];
    const double size = isfinite(c->feature_size) && c->feature_size > 0 ? c->feature_size : 1;
    const double arm = fmin(c->body_i > 0 ? carom_v3_norm(p->arm_i) : HUGE_VAL,
                            c->body_j > 0 ? carom_v3_norm(p->arm_j) : HUGE_VAL);
    return isfinite(arm) ? fmax(size, fmin(arm, FARTHEST * size)) : size;
}

/* The part of the slip's rate without accelerations: the contact's point moves on both bodies at constant velocities.
   By a central difference over a hundred-thousandth of that length, which leaves ten digits. */
carom_vec3 carom_friction_slip_bias(const carom_evaluation *d, const carom_state *s, int k)
{
    const carom_model_contact *c = &d->model->contacts[k];
    const carom_body_pose *pose[2] = {&d->pose[c->body_i], &d->pose[c->body_j]};
    const double size = reach_of(d, k);
    double speed = 0;
    for (int side = 0; side < 2; side++)
        speed = fmax(speed, fmax(carom_v3_norm(pose[side]->v), carom_v3_norm(pose[side]->w) * size));
    if (!(speed > 0))
        return carom_v3(0, 0, 0);
    double time = 1e-5 * size / speed;
    carom_contact_point at[2];
    for (int end = 0; end < 2; end++) {
        const carom_vec3 none = {0, 0, 0};
        carom_body_pose i = carom_pose_after(pose[0], none, none, end ? time : -time);
        carom_body_pose j = carom_pose_after(pose[1], none, none, end ? time : -time);
        carom_contact_geometry_at(d->model, s, k, &i, &j, &at[end]);
    }
    return carom_v3_scale(0.5 / time, carom_v3_sub(at[1].slip, at[0].slip));
}

/* A contact that can move in one direction only has that for its only tangent: the force across it, which holds
   nothing, is none. */
static void keep_mobile(const carom_evaluation *d, carom_sticking *own)
{
    const int roots = carom_system_root_size(d->system);
    const int size = roots ? roots : d->model->body_count * carom_twist_size(d->model);
    const double(*w)[2] = own->own, angle = 0.5 * atan2(2 * w[0][1], w[0][0] - w[1][1]), c = cos(angle), s = sin(angle);
    own->tangent[0] = carom_v3_add_scaled(carom_v3_scale(c, own->tangent[0]), s, own->tangent[1]);
    for (int k = 0; k < size; k++)
        own->delassus[0][k] = c * own->delassus[0][k] + s * own->delassus[1][k];
    own->own[0][0] = own->mass;
    own->count = 1;
}

/* Delassus columns of a contact; false where it bears nothing or cannot move along a tangent. */
static bool prepare(carom_evaluation *d, const carom_state *s, int k, carom_sticking *out)
{
    const carom_model *m = d->model;
    const carom_model_contact *c = &m->contacts[k];
    const carom_contact_point *p = &d->contacts[k];
    const carom_formulation *formulation = d->system->formulation;
    const int roots = carom_system_root_size(d->system);
    double free = 0, most = 0, (*w)[2] = out->own;
    if (!(p->force > 0))
        return false;
    out->count = m->dimension == 2 ? 1 : 2;
    carom_contact_tangents(m->dimension, out->normal, out->tangent);
    carom_force_pair pair = {c->body_i, c->body_j, carom_v3_add(p->arm_i, out->shift),
                             carom_v3_add(p->arm_j, out->shift), out->tangent[0]};
    double inverse[2], along[2] = {0, 0};
    if (roots)
        formulation->roots(d, &pair, out->tangent, out->count, out->delassus, inverse, along);
    for (int t = 0; t < out->count; t++) {
        pair.direction = out->tangent[t];
        w[t][t] = roots ? inverse[t] : formulation->delassus(d, &pair, true, out->delassus[t], &along[t]);
        free = fmax(free, along[t]);
        most = fmax(most, w[t][t]);
    }
    if (!(most > BLOCKED * free))
        return false;
    out->mass = most;
    if (out->count == 2) { /* in space */
        double product = 0;
        for (int n = 0; n < roots; n++)
            product += out->delassus[0][n] * out->delassus[1][n];
        w[0][1] = w[1][0] = roots ? product
                                  : carom_v3_dot(out->tangent[0], carom_friction_slip_rate(d, k, out->delassus[1]));
        const double off = w[0][0] - w[1][1];
        out->mass = 0.5 * (w[0][0] + w[1][1] + sqrt(off * off + 4 * w[0][1] * w[0][1]));
        if (!(w[0][0] * w[1][1] - w[0][1] * w[1][0] > BLOCKED * out->mass * out->mass))
            keep_mobile(d, out);
    }
    out->greatest = carom_friction_greatest(c->friction, c->friction_constants, fmax(p->force, 0));
    const double speed =
        c->friction->state ? 0 : CAROM_KIND_CALL(c->friction, stick_speed, c->friction_constants);
    out->little = LITTLE * speed / (out->mass * s->located[k].time_scale);
    out->mobility = out->count > 1 ? 0.5 * (w[0][0] + w[1][1]) : w[0][0];
    out->settle = fmin(1 / s->located[k].time_scale, SETTLE_SHARE * out->greatest * out->mobility / speed);
    out->wanted = carom_v3_add_scaled(across(carom_friction_slip_bias(d, s, k), out->normal), out->settle,
                                     across(p->slip, out->normal));
    return true;
}

/* Columns in the place of their roots. */
static void make_columns(carom_evaluation *d)
{
    const carom_model *m = d->model;
    double *column = d->system->column;
    for (int n = 0; carom_system_root_size(d->system) && n < d->system->holding_count; n++)
        for (int t = 0, k = d->system->holding[n]; t < d->system->sticking[k].count; t++) {
            double *own = d->system->sticking[k].delassus[t];
            d->system->formulation->root_column(d, own, column);
            memcpy(own, column, (size_t)(m->body_count * carom_twist_size(m)) * sizeof *own);
        }
}

static bool sticks(const carom_model *m, const carom_state *s, int k)
{
    const carom_friction_kind *friction = m->contacts[k].friction;
    return friction && s->located[k].open && s->located[k].stick == CAROM_STICKING;
}

/* Adds the accelerations from `first` to `end` that forces along the tangents make. */
static void add_part(const carom_sticking *own, const double *force, int first, int end, double *acceleration)
{
    const double *const a = own->delassus[0], *const b = own->delassus[1];
    const double f = force[0], g = own->count > 1 ? force[1] : 0;
    for (int i = first; own->count > 1 && i < end; i++)
        acceleration[i] = acceleration[i] + f * a[i] + g * b[i];
    for (int i = first; own->count == 1 && i < end; i++)
        acceleration[i] += f * a[i];
}

static void add_columns(const carom_evaluation *d, const carom_sticking *own, const double *force, double *acceleration)
{
    add_part(own, force, 0, d->model->body_count * carom_twist_size(d->model), acceleration);
}

/* Of each contact that sticks the bodies that no earlier one touches; 0: none. */
static void find_touched(carom_evaluation *d)
{
    const carom_system *sys = d->system;
    for (int n = 0; n < sys->holding_count; n++)
        for (int side = 0; side < 2; side++) {
            carom_sticking *own = &sys->sticking[sys->holding[n]];
            const int body = carom_contact_body(d->model, sys->holding[n], side);
            own->touched[side] = side && body == own->touched[0] ? 0 : body;
            for (int i = 0; i < n && own->touched[side]; i++) {
                const carom_sticking *other = &sys->sticking[sys->holding[i]];
                if (other->touched[0] == body || other->touched[1] == body)
                    own->touched[side] = 0;
            }
        }
}

/* Accelerations that the steps of all contacts make, of the bodies that they touch. */
static void add_steps(carom_evaluation *d)
{
    const carom_system *sys = d->system;
    const int size = carom_twist_size(d->model);
    for (int n = 0; n < sys->holding_count; n++)
        for (int side = 0; side < 2; side++) {
            const carom_sticking *own = &sys->sticking[sys->holding[n]];
            const int first = (own->touched[side] - 1) * size;
            if (!own->touched[side])
                continue;
            memset(sys->sticking_column + first, 0, (size_t)size * sizeof(double));
            for (int i = 0; i < sys->holding_count; i++) {
                const carom_sticking *other = &sys->sticking[sys->holding[i]];
                add_part(other, other->step, first, first + size, sys->sticking_column);
            }
        }
}

static void along(const carom_sticking *own, carom_vec3 v, double *out)
{
    out[0] = carom_v3_dot(v, own->tangent[0]);
    out[1] = own->count > 1 ? carom_v3_dot(v, own->tangent[1]) : 0;
}

/* How contacts give way: the mean, over those that share a body, of inverse mass times what they can bear, over its
   own. */
static void set_yields(carom_evaluation *d)
{
    const carom_model *m = d->model;
    for (int h = 0; h < d->system->holding_count; h++) {
        const int k = d->system->holding[h];
        carom_sticking *own = &d->system->sticking[k];
        double most = 0, greatest = 0;
        own->sharing = 0;
        for (int place = 0; place < d->system->holding_count; place++) {
            const int j = d->system->holding[place];
            const carom_sticking *other = &d->system->sticking[j];
            /* joints couple contacts of all bodies */
            if (j != k && !m->row_count && !carom_contacts_share(&m->contacts[k], &m->contacts[j]))
                continue;
            most += other->mass * other->greatest;
            greatest += other->greatest;
            own->sharing++;
        }
        const double least = LEAST_SHARE * greatest / fmax(own->sharing, 1);
        own->yield = greatest > 0 ? most / own->sharing / fmax(own->greatest, least) : own->mass;
    }
}

/* What each contact lacks of the forces from which it gives way, none. */
static void begin_gradients(carom_evaluation *d, double regularisation)
{
    for (int h = 0; h < d->system->holding_count; h++) {
        const int k = d->system->holding[h];
        carom_sticking *own = &d->system->sticking[k];
        double held[2];
        own->reference[0] = own->reference[1] = 0;
        const carom_vec3 made = carom_friction_slip_rate(d, k, d->acceleration);
        along(own, carom_v3_neg(carom_v3_add(own->wanted, made)), own->residual);
        along(own, d->contacts[k].friction, held);
        for (int t = 0; t < own->count; t++)
            own->residual[t] -= regularisation * own->yield * held[t];
    }
}

/* The same where they give way from the forces as they are now. */
static void refer_to_now(carom_evaluation *d, double regularisation)
{
    for (int h = 0; h < d->system->holding_count; h++) {
        const int k = d->system->holding[h];
        carom_sticking *own = &d->system->sticking[k];
        double held[2];
        along(own, d->contacts[k].friction, held);
        for (int t = 0; t < own->count; t++) {
            own->residual[t] += regularisation * own->yield * (held[t] - own->reference[t]);
            own->reference[t] = held[t];
        }
    }
}

/* Conjugate gradients with the inverses of the yields as preconditioner, until the squares of the residuals have
   fallen from `first` (0: from those at the begin) to rounding; returns `first`. */
static double hold_by_gradients(carom_evaluation *d, double regularisation, double first)
{
    double before = 0;
    find_touched(d);
    for (int iteration = 0; iteration < JACOBI_SWEEPS; iteration++) {
        double now = 0, curvature = 0;
        for (int h = 0; h < d->system->holding_count; h++) {
            const int k = d->system->holding[h];
            const carom_sticking *own = &d->system->sticking[k];
            for (int i = 0; i < own->count; i++)
                now += own->residual[i] * own->residual[i] / own->yield;
        }
        first = iteration || first > 0 ? first : now;
        if (!(now > JACOBI_SWEEP_TOLERANCE * JACOBI_SWEEP_TOLERANCE * first))
            break;
        for (int h = 0; h < d->system->holding_count; h++) {
            const int k = d->system->holding[h];
            carom_sticking *own = &d->system->sticking[k];
            for (int i = 0; i < own->count; i++)
                own->step[i] = own->residual[i] / own->yield + (before > 0 ? now / before * own->step[i] : 0);
        }
        add_steps(d);
        for (int h = 0; h < d->system->holding_count; h++) {
            const int k = d->system->holding[h];
            carom_sticking *own = &d->system->sticking[k];
            along(own, carom_friction_slip_rate(d, k, d->system->sticking_column), own->product);
            for (int i = 0; i < own->count; i++)
                own->product[i] += regularisation * own->yield * own->step[i];
            curvature += own->step[0] * own->product[0] + (own->count > 1 ? own->step[1] * own->product[1] : 0);
        }
        if (!(curvature > 0))
            break;
        for (int h = 0; h < d->system->holding_count; h++) {
            const int k = d->system->holding[h];
            carom_sticking *own = &d->system->sticking[k];
            for (int t = 0; t < own->count; t++) {
                d->contacts[k].friction =
                    carom_v3_add_scaled(d->contacts[k].friction, now / curvature * own->step[t], own->tangent[t]);
                own->residual[t] -= now / curvature * own->product[t];
            }
        }
        before = now;
    }
    return first;
}

static bool inside_cones(const carom_evaluation *d)
{
    for (int h = 0; h < d->system->holding_count; h++) {
        const int k = d->system->holding[h];
        if (carom_v3_norm(d->contacts[k].friction) > d->system->sticking[k].greatest)
            return false;
    }
    return true;
}

/* Forces that hold all sticking contacts: contacts that share a body bear shares of what they can bear. Returns whether
   all lie within their cones. */
static bool hold_freely(carom_evaluation *d, double regularisation, int passes)
{
    begin_gradients(d, regularisation);
    double first = hold_by_gradients(d, regularisation, 0);
    for (int pass = 1; pass < passes && regularisation > 0 && inside_cones(d); pass++) {
        refer_to_now(d, regularisation);
        hold_by_gradients(d, regularisation, first);
    }
    return inside_cones(d);
}

/* What the slip that is not stopped asks of a contact: its share of the force that would stop it, and the regularising
   part. */
static void missing(const carom_evaluation *d, int k, double regularisation, double *out)
{
    const carom_sticking *own = &d->system->sticking[k];
    double rate[2], held[2];
    along(own, carom_v3_add(own->wanted, carom_friction_slip_rate(d, k, d->acceleration)), rate);
    along(own, d->contacts[k].friction, held);
    for (int t = 0; t < 2; t++)
        out[t] = -(rate[t] + regularisation * own->yield * (held[t] - own->reference[t])) / (own->yield * own->sharing);
}

/* One iteration where cones bound the forces: every contact's own correction, a share of it, from the same
   accelerations, so that contacts bear shares of what they can bear. A force at the edge of its cone is against the
   slip that is left. Returns the largest change against the cone. */
static double jacobi_sweep(carom_evaluation *d, double regularisation)
{
    double largest = 0;
    for (int h = 0; h < d->system->holding_count; h++) {
        const int k = d->system->holding[h];
        carom_sticking *own = &d->system->sticking[k];
        double more[2];
        carom_vec3 force = d->contacts[k].friction;
        missing(d, k, regularisation, more);
        for (int t = 0; t < own->count; t++)
            force = carom_v3_add_scaled(force, more[t], own->tangent[t]);
        double norm = carom_v3_norm(force);
        if (norm > own->greatest)
            force = carom_v3_scale(own->greatest / norm, force);
        own->change = carom_v3_sub(force, d->contacts[k].friction);
        largest = fmax(largest, carom_v3_norm(own->change) / fmax(own->greatest, 1e-300));
    }
    for (int h = 0; h < d->system->holding_count; h++) {
        const int k = d->system->holding[h];
        carom_sticking *own = &d->system->sticking[k];
        double force[2];
        d->contacts[k].friction = carom_v3_add(d->contacts[k].friction, own->change);
        along(own, own->change, force);
        add_columns(d, own, force, d->acceleration);
    }
    return largest;
}

/* The couple that moves a force of a contact into the plane of its face. */
static void add_couple(carom_evaluation *d, int k, carom_vec3 couple)
{
    const carom_model_contact *c = &d->model->contacts[k];
    d->wrench[c->body_j].torque = carom_v3_add(d->wrench[c->body_j].torque, couple);
    d->wrench[c->body_i].torque = carom_v3_sub(d->wrench[c->body_i].torque, couple);
}

/* Velocity of j against i where the friction acts. */
static carom_vec3 velocity_there(const carom_evaluation *d, int k)
{
    const carom_model_contact *c = &d->model->contacts[k];
    const carom_contact_point *p = &d->contacts[k];
    const carom_vec3 spin = carom_v3_sub(d->pose[c->body_j].w, d->pose[c->body_i].w);
    return carom_v3_add(carom_v3_add_scaled(p->slip, p->gap_rate, p->normal),
                        carom_v3_cross(spin, d->system->sticking[k].shift));
}

/* Applies what has been found beyond what the accelerations know, and its root where columns have one; returns the
   largest change against the cone. */
static double apply(carom_evaluation *d, double *root)
{
    const int roots = root ? carom_system_root_size(d->system) : 0;
    double largest = 0, force[2];
    for (int n = 0; n < roots; n++)
        root[n] = 0;
    for (int h = 0; h < d->system->holding_count; h++) {
        const int k = d->system->holding[h];
        carom_sticking *own = &d->system->sticking[k];
        const carom_vec3 change = carom_v3_sub(d->contacts[k].friction, own->applied);
        carom_contact_add_force(d, k, change);
        add_couple(d, k, carom_v3_cross(own->shift, change));
        own->applied = d->contacts[k].friction;
        along(own, change, force);
        for (int t = 0; t < own->count; t++)
            for (int n = 0; n < roots; n++)
                root[n] += force[t] * own->delassus[t][n];
        largest = fmax(largest, carom_v3_norm(change) / fmax(own->greatest, 1e-300));
    }
    return largest;
}

/* What is left of the greatest force beside the one that is needed, which is more than the force where that does not
   stop the slip; what lets the last of the slip die away is not needed. */
static double spare_of(const carom_evaluation *d, int k, double regularisation)
{
    const carom_sticking *own = &d->system->sticking[k];
    double more[2], needed[2], settling[2];
    missing(d, k, regularisation, more);
    along(own, d->contacts[k].friction, needed);
    along(own, d->contacts[k].slip, settling);
    for (int t = 0; t < own->count; t++)
        needed[t] += more[t] + own->settle * settling[t] / (own->yield * own->sharing);
    const double more_than_little = fmax(sqrt(needed[0] * needed[0] + needed[1] * needed[1]) - own->little, 0);
    return own->greatest > 0 ? 1 - more_than_little / own->greatest : 1;
}

/* Along what the force lies, and the slip that is left against it. */
static void note_edge(carom_evaluation *d, int k)
{
    carom_sticking *own = &d->system->sticking[k];
    double rate[2], force[2];
    along(own, carom_v3_add(own->wanted, carom_friction_slip_rate(d, k, d->acceleration)), rate);
    along(own, d->contacts[k].friction, force);
    const double size = sqrt(force[0] * force[0] + force[1] * force[1]);
    for (int t = 0; t < 2; t++)
        own->toward[t] = size > 0 ? force[t] / size : t == 0;
    own->pull = sqrt(rate[0] * rate[0] + rate[1] * rate[1]);
}

/* Friction of joints that stick may hold what contacts hold too: what contradicts is left to what gives way. At rest no
   slip is left to die away, and nothing contradicts. */
static int count_passes(const carom_evaluation *d)
{
    for (int k = 0; k < d->model->site_count && !d->system->at_rest; k++)
        if (d->sites[k].stick)
            return 1;
    return CAROM_REFINEMENTS;
}

static void need_columns(carom_evaluation *d, bool *made)
{
    if (!*made)
        make_columns(d);
    *made = true;
}

/* Forces of all contacts that stick, at the present accelerations; `columns`: roots have become columns, which sweeps
   need. */
static void find_forces(carom_evaluation *d, bool exactly, double regularisation, int passes, bool *columns)
{
    const carom_model *m = d->model;
    /* columns that keep the rows of joints are symmetric to 1e-7 only, by which feet would brace each other: gradients
       take sums of such columns as they are; at rest they do not brace, and another turn takes the rest away */
    const bool at_once = exactly && (carom_system_root_size(d->system) || !m->row_count || d->system->at_rest);
    if (!at_once)
        need_columns(d, columns);
    if (at_once ? carom_friction_hold_all(d, passes) : hold_freely(d, regularisation, passes))
        return;
    if (exactly && carom_friction_within_cones(d, passes))
        return;
    need_columns(d, columns);
    for (int h = 0; h < d->system->holding_count; h++) {
        carom_sticking *own = &d->system->sticking[d->system->holding[h]];
        d->contacts[d->system->holding[h]].friction = own->applied;
        own->reference[0] = own->reference[1] = 0;
    }
    for (int k = 0; k < JACOBI_SWEEPS && jacobi_sweep(d, regularisation) > JACOBI_SWEEP_TOLERANCE; k++)
        ;
}

/* The touching places of two shapes, of the list `from` to before `to`: those that hold behind the first `count` of the
   system's list; how many it has then. */
static int prepare_face(carom_evaluation *d, const carom_state *s, int from, int to, int count)
{
    carom_system *sys = d->system;
    const int first = sys->touching[from] - d->model->contacts[sys->touching[from]].point;
    const int end = first + carom_contact_points(d->model, first);
    carom_face_place(d, first, end);
    for (int n = from; n < to; n++) {
        const int k = sys->touching[n];
        if (!sys->sticking[k].count)
            continue;
        if (prepare(d, s, k, &sys->sticking[k]))
            sys->holding[count++] = k;
        else
            sys->sticking[k].count = 0;
    }
    carom_face_fit(d, first, end);
    return count;
}

bool carom_friction_hold(carom_evaluation *d, const carom_state *s)
{
    const carom_model *m = d->model;
    carom_system *sys = d->system;
    int count = 0;
    bool columns = false;
    if (!sys->sticking)
        return true;
    for (int n = 0; n < sys->holding_count; n++)
        sys->sticking[sys->holding[n]].count = 0;
    for (int n = 0; n < sys->touching_count; n++) {
        const int k = sys->touching[n];
        sys->sticking[k].count = sticks(m, s, k) && d->contacts[k].force > 0;
        sys->sticking[k].applied = carom_v3(0, 0, 0);
        d->contacts[k].spare = 1;
    }
    for (int n = 0; n < sys->touching_count;) {
        const int from = n, first = sys->touching[n] - m->contacts[sys->touching[n]].point;
        const int end = first + carom_contact_points(m, first);
        bool any = false;
        for (; n < sys->touching_count && sys->touching[n] < end; n++)
            any = any || sys->sticking[sys->touching[n]].count;
        if (any)
            count = prepare_face(d, s, from, n, count);
    }
    sys->holding_count = count;
    if (!count)
        return true;
    set_yields(d);
    double regularisation = count > 1 ? REGULARISATION : 0, change = HUGE_VAL;
    double round = HUGE_VAL;
    const int passes = regularisation > 0 ? count_passes(d) : 1;
    for (int h = 0; h < count; h++)
        sys->sticking[sys->holding[h]].softness = regularisation * sys->sticking[sys->holding[h]].yield;
    const bool exactly = carom_friction_couple(d);
    const int again = d->system->at_rest && m->row_count ? REST_TURNS : 0;
    /* friction of joints answers what holds the contacts, which takes turns with it */
    for (int turn = 0; change > TURN_TOLERANCE; turn++) {
        if (turn == TURNS)
            return false;
        find_forces(d, exactly, regularisation, passes, &columns);
        double *root = carom_system_root_size(d->system) && !columns ? d->system->sticking_column : NULL;
        change = apply(d, root);
        if (!carom_system_accelerate_again(d, root))
            return false;
        if ((!m->site_count && turn >= again) ||
            (m->site_count && turn % ROUND == 0 && change < CONTRADICTION && change > 0.9 * round))
            break;
        round = turn % ROUND == 0 ? change : round;
    }
    for (int h = 0; h < count; h++) {
        const int k = sys->holding[h];
        d->contacts[k].friction_power -= carom_v3_dot(d->contacts[k].friction, velocity_there(d, k));
        d->contacts[k].spare = spare_of(d, k, regularisation);
        note_edge(d, k);
    }
    return true;
}
