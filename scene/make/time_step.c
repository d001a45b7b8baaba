/* The time step of rigid grains that the scene leaves open. Nothing stiff limits it: it follows from how far the smallest
 * grain may move at the greatest speed that the scene can give one, before anything has moved. The bounds are generous, as
 * they take contacts for smooth and impacts for lossless. */
#include "scene/make/time_step.h"

#include "math/elementary.h"
#include "math/vec.h"
#include "scene/make/inlet.h"
#include "scene/make/wall_distance.h"

#include <math.h>

/* [radii] that the smallest grain may move in a step: few fall as fast as they could, or are pushed as far as a load could
 * push all, and none for long; walls and what they start with keep them moving. */
static const double in_fall = 0.2, in_drive = 0.1;
/* [1] how much a periodic cell, or the size of grains, may change in a step */
static const double cell_strain = 2e-3;

static const double two_pi = 6.283185307179586476925;

/* Places from which falls are followed, down at most so many slopes, with at most so many looks at the walls; fewer where
 * there are many walls and events that might take them away. */
enum { MOST_PLACES = 64, MOST_SLOPES = 4, MOST_LOOKS = 400, MOST_WORK = 1000000 };

typedef struct Place {
    ScreeVec3 at;
    double radius;
} Place;

typedef struct Pace {
    const Scene *scene;
    const ScreeWorld *world;
    ScreeVec3 low, high; /* of all grains */
    double mass;         /* of all grains that move */
    double lightest;     /* [mass] */
    double smallest;     /* [length] of all, inlets included; see size_of */
    double thrown;       /* [length/time] speed with which grains begin, at most */
    double force;        /* [length/time^2] of forces on single grains, at most */
    Place place[MOST_PLACES];
    size_t places;
    double step;    /* [time] the shortest that something asks for */
    const char *of; /* what that is */
} Pace;

static void ask(Pace *pace, double step, const char *of) {
    if (step < pace->step) {
        pace->step = step;
        pace->of = of;
    }
}

/* ---------------------------------------------------------------- where the grains are */

static void reach(Pace *pace, ScreeVec3 x, double radius) {
    for (int axis = 0; axis < 3; axis++) {
        double *low = component_of(&pace->low, axis), *high = component_of(&pace->high, axis);
        *low = scr_min(*low, component(x, axis) - radius);
        *high = scr_max(*high, component(x, axis) + radius);
    }
}

static void add_place(Pace *pace, ScreeVec3 x, double radius) {
    if (pace->places < MOST_PLACES) {
        pace->place[pace->places++] = (Place){x, radius};
    }
}

/* A shape is thinner than the circle or sphere around it is wide. */
static double size_of(double radius, bool shaped) {
    return shaped ? radius / 2 : radius;
}

static bool moves(const ScreeBodyView *b, size_t i) {
    const uint32_t all = SCREE_FREEZE_X | SCREE_FREEZE_Y | SCREE_FREEZE_Z;
    return (b->frozen[i] & all) != all && (b->holder == NULL || b->holder[i].index < 0);
}

/* A quarter of the places is kept for inlets. */
static void see_bodies(Pace *pace) {
    const ScreeBodyView b = scree_world_get_bodies(pace->world);
    const size_t stride = 4 * b.count / (3 * MOST_PLACES) + 1;
    for (size_t i = 0; i < b.count; i++) {
        reach(pace, b.position[i], b.radius[i]);
        if (!moves(&b, i)) {
            continue;
        }
        if (i % stride == 0) {
            add_place(pace, b.position[i], b.radius[i]);
        }
        pace->mass += b.mass[i];
        pace->lightest = scr_min(pace->lightest, b.mass[i]);
        pace->smallest = scr_min(pace->smallest, size_of(b.radius[i], b.shape[i].index >= 0));
        pace->thrown =
            scr_max(pace->thrown, length(b.velocity[i]) + length(b.spin[i]) * b.radius[i]);
        pace->force = scr_max(pace->force, length(b.force[i]) / b.mass[i]);
    }
}

/* Of the first grains of each inlet, at the corners of its region. */
static void see_inlets(Pace *pace) {
    enum { DRAWN = 64 };
    const SceneInletSpec *inlets = pace->scene->model.inlets.items;
    for (size_t i = 0; i < pace->scene->model.inlets.count; i++) {
        double amount, radius = 0;
        for (int64_t k = 0; k < DRAWN; k++) {
            const ScreeBodyDef body = scene_inlet_grain(pace->scene, i, k, &amount);
            radius = body.radius;
            pace->smallest = scr_min(pace->smallest, size_of(radius, body.shape.index >= 0));
            pace->thrown =
                scr_max(pace->thrown, length(body.velocity) + length(body.spin) * radius);
        }
        for (int corner = 0; corner < 8; corner++) {
            const SceneSpan *axis = inlets[i].region.axis;
            double x[3];
            for (int k = 0; k < 3; k++) {
                const bool high = (corner >> k & 1) != 0;
                x[k] = !axis[k].given ? 0 : high ? axis[k].to - radius : axis[k].from + radius;
            }
            reach(pace, vec3(x[0], x[1], x[2]), radius);
            add_place(pace, vec3(x[0], x[1], x[2]), radius);
        }
    }
}

/* ---------------------------------------------------------------- falls */

/* Whether an event takes the wall away. */
static bool is_taken_away(const Scene *scene, size_t wall) {
    const SceneEventSpec *events = scene->model.events.items;
    for (size_t i = 0; i < scene->model.events.count; i++) {
        for (size_t k = 0; k < events[i].remove.count; k++) {
            if (scene_wall_has_name(scene, wall, events[i].remove.names[k])) {
                return true;
            }
        }
    }
    return false;
}

/* What lies ahead: how far a grain may go along `way` in any case, and whether a wall then stops it, whose normal, away
 * from the wall, is `normal`. Walls from which it goes away do not count. */
typedef struct Ahead {
    double free; /* [length] */
    ScreeVec3 normal;
    bool stopped;
} Ahead;

static Ahead look_ahead(const Pace *pace, Place from, ScreeVec3 way) {
    const double r = from.radius, little = 0.05 * r;
    Ahead ahead = {HUGE_VAL, {0, 0, 0}, false};
    for (size_t i = 0; i < pace->scene->wall_count; i++) {
        ScreeWallState wall;
        if (is_taken_away(pace->scene, i) ||
            scree_wall_get_state(pace->world, (ScreeWallId){(int32_t)i}, &wall) != SCREE_OK) {
            continue;
        }
        const double d = scene_wall_distance(&wall.now, from.at);
        const double closing =
            (d - scene_wall_distance(&wall.now, add_scaled(from.at, little, way))) / little;
        if (!(closing > 1e-3) || !(d > -r) || !(d - r < ahead.free)) {
            continue;
        }
        ahead.free = scr_max(d - r, 0);
        ahead.stopped = d - r < little;
        for (int axis = 0; axis < 3; axis++) {
            ScreeVec3 beside = from.at;
            *component_of(&beside, axis) += little;
            *component_of(&ahead.normal, axis) =
                (scene_wall_distance(&wall.now, beside) - d) / little;
        }
    }
    return ahead;
}

/* How far it is along `way` to where no grain is. */
static double way_out(const Pace *pace, ScreeVec3 from, ScreeVec3 way) {
    double far = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double w = component(way, axis);
        far += w * (component(w > 0 ? pace->high : pace->low, axis) - component(from, axis));
    }
    return scr_max(far, 0);
}

/* The square of the speed of a grain that falls from this place and slides on down slopes, as if they had no friction: it
 * grows by twice the potential that is left behind. Below all walls and grains nothing is left to be met. A grain may also
 * topple. */
static double square_of_fall(const Pace *pace, Place place, ScreeVec3 g) {
    double square = 2 * length(g) * place.radius;
    ScreeVec3 pull = g, way;
    const size_t work = (pace->scene->wall_count + 1) * (pace->scene->model.events.count + 1);
    int slopes = 0;
    for (size_t looks = 0; looks < MOST_LOOKS && slopes <= MOST_SLOPES; looks++) {
        if (looks * work > MOST_WORK) {
            break;
        }
        if (!direction_of(pull, &way) || length(pull) < 1e-3 * length(g)) {
            break;
        }
        const Ahead ahead = look_ahead(pace, place, way);
        const bool last = ahead.free == HUGE_VAL;
        if (ahead.stopped) {
            ScreeVec3 n;
            slopes++;
            pull = direction_of(ahead.normal, &n) ? add_scaled(g, -dot(g, n), n) : vec3(0, 0, 0);
            continue;
        }
        const double stride =
            last ? way_out(pace, place.at, way) : scr_max(ahead.free, place.radius / 2);
        place.at = add_scaled(place.at, stride, way);
        square += 2 * stride * length(pull);
        if (last) {
            break;
        }
    }
    return square;
}

/* A grain may also be thrown, or pulled by a force of its own; and there may not be time for more. */
static void see_falls(Pace *pace, ScreeVec3 g) {
    const double time = pace->scene->settings.end, across = length(sub(pace->high, pace->low));
    const double pull = length(g) + pace->force;
    double square = 0;
    for (size_t k = 0; k < pace->places && length(g) > 0; k++) {
        square = scr_max(square, square_of_fall(pace, pace->place[k], g));
    }
    square = scr_min(square + 2 * pace->force * across, pull * time * pull * time);
    ask(pace, in_fall * pace->smallest / sqrt(square + pace->thrown * pace->thrown),
        "grains that fall");
    ask(pace, in_drive * pace->smallest / pace->thrown, "grains that begin with a velocity");
}

/* ---------------------------------------------------------------- walls and loads */

static double largest(const SceneDrive *drive) {
    double most = drive->kind == DRIVE_NONE ? 0 : length(drive->mean) + length(drive->amplitude);
    for (size_t k = 0; drive->kind == DRIVE_TABLE && k < drive->table.count; k++) {
        const double *row = drive->table.rows[k];
        most = scr_max(most, length(vec3(row[1], row[2], row[3])));
    }
    return most;
}

/* How far grains are from a point at which something turns. */
static double lever(const Pace *pace, ScreeVec3 pivot) {
    ScreeVec3 far = {0};
    for (int axis = 0; axis < 3; axis++) {
        const double p = component(pivot, axis);
        *component_of(&far, axis) =
            scr_max(fabs(component(pace->low, axis) - p), fabs(component(pace->high, axis) - p));
    }
    return length(far);
}

/* Where a wall moves, of its own or as an event wants. */
static void see_motion(Pace *pace, const ScreeWallDef *wall, const SceneDrive *velocity,
                       const SceneDrive *spin) {
    const double arm = lever(pace, wall->has_pivot ? wall->pivot : wall->point);
    const double speed = largest(velocity) + largest(spin) * arm;
    ask(pace, in_drive * pace->smallest / speed, "a wall that moves");
}

/* A load F that drives grains of mass m ahead of it over their extent l along it gives them a speed of sqrt(F l / m), and so
 * does a stress with the volume l A of the grains in place of the area alone. */
static void see_load(Pace *pace, double force, double stress) {
    const ScreeVec3 size = sub(pace->high, pace->low);
    const double volume = size.x * size.y * (pace->scene->model.dimension == 2 ? 1 : size.z);
    const double work = force * length(size) + stress * volume;
    if (pace->mass > 0) {
        ask(pace, in_fall * pace->smallest / sqrt(work / pace->mass), "a load");
    }
}

static void see_walls(Pace *pace) {
    const SceneModel *m = &pace->scene->model;
    const SceneEventSpec *events = m->events.items;
    for (size_t i = 0; i < pace->scene->wall_count; i++) {
        const SceneWall *wall = &pace->scene->walls[i];
        see_motion(pace, &wall->def, &wall->velocity, &wall->spin);
        if (wall->def.motion == SCREE_WALL_PISTON) {
            see_load(pace, largest(&wall->force), largest(&wall->stress));
        }
        for (size_t k = 0; k < m->events.count; k++) {
            const SceneSetVelocitySpec *set = &events[k].set_velocity;
            if (set->wall != NULL && scene_wall_has_name(pace->scene, i, set->wall)) {
                see_motion(pace, &wall->def, &set->velocity, &set->spin);
            }
        }
    }
}

/* A liquid bridge that draws a grain of mass m over its whole reach does the work W, and gives it the speed sqrt(2 W / m):
 * in a step it passes a part of the reach. */
static void see_bridges(Pace *pace) {
    const int32_t count = (int32_t)pace->scene->model.materials.count;
    for (int32_t a = 0; a < count; a++) {
        for (int32_t b = 0; b <= a; b++) {
            ScreeLaw law;
            if (scree_law_get(pace->world, (ScreeMaterialId){a}, (ScreeMaterialId){b}, &law) ==
                    SCREE_OK &&
                law.bridge_volume > 0) {
                const double reach = scree_law_get_bridge(&law, pace->smallest, HUGE_VAL, 0).reach;
                const ScreeBridge drawn =
                    scree_law_get_bridge(&law, pace->smallest, HUGE_VAL, reach);
                ask(pace, in_fall * reach / sqrt(2 * drawn.energy / pace->lightest),
                    "liquid bridges");
            }
        }
    }
}

static void see_cell(Pace *pace, const SceneCellSpec *cell) {
    double stress = largest(&cell->pressure), rate = 0;
    for (int k = 0; k < CELL_PRESSURE; k++) {
        stress = scr_max(stress, largest(&cell->stress.of[k]));
        rate = scr_max(rate, largest(&cell->rate.of[k]));
    }
    see_load(pace, 0, stress);
    ask(pace, cell_strain / rate, "the cell that deforms");
}

/* How fast a factor changes, at most, relative to itself. */
static double factor_rate(const SceneDrive *f) {
    double most = 0;
    for (size_t k = 1; f->kind == DRIVE_TABLE && k < f->table.count; k++) {
        const double *a = f->table.rows[k - 1], *b = f->table.rows[k];
        most = scr_max(most, fabs(scr_log(b[1] / a[1])) / (b[0] - a[0]));
    }
    if (f->kind == DRIVE_HARMONIC) {
        const double swing = fabs(f->amplitude.x);
        most = two_pi * f->frequency * swing / (f->mean.x - swing);
    }
    return most;
}

static void see_growth(Pace *pace, const SceneGrowthSpec *growth) {
    const double rate = scr_max(largest(&growth->rate), factor_rate(&growth->factor));
    ask(pace, cell_strain / rate, "the grains that grow");
}

/* What events do to grains at once; to walls, see_walls. */
static void see_events(Pace *pace) {
    const SceneModel *m = &pace->scene->model;
    const SceneEventSpec *events = m->events.items;
    for (size_t k = 0; k < m->events.count; k++) {
        const SceneSetPistonSpec *piston = &events[k].set_piston;
        const SceneSetVelocitySpec *set = &events[k].set_velocity;
        const double thrown = set->wall == NULL ? largest(&set->velocity) : 0;
        pace->thrown = scr_max(pace->thrown, thrown);
        pace->force = scr_max(pace->force, length(events[k].set_force.force) / pace->lightest);
        see_load(pace, largest(&piston->force), largest(&piston->stress));
        see_cell(pace, &events[k].set_cell);
        see_growth(pace, &events[k].set_growth);
    }
    for (size_t k = 0; k < m->events.count; k++) {
        see_falls(pace, events[k].set_gravity); /* zero where it is not given */
    }
}

/* ---------------------------------------------------------------- the step */

/* At most `step`, and a part of `every` by a number without other factors than 2 and 5, so that frames fall on steps and
 * both are round numbers if one is. */
static double round_down(double step, double every) {
    double best = HUGE_VAL;
    for (double twos = 1; twos < 4 * scr_max(every / step, 1); twos *= 2) {
        double parts = twos;
        while (parts * step < every) {
            parts *= 5;
        }
        best = scr_min(best, parts);
    }
    return every / best;
}

double scene_time_step(const Scene *scene, const ScreeWorld *world, const char **of) {
    Pace pace = {.scene = scene,
                 .world = world,
                 .low = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                 .high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL},
                 .lightest = HUGE_VAL,
                 .smallest = HUGE_VAL,
                 .step = HUGE_VAL};
    see_bodies(&pace);
    see_inlets(&pace);
    if (pace.places == 0) {
        return 0;
    }
    see_events(&pace);
    see_falls(&pace, scene->model.gravity);
    see_walls(&pace);
    see_cell(&pace, &scene->model.cell);
    see_bridges(&pace);
    const SceneMaterialSpec *materials = scene->model.materials.items;
    for (size_t k = 0; k < scene->model.materials.count; k++) {
        see_growth(&pace, &materials[k].growth);
    }
    const double every = scene->settings.output_every;
    if (pace.step == HUGE_VAL || !(every / pace.step < 1e15)) {
        return 0;
    }
    *of = pace.step < every ? pace.of : "the frames";
    return round_down(pace.step, every);
}
