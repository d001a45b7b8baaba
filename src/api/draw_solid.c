/* Solids as they are drawn. */
#include "shape/draw_solid.h"

#include <string.h>

/* What comes from files may be anything. */
static bool sound(const ScreeSolidPart *part, const int32_t *corners, const int32_t *corner) {
    if (part->kind != SCREE_PART_POLYHEDRON) {
        return part->faces == 0 && part->vertices > 0 && part->vertices < INT32_MAX &&
               scr_smooth_fits(part->kind, part->form, part->vertices);
    }
    size_t k = 0;
    bool ok = part->vertices > 0 && part->vertices < INT32_MAX && part->faces < INT32_MAX;
    for (size_t f = 0; ok && f < part->faces; f++) {
        ok = corners[f] >= 3;
        for (int32_t i = 0; ok && i < corners[f]; i++, k++) {
            ok = corner[k] >= 0 && (size_t)corner[k] < part->vertices;
        }
    }
    return ok && (part->faces > 0 || part->vertices <= 2);
}

static void copy_out(const SolidDrawing *s, ScreeVec3 *point, size_t points, int32_t *triangle,
                     size_t triangles) {
    points = point == NULL ? 0 : points < s->points ? points : s->points;
    triangles = triangle == NULL ? 0 : triangles < s->triangles ? triangles : s->triangles;
    if (points > 0) {
        memcpy(point, s->point, points * sizeof *point);
    }
    if (triangles > 0) {
        memcpy(triangle, s->triangle, 3 * triangles * sizeof *triangle);
    }
}

ScreeStatus scree_solid_part_draw(const ScreeSolidPart *part, const ScreeVec3 *vertex,
                                  const int32_t *corners, const int32_t *corner, ScreeVec3 *point,
                                  size_t *points, int32_t *triangle, size_t *triangles) {
    const PolyhedronDef def = {.vertices = part->vertices,
                               .faces = part->faces,
                               .vertex = vertex,
                               .corners = corners,
                               .corner = corner,
                               .rounding = part->rounding,
                               .kind = part->kind,
                               .form = {part->form[0], part->form[1]},
                               .weight = part->weight};
    Polyhedron p = {0};
    SolidDrawing s = {0};
    ScreeStatus status =
        sound(part, corners, corner) ? scr_polyhedron_build(&def, &p, NULL) : SCREE_BAD_ARGUMENT;
    if (status == SCREE_OK && !scr_draw_polyhedron(&p, &s)) {
        status = SCREE_NO_MEMORY;
    }
    if (status == SCREE_OK) {
        copy_out(&s, point, *points, triangle, *triangles);
    }
    *points = status == SCREE_OK ? s.points : 0;
    *triangles = status == SCREE_OK ? s.triangles : 0;
    scr_solid_drawing_free(&s);
    scr_polyhedron_free(&p);
    return status;
}
