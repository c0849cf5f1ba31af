/* law: two contact laws without a model: restitution of a free impact, and a force. */
#include <stdio.h>
#include <carom/carom.h>

static const double mass = 0.046, speed = 0.3; /* [kg], [m/s] */

/* Force 5 um deep, in compression at 0.2 m/s, of a body that touched at the speed above. */
static carom_status print_force(carom_context *context, const carom_law_def *def)
{
    carom_law *law;
    carom_law_output f;
    const carom_law_input point = {.delta = 5e-6, .rate = 0.2, .speed = speed, .mass = mass};
    carom_status status = carom_law_compile(context, def, &law);
    if (status != CAROM_OK)
        return status;
    status = carom_law_force(law, &point, &f);
    if (status == CAROM_OK)
        printf("  at 5 um and 0.2 m/s: %.6g N = elastic %.6g N + damping %.6g N\n", f.force, f.elastic, f.damping);
    carom_law_free(law);
    return status;
}

static carom_status print_impact(carom_context *context, const carom_law_def *law)
{
    carom_impact_solution s;
    carom_impact_def def = carom_default_impact_def();
    def.law = *law;
    def.mass = mass;
    def.speed = speed;
    carom_status status = carom_impact_solve(context, &def, &s);
    if (status == CAROM_OK)
        printf("%s: restitution asked %.6g, got %.9g; peak force %.6g N, %.5g um deep, %.5g us\n", law->law, s.e_asked,
               s.e_got, s.peak_force, 1e6 * s.max_indentation, 1e6 * s.duration);
    carom_impact_solution_free(context, &s);
    return status;
}

int main(void)
{
    static const char *const names[] = {"flores", "exact"};
    const carom_param params[] = {
        {.name = "stiffness", .value = {.type = CAROM_VALUE_NUMBER, .number = {5.5e9}}}, /* [N/m^1.5] */
        {.name = "restitution", .value = {.type = CAROM_VALUE_NUMBER, .number = {0.7}}},
    };
    carom_context *context = NULL;
    carom_status status = carom_context_create(NULL, &context);
    for (size_t k = 0; k < sizeof names / sizeof names[0] && status == CAROM_OK; k++) {
        carom_law_def law = carom_default_law_def();
        law.law = names[k];
        law.params = (carom_param_list){params, sizeof params / sizeof params[0]};
        status = print_impact(context, &law);
        if (status == CAROM_OK)
            status = print_force(context, &law);
    }
    if (status != CAROM_OK)
        fprintf(stderr, "%s\n", context ? carom_context_error(context) : carom_status_name(status));
    carom_context_free(context);
    return (int)status;
}
