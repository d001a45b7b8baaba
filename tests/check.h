/* The tests' own few macros. A failed check prints where it stands and both values, and makes the
 * program return 1; the test goes on, so that one run shows everything that is wrong.
 *
 *     int main(int argc, char **argv) {
 *         CHECK_RUN(name_of_a_void_function);     runs it, or skips it when argv names others
 *         return check_result();
 *     }
 */
#ifndef SCREE_TESTS_CHECK_H
#define SCREE_TESTS_CHECK_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int check_failures;
static int check_count;
static int check_case = -1; /* where many of them are drawn at random: which one is being checked */

/* Where a sanitizer makes a series of similar cases slow, every CHECK_STRIDE-th is enough. */
#ifdef SCREE_SANITIZED
enum { CHECK_STRIDE = 4 };
#else
enum { CHECK_STRIDE = 1 };
#endif

static inline void check_report(bool ok, const char *file, int line, const char *text) {
    check_count++;
    if (!ok) {
        check_failures++;
        fprintf(stderr, "%s:%d: failed: %s", file, line, text);
        if (check_case >= 0) {
            fprintf(stderr, " (case %d)", check_case);
        }
        fputc('\n', stderr);
    }
}

static inline void check_near(double a, double b, double tolerance, const char *file, int line,
                              const char *text) {
    bool ok = fabs(a - b) <= tolerance; /* false for NaN */
    check_report(ok, file, line, text);
    if (!ok) {
        fprintf(stderr, "    %.17g against %.17g, off by %.3g, allowed %.3g\n", a, b, fabs(a - b),
                tolerance);
    }
}

#define CHECK(condition) check_report((condition), __FILE__, __LINE__, #condition)
/* |a - b| <= tolerance */
#define CHECK_NEAR(a, b, tolerance)                                                                \
    check_near((a), (b), (tolerance), __FILE__, __LINE__, #a " near " #b)
/* |a - b| <= tolerance |b| */
#define CHECK_CLOSE(a, b, tolerance)                                                               \
    check_near((a), (b), (tolerance)*fabs(b), __FILE__, __LINE__, #a " close to " #b)
#define CHECK_RUN(function)                                                                        \
    do {                                                                                           \
        if (argc < 2 || strcmp(argv[1], #function) == 0) {                                         \
            int before = check_failures;                                                           \
            check_case = -1;                                                                       \
            function();                                                                            \
            printf("%-6s %s\n", check_failures == before ? "ok" : "FAILED", #function);            \
        }                                                                                          \
    } while (0)

static inline int check_result(void) {
    printf("%d checks, %d failed\n", check_count, check_failures);
    return check_failures > 0 || check_count == 0;
}

#endif
