/* `carom check`: structure of a model, its assembly, what to expect of its contacts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/cli.h"
#include "support/json.h"
#include "support/model_text.h"
#include "support/options.h"
#include "support/output.h"
#include "support/table.h"
#include "support/terminal.h"

typedef struct check_options {
    text_list set;
    double speed; /* closing speed to expect [m/s]; 0: estimated */
    bool json;
} check_options;

#define LABELLED 13 /* columns of a label before its line */

/* ---- JSON ---- */

static void print_contact_json(carom_json *json, const carom_contact_check *contact)
{
    carom_json_begin(json, NULL, '{');
    carom_json_text(json, "contact", contact->contact);
    carom_json_text(json, "law", contact->law);
    carom_json_text(json, "elastic", contact->elastic);
    carom_json_text(json, "damping", contact->damping);
    carom_json_number(json, "stiffness", contact->stiffness);
    carom_json_number(json, "exponent", contact->exponent);
    carom_json_number(json, "modulus", contact->modulus);
    carom_json_number(json, "radius", contact->radius);
    carom_json_number(json, "reference_indentation", contact->reference_indentation);
    carom_json_number(json, "reference_force", contact->reference_force);
    carom_json_number(json, "local_exponent", contact->local_exponent);
    carom_json_number(json, "limit", contact->limit);
    carom_json_number(json, "mass", contact->mass);
    carom_json_number(json, "speed", contact->speed);
    carom_json_number(json, "gap", contact->gap);
    carom_json_number(json, "expected_speed", contact->expected_speed);
    carom_json_text(json, "assumed", contact->assumed);
    carom_json_number(json, "e_asked", contact->restitution);
    carom_json_number(json, "e_expected", contact->achieved_restitution);
    carom_json_number(json, "peak_force", contact->peak_force);
    carom_json_number(json, "max_indentation", contact->max_indentation);
    carom_json_number(json, "duration", contact->duration);
    carom_json_text(json, "method", contact->method);
    carom_json_number(json, "static_indentation", contact->static_indentation);
    carom_json_number(json, "first_step", contact->first_step);
    carom_json_number(json, "contact_step", contact->contact_step);
    carom_json_number(json, "absolute", contact->absolute_scale);
    carom_json_number(json, "wave_speed_limit", contact->wave_speed);
    carom_json_number(json, "yield_speed", contact->yield_speed);
    carom_json_begin(json, "rules", '[');
    for (size_t k = 0; k < contact->warning_count; k++)
        carom_json_text(json, NULL, contact->warnings[k].rule);
    carom_json_end(json, ']');
    carom_json_end(json, '}');
}

/* Friction of the ideal joints at the start; NULL and a message when out of memory. */
static carom_joint_friction *joint_friction(const carom_simulation *sim, size_t *count)
{
    *count = carom_simulation_joint_friction(sim, NULL, 0);
    carom_joint_friction *joints = calloc(*count + 1, sizeof *joints);
    if (joints)
        carom_simulation_joint_friction(sim, joints, *count);
    else
        memory_error();
    return joints;
}

static void print_friction_json(carom_json *json, const carom_simulation *sim)
{
    size_t count;
    carom_joint_friction *joints = joint_friction(sim, &count);
    carom_json_begin(json, "friction", '[');
    for (size_t k = 0; joints && k < count; k++) {
        carom_json_begin(json, NULL, '{');
        carom_json_text(json, "joint", joints[k].joint);
        carom_json_text(json, "law", joints[k].law);
        carom_json_number(json, "normal", joints[k].normal);
        carom_json_number(json, "force", joints[k].force);
        carom_json_number(json, "speed", joints[k].speed);
        carom_json_text(json, "state", joints[k].sticks ? "stick" : "slip");
        carom_json_text(json, "unit", joints[k].turns ? "N m" : "N");
        carom_json_end(json, '}');
    }
    carom_json_end(json, ']');
    free(joints);
}

/* The coordinate or the rate of a joint at the start, of a channel that is its coordinate. */
static bool coordinate_of(carom_simulation *sim, const carom_channel *channel, const char *quantity, double *value)
{
    char name[256];
    if (strcmp(channel->type, "joint") != 0 || strcmp(channel->quantity, "coordinate") != 0)
        return false;
    snprintf(name, sizeof name, "joint.%s.%s", channel->object, quantity);
    return carom_simulation_channel(sim, name, value) == CAROM_OK;
}

static void print_coordinates_json(carom_json *json, carom_simulation *sim, const char *key, const char *quantity)
{
    size_t count;
    double value;
    const carom_channel *channels = carom_simulation_channels(sim, &count);
    carom_json_begin(json, key, '{');
    for (size_t k = 0; k < count; k++)
        if (coordinate_of(sim, &channels[k], quantity, &value))
            carom_json_number(json, channels[k].object, value);
    carom_json_end(json, '}');
}

static void print_texts_json(carom_json *json, const char *key, const char *const *texts, size_t count)
{
    carom_json_begin(json, key, '[');
    for (size_t k = 0; k < count; k++)
        carom_json_text(json, NULL, texts[k]);
    carom_json_end(json, ']');
}

static int print_json(const session *s, const carom_model_info *info, carom_simulation *sim, const carom_check *c)
{
    carom_json *json = json_open(s);
    if (!json)
        return EXIT_SOLVER;
    carom_json_begin(json, NULL, '{');
    carom_json_text(json, "model", info->name);
    carom_json_integer(json, "bodies", (int64_t)c->bodies);
    carom_json_integer(json, "joints", (int64_t)c->joints);
    carom_json_integer(json, "coordinates", (int64_t)c->coordinates);
    carom_json_integer(json, "rows", (int64_t)c->rows);
    carom_json_integer(json, "rank", (int64_t)c->rank);
    carom_json_integer(json, "mobility", (int64_t)c->mobility);
    carom_json_text(json, "formulation", c->formulation);
    carom_json_integer(json, "unknowns", (int64_t)c->unknowns);
    carom_json_integer(json, "constraint_rows", (int64_t)c->held);
    print_texts_json(json, "cut", c->cut, c->cut_count);
    print_texts_json(json, "redundant", c->redundant, c->redundant_count);
    print_texts_json(json, "redundant_held", c->redundant_held, c->redundant_held ? c->redundant_count : 0);
    print_texts_json(json, "free", c->free, c->free_count);
    print_texts_json(json, "stuck", c->stuck, c->stuck_count);
    carom_json_begin(json, "gaps", '[');
    for (size_t k = 0; k < c->gap_count; k++) {
        carom_json_begin(json, NULL, '{');
        carom_json_text(json, "part", c->gaps[k].name);
        carom_json_number(json, "distance", c->gaps[k].distance);
        carom_json_number(json, "angle", c->gaps[k].angle);
        carom_json_end(json, '}');
    }
    carom_json_end(json, ']');
    carom_json_number(json, "assembly_residual", c->assembly_residual);
    carom_json_number(json, "assembly_moved", c->assembly_moved);
    carom_json_number(json, "velocity_residual", c->velocity_residual);
    carom_json_begin(json, "contacts", '[');
    for (size_t k = 0; k < c->contact_count; k++)
        print_contact_json(json, &c->contacts[k]);
    carom_json_end(json, ']');
    print_friction_json(json, sim);
    print_coordinates_json(json, sim, "start", "coordinate");
    print_coordinates_json(json, sim, "start_rates", "rate");
    print_texts_json(json, "warnings", (const char *const *)s->warnings, s->warning_count);
    carom_json_end(json, '}');
    return json_print(s, json);
}

/* ---- text ---- */

static const unit_scale units_modulus[] = {
    {"Pa", 1, 0}, {"kPa", 1e3, 1e3}, {"MPa", 1e6, 1e6}, {"GPa", 1e9, 1e9}, {NULL, 0, 0}};

/* A column of one member; what is not finite is shown as "-". */
static void add_member(table *t, const char *name, const unit_scale *units, const carom_check *c, size_t offset)
{
    double *values = malloc((c->contact_count + 1) * sizeof *values);
    for (size_t k = 0; values && k < c->contact_count; k++) {
        memcpy(&values[k], (const char *)&c->contacts[k] + offset, sizeof values[k]);
        values[k] = isfinite(values[k]) ? values[k] : (double)NAN;
    }
    if (values)
        table_numbers(t, name, units, 4, values);
    else
        t->failed = true;
    free(values);
}
#define ADD(t, name, units, c, member) add_member(t, name, units, c, offsetof(carom_contact_check, member))

/* The stiffness as number, as materials and as a point. */
static void add_laws(table *t, const carom_check *c, const char *const *laws)
{
    bool powers = true;
    for (size_t k = 0; k < c->contact_count; k++)
        powers = powers && !isnan(c->contacts[k].exponent);
    table_texts(t, "law", false, laws);
    ADD(t, "K [N/m^n]", units_none, c, stiffness);
    ADD(t, "n", units_none, c, exponent);
    ADD(t, "E*", units_modulus, c, modulus);
    ADD(t, "R", units_length, c, radius);
    ADD(t, "force", units_force, c, reference_force);
    ADD(t, "at depth", units_length, c, reference_indentation);
    if (powers)
        return;
    double *secants = malloc((c->contact_count + 1) * sizeof *secants);
    for (size_t k = 0; secants && k < c->contact_count; k++)
        secants[k] = c->contacts[k].reference_force / c->contacts[k].reference_indentation;
    if (secants)
        table_numbers(t, "secant [N/m]", units_none, 4, secants);
    else
        t->failed = true;
    free(secants);
    ADD(t, "n there", units_none, c, local_exponent);
    ADD(t, "limit", units_length, c, limit);
}

static void add_touch(table *t, const carom_check *c)
{
    ADD(t, "mass", units_mass, c, mass);
    ADD(t, "gap", units_length, c, gap);
    ADD(t, "closing", units_speed, c, speed);
    ADD(t, "at touch", units_speed, c, expected_speed);
    ADD(t, "e asked", units_none, c, restitution);
    ADD(t, "e got", units_none, c, achieved_restitution);
    ADD(t, "peak", units_force, c, peak_force);
    ADD(t, "depth", units_length, c, max_indentation);
    ADD(t, "duration", units_short_time, c, duration);
    ADD(t, "at rest", units_length, c, static_indentation);
}

static void add_diagnostics(table *t, const carom_check *c)
{
    ADD(t, "first step", units_short_time, c, first_step);
    ADD(t, "largest step", units_short_time, c, contact_step);
    ADD(t, "absolute", units_length, c, absolute_scale);
}

/* How the speeds at the first touch were found, one line a way. */
static void print_assumptions(const carom_check *c)
{
    for (size_t k = 0; k < c->contact_count; k++) {
        const char *assumed = c->contacts[k].assumed;
        bool told = false;
        for (size_t j = 0; j < k; j++)
            told = told || strcmp(c->contacts[j].assumed, assumed) == 0;
        if (told)
            continue;
        text_line line = {.width = LINE_BYTES};
        line_add(&line, "speed at touch of");
        const char *separator = " ";
        for (size_t j = k; j < c->contact_count; j++)
            if (strcmp(c->contacts[j].assumed, assumed) == 0) {
                line_add(&line, "%s%s", separator, c->contacts[j].contact);
                separator = ", ";
            }
        print_line(2, "%s: %s", line.text, assumed);
    }
}

/* Tables: the law; a free impact at the first touch; what follows for the integration. */
static void print_contacts(const carom_check *c)
{
    table law = {.rows = c->contact_count}, touch = {.rows = c->contact_count},
          diagnostics = {.rows = c->contact_count};
    const char **names = malloc((c->contact_count + 1) * sizeof *names);
    const char **laws = malloc((c->contact_count + 1) * sizeof *laws);
    bool expected = false;
    if (names && laws) {
        for (size_t k = 0; k < c->contact_count; k++) {
            names[k] = c->contacts[k].contact;
            laws[k] = c->contacts[k].law;
            expected = expected || isfinite(c->contacts[k].duration);
        }
        table_texts(&law, "contact", false, names);
        add_laws(&law, c, laws);
        printf("\n");
        print_line(2,
                   "contact laws: stiffness, the E* and R that Hertz's law has it with, and one point of the elastic "
                   "force");
        table_print(&law, stdout);
        table_texts(&touch, "contact", false, names);
        add_touch(&touch, c);
        printf("\n");
        print_line(2, "gap and closing speed at the start; a free impact at the first touch; indentation at rest under "
                      "the weight");
        table_print(&touch, stdout);
        print_assumptions(c);
        if (expected) {
            table_texts(&diagnostics, "contact", false, names);
            add_diagnostics(&diagnostics, c);
            printf("\n");
            print_line(2,
                       "advised: first step at the onset, largest step inside, absolute tolerance of the coordinates");
            table_print(&diagnostics, stdout);
        }
    } else {
        memory_error();
    }
    free(names);
    free(laws);
    table_free(&law);
    table_free(&touch);
    table_free(&diagnostics);
}

/* The tables of a model with many places: those that touch, as far as it is foreseen, or else the first ones. */
static void print_shown(const carom_check *c)
{
    enum { SHOWN = 40 };
    carom_check shown = *c;
    carom_contact_check *kept = malloc((c->contact_count + 1) * sizeof *kept);
    if (!kept) {
        memory_error();
        return;
    }
    if (c->contact_count > SHOWN) {
        size_t touching = 0;
        for (size_t k = 0; k < c->contact_count; k++)
            touching += isfinite(c->contacts[k].expected_speed) ? 1 : 0;
        shown.contacts = kept;
        shown.contact_count = 0;
        for (size_t k = 0; k < c->contact_count && shown.contact_count < SHOWN; k++)
            if (!touching || isfinite(c->contacts[k].expected_speed))
                kept[shown.contact_count++] = c->contacts[k];
    }
    print_contacts(&shown);
    if (shown.contact_count < c->contact_count)
        print_line(2, "... %zu more contacts, which are not foreseen to touch or do so like these; --json has all",
                   c->contact_count - shown.contact_count);
    free(kept);
}

static void add_count(text_line *line, size_t count, const char *one, const char *many)
{
    line_add(line, " · %zu %s", count, count == 1 ? one : many);
}

/* Where the journals of the joints with clearance start. */
static void print_clearances(const carom_simulation *sim)
{
    size_t count = carom_simulation_joint_modes(sim, NULL, 0);
    carom_joint_modes *joints = calloc(count + 1, sizeof *joints);
    char number[32];
    if (!joints) {
        memory_error();
        return;
    }
    carom_simulation_joint_modes(sim, joints, count);
    for (size_t k = 0; k < count; k++)
        print_line(LABELLED, "%-12s joint '%s' starts with eccentricity %s", "clearance", joints[k].joint,
                   short_number(number, joints[k].eccentricity, 3));
    free(joints);
}

/* Under which force the joints with friction start, and what friction does. */
static void print_friction(const carom_simulation *sim)
{
    size_t count;
    carom_joint_friction *joints = joint_friction(sim, &count);
    char normal[32], force[32], speed[32];
    for (size_t k = 0; joints && k < count; k++) {
        short_number(normal, joints[k].normal, 4);
        short_number(force, joints[k].force, 4);
        const char *unit = joints[k].turns ? "N m" : "N";
        if (joints[k].sticks)
            print_line(LABELLED, "%-12s joint '%s', %s: starts at rest, held by %s %s under %s %s", "friction",
                       joints[k].joint, joints[k].law, force, unit, normal, unit);
        else if (joints[k].begins)
            print_line(LABELLED,
                       "%-12s joint '%s', %s: starts at rest and begins to slip, against %s %s under %s %s", "friction",
                       joints[k].joint, joints[k].law, force, unit, normal, unit);
        else
            print_line(LABELLED, "%-12s joint '%s', %s: starts with %s %s under %s %s, slips at %s %s", "friction",
                       joints[k].joint, joints[k].law, force, unit, normal, unit,
                       short_number(speed, joints[k].speed, 4), joints[k].turns ? "rad/s" : "m/s");
    }
    free(joints);
}

/* What rounding leaves of a coordinate that is 0 [m or rad]. */
#define ROUNDING 1e-14

/* Coordinates of the joints where the model starts, and the rates of those that move: what their zeros are, `carom
   explain` says of each type. */
static void print_coordinates(carom_simulation *sim)
{
    size_t count;
    double value, rate;
    char number[32];
    const carom_channel *channels = carom_simulation_channels(sim, &count);
    text_line line = {.width = LINE_BYTES};
    line_add(&line, "%-12s", "start");
    for (size_t k = 0, shown = 0; k < count; k++) {
        if (!coordinate_of(sim, &channels[k], "coordinate", &value))
            continue;
        line_add(&line, "%s%s %s %s", shown++ ? ", " : " ", channels[k].object,
                 short_number(number, fabs(value) < ROUNDING ? 0 : value, 6), channels[k].unit);
        if (coordinate_of(sim, &channels[k], "rate", &rate) && fabs(rate) > ROUNDING)
            line_add(&line, " at %s %s/s", short_number(number, rate, 6), channels[k].unit);
    }
    if (strlen(line.text) > 12)
        print_line(LABELLED, "%s", line.text);
}

#define LISTED 8 /* free motions, and redundant rows, that are named */

static void print_list(const char *label, const char *const *texts, size_t count)
{
    text_line line = {.width = LINE_BYTES};
    line_add(&line, "%-12s ", label);
    for (size_t k = 0; k < count && k < LISTED; k++)
        line_add(&line, "%s%s", k ? "; " : "", texts[k]);
    if (count > LISTED)
        line_add(&line, "; and %zu more", count - LISTED);
    if (count)
        print_line(LABELLED, "%s", line.text);
}

/* The count of rows against the rank, and what moves. */
static void print_mobility(const carom_check *c)
{
    const long long counted = (long long)c->coordinates - (long long)c->rows;
    printf("%-12s %zu", "mobility", c->mobility);
    if (counted != (long long)c->mobility)
        printf("; %lld by counting rows (Grübler), %zu of which %s redundant", counted, c->redundant_count,
               c->redundant_count == 1 ? "is" : "are");
    printf("\n");
    print_list("free", c->free, c->free_count);
    print_list("held here", c->stuck, c->stuck_count);
}

static void print_redundant(const carom_check *c)
{
    text_line line = {.width = LINE_BYTES};
    line_add(&line, "%-12s %s", "redundant", c->redundant_count ? "" : "none");
    for (size_t k = 0; k < c->redundant_count && k < LISTED; k++)
        line_add(&line, c->redundant_held ? "%s%s (%s)" : "%s%s", k ? "; " : "", c->redundant[k],
                 c->redundant_held ? c->redundant_held[k] : "");
    if (c->redundant_count > LISTED)
        line_add(&line, "; and %zu more", c->redundant_count - LISTED);
    print_line(LABELLED, "%s", line.text);
}

/* What the poses of the file leave open, the worst first. */
static void print_gaps(const carom_check *c)
{
    text_line line = {.width = LINE_BYTES};
    line_add(&line, "%-12s ", "as written");
    for (size_t k = 0; k < c->gap_count && k < LISTED; k++) {
        const carom_initial_gap *gap = &c->gaps[k];
        char distance[32], angle[32];
        short_number(distance, gap->distance, 4);
        short_number(angle, gap->angle, 4);
        line_add(&line, "%s%s is open by ", k ? "; " : "", gap->name);
        if (gap->distance > 0 && gap->angle > 0)
            line_add(&line, "%s m and %s rad", distance, angle);
        else
            line_add(&line, gap->angle > 0 ? "%s rad" : "%s m", gap->angle > 0 ? angle : distance);
    }
    if (c->gap_count > LISTED)
        line_add(&line, "; and %zu more", c->gap_count - LISTED);
    if (c->gap_count)
        print_line(LABELLED, "%s", line.text);
}

/* The formulation, and where it cuts loops. */
static void print_formulation(const carom_check *c)
{
    print_line(LABELLED, "%-12s %s: %zu unknown speed%s and %zu constraint row%s%s", "formulation", c->formulation,
               c->unknowns, c->unknowns == 1 ? "" : "s", c->held, c->held == 1 ? "" : "s",
               c->unknowns < c->coordinates ? "; those of joints in place of bodies" : "");
    text_line cut = {.width = LINE_BYTES};
    for (size_t k = 0; k < c->cut_count; k++)
        line_add(&cut, "%s'%s'", k ? ", " : "", c->cut[k]);
    if (c->cut_count)
        print_line(LABELLED,
                   "%-12s cut at joint%s %s, where fewest rows are left and far from the ground; "
                   "`cut: true` at another joint of the loop has it cut there",
                   "loops", c->cut_count == 1 ? "" : "s", cut.text);
}

/* What the rows of the first run need, where that is much. */
static void print_output(carom_simulation *sim)
{
    carom_output_estimate rows;
    char text[160];
    if (carom_simulation_estimate_output(sim, &rows) != CAROM_OK)
        return;
    if (output_line(&rows, text, sizeof text))
        print_line(LABELLED, "%s", text);
    output_print_contacts(&rows, LABELLED);
}

static void print_text(const session *s, const carom_model_info *info, carom_simulation *sim, const carom_check *c)
{
    char number[32], moved[32], speed[32];
    bool titled = info->title && *info->title && strcmp(info->title, info->name) != 0;
    print_line(2, "%s%s%s", info->name, titled ? " · " : "", titled ? info->title : "");
    text_line model = {.width = LINE_BYTES};
    line_add(&model, "%-12s %d-D", "model", info->dimension);
    add_count(&model, c->bodies, "body", "bodies");
    add_count(&model, c->joints, "joint", "joints");
    add_count(&model, info->shapes, "shape", "shapes");
    add_count(&model, c->contact_count, "contact", "contacts");
    add_count(&model, info->loads, "load", "loads");
    add_count(&model, info->runs, "run", "runs");
    print_line(LABELLED, "%s", model.text);
    printf("%-12s %zu coordinates, %zu rows, rank %zu\n", "constraints", c->coordinates, c->rows, c->rank);
    print_output(sim);
    print_mobility(c);
    print_formulation(c);
    print_redundant(c);
    print_gaps(c);
    const unit_scale *unit = unit_for(units_length, c->assembly_moved);
    if (c->assembly_moved == 0)
        unit = units_length;
    print_line(LABELLED, "%-12s residual %s m or rad; moved a body by at most %s %s; velocities %s m/s or rad/s",
               "assembly", short_number(number, c->assembly_residual, 2),
               short_number(moved, c->assembly_moved / unit->size, 3), unit->name,
               short_number(speed, c->velocity_residual, 2));
    print_coordinates(sim);
    print_clearances(sim);
    print_friction(sim);
    if (c->contact_count > 0)
        print_shown(c);
    if (s->warning_count > 0)
        printf("\n");
    for (size_t k = 0; k < s->warning_count; k++)
        print_warning_line(s->warnings[k]);
}

/* ---- command ---- */

/* The warning of a contact by a rule that the simulation does not tell; NULL: none. */
static const carom_contact_warning *warning_of(const carom_contact_check *c, const char *rule)
{
    for (size_t w = 0; w < c->warning_count; w++)
        if (!c->warnings[w].told && strcmp(c->warnings[w].rule, rule) == 0)
            return &c->warnings[w];
    return NULL;
}

static bool same_number(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

/* Contacts of one law, with the same numbers. */
static bool are_alike(const carom_contact_check *a, const carom_contact_check *b)
{
    return strcmp(a->law, b->law) == 0 && strcmp(a->elastic, b->elastic) == 0 && strcmp(a->damping, b->damping) == 0 &&
           same_number(a->stiffness, b->stiffness) && same_number(a->exponent, b->exponent) &&
           same_number(a->restitution, b->restitution);
}

/* Whether contact `n` is told of with contact `first`: of both the rule says the same, or they are alike. */
static bool told_with(const carom_check *check, size_t first, size_t n, const carom_contact_warning *warning)
{
    const carom_contact_warning *other = warning_of(&check->contacts[n], warning->rule);
    return other &&
           (strcmp(other->body, warning->body) == 0 || are_alike(&check->contacts[first], &check->contacts[n]));
}

/* Whether one of the first `count` contacts is told of with contact `count`. */
static bool find_warning(const carom_check *check, size_t count, const carom_contact_warning *warning)
{
    for (size_t n = 0; n < count; n++)
        if (told_with(check, count, n, warning))
            return true;
    return false;
}

/* Adds a warning that contact `first` has: with the names of all of which it says the same, else with their number. */
static void warn_of(session *s, const carom_check *check, size_t first, const carom_contact_warning *warning)
{
    enum { NAMED = 3 };
    text_line line = {.width = LINE_BYTES};
    size_t count = 0, other = 0;
    for (size_t n = first; n < check->contact_count; n++) {
        if (!told_with(check, first, n, warning))
            continue;
        other += strcmp(warning_of(&check->contacts[n], warning->rule)->body, warning->body) != 0;
        if (count++ < NAMED)
            line_add(&line, "%s'%s'", count > 1 ? ", " : "", check->contacts[n].contact);
    }
    if (count > NAMED)
        line_add(&line, " and %zu others", count - NAMED);
    char *text = other ? format_text("contact '%s', the first of %zu like it: %s", check->contacts[first].contact,
                                     count, warning->body)
                       : format_text("contact%s %s: %s", count > 1 ? "s" : "", line.text, warning->body);
    if (text)
        session_warn(s, text);
    free(text);
}

/* Adds the warnings of an analysis and of its contacts, in the place of those that were logged while it was made, one a
   place of a contact: `before` are those before it. */
static void take_warnings(session *s, size_t before, carom_simulation *sim, const carom_check *check)
{
    size_t count;
    const char *const *warnings = carom_simulation_warnings(sim, &count);
    session_forget_since(s, before);
    for (size_t w = 0; w < count; w++)
        session_warn(s, warnings[w]);
    for (size_t n = 0; n < check->contact_count; n++)
        for (size_t w = 0; w < check->contacts[n].warning_count; w++)
            if (!check->contacts[n].warnings[w].told && !find_warning(check, n, &check->contacts[n].warnings[w]))
                warn_of(s, check, n, &check->contacts[n].warnings[w]);
}

/* Steps of the trial run, which finds how contacts touch. */
#define TRIAL_STEPS 10000

/* Every analysis must be able to start, and what is wrong of any is said; the first one is shown. */
static int check_model(session *s, const check_options *o, const carom_model *model)
{
    carom_model_info info = carom_model_get_info(model);
    carom_simulation *shown = NULL;
    carom_check first = {0};
    int result = EXIT_DONE;
    for (size_t k = 0; k < info.runs; k++) {
        carom_simulation_def def = carom_default_simulation_def();
        carom_run_def run = *carom_model_get_run(model, k);
        if (!carom_run_moves(&run)) {
            /* what it starts from is that of a motion */
            run.analysis = NULL;
            run.until = run.until > 0 ? run.until : 1;
        }
        def.run_def = &run;
        def.touch_speed = o->speed;
        def.trial_steps = TRIAL_STEPS;
        carom_simulation *sim = NULL;
        carom_check check;
        const size_t before = s->warning_count;
        carom_status status = carom_simulation_create(s->ctx, model, &def, &sim);
        if (status == CAROM_OK)
            status = carom_simulation_check(sim, &check);
        if (status == CAROM_OK)
            take_warnings(s, before, sim, &check);
        else
            result = session_error(s, status);
        if (k > 0 || status != CAROM_OK) {
            carom_simulation_free(sim);
            continue;
        }
        shown = sim;
        first = check;
    }
    if (result == EXIT_DONE && shown && o->json)
        result = print_json(s, &info, shown, &first);
    else if (result == EXIT_DONE && shown)
        print_text(s, &info, shown, &first);
    carom_simulation_free(shown);
    return result;
}

static int check(session *s, const text_list *arguments, void *options)
{
    const check_options *o = options;
    const char *path = arguments->items[0];
    int result = take_model(s, &path);
    if (result != EXIT_DONE)
        return result;
    carom_document *document = NULL;
    carom_model *model = NULL;
    carom_status status = read_model(s, path, o->set.items, o->set.count, &document);
    if (status == CAROM_OK)
        status = carom_model_compile(s->ctx, carom_document_spec(document), &model);
    result = status == CAROM_OK ? check_model(s, o, model) : session_error(s, status);
    carom_model_free(model);
    carom_document_free(document);
    return result;
}

int command_check(int argc, char **argv)
{
    check_options o = {0};
    const option options[] = {
        {"set", 0, OPTION_TEXTS, &o.set, "NAME=VALUE", "replace the value of a parameter; may be repeated"},
        {"speed", 0, OPTION_POSITIVE, &o.speed, "V",
         "closing speed to expect of every contact [m/s]; default: that of a trial run"},
        {"json", 0, OPTION_FLAG, &o.json, NULL, "print one JSON object"},
    };
    const command_def def = {
        .name = "check",
        .arguments = "MODEL",
        .text = "Reads and assembles a model, and tries it until its contacts have touched, for at most 10,000 steps;\n"
                "nothing is written. Prints the number of coordinates and constraint rows,\n"
                "their rank and the mobility, names redundant rows, and tells how far the assembly moved the bodies.\n"
                "For each joint with friction: the normal force at the start, and friction.\n"
                "For each contact: the stiffness as K and n, as E* and R, and as one point; effective mass; closing\n"
                "speed now and at the first touch; restitution, peak force, depth and duration of a free impact with\n"
                "its law; indentation at rest; steps and scale to use. Warns where a law leaves what it assumes\n"
                "(`carom explain validity`).",
        .example = "  carom check models/slider_crank_block.yaml",
        .options = options,
        .option_count = COUNT(options),
        .least = 1,
        .most = 1};
    return command_perform(&def, argc, argv, check, &o);
}
