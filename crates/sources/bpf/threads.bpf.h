// SPDX-License-Identifier: MIT OR GPL-2.0-only
// The threads that are watched, and the numbers that their processes go by.
#ifndef LOCKTOLL_THREADS_H
#define LOCKTOLL_THREADS_H

#include "call.bpf.h"
#include "images.bpf.h"
#include "tables.bpf.h"

// The process that is watched; zero: those in `watched` if `some` is set, else all.
const volatile u32 target = 0;
const volatile u32 some = 0;

#define PF_IDLE 0x2
#define PF_EXITING 0x4
#define PF_KTHREAD 0x200000

static __always_inline int is_program(struct task_struct *task)
{
	return !(task->flags & (PF_IDLE | PF_KTHREAD));
}

// The number that the process goes by here: its image's where some are watched (zero: none of them), else its own.
static __always_inline u32 process_of(struct task_struct *task)
{
	return some ? image_of(task->tgid) : task->tgid;
}

static __always_inline int is_watched(struct task_struct *task)
{
	if (target)
		return (u32)task->tgid == target;
	return some ? process_of(task) : is_program(task);
}

// What it is blocked for, if anything; zero for one that could go on.
static __always_inline u32 state_of(struct task_struct *task)
{
	if (bpf_core_field_exists(task->__state))
		return task->__state;
	return ((struct task_struct___old *)task)->state;
}

// The thread's number as its own program sees it.
static __always_inline u32 thread_number(struct task_struct *task)
{
	struct pid *pid = task->thread_pid;
	u32 nr = 0;

	if (!pid->level)
		return task->pid;
	bpf_core_read(&nr, sizeof(nr), &pid->numbers[pid->level & 31].nr);
	// Or the compiler makes one load of both, which the verifier refuses: one reads the kernel, the other our stack.
	barrier_var(nr);
	return nr;
}

static __always_inline struct thread_key key_of(struct task_struct *task)
{
	return (struct thread_key){.process = process_of(task), .thread = thread_number(task)};
}

static __always_inline struct thread *known(struct task_struct *task)
{
	struct thread_key key = key_of(task);

	return bpf_map_lookup_elem(&threads, &key);
}

static __always_inline struct thread *known_or_new(struct task_struct *task)
{
	// One that ends has been counted, and still leaves its processor a few times.
	if (task->flags & PF_EXITING)
		return known(task);
	struct thread_key key = key_of(task);
	struct thread *thread = FIND_OR_ADD(&threads, &key, &no_thread, NO_THREAD);

	if (thread && !thread->global) {
		thread->process = key.process;
		thread->thread = key.thread;
		thread->global = task->pid;
		bpf_core_read(thread->name, sizeof(thread->name), &task->comm);
	}
	return thread;
}

static __always_inline struct thread *thread_of(u32 process, u32 number)
{
	struct thread_key key = {.process = process, .thread = number};

	return number ? bpf_map_lookup_elem(&threads, &key) : 0;
}

#endif
