// A mark, PAIRS warm pairs of acquisition and release, and a mark. A second thread is alive, since the C library does without atomics
// while there is one thread. Usage: stepped_pairs WARM PAIRS
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define MARK() __asm__ volatile("int3" ::: "memory")

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *sleep_for_ever(void *nothing)
{
	for (;;)
		pause();
	return nothing;
}

// Inlined, so that the first call behind a mark is that of an acquisition.
static inline __attribute__((always_inline)) void pairs(long count)
{
	for (long i = 0; i < count; i++) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
}

int main(int argc, char **argv)
{
	pthread_t sleeper;

	if (argc != 3 || pthread_create(&sleeper, 0, sleep_for_ever, 0))
		return 2;
	long warm = atol(argv[1]), stepped = atol(argv[2]);
	// The same calls before the first mark and behind it, as places to which they return.
	for (int round = 0; round < 2; round++) {
		pairs(round ? stepped : warm);
		MARK();
	}
	_exit(0);
}
