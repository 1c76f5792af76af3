// Four threads take `shared` at two places: 200 us at site_long, 50 us at site_short, as often here as there. They are
// asleep meanwhile, so that the others wait for them however many processors there are. Each keeps a log of when it came, got the lock and left it, and the blame is worked out from the logs: for each wait, how much of it
// lies within whose hold. Time that lies in nobody's hold (the next one was waking up) is shared out in proportion.
//
// Prints the number of waits that were surely waits, and the blame in ns by waiter and holder.
#include "measure.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>

enum { THREADS = 4, MOST_TURNS = 4000 };

struct turn {
    long long came_ns, got_ns, left_ns;
    int is_long;
};

static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;
static struct turn logs[THREADS][MOST_TURNS];
static int turns = 400;

__attribute__((noinline)) static void site_long(struct turn *turn) {
    turn->came_ns = now_ns();
    pthread_mutex_lock(&shared);
    turn->got_ns = now_ns();
    sleep_ns(200000);
    turn->left_ns = now_ns();
    pthread_mutex_unlock(&shared);
}

__attribute__((noinline)) static void site_short(struct turn *turn) {
    turn->came_ns = now_ns();
    pthread_mutex_lock(&shared);
    turn->got_ns = now_ns();
    sleep_ns(50000);
    turn->left_ns = now_ns();
    pthread_mutex_unlock(&shared);
}

static void *work(void *argument) {
    struct turn *log = argument;
    // Sleeps end when they should, and not up to 50 us later.
    prctl(PR_SET_TIMERSLACK, 1);
    unsigned state = (unsigned)(log - logs[0]) + 1;
    for (int i = 0; i < turns; i++) {
        state = state * 1664525 + 1013904223;
        log[i].is_long = state >> 31;
        if (log[i].is_long)
            site_long(&log[i]);
        else
            site_short(&log[i]);
        // Lets another have it now and then, and comes back at an odd time.
        sleep_ns(20000 + (state >> 16));
    }
    return NULL;
}

int main(int argc, char **argv) {
    if (argc > 1) turns = atoi(argv[1]);
    if (turns > MOST_TURNS) return 2;
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, logs[i]);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);

    double blame[2][2] = {{0}};
    long waits = 0;
    for (int w = 0; w < THREADS; w++)
        for (int i = 0; i < turns; i++) {
            const struct turn *waiter = &logs[w][i];
            double within[2] = {0};
            for (int h = 0; h < THREADS; h++)
                for (int k = 0; k < turns && h != w; k++) {
                    const struct turn *holder = &logs[h][k];
                    long long from = holder->got_ns > waiter->came_ns ? holder->got_ns : waiter->came_ns;
                    long long to = holder->left_ns < waiter->got_ns ? holder->left_ns : waiter->got_ns;
                    if (to > from) within[holder->is_long] += (double)(to - from);
                }
            double all = within[0] + within[1];
            if (all == 0) continue;
            waits++;
            for (int holder = 0; holder < 2; holder++)
                blame[waiter->is_long][holder] += within[holder] / all * (double)(waiter->got_ns - waiter->came_ns);
        }
    answer("waits", waits);
    answer("short_for_short", (long long)blame[0][0]);
    answer("short_for_long", (long long)blame[0][1]);
    answer("long_for_short", (long long)blame[1][0]);
    answer("long_for_long", (long long)blame[1][1]);
    return 0;
}
