/* The laws as a compiler for a GPU reads them: all that they ask for is one macro before the first
 * include. Elsewhere the kernel is an ordinary function of C++. Compiled, not run. */
#ifdef __CUDACC__
#define LAW_INLINE static inline __host__ __device__
#define KERNEL     __global__
#else
#define LAW_INLINE static inline
#define KERNEL
#endif

#include "law/coulomb.h"
#include "law/natural_map.h"
#include "law/rolling.h"
#include "law/round.h"

KERNEL void one_update_of_each(LawRound round, LawNormal normal, double creep, const double *W,
                               double *u, double *r) {
    const RealVec3 ut = {u[1], u[2], u[3]};
    RealVec3 rt = {r[1], r[2], r[3]};
    law_round_space(&round, u[0], ut, nullptr, &r[0], &rt);
    law_round_space(&round, u[0], ut, &creep, &r[0], &rt);
    law_round_plane(&round, u[0], u[1], &creep, &r[0], &r[1]);
    r[0] = law_normal_update(&normal, u[0], u[0], r[0]);
    rt = law_cut(law_spring_slip(ut, ut, creep, rt), law_pressure(r[0], normal.adhesion));
    law_coulomb_block3(W, u, round.mu, r);
    law_coulomb_block2(W, u, round.mu, r);
    law_rolling_space(W[0], W[1], W[3], u, u + 2, rt.x, rt.y, r, r + 2);
    r[0] = law_natural_square(round.mu, creep, r[0], rt, u[0], ut, u[1]);
}
