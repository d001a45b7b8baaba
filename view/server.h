/* A server for one page about one run, or two side by side, for this machine only.
 *
 * It listens on 127.0.0.1, on a port that the system chooses. Every address begins with a secret
 * word, and requests must name this host and port, so that a page from elsewhere learns nothing,
 * even if its host name was made to resolve to this machine. It answers only GET, and only what
 * view/source.h lists; no request names a file. */
#ifndef SCREE_VIEW_SERVER_H
#define SCREE_VIEW_SERVER_H

#include "io/error.h"
#include "io/watch.h"

typedef struct ViewServer ViewServer;

/* Listens. Answers that take long to make ask `watch` whether to go on; `beside` may be NULL. NULL
 * on error. */
ViewServer *view_server_start(const char *run_path, const char *beside, IoWatch watch,
                              IoError *error);

/* Answers requests for about this time, or until a signal comes. */
bool view_server_serve(ViewServer *server, int milliseconds, IoError *error);
void view_server_stop(ViewServer *server);

/* "http://127.0.0.1:PORT/SECRET/" */
const char *view_server_address(const ViewServer *server);

/* An address that redirects to the other one, once. Arguments handed to a browser can be read by
 * other users of the machine; by the time they see this one, it has been used up. */
const char *view_server_opening_address(const ViewServer *server);

#endif
