/* my_law: a normal force of one's own, F = K delta^1.5 (1 + chi rate), which a model file uses by its name. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <carom/carom.h>

static const char *prepare(void *user, const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)user, (void)geometry;
    c[0] = p[0], c[1] = p[1];
    return NULL;
}

static void force(void *user, const double *c, const carom_normal_input *in, carom_normal_force *out)
{
    const double slope = c[0] * sqrt(in->delta), elastic = slope * in->delta, damped = 1 + c[1] * in->rate;
    (void)user;
    *out = (carom_normal_force){elastic * damped, 1.5 * slope * damped, elastic * c[1], 0.4 * elastic * in->delta};
}

static const char model_text[] =
    "{carom: 1, dimension: 2, gravity: [0, 0], run: {until: 10*ms},\n"
    " bodies: {ball: {mass: 0.1, inertia: 1e-5, at: [0, 12*mm], velocity: [0, -0.5]}},\n"
    " shapes: {skin: {type: sphere, on: ball, radius: 10*mm}, floor: {type: plane, on: ground, normal: [0, 1]}},\n"
    " contacts: {hit: {between: [skin, floor], normal: {law: my-law, K: 1e8, chi: 0.4}}}}\n";

int main(void)
{
    const carom_param_row params[] = {
        {"K", "N/m^1.5", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL, "Stiffness."},
        {"chi", "s/m", 1, 0, 0.1, 0, HUGE_VAL, "Share of the elastic force that a rate of 1 m/s adds."}};
    carom_normal_kind_def def = carom_default_normal_kind_def();
    def.kind.name = "my-law", def.kind.title = "Hertz' force with a damping in proportion to force and rate.";
    def.kind.formula = "F = K delta^1.5 (1 + chi rate)";
    def.kind.params = params, def.kind.param_count = 2;
    def.prepare = prepare, def.force = force;

    carom_context *ctx = NULL;
    carom_document *file = NULL;
    carom_model *model = NULL;
    carom_simulation *sim = NULL;
    char *page = NULL;
    size_t count = 0;
    bool ok = carom_context_create(NULL, &ctx) == CAROM_OK && carom_register_normal(ctx, &def) == CAROM_OK &&
              carom_explain(ctx, "my-law", &page) == CAROM_OK && fputs(page, stdout) >= 0 &&
              carom_document_parse(ctx, "drop", model_text, strlen(model_text), NULL, 0, &file) == CAROM_OK &&
              carom_model_compile(ctx, carom_document_spec(file), &model) == CAROM_OK &&
              carom_simulation_create(ctx, model, NULL, &sim) == CAROM_OK && carom_simulation_run(sim) == CAROM_OK;
    const carom_impact *hit = ok ? carom_simulation_impacts(sim, &count) : NULL;
    /* d = chi v of a free impact: d - ln(1 + d) at the onset is -d - ln(1 - d) at the release */
    const double in = count ? 0.4 * hit->v_in : 0, out = count ? 0.4 * hit->v_out : 0;
    ok = count == 1 && fabs((in - log1p(in)) / (-out - log1p(-out)) - 1) < 1e-6;
    printf("\nv_in %.9f m/s, v_out %.9f m/s %s\n", in / 0.4, out / 0.4, ok ? "" : carom_context_error(ctx));
    carom_simulation_free(sim), carom_model_free(model), carom_document_free(file), carom_text_free(ctx, page);
    carom_context_free(ctx);
    return ok ? 0 : 1;
}
