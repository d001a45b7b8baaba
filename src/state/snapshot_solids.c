#include "state/snapshot_solids.h"

/* The kind stands above the number of vertices, where polyhedra have 0; `form` is there only if it
 * is another. */
enum { KIND_SHIFT = 32 };

/* In the same way, the number of weights stands above that of the parts. */
enum { COUNT_SHIFT = 32 };

static void put_part(ByteWriter *w, const ScreeSolidPart *part) {
    const uint64_t count[2] = {part->vertices | (uint64_t)part->kind << KIND_SHIFT, part->faces};
    scr_put(w, count, sizeof count);
    scr_put(w, &part->rounding, sizeof part->rounding);
    if (part->kind != SCREE_PART_POLYHEDRON) {
        scr_put(w, part->form, sizeof part->form);
    }
}

void scr_put_solids(ByteWriter *w, const Shapes *shapes) {
    const uint64_t count = shapes->solids;
    scr_put(w, &count, sizeof count);
    for (size_t i = 0; i < shapes->solids; i++) {
        const ShapeSolid *s = &shapes->solid[i];
        const ScreeSolidDef *def = &s->seen.def;
        const uint64_t size[4] = {def->parts | (uint64_t)s->weights << COUNT_SHIFT,
                                  s->seen.vertices, s->seen.faces, s->seen.corners};
        scr_put(w, size, sizeof size);
        scr_put(w, &s->solid.gyration, sizeof s->solid.gyration);
        scr_put(w, &s->solid.axes, sizeof s->solid.axes);
        scr_put(w, &s->solid.volume, sizeof s->solid.volume);
        scr_put(w, &s->solid.radius, sizeof s->solid.radius);
        for (size_t k = 0; k < def->parts; k++) {
            put_part(w, &def->part[k]);
        }
        scr_put(w, def->vertex, s->seen.vertices * sizeof *def->vertex);
        scr_put(w, def->corners, s->seen.faces * sizeof *def->corners);
        scr_put(w, def->corner, s->seen.corners * sizeof *def->corner);
        scr_put(w, s->weight, s->weights * sizeof *s->weight);
    }
}

static void get_part(ByteReader *r, ScreeSolidPart *part) {
    uint64_t of[2] = {0, 0};
    scr_get(r, of, sizeof of);
    uint64_t kind = of[0] >> KIND_SHIFT;
    r->failed = r->failed || kind > SCREE_PART_NURBS;
    *part = (ScreeSolidPart){.vertices = (size_t)(of[0] & UINT32_MAX),
                             .faces = (size_t)of[1],
                             .kind = r->failed ? SCREE_PART_POLYHEDRON : (ScreePartKind)kind};
    scr_get(r, &part->rounding, sizeof part->rounding);
    if (part->kind != SCREE_PART_POLYHEDRON) {
        scr_get(r, part->form, sizeof part->form);
    }
}

/* Each part that has weights gets its own; false: there are more of them, or less. */
static bool hand_out_weights(const ShapeSolid *s, ScreeSolidPart *part, size_t parts) {
    size_t at = 0;
    for (size_t k = 0; k < parts; k++) {
        if (part[k].kind == SCREE_PART_NURBS) {
            if (part[k].vertices > s->weights - at) {
                return false;
            }
            part[k].weight = s->weight + at;
            at += part[k].vertices;
        }
    }
    return at == s->weights;
}

/* False when out of memory. A damaged solid must be refused before it is used. */
static bool get_solid(ByteReader *r, Shapes *shapes) {
    uint64_t counts = 0;
    scr_get(r, &counts, sizeof counts);
    size_t size[5] = {(size_t)(counts & UINT32_MAX), 0, 0, 0, (size_t)(counts >> COUNT_SHIFT)};
    r->failed = r->failed || size[0] > (r->size - r->at) / (3 * sizeof(uint64_t)) ||
                size[4] > (r->size - r->at) / sizeof(double);
    size[1] = scr_get_count(r, sizeof(Vec3));
    size[2] = scr_get_count(r, sizeof(int32_t));
    size[3] = scr_get_count(r, sizeof(int32_t));
    if (r->failed) {
        return true;
    }
    ShapeSolid *s = scr_shapes_new_solid(shapes, size);
    if (s == NULL) {
        return false;
    }
    scr_get(r, &s->solid.gyration, sizeof s->solid.gyration);
    scr_get(r, &s->solid.axes, sizeof s->solid.axes);
    scr_get(r, &s->solid.volume, sizeof s->solid.volume);
    scr_get(r, &s->solid.radius, sizeof s->solid.radius);
    ScreeSolidPart *part = s->block.data;
    for (size_t k = 0; k < size[0]; k++) {
        get_part(r, &part[k]);
    }
    scr_get(r, s->weight + size[4],
            size[1] * sizeof(Vec3) + (size[2] + size[3]) * sizeof(int32_t)); /* all arrays */
    scr_get(r, s->weight, size[4] * sizeof *s->weight);
    r->failed = r->failed || !hand_out_weights(s, part, size[0]);
    if (r->failed) {
        return true;
    }
    ScreeStatus status = scr_solid_restore(&s->seen.def, size + 1, &s->solid);
    r->failed = status == SCREE_BAD_ARGUMENT;
    return status != SCREE_NO_MEMORY;
}

/* The solids follow in the order of the shapes that are one. */
bool scr_get_solids(ByteReader *r, Shapes *shapes) {
    size_t count = scr_get_count(r, 1), at = 0;
    for (size_t i = 0; i < count && !r->failed; i++) {
        if (!get_solid(r, shapes)) {
            return false;
        }
        for (; at < shapes->count && shapes->shape[at].solid < 0; at++) {
        }
        r->failed = r->failed || at == shapes->count;
        if (!r->failed) {
            scr_shape_solid_ready(&shapes->solid[i], shapes->shape[at++].centroid);
        }
    }
    return true;
}
