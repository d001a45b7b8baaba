/* One contact with friction, rolling and torsion friction and adhesion, where all parts are
 * coupled: bodies that are not round, or whose motion is held in some directions (BUW 1.38
 * to 1.40).
 *
 * Unknown r in space: force n, t1, t2, then torque t1, t2, n; in the plane: force n, t, then the
 * torque. The relative velocity is u = W r + q, with W symmetric and positive semidefinite, stored
 * whole, row by row; q_n contains the gap over the time step. With P = r_n + F, F >= 0 the largest
 * pull of the contact, the law is
 *
 *     P >= 0, u_n >= 0, P u_n = 0;
 *     |force_t| <= mu P, |torque_t| <= rho P, |torque_n| <= tau P, each against its own velocity,
 *     and below its bound only where that velocity is 0.
 *
 * In P instead of r_n the problem has no F: q is shifted by -F times the first column of W.
 *
 * Method: an inner Gauss-Seidel iteration over two blocks that are each solved exactly. A round
 * takes the torque, finds the force by coulomb.h, and with its P the torque anew, rolling before
 * torsion. So the state between rounds is the torque alone, in the plane a single number, and a
 * solution is a torque that the round does not change. Plain rounds would converge by a constant
 * factor (5/7 for a ball that sticks); Broyden's method, in the plane the secant method, makes it
 * six to nine rounds from nothing, and fewer from a good first guess.
 *
 * What holds always: P >= 0, and the three bounds are kept to rounding. What holds when it has
 * settled: the whole law, to rounding. In tests it settles where
 *
 *     mu |W_nt| + rho |W_nT| + tau |W_nN| < W_nn,
 *
 * with t, T, N the friction, the rolling and the torsion part: then no sliding or turning can draw
 * the partners together faster than the normal impulse parts them. With a singular W it may take
 * more rounds than are allowed (seen once in ten thousand random blocks); the result is then the
 * best round, and the next call goes on from there. Beyond the condition there may be several
 * solutions or none, as for Coulomb friction alone (coulomb.h). If it does not settle there, the
 * torque is set to 0, and the force is that of coulomb.h without it, which adds no energy. In both
 * cases the residual of the problem shows that the law is not met.
 *
 * A bound that depends on P in another way (Hertz, BUW 1.43) is a rho that the caller takes from
 * the P of before. W, q and their products are to be of ordinary magnitude. */
#ifndef SCREE_LAW_ROLLING_BLOCK_H
#define SCREE_LAW_ROLLING_BLOCK_H

#include <math.h>
#include <stdbool.h>

#include "law/rolling_disk.h"

/* Rounds at most, and after how many the extrapolation begins anew. */
#define LAW_GENERAL_ROUNDS  100
#define LAW_GENERAL_RESTART 25

typedef struct LawGeneral {
    int forces, torques; /* 3 and 3, or 2 and 1 */
    const double *W;
    double q[6]; /* for P in the place of r_n */
    double mu, rho, tau;
} LawGeneral;

/* Velocity of one component from some of the impulses. */
LAW_INLINE double law_general_velocity(const LawGeneral *g, int row, int first, int count,
                                       const double *impulse) {
    const double *w = g->W + row * (g->forces + g->torques) + first;
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        sum += w[i] * impulse[i];
    }
    return sum;
}

/* One round: from a torque the force, and from this the torque. False if there is no such force
 * (Painleve's paradox: it slides, and coulomb.h has left out the friction). */
LAW_INLINE bool law_general_round(const LawGeneral *g, const double torque[3], double force[3],
                                  double next[3]) {
    double q[6];
    const double *W = g->W;
    for (int i = 0; i < g->forces; i++) {
        q[i] = g->q[i] + law_general_velocity(g, i, g->forces, g->torques, torque);
    }
    if (g->forces == 2) {
        const double force_block[3] = {W[0], W[1], W[4]};
        LawState state = law_coulomb_block2(force_block, q, g->mu, force);
        double spin = g->q[2] + law_general_velocity(g, 2, 0, 2, force);
        law_bounded1(W[8], spin, g->rho * force[0], &next[0]);
        return !(state == LAW_SLIP && g->mu > 0.0 && force[1] == 0.0);
    }
    const double force_block[6] = {W[0], W[1], W[2], W[7], W[8], W[14]};
    const double rolling_block[3] = {W[21], W[22], W[28]};
    LawState state = law_coulomb_block3(force_block, q, g->mu, force);
    for (int i = 3; i < 6; i++) {
        q[i] = g->q[i] + law_general_velocity(g, i, 0, 3, force);
    }
    const double rolling[2] = {q[3] + W[23] * torque[2], q[4] + W[29] * torque[2]};
    law_bounded2_block(rolling_block, rolling, g->rho * force[0], next);
    double spin = q[5] + law_general_velocity(g, 5, 3, 2, next);
    law_bounded1(W[35], spin, g->tau * force[0], &next[2]);
    return !(state == LAW_SLIP && g->mu > 0.0 && force[1] == 0.0 && force[2] == 0.0);
}

/* Whether a change of the torque is no more than rounding in any velocity. */
LAW_INLINE bool law_general_is_settled(const LawGeneral *g, const double force[3],
                                       const double torque[3], const double change[3]) {
    for (int i = 0; i < g->forces + g->torques; i++) {
        const double *w = g->W + i * (g->forces + g->torques);
        double size = fabs(g->q[i]);
        double moved = 0.0;
        for (int j = 0; j < g->forces; j++) {
            size += fabs(w[j] * force[j]);
        }
        for (int j = 0; j < g->torques; j++) {
            size += fabs(w[g->forces + j] * torque[j]);
            moved += fabs(w[g->forces + j] * change[j]);
        }
        if (moved > LAW_ROUNDING * size) {
            return false;
        }
    }
    return true;
}

/* Broyden's estimate H of the inverse derivative of the round's change, after a step s that
 * altered the change by y: H += (s - H y) s^T H / (s^T H y). */
LAW_INLINE void law_broyden(int n, double H[9], const double s[3], const double y[3]) {
    double Hy[3];
    double sH[3];
    double denominator = 0.0;
    double size = 0.0;
    for (int i = 0; i < n; i++) {
        Hy[i] = 0.0;
        sH[i] = 0.0;
        for (int j = 0; j < n; j++) {
            Hy[i] += H[3 * i + j] * y[j];
            sH[i] += s[j] * H[3 * j + i];
        }
        denominator += s[i] * Hy[i];
        size += s[i] * s[i];
    }
    if (!(fabs(denominator) > 1e-8 * size)) {
        return;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            H[3 * i + j] += (s[i] - Hy[i]) * sH[j] / denominator;
        }
    }
}

/* Whether no friction or torque can press the partners together faster than P parts them. */
LAW_INLINE bool law_general_is_tame(const LawGeneral *g) {
    const double *W = g->W;
    double pressed = g->forces == 2 ? g->mu * fabs(W[1]) + g->rho * fabs(W[2])
                                    : g->mu * law_norm2(W[1], W[2]) +
                                          g->rho * law_norm2(W[3], W[4]) + g->tau * fabs(W[5]);
    return pressed < W[0];
}

/* A step of Broyden's method from `at`: -H times the round's change. */
LAW_INLINE double law_general_step(int n, const double H[9], const double change[3], double step[3],
                                   double at[3]) {
    double size = 0.0;
    for (int i = 0; i < n; i++) {
        step[i] = 0.0;
        for (int j = 0; j < n; j++) {
            step[i] -= H[3 * i + j] * change[j];
        }
        at[i] += step[i];
        size = law_max(size, fabs(change[i]));
    }
    return size;
}

/* From a first guess of the torque. Returns the rounds, 0 if they did not settle. */
LAW_INLINE int law_general_solve(const LawGeneral *g, double torque[3], double force[3]) {
    int n = g->torques;
    double at[3] = {0.0, 0.0, 0.0};     /* where the round begins, */
    double step[3] = {0.0, 0.0, 0.0};   /* the step that led there, */
    double change[3] = {0.0, 0.0, 0.0}; /* and what the round changes */
    double best[3] = {0.0, 0.0, 0.0};   /* what the least change has led to */
    double least = INFINITY;
    double H[9] = {0.0};
    for (int i = 0; i < n; i++) {
        at[i] = torque[i];
    }
    for (int round = 1; round <= LAW_GENERAL_ROUNDS; round++) {
        double altered[3];
        bool lawful = law_general_round(g, at, force, torque);
        for (int i = 0; i < n; i++) {
            altered[i] = torque[i] - at[i] - change[i];
            change[i] = torque[i] - at[i];
        }
        if (law_general_is_settled(g, force, torque, change)) {
            /* P far beyond what stops q_n has run away: nothing is settled but its size. */
            if (lawful && g->W[0] * force[0] <= 1e8 * fabs(g->q[0])) {
                return round;
            }
            break;
        }
        if (round % LAW_GENERAL_RESTART == 1) {
            for (int i = 0; i < 9; i++) {
                H[i] = i % 4 == 0 ? -1.0 : 0.0; /* a plain step */
            }
        } else {
            law_broyden(n, H, step, altered);
        }
        double size = law_general_step(n, H, change, step, at);
        for (int i = 0; i < n && size < least; i++) {
            best[i] = torque[i];
        }
        least = law_min(least, size);
    }
    bool tame = law_general_is_tame(g);
    const double none[3] = {0.0, 0.0, 0.0};
    law_general_round(g, tame ? best : none, force, torque);
    for (int i = 0; i < n && !tame; i++) {
        torque[i] = 0.0;
    }
    return 0;
}

/* In space; W has 36 numbers. r is the first guess (only its torque matters) and the result.
 * Returns the rounds, 0 if they did not settle. */
LAW_INLINE int law_general_block(const double W[36], const double q[6], double F, double mu,
                                 double rho, double tau, double r[6]) {
    LawGeneral g = {3, 3, W, {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, mu, rho, tau};
    for (int i = 0; i < 6; i++) {
        g.q[i] = q[i] - F * W[6 * i];
    }
    int rounds = law_general_solve(&g, r + 3, r);
    r[0] -= F;
    return rounds;
}

/* In the plane; W has 9 numbers. The torque is that of rolling; there is no torsion. */
LAW_INLINE int law_general_block_plane(const double W[9], const double q[3], double F, double mu,
                                       double rho, double r[3]) {
    LawGeneral g = {2, 1, W, {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, mu, rho, 0.0};
    for (int i = 0; i < 3; i++) {
        g.q[i] = q[i] - F * W[3 * i];
    }
    double torque[3] = {r[2], 0.0, 0.0};
    double force[3];
    int rounds = law_general_solve(&g, torque, force);
    r[0] = force[0] - F;
    r[1] = force[1];
    r[2] = torque[0];
    return rounds;
}

#endif
