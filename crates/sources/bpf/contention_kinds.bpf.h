// SPDX-License-Identifier: MIT OR GPL-2.0-only
// Kinds of the kernel's locks, from the flags of a tracepoint.
#ifndef LOCKTOLL_CONTENTION_KINDS_H
#define LOCKTOLL_CONTENTION_KINDS_H

#include "kernel.bpf.h"

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

#endif
