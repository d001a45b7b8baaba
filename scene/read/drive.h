/* Velocities, spins and forces as functions of time. */
#ifndef SCREE_SCENE_READ_DRIVE_H
#define SCREE_SCENE_READ_DRIVE_H

#include "scene/model.h"

/* The exact mean over [time, time + step], so that what is driven follows the integral of the
 * programme; with a step of 0 the value at that time. */
ScreeVec3 scene_drive_mean(const SceneDrive *drive, double time, double step);

/* Whether its value is another at another time. */
bool scene_drive_changes(const SceneDrive *drive);

/* Turns numbers about an axis into vectors along it. */
void scene_drive_about(SceneDrive *drive, ScreeVec3 axis);

#endif
