// SPDX-License-Identifier: MIT OR GPL-2.0-only
// The kernel's own locks: every wait that its tracepoints tell of, by kind of lock, by processor, by caller and by lock.
//
// An execution context waits for one lock at a time, but contexts nest: a thread that waits for a mutex spins for the mutex's own spin
// lock, and an interrupt may come and spin for another. Waits that spin cannot change the processor, so they are kept by processor; those
// that sleep are kept by task. Either way in a few slots, found again by the lock's address.
#include "kernel.bpf.h"
#include "histogram.bpf.h"

// The tracepoints' flags.
#define SPIN (1U << 0)
#define READ (1U << 1)
#define WRITE (1U << 2)
#define RT (1U << 3)
#define PERCPU (1U << 4)
#define MUTEX (1U << 5)

enum kind {
	KIND_SPIN,
	KIND_RWLOCK_READ,
	KIND_RWLOCK_WRITE,
	KIND_RWSEM_READ,
	KIND_RWSEM_WRITE,
	KIND_MUTEX,
	KIND_PERCPU_READ,
	KIND_PERCPU_WRITE,
	KIND_RT,
	KIND_RT_READ,
	KIND_RT_WRITE,
	KIND_OTHER,
	KINDS,
};

// Locks inside what belongs to the waiting thread or its process: known whatever their address.
enum field {
	FIELD_NONE,
	FIELD_MMAP_LOCK,
	FIELD_PAGE_TABLE_LOCK,
	FIELD_SIGLOCK,
	FIELD_FILE_LOCK,
	FIELD_ALLOC_LOCK,
	FIELD_PI_LOCK,
};

struct mm_struct {
	struct {} mmap_lock;
	struct {} page_table_lock;
} RELOCATED;

struct sighand_struct {
	struct {} siglock;
} RELOCATED;

struct files_struct {
	struct {} file_lock;
} RELOCATED;

struct rq {
	struct {} __lock;
} RELOCATED;

struct cfs_rq {
	struct rq *rq;
} RELOCATED;

struct sched_entity {
	struct cfs_rq *cfs_rq;
} RELOCATED;

struct task_struct___locks {
	struct sched_entity se;
	int pid;
	int tgid;
	struct mm_struct *mm;
	struct sighand_struct *sighand;
	struct files_struct *files;
	struct {} alloc_lock;
	struct {} pi_lock;
} RELOCATED;

// Whether waits are told by caller, and by lock: each costs time, so nobody pays for what nobody asked for.
const volatile u32 by_caller = 0;
const volatile u32 by_lock = 0;
// Ticks of the processor's counter in 1024 ns; zero if not known.
const volatile u32 ticks_in_1024_ns = 0;
// Only the waits of processes that this one starts, and of those they start; zero for all. Its number in its own namespace of
// processes, which these two name.
const volatile u32 parent = 0;
const volatile u32 namespace_device = 0;
const volatile u32 namespace_inode = 0;

#define SLOTS 4

struct slot {
	// Zero: free.
	u64 lock;
	u64 began_ns;
	u32 kind;
	u32 field;
	u32 stack;
	// Further begins before the end.
	u32 repeats;
	u32 thread;
	u32 padding;
};

struct slots {
	struct slot slot[SLOTS];
	// Of a task: whether it belongs to those that are watched.
	u32 watched;
	u32 padding;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct slots);
} spinning SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct slots);
} sleeping SEC(".maps");

struct of_kind {
	u64 count;
	u64 failed;
	u64 repeats;
	u64 total_ns;
	u64 max_ns;
	u64 log2[BUCKETS];
	u64 log2_ticks[BUCKETS];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, KINDS);
	__type(key, u32);
	__type(value, struct of_kind);
} kinds SEC(".maps");

struct row {
	u64 count;
	u64 total_ns;
	u64 max_ns;
	u32 log2[BUCKETS];
	// Of the first wait.
	u32 stack;
	u32 padding;
};

struct caller_key {
	u32 stack;
	u32 kind;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 4096);
	__type(key, struct caller_key);
	__type(value, struct row);
} callers SEC(".maps");

struct lock_key {
	// Zero where `field` says which it is.
	u64 lock;
	u32 kind;
	u32 field;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 4096);
	__type(key, struct lock_key);
	__type(value, struct row);
} locks SEC(".maps");

// Enough for the locks' own functions, the one that asked, and some that called it.
#define FRAMES 8

struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 4096);
	__uint(key_size, sizeof(u32));
	__uint(value_size, FRAMES * sizeof(u64));
} stacks SEC(".maps");

// What was lost.
enum lost {
	LOST_NESTED, // no slot was free
	LOST_TASKS, // no memory for a task's slots
	LOST_STACKS, // no room for a stack: the wait is counted without a caller
	LOST_CALLERS, // no room for a row
	LOST_LOCKS,
	LOST_ENDS, // a wait whose end was not seen
	LOST_BEGINS, // an end whose begin was not seen
	LOST,
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, LOST);
	__type(key, u32);
	__type(value, u64);
} lost SEC(".maps");

// Where each processor's queue of runnable tasks has its lock, by which that is known.
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u64);
} run_queues SEC(".maps");

static const struct row no_row = {};

static __always_inline void lose(u32 what)
{
	u64 *count = bpf_map_lookup_elem(&lost, &what);

	// Two programs may count at once on one processor, one in an interrupt of the other.
	if (count)
		add(count, 1);
}

static __always_inline u32 kind_of(u32 flags)
{
	if (flags & MUTEX)
		return KIND_MUTEX;
	if (flags & PERCPU)
		return flags & WRITE ? KIND_PERCPU_WRITE : KIND_PERCPU_READ;
	if (flags & RT)
		return flags & READ ? KIND_RT_READ : flags & WRITE ? KIND_RT_WRITE : KIND_RT;
	if (flags & SPIN)
		return flags & READ ? KIND_RWLOCK_READ : flags & WRITE ? KIND_RWLOCK_WRITE : KIND_SPIN;
	if (flags & READ)
		return KIND_RWSEM_READ;
	return flags & WRITE ? KIND_RWSEM_WRITE : KIND_OTHER;
}

static __always_inline int spins(u32 kind)
{
	return kind <= KIND_RWLOCK_WRITE;
}

#define AT(base, type, name) ((u64)(base) + bpf_core_field_offset(type, name))

static __always_inline u32 field_of(u64 lock)
{
	struct task_struct___locks *task = (void *)bpf_get_current_task();
	u64 mm, sighand, files;

	if (lock == AT(task, struct task_struct___locks, pi_lock))
		return FIELD_PI_LOCK;
	if (lock == AT(task, struct task_struct___locks, alloc_lock))
		return FIELD_ALLOC_LOCK;
	mm = (u64)BPF_CORE_READ(task, mm);
	if (mm && lock == AT(mm, struct mm_struct, mmap_lock))
		return FIELD_MMAP_LOCK;
	if (mm && lock == AT(mm, struct mm_struct, page_table_lock))
		return FIELD_PAGE_TABLE_LOCK;
	sighand = (u64)BPF_CORE_READ(task, sighand);
	if (sighand && lock == AT(sighand, struct sighand_struct, siglock))
		return FIELD_SIGLOCK;
	files = (u64)BPF_CORE_READ(task, files);
	if (files && lock == AT(files, struct files_struct, file_lock))
		return FIELD_FILE_LOCK;
	return FIELD_NONE;
}

static __always_inline void note_run_queue(void)
{
	struct task_struct___locks *task = (void *)bpf_get_current_task();
	u32 zero = 0;
	u64 *known = bpf_map_lookup_elem(&run_queues, &zero), rq;

	// Without groups of tasks, an entity does not say whose queue it is in.
	if (!known || *known || !bpf_core_field_exists(struct sched_entity, cfs_rq))
		return;
	rq = (u64)BPF_CORE_READ(task, se.cfs_rq, rq);
	if (rq)
		*known = AT(rq, struct rq, __lock);
}

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
#pragma unroll
	for (int i = 0; i < SLOTS; i++) {
		if (!wait.lock && slots->slot[i].lock == (u64)lock) {
			wait = slots->slot[i];
			slots->slot[i].lock = 0;
		}
	}
	if (wait.lock && wait.thread != thread) {
		// What spins stays the current thread.
		lose(LOST_ENDS);
		wait.lock = 0;
	}
	if (!wait.lock) {
		slots = bpf_task_storage_get(&sleeping, (void *)bpf_get_current_task_btf(), 0, 0);
		if (slots) {
#pragma unroll
			for (int i = 0; i < SLOTS; i++) {
				if (!wait.lock && slots->slot[i].lock == (u64)lock) {
					wait = slots->slot[i];
					slots->slot[i].lock = 0;
				}
			}
		}
	}
	if (!wait.lock) {
		if (!parent || (slots && slots->watched))
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
		struct row *row = bpf_map_lookup_elem(&callers, &key);

		if (!row) {
			bpf_map_update_elem(&callers, &key, &no_row, BPF_NOEXIST);
			row = bpf_map_lookup_elem(&callers, &key);
		}
		if (row)
			add_to_row(row, ns, bucket);
		else
			lose(LOST_CALLERS);
	}
	if (by_lock) {
		struct lock_key key = {.kind = wait.kind, .field = wait.field, .lock = wait.field ? 0 : wait.lock};
		struct row *row = bpf_map_lookup_elem(&locks, &key);

		if (!row) {
			bpf_map_update_elem(&locks, &key, &no_row, BPF_NOEXIST);
			row = bpf_map_lookup_elem(&locks, &key);
		}
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
