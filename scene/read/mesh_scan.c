#include "scene/read/mesh_scan.h"

#include "base/plural.h"

#include "scene/read/reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- messages */

bool scene_scan_fail(MeshScan *scan, const char *format, ...) {
    char words[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (scan->line > 0) {
        return scene_fail(scan->error, (SceneLocation){scan->source, scan->line, 1, 1}, NULL, "%s",
                          words);
    }
    return scene_fail(scan->error, (SceneLocation){scan->source, 0, 0, 0}, NULL, "byte %zu: %s",
                      (size_t)(scan->at - scan->source->text), words);
}

bool scene_scan_no_memory(MeshScan *scan) {
    return scene_out_of_memory(scan->error, (SceneLocation){scan->source, 0, 0, 0}, NULL);
}

/* ---------------------------------------------------------------- words */

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static void skip_blanks(MeshScan *scan) {
    while (scan->at < scan->next && is_blank(*scan->at)) {
        scan->at++;
    }
}

static bool at_end_of_line(const MeshScan *scan) {
    return scan->at == scan->next || *scan->at == '\n' || *scan->at == '#';
}

bool scene_scan_line(MeshScan *scan) {
    while (scan->next < scan->end) {
        scan->at = scan->next;
        const char *stop = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
        scan->next = stop ? stop + 1 : scan->end;
        scan->line++;
        skip_blanks(scan);
        if (!at_end_of_line(scan)) {
            return true;
        }
    }
    scan->at = scan->end;
    return false;
}

bool scene_scan_word(MeshScan *scan) {
    skip_blanks(scan);
    if (at_end_of_line(scan)) {
        return false;
    }
    const char *from = scan->at;
    while (!at_end_of_line(scan) && !is_blank(*scan->at)) {
        scan->at++;
    }
    size_t length = (size_t)(scan->at - from);
    bool fits = length < sizeof scan->word && !memchr(from, '\0', length);
    snprintf(scan->word, sizeof scan->word, "%.*s", fits ? (int)length : 3, fits ? from : "...");
    return true;
}

bool scene_scan_is(const MeshScan *scan, const char *word) {
    const char *w = scan->word;
    for (; *w && *word; w++, word++) {
        char lower = (char)(*w >= 'A' && *w <= 'Z' ? *w + 32 : *w);
        if (lower != *word) {
            return false;
        }
    }
    return *w == *word;
}

bool scene_scan_number(MeshScan *scan, const char *what, double *value) {
    if (!scene_scan_word(scan)) {
        return scene_scan_fail(scan, "%s is missing", what);
    }
    const char *wrong = scene_number_from(scan->word, value);
    return !wrong || scene_scan_fail(scan, "%s must be %s, but is '%s'", what, wrong, scan->word);
}

bool scene_scan_whole(MeshScan *scan, const char *what, double from, double to, int64_t *value) {
    double v = 0;
    if (!scene_scan_number(scan, what, &v)) {
        return false;
    }
    if (v != floor(v) || !(v >= from && v <= to)) {
        return scene_scan_fail(scan, "%s must be a whole number from %.0f to %.0f, but is '%s'",
                               what, from, to, scan->word);
    }
    *value = (int64_t)v;
    return true;
}

bool scene_scan_point(MeshScan *scan, ScreeVec3 *point) {
    return scene_scan_number(scan, "x of a vertex", &point->x) &&
           scene_scan_number(scan, "y of a vertex", &point->y) &&
           scene_scan_number(scan, "z of a vertex", &point->z);
}

/* ---------------------------------------------------------------- the mesh grows */

/* Room for `more` items beyond `count`. */
static bool grow(MeshScan *scan, void *array, size_t count, size_t more, size_t *room,
                 size_t size) {
    if (count + more <= *room) {
        return true;
    }
    size_t wanted = 2 * *room + more + 64;
    void *old, *grown;
    memcpy(&old, array, sizeof old);
    grown = realloc(old, wanted * size);
    if (!grown) {
        return scene_scan_no_memory(scan);
    }
    memcpy(array, &grown, sizeof grown);
    *room = wanted;
    return true;
}

static bool reasonable(double x) {
    return fabs(x) <= 1e100;
}

bool scene_mesh_add_vertex(MeshScan *scan, ScreeVec3 point) {
    SceneMesh *mesh = scan->mesh;
    if (mesh->vertices >= MESH_MOST) {
        return scene_scan_fail(scan, "there are more than %d vertices", (int)MESH_MOST);
    }
    if (!reasonable(point.x) || !reasonable(point.y) || !reasonable(point.z)) {
        return scene_scan_fail(scan, "a coordinate of vertex %zu is beyond 1e100, or no number",
                               mesh->vertices);
    }
    if (!grow(scan, &mesh->vertex, mesh->vertices, 1, &mesh->vertex_room, sizeof *mesh->vertex)) {
        return false;
    }
    mesh->vertex[mesh->vertices++] = point;
    return true;
}

/* The number of a part by its name, which may be new. */
static bool find_part(MeshScan *scan, const char *name) {
    SceneMesh *mesh = scan->mesh;
    enum { MOST_PARTS = 10000 };
    for (size_t k = 0; k < mesh->parts; k++) {
        if (strcmp(mesh->name[k].text, name) == 0) {
            scan->part = (int32_t)k;
            return true;
        }
    }
    if (mesh->parts >= MOST_PARTS) {
        return scene_scan_fail(scan, "there are more than %d named parts", (int)MOST_PARTS);
    }
    if (!grow(scan, &mesh->name, mesh->parts, 1, &mesh->name_room, sizeof *mesh->name)) {
        return false;
    }
    snprintf(mesh->name[mesh->parts].text, sizeof mesh->name[0].text, "%s", name);
    scan->part = (int32_t)mesh->parts++;
    return true;
}

bool scene_mesh_begin_part(MeshScan *scan) {
    return find_part(scan, scene_scan_word(scan) ? scan->word : "");
}

bool scene_mesh_add_face(MeshScan *scan, int64_t count) {
    SceneMesh *mesh = scan->mesh;
    if (count < 3) {
        return scene_scan_fail(scan, "face %zu has %d %s, but needs three", mesh->faces, (int)count,
                               SCR_PLURAL(count, "corner", "corners"));
    }
    if (mesh->total + (size_t)count > MESH_MOST) {
        return scene_scan_fail(scan, "the faces have more than %d corners", (int)MESH_MOST);
    }
    if (scan->part < 0 && !find_part(scan, "")) {
        return false;
    }
    if (!grow(scan, &mesh->part, mesh->faces, 1, &mesh->part_room, sizeof *mesh->part) ||
        !grow(scan, &mesh->corners, mesh->faces, 1, &mesh->face_room, sizeof *mesh->corners) ||
        !grow(scan, &mesh->corner, mesh->total, (size_t)count, &mesh->corner_room,
              sizeof *mesh->corner)) {
        return false;
    }
    memcpy(mesh->corner + mesh->total, scan->face, (size_t)count * sizeof *scan->face);
    mesh->part[mesh->faces] = scan->part;
    mesh->corners[mesh->faces++] = (int32_t)count;
    mesh->total += (size_t)count;
    return true;
}
