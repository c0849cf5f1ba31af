/* The reader and the compiler of models: any bytes are a model or a message, and a document reads again as itself. */
#include "fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    carom_context *ctx = fuzz_context();
    carom_document *document = NULL;
    carom_model *model = NULL;
    carom_status status = carom_document_parse(ctx, "model.yaml", (const char *)data, size, NULL, 0, &document);
    fuzz_check(ctx, status);
    if ((status == CAROM_OK) != (document != NULL))
        fuzz_fail("a status that does not fit the document");
    if (document) {
        const carom_spec *spec = carom_document_spec(document);
        status = carom_model_compile(ctx, spec, &model);
        fuzz_check(ctx, status);
        if (spec->text && memchr(data, 0, size) == NULL) {
            carom_document *again = NULL;
            if (carom_document_parse(ctx, "model.yaml", spec->text, spec->text_length, NULL, 0, &again) != CAROM_OK)
                fuzz_fail("the text that a document keeps is no model");
            carom_document_free(again);
        }
    }
    carom_model_free(model);
    carom_document_free(document);
    fuzz_end(ctx);
    return 0;
}
