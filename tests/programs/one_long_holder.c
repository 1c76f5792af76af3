// One thread holds a lock for 200 ms at a time; four others take it for a moment each, and so wait for the first nearly always. What was
// the owner when a wait began is mostly one of the four.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t account = PTHREAD_MUTEX_INITIALIZER;

static void *holds_long(void *argument)
{
	for (;;) {
		pthread_mutex_lock(&account);
		usleep(200000);
		pthread_mutex_unlock(&account);
		usleep(1000);
	}
	return argument;
}

static void *holds_shortly(void *argument)
{
	for (;;) {
		pthread_mutex_lock(&account);
		usleep(70);
		pthread_mutex_unlock(&account);
	}
	return argument;
}

int main(void)
{
	pthread_t thread;
	char line[16];

	pthread_create(&thread, NULL, holds_long, NULL);
	for (int i = 0; i < 4; i++)
		pthread_create(&thread, NULL, holds_shortly, NULL);
	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof line, stdin))
		;
	exit(0);
}
