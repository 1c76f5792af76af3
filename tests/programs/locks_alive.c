// LOCKS mutexes alive at once, each acquired ROUNDS times, from one place, one after the other.
//
// Answer: LOCKS locks with ROUNDS acquisitions each. Prints the resident memory it gained while acquiring, in KiB.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long resident_kib(void) {
    char line[256];
    long kib = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status)) {
        if (strncmp(line, "VmRSS:", 6) == 0) kib = atol(line + 6);
    }
    if (status) fclose(status);
    return kib;
}

int main(int argc, char **argv) {
    long locks = argc > 1 ? atol(argv[1]) : 1000;
    int rounds = argc > 2 ? atoi(argv[2]) : 2;
    pthread_mutex_t *mutexes = malloc(locks * sizeof *mutexes);
    for (long i = 0; i < locks; i++) pthread_mutex_init(&mutexes[i], NULL);
    long before = resident_kib();
    for (int round = 0; round < rounds; round++) {
        for (long i = 0; i < locks; i++) {
            pthread_mutex_lock(&mutexes[i]);
            pthread_mutex_unlock(&mutexes[i]);
        }
    }
    fprintf(stderr, "%ld\n", resident_kib() - before);
    puts("done");
    return 0;
}
