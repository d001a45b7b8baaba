/* The state as bytes and back. */
#ifndef SCREE_STATE_SNAPSHOT_H
#define SCREE_STATE_SNAPSHOT_H

#include "state/state.h"

/* See scree_world_save. */
ScreeStatus scr_snapshot_save(const State *state, void *buffer, size_t *size);

/* Fills an empty state, which on failure is empty again. `why` then points to an explanation. */
ScreeStatus scr_snapshot_load(const void *buffer, size_t size, State *state, const char **why);

uint64_t scr_snapshot_hash(const State *state);

/* Shapes into a list that has none, as a snapshot and its loading would leave them. False when out of
 * memory; the list is then empty. */
bool scr_snapshot_copy_shapes(const Shapes *from, Shapes *to);

#endif
