/* Bodies as records that processes send each other: a name, the wall that holds the body, what this step
 * has noted of it, and all fields. */
#ifndef SCREE_DYNAMICS_BODY_RECORD_H
#define SCREE_DYNAMICS_BODY_RECORD_H

#include "state/state.h"

#include <string.h>

/* What a step notes of a body between attempts. */
typedef struct StepNote {
    double stray;          /* see StepTask */
    int32_t banned, tamed; /* see Impacts */
} StepNote;

enum { BODY_HEAD = 2 * sizeof(int32_t) + sizeof(StepNote) };

/* How many numbers there are in one. */
static inline size_t scr_body_numbers(void) {
    size_t bytes = BODY_HEAD;
#define X(type, name) bytes += sizeof(type);
    BODY_FIELDS(X)
#undef X
    return (bytes + sizeof(double) - 1) / sizeof(double);
}

static inline void scr_write_body(const State *s, size_t i, StepNote note, double *record) {
    const Bodies *b = &s->bodies;
    const int32_t head[2] = {scr_name(s, (int32_t)i), scr_holder(s, (int32_t)i)};
    char *at = (char *)record + BODY_HEAD;
    memcpy(record, head, sizeof head);
    memcpy(record + 1, &note, sizeof note);
#define X(type, field)                                                                             \
    memcpy(at, &b->field[i], sizeof(type));                                                        \
    at += sizeof(type);
    BODY_FIELDS(X)
#undef X
}

static inline int32_t scr_name_in(const double *record) {
    int32_t name;
    memcpy(&name, record, sizeof name);
    return name;
}

static inline int32_t scr_holder_in(const double *record) {
    int32_t head[2];
    memcpy(head, record, sizeof head);
    return head[1];
}

static inline StepNote scr_note_in(const double *record) {
    StepNote note;
    memcpy(&note, record + 1, sizeof note);
    return note;
}

static inline Vec3 scr_anchor_in(const double *record) {
    Vec3 anchor = vec3(0, 0, 0);
    const char *at = (const char *)record + BODY_HEAD;
#define X(type, field)                                                                             \
    if (strcmp(#field, "anchor") == 0) {                                                           \
        memcpy(&anchor, at, sizeof anchor);                                                        \
    }                                                                                              \
    at += sizeof(type);
    BODY_FIELDS(X)
#undef X
    return anchor;
}

/* All fields of body number i, which must have room. */
static inline void scr_read_body(const double *record, Bodies *b, size_t i) {
    const char *at = (const char *)record + BODY_HEAD;
#define X(type, field)                                                                             \
    memcpy(&b->field[i], at, sizeof(type));                                                        \
    at += sizeof(type);
    BODY_FIELDS(X)
#undef X
}

#endif
