// SPDX-License-Identifier: MIT OR GPL-2.0-only
// Who woke each thread that waits.
#ifndef LOCKTOLL_WAKERS_H
#define LOCKTOLL_WAKERS_H

#include "asleep.bpf.h"

// Whether a call that wakes can have woken it: by its word, or by the one that it was moved to.
static __always_inline int reaches(struct futex *call, u32 process, struct thread *sleeper)
{
	// A word in shared memory may have another address where it is woken; of several words we do not know which.
	if (call->word == sleeper->word || call->second == sleeper->word || sleeper->process != process || sleeper->call == WAITV)
		return 1;
	if (sleeper->call == WAIT_REQUEUE_PI)
		return call->word == sleeper->second;
	struct word_key from = {.word = sleeper->word, .process = process};
	struct requeue *requeue = bpf_map_lookup_elem(&requeues, &from);
	if (!requeue || requeue->to != call->word)
		return 0;
	sleeper->ended_on = call->word;
	return 1;
}

// Who woke it: a thread that is inside a call that wakes, or by an interrupt that came just then, which is why this is looked at only
// where the wait ended as woken.
static __always_inline void note_waker(struct thread *sleeper)
{
	struct task_struct *self = bpf_get_current_task_btf();
	struct futex call = {};

	if (!is_program(self))
		return;
	void *regs = (void *)bpf_task_pt_regs((void *)self);
	s64 number = system_call_of(regs);
	if (number == NR_EXIT || number == NR_EXIT_GROUP) {
		if ((u64)self->clear_child_tid == sleeper->word)
			__sync_fetch_and_or(&sleeper->flags, JOINED);
		return;
	}
	if (!is_futex(number))
		return;
	futex_of(number, regs, &call);
	if (!IS_WAKE(call.call))
		return;
	read_list(&call, 0);
	u32 process = process_of(self);
	if (!reaches(&call, process, sleeper))
		return;
	sleeper->waker_process = process;
	if (sleeper->process == process)
		waiter_woken(sleeper, thread_number(self), sleeper->woken_ns);
	struct thread *waker = is_watched(self) ? known_or_new(self) : 0;
	if (!waker) {
		sleeper->waker_stack = user_stack_id();
		return;
	}
	if (!waker->own_stack)
		waker->own_stack = stack_at(&waker->places[1], regs, call.word, sleeper->woken_ns - sleeper->asleep_ns);
	waker->woke++;
	sleeper->waker_stack = waker->own_stack;
}

// The thread is in a call that waits, and has not left its processor yet. Nothing wakes it again, so what wakes it is noted now. If it
// leaves its processor at this moment, its wait has begun and keeps its flags: then this returns the thread, woken as any other.
static __always_inline struct thread *woken_early(struct task_struct *task, struct futex *call)
{
	struct thread *sleeper = state_of(task) & TASK_INTERRUPTIBLE ? known_or_new(task) : 0;

	if (!sleeper)
		return 0;
	u32 flags = sleeper->flags;
	if (flags & (BEGUN_BEFORE | WOKEN_EARLY))
		return 0;
	if ((flags & IN_THE_WAIT) || __sync_val_compare_and_swap(&sleeper->flags, flags, WOKEN_EARLY) != flags)
		return sleeper->asleep_ns ? sleeper : 0;
	sleeper->word = call->word;
	sleeper->second = call->second;
	sleeper->call = call->call;
	sleeper->waker_process = 0;
	sleeper->waker_stack = 0;
	change_hint(IN_A_WAIT, task->pid, 1);
	sleeper->woken_ns = bpf_ktime_get_ns();
	note_waker(sleeper);
	return 0;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(futex_waking, struct task_struct *task)
{
	if (!is_watched(task))
		return 0;
	struct thread *sleeper = known(task);
	if (!sleeper || !sleeper->asleep_ns) {
		void *regs = (void *)bpf_task_pt_regs((void *)task);
		s64 number = system_call_of(regs);
		struct futex call = {};

		if (!is_futex(number))
			return 0;
		futex_of(number, regs, &call);
		if (!IS_WAIT(call.call))
			return 0;
		// One on its way to sleep is still on its processor.
		if (!task->on_cpu) {
			sleeper = known_or_new(task);
			if (sleeper && !(sleeper->flags & BEGUN_BEFORE)) {
				__sync_fetch_and_or(&sleeper->flags, BEGUN_BEFORE);
				change_hint(IN_A_WAIT, task->pid, 1);
			}
			return 0;
		}
		sleeper = woken_early(task, &call);
		if (!sleeper)
			return 0;
	}
	sleeper->woken_ns = bpf_ktime_get_ns();
	note_waker(sleeper);
	return 0;
}

#endif
