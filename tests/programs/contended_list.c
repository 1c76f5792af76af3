/* Threads that push to and pop from one list under one mutex, as from an allocator's free list, with nothing in between:
 * a program that is bound by its lock. Prints how many operations a second it did, all threads together.
 *
 *     contended_list THREADS OPERATIONS [MUTEX]
 *
 * OPERATIONS are each thread's; a push and a pop are one operation each. MUTEX is normal (the default), adaptive,
 * recursive or errorcheck. Fails if the list has lost or gained an element. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct element {
    struct element *next;
    uint64_t value;
};

/* A thread, and when it began and ended: the first may be done before the last is told to begin. */
struct worker {
    pthread_t id;
    struct element element;
    double began;
    double ended;
};

/* The lock on a cache line of its own, the list on the next. */
static pthread_mutex_t lock __attribute__((aligned(128)));
static struct element *first __attribute__((aligned(128)));
static uint64_t length;

static pthread_barrier_t begin;
static uint64_t operations;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void *work(void *own)
{
    struct worker *worker = own;
    struct element *element = &worker->element;
    pthread_barrier_wait(&begin);
    worker->began = seconds();
    for (uint64_t done = 0; done < operations; done += 2) {
        pthread_mutex_lock(&lock);
        element->next = first;
        element->value = done;
        first = element;
        length++;
        pthread_mutex_unlock(&lock);

        pthread_mutex_lock(&lock);
        element = first;
        first = element->next;
        length--;
        pthread_mutex_unlock(&lock);
    }
    worker->ended = seconds();
    return NULL;
}

static int kind_of(const char *name)
{
    if (strcmp(name, "normal") == 0)
        return PTHREAD_MUTEX_NORMAL;
    if (strcmp(name, "adaptive") == 0)
        return PTHREAD_MUTEX_ADAPTIVE_NP;
    if (strcmp(name, "recursive") == 0)
        return PTHREAD_MUTEX_RECURSIVE;
    if (strcmp(name, "errorcheck") == 0)
        return PTHREAD_MUTEX_ERRORCHECK;
    return -1;
}

int main(int count, char **words)
{
    long threads = count > 2 ? atol(words[1]) : 0;
    operations = count > 2 ? strtoull(words[2], NULL, 10) : 0;
    int kind = kind_of(count > 3 ? words[3] : "normal");
    if (threads < 1 || operations < 2 || kind < 0) {
        fprintf(stderr, "usage: contended_list THREADS OPERATIONS [normal|adaptive|recursive|errorcheck]\n");
        return 2;
    }
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, kind);
    pthread_mutex_init(&lock, &attributes);
    pthread_barrier_init(&begin, NULL, (unsigned)threads);

    struct worker *workers = calloc((size_t)threads, sizeof *workers);
    if (!workers)
        return 1;
    for (long i = 0; i < threads; i++)
        if (pthread_create(&workers[i].id, NULL, work, &workers[i]) != 0) {
            fprintf(stderr, "no thread could be made\n");
            return 1;
        }
    double began = 0, ended = 0;
    for (long i = 0; i < threads; i++) {
        pthread_join(workers[i].id, NULL);
        if (i == 0 || workers[i].began < began)
            began = workers[i].began;
        if (workers[i].ended > ended)
            ended = workers[i].ended;
    }
    if (length != 0 || first) {
        fprintf(stderr, "the list is wrong: %llu elements are left\n", (unsigned long long)length);
        return 1;
    }
    uint64_t each = (operations + 1) / 2 * 2;
    printf("%.0f operations a second\n", (double)each * (double)threads / (ended - began));
    return 0;
}
