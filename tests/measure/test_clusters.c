/* The largest cluster of bodies in contact against a plain search, with any number of threads. */
#include "physics/rig.h"

#include "measure/measure.h"

enum { MOST_BODIES = 3000, MOST_CONTACTS = 6000 };

typedef struct Graph {
    Vec3 position[MOST_BODIES];
    double radius[MOST_BODIES];
    int32_t name[MOST_BODIES], label[MOST_BODIES];
    Contact contact[MOST_CONTACTS];
    State state;
} Graph;

static void fill(Graph *g, uint64_t *random, size_t bodies, size_t contacts, bool chain) {
    memset(&g->state, 0, sizeof g->state);
    for (size_t i = 0; i < bodies; i++) {
        g->position[i] = rig_random_vec(random, 10, 3);
        g->radius[i] = 0.1 + rig_random(random);
        g->name[i] = (int32_t)((i * 7919 + 13) % bodies); /* a permutation: 7919 is a prime */
    }
    for (size_t k = 0; k < contacts; k++) {
        const int32_t a = (int32_t)(rig_random(random) * (double)bodies);
        const int32_t b =
            chain ? (a + 5) % (int32_t)bodies : (int32_t)(rig_random(random) * (double)bodies);
        const bool at_wall = rig_random(random) < 0.1, open = rig_random(random) < 0.2;
        g->contact[k] = (Contact){.a = a,
                                  .b = at_wall || a == b ? -1 : b,
                                  .state = open ? SCREE_CONTACT_OPEN : SCREE_CONTACT_STICK};
    }
    g->state.bodies.count = bodies;
    g->state.bodies.position = g->position;
    g->state.bodies.radius = g->radius;
    g->state.name = g->name;
    g->state.contacts.count = contacts;
    g->state.contacts.item = g->contact;
}

/* Every body takes the lowest name around it until nothing changes. */
static double expected_length(Graph *g) {
    const State *s = &g->state;
    const size_t n = s->bodies.count;
    memcpy(g->label, g->name, n * sizeof *g->label);
    for (bool again = true; again;) {
        again = false;
        for (size_t k = 0; k < s->contacts.count; k++) {
            const Contact *c = &g->contact[k];
            if (c->b < 0 || c->state == SCREE_CONTACT_OPEN || g->label[c->a] == g->label[c->b]) {
                continue;
            }
            const int32_t a = g->label[c->a], b = g->label[c->b], least = a < b ? a : b;
            g->label[c->a] = g->label[c->b] = least;
            again = true;
        }
    }
    size_t most = 1;
    double length = 0;
    for (int32_t label = 0; label < (int32_t)n; label++) { /* the first of several that are equal */
        size_t count = 0;
        double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
        for (size_t i = 0; i < n; i++) {
            const double x[3] = {g->position[i].x, g->position[i].y, g->position[i].z};
            for (int k = 0; k < 3 && g->label[i] == label; k++) {
                low[k] = fmin(low[k], x[k] - g->radius[i]);
                high[k] = fmax(high[k], x[k] + g->radius[i]);
            }
            count += g->label[i] == label;
        }
        if (count > most) {
            most = count;
            length = fmax(high[0] - low[0], fmax(high[1] - low[1], high[2] - low[2]));
        }
    }
    return length;
}

static void check_graph(Graph *g, Threads *threads) {
    Block work = {0};
    const double expected = expected_length(g);
    CHECK(scr_cluster_length(&g->state, &work, NULL) == expected);
    for (int k = 0; k < 20; k++) { /* another interleaving each time */
        CHECK(scr_cluster_length(&g->state, &work, threads) == expected);
    }
    scr_block_free(&work);
}

static void clusters_are_those_of_a_plain_search(void) {
    static const struct {
        size_t bodies, contacts;
        bool chain;
    } kinds[] = {{1, 0, false},       {2, 1, false},       {40, 15, false},     {40, 60, false},
                 {3000, 1200, false}, {3000, 1800, false}, {3000, 6000, false}, {2999, 6000, true}};
    Graph *g = calloc(1, sizeof *g);
    Threads *threads = scr_threads_create(4);
    CHECK(g != NULL && threads != NULL);
    for (size_t k = 0; g != NULL && k < sizeof kinds / sizeof kinds[0]; k++) {
        uint64_t random = 5 + k;
        fill(g, &random, kinds[k].bodies, kinds[k].contacts, kinds[k].chain);
        check_graph(g, threads);
    }
    scr_threads_destroy(threads);
    free(g);
}

int main(int argc, char **argv) {
    CHECK_RUN(clusters_are_those_of_a_plain_search);
    return check_result();
}
