/* Closed NURBS surfaces of a scene. */
#include "scene/make/solids.h"

#include "math/vec.h"
#include "scene/make/curves.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Net {
    const SceneSolidSite *site;
    const SceneSurfaceSpec *spec;
    ScreeVec3 *point;
    double *weight; /* or NULL */
    size_t count;
} Net;

static bool refuse(const Net *n, const char *key, const char *hint, const char *what) {
    return scene_fail(n->site->error, scene_location_of(n->site->scene, &n->spec->head, key), hint,
                      "%s.surface: %s", n->site->name, what);
}

static bool no_memory(const Net *n) {
    return scene_out_of_memory(n->site->error, scene_location(&n->site->scene->document, 0), NULL);
}

/* ---------------------------------------------------------------- rings and knots */

/* Along a direction without knots, the first points are repeated after the last ones, and the knots are
 * whole numbers. */
static bool close_rings(const Net *n, ScreeNurbsSurface *made) {
    const SceneNumbers *given[2] = {&n->spec->knots_u, &n->spec->knots_v};
    SceneArena *arena = &n->site->scene->arena;
    size_t along[2] = {n->count / (size_t)n->spec->across, (size_t)n->spec->across};
    for (int k = 0; k < 2; k++) {
        size_t degree = (size_t)made->degree[k];
        bool ring = given[k]->count == 0;
        made->points[k] = along[k] + (ring ? degree : 0);
        size_t knots = made->points[k] + degree + 1;
        double *knot = scene_alloc(arena, knots, sizeof *knot);
        if (!knot) {
            return no_memory(n);
        }
        if (!ring && given[k]->count != knots) {
            char words[120];
            snprintf(words, sizeof words, "%zu points of degree %zu along %c take %zu knots",
                     along[k], degree, "uv"[k], knots);
            return refuse(n, k == 0 ? "knots_u" : "knots_v", NULL, words);
        }
        for (size_t i = 0; i < knots; i++) {
            knot[i] = ring ? (double)i : given[k]->list[i];
        }
        made->knot[k] = knot;
    }
    size_t all = made->points[0] * made->points[1];
    ScreeVec3 *point = scene_alloc(arena, all, sizeof *point);
    double *weight = scene_alloc(arena, all, sizeof *weight);
    if (!point || !weight) {
        return no_memory(n);
    }
    for (size_t i = 0; i < all; i++) {
        size_t from = i / made->points[1] % along[0] * along[1] + i % made->points[1] % along[1];
        point[i] = n->point[from];
        weight[i] = n->weight ? n->weight[from] : 1;
    }
    made->point = point;
    made->weight = weight;
    return true;
}

static double degree_of(const SceneSurfaceSpec *s, int k) {
    return s->degree[0] == 0 ? 3 : s->degree[k]; /* not given */
}

static bool check_net(Net *n) {
    const SceneSurfaceSpec *s = n->spec;
    for (int k = 0; k < 2; k++) {
        double degree = degree_of(s, k);
        if (!(degree >= 1 && degree <= 7 && degree == floor(degree))) {
            return refuse(n, "degree", NULL, "degrees are whole numbers from 1 to 7");
        }
    }
    if ((s->points.count > 0) == (s->file != NULL)) {
        return refuse(n, s->points.count > 0 ? "file" : NULL, NULL,
                      "give the control points either here or in a file");
    }
    if (s->file) {
        ScenePointFile file;
        if (!scene_read_points(n->site->scene, &s->head, s->file, 3, &file, n->site->error)) {
            return false;
        }
        n->point = file.point;
        n->weight = file.weight;
        n->count = file.count;
    }
    if (s->weights.count > 0 && (s->weights.count != n->count || s->file)) {
        return refuse(n, "weights", NULL, "there must be one weight for each point");
    }
    if (n->count % (size_t)s->across != 0 || n->count / (size_t)s->across < 2 || s->across < 2) {
        return refuse(n, "across", "the points are given row by row, `across` in each",
                      "the number of points must be a multiple of `across`, of at least two rows");
    }
    return n->count <= 32767 || refuse(n, NULL, NULL, "a surface has at most 32767 control points");
}

/* ---------------------------------------------------------------- patches */

static bool cut(const SceneSolidSite *site, const SceneHead *head, const char *key,
                const ScreeNurbsSurface *surface, ScenePart *part) {
    char message[SCREE_MESSAGE_SIZE] = "";
    SceneArena *arena = &site->scene->arena;
    *part = (ScenePart){.kind = SCREE_PART_NURBS, .form = {surface->degree[0], surface->degree[1]}};
    if (scree_solid_cut_nurbs(surface, NULL, NULL, &part->vertices, message) != SCREE_OK) {
        return scene_fail(site->error, scene_location_of(site->scene, head, NULL), NULL,
                          "%s.%s: %s", site->name, key, message);
    }
    part->vertex = scene_alloc(arena, part->vertices, sizeof *part->vertex);
    part->weight = scene_alloc(arena, part->vertices, sizeof *part->weight);
    part->corners = scene_alloc(arena, 1, sizeof *part->corners);
    part->corner = scene_alloc(arena, 1, sizeof *part->corner);
    if (!part->vertex || !part->weight || !part->corners || !part->corner) {
        return scene_out_of_memory(site->error, scene_location(&site->scene->document, 0), NULL);
    }
    return scree_solid_cut_nurbs(surface, part->vertex, part->weight, &part->vertices, message) ==
           SCREE_OK;
}

bool scene_make_surface(const SceneSolidSite *site, ScenePart *part) {
    const SceneSurfaceSpec *s = &site->solid->surface;
    Net n = {site, s, s->points.points, s->weights.count > 0 ? s->weights.list : NULL,
             s->points.count};
    ScreeNurbsSurface surface = {.degree = {(int32_t)degree_of(s, 0), (int32_t)degree_of(s, 1)}};
    return check_net(&n) && close_rings(&n, &surface) &&
           cut(site, &s->head, "surface", &surface, part);
}

/* Two circles of four quarters each: nine control points, those at the corners of a square with the
 * weight cos(45 deg). */
bool scene_make_torus(const SceneSolidSite *site, ScenePart *part) {
    static const double cosine[9] = {1, 1, 0, -1, -1, -1, 0, 1, 1},
                        sine[9] = {0, 1, 1, 1, 0, -1, -1, -1, 0},
                        knot[12] = {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4};
    const SceneTorusSpec *t = &site->solid->torus;
    double r = 0.5 * t->thickness;
    ScreeVec3 point[81];
    double weight[81];
    if (!(r < t->radius)) {
        return scene_fail(site->error, scene_location_of(site->scene, &t->head, "thickness"),
                          "the hole is 2 radius - thickness wide",
                          "%s.torus: the thickness must be less than twice the radius", site->name);
    }
    for (int k = 0; k < 81; k++) {
        int i = k / 9, j = k % 9;
        double out = t->radius + r * cosine[j];
        point[k] = (ScreeVec3){out * cosine[i], out * sine[i], r * sine[j]};
        weight[k] = (i % 2 ? sqrt(0.5) : 1) * (j % 2 ? sqrt(0.5) : 1);
    }
    const ScreeNurbsSurface surface = {{2, 2}, {9, 9}, point, weight, {knot, knot}};
    return cut(site, &t->head, "torus", &surface, part);
}
