/* The order of the rows: contacts are named, sorted by their kinds and cut into boxes (sweep/order.h). */
#include "dynamics/row_order.h"

#include "dynamics/bond_area.h"
#include "dynamics/laws.h"
#include "dynamics/shaped_pairs.h"
#include "dynamics/step_solver.h"

#include "base/random.h"
#include "base/status.h"

static Vec3 contact_point(const StepTask *t, const Contact *c) {
    const Neighbours *nb = &t->list->neighbours;
    const Spot *a = &nb->spot[nb->rank[c->a]];
    return c->feature <= 0 ? add_scaled(a->x, a->reach, c->normal)
                           : add(a->x, scr_pair_arms(t->state, c).a);
}

/* A box of the sweep is a few grains wide. A contact point lies on the surface of a, and therefore
 * one radius plus the gap away from b. So the contact points of a body are less than a side apart,
 * and boxes of the same parity have no body in common, unless it is larger than `largest`. */
typedef struct BoxSize {
    double side, largest;
    bool giants; /* some body is larger */
} BoxSize;

/* Diameters of a grain. */
static double usual_side(int dimension) {
    return dimension == 3 ? 5.5 : 16;
}

static double largest_in(double side, double gap) {
    return side / 2.1 - gap;
}

double scr_largest_whole(int dimension, double mean_radius) {
    return largest_in(usual_side(dimension) * 2 * mean_radius, 0);
}

static BoxSize box_size(const StepTask *t) {
    double diameter = 2 * t->free->mean_radius, gap = t->extent.gap;
    double side = scr_max(usual_side(t->state->def.dimension) * diameter, 4.2 * gap);
    double largest = largest_in(side, gap);
    return (BoxSize){side, largest, t->free->largest_radius > largest};
}

/* Index of a body in the problem, as the order wants it: -1 - index marks a body to be split. */
static int32_t order_index(const StepTask *t, int32_t body, const BoxSize *box) {
    const State *s = t->state;
    if (body >= 0) {
        int32_t piston = scr_holding_piston(s, body);
        if (piston >= 0) {
            return order_index(t, scr_wall_code((size_t)piston), box);
        }
        int32_t index = t->list->neighbours.rank[scr_origin(s, body)];
        return box->giants && s->bodies.radius[body] > box->largest ? -1 - index : index;
    }
    int32_t index = scr_wall_index(s, scr_wall_of(body));
    bool moves = s->walls.item[scr_wall_of(body)].now.motion == SCREE_WALL_PISTON;
    return moves && box->side > 0 ? -1 - index : index;
}

static const Tensor *tensor_or_null(const StepTask *t, int32_t body) {
    int32_t tensor = t->problem.tensors > 0 ? t->tensor_of[body] : -1;
    return tensor >= 0 ? &t->problem.tensor[tensor] : NULL;
}

/* Between bodies of any shape. In space, contacts that slide take longer, those that are open need
 * only a glance, and packets take no masses that depend on direction (a piston's, say). */
static uint32_t shape_kind(const StepTask *t, const Contact *c) {
    if (t->state->def.dimension == 2) {
        return ORDER_SHAPE;
    }
    int32_t a = scr_acted_index(t, c->a), b = scr_partner_index(t, c);
    const ProblemBody *body = t->problem.body;
    if (!scr_is_scalar_mass(&body[a], tensor_or_null(t, a)) ||
        !scr_is_scalar_mass(&body[b], tensor_or_null(t, b))) {
        return ORDER_LAW;
    }
    return c->state == SCREE_CONTACT_SLIP   ? ORDER_SHAPE_SLIDES
           : c->state == SCREE_CONTACT_OPEN ? ORDER_SHAPE_OPEN
                                            : ORDER_SHAPE;
}

static uint32_t order_kind(const StepTask *t, size_t contact) {
    const State *s = t->state;
    const Contact *c = &s->contacts.item[contact];
    bool plain = (s->materials.uses & ~(unsigned)LAW_TWO_FRICTIONS) == 0 ||
                 (scr_law_uses(scr_contact_law(s, c)) & ~(unsigned)LAW_TWO_FRICTIONS) == 0;
    plain = plain && scr_find_bond(&s->bonds, c->a, c->b) == NULL;
    if (c->feature > 0 && plain) {
        return shape_kind(t, c);
    }
    if (tensor_or_null(t, scr_acted_index(t, c->a)) != NULL ||
        tensor_or_null(t, scr_partner_index(t, c)) != NULL) {
        return ORDER_LAW;
    }
    if (!plain) {
        return c->state == SCREE_CONTACT_OPEN   ? ORDER_LAW_OPEN
               : c->state == SCREE_CONTACT_SLIP ? ORDER_LAW_SLIDES
               : scr_rolled(s, contact)         ? ORDER_LAW_ROLLS
                                                : ORDER_LAW;
    }
    return c->state == SCREE_CONTACT_SLIP   ? ORDER_SLIDES
           : c->state == SCREE_CONTACT_OPEN ? ORDER_OPEN
                                            : ORDER_HOLDS;
}

typedef struct Listing {
    const StepTask *task;
    OrderContact *contact;
    BoxSize size;
    Boxes boxes;
    CellFrame frame; /* of an oblique cell */
} Listing;

/* In an oblique cell boxes are cut along the normals of its faces: see CellFrame. */
static Boxes lay_boxes(const StepTask *t, double side, uint64_t key, CellFrame *frame) {
    const State *s = t->state;
    const ContactExtent *x = &t->extent;
    const Vec3 whole = sub(s->def.cell_max, s->def.cell_min);
    Vec3 low = x->low, high = x->high;
    double period[3];
    if (s->def.deform.tilted) {
        *frame = scr_cell_frame(&s->def, s->def.deform.vector);
        low = sub(low, frame->corner);
        high = sub(high, frame->corner);
    }
    for (int k = 0; k < 3; k++) {
        double length = component(s->def.deform.tilted ? frame->side : whole, k);
        period[k] = s->def.periodic[k] ? length : 0;
    }
    return scr_lay_boxes(low, high, side, period, x->contacts, key);
}

Boxes scr_lay_step_boxes(const StepTask *t, uint64_t key, bool *giants) {
    CellFrame unused;
    const BoxSize size = box_size(t);
    *giants = size.giants;
    return lay_boxes(t, size.side, key, &unused);
}

static Vec3 box_point(const Listing *l, Vec3 point) {
    return l->task->state->def.deform.tilted ? mat3_apply(&l->frame.to, sub(point, l->frame.corner))
                                             : point;
}

/* The number of a contact among the points of its pair, which lie one behind the other: how many of
 * them have lower features. */
static uint64_t number_in_pair(const Contacts *k, size_t i) {
    const Contact *c = &k->item[i];
    uint64_t number = 0;
    for (size_t j = i; c->feature != 0 && j-- > 0 && scr_same_pair(c, &k->item[j]);) {
        number += k->item[j].feature <= c->feature;
    }
    for (size_t j = i + 1; c->feature != 0 && j < k->count && scr_same_pair(c, &k->item[j]); j++) {
        number += k->item[j].feature < c->feature;
    }
    return number;
}

/* Pairs have different names; so have the points of one pair, but for a chance of 2^-64. */
static uint64_t contact_name(const State *s, size_t i) {
    const Contact *c = &s->contacts.item[i];
    uint64_t pair = scr_pair_name(s, c->a, c->b), number = number_in_pair(&s->contacts, i);
    return number == 0 ? pair : scr_random_key(pair, number, 0);
}

static void list_piece(void *context, size_t piece) {
    const Listing *l = context;
    const State *s = l->task->state;
    const bool boxed = l->boxes.total > 0;
    size_t end = scr_piece_end(s->contacts.count, piece);
    for (size_t i = scr_piece_begin(s->contacts.count, piece); i < end; i++) {
        const Contact *c = &s->contacts.item[i];
        l->contact[i] = (OrderContact){
            order_index(l->task, c->a, &l->size), order_index(l->task, c->b, &l->size),
            order_kind(l->task, i),
            boxed ? scr_box_of(&l->boxes, box_point(l, contact_point(l->task, c))) : 0,
            contact_name(s, i)};
    }
}

/* Which contacts this process keeps, and who uses which body. What is split must be in all processes. The
 * points of a face are all here before that, and may go to several processes. */
static ScreeStatus share_contacts(StepTask *t, const Listing *listing) {
    if (listing->boxes.total > 0 && t->share->usual > listing->size.largest) {
        t->share->given_up = true;
    }
    SCR_TRY(scr_share_bond_areas(t));
    SCR_TRY(scr_share_contacts(t->share, &listing->boxes, t->extent.gap, t->list->neighbours.rank,
                               listing->contact, t->bond_area));
    t->extent.first_with_wall = scr_first_with_wall(&t->state->contacts);
    return SCREE_OK;
}

ScreeStatus scr_choose_order(StepTask *t, Arena *arena) {
    const State *s = t->state;
    const size_t n = s->contacts.count;
    uint64_t key = scr_random_key(s->def.seed, s->step, UINT64_MAX);
    ScreeOrder order = t->with->solver->whole_bodies ? SCREE_ORDER_FIXED : s->def.solver.order;
    if (s->images > 0 && (order == SCREE_ORDER_BOXED || order == SCREE_ORDER_COLOURED)) {
        order = SCREE_ORDER_FIXED; /* a body may have contacts anywhere, and two with itself */
    }
    Listing listing = {.task = t};
    if (order == SCREE_ORDER_BOXED && t->extent.contacts > 0) {
        listing.size = box_size(t);
        listing.boxes = lay_boxes(t, listing.size.side, key, &listing.frame);
    }
    const size_t scratch = scr_order_scratch(n, &listing.boxes);
    if (!scr_arena_begin(arena, scr_arena_bytes(n, sizeof(OrderContact)) + scratch)) {
        return SCREE_NO_MEMORY;
    }
    listing.contact = scr_arena_take(arena, n, sizeof(OrderContact));
    scr_threads_loop(t->with->threads, scr_pieces(n), list_piece, &listing);
    if (t->share != NULL) {
        SCR_TRY(share_contacts(t, &listing));
        if (t->share->given_up || t->share->wanted > t->share->layer) {
            return SCREE_OK; /* to be posed again: contacts are those of the step before once more */
        }
    }
    const OrderInput input = {
        .count = s->contacts.count,
        .spread = t->share != NULL,
        .contact = listing.contact,
        .bodies = t->problem.bodies,
        .walls_from = (int32_t)s->bodies.count,
        .boxes = listing.boxes,
        .key = key,
        .scratch = scr_arena_take(arena, scratch, 1),
        .threads = t->with->threads,
    };
    bool ok = order == SCREE_ORDER_BOXED      ? scr_order_boxed(&input, &t->order)
              : order == SCREE_ORDER_COLOURED ? scr_order_coloured(&input, &t->order)
                                              : scr_order_plain(&input, &t->order);
    return ok ? SCREE_OK : SCREE_NO_MEMORY;
}
