/* Walls that are surfaces: from files, or from vertices and faces, to triangles. */
#include "scene/internal.h"

#include "math/vec.h"
#include "scene/read/mesh.h"

#include <stdlib.h>
#include <string.h>

typedef struct Reading {
    Scene *scene;
    SceneError *error;
    const SceneWallSpec *spec;
    SceneWallMesh *made;
} Reading;

static bool refuse(const Reading *r, const char *key, const char *hint, const char *what) {
    return scene_fail(r->error, scene_location_of(r->scene, &r->spec->mesh.head, key), hint,
                      "wall '%.60s': %s", r->spec->head.name, what);
}

static bool no_memory(const Reading *r) {
    return scene_out_of_memory(r->error, scene_location_of(r->scene, &r->spec->head, NULL), NULL);
}

/* ---------------------------------------------------------------- triangles */

/* Faces cut into triangles; allocated, since files may have millions. */
typedef struct Cut {
    int32_t *corner, *part;
    size_t triangles;
} Cut;

/* A polygon seen along the axis of its normal, counterclockwise. */
static void flatten(const SceneMesh *m, const int32_t *corner, size_t count, ScreeVec3 *flat) {
    ScreeVec3 n = {0, 0, 0}, origin = m->vertex[corner[0]];
    for (size_t k = 1; k + 1 < count; k++) {
        n = add(n, cross(sub(m->vertex[corner[k]], origin), sub(m->vertex[corner[k + 1]], origin)));
    }
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    bool back = component(n, axis) < 0;
    for (size_t k = 0; k < count; k++) {
        ScreeVec3 p = m->vertex[corner[k]];
        double u = component(p, (axis + 1) % 3), v = component(p, (axis + 2) % 3);
        flat[k] = (ScreeVec3){back ? v : u, back ? u : v, 0};
    }
}

static bool cut_face(const SceneMesh *m, size_t f, const int32_t *corner, Cut *cut) {
    size_t count = (size_t)m->corners[f], triangles = 1;
    int32_t *to = cut->corner + 3 * cut->triangles;
    if (count == 3) {
        memcpy(to, corner, 3 * sizeof *to);
    } else {
        ScreeVec3 *flat = malloc(count * sizeof *flat);
        if (!flat) {
            return false;
        }
        flatten(m, corner, count, flat);
        ScreeStatus status = scree_outline_fill(flat, count, to, &triangles);
        free(flat);
        for (size_t k = 0; k < 3 * triangles && status == SCREE_OK; k++) {
            to[k] = corner[to[k]];
        }
        if (status != SCREE_OK) {
            return false;
        }
    }
    for (size_t k = 0; k < triangles; k++) {
        cut->part[cut->triangles + k] = m->part[f];
    }
    cut->triangles += triangles;
    return true;
}

static bool cut_faces(const SceneMesh *m, Cut *cut) {
    size_t room = m->total; /* a face of n corners makes n - 2 triangles */
    cut->corner = malloc(3 * room * sizeof *cut->corner);
    cut->part = malloc(room * sizeof *cut->part);
    bool ok = cut->corner && cut->part;
    const int32_t *corner = m->corner;
    for (size_t f = 0; f < m->faces && ok; f++) {
        ok = cut_face(m, f, corner, cut);
        corner += m->corners[f];
    }
    return ok;
}

/* ---------------------------------------------------------------- the mesh */

/* Parts without a name, and names in which a dot would be taken for a part of a part, get one. */
static bool name_parts(const Reading *r, const SceneMesh *m) {
    SceneArena *arena = &r->scene->arena;
    r->made->name = scene_alloc(arena, m->parts, sizeof *r->made->name);
    for (size_t k = 0; k < m->parts && r->made->name; k++) {
        const char *text = m->name[k].text[0] ? m->name[k].text : "rest";
        r->made->name[k] = scene_copy_text(arena, text, strlen(text));
        if (!r->made->name[k]) {
            r->made->name = NULL;
        }
    }
    return r->made->name || no_memory(r);
}

static bool make_mesh(const Reading *r, SceneMesh *m) {
    char words[SCREE_MESSAGE_SIZE] = "";
    Cut cut = {0};
    for (size_t k = 0; k < m->vertices; k++) {
        m->vertex[k] = scale(r->spec->mesh.scale, m->vertex[k]);
    }
    bool ok = cut_faces(m, &cut) || no_memory(r);
    if (ok) {
        const ScreeMeshDef def = {m->vertices, cut.triangles, m->vertex,
                                  cut.corner,  cut.part,      (int32_t)m->parts};
        r->made->mesh = scree_mesh_create(&def, words);
        r->made->parts = m->parts;
        ok = (r->made->mesh && name_parts(r, m)) ||
             (!r->made->mesh && refuse(r, "file", NULL, words));
    }
    free(cut.corner);
    free(cut.part);
    return ok;
}

static bool read_file(const Reading *r) {
    const SceneWallMeshSpec *spec = &r->spec->mesh;
    SceneSource source;
    SceneMesh mesh;
    if (!scene_is_mesh_name(spec->file)) {
        return refuse(r, "file", NULL,
                      "a mesh file has a name that ends in .stl, .obj, .ply or .off");
    }
    if (!scene_read_named(r->scene, &spec->head, spec->file, SIZE_MAX, &source, r->error)) {
        return false;
    }
    bool ok = scene_read_mesh(&source, &mesh, r->error);
    free((char *)source.text);
    ok = ok && make_mesh(r, &mesh);
    scene_mesh_free(&mesh);
    return ok;
}

static bool read_given(const Reading *r) {
    const SceneWallMeshSpec *spec = &r->spec->mesh;
    SceneArena *arena = &r->scene->arena;
    SceneMeshName no_name = {""};
    size_t total = 0;
    for (size_t f = 0; f < spec->faces.count; f++) {
        total += (size_t)spec->faces.corners[f];
    }
    for (size_t k = 0; k < total; k++) {
        if ((size_t)spec->faces.corner[k] >= spec->vertices.count) {
            return refuse(r, "faces", NULL, "a face has a vertex that there is not");
        }
    }
    SceneMesh mesh = {.vertex = scene_alloc(arena, spec->vertices.count, sizeof(ScreeVec3)),
                      .part = scene_alloc(arena, spec->faces.count, sizeof(int32_t)),
                      .corners = spec->faces.corners,
                      .corner = spec->faces.corner,
                      .vertices = spec->vertices.count,
                      .faces = spec->faces.count,
                      .total = total,
                      .name = &no_name,
                      .parts = 1};
    if (!mesh.vertex || !mesh.part) {
        return no_memory(r);
    }
    memcpy(mesh.vertex, spec->vertices.points, mesh.vertices * sizeof *mesh.vertex);
    memset(mesh.part, 0, mesh.faces * sizeof *mesh.part);
    return make_mesh(r, &mesh);
}

static bool read_one(const Reading *r) {
    const SceneWallMeshSpec *spec = &r->spec->mesh;
    bool given = spec->vertices.count > 0 && spec->faces.count > 0;
    if (r->scene->model.dimension != 3) {
        return refuse(r, NULL, "use segments in two dimensions",
                      "meshes exist only in three dimensions");
    }
    if (given == (spec->file != NULL)) {
        return refuse(r, NULL, "for example mesh: {file: slope.stl}",
                      "a mesh has either a file or vertices and faces");
    }
    return given ? read_given(r) : read_file(r);
}

bool scene_read_wall_meshes(Scene *scene, SceneError *error) {
    const SceneWallSpec *specs = scene->model.walls.items;
    size_t count = scene->model.walls.count;
    scene->wall_meshes = scene_alloc(&scene->arena, count + 1, sizeof *scene->wall_meshes);
    if (!scene->wall_meshes) {
        return scene_out_of_memory(error, scene_location(&scene->document, 0), NULL);
    }
    memset(scene->wall_meshes, 0, (count + 1) * sizeof *scene->wall_meshes);
    for (size_t i = 0; i < count; i++) {
        const Reading r = {scene, error, &specs[i], &scene->wall_meshes[i]};
        if (specs[i].mesh.head.node && !read_one(&r)) {
            return false;
        }
    }
    return true;
}

void scene_free_wall_meshes(Scene *scene) {
    for (size_t i = 0; scene->wall_meshes && i < scene->model.walls.count; i++) {
        scree_mesh_destroy(scene->wall_meshes[i].mesh);
    }
}
