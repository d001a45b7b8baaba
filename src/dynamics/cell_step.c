#include "dynamics/cell_step.h"

#include "base/status.h"
#include "math/reduce.h"
#include "state/images.h"
#include "sweep/spread.h"

#include <string.h>

/* The most that a step may strain the cell. The least height that it may have afterwards, in units of the largest
 * radius, in a step for which nearest images are unique: more than 4. */
static const double most_strain = 0.5, least_height = 4.1;

/* ---------------------------------------------------------------- inertia and loads
 *
 * With the free part q of the rate, the mass Q of the cell, its viscosity eta and volume V,
 *
 *   (Q + dt eta V) q' = Q q + dt (V sigma + K) + sum R l^T,    K = sum m w w^T,
 *
 * of which only the components that are free count; sigma is the stress to be held, positive in tension
 * here. Q = M d^2 makes a contact change the cell as easily as the two bodies that touch there: then
 * sweeps are fewest, and the behaviour does not depend on how many bodies there are. */

typedef struct Inertia {
    double mass;    /* Q */
    double inverse; /* 1 / (Q + dt eta V); 0: nothing is free */
} Inertia;

static Inertia inertia_of(const StepParams *with, const State *s, const Prediction *free) {
    const ScreeCellDef *c = &s->def.deform;
    double d = 2 * free->mean_radius;
    double mass = c->mass * (double)scr_all_bodies(s) * free->mean_mass * d * d;
    double drag = with->time_step * c->viscosity * scr_cell_volume(&s->def);
    return (Inertia){mass, scr_cell_is_free(c) && mass > 0 ? 1 / (mass + drag) : 0};
}

static Mat3 part_of(const State *s, Mat3 x) {
    return scr_cell_free_part(&s->def.deform, s->def.periodic, x);
}

/* dt V sigma, positive in tension. */
static Mat3 held_load(const StepParams *with, const State *s) {
    const ScreeCellDef *c = &s->def.deform;
    const double unit = -with->time_step * scr_cell_volume(&s->def), p = c->pressure;
    Mat3 held = c->isotropic ? mat3_diagonal(p, p, p) : mat3_from(c->stress);
    held.m[1][0] = held.m[0][1]; /* given by its upper half */
    held.m[2][0] = held.m[0][2];
    held.m[2][1] = held.m[1][2];
    return part_of(s, mat3_add_scaled(mat3_diagonal(0, 0, 0), unit, held));
}

void scr_predict_cell(const StepParams *with, const State *s, Prediction *free) {
    const Inertia inertia = inertia_of(with, s, free);
    const Mat3 before = part_of(s, with->rate);
    Mat3 push = mat3_add_scaled(held_load(with, s), with->time_step, part_of(s, free->stir));
    push = mat3_add_scaled(push, inertia.mass, before);
    free->rate = mat3_add_scaled(with->rate, -1, before);
    free->rate = mat3_add_scaled(free->rate, inertia.inverse, push);
}

CellBody scr_cell_body(const StepParams *with, const State *s, const Prediction *free) {
    const ScreeCellDef *c = &s->def.deform;
    CellBody body = {.rate = free->rate,
                     .inverse_mass = inertia_of(with, s, free).inverse,
                     .symmetric = c->symmetric && !c->isotropic,
                     .isotropic = c->isotropic};
    double directions = 0;
    for (int k = 0; k < 3; k++) {
        directions += s->def.periodic[k];
    }
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            bool held = c->control[3 * i + j] == SCREE_CELL_STRESS;
            double weight = held ? (i != j && c->symmetric ? 0.5 : 1) : 0;
            if (c->isotropic) {
                weight = i == j && s->def.periodic[i] ? 1 / directions : 0;
            }
            body.weight[i][j] = weight;
            body.weight[j][i] = c->symmetric || i == j ? weight : 0;
        }
    }
    return body;
}

/* ---------------------------------------------------------------- rows */

/* The boxes of a group work on copies of the cell, of which each has its part of the mass. */
void scr_reserve_cell_rows(StepTask *t, Arena *arena) {
    Problem *p = &t->problem;
    const Order *o = &t->order;
    p->branch = scr_arena_take(arena, p->rows, sizeof *p->branch);
    p->cell_share = scr_arena_take(arena, p->rows, sizeof *p->cell_share);
    size_t row = 0, box = 0;
    for (size_t g = 0; g < o->groups; g++) {
        const double among = (double)scr_boxes_among(o, g);
        for (; box < (size_t)o->group_end[g]; box++) {
            for (; row < (size_t)o->row_end[box]; row++) {
                p->cell_share[row] = among;
            }
        }
    }
    for (; row < p->rows; row++) {
        p->cell_share[row] = 1;
    }
}

void scr_note_branch(StepTask *t, const Contact *c, size_t slot) {
    const Neighbours *nb = &t->list->neighbours;
    Problem *p = &t->problem;
    Vec3 l = vec3(0, 0, 0);
    if (c->b >= 0) {
        l = scr_nearest_image(&t->state->def,
                              sub(nb->spot[nb->rank[c->b]].x, nb->spot[nb->rank[c->a]].x));
    }
    p->branch[slot] = l;
    p->cell_share[slot] *= dot(l, l) * p->cell->inverse_mass;
}

/* ---------------------------------------------------------------- the list */

CellStretch scr_cell_stretch(const StepParams *with, const State *s, const Mat3 *rate) {
    CellStretch k = {.deforms = with->deforms};
    if (!with->deforms) {
        return k;
    }
    const Mat3 was = scr_edges_matrix(s->def.periodic, s->cell.built);
    const Mat3 step = mat3_add_scaled(mat3_diagonal(1, 1, 1), with->time_step, *rate);
    k.map = mat3_multiply(scr_cell_matrix(&s->def), mat3_inverse(&was));
    const Mat3 whole = mat3_multiply(step, k.map);
    k.least = scr_min(1, scr_least_stretch(&whole));
    k.grows = with->time_step * mat3_size(rate);
    return k;
}

/* ---------------------------------------------------------------- motion
 *
 * The edges are taken along by F = 1 + dt L'. So are the bodies, x' = F x + dt w', and every branch
 * vector: l' = l + dt (L' l + w_b' - w_a'), whatever images were chosen. Energy, with bars for the means
 * of before and after, J = dt (V sigma + K) on what is free:
 *
 *   Q (q'^2 - q^2) / 2 = J q' + sum R l^T : qbar - J (q' - q) / 2 - dt eta V q' qbar
 *
 * and bodies lose dt L : K by convection. What is given works V dt times stress times rate, with the
 * stress that the contacts and K make; what is held, V dt sigma : q'. The rest is lost to the time
 * stepping, and to the cell's viscosity. */

void scr_move_cell(StepTask *t, State *s, double *gain, ScreeReport *report) {
    const StepParams *with = t->with;
    const double dt = with->time_step, volume = scr_cell_volume(&s->def);
    ScreeCellDef *c = &s->def.deform;
    const Inertia inertia = inertia_of(with, s, t->free);
    const Mat3 rate = t->problem.cell->rate;
    const Mat3 q0 = part_of(s, with->rate), q1 = part_of(s, rate);
    const Mat3 given = mat3_add_scaled(rate, -1, q1), jump = mat3_add_scaled(q1, -1, q0);
    const Mat3 mean = mat3_add_scaled(q0, 0.5, jump), load = held_load(with, s);
    ExactSum sum[9];
    double carried[9];
    memset(sum, 0, sizeof sum);
    for (size_t i = 0; i < s->contacts.count; i++) {
        const Contact *k = &s->contacts.item[i];
        Vec3 impulse = add_scaled(k->tangential_impulse, k->normal_impulse, k->normal);
        const Mat3 x = mat3_dyad(impulse, t->problem.branch[t->order.slot[i]]);
        for (int j = 0; k->state != SCREE_CONTACT_OPEN && j < 9; j++) {
            scr_exact_add(&sum[j], x.m[j / 3][j % 3]);
        }
    }
    scr_sum_over_processes(s->spread, sum, 9);
    for (int j = 0; j < 9; j++) {
        carried[j] = scr_exact_total(&sum[j]);
    }
    const Mat3 contacts = mat3_from(carried), stir = t->free->stir;
    const Mat3 whole = mat3_add_scaled(contacts, dt, stir); /* V dt times stress, in compression */
    const Mat3 drag = mat3_add_scaled(mat3_diagonal(0, 0, 0), dt * c->viscosity * volume, q1);
    const Mat3 push = mat3_add_scaled(load, dt, part_of(s, stir));
    report->work_cell += mat3_product(&load, &q1) - mat3_product(&whole, &given);
    report->dissipation_scheme += 0.5 * mat3_product(&push, &jump) -
                                  dt * mat3_product(&stir, &jump) + mat3_product(&drag, &mean);
    *gain += inertia.mass * mat3_product(&mean, &jump) - dt * mat3_product(&stir, &with->rate);
    report->kinetic_energy += 0.5 * inertia.mass * mat3_product(&q1, &q1);
    const Mat3 map = mat3_add_scaled(mat3_diagonal(1, 1, 1), dt, rate);
    Vec3 edge[3];
    for (int k = 0; k < 3; k++) {
        edge[k] = s->def.periodic[k] ? mat3_apply(&map, c->vector[k]) : c->vector[k];
    }
    for (int j = 0; j < 9; j++) {
        c->rate[j] = rate.m[j / 3][j % 3];
        s->cell.strain[j] += dt * c->rate[j];
        s->cell.stress[j] = whole.m[j / 3][j % 3] / (dt * volume);
    }
    scr_cell_set_edges(&s->def, edge);
    t->problem.cell->rate = mat3_add_scaled(given, 1, mean);
}

bool scr_is_to_flip(const State *s) {
    ScreeWorldDef def = s->def;
    CellState cell = s->cell;
    return def.deform.deforms && scr_cell_reduce(&def, &cell);
}

void scr_flip_cell(State *s) {
    if (!s->def.deform.deforms || s->images > 0 || !scr_cell_reduce(&s->def, &s->cell)) {
        return;
    }
    for (size_t i = 0; i < s->bodies.count; i++) {
        scr_cell_wrap(&s->def, &s->cell, &s->bodies.position[i], &s->bodies.anchor[i]);
    }
    s->list_stale = true;
}

ScreeStatus scr_check_cell(const StepTask *t, char *message) {
    const StepParams *with = t->with;
    const Mat3 *rate = &t->problem.cell->rate;
    double strain = with->time_step * mat3_size(rate);
    if (!(strain <= most_strain)) {
        return scr_fail(
            message, SCREE_BAD_ARGUMENT,
            "step %llu: the cell would strain by %.3g in one step: its rate is too large "
            "for the time step, or grains too loose bear no stress (give it a viscosity, "
            "or a rate to begin with)",
            (unsigned long long)with->number, strain);
    }
    const ScreeWorldDef *def = &t->state->def;
    ScreeWorldDef after = *def;
    const Mat3 map = mat3_add_scaled(mat3_diagonal(1, 1, 1), with->time_step, *rate);
    Vec3 edge[3];
    for (int k = 0; k < 3; k++) {
        edge[k] =
            def->periodic[k] ? mat3_apply(&map, def->deform.vector[k]) : def->deform.vector[k];
    }
    scr_cell_set_edges(&after, edge);
    CellState unused = t->state->cell;
    (void)scr_cell_reduce(&after, &unused);
    const double radius = t->free->largest_radius, height = scr_cell_height(&after);
    if (height < scr_narrowest_cell * radius) {
        return scr_fail(
            message, SCREE_BAD_ARGUMENT,
            "step %llu: the cell would become thinner than the largest radius, %.3g: begin "
            "with a larger cell, or with more grains",
            (unsigned long long)with->number, radius);
    }
    if (t->state->images == 0 && height < least_height * radius) {
        return scr_fail(
            message, SCREE_BAD_ARGUMENT,
            "step %llu: the cell would become much thinner in one step: its rate is too "
            "large for the time step",
            (unsigned long long)with->number);
    }
    return SCREE_OK;
}
