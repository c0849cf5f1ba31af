/* Studies: any bytes are a study or a message, and a study that is one tells its runs. */
#include "fuzz.h"

static const char model[] = "carom: 1\n"
                            "dimension: 2\n"
                            "parameters: {K: 1e9, e: 0.5, law: flores}\n"
                            "bodies:\n"
                            "  a: {mass: 1, inertia: 1e-3, at: [-51*mm, 0], velocity: [1, 0]}\n"
                            "  b: {mass: 1, inertia: 1e-3, at: [50*mm, 0], velocity: [0, 0]}\n"
                            "shapes: {a: {type: sphere, on: a, radius: 5*cm}, b: {type: sphere, on: b, radius: 5*cm}}\n"
                            "contacts: {hit: {between: [a, b], normal: {law: law, stiffness: K, restitution: e}}}\n"
                            "run: {until: 3*ms}\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    carom_context *ctx = fuzz_context();
    carom_study *study = NULL;
    const carom_status status = carom_study_parse(ctx, "study.yaml", (const char *)data, size, model, &study);
    fuzz_check(ctx, status);
    if ((status == CAROM_OK) != (study != NULL))
        fuzz_fail("a status that does not fit the study");
    carom_study_free(study);
    fuzz_end(ctx);
    return 0;
}
