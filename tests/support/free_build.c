#include "support/free_build.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void free_begin(free_build *b, int dimension, double until)
{
    memset(b, 0, sizeof *b);
    b->spec = carom_default_spec();
    b->spec.name = "test";
    b->spec.dimension = dimension;
    b->spec.gravity[dimension - 1] = -9.81;
    b->run = carom_default_run_def();
    b->run.until = until;
    b->spec.bodies = b->bodies;
    b->spec.joints = b->joints;
    b->spec.loads = b->loads;
    b->spec.runs = &b->run;
    b->spec.run_count = 1;
}

carom_body_def *free_body(free_build *b, const char *name, double mass, int inertia_size, const double *inertia,
                          double x, double y, double z)
{
    assert(b->spec.body_count < FREE_BODIES);
    carom_body_def *body = &b->bodies[b->spec.body_count++];
    *body = carom_default_body_def();
    body->name = name;
    body->mass = mass;
    body->inertia = inertia_size == 1 ? carom_value_number(*inertia) : carom_value_vector(inertia_size, inertia);
    body->at[0] = x;
    body->at[1] = y;
    body->at[2] = z;
    return body;
}

static carom_frame_ref frame(const char *body, const double *point)
{
    carom_frame_ref ref = {.body = body};
    if (point)
        memcpy(ref.point, point, sizeof ref.point);
    return ref;
}

carom_joint_def *free_joint(free_build *b, const char *name, const char *type, const char *body_i,
                            const double *point_i, const char *body_j, const double *point_j)
{
    assert(b->spec.joint_count < FREE_JOINTS);
    carom_param *params = b->joint_params[b->spec.joint_count];
    carom_joint_def *joint = &b->joints[b->spec.joint_count++];
    *joint = carom_default_joint_def();
    joint->name = name;
    joint->type = type;
    joint->between[0] = frame(body_i, point_i);
    joint->between[1] = frame(body_j, point_j);
    joint->params.items = params;
    return joint;
}

carom_load_def *free_load(free_build *b, const char *name, const char *type, const char *body_i, const double *point_i,
                          const char *body_j, const double *point_j)
{
    assert(b->spec.load_count < FREE_LOADS);
    carom_param *params = b->load_params[b->spec.load_count];
    carom_load_def *load = &b->loads[b->spec.load_count++];
    *load = carom_default_load_def();
    load->name = name;
    load->type = type;
    load->on[0] = frame(body_i, point_i);
    load->on[1] = frame(body_j, point_j);
    load->frame_count = body_j ? 2 : 1;
    load->params.items = params;
    return load;
}

static void add_param(carom_param *items, carom_param_list *list, const char *name, carom_value value)
{
    assert(list->count < FREE_PARAMS);
    carom_param *param = &items[list->count++];
    memset(param, 0, sizeof *param);
    param->name = name;
    param->value = value;
}

static void joint_param(free_build *b, const char *name, carom_value value)
{
    size_t last = b->spec.joint_count - 1;
    add_param(b->joint_params[last], &b->joints[last].params, name, value);
}

static void load_param(free_build *b, const char *name, carom_value value)
{
    size_t last = b->spec.load_count - 1;
    add_param(b->load_params[last], &b->loads[last].params, name, value);
}

void free_joint_vector(free_build *b, const char *name, const double *numbers)
{
    joint_param(b, name, carom_value_vector(b->spec.dimension, numbers));
}

void free_joint_number(free_build *b, const char *name, double number)
{
    joint_param(b, name, carom_value_number(number));
}

void free_load_vector(free_build *b, const char *name, const double *numbers)
{
    load_param(b, name, carom_value_vector(b->spec.dimension, numbers));
}

void free_load_number(free_build *b, const char *name, double number)
{
    load_param(b, name, carom_value_number(number));
}

const char *free_name(free_build *b, const char *stem, int number)
{
    assert(b->name_count < FREE_BODIES + FREE_JOINTS);
    char *name = b->names[b->name_count++];
    snprintf(name, sizeof b->names[0], "%s%d", stem, number);
    return name;
}

void free_turn(double x, double y, double z, double q[4])
{
    double angle = sqrt(x * x + y * y + z * z), s = angle > 0 ? sin(0.5 * angle) / angle : 0.5;
    q[0] = cos(0.5 * angle);
    q[1] = s * x;
    q[2] = s * y;
    q[3] = s * z;
}
