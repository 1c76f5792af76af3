// SPDX-License-Identifier: MIT OR GPL-2.0-only
// What user space tells the walk (src/attach/unwind/layout.rs has the same structures), and what the walk keeps.
#ifndef LOCKTOLL_UNWIND_MAPS_H
#define LOCKTOLL_UNWIND_MAPS_H

#include "kernel.bpf.h"
#include "histogram.bpf.h"
#include "registers.bpf.h"

#define FRAMES 64

// Why a stack ends.
enum end {
	// At the outermost function of the thread.
	OUTERMOST_FUNCTION = 0,
	TOO_DEEP,
	// Memory that is not there, or not at this moment.
	UNREADABLE,
	// A frame that the rules cannot say.
	UNSUPPORTED_RULE,
	// No table, and no frame where the frame pointer points.
	NO_FRAME,
};

// A stack of calls, innermost first. An address but the first is where the call returns to; where a signal came in between, one more
// than where it came.
struct stack {
	u32 frames;
	u32 end;
	u64 addresses[FRAMES];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, u32);
	__type(value, struct stack);
} stacks SEC(".maps");

// Where a process has its executable memory: `mappings` entries of `unwind_mappings` from `first` on, sorted. `generation` changes with them.
struct process {
	u32 first;
	u32 mappings;
	u32 generation;
	u32 padding;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct process);
} unwind_processes SEC(".maps");

// Executable memory. An address minus `base` is an offset into the file's table, whose pages begin at `first_page`; no pages: no table.
struct mapping {
	u64 start;
	u64 end;
	u64 base;
	u32 first_page;
	u32 pages;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct mapping);
} unwind_mappings SEC(".maps");

// The first row that lies in a page of 1 << PAGE_SHIFT bytes of code (lower half), and the first behind it.
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u64);
} unwind_pages SEC(".maps");

// The offset from which on a rule holds (upper half), and the rule.
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u64);
} unwind_rows SEC(".maps");

#define PAGE_SHIFT 10

// How many words a remembered walk has read at most, and how many walks a thread remembers.
#define WORDS 60
#define SEEN 4

// A walk that was done: where it began, and every word of the stack that decided about it. As long as they stand, so does its outcome.
struct seen {
	u64 ip;
	u64 sp;
	u64 bp;
	u32 generation;
	u32 number;
	u32 words;
	u32 padding;
	u64 values[WORDS];
	// In words above `sp`.
	u16 places[WORDS];
};

// A walk under way: the registers of the function that it has come to.
struct walk {
	u64 address;
	u64 stack_pointer;
	u64 frame_pointer;
	// Where the walk began.
	u64 bottom;
	u64 hash;
	// Where the frame pointer was read from, until a rule makes use of it; zero: from nowhere.
	u64 frame_pointer_at;
	struct mapping mapping;
	u32 first;
	u32 mappings;
	// Words noted so far; more than WORDS: too many.
	u32 words;
	// Whether `address` is where the function is, and not behind a call.
	u32 is_exact;
	u32 frame_pointer_is_lost;
	u32 padding;
};

// How many words of a stack are read at once: reading one costs nearly as much as reading them all.
#define BLOCK 128

// Of a thread.
struct thread_walks {
	u64 busy;
	struct walk walk;
	// Where `block` was read from; zero: nowhere yet.
	u64 block_at;
	// What was read last.
	u64 word;
	u64 block[BLOCK];
	struct stack stack;
	struct seen seen[SEEN];
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct thread_walks);
} thread_walks SEC(".maps");

// What became of questions for a stack.
enum walked {
	WALKED,
	// The last walk from there still stood.
	STOOD,
	NO_ROOM,
	INTERRUPTED,
	NO_MEMORY,
	OUTCOMES,
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, OUTCOMES);
	__type(key, u32);
	__type(value, u64);
} unwind_walks SEC(".maps");

static __always_inline void count_walk(u32 outcome)
{
	u64 *count = bpf_map_lookup_elem(&unwind_walks, &outcome);

	if (count)
		++*count;
}

#endif
