// Two threads that wait for each other for good, before anybody watches: each holds one mutex and wants the other.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both_hold_one;

static void *left_then_right(void *argument)
{
	pthread_mutex_lock(&left);
	pthread_barrier_wait(&both_hold_one);
	pthread_mutex_lock(&right);
	return argument;
}

static void *right_then_left(void *argument)
{
	pthread_mutex_lock(&right);
	pthread_barrier_wait(&both_hold_one);
	pthread_mutex_lock(&left);
	return argument;
}

int main(void)
{
	pthread_t threads[2];
	char line[16];

	pthread_barrier_init(&both_hold_one, NULL, 2);
	pthread_create(&threads[0], NULL, left_then_right, NULL);
	pthread_create(&threads[1], NULL, right_then_left, NULL);
	// Long enough for both to sleep, however busy the machine is: a test that comes earlier only sees them fall asleep.
	usleep(100000);
	puts("ready");
	fflush(stdout);
	// Until the reader goes away.
	while (fgets(line, sizeof line, stdin))
		;
	exit(0);
}
