/* As many contacts at a time as a Real has lanes. The test that includes this says what a Contact is: a
 * struct of doubles. */
#ifndef SCREE_TESTS_LANES_H
#define SCREE_TESTS_LANES_H

#include "law/real.h"

#include <stddef.h>
#include <string.h>

enum { LANES = sizeof(Real) / sizeof(double) };

/* The member of LANES structs of `size` bytes that lies `at` bytes from their beginning. */
static inline Real lanes_of(const void *first, size_t size, size_t at) {
    double x[LANES];
    Real real;
    for (size_t k = 0; k < LANES; k++) {
        memcpy(&x[k], (const char *)first + k * size + at, sizeof *x);
    }
    memcpy(&real, x, sizeof real);
    return real;
}

static inline void put_lanes(Real real, void *first, size_t size, size_t at) {
    double x[LANES];
    memcpy(x, &real, sizeof real);
    for (size_t k = 0; k < LANES; k++) {
        memcpy((char *)first + k * size + at, &x[k], sizeof *x);
    }
}

#define LANES_OF(c, member)           lanes_of(c, sizeof *(c), offsetof(Contact, member))
#define PUT_LANES_OF(real, c, member) put_lanes(real, c, sizeof *(c), offsetof(Contact, member))

#endif
