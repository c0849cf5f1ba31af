/* `carom check`: structure of a model, its assembly, what to expect of its contacts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "json.h"
#include "options.h"
#include "table.h"

typedef struct check_options {
    const char *model;
    text_list set;
    bool json;
} check_options;

/* ---- JSON ---- */

static void print_json(const session *s, const carom_model_info *info, const carom_check *c)
{
    json_writer json = {.file = stdout};
    json_begin_object(&json, NULL);
    json_text(&json, "model", info->name);
    json_integer(&json, "bodies", (int64_t)c->bodies);
    json_integer(&json, "joints", (int64_t)c->joints);
    json_integer(&json, "coordinates", (int64_t)c->coordinates);
    json_integer(&json, "rows", (int64_t)c->rows);
    json_integer(&json, "rank", (int64_t)c->rank);
    json_integer(&json, "mobility", (int64_t)c->mobility);
    json_begin_array(&json, "redundant");
    for (size_t k = 0; k < c->redundant_count; k++)
        json_text(&json, NULL, c->redundant[k]);
    json_end_array(&json);
    json_number(&json, "assembly_residual", c->assembly_residual);
    json_number(&json, "assembly_moved", c->assembly_moved);
    json_number(&json, "velocity_residual", c->velocity_residual);
    json_begin_array(&json, "contacts");
    for (size_t k = 0; k < c->contact_count; k++) {
        const carom_contact_check *contact = &c->contacts[k];
        json_begin_object(&json, NULL);
        json_text(&json, "contact", contact->contact);
        json_text(&json, "law", contact->law);
        json_number(&json, "stiffness", contact->stiffness);
        json_number(&json, "exponent", contact->exponent);
        json_number(&json, "reference_indentation", contact->reference_indentation);
        json_number(&json, "reference_force", contact->reference_force);
        json_number(&json, "mass", contact->mass);
        json_number(&json, "speed", contact->speed);
        json_number(&json, "gap", contact->gap);
        json_number(&json, "peak_force", contact->peak_force);
        json_number(&json, "max_indentation", contact->max_indentation);
        json_number(&json, "duration", contact->duration);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_begin_array(&json, "warnings");
    for (size_t k = 0; k < s->warning_count; k++)
        json_text(&json, NULL, s->warnings[k]);
    json_end_array(&json);
    json_end_object(&json);
}

/* ---- text ---- */

static void add_member(table *t, const char *name, const unit_scale *units, const carom_check *c, size_t offset)
{
    double *values = malloc((c->contact_count + 1) * sizeof *values);
    for (size_t k = 0; values && k < c->contact_count; k++)
        memcpy(&values[k], (const char *)&c->contacts[k] + offset, sizeof values[k]);
    if (values)
        table_numbers(t, name, units, 4, values);
    else
        t->failed = true;
    free(values);
}

/* Two tables: the law, and an impact at the speed of the start. */
static void print_contacts(const carom_check *c)
{
    table law = {.rows = c->contact_count}, impact = {.rows = c->contact_count};
    const char **names = malloc((c->contact_count + 1) * sizeof *names);
    const char **laws = malloc((c->contact_count + 1) * sizeof *laws);
    if (names && laws) {
        for (size_t k = 0; k < c->contact_count; k++) {
            names[k] = c->contacts[k].contact;
            laws[k] = c->contacts[k].law;
        }
        table_texts(&law, "contact", false, names);
        table_texts(&law, "law", false, laws);
        add_member(&law, "K [N/m^n]", units_none, c, offsetof(carom_contact_check, stiffness));
        add_member(&law, "n", units_none, c, offsetof(carom_contact_check, exponent));
        add_member(&law, "force", units_force, c, offsetof(carom_contact_check, reference_force));
        add_member(&law, "at depth", units_length, c, offsetof(carom_contact_check, reference_indentation));
        table_texts(&impact, "contact", false, names);
        add_member(&impact, "mass", units_mass, c, offsetof(carom_contact_check, mass));
        add_member(&impact, "speed", units_speed, c, offsetof(carom_contact_check, speed));
        add_member(&impact, "gap", units_length, c, offsetof(carom_contact_check, gap));
        add_member(&impact, "peak", units_force, c, offsetof(carom_contact_check, peak_force));
        add_member(&impact, "depth", units_length, c, offsetof(carom_contact_check, max_indentation));
        add_member(&impact, "duration", units_short_time, c, offsetof(carom_contact_check, duration));
        printf("\ncontact laws and one point of their elastic force\n");
        table_print(&law, stdout);
        printf("\nat the start, and what an impact without damping at that closing speed would give\n");
        table_print(&impact, stdout);
    } else {
        memory_error();
    }
    free(names);
    free(laws);
    table_free(&law);
    table_free(&impact);
}

static void print_count(size_t count, const char *one, const char *many)
{
    printf(" · %zu %s", count, count == 1 ? one : many);
}

static void print_text(const session *s, const carom_model_info *info, const carom_check *c)
{
    char number[32], moved[32], speed[32];
    long long mobility = (long long)c->mobility;
    bool titled = info->title && *info->title && strcmp(info->title, info->name) != 0;
    printf("%s%s%s\n", info->name, titled ? " · " : "", titled ? info->title : "");
    printf("%-12s %d-D", "model", info->dimension);
    print_count(c->bodies, "body", "bodies");
    print_count(c->joints, "joint", "joints");
    print_count(info->shapes, "shape", "shapes");
    print_count(c->contact_count, "contact", "contacts");
    print_count(info->loads, "load", "loads");
    print_count(info->runs, "run", "runs");
    printf("\n");
    printf("%-12s %zu coordinates, %zu rows, rank %zu\n", "constraints", c->coordinates, c->rows, c->rank);
    printf("%-12s %lld%s\n", "mobility", mobility, mobility < 0 ? " (overconstrained)" : "");
    printf("%-12s %s", "redundant", c->redundant_count ? "" : "none");
    for (size_t k = 0; k < c->redundant_count; k++)
        printf("%s%s", k ? "; " : "", c->redundant[k]);
    const unit_scale *unit = unit_for(units_length, c->assembly_moved);
    if (c->assembly_moved == 0)
        unit = units_length;
    printf("\n%-12s residual %s m or rad; moved a body by at most %s %s; velocities %s m/s or rad/s\n", "assembly",
           short_number(number, c->assembly_residual, 2), short_number(moved, c->assembly_moved / unit->size, 3),
           unit->name, short_number(speed, c->velocity_residual, 2));
    if (c->contact_count > 0)
        print_contacts(c);
    if (s->warning_count > 0)
        printf("\n");
    for (size_t k = 0; k < s->warning_count; k++)
        printf("%-12s %s\n", "warning", s->warnings[k]);
}

/* ---- command ---- */

/* Every analysis must be able to start; the first one is shown. */
static int check_model(session *s, const check_options *o, const carom_model *model)
{
    carom_model_info info = carom_model_get_info(model);
    int result = EXIT_DONE;
    for (size_t k = info.runs; k-- > 0 && result == EXIT_DONE;) {
        carom_simulation_def def = carom_default_simulation_def();
        def.run = k;
        carom_simulation *sim = NULL;
        carom_check check;
        carom_status status = carom_simulation_create(s->ctx, model, &def, &sim);
        if (status == CAROM_OK)
            status = carom_simulation_check(sim, &check);
        if (status != CAROM_OK) {
            result = session_error(s, status);
        } else {
            size_t count;
            const char *const *warnings = carom_simulation_warnings(sim, &count);
            for (size_t w = 0; w < count; w++)
                session_warn(s, warnings[w]);
            if (k == 0 && o->json)
                print_json(s, &info, &check);
            else if (k == 0)
                print_text(s, &info, &check);
        }
        carom_simulation_free(sim);
    }
    return result;
}

static int check(const check_options *o)
{
    session s;
    int result = session_open(&s);
    if (result != EXIT_DONE)
        return result;
    carom_model *model = NULL;
    carom_status status = carom_model_load(s.ctx, o->model, o->set.items, o->set.count, &model);
    result = status == CAROM_OK ? check_model(&s, o, model) : session_error(&s, status);
    carom_model_free(model);
    session_close(&s);
    return result;
}

int command_check(int argc, char **argv)
{
    check_options o = {0};
    const option options[] = {
        {"set", 0, OPTION_TEXTS, &o.set, "NAME=VALUE", "replace the value of a parameter; may be repeated"},
        {"json", 0, OPTION_FLAG, &o.json, NULL, "print one JSON object"},
    };
    const command_def def = {
        .name = "check",
        .arguments = "MODEL",
        .text = "Reads and assembles a model and runs nothing. Prints the number of coordinates and constraint rows,\n"
                "their rank and the mobility, names redundant rows, and tells how far the assembly moved the bodies.\n"
                "For each contact: the law with its stiffness K and exponent n; effective mass, closing speed and gap\n"
                "at the start; peak force, depth and duration of an impact at that speed.",
        .example = "  carom check models/slider_crank_block.yaml",
        .options = options,
        .option_count = COUNT(options),
        .least = 1,
        .most = 1};
    text_list arguments = {0};
    int result = options_parse(&def, argc, argv, &arguments);
    if (result == OPTIONS_GO) {
        o.model = arguments.items[0];
        result = check(&o);
    }
    options_free(&def, &arguments);
    return result;
}
