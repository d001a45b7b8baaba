/* Extrapolation over sweeps. A sweep takes the impulses z to x = S(z). Gauss-Seidel continues from
 * x, and carries a force through n contacts in n^2 sweeps. Nesterov's method continues from
 *
 *     z' = x + beta (x - x_before),
 *     beta = (theta - 1) / theta',   theta' = (1 + sqrt(1 + 4 theta^2)) / 2,
 *
 * and needs about n. Velocities are affine in the impulses, so they are extrapolated alike and
 * remain consistent with them. The order of the sweep must not change from sweep to sweep.
 *
 * The law is not that of a convex problem, and contacts open, close, stick and slide on the way, so
 * the momentum is monitored. With d = x - x_before and c = x - z the change of the sweep, c = d -
 * beta d_before. So the product c . d, which tells whether the sweep works against the momentum
 * (O'Donoghue and Candes' test), follows from three squares: 2 c . d = |d|^2 + |c|^2 - beta^2
 * |d_before|^2. The momentum starts over, with half its theta, where
 *   - |d|^2 + |c|^2 / 3 < beta^2 |d_before|^2: a little earlier than by that test, which is better
 *     where contacts slide;
 *   - |c|^2 is eight times the least value since the last start: waves;
 * and with theta = 1 where the best |c|^2 of thirty sweeps is no better than that of the thirty
 * before: a cycle.
 *
 * Creeping contacts (law/creep.h). In a packing that is coming to rest nearly all contacts hold,
 * but on the way the noise of the velocities lets contacts slide, exact friction follows the noise,
 * and with momentum this never ends. So contacts creep: below a speed of
 *
 *     creep = 100 sqrt(|c|^2 / sum rho^2),    rho the impulse over velocity of a row,
 *
 * a hundred times the noise, they obey the associated law, which makes the problem convex. The
 * noise decreases, and `creep` with it; it may rise by a hundredth from sweep to sweep, so that it
 * does not follow the changes that it causes itself. Then there are no cycles, and none are looked
 * for. Creeping begins after the first sweeps, provided that no more than a hundredth of the loaded
 * contacts slide faster (with laws beyond Coulomb's, or shapes, two hundredths): where many slide,
 * the exact law is better. */
#ifndef SCREE_SWEEP_MOMENTUM_H
#define SCREE_SWEEP_MOMENTUM_H

#include "base/threads.h"
#include "problem/problem.h"
#include "sweep/device_rows.h"
#include "sweep/row_momentum.h"

typedef struct Momentum {
    RowMomentum rows;      /* its beta is that of the last extrapolation; 0 after starting over */
    double *velocity;      /* [6 bodies] after the previous sweep */
    Mat3 rate, saved_rate; /* that of a cell likewise, and of the best */
    double theta;
    double square, before;   /* |d|^2, as reported by the sweep, and |d_before|^2 */
    double least;            /* least |c|^2 since the last start; 0 right after it */
    double best, best_then;  /* least |c|^2 in this window of sweeps, and in the previous one */
    int window;              /* sweeps in this window */
    int run;                 /* sweeps since the last start */
    double equivalent;       /* sweeps without momentum that would have come as far, see below */
    double creep_per_change; /* creep over |c|; 0: contacts do not creep */
    bool creep_raised;
    double *saved;         /* the best impulses, velocities and torques */
    double saved_residual; /* INFINITY: none */
    DeviceRows *device;    /* that has what was before this sweep, too; NULL: none */
} Momentum;

/* Bytes of memory that the momentum of a problem needs; the caller provides them. */
size_t scr_momentum_bytes(const Problem *problem);

/* Starts from the present velocities; the first sweep supplies the impulses. A device (NULL: none)
 * keeps for itself what was before a sweep. */
void scr_momentum_begin(Momentum *momentum, const Problem *problem, void *memory,
                        DeviceRows *device, Threads *threads);

/* What the momentum does before the next sweep: it goes on; pauses for this sweep, and goes on as if it
 * had not; or rests, and starts over from nothing. */
typedef enum MomentumPace { MOMENTUM_GOES_ON, MOMENTUM_PAUSES, MOMENTUM_RESTS } MomentumPace;

/* To be called after a sweep with momentum->rows that changed the impulses by sqrt(change) and set
 * momentum->square. Chooses the next beta and takes the velocities of the bodies to where the next
 * sweep begins. */
void scr_momentum_extrapolate(Momentum *momentum, Problem *problem, double change,
                              MomentumPace pace, Threads *threads);

/* Lets contacts creep from the next sweep on, provided that nearly all of them hold. Those that are
 * updated one by one do not creep, nor do full blocks in space, nor bonds that span a gap: their law is
 * exact all the time. To be called after a sweep, as above, with the rows stored as records. */
void scr_momentum_let_creep(Momentum *momentum, const Problem *problem, double change,
                            Threads *threads);
void scr_momentum_stop_creep(Momentum *momentum);

/* To be called after the same sweep: from now on contacts creep a hundred times as fast, or at
 * their normal speed. A few contacts that slide a little faster than the others creep can sustain
 * the very noise that lets them slide. */
void scr_momentum_raise_creep(Momentum *momentum, bool raised, double change);

/* Saves the present impulses and velocities, or returns to them: on the device if there is one, else rows
 * must be stored as records. After a sweep; after returning, the momentum must rest. */
void scr_momentum_save(Momentum *momentum, Problem *problem, double residual, Threads *threads);
void scr_momentum_recall(const Momentum *momentum, Problem *problem, Threads *threads);

/* How many sweeps without momentum would have carried forces as far, for the elasticity that an
 * unconverged solution implies: after k steps gradient descent has the error |x|^2 / (2 k),
 * Nesterov's method 2 |x|^2 / (k + 1)^2. */
double scr_momentum_equivalent(const Momentum *momentum);

#endif
