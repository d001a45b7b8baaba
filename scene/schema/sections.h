/* The schema: every key of a scene once. These tables drive the reading, the defaults, the ranges,
 * the messages and the reference page, so that a new key is one line here and one field in
 * model.h. */
#ifndef SCREE_SCENE_SCHEMA_SECTIONS_H
#define SCREE_SCENE_SCHEMA_SECTIONS_H

#include "scene/model.h"
#include "scene/read/key.h"

extern const SceneSection scene_section_root, scene_section_materials, scene_section_pairs,
    scene_section_walls, scene_section_grains, scene_section_events, scene_section_condition,
    scene_section_drive, scene_section_turn_drive, scene_section_sizes, scene_section_shapes,
    scene_section_angle, scene_section_polygon, scene_section_regular, scene_section_rectangle,
    scene_section_rod, scene_section_random_polygon, scene_section_parts, scene_section_measures,
    scene_section_nurbs, scene_section_ellipse, scene_section_library;

#endif
