// SPDX-License-Identifier: MIT OR GPL-2.0-only
// One wait, from when its thread leaves the processor until its call returns.
#ifndef LOCKTOLL_WAITING_H
#define LOCKTOLL_WAITING_H

#include "preempted.bpf.h"
#include "unwind.bpf.h"

#define EINTR 4
#define EAGAIN 11
#define ETIMEDOUT 110
// What the kernel turns into EINTR, or takes up again once a signal has been dealt with.
#define ERESTARTSYS 512
#define ERESTART_RESTARTBLOCK 516
#define IS_SUSPENDED(result) ((result) <= -ERESTARTSYS && (result) >= -ERESTART_RESTARTBLOCK)

static __always_inline void read_around(struct word *word, u64 address)
{
	word->has_before = !bpf_probe_read_user(word->before, AROUND, (void *)(address - AROUND));
	word->has_from = !bpf_probe_read_user(word->from, AROUND, (void *)address);
}

static __always_inline struct word *word_of(struct wait_key *wait, u32 value, int in_its_memory)
{
	struct word_key key = {.word = wait->word, .process = wait->process};
	struct word *word = bpf_map_lookup_elem(&words, &key);

	if (word)
		return word;
	word = FIND_OR_ADD(&words, &key, &no_word, NO_WORD);
	if (word) {
		word->value = value;
		if (in_its_memory)
			read_around(word, wait->word);
	}
	return word;
}

static __always_inline struct wait *wait_of(struct wait_key *key)
{
	return FIND_OR_ADD(&waits, key, &no_wait, NO_WAIT);
}

static __always_inline void count_outcome(struct wait *wait, s64 result)
{
	if (result >= 0)
		add(&wait->woken, 1);
	else if (result == -EAGAIN)
		add(&wait->again, 1);
	else if (result == -ETIMEDOUT)
		add(&wait->timed_out, 1);
	else if (result == -EINTR || IS_SUSPENDED(result))
		add(&wait->interrupted, 1);
	else
		add(&wait->failed, 1);
}

static __always_inline void count_moved(struct wait_key *key, u64 began_ns, u64 now)
{
	struct word_key from = {.word = key->word, .process = key->process};
	struct moved_key between = {.from = key->word, .to = key->ended_on, .process = key->process};
	struct requeue *requeue = bpf_map_lookup_elem(&requeues, &from);
	struct moved *entry = FIND_OR_ADD(&moved, &between, &no_moved, NO_MOVED);
	u64 at_ns = requeue && requeue->at_ns > began_ns ? requeue->at_ns : began_ns;

	if (!entry || at_ns > now)
		return;
	add(&entry->count, 1);
	add(&entry->before_ns, at_ns - began_ns);
	add(&entry->after_ns, now - at_ns);
}

// A wait that is over: `thread` is the one that waited. A function of its own to the verifier, which looks at it once.
static __noinline int ended_wait(struct thread *thread, s64 result, u64 now, u32 in_its_memory)
{
	if (!thread)
		return 0;
	struct wait_key key = {
		.word = thread->word, .process = thread->process, .op = thread->op, .call = thread->call, .stack = thread->stack};
	// Listed while it ended, it may have been forgotten: what ends it takes it.
	u64 began_ns = __sync_lock_test_and_set(&thread->asleep_ns, 0), ns = now - began_ns;

	if (!began_ns)
		return 0;
	change_hint(IN_A_WAIT, thread->global, -1);
	thread->suspended_ns = 0;
	thread->suspended_by = 0;
	waiter_left(thread, now, in_its_memory && result >= 0);
	__sync_fetch_and_and(&thread->flags, ~IN_THE_WAIT);
	if (result >= 0) {
		key.waker_process = thread->waker_process;
		key.waker_stack = thread->waker_stack;
		key.ended_on = thread->call == WAIT_REQUEUE_PI ? thread->second : thread->ended_on;
	}
	thread->waits++;
	thread->wait_ns += ns;
	if (ns > thread->max_ns)
		thread->max_ns = ns;
	struct wait *wait = bpf_map_lookup_elem(&waits, &key);
	int joined = result >= 0 && (thread->flags & JOINED);
	if (!wait || joined) {
		struct word *word = word_of(&key, thread->value, in_its_memory);

		if (word && joined)
			add(&word->joined, 1);
	}
	if (key.ended_on)
		count_moved(&key, began_ns, now);
	if (!wait)
		wait = wait_of(&key);
	if (!wait)
		return 0;
	count_outcome(wait, result);
	add(&wait->total_ns, ns);
	add(&wait->log2[bucket_of(ns)], 1);
	raise(&wait->max_ns, ns);
	if (thread->restarted)
		add(&wait->restarted, thread->restarted);
	if (thread->woken_ns >= began_ns)
		add(&wait->runnable_ns, now - thread->woken_ns);
	if (thread->owner)
		add(&wait->owner_known, 1);
	return 0;
}

// A wait shorter than this is one of many where it matters what each costs.
#define SHORT_NS 50000
#define WALKED_ONE_IN 8

// The stack of the current thread, which waits or wakes at `place`. Of short waits from the same registers for the same word as the last
// one, one in eight is walked anew, by dice; the others count for where that one came from. Their registers can hide which of two callers
// it was, but then each gets its share of them.
static __always_inline u32 stack_at(struct place *place, void *regs, u64 word, u64 ns)
{
	struct registers now = {};

	user_registers(regs, &now);
	if (ns < SHORT_NS && place->stack && place->ip == now.ip && place->sp == now.sp && place->bp == now.bp && place->word == word &&
	    bpf_get_prandom_u32() % WALKED_ONE_IN)
		return place->stack;
	place->ip = now.ip;
	place->sp = now.sp;
	place->bp = now.bp;
	place->word = word;
	place->stack = user_stack_id();
	return place->stack;
}

// A wait begins, for a lock that names thread `named` as its owner (zero: nobody).
static __always_inline void wait_began(struct thread *thread, struct futex *call, u32 named, u32 flags, u64 now)
{
	thread->word = call->word;
	thread->second = call->second;
	thread->call = call->call;
	thread->op = call->op;
	thread->value = call->value;
	thread->ended_on = 0;
	// Its waker may be noting itself on another processor.
	thread->woken_ns = thread->flags & WOKEN_EARLY ? now : 0;
	if (!thread->woken_ns) {
		thread->waker_process = 0;
		thread->waker_stack = 0;
	}
	thread->restarted = 0;
	thread->stack = 0;
	thread->asleep_ns = now;
	u32 before = __sync_lock_test_and_set(&thread->flags, flags | IN_THE_WAIT);
	if (before & WOKEN_EARLY)
		change_hint(IN_A_WAIT, thread->global, -1);
	if (before & BEGUN_BEFORE)
		change_hint(IN_A_WAIT, thread->global, -1);
	if ((before & (WOKEN_EARLY | JOINED)) == (WOKEN_EARLY | JOINED))
		__sync_fetch_and_or(&thread->flags, JOINED);
	waiter_came(thread, named, now);
	change_hint(IN_A_WAIT, thread->global, 1);
}

// The call before which it was woken is over.
static __always_inline void forget_early_waker(struct thread *thread)
{
	if (!(thread->flags & WOKEN_EARLY))
		return;
	if (__sync_fetch_and_and(&thread->flags, ~(WOKEN_EARLY | JOINED)) & WOKEN_EARLY)
		change_hint(IN_A_WAIT, thread->global, -1);
}

// The thread leaves the processor to wait for a futex.
static __always_inline void fell_asleep(struct task_struct *task, s64 number, void *regs, u64 now)
{
	struct futex call = {};

	if (number != NR_RESTART) {
		futex_of(number, regs, &call);
		if (!IS_WAIT(call.call))
			return;
		read_list(&call, 0);
	}
	struct thread *thread = known_or_new(task);
	if (!thread)
		return;
	if (thread->asleep_ns && (number == NR_RESTART || (thread->word == call.word && thread->call == call.call))) {
		// Woken in vain, or interrupted and taken up again: the same wait.
		if (thread->suspended_ns) {
			thread->suspended_ns = 0;
			thread->suspended_by = 0;
			thread->restarted++;
		}
		thread->woken_ns = 0;
		return;
	}
	// Taken up again, and we have not seen it begin.
	if (number == NR_RESTART || (thread->flags & BEGUN_BEFORE))
		return;
	if (thread->asleep_ns)
		ended_wait(thread, -EINTR, thread->suspended_ns ? thread->suspended_ns : now, 1);
	wait_began(thread, &call, owner_now(call.call, call.value, call.word), entered_before(1), now);
}

#endif
