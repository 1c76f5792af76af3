// Computes without waiting, in one of several ways: the first argument. `record` must call none of it spinning.
#include "measure.h"
#include <stdlib.h>

static volatile long sink;
static long long end_ns;

static int goes_on(void) { return clock_ns(CLOCK_PROCESS_CPUTIME_ID) < end_ns; }

static void search(void) {
    enum { LENGTH = 1 << 20 };
    char *text = malloc(LENGTH);
    memset(text, 'a', LENGTH - 1);
    text[LENGTH - 1] = 0;
    while (goes_on()) {
        sink += (long)strstr(text, "ab") + (memchr(text, 'b', LENGTH - 1) != NULL);
        for (long i = 0; text[i]; i++)
            sink += text[i] == 'c';
    }
}

static void sums(void) {
    enum { LENGTH = 1 << 18 };
    double *numbers = calloc(LENGTH, sizeof *numbers);
    while (goes_on()) {
        double sum = 0;
        for (long i = 0; i < LENGTH; i++)
            sum += numbers[i];
        sink += sum;
    }
}

static void table(void) {
    enum { SIZE = 1 << 16 };
    unsigned long *keys = calloc(SIZE, sizeof *keys);
    unsigned long key = 1;
    for (long i = 0; i < SIZE / 2; i++) {
        key = key * 6364136223846793005ul + 1442695040888963407ul;
        unsigned long at = key >> 48;
        while (keys[at])
            at = (at + 1) % SIZE;
        keys[at] = key;
    }
    while (goes_on())
        for (long i = 0; i < SIZE; i++) {
            key = key * 6364136223846793005ul + 1442695040888963407ul;
            unsigned long at = key >> 48;
            while (keys[at] && keys[at] != key)
                at = (at + 1) % SIZE;
            sink += keys[at] != 0;
        }
}

static void chase(void) {
    enum { LENGTH = 1 << 20 };
    void **all = malloc(LENGTH * sizeof *all);
    for (long i = 0; i < LENGTH; i++)
        all[i] = &all[(i * 0x9E3779B1ul + 0x7F4A7C15ul) % LENGTH];
    void **at = all;
    while (goes_on()) {
        for (long i = 0; i < LENGTH; i++)
            at = *at;
        sink += (long)at;
    }
}

static void matrix(void) {
    enum { SIZE = 192 };
    static double a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            a[i][j] = (i + j) % 7 + 1;
            b[i][j] = (i + j) % 5 + 1;
        }
    while (goes_on()) {
        // Other factors in each round: a product of constants would be computed once, or never.
        a[1][1] += 1;
        for (int i = 0; i < SIZE; i++)
            for (int j = 0; j < SIZE; j++) {
                double sum = 0;
                for (int k = 0; k < SIZE; k++)
                    sum += a[i][k] * b[k][j];
                c[i][j] = sum;
            }
        sink += c[1][1];
    }
}

static void interpreter(void) {
    // push 3, push 4, multiply, add to the counter, jump back until the counter is used up, stop
    static const unsigned char code[] = {1, 3, 1, 4, 3, 2, 5, 4, 0};
    while (goes_on())
        for (int run = 0; run < 1000; run++) {
            long stack[64], left = 50, *top = stack;
            *top++ = 0;
            for (const unsigned char *at = code;;)
                switch (*at++) {
                case 1: *top++ = *at++; continue;
                case 2: top--; top[-1] += *top; continue;
                case 3: top--; top[-1] *= *top; continue;
                case 5: left--; continue;
                case 4: if (left > 0) { at = code; } continue;
                default: sink += top[-1]; goto done;
                }
        done:;
        }
}

// A delay in arithmetic, and a random-number generator: no memory at all.
static void numbers(void) {
    unsigned long state = 1;
    while (goes_on()) {
        for (long i = 0; i < 1000000; i++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
        }
        sink += state;
    }
}

static const struct {
    const char *name;
    void (*work)(void);
} ways[] = {
    {"search", search}, {"sums", sums},   {"table", table},     {"chase", chase},
    {"matrix", matrix}, {"interpreter", interpreter}, {"numbers", numbers},
};

int main(int count, char **arguments) {
    for (long i = 0; i < (long)(sizeof ways / sizeof *ways); i++)
        if (count > 1 && strcmp(ways[i].name, arguments[1]) == 0) {
            end_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) + 800000000LL;
            ways[i].work();
            printf("spun_ns 0\n");
            printf("cpu_ns %lld\n", clock_ns(CLOCK_PROCESS_CPUTIME_ID));
            return 0;
        }
    return 2;
}
