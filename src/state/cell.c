#include "state/cell.h"

static Vec3 axis_of(int k) {
    return vec3(k == 0, k == 1, k == 2);
}

Mat3 scr_edges_matrix(const bool periodic[3], const Vec3 edge[3]) {
    const Vec3 column[3] = {periodic[0] ? edge[0] : axis_of(0), periodic[1] ? edge[1] : axis_of(1),
                            periodic[2] ? edge[2] : axis_of(2)};
    return mat3_of_columns(column);
}

Mat3 scr_cell_matrix(const ScreeWorldDef *def) {
    return scr_edges_matrix(def->periodic, def->deform.vector);
}

double scr_cell_volume(const ScreeWorldDef *def) {
    const Mat3 h = scr_cell_matrix(def);
    return fabs(mat3_determinant(&h));
}

double scr_cell_height(const ScreeWorldDef *def) {
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        const double *row = &def->deform.inverse[3 * k];
        if (def->periodic[k]) {
            least = scr_min(least, 1 / length(vec3(row[0], row[1], row[2])));
        }
    }
    return least;
}

void scr_cell_set_edges(ScreeWorldDef *def, const Vec3 edge[3]) {
    ScreeCellDef *c = &def->deform;
    c->tilted = c->deforms; /* whose edges change, and are known better than its corners */
    for (int k = 0; k < 3; k++) {
        c->vector[k] = edge[k];
        for (int i = 0; i < 3; i++) {
            c->tilted = c->tilted || (def->periodic[k] && i != k && component(edge[k], i) != 0);
        }
        if (def->periodic[k]) {
            *component_of(&def->cell_max, k) = component(def->cell_min, k) + component(edge[k], k);
        }
    }
    const Mat3 h = scr_cell_matrix(def), inverse = mat3_inverse(&h);
    mat3_to(&inverse, c->inverse);
}

void scr_cell_complete(ScreeWorldDef *def) {
    Vec3 edge[3];
    for (int k = 0; k < 3; k++) {
        edge[k] = def->deform.vector[k];
        if (edge[k].x == 0 && edge[k].y == 0 && edge[k].z == 0 && def->periodic[k]) {
            edge[k] = scale(component(def->cell_max, k) - component(def->cell_min, k), axis_of(k));
        }
    }
    if (scr_any_periodic(def)) {
        const Vec3 was = def->cell_max;
        scr_cell_set_edges(def, edge);
        def->cell_max = def->deform.tilted ? def->cell_max : was;
    }
}

/* ---------------------------------------------------------------- other edges of the same lattice */

/* A little beyond a half, so that edges at exactly that do not change back and forth. */
static const double half = 0.5 + 1e-7;

/* Takes off the edge `by` as often as it is contained in the edge `of`. */
static bool shorten(Vec3 now[3], Vec3 built[3], int of, int by) {
    double part = dot(now[of], now[by]) / dot(now[by], now[by]);
    if (!(fabs(part) > half)) {
        return false;
    }
    double n = nearbyint(part);
    now[of] = add_scaled(now[of], -n, now[by]);
    built[of] = add_scaled(built[of], -n, built[by]);
    return true;
}

/* Pair by pair, the longer by the shorter, until nothing changes (Lagrange; Semaev in space). */
bool scr_cell_reduce(ScreeWorldDef *def, CellState *cell) {
    enum { MOST_ROUNDS = 64 };
    Vec3 now[3] = {def->deform.vector[0], def->deform.vector[1], def->deform.vector[2]};
    bool any = false, changed = true;
    for (int round = 0; changed && round < MOST_ROUNDS; round++) {
        changed = false;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                bool longer = dot(now[i], now[i]) >= (1 - 1e-9) * dot(now[j], now[j]);
                if (i != j && def->periodic[i] && def->periodic[j] && longer) {
                    changed = shorten(now, cell->built, i, j) || changed;
                }
            }
        }
        any = any || changed;
    }
    if (any) {
        scr_cell_set_edges(def, now);
    }
    return any;
}

/* ---------------------------------------------------------------- frames and maps */

CellFrame scr_cell_frame(const ScreeWorldDef *def, const Vec3 edge[3]) {
    const Mat3 h = scr_edges_matrix(def->periodic, edge);
    CellFrame f = {.to = mat3_inverse(&h), .from = h, .corner = def->cell_min};
    for (int k = 0; k < 3; k++) {
        double height = 1 / length(mat3_row(&f.to, k));
        *component_of(&f.side, k) = height;
        for (int i = 0; i < 3; i++) {
            f.to.m[k][i] *= height;
            f.from.m[i][k] /= height;
        }
    }
    return f;
}

/* |F x|^2 = x . (F^T F) x, and Gershgorin's circles bound the eigenvalues of F^T F. It is exact for
 * stretches along the axes, and of first order in simple shear. */
double scr_least_stretch(const Mat3 *map) {
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        double edge = 0;
        for (int j = 0; j < 3; j++) {
            double product = map->m[0][i] * map->m[0][j] + map->m[1][i] * map->m[1][j] +
                             map->m[2][i] * map->m[2][j];
            edge += i == j ? product : -fabs(product);
        }
        least = scr_min(least, edge);
    }
    return least > 0 ? sqrt(least) : 0;
}

bool scr_cell_is_free(const ScreeCellDef *cell) {
    bool any = cell->deforms && cell->isotropic;
    for (int i = 0; i < 9; i++) {
        any = any || (cell->deforms && cell->control[i] == SCREE_CELL_STRESS);
    }
    return any;
}

/* The projection on the free rates; see the table in docs/cell.md. */
Mat3 scr_cell_free_part(const ScreeCellDef *cell, const bool periodic[3], Mat3 x) {
    Mat3 part = mat3_diagonal(0, 0, 0);
    if (cell->isotropic) {
        double trace = 0, directions = 0;
        for (int k = 0; k < 3; k++) {
            trace += periodic[k] ? x.m[k][k] : 0;
            directions += periodic[k];
        }
        for (int k = 0; k < 3; k++) {
            part.m[k][k] = periodic[k] ? trace / directions : 0;
        }
        return part;
    }
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            if (cell->control[3 * i + j] != SCREE_CELL_STRESS) {
                continue;
            }
            part.m[i][j] = x.m[i][j];
            if (i != j && cell->symmetric) {
                part.m[i][j] = part.m[j][i] = 0.5 * (x.m[i][j] + x.m[j][i]);
            }
        }
    }
    return part;
}

void scr_cell_wrap(const ScreeWorldDef *def, const CellState *cell, Vec3 *position, Vec3 *anchor) {
    const ScreeCellDef *c = &def->deform;
    Vec3 from_middle = sub(*position, def->cell_min);
    for (int k = 0; k < 3; k++) {
        from_middle = def->periodic[k] ? add_scaled(from_middle, -0.5, c->vector[k]) : from_middle;
    }
    for (int k = 0; k < 3; k++) {
        const double *row = &c->inverse[3 * k];
        double n = nearbyint(dot(vec3(row[0], row[1], row[2]), from_middle));
        if (def->periodic[k] && n != 0) {
            *position = add_scaled(*position, -n, c->vector[k]);
            *anchor = add_scaled(*anchor, -n, cell->built[k]);
        }
    }
}
