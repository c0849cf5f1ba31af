/* Relations among joint coordinates: an expression of q1, q2, ..., inputs and t that stays 0. The coordinates are
   measures, so that conditions and splines of them are met in the run as everywhere. */
#include "model/compile.h"

#include <stdio.h>
#include <string.h>

static const char *const names[CAROM_COUPLED_JOINTS] = {"q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8"};

/* An input, or the coordinate of a related joint; those stand behind inputs and states. */
static int relation_variable(void *user, carom_context *ctx, size_t index)
{
    carom_compiler *c = user;
    const size_t others = c->spec->input_count + c->spec->state_count;
    if (index < others)
        return carom_compile_moving_variable(user, ctx, index);
    const char *const joint = c->model->joints[c->related->coupled[index - others]].name;
    const int slot = carom_compile_measure(user, ctx, "coordinate", &joint, 1);
    if (slot >= 0)
        c->related->relation_slot[index - others] = slot;
    return slot;
}

static carom_status check_names(carom_compiler *c, const char *owner, const carom_joint_def *def, int count)
{
    for (int k = 0; k < count; k++) {
        if (carom_compile_is_taken(c, names[k]))
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->relation_place,
                              "%s: '%s' is the coordinate of '%s' here, and a parameter, input or state as well; "
                              "rename that one",
                              owner, names[k], def->joints[k]);
    }
    return CAROM_OK;
}

carom_status carom_compile_relation(carom_compiler *c, const char *owner, const carom_joint_def *def, int count,
                                    carom_model_joint *joint)
{
    carom_model *m = c->model;
    const size_t others = c->scope.variable_count, all = others + (size_t)count;
    const char **variables = carom_arena_alloc(&m->arena, all, sizeof *variables);
    carom_dimension *dimensions = carom_arena_alloc(&m->arena, all, sizeof *dimensions);
    if (!variables || !dimensions)
        return carom_fail_memory(c->ctx);
    if (def->params.count)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->params.items[0].value.place,
                          "%s: it takes a relation or %s, not both", owner, def->params.items[0].name);
    CAROM_TRY(check_names(c, owner, def, count));
    for (size_t k = 0; k < all; k++) {
        const bool other = k < others;
        variables[k] = other ? c->scope.variables[k] : names[k - others];
        dimensions[k] = other ? c->scope.variable_dimensions[k]
                              : carom_unit_dimension(m->joints[joint->coupled[k - others]].kind->coordinate_unit,
                                                     CAROM_UNIT_ANY);
    }
    const carom_expr_scope kept = c->scope;
    c->scope.measure = NULL;
    c->scope.variables = variables;
    c->scope.variable_dimensions = dimensions;
    c->scope.variable_count = all;
    c->scope.variable = relation_variable;
    c->related = joint;
    for (int k = 0; k < CAROM_COUPLED_JOINTS; k++)
        joint->relation_slot[k] = -1;
    const carom_status status =
        carom_compile_expr_text(c, def->relation, &def->relation_place, NULL, true, &joint->relation);
    c->scope = kept;
    c->related = NULL;
    CAROM_TRY(status);
    for (int k = 0; k < count; k++)
        if (joint->relation_slot[k] < 0)
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->relation_place,
                              "%s: the relation does not read %s, the coordinate of '%s'; leave the joint out, or use "
                              "it",
                              owner, names[k], def->joints[k]);
    return CAROM_OK;
}
