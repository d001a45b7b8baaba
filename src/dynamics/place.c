/* The bodies of the contact problem: the grains in their order along space, then one for the fixed
 * world, then one for each wall (a piston moves, a wall that is moved has its velocity). All but
 * grains and pistons have no inverse mass, so no impulse changes them. */
#include "dynamics/plain_bodies.h"

#include "base/status.h"
#include "sweep/sweep.h"

#include <string.h>

static Sym3 along_free_axes(double inverse, uint32_t frozen, unsigned first) {
    return sym3_diagonal(frozen >> first & 1 ? 0 : inverse, frozen >> (first + 1) & 1 ? 0 : inverse,
                         frozen >> (first + 2) & 1 ? 0 : inverse);
}

static Tensor grain_tensor(const StepTask *t, size_t i, const ProblemBody *p) {
    const State *s = t->state;
    uint32_t frozen = s->bodies.frozen[i];
    const Solid *solid = scr_solid_of(s, i);
    if (solid != NULL) {
        const Moments m = scr_moments_at_impulse(t->with, s, i, solid);
        double r = s->bodies.radius[i];
        return (Tensor){along_free_axes(p->inverse_mass, frozen, 0),
                        sym3_scale(t->with->theta * r * r, scr_inverse_inertia(&m, frozen >> 3))};
    }
    return (Tensor){along_free_axes(p->inverse_mass, frozen, 0),
                    along_free_axes(p->inverse_inertia, frozen, 3)};
}

static ProblemBody wall_body(const StepParams *with, const ScreeWallDef *w) {
    ProblemBody body = {.v = w->velocity};
    if (w->motion == SCREE_WALL_FIXED) {
        body.v = vec3(0, 0, 0);
    }
    if (w->motion == SCREE_WALL_PISTON) {
        body.inverse_mass = with->theta / w->mass;
        body.v = scr_motion(with, w->velocity, scr_free_piston(with, w));
    }
    return body;
}

/* How many tensors there may be at most: solids, partly frozen grains and pistons. */
static size_t count_tensors(const StepTask *t) {
    const Walls *walls = &t->state->walls;
    size_t count = t->free->tensors;
    for (size_t i = 0; i < walls->count; i++) {
        count += walls->item[i].present && walls->item[i].now.motion == SCREE_WALL_PISTON;
    }
    return count;
}

static ScreeStatus reserve_bodies(StepTask *t, size_t tensors) {
    Problem *p = &t->problem;
    size_t n = t->state->bodies.count, shared = n + 1 + t->state->walls.count;
    if (!scr_block_reserve(&t->body_block, shared, sizeof *p->body, 0) ||
        !scr_block_reserve_exact(&t->reach_block, n + 1, sizeof *t->reach, 0) ||
        !scr_block_reserve(&t->tensor_block, tensors, sizeof *p->tensor, 0) ||
        (tensors > 0 && !scr_block_reserve(&t->tensor_of_block, shared, sizeof(int32_t), 0))) {
        return SCREE_NO_MEMORY;
    }
    p->body = t->body_block.data;
    p->tensor = t->tensor_block.data;
    p->bodies = shared;
    p->tensors = 0;
    t->reach = t->reach_block.data;
    t->tensor_of = t->tensor_of_block.data;
    return SCREE_OK;
}

static void note_tensor(StepTask *t, size_t body, Tensor tensor) {
    t->tensor_of[body] = (int32_t)t->problem.tensors;
    t->problem.tensor[t->problem.tensors++] = tensor;
}

static void fill_walls(StepTask *t) {
    const State *s = t->state;
    Problem *p = &t->problem;
    p->body[s->bodies.count] = (ProblemBody){0};
    for (size_t i = 0; i < s->walls.count; i++) {
        const ScreeWallDef *w = &s->walls.item[i].now;
        size_t body = (size_t)scr_wall_index(s, i);
        p->body[body] = wall_body(t->with, w);
        if (s->walls.item[i].present && w->motion == SCREE_WALL_PISTON) {
            Sym3 inverse = sym3_dyad(t->with->theta / w->mass, w->direction);
            note_tensor(t, body, (Tensor){.inverse_mass = inverse});
        }
    }
}

static void fill_piece(void *context, size_t piece) {
    StepTask *t = context;
    const size_t n = t->state->bodies.count, end = scr_piece_end(n, piece);
    for (size_t i = scr_piece_begin(n, piece); i < end; i++) {
        scr_place_body(t, i, scr_free_turn(t->with, t->state, i));
    }
}

/* All but those of turning walls, which come with their contacts. */
ScreeStatus scr_place_bodies(StepTask *t) {
    const State *s = t->state;
    size_t tensors = count_tensors(t);
    SCR_TRY(reserve_bodies(t, tensors));
    scr_threads_loop(t->with->threads, scr_pieces(s->bodies.count), fill_piece, t);
    if (tensors > 0) {
        memset(t->tensor_of, 0xff, t->problem.bodies * sizeof(int32_t)); /* all -1 */
    }
    for (size_t i = 0; i < s->bodies.count && t->free->tensors > 0; i++) {
        if (scr_needs_tensor(s, i)) {
            size_t rank = (size_t)t->list->neighbours.rank[i];
            note_tensor(t, rank, grain_tensor(t, i, &t->problem.body[rank]));
        }
    }
    fill_walls(t);
    return SCREE_OK;
}

static void refresh_piece(void *context, size_t piece) {
    const StepTask *t = context;
    const State *s = t->state;
    const int32_t *rank = t->list->neighbours.rank;
    const size_t end = scr_piece_end(s->bodies.count, piece);
    for (size_t i = scr_piece_begin(s->bodies.count, piece); i < end; i++) {
        ProblemBody *b = &t->problem.body[rank[i]];
        b->v = t->free->motion[i];
        b->s = scale(s->bodies.radius[i], scr_free_turn(t->with, s, i));
    }
}

void scr_refresh_velocities(StepTask *t) {
    const State *s = t->state;
    Problem *p = &t->problem;
    scr_threads_loop(t->with->threads, scr_pieces(s->bodies.count), refresh_piece, t);
    for (size_t i = 0; i < s->walls.count; i++) {
        p->body[scr_wall_index(s, i)] = wall_body(t->with, &s->walls.item[i].now);
    }
    if (p->cell != NULL) {
        p->cell->rate = t->free->rate;
    }
    scr_push_rows(p, &t->order, t->with->threads);
}

bool scr_no_strays(StepTask *t) {
    size_t n = t->state->bodies.count;
    if (t->state->shapes.count == 0) {
        t->stray = NULL;
        return true;
    }
    if (!SCR_RESERVE(t, stray, n)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        t->stray[i] = 0;
    }
    return true;
}

void scr_step_task_free(StepTask *t) {
    scr_order_free(&t->order);
    scr_domain_free(&t->domain);
    scr_impacts_free(&t->impacts);
    scr_tame_groups_free(&t->tame_groups);
    SCR_FREE_BLOCKS(&t->body_block, &t->tensor_block, &t->tensor_of_block, &t->general_block,
                    &t->general_of_block, &t->law_block, &t->law_of_block, &t->packets_block,
                    &t->two_block, &t->reach_block, &t->bond_area_block, &t->bond_point_block,
                    &t->foresight.item_block, &t->stray_block, &t->split_block,
                    &t->sums.piece_block);
    *t = (StepTask){0};
}
