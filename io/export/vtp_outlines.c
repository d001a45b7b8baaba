/* Bodies as polygons: outlines in the plane, surfaces of solids in space.
 *
 * VTK fills a polygon with triangles that share its first corner, which is wrong for most polygons
 * that are not convex. So a polygon begins at a corner from which all others are visible, if there
 * is one; other polygons are cut into triangles here. */
#include "io/export/vtp_outlines.h"
#include "io/run/shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A part as it is drawn: one polygon, or triangles given by numbers of its points. */
typedef struct Drawing {
    ScreeVec3 *point; /* of an outline counterclockwise */
    size_t count;
    int32_t *triangle; /* three each; none: one polygon */
    size_t triangles;
} Drawing;

struct VtpOutlines {
    Drawing *part; /* parts of all shapes */
    size_t parts;
    Drawing circle;  /* radius 1, for round bodies; in space a sphere */
    int64_t *corner; /* scratch for one polygon */
};

/* Twice the area to the left of a, b, c. */
static double turn(ScreeVec3 a, ScreeVec3 b, ScreeVec3 c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* ---------------------------------------------------------------- one polygon */

static bool sees_all(const Drawing *drawing, size_t from) {
    const ScreeVec3 *p = drawing->point;
    size_t count = drawing->count;
    for (size_t i = 1; i + 1 < count; i++) {
        size_t b = (from + i) % count, c = (from + i + 1) % count;
        if (turn(p[from], p[b], p[c]) < 0) {
            return false;
        }
    }
    return true;
}

/* Makes point `from` the first. */
static bool rotate(Drawing *drawing, size_t from) {
    size_t size = sizeof *drawing->point, tail = drawing->count - from;
    ScreeVec3 *moved = malloc(drawing->count * size);
    if (moved == NULL) {
        return false;
    }
    memcpy(moved, &drawing->point[from], tail * size);
    memcpy(moved + tail, drawing->point, from * size);
    free(drawing->point);
    drawing->point = moved;
    return true;
}

static bool triangulate(Drawing *drawing) {
    drawing->triangle = malloc((3 * drawing->count + 1) * sizeof *drawing->triangle);
    return drawing->triangle != NULL &&
           scree_outline_fill(drawing->point, drawing->count, drawing->triangle,
                              &drawing->triangles) == SCREE_OK;
}

static bool draw(const double *corner, size_t count, double rounding, Drawing *drawing) {
    const ScreeShapePart part = {(int32_t)count, rounding};
    const ScreeVec3 *at = (const ScreeVec3 *)(const void *)corner;
    if (scree_shape_part_draw(&part, at, NULL, &drawing->count) != SCREE_OK) {
        return false;
    }
    drawing->point = malloc(drawing->count * sizeof *drawing->point);
    if (drawing->point == NULL ||
        scree_shape_part_draw(&part, at, drawing->point, &drawing->count) != SCREE_OK) {
        return false;
    }
    for (size_t i = 0; i < drawing->count; i++) {
        if (sees_all(drawing, i)) {
            return i == 0 || rotate(drawing, i);
        }
    }
    return triangulate(drawing);
}

/* ---------------------------------------------------------------- solids */

static bool draw_surface(const RunHeader *header, const RunPart *part, const int32_t *corners,
                         Drawing *drawing) {
    const ScreeSolidPart given = run_solid_part(part);
    const ScreeVec3 *vertex =
        (const ScreeVec3 *)(const void *)&header->shape_corner.position[3 * part->first];
    const int32_t *corner =
        part->faces > 0 ? run_shape_face(header, part->first_face).vertex : corners;
    ScreeStatus status = scree_solid_part_draw(&given, vertex, corners, corner, NULL,
                                               &drawing->count, NULL, &drawing->triangles);
    if (status != SCREE_OK) {
        return status != SCREE_NO_MEMORY; /* what does not close is not drawn */
    }
    drawing->point = malloc((drawing->count + 1) * sizeof *drawing->point);
    drawing->triangle = malloc((3 * drawing->triangles + 1) * sizeof *drawing->triangle);
    return drawing->point != NULL && drawing->triangle != NULL &&
           scree_solid_part_draw(&given, vertex, corners, corner, drawing->point, &drawing->count,
                                 drawing->triangle, &drawing->triangles) == SCREE_OK;
}

static bool draw_solid(const RunHeader *header, size_t number, Drawing *drawing) {
    RunPart part = run_shape_part(header, number);
    int32_t *corners = malloc((part.faces + 1) * sizeof *corners);
    bool ok = corners != NULL;
    for (size_t f = 0; ok && f < part.faces; f++) {
        corners[f] = (int32_t)run_shape_face(header, part.first_face + f).count;
    }
    ok = ok && draw_surface(header, &part, corners, drawing);
    free(corners);
    return ok;
}

/* Round bodies in space: a solid of one vertex. */
static bool draw_ball(Drawing *drawing) {
    static const double centre[3] = {0, 0, 0};
    static const RunPart ball = {.count = 1, .rounding = 1};
    static const int32_t none[1] = {0};
    const RunHeader header = {.shape_corner.position = (double *)(uintptr_t)centre};
    return draw_surface(&header, &ball, none, drawing);
}

/* ---------------------------------------------------------------- all of a run */

static bool draw_outline(const RunHeader *header, size_t number, Drawing *drawing) {
    RunPart part = run_shape_part(header, number);
    return draw(&header->shape_corner.position[3 * part.first], part.count, part.rounding, drawing);
}

void vtp_outlines_free(VtpOutlines *outlines) {
    if (outlines == NULL) {
        return;
    }
    for (size_t i = 0; outlines->part != NULL && i < outlines->parts; i++) {
        free(outlines->part[i].point);
        free(outlines->part[i].triangle);
    }
    free(outlines->circle.point);
    free(outlines->part);
    free(outlines->corner);
    free(outlines);
}

VtpOutlines *vtp_outlines_new(const RunHeader *header) {
    static const double centre[3] = {0, 0, 0};
    VtpOutlines *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    made->parts = header->shape_part.rows.count;
    made->part = calloc(made->parts + 1, sizeof *made->part);
    bool space = header->dimension == 3;
    bool ok = made->part != NULL &&
              (space ? draw_ball(&made->circle) : draw(centre, 1, 1, &made->circle));
    size_t most = made->circle.count;
    for (size_t i = 0; ok && i < made->parts; i++) {
        ok =
            space ? draw_solid(header, i, &made->part[i]) : draw_outline(header, i, &made->part[i]);
        most = made->part[i].count > most ? made->part[i].count : most;
    }
    made->corner = ok ? malloc(most * sizeof *made->corner) : NULL;
    if (made->corner == NULL) {
        vtp_outlines_free(made);
        return NULL;
    }
    return made;
}

/* The cells of a drawing whose points have these numbers. */
static bool add_cells(VtpMesh *mesh, const Drawing *drawing, const int64_t *corner) {
    if (drawing->triangles == 0) {
        return drawing->count == 0 || vtp_add_cell(mesh, VTP_POLYGONS, corner, drawing->count);
    }
    for (size_t i = 0; i < drawing->triangles; i++) {
        const int32_t *t = &drawing->triangle[3 * i];
        const int64_t triangle[3] = {corner[t[0]], corner[t[1]], corner[t[2]]};
        if (!vtp_add_cell(mesh, VTP_POLYGONS, triangle, 3)) {
            return false;
        }
    }
    return true;
}

static bool add_circle(VtpMesh *mesh, const VtpOutlines *outlines, const double *centre,
                       double radius) {
    const Drawing *circle = &outlines->circle;
    for (size_t i = 0; i < circle->count; i++) {
        ScreeVec3 p = circle->point[i];
        outlines->corner[i] = vtp_add_point(mesh, centre[0] + radius * p.x,
                                            centre[1] + radius * p.y, centre[2] + radius * p.z);
    }
    return add_cells(mesh, &outlines->circle, outlines->corner);
}

void vtp_write_obj(FILE *file, const VtpOutlines *outlines, const RunHeader *header, size_t shape) {
    size_t first = shape > 0 ? (size_t)header->shape.part_end[shape - 1] : 0;
    size_t end = (size_t)header->shape.part_end[shape], points = 1; /* counted from 1 */
    double radius = header->shape.radius[shape];
    fprintf(file, "# shape %zu; lengths in radii of the ball that holds it, %.17g\n", shape,
            radius);
    for (size_t p = first; p < end; p++) {
        const Drawing *part = &outlines->part[p];
        for (size_t k = 0; k < part->count; k++) {
            ScreeVec3 v = part->point[k];
            fprintf(file, "v %.9g %.9g %.9g\n", v.x / radius, v.y / radius, v.z / radius);
        }
        for (size_t t = 0; t < part->triangles; t++) {
            const int32_t *c = &part->triangle[3 * t];
            fprintf(file, "f %zu %zu %zu\n", points + (size_t)c[0], points + (size_t)c[1],
                    points + (size_t)c[2]);
        }
        points += part->count;
    }
}

bool vtp_add_body(VtpMesh *mesh, const VtpOutlines *outlines, const RunHeader *header,
                  const RunFrame *frame, size_t body) {
    const RunBodies *bodies = &frame->bodies;
    size_t first = 0, count = run_body_parts(header, frame, body, &first);
    bool ok = count > 0 ||
              add_circle(mesh, outlines, &bodies->position[3 * body], frame->body.radius[body]);
    for (size_t i = first; ok && i < first + count; i++) {
        const Drawing *part = &outlines->part[i];
        for (size_t k = 0; k < part->count; k++) {
            const double own[3] = {part->point[k].x, part->point[k].y, part->point[k].z};
            double at[3];
            run_body_point(bodies, body, own, at);
            outlines->corner[k] = vtp_add_point(mesh, at[0], at[1], at[2]);
        }
        ok = add_cells(mesh, &outlines->part[i], outlines->corner);
    }
    return ok;
}
