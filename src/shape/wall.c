#include "shape/wall.h"

#include "shape/mesh.h"
#include "shape/wall_shell.h"

/* Looking from p towards a point of a thin surface. When p lies in the surface there is no
 * direction, and `fallback` is taken. */
static WallSight sight_to(Vec3 p, Vec3 target, Vec3 fallback) {
    Vec3 d = sub(target, p);
    double distance = length(d);
    return (WallSight){distance, distance > 0 ? scale(1 / distance, d) : fallback};
}

static WallSight segment_sight(const ScreeWallDef *wall, Vec3 p) {
    Vec3 along = sub(wall->end, wall->point);
    double t = dot(sub(p, wall->point), along) / dot(along, along);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return sight_to(p, add_scaled(wall->point, t, along), unit(vec3(along.y, -along.x, 0)));
}

/* From inside a solid box: the nearest face. `l` is the point in the box's own frame. */
static WallSight block_sight_from_inside(const ScreeWallDef *wall, Vec3 l) {
    double depth[3] = {wall->half.x - fabs(l.x), wall->half.y - fabs(l.y),
                       wall->half.z - fabs(l.z)};
    int face = 0;
    for (int i = 1; i < 3; i++) {
        face = depth[i] < depth[face] ? i : face;
    }
    Vec3 inward = vec3(face == 0 ? -copysign(1, l.x) : 0, face == 1 ? -copysign(1, l.y) : 0,
                       face == 2 ? -copysign(1, l.z) : 0);
    return (WallSight){-depth[face], quat_rotate(wall->orientation, inward)};
}

static double clamp(double x, double limit) {
    return x < -limit ? -limit : x > limit ? limit : x;
}

static WallSight block_sight(const ScreeWallDef *wall, Vec3 p) {
    Vec3 l = quat_rotate_back(wall->orientation, sub(p, wall->point));
    Vec3 nearest =
        vec3(clamp(l.x, wall->half.x), clamp(l.y, wall->half.y), clamp(l.z, wall->half.z));
    Vec3 d = sub(nearest, l);
    double distance = length(d);
    if (!(distance > 0)) {
        return block_sight_from_inside(wall, l);
    }
    return (WallSight){distance, quat_rotate(wall->orientation, scale(1 / distance, d))};
}

/* A point in the frame of a cylinder: height along the axis, distance from it, and the unit vector
 * away from it. */
typedef struct Radial {
    double height, radius;
    Vec3 outward;
} Radial;

static Radial radial(const ScreeWallDef *wall, Vec3 p) {
    Vec3 d = sub(p, wall->point);
    double height = dot(d, wall->axis);
    Vec3 across = add_scaled(d, -height, wall->axis);
    double radius = length(across);
    return (Radial){height, radius,
                    radius > 0 ? scale(1 / radius, across) : perpendicular(wall->axis)};
}

/* A solid cylinder with flat ends, from outside. */
static WallSight rod_sight(const ScreeWallDef *wall, Radial r) {
    double over_side = r.radius - wall->radius;
    double over_end = wall->length > 0 ? fabs(r.height) - 0.5 * wall->length : -INFINITY;
    Vec3 to_axis = scale(-1, r.outward);
    Vec3 to_middle = scale(-copysign(1, r.height), wall->axis);
    if (over_side > 0 && over_end > 0) { /* nearest to the edge of an end */
        double distance = scr_hypot(over_side, over_end);
        return (WallSight){distance, add_scaled(scale(over_side / distance, to_axis),
                                                over_end / distance, to_middle)};
    }
    return over_side > over_end ? (WallSight){over_side, to_axis}
                                : (WallSight){over_end, to_middle};
}

/* A thin open tube, from both sides. */
static WallSight tube_sight(const ScreeWallDef *wall, Vec3 p, Radial r) {
    double height = clamp(r.height, 0.5 * wall->length);
    Vec3 target = add(add_scaled(wall->point, height, wall->axis), scale(wall->radius, r.outward));
    return sight_to(p, target, r.outward);
}

static WallSight cylinder_sight(const ScreeWallDef *wall, Vec3 p) {
    Radial r = radial(wall, p);
    if (!wall->inside) {
        return rod_sight(wall, r);
    }
    if (wall->length > 0) {
        return tube_sight(wall, p, r);
    }
    return (WallSight){wall->radius - r.radius, r.outward};
}

static WallSight mesh_sight(const ScreeWallDef *wall, Vec3 p) {
    Vec3 l = quat_rotate_back(wall->orientation, sub(p, wall->point));
    Vec3 nearest = scr_mesh_nearest(wall->mesh, wall->part, l);
    WallSight own = sight_to(l, nearest, vec3(0, 0, 1));
    return (WallSight){own.distance, quat_rotate(wall->orientation, own.normal)};
}

/* A wall without a surface of its own is nowhere near. */
static WallSight no_sight(const ScreeWallDef *wall, Vec3 p) {
    (void)wall, (void)p;
    return (WallSight){INFINITY, vec3(0, 0, 0)};
}

WallSight scr_wall_sight(const ScreeWallDef *wall, Vec3 p) {
    static WallSight (*const sight[SCREE_WALL_SHAPE_COUNT])(const ScreeWallDef *, Vec3) = {
        [SCREE_WALL_PLANE] = scr_plane_sight, [SCREE_WALL_SEGMENT] = segment_sight,
        [SCREE_WALL_BLOCK] = block_sight,     [SCREE_WALL_CYLINDER] = cylinder_sight,
        [SCREE_WALL_MESH] = mesh_sight,       [SCREE_WALL_CONE] = scr_cone_sight,
        [SCREE_WALL_PLATE] = scr_plate_sight, [SCREE_WALL_HOLDER] = no_sight,
    };
    return sight[wall->shape](wall, p);
}

double scr_wall_sag(const ScreeWallDef *wall, Vec3 p, Vec3 motion) {
    if (scr_is_shell(wall)) {
        return scr_shell_sag(wall, p, motion);
    }
    if (wall->shape != SCREE_WALL_CYLINDER || !wall->inside) {
        return 0;
    }
    Radial r = radial(wall, p);
    if (r.radius > wall->radius) {
        return 0; /* a tube, seen from outside */
    }
    Vec3 round = cross(wall->axis, r.outward);
    double moved = scr_min(fabs(dot(motion, round)), r.radius), share = 1;
    if (wall->length > 0 && fabs(r.height) > 0.5 * wall->length) { /* over the rim */
        share = scr_max(0, dot(tube_sight(wall, p, r).normal, r.outward));
    }
    return share * (r.radius - sqrt(r.radius * r.radius - moved * moved));
}

double scr_wall_curvature(const ScreeWallDef *wall, Vec3 p) {
    if (scr_is_shell(wall)) {
        return scr_shell_curvature(wall, p);
    }
    if (wall->shape != SCREE_WALL_CYLINDER) {
        return 0;
    }
    bool hollow = wall->inside && radial(wall, p).radius <= wall->radius;
    return (hollow ? -1 : 1) / wall->radius;
}

void scr_wall_advance(ScreeWallState *wall, Vec3 velocity, double time) {
    ScreeWallDef *w = &wall->now;
    Vec3 shift = scale(time, velocity);
    Vec3 pivot = add(w->pivot, shift);
    if (w->spin.x != 0 || w->spin.y != 0 || w->spin.z != 0) {
        Quat turn = quat_from_turn(scale(time, w->spin));
        w->point = add(pivot, quat_rotate(turn, sub(w->point, w->pivot)));
        w->end = add(pivot, quat_rotate(turn, sub(w->end, w->pivot)));
        w->normal = unit(quat_rotate(turn, w->normal));
        w->axis = unit(quat_rotate(turn, w->axis));
        w->orientation = quat_normalise(quat_multiply(turn, w->orientation));
    } else {
        w->point = add(w->point, shift);
        w->end = add(w->end, shift);
    }
    w->pivot = pivot;
    wall->displacement = add(wall->displacement, shift);
}

static const char *shape_fault(const ScreeWallDef *d, int dimension) {
    bool flat = dimension == 2;
    switch (d->shape) {
    case SCREE_WALL_PLANE:
        if (!(length(d->normal) > 0)) {
            return "a plane needs a normal other than zero";
        }
        return flat && d->normal.z != 0 ? "in two dimensions a plane's normal lies in x, y" : NULL;
    case SCREE_WALL_SEGMENT:
        if (!flat) {
            return "segments exist only in two dimensions";
        }
        return length(sub(d->end, d->point)) > 0 ? NULL : "a segment needs two different ends";
    case SCREE_WALL_BLOCK:
        if (!(d->half.x > 0 && d->half.y > 0 && (flat || d->half.z > 0))) {
            return "a block needs half sides greater than zero";
        }
        return NULL;
    case SCREE_WALL_CYLINDER:
        if (!(d->radius > 0) || !(d->length >= 0)) {
            return "a cylinder needs a radius greater than zero and a length of at least zero";
        }
        return length(d->axis) > 0 ? NULL : "a cylinder needs an axis other than zero";
    case SCREE_WALL_MESH:
        if (flat) {
            return "meshes exist only in three dimensions";
        }
        if (d->mesh == NULL) {
            return "a mesh needs its triangles: scree_mesh_create";
        }
        return d->part >= -1 && d->part < d->mesh->parts ? NULL : "its mesh has no such part";
    case SCREE_WALL_CONE:
        return flat ? "cones, rings and discs exist only in three dimensions" : scr_cone_fault(d);
    case SCREE_WALL_PLATE:
        return flat ? "plates exist only in three dimensions" : scr_plate_fault(d);
    case SCREE_WALL_HOLDER:
        return NULL;
    default:
        return "unknown wall shape";
    }
}

static const char *motion_fault(const ScreeWallDef *d) {
    if (d->motion < 0 || d->motion >= SCREE_WALL_MOTION_COUNT) {
        return "unknown wall motion";
    }
    if (d->motion == SCREE_WALL_PISTON) {
        if (!(d->mass > 0)) {
            return "a piston needs a mass greater than zero";
        }
        if (d->shape != SCREE_WALL_PLANE && !(length(d->direction) > 0)) {
            return "a piston that is not a plane needs a direction";
        }
    }
    if (d->stress != 0 && (d->motion != SCREE_WALL_PISTON ||
                           (d->shape != SCREE_WALL_PLANE && d->shape != SCREE_WALL_HOLDER))) {
        return "a stress is for pistons that are planes, or nothing but the grains that they hold";
    }
    return NULL;
}

/* In two dimensions walls lie, move and push within the plane. */
static const char *plane_fault(const ScreeWallDef *d) {
    if (d->velocity.z != 0 || d->spin.x != 0 || d->spin.y != 0) {
        return "in two dimensions a wall moves in x, y and turns about z";
    }
    if (d->force.z != 0 || d->direction.z != 0) {
        return "in two dimensions force and direction of a piston lie in x, y";
    }
    if (d->orientation.x != 0 || d->orientation.y != 0) {
        return "in two dimensions a block is turned about z only";
    }
    return NULL;
}

const char *scr_wall_fault(const ScreeWallDef *d, int dimension) {
    const Vec3 all[] = {d->point, d->normal, d->end,      d->half, d->axis,
                        d->pivot, d->force,  d->velocity, d->spin, d->direction};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (!is_finite(all[i])) {
            return "a wall's numbers must be finite";
        }
    }
    const Quat q = d->orientation;
    if (!isfinite(d->radius + d->length + d->end_radius + d->spacing[0] + d->spacing[1] + d->mass +
                  d->stress + q.w + q.x + q.y + q.z)) {
        return "a wall's numbers must be finite";
    }
    if (q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0) {
        return "the orientation must be a quaternion other than zero";
    }
    const char *fault = shape_fault(d, dimension);
    fault = fault != NULL ? fault : motion_fault(d);
    return fault == NULL && dimension == 2 ? plane_fault(d) : fault;
}

void scr_wall_complete(ScreeWallDef *d, int dimension) {
    d->normal = unit(d->normal);
    d->axis = dimension == 2 ? vec3(0, 0, 1) : unit(d->axis);
    d->orientation = quat_normalise(d->orientation);
    if (dimension == 2) {
        d->point.z = d->end.z = d->pivot.z = 0;
        d->half.z = 1e30; /* a block is infinite along z, so the nearest face is never a z face */
    }
    if (!d->has_pivot) {
        d->pivot = d->point;
        d->has_pivot = true;
    }
    if (d->motion == SCREE_WALL_FIXED) {
        d->velocity = d->spin = vec3(0, 0, 0);
    }
    if (d->motion == SCREE_WALL_PISTON) {
        d->direction = unit(length(d->direction) > 0 ? d->direction : d->normal);
        d->spin = vec3(0, 0, 0);
    }
}
