/* Bodies are looked at in pieces, and what is summed is summed piece by piece. */
#include "dynamics/prediction.h"

/* What one piece of the bodies has seen. */
typedef struct Seen {
    double least_radius, largest_radius, radius, mass; /* the latter two are sums */
    size_t tensors;
    bool any_frozen, outrun;
} Seen;

typedef struct Look {
    const StepParams *with;
    const State *state;
    Vec3 *motion;
    Seen seen[SCR_MOST_PIECES];
} Look;

/* Axes that no body has in a world of two dimensions. */
static uint32_t given_frozen(const State *s) {
    const uint32_t plane = SCREE_FREEZE_Z | SCREE_FREEZE_ROTATION_X | SCREE_FREEZE_ROTATION_Y;
    return s->def.dimension == 2 ? plane : 0;
}

static void predict_piece(void *context, size_t piece) {
    Look *look = context;
    const State *s = look->state;
    const Bodies *b = &s->bodies;
    const uint32_t given = given_frozen(s);
    const double dt = look->with->time_step;
    Seen seen = {.least_radius = INFINITY};
    size_t end = scr_piece_end(b->count, piece);
    for (size_t i = scr_piece_begin(b->count, piece); i < end; i++) {
        Vec3 motion = scr_motion(look->with, b->velocity[i], scr_free_velocity(look->with, s, i));
        look->motion[i] = motion;
        seen.least_radius = scr_min(seen.least_radius, b->radius[i]);
        seen.largest_radius = scr_max(seen.largest_radius, b->radius[i]);
        seen.radius += b->radius[i];
        seen.mass += b->mass[i];
        if (b->frozen[i] != given) {
            seen.any_frozen = true;
            seen.tensors += scr_needs_tensor(s, i);
        }
        /* The impulses may yet change the velocities: a fifth of the margin is left to them. */
        seen.outrun = seen.outrun || !scr_stays_within(s, i, scale(dt, motion), 0.8);
    }
    look->seen[piece] = seen;
}

ScreeStatus scr_predict(const StepParams *with, const State *s, Prediction *free) {
    size_t n = s->bodies.count;
    if (!scr_block_reserve_exact(&free->block, n + 1, sizeof(Vec3), 0)) {
        return SCREE_NO_MEMORY;
    }
    free->motion = free->block.data;
    Look look = {.with = with, .state = s, .motion = free->motion};
    scr_threads_loop(with->threads, scr_pieces(n), predict_piece, &look);
    Seen all = {.least_radius = INFINITY};
    for (size_t k = 0; k < scr_pieces(n); k++) {
        const Seen *seen = &look.seen[k];
        all.least_radius = scr_min(all.least_radius, seen->least_radius);
        all.largest_radius = scr_max(all.largest_radius, seen->largest_radius);
        all.radius += seen->radius;
        all.mass += seen->mass;
        all.tensors += seen->tensors;
        all.any_frozen = all.any_frozen || seen->any_frozen;
        all.outrun = all.outrun || seen->outrun;
    }
    free->least_radius = all.least_radius;
    free->largest_radius = all.largest_radius;
    free->mean_radius = n > 0 ? all.radius / (double)n : 0;
    free->mean_mass = n > 0 ? all.mass / (double)n : 0;
    free->partly_frozen = all.tensors;
    free->any_frozen = all.any_frozen;
    free->outrun = all.outrun;
    return SCREE_OK;
}
