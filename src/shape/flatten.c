/* Files with seven digits give a box twelve triangles, of which no two lie in one plane to more than
 * that; some of the edges between them are even reflex. What was one face becomes one again: the
 * plane of each group of triangles is that of their mean, and each vertex moves to where its planes
 * meet. Where more than three planes meet in a vertex, they are fitted and met in turns. */
#include "shape/flatten.h"

#include "shape/hull.h"
#include "shape/plane_groups.h"

#include <stdlib.h>

enum { MOST_ROUNDS = 60, MOST_TOLERANCES = 30 };

/* That a vertex belongs to a group. */
typedef struct Member {
    int32_t vertex, group;
} Member;

typedef struct Plane {
    Vec3 normal;
    double offset, area;
    int32_t triangles;
} Plane;

typedef struct Flattening {
    const Triangles *of;
    size_t vertices;
    Vec3 *vertex, *given; /* [vertices] where they are, and as they were */
    double tolerance, rounding;
    int32_t *group, groups; /* of each triangle */
    Plane *plane;           /* [groups] */
    Member *member;         /* by vertex, then the larger group first */
    size_t members;
    Block group_block, plane_block, member_block, given_block;
} Flattening;

/* ---------------------------------------------------------------- planes */

/* From the middle of a vertex, so that planes far from the origin lose nothing. */
static void fit_planes(Flattening *f) {
    Vec3 origin = f->given[0];
    for (int32_t g = 0; g < f->groups; g++) {
        f->plane[g] = (Plane){.offset = 0};
    }
    for (int32_t t = 0; t < f->of->count; t++) {
        Plane *p = &f->plane[f->group[t]];
        p->normal = add(p->normal, scr_triangle_normal(f->vertex, &f->of->triangle[t]));
        p->triangles++;
    }
    for (int32_t g = 0; g < f->groups; g++) {
        Plane *p = &f->plane[g];
        p->area = length(p->normal);
        p->normal = p->area > 0 ? scale(1 / p->area, p->normal) : p->normal;
    }
    for (int32_t t = 0; t < f->of->count; t++) {
        Plane *p = &f->plane[f->group[t]];
        for (int k = 0; k < 3; k++) {
            Vec3 x = sub(f->vertex[f->of->triangle[t].vertex[k]], origin);
            p->offset += dot(p->normal, x) / (3 * p->triangles);
        }
    }
}

/* ---------------------------------------------------------------- vertices */

static int members_in_order(const void *one, const void *other) {
    const Member *a = one, *b = other;
    return a->vertex != b->vertex ? (a->vertex > b->vertex) - (a->vertex < b->vertex)
                                  : (a->group > b->group) - (a->group < b->group);
}

/* A single triangle is plane as it is, and asks nothing of its vertices. Groups are numbered from
 * the one with the largest triangle on. */
static void list_members(Flattening *f) {
    size_t count = 0;
    for (int32_t t = 0; t < f->of->count; t++) {
        for (int k = 0; k < 3; k++) {
            if (f->plane[f->group[t]].triangles > 1) {
                f->member[count++] = (Member){f->of->triangle[t].vertex[k], f->group[t]};
            }
        }
    }
    qsort(f->member, count, sizeof *f->member, members_in_order);
    f->members = 0;
    for (size_t k = 0; k < count; k++) {
        bool same = k > 0 && members_in_order(&f->member[k], &f->member[k - 1]) == 0;
        if (!same) {
            f->member[f->members++] = f->member[k];
        }
    }
}

/* The shortest way to each plane in turn that stays within those before. Planes that are nearly
 * parallel to what the others leave free would take it far: they have to wait for the next round. */
static Vec3 meet(const Flattening *f, const Member *member, size_t members) {
    Vec3 basis[3], x = f->vertex[member->vertex], from = x;
    for (size_t k = 0, used = 0; k < members && used < 3; k++) {
        const Plane *p = &f->plane[member[k].group];
        Vec3 free = p->normal;
        for (size_t j = 0; j < used; j++) {
            free = add_scaled(free, -dot(free, basis[j]), basis[j]);
        }
        if (length(free) > 1e-2) {
            basis[used] = unit(free);
            double off = p->offset - dot(p->normal, sub(x, f->given[0]));
            x = add_scaled(x, off / dot(p->normal, basis[used]), basis[used]);
            used++;
        }
    }
    double moved = length(sub(x, f->given[member->vertex]));
    return moved <= MOST_TOLERANCES * f->tolerance ? x : from;
}

/* Returns the longest way of any vertex. */
static double move_vertices(Flattening *f) {
    double farthest = 0;
    for (size_t k = 0, next; k < f->members; k = next) {
        for (next = k + 1; next < f->members && f->member[next].vertex == f->member[k].vertex;) {
            next++;
        }
        Vec3 *x = &f->vertex[f->member[k].vertex], to = meet(f, &f->member[k], next - k);
        farthest = scr_max(farthest, length(sub(to, *x)));
        *x = to;
    }
    return farthest;
}

/* ---------------------------------------------------------------- the whole */

static bool flatten(Flattening *f, const SurfaceDef *def) {
    size_t triangles = (size_t)f->of->count;
    if (!SCR_RESERVE(f, group, triangles) || !SCR_RESERVE(f, member, 3 * triangles) ||
        !SCR_RESERVE(f, given, f->vertices) ||
        !scr_plane_groups(def->vertex, f->of, f->tolerance, f->group)) {
        return false;
    }
    for (size_t k = 0; k < f->vertices; k++) {
        f->vertex[k] = f->given[k] = def->vertex[k];
    }
    for (size_t t = 0; t < triangles; t++) {
        f->groups = f->group[t] >= f->groups ? f->group[t] + 1 : f->groups;
    }
    if (!SCR_RESERVE(f, plane, (size_t)f->groups)) {
        return false;
    }
    fit_planes(f);
    list_members(f);
    for (int round = 0; round < MOST_ROUNDS && move_vertices(f) > f->rounding; round++) {
        fit_planes(f);
    }
    return true;
}

ScreeStatus scr_flatten(const SurfaceDef *def, double tolerance, Vec3 *vertex) {
    Surface surface = {.tolerance = tolerance};
    double away;
    scr_extent(def->vertex, def->vertices, &surface.size, &away);
    ScreeStatus status = scr_surface_cut(def, &surface, NULL);
    status = status == SCREE_OK ? scr_surface_close(def, &surface, NULL) : status;
    Flattening f = {.of = &surface.triangles,
                    .vertices = def->vertices,
                    .vertex = vertex,
                    .tolerance = tolerance,
                    .rounding = 2 * 0x1p-52 * scr_max(surface.size, away)};
    if (status == SCREE_OK && !flatten(&f, def)) {
        status = SCREE_NO_MEMORY;
    }
    SCR_FREE_BLOCKS(&f.group_block, &f.plane_block, &f.member_block, &f.given_block);
    scr_surface_free(&surface);
    return status == SCREE_NO_MEMORY ? status : SCREE_OK;
}
