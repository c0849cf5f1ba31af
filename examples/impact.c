/* impact [MODEL]: runs a model file, or a ball that is dropped on a plate, and prints its impacts. */
#include <stdio.h>
#include <carom/carom.h>

static const char ball[] =
    "{carom: 1, dimension: 2, gravity: [0, -9.81], bodies: {ball: {mass: 0.1, inertia: 4e-6, at: [0, 0.03]}},"
    " shapes: {skin: {type: sphere, on: ball, radius: 0.01}, plate: {type: plane, on: ground, normal: [0, 1]}},"
    " contacts: {hit: {between: [plate, skin], normal: {law: flores, stiffness: 1e9, restitution: 0.8}}}, run: {until: "
    "0.3}}";

int main(int argc, char **argv)
{
    carom_context *context = NULL;
    carom_document *document = NULL;
    carom_model *model = NULL;
    carom_simulation *simulation = NULL;
    carom_simulation_def def = carom_default_simulation_def();
    carom_status status = carom_context_create(NULL, &context);
    if (status == CAROM_OK)
        status = argc > 1 ? carom_document_read(context, argv[1], NULL, 0, &document)
                          : carom_document_parse(context, "ball", ball, sizeof ball - 1, NULL, 0, &document);
    if (status == CAROM_OK)
        status = carom_model_compile(context, carom_document_spec(document), &model);
    if (status == CAROM_OK)
        status = carom_simulation_create(context, model, &def, &simulation);
    if (status == CAROM_OK)
        status = carom_simulation_run(simulation);
    size_t count = 0;
    const carom_impact *impacts = simulation ? carom_simulation_impacts(simulation, &count) : NULL;
    for (size_t k = 0; k < count; k++)
        printf("%s: %.9g s, %.6g m/s in, %.6g m/s out, peak force %.6g N\n", impacts[k].contact, impacts[k].onset,
               impacts[k].v_in, impacts[k].v_out, impacts[k].peak_force);
    if (status != CAROM_OK)
        fprintf(stderr, "%s\n", context ? carom_context_error(context) : carom_status_name(status));
    carom_simulation_free(simulation);
    carom_model_free(model);
    carom_document_free(document);
    carom_context_free(context);
    return (int)status;
}
