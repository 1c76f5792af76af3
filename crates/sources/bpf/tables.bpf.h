// SPDX-License-Identifier: MIT OR GPL-2.0-only
// What is kept of futex calls. src/futexes/raw.rs has the same layouts.
#ifndef LOCKTOLL_TABLES_H
#define LOCKTOLL_TABLES_H

#include "histogram.bpf.h"

// A thread as the program itself numbers it: that is what its locks name as their owner. A process goes by `process_of` here and below.
struct thread_key {
	u32 process;
	u32 thread;
};

// A call from one place, as far as its registers say.
struct place {
	u64 ip;
	u64 sp;
	u64 bp;
	u64 word;
	u32 stack;
	u32 padding;
};

struct thread {
	// The wait it is in, if `asleep_ns` is not zero: when it left the processor.
	u64 asleep_ns;
	u64 word;
	u64 second;
	u32 call;
	u32 op;
	u32 value;
	u32 owner;
	// The wake-up.
	u64 woken_ns;
	u64 ended_on;
	u32 waker_process;
	u32 waker_stack;
	// What a signal interrupted, until it is known whether the kernel takes it up again.
	u64 suspended_ns;
	s32 suspended_by;
	u32 stack;
	u32 restarted;
	u32 flags;
	// As one that wakes: its stack and how many it has woken in this call.
	u32 own_stack;
	u32 woke;
	// Preempted since, if not zero; and all that is over.
	u64 off_ns;
	u64 preempted_ns;
	u64 preempted;
	u64 yielded;
	// A lock it owns, or owned when it was last seen to.
	u64 wanted_word;
	// The lock it owned when it was preempted, if others waited, and how long these had waited by then.
	u64 off_word;
	u64 off_waited_ns;
	// The word at which it is one of the waiters that `holders` counts; zero: none. It is exchanged as a whole: each waiter that is
	// added is taken off once, also if the thread is woken or listed on another processor while it begins to wait.
	u64 counted_on;
	// Waits that are over.
	u64 waits;
	u64 wait_ns;
	u64 max_ns;
	// Where it waited and woke last, and the stacks there.
	struct place places[2];
	// Its number in the initial pid namespace.
	u32 global;
	u32 process;
	u32 thread;
	u32 padding;
	// When it began and ended, and what it has used by then, once it has ended.
	u64 began_ns;
	u64 ended_ns;
	u64 user_ns;
	u64 system_ns;
	u64 cpu_ns;
	u64 run_delay_ns;
	u64 voluntary;
	u64 involuntary;
	char name[16];
};

// It slept for a futex before we came.
#define BEGUN_BEFORE 1
// It was woken by the end of the thread whose clear_child_tid it waited for.
#define JOINED 2
// Its wait has begun, and is not over.
#define IN_THE_WAIT 4
// Its wait had begun before we came, and counts from then on.
#define SINCE_WE_CAME 8
// Its call began before the programs at the ends of functions were in place, and passes them by.
#define ENTERED_BEFORE 16
// It was woken on its way to sleep: the wait that begins now, if one does, has its waker already.
#define WOKEN_EARLY 32

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, struct thread_key);
	__type(value, struct thread);
} threads SEC(".maps");

// Threads that have ended, by a running number.
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, u64);
	__type(value, struct thread);
} ended SEC(".maps");

struct wait_key {
	u64 word;
	u64 ended_on;
	u32 process;
	u32 op;
	u32 call;
	u32 stack;
	u32 waker_process;
	u32 waker_stack;
};

struct wait {
	u64 woken;
	u64 at_once;
	u64 again;
	u64 timed_out;
	u64 interrupted;
	u64 failed;
	u64 restarted;
	u64 total_ns;
	u64 max_ns;
	// From the wake-up until the call returned.
	u64 runnable_ns;
	u64 owner_known;
	u64 log2[BUCKETS];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, struct wait_key);
	__type(value, struct wait);
} waits SEC(".maps");

struct wake_key {
	u64 word;
	u64 second;
	u32 process;
	u32 op;
	u32 call;
	u32 stack;
};

struct wake {
	u64 empty;
	u64 failed;
	// Calls that woke or moved somebody, and how many.
	u64 met;
	u64 woken;
	u64 moved;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, struct wake_key);
	__type(value, struct wake);
} wakes SEC(".maps");

struct owner_key {
	u64 word;
	u32 process;
	u32 thread;
};

struct owner {
	// Waits that began while it owned the lock.
	u64 count;
	// What all waiters waited while it did.
	u64 wait_ns;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, struct owner_key);
	__type(value, struct owner);
} owners SEC(".maps");

struct word_key {
	u64 word;
	u64 process;
};

// Who owns a lock that others wait for.
struct holder {
	// Up to when the waiting has been charged, and all of it.
	u64 last_ns;
	u64 waited_ns;
	u32 waiters;
	// Zero: nobody, as far as is known.
	u32 owner;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, struct word_key);
	__type(value, struct holder);
} holders SEC(".maps");

struct preemption {
	u64 count;
	u64 total_ns;
	// What all waiters together waited meanwhile.
	u64 waited_ns;
	u64 max_ns;
	u64 log2[BUCKETS];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, struct word_key);
	__type(value, struct preemption);
} preemptions SEC(".maps");

#define AROUND 48

struct word {
	u64 joined;
	u32 value;
	u8 has_before;
	u8 has_from;
	u8 padding[2];
	u8 before[AROUND];
	u8 from[AROUND];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, struct word_key);
	__type(value, struct word);
} words SEC(".maps");

// The latest requeue of a word.
struct requeue {
	u64 to;
	u64 at_ns;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, struct word_key);
	__type(value, struct requeue);
} requeues SEC(".maps");

struct moved_key {
	u64 from;
	u64 to;
	u64 process;
};

struct moved {
	u64 count;
	u64 before_ns;
	u64 after_ns;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, struct moved_key);
	__type(value, struct moved);
} moved SEC(".maps");

// What is only counted; the first ones found no room.
enum counter {
	NO_THREAD,
	NO_WAIT,
	NO_WAKE,
	NO_OWNER,
	NO_PREEMPTION,
	NO_WORD,
	NO_MOVED,
	NO_ENDED,
	NO_IMAGE,
	BEGUN_BEFORE_US,
	THREADS_STARTED,
	THREADS_ENDED,
	PROCESSES_STARTED,
	PROCESSES_ENDED,
	PROGRAMS_REPLACED,
	COUNTERS,
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, COUNTERS);
	__type(key, u32);
	__type(value, u64);
} counters SEC(".maps");

// How far the programs at the ends of functions are in place: one, they are; two, all threads that slept by then have been found, too.
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u32);
} in_place SEC(".maps");

// The flag of a call that was seen before `phase`.
static __always_inline u32 entered_before(u32 phase)
{
	u32 zero = 0, *reached = bpf_map_lookup_elem(&in_place, &zero);

	return reached && *reached >= phase ? 0 : ENTERED_BEFORE;
}

static __always_inline void count(u32 what)
{
	u64 *counter = bpf_map_lookup_elem(&counters, &what);

	if (counter)
		add(counter, 1);
}

// How many threads of these numbers are in a wait, and how many have been preempted, so that most calls that did not wait and most
// switches need not look their thread up. Threads that share an entry cost a look-up, no more.
#define HINTS 4096
#define IN_A_WAIT 0
#define PREEMPTED HINTS

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 2 * HINTS);
	__type(key, u32);
	__type(value, s64);
} hints SEC(".maps");

static __always_inline s64 hint_of(u32 of, u32 global)
{
	u32 at = of + (global & (HINTS - 1));
	s64 *hint = bpf_map_lookup_elem(&hints, &at);

	return hint ? *hint : 0;
}

static __always_inline void change_hint(u32 of, u32 global, s64 by)
{
	u32 at = of + (global & (HINTS - 1));
	s64 *hint = bpf_map_lookup_elem(&hints, &at);

	if (hint)
		__sync_fetch_and_add(hint, by);
}

// Finds `key` in `map` or adds an entry of zeros; counts `missing` where there is no room.
#define FIND_OR_ADD(map, key, zeros, missing)                              \
	({                                                                 \
		void *__found = bpf_map_lookup_elem(map, key);             \
		if (!__found) {                                            \
			bpf_map_update_elem(map, key, zeros, BPF_NOEXIST); \
			__found = bpf_map_lookup_elem(map, key);           \
			if (!__found)                                      \
				count(missing);                            \
		}                                                          \
		__found;                                                   \
	})

static const struct wait no_wait = {};
static const struct wake no_wake = {};
static const struct owner no_owner = {};
static const struct holder no_holder = {};
static const struct preemption no_preemption = {};
static const struct word no_word = {};
static const struct moved no_moved = {};
static const struct thread no_thread = {};

#endif
