/* How bodies turn whose moments of inertia differ.
 *
 * Between impulses a body keeps its angular momentum L, not its spin. In its principal frame, where
 * it is m, the energy is the sum of m_i^2 / (2 I_i). Written about one of the moments, I_p,
 *
 *     m^2 / (2 I_p)  +  sum over the other two of m_i^2 (1 / I_i - 1 / I_p) / 2,
 *
 * its first part alone turns the body about L at the rate L / I_p, and leaves m as it is: it can be
 * done exactly, whatever the others do. Each of the others alone turns the body about its own
 * principal axis, at a constant rate. So the motion is made of one turn about L and of half a turn
 * about one axis, a whole one about the other, and half a turn about the first again. All are
 * rotations: angular momentum is kept to rounding. The composition is symmetric in time, and
 * symplectic: the energy is right to second order and does not drift, however often the body flips
 * over (Dullweber, Leimkuhler and McLachlan split the same energy into three axes). With the middle
 * moment as I_p it is exact for every body with two equal moments, since one of the turns vanishes
 * then. */
#ifndef SCREE_STATE_ROTATION_H
#define SCREE_STATE_ROTATION_H

#include "state/state.h"

/* The solid that a body is, or NULL: it is round, or lies in the plane. */
static inline const Solid *scr_solid_of(const State *s, size_t i) {
    int32_t shape = s->shapes.solids > 0 ? s->bodies.shape[i] : -1;
    int32_t solid = shape >= 0 ? s->shapes.shape[shape].solid : -1;
    return solid >= 0 ? &s->shapes.solid[solid].solid : NULL;
}

/* The principal moments of a body, and the rotation of its principal frame. */
typedef struct Moments {
    Vec3 moment;
    Quat frame;
} Moments;

/* Of a solid with this mass and orientation. */
static inline Moments scr_moments(const Solid *solid, double mass, Quat orientation) {
    return (Moments){scale(mass, solid->gyration), quat_multiply(orientation, solid->axes)};
}

/* In world axes: I w, and I^-1 L. */
Vec3 scr_angular_momentum(const Moments *m, Vec3 spin);
Vec3 scr_spin_with(const Moments *m, Vec3 momentum);

/* The inverse of the tensor of inertia in world axes, for a body that cannot turn about the frozen
 * axes (bits of SCREE_FREEZE_ROTATION_X and so on, shifted down to 1, 2 and 4): that of the part
 * between the other axes, and zero elsewhere. */
Sym3 scr_inverse_inertia(const Moments *m, uint32_t frozen);

/* The spin that a body has with this angular momentum if it keeps the parts of `spin` about the
 * frozen axes. */
Vec3 scr_held_spin(const Moments *m, Vec3 momentum, Vec3 spin, uint32_t frozen);

/* How the frame turns in the time `dt` while nothing acts: the rotation in world axes. */
Quat scr_free_rotation(const Moments *m, Vec3 momentum, double dt);

/* The kinetic energy of rotation of any body of a state, doubled. */
double scr_turning_energy(const State *state, size_t body);

#endif
