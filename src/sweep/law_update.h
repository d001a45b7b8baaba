/* The update of a row whose law is more than rigid Coulomb friction. */
#ifndef SCREE_SWEEP_LAW_UPDATE_H
#define SCREE_SWEEP_LAW_UPDATE_H

#include "problem/problem.h"

/* Solves a row that has a law row exactly with the present velocities, and adds its change to them.
 * Returns |dR|^2, with torques divided by the reduced radius. */
double scr_update_law(Problem *problem, size_t row);

/* The impulse and torque of one row. */
typedef struct Share {
    double n;
    Vec3 t;
    Torque torque;
} Share;

/* The tangential impulse and the torque of a row between spheres, from the present slip and spin
 * and the new pressure. Reads the normal, the friction and the present impulse of `row`. */
void scr_roll_space(const Row *row, const LawRow *law, Vec3 slip, Vec3 spin, double pressure,
                    Share *share);

#endif
