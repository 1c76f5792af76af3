// Threads that wait for a lock, and for what they need to be made, until standard input ends; for a program without shared libraries.
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

pthread_mutex_t counter_lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int over, counter;

static void sleep_us(long us)
{
	struct timespec time = {us / 1000000, us % 1000000 * 1000};

	nanosleep(&time, NULL);
}

__attribute__((noinline)) void update_counter(void)
{
	pthread_mutex_lock(&counter_lock);
	sleep_us(1000);
	counter++;
	pthread_mutex_unlock(&counter_lock);
}

static void *work(void *unused)
{
	while (!over)
		update_counter();
	return unused;
}

int main(void)
{
	pthread_t threads[3];
	char byte;

	for (int i = 0; i < 3; i++)
		if (pthread_create(&threads[i], NULL, work, NULL))
			return 1;
	puts("ready");
	fflush(stdout);
	while (read(0, &byte, 1) > 0)
		;
	over = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
