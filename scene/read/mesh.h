/* Surfaces from mesh files: STL, OBJ, PLY and OFF, as text or binary. */
#ifndef SCREE_SCENE_READ_MESH_H
#define SCREE_SCENE_READ_MESH_H

#include "scene/read/mesh_data.h"
#include "scene/read/text.h"

/* Whether a file of that name would be read: the ending counts. */
bool scene_is_mesh_name(const char *name);

/* The name of the file decides on the format. Damaged files are refused at a line, or for binary
 * ones at a byte. */
bool scene_read_mesh(const SceneSource *source, SceneMesh *mesh, SceneError *error);
void scene_mesh_free(SceneMesh *mesh);

#endif
