/* Sweeping the boxes, packet by packet. */
#ifndef SCREE_SWEEP_PACKETS_H
#define SCREE_SWEEP_PACKETS_H

#include "problem/problem.h"
#include "sweep/order.h"
#include "sweep/row_momentum.h"

/* Sweeps one box and returns its sum of |dR|^2. Rows that cannot be updated together with others
 * are given to `alone`, which returns |dR|^2. `momentum` may be NULL; otherwise `square` gets sum
 * |d|^2. */
double scr_sweep_box(Problem *problem, const Order *order, size_t box, bool columns,
                     double (*alone)(Problem *problem, size_t row), const RowMomentum *momentum,
                     double *square);

/* Bytes of work space, Problem.packets, for so many rows in this order: the columns of law rows, and
 * of which sort each packet is. 0 if all rows are plain and no body is split. */
size_t scr_packet_room(const Problem *problem, const Order *order, size_t rows);

/* A sweep reads rows fastest when each full packet is stored as columns, in the memory of its
 * records: PACKET_ROWS numbers of one member of Row, then those of the next. These functions turn
 * all full packets whose rows are updated together into columns, and back into records. Each takes
 * about half as long as a sweep. While rows are columns, only the sweep can read them. Law rows are
 * copied into columns of their own. */
void scr_rows_to_columns(Problem *problem, const Order *order, Threads *threads);
void scr_rows_to_records(Problem *problem, const Order *order, Threads *threads);

#endif
