#include "dynamics/bridges.h"

#include "dynamics/reduced.h"
#include "law/normal.h"
#include "math/exact_sum.h"

/* A gap so near to the reach differs from it by rounding. */
static const double within = 1 - 1e-9;

/* Until a velocity between two others has all its digits. */
enum { MOST_HALVINGS = 64 };

Bridge scr_contact_bridge(const State *s, const Contact *c) {
    const ScreeLaw *law = scr_contact_law(s, c);
    return scr_has_bridges(law) ? scr_bridge(law, scr_reduced_bounds(s, c)) : (Bridge){0, 0, 0};
}

double scr_energy_of_bridges(const State *s) {
    const Contacts *k = &s->contacts;
    const bool any = (s->materials.uses & LAW_BRIDGES) != 0 && k->extra != NULL;
    ExactSum sum;
    scr_exact_clear(&sum);
    for (size_t i = 0; any && i < k->count; i++) {
        if (k->extra[i].opening > 0) {
            const Bridge bridge = scr_contact_bridge(s, &k->item[i]);
            scr_exact_add(&sum, scr_bridge_energy(&bridge, k->extra[i].opening));
        }
    }
    return scr_exact_total(&sum);
}

double scr_bridge_pull(const Bridge *b, const BridgeStep *k) {
    const double full = scr_bridge_force(b, k->gap) * k->time_step;
    const double slowed = k->mass > 0 ? k->free - full / k->mass : k->free;
    if (!(k->gap + k->time_step * slowed >= b->reach)) {
        return full;
    }
    const double end = (k->free - (1 - k->theta) * k->before) / k->theta;
    const double per_impulse = k->mass > 0 ? 1 / (k->mass * k->theta) : 0;
    const double left = scr_bridge_energy(b, b->reach) - scr_bridge_energy(b, k->gap);
    return law_bond_tension(k->before, end, per_impulse, full, left);
}

/* A pair that leaves its impact at the velocity u' has m u'^2 / 2 + U(g'), with the gap g' to which that
 * leads in this step. What it may have is e^2 of what it brought along: m u^2 / 2 and, of a bridge that was
 * there, U(g). */
typedef struct Rebound {
    const Bridge *bridge;
    const BridgeStep *step;
    double budget;
} Rebound;

/* For u' > 0 this never falls as u' grows: there is one solution at most. */
static double too_much(const Rebound *r, double after) {
    const BridgeStep *k = r->step;
    const double way = k->theta * after + (1 - k->theta) * k->before;
    const double gap = scr_max(k->gap, 0) + k->time_step * way + k->gained;
    return 0.5 * k->mass * k->theta * after * after + scr_bridge_energy(r->bridge, gap) - r->budget;
}

/* The velocity next to `beyond` the budget that is still `inside` it. */
static double bisect(const Rebound *r, double inside, double beyond) {
    for (int k = 0; k < MOST_HALVINGS; k++) {
        const double middle = 0.5 * (inside + beyond);
        if (too_much(r, middle) > 0) {
            beyond = middle;
        } else {
            inside = middle;
        }
    }
    return inside;
}

double scr_wet_rebound(const Bridge *b, const BridgeStep *k, double e, bool bridged) {
    const double gap = scr_max(k->gap, 0), mass = k->mass * k->theta;
    const double held = bridged ? scr_bridge_energy(b, gap) : 0;
    const Rebound r = {b, k, e * e * (0.5 * mass * k->before * k->before + held)};
    const double dry = mass > 0 ? sqrt(2 * r.budget / mass) : 0;
    const double shut = -(gap / k->time_step + (1 - k->theta) * k->before) / k->theta;
    if (too_much(&r, scr_max(shut, 0)) <= 0) {
        return too_much(&r, dry) <= 0 ? dry : bisect(&r, scr_max(shut, 0), dry);
    }
    return shut < 0 && too_much(&r, shut) <= 0 ? bisect(&r, shut, 0) : shut;
}

double scr_bridge_after(const StepTask *t, size_t contact, double opening) {
    const State *s = t->state;
    const Contact *c = &s->contacts.item[contact];
    const size_t slot = (size_t)t->order.slot[contact];
    const Bridge bridge = scr_contact_bridge(s, c);
    const double dt = t->with->time_step;
    const double end = scr_max(c->gap, 0) + dt * scr_row_velocity(&t->problem, slot).n;
    const bool pushed = scr_row_pressure(&t->problem, slot) > 1e-9 * bridge.force * dt;
    const bool touched = pushed || end <= 1e-9 * s->bodies.radius[c->a];
    const bool held = opening >= 0 && c->gap < bridge.reach;
    return (touched || held) && end < within * bridge.reach ? scr_max(end, 0) : -1;
}

BridgeTaken scr_certify_bridge(const StepTask *t, State *s, size_t contact, double gap,
                               bool spring) {
    const Contact *c = &s->contacts.item[contact];
    double *opening = &s->contacts.extra[contact].opening;
    const LawRow *l = scr_law_row(&t->problem, (size_t)t->order.slot[contact]);
    const bool before = l != NULL && l->bridged, after = *opening >= 0;
    BridgeTaken taken = {0};
    if (!before && !after) {
        return taken;
    }
    const Bridge bridge = scr_contact_bridge(s, c);
    const double dt = t->with->time_step;
    const double mean = scr_row_velocity(&t->problem, (size_t)t->order.slot[contact]).n;
    const double work = before && !spring ? l->adhesion * mean : 0;
    if (!after) {
        taken.broken = work + scr_bridge_energy(&bridge, c->gap);
    } else {
        const double straight = scr_bridge_energy(&bridge, *opening);
        const double below = scr_min(c->gap + dt * mean, 0) - scr_min(c->gap, 0);
        taken.pressed = before && !spring ? l->adhesion / dt * below : 0;
        *opening = scr_min(scr_max(gap, 0), within * bridge.reach);
        taken.held = scr_bridge_energy(&bridge, *opening);
        taken.straight = scr_max(0, taken.held - straight);
        taken.made = before || (l != NULL && l->bonded) ? 0 : -taken.held;
    }
    taken.scheme = work - taken.pressed - taken.broken - taken.made;
    return taken;
}
