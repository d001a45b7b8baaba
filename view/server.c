#include "view/server.h"
#include "view/guests.h"
#include "view/page.h"
#include "view/source.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>

enum { ADDRESS_SIZE = 96, HOST_SIZE = 32 };
enum { SECRET_LENGTH = 32 };                        /* letters, 4 bits each */
enum { REQUEST_BYTES = 32 * 1024, WAITING = 1024 }; /* WAITING: connections not yet accepted */

struct ViewServer {
    struct MHD_Daemon *daemon;
    ViewSource *source, *beside; /* beside: the second run, or NULL */
    Guests guests;
    char secret[SECRET_LENGTH + 1];
    char once[SECRET_LENGTH + 1]; /* secret of the opening address */
    bool once_used;
    char host[2][HOST_SIZE]; /* the names by which a request may address this server */
    char address[ADDRESS_SIZE], opening[ADDRESS_SIZE];
};

/* ---------------------------------------------------------------- words that cannot be guessed */

/* False when the system cannot provide randomness. */
static bool make_secret(char secret[SECRET_LENGTH + 1]) {
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[SECRET_LENGTH / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        return false;
    }
    for (size_t i = 0; i < sizeof bytes; i++) {
        secret[2 * i] = digits[bytes[i] >> 4];
        secret[2 * i + 1] = digits[bytes[i] & 15];
    }
    secret[SECRET_LENGTH] = '\0';
    return true;
}

/* Whether `given`, of this length, is the secret. Takes equally long however many letters agree. */
static bool is_secret(const char secret[SECRET_LENGTH + 1], const char *given, size_t length) {
    if (length != SECRET_LENGTH) {
        return false;
    }
    unsigned difference = 0;
    for (size_t i = 0; i < SECRET_LENGTH; i++) {
        difference |= (unsigned)((unsigned char)secret[i] ^ (unsigned char)given[i]);
    }
    return difference == 0;
}

/* ---------------------------------------------------------------- responses */

static double clock_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* NULL for a connection that had no place. */
static Guest *guest_at(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info != NULL ? info->socket_context : NULL;
}

static void add_headers(struct MHD_Response *response, const char *type) {
    MHD_add_response_header(response, "Connection", "close"); /* one connection, one request */
    MHD_add_response_header(response, "Content-Type", type);
    MHD_add_response_header(response, "Cache-Control", "no-store");
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, "X-Frame-Options", "DENY");
    MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
    MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    MHD_add_response_header(response, "Cross-Origin-Opener-Policy", "same-origin");
}

static enum MHD_Result send_response(struct MHD_Connection *connection, unsigned status,
                                     struct MHD_Response *response, size_t size, const char *type) {
    Guest *guest = guest_at(connection);
    if (response == NULL) {
        return MHD_NO;
    }
    if (guest != NULL) {
        guest_answered(guest, size, clock_now());
    }
    add_headers(response, type);
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result send_text(struct MHD_Connection *connection, unsigned status,
                                 const char *text) {
    struct MHD_Response *response =
        MHD_create_response_from_buffer(strlen(text), (void *)text, MHD_RESPMEM_MUST_COPY);
    if (response != NULL && status == MHD_HTTP_METHOD_NOT_ALLOWED) {
        MHD_add_response_header(response, "Allow", "GET");
    }
    return send_response(connection, status, response, strlen(text), "text/plain; charset=utf-8");
}

static enum MHD_Result send_page(struct MHD_Connection *connection) {
    size_t size = 0;
    const char *page = view_page(&size);
    return send_response(
        connection, MHD_HTTP_OK,
        MHD_create_response_from_buffer(size, (void *)(size_t)page, MHD_RESPMEM_PERSISTENT), size,
        "text/html; charset=utf-8");
}

/* The first use of the opening address redirects to the real one. */
static enum MHD_Result send_onward(ViewServer *server, struct MHD_Connection *connection) {
    struct MHD_Response *response =
        MHD_create_response_from_buffer(0, (void *)"", MHD_RESPMEM_PERSISTENT);
    server->once_used = true;
    if (response != NULL) {
        MHD_add_response_header(response, "Location", server->address);
    }
    return send_response(connection, MHD_HTTP_FOUND, response, 0, "text/plain");
}

/* `name` is one of those in view/source.h. */
static enum MHD_Result send_answer(ViewServer *server, struct MHD_Connection *connection,
                                   const char *name) {
    ViewBytes bytes = {0};
    IoError error = {0};
    ViewSource *source = server->source;
    if (server->beside != NULL && strncmp(name, VIEW_BESIDE, strlen(VIEW_BESIDE)) == 0) {
        source = server->beside;
        name += strlen(VIEW_BESIDE);
    }
    if (strcmp(name, "manifest") == 0) {
        view_source_refresh(source);
    }
    ViewAnswer answer = view_source_answer(source, name, &bytes, &error);
    if (answer == VIEW_UNKNOWN || answer == VIEW_FAILED) {
        view_bytes_free(&bytes);
        return answer == VIEW_UNKNOWN
                   ? send_text(connection, MHD_HTTP_NOT_FOUND, "Not found.\n")
                   : send_text(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, error.text);
    }
    size_t size = bytes.size;
    struct MHD_Response *response =
        MHD_create_response_from_buffer(size, bytes.data, MHD_RESPMEM_MUST_FREE);
    if (response == NULL) {
        view_bytes_free(&bytes);
    }
    return send_response(connection, MHD_HTTP_OK, response, size,
                         answer == VIEW_JSON ? "application/json" : "application/octet-stream");
}

/* ---------------------------------------------------------------- requests */

static bool right_host(const ViewServer *server, struct MHD_Connection *connection) {
    const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
    return host != NULL &&
           (strcmp(host, server->host[0]) == 0 || strcmp(host, server->host[1]) == 0);
}

/* Handles "/SECRET/name" and "/open/ONCE". */
static enum MHD_Result route(ViewServer *server, struct MHD_Connection *connection,
                             const char *path) {
    static const char opening[] = "/open/";
    if (strncmp(path, opening, sizeof opening - 1) == 0) {
        const char *word = path + sizeof opening - 1;
        if (!server->once_used && is_secret(server->once, word, strlen(word))) {
            return send_onward(server, connection);
        }
    }
    const char *word = path[0] == '/' ? path + 1 : path;
    size_t length = strcspn(word, "/");
    if (word[length] != '/' || !is_secret(server->secret, word, length)) {
        return send_text(connection, MHD_HTTP_FORBIDDEN,
                         "This address is not valid. Use the one that 'scree view' printed.\n");
    }
    const char *name = word + length + 1;
    Guest *guest = guest_at(connection);
    if (guest != NULL) {
        guests_know(&server->guests, guest);
    }
    return name[0] == '\0' ? send_page(connection) : send_answer(server, connection, name);
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **request) {
    (void)version;
    (void)upload;
    (void)upload_size;
    (void)request;
    ViewServer *server = context;
    if (!right_host(server, connection)) {
        return send_text(connection, MHD_HTTP_FORBIDDEN, "This server answers to 127.0.0.1.\n");
    }
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0) {
        return send_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "Only GET.\n");
    }
    return route(server, connection, path);
}

static void note_connection(void *context, struct MHD_Connection *connection, void **place,
                            enum MHD_ConnectionNotificationCode what) {
    ViewServer *server = context;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (*place != NULL) {
            guest_gone(*place);
        }
        *place = NULL;
    } else if (info != NULL) {
        *place = guests_enter(&server->guests, info->connect_fd, clock_now());
        if (*place == NULL) {
            (void)shutdown(info->connect_fd, SHUT_RDWR);
        }
    }
}

/* Percent signs in addresses are left as they are: no name here needs them. */
static size_t leave_as_is(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

/* ---------------------------------------------------------------- start and end */

static bool listen_here(ViewServer *server, IoError *error) {
    struct sockaddr_in here = {
        .sin_family = AF_INET, .sin_port = 0, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    guests_begin(&server->guests);
    server->daemon = MHD_start_daemon(
        MHD_USE_AUTO, 0, NULL, NULL, handle, server, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&here,
        MHD_OPTION_CONNECTION_LIMIT, 2u * GUESTS_MOST, MHD_OPTION_LISTEN_BACKLOG_SIZE,
        (unsigned)WAITING, MHD_OPTION_NOTIFY_CONNECTION, note_connection, server,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)REQUEST_BYTES, MHD_OPTION_UNESCAPE_CALLBACK,
        leave_as_is, NULL, MHD_OPTION_END);
    const union MHD_DaemonInfo *info =
        server->daemon != NULL ? MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT)
                               : NULL;
    if (info == NULL || info->port == 0) {
        return io_error(error, IO_FAILED, "cannot listen on 127.0.0.1");
    }
    unsigned port = info->port;
    snprintf(server->host[0], HOST_SIZE, "127.0.0.1:%u", port);
    snprintf(server->host[1], HOST_SIZE, "localhost:%u", port);
    snprintf(server->address, ADDRESS_SIZE, "http://%s/%s/", server->host[0], server->secret);
    snprintf(server->opening, ADDRESS_SIZE, "http://%s/open/%s", server->host[0], server->once);
    return true;
}

static bool open_runs(ViewServer *server, const char *run_path, const char *beside, IoWatch watch,
                      IoError *error) {
    server->source = view_source_open(run_path, watch, error);
    if (server->source == NULL || beside == NULL) {
        return server->source != NULL;
    }
    server->beside = view_source_open(beside, watch, error);
    if (server->beside != NULL) {
        view_source_set_beside(server->source);
    }
    return server->beside != NULL;
}

ViewServer *view_server_start(const char *run_path, const char *beside, IoWatch watch,
                              IoError *error) {
    ViewServer *server = calloc(1, sizeof *server);
    if (server == NULL) {
        io_no_memory(error, run_path);
        return NULL;
    }
    bool ok = open_runs(server, run_path, beside, watch, error);
    if (ok && (!make_secret(server->secret) || !make_secret(server->once))) {
        ok = io_error(error, IO_FAILED, "the system has no random numbers to give");
    }
    if (!ok || !listen_here(server, error)) {
        view_server_stop(server);
        return NULL;
    }
    return server;
}

bool view_server_serve(ViewServer *server, int milliseconds, IoError *error) {
    bool ok = MHD_run_wait(server->daemon, milliseconds) == MHD_YES;
    guests_expire(&server->guests, clock_now());
    return ok || io_error(error, IO_FAILED, "the server on 127.0.0.1 cannot go on");
}

void view_server_stop(ViewServer *server) {
    if (server == NULL) {
        return;
    }
    if (server->daemon != NULL) {
        MHD_stop_daemon(server->daemon);
    }
    view_source_close(server->source);
    view_source_close(server->beside);
    free(server);
}

const char *view_server_address(const ViewServer *server) {
    return server->address;
}

const char *view_server_opening_address(const ViewServer *server) {
    return server->opening;
}
