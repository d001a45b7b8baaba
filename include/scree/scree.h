/* Scree: rigid grains with exact dry friction by the contact dynamics method.
 *
 * This header includes all others. A program makes a world from a definition, adds materials,
 * bodies and walls, and steps it; every step returns a report, the step's certificate:
 *
 *     ScreeWorldDef def = scree_world_def_default();
 *     def.time_step = 1e-3;
 *     ScreeWorld *world = NULL;
 *     scree_world_create(&def, &world, NULL);
 *     ...
 *     ScreeReport report;
 *     scree_world_step(world, &report);
 *     scree_world_destroy(world);
 *
 * Names
 * - A function is named scree_, the object it works on, what it does, and to what part of it:
 *   scree_world_step, scree_body_set_velocity, scree_wall_get_state. The object is the first
 *   argument; bodies, walls, shapes and laws are addressed by the world and their ids.
 *   scree_get_version and scree_get_capabilities ask the library itself.
 * - The same verb always means the same: create and load make what the caller must destroy; add and
 *   remove change what a world holds; get reads and set changes; default fills a struct with its
 *   defaults; is asks a question.
 * - A type has the same name in capitals: scree_world_def_default returns a ScreeWorldDef.
 *
 * Conventions
 * - Units are the caller's own. The dimension of every quantity stands in brackets: [length].
 * - A definition (ScreeWorldDef, ScreeBodyDef, ...) is begun from its default function, so that a
 *   field added later keeps its meaning in old programs. The default function leaves its mark in
 *   the member `cookie`; a definition without it, such as one filled with zeros, is refused.
 *   Shapes and curves (ScreeShapeDef, ScreeNurbs) have no defaults: all of them must be given.
 * - A function that can fail returns a status. Nothing is changed when it fails, and
 *   scree_world_get_message(world) tells in words what was wrong.
 * - The normal of a contact points from its body a to its partner b; the impulse acts on b, and its
 *   opposite on a. A relative velocity is that of b seen from a, so approach is negative.
 * - Equations (UK 34) are those of Unger and Kertesz, "The contact dynamics method for granular
 *   media"; (BUW 1.30) of Brendel, Unger and Wolf, "Contact dynamics for beginners"; (RSDW 2) of
 *   Radjai, Schafer, Dippel and Wolf, J. Phys. I France 7 (1997) 1053; (L 4.13) of Lim, "A contact
 *   dynamics formulation".
 * - Results depend on nothing but the world: not on the number of threads, nor on whether the
 *   world was saved and loaded in between. */
#ifndef SCREE_SCREE_H
#define SCREE_SCREE_H

#include <scree/core.h>
#include <scree/problem_file.h>
#include <scree/record.h>
#include <scree/scene.h>
#include <scree/start.h>

#endif
