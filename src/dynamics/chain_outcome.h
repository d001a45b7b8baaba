/* What becomes of chains of impacts in the problem of the step (chain_outcome.c). */
#ifndef SCREE_DYNAMICS_CHAIN_OUTCOME_H
#define SCREE_DYNAMICS_CHAIN_OUTCOME_H

#include "dynamics/chain.h"

/* Binds the chains that do not leave all gaps open. The rows of the others get their impulses and
 * biases; those of bound chains are again what they were. All bodies are then at free motion. */
ScreeStatus scr_settle_chains(const Cascade *cascade);

/* The detours of the bodies of chains, if any body makes one. */
ScreeStatus scr_lay_detours(const Cascade *cascade);

#endif
