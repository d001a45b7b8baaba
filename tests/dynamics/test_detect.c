/* The contacts of a step against all pairs: no near pair is left out, none appears twice, and they
 * stand in the order of the candidates. What a contact had before is found again, whichever
 * candidates are asked for, with the same list and with another. */
#include "scenes.h"

#include "api/world.h"

enum { GRAINS = CHECK_STRIDE == 1 ? 700 : 300 };

static ScreeWorld *falling(bool moving, int dimension, bool periodic) {
    const Scene scene = {.dimension = dimension,
                         .order = SCREE_ORDER_BOXED,
                         .periodic = periodic,
                         .moving_walls = moving,
                         .grains = GRAINS};
    return scene_make(&scene);
}

/* ---------------------------------------------------------------- contacts */

static double smaller(const State *s, int32_t a, int32_t b) {
    double r = s->bodies.radius[a];
    return b >= 0 ? fmin(r, s->bodies.radius[b]) : r;
}

/* How many times a pair is among the contacts. */
static int times(const State *s, int32_t a, int32_t b) {
    int count = 0;
    for (size_t k = 0; k < s->contacts.count; k++) {
        count += s->contacts.item[k].a == a && s->contacts.item[k].b == b;
    }
    return count;
}

/* Gaps of all pairs over the smaller radius; [i][bodies + w] has that of body i and wall w. */
static double *all_gaps(const State *s) {
    size_t n = s->bodies.count, width = n + s->walls.count;
    double *gap = calloc(n * width, sizeof *gap);
    if (gap == NULL) {
        abort();
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < width; j++) {
            int32_t a = (int32_t)i, b = j < n ? (int32_t)j : -1 - (int32_t)(j - n);
            gap[i * width + j] = scr_touch_round(s, a, b).gap / smaller(s, a, b);
        }
    }
    return gap;
}

/* A pair within the slack always becomes a contact, whatever its motion. A step in halves has the
 * contacts of its last part. */
static void contacts_are_complete(void) {
    for (int kind = 0; kind<6; kind += CHECK_STRIDE> 1 ? 3 : 1) {
        ScreeWorld *world = falling(kind % 2 == 1, 2 + kind / 2 % 2, kind >= 4);
        for (int step = 0; step < 80; step++) {
            rig_step(world);
        }
        const State *s = &world->state;
        size_t n = s->bodies.count, width = n + s->walls.count;
        double *gap = all_gaps(s);
        while (rig_step(world).strides > 0) {
            free(gap);
            gap = all_gaps(s);
        }
        int missing = 0, twice = 0, near = 0;
        for (size_t i = 0; i < n; i++) {
            for (size_t j = i + 1; j < width; j++) {
                if (gap[i * width + j] < 0.01 - 1e-9) {
                    int found = times(s, (int32_t)i, j < n ? (int32_t)j : -1 - (int32_t)(j - n));
                    near++;
                    missing += found == 0;
                    twice += found > 1;
                }
            }
        }
        CHECK(near > GRAINS / 4);
        CHECK(missing == 0);
        CHECK(twice == 0);
        free(gap);
        scree_world_destroy(world);
    }
}

/* ---------------------------------------------------------------- what they had before */

static const Contact *by_looking(const OldContacts *old, int32_t a, int32_t b) {
    for (size_t k = 0; k < old->count; k++) {
        if (old->item[k].a == a && old->item[k].b == b) {
            return &old->item[k];
        }
    }
    return NULL;
}

/* Asks for some of the candidates in their order, beginning anywhere: pairs of the list, then fixed
 * walls, then the others. */
static void ask(const State *s, const NearList *list, const OldContacts *old, int every,
                size_t from) {
    OldCursor cursor = {old, 0};
    size_t pairs = list->neighbours.count, found = 0, wrong = 0;
    bool begun = false;
    for (size_t i = from; i < pairs; i += (size_t)every) {
        Pair p = scr_bodies_of(s, list, list->neighbours.pair[i]);
        cursor = begun ? cursor : scr_old_cursor(old, p.a, p.b);
        begun = true;
        const Contact *c = scr_find_old(&cursor, p.a, p.b);
        wrong += c != by_looking(old, p.a, p.b);
        found += c != NULL;
    }
    for (int moving = 0; moving < 2; moving++) {
        for (int32_t w = 0; w < (int32_t)s->walls.count; w++) {
            if ((s->walls.item[w].now.motion != SCREE_WALL_FIXED) != (moving == 1)) {
                continue;
            }
            for (int32_t i = 0; i < (int32_t)s->bodies.count; i += every) {
                const Contact *c = scr_find_old(&cursor, i, -1 - w);
                wrong += c != by_looking(old, i, -1 - w);
                found += c != NULL;
            }
        }
    }
    CHECK(wrong == 0);
    CHECK(found > 20 && (every > 1 || from > 0 || found == old->count));
}

static void old_contacts_are_found(void) {
    for (int kind = 0; kind < 4; kind++) {
        ScreeWorld *world = falling(kind % 2 == 1, 2 + kind / 2, false);
        for (int step = 0; step < 60; step++) {
            rig_step(world);
        }
        State *s = &world->state;
        Engine *e = &world->engine;
        const size_t count = s->contacts.count;
        for (int changed = 0; changed < 2; changed++) {
            Arena arena = {0};
            OldContacts old;
            const StepParams with = scr_step_params(s, e);
            CHECK(scr_set_aside(&with, s, &e->list.neighbours, changed == 1, &arena, 0, &old) ==
                  SCREE_OK);
            CHECK(old.count == count && s->contacts.count == 0);
            ask(s, &e->list, &old, 1, 0);
            ask(s, &e->list, &old, 3, 0);
            ask(s, &e->list, &old, 2, e->list.neighbours.count / 3);
            s->contacts.count = count;
            scr_arena_free(&arena);
        }
        scree_world_destroy(world);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(contacts_are_complete);
    CHECK_RUN(old_contacts_are_found);
    return check_result();
}
