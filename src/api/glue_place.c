#include "api/glue_place.h"

/* Points beyond these are left out: of curved surfaces, which have no face. */
enum { MOST_POINTS = 64 };

/* A contact point in the plane of the contact. */
typedef struct FacePoint {
    double x, y;
} FacePoint;

static bool comes_before(FacePoint p, FacePoint q) {
    return p.x != q.x ? p.x < q.x : p.y < q.y;
}

static void sort(FacePoint *point, size_t count) {
    for (size_t i = 1; i < count; i++) {
        const FacePoint p = point[i];
        size_t at = i;
        for (; at > 0 && comes_before(p, point[at - 1]); at--) {
            point[at] = point[at - 1];
        }
        point[at] = p;
    }
}

/* Twice the area of a triangle, positive if it is passed counterclockwise. */
static double turn(FacePoint o, FacePoint a, FacePoint b) {
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

/* The corners of the hull, counterclockwise; returns how many. */
static size_t hull_of(FacePoint *point, size_t count, FacePoint *corner) {
    size_t used = 0;
    sort(point, count);
    for (int pass = 0; pass < 2; pass++) {
        const size_t floor = used + 1;
        for (size_t k = 0; k < count; k++) {
            const FacePoint p = point[pass == 0 ? k : count - 1 - k];
            while (used > floor && !(turn(corner[used - 2], corner[used - 1], p) > 0)) {
                used--;
            }
            corner[used++] = p;
        }
        used--; /* the last is the first of the other pass */
    }
    return used;
}

/* Area and centre of a polygon; false when it has none. */
static bool centre_of(const FacePoint *corner, size_t count, FacePoint *centre, double *area) {
    double whole = 0, x = 0, y = 0;
    for (size_t k = 1; k + 1 < count; k++) {
        const double part = turn(corner[0], corner[k], corner[k + 1]) / 2;
        whole += part;
        x += part * (corner[0].x + corner[k].x + corner[k + 1].x) / 3;
        y += part * (corner[0].y + corner[k].y + corner[k + 1].y) / 3;
    }
    *area = whole;
    *centre = whole > 0 ? (FacePoint){x / whole, y / whole} : (FacePoint){0, 0};
    return whole > 0;
}

/* The plane through the contact, seen from the centre of a. */
typedef struct Plane {
    Vec3 t1, t2, mean; /* of the points */
    FacePoint point[MOST_POINTS];
    size_t points;
} Plane;

static void choose_middle(const State *s, Plane *p, double least, GluePlace *place) {
    const double pi = 3.14159265358979323846;
    FacePoint corner[2 * MOST_POINTS + 2], centre;
    double area = 0;
    place->arm = p->mean;
    place->radius = 0;
    if (s->def.dimension == 2) {
        sort(p->point, p->points);
        const double low = p->point[0].x, high = p->point[p->points - 1].x;
        place->arm = add_scaled(p->mean, 0.5 * (low + high), p->t1);
        place->radius = high - low > 1e-6 * least ? 0.5 * (high - low) : 0;
        return;
    }
    const size_t corners = p->points >= 3 ? hull_of(p->point, p->points, corner) : 0;
    if (corners >= 3 && centre_of(corner, corners, &centre, &area) && area > 1e-9 * least * least) {
        place->arm = add_scaled(add_scaled(p->mean, centre.x, p->t1), centre.y, p->t2);
        place->radius = sqrt(area / pi);
    }
}

ScreeStatus scr_find_glue_place(const State *s, GlueSight *sight, int32_t a, int32_t b,
                                double within, GluePlace *place) {
    const StepMotion none = {.shift = {0, 0, 0}};
    const OldPoints no_points = {NULL, 0};
    *place = (GluePlace){.touches = false};
    if (scr_touch_round(s, a, b).gap > within) {
        return SCREE_OK;
    }
    SCR_TRY(scr_pair_points(s, &sight->placed, a, b, no_points, &none, within, &sight->work));
    const OutlineTouches *found = &sight->work.touches;
    Plane plane = {.points = 0};
    Vec3 normal = vec3(0, 0, 0), arm = vec3(0, 0, 0);
    double gap = INFINITY, near = 0;
    for (size_t i = 0; i < found->count; i++) {
        const OutlineTouch *at = &found->item[i];
        if (at->gap <= within) {
            normal = add(normal, at->normal);
            arm = add(arm, at->arm);
            gap = scr_min(gap, at->gap);
            near++;
        }
    }
    if (!(near > 0) || !(dot(normal, normal) > 0)) {
        return SCREE_OK;
    }
    place->touches = true;
    place->gap = gap;
    place->normal = unit(normal);
    plane.mean = scale(1 / near, arm);
    scr_tangents(s->def.dimension, place->normal, &plane.t1, &plane.t2);
    for (size_t i = 0; i < found->count && plane.points < MOST_POINTS; i++) {
        const Vec3 off = sub(found->item[i].arm, plane.mean);
        if (found->item[i].gap <= within) {
            plane.point[plane.points++] = (FacePoint){dot(off, plane.t1), dot(off, plane.t2)};
        }
    }
    choose_middle(s, &plane, scr_least_radius(s, a, b), place);
    return SCREE_OK;
}
