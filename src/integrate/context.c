/* Contexts: the lowest layer that knows the kinds of all families makes them. */
#include "base/context.h"
#include "integrate/integrator.h"

static const carom_kind *const integrators[] = {
#define CAROM_KIND(symbol) &carom_integrator_##symbol.kind,
#include "integrate/integrator/integrator.def"
#undef CAROM_KIND
};

carom_status carom_context_create_for(int version, const carom_context_def *def, carom_context **out)
{
    static const carom_family_table families[] = {{CAROM_FAMILY_INTEGRATOR, integrators, CAROM_COUNT(integrators)}};
    if (out)
        *out = NULL;
    CAROM_TRY(carom_context_check_version(version));
    CAROM_TRY(carom_context_open(def, out));
    const carom_status status = carom_registry_create(*out, families, CAROM_COUNT(families));
    if (status != CAROM_OK) {
        carom_context_free(*out);
        *out = NULL;
    }
    return status;
}
