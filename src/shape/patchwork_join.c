/* How the patches of a surface meet: side by side, smoothly, and closed. */
#include "shape/patchwork.h"

/* Sides are seen counterclockwise around the patch: v = 0, u = 1, v = 1, u = 0. */
enum { SIDES = 4, LOOKS = 4 };

static void place_on_side(int side, double s, double *u, double *v) {
    *u = side == 0 ? s : side == 1 ? 1 : side == 2 ? 1 - s : 0;
    *v = side == 0 ? 0 : side == 1 ? s : side == 2 ? 1 : 1 - s;
}

static bool is_pole(const Patchwork *p, int32_t patch, int side) {
    static const int bit[SIDES] = {2, 1, 3, 0};
    return p->pole[patch] >> bit[side] & 1;
}

typedef struct Side {
    Vec3 x[LOOKS + 1], normal[LOOKS + 1];
    int32_t partner; /* another side; -1: none yet, -2: a pole */
} Side;

typedef struct Joining {
    Patchwork *surface;
    double near;
    Side *side;    /* [4 patches] */
    int32_t *same; /* [patches (lines + 1)^2] an earlier node in the same place, or itself */
    Block side_block, same_block;
} Joining;

static ScreeStatus refuse(PatchFault *fault, const char *words, int32_t side) {
    if (fault != NULL) {
        static const int32_t told[SIDES] = {2, 1, 3, 0}; /* as u = 0, u = 1, v = 0, v = 1 */
        *fault = (PatchFault){words, side / SIDES, told[side % SIDES], true};
    }
    return SCREE_BAD_ARGUMENT;
}

static void look_along(const Joining *j, int32_t side) {
    Side *to = &j->side[side];
    const PatchNet net = scr_patch_net(j->surface, side / SIDES);
    for (int k = 0; k <= LOOKS; k++) {
        double u, v;
        place_on_side(side % SIDES, (double)k / LOOKS, &u, &v);
        const PatchAt at = scr_patch_point(&net, u, v);
        to->x[k] = at.x;
        to->normal[k] = at.normal;
    }
    to->partner = is_pole(j->surface, side / SIDES, side % SIDES) ? -2 : -1;
}

static bool is_near(const Joining *j, Vec3 a, Vec3 b) {
    return fabs(a.x - b.x) <= j->near && fabs(a.y - b.y) <= j->near && fabs(a.z - b.z) <= j->near;
}

static bool lies_along(const Joining *j, const Side *a, const Side *b, bool backwards) {
    for (int k = 0; k <= LOOKS; k++) {
        if (!is_near(j, a->x[k], b->x[backwards ? LOOKS - k : k])) {
            return false;
        }
    }
    return true;
}

/* Normals that differ by more are an edge. */
static const double smooth = 1e-6;

static ScreeStatus check_smooth(const Joining *j, int32_t side, PatchFault *fault) {
    const Side *a = &j->side[side];
    for (int k = 0; k <= LOOKS; k++) {
        Vec3 other = a->partner == -2 ? a->normal[0] : j->side[a->partner].normal[LOOKS - k];
        if (length(cross(a->normal[k], other)) > smooth || dot(a->normal[k], other) < 0) {
            return refuse(fault,
                          a->partner == -2
                              ? "the surface has a tip: it must be smooth at its poles"
                              : "the surface has an edge: only surfaces of plane patches of degree "
                                "1 may have edges",
                          side);
        }
    }
    return SCREE_OK;
}

static ScreeStatus find_partner(const Joining *j, int32_t side, PatchFault *fault) {
    Side *a = &j->side[side];
    int32_t sides = SIDES * j->surface->patches;
    bool turned = false;
    for (int32_t k = side + 1; k < sides && a->partner == -1; k++) {
        Side *b = &j->side[k];
        if (b->partner != -1 || !is_near(j, a->x[LOOKS / 2], b->x[LOOKS / 2])) {
            continue;
        }
        if (lies_along(j, a, b, true)) {
            a->partner = k;
            b->partner = side;
        }
        turned = turned || lies_along(j, a, b, false);
    }
    if (a->partner == -1) {
        return refuse(fault,
                      turned ? "a patch is turned over against its neighbour: exchange its u and v"
                             : "the surface is open: this side of a patch is no side of another",
                      side);
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- nodes */

static int32_t node_on_side(const Patchwork *p, int32_t side, int k) {
    double u, v;
    int lines = p->lines;
    place_on_side(side % SIDES, (double)k / lines, &u, &v);
    int i = (int)floor(u * lines + 0.5), l = (int)floor(v * lines + 0.5);
    return (side / SIDES) * (lines + 1) * (lines + 1) + i * (lines + 1) + l;
}

static int32_t first_of(const Joining *j, int32_t node) {
    while (j->same[node] != node) {
        node = j->same[node] = j->same[j->same[node]];
    }
    return node;
}

static void unite(const Joining *j, int32_t a, int32_t b) {
    a = first_of(j, a);
    b = first_of(j, b);
    j->same[a > b ? a : b] = a > b ? b : a;
}

static void unite_side(const Joining *j, int32_t side) {
    const Patchwork *p = j->surface;
    int32_t partner = j->side[side].partner;
    for (int k = 0; k <= p->lines; k++) {
        unite(j, node_on_side(p, side, k),
              partner == -2 ? node_on_side(p, side, 0) : node_on_side(p, partner, p->lines - k));
    }
}

/* Numbers the nodes that are left, in `same` from here on. */
static void number_nodes(const Joining *j) {
    Patchwork *p = j->surface;
    int32_t row = p->lines + 1, all = p->patches * row * row;
    for (int32_t k = 0; k < all; k++) {
        j->same[k] = first_of(j, k);
    }
    p->nodes = 0;
    for (int32_t k = 0; k < all; k++) {
        if (j->same[k] == k) {
            const PatchNet net = scr_patch_net(p, k / (row * row));
            double u = (double)(k / row % row) / p->lines, v = (double)(k % row) / p->lines;
            p->node[p->nodes] = scr_patch_point(&net, u, v).x;
            j->same[k] = p->nodes++;
        } else {
            j->same[k] = j->same[j->same[k]];
        }
    }
}

static void add_triangle(Patchwork *p, int32_t a, int32_t b, int32_t c) {
    if (a != b && b != c && c != a) {
        int32_t *to = p->triangle + 3 * p->triangles++;
        to[0] = a;
        to[1] = b;
        to[2] = c;
    }
}

static void make_triangles(const Joining *j) {
    Patchwork *p = j->surface;
    int32_t row = p->lines + 1;
    p->triangles = 0;
    for (int32_t patch = 0; patch < p->patches; patch++) {
        for (int32_t k = 0; k < p->lines * p->lines; k++) {
            int32_t at = patch * row * row + k / p->lines * row + k % p->lines;
            int32_t a = j->same[at], b = j->same[at + row], c = j->same[at + row + 1],
                    d = j->same[at + 1];
            add_triangle(p, a, b, c);
            add_triangle(p, a, c, d);
        }
    }
}

static bool make_room(Joining *j) {
    Patchwork *p = j->surface;
    size_t patches = (size_t)p->patches, row = (size_t)p->lines + 1;
    return SCR_RESERVE(j, side, SIDES * patches) && SCR_RESERVE(j, same, patches * row * row) &&
           SCR_RESERVE(p, node, patches * row * row) &&
           SCR_RESERVE(p, triangle, 6 * (size_t)p->cells);
}

static ScreeStatus join(Joining *j, PatchFault *fault) {
    int32_t sides = SIDES * j->surface->patches, row = j->surface->lines + 1;
    if (!make_room(j)) {
        return SCREE_NO_MEMORY;
    }
    for (int32_t k = 0; k < sides; k++) {
        look_along(j, k);
    }
    for (int32_t k = 0; k < sides; k++) {
        ScreeStatus status = j->side[k].partner == -1 ? find_partner(j, k, fault) : SCREE_OK;
        if (status != SCREE_OK) {
            return status;
        }
    }
    for (int32_t k = 0; k < sides; k++) {
        ScreeStatus status = check_smooth(j, k, fault);
        if (status != SCREE_OK) {
            return status;
        }
    }
    for (int32_t k = 0; k < j->surface->patches * row * row; k++) {
        j->same[k] = k;
    }
    for (int32_t k = 0; k < sides; k++) {
        unite_side(j, k);
    }
    number_nodes(j);
    make_triangles(j);
    return SCREE_OK;
}

ScreeStatus scr_patchwork_join(Patchwork *surface, double size, PatchFault *fault) {
    Joining j = {.surface = surface, .near = 1e-7 * size};
    ScreeStatus status = join(&j, fault);
    SCR_FREE_BLOCKS(&j.side_block, &j.same_block);
    return status;
}
