/* The bodies of the contact problem: the grains in their order along space, then one for the fixed
 * world, then one for each wall (a piston moves, a wall that is moved has its velocity). All but
 * grains and pistons have no inverse mass, so no impulse changes them. */
#include "dynamics/engine.h"

#include <string.h>

static Sym3 along_free_axes(double inverse, uint32_t frozen, unsigned first) {
    return sym3_diagonal(frozen >> first & 1 ? 0 : inverse, frozen >> (first + 1) & 1 ? 0 : inverse,
                         frozen >> (first + 2) & 1 ? 0 : inverse);
}

static void make_grain(const State *s, const Engine *e, size_t i, ProblemBody *p) {
    const Bodies *b = &s->bodies;
    uint32_t frozen = b->frozen[i], position = scr_position_axes(s->def.dimension),
             rotation = scr_rotation_axes(s->def.dimension);
    double r = b->radius[i], theta = s->def.theta;
    p->v = e->free_motion[i];
    p->s = scale(r, scr_motion(s, b->spin[i], scr_free_spin(s, i)));
    p->inverse_mass = (frozen & position) == position ? 0 : theta / b->mass[i];
    p->inverse_inertia = (frozen & rotation) == rotation ? 0 : theta * r * r / b->inertia[i];
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
static size_t count_tensors(const State *s, const Engine *e) {
    size_t count = e->partly_frozen;
    for (size_t i = 0; i < s->walls.count; i++) {
        count += s->walls.item[i].present && s->walls.item[i].now.motion == SCREE_WALL_PISTON;
    }
    return count;
}

static ScreeStatus reserve_bodies(const State *s, Engine *e, size_t tensors) {
    Problem *p = &e->problem;
    size_t shared = s->bodies.count + 1 + s->walls.count;
    if (!scr_block_reserve(&e->body_block, shared, sizeof *p->body, 0) ||
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

static void fill_walls(const State *s, Engine *e) {
    Problem *p = &e->problem;
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

typedef struct Filling {
    const State *state;
    Engine *engine;
} Filling;

static void fill_piece(void *context, size_t piece) {
    const Filling *f = context;
    const State *s = f->state;
    Engine *e = f->engine;
    size_t n = s->bodies.count, end = scr_piece_end(n, piece);
    double *way = e->scratch_block.data, dt = s->def.time_step;
    for (size_t i = scr_piece_begin(n, piece); i < end; i++) {
        const int32_t place = e->neighbours.rank[i];
        Vec3 v = e->free_motion[i];
        make_grain(s, e, i, &e->problem.body[place]);
        e->neighbours.spot[place].x = s->bodies.position[i];
        e->neighbours.spot[place].reach = s->bodies.radius[i];
        way[place] = dt * (fabs(v.x) + fabs(v.y) + fabs(v.z));
    }
}

/* All but those of turning walls, which come with their contacts. */
static void fill_bodies(const State *s, Engine *e, size_t tensors) {
    Filling f = {s, e};
    scr_threads_loop(e->threads, scr_pieces(s->bodies.count), fill_piece, &f);
    if (tensors > 0) {
        memset(e->tensor_of_block.data, 0xff, e->problem.bodies * sizeof(int32_t)); /* all -1 */
    }
    for (size_t i = 0; i < s->bodies.count && e->partly_frozen > 0; i++) {
        if (scr_needs_tensor(s, i)) {
            size_t place = (size_t)e->neighbours.rank[i];
            note_tensor(e, place, grain_tensor(s, i, &e->problem.body[place]));
        }
    }
    fill_walls(s, e);
}

ScreeStatus scr_place_bodies(State *s, Engine *e) {
    size_t tensors = count_tensors(s, e);
    ScreeStatus status = reserve_bodies(s, e, tensors);
    if (status == SCREE_OK) {
        fill_bodies(s, e, tensors);
    }
    return status;
}

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
