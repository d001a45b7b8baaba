/* Overlaps that errors have left are taken back, little by little.
 *
 * A step that is solved to a tolerance lets contacts close by a little too much, and turning bodies
 * and bent walls add to that; eq (33) keeps such overlaps for good, and over thousands of steps
 * they would add up. So after the motion every overlapping pair is asked to move apart by a part f
 * of its overlap, in positions only: no velocity changes, hence no momentum and no kinetic energy.
 * The displacements solve the same problem as velocities do, without friction:
 *
 *     n . (dx_b - dx_a) >= f overlap   where bodies overlap,   >= -gap   where they do not,
 *
 * by a single Gauss-Seidel sweep from zero, over the rows of the step. So shapes turn as well,
 * pistons give way according to their mass, and any number of threads gives the same result. One
 * sweep with a small f shares overlaps out where there is no room for them, as between two walls
 * that are too close; many sweeps, or f near 1, would stir a packing under load.
 *
 * Bodies that are moved against gravity or a load gain potential energy. The certificate tells how
 * much, as energy_projected. */
#include "dynamics/engine.h"

#include "dynamics/held.h"
#include "dynamics/plain_bodies.h"
#include "sweep/sweep.h"

typedef struct Projection {
    StepTask *task;
    State *state;
    double part; /* f */
    bool periodic;
} Projection;

/* How far the bodies of a row may approach each other; negative: how far they have to separate. The
 * overlap of a spring is its own. */
static inline double room(const Projection *k, size_t row) {
    double gap = k->task->gap[row];
    const LawRow *l = scr_law_row(&k->task->problem, row);
    return gap >= 0 ? gap : l != NULL && l->soft_n > 0 ? 0 : k->part * gap;
}

/* The velocities of the problem's bodies serve as displacements. */
static void push_apart(void *context, size_t begin, size_t end) {
    const Projection *k = context;
    Problem *p = &k->task->problem;
    for (size_t i = begin; i < end; i++) {
        const Row *r = &p->row[i];
        double push = -r->mass_n * (scr_row_velocity(p, i).n + room(k, i));
        if (push > 0) {
            const GeneralRow *g = scr_general_row(p, i);
            Vec3 impulse = scale(push, r->normal);
            if (g != NULL) {
                scr_general_push(p, r, g, impulse);
            } else {
                scr_round_push(p, r, impulse);
            }
        }
    }
}

static void stop_piece(void *context, size_t piece) {
    const Projection *k = context;
    Problem *p = &k->task->problem;
    size_t end = scr_piece_end(p->bodies, piece);
    for (size_t i = scr_piece_begin(p->bodies, piece); i < end; i++) {
        p->body[i].v = p->body[i].s = vec3(0, 0, 0);
    }
}

static void displace_piece(void *context, size_t piece) {
    Projection *k = context;
    State *s = k->state;
    const StepTask *t = k->task;
    const Neighbours *nb = &t->list->neighbours;
    PieceSums *sums = scr_begin_sums(&t->sums, piece, 1);
    double per_step = 1 / t->with->time_step;
    size_t n = s->bodies.count, end = scr_piece_end(n, piece);
    for (size_t i = scr_piece_begin(n, piece); i < end; i++) {
        const ProblemBody *by = scr_problem_body(t, (int32_t)i);
        Vec3 turn = scale(1 / s->bodies.radius[i], by->s);
        const double work = scr_projected_work(t->with, s, i, by->v, turn, per_step);
        if (i < scr_counted(s)) {
            scr_exact_add(&sums->of[0], work);
        }
        scr_displace(s, i, by->v, turn, k->periodic);
        nb->spot[nb->rank[i]].x = s->bodies.position[i];
    }
}

static double displace_pistons(const StepTask *t, State *s) {
    double energy = 0;
    for (size_t i = 0; i < s->walls.count; i++) {
        ScreeWallState *w = &s->walls.item[i];
        if (w->present && w->now.motion == SCREE_WALL_PISTON) {
            Vec3 by = t->problem.body[scr_wall_index(s, i)].v;
            energy -= dot(w->now.force, w->now.direction) * dot(by, w->now.direction);
            scr_wall_advance(w, by, 1);
        }
    }
    return energy;
}

void scr_project(StepTask *t, State *s, ScreeReport *report) {
    Projection k = {.task = t,
                    .state = s,
                    .part = s->def.solver.projection,
                    .periodic = scr_any_periodic(&s->def)};
    size_t pieces = scr_pieces(s->bodies.count);
    if (t->there != NULL) {
        report->energy_projected += scr_project_there(t);
        return;
    }
    t->problem.cell = NULL; /* it stays as it is */
    scr_threads_loop(t->with->threads, scr_pieces(t->problem.bodies), stop_piece, &k);
    scr_visit_rows(&t->problem, &t->order, t->with->threads, push_apart, &k);
    scr_follow_pistons(t);
    if (t->share != NULL) {
        (void)scr_share_tell(t->share, t->list->neighbours.rank, t->problem.body, NULL);
    }
    scr_threads_loop(t->with->threads, pieces, displace_piece, &k);
    report->energy_projected += scr_sum_pieces(&t->sums, s->bodies.count, 0);
    report->energy_projected += displace_pistons(t, s);
}
