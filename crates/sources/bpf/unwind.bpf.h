// SPDX-License-Identifier: MIT OR GPL-2.0-only
// The stack of calls of the current thread in user space.
//
// Programs without frame pointers are walked by tables that user space makes of their files' call frame information
// (src/attach/unwind); code in no table, by its frame pointers. What cannot be walked ends the stack, marked so.
#ifndef LOCKTOLL_UNWIND_H
#define LOCKTOLL_UNWIND_H

#include "threads.bpf.h"
#include "unwind_maps.bpf.h"
#include "unwind_step.bpf.h"
#include "unwind_again.bpf.h"

// A global function, which the verifier looks at once.
__noinline u32 unwind_is_same(struct stack *a, struct stack *b)
{
	if (!a || !b)
		return 0;
	if (a->frames != b->frames || a->end != b->end)
		return 0;
	for (u32 i = 0; i < FRAMES; i++) {
		if (i >= a->frames)
			break;
		if (a->addresses[i] != b->addresses[i])
			return 0;
	}
	return 1;
}

// The number that is kept for the stack just walked: one that its hash leads to, and that no other has.
static __always_inline u32 number_of(struct thread_walks *walks)
{
	u64 hash = walks->walk.hash;
	u32 number = hash ^ (hash >> 32);

	for (u32 attempt = 0; attempt < 4; attempt++, number += 0x9e3779b9) {
		u32 key = number ? number : 1;
		struct stack *kept = bpf_map_lookup_elem(&stacks, &key);

		if (!kept) {
			// Of two threads that come at once one finds the other's.
			if (!bpf_map_update_elem(&stacks, &key, &walks->stack, BPF_NOEXIST))
				return key;
			kept = bpf_map_lookup_elem(&stacks, &key);
			if (!kept)
				break;
		}
		if (unwind_is_same(&walks->stack, kept))
			return key;
	}
	count_walk(NO_ROOM);
	return 0;
}

static __always_inline void begin(struct thread_walks *walks, struct registers *registers, struct process *known)
{
	struct walk *walk = &walks->walk;

	walk->address = registers->ip;
	walk->stack_pointer = registers->sp;
	walk->frame_pointer = registers->bp;
	walk->bottom = registers->sp;
	walk->hash = 0;
	walk->frame_pointer_at = 0;
	// Mappings may be other ones than at the last walk.
	walk->mapping.start = walk->mapping.end = 0;
	walk->first = known ? known->first : 0;
	walk->mappings = known ? known->mappings : 0;
	walk->words = 0;
	walk->is_exact = 1;
	walk->frame_pointer_is_lost = 0;
	walks->stack.frames = 0;
	walks->stack.end = TOO_DEEP;
}

// The number of the current thread's stack of calls in `stacks`; zero if there is none, or no room for it.
static __noinline u32 user_stack_id(void)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct thread_walks *walks = bpf_task_storage_get(&thread_walks, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	struct registers registers = {};

	// An interrupt can find its thread in the middle of a walk.
	if (!walks || walks->busy) {
		count_walk(walks ? INTERRUPTED : NO_MEMORY);
		return 0;
	}
	walks->busy = 1;
	walks->block_at = 0;
	registers_of(task, &registers);
	u32 process = process_of(task);
	struct process *known = bpf_map_lookup_elem(&unwind_processes, &process);
	u32 generation = known ? known->generation : 0;
	u32 place = place_of(&registers), number;
	struct seen *seen = &walks->seen[place];

	if (is_from(seen, &registers, generation) && unwind_stands(walks, place)) {
		number = seen->number;
		count_walk(STOOD);
	} else {
		struct step context = {.walks = walks, .seen = seen};

		begin(walks, &registers, known);
		begin_seen(seen, &registers, generation);
		bpf_loop(FRAMES, step, &context, 0);
		number = number_of(walks);
		if (walks->walk.words <= WORDS) {
			seen->words = walks->walk.words;
			seen->number = number;
		}
		count_walk(WALKED);
	}
	walks->busy = 0;
	return number;
}

#endif
