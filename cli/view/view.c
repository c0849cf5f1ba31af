/* `carom view`: a model in the browser before any run, its joints under the mouse, and again after each change. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/browser.h"
#include "support/options.h"
#include "support/report.h"
#include "support/signals.h"
#include "view/child.h"
#include "view/files.h"
#include "view/page.h"
#include "view/pose.h"
#include "view/server.h"

enum { WAIT = 50, PATIENCE = 400, NUMBER_SIZE = 40 }; /* [ms]; in waits: news come at least so often */

typedef struct view_options {
    const char *model, *until, *every, *integrator;
    text_list set;
    double port, tolerance;
    bool watch, no_open;
} view_options;

/* Pages of one kind; the number changes with what they show, 0: nothing yet. */
typedef struct page_list {
    char **paths;
    size_t count;
    char *folder; /* to be removed with them */
    int number;
    bool stale; /* to be written when they are asked for */
} page_list;

typedef struct viewer {
    session *s;     /* of messages and answers */
    const view_options *o;
    server *server;
    session reading; /* of the document, renewed with it */
    carom_document *document;
    pose *pose;
    char *error;    /* of the model or the run, NULL: none */
    char *folder;   /* temporary */
    int made;       /* folders made in it */
    page_list poses, runs;
    child child;
    uint64_t mark;
    int number;     /* of the last list of pages */
    char *told;     /* the last news */
    int state;      /* counts them */
    int waits;      /* since they were told */
} viewer;

/* ---- pages ---- */

static void drop_pages(page_list *list)
{
    for (size_t k = 0; k < list->count; k++)
        free(list->paths[k]);
    free(list->paths);
    if (list->folder)
        files_remove(list->folder);
    free(list->folder);
    *list = (page_list){0};
}

/* Takes the pages of a folder, if it has any. */
static bool take_pages(page_list *list, char *folder, int number)
{
    size_t count;
    char **paths = files_pages(folder, &count);
    if (count == 0) {
        free(paths);
        files_remove(folder);
        free(folder);
        return false;
    }
    drop_pages(list);
    *list = (page_list){paths, count, folder, number, false};
    return true;
}

static char *next_folder(viewer *v)
{
    char *folder = format_text("%s/%d", v->folder, ++v->made);
    if (folder && mkdir(folder, 0700) == 0)
        return folder;
    free(folder);
    return NULL;
}

/* A result that holds the start alone, and its page. */
static carom_status write_pose(viewer *v, const char *folder)
{
    char *result = format_text("%s/pose.h5", folder), *page = format_text("%s/pose.html", folder);
    const report_request request = {.results = (const char *const[]){result}, .count = 1, .output = page};
    carom_status status = result && page ? pose_record(v->pose, result) : CAROM_ERROR_MEMORY;
    if (status == CAROM_OK)
        status = write_report(&v->reading, &request);
    free(result);
    free(page);
    return status;
}

/* ---- the model ---- */

static void forget_model(viewer *v)
{
    pose_close(v->pose);
    carom_document_free(v->document);
    if (v->reading.ctx)
        session_close(&v->reading);
    v->pose = NULL;
    v->document = NULL;
    v->reading = (session){0};
}

static int show_model(viewer *v)
{
    v->pose = pose_open(&v->reading, v->document);
    if (!v->pose)
        return EXIT_MODEL;
    v->poses.number = ++v->number;
    v->poses.stale = true;
    return EXIT_DONE;
}

/* Writes the page of the pose, if it is of another model than before. */
static int renew_poses(viewer *v)
{
    if (!v->poses.stale || !v->pose)
        return EXIT_DONE;
    v->poses.stale = false;
    char *folder = next_folder(v);
    if (!folder)
        return session_fail(&v->reading, EXIT_IO, "no room for a page in '%s'", v->folder);
    const carom_status status = write_pose(v, folder);
    const bool taken = take_pages(&v->poses, folder, v->poses.number);
    if (status != CAROM_OK)
        return session_error(&v->reading, status);
    return taken ? EXIT_DONE : session_fail(&v->reading, EXIT_IO, "no room for a page in '%s'", v->folder);
}

/* Reads the model anew; what is wrong with it is kept for the page, which then shows the model of before. */
static int load(viewer *v)
{
    const session reading = v->reading;
    carom_document *document = v->document;
    pose *before = v->pose;
    free(v->error);
    v->error = NULL;
    v->reading = (session){0};
    v->document = NULL;
    v->pose = NULL;
    int result = session_open(&v->reading);
    v->reading.error = &v->error;
    if (result == EXIT_DONE) {
        const carom_status status =
            carom_document_read(v->reading.ctx, v->o->model, v->o->set.items, v->o->set.count, &v->document);
        result = status == CAROM_OK ? show_model(v) : session_error(&v->reading, status);
    }
    viewer other = *v;
    if (result != EXIT_DONE && before) {
        v->reading = reading;
        v->document = document;
        v->pose = before;
    } else {
        other.reading = reading;
        other.document = document;
        other.pose = before;
    }
    forget_model(&other);
    return result;
}

/* ---- runs ---- */

static void start_run(viewer *v)
{
    const view_options *o = v->o;
    const char *arguments[256];
    char tolerance[NUMBER_SIZE];
    size_t count = 0;
    child_stop(&v->child);
    for (size_t k = 0; k < o->set.count && count < 200; k++) {
        arguments[count++] = "--set";
        arguments[count++] = o->set.items[k];
    }
    snprintf(tolerance, sizeof tolerance, "%.17g", o->tolerance);
    const struct {
        const char *name, *value;
    } more[] = {{"--until", o->until},
                {"--output-every", o->every},
                {"--integrator", o->integrator},
                {"--tolerance", o->tolerance > 0 ? tolerance : NULL}};
    for (size_t k = 0; k < COUNT(more); k++)
        if (more[k].value) {
            arguments[count++] = more[k].name;
            arguments[count++] = more[k].value;
        }
    arguments[count] = NULL;
    char *folder = next_folder(v);
    if (folder)
        child_start(&v->child, o->model, folder, arguments);
    free(folder);
}

/* The first message of a run, without its heading. */
static char *message_of(const child *c)
{
    static const char heading[] = "carom: error: ";
    const char *text = c->text ? strstr(c->text, heading) : NULL;
    if (!text)
        return format_text("the run ended with status %d", c->status);
    text += sizeof heading - 1;
    return format_text("%.*s", (int)strcspn(text, "\n"), text);
}

static void follow_run(viewer *v)
{
    if (!child_ended(&v->child))
        return;
    if (v->child.status != EXIT_DONE && !v->error)
        v->error = message_of(&v->child);
    char *folder = v->child.folder;
    v->child.folder = NULL;
    if (folder)
        take_pages(&v->runs, folder, ++v->number);
    child_stop(&v->child);
}

static void follow_files(viewer *v)
{
    const uint64_t mark = files_mark(v->o->model);
    if (mark == v->mark)
        return;
    v->mark = mark;
    /* it runs while the start is assembled */
    start_run(v);
    if (load(v) != EXIT_DONE)
        child_stop(&v->child);
}

/* ---- answers ---- */

static server_answer text_answer(const char *type, char *text)
{
    return (server_answer){type, text, text ? strlen(text) : 0, false};
}

static server_answer page(viewer *v, const server_request *request, bool data_alone)
{
    const char *show = server_argument(request, "show"), *index = server_argument(request, "page");
    const bool runs = v->runs.count > 0 && (!show || strcmp(show, "run") == 0);
    const page_list *list = runs ? &v->runs : &v->poses;
    const size_t k = runs && index ? (size_t)strtoul(index, NULL, 10) : 0;
    char name[NUMBER_SIZE];
    server_answer answer = {"text/html; charset=utf-8", NULL, 0, false};
    if (!runs)
        renew_poses(v);
    snprintf(name, sizeof name, "%s %d", runs ? "run" : "pose", list->number);
    if (k < list->count)
        answer.body = page_read(list->paths[k], name, data_alone, &answer.size);
    if (answer.body || list->count > 0 || data_alone)
        return answer;
    /* a model that has never been right: a page that waits, which the next one takes the place of */
    return text_answer("text/html; charset=utf-8",
                       format_text("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">"
                                   "<meta http-equiv=\"refresh\" content=\"1\"><title>Carom</title>"
                                   "<p>The model is wrong; this page shows it once it is right.</p><pre>%s</pre>",
                                   v->error ? v->error : ""));
}

static server_answer json_answer(carom_json *json)
{
    const char *text;
    server_answer answer = {"application/json", NULL, 0, false};
    if (json && carom_json_get(json, &text) == CAROM_OK)
        answer = text_answer("application/json", format_text("%s", text));
    carom_json_free(json);
    return answer;
}

static carom_json *begin_json(viewer *v)
{
    carom_json *json = NULL;
    if (carom_json_create(v->s->ctx, false, &json) == CAROM_OK)
        carom_json_begin(json, NULL, '{');
    return json;
}

/* The news, with their number or without. */
static server_answer news_of(viewer *v, bool numbered)
{
    carom_json *json = begin_json(v);
    if (json) {
        if (numbered)
            carom_json_integer(json, "state", v->state);
        carom_json_integer(json, "pose", v->poses.number);
        carom_json_integer(json, "run", v->runs.number);
        carom_json_bool(json, "running", v->child.pid != 0);
        carom_json_bool(json, "watch", v->o->watch);
        carom_json_text(json, "error", v->error);
        carom_json_begin(json, "pages", '[');
        for (size_t k = 0; k < v->runs.count; k++) {
            const char *slash = strrchr(v->runs.paths[k], '/');
            carom_json_text(json, NULL, slash ? slash + 1 : v->runs.paths[k]);
        }
        carom_json_end(json, ']');
        carom_json_end(json, '}');
    }
    return json_answer(json);
}

/* Counts news, and tells those who wait for them; from time to time also that there are none. */
static void follow_news(viewer *v)
{
    const server_answer now = news_of(v, false);
    const bool same = now.body && v->told && strcmp(now.body, v->told) == 0;
    if (!same)
        v->state++;
    free(v->told);
    v->told = now.body;
    v->waits = same ? v->waits + 1 : PATIENCE;
    if (v->waits < PATIENCE)
        return;
    v->waits = 0;
    server_tell(v->server);
}

/* News, at once or, to who knows the last ones already, when there are others. */
static server_answer news(viewer *v, const server_request *request)
{
    const char *since = server_argument(request, "since");
    if (since && strtol(since, NULL, 10) == v->state && v->waits > 0)
        return (server_answer){.later = true};
    return news_of(v, true);
}

/* Three numbers of the address by a name and x, y, z. */
static bool vector_of(const server_request *request, char name, double out[3])
{
    for (int k = 0; k < 3; k++) {
        const char key[] = {name, (char)('x' + k), 0};
        const char *text = server_argument(request, key);
        char *end;
        out[k] = text ? strtod(text, &end) : 0;
        if (text && (end == text || *end || !isfinite(out[k])))
            return false;
    }
    return true;
}

static carom_status move(pose *p, const server_request *request)
{
    const char *joint = server_argument(request, "joint"), *body = server_argument(request, "body");
    const char *value = server_argument(request, "value");
    double point[3], target[3];
    if (joint && value)
        return pose_set_joint(p, joint, strtod(value, NULL));
    if (body && vector_of(request, 'p', point) && vector_of(request, 't', target))
        return pose_draw(p, body, point, target);
    return server_argument(request, "reset") ? pose_reset(p) : CAROM_OK;
}

static server_answer moved(viewer *v, const server_request *request)
{
    carom_json *json = begin_json(v);
    if (json) {
        const carom_status status = v->pose ? move(v->pose, request) : CAROM_ERROR_USAGE;
        carom_json_text(json, "error", status == CAROM_OK ? NULL : carom_context_error(v->reading.ctx));
        if (v->pose)
            pose_print(v->pose, json);
        carom_json_end(json, '}');
    }
    return json_answer(json);
}

static server_answer answer(void *user, const server_request *request)
{
    viewer *v = user;
    if (strcmp(request->path, "") == 0)
        return page(v, request, false);
    if (strcmp(request->path, "data") == 0)
        return page(v, request, true);
    if (strcmp(request->path, "news") == 0)
        return news(v, request);
    if (strcmp(request->path, "pose") == 0)
        return moved(v, request);
    if (strcmp(request->path, "model") == 0) {
        server_answer text = {"text/plain; charset=utf-8", NULL, 0, false};
        text.body = files_read(v->o->model, &text.size);
        return text;
    }
    if (strcmp(request->path, "start") == 0) {
        start_run(v);
        return news_of(v, true);
    }
    return (server_answer){0};
}

/* ---- command line ---- */

static int serve(viewer *v)
{
    const view_options *o = v->o;
    v->mark = files_mark(o->model);
    int result = load(v);
    if (result != EXIT_DONE && !o->watch) {
        print_error("%s", v->error ? v->error : "the model cannot be shown");
        return result;
    }
    if (result != EXIT_DONE)
        print_error("%s", v->error ? v->error : "the model cannot be shown");
    else if (o->watch)
        start_run(v);
    result = server_open(&v->server, (int)o->port, answer, v);
    if (result != EXIT_DONE)
        return result;
    watch_signals();
    printf("%s\n", server_address(v->server));
    fflush(stdout);
    if (o->no_open || !browser_open(server_address(v->server)))
        fputs("Open this address in a browser. ", stderr);
    fputs(o->watch ? "The model runs again when its file is saved. Ctrl-C ends.\n" : "Ctrl-C ends.\n", stderr);
    while (!caught_signal()) {
        server_wait(v->server, WAIT, v->child.pid ? v->child.messages : -1);
        follow_run(v);
        if (o->watch)
            follow_files(v);
        follow_news(v);
    }
    return EXIT_DONE;
}

static int view(session *s, const text_list *arguments, void *options)
{
    view_options *o = options;
    o->model = arguments->items[0];
    if (!(o->port >= 0 && o->port <= 65535 && o->port == floor(o->port)))
        return usage_error("view", "--port takes a whole number from 0 to 65535, not '%.10g'", o->port);
    viewer v = {.s = s, .o = o, .folder = files_folder()};
    const int result = v.folder ? serve(&v) : EXIT_IO;
    child_stop(&v.child);
    server_close(v.server);
    forget_model(&v);
    drop_pages(&v.poses);
    drop_pages(&v.runs);
    if (v.folder)
        files_remove(v.folder);
    free(v.folder);
    free(v.error);
    free(v.told);
    return result;
}

int command_view(int argc, char **argv)
{
    view_options o = {0};
    const option options[] = {
        {"watch", 'w', OPTION_FLAG, &o.watch, NULL,
         "run the model, and again each time that it or a file beside it is saved"},
        {"set", 0, OPTION_TEXTS, &o.set, "NAME=VALUE", "replace the value of a parameter; may be repeated"},
        {"until", 0, OPTION_TEXT, &o.until, "T", "end of the simulated time of runs instead of the file's"},
        {"output-every", 0, OPTION_TEXT, &o.every, "T", "output interval of runs instead of the file's"},
        {"integrator", 0, OPTION_TEXT, &o.integrator, "NAME", "integrator of runs instead of the file's"},
        {"tolerance", 0, OPTION_POSITIVE, &o.tolerance, "X", "relative tolerance of runs instead of the file's"},
        {"port", 0, OPTION_NUMBER, &o.port, "N", "port of 127.0.0.1 (default: any that is free)"},
        {"no-open", 0, OPTION_FLAG, &o.no_open, NULL, "print the address, open no browser"},
    };
    const command_def def = {
        .name = "view",
        .arguments = "MODEL",
        .text = "Shows the assembled start of a model in the browser, without a run: bodies, joints, loads and\n"
                "contacts. Joints are moved with sliders, bodies are drawn with the mouse, and the others follow on\n"
                "the constraints; prescribed motions are left out meanwhile. A button runs the model. With --watch\n"
                "the page stays open while the file is edited: each save runs the model and shows the new result\n"
                "with the same camera and plots; what is wrong with the file is shown at its line. The page comes\n"
                "from a server on this machine alone, which ends with Ctrl-C and leaves no files.",
        .example = "  carom view models/slider_crank_block.yaml\n"
                   "  carom view model.yaml --watch --set e=0.5",
        .options = options,
        .option_count = COUNT(options),
        .least = 1,
        .most = 1};
    return command_perform(&def, argc, argv, view, &o);
}
