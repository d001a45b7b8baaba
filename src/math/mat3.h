/* Matrices of three rows and columns. */
#ifndef SCREE_MATH_MAT3_H
#define SCREE_MATH_MAT3_H

#include "math/vec.h"

typedef struct Mat3 {
    double m[3][3]; /* row, column */
} Mat3;

static inline Mat3 mat3_diagonal(double x, double y, double z) {
    return (Mat3){{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
}

/* Row by row. */
static inline Mat3 mat3_from(const double a[9]) {
    return (Mat3){{{a[0], a[1], a[2]}, {a[3], a[4], a[5]}, {a[6], a[7], a[8]}}};
}

static inline Mat3 mat3_of_columns(const Vec3 c[3]) {
    return (Mat3){{{c[0].x, c[1].x, c[2].x}, {c[0].y, c[1].y, c[2].y}, {c[0].z, c[1].z, c[2].z}}};
}

static inline void mat3_to(const Mat3 *a, double to[9]) {
    for (int i = 0; i < 9; i++) {
        to[i] = a->m[i / 3][i % 3];
    }
}

static inline Vec3 mat3_row(const Mat3 *a, int i) {
    return vec3(a->m[i][0], a->m[i][1], a->m[i][2]);
}

static inline Vec3 mat3_apply(const Mat3 *a, Vec3 x) {
    return vec3(dot(mat3_row(a, 0), x), dot(mat3_row(a, 1), x), dot(mat3_row(a, 2), x));
}

/* a + s b */
static inline Mat3 mat3_add_scaled(Mat3 a, double s, Mat3 b) {
    for (int i = 0; i < 9; i++) {
        a.m[i / 3][i % 3] += s * b.m[i / 3][i % 3];
    }
    return a;
}

static inline Mat3 mat3_multiply(Mat3 a, Mat3 b) {
    Mat3 c;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
        }
    }
    return c;
}

/* a b^T */
static inline Mat3 mat3_dyad(Vec3 a, Vec3 b) {
    return (Mat3){{{a.x * b.x, a.x * b.y, a.x * b.z},
                   {a.y * b.x, a.y * b.y, a.y * b.z},
                   {a.z * b.x, a.z * b.y, a.z * b.z}}};
}

/* The sum of the products of all elements. */
static inline double mat3_product(const Mat3 *a, const Mat3 *b) {
    double sum = 0;
    for (int i = 0; i < 9; i++) {
        sum += a->m[i / 3][i % 3] * b->m[i / 3][i % 3];
    }
    return sum;
}

static inline double mat3_size(const Mat3 *a) {
    return sqrt(mat3_product(a, a));
}

static inline double mat3_determinant(const Mat3 *a) {
    return dot(mat3_row(a, 0), cross(mat3_row(a, 1), mat3_row(a, 2)));
}

/* Of a matrix that has one. */
static inline Mat3 mat3_inverse(const Mat3 *a) {
    const double per = 1 / mat3_determinant(a);
    const Vec3 r0 = mat3_row(a, 0), r1 = mat3_row(a, 1), r2 = mat3_row(a, 2);
    const Vec3 column[3] = {scale(per, cross(r1, r2)), scale(per, cross(r2, r0)),
                            scale(per, cross(r0, r1))};
    return mat3_of_columns(column);
}

#endif
