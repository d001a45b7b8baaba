/* Sums over vectors of any length, from the first component to the last. */
#ifndef SCREE_LINEAR_VECTOR_H
#define SCREE_LINEAR_VECTOR_H

#include "math/elementary.h"

#include <math.h>
#include <stddef.h>

static inline double vector_dot(const double *x, const double *y, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

static inline double vector_norm(const double *x, size_t count) {
    return sqrt(vector_dot(x, x, count));
}

/* The root of the mean square. */
static inline double vector_rms(const double *x, size_t count) {
    return count > 0 ? vector_norm(x, count) / sqrt((double)count) : 0;
}

/* y += factor x. */
static inline void vector_add(double factor, const double *x, double *y, size_t count) {
    for (size_t i = 0; i < count; i++) {
        y[i] += factor * x[i];
    }
}

/* The largest component, by its absolute value. */
static inline double vector_largest(const double *x, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = scr_max(most, fabs(x[i]));
    }
    return most;
}

#endif
