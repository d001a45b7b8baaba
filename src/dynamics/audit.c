/* Was a contact missed? The contacts of a step are chosen at free motion; here it is seen whether
 * the impulses have led some body into another that was left out. */
#include "dynamics/engine.h"

#include "narrow/narrow.h"
#include "shape/wall.h"

enum { AHEAD = 8 };

/* What an audit of one piece of the bodies has found. */
typedef struct Found {
    bool
        outruns; /* a body goes past its margin: it may then have met one that is not in the list */
    bool infinite; /* a position is no number */
    double energy; /* twice the sum */
    double most;   /* [length] largest shift */
} Found;

typedef struct Audit {
    const State *state;
    const Engine *engine;
    double *shift; /* [ranks] how far the impulses have moved each from where it would have gone */
    Found found[SCR_MOST_PIECES];
} Audit;

static void audit_piece(void *context, size_t piece) {
    Audit *a = context;
    const State *s = a->state;
    const Engine *e = a->engine;
    const Bodies *b = &s->bodies;
    const bool shapes = s->shapes.count > 0;
    double dt = s->def.time_step;
    Found f = {0};
    size_t end = scr_piece_end(b->count, piece);
    for (size_t i = scr_piece_begin(b->count, piece); i < end; i++) {
        if (i + AHEAD < end) {
            __builtin_prefetch(&e->problem.body[e->neighbours.rank[i + AHEAD]]);
        }
        const int32_t rank = e->neighbours.rank[i];
        const ProblemBody *p = &e->problem.body[rank];
        Vec3 d = sub(p->v, e->free_motion[i]);
        double shift = sqrt(dot(d, d)) * dt;
        if (shapes && b->shape[i] >= 0) { /* its corners move also as it turns */
            Vec3 turn = scale(b->radius[i], scr_motion(s, b->spin[i], scr_free_spin(s, i)));
            shift += fabs(p->s.z - turn.z) * dt;
        }
        a->shift[rank] = shift;
        f.most = fmax(f.most, shift);
        f.outruns = f.outruns || !scr_stays_within(s, i, p->v, 1);
        f.infinite = f.infinite || !is_finite(add_scaled(b->position[i], dt, p->v));
        f.energy += scr_motion_energy(s, i, p);
    }
    a->found[piece] = f;
}

/* The same of a wall: a piston. */
static double wall_shift(const State *s, const Engine *e, size_t w) {
    const ScreeWallDef *wall = &s->walls.item[w].now;
    if (!s->walls.item[w].present || wall->motion != SCREE_WALL_PISTON) {
        return 0;
    }
    Vec3 d = sub(e->problem.body[scr_wall_place(s, w)].v, scr_wall_motion(wall, wall->point));
    return length(d) * s->def.time_step;
}

static Found audit_bodies(const State *s, Engine *e) {
    Audit a = {.state = s, .engine = e, .shift = e->scratch_block.data};
    size_t pieces = scr_pieces(s->bodies.count);
    scr_threads_loop(e->threads, pieces, audit_piece, &a);
    Found all = {0};
    for (size_t k = 0; k < pieces; k++) {
        const Found *f = &a.found[k];
        all.outruns = all.outruns || f->outruns;
        all.infinite = all.infinite || f->infinite;
        all.energy += f->energy;
        all.most = fmax(all.most, f->most);
    }
    for (size_t w = 0; w < s->walls.count; w++) {
        all.most = fmax(all.most, wall_shift(s, e, w));
    }
    return all;
}

/* Whether a pair of round bodies that is no contact would overlap at the new velocities. */
static bool balls_overlap(const State *s, const Engine *e, Pair p) {
    const Spot *a = &e->neighbours.spot[p.a], *b = &e->neighbours.spot[p.b];
    int32_t i = e->neighbours.order[p.a], j = e->neighbours.order[p.b];
    double radius = fmin(a->reach, b->reach);
    Vec3 d = scr_nearest_image(&s->def, sub(b->x, a->x));
    Touch touch = scr_touch_balls(d, a->reach, b->reach);
    double free = dot(sub(e->free_motion[j], e->free_motion[i]), touch.normal);
    if (scr_may_close(s, e, touch.gap, free, radius)) {
        return false; /* is a contact */
    }
    double now = dot(sub(e->problem.body[p.b].v, e->problem.body[p.a].v), touch.normal);
    return touch.gap + now * s->def.time_step < -1e-9 * radius;
}

typedef struct PairAudit {
    const State *state;
    Engine *engine;
    const double *shift;
    bool missed[SCR_MOST_PIECES];
} PairAudit;

static void audit_pairs(void *context, size_t piece) {
    PairAudit *a = context;
    const State *s = a->state;
    Engine *e = a->engine;
    const Spot *spot = e->neighbours.spot;
    const bool shapes = s->shapes.count > 0;
    size_t n = e->neighbours.count, end = scr_piece_end(n, piece);
    a->missed[piece] = false;
    for (size_t i = scr_piece_begin(n, piece); i < end && !a->missed[piece]; i++) {
        Pair p = e->neighbours.pair[i];
        double radius = fmin(spot[p.a].reach, spot[p.b].reach);
        if (a->shift[p.a] + a->shift[p.b] <= e->slack * radius) {
            continue; /* too little to use up the slack */
        }
        Pair bodies = scr_bodies_of(e, p);
        a->missed[piece] = shapes && scr_is_shaped(s, bodies.a, bodies.b)
                               ? scr_shapes_missed(s, e, bodies.a, bodies.b)
                               : balls_overlap(s, e, p);
    }
}

/* Whether some pair of the list that is no contact would overlap. Shapes share their work space. */
static bool pair_overlaps(const State *s, Engine *e, const double *shift) {
    PairAudit a = {.state = s, .engine = e, .shift = shift};
    size_t pieces = scr_pieces(e->neighbours.count);
    scr_threads_loop(s->shapes.count > 0 ? NULL : e->threads, pieces, audit_pairs, &a);
    bool missed = false;
    for (size_t k = 0; k < pieces; k++) {
        missed = missed || a.missed[k];
    }
    return missed;
}

/* The same for a body and a wall. */
static bool overlaps_wall(const State *s, Engine *e, size_t i, size_t w) {
    const Bodies *k = &s->bodies;
    const ScreeWallDef *wall = &s->walls.item[w].now;
    if (k->shape[i] >= 0) {
        return scr_shapes_missed(s, e, (int32_t)i, -1 - (int32_t)w);
    }
    Touch touch = scr_touch_wall(&s->def, wall, k->position[i], k->radius[i]);
    Vec3 seen = scr_seen_by_wall(&s->def, wall, k->position[i]);
    Vec3 point = add_scaled(seen, k->radius[i], touch.normal);
    Vec3 free = scr_wall_motion(wall, point);
    double before = dot(sub(free, e->free_motion[i]), touch.normal);
    if (scr_may_close(s, e, touch.gap, before, k->radius[i])) {
        return false;
    }
    Vec3 now = wall->motion == SCREE_WALL_PISTON ? e->problem.body[scr_wall_place(s, w)].v : free;
    double approach = dot(sub(now, scr_problem_body(e, (int32_t)i)->v), touch.normal);
    return touch.gap + approach * s->def.time_step < -1e-9 * k->radius[i];
}

static bool wall_overlaps(const State *s, Engine *e, const double *shift) {
    for (size_t w = 0; w < s->walls.count; w++) {
        double own = wall_shift(s, e, w);
        for (size_t i = 0; i < s->bodies.count && s->walls.item[w].present; i++) {
            if (shift[e->neighbours.rank[i]] + own > e->slack * s->bodies.radius[i] &&
                overlaps_wall(s, e, i, w)) {
                return true;
            }
        }
    }
    return false;
}

bool scr_missed_contact(State *s, Engine *e) {
    const Found found = audit_bodies(s, e);
    double least = e->least_radius;
    e->finite = !found.infinite && isfinite(16 * found.energy);
    if (found.outruns) {
        s->list_stale = true;
        return true;
    }
    if (2 * found.most <= e->slack * least) {
        return false; /* nothing outside of the slack can have closed */
    }
    bool missed =
        pair_overlaps(s, e, e->scratch_block.data) || wall_overlaps(s, e, e->scratch_block.data);
    if (missed) {
        e->slack = fmax(2 * e->slack, 2.2 * found.most / least);
    }
    return missed;
}
