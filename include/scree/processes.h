/* Several processes that make the same steps together. Whatever passes messages between them (MPI,
 * say) fills a table, and the steps of contact dynamics are shared out. No bit of a result depends on
 * the number of processes. */
#ifndef SCREE_PROCESSES_H
#define SCREE_PROCESSES_H

#include <scree/base.h>
#include <scree/world.h>

/* More are refused. */
enum { SCREE_MOST_PROCESSES = 1024 };

/* All processes call the same functions in the same order. A message that cannot be delivered ends the
 * program: none of them returns without its result. */
typedef struct ScreeProcesses {
    int32_t rank; /* of this process, from 0 */
    int32_t count;
    void *context; /* passed to the functions */
    /* The sums over all processes, in place. */
    void (*add)(void *context, int64_t *number, size_t count);
    /* The largest of all processes, in place. */
    void (*most)(void *context, double *number, size_t count);
    /* Sends out_count[p] numbers to each process p, and receives in_count[p] from it; those of the
     * processes lie one behind the other. None go to or come from the process itself. */
    void (*exchange)(void *context, const double *out, const size_t *out_count, double *in,
                     const size_t *in_count);
    /* What each process has, count[p] numbers, to all, one behind the other. */
    void (*gather)(void *context, const double *own, double *all, const size_t *count);
} ScreeProcesses;

/* Every process must have the same world, and make the same calls with it; each then has the same
 * result. The table must outlive the world; NULL: this process is alone again. SCREE_BAD_ARGUMENT for
 * a table that is not complete, or too many processes. */
SCREE_API ScreeStatus scree_world_set_processes(ScreeWorld *world, const ScreeProcesses *processes);

/* Where each process has a part of the bodies and contacts, steps leave them there. This brings them
 * together in the world of each, so that one of the processes can look at them. Functions that look at
 * bodies or contacts, or change them, do so themselves: then all processes must call them. */
SCREE_API ScreeStatus scree_world_gather(ScreeWorld *world);

/* The same for the first process alone: the others keep what they have, and need no room for the whole.
 * All must call it; then only the first may look at bodies and contacts, and none may change them, until
 * all let go. */
SCREE_API ScreeStatus scree_world_gather_to_first(ScreeWorld *world);
SCREE_API void scree_world_let_go(ScreeWorld *world);

/* How processes share a world. */
typedef struct ScreeSharing {
    const char
        *why_not;    /* in words, why each would make its steps as a whole, though where sweeps are
                            in boxes they share these; NULL: each makes its part of the steps */
    uint64_t parts;  /* steps so far that were made in parts */
    uint64_t wholes; /* and by each of several processes as a whole */
    uint64_t cuts;   /* times that space was cut anew, so that all have as much work */
} ScreeSharing;

/* As the world is now, for so many processes, whether or not it has them. A step that turns out to
 * need all bodies is made as a whole even if nothing stands against it here. */
SCREE_API ScreeSharing scree_world_get_sharing(const ScreeWorld *world, int32_t processes);

#endif
