/* All of Carom's public interface. */
#ifndef CAROM_H
#define CAROM_H

#include "carom/context.h"
#include "carom/explain.h"
#include "carom/law.h"
#include "carom/model.h"
#include "carom/report.h"
#include "carom/result.h"
#include "carom/simulation.h"
#include "carom/spec.h"
#include "carom/state.h"
#include "carom/status.h"

#endif
