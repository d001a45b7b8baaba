/* The angle of repose: how steeply the surface of a heap falls from its axis outwards.
 *
 * The surface is the highest point of any body in a window of some width about each place. A line
 * alone would look through gaps at grains deep below. The top of a window lies above the surface in
 * its middle: by up to half its width uphill, by the grains that stick out most, and by what a sphere
 * of radius r has above the plane through the centres, r / cos of the angle. On a flank all of that is
 * the same everywhere, and a constant does not change a slope. It is not the same at the apex, which
 * the window rounds off, nor at the foot, where it sees the floor: both are left out.
 *
 * Which part counts is decided by distance from the axis, from means over whole rings. Places chosen
 * by their own height would make the slope too small: of those far out only the high ones would count,
 * of those near the axis only the low ones. */
#include "measure/repose.h"
#include "base/memory.h"

enum { SECTORS = 8, PARTS = 4, CELLS_MOST = 10000000 };

/* Windows are laid out on cells of a quarter of their width, so that they overlap. */
typedef struct Heap {
    const Cap *cap;
    size_t caps;
    bool flat;
    double diameter, width, side; /* of grains, windows, cells */
    size_t parts;                 /* cells in the width of a window */
    double low[2];
    size_t count[2];
    double *cell, *top; /* highest point over a cell; in the window that begins there */
    double axis[2];
    double lowest, highest; /* of the windows */
    size_t rings, from, to; /* as wide as a cell; the flank */
} Heap;

/* Sums over the windows of one ring in one sector. */
typedef struct Sum {
    double windows, distance, height;
} Sum;

/* ---------------------------------------------------------------- windows */

/* Cells have margins, so that windows about the outermost bodies fit in. Where that are too many, they are
 * made larger; false if they cannot be. */
static bool lay_cells(Heap *h) {
    double cells = 1;
    h->side = h->width / (double)h->parts;
    for (int k = 0; k < (h->flat ? 1 : 2); k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < h->caps; i++) {
            low = scr_min(low, h->cap[i].u[k] - h->cap[i].reach[k][0]);
            high = scr_max(high, h->cap[i].u[k] + h->cap[i].reach[k][1]);
        }
        h->low[k] = low - h->width - 0.5 * h->side; /* the edge of a body is not that of a cell */
        double count = floor((high + h->width - h->low[k]) / h->side) + 2;
        h->count[k] = count < 4 * CELLS_MOST ? (size_t)count : 0;
        cells *= count;
    }
    if (cells > CELLS_MOST && h->parts > 1) {
        h->parts /= 2;
        return lay_cells(h);
    }
    return cells < 4 * CELLS_MOST;
}

static size_t cell_at(const Heap *h, int axis, double u) {
    double k = floor((u - h->low[axis]) / h->side);
    return (size_t)scr_max(0, scr_min(k, (double)(h->count[axis] - 1)));
}

static void fill_cells(Heap *h) {
    for (size_t i = 0; i < h->caps; i++) {
        const Cap *c = &h->cap[i];
        size_t first[2], last[2];
        for (int k = 0; k < 2; k++) {
            first[k] = cell_at(h, k, c->u[k] - c->reach[k][0]);
            last[k] = cell_at(h, k, c->u[k] + c->reach[k][1]);
        }
        for (size_t j = first[1]; j <= last[1]; j++) {
            for (size_t k = first[0]; k <= last[0]; k++) {
                double at[2],
                    low[2] = {h->low[0] + h->side * (double)k, h->low[1] + h->side * (double)j};
                double high[2] = {low[0] + h->side, low[1] + h->side};
                double *cell = &h->cell[j * h->count[0] + k];
                *cell = scr_max(*cell, scr_cap_above(c, low, high, at));
            }
        }
    }
}

/* Whether there is something below both ends of a window, along each axis. Others reach beyond the heap,
 * where they would show the rounding of its last grains; and a grain that lies alone has none. */
static bool covered(const Heap *h, size_t k, size_t j) {
    const double *first = &h->cell[j * h->count[0] + k];
    const size_t last = h->parts - 1, mid = h->parts / 2, row = h->flat ? 0 : h->count[0];
    return first[mid * row] > -INFINITY && first[mid * row + last] > -INFINITY &&
           first[mid * (row > 0)] > -INFINITY && first[mid * (row > 0) + last * row] > -INFINITY;
}

/* The highest point in the window that begins at a cell. In space windows are round, so that they
 * lift a cone alike in all directions. */
static double window_top(const Heap *h, size_t k, size_t j) {
    const size_t rows = h->flat ? 1 : h->parts;
    const double *first = &h->cell[j * h->count[0] + k], centre = 0.5 * (double)(h->parts - 1);
    double top = -INFINITY;
    for (size_t b = 0; b < rows; b++) {
        for (size_t a = 0; a < h->parts; a++) {
            double x = (double)a - centre, y = h->flat ? 0 : (double)b - centre;
            if (4 * (x * x + y * y) <= (double)(h->parts * h->parts)) {
                top = scr_max(top, first[b * h->count[0] + a]);
            }
        }
    }
    return top;
}

static void fill_windows(Heap *h) {
    const size_t rows = h->flat ? 1 : h->parts;
    h->lowest = INFINITY;
    h->highest = -INFINITY;
    for (size_t j = 0; j + rows <= h->count[1]; j++) {
        for (size_t k = 0; k + h->parts <= h->count[0]; k++) {
            double top = covered(h, k, j) ? window_top(h, k, j) : -INFINITY;
            h->top[j * h->count[0] + k] = top;
            h->lowest = top > -INFINITY ? scr_min(h->lowest, top) : h->lowest;
            h->highest = scr_max(h->highest, top);
        }
    }
}

/* The middle of a window. */
static void middle(const Heap *h, size_t window, double u[2]) {
    u[0] = h->low[0] + h->side * (double)(window % h->count[0]) + 0.5 * h->width;
    u[1] = h->flat ? 0 : h->low[1] + h->side * (double)(window / h->count[0]) + 0.5 * h->width;
}

/* ---------------------------------------------------------------- rings */

/* The axis goes through the centre of what rises above a third of the height, which grains that lie
 * about beyond the foot do not move. */
static void find_axis(Heap *h) {
    const double third = h->lowest + (h->highest - h->lowest) / 3;
    double weight = 0, sum[2] = {0, 0}, u[2];
    for (size_t w = 0; w < h->count[0] * h->count[1]; w++) {
        double above = h->top[w] - third;
        if (above > 0) {
            middle(h, w, u);
            weight += above;
            sum[0] += above * (u[0] - h->low[0]);
            sum[1] += above * (u[1] - h->low[1]);
        }
    }
    for (int k = 0; k < 2; k++) {
        h->axis[k] = h->low[k] + (weight > 0 ? sum[k] / weight : 0);
    }
}

/* The two sides in the plane, in space eight of 45 degrees. */
static size_t sector(double x, double y) {
    return (size_t)(x < 0) + 2 * (size_t)(y < 0) + 4 * (size_t)(fabs(x) < fabs(y));
}

static void fill_rings(const Heap *h, Sum *ring) {
    for (size_t w = 0; w < h->count[0] * h->count[1]; w++) {
        if (h->top[w] > -INFINITY) {
            double u[2];
            middle(h, w, u);
            double x = u[0] - h->axis[0], y = h->flat ? 0 : u[1] - h->axis[1],
                   distance = scr_hypot(x, y);
            size_t k = (size_t)(distance / h->side);
            Sum *sum = &ring[sector(x, y) * h->rings + (k < h->rings ? k : h->rings - 1)];
            sum->windows++;
            sum->distance += distance;
            sum->height += h->top[w] - h->lowest;
        }
    }
}

/* The mean height about a ring, over the width of a window; -INFINITY where nothing is. */
static double mean_height(const Heap *h, const Sum *ring, size_t k) {
    size_t half = h->parts / 2, from = k > half ? k - half : 0;
    double windows = 0, height = 0;
    for (size_t s = 0; s < SECTORS; s++) {
        for (size_t i = from; i <= k + half && i < h->rings; i++) {
            windows += ring[s * h->rings + i].windows;
            height += ring[s * h->rings + i].height;
        }
    }
    return windows > 0 ? height / windows : -INFINITY;
}

/* The flank begins where the mean height of rings falls below four fifths, from the lowest ring to the
 * highest, and ends where it falls below one fifth, at the first place: what lies about farther out does
 * not count. A surface that rises by less than a grain has no apex and no foot, and counts as a
 * whole. */
static void find_flank(Heap *h, const Sum *ring) {
    size_t top = 0;
    double least = INFINITY, most = -INFINITY;
    for (size_t k = 0; k < h->rings; k++) {
        double height = mean_height(h, ring, k);
        least = height > -INFINITY ? scr_min(least, height) : least;
        top = height > most ? k : top;
        most = scr_max(most, height);
    }
    h->from = 0;
    h->to = h->rings;
    if (!(most - least >= h->diameter)) {
        return;
    }
    double begin = most - 0.2 * (most - least), end = least + 0.2 * (most - least);
    for (h->from = top; h->from < h->rings && mean_height(h, ring, h->from) > begin;) {
        h->from++;
    }
    for (h->to = h->from; h->to < h->rings && mean_height(h, ring, h->to) > end;) {
        h->to++;
    }
    h->from = h->from < h->parts / 2 ? h->parts / 2 : h->from;
}

/* ---------------------------------------------------------------- the fit */

/* The fit of height = c + g distance, with one g for all sectors and a c for each, so that an axis that
 * is a little off does no harm: it lifts one side and lowers the other. Rings count alike. */
typedef struct Flank {
    double n, x, y; /* rings with windows, means of distance and height over them */
    double xx, xy;  /* second moments about these */
} Flank;

static bool ring_point(const Heap *h, const Sum *ring, size_t s, size_t k, double *x, double *y) {
    const Sum *sum = &ring[s * h->rings + k];
    if (!(sum->windows > 0)) {
        return false;
    }
    *x = sum->distance / sum->windows;
    *y = sum->height / sum->windows;
    return true;
}

static Flank fit_sector(const Heap *h, const Sum *ring, size_t s) {
    Flank f = {0};
    double x, y;
    for (size_t k = h->from; k < h->to; k++) {
        if (ring_point(h, ring, s, k, &x, &y)) {
            f.n++;
            f.x += (x - f.x) / f.n;
            f.y += (y - f.y) / f.n;
        }
    }
    for (size_t k = h->from; k < h->to; k++) {
        if (ring_point(h, ring, s, k, &x, &y)) {
            f.xx += (x - f.x) * (x - f.x);
            f.xy += (x - f.x) * (y - f.y);
        }
    }
    return f;
}

/* With Q = sum of (x - mean x)(height - line) and X = sum of (x - mean x)^2, the slope is off by the sum
 * of Q over that of X. If Q falls into n parts that know nothing of each other, of which the fit has
 * used p numbers, the variance of their sum is n / (n - p) times the sum of their squares. */
static double variance_of_sum(double squares, double n, double used) {
    return n > used ? n / (n - used) * squares : 0;
}

/* Parts are the sectors. */
static double variance_by_sectors(const Flank *f, double g) {
    double squares = 0, n = 0;
    for (size_t s = 0; s < SECTORS; s++) {
        double q = f[s].xy - g * f[s].xx;
        squares += q * q;
        n += f[s].xx > 0;
    }
    return variance_of_sum(squares, n, 1);
}

/* In the plane there are but two. Parts are then pieces of the flanks, as long as a window and a grain:
 * windows farther apart see different grains. */
static double variance_by_pieces(const Heap *h, const Sum *ring, const Flank *f, double g) {
    const size_t length = (size_t)ceil((h->width + h->diameter) / h->side);
    double squares = 0, n = 0, used = 1;
    for (size_t s = 0; s < SECTORS; s++) {
        used += f[s].xx > 0;
        for (size_t first = h->from; f[s].xx > 0 && first < h->to; first += length) {
            double q = 0, x, y;
            for (size_t k = first; k < first + length && k < h->to; k++) {
                if (ring_point(h, ring, s, k, &x, &y)) {
                    q += (x - f[s].x) * (y - f[s].y - g * (x - f[s].x));
                }
            }
            squares += q * q;
            n++;
        }
    }
    return variance_of_sum(squares, n, used);
}

/* What a few grains say about their scatter may be little by chance. The top of a window is that of some
 * grain and lies anywhere within half a diameter, with a variance of d^2 / 48. Windows closer than
 * their width and a grain have the same: so many rings, and in space so many sectors, act as one. */
static double variance_by_grains(const Heap *h, double xx) {
    const double alike = h->width + h->diameter,
                 arc = M_PI / 4 * h->side * 0.5 * (double)(h->from + h->to);
    return h->diameter * h->diameter / 48 * xx * (alike / h->side) * (h->flat ? 1 : alike / arc);
}

static Repose fit_flank(const Heap *h, const Sum *ring) {
    Flank f[SECTORS];
    double xx = 0, xy = 0;
    for (size_t s = 0; s < SECTORS; s++) {
        f[s] = fit_sector(h, ring, s);
        xx += f[s].xx;
        xy += f[s].xy;
    }
    if (!(xx > 0)) {
        return (Repose){NAN, NAN};
    }
    double g = xy / xx;
    double variance = scr_max(variance_by_grains(h, xx), variance_by_sectors(f, g));
    if (h->flat) {
        variance = scr_max(variance, variance_by_pieces(h, ring, f, g));
    }
    const double degree = 180 / M_PI; /* and d atan(g) = dg / (1 + g^2) */
    return (Repose){degree * scr_atan(-g), degree * sqrt(variance) / xx / (1 + g * g)};
}

static Repose fit(Heap *h, Sum *ring) {
    for (size_t k = 0; k < h->count[0] * h->count[1]; k++) {
        h->cell[k] = h->top[k] = -INFINITY;
    }
    for (size_t k = 0; k < SECTORS * h->rings; k++) {
        ring[k] = (Sum){0};
    }
    fill_cells(h);
    fill_windows(h);
    find_axis(h);
    fill_rings(h, ring);
    find_flank(h, ring);
    return fit_flank(h, ring);
}

ScreeStatus scr_repose_fit(const Cap *cap, size_t caps, bool flat, double diameter, double width,
                           Repose *repose, char *message) {
    Heap h = {cap, caps, flat, diameter, width, .parts = PARTS, .low = {0, 0}, .count = {1, 1}};
    Block cells = {0}, rings = {0};
    *repose = (Repose){NAN, NAN};
    if (caps < 3) {
        return SCREE_OK;
    }
    if (!lay_cells(&h)) {
        return scr_fail(
            message, SCREE_BAD_ARGUMENT,
            "columns of width %g are too narrow for these bodies: choose a greater width", width);
    }
    const size_t count = h.count[0] * h.count[1];
    h.rings = h.count[0] + h.count[1];
    bool room = scr_block_reserve_exact(&cells, 2 * count, sizeof(double), 0) &&
                scr_block_reserve_exact(&rings, SECTORS * h.rings, sizeof(Sum), 0);
    if (room) {
        h.cell = cells.data;
        h.top = h.cell + count;
        *repose = fit(&h, rings.data);
    }
    SCR_FREE_BLOCKS(&cells, &rings);
    return room ? SCREE_OK : scr_no_memory(message);
}
