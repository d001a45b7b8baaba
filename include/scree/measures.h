/* Numbers that describe a packing at one moment; docs/measures.md has the formulas. They are taken
 * from plain arrays, so that one implementation serves live worlds and frames of run files.
 *
 * Stress is positive in compression. What is not defined, such as the coordination of no bodies, is
 * NaN. d is the dimension. */
#ifndef SCREE_MEASURES_H
#define SCREE_MEASURES_H

#include <scree/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A contact with its forces and the point where they act, as run files have it. */
typedef struct ScreeContactForce {
    ScreeBodyId a; /* this and the next three as in ScreeContact */
    ScreePartner b;
    int32_t feature;
    int32_t state;              /* ScreeContactState */
    ScreeVec3 point;            /* [length] */
    ScreeVec3 normal;           /* unit, from a to b */
    double gap;                 /* [length] */
    double force_normal;        /* [force] */
    ScreeVec3 force_tangential; /* [force] on b */
    ScreeVec3 torque;           /* [force length] on b */
    double opening;             /* [length] */
} ScreeContactForce;

/* A round room that walls enclose: a disk in the plane, a cylinder in space. Volumes of regions are those
 * of their parts in it. */
typedef struct ScreeRoom {
    ScreeVec3 point, axis; /* [length] its centre or a point of its axis; the axis, of length 1 */
    double radius;         /* [length] 0: there is no such room */
    double low, high; /* [length] its ends along the axis, from `point`; infinite: it has none */
} ScreeRoom;

/* What is measured. */
typedef struct ScreeSample {
    int dimension;
    bool periodic[3];
    ScreeVec3 cell_min, cell_max;
    ScreeVec3 edge[3]; /* of an oblique cell, from cell_min; all zero: the cell is a box */
    double rate[9]; /* [1/time] of a cell that deforms, row by row; velocities are relative to it */
    ScreeVec3 gravity; /* tells which way is up; zero: along y, in three dimensions z */
    size_t bodies, contacts, shapes, materials;
    const ScreeVec3 *position; /* [bodies], like all down to shape */
    const ScreeQuat *orientation;
    const ScreeVec3 *velocity;
    const ScreeVec3 *spin;
    const double *radius;
    const double *mass;
    const double *inertia;
    const ScreeMaterialId *material;
    const ScreeShapeId *shape; /* [bodies], or NULL: all are round */
    const ScreeWallId *holder; /* [bodies] the wall that holds it, a part of which it then is, and
                                         no body; or SCREE_NO_WALL. NULL: no wall holds any */
    const ScreeShape *form;    /* [shapes] */
    const ScreeLaw *law;       /* [materials^2], or NULL: not known */
    const ScreeContactForce *contact; /* [contacts] */
    ScreeRoom room;                   /* scree_sample_find_room finds it */
} ScreeSample;

/* The world as it stands, valid until it changes. `contact` and `form` are arrays of the caller's,
 * for as many as scree_world_get_contacts(world).count, whose status must be SCREE_OK, and
 * scree_world_get_shape_count(world). */
SCREE_API void scree_world_take_sample(const ScreeWorld *world, ScreeContactForce *contact,
                                       ScreeShape *form, ScreeSample *sample);

/* Sets the room of a sample that has its bodies: the smallest cylinder seen from inside that all their
 * centres are in, and planes and discs across its axis as its ends. Of each wall its shape, its
 * geometry, and whether it is present count. */
SCREE_API void scree_sample_find_room(ScreeSample *sample, const ScreeWallState *wall,
                                      size_t walls);

/* The box around a room, infinite where it has no end, and the volume (area in two dimensions) that it
 * shares with a box. */
SCREE_API void scree_room_get_box(const ScreeRoom *room, int dimension, ScreeVec3 *min,
                                  ScreeVec3 *max);
SCREE_API double scree_room_get_volume(const ScreeRoom *room, int dimension, ScreeVec3 min,
                                       ScreeVec3 max);

/* Where and how to measure. */
typedef struct ScreeMeasureDef {
    ScreeVec3 min, max;     /* [length] the region, a box; infinite (default): without bound. Its
                               volume is then that of the periodic cell, or of a box that holds all
                               bodies; in a round room that of its part there, without bounds all
                               of the room */
    int32_t least_contacts; /* a body with fewer partners is a rattler; 2 */
    uint32_t cookie;        /* set by scree_measure_def_default; leave it alone */
} ScreeMeasureDef;

SCREE_API ScreeMeasureDef scree_measure_def_default(void);

/* Measures that are taken again and again while a world is stepped: at the steps whose number `every`
 * divides, the start among them. Scenes have such series (scree_scene_get_series), and recordings write
 * them (record.h). */
typedef struct ScreeSeriesDef {
    const char *name;
    int64_t every; /* steps; 1 or more */
    ScreeMeasureDef def;
} ScreeSeriesDef;

/* Every measure that is a number once: X(type, name, dimension, meaning). */
#define SCREE_MEASURE_MAP(X)                                                                       \
    X(int64_t, bodies, "1", "bodies with their centre in the region")                              \
    X(int64_t, points, "1", "contact points in the region that carry a force, walls included")     \
    X(double, volume, "length^d", "of the region")                                                 \
    X(double, solid_fraction, "1", "volume of bodies in the region over its volume")               \
    X(double, porosity, "1", "the rest of it")                                                     \
    X(double, coordination, "1", "mean number of partners of a body, walls included")              \
    X(double, coordination_backbone, "1", "the same without rattlers")                             \
    X(double, rattlers, "1", "share of bodies that are rattlers")                                  \
    X(double, force_mean, "force", "normal force, averaged over the points")                       \
    X(double, force_max, "force", "the largest normal force")                                      \
    X(double, sliding, "1", "share of points that slide")                                          \
    X(double, mobilisation, "1", "mean of |T| / (friction N) between bodies")                      \
    X(double, stress_xx, "force/length^(d-1)", "mean stress of the contacts")                      \
    X(double, stress_xy, "force/length^(d-1)", "direction of the force, then of the face")         \
    X(double, stress_xz, "force/length^(d-1)", "")                                                 \
    X(double, stress_yx, "force/length^(d-1)", "")                                                 \
    X(double, stress_yy, "force/length^(d-1)", "")                                                 \
    X(double, stress_yz, "force/length^(d-1)", "")                                                 \
    X(double, stress_zx, "force/length^(d-1)", "")                                                 \
    X(double, stress_zy, "force/length^(d-1)", "")                                                 \
    X(double, stress_zz, "force/length^(d-1)", "")                                                 \
    X(double, kinetic_xx, "force/length^(d-1)", "stress by motion about the mean velocity")        \
    X(double, kinetic_xy, "force/length^(d-1)", "")                                                \
    X(double, kinetic_xz, "force/length^(d-1)", "")                                                \
    X(double, kinetic_yy, "force/length^(d-1)", "")                                                \
    X(double, kinetic_yz, "force/length^(d-1)", "")                                                \
    X(double, kinetic_zz, "force/length^(d-1)", "")                                                \
    X(double, pressure, "force/length^(d-1)", "mean principal stress, of both together")           \
    X(double, deviator, "force/length^(d-1)",                                                      \
      "2D: half the difference of principal stresses; "                                            \
      "3D: that of von Mises")                                                                     \
    X(double, principal_x, "1", "direction of the largest principal stress")                       \
    X(double, principal_y, "1", "")                                                                \
    X(double, principal_z, "1", "")                                                                \
    X(double, fabric_xx, "1", "mean of n n over points between bodies")                            \
    X(double, fabric_xy, "1", "")                                                                  \
    X(double, fabric_xz, "1", "")                                                                  \
    X(double, fabric_yy, "1", "")                                                                  \
    X(double, fabric_yz, "1", "")                                                                  \
    X(double, fabric_zz, "1", "")                                                                  \
    X(double, anisotropy, "1", "of the fabric: a of 1 + a cos 2 angle; 3D: 1 + a (3 cos^2 - 1)/2") \
    X(double, fabric_x, "1", "direction that most contacts have")                                  \
    X(double, fabric_y, "1", "")                                                                   \
    X(double, fabric_z, "1", "")                                                                   \
    X(double, strong, "1", "share of points with more than the mean normal force")                 \
    X(double, strong_pressure, "1", "what they carry of the contacts' pressure")                   \
    X(double, strong_deviator, "1", "what they carry of the contacts' deviatoric stress")          \
    X(double, velocity_x, "length/time", "mean velocity, weighted by mass in the region")          \
    X(double, velocity_y, "length/time", "")                                                       \
    X(double, velocity_z, "length/time", "")                                                       \
    X(double, temperature, "length^2/time^2", "mean square velocity about it, per direction")      \
    X(double, energy_translation, "energy", "kinetic energy of the mass in the region")            \
    X(double, energy_rotation, "energy", "the same of its rotation")

typedef struct ScreeMeasures {
#define X(type, name, dimension, meaning) type name;
    SCREE_MEASURE_MAP(X)
#undef X
} ScreeMeasures;

/* `message` (SCREE_MESSAGE_SIZE bytes, or NULL) tells what is wrong, here and below. */
SCREE_API ScreeStatus scree_sample_measure(const ScreeSample *sample, const ScreeMeasureDef *def,
                                           ScreeMeasures *measures, char *message);

/* Partners of bodies by material: mean[i (materials + 1) + j] is the mean number of partners of
 * material j that a body of material i in the region has; j = materials: walls. */
SCREE_API ScreeStatus scree_sample_measure_partners(const ScreeSample *sample,
                                                    const ScreeMeasureDef *def, double *mean,
                                                    char *message);

typedef enum ScreeDistribution {
    SCREE_DISTRIBUTION_NORMAL,     /* probability density of the normal force over its mean */
    SCREE_DISTRIBUTION_TANGENTIAL, /* the same of the tangential force */
    SCREE_DISTRIBUTION_MOBILISED,  /* probability density of |T| / (friction N) between bodies */
    SCREE_DISTRIBUTION_DIRECTION,  /* of contacts between bodies, 1: isotropic; 2D by angle to x, 0
                                      to 180 degrees; 3D by angle to the horizontal */
    SCREE_DISTRIBUTION_PARTNERS,   /* share of bodies with so many partners; bin k is for k */
    SCREE_DISTRIBUTION_PAIRS,      /* pair correlation by distance of centres, 1: an ideal gas */
    SCREE_DISTRIBUTION_COUNT
} ScreeDistribution;

typedef struct ScreeBin {
    double low, high; /* of its interval */
    double count;     /* what fell into it */
    double density;   /* see the kinds */
} ScreeBin;

/* Fills `bins` bins up to `most`; 0 chooses it: the largest value that occurs, for pairs five mean
 * diameters. What is beyond is left out, and the densities know it. */
SCREE_API ScreeStatus scree_sample_measure_distribution(const ScreeSample *sample,
                                                        const ScreeMeasureDef *def,
                                                        ScreeDistribution kind, double most,
                                                        ScreeBin *bin, size_t bins, char *message);

/* Coarse graining on a grid. The kernel is the product of cubic B-splines along the axes, of half
 * width 2 `width`, averaged over each cell: masses and momenta of the cells add up to those of the
 * bodies, but for what lies outside of the grid. */
typedef struct ScreeGridDef {
    ScreeVec3 min, max; /* [length] infinite (default): the periodic cell, or so far that nothing is
                           lost */
    int32_t cells[3];   /* along x, y, z; the last is 1 in two dimensions; 1, 1, 1 */
    double width;       /* [length]; 0 (default) takes the mean radius */
    uint32_t cookie;    /* set by scree_grid_def_default; leave it alone */
} ScreeGridDef;

SCREE_API ScreeGridDef scree_grid_def_default(void);

typedef struct ScreeCell {
    ScreeVec3 centre;         /* [length] */
    double volume;            /* [length^d] */
    double density;           /* [mass/length^d] */
    double solid_fraction;    /* [1] */
    ScreeVec3 momentum;       /* [mass/(length^(d-1) time)] density of momentum */
    ScreeVec3 velocity;       /* [length/time] momentum over density */
    double temperature;       /* [length^2/time^2] */
    double stress[9];         /* [force/length^(d-1)] of contacts, row by row as above */
    double kinetic_stress[9]; /* [force/length^(d-1)] */
} ScreeCell;

/* Fills cells[0] cells[1] cells[2] cells, x fastest. */
SCREE_API ScreeStatus scree_sample_measure_grid(const ScreeSample *sample, const ScreeGridDef *def,
                                                ScreeCell *cell, char *message);

/* Profiles: averages over slabs across an axis, or over shells about one, and over time, with errors. Volumes
 * of bodies and branches of contacts are cut exactly where bins end. */
typedef enum ScreeProfileAxis {
    SCREE_PROFILE_X, /* slabs; of an oblique cell, parallel to its faces */
    SCREE_PROFILE_Y,
    SCREE_PROFILE_Z,
    SCREE_PROFILE_R, /* shells about an axis, in the plane about a point; for round bodies */
    SCREE_PROFILE_AXIS_COUNT
} ScreeProfileAxis;

typedef struct ScreeProfileDef {
    ScreeVec3 min,
        max; /* [length] the region, as in ScreeMeasureDef; along the axis, where bins begin and end.
                            About an axis only bounds along it count */
    int32_t axis;        /* ScreeProfileAxis; y (default: SCREE_PROFILE_Y) */
    int32_t bins;        /* 0 (default): one for each mean diameter */
    int32_t blocks;      /* of consecutive samples, from which errors follow; 10 */
    ScreeVec3 centre;    /* [length] a point of the axis of shells; 0 */
    ScreeVec3 direction; /* of that axis; along z */
    double most; /* [length] the radius of the last shell; 0 (default): as far as bodies reach */
    uint32_t cookie; /* set by scree_profile_def_default; leave it alone */
} ScreeProfileDef;

SCREE_API ScreeProfileDef scree_profile_def_default(void);

/* Every number of a bin once: X(type, name, dimension, meaning). In shells x, y and z stand for the directions
 * outwards, around and along the axis. */
#define SCREE_PROFILE_MAP(X)                                                                       \
    X(double, bodies, "1", "mean number of bodies, each by its part in the bin")                   \
    X(double, solid_fraction, "1", "volume of bodies in the bin over its volume")                  \
    X(double, velocity_x, "length/time", "mean velocity, weighted by mass in the bin")             \
    X(double, velocity_y, "length/time", "")                                                       \
    X(double, velocity_z, "length/time", "")                                                       \
    X(double, temperature, "length^2/time^2",                                                      \
      "mean square velocity about the mean flow, per direction")                                   \
    X(double, stress_xx, "force/length^(d-1)", "mean stress of the contacts")                      \
    X(double, stress_xy, "force/length^(d-1)", "direction of the force, then of the face")         \
    X(double, stress_xz, "force/length^(d-1)", "")                                                 \
    X(double, stress_yx, "force/length^(d-1)", "")                                                 \
    X(double, stress_yy, "force/length^(d-1)", "")                                                 \
    X(double, stress_yz, "force/length^(d-1)", "")                                                 \
    X(double, stress_zx, "force/length^(d-1)", "")                                                 \
    X(double, stress_zy, "force/length^(d-1)", "")                                                 \
    X(double, stress_zz, "force/length^(d-1)", "")                                                 \
    X(double, kinetic_xx, "force/length^(d-1)", "stress by motion about the mean flow")            \
    X(double, kinetic_xy, "force/length^(d-1)", "")                                                \
    X(double, kinetic_xz, "force/length^(d-1)", "")                                                \
    X(double, kinetic_yy, "force/length^(d-1)", "")                                                \
    X(double, kinetic_yz, "force/length^(d-1)", "")                                                \
    X(double, kinetic_zz, "force/length^(d-1)", "")                                                \
    X(double, pressure, "force/length^(d-1)", "mean principal stress, of both together")           \
    X(double, mu, "1", "shear stress over pressure, sqrt(s:s / 2) / p: that of simple shear")      \
    X(double, shear_rate, "1/time", "sqrt(2 D:D) of the mean flow")                                \
    X(double, inertial_number, "1",                                                                \
      "shear rate times mean diameter times sqrt(density of grains / p)")

typedef struct ScreeProfileNumbers {
#define X(type, name, dimension, meaning) type name;
    SCREE_PROFILE_MAP(X)
#undef X
} ScreeProfileNumbers;

typedef struct ScreeProfileBin {
    double low,
        high; /* [length] along the axis, averaged over the samples where the cell deforms */
    ScreeProfileNumbers mean;
    ScreeProfileNumbers error; /* standard errors; NaN with less than two blocks */
} ScreeProfileBin;

typedef struct ScreeProfile ScreeProfile;

/* NULL when out of memory, or when the definition makes no sense; `message` tells. */
SCREE_API ScreeProfile *scree_profile_new(const ScreeProfileDef *def, char *message);
SCREE_API void scree_profile_free(ScreeProfile *profile); /* NULL is fine */

/* Makes the bins reach so far that they hold the bodies of a sample, along directions that neither the region
 * nor a cell bounds. For all samples, before the first is added; else the first one decides. */
SCREE_API ScreeStatus scree_profile_cover(ScreeProfile *profile, const ScreeSample *sample,
                                          char *message);

/* Adds a sample to the averages, each with the same weight. */
SCREE_API ScreeStatus scree_profile_add(ScreeProfile *profile, const ScreeSample *sample,
                                        char *message);

SCREE_API size_t scree_profile_get_bin_count(const ScreeProfile *profile); /* 0 before the first */
SCREE_API size_t scree_profile_get_block_count(const ScreeProfile *profile);

/* Fills scree_profile_get_bin_count bins. */
SCREE_API void scree_profile_get_bins(const ScreeProfile *profile, ScreeProfileBin *bin);

/* Coordination in flow. The number of contacts that carry a force in a step grows with the step, since a step passes
 * on whatever acts within it. What a pair passes on in a longer window of time does not depend on the step. */
typedef struct ScreeCarrying {
    int64_t windows; /* that are complete */
    double window;   /* [time] as asked for */
    double
        coordination; /* mean number of partners at a moment, walls included: depends on the step */
    double
        coordination_error; /* standard errors from up to ten blocks of windows, here and below */
    double partners;        /* mean number of different partners in a window */
    double partners_error;
    double
        carriers; /* mean number of partners that carry the load of a window: (sum J)^2 / (sum J^2) per body, of
                        the impulses J that pairs pass on in it */
    double carriers_error;
} ScreeCarrying;

typedef struct ScreeCarriers ScreeCarriers;

/* For windows of a length [time], in the region of `def`. NULL when out of memory, or when these make no sense. */
SCREE_API ScreeCarriers *scree_carriers_new(const ScreeMeasureDef *def, double window,
                                            char *message);
SCREE_API void scree_carriers_free(ScreeCarriers *carriers); /* NULL is fine */

/* Samples one after the other, of the same bodies, best at every step: the forces of each are taken to have acted since
 * the one before. The first only begins the first window. */
SCREE_API ScreeStatus scree_carriers_add(ScreeCarriers *carriers, const ScreeSample *sample,
                                         double time, char *message);

/* Means over the windows that are complete. */
SCREE_API ScreeCarrying scree_carriers_get(const ScreeCarriers *carriers);

/* The free surface: the highest point of bodies in columns along gravity. */
typedef struct ScreeSurface {
    int64_t columns;    /* that hold the centre of a body */
    double lowest;      /* [length] heights of columns, against gravity */
    double highest;     /* [length] */
    double slope;       /* [degree] of the best plane (line), against the horizontal */
    ScreeVec3 uphill;   /* horizontal unit vector */
    double slope_error; /* [length] root mean square of heights about it */
    double
        repose; /* [degree] how steeply a heap falls outwards from its axis, on its flank: without
                           its top and its foot */
    double
        repose_error; /* [degree] standard error of that, from the scatter over the flank: with six
                            layers of grains about a degree, in the plane about four */
} ScreeSurface;

/* `column`: their width; 0 takes two mean diameters. */
SCREE_API ScreeStatus scree_sample_measure_surface(const ScreeSample *sample,
                                                   const ScreeMeasureDef *def, double column,
                                                   ScreeSurface *surface, char *message);

/* Anisotropies of the network of contacts between bodies, along the deviatoric stress that it carries
 * (negative: across it), by amplitude as that of the fabric above. */
#define SCREE_ANISOTROPY_MAP(X)                                                                    \
    X(int64_t, points, "1", "contact points between bodies in the region that carry a force")      \
    X(int64_t, pairs, "1", "pairs of bodies that they join")                                       \
    X(double, stress_ratio, "1", "deviator over pressure, of these contacts alone")                \
    X(double, a_c, "1", "of contact normals; this and the next three make up the stress ratio")    \
    X(double, a_n, "1", "of normal forces")                                                        \
    X(double, a_t, "1", "of tangential forces")                                                    \
    X(double, a_l, "1", "of branch vectors: their lengths, and angles to the normals")             \
    X(double, a_pairs, "1", "as a_c, but each pair counts once")                                   \
    X(double, a_branches, "1", "of the directions of branch vectors, each pair once")              \
    X(double, a_c_strong, "1", "a_c of points with more than the mean normal force")               \
    X(double, a_c_weak, "1", "a_c of the others")                                                  \
    X(double, ratio_strong, "1", "what the strong points contribute to the stress ratio")          \
    X(double, ratio_weak, "1", "what the others contribute")

typedef struct ScreeAnisotropy {
#define X(type, name, dimension, meaning) type name;
    SCREE_ANISOTROPY_MAP(X)
#undef X
} ScreeAnisotropy;

SCREE_API ScreeStatus scree_sample_measure_anisotropy(const ScreeSample *sample,
                                                      const ScreeMeasureDef *def,
                                                      ScreeAnisotropy *anisotropy, char *message);

/* Mass through the plane at `point` across `normal`, of bodies with their centre in the region. */
typedef struct ScreeFlow {
    double rate;   /* [mass/time] exactly, at this moment; positive along the normal */
    double beyond; /* [mass] on the side that the normal points to */
} ScreeFlow;

SCREE_API ScreeStatus scree_sample_measure_flow(const ScreeSample *sample,
                                                const ScreeMeasureDef *def, ScreeVec3 point,
                                                ScreeVec3 normal, ScreeFlow *flow, char *message);

/* The energy budget by cause: sums over steps. */
#define SCREE_ENERGY_MAP(X)                                                                        \
    X(double, work_external, "energy", "done by gravity and external forces")                      \
    X(double, work_walls, "energy", "done by moved walls and moving frozen bodies")                \
    X(double, dissipation_normal, "energy", "lost by impact and compression")                      \
    X(double, dissipation_friction, "energy", "lost by sliding")                                   \
    X(double, dissipation_rolling, "energy", "lost by rolling friction")                           \
    X(double, dissipation_torsion, "energy", "lost by torsion friction")                           \
    X(double, dissipation_cohesion, "energy", "lost by the opening of cohesive contacts")          \
    X(double, dissipation_scheme, "energy", "lost to the first-order time stepping")               \
    X(double, energy_error, "energy", "what the balance leaves over: rounding")                    \
    X(double, gained, "energy", "by bodies, pistons and springs: work less losses, and error")     \
    X(double, carried, "energy",                                                                   \
      "what bodies had at the start, and brought or took as they came or left between steps")      \
    X(double, kinetic_energy, "energy", "after the last step")                                     \
    X(double, energy_elastic, "energy", "after the last step")

typedef struct ScreeEnergy {
#define X(type, name, dimension, meaning) type name;
    SCREE_ENERGY_MAP(X)
#undef X
} ScreeEnergy;

/* Adds a step to a budget that was begun with zeros. Between steps nothing but bodies that come and go,
 * and whoever changes the world, changes its energy; so `carried` is the energy with which a step
 * began less that with which the one before it ended, and gained + carried is what there is. */
SCREE_API void scree_energy_add(ScreeEnergy *energy, const ScreeReport *report);

#ifdef __cplusplus
}
#endif

#endif
