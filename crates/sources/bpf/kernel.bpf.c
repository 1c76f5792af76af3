// SPDX-License-Identifier: MIT OR GPL-2.0-only
// The kernel's own locks: every wait that its tracepoints tell of, by kind of lock, by processor, by caller and by lock.
//
// An execution context waits for one lock at a time, but contexts nest: a thread that waits for a mutex spins for the mutex's own spin
// lock, and an interrupt may come and spin for another. Waits that spin cannot change the processor, so they are kept by processor; those
// that sleep are kept by task. Either way in a few slots, found again by the lock's address.
#include "contention_fields.bpf.h"
#include "contention_kinds.bpf.h"
#include "contention_maps.bpf.h"

static __always_inline struct slots *slots_of(u32 kind, u64 flags)
{
	u32 zero = 0;

	if (spins(kind))
		return bpf_map_lookup_elem(&spinning, &zero);
	return bpf_task_storage_get(&sleeping, (void *)bpf_get_current_task_btf(), 0, flags);
}

static __always_inline int is_watched(void)
{
	struct slots *slots;

	if (group_low || group_high)
		return bpf_get_current_ancestor_cgroup_id(group_level) == ((u64)group_high << 32 | group_low);
	if (!parent)
		return 1;
	slots = bpf_task_storage_get(&sleeping, (void *)bpf_get_current_task_btf(), 0, 0);
	return slots && slots->watched;
}

// Of the program itself, and of what calls it.
#define OUR_FRAMES 2

static __always_inline u32 stack_of(void *ctx)
{
	s64 id = bpf_get_stackid(ctx, &stacks, BPF_F_FAST_STACK_CMP | OUR_FRAMES);

	if (id < 0) {
		lose(LOST_STACKS);
		return 0;
	}
	return (u32)id + 1;
}

// A stack costs many times what everything else does: by lock, one for each is enough.
static __always_inline int wants_stack(u32 kind, u64 lock, u32 field)
{
	struct lock_key key = {.kind = kind, .field = field, .lock = field ? 0 : lock};
	struct row *row;

	if (by_caller)
		return 1;
	if (!by_lock)
		return 0;
	row = bpf_map_lookup_elem(&locks, &key);
	return !row || !row->stack;
}

SEC("tp_btf/contention_begin")
int BPF_PROG(kernel_begin, void *lock, unsigned int flags)
{
	struct slot *free = 0, *slot;
	u32 kind = kind_of(flags), thread = bpf_get_current_pid_tgid();
	struct slots *slots;

	if (!is_watched())
		return 0;
	slots = slots_of(kind, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!slots) {
		lose(LOST_TASKS);
		return 0;
	}
#pragma unroll
	for (int i = SLOTS - 1; i >= 0; i--) {
		slot = &slots->slot[i];
		if (slot->lock == (u64)lock) {
			// A mutex says it anew whenever it goes from spinning to sleeping and back; nothing that spins says it twice.
			if (!spins(kind)) {
				slot->repeats++;
				return 0;
			}
			lose(LOST_ENDS);
			slot->lock = 0;
		}
		if (!slot->lock)
			free = slot;
	}
	if (!free) {
		// No more contexts than slots can be waiting at once: what stands there has lost its end.
		lose(LOST_NESTED);
#pragma unroll
		for (int i = 0; i < SLOTS; i++)
			slots->slot[i].lock = 0;
		return 0;
	}
	// First: the thread could not go on from here. A wait that would have been shorter than this program is stretched to it, but longer
	// ones stay as long as they were.
	free->began_ns = bpf_ktime_get_ns();
	free->kind = kind;
	free->repeats = 0;
	free->thread = thread;
	free->field = FIELD_NONE;
	if (by_lock) {
		note_run_queue();
		free->field = field_of((u64)lock);
	}
	free->stack = wants_stack(kind, (u64)lock, free->field) ? stack_of(ctx) : 0;
	free->lock = (u64)lock;
	return 0;
}

// Takes the wait for `lock` out of its slot; `wait` stays free if there is none.
static __always_inline void take(struct slots *slots, u64 lock, struct slot *wait)
{
#pragma unroll
	for (int i = 0; i < SLOTS; i++) {
		if (!wait->lock && slots->slot[i].lock == lock) {
			*wait = slots->slot[i];
			slots->slot[i].lock = 0;
		}
	}
}

// The row in one of the maps of rows, made if it is not there; null if there is no room.
static __always_inline struct row *row_in(void *map, const void *key)
{
	struct row *row = bpf_map_lookup_elem(map, key);

	if (!row) {
		bpf_map_update_elem(map, key, &no_row, BPF_NOEXIST);
		row = bpf_map_lookup_elem(map, key);
	}
	return row;
}

static __always_inline void add_to_row(struct row *row, u64 ns, u32 bucket)
{
	row->count++;
	row->total_ns += ns;
	if (ns > row->max_ns)
		row->max_ns = ns;
	row->log2[bucket]++;
}

// No program runs twice at once on one processor, and this one alone writes what follows: plain additions do.
SEC("tp_btf/contention_end")
int BPF_PROG(kernel_end, void *lock, int ret)
{
	u64 now = bpf_ktime_get_ns(), ns, ticks;
	struct slots *slots = 0;
	struct slot wait = {};
	u32 zero = 0, bucket, thread = bpf_get_current_pid_tgid();

	slots = bpf_map_lookup_elem(&spinning, &zero);
	if (!slots)
		return 0;
	take(slots, (u64)lock, &wait);
	if (wait.lock && wait.thread != thread) {
		// What spins stays the current thread.
		lose(LOST_ENDS);
		wait.lock = 0;
	}
	if (!wait.lock) {
		slots = bpf_task_storage_get(&sleeping, (void *)bpf_get_current_task_btf(), 0, 0);
		if (slots)
			take(slots, (u64)lock, &wait);
	}
	if (!wait.lock) {
		if (is_watched())
			lose(LOST_BEGINS);
		return 0;
	}
	ns = now - wait.began_ns;
	bucket = bucket_of(ns);
	struct of_kind *of_kind = bpf_map_lookup_elem(&kinds, &wait.kind);
	if (!of_kind || bucket >= BUCKETS)
		return 0;
	of_kind->count++;
	if (ret)
		of_kind->failed++;
	of_kind->repeats += wait.repeats;
	of_kind->total_ns += ns;
	if (ns > of_kind->max_ns)
		of_kind->max_ns = ns;
	of_kind->log2[bucket]++;
	if (ticks_in_1024_ns) {
		// 2^44 ns are five hours; longer ones stay in the last bucket.
		ticks = ns >> 44 ? ns : ns * ticks_in_1024_ns >> 10;
		u32 of_ticks = bucket_of(ticks);
		if (of_ticks < BUCKETS)
			of_kind->log2_ticks[of_ticks]++;
	}
	if (by_caller) {
		struct caller_key key = {.stack = wait.stack, .kind = wait.kind};
		struct row *row = row_in(&callers, &key);

		if (row)
			add_to_row(row, ns, bucket);
		else
			lose(LOST_CALLERS);
	}
	if (by_lock) {
		struct lock_key key = {.kind = wait.kind, .field = wait.field, .lock = wait.field ? 0 : wait.lock};
		struct row *row = row_in(&locks, &key);

		if (row) {
			add_to_row(row, ns, bucket);
			if (!row->stack)
				row->stack = wait.stack;
		} else {
			lose(LOST_LOCKS);
		}
	}
	return 0;
}

// A task that is started by one that is watched, or by `parent`, is watched.
SEC("tp_btf/sched_process_fork")
int BPF_PROG(kernel_fork, struct task_struct *task, struct task_struct *child)
{
	struct slots *slots = bpf_task_storage_get(&sleeping, (void *)task, 0, 0);
	struct bpf_pidns_info self;

	if (!slots || !slots->watched) {
		if (bpf_get_ns_current_pid_tgid(namespace_device, namespace_inode, &self, sizeof(self)))
			return 0;
		if (self.tgid != parent)
			return 0;
	}
	slots = bpf_task_storage_get(&sleeping, (void *)child, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (slots)
		slots->watched = 1;
	else
		lose(LOST_TASKS);
	return 0;
}

char LICENSE[] SEC("license") = "Dual MIT/GPL";
