/* Assembly from rough guesses: every linkage of the models, and random ones of all kinds of joints, with bodies off by
   up to 5 % of the model's length and 10 degrees. */
#include "carom_test.h"

#include <dirent.h>
#include <math.h>

#include "dynamics/assembly.h"
#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"
#include "support/free_build.h"
#include "support/sample.h"

static uint64_t seed = 12345;

/* Uniform in -1 .. 1. */
static double uniform(void)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(seed >> 11) / (double)(1ULL << 52) - 1;
}

static carom_vec3 random_vector(double length)
{
    const carom_vec3 v = carom_v3(uniform(), uniform(), uniform());
    return carom_v3_scale(length * fabs(uniform()) / (carom_v3_norm(v) + 1e-12), v);
}

typedef struct linkage {
    carom_context *ctx;
    carom_model *model;
    carom_system *system;
    carom_evaluation *d;
    carom_state s;
    carom_start start;
    double *right, *guess, *step;
} linkage;

static bool open_linkage(linkage *l, carom_context *ctx, carom_model *model)
{
    const carom_formulation *formulation = carom_formulation_find("cartesian");
    *l = (linkage){.ctx = ctx, .model = model};
    assert_ok(ctx, carom_system_create(ctx, model, formulation, &l->system));
    l->d = carom_system_workspace(l->system);
    assert_non_null(l->d);
    assert_ok(ctx, carom_state_init(ctx, model, formulation, &l->s));
    l->start.redundant = calloc((size_t)model->row_count + 1, sizeof(bool));
    const size_t size = (size_t)l->s.layout.positions + 1;
    l->right = calloc(size, sizeof(double));
    l->guess = calloc(size, sizeof(double));
    l->step = calloc(size, sizeof(double));
    carom_state_start_variables(&l->s);
    const carom_status status = carom_assembly_start(l->d, &l->s, &l->start);
    memcpy(l->right, l->s.q, (size_t)l->s.layout.positions * sizeof(double));
    return status == CAROM_OK;
}

static void close_linkage(linkage *l)
{
    free(l->start.redundant);
    free(l->right);
    free(l->guess);
    free(l->step);
    carom_state_clear(&l->s);
    carom_system_free(l->system);
    carom_model_free(l->model);
}

/* Moves the bodies of the model, and the state, off the right places. */
static void spoil(linkage *l, double share, double degrees)
{
    carom_model_body *bodies = (carom_model_body *)l->model->bodies;
    const bool planar = l->model->dimension == 2;
    for (int body = 1; body <= l->model->body_count; body++) {
        carom_body_state at;
        l->s.formulation->get_body(l->model, body - 1, l->right, l->s.v, &at);
        carom_vec3 off = random_vector(share * l->model->length_scale), turn = random_vector(degrees * CAROM_PI / 180);
        const carom_quat q = {at.orientation[0], at.orientation[1], at.orientation[2], at.orientation[3]};
        if (planar)
            off.z = turn.x = turn.y = 0;
        bodies[body].position = carom_v3(at.position[0] + off.x, at.position[1] + off.y, at.position[2] + off.z);
        bodies[body].angle = at.angle + turn.z;
        bodies[body].orientation = carom_quat_multiply(carom_quat_from_rotation(turn), q);
    }
    memset(l->s.clearance_centred, 0, (size_t)l->model->clearance_count * sizeof *l->s.clearance_centred);
    carom_state_start_variables(&l->s);
    carom_state_place_bodies(&l->s);
    memcpy(l->guess, l->s.q, (size_t)l->s.layout.positions * sizeof(double));
}

/* How far two sets of positions are apart, in the metric of the masses. */
static double apart(linkage *l, const double *from, const double *to)
{
    l->s.formulation->difference(l->model, from, to, l->step);
    l->s.formulation->pose(l->d, from, l->step);
    return sqrt(2 * carom_dynamics_kinetic(l->d));
}

/* Largest violations of positions, of the model's length or in rad, and of velocities, of its speeds. */
static void violations(linkage *l, double *position, double *velocity)
{
    *position = *velocity = 0;
    l->s.formulation->pose(l->d, l->s.q, l->s.v);
    carom_dynamics_constraints(l->d, &l->s, *l->s.time);
    for (int r = 0; r < l->model->row_count; r++) {
        const double length = carom_row_is_angle(&l->d->rows[r]) ? 1 : l->model->length_scale;
        const double speed = length / l->model->length_scale * l->model->speed_scale;
        *position = fmax(*position, fabs(l->d->rows[r].phi) / length);
        *velocity = fmax(*velocity, fabs(l->d->phi_rate[r]) / speed);
    }
}

typedef struct tally {
    int starts, refused, off, far;
    double farthest, position, velocity;
} tally;

/* A nut fits its screw at every turn: there are many right positions. */
static bool has_thread(const carom_model *m)
{
    bool any = false;
    for (int k = 0; k < m->joint_count; k++)
        any = any || strcmp(m->joints[k].kind->kind.name, "screw") == 0;
    return any;
}

static void try_guesses(linkage *l, int starts, double share, double degrees, tally *t, const char *name)
{
    int refused = 0, far = 0;
    double farthest = 0;
    char why[300] = "";
    const bool threaded = has_thread(l->model);
    for (int n = 0; n < starts; n++) {
        spoil(l, share, degrees);
        t->starts++;
        if (carom_assembly_start(l->d, &l->s, &l->start) != CAROM_OK) {
            refused++;
            snprintf(why, sizeof why, "%s", carom_context_error(l->ctx));
            continue;
        }
        double position, velocity;
        violations(l, &position, &velocity);
        t->position = fmax(t->position, position);
        t->velocity = fmax(t->velocity, velocity);
        t->off += !(position < 1e-10 && velocity < 1e-10) || carom_assembly_overlaps(l->d, &l->s);
        const double least = apart(l, l->guess, l->right), moved = apart(l, l->guess, l->s.q);
        farthest = threaded ? farthest : fmax(farthest, moved / least);
        far += moved > 1.5 * least && !threaded;
        /* the same as a state of the caller's, whose joints with clearance are free */
        carom_assembly report;
        memcpy(l->s.q, l->guess, (size_t)l->s.layout.positions * sizeof(double));
        if (carom_assembly_move(l->d, &l->s, NULL, &report) != CAROM_OK) {
            refused++;
            snprintf(why, sizeof why, "%s", carom_context_error(l->ctx));
            continue;
        }
        violations(l, &position, &velocity);
        t->off += !(position < 1e-10 && velocity < 1e-10);
        far += apart(l, l->guess, l->s.q) > 2 * least && !threaded;
    }
    t->refused += refused;
    t->far += far;
    t->farthest = fmax(t->farthest, farthest);
    if (refused || far || getenv("SHOW"))
        printf("%s: %d of %d refused, %d too far, farthest %.3g; %s\n", name, refused, starts, far, farthest, why);
}

static void test_models(void **state)
{
    (void)state;
    tally t = {0};
    DIR *folder = opendir(CAROM_MODELS);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[512];
        if (!strstr(entry->d_name, ".yaml"))
            continue;
        snprintf(path, sizeof path, "%s/%s", CAROM_MODELS, entry->d_name);
        carom_context *ctx = new_context();
        carom_model *model = NULL;
        assert_ok(ctx, carom_model_load(ctx, path, NULL, 0, &model));
        linkage l;
        if (model->joint_count && open_linkage(&l, ctx, model)) {
            try_guesses(&l, 40, 0.05, 10, &t, entry->d_name);
            close_linkage(&l);
        } else
            carom_model_free(model);
        carom_context_free(ctx);
    }
    closedir(folder);
    printf("models: %d starts, %d refused, %d off, %d too far (%.3g times); violations %.1e of the length, %.1e of the "
           "speed\n", t.starts, t.refused, t.off, t.far, t.farthest, t.position, t.velocity);
    assert_int_equal(t.refused + t.off + t.far, 0);
}

/* ---- random linkages ---- */

static int below(int count) { return (int)(0.5 * (uniform() + 1) * count) % count; }

typedef struct kind_row {
    const char *name;
    bool planar, space, axis;
    int clearance;              /* sizes that it takes */
} kind_row;

enum { NONE, JOURNAL, BALL, SLIDER };

static const kind_row kinds[] = {
    {"revolute", true, true, true, JOURNAL},      {"translational", true, true, true, SLIDER},
    {"fixed", true, true, false, NONE},           {"distance", true, true, false, NONE},
    {"point-in-line", true, true, true, NONE},    {"cylindrical", false, true, true, NONE},
    {"spherical", false, true, false, BALL},      {"universal", false, true, true, NONE},
    {"planar", false, true, true, NONE},          {"point-in-plane", false, true, true, NONE},
};

/* A point of the world in the axes of a body. */
static void point_of(const carom_body_def *b, int dimension, carom_vec3 p, double *out)
{
    if (!b) {
        memcpy(out, (double[]){p.x, p.y, p.z}, 3 * sizeof *out);
        return;
    }
    const double *n = b->orientation, half = 0.5 * b->angle;
    const carom_quat q = dimension == 2 ? (carom_quat){cos(half), 0, 0, sin(half)}
                                        : (carom_quat){n[0], n[1], n[2], n[3]};
    const carom_mat3 axes = carom_quat_matrix(q);
    const carom_vec3 own = carom_m3_apply_t(&axes, carom_v3_sub(p, carom_v3(b->at[0], b->at[1], b->at[2])));
    memcpy(out, (double[]){own.x, own.y, own.z}, 3 * sizeof *out);
}

static carom_param stiffness[1];

static void give_clearance(carom_joint_def *j, int type, int dimension, double length)
{
    carom_clearance_def *c = &j->clearance;
    stiffness[0] = (carom_param){.name = "stiffness", .value = carom_value_number(1e6)};
    c->given = 1;
    c->contact = carom_default_contact_def();
    c->contact.elastic = "hooke";
    c->contact.damping = "none";
    c->contact.normal = (carom_param_list){stiffness, 1};
    if (type == SLIDER) {
        c->gap = 0.002 * length;
        c->height = 0.05 * length;
        c->length = 0.1 * length;
        return;
    }
    c->radial = 0.002 * length;
    c->radius = 0.02 * length;
    if (type == JOURNAL && dimension == 3) {
        c->axial = 0.002 * length;
        c->length = 0.1 * length;
    }
}

static void add_joint(free_build *b, int from, int to, double length, bool loose)
{
    const int dimension = b->spec.dimension;
    const kind_row *kind;
    do
        kind = &kinds[below(sizeof kinds / sizeof kinds[0])];
    while (!(dimension == 2 ? kind->planar : kind->space) || (loose && !kind->clearance));
    const carom_body_def *one = from ? &b->bodies[from - 1] : NULL, *two = to ? &b->bodies[to - 1] : NULL;
    const carom_vec3 at = carom_v3(length * uniform(), length * uniform(), dimension == 2 ? 0 : length * uniform());
    carom_vec3 axis = carom_v3_scale(1, carom_v3(uniform(), uniform(), dimension == 2 ? 0 : uniform())), other = at;
    axis = carom_v3_scale(1 / carom_v3_norm(axis), axis);
    if (strcmp(kind->name, "distance") == 0)
        other = carom_v3_add_scaled(at, 0.5 * length, axis);
    double points[2][3];
    point_of(one, dimension, at, points[0]);
    point_of(two, dimension, other, points[1]);
    carom_joint_def *j = free_joint(b, free_name(b, "j", (int)b->spec.joint_count), kind->name,
                                    one ? one->name : "ground", points[0], two ? two->name : "ground", points[1]);
    if (kind->axis && !(dimension == 2 && strcmp(kind->name, "revolute") == 0))
        free_joint_vector(b, "axis", (double[]){axis.x, axis.y, axis.z});
    if (strcmp(kind->name, "universal") == 0) {
        const carom_vec3 cross = carom_v3_cross(axis, carom_v3(uniform(), uniform(), uniform()));
        free_joint_vector(b, "axis2", (double[]){cross.x, cross.y, cross.z});
    }
    if (loose)
        give_clearance(j, kind->clearance, dimension, length);
}

static bool keeps_coordinate(const carom_joint_def *j)
{
    static const char *const names[] = {"revolute", "translational", "cylindrical", "point-in-line"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strcmp(j->type, names[k]) == 0)
            return !j->clearance.given;
    return false;
}

/* A ratio between the last two joints that have coordinates. */
static void add_coupler(free_build *b)
{
    const char *of[2];
    int found = 0;
    for (size_t k = b->spec.joint_count; k > 0 && found < 2; k--)
        if (keeps_coordinate(&b->joints[k - 1]))
            of[found++] = b->joints[k - 1].name;
    if (found < 2)
        return;
    carom_joint_def *j = free_joint(b, "ratio", "coupler", NULL, NULL, NULL, NULL);
    j->joints[0] = of[0];
    j->joints[1] = of[1];
    free_joint_number(b, "ratio", 2 * uniform());
}

/* Bodies that hang on each other, with loops that fit. */
static void random_linkage(free_build *b, double length)
{
    const int dimension = 2 + below(2), bodies = 2 + below(6), loops = below(4);
    free_begin(b, dimension, 1);
    for (int k = 0; k < bodies; k++) {
        const double mass = exp(3 * uniform());
        const double inertia[3] = {0.1 * mass * length * length, 0.12 * mass * length * length,
                                   0.09 * mass * length * length};
        const double x = length * uniform(), y = length * uniform(), z = dimension == 2 ? 0 : length * uniform();
        carom_body_def *body = free_body(b, free_name(b, "b", k), mass, dimension == 2 ? 1 : 3, inertia, x, y, z);
        body->angle = 3 * uniform();
        free_turn(2 * uniform(), 2 * uniform(), 2 * uniform(), body->orientation);
    }
    for (int k = 1; k <= bodies; k++)
        add_joint(b, below(k), k, length, below(4) == 0);
    for (int k = 0; k < loops; k++) {
        const int from = below(bodies + 1), to = (from + 1 + below(bodies)) % (bodies + 1);
        add_joint(b, from, to, length, below(4) == 0);
    }
    if (!loops && below(2))
        add_coupler(b);
}

/* Drives the first joint of a linkage without loops that has a coordinate, from where it is. */
static void drive(free_build *b, char *text, size_t size)
{
    carom_context *ctx = new_context();
    carom_model *model = NULL;
    assert_ok(ctx, carom_model_compile(ctx, &b->spec, &model));
    linkage l;
    assert_true(open_linkage(&l, ctx, model));
    int k = 0;
    const int joints = model->joint_count - model->part_count;
    while (k < joints && (model->joints[k].coordinate < 0 || model->joints[k].clearance.index >= 0 ||
                                      strcmp(b->joints[k].type, "distance") == 0))
        k++;
    if (k < joints && b->spec.joint_count <= b->spec.body_count) {
        snprintf(text, size, "%.17g + 0.3*t", l.s.coordinate[model->joints[k].coordinate]);
        b->joints[k].motion = carom_value_expression(text);
    }
    close_linkage(&l);
    carom_context_free(ctx);
}

static void test_random_linkages(void **state)
{
    (void)state;
    tally t = {0};
    for (int n = 0; n < 700; n++) {
        free_build b;
        char motion[64];
        random_linkage(&b, pow(10, 3 * uniform()));
        drive(&b, motion, sizeof motion);
        carom_context *ctx = new_context();
        carom_model *model = NULL;
        assert_ok(ctx, carom_model_compile(ctx, &b.spec, &model));
        linkage l;
        if (!open_linkage(&l, ctx, model))
            fail_msg("%d: %s", n, carom_context_error(ctx));
        char name[200];
        int used = snprintf(name, sizeof name, "%d: %d-D, %d bodies, %d rows (rank %d)", n, model->dimension,
                            model->body_count, model->row_count, l.start.rank);
        for (int k = 0; k < (int)b.spec.joint_count && used < 190; k++)
            used += snprintf(name + used, sizeof name - (size_t)used, " %s%s", b.joints[k].type,
                             b.joints[k].clearance.given ? "*" : "");
        try_guesses(&l, 3, 0.05, 10, &t, name);
        close_linkage(&l);
        carom_context_free(ctx);
    }
    printf("linkages: %d starts, %d refused, %d off, %d too far (%.3g times); violations %.1e of the length, %.1e of "
           "the speed\n", t.starts, t.refused, t.off, t.far, t.farthest, t.position, t.velocity);
    assert_int_equal(t.refused + t.off + t.far, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_random_linkages),
    };
    return sample_group_tests(tests, 1, 2, NULL, NULL);
}
