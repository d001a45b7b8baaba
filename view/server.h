/* A server for one page over one run, for this machine only.
 *
 * It listens on 127.0.0.1, on a port that the system chooses. Every address begins with a secret
 * word, and requests must name this host and port: a page from elsewhere, even one whose name was
 * made to lead here, learns nothing. It answers GET only, and only what view/source.h lists; no
 * request names a file. */
#ifndef SCREE_VIEW_SERVER_H
#define SCREE_VIEW_SERVER_H

#include "io/error.h"

typedef struct ViewServer ViewServer;

/* Begins to serve, in a thread of its own. NULL on error. */
ViewServer *view_server_start(const char *run_path, IoError *error);
void view_server_stop(ViewServer *server);

/* "http://127.0.0.1:PORT/SECRET/" */
const char *view_server_address(const ViewServer *server);

/* An address that leads to the other one, once. What is handed to a browser as an argument can be
 * read by other users of the machine; when they see this one, it is used up. */
const char *view_server_opening_address(const ViewServer *server);

#endif
