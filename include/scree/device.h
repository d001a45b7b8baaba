/* A device that sweeps for a world: a GPU. Whatever drives it fills a table, and the steps of contact
 * dynamics leave their sweeps to it where they can: contacts of round bodies, in the boxed
 * order. No bit of a result depends on it. */
#ifndef SCREE_DEVICE_H
#define SCREE_DEVICE_H

#include <scree/base.h>
#include <scree/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What may be asked to sweep. */
typedef enum ScreeDeviceChoice {
    SCREE_DEVICE_CPU,
    SCREE_DEVICE_GPU,
    SCREE_DEVICE_AUTO,     /* a GPU if there is one and it can, else the processor */
    SCREE_DEVICE_EMULATED, /* for tests: the kernels of the GPU on the processor */
    SCREE_DEVICE_CHOICE_COUNT
} ScreeDeviceChoice;

/* Rows of a box that share no moving body may be updated at the same time. So the library cuts the sweep
 * of a box into steps, which follow each other; the rows of a step lie side by side. */
enum {
    SCREE_DEVICE_AT_ONCE = 32, /* rows of a step at most */
    /* Sums are taken as the processor takes them, packet by packet of eight, each row in its lane. */
    SCREE_DEVICE_LANES = 8,
    /* normal (x, y, z), bias, 1 / W_nn, 1 / W_tt, friction; and four whole numbers of 16 bits: bodies a
     * and b among the members of the box, the place of the row in the packets (eight times the number of
     * its packet, plus its lane), and what the row is */
    SCREE_DEVICE_CONSTANTS = 8,
    SCREE_DEVICE_IMPULSES = 4, /* normal, tangential (x, y, z) */
    SCREE_DEVICE_TORQUES = 4,  /* of rolling (x, y, z), of torsion */
    /* The law of a row beyond Coulomb's, as a LawRow has it: adhesion, least, most_at_rest, soft_n,
     * mass_n, soft_t, mass_t, bias_t (x, y, z), reach, and which it has, as a whole number */
    SCREE_DEVICE_LAW = 12,
    /* and of its torques: rolling, torsion, per_length_a, per_length_b, coupling, mass_o, mass_roll, per_square,
     * turn (x, y, z), hertz */
    SCREE_DEVICE_ROLLS = 12,
    /* The numbers of that many rows lie together, two by two: the first two of each row, then the next
     * two of each. */
    SCREE_DEVICE_TILE = 32,
    SCREE_DEVICE_BODY = 8, /* velocity, spin times length, inverse mass and inertia */
    /* Of an exact sum: src/math/exact_sum.h, and how many terms were infinite, -infinite, no numbers. */
    SCREE_DEVICE_SUM_WORDS = 70,
    SCREE_DEVICE_JUDGED = 12 /* sums of a box for the residual, see src/law/judge.h */
};

/* What a row is, bit by bit. Laws are those of its packet: others may have parts that it lacks. */
enum {
    SCREE_DEVICE_WALL = 1,    /* b is a wall, which no row changes */
    SCREE_DEVICE_PARTS = 2,   /* times the parts of the law that are read, see src/law/terms.h */
    SCREE_DEVICE_ALONE = 32,  /* the rows of its packet are updated one by one */
    SCREE_DEVICE_RULED = 64,  /* it has a law of its own */
    SCREE_DEVICE_TURNED = 128 /* with torques */
};

/* Which law a row has. */
enum {
    SCREE_DEVICE_HAS_LAW = 1,
    SCREE_DEVICE_HAS_TORQUES = 2,
    SCREE_DEVICE_IS_BONDED = 4,
    SCREE_DEVICE_IS_BRIDGED = 8
};

/* The laws of a task: those of its rows at most. */
enum {
    SCREE_DEVICE_COULOMB, /* alone; with others, packets may be updated row by row */
    SCREE_DEVICE_SPRINGS, /* and bonds */
    SCREE_DEVICE_ROLLING  /* all laws */
};

/* Where the rows of a box begin; those of the next box end them. Its steps and members have the room that
 * they may need at most: the ends of steps begin at that of the first row, members at twice that. So
 * every box can be laid out by itself, before it is known what the boxes before it need. */
typedef struct ScreeDeviceBox {
    int32_t row, steps, members;
    int32_t places; /* of its packets: eight for each */
} ScreeDeviceBox;

/* A body that is split over the boxes of a group: its copies there, in a list. Before the group they get its
 * velocities; afterwards it gets the mean of theirs, from the exact sum of their changes (src/sweep/split.h). */
typedef struct ScreeDeviceSplit {
    int32_t body, first, copies;
} ScreeDeviceSplit;

enum { SCREE_DEVICE_MOST_COPIES = 1023 /* of a body in a group */ };

/* What is swept, as the device wants it. Boxes form groups; those of a group share no moving body. The
 * library sets the sizes, the device provides the arrays, and the library fills them. */
typedef struct ScreeDeviceTask {
    int32_t dimension;
    size_t bodies, rows, boxes, groups;
    bool alone;          /* rows and bodies are made there: there need be no arrays for them here */
    double *body;        /* [8 bodies] */
    double *constant;    /* 8 of each row, in tiles */
    double *impulse;     /* 4 of each row, in tiles */
    double *approach;    /* [rows] at free motion */
    int32_t laws;        /* SCREE_DEVICE_COULOMB, ... */
    double *law;         /* 12 of each row, in tiles; with laws beyond Coulomb's */
    double *rolls;       /* 12 of each row, in tiles; with all laws */
    double *torque;      /* 4 of each row, in tiles; with all laws */
    ScreeDeviceBox *box; /* [boxes + 1] */
    int32_t *step_end;   /* [rows] in rows of the box */
    int32_t *member; /* [2 rows] the bodies of a box; of a wall, which no row changes, -1 - body */
    int32_t *group_end; /* [groups] in boxes */
    size_t splits, copies;
    ScreeDeviceSplit *split; /* [splits] group by group */
    int32_t *copy;           /* [copies] the list: which bodies are copies */
    int32_t *split_end;      /* [groups] in splits */
    size_t sums;    /* the boxes share that many: box k adds to sum k modulo their number */
    int64_t *sum;   /* [sums][2][70] out: of |dR|^2, and with momentum of |R - R before|^2 */
    double *judged; /* [12 boxes] out: sums for the residual */
} ScreeDeviceTask;

/* How one sweep is made. */
typedef struct ScreeDeviceSweep {
    bool momentum; /* rows are extrapolated by beta before their update */
    double beta;
    double creep; /* speed below which contacts creep; 0: none does */
    bool silent;  /* nobody asks for the sums, nor waits for the sweep */
} ScreeDeviceSweep;

struct ScreeDeviceSteps;

/* Functions that tell whether they succeeded return false when the device fails, for good. */
typedef struct ScreeDevice {
    void *context; /* passed to the functions */
    /* Arrays for the sizes of a task; what they held is lost. */
    bool (*reserve)(void *context, ScreeDeviceTask *task);
    /* Take over what the arrays hold: of all bodies, and of rows from `first` to before `end`. They come back
     * at once, so that rows can be on their way while others are laid out, and their part of the arrays
     * must stay as it is until the next function but these. `fresh`: a new task, with all that its rows
     * have; otherwise only impulses, constants and laws have changed. */
    bool (*put_bodies)(void *context, const ScreeDeviceTask *task);
    bool (*put_rows)(void *context, const ScreeDeviceTask *task, size_t first, size_t end,
                     bool fresh);
    /* Takes over the boxes and groups of a new task, after its bodies and rows. Momentum begins anew. */
    bool (*begin)(void *context, const ScreeDeviceTask *task);
    /* Sweeps once; the sums are there afterwards, unless the sweep is silent. */
    bool (*sweep)(void *context, const ScreeDeviceTask *task, const ScreeDeviceSweep *how);
    /* The sums of each box for the residual of impulses and bodies as they are there. */
    bool (*judge)(void *context, const ScreeDeviceTask *task);
    /* Extrapolates the velocities of all bodies by beta, from those of the last call or of `put`. */
    bool (*lift)(void *context, const ScreeDeviceTask *task, double beta);
    /* Keeps bodies, impulses and torques as they are, or returns to those that it has kept. */
    bool (*keep)(void *context, const ScreeDeviceTask *task);
    bool (*recall)(void *context, const ScreeDeviceTask *task);
    /* Bodies into the arrays, then impulses with torques, which are on their way when the bodies have come. */
    bool (*get_bodies)(void *context, const ScreeDeviceTask *task);
    bool (*get_impulses)(void *context, const ScreeDeviceTask *task);
    const char *(*name)(void *context);  /* of the card */
    const char *(*fault)(void *context); /* what has failed; NULL: nothing */
    void (*close)(void *context);
    /* What makes whole steps, in terms of the library that it was built with; NULL: it only sweeps. */
    const struct ScreeDeviceSteps *steps;
} ScreeDevice;

/* The device must outlive the world; NULL: the processor sweeps again. SCREE_BAD_ARGUMENT for a table
 * that is not complete. */
SCREE_API ScreeStatus scree_world_set_device(ScreeWorld *world, const ScreeDevice *device);

/* SCREE_BAD_ARGUMENT where the processor would sweep all contacts of this world even if it had a device;
 * the message tells why. */
SCREE_API ScreeStatus scree_world_check_device(ScreeWorld *world);

#ifdef __cplusplus
}
#endif

#endif
