#include "view/guests.h"

#include <sys/resource.h>
#include <sys/socket.h>

/* Files that the program has open besides: streams, the run, what the libraries need. */
enum { OTHER_FILES = 32, FEWEST_STRANGERS = 4 };

static const double request_seconds = 5; /* on one machine a request takes milliseconds */
static const double answer_seconds = 60; /* and more for large answers, at this least rate [B/s]: */
static const double answer_rate = 1e5;   /* the page may be far away, behind a tunnel */

void guests_begin(Guests *guests) {
    struct rlimit limit;
    for (int i = 0; i < 2 * GUESTS_MOST; i++) {
        guests->guest[i] = (Guest){.socket = -1};
    }
    guests->strangers = GUESTS_STRANGE;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < OTHER_FILES + 2 * GUESTS_MOST) {
        long left = (long)limit.rlim_cur - OTHER_FILES - 2 * GUESTS_KNOWN;
        guests->strangers = left / 2 > FEWEST_STRANGERS ? (int)(left / 2) : FEWEST_STRANGERS;
    }
}

static void send_away(Guest *guest) {
    (void)shutdown(guest->socket, SHUT_RDWR);
    guest->leaving = true;
}

/* Keeps the number of guests of a kind within their places. */
static void make_room(Guests *guests, bool known) {
    int count = 0;
    Guest *first = NULL;
    for (int i = 0; i < 2 * GUESTS_MOST; i++) {
        Guest *guest = &guests->guest[i];
        if (guest->socket >= 0 && !guest->leaving && guest->known == known) {
            count++;
            first = first == NULL || guest->since < first->since ? guest : first;
        }
    }
    if (first != NULL && count > (known ? GUESTS_KNOWN : guests->strangers)) {
        send_away(first);
    }
}

Guest *guests_enter(Guests *guests, int socket, double now) {
    for (int i = 0; i < 2 * GUESTS_MOST; i++) {
        Guest *guest = &guests->guest[i];
        if (guest->socket < 0) {
            *guest = (Guest){.socket = socket, .since = now, .deadline = now + request_seconds};
            make_room(guests, false);
            return guest;
        }
    }
    return NULL;
}

void guests_know(Guests *guests, Guest *guest) {
    if (!guest->known) {
        guest->known = true;
        make_room(guests, true);
    }
}

void guest_answered(Guest *guest, size_t size, double now) {
    guest->since = now;
    guest->deadline =
        now + (guest->known ? answer_seconds + (double)size / answer_rate : request_seconds);
}

void guest_gone(Guest *guest) {
    *guest = (Guest){.socket = -1};
}

void guests_expire(Guests *guests, double now) {
    for (int i = 0; i < 2 * GUESTS_MOST; i++) {
        Guest *guest = &guests->guest[i];
        if (guest->socket >= 0 && !guest->leaving && now > guest->deadline) {
            send_away(guest);
        }
    }
}
