/* Sweeps by the best instructions that the processor has. */
#include "sweep/packet_levels.h"

double scr_sweep_box(Problem *problem, const Order *order, size_t box, bool columns,
                     double (*alone)(Problem *problem, size_t row), const RowMomentum *momentum,
                     double *square) {
    return SIMD_BEST(scr_sweep_box)(problem, order, box, columns, alone, momentum, square);
}

size_t scr_packet_room(const Problem *problem, const Order *order, size_t rows) {
    return SIMD_BEST(scr_packet_room)(problem, order, rows);
}

void scr_rows_to_columns(Problem *problem, const Order *order, Threads *threads) {
    SIMD_BEST(scr_rows_to_columns)(problem, order, threads);
}

void scr_rows_to_records(Problem *problem, const Order *order, Threads *threads) {
    SIMD_BEST(scr_rows_to_records)(problem, order, threads);
}
