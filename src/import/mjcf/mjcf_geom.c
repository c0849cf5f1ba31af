/* Geoms of MJCF: shapes, and the mass that they give their body. */
#include "import/mjcf/mjcf.h"

#include <math.h>

/* ---- masses ---- */

/* Adds the inertia of a mass at a point to one about the origin. */
static void add_point(double *inertia, double mass, carom_vec3 p)
{
    const double s = carom_v3_dot(p, p);
    inertia[0] += mass * (s - p.x * p.x);
    inertia[1] += mass * (s - p.y * p.y);
    inertia[2] += mass * (s - p.z * p.z);
    inertia[3] -= mass * p.x * p.y;
    inertia[4] -= mass * p.x * p.z;
    inertia[5] -= mass * p.y * p.z;
}

/* Masses of several shapes: the inertia is kept about the common centre. */
static void add_mass(carom_robot_link *link, const carom_robot_shape *shape, const carom_mesh_mass *solid, double mass)
{
    double about[6], turned[6];
    for (int k = 0; k < 6; k++)
        about[k] = mass / solid->volume * solid->inertia[k];
    const double total = link->mass + mass;
    const carom_vec3 own = carom_v3_add(shape->on.p, carom_m3_apply(&shape->on.r, solid->centre));
    const carom_vec3 centre =
        carom_v3_scale(1 / total, carom_v3_add(carom_v3_scale(link->mass, link->com), carom_v3_scale(mass, own)));
    carom_inertia_rotate(&shape->on.r, about, turned);
    add_point(link->inertia, link->mass, carom_v3_sub(link->com, centre));
    add_point(link->inertia, mass, carom_v3_sub(own, centre));
    for (int k = 0; k < 6; k++)
        link->inertia[k] += turned[k];
    link->com = centre;
    link->mass = total;
    link->has_inertia = true;
}

carom_status carom_mjcf_read_inertial(carom_mjcf *m, carom_xml *inertial, carom_robot_link *link)
{
    const carom_mjcf_element e = {inertial, -1};
    carom_placement at;
    double about[6] = {0}, diagonal[3];
    int count;
    link->inertia_place = inertial->place;
    CAROM_TRY(carom_mjcf_placement(m, &e, &at));
    CAROM_TRY(carom_import_required(m->robot, inertial, "mass", 1, &link->mass));
    CAROM_TRY(carom_mjcf_numbers(m, &e, "fullinertia", 6, 6, about, &count));
    if (!count) {
        CAROM_TRY(carom_import_required(m->robot, inertial, "diaginertia", 3, diagonal));
        memcpy(about, diagonal, sizeof diagonal);
    }
    bool zero = link->mass == 0;
    for (int k = 0; k < 6; k++)
        zero = zero && about[k] == 0;
    if (zero)
        return carom_import_warn(m->robot, &inertial->place, "<inertial> without mass and inertia is taken as none");
    link->com = at.p;
    link->has_inertia = link->inertia_given = true;
    carom_inertia_rotate(&at.r, about, link->inertia);
    return CAROM_OK;
}

/* ---- shapes ---- */

static const struct {
    const char *mjcf, *type;
    int sizes, of_ends; /* numbers of `size`, and where `fromto` gives the length */
} geom_types[] = {
    {"sphere", "sphere", 1, 1},     {"capsule", "capsule", 2, 1}, {"ellipsoid", "ellipsoid", 3, 2},
    {"cylinder", "cylinder", 2, 1}, {"box", "box", 3, 2},         {"plane", "plane", 0, 0},
    {"mesh", "mesh", 0, 0},         {"hfield", NULL, 0, 0},       {"sdf", NULL, 0, 0},
};

static carom_status find_type(carom_mjcf *m, const carom_mjcf_element *e, int *out)
{
    const char *text = carom_mjcf_get(m, e, "type"), *names[CAROM_COUNT(geom_types)];
    for (size_t k = 0; k < CAROM_COUNT(geom_types); k++) {
        names[k] = geom_types[k].mjcf;
        if (strcmp(text ? text : "sphere", names[k]) == 0) {
            *out = (int)k;
            return CAROM_OK;
        }
    }
    return carom_fail_unknown(m->robot->ctx, &e->xml->place, "<geom>", "type", text, names, CAROM_COUNT(names));
}

/* Half lengths become lengths. */
static carom_status read_size(carom_mjcf *m, const carom_mjcf_element *e, int type, carom_robot_shape *out)
{
    double size[3] = {0}, ends[6];
    int count, given;
    CAROM_TRY(carom_mjcf_numbers(m, e, "fromto", 6, 6, ends, &given));
    const int need = given ? geom_types[type].of_ends : geom_types[type].sizes;
    if (!need) {
        carom_mjcf_get(m, e, "size"); /* of a plane it is how far it is drawn */
        return CAROM_OK;
    }
    CAROM_TRY(carom_mjcf_numbers(m, e, "size", 1, 3, size, &count));
    if (count < need)
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &e->xml->place,
                          "<geom> of type %s needs %d number%s in 'size', not %d", geom_types[type].mjcf, need,
                          need == 1 ? "" : "s", count);
    if (given && strcmp(out->type, "sphere") != 0)
        size[need == 2 ? 2 : 1] = 0.5 * carom_v3_norm(carom_v3_sub(carom_v3_load(ends), carom_v3_load(ends + 3)));
    if (given && need == 2 && count < 2)
        size[1] = size[0];
    for (int k = 0; k < geom_types[type].sizes; k++)
        if (!(size[k] > 0))
            return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &e->xml->place,
                              "'size' of <geom> is %g m; it must be greater than 0", size[k]);
    const bool box = strcmp(out->type, "box") == 0, round = geom_types[type].sizes == 2;
    for (int k = 0; k < 3; k++)
        out->size[k] = box || (round && k == 1) ? 2 * size[k] : size[k];
    return CAROM_OK;
}

/* The <mesh> of a name in any <asset>. */
static carom_xml *find_mesh(carom_mjcf *m, const char *name)
{
    for (carom_xml *s = carom_xml_child(m->root, "asset"); s; s = carom_xml_next(s, "asset"))
        for (carom_xml *a = carom_xml_child(s, "mesh"); a; a = carom_xml_next(a, "mesh")) {
            const char *file = carom_xml_get(a, "file"), *own = carom_xml_get(a, "name");
            const char *slash = file ? strrchr(file, '/') : NULL, *base = slash ? slash + 1 : file;
            if (own ? strcmp(own, name) == 0
                    : base && strncmp(base, name, strlen(name)) == 0 && base[strlen(name)] == '.')
                return a;
        }
    return NULL;
}

static carom_status read_mesh(carom_mjcf *m, const carom_mjcf_element *e, carom_robot_shape *out)
{
    const char *name = carom_mjcf_get(m, e, "mesh");
    if (!name)
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &e->xml->place, "<geom> of type mesh needs 'mesh'");
    carom_xml *a = find_mesh(m, name);
    int count;
    if (!a)
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &e->xml->place,
                          "<geom>: there is no mesh '%.63s' in <asset>", name);
    const char *file = carom_xml_get(a, "file"), *slash = file && m->strip ? strrchr(file, '/') : NULL;
    if (!file)
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &a->place, "mesh '%.63s' needs 'file'", name);
    carom_mjcf_element own;
    CAROM_TRY(carom_mjcf_with_class(m, a, -1, &own));
    out->scale[0] = out->scale[1] = out->scale[2] = 1;
    CAROM_TRY(carom_mjcf_numbers(m, &own, "scale", 3, 3, out->scale, &count));
    file = slash ? slash + 1 : file;
    const char *path = m->mesh_folder ? carom_arena_format(m->robot->arena, "%s/%s", m->mesh_folder, file) : file;
    if (!path)
        return carom_fail_memory(m->robot->ctx);
    CAROM_TRY(carom_import_find(m->robot, &a->place, path, &out->mesh));
    if (out->mesh)
        return carom_import_measure(m->robot, &a->place, out);
    if (out->visual)
        return carom_import_warn(m->robot, &a->place, "there is no mesh file '%.200s', which is not drawn", path);
    return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &a->place,
                      "there is no mesh file '%.200s', with which a body touches others; give the file, or another "
                      "<geom>",
                      path);
}

/* A geom that touches nothing is drawn only. */
static carom_status read_visual(carom_mjcf *m, const carom_mjcf_element *e, bool *out)
{
    double type = 1, affinity = 1;
    CAROM_TRY(carom_mjcf_number(m, e, "contype", &type));
    CAROM_TRY(carom_mjcf_number(m, e, "conaffinity", &affinity));
    *out = type == 0 && affinity == 0;
    return CAROM_OK;
}

/* The mass that a geom gives the body. */
static carom_status read_mass(carom_mjcf *m, const carom_mjcf_element *e, const carom_robot_shape *shape, int link)
{
    double mass = -1, density = 1000, group = 0;
    carom_mesh_mass solid;
    CAROM_TRY(carom_mjcf_number(m, e, "mass", &mass));
    CAROM_TRY(carom_mjcf_number(m, e, "density", &density));
    CAROM_TRY(carom_mjcf_number(m, e, "group", &group));
    if (link < 0 || m->robot->links[link].inertia_given)
        return CAROM_OK;
    if (group < m->groups[0] || group > m->groups[1])
        return CAROM_OK;
    if (mass < 0 && carom_mjcf_get(m, e, "mass"))
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &e->xml->place,
                          "the mass of <geom> is %g kg; it must be at least 0", mass);
    if (density < 0)
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &e->xml->place,
                          "the density of <geom> is %g kg/m^3; it must be at least 0", density);
    if (!carom_robot_solid(shape, &solid))
        return strcmp(shape->type, "mesh") == 0 && mass != 0
                   ? carom_import_warn(m->robot, &e->xml->place,
                                       "the mesh is not closed and gives its body no mass; give that an <inertial>")
                   : CAROM_OK;
    const double own = mass >= 0 ? mass : density * solid.volume;
    if (own > 0)
        add_mass(&m->robot->links[link], shape, &solid, own);
    return CAROM_OK;
}

static carom_status name_geom(carom_mjcf *m, const carom_mjcf_element *e, int link, int number, bool alone,
                              const char **out)
{
    const char *body = link < 0 ? "world" : m->robot->links[link].name;
    *out = carom_xml_get(e->xml, "name");
    if (*out && **out)
        return CAROM_OK;
    if (link >= 0 && m->robot->def->prefix)
        body += strlen(m->robot->def->prefix);
    *out = alone ? body : carom_arena_format(m->robot->arena, "%s_%d", body, number);
    return *out ? CAROM_OK : carom_fail_memory(m->robot->ctx);
}

/* Its own colour, or that of its material. */
static carom_status read_colour(carom_mjcf *m, const carom_mjcf_element *e, carom_robot_shape *out)
{
    const char *name = carom_mjcf_get(m, e, "material");
    double rgba[4], group = 0;
    int count;
    CAROM_TRY(carom_mjcf_number(m, e, "group", &group));
    out->unseen = !out->visual && group > 2; /* MuJoCo draws the groups 0, 1 and 2 */
    CAROM_TRY(carom_mjcf_numbers(m, e, "rgba", 4, 4, rgba, &count));
    for (carom_xml *s = name && !count ? carom_xml_child(m->root, "asset") : NULL; s; s = carom_xml_next(s, "asset"))
        for (carom_xml *a = carom_xml_child(s, "material"); a; a = carom_xml_next(a, "material")) {
            const char *own = carom_xml_get(a, "name");
            carom_mjcf_element material;
            if (!own || strcmp(own, name) != 0)
                continue;
            CAROM_TRY(carom_mjcf_with_class(m, a, -1, &material));
            CAROM_TRY(carom_mjcf_numbers(m, &material, "rgba", 4, 4, rgba, &count));
        }
    out->has_colour = count > 0;
    for (int k = 0; k < 3 && count; k++)
        out->colour[k] = rgba[k];
    return CAROM_OK;
}

static carom_status read_geom(carom_mjcf *m, const carom_mjcf_element *e, int link, const carom_placement *in,
                              int number, bool alone)
{
    int type = 0;
    carom_robot_shape shape = {.link = link, .place = e->xml->place};
    CAROM_TRY(find_type(m, e, &type));
    shape.type = geom_types[type].type;
    if (!shape.type)
        return carom_import_ignore(m->robot, &e->xml->place,
                                   "<geom> of type %s is ignored: the model has no such shape", geom_types[type].mjcf);
    CAROM_TRY(name_geom(m, e, link, number, alone, &shape.name));
    CAROM_TRY(carom_mjcf_placement(m, e, &shape.on));
    shape.on = carom_placement_chain(in, &shape.on);
    CAROM_TRY(read_visual(m, e, &shape.visual));
    if (strcmp(shape.type, "mesh") == 0)
        CAROM_TRY(read_mesh(m, e, &shape));
    else
        CAROM_TRY(read_size(m, e, type, &shape));
    CAROM_TRY(read_mass(m, e, &shape, link));
    CAROM_TRY(read_colour(m, e, &shape));
    return strcmp(shape.type, "mesh") == 0 && !shape.mesh ? CAROM_OK : carom_robot_add_shape(m->robot, &shape);
}

carom_status carom_mjcf_read_geoms(carom_mjcf *m, carom_xml *body, int class, int link, const carom_placement *in)
{
    carom_xml *first = carom_xml_child(body, "geom");
    const bool alone = link >= 0 && strcmp(body->name, "body") == 0 && first && !carom_xml_next(first, "geom") &&
                       !carom_xml_child(body, "frame");
    for (carom_xml *g = first; g; g = carom_xml_next(g, "geom")) {
        carom_mjcf_element e;
        int *number = link < 0 ? &m->world_shapes : &m->robot->links[link].shapes;
        CAROM_TRY(carom_mjcf_with_class(m, g, class, &e));
        CAROM_TRY(read_geom(m, &e, link, in, ++*number, alone));
    }
    return CAROM_OK;
}
