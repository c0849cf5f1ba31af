/* The public interface of libcarom: models, simulations, contact laws. That of libcarom-io is carom/io.h. */
#ifndef CAROM_H
#define CAROM_H

#include "carom/analysis.h"
#include "carom/base.h"
#include "carom/explain.h"
#include "carom/fit.h"
#include "carom/json.h"
#include "carom/kind.h"
#include "carom/law.h"
#include "carom/model.h"
#include "carom/optimise.h"
#include "carom/simulation.h"
#include "carom/sensitivity.h"
#include "carom/space.h"
#include "carom/spec.h"
#include "carom/state.h"
#include "carom/study.h"
#include "carom/table.h"

#endif
