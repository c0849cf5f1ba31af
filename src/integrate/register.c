/* Integrators of a program's own: one-step methods with fixed steps. */
#include "integrate/integrator.h"
#include "kinds/register.h"

carom_integrator_kind_def carom_default_integrator_kind_def(void)
{
    return (carom_integrator_kind_def){
        .kind = {.size = sizeof(carom_integrator_kind_def), .version = CAROM_KIND_VERSION}, .order = 1};
}

carom_status carom_register_integrator(carom_context *ctx, const carom_integrator_kind_def *def)
{
    CAROM_NEED(ctx, ctx);
    if (!def)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "integrator: there is no definition");
    const carom_register_need needs[] = {{"step", def->step}};
    CAROM_TRY(carom_register_check(ctx, CAROM_FAMILY_INTEGRATOR, &def->kind, sizeof *def, needs, CAROM_COUNT(needs)));
    const char *wrong = def->kind.param_count               ? "it may have no parameters"
                        : def->order < 1 || def->order > 20 ? "`order` must be 1 to 20"
                        : def->vectors < 0 || def->vectors > CAROM_STEP_VECTORS
                            ? "`vectors` must be 0 to CAROM_STEP_VECTORS"
                            : NULL;
    if (wrong)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "integrator '%s': %s", def->kind.name, wrong);
    carom_integrator_kind *kind = carom_arena_alloc(carom_registry_arena(ctx), 1, sizeof *kind);
    if (!kind || !(kind->outside = carom_register_block(ctx, def, sizeof *def)))
        return carom_fail_memory(ctx);
    CAROM_TRY(carom_register_texts(ctx, &def->kind, &kind->kind));
    kind->fixed_step = true;
    kind->order = def->order;
    kind->can_project = true;
    kind->create = carom_fixed_create;
    kind->destroy = carom_fixed_destroy;
    kind->restart = carom_fixed_restart;
    kind->step = carom_fixed_step;
    kind->interpolate = carom_fixed_interpolate;
    return carom_registry_add(ctx, CAROM_FAMILY_INTEGRATOR, &kind->kind);
}
