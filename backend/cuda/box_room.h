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
    TORQUES = SCREE_DEVICE_TORQUES,
    LAW_NUMBERS = SCREE_DEVICE_LAW,
    ROLL_NUMBERS = SCREE_DEVICE_ROLLS,
    CHANGES = 3 /* numbers that a row leaves for the sum of |dR|^2 */
};

/* What is known when a kernel is compiled; where rows have laws, momentum and creep are known when it begins. */
typedef struct SweepKind {
    bool space, momentum, creeps;
    bool laws, rolls; /* beyond Coulomb's; with torques */
} SweepKind;

/* ---------------------------------------------------------------- the room of a box */

/* What boxes have at most. */
typedef struct BoxCounts {
    int members, rows, places, steps;
} BoxCounts;

/* The parts of a room, in numbers from its beginning, the same for all boxes of a launch: so a team finds them without
 * keeping where they are. First come the bodies; then, in the same place, what each row adds to one sum and
 * then to the other. */
typedef struct RoomParts {
    int box, lanes, flags, signs, places, members, ends, whole;
} RoomParts;

/* With torques rows add twice as many numbers, and have signs of their own; with laws there is a sum of rows that are
 * updated one by one. */
ON_BOTH RoomParts room_parts(BoxCounts most, bool laws, bool rolls) {
    RoomParts part;
    const int bodies = BODY_NUMBERS * most.members;
    const int adding = (IMPULSES + (rolls ? (int)TORQUES : 0)) * most.places;
    part.box = bodies > adding ? bodies : adding;
    part.lanes = part.box + 2 * (int)(sizeof(ScreeDeviceBox) / sizeof(double));
    part.flags = part.lanes + ROWS + (laws ? 1 : 0);
    part.signs = part.flags + most.places / (int)sizeof(double);
    part.places = part.signs + (rolls ? most.places / (int)sizeof(double) : 0);
    part.members = part.places + (most.rows + 3) / 4;
    part.ends = part.members + (most.members + 1) / 2;
    part.whole = part.ends + (most.steps + 1) / 2;
    return part;
}

ON_BOTH BoxCounts counts_of(const ScreeDeviceBox *box) {
    BoxCounts count;
    count.members = box->members;
    count.rows = box[1].row - box->row;
    count.places = box->places;
    count.steps = box->steps;
    return count;
}

ON_BOTH int larger_of(int a, int b) {
    return a > b ? a : b;
}

ON_BOTH void include_counts(BoxCounts *most, BoxCounts count) {
    most->members = larger_of(most->members, count.members);
    most->rows = larger_of(most->rows, count.rows);
    most->places = larger_of(most->places, count.places);
    most->steps = larger_of(most->steps, count.steps);
}

typedef struct SweepArguments {
    const ScreeDeviceBox *box;
    int first_box;
    const int32_t *chosen; /* the boxes to be swept; NULL: those from first_box on */
    double *room;   /* of those that have no room in shared memory; NULL: they are left out */
    RoomParts part; /* of the room of each team */
    int most;       /* numbers of room that a box would need to be swept here */
    const int32_t *step_end, *member;
    double *body;
    const double *constant;
    double *impulse, *before; /* with momentum the new impulses replace those before */
    const double *law, *rolls;
    double *torque, *torque_before; /* likewise */
    double *change; /* squares of each row, for the end: two [rows], then one [rows] */
    size_t rows;
    int64_t *sum; /* [sums][2][70]; NULL: nobody asks */
    size_t sums;
    bool momentum; /* read where rows have laws */
    double beta, creep;
} SweepArguments;

/* A box and its parts in the room. */
typedef struct BoxAtWork {
    int row; /* the first one */
    int rows, members, steps, places;
    bool shared;
    double *bodies;           /* [8 members] */
    double *square;           /* [4 or 8][places] what rows add to a sum, when bodies have gone */
    ScreeDeviceBox *box;      /* [2] as given */
    double *lane;             /* [8] sums, and with laws that of single rows */
    unsigned char *flag;      /* [places] */
    unsigned char *turn_sign; /* [places] with torques */
    uint16_t *place;          /* [rows] */
    int32_t *member, *end;    /* [members], [steps] */
} BoxAtWork;

/* What is noted of a row, at its place. */
enum {
    IS_THERE = 1,
    IS_OPEN = 2,
    SIGNS = 2, /* the lowest of four bits, of the impulse */
    HAS_IMPULSE = 64,
    IS_ALONE = 128 /* in a packet whose rows are updated one by one */
};

ON_DEVICE ScreeDeviceBox *box_in_room(const SweepArguments *given, double *room) {
    return (ScreeDeviceBox *)(room + given->part.box);
}

ON_DEVICE BoxAtWork enter_box(const SweepArguments *given, const ScreeDeviceBox *box, double *room,
                              bool shared) {
    const RoomParts *part = &given->part;
    const BoxCounts count = counts_of(box);
    BoxAtWork at;
    at.row = box->row;
    at.rows = count.rows;
    at.members = count.members;
    at.steps = count.steps;
    at.places = count.places;
    at.shared = shared;
    at.bodies = at.square = room;
    at.box = box_in_room(given, room);
    at.lane = room + part->lanes;
    at.flag = (unsigned char *)(room + part->flags);
    at.turn_sign = (unsigned char *)(room + part->signs);
    at.place = (uint16_t *)(room + part->places);
    at.member = (int32_t *)(room + part->members);
    at.end = (int32_t *)(room + part->ends);
    return at;
}

/* Two numbers of a body. Lanes read those of any bodies at the same time, so the twos of a body are
 * shuffled by its number: then all banks of the memory are in use. */
ON_DEVICE double *two_of_body(double *bodies, int body, int two) {
    return bodies + ((BODY_NUMBERS * body + (body & 2 * (BODY_TWOS - 1))) ^ 2 * two);
}
ON_DEVICE double *body_two(const BoxAtWork *at, int body, int two) {
    return two_of_body(at->bodies, body, two);
}

/* Whether all rows of a packet have all of these flags. */
ON_DEVICE bool all_have(const BoxAtWork *at, int packet, unsigned flags) {
    const uint64_t each = flags * UINT64_C(0x0101010101010101);
    return (*(const uint64_t *)(at->flag + ROWS * packet) & each) == each;
}

/* ---------------------------------------------------------------- columns */

/* Where two numbers of a row lie among columns of `numbers` numbers: SCREE_DEVICE_TILE rows have theirs together. */
ON_DEVICE size_t two_at(int row, int two, int numbers) {
    const unsigned tile = SCREE_DEVICE_TILE, number = (unsigned)row;
    const unsigned at = number / tile * tile * (unsigned)(numbers / 2) + number % tile;
    return 2 * ((size_t)at + (size_t)two * tile);
}

/* Numbers of an impulse. */
ON_DEVICE void read_impulse(const double *column, int row, bool space, double *to) {
    const Two first = read_two(column + two_at(row, 0, IMPULSES));
    to[0] = first.x, to[1] = first.y;
    to[2] = to[3] = 0;
    if (space) {
        const Two last = read_two(column + two_at(row, 1, IMPULSES));
        to[2] = last.x, to[3] = last.y;
    }
}

ON_DEVICE void write_impulse(double *column, int row, bool space, const double *from) {
    store_two(column + two_at(row, 0, IMPULSES), from[0], from[1]);
    if (space) {
        store_two(column + two_at(row, 1, IMPULSES), from[2], from[3]);
    }
}

#endif
