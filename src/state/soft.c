#include "state/soft.h"

#include <stdlib.h>
#include <string.h>

static bool grow(Block *block, Vec3 **field, size_t had, size_t bodies) {
    if (!scr_block_reserve(block, bodies + 1, sizeof(Vec3), had * sizeof(Vec3))) {
        return false;
    }
    *field = block->data;
    memset(*field + had, 0, (bodies - had) * sizeof(Vec3));
    return true;
}

SoftState *scr_soft_state_new(void) {
    return calloc(1, sizeof(SoftState));
}

bool scr_soft_state_reserve(SoftState *s, size_t bodies, bool verlet) {
#define X(type, name)                                                                              \
    if (bodies > s->bodies && !grow(&s->name##_block, &s->name, s->bodies, bodies)) {              \
        return false;                                                                              \
    }
    SOFT_BODY_FIELDS(X)
#undef X
#define X(type, name)                                                                              \
    if (verlet && (bodies > s->bodies || s->name == NULL) &&                                       \
        !grow(&s->name##_block, &s->name, s->name != NULL ? s->bodies : 0, bodies)) {              \
        return false;                                                                              \
    }
    SOFT_VERLET_FIELDS(X)
#undef X
    if (verlet && (!SCR_RESERVE(s, displacement_next, bodies + 1) ||
                   !SCR_RESERVE(s, turn_next, bodies + 1))) {
        return false;
    }
    s->bodies = bodies > s->bodies ? bodies : s->bodies;
    return true;
}

bool scr_soft_state_reserve_memory(SoftState *s, size_t contacts) {
    return SCR_RESERVE_KEEPING(s, memory, contacts + 1, s->contacts);
}

void scr_soft_state_destroy(SoftState *s) {
    if (s != NULL) {
        scr_block_free(&s->memory_block);
        scr_block_free(&s->displacement_next_block);
        scr_block_free(&s->turn_next_block);
#define X(type, name) scr_block_free(&s->name##_block);
        SOFT_BODY_FIELDS(X)
        SOFT_VERLET_FIELDS(X)
#undef X
        free(s);
    }
}

size_t scr_soft_state_bytes(const SoftState *s) {
    size_t bytes = s->displacement_next_block.bytes + s->turn_next_block.bytes;
#define X(type, name) bytes += s->name##_block.bytes;
    SOFT_BODY_FIELDS(X)
    SOFT_VERLET_FIELDS(X)
#undef X
    return bytes;
}

/* ---------------------------------------------------------------- snapshot */

/* Field by field, because a struct may have padding. */
#define MEMORY_FIELDS(X)                                                                           \
    X(a)                                                                                           \
    X(b)                                                                                           \
    X(feature)                                                                                     \
    X(spring)                                                                                      \
    X(roll)                                                                                        \
    X(torsion)                                                                                     \
    X(opening)                                                                                     \
    X(normal)                                                                                      \
    X(stiffness)                                                                                   \
    X(friction)

void scr_soft_state_put(ByteWriter *w, const SoftState *s) {
    const uint8_t present = s != NULL;
    scr_put(w, &present, sizeof present);
    if (s == NULL) {
        return;
    }
    const uint64_t bodies = s->bodies, contacts = s->contacts;
    const uint8_t verlet = s->displacement != NULL;
    scr_put(w, &bodies, sizeof bodies);
    scr_put(w, &contacts, sizeof contacts);
    scr_put(w, &verlet, sizeof verlet);
#define X(type, name) scr_put(w, s->name, s->bodies * sizeof(type));
    SOFT_BODY_FIELDS(X)
    if (s->displacement != NULL) {
        SOFT_VERLET_FIELDS(X)
    }
#undef X
    for (size_t i = 0; i < s->contacts; i++) {
#define X(name) scr_put(w, &s->memory[i].name, sizeof s->memory[i].name);
        MEMORY_FIELDS(X)
#undef X
    }
    scr_put(w, &s->elastic, sizeof s->elastic);
    scr_put(w, s->power, sizeof s->power);
    scr_put(w, &s->advised, sizeof s->advised);
    scr_put(w, &s->time_step, sizeof s->time_step);
    const uint8_t new_constants = s->new_constants;
    scr_put(w, &new_constants, sizeof new_constants);
}

static bool get_flag(ByteReader *r) {
    uint8_t flag = 0;
    scr_get(r, &flag, sizeof flag);
    r->failed = r->failed || flag > 1;
    return flag == 1;
}

static bool get_fields(ByteReader *r, SoftState *s, uint64_t bodies, uint64_t contacts,
                       bool verlet) {
    size_t left = r->size - r->at;
    if (r->failed || bodies > left / sizeof(Vec3) || contacts > left / sizeof(Vec3)) {
        r->failed = true;
        return true;
    }
    if (!scr_soft_state_reserve(s, (size_t)bodies, verlet) ||
        !scr_soft_state_reserve_memory(s, (size_t)contacts)) {
        return false;
    }
#define X(type, name) scr_get(r, s->name, s->bodies * sizeof(type));
    SOFT_BODY_FIELDS(X)
    if (verlet) {
        SOFT_VERLET_FIELDS(X)
    }
#undef X
    s->contacts = (size_t)contacts;
    memset(s->memory, 0, s->contacts * sizeof *s->memory);
    for (size_t i = 0; i < s->contacts; i++) {
#define X(name) scr_get(r, &s->memory[i].name, sizeof s->memory[i].name);
        MEMORY_FIELDS(X)
#undef X
    }
    scr_get(r, &s->elastic, sizeof s->elastic);
    scr_get(r, s->power, sizeof s->power);
    scr_get(r, &s->advised, sizeof s->advised);
    scr_get(r, &s->time_step, sizeof s->time_step);
    s->new_constants = get_flag(r);
    return true;
}

bool scr_soft_state_get(ByteReader *r, SoftState **soft) {
    uint64_t bodies = 0, contacts = 0;
    *soft = NULL;
    if (!get_flag(r) || r->failed) {
        return true;
    }
    SoftState *s = scr_soft_state_new();
    if (s == NULL) {
        return false;
    }
    *soft = s;
    scr_get(r, &bodies, sizeof bodies);
    scr_get(r, &contacts, sizeof contacts);
    bool verlet = get_flag(r);
    return get_fields(r, s, bodies, contacts, verlet);
}
