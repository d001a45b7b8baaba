/* The walls of the scene as walls of the library: a box becomes its planes, a drum its shell and
 * ends. */
#include "scene/internal.h"

#include "math/vec.h"
#include "scene/make/wall_shells.h"
#include "scene/read/drive.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const shape_names[] = {"plane", "segment", "box",  "block", "cylinder", "drum",
                                          "mesh",  "cone",    "disc", "plate", "holder"};
enum { SHAPES = sizeof shape_names / sizeof shape_names[0], FACES = 6 };

typedef struct Expansion {
    Scene *scene;
    SceneError *error;
    const SceneWallSpec *spec;
    SceneWall common; /* material, motion and pivot, common to all parts */
} Expansion;

static bool fail(Expansion *e, const char *key, const char *hint, const char *message) {
    const SceneHead *head = &e->spec->head;
    char words[200];
    snprintf(words, sizeof words, "wall '%.60s': %s", head->name, message);
    return scene_fail(e->error, scene_location_of(e->scene, head, key), hint, "%s", words);
}

static bool add_wall(Expansion *e, const char *part, const ScreeWallDef *def) {
    Scene *scene = e->scene;
    const char *name = e->spec->head.name;
    char full[96];
    snprintf(full, sizeof full, "%s%s%s", name, part ? "." : "", part ? part : "");
    SceneWall *wall = &scene->walls[scene->wall_count];
    *wall = e->common;
    wall->name = scene_copy_text(&scene->arena, full, strlen(full));
    if (!wall->name) {
        return scene_out_of_memory(e->error, scene_location_of(scene, &e->spec->head, NULL), NULL);
    }
    ScreeWallDef made = *def;
    made.material = e->common.def.material;
    made.motion = e->common.def.motion;
    made.velocity = e->common.def.velocity;
    made.spin = e->common.def.spin;
    made.mass = e->common.def.mass;
    made.force = e->common.def.force;
    made.direction = e->common.def.direction;
    made.stress = e->common.def.stress;
    if (e->common.def.has_pivot) {
        made.pivot = e->common.def.pivot;
        made.has_pivot = true;
    }
    wall->def = made;
    scene->wall_count++;
    return true;
}

/* ---------------------------------------------------------------- motion */

/* A piston has a force or a stress, and a stress may name the walls between which it acts. The cell may
 * be that of a run, and then bound the area along more directions than the scene tells. */
static bool set_stress(Expansion *e, const ScenePistonSpec *piston) {
    bool force = scene_has(e->scene, &piston->head, "force");
    bool stress = scene_has(e->scene, &piston->head, "stress");
    const size_t bounds = scene_count_bounds(e->scene), count = piston->between.count;
    const bool started = e->scene->model.start.head.node != 0;
    const bool fewer = stress && started && count < bounds && count % 2 == 0;
    if (force == stress) {
        return fail(e, "piston", "for example force: [0, -10]",
                    force ? "a piston has a force or a stress, not both"
                          : "a piston needs a force or a stress");
    }
    if (stress && e->spec->plane.head.node == 0 && e->spec->holder.head.node == 0) {
        return fail(e, "piston", "use a plane or a holder, or give a force",
                    "only a piston that is a plane or a holder has a stress");
    }
    if (count > 0 && !fewer && count != (stress ? bounds : 0)) {
        return fail(e, "piston",
                    bounds == 0 || !stress ? "leave out between"
                                           : "for example between: [left, right]",
                    !stress       ? "a force acts on no area"
                    : bounds == 0 ? "a stress acts between no walls where the cell bounds its area"
                    : bounds == 2 ? "a stress acts between two walls"
                                  : "a stress acts between four walls, opposite ones side by side");
    }
    e->common.stress = piston->stress;
    e->common.def.stress =
        stress ? scene_drive_mean(&piston->stress, 0, e->scene->model.time.step).x : 0;
    return true;
}

/* What it begins with along its direction, and what it is given across. */
static ScreeVec3 piston_velocity(ScreeVec3 start, ScreeVec3 direction, const SceneDrive *slides,
                                 double step) {
    const ScreeVec3 slide = scene_drive_mean(slides, 0, step);
    return slides->kind == DRIVE_NONE
               ? start
               : add_scaled(slide, dot(sub(start, slide), direction), direction);
}

static bool set_piston(Expansion *e, ScreeVec3 normal) {
    const ScenePistonSpec *piston = &e->spec->piston;
    ScreeWallDef *def = &e->common.def;
    if (scene_has(e->scene, &e->spec->head, "spin")) {
        return fail(e, "spin", NULL, "a piston does not turn");
    }
    if (e->spec->box.head.node || e->spec->drum.head.node) {
        return fail(e, "piston", "make the moving face a plane of its own",
                    "a box or drum cannot be a piston");
    }
    ScreeVec3 direction = normal;
    bool given = scene_has(e->scene, &piston->head, "direction");
    if (!direction_of(given ? piston->direction : normal, &direction)) {
        return fail(e, "piston", "add direction: [...] to the piston",
                    "a piston needs a direction other than zero");
    }
    def->motion = SCREE_WALL_PISTON;
    def->mass = piston->mass;
    def->direction = direction;
    def->velocity =
        piston_velocity(piston->velocity, direction, &e->spec->velocity, e->scene->model.time.step);
    e->common.velocity = e->spec->velocity;
    e->common.force = piston->force;
    def->force = scene_drive_mean(&piston->force, 0, e->scene->model.time.step);
    return set_stress(e, piston);
}

/* `normal` is that of a plane and `axis` that of a cylinder, otherwise zero; `pivot` is the default
 * centre of rotation. */
static bool set_motion(Expansion *e, ScreeVec3 normal, ScreeVec3 axis, ScreeVec3 pivot) {
    const SceneWallSpec *spec = e->spec;
    ScreeWallDef *def = &e->common.def;
    double step = e->scene->model.time.step;
    def->has_pivot = true;
    def->pivot = scene_has(e->scene, &spec->head, "pivot") ? spec->pivot : pivot;
    if (spec->piston.head.node) {
        return set_piston(e, normal);
    }
    e->common.velocity = spec->velocity;
    e->common.spin = spec->spin;
    if (spec->spin.scalar) {
        ScreeVec3 unit = {0, 0, 1};
        if (e->scene->model.dimension == 3 && !direction_of(axis, &unit)) {
            return fail(e, "spin", "write spin: [x, y, z]",
                        "a spin given as one number needs an axis, which planes, boxes, blocks and "
                        "meshes have not");
        }
        scene_drive_about(&e->common.spin, unit);
    }
    if (spec->velocity.kind != DRIVE_NONE || spec->spin.kind != DRIVE_NONE) {
        def->motion = SCREE_WALL_MOVED;
        def->velocity = scene_drive_mean(&e->common.velocity, 0, step);
        def->spin = scene_drive_mean(&e->common.spin, 0, step);
    }
    return true;
}

/* ---------------------------------------------------------------- shapes */

static const ScreeVec3 nowhere = {0, 0, 0};

static bool expand_plane(Expansion *e) {
    ScreeWallDef def = scree_wall_def_default();
    def.shape = SCREE_WALL_PLANE;
    def.point = e->spec->plane.point;
    if (!direction_of(e->spec->plane.normal, &def.normal)) {
        return fail(e, "plane", NULL, "the normal of a plane must not be zero");
    }
    return set_motion(e, def.normal, nowhere, def.point) && add_wall(e, NULL, &def);
}

static bool expand_segment(Expansion *e) {
    ScreeWallDef def = scree_wall_def_default();
    def.shape = SCREE_WALL_SEGMENT;
    def.point = e->spec->segment.from;
    def.end = e->spec->segment.to;
    ScreeVec3 along = sub(def.end, def.point);
    if (e->scene->model.dimension != 2) {
        return fail(e, "segment", "use a block in three dimensions",
                    "segments exist only in two dimensions");
    }
    if (!(length(along) > 0)) {
        return fail(e, "segment", NULL, "the two ends of a segment must differ");
    }
    ScreeVec3 middle = add(def.point, scale(0.5, along));
    return set_motion(e, nowhere, nowhere, middle) && add_wall(e, NULL, &def);
}

static bool corners_in_order(Expansion *e, const char *key, ScreeVec3 min, ScreeVec3 max) {
    bool flat = e->scene->model.dimension == 2;
    if (min.x < max.x && min.y < max.y && (flat || min.z < max.z)) {
        return true;
    }
    return fail(e, key, NULL, "every component of min must be less than that of max");
}

static bool expand_box(Expansion *e) {
    static const char *const names[2][FACES] = {
        {"left", "right", "bottom", "top", NULL, NULL},
        {"left", "right", "front", "back", "bottom", "top"}};
    static const int bits[2][FACES] = {
        {FACE_LEFT, FACE_RIGHT, FACE_BOTTOM, FACE_TOP, 0, 0},
        {FACE_LEFT, FACE_RIGHT, FACE_FRONT, FACE_BACK, FACE_BOTTOM, FACE_TOP}};
    int space = e->scene->model.dimension == 3;
    ScreeVec3 min = e->spec->box.min, max = e->spec->box.max;
    if (!corners_in_order(e, "box", min, max) ||
        !set_motion(e, nowhere, nowhere, scale(0.5, add(min, max)))) {
        return false;
    }
    for (int face = 0; face < (space ? 6 : 4); face++) {
        ScreeWallDef def = scree_wall_def_default();
        bool low = face % 2 == 0;
        if (e->spec->open & bits[space][face]) {
            continue;
        }
        def.shape = SCREE_WALL_PLANE;
        def.point = low ? min : max;
        def.normal = nowhere;
        *component_of(&def.normal, face / 2) = low ? 1 : -1;
        if (!add_wall(e, names[space][face], &def)) {
            return false;
        }
    }
    return true;
}

static bool expand_block(Expansion *e) {
    const SceneBlockSpec *block = &e->spec->block;
    const Scene *scene = e->scene;
    ScreeWallDef def = scree_wall_def_default();
    bool corners = scene_has(scene, &block->head, "min") && scene_has(scene, &block->head, "max");
    bool middle =
        scene_has(scene, &block->head, "center") && scene_has(scene, &block->head, "half");
    size_t pairs = scene_pairs(&scene->document, block->head.node);
    bool turned = scene_has(scene, &block->head, "orientation");
    if (corners == middle || pairs != (turned ? 3 : 2)) {
        return fail(e, "block", NULL, "a block is given by min and max, or by center and half");
    }
    if (corners && !corners_in_order(e, "block", block->min, block->max)) {
        return false;
    }
    def.shape = SCREE_WALL_BLOCK;
    def.point = corners ? scale(0.5, add(block->min, block->max)) : block->center;
    def.half = corners ? scale(0.5, sub(block->max, block->min)) : block->half;
    if (scene->model.dimension == 2) {
        def.half.z =
            scr_max(def.half.x, def.half.y); /* any depth will do: grains stay in the plane */
    }
    if (turned) {
        def.orientation = block->orientation;
    }
    return set_motion(e, nowhere, nowhere, def.point) && add_wall(e, NULL, &def);
}

/* Axis and length only exist in three dimensions; false after an error. */
static bool check_round(Expansion *e, const SceneCylinderSpec *round, const char *key,
                        ScreeVec3 usual, ScreeVec3 *axis) {
    bool flat = e->scene->model.dimension == 2;
    bool given = scene_has(e->scene, &round->head, "axis");
    if (flat && (given || scene_has(e->scene, &round->head, "length"))) {
        return fail(e, key, "leave out axis and length",
                    "a circle in two dimensions has no axis and no length");
    }
    *axis = flat ? (ScreeVec3){0, 0, 1} : usual;
    if (given && !direction_of(round->axis, axis)) {
        return fail(e, key, NULL, "the axis must not be zero");
    }
    return true;
}

static bool expand_cylinder(Expansion *e) {
    const SceneCylinderSpec *round = &e->spec->cylinder;
    ScreeWallDef def = scree_wall_def_default();
    if (!check_round(e, round, "cylinder", (ScreeVec3){0, 0, 1}, &def.axis)) {
        return false;
    }
    def.shape = SCREE_WALL_CYLINDER;
    def.point = round->point;
    def.radius = round->radius;
    def.length = round->length;
    def.inside = round->inside;
    return set_motion(e, nowhere, def.axis, def.point) && add_wall(e, NULL, &def);
}

/* The shell has no ends of its own: the end planes close it, and nothing slips past an edge. */
static bool expand_drum(Expansion *e) {
    const SceneCylinderSpec *round = &e->spec->drum;
    bool space = e->scene->model.dimension == 3;
    ScreeWallDef shell = scree_wall_def_default();
    if (!check_round(e, round, "drum", (ScreeVec3){0, 1, 0}, &shell.axis)) {
        return false;
    }
    if (space && !scene_has(e->scene, &round->head, "length")) {
        return fail(e, "drum", "add length: ...", "a drum in three dimensions needs a length");
    }
    shell.shape = SCREE_WALL_CYLINDER;
    shell.point = round->point;
    shell.radius = round->radius;
    shell.inside = true;
    if (!set_motion(e, nowhere, shell.axis, round->point) || !add_wall(e, "shell", &shell)) {
        return false;
    }
    for (int end = 0; space && end < 2; end++) {
        ScreeWallDef def = scree_wall_def_default();
        double sign = end == 0 ? -1 : 1;
        if (e->spec->open & (end == 0 ? FACE_FRONT : FACE_BACK)) {
            continue;
        }
        def.shape = SCREE_WALL_PLANE;
        def.point = add(round->point, scale(sign * round->length / 2, shell.axis));
        def.normal = scale(-sign, shell.axis);
        if (!add_wall(e, end == 0 ? "front" : "back", &def)) {
            return false;
        }
    }
    return true;
}

/* One wall, or one for each named part. */
static bool expand_mesh(Expansion *e) {
    const SceneWallMesh *from = &e->scene->wall_meshes[e->spec->head.index];
    ScreeWallDef def = scree_wall_def_default();
    def.shape = SCREE_WALL_MESH;
    def.mesh = from->mesh;
    def.point = e->spec->mesh.position;
    if (scene_has(e->scene, &e->spec->mesh.head, "orientation")) {
        def.orientation = e->spec->mesh.orientation;
    }
    if (from->parts > 1 && e->spec->piston.head.node) {
        return fail(e, "piston", "give the parts one name, or files of their own",
                    "a mesh of several named parts cannot be a piston");
    }
    if (!set_motion(e, nowhere, nowhere, def.point)) {
        return false;
    }
    for (size_t k = 0; k < from->parts; k++) {
        def.part = from->parts > 1 ? (int32_t)k : -1;
        if (!add_wall(e, from->parts > 1 ? from->name[k] : NULL, &def)) {
            return false;
        }
    }
    return true;
}

/* Cones, discs and plates turn about their axis. */
static bool add_shell(Expansion *e, const char *key, const char *fault, const ScreeWallDef *def,
                      Vec3 axis) {
    if (e->scene->model.dimension != 3) {
        return fail(e, key, "use segments in two dimensions", "exists only in three dimensions");
    }
    if (fault != NULL) {
        return fail(e, key, NULL, fault);
    }
    return set_motion(e, nowhere, axis, def->point) && add_wall(e, NULL, def);
}

static bool expand_cone(Expansion *e) {
    ScreeWallDef def = scree_wall_def_default();
    const char *fault = scene_cone_wall(&e->spec->cone, &def);
    return add_shell(e, "cone", fault, &def, def.axis);
}

static bool expand_disc(Expansion *e) {
    ScreeWallDef def = scree_wall_def_default();
    SceneDiscSpec disc = e->spec->disc;
    if (!scene_has(e->scene, &disc.head, "normal")) {
        disc.normal = (ScreeVec3){0, 0, 1};
    }
    const char *fault = scene_disc_wall(&disc, &def);
    return add_shell(e, "disc", fault, &def, def.axis);
}

static bool expand_plate(Expansion *e) {
    ScreeWallDef def = scree_wall_def_default();
    SceneWallPlateSpec plate = e->spec->plate;
    if (plate.holes.head.node && !scene_has(e->scene, &plate.holes.head, "count")) {
        plate.holes.count[0] = plate.holes.count[1] = 1;
    }
    bool turned = scene_has(e->scene, &plate.head, "orientation");
    const char *fault = scene_plate_wall(&plate, turned, &def);
    return add_shell(e, "plate", fault, &def, quat_rotate(def.orientation, vec3(0, 0, 1)));
}

/* Where neither is given, point and pivot are the middle of its grains: add_walls.c. */
static bool expand_holder(Expansion *e) {
    ScreeWallDef def = scree_wall_def_default();
    def.shape = SCREE_WALL_HOLDER;
    def.point = e->spec->holder.point;
    return set_motion(e, nowhere, nowhere, def.point) && add_wall(e, NULL, &def);
}

/* ---------------------------------------------------------------- the whole */

/* The shape of the entry; -1 after an error. */
static int find_shape(Expansion *e) {
    int found = -1, count = 0;
    for (int i = 0; i < SHAPES; i++) {
        if (scene_has(e->scene, &e->spec->head, shape_names[i])) {
            found = i;
            count++;
        }
    }
    if (count != 1) {
        fail(e, NULL,
             "one of plane, segment, box, block, cylinder, drum, mesh, cone, disc, plate, holder",
             count ? "has more than one shape" : "has no shape");
        return -1;
    }
    bool hollow = found == 2 || found == 5;
    if (!hollow && scene_has(e->scene, &e->spec->head, "open")) {
        fail(e, "open", NULL, "only a box or drum can be open");
        return -1;
    }
    int ends = FACE_FRONT | FACE_BACK, all = 2 * FACE_TOP - 1;
    bool flat = e->scene->model.dimension == 2;
    int faces = (found == 5 ? ends : all) & (flat ? ~ends : all);
    if (e->spec->open & ~faces) {
        fail(e, "open", NULL, "it has no such face");
        return -1;
    }
    return found;
}

static bool expand(Expansion *e) {
    static bool (*const shapes[SHAPES])(Expansion *) = {
        expand_plane, expand_segment, expand_box,  expand_block, expand_cylinder, expand_drum,
        expand_mesh,  expand_cone,    expand_disc, expand_plate, expand_holder};
    const SceneWallSpec *spec = e->spec;
    e->common.entry = spec->head.index;
    e->common.def.material = SCREE_NO_MATERIAL;
    if (spec->material) {
        SceneLocation location = scene_location_of(e->scene, &spec->head, "material");
        e->common.def.material.index =
            scene_material_number(e->scene, spec->material, location, e->error);
        if (SCREE_IS_NULL(e->common.def.material)) {
            return false;
        }
    }
    int shape = find_shape(e);
    return shape >= 0 && shapes[shape](e);
}

bool scene_expand_walls(Scene *scene, SceneError *error) {
    const SceneWallSpec *specs = scene->model.walls.items;
    size_t count = scene->model.walls.count, faces = 0;
    if (!scene_read_wall_meshes(scene, error)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        bool parts = specs[i].box.head.node || specs[i].drum.head.node;
        faces += parts ? FACES : specs[i].mesh.head.node ? scene->wall_meshes[i].parts : 1;
    }
    scene->walls = scene_alloc(&scene->arena, faces + 1, sizeof *scene->walls);
    scene->wall_drive = scene_alloc(&scene->arena, faces + 1, sizeof *scene->wall_drive);
    if (!scene->walls || !scene->wall_drive) {
        return scene_out_of_memory(error, scene_location(&scene->document, 0), NULL);
    }
    for (size_t i = 0; i < count; i++) {
        Expansion e = {.scene = scene, .error = error, .spec = &specs[i]};
        if (!expand(&e)) {
            return false;
        }
    }
    for (size_t i = 0; i < scene->wall_count; i++) {
        scene->wall_drive[i] = DRIVE_OWN;
    }
    return true;
}

bool scene_wall_has_name(const Scene *scene, size_t wall, const char *name) {
    const SceneWallSpec *specs = scene->model.walls.items;
    const SceneWall *w = &scene->walls[wall];
    return strcmp(w->name, name) == 0 || strcmp(specs[w->entry].head.name, name) == 0;
}

bool scene_check_wall_name(const Scene *scene, const char *name, SceneLocation location,
                           SceneError *error) {
    const SceneWallSpec *specs = scene->model.walls.items;
    Guess guess = scr_guess(name);
    for (size_t i = 0; i < scene->wall_count; i++) {
        if (scene_wall_has_name(scene, i, name)) {
            return true;
        }
        const char *wall = scene->walls[i].name, *entry = specs[scene->walls[i].entry].head.name;
        const bool first = i == 0 || scene->walls[i].entry != scene->walls[i - 1].entry;
        scr_guess_offer(&guess, wall);
        if (first && strcmp(wall, entry) != 0) {
            scr_guess_offer(&guess, entry);
        }
    }
    char hint[400];
    scr_guess_or_list(&guess, "walls:", hint, sizeof hint);
    return scene_fail(error, location, hint[0] ? hint : "there are no walls", "no wall '%.60s'",
                      name);
}
