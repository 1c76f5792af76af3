// Threads that contend for one lock of the kernel's, and the time they spent in the calls that take it.
//
//     kernel_contention rename THREADS TIMES    all move a file between two folders, made where it is started: the mutex of the file system
//                                               for such moves
//     kernel_contention map THREADS TIMES       all map and unmap memory: mmap_lock
//
// Zero TIMES are as many as there is time for.
// Prints "calls N" and "in_calls_ns N".
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int is_rename;
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
	char names[2][64];
	uint64_t began = now_ns();

	for (int folder = 0; folder < 2; folder++)
		snprintf(names[folder], sizeof(names[folder]), "%c/%lx", 'a' + folder, (unsigned long)pthread_self());
	if (is_rename) {
		FILE *file = fopen(names[0], "w");

		if (!file)
			fail(names[0]);
		fclose(file);
	}
	for (long i = 0; times == 0 || i < times; i++) {
		if (is_rename) {
			if (rename(names[i % 2], names[(i + 1) % 2]))
				fail("rename");
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

int main(int count, char **words)
{
	if (count != 4)
		return 2;
	is_rename = strcmp(words[1], "rename") == 0;
	int threads = atoi(words[2]);
	times = atol(words[3]);
	if (is_rename) {
		mkdir("a", 0777);
		mkdir("b", 0777);
	}
	pthread_t all[threads];
	uint64_t spent[threads], sum = 0;

	for (int i = 0; i < threads; i++)
		pthread_create(&all[i], 0, work, &spent[i]);
	for (int i = 0; i < threads; i++) {
		pthread_join(all[i], 0);
		sum += spent[i];
	}
	printf("calls %ld\nin_calls_ns %llu\n", threads * times, (unsigned long long)sum);
	return 0;
}
