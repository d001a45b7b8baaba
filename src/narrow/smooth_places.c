#include "narrow/smooth_places.h"

/* The points of a rim: the fixed ones; that ahead, over which the body would topple; and the deepest
 * one, unless the cap lies so flat that it says nothing. Together they carry a body that stands, and
 * the deepest alone one that rolls on its rim. */
static int rim_places(const OverPlane *o, int rim, int32_t *place) {
    const SmoothPart *s = &o->part->smooth;
    Vec3 cap = scale(rim == 1 ? 1 : -1, s->axis[2]);
    bool flat = s->form[rim] > 0 && length(sub(cap, o->down)) <= o->tilt;
    double lowest = -INFINITY, deepest = dot(scr_rim_support(s, rim, o->down), o->down);
    int ahead = length(o->way) > 0 ? scr_rim_number(s, o->way) : -1, count = 0;
    for (int k = 0; k < RIM_POINTS && flat; k++) {
        if (k % FIXED_STEP == 0 || k == ahead) {
            lowest = scr_max(lowest, dot(scr_fixed_rim_point(s, rim, k), o->down));
            place[count++] = PLACE_RIM + rim * RIM_POINTS + k;
        }
    }
    if (deepest - lowest > LIES_FLAT * o->part->extent) {
        place[count++] = PLACE_DEEPEST + rim;
    }
    return count;
}

int scr_places_at_plane(const OverPlane *o, int32_t place[MOST_PLANE_PLACES]) {
    if (o->part->smooth.kind != SCREE_PART_CONE) {
        place[0] = PLACE_NEAREST;
        return 1;
    }
    int count = rim_places(o, 0, place);
    return count + rim_places(o, 1, place + count);
}
