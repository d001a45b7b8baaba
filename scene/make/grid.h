/* Grains indexed by position, to answer the question of random insertion: is there room? */
#ifndef SCREE_SCENE_MAKE_GRID_H
#define SCREE_SCENE_MAKE_GRID_H

#include "scene/make/batch.h"

enum { GRID_LEVELS = 24 };

/* One table for all levels; a level holds the radii within a factor of two, in cells of their size.
 * Grains of different cells may share a chain, because every candidate is measured anyway. */
typedef struct SceneGrid {
    SceneGrain *balls;
    const SceneForms *forms; /* of the grains that are not round */
    int32_t *next;
    int32_t *head;
    size_t count, capacity, mask;
    double largest; /* radius of the first level */
    size_t in_level[GRID_LEVELS];
    bool periodic[3];
    double low[3], length[3]; /* the periodic cell */
    int dimension;
} SceneGrid;

/* False when out of memory. The largest radius must be known beforehand. */
bool scene_grid_make(SceneGrid *grid, const SceneModel *model, const SceneForms *forms,
                     size_t capacity, double largest);
void scene_grid_free(SceneGrid *grid);

void scene_grid_add(SceneGrid *grid, SceneGrain ball);
/* Whether the ball would touch none of those in the grid. */
bool scene_grid_free_at(const SceneGrid *grid, SceneGrain ball);

#endif
