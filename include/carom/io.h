/* The public interface of libcarom-io: results, exports, figures, reports, stores of studies. */
#ifndef CAROM_IO_H
#define CAROM_IO_H

#include "carom/export.h"
#include "carom/figure.h"
#include "carom/fit_io.h"
#include "carom/report.h"
#include "carom/result.h"
#include "carom/store.h"

#endif
