/* Sizes of parameters. A parameter `dx` of 1e-12 in `1 + dx` is no small number that would be known to a share of
   1e-5: what is made of it is rounded at 1e-16, and a change of 1e-17 is none. Its size follows from how strongly the
   numbers of the model depend on it: a change by h changes them by h/S of their own sizes, and the least S is the
   natural size of the parameter. */
#include "analysis/sensitivity/size.h"
#include "read/reader.h"

#include <math.h>

/* A change of a parameter by a share of its size changes what depends on it most by no less than this part of the
   share: a size that is a hundredth of the natural one costs two digits above the rounding, and no more. */
#define PART 0.01
/* Least change of a number, as a share of it, that tells how strongly it depends: rounding is some 1e-16. */
#define SEEN 1e-13
/* Steps from one trial to the next, up to that of a parameter of size 1. */
#define FURTHER 1e4
/* Least size of which a share is the first trial. */
#define FIRST 1e-20
/* A number below this share of a scale is what rounding has left of zero. */
#define ROUNDED 1e-12

/* By how much a number changes, as a share of what it is measured with. */
static double change_of(const carom_model *m, const carom_read_one *a, const carom_read_one *b)
{
    const double length = m->length_scale, speed = m->speed_scale, by = fabs(b->value - a->value);
    double size = a->size;
    if (by == 0)
        return 0;
    switch (a->scale) {
    case CAROM_READ_OWN: break;
    case CAROM_READ_LENGTH: size = size > ROUNDED * length ? size : length; break;
    case CAROM_READ_SPEED: size = size > ROUNDED * speed ? size : speed; break;
    case CAROM_READ_PLACE: size = fmax(size, length); break;
    case CAROM_READ_VELOCITY: size = fmax(size, speed); break;
    case CAROM_READ_ANGLE: size = fmax(size, 1); break;
    case CAROM_READ_RATE: size = fmax(size, speed / length); break;
    }
    return by / size;
}

/* What a constant of an expression is measured with. Of a term the size of what it is added to is not known here: it is
   taken as 1, or as the least of the other constants, over which it may be divided. */
static double size_of_constant(const carom_expr_kept *constants, size_t count, size_t k)
{
    double other = 1;
    for (size_t j = 0; j < count && constants[k].added; j++)
        if (j != k && constants[j].value != 0)
            other = fmin(other, fabs(constants[j].value));
    return fmax(fabs(constants[k].value), constants[k].added ? other : 0);
}

/* The same of the expressions of a run, constant by constant; -1: they have other constants. */
static double change_of_expression(const carom_expr *a, const carom_expr *b)
{
    enum { MOST = 256 };
    carom_expr_kept of_a[MOST], of_b[MOST];
    const size_t count = carom_expr_constants(a, MOST, of_a);
    double most = 0;
    if (count > MOST || carom_expr_constants(b, MOST, of_b) != count)
        return -1;
    for (size_t k = 0; k < count; k++) {
        const double by = fabs(of_b[k].value - of_a[k].value);
        if (by > 0)
            most = fmax(most, by / size_of_constant(of_a, count, k));
    }
    return most;
}

/* The greatest change of an expression between two models; -1: they are not alike. */
static double change_of_expressions(const carom_model *a, const carom_model *b)
{
    double most = 0;
    if (a->expr_count != b->expr_count || a->output_count != b->output_count)
        return -1;
    for (int k = 0; k < a->expr_count + a->output_count; k++) {
        const int output = k - a->expr_count;
        const double one = output < 0 ? change_of_expression(a->exprs[k].expr, b->exprs[k].expr)
                                      : change_of_expression(a->outputs[output].expr, b->outputs[output].expr);
        if (one < 0)
            return -1;
        most = fmax(most, one);
    }
    return most;
}

carom_status carom_parameter_model(carom_context *ctx, const carom_document *document, const char *name, double value,
                                   carom_model **out)
{
    carom_document *other;
    CAROM_TRY(carom_document_with(document, name, value, NULL, &other));
    const carom_status status = carom_model_compile(ctx, carom_document_spec(other), out);
    carom_document_free(other);
    return status;
}

/* The greatest change of the expressions where the parameter changes by `step`; -1: it cannot be told. A factor that is
   1 at the value, or a term that is 0, is not in the expression: then it is looked at beside the value. */
static carom_status ask_expressions(const carom_document *document, const carom_model *model, const char *name,
                                    double value, double step, double *change)
{
    carom_model *near = NULL, *far = NULL;
    *change = -1;
    carom_status status = carom_parameter_model(model->ctx, document, name, value + step, &near);
    if (status == CAROM_OK)
        *change = change_of_expressions(model, near);
    if (status == CAROM_OK && *change < 0) {
        status = carom_parameter_model(model->ctx, document, name, value + 2 * step, &far);
        if (status == CAROM_OK)
            *change = change_of_expressions(near, far);
    }
    carom_model_free(near);
    carom_model_free(far);
    return status;
}

static carom_status read_numbers(const carom_document *document, const char *name, double value,
                                 carom_read_numbers *out)
{
    carom_document *other;
    CAROM_TRY(carom_document_with(document, name, value, out, &other));
    carom_document_free(other);
    return CAROM_OK;
}

/* The greatest change where the parameter changes by `step`; -1: it cannot be told. */
static carom_status find_change(const carom_document *document, const carom_model *model, const char *name,
                                double value, double step, const carom_read_numbers *numbers, double enough,
                                double *change)
{
    carom_read_numbers other = {.ctx = numbers->ctx};
    carom_status status = read_numbers(document, name, value + step, &other);
    *change = status == CAROM_OK && other.count == numbers->count ? 0 : -1;
    for (size_t k = 0; k < numbers->count && *change >= 0; k++)
        *change = fmax(*change, change_of(model, &numbers->at[k], &other.at[k]));
    carom_read_numbers_free(&other);
    /* where the numbers of the file tell enough the expressions are not asked */
    if (*change >= 0 && *change < enough * step) {
        double of_expressions;
        status = ask_expressions(document, model, name, value, step, &of_expressions);
        *change = of_expressions < 0 ? -1 : fmax(*change, of_expressions);
    }
    return status == CAROM_ERROR_MEMORY ? status : CAROM_OK;
}

carom_status carom_parameter_size(const carom_document *document, const carom_model *model, const char *name,
                                  double value, double share, double *size)
{
    carom_read_numbers numbers = {.ctx = model->ctx};
    *size = fabs(value);
    if (!(*size < 1))
        return CAROM_OK;
    carom_status status = read_numbers(document, name, value, &numbers);
    double change = status == CAROM_OK ? 0 : -1, step = share * fmax(*size, FIRST);
    while (status == CAROM_OK && change >= 0) {
        status = find_change(document, model, name, value, step, &numbers, PART / *size, &change);
        if (change >= SEEN || step >= share)
            break;
        step = fmin(FURTHER * step, share);
    }
    if (status == CAROM_OK && change > 0)
        *size = fmax(*size, fmin(PART * step / change, 1));
    carom_read_numbers_free(&numbers);
    return status == CAROM_ERROR_MEMORY ? status : CAROM_OK;
}
