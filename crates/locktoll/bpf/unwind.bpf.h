// SPDX-License-Identifier: MIT OR GPL-2.0-only
// The stack of calls of a thread in user space.
#ifndef LOCKTOLL_UNWIND_H
#define LOCKTOLL_UNWIND_H

#include "kernel.bpf.h"

#define FRAMES 64

struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 16384);
	__uint(key_size, sizeof(u32));
	__uint(value_size, FRAMES * sizeof(u64));
} stacks SEC(".maps");

// The number of the current thread's stack of calls, or zero if it could not be had.
static __always_inline u32 user_stack_id(void *ctx)
{
	s64 id = bpf_get_stackid(ctx, &stacks, BPF_F_USER_STACK);

	return id < 0 ? 0 : (u32)id + 1;
}

#endif
