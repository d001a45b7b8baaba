/* The run as the scene prescribes it: what is due before each step, when it ends, and its state. */
#include "scene/play/events.h"
#include "scene/play/gates.h"

#include "scene/play/quantities.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- before a step */

/* The next event to carry out: timed ones by their time, then those with a condition; -1 if there
 * is none. */
static int32_t next_due(const Scene *scene, const bool *met, const ScreeWorld *world) {
    const SceneEventSpec *events = scene->model.events.items;
    double now = scree_world_get_time(world), slack = scene_time_slack(world);
    int32_t best = -1;
    bool best_timed = false;
    for (size_t i = 0; i < scene->model.events.count; i++) {
        bool timed = events[i].when.head.node == 0;
        bool due = timed ? now >= events[i].at - slack : met[i];
        if (!due || scene->events[i].happened) {
            continue;
        }
        bool first = best < 0 || (timed && !best_timed) ||
                     (timed && best_timed && events[i].at < events[best].at);
        if (first) {
            best = (int32_t)i;
            best_timed = timed;
        }
    }
    return best;
}

static bool carry_out_due(Scene *scene, ScreeWorld *world, const ScreeReport *report,
                          SceneError *error) {
    const SceneEventSpec *events = scene->model.events.items;
    size_t count = scene->model.events.count;
    /* All conditions are judged before the first action, so that their order does not matter. */
    bool *met = scene->met;
    for (size_t i = 0; i < count; i++) {
        met[i] = false;
        if (!scene->events[i].happened && events[i].when.head.node) {
            scene_condition_note(scene, &events[i].when, &scene->events[i], world, report);
            met[i] = scene_condition_met(scene, &events[i].when, &scene->events[i], world, report);
        }
    }
    scene_condition_note(scene, &scene->model.stop, &scene->events[count], world, report);
    int32_t next;
    while ((next = next_due(scene, met, world)) >= 0) {
        if (!scene_carry_out(scene, next, world, error)) {
            return false;
        }
    }
    return true;
}

/* A condition that could not be judged is not taken for one that does not hold. */
static bool check_watch(const Scene *scene, SceneError *error) {
    const SceneWatch *watch = scene->watch;
    const SceneLocation top = scene_location(&scene->document, 1);
    if (watch->status == SCREE_NO_MEMORY) {
        return scene_out_of_memory(error, top, NULL);
    }
    return watch->status == SCREE_OK ||
           scene_fail(error, top, NULL, "an expression cannot be computed: %s", watch->message);
}

bool scene_before_step(Scene *scene, ScreeWorld *world, const ScreeReport *report,
                       SceneError *error) {
    SceneError unused;
    error = error ? error : &unused;
    *error = (SceneError){0};
    scene->news_used = 0;
    if (scene->news) {
        scene->news[0] = '\0';
    }
    return carry_out_due(scene, world, report, error) && check_watch(scene, error) &&
           (scene_gate_count(scene) == 0 || scene_pass_gates(scene, world, error)) &&
           scene_drive_walls(scene, world, error) && scene_drive_cell(scene, world, error) &&
           scene_drive_growth(scene, world, error);
}

int64_t scene_event_waiting(const Scene *scene, int64_t from) {
    const SceneEventSpec *events = scene->model.events.items;
    const int64_t count = (int64_t)scene->model.events.count;
    while (from < count && (scene->events[from].happened || !events[from].when.head.node)) {
        from++;
    }
    return from < count ? from : -1;
}

const char *scene_news(const Scene *scene) {
    return scene->news ? scene->news : "";
}

/* ---------------------------------------------------------------- the end */

static bool stop_event(const Scene *scene, const ScreeWorld *world, const ScreeReport *report) {
    const SceneEventSpec *events = scene->model.events.items;
    double slack = scene_time_slack(world);
    for (size_t i = 0; i < scene->model.events.count; i++) {
        if (!events[i].stop) {
            continue;
        }
        bool timed = events[i].when.head.node == 0;
        if (timed ? scree_world_get_time(world) >= events[i].at - slack
                  : scene_condition_met(scene, &events[i].when, &scene->events[i], world, report)) {
            return true;
        }
    }
    return false;
}

bool scene_finished(const Scene *scene, const ScreeWorld *world, const ScreeReport *report,
                    const char **why) {
    const char *unused;
    why = why ? why : &unused;
    *why = "";
    double slack = scene_time_slack(world);
    size_t count = scene->model.events.count;
    if (scree_world_get_time(world) >= scene->model.time.end - slack) {
        *why = "reached the end time";
    } else if (scene_condition_met(scene, &scene->model.stop, &scene->events[count], world,
                                   report)) {
        *why = "the stop condition holds";
    } else if (stop_event(scene, world, report)) {
        *why = "an event stops the run";
    }
    return (*why)[0] != '\0';
}

/* ---------------------------------------------------------------- state
 *
 * "SCN1", the numbers of events and walls, then 9 bytes for each event and the stop condition, and
 * 4 for each wall, and 33 for each inlet and outlet; where the cell has a programme, 4 for each of its
 * numbers, and where growth has one, 4 for each material. Bytes are in the machine's order, as in the world's own snapshot. */

enum {
    HEAD = 12,
    PER_EVENT = 9,
    PER_WALL = 4,
    PER_GATE = 33,
    OF_CELL = 4 * CELL_DRIVES,
    PER_MATERIAL = 4
};
enum { HAPPENED = 1, ARMED = 2, HOLDING = 4 };

static size_t size_of_growth(const Scene *scene) {
    return scene_growth_is_driven(scene) ? PER_MATERIAL * scene->model.materials.count : 0;
}

size_t scene_state_size(const Scene *scene) {
    return HEAD + PER_EVENT * (scene->model.events.count + 1) + PER_WALL * scene->wall_count +
           PER_GATE * scene_gate_count(scene) + (scene_cell_is_driven(scene) ? OF_CELL : 0) +
           size_of_growth(scene);
}

static void write_head(const Scene *scene, unsigned char head[HEAD]) {
    uint32_t counts[2] = {(uint32_t)scene->model.events.count, (uint32_t)scene->wall_count};
    memcpy(head, "SCN1", 4);
    memcpy(head + 4, counts, sizeof counts);
}

void scene_state_save(const Scene *scene, void *bytes) {
    unsigned char *at = bytes;
    write_head(scene, at);
    at += HEAD;
    for (size_t i = 0; i <= scene->model.events.count; i++, at += PER_EVENT) {
        const SceneProgress *p = &scene->events[i];
        at[0] = (unsigned char)((p->happened ? HAPPENED : 0) | (p->armed ? ARMED : 0) |
                                (p->holding ? HOLDING : 0));
        memcpy(at + 1, &p->held_since, sizeof p->held_since);
    }
    memcpy(at, scene->wall_drive, PER_WALL * scene->wall_count);
    at += PER_WALL * scene->wall_count;
    for (size_t i = 0; i < scene_gate_count(scene); i++, at += PER_GATE) {
        const SceneGate *gate = &scene->gates[i];
        const int64_t counts[2] = {gate->number, gate->waiting};
        const double sums[2] = {gate->mass, gate->amount};
        memcpy(at, counts, sizeof counts);
        memcpy(at + sizeof counts, sums, sizeof sums);
        at[PER_GATE - 1] = gate->told;
    }
    if (scene_cell_is_driven(scene)) {
        memcpy(at, scene->cell_drive, OF_CELL);
        at += OF_CELL;
    }
    memcpy(at, scene->growth_drive, size_of_growth(scene));
}

static bool load_cell(Scene *scene, const unsigned char *at) {
    int32_t source[CELL_DRIVES];
    memcpy(source, at, OF_CELL);
    for (int k = 0; k < CELL_DRIVES; k++) {
        if (source[k] < DRIVE_OWN || source[k] >= (int32_t)scene->model.events.count) {
            return false;
        }
    }
    memcpy(scene->cell_drive, source, OF_CELL);
    return true;
}

static bool load_growth(Scene *scene, const unsigned char *at) {
    for (size_t i = 0; i < size_of_growth(scene) / PER_MATERIAL; i++, at += PER_MATERIAL) {
        int32_t source;
        memcpy(&source, at, sizeof source);
        if (source < DRIVE_OWN || source >= (int32_t)scene->model.events.count) {
            return false;
        }
        scene->growth_drive[i] = source;
    }
    return true;
}

static void load_gates(Scene *scene, const unsigned char *at) {
    for (size_t i = 0; i < scene_gate_count(scene); i++, at += PER_GATE) {
        int64_t counts[2];
        double sums[2];
        memcpy(counts, at, sizeof counts);
        memcpy(sums, at + sizeof counts, sizeof sums);
        scene->gates[i] =
            (SceneGate){counts[0], counts[1], sums[0], sums[1], at[PER_GATE - 1] != 0};
    }
}

bool scene_state_load(Scene *scene, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    unsigned char head[HEAD];
    write_head(scene, head);
    if (size != scene_state_size(scene) || memcmp(at, head, HEAD) != 0) {
        return false;
    }
    size_t events = scene->model.events.count;
    const unsigned char *walls = at + HEAD + PER_EVENT * (events + 1);
    for (size_t i = 0; i < scene->wall_count; i++) {
        int32_t source;
        memcpy(&source, walls + PER_WALL * i, sizeof source);
        if (source < WALL_REMOVED || source >= (int32_t)events) {
            return false;
        }
    }
    const unsigned char *growth = at + size - size_of_growth(scene);
    if ((scene_cell_is_driven(scene) && !load_cell(scene, growth - OF_CELL)) ||
        !load_growth(scene, growth)) {
        return false;
    }
    memcpy(scene->wall_drive, walls, PER_WALL * scene->wall_count);
    load_gates(scene, walls + PER_WALL * scene->wall_count);
    at += HEAD;
    for (size_t i = 0; i <= events; i++, at += PER_EVENT) {
        SceneProgress *p = &scene->events[i];
        *p = (SceneProgress){at[0] & HAPPENED, at[0] & ARMED, at[0] & HOLDING, 0};
        memcpy(&p->held_since, at + 1, sizeof p->held_since);
    }
    return true;
}
