// SPDX-License-Identifier: MIT OR GPL-2.0-only
// Threads that lose their processor while they hold locks, and threads that wait for these meanwhile.
//
// A recorded thread says once where it keeps the list of its locks. At each context switch the list of the thread that leaves is
// read, while its memory is still at hand; when it comes back, the time between is charged to each lock in it. Nothing is written
// into the program, and reading never faults: what is not there is counted.
#include "kernel.bpf.h"
#include "histogram.bpf.h"
#include "holds.bpf.h"
#include "registers.bpf.h"

// The run that is watched: threads of another one are not listened to.
const volatile u32 run = 0;

// How many of the locks that a thread holds are charged: those acquired last.
#define CHARGED 8
// What is missing of a stretch on a processor counts from here on: the two clocks are not read at one moment.
#define STOLEN_FROM_NS 10000

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
	// Room to read into.
	struct entry entries[CHARGED];
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct thread);
} threads SEC(".maps");

// Whether any holder has been preempted yet: until then, whoever waits need not be asked for whom.
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

	struct process process = {.pid = told.pid, .sequence = told.sequence};
	registered = bpf_map_lookup_elem(&processes, &process);
	if (registered)
		add(registered, 1);
	else if (bpf_map_update_elem(&processes, &process, &one, BPF_NOEXIST))
		drop(NOT_REGISTERED, 1);
	return 0;
}

static __always_inline void charge(struct thread *thread, struct count *count, u32 why, u64 ns)
{
	struct switched_key key = {
		.lock = count->lock,
		.pid = thread->pid,
		.sequence = thread->sequence,
		.site = count->site,
		.generation = count->generation,
		.birth = count->birth,
		.kind = count->kind,
		.entry = count->entry,
		.why = why,
	};
	struct switched *row = bpf_map_lookup_elem(&switched, &key);

	if (!row) {
		bpf_map_update_elem(&switched, &key, &never_switched, BPF_NOEXIST);
		row = bpf_map_lookup_elem(&switched, &key);
	}
	if (!row) {
		drop(NO_ROOM, 1);
		return;
	}
	add(&row->count, 1);
	add(&row->total_ns, ns);
	raise(&row->max_ns, ns);
	add(&row->log2[bucket_of(ns)], 1);
}

// A holder of the lock of `count` has been preempted.
static __always_inline void holder_left(struct thread *thread, struct count *count, u64 now)
{
	struct lock lock = {.address = count->lock, .pid = thread->pid, .sequence = thread->sequence};
	struct absence *absence = bpf_map_lookup_elem(&absences, &lock);

	if (!absence) {
		bpf_map_update_elem(&absences, &lock, &never_absent, BPF_NOEXIST);
		absence = bpf_map_lookup_elem(&absences, &lock);
	}
	if (!absence) {
		drop(NO_ROOM_FOR_WAITS, 1);
		return;
	}
	any_absence = 1;
	// The beginning first: who sees that somebody is absent sees since when.
	if (!absence->holders)
		absence->since_ns = now;
	__sync_fetch_and_add(&absence->holders, 1);
	absence->generation = count->generation;
	absence->birth = count->birth;
	absence->kind = count->kind;
	absence->entry = count->entry;
}

// It runs again.
static __always_inline void holder_came(struct thread *thread, struct count *count, u64 now)
{
	struct lock lock = {.address = count->lock, .pid = thread->pid, .sequence = thread->sequence};
	struct absence *absence = bpf_map_lookup_elem(&absences, &lock);

	// Where there was no room when it left, there are none to take away.
	if (!absence || !absence->holders)
		return;
	if (__sync_fetch_and_add(&absence->holders, -1) == 1) {
		u64 since = absence->since_ns;

		absence->last_since_ns = since;
		absence->last_until_ns = now;
		add(&absence->total_ns, now > since ? now - since : 0);
	}
}

// How long holders of the lock have been preempted up to now.
static __always_inline u64 absent_ns(struct absence *absence, u64 now)
{
	u64 total = absence->total_ns, since = absence->since_ns;

	if (absence->holders && now > since)
		total += now - since;
	return total;
}

static __always_inline void charge_wait(struct thread *thread, struct absence *absence, u64 ns)
{
	struct waited_key key = {
		.lock = thread->waiting_lock,
		.pid = thread->pid,
		.sequence = thread->sequence,
		.site = thread->waiting_site,
		.generation = absence->generation,
		.birth = absence->birth,
		.tid = thread->tid,
		.kind = absence->kind,
		.entry = absence->entry,
	};
	struct waited *row = bpf_map_lookup_elem(&waited, &key);

	if (!row) {
		bpf_map_update_elem(&waited, &key, &never_waited, BPF_NOEXIST);
		row = bpf_map_lookup_elem(&waited, &key);
	}
	if (!row) {
		drop(NO_ROOM_FOR_WAITS, 1);
		return;
	}
	add(&row->count, 1);
	add(&row->total_ns, ns);
	raise(&row->max_ns, ns);
}

// Part of `since` to `until` that lies between `from` and `to`.
static __always_inline u64 overlap_ns(u64 since, u64 until, u64 from, u64 to)
{
	if (since < from)
		since = from;
	if (until > to)
		until = to;
	return until > since ? until - since : 0;
}

// A thread that waits leaves its processor: to sleep, or because it spins and its time is over.
static __always_inline void waiter_left(struct thread *thread, u64 now)
{
	struct waiting waiting = {};
	struct lock lock = {.pid = thread->pid, .sequence = thread->sequence};
	struct absence *absence;
	u64 from, ns;

	thread->waiting_lock = 0;
	if (!thread->life)
		return;
	if (bpf_probe_read_user(&waiting, sizeof(waiting), (void *)(thread->life + WAITING))) {
		drop(UNREAD, 1);
		return;
	}
	if (!waiting.since_ns)
		return;
	thread->waiting_lock = waiting.lock;
	thread->waiting_site = waiting.site;
	thread->absent_ns = 0;
	if (!any_absence)
		return;
	lock.address = waiting.lock;
	absence = bpf_map_lookup_elem(&absences, &lock);
	if (!absence)
		return;
	thread->absent_ns = absent_ns(absence, now);
	// While it still had a processor, and waited already: the absence that goes on, and the one before.
	from = waiting.since_ns > thread->came_ns ? waiting.since_ns : thread->came_ns;
	ns = overlap_ns(absence->last_since_ns, absence->last_until_ns, from, now);
	if (absence->holders)
		ns += overlap_ns(absence->since_ns, now, from, now);
	if (ns)
		charge_wait(thread, absence, ns);
}

// It runs again.
static __always_inline void waiter_came(struct thread *thread, u64 now)
{
	struct lock lock = {.address = thread->waiting_lock, .pid = thread->pid, .sequence = thread->sequence};
	struct absence *absence;
	u64 absent;

	if (!thread->waiting_lock || !any_absence)
		return;
	absence = bpf_map_lookup_elem(&absences, &lock);
	if (!absence)
		return;
	absent = absent_ns(absence, now);
	if (absent > thread->absent_ns)
		charge_wait(thread, absence, absent - thread->absent_ns);
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

// The thread has had its processor back since `now`.
static __always_inline void comes(struct thread *thread, u64 now)
{
	struct look look = {.thread = thread, .now = now};

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
