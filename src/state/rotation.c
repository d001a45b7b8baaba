#include "state/rotation.h"

static Vec3 divide(Vec3 a, Vec3 by) {
    return vec3(a.x / by.x, a.y / by.y, a.z / by.z);
}

Vec3 scr_angular_momentum(const Moments *m, Vec3 spin) {
    Vec3 w = quat_rotate_back(m->frame, spin), i = m->moment;
    return quat_rotate(m->frame, vec3(i.x * w.x, i.y * w.y, i.z * w.z));
}

Vec3 scr_spin_with(const Moments *m, Vec3 momentum) {
    return quat_rotate(m->frame, divide(quat_rotate_back(m->frame, momentum), m->moment));
}

/* sum of s_k e_k e_k^T over the axes of the frame */
static Sym3 along_axes(Quat frame, Vec3 s) {
    const Sym3 x = sym3_dyad(s.x, quat_rotate(frame, vec3(1, 0, 0)));
    const Sym3 y = sym3_dyad(s.y, quat_rotate(frame, vec3(0, 1, 0)));
    const Sym3 z = sym3_dyad(s.z, quat_rotate(frame, vec3(0, 0, 1)));
    return (Sym3){x.xx + y.xx + z.xx, x.xy + y.xy + z.xy, x.xz + y.xz + z.xz,
                  x.yy + y.yy + z.yy, x.yz + y.yz + z.yz, x.zz + y.zz + z.zz};
}

/* The inverse of [a b; b c], in the places of a, b and c. */
static void invert_pair(double a, double b, double c, double *ia, double *ib, double *ic) {
    double det = a * c - b * b;
    *ia = c / det;
    *ib = -b / det;
    *ic = a / det;
}

Sym3 scr_inverse_inertia(const Moments *m, uint32_t frozen) {
    if (frozen == 0) {
        return along_axes(m->frame, divide(vec3(1, 1, 1), m->moment));
    }
    const Sym3 i = along_axes(m->frame, m->moment);
    Sym3 inverse = {0};
    switch (frozen & 7) {
    case 1:
        invert_pair(i.yy, i.yz, i.zz, &inverse.yy, &inverse.yz, &inverse.zz);
        break;
    case 2:
        invert_pair(i.xx, i.xz, i.zz, &inverse.xx, &inverse.xz, &inverse.zz);
        break;
    case 4:
        invert_pair(i.xx, i.xy, i.yy, &inverse.xx, &inverse.xy, &inverse.yy);
        break;
    case 3:
        inverse.zz = 1 / i.zz;
        break;
    case 5:
        inverse.yy = 1 / i.yy;
        break;
    case 6:
        inverse.xx = 1 / i.xx;
        break;
    default:
        break;
    }
    return inverse;
}

/* With w = c + f, c about the frozen axes: the free part of I (c + f) is that of L. */
Vec3 scr_held_spin(const Moments *m, Vec3 momentum, Vec3 spin, uint32_t frozen) {
    const Vec3 held =
        vec3(frozen & 1 ? spin.x : 0, frozen & 2 ? spin.y : 0, frozen & 4 ? spin.z : 0);
    const Sym3 inverse = scr_inverse_inertia(m, frozen);
    return add(held, sym3_apply(&inverse, sub(momentum, scr_angular_momentum(m, held))));
}

/* ---------------------------------------------------------------- free rotation */

/* A turn about one axis of the frame at the rate m_i by, which the angular momentum in the frame,
 * m, answers with the opposite turn. */
static void turn_about(int axis, double by, Vec3 *m, Quat *turned) {
    Vec3 turn = vec3(0, 0, 0);
    *component_of(&turn, axis) = by * component(*m, axis);
    const Quat q = quat_from_turn(turn);
    *m = quat_rotate_back(q, *m);
    *turned = quat_multiply(*turned, q);
}

/* The axis whose moment lies between the other two. */
static int middle_axis(Vec3 i) {
    double low = scr_min(i.x, scr_min(i.y, i.z)), high = scr_max(i.x, scr_max(i.y, i.z));
    return i.y != low && i.y != high   ? 1
           : i.x != low && i.x != high ? 0
           : i.z != low && i.z != high ? 2
           : i.x == i.y                ? 0 /* two are equal: one of these */
           : i.y == i.z                ? 1
                                       : 2;
}

Quat scr_free_rotation(const Moments *m, Vec3 momentum, double dt) {
    const int pivot = middle_axis(m->moment), one = (pivot + 1) % 3, other = (pivot + 2) % 3;
    const double per = 1 / component(m->moment, pivot);
    const double rate_one = 1 / component(m->moment, one) - per;
    const double rate_other = 1 / component(m->moment, other) - per;
    Vec3 own = quat_rotate_back(m->frame, momentum);
    Quat turned = {1, 0, 0, 0};
    turn_about(one, 0.5 * dt * rate_one, &own, &turned);
    turn_about(other, dt * rate_other, &own, &turned);
    turn_about(one, 0.5 * dt * rate_one, &own, &turned);
    /* the turn in the frame, seen from the world */
    const Quat back = {m->frame.w, -m->frame.x, -m->frame.y, -m->frame.z};
    const Quat seen = quat_multiply(quat_multiply(m->frame, turned), back);
    return quat_multiply(quat_from_turn(scale(dt * per, momentum)), seen);
}

double scr_turning_energy(const State *s, size_t i) {
    const Bodies *b = &s->bodies;
    const Solid *solid = scr_solid_of(s, i);
    if (solid == NULL) {
        return b->inertia[i] * dot(b->spin[i], b->spin[i]);
    }
    const Moments m = scr_moments(solid, b->mass[i], b->orientation[i]);
    return dot(b->spin[i], scr_angular_momentum(&m, b->spin[i]));
}
