/* The periodic cell: its edges, nearest images, and how they follow its rate. A cell along the axes
 * that does not deform is described by cell_min and cell_max alone. */
#ifndef SCREE_STATE_CELL_H
#define SCREE_STATE_CELL_H

#include "math/mat3.h"

/* What a step needs of the cell beside the definition. */
typedef struct CellState {
    Vec3 built[3];    /* the edges when the neighbour list was made, in whose frame anchors are */
    double strain[9]; /* the time integral of L */
    double stress[9]; /* of the last step, positive in compression */
} CellState;

static inline bool scr_any_periodic(const ScreeWorldDef *def) {
    return def->periodic[0] || def->periodic[1] || def->periodic[2];
}

/* Edges as a matrix. Along a direction that is not periodic: the unit vector. */
Mat3 scr_edges_matrix(const bool periodic[3], const Vec3 edge[3]);
Mat3 scr_cell_matrix(const ScreeWorldDef *def);

/* Area or volume. */
double scr_cell_volume(const ScreeWorldDef *def);

/* The least distance of opposite faces of the cell; infinite without periodic directions. */
double scr_cell_height(const ScreeWorldDef *def);

/* Takes new edges, and all that follows from them. Makes cell_max follow: where edges are along the
 * axes it is the opposite corner. */
void scr_cell_set_edges(ScreeWorldDef *def, const Vec3 edge[3]);

/* Fills in the edges that have not been given. */
void scr_cell_complete(ScreeWorldDef *def);

/* Chooses shorter edges of the same lattice where some are far from perpendicular, for `def` and, by
 * the same integers, for the edges that were there when the list was made. Any two points have the
 * same images as before. Returns whether anything has changed. */
bool scr_cell_reduce(ScreeWorldDef *def, CellState *cell);

/* Coordinates along the normals of the cell's faces. No two points are farther apart along any of
 * them than they are, and images repeat after the distance of the faces: so whatever sorts points
 * along axes works in them. */
typedef struct CellFrame {
    Mat3 to;   /* from a position to them, after the corner is taken off */
    Mat3 from; /* and back */
    Vec3 corner, side;
} CellFrame;

CellFrame scr_cell_frame(const ScreeWorldDef *def, const Vec3 edge[3]);

/* The least factor by which a map can shorten a vector, from below; 0 when it may be anything. */
double scr_least_stretch(const Mat3 *map);

/* The part of a matrix that lies in the components whose stress is held. */
Mat3 scr_cell_free_part(const ScreeCellDef *cell, const bool periodic[3], Mat3 x);

/* Whether there are any. */
bool scr_cell_is_free(const ScreeCellDef *cell);

static inline Vec3 scr_nearest_tilted(const ScreeWorldDef *def, Vec3 d) {
    const ScreeCellDef *c = &def->deform;
    const Vec3 whole = d;
    for (int k = 0; k < 3; k++) {
        if (def->periodic[k]) {
            const double *row = &c->inverse[3 * k];
            double n = nearbyint(row[0] * whole.x + row[1] * whole.y + row[2] * whole.z);
            d = add_scaled(d, -n, c->vector[k]);
        }
    }
    return d;
}

/* Along one edge of length l. Most pairs do not meet across the border: |d| <= l / 2 is true, then d / l
 * rounds to no more than 1/2, and that to zero, so nothing is to be divided or rounded. What is left of
 * d - l 0 is d; only -0 becomes +0, as it does here. */
static inline double scr_nearest_along(double l, double d) {
    return fabs(d) <= 0.5 * l ? d + 0.0 : d - l * nearbyint(d / l);
}

/* The shortest periodic image of a difference of positions, also while the cell is unfolded. */
static inline Vec3 scr_shortest_image(const ScreeWorldDef *def, Vec3 d) {
    if (def->deform.tilted) {
        return scr_nearest_tilted(def, d);
    }
    if (def->periodic[0]) {
        d.x = scr_nearest_along(def->cell_max.x - def->cell_min.x, d.x);
    }
    if (def->periodic[1]) {
        d.y = scr_nearest_along(def->cell_max.y - def->cell_min.y, d.y);
    }
    if (def->periodic[2]) {
        d.z = scr_nearest_along(def->cell_max.z - def->cell_min.z, d.z);
    }
    return d;
}

/* The same; where the cell is unfolded (images.h) every image is a body of its own. */
static inline Vec3 scr_nearest_image(const ScreeWorldDef *def, Vec3 d) {
    return def->deform.unfolded ? d : scr_shortest_image(def, d);
}

/* Back into a cell whose edges are given; the anchor goes along, by as many edges of the cell that it
 * belongs to, so that the distance moved since the list was made stays true. */
void scr_cell_wrap(const ScreeWorldDef *def, const CellState *cell, Vec3 *position, Vec3 *anchor);

#endif
