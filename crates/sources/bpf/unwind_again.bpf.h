// SPDX-License-Identifier: MIT OR GPL-2.0-only
// A thread mostly waits where it has waited before.
#ifndef LOCKTOLL_UNWIND_AGAIN_H
#define LOCKTOLL_UNWIND_AGAIN_H

#include "unwind_look.bpf.h"

static __always_inline u32 place_of(struct registers *registers)
{
	return ((registers->sp >> 4) ^ (registers->sp >> 8) ^ (registers->ip >> 2)) % SEEN;
}

// Whether nothing has changed that the walk remembered at `place` has read. A global function, which the verifier looks at once.
__noinline u32 unwind_stands(struct thread_walks *walks, u32 place)
{
	if (!walks)
		return 0;
	struct seen *seen = &walks->seen[place % SEEN];

	for (u32 i = 0; i < WORDS; i++) {
		if (i >= seen->words)
			break;
		if (!unwind_read_word(walks, seen->sp + 8 * (u64)seen->places[i]) || walks->word != seen->values[i])
			return 0;
	}
	return 1;
}

static __always_inline int is_from(struct seen *seen, struct registers *registers, u32 generation)
{
	return seen->number && seen->ip == registers->ip && seen->sp == registers->sp && seen->bp == registers->bp &&
	       seen->generation == generation;
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
