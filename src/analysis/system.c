/* The system that an analysis works on. */
#include "analysis/analysis.h"

#include "dynamics/dynamics.h"

carom_status carom_analysis_system(carom_analysis *a, carom_state *s, carom_system **out, carom_evaluation **d)
{
    CAROM_TRY(carom_system_create(a->ctx, a->model, s->formulation, out));
    (*out)->records = a->records;
    carom_records_update(a->records, s);
    *d = carom_system_workspace(*out);
    if (*d)
        return CAROM_OK;
    carom_system_free(*out);
    return carom_fail_memory(a->ctx);
}
