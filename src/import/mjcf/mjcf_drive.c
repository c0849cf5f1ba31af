/* Actuators of MJCF: motors, and inputs that act along joints, tendons and on sites.

   Source: the XML reference of MuJoCo. The force is gain u + bias, with the gain g0 and the bias b0 + b1 L + b2 L' of
   the length L = gear times that of the joint or tendon, which feel gear times the force. motor: g0 = 1; position:
   g0 = -b1 = kp, b2 = -kv; velocity: g0 = -b2 = kv. */
#include "expr/expr.h"
#include "import/mjcf/mjcf.h"

#include <math.h>

/* What an actuator does, apart from what it acts on. */
typedef struct actuator {
    carom_mjcf_element e;
    const char *name, *input;
    bool is_word;           /* of expressions, so that its input is called otherwise */
    double gear[6], gain, bias[3];
    bool limited, ranged;
    double force[2], range[2];
} actuator;

/* ---- gains ---- */

static bool is_true(carom_mjcf *m, const char *text)
{
    return text && strcmp(text, "auto") != 0 ? strcmp(text, "true") == 0 : m->autolimits;
}

static carom_status read_range(carom_mjcf *m, const carom_mjcf_element *e, const char *name, const char *limited,
                               double *range, bool *out)
{
    int count;
    CAROM_TRY(carom_mjcf_numbers(m, e, name, 2, 2, range, &count));
    const bool holds = is_true(m, carom_mjcf_get(m, e, limited));
    *out = count && holds;
    if (*out && !(range[0] < range[1]))
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &e->xml->place,
                          "'%s' of <%s> goes from %g to %g; the first must be below the second", name, e->xml->name,
                          range[0], range[1]);
    return CAROM_OK;
}

static carom_status read_general(carom_mjcf *m, actuator *a, bool *taken)
{
    const char *gain = carom_mjcf_get(m, &a->e, "gaintype"), *bias = carom_mjcf_get(m, &a->e, "biastype");
    const char *dynamics = carom_mjcf_get(m, &a->e, "dyntype");
    double g[10] = {1}, b[10] = {0}, unused[10];
    int count;
    CAROM_TRY(carom_mjcf_numbers(m, &a->e, "gainprm", 1, 10, g, &count));
    CAROM_TRY(carom_mjcf_numbers(m, &a->e, "biasprm", 1, 10, b, &count));
    CAROM_TRY(carom_mjcf_numbers(m, &a->e, "dynprm", 1, 10, unused, &count));
    const bool affine = bias && strcmp(bias, "affine") == 0, filter = dynamics && strncmp(dynamics, "filter", 6) == 0;
    const bool by_length = gain && strcmp(gain, "affine") == 0 && (g[1] != 0 || g[2] != 0);
    *taken = !by_length && (!gain || strcmp(gain, "fixed") == 0 || strcmp(gain, "affine") == 0) &&
             (!bias || affine || strcmp(bias, "none") == 0) && (!dynamics || filter || strcmp(dynamics, "none") == 0);
    if (!*taken)
        return carom_import_ignore(
            m->robot, &a->e.xml->place,
            "<general> is ignored: only a fixed gain with a bias that is affine or none, without "
            "dynamics of its own, is read");
    if (filter)
        CAROM_TRY(carom_import_ignore(m->robot, &a->e.xml->place,
                                      "'dyntype' of <general> is ignored: the force follows the control at once"));
    a->gain = g[0];
    for (int k = 0; k < 3 && affine; k++)
        a->bias[k] = b[k];
    return CAROM_OK;
}

static carom_status read_gains(carom_mjcf *m, actuator *a, bool *taken)
{
    const char *kind = a->e.xml->name;
    const bool position = strcmp(kind, "position") == 0;
    double kp = position, kv = !position;
    *taken = true;
    a->gain = 1;
    if (strcmp(kind, "general") == 0)
        return read_general(m, a, taken);
    if (strcmp(kind, "motor") == 0)
        return CAROM_OK;
    CAROM_TRY(carom_mjcf_number(m, &a->e, "kp", &kp));
    CAROM_TRY(carom_mjcf_number(m, &a->e, "kv", &kv));
    if (kp < 0 || kv < 0)
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &a->e.xml->place,
                          "a gain of <%s> is %g; it must be at least 0", kind, kp < 0 ? kp : kv);
    a->gain = position ? kp : kv;
    a->bias[1] = -kp;
    a->bias[2] = -kv;
    *taken = kp != 0 || kv != 0;
    return *taken ? CAROM_OK : carom_import_ignore(m->robot, &a->e.xml->place, "<%s> is ignored: its gain is 0", kind);
}

static carom_status read_actuator(carom_mjcf *m, carom_xml *xml, size_t number, actuator *out, bool *taken)
{
    int count;
    *out = (actuator){.gear = {1, 0, 0, 0, 0, 0}};
    CAROM_TRY(carom_mjcf_with_class(m, xml, -1, &out->e));
    CAROM_TRY(carom_mjcf_numbers(m, &out->e, "gear", 1, 6, out->gear, &count));
    CAROM_TRY(read_range(m, &out->e, "ctrlrange", "ctrllimited", out->range, &out->ranged));
    CAROM_TRY(read_range(m, &out->e, "forcerange", "forcelimited", out->force, &out->limited));
    CAROM_TRY(carom_mjcf_own_name(m, xml, xml->name, number, &out->name));
    carom_xml_get(xml, "inheritrange"); /* a range of controls by that of the joint */
    CAROM_TRY(read_gains(m, out, taken));
    const char *full = carom_robot_name(m->robot, "drive_", out->name);
    /* a word of expressions, such as t, is no name of an input */
    out->is_word = full && carom_expr_is_reserved(full);
    char *input = full ? carom_arena_format(m->robot->arena, "%s%s", out->is_word ? "drive_" : "", full) : NULL;
    for (char *c = input; c && *c; c++)
        *c = *c == '-' ? '_' : *c;
    out->input = input;
    return input ? CAROM_OK : carom_fail_memory(m->robot->ctx);
}

/* ---- the force as an expression ---- */

/* min(max(TEXT, least), most). */
static const char *clamp(const carom_mjcf *m, const char *text, bool holds, const double *range)
{
    char a[40], b[40];
    return holds && text
               ? carom_arena_format(m->robot->arena, "min(max(%s, %s), %s)", text, carom_short_number_text(a, range[0]),
                                    carom_short_number_text(b, range[1]))
               : text;
}

/* text + factor * (what) */
static const char *plus(const carom_mjcf *m, const char *text, double factor, const char *what)
{
    char number[40];
    return factor == 0 || !text || !what ? text
                                         : carom_arena_format(m->robot->arena, "%s + %s*(%s)", text,
                                                              carom_short_number_text(number, factor), what);
}

/* The force from the control, and from the length and rate of what it acts on, before `gear`. */
static carom_status write_force(carom_mjcf *m, const actuator *a, const char *length, const char *rate,
                                const char **out)
{
    char number[40];
    const char *text = clamp(m, a->input, a->ranged, a->range);
    if (text && a->gain != 1)
        text = carom_arena_format(m->robot->arena, "%s*%s", carom_short_number_text(number, a->gain), text);
    if (text && a->bias[0] != 0)
        text = carom_arena_format(m->robot->arena, "%s + %s", text, carom_short_number_text(number, a->bias[0]));
    text = plus(m, text, a->bias[1] * a->gear[0], length);
    text = plus(m, text, a->bias[2] * a->gear[0], rate);
    *out = clamp(m, text, a->limited, a->force);
    return *out && length && rate ? CAROM_OK : carom_fail_memory(m->robot->ctx);
}

/* ---- what it acts on ---- */

static carom_status add_motor(carom_mjcf *m, const actuator *a, int joint)
{
    const double gear = a->gear[0];
    carom_robot_drive drive = {.name = a->name,
                               .place = a->e.xml->place,
                               .joint = joint,
                               .gain = a->gain * gear,
                               .bias = a->bias[0] * gear,
                               .proportional = -a->bias[1] * gear * gear,
                               .derivative = -a->bias[2] * gear * gear};
    if (a->limited && a->force[0] == -a->force[1])
        drive.limit = a->force[1] * fabs(gear);
    else if (a->limited)
        CAROM_TRY(carom_import_ignore(m->robot, &a->e.xml->place,
                                      "'forcerange' of <%s> is ignored: a limit is alike to both sides",
                                      a->e.xml->name));
    return carom_robot_add_drive(m->robot, &drive);
}

static carom_status add_effort(carom_mjcf *m, const actuator *a, const carom_robot_term *terms, int count)
{
    carom_robot_effort effort = {.name = a->name, .place = a->e.xml->place, .term_count = count, .input = a->input};
    CAROM_TRY(write_force(m, a, carom_mjcf_sum(m, terms, count, "coordinate"), carom_mjcf_sum(m, terms, count, "speed"),
                          &effort.text));
    effort.terms = carom_arena_alloc(m->robot->arena, (size_t)count + 1, sizeof *effort.terms);
    if (!effort.terms)
        return carom_fail_memory(m->robot->ctx);
    for (int k = 0; k < count; k++)
        effort.terms[k] = (carom_robot_term){terms[k].joint, a->gear[0] * terms[k].factor};
    return carom_robot_add_effort(m->robot, &effort);
}

static carom_status act_on_joint(carom_mjcf *m, const actuator *a, const char *name)
{
    const carom_mjcf_part *part;
    CAROM_TRY(carom_mjcf_find_coordinate(m, a->e.xml, name, &part));
    if (!part)
        return CAROM_OK;
    const carom_robot_term term = {part->joint, 1};
    const bool controlled = a->bias[1] <= 0 && a->bias[2] <= 0 && (a->bias[1] != 0 || a->bias[2] != 0);
    return controlled ? add_motor(m, a, part->joint) : add_effort(m, a, &term, 1);
}

/* Positive forces lengthen a tendon. */
static carom_status act_on_cable(carom_mjcf *m, const actuator *a, int index)
{
    carom_robot_cable *c = &m->robot->cables[index];
    char number[40];
    const char *text;
    if (c->pull || a->bias[1] != 0 || a->bias[2] != 0)
        return carom_import_ignore(m->robot, &a->e.xml->place,
                                   c->pull ? "<%s> is ignored: its tendon has another actuator already"
                                           : "<%s> is ignored: on a spatial tendon only forces are read",
                                   a->e.xml->name);
    CAROM_TRY(write_force(m, a, "", "", &text));
    c->input = a->input;
    c->pull = carom_arena_format(m->robot->arena, "%s*(%s)", carom_short_number_text(number, -a->gear[0]), text);
    return c->pull ? CAROM_OK : carom_fail_memory(m->robot->ctx);
}

static carom_status act_on_site(carom_mjcf *m, const actuator *a, const char *name)
{
    carom_robot_effort effort = {.name = a->name, .place = a->e.xml->place, .input = a->input};
    if (a->bias[1] != 0 || a->bias[2] != 0)
        return carom_import_ignore(m->robot, &a->e.xml->place, "<%s> is ignored: on a site only forces are read",
                                   a->e.xml->name);
    CAROM_TRY(carom_mjcf_find_site(m, a->e.xml, name, &effort.frame));
    memcpy(effort.wrench, a->gear, sizeof effort.wrench);
    CAROM_TRY(write_force(m, a, "", "", &effort.text));
    return carom_robot_add_effort(m->robot, &effort);
}

static carom_status act(carom_mjcf *m, const actuator *a)
{
    const char *joint = carom_mjcf_get(m, &a->e, "joint"), *tendon = carom_mjcf_get(m, &a->e, "tendon");
    const char *site = carom_mjcf_get(m, &a->e, "site");
    const carom_mjcf_tendon *t;
    bool zero = true;
    for (int k = 0; k < (site ? 6 : 1); k++)
        zero = zero && a->gear[k] == 0;
    if (!joint)
        joint = carom_mjcf_get(m, &a->e, "jointinparent");
    if ((joint || tendon || site) && zero)
        return carom_fail(m->robot->ctx, CAROM_ERROR_MODEL, &a->e.xml->place,
                          "'gear' of <%s> is 0, which moves nothing", a->e.xml->name);
    if (joint)
        return act_on_joint(m, a, joint);
    if (site && !carom_mjcf_get(m, &a->e, "refsite"))
        return act_on_site(m, a, site);
    if (!tendon)
        return carom_import_ignore(m->robot, &a->e.xml->place, "<%s> is ignored: it acts on no joint, tendon or site",
                                   a->e.xml->name);
    CAROM_TRY(carom_mjcf_find_tendon(m, a->e.xml, tendon, &t));
    if (t->terms && t->term_count)
        return add_effort(m, a, t->terms, t->term_count);
    return t->cable >= 0 ? act_on_cable(m, a, t->cable)
                         : carom_import_ignore(m->robot, &a->e.xml->place,
                                               "<%s> is ignored: its tendon is not in the model", a->e.xml->name);
}

/* ---- entry ---- */

/* Controls of a keyframe count all actuators that there are. */
static carom_status read_one(carom_mjcf *m, carom_xml *e, size_t number, carom_mjcf_control *out)
{
    actuator a;
    bool taken;
    const carom_robot *r = m->robot;
    const size_t drives = r->drive_count, efforts = r->effort_count;
    e->used = true;
    CAROM_TRY(read_actuator(m, e, number, &a, &taken));
    if (!taken)
        return CAROM_OK;
    CAROM_TRY(act(m, &a));
    bool controlled = r->effort_count > efforts;
    for (size_t k = 0; k < r->cable_count; k++)
        controlled = controlled || r->cables[k].input == a.input;
    if (controlled && a.is_word)
        CAROM_TRY(carom_import_warn(m->robot, &e->place,
                                    "the control of '%.63s' is the input '%.63s' in the model: '%.63s' is a word of "
                                    "expressions",
                                    a.name, a.input, a.name));
    out->least = a.ranged ? a.range[0] : -(double)INFINITY;
    out->most = a.ranged ? a.range[1] : (double)INFINITY;
    if (r->drive_count > drives || r->effort_count > efforts) {
        out->of = r->drive_count > drives ? 'd' : 'e';
        out->index = r->drive_count > drives ? drives : efforts;
    }
    for (size_t k = 0; k < r->cable_count; k++)
        if (r->cables[k].input == a.input) {
            out->of = 'c';
            out->index = k;
        }
    return CAROM_OK;
}

carom_status carom_mjcf_read_actuators(carom_mjcf *m, carom_xml *root)
{
    static const char *const read[] = {"motor", "position", "velocity", "general"};
    size_t number = 0;
    for (carom_xml *section = carom_xml_child(root, "actuator"); section; section = carom_xml_next(section, "actuator"))
        for (carom_xml *e = section->first; e; e = e->next) {
            carom_mjcf_control control = {0};
            for (size_t k = 0; k < CAROM_COUNT(read); k++)
                if (strcmp(e->name, read[k]) == 0)
                    CAROM_TRY(read_one(m, e, number++, &control));
            CAROM_TRY(carom_grow(m->robot->ctx, &m->controls, &m->control_capacity, m->control_count + 1,
                                 sizeof *m->controls));
            m->controls[m->control_count++] = control;
            carom_mjcf_set_control(m, &control, 0);
        }
    return CAROM_OK;
}

void carom_mjcf_set_control(carom_mjcf *m, const carom_mjcf_control *to, double value)
{
    const double held = fmin(fmax(value, to->least), to->most);
    if (to->of == 'd')
        m->robot->drives[to->index].control = held;
    else if (to->of == 'e')
        m->robot->efforts[to->index].start = value;
    else if (to->of == 'c')
        m->robot->cables[to->index].start = value;
}
