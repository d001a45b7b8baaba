/* The orders of a sweep: every slot once, packets of independent rows, boxes that share no body,
 * and copies of split bodies. */
#include "scenes.h"

#include "base/random.h"
#include "state/cell.h"
#include "sweep/order.h"

typedef struct Case {
    size_t contacts;
    int32_t bodies; /* walls are numbered from here on */
    OrderContact *contact;
    ScreeVec3 *point; /* of each contact */
    void *scratch;
} Case;

static void *need(size_t bytes) {
    void *data = calloc(1, bytes + 1);
    if (data == NULL) {
        abort();
    }
    return data;
}

/* Bodies of radius at most one half at random places; contacts between those that are near, some
 * with three walls, and one body that touches far more than there are colours. */
static Case make_case(size_t bodies, double half, int dimension, uint64_t seed, bool hub) {
    Case c = {.bodies = (int32_t)bodies};
    ScreeVec3 *x = need(bodies * sizeof *x);
    c.contact = need(40 * bodies * sizeof *c.contact);
    c.point = need(40 * bodies * sizeof *c.point);
    for (size_t i = 0; i < bodies; i++) {
        x[i] = rig_random_vec(&seed, half, dimension);
    }
    for (size_t i = 0; i < bodies; i++) {
        for (size_t j = i + 1; j < bodies && c.contacts < 30 * bodies; j++) {
            ScreeVec3 d = rig_sub(x[j], x[i]);
            double l = rig_length(d);
            if (l < 1 || (hub && i == 0)) {
                double r = l < 1 ? 0.5 : l - 0.5;
                c.point[c.contacts] = rig_add(x[i], l > 0 ? r / l : 0, d);
                c.contact[c.contacts] = (OrderContact){
                    (int32_t)i, (int32_t)j, (uint32_t)(i + j) % ORDER_KINDS, 0, c.contacts};
                c.contacts++;
            }
        }
        if (rig_random(&seed) < 0.3) {
            c.point[c.contacts] = rig_add(x[i], -0.5, rig_vec(0, 1, 0));
            c.contact[c.contacts] =
                (OrderContact){(int32_t)i, c.bodies + (int32_t)(i % 3), 0, 0, c.contacts};
            c.contacts++;
        }
    }
    free(x);
    c.scratch = need(scr_order_scratch(c.contacts, &(Boxes){.total = 0}));
    return c;
}

static void free_case(Case *c) {
    free(c->contact);
    free(c->point);
    free(c->scratch);
}

/* Splits wall 1 of the three, a piston, and body 0 on demand. */
static void split(Case *c, bool hub) {
    for (size_t i = 0; i < c->contacts; i++) {
        OrderContact *k = &c->contact[i];
        k->a = hub && k->a == 0 ? -1 : k->a;
        k->b = k->b == c->bodies + 1 ? -1 - k->b : k->b;
    }
}

/* Boxes around the first half of the points only: the outermost boxes hold the rest. */
static Boxes lay(Case *c, double side, const double period[3], uint64_t key) {
    ScreeVec3 low = c->point[0], high = low;
    for (size_t i = 0; i < (c->contacts + 1) / 2; i++) {
        ScreeVec3 p = c->point[i];
        low = rig_vec(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = rig_vec(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    Boxes boxes = scr_lay_boxes(low, high, side, period, c->contacts, key);
    for (size_t i = 0; i < c->contacts; i++) {
        c->contact[i].box = scr_box_of(&boxes, c->point[i]);
    }
    return boxes;
}

static OrderInput input_of(const Case *c, Boxes boxes, uint64_t key) {
    return (OrderInput){.count = c->contacts,
                        .contact = c->contact,
                        .bodies = (size_t)c->bodies + 3,
                        .walls_from = c->bodies,
                        .boxes = boxes,
                        .key = key,
                        .scratch = c->scratch};
}

static const double no_period[3] = {0, 0, 0};

static void check_slots(const Case *c, const Order *order) {
    unsigned char *seen = need(c->contacts);
    size_t once = 0;
    for (size_t i = 0; i < c->contacts; i++) {
        size_t slot = (size_t)order->slot[i];
        once += slot < c->contacts && seen[slot]++ == 0;
    }
    CHECK(once == c->contacts);
    free(seen);
}

/* Counts how often a grain belongs to two parts of one whole, where `part` and `whole` say to which
 * each stored row belongs. */
static int shared_bodies(const Case *c, const Order *order, const int32_t *part,
                         const int32_t *whole) {
    int shared = 0;
    int32_t *part_of = need((size_t)c->bodies * sizeof *part_of),
            *whole_of = need((size_t)c->bodies * sizeof *whole_of);
    int32_t *row_of = need(c->contacts * sizeof *row_of);
    for (size_t i = 0; i < c->contacts; i++) {
        row_of[order->slot[i]] = (int32_t)i;
    }
    for (size_t row = 0; row < c->contacts; row++) {
        const OrderContact *contact = &c->contact[row_of[row]];
        const int32_t body[2] = {contact->a, contact->b};
        for (int k = 0; k < 2; k++) {
            if (body[k] >= 0 && body[k] < c->bodies) {
                shared += whole_of[body[k]] == whole[row] + 1 && part_of[body[k]] != part[row] + 1;
                whole_of[body[k]] = whole[row] + 1;
                part_of[body[k]] = part[row] + 1;
            }
        }
    }
    free(part_of);
    free(whole_of);
    free(row_of);
    return shared;
}

/* Every box has its own copy of each split body that it touches, and a group knows how many. */
static void check_copies(const Case *c, const Order *order, const int32_t *box,
                         const int32_t *group) {
    int32_t *box_of = need(order->copies * sizeof *box_of),
            *seen = need(order->copies * sizeof *seen);
    int wrong = 0;
    for (size_t i = 0; i < c->contacts; i++) {
        const int32_t body[2] = {c->contact[i].a, c->contact[i].b};
        for (int k = 0; k < 2; k++) {
            int32_t copy = order->copies > 0 ? order->copy_of[i][k] : -1;
            wrong += (body[k] < 0) != (copy >= 0);
            if (copy >= 0) {
                int32_t slot = order->slot[i], g = group[slot];
                wrong += order->copy[copy].body != -1 - body[k];
                wrong += seen[copy]++ > 0 && box_of[copy] != box[slot];
                wrong += copy >= order->copy_end[g] || (g > 0 && copy < order->copy_end[g - 1]);
                box_of[copy] = box[slot];
            }
        }
    }
    for (size_t k = 0; k < order->copies; k++) {
        int among = 0;
        for (size_t j = 0; j < order->copies; j++) {
            bool same = order->copy[j].body == order->copy[k].body;
            int32_t g = 0, h = 0;
            for (; (size_t)order->copy_end[g] <= k; g++) {
            }
            for (; (size_t)order->copy_end[h] <= j; h++) {
            }
            among += same && g == h;
            wrong += same && j != k && box_of[j] == box_of[k];
        }
        wrong += among != order->copy[k].among || seen[k] == 0;
    }
    CHECK(wrong == 0);
    free(box_of);
    free(seen);
}

/* Runs, boxes and groups cover all rows in order; the rows of a packet share no grain, nor do the
 * boxes of a group. */
static void check_runs(const Case *c, const Order *order) {
    int32_t *row = need(c->contacts * sizeof *row), *packet = need(c->contacts * sizeof *packet),
            *box = need(c->contacts * sizeof *box), *group = need(c->contacts * sizeof *group);
    int32_t r = 0, k = 0, b = 0, packets = 0;
    for (size_t g = 0; g < order->groups; g++) {
        for (; b < order->group_end[g]; b++) {
            for (; k < order->box_end[b]; k++, packets++) {
                for (int32_t first = r; r < order->run_end[k] && (size_t)r < c->contacts; r++) {
                    packets += r > first && (r - first) % PACKET_ROWS == 0;
                    row[r] = r;
                    packet[r] = packets;
                    box[r] = b;
                    group[r] = (int32_t)g;
                }
            }
        }
    }
    CHECK((size_t)r == c->contacts && (size_t)k == order->runs && (size_t)b == order->boxes);
    CHECK(shared_bodies(c, order, row, packet) == 0);
    CHECK(shared_bodies(c, order, box, group) == 0);
    if (order->groups > 0) {
        check_copies(c, order, box, group);
    }
    free(row);
    free(packet);
    free(box);
    free(group);
}

/* 0: plain contacts, 1: those with laws of their own, 2: shapes. */
static int family(uint32_t kind) {
    return kind <= ORDER_OPEN ? 0 : kind <= ORDER_LAW_OPEN ? 1 : 2;
}

/* Packets are well filled and hold one kind each, but those that are not full may hold all kinds of
 * one family. */
static void check_packets(const Case *c, const Order *order) {
    uint32_t *kind = need(c->contacts * sizeof *kind);
    for (size_t i = 0; i < c->contacts; i++) {
        kind[order->slot[i]] = c->contact[i].kind;
    }
    int32_t row = 0, mixed = 0, packets = 0;
    for (size_t k = 0; k < order->runs; k++) {
        for (int32_t first = row; row < order->run_end[k]; row++) {
            bool begins = (row - first) % PACKET_ROWS == 0;
            packets += begins;
            bool alike = !begins && family(kind[row]) == family(kind[row - 1]);
            bool alone = order->run_end[k] - first <= PACKET_ROWS; /* a packet that was not full */
            mixed += !begins && kind[row] != kind[row - 1] && !(alike && alone);
        }
    }
    CHECK(mixed == 0);
    CHECK(packets < (int32_t)c->contacts / 4); /* more than half full */
    free(kind);
}

static void plain_and_coloured_orders_hold_every_row(void) {
    for (int kind = 0; kind < 4; kind++) {
        Case c = make_case(kind == 0 ? 40 : 400, kind % 2 == 0 ? 4 : 12, 3, 11 + (uint64_t)kind,
                           kind >= 2);
        Order order = {0};
        OrderInput in = input_of(&c, (Boxes){.total = 0}, 1);
        CHECK(scr_order_plain(&in, &order));
        bool as_found = true;
        for (size_t i = 0; i < c.contacts; i++) {
            as_found = as_found && order.slot[i] == (int32_t)i;
        }
        CHECK(as_found);
        CHECK(scr_order_coloured(&in, &order));
        check_slots(&c, &order);
        check_runs(&c, &order);
        CHECK(order.runs > 0);
        scr_order_free(&order);
        free_case(&c);
    }
}

/* A chain needs two colours. */
static void chain_needs_two_colours(void) {
    enum { LINKS = 51 };
    OrderContact contact[LINKS];
    for (int i = 0; i < LINKS; i++) {
        contact[i] = (OrderContact){i, i + 1, 0, 0, (uint64_t)i};
    }
    Case c = {LINKS, LINKS, contact, NULL,
              need(scr_order_scratch(LINKS, &(Boxes){.total = 0}))}; /* the last body is a wall */
    OrderInput in = input_of(&c, (Boxes){.total = 0}, 1);
    Order order = {0};
    CHECK(scr_order_coloured(&in, &order));
    check_slots(&c, &order);
    for (int i = 0; i < LINKS; i++) {
        CHECK((order.slot[i] < (LINKS + 1) / 2) == (i % 2 == 0));
    }
    scr_order_free(&order);
    free(c.scratch);
}

/* Which contact stands in each slot, by name. */
static uint64_t *names_in_order(const Case *c, const Order *order) {
    uint64_t *name = need(c->contacts * sizeof *name);
    for (size_t i = 0; i < c->contacts; i++) {
        name[order->slot[i]] = c->contact[i].name;
    }
    return name;
}

/* Contacts in another order, and bodies with other numbers: walls stay behind them. */
static Case elsewhere(const Case *c, uint64_t key) {
    Case other = *c;
    int32_t *at = need((size_t)c->bodies * sizeof *at);
    other.contact = need(c->contacts * sizeof *other.contact);
    for (int32_t i = 0; i < c->bodies; i++) {
        at[i] = i;
    }
    scr_shuffle(at, (size_t)c->bodies, key);
    for (size_t i = 0; i < c->contacts; i++) {
        OrderContact k = c->contact[i];
        k.a = k.a < 0 ? -1 - at[-1 - k.a] : at[k.a];
        k.b = k.b >= 0 && k.b < c->bodies ? at[k.b] : k.b;
        other.contact[c->contacts - 1 - i] = k;
    }
    free(at);
    return other;
}

static void order_depends_on_names_alone(void) {
    for (uint64_t key = 0; key < 6; key++) {
        Case c = make_case(600, key % 2 == 0 ? 3 : 9, 3, 40 + key, key >= 4);
        split(&c, key >= 4);
        Boxes boxes = lay(&c, 3, no_period, key);
        Case other = elsewhere(&c, 90 + key);
        OrderInput in = input_of(&c, boxes, key), in_other = input_of(&other, boxes, key);
        Order order = {0}, order_other = {0};
        CHECK(scr_order_boxed(&in, &order) && scr_order_boxed(&in_other, &order_other));
        uint64_t *name = names_in_order(&c, &order), *same = names_in_order(&other, &order_other);
        CHECK(memcmp(name, same, c.contacts * sizeof *name) == 0);
        CHECK(order.runs == order_other.runs && order.boxes == order_other.boxes);
        CHECK(memcmp(order.run_end, order_other.run_end, order.runs * sizeof *order.run_end) == 0);
        free(name);
        free(same);
        free(other.contact);
        scr_order_free(&order);
        scr_order_free(&order_other);
        free_case(&c);
    }
}

static void boxed_order_holds_every_row(void) {
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int kind = 0; kind < 3; kind++) {
            Case c = make_case(600,
                               kind == 0   ? 3
                               : kind == 1 ? 12
                                           : 900,
                               dimension, 5 + (uint64_t)kind, kind == 1);
            split(&c, kind == 1); /* the hub has contacts everywhere */
            for (uint64_t key = 0; key < 4; key++) {
                uint64_t draw = scr_random_key(9, key, 7);
                OrderInput in = input_of(&c, lay(&c, 3, no_period, draw), draw);
                Order order = {0}, again = {0};
                CHECK(scr_order_boxed(&in, &order) && scr_order_boxed(&in, &again));
                check_slots(&c, &order);
                check_runs(&c, &order);
                if (kind == 0) { /* dense */
                    check_packets(&c, &order);
                }
                CHECK(kind != 1 || order.copies > 3);
                CHECK(memcmp(order.slot, again.slot, c.contacts * sizeof *order.slot) == 0);
                scr_order_free(&order);
                scr_order_free(&again);
            }
            free_case(&c);
        }
    }
}

/* With many boxes, wherever the cell is cut: contact points of one body are at most 2 apart, also
 * across a boundary. */
static void boxes_of_a_group_share_no_body(void) {
    static const double periods[][3] = {{0, 0, 0},    {40, 0, 0}, {0, 37, 0}, {40, 41, 0},
                                        {16, 17, 18}, {9, 9, 9},  {5, 5, 5}};
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int kind = 0; kind < 7; kind++) {
            Case c = make_case(1500, dimension == 2 ? 20 : 8, dimension, 77, false);
            for (size_t i = 0; i < c.contacts;
                 i++) { /* wrapped into the cell, which separates neighbours */
                ScreeVec3 *x = &c.point[i];
                const double *l = periods[kind];
                *x = rig_vec(l[0] > 0 ? x->x - l[0] * floor(x->x / l[0]) : x->x,
                             l[1] > 0 ? x->y - l[1] * floor(x->y / l[1]) : x->y,
                             l[2] > 0 && dimension == 3 ? x->z - l[2] * floor(x->z / l[2]) : x->z);
            }
            size_t most = 0, first[3] = {0};
            for (uint64_t key = 1; key < 9; key++) {
                uint64_t draw = scr_random_key(3, key, 1);
                double period[3] = {periods[kind][0], periods[kind][1],
                                    dimension == 3 ? periods[kind][2] : 0};
                OrderInput in = input_of(&c, lay(&c, 2.2, period, draw), draw);
                Order order = {0};
                CHECK(scr_order_boxed(&in, &order));
                check_slots(&c, &order);
                check_runs(&c, &order);
                most = order.boxes > most ? order.boxes : most;
                first[key % 3] = (size_t)order.slot[0];
                scr_order_free(&order);
            }
            CHECK(kind > 4 || most > 30);
            CHECK(first[0] != first[1] || first[1] != first[2]); /* drawn anew with each key */
            free_case(&c);
        }
    }
}

static void shuffle_is_uniform(void) {
    enum { N = 6, DRAWS = 72000 };
    static int count[N][N];
    for (int k = 0; k < DRAWS; k++) {
        int32_t item[N] = {0, 1, 2, 3, 4, 5};
        scr_shuffle(item, N, scr_random_key(1, (uint64_t)k, 2));
        int sum = 0;
        for (int i = 0; i < N; i++) {
            count[i][item[i]]++;
            sum += 1 << item[i];
        }
        CHECK(sum == 63);
    }
    /* each position equally often: mean 12000, standard deviation 100 */
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            CHECK_NEAR(count[i][j], 12000, 500);
        }
    }
}

static bool same_bits(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

/* A number from its last but one neighbour below to that above: -2 .. 2 steps of the last bit. */
static double beside(double x, int steps) {
    for (; steps > 0; steps--) {
        x = nextafter(x, INFINITY);
    }
    for (; steps < 0; steps++) {
        x = nextafter(x, -INFINITY);
    }
    return x;
}

/* What needs no rounding is told apart exactly: halves of the cell, zeros of both signs, what is no
 * number. */
static void images_are_those_that_rounding_gives(void) {
    static const double length[] = {1, 0.7, 3.1e5, 7e-9};
    int wrong = 0;
    for (size_t k = 0; k < sizeof length / sizeof length[0]; k++) {
        const double l = length[k];
        for (int quarter = -9; quarter <= 9; quarter++) {
            for (int steps = -2; steps <= 2; steps++) {
                const double d = beside(0.25 * quarter * l, steps);
                wrong += !same_bits(scr_nearest_along(l, d), d - l * nearbyint(d / l));
            }
        }
        wrong += !same_bits(scr_nearest_along(l, -0.0), 0.0);
        wrong += !isnan(scr_nearest_along(l, NAN)) + !isnan(scr_nearest_along(l, INFINITY));
    }
    CHECK(wrong == 0);
}

/* As floor has it, within the boxes, at their borders and beyond, whether they go round or not. */
static void boxes_are_those_that_floor_gives(void) {
    enum { BOXES = 6 };
    int wrong = 0;
    for (int around = 0; around < 2; around++) {
        const Boxes b = {
            .origin = {-1.3}, .per_side = {0.37}, .count = {BOXES}, .around = {around}};
        for (int eighth = -100; eighth <= 100; eighth++) {
            for (int steps = -2; steps <= 2; steps++) {
                const double x = beside(b.origin[0] + 0.125 * eighth / b.per_side[0], steps);
                double at = floor((x - b.origin[0]) * b.per_side[0]);
                at = around ? at - BOXES * floor(at / BOXES) : at;
                at = scr_max(0, scr_min(at, BOXES - 1));
                wrong += scr_box_along(&b, 0, x) != (uint32_t)at;
            }
        }
    }
    CHECK(wrong == 0);
}

int main(int argc, char **argv) {
    CHECK_RUN(images_are_those_that_rounding_gives);
    CHECK_RUN(boxes_are_those_that_floor_gives);
    CHECK_RUN(plain_and_coloured_orders_hold_every_row);
    CHECK_RUN(chain_needs_two_colours);
    CHECK_RUN(boxed_order_holds_every_row);
    CHECK_RUN(order_depends_on_names_alone);
    CHECK_RUN(boxes_of_a_group_share_no_body);
    CHECK_RUN(shuffle_is_uniform);
    return check_result();
}
