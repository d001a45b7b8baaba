#include "base/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* How often a waiting thread looks for work before it goes to sleep. Loops follow each other within
 * microseconds, so sleeping at once would be slow; but a shared machine must not be filled with
 * idle spinning. Now and then the thread yields, though not often: a yield takes longer than most
 * waits. */
enum { LOOKS = 8000, LOOKS_BETWEEN_YIELDS = 1024 };

/* The gate of a loop holds its number in the upper half, one bit that says whether it is closed,
 * and a count of the workers that have come in. The caller starts working at once; when no index is
 * left it closes the gate and waits for those inside. A worker that the system has not scheduled by
 * then is not waited for, so on a busy machine the caller simply does the work alone. */
#define GATE_ROUND  (UINT64_C(1) << 32)
#define GATE_CLOSED (UINT64_C(1) << 31)

struct Threads {
    int workers; /* threads besides the caller */
    pthread_t *thread;
    void (*body)(void *context, size_t i);
    void *context;
    size_t count;
    bool from_end;
    atomic_size_t next; /* how many indices have been handed out */
    _Atomic uint64_t gate;
    atomic_uint done;  /* workers that came in and have finished */
    atomic_int asleep; /* workers that wait on the condition */
    atomic_bool ending;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
};

static void work(Threads *t) {
    for (;;) {
        size_t i = atomic_fetch_add_explicit(&t->next, 1, memory_order_relaxed);
        if (i >= t->count) {
            return;
        }
        t->body(t->context, t->from_end ? t->count - 1 - i : i);
    }
}

static uint64_t round_of(uint64_t gate) {
    return gate / GATE_ROUND;
}

/* Returns the gate once its round is no longer `seen`. */
static uint64_t wait_for_round(Threads *t, uint64_t seen) {
    for (int look = 0; look < LOOKS; look++) {
        uint64_t gate = atomic_load_explicit(&t->gate, memory_order_acquire);
        if (round_of(gate) != seen) {
            return gate;
        }
        if (look % LOOKS_BETWEEN_YIELDS == LOOKS_BETWEEN_YIELDS - 1) {
            sched_yield();
        }
    }
    pthread_mutex_lock(&t->mutex);
    atomic_fetch_add(&t->asleep, 1);
    while (round_of(atomic_load(&t->gate)) == seen) {
        pthread_cond_wait(&t->wake, &t->mutex);
    }
    atomic_fetch_sub(&t->asleep, 1);
    pthread_mutex_unlock(&t->mutex);
    return atomic_load(&t->gate);
}

/* Whether the worker got in before the gate closed. */
static bool come_in(Threads *t, uint64_t gate) {
    uint64_t seen = round_of(gate);
    while (round_of(gate) == seen && (gate & GATE_CLOSED) == 0) {
        if (atomic_compare_exchange_weak(&t->gate, &gate, gate + 1)) {
            return true;
        }
    }
    return false;
}

static void *worker(void *argument) {
    Threads *t = argument;
    uint64_t seen = 0;
    for (;;) {
        uint64_t gate = wait_for_round(t, seen);
        seen = round_of(gate);
        if (atomic_load(&t->ending)) {
            return NULL;
        }
        if (come_in(t, gate)) {
            work(t);
            atomic_fetch_add_explicit(&t->done, 1, memory_order_release);
        }
    }
}

/* Opens the gate of the next round. The sleepers are counted after the round has changed, so none
 * can miss it. */
static void open_gate(Threads *t) {
    atomic_store(&t->next, 0);
    atomic_store(&t->done, 0);
    atomic_store(&t->gate, (round_of(atomic_load(&t->gate)) + 1) * GATE_ROUND);
    if (atomic_load(&t->asleep) > 0) {
        pthread_mutex_lock(&t->mutex);
        pthread_cond_broadcast(&t->wake);
        pthread_mutex_unlock(&t->mutex);
    }
}

static void loop(Threads *t, size_t count, bool from_end, void (*body)(void *context, size_t i),
                 void *context) {
    if (t == NULL || count < 2) {
        for (size_t i = 0; i < count; i++) {
            body(context, i);
        }
        return;
    }
    t->body = body;
    t->context = context;
    t->count = count;
    t->from_end = from_end;
    open_gate(t);
    work(t);
    uint64_t inside = atomic_fetch_or(&t->gate, GATE_CLOSED) % GATE_CLOSED;
    for (int look = 0; atomic_load_explicit(&t->done, memory_order_acquire) < inside; look++) {
        if (look % LOOKS_BETWEEN_YIELDS == LOOKS_BETWEEN_YIELDS - 1) {
            sched_yield();
        }
    }
}

void scr_threads_loop(Threads *threads, size_t count, void (*body)(void *context, size_t i),
                      void *context) {
    loop(threads, count, false, body, context);
}

void scr_threads_loop_from_end(Threads *threads, size_t count,
                               void (*body)(void *context, size_t i), void *context) {
    loop(threads, count, true, body, context);
}

static void end_workers(Threads *t, int started) {
    atomic_store(&t->ending, true);
    open_gate(t);
    for (int i = 0; i < started; i++) {
        pthread_join(t->thread[i], NULL);
    }
    pthread_mutex_destroy(&t->mutex);
    pthread_cond_destroy(&t->wake);
    free(t->thread);
    free(t);
}

Threads *scr_threads_create(int count) {
    Threads *t = calloc(1, sizeof *t);
    if (t == NULL) {
        return NULL;
    }
    t->workers = count - 1;
    t->thread = calloc((size_t)count, sizeof *t->thread);
    pthread_mutex_init(&t->mutex, NULL);
    pthread_cond_init(&t->wake, NULL);
    for (int i = 0; i < t->workers; i++) {
        if (t->thread == NULL || pthread_create(&t->thread[i], NULL, worker, t) != 0) {
            end_workers(t, i);
            return NULL;
        }
    }
    return t;
}

void scr_threads_destroy(Threads *t) {
    if (t != NULL) {
        end_workers(t, t->workers);
    }
}
