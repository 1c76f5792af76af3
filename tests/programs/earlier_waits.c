// Threads that wait by futex before anybody watches, each in a way of its own, and whose waits end while somebody does.
// It says "ready" once all wait. After a line of input each wait is ended, and it says of each: "word", its name and its address. "done" is
// the last line; the program ends when standard input does. The argument is the time after which the one with a deadline gives up, in seconds.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NR_FUTEX_WAITV 449

enum { WOKEN, DEADLINE, INTERRUPTED, TAKEN_UP_AGAIN, INHERITED, SEVERAL, WAYS };

static const char *names[WAYS] = {"woken", "deadline", "interrupted", "taken_up_again", "inherited", "several"};
static uint32_t words[WAYS][16];
static pid_t numbers[WAYS];
static pthread_t threads[WAYS];
static int seconds;

static long futex(uint32_t *word, int op, uint32_t value, void *timeout)
{
	return syscall(SYS_futex, word, op | FUTEX_PRIVATE_FLAG, value, timeout, NULL, 0);
}

static void *wait_in_a_way(void *argument)
{
	long way = (long)argument;
	struct timespec left = {.tv_sec = seconds};
	struct {
		uint64_t value, word;
		uint32_t flags, padding;
	} list[1] = {{0, (uintptr_t)words[way], 2 | FUTEX_PRIVATE_FLAG, 0}};

	__atomic_store_n(&numbers[way], gettid(), __ATOMIC_RELEASE);
	if (way == INHERITED)
		futex(words[way], FUTEX_LOCK_PI, 0, NULL);
	else if (way == SEVERAL)
		syscall(NR_FUTEX_WAITV, list, 1, 0, NULL, 0);
	else
		futex(words[way], FUTEX_WAIT, 0, way == DEADLINE ? &left : NULL);
	return NULL;
}

static void nothing(int signal)
{
}

static void handle(int signal, int flags)
{
	struct sigaction action = {.sa_handler = nothing, .sa_flags = flags};

	sigaction(signal, &action, NULL);
}

static int sleeps(pid_t number)
{
	char path[64], line[256] = "";
	snprintf(path, sizeof path, "/proc/self/task/%d/stat", number);
	FILE *file = fopen(path, "r");
	int in_it = file && fgets(line, sizeof line, file) && strstr(line, ") S ");

	if (file)
		fclose(file);
	return in_it;
}

static void until_asleep(int way)
{
	while (!__atomic_load_n(&numbers[way], __ATOMIC_ACQUIRE) || !sleeps(numbers[way]))
		usleep(1000);
}

int main(int count, char **arguments)
{
	char line[16];

	seconds = count > 1 ? atoi(arguments[1]) : 3;
	handle(SIGUSR1, 0);
	handle(SIGUSR2, SA_RESTART);
	words[INHERITED][0] = gettid();
	for (long way = 0; way < WAYS; way++) {
		pthread_create(&threads[way], NULL, wait_in_a_way, (void *)way);
		until_asleep(way);
	}
	printf("ready\n");
	fflush(stdout);
	if (!fgets(line, sizeof line, stdin))
		return 0;
	pthread_kill(threads[INTERRUPTED], SIGUSR1);
	pthread_kill(threads[TAKEN_UP_AGAIN], SIGUSR2);
	usleep(50000);
	futex(words[WOKEN], FUTEX_WAKE, 1, NULL);
	futex(words[TAKEN_UP_AGAIN], FUTEX_WAKE, 1, NULL);
	futex(words[SEVERAL], FUTEX_WAKE, 1, NULL);
	futex(words[INHERITED], FUTEX_UNLOCK_PI, 0, NULL);
	for (int way = 0; way < WAYS; way++) {
		pthread_join(threads[way], NULL);
		printf("word %s %lx\n", names[way], (unsigned long)words[way]);
	}
	printf("done\n");
	fflush(stdout);
	fgets(line, sizeof line, stdin);
	return 0;
}
