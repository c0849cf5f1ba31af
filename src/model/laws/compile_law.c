/* Laws of a contact: the normal force of its two sides, friction, and the root functions that both need. */
#include "model/compile.h"
#include "spec/keys.h"

#include <math.h>
#include <string.h>

/* ---- normal force ---- */

static carom_status warn(void *user, carom_warning_code code, const char *text)
{
    return carom_compile_warn(user, code, "%s", text);
}

const char *const carom_radii_words[] = {"onset", "segments", "start", NULL};

/* Which radii of curves the law sees; segments are refused where there are none, or where the elastic part cannot
   change from one to the next. */
static carom_status read_radii(carom_compiler *c, const char *owner, const carom_contact_def *def,
                               carom_model_contact *contact)
{
    const carom_normal_law *law = &contact->law;
    const char *word = def->radii ? def->radii : carom_radii_words[0], *refusal = NULL;
    const bool vary = contact->pair && contact->pair->varies;
    contact->varies =
        vary && (law->elastic->needs & CAROM_NEEDS_RADII) && !(law->radius_given[0] && law->radius_given[1]);
    for (int side = 0; side < 2; side++)
        if (contact->varies && !law->radius_given[side] && law->geometry.radius[side] == 0)
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place,
                              "%s: corners have no radius, which the elastic part '%s' needs; give the shape an edge "
                              "radius if it has one, or the contact radius_i and radius_j, or a stiffness",
                              owner, law->elastic->kind.name);
    contact->segments = strcmp(word, carom_radii_words[1]) == 0;
    contact->radii_of_start = strcmp(word, carom_radii_words[2]) == 0;
    if (!contact->segments && !contact->radii_of_start && strcmp(word, carom_radii_words[0]) != 0)
        return carom_fail_unknown(c->ctx, &def->radii_place, owner, "radii policy", word, carom_radii_words, 3);
    if (contact->radii_of_start && !contact->varies)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->radii_place,
                          "%s: radii: start: the elastic part does not depend on radii that vary; leave the key out",
                          owner);
    if (!contact->segments)
        return CAROM_OK;
    if (!vary || c->model->dimension != 2)
        refusal = "neither shape is a planar curve with segments";
    else if (!contact->varies)
        refusal = "the elastic part does not depend on the radii of the curves";
    else if (law->elastic->history)
        refusal = "a law with permanent indentation belongs to the segment of its onset";
    return refusal ? carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->radii_place,
                                "%s: radii: segments: %s; leave the key out", owner, refusal)
                   : CAROM_OK;
}

carom_status carom_compile_normal(carom_compiler *c, const char *owner, const carom_contact_def *def,
                                  const carom_contact_geometry *geometry, carom_model_contact *contact)
{
    const carom_normal_law_def normal = {.owner = owner,
                                         .law = def->law,
                                         .elastic = def->elastic,
                                         .damping = def->damping,
                                         .params = def->normal,
                                         .velocity = def->velocity,
                                         .tension = def->tension,
                                         .minimum_speed = def->minimum_speed,
                                         .geometry = *geometry,
                                         .place = def->place,
                                         .law_place = def->law_place,
                                         .elastic_place = def->elastic_place,
                                         .damping_place = def->damping_place,
                                         .velocity_place = def->velocity_place,
                                         .tension_place = def->tension_place,
                                         .warn = warn,
                                         .user = c};
    CAROM_TRY(carom_normal_law_compile(c->ctx, &c->model->arena, &normal, &contact->law));
    return read_radii(c, owner, def, contact);
}

/* ---- friction ---- */

carom_status carom_compile_friction(carom_compiler *c, const char *owner, const carom_contact_def *def,
                                    carom_model_contact *contact)
{
    carom_model *m = c->model;
    const carom_place *place = &def->friction_place;
    contact->friction_state = -1;
    contact->rolling = def->rolling;
    contact->spinning = def->spinning;
    contact->rolling_speed = def->rolling_speed;
    if (!(def->rolling >= 0) || !(def->spinning >= 0) || !isfinite(def->rolling) || !isfinite(def->spinning))
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, place, "%s: rolling and spinning are arms [m], at least 0", owner);
    if (!(def->rolling_speed > 0) || !isfinite(def->rolling_speed))
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, place, "%s: rolling_speed must be above 0 [rad/s]", owner);
    contact->friction_work = def->friction || def->rolling > 0 || def->spinning > 0 ? m->friction_work_count++ : -1;
    if (!def->friction)
        return CAROM_OK;
    const carom_kind *kind;
    double *p;
    CAROM_TRY(carom_compile_find_kind(c, place, owner, CAROM_FAMILY_FRICTION, def->friction, &kind));
    CAROM_TRY(carom_compile_params(c, owner, kind, &def->friction_params, place, &p, NULL, NULL));
    const carom_friction_kind *friction = (const carom_friction_kind *)kind;
    const char *refusal = CAROM_KIND_CALL(friction, prepare, p, &contact->law.geometry, contact->friction_constants);
    if (refusal)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, place, "%s: friction %s: %s", owner, kind->name, refusal);
    contact->friction = friction;
    if (friction->state) {
        contact->friction_state = m->friction_state_count;
        m->friction_state_count += friction->state;
    }
    return CAROM_OK;
}

void carom_compile_roots(carom_model *m)
{
    for (int k = 0; k < m->contact_count; k++) {
        carom_model_contact *c = &m->contacts[k];
        const bool needed[CAROM_CONTACT_ROOTS] = {
            [CAROM_ROOT_GAP] = true,
            [CAROM_ROOT_COMPRESSION] =
                c->law.velocity == CAROM_VELOCITY_PER_COMPRESSION || carom_normal_adapts(&c->law),
            [CAROM_ROOT_TENSION] = c->law.tension != CAROM_TENSION_ALLOW &&
                                   (!c->law.damping->undamped || c->law.elastic->outside),
            [CAROM_ROOT_BRANCH] = c->law.elastic->history || c->law.damping->kinked,
            [CAROM_ROOT_STICK] = c->friction && c->friction->set_valued,
            [CAROM_ROOT_SEGMENT] = c->segments};
        for (int r = 0; r < CAROM_CONTACT_ROOTS; r++)
            c->roots[r] = needed[r] ? m->contact_root_count++ : -1;
    }
}
