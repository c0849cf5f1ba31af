/* A server on the loopback interface for one page: the only file that knows libmicrohttpd is server.c. Addresses begin
   with a token that nobody can guess, so that pages of other origins and other users get nothing from it. */
#ifndef CAROM_CLI_VIEW_SERVER_H
#define CAROM_CLI_VIEW_SERVER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct server server;

/* What a browser asks for. */
typedef struct server_request {
    const char *path; /* behind the token, "": the page */
    void *connection; /* for server_argument() */
} server_request;

/* What it gets; `body` is freed with free(). A NULL body is "not found", or with `later` an answer to come: the
   handler is asked again once server_tell() was called. */
typedef struct server_answer {
    const char *type; /* "text/html", "application/json" */
    char *body;
    size_t size;
    bool later;
} server_answer;

typedef server_answer (*server_handler)(void *user, const server_request *request);

/* Value of an argument of the address behind '?', decoded; NULL: not given. It lives until the answer. */
const char *server_argument(const server_request *request, const char *name);

/* Opens a server at a port of 127.0.0.1, 0: any that is free. Returns an exit status and has said what went wrong. */
int server_open(server **out, int port, server_handler handler, void *user);
/* Answers what is asked for within a time [ms], less if there is something to read in another file, -1: none. */
void server_wait(server *s, int milliseconds, int other);
/* Asks the handler again for the answers that are to come. */
void server_tell(server *s);
/* "http://127.0.0.1:PORT/view/TOKEN/" */
const char *server_address(const server *s);
void server_close(server *s);

#endif
