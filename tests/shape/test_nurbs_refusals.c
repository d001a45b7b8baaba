/* Bad curves are refused, and the message says what is wrong. */
#include "check.h"
#include "shape/nurbs_shapes.h"

static void refused(const ScreeNurbs *def, const char *words) {
    char message[SCREE_MESSAGE_SIZE] = "";
    ScreeShape shape;
    size_t none = 0;
    CHECK(scree_nurbs_measure(def, &shape, NULL, &none, message) == SCREE_BAD_ARGUMENT);
    CHECK(strstr(message, words) != NULL);
    if (strstr(message, words) == NULL) {
        printf("    %s\n    has not: %s\n", message, words);
    }
}

static void taken(const ScreeNurbs *def) {
    char message[SCREE_MESSAGE_SIZE] = "";
    ScreeShape shape;
    size_t none = 0;
    CHECK(scree_nurbs_measure(def, &shape, NULL, &none, message) == SCREE_OK);
    if (message[0] != '\0') {
        printf("    %s\n", message);
    }
}

static void bad_counts_are_refused(void) {
    NurbsRig r;
    rig_ellipse(&r, 1, 1, 0, 0, 0);
    taken(&r.def);
    r.def.knots = 11;
    refused(&r.def,
            "9 control points of degree 2 take 12 knots (points + degree + 1), and there are 11");
    r.def.knots = 12;
    r.def.degree = 0;
    refused(&r.def, "the degree of a NURBS curve is from 1 to 7, not 0");
    r.def.degree = 8;
    refused(&r.def, "not 8");
    rig_bind(&r, 2, 2);
    refused(&r.def, "at least 3 control points");
}

static void bad_numbers_are_refused(void) {
    NurbsRig r;
    rig_ellipse(&r, 1, 1, 0, 0, 0);
    r.weight[3] = -1;
    refused(&r.def, "weight 3: a weight is from 1e-6 to 1e6, not -1");
    r.weight[3] = 0;
    refused(&r.def, "weight 3: ");
    r.weight[3] = NAN;
    refused(&r.def, "weight 3: ");
    rig_ellipse(&r, 1, 1, 0, 0, 0);
    r.point[4].x = INFINITY;
    refused(&r.def, "point 4: its coordinates are not finite");
    rig_ellipse(&r, 1, 1, 0, 0, 0);
    r.point[4].z = 1;
    refused(&r.def, "point 4: shapes lie in the plane");
}

static void bad_knots_are_refused(void) {
    NurbsRig r;
    rig_ellipse(&r, 1, 1, 0, 0, 0);
    r.knot[5] = 0.5;
    refused(&r.def, "knot 5: is less than the one before it");
    rig_ellipse(&r, 1, 1, 0, 0, 0);
    r.knot[5] = 1;
    refused(&r.def, "knot 3: stands more than 2 times");
    rig_ellipse(&r, 1, 1, 0, 0, 0);
    r.knot[7] = NAN;
    refused(&r.def, "knot 7: is not finite");
    for (int k = 0; k < 12; k++) {
        r.knot[k] = 1;
    }
    refused(&r.def, "they are the same");
    rig_ellipse(&r, 1, 1, 0, 0, 0);
    r.knot[3] = 1e-12;
    refused(&r.def, "knot 3: nearly repeats");
}

static void open_curves_are_refused(void) {
    NurbsRig r;
    rig_ellipse(&r, 1, 1, 0, 0, 0);
    r.point[8].x = 1.25;
    refused(&r.def, "the curve is open: its ends are 0.25 apart");
    r.point[8].x = 1 + 1e-7;
    refused(&r.def, "is open");
    r.point[8].x = 1 + 1e-14; /* rounding */
    taken(&r.def);
}

static void crossing_curves_are_refused(void) {
    static const ScreeVec3 eight[] = {{-2, -1, 0}, {2, 1, 0}, {2, -1, 0}, {-2, 1, 0}};
    static const ScreeVec3 pinched[] = {{-2, -1, 0}, {0, -0.1, 0}, {2, -1, 0},
                                        {2, 1, 0},   {0, 0.1, 0},  {-2, 1, 0}};
    NurbsRig r;
    for (int32_t degree = 1; degree <= 3; degree++) {
        rig_closed(&r, degree, eight, 4);
        refused(&r.def, "the curve meets itself");
    }
    rig_closed(&r, 1, pinched, 6);
    taken(&r.def);
    r.point[1].y = 0.12; /* the waist crosses by a hair */
    r.point[7].y = 0.12;
    refused(&r.def, "the curve meets itself");
    r.point[1].y = r.point[7].y = 0.1;
    refused(&r.def, "the curve meets itself"); /* touches */
    /* twice round */
    ScreeVec3 twice[12];
    for (int k = 0; k < 12; k++) {
        double angle = 4 * M_PI * (k + 0.1) / 12, radius = 1 + 0.2 * cos(angle / 2);
        twice[k] = (ScreeVec3){radius * cos(angle), radius * sin(angle), 0};
    }
    rig_closed(&r, 3, twice, 12);
    refused(&r.def, "the curve meets itself");
    /* a loop far smaller than the distance of samples elsewhere */
    NurbsRig loop;
    rig_star(&loop, 3, 8, 1, 0.9);
    taken(&loop.def);
    loop.point[4] = (ScreeVec3){loop.point[3].x - 0.4, loop.point[3].y + 0.1, 0};
    loop.point[5] = (ScreeVec3){loop.point[3].x + 0.4, loop.point[3].y, 0};
    refused(&loop.def, "the curve meets itself");
}

static void curves_that_stand_still_or_turn_back_are_refused(void) {
    static const ScreeVec3 square[] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    ScreeVec3 repeated[12];
    NurbsRig r;
    for (int k = 0; k < 12; k++) {
        repeated[k] = square[k / 3];
    }
    rig_closed(&r, 3, repeated, 12); /* triple points: the curve stops in each corner */
    refused(&r.def, "stands still");
    static const ScreeVec3 line[] = {{-1, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 0, 0}};
    rig_closed(&r, 1, line, 4);
    refused(&r.def, "turns back");
    static const ScreeVec3 spot[] = {{1, 1, 0}, {1, 1, 0}, {1, 1, 0}};
    rig_closed(&r, 2, spot, 3);
    refused(&r.def, "no size");
}

int main(int argc, char **argv) {
    CHECK_RUN(bad_counts_are_refused);
    CHECK_RUN(bad_numbers_are_refused);
    CHECK_RUN(bad_knots_are_refused);
    CHECK_RUN(open_curves_are_refused);
    CHECK_RUN(crossing_curves_are_refused);
    CHECK_RUN(curves_that_stand_still_or_turn_back_are_refused);
    return check_result();
}
