/* All contacts: those that sets stand for, and those of two shapes, point by point. */
#include "model/compile.h"

/* Takes over the located set whose definitions begin or end at number `def`, as that of the model's next contact. */
static void mark_sets(carom_compiler *c, size_t def)
{
    carom_model *m = c->model;
    for (size_t k = 0; !m->stepped && k < c->set_count; k++) {
        const size_t first = (size_t)c->located[k].first, behind = first + (size_t)c->located[k].count;
        if (def == first)
            m->located_sets[k].first = m->contact_count;
        if (def == behind)
            m->located_sets[k].count = m->contact_count - m->located_sets[k].first;
    }
}

carom_status carom_compile_contacts(carom_compiler *c)
{
    carom_model *m = c->model;
    const carom_spec *s = c->spec;
    const carom_contact_def *defs = s->contacts;
    size_t def_count = s->contact_count, total = 0, own = 0;
    CAROM_TRY(carom_compile_sets(c, &defs, &def_count));
    CAROM_TRY(carom_compile_doubles(c));
    for (size_t k = 0; k < s->contact_count; k++)
        own += s->contacts[k].all_count ? 0 : (size_t)carom_compile_point_count(c, &s->contacts[k]);
    for (size_t k = 0; k < def_count; k++)
        total += (size_t)carom_compile_point_count(c, &defs[k]);
    m->set_point_count = (int)(total - own);
    m->contacts = carom_arena_alloc(&m->arena, total, sizeof *m->contacts);
    m->located_set_count = m->stepped ? 0 : (int)c->set_count;
    m->located_sets = carom_arena_alloc(&m->arena, c->set_count, sizeof *m->located_sets);
    if (!m->contacts || !m->located_sets)
        return carom_fail_memory(c->ctx);
    for (size_t k = 0; k < c->set_count; k++)
        m->located_sets[k].name = c->sets[k].name;
    const size_t before = carom_problems_count(c->ctx);
    for (size_t k = 0; k < def_count; k++) {
        const size_t former = carom_problems_count(c->ctx);
        const int count = carom_compile_point_count(c, &defs[k]);
        mark_sets(c, k);
        for (int point = 0; point < count && carom_problems_count(c->ctx) == former; point++) {
            CAROM_TRY_ON(c->ctx, carom_compile_contact(c, &defs[k], point, count, &m->contacts[m->contact_count]));
            m->contact_count++;
        }
    }
    mark_sets(c, def_count);
    CAROM_TRY(carom_problems_since(c->ctx, before));
    CAROM_TRY(carom_corners_warn(c));
    CAROM_TRY(carom_flats_warn(c));
    /* contacts of joints with clearance stand behind those of the spec, which may have become more */
    for (int k = 0; k < m->joint_count; k++)
        m->joints[k].clearance.first_contact += m->contact_count - (int)s->contact_count;
    carom_compile_roots(m);
    return CAROM_OK;
}
