/* Options that name a contact law and its parameters: `carom force` and `carom impact`. */
#ifndef CAROM_CLI_LAW_OPTIONS_H
#define CAROM_CLI_LAW_OPTIONS_H

#include "support/cli.h"
#include "support/options.h"

typedef struct law_options {
    const char *command;
    session kinds; /* whose kinds the parameters are of */
    const char *law, *elastic, *damping, *damping_constant, *release, *velocity, *minimum_speed;
    text_list set;
    carom_law_param *params; /* all there are */
    const char **values;     /* one a parameter, NULL where not given */
    char **helps;            /* one a parameter: sentence and unit, broken into lines */
    size_t param_count;
    option *options; /* those of the command, of the law, of its parameters */
    size_t option_count, param_options;
    char **copies; /* texts of --set, cut in two */
    size_t copy_count;
} law_options;

/* What a command is given: its own options and those of the law. */
typedef struct law_command {
    const void *own;
    law_options *law;
} law_command;

/* Makes the table of options: those of the command, then the law's. */
int law_options_open(law_options *l, const char *command, const option *own, size_t own_count);
void law_options_close(law_options *l);
/* Moves what --set gives to its place, after the options have been parsed. */
int law_options_read_set(law_options *l);
/* Value of a parameter, or NULL. */
const char *law_options_value(const law_options *l, const char *name);

/* A definition and the parameters it points to. */
typedef struct law_request {
    carom_law_def def;
    carom_param *items;
} law_request;

/* Definition of the law `law`; NULL: --law. `filter`: without parameters that it does not take, else the library
   refuses them. A parameter named `skip` is left out. Free with law_request_free() in every case. */
int law_request_make(const session *s, const law_options *l, const char *law, bool filter, const char *skip,
                     law_request *out);
/* Adds a parameter that is a number. */
int law_request_add(law_request *r, const char *name, double value);
/* Whether the stiffness of the command line has the unit that the law wants. */
carom_status law_request_check(const session *s, const law_options *l, const law_request *r);
void law_request_free(law_request *r);

/* The name to show: the law's, or those of its parts. A new text. */
char *law_title(const carom_law_info *info);

#endif
