/* URDF, the description of robots of ROS: one tree of links and joints.

   Source: the XML formats of urdf (link, joint), as the parsers of ROS read them: rpy are turns about fixed axes x, y,
   z; the inertia is given in the axes of <inertial><origin>; the axis of a joint in its own axes, (1, 0, 0) where there
   is none. */
#include "import/robot.h"

#include <math.h>
#include <stdio.h>

/* ---- what is ignored, and why ---- */

static const char *reason(const char *element, const char *attribute)
{
    static const struct {
        const char *element, *attribute, *why;
    } reasons[] = {
        {"transmission", NULL, "drives are `motor` loads in the model file"},
        {"gazebo", NULL, "it speaks to Gazebo"},
        {"mujoco", NULL, "it speaks to MuJoCo"},
        {"drake", NULL, "it speaks to Drake"},
        {"material", NULL, "nothing has it"},
        {"texture", NULL, "textures are not drawn"},
        {"sensor", NULL, "channels and outputs of the model file take the place of sensors"},
        {"safety_controller", NULL, "it is a control, which belongs into the model file"},
        {"calibration", NULL, "it moves nothing"},
        {"contact_coefficients", NULL, "laws of contacts are chosen in the model file"},
        {"ros2_control", NULL, "drives are `motor` loads in the model file"},
        {"limit", "effort", "it limits drives, which are loads in the model file"},
        {"limit", "velocity", "it limits drives, which are loads in the model file"},
    };
    for (size_t k = 0; k < CAROM_COUNT(reasons); k++)
        if (strcmp(element, reasons[k].element) == 0 &&
            (attribute ? reasons[k].attribute && strcmp(attribute, reasons[k].attribute) == 0 : !reasons[k].attribute))
            return reasons[k].why;
    return NULL;
}

/* ---- placements ---- */

static carom_status read_origin(carom_robot *robot, carom_xml *parent, carom_placement *out)
{
    double xyz[3] = {0}, rpy[3] = {0};
    *out = carom_placement_none();
    carom_xml *origin = carom_xml_child(parent, "origin");
    if (!origin)
        return CAROM_OK;
    CAROM_TRY(carom_import_vector(robot, origin, "xyz", 3, xyz, NULL));
    CAROM_TRY(carom_import_vector(robot, origin, "rpy", 3, rpy, NULL));
    out->p = carom_v3_load(xyz);
    out->r = carom_rotation_rpy(rpy[0], rpy[1], rpy[2]);
    return CAROM_OK;
}

/* ---- links ---- */

static carom_status read_inertial(carom_robot *robot, carom_xml *inertial, carom_robot_link *link)
{
    static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    carom_placement origin;
    double about[6] = {0};
    bool zero = true, given[6];
    CAROM_TRY(read_origin(robot, inertial, &origin));
    carom_xml *mass = carom_xml_child(inertial, "mass"), *inertia = carom_xml_child(inertial, "inertia");
    link->inertia_place = inertial->place;
    if (!mass || !inertia)
        return carom_fail(robot->ctx, CAROM_ERROR_MODEL, &inertial->place, "link '%.63s': <inertial> needs %s",
                          link->name, mass ? "<inertia ixx=... iyy=... izz=...>" : "<mass value=...>");
    CAROM_TRY(carom_import_required(robot, mass, "value", 1, &link->mass));
    for (int k = 0; k < 6; k++) {
        if (k < 3)
            CAROM_TRY(carom_import_required(robot, inertia, names[k], 1, &about[k]));
        else
            CAROM_TRY(carom_import_vector(robot, inertia, names[k], 1, &about[k], &given[k]));
        zero = zero && about[k] == 0;
    }
    if (link->mass == 0 && zero)
        return carom_import_warn(robot, &inertial->place, "<inertial> without mass and inertia is taken as none");
    link->has_inertia = link->inertia_given = true;
    link->com = origin.p;
    carom_inertia_rotate(&origin.r, about, link->inertia);
    link->inertia_place = mass->place;
    if (link->mass > 0)
        link->inertia_place = inertia->place;
    return carom_robot_check_inertia(robot, link);
}

static carom_status read_link(carom_robot *robot, carom_xml *element)
{
    carom_robot_link link = {.place = element->place};
    CAROM_TRY(carom_import_text_of(robot, element, "name", &link.name));
    carom_xml *inertial = carom_xml_child(element, "inertial");
    if (inertial)
        CAROM_TRY(read_inertial(robot, inertial, &link));
    return carom_robot_add_link(robot, &link);
}

/* ---- shapes ---- */

static carom_status positive(carom_robot *robot, const carom_xml *element, const char *name, double value)
{
    return value > 0 ? CAROM_OK
                     : carom_fail(robot->ctx, CAROM_ERROR_MODEL, &element->place,
                                  "'%s' of <%s> is %g m; it must be greater than 0", name, element->name, value);
}

static carom_status read_round(carom_robot *robot, carom_xml *element, bool length, carom_robot_shape *out)
{
    CAROM_TRY(carom_import_required(robot, element, "radius", 1, &out->size[0]));
    CAROM_TRY(positive(robot, element, "radius", out->size[0]));
    if (!length)
        return CAROM_OK;
    CAROM_TRY(carom_import_required(robot, element, "length", 1, &out->size[1]));
    return positive(robot, element, "length", out->size[1]);
}

static carom_status read_box(carom_robot *robot, carom_xml *element, carom_robot_shape *out)
{
    CAROM_TRY(carom_import_required(robot, element, "size", 3, out->size));
    for (int k = 0; k < 3; k++)
        CAROM_TRY(positive(robot, element, "size", out->size[k]));
    return CAROM_OK;
}

/* A mesh: its file must be there to touch anything. */
static carom_status read_mesh(carom_robot *robot, carom_xml *element, carom_robot_shape *out)
{
    const char *name;
    out->scale[0] = out->scale[1] = out->scale[2] = 1;
    CAROM_TRY(carom_import_text_of(robot, element, "filename", &name));
    CAROM_TRY(carom_import_vector(robot, element, "scale", 3, out->scale, NULL));
    CAROM_TRY(carom_import_find(robot, &element->place, name, &out->mesh));
    if (out->mesh)
        return carom_import_measure(robot, &element->place, out);
    if (out->visual)
        return carom_import_warn(robot, &element->place, "there is no mesh file '%.200s', which is not drawn", name);
    return carom_fail(
        robot->ctx, CAROM_ERROR_MODEL, &element->place,
        "there is no mesh file '%.200s', with which link '%.63s' touches others; give the file, or another "
        "<collision>",
        name, robot->links[out->link].name);
}

static carom_status read_geometry(carom_robot *robot, carom_xml *geometry, carom_robot_shape *out)
{
    carom_xml *sphere = carom_xml_child(geometry, "sphere"), *box = carom_xml_child(geometry, "box");
    carom_xml *cylinder = carom_xml_child(geometry, "cylinder"), *capsule = carom_xml_child(geometry, "capsule");
    carom_xml *mesh = carom_xml_child(geometry, "mesh");
    out->type = sphere ? "sphere" : box ? "box" : cylinder ? "cylinder" : capsule ? "capsule" : mesh ? "mesh" : NULL;
    if (sphere)
        return read_round(robot, sphere, false, out);
    if (box)
        return read_box(robot, box, out);
    if (cylinder || capsule)
        return read_round(robot, cylinder ? cylinder : capsule, true, out);
    if (mesh)
        return read_mesh(robot, mesh, out);
    return carom_fail(robot->ctx, CAROM_ERROR_MODEL, &geometry->place,
                      "<geometry> of link '%.63s' has no shape: box, cylinder, sphere, capsule or mesh",
                      robot->links[out->link].name);
}

/* Shapes are called as their link; where it has several, or names for them, with number or name behind it. */
static carom_status name_shape(carom_robot *robot, carom_xml *element, int number, bool alone, carom_robot_shape *shape)
{
    const char **out = &shape->name, *name = carom_xml_get(element, "name"), *what = shape->visual ? "_visual" : "";
    const char *link = robot->links[shape->link].name + (robot->def->prefix ? strlen(robot->def->prefix) : 0);
    if (name && *name)
        *out = strncmp(name, link, strlen(link)) == 0 ? carom_arena_format(robot->arena, "%s%s", name, what)
                                                      : carom_arena_format(robot->arena, "%s_%s%s", link, name, what);
    else
        *out = alone ? carom_arena_format(robot->arena, "%s%s", link, what)
                     : carom_arena_format(robot->arena, "%s%s_%d", link, what, number);
    return *out ? CAROM_OK : carom_fail_memory(robot->ctx);
}

/* The colour of a <material>, which the one of a name at the top may have. */
static carom_status read_colour(carom_robot *robot, carom_xml *visual, carom_robot_shape *out)
{
    double rgba[4];
    carom_xml *material = carom_xml_child(visual, "material");
    if (!material)
        return CAROM_OK;
    const char *name = carom_xml_get(material, "name");
    carom_xml *colour = carom_xml_child(material, "color");
    for (carom_xml *m = colour ? NULL : carom_xml_child(robot->root, "material"); m && name && !colour;
         m = carom_xml_next(m, "material")) {
        const char *own = carom_xml_get(m, "name");
        colour = own && strcmp(own, name) == 0 ? carom_xml_child(m, "color") : NULL;
    }
    if (!colour)
        return CAROM_OK;
    CAROM_TRY(carom_import_vector(robot, colour, "rgba", 4, rgba, &out->has_colour));
    for (int k = 0; k < 3 && out->has_colour; k++)
        out->colour[k] = rgba[k];
    return CAROM_OK;
}

/* The shapes of a link that touch, or those that are drawn. */
static carom_status read_shapes(carom_robot *robot, carom_xml *element, int link, const char *role)
{
    carom_xml *first = carom_xml_child(element, role);
    const bool alone = first && !carom_xml_next(first, role);
    int number = 0;
    for (carom_xml *c = first; c; c = carom_xml_next(c, role)) {
        carom_robot_shape shape = {.link = link, .place = c->place, .visual = strcmp(role, "visual") == 0};
        carom_xml *geometry = carom_xml_child(c, "geometry");
        CAROM_TRY(name_shape(robot, c, ++number, alone, &shape));
        CAROM_TRY(read_origin(robot, c, &shape.on));
        if (!geometry)
            return carom_fail(robot->ctx, CAROM_ERROR_MODEL, &c->place, "<%s> of link '%.63s' needs <geometry>", role,
                              robot->links[link].name);
        CAROM_TRY(read_geometry(robot, geometry, &shape));
        if (shape.visual)
            CAROM_TRY(read_colour(robot, c, &shape));
        shape.unseen = !shape.visual;
        if (strcmp(shape.type, "mesh") != 0 || shape.mesh)
            CAROM_TRY(carom_robot_add_shape(robot, &shape));
    }
    return CAROM_OK;
}

static carom_status read_all_shapes(carom_robot *robot, carom_xml *element, int link)
{
    CAROM_TRY(read_shapes(robot, element, link, "collision"));
    return read_shapes(robot, element, link, "visual");
}

/* ---- joints ---- */

static const struct {
    const char *urdf, *type;
    bool axis, coordinate;
} joint_types[] = {
    {"revolute", "revolute", true, true},       {"continuous", "revolute", true, true},
    {"prismatic", "translational", true, true}, {"fixed", "fixed", false, false},
    {"floating", "free", false, false},         {"planar", "planar", true, false},
};

static carom_status read_type(carom_robot *robot, carom_xml *element, carom_robot_joint *out, int *type)
{
    const char *text, *names[CAROM_COUNT(joint_types)];
    CAROM_TRY(carom_import_text_of(robot, element, "type", &text));
    for (size_t k = 0; k < CAROM_COUNT(joint_types); k++) {
        names[k] = joint_types[k].urdf;
        if (strcmp(text, names[k]) == 0) {
            *type = (int)k;
            out->type = joint_types[k].type;
            return CAROM_OK;
        }
    }
    const char *nearest = carom_nearest_name(text, names, CAROM_COUNT(names));
    return carom_fail(robot->ctx, CAROM_ERROR_MODEL, &element->place, "joint '%.63s': no type '%.60s'; %s%s%s",
                      out->name, text, nearest ? "did you mean '" : "there are ",
                      nearest ? nearest : "revolute, continuous, prismatic, fixed, floating, planar",
                      nearest ? "'?" : "");
}

static carom_status find_link(carom_robot *robot, carom_xml *element, const char *role, const char *joint, int *out)
{
    const char *name;
    carom_xml *end = carom_xml_child(element, role);
    if (!end)
        return carom_fail(robot->ctx, CAROM_ERROR_MODEL, &element->place, "joint '%.63s' needs <%s link=...>", joint,
                          role);
    CAROM_TRY(carom_import_text_of(robot, end, "link", &name));
    const char *full = carom_robot_name(robot, "link_", name);
    if (!full)
        return carom_fail_memory(robot->ctx);
    *out = carom_names_find(&robot->link_names, full);
    if (*out >= 0)
        return CAROM_OK;
    const char **names = carom_arena_alloc(robot->arena, robot->link_count + 1, sizeof *names);
    for (size_t k = 0; names && k < robot->link_count; k++)
        names[k] = robot->links[k].name;
    char owner[100];
    snprintf(owner, sizeof owner, "joint '%.63s'", joint);
    return names ? carom_fail_unknown(robot->ctx, &end->place, owner, "link", full, names, robot->link_count)
                 : carom_fail_memory(robot->ctx);
}

static carom_status read_axis(carom_robot *robot, carom_xml *element, carom_robot_joint *out)
{
    double axis[3] = {1, 0, 0};
    carom_xml *given = carom_xml_child(element, "axis");
    if (given)
        CAROM_TRY(carom_import_required(robot, given, "xyz", 3, axis));
    out->axis = carom_v3_load(axis);
    const double length = carom_v3_norm(out->axis);
    if (!(length > 1e-12) || !isfinite(length))
        return carom_fail(robot->ctx, CAROM_ERROR_MODEL, &given->place,
                          "joint '%.63s': the axis has the length %g; give a direction such as 0 0 1", out->name,
                          length);
    out->axis = carom_v3_scale(1 / length, out->axis);
    return CAROM_OK;
}

static carom_status read_limits(carom_robot *robot, carom_xml *element, bool continuous, carom_robot_joint *out)
{
    carom_xml *limit = carom_xml_child(element, "limit");
    if (!limit || continuous)
        return CAROM_OK;
    CAROM_TRY(carom_import_vector(robot, limit, "lower", 1, &out->lower, NULL));
    CAROM_TRY(carom_import_vector(robot, limit, "upper", 1, &out->upper, NULL));
    if (out->lower > out->upper)
        return carom_fail(robot->ctx, CAROM_ERROR_MODEL, &limit->place,
                          "joint '%.63s': its lower limit %g is above the upper one, %g; exchange them", out->name,
                          out->lower, out->upper);
    out->has_limits = out->lower < out->upper;
    if (!out->has_limits && (carom_xml_get(limit, "lower") || carom_xml_get(limit, "upper")))
        return carom_import_warn(robot, &limit->place,
                                 "both limits are %g, which leaves the joint nowhere to go; it has none in the model",
                                 out->lower);
    return CAROM_OK;
}

static carom_status read_dynamics(carom_robot *robot, carom_xml *element, carom_robot_joint *out)
{
    carom_xml *dynamics = carom_xml_child(element, "dynamics");
    if (!dynamics)
        return CAROM_OK;
    CAROM_TRY(carom_import_vector(robot, dynamics, "damping", 1, &out->damping, NULL));
    CAROM_TRY(carom_import_vector(robot, dynamics, "friction", 1, &out->friction, NULL));
    if (out->damping < 0 || out->friction < 0)
        return carom_fail(robot->ctx, CAROM_ERROR_MODEL, &dynamics->place,
                          "joint '%.63s': %s is %g; it must be at least 0", out->name,
                          out->damping < 0 ? "the damping" : "the friction",
                          out->damping < 0 ? out->damping : out->friction);
    return CAROM_OK;
}

static carom_status read_mimic(carom_robot *robot, carom_xml *element, carom_robot_joint *out)
{
    carom_xml *mimic = carom_xml_child(element, "mimic");
    out->ratio = 1;
    if (!mimic)
        return CAROM_OK;
    out->mimic_place = mimic->place;
    CAROM_TRY(carom_import_text_of(robot, mimic, "joint", &out->mimic_name));
    CAROM_TRY(carom_import_vector(robot, mimic, "multiplier", 1, &out->ratio, NULL));
    return carom_import_vector(robot, mimic, "offset", 1, &out->offset, NULL);
}

/* Limits of drives hold for motors, which have their own in the model: told of those that have none. */
static carom_status read_drive_limits(carom_robot *robot, carom_xml *element, const char *joint)
{
    carom_xml *limit = carom_xml_child(element, "limit");
    if (!limit || !robot->def->motors)
        return CAROM_OK;
    const bool effort = carom_xml_get(limit, "effort"), speed = carom_xml_get(limit, "velocity");
    bool free_effort = false, free_speed = false;
    for (size_t k = 0; k < robot->def->motor_count; k++) {
        const carom_import_motor *motor = &robot->def->motors[k];
        const bool here = strcmp(motor->joint, joint) == 0;
        free_effort = free_effort || (here && !motor->limits_effort);
        free_speed = free_speed || (here && !motor->limits_speed);
    }
    if (effort && free_effort)
        CAROM_TRY(carom_import_ignore(robot, &limit->place,
                                      "'effort' of <limit> is ignored: the motor on the joint has no `limit`"));
    if (speed && free_speed)
        return carom_import_ignore(robot, &limit->place,
                                   "'velocity' of <limit> is ignored: the motor on the joint has no `no_load_speed`");
    return CAROM_OK;
}

static carom_status read_joint(carom_robot *robot, carom_xml *element)
{
    carom_robot_joint joint = {.place = element->place, .mimics = -1, .behind = carom_placement_none()};
    int type = 0;
    CAROM_TRY(carom_import_text_of(robot, element, "name", &joint.name));
    CAROM_TRY(read_type(robot, element, &joint, &type));
    CAROM_TRY(find_link(robot, element, "parent", joint.name, &joint.parent));
    CAROM_TRY(find_link(robot, element, "child", joint.name, &joint.child));
    CAROM_TRY(read_origin(robot, element, &joint.before));
    if (joint_types[type].axis)
        CAROM_TRY(read_axis(robot, element, &joint));
    if (joint_types[type].coordinate) {
        CAROM_TRY(read_limits(robot, element, strcmp(joint_types[type].urdf, "continuous") == 0, &joint));
        CAROM_TRY(read_dynamics(robot, element, &joint));
        CAROM_TRY(read_mimic(robot, element, &joint));
    }
    CAROM_TRY(carom_robot_add_joint(robot, &joint));
    return read_drive_limits(robot, element, robot->joints[robot->joint_count - 1].name);
}

static carom_status find_mimicked(carom_robot *robot)
{
    for (size_t k = 0; k < robot->joint_count; k++) {
        carom_robot_joint *j = &robot->joints[k];
        if (!j->mimic_name)
            continue;
        const char *full = carom_robot_name(robot, "joint_", j->mimic_name);
        if (!full)
            return carom_fail_memory(robot->ctx);
        j->mimics = carom_names_find(&robot->joint_names, full);
        char owner[100];
        snprintf(owner, sizeof owner, "joint '%.63s' mimics", j->name);
        if (j->mimics < 0)
            return carom_robot_fail_joint(robot, &j->mimic_place, owner, full);
        const char *type = robot->joints[j->mimics].type;
        if (strcmp(type, "revolute") != 0 && strcmp(type, "translational") != 0)
            return carom_fail(
                robot->ctx, CAROM_ERROR_MODEL, &j->mimic_place,
                "joint '%.63s' mimics '%.63s', which has no coordinate to follow; name a revolute, continuous "
                "or prismatic joint",
                j->name, full);
    }
    return CAROM_OK;
}

/* ---- the file ---- */

/* A root without inertia may stand for the world, or be a name for the body that is fixed to it. */
static carom_status tell_base(carom_robot *robot, int root)
{
    for (size_t k = 0; k < robot->joint_count; k++) {
        const carom_robot_joint *j = &robot->joints[k];
        if (j->parent == root && strcmp(j->type, "fixed") == 0 && robot->links[j->child].has_inertia)
            return carom_import_warn(robot, &robot->links[root].place,
                                     "the root '%.63s' has no inertia and is taken as the ground, to which joint "
                                     "'%.63s' fixes '%.63s'; `base: free` lets them go, `base: fixed` says that "
                                     "they stand",
                                     robot->links[root].name, j->name, robot->links[j->child].name);
    }
    return CAROM_OK;
}

static carom_status check_roots(carom_robot *robot)
{
    bool *is_child = carom_arena_alloc(robot->arena, robot->link_count + 1, sizeof *is_child);
    if (!is_child)
        return carom_fail_memory(robot->ctx);
    for (size_t k = 0; k < robot->joint_count; k++)
        is_child[robot->joints[k].child] = true;
    int root = -1;
    for (size_t k = 0; k < robot->link_count; k++) {
        if (is_child[k])
            continue;
        if (root >= 0)
            return carom_fail(
                robot->ctx, CAROM_ERROR_MODEL, &robot->links[k].place,
                "link '%.63s' has no parent, and neither has '%.63s' (line %d); a robot has one root: join "
                "both, or make two files of it",
                robot->links[k].name, robot->links[root].name, robot->links[root].place.line);
        root = (int)k;
    }
    robot->root_is_ground =
        robot->def->base == CAROM_IMPORT_BASE_FIXED ||
        (robot->def->base == CAROM_IMPORT_BASE_AUTO && root >= 0 && !robot->links[root].has_inertia);
    if (robot->root_is_ground && robot->def->base == CAROM_IMPORT_BASE_AUTO)
        return tell_base(robot, root);
    return CAROM_OK;
}

static carom_status refuse_xacro(carom_robot *robot, const carom_xml *root)
{
    for (const carom_xml *e = root->first; e; e = e->next)
        if (strncmp(e->name, "xacro:", 6) == 0)
            return carom_fail(
                robot->ctx, CAROM_ERROR_MODEL, &e->place,
                "<%.60s>: this is a xacro file, a program that writes a URDF; run `xacro %.200s > robot.urdf` "
                "and read robot.urdf",
                e->name, robot->file);
    return CAROM_OK;
}

carom_status carom_urdf_read(carom_robot *robot, carom_xml *root)
{
    root->used = true;
    robot->root = root;
    robot->format = "URDF";
    robot->name = carom_xml_get(root, "name");
    carom_xml_get(root, "version");
    CAROM_TRY(refuse_xacro(robot, root));
    CAROM_TRY(carom_robot_index(robot));
    for (carom_xml *e = carom_xml_child(root, "link"); e; e = carom_xml_next(e, "link"))
        CAROM_TRY(read_link(robot, e));
    if (!robot->link_count)
        return carom_fail(robot->ctx, CAROM_ERROR_MODEL, &root->place, "the robot has no <link>");
    int link = 0;
    for (carom_xml *e = carom_xml_child(root, "link"); e; e = carom_xml_next(e, "link"))
        CAROM_TRY(read_all_shapes(robot, e, link++));
    for (carom_xml *e = carom_xml_child(root, "joint"); e; e = carom_xml_next(e, "joint"))
        CAROM_TRY(read_joint(robot, e));
    CAROM_TRY(find_mimicked(robot));
    CAROM_TRY(check_roots(robot));
    return carom_import_unread(robot, root, reason);
}
