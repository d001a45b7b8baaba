#include "narrow/solid_kept.h"

/* In parts of the smaller diameter: short lists that hold for long. */
static const double least_slack = 5e-4, most_slack = 2e-2;

KeptRange scr_kept_range(const PointRules *rules, double turn, double size, double arm) {
    double slack = scr_min(scr_max(10 * rules->motion, least_slack * size), most_slack * size);
    KeptRange r = {*rules, 1.5 * turn + 0.1 * slack / arm, slack, arm + 1.5 * rules->reach, 0};
    r.rules.reach = 1.25 * rules->reach + 0.25 * slack;
    r.rules.motion = 1.5 * rules->motion + 0.1 * slack;
    r.rules.tilt = scr_max(rules->tilt, scr_tilt_of_turn(r.turn));
    return r;
}

bool scr_is_worth_keeping(const PointRules *rules, double size) {
    return 3 * rules->motion <= most_slack * size;
}

KeptRange scr_no_range(const PointRules *rules, double turn) {
    return (KeptRange){*rules, turn, 0, 1, 0};
}

static void pack_pose(const RelativePose *p, double x[12]) {
    const Vec3 v[4] = {p->column[0], p->column[1], p->column[2], p->shift};
    for (int i = 0; i < 4; i++) {
        x[3 * i] = v[i].x;
        x[3 * i + 1] = v[i].y;
        x[3 * i + 2] = v[i].z;
    }
}

/* A rotation by an angle differs from none by 2 sin(angle / 2) in the norm that tells how far points
 * move, and by sqrt(2) times that in the norm of Frobenius. */
bool scr_kept_holds(const SolidKept *k, const RelativePose *pose, const PointRules *rules,
                    double turn) {
    if (k->state == KEPT_NOTHING || !(rules->reach <= k->reach) || !(rules->motion <= k->motion) ||
        !(turn <= k->turn)) {
        return false;
    }
    double x[12], turned = 0, shifted = 0;
    pack_pose(pose, x);
    for (int i = 0; i < 9; i++) {
        turned += (x[i] - k->pose[i]) * (x[i] - k->pose[i]);
    }
    for (int i = 9; i < 12; i++) {
        shifted += (x[i] - k->pose[i]) * (x[i] - k->pose[i]);
    }
    return sqrt(shifted) + sqrt(0.5 * turned) * k->arm <= k->slack;
}

static bool are_small(const FeatureList *list) {
    for (size_t i = 0; i < list->count; i++) {
        if (scr_feature_a(list->name[i]) > UINT8_MAX || scr_feature_b(list->name[i]) > UINT8_MAX) {
            return false;
        }
    }
    return true;
}

static void store_names(const FeatureList *list, SolidKept *k) {
    k->count = 0;
    if (list->count <= KEPT_NAMES) {
        k->state = KEPT_LIST;
        k->count = (int16_t)list->count;
        for (size_t i = 0; i < list->count; i++) {
            k->name[i] = list->name[i];
        }
    } else if (list->count <= KEPT_SHORT_NAMES && are_small(list)) {
        k->state = KEPT_SHORT;
        k->count = (int16_t)list->count;
        for (size_t i = 0; i < list->count; i++) {
            int32_t name = list->name[i];
            k->small[i] = (uint16_t)(scr_feature_a(name) << 8 | scr_feature_b(name));
        }
    } else {
        k->state = KEPT_TOO_LONG;
    }
}

bool scr_kept_names(const SolidKept *k, FeatureList *list) {
    size_t count = (size_t)k->count;
    if (!SCR_RESERVE(list, name, count + 1)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        list->name[i] =
            k->state == KEPT_LIST ? k->name[i] : scr_feature(k->small[i] >> 8, k->small[i] & 0xff);
    }
    list->count = count;
    return true;
}

/* The errors of single precision are taken off the slack. */
void scr_keep(const FeatureList *list, const RelativePose *pose, const KeptRange *range,
              SolidKept *k) {
    double x[12], far = length(pose->shift) + 4 * range->arm;
    pack_pose(pose, x);
    for (int i = 0; i < 12; i++) {
        k->pose[i] = (float)x[i];
    }
    const float less = 1 - 0x1p-20F, more = 1 + 0x1p-20F;
    k->slack = (float)(range->slack - 0x1p-20 * far) * less;
    k->arm = (float)range->arm * more;
    k->reach = (float)range->rules.reach * less;
    k->motion = (float)range->rules.motion * less;
    k->turn = (float)range->turn * less;
    k->depth = (float)range->depth * less;
    store_names(list, k);
}
