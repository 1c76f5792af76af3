// Two threads that pass a turn to each other by yielding on one processor: nearly all of their context switches are yields, and the kernel
// counts these as involuntary. "yields" is how often both yielded together. With an argument it says "ready" first, and plays on until it is
// ended. With BY_PTHREAD_YIELD, they call pthread_yield(3), which glibc since 2.34 has only for programs that were linked before, such as
// Debian's sysbench.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

#ifdef BY_PTHREAD_YIELD
int pthread_yield_of_old(void);
__asm__(".symver pthread_yield_of_old, pthread_yield@GLIBC_2.2.5");
#define YIELD pthread_yield_of_old
#else
#define YIELD sched_yield
#endif

static int turns = 2000;
static volatile int turn;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned long yields[2];

static void *player(void *argument)
{
	int own = (int)(long)argument;

	for (int i = 0; i != turns; i++) {
		while (turn != own) {
			YIELD();
			yields[own]++;
		}
		// The recorder shows nothing of programs without locks.
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
		turn = !own;
	}
	return argument;
}

int main(int count, char **words)
{
	pthread_t threads[2];
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof one, &one);
	if (count > 1) {
		puts("ready");
		fflush(stdout);
		turns = -1;
	}
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, player, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("yields %lu\n", yields[0] + yields[1]);
	return words == 0;
}
