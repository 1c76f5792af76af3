// SPDX-License-Identifier: MIT OR GPL-2.0-only
// What a futex call does, whichever of the system calls it came through.
#ifndef LOCKTOLL_CALL_H
#define LOCKTOLL_CALL_H

#include "registers.bpf.h"

enum call {
	NONE = 0,
	WAIT,
	LOCK_PI,
	WAIT_REQUEUE_PI,
	WAITV,
	WAKE,
	REQUEUE,
	UNLOCK_PI,
	TRYLOCK_PI,
};

#define OP_MASK 0x7f
#define OP_WAKE_OP 5
#define IS_WAIT(call) ((call) >= WAIT && (call) <= WAITV)
#define IS_WAKE(call) ((call) >= WAKE && (call) <= UNLOCK_PI)

// One of the list that futex_waitv and futex_requeue take.
struct waitv {
	u64 value;
	u64 word;
	u32 flags;
	u32 padding;
};

// A futex call as its arguments say it.
struct futex {
	u64 word;
	// Where waiters are moved to or wait afterwards, or the second word that is woken; for a list, where it lies.
	u64 second;
	u32 call;
	u32 op;
	u32 value;
	u32 padding;
};

static __always_inline int is_futex(s64 number)
{
	return number == NR_FUTEX || number == NR_FUTEX_WAITV || (number >= NR_FUTEX_WAKE && number <= NR_FUTEX_REQUEUE);
}

static __always_inline u32 call_of_op(u64 op)
{
	switch (op & OP_MASK) {
	case 0: // FUTEX_WAIT
	case 9: // FUTEX_WAIT_BITSET
		return WAIT;
	case 1: // FUTEX_WAKE
	case OP_WAKE_OP:
	case 10: // FUTEX_WAKE_BITSET
		return WAKE;
	case 3: // FUTEX_REQUEUE
	case 4: // FUTEX_CMP_REQUEUE
	case 12: // FUTEX_CMP_REQUEUE_PI
		return REQUEUE;
	case 6: // FUTEX_LOCK_PI
	case 13: // FUTEX_LOCK_PI2
		return LOCK_PI;
	case 7: // FUTEX_UNLOCK_PI
		return UNLOCK_PI;
	case 8: // FUTEX_TRYLOCK_PI
		return TRYLOCK_PI;
	case 11: // FUTEX_WAIT_REQUEUE_PI
		return WAIT_REQUEUE_PI;
	}
	return NONE;
}

// Of a list, the word is left zero: it lies in the program's memory.
static __always_inline void futex_of(s64 number, void *regs, struct futex *out)
{
	u64 arguments[6];

	arguments_of(regs, arguments);
	out->word = arguments[0];
	out->second = 0;
	out->value = 0;
	out->padding = 0;
	if (number == NR_FUTEX) {
		u32 op = arguments[1] & OP_MASK;

		out->op = arguments[1];
		out->value = arguments[2];
		out->call = call_of_op(op);
		if (out->call == REQUEUE || out->call == WAIT_REQUEUE_PI || op == OP_WAKE_OP)
			out->second = arguments[4];
	} else if (number == NR_FUTEX_WAIT) { // word, value, mask, flags
		out->call = WAIT;
		out->value = arguments[1];
		out->op = arguments[3];
	} else if (number == NR_FUTEX_WAKE) { // word, mask, number, flags
		out->call = WAKE;
		out->op = arguments[3];
	} else { // list, number, flags; list, flags
		out->call = number == NR_FUTEX_WAITV ? WAITV : REQUEUE;
		out->op = number == NR_FUTEX_WAITV ? arguments[2] : arguments[1];
		out->second = arguments[0];
		out->word = 0;
	}
}

// Fills in the words of a call that takes a list, from the current thread's memory. `index` is the one that ended a wait for several.
static __always_inline void read_list(struct futex *call, u32 index)
{
	struct waitv list[2] = {};
	u64 at = call->second;

	if (call->word || !at)
		return;
	if (call->call == WAITV) {
		bpf_probe_read_user(list, sizeof(list[0]), (void *)(at + (index & 127) * sizeof(list[0])));
		call->value = list[0].value;
		call->second = 0;
	} else {
		bpf_probe_read_user(list, sizeof(list), (void *)at);
		call->second = list[1].word;
	}
	call->word = list[0].word;
}

#endif
