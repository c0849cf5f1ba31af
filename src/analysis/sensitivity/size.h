/* Models with another value of a parameter of the file, and what a change of it is compared with. */
#ifndef CAROM_SENSITIVITY_SIZE_H
#define CAROM_SENSITIVITY_SIZE_H

#include "model/model.h"

/* The size of a parameter whose value is not zero: the value, or more where a share of it is lost in the rounding of
   what is made of it. `share` is that of the values beside the parameter. Error: CAROM_ERROR_MEMORY. */
carom_status carom_parameter_size(const carom_document *document, const carom_model *model, const char *name,
                                  double value, double share, double *size);
/* The model of a document with another value of a parameter. Errors: as carom_document_set() and
   carom_model_compile(). */
carom_status carom_parameter_model(carom_context *ctx, const carom_document *document, const char *name, double value,
                                   carom_model **out);

#endif
