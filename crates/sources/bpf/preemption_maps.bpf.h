// SPDX-License-Identifier: MIT OR GPL-2.0-only
// What is kept of preempted holders: by lock and site, by waiter, and of each thread that has registered.
#ifndef LOCKTOLL_PREEMPTION_MAPS_H
#define LOCKTOLL_PREEMPTION_MAPS_H

#include "kernel.bpf.h"
#include "histogram.bpf.h"
#include "holds.bpf.h"

// How many of the locks that a thread holds are charged: those acquired last.
#define CHARGED 8
enum why {
	RUNNING = 0,
	PREEMPTED,
	YIELDED,
	BLOCKED,
	STOLEN,
};

struct sched_entity {
	u64 sum_exec_runtime;
} RELOCATED;

struct task_struct___ran {
	struct sched_entity se;
} RELOCATED;

// A lock of a process, where it was acquired, and why its holder did not run.
struct switched_key {
	u64 lock;
	u32 pid;
	u32 sequence;
	u32 site;
	u32 generation;
	u32 birth;
	u8 kind;
	u8 entry;
	u8 why;
	u8 zero;
};

struct switched {
	u64 count;
	u64 total_ns;
	u64 max_ns;
	u64 log2[BUCKETS];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, struct switched_key);
	__type(value, struct switched);
} switched SEC(".maps");

struct lock {
	u64 address;
	u32 pid;
	u32 sequence;
};

// The time in which some holder of a lock was preempted. Of a lock that has one holder at a time all of it is exact; where readers
// share it, two that leave or come back at the same moment on two processors may misplace one beginning.
struct absence {
	u64 since_ns;
	// Absences that have ended, together, and the last of them.
	u64 total_ns;
	u64 last_since_ns;
	u64 last_until_ns;
	u32 holders;
	// Which lock at that address.
	u32 generation;
	u32 birth;
	u8 kind;
	u8 entry;
	u16 zero;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, struct lock);
	__type(value, struct absence);
} absences SEC(".maps");

struct waited_key {
	u64 lock;
	u32 pid;
	u32 sequence;
	u32 site;
	u32 generation;
	u32 birth;
	u32 tid;
	u8 kind;
	u8 entry;
	u8 zero[6];
};

struct waited {
	u64 count;
	u64 total_ns;
	u64 max_ns;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, struct waited_key);
	__type(value, struct waited);
} waited SEC(".maps");

struct process {
	u32 pid;
	u32 sequence;
};

// How many threads of each process have registered.
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, struct process);
	__type(value, u64);
} processes SEC(".maps");

enum dropped {
	NO_ROOM,
	NO_ROOM_FOR_WAITS,
	UNREAD,
	TOO_MANY_HELD,
	NOT_REGISTERED,
	// A thread came back unseen.
	UNSEEN,
	// Times without a processor for which the ring had no room.
	NO_ROOM_FOR_TIMES,
	DROPPED,
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, DROPPED);
	__type(key, u32);
	__type(value, u64);
} dropped SEC(".maps");

// A thread that has registered.
struct thread {
	u64 held;
	u64 life;
	u32 pid;
	u32 sequence;
	u32 tid;
	// What it held when it left its processor last, if anything.
	u32 locks;
	struct count counts[CHARGED];
	u32 why;
	// Where it waits, or zero.
	u32 waiting_site;
	u64 waiting_lock;
	// How long holders of that lock had been preempted when the thread left its processor.
	u64 absent_ns;
	// When it left its processor, or zero while it has one; and how long it had run by then, by the scheduler's account.
	u64 left_ns;
	u64 ran_ns;
	// When it got its processor.
	u64 came_ns;
	// For the timeline: why it left its processor, and the thread that has woken it since; zero if that is not known.
	u32 off;
	u32 waker_pid;
	u32 waker_tid;
	// Room to read into.
	struct entry entries[CHARGED];
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct thread);
} threads SEC(".maps");

// A time without a processor, for the timeline. Ids are those that the process itself sees.
struct time_off {
	u64 out_ns;
	u64 in_ns;
	u32 pid;
	u32 sequence;
	u32 tid;
	u32 why;
	u32 waker_pid;
	u32 waker_tid;
};

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} times_off SEC(".maps");

// Whether any holder has been preempted yet: until then, waiters need not be asked whom they wait for.
u32 any_absence = 0;

static const struct switched never_switched = {};
static const struct absence never_absent = {};
static const struct waited never_waited = {};

static __always_inline void drop(u32 what, u64 amount)
{
	u64 *count = bpf_map_lookup_elem(&dropped, &what);

	if (count)
		add(count, amount);
}

static __always_inline u64 ran_ns(struct task_struct *task)
{
	// Read as it is: the verifier knows what a tracepoint's own argument points to, and a call that reads safely costs more.
	return ((struct task_struct___ran *)task)->se.sum_exec_runtime;
}

#endif
