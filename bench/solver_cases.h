/* The contact problems on which solvers are compared, by name:
 *
 *     plane-N-SEED   N disks, settled in an open box, about as high as wide
 *     space-N-SEED   N spheres likewise
 *     plane-N-SEED-xK, space-N-SEED-xK
 *                    K such packings side by side, of this seed and the next alternately, every
 *                    other pair mirrored, without walls between them, settled together
 *     plane-N-SEED-LAW, space-N-SEED-LAW
 *                    the same with rolling (and torsion) friction, cohesion, or springs
 *     plane-N-SEED-polygons
 *                    the same with convex polygons of five to eight corners
 *     chain-N        a column of N disks under its own weight
 *     array-N        N disks in a row on a plane between two blocks: the array of Radjai, Schaefer,
 *                    Dippel and Wolf (1997) with the frictions and forces of its 80 disks */
#ifndef SCREE_BENCH_SOLVER_CASES_H
#define SCREE_BENCH_SOLVER_CASES_H

#include <scree/scree.h>

extern const char bench_solver_case_forms[]; /* the forms above, for messages */

bool bench_is_solver_case(const char *name);

/* The world just before the step in question. Packings are looked for in `folder` and saved there;
 * NULL: they are made anew. Threads speed up settling and change nothing. `steps` is the most that
 * settling may take; a packing from the folder that is not at rest continues to settle, unless
 * `steps` is 0. NULL on failure, which is reported on standard error. */
ScreeWorld *bench_solver_case(const char *name, const char *folder, int threads, int steps);

/* How far a packing is from rest: root mean square velocity, over what gravity adds in one step. */
double bench_unrest(const ScreeWorld *world);

#endif
