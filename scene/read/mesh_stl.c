/* STL: triangles with three corners each, as text or in 50 bytes. Normals are not read: the order of
 * the corners tells the outside. */
#include "scene/read/mesh_scan.h"

#include "base/plural.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { HEADER = 84, TRIANGLE = 50 };

static uint32_t whole_at(const char *at) {
    const unsigned char *b = (const unsigned char *)at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double number_at(const char *at) {
    uint32_t bits = whole_at(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static bool add_triangle(MeshScan *scan) {
    int32_t last = (int32_t)scan->mesh->vertices;
    for (int k = 0; k < 3; k++) {
        scan->face[k] = last - 3 + k;
    }
    return scene_mesh_add_face(scan, 3);
}

static bool read_binary(MeshScan *scan, size_t triangles) {
    for (size_t i = 0; i < triangles; i++) {
        for (size_t k = 0; k < 3; k++) {
            scan->at = scan->source->text + HEADER + i * TRIANGLE + 12 * (k + 1);
            ScreeVec3 p = {number_at(scan->at), number_at(scan->at + 4), number_at(scan->at + 8)};
            if (!scene_mesh_add_vertex(scan, p)) {
                return false;
            }
        }
        if (!add_triangle(scan)) {
            return false;
        }
    }
    return true;
}

/* One line within a solid; *corners counts those of the loop, -1 outside. */
static bool read_line(MeshScan *scan, int *corners, bool *closed) {
    ScreeVec3 p;
    *closed = false;
    if (scene_scan_is(scan, "vertex")) {
        if (*corners < 0 || *corners >= 3) {
            return scene_scan_fail(scan, *corners < 0 ? "a vertex stands outside of a loop"
                                                      : "a loop has more than three vertices");
        }
        ++*corners;
        return scene_scan_point(scan, &p) && scene_mesh_add_vertex(scan, p);
    }
    if (scene_scan_is(scan, "outer")) {
        if (*corners >= 0) {
            return scene_scan_fail(scan, "a loop begins within another");
        }
        *corners = 0;
        return true;
    }
    if (scene_scan_is(scan, "endloop")) {
        if (*corners != 3) {
            return scene_scan_fail(scan, "a loop ends after %d %s, and must have three",
                                   *corners < 0 ? 0 : *corners,
                                   SCR_PLURAL(*corners, "vertex", "vertices"));
        }
        *corners = -1;
        return add_triangle(scan);
    }
    *closed = scene_scan_is(scan, "endsolid");
    if (*corners < 0 && scene_scan_is(scan, "solid")) {
        return scene_mesh_begin_part(scan);
    }
    if (*corners < 0 &&
        (*closed || scene_scan_is(scan, "facet") || scene_scan_is(scan, "endfacet"))) {
        return true;
    }
    return scene_scan_fail(
        scan, *corners < 0 ? "'%s' does not belong into an STL file" : "'%s' stands within a loop",
        scan->word);
}

static bool read_lines(MeshScan *scan) {
    int corners = -1;
    bool closed = false;
    while (scene_scan_line(scan)) {
        scene_scan_word(scan);
        if (!read_line(scan, &corners, &closed)) {
            return false;
        }
    }
    return closed || scene_scan_fail(scan, "the file ends before 'endsolid'");
}

bool scene_read_stl(MeshScan *scan) {
    size_t size = scan->source->size;
    const char *text = scan->source->text;
    size_t triangles = size >= HEADER ? whole_at(text + 80) : 0;
    bool solid = size >= 5 && memcmp(text, "solid", 5) == 0;
    if (size >= HEADER && size == HEADER + triangles * TRIANGLE) {
        return read_binary(scan, triangles);
    }
    if (solid) { /* many binary files begin with this word as well */
        return read_lines(scan);
    }
    if (size < HEADER) {
        return scene_scan_fail(scan,
                               "this is no STL file: text begins with 'solid', and a binary "
                               "one has %d bytes or more",
                               (int)HEADER);
    }
    scan->at = text + 80;
    return scene_scan_fail(scan, "%zu triangles take %zu bytes, but the file has %zu", triangles,
                           HEADER + triangles * TRIANGLE, size);
}
