// Starts threads that compute and end, and ends soon after: whoever watches has nobody to ask what they used. It says "ready", works when a
// line comes, and prints how much processor time each thread used ("used" nanoseconds), and that all are over ("over").
#include <pthread.h>
#include <stdio.h>
#include <stdint.h>
#include <time.h>

#define THREADS 3

static uint64_t own_time_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static void *computes(void *used)
{
	while (own_time_ns() < 60000000)
		;
	*(uint64_t *)used = own_time_ns();
	return used;
}

int main(void)
{
	pthread_t threads[THREADS];
	uint64_t used[THREADS];
	char line[16];

	puts("ready");
	fflush(stdout);
	if (!fgets(line, sizeof line, stdin))
		return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, computes, &used[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < THREADS; i++)
		printf("used %llu\n", (unsigned long long)used[i]);
	puts("over");
	return 0;
}
