#include "state/shapes.h"

static size_t count_corners(const ScreeShapeDef *def) {
    size_t count = 0;
    for (size_t i = 0; i < def->parts; i++) {
        count += (size_t)def->part[i].corners;
    }
    return count;
}

bool scr_shapes_reserve(Shapes *s, size_t count, size_t parts, size_t corners) {
    if (!scr_block_reserve(&s->shape_block, count, sizeof *s->shape, s->count * sizeof *s->shape) ||
        !scr_block_reserve(&s->part_block, parts, sizeof *s->part, s->parts * sizeof *s->part) ||
        !scr_block_reserve(&s->corner_block, corners, sizeof *s->corner,
                           s->corners * sizeof *s->corner) ||
        !scr_block_reserve(&s->outline_block, parts, sizeof *s->outline,
                           s->parts * sizeof *s->outline) ||
        !scr_block_reserve(&s->edge_block, corners, sizeof *s->edge,
                           s->corners * sizeof *s->edge)) {
        return false;
    }
    s->shape = s->shape_block.data;
    s->part = s->part_block.data;
    s->corner = s->corner_block.data;
    s->outline = s->outline_block.data;
    s->edge = s->edge_block.data;
    return true;
}

bool scr_shapes_add(Shapes *s, const ScreeShapeDef *def) {
    size_t corners = count_corners(def);
    if (!scr_shapes_reserve(s, s->count + 1, s->parts + def->parts, s->corners + corners)) {
        return false;
    }
    const ScreeShape measured = scr_outline_measure(def);
    s->shape[s->count] = (ShapeRecord){
        .first_part = (int32_t)s->parts,
        .parts = (int32_t)def->parts,
        .first_corner = (int32_t)s->corners,
        .corners = (int32_t)corners,
        .centroid = measured.centroid,
        .area = measured.area,
        .gyration = measured.gyration,
        .radius = measured.radius,
    };
    for (size_t i = 0; i < def->parts; i++) {
        s->part[s->parts + i] = def->part[i];
    }
    scr_outline_normalise(def, measured.centroid, s->corner + s->corners);
    s->count++;
    s->parts += def->parts;
    s->corners += corners;
    scr_shapes_derive(s, s->count - 1);
    return true;
}

void scr_shapes_derive(Shapes *s, size_t first) {
    for (size_t i = first; i < s->count; i++) {
        const ShapeRecord *shape = &s->shape[i];
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
    size_t parts = 0, corners = 0;
    for (size_t i = 0; i < s->count; i++) {
        const ShapeRecord *shape = &s->shape[i];
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
    return parts == s->parts && corners == s->corners;
}

void scr_shapes_free(Shapes *s) {
    scr_block_free(&s->shape_block);
    scr_block_free(&s->part_block);
    scr_block_free(&s->corner_block);
    scr_block_free(&s->outline_block);
    scr_block_free(&s->edge_block);
    *s = (Shapes){0};
}
