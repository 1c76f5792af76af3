// SPDX-License-Identifier: MIT OR GPL-2.0-only
// What the preload library keeps of each thread, as far as it is read from here. `preemption.rs` of that library asserts the same
// layout, and says which it is when a thread registers.
#ifndef LOCKTOLL_HOLDS_H
#define LOCKTOLL_HOLDS_H

#include "kernel.bpf.h"

#define MAGIC 0x6c6c6f746b636f6cULL // "locktoll"
#define LAYOUT 1

// What a thread tells, once.
struct registration {
	u64 magic;
	u32 layout;
	// As the process sees it.
	u32 tid;
	u64 run;
	u64 held;
	u64 life;
	// The part of the recording that its records are in.
	u32 pid;
	u32 sequence;
};

// The beginning of the list of locks that a thread holds; so many entries follow.
struct held {
	u32 depth;
	u32 owner;
};

#define HELD 64

struct entry {
	u64 count;
	u64 since;
};

// A count, all of it.
struct count {
	u64 lock;
	u64 acquisitions;
	u32 site;
	u32 generation;
	u32 birth;
	u8 kind;
	u8 entry;
	u16 until_timed;
};

// What a thread is waiting for, where it lies in the record of its life.
#define WAITING 24

struct waiting {
	u64 since_ns;
	u64 lock;
	u32 site;
	u32 start_routine;
};

#endif
