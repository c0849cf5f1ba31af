/* A contact law outside of a model: compiled as the only contact of a model of one ball that meets the ground. */
#ifndef CAROM_MODEL_LAW_H
#define CAROM_MODEL_LAW_H

#include "carom/law.h"
#include "model/model.h"

struct carom_law {
    carom_context *ctx;
    carom_model *model;
    carom_law_info info;
};

/* The model of a free direct impact: a ball of that radius and mass touches a plane and approaches at that speed. */
typedef struct carom_law_scene {
    double mass, speed, radius; /* [kg], [m/s], [m] */
    double until, tolerance;    /* of its run [s], [-]; it records force, indentation and its rate */
} carom_law_scene;

carom_status carom_law_compile_scene(carom_context *ctx, const carom_law_def *def, const carom_law_scene *scene,
                                     carom_model **out);

#endif
