// SPDX-License-Identifier: MIT OR GPL-2.0-only
// Futex calls of one process or of all: who waited for which word, where, how long, how it ended, and who ended it.
#include "kernel.bpf.h"
#include "histogram.bpf.h"
#include "registers.bpf.h"
#include "unwind.bpf.h"

// The process that is watched; zero for all.
const volatile u32 target = 0;

// What a call does, whichever of the system calls it came through.
enum call {
	NONE = 0,
	WAIT,
	LOCK_PI,
	WAIT_REQUEUE_PI,
	WAITV,
	WAKE,
	REQUEUE,
	UNLOCK_PI,
	TRYLOCK_PI,
};

#define OP_MASK 0x7f
#define IS_WAIT(call) ((call) >= WAIT && (call) <= WAITV)

// A thread inside a futex call.
struct inside {
	u64 began_ns;
	u64 word;
	u64 woken_ns;
	u32 call;
	u32 process;
	u32 waker;
	u32 waker_stack;
	// Of the thread that wakes: its own stack, once it has woken somebody in this call.
	u32 own_stack;
	u32 padding;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, u32);
	__type(value, struct inside);
} threads SEC(".maps");

struct wait_key {
	u64 word;
	u32 process;
	u32 call;
	u32 stack;
	u32 waker_stack;
};

struct wait {
	u64 woken;
	u64 again;
	u64 timed_out;
	u64 interrupted;
	u64 failed;
	u64 total_ns;
	u64 max_ns;
	// From the wake-up until the call returned.
	u64 runnable_ns;
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
	u32 process;
	u32 call;
	u32 stack;
	u32 padding;
};

struct wake {
	u64 calls;
	u64 empty;
	u64 woken;
	u64 failed;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, struct wake_key);
	__type(value, struct wake);
} wakes SEC(".maps");

// What found no room.
enum dropped {
	THREADS,
	WAITS,
	WAKES,
	DROPPED,
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, DROPPED);
	__type(key, u32);
	__type(value, u64);
} dropped SEC(".maps");

static __always_inline void drop(u32 what)
{
	u64 *count = bpf_map_lookup_elem(&dropped, &what);

	if (count)
		add(count, 1);
}

static const struct wait no_wait = {};
static const struct wake no_wake = {};

static __always_inline u32 call_of(s64 number, u64 op)
{
	if (number == NR_FUTEX_WAIT)
		return WAIT;
	if (number == NR_FUTEX_WAITV)
		return WAITV;
	if (number == NR_FUTEX_WAKE)
		return WAKE;
	if (number == NR_FUTEX_REQUEUE)
		return REQUEUE;
	if (number != NR_FUTEX)
		return NONE;
	switch (op & OP_MASK) {
	case 0: // FUTEX_WAIT
	case 9: // FUTEX_WAIT_BITSET
		return WAIT;
	case 1: // FUTEX_WAKE
	case 5: // FUTEX_WAKE_OP
	case 10: // FUTEX_WAKE_BITSET
		return WAKE;
	case 3: // FUTEX_REQUEUE
	case 4: // FUTEX_CMP_REQUEUE
	case 12: // FUTEX_CMP_REQUEUE_PI
		return REQUEUE;
	case 6: // FUTEX_LOCK_PI
	case 13: // FUTEX_LOCK_PI2
		return LOCK_PI;
	case 7: // FUTEX_UNLOCK_PI
		return UNLOCK_PI;
	case 8: // FUTEX_TRYLOCK_PI
		return TRYLOCK_PI;
	case 11: // FUTEX_WAIT_REQUEUE_PI
		return WAIT_REQUEUE_PI;
	}
	return NONE;
}

SEC("tp_btf/sys_enter")
int BPF_PROG(futex_enter, void *regs, long number)
{
	u64 arguments[6], thread;
	struct inside inside = {};

	if (number != NR_FUTEX && (number < NR_FUTEX_WAITV || number > NR_FUTEX_REQUEUE))
		return 0;
	thread = bpf_get_current_pid_tgid();
	if (target && thread >> 32 != target)
		return 0;
	arguments_of(regs, arguments);
	inside.call = call_of(number, arguments[1]);
	if (inside.call == NONE)
		return 0;
	inside.process = thread >> 32;
	inside.word = arguments[0];
	inside.began_ns = bpf_ktime_get_ns();
	u32 key = thread;
	if (bpf_map_update_elem(&threads, &key, &inside, BPF_ANY))
		drop(THREADS);
	return 0;
}

// A thread that is woken by one that is inside a futex call: by that call, or by an interrupt that came just then; `waker` is looked at
// only where the wait ended as woken.
SEC("tp_btf/sched_waking")
int BPF_PROG(futex_waking, struct task_struct *task)
{
	u32 sleeper = task->pid, self = bpf_get_current_pid_tgid();
	struct inside *inside = bpf_map_lookup_elem(&threads, &sleeper);

	if (!inside || !inside->began_ns || !IS_WAIT(inside->call))
		return 0;
	inside->woken_ns = bpf_ktime_get_ns();
	struct inside *waker = bpf_map_lookup_elem(&threads, &self);
	if (!waker || !waker->began_ns || IS_WAIT(waker->call))
		return 0;
	if (!waker->own_stack)
		waker->own_stack = user_stack_id();
	inside->waker = self;
	inside->waker_stack = waker->own_stack;
	return 0;
}

static __always_inline void ended_wait(void *ctx, struct inside *inside, long result)
{
	u64 now = bpf_ktime_get_ns(), ns = now - inside->began_ns;
	struct wait_key key = {.word = inside->word, .process = inside->process, .call = inside->call};

	// Those that did not wait (the word had changed) are counted by their word alone: a stack costs more than the call.
	if (result != -11) {
		key.stack = user_stack_id();
		key.waker_stack = inside->waker_stack;
	}
	struct wait *wait = bpf_map_lookup_elem(&waits, &key);
	if (!wait) {
		bpf_map_update_elem(&waits, &key, &no_wait, BPF_NOEXIST);
		wait = bpf_map_lookup_elem(&waits, &key);
	}
	if (!wait) {
		drop(WAITS);
		return;
	}
	if (result == -11) { // EAGAIN
		add(&wait->again, 1);
		return;
	}
	if (result >= 0)
		add(&wait->woken, 1);
	else if (result == -110) // ETIMEDOUT
		add(&wait->timed_out, 1);
	else if (result == -4 || (result <= -512 && result >= -516)) // EINTR, and what the kernel turns into it or starts again
		add(&wait->interrupted, 1);
	else
		add(&wait->failed, 1);
	add(&wait->total_ns, ns);
	add(&wait->log2[bucket_of(ns)], 1);
	raise(&wait->max_ns, ns);
	if (inside->woken_ns > inside->began_ns)
		add(&wait->runnable_ns, now - inside->woken_ns);
}

static __always_inline void ended_wake(void *ctx, struct inside *inside, long result)
{
	struct wake_key key = {.word = inside->word, .process = inside->process, .call = inside->call, .stack = inside->own_stack};
	struct wake *wake = bpf_map_lookup_elem(&wakes, &key);

	if (!wake) {
		bpf_map_update_elem(&wakes, &key, &no_wake, BPF_NOEXIST);
		wake = bpf_map_lookup_elem(&wakes, &key);
	}
	if (!wake) {
		drop(WAKES);
		return;
	}
	add(&wake->calls, 1);
	if (result > 0)
		add(&wake->woken, result);
	else
		add(result ? &wake->failed : &wake->empty, 1);
}

SEC("tp_btf/sys_exit")
int BPF_PROG(futex_exit, void *regs, long result)
{
	s64 number = system_call_of(regs);

	if (number != NR_FUTEX && (number < NR_FUTEX_WAITV || number > NR_FUTEX_REQUEUE))
		return 0;
	u32 thread = bpf_get_current_pid_tgid();
	struct inside *inside = bpf_map_lookup_elem(&threads, &thread);
	if (!inside || !inside->began_ns)
		return 0;
	if (IS_WAIT(inside->call))
		ended_wait(ctx, inside, result);
	else
		ended_wake(ctx, inside, result);
	inside->began_ns = 0;
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(futex_gone, struct task_struct *task)
{
	u32 thread = task->pid;

	bpf_map_delete_elem(&threads, &thread);
	return 0;
}

char LICENSE[] SEC("license") = "Dual MIT/GPL";
