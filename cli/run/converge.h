/* `carom converge`: a model run with tighter tolerances and a second integrator, and what of the runs agrees. */
#ifndef CAROM_CLI_CONVERGE_H
#define CAROM_CLI_CONVERGE_H

#include "run/run.h"

#define CONVERGE_RUNS 4
#define CONVERGE_BLOCKS 8 /* parts of the time behind the horizon, from whose scatter the error of a mean follows */

typedef struct converge_options {
    run_options run;
    const char *second; /* integrator; NULL: chosen */
    double share, samples;
} converge_options;

/* Where a body is at a sample. */
typedef struct converge_pose {
    double position[3], turn[4]; /* [m]; in the plane the angle [rad], in space the quaternion */
    double speed, spin;          /* [m/s], [rad/s] */
} converge_pose;

typedef struct converge_run {
    run_options options;
    run_job job;
    char label[80];       /* "adams, tolerance 1e-9" */
    converge_pose *poses; /* a sample after the other, all bodies of each */
    size_t samples;       /* taken */
    const carom_impact *impacts;
    size_t impact_count;
    int code; /* exit status */
} converge_run;

/* Digits of an impact on which all runs agree; NAN: not every run has it. */
typedef struct converge_impact {
    double onset, v_in, v_out, peak_force, max_indentation, impulse;
} converge_impact;

/* A number of the end: value of the most accurate run, and digits. */
typedef struct converge_end {
    char name[96];
    const char *unit;
    double value, digits;
} converge_end;

/* A statistic of the time behind the horizon: mean over the runs, their standard deviation, the error that the scatter
   within the runs lets expect of it, and whether the runs agree within that. */
typedef struct converge_statistic {
    char name[96];
    const char *unit;
    double mean, spread, error;
    double of[CONVERGE_RUNS];
    bool agrees;
} converge_statistic;

typedef struct convergence {
    const converge_options *options;
    converge_run runs[CONVERGE_RUNS];
    size_t count;         /* of runs */
    size_t sample_count;
    double *times;        /* of the samples [s] */
    size_t bodies;
    bool plane;
    double until;         /* [s] up to which all runs came */
    double horizon;       /* [s] until which positions, velocities and impacts agree */
    bool whole;           /* it is the end */
    double poses_agree;   /* [s] until which positions and angles do */
    double against[CONVERGE_RUNS]; /* [s] horizon of each run with the most accurate one */
    converge_impact *impacts;      /* of those of the file's own run */
    converge_end *ends;
    size_t end_count;
    size_t rounding_count; /* of what would stand among the ends, and is but rounding */
    converge_statistic *statistics;
    size_t statistic_count;
} convergence;

/* Finds horizon, digits and statistics of the runs; false when out of memory. */
bool converge_compare(convergence *c);
void converge_print_text(const convergence *c);
int converge_print_json(const session *s, const convergence *c);

#endif
