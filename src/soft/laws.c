/* From the laws of materials to what a contact of the soft engine needs, and the time step that the
 * stiffest of them allows. */
#include "soft/engine.h"

#include "soft/force/damping.h"
#include "soft/force/normal.h"
#include "soft/force/torque.h"
#include "narrow/narrow.h"
#include "math/root.h"
#include "shape/wall.h"
#include "state/rotation.h"

/* A Hertz contact stiffens with its overlap. Where a single stiffness must represent it (time step,
 * rolling), it is the one at this fraction of the reduced radius, which is already a large
 * overlap. */
static const double reference_overlap = 0.01;

/* ---------------------------------------------------------------- the table */

static SoftLaw soft_law(const ScreeLaw *l, ScreeSoftFriction friction) {
    bool hertz = l->modulus > 0, viscous = friction == SCREE_SOFT_FRICTION_VISCOUS;
    SoftLaw s = {
        .stiffness = hertz ? 4.0 / 3 * l->modulus : l->stiffness,
        .damping = l->damping,
        .ratio = scr_damping_ratio(l->restitution),
        .tangential = isfinite(l->stiffness_tangential) ? l->stiffness_tangential : -1,
        .dashpot = viscous ? 0 : l->damping_tangential,
        .friction = l->friction,
        .friction_static = scr_static_friction(l),
        .rolling = l->rolling,
        .rolling_length = l->rolling_length,
        .rolling_hertz = l->rolling_hertz,
        .torsion = l->torsion,
        .torsion_length = l->torsion_length,
        .cohesion = l->cohesion,
        .cohesion_range = l->cohesion_range,
    };
    if (viscous) {
        s.tangential = l->damping_tangential > 0 ? l->damping_tangential : -1;
    }
    unsigned given = scr_law_uses(l);
    s.uses = (hertz ? SOFT_HERTZ : 0u) | (viscous ? SOFT_VISCOUS : 0u) |
             (s.dashpot > 0 ? SOFT_DASHPOT : 0u) |
             (given & LAW_TWO_FRICTIONS && !viscous ? SOFT_TWO_FRICTIONS : 0u) |
             (given & LAW_TORQUES ? SOFT_TORQUES : 0u) |
             (given & LAW_COHESION ? SOFT_COHESION : 0u);
    return s;
}

ScreeStatus scr_soft_prepare_laws(const State *s, Soft *w) {
    const Materials *m = &s->materials;
    if (w->law != NULL && w->law_version == m->version) {
        return SCREE_OK;
    }
    if (!SCR_RESERVE(w, law, m->count * m->count + 1)) {
        return SCREE_NO_MEMORY;
    }
    w->uses = 0;
    for (size_t i = 0; i < m->count * m->count; i++) {
        w->law[i] = soft_law(&m->law[i], s->def.soft.friction);
        w->uses |= w->law[i].uses;
    }
    w->law_version = m->version;
    return SCREE_OK;
}

/* ---------------------------------------------------------------- contacts */

static double inverse_mass(const State *s, int32_t i) {
    uint32_t axes = s->def.dimension == 2 ? SCREE_FREEZE_X | SCREE_FREEZE_Y : SCREE_FREEZE_POSITION;
    return (s->bodies.frozen[i] & axes) == axes ? 0 : 1 / s->bodies.mass[i];
}

static double inverse_inertia(const State *s, int32_t i) {
    uint32_t axes = s->def.dimension == 2 ? SCREE_FREEZE_ROTATION_Z : SCREE_FREEZE_ROTATION;
    return (s->bodies.frozen[i] & axes) == axes ? 0 : 1 / s->bodies.inertia[i];
}

/* From inverse masses, inverse inertias and curvatures of both partners. */
static SoftMeeting meet(const SoftLaw *law, double mass, double inertia, double turning,
                        double curvature) {
    double tangential = mass + turning;
    return (SoftMeeting){
        .law = law,
        .mass = mass > 0 ? 1 / mass : 0, /* both are held: any dashpot will do */
        .tangential_mass = tangential > 0 ? 1 / tangential : 0,
        .inertia = inertia > 0 ? 1 / inertia : 0,
        .reach = 1 / curvature,
    };
}

double scr_soft_least_radius(const State *s, size_t i) {
    const Solid *solid = scr_solid_of(s, i);
    double least = s->bodies.radius[i];
    for (int32_t k = 0; solid != NULL && k < solid->parts; k++) {
        least = scr_min(least, solid->part[k].rounding);
    }
    return least;
}

/* How strongly a body is curved where an element of it meets another: a face not at all, an edge or a
 * vertex by its rounding. */
static double curvature_at(const State *s, int32_t i, int32_t feature, int32_t element) {
    const Solid *solid = scr_solid_of(s, (size_t)i);
    if (solid == NULL || feature == 0) {
        return 1 / scr_soft_least_radius(s, (size_t)i);
    }
    const Element e = scr_element(solid, element);
    return e.kind == ELEMENT_FACE ? 0 : 1 / e.part->rounding;
}

static SoftMeeting meet_body(const State *s, const Soft *w, int32_t a, int32_t b, int32_t feature) {
    const Bodies *k = &s->bodies;
    double ia = inverse_inertia(s, a), ib = inverse_inertia(s, b);
    double ra = k->radius[a], rb = k->radius[b];
    SoftMeeting m =
        meet(scr_soft_law(s, w, k->material[a], k->material[b]),
             inverse_mass(s, a) + inverse_mass(s, b), ia + ib, ia * ra * ra + ib * rb * rb,
             curvature_at(s, a, feature, scr_feature_a(feature)) +
                 curvature_at(s, b, feature, scr_feature_b(feature)));
    m.turning[0] = ia;
    m.turning[1] = ib;
    return m;
}

static SoftMeeting meet_wall(const State *s, const Soft *w, int32_t a, const ScreeWallDef *d,
                             int32_t feature) {
    double ia = inverse_inertia(s, a), ra = s->bodies.radius[a];
    double piston = d->motion == SCREE_WALL_PISTON ? 1 / d->mass : 0;
    Vec3 seen = scr_seen_by_wall(&s->def, d, s->bodies.position[a]);
    double own = curvature_at(s, a, feature, scr_feature_a(feature));
    double least =
        own > 0 ? own : 1 / scr_soft_least_radius(s, (size_t)a); /* a corner of a block */
    double curvature = least + scr_wall_curvature(d, seen);
    SoftMeeting m =
        meet(scr_soft_law(s, w, s->bodies.material[a], d->material.index),
             inverse_mass(s, a) + piston, ia, ia * ra * ra, curvature > 0 ? curvature : least);
    m.turning[0] = ia;
    return m;
}

SoftMeeting scr_soft_meet(const State *s, const Soft *w, int32_t a, int32_t b, int32_t feature) {
    return b >= 0 ? meet_body(s, w, a, b, feature)
                  : meet_wall(s, w, a, &s->walls.item[scr_wall_of(b)].now, feature);
}

/* K of Hertz, or k. */
static double normal_stiffness(const SoftLaw *l, double reach) {
    return l->uses & SOFT_HERTZ ? l->stiffness * sqrt(reach) : l->stiffness;
}

/* See damping.h: c = 2 z sqrt(k m*), with Hertz z sqrt(5 K m*). */
double scr_soft_damping(const SoftLaw *l, double stiffness, double mass) {
    if (l->damping > 0) {
        return l->damping;
    }
    return l->ratio * sqrt((l->uses & SOFT_HERTZ ? 5 : 4) * stiffness * mass);
}

/* The slope of the normal force; with Hertz, that at the reference overlap. */
static double typical_stiffness(const SoftLaw *l, double stiffness, double reach) {
    return l->uses & SOFT_HERTZ ? scr_spring_hertz(stiffness, reference_overlap * reach).slope
                                : stiffness;
}

/* The tangential spring. Viscous friction without a given coefficient relaxes slip as fast as the
 * normal spring oscillates, which needs no smaller time step. */
static double tangential_stiffness(const SoftMeeting *m, double slope) {
    if (m->law->tangential >= 0) {
        return m->law->tangential;
    }
    if (m->law->uses & SOFT_VISCOUS) {
        return m->mass > 0 ? m->tangential_mass * sqrt(slope / m->mass) : 0;
    }
    return scr_soft_tangential_part * slope;
}

SoftContact scr_soft_contact(const SoftMeeting *m) {
    const SoftLaw *l = m->law;
    double stiffness = normal_stiffness(l, m->reach);
    double slope = typical_stiffness(l, stiffness, m->reach);
    return (SoftContact){
        .stiffness = stiffness,
        .damping = scr_soft_damping(l, stiffness, m->mass),
        .tangential = tangential_stiffness(m, slope),
        .friction = l->uses & SOFT_VISCOUS ? l->friction : l->friction_static,
    };
}

/* Rolling and torsion get the tangential spring at the arm r*, and decay like the normal spring. */
SoftExtra scr_soft_extra(const SoftMeeting *m, const SoftContact *c) {
    const SoftLaw *l = m->law;
    double slope = typical_stiffness(l, c->stiffness, m->reach);
    double stiffness = scr_soft_tangential_part * slope * m->reach * m->reach;
    double ratio = l->damping > 0 && m->mass > 0
                       ? scr_min(1, l->damping / (2 * sqrt(slope * m->mass)))
                       : l->ratio;
    bool glued = l->cohesion > 0;
    return (SoftExtra){
        .opening = glued ? 0 : -1,
        .bond_damping = glued ? 2 * sqrt(scr_soft_bond(l, c->stiffness).stiffness * m->mass) : 0,
        .reach = m->reach,
        .stiffness = stiffness,
        .damping = 2 * ratio * sqrt(stiffness * m->inertia),
    };
}

/* With Hertz the spring of a bond is as stiff as the contact is on average under the strength of
 * the bond. */
Bond scr_soft_bond(const SoftLaw *l, double stiffness) {
    double k = l->uses & SOFT_HERTZ ? scr_cbrt(l->cohesion * stiffness * stiffness) : stiffness;
    return (Bond){l->cohesion, l->cohesion_range, k};
}

double scr_soft_rolling_limit(const SoftLaw *l, double reach, double pressure, int dimension) {
    return scr_rolling_limit(dimension, l->rolling * reach + l->rolling_length, l->rolling_hertz,
                             reach, pressure);
}

/* ---------------------------------------------------------------- time step */

enum { STEPS_PER_COLLISION = 20 };

/* The lightest bodies of a material. */
typedef struct Lightest {
    double mass[2]; /* the two lightest; infinite for those that are held or absent */
    double turning; /* least I / r^2 */
    double inertia; /* least I */
    double radius;  /* of the lightest */
    bool present;
    bool shaped; /* some of them have shapes other than disks */
} Lightest;

static void note_body(const State *s, int32_t i, bool held_as_walls, Lightest *l) {
    double r = s->bodies.radius[i], held_mass = 1 / inverse_mass(s, i);
    const Solid *solid = scr_solid_of(s, (size_t)i);
    double inertia = held_as_walls ? 1 / inverse_inertia(s, i) : s->bodies.inertia[i];
    inertia *= scr_soft_ease_of_turning(solid);
    double arm = s->bodies.shape[i] >= 0 ? scr_soft_longest_arm(s, s->bodies.shape[i]) : 0;
    double own = held_as_walls ? held_mass : s->bodies.mass[i];
    double mass = scr_soft_sprung_mass(arm, own, inertia, solid);
    l->shaped = l->shaped || arm > 0;
    if (!l->present || mass < l->mass[0]) {
        l->radius = r;
    }
    if (mass < l->mass[0]) {
        l->mass[1] = l->mass[0];
        l->mass[0] = mass;
    } else {
        l->mass[1] = scr_min(l->mass[1], mass);
    }
    l->turning = scr_min(l->turning, inertia / (r * r));
    l->inertia = scr_min(l->inertia, inertia);
    l->present = true;
}

/* The largest speed at which two bodies may meet now; for Hertz only. */
static double meeting_speed(const State *s) {
    double square = 0;
    for (size_t i = 0; i < s->bodies.count; i++) {
        square = scr_max(square, dot(s->bodies.velocity[i], s->bodies.velocity[i]));
    }
    for (size_t i = 0; i < s->walls.count; i++) {
        Vec3 v = s->walls.item[i].now.velocity;
        square = scr_max(square, dot(v, v));
    }
    return 2 * sqrt(square);
}

/* Slope at the deepest overlap to be expected: the reference, or that of an impact, m* v^2 / 2 =
 * 2/5 K d^(5/2). */
static double steepest(const SoftLaw *l, double stiffness, double mass, double reach,
                       double speed) {
    if (!(l->uses & SOFT_HERTZ)) {
        return stiffness;
    }
    double deepest = scr_two_fifths(1.25 * mass * speed * speed / stiffness);
    return scr_spring_hertz(stiffness, scr_max(deepest, reference_overlap * reach)).slope;
}

/* A twentieth of the collision time, for the normal, tangential and rolling springs. Dashpots: with
 * the velocities extrapolated to the end of the step, a decay rate c / m is stable for dt < m / c;
 * in a dense packing the rates of a grain's contacts add up to about four times that of one, so a
 * fifth is allowed. Shapes have about twice as many contact points. */
static double meeting_step(const SoftMeeting *m, bool shaped, double speed) {
    const SoftLaw *l = m->law;
    SoftContact c = scr_soft_contact(m);
    double slope = steepest(l, c.stiffness, m->mass, m->reach, speed);
    double damping = c.damping;
    if (l->uses & SOFT_HERTZ && !(l->damping > 0)) {
        damping *= sqrt(slope / (1.5 * c.stiffness)); /* d^(1/4) from the slope 3/2 K d^(1/2) */
    }
    double ratio = damping / (2 * sqrt(slope * m->mass));
    double shortest = scr_collision_phase(ratio) * sqrt(m->mass / slope);
    double rate = damping / m->mass;
    if (l->uses & SOFT_COHESION) {
        rate = scr_max(rate, scr_soft_extra(m, &c).bond_damping / m->mass);
    }
    const double pi = 3.14159265358979323846;
    if (l->friction_static > 0 && l->uses & SOFT_VISCOUS) {
        rate += c.tangential / m->tangential_mass;
    } else if (l->friction_static > 0) {
        double spring = l->tangential < 0 ? scr_soft_tangential_part * slope : l->tangential;
        shortest = scr_min(shortest, pi * sqrt(m->tangential_mass / spring));
        rate += l->dashpot / m->tangential_mass;
    }
    if (l->uses & SOFT_TORQUES && m->inertia > 0) {
        SoftExtra x = scr_soft_extra(m, &c);
        shortest = scr_min(shortest, pi * sqrt(m->inertia / x.stiffness));
    }
    return scr_min(shortest / STEPS_PER_COLLISION, (shaped ? 0.1 : 0.2) / rate);
}

/* The lightest bodies of materials a and b against each other; for a material against itself its
 * two lightest. A partner without mass (a wall) has `partner` NULL. */
static double pair_step(const SoftLaw *law, const Lightest *a, const Lightest *partner, bool same,
                        double speed) {
    double mass = 1 / a->mass[0], turning = 1 / a->turning, inertia = 1 / a->inertia;
    double curvature = 1 / a->radius;
    if (partner != NULL) {
        mass += 1 / (same ? partner->mass[1] : partner->mass[0]);
        turning += 1 / partner->turning;
        inertia += 1 / partner->inertia;
        curvature += 1 / partner->radius;
    }
    if (!(mass > 0)) {
        return INFINITY;
    }
    SoftMeeting m = meet(law, mass, inertia, turning, curvature);
    bool shaped = a->shaped || (partner != NULL && partner->shaped);
    return meeting_step(&m, shaped, speed);
}

static double walls_step(const State *s, const Lightest *l, double speed) {
    double step = INFINITY;
    for (size_t w = 0; w < s->walls.count; w++) {
        const ScreeWallDef *d = &s->walls.item[w].now;
        for (int32_t m = 0; (size_t)m < s->materials.count && s->walls.item[w].present; m++) {
            if (l[m].present) {
                SoftLaw law =
                    soft_law(scr_law(&s->materials, m, d->material.index), s->def.soft.friction);
                double inverse =
                    1 / l[m].mass[0] + (d->motion == SCREE_WALL_PISTON ? 1 / d->mass : 0);
                Lightest both = l[m];
                both.mass[0] = 1 / inverse;
                step = scr_min(step, pair_step(&law, &both, NULL, false, speed));
            }
        }
    }
    return step;
}

/* `held_as_walls`: bodies that are held count as walls. */
static double shortest_step(const State *s, Lightest *l, bool held_as_walls) {
    size_t count = s->materials.count;
    double step = INFINITY, speed = meeting_speed(s);
    for (size_t m = 0; m < count; m++) {
        l[m] = (Lightest){.mass = {INFINITY, INFINITY}, .turning = INFINITY, .inertia = INFINITY};
    }
    for (size_t i = 0; i < s->bodies.count; i++) {
        note_body(s, (int32_t)i, held_as_walls, &l[s->bodies.material[i]]);
    }
    for (size_t a = 0; a < count; a++) {
        for (size_t b = a; b < count; b++) {
            if (l[a].present && l[b].present) {
                SoftLaw law = soft_law(&s->materials.law[a * count + b], s->def.soft.friction);
                step = scr_min(step, pair_step(&law, &l[a], &l[b], a == b, speed));
            }
        }
    }
    return scr_min(step, walls_step(s, l, speed));
}

ScreeStatus scr_soft_advise(const State *s, double *step) {
    enum { FEW = 16 };
    Lightest few[FEW];
    Block block = {0};
    *step = 0;
    if (s->bodies.count == 0) {
        return SCREE_OK;
    }
    if (s->materials.count > FEW &&
        !scr_block_reserve_exact(&block, s->materials.count, sizeof(Lightest), 0)) {
        return SCREE_NO_MEMORY;
    }
    Lightest *lightest = s->materials.count > FEW ? block.data : few;
    double shortest = shortest_step(s, lightest, true);
    if (!(shortest < INFINITY)) { /* everything is held */
        shortest = shortest_step(s, lightest, false);
    }
    scr_block_free(&block);
    *step = shortest < INFINITY ? shortest : 0;
    return SCREE_OK;
}

double scr_soft_advised_step(const State *s) {
    double step = 0;
    (void)scr_soft_advise(s, &step);
    return step;
}

/* ---------------------------------------------------------------- from step to step */

int32_t scr_soft_begin_contact(const State *s, Soft *w, int32_t a, int32_t b) {
    int32_t slot = w->vacancies > 0 ? w->vacant[--w->vacancies] : (int32_t)w->slots++;
    SoftMeeting meeting = scr_soft_meet(s, w, a, b, 0);
    w->contact[slot] = scr_soft_contact(&meeting);
    if (w->extra != NULL) {
        w->extra[slot] = scr_soft_extra(&meeting, &w->contact[slot]);
    }
    return slot;
}

SoftMemory scr_soft_remember(int32_t a, int32_t b, int32_t feature, const SoftContact *c,
                             const SoftExtra *x) {
    const SoftExtra none = {.opening = -1};
    x = x != NULL ? x : &none;
    return (SoftMemory){
        .a = a,
        .b = b,
        .feature = feature,
        .spring = c->spring,
        .roll = x->roll,
        .torsion = x->torsion,
        .opening = x->opening,
        .normal = c->normal,
        .stiffness = c->tangential,
        .friction = c->friction,
    };
}

void scr_soft_revive(const SoftMeeting *meeting, const SoftMemory *m, SoftContact *c,
                     SoftExtra *x) {
    *c = scr_soft_contact(meeting);
    c->spring = m->spring;
    c->normal = m->normal;
    const SoftLaw *l = meeting->law;
    if (l->uses & SOFT_HERTZ && l->tangential < 0 && !(l->uses & SOFT_VISCOUS)) {
        c->tangential = m->stiffness;
    }
    if (l->uses & SOFT_TWO_FRICTIONS && m->friction < l->friction_static) {
        c->friction = l->friction; /* it slides */
    }
    if (x != NULL) {
        *x = scr_soft_extra(meeting, c);
        x->roll = m->roll;
        x->torsion = m->torsion;
        x->opening = l->cohesion > 0 ? m->opening : -1;
    }
}
