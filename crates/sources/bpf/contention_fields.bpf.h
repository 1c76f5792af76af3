// SPDX-License-Identifier: MIT OR GPL-2.0-only
// Locks that are known by the field they lie in.
#ifndef LOCKTOLL_CONTENTION_FIELDS_H
#define LOCKTOLL_CONTENTION_FIELDS_H

#include "kernel.bpf.h"

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

// Where each processor's queue of runnable tasks has its lock, by which that is known.
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u64);
} run_queues SEC(".maps");

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

#endif
