#include "scene/play/quantities.h"

#include "math/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* While an expression is computed; without a world its names are only looked up. */
typedef struct Quantities {
    const Scene *scene;
    const ScreeWorld *world;
    ScreeSample sample;
    bool sampled;
    const char *measured; /* whose measures these are: a name of the scene, or "" for everything */
    ScreeMeasures measures;
    Guess *guess; /* takes the known names, or NULL */
} Quantities;

/* ---------------------------------------------------------------- work space */

void scene_watch_free(SceneWatch *watch) {
    free(watch->contact);
    free(watch->form);
    free(watch->number);
}

static bool fail(SceneWatch *watch, ScreeStatus status, const char *message) {
    if (watch->status == SCREE_OK) {
        watch->status = status;
        snprintf(watch->message, sizeof watch->message, "%s", message);
    }
    return false;
}

/* Grows by an eighth more than is asked for; what was there is not kept. */
static void *room_for(void *block, size_t *room, size_t count, size_t size) {
    if (block && count <= *room) {
        return block;
    }
    free(block);
    *room = count + count / 8 + 1;
    void *made = malloc(*room * size);
    *room = made ? *room : 0;
    return made;
}

/* ---------------------------------------------------------------- measures */

static bool take_sample(Quantities *q, SceneWatch *watch) {
    const ScreeContactView view = scree_world_get_contacts(q->world);
    if (view.status != SCREE_OK) {
        return fail(watch, view.status, scree_status_get_text(view.status));
    }
    watch->contact =
        room_for(watch->contact, &watch->contact_room, view.count, sizeof *watch->contact);
    watch->form = room_for(watch->form, &watch->form_room, scree_world_get_shape_count(q->world),
                           sizeof *watch->form);
    if (!watch->contact || !watch->form) {
        return fail(watch, SCREE_NO_MEMORY, "");
    }
    scree_world_take_sample(q->world, watch->contact, watch->form, &q->sample);
    q->sampled = true;
    return true;
}

/* Measures what the name says, unless that was measured last. */
static bool measure(Quantities *q, const char *name, const ScreeMeasureDef *def) {
    SceneWatch *watch = q->scene->watch;
    if (q->measured && strcmp(q->measured, name) == 0) {
        return true;
    }
    char message[SCREE_MESSAGE_SIZE] = "";
    if (!q->sampled && !take_sample(q, watch)) {
        return false;
    }
    ScreeStatus status = scree_sample_measure(&q->sample, def, &q->measures, message);
    q->measured = status == SCREE_OK ? name : NULL;
    return status == SCREE_OK || fail(watch, status, message);
}

static bool is_column(const char *column, Guess *guess) {
#define X(type, name, dimension, meaning)                                                          \
    if (strcmp(column, #name) == 0) {                                                              \
        return true;                                                                               \
    }                                                                                              \
    if (guess) {                                                                                   \
        scr_guess_offer(guess, #name);                                                             \
    }
    SCREE_MEASURE_MAP(X)
#undef X
    return false;
}

static double column_value(const ScreeMeasures *measures, const char *column) {
#define X(type, name, dimension, meaning)                                                          \
    if (strcmp(column, #name) == 0) {                                                              \
        return (double)measures->name;                                                             \
    }
    SCREE_MEASURE_MAP(X)
#undef X
    return NAN;
}

static bool measured_number(Quantities *q, const char *name, const ScreeMeasureDef *def,
                            const char *column, double *value) {
    if (!is_column(column, q->guess)) {
        return false;
    }
    *value = q->world && measure(q, name, def) ? column_value(&q->measures, column) : NAN;
    return true;
}

/* ---------------------------------------------------------------- grains, walls, cell */

double scene_largest_speed(const ScreeWorld *world) {
    ScreeBodyView bodies = scree_world_get_bodies(world);
    double most = 0;
    for (size_t i = 0; i < bodies.count; i++) {
        bool fixed = (bodies.frozen[i] & SCREE_FREEZE_POSITION) == SCREE_FREEZE_POSITION;
        double speed = fixed ? 0 : dot(bodies.velocity[i], bodies.velocity[i]);
        most = scr_max(most, speed);
    }
    return sqrt(most);
}

static bool own_number(const Quantities *q, const char *name, double *value) {
    const ScreeWorld *world = q->world;
    if (strcmp(name, "time") == 0) {
        *value = world ? scree_world_get_time(world) : 0;
    } else if (strcmp(name, "kinetic_energy") == 0) {
        *value = world ? scree_world_get_kinetic_energy(world) : 0;
    } else if (strcmp(name, "speed_max") == 0) {
        *value = world ? scene_largest_speed(world) : 0;
    } else {
        return false;
    }
    return true;
}

static bool wall_number(const Quantities *q, const char *name, const char *field, double *value) {
    static const char *const fields[] = {"position_", "displacement_", "velocity_", "load_"};
    enum { FIELDS = sizeof fields / sizeof fields[0] };
    size_t wall = 0, kind = 0, size = strlen(field);
    while (wall < q->scene->wall_count && strcmp(q->scene->walls[wall].name, name) != 0) {
        wall++;
    }
    while (kind < FIELDS &&
           (size != strlen(fields[kind]) + 1 || strncmp(field, fields[kind], size - 1) != 0)) {
        kind++;
    }
    if (wall == q->scene->wall_count || kind == FIELDS || !strchr("xyz", field[size - 1])) {
        return false;
    }
    ScreeWallState state = {0};
    if (q->world) {
        scree_wall_get_state(q->world, (ScreeWallId){(int32_t)wall}, &state);
    }
    const ScreeVec3 pivot = state.now.has_pivot ? state.now.pivot : state.now.point;
    const ScreeVec3 vectors[FIELDS] = {pivot, state.displacement, state.now.velocity, state.load};
    *value = state.present ? component(vectors[kind], field[size - 1] - 'x') : NAN;
    return true;
}

static bool cell_number(const Quantities *q, const char *field, double *value) {
    const ScreeCellReport cell =
        q->world ? scree_world_get_cell(q->world) : (ScreeCellReport){.volume = NAN};
    if (strcmp(field, "volume") == 0) {
        *value = cell.volume;
        return true;
    }
    static const char *const kinds[] = {"rate_", "strain_", "stress_"};
    const double *const matrices[] = {cell.rate, cell.strain, cell.stress};
    for (int kind = 0; kind < 3; kind++) {
        size_t size = strlen(kinds[kind]);
        for (int i = 0; i < 9 && strncmp(field, kinds[kind], size) == 0; i++) {
            if (strcmp(field + size, scree_cell_get_component(i)) == 0) {
                *value = matrices[kind][i];
                return true;
            }
        }
    }
    return false;
}

/* What has passed an inlet or outlet since the start. */
static bool gate_number(const Quantities *q, const char *name, const char *field, double *value) {
    for (size_t i = 0; i < scene_gate_count(q->scene); i++) {
        const ScreeGate gate = scene_gate(q->scene, i);
        if (strcmp(gate.name, name) != 0) {
            continue;
        }
        *value = strcmp(field, "number") == 0    ? (double)gate.number
                 : strcmp(field, "mass") == 0    ? gate.mass
                 : strcmp(field, "waiting") == 0 ? (double)gate.waiting
                                                 : NAN;
        return !isnan(*value);
    }
    return false;
}

/* ---------------------------------------------------------------- names */

static bool number(void *context, const char *name, double *value) {
    Quantities *q = context;
    const char *dot_at = strrchr(name, '.');
    const ScreeMeasureDef everything = scree_measure_def_default();
    if (!dot_at) {
        return own_number(q, name, value) || measured_number(q, "", &everything, name, value);
    }
    char owner[160];
    size_t size = (size_t)(dot_at - name);
    memcpy(owner, name, size);
    owner[size] = '\0';
    for (size_t i = 0; i < scene_measure_count(q->scene); i++) {
        const ScreeSeriesDef m = scene_measure(q->scene, i);
        if (strcmp(m.name, owner) == 0 && measured_number(q, m.name, &m.def, dot_at + 1, value)) {
            return true;
        }
    }
    return wall_number(q, owner, dot_at + 1, value) || gate_number(q, owner, dot_at + 1, value) ||
           (strcmp(owner, "cell") == 0 && cell_number(q, dot_at + 1, value));
}

static double quantity_of(const ScreeBodyView *bodies, size_t i, const char *name) {
    return strcmp(name, "speed") == 0    ? length(bodies->velocity[i])
           : strcmp(name, "radius") == 0 ? bodies->radius[i]
                                         : component(bodies->position[i], name[0] - 'x');
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Linear between the sorted numbers, of which the first and the last are the quantiles 0 and 1. */
static bool quantile(void *context, const char *name, double share, double *value) {
    Quantities *q = context;
    static const char *const known[] = {"x", "y", "z", "speed", "radius"};
    size_t kind = 0;
    while (kind < 5 && strcmp(known[kind], name) != 0) {
        kind++;
    }
    *value = NAN;
    if (kind == 5 || !q->world) {
        return kind < 5;
    }
    SceneWatch *watch = q->scene->watch;
    const ScreeBodyView bodies = scree_world_get_bodies(q->world);
    watch->number =
        room_for(watch->number, &watch->number_room, bodies.count, sizeof *watch->number);
    if (!watch->number) {
        fail(watch, SCREE_NO_MEMORY, "");
        return true;
    }
    size_t count = 0;
    for (size_t i = 0; i < bodies.count; i++) {
        if ((bodies.frozen[i] & SCREE_FREEZE_POSITION) != SCREE_FREEZE_POSITION) {
            watch->number[count++] = quantity_of(&bodies, i, name);
        }
    }
    if (count > 0) {
        qsort(watch->number, count, sizeof *watch->number, by_size);
        double place = share * (double)(count - 1);
        size_t below = (size_t)place, above = below + 1 < count ? below + 1 : below;
        *value = watch->number[below] +
                 (place - (double)below) * (watch->number[above] - watch->number[below]);
    }
    return true;
}

static ExpressionNames names_of(Quantities *q) {
    return (ExpressionNames){number, quantile, q};
}

/* ---------------------------------------------------------------- expressions of a scene */

/* Where the fault stands, if the text is written in one line as it is. */
static SceneLocation place_of(SceneLocation location, const char *text,
                              const ExpressionFault *fault) {
    size_t size = strlen(text), width = (size_t)location.width;
    if (width == size || width == size + 2) {
        location.column += (int)(fault->offset + (width > size));
        location.width = fault->length > 0 ? (int)fault->length : 1;
    }
    return location;
}

bool scene_check_expression(const Scene *scene, const char *text, SceneLocation location,
                            SceneError *error) {
    Quantities q = {.scene = scene};
    ExpressionFault fault;
    const ExpressionNames names = names_of(&q);
    if (scene_expression_check(text, &names, &fault)) {
        return true;
    }
    char word[100] = "", hint[200] = "";
    snprintf(word, sizeof word, "%.*s", fault.length < 90 ? (int)fault.length : 90,
             text + fault.offset);
    if (fault.unknown) {
        const char *column = strrchr(word, '.');
        double unused;
        Guess guess = scr_guess(column ? column + 1 : word);
        q.guess = &guess;
        number(&q, word, &unused);
        scr_guess_text(&guess, hint, sizeof hint);
    }
    const char *help = "measures such as solid_fraction (docs/measures.md), MEASURE.stress_xx, "
                       "WALL.load_z, cell.strain_xy, time";
    return scene_fail(error, place_of(location, text, &fault),
                      hint[0]         ? hint
                      : fault.unknown ? help
                                      : NULL,
                      fault.unknown ? "%s: '%s'" : "%s", fault.text, word);
}

bool scene_expression_now(const Scene *scene, const char *text, const ScreeWorld *world) {
    Quantities q = {.scene = scene, .world = world};
    const ExpressionNames names = names_of(&q);
    return scene_expression_holds(text, &names);
}
