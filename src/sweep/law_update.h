/* The update of a row whose law is more than rigid Coulomb. */
#ifndef SCREE_SWEEP_LAW_UPDATE_H
#define SCREE_SWEEP_LAW_UPDATE_H

#include "problem/problem.h"

/* Solves the row that has a law row exactly with the present velocities, and adds its change to
 * them. Returns |dR|^2, torques counted over the reduced radius. */
double scr_update_law(Problem *problem, size_t row);

/* What one row has: impulse and torque. */
typedef struct Share {
    double n;
    Vec3 t, torque;
} Share;

/* The tangential impulse and the torque of a row between spheres, from the present slip and spin
 * and the new pressure. Of `row` normal, friction and the present impulse are read. */
void scr_roll_space(const Row *row, const LawRow *law, Vec3 slip, Vec3 spin, double pressure,
                    Share *share);

#endif
