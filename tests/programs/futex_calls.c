// Makes futex calls of every kind, counts how each ended, and measures its own waits.
//
// Two threads sleep in a futex before a line arrives on standard input; then everything happens; what a watcher must find comes out, a line a
// word: its name, its address, and counts. "done" is the last line; the program ends when standard input does.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FUTEX2_32_PRIVATE (2 | 128)
#define NR_WAITV 449
#define NR_WAKE2 454
#define NR_WAIT2 455
#define NR_REQUEUE2 456

// One word and what was done to it. A page apart, so that what lies around a word is the word's own.
struct subject {
	uint32_t word;
	char apart[4092];
	const char *name;
	uint64_t woken, again, timed_out, interrupted, failed, wait_ns;
	uint64_t wakes, empty, woke;
};

struct list_entry {
	uint64_t value;
	uint64_t word;
	uint32_t flags;
	uint32_t reserved;
};

static struct subject subjects[24];
static int used;
static pthread_mutex_t counts = PTHREAD_MUTEX_INITIALIZER;

static uint64_t now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static struct subject *subject(const char *name)
{
	subjects[used].name = name;
	return &subjects[used++];
}

// Uncontended but for an instant: a spin, so that it makes no futex call of its own.
static void add(uint64_t *to, uint64_t amount)
{
	while (pthread_mutex_trylock(&counts))
		;
	*to += amount;
	pthread_mutex_unlock(&counts);
}

static long waited(struct subject *on, uint64_t began_ns, long result)
{
	int error = result < 0 ? errno : 0;

	if (error != EAGAIN)
		add(&on->wait_ns, now_ns() - began_ns);
	add(!error		 ? &on->woken
	    : error == EAGAIN	 ? &on->again
	    : error == ETIMEDOUT ? &on->timed_out
	    : error == EINTR	 ? &on->interrupted
				 : &on->failed,
	    1);
	return result;
}

static long wait_for(struct subject *on, int op, uint32_t value, struct timespec *until, uint32_t *second)
{
	uint64_t began_ns = now_ns();

	return waited(on, began_ns, syscall(SYS_futex, &on->word, op, value, until, second, FUTEX_BITSET_MATCH_ANY));
}

static long wake(struct subject *on, int op, uint32_t number)
{
	long woke = syscall(SYS_futex, &on->word, op, number, 0ul, NULL, FUTEX_BITSET_MATCH_ANY);

	add(&on->wakes, 1);
	add(woke > 0 ? &on->woke : &on->empty, woke > 0 ? (uint64_t)woke : 1);
	return woke;
}

// Until somebody was there to be woken.
static void wake_one(struct subject *on, int op)
{
	while (wake(on, op, 1) != 1)
		usleep(500);
}

// Until this thread sleeps in a system call: `S` in the third field of its stat.
static void asleep(pid_t thread)
{
	char path[64], line[256];

	snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
	for (;;) {
		FILE *file = fopen(path, "r");
		int in_it = file && fgets(line, sizeof line, file) && strstr(line, ") S ");

		if (file)
			fclose(file);
		if (in_it)
			return;
		usleep(500);
	}
}

struct helper {
	struct subject *on, *second;
	int op, times;
	volatile pid_t thread;
	pthread_t handle;
};

static void *helping(void *argument)
{
	struct helper *helper = argument;

	helper->thread = gettid();
	for (int i = 0; i < helper->times; i++)
		wait_for(helper->on, helper->op, 0, NULL, helper->second ? &helper->second->word : NULL);
	return NULL;
}

static void start(struct helper *helper)
{
	helper->thread = 0;
	pthread_create(&helper->handle, NULL, helping, helper);
	while (!helper->thread)
		usleep(100);
	asleep(helper->thread);
}

static void end(struct helper *helper)
{
	// pthread_join waits for a futex of its own: not while things are counted that sleep.
	pthread_join(helper->handle, NULL);
}

// Somebody waits `times` times and is woken as often, after `ns` each.
static void in_turns(const char *name, int wait_op, int wake_op, int times, unsigned us)
{
	struct subject *on = subject(name);
	struct helper helper = {.on = on, .op = wait_op, .times = times};

	start(&helper);
	for (int i = 0; i < times; i++) {
		asleep(helper.thread);
		usleep(us);
		wake_one(on, wake_op);
	}
	end(&helper);
}

static void *waits_again(void *argument)
{
	struct subject *on = argument;
	uint64_t began_ns = now_ns();

	waited(on, began_ns, syscall(NR_WAIT2, &on->word, 0ul, ~0u, FUTEX2_32_PRIVATE, NULL, 0));
	return NULL;
}

static void futex2(void)
{
	struct subject *on = subject("futex2");
	pthread_t thread;

	pthread_create(&thread, NULL, waits_again, on);
	usleep(20000);
	for (;;) {
		long woke = syscall(NR_WAKE2, &on->word, ~0u, 1, FUTEX2_32_PRIVATE);
		add(&on->wakes, 1);
		add(woke > 0 ? &on->woke : &on->empty, 1);
		if (woke > 0)
			break;
		usleep(1000);
	}
	pthread_join(thread, NULL);
}

static struct subject *several[3];

static void *waits_for_several(void *argument)
{
	struct list_entry list[3];
	uint64_t began_ns = now_ns();

	(void)argument;
	for (int i = 0; i < 3; i++)
		list[i] = (struct list_entry){0, (uintptr_t)&several[i]->word, FUTEX2_32_PRIVATE, 0};
	waited(several[1], began_ns, syscall(NR_WAITV, list, 3, 0, NULL, 0));
	return NULL;
}

static void list_of_words(void)
{
	pthread_t thread;

	for (int i = 0; i < 3; i++)
		several[i] = subject(i == 1 ? "waitv_woken" : "waitv_other");
	pthread_create(&thread, NULL, waits_for_several, NULL);
	usleep(20000);
	wake_one(several[1], FUTEX_WAKE_PRIVATE);
	pthread_join(thread, NULL);
}

// Three wait on the first word, are moved to the second after 20 ms, and woken there after 30 more.
static void moved(const char *from_name, const char *to_name, int futex2)
{
	struct subject *from = subject(from_name), *to = subject(to_name);
	struct helper helpers[3];
	long moved;

	for (int i = 0; i < 3; i++) {
		helpers[i] = (struct helper){.on = from, .op = FUTEX_WAIT_PRIVATE, .times = 1};
		start(&helpers[i]);
	}
	usleep(20000);
	if (futex2) {
		struct list_entry list[2] = {{0, (uintptr_t)&from->word, FUTEX2_32_PRIVATE, 0}, {0, (uintptr_t)&to->word, FUTEX2_32_PRIVATE, 0}};
		moved = syscall(NR_REQUEUE2, list, 0, 0, 3);
	} else {
		moved = syscall(SYS_futex, &from->word, FUTEX_CMP_REQUEUE_PRIVATE, 0, 3ul, &to->word, 0);
	}
	printf("moved %lx %lx count=%ld\n", (long)&from->word, (long)&to->word, moved);
	usleep(30000);
	wake(to, FUTEX_WAKE_PRIVATE, 3);
	for (int i = 0; i < 3; i++)
		end(&helpers[i]);
}

static struct subject *inherited;
static volatile pid_t inheriting;

static void *locks_inherited(void *argument)
{
	(void)argument;
	inheriting = gettid();
	wait_for(inherited, FUTEX_LOCK_PI_PRIVATE, 0, NULL, NULL);
	syscall(SYS_futex, &inherited->word, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0);
	return NULL;
}

static void inheritance(void)
{
	pthread_t thread;
	int refused = 0;

	inherited = subject("pi");
	for (int i = 0; i < 5; i++) {
		inheriting = 0;
		inherited->word = gettid();
		pthread_create(&thread, NULL, locks_inherited, NULL);
		while (!inheriting)
			usleep(100);
		asleep(inheriting);
		refused += syscall(SYS_futex, &inherited->word, FUTEX_TRYLOCK_PI_PRIVATE, 0, NULL, NULL, 0) < 0;
		usleep(10000);
		syscall(SYS_futex, &inherited->word, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0);
		pthread_join(thread, NULL);
	}
	printf("trylock %lx refused=%d\n", (long)&inherited->word, refused);
}

static void handler(int signal)
{
	(void)signal;
}

static void on_signals(int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	sigaction(SIGUSR1, &action, NULL);
}

// Three signals, and then a wake.
static void signals(const char *name, int flags, int times)
{
	struct subject *on = subject(name);
	struct helper helper = {.on = on, .op = FUTEX_WAIT_PRIVATE, .times = times};

	on_signals(flags);
	start(&helper);
	for (int i = 0; i < 3; i++) {
		usleep(10000);
		asleep(helper.thread);
		syscall(SYS_tgkill, getpid(), helper.thread, SIGUSR1);
	}
	usleep(10000);
	wake_one(on, FUTEX_WAKE_PRIVATE);
	end(&helper);
}

// A timed wait through two stops: restart_syscall(2).
static void stopped(void)
{
	struct subject *on = subject("stopped");
	struct timespec half = {0, 500000000};
	pid_t parent = getpid(), child = fork();

	if (!child) {
		for (int i = 0; i < 2; i++) {
			usleep(60000);
			kill(parent, SIGSTOP);
			usleep(60000);
			kill(parent, SIGCONT);
		}
		_exit(0);
	}
	wait_for(on, FUTEX_WAIT_PRIVATE, 0, &half, NULL);
	waitpid(child, NULL, 0);
}

static struct helper before[2];

int main(void)
{
	struct subject *ended = subject("before_ended"), *open = subject("before_open");
	char line[16];

	setvbuf(stdout, NULL, _IOLBF, 0);
	before[0] = (struct helper){.on = ended, .op = FUTEX_WAIT_PRIVATE, .times = 1};
	before[1] = (struct helper){.on = open, .op = FUTEX_WAIT_PRIVATE, .times = 1};
	start(&before[0]);
	start(&before[1]);
	printf("ready\n");
	if (!fgets(line, sizeof line, stdin))
		return 1;
	wake_one(ended, FUTEX_WAKE_PRIVATE);
	end(&before[0]);

	in_turns("wait", FUTEX_WAIT_PRIVATE, FUTEX_WAKE_PRIVATE, 20, 10000);
	in_turns("bitset", FUTEX_WAIT_BITSET_PRIVATE, FUTEX_WAKE_BITSET_PRIVATE, 10, 10000);
	in_turns("shared", FUTEX_WAIT, FUTEX_WAKE, 10, 10000);
	struct subject *changed = subject("again"), *late = subject("late");
	for (int i = 0; i < 1000; i++)
		wait_for(changed, FUTEX_WAIT_PRIVATE, 1, NULL, NULL);
	for (int i = 0; i < 10; i++) {
		struct timespec until = {0, 10000000};
		wait_for(late, FUTEX_WAIT_PRIVATE, 0, &until, NULL);
	}
	struct subject *nobody = subject("nobody");
	for (int i = 0; i < 1000; i++)
		wake(nobody, FUTEX_WAKE_PRIVATE, 1);
	moved("requeue_from", "requeue_to", 0);
	inheritance();
	signals("handler", 0, 4);
	signals("restarting", SA_RESTART, 1);
	stopped();
	if (syscall(NR_WAKE2, &nobody->word, ~0u, 1, FUTEX2_32_PRIVATE) == 0) {
		add(&nobody->wakes, 1);
		add(&nobody->empty, 1);
		futex2();
		list_of_words();
		moved("requeue2_from", "requeue2_to", 1);
	}
	struct helper still = {.on = subject("still"), .op = FUTEX_WAIT_PRIVATE, .times = 1};
	start(&still);

	for (int i = 0; i < used; i++) {
		struct subject *s = &subjects[i];
		printf("word %s %lx woken=%lu again=%lu timed_out=%lu interrupted=%lu failed=%lu wait_ns=%lu wakes=%lu empty=%lu woke=%lu\n",
		       s->name, (long)&s->word, s->woken, s->again, s->timed_out, s->interrupted, s->failed, s->wait_ns, s->wakes, s->empty,
		       s->woke);
	}
	printf("done\n");
	fgets(line, sizeof line, stdin);
	return 0;
}
