/* Round rooms: which walls make one, what a box and shells cut out of it, and solid fractions in it. */
#include "sample.h"
#include "check.h"

static const double far = INFINITY;

static ScreeWallState shell(ScreeVec3 point, ScreeVec3 axis, double radius) {
    ScreeWallState wall = {.present = true, .now = scree_wall_def_default()};
    wall.now.shape = SCREE_WALL_CYLINDER;
    wall.now.point = point;
    wall.now.axis = axis;
    wall.now.radius = radius;
    wall.now.inside = true;
    return wall;
}

static ScreeWallState plane(ScreeVec3 point, ScreeVec3 normal) {
    ScreeWallState wall = {.present = true, .now = scree_wall_def_default()};
    wall.now.point = point;
    wall.now.normal = normal;
    return wall;
}

static ScreeWallState disc(ScreeVec3 point, ScreeVec3 axis, double radius) {
    ScreeWallState wall = shell(point, axis, 0);
    wall.now.shape = SCREE_WALL_CONE;
    wall.now.end_radius = radius;
    return wall;
}

static ScreeMeasures measured(const Made *m, ScreeVec3 min, ScreeVec3 max) {
    char message[SCREE_MESSAGE_SIZE] = "";
    ScreeMeasures found;
    ScreeMeasureDef def = scree_measure_def_default();
    def.min = min;
    def.max = max;
    CHECK(scree_sample_measure(&m->sample, &def, &found, message) == SCREE_OK);
    return found;
}

static ScreeMeasures all_of(const Made *m) {
    return measured(m, at(-far, -far, -far), at(far, far, far));
}

static size_t profile_of(const ScreeProfileDef *def, const Made *m, ScreeProfileBin *bin) {
    char message[SCREE_MESSAGE_SIZE] = "";
    ScreeProfile *profile = scree_profile_new(def, message);
    CHECK(profile != NULL && scree_profile_add(profile, &m->sample, message) == SCREE_OK);
    const size_t count = scree_profile_get_bin_count(profile);
    scree_profile_get_bins(profile, bin);
    scree_profile_free(profile);
    return count;
}

/* What the line at x leaves of a disk of radius r on its lower side, without half of the disk. */
static double strip(double r, double x) {
    return x * sqrt(r * r - x * x) + r * r * asin(x / r);
}

/* ---------------------------------------------------------------- lattices */

/* A square lattice of disks in a circle, as many as find room: columns of 2 k + 1 along y at each x. */
static int fill_circle(Made *m, double radius, double pitch, double r, int column[]) {
    const int most = (int)floor((radius - r) / pitch);
    for (int i = -most; i <= most; i++) {
        column[i + most] = 0;
        for (int k = -most; k <= most; k++) {
            if (hypot(i * pitch, k * pitch) <= radius - r) {
                add_body(m, at(3 + i * pitch, 1 + k * pitch, 0), r, at(0, 0, 0));
                column[i + most]++;
            }
        }
    }
    return most;
}

static void disks_fill_a_circle(void) {
    const double radius = 2, pitch = 0.5, r = 0.2;
    const ScreeWallState wall = shell(at(3, 1, 0), at(0, 0, 1), radius);
    Made *m = begin(2);
    ScreeProfileBin bin[16];
    int column[16];
    const int most = fill_circle(m, radius, pitch, r, column);
    scree_sample_find_room(&m->sample, &wall, 1);
    ScreeMeasures found = all_of(m);
    CHECK_CLOSE(found.volume, M_PI * radius * radius, 1e-14);
    CHECK_CLOSE(found.solid_fraction, (double)m->sample.bodies * r * r / (radius * radius), 1e-13);
    const double whole = found.solid_fraction;
    found = measured(m, at(3, -far, -far),
                     at(far, far, far)); /* the lattice is the same on each side */
    CHECK_CLOSE(found.volume, M_PI * radius * radius / 2, 1e-13);
    CHECK_CLOSE(found.solid_fraction, whole, 1e-13);
    found = measured(m, at(2.5, 0.5, -far), at(3.5, 1.5, far)); /* a box within is a box */
    CHECK_CLOSE(found.volume, 1.0, 1e-13);

    /* bins around each column, between lines in the middle of columns */
    ScreeProfileDef def = scree_profile_def_default();
    def.axis = SCREE_PROFILE_X;
    def.bins = 2 * most + 1;
    def.min.x = 3 - (most + 0.5) * pitch;
    def.max.x = 3 + (most + 0.5) * pitch;
    CHECK(profile_of(&def, m, bin) == (size_t)def.bins);
    for (int k = 0; k < def.bins; k++) {
        const double low = (k - most - 0.5) * pitch, high = low + pitch;
        const double area = strip(radius, fmin(high, radius)) - strip(radius, fmax(low, -radius));
        CHECK_CLOSE(bin[k].mean.solid_fraction, column[k] * M_PI * r * r / area, 1e-12);
    }
    free(m);
}

/* Layers of such a lattice in a drum about y, of length 3, between its end planes. */
static void balls_fill_a_drum(void) {
    enum { LAYERS = 6 };
    const double radius = 2, pitch = 0.5, r = 0.2, length = 3, ball = 4 * M_PI / 3 * r * r * r;
    const ScreeWallState wall[] = {shell(at(3, 1, -2), at(0, 1, 0), radius),
                                   plane(at(0, -0.5, 0), at(0, 1, 0)),
                                   plane(at(0, 2.5, 0), at(0, -1, 0))};
    Made *flat = begin(2), *m = begin(3);
    ScreeProfileBin bin[16];
    int column[16];
    const int most = fill_circle(flat, radius, pitch, r, column);
    for (size_t i = 0; i < flat->sample.bodies; i++) {
        for (int k = 0; k < LAYERS; k++) { /* its y is our z */
            add_body(m, at(flat->position[i].x, -0.25 + k * pitch, flat->position[i].y - 3), r,
                     at(0, 0, 0));
        }
    }
    scree_sample_find_room(&m->sample, wall, 3);
    CHECK(m->sample.room.low == -1.5 && m->sample.room.high == 1.5);
    const ScreeMeasures found = all_of(m);
    CHECK_CLOSE(found.volume, M_PI * radius * radius * length, 1e-14);
    CHECK_CLOSE(found.solid_fraction, (double)m->sample.bodies * ball / found.volume, 1e-12);

    ScreeProfileDef def = scree_profile_def_default(); /* along z, across the axis */
    def.axis = SCREE_PROFILE_Z;
    def.bins = 2 * most + 1;
    def.min.z = -2 - (most + 0.5) * pitch;
    def.max.z = -2 + (most + 0.5) * pitch;
    CHECK(profile_of(&def, m, bin) == (size_t)def.bins);
    for (int k = 0; k < def.bins; k++) {
        const double low = (k - most - 0.5) * pitch, high = low + pitch;
        const double area = strip(radius, fmin(high, radius)) - strip(radius, fmax(low, -radius));
        CHECK_CLOSE(bin[k].mean.solid_fraction, LAYERS * column[k] * ball / (area * length), 1e-11);
    }
    def = scree_profile_def_default(); /* along y, that of the drum: layers */
    def.bins = LAYERS;
    def.min.y = -0.5;
    def.max.y = 2.5;
    CHECK(profile_of(&def, m, bin) == LAYERS);
    for (int k = 0; k < LAYERS; k++) {
        CHECK_CLOSE(bin[k].mean.solid_fraction, found.solid_fraction, 1e-12);
    }
    free(flat);
    free(m);
}

/* ---------------------------------------------------------------- shells */

/* About the axis of the drum they are rings, and beyond it they are nothing; about a line on its surface the first one of
 * its radius shares the lens of two circles with it. */
static void shells_end_at_the_drum(void) {
    const double radius = 2, length = 3, lens = radius * radius * (2 * M_PI / 3 - sqrt(3) / 2);
    const ScreeWallState wall[] = {shell(at(0, 0, 0), at(0, -1, 0), radius),
                                   plane(at(0, -1, 0), at(0, 1, 0)),
                                   plane(at(0, 2, 0), at(0, -1, 0))};
    for (int d = 2; d <= 3; d++) {
        Made *m = begin(d);
        ScreeProfileBin bin[8];
        ScreeProfileDef def = scree_profile_def_default();
        const double size = d == 2 ? M_PI : 4 * M_PI / 3, deep = d == 2 ? 1 : length;
        add_body(m, at(1, 0, 0), 0.4, at(0, 0, 0));
        const double part = size * pow(0.4, d);
        scree_sample_find_room(&m->sample, wall, d == 2 ? 1 : 3);
        def.axis = SCREE_PROFILE_R;
        def.direction = at(0, d - 2, 3 - d);
        def.bins = 2;
        def.most = 3;
        CHECK(profile_of(&def, m, bin) == 2);
        CHECK_CLOSE(bin[0].mean.solid_fraction, part / (M_PI * 2.25 * deep), 1e-11);
        CHECK(bin[1].mean.bodies < 1e-11);
        CHECK_CLOSE(bin[0].mean.solid_fraction * M_PI * 2.25 * deep / bin[0].mean.bodies, part,
                    1e-11);
        def.bins = 1;
        CHECK(profile_of(&def, m, bin) == 1); /* all of the drum, not all of the shell */
        CHECK_CLOSE(bin[0].mean.solid_fraction, part / (M_PI * radius * radius * deep), 1e-11);
        def.centre = at(radius, 0, 0);
        def.most = radius;
        CHECK(profile_of(&def, m, bin) == 1);
        CHECK_CLOSE(bin[0].mean.solid_fraction, part / (lens * deep), 1e-11);
        free(m);
    }
}

/* ---------------------------------------------------------------- oblique */

/* About the line x = z. Planes h apart cut off pi r^2 h sqrt(2); one through the axis halves it; one at y cuts a
 * segment; a box around all of it, with flat ends, leaves it whole. */
static void boxes_cut_a_leaning_drum(void) {
    const double r = 0.5, root = sqrt(0.5), whole = M_PI * r * r;
    ScreeRoom room = {at(0.1, 0.2, 0.3), at(root, 0, root), r, -far, far};
#define VOLUME(a, b) scree_room_get_volume(&room, 3, a, b)
    CHECK_CLOSE(VOLUME(at(-9, -9, -1), at(9, 9, 1)), whole * 2 / root, 1e-8);
    CHECK_CLOSE(VOLUME(at(-9, 0.2, -1), at(9, 9, 1)), whole / root, 1e-8);
    CHECK_CLOSE(VOLUME(at(-9, 0.45, -1), at(9, 9, 1)), (whole / 2 - strip(r, 0.25)) * 2 / root,
                1e-8);
    CHECK(VOLUME(at(-9, 0.8, -1), at(9, 9, 1)) == 0);
    CHECK(isinf(VOLUME(at(-far, -9, -far), at(far, 9, far))));
    room.low = -2;
    room.high = 1;
    CHECK_CLOSE(VOLUME(at(-far, -far, -far), at(far, far, far)), 3 * whole, 1e-8);
    /* by its symmetry about a point of the axis, half of it lies beyond any plane through the point */
    room.low = -1;
    CHECK_CLOSE(VOLUME(at(0.1, -far, -far), at(far, far, far)), whole, 1e-8);
    CHECK_CLOSE(VOLUME(at(-far, -far, 0.3), at(far, far, far)), whole, 1e-8);
    /* a wedge of it: the plane x = c through the rim of an end, 2 r across: the part of a cylinder under a plane
     * at 45 degrees that just leaves the end free is half of its length 2 r */
    const double c = 0.1 + root - r * root;
    CHECK_CLOSE(VOLUME(at(c, -far, -far), at(far, far, far)), whole * r, 1e-8);
#undef VOLUME
}

/* ---------------------------------------------------------------- which walls */

static double volume_in(Made *m, const ScreeWallState *wall, size_t walls) {
    scree_sample_find_room(&m->sample, wall, walls);
    return all_of(m).volume;
}

static void rooms_are_closed_by_walls_around_all_grains(void) {
    const double box = 2 * 2 * 6; /* around two balls of radius 1, at heights 1 and 5 */
    ScreeWallState wall[] = {shell(at(0, 0, 0), at(0, 0, 1), 3), plane(at(0, 0, -1), at(0, 0, 1)),
                             plane(at(0, 0, 8), at(0, 0, -1)), shell(at(0, 0, 0), at(0, 0, 1), 2)};
    Made *m = begin(3);
    add_body(m, at(0, 0, 1), 1, at(0, 0, 0));
    add_body(m, at(0, 0, 5), 1, at(0, 0, 0));
    CHECK_CLOSE(volume_in(m, wall, 0), box, 1e-14);
    CHECK_CLOSE(volume_in(m, wall, 1), M_PI * 9 * 6,
                1e-13); /* a pipe: as far as there are grains */
    CHECK_CLOSE(volume_in(m, wall, 2), M_PI * 9 * 7, 1e-13); /* a cup: from its floor */
    CHECK_CLOSE(volume_in(m, wall, 3), M_PI * 9 * 9, 1e-13); /* a can */
    CHECK_CLOSE(volume_in(m, wall, 4), M_PI * 4 * 9, 1e-13); /* the smaller shell */
    wall[3].present = false;
    CHECK_CLOSE(volume_in(m, wall, 4), M_PI * 9 * 9, 1e-13);
    wall[3].present = true;
    wall[3].now.inside = false; /* a rod */
    CHECK_CLOSE(volume_in(m, wall, 4), M_PI * 9 * 9, 1e-13);
    wall[2] = disc(at(0, 0, 7), at(0, 0, 1), 3); /* a lid */
    CHECK_CLOSE(volume_in(m, wall, 3), M_PI * 9 * 8, 1e-13);
    wall[2] = disc(at(0, 0, 7), at(0, 0, 1), 2.5); /* smaller than the can */
    CHECK_CLOSE(volume_in(m, wall, 3), M_PI * 9 * 7, 1e-13);
    wall[1] = plane(at(0, 0, 9), at(0, 0, 1)); /* the grains are behind it */
    CHECK_CLOSE(volume_in(m, wall, 2), M_PI * 9 * 6, 1e-13);
    wall[0].now.length = 6; /* the upper ball is out of this one */
    CHECK_CLOSE(volume_in(m, wall, 1), box, 1e-14);
    wall[0].now.length = 10;
    CHECK_CLOSE(volume_in(m, wall, 1), M_PI * 9 * 6, 1e-13);
    wall[0].now.point = at(4, 0, 0); /* beside it */
    CHECK_CLOSE(volume_in(m, wall, 1), box, 1e-14);
    wall[0] = shell(at(0, 0, 0), at(0, 0, 1), 3);
    periodic(m, 2, 0, 10);
    CHECK_CLOSE(volume_in(m, wall, 1), M_PI * 9 * 10, 1e-13);
    periodic(m, 0, -4, 4); /* it repeats across its axis */
    CHECK_CLOSE(volume_in(m, wall, 1), 8 * 2 * 10.0, 1e-13);
    free(m);
}

int main(int argc, char **argv) {
    CHECK_RUN(disks_fill_a_circle);
    CHECK_RUN(balls_fill_a_drum);
    CHECK_RUN(shells_end_at_the_drum);
    CHECK_RUN(boxes_cut_a_leaning_drum);
    CHECK_RUN(rooms_are_closed_by_walls_around_all_grains);
    return check_result();
}
