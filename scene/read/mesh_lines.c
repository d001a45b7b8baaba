/* OBJ and OFF: vertices and polygons, one on each line. */
#include "scene/read/mesh_scan.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- OBJ */

/* A corner is a vertex from 1, or counted back from the last one, -1; what follows a slash are
 * textures and normals. */
static bool read_corner(MeshScan *scan, int32_t *corner) {
    char *end = NULL;
    long long number = strtoll(scan->word, &end, 10), known = (long long)scan->mesh->vertices;
    bool whole = end != scan->word && (*end == '\0' || *end == '/');
    long long vertex = number > 0 ? number - 1 : known + number;
    if (!whole || number == 0) {
        return scene_scan_fail(scan, "a corner must be a vertex counted from 1, but is '%s'",
                               scan->word);
    }
    if (vertex < 0 || vertex >= known) {
        return scene_scan_fail(scan, "a corner is vertex %lld, but %lld have been given so far",
                               number, known);
    }
    *corner = (int32_t)vertex;
    return true;
}

static bool read_face(MeshScan *scan) {
    int64_t count = 0;
    while (scene_scan_word(scan)) {
        if (count == MESH_MOST_CORNERS) {
            return scene_scan_fail(scan, "a face has more than %d corners", (int)MESH_MOST_CORNERS);
        }
        if (!read_corner(scan, &scan->face[count++])) {
            return false;
        }
    }
    return scene_mesh_add_face(scan, count);
}

bool scene_read_obj(MeshScan *scan) {
    while (scene_scan_line(scan)) {
        ScreeVec3 p;
        scene_scan_word(scan);
        bool part = strcmp(scan->word, "o") == 0 || strcmp(scan->word, "g") == 0;
        bool ok = strcmp(scan->word, "v") == 0
                      ? scene_scan_point(scan, &p) && scene_mesh_add_vertex(scan, p)
                  : part ? scene_mesh_begin_part(scan)
                         : strcmp(scan->word, "f") != 0 || read_face(scan);
        if (!ok) {
            return false;
        }
    }
    return true;
}

/* ---------------------------------------------------------------- OFF */

/* "OFF", with letters in front for colours and normals, which follow each vertex and are skipped. */
static bool read_head(MeshScan *scan) {
    static const char *const kinds[] = {"off", "coff", "noff", "cnoff"};
    if (!scene_scan_line(scan) || !scene_scan_word(scan)) {
        return scene_scan_fail(scan, "the file is empty");
    }
    bool known = false;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        known = known || scene_scan_is(scan, kinds[i]);
    }
    return known || scene_scan_fail(scan, "an OFF file begins with OFF, not with '%s'", scan->word);
}

static bool next_line(MeshScan *scan, const char *what, int64_t number, int64_t of) {
    return scene_scan_line(scan) || scene_scan_fail(scan, "the file ends after %lld of %lld %s",
                                                    (long long)number, (long long)of, what);
}

/* Numbers of vertices and faces, on the first line or the second; that of edges means nothing. */
static bool read_counts(MeshScan *scan, int64_t *vertices, int64_t *faces) {
    const char *rest = scan->at;
    if (scene_scan_word(scan)) {
        if (scene_scan_is(scan, "binary")) {
            return scene_scan_fail(scan, "binary OFF files are not read: save it as text");
        }
        scan->at = rest;
    } else if (!scene_scan_line(scan)) {
        return scene_scan_fail(scan, "the file ends before the number of vertices");
    }
    return scene_scan_whole(scan, "the number of vertices", 1, MESH_MOST, vertices) &&
           scene_scan_whole(scan, "the number of faces", 1, MESH_MOST, faces);
}

static bool read_polygon(MeshScan *scan, int64_t vertices) {
    int64_t count, corner;
    if (!scene_scan_whole(scan, "the number of corners", 3, MESH_MOST_CORNERS, &count)) {
        return false;
    }
    for (int64_t k = 0; k < count; k++) {
        if (!scene_scan_whole(scan, "a corner", 0, (double)vertices - 1, &corner)) {
            return false;
        }
        scan->face[k] = (int32_t)corner;
    }
    return scene_mesh_add_face(scan, count);
}

bool scene_read_off(MeshScan *scan) {
    int64_t vertices, faces;
    if (!read_head(scan) || !read_counts(scan, &vertices, &faces)) {
        return false;
    }
    for (int64_t i = 0; i < vertices; i++) {
        ScreeVec3 p;
        if (!next_line(scan, "vertices", i, vertices) || !scene_scan_point(scan, &p) ||
            !scene_mesh_add_vertex(scan, p)) {
            return false;
        }
    }
    for (int64_t i = 0; i < faces; i++) {
        if (!next_line(scan, "faces", i, faces) || !read_polygon(scan, vertices)) {
            return false;
        }
    }
    return true;
}
