/* A world of some chains of impacts alone, put together by one process from what others have sent
 * (share_chains.c): bodies, contacts and rows at free motion, in the order of names. */
#ifndef SCREE_DYNAMICS_CHAIN_WORLD_H
#define SCREE_DYNAMICS_CHAIN_WORLD_H

#include "dynamics/chain.h"
#include "dynamics/share_labels.h"

typedef struct BodyFields {
#define X(type, name) type name;
    BODY_FIELDS(X)
#undef X
} BodyFields;

/* A body as it goes to the process that makes a chain. */
typedef struct SentBody {
    int32_t name, from, holder;
    bool bound, touched, has_tensor;
    ProblemBody body;
    Vec3 motion;
    Tensor tensor;
    BodyFields fields;
} SentBody;

/* Bodies of a row as all processes know them: a name, or minus 1 and more where walls stand among the bodies of the
 * problem; TURNING is one of the row alone. */
enum { TURNING = INT32_MIN };

typedef struct SentContact {
    int32_t from, at; /* process, and its number there */
    int32_t point;    /* which of its pair */
    int32_t a, b;     /* of the row */
    bool has_law, has_general;
    uint64_t pair;   /* its name */
    Contact contact; /* with names */
    Row row;
    LawRow law;
    GeneralRow general;
    Vec3 wall; /* velocity of a wall that turns, there */
} SentContact;

/* What has become of a row, on its way back. */
typedef struct SentRow {
    int32_t at, strikes;
    bool has_law, has_general;
    Row row;
    LawRow law;
    GeneralRow general;
    double lost[2];
} SentRow;

/* And of a body: its name, or the code of a piston. */
typedef struct SentFlyer {
    int32_t name, hits, known;
    ProblemBody before, after;
    double jolt;
    Detour detour;
} SentFlyer;

enum {
    SENT_BODY_NUMBERS = sizeof(SentBody) / sizeof(double),
    SENT_CONTACT_NUMBERS = sizeof(SentContact) / sizeof(double),
    SENT_ROW_NUMBERS = sizeof(SentRow) / sizeof(double),
    SENT_FLYER_NUMBERS = sizeof(SentFlyer) / sizeof(double)
};

/* What is sorted: where it stands in what was received. */
typedef struct ChainKey {
    uint64_t name;
    int32_t point, from;
} ChainKey;

/* Zero-initialise it. */
typedef struct ChainWorld {
    Labels loads;   /* 0: bears a load; of this process's own world, like the next two */
    Labels touched; /* 0: takes part in a chain, or has become a wall to one */
    Labels home;    /* the process that makes the chains of a body */
    int32_t *sent;  /* [bodies] the process that a body went to last, plus 1 */
    Trade bodies, contacts, reply;
    /* The world of the chains that this process makes. */
    State state;
    Prediction free;
    NearList list;
    StepTask task;
    int32_t *name, *holder;
    bool *known; /* [bodies of the problem] were touched or bound before */
    ChainKey *body_key, *contact_key;
    Block sent_block, name_block, holder_block, known_block, body_key_block, contact_key_block,
        contact_block, motion_block, rank_block, slot_block, problem_block, tensor_block, row_block,
        law_block, law_of_block, general_block, general_of_block;
} ChainWorld;

static inline const SentBody *scr_sent_body(const Trade *t, size_t i) {
    return (const SentBody *)(const void *)scr_trade_record(t, i);
}

static inline const SentContact *scr_sent_contact(const Trade *t, size_t i) {
    return (const SentContact *)(const void *)scr_trade_record(t, i);
}

/* As all processes know a body of a row. */
int32_t scr_chain_code(const Cascade *cascade, int32_t body);

/* From what has been received; `of` is the world of this process. Pistons that are bound or touched there are so
 * here. */
ScreeStatus scr_chain_world_make(ChainWorld *world, const Cascade *of);

/* The number there of a body by its name. */
int32_t scr_chain_world_find(const ChainWorld *world, int32_t name);

/* The same chains as in the whole world. */
Cascade scr_chain_world_cascade(ChainWorld *world, const Cascade *of);

#endif
