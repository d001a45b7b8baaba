/* Where bodies lie in memory, and with that the order in which contacts are found, changes no bit of
 * a step: bodies are told apart by their names. With every law, and every kind of shape and wall that
 * the examples have; but not where a matrix of all contacts has to help the sweeps: its freedoms stand
 * in the order of the bodies in memory. */
#include "crowds.h"

#include "api/world.h"
#include "base/random.h"

#include <scree/scene.h>

typedef struct Case {
    const char *scene;
    int steps;
    size_t contacts; /* that there are at least; few lie in one order only */
    const char *override[3];
} Case;

static const Case cases[] = {
    {"all_laws", 300, 80, {NULL}},
    {"piston", 150, 80, {NULL}},
    {"tutorial_3_piston", 200, 100, {NULL}},
    {"periodic_shear", 40, 40, {NULL}},
    {"drum", 150, 100, {NULL}},
    {"cohesion", 60, 0, {NULL}},
    {"compliance", 40, 0, {NULL}},
    {"two_coefficients", 40, 0, {NULL}},
    {"rolling_friction", 40, 0, {NULL}},
    {"rounded", 40, 0, {NULL}},
    {"dominoes", 100, 20, {NULL}},
    {"dice", 200, 40, {NULL}},
    {"rock_slide", 400, 1, {NULL}},
    {"mixer", 150, 40, {NULL}},
    {"tablets", 300, 1, {NULL}},
    {"chips", 1000, 10, {NULL}},
    {"arch", 20, 30, {NULL}},
};

static ScreeWorld *build(const Case *c, ScreeScene **scene) {
    char path[1000], message[SCREE_FILE_MESSAGE_SIZE] = "";
    ScreeWorld *world = NULL;
    size_t overrides = 0;
    for (; overrides < 3 && c->override[overrides] != NULL; overrides++) {
    }
    snprintf(path, sizeof path, "%s/%s.yaml", SCREE_EXAMPLES, c->scene);
    if (scree_scene_load(path, c->override, overrides, scene, message) != SCREE_OK ||
        scree_scene_build(*scene, &world, message) != SCREE_OK) {
        fprintf(stderr, "%s\n", message);
        abort();
    }
    return world;
}

static void *copy_of(const void *data, size_t size) {
    void *copy = malloc(size + 1);
    if (copy == NULL) {
        abort();
    }
    memcpy(copy, data, size);
    return copy;
}

/* Body i of the world becomes body at[i]; its name remains i. */
static int32_t *mix_bodies(State *s, int32_t *at) {
    const size_t n = s->bodies.count;
    int32_t *name = malloc((n + 1) * sizeof *name);
    if (name == NULL) {
        abort();
    }
    for (size_t i = 0; i < n; i++) {
        at[i] = (int32_t)i;
    }
    for (size_t i = n; i > 1; i--) {
        size_t j = scr_random_below(77, i, (uint32_t)i);
        int32_t t = at[i - 1];
        at[i - 1] = at[j];
        at[j] = t;
    }
#define X(type, field)                                                                             \
    type *old_##field = copy_of(s->bodies.field, n * sizeof(type));                                \
    for (size_t i = 0; i < n; i++) {                                                               \
        s->bodies.field[at[i]] = old_##field[i];                                                   \
    }                                                                                              \
    free(old_##field);
    BODY_FIELDS(X)
#undef X
    for (size_t i = 0; i < n; i++) {
        name[at[i]] = (int32_t)i;
    }
    s->name = name;
    return name;
}

static int different_bodies(const State *one, const State *other, const int32_t *at) {
    int different = 0;
    for (size_t i = 0; i < one->bodies.count; i++) {
#define X(type, field)                                                                             \
    different += memcmp(&one->bodies.field[i], &other->bodies.field[at[i]], sizeof(type)) != 0;
        BODY_FIELDS(X)
#undef X
    }
    return different;
}

/* Contacts by the names of their bodies. */
static int compare_contacts(const void *left, const void *right) {
    const Contact *x = left, *y = right;
    if (x->a != y->a) {
        return x->a < y->a ? -1 : 1;
    }
    if (x->b != y->b) {
        return x->b < y->b ? -1 : 1;
    }
    return (x->feature > y->feature) - (x->feature < y->feature);
}

static Contact *sorted_contacts(const State *s) {
    Contact *sorted = copy_of(s->contacts.item, s->contacts.count * sizeof *sorted);
    for (size_t i = 0; i < s->contacts.count; i++) {
        sorted[i].a = scr_name(s, sorted[i].a);
        sorted[i].b = sorted[i].b >= 0 ? scr_name(s, sorted[i].b) : sorted[i].b;
    }
    qsort(sorted, s->contacts.count, sizeof *sorted, compare_contacts);
    return sorted;
}

static bool same_contacts(const State *one, const State *other) {
    Contact *a = sorted_contacts(one), *b = sorted_contacts(other);
    size_t n = one->contacts.count;
    bool same = n == other->contacts.count && memcmp(a, b, n * sizeof *a) == 0;
    free(a);
    free(b);
    return same;
}

/* Whether contacts of the same names stand in another order. */
static bool found_in_another_order(const State *one, const State *other) {
    for (size_t i = 0; i < one->contacts.count; i++) {
        const Contact *a = &one->contacts.item[i], *b = &other->contacts.item[i];
        if (scr_name(one, a->a) != scr_name(other, b->a)) {
            return true;
        }
    }
    return false;
}

static bool same_walls(const State *one, const State *other) {
    bool same = true;
    for (size_t w = 0; w < one->walls.count; w++) {
        const ScreeWallState *a = &one->walls.item[w], *b = &other->walls.item[w];
        same = same && memcmp(&a->load, &b->load, sizeof a->load) == 0 &&
               memcmp(&a->load_torque, &b->load_torque, sizeof a->load) == 0 &&
               memcmp(&a->now.point, &b->now.point, sizeof a->now.point) == 0 &&
               memcmp(&a->now.velocity, &b->now.velocity, sizeof a->now.velocity) == 0;
    }
    return same;
}

static bool same_reports(const ScreeReport *a, const ScreeReport *b, const char *scene, int step) {
    bool same = true;
#define X(type, field, unit, text)                                                                 \
    if (memcmp(&a->field, &b->field, sizeof a->field) != 0) {                                      \
        fprintf(stderr, "%s, step %d: %s differs, %.17g against %.17g\n", scene, step, #field,     \
                (double)a->field, (double)b->field);                                               \
        same = false;                                                                              \
    }
    SCREE_REPORT_MAP(X)
#undef X
    return same;
}

static bool step_both(const char *what, int step, ScreeWorld *one, ScreeWorld *other,
                      const int32_t *at) {
    ScreeReport a, b;
    rig_must(scree_world_step(one, &a), what);
    rig_must(scree_world_step(other, &b), what);
    int different = different_bodies(&one->state, &other->state, at);
    bool contacts = same_contacts(&one->state, &other->state),
         walls = same_walls(&one->state, &other->state);
    if (different > 0 || !contacts || !walls) {
        fprintf(stderr, "%s, step %d: %d numbers of bodies differ; contacts %s, walls %s\n", what,
                step, different, contacts ? "agree" : "differ", walls ? "agree" : "differ");
    }
    return same_reports(&a, &b, what, step) && different == 0 && contacts && walls;
}

/* Returns how many contacts there were at most, or 0 if they were found in the same order all the
 * time; the worlds are gone. */
static size_t check_pair(const char *what, int steps, ScreeWorld *one, ScreeWorld *other) {
    int32_t *at = malloc((one->state.bodies.count + 1) * sizeof *at);
    if (at == NULL) {
        abort();
    }
    int32_t *name = mix_bodies(&other->state, at);
    bool same = true, other_order = false;
    size_t most = 0;
    for (int step = 0; step < steps && same; step++) {
        same = step_both(what, step, one, other, at);
        size_t contacts = one->state.contacts.count;
        most = contacts > most ? contacts : most;
        other_order = other_order || found_in_another_order(&one->state, &other->state);
    }
    CHECK(same);
    scree_world_destroy(one);
    scree_world_destroy(other);
    free(name);
    free(at);
    return other_order ? most : 0;
}

static void laws_and_shapes(void) {
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const Case *c = &cases[k];
        ScreeScene *scene[2];
        ScreeWorld *one = build(c, &scene[0]), *other = build(c, &scene[1]);
        size_t contacts = check_pair(c->scene, c->steps / CHECK_STRIDE, one, other);
        CHECK(CHECK_STRIDE > 1 || contacts >= c->contacts);
        scree_scene_destroy(scene[0]);
        scree_scene_destroy(scene[1]);
    }
}

static void many_boxes(void) {
    for (size_t k = 0; k < sizeof crowds / sizeof *crowds; k += CHECK_STRIDE) {
        if (crowds[k].order == SCREE_ORDER_BOXED) {
            ScreeWorld *one = crowd_make(&crowds[k], 1), *other = crowd_make(&crowds[k], 1);
            CHECK(check_pair("a crowd", 4, one, other) > 1000);
        }
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(laws_and_shapes);
    CHECK_RUN(many_boxes);
    return check_result();
}
