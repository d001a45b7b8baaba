/* What a sweep is given, and what a team that sweeps a box has of it in its room. */
#ifndef SCREE_CUDA_BOX_ROOM_H
#define SCREE_CUDA_BOX_ROOM_H

#include "lanes.h"

#include <scree/scree.h>

enum {
    ROWS = SCREE_DEVICE_LANES, /* of a packet */
    CONSTANTS = SCREE_DEVICE_CONSTANTS,
    IMPULSES = SCREE_DEVICE_IMPULSES,
    BODY_NUMBERS = SCREE_DEVICE_BODY,
    BODY_TWOS = BODY_NUMBERS / 2,
    CHANGES = 3, /* numbers that a row leaves for the sum of |dR|^2 */
    ROW_NUMBERS = CONSTANTS + 2 * IMPULSES
};

typedef struct SweepArguments {
    const ScreeDeviceBox *box;
    int first_box;
    const int32_t *chosen; /* the boxes to be swept; NULL: those from first_box on */
    double *room; /* of those that have no room in shared memory; NULL: they are left out */
    int most;     /* numbers of the room of each team */
    const int32_t *step_end, *member;
    double *body;
    const double *constant;
    double *impulse, *before; /* with momentum the new impulses replace those before */
    double *change;           /* [3][rows] squares, for the end */
    size_t rows;
    int64_t *sum; /* [sums][2][70] */
    size_t sums;
    double beta, creep;
} SweepArguments;

/* What is known when a kernel is compiled. */
typedef struct SweepKind {
    bool space, momentum, creeps;
} SweepKind;

/* ---------------------------------------------------------------- the room of a box */

/* Numbers of the parts of a box's room: its bodies and the rows that come next; then, in the same place,
 * what each row adds to one sum and then to the other. */
typedef struct RoomSizes {
    int bodies, main, flags, places, whole;
} RoomSizes;

ON_BOTH RoomSizes room_sizes(int members, int rows, int places, int steps) {
    RoomSizes size;
    size.bodies = BODY_NUMBERS * members;
    const int working = size.bodies + ROW_NUMBERS * LANES, adding = IMPULSES * places;
    size.main = working > adding ? working : adding;
    size.flags = places / (int)sizeof(double);
    size.places = (rows + 3) / 4;
    size.whole = (members + steps + 1) / 2;
    return size;
}

ON_BOTH int room_of(const ScreeDeviceBox *box) {
    const RoomSizes size = room_sizes(box[1].member - box->member, box[1].row - box->row,
                                      box->places, box[1].step - box->step);
    return size.main + size.flags + size.places + size.whole + ROWS;
}

/* A box and its parts in the room. */
typedef struct BoxAtWork {
    size_t row; /* the first one */
    int rows, members, steps, places;
    bool shared;
    double *bodies, *next; /* [8 members]; [16][LANES] the row of each lane in the next step */
    double *square;        /* [4 places] what rows add to a sum, when bodies have gone */
    double *lane;          /* [8] sums */
    unsigned char *flag;   /* [places] */
    uint16_t *place;       /* [rows] */
    int32_t *member, *end; /* [members], [steps] */
} BoxAtWork;

/* What is noted of a row, at its place. */
enum { IS_THERE = 1, IS_OPEN = 2, SIGNS = 2 /* the lowest of four bits, of the impulse */ };

ON_DEVICE BoxAtWork enter_box(const ScreeDeviceBox *box, double *room, bool shared) {
    BoxAtWork at;
    at.row = (size_t)box->row;
    at.rows = box[1].row - box->row;
    at.members = box[1].member - box->member;
    at.steps = box[1].step - box->step;
    at.places = box->places;
    at.shared = shared;
    const RoomSizes size = room_sizes(at.members, at.rows, at.places, at.steps);
    at.bodies = at.square = room;
    at.next = room + size.bodies;
    at.lane = room + size.main;
    at.flag = (unsigned char *)(at.lane + ROWS);
    at.place = (uint16_t *)(at.lane + ROWS + size.flags);
    at.member = (int32_t *)(at.lane + ROWS + size.flags + size.places);
    at.end = at.member + at.members;
    return at;
}

/* Two numbers of a body. Lanes read those of any bodies at the same time, so the twos of a body are
 * shuffled by its number: then all banks of the memory are in use. */
ON_DEVICE double *body_two(const BoxAtWork *at, int body, int two) {
    return at->bodies + BODY_NUMBERS * body + 2 * ((two ^ body >> 1) & (BODY_TWOS - 1));
}

/* Whether all rows of a packet have all of these flags. */
ON_DEVICE bool all_have(const BoxAtWork *at, int packet, unsigned flags) {
    const uint64_t each = flags * UINT64_C(0x0101010101010101);
    return (*(const uint64_t *)(at->flag + ROWS * packet) & each) == each;
}

/* ---------------------------------------------------------------- impulses */

/* Numbers of an impulse, in columns like those of the constants. */
ON_DEVICE void read_impulse(const double *column, size_t rows, size_t row, bool space, double *to) {
    for (int k = 0; k < IMPULSES; k++) {
        to[k] = space || k < 2 ? column[(size_t)k * rows + row] : 0;
    }
}

ON_DEVICE void write_impulse(double *column, size_t rows, size_t row, bool space,
                             const double *from) {
    for (int k = 0; k < (space ? IMPULSES : 2); k++) {
        column[(size_t)k * rows + row] = from[k];
    }
}

#endif
