/* Extrapolation over sweeps. A sweep takes the impulses z to x = S(z); Gauss-Seidel goes on from x,
 * and carries a force through n contacts in n^2 sweeps. Nesterov's method goes on from
 *
 *     z' = x + beta (x - x_before),   beta = (theta - 1) / theta',   theta' = (1 + sqrt(1 + 4
 * theta^2)) / 2,
 *
 * and needs about n. Velocities are affine in the impulses, so they are extrapolated alike and stay
 * what the impulses make of them. The order of the sweep must not change from sweep to sweep.
 *
 * The law is not that of a convex problem, and contacts open, close, stick and slide on the way, so
 * the momentum is watched. With d = x - x_before and c = x - z the change of the sweep, c = d -
 * beta d_before, so the product c . d, which tells whether the sweep works against the momentum
 * (O'Donoghue and Candes' test), follows from three squares: 2 c . d = |d|^2 + |c|^2 - beta^2
 * |d_before|^2. The momentum begins anew, with half its theta, where
 *   - |d|^2 + |c|^2 / 3 < beta^2 |d_before|^2: a little earlier than by that test, which is better
 *     where contacts slide;
 *   - |c|^2 is eight times what it was at best since the last beginning: waves;
 * and with theta = 1 where the best |c|^2 of thirty sweeps is no better than that of the thirty
 * before: a cycle.
 *
 * Contacts that creep (law/creep.h). A packing that comes to rest holds nearly everywhere, but on
 * the way the noise of the velocities lets contacts slide, exact friction follows the noise, and
 * the momentum never comes to an end of it. So contacts creep: below a speed of
 *
 *     creep = 100 sqrt(|c|^2 / sum rho^2),    rho the impulse over velocity of a row,
 *
 * a hundred times the noise, they are under the associated law, which makes the problem a convex
 * one. The noise falls, and `creep` with it; from sweep to sweep it may rise by a hundredth, so
 * that it does not follow the changes that it makes itself. There are no cycles then, and they are
 * not looked for. It is let in after the first sweeps, if no more than a hundredth of the contacts
 * that press slide faster: where many slide, the exact law is better. */
#ifndef SCREE_SWEEP_MOMENTUM_H
#define SCREE_SWEEP_MOMENTUM_H

#include "base/threads.h"
#include "problem/problem.h"
#include "sweep/row_momentum.h"

typedef struct Momentum {
    RowMomentum rows; /* its beta: of the last extrapolation; 0 after a new beginning */
    double *velocity; /* [6 bodies] after the sweep before */
    double theta;
    double square, before;   /* |d|^2 as the sweep tells it, |d_before|^2 */
    double least;            /* least |c|^2 since the last beginning; 0 at once after it */
    double best, best_then;  /* least |c|^2 of this window of sweeps, and of the window before */
    int window;              /* sweeps of this window */
    int run;                 /* sweeps since the last beginning */
    double equivalent;       /* sweeps without momentum that would have gone as far: see below */
    double creep_per_change; /* creep over |c|; 0: contacts do not creep */
    bool creep_raised;
    double *kept;         /* the best: impulses, velocities, torques */
    double kept_residual; /* INFINITY: none */
} Momentum;

/* Bytes of memory that the momentum of a problem needs; the caller lends them. */
size_t scr_momentum_bytes(const Problem *problem);

/* Begins from the present velocities; the first sweep brings the impulses. */
void scr_momentum_begin(Momentum *momentum, const Problem *problem, void *memory);

/* After a sweep with momentum->rows that changed impulses by sqrt(change), and told
 * momentum->square: takes the bodies to where the next sweep is to begin. `rests`: without momentum
 * for now. */
void scr_momentum_go_on(Momentum *momentum, Problem *problem, double change, bool rests,
                        Threads *threads);

/* Lets contacts creep from the next sweep on if nearly all of them hold, and all have plain Coulomb
 * friction between round bodies; not otherwise. After a sweep, as above, with rows as records. */
void scr_momentum_let_creep(Momentum *momentum, const Problem *problem, double change);
void scr_momentum_stop_creep(Momentum *momentum);

/* After the same sweep: contacts creep a hundred times as fast from now on, or as they did. A few
 * that slide a little faster than the others creep can keep up the noise that lets them. */
void scr_momentum_raise_creep(Momentum *momentum, bool raised, double change);

/* Keeps the present impulses and velocities; goes back to them. Rows are records, after a sweep;
 * after going back the momentum must rest. */
void scr_momentum_keep(Momentum *momentum, const Problem *problem, double residual);
void scr_momentum_recall(const Momentum *momentum, Problem *problem);

/* How many sweeps without momentum would have carried forces as far, for the elasticity that a
 * solution not converged implies: gradient descent has the error |x|^2 / (2 k) after k steps,
 * Nesterov's method 2 |x|^2 / (k + 1)^2. */
double scr_momentum_equivalent(const Momentum *momentum);

#endif
