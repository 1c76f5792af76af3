/* A lock and a function with symbols that a test overwrites, in the built program, with terminal
 * escape codes of the same length. */
#include <pthread.h>

pthread_mutex_t evil_XXXXX_lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) void evil_XXXXX_path(void) {
    pthread_mutex_lock(&evil_XXXXX_lock);
    pthread_mutex_unlock(&evil_XXXXX_lock);
}

int main(void) {
    evil_XXXXX_path();
    return 0;
}
