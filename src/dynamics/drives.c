#include "dynamics/drives.h"

#include "dynamics/there.h"
#include "dynamics/held.h"
#include "dynamics/plain_contacts.h"

/* Work of moved walls and of whatever moves frozen bodies. */
static double driving_work(const StepTask *t, const Contact *c, size_t contact) {
    const State *s = t->state;
    const bool moved = c->b < 0 && s->walls.item[scr_wall_of(c->b)].now.motion == SCREE_WALL_MOVED;
    const Vec3 torque =
        s->contacts.extra != NULL ? s->contacts.extra[contact].torque_impulse : vec3(0, 0, 0);
    const int32_t wall = moved ? t->problem.row[t->order.slot[contact]].b : -1;
    return scr_driving_work(t, c, scr_arms_of(t, c), torque, wall);
}

/* Whether anything but external forces can do work: a moved wall, a piston that slides, or a body that is held along some
 * axis. */
static bool is_driven(const StepTask *t) {
    const State *s = t->state;
    bool moved = false;
    for (size_t i = 0; i < s->walls.count; i++) {
        const ScreeWallDef *w = &s->walls.item[i].now;
        const Vec3 slides = w->motion == SCREE_WALL_PISTON ? scr_sliding(w) : vec3(0, 0, 0);
        moved = moved || (s->walls.item[i].present &&
                          (w->motion == SCREE_WALL_MOVED || dot(slides, slides) > 0));
    }
    return moved || t->free->any_frozen;
}

/* Contacts from `first` on. */
typedef struct Driving {
    const StepTask *task;
    size_t first;
} Driving;

static void drive_piece(void *context, size_t piece) {
    const Driving *k = context;
    const Contacts *contacts = &k->task->state->contacts;
    const size_t count = contacts->count - k->first;
    PieceSums *sums = scr_begin_sums(&k->task->sums, piece, 1);
    const size_t end = k->first + scr_piece_end(count, piece);
    for (size_t i = k->first + scr_piece_begin(count, piece); i < end; i++) {
        const Contact *c = &contacts->item[i];
        if (c->state != SCREE_CONTACT_OPEN) {
            scr_exact_add(&sums->of[0], driving_work(k->task, c, i));
        }
    }
}

double scr_work_of_drives(const StepTask *t) {
    if (!is_driven(t)) {
        return 0;
    }
    if (t->there != NULL) {
        return scr_drives_there(t);
    }
    Driving all = {t, t->free->any_frozen ? 0 : t->extent.first_with_wall};
    const size_t count = t->state->contacts.count - all.first;
    scr_threads_loop(t->with->threads, scr_pieces(count), drive_piece, &all);
    return scr_sum_pieces(&t->sums, count, 0);
}
