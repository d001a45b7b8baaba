/* The kernels of packets for each level of vector instructions (math/simd.h). */
#ifndef SCREE_SWEEP_PACKET_LEVELS_H
#define SCREE_SWEEP_PACKET_LEVELS_H

#include "math/simd.h"
#include "sweep/packets.h"

SIMD_VARIANTS(double, scr_sweep_box,
              (Problem *, const Order *, size_t box, bool columns,
               double (*alone)(Problem *, size_t row), const RowMomentum *, double *square))
SIMD_VARIANTS(size_t, scr_packet_room, (const Problem *, const Order *, size_t rows))
SIMD_VARIANTS(void, scr_rows_to_columns, (Problem *, const Order *, Threads *))
SIMD_VARIANTS(void, scr_rows_to_records, (Problem *, const Order *, Threads *))

#endif
