// The same work again and again, on command: each line on standard input runs one batch, and what it took comes out, by the clock and in
// processor time: "took ns= cpu_ns=", then "done".
// The first argument says what it consists of; the second, how much of it; the third, how long the computing between two calls is.
//
//   mutex     four threads that contend for a pthread mutex, with short holds
//   asleep    the same, and the holder sleeps for 20 us with it: whoever comes meanwhile waits, however busy the machine
//   pairs     two threads that pass a token by futex: each call sleeps or wakes
//   wakes     wakes that nobody waits for
//   again     waits whose word has changed
//   alone     a pthread mutex that nobody else wants, while a second thread exists
//   other     getppid(2): no futex call
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uint32_t word;
static unsigned between;

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static void compute(unsigned steps)
{
	uint64_t value = steps;

	for (unsigned i = 0; i < steps; i++) {
		value = value * 6364136223846793005ull + 1442695040888963407ull;
		// Or the compiler leaves it out.
		__asm__ volatile("" : "+r"(value));
	}
}

static long futex(int op, uint32_t value)
{
	return syscall(SYS_futex, &word, op | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

struct part {
	uint64_t times;
	uint32_t mine;
};

static void *contend(void *argument)
{
	struct part *part = argument;

	for (uint64_t i = 0; i < part->times; i++) {
		pthread_mutex_lock(&mutex);
		compute(between / 3);
		pthread_mutex_unlock(&mutex);
		compute(between);
	}
	return NULL;
}

static void *contend_asleep(void *argument)
{
	struct part *part = argument;

	for (uint64_t i = 0; i < part->times; i++) {
		pthread_mutex_lock(&mutex);
		usleep(20);
		pthread_mutex_unlock(&mutex);
		compute(between);
	}
	return NULL;
}

static void *pass(void *argument)
{
	struct part *part = argument;

	for (uint64_t i = 0; i < part->times; i++) {
		while (__atomic_load_n(&word, __ATOMIC_ACQUIRE) != part->mine)
			futex(FUTEX_WAIT, !part->mine);
		compute(between);
		__atomic_store_n(&word, !part->mine, __ATOMIC_RELEASE);
		futex(FUTEX_WAKE, 1);
	}
	return NULL;
}

static void *sleep_for_ever(void *argument)
{
	for (;;)
		pause();
	return argument;
}

static void together(void *(*body)(void *), int threads, uint64_t times)
{
	pthread_t started[4];
	struct part parts[4];

	for (int i = 0; i < threads; i++) {
		parts[i] = (struct part){times / threads, i};
		pthread_create(&started[i], NULL, body, &parts[i]);
	}
	for (int i = 0; i < threads; i++)
		pthread_join(started[i], NULL);
}

static void one(const char *kind)
{
	if (!strcmp(kind, "wakes")) {
		futex(FUTEX_WAKE, 1);
	} else if (!strcmp(kind, "again")) {
		futex(FUTEX_WAIT, 1);
	} else if (!strcmp(kind, "alone")) {
		pthread_mutex_lock(&mutex);
		compute(4);
		pthread_mutex_unlock(&mutex);
	} else {
		getppid();
	}
	compute(between);
}

int main(int count, char **words)
{
	char line[16];
	pthread_t second;

	if (count != 4)
		return 2;
	const char *kind = words[1];
	uint64_t times = strtoull(words[2], NULL, 10);
	between = strtoul(words[3], NULL, 10);
	setvbuf(stdout, NULL, _IOLBF, 0);
	pthread_create(&second, NULL, sleep_for_ever, NULL);
	printf("ready\n");
	while (fgets(line, sizeof line, stdin)) {
		uint64_t began_ns = now_ns(CLOCK_MONOTONIC), cpu_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID);

		word = 0;
		if (!strcmp(kind, "mutex"))
			together(contend, 4, times);
		else if (!strcmp(kind, "asleep"))
			together(contend_asleep, 4, times);
		else if (!strcmp(kind, "pairs"))
			together(pass, 2, times);
		else
			for (uint64_t i = 0; i < times; i++)
				one(kind);
		cpu_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_ns;
		printf("took ns=%lu cpu_ns=%lu\ndone\n", (unsigned long)(now_ns(CLOCK_MONOTONIC) - began_ns), (unsigned long)cpu_ns);
	}
	return 0;
}
