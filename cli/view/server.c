/* The server of `carom view`: libmicrohttpd without threads, on the loopback interface alone. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "view/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/cli.h"

enum { TOKEN_BYTES = 16, CONNECTIONS = 64, IDLE_SECONDS = 60, WAITING = CONNECTIONS / 2 };

struct server {
    struct MHD_Daemon *daemon;
    server_handler handler;
    void *user;
    char path[sizeof "/view//" + 2 * TOKEN_BYTES]; /* "/view/TOKEN/" */
    char host[2][32];                              /* what the browser may call it */
    char address[128];
    struct MHD_Connection *waiting[WAITING]; /* for answers to come */
    size_t waiting_count;
};

const char *server_argument(const server_request *request, const char *name)
{
    return MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, name);
}

const char *server_address(const server *s) { return s->address; }

static enum MHD_Result send_answer(struct MHD_Connection *connection, unsigned status, server_answer answer)
{
    struct MHD_Response *response = MHD_create_response_from_buffer(answer.size, answer.body, MHD_RESPMEM_MUST_FREE);
    if (!response) {
        free(answer.body);
        return MHD_NO;
    }
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, answer.type);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
    const enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned status, const char *text)
{
    char *body = strdup(text);
    if (!body)
        return MHD_NO;
    return send_answer(connection, status, (server_answer){"text/plain; charset=utf-8", body, strlen(body), false});
}

/* The name of the host, so that no name of another one leads here. */
static bool is_own_host(const server *s, struct MHD_Connection *connection)
{
    const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
    return host && (strcmp(host, s->host[0]) == 0 || strcmp(host, s->host[1]) == 0);
}

static enum MHD_Result answer(void *user, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *data, size_t *data_size, void **state)
{
    static const char seen;
    server *s = user;
    const size_t length = strlen(s->path);
    (void)version, (void)data;
    if (!*state) {
        *state = (void *)&seen;
        return MHD_YES;
    }
    if (*data_size > 0) {
        *data_size = 0;
        return MHD_YES;
    }
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_POST) != 0)
        return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "This server answers GET and POST.\n");
    if (!is_own_host(s, connection) || strncmp(url, s->path, length) != 0)
        return refuse(connection, MHD_HTTP_NOT_FOUND, "Not here: use the address that carom view printed.\n");
    const server_request request = {url + length, connection};
    const server_answer found = s->handler(s->user, &request);
    if (found.later && s->waiting_count < WAITING) {
        MHD_suspend_connection(connection);
        s->waiting[s->waiting_count++] = connection;
        return MHD_YES;
    }
    if (!found.body)
        return refuse(connection, MHD_HTTP_NOT_FOUND, "There is no such part of this page.\n");
    return send_answer(connection, MHD_HTTP_OK, found);
}

static bool make_token(char *out)
{
    unsigned char bytes[TOKEN_BYTES];
    const int file = open("/dev/urandom", O_RDONLY);
    const bool read_all = file >= 0 && read(file, bytes, sizeof bytes) == (ssize_t)sizeof bytes;
    if (file >= 0)
        close(file);
    for (int k = 0; k < TOKEN_BYTES && read_all; k++)
        snprintf(out + 2 * k, 3, "%02x", bytes[k]);
    return read_all;
}

int server_open(server **out, int port, server_handler handler, void *user)
{
    char token[2 * TOKEN_BYTES + 1];
    server *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return memory_error();
    if (!make_token(token)) {
        free(s);
        print_error("view: no random numbers for the address: cannot read /dev/urandom");
        return EXIT_IO;
    }
    s->handler = handler;
    s->user = user;
    snprintf(s->path, sizeof s->path, "/view/%s/", token);
    struct sockaddr_in where = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    s->daemon = MHD_start_daemon(MHD_ALLOW_SUSPEND_RESUME, (uint16_t)port, NULL, NULL, answer, s, MHD_OPTION_SOCK_ADDR,
                                 (struct sockaddr *)&where, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS,
                                 MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_END);
    const union MHD_DaemonInfo *info =
        s->daemon ? MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
    if (!info) {
        print_error("view: cannot listen at port %d of 127.0.0.1: %s", port, strerror(errno));
        server_close(s);
        return EXIT_IO;
    }
    snprintf(s->host[0], sizeof s->host[0], "127.0.0.1:%u", (unsigned)info->port);
    snprintf(s->host[1], sizeof s->host[1], "localhost:%u", (unsigned)info->port);
    snprintf(s->address, sizeof s->address, "http://%s%s", s->host[0], s->path);
    *out = s;
    return EXIT_DONE;
}

void server_wait(server *s, int milliseconds, int other)
{
    fd_set read, write, except;
    MHD_socket most = 0;
    FD_ZERO(&read);
    FD_ZERO(&write);
    FD_ZERO(&except);
    if (MHD_get_fdset(s->daemon, &read, &write, &except, &most) != MHD_YES)
        return;
    if (other >= 0 && other < FD_SETSIZE) {
        FD_SET(other, &read);
        most = other > most ? other : most;
    }
    MHD_UNSIGNED_LONG_LONG due;
    if (MHD_get_timeout(s->daemon, &due) == MHD_YES && due < (MHD_UNSIGNED_LONG_LONG)milliseconds)
        milliseconds = (int)due;
    struct timeval time = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
    if (select((int)most + 1, &read, &write, &except, &time) >= 0)
        MHD_run_from_select(s->daemon, &read, &write, &except);
}

void server_tell(server *s)
{
    for (size_t k = 0; k < s->waiting_count; k++)
        MHD_resume_connection(s->waiting[k]);
    s->waiting_count = 0;
}

void server_close(server *s)
{
    if (!s)
        return;
    server_tell(s);
    if (s->daemon)
        MHD_stop_daemon(s->daemon);
    free(s);
}
