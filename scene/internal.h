/* A scene in memory; only the files of this folder see it. */
#ifndef SCREE_SCENE_INTERNAL_H
#define SCREE_SCENE_INTERNAL_H

#include "scene/read/arena.h"
#include "scene/read/document.h"
#include "scene/model.h"
#include "scene/scene.h"

/* More grains than this are refused before anything is allocated for them. */
#define SCENE_GRAIN_LIMIT ((size_t)100000000)
#define SCENE_FILE_LIMIT  ((size_t)2 << 30)

/* A wall of the library: one plane of a box, one part of a drum, or a whole wall of the scene. */
typedef struct SceneWall {
    const char *name;
    int entry; /* index among the scene's walls */
    ScreeWallDef def;
    SceneDrive velocity, spin; /* kind DRIVE_NONE unless given */
    SceneDrive force, stress;  /* piston */
} SceneWall;

/* The surface of a wall that is a mesh. */
typedef struct SceneWallMesh {
    ScreeMesh *mesh;
    size_t parts;
    const char **name; /* [parts] */
} SceneWallMesh;

/* What a run has done with an event or condition. */
typedef struct SceneProgress {
    bool happened;
    bool armed;        /* its condition has been seen to be false */
    bool holding;      /* and has been true since `held_since` */
    double held_since; /* [time] */
} SceneProgress;

/* What has passed an inlet or outlet. */
typedef struct SceneGate {
    int64_t number, waiting;
    double mass;
    double amount; /* of an inlet, in the units of its rate */
    bool told;     /* that grains wait */
} SceneGate;

/* The shapes that the grains of an inlet may have; none: they are round. */
typedef struct SceneInletPool {
    struct SceneInletShape *item;
    size_t count;
} SceneInletPool;

/* A file that the scene names, for grains or a curve. */
typedef struct SceneFile {
    const struct SceneFile *before;
    const char *name;
} SceneFile;

typedef struct SceneWatch SceneWatch;

/* The grains of one entry, which a wall holds. */
typedef struct SceneHeld {
    const SceneHead *head;
    const char *by; /* NULL: no wall does */
    size_t first, count;
} SceneHeld;

enum { DRIVE_OWN = -1, WALL_REMOVED = -2 };

/* Of a periodic cell: its nine components, each by its rate or its stress, and its pressure. */
enum { CELL_PRESSURE = 9, CELL_DRIVES };

struct Scene {
    SceneArena arena;
    SceneDocument document;
    SceneModel model;
    SceneSettings settings;
    char *text; /* as read, or the text that replaces it and everything that it extends */
    size_t size;
    const char **overrides;
    size_t override_count;

    SceneWall *walls;
    size_t wall_count;
    SceneWallMesh *wall_meshes; /* one for each entry of walls, empty for most */
    size_t grain_limit;
    size_t file_limit; /* [bytes] of a CSV file; 0 opens none */

    const SceneFile *files; /* read so far, the last one first */
    uint64_t files_hash;    /* of their content, in the order of reading */

    SceneGate *gates;                /* one for each inlet, then one for each outlet */
    SceneInletPool *inlet_shapes;    /* one for each inlet */
    SceneProgress *events;           /* one for each of the model, then one for `stop` */
    bool *met;                       /* work space of the same length */
    SceneWatch *watch;               /* that of conditions with expressions */
    int32_t *wall_drive;             /* which event drives a wall, or DRIVE_OWN, WALL_REMOVED */
    int32_t cell_drive[CELL_DRIVES]; /* which event drives a component of the cell, or DRIVE_OWN */
    int32_t *growth_drive; /* one for each material: which event makes it grow, or DRIVE_OWN */
    const struct SceneStarted *started;   /* while it is built; NULL: from nothing */
    const ScreeRecordNames *record_names; /* NULL: nobody has asked */
    char *news;
    size_t news_used, news_size;
};

/* lookup.c: where a key's value stands in a section; that of the section itself when the key is
 * absent. */
SceneLocation scene_location_of(const Scene *scene, const SceneHead *head, const char *key);
bool scene_has(const Scene *scene, const SceneHead *head, const char *key);

/* wall_meshes.c: reads the surfaces of walls. */
bool scene_read_wall_meshes(Scene *scene, SceneError *error);
void scene_free_wall_meshes(Scene *scene);

/* walls.c: makes scene->walls from the model. */
bool scene_expand_walls(Scene *scene, SceneError *error);
/* Whether a wall has that name, itself or as a part of an entry. */
bool scene_wall_has_name(const Scene *scene, size_t wall, const char *name);
bool scene_check_wall_name(const Scene *scene, const char *name, SceneLocation location,
                           SceneError *error);

/* The number of a material, or -1 after an error. */
int32_t scene_material_number(const Scene *scene, const char *name, SceneLocation location,
                              SceneError *error);

/* events.c: checks names and actions. */
bool scene_check_events(Scene *scene, SceneError *error);
/* cell.c: likewise of the cell, in the scene and in its events. */
bool scene_check_cell(const Scene *scene, SceneError *error);

/* growth.c: likewise of the growth of grains; where they begin to grow; and what may grow later is
 * tried, so that a scene that cannot is refused before it runs. */
bool scene_check_growth(Scene *scene, SceneError *error);
bool scene_start_growth(Scene *scene, ScreeWorld *world, SceneError *error);

/* bonds.c: checks them, and those that an event names. */
bool scene_check_bonds(const Scene *scene, SceneError *error);
/* Whether there is any liquid for bridges that a key asks for. */
bool scene_check_wetting(const Scene *scene, const SceneHead *head, const char *key,
                         SceneError *error);
bool scene_check_glue(const Scene *scene, const SceneNames *names, SceneError *error);

/* measures.c: checks their regions. */
bool scene_check_measures(const Scene *scene, SceneError *error);

/* shapes.c: checks and measures the shapes. */
bool scene_check_shapes(Scene *scene, SceneError *error);

/* lookup.c: the text of a file named under the key `file` of a section, at most `limit` bytes: a
 * relative path starts from the folder of the text in which it stands, or from that of the scene for
 * an override. The caller frees the text. */
bool scene_read_named(Scene *scene, const SceneHead *head, const char *file, size_t limit,
                      SceneSource *source, SceneError *error);

/* lookup.c: a file that is read elsewhere, with a hash of what matters in it. */
bool scene_note_named(Scene *scene, const char *path, uint64_t hash);

/* The path of a file named under a key of a section, in the scene's memory; NULL: out of memory. */
char *scene_named_path(Scene *scene, const SceneHead *head, const char *key, const char *file);

/* grains.c: checks what can be checked without making the grains. */
bool scene_check_grains(const Scene *scene, SceneError *error);

/* build.c: adds the walls to the world. They come after the grains, since the mass of a massless
 * wall follows from theirs. */
bool scene_add_walls(const Scene *scene, ScreeWorld *world, const SceneHeld *held,
                     size_t held_count, SceneError *error);

/* The mass of a piston for which `head` gives `mass`, 0 or nothing. */
double scene_piston_mass(const Scene *scene, const ScreeWorld *world, const SceneHead *head,
                         double mass);

/* bounds.c: how many walls bound the area of a stress, as far as the scene tells; the periodic cell bounds it along
 * its own directions. */
size_t scene_count_bounds(const Scene *scene);
/* Finds them, by name or because they stand across the piston. */
bool scene_find_bounds(const Scene *scene, const ScreeWorld *world, const ScenePistonSpec *piston,
                       ScreeWallDef *def, SceneError *error);

/* Once the walls are there. */
bool scene_hold_grains(const Scene *scene, ScreeWorld *world, const SceneHeld *held, size_t count,
                       SceneError *error);

/* grains.c: makes all grains, adds them and then the walls to the world, and looks for overlaps. */
bool scene_add_grains(Scene *scene, ScreeWorld *world, SceneError *error);

bool scene_fail_status(const ScreeWorld *world, ScreeStatus status, SceneLocation location,
                       SceneError *error);

#endif
