// SPDX-License-Identifier: MIT OR GPL-2.0-only
// Futex calls of one process, of some, or of all: who waited for which word, where, how long, how it ended, who ended it, and whether the lock's
// owner was running meanwhile.
//
// Nothing is done where a call begins. One that waits is noted when its thread leaves the processor (sched_switch). All are known by their
// arguments, which are still in the user's registers, when they return: most calls of a contended program wait for nobody and wake nobody,
// and cost one look-up that way. Where the kernel allows it, that is at the ends of its functions for futex calls (returns.bpf.h); else at
// the tracepoint of all returning system calls, which makes each of them slower.
#include "asleep.bpf.h"
#include "wakers.bpf.h"

#define SA_RESTART 0x10000000

// Whether what a watched process starts is watched, too; where `some` are.
const volatile u32 follow = 0;

SEC("tp_btf/sched_switch")
int BPF_PROG(futex_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	if (is_watched(next))
		back_on(next);
	if (!is_watched(prev))
		return 0;
	void *regs = (void *)bpf_task_pt_regs((void *)prev);
	u32 state = state_of(prev);
	if (preempt || !state) {
		taken_off(prev, regs, bpf_ktime_get_ns());
	} else if (state & TASK_INTERRUPTIBLE) {
		s64 number = system_call_of(regs);

		if (is_futex(number) || number == NR_RESTART)
			fell_asleep(prev, number, regs, bpf_ktime_get_ns());
	}
	return 0;
}

// A call that waits has returned, and its thread may have slept.
static __always_inline void waited(struct thread *thread, u32 number, void *regs, s64 result)
{
	u64 now = bpf_ktime_get_ns();

	if (IS_SUSPENDED(result)) {
		thread->suspended_ns = now;
		thread->suspended_by = result;
		if (!thread->stack)
			thread->stack = stack_at(&thread->places[0], regs, thread->word, now - thread->asleep_ns);
		return;
	}
	if (thread->suspended_ns)
		thread->restarted++;
	if (thread->call == WAITV && result > 0) {
		struct futex call = {};

		futex_of(number, regs, &call);
		read_list(&call, result);
		if (call.word)
			thread->word = call.word;
	}
	if (!thread->stack)
		thread->stack = stack_at(&thread->places[0], regs, thread->word, now - thread->asleep_ns);
	ended_wait(thread, result, now, 1);
}

// A wait that had begun before us is over.
static __always_inline void ended_unknown(struct thread *thread)
{
	thread->flags &= ~BEGUN_BEFORE;
	thread->suspended_by = 0;
	change_hint(IN_A_WAIT, thread->global, -1);
	count(BEGUN_BEFORE_US);
}

// A call that waits has returned, and its thread never left the processor, or we do not know since when.
static __always_inline void returned(struct thread *thread, struct task_struct *self, struct futex *call, s64 result)
{
	if (thread && (thread->flags & BEGUN_BEFORE)) {
		if (IS_SUSPENDED(result))
			thread->suspended_by = result;
		else
			ended_unknown(thread);
		return;
	}
	if (IS_SUSPENDED(result))
		return;
	read_list(call, result > 0 ? result : 0);
	struct wait_key key = {.word = call->word, .process = process_of(self), .op = call->op, .call = call->call};
	struct wait *wait = wait_of(&key);
	if (!wait)
		return;
	count_outcome(wait, result);
	if (result >= 0)
		add(&wait->at_once, 1);
}

static __always_inline void woke(struct task_struct *self, struct futex *call, s64 result)
{
	struct wake_key key = {.process = process_of(self), .op = call->op, .call = call->call};
	u64 woken = 0, moved_on = 0;

	read_list(call, 0);
	key.word = call->word;
	key.second = call->second;
	if (result > 0 || call->call != WAKE) {
		struct thread *thread = known(self);

		if (thread) {
			key.stack = thread->own_stack;
			woken = thread->woke;
			thread->own_stack = 0;
			thread->woke = 0;
		}
	}
	if (call->call == WAKE && result > 0)
		woken = result;
	if (call->call == REQUEUE && result > (s64)woken) {
		struct word_key from = {.word = call->word, .process = key.process};
		struct requeue requeue = {.to = call->second, .at_ns = bpf_ktime_get_ns()};

		moved_on = result - woken;
		bpf_map_update_elem(&requeues, &from, &requeue, BPF_ANY);
	}
	struct wake *wake = FIND_OR_ADD(&wakes, &key, &no_wake, NO_WAKE);
	if (!wake)
		return;
	if (result < 0) {
		add(&wake->failed, 1);
	} else if (!woken && !moved_on) {
		add(&wake->empty, 1);
	} else {
		add(&wake->met, 1);
		add(&wake->woken, woken);
		if (moved_on)
			add(&wake->moved, moved_on);
	}
}

// A system call of the current thread `self`, number `number`, returns.
static __always_inline int call_returns(struct task_struct *self, s64 number, void *regs, long result)
{
	struct futex call = {};
	if (number != NR_RESTART)
		futex_of(number, regs, &call);
	if (call.call == NONE && number != NR_RESTART)
		return 0;
	if (number != NR_RESTART && !IS_WAIT(call.call)) {
		woke(self, &call, result);
		return 0;
	}
	struct thread *thread = hint_of(IN_A_WAIT, self->pid) ? known(self) : 0;
	if (thread && !thread->asleep_ns)
		forget_early_waker(thread);
	if (thread && thread->asleep_ns)
		waited(thread, number, regs, result);
	else if (number != NR_RESTART || (thread && (thread->flags & BEGUN_BEFORE)))
		returned(thread, self, &call, result);
	return 0;
}

#include "returns.bpf.h"

// A handler runs: a wait that it interrupts is taken up again only if the program asked for that.
SEC("tp_btf/signal_deliver")
int BPF_PROG(futex_signal, int signal, void *info, struct k_sigaction *action)
{
	struct task_struct *self = bpf_get_current_task_btf();

	if (!is_watched(self))
		return 0;
	struct thread *thread = known(self);
	if (!thread || !thread->suspended_by || (u64)action->sa.sa_handler <= 1)
		return 0;
	if (thread->suspended_by == -ERESTARTSYS && (action->sa.sa_flags & SA_RESTART))
		return 0;
	if (thread->flags & BEGUN_BEFORE)
		ended_unknown(thread);
	else
		ended_wait(thread, -EINTR, thread->suspended_ns, 1);
	return 0;
}

static u64 ended_so_far;

static __always_inline void note_last_figures(struct thread *thread, struct task_struct *task)
{
	thread->began_ns = task->start_time;
	thread->ended_ns = bpf_ktime_get_ns();
	thread->user_ns = task->utime;
	thread->system_ns = task->stime;
	thread->cpu_ns = task->se.sum_exec_runtime;
	if (bpf_core_field_exists(task->sched_info.run_delay))
		thread->run_delay_ns = task->sched_info.run_delay;
	thread->voluntary = task->nvcsw;
	thread->involuntary = task->nivcsw;
}

// The thread has ended, or its program has.
static __always_inline void thread_ended(struct task_struct *task)
{
	struct thread_key key = key_of(task);
	struct thread *thread = bpf_map_lookup_elem(&threads, &key);

	if (!thread)
		return;
	if (thread->asleep_ns)
		ended_wait(thread, -EINTR, thread->suspended_ns ? thread->suspended_ns : bpf_ktime_get_ns(), 0);
	// Counted for a wait that was over when it was listed.
	waiter_left(thread, bpf_ktime_get_ns(), 0);
	if (thread->flags & BEGUN_BEFORE)
		change_hint(IN_A_WAIT, thread->global, -1);
	forget_early_waker(thread);
	// Of all threads of the machine, those that did neither are of no interest.
	if (target || some || thread->waits || thread->preempted) {
		u64 number = __sync_fetch_and_add(&ended_so_far, 1);

		bpf_core_read(thread->name, sizeof(thread->name), &task->comm);
		note_last_figures(thread, task);
		if (bpf_map_update_elem(&ended, &number, thread, BPF_ANY))
			count(NO_ENDED);
	}
	bpf_map_delete_elem(&threads, &key);
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(futex_gone, struct task_struct *task)
{
	if (!is_watched(task))
		return 0;
	count(THREADS_ENDED);
	if (!task->signal->live.counter) {
		count(PROCESSES_ENDED);
		if (some)
			image_ended(process_of(task));
	}
	thread_ended(task);
	return 0;
}

// The child's code is its parent's, and can be walked by the same tables.
static __always_inline void share_code(u32 parent, u32 child)
{
	struct process *code = bpf_map_lookup_elem(&unwind_processes, &parent);

	if (code)
		bpf_map_update_elem(&unwind_processes, &child, code, BPF_ANY);
}

static __always_inline void child_started(struct task_struct *parent, struct task_struct *child)
{
	u32 image = process_of(parent), started = new_image(child->tgid, image, 0);

	if (!started) {
		count(NO_IMAGE);
		return;
	}
	share_code(image, started);
	known_or_new(child);
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(futex_started, struct task_struct *parent, struct task_struct *child)
{
	int is_thread = child->tgid == parent->tgid;

	// A process that was watched may have had its number.
	if (some && !is_thread) {
		u32 number = child->tgid;

		bpf_map_delete_elem(&watched, &number);
	}
	if (!is_watched(parent))
		return 0;
	if (is_thread) {
		count(THREADS_STARTED);
		known_or_new(child);
		return 0;
	}
	count(PROCESSES_STARTED);
	if (follow)
		child_started(parent, child);
	return 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(futex_replaced, struct task_struct *task)
{
	if (!is_watched(task))
		return 0;
	count(PROGRAMS_REPLACED);
	if (!some)
		return 0;
	u32 image = process_of(task);
	thread_ended(task);
	image_ended(image);
	if (!new_image(task->tgid, image, 1)) {
		u32 number = task->tgid;

		// Its addresses are not the old image's any more.
		bpf_map_delete_elem(&watched, &number);
		count(NO_IMAGE);
		return 0;
	}
	known_or_new(task);
	return 0;
}

char LICENSE[] SEC("license") = "Dual MIT/GPL";
