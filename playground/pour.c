/* Grains and walls that are added while the world runs. */
#include "playground/internal.h"

#include "base/random.h"
#include "math/elementary.h"

#include <math.h>
#include <string.h>

static const double TURN = 6.283185307179586; /* 2 pi */

enum { PEBBLES = 6, PEBBLE_CORNERS = 7, ROCK_FACES = 14, CORNERS_MAX = 64 };

/* ---------------------------------------------------------------- shapes */

/* Corners on a circle; those of a pebble are unevenly spaced, but never far apart. */
static void place_corners(size_t count, double radius, const uint64_t *key, ScreeVec3 *corner) {
    for (size_t i = 0; i < count; i++) {
        const double off = key != NULL ? 0.7 * (scr_random_unit(*key, i) - 0.5) : 0;
        const double angle = TURN * ((double)i + off) / (double)count;
        corner[i] = (ScreeVec3){radius * scr_cos(angle), radius * scr_sin(angle), 0};
    }
}

static ScreeStatus add_flat(ScreeWorld *world, const PouredShape *wanted, ScreeShapeId *id) {
    ScreeVec3 corner[PEBBLE_CORNERS];
    const uint64_t key = scr_random_key(wanted->variety, 0, 0);
    const double r = wanted->radius;
    ScreeShapePart part = {0, 0};
    switch (wanted->form) {
    case PLAY_TRIANGLE:
    case PLAY_SQUARE:
        part.corners = wanted->form == PLAY_TRIANGLE ? 3 : 4;
        place_corners((size_t)part.corners, r, NULL, corner);
        break;
    case PLAY_ROD:
        part = (ScreeShapePart){2, r / 3};
        corner[0] = (ScreeVec3){-2 * r / 3, 0, 0};
        corner[1] = (ScreeVec3){2 * r / 3, 0, 0};
        break;
    default:
        part.corners = PEBBLE_CORNERS;
        place_corners(PEBBLE_CORNERS, r, &key, corner);
        break;
    }
    const ScreeShapeDef def = {&part, 1, corner};
    return scree_world_add_shape(world, &def, id);
}

static ScreeStatus add_deep(ScreeWorld *world, const PouredShape *wanted, ScreeShapeId *id) {
    ScreeVec3 vertex[CORNERS_MAX];
    const double r = wanted->radius;
    ScreeSolidPart part;
    memset(&part, 0, sizeof part);
    size_t count = CORNERS_MAX;
    switch (wanted->form) {
    case PLAY_TRIANGLE:
        part.vertices = scree_solid_make_regular(4, r, vertex);
        break;
    case PLAY_SQUARE:
        part.vertices = scree_solid_make_regular(6, r, vertex);
        break;
    case PLAY_ROD:
        part.vertices = 2;
        part.rounding = r / 3;
        scree_solid_make_rod(4 * r / 3, vertex);
        break;
    default: {
        const ScreeRockDef rock = {.faces = ROCK_FACES,
                                   .size = 1.4 * r,
                                   .elongation = 1.2,
                                   .flatness = 1.2,
                                   .angularity = 0.5,
                                   .seed = wanted->variety};
        ScreeStatus status = scree_solid_make_rock(&rock, vertex, &count, NULL);
        if (status != SCREE_OK) {
            return status;
        }
        part.vertices = count;
        break;
    }
    }
    const ScreeSolidDef def = {.part = &part, .parts = 1, .vertex = vertex};
    return scree_world_add_solid(world, &def, id);
}

/* The shape of a grain, made when it is first asked for. */
static ScreeStatus find_shape(Play *play, PouredShape wanted, ScreeShapeId *id) {
    for (size_t i = 0; i < play->poured_count; i++) {
        const PouredShape *known = &play->poured[i];
        if (known->form == wanted.form && known->variety == wanted.variety &&
            known->radius == wanted.radius) {
            *id = known->id;
            return SCREE_OK;
        }
    }
    const bool flat = scree_world_get_def(play->world).dimension == 2;
    ScreeStatus status =
        flat ? add_flat(play->world, &wanted, id) : add_deep(play->world, &wanted, id);
    if (status == SCREE_OK && play->poured_count < POURED_SHAPES_MAX) {
        wanted.id = *id;
        play->poured[play->poured_count++] = wanted;
    }
    return status;
}

/* ---------------------------------------------------------------- grains */

static bool has_room(const ScreeWorld *world, ScreeVec3 at, double radius) {
    const ScreeBodyView bodies = scree_world_get_bodies(world);
    for (size_t i = 0; i < bodies.count; i++) {
        const ScreeVec3 p = bodies.position[i];
        const double x = p.x - at.x, y = p.y - at.y, z = p.z - at.z,
                     far = bodies.radius[i] + radius;
        if (x * x + y * y + z * z < far * far) {
            return false;
        }
    }
    for (size_t i = 0; i < scree_world_get_wall_count(world); i++) {
        ScreeWallState wall;
        memset(&wall, 0, sizeof wall);
        (void)scree_wall_get_state(world, (ScreeWallId){(int32_t)i}, &wall);
        if (wall.present && scree_wall_def_get_distance(&wall.now, at) < radius) {
            return false;
        }
    }
    return true;
}

int play_pour(Play *play, int form, double x, double y, double z, double radius, uint32_t number) {
    const bool flat = scree_world_get_def(play->world).dimension == 2;
    const ScreeVec3 at = {x, y, flat ? 0 : z};
    if (!has_room(play->world, at, radius)) {
        return 2;
    }
    ScreeBodyDef def = scree_body_def_default();
    def.position = at;
    def.radius = radius;
    ScreeStatus status = SCREE_OK;
    if (form > PLAY_ROUND && form < PLAY_FORM_COUNT) {
        const uint32_t variety = form == PLAY_PEBBLE ? number % PEBBLES : 0;
        status = find_shape(play, (PouredShape){(PlayForm)form, variety, radius, {0}}, &def.shape);
        /* turned by multiples of the golden angle about z: never twice the same */
        const double angle = 0.381966 * TURN * (number % 1000);
        def.orientation = (ScreeQuat){scr_cos(angle / 2), 0, 0, scr_sin(angle / 2)};
    }
    if (status == SCREE_OK) {
        status = scree_world_add_bodies(play->world, &def, 1, NULL);
    }
    return status == SCREE_OK ? 0 : play_fail(play, scree_world_get_message(play->world));
}

/* ---------------------------------------------------------------- walls */

int play_wall(Play *play, double x, double y, double z, double to_x, double to_y, double to_z,
              double height) {
    ScreeWallDef def = scree_wall_def_default();
    if (scree_world_get_def(play->world).dimension == 2) {
        def.shape = SCREE_WALL_SEGMENT;
        def.point = (ScreeVec3){x, y, 0};
        def.end = (ScreeVec3){to_x, to_y, 0};
    } else {
        const double dx = to_x - x, dy = to_y - y;
        const double angle = scr_atan2(dy, dx);
        def.shape = SCREE_WALL_BLOCK;
        def.point = (ScreeVec3){(x + to_x) / 2, (y + to_y) / 2, (z + to_z) / 2 + height / 2};
        def.half = (ScreeVec3){sqrt(dx * dx + dy * dy) / 2, 0.03 * height, height / 2};
        def.orientation = (ScreeQuat){scr_cos(angle / 2), 0, 0, scr_sin(angle / 2)};
    }
    return scree_world_add_wall(play->world, &def, NULL) == SCREE_OK
               ? 0
               : play_fail(play, scree_world_get_message(play->world));
}

int play_undo_wall(Play *play) {
    for (size_t i = scree_world_get_wall_count(play->world); i-- > play->scene_walls;) {
        if (scree_wall_remove(play->world, (ScreeWallId){(int32_t)i}) == SCREE_OK) {
            return 0;
        }
    }
    return 1;
}
