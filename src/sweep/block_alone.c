#include "sweep/block_alone.h"

#include "law/coulomb.h"

void scr_block_alone(const double w[6], const double q[3], double mu, double r[3]) {
    law_coulomb_block3(w, q, mu, r);
}
