/* A face on a face touches at the corners of the polygon that they have in common. The bonds there
 * hold what the whole polygon would, and pull through its middle: with the mean m of the n corners,
 * each triangle (m, x_i, x_i+1), of area A_i, gives a third of its area to x_i, a third to x_i+1, and
 * the third of m to all corners alike. So the corner i has
 *     w_i = (A_i-1 + A_i) / 3 + A / (3 n),
 * with sum w_i = A and sum w_i x_i = the integral of x over the polygon. */
#include "dynamics/bond_area.h"

#include "narrow/outline_touch.h"
#include "narrow/glued.h"
#include "narrow/pair_table.h"
#include "state/rotation.h"

#include <stdlib.h>

/* A point in the plane of its contact. */
typedef struct BondPoint {
    double x, y;
    size_t contact;
} BondPoint;

static int points_in_order(const void *one, const void *other) {
    const BondPoint *a = one, *b = other;
    return a->x != b->x   ? (a->x > b->x) - (a->x < b->x)
           : a->y != b->y ? (a->y > b->y) - (a->y < b->y)
                          : (a->contact > b->contact) - (a->contact < b->contact);
}

/* Twice the area of a triangle, positive if it is passed counterclockwise. */
static double turn(const BondPoint *o, const BondPoint *a, const BondPoint *b) {
    return (a->x - o->x) * (b->y - o->y) - (a->y - o->y) * (b->x - o->x);
}

/* The corners of the hull, counterclockwise (Andrew); returns how many. `point` is sorted. */
static size_t corners_of(const BondPoint *point, size_t count, BondPoint *corner) {
    size_t used = 0;
    for (size_t pass = 0; pass < 2; pass++) {
        size_t floor = used + 1;
        for (size_t k = 0; k < count; k++) {
            const BondPoint *p = &point[pass == 0 ? k : count - 1 - k];
            while (used > floor && !(turn(&corner[used - 2], &corner[used - 1], p) > 0)) {
                used--;
            }
            corner[used++] = *p;
        }
        used--; /* the last is the first of the other pass */
    }
    return used;
}

static void share(const BondPoint *corner, size_t count, double *area) {
    BondPoint middle = {0, 0, 0};
    double whole = 0;
    for (size_t k = 0; k < count; k++) {
        middle.x += corner[k].x / (double)count;
        middle.y += corner[k].y / (double)count;
    }
    for (size_t k = 0; k < count; k++) {
        const BondPoint *next = &corner[(k + 1) % count];
        double part = turn(&middle, &corner[k], next) / 2;
        area[corner[k].contact] += part / 3;
        area[next->contact] += part / 3;
        whole += part;
    }
    for (size_t k = 0; k < count; k++) {
        area[corner[k].contact] += whole / (double)(3 * count);
    }
}

/* ---------------------------------------------------------------- which points belong together */

/* The part of a solid that a contact touches; -1 of anything else. */
static int32_t part_of(const State *s, int32_t body, int32_t element) {
    if (body < 0 || scr_surface_kind(s, body) != SURFACE_SOLID) {
        return -1;
    }
    const ShapeRecord *shape = &s->shapes.shape[s->bodies.shape[body]];
    const Solid *solid = &s->shapes.solid[shape->solid].solid;
    return (int32_t)(scr_element(solid, element).part - solid->part);
}

/* The element of body a that a contact names. */
static int32_t element_of_a(const State *s, const Contact *c) {
    bool mesh = c->b < 0 && scr_surface_kind(s, c->b) == SURFACE_MESH;
    return mesh ? scr_patch_element(c->feature, scr_solid_of(s, (size_t)c->a)->elements)
                : scr_feature_a(c->feature);
}

/* Points of the same two parts. Where these are convex, what is glued is one plane, which a bond that
 * opens on one side tilts by its range over the width of the face. */
static bool together(const State *s, const Contact *c, const Contact *other) {
    const int32_t fc = c->feature, fo = other->feature;
    return c->a == other->a && c->b == other->b && fc > 0 && fo > 0 && fc != SCR_GLUED &&
           fo != SCR_GLUED && dot(c->normal, other->normal) > 0.99 &&
           part_of(s, c->a, element_of_a(s, c)) == part_of(s, c->a, element_of_a(s, other)) &&
           part_of(s, c->b, scr_feature_b(fc)) == part_of(s, c->b, scr_feature_b(fo));
}

/* Shares the face of the contacts from `first` to `end`. */
static void share_face(StepTask *t, size_t first, size_t end, BondPoint *room) {
    const State *s = t->state;
    const Contact *c = s->contacts.item;
    Vec3 t1, t2;
    size_t count = 0;
    scr_tangents(3, c[first].normal, &t1, &t2);
    for (size_t k = first; k < end; k++) {
        if (s->contacts.extra[k].opening >= 0) {
            Vec3 at = scr_contact_arms(s, &c[k]).a;
            room[count++] = (BondPoint){dot(at, t1), dot(at, t2), k};
        }
    }
    if (count < 3) {
        return;
    }
    qsort(room, count, sizeof *room, points_in_order);
    BondPoint *corner = room + count;
    size_t corners = corners_of(room, count, corner);
    if (corners >= 3) {
        share(corner, corners, t->bond_area);
    }
}

ScreeStatus scr_share_bond_areas(StepTask *t) {
    const State *s = t->state;
    size_t n = s->contacts.count;
    t->bond_area = NULL;
    if (!s->materials.by_area || s->contacts.extra == NULL) {
        return SCREE_OK;
    }
    /* points and corners; the chain has one more while it is made */
    if (!scr_block_reserve(&t->bond_area_block, n + 1, sizeof *t->bond_area, 0) ||
        !scr_block_reserve(&t->bond_point_block, 2 * n + 2, sizeof(BondPoint), 0)) {
        return SCREE_NO_MEMORY;
    }
    t->bond_area = t->bond_area_block.data;
    for (size_t k = 0; k < n; k++) {
        t->bond_area[k] = 0;
    }
    for (size_t first = 0, end; first < n; first = end) {
        const Contact *c = &s->contacts.item[first];
        for (end = first + 1; end < n && together(s, c, &s->contacts.item[end]);) {
            end++;
        }
        if (end - first >= 3 && scr_contact_law(s, c)->cohesion_stress > 0) {
            share_face(t, first, end, t->bond_point_block.data);
        }
    }
    return SCREE_OK;
}
