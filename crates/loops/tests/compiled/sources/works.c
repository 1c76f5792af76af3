// Loops that compute. None of them waits for another thread, whatever instruction is sampled.
#include "machine.h"

long work_sum(const long *array, long n) {
    long sum = 0;
    for (long i = 0; i < n; i++)
        sum += array[i];
    return sum;
}

double work_float_sum(const double *array, long n) {
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += array[i] * 0.5;
    return sum;
}

const char *work_memchr(const char *text, int wanted, unsigned long n) {
    for (unsigned long i = 0; i < n; i++)
        if (text[i] == wanted)
            return text + i;
    return 0;
}

unsigned long work_strlen(const char *text) {
    const char *end = text;
    while (*end)
        end++;
    return end - text;
}

int work_strcmp(const char *a, const char *b) {
    while (*a && *a == *b)
        a++, b++;
    return *a - *b;
}

struct entry {
    unsigned long key, value;
};
unsigned long work_probe(const struct entry *table, unsigned long mask, unsigned long key) {
    unsigned long at = key * 0x9E3779B97F4A7C15ul & mask;
    while (table[at].key && table[at].key != key)
        at = (at + 1) & mask;
    return table[at].value;
}

struct list {
    struct list *next;
    long value;
};
long work_chase(const struct list *list, long wanted) {
    while (list && list->value != wanted)
        list = list->next;
    return list ? list->value : 0;
}

void *work_chase_forever(void **at, long n) {
    for (long i = 0; i < n; i++)
        at = *at;
    return at;
}

void work_copy(char *to, const char *from, unsigned long n) {
    for (unsigned long i = 0; i < n; i++)
        to[i] = from[i];
}

void work_fill(volatile int *to, int n) {
    for (int i = 0; i < n; i++)
        to[i] = i;
}

void work_accumulate(volatile long *to, int n) {
    for (int i = 0; i < n; i++)
        *to += i;
}

void work_matrix(double *c, const double *a, const double *b, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

unsigned work_random(unsigned state, int n) {
    for (int i = 0; i < n; i++)
        state = state * 1664525 + 1013904223;
    return state;
}

unsigned long work_xorshift(unsigned long state, int n) {
    while (n--) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
    }
    return state;
}

void work_delay(int n) {
    for (volatile int i = 0; i < n; i++) {
    }
}

void work_pause_delay(int n) {
    while (n-- > 0)
        relax();
}

void work_clock_delay(unsigned long long limit) {
    unsigned long long start = cycles();
    while (cycles() - start < limit)
        relax();
}

unsigned work_gcd(unsigned a, unsigned b) {
    while (b) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

int work_primes(unsigned n) {
    int found = 0;
    for (unsigned i = 2; i < n; i++) {
        int prime = 1;
        for (unsigned k = 2; k * k <= i; k++)
            if (i % k == 0)
                prime = 0;
        found += prime;
    }
    return found;
}

double work_newton(double x) {
    double y = x;
    for (int i = 0; i < 100; i++)
        y = 0.5 * (y + x / y);
    return y;
}

int work_mandelbrot(double a, double b) {
    double x = 0, y = 0;
    int i = 0;
    while (x * x + y * y < 4 && i < 1000) {
        double next = x * x - y * y + a;
        y = 2 * x * y + b;
        x = next;
        i++;
    }
    return i;
}

// A byte-code interpreter.
long work_interpreter(const unsigned char *code, long *stack) {
    long *top = stack;
    for (;;) {
        switch (*code++) {
        case 0: return top[-1];
        case 1: *top++ = *code++; break;
        case 2: top--; top[-1] += *top; break;
        case 3: top--; top[-1] *= *top; break;
        case 4: if (*--top) code += (signed char)*code; else code++; break;
        case 5: top[0] = top[-1]; top++; break;
        }
    }
}

// A parser driven by a table.
int work_table_parser(const unsigned char *text, const unsigned char (*table)[256]) {
    unsigned char state = 0;
    while (state < 200)
        state = table[state][*text++];
    return state;
}

unsigned work_checksum(const unsigned char *data, unsigned long n, const unsigned *table) {
    unsigned sum = ~0u;
    while (n--)
        sum = table[(sum ^ *data++) & 255] ^ sum >> 8;
    return ~sum;
}

long work_binary_search(const long *array, long n, long key) {
    long low = 0, high = n;
    while (low < high) {
        long middle = low + (high - low) / 2;
        if (array[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void work_sort(int *array, int n) {
    for (int i = 1; i < n; i++) {
        int value = array[i], k = i;
        while (k > 0 && array[k - 1] > value) {
            array[k] = array[k - 1];
            k--;
        }
        array[k] = value;
    }
}

// Work that asks in each round whether it should stop.
volatile int stop;
double work_until_stopped(double x) {
    while (!stop)
        x = x * 1.0000001 + 0.5;
    return x;
}

long work_jobs(struct list *volatile *jobs, long *results) {
    long done = 0;
    while (!stop) {
        struct list *job = *jobs;
        if (!job)
            break;
        results[done++] = job->value;
        *jobs = job->next;
    }
    return done;
}

// An atomic counter, alone in its loop, and an update that is repeated until no other thread disturbs it.
void work_count(atomic_long *counter, int n) {
    for (int i = 0; i < n; i++)
        atomic_fetch_add(counter, 1);
}

void work_maximum(atomic_long *most, long value) {
    long now = atomic_load(most);
    while (now < value && !atomic_compare_exchange_weak(most, &now, value)) {
    }
}

void work_push(struct list *_Atomic *head, struct list *item) {
    struct list *now = atomic_load_explicit(head, memory_order_relaxed);
    do
        item->next = now;
    while (!atomic_compare_exchange_weak(head, &now, item));
}

void work_update(atomic_ulong *word, int n) {
    unsigned long now = atomic_load(word);
    while (!atomic_compare_exchange_weak(word, &now, now * 3 + n)) {
    }
}

// A bound that is read in each round.
struct vector {
    long *data;
    volatile long length;
};
long work_bound(struct vector *vector) {
    long sum = 0;
    for (long i = 0; i < vector->length; i++)
        sum += vector->data[i];
    return sum;
}

NEVER_INLINE long step(long *state) {
    *state = *state * 6364136223846793005l + 1442695040888963407l;
    return *state >> 33;
}
volatile long generator;
long work_called(int n) {
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += step((long *)&generator);
    return sum;
}

unsigned long work_hash(const unsigned char *text) {
    unsigned long hash = 5381;
    while (*text)
        hash = hash * 33 + *text++;
    return hash;
}

void work_system_calls(int file, char *buffer) {
    while (read_file(file, buffer, 64) > 0) {
    }
}

long work_fibonacci(int n) {
    return n < 2 ? n : work_fibonacci(n - 1) + work_fibonacci(n - 2);
}
