/* Read and computed in one descent, each time anew: the texts are short.
 *
 *     either     = both { "or" both }
 *     both       = contrary { "and" contrary }
 *     contrary   = "not" contrary | comparison
 *     comparison = sum { ("<" | "<=" | ">" | ">=" | "==" | "!=") sum }     0 < x < 1 as one writes it
 *     sum        = product { ("+" | "-") product }
 *     product    = signed { ("*" | "/") signed }
 *     signed     = ("+" | "-") signed | power
 *     power      = operand [ "**" signed ]
 *     operand    = number | name | function "(" ... ")" | "(" either ")"
 */
#include "scene/play/expression.h"

#include "math/elementary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number, or the truth of a comparison: 1, 0, or NaN where it is neither. */
typedef struct Value {
    double number;
    bool truth;
} Value;

typedef struct Reading {
    const char *text, *at;
    const ExpressionNames *names;
    ExpressionFault *fault;
    bool failed;
    int depth;
} Reading;

enum { DEEPEST = 100, LONGEST_NAME = 160 };

static Value either(Reading *r);
static Value signed_value(Reading *r);

static Value number_value(double number) {
    return (Value){number, false};
}

static Value truth_value(double truth) {
    return (Value){truth, true};
}

/* Only the first fault is kept. */
static Value fail(Reading *r, const char *from, const char *to, bool unknown, const char *what) {
    while (to > from && to[-1] == ' ') {
        to--;
    }
    if (!r->failed) {
        r->failed = true;
        *r->fault = (ExpressionFault){
            .offset = (size_t)(from - r->text), .length = (size_t)(to - from), .unknown = unknown};
        snprintf(r->fault->text, sizeof r->fault->text, "%s", what);
    }
    return number_value(NAN);
}

/* ---------------------------------------------------------------- words and signs */

static void skip_blanks(Reading *r) {
    r->at += strspn(r->at, " \t\r\n");
}

/* Where the next thing begins. */
static const char *begin(Reading *r) {
    skip_blanks(r);
    return r->at;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool begins_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Names of walls have dots, and may have hyphens. */
static const char *end_of_name(const char *at) {
    while (begins_name(*at) || is_digit(*at) ||
           ((*at == '.' || *at == '-') && (begins_name(at[1]) || is_digit(at[1])))) {
        at++;
    }
    return at;
}

static bool take_sign(Reading *r, const char *sign) {
    skip_blanks(r);
    size_t length = strlen(sign);
    if (r->failed || strncmp(r->at, sign, length) != 0) {
        return false;
    }
    r->at += length;
    return true;
}

static bool take_word(Reading *r, const char *word) {
    skip_blanks(r);
    size_t length = strlen(word);
    if (r->failed || !begins_name(*r->at) || (size_t)(end_of_name(r->at) - r->at) != length) {
        return false;
    }
    return take_sign(r, word);
}

static void expect(Reading *r, const char *sign, const char *what) {
    if (!take_sign(r, sign)) {
        fail(r, r->at, r->at + (*r->at != '\0'), false, what);
    }
}

/* What has the wrong kind is told from its beginning to where the reading stands. */
static double as_number(Reading *r, Value value, const char *from) {
    return value.truth
               ? fail(r, from, r->at, false, "a number is expected, not a comparison").number
               : value.number;
}

static double as_truth(Reading *r, Value value, const char *from) {
    return value.truth ? value.number
                       : fail(r, from, r->at, false,
                              "a comparison is expected: with <, <=, >, >=, == or !=")
                             .number;
}

/* ---------------------------------------------------------------- operands */

static double argument(Reading *r) {
    const char *from = begin(r);
    return as_number(r, either(r), from);
}

/* Copies a name; false if it is longer than any. */
static bool copy_name(Reading *r, char name[LONGEST_NAME]) {
    skip_blanks(r);
    const char *end = end_of_name(r->at);
    size_t length = (size_t)(end - r->at);
    if (!begins_name(*r->at) || length >= LONGEST_NAME) {
        fail(r, r->at, end, false, "a name is expected");
        return false;
    }
    memcpy(name, r->at, length);
    name[length] = '\0';
    r->at = end;
    return true;
}

static Value quantile(Reading *r) {
    char name[LONGEST_NAME];
    double value = NAN;
    const char *from = begin(r);
    if (!copy_name(r, name)) {
        return number_value(NAN);
    }
    const char *to = r->at;
    expect(r, ",", "quantile takes a quantity of grains and a share, as in quantile(speed, 0.9)");
    const char *share_from = begin(r);
    double share = argument(r);
    if (!r->failed && !(share >= 0 && share <= 1)) {
        return fail(r, share_from, r->at, false, "the share of a quantile is from 0 to 1");
    }
    if (!r->failed && !r->names->quantile(r->names->context, name, share, &value)) {
        return fail(r, from, to, false, "there are quantiles of x, y, z, speed and radius only");
    }
    return number_value(value);
}

static double apply(const char *function, double x) {
    return strcmp(function, "abs") == 0    ? fabs(x)
           : strcmp(function, "sqrt") == 0 ? sqrt(x)
           : strcmp(function, "log") == 0  ? (x >= 0 ? scr_log(x) : NAN)
                                           : scr_exp(x);
}

static bool is_function(const char *name) {
    static const char *const functions[] = {"abs", "sqrt", "log", "exp"};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (strcmp(functions[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static Value call(Reading *r, const char *function, const char *from, const char *to) {
    Value value;
    if (strcmp(function, "quantile") == 0) {
        value = quantile(r);
    } else if (is_function(function)) {
        double x = argument(r);
        value = number_value(r->failed ? NAN : apply(function, x));
    } else {
        return fail(r, from, to, false, "the functions are abs, sqrt, log, exp and quantile");
    }
    expect(r, ")", "a closing parenthesis is missing");
    return value;
}

static Value name_or_call(Reading *r) {
    char name[LONGEST_NAME];
    const char *from = begin(r);
    double value = NAN;
    if (!copy_name(r, name)) {
        return number_value(NAN);
    }
    const char *to = r->at;
    if (take_sign(r, "(")) {
        return call(r, name, from, to);
    }
    while (!r->names->number(r->names->context, name, &value)) {
        char *hyphen = strrchr(name, '-');
        if (hyphen == NULL) {
            return fail(r, from, to, true, "no number has this name");
        }
        *hyphen = '\0'; /* it was a minus */
        r->at = from + (hyphen - name);
    }
    return number_value(value);
}

static Value literal(Reading *r) {
    char *end;
    double value = strtod(r->at, &end);
    if (begins_name(*end) || r->at[strspn(r->at, "0123456789.eE+-")] == 'x') {
        return fail(r, r->at, end_of_name(end), false, "a number is expected");
    }
    r->at = end;
    return number_value(value);
}

static Value operand(Reading *r) {
    Value value;
    if (take_sign(r, "(")) {
        value = either(r);
        expect(r, ")", "a closing parenthesis is missing");
    } else if (is_digit(*r->at) || (*r->at == '.' && is_digit(r->at[1]))) {
        value = literal(r);
    } else if (begins_name(*r->at)) {
        value = name_or_call(r);
    } else {
        value = fail(r, r->at, r->at + (*r->at != '\0'), false, "a name or a number is expected");
    }
    return value;
}

/* ---------------------------------------------------------------- arithmetic */

/* Whole exponents by products, which have all signs; others for positive numbers only. */
static double raise(double base, double exponent) {
    if (exponent != rint(exponent) || fabs(exponent) > 64) {
        return base >= 0 ? scr_pow(base, exponent) : NAN;
    }
    double product = 1;
    for (int i = 0; i < (int)fabs(exponent); i++) {
        product *= base;
    }
    return exponent < 0 ? 1 / product : product;
}

static Value power(Reading *r) {
    const char *from = begin(r);
    Value base = operand(r);
    if (!take_sign(r, "**")) {
        return base;
    }
    double number = as_number(r, base, from);
    from = begin(r);
    double exponent = as_number(r, signed_value(r), from);
    return number_value(r->failed ? NAN : raise(number, exponent));
}

/* Everything that nests comes through here, or through `contrary`. */
static bool deeper(Reading *r) {
    if (++r->depth > DEEPEST) {
        fail(r, r->at, r->at, false, "the expression is nested too deeply");
    }
    return !r->failed;
}

static Value signed_value(Reading *r) {
    Value value = number_value(NAN);
    if (deeper(r)) {
        bool minus = take_sign(r, "-");
        if (minus || take_sign(r, "+")) {
            const char *from = begin(r);
            double number = as_number(r, signed_value(r), from);
            value = number_value(minus ? -number : number);
        } else {
            value = power(r);
        }
    }
    r->depth--;
    return value;
}

static Value product(Reading *r) {
    const char *from = begin(r);
    Value left = signed_value(r);
    for (;;) {
        bool times = take_sign(r, "*");
        if (!times && !take_sign(r, "/")) {
            return left;
        }
        double a = as_number(r, left, from);
        const char *next = begin(r);
        double b = as_number(r, signed_value(r), next);
        left = number_value(times ? a * b : a / b);
    }
}

static Value sum(Reading *r) {
    const char *from = begin(r);
    Value left = product(r);
    for (;;) {
        bool plus = take_sign(r, "+");
        if (!plus && !take_sign(r, "-")) {
            return left;
        }
        double a = as_number(r, left, from);
        const char *next = begin(r);
        double b = as_number(r, product(r), next);
        left = number_value(plus ? a + b : a - b);
    }
}

/* ---------------------------------------------------------------- truth */

/* "not", "and" and "or" of what may be neither (NaN): certain where the other side decides alone. */
static double not_of(double a) {
    return 1 - a;
}

static double and_of(double a, double b) {
    return a == 0 || b == 0 ? 0 : a * b;
}

static double compare(const char *sign, double a, double b) {
    if (isnan(a) || isnan(b)) {
        return NAN;
    }
    bool equal = sign[1] == '=';
    switch (sign[0]) {
    case '<':
        return a < b || (equal && a == b);
    case '>':
        return a > b || (equal && a == b);
    case '=':
        return a == b;
    default:
        return a != b;
    }
}

static const char *take_comparison(Reading *r) {
    static const char *const signs[] = {"<=", ">=", "==", "!=", "<", ">"};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (take_sign(r, signs[i])) {
            return signs[i];
        }
    }
    return NULL;
}

static Value comparison(Reading *r) {
    const char *from = begin(r), *sign;
    Value left = sum(r);
    double all = 1;
    bool compared = false;
    while ((sign = take_comparison(r)) != NULL) {
        double a = as_number(r, left, from);
        from = begin(r);
        left = number_value(as_number(r, sum(r), from));
        all = and_of(all, compare(sign, a, left.number));
        compared = true;
    }
    return compared ? truth_value(all) : left;
}

static Value contrary(Reading *r) {
    if (!take_word(r, "not")) {
        return comparison(r);
    }
    double truth = NAN;
    if (deeper(r)) {
        const char *from = begin(r);
        truth = as_truth(r, contrary(r), from);
    }
    r->depth--;
    return truth_value(not_of(truth));
}

static Value both(Reading *r) {
    const char *from = begin(r);
    Value left = contrary(r);
    while (take_word(r, "and")) {
        double a = as_truth(r, left, from);
        from = begin(r);
        left = truth_value(and_of(a, as_truth(r, contrary(r), from)));
    }
    return left;
}

/* a or b = not (not a and not b) */
static Value either(Reading *r) {
    const char *from = begin(r);
    Value left = both(r);
    while (take_word(r, "or")) {
        double a = not_of(as_truth(r, left, from));
        from = begin(r);
        left = truth_value(not_of(and_of(a, not_of(as_truth(r, both(r), from)))));
    }
    return left;
}

/* ---------------------------------------------------------------- the whole */

static double whole(const char *text, const ExpressionNames *names, ExpressionFault *fault,
                    bool *failed) {
    Reading r = {.text = text, .at = text, .names = names, .fault = fault};
    const char *from = begin(&r);
    double truth = as_truth(&r, either(&r), from);
    skip_blanks(&r);
    if (*r.at != '\0') {
        fail(&r, r.at, r.at + 1, false, "'and', 'or' or an operator is expected");
    }
    *failed = r.failed;
    return truth;
}

bool scene_expression_holds(const char *text, const ExpressionNames *names) {
    ExpressionFault fault;
    bool failed;
    return whole(text, names, &fault, &failed) == 1 && !failed;
}

bool scene_expression_check(const char *text, const ExpressionNames *names,
                            ExpressionFault *fault) {
    bool failed;
    *fault = (ExpressionFault){0};
    whole(text, names, fault, &failed);
    return !failed;
}
