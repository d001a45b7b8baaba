/* scree_world_find_overlaps against all pairs, with distances computed here: disks, balls, polygons
 * and mixtures; every kind of wall; with and without periodic directions. */
#include "physics/rig.h"

enum { MOST = 80, CORNERS = 6 };

typedef struct Cloud {
    int dimension, bodies, walls;
    bool periodic[3];
    double side; /* side of the box that holds them, and of the cell */
    ScreeBodyDef body[MOST];
    ScreeVec3 corner[MOST][CORNERS]; /* corners of polygons, in place */
    int corners[MOST];               /* 0: round */
    ScreeWallDef wall[8];
    ScreeWorld *world;
} Cloud;

/* ---------------------------------------------------------------- making */

static Cloud *make(int dimension, bool periodic, double side) {
    Cloud *c = calloc(1, sizeof *c);
    if (c == NULL) {
        abort();
    }
    ScreeWorldDef def = rig_def(dimension, 0.01, rig_vec(0, 0, 0));
    c->dimension = dimension;
    c->side = side;
    for (int i = 0; i < dimension && periodic; i++) {
        def.periodic[i] = c->periodic[i] = i != 1;
    }
    def.cell_max = rig_vec(side, side, side);
    c->world = rig_create(&def);
    ScreeMaterialDef stone = scree_material_def_default();
    rig_must(scree_world_add_material(c->world, &stone, NULL), "material");
    return c;
}

static ScreeVec3 somewhere(const Cloud *c, uint64_t *random) {
    double x = c->side * rig_random(random), y = c->side * rig_random(random);
    return rig_vec(x, y, c->dimension == 3 ? c->side * rig_random(random) : 0);
}

static void add_round(Cloud *c, uint64_t *random, double radius) {
    int i = c->bodies++;
    ScreeVec3 at = somewhere(c, random);
    c->body[i] = rig_ball(at, radius * (0.3 + 0.7 * rig_random(random)), 0);
    rig_add_body(c->world, &c->body[i]);
}

/* A convex polygon: corners on a circle, at random angles in rising order. */
static void add_polygon(Cloud *c, uint64_t *random, double radius) {
    int i = c->bodies++, count = 3 + (int)(4 * rig_random(random));
    ScreeVec3 corner[CORNERS];
    for (int k = 0; k < count; k++) {
        double angle = 2 * M_PI * (k + 0.7 * rig_random(random)) / count;
        corner[k] = rig_vec(radius * cos(angle), radius * sin(angle), 0);
    }
    const ScreeShapePart part = {count, 0};
    const ScreeShapeDef shape = {&part, 1, corner};
    ScreeShape made;
    ScreeBodyDef def = scree_body_def_default();
    double turn = 7 * rig_random(random);
    rig_must(scree_world_add_shape(c->world, &shape, &def.shape), "shape");
    rig_must(scree_shape_get(c->world, def.shape, &made), "shape");
    def.position = somewhere(c, random);
    def.orientation = (ScreeQuat){cos(turn / 2), 0, 0, sin(turn / 2)};
    def.material.index = 0;
    rig_add_body(c->world, &def);
    def.radius = made.radius;
    c->body[i] = def;
    c->corners[i] = count;
    for (int k = 0; k < count; k++) {
        ScreeVec3 at = made.def.corner[k];
        c->corner[i][k] = rig_vec(def.position.x + cos(turn) * at.x - sin(turn) * at.y,
                                  def.position.y + sin(turn) * at.x + cos(turn) * at.y, 0);
    }
}

static void add_wall(Cloud *c, const ScreeWallDef *wall) {
    c->wall[c->walls++] = *wall;
    rig_must(scree_world_add_wall(c->world, wall, NULL), "wall");
}

/* ---------------------------------------------------------------- distances */

static double nearest(const Cloud *c, int axis, double d) {
    return c->periodic[axis] ? d - c->side * nearbyint(d / c->side) : d;
}

/* How deep polygon a, moved by `shift`, and polygon b overlap: the shortest way along a normal of
 * any edge that separates them. Negative when they are apart. */
static double least_way_out(const ScreeVec3 *a, int count_a, const ScreeVec3 *b, int count_b,
                            ScreeVec3 shift) {
    double least = INFINITY;
    for (int side = 0; side < 2; side++) {
        const ScreeVec3 *p = side == 0 ? a : b;
        int count = side == 0 ? count_a : count_b;
        for (int k = 0; k < count; k++) {
            double x = p[(k + 1) % count].x - p[k].x, y = p[(k + 1) % count].y - p[k].y;
            double nx = y / hypot(x, y), ny = -x / hypot(x, y);
            double low_a = INFINITY, high_a = -INFINITY, low_b = INFINITY, high_b = -INFINITY;
            for (int i = 0; i < count_a; i++) {
                double at = nx * (a[i].x + shift.x) + ny * (a[i].y + shift.y);
                low_a = fmin(low_a, at), high_a = fmax(high_a, at);
            }
            for (int i = 0; i < count_b; i++) {
                double at = nx * b[i].x + ny * b[i].y;
                low_b = fmin(low_b, at), high_b = fmax(high_b, at);
            }
            least = fmin(least, fmin(high_a - low_b, high_b - low_a));
        }
    }
    return least;
}

/* How deep a disk about x is in a convex polygon, by its distance from the nearest edge. */
static double disk_in_polygon(ScreeVec3 x, double radius, const ScreeVec3 *p, int count) {
    double inside = INFINITY, away = INFINITY;
    for (int k = 0; k < count; k++) {
        ScreeVec3 from = p[k], to = p[(k + 1) % count];
        double ex = to.x - from.x, ey = to.y - from.y, long_ = hypot(ex, ey);
        double along = ((x.x - from.x) * ex + (x.y - from.y) * ey) / long_;
        double across = ((x.x - from.x) * ey - (x.y - from.y) * ex) / long_; /* outward */
        double past = along < 0 ? -along : along > long_ ? along - long_ : 0;
        inside = fmin(inside, -across);
        away = fmin(away, hypot(past, across));
    }
    return radius + (inside > 0 ? inside : -away);
}

static double pair_depth(const Cloud *c, int a, int b) {
    const ScreeBodyDef *p = &c->body[a], *q = &c->body[b];
    double x = nearest(c, 0, p->position.x - q->position.x);
    double y = nearest(c, 1, p->position.y - q->position.y);
    double z = nearest(c, 2, p->position.z - q->position.z);
    ScreeVec3 shift =
        rig_vec(x - (p->position.x - q->position.x), y - (p->position.y - q->position.y), 0);
    if (c->corners[a] == 0 && c->corners[b] == 0) {
        return p->radius + q->radius - sqrt(x * x + y * y + z * z);
    }
    if (c->corners[a] == 0) {
        return disk_in_polygon(rig_add(p->position, 1, shift), p->radius, c->corner[b],
                               c->corners[b]);
    }
    if (c->corners[b] == 0) {
        return disk_in_polygon(rig_add(q->position, -1, shift), q->radius, c->corner[a],
                               c->corners[a]);
    }
    return least_way_out(c->corner[a], c->corners[a], c->corner[b], c->corners[b], shift);
}

/* Distance of the point x in front of a wall: a plane, an endless cylinder or a segment. */
static double before_wall(const Cloud *c, const ScreeWallDef *w, ScreeVec3 x) {
    ScreeVec3 d = rig_vec(x.x - w->point.x, x.y - w->point.y, x.z - w->point.z);
    if (w->shape == SCREE_WALL_PLANE) {
        return d.x * w->normal.x + d.y * w->normal.y + d.z * w->normal.z;
    }
    if (w->shape == SCREE_WALL_CYLINDER) { /* about z */
        double r = hypot(d.x, d.y);
        return w->inside ? w->radius - r : r - w->radius;
    }
    if (w->shape == SCREE_WALL_BLOCK) { /* along the axes */
        double ox = fabs(d.x) - w->half.x, oy = fabs(d.y) - w->half.y;
        double oz = c->dimension == 3 ? fabs(d.z) - w->half.z : -INFINITY;
        double out = sqrt(pow(fmax(ox, 0), 2) + pow(fmax(oy, 0), 2) + pow(fmax(oz, 0), 2));
        return out > 0 ? out : fmax(ox, fmax(oy, oz));
    }
    double ex = w->end.x - w->point.x, ey = w->end.y - w->point.y, square = ex * ex + ey * ey;
    double share = fmin(fmax((d.x * ex + d.y * ey) / square, 0), 1);
    return hypot(d.x - share * ex, d.y - share * ey);
}

static double wall_depth(const Cloud *c, int body, int wall) {
    const ScreeWallDef *w = &c->wall[wall];
    double least = INFINITY;
    if (c->corners[body] == 0) {
        return c->body[body].radius - before_wall(c, w, c->body[body].position);
    }
    for (int k = 0; k < c->corners[body]; k++) {
        least = fmin(least, before_wall(c, w, c->corner[body][k]));
    }
    return -least;
}

/* ---------------------------------------------------------------- comparing */

/* Polygons that overlap deeply may leave each other in more than one direction, so only the number
 * of overlaps is compared. */
static void compare(Cloud *c, bool depths, int *seen) {
    ScreeOverlap found, wanted = {.a = SCREE_NO_BODY, .b = {-1}};
    int unclear = 0;
    for (int a = 0; a < c->bodies; a++) {
        for (int b = a + 1; b < c->bodies + c->walls; b++) {
            double depth = b < c->bodies ? pair_depth(c, a, b) : wall_depth(c, a, b - c->bodies);
            unclear += fabs(depth) < 1e-8;
            wanted.count += depth > 1e-8;
            if (depth > wanted.depth) {
                wanted.depth = depth;
                wanted.a.index = a;
                wanted.b = b < c->bodies ? scree_partner_from_body((ScreeBodyId){b})
                                         : scree_partner_from_wall((ScreeWallId){b - c->bodies});
            }
        }
    }
    rig_must(scree_world_find_overlaps(c->world, &found), "overlaps");
    CHECK(unclear == 0);
    CHECK(found.count == wanted.count);
    if (depths) {
        CHECK_NEAR(found.depth, wanted.depth, 1e-9);
        CHECK(found.a.index == wanted.a.index && found.b.code == wanted.b.code);
    }
    *seen += wanted.count > 0;
    scree_world_destroy(c->world);
    free(c);
}

/* From thin clouds, some without any overlap, to crowded ones. */
static void overlaps_of_round_bodies_match_all_pairs(void) {
    uint64_t random = 1;
    int seen = 0;
    for (int k = 0; k < 80; k++) {
        Cloud *c = make(2 + k % 2, k % 4 > 1, 10);
        for (int i = 0; i < 10 + k % 60; i++) {
            add_round(c, &random, 0.1 + 0.02 * (k % 40));
        }
        compare(c, true, &seen);
    }
    CHECK(seen > 40 && seen < 80);
}

static void overlaps_of_polygons_match_all_pairs(void) {
    uint64_t random = 2;
    int seen = 0;
    for (int k = 0; k < 80; k++) {
        Cloud *c = make(2, k % 2 == 1, 10);
        for (int i = 0; i < 20 + k % 40; i++) {
            add_polygon(c, &random, 0.1 + 0.01 * (k % 30));
        }
        compare(c, false, &seen);
    }
    CHECK(seen > 40 && seen < 80);
}

/* Two polygons, one moved towards the other until they overlap by a thousandth. */
static void depth_of_a_slight_overlap_is_right(void) {
    uint64_t random = 5;
    for (int k = 0; k < 200; k++) {
        Cloud *c = make(2, k % 2 == 1, 10);
        add_polygon(c, &random, 1);
        add_polygon(c, &random, 1);
        ScreeVec3 from = c->body[1].position, to = c->body[0].position, away;
        ScreeVec3 kept[CORNERS];
        double low = 0, high = 1;
        away = rig_scale(1 / rig_length(rig_sub(from, to)), rig_sub(from, to));
        memcpy(kept, c->corner[1], sizeof kept);
        for (int i = 0; i < 60; i++) { /* distance from `to`, in units of 3 */
            double at = 3 * (low + high) / 2;
            c->body[1].position = rig_add(to, at, away);
            for (int j = 0; j < c->corners[1]; j++) {
                c->corner[1][j] = rig_add(kept[j], 1, rig_sub(c->body[1].position, from));
            }
            double depth = pair_depth(c, 0, 1);
            low = depth > 1e-3 ? at / 3 : low;
            high = depth > 1e-3 ? high : at / 3;
        }
        rig_must(scree_body_set_position(c->world, (ScreeBodyId){1}, c->body[1].position),
                 "position");
        ScreeOverlap found;
        rig_must(scree_world_find_overlaps(c->world, &found), "overlaps");
        CHECK(found.count == 1 && found.a.index == 0 && found.b.code == 1);
        CHECK_NEAR(found.depth, 1e-3, 1e-9);
        scree_world_destroy(c->world);
        free(c);
    }
}

static void overlaps_of_polygons_with_disks_match_all_pairs(void) {
    uint64_t random = 3;
    int seen = 0;
    for (int k = 0; k < 60; k++) {
        Cloud *c = make(2, k % 2 == 1, 10);
        for (int i = 0; i < 30; i++) {
            add_polygon(c, &random, 0.1 + 0.01 * (k % 30));
            add_round(c, &random, 0.1 + 0.01 * (k % 30));
        }
        compare(c, false, &seen);
    }
    CHECK(seen > 30);
}

static ScreeWallDef wall_of(ScreeWallShape shape, double x, double y, double z) {
    ScreeWallDef wall = scree_wall_def_default();
    wall.shape = shape;
    wall.point = rig_vec(x, y, z);
    return wall;
}

/* Polygons meet planes with a corner; the other walls are only tried with round bodies. */
static void overlaps_with_walls_match_all_pairs(void) {
    uint64_t random = 4;
    int seen = 0;
    for (int k = 0; k < 80; k++) {
        int dimension = 2 + k % 2;
        Cloud *c = make(dimension, false, 10);
        for (int i = 0; i < 40; i++) {
            if (dimension == 2 && k % 8 >= 4) {
                add_polygon(c, &random, 0.2);
            } else {
                add_round(c, &random, 0.1 + 0.01 * (k % 20));
            }
        }
        ScreeWallDef wall = wall_of(SCREE_WALL_PLANE, 0.5 * rig_random(&random), 0, 0);
        wall.normal = rig_vec(0.8, 0.6, 0);
        add_wall(c, &wall);
        if (k % 8 < 4) {
            wall = wall_of(SCREE_WALL_CYLINDER, 5, 5, 5);
            wall.radius = 6.8;
            wall.inside = true;
            wall.axis = rig_vec(0, 0, 1);
            add_wall(c, &wall);
            wall = wall_of(SCREE_WALL_CYLINDER, 3, 6, 5);
            wall.radius = 0.5;
            wall.axis = rig_vec(0, 0, 1);
            add_wall(c, &wall);
            wall = wall_of(SCREE_WALL_BLOCK, 7, 4, 5);
            wall.half = rig_vec(0.6, 0.3, 0.8);
            add_wall(c, &wall);
        }
        if (k % 8 < 4 && dimension == 2) {
            wall = wall_of(SCREE_WALL_SEGMENT, 2, 2, 0);
            wall.end = rig_vec(4, 3, 0);
            add_wall(c, &wall);
        }
        compare(c, dimension == 3 || k % 8 < 4, &seen);
    }
    CHECK(seen > 40);
}

int main(int argc, char **argv) {
    CHECK_RUN(overlaps_of_round_bodies_match_all_pairs);
    CHECK_RUN(overlaps_of_polygons_match_all_pairs);
    CHECK_RUN(depth_of_a_slight_overlap_is_right);
    CHECK_RUN(overlaps_of_polygons_with_disks_match_all_pairs);
    CHECK_RUN(overlaps_with_walls_match_all_pairs);
    return check_result();
}
