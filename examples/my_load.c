/* my_load: wind on a body as a load of one's own; its power is booked as work of an outside source. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <carom/carom.h>

typedef struct weather {
    double strength, period; /* of the gusts [m/s], [s] */
} weather;

/* Drag c |u| u of the wind u that the body feels. The wind does work, or takes it: the power is force times
   velocity. */
static void blow(void *user, const carom_load_input *in, carom_load_output *out)
{
    const weather *w = user;
    const double gust = w->strength * sin(6.283185307179586 * in->time / w->period);
    const double ux = in->p[1] + gust - in->i.v.x, uy = in->p[2] - in->i.v.y, speed = hypot(ux, uy);
    out->force_i.x = in->p[0] * speed * ux;
    out->force_i.y = in->p[0] * speed * uy;
    out->work_power = out->force_i.x * in->i.v.x + out->force_i.y * in->i.v.y;
}

static const char model_text[] =
    "{carom: 1, dimension: 2, gravity: [0, -9.81], run: {until: 4},\n"
    " bodies: {ball: {mass: 0.01, inertia: 1e-5, velocity: [0, 15]}},\n"
    " loads: {gale: {type: wind, on: ball, drag: 1e-3, velocity: [8, 0]}}}\n";

int main(void)
{
    weather stormy = {3, 0.7};
    const carom_param_row params[] = {
        {"drag", "N s^2/m^2", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Force at 1 m/s."},
        {"velocity", "m/s", 3, CAROM_PARAM_REQUIRED | CAROM_PARAM_TIME, 0, -HUGE_VAL, HUGE_VAL, "Mean of the wind."}};
    carom_load_kind_def def = carom_default_load_kind_def();
    def.kind.name = "wind", def.kind.title = "Drag of a wind with gusts on a body.", def.kind.user = &stormy;
    def.kind.params = params, def.kind.param_count = 2;
    def.frame_count = 1, def.apply = blow;

    carom_context *ctx = NULL;
    carom_document *file = NULL;
    carom_model *model = NULL;
    carom_simulation *sim = NULL;
    bool ok = carom_context_create(NULL, &ctx) == CAROM_OK && carom_register_load(ctx, &def) == CAROM_OK &&
              carom_document_parse(ctx, "storm", model_text, strlen(model_text), NULL, 0, &file) == CAROM_OK &&
              carom_model_compile(ctx, carom_document_spec(file), &model) == CAROM_OK &&
              carom_simulation_create(ctx, model, NULL, &sim) == CAROM_OK && carom_simulation_run(sim) == CAROM_OK;
    if (ok) {
        const carom_ledger books = carom_simulation_ledger(sim);
        printf("the wind did %.6f J of work; residual of the energy %.1e\n", books.work, books.residual_fraction);
        ok = fabs(books.work) > 0.1 && fabs(books.residual_fraction) < 1e-6;
    } else {
        fprintf(stderr, "%s\n", ctx ? carom_context_error(ctx) : "no context");
    }
    carom_simulation_free(sim), carom_model_free(model), carom_document_free(file);
    carom_context_free(ctx);
    return ok ? 0 : 1;
}
