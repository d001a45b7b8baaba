/* Public functions on shapes. */
#include "world.h"

static ScreeStatus check_shape(const ScreeShapeDef *def, char *message) {
    char words[SCREE_MESSAGE_SIZE] = "";
    ScreeStatus status = scr_outline_check(def, words);
    return status == SCREE_OK ? SCREE_OK : scr_fail(message, status, "%s", words);
}

ScreeStatus scree_add_shape(ScreeWorld *world, const ScreeShapeDef *def, int32_t *id) {
    Shapes *shapes = &world->state.shapes;
    if (world->state.def.dimension != 2) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT,
                        "shapes are for worlds of two dimensions");
    }
    ScreeStatus status = check_shape(def, world->message);
    if (status != SCREE_OK) {
        return status;
    }
    if (shapes->corners > INT32_MAX / 4) {
        return scr_fail(world->message, SCREE_BAD_ARGUMENT, "too many corners in all shapes");
    }
    if (!scr_shapes_add(shapes, def)) {
        return scr_no_memory(world->message);
    }
    if (id != NULL) {
        *id = (int32_t)shapes->count - 1;
    }
    return SCREE_OK;
}

size_t scree_shape_count(const ScreeWorld *world) {
    return world->state.shapes.count;
}

ScreeStatus scree_shape(const ScreeWorld *world, int32_t id, ScreeShape *shape) {
    const Shapes *s = &world->state.shapes;
    if (id < 0 || (size_t)id >= s->count) {
        return SCREE_BAD_ID;
    }
    const ShapeRecord *r = &s->shape[id];
    *shape = (ScreeShape){
        .def = {s->part + r->first_part, (size_t)r->parts, s->corner + r->first_corner},
        .corners = (size_t)r->corners,
        .centroid = r->centroid,
        .area = r->area,
        .gyration = r->gyration,
        .radius = r->radius,
    };
    return SCREE_OK;
}

ScreeStatus scree_measure_shape(const ScreeShapeDef *def, ScreeShape *shape, char *message) {
    ScreeStatus status = check_shape(def, message);
    if (status == SCREE_OK) {
        *shape = scr_outline_measure(def);
    }
    return status;
}
