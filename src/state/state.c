#include "state/state.h"

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

/* Two materials meet with the smaller of their own frictions: the smoother surface decides. */
static ScreeLaw pair_law(const ScreeMaterialDef *a, const ScreeMaterialDef *b) {
    ScreeLaw law = scree_default_law();
    law.friction = fmin(a->friction, b->friction);
    return law;
}

bool scr_materials_add(Materials *m, const ScreeMaterialDef *def) {
    size_t old = m->count, n = old + 1;
    if (!scr_block_reserve(&m->item_block, n, sizeof *m->item, old * sizeof *m->item)) {
        return false;
    }
    m->item = m->item_block.data;
    Block grown = {0};
    if (!scr_block_reserve_exact(&grown, n * n, sizeof *m->law, 0)) {
        return false;
    }
    ScreeLaw *law = grown.data;
    m->item[old] = *def;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            law[i * n + j] =
                i < old && j < old ? m->law[i * old + j] : pair_law(&m->item[i], &m->item[j]);
        }
    }
    scr_block_free(&m->law_block);
    m->law_block = grown;
    m->law = law;
    m->count = n;
    return true;
}

void scr_materials_free(Materials *materials) {
    scr_block_free(&materials->item_block);
    scr_block_free(&materials->law_block);
    *materials = (Materials){0};
}

void scr_state_free(State *state) {
    scr_bodies_free(&state->bodies);
    scr_block_free(&state->walls.block);
    scr_materials_free(&state->materials);
    scr_block_free(&state->contacts.block);
    *state = (State){0};
}
