/* `carom fit`: parameters from records. */
#ifndef CAROM_CLI_FIT_H
#define CAROM_CLI_FIT_H

#include <pthread.h>

#include "support/cli.h"
#include "support/options.h"
#include "support/progress.h"
#include "support/signals.h"

/* ---- fit_pool.c: threads that share tasks ---- */

typedef struct fit_pool {
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    pthread_t *threads;
    size_t count; /* threads, beside the caller's */
    size_t next, total, busy;
    carom_fit_task task;
    void *job;
    unsigned long round;
    bool end;
} fit_pool;

/* A pool of so many workers, the caller's thread among them. Fewer where threads cannot be started. */
bool fit_pool_open(fit_pool *p, size_t workers);
void fit_pool_perform(fit_pool *p, size_t count, carom_fit_task task, void *job);
void fit_pool_close(fit_pool *p);

/* Workers of --jobs, or as many as there are cores; a check of the number that is given. */
size_t fit_workers(double jobs, bool of_model);
int check_fit_jobs(const char *command, double jobs);
/* Writes a model, or says why not; returns an exit status. */
int write_fit_model(const session *s, const char *path, const char *text);

/* ---- a fit under way ---- */

typedef struct fit_call_options {
    const char *study, *page, *model;
    double jobs; /* NAN: not given */
    bool check, json, quiet, brief, no_page, all;
} fit_call_options;

typedef struct fit_call {
    session *session;
    const fit_call_options *options;
    carom_fit *fit;
    carom_fit_info info;
    carom_fit_result result;
    progress_bar bar;
    fit_pool pool;
    double seconds;
    char *model, *page; /* files to write */
} fit_call;

/* ---- fit_print.c ---- */

void print_fit_plan(const fit_call *c);
void print_fit_result(const fit_call *c);
/* What an interrupted fit had come to. */
void print_fit_so_far(const fit_call *c);

/* ---- fit_json.c ---- */

int print_fit_json(const fit_call *c, const char *page, const char *model);

#endif
