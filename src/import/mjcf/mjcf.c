/* MJCF, the model files of MuJoCo: bodies within bodies, with joints and shapes.

   Source: the XML reference of MuJoCo: angles are degrees unless <compiler angle="radian">; joints of a body are in its
   axes, and act in their order; quaternions are w x y z; a body without <inertial> has that of its geoms, of a density
   of 1000 kg/m^3. */
#include "import/mjcf/mjcf.h"

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
        {"custom", "it moves nothing"},
        {"extension", "plugins are not run"},
        {"muscle", "activation of muscles is not read; a state and a `line-force` of the model file are one"},
        {"intvelocity", "its control is integrated; a state of the model file does so"},
        {"damper", "its control is a damping; a load with an expression is one"},
        {"cylinder", "pressure is not read; a state of the model file is one"},
        {"adhesion", "contacts are declared in the model file"},
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
        m->from_geom = (char)(strcmp(from_geom, "true") == 0 ? 'a' : strcmp(from_geom, "false") == 0 ? 'n' : 'i');
    if (!folder)
        folder = carom_xml_get(e, "assetdir");
    if (folder)
        m->mesh_folder = folder;
    if (coordinates && strcmp(coordinates, "local") != 0)
        return carom_fail(
            m->robot->ctx, CAROM_ERROR_MODEL, &e->place,
            "coordinates of the world are not read; save the model with MuJoCo 2.3, which writes local ones");
    const char *strip = carom_xml_get(e, "strippath"), *balance = carom_xml_get(e, "balanceinertia");
    m->strip = strip ? strcmp(strip, "true") == 0 : m->strip;
    m->balance = balance ? strcmp(balance, "true") == 0 : m->balance;
    CAROM_TRY(carom_import_vector(m->robot, e, "inertiagrouprange", 2, m->groups, NULL));
    CAROM_TRY(carom_import_vector(m->robot, e, "boundmass", 1, &m->least_mass, NULL));
    CAROM_TRY(carom_import_vector(m->robot, e, "boundinertia", 1, &m->least_inertia, NULL));
    CAROM_TRY(carom_import_vector(m->robot, e, "settotalmass", 1, &m->total_mass, NULL));
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
    return CAROM_OK;
}

/* ---- bodies ---- */

static carom_status read_children(carom_mjcf *m, carom_xml *element, int class, int link, const carom_placement *in);

/* Elements that would be missed: they make bodies. */
static carom_status refuse_makers(carom_mjcf *m, const carom_xml *parent)
{
    static const char *const makers[] = {"composite", "flexcomp", "attach"};
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
            carom_placement at;
            int inner = class;
            CAROM_TRY(carom_mjcf_frame(m, e, in, &inner, &at));
            CAROM_TRY(read_children(m, e, inner, link, &at));
        }
    }
    return CAROM_OK;
}

/* Masses and inertias that are less than the compiler allows, and those that no body has. */
static void bound_inertia(const carom_mjcf *m, carom_robot_link *link)
{
    double moments[3];
    if (m->least_mass > 0 && link->mass < m->least_mass)
        link->mass = m->least_mass;
    carom_inertia_moments(link->inertia, moments);
    for (int k = 0; k < 3 && moments[0] < m->least_inertia; k++)
        link->inertia[k] += m->least_inertia - moments[0];
    link->has_inertia = link->has_inertia || (m->least_mass > 0 && m->least_inertia > 0);
    carom_inertia_moments(link->inertia, moments);
    if (m->balance && link->has_inertia && moments[2] > moments[0] + moments[1]) {
        const double mean = (link->inertia[0] + link->inertia[1] + link->inertia[2]) / 3;
        for (int k = 0; k < 6; k++)
            link->inertia[k] = k < 3 ? mean : 0;
    }
}

/* Inertias of all bodies, as the compiler changes them. */
static carom_status check_inertias(carom_mjcf *m)
{
    double total = 0;
    for (size_t k = 0; k < m->robot->link_count; k++) {
        bound_inertia(m, &m->robot->links[k]);
        total += m->robot->links[k].has_inertia ? m->robot->links[k].mass : 0;
    }
    for (size_t k = 0; k < m->robot->link_count; k++) {
        carom_robot_link *link = &m->robot->links[k];
        const double factor = m->total_mass > 0 && total > 0 ? m->total_mass / total : 1;
        link->mass *= factor;
        for (int n = 0; n < 6; n++)
            link->inertia[n] *= factor;
        if (link->has_inertia)
            CAROM_TRY(carom_robot_check_inertia(m->robot, link));
    }
    carom_mjcf_share_inertia(m);
    return CAROM_OK;
}

static carom_status read_all(carom_mjcf *m, carom_arena *scratch, carom_xml *root)
{
    const carom_placement none = carom_placement_none();
    CAROM_TRY(carom_mjcf_include(m, scratch, root));
    CAROM_TRY(refuse_makers(m, root));
    CAROM_TRY(read_settings(m, root));
    CAROM_TRY(carom_mjcf_replicate(m, scratch, root));
    CAROM_TRY(carom_robot_index(m->robot));
    CAROM_TRY(carom_names_create(m->robot->arena, m->robot->elements, &m->part_names));
    CAROM_TRY(carom_mjcf_note_driven(m));
    CAROM_TRY(carom_mjcf_peek_rates(m));
    carom_xml *world = carom_xml_child(root, "worldbody");
    if (!world)
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &root->place, "the model has no <worldbody>");
    for (; world; world = carom_xml_next(world, "worldbody"))
        CAROM_TRY(read_children(m, world, -1, CAROM_GROUND, &none));
    CAROM_TRY(check_inertias(m));
    CAROM_TRY(carom_mjcf_read_tendons(m, root));
    CAROM_TRY(carom_mjcf_read_equality(m, root));
    CAROM_TRY(carom_mjcf_read_actuators(m, root));
    CAROM_TRY(carom_mjcf_read_keyframe(m, root));
    return carom_import_unread(m->robot, root, reason);
}

carom_status carom_mjcf_read(carom_robot *robot, carom_arena *scratch, carom_xml *root)
{
    carom_mjcf m = {.robot = robot,
                    .root = root,
                    .degrees = true,
                    .autolimits = true,
                    .from_geom = 'i',
                    .euler = "xyz",
                    .groups = {0, 5}};
    root->used = true;
    robot->format = "MJCF";
    robot->name = carom_xml_get(root, "model");
    const carom_status status = read_all(&m, scratch, root);
    carom_release(robot->ctx, m.classes, m.class_capacity, sizeof *m.classes);
    carom_release(robot->ctx, m.parts, m.part_capacity, sizeof *m.parts);
    carom_release(robot->ctx, m.tendons, m.tendon_capacity, sizeof *m.tendons);
    carom_release(robot->ctx, m.betweens, m.between_capacity, sizeof *m.betweens);
    carom_release(robot->ctx, m.controls, m.control_capacity, sizeof *m.controls);
    return status;
}
