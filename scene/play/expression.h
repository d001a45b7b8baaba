/* Expressions such as "cell.strain_xy > 2 or lid.position_z < 0.3": comparisons of numbers that a run
 * knows by name, joined by and, or, not. */
#ifndef SCREE_SCENE_PLAY_EXPRESSION_H
#define SCREE_SCENE_PLAY_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

/* What names stand for. Each returns false if there is no such thing. */
typedef struct ExpressionNames {
    bool (*number)(void *context, const char *name, double *value);
    bool (*quantile)(void *context, const char *name, double share, double *value);
    void *context;
} ExpressionNames;

/* Where the text is wrong, in bytes from its beginning, and how. */
typedef struct ExpressionFault {
    size_t offset, length;
    char text[160];
    bool unknown; /* it is a name that stands for nothing */
} ExpressionFault;

/* Whether the expression holds. A comparison with something that is not a number is neither true nor
 * false, and so is its contrary: what depends on it does not hold. */
bool scene_expression_holds(const char *text, const ExpressionNames *names);

/* Whether the text is an expression with known names that is either true or false. */
bool scene_expression_check(const char *text, const ExpressionNames *names, ExpressionFault *fault);

#endif
