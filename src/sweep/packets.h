/* The boxes of a sweep, packet by packet. */
#ifndef SCREE_SWEEP_PACKETS_H
#define SCREE_SWEEP_PACKETS_H

#include "problem/problem.h"
#include "sweep/order.h"
#include "sweep/row_momentum.h"

/* Sweeps one box and returns its sum of |dR|^2; rows that do not go with others are given to
 * `alone`, which returns |dR|^2. `momentum` may be NULL; with it, `square` gets sum |d|^2. */
double scr_sweep_box(Problem *problem, const Order *order, size_t box, bool columns,
                     double (*alone)(Problem *problem, size_t row), const RowMomentum *momentum,
                     double *square);

/* The sweep reads rows fastest when each full packet is stored as columns, in the place of its
 * records: PACKET_ROWS numbers of one member of Row, then those of the next. These turn all full
 * packets that are computed together into columns, and back again. Both take about half the time of
 * a sweep. In between nothing but the sweep can read rows. */
void scr_rows_to_columns(Problem *problem, const Order *order, Threads *threads);
void scr_rows_to_records(Problem *problem, const Order *order, Threads *threads);

#endif
