/* From the contacts of a step to the rows of the contact problem, in the order of the sweep, and
 * back. A contact with a turning wall has a body of its own in the problem, behind those of
 * place.c, which has the velocity of the wall's surface there. */
#include "dynamics/bonds.h"
#include "dynamics/cascade.h"
#include "dynamics/cell_step.h"
#include "dynamics/copies.h"
#include "dynamics/laws.h"
#include "dynamics/plain_contacts.h"
#include "dynamics/row_order.h"
#include "dynamics/shaped_pairs.h"
#include "dynamics/step_solver.h"

#include "base/random.h"
#include "base/status.h"
#include "law/round.h"
#include "math/reduce.h"
#include "sweep/sweep.h"

#include <float.h>

enum { AHEAD = 8 };

static bool spins(const ScreeWallDef *w) {
    return w->motion == SCREE_WALL_MOVED && (w->spin.x != 0 || w->spin.y != 0 || w->spin.z != 0);
}

/* A straight step along the inside of a curved wall loses a little of the gap each time, and grains
 * would slowly sink into a drum. So the body is sent away from the wall by that amount, as if along
 * the chord of the arc, but never faster than it approached: no energy is created. For a shape, it
 * is the corner that moves along the wall. */
static double hollow_loss(const StepTask *t, const Contact *c) {
    const State *s = t->state;
    const Bodies *b = &s->bodies;
    const ScreeWallDef *w = &s->walls.item[scr_wall_of(c->b)].now;
    double dt = t->with->time_step;
    if (w->shape == SCREE_WALL_PLANE) {
        return 0;
    }
    Vec3 seen = scr_seen_by_wall(&s->def, w, b->position[c->a]);
    Vec3 point = add(seen, scr_contact_arms(s, c).a), motion = t->free->motion[c->a];
    Vec3 before = b->velocity[c->a];
    if (c->feature > 0) {
        Vec3 arm = sub(point, seen);
        seen = point;
        motion = add(motion, cross(scr_free_turn(t->with, s, (size_t)c->a), arm));
        before = add(before, cross(b->spin[c->a], arm));
    }
    double loss = scr_wall_sag(w, seen, scale(dt, sub(motion, w->velocity)));
    if (loss > 0) {
        Vec3 away = sub(before, scr_wall_velocity_at(w, point));
        loss = scr_min(loss, scr_max(0, dt * dot(away, c->normal)));
    }
    return loss;
}

/* The gap as the law takes it (Unger and Kertesz, eq 33), less what the contact is to open. */
static double law_gap(const StepTask *t, const Contact *c, size_t slot) {
    double gap = t->state->def.signed_gap ? c->gap : scr_max(c->gap, 0);
    if (t->problem.growth != NULL) {
        const double growth = scr_closing_growth(t, c);
        t->problem.growth[slot] = growth;
        gap -= t->with->time_step * growth;
    }
    bool turns = c->feature > 0 && !scr_is_foreseen(t, c);
    double lost = turns ? scr_lost_to_turning(t->with, t->state, c) : 0;
    if (t->lost != NULL) {
        t->lost[slot] = lost;
    }
    lost += c->b < 0 ? hollow_loss(t, c) : 0;
    return gap - scr_max(lost, 0);
}

/* `turning` is the next body for a contact with a turning wall. */
static inline Row make_row(StepTask *t, const Contact *c, size_t slot, double per_step,
                           size_t *turning) {
    const State *s = t->state;
    Problem *p = &t->problem;
    Row row = scr_coulomb_row(s, c, law_gap(t, c, slot) * per_step, scr_acted_index(t, c->a),
                              scr_partner_index(t, c));
    if (c->b < 0 && spins(&s->walls.item[scr_wall_of(c->b)].now)) {
        const ScreeWallDef *w = &s->walls.item[scr_wall_of(c->b)].now;
        row.b = (int32_t)(*turning)++;
        Vec3 seen = scr_seen_by_wall(&s->def, w, s->bodies.position[c->a]);
        Vec3 point = add(seen, scr_contact_arms(s, c).a);
        p->body[row.b] = (ProblemBody){.v = scr_wall_velocity_at(w, point)};
    }
    scr_row_complete(p, &row);
    return row;
}

static int32_t tensor_at(const StepTask *t, int32_t body, size_t shared) {
    return t->problem.tensors > 0 && (size_t)body < shared ? t->tensor_of[body] : -1;
}

/* A row needs the full block when one of its bodies has a tensor or a shape. Arms are in units of
 * the radius. */
static void make_general(StepTask *t, size_t contact, size_t shared) {
    const State *s = t->state;
    Problem *p = &t->problem;
    const Contact *c = &s->contacts.item[contact];
    int32_t slot = t->order.slot[contact];
    Row *row = &p->row[slot];
    int32_t ta = tensor_at(t, row->a, shared), tb = tensor_at(t, row->b, shared);
    p->general_of[slot] = -1;
    if (ta < 0 && tb < 0 && c->feature <= 0) {
        return;
    }
    GeneralRow *g = &p->general[slot];
    *g = (GeneralRow){
        .arm_a = row->normal, .arm_b = scale(-1, row->normal), .tensor_a = ta, .tensor_b = tb};
    if (c->feature > 0) {
        Arms arms = scr_arms_of(t, c);
        g->arm_a = scale(1 / s->bodies.radius[c->a], arms.a);
        g->arm_b = c->b >= 0 ? scale(1 / s->bodies.radius[c->b], arms.b) : vec3(0, 0, 0);
    }
    scr_general_complete(p, row, g);
    p->general_of[slot] = slot; /* the sweep reads them in this order */
}

static ScreeStatus reserve_rows(StepTask *t, Arena *arena) {
    Problem *p = &t->problem;
    size_t n = t->state->contacts.count;
    p->general_of = NULL;
    if (p->tensors > 0 || t->state->shapes.count > 0) {
        if (!scr_block_reserve(&t->general_block, n + 1, sizeof *p->general, 0) ||
            !scr_block_reserve(&t->general_of_block, n + 1, sizeof *p->general_of, 0)) {
            return SCREE_NO_MEMORY;
        }
        p->general = t->general_block.data;
        p->general_of = t->general_of_block.data;
    }
    if (!scr_arena_begin(
            arena, scr_arena_bytes(n, sizeof(Row)) + 3 * scr_arena_bytes(n, sizeof(double)) +
                       (t->with->deforms
                            ? scr_arena_bytes(n, sizeof(Vec3)) + scr_arena_bytes(n, sizeof(double))
                            : 0) +
                       (t->with->grows ? scr_arena_bytes(n, sizeof(double)) : 0))) {
        return SCREE_NO_MEMORY;
    }
    p->row = scr_arena_take(arena, n, sizeof(Row));
    p->approach = scr_arena_take(arena, n, sizeof *p->approach);
    t->gap = scr_arena_take(arena, n, sizeof *t->gap);
    const Shapes *shapes = &t->state->shapes;
    bool corrected =
        shapes->count > 0 && shapes->curves == 0 && !scr_is_variational(&t->state->def);
    t->lost = corrected ? scr_arena_take(arena, n, sizeof *t->lost) : NULL;
    p->rows = n;
    p->rows_elsewhere = 0;
    p->spread = false;
    p->processes = NULL;
    p->cell = NULL;
    p->growth = t->with->grows ? scr_arena_take(arena, n, sizeof *p->growth) : NULL;
    if (t->with->deforms) {
        t->cell = scr_cell_body(t->with, t->state, t->free);
        p->cell = &t->cell;
        if (!SCR_RESERVE(&t->order, cell_rate, 9 * t->order.boxes + 1)) {
            return SCREE_NO_MEMORY;
        }
    }
    p->parts = t->order.boxes > 1 ? t->order.boxes : 0;
    p->part_end = t->order.row_end;
    p->part_sum = t->order.box_sum;
    return scr_reserve_sums(&t->sums, n) ? scr_reserve_laws(t) : SCREE_NO_MEMORY;
}

typedef struct Assembly {
    StepTask *task;
    size_t shared; /* bodies besides those of turning walls */
    size_t
        turning[SCR_MOST_PIECES]; /* the first of the latter that each piece of the contacts has */
} Assembly;

/* The units of the residual: see free_square in Problem. */
enum { ALONE, ALL, SUMS };

/* A row that is more than rigid Coulomb between round bodies. */
static void complete_row(const Assembly *a, size_t contact) {
    if (a->task->problem.general_of != NULL) {
        make_general(a->task, contact, a->shared);
    }
    const State *s = a->task->state;
    const Contact *c = &s->contacts.item[contact];
    const ScreeBond *bond = scr_find_bond(&s->bonds, c->a, c->b);
    if (bond != NULL) {
        scr_apply_bond(a->task, contact, bond);
    } else if (s->materials.uses != 0 || s->bonds.count > 0) {
        scr_apply_law(a->task, contact);
    }
}

/* What a bond has to deal with, besides opening and closing: shear, as far as it bears it without any load, and, of
 * glue, turning. */
static double free_shear(const Problem *p, const Row *r, const LawRow *l, Vec3 slip) {
    const Vec3 t = add(slip, l->bias_t);
    const double borne = r->mass_t > 0 ? r->mu * l->adhesion / r->mass_t : 0;
    const double across = scr_min(length(t), borne);
    return l->bonded ? across + l->reach * length(scr_row_spin(p, r, l)) : across;
}

/* The velocity that a row has to deal with: a bond holds its bodies against opening as well; a bridge
 * pulls, and may be far from closing. */
static double free_approach(const Problem *p, const Row *r, const LawRow *l, RowVelocity q) {
    const double qn = q.n + r->bias;
    if (l != NULL && l->bridged) {
        return scr_max(-qn, r->mass_n > 0 ? l->adhesion / r->mass_n : 0);
    }
    return l != NULL && l->adhesion > 0 ? scr_max(fabs(qn), free_shear(p, r, l, q.t))
                                        : scr_max(0, -qn);
}

static void make_piece(void *context, size_t piece) {
    Assembly *a = context;
    StepTask *t = a->task;
    const Contact *contact = t->state->contacts.item;
    Problem *p = &t->problem;
    const bool plain = p->general_of == NULL && t->state->materials.uses == 0 &&
                       t->state->bonds.count == 0 && p->cell == NULL;
    PieceSums *sums = scr_begin_sums(&t->sums, piece, SUMS);
    double per_step = 1 / t->with->time_step;
    size_t end = scr_piece_end(p->rows, piece), turning = a->turning[piece];
    for (size_t i = scr_piece_begin(p->rows, piece); i < end; i++) {
        if (i + AHEAD < end) { /* rows are written in another order than contacts are read */
            __builtin_prefetch(&p->row[t->order.slot[i + AHEAD]], 1);
            __builtin_prefetch((char *)&p->row[t->order.slot[i + AHEAD]] + 64, 1);
            scr_prefetch_bodies(t, &contact[i + AHEAD]);
        }
        size_t slot = (size_t)t->order.slot[i];
        const Row row = make_row(t, &contact[i], slot, per_step, &turning);
        p->row[slot] = row;
        if (plain) { /* from the copy at hand: reading the row back would wait for its store */
            RowVelocity q =
                scr_round_velocity(p->dimension, &p->body[row.a], &p->body[row.b], row.normal);
            double qn = q.n + row.bias, qt = dot(q.t, q.t);
            const LawRound round = {row.mass_n, row.mass_t, row.mu};
            scr_exact_add(&sums->of[ALONE], law_round_alone_square(&round, qn, qt));
            scr_exact_add(&sums->of[ALL], qn * qn + qt);
            p->approach[slot] = scr_max(0, -qn);
            continue;
        }
        if (p->cell != NULL) {
            scr_note_branch(t, &contact[i], slot);
        }
        complete_row(a, i);
        if (p->cell != NULL) {
            scr_add_cell_share(p, slot);
        }
        RowVelocity q = scr_row_velocity(p, slot); /* at free motion */
        double qn = q.n + p->row[slot].bias, qt = dot(q.t, q.t);
        scr_exact_add(&sums->of[ALONE], scr_row_alone_square(p, slot, qn, qt));
        scr_exact_add(&sums->of[ALL], qn * qn + qt);
        p->approach[slot] = free_approach(p, &p->row[slot], scr_law_row(p, slot), q);
    }
}

/* A last digit of the positions of bodies in contact. */
static double position_rounding(const ContactExtent *x) {
    double most = 0;
    for (int k = 0; k < 3 && x->contacts > 0; k++) {
        most = scr_max(most, scr_max(-component(x->low, k), component(x->high, k)));
    }
    return DBL_EPSILON * most;
}

void scr_note_units(StepTask *t) {
    Problem *p = &t->problem;
    p->least_approach =
        sqrt(dot(t->state->def.gravity, t->state->def.gravity)) * t->with->time_step;
    p->gap_rounding = position_rounding(&t->extent) / t->with->time_step;
}

static size_t count_turning(const StepTask *t, size_t begin, size_t end) {
    const State *s = t->state;
    const size_t walls = t->extent.first_with_wall;
    size_t count = 0;
    bool any = false;
    for (size_t k = 0; k < s->walls.count; k++) {
        any = any || spins(&s->walls.item[k].now);
    }
    for (size_t i = begin > walls ? begin : walls; i < end && any; i++) {
        int32_t b = s->contacts.item[i].b;
        count += b < 0 && spins(&s->walls.item[scr_wall_of(b)].now);
    }
    return count;
}

/* Contacts with turning walls take their bodies in the order of the contacts, whichever thread makes
 * their rows. */
static void number_turning(Assembly *a) {
    Problem *p = &a->task->problem;
    for (size_t k = 0; k < scr_pieces(p->rows); k++) {
        a->turning[k] = p->bodies;
        p->bodies += count_turning(a->task, scr_piece_begin(p->rows, k), scr_piece_end(p->rows, k));
    }
}

/* On all threads, unless rows must be numbered one after the other. */
static void make_rows(StepTask *t) {
    Problem *p = &t->problem;
    bool numbered = (t->state->materials.uses & LAW_TWO_FRICTIONS) != 0;
    Assembly a = {.task = t, .shared = p->bodies};
    number_turning(&a);
    scr_threads_loop_from_end(numbered ? NULL : t->with->threads, scr_pieces(p->rows), make_piece,
                              &a);
    scr_note_units(t);
    p->free_square = scr_sum_pieces(&t->sums, p->rows, ALONE);
    p->free_square_fclib = scr_sum_pieces(&t->sums, p->rows, ALL);
}

/* What passes between processes in a sweep. */
static ScreeStatus spread_rows(StepTask *t) {
    const State *s = t->state;
    const int32_t *rank = t->list->neighbours.rank;
    int32_t *split;
    size_t splits = 0;
    if (t->share == NULL) {
        return SCREE_OK;
    }
    const size_t most = s->walls.count + t->share->larges;
    if (!scr_block_reserve(&t->split_block, most + 1, sizeof *split, 0)) {
        return SCREE_NO_MEMORY;
    }
    split = t->split_block.data;
    for (size_t w = 0; w < s->walls.count; w++) {
        if (s->walls.item[w].present && s->walls.item[w].now.motion == SCREE_WALL_PISTON) {
            split[splits++] = scr_wall_index(s, w);
        }
    }
    for (size_t k = 0; k < t->share->larges; k++) {
        split[splits++] = rank[t->share->large_body[k]];
    }
    const SpreadInput input = {
        .with = t->share->with,
        .key = scr_random_key(s->def.seed, s->step, UINT64_MAX),
        .bodies = t->share->borders,
        .by_name = t->share->border,
        .rank = rank,
        .uses = (const uint16_t(*)[DOMAIN_GROUPS])t->share->uses,
        .splits = splits,
        .split = split,
    };
    return scr_spread_make(&t->domain, &t->problem, &t->order, &input) ? SCREE_OK : SCREE_NO_MEMORY;
}

/* Whether a process has such rows or not, it must settle their frictions together with others. */
static void count_twos(StepTask *t) {
    Problem *p = &t->problem;
    int64_t count = (int64_t)p->twos;
    if (t->share != NULL && (t->state->materials.uses & LAW_TWO_FRICTIONS) != 0) {
        scr_count_over_processes(t->share->with, &count, 1);
        p->twos_elsewhere = (size_t)count - p->twos;
    }
}

ScreeStatus scr_assemble(StepTask *t, Arena *arena) {
    Problem *p = &t->problem;
    size_t turning = count_turning(t, 0, t->state->contacts.count);
    p->dimension = t->state->def.dimension;
    t->order.spread = NULL;
    if (!scr_block_reserve(&t->body_block, p->bodies + turning, sizeof *p->body,
                           p->bodies * sizeof *p->body)) {
        return SCREE_NO_MEMORY;
    }
    p->body = t->body_block.data;
    SCR_TRY(scr_choose_order(t, arena));
    if (t->share != NULL && (t->share->given_up || t->share->wanted > t->share->layer)) {
        return SCREE_OK; /* to be posed again, with more ghosts or with all bodies */
    }
    SCR_TRY(reserve_rows(t, arena));
    SCR_TRY(spread_rows(t));
    if (t->with->deforms) {
        scr_reserve_cell_rows(t, arena);
    }
    SCR_TRY(scr_reserve_copies(t, turning));
    make_rows(t);
    count_twos(t);
    SCR_TRY(scr_chain_impacts(t));
    scr_use_copies(t);
    scr_push_rows(p, &t->order, t->with->threads);
    return SCREE_OK;
}
