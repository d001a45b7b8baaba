/* A surface in memory. */
#ifndef SCREE_SCENE_READ_MESH_DATA_H
#define SCREE_SCENE_READ_MESH_DATA_H

#include <scree/scree.h>

/* The first word of the name of a part: `solid` of STL, `o` and `g` of OBJ. */
typedef struct SceneMeshName {
    char text[64];
} SceneMeshName;

/* Vertices that are one point have been made one, and those of no face left out. */
typedef struct SceneMesh {
    ScreeVec3 *vertex;
    int32_t *corners;    /* [faces] how many corners each has */
    int32_t *corner;     /* those corners, one face after the other: vertices from 0 */
    int32_t *part;       /* [faces] number of the named part that each belongs to */
    SceneMeshName *name; /* [parts]; one without a name is "" */
    size_t vertices, faces, total, parts;
    size_t vertex_room, face_room, corner_room, part_room, name_room;
} SceneMesh;

/* Vertices closer than this share of the size of the mesh are one. */
#define SCENE_WELD_SHARE 1e-9

#endif
