/* Named solids, rocks, and solids that belong to no world. */
#include "base/status.h"
#include "shape/flatten.h"
#include "shape/named_solids.h"
#include "shape/nurbs_surface.h"
#include "shape/rock.h"
#include "shape/solid_build.h"

void scree_solid_make_box(ScreeVec3 sides, ScreeVec3 *vertex) {
    scr_make_box(sides, vertex);
}

size_t scree_solid_make_regular(int32_t faces, double radius, ScreeVec3 *vertex) {
    return scr_make_regular(faces, radius, vertex);
}

void scree_solid_make_prism(int32_t sides, double radius, double height, ScreeVec3 *vertex) {
    scr_make_prism(sides, radius, height, vertex);
}

void scree_solid_make_rod(double length, ScreeVec3 *vertex) {
    vertex[0] = vec3(-length / 2, 0, 0);
    vertex[1] = vec3(length / 2, 0, 0);
}

void scree_solid_make_plate(double x, double y, ScreeVec3 *vertex) {
    for (int k = 0; k < 4; k++) {
        vertex[k] = vec3(k == 0 || k == 3 ? -x / 2 : x / 2, k < 2 ? -y / 2 : y / 2, 0);
    }
}

void scree_solid_make_ellipsoid(ScreeVec3 lengths, ScreeVec3 *vertex) {
    vertex[0] = vec3(0, 0, 0);
    vertex[1] = vec3(lengths.x / 2, 0, 0);
    vertex[2] = vec3(0, lengths.y / 2, 0);
    vertex[3] = vec3(0, 0, lengths.z / 2);
}

void scree_solid_make_cylinder(double height, ScreeVec3 *vertex) {
    vertex[0] = vec3(0, 0, -height / 2);
    vertex[1] = vec3(0, 0, height / 2);
}

/* Patch by patch: what is not closed has farthest points as well. */
static ScreeStatus patches_support(const ScreeSolidPart *part, const ScreeVec3 *vertex,
                                   ScreeVec3 direction, ScreeVec3 *point) {
    Vec3 along;
    if (!scr_smooth_fits(part->kind, part->form, part->vertices) ||
        !direction_of(direction, &along)) {
        return SCREE_BAD_ARGUMENT;
    }
    size_t each = scr_points_of_patch(part->form);
    double far = -INFINITY;
    *point = vertex[0];
    for (size_t k = 0; k + each <= part->vertices; k += each) {
        PatchNet net = {vertex + k,
                        part->weight != NULL ? part->weight + k : NULL,
                        {(int32_t)part->form[0], (int32_t)part->form[1]},
                        0};
        net.pole = scr_patch_poles(&net, 0);
        far = scr_patch_reach(&net, along, far, point);
    }
    return SCREE_OK;
}

ScreeStatus scree_solid_part_support(const ScreeSolidPart *part, const ScreeVec3 *vertex,
                                     ScreeVec3 direction, ScreeVec3 *point) {
    SmoothPart smooth;
    bool is_smooth = part->kind != SCREE_PART_POLYHEDRON;
    Vec3 along;
    if (part->kind == SCREE_PART_NURBS) {
        return patches_support(part, vertex, direction, point);
    }
    if (part->vertices == 0 || !direction_of(direction, &along) ||
        (is_smooth && (part->vertices != scr_smooth_vertices(part->kind) ||
                       scr_smooth_make(part->kind, part->form, vertex, part->rounding, &smooth)))) {
        return SCREE_BAD_ARGUMENT;
    }
    Vec3 best = is_smooth ? scr_smooth_support(&smooth, along) : vertex[0];
    for (size_t k = 1; k < part->vertices && !is_smooth; k++) {
        best = dot(along, vertex[k]) > dot(along, best) ? vertex[k] : best;
    }
    *point = add_scaled(best, part->rounding, along);
    return SCREE_OK;
}

ScreeStatus scree_solid_make_rock(const ScreeRockDef *def, ScreeVec3 *vertex, size_t *vertices,
                                  char *message) {
    Rock rock = {0};
    ScreeStatus status = scr_make_rock(def, &rock, message);
    size_t room = vertex != NULL ? *vertices : 0;
    for (size_t k = 0; k < (size_t)rock.vertices && k < room && status == SCREE_OK; k++) {
        vertex[k] = rock.vertex[k];
    }
    *vertices = status == SCREE_OK ? (size_t)rock.vertices : 0;
    scr_block_free(&rock.vertex_block);
    return status;
}

ScreeStatus scree_solid_flatten(const int32_t *corners, size_t faces, const int32_t *corner,
                                double tolerance, ScreeVec3 *vertex, size_t vertices) {
    for (size_t k = 0; k < vertices; k++) {
        if (!is_finite(vertex[k])) {
            return SCREE_OK;
        }
    }
    const SurfaceDef def = {0, vertices, faces, vertex, corners, corner};
    return vertices > 0 && faces > 0 && tolerance > 0 ? scr_flatten(&def, tolerance, vertex)
                                                      : SCREE_OK;
}

ScreeStatus scree_solid_cut_nurbs(const ScreeNurbsSurface *def, ScreeVec3 *vertex, double *weight,
                                  size_t *vertices, char *message) {
    SCR_TRY(scr_nurbs_surface_check(def, message));
    size_t all = scr_nurbs_surface_patches(def) * (size_t)(def->degree[0] + 1) *
                 (size_t)(def->degree[1] + 1);
    if (vertex != NULL && weight != NULL) {
        scr_nurbs_surface_cut(def, vertex, weight, *vertices);
    }
    *vertices = all;
    return SCREE_OK;
}

ScreeStatus scree_solid_def_measure(const ScreeSolidDef *def, ScreeSolid *solid, char *message) {
    Solid made;
    Vec3 centroid;
    SCR_TRY(scr_solid_build(def, &made, &centroid, message));
    *solid = (ScreeSolid){.def = *def,
                          .centroid = centroid,
                          .volume = made.volume,
                          .radius = made.radius,
                          .gyration = made.gyration,
                          .axes = made.axes};
    for (int32_t k = 0; k < made.parts; k++) {
        const Polyhedron *p = &made.part[k];
        solid->vertices += (size_t)p->vertices;
        solid->faces += (size_t)p->faces;
        solid->corners += p->faces > 0 ? 2 * (size_t)p->edges : 0;
    }
    scr_solid_free(&made);
    return SCREE_OK;
}
