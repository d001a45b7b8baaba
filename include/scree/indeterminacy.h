/* How far the forces and the motion of a packing are undetermined.
 *
 * Between rigid grains with friction the laws of contact leave forces undetermined: there are more
 * of them than equations of motion. Given one network of forces, all others r that go with the same
 * motion make a convex set:
 *     the sum of forces and torques on every grain is the same,    H r = H r_now;
 *     a contact that holds has |r_t| <= mu r_n;
 *     one that slides has r_t = mu r_n in the same direction;
 *     an open one has none.
 * docs/indeterminacy.md tells more. Contacts with cohesion, rolling or torsion friction have no
 * place in it; springs of contacts are taken as rigid. */
#ifndef SCREE_INDETERMINACY_H
#define SCREE_INDETERMINACY_H

#include <scree/measures.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a sample does not tell of a wall. */
typedef struct ScreeSampleWall {
    ScreeMaterialId material; /* SCREE_NO_MATERIAL: as the body that touches it */
    double mass;        /* [mass] of a piston; NaN: not known, then motions cannot be sought */
    ScreeVec3 piston;   /* unit, the direction along which it is free; zero: it is no piston */
    ScreeVec3 pivot;    /* [length] */
    ScreeVec3 velocity; /* [length/time] of the pivot */
    ScreeVec3 spin;     /* [1/time] */
} ScreeSampleWall;

/* What a sample does not tell of what holds the bodies. */
typedef struct ScreeSurroundings {
    double time_step;       /* [time] of the step that the forces are from; 0: not known */
    const uint32_t *frozen; /* [bodies] SCREE_FREEZE_... bits; NULL: none */
    size_t walls;
    const ScreeSampleWall *wall; /* [walls] */
    const ScreeWallId *holder;   /* [bodies] the wall that holds each; NULL: none does */
} ScreeSurroundings;

/* Those of a world, valid until it changes. `wall` is an array of the caller's, for as many as
 * scree_world_get_wall_count(world). */
SCREE_API void scree_world_take_surroundings(const ScreeWorld *world, ScreeSampleWall *wall,
                                             ScreeSurroundings *surroundings);

typedef struct ScreeIndeterminacyDef {
    bool extremes;    /* the least and the most of each normal force; true */
    size_t samples;   /* networks from random starts; 50 */
    double amplitude; /* [1] mean of the random normal forces over that of the present ones; 1 */
    double tolerance; /* [1] of the sampled networks: residual, relative; 1e-8 */
    double still;     /* [1] less motion in a step than so many radii counts as none: a contact then
                         does not slide, and one that carries nothing but has no larger gap either
                         may carry something; 1e-5 */
    uint64_t seed;    /* of the random starts; 1 */
    uint32_t cookie;  /* set by scree_indeterminacy_def_default; leave it alone */
} ScreeIndeterminacyDef;

SCREE_API ScreeIndeterminacyDef scree_indeterminacy_def_default(void);

/* The normal force of one contact over all networks. */
typedef struct ScreeForceRange {
    int32_t state; /* ScreeContactState: open, holds, slides */
    int32_t loose; /* 1: some part of its force can change with the forces elsewhere, as far as the
                      balance goes; 0: balance alone determines it */
    double now;    /* [force] */
    double least;  /* [force] NaN: not asked for */
    double most;   /* [force] infinite: without bound */
    double spread; /* [1] (most - least) / (most + least): 0 determined, 1 at most */
    double mean;   /* [force] over the sampled networks; NaN: none */
    double deviation; /* [force] standard deviation */
} ScreeForceRange;

/* Every number of the whole once: X(type, name, dimension, meaning). */
#define SCREE_INDETERMINACY_MAP(X)                                                                 \
    X(int64_t, contacts, "1", "contacts that carry or can carry a force")                          \
    X(int64_t, sliding, "1", "of these slide")                                                     \
    X(int64_t, unknowns, "1", "components of their forces; a sliding contact has one")             \
    X(int64_t, equations, "1", "balances of the bodies and pistons that they touch")               \
    X(int64_t, rank, "1", "independent ones of these")                                             \
    X(int64_t, hyperstaticity, "1", "unknowns less rank: dimension of the set without the cones")  \
    X(double, loose, "1", "share of contacts that balance alone leaves undetermined")              \
    X(double, undetermined, "1", "share of contacts whose normal force has a range")               \
    X(double, unbounded, "1", "share of contacts whose normal force has no upper bound")           \
    X(double, spread, "1", "mean over contacts of (most - least) / (most + least)")                \
    X(double, deviation, "1", "root mean square deviation of samples over the mean force")         \
    X(double, force, "force", "mean of the normal forces now")                                     \
    X(int64_t, samples, "1", "networks that were sampled")                                         \
    X(int64_t, failed, "1", "random starts that led to none")                                      \
    X(int64_t, unsure, "1", "extremes that were found less exactly than to 1e-6 of the force")     \
    X(double, error_balance, "1", "largest error of balance of an extreme network, over force")

typedef struct ScreeIndeterminacy {
#define X(type, name, dimension, meaning) type name;
    SCREE_INDETERMINACY_MAP(X)
#undef X
} ScreeIndeterminacy;

/* Fills range [sample->contacts] and the whole. `network` gets the sampled normal forces, a row of
 * sample->contacts for each of def->samples, NaN where a start led to none; NULL: not wanted. */
SCREE_API ScreeStatus scree_sample_measure_indeterminacy(const ScreeSample *sample,
                                                         const ScreeSurroundings *surroundings,
                                                         const ScreeIndeterminacyDef *def,
                                                         ScreeForceRange *range,
                                                         ScreeIndeterminacy *whole, double *network,
                                                         char *message);

/* The velocity of a body over all motions in which the same contacts hold, slide and stay open, and
 * over those with other contact states that random starts have led to. */
typedef struct ScreeMotionRange {
    ScreeVec3 velocity_least, velocity_most; /* [length/time] infinite: without bound */
    ScreeVec3 spin_least, spin_most;         /* [1/time] */
} ScreeMotionRange;

/* Every number of the whole once, as above. */
#define SCREE_MOTIONS_MAP(X)                                                                       \
    X(int64_t, motion_loose, "1", "velocities that the same contact states leave undetermined")    \
    X(double, motion_range, "acceleration", "largest range of a velocity, over the time step")     \
    X(int64_t, motion_other, "1", "random starts that led to a motion with other contact states")  \
    X(int64_t, motion_failed, "1", "random starts that led to no motion")                          \
    X(int64_t, motion_unsure, "1", "extremes of velocities that were found less exactly")

typedef struct ScreeMotions {
#define X(type, name, dimension, meaning) type name;
    SCREE_MOTIONS_MAP(X)
#undef X
} ScreeMotions;

/* How far the motion of the step is undetermined that the sample is from: fills range
 * [sample->bodies] and the whole. Rotations count with the radius of their body, r omega. Without
 * `extremes` ranges are NaN where the same contact states leave velocities undetermined. The time
 * step and the masses of pistons must be known, and the step implicit (theta = 1). */
SCREE_API ScreeStatus scree_sample_measure_motions(const ScreeSample *sample,
                                                   const ScreeSurroundings *surroundings,
                                                   const ScreeIndeterminacyDef *def,
                                                   ScreeMotionRange *range, ScreeMotions *whole,
                                                   char *message);

#ifdef __cplusplus
}
#endif
#endif
