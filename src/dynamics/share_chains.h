/* Chains of impacts in a world that processes share (share_chains.c). */
#ifndef SCREE_DYNAMICS_SHARE_CHAINS_H
#define SCREE_DYNAMICS_SHARE_CHAINS_H

#include "dynamics/chain.h"

/* Before it is known which bodies bear loads. */
ScreeStatus scr_begin_loads(const Cascade *cascade);

/* A body bears a load for all if it does for one process; `more`: some process did not know of one. */
ScreeStatus scr_share_loads(const Cascade *cascade, bool *more);

/* As scr_run_chains, of all processes. */
ScreeStatus scr_share_chains(const Cascade *cascade);

/* Binds the chains of which a body was pushed in any process, and notes all their bodies as banned. */
ScreeStatus scr_share_bans(const Cascade *cascade);

void scr_chain_world_free(Impacts *impacts);

#endif
