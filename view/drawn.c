/* NURBS surfaces for the page, which knows polyhedra: as triangles. */
#include "view/drawn.h"

#include "io/run/shapes.h"

#include <stdlib.h>
#include <string.h>

/* Rows of a table that grow. */
static bool grow(void **rows, size_t count, size_t size) {
    void *made = realloc(*rows, (count + 1) * size);
    *rows = made ? made : *rows;
    return made != NULL;
}

static const ScreeVec3 *vertices_of(const RunHeader *header, const RunPart *part) {
    return (const ScreeVec3 *)(const void *)&header->shape_corner.position[3 * part->first];
}

static bool room_for(ViewDrawn *d, size_t corners, size_t faces, size_t loops) {
    return grow((void **)&d->position, d->corners + corners, 3 * sizeof *d->position) &&
           grow((void **)&d->loop_end, d->faces + faces, sizeof *d->loop_end) &&
           grow((void **)&d->vertex, d->loops + loops, sizeof *d->vertex);
}

static bool add_drawn(const RunHeader *header, const RunPart *part, ViewDrawn *d) {
    const ScreeSolidPart given = run_solid_part(part);
    const ScreeVec3 *vertex = vertices_of(header, part);
    size_t points = 0, triangles = 0;
    ScreeStatus status =
        scree_solid_part_draw(&given, vertex, NULL, NULL, NULL, &points, NULL, &triangles);
    if (status == SCREE_NO_MEMORY || !room_for(d, points, triangles, 3 * triangles)) {
        return false;
    }
    if (status == SCREE_OK) { /* what does not close is not drawn */
        ScreeVec3 *to = (ScreeVec3 *)(void *)&d->position[3 * d->corners];
        status = scree_solid_part_draw(&given, vertex, NULL, NULL, to, &points,
                                       d->vertex + d->loops, &triangles);
    }
    for (size_t k = 0; k < triangles && status == SCREE_OK; k++) {
        d->loop_end[d->faces++] = (int64_t)(d->loops += 3);
    }
    d->corners += status == SCREE_OK ? points : 0;
    return status != SCREE_NO_MEMORY;
}

static bool add_given(const RunHeader *header, const RunPart *part, ViewDrawn *d) {
    size_t loops = 0;
    for (size_t f = 0; f < part->faces; f++) {
        loops += run_shape_face(header, part->first_face + f).count;
    }
    if (!room_for(d, part->count, part->faces, loops)) {
        return false;
    }
    memcpy(&d->position[3 * d->corners], vertices_of(header, part),
           part->count * sizeof(ScreeVec3));
    d->corners += part->count;
    for (size_t f = 0; f < part->faces; f++) {
        const RunFace face = run_shape_face(header, part->first_face + f);
        memcpy(d->vertex + d->loops, face.vertex, face.count * sizeof *d->vertex);
        d->loop_end[d->faces++] = (int64_t)(d->loops += face.count);
    }
    return true;
}

static bool copy_parts(const RunHeader *header, ViewDrawn *d) {
    size_t parts = header->shape_part.rows.count;
    d->corner_end = calloc(parts + 1, sizeof *d->corner_end);
    d->face_end = calloc(parts + 1, sizeof *d->face_end);
    d->kind = calloc(parts + 1, sizeof *d->kind);
    bool ok = d->corner_end && d->face_end && d->kind;
    for (size_t p = 0; p < parts && ok; p++) {
        const RunPart part = run_shape_part(header, p);
        bool drawn = part.kind == SCREE_PART_NURBS;
        ok = drawn ? add_drawn(header, &part, d) : add_given(header, &part, d);
        d->kind[p] = drawn ? SCREE_PART_POLYHEDRON : part.kind;
        d->corner_end[p] = (int64_t)d->corners;
        d->face_end[p] = (int64_t)d->faces;
    }
    return ok;
}

bool view_has_surfaces(const RunHeader *header) {
    for (size_t p = 0; p < header->shape_part.rows.count && header->dimension == 3; p++) {
        if (header->shape_part.kind[p] == SCREE_PART_NURBS) {
            return true;
        }
    }
    return false;
}

bool view_draw_surfaces(const RunHeader *header, ViewDrawn *d) {
    *d = (ViewDrawn){.header = *header};
    bool ok = copy_parts(header, d);
    RunHeader *h = &d->header;
    h->shape_part.corner_end = d->corner_end;
    h->shape_part.face_end = d->face_end;
    h->shape_part.kind = d->kind;
    h->shape_corner.rows.count = d->corners;
    h->shape_corner.position = d->position;
    h->shape_face.rows.count = d->faces;
    h->shape_face.loop_end = d->loop_end;
    h->shape_loop.rows.count = d->loops;
    h->shape_loop.vertex = d->vertex;
    return ok;
}

void view_drawn_free(ViewDrawn *d) {
    free(d->position);
    free(d->loop_end);
    free(d->vertex);
    free(d->corner_end);
    free(d->face_end);
    free(d->kind);
}
