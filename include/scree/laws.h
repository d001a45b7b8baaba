/* Materials: the laws of their contacts, liquid bridges, and growth. */
#ifndef SCREE_LAWS_H
#define SCREE_LAWS_H

#include <scree/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Every number of a law once: X(name, dimension, default, meaning). N is the normal force, r* =
 * 1 / (1/r_a + 1/r_b) the reduced radius of the pair (BUW 1.42). */
#define SCREE_LAW_MAP(X)                                                                           \
    X(friction, "1", 0, "Coulomb coefficient: |T| <= friction N")                                  \
    X(friction_static, "1", 0,                                                                     \
      "coefficient while a contact does not slide, at least friction; 0: the same")                \
    X(rolling, "1", 0, "rolling friction: torque <= rolling r* N")                                 \
    X(rolling_length, "length", 0, "the same as a length: torque <= rolling_length N")             \
    X(rolling_hertz, "length/(force length)^(1/3), 2D: ^(1/2)", 0,                                 \
      "the same by Hertz: torque <= rolling_hertz (r* N)^(1/3) N, 2D: ^(1/2)")                     \
    X(torsion, "1", 0, "torsion friction: torque about the normal <= torsion r* N")                \
    X(torsion_length, "length", 0, "the same as a length")                                         \
    X(cohesion, "force", 0, "largest tension of a contact; friction then acts with N + cohesion")  \
    X(cohesion_stress, "force/length^2", 0,                                                        \
      "the same per area, where faces of solids lie on each other; it adds to cohesion")           \
    X(cohesion_range, "length", 0, "opening at which the contact breaks: energy over force")       \
    X(bridge_volume, "length^3", 0,                                                                \
      "of the liquid bridge between two grains that have touched; 0: dry")                         \
    X(bridge_tension, "force/length", 0, "surface tension of the liquid of bridges")               \
    X(bridge_angle, "degree", 0, "its contact angle, below 90")                                    \
    X(restitution, "1", 0, "normal velocity after an impact over that before")                     \
    X(restitution_tangential, "1", 0, "the same of the tangential velocity, unless it slides")     \
    X(restitution_threshold, "length/time", 0, "slower impacts have no restitution")               \
    X(stiffness, "force/length", INFINITY, "normal spring; infinite: rigid")                       \
    X(stiffness_tangential, "force/length", INFINITY,                                              \
      "tangential spring; infinite: rigid (soft engine: 2/7 of the normal one)")                   \
    X(modulus, "force/length^2", 0,                                                                \
      "soft engine: N = 4/3 modulus sqrt(r*) overlap^(3/2) (Hertz); 0: linear spring")             \
    X(damping, "mass/time", 0, "soft engine: normal dashpot; 0: from restitution")                 \
    X(damping_tangential, "mass/time", 0, "soft engine: tangential dashpot")

/* What happens where two materials touch. */
typedef struct ScreeLaw {
#define X(name, dimension, preset, meaning) double name;
    SCREE_LAW_MAP(X)
#undef X
} ScreeLaw;

/* Rigid, without friction, inelastic. */
SCREE_API ScreeLaw scree_law_default(void);

/* A liquid bridge between two round surfaces (docs/bridges.md). */
typedef struct ScreeBridge {
    double force;  /* with which it pulls at the gap given; 0 from the rupture on */
    double energy; /* the work that has drawn it out from no gap to this one */
    double reach;  /* [length] the gap at which it breaks; 0: the law has no bridges */
} ScreeBridge;

/* The one between surfaces with the radii a and b; b is INFINITY for a plane, negative in a hollow. */
SCREE_API ScreeBridge scree_law_get_bridge(const ScreeLaw *law, double radius_a, double radius_b,
                                           double gap);

typedef struct ScreeMaterialDef {
    double density;  /* [mass/length^3], in two dimensions [mass/length^2]; 1 */
    ScreeLaw law;    /* of the material with itself; the default law */
    uint32_t cookie; /* set by scree_material_def_default; leave it alone */
} ScreeMaterialDef;

SCREE_API ScreeMaterialDef scree_material_def_default(void);

/* `id` (or NULL) receives the new material's; likewise with shapes and walls. */
SCREE_API ScreeStatus scree_world_add_material(ScreeWorld *world, const ScreeMaterialDef *def,
                                               ScreeMaterialId *id);

/* The law of a pair. By default each number is the smaller of the two materials' own; springs act
 * one behind the other, so stiffness and modulus are the harmonic mean; and of the contact angles of
 * a liquid the larger one counts, which holds less. */
SCREE_API ScreeStatus scree_law_set(ScreeWorld *world, ScreeMaterialId a, ScreeMaterialId b,
                                    const ScreeLaw *law);
SCREE_API ScreeStatus scree_law_get(const ScreeWorld *world, ScreeMaterialId a, ScreeMaterialId b,
                                    ScreeLaw *law);

/* What a round body keeps while it grows: the density of its matter, of which more comes with the
 * velocity of the body, so that velocity and spin stay as they are; or its mass, and then also its
 * angular momentum, so that it turns more slowly the larger it becomes. */
typedef enum ScreeGrowthKeeps {
    SCREE_GROWTH_KEEPS_DENSITY,
    SCREE_GROWTH_KEEPS_MASS,
    SCREE_GROWTH_KEEPS_COUNT
} ScreeGrowthKeeps;

/* How the round bodies of a material grow or shrink (docs/growth.md): a step multiplies their radii
 * by 1 + rate dt, evenly in time. */
typedef struct ScreeGrowth {
    double rate;            /* [1/time] at most 0.1 / dt, of either sign; 0: they stay */
    ScreeGrowthKeeps keeps; /* density */
} ScreeGrowth;

SCREE_API ScreeGrowth scree_growth_default(void);

/* From the next step on. Only contact dynamics lets bodies grow, and no law with restitution; what is
 * to grow is round. */
SCREE_API ScreeStatus scree_material_set_growth(ScreeWorld *world, ScreeMaterialId material,
                                                const ScreeGrowth *growth);
SCREE_API ScreeStatus scree_material_get_growth(const ScreeWorld *world, ScreeMaterialId material,
                                                ScreeGrowth *growth);

#ifdef __cplusplus
}
#endif

#endif
