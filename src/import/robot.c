/* Links and joints of any description: names, the tree, what is one body, where everything starts. */
#include "import/robot.h"

#include <math.h>
#include <stdio.h>

#define LONGEST_NAME 63 /* as names of the model */

/* ---- names ---- */

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool is_name_char(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-'; }

/* A name of letters, digits, _ and -. */
static const char *clean_name(carom_robot *robot, const char *prefix, const char *what, const char *name)
{
    char *made = carom_arena_format(robot->arena, "%s%s%s", prefix, *prefix || is_letter(*name) ? "" : what, name);
    for (char *c = made; c && *c; c++)
        if (!is_name_char(*c))
            *c = '_';
    return made;
}

const char *carom_robot_name(carom_robot *robot, const char *what, const char *name)
{
    return clean_name(robot, robot->def->prefix ? robot->def->prefix : "", what, name);
}

const char *carom_robot_frame_name(carom_robot *robot, const char *name)
{
    return clean_name(robot, "", "frame_", name);
}

/* The name in the model, with a note where it is another one. */
static carom_status model_name(carom_robot *robot, const carom_place *place, const char *what, const char *name,
                               const char **out)
{
    *out = carom_robot_name(robot, what, name);
    if (!*out)
        return carom_fail_memory(robot->ctx);
    if (strlen(*out) > LONGEST_NAME)
        return carom_fail(robot->ctx, CAROM_ERROR_MODEL, place,
                          "the name '%.63s...' is longer than %d characters; shorten it", *out, LONGEST_NAME);
    const size_t prefix = robot->def->prefix ? strlen(robot->def->prefix) : 0;
    return strcmp(*out + prefix, name) == 0
               ? CAROM_OK
               : carom_import_warn(
                     robot, place,
                     "the name '%.63s' is '%.63s' in the model: a name is of letters, digits, _ and -, and "
                     "begins with a letter",
                     name, *out);
}

carom_status carom_robot_index(carom_robot *robot)
{
    CAROM_TRY(carom_names_create(robot->arena, robot->elements, &robot->link_names));
    CAROM_TRY(carom_names_create(robot->arena, robot->elements, &robot->joint_names));
    return carom_names_create(robot->arena, robot->elements, &robot->shape_names);
}

static carom_status index_name(carom_robot *robot, carom_names *names, size_t count, const char *name,
                               const carom_place *place, const char *what, const carom_place *(*of)(carom_robot *, int))
{
    const int other = carom_names_find(names, name);
    if (other >= 0)
        return carom_fail(robot->ctx, CAROM_ERROR_MODEL, place, "%s '%.63s' is there already, in line %d; rename one",
                          what, name, of(robot, other)->line);
    carom_names_add(names, name, (int)count);
    return CAROM_OK;
}

static const carom_place *place_of_link(carom_robot *robot, int k) { return &robot->links[k].place; }

static const carom_place *place_of_shape(carom_robot *robot, int k) { return &robot->shapes[k].place; }

static const carom_place *place_of_joint(carom_robot *robot, int k) { return &robot->joints[k].place; }

carom_status carom_robot_add_link(carom_robot *robot, const carom_robot_link *link)
{
    carom_robot_link own = *link;
    CAROM_TRY(model_name(robot, &link->place, "link_", link->name, &own.name));
    CAROM_TRY(index_name(robot, &robot->link_names, robot->link_count, own.name, &own.place, "link", place_of_link));
    own.joint = own.first_child = own.next_sibling = -1;
    CAROM_TRY(carom_grow(robot->ctx, &robot->links, &robot->link_capacity, robot->link_count + 1, sizeof own));
    robot->links[robot->link_count++] = own;
    return CAROM_OK;
}

carom_status carom_robot_add_joint(carom_robot *robot, const carom_robot_joint *joint)
{
    carom_robot_joint own = *joint;
    CAROM_TRY(model_name(robot, &joint->place, "joint_", joint->name, &own.name));
    CAROM_TRY(
        index_name(robot, &robot->joint_names, robot->joint_count, own.name, &own.place, "joint", place_of_joint));
    CAROM_TRY(carom_grow(robot->ctx, &robot->joints, &robot->joint_capacity, robot->joint_count + 1, sizeof own));
    robot->joints[robot->joint_count++] = own;
    return CAROM_OK;
}

/* What is drawn alone gets a number behind a name that is taken. */
static carom_status name_apart(carom_robot *robot, carom_robot_shape *shape)
{
    const char *name = shape->name;
    for (int n = 2; shape->visual && n < 1000; n++) {
        const char *full = carom_robot_name(robot, "shape_", shape->name);
        if (full && carom_names_find(&robot->shape_names, full) < 0)
            break;
        shape->name = full ? carom_arena_format(robot->arena, "%s_%d", name, n) : NULL;
        if (!shape->name)
            return carom_fail_memory(robot->ctx);
    }
    return CAROM_OK;
}

carom_status carom_robot_add_shape(carom_robot *robot, const carom_robot_shape *shape)
{
    carom_robot_shape own = *shape;
    CAROM_TRY(name_apart(robot, &own));
    CAROM_TRY(model_name(robot, &shape->place, "shape_", own.name, &own.name));
    CAROM_TRY(
        index_name(robot, &robot->shape_names, robot->shape_count, own.name, &own.place, "shape", place_of_shape));
    CAROM_TRY(carom_grow(robot->ctx, &robot->shapes, &robot->shape_capacity, robot->shape_count + 1, sizeof own));
    robot->shapes[robot->shape_count++] = own;
    if (own.link >= 0 && !own.visual)
        robot->links[own.link].touches = true;
    if (own.link >= 0 && own.visual)
        robot->links[own.link].is_seen = true;
    return CAROM_OK;
}

carom_status carom_robot_add_frame(carom_robot *robot, const carom_robot_frame *frame)
{
    CAROM_TRY(carom_grow(robot->ctx, &robot->frames, &robot->frame_capacity, robot->frame_count + 1, sizeof *frame));
    robot->frames[robot->frame_count++] = *frame;
    return CAROM_OK;
}

carom_status carom_robot_add_closure(carom_robot *robot, const carom_robot_closure *closure)
{
    carom_robot_closure own = *closure;
    CAROM_TRY(model_name(robot, &closure->place, "closure_", closure->name, &own.name));
    CAROM_TRY(carom_grow(robot->ctx, &robot->closures, &robot->closure_capacity, robot->closure_count + 1, sizeof own));
    robot->closures[robot->closure_count++] = own;
    return CAROM_OK;
}

carom_status carom_robot_add_drive(carom_robot *robot, const carom_robot_drive *drive)
{
    carom_robot_drive own = *drive;
    CAROM_TRY(model_name(robot, &drive->place, "drive_", drive->name, &own.name));
    CAROM_TRY(carom_grow(robot->ctx, &robot->drives, &robot->drive_capacity, robot->drive_count + 1, sizeof own));
    robot->drives[robot->drive_count++] = own;
    return CAROM_OK;
}

carom_status carom_robot_add_effort(carom_robot *robot, const carom_robot_effort *effort)
{
    carom_robot_effort own = *effort;
    CAROM_TRY(model_name(robot, &effort->place, "drive_", effort->name, &own.name));
    CAROM_TRY(carom_grow(robot->ctx, &robot->efforts, &robot->effort_capacity, robot->effort_count + 1, sizeof own));
    robot->efforts[robot->effort_count++] = own;
    return CAROM_OK;
}

carom_status carom_robot_add_cable(carom_robot *robot, const carom_robot_cable *cable)
{
    carom_robot_cable own = *cable;
    CAROM_TRY(model_name(robot, &cable->place, "cable_", cable->name, &own.name));
    CAROM_TRY(carom_grow(robot->ctx, &robot->cables, &robot->cable_capacity, robot->cable_count + 1, sizeof own));
    robot->cables[robot->cable_count++] = own;
    return CAROM_OK;
}

carom_status carom_robot_add_coupling(carom_robot *robot, const carom_robot_coupling *coupling)
{
    carom_robot_coupling own = *coupling;
    CAROM_TRY(model_name(robot, &coupling->place, "coupling_", coupling->name, &own.name));
    CAROM_TRY(
        carom_grow(robot->ctx, &robot->couplings, &robot->coupling_capacity, robot->coupling_count + 1, sizeof own));
    robot->couplings[robot->coupling_count++] = own;
    return CAROM_OK;
}

carom_status carom_robot_fail_joint(carom_robot *robot, const carom_place *place, const char *owner, const char *name)
{
    const char **names = carom_arena_alloc(robot->arena, robot->joint_count + 1, sizeof *names);
    if (!names)
        return carom_fail_memory(robot->ctx);
    for (size_t n = 0; n < robot->joint_count; n++)
        names[n] = robot->joints[n].name;
    return carom_fail_unknown(robot->ctx, place, owner, "joint", name, names, robot->joint_count);
}

/* ---- inertia ---- */

carom_status carom_robot_check_inertia(carom_robot *robot, const carom_robot_link *link)
{
    double moments[3];
    if (!(link->mass > 0))
        return carom_fail(robot->ctx, CAROM_ERROR_MODEL, &link->inertia_place,
                          "link '%.63s': the mass is %g kg; it must be greater than 0", link->name, link->mass);
    carom_inertia_moments(link->inertia, moments);
    if (!(moments[0] > 0))
        return carom_fail(
            robot->ctx, CAROM_ERROR_MODEL, &link->inertia_place,
            "link '%.63s': the inertia has the principal moments %g, %g, %g kg m^2; all must be greater than "
            "0: are its products as large as its moments, or is it missing?",
            link->name, moments[0], moments[1], moments[2]);
    if (moments[2] > (moments[0] + moments[1]) * (1 + 1e-9))
        return carom_fail(
            robot->ctx, CAROM_ERROR_MODEL, &link->inertia_place,
            "link '%.63s': the inertia has the principal moments %g, %g, %g kg m^2, and the largest exceeds "
            "the sum of the two others, which no body's does; compute it anew from the geometry",
            link->name, moments[0], moments[1], moments[2]);
    return CAROM_OK;
}

/* ---- the tree ---- */

/* Each link knows its joint, and its children in their order. */
static carom_status link_up(carom_robot *robot)
{
    for (size_t k = 0; k < robot->joint_count; k++) {
        const carom_robot_joint *j = &robot->joints[k];
        carom_robot_link *child = &robot->links[j->child];
        if (j->parent == j->child)
            return carom_fail(robot->ctx, CAROM_ERROR_MODEL, &j->place,
                              "joint '%.63s': link '%.63s' is its own parent; name another <parent>", j->name,
                              child->name);
        if (child->joint >= 0)
            return carom_fail(
                robot->ctx, CAROM_ERROR_MODEL, &j->place,
                "joint '%.63s': link '%.63s' is the child of joint '%.63s' in line %d already; a link has "
                "one parent, and a loop is closed by a joint in the model file that includes the robot",
                j->name, child->name, robot->joints[child->joint].name, robot->joints[child->joint].place.line);
        child->joint = (int)k;
    }
    for (size_t k = robot->link_count; k-- > 0;) {
        const int joint = robot->links[k].joint, parent = joint >= 0 ? robot->joints[joint].parent : -1;
        if (parent >= 0) {
            robot->links[k].next_sibling = robot->links[parent].first_child;
            robot->links[parent].first_child = (int)k;
        }
    }
    return CAROM_OK;
}

/* The links in an order in which parents stand before children. */
static carom_status order_links(carom_robot *robot, int *order)
{
    size_t count = 0;
    for (size_t k = 0; k < robot->link_count; k++)
        if (robot->links[k].joint < 0 || robot->joints[robot->links[k].joint].parent < 0)
            order[count++] = (int)k;
    for (size_t k = 0; k < count; k++)
        for (int c = robot->links[order[k]].first_child; c >= 0; c = robot->links[c].next_sibling)
            order[count++] = c;
    if (count == robot->link_count)
        return CAROM_OK;
    /* what no root reaches hangs on a cycle */
    bool *reached = carom_arena_alloc(robot->arena, robot->link_count, sizeof *reached);
    if (!reached)
        return carom_fail_memory(robot->ctx);
    for (size_t k = 0; k < count; k++)
        reached[order[k]] = true;
    int at = 0;
    while (reached[at])
        at++;
    for (size_t k = 0; k < robot->link_count; k++)
        at = robot->joints[robot->links[at].joint].parent;
    const carom_robot_joint *j = &robot->joints[robot->links[at].joint];
    return carom_fail(
        robot->ctx, CAROM_ERROR_MODEL, &j->place,
        "joint '%.63s': link '%.63s' is its own ancestor by way of '%.63s'; the links of a description are a "
        "tree, and a loop is closed by a joint in the model file that includes it",
        j->name, robot->links[at].name, robot->links[j->parent].name);
}

/* ---- what is one body ---- */

static bool is_fixed(const carom_robot_joint *j) { return strcmp(j->type, "fixed") == 0; }

static carom_placement across_fixed(const carom_robot_joint *j)
{
    return carom_placement_chain(&j->before, &j->behind);
}

/* The nearest link with inertia that fixed joints hold to this one; its placement there. -1: none. */
static int find_carrier(const carom_robot *robot, int link, carom_placement *placement)
{
    carom_placement at = carom_placement_none();
    for (int k = link;;) {
        if (robot->links[k].has_inertia) {
            *placement = at;
            return k;
        }
        /* down, across, or up and across, through fixed joints alone */
        int next = robot->links[k].first_child;
        for (;;) {
            while (next >= 0 && !is_fixed(&robot->joints[robot->links[next].joint]))
                next = robot->links[next].next_sibling;
            if (next >= 0 || k == link)
                break;
            const carom_placement step = across_fixed(&robot->joints[robot->links[k].joint]);
            const carom_placement back = carom_placement_inverse(&step);
            at = carom_placement_chain(&at, &back);
            next = robot->links[k].next_sibling;
            k = robot->joints[robot->links[k].joint].parent;
        }
        if (next < 0)
            return -1;
        const carom_placement step = across_fixed(&robot->joints[robot->links[next].joint]);
        at = carom_placement_chain(&at, &step);
        k = next;
    }
}

static carom_status hold(carom_robot *robot, int k)
{
    carom_robot_link *link = &robot->links[k];
    const carom_robot_joint *j = link->joint >= 0 ? &robot->joints[link->joint] : NULL;
    const bool root = !j, on_world = j && j->parent < 0;
    link->on = carom_placement_none();
    link->holder = k;
    if ((root && robot->root_is_ground) || (on_world && is_fixed(j))) {
        link->holder = CAROM_GROUND;
        link->on = link->world;
        return CAROM_OK;
    }
    if (j && !on_world && is_fixed(j) && robot->links[j->parent].holder == CAROM_GROUND) {
        link->holder = CAROM_GROUND;
        link->on = link->world;
        return CAROM_OK;
    }
    if (link->has_inertia)
        return CAROM_OK;
    if (j && !on_world && is_fixed(j)) {
        const carom_placement step = across_fixed(j);
        link->holder = robot->links[j->parent].holder;
        link->on = carom_placement_chain(&robot->links[j->parent].on, &step);
        return CAROM_OK;
    }
    carom_placement there;
    const int carrier = find_carrier(robot, k, &there);
    if (carrier < 0 && !j)
        return carom_fail(robot->ctx, CAROM_ERROR_MODEL, &link->place,
                          "link '%.63s' is to be free and has no mass, nor has a link that is fixed to it; give it an "
                          "inertia",
                          link->name);
    if (carrier < 0)
        return carom_fail(
            robot->ctx, CAROM_ERROR_MODEL, &link->place,
            "link '%.63s' is moved by joint '%.63s' (line %d) and has no mass, nor has a link that is fixed "
            "to it; give it an inertia, or make that joint fixed",
            link->name, j->name, j->place.line);
    link->holder = carrier;
    link->on = carom_placement_inverse(&there);
    return CAROM_OK;
}

/* ---- the start ---- */

static carom_placement moved(const carom_robot_joint *j, double coordinate, const carom_placement *placed)
{
    carom_placement at = placed ? *placed : carom_placement_none();
    if (strcmp(j->type, "revolute") == 0)
        at.r = carom_rotation_about(j->axis, coordinate);
    else if (strcmp(j->type, "translational") == 0)
        at.p = carom_v3_scale(coordinate, j->axis);
    at = carom_placement_chain(&j->before, &at);
    return carom_placement_chain(&at, &j->behind);
}

static bool has_coordinate(const carom_robot_joint *j)
{
    return strcmp(j->type, "revolute") == 0 || strcmp(j->type, "translational") == 0;
}

/* Angular velocity at the start, from those of the joints on the way to the root. */
static carom_vec3 spin_of(const carom_robot *robot, const carom_robot_link *link, const carom_mat3 *base)
{
    const carom_robot_joint *j = &robot->joints[link->joint];
    const carom_robot_link *parent = j->parent >= 0 ? &robot->links[j->parent] : NULL;
    carom_vec3 own = carom_m3_apply(&link->world.r, carom_v3_load(j->velocity + 3));
    if (strcmp(j->type, "revolute") == 0) {
        const carom_mat3 axes = carom_m3_multiply(parent ? &parent->world.r : base, &j->before.r);
        own = carom_m3_apply(&axes, carom_v3_scale(j->rate, j->axis));
    }
    return parent ? carom_v3_add(parent->spin, own) : own;
}

/* Coordinates of the start that the caller gives. */
static carom_status take_starts(carom_robot *robot)
{
    for (size_t k = 0; k < robot->def->start_count; k++) {
        const carom_import_start *s = &robot->def->start[k];
        int index = carom_names_find(&robot->joint_names, s->joint);
        if (index < 0 && robot->def->prefix) {
            const char *full = carom_arena_format(robot->arena, "%s%s", robot->def->prefix, s->joint);
            index = full ? carom_names_find(&robot->joint_names, full) : -1;
        }
        if (index < 0)
            return carom_robot_fail_joint(robot, s->place.line ? &s->place : NULL, "start", s->joint);
        carom_robot_joint *j = &robot->joints[index];
        if (!has_coordinate(j) || j->mimics >= 0)
            return carom_fail(
                robot->ctx, CAROM_ERROR_MODEL, s->place.line ? &s->place : NULL, "start: joint '%.63s' %s", j->name,
                j->mimics >= 0 ? "follows another one, whose start it has"
                               : "has no coordinate; turn and move a free robot by `at` and `orientation`");
        j->start = s->value;
        j->start_given = true;
    }
    return CAROM_OK;
}

/* Joints that follow others begin where these say; one that follows itself, in one or more steps, is refused. */
static carom_status follow(carom_robot *robot)
{
    for (size_t k = 0; k < robot->joint_count; k++) {
        double ratio = 1, offset = 0;
        int at = (int)k;
        for (size_t n = 0; robot->joints[at].mimics >= 0; n++) {
            const carom_robot_joint *j = &robot->joints[at];
            offset += ratio * j->offset;
            ratio *= j->ratio;
            at = j->mimics;
            if (at == (int)k || n > robot->joint_count)
                return carom_fail(robot->ctx, CAROM_ERROR_MODEL, &robot->joints[k].mimic_place,
                                  "joint '%.63s' mimics %s; name another joint", robot->joints[k].name,
                                  robot->joints[k].mimics == (int)k ? "itself" : "a joint that mimics it");
            if (n > 1000)
                return carom_fail(robot->ctx, CAROM_ERROR_MODEL, &robot->joints[k].mimic_place,
                                  "joint '%.63s' mimics by way of more than 1000 others", robot->joints[k].name);
        }
        if (robot->joints[k].mimics < 0)
            continue;
        robot->joints[k].start = ratio * robot->joints[at].start + offset;
        robot->joints[k].has_rate = false;
        robot->joints[k].rate = ratio * robot->joints[at].rate;
    }
    return CAROM_OK;
}

/* Joints whose limits exclude where the description has them start at the nearer limit, unless a start is given. */
static carom_status enter_limits(carom_robot *robot)
{
    for (size_t k = 0; k < robot->joint_count; k++) {
        carom_robot_joint *j = &robot->joints[k];
        if (j->start_given || !j->has_limits || j->mimics >= 0 || (j->start >= j->lower && j->start <= j->upper))
            continue;
        const double drawn = j->start;
        j->start = drawn < j->lower ? j->lower : j->upper;
        CAROM_TRY(carom_import_warn(robot, &j->place,
                                    "joint '%.63s' starts at %g, as its limits %g ... %g exclude %g; `start` gives it "
                                    "another coordinate",
                                    j->name, j->start, j->lower, j->upper, drawn));
    }
    return CAROM_OK;
}

/* ---- sizes ---- */

bool carom_robot_solid(const carom_robot_shape *s, carom_mesh_mass *out)
{
    const double a = s->size[0], b = s->size[1], c = s->size[2];
    double xx, yy, zz, volume;
    if (strcmp(s->type, "mesh") == 0) {
        *out = s->mass;
        return s->mesh && s->mass.closed && s->mass.volume > 0;
    }
    if (strcmp(s->type, "sphere") == 0) {
        volume = 4.0 / 3 * CAROM_PI * a * a * a;
        xx = yy = zz = 0.4 * a * a;
    } else if (strcmp(s->type, "ellipsoid") == 0) {
        volume = 4.0 / 3 * CAROM_PI * a * b * c;
        xx = (b * b + c * c) / 5;
        yy = (a * a + c * c) / 5;
        zz = (a * a + b * b) / 5;
    } else if (strcmp(s->type, "box") == 0) {
        volume = a * b * c;
        xx = (b * b + c * c) / 12;
        yy = (a * a + c * c) / 12;
        zz = (a * a + b * b) / 12;
    } else if (strcmp(s->type, "cylinder") == 0) {
        volume = CAROM_PI * a * a * b;
        xx = yy = a * a / 4 + b * b / 12;
        zz = a * a / 2;
    } else if (strcmp(s->type, "capsule") == 0) {
        /* a cylinder of length b and two half balls */
        const double middle = b / (b + 4.0 / 3 * a), ends = 1 - middle;
        volume = CAROM_PI * a * a * (b + 4.0 / 3 * a);
        xx = yy = middle * (a * a / 4 + b * b / 12) + ends * (0.4 * a * a + b * b / 4 + 3.0 / 8 * a * b);
        zz = middle * a * a / 2 + ends * 0.4 * a * a;
    } else {
        return false;
    }
    *out = (carom_mesh_mass){true, volume, {0, 0, 0}, {volume * xx, volume * yy, volume * zz, 0, 0, 0}};
    return volume > 0;
}

static double size_of(const carom_robot_shape *s)
{
    if (strcmp(s->type, "sphere") == 0)
        return 2 * s->size[0];
    if (strcmp(s->type, "box") == 0)
        return fmax(s->size[0], fmax(s->size[1], s->size[2]));
    if (strcmp(s->type, "mesh") == 0)
        return s->extent;
    if (strcmp(s->type, "ellipsoid") == 0)
        return 2 * fmax(s->size[0], fmax(s->size[1], s->size[2]));
    return fmax(2 * s->size[0], s->size[1]);
}

/* Meshes have no unit: sizes and densities that no robot has are told. */
static carom_status check_sizes(carom_robot *robot)
{
    for (size_t k = 0; k < robot->shape_count; k++) {
        const carom_robot_shape *s = &robot->shapes[k];
        if (s->link < 0)
            continue;
        carom_robot_link *link = &robot->links[s->link];
        carom_mesh_mass mass;
        if (!s->visual && carom_robot_solid(s, &mass))
            link->volume += mass.volume;
        link->size = fmax(link->size, size_of(s));
    }
    for (size_t k = 0; k < robot->link_count; k++) {
        const carom_robot_link *link = &robot->links[k];
        const double density = link->volume > 0 ? link->mass / link->volume : 0;
        if (link->holder == CAROM_GROUND && !link->has_inertia)
            continue;
        if (link->size > 10)
            CAROM_TRY(
                carom_import_warn(robot, &link->place,
                                  "link '%.63s' is %.3g m large; are its lengths in millimetres? Give the mesh the "
                                  "scale 0.001",
                                  link->name, link->size));
        else if (link->has_inertia && link->volume > 0 && !(density >= 10 && density <= 30000))
            CAROM_TRY(
                carom_import_warn(robot, &link->place,
                                  "link '%.63s' has a mean density of %.3g kg/m^3, outside 10 ... 30000: are mass "
                                  "and lengths in kg and m?",
                                  link->name, density));
    }
    return CAROM_OK;
}

/* ---- entry ---- */

carom_status carom_robot_complete(carom_robot *robot)
{
    int *order = carom_arena_alloc(robot->arena, robot->link_count + 1, sizeof *order);
    if (!order)
        return carom_fail_memory(robot->ctx);
    const carom_import_def *def = robot->def;
    const carom_quat turn = {def->orientation[0], def->orientation[1], def->orientation[2], def->orientation[3]};
    const carom_placement base = {carom_v3_load(def->at), carom_quat_matrix(turn)};
    CAROM_TRY(link_up(robot));
    CAROM_TRY(order_links(robot, order));
    CAROM_TRY(take_starts(robot));
    CAROM_TRY(enter_limits(robot));
    CAROM_TRY(follow(robot));
    for (size_t k = 0; k < robot->link_count; k++) {
        carom_robot_link *link = &robot->links[order[k]];
        const carom_robot_joint *j = link->joint >= 0 ? &robot->joints[link->joint] : NULL;
        link->world = link->drawn = base;
        if (j) {
            const carom_robot_link *parent = j->parent >= 0 ? &robot->links[j->parent] : NULL;
            const carom_placement step = moved(j, j->start, j->has_placed ? &j->placed : NULL);
            const carom_placement drawn = moved(j, j->reference, NULL);
            link->world = carom_placement_chain(parent ? &parent->world : &base, &step);
            link->drawn = carom_placement_chain(parent ? &parent->drawn : &base, &drawn);
            link->spin = spin_of(robot, link, &base.r);
        }
        CAROM_TRY(hold(robot, order[k]));
    }
    for (size_t k = 0; k < robot->link_count; k++)
        if (robot->links[k].holder == (int)k && strcmp(robot->links[k].name, "ground") == 0)
            return carom_fail(robot->ctx, CAROM_ERROR_MODEL, &robot->links[k].place,
                              "link 'ground' has an inertia, and the body of that name is the world; give the robot a "
                              "prefix, or rename the link");
    return check_sizes(robot);
}
