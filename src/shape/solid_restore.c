#include "shape/solid_build.h"

#include "base/status.h"
#include "shape/moments.h"

#include <string.h>

void scr_solid_free(Solid *solid) {
    for (int32_t k = 0; k < solid->parts; k++) {
        scr_polyhedron_free(&solid->part[k]);
    }
    scr_block_free(&solid->block);
    *solid = (Solid){0};
}

static ScreeStatus build_part(const PolyhedronDef *def, Solid *solid, PolyhedronFault *fault) {
    Polyhedron *made = &solid->part[solid->parts];
    SCR_TRY(scr_polyhedron_build(def, made, fault));
    made->first_element = solid->elements;
    solid->parts++;
    solid->elements += made->elements;
    return SCREE_OK;
}

ScreeStatus scr_solid_build_parts(const ScreeSolidDef *def, Solid *solid, PolyhedronFault *fault) {
    solid->parts = solid->elements = 0;
    solid->block = (Block){0};
    if (!scr_block_reserve_exact(&solid->block, def->parts, sizeof *solid->part, 0)) {
        return SCREE_NO_MEMORY;
    }
    solid->part = solid->block.data;
    const Vec3 *vertex = def->vertex;
    const int32_t *corners = def->corners, *corner = def->corner;
    ScreeStatus status = SCREE_OK;
    for (size_t k = 0; k < def->parts && status == SCREE_OK; k++) {
        const ScreeSolidPart *part = &def->part[k];
        const PolyhedronDef one = {
            part->vertices, part->faces,    vertex,     corners,
            corner,         part->rounding, part->kind, {part->form[0], part->form[1]},
            part->weight};
        status = build_part(&one, solid, fault);
        vertex += part->vertices;
        for (size_t f = 0; f < part->faces; f++) {
            corner += *corners++;
        }
    }
    if (status != SCREE_OK) {
        scr_solid_free(solid);
    }
    return status;
}

double scr_solid_radius(const Solid *solid) {
    double radius = 0;
    for (int32_t k = 0; k < solid->parts; k++) {
        radius = scr_max(radius, solid->part[k].radius + solid->part[k].rounding);
    }
    return radius;
}

/* ---------------------------------------------------------------- what a file may hold */

/* The faces of a part name its vertices, each at most once in a face. `named` is the last face that
 * named a vertex, [size[0]]. */
static bool faces_are_sound(const ScreeSolidPart *part, const int32_t *corners,
                            const int32_t *corner, size_t left, int32_t *named, size_t *used) {
    memset(named, 0xFF, part->vertices * sizeof *named);
    *used = 0;
    for (size_t f = 0; f < part->faces; f++) {
        if (corners[f] < 3 || (size_t)corners[f] > left - *used) {
            return false;
        }
        for (int32_t k = 0; k < corners[f]; k++) {
            int32_t v = corner[(*used)++];
            if (v < 0 || (size_t)v >= part->vertices || named[v] == (int32_t)f) {
                return false;
            }
            named[v] = (int32_t)f;
        }
    }
    return true;
}

static bool part_is_sound(const ScreeSolidPart *part, const Vec3 *vertex) {
    for (size_t k = 0; k < part->vertices; k++) {
        if (!is_finite(vertex[k])) {
            return false;
        }
    }
    if (part->kind != SCREE_PART_POLYHEDRON) { /* the rest is checked as it is built */
        return part->rounding >= 0 && isfinite(part->rounding) && part->faces == 0 &&
               scr_smooth_fits(part->kind, part->form, part->vertices);
    }
    return part->rounding >= 0 && isfinite(part->rounding) && part->vertices > 0 &&
           (part->faces > 0 || (part->vertices <= 2 && part->rounding > 0));
}

static bool parts_are_sound(const ScreeSolidDef *def, const size_t size[3], int32_t *named) {
    size_t vertices = 0, faces = 0, corners = 0;
    for (size_t k = 0; k < def->parts; k++) {
        const ScreeSolidPart *part = &def->part[k];
        size_t used;
        if (part->vertices > size[0] - vertices || part->faces > size[1] - faces ||
            !part_is_sound(part, def->vertex + vertices) ||
            !faces_are_sound(part, def->corners + faces, def->corner + corners, size[2] - corners,
                             named, &used)) {
            return false;
        }
        vertices += part->vertices;
        faces += part->faces;
        corners += used;
    }
    return vertices == size[0] && faces == size[1] && corners == size[2];
}

static bool measures_are_sound(const Solid *s) {
    double turn = s->axes.w * s->axes.w + s->axes.x * s->axes.x + s->axes.y * s->axes.y +
                  s->axes.z * s->axes.z;
    return s->volume > 0 && isfinite(s->volume) && fabs(turn - 1) < 1e-9 &&
           scr_inertia_fault(s->gyration) == NULL;
}

ScreeStatus scr_solid_restore(const ScreeSolidDef *def, const size_t size[3], Solid *solid) {
    Block named = {0};
    if (def->parts == 0 || def->parts > MOST_ELEMENTS || size[0] > MOST_ELEMENTS ||
        size[1] > MOST_ELEMENTS || size[2] > 2 * (size_t)MOST_ELEMENTS ||
        !measures_are_sound(solid)) {
        return SCREE_BAD_ARGUMENT;
    }
    if (!scr_block_reserve(&named, size[0] + 1, sizeof(int32_t), 0)) {
        return SCREE_NO_MEMORY;
    }
    bool sound = parts_are_sound(def, size, named.data);
    scr_block_free(&named);
    ScreeStatus status = sound ? scr_solid_build_parts(def, solid, NULL) : SCREE_BAD_ARGUMENT;
    if (status == SCREE_OK &&
        (solid->elements > MOST_ELEMENTS ||
         !(fabs(scr_solid_radius(solid) - solid->radius) <= 1e-9 * solid->radius))) {
        scr_solid_free(solid);
        status = SCREE_BAD_ARGUMENT;
    }
    return status;
}
