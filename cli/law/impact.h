/* `carom impact`: what its files share. */
#ifndef CAROM_CLI_IMPACT_H
#define CAROM_CLI_IMPACT_H

#include "support/cli.h"
#include "law/law_options.h"

typedef struct impact_options {
    text_list laws;
    const char *mass, *speed, *tolerance, *loop, *phase, *restitution_figure, *factor_figure, *title;
    bool json, csv, integrate;
} impact_options;

/* One impact that was solved. */
typedef struct impact_case {
    char *law;          /* its name */
    double restitution; /* asked; NAN: none given */
    carom_impact_solution s;
} impact_case;

/* A law, or one impact of it, that was left out, and why. */
typedef struct refusal {
    char *law, *reason;        /* the law's name, "at" the values that it refused */
    double speed, restitution; /* NAN: all */
    carom_status status;
} refusal;

typedef struct impact_job {
    session *session;
    const impact_options *o;
    const law_options *options;
    const char *const *laws; /* NULL entry: composed of --elastic and --damping */
    size_t law_count;
    bool several;      /* laws of --laws: parameters that a law does not take are not given to it */
    bool only_figures; /* those over the restitution; no impact is asked for */
    double mass, tolerance;
    number_list speeds, restitutions; /* without restitutions: none given */
    impact_case *cases;
    size_t case_count;
    refusal *refused;
    size_t refused_count;
} impact_job;

/* Solves one impact of a law; NAN restitution: none. Returns the status of the library; on failure its error is the
   context's. Free the solution in every case. */
int solve_impact(const impact_job *j, const char *law, double speed, double restitution, size_t loop,
                 carom_impact_solution *out, carom_status *status);
/* Whether the law takes a parameter, its parts as chosen. */
int law_takes(const impact_job *j, const char *law, const char *param, bool *out);
/* Solves all that is asked. */
int solve_cases(impact_job *j);
void free_cases(impact_job *j);

void print_cases(const impact_job *j);
int print_cases_json(const impact_job *j);
void print_cases_csv(const impact_job *j);
/* Draws the figures that are asked for. */
int draw_figures(const impact_job *j);

#endif
