#include "support/trial.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "carom: 1\n"
#define RUN "run: {until: 1}\n"

const trial trial_block = {"slider_crank_block", NULL, 0.1, 1e-5, 1e-3};
const trial trial_top = {"spinning_top", NULL, 1.0, 2e-4, 1e-2};
const trial trial_redundant = {"slider_crank_3d", NULL, 0.05, 1e-5, 1e-3};

const trial trial_balls = {
    "balls",
    HEAD "title: Balls on a floor\n"
         "dimension: 2\n"
         "gravity: [0, -9.81]\n"
         "bodies:\n"
         "  low:  {mass: 0.1, inertia: 1e-5, at: [0, 0.05], velocity: [0.1, -0.5]}\n"
         "  high: {mass: 0.2, inertia: 2e-5, at: [0.003, 0.15], velocity: [0, -1]}\n"
         "shapes:\n"
         "  floor: {type: plane, on: ground, normal: [0, 1]}\n"
         "  ball:  {type: sphere, on: low, radius: 0.02}\n"
         "  other: {type: sphere, on: high, radius: 0.02}\n"
         "contacts:\n"
         "  a: {between: [floor, ball], normal: {law: flores, stiffness: 1e7, restitution: 0.8}}\n"
         "  b: {between: [floor, other], normal: {law: hunt-crossley, stiffness: 1e7, restitution: 0.9}}\n"
         "  c: {between: [ball, other], normal: {law: lankarani-nikravesh, stiffness: 1e7, restitution: 0.7, "
         "velocity: re-armed}}\n" RUN,
    0.5, 1e-4, 1e-3};

const trial trial_balls_3d = {
    "balls_3d",
    HEAD "dimension: 3\n"
         "gravity: [0, 0, -9.81]\n"
         "materials: {steel: {E: 207*GPa, nu: 0.3}}\n"
         "bodies:\n"
         "  low:  {mass: 0.1, inertia: [1e-5, 2e-5, 2.5e-5], at: [0, 0, 0.05], angular_velocity: [3, 1, 7]}\n"
         "  high: {mass: 0.2, inertia: [2e-5, 2e-5, 2e-5], at: [0.003, 0, 0.12], velocity: [0, 0.01, -1]}\n"
         "shapes:\n"
         "  floor: {type: plane, on: ground, normal: [0, 0, 1], material: steel}\n"
         "  ball:  {type: sphere, on: low, at: [0.001, 0, 0], radius: 0.02, material: steel}\n"
         "  other: {type: sphere, on: high, radius: 0.02, material: steel}\n"
         "contacts:\n"
         "  a: {between: [floor, ball], normal: {law: flores, restitution: 0.8}}\n"
         "  b: {between: [floor, other], normal: {law: gonthier, restitution: 0.9, release: latch-open}}\n"
         "  c: {between: [ball, other], normal: {law: hertz}}\n" RUN,
    0.3, 1e-4, 1e-3};

const trial trial_rubbing = {
    "rubbing",
    HEAD "dimension: 3\n"
         "gravity: [0.5, 0, -9.81]\n"
         "materials: {steel: {E: 207*GPa, nu: 0.3}}\n"
         "bodies:\n"
         "  one:   {mass: 0.1, inertia: [1e-5, 1e-5, 1e-5], at: [0, 0, 0.021], velocity: [0.3, 0, -0.2]}\n"
         "  two:   {mass: 0.1, inertia: [1e-5, 1e-5, 1e-5], at: [0.2, 0, 0.021], velocity: [0, 0.3, -0.2], "
         "angular_velocity: [0, 9, 3]}\n"
         "  three: {mass: 0.1, inertia: [1e-5, 1e-5, 1e-5], at: [0, 0.2, 0.021], velocity: [-0.1, 0.1, -0.2]}\n"
         "  four:  {mass: 0.1, inertia: [1e-5, 1e-5, 1e-5], at: [0.2, 0.2, 0.021], velocity: [0.1, 0, -0.2]}\n"
         "shapes:\n"
         "  floor: {type: plane, on: ground, normal: [0, 0, 1], material: steel}\n"
         "  a: {type: sphere, on: one, radius: 0.02, material: steel}\n"
         "  b: {type: sphere, on: two, radius: 0.02, material: steel}\n"
         "  c: {type: sphere, on: three, radius: 0.02, material: steel}\n"
         "  d: {type: sphere, on: four, radius: 0.02, material: steel}\n"
         "contacts:\n"
         "  a: {between: [floor, a], normal: {law: walton-braun, stiffness: 1e5, restitution: 0.5}, friction: {law: "
         "coulomb, kinetic: 0.3}}\n"
         "  b: {between: [floor, b], normal: {law: tsuji, stiffness: 1e7, restitution: 0.4}, friction: {law: lugre, "
         "kinetic: 0.3, bristle_stiffness: 2000, bristle_damping: 1, rolling: 1e-4, spinning: 1e-4}}\n"
         "  c: {between: [floor, c], normal: {law: jankowski, stiffness: 1e7, restitution: 0.5}, friction: {law: "
         "mindlin, kinetic: 0.3}}\n"
         "  d: {between: [floor, d], normal: {law: lankarani-nikravesh-1994, stiffness: 1e7, restitution: 0.5}, "
         "friction: {law: karnopp, kinetic: 0.2, static: 0.3}}\n" RUN,
    0.03, 2e-5, 1e-3};

const trial trial_loads = {
    "loads",
    HEAD "dimension: 2\n"
         "gravity: [0, -9.81]\n"
         "bodies:\n"
         "  block: {mass: 1, inertia: 0.01, at: [0, 0.5], frames: {ear: [0.1, 0.1]}}\n"
         "  arm:   {mass: 0.5, inertia: 0.004, at: [0.3, 0.5]}\n"
         "joints:\n"
         "  hinge: {type: revolute, between: [block.ear, {arm: [-0.2, 0.1]}], rate: 2}\n"
         "loads:\n"
         "  spring: {type: spring, between: [{ground: [0, 1]}, block], stiffness: 200, length: 0.4}\n"
         "  damper: {type: damper, between: [{ground: [0, 1]}, block], damping: 2}\n"
         "  push:   {type: force, on: block.ear, force: [\"if(t > 0.2, 3*sin(20*t), 1)\", \"-2*vx(block)\"]}\n"
         "  twist:  {type: torque, on: arm, torque: \"-0.05*angle(hinge) + max(0, spin(arm))*0.001\"}\n" RUN,
    1.0, 1e-3, 1e-2};

const trial trial_driven = {
    "driven",
    HEAD "dimension: 2\n"
         "gravity: [0, -9.81]\n"
         "splines: {lift: [[0, 0], [0.3, 0.2], [0.6, 0.1], [2, 0.4]]}\n"
         "bodies:\n"
         "  crank: {mass: 1, inertia: 0.01, at: [0.1, 0], frames: {root: [-0.1, 0], tip: [0.1, 0]}}\n"
         "  rod:   {mass: 1, inertia: 0.02, at: [0.4, 0], frames: {root: [-0.2, 0], tip: [0.2, 0]}}\n"
         "  table: {mass: 3, inertia: 0.1, at: [2, 0], motion: {x: \"2 + spline(lift, t)\"}}\n"
         "joints:\n"
         "  main: {type: revolute, between: [ground, crank.root], motion: \"step5(t, 0, 0, 0.5, 2) + if(t < 0.7, 0, "
         "(t - 0.7)^3)\"}\n"
         "  pin:  {type: revolute, between: [crank.tip, rod.root]}\n"
         "  slot: {type: point-in-line, between: [ground, rod.tip], axis: [1, 0]}\n" RUN,
    1.0, 1e-3, 1e-2};

const trial trial_pins = {
    "pins",
    HEAD "dimension: 2\n"
         "gravity: [0, -9.81]\n"
         "bodies:\n"
         "  crank:  {mass: 1, inertia: 0.01, at: [0.1, 0], frames: {root: [-0.1, 0], tip: [0.1, 0]}}\n"
         "  rod:    {mass: 1, inertia: 0.02, at: [0.4, 0], frames: {root: [-0.2, 0], tip: [0.2, 0]}}\n"
         "  slider: {mass: 2, inertia: 0.01, at: [0.6, 0]}\n"
         "joints:\n"
         "  main:  {type: revolute, between: [ground, crank.root], rate: 3, friction: {law: coulomb, kinetic: 0.2, "
         "radius: 0.05, preload: 20}, damper: {damping: 0.01}}\n"
         "  pin:   {type: revolute, between: [crank.tip, rod.root], friction: {law: karnopp, kinetic: 0.2, static: "
         "0.3, radius: 0.02}}\n"
         "  wrist: {type: revolute, between: [rod.tip, slider], friction: {law: hollars, kinetic: 0.2, radius: 0.02, "
         "transition_speed: 0.01}}\n"
         "  guide: {type: translational, between: [ground, slider], axis: [1, 0], spring: {stiffness: 50, free: 0.5}, "
         "friction: {law: lugre, kinetic: 0.2, bristle_stiffness: 200, bristle_damping: 0.1, length: 0.1}}\n" RUN,
    1.0, 2e-4, 1e-2};

const trial trial_many = {
    "many",
    HEAD "dimension: 3\n"
         "gravity: [0, 0, -9.81]\n"
         "materials: {soft: {E: 5*MPa, nu: 0.25}}\n"
         "bodies:\n"
         "  ball: {copies: 4, mass: 0.01*copy, inertia: [1e-6, 1e-6, 1.5e-6], at: [0.014*copy, 0.001*copy^2, 0.011 + "
         "0.001*copy], velocity: [-0.2*copy, 0, -0.5], angular_velocity: [0, copy, 3]}\n"
         "shapes:\n"
         "  ball:  {type: sphere, on: ball, radius: 0.005 + 0.001*copy, material: soft}\n"
         "  floor: {type: plane, on: ground, normal: [0.1, 0, 1], material: soft}\n"
         "  wall:  {type: plane, on: ground, normal: [1, 0, 0], material: soft}\n"
         "contacts:\n"
         "  c: {all: ['*'], normal: {law: hunt-crossley-alpha, alpha: 1}, friction: {law: hollars, kinetic: 0.3, "
         "static: 0.3, transition_speed: 0.05}}\n" RUN,
    0.02, 1e-5, 1e-3};

const trial trial_events = {
    "events",
    HEAD "dimension: 2\n"
         "gravity: [0, -9.81]\n"
         "inputs: {brake: 0, push: {start: 0.3, unit: N m, description: torque that is wanted}, gust: 0.1}\n"
         "states:\n"
         "  lag:  {rate: (push - lag)/0.01, start: 0.1, scale: 0.1, unit: N m, description: torque that there is}\n"
         "  wear: {rate: abs(speed(clutch))}\n"
         "bodies:\n"
         "  a:    {mass: 1, inertia: 0.02, angular_velocity: 2}\n"
         "  b:    {mass: 1, inertia: 0.03, angular_velocity: 0}\n"
         "  ball: {mass: 0.1, inertia: 1e-5, at: [0.5, 0.024], velocity: [0.1, -1]}\n"
         "  rod:  {mass: 1, inertia: 0.03, at: [2.3, 0], frames: {root: [-0.3, 0]}}\n"
         "shapes:\n"
         "  floor: {type: plane, on: ground, normal: [0, 1]}\n"
         "  skin:  {type: sphere, on: ball, radius: 0.02}\n"
         "joints:\n"
         "  base:   {type: revolute, between: [ground, a]}\n"
         "  clutch: {type: revolute, between: [a, b]}\n"
         "  pin:    {type: revolute, between: [{ground: [2, 0]}, rod.root], rate: 2, clearance: {radial: 1*mm,\n"
         "           radius: 10*mm, normal: {law: flores, stiffness: 1e5, restitution: 0.5}}}\n"
         "loads:\n"
         "  motor: {type: torque, on: a, torque: lag}\n"
         "  pads:  {type: torque, on: b, torque: -brake}\n"
         "  wind:  {type: force, on: ball, force: [gust, 0]}\n"
         "  hose:  {type: spring, between: [{ground: [0.5, 1]}, ball], stiffness: 20, length: 0.4}\n"
         "contacts:\n"
         "  hit: {between: [floor, skin], normal: {law: flores, stiffness: 1e5, restitution: 0.8}}\n"
         "events:\n"
         "  engage:  {when: t > 0.002, once: yes, do: {lock: clutch}}\n"
         "  release: {when: t > 0.005, do: [unlock: clutch, switch-off: motor, switch-off: hose,\n"
         "             set: {brake: 0.06 + t, lag: 0}]}\n"
         "  landed:  {when: contact.hit.count > 0 and not wear > 9, do: [switch-on: motor, set: {push: -push}]}\n"
         "  end:     {when: t >= 0.05, do: stop}\n"
         "outputs:\n"
         "  slip: {value: spin(b) - spin(a), unit: rad/s, description: speed of the second disc against the first}\n"
         "  grip: {value: contact.hit.force + joint.clutch.moment, unit: N}\n" RUN,
    0.04, 1e-4, 1e-3};

const trial trial_drives = {
    "drives",
    HEAD "dimension: 2\n"
         "gravity: [0, -9.81]\n"
         "trajectories:\n"
         "  swing: {through: [[0*s, 0*rad], [0.01*s, 0.02*rad], [0.03*s, -0.01*rad]], degree: cubic}\n"
         "  turn:  {through: [[0, 0], [0.01, 0.05], [0.02, 0]], ends: periodic}\n"
         "bodies:\n"
         "  upper: {mass: 1, inertia: 0.02, at: [0.2, 0], frames: {root: [-0.2, 0], tip: [0.2, 0]}}\n"
         "  lower: {mass: 0.5, inertia: 0.01, at: [0.6, 0], frames: {root: [-0.2, 0], tip: [0.2, 0],\n"
         "          imu: {at: [0.2, 0], orientation: 0.4}}}\n"
         "  hand:  {mass: 0.2, inertia: 0.001, at: [0.9, 0], frames: {root: [-0.1, 0]}}\n"
         "shapes:\n"
         "  floor: {type: plane, on: ground, at: [0, -0.0205], normal: [0, 1]}\n"
         "  skin:  {type: sphere, on: hand, radius: 0.02}\n"
         "joints:\n"
         "  shoulder: {type: revolute, between: [ground, upper.root], limits: {lower: -0.5, upper: 0.5}}\n"
         "  elbow:    {type: revolute, between: [upper.tip, lower.root], limits: {lower: -0.01, upper: 0.01,\n"
         "             stiffness: 2000, restitution: 0.5}}\n"
         "  wrist:    {type: revolute, between: [lower.tip, hand.root]}\n"
         "loads:\n"
         "  a: {type: motor, on: shoulder, control: computed-torque, target: 'trajectory(swing, t)', frequency: 20,\n"
         "      limit: 10}\n"
         "  b: {type: motor, on: elbow, target: '0.5*sin(200*t)', proportional: 60, derivative: 0.5, integral: 2000,\n"
         "      integral_limit: 1, limit: 20, no_load_speed: 30}\n"
         "  c: {type: motor, on: wrist, control: computed-torque, target: '-trajectory(turn, t + 0.005)'}\n"
         "contacts:\n"
         "  hit: {between: [floor, skin], normal: {law: flores, stiffness: 1e5, restitution: 0.8}}\n"
         "events:\n"
         "  off: {when: t > 0.02, do: {switch-off: c}}\n"
         "  on:  {when: body.hand.contact_force > 1, once: yes, do: {switch-on: c}}\n"
         "outputs: {touch: {value: body.ground.contact_force_y, unit: N}}\n" RUN,
    0.04, 1e-4, 1e-3};

const char *const trial_integrators[8] = {"adams",  "bdf",  "dopri5", "dop853",
                                            "rk4", "semi-implicit-euler", "verlet", "auto"};

char *trial_chain_text(int links, char *out, size_t size)
{
    int n = snprintf(out, size, HEAD "dimension: 2\ngravity: [0, -9.81]\nbodies:\n");
    for (int k = 0; k < links; k++)
        n += snprintf(
            out + n, size - (size_t)n,
            "  bar%d: {mass: 0.5, inertia: 0.006, at: [%d.5*0.4, 0], frames: {root: [-0.2, 0], tip: [0.2, 0]}}\n", k,
            k);
    n += snprintf(out + n, size - (size_t)n, "joints:\n");
    for (int k = 0; k < links; k++) {
        char from[32] = "ground";
        if (k)
            snprintf(from, sizeof from, "bar%d.tip", k - 1);
        n += snprintf(out + n, size - (size_t)n, "  pin%d: {type: revolute, between: [%s, bar%d.root]}\n", k, from, k);
    }
    snprintf(out + n, size - (size_t)n, RUN);
    return out;
}

carom_status trial_compile(carom_context *ctx, const trial *s, const char *integrator, const char *constraints,
                           carom_model **out)
{
    carom_document *document = NULL;
    carom_status status;
    *out = NULL;
    if (s->text)
        status = carom_document_parse(ctx, s->name, s->text, strlen(s->text), NULL, 0, &document);
    else {
        char path[512];
        snprintf(path, sizeof path, "%s/%s.yaml", CAROM_MODELS, s->name);
        status = carom_document_read(ctx, path, NULL, 0, &document);
    }
    if (status != CAROM_OK)
        return status;
    carom_spec spec = *carom_document_spec(document);
    carom_run_def run = spec.runs[0];
    run.until = s->until;
    run.step = s->step;
    run.output_every = s->every;
    run.integrator = integrator;
    run.constraints = constraints;
    spec.runs = &run;
    spec.run_count = 1;
    status = carom_model_compile(ctx, &spec, out);
    carom_document_free(document);
    return status;
}

/* ---- allocator ---- */

static void *count_allocate(void *user, size_t size)
{
    trial_allocator *a = user;
    a->calls++;
    if (a->fail_at && (a->calls == a->fail_at || (a->fail_after && a->calls > a->fail_at)))
        return NULL;
    /* the size is kept in front of the block, to be compared when it comes back */
    char *block = malloc(size + 16);
    if (!block)
        return NULL;
    memcpy(block, &size, sizeof size);
    a->blocks++;
    a->bytes += size;
    return block + 16;
}

static void count_release(void *user, void *block, size_t size)
{
    trial_allocator *a = user;
    char *start = (char *)block - 16;
    size_t real;
    memcpy(&real, start, sizeof real);
    a->misuses += real != size;
    a->blocks--;
    a->bytes -= real;
    free(start);
}

carom_context *trial_context(trial_allocator *allocator)
{
    carom_context_def def = carom_default_context_def();
    if (allocator)
        def.allocator = (carom_allocator){count_allocate, count_release, allocator};
    carom_context *ctx = NULL;
    return carom_context_create(&def, &ctx) == CAROM_OK ? ctx : NULL;
}

/* ---- record ---- */

static carom_status keep_rows(void *user, int group, size_t rows, const double *time, const double *data)
{
    trial_record *record = user;
    trial_rows *g = &record->group[group];
    size_t width = g->columns + 1;
    if (g->rows + rows > g->capacity) {
        g->capacity = 2 * (g->rows + rows);
        g->data = realloc(g->data, g->capacity * width * sizeof *g->data);
        if (!g->data)
            abort();
    }
    for (size_t k = 0; k < rows; k++) {
        double *row = g->data + (g->rows + k) * width;
        row[0] = time[k];
        memcpy(row + 1, data + k * g->columns, g->columns * sizeof *row);
    }
    g->rows += rows;
    return CAROM_OK;
}

static carom_status keep_impact(void *user, const carom_impact *impact)
{
    (void)impact;
    ((trial_record *)user)->impacts++;
    return CAROM_OK;
}

void trial_record_init(trial_record *record)
{
    *record =
        (trial_record){.sink = {.size = sizeof record->sink, .user = record, .rows = keep_rows, .impact = keep_impact}};
}

void trial_record_columns(trial_record *record, carom_simulation *sim)
{
    size_t count;
    const carom_channel *channels = carom_simulation_channels(sim, &count);
    for (size_t k = 0; k < count; k++)
        record->group[channels[k].group].columns += (size_t)channels[k].size;
}

void trial_record_free(trial_record *record)
{
    for (int group = 0; group < 3; group++)
        free(record->group[group].data);
    trial_record_init(record);
}

bool trial_rows_end_with(const trial_rows *whole, const trial_rows *tail, size_t before)
{
    size_t width = whole->columns + 1;
    if (tail->columns != whole->columns || tail->rows + before != whole->rows) {
        fprintf(stderr, "%zu rows, %zu before and %zu after\n", whole->rows, before, tail->rows);
        return false;
    }
    for (size_t k = 0; k < tail->rows * width; k++)
        if (memcmp(&whole->data[before * width + k], &tail->data[k], sizeof(double)) != 0) {
            fprintf(stderr, "row %zu of %zu, column %zu: %.17g and %.17g\n", k / width, tail->rows, k % width,
                    whole->data[before * width + k], tail->data[k]);
            return false;
        }
    return true;
}

/* ---- comparison ---- */

static bool same_doubles(const char *what, const double *a, const double *b, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (memcmp(&a[k], &b[k], sizeof *a) != 0) {
            fprintf(stderr, "%s, number %zu: %.17g and %.17g\n", what, k, a[k], b[k]);
            return false;
        }
    return true;
}

static bool same_impacts(carom_simulation *a, carom_simulation *b)
{
    size_t count_a, count_b;
    const carom_impact *x = carom_simulation_impacts(a, &count_a), *y = carom_simulation_impacts(b, &count_b);
    if (count_a != count_b) {
        fprintf(stderr, "%zu and %zu impacts\n", count_a, count_b);
        return false;
    }
    for (size_t k = 0; k < count_a; k++) {
        const double p[] = {x[k].onset, x[k].duration, x[k].v_in, x[k].v_out, x[k].e_asked, x[k].e_got, x[k].peak_force,
                            x[k].max_indentation, x[k].impulse, x[k].energy_lost, x[k].friction_lost, x[k].mass};
        const double q[] = {y[k].onset, y[k].duration, y[k].v_in, y[k].v_out, y[k].e_asked, y[k].e_got, y[k].peak_force,
                            y[k].max_indentation, y[k].impulse, y[k].energy_lost, y[k].friction_lost, y[k].mass};
        if (strcmp(x[k].contact, y[k].contact) != 0 || x[k].contact_index != y[k].contact_index ||
            !same_doubles("impact", p, q, sizeof p / sizeof *p))
            return false;
    }
    return true;
}

static bool same_open(carom_simulation *a, carom_simulation *b)
{
    carom_open_contact x[16], y[16];
    size_t count = carom_simulation_open_contacts(a, x, 16);
    if (count != carom_simulation_open_contacts(b, y, 16)) {
        fprintf(stderr, "open contacts\n");
        return false;
    }
    for (size_t k = 0; k < count && k < 16; k++) {
        const double p[] = {x[k].onset,           x[k].v_in, x[k].indentation, x[k].force, x[k].peak_force,
                            x[k].max_indentation, x[k].mass};
        const double q[] = {y[k].onset,           y[k].v_in, y[k].indentation, y[k].force, y[k].peak_force,
                            y[k].max_indentation, y[k].mass};
        if (x[k].contact_index != y[k].contact_index || !same_doubles("open contact", p, q, sizeof p / sizeof *p))
            return false;
    }
    return true;
}

bool trial_same_counts(carom_simulation *a, carom_simulation *b, bool evaluations)
{
    carom_statistics x = carom_simulation_statistics(a), y = carom_simulation_statistics(b);
    if (x.steps == y.steps && (!evaluations || x.rhs_evaluations == y.rhs_evaluations) && x.restarts == y.restarts)
        return true;
    fprintf(stderr, "steps %llu and %llu, evaluations %llu and %llu, restarts %llu and %llu\n",
            (unsigned long long)x.steps, (unsigned long long)y.steps, (unsigned long long)x.rhs_evaluations,
            (unsigned long long)y.rhs_evaluations, (unsigned long long)x.restarts, (unsigned long long)y.restarts);
    return false;
}

bool trial_same(carom_simulation *a, carom_simulation *b, size_t bodies)
{
    double time[2] = {carom_simulation_time(a), carom_simulation_time(b)};
    carom_ledger la = carom_simulation_ledger(a), lb = carom_simulation_ledger(b);
    carom_violation va = carom_simulation_violation(a), vb = carom_simulation_violation(b);
    bool same = same_doubles("time", &time[0], &time[1], 1) && same_impacts(a, b) && same_open(a, b) &&
                same_doubles("ledger", (double *)&la, (double *)&lb, sizeof la / sizeof(double)) &&
                same_doubles("violation", (double *)&va, (double *)&vb, sizeof va / sizeof(double));
    for (size_t k = 0; k < bodies && same; k++) {
        carom_body_state x, y;
        memset(&x, 0, sizeof x);
        memset(&y, 0, sizeof y);
        same = carom_simulation_body(a, k, &x) == CAROM_OK && carom_simulation_body(b, k, &y) == CAROM_OK &&
               same_doubles("body", (double *)&x, (double *)&y, sizeof x / sizeof(double));
    }
    return same;
}
