/* Where thin walls end: circles and straight edges, seen by the parts of solids. A contact is a point of the
 * curve at which its distance from the part is least along the curve. */
#ifndef SCREE_NARROW_WALL_CURVE_H
#define SCREE_NARROW_WALL_CURVE_H

#include "narrow/point_sight.h"
#include "shape/wall_shell.h"

/* In the frame of a body. Places on it are counted from 0 to 1. */
typedef struct WallCurve {
    bool straight;
    Vec3 from;       /* the centre of a circle, or where a straight edge begins */
    Vec3 u, v, axis; /* of a circle; of an edge: u along it, v from it into the wall */
    double size;     /* the radius, or the length */
    double out, up;  /* of a circle: from it into the wall, across its axis and along it */
} WallCurve;

/* Curves of a wall: those of a cone are its two rims, those of a plate its holes and then four edges. */
int32_t scr_curve_count(const ScreeWallDef *shell);
WallCurve scr_wall_curve(const ScreeWallDef *shell, int32_t number, const PlacedSolid *body,
                         Vec3 seen);

Vec3 scr_curve_at(const WallCurve *curve, double t);
Vec3 scr_curve_tangent(const WallCurve *curve, double t);
Vec3 scr_curve_inward(const WallCurve *curve, double t);

/* Nothing beside the curve is nearer: the wall, which leads `inward` from that point, does not lead towards the part,
 * out of which the normal is. At a tip, in no direction. */
bool scr_curve_is_nearest(const WallCurve *curve, Vec3 inward, Vec3 normal, double tilt);

/* The point of the curve at t, seen from a part. */
PointSight scr_curve_sight(const Polyhedron *part, const WallCurve *curve, double t);

/* Sectors name the places of a curve. A body that sits in a hole touches all around, and would rock on the
 * one place that is nearest just now; so there are also points that stay where they are on the circle. */
enum { CURVE_SECTORS = 64, FIXED_POINTS = 16, MOST_CURVE_PLACES = 64 };

/* The direction that u has after so many turns towards v, nearly: within each sector equal steps go along its
 * chord, which needs no sine. Only that it is the same for the same number matters. */
Vec3 scr_turned(Vec3 u, Vec3 v, double turns);

/* Whether any point of it may be within the reach. */
bool scr_curve_may_touch(const Polyhedron *part, const WallCurve *curve, double reach);

/* Places of least distance within the reach; returns how many. */
int scr_curve_places(const Polyhedron *part, const WallCurve *curve, double reach,
                     double place[MOST_CURVE_PLACES]);

/* The one of a sector, where the part is now. */
double scr_place_in_sector(const Polyhedron *part, const WallCurve *curve, int sector);

#endif
