/* The public spec filled with rubbish: an error with a text, or a model whose simulation gives a status; never a
   crash. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "kinds/kind.h"
#include "support/trial.h"

/* ---- a spec with one of everything ---- */

typedef struct parts {
    carom_spec spec;
    carom_parameter_def parameters[1];
    carom_spline_def splines[1];
    carom_material_def materials[1];
    carom_frame_def frames[1];
    carom_body_def bodies[2];
    carom_joint_def joints[1];
    carom_shape_def shapes[2];
    carom_contact_def contacts[1];
    carom_load_def loads[2];
    carom_run_def runs[1];
    carom_param radius[1], normal[1], law[3], stiffness[2], force[1];
    const char *channels[2];
} parts;

static const double knots_x[3] = {0, 1, 2}, knots_y[3] = {0, 1, 0};
static const double equal_knots[3] = {0, 0, 1}, no_knots[3] = {0, (double)NAN, 1}, far_knots[3] = {0, HUGE_VAL, 1};
static const char *const odd_channels[2] = {"nothing", ""};

static carom_value vector(int dimension, double x, double y, double z)
{
    return carom_value_vector(dimension, (const double[3]){x, y, z});
}

static void fill_bodies(parts *p, int dimension)
{
    p->frames[0] = (carom_frame_def){.name = "tip", .at = {0.1, 0, 0}};
    for (int k = 0; k < 2; k++) {
        p->bodies[k] = carom_default_body_def();
        p->bodies[k].mass = 1 + k;
        p->bodies[k].at[0] = 0.2 * k;
        p->bodies[k].inertia = dimension == 2 ? carom_value_number(0.1) : vector(3, 0.1, 0.1, 0.15);
        p->bodies[k].velocity = vector(dimension, 0.1, -0.2, 0.1);
    }
    p->bodies[0].name = "first";
    p->bodies[1].name = "second";
    p->bodies[0].frames = p->frames;
    p->bodies[0].frame_count = 1;
    p->bodies[1].velocity.type = CAROM_VALUE_NONE;
    p->joints[0] = carom_default_joint_def();
    p->joints[0].name = "pin";
    p->joints[0].type = "revolute";
    p->joints[0].between[0] = (carom_frame_ref){.body = "first", .frame = "tip"};
    p->joints[0].between[1] = (carom_frame_ref){.body = "second", .point = {-0.1, 0, 0}};
}

static void fill_contact(parts *p, int dimension)
{
    p->materials[0] = carom_default_material_def();
    p->materials[0].name = "steel";
    p->materials[0].young = 2e11;
    p->materials[0].poisson = 0.3;
    p->radius[0] = (carom_param){.name = "radius", .value = carom_value_number(0.05)};
    p->normal[0] = (carom_param){.name = "normal", .value = vector(dimension, 0, 1, 0)};
    for (int k = 0; k < 2; k++) {
        p->shapes[k] = carom_default_shape_def();
        p->shapes[k].name = k ? "floor" : "ball";
        p->shapes[k].type = k ? "plane" : "sphere";
        p->shapes[k].on = k ? "ground" : "first";
        p->shapes[k].at[1] = k ? -0.1 : 0;
        p->shapes[k].material = "steel";
        p->shapes[k].params = (carom_param_list){k ? p->normal : p->radius, 1};
    }
    p->law[0] = (carom_param){.name = "stiffness", .value = carom_value_number(1e8)};
    p->law[1] = (carom_param){.name = "restitution", .value = carom_value_number(0.7)};
    p->law[2] = (carom_param){.name = "exponent", .value = carom_value_number(1.5)};
    p->contacts[0] = carom_default_contact_def();
    p->contacts[0].name = "hit";
    p->contacts[0].law = "flores";
    p->contacts[0].between[0] = "ball";
    p->contacts[0].between[1] = "floor";
    p->contacts[0].normal = (carom_param_list){p->law, 3};
}

static void fill_loads(parts *p, int dimension)
{
    p->stiffness[0] = (carom_param){.name = "stiffness", .value = carom_value_number(100)};
    p->stiffness[1] =
        (carom_param){.name = "length", .value = carom_value_expression("0.1 + 0.01*spline(lift, t)*size")};
    p->loads[0] = carom_default_load_def();
    p->loads[0].name = "spring";
    p->loads[0].type = "spring";
    p->loads[0].on[0] = (carom_frame_ref){.body = "ground"};
    p->loads[0].on[1] = (carom_frame_ref){.body = "second"};
    p->loads[0].frame_count = 2;
    p->loads[0].params = (carom_param_list){p->stiffness, 1};
    p->force[0] = (carom_param){.name = "force", .value = vector(dimension, 1, 0, 0)};
    p->force[0].value.expression[1] = "sin(t)*size + spline(lift, t) - vx(first) + angle(pin)";
    p->loads[1] = carom_default_load_def();
    p->loads[1].name = "push";
    p->loads[1].type = "force";
    p->loads[1].on[0] = (carom_frame_ref){.body = "first"};
    p->loads[1].frame_count = 1;
    p->loads[1].params = (carom_param_list){p->force, 1};
}

static void fill(parts *p, int dimension)
{
    memset(p, 0, sizeof *p);
    fill_bodies(p, dimension);
    fill_contact(p, dimension);
    fill_loads(p, dimension);
    p->parameters[0] = (carom_parameter_def){.name = "size", .value = 2};
    p->splines[0] = (carom_spline_def){.name = "lift", .x = knots_x, .y = knots_y, .count = 3};
    p->runs[0] = carom_default_run_def();
    p->runs[0].until = 0.05;
    p->runs[0].step = 1e-4;
    p->channels[0] = "body.first";
    p->channels[1] = "energy";
    p->runs[0].channels = p->channels;
    p->runs[0].channel_count = 2;
    carom_spec *s = &p->spec;
    *s = carom_default_spec();
    s->name = "rubbish";
    s->dimension = dimension;
    s->gravity[1] = -9.81;
    s->parameters = p->parameters, s->parameter_count = 1;
    s->splines = p->splines, s->spline_count = 1;
    s->materials = p->materials, s->material_count = 1;
    s->bodies = p->bodies, s->body_count = 2;
    s->joints = p->joints, s->joint_count = 1;
    s->shapes = p->shapes, s->shape_count = 2;
    s->contacts = p->contacts, s->contact_count = 1;
    s->loads = p->loads, s->load_count = 2;
    s->runs = p->runs, s->run_count = 1;
}

/* ---- what is wrong ---- */

/* Each of these spoils one thing; the k-th line of a list is done and its text returned, NULL past the last. */
#define SPOIL(...)               \
    do {                         \
        if (at++ == k) {         \
            __VA_ARGS__;         \
            return #__VA_ARGS__; \
        }                        \
    } while (0)

#define NONE ((double)NAN)
#define LONG_NAME "a-name-of-more-than-sixty-three-characters-is-refused-since-files-refuse-it"

static const char *spoil_spec(parts *p, int k)
{
    int at = 0;
    carom_spec *s = &p->spec;
    SPOIL(s->dimension = 7);
    SPOIL(s->dimension = 0);
    SPOIL(s->dimension = -2);
    SPOIL(s->gravity[1] = NONE);
    SPOIL(s->gravity[2] = HUGE_VAL);
    SPOIL(s->bodies = NULL);
    SPOIL(s->joints = NULL);
    SPOIL(s->shapes = NULL);
    SPOIL(s->contacts = NULL);
    SPOIL(s->loads = NULL);
    SPOIL(s->runs = NULL);
    SPOIL(s->materials = NULL);
    SPOIL(s->parameters = NULL);
    SPOIL(s->splines = NULL);
    SPOIL(s->body_count = 0);
    SPOIL(s->body_count = 1);
    SPOIL(s->shape_count = 1);
    SPOIL(s->material_count = 0);
    SPOIL(s->spline_count = 0);
    SPOIL(s->parameter_count = 0);
    SPOIL(s->joint_count = 0);
    SPOIL(s->run_count = 0);
    SPOIL((s->runs = NULL, s->run_count = 0));
    SPOIL((s->bodies = NULL, s->body_count = 0));
    SPOIL(p->parameters[0].name = NULL);
    SPOIL(p->parameters[0].name = "");
    SPOIL(p->parameters[0].name = "size\t");
    SPOIL(p->parameters[0].name = "other");
    SPOIL(p->splines[0].name = NULL);
    SPOIL(p->splines[0].x = NULL);
    SPOIL(p->splines[0].y = NULL);
    SPOIL(p->splines[0].count = 0);
    SPOIL(p->splines[0].count = 1);
    SPOIL(p->splines[0].x = equal_knots);
    SPOIL(p->splines[0].x = no_knots);
    SPOIL(p->splines[0].y = far_knots);
    return NULL;
}

static const char *spoil_bodies(parts *p, int k)
{
    int at = 0;
    carom_body_def *b = p->bodies;
    SPOIL(b[0].name = NULL);
    SPOIL(b[0].name = "");
    SPOIL(b[0].name = "ground");
    SPOIL(b[0].name = "second");
    SPOIL(b[0].name = LONG_NAME);
    SPOIL(b[0].name = "=cmd()");
    SPOIL(b[0].name = "a\x1b[31m");
    SPOIL(b[0].name = "a\nb");
    SPOIL(b[0].name = "a,b");
    SPOIL(b[0].name = "1st");
    SPOIL(b[0].mass = 0);
    SPOIL(b[0].mass = -1);
    SPOIL(b[0].mass = NONE);
    SPOIL(b[0].mass = HUGE_VAL);
    SPOIL(b[0].at[0] = HUGE_VAL);
    SPOIL(b[0].at[1] = NONE);
    SPOIL(b[1].angle = NONE);
    SPOIL(b[1].orientation[0] = NONE);
    SPOIL(memset(b[1].orientation, 0, sizeof b[1].orientation));
    SPOIL(b[0].inertia.type = CAROM_VALUE_NONE);
    SPOIL(b[0].inertia = carom_value_number(-1));
    SPOIL(b[0].inertia = carom_value_number(NONE));
    SPOIL(b[0].inertia = vector(3, 1, 1, 3));
    SPOIL(b[0].inertia = vector(3, 1, NONE, 1));
    SPOIL(b[0].inertia = vector(2, 1, 1, 1));
    SPOIL(b[0].inertia = carom_value_text("heavy"));
    SPOIL((b[0].inertia = vector(3, 1, 1, 1), b[0].inertia.size = 100));
    SPOIL((b[0].inertia = vector(3, 1, 1, 1), b[0].inertia.size = -1));
    SPOIL(b[0].inertia.type = (carom_value_type)77);
    SPOIL(b[0].velocity = carom_value_number(1));
    SPOIL(b[0].velocity.number[0] = HUGE_VAL);
    SPOIL(b[0].velocity.expression[0] = "t");
    SPOIL(b[0].velocity.size = 1);
    SPOIL(b[0].angular_velocity = carom_value_text("fast"));
    SPOIL(b[0].angular_velocity = carom_value_number(NONE));
    SPOIL(b[0].angular_velocity = vector(3, 0, 0, NONE));
    SPOIL(b[0].frames = NULL);
    SPOIL(p->frames[0].name = NULL);
    SPOIL(p->frames[0].at[2] = NONE);
    SPOIL(p->frames[0].orientation = vector(3, 1, 0, 0));
    SPOIL(p->frames[0].orientation = carom_value_vector(4, (const double[4]){0, 0, 0, 0}));
    SPOIL(p->frames[0].orientation = carom_value_number(NONE));
    SPOIL(p->frames[0].orientation = carom_value_text("up"));
    SPOIL(b[1].motion_x = carom_value_number(NONE));
    SPOIL(b[1].motion_x = carom_value_expression(NULL));
    SPOIL(b[1].motion_x = carom_value_expression(""));
    SPOIL(b[1].motion_x = carom_value_expression("1/0"));
    SPOIL(b[1].motion_x = carom_value_expression("vx(first)"));
    SPOIL(b[1].motion_y = vector(2, 1, 1, 1));
    SPOIL(b[1].motion_y = carom_value_text("up"));
    SPOIL((b[1].motion_x = carom_value_number(1), b[1].motion_point = "nowhere"));
    SPOIL((b[1].motion_z = carom_value_number(0), b[1].motion_angle = carom_value_number(0)));
    return NULL;
}

static const char *spoil_joints(parts *p, int k)
{
    int at = 0;
    carom_joint_def *j = p->joints;
    static carom_param odd[2];
    odd[0] = (carom_param){.name = "axis", .value = vector(3, 0, 0, 0)};
    odd[1] = (carom_param){.name = "axis", .value = vector(3, 0, 0, 1)};
    SPOIL(j->name = NULL);
    SPOIL(j->name = "");
    SPOIL(j->name = LONG_NAME);
    SPOIL(j->type = NULL);
    SPOIL(j->type = "glue");
    SPOIL(j->between[0].body = NULL);
    SPOIL(j->between[0].body = "third");
    SPOIL(j->between[0].frame = "top");
    SPOIL(j->between[1] = (carom_frame_ref){.body = "ground", .frame = "top"});
    SPOIL(j->between[1].body = "first");
    SPOIL(j->between[1].point[1] = NONE);
    SPOIL(j->motion = carom_value_number(HUGE_VAL));
    SPOIL(j->motion = carom_value_expression(NULL));
    SPOIL(j->motion = carom_value_expression("nonsense("));
    SPOIL(j->motion = vector(2, 0, 1, 0));
    SPOIL(j->rate = carom_value_number(NONE));
    SPOIL(j->rate = carom_value_expression("t"));
    SPOIL(j->params = (carom_param_list){NULL, 3});
    SPOIL(j->params = (carom_param_list){odd, 1});
    SPOIL(j->params = (carom_param_list){odd, 2});
    SPOIL((odd[0].name = NULL, j->params = (carom_param_list){odd, 1}));
    SPOIL((odd[0].value.size = 12, j->params = (carom_param_list){odd, 1}));
    SPOIL((odd[0].name = "colour", j->params = (carom_param_list){odd, 1}));
    SPOIL((j->type = "distance", j->between[1].point[0] = -0.1));
    SPOIL((j->type = "spherical", j->rate = carom_value_number(1)));
    return NULL;
}

static const char *spoil_contacts(parts *p, int k)
{
    int at = 0;
    carom_contact_def *c = p->contacts;
    SPOIL(p->materials[0].name = NULL);
    SPOIL(p->materials[0].young = 0);
    SPOIL(p->materials[0].young = NONE);
    SPOIL(p->materials[0].poisson = 0.7);
    SPOIL(p->materials[0].poisson = NONE);
    SPOIL(p->shapes[0].name = NULL);
    SPOIL(p->shapes[0].name = "floor");
    SPOIL(p->shapes[0].type = NULL);
    SPOIL(p->shapes[0].type = "cube");
    SPOIL(p->shapes[0].type = "plane");
    SPOIL(p->shapes[0].on = NULL);
    SPOIL(p->shapes[0].on = "third");
    SPOIL(p->shapes[0].on = "ground");
    SPOIL(p->shapes[0].at[0] = NONE);
    SPOIL(memset(p->shapes[0].orientation, 0, sizeof p->shapes[0].orientation));
    SPOIL(p->shapes[0].orientation[2] = HUGE_VAL);
    SPOIL(p->shapes[0].material = "cheese");
    SPOIL(p->shapes[0].params.count = 0);
    SPOIL(p->shapes[0].params.items = NULL);
    SPOIL(p->radius[0].value = carom_value_number(0));
    SPOIL(p->radius[0].value = carom_value_number(-0.05));
    SPOIL(p->radius[0].value = carom_value_number(NONE));
    SPOIL(p->radius[0].value = carom_value_expression("t"));
    SPOIL(p->radius[0].value = carom_value_expression(NULL));
    SPOIL(p->radius[0].value = carom_value_text("big"));
    SPOIL(p->radius[0].value.type = (carom_value_type)-1);
    SPOIL(p->radius[0].name = NULL);
    SPOIL(p->radius[0].name = "diameter");
    SPOIL(p->normal[0].value = vector(p->spec.dimension, 0, 0, 0));
    SPOIL(p->normal[0].value.size = 9);
    SPOIL(c->name = NULL);
    SPOIL(c->between[0] = NULL);
    SPOIL(c->between[1] = "ball");
    SPOIL(c->between[1] = "wall");
    SPOIL(c->law = NULL);
    SPOIL(c->law = "bounce");
    SPOIL((c->law = NULL, c->elastic = "rubber"));
    SPOIL(c->damping = "rubber");
    SPOIL(c->velocity = "sometimes");
    SPOIL(c->tension = "never");
    SPOIL(c->minimum_speed = 0);
    SPOIL(c->minimum_speed = NONE);
    SPOIL(c->normal.items = NULL);
    SPOIL(p->law[0].value = carom_value_number(-1));
    SPOIL(p->law[0].value = carom_value_number(HUGE_VAL));
    SPOIL(p->law[0].name = NULL);
    SPOIL(p->law[0].name = "from_point");
    SPOIL((p->law[0].name = "from_point", p->law[0].value = vector(2, 0, 1, 0)));
    SPOIL(p->law[1].value = carom_value_number(1.5));
    SPOIL(p->law[1].value = carom_value_number(NONE));
    SPOIL(p->law[1].name = "stiffness");
    SPOIL(p->law[2].value = carom_value_number(0));
    SPOIL(p->law[2].value = carom_value_text("two"));
    return NULL;
}

static const char *spoil_loads_and_runs(parts *p, int k)
{
    int at = 0;
    carom_load_def *l = p->loads;
    carom_run_def *r = p->runs;
    SPOIL(l[0].name = NULL);
    SPOIL(l[0].name = "push");
    SPOIL(l[0].type = NULL);
    SPOIL(l[0].type = "magnet");
    SPOIL(l[0].on[0].body = NULL);
    SPOIL(l[0].on[1].body = "ground");
    SPOIL(l[0].on[1].point[0] = NONE);
    SPOIL(l[0].frame_count = 1);
    SPOIL(l[0].frame_count = -1);
    SPOIL(l[0].frame_count = 1000);
    SPOIL(l[0].params = (carom_param_list){NULL, 2});
    SPOIL(l[0].params.count = 0);
    SPOIL(p->stiffness[0].value = carom_value_number(-5));
    SPOIL(p->force[0].value.size = 1);
    SPOIL(p->force[0].value.number[0] = NONE);
    SPOIL(p->force[0].value.expression[1] = "");
    SPOIL(p->force[0].value.expression[1] = "speed(nothing)");
    SPOIL(p->force[0].value.expression[1] = "spline(nothing, t)");
    SPOIL(r->analysis = "guess");
    SPOIL(r->until = 0);
    SPOIL(r->until = NONE);
    SPOIL(r->until = HUGE_VAL);
    SPOIL(r->integrator = "euler-cromer-ish");
    SPOIL((r->integrator = "rk4", r->step = 0));
    SPOIL(r->step = NONE);
    SPOIL(r->tolerance = 0);
    SPOIL(r->tolerance = 1);
    SPOIL(r->tolerance = NONE);
    SPOIL(r->absolute = carom_value_number(-1));
    SPOIL(r->absolute = carom_value_number(NONE));
    SPOIL(r->absolute = carom_value_expression("t"));
    SPOIL(r->max_step = -1);
    SPOIL(r->max_step = NONE);
    SPOIL(r->formulation = "magic");
    SPOIL(r->constraints = "glue");
    SPOIL(r->constraints = "projection", r->integrator = "adams");
    SPOIL(r->constraint_params = (carom_param_list){NULL, 1});
    SPOIL(r->constraint_params = (carom_param_list){p->law, 1});
    SPOIL(r->output_every = NONE);
    SPOIL(r->output_every = -1);
    SPOIL(r->output_every = 1e-300);
    SPOIL(r->output_contacts = "often");
    SPOIL(r->channels = NULL);
    SPOIL(p->channels[1] = NULL);
    return NULL;
}

/* What may be sensible, or is at least not refused: the run ends with some status. */
static const char *strain(parts *p, int k)
{
    int at = 0;
    SPOIL(p->spec.name = NULL);
    SPOIL((p->spec.name = "", p->spec.title = ""));
    SPOIL((p->spec.text = NULL, p->spec.text_length = 1000));
    SPOIL(p->spec.gravity[1] = 1e300);
    SPOIL(p->bodies[0].mass = 1e-300);
    SPOIL(p->bodies[0].mass = 1e300);
    SPOIL(p->bodies[0].at[0] = 1e300);
    SPOIL(p->bodies[0].velocity.number[0] = 1e200);
    SPOIL(p->bodies[0].angular_velocity =
              p->spec.dimension == 2 ? carom_value_number(1e160) : vector(3, 1e160, 2e160, 0));
    SPOIL(p->bodies[0].orientation[1] = 1e-160);
    SPOIL(p->bodies[1].motion_x = carom_value_expression("1/(t - 0.01)"));
    SPOIL(p->bodies[1].motion_x = carom_value_expression("sqrt(0.01 - t)"));
    SPOIL(p->joints[0].type = "fixed");
    SPOIL(p->joints[0].rate = carom_value_number(1e200));
    SPOIL(p->joints[0].motion = carom_value_expression("1e30*sin(1e6*t)"));
    SPOIL(p->radius[0].value = carom_value_number(1e-300));
    SPOIL(p->radius[0].value = carom_value_number(1e300));
    SPOIL(p->radius[0].value = carom_value_number(0.3));
    SPOIL(p->law[0].value = carom_value_number(1e-300));
    SPOIL(p->law[0].value = carom_value_number(1e300));
    SPOIL(p->law[2].value = carom_value_number(200));
    SPOIL(p->stiffness[0].value = carom_value_number(1e300));
    SPOIL(p->force[0].value.expression[1] = "1e308*1e10*t");
    SPOIL(p->force[0].value.expression[1] = "log(-t)");
    SPOIL(p->force[0].value.expression[1] = "if(vx(first) > 0, -1e9, 1e9)");
    SPOIL(p->runs[0].until = 1e-300);
    SPOIL(p->runs[0].until = 1e300);
    SPOIL((p->runs[0].integrator = "rk4", p->runs[0].step = 1e-300));
    SPOIL(p->runs[0].channels = odd_channels);
    SPOIL(p->runs[0].max_step = 1e-300);
    return NULL;
}

/* ---- the tests ---- */

typedef const char *(*spoiler)(parts *p, int k);

static void refuse_all(spoiler spoil, int dimension)
{
    trial_allocator a = {0};
    carom_context *ctx = trial_context(&a);
    carom_kind_count(ctx, CAROM_FAMILY_JOINT); /* the context has its kinds from here on */
    const size_t own = a.blocks;
    for (int k = 0;; k++) {
        parts *p = malloc(sizeof *p);
        assert_non_null(p);
        fill(p, dimension);
        const char *what = spoil(p, k);
        carom_model *model = NULL;
        carom_simulation *sim = NULL;
        carom_status status = carom_model_compile(ctx, &p->spec, &model);
        bool compiled = status == CAROM_OK;
        if (compiled)
            status = carom_simulation_create(ctx, model, NULL, &sim);
        if (what && status != CAROM_ERROR_MODEL && status != CAROM_ERROR_USAGE)
            fail_msg("dimension %d, %s: %s", dimension, what, carom_status_name(status));
        if (!what)
            assert_int_equal(status, CAROM_OK);
        assert_true(compiled == (model != NULL));
        assert_true((status == CAROM_OK) == (sim != NULL));
        if (status != CAROM_OK && strlen(carom_context_error(ctx)) < 5)
            fail_msg("dimension %d, %s: no text", dimension, what);
        carom_simulation_free(sim);
        carom_model_free(model);
        free(p);
        assert_int_equal(a.blocks, own);
        if (!what)
            break;
    }
    carom_context_free(ctx);
    assert_int_equal(a.blocks, 0);
}

static void test_refused(void **state)
{
    (void)state;
    const spoiler lists[] = {spoil_spec, spoil_bodies, spoil_joints, spoil_contacts, spoil_loads_and_runs};
    for (size_t k = 0; k < CAROM_COUNT(lists); k++)
        for (int dimension = 2; dimension <= 3; dimension++)
            refuse_all(lists[k], dimension);
}

static bool few_steps(void *user, const carom_progress *progress)
{
    (void)progress;
    return ++*(int *)user < 20;
}

static void test_strained(void **state)
{
    (void)state;
    carom_context *ctx = trial_context(NULL);
    for (int dimension = 2; dimension <= 3; dimension++)
        for (size_t integrator = 0; integrator < CAROM_COUNT(trial_integrators); integrator++)
            for (int k = 0;; k++) {
                parts p;
                fill(&p, dimension);
                p.runs[0].integrator = trial_integrators[integrator];
                const char *what = strain(&p, k);
                int calls = 0;
                carom_simulation_def def = carom_default_simulation_def();
                def.progress = few_steps;
                def.progress_user = &calls;
                carom_model *model = NULL;
                carom_simulation *sim = NULL;
                carom_status status = carom_model_compile(ctx, &p.spec, &model);
                if (status == CAROM_OK)
                    status = carom_simulation_create(ctx, model, &def, &sim);
                if (status == CAROM_OK)
                    status = carom_simulation_run(sim);
                assert_true(status == CAROM_OK || strlen(carom_context_error(ctx)) > 5);
                carom_simulation_free(sim);
                carom_model_free(model);
                if (!what)
                    break;
            }
    carom_context_free(ctx);
}

/* Calls whose arguments are wrong: a status with a text. */
static void test_wrong_arguments(void **state)
{
    (void)state;
    carom_context *ctx = trial_context(NULL);
    carom_model *model = NULL;
    assert_int_equal(carom_model_compile(ctx, NULL, &model), CAROM_ERROR_USAGE);
    parts p;
    fill(&p, 2);
    assert_int_equal(carom_model_compile(ctx, &p.spec, &model), CAROM_OK);
    carom_simulation *sim = NULL;
    carom_simulation_def def = carom_default_simulation_def();
    def.run = 5;
    assert_int_equal(carom_simulation_create(ctx, model, &def, &sim), CAROM_ERROR_USAGE);
    def.run = 0;
    def.integrator = "nothing";
    assert_int_equal(carom_simulation_create(ctx, model, &def, &sim), CAROM_ERROR_USAGE);
    def.integrator = NULL;
    def.tolerance = 5;
    assert_int_equal(carom_simulation_create(ctx, model, &def, &sim), CAROM_ERROR_USAGE);
    def.tolerance = (double)NAN;
    carom_status status = carom_simulation_create(ctx, model, &def, &sim);
    assert_true(status == CAROM_OK || status == CAROM_ERROR_USAGE);
    carom_simulation_free(sim);
    assert_int_equal(carom_simulation_create(ctx, model, NULL, &sim), CAROM_OK);
    assert_int_equal(carom_simulation_advance(sim, (double)NAN), CAROM_ERROR_USAGE);
    assert_int_equal(carom_simulation_advance(sim, 1), CAROM_ERROR_USAGE);
    carom_body_state body;
    assert_int_equal(carom_simulation_body(sim, 2, &body), CAROM_ERROR_USAGE);
    double value[16];
    assert_int_equal(carom_simulation_channel(sim, "body.third.position", value), CAROM_ERROR_USAGE);
    assert_int_equal(carom_simulation_channel(sim, "", value), CAROM_ERROR_USAGE);
    assert_null(carom_model_body_name(model, 2));
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_strained),
        cmocka_unit_test(test_wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
