// Waits for one mutex at the end of calls whose return addresses it says: what a stack of that wait must hold, in order.
//
// Says "ready". For each line that it reads it plays one round, and says "done": "lock ADDRESS", and "call ADDRESS" for each call,
// innermost first. The word on the command line says what stands between the calls:
//
//   plain     nothing
//   aligned   a function that aligns its stack, and one whose frame has no fixed size
//   handler   a signal's handler
//   deep      a hundred calls of one function
//   plugin    functions of PLUGIN (the second word), which the first line makes it load: no wait in that round
#define _GNU_SOURCE
#include <alloca.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef PLUGIN
// Compiled again as a library: calls back with two frames of its own below.
__attribute__((noinline)) static int inner(int (*back)(void), volatile int *keep) { return back() + *keep; }
int plugin(int (*back)(void), uintptr_t *call)
{
	volatile int keep[9] = {1};

	*call = (uintptr_t)__builtin_return_address(0);
	return inner(back, keep) + keep[0];
}
#else

#define CALLS 8

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uintptr_t calls[CALLS];
static atomic_int arriving, waiter;

// Is not a leaf, and does work after each call: none of the calls is a jump.
__attribute__((noinline)) static int f3(int n)
{
	volatile char keep[24] = {n};

	calls[0] = (uintptr_t)__builtin_return_address(0);
	atomic_store(&arriving, 1);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return keep[0] + n;
}

__attribute__((noinline)) static int f2(int n)
{
	volatile char keep[120] = {n};

	calls[1] = (uintptr_t)__builtin_return_address(0);
	return f3(n + 1) + keep[0];
}

__attribute__((noinline)) static int f1(int n)
{
	volatile char keep[40] = {n};

	calls[2] = (uintptr_t)__builtin_return_address(0);
	return f2(n + 1) + keep[0];
}

__attribute__((noinline)) static int aligned(int n)
{
	_Alignas(64) volatile char keep[64] = {n};

	calls[3] = (uintptr_t)__builtin_return_address(0);
	return f1(n + 1) + keep[0] + ((uintptr_t)keep % 64 != 0);
}

__attribute__((noinline)) static int sized(int n)
{
	volatile char *keep = alloca(100 + 8 * n);

	keep[0] = n;
	calls[4] = (uintptr_t)__builtin_return_address(0);
	return aligned(n + 1) + keep[0];
}

static void handler(int signal)
{
	calls[3] = 0;
	f1(signal);
}

__attribute__((noinline)) static int raising(int n)
{
	volatile char keep[24] = {n};

	calls[4] = (uintptr_t)__builtin_return_address(0);
	raise(SIGUSR1);
	return keep[0];
}

__attribute__((noinline)) static int raised(int n)
{
	volatile char keep[56] = {n};

	calls[5] = (uintptr_t)__builtin_return_address(0);
	return raising(n + 1) + keep[0];
}

__attribute__((noinline)) static int deep(int n)
{
	volatile char keep[24] = {n};

	return (n ? deep(n - 1) : f1(n)) + keep[0];
}

static int (*plugin)(int (*)(void), uintptr_t *);

static int from_plugin(void)
{
	volatile char keep[24] = {1};

	// How the function between went on is not ours to say: the one below it is the plugin's caller.
	calls[3] = 0;
	return f1(1) + keep[0];
}

static const char *kind;

static void *wait_once(void *unused)
{
	(void)unused;
	memset(calls, 0, sizeof(calls));
	atomic_store(&waiter, syscall(SYS_gettid));
	if (!strcmp(kind, "aligned"))
		sized(1);
	else if (!strcmp(kind, "handler"))
		raised(1);
	else if (!strcmp(kind, "deep"))
		deep(100);
	else if (!strcmp(kind, "plugin"))
		plugin(from_plugin, &calls[4]);
	else
		f1(1);
	return 0;
}

// Until the waiter sleeps behind the mutex.
static void await_waiter(void)
{
	char path[64], state = 0;

	while (!atomic_load(&arriving))
		usleep(1000);
	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", atomic_load(&waiter));
	while (state != 'S') {
		FILE *file = fopen(path, "r");

		if (!file || fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
			abort();
		fclose(file);
		usleep(1000);
	}
}

int main(int count, char **words)
{
	char line[64];

	kind = count > 1 ? words[1] : "plain";
	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGUSR1, handler);
	puts("ready");
	while (fgets(line, sizeof(line), stdin)) {
		pthread_t thread;

#ifndef WITHOUT_PLUGINS
		if (!strcmp(kind, "plugin") && !plugin) {
			void *library = dlopen(words[2], RTLD_NOW);

			plugin = library ? (int (*)(int (*)(void), uintptr_t *))dlsym(library, "plugin") : NULL;
			if (!plugin)
				abort();
			puts("done");
			continue;
		}
#endif
		atomic_store(&arriving, 0);
		pthread_mutex_lock(&lock);
		pthread_create(&thread, NULL, wait_once, NULL);
		await_waiter();
		pthread_mutex_unlock(&lock);
		pthread_join(thread, NULL);
		printf("lock %lx\n", (unsigned long)&lock);
		for (int i = 0; i < CALLS; i++)
			if (calls[i])
				printf("call %lx\n", (unsigned long)calls[i]);
		puts("done");
	}
	return 0;
}
#endif
