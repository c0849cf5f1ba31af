/* Dimensions of quantities: every key and every parameter of a kind with a unit takes it and refuses another, at the
   column of the value; what operators and functions make of units; units of the user's own. */
#include "carom_test.h"

#include <math.h>

#include "expr/expr.h"
#include "law/normal_law.h"
#include "spec/keys.h"

static carom_context *ctx;
static int tried;

static int set_up(void **state)
{
    (void)state;
    ctx = new_context();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    carom_context_free(ctx);
    return 0;
}

/* ---- values of a unit ---- */

/* "1*N*s/m" of "N s/m": the first unit of several, n of exponents as 1.5. False: numbers of it are not checked. */
static bool value_of(const char *unit, char *out, size_t size)
{
    if (strstr(unit, "its unit") || strstr(unit, "unit of") || strstr(unit, "^p") || strstr(unit, "(p+1)"))
        return false;
    if (strcmp(unit, "-") == 0) {
        snprintf(out, size, "0.4");
        return true;
    }
    size_t n = (size_t)snprintf(out, size, "1%s", *unit == '1' ? "" : "*");
    for (const char *c = unit + (*unit == '1'); *c && strncmp(c, " or ", 4) != 0 && n + 8 < size; c++) {
        if (strncmp(c, "^n", 2) == 0) {
            n += (size_t)snprintf(out + n, size - n, "^1.5");
            c++;
        } else if (strncmp(c, "^(1-k)", 6) == 0) {
            c += 5;
        } else {
            out[n++] = *c == ' ' ? '*' : *c;
            out[n] = '\0';
        }
    }
    return true;
}

static const char *other_unit(const char *unit)
{
    const bool mass = strncmp(unit, "kg", 2) == 0 && (!unit[2] || strncmp(unit + 2, " or ", 4) == 0);
    return mass ? "1*m" : "1*kg";
}

/* Reads an entry in its model, with the value where '@' stands in it: the value is taken, or refused at its column. */
static void try_entry(const char *before, const char *entry, const char *value, const char *after, const char *what,
                      bool right)
{
    char text[2048], place[32];
    const char *at = strchr(entry, '@');
    carom_document *document = NULL;
    snprintf(text, sizeof text, "%s%.*s%s%s%s", before, (int)(at - entry), entry, value, at + 1, after);
    snprintf(place, sizeof place, "t:1:%zu:", strlen(before) + (size_t)(at - entry) + 1);
    const carom_status status = carom_document_parse(ctx, "t", text, strlen(text), NULL, 0, &document);
    const char *error = status == CAROM_OK ? "" : carom_context_error(ctx);
    tried++;
    if (right != (status == CAROM_OK))
        fail_msg("%s %s '%s'  %s\n%s", what, right ? "refuses" : "takes", value, error, text);
    if (!right && (strncmp(error, place, strlen(place)) != 0 || !strstr(error, " is needed here, and ")))
        fail_msg("%s with '%s', at %s: %s\n%s", what, value, place, error, text);
    carom_document_free(document);
}

/* ---- keys ---- */

/* Where entries of an object stand: text before and after them, and what else they need, in the plane and in space. */
static const struct {
    carom_object object;
    const char *before, *needed[2], *after;
} places[] = {
    {CAROM_OBJECT_MODEL, "", {"", ""}, ""},
    {CAROM_OBJECT_BODY, "bodies: {b: {", {"mass: 1, inertia: 1, ", "mass: 1, inertia: [1, 1, 1], "}, "}}"},
    {CAROM_OBJECT_MOTION, "bodies: {b: {mass: 1, inertia: [1, 1, 1], motion: {", {"", ""}, "}}}"},
    {CAROM_OBJECT_MOTION, "bodies: {b: {mass: 1, inertia: 1, motion: {", {"", ""}, "}}}"},
    {CAROM_OBJECT_FRAME, "bodies: {b: {mass: 1, inertia: 1, frames: {f: {", {"", ""}, "}}}}"},
    {CAROM_OBJECT_TURN,
     "shapes: {s: {type: plane, on: ground, orientation: {",
     {"", "axis: [1, 0, 0], angle: 1, "},
     "}}}"},
    {CAROM_OBJECT_MATERIAL, "materials: {x: {", {"E: 1, nu: 0.3, ", "E: 1, nu: 0.3, "}, "}}"},
    {CAROM_OBJECT_JOINT, "joints: {j: {", {"type: translational, between: [ground, b], ", ""}, "}}"},
    {CAROM_OBJECT_CLEARANCE,
     "joints: {j: {type: revolute, between: [ground, b], clearance: {",
     {"normal: {law: hertz}, ", "normal: {law: hertz}, "},
     "}}}"},
    {CAROM_OBJECT_JOINT_FRICTION,
     "joints: {j: {type: translational, between: [ground, b], friction: {",
     {"law: coulomb, ", "law: coulomb, "},
     "}}}"},
    {CAROM_OBJECT_SHAPE, "shapes: {s: {", {"type: plane, on: ground, ", "type: plane, on: ground, "}, "}}"},
    {CAROM_OBJECT_SEGMENT, "shapes: {s: {type: profile, on: ground, outline: [{", {"", ""}, "}]}}"},
    {CAROM_OBJECT_ARC,
     "shapes: {s: {type: profile, on: ground, outline: [{arc: {",
     {"radius: 1, from: 0, to: 1, ", ""},
     "}}]}}"},
    {CAROM_OBJECT_POLYNOMIAL,
     "shapes: {s: {type: profile, on: ground, outline: [{polynomial: {",
     {"coefficients: [1], from: 0, to: 1, ", ""},
     "}}]}}"},
    {CAROM_OBJECT_CURVE,
     "shapes: {s: {type: profile, on: ground, outline: [{spline: {",
     {"points: [[0, 0], [1, 1]], ", ""},
     "}}]}}"},
    {CAROM_OBJECT_CONTACT, "contacts: {c: {", {"between: [s, r], normal: {law: hertz}, ", ""}, "}}"},
    {CAROM_OBJECT_NORMAL, "contacts: {c: {between: [s, r], normal: {", {"law: hertz, ", ""}, "}}}"},
    {CAROM_OBJECT_FROM_POINT,
     "contacts: {c: {between: [s, r], normal: {law: flores, from_point: {",
     {"indentation: 1, force: 1, ", ""},
     "}}}}"},
    {CAROM_OBJECT_FRICTION,
     "contacts: {c: {between: [s, r], normal: {law: hertz}, friction: {",
     {"law: coulomb, ", ""},
     "}}}"},
    {CAROM_OBJECT_RUN, "run: {", {"until: 1, ", "until: 1, "}, "}"},
    {CAROM_OBJECT_OUTPUT, "run: {until: 1, output: {", {"", ""}, "}}"},
};

/* The value of a key as its type wants it, '@' where the number stands; NULL: no numbers. */
static const char *form_of(const carom_key *key, bool space)
{
    switch (key->type) {
    case CAROM_KEY_VERSION:
    case CAROM_KEY_INTEGER:
    case CAROM_KEY_NUMBER:
    case CAROM_KEY_NUMBER_VALUE:
    case CAROM_KEY_TIME_VALUE:
        return "@";
    case CAROM_KEY_VECTOR:
    case CAROM_KEY_VECTOR_VALUE:
        return space ? "[0, @, 0]" : "[0, @]";
    case CAROM_KEY_VECTOR3:
        return "[0, 0, @]";
    case CAROM_KEY_SPIN:
    case CAROM_KEY_INERTIA:
        return space ? "[1, 1, @]" : "@";
    case CAROM_KEY_POINTS:
        return "[[0, 0], [1, @]]";
    case CAROM_KEY_NUMBERS:
        return "[@, 1]";
    default:
        return NULL;
    }
}

/* Takes `key: value, ` out of a list of needed keys. */
static void without(const char *needed, const char *key, char *out, size_t size)
{
    char word[64];
    snprintf(word, sizeof word, "%s: ", key);
    const char *found = strstr(needed, word);
    while (found && found > needed && found[-1] != ' ')
        found = strstr(found + 1, word);
    if (!found) {
        snprintf(out, size, "%s", needed);
        return;
    }
    const char *end = found;
    for (int depth = 0; *end && (depth || *end != ','); end++)
        depth += (*end == '[' || *end == '{') - (*end == ']' || *end == '}');
    snprintf(out, size, "%.*s%s", (int)(found - needed), needed, *end ? end + 2 : "");
}

static void try_key(size_t p, const carom_key *key)
{
    const bool space =
        (key->flags & CAROM_KEY_3D) || key->object == CAROM_OBJECT_TURN || strstr(places[p].before, "[1, 1, 1]");
    const bool runs = key->object == CAROM_OBJECT_RUN || key->object == CAROM_OBJECT_OUTPUT;
    const char *form = form_of(key, space);
    char right[64], needed[256], before[512], entry[128], after[128], what[128];
    const bool inertia_fits = key->object != CAROM_OBJECT_MOTION || space == !!strstr(places[p].before, "[1, 1, 1]");
    if (!form || !key->unit || !inertia_fits || (space && (key->flags & CAROM_KEY_2D)) ||
        !value_of(key->unit, right, sizeof right))
        return;
    without(strcmp(key->name, "zxz") == 0 ? "" : places[p].needed[space], key->name, needed, sizeof needed);
    snprintf(before, sizeof before, "{carom: 1, dimension: %d, %s%s%s", space ? 3 : 2, runs ? "" : "run: {until: 1}, ",
             places[p].before, needed);
    snprintf(entry, sizeof entry, "%s: %s", key->name, form);
    snprintf(after, sizeof after, "%s}", places[p].after);
    snprintf(what, sizeof what, "key '%s' of %s", key->name, carom_object_get(key->object)->path);
    try_entry(before, entry, right, after, what, true);
    try_entry(before, entry, other_unit(key->unit), after, what, false);
}

/* Further coordinates have units of their own, not those of their joint. */
static void test_further_coordinates(void **state)
{
    (void)state;
    static const char *const joints[] = {
        "type: cylindrical, coordinates: {angle: {", "type: screw, pitch: 1, coordinates: {travel: {",
        "type: planar, coordinates: {angle: {", "type: planar, coordinates: {y: {"};
    static const struct {
        const char *entry, *units[2];   /* of a travel, of an angle */
    } entries[] = {
        {"rate: @", {"1*mm/s", "1*deg/s"}},
        {"zero: @", {"1*mm", "1*deg"}},
        {"armature: @", {"1*kg", "1*kg*m^2"}},
        {"limits: {lower: @}", {"-1*mm", "-1*deg"}},
        {"spring: {stiffness: 1, free: @}", {"1*mm", "1*deg"}},
        {"spring: {stiffness: @}", {"1*N/m", "1*N*m"}},
        {"damper: {damping: @}", {"1*N*s/m", "1*N*m*s"}},
    };
    for (size_t j = 0; j < sizeof joints / sizeof *joints; j++)
        for (size_t k = 0; k < sizeof entries / sizeof *entries; k++) {
            const bool turns = strstr(joints[j], "angle");
            char before[300];
            snprintf(before, sizeof before,
                     "{carom: 1, dimension: 3, run: {until: 1}, joints: {j: {between: [ground, b], %s", joints[j]);
            try_entry(before, entries[k].entry, entries[k].units[turns], "}}}}}", joints[j], true);
            try_entry(before, entries[k].entry, entries[k].units[!turns], "}}}}}", joints[j], false);
        }
}

static void test_keys(void **state)
{
    (void)state;
    tried = 0;
    for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
        size_t count;
        const carom_key *keys = carom_keys_of(places[p].object, &count);
        for (size_t k = 0; k < count; k++)
            if (keys[k].type != CAROM_KEY_VERSION && keys[k].type != CAROM_KEY_INTEGER)
                try_key(p, &keys[k]);
    }
    assert_true(tried > 100);
}

/* ---- parameters of kinds ---- */

/* An entry with a kind of the family, %s, and its parameter. */
static const struct {
    carom_family family;
    const char *before, *after;
} families[] = {
    {CAROM_FAMILY_SHAPE, "shapes: {s: {type: %s, on: ground, ", "}}"},
    {CAROM_FAMILY_JOINT, "joints: {j: {type: %s, between: [ground, b], ", "}}"},
    {CAROM_FAMILY_LOAD, "loads: {f: {type: %s, %s, ", "}}"},
    {CAROM_FAMILY_FRICTION, "contacts: {c: {between: [s, r], normal: {law: hertz}, friction: {law: %s, ", "}}}"},
    {CAROM_FAMILY_ELASTIC, "contacts: {c: {between: [s, r], normal: {elastic: %s, damping: none, ", "}}}"},
    {CAROM_FAMILY_DAMPING, "contacts: {c: {between: [s, r], normal: {elastic: hooke, damping: %s, ", "}}}"},
    {CAROM_FAMILY_LAW, "contacts: {c: {between: [s, r], normal: {law: %s, ", "}}}"},
};

static void try_param(size_t f, const carom_kind *kind, const carom_param_row *row)
{
    char right[64], before[512], entry[256], after[32], what[128], form[128] = "[";
    const int size = row->flags & CAROM_PARAM_AXIAL ? 1 : row->size == 3 ? 2 : row->size;
    const bool named_twice = strcmp(row->name, "damping") == 0 && families[f].family == CAROM_FAMILY_DAMPING;
    if (named_twice || strcmp(kind->name, "coupler") == 0)
        return;
    if ((row->flags & CAROM_PARAM_NO_NUMBER) || !value_of(row->unit, right, sizeof right))
        return;
    for (int k = 0; k < size; k++)
        snprintf(form + strlen(form), sizeof form - strlen(form), "%s%s", k ? ", " : "", k + 1 < size ? "0" : "@");
    snprintf(form + strlen(form), sizeof form - strlen(form), "]");
    const carom_load_kind *load = families[f].family == CAROM_FAMILY_LOAD ? (const carom_load_kind *)kind : NULL;
    snprintf(before, sizeof before, "{carom: 1, dimension: 2, run: {until: 1}, ");
    size_t n = strlen(before);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(before + n, sizeof before - n, families[f].before, kind->name,
             load && load->frame_count == 2 ? "between: [ground, b]" : "on: b");
#pragma GCC diagnostic pop
    if (strcmp(row->name, "stiffness") == 0 && strstr(row->unit, "m^n") && families[f].family != CAROM_FAMILY_LAW)
        snprintf(before + strlen(before), sizeof before - strlen(before), "exponent: 1.5, ");
    snprintf(entry, sizeof entry, "%s: %s", row->name,
             row->flags & CAROM_PARAM_POINTS ? "[[0, 0], [1, @]]"
             : size == 1                     ? "@"
                                             : form);
    snprintf(what, sizeof what, "parameter '%s' of %s", row->name, kind->name);
    snprintf(after, sizeof after, "%s}", families[f].after);
    try_entry(before, entry, right, after, what, true);
    try_entry(before, entry, other_unit(row->unit), after, what, false);
}

static void test_kinds(void **state)
{
    (void)state;
    tried = 0;
    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++)
        for (size_t k = 0; k < carom_kind_count(ctx, families[f].family); k++) {
            const carom_kind *kind = carom_kind_at(ctx, families[f].family, k);
            for (int r = 0; r < kind->param_count; r++)
                try_param(f, kind, &kind->params[r]);
        }
    assert_true(tried > 200);
}

/* A load of a program: its units are checked like those of the library, and texts that are no unit take all. */
static void apply(void *user, const carom_load_input *in, carom_load_output *out)
{
    (void)user;
    (void)in;
    (void)out;
}

static void test_user_kind(void **state)
{
    (void)state;
    static const carom_param_row rows[] = {
        {"lift", "N m", 1, CAROM_PARAM_TIME, 0, -HUGE_VAL, HUGE_VAL, "Torque."},
        {"supply", "V", 1, 0, 0, -HUGE_VAL, HUGE_VAL, "Voltage."},
    };
    carom_load_kind_def def = carom_default_load_kind_def();
    def.kind.name = "lifter";
    def.kind.title = "Lifter.";
    def.kind.params = rows;
    def.kind.param_count = 2;
    def.frame_count = 1;
    def.apply = apply;
    assert_ok(ctx, carom_register_load(ctx, &def));
    const char *before = "{carom: 1, dimension: 2, run: {until: 1}, loads: {l: {type: lifter, on: b, ";
    try_entry(before, "lift: @", "2*J", "}}}", "lift", true);
    try_entry(before, "lift: @", "3*N*mm*t/s", "}}}", "lift", true);
    try_entry(before, "lift: @", "3*N*t/s", "}}}", "lift", false);
    try_entry(before, "lift: @", "2*N", "}}}", "lift", false);
    try_entry(before, "supply: @", "2*kg", "}}}", "supply", true);
}

/* ---- expressions ---- */

static const char *const names[] = {"L", "d", "gain", "in", "T"};
static const double values[] = {0.1, 0.2, 3, 7, 5};
static const carom_dimension dimensions[] = {{CAROM_DIMENSION_FREE, {0, 0, 0}},
                                             {CAROM_DIMENSION_QUANTITY, {1, 0, 0}},
                                             {CAROM_DIMENSION_FREE, {0, 0, 0}},
                                             {CAROM_DIMENSION_FREE, {0, 0, 0}},
                                             {CAROM_DIMENSION_QUANTITY, {0, 0, 1}}};

static int measure(void *user, carom_context *c, const char *function, const char *const *arguments, size_t count)
{
    (void)user;
    (void)c;
    (void)arguments;
    (void)count;
    return strcmp(function, "x") == 0 ? 0 : strcmp(function, "vx") == 0 ? 1 : -1;
}

static carom_dimension measure_dimension(void *user, int slot)
{
    (void)user;
    return carom_dimension_of(CAROM_DIMENSION_VARIABLE, 1, 0, slot ? -1 : 0);
}

/* An expression, a unit that it fits and one that it does not (NULL: it fits all); no unit: refused at the column. */
static const struct {
    const char *text, *fits, *not ;
    int column;
} expressions[] = {
    {"0.1*kg", "kg", "m", 0},
    {"3", "kg", NULL, 0},
    {"2*L", "kg", NULL, 0},
    {"L*kg", "m", NULL, 0},
    {"0.1*kg + 3", "kg", "m", 0},
    {"m + kg", NULL, NULL, 3},
    {"2*(1*s - 3*mm)", NULL, NULL, 8},
    {"2*d", "m", "kg", 0},
    {"pi/4*d^2", "m^2", "m", 0},
    {"7850*d^3", "kg", NULL, 0},
    {"7850*kg/m^3*d^3", "kg", "m", 0},
    {"1e5*N/mm^1.5", "N/m^1.5", "N/m", 0},
    {"sqrt(2*9.81*m/s^2*d)", "m/s", "m", 0},
    {"(4*m^2)^0.5", "m", "m^2", 0},
    {"2^(3*m)", NULL, NULL, 3},
    {"sin(30*deg)", "m", NULL, 0},
    {"0.5*m*sin(30*deg)", "m", "rad", 0},
    {"sin(3*mm)", NULL, NULL, 5},
    {"1 + exp(2*kg)", NULL, NULL, 9},
    {"30*deg", "rad", "m", 0},
    {"2*N*m/rad", "N m/rad", "N", 0},
    {"150*rpm", "rad/s", "m/s", 0},
    {"20*percent", "-", NULL, 0},
    {"5*lbf", "N", "kg", 0},
    {"5*lb", "kg", "N", 0},
    {"5*in", "m", NULL, 0},
    {"30*psi", "Pa", "N", 0},
    {"6*ft", "m", "s", 0},
    {"d/(3*mm)", "kg", NULL, 0},
    {"min(3*mm, 2*kg)", NULL, NULL, 11},
    {"max(3*mm, 2*cm, 1)", "m", "kg", 0},
    {"if(d > 3*s, 1, 2)", NULL, NULL, 6},
    {"if(1 > 0, 3*mm, 2*kg)", NULL, NULL, 17},
    {"step(t, 0, 0, 0.1, 50*N)", "N", "m", 0},
    {"step(t, 0*mm, 0, 0.1, 50*N)", NULL, NULL, 9},
    {"poly(t, 0*s, 1*m, 2*m/s, 3*m)", NULL, NULL, 26},
    {"0.1*t", "m", NULL, 0},
    {"t", "m", NULL, 0},
    {"sin(t)", "m", NULL, 0},
    {"t/T", "m", NULL, 0},
    {"5*mm/s*t", "m", "s", 0},
    {"t > 3*mm", NULL, NULL, 3},
    {"-200*x(b)", "N", NULL, 0},
    {"-200*(x(b) - 5*mm)", "N", NULL, 0},
    {"-200*N/m*(x(b) - 5*mm)", "N", "m", 0},
    {"x(b)", "N", NULL, 0},
    {"x(b) + vx(b)", "N", NULL, 0},
    {"x(b) + 2*vx(b)", "N", NULL, 0},
    {"x(b)/(5*mm)", "-", NULL, 0},
    {"not (m > kg)", NULL, NULL, 8},
    {"-(m + s)", NULL, NULL, 5},
};

static void test_expressions(void **state)
{
    (void)state;
    const carom_expr_scope scope = {.names = names,
                                    .values = values,
                                    .count = 5,
                                    .time_allowed = true,
                                    .dimensions = dimensions,
                                    .measure = measure,
                                    .measure_dimension = measure_dimension};
    const carom_place place = {"t", 1, 1};
    for (size_t k = 0; k < sizeof expressions / sizeof expressions[0]; k++) {
        carom_arena arena;
        carom_arena_init(&arena, ctx);
        carom_expr *expr;
        char where[32];
        const carom_status status = carom_expr_compile(&arena, &scope, expressions[k].text, &place, &expr);
        snprintf(where, sizeof where, "t:1:%d: ", expressions[k].column);
        if ((status == CAROM_OK) != (expressions[k].column == 0))
            fail_msg("%s: %s", expressions[k].text, status ? carom_context_error(ctx) : "no error");
        if (status != CAROM_OK && strncmp(carom_context_error(ctx), where, strlen(where)) != 0)
            fail_msg("%s: not at %s but %s", expressions[k].text, where, carom_context_error(ctx));
        const carom_dimension d = status == CAROM_OK ? carom_expr_dimension(expr) : (carom_dimension){0};
        if (status == CAROM_OK && !carom_unit_fits(expressions[k].fits, CAROM_UNIT_ANY, &d))
            fail_msg("%s does not fit %s", expressions[k].text, expressions[k].fits);
        if (expressions[k].not &&carom_unit_fits(expressions[k].not, CAROM_UNIT_ANY, &d))
            fail_msg("%s fits %s", expressions[k].text, expressions[k].not );
        carom_arena_free(&arena);
    }
}

static void test_values(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } rows[] = {{"1*in", 0.0254},        {"3*ft", 0.9144},        {"1*lb", 0.45359237}, {"1*lbf", 0.45359237 * 9.80665},
                {"1*lbf/in^2/psi", 1.0}, {"20*percent + 1", 1.2}, {"5*ppm", 5e-6},      {"12*in - 1*ft", 0}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        double value;
        assert_ok(ctx, carom_expr_number(ctx, NULL, rows[k].text, NULL, &value));
        assert_true(fabs(value - rows[k].value) <= 1e-15);
    }
}

/* ---- names and units of the user's own ---- */

#define BALL "bodies: {b: {mass: 1, inertia: 1}}\nrun: {until: 1}\n"

static const struct {
    const char *text, *refusal; /* NULL: the model is right */
} models[] = {
    /* a parameter, an input or a word that is called as a unit keeps its meaning */
    {"parameters: {in: 2, ft: in, lb: 3*kg}\nloads: {f: {type: force, on: b, force: [in*ft, lb*9.81*m/s^2]}}\n" BALL,
     NULL},
    {"inputs: {psi: {start: 1, unit: N}}\nloads: {f: {type: force, on: b, force: [psi, 0]}}\n" BALL, NULL},
    {"parameters: {law: in}\n" BALL, NULL},
    {"parameters: {m1: 3*kg}\nshapes: {s: {type: sphere, on: b, radius: $m1}}\n" BALL, "4:43: shape 's': 'radius'"},
    {"parameters: {m1: 3*kg, d: 2*m1}\nshapes: {s: {type: sphere, on: b, radius: d/2}}\n" BALL, "a mass [kg]"},
    /* inputs, states, outputs */
    {"inputs: {u: {start: 5*kg, unit: N}}\n" BALL, "a force [N] is needed here, and '5*kg' is a mass [kg]"},
    {"inputs: {u: {start: 5*mm, unit: mm}}\n" BALL, "divide by the unit"},
    {"inputs: {u: {start: 5, unit: mm}}\nloads: {f: {type: force, on: b, force: [u*kN, 0]}}\n" BALL, NULL},
    {"inputs: {u: {start: 5, unit: m}}\nloads: {f: {type: force, on: b, force: [2*kg*u, 0]}}\n" BALL,
     "a force [N] is needed"},
    {"inputs: {u: {start: 5, unit: V}}\nloads: {f: {type: force, on: b, force: [u, 0]}}\n" BALL, NULL},
    {"states: {q: {rate: vx(b), unit: m}}\n" BALL, NULL},
    {"states: {q: {rate: 3*kg*x(b), unit: m}}\n" BALL, "a length [m] per second is needed here, and"},
    {"outputs: {o: {value: x(b), unit: kg}}\n" BALL, "output 'o': a mass [kg] is needed here"},
    {"outputs: {o: {value: x(b), unit: mm}}\n" BALL, "divide by the unit"},
    {"outputs: {o: {value: x(b)/mm, unit: mm}, p: {value: turn(b)/deg, unit: deg}, q: {value: 100*x(b)/y(b), unit: "
     "\"%\"}}\n" BALL,
     NULL},
    {"events: {e: {when: x(b) > 3*kg, do: stop}}\n" BALL, "a comparison: a length [m] and a mass [kg]"},
    {"loads: {f: {type: force, on: b, force: [2*kg*x(b), 0]}}\n" BALL, "a force [N] is needed here, and"},
    {"joints: {j: {type: revolute, between: [ground, b], motion: 5*mm/s*t}}\n" BALL, "'motion': an angle [rad]"},
    {"joints: {j: {type: translational, between: [ground, b], axis: [1, 0], rate: 5*rpm}}\n" BALL,
     "'rate': a speed [m/s]"},
    {"joints: {j: {type: revolute, between: [ground, b], spring: {stiffness: 5*N/m}}}\n" BALL, "[N m/rad] is needed"},
    {"joints: {j: {type: revolute, between: [ground, b], spring: {stiffness: 5*N*m/rad}}}\n" BALL, NULL},
    /* splines: all points alike, the argument as their x, what comes out as their y */
    {"splines: {p: [[0, 0], [1*s, 2*mm], [2*s, 3*kg]]}\n" BALL, "spline 'p': '3*kg' is a mass [kg]"},
    {"splines: {p: [[0, 0], [1*s, 2*mm], [2*s, 5*mm]]}\n"
     "joints: {j: {type: translational, between: [ground, b], axis: [1, 0], motion: \"spline(p, t)\"}}\n" BALL, NULL},
    {"splines: {p: [[0, 0], [1*s, 2*deg], [2*s, 5*deg]]}\n"
     "joints: {j: {type: translational, between: [ground, b], axis: [1, 0], motion: \"spline(p, t)\"}}\n" BALL,
     "a length [m] is needed here"},
    {"splines: {p: [[0, 0], [1*s, 2*N], [2*s, 5*N]]}\n"
     "loads: {f: {type: force, on: b, force: [\"spline(p, x(b))\", 0]}}\n" BALL,
     "the argument and the x of its points"},
    {"splines: {p: [[0, 0], [1, 2], [2, 5]]}\n"
     "loads: {f: {type: force, on: b, force: [\"spline(p, x(b))\", 0]}}\n" BALL,
     NULL},
    {"splines: {p: [[-1*mm, -2*kN], [0, 0], [1*mm, 2*kN]]}\n"
     "loads: {f: {type: spring, between: [ground, b], curve: p}}\n" BALL,
     NULL},
    {"splines: {p: [[-1*deg, -2*kN], [0, 0], [1*deg, 2*kN]]}\n"
     "loads: {f: {type: spring, between: [ground, b], curve: p}}\n" BALL,
     "'curve': a length [m] is needed for the x of spline 'p', and its points have an angle"},
    {"splines: {p: [[-1*mm, -2*kg], [0, 0], [1*mm, 2*kg]]}\n"
     "loads: {f: {type: spring, between: [ground, b], curve: p}}\n" BALL,
     "'curve': a force [N] is needed for the y of spline 'p'"},
    /* exponents of power laws */
    {"shapes: {s: {type: sphere, on: b, radius: 1}, p: {type: plane, on: ground, normal: [0, 1]}}\n"
     "contacts: {c: {between: [s, p], normal: {law: flores, stiffness: 1e6*N/m, restitution: 0.5}}}\n" BALL,
     "a stiffness [N/m^1.5] is needed here"},
    {"shapes: {s: {type: sphere, on: b, radius: 1}, p: {type: plane, on: ground, normal: [0, 1]}}\n"
     "contacts: {c: {between: [s, p], normal: {law: flores, stiffness: 1e6*N/m, exponent: 1, restitution: "
     "0.5}}}\n" BALL,
     NULL},
};

static void test_models(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) {
        char text[1024];
        carom_document *document = NULL;
        carom_model *model = NULL;
        snprintf(text, sizeof text, "carom: 1\ndimension: 2\n%s", models[k].text);
        carom_status status = carom_document_parse(ctx, "t", text, strlen(text), NULL, 0, &document);
        if (status == CAROM_OK)
            status = carom_model_compile(ctx, carom_document_spec(document), &model);
        if ((status == CAROM_OK) != !models[k].refusal)
            fail_msg("%s: %s", models[k].text, status ? carom_context_error(ctx) : "no error");
        if (models[k].refusal && !strstr(carom_context_error(ctx), models[k].refusal))
            fail_msg("%s: '%s' does not say '%s'", models[k].text, carom_context_error(ctx), models[k].refusal);
        carom_model_free(model);
        carom_document_free(document);
    }
}

/* What is told of a unit is what expressions make of its name: the value, and the dimension. */
static void test_list(void **state)
{
    static const char *const base[] = {"m", "kg", "s"};
    size_t count, angles = 0;
    const carom_unit_row *units = carom_explain_units(&count);
    (void)state;
    assert_true(count > 35);
    for (size_t k = 0; k < count; k++) {
        double value = 0;
        char unit[64] = "";
        for (int n = 0; n < 3; n++)
            snprintf(unit + strlen(unit), sizeof unit - strlen(unit), "%s%s^%d", n ? "*" : "", base[n],
                     units[k].powers[n]);
        const char *pure = strcmp(unit, "m^0*kg^0*s^0") == 0 ? "1" : unit;
        assert_ok(ctx, carom_law_number(ctx, "value", units[k].name, &value));
        assert_true(value == units[k].value);
        assert_ok(ctx, carom_law_quantity(ctx, "value", units[k].name, pure, &value));
        assert_int_equal(carom_law_quantity(ctx, "value", units[k].name, "kg^7", &value) == CAROM_OK,
                         strcmp(units[k].name, "percent") == 0 || strcmp(units[k].name, "ppm") == 0);
        angles += units[k].powers[3] == 1;
    }
    assert_int_equal(angles, 4); /* rad, deg, rev, rpm */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_keys, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_further_coordinates, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_kinds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_user_kind, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_expressions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_models, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_list, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
