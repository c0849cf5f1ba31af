/* The system that an analysis works on, and the start of the model. */
#include "analysis/analysis.h"

#include "dynamics/assembly.h"
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

carom_status carom_analysis_start(carom_analysis *a, carom_evaluation *d, carom_state *s, carom_start *start)
{
    char text[600];
    carom_warning_code code;
    const size_t rows = (size_t)a->model->row_count;
    if (!(start->redundant = carom_arena_alloc(&a->arena, rows, sizeof(bool))) ||
        !(start->written = carom_arena_alloc(&a->arena, rows, sizeof(double))) ||
        !(start->angles = carom_arena_alloc(&a->arena, rows, sizeof(bool))))
        return carom_fail_memory(a->ctx);
    if (carom_run_follows(a->run)) {
        carom_assembly_branches(d, s);
        return carom_assembly_rank(d, s, start->redundant, &start->rank);
    }
    CAROM_TRY(carom_assembly_start(d, s, start));
    if (carom_assembly_warning(a->model, start, &code, text, sizeof text))
        carom_log_warning(a->ctx, code, "%s: %s", a->name, text);
    return CAROM_OK;
}
