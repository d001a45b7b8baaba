/* Small tensors, stored row by row, and what can be read off their symmetric part. */
#ifndef SCREE_MEASURE_TENSOR_H
#define SCREE_MEASURE_TENSOR_H

#include "math/vec.h"

typedef struct Tensor {
    double at[9];
} Tensor;

/* t += s u (x) v */
static inline void tensor_add(Tensor *t, double s, Vec3 u, Vec3 v) {
    const double a[3] = {u.x, u.y, u.z}, b[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            t->at[3 * i + k] += s * a[i] * b[k];
        }
    }
}

static inline Tensor tensor_scaled(double s, const Tensor *t) {
    Tensor made;
    for (int i = 0; i < 9; i++) {
        made.at[i] = s * t->at[i];
    }
    return made;
}

static inline Tensor tensor_sum(const Tensor *a, const Tensor *b) {
    Tensor made;
    for (int i = 0; i < 9; i++) {
        made.at[i] = a->at[i] + b->at[i];
    }
    return made;
}

static inline double tensor_trace(const Tensor *t) {
    return t->at[0] + t->at[4] + t->at[8];
}

/* The symmetric, traceless part in d dimensions. */
Tensor scr_deviatoric(const Tensor *t, int d);

/* a : b */
static inline double tensor_product(const Tensor *a, const Tensor *b) {
    double sum = 0;
    for (int i = 0; i < 9; i++) {
        sum += a->at[i] * b->at[i];
    }
    return sum;
}

/* Half the difference of the principal values in the plane, sqrt(3/2 s : s) in space. */
double scr_deviator(const Tensor *t, int d);

/* Unit vector along the largest principal value of the symmetric part, with its largest component
 * positive; zero when no principal value is the largest. */
Vec3 scr_largest_direction(const Tensor *t, int d);

#endif
