/* Contact problems as such: what a step has to solve, written in matrices, free of any world. They
 * come from arrays, from files (<scree/problem_file.h>, docs/problems.md) or from the last step of
 * a world, and any solver can be tried on them.
 *
 * A contact has 2 (plane), 3 (space) or 5 components (space, with two rolling torques), normal
 * first, contacts one after another. With impulses r and relative velocities u
 *     local form:   u = W r + q
 *     global form:  M v = H r + f,   u = H^T v + w,   v the velocities of the bodies
 * and Coulomb's law at each contact: r_n >= 0, s_n >= 0, r_n s_n = 0; |r_t| <= mu r_n, and where
 * s_t is not 0, r_t is mu r_n against it; torques m and spins likewise with mu_r. s = u + C r, with
 * C a diagonal compliance, mostly none. */
#ifndef SCREE_PROBLEM_H
#define SCREE_PROBLEM_H

#include <scree/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One entry of a matrix, counted from 0. */
typedef struct ScreeEntry {
    int32_t row, column;
    double value;
} ScreeEntry;

/* Entries in any order; those of one place are added up. */
typedef struct ScreeEntries {
    const ScreeEntry *entry;
    size_t count;
} ScreeEntries;

typedef struct ScreeProblemDef {
    int32_t components; /* of a contact: 2, 3 or 5; 3 */
    size_t contacts;
    bool global;              /* which form is given; false: local */
    size_t freedoms;          /* n: rows of M and H */
    ScreeEntries M;           /* n x n, invertible; global form */
    ScreeEntries H;           /* n x m, m = components * contacts; global form */
    const double *f;          /* [n] global form */
    const double *w;          /* [m] global form */
    ScreeEntries W;           /* m x m; local form */
    const double *q;          /* [m] local form */
    const double *mu;         /* [contacts] */
    const double *mu_r;       /* [contacts] with 5 components */
    const double *compliance; /* [m] diagonal of C; NULL: none */
    uint32_t cookie;          /* set by scree_problem_def_default; leave it alone */
} ScreeProblemDef;

SCREE_API ScreeProblemDef scree_problem_def_default(void);

typedef struct ScreeProblem ScreeProblem;

/* Checks and copies a problem. `message` (SCREE_MESSAGE_SIZE bytes, or NULL) tells what is wrong,
 * here and below. */
SCREE_API ScreeStatus scree_problem_create(const ScreeProblemDef *def, ScreeProblem **problem,
                                           char *message);
SCREE_API void scree_problem_destroy(ScreeProblem *problem);

/* Whether the world keeps the problem of each step for scree_world_create_problem; false. It is not
 * saved with the world. */
SCREE_API void scree_world_keep_problem(ScreeWorld *world, bool keep);

/* The problem of the world's last step, in global form: what a body moves through the step counts
 * as its velocity, and spins times its radius. Bodies that can move have three freedoms in the
 * plane and six in space, springs of contacts one of their own; pistons and bodies that are held
 * along some axes have fewer, counted from the velocity that the step has given them. Fails where a
 * law has no place in it: cohesion, torsion, rolling in the plane or by the load, two coefficients
 * of friction. */
SCREE_API ScreeStatus scree_world_create_problem(const ScreeWorld *world, ScreeProblem **problem,
                                                 char *message);

/* A matrix by compressed columns: rows rise within each column. */
typedef struct ScreeMatrix {
    int32_t rows, columns;
    const int32_t *start; /* [columns + 1] */
    const int32_t *row;   /* [start[columns]] */
    const double *value;
} ScreeMatrix;

/* What a problem holds; valid as long as the problem. */
typedef struct ScreeProblemView {
    int32_t components;
    size_t contacts, freedoms;
    bool global;
    ScreeMatrix M, H; /* global form */
    const double *f, *w;
    ScreeMatrix W; /* local form; empty in the global form until it is solved or judged */
    const double *q;
    const double *mu, *mu_r, *compliance;
} ScreeProblemView;

SCREE_API ScreeProblemView scree_problem_get_view(const ScreeProblem *problem);

/* How far impulses are from a solution. `law` is the largest error of any contact, in scales of the
 * problem's own impulses and velocities (docs/certificate.md); the others are norms of the natural
 * map
 *     e = r - P(r - rho (s + (mu |s_t| + mu_r |s_m|) n)),   P the projection on the cone of r,
 * with the velocities u = W r + q that follow from r. */
typedef struct ScreeProblemResidual {
    double law;      /* every contact obeys the law to this, in impulses and in velocities */
    double siconos;  /* |e| / max(|q|, |r|, |u|), rho = 1 */
    double paper;    /* |e| / |q|, rho = 1 */
    double fclib;    /* |e| / (1 + sqrt |q|), rho = 1 */
    double relative; /* |e| / max(|r|, |rho q|), rho = 1 / mean diagonal of the contact's block:
                        free of units */
} ScreeProblemResidual;

/* `u` [m] gets the velocities; NULL: not wanted. */
SCREE_API ScreeStatus scree_problem_compute_residual(ScreeProblem *problem, const double *r,
                                                     double *u, ScreeProblemResidual *residual,
                                                     char *message);

/* Velocities v [n] of the bodies under impulses r; global form only. */
SCREE_API ScreeStatus scree_problem_compute_velocities(const ScreeProblem *problem, const double *r,
                                                       double *v, char *message);

typedef struct ScreeProblemSettings {
    const char *solver; /* a name from scree_problem_solver_get_name; "auto" */
    double tolerance;   /* of the measure; 1e-8 */
    /* Which residual ends the solver: "law"; or "siconos", "paper", "fclib", "relative", for
     * comparison. A problem is called solved only where `law` meets the tolerance, too. */
    const char *measure;
    int iterations;  /* the most; 0: the solver's own bound */
    double seconds;  /* [s] the most, of processor time; 0: no bound. What is found then
                           depends on the machine */
    uint32_t cookie; /* set by scree_problem_settings_default; leave it alone */
} ScreeProblemSettings;

SCREE_API ScreeProblemSettings scree_problem_settings_default(void);

/* What became of a problem. Proofs are found and checked apart from the solver. */
typedef enum ScreeProblemVerdict {
    SCREE_PROBLEM_NOT_SOLVED,
    SCREE_PROBLEM_SOLVED,     /* every contact obeys the law to the tolerance */
    SCREE_PROBLEM_INFEASIBLE, /* proven: rigid bodies are squeezed, no impulses obey the law */
    SCREE_PROBLEM_UNBOUNDED   /* proven: W is not positive semi-definite, impulses gain energy */
} ScreeProblemVerdict;

typedef struct ScreeProblemReport {
    bool solved; /* the verdict is SCREE_PROBLEM_SOLVED */
    ScreeProblemVerdict verdict;
    int iterations;
    double seconds; /* [s] of processor time, without making W of a global form */
    ScreeProblemResidual residual;
    size_t worst;       /* the contact that obeys the law least */
    const char *reason; /* why it ended, in words */
    /* infeasible: */
    double impulse_needed;   /* max |r| of any solution would be at least this */
    double closing_velocity; /* at which the contacts of the proof close, on average */
} ScreeProblemReport;

/* Solves a problem: r [m] is the start on entry (zeros when there is none) and the best impulses
 * found on return. Not to get to the tolerance is no failure: the report says it. */
SCREE_API ScreeStatus scree_problem_solve(ScreeProblem *problem,
                                          const ScreeProblemSettings *settings, double *r,
                                          ScreeProblemReport *report, char *message);

/* The proof of the last solve [m], valid until the next; NULL when it ended without. Infeasible: weights
 * y >= 0 on the normals of the contacts that are squeezed, all other components 0, such that (W +
 * C)^T y = 0 and y . q < 0: whatever the impulses, some of these contacts close. Unbounded: an x
 * with x . (W + C) x < 0. */
SCREE_API const double *scree_problem_get_proof(const ScreeProblem *problem);

/* A verdict in a word or two: "solved", "not solved", "infeasible", "unbounded". */
SCREE_API const char *scree_problem_verdict_get_name(ScreeProblemVerdict verdict);

/* The solvers' names from 0 on, NULL past the last; and in a few words what each does. */
SCREE_API const char *scree_problem_solver_get_name(size_t index);
SCREE_API const char *scree_problem_solver_get_text(size_t index);

#ifdef __cplusplus
}
#endif
#endif
