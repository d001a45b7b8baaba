/* The rate L of a periodic cell as one more body of the contact problem. Every contact couples to it by
 * its branch vector l, from the centre of a to that of the image of b that it touches: with v = L x +
 * w the relative velocity is u = w_b - w_a + L l + ..., and an impulse R changes L by the part of
 * (R l^T) / Q that is free. Contacts with walls have no branch vector. See docs/cell.md. */
#ifndef SCREE_PROBLEM_CELL_BODY_H
#define SCREE_PROBLEM_CELL_BODY_H

#include "math/mat3.h"

typedef struct CellBody {
    Mat3 rate;
    double inverse_mass; /* 1 / Q; 0: all of L is given */
    /* The projection on what is free. `weight` has 1 for components that are free, and for symmetric
     * ones 1/2 at both places, of which each gets the sum; isotropic: 1 / (number of directions). */
    double weight[3][3];
    bool symmetric, isotropic;
} CellBody;

static inline Mat3 scr_cell_part(const CellBody *c, Mat3 x) {
    if (c->isotropic) {
        double mean =
            x.m[0][0] * c->weight[0][0] + x.m[1][1] * c->weight[1][1] + x.m[2][2] * c->weight[2][2];
        return mat3_diagonal(c->weight[0][0] > 0 ? mean : 0, c->weight[1][1] > 0 ? mean : 0,
                             c->weight[2][2] > 0 ? mean : 0);
    }
    Mat3 part;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double both = c->symmetric && i != j ? x.m[i][j] + x.m[j][i] : x.m[i][j];
            part.m[i][j] = c->weight[i][j] * both;
        }
    }
    return part;
}

static inline void scr_cell_push(CellBody *c, Vec3 impulse, Vec3 branch) {
    if (c->inverse_mass > 0) {
        Mat3 change = scr_cell_part(c, mat3_dyad(impulse, branch));
        c->rate = mat3_add_scaled(c->rate, c->inverse_mass, change);
    }
}

#endif
