/* `carom compare`: variants of a model, run in threads, and what is printed and drawn of them. */
#ifndef CAROM_CLI_COMPARE_H
#define CAROM_CLI_COMPARE_H

#include "run/run.h"

#define MOST_VARIED 16 /* parameters */
#define MOST_VARIANTS 10000
#define MOST_REPORTED 64 /* variants in the report */

typedef struct compare_options {
    run_options run; /* those that all variants share */
    text_list vary, channels;
    bool csv;
    const char *figure, *against, *title, *contact;
    double jobs, impact, episode; /* NAN: not given */
} compare_options;

/* A parameter and the values that it takes. */
typedef struct varied {
    char *name;
    char **values;
    size_t count;
} varied;

/* One choice of values, its run, and what became of it. */
typedef struct variant {
    const char *values[MOST_VARIED]; /* in the order of --vary */
    char *label;                     /* "law = flores, e = 0.7" */
    char *stem;                      /* of the result file */
    text_list set;                   /* overrides: those of --set, then the values */
    char **overrides;                /* "law=flores" */
    run_options options;
    session session;
    carom_document *document;
    carom_model *model;
    run_job job;
    bool tried;
    int code;    /* exit status */
    char *error; /* why it failed, or NULL */
} variant;

typedef struct comparison {
    const compare_options *options;
    varied varied[MOST_VARIED];
    size_t varied_count;
    variant *variants;
    size_t count;
    char *model_name;
    double wall_seconds;
    int threads;
    size_t drawn; /* variants in the figure, 0: no figure */
    char *report, *report_error; /* its path; why it could not be written */
    size_t reported; /* variants in the report */
} comparison;

/* ---- compare_vary.c: what is varied ---- */

/* Takes a value of --vary for an option that all runs have, `integrator` or `formulation`; false: it is a parameter. */
bool compare_option(run_options *options, const char *name, const char *value);
/* Reads the values of --vary; says what is wrong with them. */
int read_varied(const session *s, comparison *c);
/* Makes the variants, their labels and the names of their files; the model has a name. */
int make_variants(comparison *c);
void free_variants(comparison *c);

/* ---- compare_run.c: the runs ---- */

/* Reads the model with every value once, so that what is wrong with it, or with the command line, is said before
   anything is written. */
int probe_model(session *s, comparison *c);
/* Runs the variants in threads; returns the exit status of what went wrong for all of them. */
int run_variants(comparison *c);

/* What a table or a figure shows of a variant. */
typedef struct episode {
    bool found, ended;
    double onset, duration, v_in, v_out, e_asked, e_got, peak_force, max_indentation; /* NAN: there is none */
    const char *contact;
    size_t impacts; /* ended episodes of the contact, or of all */
} episode;

/* Episode `number`, from 1, of a contact or of all (NULL), in order of onset; those still open come last. */
episode find_episode(const variant *v, const char *contact, size_t number);

/* ---- compare_print.c: the outcome ---- */

/* "completed", "completed, inaccurate", "interrupted", "failed" or "not run". */
const char *variant_status(const variant *v);
void print_comparison(const comparison *c);
void print_comparison_csv(const comparison *c);
int print_comparison_json(const session *s, const comparison *c);

#endif
