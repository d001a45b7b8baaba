/* What a world holds: shapes, bodies and walls, and the contacts between them. */
#ifndef SCREE_BODIES_H
#define SCREE_BODIES_H

#include <scree/laws.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- shapes */

/* An outline in the plane: all points within `rounding` of a polygon, which need not be convex. One
 * corner makes a disk, two a rod with round ends. */
typedef struct ScreeShapePart {
    int32_t corners; /* of the polygon: 1 or more */
    double rounding; /* [length] 0: sharp; must be greater than 0 for fewer than three corners */
} ScreeShapePart;

/* A shape of bodies in two dimensions: one outline, or several that move as one. Where parts
 * overlap, their masses add. */
typedef struct ScreeShapeDef {
    const ScreeShapePart *part; /* [parts] */
    size_t parts;
    const ScreeVec3 *corner; /* [length] of all parts, one part after the other, either way round,
                                from any origin; z is 0 */
} ScreeShapeDef;

/* Adds a shape, which any number of bodies may have. Outlines that cross or touch themselves,
 * repeated corners, corners on a straight line and empty areas are refused. */
SCREE_API ScreeStatus scree_world_add_shape(ScreeWorld *world, const ScreeShapeDef *def,
                                            ScreeShapeId *id);
SCREE_API size_t scree_world_get_shape_count(const ScreeWorld *world);

/* A shape as it is kept: corners counterclockwise, from the centroid. Of a solid, `def` is empty and
 * the area is its volume. The arrays are valid until a shape is added. */
typedef struct ScreeShape {
    ScreeShapeDef def;
    size_t corners;     /* of all parts together */
    ScreeVec3 centroid; /* [length] in the coordinates of its definition */
    double area;        /* [length^2], in space [length^3] */
    double gyration;    /* [length^2] inertia about the centroid over mass; of a solid, the mean */
    double radius;      /* [length] of the circle or ball about the centroid that holds it */
    const struct ScreeSolid *solid; /* in space; NULL in the plane */
} ScreeShape;

SCREE_API ScreeStatus scree_shape_get(const ScreeWorld *world, ScreeShapeId id, ScreeShape *shape);

/* The same of a definition alone. `message` (SCREE_MESSAGE_SIZE bytes, or NULL) names the part and
 * the corner that are wrong. The arrays of shape->def are the definition's own. */
SCREE_API ScreeStatus scree_shape_def_measure(const ScreeShapeDef *def, ScreeShape *shape,
                                              char *message);

/* One part as a closed curve to draw, counterclockwise like its corners: these, or where it is
 * rounded, arcs of short lines, 24 to half a circle. What it may enclose without filling is left
 * out. `point` (or NULL) receives the first *points of them; *points becomes their number.
 * SCREE_NO_MEMORY at worst. */
SCREE_API ScreeStatus scree_shape_part_draw(const ScreeShapePart *part, const ScreeVec3 *corner,
                                            ScreeVec3 *point, size_t *points);

/* A closed curve in the plane, counterclockwise, as triangles that fill it: `triangle` has room for
 * three numbers of points each, 3 (points - 2) in all. *triangles becomes their number: two less
 * than points, or fewer where the curve crosses itself. SCREE_NO_MEMORY at worst. */
SCREE_API ScreeStatus scree_outline_fill(const ScreeVec3 *point, size_t points, int32_t *triangle,
                                         size_t *triangles);

/* A closed NURBS curve as an outline. Control point i has the weight w_i > 0; with the B-splines
 * N_i of the knots the curve is sum N_i w_i P_i / sum N_i w_i, from knot[degree] to knot[points],
 * where it must be back at its start. */
typedef struct ScreeNurbs {
    int32_t degree;         /* 1 to 7 */
    size_t points, knots;   /* knots: points + degree + 1 */
    const ScreeVec3 *point; /* [length] either way round, from any origin; z is 0 */
    const double *weight;   /* [points], or NULL: all 1 */
    const double *knot;     /* [knots], not descending */
} ScreeNurbs;

/* Adds a shape of one curve. Curves that are open, or cross or touch themselves, or stand still
 * are refused. In scree_shape_get it is a polygon with corners on the curve, which it leaves by at
 * most 4e-4 of its diameter; area, centroid, gyration and radius are those of the curve. */
SCREE_API ScreeStatus scree_world_add_nurbs(ScreeWorld *world, const ScreeNurbs *def,
                                            ScreeShapeId *id);

/* The curve of a shape as it is kept: counterclockwise, from the centroid, always with weights.
 * SCREE_BAD_ID when the shape is none. Valid until a shape is added. */
SCREE_API ScreeStatus scree_shape_get_nurbs(const ScreeWorld *world, ScreeShapeId id,
                                            ScreeNurbs *def);

/* Measures of a curve alone. `corner` (or NULL) receives the first *corners corners of the polygon
 * that scree_shape_get would have, in the coordinates of the definition; *corners becomes their
 * number. `message` as above names the control point, weight or knot that is wrong. shape->def is
 * empty. */
SCREE_API ScreeStatus scree_nurbs_measure(const ScreeNurbs *def, ScreeShape *shape,
                                          ScreeVec3 *corner, size_t *corners, char *message);

/* ---------------------------------------------------------------- solids */

typedef enum ScreePartKind {
    SCREE_PART_POLYHEDRON = 0,
    SCREE_PART_ELLIPSOID = 1, /* four vertices: its centre, and the ends of three half axes at right
                                 angles to each other */
    SCREE_PART_CONE = 2,      /* a cylinder or cone; two vertices: the centres of its caps */
    SCREE_PART_NURBS =
        3 /* a closed surface of rational Bezier patches, whose control points are the
                                 vertices: scree_solid_cut_nurbs (solids.h) makes them of a NURBS surface */
} ScreePartKind;

/* A part of a solid: all points within `rounding` of a polyhedron, where one vertex makes a ball and
 * two make a rod with round ends; or a smooth body, which its vertices and `form` tell. What is left
 * at 0 makes a polyhedron. */
typedef struct ScreeSolidPart {
    size_t vertices;    /* 1 or more */
    size_t faces;       /* 0: the convex hull of the vertices, or a smooth part */
    double rounding;    /* [length] 0: sharp; must be greater than 0 where there is no volume */
    ScreePartKind kind; /* a polyhedron */
    double
        form[2]; /* SCREE_PART_ELLIPSOID: exponents q and p, from 2 (or 0: an ellipsoid) to 32, of
                           a superellipsoid (|x/a|^p + |y/b|^p)^(q/p) + |z/c|^q = 1. SCREE_PART_CONE:
                           [length] radii of its caps; equal ones make a cylinder, 0 an apex.
                           SCREE_PART_NURBS: degrees p and q along u and v, 1 to 7 */
    const double *weight; /* SCREE_PART_NURBS: [vertices], 1e-6 to 1e6, or NULL: all 1 */
} ScreeSolidPart;

/* A shape of bodies in space: one part, or several that move as one. What belongs to several parts
 * has its mass once: exactly where the parts are sharp polyhedra, or balls of which no three overlap;
 * else to about 1e-5 of the overlap. Only convex parts can be rounded, and of the smooth ones
 * cylinders and cones. */
typedef struct ScreeSolidDef {
    const ScreeSolidPart *part; /* [parts] */
    size_t parts;
    const ScreeVec3 *vertex; /* [length] of all parts, one part after the other, from any origin */
    const int32_t *corners;  /* of all faces of all parts: how many corners each has */
    const int32_t *corner;   /* those corners, one face after the other: vertices, counted from 0 in
                                their part, counterclockwise seen from outside */
} ScreeSolidDef;

/* Adds a solid, which any number of bodies may have as their shape. */
SCREE_API ScreeStatus scree_world_add_solid(ScreeWorld *world, const ScreeSolidDef *def,
                                            ScreeShapeId *id);

/* A solid as it is kept: vertices from the centre of mass, faces of the hull where it was asked
 * for, coplanar ones merged. The arrays are valid until a shape is added. */
typedef struct ScreeSolid {
    ScreeSolidDef def;
    size_t vertices, faces, corners; /* of all parts together */
    ScreeVec3 centroid;              /* [length] in the coordinates of its definition */
    double volume;                   /* [length^3] */
    double radius;                   /* [length] of the ball about the centroid that holds it */
    ScreeVec3 gyration;              /* [length^2] principal moments of inertia over mass */
    ScreeQuat axes;                  /* turns x, y and z into the principal axes */
} ScreeSolid;

/* SCREE_BAD_ID when the shape is none. */
SCREE_API ScreeStatus scree_shape_get_solid(const ScreeWorld *world, ScreeShapeId id,
                                            ScreeSolid *solid);

/* ---------------------------------------------------------------- bodies */

typedef struct ScreeBodyDef {
    ScreeVec3 position;       /* [length] of the centre of mass */
    ScreeQuat orientation;    /* no rotation */
    ScreeVec3 velocity;       /* [length/time]; zero */
    ScreeVec3 spin;           /* [1/time] angular velocity; zero */
    double radius;            /* [length]; must be set for round bodies; shapes have their own */
    ScreeShapeId shape;       /* SCREE_NO_SHAPE (default): round */
    double mass;              /* [mass]; 0 takes density times volume (area in two dimensions) */
    double inertia;           /* [mass length^2]; 0 takes 2/5 m r^2, for disks 1/2 m r^2 */
    ScreeMaterialId material; /* the first that was added to the world */
    uint32_t frozen;          /* SCREE_FREEZE_... bits; 0. Two dimensions add z and rotation x, y */
    ScreeVec3 force;          /* [force] external, on the centre, until changed; zero */
    ScreeVec3 torque;         /* [force length] external; zero */
    uint32_t cookie;          /* set by scree_body_def_default; leave it alone */
} ScreeBodyDef;

SCREE_API ScreeBodyDef scree_body_def_default(void);

/* Adds `count` bodies with consecutive ids, at any time between steps; `first` (or NULL) receives the
 * first. All or none. A body may be put where others are, but will be pushed apart from them. */
SCREE_API ScreeStatus scree_world_add_bodies(ScreeWorld *world, const ScreeBodyDef *defs,
                                             size_t count, ScreeBodyId *first);

/* Removes bodies, with their contacts, at any time between steps; named in any order. All or none.
 * Those that remain keep their order, their identities and what their contacts remember, but get new
 * ids, with no gaps between them. */
SCREE_API ScreeStatus scree_world_remove_bodies(ScreeWorld *world, const ScreeBodyId *bodies,
                                                size_t count);

/* The identity of a body, -1 for one that there is not; the body that has it now, SCREE_NO_BODY when
 * it was removed or never was; and how many identities have been given out: bodies of all times. */
SCREE_API int32_t scree_body_get_identity(const ScreeWorld *world, ScreeBodyId body);
SCREE_API ScreeBodyId scree_world_find_body(const ScreeWorld *world, int32_t identity);
SCREE_API int64_t scree_world_get_identity_count(const ScreeWorld *world);

SCREE_API ScreeStatus scree_body_set_position(ScreeWorld *world, ScreeBodyId body,
                                              ScreeVec3 position);
SCREE_API ScreeStatus scree_body_set_orientation(ScreeWorld *world, ScreeBodyId body,
                                                 ScreeQuat orientation);
SCREE_API ScreeStatus scree_body_set_velocity(ScreeWorld *world, ScreeBodyId body,
                                              ScreeVec3 velocity, ScreeVec3 spin);
SCREE_API ScreeStatus scree_body_set_force(ScreeWorld *world, ScreeBodyId body, ScreeVec3 force,
                                           ScreeVec3 torque);
/* Another size for a round body, where it is: growth by a law of one's own (docs/growth.md). A mass of 0
 * takes the density of its material, and an inertia of 0 follows from the mass. */
SCREE_API ScreeStatus scree_body_set_size(ScreeWorld *world, ScreeBodyId body, double radius,
                                          double mass, double inertia);
SCREE_API ScreeStatus scree_body_set_frozen(ScreeWorld *world, ScreeBodyId body, uint32_t frozen);

/* From now on a wall holds the body where it is on it: the body moves and turns with the wall, whatever
 * moves that, and what other bodies exert on it is exerted on the wall. It meets bodies that no wall
 * holds, but no walls; its own mass and weight count for nothing. It is frozen meanwhile.
 * SCREE_NO_WALL lets it go, free to move and with the velocity that it has; so does the removal of
 * the wall. */
SCREE_API ScreeStatus scree_body_set_holder(ScreeWorld *world, ScreeBodyId body, ScreeWallId wall);

/* All bodies, one array [count] for each field of their definitions, as they are now; valid until
 * bodies are added or removed, or the world is destroyed. Where a device or other processes make the
 * steps, ask again after a step. */
typedef struct ScreeBodyView {
    size_t count;
    const ScreeVec3 *position; /* [length] */
    const ScreeQuat *orientation;
    const ScreeVec3 *velocity; /* [length/time] */
    const ScreeVec3 *spin;     /* [1/time] */
    const ScreeVec3 *force;    /* [force] external */
    const ScreeVec3 *torque;   /* [force length] external */
    const double *radius;      /* [length] of a shape: of the circle that holds it */
    const double *mass;        /* [mass] */
    const double *inertia;     /* [mass length^2] */
    const ScreeMaterialId *material;
    const uint32_t *frozen;    /* SCREE_FREEZE_... bits */
    const ScreeShapeId *shape; /* SCREE_NO_SHAPE: round */
    const int32_t *identity;   /* rising; NULL while none was removed: each body's is its index */
    const ScreeWallId
        *holder; /* the wall that holds it, or SCREE_NO_WALL; NULL: no wall holds any */
} ScreeBodyView;

SCREE_API ScreeBodyView scree_world_get_bodies(const ScreeWorld *world);

/* ---------------------------------------------------------------- walls */

/* A surface of triangles, open or closed, for walls. Both of its sides are solid, whichever way
 * around its triangles run: a body stays on the side on which it is. Coplanar neighbours are one
 * plane; how it is cut into triangles changes nothing. */
typedef struct ScreeMeshDef {
    size_t vertices, triangles;
    const ScreeVec3 *vertex; /* [length] */
    const int32_t *corner;   /* [3 triangles] numbers of vertices; neighbours have two in common */
    const int32_t *part; /* of each triangle, from 0: parts can be walls of their own; NULL: 0 */
    int32_t parts;       /* how many there are, with `part` */
} ScreeMeshDef;

typedef struct ScreeMesh ScreeMesh;

/* NULL with a message (SCREE_MESSAGE_SIZE bytes, or NULL) that names the triangle when there is none
 * to be made of it: a vertex that is not finite or not there, a triangle without area, or one that
 * is there twice. */
SCREE_API ScreeMesh *scree_mesh_create(const ScreeMeshDef *def, char *message);

/* Walls that were made with it have their own copy. */
SCREE_API void scree_mesh_destroy(ScreeMesh *mesh);

/* What it was made from; the arrays are valid as long as the mesh is. */
SCREE_API ScreeMeshDef scree_mesh_get(const ScreeMesh *mesh);

/* Memory that it takes, in bytes. */
SCREE_API size_t scree_mesh_get_bytes(const ScreeMesh *mesh);

/* The meshes of a world: equal ones are kept once, however many walls have them. */
SCREE_API size_t scree_world_get_mesh_count(const ScreeWorld *world);
SCREE_API const ScreeMesh *scree_world_get_mesh(const ScreeWorld *world, size_t mesh);

typedef enum ScreeWallShape {
    SCREE_WALL_PLANE,    /* half space behind `point`; `normal` points to the grains */
    SCREE_WALL_SEGMENT,  /* two dimensions: from `point` to `end`, thin, seen from both sides */
    SCREE_WALL_BLOCK,    /* solid box, centre `point`, half sides `half`, turned by `orientation` */
    SCREE_WALL_CYLINDER, /* about the line through `point` along `axis` (in two dimensions z) */
    SCREE_WALL_MESH,     /* a surface of triangles, from `point` on, turned by `orientation` */
    SCREE_WALL_CONE, /* three dimensions: a thin shell about `axis`, from a circle of `radius` about
                            `point` to one of `end_radius` about point + length axis; with a length of 0
                            a ring, or a disc */
    SCREE_WALL_PLATE, /* three dimensions: a thin rectangle with round holes, centre `point`, half
                            sides `half` along its x and y, turned by `orientation` */
    SCREE_WALL_HOLDER, /* nothing but the bodies that it holds (scree_body_set_holder), about `point` */
    SCREE_WALL_SHAPE_COUNT
} ScreeWallShape;

/* Cones and plates are seen from both sides. In a periodic world all but planes repeat with the cell, and should be no larger
 * than it; a plane must lie along the periodic directions to make sense. */

typedef enum ScreeWallMotion {
    SCREE_WALL_FIXED,
    SCREE_WALL_MOVED,  /* has the velocity and spin that it was given */
    SCREE_WALL_PISTON, /* carries `force` with its own `mass`, free along `direction` only; across it
                          it has the velocity that it was given */
    SCREE_WALL_MOTION_COUNT
} ScreeWallMotion;

typedef struct ScreeWallDef {
    ScreeWallShape shape;  /* plane */
    ScreeVec3 point;       /* [length] see the shapes; zero */
    ScreeVec3 normal;      /* plane: need not be a unit vector; must be set */
    ScreeVec3 end;         /* [length] segment */
    ScreeVec3 half;        /* [length] block, plate */
    ScreeQuat orientation; /* block, mesh, plate; no rotation */
    const ScreeMesh *mesh; /* mesh: its triangles, of which the world makes a copy */
    int32_t part;          /* mesh: the part of it that is this wall; -1 (default): all */
    ScreeVec3 axis;        /* cylinder, cone; z */
    double radius;         /* [length] cylinder, cone, holes of a plate */
    double
        length; /* [length] of a cone; of a cylinder, half to each side of `point`; 0 is endless. From
                              inside, a finite cylinder is a thin shell seen from both sides; from
                              outside, a solid one with flat ends */
    double end_radius; /* [length] cone; zero */
    bool inside;       /* cylinder: grains are within; false */
    int32_t holes[2];  /* plate: how many along x and y, all of `radius`; none */
    double spacing[2]; /* [length] plate: from hole to hole along x and y; the middle of all holes
                                 is that of the plate */
    ScreeMaterialId material; /* SCREE_NO_MATERIAL (default): as the grain that touches it */
    ScreeWallMotion motion;   /* fixed */
    ScreeVec3 velocity;       /* [length/time] moved: of the pivot; piston: along `direction` its
                                 start, across it what it keeps; zero */
    ScreeVec3 spin;           /* [1/time] moved: about the pivot; zero */
    ScreeVec3 pivot;          /* [length] the point about which it turns; by default `point` */
    bool has_pivot;           /* whether `pivot` was set */
    double mass;              /* [mass] piston */
    ScreeVec3 force;          /* [force] piston; its part along `direction` acts */
    ScreeVec3 direction;      /* piston; by default the plane's normal */
    double stress; /* [force/length^(d-1)] piston that is a plane, or the grains that it holds:
                            `force` is then set before each step, stress times the area between other
                            walls, along the plane's normal or `direction`; 0: as given */
    ScreeWallId between[4]; /* with stress: the two planes that bound the piston, in space four, and
                               none along directions in which the world is periodic: there the
                               cell bounds it. The area is that at the end of the step where they
                               are moved, and that at its start where they are pistons;
                               SCREE_NO_WALL */
    uint32_t cookie;        /* set by scree_wall_def_default; leave it alone */
} ScreeWallDef;

SCREE_API ScreeWallDef scree_wall_def_default(void);
SCREE_API ScreeStatus scree_world_add_wall(ScreeWorld *world, const ScreeWallDef *def,
                                           ScreeWallId *id);

/* How far a point is from the surface of a wall; negative behind it. A thin one, a segment or an
 * open tube, has no behind. The wall is as scree_wall_get_state has it: its normal, axis and
 * orientation have length one, and in two dimensions a block has some depth. */
SCREE_API double scree_wall_def_get_distance(const ScreeWallDef *wall, ScreeVec3 point);

SCREE_API ScreeStatus scree_wall_remove(ScreeWorld *world, ScreeWallId wall);

/* Moves a wall from now on; a fixed one becomes a moved one. A piston gets the part of the velocity
 * across its direction, and has no spin. */
SCREE_API ScreeStatus scree_wall_set_velocity(ScreeWorld *world, ScreeWallId wall,
                                              ScreeVec3 velocity, ScreeVec3 spin);

/* From now on the wall is a piston of this mass, free along the direction, which need not be a unit
 * vector: zero is the normal of a plane. It goes on with the velocity that it has, without spin, and
 * carries no force until it is given one. A piston changes its mass and direction. */
SCREE_API ScreeStatus scree_wall_make_piston(ScreeWorld *world, ScreeWallId wall, double mass,
                                             ScreeVec3 direction);

/* From now on a piston is a moved wall, and stands still until it is given a velocity. */
SCREE_API ScreeStatus scree_wall_make_moved(ScreeWorld *world, ScreeWallId wall);

/* The force that a piston carries from now on, in place of a stress if it had one. */
SCREE_API ScreeStatus scree_wall_set_force(ScreeWorld *world, ScreeWallId wall, ScreeVec3 force);

/* The stress that a piston carries from now on; see ScreeWallDef for which may have one. */
SCREE_API ScreeStatus scree_wall_set_stress(ScreeWorld *world, ScreeWallId wall, double stress);

typedef struct ScreeWallState {
    bool present;           /* false once removed */
    ScreeWallDef now;       /* geometry, velocity and force as they stand now */
    ScreeVec3 displacement; /* [length] of the pivot since the wall was made */
    ScreeVec3 load;         /* [force] that the grains exerted on it during the last step */
    ScreeVec3 load_torque;  /* [force length] the same, about the pivot */
} ScreeWallState;

SCREE_API size_t scree_world_get_wall_count(const ScreeWorld *world); /* removed ones included */
SCREE_API ScreeStatus scree_wall_get_state(const ScreeWorld *world, ScreeWallId wall,
                                           ScreeWallState *state);

/* ---------------------------------------------------------------- contacts */

typedef enum ScreeContactState {
    SCREE_CONTACT_OPEN,  /* a candidate that carries nothing */
    SCREE_CONTACT_STICK, /* its surfaces do not slide on each other */
    SCREE_CONTACT_SLIP   /* they do: friction is at its limit */
} ScreeContactState;

/* One contact or candidate of the last step. Where that was cut (solver.cuts) or made in halves (see
 * docs/certificate.md), the state is that at its end and the impulse that of the whole step. With the soft engine normal and gap are those at
 * the end of the step, and impulses the forces there times the time step. */
typedef struct ScreeContact {
    ScreeBodyId a;         /* the body */
    ScreePartner b;        /* what it touches: another body, or a wall */
    int32_t feature;       /* which of several contact points of the pair; 0 between round ones,
                              negative where a ball touches a mesh */
    int32_t state;         /* ScreeContactState */
    ScreeVec3 normal;      /* unit, from a to b, at the start of the step */
    double gap;            /* [length] at the start of the step; negative is overlap */
    double normal_impulse; /* [force time] pushes apart; negative: a cohesive contact pulls */
    ScreeVec3 tangential_impulse; /* [force time] on b */
} ScreeContact;

/* What laws beyond Coulomb's add to a contact. */
typedef struct ScreeContactExtra {
    ScreeVec3 torque_impulse; /* [force length time] of rolling and torsion friction, on b */
    double opening;           /* [length] of a cohesive bond, or the gap of a liquid bridge at the
                                 end of the step; negative: there is neither */
} ScreeContactExtra;

typedef struct ScreeContactView {
    size_t count;
    const ScreeContact *contact;
    const ScreeContactExtra *extra; /* [count], or NULL when no law needs it */
    double time_step;               /* [time] divide an impulse by it for the force */
    ScreeStatus status; /* SCREE_OK; else the contacts could not be listed: count is 0 */
} ScreeContactView;

/* Contacts and candidates of the last step; valid until the next one. A soft world makes the list
 * when it is first asked for, and may then run out of memory: see the status. */
SCREE_API ScreeContactView scree_world_get_contacts(const ScreeWorld *world);

/* Where a contact of the view lies now: midway between the two surfaces. */
SCREE_API ScreeVec3 scree_contact_get_point(const ScreeWorld *world, const ScreeContact *contact);

/* ---------------------------------------------------------------- drawing */

/* One part of a solid as triangles to draw, counterclockwise seen from outside: its faces or, where
 * it is rounded, also pieces of cylinders and balls made of flat triangles, 12 lines to half a
 * circle. The part is as it is kept, with its faces. `point` and `triangle` (or NULL) receive the
 * first *points of the points and the first *triangles of the triangles, three numbers of points
 * each; then these become their numbers. SCREE_BAD_ARGUMENT when the faces do not close. */
SCREE_API ScreeStatus scree_solid_part_draw(const ScreeSolidPart *part, const ScreeVec3 *vertex,
                                            const int32_t *corners, const int32_t *corner,
                                            ScreeVec3 *point, size_t *points, int32_t *triangle,
                                            size_t *triangles);

#ifdef __cplusplus
}
#endif

#endif
