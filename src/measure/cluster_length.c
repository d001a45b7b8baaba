/* The largest cluster of bodies in contact, found by all threads at once.
 *
 * Threads join sets without locks: the root of a set is its lowest member, and a root is linked to a lower
 * one by a single exchange, which fails, and is tried again, if another thread was faster. So which sets
 * there are in the end, and what their roots are, depends on nothing but the contacts. */
#include "measure/measure.h"

#include <stdatomic.h>

typedef _Atomic(int32_t) Shared;

/* A cluster: how many bodies, the first name among them (of a piece), its root. */
typedef struct Cluster {
    int32_t count, first, root;
} Cluster;

typedef struct Search {
    const State *state;
    Shared *parent, *size; /* [bodies] */
    Cluster best[SCR_MOST_PIECES];
    Vec3 low[SCR_MOST_PIECES], high[SCR_MOST_PIECES];
    int32_t root; /* of the largest */
} Search;

static int32_t read_shared(const Shared *value) {
    return atomic_load_explicit(value, memory_order_relaxed);
}

/* Shortens the way for those who come later; an ancestor remains one whatever others do. */
static int32_t root_of(Shared *parent, int32_t i) {
    for (int32_t up = read_shared(&parent[i]); up != i; up = read_shared(&parent[i])) {
        const int32_t far = read_shared(&parent[up]);
        if (far != up) {
            atomic_store_explicit(&parent[i], far, memory_order_relaxed);
        }
        i = far;
    }
    return i;
}

static void join(Shared *parent, int32_t a, int32_t b) {
    for (;;) {
        a = root_of(parent, a);
        b = root_of(parent, b);
        if (a == b) {
            return;
        }
        const int32_t high = a > b ? a : b, low = a > b ? b : a;
        int32_t expected = high;
        if (atomic_compare_exchange_strong_explicit(&parent[high], &expected, low,
                                                    memory_order_relaxed, memory_order_relaxed)) {
            return;
        }
    }
}

static void begin_piece(void *context, size_t piece) {
    const Search *k = context;
    const size_t count = k->state->bodies.count, end = scr_piece_end(count, piece);
    for (size_t i = scr_piece_begin(count, piece); i < end; i++) {
        atomic_init(&k->parent[i], (int32_t)i);
        atomic_init(&k->size[i], 0);
    }
}

static void join_piece(void *context, size_t piece) {
    const Search *k = context;
    const Contacts *contacts = &k->state->contacts;
    const size_t end = scr_piece_end(contacts->count, piece);
    for (size_t i = scr_piece_begin(contacts->count, piece); i < end; i++) {
        const Contact *c = &contacts->item[i];
        if (c->state != SCREE_CONTACT_OPEN && c->b >= 0) {
            join(k->parent, c->a, c->b);
        }
    }
}

static void add_to(Shared *size, int32_t count) {
    atomic_fetch_add_explicit(size, count, memory_order_relaxed);
}

/* Neighbours in memory mostly belong to one cluster: they are added together, so that threads do not
 * queue for its number. */
static void count_piece(void *context, size_t piece) {
    const Search *k = context;
    const size_t count = k->state->bodies.count, end = scr_piece_end(count, piece);
    int32_t last = -1, together = 0;
    for (size_t i = scr_piece_begin(count, piece); i < end; i++) {
        const int32_t root = root_of(k->parent, (int32_t)i);
        if (root == (int32_t)i) {
            add_to(&k->size[root], 1);
        } else if (root == last) {
            together++;
        } else {
            if (together > 0) {
                add_to(&k->size[last], together);
            }
            last = root;
            together = 1;
        }
    }
    if (together > 0) {
        add_to(&k->size[last], together);
    }
}

/* Of several that are equally large, the one with the first name. */
static Cluster larger(Cluster a, Cluster b) {
    const bool is_b = b.count > a.count || (b.count == a.count && b.first < a.first);
    return is_b ? b : a;
}

static void choose_piece(void *context, size_t piece) {
    Search *k = context;
    const size_t count = k->state->bodies.count, end = scr_piece_end(count, piece);
    Cluster best = {.count = 1, .first = INT32_MAX, .root = -1};
    for (size_t i = scr_piece_begin(count, piece); i < end; i++) {
        const int32_t root = root_of(k->parent, (int32_t)i), size = read_shared(&k->size[root]);
        if (size > 1 && size >= best.count) {
            best = larger(best, (Cluster){size, scr_name(k->state, (int32_t)i), root});
        }
    }
    k->best[piece] = best;
}

static void bound_piece(void *context, size_t piece) {
    Search *k = context;
    const Bodies *b = &k->state->bodies;
    Vec3 low = vec3(INFINITY, INFINITY, INFINITY), high = scale(-1, low);
    for (size_t i = scr_piece_begin(b->count, piece); i < scr_piece_end(b->count, piece); i++) {
        if (root_of(k->parent, (int32_t)i) == k->root) {
            const Vec3 x = b->position[i];
            const double r = b->radius[i];
            low = vec3(scr_min(low.x, x.x - r), scr_min(low.y, x.y - r), scr_min(low.z, x.z - r));
            high =
                vec3(scr_max(high.x, x.x + r), scr_max(high.y, x.y + r), scr_max(high.z, x.z + r));
        }
    }
    k->low[piece] = low;
    k->high[piece] = high;
}

static double longest_side(const Search *k, size_t pieces) {
    Vec3 low = k->low[0], high = k->high[0];
    for (size_t i = 1; i < pieces; i++) {
        const Vec3 l = k->low[i], h = k->high[i];
        low = vec3(scr_min(low.x, l.x), scr_min(low.y, l.y), scr_min(low.z, l.z));
        high = vec3(scr_max(high.x, h.x), scr_max(high.y, h.y), scr_max(high.z, h.z));
    }
    const Vec3 side = sub(high, low);
    return scr_max(side.x, scr_max(side.y, side.z));
}

double scr_cluster_length(const State *state, Block *work, Threads *threads) {
    const size_t n = state->bodies.count, pieces = scr_pieces(n);
    if (!scr_block_reserve_exact(work, 2 * n + 1, sizeof(Shared), 0)) {
        return -1;
    }
    Search k = {.state = state, .parent = work->data};
    k.size = k.parent + n;
    scr_threads_loop(threads, pieces, begin_piece, &k);
    scr_threads_loop(threads, scr_pieces(state->contacts.count), join_piece, &k);
    scr_threads_loop(threads, pieces, count_piece, &k);
    scr_threads_loop(threads, pieces, choose_piece, &k);
    Cluster best = k.best[0];
    for (size_t i = 1; i < pieces; i++) {
        best = larger(best, k.best[i]);
    }
    k.root = best.root;
    if (best.root < 0) {
        return 0;
    }
    scr_threads_loop(threads, pieces, bound_piece, &k);
    return longest_side(&k, pieces);
}
