/* MJCF, the model files of MuJoCo: bodies within bodies, with joints and shapes.

   Source: the XML reference of MuJoCo: angles are degrees unless <compiler angle="radian">; joints of a body are in its
   axes, and act in their order; quaternions are w x y z; a body without <inertial> has that of its geoms, of a density
   of 1000 kg/m^3. */
#include "import/mjcf.h"

#include <stdio.h>

/* ---- what is ignored, and why ---- */

#define SOFT "it belongs to the soft contacts of MuJoCo; laws of contacts and stops are chosen in the model file"
#define DRAWING "it is about drawing"
#define RUN "integrator, tolerance and output are chosen in `run`"

static const char *reason(const char *element, const char *attribute)
{
    static const struct {
        const char *name, *why;
    } of_attributes[] = {
        {"solref", SOFT},
        {"solimp", SOFT},
        {"friction", SOFT},
        {"margin", SOFT},
        {"gap", SOFT},
        {"condim", SOFT},
        {"priority", SOFT},
        {"solmix", SOFT},
        {"solreflimit", SOFT},
        {"solimplimit", SOFT},
        {"solreffriction", SOFT},
        {"solimpfriction", SOFT},
        {"contype", "contacts are declared in the model file"},
        {"conaffinity", "contacts are declared in the model file"},
        {"rgba", DRAWING},
        {"material", DRAWING},
        {"group", DRAWING},
        {"ctrlrange", "an input has no range"},
        {"ctrllimited", "an input has no range"},
    };
    static const struct {
        const char *name, *why;
    } of_elements[] = {
        {"option", RUN},
        {"size", RUN},
        {"visual", DRAWING},
        {"statistic", DRAWING},
        {"texture", DRAWING},
        {"material", DRAWING},
        {"light", DRAWING},
        {"camera", DRAWING},
        {"global", DRAWING},
        {"sensor", "channels and outputs of the model file take the place of sensors"},
        {"contact", "contacts are declared in the model file"},
        {"pair", "contacts are declared in the model file"},
        {"exclude", "contacts are declared in the model file"},
        {"tendon", "the model has springs and motors between frames and on joints"},
        {"custom", "it moves nothing"},
        {"extension", "plugins are not run"},
        {"general", "only motor, position and velocity are read"},
    };
    for (size_t k = 0; attribute && k < CAROM_COUNT(of_attributes); k++)
        if (strcmp(attribute, of_attributes[k].name) == 0)
            return of_attributes[k].why;
    if (strcmp(element, "option") == 0)
        return RUN;
    for (size_t k = 0; !attribute && k < CAROM_COUNT(of_elements); k++)
        if (strcmp(element, of_elements[k].name) == 0)
            return of_elements[k].why;
    return NULL;
}

/* ---- settings ---- */

static carom_status read_euler(carom_mjcf *m, carom_xml *e, const char *text)
{
    if (strlen(text) != 3 || strspn(text, "xyzXYZ") != 3)
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &e->place,
                          "'eulerseq' is three letters of xyzXYZ, such as xyz, not '%.20s'", text);
    memcpy(m->euler, text, 4);
    return CAROM_OK;
}

static carom_status read_compiler(carom_mjcf *m, carom_xml *e)
{
    const char *angle = carom_xml_get(e, "angle"), *limits = carom_xml_get(e, "autolimits");
    const char *euler = carom_xml_get(e, "eulerseq"), *folder = carom_xml_get(e, "meshdir");
    const char *from_geom = carom_xml_get(e, "inertiafromgeom"), *coordinates = carom_xml_get(e, "coordinate");
    if (angle)
        m->degrees = strcmp(angle, "radian") != 0;
    if (limits)
        m->autolimits = strcmp(limits, "false") != 0;
    if (from_geom)
        m->from_geom = strcmp(from_geom, "true") == 0 ? 'a' : strcmp(from_geom, "false") == 0 ? 'n' : 'i';
    if (!folder)
        folder = carom_xml_get(e, "assetdir");
    if (folder)
        m->mesh_folder = folder;
    if (coordinates && strcmp(coordinates, "local") != 0)
        return carom_fail(
            m->robot->ctx, CAROM_ERROR_MODEL, &e->place,
            "coordinates of the world are not read; save the model with MuJoCo 2.3, which writes local ones");
    CAROM_TRY(carom_import_vector(m->robot, e, "inertiagrouprange", 2, m->groups, NULL));
    return euler ? read_euler(m, e, euler) : CAROM_OK;
}

static carom_status read_option(carom_mjcf *m, carom_xml *e)
{
    bool given;
    CAROM_TRY(carom_import_vector(m->robot, e, "gravity", 3, m->robot->gravity, &given));
    if (given)
        m->robot->gravity_place = e->place;
    return CAROM_OK;
}

static carom_status read_settings(carom_mjcf *m, carom_xml *root)
{
    m->robot->has_gravity = true;
    m->robot->gravity[2] = -9.81;
    for (carom_xml *e = carom_xml_child(root, "compiler"); e; e = carom_xml_next(e, "compiler"))
        CAROM_TRY(read_compiler(m, e));
    for (carom_xml *e = carom_xml_child(root, "option"); e; e = carom_xml_next(e, "option"))
        CAROM_TRY(read_option(m, e));
    for (carom_xml *e = carom_xml_child(root, "default"); e; e = carom_xml_next(e, "default"))
        CAROM_TRY(carom_mjcf_read_classes(m, e, -1));
    m->asset = carom_xml_child(root, "asset");
    return CAROM_OK;
}

/* ---- bodies ---- */

static carom_status read_children(carom_mjcf *m, carom_xml *element, int class, int link, const carom_placement *in);

/* Elements that would be missed: they make bodies. */
static carom_status refuse_makers(carom_mjcf *m, const carom_xml *parent)
{
    static const char *const makers[] = {"include", "replicate", "composite", "flexcomp", "attach"};
    for (const carom_xml *e = parent->first; e; e = e->next)
        for (size_t k = 0; k < CAROM_COUNT(makers); k++)
            if (strcmp(e->name, makers[k]) == 0)
                return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &e->place,
                                  "<%s> makes parts of the model and is not read; write them out: MuJoCo's `compile "
                                  "%.200s robot.xml` does so",
                                  e->name, m->robot->file);
    return CAROM_OK;
}

static carom_status read_body(carom_mjcf *m, carom_xml *element, int class, int parent, const carom_placement *in)
{
    carom_robot_link link = {.place = element->place, .inertia_place = element->place};
    carom_mjcf_element e = {element, -1};
    carom_placement at;
    link.name = carom_xml_get(element, "name");
    if ((!link.name || !*link.name) &&
        !(link.name = carom_arena_format(m->robot->arena, "body_%zu", m->robot->link_count + 1)))
        return carom_fail_memory(m->robot->ctx);
    const char *childclass = carom_xml_get(element, "childclass");
    if (childclass)
        CAROM_TRY(carom_mjcf_find_class(m, element, childclass, &class));
    CAROM_TRY(carom_mjcf_placement(m, &e, &at));
    at = carom_placement_chain(in, &at);
    carom_xml *inertial = carom_xml_child(element, "inertial");
    if (inertial && m->from_geom != 'a')
        CAROM_TRY(carom_mjcf_read_inertial(m, inertial, &link));
    else if (m->from_geom == 'n')
        link.inertia_given = true; /* as none */
    const int own = (int)m->robot->link_count;
    CAROM_TRY(carom_robot_add_link(m->robot, &link));
    CAROM_TRY(carom_mjcf_read_joints(m, element, class, parent, own, &at));
    const carom_placement none = carom_placement_none();
    return read_children(m, element, class, own, &none);
}

static carom_status read_site(carom_mjcf *m, carom_xml *element, int class, int link, const carom_placement *in)
{
    carom_mjcf_element e;
    carom_robot_frame frame = {.link = link, .place = element->place};
    CAROM_TRY(carom_mjcf_with_class(m, element, class, &e));
    CAROM_TRY(carom_mjcf_placement(m, &e, &frame.on));
    frame.on = carom_placement_chain(in, &frame.on);
    const char *name = carom_xml_get(element, "name");
    if (!name || !*name)
        return CAROM_OK;
    frame.name = carom_robot_frame_name(m->robot, name);
    return frame.name ? carom_robot_add_frame(m->robot, &frame) : carom_fail_memory(m->robot->ctx);
}

/* What stands in a body, or in a <frame> of it. */
static carom_status read_children(carom_mjcf *m, carom_xml *element, int class, int link, const carom_placement *in)
{
    CAROM_TRY(refuse_makers(m, element));
    CAROM_TRY(carom_mjcf_read_geoms(m, element, class, link, in));
    for (carom_xml *s = carom_xml_child(element, "site"); s; s = carom_xml_next(s, "site"))
        CAROM_TRY(read_site(m, s, class, link, in));
    for (carom_xml *e = element->first; e; e = e->next) {
        if (strcmp(e->name, "body") == 0) {
            e->used = true;
            CAROM_TRY(read_body(m, e, class, link, in));
        } else if (strcmp(e->name, "frame") == 0) {
            const carom_mjcf_element frame = {e, -1};
            carom_placement at;
            int inner = class;
            const char *childclass = carom_xml_get(e, "childclass");
            e->used = true;
            carom_xml_get(e, "name");
            CAROM_TRY(carom_mjcf_placement(m, &frame, &at));
            at = carom_placement_chain(in, &at);
            if (childclass)
                CAROM_TRY(carom_mjcf_find_class(m, e, childclass, &inner));
            CAROM_TRY(read_children(m, e, inner, link, &at));
        }
    }
    return CAROM_OK;
}

/* Inertias that geoms have made. */
static carom_status check_inertias(carom_mjcf *m)
{
    for (size_t k = 0; k < m->robot->link_count; k++)
        if (m->robot->links[k].has_inertia)
            CAROM_TRY(carom_robot_check_inertia(m->robot, &m->robot->links[k]));
    return CAROM_OK;
}

static carom_status read_all(carom_mjcf *m, carom_xml *root)
{
    const carom_placement none = carom_placement_none();
    carom_xml *world = carom_xml_child(root, "worldbody");
    CAROM_TRY(refuse_makers(m, root));
    CAROM_TRY(read_settings(m, root));
    if (!world)
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &root->place, "the model has no <worldbody>");
    for (; world; world = carom_xml_next(world, "worldbody"))
        CAROM_TRY(read_children(m, world, -1, CAROM_GROUND, &none));
    CAROM_TRY(check_inertias(m));
    CAROM_TRY(carom_mjcf_read_equality(m, root));
    CAROM_TRY(carom_mjcf_read_actuators(m, root));
    CAROM_TRY(carom_mjcf_read_keyframe(m, root));
    return carom_import_unread(m->robot, root, reason);
}

carom_status carom_mjcf_read(carom_robot *robot, carom_xml *root)
{
    carom_mjcf m = {
        .robot = robot, .degrees = true, .autolimits = true, .from_geom = 'i', .euler = "xyz", .groups = {0, 5}};
    root->used = true;
    robot->format = "MJCF";
    robot->name = carom_xml_get(root, "model");
    carom_status status = carom_names_create(robot->arena, robot->elements, &m.part_names);
    if (status == CAROM_OK)
        status = read_all(&m, root);
    carom_release(robot->ctx, m.classes, m.class_capacity, sizeof *m.classes);
    carom_release(robot->ctx, m.parts, m.part_capacity, sizeof *m.parts);
    carom_release(robot->ctx, m.controls, m.control_capacity, sizeof *m.controls);
    return status;
}
