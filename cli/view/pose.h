/* The mechanism of a model in a pose that the user chooses: joints moved to coordinates, bodies drawn by a point, all
   others following on the constraints. Prescribed motions are left out, so that what they drive may be moved. */
#ifndef CAROM_CLI_VIEW_POSE_H
#define CAROM_CLI_VIEW_POSE_H

#include "support/cli.h"
#include "support/json.h"

typedef struct pose pose;

/* Assembles the start of a document, which outlives it. NULL where it cannot be assembled; the session has said why. */
pose *pose_open(session *s, const carom_document *document);
void pose_close(pose *p);
/* Writes a result that holds the start alone. Errors: CAROM_ERROR_IO, CAROM_ERROR_MEMORY. */
carom_status pose_record(pose *p, const char *path);

/* Moves a joint to a coordinate [m] or [rad]. Errors: CAROM_ERROR_USAGE (no such joint), CAROM_ERROR_MODEL (the
   mechanism does not get there); the pose is then as before. */
carom_status pose_set_joint(pose *p, const char *joint, double value);
/* Draws a point of a body, from its centre of mass in body axes, towards a point of the world [m], as near as the
   joints let it. Errors: CAROM_ERROR_USAGE (no such body). */
carom_status pose_draw(pose *p, const char *body, const double point[3], const double target[3]);
/* Back to the start of the model. The first call of these three makes the mechanism without motions; errors as of
   carom_model_compile() and carom_simulation_create(). */
carom_status pose_reset(pose *p);

/* Nothing has been moved: nothing. Else "bodies": [{"name", "position": [x, y, z],
   "orientation": [w, x, y, z]}], "joints": [{"name", "unit", "value"}], "length" [m] */
void pose_print(pose *p, carom_json *json);

#endif
