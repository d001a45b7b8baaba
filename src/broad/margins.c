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

static double mean_of(const State *s, const double *value) {
    ExactSum sum;
    scr_exact_clear(&sum);
    for (size_t i = 0; i < scr_counted(s); i++) {
        scr_exact_add(&sum, value[i]);
    }
    scr_sum_over_processes(s->spread, &sum, 1);
    return scr_all_bodies(s) > 0 ? scr_exact_total(&sum) / (double)scr_all_bodies(s) : 0;
}

typedef struct Scale {
    double least, most, mean_motion;
} Scale;

static double margin_for(const Scale *scale, double aim, double motion) {
    double wanted = (motion > fast * scale->mean_motion ? fast_steps : 1) * aim * motion;
    return scr_max(scale->least, scr_min(wanted, scale->most));
}

/* A new aim, judged by how the last list did. Room for many more steps than a list lasts is of no
 * use. */
static double better_aim(const State *s, const MarginRules *rules, const Scale *scale,
                         double radius) {
    const Bodies *b = &s->bodies;
    double aim = s->list.aim, n = (double)scr_all_bodies(s);
    double life = scr_max(1, (double)(s->step - s->list.step));
    ExactSum sum[2]; /* of all margins, and of those between their bounds */
    memset(sum, 0, sizeof sum);
    for (size_t i = 0; i < scr_counted(s); i++) {
        double m = margin_for(scale, aim, b->margin[i]);
        scr_exact_add(&sum[0], m);
        if (m > scale->least && m < scale->most) {
            scr_exact_add(&sum[1], m);
        }
    }
    scr_sum_over_processes(s->spread, sum, 2);
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

void scr_choose_margins(State *s, const MarginRules *rules) {
    Bodies *b = &s->bodies;
    double radius = mean_of(s, b->radius);
    Scale scale = {least_margin * radius, most_margin * radius, mean_of(s, b->margin)};
    if (s->def.skin > 0) {
        scale.least = scale.most = 0.5 * s->def.skin;
    }
    scale.least = scr_max(scale.least, rules->least);
    if (!(s->list.aim > 0)) {
        s->list.aim = rules->aim;
    } else if (rules->outrun) {
        s->list.aim = better_aim(s, rules, &scale, radius);
    }
    for (size_t i = 0; i < b->count; i++) {
        double motion = b->margin[i];
        b->margin[i] = scr_max(margin_for(&scale, s->list.aim, motion), rules->coming * motion);
    }
}

void scr_note_list(State *s, size_t pairs) {
    s->list.step = s->step;
    s->list.pairs = pairs;
}
