// Programs for `locktoll advise`: for each remedy one that it helps, and one that it would not help.
//
//   advice_cases CASE before|after
//
// `after` applies the remedy that the case is named after. Each case does a fixed amount of work, so its time is the metric. See
// `cases` at the end for their list.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t work_lock = PTHREAD_MUTEX_INITIALIZER, inner_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t table_locks[16];
static pthread_rwlock_t table_rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t there = PTHREAD_COND_INITIALIZER;
static atomic_ulong sink;
static int after, file, feed[2];

static void work(long ns) {
    // Arithmetic whose length is calibrated once, so that a thread without a CPU does not do less of it.
    static double per_ns;
    unsigned long state = 1;
    if (per_ns == 0) {
        struct timespec from, to;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
        for (long i = 0; i < 4000000; i++) state = state * 6364136223846793005u + 1442695040888963407u;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
        per_ns = 4000000 / ((to.tv_sec - from.tv_sec) * 1e9 + (to.tv_nsec - from.tv_nsec));
    }
    for (long i = (long)(ns * per_ns); i > 0; i--) state = state * 6364136223846793005u + 1442695040888963407u;
    if (state == 42) atomic_fetch_add(&sink, 1);
}

static void pause_us(long us) {
    struct timespec time = {us / 1000000, us % 1000000 * 1000};
    nanosleep(&time, NULL);
}

static void repeat(int threads, void *(*body)(void *)) {
    pthread_t ids[64];
    for (long i = 0; i < threads; i++) pthread_create(&ids[i], NULL, body, (void *)i);
    for (int i = 0; i < threads; i++) pthread_join(ids[i], NULL);
}

// A call that blocks for 1 ms, in the hold or after it.
static void *call_thread(void *number) {
    for (int i = 0; i < 300; i++) {
        pthread_mutex_lock(&work_lock);
        work(2000);
        if (!after) pause_us(1000);
        pthread_mutex_unlock(&work_lock);
        if (after) pause_us(1000);
        pause_us(200);
    }
    return number;
}
static void move_call(void) { repeat(5, call_thread); }

// The same call, and hardly any thread waits for it.
static void *rare_thread(void *number) {
    for (int i = 0; i < 10; i++) {
        pause_us(40000 + 7000 * (long)number);
        pthread_mutex_lock(&work_lock);
        if (!after) pause_us(500);
        pthread_mutex_unlock(&work_lock);
        if (after) pause_us(500);
    }
    return number;
}
static void move_call_rare(void) { repeat(3, rare_thread); }

// A line of a journal, and the wait for the disk.
static void *disk_thread(void *number) {
    char line[512] = {'x'};
    for (int i = 0; i < 150; i++) {
        pthread_mutex_lock(&work_lock);
        if (write(file, line, sizeof line) < 0) exit(1);
        if (!after) fdatasync(file);
        pthread_mutex_unlock(&work_lock);
        if (after) fdatasync(file);
        work(20000);
    }
    return number;
}
static void open_file(void) {
    char name[] = "/var/tmp/locktoll-advice-XXXXXX";
    file = mkstemp(name);
    if (file < 0) exit(1);
    unlink(name);
}
static void move_call_disk(void) {
    open_file();
    repeat(4, disk_thread);
}

// Readers of a queue that is empty most of the time: they wait for input, whoever holds the lock.
static void *feeder(void *unused) {
    for (int i = 0; i < 400; i++) {
        char byte = 'x';
        pause_us(1000);
        if (write(feed[1], &byte, 1) < 0) exit(1);
    }
    close(feed[1]);
    return unused;
}
static void *input_thread(void *number) {
    for (;;) {
        char byte;
        if (!after) pthread_mutex_lock(&work_lock);
        long got = read(feed[0], &byte, 1);
        if (after) pthread_mutex_lock(&work_lock);
        work(2000);
        pthread_mutex_unlock(&work_lock);
        if (got <= 0) return number;
        work(20000);
    }
}
static void input(void) {
    pthread_t id;
    if (pipe(feed) != 0) exit(1);
    pthread_create(&id, NULL, feeder, NULL);
    repeat(4, input_thread);
    pthread_join(id, NULL);
}

// Holders wait for another lock, which two threads keep busy.
static void *outer_thread(void *number) {
    for (int i = 0; i < 150; i++) {
        pthread_mutex_lock(&work_lock);
        if (after) pthread_mutex_unlock(&work_lock);
        pthread_mutex_lock(&inner_lock);
        pause_us(50);
        pthread_mutex_unlock(&inner_lock);
        if (!after) pthread_mutex_unlock(&work_lock);
        pause_us(500);
    }
    return number;
}
static void *inner_thread(void *number) {
    for (int i = 0; i < 150; i++) {
        pthread_mutex_lock(&inner_lock);
        pause_us(1000);
        pthread_mutex_unlock(&inner_lock);
        pause_us(100);
    }
    return number;
}
static void *either(void *number) { return (long)number < 3 ? outer_thread(number) : inner_thread(number); }
static void nested(void) { repeat(4, either); }

// Work in the hold that can be done outside of it.
static void *shorten_thread(void *number) {
    for (int i = 0; i < 3000; i++) {
        pthread_mutex_lock(&work_lock);
        work(after ? 100000 : 200000);
        pthread_mutex_unlock(&work_lock);
        work(after ? 150000 : 50000);
    }
    return number;
}
static void shorten(void) { repeat(2, shorten_thread); }
static void *idle_thread(void *number) {
    for (int i = 0; i < 150; i++) {
        pthread_mutex_lock(&work_lock);
        work(after ? 50000 : 100000);
        pthread_mutex_unlock(&work_lock);
        pause_us(4000 + 900 * (long)number);
    }
    return number;
}
static void shorten_idle(void) { repeat(2, idle_thread); }

// One acquisition for each item, or for eight.
static unsigned long items;
static void *count_thread(void *number) {
    long batch = after ? 8 : 1;
    for (long i = 0; i < 4000000; i += batch) {
        pthread_mutex_lock(&work_lock);
        items += batch;
        pthread_mutex_unlock(&work_lock);
        for (long j = 0; j < batch; j++) work(60);
    }
    return number;
}
static void less_often(void) { repeat(2, count_thread); }
static void *seldom_thread(void *number) {
    long batch = after ? 8 : 1;
    for (long i = 0; i < 40000; i += batch) {
        pthread_mutex_lock(&work_lock);
        items += batch;
        pthread_mutex_unlock(&work_lock);
        for (long j = 0; j < batch; j++) work(10000);
    }
    return number;
}
static void less_often_seldom(void) { repeat(2, seldom_thread); }

// A table whose keys are independent.
static void *shard_thread(void *number) {
    for (long i = 0; i < 25000; i++) {
        pthread_mutex_t *lock = &table_locks[after ? (i * 7 + (long)number * 5) % 16 : 0];
        pthread_mutex_lock(lock);
        work(20000);
        pthread_mutex_unlock(lock);
        work(4000);
    }
    return number;
}
static void shard(void) { repeat(2, shard_thread); }
// Shards whose holders sleep on one device: the device is the bottleneck, and the keys do not help.
static pthread_mutex_t device = PTHREAD_MUTEX_INITIALIZER;
static void *shard_sleeps_thread(void *number) {
    for (long i = 0; i < 150; i++) {
        pthread_mutex_t *lock = &table_locks[after ? (i * 7 + (long)number * 5) % 16 : 0];
        pthread_mutex_lock(lock);
        pthread_mutex_lock(&device);
        pause_us(1000);
        pthread_mutex_unlock(&device);
        pthread_mutex_unlock(lock);
        work(4000);
    }
    return number;
}
static void shard_sleeps(void) { repeat(4, shard_sleeps_thread); }

// Places that only read, and places that write.
static long table[64];
__attribute__((noinline)) static long lookup_entry(long key) {
    if (after) pthread_rwlock_rdlock(&table_rwlock);
    else pthread_mutex_lock(&work_lock);
    work(20000);
    long value = table[key % 64];
    if (after) pthread_rwlock_unlock(&table_rwlock);
    else pthread_mutex_unlock(&work_lock);
    return value;
}
__attribute__((noinline)) static void update_entry(long key) {
    if (after) pthread_rwlock_wrlock(&table_rwlock);
    else pthread_mutex_lock(&work_lock);
    work(20000);
    table[key % 64]++;
    if (after) pthread_rwlock_unlock(&table_rwlock);
    else pthread_mutex_unlock(&work_lock);
}
static void *reader_thread(void *number) {
    for (long i = 0; i < 25000; i++) {
        if (i % 50 == 0) update_entry(i);
        else atomic_fetch_add(&sink, lookup_entry(i));
        work(4000);
    }
    return number;
}
static void readers(void) { repeat(2, reader_thread); }
static void *writer_thread(void *number) {
    for (long i = 0; i < 25000; i++) {
        update_entry(i);
        work(4000);
    }
    return number;
}
static void readers_write(void) { repeat(2, writer_thread); }

// Short holds that many acquisitions wait for.
static void *short_thread(void *number) {
    for (long i = 0; i < 600000; i++) {
        pthread_mutex_lock(&work_lock);
        work(700);
        pthread_mutex_unlock(&work_lock);
        work(700);
    }
    return number;
}
static void spin_more(void) {
    if (after) {
        pthread_mutexattr_t adaptive;
        pthread_mutexattr_init(&adaptive);
        pthread_mutexattr_settype(&adaptive, PTHREAD_MUTEX_ADAPTIVE_NP);
        pthread_mutex_init(&work_lock, &adaptive);
    }
    repeat(2, short_thread);
}
static void spin_more_long(void) {
    after = 0;
    repeat(2, shorten_thread);
}

// More threads than CPUs, in short holds; and threads that sleep most of the time.
static long share;
static void *crowd_thread(void *number) {
    for (long i = 0; i < share; i++) {
        pthread_mutex_lock(&work_lock);
        work(30000);
        pthread_mutex_unlock(&work_lock);
        work(10000);
    }
    return number;
}
static void fewer_threads(void) {
    int threads = after ? 2 : 16;
    share = 24000 / threads;
    repeat(threads, crowd_thread);
}
static void *sleeper_thread(void *number) {
    for (long i = 0; i < share; i++) {
        pthread_mutex_lock(&work_lock);
        work(2000);
        pthread_mutex_unlock(&work_lock);
        pause_us(5000);
    }
    return number;
}
static void fewer_threads_sleep(void) {
    int threads = after ? 2 : 16;
    share = 1600 / threads;
    repeat(threads, sleeper_thread);
}
static void *alone_thread(void *number) {
    for (long i = 0; i < share; i++) {
        pthread_mutex_lock(&work_lock);
        items++;
        pthread_mutex_unlock(&work_lock);
        work(50000);
    }
    return number;
}
static void more_threads(void) {
    int threads = after ? 2 : 1;
    share = 16000 / threads;
    repeat(threads, alone_thread);
}
static void *bound_thread(void *number) {
    for (long i = 0; i < share; i++) {
        pthread_mutex_lock(&work_lock);
        work(50000);
        pthread_mutex_unlock(&work_lock);
    }
    return number;
}
static void more_threads_bound(void) {
    int threads = after ? 2 : 1;
    share = 16000 / threads;
    repeat(threads, bound_thread);
}

// Threads that spin for a turn that other threads need a CPU to give.
static atomic_long turn;
static void *turn_thread(void *number) {
    for (long i = (long)number; i < 60; i += 6) {
        if (after) {
            pthread_mutex_lock(&work_lock);
            while (atomic_load(&turn) != i) pthread_cond_wait(&there, &work_lock);
            pthread_mutex_unlock(&work_lock);
        } else {
            while (atomic_load_explicit(&turn, memory_order_acquire) != i) {
            }
        }
        work(200000);
        if (after) pthread_mutex_lock(&work_lock);
        atomic_store_explicit(&turn, i + 1, memory_order_release);
        if (after) {
            pthread_cond_broadcast(&there);
            pthread_mutex_unlock(&work_lock);
        }
    }
    return number;
}
static void spin_less(void) { repeat(6, turn_thread); }

// A queue whose producer wakes all consumers for each job.
static long jobs, done;
static atomic_long finished;
static void *consumer(void *number) {
    pthread_mutex_lock(&inner_lock);
    while (!done) {
        if (jobs == 0) {
            pthread_cond_wait(&there, &inner_lock);
            continue;
        }
        jobs--;
        pthread_mutex_unlock(&inner_lock);
        work(20000);
        atomic_fetch_add(&finished, 1);
        pthread_mutex_lock(&inner_lock);
    }
    pthread_mutex_unlock(&inner_lock);
    return number;
}
static void *queue_thread(void *number) {
    if ((long)number > 0) return consumer(number);
    for (int i = 0; i < 500; i++) {
        pthread_mutex_lock(&inner_lock);
        jobs += 4;
        for (int job = 0; after && job < 4; job++) pthread_cond_signal(&there);
        if (!after) pthread_cond_broadcast(&there);
        pthread_mutex_unlock(&inner_lock);
        while (atomic_load(&finished) < 4 * (i + 1)) pause_us(20);
    }
    pthread_mutex_lock(&inner_lock);
    done = 1;
    pthread_cond_broadcast(&there);
    pthread_mutex_unlock(&inner_lock);
    return number;
}
static void wake_fewer(void) { repeat(61, queue_thread); }

// A barrier built from a condition: each thread that is woken has work.
static long arrived, generation;
static void *round_thread(void *number) {
    for (int i = 0; i < 1500; i++) {
        pthread_mutex_lock(&inner_lock);
        long mine = generation;
        if (++arrived == 8) {
            arrived = 0;
            generation++;
            pthread_cond_broadcast(&there);
        }
        while (generation == mine) pthread_cond_wait(&there, &inner_lock);
        pthread_mutex_unlock(&inner_lock);
        work(20000);
    }
    return number;
}
static void wake_fewer_round(void) { repeat(8, round_thread); }

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"move_call", move_call},
    {"move_call_rare", move_call_rare},
    {"move_call_disk", move_call_disk},
    {"input", input},
    {"nested", nested},
    {"shorten", shorten},
    {"shorten_idle", shorten_idle},
    {"less_often", less_often},
    {"less_often_seldom", less_often_seldom},
    {"shard", shard},
    {"shard_sleeps", shard_sleeps},
    {"readers", readers},
    {"readers_write", readers_write},
    {"spin_more", spin_more},
    {"spin_more_long", spin_more_long},
    {"fewer_threads", fewer_threads},
    {"fewer_threads_sleep", fewer_threads_sleep},
    {"more_threads", more_threads},
    {"more_threads_bound", more_threads_bound},
    {"spin_less", spin_less},
    {"wake_fewer", wake_fewer},
    {"wake_fewer_round", wake_fewer_round},
};

int main(int words, char **word) {
    if (words != 3) return 2;
    after = strcmp(word[2], "after") == 0;
    for (int i = 0; i < 16; i++) pthread_mutex_init(&table_locks[i], NULL);
    work(0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (strcmp(cases[i].name, word[1]) == 0) {
            cases[i].run();
            return 0;
        }
    }
    fprintf(stderr, "no case %s\n", word[1]);
    return 2;
}
