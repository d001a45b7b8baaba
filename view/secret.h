/* Words that cannot be guessed. */
#ifndef SCREE_VIEW_SECRET_H
#define SCREE_VIEW_SECRET_H

#include <stdbool.h>
#include <stddef.h>

enum { VIEW_SECRET_LENGTH = 32 }; /* letters, 4 bits each */

/* False when the system cannot provide randomness. */
bool view_secret_make(char secret[VIEW_SECRET_LENGTH + 1]);

/* Whether `given`, of this length, is the secret. Takes equally long however many letters agree. */
bool view_secret_equal(const char secret[VIEW_SECRET_LENGTH + 1], const char *given, size_t length);

#endif
