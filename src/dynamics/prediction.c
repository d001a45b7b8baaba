#include "dynamics/prediction.h"

/* What one piece of the bodies has seen. */
typedef struct Seen {
    double least_radius, largest_radius;
    size_t tensors;
    bool any_frozen, outrun;
} Seen;

/* What is summed over all bodies. */
enum { RADIUS, MASS, STIR, SUMS = STIR + 6 };

typedef struct Look {
    const StepParams *with;
    const State *state;
    const SumRoom *sums;
    Vec3 *motion;
    CellStretch cell;
    Seen seen[SCR_MOST_PIECES];
} Look;

/* Axes that no body has in a world of two dimensions. */
static uint32_t given_frozen(const State *s) {
    const uint32_t plane = SCREE_FREEZE_Z | SCREE_FREEZE_ROTATION_X | SCREE_FREEZE_ROTATION_Y;
    return s->def.dimension == 2 ? plane : 0;
}

/* The symmetric sums xx, xy, xz, yy, yz, zz. */
static void add_stir(const Look *look, size_t i, PieceSums *sums) {
    const State *s = look->state;
    Vec3 w = scale(0.5, add(s->bodies.velocity[i], scr_velocity_before(look->with, s, i)));
    for (int j = 0, k = STIR; j < 3; j++) {
        for (int l = j; l < 3; l++) {
            scr_exact_add(&sums->of[k++], s->bodies.mass[i] * component(w, j) * component(w, l));
        }
    }
}

static void predict_piece(void *context, size_t piece) {
    Look *look = context;
    const State *s = look->state;
    const Bodies *b = &s->bodies;
    const uint32_t given = given_frozen(s);
    const double dt = look->with->time_step;
    const bool solids = s->shapes.solids > 0;
    Seen seen = {.least_radius = INFINITY};
    PieceSums *sums = scr_begin_sums(look->sums, piece, SUMS);
    size_t end = scr_piece_end(b->count, piece), counted = scr_counted(s);
    for (size_t i = scr_piece_begin(b->count, piece); i < end; i++) {
        Vec3 motion = scr_motion(look->with, b->velocity[i], scr_free_velocity(look->with, s, i));
        look->motion[i] = motion;
        seen.least_radius = scr_min(seen.least_radius, b->radius[i]);
        seen.largest_radius = scr_max(seen.largest_radius, b->radius[i]);
        if (i < counted) {
            scr_exact_add(&sums->of[RADIUS], b->radius[i]);
            scr_exact_add(&sums->of[MASS], b->mass[i]);
            if (look->with->deforms) {
                add_stir(look, i, sums);
            }
        }
        if (b->frozen[i] != given) {
            seen.any_frozen = true;
        }
        if (b->frozen[i] != given || solids) {
            seen.tensors += scr_needs_tensor(s, i);
        }
        /* The impulses may yet change the velocities: a fifth of the margin is left to them. */
        seen.outrun =
            seen.outrun || !scr_stays_within(look->with, s, &look->cell, i, scale(dt, motion), 0.8);
    }
    look->seen[piece] = seen;
}

/* The sums over bodies, as a matrix. */
static Mat3 stir_of(const SumRoom *sums, size_t n) {
    Mat3 stir = mat3_diagonal(0, 0, 0);
    for (int j = 0, k = STIR; j < 3 && n > 0; j++) {
        for (int l = j; l < 3; l++) {
            stir.m[j][l] = stir.m[l][j] = scr_sum_pieces(sums, n, k++);
        }
    }
    return stir;
}

ScreeStatus scr_predict(const StepParams *with, const State *s, SumRoom *sums, Prediction *free) {
    size_t n = s->bodies.count;
    if (!scr_block_reserve_exact(&free->block, n + 1, sizeof(Vec3), 0) ||
        !scr_reserve_sums(sums, n)) {
        return SCREE_NO_MEMORY;
    }
    free->motion = free->block.data;
    Look look = {.with = with,
                 .state = s,
                 .sums = sums,
                 .motion = free->motion,
                 .cell = scr_cell_stretch(with, s, &with->rate)};
    scr_threads_loop(with->threads, scr_pieces(n), predict_piece, &look);
    Seen all = {.least_radius = INFINITY};
    for (size_t k = 0; k < scr_pieces(n); k++) {
        const Seen *seen = &look.seen[k];
        all.least_radius = scr_min(all.least_radius, seen->least_radius);
        all.largest_radius = scr_max(all.largest_radius, seen->largest_radius);
        all.tensors += seen->tensors;
        all.any_frozen = all.any_frozen || seen->any_frozen;
        all.outrun = all.outrun || seen->outrun;
    }
    double most[] = {-all.least_radius, all.largest_radius, all.any_frozen, all.outrun};
    scr_most_over_processes(s->spread, most, sizeof most / sizeof most[0]);
    const double bodies = (double)scr_all_bodies(s);
    free->least_radius = -most[0];
    free->largest_radius = most[1];
    free->mean_radius = bodies > 0 ? scr_sum_pieces(sums, n, RADIUS) / bodies : 0;
    free->mean_mass = bodies > 0 ? scr_sum_pieces(sums, n, MASS) / bodies : 0;
    free->tensors = all.tensors;
    free->any_frozen = most[2] > 0;
    free->outrun = most[3] > 0;
    if (with->deforms) {
        free->stir = stir_of(sums, n);
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- turning */

/* Whether a solid turns freely between impulses; one that is held about an axis does not. */
static bool turns_freely(const Bodies *b, size_t i) {
    return (b->frozen[i] & SCREE_FREEZE_ROTATION) == 0;
}

Moments scr_moments_at_impulse(const StepParams *with, const State *s, size_t i,
                               const Solid *solid) {
    const Bodies *b = &s->bodies;
    Moments m = scr_moments(solid, b->mass[i], b->orientation[i]);
    double before = (1 - with->theta) * with->time_step;
    if (before > 0 && with->inertia && turns_freely(b, i)) {
        Vec3 momentum = scr_angular_momentum(&m, b->spin[i]);
        m.frame = quat_multiply(scr_free_rotation(&m, momentum, before), m.frame);
    }
    return m;
}

Vec3 scr_spin_at_impulse(const StepParams *with, const State *s, size_t i) {
    const Bodies *b = &s->bodies;
    const Solid *solid = scr_solid_of(s, i);
    if (solid == NULL || with->theta == 1 || !with->inertia || !turns_freely(b, i)) {
        return b->spin[i];
    }
    const Moments start = scr_moments(solid, b->mass[i], b->orientation[i]);
    const Moments m = scr_moments_at_impulse(with, s, i, solid);
    return scr_spin_with(&m, scr_angular_momentum(&start, b->spin[i]));
}

Vec3 scr_free_solid_spin(const StepParams *with, const State *s, size_t i, const Solid *solid) {
    Vec3 twist = scr_external_twist(with, s, i), spin = scr_spin_at_impulse(with, s, i);
    if (twist.x == 0 && twist.y == 0 && twist.z == 0) {
        return spin;
    }
    const Moments m = scr_moments_at_impulse(with, s, i, solid);
    const Sym3 inverse = scr_inverse_inertia(&m, s->bodies.frozen[i] >> 3);
    return add(spin, sym3_apply(&inverse, twist));
}

SolidTurn scr_turn_solid(const StepParams *with, const State *s, size_t i, const Solid *solid,
                         Vec3 turn) {
    const Bodies *b = &s->bodies;
    double dt = with->time_step, theta = with->theta;
    const Moments start = scr_moments(solid, b->mass[i], b->orientation[i]);
    const Moments m = scr_moments_at_impulse(with, s, i, solid);
    SolidTurn t = {.before = scr_spin_at_impulse(with, s, i)};
    t.after = scr_after_motion(with, t.before, turn);
    Vec3 momentum = scr_angular_momentum(&m, t.after);
    t.gain = 0.5 * dot(scr_angular_momentum(&m, add(t.after, t.before)), sub(t.after, t.before));
    Moments end = m;
    if (turns_freely(b, i)) {
        end.frame = quat_multiply(scr_free_rotation(&m, momentum, theta * dt), m.frame);
        t.spin = scr_spin_with(&end, momentum);
    } else {
        end.frame = quat_multiply(quat_from_turn(scale(dt, turn)), start.frame);
        t.spin = scr_held_spin(&end, momentum, t.after, b->frozen[i] >> 3);
    }
    const Quat axes = solid->axes, back = {axes.w, -axes.x, -axes.y, -axes.z};
    end.frame = quat_renormalise(end.frame);
    t.orientation = quat_multiply(end.frame, back);
    t.kinetic = dot(t.spin, scr_angular_momentum(&end, t.spin));
    Vec3 old = scr_angular_momentum(&start, b->spin[i]);
    t.scheme = 0.5 * (dot(t.after, momentum) - t.kinetic + dot(b->spin[i], old) -
                      dot(t.before, scr_angular_momentum(&m, t.before)));
    return t;
}
