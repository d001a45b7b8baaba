/* Surfaces from mesh files: STL, OBJ, PLY and OFF, as text or binary. */
#ifndef SCREE_SCENE_READ_MESH_H
#define SCREE_SCENE_READ_MESH_H

#include "scene/read/text.h"

#include <scree/scree.h>

/* Vertices that are one point have been made one, and those of no face left out. */
typedef struct SceneMesh {
    ScreeVec3 *vertex;
    int32_t *corners; /* [faces] how many corners each has */
    int32_t *corner;  /* those corners, one face after the other: vertices from 0 */
    size_t vertices, faces, total;
    size_t vertex_room, face_room, corner_room;
} SceneMesh;

/* The name of the file decides on the format. Damaged files are refused at a line, or for binary
 * ones at a byte. */
bool scene_read_mesh(const SceneSource *source, SceneMesh *mesh, SceneError *error);
void scene_mesh_free(SceneMesh *mesh);

/* Vertices closer than this share of the size of the mesh are one. */
#define SCENE_WELD_SHARE 1e-9

#endif
