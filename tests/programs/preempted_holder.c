// A thread that holds a mutex is kept from running while two others wait for it.
//
// All are bound to one processor. The holder takes the mutex, and holds it until it has computed for a while; busy threads that want
// nothing but the processor take it from the holder meanwhile. It detects that itself: two readings of the clock far apart with only
// arithmetic between them. "gaps=" is how many it saw while it held the lock, "gap_ns=" their length together.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define GAP_NS 500000
#define HOLD_NS 300000000ull
#define TIMES 3

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int stop, held;
static uint64_t gaps, gap_ns;

static uint64_t now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static void *busy(void *argument)
{
	while (!stop)
		;
	return argument;
}

static void *wants(void *argument)
{
	while (!stop) {
		while (!held && !stop)
			usleep(1000);
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
	return argument;
}

int main(void)
{
	pthread_t threads[4];
	char line[16];
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof one, &one);
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("ready\n");
	if (!fgets(line, sizeof line, stdin))
		return 1;
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, i < 2 ? busy : wants, NULL);
	for (int i = 0; i < TIMES; i++) {
		pthread_mutex_lock(&mutex);
		held = 1;
		for (uint64_t began = now_ns(), before = began, now; (now = now_ns()) - began < HOLD_NS; before = now)
			if (now - before > GAP_NS) {
				gaps++;
				gap_ns += now - before;
			}
		held = 0;
		pthread_mutex_unlock(&mutex);
		usleep(20000);
	}
	stop = 1;
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	printf("mutex %lx gaps=%lu gap_ns=%lu\n", (long)&mutex, gaps, gap_ns);
	printf("done\n");
	fgets(line, sizeof line, stdin);
	return 0;
}
