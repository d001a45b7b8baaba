#include "scene/make/grid.h"

#include "math/elementary.h"
#include "scene/make/clear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool scene_grid_make(SceneGrid *grid, const SceneModel *model, const SceneForms *forms,
                     size_t capacity, double largest) {
    memset(grid, 0, sizeof *grid);
    size_t buckets = 16;
    while (buckets < 2 * capacity) {
        buckets *= 2;
    }
    grid->balls = calloc(capacity + 1, sizeof *grid->balls);
    grid->next = calloc(capacity + 1, sizeof *grid->next);
    grid->head = malloc(buckets * sizeof *grid->head);
    if (!grid->balls || !grid->next || !grid->head) {
        scene_grid_free(grid);
        return false;
    }
    memset(grid->head, 0xFF, buckets * sizeof *grid->head);
    grid->forms = forms;
    grid->capacity = capacity;
    grid->mask = buckets - 1;
    grid->largest = largest;
    grid->dimension = (int)model->dimension;
    for (int k = 0; k < 3; k++) {
        const SceneSpan *span = &model->periodic.axis[k];
        grid->periodic[k] = span->given;
        grid->low[k] = span->from;
        grid->length[k] = span->to - span->from;
    }
    return true;
}

void scene_grid_free(SceneGrid *grid) {
    free(grid->balls);
    free(grid->next);
    free(grid->head);
    memset(grid, 0, sizeof *grid);
}

static int level_of(const SceneGrid *grid, double radius) {
    double top = grid->largest;
    int level = 0;
    while (level + 1 < GRID_LEVELS && radius * 2 <= top) {
        top /= 2;
        level++;
    }
    return level;
}

/* Cells along one direction: their width, and how many there are when it is periodic. */
typedef struct Cells {
    double low, width;
    int64_t count; /* 0: without end */
} Cells;

static Cells cells_of(const SceneGrid *grid, int level, int axis) {
    double width = 2 * ldexp(grid->largest, -level);
    if (!grid->periodic[axis]) {
        return (Cells){0, width, 0};
    }
    double n = scr_min(scr_max(floor(grid->length[axis] / width), 1), 1e9);
    return (Cells){grid->low[axis], grid->length[axis] / n, (int64_t)n};
}

static int64_t cell_at(const Cells *cells, double x) {
    return (int64_t)scr_min(scr_max(floor((x - cells->low) / cells->width), -1e15), 1e15);
}

static size_t bucket(const SceneGrid *grid, int level, const int64_t cell[3]) {
    uint64_t h = scene_mix((uint64_t)cell[0] * 0x9E3779B97F4A7C15u + (uint64_t)level);
    h = scene_mix(h ^ (uint64_t)cell[1]);
    h = scene_mix(h ^ (uint64_t)cell[2]);
    return (size_t)h & grid->mask;
}

static int64_t wrapped(int64_t i, int64_t n) {
    return n > 0 ? ((i % n) + n) % n : i;
}

void scene_grid_add(SceneGrid *grid, SceneGrain ball) {
    int level = level_of(grid, ball.r);
    const double x[3] = {ball.x.x, ball.x.y, ball.x.z};
    int64_t cell[3];
    for (int k = 0; k < 3; k++) {
        Cells cells = cells_of(grid, level, k);
        cell[k] = wrapped(cell_at(&cells, x[k]), cells.count);
    }
    size_t b = bucket(grid, level, cell), i = grid->count++;
    grid->balls[i] = ball;
    grid->next[i] = grid->head[b];
    grid->head[b] = (int32_t)i;
    grid->in_level[level]++;
}

/* For large outlines more images across a periodic direction than the nearest one may matter. */
static bool images_clear(const SceneGrid *grid, const SceneGrain *a, const SceneGrain *b,
                         const double d[3]) {
    const int along[3] = {grid->periodic[0], grid->periodic[1], grid->periodic[2]};
    double reach = a->r + b->r;
    for (int i = -along[0]; i <= along[0]; i++) {
        for (int j = -along[1]; j <= along[1]; j++) {
            for (int k = -along[2]; k <= along[2]; k++) {
                ScreeVec3 to = {d[0] + i * grid->length[0], d[1] + j * grid->length[1],
                                d[2] + k * grid->length[2]};
                if (to.x * to.x + to.y * to.y + to.z * to.z < reach * reach &&
                    !scene_outlines_clear(grid->forms, a, b, to)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* Across a periodic direction the nearest image counts. */
static bool apart(const SceneGrid *grid, const SceneGrain *a, const SceneGrain *b) {
    double d[3] = {b->x.x - a->x.x, b->x.y - a->x.y, b->x.z - a->x.z};
    for (int k = 0; k < 3; k++) {
        if (grid->periodic[k]) {
            d[k] -= grid->length[k] * floor(d[k] / grid->length[k] + 0.5);
        }
    }
    double reach = a->r + b->r;
    bool far = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] >= reach * reach;
    bool round = a->form < 0 && b->form < 0;
    return far || (!round && images_clear(grid, a, b, d));
}

static bool cell_free(const SceneGrid *grid, int level, const int64_t cell[3],
                      const SceneGrain *ball) {
    for (int32_t i = grid->head[bucket(grid, level, cell)]; i >= 0; i = grid->next[i]) {
        if (!apart(grid, ball, &grid->balls[i])) {
            return false;
        }
    }
    return true;
}

static bool all_free(const SceneGrid *grid, const SceneGrain *ball) {
    for (size_t i = 0; i < grid->count; i++) {
        if (!apart(grid, ball, &grid->balls[i])) {
            return false;
        }
    }
    return true;
}

static bool level_free(const SceneGrid *grid, int level, const SceneGrain *ball) {
    double reach = ball->r + ldexp(grid->largest, -level);
    const double x[3] = {ball->x.x, ball->x.y, ball->x.z};
    int64_t from[3], to[3], n[3], cell[3];
    double visits = 1;
    for (int k = 0; k < 3; k++) {
        Cells cells = cells_of(grid, level, k);
        n[k] = cells.count;
        from[k] = cell_at(&cells, x[k] - reach);
        to[k] = cell_at(&cells, x[k] + reach);
        if (n[k] > 0 && to[k] - from[k] >= n[k]) {
            from[k] = 0;
            to[k] = n[k] - 1;
        }
        if (k == 2 && grid->dimension == 2) {
            from[k] = to[k] = cell_at(&cells, x[k]);
        }
        visits *= (double)(to[k] - from[k] + 1);
    }
    if (visits > (double)grid->count) {
        return all_free(grid, ball); /* a large ball among few or very small ones */
    }
    for (int64_t i = from[0]; i <= to[0]; i++) {
        cell[0] = wrapped(i, n[0]);
        for (int64_t j = from[1]; j <= to[1]; j++) {
            cell[1] = wrapped(j, n[1]);
            for (int64_t k = from[2]; k <= to[2]; k++) {
                cell[2] = wrapped(k, n[2]);
                if (!cell_free(grid, level, cell, ball)) {
                    return false;
                }
            }
        }
    }
    return true;
}

bool scene_grid_free_at(const SceneGrid *grid, SceneGrain ball) {
    for (int level = 0; level < GRID_LEVELS; level++) {
        if (grid->in_level[level] > 0 && !level_free(grid, level, &ball)) {
            return false;
        }
    }
    return true;
}
