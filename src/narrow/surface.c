#include "narrow/surface.h"

#include "narrow/curve_contact.h"

/* ---------------------------------------------------------------- kinds */

SurfaceKind scr_wall_kind(const ScreeWallDef *wall) {
    static const SurfaceKind kind[SCREE_WALL_SHAPE_COUNT] = {
        [SCREE_WALL_PLANE] = SURFACE_PLANE, [SCREE_WALL_SEGMENT] = SURFACE_SEGMENT,
        [SCREE_WALL_BLOCK] = SURFACE_BLOCK, [SCREE_WALL_CYLINDER] = SURFACE_ROD,
        [SCREE_WALL_MESH] = SURFACE_MESH,   [SCREE_WALL_CONE] = SURFACE_SHELL,
        [SCREE_WALL_PLATE] = SURFACE_SHELL,
    };
    if (wall->shape == SCREE_WALL_CYLINDER && wall->inside) {
        return wall->length > 0 ? SURFACE_SLEEVE : SURFACE_TUBE;
    }
    return kind[wall->shape];
}

/* ---------------------------------------------------------------- balls */

static SurfacePoint ball_point(const State *s, int32_t body, int32_t element, Vec3 outward) {
    (void)element, (void)outward;
    double r = s->bodies.radius[body];
    return (SurfacePoint){vec3(0, 0, 0), r, r};
}

/* A ball is never asked where its partner's point is met: its centre names the contact. */
static double flat(const State *s, int32_t body, int32_t element, Vec3 at) {
    (void)s, (void)body, (void)element, (void)at;
    return 0;
}

static int32_t no_nodes(const State *s, int32_t body) {
    (void)s, (void)body;
    return 0;
}

/* ---------------------------------------------------------------- polygons */

static SurfacePoint polygon_point(const State *s, int32_t body, int32_t element, Vec3 outward) {
    (void)outward;
    const ShapeRecord *r = &s->shapes.shape[s->bodies.shape[body]];
    double rounding = scr_rounding_at(s->shapes.outline + r->first_part, r->parts, element / 2);
    Vec3 corner = s->shapes.corner[r->first_corner + element / 2];
    return (SurfacePoint){quat_rotate(s->bodies.orientation[body], corner), rounding, rounding};
}

/* ---------------------------------------------------------------- curves */

/* What a curve's outline must have for its points to be found. */
static Outline turned_curve(const State *s, int32_t body) {
    const ShapeRecord *shape = &s->shapes.shape[s->bodies.shape[body]];
    Quat q = s->bodies.orientation[body];
    double square = q.w * q.w + q.z * q.z;
    return (Outline){.nurbs = &s->shapes.curve[shape->curve].nurbs,
                     .cosine = (q.w * q.w - q.z * q.z) / square,
                     .sine = 2 * q.w * q.z / square};
}

static SurfacePoint curve_point(const State *s, int32_t body, int32_t element, Vec3 outward) {
    const Outline curve = turned_curve(s, body);
    const CurvePoint p = scr_curve_point(&curve, element, outward);
    return (SurfacePoint){p.at, 0, p.radius};
}

static double curve_curvature(const State *s, int32_t body, int32_t element, Vec3 at) {
    const Outline curve = turned_curve(s, body);
    return scr_curve_bend(&curve, element, at);
}

static int32_t curve_nodes(const State *s, int32_t body) {
    return s->shapes.shape[s->bodies.shape[body]].corners;
}

/* ---------------------------------------------------------------- walls */

int32_t scr_wall_corners(const ScreeWallDef *w, Vec3 corner[4]) {
    corner[0] = vec3(0, 0, 0);
    if (w->shape == SCREE_WALL_SEGMENT) {
        corner[1] = sub(w->end, w->point);
        return 2;
    }
    if (w->shape != SCREE_WALL_BLOCK) {
        return 1;
    }
    const double x = w->half.x, y = w->half.y;
    const Vec3 own[4] = {{-x, -y, 0}, {x, -y, 0}, {x, y, 0}, {-x, y, 0}};
    for (int k = 0; k < 4; k++) {
        corner[k] = quat_rotate(w->orientation, own[k]);
    }
    return 4;
}

static const ScreeWallDef *wall_at(const State *s, int32_t code) {
    return &s->walls.item[scr_wall_of(code)].now;
}

static SurfacePoint wall_point(const State *s, int32_t code, int32_t element, Vec3 outward) {
    (void)outward;
    Vec3 corner[4];
    scr_wall_corners(wall_at(s, code), corner);
    return (SurfacePoint){corner[element / 2], 0, 0};
}

static SurfacePoint rod_point(const State *s, int32_t code, int32_t element, Vec3 outward) {
    (void)element, (void)outward;
    double r = wall_at(s, code)->radius;
    return (SurfacePoint){vec3(0, 0, 0), r, r};
}

static double tube_curvature(const State *s, int32_t code, int32_t element, Vec3 at) {
    (void)element, (void)at;
    return -1 / wall_at(s, code)->radius;
}

/* ---------------------------------------------------------------- the table of kinds */

const Surface scr_surface[SURFACE_KINDS] = {
    [SURFACE_BALL] = {ball_point, flat, no_nodes},
    [SURFACE_POLYGON] = {polygon_point, flat, no_nodes},
    [SURFACE_CURVE] = {curve_point, curve_curvature, curve_nodes},
    [SURFACE_SOLID] = {NULL, NULL, no_nodes}, /* see solid_methods.h */
    [SURFACE_PLANE] = {wall_point, flat, no_nodes},
    [SURFACE_SEGMENT] = {wall_point, flat, no_nodes},
    [SURFACE_BLOCK] = {wall_point, flat, no_nodes},
    [SURFACE_ROD] = {rod_point, flat, no_nodes},
    [SURFACE_TUBE] = {rod_point, tube_curvature, no_nodes},
    [SURFACE_SLEEVE] = {rod_point, tube_curvature, no_nodes},
    [SURFACE_MESH] = {NULL, NULL, no_nodes},  /* see mesh_pair.h */
    [SURFACE_SHELL] = {NULL, NULL, no_nodes}, /* see shell_pair.h */
};
