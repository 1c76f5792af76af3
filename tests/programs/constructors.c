// Acquires a mutex three times in a constructor, twice in main and once in a destructor, the latest and earliest there
// are for a program.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void acquire(int times) {
    for (int i = 0; i < times; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
}

__attribute__((constructor(101))) static void early(void) { acquire(3); }
__attribute__((destructor(101))) static void late(void) { acquire(1); }

int main(void) {
    acquire(2);
    puts("main ran");
    return 0;
}
