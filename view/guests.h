/* Who is connected to the viewer's server, and who must leave.
 *
 * All connections come from this machine, and many may come through one tunnel, so that an address
 * tells nobody apart. What tells an honest client is that it gets on: it sends its request at once,
 * and it takes what it asked for. So three rules:
 *
 * - A request must be whole a few seconds after the connection was made, however its bytes are
 *   spread over them; an answer must be taken in a time that grows with its size.
 * - When places run out, the guest who has waited for the longest time leaves, not the one who
 *   knocks. However many slow guests there are, they only push each other out.
 * - Those who have shown the secret have places of their own, which no stranger can take.
 *
 * A guest who must leave has its socket shut down; the library that serves it sees the end of the
 * stream and closes it. */
#ifndef SCREE_VIEW_GUESTS_H
#define SCREE_VIEW_GUESTS_H

#include <stdbool.h>
#include <stddef.h>

enum { GUESTS_KNOWN = 32, GUESTS_STRANGE = 256, GUESTS_MOST = GUESTS_KNOWN + GUESTS_STRANGE };

typedef struct Guest {
    int socket; /* -1: the place is free */
    bool known;
    bool leaving;    /* its socket has been shut down */
    double since;    /* [s] when it began to do what it does now */
    double deadline; /* [s] by when it must have done that */
} Guest;

typedef struct Guests {
    /* Those who leave keep their place until the library has closed their sockets. */
    Guest guest[2 * GUESTS_MOST];
    int strangers; /* places for strangers; fewer than usual if the process may open few files */
} Guests;

void guests_begin(Guests *guests);

/* A place for a new connection, made at time `now`. NULL: it cannot stay. */
Guest *guests_enter(Guests *guests, int socket, double now);

/* The guest has shown the secret. */
void guests_know(Guests *guests, Guest *guest);

/* An answer of this size is on its way. There is one request for each connection. */
void guest_answered(Guest *guest, size_t size, double now);

/* The connection is closed. */
void guest_gone(Guest *guest);

/* Sends away all whose time is up. */
void guests_expire(Guests *guests, double now);

#endif
