/* `carom impact`: solves the impacts of all laws, speeds and restitutions; tables and JSON. */
#include "law/impact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/csv.h"
#include "support/json.h"
#include "support/table.h"

#define LOOP_POINTS 801

/* ---- solving ---- */

int law_takes(const impact_job *j, const char *law, const char *param, bool *out)
{
    law_request request;
    int code = law_request_make(j->session, j->options, law, false, "restitution", &request);
    *out = code == EXIT_DONE && carom_law_takes(j->session->ctx, &request.def, param);
    law_request_free(&request);
    return code;
}

int solve_impact(const impact_job *j, const char *law, double speed, double restitution, size_t loop,
                 carom_impact_solution *out, carom_status *status)
{
    law_request request;
    *out = (carom_impact_solution){0};
    int code = law_request_make(j->session, j->options, law, j->several, "restitution", &request);
    if (code == EXIT_DONE && !isnan(restitution) &&
        (!j->several || carom_law_takes(j->session->ctx, &request.def, "restitution")))
        code = law_request_add(&request, "restitution", restitution);
    if (code == EXIT_DONE) {
        carom_impact_def def = carom_default_impact_def();
        def.law = request.def;
        def.mass = j->mass;
        def.speed = speed;
        def.tolerance = j->tolerance;
        def.integrate = j->o->integrate;
        def.loop = loop;
        *status = law_request_check(j->session, j->options, &request);
        if (*status == CAROM_OK)
            *status = carom_impact_solve(j->session->ctx, &def, out);
    }
    law_request_free(&request);
    return code;
}

static int add_case(impact_job *j, const carom_impact_solution *s, double restitution)
{
    impact_case *cases = realloc(j->cases, (j->case_count + 1) * sizeof *cases);
    if (!cases)
        return memory_error();
    j->cases = cases;
    cases[j->case_count] = (impact_case){law_title(&s->law), restitution, *s};
    return cases[j->case_count++].law ? EXIT_DONE : memory_error();
}

/* Keeps the context's error as the reason of a case. */
static int add_refusal(impact_job *j, const char *law, double speed, double restitution, carom_status status)
{
    refusal *refused = realloc(j->refused, (j->refused_count + 1) * sizeof *refused);
    if (!refused)
        return memory_error();
    j->refused = refused;
    const char *reason = carom_context_error(j->session->ctx);
    /* the law is named in the first column */
    char *owner = law ? format_text("law '%s': ", law) : format_text("law: ");
    size_t skip = owner && strncmp(reason, owner, strlen(owner)) == 0 ? strlen(owner) : 0;
    free(owner);
    refusal *r = &refused[j->refused_count++];
    *r = (refusal){format_text("%s", law ? law : "law"), format_text("%s", reason + skip), speed, restitution, status};
    return r->law && r->reason ? EXIT_DONE : memory_error();
}

static void free_refusal(refusal *r)
{
    free(r->law);
    free(r->reason);
}

/* Puts the refusals from `first` on that share a reason, and with `at` the restitution, into one without the speed, and
   without `at` without the restitution, where there are `all` of them. */
static void merge_refusals(impact_job *j, size_t first, size_t all, bool at)
{
    for (size_t k = first; k < j->refused_count; k++) {
        refusal *r = &j->refused[k];
        size_t same = 0, kept = k + 1;
        for (size_t i = k; i < j->refused_count; i++)
            same +=
                strcmp(r->reason, j->refused[i].reason) == 0 && (!at || r->restitution == j->refused[i].restitution);
        if (same < all)
            continue;
        for (size_t i = k + 1; i < j->refused_count; i++)
            if (strcmp(r->reason, j->refused[i].reason) == 0 && (!at || r->restitution == j->refused[i].restitution))
                free_refusal(&j->refused[i]);
            else
                j->refused[kept++] = j->refused[i];
        j->refused_count = kept;
        r->speed = NAN;
        if (!at)
            r->restitution = NAN;
    }
}

/* Gives each refusal from `first` on the name of what is left out: the law, "at" the values it refused. */
static int name_refusals(impact_job *j, size_t first, size_t restitutions)
{
    for (size_t k = first; k < j->refused_count; k++) {
        refusal *r = &j->refused[k];
        bool speed = j->speeds.count > 1 && !isnan(r->speed), restitution = restitutions > 1 && !isnan(r->restitution);
        char e[32] = "", v[32] = "";
        if (restitution)
            short_number(e, r->restitution, 6);
        if (speed)
            short_number(v, r->speed, 6);
        char *name =
            format_text("%s%s%s%s%s%s%s", r->law, speed || restitution ? " at " : "", restitution ? "restitution " : "",
                        e, speed && restitution ? ", " : "", v, speed ? " m/s" : "");
        if (!name)
            return memory_error();
        free(r->law);
        r->law = name;
    }
    return EXIT_DONE;
}

/* All impacts of one law. Where there are others, laws or values, a refusal leaves out what it concerns. */
static int solve_law(impact_job *j, const char *law)
{
    const impact_options *o = j->o;
    size_t loop = o->loop || o->phase ? LOOP_POINTS : 0, before = j->case_count, first = j->refused_count;
    bool asked = false;
    int code = law_takes(j, law, "restitution", &asked);
    /* a law that takes no restitution is the same for all of them */
    size_t restitutions = j->restitutions.count && (asked || !j->several) ? j->restitutions.count : 1;
    size_t all = j->speeds.count * restitutions;
    carom_status last = CAROM_OK;
    for (size_t v = 0; v < j->speeds.count && code == EXIT_DONE; v++)
        for (size_t e = 0; e < restitutions && code == EXIT_DONE; e++) {
            double speed = j->speeds.items[v];
            double restitution = j->restitutions.count ? j->restitutions.items[e] : (double)NAN;
            carom_impact_solution s;
            carom_status status = CAROM_OK;
            code = solve_impact(j, law, speed, restitution, loop, &s, &status);
            if (code == EXIT_DONE && status == CAROM_OK) {
                code = add_case(j, &s, restitution);
                continue;
            }
            carom_impact_solution_free(j->session->ctx, &s);
            if (code != EXIT_DONE)
                return code;
            if (!(j->several || all > 1) || (status != CAROM_ERROR_MODEL && status != CAROM_ERROR_SOLVER))
                return session_error(j->session, status);
            last = status;
            code = add_refusal(j, law, speed, restitution, status);
        }
    if (code != EXIT_DONE)
        return code;
    if (!j->several && j->case_count == before)
        return session_error(j->session, last);
    merge_refusals(j, first, all, false);
    if (restitutions > 1 && j->speeds.count > 1)
        merge_refusals(j, first, j->speeds.count, true);
    return name_refusals(j, first, restitutions);
}

int solve_cases(impact_job *j)
{
    int code = EXIT_DONE;
    for (size_t k = 0; k < j->law_count && code == EXIT_DONE; k++)
        code = solve_law(j, j->laws[k]);
    return code;
}

void free_cases(impact_job *j)
{
    for (size_t k = 0; k < j->case_count; k++) {
        free(j->cases[k].law);
        carom_impact_solution_free(j->session->ctx, &j->cases[k].s);
    }
    for (size_t k = 0; k < j->refused_count; k++)
        free_refusal(&j->refused[k]);
    free(j->cases);
    free(j->refused);
}

/* ---- text ---- */

static void add_column(table *t, const impact_job *j, const char *name, const unit_scale *units, int digits,
                       size_t offset)
{
    double *values = malloc((j->case_count + 1) * sizeof *values);
    for (size_t k = 0; values && k < j->case_count; k++)
        memcpy(&values[k], (const char *)&j->cases[k].s + offset, sizeof values[k]);
    if (values)
        table_numbers(t, name, units, digits, values);
    else
        t->failed = true;
    free(values);
}

#define COLUMN(name, units, digits, member) \
    add_column(&t, j, name, units, digits, offsetof(carom_impact_solution, member))

/* Whether a force ended before the indentation was zero. */
static bool ends_early(const impact_job *j)
{
    for (size_t k = 0; k < j->case_count; k++)
        if (j->cases[k].s.duration_to_zero > j->cases[k].s.duration * (1 + 1e-9))
            return true;
    return false;
}

static void print_table(const impact_job *j)
{
    table t = {.rows = j->case_count};
    const char **laws = malloc((j->case_count + 1) * sizeof *laws);
    const char **methods = malloc((j->case_count + 1) * sizeof *methods);
    bool early = ends_early(j);
    for (size_t k = 0; laws && methods && k < j->case_count; k++) {
        laws[k] = j->cases[k].law;
        methods[k] = j->cases[k].s.method;
    }
    if (laws && methods) {
        table_texts(&t, "law", false, laws);
        COLUMN("v in", units_speed, 4, v_in);
        COLUMN("v out", units_speed, 5, v_out);
        COLUMN("e asked", units_none, 4, e_asked);
        COLUMN("e got", units_none, 5, e_got);
        COLUMN("A", units_none, 4, factor);
        COLUMN("peak", units_force, 5, peak_force);
        COLUMN("depth", units_length, 5, max_indentation);
        COLUMN("duration", units_short_time, 5, duration);
        if (early)
            COLUMN("to zero", units_short_time, 5, duration_to_zero);
        COLUMN("lost", units_energy, 4, energy_lost);
        table_texts(&t, "method", false, methods);
        table_print(&t, stdout);
    } else {
        memory_error();
    }
    free(laws);
    free(methods);
    table_free(&t);
}

/* More of a single impact. */
static void print_details(const impact_case *c)
{
    char a[32], b[32];
    const carom_impact_solution *s = &c->s;
    const unit_scale *unit = unit_for(units_length, s->peak_indentation);
    printf("%-11s  at %s %s, rate %s m/s\n", "peak", short_number(a, s->peak_indentation / unit->size, 5), unit->name,
           short_number(b, s->peak_rate, 5));
    if (!isnan(s->law.stiffness))
        printf("%-11s  K %s N/m^n, n %s\n", "stiffness", short_number(a, s->law.stiffness, 6),
               short_number(b, s->law.exponent, 6));
    printf("%-11s  elastic %s, damping %s, tension %s\n", "law", s->law.elastic, s->law.damping, s->law.release);
}

static void print_refusals(const impact_job *j)
{
    table t = {.rows = j->refused_count, .whole = true};
    const char **laws = malloc((j->refused_count + 1) * sizeof *laws);
    const char **reasons = malloc((j->refused_count + 1) * sizeof *reasons);
    for (size_t k = 0; laws && reasons && k < j->refused_count; k++) {
        laws[k] = j->refused[k].law;
        reasons[k] = j->refused[k].reason;
    }
    if (laws && reasons) {
        table_texts(&t, "left out", false, laws);
        table_texts(&t, "because", false, reasons);
        printf("\n");
        table_print(&t, stdout);
    } else {
        memory_error();
    }
    free(laws);
    free(reasons);
    table_free(&t);
}

void print_cases(const impact_job *j)
{
    char number[32];
    if (j->case_count > 0) {
        const unit_scale *unit = unit_for(units_mass, j->mass);
        printf("free direct impact · effective mass %s %s\n\n", short_number(number, j->mass / unit->size, 6),
               unit->name);
        print_table(j);
    }
    if (j->refused_count > 0)
        print_refusals(j);
    if (j->case_count == 1) {
        printf("\n");
        print_details(&j->cases[0]);
    }
    bool first = j->case_count > 1;
    for (size_t k = 0; k < j->case_count; k++)
        if (*j->cases[k].s.note) {
            printf("%s%-11s  %s %s\n", first ? "\n" : "", "note", j->cases[k].law, j->cases[k].s.note);
            first = false;
        }
    for (size_t k = 0; k < j->session->warning_count; k++) {
        fputs(first ? "\n" : "", stdout);
        print_warning_line(j->session->warnings[k]);
        first = false;
    }
}

/* ---- JSON ---- */

/* What other programs read of an impact, besides the texts. */
static const struct {
    const char *name, *unit;
    size_t offset;
} written[] = {
    {"mass", "kg", offsetof(carom_impact_solution, mass)},
    {"v_in", "m/s", offsetof(carom_impact_solution, v_in)},
    {"e_asked", "1", offsetof(carom_impact_solution, e_asked)},
    {"v_out", "m/s", offsetof(carom_impact_solution, v_out)},
    {"e_got", "1", offsetof(carom_impact_solution, e_got)},
    {"peak_force", "N", offsetof(carom_impact_solution, peak_force)},
    {"max_indentation", "m", offsetof(carom_impact_solution, max_indentation)},
    {"duration", "s", offsetof(carom_impact_solution, duration)},
    {"energy_lost", "J", offsetof(carom_impact_solution, energy_lost)},
};

static double written_number(const carom_impact_solution *s, size_t k)
{
    double number;
    memcpy(&number, (const char *)s + written[k].offset, sizeof number);
    return number;
}

/* To standard error, where the output is for other programs. */
static void tell_notes(const impact_job *j)
{
    for (size_t k = 0; k < j->case_count; k++)
        if (*j->cases[k].s.note)
            fprintf(stderr, "carom: %s: %s\n", j->cases[k].law, j->cases[k].s.note);
    print_warnings(j->session);
}

int print_cases_json(const impact_job *j)
{
    carom_json *json = json_open(j->session);
    if (!json)
        return EXIT_SOLVER;
    carom_json_begin(json, NULL, '[');
    for (size_t k = 0; k < j->case_count; k++) {
        const carom_impact_solution *s = &j->cases[k].s;
        carom_json_begin(json, NULL, '{');
        carom_json_text(json, "law", j->cases[k].law);
        for (size_t i = 0; i < COUNT(written); i++)
            carom_json_number(json, written[i].name, written_number(s, i));
        carom_json_text(json, "tension", s->law.release);
        carom_json_text(json, "method", s->method);
        carom_json_end(json, '}');
    }
    carom_json_end(json, ']');
    const int code = json_print(j->session, json);
    tell_notes(j);
    return code;
}

/* ---- CSV ---- */

void print_cases_csv(const impact_job *j)
{
    csv out = {.file = stdout};
    csv_text(&out, "law");
    for (size_t i = 0; i < COUNT(written); i++)
        csv_head(&out, written[i].name, written[i].unit);
    csv_text(&out, "tension");
    csv_text(&out, "method");
    csv_end_line(&out);
    for (size_t k = 0; k < j->case_count; k++) {
        const carom_impact_solution *s = &j->cases[k].s;
        csv_text(&out, j->cases[k].law);
        for (size_t i = 0; i < COUNT(written); i++)
            csv_number(&out, written_number(s, i));
        csv_text(&out, s->law.release);
        csv_text(&out, s->method);
        csv_end_line(&out);
    }
    tell_notes(j);
}
