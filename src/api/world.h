/* What the files with the public functions share. */
#ifndef SCREE_API_WORLD_H
#define SCREE_API_WORLD_H

#include "soft/engine.h"
#include "statics/increment.h"

struct ScreeWorld {
    State state;
    Engine engine;
    Statics statics;
    Soft *soft; /* work space of the soft engine; NULL with another one */
    char message[SCREE_MESSAGE_SIZE];
};

/* Keeps the words (message may be NULL) and gives back the status. */
__attribute__((format(printf, 3, 4))) ScreeStatus scr_fail(char *message, ScreeStatus status,
                                                           const char *format, ...);
ScreeStatus scr_no_memory(char *message);

static inline bool scr_is_material(const ScreeWorld *world, int32_t id) {
    return id >= 0 && (size_t)id < world->state.materials.count;
}

/* In two dimensions a vector lies in the plane, an axial one along z. */
static inline bool scr_is_polar(const ScreeWorld *world, Vec3 v) {
    return is_finite(v) && (world->state.def.dimension == 3 || v.z == 0);
}

static inline bool scr_is_axial(const ScreeWorld *world, Vec3 v) {
    return is_finite(v) && (world->state.def.dimension == 3 || (v.x == 0 && v.y == 0));
}

#endif
