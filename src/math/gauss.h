/* Gauss's rule with eight points, from -1 to 1: exact for polynomials up to degree 15. */
#ifndef SCREE_MATH_GAUSS_H
#define SCREE_MATH_GAUSS_H

enum { GAUSS_POINTS = 8 };

static inline double scr_gauss_point(int k) {
    static const double half[GAUSS_POINTS / 2] = {0.18343464249564980494, 0.52553240991632898582,
                                                  0.79666647741362673959, 0.96028985649753623168};
    return k % 2 == 0 ? -half[k / 2] : half[k / 2];
}

static inline double scr_gauss_weight(int k) {
    static const double half[GAUSS_POINTS / 2] = {0.36268378337836198297, 0.31370664587788728734,
                                                  0.22238103445337447054, 0.10122853629037625915};
    return half[k / 2];
}

#endif
