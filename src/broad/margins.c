/* Wide margins make the list long, narrow ones make it due for renewal often. A body that moves by
 * w in a step gets room for a number of steps, the aim: m = aim w. With n bodies, P pairs in the
 * list, and lists that last for a fraction q of the aim, the cost of a step, in pairs looked at, is
 *
 *     c = B n / (q aim) + P(aim),
 *
 * where B is what a new list costs for each body. Bodies at a given density have P ~ (r + m)^d,
 * with r and m the mean radius and margin, so near the present aim
 *
 *     dP/daim = d P / (r + m) dm/daim,
 *
 * and the cost is least where aim^2 = B n / (q dP/daim). n, P and q are counted, never timed, so
 * the choice is the same on every machine, after a restart, and with every method of search. */
#include "broad/margins.h"

#include "math/reduce.h"

/* Bounds of a margin, in mean radii. */
static const double least_margin = 0.05, most_margin = 0.5;

/* Bodies faster than `fast` times the mean are few, and get room for `fast_steps` times as many
 * steps. */
static const double fast = 4, fast_steps = 5;

/* Sums over the bodies are made in pieces, few enough that they fit on the stack. */
enum { PIECES = 16, SUMS = 2 };

typedef struct Scale Scale;

typedef struct Summing {
    const State *state;
    Threads *threads;
    const double *value;
    const Scale *scale; /* with an aim, for margins */
    double aim;
    size_t pieces;
    ExactSum of[PIECES][SUMS];
} Summing;

static Summing summing(const State *s, Threads *threads) {
    const size_t pieces = scr_pieces(scr_counted(s));
    return (Summing){.state = s, .threads = threads, .pieces = pieces < PIECES ? pieces : PIECES};
}

/* The sums of all pieces, and of all processes, into the first. */
static ExactSum *join_sums(Summing *all, size_t sums, void (*body)(void *context, size_t piece)) {
    scr_threads_loop(all->threads, all->pieces, body, all);
    for (size_t k = 1; k < all->pieces; k++) {
        for (size_t j = 0; j < sums; j++) {
            scr_exact_join(&all->of[0][j], &all->of[k][j]);
        }
    }
    scr_sum_over_processes(all->state->spread, all->of[0], sums);
    return all->of[0];
}

static void sum_piece(void *context, size_t piece) {
    Summing *all = context;
    const size_t count = scr_counted(all->state), end = count * (piece + 1) / all->pieces;
    for (size_t i = count * piece / all->pieces; i < end; i++) {
        scr_exact_add(&all->of[piece][0], all->value[i]);
    }
}

static double mean_of(const State *s, const double *value, Threads *threads) {
    Summing all = summing(s, threads);
    all.value = value;
    ExactSum *sum = join_sums(&all, 1, sum_piece);
    return scr_all_bodies(s) > 0 ? scr_exact_total(sum) / (double)scr_all_bodies(s) : 0;
}

struct Scale {
    double least, most, mean_motion;
};

static double margin_for(const Scale *scale, double aim, double motion) {
    double wanted = (motion > fast * scale->mean_motion ? fast_steps : 1) * aim * motion;
    return scr_max(scale->least, scr_min(wanted, scale->most));
}

/* All margins, and those between their bounds. */
static void sum_margins(void *context, size_t piece) {
    Summing *all = context;
    const size_t count = scr_counted(all->state), end = count * (piece + 1) / all->pieces;
    for (size_t i = count * piece / all->pieces; i < end; i++) {
        double m = margin_for(all->scale, all->aim, all->state->bodies.margin[i]);
        scr_exact_add(&all->of[piece][0], m);
        if (m > all->scale->least && m < all->scale->most) {
            scr_exact_add(&all->of[piece][1], m);
        }
    }
}

/* A new aim, judged by how the last list did. Room for many more steps than a list lasts is of no
 * use. */
static double better_aim(const State *s, const MarginRules *rules, const Scale *scale,
                         double radius) {
    double aim = s->list.aim, n = (double)scr_all_bodies(s);
    double life = scr_max(1, (double)(s->step - s->list.step));
    Summing all = summing(s, rules->threads);
    all.scale = scale;
    all.aim = aim;
    ExactSum *sum = join_sums(&all, 2, sum_margins);
    double margin = scr_exact_total(&sum[0]) / n, slope = scr_exact_total(&sum[1]) / aim / n;
    if (slope == 0) {
        return aim; /* no margin depends on it */
    }
    double part = scr_max(0.1, scr_min(life / aim, 1));
    double growth = s->def.dimension * (double)s->list.pairs / (radius + margin) * slope;
    double best = sqrt(rules->cost * n / (part * growth)); /* infinite when there are no pairs */
    double next =
        scr_min(sqrt(aim * best), 2 * aim); /* go only halfway (in logarithms): all of this
                                                    * is an estimate */
    return scr_max(4, scr_min(scr_max(0.5 * aim, next), 4 * life));
}

/* Sets the margins of a piece of all bodies. */
typedef struct Setting {
    State *state;
    const MarginRules *rules;
    const Scale *scale;
} Setting;

static void set_margins(void *context, size_t piece) {
    const Setting *k = context;
    Bodies *b = &k->state->bodies;
    for (size_t i = scr_piece_begin(b->count, piece); i < scr_piece_end(b->count, piece); i++) {
        double motion = b->margin[i];
        b->margin[i] =
            scr_max(margin_for(k->scale, k->state->list.aim, motion), k->rules->coming * motion);
    }
}

void scr_choose_margins(State *s, const MarginRules *rules) {
    Bodies *b = &s->bodies;
    double radius = mean_of(s, b->radius, rules->threads);
    Scale scale = {least_margin * radius, most_margin * radius,
                   mean_of(s, b->margin, rules->threads)};
    if (s->def.skin > 0) {
        scale.least = scale.most = 0.5 * s->def.skin;
    }
    scale.least = scr_max(scale.least, rules->least);
    if (!(s->list.aim > 0)) {
        s->list.aim = rules->aim;
    } else if (rules->outrun) {
        s->list.aim = better_aim(s, rules, &scale, radius);
    }
    Setting setting = {s, rules, &scale};
    scr_threads_loop(rules->threads, scr_pieces(b->count), set_margins, &setting);
}

void scr_note_list(State *s, size_t pairs) {
    s->list.step = s->step;
    s->list.pairs = pairs;
}
