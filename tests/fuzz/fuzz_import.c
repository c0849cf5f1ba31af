/* Fuzzer of both importers, and of the reader by what they write: any bytes are a model or a message.

   cmake --preset fuzz && cmake --build --preset fuzz
   build/fuzz/fuzz_import -dict=tests/fuzz/import.dict -timeout=10 -rss_limit_mb=2048 WORK tests/fuzz/corpus */
#include <stdint.h>
#include <stdlib.h>

#include "carom/carom.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    carom_context *ctx = NULL;
    carom_model *model = NULL;
    char *text = NULL;
    if (carom_context_create(NULL, &ctx) != CAROM_OK)
        return 0;
    carom_import_def def = carom_default_import_def();
    def.keyframe = size % 3 == 1 ? "k" : NULL;
    def.prefix = size % 5 == 1 ? "p_" : NULL;
    def.base = (carom_import_base)(size % 3);
    const carom_status status = carom_import_parse(ctx, "robot.urdf", (const char *)data, size, &def, &text);
    if ((status == CAROM_OK) != (text != NULL) || (status != CAROM_OK && !*carom_context_error(ctx)))
        abort();
    if (text) {
        size_t length = 0;
        while (text[length])
            length++;
        carom_model_parse(ctx, "robot.yaml", text, length, NULL, 0, &model);
    }
    carom_model_free(model);
    carom_text_free(ctx, text);
    carom_context_free(ctx);
    return 0;
}
