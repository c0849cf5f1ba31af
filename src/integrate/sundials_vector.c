/* The vector operations that take most of an integrator's time on small systems. Debian builds the serial vector
   without optimisation; on the 30 numbers of two bodies that costs more than the physics. The arithmetic is the
   library's. */
#include "base/wide.h"
#include "integrate/sundials_vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the content of all vectors begins with. */
typedef struct vector_content {
    struct _N_VectorContent_Serial serial;      /* first: the library knows no more */
    const int *active;          /* numbers that operations go over; NULL: all */
} vector_content;

#define DATA(v) (((N_VectorContent_Serial)(v)->content)->data)

static inline sunindextype length_of(N_Vector v)
{
    const vector_content *content = v->content;
    return content->active ? *content->active : content->serial.length;
}
#define LENGTH(v) length_of(v)

/* z may be x or y. */
static CAROM_WIDE void linear_sum(realtype a, N_Vector x, realtype b, N_Vector y, N_Vector z)
{
    sunindextype n = LENGTH(x), i = 0;
    const double *p = DATA(x), *q = DATA(y);
    double *r = DATA(z);
    if (b == 1) {
        for (; i + 4 <= n; i += 4)
            *carom_four_at(r + i) = a * *carom_four_of(p + i) + *carom_four_of(q + i);
        for (; i < n; i++)
            r[i] = a * p[i] + q[i];
        return;
    }
    for (; i + 4 <= n; i += 4)
        *carom_four_at(r + i) = a * *carom_four_of(p + i) + b * *carom_four_of(q + i);
    for (; i < n; i++)
        r[i] = a * p[i] + b * q[i];
}

static void scale(realtype c, N_Vector x, N_Vector z)
{
    sunindextype n = LENGTH(x);
    const double *p = DATA(x);
    double *r = DATA(z);
    if (c == 1) {
        if (p != r)
            memcpy(r, p, (size_t)n * sizeof *r);
        return;
    }
    for (sunindextype i = 0; i < n; i++)
        r[i] = c * p[i];
}

static void fill(realtype c, N_Vector z)
{
    sunindextype n = LENGTH(z);
    double *r = DATA(z);
    for (sunindextype i = 0; i < n; i++)
        r[i] = c;
}

static void absolute(N_Vector x, N_Vector z)
{
    sunindextype n = LENGTH(x);
    const double *p = DATA(x);
    double *r = DATA(z);
    for (sunindextype i = 0; i < n; i++)
        r[i] = fabs(p[i]);
}

static void add_constant(N_Vector x, realtype b, N_Vector z)
{
    sunindextype n = LENGTH(x);
    const double *p = DATA(x);
    double *r = DATA(z);
    for (sunindextype i = 0; i < n; i++)
        r[i] = p[i] + b;
}

static void invert(N_Vector x, N_Vector z)
{
    sunindextype n = LENGTH(x);
    const double *p = DATA(x);
    double *r = DATA(z);
    for (sunindextype i = 0; i < n; i++)
        r[i] = 1 / p[i];
}

static realtype smallest(N_Vector x)
{
    sunindextype n = LENGTH(x);
    const double *p = DATA(x);
    double least = p[0];
    for (sunindextype i = 1; i < n; i++)
        least = p[i] < least ? p[i] : least;
    return least;
}

static realtype weighted_norm(N_Vector x, N_Vector w)
{
    sunindextype n = LENGTH(x);
    const double *p = DATA(x), *q = DATA(w);
    double sum = 0;
    for (sunindextype i = 0; i < n; i++) {
        double product = p[i] * q[i];
        sum += product * product;
    }
    return sqrt(sum / (double)((N_VectorContent_Serial)x->content)->length);
}

static void product(N_Vector x, N_Vector y, N_Vector z)
{
    sunindextype n = LENGTH(x);
    const double *p = DATA(x), *q = DATA(y);
    double *r = DATA(z);
    for (sunindextype i = 0; i < n; i++)
        r[i] = p[i] * q[i];
}

static void quotient(N_Vector x, N_Vector y, N_Vector z)
{
    sunindextype n = LENGTH(x);
    const double *p = DATA(x), *q = DATA(y);
    double *r = DATA(z);
    for (sunindextype i = 0; i < n; i++)
        r[i] = p[i] / q[i];
}

static realtype largest(N_Vector x)
{
    sunindextype n = LENGTH(x);
    const double *p = DATA(x);
    double most = 0;
    for (sunindextype i = 0; i < n; i++)
        most = fabs(p[i]) > most ? fabs(p[i]) : most;
    return most;
}

static realtype dot_product(N_Vector x, N_Vector y)
{
    sunindextype n = LENGTH(x);
    const double *p = DATA(x), *q = DATA(y);
    double sum = 0;
    for (sunindextype i = 0; i < n; i++)
        sum += p[i] * q[i];
    return sum;
}

/* r = sum of c[k] p[k], eight elements at a time: methods have a dozen vectors of a few dozen numbers. */
static CAROM_WIDE void combine(int count, const double *restrict c, const double *const *restrict p, sunindextype n,
                               double *r)
{
    sunindextype i = 0;
    for (; i + 8 <= n; i += 8) {
        carom_four low = c[0] * *carom_four_of(p[0] + i), high = c[0] * *carom_four_of(p[0] + i + 4);
        for (int k = 1; k < count; k++) {
            low += c[k] * *carom_four_of(p[k] + i);
            high += c[k] * *carom_four_of(p[k] + i + 4);
        }
        *carom_four_at(r + i) = low;
        *carom_four_at(r + i + 4) = high;
    }
    for (; i < n; i++) {
        double sum = c[0] * p[0][i];
        for (int k = 1; k < count; k++)
            sum += c[k] * p[k][i];
        r[i] = sum;
    }
}

static int linear_combination(int count, realtype *c, N_Vector *x, N_Vector z)
{
    const double *p[CAROM_VECTOR_TERMS];
    if (count > CAROM_VECTOR_TERMS)
        return N_VLinearCombination_Serial(count, c, x, z);
    for (int k = 0; k < count; k++)
        p[k] = DATA(x[k]);
    combine(count, c, p, LENGTH(z), DATA(z));
    return 0;
}

/* z[k] = c[k] x + y[k], z[k] may be y[k] */
static CAROM_WIDE int scale_add(int count, realtype *c, N_Vector x, N_Vector *y, N_Vector *z)
{
    sunindextype n = LENGTH(x);
    const double *p = DATA(x);
    for (int k = 0; k < count; k++) {
        const double *q = DATA(y[k]);
        double *r = DATA(z[k]), a = c[k];
        sunindextype i = 0;
        for (; i + 4 <= n; i += 4)
            *carom_four_at(r + i) = a * *carom_four_of(p + i) + *carom_four_of(q + i);
        for (; i < n; i++)
            r[i] = a * p[i] + q[i];
    }
    return 0;
}

/* Gives a serial vector a content of its own; destroys it where there is no room. */
static N_Vector with_content(N_Vector v, size_t size, const int *active)
{
    vector_content *content = v ? calloc(1, size) : NULL;
    if (!content) {
        if (v)
            N_VDestroy(v);
        return NULL;
    }
    memcpy(&content->serial, v->content, sizeof content->serial);
    content->active = active;
    free(v->content); /* as N_VDestroy_Serial() frees this one */
    v->content = content;
    return v;
}

static N_Vector clone(N_Vector v)
{
    const vector_content *content = v->content;
    return with_content(N_VClone_Serial(v), sizeof *content, content->active);
}

N_Vector carom_vector_new(int n, const int *active, SUNContext context)
{
    N_Vector v = with_content(N_VNew_Serial(n, context), sizeof(vector_content), NULL);
    if (!v)
        return NULL;
    v->ops->nvclone = clone;
    v->ops->nvlinearsum = linear_sum;
    v->ops->nvscale = scale;
    v->ops->nvconst = fill;
    v->ops->nvabs = absolute;
    v->ops->nvaddconst = add_constant;
    v->ops->nvinv = invert;
    v->ops->nvmin = smallest;
    v->ops->nvprod = product;
    v->ops->nvdiv = quotient;
    v->ops->nvmaxnorm = largest;
    v->ops->nvdotprod = dot_product;
    v->ops->nvwrmsnorm = weighted_norm;
    v->ops->nvlinearcombination = linear_combination;
    v->ops->nvscaleaddmulti = scale_add;
    fill(0, v);
    ((vector_content *)v->content)->active = active;
    return v;
}

/* ---- a vector that keeps its terms ---- */

typedef struct sum_content {
    vector_content common;
    carom_vector_terms terms;
} sum_content;

static int keep_terms(int count, realtype *c, N_Vector *x, N_Vector z)
{
    carom_vector_terms *terms = &((sum_content *)z->content)->terms;
    terms->count = count <= CAROM_VECTOR_TERMS ? count : 0;
    for (int k = 0; k < terms->count; k++)
        terms->values[k] = DATA(x[k]);
    return linear_combination(count, c, x, z);
}

/* Clones have a content without terms. */
static N_Vector clone_without(N_Vector v)
{
    N_Vector out = clone(v);
    if (out) {
        out->ops->nvclone = clone;
        out->ops->nvlinearcombination = linear_combination;
    }
    return out;
}

N_Vector carom_vector_new_sum(int n, SUNContext context, carom_vector_terms **terms)
{
    N_Vector v = carom_vector_new(n, NULL, context);
    v = v ? with_content(v, sizeof(sum_content), NULL) : NULL;
    if (!v)
        return NULL;
    v->ops->nvlinearcombination = keep_terms;
    v->ops->nvclone = clone_without;
    *terms = &((sum_content *)v->content)->terms;
    return v;
}

void carom_vector_combine(const carom_vector_terms *terms, const double *factors, int n, double *out)
{
    combine(terms->count, factors, terms->values, n, out);
}
