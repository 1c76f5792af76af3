// SPDX-License-Identifier: MIT OR GPL-2.0-only
// The threads that sleep in a futex call now, whether their wait was seen to begin or not.
#ifndef LOCKTOLL_ASLEEP_H
#define LOCKTOLL_ASLEEP_H

#include "waiting.bpf.h"

// An interruptible sleep: what a futex call waits in, and what a page fault within it does not.
#define TASK_INTERRUPTIBLE 1

// What user space is told of each, in src/futexes/asleep.rs: enough to walk its stack.
struct asleep {
	u32 process;
	u32 thread;
	u64 ip;
	u64 sp;
	u64 bp;
	// When it began, or when we came.
	u64 since_ns;
	u64 is_since_we_came;
};

struct bpf_iter_meta {
	struct seq_file *seq;
} RELOCATED;

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
} RELOCATED;

// The list of a call that takes one, as `read_list` reads the current thread's.
static __always_inline void read_list_of(struct task_struct *task, struct futex *call)
{
	struct waitv first = {};

	if (call->call != WAITV || bpf_copy_from_user_task(&first, sizeof(first), (void *)call->second, task, 0))
		return;
	call->value = first.value;
	call->word = first.word;
	call->second = 0;
}

static __always_inline u32 owner_in_memory_of(struct task_struct *task, struct futex *call)
{
	u64 at = owner_address(call->call, call->value, call->word);
	u32 owner = 0;

	if (at && bpf_copy_from_user_task(&owner, sizeof(owner), (void *)at, task, 0))
		return 0;
	return owner & OWNER_MASK;
}

static __always_inline int sleeps(struct task_struct *task)
{
	return !task->on_cpu && (state_of(task) & TASK_INTERRUPTIBLE);
}

// It has been woken while its wait was made known: as if it had not been.
static __always_inline void forget_wait(struct thread *thread, u64 now)
{
	u64 was = __sync_val_compare_and_swap(&thread->asleep_ns, now, 0);

	// Another wait has begun since.
	if (was && was != now)
		return;
	// If it has ended by itself, that may have been before it was counted.
	waiter_left(thread, now, 0);
	__sync_fetch_and_and(&thread->flags, ~IN_THE_WAIT);
	if (was)
		change_hint(IN_A_WAIT, thread->global, -1);
}

// A thread that is asleep and not known to wait counts as waiting from now on.
SEC("iter.s/task")
int futex_asleep(struct bpf_iter__task *context)
{
	struct seq_file *seq = context->meta->seq;
	struct task_struct *task = context->task;

	if (!task || !is_watched(task) || !sleeps(task))
		return 0;
	void *regs = (void *)bpf_task_pt_regs((void *)task);
	s64 number = system_call_of(regs);
	if (!is_futex(number) && number != NR_RESTART)
		return 0;
	struct thread *thread = known_or_new(task);
	if (!thread || (thread->flags & BEGUN_BEFORE))
		return 0;
	if (!thread->asleep_ns) {
		struct futex call = {};

		// What is taken up again may be any call.
		if (number == NR_RESTART)
			return 0;
		futex_of(number, regs, &call);
		if (!IS_WAIT(call.call))
			return 0;
		read_list_of(task, &call);
		u64 now = bpf_ktime_get_ns();
		wait_began(thread, &call, owner_in_memory_of(task, &call), SINCE_WE_CAME | entered_before(2), now);
		if (!sleeps(task) || thread->asleep_ns != now || (thread->flags & BEGUN_BEFORE)) {
			forget_wait(thread, now);
			return 0;
		}
	}
	struct asleep found = {
		.process = thread->process,
		.thread = thread->thread,
		.since_ns = thread->asleep_ns,
		.is_since_we_came = !!(thread->flags & SINCE_WE_CAME),
	};
	struct registers registers = {};
	user_registers(regs, &registers);
	found.ip = registers.ip;
	found.sp = registers.sp;
	found.bp = registers.bp;
	bpf_seq_write(seq, &found, sizeof(found));
	return 0;
}

#endif
