// SPDX-License-Identifier: MIT OR GPL-2.0-only
// Where returning futex calls are seen. src/futexes/returns.rs chooses between the two ways.
#ifndef LOCKTOLL_RETURNS_H
#define LOCKTOLL_RETURNS_H

// The first way: the tracepoint at the end of all system calls.
SEC("tp_btf/sys_exit")
int BPF_PROG(futex_exit, void *regs, long result)
{
	s64 number = system_call_of(regs);

	if (!is_futex(number) && number != NR_RESTART)
		return 0;
	struct task_struct *self = bpf_get_current_task_btf();
	return is_watched(self) ? call_returns(self, number, regs, result) : 0;
}

// The second way: the ends of the functions of these calls. A call that had begun before such a program was attached passes it by.
static __always_inline int function_returns(long result)
{
	struct task_struct *self = bpf_get_current_task_btf();

	if (!is_watched(self))
		return 0;
	// A wait that had begun before us was another call.
	struct thread *thread = hint_of(IN_A_WAIT, self->pid) ? known(self) : 0;
	if (thread && (thread->flags & BEGUN_BEFORE))
		ended_unknown(thread);
	void *regs = (void *)bpf_task_pt_regs((void *)self);
	return call_returns(self, system_call_of(regs), regs, result);
}

#define AT_THE_END_OF(function)                                          \
	SEC("fexit")                                                     \
	int BPF_PROG(end_of_##function, void *argument, long result)     \
	{                                                                \
		return function_returns(result);                         \
	}

AT_THE_END_OF(futex)
AT_THE_END_OF(futex_waitv)
AT_THE_END_OF(futex_wait)
AT_THE_END_OF(futex_wake)
AT_THE_END_OF(futex_requeue)
AT_THE_END_OF(restart)

struct thread_info {
	unsigned long flags;
} RELOCATED;

struct task_struct___flags {
	struct thread_info thread_info;
} RELOCATED;

#define TIF_SIGPENDING_X86 2
#define TIF_SIGPENDING_ARM64 0

static __always_inline int has_signal(struct task_struct *task)
{
	unsigned long flags = ((struct task_struct___flags *)task)->thread_info.flags;

	return flags >> (on_x86() ? TIF_SIGPENDING_X86 : TIF_SIGPENDING_ARM64) & 1;
}

// Plain waits that had begun before: futex_unqueue says whether the waiter was still in its queue, and so was not woken. Whether it goes
// to sleep again, its call decides by what it finds next: its time is over, or there is a signal.
SEC("fexit")
int BPF_PROG(futex_unqueued, void *waiter, int was_queued)
{
	struct task_struct *self = bpf_get_current_task_btf();
	u64 arguments[6];

	if (!is_watched(self))
		return 0;
	struct thread *thread = hint_of(IN_A_WAIT, self->pid) ? known(self) : 0;
	if (!thread || !(thread->flags & (BEGUN_BEFORE | ENTERED_BEFORE)))
		return 0;
	void *regs = (void *)bpf_task_pt_regs((void *)self);
	arguments_of(regs, arguments);
	s64 number = system_call_of(regs), result = 0;
	int has_deadline = arguments[number == NR_FUTEX ? 3 : 4] != 0;
	if (was_queued && has_signal(self))
		result = has_deadline ? -ERESTART_RESTARTBLOCK : -ERESTARTSYS;
	else if (was_queued && has_deadline)
		result = -ETIMEDOUT;
	else if (was_queued)
		return 0;
	thread->flags &= ~ENTERED_BEFORE;
	if (thread->flags & BEGUN_BEFORE)
		ended_unknown(thread);
	else if (thread->asleep_ns)
		waited(thread, number, regs, result);
	return 0;
}

// The few that had begun before and wait otherwise: for several words, or for a lock of the kernel's. Attached as long as there are any.
SEC("tp_btf/sys_exit")
int BPF_PROG(futex_exit_of_earlier, void *regs, long result)
{
	struct task_struct *self = bpf_get_current_task_btf();

	if (!hint_of(IN_A_WAIT, self->pid) || !is_watched(self))
		return 0;
	s64 number = system_call_of(regs);
	struct thread *thread = is_futex(number) || number == NR_RESTART ? known(self) : 0;
	if (!thread || !(thread->flags & ENTERED_BEFORE))
		return 0;
	thread->flags &= ~ENTERED_BEFORE;
	return call_returns(self, number, regs, result);
}

#endif
