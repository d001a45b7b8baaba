/* The shapes and meshes that stand in a run file before its first frame. Nothing in the file is trusted. */
#include "io/run/reader.h"

/* Ends must grow, by `least` or more each, up to the number of things. */
static bool sound_ends(const int64_t *end, size_t count, int64_t least, size_t things) {
    int64_t last = 0;
    for (size_t i = 0; i < count; i++) {
        if (end[i] < 0 || end[i] - last < least) {
            return false;
        }
        last = end[i];
    }
    return (uint64_t)last == things;
}

/* Corners of faces must be vertices of their part, since they are used as indices. */
static bool sound_loops(const RunHeader *h) {
    const RunShapeParts *part = &h->shape_part;
    int64_t face = 0, loop = 0, corner = 0;
    for (size_t p = 0; p < part->rows.count; p++) {
        int64_t vertices = part->corner_end[p] - corner;
        for (; face < part->face_end[p]; face++) {
            for (; loop < h->shape_face.loop_end[face]; loop++) {
                int32_t vertex = h->shape_loop.vertex[loop];
                if (vertex < 0 || vertex >= vertices) {
                    return false;
                }
            }
        }
        corner = part->corner_end[p];
    }
    return true;
}

static bool read_faces(RunReader *reader, IoError *error) {
    RunHeader *header = &reader->header;
    if (header->version < 10) {
        return true;
    }
    if (!run_read_constants(reader, RUN_SHAPE_FACES, &header->shape_face, error) ||
        !run_read_constants(reader, RUN_SHAPE_LOOPS, &header->shape_loop, error)) {
        return false;
    }
    size_t faces = header->shape_face.rows.count;
    return (sound_ends(header->shape_part.face_end, header->shape_part.rows.count, 0, faces) &&
            sound_ends(header->shape_face.loop_end, faces, 3, header->shape_loop.rows.count) &&
            sound_loops(header)) ||
           run_damaged(reader, "shapes/faces", error);
}

/* A smooth part has as many corners as tell it; those of patches are told by its degrees, which are
 * looked at where it is used. */
static bool sound_kinds(const RunShapeParts *part) {
    for (size_t p = 0; p < part->rows.count; p++) {
        int64_t corners = part->corner_end[p] - (p > 0 ? part->corner_end[p - 1] : 0);
        int32_t kind = part->kind[p];
        if (kind != SCREE_PART_POLYHEDRON && !(kind == SCREE_PART_ELLIPSOID && corners == 4) &&
            !(kind == SCREE_PART_CONE && corners == 2) && kind != SCREE_PART_NURBS) {
            return false;
        }
    }
    return true;
}

bool run_read_shapes(RunReader *reader, IoError *error) {
    RunHeader *header = &reader->header;
    if (header->version < 3) {
        return true;
    }
    if (!run_read_constants(reader, RUN_SHAPES, &header->shape, error) ||
        !run_read_constants(reader, RUN_SHAPE_PARTS, &header->shape_part, error) ||
        !run_read_constants(reader, RUN_SHAPE_CORNERS, &header->shape_corner, error)) {
        return false;
    }
    size_t parts = header->shape_part.rows.count;
    if (!sound_ends(header->shape.part_end, header->shape.rows.count, 1, parts) ||
        !sound_ends(header->shape_part.corner_end, parts, 1, header->shape_corner.rows.count)) {
        return run_damaged(reader, "shapes", error);
    }
    return (sound_kinds(&header->shape_part) || run_damaged(reader, "shapes/parts", error)) &&
           read_faces(reader, error);
}

/* Corners must be vertices of their mesh, and walls have a mesh if and only if they are one. */
static bool sound_meshes(const RunHeader *h) {
    int64_t triangle = 0, vertex = 0;
    for (size_t m = 0; m < h->mesh.rows.count; m++) {
        int64_t vertices = h->mesh.vertex_end[m] - vertex;
        for (; triangle < h->mesh.triangle_end[m]; triangle++) {
            for (int k = 0; k < 3; k++) {
                int32_t corner = h->mesh_triangle.corner[3 * triangle + k];
                if (corner < 0 || corner >= vertices) {
                    return false;
                }
            }
        }
        vertex = h->mesh.vertex_end[m];
    }
    for (size_t i = 0; i < h->wall.rows.count; i++) {
        int32_t mesh = h->mesh_wall.rows.count > 0 ? h->mesh_wall.mesh[i] : -1;
        if (mesh < -1 || (mesh >= 0 && (size_t)mesh >= h->mesh.rows.count) ||
            (mesh >= 0) != (h->wall.shape[i] == SCREE_WALL_MESH)) {
            return false;
        }
    }
    return true;
}

bool run_read_meshes(RunReader *reader, IoError *error) {
    RunHeader *h = &reader->header;
    if (H5Lexists(reader->file, "meshes", H5P_DEFAULT) > 0) {
        if (!run_read_constants(reader, RUN_MESHES, &h->mesh, error) ||
            !run_read_constants(reader, RUN_MESH_VERTICES, &h->mesh_vertex, error) ||
            !run_read_constants(reader, RUN_MESH_TRIANGLES, &h->mesh_triangle, error) ||
            !run_read_constants(reader, RUN_MESH_WALLS, &h->mesh_wall, error)) {
            return false;
        }
        size_t meshes = h->mesh.rows.count;
        if (!sound_ends(h->mesh.vertex_end, meshes, 1, h->mesh_vertex.rows.count) ||
            !sound_ends(h->mesh.triangle_end, meshes, 1, h->mesh_triangle.rows.count) ||
            h->mesh_wall.rows.count != h->wall.rows.count) {
            return run_damaged(reader, "meshes", error);
        }
    }
    return sound_meshes(h) || run_damaged(reader, "meshes", error);
}
