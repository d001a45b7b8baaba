/* From the contacts of a step to the contact problem and back.
 *
 * Bodies of the problem: the grains in their order along space, then one for the fixed world, then
 * one for each wall (a piston moves, a wall that is moved has its velocity), then one for each
 * contact with a turning wall, which has the velocity of the wall's surface there. All but pistons
 * have no inverse mass, so no impulse changes them. */
#include "engine/engine.h"

#include "base/random.h"
#include "narrow/narrow.h"
#include "shape/wall.h"

#include <string.h>

enum { AHEAD = 8 };

static bool spins(const ScreeWallDef *w) {
    return w->motion == SCREE_WALL_MOVED && (w->spin.x != 0 || w->spin.y != 0 || w->spin.z != 0);
}

/* Whether some but not all of the axes that exist are frozen. */
static bool partly(uint32_t frozen, uint32_t axes) {
    return (frozen & axes) != 0 && (frozen & axes) != axes;
}

static uint32_t position_axes(int dimension) {
    return dimension == 2 ? SCREE_FREEZE_X | SCREE_FREEZE_Y : SCREE_FREEZE_POSITION;
}

static uint32_t rotation_axes(int dimension) {
    return dimension == 2 ? SCREE_FREEZE_ROTATION_Z : SCREE_FREEZE_ROTATION;
}

static bool needs_tensor(const State *s, size_t i) {
    uint32_t frozen = s->bodies.frozen[i];
    int dimension = s->def.dimension;
    return partly(frozen, position_axes(dimension)) || partly(frozen, rotation_axes(dimension));
}

/* ---------------------------------------------------------------- bodies */

static Sym3 along_free_axes(double inverse, uint32_t frozen, unsigned first) {
    return sym3_diagonal(frozen >> first & 1 ? 0 : inverse, frozen >> (first + 1) & 1 ? 0 : inverse,
                         frozen >> (first + 2) & 1 ? 0 : inverse);
}

static ProblemBody grain(const State *s, const Engine *e, size_t i) {
    const Bodies *b = &s->bodies;
    uint32_t frozen = b->frozen[i], position = position_axes(s->def.dimension),
             rotation = rotation_axes(s->def.dimension);
    double r = b->radius[i], theta = s->def.theta;
    return (ProblemBody){
        .v = e->free_motion[i],
        .s = scale(r, scr_motion(s, b->spin[i], scr_free_spin(s, i))),
        .inverse_mass = (frozen & position) == position ? 0 : theta / b->mass[i],
        .inverse_inertia = (frozen & rotation) == rotation ? 0 : theta * r * r / b->inertia[i],
    };
}

static Tensor grain_tensor(const State *s, size_t i, const ProblemBody *p) {
    uint32_t frozen = s->bodies.frozen[i];
    return (Tensor){along_free_axes(p->inverse_mass, frozen, 0),
                    along_free_axes(p->inverse_inertia, frozen, 3)};
}

static ProblemBody wall_body(const State *s, const ScreeWallDef *w) {
    ProblemBody body = {.v = w->velocity};
    if (w->motion == SCREE_WALL_FIXED) {
        body.v = vec3(0, 0, 0);
    }
    if (w->motion == SCREE_WALL_PISTON) {
        body.inverse_mass = s->def.theta / w->mass;
        body.v = scr_motion(s, w->velocity, scr_free_piston(s, w));
    }
    return body;
}

/* How many tensors there may be at most: partly frozen grains and pistons. */
static size_t count_tensors(const State *s) {
    size_t count = 0;
    for (size_t i = 0; i < s->bodies.count; i++) {
        count += needs_tensor(s, i);
    }
    for (size_t i = 0; i < s->walls.count; i++) {
        count += s->walls.item[i].present && s->walls.item[i].now.motion == SCREE_WALL_PISTON;
    }
    return count;
}

static size_t count_turning_contacts(const State *s) {
    size_t count = 0;
    for (size_t i = 0; i < s->contacts.count; i++) {
        int32_t b = s->contacts.item[i].b;
        count += b < 0 && spins(&s->walls.item[-1 - b].now);
    }
    return count;
}

static ScreeStatus reserve_bodies(const State *s, Engine *e, size_t tensors, size_t turning) {
    Problem *p = &e->problem;
    size_t shared = s->bodies.count + 1 + s->walls.count;
    if (!scr_block_reserve(&e->body_block, shared + turning, sizeof *p->body, 0) ||
        !scr_block_reserve(&e->tensor_block, tensors, sizeof *p->tensor, 0) ||
        (tensors > 0 && !scr_block_reserve(&e->tensor_of_block, shared, sizeof(int32_t), 0))) {
        return SCREE_NO_MEMORY;
    }
    p->body = e->body_block.data;
    p->tensor = e->tensor_block.data;
    p->bodies = shared;
    p->tensors = 0;
    return SCREE_OK;
}

static void note_tensor(Engine *e, size_t place, Tensor tensor) {
    int32_t *tensor_of = e->tensor_of_block.data;
    tensor_of[place] = (int32_t)e->problem.tensors;
    e->problem.tensor[e->problem.tensors++] = tensor;
}

static void fill_bodies(const State *s, Engine *e, size_t tensors) {
    Problem *p = &e->problem;
    if (tensors > 0) {
        memset(e->tensor_of_block.data, 0xff, p->bodies * sizeof(int32_t)); /* all -1 */
    }
    for (size_t i = 0; i < s->bodies.count; i++) {
        size_t place = (size_t)e->neighbours.rank[i];
        p->body[place] = grain(s, e, i);
        if (tensors > 0 && needs_tensor(s, i)) {
            note_tensor(e, place, grain_tensor(s, i, &p->body[place]));
        }
    }
    p->body[s->bodies.count] = (ProblemBody){0};
    for (size_t i = 0; i < s->walls.count; i++) {
        const ScreeWallDef *w = &s->walls.item[i].now;
        size_t place = (size_t)scr_wall_place(s, i);
        p->body[place] = wall_body(s, w);
        if (s->walls.item[i].present && w->motion == SCREE_WALL_PISTON) {
            note_tensor(e, place,
                        (Tensor){.inverse_mass = sym3_dyad(s->def.theta / w->mass, w->direction)});
        }
    }
}

/* ---------------------------------------------------------------- order */

static Vec3 contact_point(const State *s, const ScreeContact *c) {
    return add(s->bodies.position[c->a], scr_contact_arms(s, c).a);
}

static int32_t partner_place(const State *s, const Engine *e, const ScreeContact *c) {
    return c->b >= 0 ? e->neighbours.rank[c->b] : scr_wall_place(s, (size_t)(-1 - c->b));
}

/* Side of a box of the sweep: a few grains. A point lies on the surface of a, so from b it is the
 * radius and the gap away: the contact points of one body are less than a side apart, so that boxes
 * of one parity share none, unless it is larger than `largest`. */
typedef struct BoxSize {
    double side, largest;
} BoxSize;

static BoxSize box_size(const State *s, double gap) {
    double sum = 0;
    for (size_t i = 0; i < s->bodies.count; i++) {
        sum += s->bodies.radius[i];
    }
    double diameter = 2 * sum / (double)s->bodies.count;
    double side = fmax((s->def.dimension == 3 ? 5.5 : 12) * diameter, 4.2 * gap);
    return (BoxSize){side, side / 2.1 - gap};
}

/* The place of a body for the order: of one that is to be split, -1 - place. */
static int32_t order_place(const State *s, const Engine *e, int32_t body, const BoxSize *box) {
    if (body >= 0) {
        int32_t place = e->neighbours.rank[body];
        return s->bodies.radius[body] > box->largest ? -1 - place : place;
    }
    int32_t place = scr_wall_place(s, (size_t)(-1 - body));
    bool moves = s->walls.item[-1 - body].now.motion == SCREE_WALL_PISTON;
    return moves && box->side > 0 ? -1 - place : place;
}

/* Kinds of rows, which are computed differently: with a law of its own or a full block, sliding
 * before (a root and a division), and the rest. */
static int32_t order_kind(const State *s, const Engine *e, const ScreeContact *c) {
    bool plain = (s->materials.uses & ~(unsigned)LAW_TWO_FRICTIONS) == 0 ||
                 (scr_law_uses(scr_contact_law(s, c)) & ~(unsigned)LAW_TWO_FRICTIONS) == 0;
    if (c->feature != 0 || !plain) {
        return plain ? 3 : 2;
    }
    if (e->problem.tensors > 0) {
        const int32_t *tensor_of = e->tensor_of_block.data;
        if (tensor_of[e->neighbours.rank[c->a]] >= 0 || tensor_of[partner_place(s, e, c)] >= 0) {
            return 2;
        }
    }
    return c->state == SCREE_CONTACT_SLIP;
}

typedef struct Listing {
    const State *state;
    const Engine *engine;
    OrderContact *contact;
    BoxSize box;
} Listing;

static void list_piece(void *context, size_t piece) {
    const Listing *l = context;
    const State *s = l->state;
    size_t end = scr_piece_end(s->contacts.count, piece);
    for (size_t i = scr_piece_begin(s->contacts.count, piece); i < end; i++) {
        const ScreeContact *c = &s->contacts.item[i];
        l->contact[i] =
            (OrderContact){contact_point(s, c), order_place(s, l->engine, c->a, &l->box),
                           order_place(s, l->engine, c->b, &l->box), order_kind(s, l->engine, c)};
    }
}

static ScreeStatus choose_order(const State *s, Engine *e) {
    size_t n = s->contacts.count;
    size_t bytes = n * sizeof(OrderContact) + scr_order_scratch(n);
    if (!scr_block_reserve(&e->row_block, n + 1, sizeof(Row), 0) ||
        !scr_block_reserve(&e->row_block, bytes / sizeof(Row) + 1, sizeof(Row), 0)) {
        return SCREE_NO_MEMORY;
    }
    OrderContact *contact = e->row_block.data;
    bool boxed = s->def.solver.order == SCREE_ORDER_BOXED && n > 0;
    Listing listing = {s, e, contact, boxed ? box_size(s, e->largest_gap) : (BoxSize){0, INFINITY}};
    scr_threads_loop(e->threads, scr_pieces(n), list_piece, &listing);
    const OrderInput input = {
        .count = n,
        .contact = contact,
        .bodies = e->problem.bodies,
        .walls_from = (int32_t)s->bodies.count,
        .period = {s->def.periodic[0] ? s->def.cell_max.x - s->def.cell_min.x : 0,
                   s->def.periodic[1] ? s->def.cell_max.y - s->def.cell_min.y : 0,
                   s->def.periodic[2] ? s->def.cell_max.z - s->def.cell_min.z : 0},
        .box_side = listing.box.side,
        .key = scr_random_key(s->def.seed, s->step, UINT64_MAX),
        .scratch = contact + n,
        .threads = e->threads,
    };
    bool ok;
    switch (s->def.solver.order) {
    case SCREE_ORDER_BOXED:
        ok = scr_order_boxed(&input, &e->order);
        break;
    case SCREE_ORDER_COLOURED:
        ok = scr_order_coloured(&input, &e->order);
        break;
    default:
        ok = scr_order_plain(&input, &e->order);
    }
    return ok ? SCREE_OK : SCREE_NO_MEMORY;
}

/* ---------------------------------------------------------------- rows */

/* Along a hollow wall a straight step would lose some of the gap, a little with every step, and
 * grains would sink into a drum. So the body is sent off the wall by as much, as along the chord of
 * an arc, but never faster than it came: then no energy is made. Of a shape it is the corner that
 * moves along the wall. */
static double hollow_loss(const State *s, const Engine *e, const ScreeContact *c) {
    const Bodies *b = &s->bodies;
    const ScreeWallDef *w = &s->walls.item[-1 - c->b].now;
    double dt = s->def.time_step;
    Vec3 seen = scr_seen_by_wall(&s->def, w, b->position[c->a]);
    Vec3 point = add(seen, scr_contact_arms(s, c).a), motion = e->free_motion[c->a];
    Vec3 before = b->velocity[c->a];
    if (c->feature != 0) {
        Vec3 arm = sub(point, seen);
        seen = point;
        motion =
            add(motion, cross(scr_motion(s, b->spin[c->a], scr_free_spin(s, (size_t)c->a)), arm));
        before = add(before, cross(b->spin[c->a], arm));
    }
    double loss = scr_wall_sag(w, seen, scale(dt, sub(motion, w->velocity)));
    if (loss > 0) {
        Vec3 away = sub(before, scr_wall_velocity_at(w, point));
        loss = fmin(loss, fmax(0, dt * dot(away, c->normal)));
    }
    return loss;
}

/* The gap as the law takes it (Unger and Kertesz, eq 33). */
static double law_gap(const State *s, const Engine *e, const ScreeContact *c) {
    double gap = s->def.signed_gap ? c->gap : fmax(c->gap, 0);
    gap -= c->feature != 0 ? scr_lost_to_turning(s, c) : 0;
    return c->b < 0 ? gap - hollow_loss(s, e, c) : gap;
}

static Row make_row(const State *s, Engine *e, const ScreeContact *c) {
    Problem *p = &e->problem;
    bool warm = s->def.solver.warm_start;
    Row row = {
        .normal = c->normal,
        .rn = warm ? c->normal_impulse : 0,
        .rt = warm ? c->tangential_impulse : vec3(0, 0, 0),
        .bias = law_gap(s, e, c) / s->def.time_step,
        .mu = scr_contact_law(s, c)->friction,
        .a = e->neighbours.rank[c->a],
        .b = partner_place(s, e, c),
    };
    if (c->b < 0 && spins(&s->walls.item[-1 - c->b].now)) {
        const ScreeWallDef *w = &s->walls.item[-1 - c->b].now;
        row.b = (int32_t)p->bodies++;
        Vec3 seen = scr_seen_by_wall(&s->def, w, s->bodies.position[c->a]);
        Vec3 point = add(seen, scr_contact_arms(s, c).a);
        p->body[row.b] = (ProblemBody){.v = scr_wall_velocity_at(w, point)};
    }
    if (p->dimension == 2) {
        Vec3 t = row.rt;
        row.rt = vec3(t.y * c->normal.x - t.x * c->normal.y, 0, 0);
    }
    scr_row_complete(p, &row);
    return row;
}

static int32_t tensor_at(const Engine *e, int32_t place, size_t shared) {
    const int32_t *tensor_of = e->tensor_of_block.data;
    return e->problem.tensors > 0 && (size_t)place < shared ? tensor_of[place] : -1;
}

/* A row needs the full block when one of its bodies has a tensor or a shape. Arms are in units of
 * the radius. */
static void make_general(const State *s, Engine *e, size_t contact, size_t shared) {
    Problem *p = &e->problem;
    const ScreeContact *c = &s->contacts.item[contact];
    int32_t slot = e->order.slot[contact];
    Row *row = &p->row[slot];
    int32_t ta = tensor_at(e, row->a, shared), tb = tensor_at(e, row->b, shared);
    p->general_of[slot] = -1;
    if (ta < 0 && tb < 0 && c->feature == 0) {
        return;
    }
    GeneralRow *g = &p->general[contact];
    *g = (GeneralRow){
        .arm_a = row->normal, .arm_b = scale(-1, row->normal), .tensor_a = ta, .tensor_b = tb};
    if (c->feature != 0) {
        Arms arms = scr_shape_arms(s, c);
        g->arm_a = scale(1 / s->bodies.radius[c->a], arms.a);
        g->arm_b = c->b >= 0 ? scale(1 / s->bodies.radius[c->b], arms.b) : vec3(0, 0, 0);
    }
    scr_general_complete(p, row, g);
    p->general_of[slot] = (int32_t)contact;
}

static ScreeStatus reserve_rows(const State *s, Engine *e) {
    Problem *p = &e->problem;
    size_t n = s->contacts.count;
    bool random = s->def.solver.order == SCREE_ORDER_RANDOM;
    if (random && !scr_block_reserve(&e->sequence_block, n + 1, sizeof(int32_t), 0)) {
        return SCREE_NO_MEMORY;
    }
    p->general_of = NULL;
    if (p->tensors > 0 || s->shapes.count > 0) {
        if (!scr_block_reserve(&e->general_block, n + 1, sizeof *p->general, 0) ||
            !scr_block_reserve(&e->general_of_block, n + 1, sizeof *p->general_of, 0)) {
            return SCREE_NO_MEMORY;
        }
        p->general = e->general_block.data;
        p->general_of = e->general_of_block.data;
    }
    p->row = e->row_block.data;
    p->rows = n;
    return scr_reserve_laws(s, e);
}

/* What the rows of a piece of the list of contacts would be given alone: see Problem. */
typedef struct Assembly {
    const State *state;
    Engine *engine;
    size_t shared; /* bodies besides those of turning walls */
    double alone[SCR_MOST_PIECES], plain[SCR_MOST_PIECES];
} Assembly;

static void make_piece(void *context, size_t piece) {
    Assembly *a = context;
    const State *s = a->state;
    Engine *e = a->engine;
    Problem *p = &e->problem;
    double alone = 0, plain = 0;
    size_t end = scr_piece_end(p->rows, piece);
    for (size_t i = scr_piece_begin(p->rows, piece); i < end; i++) {
        if (i + AHEAD < end) { /* rows are written in another order than contacts are read */
            __builtin_prefetch(&p->row[e->order.slot[i + AHEAD]], 1);
        }
        size_t slot = (size_t)e->order.slot[i];
        p->row[slot] = make_row(s, e, &s->contacts.item[i]);
        if (p->general_of != NULL) {
            make_general(s, e, i, a->shared);
        }
        if (s->materials.uses != 0) {
            scr_apply_law(s, e, i);
        }
        RowVelocity q = scr_row_velocity(p, slot); /* at free motion */
        double qn = q.n + p->row[slot].bias, qt = dot(q.t, q.t);
        alone += scr_row_alone_square(p, slot, qn, qt);
        plain += qn * qn + qt;
    }
    a->alone[piece] = alone;
    a->plain[piece] = plain;
}

/* In threads, unless things are numbered on the way. */
static void make_rows(const State *s, Engine *e, size_t turning) {
    Problem *p = &e->problem;
    bool numbered = turning > 0 || (s->materials.uses & LAW_TWO_FRICTIONS) != 0;
    Assembly a = {.state = s, .engine = e, .shared = p->bodies};
    scr_threads_loop(numbered ? NULL : e->threads, scr_pieces(p->rows), make_piece, &a);
    p->free_square = p->free_square_fclib = 0;
    for (size_t k = 0; k < scr_pieces(p->rows); k++) {
        p->free_square += a.alone[k];
        p->free_square_fclib += a.plain[k];
    }
}

ScreeStatus scr_assemble(State *s, Engine *e) {
    Problem *p = &e->problem;
    p->dimension = s->def.dimension;
    size_t tensors = count_tensors(s), turning = count_turning_contacts(s);
    ScreeStatus status = reserve_bodies(s, e, tensors, turning);
    if (status != SCREE_OK) {
        return status;
    }
    fill_bodies(s, e, tensors);
    status = choose_order(s, e);
    if (status == SCREE_OK) {
        status = reserve_rows(s, e);
    }
    if (status == SCREE_OK) {
        status = scr_reserve_copies(e, turning);
    }
    if (status != SCREE_OK) {
        return status;
    }
    make_rows(s, e, turning);
    scr_use_copies(s, e);
    scr_push_rows(p, &e->order, e->threads);
    return SCREE_OK;
}

/* ---------------------------------------------------------------- back */

/* Every update of a sweep leaves a rounding in two velocities. After many sweeps they are made anew
 * from the impulses. */
void scr_refresh_velocities(const State *s, Engine *e) {
    Problem *p = &e->problem;
    for (size_t i = 0; i < s->bodies.count; i++) {
        ProblemBody *b = &p->body[e->neighbours.rank[i]];
        b->v = e->free_motion[i];
        b->s = scale(s->bodies.radius[i], scr_motion(s, s->bodies.spin[i], scr_free_spin(s, i)));
    }
    for (size_t i = 0; i < s->walls.count; i++) {
        p->body[scr_wall_place(s, i)] = wall_body(s, &s->walls.item[i].now);
    }
    scr_push_rows(p, &e->order, e->threads);
}

/* Sliding means that friction is fully mobilised, to rounding. A bond is never open. */
int32_t scr_row_state(const Problem *p, size_t row) {
    const Row *r = &p->row[row];
    double pressure = scr_row_pressure(p, row);
    if (!(pressure > 0) && r->rn == 0) {
        return SCREE_CONTACT_OPEN;
    }
    double limit = r->mu * pressure * (1 - 1e-9);
    return dot(r->rt, r->rt) >= limit * limit ? SCREE_CONTACT_SLIP : SCREE_CONTACT_STICK;
}

void scr_collect(State *s, const Engine *e, ScreeReport *report) {
    report->contacts = (int64_t)s->contacts.count;
    for (size_t i = 0; i < s->contacts.count; i++) {
        if (i + AHEAD < s->contacts.count) {
            __builtin_prefetch(&e->problem.row[e->order.slot[i + AHEAD]]);
        }
        ScreeContact *c = &s->contacts.item[i];
        const Row *r = &e->problem.row[e->order.slot[i]];
        if (s->contacts.extra != NULL) {
            s->contacts.extra[i] = scr_extra_after(s, e, i);
            report->bonds += s->contacts.extra[i].opening >= 0;
        }
        c->normal_impulse = r->rn;
        c->tangential_impulse =
            s->def.dimension == 3 ? r->rt : vec3(-r->normal.y * r->rt.x, r->normal.x * r->rt.x, 0);
        c->state = scr_row_state(&e->problem, (size_t)e->order.slot[i]);
        report->active += c->state != SCREE_CONTACT_OPEN;
        report->sliding += c->state == SCREE_CONTACT_SLIP;
    }
}
