/* The schema: every key of a scene once. These tables drive the reading, the defaults, the ranges,
 * the messages and the reference page, so that a new key is one line here and one field in
 * model.h. */
#ifndef SCREE_SCENE_SCHEMA_SECTIONS_H
#define SCREE_SCENE_SCHEMA_SECTIONS_H

#include "scene/model.h"
#include "scene/read/key.h"

extern const SceneSection scene_section_root, scene_section_materials, scene_section_pairs,
    scene_section_walls, scene_section_grains, scene_section_events, scene_section_condition,
    scene_section_drive, scene_section_turn_drive, scene_section_number_drive, scene_section_sizes,
    scene_section_shapes, scene_section_angle, scene_section_polygon, scene_section_regular,
    scene_section_rectangle, scene_section_rod, scene_section_random_polygon, scene_section_parts,
    scene_section_measures, scene_section_nurbs, scene_section_ellipse, scene_section_library,
    scene_section_orientation, scene_section_polyhedron, scene_section_cuboid, scene_section_prism,
    scene_section_plate, scene_section_ellipsoid, scene_section_superellipsoid,
    scene_section_round_body, scene_section_cone, scene_section_surface, scene_section_torus,
    scene_section_mesh, scene_section_sphere, scene_section_rock, scene_section_wall_cone,
    scene_section_disc, scene_section_wall_plate, scene_section_start, scene_section_cell,
    scene_section_inlets, scene_section_outlets, scene_section_bonds, scene_section_growth,
    scene_section_set_growth;

/* The bounds of a SceneRegionSpec along x, y and z. */
extern const SceneKey scene_region_keys[3];

/* How velocities are spread. */
extern const SceneChoice scene_spread_kinds[3];

/* A key for a kind of solid, in a struct `type` that has a SceneSolidSpec at `path`. */
#define SCENE_SOLID_KEY(type, path, name, section, meaning)                                        \
    {                                                                                              \
#name, &scene_type_section, offsetof(type, path.name), NULL, "(none)", IN_SPACE, NULL,     \
            &scene_section_##section, meaning                                                      \
    }

/* All of them; `words` stand before their meanings. */
#define SCENE_SOLID_KEYS(type, path, words)                                                        \
    SCENE_SOLID_KEY(type, path, polyhedron, polyhedron, words "a body given by its vertices"),     \
        SCENE_SOLID_KEY(type, path, box, cuboid, words "a box"),                                   \
        SCENE_SOLID_KEY(type, path, prism, prism, words "an upright prism"),                       \
        SCENE_SOLID_KEY(type, path, plate, plate, words "a plate with round edges"),               \
        SCENE_SOLID_KEY(type, path, ellipsoid, ellipsoid, words "an ellipsoid"),                   \
        SCENE_SOLID_KEY(type, path, superellipsoid, superellipsoid,                                \
                        words "between an ellipsoid and a box or a cylinder"),                     \
        SCENE_SOLID_KEY(type, path, cylinder, round_body, words "a cylinder, disk or tablet"),     \
        SCENE_SOLID_KEY(type, path, cone, cone, words "a cone, or one that is cut off"),           \
        SCENE_SOLID_KEY(type, path, surface, surface,                                              \
                        words "a body within a closed NURBS surface"),                             \
        SCENE_SOLID_KEY(type, path, torus, torus, words "a ring"),                                 \
        SCENE_SOLID_KEY(type, path, mesh, mesh, words "a body from a mesh file")

#endif
