// SPDX-License-Identifier: MIT OR GPL-2.0-only
// Futex calls of one process, of some, or of all: who waited for which word, where, how long, how it ended, who ended it, and whether the lock's
// owner was running meanwhile.
//
// Nothing is done where a call begins. One that waits is noted when its thread leaves the processor (sched_switch), and all are told by
// their arguments, which are still in the user's registers, when they return (sys_exit): most calls of a contended program wait for nobody
// and wake nobody, and cost one look-up that way.
#include "asleep.bpf.h"

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
			sleeper->flags |= JOINED;
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

SEC("tp_btf/sched_waking")
int BPF_PROG(futex_waking, struct task_struct *task)
{
	if (!is_watched(task))
		return 0;
	struct thread *sleeper = known(task);
	if (!sleeper || !sleeper->asleep_ns) {
		void *regs = (void *)bpf_task_pt_regs((void *)task);
		s64 number = system_call_of(regs);

		// One on its way to sleep is still on its processor.
		if (task->on_cpu || !is_futex(number))
			return 0;
		struct futex call = {};
		futex_of(number, regs, &call);
		sleeper = IS_WAIT(call.call) ? known_or_new(task) : 0;
		if (sleeper && !(sleeper->flags & BEGUN_BEFORE)) {
			sleeper->flags |= BEGUN_BEFORE;
			change_hint(IN_A_WAIT, task->pid, 1);
		}
		return 0;
	}
	sleeper->woken_ns = bpf_ktime_get_ns();
	note_waker(sleeper);
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

SEC("tp_btf/sys_exit")
int BPF_PROG(futex_exit, void *regs, long result)
{
	s64 number = system_call_of(regs);

	if (!is_futex(number) && number != NR_RESTART)
		return 0;
	struct task_struct *self = bpf_get_current_task_btf();
	if (!is_watched(self))
		return 0;
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
	if (thread && thread->asleep_ns)
		waited(thread, number, regs, result);
	else if (number != NR_RESTART || (thread && (thread->flags & BEGUN_BEFORE)))
		returned(thread, self, &call, result);
	return 0;
}

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
	if (thread->flags & BEGUN_BEFORE)
		change_hint(IN_A_WAIT, thread->global, -1);
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
