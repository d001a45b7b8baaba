#include "network/force_set.h"

#include "base/partner.h"
#include "problem/problem.h"

#include <string.h>

/* ---------------------------------------------------------------- what the sample says */

typedef struct Making {
    const ScreeSample *sample;
    const ScreeSurroundings *around;
    double still;
    bool moving;    /* all contacts, open ones too, with velocities and real masses */
    int block;      /* components of a force */
    int32_t *first; /* [bodies + walls] the first freedom of each; -1: none */
} Making;

static bool is_free(const Making *k, int32_t body, uint32_t bit) {
    return k->around->frozen == NULL || (k->around->frozen[body] & bit) == 0;
}

static const ScreeSampleWall *wall_of(const Making *k, int32_t b) {
    size_t wall = scr_wall_of(b);
    return wall < k->around->walls ? &k->around->wall[wall] : NULL;
}

/* The shortest periodic image of a difference of positions. */
static Vec3 nearest(const ScreeSample *s, Vec3 d) {
    bool oblique = false;
    Vec3 edge[3];
    for (int k = 0; k < 3; k++) {
        edge[k] = s->periodic[k] ? s->edge[k] : vec3(k == 0, k == 1, k == 2);
        oblique = oblique || dot(s->edge[k], s->edge[k]) > 0;
    }
    if (oblique) {
        const Mat3 h = mat3_of_columns(edge), inverse = mat3_inverse(&h);
        const Vec3 n = mat3_apply(&inverse, d);
        for (int k = 0; k < 3; k++) {
            d = s->periodic[k] ? add_scaled(d, -nearbyint(component(n, k)), edge[k]) : d;
        }
        return d;
    }
    double *part[3] = {&d.x, &d.y, &d.z};
    const double side[3] = {s->cell_max.x - s->cell_min.x, s->cell_max.y - s->cell_min.y,
                            s->cell_max.z - s->cell_min.z};
    for (int i = 0; i < 3; i++) {
        *part[i] -= s->periodic[i] && side[i] > 0 ? side[i] * nearbyint(*part[i] / side[i]) : 0;
    }
    return d;
}

/* From a body's centre to the contact. For a round body this is its radius along the normal: the
 * contact point lies where the body is now, while the normal is that of the start of the step, so
 * normal forces at that point would turn the body a little. */
static Vec3 arm_of(const Making *k, const ScreeContactForce *c, bool at_b) {
    const ScreeSample *s = k->sample;
    int32_t body = at_b ? c->b.code : c->a.index;
    if (s->shape == NULL || s->shape[body].index < 0) {
        return scale(at_b ? -s->radius[body] : s->radius[body], c->normal);
    }
    return nearest(s, sub(c->point, s->position[body]));
}

static Vec3 velocity_at(const Making *k, const ScreeContactForce *c, bool at_b) {
    const ScreeSample *s = k->sample;
    int32_t body = at_b ? c->b.code : c->a.index;
    if (body >= 0) {
        return add(s->velocity[body], cross(s->spin[body], arm_of(k, c, at_b)));
    }
    const ScreeSampleWall *wall = wall_of(k, body);
    return wall == NULL ? vec3(0, 0, 0)
                        : add(wall->velocity, cross(wall->spin, sub(c->point, wall->pivot)));
}

static const ScreeLaw *law_of(const Making *k, const ScreeContactForce *c) {
    const ScreeSample *s = k->sample;
    const ScreeSampleWall *wall = scree_partner_is_wall(c->b) ? wall_of(k, c->b.code) : NULL;
    int32_t a = s->material[c->a.index].index,
            b = !scree_partner_is_wall(c->b) ? s->material[c->b.code].index : a;
    b = wall != NULL && !SCREE_IS_NULL(wall->material) ? wall->material.index : b;
    return &s->law[(size_t)a * s->materials + (size_t)b];
}

/* The freedoms of a body, one bit for each of x, y, z and the rotations about them. */
static int freedoms_of(const Making *k, int32_t body) {
    static const uint32_t bits[6] = {SCREE_FREEZE_X,          SCREE_FREEZE_Y,
                                     SCREE_FREEZE_Z,          SCREE_FREEZE_ROTATION_X,
                                     SCREE_FREEZE_ROTATION_Y, SCREE_FREEZE_ROTATION_Z};
    int which = 0;
    for (int i = 0; i < 6; i++) {
        bool there = k->sample->dimension == 3 || i < 2 || i == 5;
        which |= there && is_free(k, body, bits[i]) ? 1 << i : 0;
    }
    return which;
}

static bool is_piston(const ScreeSampleWall *wall) {
    return wall != NULL && length(wall->piston) > 0;
}

/* What moves where a contact touches this side: a body that a wall holds is a part of that wall. */
static int32_t mover_of(const Making *k, int32_t side) {
    const ScreeWallId *holder = k->around->holder;
    bool held = side >= 0 && holder != NULL && holder[side].index >= 0;
    return held ? scr_wall_code((size_t)holder[side].index) : side;
}

static bool can_move(const Making *k, int32_t side) {
    const int32_t mover = mover_of(k, side);
    return mover >= 0 ? freedoms_of(k, mover) != 0 : is_piston(wall_of(k, mover));
}

/* How a contact behaves as long as nothing else moves. It is open if its surfaces are apart at the
 * end of the step, and slides if it moves farther than `still` allows. Without a time step the
 * present forces decide. */
static int32_t state_of(const Making *k, const ScreeContactForce *c) {
    const ScreeSample *s = k->sample;
    double radius = !scree_partner_is_wall(c->b)
                        ? scr_min(s->radius[c->a.index], s->radius[c->b.code])
                        : s->radius[c->a.index];
    double dt = k->around->time_step, most = k->still * radius;
    Vec3 u = sub(velocity_at(k, c, true), velocity_at(k, c, false));
    double along = dot(u, c->normal);
    if (!can_move(k, c->a.index) && !can_move(k, c->b.code)) {
        return SCREE_CONTACT_OPEN;
    }
    bool slips = dt * length(add_scaled(u, -along, c->normal)) > most || !(dt > 0);
    if (!(c->force_normal > 0)) {
        bool touches = dt > 0 && scr_max(c->gap, 0) + dt * along <= most;
        return !touches             ? SCREE_CONTACT_OPEN
               : k->moving && slips ? SCREE_CONTACT_SLIP
                                    : SCREE_CONTACT_STICK;
    }
    slips = slips || k->moving; /* there the law has decided what slides, however slowly */
    return c->state == SCREE_CONTACT_SLIP && slips ? SCREE_CONTACT_SLIP : SCREE_CONTACT_STICK;
}

/* Whether the contact has a place in the set. */
static bool is_listed(const Making *k, const ScreeContactForce *c) {
    return state_of(k, c) != SCREE_CONTACT_OPEN ||
           (k->moving && (can_move(k, c->a.index) || can_move(k, c->b.code)));
}

static const char *fault_of(const Making *k, const ScreeContactForce *c) {
    const ScreeLaw *law = law_of(k, c);
    bool rolls = law->rolling > 0 || law->rolling_length > 0 || law->rolling_hertz > 0;
    if (law->cohesion > 0 || law->cohesion_stress > 0 || law->bridge_volume > 0 ||
        c->force_normal < 0) {
        return "contacts with cohesion are not supported in a set of force networks";
    }
    if (rolls || law->torsion > 0 || law->torsion_length > 0) {
        return "contacts with rolling or torsion friction are not supported in a set of force "
               "networks";
    }
    return NULL;
}

/* ---------------------------------------------------------------- freedoms */

/* Numbers the freedoms of what `c` touches. */
static void number_freedoms(Making *k, const ScreeContactForce *c, double *mass, int32_t *next) {
    const ScreeSample *s = k->sample;
    const int32_t side[2] = {mover_of(k, c->a.index), mover_of(k, c->b.code)};
    for (int i = 0; i < 2; i++) {
        size_t at = side[i] >= 0 ? (size_t)side[i] : s->bodies + scr_wall_of(side[i]);
        bool piston = side[i] < 0 && is_piston(wall_of(k, side[i]));
        if ((side[i] < 0 && !piston) || k->first[at] >= 0) {
            continue;
        }
        k->first[at] = *next;
        if (piston) {
            mass[(*next)++] = k->moving ? wall_of(k, side[i])->mass : 1;
            continue;
        }
        double r = s->radius[side[i]];
        for (int f = 0, which = freedoms_of(k, side[i]); f < 6; f++) {
            if ((which & 1 << f) != 0) {
                mass[(*next)++] = f < 3 ? s->mass[side[i]] : s->inertia[side[i]] / (r * r);
            }
        }
    }
}

/* Adds what a unit of force along `axis` on b, and its opposite on a, does to the freedoms. Torques
 * are divided by the radius. */
static size_t add_column(const Making *k, const ScreeContactForce *c, Vec3 axis, int32_t column,
                         SparseEntry *to) {
    const ScreeSample *s = k->sample;
    size_t count = 0;
    for (int i = 0; i < 2; i++) {
        int32_t body = mover_of(k, i == 0 ? c->a.index : c->b.code);
        double sign = i == 0 ? -1 : 1;
        if (body < 0) {
            const ScreeSampleWall *wall = wall_of(k, body);
            if (is_piston(wall)) {
                to[count++] = (SparseEntry){k->first[s->bodies + scr_wall_of(body)], column,
                                            sign * dot(axis, wall->piston)};
            }
            continue;
        }
        Vec3 turn = scale(1 / s->radius[body], cross(arm_of(k, c, i == 1), axis));
        const double part[6] = {axis.x, axis.y, axis.z, turn.x, turn.y, turn.z};
        int32_t row = k->first[body];
        for (int f = 0, which = freedoms_of(k, body); f < 6; f++) {
            if ((which & 1 << f) != 0) {
                to[count++] = (SparseEntry){row++, column, sign * part[f]};
            }
        }
    }
    return count;
}

/* ---------------------------------------------------------------- the set */

static bool reserve(ForceSet *set, size_t contacts, size_t freedoms, int block) {
    size_t m = (size_t)block * contacts;
    if (!scr_matrix_problem_begin(&set->problem, block, contacts, freedoms, true, false) ||
        !scr_block_reserve_exact(&set->vector_block, m + freedoms + 1, sizeof(double), 0) ||
        !scr_block_reserve_exact(&set->index_block, 2 * contacts + freedoms + 1, sizeof(int32_t),
                                 0)) {
        return false;
    }
    set->now = set->vector_block.data;
    set->mass = set->now + m;
    set->contact = set->index_block.data;
    set->state = set->contact + contacts;
    set->owner = set->state + contacts;
    for (size_t i = 0; i < freedoms; i++) {
        set->owner[i] = -1;
    }
    return true;
}

/* The direction in which b slides on a: against the friction on b, or where there is none, along the
 * relative velocity. */
static Vec3 slip_direction(const Making *k, const ScreeContactForce *c) {
    Vec3 u = sub(velocity_at(k, c, true), velocity_at(k, c, false));
    Vec3 along = add_scaled(u, -dot(u, c->normal), c->normal);
    return unit(length(c->force_tangential) > 0 ? scale(-1, c->force_tangential) : along);
}

/* The axes of a contact that are unknowns, into `column` [3], and its force along them. Returns
 * how many axes there are. */
static int contact_axes(const Making *k, const ScreeContactForce *c, int32_t state, double *mu,
                        double *force, Vec3 *column) {
    const ScreeLaw *law = law_of(k, c);
    double n = scr_max(c->force_normal, 0), t = length(c->force_tangential);
    *mu = scr_max(law->friction, law->friction_static);
    memset(force, 0, (size_t)k->block * sizeof *force);
    force[0] = n;
    column[0] = c->normal;
    if (!k->moving && (state == SCREE_CONTACT_SLIP || !(*mu > 0))) {
        column[0] = n > 0 ? add_scaled(c->normal, 1 / n, c->force_tangential) : c->normal;
        *mu = 0;
        return 1;
    }
    /* The present force belongs to the set, whatever rounding or a change of the law has done. */
    *mu = n > 0 ? scr_max(*mu, t / n) : *mu;
    scr_tangents(k->block, c->normal, &column[1], &column[2]);
    if (k->moving && k->block == 3 && state == SCREE_CONTACT_SLIP) {
        column[1] = slip_direction(k, c);
        column[2] = cross(c->normal, column[1]);
    }
    for (int i = 1; i < k->block && n > 0; i++) {
        force[i] = dot(column[i], c->force_tangential);
    }
    return k->block;
}

/* The velocity that the law sees in the present motion, freed from the errors of its solution: how
 * fast an open contact opens beyond the closing of its gap, and how fast a sliding one slides. */
static void note_velocity(const Making *k, const ScreeContactForce *c, int32_t state,
                          const Vec3 *column, double *w) {
    Vec3 u = sub(velocity_at(k, c, true), velocity_at(k, c, false));
    memset(w, 0, (size_t)k->block * sizeof *w);
    if (state == SCREE_CONTACT_OPEN) {
        w[0] = scr_max(dot(u, c->normal) + c->gap / k->around->time_step, 0);
    } else if (state == SCREE_CONTACT_SLIP) {
        w[1] = dot(u, column[1]);
    }
}

/* Changes to units of the mean force and the mean mass. */
static void make_units(ForceSet *set) {
    MatrixProblem *p = &set->problem;
    size_t n = (size_t)p->h.rows, m = scr_matrix_rows(p), carry = 0;
    double force = 0, mass = 0;
    for (size_t c = 0; c < p->contacts; c++) {
        force += set->now[c * (size_t)p->block];
        carry += set->now[c * (size_t)p->block] > 0;
    }
    for (size_t i = 0; i < n; i++) {
        mass += set->mass[i];
    }
    set->unit = carry > 0 ? force / (double)carry : 1;
    for (size_t i = 0; i < m; i++) {
        set->now[i] /= set->unit;
    }
    set->mass_unit = n > 0 ? mass / (double)n : 1;
    for (size_t i = 0; i < n; i++) {
        set->mass[i] /= set->mass_unit;
    }
}

/* f = -H now. */
static void balance(ForceSet *set) {
    memset(set->problem.f, 0, (size_t)set->problem.h.rows * sizeof(double));
    scr_sparse_multiply(&set->problem.h, -1, set->now, set->problem.f);
}

/* Which body each freedom belongs to, and which of its six axes it is. */
static void note_owners(const Making *k, ForceSet *set) {
    for (size_t b = 0; b < k->sample->bodies; b++) {
        int32_t row = k->first[b];
        for (int f = 0, which = row < 0 ? 0 : freedoms_of(k, (int32_t)b); f < 6; f++) {
            if ((which & 1 << f) != 0) {
                set->owner[row++] = 6 * (int32_t)b + f;
            }
        }
    }
}

static bool fill(Making *k, ForceSet *set, size_t contacts, int32_t *first, SparseEntry *entry,
                 double *mass) {
    const ScreeSample *s = k->sample;
    int32_t next = 0;
    size_t count = 0, closed = 0;
    k->first = first;
    for (size_t i = 0; i < s->bodies + k->around->walls; i++) {
        first[i] = -1;
    }
    for (size_t i = 0; i < s->contacts; i++) {
        if (is_listed(k, &s->contact[i])) {
            number_freedoms(k, &s->contact[i], mass, &next);
        }
    }
    if (!reserve(set, contacts, (size_t)next, k->block)) {
        return false;
    }
    memcpy(set->mass, mass, (size_t)next * sizeof *mass);
    note_owners(k, set);
    for (size_t i = 0; i < s->contacts; i++) {
        const ScreeContactForce *c = &s->contact[i];
        int32_t state = state_of(k, c);
        Vec3 column[3];
        if (!is_listed(k, c)) {
            continue;
        }
        size_t at = closed * (size_t)k->block;
        int axes = contact_axes(k, c, state, &set->problem.mu[closed], set->now + at, column);
        for (int j = 0; j < axes; j++) {
            count += add_column(k, c, column[j], (int32_t)at + j, entry + count);
        }
        if (k->moving) {
            note_velocity(k, c, state, column, set->problem.w + at);
        }
        set->contact[closed] = (int32_t)i;
        set->state[closed++] = state;
    }
    return scr_sparse_gather(&set->problem.h, next, (int32_t)scr_matrix_rows(&set->problem), entry,
                             count) &&
           scr_sparse_gather(&set->problem.mass, next, next, entry, 0);
}

static Fault make(Making k, ForceSet *set) {
    const ScreeSample *s = k.sample;
    const ScreeSurroundings *around = k.around;
    Block first = {0}, entry = {0}, mass = {0};
    size_t closed = 0, things = s->bodies + around->walls;
    if (s->law == NULL && s->contacts > 0) {
        return scr_fault_of_argument("the laws of the materials are not known");
    }
    for (size_t i = 0; i < s->contacts; i++) {
        const ScreeContactForce *c = &s->contact[i];
        if (is_listed(&k, c)) {
            const char *fault = fault_of(&k, c);
            closed++;
            if (fault != NULL) {
                return scr_fault_of_argument(fault);
            }
        }
    }
    size_t entries = closed * (size_t)k.block * 12;
    bool ok =
        scr_block_reserve_exact(&first, things + 1, sizeof(int32_t), 0) &&
        scr_block_reserve_exact(&entry, entries + 1, sizeof(SparseEntry), 0) &&
        scr_block_reserve_exact(&mass, 6 * s->bodies + around->walls + 1, sizeof(double), 0) &&
        fill(&k, set, closed, first.data, entry.data, mass.data);
    scr_block_free(&first);
    scr_block_free(&entry);
    scr_block_free(&mass);
    if (!ok) {
        return scr_fault_of_memory();
    }
    make_units(set);
    balance(set);
    return scr_no_fault();
}

Fault scr_force_set_make(ForceSet *set, const ScreeSample *s, const ScreeSurroundings *around,
                         double still) {
    return make((Making){s, around, still, false, s->dimension == 2 ? 2 : 3, NULL}, set);
}

Fault scr_force_set_make_moving(ForceSet *set, const ScreeSample *s,
                                const ScreeSurroundings *around, double still) {
    return make((Making){s, around, still, true, s->dimension == 2 ? 2 : 3, NULL}, set);
}

/* ---------------------------------------------------------------- a part of it */

/* The entries of the chosen columns, with rows numbered in the order in which they are met. */
static size_t list_chosen(const ForceSet *set, const bool *chosen, int32_t *new_row,
                          SparseEntry *entry, int32_t *rows) {
    const Sparse *h = &set->problem.h;
    size_t block = (size_t)set->problem.block, count = 0, next = 0;
    memset(new_row, -1, (size_t)h->rows * sizeof *new_row);
    for (size_t c = 0; c < set->problem.contacts; c++) {
        for (size_t j = c * block; chosen[c] && j < (c + 1) * block; j++) {
            int32_t column = (int32_t)(next * block + j - c * block);
            for (int32_t e = h->start[j]; e < h->start[j + 1]; e++) {
                int32_t *row = &new_row[h->row[e]];
                *row = *row < 0 ? (*rows)++ : *row;
                entry[count++] = (SparseEntry){*row, column, h->value[e]};
            }
        }
        next += chosen[c];
    }
    return count;
}

bool scr_force_set_choose(const ForceSet *set, const bool *chosen, ForceSet *part) {
    const MatrixProblem *p = &set->problem;
    size_t block = (size_t)p->block, contacts = 0, n = (size_t)p->h.rows;
    Block entry = {0}, new_row = {0};
    int32_t rows = 0;
    for (size_t c = 0; c < p->contacts; c++) {
        contacts += chosen[c];
    }
    bool ok = scr_block_reserve_exact(&entry, (size_t)p->h.start[p->h.columns] + 1,
                                      sizeof(SparseEntry), 0) &&
              scr_block_reserve_exact(&new_row, n + 1, sizeof(int32_t), 0);
    size_t count = ok ? list_chosen(set, chosen, new_row.data, entry.data, &rows) : 0;
    ok =
        ok && reserve(part, contacts, (size_t)rows, p->block) &&
        scr_sparse_gather(&part->problem.h, rows, (int32_t)(block * contacts), entry.data, count) &&
        scr_sparse_gather(&part->problem.mass, rows, rows, entry.data, 0);
    for (size_t c = 0, next = 0; ok && c < p->contacts; c++) {
        if (chosen[c]) {
            memcpy(part->now + next * block, set->now + c * block, block * sizeof(double));
            part->problem.mu[next] = p->mu[c];
            part->contact[next] = (int32_t)c;
            part->state[next++] = set->state[c];
        }
    }
    for (size_t i = 0; ok && i < n; i++) {
        int32_t to = ((int32_t *)new_row.data)[i];
        if (to >= 0) {
            part->mass[to] = set->mass[i];
            part->owner[to] = set->owner[i];
        }
    }
    scr_block_free(&entry);
    scr_block_free(&new_row);
    part->unit = set->unit;
    part->mass_unit = set->mass_unit;
    if (ok) {
        balance(part);
    }
    return ok;
}

void scr_force_set_free(ForceSet *set) {
    scr_matrix_problem_free(&set->problem);
    scr_block_free(&set->vector_block);
    scr_block_free(&set->index_block);
    *set = (ForceSet){0};
}
