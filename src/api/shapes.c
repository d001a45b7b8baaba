/* Public functions on shapes. */
#include "api/world.h"

#include "shape/draw.h"
#include "shape/ears.h"
#include "shape/hull.h"

static ScreeStatus check_shape(const ScreeShapeDef *def, char *message) {
    char words[SCREE_MESSAGE_SIZE] = "";
    ScreeStatus status = scr_outline_check(def, words);
    return status == SCREE_OK ? SCREE_OK : scr_fail(message, status, "%s", words);
}

static ScreeStatus check_nurbs(const ScreeNurbs *def, char *message) {
    char words[SCREE_MESSAGE_SIZE] = "";
    ScreeStatus status = scr_nurbs_check(def, words);
    return status == SCREE_OK ? SCREE_OK : scr_fail(message, status, "%s", words);
}

/* One of the two is given. */
static ScreeStatus add_shape(ScreeWorld *world, const ScreeShapeDef *outline,
                             const ScreeNurbs *curve, ScreeShapeId *id) {
    Shapes *shapes = &world->state.shapes;
    if (world->state.def.dimension != 2) {
        return scr_fail_if(world->message, "outlines are shapes of the plane; in space bodies are "
                                           "solids: scree_world_add_solid");
    }
    SCR_TRY(outline != NULL ? check_shape(outline, world->message)
                            : check_nurbs(curve, world->message));
    if (shapes->corners > INT32_MAX / 4) {
        return scr_fail_if(world->message, "too many corners in all shapes");
    }
    if (!(outline != NULL ? scr_shapes_add(shapes, outline)
                          : scr_shapes_add_nurbs(shapes, curve))) {
        return scr_no_memory(world->message);
    }
    if (id != NULL) {
        id->index = (int32_t)shapes->count - 1;
    }
    return SCREE_OK;
}

ScreeStatus scree_world_add_shape(ScreeWorld *world, const ScreeShapeDef *def, ScreeShapeId *id) {
    return add_shape(world, def, NULL, id);
}

ScreeStatus scree_world_add_nurbs(ScreeWorld *world, const ScreeNurbs *def, ScreeShapeId *id) {
    return add_shape(world, NULL, def, id);
}

ScreeStatus scree_world_add_solid(ScreeWorld *world, const ScreeSolidDef *def, ScreeShapeId *id) {
    char words[SCREE_MESSAGE_SIZE] = "";
    Shapes *shapes = &world->state.shapes;
    if (world->state.def.dimension != 3) {
        return scr_fail_if(world->message,
                           "solids are shapes of bodies in space; in the plane they "
                           "are outlines: scree_world_add_shape");
    }
    ScreeStatus status = scr_shapes_add_solid(shapes, def, words);
    if (status == SCREE_NO_MEMORY) {
        return scr_no_memory(world->message);
    }
    if (status != SCREE_OK) {
        return scr_fail(world->message, status, "%s", words);
    }
    if (id != NULL) {
        id->index = (int32_t)shapes->count - 1;
    }
    return SCREE_OK;
}

ScreeStatus scree_shape_get_solid(const ScreeWorld *world, ScreeShapeId id, ScreeSolid *solid) {
    const Shapes *s = &world->state.shapes;
    if (id.index < 0 || (size_t)id.index >= s->count || s->shape[id.index].solid < 0) {
        return SCREE_BAD_ID;
    }
    *solid = s->solid[s->shape[id.index].solid].seen;
    return SCREE_OK;
}

size_t scree_world_get_shape_count(const ScreeWorld *world) {
    return world->state.shapes.count;
}

ScreeStatus scree_shape_get(const ScreeWorld *world, ScreeShapeId id, ScreeShape *shape) {
    const Shapes *s = &world->state.shapes;
    if (id.index < 0 || (size_t)id.index >= s->count) {
        return SCREE_BAD_ID;
    }
    const ShapeRecord *r = &s->shape[id.index];
    ScreeShapeDef outline = {0}; /* solids have none */
    if (r->parts > 0) {
        outline =
            (ScreeShapeDef){s->part + r->first_part, (size_t)r->parts, s->corner + r->first_corner};
    }
    *shape = (ScreeShape){
        .def = outline,
        .corners = (size_t)r->corners,
        .centroid = r->centroid,
        .area = r->area,
        .gyration = r->gyration,
        .radius = r->radius,
        .solid = r->solid >= 0 ? &s->solid[r->solid].seen : NULL,
    };
    return SCREE_OK;
}

ScreeStatus scree_shape_def_measure(const ScreeShapeDef *def, ScreeShape *shape, char *message) {
    SCR_TRY(check_shape(def, message));
    *shape = scr_outline_measure(def);
    return SCREE_OK;
}

ScreeStatus scree_shape_part_draw(const ScreeShapePart *part, const ScreeVec3 *corner,
                                  ScreeVec3 *point, size_t *points) {
    Drawing drawing = {0};
    bool ok = scr_draw_part(part, corner, &drawing);
    size_t room = point != NULL ? *points : 0;
    for (size_t k = 0; ok && k < drawing.count && k < room; k++) {
        point[k] = drawing.point[k];
    }
    *points = ok ? drawing.count : 0;
    scr_block_free(&drawing.block);
    return ok ? SCREE_OK : SCREE_NO_MEMORY;
}

ScreeStatus scree_outline_fill(const ScreeVec3 *point, size_t points, int32_t *triangle,
                               size_t *triangles) {
    Block corner = {0};
    *triangles = 0;
    if (points < 3 || points > INT32_MAX) {
        return SCREE_OK;
    }
    if (!scr_block_reserve(&corner, points, sizeof(int32_t), 0)) {
        return SCREE_NO_MEMORY;
    }
    double size, away;
    scr_extent(point, points, &size, &away);
    Ring ring = {point, corner.data, (int32_t)points, vec3(0, 0, 1), scr_no_height(size, away)};
    for (int32_t k = 0; k < ring.count; k++) {
        ring.corner[k] = k;
    }
    while (scr_cut_ear(&ring, &triangle[3 * *triangles])) {
        ++*triangles;
    }
    scr_block_free(&corner);
    return SCREE_OK;
}

ScreeStatus scree_shape_get_nurbs(const ScreeWorld *world, ScreeShapeId id, ScreeNurbs *def) {
    const Shapes *s = &world->state.shapes;
    if (id.index < 0 || (size_t)id.index >= s->count || s->shape[id.index].curve < 0) {
        return SCREE_BAD_ID;
    }
    *def = s->curve[s->shape[id.index].curve].def;
    return SCREE_OK;
}

/* The nodes of a curve in the coordinates of its definition, counterclockwise. */
static void copy_nodes(const Nurbs *n, bool backwards, ScreeVec3 *corner, size_t *corners) {
    size_t count = (size_t)n->nodes, room = corner != NULL ? *corners : 0;
    for (size_t k = 0; k < count && k < room; k++) {
        const NurbsNode *node = &n->node[backwards ? (count - k) % count : k];
        corner[k] = vec3(node->x, node->y, 0);
    }
    *corners = count;
}

ScreeStatus scree_nurbs_measure(const ScreeNurbs *def, ScreeShape *shape, ScreeVec3 *corner,
                                size_t *corners, char *message) {
    SCR_TRY(check_nurbs(def, message));
    Nurbs n = {0};
    if (!scr_nurbs_cut(def, &n)) {
        return scr_no_memory(message);
    }
    NurbsMeasures m = scr_nurbs_measure(&n);
    *shape = (ScreeShape){
        .centroid = m.centroid, .area = fabs(m.area), .gyration = m.gyration, .radius = m.radius};
    bool sampled = scr_nurbs_sample(&n, 2 * m.radius);
    if (sampled) {
        shape->corners = (size_t)n.nodes;
        copy_nodes(&n, m.area < 0, corner, corners);
    }
    scr_nurbs_free(&n);
    return sampled ? SCREE_OK : scr_no_memory(message);
}
