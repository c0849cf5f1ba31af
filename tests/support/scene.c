#include "support/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const body_names[] = {"b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9", "b10", "b11"};
static const char *const shape_names[] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11"};
static const char *const contact_names[] = {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", "c11"};
static const char *const load_names[] = {"l0", "l1", "l2", "l3", "l4", "l5", "l6", "l7", "l8", "l9", "l10", "l11"};

static size_t next(size_t *count)
{
    if (*count >= SCENE_SIZE) {
        fprintf(stderr, "a scene holds %d objects of a sort\n", SCENE_SIZE);
        abort();
    }
    return (*count)++;
}

void scene_begin(scene *s, int dimension, double until)
{
    memset(s, 0, sizeof *s);
    s->spec = carom_default_spec();
    s->spec.name = "scene";
    s->spec.dimension = dimension;
    s->spec.bodies = s->bodies;
    s->spec.shapes = s->shapes;
    s->spec.contacts = s->contacts;
    s->spec.loads = s->loads;
    s->spec.runs = &s->run;
    s->spec.run_count = 1;
    s->run = carom_default_run_def();
    s->run.until = until;
}

int scene_body(scene *s, double mass, double inertia, const double *at, const double *velocity, const double *spin)
{
    size_t k = next(&s->spec.body_count);
    carom_body_def *b = &s->bodies[k];
    *b = carom_default_body_def();
    b->name = body_names[k];
    b->mass = mass;
    memcpy(b->at, at, sizeof b->at);
    b->velocity = carom_value_vector(s->spec.dimension, velocity);
    if (s->spec.dimension == 2) {
        b->inertia = carom_value_number(inertia);
        b->angular_velocity = carom_value_number(spin ? spin[2] : 0);
    } else {
        const double none[3] = {0, 0, 0}, inertias[3] = {inertia, inertia, inertia};
        b->inertia = carom_value_vector(3, inertias);
        b->angular_velocity = carom_value_vector(3, spin ? spin : none);
    }
    return (int)k;
}

static carom_shape_def *add_shape(scene *s, int body, const double *at, const char *type, const char *param,
                                  carom_value value)
{
    size_t k = next(&s->spec.shape_count);
    carom_shape_def *shape = &s->shapes[k];
    *shape = carom_default_shape_def();
    shape->name = shape_names[k];
    shape->type = type;
    shape->on = body < 0 ? "ground" : body_names[body];
    if (at)
        memcpy(shape->at, at, sizeof shape->at);
    s->shape_params[k][0] = (carom_param){.name = param, .value = value};
    shape->params = (carom_param_list){s->shape_params[k], 1};
    return shape;
}

int scene_sphere(scene *s, int body, const double *at, double radius)
{
    return (int)(add_shape(s, body, at, "sphere", "radius", carom_value_number(radius)) - s->shapes);
}

int scene_plane(scene *s, int body, const double *at, const double *normal)
{
    return (int)(add_shape(s, body, at, "plane", "normal", carom_value_vector(s->spec.dimension, normal)) - s->shapes);
}

int scene_contact(scene *s, int shape_i, int shape_j, const char *law, double stiffness, double restitution)
{
    size_t k = next(&s->spec.contact_count);
    carom_contact_def *c = &s->contacts[k];
    *c = carom_default_contact_def();
    c->name = contact_names[k];
    c->between[0] = shape_names[shape_i];
    c->between[1] = shape_names[shape_j];
    c->law = law;
    s->contact_params[k][0] = (carom_param){.name = "stiffness", .value = carom_value_number(stiffness)};
    s->contact_params[k][1] = (carom_param){.name = "restitution", .value = carom_value_number(restitution)};
    c->normal = (carom_param_list){s->contact_params[k], isnan(restitution) ? 1 : 2};
    return (int)k;
}

static void add_force(scene *s, int body, carom_value value)
{
    size_t k = next(&s->spec.load_count);
    carom_load_def *l = &s->loads[k];
    *l = carom_default_load_def();
    l->name = load_names[k];
    l->type = "force";
    l->on[0].body = body_names[body];
    l->frame_count = 1;
    s->load_params[k][0] = (carom_param){.name = "force", .value = value};
    l->params = (carom_param_list){s->load_params[k], 1};
}

void scene_force(scene *s, int body, const double *force)
{
    add_force(s, body, carom_value_vector(s->spec.dimension, force));
}

void scene_force_expression(scene *s, int body, const char *force_x)
{
    const double none[3] = {0, 0, 0};
    carom_value value = carom_value_vector(s->spec.dimension, none);
    value.expression[0] = force_x;
    add_force(s, body, value);
}

carom_model *scene_compile(carom_context *ctx, const scene *s)
{
    carom_model *model;
    if (carom_model_compile(ctx, &s->spec, &model) == CAROM_OK)
        return model;
    fprintf(stderr, "scene: %s\n", carom_context_error(ctx));
    abort();
}

void scene_report(carom_context *ctx, carom_simulation *sim, const scene *s, carom_status status, scene_result *out)
{
    *out = (scene_result){.status = status};
    snprintf(out->error, sizeof out->error, "%s", status == CAROM_OK ? "" : carom_context_error(ctx));
    if (!sim)
        return;
    const carom_impact *impacts = carom_simulation_impacts(sim, &out->count);
    for (size_t k = 0; k < out->count && k < SCENE_IMPACTS; k++) {
        out->impacts[k] = impacts[k];
        out->impacts[k].contact = NULL; /* belongs to the model */
    }
    out->open = carom_simulation_open_contacts(sim, NULL, 0);
    for (size_t k = 0; k < s->spec.body_count; k++)
        carom_simulation_body(sim, k, &out->body[k]);
    out->ledger = carom_simulation_ledger(sim);
    out->statistics = carom_simulation_statistics(sim);
    const char *const *warnings = carom_simulation_warnings(sim, &out->warnings);
    if (out->warnings)
        snprintf(out->warning, sizeof out->warning, "%s", warnings[0]);
}

void scene_run(carom_context *ctx, const scene *s, const char *integrator, double tolerance, scene_result *out)
{
    carom_model *model = scene_compile(ctx, s);
    carom_simulation_def def = carom_default_simulation_def();
    def.integrator = integrator;
    def.tolerance = tolerance;
    carom_simulation *sim = NULL;
    carom_status status = carom_simulation_create(ctx, model, &def, &sim);
    if (status == CAROM_OK)
        status = carom_simulation_run(sim);
    scene_report(ctx, sim, s, status, out);
    carom_simulation_free(sim);
    carom_model_free(model);
}
