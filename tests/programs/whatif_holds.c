// Programs whose holds have a length that the command line says: what shorter holds gain is measured by giving a smaller number.
//
//   whatif_holds MODE HOLD_US ROUNDS [sleep]
//
// one       two threads on work_lock; nothing else takes time
// shared    as one, and each thread works as long outside the lock as HOLD_US would be at 1000
// decoy     as one; three more threads wait for decoy_lock all the time, in holds of 1 ms, until the two are done
// two       two threads on first_lock in holds of 1 ms, two others on work_lock
// readers   two readers and a writer on one reader-writer lock, work_rwlock
// pipeline  one thread makes items under first_lock in holds of 0.5 ms and posts a semaphore; two threads take them under work_lock
// server    listens on the port ROUNDS at the loopback address; a thread for each connection answers each byte, after a hold of work_lock
// load      drives that server: four connections, HOLD_US is the port, ROUNDS the number of bytes that each sends
// pool      a producer hands over jobs under work_lock with a condition, and two workers take them under the same lock
//
// Holds work, or sleep if the last word is `sleep`.
#include <arpa/inet.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t work_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t decoy_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t work_rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t items;
static pthread_cond_t job_there = PTHREAD_COND_INITIALIZER;
static long hold_us, rounds;
static int sleeps, jobs, ended;
static atomic_int done;

static long cpu_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000 + now.tv_nsec;
}

static void take(long us, int asleep) {
    if (asleep) {
        struct timespec time = {us / 1000000, us % 1000000 * 1000};
        nanosleep(&time, NULL);
        return;
    }
    long until = cpu_ns() + us * 1000;
    while (cpu_ns() < until) {
    }
}

static void *one(void *think_us) {
    for (long round = 0; round < rounds; round++) {
        pthread_mutex_lock(&work_lock);
        take(hold_us, sleeps);
        pthread_mutex_unlock(&work_lock);
        if (think_us) take((long)think_us, sleeps);
    }
    return NULL;
}

static void *first(void *unused) {
    for (long round = 0; round < rounds; round++) {
        pthread_mutex_lock(&first_lock);
        take(1000, sleeps);
        pthread_mutex_unlock(&first_lock);
    }
    return unused;
}

static void *decoy(void *unused) {
    while (!atomic_load(&done)) {
        pthread_mutex_lock(&decoy_lock);
        if (!atomic_load(&done)) take(1000, 1);
        pthread_mutex_unlock(&decoy_lock);
    }
    return unused;
}

static void *reader(void *unused) {
    for (long round = 0; round < rounds; round++) {
        pthread_rwlock_rdlock(&work_rwlock);
        take(hold_us, sleeps);
        pthread_rwlock_unlock(&work_rwlock);
    }
    return unused;
}

static void *writer(void *unused) {
    for (long round = 0; round < rounds; round++) {
        pthread_rwlock_wrlock(&work_rwlock);
        take(hold_us, sleeps);
        pthread_rwlock_unlock(&work_rwlock);
    }
    return unused;
}

static void *maker(void *unused) {
    for (long round = 0; round < rounds; round++) {
        pthread_mutex_lock(&first_lock);
        take(500, sleeps);
        pthread_mutex_unlock(&first_lock);
        sem_post(&items);
    }
    return unused;
}

static void *taker(void *unused) {
    for (long round = 0; round < rounds / 2; round++) {
        sem_wait(&items);
        pthread_mutex_lock(&work_lock);
        take(hold_us, sleeps);
        pthread_mutex_unlock(&work_lock);
        take(200, sleeps);
    }
    return unused;
}

static struct sockaddr_in at_port(long port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static void *answer(void *connection) {
    int socket = (int)(long)connection;
    char byte;
    while (read(socket, &byte, 1) == 1) {
        pthread_mutex_lock(&work_lock);
        take(hold_us, sleeps);
        pthread_mutex_unlock(&work_lock);
        take(200, sleeps);
        if (write(socket, &byte, 1) != 1) break;
    }
    close(socket);
    return NULL;
}

static int serve(long port) {
    struct sockaddr_in address = at_port(port);
    int listening = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listening, (struct sockaddr *)&address, sizeof address) || listen(listening, 16)) return 1;
    for (;;) {
        int connection = accept(listening, NULL, NULL);
        pthread_t thread;
        if (connection >= 0 && pthread_create(&thread, NULL, answer, (void *)(long)connection) == 0) pthread_detach(thread);
    }
}

static void *drive(void *unused) {
    struct sockaddr_in address = at_port(hold_us);
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(connection, (struct sockaddr *)&address, sizeof address)) exit(1);
    for (long round = 0; round < rounds; round++) {
        char byte = 1;
        if (write(connection, &byte, 1) != 1 || read(connection, &byte, 1) != 1) exit(1);
    }
    close(connection);
    return unused;
}

static void *producer(void *unused) {
    for (long round = 0; round < rounds; round++) {
        pthread_mutex_lock(&work_lock);
        take(hold_us, sleeps);
        jobs++;
        pthread_cond_signal(&job_there);
        pthread_mutex_unlock(&work_lock);
    }
    pthread_mutex_lock(&work_lock);
    ended = 1;
    pthread_cond_broadcast(&job_there);
    pthread_mutex_unlock(&work_lock);
    return unused;
}

static void *worker(void *unused) {
    pthread_mutex_lock(&work_lock);
    for (;;) {
        while (jobs == 0 && !ended) pthread_cond_wait(&job_there, &work_lock);
        if (jobs == 0) break;
        jobs--;
        take(hold_us, sleeps);
        pthread_mutex_unlock(&work_lock);
        take(500, sleeps);
        pthread_mutex_lock(&work_lock);
    }
    pthread_mutex_unlock(&work_lock);
    return unused;
}

static pthread_t started[8];
static int count;

static void start(void *(*function)(void *), long argument, int threads) {
    while (threads-- > 0) pthread_create(&started[count++], NULL, function, (void *)argument);
}

int main(int words, char **word) {
    // A sleep of half the length must take half the time: not 50 us more, which is the kernel's default.
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    if (words < 4) return 2;
    hold_us = atol(word[2]);
    rounds = atol(word[3]);
    sleeps = words > 4 && !strcmp(word[4], "sleep");
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    int waited_for = 0;
    if (!strcmp(word[1], "one")) start(one, 0, 2);
    else if (!strcmp(word[1], "shared")) start(one, 1000, 2);
    else if (!strcmp(word[1], "decoy")) {
        start(one, 0, 2);
        waited_for = 2;
        start(decoy, 0, 3);
    } else if (!strcmp(word[1], "two")) {
        start(first, 0, 2);
        start(one, 0, 2);
    } else if (!strcmp(word[1], "readers")) {
        start(reader, 0, 2);
        start(writer, 0, 1);
    } else if (!strcmp(word[1], "pipeline")) {
        sem_init(&items, 0, 0);
        start(maker, 0, 1);
        start(taker, 0, 2);
    } else if (!strcmp(word[1], "server")) {
        return serve(rounds);
    } else if (!strcmp(word[1], "load")) {
        start(drive, 0, 4);
    } else if (!strcmp(word[1], "pool")) {
        start(producer, 0, 1);
        start(worker, 0, 2);
    } else return 2;
    for (int thread = 0; thread < count; thread++) {
        if (thread == waited_for && waited_for) atomic_store(&done, 1);
        pthread_join(started[thread], NULL);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("took %.6f s\n", (end.tv_sec - begin.tv_sec) + (end.tv_nsec - begin.tv_nsec) / 1e9);
    return 0;
}
