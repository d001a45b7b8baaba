/* Which process has which part of space. Space is cut in two again and again, so that each part has as
 * many bodies, and later as much work (share_balance.c). Who has what decides how fast steps are, never what
 * they find. */
#ifndef SCREE_DYNAMICS_TERRITORY_H
#define SCREE_DYNAMICS_TERRITORY_H

#include "base/memory.h"
#include "state/state.h"

/* Between the processes before and from this one on. */
typedef struct TerritoryCut {
    int32_t axis;
    double at;
} TerritoryCut;

/* Zero-initialise it. */
typedef struct Territory {
    int32_t count;            /* of processes */
    TerritoryCut *cut;        /* [count]; that of the first process is not used */
    double low[3], period[3]; /* of the periodic cell; period 0: not periodic */
    Block cut_block, sample_block;
} Territory;

/* Cuts space by where the bodies are; all processes must have the same. False when out of memory. */
bool scr_territory_make(Territory *territory, const ScreeWorldDef *def, const Vec3 *position,
                        size_t bodies, int32_t processes);

typedef struct TerritoryBody {
    Vec3 position;
    double worth;
} TerritoryBody;

/* The same, with as much worth in each part; the order of bodies changes. */
bool scr_territory_cut(Territory *territory, const ScreeWorldDef *def, TerritoryBody *body,
                       size_t bodies, int32_t processes);

/* The process that has a point. */
int32_t scr_territory_owner(const Territory *territory, Vec3 x);

/* The processes whose part is nearer to a point than `reach` along every axis, in rising order;
 * returns how many. */
size_t scr_territory_near(const Territory *territory, Vec3 x, double reach, int32_t *process);

void scr_territory_free(Territory *territory);

#endif
