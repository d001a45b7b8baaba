/* What the readers of mesh files have in common: words of a line, and a mesh that grows. */
#ifndef SCREE_SCENE_READ_MESH_SCAN_H
#define SCREE_SCENE_READ_MESH_SCAN_H

#include "scene/read/mesh_data.h"
#include "scene/read/text.h"

enum { MESH_MOST_CORNERS = 10000 /* of a face */, MESH_MOST = 100000000 };

typedef struct MeshScan {
    SceneMesh *mesh;
    const SceneSource *source;
    SceneError *error;
    const char *at, *next, *end; /* `next`: where the next line begins */
    int line;                    /* from 1; 0: the file is binary */
    char word[64];               /* the last one read */
    int32_t part;                /* that faces belong to; -1: none has been named */
    int32_t *face;               /* the corners of a face before it is added, MESH_MOST_CORNERS */
} MeshScan;

bool scene_read_stl(MeshScan *scan);
bool scene_read_obj(MeshScan *scan);
bool scene_read_off(MeshScan *scan);
bool scene_read_ply(MeshScan *scan);

/* Goes to the next line that holds more than a comment (from # on); false at the end. */
bool scene_scan_line(MeshScan *scan);
/* The next word of the line; false at its end. One that is too long becomes "...". */
bool scene_scan_word(MeshScan *scan);
bool scene_scan_is(const MeshScan *scan, const char *word); /* upper or lower case */
/* The next word as a number; a message says otherwise what it should have been. */
bool scene_scan_number(MeshScan *scan, const char *what, double *value);
/* The same for a whole number of [from, to]. */
bool scene_scan_whole(MeshScan *scan, const char *what, double from, double to, int64_t *value);
bool scene_scan_point(MeshScan *scan, ScreeVec3 *point);

/* A message at the line, or at the byte. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool scene_scan_fail(MeshScan *scan, const char *format, ...);

bool scene_scan_no_memory(MeshScan *scan);

bool scene_mesh_add_vertex(MeshScan *scan, ScreeVec3 point);
/* Adds scan->face[0 .. count), or says what is wrong with it. */
bool scene_mesh_add_face(MeshScan *scan, int64_t count);

/* The faces that follow belong to the part whose name is the rest of the line. */
bool scene_mesh_begin_part(MeshScan *scan);

/* mesh_weld.c: vertices that are one point become one, and those of no face are left out. False when
 * out of memory. */
bool scene_mesh_weld(SceneMesh *mesh);

#endif
