// SPDX-License-Identifier: MIT OR GPL-2.0-only
// What waits for the kernel's locks are kept in: while they last, and added up.
#ifndef LOCKTOLL_CONTENTION_MAPS_H
#define LOCKTOLL_CONTENTION_MAPS_H

#include "contention_kinds.bpf.h"
#include "histogram.bpf.h"

// Whether waits are told by caller, and by lock: each costs time, so nobody pays for what nobody asked for.
const volatile u32 by_caller = 0;
const volatile u32 by_lock = 0;
// Ticks of the processor's counter in 1024 ns; zero if not known.
const volatile u32 ticks_in_1024_ns = 0;
// Only the waits of processes that this one starts, and of those they start; zero for all. Its number in its own namespace of
// processes, which these two name.
const volatile u32 parent = 0;
const volatile u32 namespace_device = 0;
const volatile u32 namespace_inode = 0;
// Only the waits of threads in this control group and in those below it; zero for all. Its id, in two halves, and how deep it lies.
const volatile u32 group_low = 0;
const volatile u32 group_high = 0;
const volatile u32 group_level = 0;

#define SLOTS 4

struct slot {
	// Zero: free.
	u64 lock;
	u64 began_ns;
	u32 kind;
	u32 field;
	u32 stack;
	// Further begins before the end.
	u32 repeats;
	u32 thread;
	u32 padding;
};

struct slots {
	struct slot slot[SLOTS];
	// Of a task: whether it belongs to those that are watched.
	u32 watched;
	u32 padding;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct slots);
} spinning SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct slots);
} sleeping SEC(".maps");

struct of_kind {
	u64 count;
	u64 failed;
	u64 repeats;
	u64 total_ns;
	u64 max_ns;
	u64 log2[BUCKETS];
	u64 log2_ticks[BUCKETS];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, KINDS);
	__type(key, u32);
	__type(value, struct of_kind);
} kinds SEC(".maps");

struct row {
	u64 count;
	u64 total_ns;
	u64 max_ns;
	u32 log2[BUCKETS];
	// Of the first wait.
	u32 stack;
	u32 padding;
};

struct caller_key {
	u32 stack;
	u32 kind;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 4096);
	__type(key, struct caller_key);
	__type(value, struct row);
} callers SEC(".maps");

struct lock_key {
	// Zero where `field` says which it is.
	u64 lock;
	u32 kind;
	u32 field;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 4096);
	__type(key, struct lock_key);
	__type(value, struct row);
} locks SEC(".maps");

// Enough for the locks' own functions, the one that asked, and some that called it.
#define FRAMES 8

struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 4096);
	__uint(key_size, sizeof(u32));
	__uint(value_size, FRAMES * sizeof(u64));
} stacks SEC(".maps");

// What was lost.
enum lost {
	LOST_NESTED, // no slot was free
	LOST_TASKS, // no memory for a task's slots
	LOST_STACKS, // no room for a stack: the wait is counted without a caller
	LOST_CALLERS, // no room for a row
	LOST_LOCKS,
	LOST_ENDS, // a wait whose end was not seen
	LOST_BEGINS, // an end whose begin was not seen
	LOST,
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, LOST);
	__type(key, u32);
	__type(value, u64);
} lost SEC(".maps");

static const struct row no_row = {};

static __always_inline void lose(u32 what)
{
	u64 *count = bpf_map_lookup_elem(&lost, &what);

	// Two programs may count at once on one processor, one in an interrupt of the other.
	if (count)
		add(count, 1);
}

#endif
