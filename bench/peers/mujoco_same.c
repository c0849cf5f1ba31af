/* Forward dynamics of the same bodies in Carom and in MuJoCo (double precision, Debian), in one run: chains of 1 to
   1024 links, a tree of 36 coordinates on six feet, and model files whose joints are hinges, slides and fixed ones.
   MuJoCo's model is written from the tree that Carom has compiled, that of a long chain as URDF, whose links do not
   nest: MJCF may nest 100 deep. Motions, loads, limits and friction of joints are left out of both. Random rates;
   `| off`: largest difference of an acceleration without contacts, as a share of the largest. Times are CPU time an
   evaluation, medians of seven, in turn: Carom's right-hand side against mj_forward.
   usage: mujoco_same [-c | -l | -lc] [MODEL.yaml ...]; -c: free bodies 1 mm lower, with the contacts of their spheres
   on planes; -l: no MuJoCo, the bodies as a list that simbody_same reads: `mujoco_same -l | simbody_same`; -lc: both */
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>
#include <mujoco/mujoco.h>
#include "carom/model.h"
#include "dynamics/formulation/tree.h"
#include "peertime.h"
#include "sim/sim.h"

#define REPETITIONS 7
#define LEAST_TIME 0.05
#define SUNK 1e-3

/* Deepest chain that MJCF may have, about. */
#define DEEP 90
#define LEGS 6
#define LINKS 5

typedef struct mode {
    bool contacts, list;
} mode;

static FILE *xml;

static void die(const carom_context *ctx, const char *what)
{
    fprintf(stderr, "%s: %s\n", what, ctx ? carom_context_error(ctx) : "failed");
    exit(1);
}

/* ---- MuJoCo's model from Carom's tree ---- */

static void write_joint(const carom_evaluation *d, int body)
{
    const carom_tree_body *tb = &d->model->tree.bodies[body];
    const carom_axial_joint *a = &tb->axial;
    if (carom_tree_is_root(tb)) {
        fprintf(xml, "<freejoint name='j%d'/>", body);
        return;
    }
    if (tb->v_count == 0)
        return;
    if (!a->is || (a->turn != 0 && a->lead != 0))
        die(NULL, "a joint is no hinge, slide or fixed one");
    const carom_vec3 world = carom_m3_apply(&d->pose[tb->parent].axes, a->axis);
    const carom_vec3 axis = carom_m3_apply_t(&d->pose[body].axes, world);
    fprintf(xml, "<joint name='j%d' type='%s' axis='%.17g %.17g %.17g' pos='%.17g %.17g %.17g'/>", body,
            a->turn != 0 ? "hinge" : "slide", axis.x, axis.y, axis.z, a->far.x, a->far.y, a->far.z);
}

static bool is_sphere(const carom_model_shape *s) { return s->body && strcmp(s->kind->kind.name, "sphere") == 0; }

static void write_body(const carom_evaluation *d, int body, bool contacts)
{
    const carom_model *m = d->model;
    const carom_model_body *b = &m->bodies[body];
    const carom_body_pose *own = &d->pose[body], *parent = &d->pose[m->tree.bodies[body].parent];
    const carom_mat3 axes = carom_m3_multiply_t(&parent->axes, &own->axes);
    const carom_quat q = carom_quat_from_axes(&axes);
    const carom_vec3 p = carom_m3_apply_t(&parent->axes, carom_v3_sub(own->p, parent->p));
    fprintf(xml, "<body pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'>", p.x, p.y, p.z, q.w, q.x, q.y, q.z);
    write_joint(d, body);
    fprintf(xml, "<inertial pos='0 0 0' mass='%.17g' fullinertia='%.17g %.17g %.17g %.17g %.17g %.17g'/>", b->mass,
            b->inertia.m[0][0], b->inertia.m[1][1], b->inertia.m[2][2], b->inertia.m[0][1], b->inertia.m[0][2],
            b->inertia.m[1][2]);
    for (int k = 0; contacts && k < m->shape_count; k++) {
        const carom_model_shape *s = &m->shapes[k];
        if (s->body == body && is_sphere(s))
            fprintf(xml, "<geom type='sphere' size='%.17g' pos='%.17g %.17g %.17g' condim='3' contype='1' "
                         "conaffinity='2'/>", s->p[0], s->at.x, s->at.y, s->at.z);
    }
    for (int k = 0; k < m->body_count; k++)
        if (m->tree.bodies[m->tree.order[k]].parent == body)
            write_body(d, m->tree.order[k], contacts);
    fprintf(xml, "</body>");
}

/* Links of a chain of hinges whose axes are parallel, each with its frame at its joint. */
static void write_chain(const carom_evaluation *d)
{
    const carom_model *m = d->model;
    fprintf(xml, "<robot name='chain'><mujoco><compiler balanceinertia='false' boundmass='0' fusestatic='false'/>"
                 "<option gravity='%.17g %.17g %.17g'/></mujoco><link name='l0'/>",
            m->gravity.x, m->gravity.y, m->gravity.z);
    for (int k = 0; k < m->body_count; k++) {
        const int body = m->tree.order[k], parent = m->tree.bodies[body].parent;
        const carom_model_body *b = &m->bodies[body];
        const carom_axial_joint *a = &m->tree.bodies[body].axial;
        const carom_vec3 none = {0, 0, 0}, before = parent ? m->tree.bodies[parent].axial.far : none;
        const carom_vec3 at = carom_v3_add(d->pose[body].p, a->far), from = carom_v3_add(d->pose[parent].p, before);
        const carom_vec3 p = carom_v3_sub(at, from);
        fprintf(xml, "<link name='l%d'><inertial><origin xyz='%.17g %.17g %.17g'/><mass value='%.17g'/>", body,
                -a->far.x, -a->far.y, -a->far.z, b->mass);
        fprintf(xml, "<inertia ixx='%.17g' iyy='%.17g' izz='%.17g' ixy='0' ixz='0' iyz='0'/></inertial></link>",
                b->inertia.m[0][0], b->inertia.m[1][1], b->inertia.m[2][2]);
        fprintf(xml, "<joint name='j%d' type='continuous'><parent link='l%d'/><child link='l%d'/>", body, parent, body);
        fprintf(xml, "<origin xyz='%.17g %.17g %.17g'/><axis xyz='%.17g %.17g %.17g'/></joint>", p.x, p.y, p.z,
                a->axis.x, a->axis.y, a->axis.z);
    }
    fprintf(xml, "</robot>");
}

static void write_tree(const carom_evaluation *d, bool contacts)
{
    const carom_model *m = d->model;
    fprintf(xml, "<mujoco><compiler angle='radian' balanceinertia='false' boundmass='0' inertiafromgeom='false'/>"
                 "<option gravity='%.17g %.17g %.17g'/><worldbody>", m->gravity.x, m->gravity.y, m->gravity.z);
    if (contacts)
        fprintf(xml, "<geom type='plane' size='10 10 1' contype='2' conaffinity='1'/>");
    for (int k = 0; k < m->body_count; k++)
        if (m->tree.bodies[m->tree.order[k]].parent == 0)
            write_body(d, m->tree.order[k], contacts);
    fprintf(xml, "</worldbody></mujoco>");
}

static int depth_of(const carom_model *m)
{
    int deepest = 0;
    for (int k = 1; k <= m->body_count; k++) {
        int depth = 0;
        for (int body = k; body; body = m->tree.bodies[body].parent)
            depth++;
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest;
}

static mjModel *write_model(const carom_evaluation *d, bool contacts)
{
    char path[] = "/tmp/carom_same_XXXXXX", error[1000] = "";
    const int file = mkstemp(path);
    if (file < 0 || !(xml = fdopen(file, "w")))
        die(NULL, path);
    if (depth_of(d->model) > DEEP)
        write_chain(d);
    else
        write_tree(d, contacts);
    fclose(xml);
    mjModel *out = mj_loadXML(path, NULL, error, sizeof error);
    remove(path);
    if (!out)
        fprintf(stderr, "MuJoCo: %s\n", error);
    return out;
}

/* One line a body, in axes of its own and about its centre of mass, placed on the carrying one as it is; with rate and
   acceleration of a hinge or slide. And one a sphere, where there are contacts. */
static void list(const char *name, const carom_simulation *sim, const double *rate, double time, bool contacts)
{
    const carom_model *m = sim->model;
    int spheres = 0;
    for (int k = 0; contacts && k < m->shape_count; k++)
        spheres += is_sphere(&m->shapes[k]);
    printf("model %s %d %d %.17g %.17g %.17g %.17g\n", name, m->body_count, spheres, m->gravity.x, m->gravity.y,
           m->gravity.z, time);
    for (int k = 0; k < m->body_count; k++) {
        const int body = m->tree.order[k];
        const carom_tree_body *tb = &m->tree.bodies[body];
        const carom_model_body *b = &m->bodies[body];
        const carom_body_pose *own = &sim->d->pose[body], *parent = &sim->d->pose[tb->parent];
        const carom_axial_joint *a = &tb->axial;
        const carom_mat3 axes = carom_m3_multiply_t(&parent->axes, &own->axes);
        const carom_vec3 p = carom_m3_apply_t(&parent->axes, carom_v3_sub(own->p, parent->p));
        const carom_vec3 axis = carom_m3_apply_t(&own->axes, carom_m3_apply(&parent->axes, a->axis));
        const char *type = carom_tree_is_root(tb) ? "free" : tb->v_count == 0 ? "weld" : a->turn != 0 ? "pin" : "slider";
        const bool one = tb->v_count == 1;
        printf("%d %d %s %.17g", body, tb->parent, type, b->mass);
        printf(" %.17g %.17g %.17g %.17g %.17g %.17g", b->inertia.m[0][0], b->inertia.m[1][1], b->inertia.m[2][2],
               b->inertia.m[0][1], b->inertia.m[0][2], b->inertia.m[1][2]);
        for (int i = 0; i < 9; i++)
            printf(" %.17g", axes.m[i / 3][i % 3]);
        printf(" %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g", p.x, p.y, p.z, axis.x, axis.y, axis.z, a->far.x,
               a->far.y, a->far.z);
        printf(" %.17g %.17g\n", one ? sim->s.v[tb->first_v] : 0, one ? rate[tb->first_v] : 0);
    }
    for (int k = 0; contacts && k < m->shape_count; k++) {
        const carom_model_shape *s = &m->shapes[k];
        if (is_sphere(s))
            printf("%d %.17g %.17g %.17g %.17g\n", s->body, s->p[0], s->at.x, s->at.y, s->at.z);
    }
}

/* ---- the same state, and its accelerations ---- */

static int address(const mjModel *mj, int body)
{
    char name[16];
    snprintf(name, sizeof name, "j%d", body);
    const int joint = mj_name2id(mj, mjOBJ_JOINT, name);
    return joint < 0 ? -1 : mj->jnt_dofadr[joint];
}

static void give_rates(const carom_evaluation *d, const mjModel *mj, mjData *data, const double *v)
{
    for (int body = 1; body <= d->model->body_count; body++) {
        const carom_tree_body *tb = &d->model->tree.bodies[body];
        const int to = address(mj, body);
        for (int k = 0; to >= 0 && k < tb->v_count; k++)
            data->qvel[to + k] = v[tb->first_v + k];
        if (!carom_tree_is_root(tb))
            continue;
        const carom_vec3 w = carom_m3_apply_t(&d->pose[body].axes, carom_v3_load(v + tb->first_v + 3));
        const double own[3] = {w.x, w.y, w.z};
        memcpy(data->qvel + to + 3, own, sizeof own);
    }
}

/* Largest difference of accelerations, as a share of the largest. */
static double difference(const carom_evaluation *d, const mjModel *mj, const mjData *data, const double *rate)
{
    double off = 0, scale = 0;
    for (int body = 1; body <= d->model->body_count; body++) {
        const carom_tree_body *tb = &d->model->tree.bodies[body];
        const int at = address(mj, body);
        for (int k = 0; at >= 0 && k < tb->v_count; k++) {
            double theirs = data->qacc[at + k];
            if (carom_tree_is_root(tb) && k >= 3) {
                const carom_vec3 own = {data->qacc[at + 3], data->qacc[at + 4], data->qacc[at + 5]};
                const carom_vec3 world = carom_m3_apply(&d->pose[body].axes, own);
                theirs = k == 3 ? world.x : k == 4 ? world.y : world.z;
            }
            off = fmax(off, fabs(theirs - rate[tb->first_v + k]));
            scale = fmax(scale, fabs(theirs));
        }
    }
    return off / scale;
}

/* ---- Carom's model ---- */

static carom_joint_def *strip(carom_context *ctx, carom_spec *spec, bool contacts)
{
    carom_joint_def *joints = calloc(spec->joint_count + 1, sizeof *joints);
    if (!joints)
        die(ctx, "joints");
    memcpy(joints, spec->joints, spec->joint_count * sizeof *joints);
    const carom_joint_def none = {0};
    for (size_t k = 0; k < spec->joint_count; k++) {
        joints[k].motion = none.motion;
        joints[k].rate = none.rate;
        joints[k].friction = none.friction;
        joints[k].spring = joints[k].damper = joints[k].limits = none.spring;
        joints[k].armature = 0;
    }
    spec->joints = joints;
    spec->load_count = spec->output_count = spec->state_count = spec->event_count = 0;
    if (!contacts)
        spec->contact_count = 0;
    return joints;
}

/* In contact at rest; without contacts at random rates, for the list those of a free body left out. */
static void place(carom_simulation *sim, carom_state *s, mode mode)
{
    const bool contacts = mode.contacts;
    const carom_tree *tree = &sim->model->tree;
    size_t n, m;
    carom_state_positions(s, &n);
    carom_state_velocities(s, &m);
    double *q = calloc(n, sizeof *q), *v = calloc(m, sizeof *v);
    memcpy(q, carom_state_positions(s, NULL), n * sizeof *q);
    for (size_t k = 0; k < m; k++)
        v[k] = contacts ? 0 : sin(1 + 12.9898 * (double)k * (double)(k + 1));
    for (int body = 1; body <= sim->model->body_count; body++) {
        const carom_tree_body *tb = &tree->bodies[body];
        if (carom_tree_is_root(tb) && contacts)
            q[tb->first_q + 2] -= SUNK;
        if (carom_tree_is_root(tb) && mode.list)
            memset(v + tb->first_v, 0, 6 * sizeof *v);
    }
    if (carom_state_set_positions(s, q, n) != CAROM_OK || carom_state_set_velocities(s, v, m) != CAROM_OK ||
        carom_simulation_set_state(sim, s, NULL, NULL) != CAROM_OK)
        die(sim->ctx, "state");
    free(q);
    free(v);
}

/* ---- times ---- */

static double time_carom(carom_simulation *sim)
{
    long calls = 0;
    const double start = cpu_now();
    do
        for (int k = 0; k < 10; k++, calls++)
            if (carom_rhs_rates(sim, *sim->s.time, sim->s.q, sim->rate_scratch) != 0)
                die(sim->ctx, "evaluation");
    while (cpu_now() - start < LEAST_TIME);
    return (cpu_now() - start) / (double)calls * 1e6;
}

static double time_mujoco(const mjModel *mj, mjData *data)
{
    long calls = 0;
    const double start = cpu_now();
    do
        for (int k = 0; k < 10; k++, calls++)
            mj_forward(mj, data);
    while (cpu_now() - start < LEAST_TIME);
    return (cpu_now() - start) / (double)calls * 1e6;
}

static void compare(const char *name, carom_simulation *sim, mode mode)
{
    const bool contacts = mode.contacts;
    double ours[REPETITIONS], theirs[REPETITIONS];
    carom_state *s;
    if (carom_state_create(sim->ctx, sim->base, &s) != CAROM_OK || carom_simulation_get_state(sim, s) != CAROM_OK)
        die(sim->ctx, name);
    place(sim, s, mode);
    if (carom_rhs_rates(sim, *sim->s.time, sim->s.q, sim->rate_scratch) != 0)
        die(sim->ctx, name);
    const double *rate = sim->rate_scratch + (sim->s.v - sim->s.q);
    mjModel *mj = NULL;
    if (mode.list)
        list(name, sim, rate, time_carom(sim), contacts);
    if (mode.list || !(mj = write_model(sim->d, contacts))) {
        carom_state_free(s);
        return;
    }
    mjData *data = mj_makeData(mj);
    give_rates(sim->d, mj, data, sim->s.v);
    mj_forward(mj, data);
    const double off = difference(sim->d, mj, data, rate);
    int open = 0;
    for (int k = 0; k < sim->model->contact_count; k++)
        open += sim->s.located[k].open;
    for (int r = 0; r < REPETITIONS; r++) {
        ours[r] = time_carom(sim);
        theirs[r] = time_mujoco(mj, data);
    }
    const double a = median(ours, REPETITIONS), b = median(theirs, REPETITIONS);
    printf("| %s | %d | %d, %d | %.3f | %.3f | %.2g | ", name, mj->nv, open, data->ncon, a, b, a / b);
    printf(contacts ? "|\n" : "%.0e |\n", off);
    fflush(stdout);
    mj_deleteData(data);
    mj_deleteModel(mj);
    carom_state_free(s);
}

static void run(const char *path, const char *name, mode mode)
{
    carom_context *ctx;
    carom_document *document;
    carom_model *model;
    carom_simulation *sim;
    if (carom_context_create(NULL, &ctx) != CAROM_OK || carom_document_read(ctx, path, NULL, 0, &document) != CAROM_OK)
        die(NULL, path);
    carom_spec spec = *carom_document_spec(document);
    carom_joint_def *joints = strip(ctx, &spec, mode.contacts);
    carom_run_def def = carom_default_run_def();
    def.until = 1;
    def.formulation = "tree";
    spec.runs = &def;
    spec.run_count = 1;
    if (carom_model_compile(ctx, &spec, &model) != CAROM_OK ||
        carom_simulation_create(ctx, model, NULL, &sim) != CAROM_OK)
        die(ctx, path);
    compare(name, sim, mode);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_document_free(document);
    carom_context_free(ctx);
    free(joints);
}

/* A file for a model that is written here. */
static FILE *open_model(char *path)
{
    const int file = mkstemp(path);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");
    if (!out)
        die(NULL, path);
    fprintf(out, "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nrun: {until: 1}\nbodies:\n");
    return out;
}

/* Links of 0.1 m and 0.1 kg about the y-axis. */
static void chain(int links, mode mode)
{
    char path[] = "/tmp/carom_chain_XXXXXX", name[32];
    FILE *out = open_model(path);
    for (int k = 0; k < links; k++)
        fprintf(out, "  l%d: {mass: 0.1, inertia: [1e-6, 8.4e-5, 8.4e-5], at: [%.17g, 0, 0]}\n", k, 0.1 * k + 0.05);
    fprintf(out, "joints:\n");
    for (int k = 0; k < links; k++)
        fprintf(out, "  j%d: {type: revolute, between: [%s%.0d%s, {l%d: [-0.05, 0, 0]}], axis: [0, 1, 0]}\n", k,
                k ? "{l" : "ground", k > 1 ? k - 1 : 0, k == 1 ? "0: [0.05, 0, 0]}" : k ? ": [0.05, 0, 0]}" : "", k);
    fclose(out);
    snprintf(name, sizeof name, "chain-%d", links);
    run(path, name, mode);
    remove(path);
}

/* Six legs of five hinges, the first one upright and the others across, on a body that moves freely: 36 coordinates,
   and a sphere at each foot, as `mujoco_peers robots` and `simbody_c robots` have it. */
static void tree(const char *friction, mode mode)
{
    char path[] = "/tmp/carom_tree_XXXXXX", name[64];
    const double high = 0.32, length = 0.3 / (LINKS - 1);
    FILE *out = open_model(path);
    fprintf(out, "  base: {mass: 5, inertia: [0.05, 0.05, 0.08], at: [0, 0, %.17g]}\n", high);
    for (int leg = 0; leg < LEGS; leg++)
        for (int k = 0; k < LINKS; k++) {
            const double angle = 2 * M_PI * leg / LEGS, out_by = k ? 0.25 : 0.22;
            fprintf(out, "  l%d%d: {mass: %g, inertia: [%s], at: [%.17g, %.17g, %.17g]}\n", leg, k, k ? 0.15 : 0.2,
                    k ? "2e-4, 2e-4, 1e-5" : "1e-4, 1e-4, 1e-4", out_by * cos(angle), out_by * sin(angle),
                    k ? high - (k - 0.5) * length : high);
        }
    fprintf(out, "joints:\n");
    for (int leg = 0; leg < LEGS; leg++) {
        const double angle = 2 * M_PI * leg / LEGS, c = cos(angle), s = sin(angle);
        for (int k = 0; k < LINKS; k++) {
            char parent[80];
            if (k > 1)
                snprintf(parent, sizeof parent, "l%d%d: [0, 0, %.17g]", leg, k - 1, -length / 2);
            else if (k)
                snprintf(parent, sizeof parent, "l%d0: [%.17g, %.17g, 0]", leg, 0.03 * c, 0.03 * s);
            else
                snprintf(parent, sizeof parent, "base: [%.17g, %.17g, 0]", 0.2 * c, 0.2 * s);
            fprintf(out, "  j%d%d: {type: revolute, between: [{%s}, {l%d%d: ", leg, k, parent, leg, k);
            if (k)
                fprintf(out, "[0, 0, %.17g]}], axis: [%.17g, %.17g, 0]}\n", length / 2, -s, c);
            else
                fprintf(out, "[%.17g, %.17g, 0]}], axis: [0, 0, 1]}\n", -0.02 * c, -0.02 * s);
        }
    }
    fprintf(out, "shapes:\n  floor: {type: plane, on: ground, normal: [0, 0, 1]}\n");
    for (int leg = 0; leg < LEGS; leg++)
        fprintf(out, "  foot%d: {type: sphere, on: l%d%d, at: [0, 0, %.17g], radius: 20*mm}\n", leg, leg, LINKS - 1,
                -length / 2);
    fprintf(out, "contacts:\n");
    for (int leg = 0; leg < LEGS; leg++)
        fprintf(out, "  c%d: {between: [floor, foot%d], normal: {law: flores, stiffness: 1e6, restitution: 0.3}, "
                     "friction: {law: %s, static: 0.8, kinetic: 0.7}}\n", leg, leg, friction);
    fclose(out);
    snprintf(name, sizeof name, "tree-%d%s%s", 6 + LEGS * LINKS, mode.contacts ? "-" : "",
             mode.contacts ? friction : "");
    run(path, name, mode);
    remove(path);
}

int main(int argc, char **argv)
{
    const char *option = argc > 1 && argv[1][0] == '-' ? argv[1] : "";
    const mode mode = {.contacts = strchr(option, 'c') != NULL, .list = strchr(option, 'l') != NULL};
    const int first = 1 + (option[0] != 0);
    if (!mode.list)
        printf("| bodies | freedoms | contacts | Carom [us] | mj_forward [us] | ratio | off |\n"
               "|---|---|---|---|---|---|---|\n");
    for (int k = first; k < argc; k++) {
        const char *slash = strrchr(argv[k], '/');
        run(argv[k], slash ? slash + 1 : argv[k], mode);
    }
    if (argc > first)
        return 0;
    for (int links = 1; !mode.contacts && links <= 1024; links *= 2)
        chain(links, mode);
    tree("bengisu-akay", mode);
    if (mode.contacts)
        tree("coulomb", mode);
    return 0;
}
