#include "bench/rocks.h"

#include "base/random.h"
#include "sweep/packets.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PAIRS = 5, MOST_POINTS = 4, FACES = 6 };

typedef struct Dice {
    uint64_t key, count;
} Dice;

static double dice(Dice *d) {
    return scr_random_unit(d->key, d->count++);
}

static Vec3 dice_vec(Dice *d, double half) {
    double x = dice(d), y = dice(d), z = dice(d);
    return scale(2 * half, vec3(x - 0.5, y - 0.5, z - 0.5));
}

/* The inverse inertia of s = l w of a body whose radius is l = 1/2: principal axes at random, ratios
 * of moments up to `slender`. */
static Sym3 random_inertia(Dice *d, double scalar, double slender) {
    Vec3 x = unit(dice_vec(d, 1)), y = unit(cross(x, dice_vec(d, 1))), z = cross(x, y);
    const Vec3 axis[3] = {x, y, z};
    Sym3 sum = {0};
    for (int k = 0; k < 3; k++) {
        Sym3 part = sym3_dyad(scalar * (1 + (slender - 1) * dice(d)), axis[k]);
        sum = (Sym3){sum.xx + part.xx, sum.xy + part.xy, sum.xz + part.xz,
                     sum.yy + part.yy, sum.yz + part.yz, sum.zz + part.zz};
    }
    return sum;
}

typedef struct Making {
    const RockKind *kind;
    Rocks *rocks;
    Dice dice;
    Vec3 *place;        /* [bodies] */
    int32_t *tensor_of; /* [bodies] */
} Making;

static void make_bodies(Making *m) {
    Problem *p = &m->rocks->problem;
    const int across = m->kind->across;
    for (int i = 0; i < across * across * across; i++) {
        Vec3 at = vec3(i % across, i / across % across, i / (across * across));
        m->place[i] = add(at, dice_vec(&m->dice, 0.1));
        double inverse_mass = 1 + dice(&m->dice);
        p->body[i] = (ProblemBody){.v = vec3(0.02, 0.01, -0.1),
                                   .inverse_mass = inverse_mass,
                                   .inverse_inertia = 2.5 * inverse_mass};
        m->tensor_of[i] = -1;
        if (dice(&m->dice) >= m->kind->balls) {
            m->tensor_of[i] = (int32_t)p->tensors;
            p->tensor[p->tensors++] =
                (Tensor){sym3_diagonal(inverse_mass, inverse_mass, inverse_mass),
                         random_inertia(&m->dice, p->body[i].inverse_inertia, m->kind->slender)};
        }
        p->bodies++;
    }
    p->body[p->bodies] = (ProblemBody){0};
    m->tensor_of[p->bodies++] = -1;
}

static void add_point(Making *m, int32_t a, int32_t b, Vec3 normal, Vec3 point) {
    Rocks *k = m->rocks;
    Problem *p = &k->problem;
    const bool wall = b == (int32_t)p->bodies - 1;
    double gap = dice(&m->dice) < 0.2 ? 0.05 * dice(&m->dice) : 0;
    k->point[p->rows] = point;
    k->found[p->rows] = (Row){.normal = normal, .bias = gap, .mu = m->kind->mu, .a = a, .b = b};
    k->arm[p->rows] =
        (GeneralRow){.arm_a = scale(2, sub(point, m->place[a])),
                     .arm_b = wall ? vec3(0, 0, 0) : scale(2, sub(point, m->place[b])),
                     .tensor_a = m->tensor_of[a],
                     .tensor_b = m->tensor_of[b]};
    scr_general_complete(p, &k->found[p->rows], &k->arm[p->rows]);
    p->rows++;
}

/* Contact points of a pair lie in a plane across its normal. */
static void add_pair(Making *m, int32_t a, int32_t b, Vec3 towards, Vec3 middle) {
    Vec3 normal = unit(add(unit(towards), dice_vec(&m->dice, 0.3))), t1, t2;
    scr_tangents(3, normal, &t1, &t2);
    double many = dice(&m->dice);
    int points = many < 0.45 ? 1 : many < 0.7 ? 2 : many < 0.9 ? 3 : MOST_POINTS;
    for (int k = 0; k < points; k++) {
        Vec3 off = dice_vec(&m->dice, 0.25);
        add_point(m, a, b, normal, add_scaled(add_scaled(middle, off.x, t1), off.y, t2));
    }
}

/* Neighbours along the axes always touch, those across two diagonals every other time. */
static void make_contacts(Making *m) {
    static const int step[MOST_PAIRS][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, -1}};
    const int across = m->kind->across, last = across - 1;
    const int32_t wall = across * across * across;
    for (int32_t i = 0; i < wall; i++) {
        const int at[3] = {i % across, i / across % across, i / (across * across)};
        for (int k = 0; k < MOST_PAIRS; k++) {
            int x = at[0] + step[k][0], y = at[1] + step[k][1], z = at[2] + step[k][2];
            if (x > last || y > last || z > last || z < 0 || (k > 2 && dice(&m->dice) < 0.5)) {
                continue;
            }
            int32_t j = (z * across + y) * across + x;
            Vec3 between = sub(m->place[j], m->place[i]);
            add_pair(m, i, j, between, add_scaled(m->place[i], 0.5, between));
        }
        for (int face = 0; face < FACES - 1; face++) { /* open above */
            const double side = face % 2 == 0 ? -1 : 1;
            if (at[face / 2] == (face % 2 == 0 ? 0 : last)) {
                Vec3 out = vec3(face / 2 == 0 ? side : 0, face / 2 == 1 ? side : 0,
                                face / 2 == 2 ? side : 0);
                add_pair(m, i, wall, out, add_scaled(m->place[i], 0.5, out));
            }
        }
    }
}

bool rocks_make(const RockKind *kind, Rocks *k) {
    *k = (Rocks){.problem = {.dimension = 3, .least_approach = 0.1}};
    Problem *p = &k->problem;
    const size_t edge = (size_t)kind->across, bodies = edge * edge * edge;
    const size_t most = (bodies * MOST_PAIRS + FACES * edge * edge) * MOST_POINTS;
    Making m = {kind, k, {scr_random_key(kind->seed, 0, 1), 0}, NULL, NULL};
    m.place = calloc(bodies, sizeof *m.place);
    m.tensor_of = calloc(bodies + 1, sizeof *m.tensor_of);
    k->point = calloc(most, sizeof *k->point);
    k->found = calloc(most, sizeof *k->found);
    k->arm = calloc(most, sizeof *k->arm);
    p->body = calloc(bodies + 1, sizeof *p->body);
    p->tensor = calloc(bodies + 1, sizeof *p->tensor);
    bool ok = m.place != NULL && m.tensor_of != NULL && k->point != NULL && k->found != NULL &&
              k->arm != NULL && p->body != NULL && p->tensor != NULL;
    if (ok) {
        make_bodies(&m);
        make_contacts(&m);
        p->row = calloc(p->rows, sizeof *p->row);
        p->general = calloc(p->rows, sizeof *p->general);
        p->general_of = calloc(p->rows, sizeof *p->general_of);
        p->approach = calloc(p->rows, sizeof *p->approach);
        ok = p->row != NULL && p->general != NULL && p->general_of != NULL && p->approach != NULL;
    }
    free(m.place);
    free(m.tensor_of);
    return ok;
}

static uint32_t kind_of(const Row *r) {
    double limit = r->mu * r->rn * (1 - 1e-9);
    return r->rn == 0                           ? ORDER_SHAPE_OPEN
           : dot(r->rt, r->rt) >= limit * limit ? ORDER_SHAPE_SLIDES
                                                : ORDER_SHAPE;
}

/* Contacts in the order of detection get the impulses of their rows. */
static void collect(Rocks *k) {
    for (size_t i = 0; i < k->problem.rows && k->order.slot != NULL; i++) {
        k->found[i] = k->problem.row[k->order.slot[i]];
    }
}

static void fill_rows(Rocks *k) {
    Problem *p = &k->problem;
    p->free_square = p->free_square_fclib = 0;
    for (size_t i = 0; i < p->rows; i++) {
        int32_t slot = k->order.slot[i];
        p->row[slot] = k->found[i];
        p->general[slot] = k->arm[i];
        p->general_of[slot] = slot;
        const ProblemBody *a = &p->body[k->found[i].a], *b = &p->body[k->found[i].b];
        RowVelocity q = scr_split_velocity(3, k->found[i].normal, vec3(0, 0, 0.1));
        double qn = scr_is_movable(a) && scr_is_movable(b) ? 0.1 : q.n;
        p->free_square += scr_row_alone_square(p, (size_t)slot, -fabs(qn), dot(q.t, q.t));
        p->free_square_fclib += qn * qn + dot(q.t, q.t);
        p->approach[slot] = fabs(qn);
    }
}

bool rocks_order(Rocks *k, uint64_t key) {
    Problem *p = &k->problem;
    collect(k);
    OrderContact *contact = calloc(p->rows, sizeof *contact);
    void *scratch = malloc(scr_order_scratch(p->rows, &(Boxes){.total = 0}));
    const double period[3] = {0};
    Vec3 high = k->point[p->rows - 1];
    bool ok = contact != NULL && scratch != NULL;
    OrderInput input = {.count = p->rows,
                        .contact = contact,
                        .bodies = p->bodies,
                        .walls_from = (int32_t)p->bodies - 1,
                        .boxes = scr_lay_boxes(vec3(0, 0, 0), high, 5.5, period, p->rows, key),
                        .key = key,
                        .scratch = scratch};
    for (size_t i = 0; ok && i < p->rows; i++) {
        const Row *r = &k->found[i];
        contact[i] =
            (OrderContact){r->a, r->b, kind_of(r), scr_box_of(&input.boxes, k->point[i]), i};
    }
    ok = ok && scr_order_boxed(&input, &k->order);
    free(contact);
    free(scratch);
    void *packets = ok ? realloc(k->packets, scr_packet_room(p, &k->order, p->rows) + 1) : NULL;
    if (packets == NULL) {
        return false;
    }
    k->packets = p->packets = packets;
    fill_rows(k);
    return true;
}

void rocks_free(Rocks *k) {
    Problem *p = &k->problem;
    void *block[] = {p->body,     p->tensor, p->row,   p->general, p->general_of,
                     p->approach, k->point,  k->found, k->arm,     k->packets};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        free(block[i]);
    }
    scr_order_free(&k->order);
    *k = (Rocks){0};
}
