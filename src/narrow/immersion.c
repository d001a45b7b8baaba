#include "narrow/immersion.h"

#include "narrow/mesh_pair.h"
#include "narrow/narrow.h"
#include "narrow/part_level.h"
#include "narrow/shell_surface.h"

/* In parts of the smaller body: pieces of surfaces that are looked at, and of its thickness. */
static const double least_piece = 0.05, part_of_thickness = 0.5;

/* Overlaps of the size of rounding are none. */
static const double rounding_error = 1e-9;

/* After so many looks a search ends, and so many after something was found. */
enum { MOST_LOOKS = 100000, MORE_LOOKS = 512 };

/* A search over a surface, for places that are in `part`, in whose frame all is. */
typedef struct Dive {
    const Polyhedron *part;
    const Patchwork *surface; /* that is searched, if it is one of patches */
    const RelativePose *pose; /* of this */
    bool surface_is_b;
    double least,
        none; /* pieces no larger than `least` are not cut; overlaps up to `none` do not count */
    double depth;
    int looks;
} Dive;

static void note_depth(Dive *d, double depth) {
    if (d->depth == 0 && d->looks < MOST_LOOKS - MORE_LOOKS) {
        d->looks = MOST_LOOKS - MORE_LOOKS;
    }
    d->depth = scr_max(d->depth, depth);
}

/* Whether a piece that reaches as far as `far` from its middle must be looked at in smaller pieces: the surface of
 * the part may pass through it, or, once something is found, it may be half as deep again. */
static bool goes_on(Dive *d, Vec3 middle, double far) {
    bool patches = scr_is_patchwork(d->part), last = far <= d->least;
    d->looks++;
    if (d->looks > MOST_LOOKS ||
        length(sub(middle, d->part->middle)) > d->part->extent + d->part->rounding + far ||
        (patches && d->depth == 0 && scr_part_clear(d->part, middle) > far)) {
        return false;
    }
    if (patches && !last && d->depth == 0) {
        return true; /* the level of patches is dear */
    }
    double level = scr_part_level(d->part, middle);
    if (level < -d->none) {
        note_depth(d, -level);
    }
    return !last && (d->depth == 0 ? fabs(level) <= far : far - level > 1.5 * d->depth);
}

/* ---------------------------------------------------------------- triangles and patches */

/* Cut across its longest side. */
static void dive_triangle(Dive *d, Vec3 a, Vec3 b, Vec3 c) {
    Vec3 middle = scale(1.0 / 3, add(a, add(b, c)));
    double ab = length(sub(b, a)), bc = length(sub(c, b)), ca = length(sub(a, c));
    double far =
        scr_max(length(sub(a, middle)), scr_max(length(sub(b, middle)), length(sub(c, middle))));
    if (!goes_on(d, middle, far)) {
        return;
    }
    if (bc > ab && bc >= ca) {
        Vec3 t = a;
        a = b, b = c, c = t;
    } else if (ca > ab) {
        Vec3 t = a;
        a = c, c = b, b = t;
    }
    Vec3 half = scale(0.5, add(a, b));
    dive_triangle(d, a, half, c);
    dive_triangle(d, half, b, c);
}

static Vec3 into_part(const Dive *d, Vec3 x) {
    return d->surface_is_b ? scr_point_from_b(d->pose, x) : scr_point_to_b(d->pose, x);
}

/* A square of u and v. Its points are no farther from that of its middle than twice its share of the ball
 * around its cell; half as much again where the patch is stretched unevenly. */
static void dive_square(Dive *d, const PatchCell *cell, const PatchRoom *room) {
    const PatchNet net = scr_patch_net(d->surface, cell->patch);
    Vec3 middle = into_part(d, scr_patch_point(&net, room->u, room->v).x);
    double far = scr_min(2, 3 * room->half / d->surface->half) * cell->extent;
    if (!goes_on(d, middle, far)) {
        return;
    }
    double half = 0.5 * room->half;
    for (int k = 0; k < 4; k++) {
        const PatchRoom quarter = {room->u + (k % 2 == 0 ? -half : half),
                                   room->v + (k / 2 == 0 ? -half : half), half};
        dive_square(d, cell, &quarter);
    }
}

static void dive_patches(Dive *d) {
    for (int32_t k = 0; k < d->surface->cells; k++) {
        const PatchCell *c = &d->surface->cell[k];
        const PatchRoom room = {c->u, c->v, d->surface->half};
        dive_square(d, c, &room);
    }
}

static void dive_faces(Dive *d, const Polyhedron *p) {
    for (int32_t f = 0; f < p->faces; f++) {
        const PolyhedronFace *face = &p->face[f];
        const int32_t *loop = &p->loop_vertex[face->first];
        Vec3 first = into_part(d, scr_vertex(p, loop[0]));
        for (int32_t k = 1; k + 1 < face->count; k++) {
            dive_triangle(d, first, into_part(d, scr_vertex(p, loop[k])),
                          into_part(d, scr_vertex(p, loop[k + 1])));
        }
    }
}

/* ---------------------------------------------------------------- two parts */

/* How thick a part is, at some places at least. */
static double thickness(const Polyhedron *p) {
    Vec3 at[INNER_POINTS];
    double least = INFINITY;
    for (int k = scr_inner_points(p, at) - 1; k >= 0; k--) {
        least = scr_min(least, fabs(scr_part_level(p, at[k])));
    }
    return least;
}

static Dive dive_into(const Polyhedron *part, double size) {
    return (Dive){.part = part,
                  .least = scr_min(least_piece * size, part_of_thickness * thickness(part)),
                  .none = rounding_error * size};
}

/* Places inside one part that are in the other. */
static double depth_inside(const PartPair *p, bool of_a) {
    const Polyhedron *own = of_a ? p->a : p->b, *other = of_a ? p->b : p->a;
    Vec3 at[INNER_POINTS];
    double depth = 0;
    for (int k = scr_inner_points(own, at) - 1; k >= 0; k--) {
        Vec3 there = of_a ? scr_point_to_b(p->pose, at[k]) : scr_point_from_b(p->pose, at[k]);
        if (length(sub(there, other->middle)) < other->extent + other->rounding) {
            double level = scr_part_level(other, there), own_level = scr_part_level(own, at[k]);
            depth = level < 0 && own_level < 0 ? scr_max(depth, -level - own_level) : depth;
        }
    }
    return depth > rounding_error * p->size ? depth : 0;
}

/* The surface of one that is not convex, or of patches, is searched for places in the other. */
static double depth_of_parts(const PartPair *p) {
    bool surface_is_b = !p->b->convex || scr_is_patchwork(p->b);
    const Polyhedron *searched = surface_is_b ? p->b : p->a, *part = surface_is_b ? p->a : p->b;
    Dive d = dive_into(part, p->size);
    d.surface = scr_is_patchwork(searched) ? searched->smooth.patchwork : NULL;
    d.pose = p->pose;
    d.surface_is_b = surface_is_b;
    double inside = scr_max(depth_inside(p, true), depth_inside(p, false));
    if (inside > 0) {
        note_depth(&d, inside);
    }
    if (d.surface != NULL) {
        dive_patches(&d);
    } else {
        dive_faces(&d, searched);
    }
    return d.depth;
}

static bool needs_a_search(const PartPair *p) {
    Vec3 d = sub(scr_point_from_b(p->pose, p->b->middle), p->a->middle);
    double far = p->a->extent + p->b->extent + p->a->rounding + p->b->rounding;
    return (!p->a->convex || !p->b->convex || scr_is_patchwork(p->a) || scr_is_patchwork(p->b)) &&
           dot(d, d) < far * far;
}

ScreeStatus scr_solid_immersion(const PlacedPair *pair, double *depth) {
    const PlacedSolid *a = pair->solid[0], *b = pair->solid[1];
    const RelativePose pose = scr_relative_pose(a, b, pair->d);
    *depth = 0;
    for (int32_t i = 0; i < a->solid->parts; i++) {
        for (int32_t j = 0; j < b->solid->parts; j++) {
            const PartPair p = scr_part_pair(&a->solid->part[i], &b->solid->part[j], &pose);
            *depth = needs_a_search(&p) ? scr_max(*depth, depth_of_parts(&p)) : *depth;
        }
    }
    return SCREE_OK;
}

/* ---------------------------------------------------------------- walls */

/* A piece of a thin wall: of a cone an angle and the share of the way from one rim to the other, of a plate x and y; and
 * how far it goes from there both ways. */
typedef struct ShellPiece {
    double at[2], half[2];
} ShellPiece;

/* From the wall's point. */
static Vec3 place_on_shell(const ScreeWallDef *w, const double at[2]) {
    if (w->shape == SCREE_WALL_PLATE) {
        return quat_rotate(w->orientation, vec3(at[0], at[1], 0));
    }
    Vec3 one = perpendicular(w->axis), other = cross(w->axis, one);
    Vec3 out = add_scaled(scale(scr_cos(at[0]), one), scr_sin(at[0]), other);
    double radius = w->radius + at[1] * (w->end_radius - w->radius);
    return add_scaled(scale(radius, out), at[1] * w->length, w->axis);
}

/* How far the piece reaches from its middle, along both. */
static void piece_reach(const ScreeWallDef *w, const ShellPiece *piece, double reach[2]) {
    bool plate = w->shape == SCREE_WALL_PLATE;
    double widest = scr_max(w->radius, w->end_radius);
    double slant = scr_hypot(w->end_radius - w->radius, w->length);
    reach[0] = piece->half[0] * (plate ? 1 : widest);
    reach[1] = piece->half[1] * (plate ? 1 : slant);
}

/* How far a place of the wall lies inside of the nearest hole; not positive: it is none. */
static double way_into_hole(const ScreeWallDef *w, Vec3 x) {
    int32_t hole = w->shape == SCREE_WALL_PLATE ? scr_nearest_hole(w, x) : -1;
    return hole < 0 ? -1 : w->radius - length(sub(x, scr_wall_rim(w, hole).centre));
}

static void dive_shell(Dive *d, const ScreeWallDef *w, Vec3 seen, ShellPiece piece) {
    double reach[2];
    piece_reach(w, &piece, reach);
    double far = reach[0] + reach[1];
    Vec3 x = place_on_shell(w, piece.at);
    double into = way_into_hole(w, add(w->point, x));
    Vec3 middle = scr_turn_to_b(d->pose, sub(add(w->point, x), seen));
    const bool open = into > 0, last = far <= d->least;
    if (open ? into >= far || last || ++d->looks > MOST_LOOKS ||
                   length(sub(middle, d->part->middle)) > d->part->extent + d->part->rounding + far
             : !goes_on(d, middle, far)) {
        return;
    }
    int longer = reach[0] > reach[1] ? 0 : 1;
    piece.half[longer] *= 0.5;
    for (int k = -1; k <= 1; k += 2) {
        ShellPiece half = piece;
        half.at[longer] += k * half.half[longer];
        dive_shell(d, w, seen, half);
    }
}

/* A thin wall has two sides: it must not pass through the body. */
static double depth_in_shell(const PlacedPair *pair, const Polyhedron *p) {
    ScreeWallDef room;
    const ScreeWallDef *w = scr_as_shell(pair->wall, &room);
    const PlacedSolid *a = pair->solid[0];
    const RelativePose frame = {{a->axis[0], a->axis[1], a->axis[2]}, {0, 0, 0}};
    const ShellPiece plate = {{0, 0}, {w->half.x, w->half.y}};
    const ShellPiece cone = {{0, 0.5}, {3.15, 0.5}}; /* all around, and a little more */
    Dive d = dive_into(p, 2 * (p->extent + p->rounding));
    d.pose = &frame;
    dive_shell(&d, w, pair->seen, w->shape == SCREE_WALL_PLATE ? plate : cone);
    return d.depth;
}

/* At planes and in endless tubes vertices are seen however deep they are, and so are smooth convex parts. Of
 * patches the corners of cells lie on the surface. */
static double depth_beyond(const PlacedPair *pair, const Polyhedron *p) {
    double depth = 0;
    for (int32_t k = 0; scr_is_patchwork(p) && k < p->smooth.patchwork->nodes; k++) {
        Vec3 x = add(pair->seen, scr_out_of_frame(pair->solid[0], p->smooth.patchwork->node[k]));
        depth = scr_max(depth, -scr_touch_wall(pair->def, pair->wall, x, 0).gap);
    }
    return depth;
}

ScreeStatus scr_wall_immersion(const PlacedPair *pair, double *depth) {
    const bool tube = pair->wall->shape == SCREE_WALL_CYLINDER;
    const bool thin = scr_is_shell(pair->wall) || (tube && pair->wall->length > 0);
    const Solid *solid = pair->solid[0]->solid;
    *depth = 0;
    for (int32_t i = 0; i < solid->parts; i++) {
        const Polyhedron *p = &solid->part[i];
        *depth = scr_max(*depth, thin ? depth_in_shell(pair, p) : depth_beyond(pair, p));
    }
    return SCREE_OK;
}

/* A wall of triangles has no inside: it must not pass through the body. */
ScreeStatus scr_mesh_immersion(const PlacedPair *pair, double *depth) {
    const PlacedSolid *a = pair->solid[0], b = scr_mesh_frame(pair->wall);
    const RelativePose pose = scr_relative_pose(a, &b, pair->d);
    const Mesh *m = pair->wall->mesh;
    MeshTriangles *near = &pair->work->patch.near;
    *depth = 0;
    bool ok = true;
    for (int32_t i = 0; i < a->solid->parts && ok; i++) {
        const Polyhedron *p = &a->solid->part[i];
        double far = p->extent + p->rounding;
        Vec3 middle = scr_point_to_b(&pose, p->middle), more = vec3(far, far, far);
        Dive d = dive_into(p, 2 * far);
        d.pose = &pose;
        d.surface_is_b = true;
        ok = scr_mesh_find(m, sub(middle, more), add(middle, more), near);
        for (size_t k = 0; ok && k < near->count; k++) {
            const int32_t *corner = scr_mesh_corners(m, near->item[k]);
            bool own = pair->wall->part < 0 || m->part == NULL ||
                       m->part[near->item[k]] == pair->wall->part;
            if (own) {
                dive_triangle(&d, into_part(&d, m->vertex[corner[0]]),
                              into_part(&d, m->vertex[corner[1]]),
                              into_part(&d, m->vertex[corner[2]]));
            }
        }
        *depth = scr_max(*depth, d.depth);
    }
    return ok ? SCREE_OK : SCREE_NO_MEMORY;
}
