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

/* From positions to coordinates in which space is cut: in a cell that deforms, or is oblique, those along the
 * normals of its faces (CellFrame), in units in which they are as long as when space was cut. So a body that
 * moves with the cell stays where it is. */
typedef struct TerritoryFrame {
    bool oblique; /* false: positions are coordinates */
    Mat3 to;
    Vec3 corner;
    double per[3]; /* [1/length] times length */
} TerritoryFrame;

/* Zero-initialise it. */
typedef struct Territory {
    TerritoryFrame anchors;   /* of the cell as it was when anchors were chosen */
    double length[3];         /* of the periodic cell when space was cut */
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

/* That of a cell with other edges. */
TerritoryFrame scr_territory_frame(const Territory *territory, const ScreeWorldDef *def,
                                   const Vec3 edge[3]);

/* To be called when anchors have been chosen, or space has been cut. */
void scr_territory_take_anchors(Territory *territory, const State *state);

/* The process that has an anchor, or a point in another frame. */
int32_t scr_territory_owner(const Territory *territory, Vec3 x);
int32_t scr_territory_owner_in(const Territory *territory, const TerritoryFrame *frame, Vec3 x);

/* The processes whose part is nearer to an anchor than `reach` along every axis, in rising order;
 * returns how many. */
size_t scr_territory_near(const Territory *territory, Vec3 x, double reach, int32_t *process);

void scr_territory_free(Territory *territory);

#endif
