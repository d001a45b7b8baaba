#include "base/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/* A waiting thread looks this often for work before it sleeps: loops follow each other within
 * microseconds, but a machine that is shared must not be filled with idle spinning. */
enum { LOOKS = 4000 };

struct Threads {
    int workers; /* threads besides the caller */
    pthread_t *thread;
    void (*body)(void *context, size_t i);
    void *context;
    size_t count;
    atomic_size_t next; /* index to be taken */
    atomic_uint round;  /* counts loops; a change is the sign to start */
    atomic_int busy;    /* workers that have not finished this round */
    atomic_int asleep;  /* workers that wait on the condition */
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
        t->body(t->context, i);
    }
}

/* Returns when the round is no longer `seen`. */
static void wait_for_round(Threads *t, unsigned seen) {
    for (int look = 0; look < LOOKS; look++) {
        if (atomic_load_explicit(&t->round, memory_order_acquire) != seen) {
            return;
        }
        if (look % 64 == 63) {
            sched_yield();
        }
    }
    pthread_mutex_lock(&t->mutex);
    atomic_fetch_add(&t->asleep, 1);
    while (atomic_load(&t->round) == seen) {
        pthread_cond_wait(&t->wake, &t->mutex);
    }
    atomic_fetch_sub(&t->asleep, 1);
    pthread_mutex_unlock(&t->mutex);
}

static void *worker(void *argument) {
    Threads *t = argument;
    unsigned seen = 0;
    for (;;) {
        wait_for_round(t, seen);
        seen++;
        if (atomic_load(&t->ending)) {
            return NULL;
        }
        work(t);
        atomic_fetch_sub_explicit(&t->busy, 1, memory_order_release);
    }
}

/* Starts a round. The sleepers are counted after the round has changed, so none can miss it. */
static void start_round(Threads *t) {
    atomic_store(&t->next, 0);
    atomic_store(&t->busy, t->workers);
    atomic_fetch_add(&t->round, 1);
    if (atomic_load(&t->asleep) > 0) {
        pthread_mutex_lock(&t->mutex);
        pthread_cond_broadcast(&t->wake);
        pthread_mutex_unlock(&t->mutex);
    }
}

void scr_threads_loop(Threads *t, size_t count, void (*body)(void *context, size_t i),
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
    start_round(t);
    work(t);
    for (int look = 0; atomic_load_explicit(&t->busy, memory_order_acquire) > 0; look++) {
        if (look % 64 == 63) {
            sched_yield();
        }
    }
}

static void end_workers(Threads *t, int started) {
    t->workers = started;
    atomic_store(&t->ending, true);
    start_round(t);
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
