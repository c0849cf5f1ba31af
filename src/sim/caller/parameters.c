/* Numbers of the model that a simulation changes for itself: the lists that hold them are copied first, the compiled
   model stays as it is. */
#include "sim/sim.h"
#include "kinds/load/load.h"
#include "kinds/parameters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A change that has been made, for clones and checkpoints. */
struct carom_change {
    const char *name;
    double value;
    struct carom_change *next;
};

/* A number that may be changed: where it is, what it may be, and what follows from it. */
typedef struct number {
    double *at;
    const carom_param_row *row; /* NULL: no more than `above` is asked */
    bool above;                 /* above 0 */
    int load, body, contact;    /* whose it is, -1 */
    bool damping;               /* of the contact: of the damping part */
} number;

/* ---- copies of the lists ---- */

static void *copy_of(carom_simulation *sim, const void *list, size_t count, size_t size)
{
    void *copy = carom_arena_alloc(&sim->arena, count, size);
    if (copy && count)
        memcpy(copy, list, count * size);
    return copy;
}

static carom_status own_bodies(carom_simulation *sim)
{
    carom_model *own = &sim->own;
    if (own->bodies == sim->base->bodies) {
        carom_model_body *bodies = copy_of(sim, own->bodies, (size_t)own->body_count + 1, sizeof *bodies);
        if (!bodies)
            return carom_fail_memory(sim->ctx);
        own->bodies = bodies;
    }
    return CAROM_OK;
}

static carom_status own_load(carom_simulation *sim, int load)
{
    carom_model *own = &sim->own;
    if (own->loads == sim->base->loads) {
        carom_compiled_load *loads = copy_of(sim, own->loads, (size_t)own->load_count, sizeof *loads);
        if (!loads)
            return carom_fail_memory(sim->ctx);
        own->loads = loads;
    }
    carom_compiled_load *l = &own->loads[load];
    if (l->p == sim->base->loads[load].p) {
        double *p = copy_of(sim, l->p, (size_t)l->param_size, sizeof *p);
        if (!p)
            return carom_fail_memory(sim->ctx);
        l->p = p;
    }
    return CAROM_OK;
}

static carom_status own_contact(carom_simulation *sim, int contact)
{
    carom_model *own = &sim->own;
    if (own->contacts == sim->base->contacts) {
        carom_model_contact *contacts = copy_of(sim, own->contacts, (size_t)own->contact_count, sizeof *contacts);
        if (!contacts)
            return carom_fail_memory(sim->ctx);
        own->contacts = contacts;
    }
    carom_normal_law *law = &own->contacts[contact].law;
    const carom_normal_law *base = &sim->base->contacts[contact].law;
    if (law->elastic_params == base->elastic_params) {
        const size_t elastic_size = (size_t)carom_kind_param_size(&law->elastic->kind);
        const size_t damping_size = (size_t)carom_kind_param_size(&law->damping->kind);
        double *elastic = copy_of(sim, law->elastic_params, elastic_size, sizeof *elastic);
        double *damping = copy_of(sim, law->damping_params, damping_size, sizeof *damping);
        if (!elastic || !damping)
            return carom_fail_memory(sim->ctx);
        law->elastic_params = elastic;
        law->damping_params = damping;
    }
    return CAROM_OK;
}

/* ---- names ---- */

static carom_status fixed(carom_simulation *sim, const char *name, const char *why)
{
    return carom_fail(
        sim->ctx, CAROM_ERROR_USAGE, NULL,
        "'%.200s' cannot be changed in a simulation: %s; change it in the document or the spec, and compile again",
        name, why);
}

static carom_status unknown(carom_simulation *sim, const char *name, const char *what, const char *word,
                            const char *const *names, size_t count)
{
    const char *nearest = carom_nearest_name(word, names, count);
    return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "'%.200s': no %s '%.100s'%s%s%s", name, what, word,
                      nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

/* "x", "y", "z" as 0, 1, 2; -1: none of them in the model's dimension. */
static int axis_of(const carom_model *m, const char *text)
{
    return text[0] >= 'x' && text[0] < 'x' + m->dimension && !text[1] ? text[0] - 'x' : -1;
}

static carom_status find_gravity(carom_simulation *sim, const char *name, const char *rest, number *out)
{
    const int axis = axis_of(sim->model, rest);
    double *const at[] = {&sim->own.gravity.x, &sim->own.gravity.y, &sim->own.gravity.z};
    if (axis < 0)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "'%.200s': gravity has the components .x%s", name,
                          sim->model->dimension == 2 ? " and .y" : ", .y and .z");
    out->at = at[axis];
    return CAROM_OK;
}

static carom_status find_body(carom_simulation *sim, const char *name, int body, const char *rest, number *out)
{
    static const char *const names[] = {"mass", "inertia"};
    const bool mass = strcmp(rest, "mass") == 0;
    if (!mass && strcmp(rest, "inertia") != 0)
        return unknown(sim, name, "number of a body", rest, names, CAROM_COUNT(names));
    if (!mass && sim->model->dimension == 3)
        return fixed(sim, name, "in space it is a matrix");
    CAROM_TRY(own_bodies(sim));
    out->body = body;
    out->above = true;
    out->at = mass ? &sim->own.bodies[body].mass : &sim->own.bodies[body].inertia.m[2][2];
    return CAROM_OK;
}

/* The row of a kind's table that a text begins with, "stiffness" or "force.x"; NULL: none. */
static const carom_param_row *find_row(const carom_kind *kind, const char *text, const char **component)
{
    const size_t n = strcspn(text, ".");
    for (int r = 0; r < kind->param_count; r++)
        if (strncmp(kind->params[r].name, text, n) == 0 && kind->params[r].name[n] == '\0') {
            *component = text[n] ? text + n + 1 : text + n;
            return &kind->params[r];
        }
    return NULL;
}

static carom_status unknown_row(carom_simulation *sim, const char *name, const char *rest, const carom_kind *a,
                                const carom_kind *b)
{
    const char *names[64];
    size_t count = 0;
    for (int r = 0; r < a->param_count && count < CAROM_COUNT(names); r++)
        names[count++] = a->params[r].name;
    for (int r = 0; b && r < b->param_count && count < CAROM_COUNT(names); r++)
        names[count++] = b->params[r].name;
    return unknown(sim, name, "parameter", rest, names, count);
}

/* The number of a row: itself, or a component of a vector. */
static carom_status find_component(carom_simulation *sim, const char *name, const carom_param_row *row,
                                   const char *component, int *offset)
{
    const bool plane = sim->model->dimension == 2, axial = row->flags & CAROM_PARAM_AXIAL;
    if (row->flags & CAROM_PARAM_TEXT)
        return fixed(sim, name, "it is a word");
    if (row->size == 1 || (row->size == 3 && plane && axial)) {
        *offset += row->size == 1 ? 0 : 2;
        return *component ? carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "'%.200s': a number has no components", name)
                          : CAROM_OK;
    }
    const int axis = row->size == 3 ? axis_of(sim->model, component) : -1;
    if (axis < 0)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "'%.200s': name one component: .x%s", name,
                          plane ? " or .y" : ", .y or .z");
    *offset += axis;
    return CAROM_OK;
}

static carom_status find_load(carom_simulation *sim, const char *name, int load, const char *rest, number *out)
{
    const carom_kind *kind = &sim->model->loads[load].kind->kind;
    const char *component;
    const carom_param_row *row = find_row(kind, rest, &component);
    if (!row)
        return unknown_row(sim, name, rest, kind, NULL);
    int offset = carom_kind_param_offset(kind, row->name);
    CAROM_TRY(find_component(sim, name, row, component, &offset));
    if (isnan(sim->model->loads[load].p[offset]))
        return fixed(sim, name, "the model does not give it");
    for (int k = 0; k < sim->model->loads[load].slot_count; k++)
        if (sim->model->loads[load].slots[k].offset == offset)
            return fixed(sim, name, "it is an expression of time or of the state; let the expression read an input");
    CAROM_TRY(own_load(sim, load));
    out->load = load;
    out->row = row;
    out->at = &sim->own.loads[load].p[offset];
    return CAROM_OK;
}

static carom_status find_contact(carom_simulation *sim, const char *name, int contact, const char *rest, number *out)
{
    const carom_normal_law *law = &sim->model->contacts[contact].law;
    const carom_kind *kinds[2] = {&law->damping->kind, &law->elastic->kind};
    const char *component;
    for (int side = 0; side < 2; side++) {
        const carom_param_row *row = find_row(kinds[side], rest, &component);
        if (!row)
            continue;
        int offset = carom_kind_param_offset(kinds[side], row->name);
        CAROM_TRY(find_component(sim, name, row, component, &offset));
        if (isnan((side ? law->elastic_params : law->damping_params)[offset]))
            return fixed(sim, name, "the model does not give it");
        CAROM_TRY(own_contact(sim, contact));
        out->contact = contact;
        out->damping = side == 0;
        out->row = row;
        out->at =
            (side ? sim->own.contacts[contact].law.elastic_params : sim->own.contacts[contact].law.damping_params) +
            offset;
        return CAROM_OK;
    }
    return unknown_row(sim, name, rest, kinds[0], kinds[1]);
}

static bool begins_with(const char *text, const char *object, const char **rest)
{
    const size_t n = strlen(object);
    *rest = text + n + 1;
    return strncmp(text, object, n) == 0 && text[n] == '.';
}

static carom_status find(carom_simulation *sim, const char *name, number *out)
{
    static const char *const families[] = {"gravity", "body", "load", "contact"};
    const carom_model *m = sim->model;
    const char *rest;
    *out = (number){.load = -1, .body = -1, .contact = -1};
    if (!name)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "the name of the parameter is NULL");
    if (strncmp(name, "gravity.", 8) == 0)
        return find_gravity(sim, name, name + 8, out);
    for (int k = 1; k <= m->body_count && strncmp(name, "body.", 5) == 0; k++)
        if (begins_with(name + 5, m->bodies[k].name, &rest))
            return find_body(sim, name, k, rest, out);
    for (int k = 0; k < m->load_count && strncmp(name, "load.", 5) == 0; k++)
        if (begins_with(name + 5, m->loads[k].name, &rest))
            return find_load(sim, name, k, rest, out);
    for (int k = 0; k < m->contact_count && strncmp(name, "contact.", 8) == 0; k++)
        if (begins_with(name + 8, m->contacts[k].name, &rest))
            return find_contact(sim, name, k, rest, out);
    for (int k = 0; k < m->contact_set_count && strncmp(name, "contact.", 8) == 0; k++)
        if (begins_with(name + 8, m->contact_sets[k].name, &rest))
            return fixed(sim, name, "it is of a contact set");
    if (strncmp(name, "joint.", 6) == 0 || strncmp(name, "shape.", 6) == 0)
        return fixed(sim, name, "joints and shapes are structure");
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(name, ".") < 60 ? (int)strcspn(name, ".") : 60, name);
    for (size_t k = 0; k < CAROM_COUNT(families); k++)
        if (strcmp(word, families[k]) == 0)
            return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "'%.200s': the model has no such %s", name, word);
    return unknown(sim, name, "parameter of a simulation", word, families, CAROM_COUNT(families));
}

/* ---- what follows ---- */

static carom_status check_value(carom_simulation *sim, const char *name, const number *n, double x)
{
    const carom_param_row *row = n->row;
    bool fits = isfinite(x) && (!n->above || x > 0);
    if (row)
        fits = fits && (row->flags & CAROM_PARAM_ABOVE ? x > row->low : x >= row->low) &&
               (row->flags & CAROM_PARAM_BELOW ? x < row->high : x <= row->high);
    char range[96];
    return fits ? CAROM_OK
                : carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "'%.200s' is %.6g: it must be %s", name, x,
                             n->above ? "above 0"
                             : row    ? carom_param_range_text(row, range)
                                      : "finite");
}

/* Thresholds of a load's switches, of which there must be as many as before. */
static const char *renew_edges(carom_simulation *sim, carom_compiled_load *l)
{
    const carom_load_kind *kind = l->kind;
    carom_edges edges[CAROM_LOAD_SWITCHES];
    for (int k = 0; k < kind->switches; k++) {
        const size_t n = kind->edges(l->p, sim->model->curves, sim->model->dimension, k, NULL);
        if (n != (l->edges ? l->edges[k].n : 0))
            return "the load would switch where it does not, or no more";
        double *x = carom_arena_alloc(&sim->arena, n, sizeof *x);
        if (!x)
            return "out of memory";
        kind->edges(l->p, sim->model->curves, sim->model->dimension, k, x);
        edges[k] = (carom_edges){.n = n, .x = x};
    }
    if (!l->edges)
        return NULL;
    l->edges = copy_of(sim, edges, (size_t)kind->switches, sizeof *edges);
    return l->edges ? NULL : "out of memory";
}

static const char *prepare_contact(carom_normal_law *law, bool damping, const number *n)
{
    const char *refusal = NULL;
    if (damping && law->damping->prepare)
        refusal = CAROM_KIND_CALL(law->damping, prepare, law->damping_params, law->damping_constants);
    if (!damping)
        refusal = CAROM_KIND_CALL(law->elastic, prepare, law->elastic_params, &law->geometry, law->elastic_constants);
    if (refusal)
        return refusal;
    if (law->elastic->power_law) {
        law->stiffness = law->elastic_constants[0];
        law->exponent = law->elastic_constants[1];
    }
    if (strcmp(n->row->name, "restitution") == 0 && isfinite(law->restitution))
        law->restitution = *n->at;
    law->limit = law->elastic->limit ? CAROM_KIND_CALL(law->elastic, limit, law->elastic_constants) : HUGE_VAL;
    return law->damping->fits ? CAROM_KIND_CALL(law->damping, fits, law->elastic->power_law, law->exponent) : NULL;
}

/* Of limits and motors, whose parameters must fit each other. */
static const char *check_drive(const carom_simulation *sim, const carom_compiled_load *l)
{
    const carom_frame_pose none = {0};
    const int dimension = sim->model->dimension;
    if (l->kind->keeps && l->kind->keeps(l->p) != (l->state_count > 0))
        return "the state of the load would appear or vanish";
    return l->kind->notices ? CAROM_KIND_CALL(l->kind, start, l->p, &none, &none, dimension) : NULL;
}

/* What is made from the number; NULL or the sentence of a refusal. */
static const char *follow(carom_simulation *sim, const number *n)
{
    if (n->body >= 0) {
        carom_model_body *b = &sim->own.bodies[n->body];
        b->inverse_mass = 1 / b->mass;
        if (sim->model->dimension == 2)
            b->inverse_inertia.m[2][2] = 1 / b->inertia.m[2][2];
        carom_system_change_inertia(sim->system, n->body);
    }
    const char *refusal = n->load >= 0 ? check_drive(sim, &sim->own.loads[n->load]) : NULL;
    if (refusal)
        return refusal;
    if (n->load >= 0 && sim->own.loads[n->load].kind->switches)
        return renew_edges(sim, &sim->own.loads[n->load]);
    return n->contact >= 0 ? prepare_contact(&sim->own.contacts[n->contact].law, n->damping, n) : NULL;
}

/* ---- calls ---- */

carom_status carom_simulation_get_parameter(carom_simulation *sim, const char *name, double *out)
{
    number n;
    CAROM_NEED(NULL, sim);
    if (!out)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "the place for the value is NULL");
    CAROM_TRY(find(sim, name, &n));
    *out = *n.at;
    return CAROM_OK;
}

carom_status carom_parameters_settle(carom_simulation *sim, const carom_energy *before)
{
    if (carom_rhs_update(sim) != 0)
        return carom_rhs_unsolved(sim);
    const carom_energy after = carom_system_energy(sim->d, &sim->s);
    *sim->s.energy_start += after.kinetic - before->kinetic + (after.potential - before->potential) +
                            (after.elastic - before->elastic);
    *sim->s.potential_start += after.potential - before->potential;
    *sim->s.loads_start += after.loads - before->loads;
    return CAROM_OK;
}

static carom_status keep_change(carom_simulation *sim, const char *name, double value)
{
    for (carom_change *c = sim->changes; c; c = c->next)
        if (strcmp(c->name, name) == 0) {
            c->value = value;
            return CAROM_OK;
        }
    carom_change *c = carom_arena_alloc(&sim->arena, 1, sizeof *c);
    const char *text = carom_arena_text(&sim->arena, name);
    if (!c || !text)
        return carom_fail_memory(sim->ctx);
    *c = (carom_change){text, value, sim->changes};
    sim->changes = c;
    return CAROM_OK;
}

/* What the caller gives of a stop is no default any more. */
static void take_stop(carom_simulation *sim, const number *n)
{
    carom_compiled_load *l = n->load >= 0 ? &sim->own.loads[n->load] : NULL;
    if (!l || !l->kind->stops || !n->row)
        return;
    if (strcmp(n->row->name, "stiffness") == 0)
        l->sized.depth = 0;
    else if (strcmp(n->row->name, "damping") == 0)
        l->sized.damping = false;
}

static carom_status change(carom_simulation *sim, const char *name, double value)
{
    number n;
    CAROM_TRY(find(sim, name, &n));
    if (n.contact >= 0 && sim->s.located[n.contact].open)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL,
                          "'%.200s': the contact is open, its law is that of its onset; change it before or after",
                          name);
    CAROM_TRY(check_value(sim, name, &n, value));
    const double former = *n.at;
    *n.at = value;
    const char *refusal = follow(sim, &n);
    carom_status status =
        refusal ? carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "'%.200s' is %.6g: %s", name, value, refusal)
                : keep_change(sim, name, value);
    if (status != CAROM_OK) {
        *n.at = former;
        follow(sim, &n);
        return status;
    }
    take_stop(sim, &n);
    return CAROM_OK;
}

carom_status carom_simulation_set_parameter(carom_simulation *sim, const char *name, double value)
{
    CAROM_NEED(NULL, sim);
    CAROM_TRY(carom_simulation_check_may_act(sim, "carom_simulation_set_parameter()"));
    double former;
    const carom_energy before = carom_system_energy(sim->d, &sim->s);
    CAROM_TRY(carom_simulation_get_parameter(sim, name, &former));
    CAROM_TRY(change(sim, name, value));
    sim->restart = true;
    carom_status status = carom_parameters_settle(sim, &before);
    if (status != CAROM_OK) {
        change(sim, name, former);
        carom_rhs_update(sim);
    }
    return status;
}

carom_status carom_parameters_copy(carom_simulation *to, const carom_simulation *from)
{
    for (const carom_change *c = from->changes; c; c = c->next)
        CAROM_TRY(change(to, c->name, c->value));
    return CAROM_OK;
}

uint64_t carom_parameters_hash(const carom_simulation *sim, uint64_t seed)
{
    /* whatever the order in which they were made */
    uint64_t sum = 0;
    for (const carom_change *c = sim->changes; c; c = c->next)
        sum += carom_hash(&c->value, sizeof c->value, carom_hash(c->name, strlen(c->name), 0));
    return sim->changes ? carom_hash(&sum, sizeof sum, seed) : seed;
}

static uint64_t hash_numbers(const carom_kind *kind, const double *p, uint64_t seed)
{
    return carom_hash(p, (size_t)carom_kind_param_size(kind) * sizeof *p, seed);
}

uint64_t carom_parameters_law(const carom_simulation *sim, int contact)
{
    const carom_normal_law *law = &sim->model->contacts[contact].law;
    return hash_numbers(&law->damping->kind, law->damping_params,
                        hash_numbers(&law->elastic->kind, law->elastic_params, 0));
}
