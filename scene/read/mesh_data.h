/* A surface in memory. */
#ifndef SCREE_SCENE_READ_MESH_DATA_H
#define SCREE_SCENE_READ_MESH_DATA_H

#include <scree/scree.h>

/* Vertices that are one point have been made one, and those of no face left out. */
typedef struct SceneMesh {
    ScreeVec3 *vertex;
    int32_t *corners; /* [faces] how many corners each has */
    int32_t *corner;  /* those corners, one face after the other: vertices from 0 */
    size_t vertices, faces, total;
    size_t vertex_room, face_room, corner_room;
} SceneMesh;

/* Vertices closer than this share of the size of the mesh are one. */
#define SCENE_WELD_SHARE 1e-9

#endif
