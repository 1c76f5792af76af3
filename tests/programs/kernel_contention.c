// Threads that contend for one lock of the kernel's, and the time they spent in the calls that take it.
//
//     kernel_contention pipe THREADS TIMES    all write to one pipe: its mutex
//     kernel_contention map THREADS TIMES     all map and unmap memory: mmap_lock
//     kernel_contention pipe THREADS 0        until it is ended
//
// Prints "calls N" and "in_calls_ns N".
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static int pipe_ends[2];
static int is_pipe;
static long times;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void *work(void *spent)
{
	char bytes[512] = {0};
	uint64_t began = now_ns();

	for (long i = 0; times == 0 || i < times; i++) {
		if (is_pipe) {
			if (write(pipe_ends[1], bytes, sizeof(bytes)) != sizeof(bytes))
				fail("write");
		} else {
			size_t length = 64 << 10;
			char *memory = mmap(0, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

			if (memory == MAP_FAILED)
				fail("mmap");
			memory[0] = 1;
			munmap(memory, length);
		}
	}
	*(uint64_t *)spent = now_ns() - began;
	return 0;
}

static void *drain(void *unused)
{
	static char bytes[64 << 10];

	(void)unused;
	while (read(pipe_ends[0], bytes, sizeof(bytes)) > 0)
		;
	return 0;
}

int main(int count, char **words)
{
	if (count != 4)
		return 2;
	is_pipe = strcmp(words[1], "pipe") == 0;
	int threads = atoi(words[2]);
	times = atol(words[3]);
	if (pipe(pipe_ends))
		fail("pipe");
	pthread_t reader, all[threads];
	uint64_t spent[threads], sum = 0;

	pthread_create(&reader, 0, drain, 0);
	for (int i = 0; i < threads; i++)
		pthread_create(&all[i], 0, work, &spent[i]);
	for (int i = 0; i < threads; i++) {
		pthread_join(all[i], 0);
		sum += spent[i];
	}
	close(pipe_ends[1]);
	pthread_join(reader, 0);
	printf("calls %ld\nin_calls_ns %llu\n", threads * times, (unsigned long long)sum);
	return 0;
}
