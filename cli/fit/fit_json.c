/* JSON of `carom fit`. */
#include "fit/fit_call.h"

#include "support/json.h"

static void put_unknowns(const fit_call *c, carom_json *j)
{
    carom_json_begin(j, "unknowns", '[');
    for (size_t k = 0; k < c->info.unknowns; k++) {
        const carom_fit_estimate *e = &c->result.estimates[k];
        carom_fit_unknown u;
        carom_fit_get_unknown(c->fit, k, &u);
        carom_json_begin(j, NULL, '{');
        carom_json_text(j, "name", u.name);
        carom_json_text(j, "record", u.record);
        carom_json_text(j, "unit", u.unit);
        carom_json_number(j, "value", e->value);
        carom_json_number(j, "error", e->error);
        carom_json_number(j, "low", e->low);
        carom_json_number(j, "high", e->high);
        carom_json_number(j, "profile_low", e->profile_low);
        carom_json_number(j, "profile_high", e->profile_high);
        carom_json_bool(j, "open_low", e->open_low);
        carom_json_bool(j, "open_high", e->open_high);
        carom_json_bool(j, "free", e->free);
        carom_json_bool(j, "at_bound", e->at_low || e->at_high);
        carom_json_end(j, '}');
    }
    carom_json_end(j, ']');
    carom_json_begin(j, "correlations", '[');
    for (size_t k = 0; k < c->info.unknowns; k++)
        carom_json_numbers(j, NULL, c->result.correlations + k * c->info.unknowns, c->info.unknowns);
    carom_json_end(j, ']');
}

static void put_laws(const fit_call *c, carom_json *j)
{
    carom_json_begin(j, "laws", '[');
    for (size_t k = 0; k < c->result.law_count; k++) {
        const carom_fit_law *l = &c->result.laws[k];
        carom_json_begin(j, NULL, '{');
        carom_json_text(j, "name", l->name);
        carom_json_text(j, "left_out", l->left_out);
        if (!l->left_out) {
            carom_json_integer(j, "unknowns", (int64_t)l->unknowns);
            carom_json_number(j, "rms", l->rms);
            carom_json_number(j, "aicc", l->aicc);
            carom_json_number(j, "difference", l->difference);
            carom_json_number(j, "weight", l->weight);
            carom_json_number(j, "validation", l->validation);
            carom_json_numbers(j, "values", l->values, c->info.unknowns);
        }
        carom_json_end(j, '}');
    }
    carom_json_end(j, ']');
}

static void put_responses(const fit_call *c, carom_json *j)
{
    carom_json_begin(j, "responses", '[');
    for (size_t k = 0; k < c->info.responses; k++) {
        const carom_fit_residuals *r = &c->result.residuals[k];
        carom_fit_response q;
        carom_fit_get_response(c->fit, k, &q);
        carom_json_begin(j, NULL, '{');
        carom_json_text(j, "record", q.record);
        carom_json_text(j, "column", q.column);
        carom_json_text(j, "expression", q.expression);
        carom_json_bool(j, "sigma_given", q.sigma_given);
        carom_json_number(j, "sigma", r->sigma);
        carom_json_number(j, "rms", r->rms);
        carom_json_numbers(j, "x", q.x, q.count);
        carom_json_numbers(j, "measured", q.measured, q.count);
        carom_json_numbers(j, "predicted", r->predicted, q.count);
        carom_json_numbers(j, "residuals", r->residuals, q.count);
        carom_json_end(j, '}');
    }
    carom_json_end(j, ']');
}

int print_fit_json(const fit_call *c, const char *page, const char *model)
{
    carom_json *j = json_open(c->session);
    if (!j)
        return EXIT_SOLVER;
    carom_json_begin(j, NULL, '{');
    carom_json_text(j, "study", c->info.file);
    carom_json_text(j, "title", c->info.title);
    carom_json_text(j, "version", carom_version());
    carom_json_text(j, "law", c->result.law);
    carom_json_bool(j, "converged", c->result.converged);
    carom_json_number(j, "misfit", c->result.misfit);
    carom_json_number(j, "freedom", c->result.freedom);
    carom_json_integer(j, "data", (int64_t)c->info.data);
    carom_json_integer(j, "predictions", (int64_t)c->result.predictions);
    carom_json_text(j, "derivatives", c->result.derivatives);
    carom_json_number(j, "confidence", c->info.confidence);
    put_unknowns(c, j);
    put_laws(c, j);
    put_responses(c, j);
    carom_json_begin(j, "sentences", '[');
    for (size_t k = 0; k < c->result.sentence_count; k++)
        carom_json_text(j, NULL, c->result.sentences[k]);
    carom_json_end(j, ']');
    carom_json_text(j, "model", model);
    carom_json_text(j, "page", page);
    carom_json_end(j, '}');
    return json_print(c->session, j);
}
