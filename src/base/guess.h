/* The nearest known word to one that is not known. */
#ifndef SCREE_BASE_GUESS_H
#define SCREE_BASE_GUESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { SCR_WORD_MOST = 48 }; /* letters of a word that is compared */

/* Collects candidates for "did you mean", and for a list where none is near. */
typedef struct Guess {
    const char *word; /* what was written */
    const char *best; /* NULL: nothing is near */
    int distance;
    bool full; /* more are known than the list has room for */
    size_t used;
    char known[340];
} Guess;

/* Edit distance including swaps of neighbours, so that 'raduis' is one step from 'radius'. */
static inline int scr_edit_distance(const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    if (n > SCR_WORD_MOST || m > SCR_WORD_MOST) {
        return SCR_WORD_MOST;
    }
    int d[SCR_WORD_MOST + 1][SCR_WORD_MOST + 1];
    for (size_t i = 0; i <= n; i++) {
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = (int)(i + j);
                continue;
            }
            int best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            best = d[i - 1][j] + 1 < best ? d[i - 1][j] + 1 : best;
            best = d[i][j - 1] + 1 < best ? d[i][j - 1] + 1 : best;
            bool swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swap && d[i - 2][j - 2] + 1 < best) {
                best = d[i - 2][j - 2] + 1;
            }
            d[i][j] = best;
        }
    }
    return d[n][m];
}

/* Begins with what was written. */
static inline Guess scr_guess(const char *word) {
    int length = (int)strnlen(word, 1000), limit = 1 + length / 3;
    return (Guess){.word = word, .distance = limit < length ? limit : length - 1};
}

/* Adds a word to those that are known; a list that is too long ends with three dots. */
static inline void scr_guess_list(Guess *guess, const char *candidate) {
    const size_t room = sizeof guess->known - guess->used;
    if (guess->full) {
        return;
    }
    const int length = snprintf(guess->known + guess->used, room, "%s%.60s",
                                guess->used > 0 ? ", " : "", candidate);
    guess->full = length < 0 || (size_t)length + sizeof ", ..." > room;
    if (guess->full) {
        snprintf(guess->known + guess->used, room, ", ...");
    } else {
        guess->used += (size_t)length;
    }
}

static inline void scr_guess_offer(Guess *guess, const char *candidate) {
    int distance = scr_edit_distance(guess->word, candidate);
    if (distance < guess->distance || (distance == guess->distance && !guess->best)) {
        guess->distance = distance;
        guess->best = candidate;
    }
    scr_guess_list(guess, candidate);
}

/* "did you mean 'x'?" into `buffer`, or "" when nothing is near; returns the buffer. */
static inline const char *scr_guess_text(const Guess *guess, char *buffer, size_t size) {
    buffer[0] = '\0';
    if (guess->best) {
        snprintf(buffer, size, "did you mean '%.60s'?", guess->best);
    }
    return buffer;
}

/* The same, but all that are known after `head` when nothing is near; "" if there are none. */
static inline const char *scr_guess_or_list(const Guess *guess, const char *head, char *buffer,
                                            size_t size) {
    scr_guess_text(guess, buffer, size);
    if (!guess->best && guess->known[0]) {
        snprintf(buffer, size, "%s %s", head, guess->known);
    }
    return buffer;
}

#endif
