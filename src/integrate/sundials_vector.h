/* Vectors for SUNDIALS: its serial vector with the operations of a step replaced by plain loops. */
#ifndef CAROM_SUNDIALS_VECTOR_H
#define CAROM_SUNDIALS_VECTOR_H

#include <nvector/nvector_serial.h>

/* New vector of n zeros; its clones have the same operations. NULL when out of memory. */
N_Vector carom_vector_new(int n, SUNContext context);

#endif
