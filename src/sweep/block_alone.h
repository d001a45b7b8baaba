/* The law of one contact with a full block in space, for packets: these know only several numbers at a
 * time. */
#ifndef SCREE_SWEEP_BLOCK_ALONE_H
#define SCREE_SWEEP_BLOCK_ALONE_H

/* law_coulomb_block3. */
void scr_block_alone(const double w[6], const double q[3], double mu, double r[3]);

#endif
