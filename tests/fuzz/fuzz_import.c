/* Both importers, and the reader by what they write: any bytes are a model or a message. */
#include "fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    carom_context *ctx = fuzz_context();
    carom_model *model = NULL;
    char *text = NULL;
    carom_import_def def = carom_default_import_def();
    def.keyframe = size % 3 == 1 ? "k" : NULL;
    def.prefix = size % 5 == 1 ? "p_" : NULL;
    def.base = (carom_import_base)(size % 3);
    const carom_status status = carom_import_parse(ctx, "robot.urdf", (const char *)data, size, &def, &text);
    fuzz_check(ctx, status);
    if ((status == CAROM_OK) != (text != NULL))
        fuzz_fail("a status that does not fit the text");
    if (text)
        fuzz_check(ctx, carom_model_parse(ctx, "robot.yaml", text, strlen(text), NULL, 0, &model));
    carom_model_free(model);
    carom_text_free(ctx, text);
    fuzz_end(ctx);
    return 0;
}
