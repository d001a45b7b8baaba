/* The content of a scene as plain structs: filled from the schema's tables, checked, then built. */
#ifndef SCREE_SCENE_MODEL_H
#define SCREE_SCENE_MODEL_H

#include "scene/model_world.h"

/* ---------------------------------------------------------------- shapes */

typedef struct ScenePolygonSpec {
    SceneHead head;
    ScenePoints vertices;
    double rounding;
} ScenePolygonSpec;

typedef struct SceneRegularSpec {
    SceneHead head;
    int64_t corners; /* in the plane */
    int64_t faces;   /* in space */
    double radius, rounding;
} SceneRegularSpec;

typedef struct SceneRectangleSpec {
    SceneHead head;
    ScreeVec3 size;
    double rounding;
} SceneRectangleSpec;

typedef struct SceneRodSpec {
    SceneHead head;
    double length, radius;
} SceneRodSpec;

typedef struct SceneDiskSpec {
    SceneHead head;
    double radius;
} SceneDiskSpec;

/* One outline: exactly one of these is given. */
typedef struct SceneOutlineSpec {
    ScenePolygonSpec polygon;
    SceneRegularSpec regular;
    SceneRectangleSpec rectangle;
    SceneRodSpec rod;
    SceneDiskSpec disk; /* in compounds only */
} SceneOutlineSpec;

typedef struct SceneFaces {
    int32_t *corners; /* [count] how many corners each has */
    int32_t *corner;  /* [total] those corners, one face after the other */
    size_t count, total;
} SceneFaces;

typedef struct ScenePolyhedronSpec {
    SceneHead head;
    ScenePoints vertices;
    SceneFaces faces; /* none: their hull */
    double rounding;
} ScenePolyhedronSpec;

typedef struct SceneCuboidSpec {
    SceneHead head;
    ScreeVec3 size;
    double rounding;
} SceneCuboidSpec;

typedef struct ScenePrismSpec {
    SceneHead head;
    int64_t corners;
    double radius, height, rounding;
} ScenePrismSpec;

typedef struct ScenePlateSpec {
    SceneHead head;
    ScreeVec3 size;
} ScenePlateSpec;

typedef struct SceneEllipsoidSpec {
    SceneHead head;
    ScreeVec3 size;
    double exponents[2];
} SceneEllipsoidSpec;

typedef struct SceneConeSpec {
    SceneHead head;
    double radius, top, height, rounding; /* the second of cones only */
} SceneConeSpec;

typedef struct SceneMeshSpec {
    SceneHead head;
    const char *file;
    double scale, rounding, precision;
    bool hull;
} SceneMeshSpec;

typedef struct SceneNumbers {
    double *list;
    size_t count;
} SceneNumbers;

typedef struct SceneSurfaceSpec {
    SceneHead head;
    double degree[2];
    ScenePoints points;
    int64_t across;
    SceneNumbers weights, knots_u, knots_v;
    const char *file;
} SceneSurfaceSpec;

typedef struct SceneTorusSpec {
    SceneHead head;
    double radius, thickness;
} SceneTorusSpec;

/* One part of a solid in space: exactly one of these, or the rod or regular of an outline. */
typedef struct SceneSolidSpec {
    ScenePolyhedronSpec polyhedron;
    SceneCuboidSpec box;
    ScenePrismSpec prism;
    ScenePlateSpec plate;
    SceneEllipsoidSpec ellipsoid, superellipsoid;
    SceneConeSpec cylinder, cone;
    SceneMeshSpec mesh;
    SceneSurfaceSpec surface;
    SceneTorusSpec torus;
    SceneDiskSpec sphere; /* in compounds only */
} SceneSolidSpec;

typedef struct SceneCorners {
    int from, to; /* both included */
} SceneCorners;

typedef struct SceneRandomPolygonSpec {
    SceneHead head;
    SceneCorners corners;
    SceneSizes radius;
    double rounding, irregularity, elongation;
} SceneRandomPolygonSpec;

typedef struct SceneRockSpec {
    SceneHead head;
    SceneCorners faces;
    SceneSizes size;
    double rounding, elongation, flatness, angularity;
} SceneRockSpec;

typedef struct SceneShapePartSpec {
    SceneHead head;
    SceneOutlineSpec outline;
    SceneSolidSpec solid;
    ScreeVec3 center;
    double angle;
    ScreeQuat orientation;
} SceneShapePartSpec;

typedef struct SceneNurbsSpec {
    SceneHead head;
    int64_t degree;
    ScenePoints points;
    SceneNumbers weights, knots;
    const char *file;
} SceneNurbsSpec;

typedef struct SceneEllipseSpec {
    SceneHead head;
    ScreeVec3 size, half; /* one of them is given */
} SceneEllipseSpec;

typedef enum SceneLibrary { LIBRARY_NONCONVEX, LIBRARY_ANGULAR } SceneLibrary;

typedef struct SceneLibrarySpec {
    SceneHead head;
    int set; /* SceneLibrary */
    int64_t number;
    SceneSizes diameter;
} SceneLibrarySpec;

/* A solid as it is written, and as the library keeps it. */
typedef struct SceneSolid {
    ScreeSolidDef def;
    ScreeSolid kept;
} SceneSolid;

/* What a body looks like: an entry under `shapes`, or what an entry of `grains` describes
 * itself. */
typedef struct SceneShapeSpec {
    SceneHead head;
    SceneOutlineSpec outline;
    SceneRandomPolygonSpec random;
    SceneList compound; /* SceneShapePartSpec */
    SceneNurbsSpec nurbs;
    SceneEllipseSpec ellipse;
    SceneLibrarySpec library;
    SceneSolidSpec solid;
    SceneRockSpec rock;
    /* filled in by the check: the outline as written, unless it is random; for curves that of the
     * first one, with the largest radius of all; for a solid radius, centroid and volume */
    ScreeShapeDef def;
    ScreeShape measured;
    ScreeNurbs *curve; /* [curves], one or the whole library */
    size_t curves;
    SceneSolid *made; /* a solid, unless it is drawn at random; else NULL */
} SceneShapeSpec;

typedef enum SceneAngleKind { ANGLE_NONE, ANGLE_ONE, ANGLE_LIST, ANGLE_UNIFORM } SceneAngleKind;

typedef struct SceneAngle {
    SceneAngleKind kind;
    double from, to; /* [radian] */
    double *list;
    size_t count;
} SceneAngle;

typedef enum SceneOrientationKind {
    ORIENTATION_NONE,
    ORIENTATION_ONE,
    ORIENTATION_LIST,
    ORIENTATION_RANDOM
} SceneOrientationKind;

typedef struct SceneOrientation {
    SceneOrientationKind kind;
    ScreeQuat one;
    ScreeQuat *list;
    size_t count;
} SceneOrientation;

/* ---------------------------------------------------------------- walls, grains, events, measures */

typedef struct ScenePlaneSpec {
    SceneHead head;
    ScreeVec3 point, normal;
} ScenePlaneSpec;

typedef struct SceneSegmentSpec {
    SceneHead head;
    ScreeVec3 from, to;
} SceneSegmentSpec;

typedef struct SceneBoxSpec {
    SceneHead head;
    ScreeVec3 min, max;
} SceneBoxSpec;

typedef struct SceneBlockSpec {
    SceneHead head;
    ScreeVec3 min, max, center, half;
    ScreeQuat orientation;
} SceneBlockSpec;

typedef struct SceneCylinderSpec {
    SceneHead head;
    ScreeVec3 point, axis;
    double radius, length;
    int inside;
} SceneCylinderSpec;

typedef struct SceneConeWallSpec {
    SceneHead head;
    ScreeVec3 from, to;
    double radii[2];
} SceneConeWallSpec;

typedef struct SceneDiscSpec {
    SceneHead head;
    ScreeVec3 center, normal;
    double radius, hole;
} SceneDiscSpec;

typedef struct SceneHolesSpec {
    SceneHead head;
    double radius, count[2], spacing[2];
} SceneHolesSpec;

typedef struct SceneWallPlateSpec {
    SceneHead head;
    ScreeVec3 center;
    double size[2];
    ScreeQuat orientation;
    SceneHolesSpec holes;
} SceneWallPlateSpec;

typedef struct ScenePistonSpec {
    SceneHead head;
    double mass;
    SceneNames between;
    SceneDrive force, stress; /* the x of a stress */
    ScreeVec3 direction, velocity;
} ScenePistonSpec;

/* A surface of triangles: from a file, or as vertices and faces. */
typedef struct SceneWallMeshSpec {
    SceneHead head;
    const char *file;
    ScenePoints vertices;
    SceneFaces faces;
    double scale;
    ScreeVec3 position;
    ScreeQuat orientation;
} SceneWallMeshSpec;

typedef struct SceneWallSpec {
    SceneHead head;
    ScenePlaneSpec plane;
    SceneSegmentSpec segment;
    SceneBoxSpec box;
    SceneBlockSpec block;
    SceneCylinderSpec cylinder, drum;
    SceneWallMeshSpec mesh;
    SceneConeWallSpec cone;
    SceneDiscSpec disc;
    SceneWallPlateSpec plate;
    SceneHolderSpec holder;
    int open; /* bits of SceneFace */
    const char *material;
    SceneDrive velocity, spin;
    ScreeVec3 pivot;
    ScenePistonSpec piston;
} SceneWallSpec;

enum SceneFace {
    FACE_LEFT = 1,
    FACE_RIGHT = 2,
    FACE_FRONT = 4,
    FACE_BACK = 8,
    FACE_BOTTOM = 16,
    FACE_TOP = 32
};

typedef enum SceneLatticeKind {
    LATTICE_SIMPLE,
    LATTICE_SQUARE,
    LATTICE_CUBIC,
    LATTICE_HEXAGONAL
} SceneLatticeKind;

typedef struct SceneLatticeSpec {
    SceneHead head;
    ScreeVec3 min, max;
    SceneCounts counts;
    double spacing, jitter;
    int kind;
} SceneLatticeSpec;

typedef struct SceneFillSpec {
    SceneHead head;
    ScreeVec3 min, max;
    const char *inside; /* a wall, or NULL */
} SceneFillSpec;

typedef struct SceneGrainsSpec {
    SceneHead head;
    const char *material;
    SceneSizes radius;
    SceneShapeSpec form; /* its own shape, if it has one */
    const char *shape;   /* or the name of one */
    SceneSizes scale;
    SceneAngle angle;             /* in the plane */
    SceneOrientation orientation; /* in space */
    ScenePoints at;
    ScreeVec3 position;
    const char *file;
    SceneLatticeSpec lattice;
    SceneFillSpec fill;
    int64_t count;
    double solid_fraction;
    ScreeVec3 velocity, spin, force, torque;
    double spread;   /* of velocities */
    int spread_kind; /* SceneSpreadKind */
    double mass, inertia;
    int frozen;
    const char *held_by; /* a wall */
} SceneGrainsSpec;

typedef struct SceneConditionSpec {
    SceneHead head;
    double kinetic_energy_below, speed_below, coordination_above, coordination_below, time_after;
    bool converged;
    const char *expression;
    int64_t every;
    double after, hold;
} SceneConditionSpec;

typedef struct SceneSetVelocitySpec {
    SceneHead head;
    const char *wall;
    SceneGrainRange grains;
    SceneDrive velocity, spin;
} SceneSetVelocitySpec;

/* A wall becomes a piston, or is one with another load. */
typedef struct SceneSetPistonSpec {
    SceneHead head;
    const char *wall;
    double mass;
    SceneDrive force, stress, velocity;
    ScreeVec3 direction;
} SceneSetPistonSpec;

/* A wall takes grains along from now on. */
typedef struct SceneHoldSpec {
    SceneHead head;
    const char *wall;
    SceneRegionSpec region;
} SceneHoldSpec;

typedef struct SceneSetForceSpec {
    SceneHead head;
    const char *wall;
    SceneGrainRange grains;
    ScreeVec3 force, torque;
} SceneSetForceSpec;

typedef struct SceneSetFrictionSpec {
    SceneHead head;
    const char *material;
    SceneNames between;
    double friction, friction_static;
} SceneSetFrictionSpec;

typedef struct SceneEventSpec {
    SceneHead head;
    double at;
    SceneConditionSpec when;
    SceneNames remove;
    SceneSetVelocitySpec set_velocity;
    SceneSetForceSpec set_force;
    SceneSetPistonSpec set_piston;
    SceneHoldSpec hold;
    SceneNames let_go, glue;
    SceneSetFrictionSpec set_friction;
    ScreeVec3 set_gravity;
    SceneCellSpec set_cell;
    SceneGrowthSpec set_growth;
    bool stop, add_bridges;
} SceneEventSpec;

typedef struct SceneMeasureSpec {
    SceneHead head;
    int64_t every, least_contacts;
    SceneRegionSpec region;
} SceneMeasureSpec;

typedef struct SceneRateSpec {
    SceneHead head;
    double number, mass, volume; /* one of them */
} SceneRateSpec;

typedef struct SceneInletSpec {
    SceneHead head;
    SceneRegionSpec region;
    SceneRateSpec rate;
    double start, end; /* [time] */
    int64_t count;     /* 0: no limit */
    SceneGrainsSpec grain;
    int32_t material; /* filled in by the check */
} SceneInletSpec;

typedef struct SceneOutletSpec {
    SceneHead head;
    ScenePlaneSpec plane;
    SceneRegionSpec inside, outside;
} SceneOutletSpec;

typedef struct SceneModel {
    SceneHead head;
    const char *extends; /* NULL: what it names is in the document already */
    int64_t dimension, seed;
    int engine, device;
    ScreeVec3 gravity;
    SceneTimeSpec time;
    ScenePeriodicSpec periodic;
    SceneCellSpec cell;
    bool signed_gap;
    double skin;
    SceneNeighboursSpec neighbours;
    SceneList materials; /* SceneMaterialSpec */
    SceneList pairs;     /* ScenePairSpec */
    SceneList walls;     /* SceneWallSpec */
    SceneList shapes;    /* SceneShapeSpec */
    SceneStartSpec start;
    SceneList grains; /* SceneGrainsSpec */
    SceneOverlapSpec overlap;
    SceneList events; /* SceneEventSpec */
    SceneConditionSpec stop;
    SceneSolverSpec solver;
    SceneSoftSpec soft;
    SceneVariationalSpec variational;
    SceneOutputSpec output;
    SceneList measures; /* SceneMeasureSpec */
    SceneList inlets;   /* SceneInletSpec */
    SceneList outlets;  /* SceneOutletSpec */
    SceneList bonds;    /* SceneBondSpec */
    int bridges;        /* at the start: SCENE_BRIDGES_... */
} SceneModel;

#endif
