// SPDX-License-Identifier: MIT OR GPL-2.0-only
// Threads that lose their processor while they hold locks, and threads that wait for these meanwhile.
//
// A recorded thread says once where it keeps the list of its locks. At each context switch the list of the thread that leaves is
// read, while its memory is still at hand; when it comes back, the time between is charged to each lock in it. Nothing is written
// into the program, and reading never faults: what is not there is counted.
#include "kernel.bpf.h"
#include "absences.bpf.h"
#include "registers.bpf.h"

// The run that is watched: threads of another one are not listened to.
const volatile u32 run = 0;

// Whether each time without a processor is wanted, for the timeline.
const volatile u32 keeps_times = 0;

// What is missing of a stretch on a processor counts from here on: the two clocks are not read at one moment.
#define STOLEN_FROM_NS 10000

SEC("uprobe")
int holds_registered(void *ctx)
{
	struct registration told = {};
	void *argument = on_x86() ? (void *)BPF_CORE_READ((struct pt_regs___x86 *)ctx, di)
				  : (void *)BPF_CORE_READ((struct pt_regs___arm64 *)ctx, regs[0]);
	u64 one = 1, *registered;
	struct thread *thread;

	if (bpf_probe_read_user(&told, sizeof(told), argument) || told.magic != MAGIC || told.layout != LAYOUT) {
		drop(NOT_REGISTERED, 1);
		return 0;
	}
	if (told.run != run)
		return 0;
	thread = bpf_task_storage_get(&threads, bpf_get_current_task_btf(), 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!thread) {
		drop(NOT_REGISTERED, 1);
		return 0;
	}
	thread->held = told.held;
	thread->life = told.life;
	thread->pid = told.pid;
	thread->sequence = told.sequence;
	thread->tid = told.tid;
	thread->locks = 0;
	thread->why = RUNNING;
	thread->waiting_lock = 0;
	thread->left_ns = 0;
	thread->came_ns = 0;
	thread->off = RUNNING;
	thread->waker_tid = 0;

	struct process process = {.pid = told.pid, .sequence = told.sequence};
	registered = bpf_map_lookup_elem(&processes, &process);
	if (registered)
		add(registered, 1);
	else if (bpf_map_update_elem(&processes, &process, &one, BPF_NOEXIST))
		drop(NOT_REGISTERED, 1);
	return 0;
}

// Why the current thread leaves its processor. One that yields and one that is preempted are both runnable.
static __always_inline u32 why_off(int preempt, u32 state, struct task_struct *task)
{
	if (preempt)
		return PREEMPTED;
	if (state)
		return BLOCKED;
	return system_call_of((void *)bpf_task_pt_regs((void *)task)) == NR_SCHED_YIELD ? YIELDED : PREEMPTED;
}

static __always_inline int is_same_hold(struct count *a, struct count *b)
{
	return a->lock == b->lock && a->acquisitions == b->acquisitions && a->site == b->site && a->generation == b->generation;
}

// A look at the locks of a thread, one after another. By bpf_loop, so that the verifier goes through what is done with one only once.
struct look {
	struct thread *thread;
	u64 now;
	// What was stolen from the thread since it came; how many locks it held then, and how many it holds.
	u64 stolen;
	u32 before;
	u32 locks;
};

static int came_back(u32 place, struct look *look)
{
	struct thread *thread = look->thread;
	struct count *count;

	if (place >= CHARGED || place >= thread->locks)
		return 1;
	count = &thread->counts[place];
	if (!count->lock)
		return 0;
	charge(thread, count, thread->why, look->now - thread->left_ns);
	if (thread->why == PREEMPTED)
		holder_came(thread, count, look->now);
	return 0;
}

static __always_inline void keep_time_off(struct thread *thread, u64 now)
{
	struct time_off *time = bpf_ringbuf_reserve(&times_off, sizeof(*time), 0);

	if (!time) {
		drop(NO_ROOM_FOR_TIMES, 1);
		return;
	}
	time->out_ns = thread->left_ns;
	time->in_ns = now;
	time->pid = thread->pid;
	time->sequence = thread->sequence;
	time->tid = thread->tid;
	time->why = thread->off;
	time->waker_pid = thread->waker_pid;
	time->waker_tid = thread->waker_tid;
	// Its reader comes by and by: waking it would be a switch of its own.
	bpf_ringbuf_submit(time, BPF_RB_NO_WAKEUP);
}

// The thread has had its processor back since `now`.
static __always_inline void comes(struct thread *thread, u64 now)
{
	struct look look = {.thread = thread, .now = now};

	if (keeps_times && thread->left_ns && thread->off)
		keep_time_off(thread, now);
	if (thread->locks)
		bpf_loop(CHARGED, came_back, &look, 0);
	waiter_came(thread, now);
	thread->came_ns = now;
	thread->left_ns = 0;
}

// Some kernels hide switches, those away from threads of their own keepers; then the thread after one comes back unseen. What it has
// run since it left says when that was.
static __always_inline void came_unseen(struct thread *thread, u64 now, u64 ran)
{
	u64 came = now - (ran - thread->ran_ns);

	drop(UNSEEN, 1);
	comes(thread, came > thread->left_ns && came <= now ? came : thread->left_ns);
}

static int left_holding(u32 place, struct look *look)
{
	struct thread *thread = look->thread;
	struct count *count, now_held = {};

	if (place >= CHARGED || place >= look->locks)
		return 1;
	count = &thread->counts[place];
	// A handler of a signal may have come between two words of the list: null is one that is being entered.
	if (!thread->entries[place].count) {
		count->lock = 0;
		return 0;
	}
	if (bpf_probe_read_user(&now_held, sizeof(now_held), (void *)thread->entries[place].count)) {
		count->lock = 0;
		drop(UNREAD, 1);
		return 0;
	}
	// Held when it came and ever since: whatever was stolen meanwhile was stolen from this hold.
	if (look->stolen && place < look->before && is_same_hold(count, &now_held))
		charge(thread, &now_held, STOLEN, look->stolen);
	*count = now_held;
	if (thread->why == PREEMPTED)
		holder_left(thread, count, look->now);
	return 0;
}

static __always_inline void leaves(struct task_struct *task, struct thread *thread, int preempt, u32 state)
{
	u64 now = bpf_ktime_get_ns(), ran = ran_ns(task), stolen = 0;
	struct held held = {};
	u32 first = 0, locks, before;

	if (thread->left_ns)
		came_unseen(thread, now, ran);
	if (thread->came_ns) {
		u64 had = now - thread->came_ns, used = ran - thread->ran_ns;

		if (had > used && had - used >= STOLEN_FROM_NS)
			stolen = had - used;
	}
	before = thread->locks;
	thread->locks = 0;
	thread->waiting_lock = 0;
	thread->left_ns = now;
	thread->ran_ns = ran;
	if (keeps_times) {
		thread->off = why_off(preempt, state, task);
		thread->waker_tid = 0;
	}
	if (bpf_probe_read_user(&held, sizeof(held), (void *)thread->held)) {
		drop(UNREAD, 1);
		return;
	}
	if (held.owner != thread->tid) {
		// The thread has given its list back: it is near its end, and another may have the list by now.
		bpf_task_storage_delete(&threads, task);
		return;
	}
	waiter_left(thread, now);
	locks = held.depth;
	if (!locks)
		return;
	if (locks > HELD)
		locks = HELD;
	if (locks > CHARGED) {
		drop(TOO_MANY_HELD, locks - CHARGED);
		first = locks - CHARGED;
		locks = CHARGED;
		// The entries have other places now.
		before = 0;
	}
	if (bpf_probe_read_user(thread->entries, sizeof(thread->entries),
				(void *)(thread->held + sizeof(struct held) + first * sizeof(struct entry)))) {
		drop(UNREAD, 1);
		return;
	}
	thread->why = why_off(preempt, state, task);
	struct look look = {.thread = thread, .now = now, .stolen = stolen, .before = before, .locks = locks};
	bpf_loop(CHARGED, left_holding, &look, 0);
	thread->locks = locks;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(holds_switch, u8 preempt, struct task_struct *prev, struct task_struct *next, unsigned int prev_state)
{
	struct thread *thread = bpf_task_storage_get(&threads, (void *)prev, 0, 0);

	if (thread)
		leaves(prev, thread, preempt, prev_state);
	thread = bpf_task_storage_get(&threads, (void *)next, 0, 0);
	if (thread && thread->left_ns)
		comes(thread, bpf_ktime_get_ns());
	return 0;
}

// A thread of the program wakes another. It does if it is in a futex call: an interrupt, which may come at any time, wakes threads too,
// and is no work of the thread that it interrupts.
SEC("tp_btf/sched_waking")
int BPF_PROG(holds_waking, struct task_struct *task)
{
	struct thread *sleeper = bpf_task_storage_get(&threads, (void *)task, 0, 0), *waker;
	struct task_struct *self = bpf_get_current_task_btf();
	s64 number;

	if (!sleeper || !sleeper->left_ns || sleeper->waker_tid)
		return 0;
	waker = bpf_task_storage_get(&threads, self, 0, 0);
	if (!waker)
		return 0;
	number = system_call_of((void *)bpf_task_pt_regs(self));
	if (number != NR_FUTEX && number != NR_FUTEX_WAKE)
		return 0;
	sleeper->waker_pid = waker->pid;
	sleeper->waker_tid = waker->tid;
	return 0;
}

// Another program in the same thread: its memory is another, too.
SEC("tp_btf/sched_process_exec")
int BPF_PROG(holds_exec, struct task_struct *task)
{
	bpf_task_storage_delete(&threads, (void *)task);
	return 0;
}

// From here on it has no memory that could be read.
SEC("tp_btf/sched_process_exit")
int BPF_PROG(holds_exit, struct task_struct *task)
{
	bpf_task_storage_delete(&threads, (void *)task);
	return 0;
}

char LICENSE[] SEC("license") = "Dual MIT/GPL";
