// SPDX-License-Identifier: MIT OR GPL-2.0-only
// A thread mostly waits where it has waited before.
#ifndef LOCKTOLL_UNWIND_AGAIN_H
#define LOCKTOLL_UNWIND_AGAIN_H

#include "unwind_maps.bpf.h"

static __always_inline u32 place_of(struct registers *registers)
{
	return ((registers->sp >> 4) ^ (registers->sp >> 8) ^ (registers->ip >> 2)) % SEEN;
}

// The number of the stack if nothing has changed that the walk to it read; else zero.
static __always_inline u32 stands(struct seen *seen, struct registers *registers, u32 generation)
{
	if (!seen->number || seen->ip != registers->ip || seen->sp != registers->sp || seen->bp != registers->bp ||
	    seen->generation != generation)
		return 0;
	for (u32 i = 0; i < WORDS; i++) {
		u64 value = 0;

		if (i >= seen->words)
			break;
		if (bpf_probe_read_user(&value, sizeof(value), (void *)(seen->sp + 8 * (u64)seen->places[i])) || value != seen->values[i])
			return 0;
	}
	return seen->number;
}

static __always_inline void begin_seen(struct seen *seen, struct registers *registers, u32 generation)
{
	seen->number = 0;
	seen->ip = registers->ip;
	seen->sp = registers->sp;
	seen->bp = registers->bp;
	seen->generation = generation;
}

#endif
