/* A description of a robot to a tree, and to a text. */
#include "import/import.h"
#include "import/robot.h"

#include <math.h>

carom_import_def carom_default_import_def(void)
{
    return (carom_import_def){.size = sizeof(carom_import_def), .orientation = {1, 0, 0, 0}};
}

/* ---- to a tree ---- */

static carom_status read_format(carom_robot *robot, carom_arena *scratch, carom_xml *root)
{
    if (strcmp(root->name, "robot") == 0)
        return carom_urdf_read(robot, root);
    if (strcmp(root->name, "mujoco") == 0)
        return carom_mjcf_read(robot, scratch, root);
    return carom_fail(robot->ctx, CAROM_ERROR_MODEL, &root->place,
                      "<%.60s> begins no description of a robot; URDF begins with <robot>, MJCF with <mujoco>%s",
                      root->name,
                      strcmp(root->name, "sdf") == 0 ? ": write one with the tools of the simulator this is for" : "");
}

static carom_status read_robot(carom_robot *robot, carom_arena *scratch, const carom_text *text, carom_node **out)
{
    carom_xml *root;
    size_t elements;
    CAROM_TRY(carom_xml_parse(scratch, robot->file, text->data ? text->data : "", text->length, &root, &elements));
    robot->elements = elements;
    CAROM_TRY(read_format(robot, scratch, root));
    CAROM_TRY(carom_robot_complete(robot));
    CAROM_TRY(carom_import_tell(robot));
    return carom_robot_tree(robot, out);
}

carom_status carom_import_tree_of(carom_arena *arena, const char *path, const carom_text *text,
                                  const carom_import_def *def, carom_import_about *about, carom_node **out)
{
    carom_context *ctx = arena->ctx;
    carom_robot robot = {.ctx = ctx, .arena = arena, .file = path, .def = def};
    carom_arena scratch;
    carom_arena_init(&scratch, ctx);
    carom_status status = read_robot(&robot, &scratch, text, out);
    if (status == CAROM_OK && robot.name && !(robot.name = carom_arena_text(arena, robot.name)))
        status = carom_fail_memory(ctx);
    *about = (carom_import_about){
        .name = robot.name, .has_gravity = robot.has_gravity, .gravity_place = robot.gravity_place};
    memcpy(about->gravity, robot.gravity, sizeof about->gravity);
    carom_arena_free(&scratch);
    carom_release(ctx, robot.links, robot.link_capacity, sizeof *robot.links);
    carom_release(ctx, robot.joints, robot.joint_capacity, sizeof *robot.joints);
    carom_release(ctx, robot.shapes, robot.shape_capacity, sizeof *robot.shapes);
    carom_release(ctx, robot.frames, robot.frame_capacity, sizeof *robot.frames);
    carom_release(ctx, robot.closures, robot.closure_capacity, sizeof *robot.closures);
    carom_release(ctx, robot.drives, robot.drive_capacity, sizeof *robot.drives);
    carom_release(ctx, robot.efforts, robot.effort_capacity, sizeof *robot.efforts);
    carom_release(ctx, robot.cables, robot.cable_capacity, sizeof *robot.cables);
    carom_release(ctx, robot.couplings, robot.coupling_capacity, sizeof *robot.couplings);
    carom_release(ctx, robot.notes, robot.note_capacity, sizeof *robot.notes);
    return status;
}

carom_status carom_import_tree(carom_arena *arena, const char *path, const carom_import_def *def,
                               carom_import_about *about, carom_node **out)
{
    carom_text text = {.ctx = arena->ctx};
    carom_status status = carom_text_read(&text, path, CAROM_XML_BYTES);
    if (status == CAROM_OK)
        status = carom_import_tree_of(arena, path, &text, def, about, out);
    carom_text_clear(&text);
    return status;
}

/* ---- to a text ---- */

/* The keys that every model has, before and behind those of the robot. */
static carom_node *make_model(carom_arena *arena, const char *path, const carom_import_about *about,
                              const carom_node *robot)
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    carom_tree_maker m = {.arena = arena, .place = {path, 1, 1}};
    const double gravity[3] = {0, 0, -9.81};
    carom_node *model = carom_make_mapping(&m), *run = carom_make_mapping(&m);
    carom_make_entry(&m, model, "carom", carom_make_text(&m, "1"));
    carom_make_entry(&m, model, "title", carom_make_text(&m, about->name && *about->name ? about->name : file));
    carom_make_entry(&m, model, "dimension", carom_make_text(&m, "3"));
    carom_node *down = carom_make_entry(&m, model, "gravity",
                                        carom_make_numbers(&m, about->has_gravity ? about->gravity : gravity, 3));
    for (const carom_node *n = robot->first; n; n = n->next)
        carom_make_entry(&m, model, n->key, carom_make_copy(&m, n));
    carom_make_entry(&m, run, "until", carom_make_text(&m, "1"));
    carom_make_entry(&m, model, "run", run);
    if (m.failed)
        return NULL;
    model->comment =
        carom_arena_format(arena, "Made from %s by `carom import`. Numbers behind # are lines of that file.", file);
    down->comment = carom_arena_format(arena, "no part of %s", file);
    run->comment = down->comment;
    if (about->has_gravity)
        down->comment = NULL;
    return model->comment && run->comment ? model : NULL;
}

static carom_status check_place(carom_context *ctx, const carom_import_def *def)
{
    const double *q = def->orientation;
    const double length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (length > 0 && isfinite(1 / length) && isfinite(length + def->at[0] + def->at[1] + def->at[2]))
        return CAROM_OK;
    return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                      "carom_import_def: `at` must be finite, and `orientation` a quaternion w x y z other than zero; "
                      "begin with carom_default_import_def(), whose robot is not turned");
}

static carom_status write_model(carom_context *ctx, const char *path, const carom_text *source,
                                const carom_import_def *given, char **out)
{
    carom_import_def def = carom_default_import_def();
    CAROM_TRY(carom_take_def(ctx, given, &def, sizeof def, "import_def"));
    CAROM_TRY(check_place(ctx, &def));
    carom_arena arena;
    carom_arena_init(&arena, ctx);
    carom_node *robot = NULL;
    carom_import_about about;
    carom_text text = {.ctx = ctx};
    carom_status status = source ? carom_import_tree_of(&arena, path, source, &def, &about, &robot)
                                 : carom_import_tree(&arena, path, &def, &about, &robot);
    if (status == CAROM_OK) {
        const carom_node *model = make_model(&arena, path, &about, robot);
        if (model)
            carom_tree_write(&text, model);
        status = model && !text.failed ? CAROM_OK : carom_fail_memory(ctx);
    }
    if (status == CAROM_OK)
        status = carom_text_finish(&text, out);
    else
        carom_text_clear(&text);
    carom_arena_free(&arena);
    return status;
}

carom_status carom_import_text(carom_context *ctx, const char *path, const carom_import_def *def, char **out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, path);
    CAROM_NEED(ctx, out);
    *out = NULL;
    return write_model(ctx, path, NULL, def, out);
}

carom_status carom_import_parse(carom_context *ctx, const char *name, const char *text, size_t length,
                                const carom_import_def *def, char **out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, out);
    if (length)
        CAROM_NEED(ctx, text);
    const carom_text source = {.ctx = ctx, .data = (char *)text, .length = length};
    *out = NULL;
    return write_model(ctx, name ? name : "robot.urdf", &source, def, out);
}
