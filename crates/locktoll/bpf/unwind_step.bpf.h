// SPDX-License-Identifier: MIT OR GPL-2.0-only
// One step of a walk: from a function to its caller.
#ifndef LOCKTOLL_UNWIND_STEP_H
#define LOCKTOLL_UNWIND_STEP_H

#include "unwind_maps.bpf.h"

// A walk under way: the registers of the function that it has come to.
struct walk {
	u64 address;
	u64 stack_pointer;
	u64 frame_pointer;
	// Where the walk began.
	u64 bottom;
	u64 hash;
	struct thread_walks *walks;
	struct seen *seen;
	// Where the frame pointer was read from, until a rule makes use of it; zero: from nowhere.
	u64 frame_pointer_at;
	struct mapping mapping;
	u32 first;
	u32 mappings;
	u32 generation;
	// Words noted so far; more than WORDS: too many.
	u32 words;
	// Whether `address` is where the function is, and not behind a call.
	u32 is_exact;
	u32 frame_pointer_is_lost;
};

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

static __always_inline int read_words(void *to, u32 bytes, u64 at)
{
	return bpf_probe_read_user(to, bytes, (void *)at) == 0;
}

// Notes that the walk depends on the word at `at`.
static __always_inline void note(struct walk *walk, u64 at, u64 value)
{
	u64 place = (at - walk->bottom) / 8;
	u32 word = walk->words;

	if (word >= WORDS || at < walk->bottom || place > 0xffff || at % 8) {
		walk->words = WORDS + 1;
		return;
	}
	walk->seen->values[word] = value;
	walk->seen->places[word] = place;
	walk->words = word + 1;
}

// The frame pointer is about to be used.
static __always_inline void note_frame_pointer(struct walk *walk)
{
	if (walk->frame_pointer_at) {
		note(walk, walk->frame_pointer_at, walk->frame_pointer);
		walk->frame_pointer_at = 0;
	}
}

// Makes `walk->mapping` the one that `address` lies in.
static __always_inline int find_mapping(struct walk *walk, u64 address)
{
	u32 low = 0, high = walk->mappings;

	if (address >= walk->mapping.start && address < walk->mapping.end)
		return 1;
	for (int i = 0; i < 12; i++) {
		if (low >= high)
			break;
		u32 middle = (low + high) / 2, index = walk->first + middle;
		struct mapping *mapping = bpf_map_lookup_elem(&unwind_mappings, &index);

		if (!mapping)
			return 0;
		if (address < mapping->start) {
			high = middle;
		} else if (address >= mapping->end) {
			low = middle + 1;
		} else {
			walk->mapping = *mapping;
			return 1;
		}
	}
	return 0;
}

// The rule for `instruction`, which lies in `walk->mapping`.
static __always_inline u32 find_rule(struct walk *walk, u64 instruction)
{
	u64 offset = instruction - walk->mapping.base;
	u64 page = offset >> PAGE_SHIFT;

	if (page >= walk->mapping.pages)
		return GAP;
	u32 index = walk->mapping.first_page + (u32)page;
	u64 *bounds = bpf_map_lookup_elem(&unwind_pages, &index);
	if (!bounds)
		return GAP;
	u32 low = *bounds, high = *bounds >> 32;
	// No row has the address of another, so a page has no more of them than addresses.
	for (int i = 0; i <= PAGE_SHIFT; i++) {
		if (low >= high)
			break;
		u32 middle = (low + high) / 2;
		u64 *row = bpf_map_lookup_elem(&unwind_rows, &middle);

		if (!row)
			return GAP;
		if (*row >> 32 <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	// Each table begins with a row for offset zero, so there is one before.
	index = low - 1;
	u64 *row = bpf_map_lookup_elem(&unwind_rows, &index);
	return row ? (u32)*row : GAP;
}

// Whether the instruction before `address` is a call.
static __always_inline int follows_call(u64 address)
{
	u8 before[8] = {};

	if (!on_x86()) {
		u32 instruction = 0;

		if (address % 4 || !read_words(&instruction, sizeof(instruction), address - 4))
			return 0;
		// BL, or BLR and its authenticating forms (Arm Architecture Reference Manual, C6.2).
		return (instruction & 0xfc000000) == 0x94000000 || (instruction & 0xfefff000) == 0xd63f0000;
	}
	if (!read_words(before, sizeof(before), address - sizeof(before)))
		return 0;
	// CALL rel32.
	if (before[3] == 0xe8)
		return 1;
	// CALL r/m64: 0xff, with 2 as the middle digit of the byte after it; up to five more say where (Intel, volume 2, CALL).
	for (int i = 1; i < 7; i++) {
		if (before[i] == 0xff && (before[i + 1] >> 3 & 7) == 2)
			return 1;
	}
	return 0;
}

// Whether `address` can be where a call returns to.
static __always_inline int is_return_address(struct walk *walk, u64 address)
{
	if (walk->mappings && !find_mapping(walk, address - 1))
		return 0;
	return follows_call(address);
}

// Code in no table. `index`: how many calls further in the walk began.
static __always_inline u32 by_frame_pointer(struct walk *walk, u32 index)
{
	// A larger frame is taken for no frame.
	const u64 frame_bytes = 1 << 20;
	u64 frame[2] = {};

	if (index == 0 && on_x86()) {
		// What makes a system call is mostly a function of a few instructions that has made no frame.
		u64 address = 0;

		if (!read_words(&address, sizeof(address), walk->stack_pointer))
			return UNREADABLE;
		if (is_return_address(walk, address)) {
			note(walk, walk->stack_pointer, address);
			walk->address = address;
			walk->stack_pointer += 8;
			return OUTERMOST_FUNCTION;
		}
	}
	u64 base = walk->frame_pointer;
	note_frame_pointer(walk);
	if (walk->frame_pointer_is_lost || base < walk->stack_pointer || base - walk->stack_pointer > frame_bytes || base % 8)
		return NO_FRAME;
	if (!read_words(frame, sizeof(frame), base))
		return UNREADABLE;
	if (!on_x86())
		frame[1] &= (1ULL << 48) - 1; // The rest may be a signature (pointer authentication).
	note(walk, base + 8, frame[1]);
	if (frame[1] && !is_return_address(walk, frame[1]))
		return NO_FRAME;
	walk->frame_pointer_at = base;
	walk->frame_pointer = frame[0];
	walk->address = frame[1];
	walk->stack_pointer = base + 16;
	return OUTERMOST_FUNCTION;
}

static __always_inline u32 out_of_handler(struct walk *walk)
{
	// From rbp to rip in struct sigcontext, behind what precedes it in struct ucontext.
	u64 interrupted[7] = {};

	if (!read_words(interrupted, sizeof(interrupted), walk->stack_pointer + 120))
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

static __always_inline u32 by_rule(struct walk *walk, u32 rule)
{
	s64 distance = (s64)((s32)(rule << 12) >> 15) * 8, saved = (s64)((s32)rule >> 20) * 8;
	u32 kind = rule & 7;
	u64 frame, caller_frame_pointer = 0, words[2] = {};

	if (kind == FROM_STACK_POINTER) {
		frame = walk->stack_pointer + distance;
	} else if (kind == LINKAGE_STUB) {
		frame = walk->stack_pointer + 8 + ((walk->address & 15) * 8 >= (u64)distance ? 8 : 0);
	} else {
		note_frame_pointer(walk);
		if (walk->frame_pointer_is_lost)
			return UNSUPPORTED_RULE;
		frame = walk->frame_pointer + distance;
		if (kind == IN_MEMORY) {
			if (!read_words(&caller_frame_pointer, 8, walk->frame_pointer) || !read_words(words, 8, frame))
				return UNREADABLE;
			note(walk, frame, words[0]);
			walk->frame_pointer_at = walk->frame_pointer;
			walk->frame_pointer = caller_frame_pointer;
			frame = words[0];
		}
	}
	// Outwards, or it could go round for ever.
	if (frame <= walk->stack_pointer)
		return UNSUPPORTED_RULE;
	if (saved == -16) {
		if (!read_words(words, 16, frame - 16))
			return UNREADABLE;
		walk->frame_pointer_at = frame - 16;
		walk->frame_pointer = words[0];
		walk->frame_pointer_is_lost = 0;
	} else {
		if (!read_words(&words[1], 8, frame - 8))
			return UNREADABLE;
		if (saved == LOST * 8) {
			walk->frame_pointer_at = 0;
			walk->frame_pointer_is_lost = 1;
		} else if (saved) {
			if (!read_words(&walk->frame_pointer, 8, frame + saved))
				return UNREADABLE;
			walk->frame_pointer_at = frame + saved;
			walk->frame_pointer_is_lost = 0;
		}
	}
	note(walk, frame - 8, words[1]);
	walk->address = words[1];
	walk->stack_pointer = frame;
	return OUTERMOST_FUNCTION;
}

static long step(u32 index, void *context)
{
	struct walk *walk = context;
	struct stack *stack = &walk->walks->stack;
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
		rule = find_rule(walk, instruction);
	walk->is_exact = 0;
	switch (rule & 7) {
	case OUTERMOST:
		stack->end = OUTERMOST_FUNCTION;
		return 1;
	case UNSUPPORTED:
		stack->end = UNSUPPORTED_RULE;
		return 1;
	case GAP:
		failed = by_frame_pointer(walk, index);
		break;
	case SIGNAL_FRAME:
		failed = out_of_handler(walk);
		break;
	default:
		failed = by_rule(walk, rule);
	}
	if (failed || !walk->address) {
		stack->end = failed;
		return 1;
	}
	return 0;
}

#endif
