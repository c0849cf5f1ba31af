/* The least a program does that simulates with the installed libcarom alone: a ball falls and bounces once. */
#include <stdio.h>
#include <string.h>
#include <carom/carom.h>

static const char text[] = "carom: 1\n"
                           "dimension: 2\n"
                           "gravity: [0, -9.81]\n"
                           "bodies:\n"
                           "  ball: {mass: 1, inertia: 0.1, at: [0, 1]}\n"
                           "shapes:\n"
                           "  ball: {type: sphere, on: ball, radius: 0.1}\n"
                           "  floor: {type: plane, on: ground, normal: [0, 1]}\n"
                           "contacts:\n"
                           "  hit: {between: [floor, ball], normal: {law: flores, stiffness: 1e6, restitution: 0.8}}\n"
                           "run: {until: 0.6}\n";

int main(void)
{
    carom_context *ctx = NULL;
    carom_document *document = NULL;
    carom_model *model = NULL;
    carom_simulation *sim = NULL;
    size_t impacts = 0;
    carom_status status = carom_context_create(NULL, &ctx);
    if (status == CAROM_OK)
        status = carom_document_parse(ctx, "ball.yaml", text, strlen(text), NULL, 0, &document);
    if (status == CAROM_OK)
        status = carom_model_compile(ctx, carom_document_spec(document), &model);
    if (status == CAROM_OK)
        status = carom_simulation_create(ctx, model, NULL, &sim);
    if (status == CAROM_OK)
        status = carom_simulation_run(sim);
    if (status == CAROM_OK)
        carom_simulation_impacts(sim, &impacts);
    else
        fprintf(stderr, "%s\n", carom_context_error(ctx));
    printf("carom %s, %zu impact\n", carom_version(), impacts);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_document_free(document);
    carom_context_free(ctx);
    return status == CAROM_OK && impacts == 1 ? 0 : 1;
}
