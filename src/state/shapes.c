#include "state/shapes.h"

#include <string.h>

static size_t count_corners(const ScreeShapeDef *def) {
    size_t count = 0;
    for (size_t i = 0; i < def->parts; i++) {
        count += (size_t)def->part[i].corners;
    }
    return count;
}

bool scr_shapes_reserve(Shapes *s, size_t count, size_t parts, size_t corners) {
    return SCR_RESERVE_KEEPING(s, shape, count, s->count) &&
           SCR_RESERVE_KEEPING(s, part, parts, s->parts) &&
           SCR_RESERVE_KEEPING(s, corner, corners, s->corners) &&
           SCR_RESERVE_KEEPING(s, outline, parts, s->parts) &&
           SCR_RESERVE_KEEPING(s, edge, corners, s->corners);
}

/* Appends a shape whose parts and corners have been written behind the last ones. */
static void append(Shapes *s, ShapeRecord shape) {
    shape.first_part = (int32_t)s->parts;
    shape.first_corner = (int32_t)s->corners;
    s->shape[s->count++] = shape;
    s->parts += (size_t)shape.parts;
    s->corners += (size_t)shape.corners;
    scr_shapes_derive(s, s->count - 1);
}

bool scr_shapes_add(Shapes *s, const ScreeShapeDef *def) {
    size_t corners = count_corners(def);
    if (!scr_shapes_reserve(s, s->count + 1, s->parts + def->parts, s->corners + corners)) {
        return false;
    }
    const ScreeShape m = scr_outline_measure(def);
    memcpy(s->part + s->parts, def->part, def->parts * sizeof *s->part);
    scr_outline_normalise(def, m.centroid, s->corner + s->corners);
    append(s, (ShapeRecord){.parts = (int32_t)def->parts,
                            .corners = (int32_t)corners,
                            .centroid = m.centroid,
                            .area = m.area,
                            .gyration = m.gyration,
                            .radius = m.radius,
                            .curve = -1,
                            .solid = -1});
    return true;
}

/* ---------------------------------------------------------------- curves */

ShapeCurve *scr_shapes_new_curve(Shapes *s, int32_t degree, size_t points, size_t knots) {
    if (!SCR_RESERVE_KEEPING(s, curve, s->curves + 1, s->curves)) {
        return NULL;
    }
    ShapeCurve *made = &s->curve[s->curves];
    *made = (ShapeCurve){.def = {.degree = degree, .points = points, .knots = knots}};
    size_t bytes = points * (sizeof(Vec3) + sizeof(double)) + knots * sizeof(double);
    /* a file may claim a curve without points, which still gets a block of its own */
    if (!scr_block_reserve_exact(&made->block, bytes > 0 ? bytes : 1, 1, 0)) {
        return NULL;
    }
    Vec3 *point = made->block.data;
    double *weight = (double *)(point + points);
    made->def.point = point;
    made->def.weight = weight;
    made->def.knot = weight + points;
    s->curves++;
    return made;
}

bool scr_shape_curve_ready(ShapeCurve *curve, double radius) {
    return scr_nurbs_cut(&curve->def, &curve->nurbs) && scr_nurbs_sample(&curve->nurbs, 2 * radius);
}

static void drop_curve(Shapes *s) {
    ShapeCurve *last = &s->curve[--s->curves];
    scr_nurbs_free(&last->nurbs);
    scr_block_free(&last->block);
}

/* Adds the shape of the last curve: a single part, whose corners are the curve's nodes. */
static bool append_nodes(Shapes *s, const NurbsMeasures *m) {
    const Nurbs *n = &s->curve[s->curves - 1].nurbs;
    size_t corners = (size_t)n->nodes;
    if (!scr_shapes_reserve(s, s->count + 1, s->parts + 1, s->corners + corners)) {
        return false;
    }
    s->part[s->parts] = (ScreeShapePart){.corners = n->nodes};
    for (size_t k = 0; k < corners; k++) {
        s->corner[s->corners + k] = vec3(n->node[k].x, n->node[k].y, 0);
    }
    append(s, (ShapeRecord){.parts = 1,
                            .corners = n->nodes,
                            .centroid = m->centroid,
                            .area = fabs(m->area),
                            .gyration = m->gyration,
                            .radius = m->radius,
                            .curve = (int32_t)s->curves - 1,
                            .solid = -1});
    return true;
}

bool scr_shapes_add_nurbs(Shapes *s, const ScreeNurbs *def) {
    Nurbs given = {0};
    if (!scr_nurbs_cut(def, &given)) {
        return false;
    }
    NurbsMeasures m = scr_nurbs_measure(&given);
    scr_nurbs_free(&given);
    ShapeCurve *curve = scr_shapes_new_curve(s, def->degree, def->points, def->knots);
    if (curve == NULL) {
        return false;
    }
    Vec3 *point = curve->block.data;
    double *weight = (double *)(point + def->points);
    scr_nurbs_normalise(def, &m, point, weight, weight + def->points);
    if (!scr_shape_curve_ready(curve, m.radius) || !append_nodes(s, &m)) {
        drop_curve(s);
        return false;
    }
    return true;
}

/* ---------------------------------------------------------------- solids */

ShapeSolid *scr_shapes_new_solid(Shapes *s, const size_t size[5]) {
    if (!SCR_RESERVE_KEEPING(s, solid, s->solids + 1, s->solids)) {
        return NULL;
    }
    ShapeSolid *made = &s->solid[s->solids];
    *made = (ShapeSolid){.seen = {.vertices = size[1], .faces = size[2], .corners = size[3]}};
    size_t bytes = size[0] * sizeof(ScreeSolidPart) + size[1] * sizeof(Vec3) +
                   (size[2] + size[3]) * sizeof(int32_t) + size[4] * sizeof(double);
    if (!scr_block_reserve_exact(&made->block, bytes + 1, 1, 0)) {
        return NULL;
    }
    ScreeSolidPart *part = made->block.data;
    made->weight = (double *)(part + size[0]);
    made->weights = size[4];
    Vec3 *vertex = (Vec3 *)(made->weight + size[4]);
    int32_t *corners = (int32_t *)(vertex + size[1]);
    made->seen.def = (ScreeSolidDef){part, size[0], vertex, corners, corners + size[2]};
    s->solids++;
    return made;
}

void scr_shape_solid_ready(ShapeSolid *s, Vec3 centroid) {
    s->seen.centroid = centroid;
    s->seen.volume = s->solid.volume;
    s->seen.radius = s->solid.radius;
    s->seen.gyration = s->solid.gyration;
    s->seen.axes = s->solid.axes;
}

static void drop_solid(Shapes *s) {
    ShapeSolid *last = &s->solid[--s->solids];
    scr_solid_free(&last->solid);
    scr_block_free(&last->block);
}

/* The parts of a solid as a definition. */
static void describe_parts(const Solid *from, ShapeSolid *to) {
    ScreeSolidPart *part = to->block.data;
    double *weight = to->weight;
    Vec3 *vertex = (Vec3 *)(weight + to->weights);
    int32_t *corners = (int32_t *)(vertex + to->seen.vertices), *corner = corners + to->seen.faces;
    for (int32_t k = 0; k < from->parts; k++) {
        const Polyhedron *p = &from->part[k];
        part[k] = (ScreeSolidPart){.vertices = (size_t)p->vertices,
                                   .faces = (size_t)p->faces,
                                   .rounding = p->rounding,
                                   .kind = p->smooth.kind,
                                   .form = {p->smooth.form[0], p->smooth.form[1]},
                                   .weight = scr_is_patchwork(p) ? weight : NULL};
        for (int32_t v = 0; v < p->vertices && scr_is_patchwork(p); v++) {
            *weight++ = p->smooth.patchwork->weight[v];
        }
        for (int32_t v = 0; v < p->vertices; v++) {
            *vertex++ = scr_vertex(p, v);
        }
        for (int32_t f = 0; f < p->faces; f++) {
            *corners++ = p->face[f].count;
        }
        size_t all = p->faces > 0 ? 2 * (size_t)p->edges : 0;
        memcpy(corner, p->loop_vertex, all * sizeof *corner);
        corner += all;
    }
}

static ScreeStatus append_solid(Shapes *s, const Solid *solid, Vec3 centroid) {
    size_t size[5] = {(size_t)solid->parts, 0, 0, 0, 0};
    for (int32_t k = 0; k < solid->parts; k++) {
        const Polyhedron *p = &solid->part[k];
        size[1] += (size_t)p->vertices;
        size[2] += (size_t)p->faces;
        size[3] += p->faces > 0 ? 2 * (size_t)p->edges : 0;
        size[4] += scr_is_patchwork(p) ? (size_t)p->vertices : 0;
    }
    if (!scr_shapes_reserve(s, s->count + 1, s->parts, s->corners)) {
        return SCREE_NO_MEMORY;
    }
    ShapeSolid *made = scr_shapes_new_solid(s, size);
    if (made == NULL) {
        return SCREE_NO_MEMORY;
    }
    made->solid = *solid;
    describe_parts(solid, made);
    scr_shape_solid_ready(made, centroid);
    const Vec3 g = solid->gyration;
    append(s, (ShapeRecord){.centroid = centroid,
                            .area = solid->volume,
                            .gyration = (g.x + g.y + g.z) / 3,
                            .radius = solid->radius,
                            .curve = -1,
                            .solid = (int32_t)s->solids - 1});
    return SCREE_OK;
}

ScreeStatus scr_shapes_add_solid(Shapes *s, const ScreeSolidDef *def, char *message) {
    Solid solid = {0};
    Vec3 centroid;
    ScreeStatus status = scr_solid_build(def, &solid, &centroid, message);
    status = status == SCREE_OK ? append_solid(s, &solid, centroid) : status;
    if (status != SCREE_OK) {
        scr_solid_free(&solid);
    }
    return status;
}

/* ---------------------------------------------------------------- what follows */

void scr_shapes_derive(Shapes *s, size_t first) {
    for (size_t i = first; i < s->count; i++) {
        const ShapeRecord *shape = &s->shape[i];
        if (shape->parts == 0) {
            continue; /* a solid; where there are only such, there is no list of outlines */
        }
        OutlinePart *part = s->outline + shape->first_part;
        for (int32_t k = 0, at = 0; k < shape->parts; k++) {
            const ScreeShapePart *given = &s->part[shape->first_part + k];
            part[k] = (OutlinePart){at, given->corners, given->rounding};
            at += given->corners;
        }
        scr_outline_edges(part, shape->parts, s->corner + shape->first_corner,
                          s->edge + shape->first_corner);
    }
}

bool scr_shapes_sound(const Shapes *s) {
    size_t parts = 0, corners = 0, curves = 0, solids = 0;
    for (size_t i = 0; i < s->count; i++) {
        const ShapeRecord *shape = &s->shape[i];
        if (shape->solid >= 0) {
            if (shape->solid != (int32_t)solids++ || shape->parts != 0 || shape->corners != 0) {
                return false;
            }
            continue;
        }
        if (shape->curve >= 0) {
            const Nurbs *n = curves < s->curves ? &s->curve[curves].nurbs : NULL;
            if (n == NULL || shape->curve != (int32_t)curves || shape->corners != n->nodes) {
                return false;
            }
            curves++;
        }
        if (shape->first_part != (int32_t)parts || shape->first_corner != (int32_t)corners ||
            shape->parts < 1 || (size_t)shape->parts > s->parts - parts) {
            return false;
        }
        size_t own = 0;
        for (int32_t k = 0; k < shape->parts; k++) {
            int32_t count = s->part[parts + (size_t)k].corners;
            if (count < 1 || (size_t)count > s->corners - corners - own) {
                return false;
            }
            own += (size_t)count;
        }
        if ((size_t)shape->corners != own) {
            return false;
        }
        parts += (size_t)shape->parts;
        corners += own;
    }
    return parts == s->parts && corners == s->corners && curves == s->curves && solids == s->solids;
}

void scr_shapes_free(Shapes *s) {
    while (s->curves > 0) {
        drop_curve(s);
    }
    while (s->solids > 0) {
        drop_solid(s);
    }
    scr_block_free(&s->curve_block);
    scr_block_free(&s->solid_block);
    scr_block_free(&s->shape_block);
    scr_block_free(&s->part_block);
    scr_block_free(&s->corner_block);
    scr_block_free(&s->outline_block);
    scr_block_free(&s->edge_block);
    *s = (Shapes){0};
}
