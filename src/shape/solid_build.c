#include "shape/solid_build.h"

#include "base/status.h"
#include "shape/hull.h"
#include "shape/merge.h"
#include "shape/solid_moments.h"
#include "shape/solid_patches.h"
#include "shape/surface.h"

#include <string.h>

/* What is left of the definition once hulls are made and faces merged. */
typedef struct Parts {
    size_t parts, vertices, faces, corner_count;
    ScreeSolidPart *part;
    Vec3 *vertex;
    int32_t *corners, *corner;
    int32_t *work;
    Block part_block, vertex_block, corners_block, corner_block, work_block;
} Parts;

static void free_parts(Parts *p) {
    SCR_FREE_BLOCKS(&p->part_block, &p->vertex_block, &p->corners_block, &p->corner_block,
                    &p->work_block);
}

static bool make_room(Parts *p, size_t vertices, size_t faces, size_t corners) {
    return SCR_RESERVE_KEEPING(p, vertex, p->vertices + vertices, p->vertices) &&
           SCR_RESERVE_KEEPING(p, corners, p->faces + faces, p->faces) &&
           SCR_RESERVE_KEEPING(p, corner, p->corner_count + corners, p->corner_count);
}

/* Appends the faces of a part whose corners name `vertex`, and those of its vertices that they
 * name. */
static bool append_part(Parts *p, const Vec3 *vertex, size_t vertices, const FaceLoops *loops,
                        double rounding) {
    size_t corners = (size_t)loops->corner_count, faces = (size_t)loops->faces;
    if (!make_room(p, vertices, faces, corners) || !SCR_RESERVE(p, work, vertices)) {
        return false;
    }
    memset(p->work, 0, vertices * sizeof *p->work);
    for (size_t k = 0; k < corners; k++) {
        p->work[loops->corner[k]] = 1;
    }
    size_t kept = 0;
    for (size_t v = 0; v < vertices; v++) {
        if (p->work[v] == 1 || faces == 0) {
            p->work[v] = (int32_t)kept;
            p->vertex[p->vertices + kept++] = vertex[v];
        }
    }
    for (size_t k = 0; k < corners; k++) {
        p->corner[p->corner_count + k] = p->work[loops->corner[k]];
    }
    for (size_t f = 0; f < faces; f++) {
        p->corners[p->faces + f] = loops->corners[f];
    }
    p->part[p->parts++] = (ScreeSolidPart){.vertices = kept, .faces = faces, .rounding = rounding};
    p->vertices += kept;
    p->faces += faces;
    p->corner_count += corners;
    return true;
}

/* ---------------------------------------------------------------- hulls */

static const char *fault_of_span(HullKind kind) {
    return kind == HULL_POINT ? "one vertex makes a ball, which needs a rounding: its radius"
           : kind == HULL_LINE
               ? "its vertices lie on one line: they make a rod, which needs a rounding"
               : "its vertices lie in one plane: they make a plate, which needs a rounding";
}

static ScreeStatus add_hull(Parts *p, const SurfaceDef *def, double rounding, char *message) {
    Hull hull = {0};
    Block block = {0};
    ScreeStatus status = SCREE_NO_MEMORY;
    if (scr_hull(def->vertex, def->vertices, &hull) &&
        scr_block_reserve(&block, (size_t)hull.vertices, sizeof(Vec3), 0)) {
        Vec3 *vertex = block.data;
        for (int32_t k = 0; k < hull.vertices; k++) {
            vertex[k] = def->vertex[hull.vertex[k]];
        }
        status = hull.kind != HULL_SOLID && rounding == 0
                     ? scr_surface_refuse(message, def->part, ": %s", fault_of_span(hull.kind))
                 : append_part(p, vertex, (size_t)hull.vertices, &hull.face, rounding)
                     ? SCREE_OK
                     : SCREE_NO_MEMORY;
    }
    scr_block_free(&block);
    scr_hull_free(&hull);
    return status;
}

/* ---------------------------------------------------------------- given faces */

static bool triangles_as_loops(const Triangles *of, FaceLoops *loops) {
    size_t count = (size_t)of->count;
    if (!SCR_RESERVE(loops, corners, count) || !SCR_RESERVE(loops, corner, 3 * count)) {
        return false;
    }
    loops->faces = of->count;
    loops->corner_count = 3 * of->count;
    for (int32_t k = 0; k < 3 * of->count; k++) {
        loops->corners[k / 3] = 3;
        loops->corner[k] = of->triangle[k / 3].vertex[k % 3];
    }
    return true;
}

/* The last part as a polyhedron. */
static ScreeStatus try_last(const Parts *p, Polyhedron *made) {
    const ScreeSolidPart *last = &p->part[p->parts - 1];
    const int32_t *corners = p->corners + p->faces - last->faces, *corner = p->corner;
    for (size_t f = 0; f < p->faces - last->faces; f++) {
        corner += p->corners[f];
    }
    const PolyhedronDef def = {.vertices = last->vertices,
                               .faces = last->faces,
                               .vertex = p->vertex + p->vertices - last->vertices,
                               .corners = corners,
                               .corner = corner,
                               .rounding = last->rounding};
    return scr_polyhedron_build(&def, made, NULL);
}

/* Where faces have been merged such that two of them would share several edges, the triangles
 * remain as they are. */
static ScreeStatus add_loops(Parts *p, const SurfaceDef *def, const Surface *surface,
                             double rounding, FaceLoops *loops, char *message) {
    Polyhedron made = {0};
    const Parts before = *p;
    if (!append_part(p, def->vertex, def->vertices, loops, rounding)) {
        return SCREE_NO_MEMORY;
    }
    ScreeStatus status = try_last(p, &made);
    if (status == SCREE_BAD_ARGUMENT) {
        p->parts = before.parts;
        p->vertices = before.vertices;
        p->faces = before.faces;
        p->corner_count = before.corner_count;
        status = triangles_as_loops(&surface->triangles, loops) &&
                         append_part(p, def->vertex, def->vertices, loops, rounding)
                     ? try_last(p, &made)
                     : SCREE_NO_MEMORY;
    }
    if (status == SCREE_OK && rounding > 0 && !made.convex) {
        status = scr_surface_refuse(message, def->part,
                                    ": it is not convex, and only convex parts can be rounded: "
                                    "make it of convex parts, leave its faces out to take the hull "
                                    "of its vertices, or take its rounding away");
    }
    scr_polyhedron_free(&made);
    return status;
}

static ScreeStatus add_surface(Parts *p, const SurfaceDef *def, double rounding, char *message) {
    Surface surface = {0};
    FaceLoops loops = {0};
    Block group = {0};
    ScreeStatus status = scr_surface_read(def, &surface, message);
    if (status == SCREE_OK) {
        size_t count = (size_t)surface.triangles.count;
        bool ok = scr_block_reserve(&group, count, sizeof(int32_t), 0) &&
                  scr_merge_triangles(def->vertex, (int32_t)def->vertices, &surface.triangles,
                                      surface.tolerance, group.data, &loops);
        status = ok ? add_loops(p, def, &surface, rounding, &loops, message) : SCREE_NO_MEMORY;
    }
    scr_surface_free(&surface);
    scr_loops_free(&loops);
    scr_block_free(&group);
    return status;
}

/* ---------------------------------------------------------------- smooth parts */

static ScreeStatus add_smooth(Parts *p, const SurfaceDef *def, const ScreeSolidPart *given,
                              char *message) {
    size_t wanted = scr_smooth_vertices(given->kind);
    if (wanted == 0) {
        return scr_surface_refuse(message, def->part, ": there is no kind %d of parts",
                                  (int)given->kind);
    }
    if (def->vertices != wanted || def->faces > 0) {
        return scr_surface_refuse(
            message, def->part, ": needs %zu vertices and no faces, %s", wanted,
            given->kind == SCREE_PART_CONE ? "the centres of its caps"
                                           : "its centre and the ends of three half axes");
    }
    SmoothPart made;
    const char *words =
        scr_smooth_make(given->kind, given->form, def->vertex, given->rounding, &made);
    if (words != NULL) {
        return scr_surface_refuse(message, def->part, ": %s", words);
    }
    const FaceLoops none = {0};
    if (!append_part(p, def->vertex, def->vertices, &none, given->rounding)) {
        return SCREE_NO_MEMORY;
    }
    ScreeSolidPart *last = &p->part[p->parts - 1];
    last->kind = given->kind;
    last->form[0] = made.form[0];
    last->form[1] = made.form[1];
    return SCREE_OK;
}

/* ---------------------------------------------------------------- surfaces of patches */

static ScreeStatus add_plain(Parts *p, const SurfaceDef *def, double size, char *message) {
    PlanePatches plain = {0};
    SurfaceDef as;
    ScreeStatus status = SCREE_NO_MEMORY;
    if (scr_plane_patches(def, size, &plain, &as)) {
        status = as.faces < 4
                     ? scr_surface_refuse(message, def->part, ": its patches enclose nothing")
                     : add_surface(p, &as, 0, message);
    }
    SCR_FREE_BLOCKS(&plain.vertex_block, &plain.corners_block, &plain.corner_block);
    return status;
}

/* What a surface of patches shares with other parts is not known. */
static ScreeStatus check_alone(const ScreeSolidDef *def, const Parts *p, char *message) {
    for (size_t k = 0; k < p->parts && p->parts > 1; k++) {
        if (p->part[k].kind == SCREE_PART_NURBS) {
            return scr_surface_refuse(message, k,
                                      ": a NURBS surface is a body of its own: it cannot be one of "
                                      "%zu parts",
                                      def->parts);
        }
    }
    return SCREE_OK;
}

static ScreeStatus add_patches(Parts *p, const SurfaceDef *def, const ScreeSolidPart *given,
                               char *message) {
    double size, away;
    scr_extent(def->vertex, def->vertices, &size, &away);
    if (def->faces > 0 || given->rounding != 0) {
        return scr_surface_refuse(message, def->part,
                                  ": a NURBS surface takes no faces and no rounding");
    }
    if (given->form[0] == 1 && given->form[1] == 1 && def->vertices % 4 == 0 &&
        def->vertices <= PATCHWORK_POINTS && scr_patches_are_plane(def, size)) {
        return add_plain(p, def, size, message);
    }
    SCR_TRY(scr_patches_check(def, given, message));
    const FaceLoops none = {0};
    if (!append_part(p, def->vertex, def->vertices, &none, 0)) {
        return SCREE_NO_MEMORY;
    }
    ScreeSolidPart *last = &p->part[p->parts - 1];
    last->kind = given->kind;
    last->form[0] = given->form[0];
    last->form[1] = given->form[1];
    last->weight = given->weight;
    return SCREE_OK;
}

/* ---------------------------------------------------------------- numbers */

/* The inputs of one part, before anything is made of them. */
enum { MOST_GIVEN = 1 << 24 };

static ScreeStatus check_numbers(const SurfaceDef *def, double rounding, char *message) {
    if (def->vertices == 0) {
        return scr_surface_refuse(message, def->part, ": has no vertex");
    }
    if (!(rounding >= 0 && isfinite(rounding))) {
        return scr_surface_refuse(message, def->part,
                                  ": its rounding must be a finite number, 0 or more");
    }
    for (size_t k = 0; k < def->vertices; k++) {
        if (!is_finite(def->vertex[k])) {
            return scr_surface_refuse(message, def->part,
                                      ", vertex %zu: its coordinates are not finite", k);
        }
    }
    double size, away;
    scr_extent(def->vertex, def->vertices, &size, &away);
    size = scr_max(size, rounding);
    if (!(size < 1e50 && (size == 0 || size > 1e-50) && away < 1e60)) {
        return scr_surface_refuse(message, def->part, ": its size must lie between 1e-50 and 1e50");
    }
    return SCREE_OK;
}

static ScreeStatus check_counts(const ScreeSolidDef *def, char *message) {
    if (def->parts == 0 || def->part == NULL || def->vertex == NULL) {
        return scr_fail(message, SCREE_BAD_ARGUMENT, "a solid needs at least one part");
    }
    for (size_t p = 0; p < def->parts; p++) {
        if (def->part[p].vertices > MOST_GIVEN || def->part[p].faces > MOST_GIVEN) {
            return scr_surface_refuse(message, p, ": has more than %d vertices or faces",
                                      (int)MOST_GIVEN);
        }
        if (def->part[p].faces > 0 && (def->corners == NULL || def->corner == NULL)) {
            return scr_surface_refuse(message, p, ": its faces have no corners");
        }
    }
    return def->parts <= MOST_ELEMENTS
               ? SCREE_OK
               : scr_fail(message, SCREE_BAD_ARGUMENT, "a solid has at most %d parts",
                          (int)MOST_ELEMENTS);
}

/* The two sides of a plate, as they are kept and told: its hull has them again. */
static bool is_plate(const SurfaceDef *def) {
    return def->faces == 2 && (size_t)def->corners[0] == def->vertices &&
           (size_t)def->corners[1] == def->vertices;
}

static ScreeStatus read_parts(const ScreeSolidDef *def, Parts *p, char *message) {
    SCR_TRY(check_counts(def, message));
    if (!SCR_RESERVE(p, part, def->parts)) {
        return SCREE_NO_MEMORY;
    }
    const Vec3 *vertex = def->vertex;
    const int32_t *corners = def->corners, *corner = def->corner;
    for (size_t k = 0; k < def->parts; k++) {
        const ScreeSolidPart *part = &def->part[k];
        const SurfaceDef given = {k, part->vertices, part->faces, vertex, corners, corner};
        SCR_TRY(check_numbers(&given, part->rounding, message));
        SCR_TRY(part->kind == SCREE_PART_NURBS        ? add_patches(p, &given, part, message)
                : part->kind != SCREE_PART_POLYHEDRON ? add_smooth(p, &given, part, message)
                : part->faces == 0 || is_plate(&given)
                    ? add_hull(p, &given, part->rounding, message)
                    : add_surface(p, &given, part->rounding, message));
        vertex += part->vertices;
        for (size_t f = 0; f < part->faces; f++) { /* sound by now */
            corner += *corners++;
        }
    }
    return check_alone(def, p, message);
}

/* ---------------------------------------------------------------- measures */

static void shift(Parts *p, Vec3 by) {
    for (size_t k = 0; k < p->vertices; k++) {
        p->vertex[k] = sub(p->vertex[k], by);
    }
}

static Vec3 middle_of(const Parts *p) {
    Vec3 low = p->vertex[0], high = p->vertex[0];
    for (size_t k = 1; k < p->vertices; k++) {
        Vec3 v = p->vertex[k];
        low = vec3(scr_min(low.x, v.x), scr_min(low.y, v.y), scr_min(low.z, v.z));
        high = vec3(scr_max(high.x, v.x), scr_max(high.y, v.y), scr_max(high.z, v.z));
    }
    return add_scaled(low, 0.5, sub(high, low));
}

/* What is nothing but rounding would only spoil coordinates that are 0. */
static double unless_noise(double x, double size) {
    return fabs(x) <= 8 * 0x1p-52 * size ? 0 : x;
}

static ScreeStatus too_many(char *message, const Solid *solid) {
    return scr_fail(message, SCREE_BAD_ARGUMENT,
                    "the solid has %d vertices, edges and faces; at most %d can be told apart: "
                    "simplify it, or make several bodies of it",
                    solid->elements, (int)MOST_ELEMENTS);
}

/* Vertices first about the middle of their box, then about the centroid that is found there. */
static ScreeStatus place(Parts *p, Solid *solid, Vec3 *centroid, char *message) {
    const ScreeSolidDef def = {p->part, p->parts, p->vertex, p->corners, p->corner};
    PolyhedronFault fault = {0};
    Vec3 middle = middle_of(p);
    shift(p, middle);
    ScreeStatus status = scr_solid_build_parts(&def, solid, &fault);
    if (status == SCREE_BAD_ARGUMENT) {
        return scr_fail(message, status, "%s (vertices %d and %d)", fault.words, fault.vertex[0],
                        fault.vertex[1]);
    }
    SCR_TRY(status);
    if (solid->elements > MOST_ELEMENTS) {
        status = too_many(message, solid);
        scr_solid_free(solid);
        return status;
    }
    Moments m;
    status = scr_solid_moments(solid, &m);
    if (status != SCREE_OK) {
        scr_solid_free(solid);
        return status;
    }
    double size = scr_solid_radius(solid);
    Vec3 c = scale(1 / m.volume, m.first);
    c = vec3(unless_noise(c.x, size), unless_noise(c.y, size), unless_noise(c.z, size));
    scr_solid_free(solid);
    shift(p, c);
    *centroid = add(middle, c);
    return scr_solid_build_parts(&def, solid, NULL);
}

static ScreeStatus measure(Solid *solid, char *message) {
    Moments m;
    ScreeStatus status = scr_solid_moments(solid, &m);
    if (status != SCREE_OK) {
        scr_solid_free(solid);
        return status;
    }
    solid->volume = m.volume;
    solid->radius = scr_solid_radius(solid);
    scr_principal_axes(&m, &solid->gyration, &solid->axes);
    const char *words = !(m.volume > 0 && isfinite(m.volume)) ? "the solid has no volume"
                                                              : scr_inertia_fault(solid->gyration);
    if (words != NULL) {
        scr_solid_free(solid);
    }
    return scr_fail_if(message, words);
}

ScreeStatus scr_solid_build(const ScreeSolidDef *def, Solid *solid, Vec3 *centroid, char *message) {
    Parts parts = {0};
    *solid = (Solid){0};
    ScreeStatus status = read_parts(def, &parts, message);
    status = status == SCREE_OK ? place(&parts, solid, centroid, message) : status;
    status = status == SCREE_OK ? measure(solid, message) : status;
    free_parts(&parts);
    return status == SCREE_NO_MEMORY ? scr_no_memory(message) : status;
}
