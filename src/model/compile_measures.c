/* Measures of expressions: what of the state, and which inputs and states, a name means. */
#include "model/compile.h"

#include <stdio.h>
#include <string.h>

/* Slot of a measure, -3 when out of memory. */
static int add_measure(carom_compiler *c, carom_measure found)
{
    carom_model *m = c->model;
    for (int s = 0; s < m->measure_count; s++)
        if (m->measures[s].type == found.type && m->measures[s].a == found.a && m->measures[s].b == found.b &&
            m->measures[s].frame == found.frame && !found.bodies)
            return s;
    if (carom_grow(c->ctx, &m->measures, &m->measure_capacity, (size_t)m->measure_count + 1, sizeof found) != CAROM_OK)
        return -3;
    m->measures[m->measure_count] = found;
    return m->measure_count++;
}

/* What a measure is of. */
typedef enum measured {
    OF_BODY,
    OF_FRAME,                   /* a body, or one of its frames */
    OF_SET,                     /* bodies, or `all` */
    OF_BODIES,                  /* two */
    OF_COORDINATE,              /* a joint that has one */
    OF_LINE,                    /* a load between two frames */
    OF_CONTACT,                 /* between two shapes */
    OF_LOAD,
    OF_JOINT,
    OF_DRIVE                    /* a joint with a prescribed motion */
} measured;

static const struct {
    const char *name;
    carom_measure_type type;
    measured of;
    const char *unit;           /* "": a number */
} measures[] = {
    {"angle", CAROM_MEASURE_ANGLE, OF_COORDINATE, "m or rad"},
    {"coordinate", CAROM_MEASURE_ANGLE, OF_COORDINATE, "m or rad"},
    {"joint.coordinate", CAROM_MEASURE_ANGLE, OF_COORDINATE, "m or rad"},
    {"speed", CAROM_MEASURE_SPEED, OF_COORDINATE, "m/s or rad/s"},
    {"joint.rate", CAROM_MEASURE_SPEED, OF_COORDINATE, "m/s or rad/s"},
    {"x", CAROM_MEASURE_X, OF_FRAME, "m"},
    {"y", CAROM_MEASURE_Y, OF_FRAME, "m"},
    {"z", CAROM_MEASURE_Z, OF_FRAME, "m"},
    {"vx", CAROM_MEASURE_VX, OF_FRAME, "m/s"},
    {"vy", CAROM_MEASURE_VY, OF_FRAME, "m/s"},
    {"vz", CAROM_MEASURE_VZ, OF_FRAME, "m/s"},
    {"turn", CAROM_MEASURE_TURN, OF_BODY, "rad"},
    {"spin", CAROM_MEASURE_SPIN, OF_BODY, "rad/s"},
    {"wx", CAROM_MEASURE_WX, OF_FRAME, "rad/s"},
    {"wy", CAROM_MEASURE_WY, OF_FRAME, "rad/s"},
    {"wz", CAROM_MEASURE_WZ, OF_FRAME, "rad/s"},
    {"roll", CAROM_MEASURE_ROLL, OF_FRAME, "rad"},
    {"pitch", CAROM_MEASURE_PITCH, OF_FRAME, "rad"},
    {"yaw", CAROM_MEASURE_YAW, OF_FRAME, "rad"},
    {"gyroscope_x", CAROM_MEASURE_GYROSCOPE, OF_FRAME, "rad/s"},
    {"gyroscope_y", CAROM_MEASURE_GYROSCOPE + 1, OF_FRAME, "rad/s"},
    {"gyroscope_z", CAROM_MEASURE_GYROSCOPE + 2, OF_FRAME, "rad/s"},
    {"centre_x", CAROM_MEASURE_CENTRE, OF_SET, "m"},
    {"centre_y", CAROM_MEASURE_CENTRE + 1, OF_SET, "m"},
    {"centre_z", CAROM_MEASURE_CENTRE + 2, OF_SET, "m"},
    {"centre_v_x", CAROM_MEASURE_DRIFT, OF_SET, "m/s"},
    {"centre_v_y", CAROM_MEASURE_DRIFT + 1, OF_SET, "m/s"},
    {"centre_v_z", CAROM_MEASURE_DRIFT + 2, OF_SET, "m/s"},
    {"momentum_x", CAROM_MEASURE_MOMENTUM, OF_SET, "kg m/s"},
    {"momentum_y", CAROM_MEASURE_MOMENTUM + 1, OF_SET, "kg m/s"},
    {"momentum_z", CAROM_MEASURE_MOMENTUM + 2, OF_SET, "kg m/s"},
    {"angular_momentum_x", CAROM_MEASURE_ANGULAR_MOMENTUM, OF_SET, "kg m^2/s"},
    {"angular_momentum_y", CAROM_MEASURE_ANGULAR_MOMENTUM + 1, OF_SET, "kg m^2/s"},
    {"angular_momentum_z", CAROM_MEASURE_ANGULAR_MOMENTUM + 2, OF_SET, "kg m^2/s"},
    {"distance", CAROM_MEASURE_DISTANCE, OF_BODIES, "m"},
    {"length", CAROM_MEASURE_LENGTH, OF_LINE, "m"},
    {"load.length", CAROM_MEASURE_LENGTH, OF_LINE, "m"},
    {"stretch", CAROM_MEASURE_STRETCH, OF_LINE, "m"},
    {"rate", CAROM_MEASURE_LENGTH_RATE, OF_LINE, "m/s"},
    {"load.rate", CAROM_MEASURE_LENGTH_RATE, OF_LINE, "m/s"},
    {"contact.indentation", CAROM_MEASURE_INDENTATION, OF_CONTACT, "m"},
    {"contact.indentation_rate", CAROM_MEASURE_INDENTATION_RATE, OF_CONTACT, "m/s"},
    {"contact.count", CAROM_MEASURE_COUNT, OF_CONTACT, ""},
    {"contact.open", CAROM_MEASURE_OPEN, OF_CONTACT, ""},
    {"contact.force", CAROM_MEASURE_CONTACT_FORCE, OF_CONTACT, "N"},
    {"contact.friction", CAROM_MEASURE_CONTACT_FRICTION, OF_CONTACT, "N"},
    {"force", CAROM_MEASURE_LOAD_FORCE, OF_LOAD, "N"},
    {"load.force", CAROM_MEASURE_LOAD_FORCE, OF_LOAD, "N"},
    {"load.torque", CAROM_MEASURE_LOAD_TORQUE, OF_LOAD, "N m"},
    {"load.power", CAROM_MEASURE_LOAD_POWER, OF_LOAD, "W"},
    {"load.stored", CAROM_MEASURE_LOAD_STORED, OF_LOAD, "J"},
    {"joint.reaction", CAROM_MEASURE_REACTION, OF_JOINT, "N"},
    {"joint.moment", CAROM_MEASURE_MOMENT, OF_JOINT, "N m"},
    {"joint.drive", CAROM_MEASURE_DRIVE, OF_DRIVE, "N or N m"},
    {"body.contact_force", CAROM_MEASURE_TOUCH, OF_BODY, "N"},
    {"body.contact_force_x", CAROM_MEASURE_TOUCH_X, OF_BODY, "N"},
    {"body.contact_force_y", CAROM_MEASURE_TOUCH_Y, OF_BODY, "N"},
    {"body.contact_force_z", CAROM_MEASURE_TOUCH_Z, OF_BODY, "N"},
    {"ax", CAROM_MEASURE_ACCELERATION, OF_FRAME, "m/s^2"},
    {"ay", CAROM_MEASURE_ACCELERATION + 1, OF_FRAME, "m/s^2"},
    {"az", CAROM_MEASURE_ACCELERATION + 2, OF_FRAME, "m/s^2"},
    {"accelerometer_x", CAROM_MEASURE_ACCELEROMETER, OF_FRAME, "m/s^2"},
    {"accelerometer_y", CAROM_MEASURE_ACCELEROMETER + 1, OF_FRAME, "m/s^2"},
    {"accelerometer_z", CAROM_MEASURE_ACCELEROMETER + 2, OF_FRAME, "m/s^2"},
};

/* A load between two frames, and for the stretch where its free length stands. */
static carom_status find_line(carom_compiler *c, const char *function, const char *name, carom_measure *out)
{
    const carom_spec *s = c->spec;
    size_t count = 0;
    for (size_t k = 0; k < s->load_count; k++) {
        const carom_kind *kind = carom_kind_find(c->ctx, CAROM_FAMILY_LOAD, s->loads[k].type);
        out->b = kind && out->type == CAROM_MEASURE_STRETCH ? carom_kind_param_offset(kind, "length") : 0;
        if (s->loads[k].frame_count != 2 || out->b < 0)
            continue;
        out->a = (int)k;
        if (strcmp(s->loads[k].name, name) == 0)
            return CAROM_OK;
        c->names[count++] = s->loads[k].name;
    }
    return carom_compile_unknown(c, NULL, function,
                                 out->type == CAROM_MEASURE_STRETCH ? "load with a free length named"
                                                                    : "load between two frames named",
                                 name, count);
}

static carom_status find_joint(carom_compiler *c, const char *function, const char *name, bool coordinate, int *out)
{
    const carom_model *m = c->model;
    size_t count = 0;
    for (int k = 0; k < m->joint_count; k++) {
        if (coordinate && m->joints[k].coordinate < 0)
            continue;
        *out = k;
        if (strcmp(m->joints[k].name, name) == 0)
            return CAROM_OK;
        c->names[count++] = m->joints[k].name;
    }
    return carom_compile_unknown(c, NULL, function, coordinate ? "joint with a coordinate named" : "joint", name,
                                 count);
}

/* The block of rows of a joint's prescribed motion. */
static carom_status find_drive(carom_compiler *c, const char *function, const char *name, int *out)
{
    const carom_model *m = c->model;
    size_t count = 0;
    for (*out = 0; *out < m->block_count; ++*out) {
        const carom_constraint_block *e = &m->blocks[*out];
        if (e->type != CAROM_BLOCK_JOINT_MOTION)
            continue;
        if (strcmp(m->joints[e->object].name, name) == 0)
            return CAROM_OK;
        c->names[count++] = m->joints[e->object].name;
    }
    return carom_compile_unknown(c, NULL, function, "joint with a motion named", name, count);
}

static carom_status find_load(carom_compiler *c, const char *function, const char *name, int *out)
{
    const carom_model *m = c->model;
    for (int k = 0; k < m->load_count; k++) {
        *out = k;
        if (strcmp(m->loads[k].name, name) == 0)
            return CAROM_OK;
    }
    for (size_t k = 0; k < c->spec->load_count; k++)
        c->names[k] = c->spec->loads[k].name;
    return carom_compile_unknown(c, NULL, function, "load", name, c->spec->load_count);
}

/* How many contacts from this one on have the name with a dot behind it: the places of one that has several, the pairs
   of a set, or the walls of a joint with clearance. */
static int parts_of(const carom_model *m, const char *name, size_t length, int first)
{
    int count = 0;
    while (first + count < m->contact_count && strncmp(m->contacts[first + count].name, name, length) == 0 &&
           m->contacts[first + count].name[length] == '.')
        count++;
    return count;
}

static int first_part_of(const carom_model *m, const char *name, size_t length, int *count)
{
    int k = 0;
    while (k < m->contact_count && !(*count = parts_of(m, name, length, k)))
        k++;
    return k;
}

/* The names that contacts have, without the numbers of places, each also for what its parts share. */
static carom_status list_contacts(carom_compiler *c, const char **names, size_t *count)
{
    const carom_model *m = c->model;
    for (int k = 0; k < m->contact_count; k++) {
        const char *name = m->contacts[k].name, *former = k ? m->contacts[k - 1].name : "";
        for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.')) {
            if (strncmp(former, name, (size_t)(dot - name) + 1) == 0)
                continue;
            if (!(names[(*count)++] = carom_arena_text_n(&c->model->arena, name, (size_t)(dot - name))))
                return carom_fail_memory(c->ctx);
        }
        if (!m->contacts[k].point && (k + 1 == m->contact_count || m->contacts[k + 1].point != 1))
            names[(*count)++] = name;
    }
    return CAROM_OK;
}

static carom_status refuse_contact(carom_compiler *c, const char *function, const char *name)
{
    carom_model *m = c->model;
    const char *dot = strrchr(name, '.');
    const size_t length = dot ? (size_t)(dot - name) : 0;
    int places = 0;
    size_t count = 0, room = 1;
    const int first = dot ? first_part_of(m, name, length, &places) : 0;
    if (places && strchr("123456789", m->contacts[first].name[length + 1]))
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, NULL,
                          "%s: no place '%s'; contact '%.*s' has %d places, '%.*s.1' to '%.*s.%d'", function, name,
                          (int)length, name, places, (int)length, name, (int)length, name, places);
    for (int k = 0; k < m->contact_count; k++)
        for (const char *at = m->contacts[k].name; at; at = strchr(at + 1, '.'))
            room++;
    const char **names = carom_arena_alloc(&m->arena, room, sizeof *names);
    if (!names)
        return carom_fail_memory(c->ctx);
    CAROM_TRY(list_contacts(c, names, &count));
    /* the number of a place is no part of a name that is nearly right */
    const bool numbered = dot && strspn(dot + 1, "0123456789") == strlen(dot + 1);
    const char *word = numbered ? carom_arena_text_n(&m->arena, name, length) : name;
    return word ? carom_fail_unknown(c->ctx, NULL, function, "contact", word, names, count)
                : carom_fail_memory(c->ctx);
}

/* A contact, or all those that are parts of what has the name. */
static carom_status find_contact(carom_compiler *c, const char *function, const char *name, carom_measure *out)
{
    const carom_model *m = c->model;
    for (int k = 0; k < m->contact_set_count; k++) {
        const char *set = m->contact_sets[k].name;
        if (strncmp(set, name, strlen(set)) == 0 && (!name[strlen(set)] || name[strlen(set)] == '.'))
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, NULL,
                              "'%s' is a contact set, of which steps of a fixed size make sums alone; expressions read "
                              "it and its pairs with an integrator that locates impacts, such as auto",
                              set);
    }
    *out = (carom_measure){.type = out->type, .b = 1};
    for (out->a = 0; out->a < m->contact_count; out->a++)
        if (strcmp(m->contacts[out->a].name, name) == 0)
            return CAROM_OK;
    out->a = first_part_of(m, name, strlen(name), &out->b);
    return out->a < m->contact_count ? CAROM_OK : refuse_contact(c, function, name);
}

/* BODY or BODY.FRAME. */
static carom_status find_frame(carom_compiler *c, const char *function, const char *name, carom_measure *out)
{
    const char *dot = strchr(name, '.');
    if (!dot || carom_names_find(&c->body_index, name) >= 0)
        return carom_compile_find_body(c, NULL, function, name, &out->a);
    carom_marker *marker = carom_arena_alloc(&c->model->arena, 1, sizeof *marker);
    const char *body = carom_arena_text_n(&c->model->arena, name, (size_t)(dot - name));
    if (!marker || !body)
        return carom_fail_memory(c->ctx);
    const carom_frame_ref ref = {.body = body, .frame = dot + 1};
    CAROM_TRY(carom_compile_marker(c, function, &ref, marker));
    out->frame = marker;
    out->a = marker->body;
    return CAROM_OK;
}

/* The bodies that are named, or `all`. */
static carom_status find_set(carom_compiler *c, const char *function, const char *const *names, size_t count,
                             carom_measure *out)
{
    const carom_model *m = c->model;
    const bool all = count == 1 && strcmp(names[0], "all") == 0 && carom_names_find(&c->body_index, "all") < 0;
    const size_t size = all ? (size_t)m->body_count : count;
    int *bodies = carom_arena_alloc(&c->model->arena, size + 1, sizeof *bodies);
    if (!bodies)
        return carom_fail_memory(c->ctx);
    for (size_t k = 0; k < size; k++) {
        bodies[k] = (int)k + 1;
        if (!all)
            CAROM_TRY(carom_compile_find_body(c, NULL, function, names[k], &bodies[k]));
        if (bodies[k] == 0)
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, NULL, "%s: the ground has no mass", function);
    }
    out->bodies = bodies;
    out->b = (int)size;
    return CAROM_OK;
}

static carom_status find_object(carom_compiler *c, const char *function, measured of, const char *const *names,
                                carom_measure *out)
{
    switch (of) {
    case OF_COORDINATE:
        return find_joint(c, function, names[0], true, &out->a);
    case OF_JOINT:
        return find_joint(c, function, names[0], false, &out->a);
    case OF_DRIVE:
        return find_drive(c, function, names[0], &out->a);
    case OF_LINE:
        return find_line(c, function, names[0], out);
    case OF_LOAD:
        return find_load(c, function, names[0], &out->a);
    case OF_CONTACT:
        return find_contact(c, function, names[0], out);
    case OF_BODIES:
        CAROM_TRY(carom_compile_find_body(c, NULL, function, names[1], &out->b));
        break;
    case OF_FRAME:
        return find_frame(c, function, names[0], out);
    case OF_BODY:
    case OF_SET:
        break;
    }
    return carom_compile_find_body(c, NULL, function, names[0], &out->a);
}

/* `load.power`: what a path reads. */
static bool is_path(const char *function) { return strchr(function, '.') != NULL; }

/* The refusal of a path that ends with something else, with what there is of such objects. */
static int refuse_path(carom_compiler *c, const char *function, const char *object)
{
    const char *end = strchr(function, '.') + 1;
    const size_t length = (size_t)(end - function);
    char names[400] = "";
    for (size_t k = 0; k < CAROM_COUNT(measures); k++)
        if (strncmp(measures[k].name, function, length) == 0 && strlen(names) + 80 < sizeof names)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%.60s", *names ? ", " : "",
                     measures[k].name + length);
    if (!*names)
        return -1;
    carom_fail(c->ctx, CAROM_ERROR_MODEL, NULL, "there is no '%s' of '%s'; expressions know of a %.*s: %s", end, object,
               (int)length - 1, function, names);
    return -2;
}

int carom_compile_measure(void *user, carom_context *ctx, const char *function, const char *const *arguments,
                          size_t argument_count)
{
    carom_compiler *c = user;
    size_t k = 0;
    while (k < CAROM_COUNT(measures) && strcmp(measures[k].name, function) != 0)
        k++;
    if (k == CAROM_COUNT(measures))
        return is_path(function) ? refuse_path(c, function, arguments[0]) : -1;
    carom_measure found = {.type = measures[k].type};
    const size_t needed = measures[k].of == OF_BODIES ? 2 : 1;
    if (argument_count != needed && (measures[k].of != OF_SET || !argument_count)) {
        carom_fail(ctx, CAROM_ERROR_MODEL, NULL, "measure '%s' takes %zu name%s", function, needed,
                   needed > 1 ? "s" : "");
        return -2;
    }
    if (carom_measure_is_late(found.type) && !c->late_measures) {
        carom_fail(ctx, CAROM_ERROR_MODEL, NULL,
                   "'%s' is made by the forces of the same instant, so a force that read it would be a loop; read it "
                   "in the rate of a state, in an event or in an output",
                   function);
        return -2;
    }
    const carom_status status = measures[k].of == OF_SET ? find_set(c, function, arguments, argument_count, &found)
                                                         : find_object(c, function, measures[k].of, arguments, &found);
    return status == CAROM_OK ? add_measure(c, found) : -2;
}

/* The joint of a measure, whose coordinate slides or turns; NULL: it has none. */
static const carom_model_joint *joint_of(const carom_model *m, measured of, int object)
{
    if (of == OF_COORDINATE || of == OF_JOINT)
        return &m->joints[object];
    if (of == OF_DRIVE)
        return &m->joints[m->blocks[object].object];
    return of == OF_LOAD && m->loads[object].joint >= 0 ? &m->joints[m->loads[object].joint] : NULL;
}

carom_dimension carom_compile_measure_dimension(void *user, int slot)
{
    const carom_compiler *c = user;
    const carom_measure *measure = &c->model->measures[slot];
    size_t k = 0;
    while (k < CAROM_COUNT(measures) && measures[k].type != measure->type)
        k++;
    if (k == CAROM_COUNT(measures))
        return (carom_dimension){.kind = CAROM_DIMENSION_FREE};
    if (!*measures[k].unit)
        return (carom_dimension){.kind = CAROM_DIMENSION_NUMBER};
    const carom_model_joint *joint = joint_of(c->model, measures[k].of, measure->a);
    carom_unit_scope scope = CAROM_UNIT_ANY;
    if (joint && joint->kind->coordinate_unit)
        scope.alternative = strcmp(joint->kind->coordinate_unit, "m") == 0 ? 0 : 1;
    /* the effort of a load on a joint is a force or a torque */
    if (joint && measures[k].of == OF_LOAD && measure->type != CAROM_MEASURE_LOAD_POWER &&
        measure->type != CAROM_MEASURE_LOAD_STORED)
        return carom_unit_dimension("N or N m", scope);
    return carom_unit_dimension(measures[k].unit, scope);
}

/* ---- variables ---- */

int carom_compile_variable(void *user, carom_context *ctx, size_t index)
{
    (void)ctx;
    carom_compiler *c = user;
    const size_t inputs = c->spec->input_count;
    return add_measure(c, index < inputs
                              ? (carom_measure){.type = CAROM_MEASURE_INPUT, .a = (int)index}
                              : (carom_measure){.type = CAROM_MEASURE_STATE, .a = (int)(index - inputs)});
}

int carom_compile_moving_variable(void *user, carom_context *ctx, size_t index)
{
    carom_compiler *c = user;
    if (index >= c->spec->input_count) {
        carom_fail(ctx, CAROM_ERROR_MODEL, NULL,
                   "'%s' is a state, and two time derivatives are needed here: use it in a force, such as that of a "
                   "load on the joint",
                   c->scope.variables[index]);
        return -2;
    }
    carom_model_input *input = &c->model->inputs[index];
    if (!input->rates_wanted)
        input->rates_place = c->text_place;
    input->rates_wanted = true;
    return carom_compile_variable(user, ctx, index);
}
