/* Tendons of MJCF: sums of coordinates of joints, and cables through sites.

   Source: the XML reference of MuJoCo. A <fixed> tendon has the length sum of coef q; a <spatial> one that of the
   segments between its sites, behind a <pulley> divided by its `divisor`. Its spring acts outside of `springlength`, by
   default the length at the references of the joints. */
#include "import/mjcf/mjcf.h"

#include <math.h>

/* ---- by name ---- */

carom_status carom_mjcf_find_tendon(carom_mjcf *m, carom_xml *e, const char *name, const carom_mjcf_tendon **out)
{
    for (size_t k = 0; k < m->tendon_count; k++)
        if (m->tendons[k].name && strcmp(m->tendons[k].name, name) == 0) {
            *out = &m->tendons[k];
            return CAROM_OK;
        }
    const char **names = carom_arena_alloc(m->robot->arena, m->tendon_count + 1, sizeof *names);
    for (size_t k = 0; names && k < m->tendon_count; k++)
        names[k] = m->tendons[k].name;
    return names ? carom_fail_unknown(m->robot->ctx, &e->place, "<tendon>", "name", name, names, m->tendon_count)
                 : carom_fail_memory(m->robot->ctx);
}

carom_status carom_mjcf_find_site(carom_mjcf *m, carom_xml *e, const char *name, int *out)
{
    const char *own = carom_robot_frame_name(m->robot, name);
    const char **names = carom_arena_alloc(m->robot->arena, m->robot->frame_count + 1, sizeof *names);
    if (!own || !names)
        return carom_fail_memory(m->robot->ctx);
    for (size_t k = 0; k < m->robot->frame_count; k++) {
        names[k] = m->robot->frames[k].name;
        if (strcmp(names[k], own) == 0) {
            *out = (int)k;
            return CAROM_OK;
        }
    }
    return carom_fail_unknown(m->robot->ctx, &e->place, "<site>", "name", name, names, m->robot->frame_count);
}

const char *carom_mjcf_sum(const carom_mjcf *m, const carom_robot_term *terms, int count, const char *measure)
{
    const char *sum = NULL;
    for (int k = 0; k < count; k++) {
        char number[40];
        const char *one =
            carom_arena_format(m->robot->arena, "%s*%s(%s)", carom_short_number_text(number, terms[k].factor), measure,
                               m->robot->joints[terms[k].joint].name);
        sum = one && sum ? carom_arena_format(m->robot->arena, "%s + %s", sum, one) : one;
        if (!sum)
            return NULL;
    }
    return sum;
}

/* ---- what both have ---- */

typedef struct spring {
    double stiffness, damping, rest[2], range[2];
    bool limited;
} spring;

static carom_status read_spring(carom_mjcf *m, const carom_mjcf_element *e, spring *out)
{
    int count;
    const char *limited = carom_mjcf_get(m, e, "limited");
    *out = (spring){.rest = {-1, -1}};
    CAROM_TRY(carom_mjcf_number(m, e, "stiffness", &out->stiffness));
    CAROM_TRY(carom_mjcf_number(m, e, "damping", &out->damping));
    CAROM_TRY(carom_mjcf_numbers(m, e, "springlength", 1, 2, out->rest, &count));
    if (count == 1)
        out->rest[1] = out->rest[0];
    if (out->stiffness < 0 || out->damping < 0)
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &e->xml->place, "'%s' of <%s> is %g; it must be at least 0",
                          out->stiffness < 0 ? "stiffness" : "damping", e->xml->name,
                          out->stiffness < 0 ? out->stiffness : out->damping);
    if (out->rest[0] > out->rest[1])
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &e->xml->place,
                          "'springlength' of <%s> goes from %g to %g; exchange them", e->xml->name, out->rest[0],
                          out->rest[1]);
    CAROM_TRY(carom_mjcf_numbers(m, e, "range", 2, 2, out->range, &count));
    out->limited = count && (limited && strcmp(limited, "auto") != 0 ? strcmp(limited, "true") == 0 : m->autolimits);
    if (out->limited && !(out->range[0] < out->range[1]))
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &e->xml->place,
                          "'range' of <%s> goes from %g to %g; the first must be below the second", e->xml->name,
                          out->range[0], out->range[1]);
    return CAROM_OK;
}

static carom_status ignore_range(carom_mjcf *m, const carom_mjcf_element *e)
{
    return carom_import_ignore(m->robot, &e->xml->place,
                               "'range' of <%s> is ignored: a stop is on the coordinate of one joint, by `limits`; a "
                               "load with an expression is another",
                               e->xml->name);
}

/* ---- of coordinates ---- */

/* Limits of the length of one coordinate are those of the coordinate. */
static carom_status limit(carom_mjcf *m, const carom_mjcf_element *e, const spring *s, const carom_mjcf_tendon *t)
{
    carom_robot_joint *j = t->term_count == 1 ? &m->robot->joints[t->terms[0].joint] : NULL;
    const double factor = j ? t->terms[0].factor : 0;
    if (!s->limited)
        return CAROM_OK;
    if (factor == 0 || j->has_limits)
        return ignore_range(m, e);
    j->has_limits = true;
    j->lower = s->range[factor < 0] / factor;
    j->upper = s->range[factor > 0] / factor;
    return CAROM_OK;
}

static carom_status add_fixed_spring(carom_mjcf *m, const carom_mjcf_element *e, const spring *s,
                                     const carom_mjcf_tendon *t)
{
    char a[40], b[40], c[40], d[40];
    const char *length = carom_mjcf_sum(m, t->terms, t->term_count, "coordinate");
    const char *rate = carom_mjcf_sum(m, t->terms, t->term_count, "speed"), *text = "";
    const double low = s->rest[0] < 0 ? t->drawn : s->rest[0], high = s->rest[1] < 0 ? t->drawn : s->rest[1];
    carom_arena *arena = m->robot->arena;
    if (s->stiffness == 0 && s->damping == 0)
        return CAROM_OK;
    if (!length || !rate)
        return carom_fail_memory(m->robot->ctx);
    carom_short_number_text(a, -s->stiffness);
    carom_short_number_text(b, low);
    carom_short_number_text(c, high);
    carom_short_number_text(d, -s->damping);
    if (s->stiffness > 0 && low == high)
        text = carom_arena_format(arena, "%s*(%s - %s)", a, length, b);
    else if (s->stiffness > 0)
        text = carom_arena_format(arena, "%s*(max(%s - %s, 0) + min(%s - %s, 0))", a, length, c, length, b);
    if (text && s->damping > 0)
        text = carom_arena_format(arena, "%s%s%s*(%s)", text, s->stiffness > 0 ? " + " : "", d, rate);
    carom_robot_effort effort = {
        .name = t->name, .place = e->xml->place, .terms = t->terms, .term_count = t->term_count, .text = text};
    return text ? carom_robot_add_effort(m->robot, &effort) : carom_fail_memory(m->robot->ctx);
}

static carom_status read_fixed(carom_mjcf *m, const carom_mjcf_element *e, carom_mjcf_tendon *out)
{
    spring s;
    size_t most = 1;
    for (const carom_xml *j = e->xml->first; j; j = j->next)
        most++;
    CAROM_TRY(read_spring(m, e, &s));
    out->terms = carom_arena_alloc(m->robot->arena, most, sizeof *out->terms);
    if (!out->terms)
        return carom_fail_memory(m->robot->ctx);
    for (carom_xml *j = carom_xml_child(e->xml, "joint"); j; j = carom_xml_next(j, "joint")) {
        const char *name;
        const carom_mjcf_part *part;
        double factor;
        CAROM_TRY(carom_import_text_of(m->robot, j, "joint", &name));
        CAROM_TRY(carom_import_required(m->robot, j, "coef", 1, &factor));
        CAROM_TRY(carom_mjcf_find_coordinate(m, j, name, &part));
        if (!part || factor == 0)
            continue;
        out->terms[out->term_count++] = (carom_robot_term){part->joint, factor};
        out->drawn += factor * part->reference;
    }
    CAROM_TRY(limit(m, e, &s, out));
    return out->term_count ? add_fixed_spring(m, e, &s, out) : CAROM_OK;
}

/* ---- through points ---- */

static carom_status read_path(carom_mjcf *m, carom_xml *xml, carom_robot_cable *out, bool *straight)
{
    int last = -1, site;
    double share = 1, divisor;
    *straight = true;
    for (carom_xml *p = xml->first; p; p = p->next) {
        const char *name;
        if (strcmp(p->name, "geom") == 0) {
            *straight = false;
            return CAROM_OK;
        }
        if (strcmp(p->name, "pulley") == 0) {
            p->used = true;
            CAROM_TRY(carom_import_required(m->robot, p, "divisor", 1, &divisor));
            if (!(divisor > 0))
                return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &p->place,
                                  "'divisor' of <pulley> is %g; it must be greater than 0", divisor);
            share = 1 / divisor;
            last = -1;
            continue;
        }
        if (strcmp(p->name, "site") != 0)
            continue;
        p->used = true;
        CAROM_TRY(carom_import_text_of(m->robot, p, "site", &name));
        CAROM_TRY(carom_mjcf_find_site(m, p, name, &site));
        if (last >= 0)
            out->segments[out->segment_count++] = (carom_robot_segment){{last, site}, share};
        last = site;
    }
    return CAROM_OK;
}

static bool is_driven(const carom_mjcf *m, const char *name)
{
    for (const carom_xml *s = m->root->first; name && s; s = s->next)
        for (const carom_xml *a = strcmp(s->name, "actuator") == 0 ? s->first : NULL; a; a = a->next)
            for (const carom_xml_attribute *t = a->attributes; t; t = t->next)
                if (strcmp(t->name, "tendon") == 0 && strcmp(t->value, name) == 0)
                    return true;
    return false;
}

static carom_status read_spatial(carom_mjcf *m, const carom_mjcf_element *e, carom_mjcf_tendon *out)
{
    spring s;
    bool straight;
    size_t most = 1;
    for (const carom_xml *p = e->xml->first; p; p = p->next)
        most++;
    CAROM_TRY(read_spring(m, e, &s));
    carom_robot_cable cable = {.name = out->name,
                               .place = e->xml->place,
                               .stiffness = s.stiffness,
                               .damping = s.damping,
                               .rest = {s.rest[0], s.rest[1]}};
    cable.segments = carom_arena_alloc(m->robot->arena, most, sizeof *cable.segments);
    if (!cable.segments)
        return carom_fail_memory(m->robot->ctx);
    CAROM_TRY(read_path(m, e->xml, &cable, &straight));
    if (!straight) {
        for (carom_xml *p = e->xml->first; p; p = p->next) {
            p->used = true;
            for (carom_xml_attribute *a = p->attributes; a; a = a->next)
                a->used = true;
        }
        return carom_import_ignore(m->robot, &e->xml->place,
                                   "<spatial> is ignored: it wraps around a geom, and cables are straight between "
                                   "sites; give it sites where it bends");
    }
    if (s.limited)
        CAROM_TRY(ignore_range(m, e));
    if (!cable.segment_count || (s.stiffness == 0 && s.damping == 0 && !is_driven(m, out->name)))
        return CAROM_OK;
    out->cable = (int)m->robot->cable_count;
    return carom_robot_add_cable(m->robot, &cable);
}

/* ---- entry ---- */

static carom_status read_tendon(carom_mjcf *m, carom_xml *xml)
{
    carom_mjcf_element e;
    carom_mjcf_tendon tendon = {.element = xml, .cable = -1};
    const bool fixed = strcmp(xml->name, "fixed") == 0;
    xml->used = true;
    CAROM_TRY(carom_mjcf_with_class(m, xml, -1, &e));
    CAROM_TRY(carom_mjcf_own_name(m, xml, "tendon", m->tendon_count, &tendon.name));
    CAROM_TRY(fixed ? read_fixed(m, &e, &tendon) : read_spatial(m, &e, &tendon));
    CAROM_TRY(carom_grow(m->robot->ctx, &m->tendons, &m->tendon_capacity, m->tendon_count + 1, sizeof *m->tendons));
    m->tendons[m->tendon_count++] = tendon;
    return CAROM_OK;
}

carom_status carom_mjcf_read_tendons(carom_mjcf *m, carom_xml *root)
{
    for (carom_xml *section = carom_xml_child(root, "tendon"); section; section = carom_xml_next(section, "tendon"))
        for (carom_xml *e = section->first; e; e = e->next)
            if (strcmp(e->name, "fixed") == 0 || strcmp(e->name, "spatial") == 0)
                CAROM_TRY(read_tendon(m, e));
    return CAROM_OK;
}
