/* The periodic cell of a frame, which may have deformed since the run began. */
#include "io/run/file.h"

#include <math.h>

bool run_cell_is_oblique(const RunHeader *header, const RunFrame *frame) {
    bool oblique = false;
    for (int k = 0; k < 9; k++) {
        oblique = oblique || (header->periodic[k / 3] && k % 4 != 0 && frame->cell.edge[k] != 0);
    }
    return oblique;
}

static double across(const double a[3], const double b[3], int k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    return a[i] * b[j] - a[j] * b[i];
}

/* How many edges along each direction a vector is long; the unit vector stands in for an edge along a
 * direction that is not periodic. */
static void in_edges(const double edge[3][3], const double d[3], double n[3]) {
    double volume = 0;
    for (int k = 0; k < 3; k++) {
        volume += edge[0][k] * across(edge[1], edge[2], k);
    }
    for (int i = 0; i < 3; i++) {
        n[i] = 0;
        for (int k = 0; k < 3; k++) {
            n[i] += d[k] * across(edge[(i + 1) % 3], edge[(i + 2) % 3], k) / volume;
        }
    }
}

void run_cell_edges(const RunHeader *header, const RunFrame *frame, double edge[3][3]) {
    for (int k = 0; k < 3; k++) {
        bool known = false;
        for (int i = 0; i < 3; i++) {
            edge[k][i] = header->periodic[k] ? frame->cell.edge[3 * k + i] : i == k;
            known = known || edge[k][i] != 0;
        }
        edge[k][k] = known ? edge[k][k] : header->cell_max[k] - header->cell_min[k];
    }
}

void run_nearest_image(const RunHeader *header, const RunFrame *frame, const double from[3],
                       double at[3]) {
    double edge[3][3], d[3], n[3];
    run_cell_edges(header, frame, edge);
    for (int k = 0; k < 3; k++) {
        d[k] = at[k] - from[k];
    }
    in_edges((const double(*)[3])edge, d, n);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3 && header->periodic[i]; k++) {
            at[k] -= round(n[i]) * edge[i][k];
        }
    }
}
