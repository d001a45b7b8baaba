/* What a snapshot has of bodies beside their fields, where there is any: identities, which walls hold
 * them, and bonds; each of these begins with what came before it. And how materials grow. */
#ifndef SCREE_STATE_SNAPSHOT_BESIDE_H
#define SCREE_STATE_SNAPSHOT_BESIDE_H

#include "base/bytes.h"
#include "state/state.h"

/* Where the contacts of a small cell are. */
bool scr_has_branches(const State *state);
void scr_put_branches(ByteWriter *writer, const State *state, bool with_normals);
bool scr_get_branches(ByteReader *reader, State *state, bool with_normals);

/* Whether some bond is not between round bodies, whose normal is the arm of the first. */
bool scr_has_normals(const Bonds *bonds);

void scr_put_identities(ByteWriter *writer, const State *state);
void scr_put_holders(ByteWriter *writer, const State *state);
void scr_put_bonds(ByteWriter *writer, const State *state);
void scr_put_growth(ByteWriter *writer, const Materials *materials);

/* False when out of memory; what is wrong marks the reader as failed. */
bool scr_get_identities(ByteReader *reader, State *state);
bool scr_get_holders(ByteReader *reader, State *state);
bool scr_get_bonds(ByteReader *reader, State *state);
bool scr_get_growth(ByteReader *reader, Materials *materials);

/* Materials and their laws, with liquid bridges or as they were before there were any. */
bool scr_has_liquid(const State *state);
void scr_put_materials(ByteWriter *writer, const Materials *materials, bool wet);
bool scr_get_materials(ByteReader *reader, Materials *materials, bool wet);

#endif
