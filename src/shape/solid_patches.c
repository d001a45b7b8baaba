#include "shape/solid_patches.h"

#include "base/status.h"
#include "shape/patchwork.h"

/* ---------------------------------------------------------------- plane patches */

/* The first of the corners in the same place. */
static int32_t weld(const Vec3 *corner, int32_t k, double near) {
    for (int32_t j = 0; j < k; j++) {
        if (fabs(corner[j].x - corner[k].x) <= near && length(sub(corner[j], corner[k])) <= near) {
            return j;
        }
    }
    return k;
}

static bool make_faces(const SurfaceDef *def, double size, PlanePatches *made, SurfaceDef *as) {
    static const int around[4] = {0, 2, 3, 1};
    size_t patches = def->vertices / 4, all = 0;
    if (!SCR_RESERVE(made, vertex, def->vertices) || !SCR_RESERVE(made, corners, patches) ||
        !SCR_RESERVE(made, corner, def->vertices)) {
        return false;
    }
    for (size_t f = 0; f < patches; f++) {
        size_t first = all;
        for (int k = 0; k < 4; k++) {
            int32_t v = (int32_t)(4 * f) + around[k];
            made->vertex[v] = def->vertex[v];
            made->corner[all] = v;
            all++;
        }
        made->corners[f] = (int32_t)(all - first);
    }
    for (size_t k = 0; k < all; k++) {
        made->corner[k] = weld(def->vertex, made->corner[k], 1e-9 * size);
    }
    *as =
        (SurfaceDef){def->part, def->vertices, patches, made->vertex, made->corners, made->corner};
    return true;
}

/* A side that is a single point leaves a triangle. */
static void drop_doubles(PlanePatches *p, SurfaceDef *as) {
    size_t to = 0, at = 0, faces = 0;
    for (size_t f = 0; f < as->faces; f++) {
        size_t first = to, end = at + (size_t)as->corners[f];
        for (; at < end; at++) {
            if (to == first || p->corner[to - 1] != p->corner[at]) {
                p->corner[to++] = p->corner[at];
            }
        }
        to -= to > first + 1 && p->corner[to - 1] == p->corner[first];
        if (to - first < 3) {
            to = first; /* without area */
        } else {
            p->corners[faces++] = (int32_t)(to - first);
        }
    }
    as->faces = faces;
}

bool scr_patches_are_plane(const SurfaceDef *def, double size) {
    for (size_t k = 0; k + 4 <= def->vertices; k += 4) {
        const Vec3 *p = def->vertex + k;
        Vec3 a = sub(p[1], p[0]), b = sub(p[2], p[0]), c = sub(p[3], p[0]);
        if (fabs(dot(a, cross(b, c))) > 1e-9 * size * size * size) {
            return false;
        }
    }
    return true;
}

bool scr_plane_patches(const SurfaceDef *def, double size, PlanePatches *made, SurfaceDef *as) {
    if (!make_faces(def, size, made, as)) {
        return false;
    }
    drop_doubles(made, as);
    return true;
}

/* ---------------------------------------------------------------- all patches */

static ScreeStatus refuse_patch(const PatchFault *f, const SurfaceDef *def, char *message) {
    static const char *const side[4] = {"u = 0", "u = 1", "v = 0", "v = 1"};
    if (f->patch < 0) {
        return scr_surface_refuse(message, def->part, ": %s", f->words);
    }
    if (f->point < 0) {
        return scr_surface_refuse(message, def->part, ", patch %d: %s", f->patch, f->words);
    }
    if (f->at_side) {
        return scr_surface_refuse(message, def->part, ", patch %d, side %s: %s", f->patch,
                                  side[f->point], f->words);
    }
    return scr_surface_refuse(message, def->part, ", patch %d, control point %d: %s", f->patch,
                              f->point, f->words);
}

/* Whether the triangles between its nodes enclose a body, and do not cross each other. */
static ScreeStatus check_nodes(const Patchwork *s, const SurfaceDef *def, char *message) {
    Block corners = {0};
    Surface read = {0};
    if (!scr_block_reserve(&corners, (size_t)s->triangles, sizeof(int32_t), 0)) {
        return SCREE_NO_MEMORY;
    }
    int32_t *three = corners.data;
    for (int32_t k = 0; k < s->triangles; k++) {
        three[k] = 3;
    }
    const SurfaceDef as = {def->part, (size_t)s->nodes, (size_t)s->triangles, s->node,
                           three,     s->triangle};
    ScreeStatus status = scr_surface_read(&as, &read, message);
    scr_surface_free(&read);
    scr_block_free(&corners);
    return status;
}

ScreeStatus scr_patches_check(const SurfaceDef *def, const ScreeSolidPart *given, char *message) {
    const PatchworkDef patches = {
        def->vertices, def->vertex, given->weight, {given->form[0], given->form[1]}};
    PatchFault fault = {0};
    Patchwork made;
    ScreeStatus status = scr_patchwork_build(&patches, &made, &fault);
    if (status == SCREE_BAD_ARGUMENT) {
        return refuse_patch(&fault, def, message);
    }
    status = status == SCREE_OK ? check_nodes(&made, def, message) : status;
    scr_patchwork_free(&made);
    return status;
}
