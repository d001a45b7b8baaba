/* Closed NURBS curves: evaluation, measures, nodes. */
#include "check.h"
#include "shape/nurbs_shapes.h"

#include "shape/nurbs.h"

#include <stdlib.h>

static Nurbs cut(const ScreeNurbs *def) {
    Nurbs n = {0};
    CHECK(scr_nurbs_cut(def, &n));
    return n;
}

/* B-splines by their definition (Cox and de Boor), on [low, high) of the knots. */
static double spline(const double *knot, size_t i, int p, double u) {
    if (p == 0) {
        return u >= knot[i] && u < knot[i + 1] ? 1 : 0;
    }
    double a = knot[i + (size_t)p] - knot[i], b = knot[i + (size_t)p + 1] - knot[i + 1];
    double left = a > 0 ? (u - knot[i]) / a * spline(knot, i, p - 1, u) : 0;
    double right = b > 0 ? (knot[i + (size_t)p + 1] - u) / b * spline(knot, i + 1, p - 1, u) : 0;
    return left + right;
}

static ScreeVec3 by_definition(const ScreeNurbs *d, double u) {
    ScreeVec3 sum = {0, 0, 0};
    double w = 0;
    for (size_t i = 0; i < d->points; i++) {
        double n = spline(d->knot, i, d->degree, u) * d->weight[i];
        sum.x += n * d->point[i].x;
        sum.y += n * d->point[i].y;
        w += n;
    }
    return (ScreeVec3){sum.x / w, sum.y / w, 0};
}

static void circle_is_exact(void) {
    NurbsRig r;
    rig_ellipse(&r, 1, 1, 0, 0, 0);
    Nurbs n = cut(&r.def);
    CHECK(n.pieces == 4);
    for (int32_t k = 0; k < n.pieces; k++) {
        for (int i = 0; i <= 1000; i++) {
            NurbsAt at = scr_nurbs_at(&n, k, i / 1000.0);
            CHECK_NEAR(hypot(at.x, at.y), 1, 5e-16);
            CHECK_NEAR(at.x * at.dx + at.y * at.dy, 0, 1e-14);
            CHECK_NEAR(scr_nurbs_curvature(&at), 1, 1e-13);
        }
    }
    scr_nurbs_free(&n);
}

/* Closed by equal first and last points; knots at uneven distances, one of them twice. */
static void clamp(NurbsRig *r, int32_t degree, size_t points) {
    size_t p = (size_t)degree;
    r->point[points - 1] = r->point[0];
    for (size_t k = 0; k < points + p + 1; k++) {
        double u = k < p ? 0 : k > points ? (double)(points - p) : (double)(k - p);
        r->knot[k] = u + (k > p && k < points ? 0.3 * sin((double)k) : 0);
    }
    if (degree > 1) {
        r->knot[p + 3] = r->knot[p + 2];
    }
    rig_bind(r, degree, points);
}

static void curves_agree_with_their_definition(void) {
    for (int32_t degree = 1; degree <= MOST_DEGREE; degree++) {
        NurbsRig r;
        rig_wavy(&r, degree, 11, (uint64_t)degree);
        clamp(&r, degree, 12);
        Nurbs n = cut(&r.def);
        int32_t piece = 0;
        for (size_t k = (size_t)degree; k < r.def.points; k++) {
            double low = r.knot[k], high = r.knot[k + 1];
            if (!(high > low)) {
                continue;
            }
            for (int i = 0; i < 20; i++) {
                double t = (i + 0.5) / 20;
                NurbsAt at = scr_nurbs_at(&n, piece, t);
                ScreeVec3 is = by_definition(&r.def, low + t * (high - low));
                CHECK_NEAR(at.x, is.x, 2e-15);
                CHECK_NEAR(at.y, is.y, 2e-15);
            }
            piece++;
        }
        CHECK(piece == n.pieces);
        scr_nurbs_free(&n);
    }
}

/* Central differences of steps h and h/2, extrapolated: the error is of order h^4. */
static void derivatives_are_those_of_the_curve(void) {
    const double h = 2e-3;
    for (int32_t degree = 1; degree <= MOST_DEGREE; degree++) {
        NurbsRig r;
        rig_wavy(&r, degree, 9, 77);
        Nurbs n = cut(&r.def);
        for (int32_t k = 0; k < n.pieces; k++) {
            NurbsAt at = scr_nurbs_at(&n, k, 0.4), d[4];
            for (int i = 0; i < 4; i++) {
                d[i] = scr_nurbs_at(&n, k, 0.4 + (i % 2 == 0 ? -1 : 1) * (i < 2 ? h : h / 2));
            }
            double wide = (d[1].x - d[0].x) / (2 * h), narrow = (d[3].x - d[2].x) / h;
            CHECK_NEAR(at.dx, (4 * narrow - wide) / 3, 1e-9);
            wide = (d[1].dx - d[0].dx) / (2 * h), narrow = (d[3].dx - d[2].dx) / h;
            CHECK_NEAR(at.ddx, (4 * narrow - wide) / 3, 1e-8);
            wide = (d[1].dy - d[0].dy) / (2 * h), narrow = (d[3].dy - d[2].dy) / h;
            CHECK_NEAR(at.ddy, (4 * narrow - wide) / 3, 1e-8);
        }
        scr_nurbs_free(&n);
    }
}

static void ellipses_have_their_measures(void) {
    const double a[] = {1, 2, 0.3}, b[] = {1, 0.5, 0.29};
    for (int i = 0; i < 3; i++) {
        NurbsRig r;
        ScreeShape s;
        size_t corners = 0;
        rig_ellipse(&r, a[i], b[i], 0.7, 3, -2);
        CHECK(scree_nurbs_measure(&r.def, &s, NULL, &corners, NULL) == SCREE_OK);
        CHECK_CLOSE(s.area, M_PI * a[i] * b[i], 1e-14);
        CHECK_CLOSE(s.gyration, (a[i] * a[i] + b[i] * b[i]) / 4, 1e-14);
        CHECK_CLOSE(s.radius, fmax(a[i], b[i]), 1e-14);
        CHECK_NEAR(s.centroid.x, 3, 1e-14);
        CHECK_NEAR(s.centroid.y, -2, 1e-14);
        CHECK(corners > 60 && corners < 400);
    }
}

static void polygons_of_degree_one_are_polygons(void) {
    static const ScreeVec3 hook[] = {{0, 0, 0}, {3, 0, 0}, {3, 2, 0},
                                     {2, 2, 0}, {2, 1, 0}, {0, 1.5, 0}};
    NurbsRig r;
    ScreeShape curve, polygon;
    size_t corners = 6;
    ScreeVec3 corner[6];
    rig_polygon(&r, hook, 6);
    const ScreeShapePart part = {6, 0};
    const ScreeShapeDef def = {&part, 1, hook};
    CHECK(scree_shape_def_measure(&def, &polygon, NULL) == SCREE_OK);
    CHECK(scree_nurbs_measure(&r.def, &curve, corner, &corners, NULL) == SCREE_OK);
    CHECK(corners == 6);
    for (int k = 0; k < 6; k++) {
        CHECK(corner[k].x == hook[k].x && corner[k].y == hook[k].y);
    }
    CHECK_CLOSE(curve.area, polygon.area, 1e-14);
    CHECK_CLOSE(curve.gyration, polygon.gyration, 1e-14);
    CHECK_CLOSE(curve.radius, polygon.radius, 1e-14);
    CHECK_CLOSE(curve.centroid.x, polygon.centroid.x, 1e-14);
}

/* The area by 10^5 chords, whose error falls with the square of their number. */
static void measures_agree_with_fine_polygons(void) {
    for (int32_t degree = 2; degree <= MOST_DEGREE; degree++) {
        NurbsRig r;
        ScreeShape s;
        size_t none = 0;
        rig_wavy(&r, degree, 12, 5);
        CHECK(scree_nurbs_measure(&r.def, &s, NULL, &none, NULL) == SCREE_OK);
        Nurbs n = cut(&r.def);
        double area = 0, polar = 0, radius = 0, error = 0;
        enum { FINE = 5000 };
        NurbsAt last = scr_nurbs_at(&n, 0, 0);
        for (int32_t k = 0; k < n.pieces; k++) {
            for (int i = 1; i <= FINE; i++) {
                NurbsAt at = scr_nurbs_at(&n, k, (double)i / FINE);
                double px = last.x - s.centroid.x, py = last.y - s.centroid.y;
                double qx = at.x - s.centroid.x, qy = at.y - s.centroid.y,
                       twice = px * qy - py * qx;
                area += twice / 2;
                polar += twice / 12 * (px * px + py * py + px * qx + py * qy + qx * qx + qy * qy);
                radius = fmax(radius, hypot(qx, qy));
                error = fmax(error, hypot(at.x - last.x, at.y - last.y));
                last = at;
            }
        }
        double allowed = 10 * error * error;
        CHECK_CLOSE(s.area, area, allowed);
        CHECK_CLOSE(s.gyration, polar / area, allowed);
        CHECK(s.radius >= radius * (1 - 1e-14));
        CHECK_CLOSE(s.radius, radius, allowed);
        scr_nurbs_free(&n);
    }
}

/* Between two nodes the curve stays close to the chord and turns little. */
static void curve_keeps_to_the_chords_between_nodes(void) {
    for (int i = 0; i < 6; i++) {
        NurbsRig r;
        i == 0   ? rig_ellipse(&r, 1, 1, 0, 0, 0)
        : i == 1 ? rig_ellipse(&r, 2, 0.2, 0, 0, 0)
        : i == 2 ? rig_notch(&r, 3)
        : i == 3 ? rig_star(&r, 3, 7, 1, 0.4)
                 : rig_wavy(&r, 2 + i, 10, 3);
        Nurbs n = cut(&r.def);
        NurbsMeasures m = scr_nurbs_measure(&n);
        CHECK(scr_nurbs_sample(&n, 2 * m.radius));
        double most = 0, turn = 0, total = 0;
        for (int32_t k = 0; k < n.nodes; k++) {
            const NurbsNode *a = &n.node[k], *b = &n.node[(k + 1) % n.nodes];
            double l = hypot(b->x - a->x, b->y - a->y);
            for (int j = 1; j < 20; j++) {
                NurbsAt at = scr_nurbs_at(&n, a->piece, a->begin + (a->end - a->begin) * j / 20);
                most = fmax(
                    most, fabs((b->x - a->x) * (at.y - a->y) - (b->y - a->y) * (at.x - a->x)) / l);
            }
            double angle = atan2(a->out[0] * b->in[1] - a->out[1] * b->in[0],
                                 a->out[0] * b->in[0] + a->out[1] * b->in[1]);
            turn = fmax(turn, fabs(angle));
            total += angle;
            CHECK(a->kind == NODE_SMOOTH || a->kind == NODE_END);
        }
        CHECK(most <= NURBS_BULGE * 2 * m.radius && most > 0);
        CHECK(turn <= NURBS_TURN * (1 + 1e-9));
        CHECK_NEAR(total, 2 * M_PI, 1e-5); /* once round: counterclockwise, and no loop is lost */
        scr_nurbs_free(&n);
    }
}

/* Traversed backwards it is the same shape; what the world keeps is counterclockwise and about its
 * centroid. */
static void backwards_is_the_same_shape(void) {
    NurbsRig r, back;
    ScreeShape s, t;
    size_t none = 0;
    rig_wavy(&r, 3, 12, 9);
    back = r;
    size_t points = r.def.points;
    for (size_t k = 0; k < points; k++) {
        back.point[k] = r.point[points - 1 - k];
        back.weight[k] = r.weight[points - 1 - k];
    }
    rig_bind(&r, 3, points);
    rig_bind(&back, 3, points);
    CHECK(scree_nurbs_measure(&r.def, &s, NULL, &none, NULL) == SCREE_OK);
    CHECK(scree_nurbs_measure(&back.def, &t, NULL, &none, NULL) == SCREE_OK);
    CHECK_CLOSE(t.area, s.area, 1e-14);
    CHECK_CLOSE(t.gyration, s.gyration, 1e-14);
    ScreeWorldDef def = scree_world_def_default();
    def.dimension = 2;
    def.time_step = 1;
    ScreeWorld *world = NULL;
    CHECK(scree_world_create(&def, &world, NULL) == SCREE_OK);
    ScreeShapeId id[2];
    CHECK(scree_world_add_nurbs(world, &r.def, &id[0]) == SCREE_OK);
    CHECK(scree_world_add_nurbs(world, &back.def, &id[1]) == SCREE_OK);
    for (int i = 0; i < 2; i++) {
        ScreeNurbs kept;
        ScreeShape shape;
        CHECK(scree_shape_get_nurbs(world, id[i], &kept) == SCREE_OK);
        CHECK(scree_shape_get(world, id[i], &shape) == SCREE_OK);
        Nurbs n = cut(&kept);
        NurbsMeasures m = scr_nurbs_measure(&n);
        CHECK(m.area > 0);
        CHECK_NEAR(hypot(m.centroid.x, m.centroid.y), 0, 1e-15);
        CHECK_CLOSE(shape.area, s.area, 1e-14);
        CHECK(shape.def.parts == 1 && (size_t)shape.def.part[0].corners == shape.corners);
        scr_nurbs_free(&n);
    }
    CHECK(scree_shape_get_nurbs(world, (ScreeShapeId){2}, &r.def) == SCREE_BAD_ID);
    scree_world_destroy(world);
}

/* A stadium has two straight sides; a circle and an ellipse have none. */
static void straight_sides_are_found(void) {
    static const double x[] = {-1, 0, 1, 2, 2, 2, 1, 0, -1, -2, -2, -2, -1};
    static const double y[] = {-1, -1, -1, -1, 0, 1, 1, 1, 1, 1, 0, -1, -1};
    static const double knot[] = {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6};
    NurbsRig r;
    for (int k = 0; k < 13; k++) {
        r.point[k] = (ScreeVec3){x[k], y[k], 0};
        r.weight[k] = k == 3 || k == 5 || k == 9 || k == 11 ? sqrt(0.5) : 1;
    }
    memcpy(r.knot, knot, sizeof knot);
    rig_bind(&r, 2, 13);
    char message[SCREE_MESSAGE_SIZE] = "";
    CHECK(scr_nurbs_check(&r.def, message) == SCREE_OK);
    Nurbs n = cut(&r.def);
    CHECK(scr_nurbs_sample(&n, 4));
    int ends = 0;
    for (int32_t k = 0; k < n.nodes; k++) {
        if (n.node[k].kind == NODE_END) {
            ends++;
            CHECK_NEAR(fabs(n.node[k].x), 1, 1e-15);
            CHECK_NEAR(fabs(n.node[k].y), 1, 1e-15);
        }
    }
    CHECK(ends == 4);
    scr_nurbs_free(&n);
    for (int i = 0; i < 2; i++) {
        rig_ellipse(&r, 1 + i, 1, 0, 0, 0);
        n = cut(&r.def);
        CHECK(scr_nurbs_sample(&n, 2 + 2 * i));
        for (int32_t k = 0; k < n.nodes; k++) {
            CHECK(n.node[k].kind == NODE_SMOOTH);
        }
        scr_nurbs_free(&n);
    }
}

int main(int argc, char **argv) {
    CHECK_RUN(circle_is_exact);
    CHECK_RUN(curves_agree_with_their_definition);
    CHECK_RUN(derivatives_are_those_of_the_curve);
    CHECK_RUN(ellipses_have_their_measures);
    CHECK_RUN(polygons_of_degree_one_are_polygons);
    CHECK_RUN(measures_agree_with_fine_polygons);
    CHECK_RUN(curve_keeps_to_the_chords_between_nodes);
    CHECK_RUN(backwards_is_the_same_shape);
    CHECK_RUN(straight_sides_are_found);
    return check_result();
}
