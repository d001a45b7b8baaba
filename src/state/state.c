#include "state/state.h"

#include "state/bridge.h"

bool scr_bodies_reserve(Bodies *bodies, size_t count) {
#define X(type, name)                                                                              \
    if (!scr_block_reserve_exact(&bodies->name##_block, count, sizeof(type),                       \
                                 bodies->count * sizeof(type))) {                                  \
        return false;                                                                              \
    }                                                                                              \
    bodies->name = bodies->name##_block.data;
    BODY_FIELDS(X)
#undef X
    return true;
}

bool scr_bodies_grow(Bodies *bodies, size_t count) {
    size_t room = SIZE_MAX; /* blocks are rounded up, each in its own way */
#define X(type, name)                                                                              \
    room = bodies->name##_block.bytes / sizeof(type) < room                                        \
               ? bodies->name##_block.bytes / sizeof(type)                                         \
               : room;
    BODY_FIELDS(X)
#undef X
    return count <= room || scr_bodies_reserve(bodies, count + count / 8 + 16);
}

void scr_bodies_free(Bodies *bodies) {
#define X(type, name) scr_block_free(&bodies->name##_block);
    BODY_FIELDS(X)
#undef X
    *bodies = (Bodies){0};
}

size_t scr_bodies_bytes(const Bodies *bodies) {
    size_t bytes = 0;
#define X(type, name) bytes += bodies->name##_block.bytes;
    BODY_FIELDS(X)
#undef X
    return bytes;
}

static double harmonic(double a, double b) {
    return a > 0 && b > 0 ? 2 / (1 / a + 1 / b) : 0;
}

/* The default law of two materials takes the smaller of their numbers: the smoother surface
 * decides. Their springs act in series. */
static ScreeLaw pair_law(const ScreeLaw *a, const ScreeLaw *b) {
    ScreeLaw law;
#define X(name, dimension, preset, meaning) law.name = scr_min(a->name, b->name);
    SCREE_LAW_MAP(X)
#undef X
    double holding = scr_min(scr_static_friction(a), scr_static_friction(b));
    law.friction_static = holding > law.friction ? holding : 0;
    law.stiffness = harmonic(a->stiffness, b->stiffness);
    law.stiffness_tangential = harmonic(a->stiffness_tangential, b->stiffness_tangential);
    law.modulus = harmonic(a->modulus, b->modulus);
    law.bridge_angle = scr_max(a->bridge_angle, b->bridge_angle);
    return law;
}

unsigned scr_law_uses(const ScreeLaw *law) {
    unsigned uses = 0;
    uses |= scr_static_friction(law) > law->friction ? LAW_TWO_FRICTIONS : 0;
    uses |= law->rolling > 0 || law->rolling_length > 0 || law->rolling_hertz > 0 ||
                    law->torsion > 0 || law->torsion_length > 0
                ? LAW_TORQUES
                : 0;
    uses |= scr_is_cohesive(law) ? LAW_COHESION : 0;
    uses |= scr_has_bridges(law) ? LAW_BRIDGES : 0;
    uses |= law->restitution > 0 || law->restitution_tangential > 0 ? LAW_RESTITUTION : 0;
    uses |= isfinite(law->stiffness) || isfinite(law->stiffness_tangential) ? LAW_COMPLIANCE : 0;
    return uses;
}

void scr_materials_note_uses(Materials *m) {
    m->version++;
    m->uses = 0;
    m->longest_range = 0;
    m->by_area = false;
    for (size_t i = 0; i < m->count * m->count; i++) {
        m->uses |= scr_law_uses(&m->law[i]);
        m->by_area = m->by_area || m->law[i].cohesion_stress > 0;
        m->longest_range =
            scr_max(m->longest_range, scr_is_cohesive(&m->law[i]) ? m->law[i].cohesion_range : 0);
        m->longest_range = scr_max(m->longest_range, scr_bridge_reach(&m->law[i]));
    }
}

void scr_materials_note_growth(Materials *m) {
    m->grow = false;
    m->grown = true;
    for (size_t i = 0; i < m->count; i++) {
        m->grow = m->grow || m->growth[i].rate != 0;
    }
}

bool scr_materials_add(Materials *m, const Material *material) {
    size_t old = m->count, n = old + 1;
    Block grown = {0};
    if (!SCR_RESERVE_KEEPING(m, item, n, old) || !SCR_RESERVE_KEEPING(m, growth, n, old) ||
        !scr_block_reserve_exact(&grown, n * n, sizeof *m->law, 0)) {
        return false;
    }
    ScreeLaw *law = grown.data;
    m->item[old] = *material;
    m->growth[old] = (Growth){0};
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            const ScreeLaw *own = &m->item[i].law, *other = &m->item[j].law;
            law[i * n + j] = i < old && j < old ? m->law[i * old + j]
                             : i == j           ? *own
                                                : pair_law(own, other);
        }
    }
    scr_block_free(&m->law_block);
    m->law_block = grown;
    m->law = law;
    m->count = n;
    scr_materials_note_uses(m);
    return true;
}

static void free_materials(Materials *materials) {
    scr_block_free(&materials->item_block);
    scr_block_free(&materials->law_block);
    scr_block_free(&materials->growth_block);
    *materials = (Materials){0};
}

/* ---------------------------------------------------------------- meshes */

Mesh *scr_meshes_new(Meshes *m) {
    Block block = {0};
    if (!SCR_RESERVE_KEEPING(m, item, m->count + 1, m->count) ||
        !scr_block_reserve_exact(&block, 1, sizeof(Mesh), 0)) {
        return NULL;
    }
    m->item[m->count] = block.data;
    *m->item[m->count] = (Mesh){0};
    return m->item[m->count++];
}

static void drop_mesh(Meshes *m) {
    Block block = {m->item[--m->count], sizeof(Mesh)};
    scr_mesh_free(block.data);
    scr_block_free(&block);
}

int32_t scr_mesh_number(const Meshes *m, const Mesh *mesh) {
    for (size_t k = 0; k < m->count; k++) {
        if (m->item[k] == mesh) {
            return (int32_t)k;
        }
    }
    return -1;
}

const Mesh *scr_meshes_take(Meshes *m, const Mesh *mesh) {
    for (size_t k = 0; k < m->count; k++) {
        if (m->item[k] == mesh || scr_meshes_are_equal(m->item[k], mesh)) {
            return m->item[k];
        }
    }
    Mesh *made = scr_meshes_new(m);
    if (made != NULL && !scr_mesh_copy(mesh, made)) {
        drop_mesh(m);
        return NULL;
    }
    return made;
}

static void free_meshes(Meshes *m) {
    while (m->count > 0) {
        drop_mesh(m);
    }
    scr_block_free(&m->item_block);
    *m = (Meshes){0};
}

void scr_state_free(State *state) {
    scr_bodies_free(&state->bodies);
    free_meshes(&state->meshes);
    scr_block_free(&state->walls.block);
    free_materials(&state->materials);
    scr_shapes_free(&state->shapes);
    scr_block_free(&state->contacts.block);
    scr_block_free(&state->contacts.extra_block);
    scr_block_free(&state->contacts.slid_block);
    scr_soft_state_destroy(state->soft);
    scr_block_free(&state->identity_block);
    scr_block_free(&state->holder_block);
    scr_block_free(&state->branch_block);
    scr_bonds_free(&state->bonds);
    *state = (State){0};
}
