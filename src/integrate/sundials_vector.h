/* Vectors for SUNDIALS: its serial vector with the operations of a step replaced by plain loops. */
#ifndef CAROM_SUNDIALS_VECTOR_H
#define CAROM_SUNDIALS_VECTOR_H

#include <nvector/nvector_serial.h>

/* New vector of n zeros; its clones have the same operations. These go over the first *active of its numbers alone
   (NULL: all), norms are means over n. NULL when out of memory. */
N_Vector carom_vector_new(int n, const int *active, SUNContext context);

#define CAROM_VECTOR_TERMS 16

/* The vectors of which the last linear combination was made; more than CAROM_VECTOR_TERMS: count 0. */
typedef struct carom_vector_terms {
    int count;
    const double *values[CAROM_VECTOR_TERMS];
} carom_vector_terms;

/* New vector that keeps the terms of each linear combination that it takes: *terms live as long as the vector. */
N_Vector carom_vector_new_sum(int n, SUNContext context, carom_vector_terms **terms);
/* The combination of the terms with other factors. */
void carom_vector_combine(const carom_vector_terms *terms, const double *factors, int n, double *out);

#endif
