// SPDX-License-Identifier: MIT OR GPL-2.0-only
// How long each thread was kept from running, and what that cost those who waited for it.
#ifndef LOCKTOLL_PREEMPTED_H
#define LOCKTOLL_PREEMPTED_H

#include "holders.bpf.h"

static __always_inline void taken_off(struct task_struct *task, void *regs, u64 now)
{
	struct thread *thread = known_or_new(task);

	if (!thread)
		return;
	// Both leave the thread ready to go on (prev_state 0): only the system call tells one who gave way from one who had to.
	if (system_call_of(regs) == NR_SCHED_YIELD) {
		thread->yielded++;
		return;
	}
	thread->off_ns = now;
	thread->preempted++;
	holder_left(thread, now);
	change_hint(PREEMPTED, task->pid, 1);
}

static __always_inline void back_on(struct task_struct *task)
{
	struct thread *thread = hint_of(PREEMPTED, task->pid) ? known(task) : 0;

	if (!thread || !thread->off_ns)
		return;
	u64 now = bpf_ktime_get_ns(), ns = now - thread->off_ns;
	thread->off_ns = 0;
	change_hint(PREEMPTED, task->pid, -1);
	thread->preempted_ns += ns;
	holder_came(thread, ns, now);
}

#endif
