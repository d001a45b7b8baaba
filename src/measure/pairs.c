#include "measure/of_sample.h"
#include "base/memory.h"
#include "measure/overlap.h"

#include <string.h>

/* Of N points distributed uniformly over the volume V, each sees on average (N - 1) v / V others in
 * a shell, where v is the part of the shell inside the volume. So
 *     g = number of (ordered) pairs in the shell / sum over points of (N - 1) v_i / V,
 * and since v_i is exact, nothing has to be left out near the border. Along periodic directions
 * that the region does not cut, the shell is whole and distances are those of nearest images. */
typedef struct Point {
    double x[3]; /* from the lower corner of the volume */
} Point;

typedef struct Points {
    size_t count;
    Point *point; /* cell by cell */
    int d;
    double side[3]; /* of the volume */
    bool round[3];  /* periodic, and not cut */
    size_t cells[3];
    size_t *start; /* points of cell c are start[c] to start[c + 1] - 1 */
    Block point_block, sorted_block, start_block;
} Points;

/* The volume in which centres can lie: that of the region and, where it is unbounded, as far as
 * there are centres. */
static void find_volume(const Region *r, Points *p, double low[3]) {
    const ScreeSample *s = r->sample;
    double high[3];
    for (int k = 0; k < 3; k++) {
        bool open = !r->cut[k] && r->side[k] == 0;
        low[k] = open ? INFINITY : r->low[k];
        high[k] = open ? -INFINITY : r->high[k];
        for (size_t i = 0; open && i < s->bodies; i++) {
            low[k] = scr_min(low[k], component(s->position[i], k));
            high[k] = scr_max(high[k], component(s->position[i], k));
        }
        p->side[k] = high[k] - low[k];
        p->round[k] = !r->cut[k] && r->side[k] > 0;
    }
}

/* The centres in the region, relative to the corner of the volume. */
static void collect(const Region *r, Points *p) {
    const ScreeSample *s = r->sample;
    double low[3];
    p->d = s->dimension;
    find_volume(r, p, low);
    for (size_t i = 0; i < s->bodies; i++) {
        if (!scr_point_in_region(r, s->position[i])) {
            continue;
        }
        double x[3];
        to_array(s->position[i], x);
        for (int k = 0; k < 3; k++) {
            x[k] -= low[k];
            x[k] -= r->side[k] > 0 ? r->side[k] * floor(x[k] / r->side[k]) : 0;
        }
        p->point[p->count++] = (Point){{x[0], x[1], p->d == 3 ? x[2] : 0}};
    }
}

/* ---------------------------------------------------------------- cells */

/* Cells at least as wide as the largest distance, and not many more of them than points. With only
 * two around a periodic direction a pair would be seen twice, so there are three or one. */
static void choose_cells(Points *p, double most) {
    double longest = scr_cbrt((double)p->count) + 1;
    for (int k = 0; k < 3; k++) {
        double n = k < p->d ? floor(scr_min(p->side[k] / most, longest)) : 1;
        p->cells[k] = n >= (p->round[k] ? 3 : 1) ? (size_t)n : 1;
    }
}

static size_t cell_of(const Points *p, const Point *at) {
    size_t cell = 0;
    for (int k = p->d - 1; k >= 0; k--) {
        size_t n = p->cells[k], c = n > 1 ? (size_t)(at->x[k] / p->side[k] * (double)n) : 0;
        cell = cell * n + (c < n ? c : n - 1);
    }
    return cell;
}

/* Sorts the points by cell, by counting. */
static void sort_points(Points *p) {
    size_t total = p->cells[0] * p->cells[1] * p->cells[2];
    Point *sorted = p->sorted_block.data;
    memset(p->start, 0, (total + 2) * sizeof *p->start);
    for (size_t i = 0; i < p->count; i++) {
        p->start[cell_of(p, &p->point[i]) + 2]++;
    }
    for (size_t c = 2; c < total + 2; c++) {
        p->start[c] += p->start[c - 1];
    }
    for (size_t i = 0; i < p->count; i++) { /* start[c + 1] moves from the start of c to its end */
        sorted[p->start[cell_of(p, &p->point[i]) + 1]++] = p->point[i];
    }
    p->point = sorted;
}

static double distance(const Points *p, const Point *a, const Point *b) {
    double square = 0;
    for (int k = 0; k < p->d; k++) {
        double x = b->x[k] - a->x[k];
        x -= p->round[k] ? p->side[k] * nearbyint(x / p->side[k]) : 0;
        square += x * x;
    }
    return sqrt(square);
}

static void count_between(const Points *p, size_t a, size_t b, double most, ScreeBin *bin,
                          size_t bins) {
    for (size_t i = p->start[a]; i < p->start[a + 1]; i++) {
        for (size_t j = a == b ? i + 1 : p->start[b]; j < p->start[b + 1]; j++) {
            double r = distance(p, &p->point[i], &p->point[j]);
            size_t k = r < most ? (size_t)(r / most * (double)bins) : bins;
            if (k < bins) {
                bin[k].count += 2;
            }
        }
    }
}

/* The cell reached from `cell` by the steps that `code` stands for, -1 to 1 along each axis; false
 * when there is none. */
static bool next_cell(const Points *p, size_t cell, int code, size_t *next) {
    size_t factor = 1;
    *next = 0;
    for (int k = 0; k < 3; k++, code /= 3) {
        size_t n = p->cells[k], c = cell % n;
        int step = code % 3 - 1;
        cell /= n;
        bool leaves = (step < 0 && c == 0) || (step > 0 && c + 1 == n);
        if (step != 0 && (n == 1 || (leaves && !p->round[k]))) {
            return false;
        }
        c = step == 0 ? c : step > 0 ? (c + 1) % n : (c + n - 1) % n;
        *next += factor * c;
        factor *= n;
    }
    return true;
}

/* Every two adjacent cells are visited once, from the one with the lower number. */
static void count_pairs(const Points *p, double most, ScreeBin *bin, size_t bins) {
    size_t total = p->cells[0] * p->cells[1] * p->cells[2];
    for (size_t c = 0; c < total; c++) {
        for (int code = 0; code < 27; code++) {
            size_t next = 0;
            if (next_cell(p, c, code, &next) && next >= c) {
                count_between(p, c, next, most, bin, bins);
            }
        }
    }
}

static double seen_volume(const Points *p, const Point *at, double r) {
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = p->round[k] ? -INFINITY : -at->x[k];
        high[k] = p->round[k] ? INFINITY : p->side[k] - at->x[k];
    }
    return p->d == 2 ? scr_disk_in_box(r, low, high) : scr_ball_in_box(r, low, high);
}

/* On entry `count` is that of ordered pairs, on return that of pairs. */
static void normalise(const Points *p, ScreeBin *bin, size_t bins) {
    double volume = p->d == 3 ? p->side[0] * p->side[1] * p->side[2] : p->side[0] * p->side[1];
    double others = (double)p->count - 1;
    for (size_t k = 0; k < bins; k++) {
        double seen = 0;
        for (size_t i = 0; i < p->count; i++) {
            seen += seen_volume(p, &p->point[i], bin[k].high) -
                    seen_volume(p, &p->point[i], bin[k].low);
        }
        bin[k].density = bin[k].count * volume / (others * seen);
        bin[k].count /= 2;
    }
}

static ScreeStatus correlate(Points *p, double mean_radius, double most, ScreeBin *bin, size_t bins,
                             char *message) {
    double limit = INFINITY;
    for (int k = 0; k < p->d; k++) {
        limit = p->round[k] ? scr_min(limit, 0.5 * p->side[k]) : limit;
    }
    most = most > 0 ? most : scr_min(scr_max(10 * mean_radius, 1e-300), limit);
    if (most > limit) {
        return scr_fail(message, SCREE_BAD_ARGUMENT,
                        "distances must not exceed half the periodic cell, %g", limit);
    }
    scr_empty_bins(bin, bins, most);
    choose_cells(p, most);
    size_t total = p->cells[0] * p->cells[1] * p->cells[2];
    if (!SCR_RESERVE(p, start, total + 2)) {
        return scr_no_memory(message);
    }
    sort_points(p);
    count_pairs(p, most, bin, bins);
    normalise(p, bin, bins);
    return SCREE_OK;
}

ScreeStatus scr_measure_pairs(const Region *r, double most, ScreeBin *bin, size_t bins,
                              char *message) {
    Points p = {0};
    size_t bodies = r->sample->bodies;
    ScreeStatus status = SCREE_OK;
    if (!SCR_RESERVE(&p, point, bodies + 1) ||
        !scr_block_reserve_exact(&p.sorted_block, bodies + 1, sizeof(Point), 0)) {
        status = scr_no_memory(message);
    } else {
        collect(r, &p);
        status = correlate(&p, scr_mean_radius(r->sample), most, bin, bins, message);
    }
    scr_block_free(&p.point_block);
    scr_block_free(&p.sorted_block);
    scr_block_free(&p.start_block);
    return status;
}
