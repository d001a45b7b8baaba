/* What every other header rests on: version, capabilities, status, vectors, ids. */
#ifndef SCREE_BASE_H
#define SCREE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SCREE_API __attribute__((visibility("default")))
#else
#define SCREE_API
#endif

/* A struct value that C and C++ both understand: SCREE_LITERAL(ScreeVec3){0, 0, 1}. */
#ifdef __cplusplus
#define SCREE_LITERAL(type) type
#else
#define SCREE_LITERAL(type) (type)
#endif

/* ---------------------------------------------------------------- version and capabilities */

#define SCREE_VERSION_MAJOR 0
#define SCREE_VERSION_MINOR 1
#define SCREE_VERSION_PATCH 0

/* "0.1.0", of the library that is linked. */
SCREE_API const char *scree_get_version(void);

/* What the library that is linked was built with. No result depends on threads or on vector
 * instructions; those of solvers that factor matrices agree within their tolerance. */
typedef struct ScreeCapabilities {
    bool threads;       /* a world can use several */
    bool files;         /* scenes and problem files: true for scree, false for scree_core */
    bool gpu;           /* false: whoever has one lends it, see <scree/device.h> */
    bool mpi;           /* false: the program loads it, see <scree/processes.h> */
    int32_t simd_width; /* contacts that the sweep works on at a time: 1, 4 or 8 */
    const char *simd;   /* vector instructions: "neon", "sse2", "avx2", "avx512" or "none" */
    const char
        *factor; /* what factors large sparse matrices: "cholmod", or "own", which is slower */
} ScreeCapabilities;

SCREE_API ScreeCapabilities scree_get_capabilities(void);

/* ---------------------------------------------------------------- status */

/* Codes and texts from one list, so that they cannot part. */
#define SCREE_STATUS_MAP(X)                                                                        \
    X(OK, "no error")                                                                              \
    X(NO_MEMORY, "out of memory")                                                                  \
    X(BAD_ARGUMENT, "an argument is outside its allowed range")                                    \
    X(BAD_ID, "no such body, wall or material")                                                    \
    X(TOO_CROWDED, "too many grains in one place")                                                 \
    X(NOT_FINITE, "a position or velocity is no longer finite")                                    \
    X(BAD_SNAPSHOT, "the snapshot is damaged or is not a snapshot")                                \
    X(NEWER_SNAPSHOT, "the snapshot was written by a newer version")                               \
    X(NO_SOLUTION, "the step has no solution")                                                     \
    X(DEVICE_FAILED, "the device that sweeps has failed")

typedef enum ScreeStatus {
#define X(name, text) SCREE_##name,
    SCREE_STATUS_MAP(X)
#undef X
        SCREE_STATUS_COUNT
} ScreeStatus;

/* The text of a status, never NULL. */
SCREE_API const char *scree_status_get_text(ScreeStatus status);

/* Length of the caller's buffer for a message, terminator included. */
#define SCREE_MESSAGE_SIZE 256

/* The same for what is wrong with a file: several lines, with the place and a hint. */
#define SCREE_FILE_MESSAGE_SIZE 1024

/* ---------------------------------------------------------------- vectors */

typedef struct ScreeVec3 {
    double x, y, z;
} ScreeVec3;

/* Unit quaternion; (1, 0, 0, 0) is no rotation. */
typedef struct ScreeQuat {
    double w, x, y, z;
} ScreeQuat;

/* ---------------------------------------------------------------- ids */

/* Each kind of thing has an id of its own type, so that a wall cannot be taken for a body. Inside
 * is its index, which is also its place in the arrays of a view. Things are counted from zero in
 * the order in which they were added and keep their index; a removed wall leaves its index unused.
 * Only bodies close ranks when some are removed: what remains theirs is an identity, the number of
 * bodies that had been added before, which no other body ever gets.
 * An index of -1 means that there is none: SCREE_NO_BODY and so on. */
typedef struct ScreeBodyId {
    int32_t index;
} ScreeBodyId;

typedef struct ScreeWallId {
    int32_t index;
} ScreeWallId;

typedef struct ScreeShapeId {
    int32_t index;
} ScreeShapeId;

typedef struct ScreeMaterialId {
    int32_t index;
} ScreeMaterialId;

#define SCREE_NO_BODY     (SCREE_LITERAL(ScreeBodyId){-1})
#define SCREE_NO_WALL     (SCREE_LITERAL(ScreeWallId){-1})
#define SCREE_NO_SHAPE    (SCREE_LITERAL(ScreeShapeId){-1})
#define SCREE_NO_MATERIAL (SCREE_LITERAL(ScreeMaterialId){-1})

/* Of ids of any kind. */
#define SCREE_IS_NULL(id)  ((id).index < 0)
#define SCREE_EQUALS(a, b) ((a).index == (b).index)

/* What a body touches: another body or a wall, as the functions below tell. The code is one number
 * for both, for storing: it is what run files and tables have. */
typedef struct ScreePartner {
    int32_t code; /* a body's index, or -1 less a wall's index */
} ScreePartner;

static inline bool scree_partner_is_wall(ScreePartner partner) {
    return partner.code < 0;
}

/* SCREE_NO_BODY when it is a wall. */
static inline ScreeBodyId scree_partner_get_body(ScreePartner partner) {
    ScreeBodyId body = {partner.code < 0 ? -1 : partner.code};
    return body;
}

/* SCREE_NO_WALL when it is a body. */
static inline ScreeWallId scree_partner_get_wall(ScreePartner partner) {
    ScreeWallId wall = {partner.code < 0 ? -1 - partner.code : -1};
    return wall;
}

static inline ScreePartner scree_partner_from_body(ScreeBodyId body) {
    ScreePartner partner = {body.index};
    return partner;
}

static inline ScreePartner scree_partner_from_wall(ScreeWallId wall) {
    ScreePartner partner = {-1 - wall.index};
    return partner;
}

/* ---------------------------------------------------------------- frozen axes */

/* Degrees of freedom of a body that no force may change. A velocity given along a frozen axis stays
 * what it is (zero unless set), so a body frozen in everything is an obstacle, or moves as told. */
enum {
    SCREE_FREEZE_X = 1,
    SCREE_FREEZE_Y = 2,
    SCREE_FREEZE_Z = 4,
    SCREE_FREEZE_ROTATION_X = 8,
    SCREE_FREEZE_ROTATION_Y = 16,
    SCREE_FREEZE_ROTATION_Z = 32,
    SCREE_FREEZE_POSITION = 7,
    SCREE_FREEZE_ROTATION = 56,
    SCREE_FREEZE_ALL = 63
};

/* A world of grains (<scree/world.h>). */
typedef struct ScreeWorld ScreeWorld;

#ifdef __cplusplus
}
#endif

#endif
