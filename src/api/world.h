/* What the files with the public functions share. */
#ifndef SCREE_API_WORLD_H
#define SCREE_API_WORLD_H

#include "base/cookie.h"
#include "base/status.h"
#include "soft/engine.h"
#include "state/images.h"
#include "statics/increment.h"

struct ScreeWorld {
    State state;
    Engine engine;
    Statics statics;
    Images images;
    Soft *soft; /* work space of the soft engine; NULL with any other engine */
    char message[SCREE_MESSAGE_SIZE];
};

static inline bool scr_is_material(const ScreeWorld *world, ScreeMaterialId id) {
    return id.index >= 0 && (size_t)id.index < world->state.materials.count;
}

/* A typed id is a number under another name, and a ScreeContact is a Contact: the arrays of the
 * state are shown as they are. */
_Static_assert(sizeof(ScreeMaterialId) == sizeof(int32_t) &&
                   sizeof(ScreeShapeId) == sizeof(int32_t),
               "an id is a number");
_Static_assert(sizeof(ScreeContact) == sizeof(Contact) && sizeof(Contact) == 80 &&
                   offsetof(ScreeContact, b) == offsetof(Contact, b) &&
                   offsetof(ScreeContact, normal) == offsetof(Contact, normal) &&
                   offsetof(ScreeContact, tangential_impulse) ==
                       offsetof(Contact, tangential_impulse),
               "a contact looks the same from inside and outside");

static inline const ScreeMaterialId *scr_material_ids(const int32_t *material) {
    return (const ScreeMaterialId *)(const void *)material;
}

static inline const ScreeShapeId *scr_shape_ids(const int32_t *shape) {
    return (const ScreeShapeId *)(const void *)shape;
}

static inline const ScreeWallId *scr_wall_ids(const int32_t *wall) {
    return (const ScreeWallId *)(const void *)wall;
}

static inline const ScreeContact *scr_public_contacts(const Contact *contact) {
    return (const ScreeContact *)(const void *)contact;
}

/* Where processes share the world, brings all its bodies and contacts here before anyone looks at them
 * or changes them. */
ScreeStatus scr_world_whole(const ScreeWorld *world);

/* What scree_world_check tells; the message is left alone when nothing is wrong. */
ScreeStatus scr_check_step(ScreeWorld *world);

/* What is wrong with a cell for a body of this radius, or NULL. */
const char *scr_narrow_cell(const ScreeWorldDef *def, double radius, bool round);

/* What is wrong with the edges and the control of a cell; NULL: nothing. And what a world with such a
 * cell cannot have. */
const char *scr_deform_fault(const ScreeWorldDef *def);
ScreeStatus scr_check_deforming(ScreeWorld *world);

/* What cannot grow, or not so fast. */
ScreeStatus scr_check_growth(ScreeWorld *world);

/* In two dimensions polar vectors lie in the plane, and axial ones point along z. */
static inline bool scr_is_polar(const ScreeWorld *world, Vec3 v) {
    return is_finite(v) && (world->state.def.dimension == 3 || v.z == 0);
}

static inline bool scr_is_axial(const ScreeWorld *world, Vec3 v) {
    return is_finite(v) && (world->state.def.dimension == 3 || (v.x == 0 && v.y == 0));
}

#endif
