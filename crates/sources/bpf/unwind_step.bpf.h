// SPDX-License-Identifier: MIT OR GPL-2.0-only
// One step of a walk: from a function to its caller.
#ifndef LOCKTOLL_UNWIND_STEP_H
#define LOCKTOLL_UNWIND_STEP_H

#include "unwind_maps.bpf.h"
#include "unwind_look.bpf.h"

// Rules: src/attach/unwind/rule.rs.
enum kind {
	GAP = 0,
	FROM_STACK_POINTER,
	FROM_FRAME_POINTER,
	LINKAGE_STUB,
	IN_MEMORY,
	OUTERMOST,
	SIGNAL_FRAME,
	UNSUPPORTED,
};

#define LOST (-2048)

// Notes that the walk depends on the word at `at`.
static __always_inline void note(struct walk *walk, struct seen *seen, u64 at, u64 value)
{
	u64 place = (at - walk->bottom) / 8;
	u32 word = walk->words;

	if (word >= WORDS || at < walk->bottom || place > 0xffff || at % 8) {
		walk->words = WORDS + 1;
		return;
	}
	seen->values[word] = value;
	seen->places[word] = place;
	walk->words = word + 1;
}

// The frame pointer is about to be used.
static __always_inline void note_frame_pointer(struct walk *walk, struct seen *seen)
{
	if (walk->frame_pointer_at) {
		note(walk, seen, walk->frame_pointer_at, walk->frame_pointer);
		walk->frame_pointer_at = 0;
	}
}

// Makes `walk->mapping` the one that `address` lies in.
static __always_inline int find_mapping(struct walk *walk, u64 address)
{
	if (address >= walk->mapping.start && address < walk->mapping.end)
		return 1;
	u32 index = unwind_mapping_at(address, walk->first, walk->mappings) - 1;
	struct mapping *mapping = bpf_map_lookup_elem(&unwind_mappings, &index);
	if (!mapping)
		return 0;
	walk->mapping = *mapping;
	return 1;
}

// Whether `address` can be where a call returns to.
static __always_inline int is_return_address(struct walk *walk, u64 address)
{
	if (walk->mappings && !find_mapping(walk, address - 1))
		return 0;
	return unwind_follows_call(address);
}

// Code in no table. `index`: how many calls further in the walk began.
static __always_inline u32 by_frame_pointer(struct thread_walks *walks, struct seen *seen, u32 index)
{
	// A larger frame is taken for no frame.
	const u64 frame_bytes = 1 << 20;
	struct walk *walk = &walks->walk;
	u64 caller_frame_pointer = 0, address = 0;

	if (index == 0 && on_x86()) {
		// What makes a system call is mostly a function of a few instructions that has made no frame.
		if (!read_word(walks, walk->stack_pointer, &address))
			return UNREADABLE;
		if (is_return_address(walk, address)) {
			note(walk, seen, walk->stack_pointer, address);
			walk->address = address;
			walk->stack_pointer += 8;
			return OUTERMOST_FUNCTION;
		}
	}
	u64 base = walk->frame_pointer;
	note_frame_pointer(walk, seen);
	if (!base && !walk->frame_pointer_is_lost) {
		// So the outermost function is marked (System V ABI, x86-64, 3.4.1; arm64 alike).
		walk->address = 0;
		return OUTERMOST_FUNCTION;
	}
	if (walk->frame_pointer_is_lost || base % 8)
		return NO_FRAME;
	// Go's runtime calls some functions on a stack of its own: from there, frame pointers lead to the goroutine's.
	int is_elsewhere = base < walk->stack_pointer || base - walk->stack_pointer > frame_bytes;
	if (!read_word(walks, base, &caller_frame_pointer) || !read_word(walks, base + 8, &address))
		return is_elsewhere ? NO_FRAME : UNREADABLE;
	note(walk, seen, base + 8, address);
	if (!on_x86())
		address &= (1ULL << 48) - 1; // The rest may be a signature (pointer authentication).
	if (is_elsewhere && (!is_return_address(walk, address) || (caller_frame_pointer && caller_frame_pointer <= base)))
		return NO_FRAME;
	if (address && !is_return_address(walk, address)) {
		// Threads begin where nobody calls.
		if (caller_frame_pointer)
			return NO_FRAME;
		note(walk, seen, base, 0);
		address = 0;
	}
	walk->frame_pointer_at = base;
	walk->frame_pointer = caller_frame_pointer;
	walk->address = address;
	walk->stack_pointer = base + 16;
	return OUTERMOST_FUNCTION;
}

static __always_inline u32 out_of_handler(struct walk *walk)
{
	// From rbp to rip in struct sigcontext, behind what precedes it in struct ucontext.
	u64 interrupted[7] = {};

	if (!read_user(interrupted, sizeof(interrupted), walk->stack_pointer + 120))
		return UNREADABLE;
	// Where the interrupted stack is depends on more than these words.
	walk->words = WORDS + 1;
	walk->frame_pointer_at = 0;
	walk->frame_pointer_is_lost = 0;
	walk->frame_pointer = interrupted[0];
	walk->stack_pointer = interrupted[5];
	walk->address = interrupted[6];
	walk->is_exact = 1;
	return OUTERMOST_FUNCTION;
}

static __always_inline u32 by_rule(struct thread_walks *walks, struct seen *seen, u32 rule)
{
	struct walk *walk = &walks->walk;
	s64 distance = (s64)((s32)(rule << 12) >> 15) * 8, saved = (s64)((s32)rule >> 20) * 8;
	u32 kind = rule & 7;
	u64 frame, caller_frame_pointer = 0, address = 0;

	if (kind == FROM_STACK_POINTER) {
		frame = walk->stack_pointer + distance;
	} else if (kind == LINKAGE_STUB) {
		frame = walk->stack_pointer + 8 + ((walk->address & 15) * 8 >= (u64)distance ? 8 : 0);
	} else {
		note_frame_pointer(walk, seen);
		if (walk->frame_pointer_is_lost)
			return UNSUPPORTED_RULE;
		frame = walk->frame_pointer + distance;
		if (kind == IN_MEMORY) {
			u64 at = frame;

			if (!read_word(walks, walk->frame_pointer, &caller_frame_pointer) || !read_word(walks, at, &frame))
				return UNREADABLE;
			note(walk, seen, at, frame);
			walk->frame_pointer_at = walk->frame_pointer;
			walk->frame_pointer = caller_frame_pointer;
		}
	}
	// Outwards, or it could go round for ever.
	if (frame <= walk->stack_pointer)
		return UNSUPPORTED_RULE;
	if (saved == LOST * 8) {
		walk->frame_pointer_at = 0;
		walk->frame_pointer_is_lost = 1;
	} else if (saved) {
		if (!read_word(walks, frame + saved, &caller_frame_pointer))
			return UNREADABLE;
		walk->frame_pointer_at = frame + saved;
		walk->frame_pointer = caller_frame_pointer;
		walk->frame_pointer_is_lost = 0;
	}
	if (!read_word(walks, frame - 8, &address))
		return UNREADABLE;
	note(walk, seen, frame - 8, address);
	walk->address = address;
	walk->stack_pointer = frame;
	return OUTERMOST_FUNCTION;
}

// What a step is told: memory of the thread, not of the program, so that the verifier does not follow every number through every step.
struct step {
	struct thread_walks *walks;
	struct seen *seen;
};

static long step(u32 index, void *context)
{
	struct step *step = context;
	struct thread_walks *walks = step->walks;
	struct seen *seen = step->seen;
	struct walk *walk = &walks->walk;
	struct stack *stack = &walks->stack;
	u64 noted = walk->address + (index && walk->is_exact);
	u32 rule = GAP, failed;

	if (index >= FRAMES)
		return 1;
	stack->addresses[index] = noted;
	stack->frames = index + 1;
	walk->hash = (walk->hash ^ noted) * 0x9e3779b97f4a7c15ULL;
	walk->hash ^= walk->hash >> 29;

	u64 instruction = walk->address - !walk->is_exact;
	if (find_mapping(walk, instruction))
		rule = unwind_rule_at(instruction - walk->mapping.base, walk->mapping.first_page, walk->mapping.pages);
	walk->is_exact = 0;
	switch (rule & 7) {
	case OUTERMOST:
		stack->end = OUTERMOST_FUNCTION;
		return 1;
	case UNSUPPORTED:
		stack->end = UNSUPPORTED_RULE;
		return 1;
	case GAP:
		failed = by_frame_pointer(walks, seen, index);
		break;
	case SIGNAL_FRAME:
		failed = out_of_handler(walk);
		break;
	default:
		failed = by_rule(walks, seen, rule);
	}
	if (failed || !walk->address) {
		stack->end = failed;
		return 1;
	}
	return 0;
}

#endif
