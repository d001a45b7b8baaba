#include "narrow/curve_contact.h"

#include "narrow/boundary.h"

CurvePoint scr_curve_point(const Outline *o, int32_t code, Vec3 normal) {
    const Boundary r = {
        .nurbs = o->nurbs, .count = o->nurbs->nodes, .cosine = o->cosine, .sine = o->sine};
    double at[2], n[2];
    bool on_node = code % 4 == 2;
    scr_boundary_turn_back(&r, normal.x, normal.y, n);
    BoundaryPoint p = on_node ? scr_boundary_at(&r, code / 4, scr_boundary_begin(&r, code / 4))
                              : scr_boundary_with_normal(&r, code / 4, n[0], n[1]);
    scr_boundary_turn(&r, p.x, p.y, at);
    double flattest = 1e-9 / r.nurbs->bulge;
    return (CurvePoint){vec3(at[0], at[1], 0), on_node ? 0 : 1 / scr_max(p.curvature, flattest)};
}

double scr_curve_bend(const Outline *o, int32_t code, Vec3 point) {
    const Boundary r = {
        .nurbs = o->nurbs, .count = o->nurbs->nodes, .cosine = o->cosine, .sine = o->sine};
    double x[2];
    scr_boundary_turn_back(&r, point.x, point.y, x);
    return scr_boundary_walk(&r, code / 4, x[0], x[1]).curvature;
}

/* With e = r_a + g, c = w + f_a r_a and 1 / r_b = k the terms with r_b become
 *
 *     -1/2 f_b^2 (h_b - r_b) - 1/2 (c + f_b r_b)^2 / (r_b + e)
 *         = -1/2 f_b^2 (h_b - e / (1 + e k)) - (f_b c + 1/2 c^2 k) / (1 + e k). */
double scr_curve_loss(const CurveLoss *l) {
    double e = l->radius + l->gap, c = l->slide + l->turn[0] * l->radius;
    double room = scr_max(1 + e * l->curvature, 1e-3);
    double own = 0.5 * l->turn[0] * l->turn[0] * (l->height[0] - l->radius);
    double other = 0.5 * l->turn[1] * l->turn[1] * (l->height[1] - e / room);
    return -own - other - (l->turn[1] * c + 0.5 * c * c * l->curvature) / room;
}
