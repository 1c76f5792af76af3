// SPDX-License-Identifier: MIT OR GPL-2.0-only
// Who owns each lock that names its owner, while others wait for it, and what they wait is charged to.
//
// A lock says who owns it where a wait begins, where its owner wakes somebody, and where that thread returns. Between these, all waiters'
// time is charged to the one owner: so the sum over all owners is the sum over all waiters. Between a release and the return of the
// thread that it woke, nobody is known to own the lock (thread zero).
#ifndef LOCKTOLL_HOLDERS_H
#define LOCKTOLL_HOLDERS_H

#include "threads.bpf.h"

// A lock of three states whose waiters expect 2: glibc's plain mutex has its owner 8 bytes on. A robust one holds the owner itself, with
// this bit. Whatever else may lie there is no thread of the process, except by accident.
#define LOCKED_WITH_WAITERS 2
#define ROBUST_WAITERS 0x80000000
#define OWNER_AT 8
#define OWNER_MASK 0x3fffffff

// Where the lock that is waited for by such a call says who owns it; zero: it does not.
static __always_inline u64 owner_address(u32 call, u32 value, u64 word)
{
	if (call == LOCK_PI || (call == WAIT && (value & ROBUST_WAITERS)))
		return word;
	return call == WAIT && value == LOCKED_WITH_WAITERS ? word + OWNER_AT : 0;
}

// Who owns it, by the current thread's memory; zero: nobody, or nobody says.
static __always_inline u32 owner_now(u32 call, u32 value, u64 word)
{
	u64 at = owner_address(call, value, word);
	u32 owner = 0;

	if (at)
		bpf_probe_read_user(&owner, sizeof(owner), (void *)at);
	return owner & OWNER_MASK;
}

// Charges the time waited since the last call to the thread that owned the lock. Of two threads that come at once each takes a part of it.
static __always_inline void charge(struct holder *holder, struct word_key *key, u64 now)
{
	// A wait that a signal has ended is over since earlier.
	if (now <= holder->last_ns)
		return;
	u64 last = __sync_lock_test_and_set(&holder->last_ns, now);
	u32 waiters = holder->waiters;
	if (!waiters || now <= last)
		return;
	struct owner_key owned_by = {.word = key->word, .process = key->process, .thread = holder->owner};
	struct owner *owner = FIND_OR_ADD(&owners, &owned_by, &no_owner, NO_OWNER);
	u64 ns = (now - last) * waiters;

	add(&holder->waited_ns, ns);
	if (owner)
		add(&owner->wait_ns, ns);
}

static __always_inline void is_owned_by(struct holder *holder, struct word_key *key, struct thread *owner)
{
	holder->owner = owner->thread;
	owner->wanted_word = key->word;
	// It has been preempted already: what is waited for it counts from now on.
	if (owner->off_ns && owner->off_word != key->word) {
		owner->off_word = key->word;
		owner->off_waited_ns = holder->waited_ns;
	}
}

// A wait begins, for a lock that names thread `named` as its owner.
static __always_inline void waiter_came(struct thread *waiter, u32 named, u64 now)
{
	struct word_key key = {.word = waiter->word, .process = waiter->process};
	struct holder *holder = bpf_map_lookup_elem(&holders, &key);
	struct thread *owner = named == waiter->thread ? 0 : thread_of(waiter->process, named);

	waiter->owner = owner ? named : 0;
	if (!holder && owner)
		holder = FIND_OR_ADD(&holders, &key, &no_holder, NO_OWNER);
	if (!holder)
		return;
	charge(holder, &key, now);
	if (owner) {
		struct owner_key owned_by = {.word = key.word, .process = key.process, .thread = named};
		struct owner *entry = FIND_OR_ADD(&owners, &owned_by, &no_owner, NO_OWNER);

		is_owned_by(holder, &key, owner);
		if (entry)
			add(&entry->count, 1);
	}
	__sync_fetch_and_add(&holder->waiters, 1);
	key.word = __sync_lock_test_and_set(&waiter->counted_on, key.word);
	// It was listed as asleep at this moment, and is one waiter all the same.
	if (key.word && (holder = bpf_map_lookup_elem(&holders, &key)))
		__sync_fetch_and_add(&holder->waiters, -1);
}

// The current thread, which is number `waker` of the waiter's process, has released the lock and wakes the waiter.
static __always_inline void waiter_woken(struct thread *waiter, u32 waker, u64 now)
{
	struct word_key key = {.word = waiter->counted_on, .process = waiter->process};
	struct holder *holder = key.word ? bpf_map_lookup_elem(&holders, &key) : 0;

	if (!holder)
		return;
	// Since the last release nobody was known: it was the one that releases now.
	if (!holder->owner)
		holder->owner = waker;
	charge(holder, &key, now);
	struct thread *owner = thread_of(waiter->process, owner_now(waiter->call, waiter->value, waiter->word));
	if (owner)
		is_owned_by(holder, &key, owner);
	else
		holder->owner = 0;
}

// A wait is over. `took`: the current thread is the one that waited, and takes the lock unless another has.
static __always_inline void waiter_left(struct thread *waiter, u64 now, int took)
{
	struct word_key key = {.word = __sync_lock_test_and_set(&waiter->counted_on, 0), .process = waiter->process};
	struct holder *holder = key.word ? bpf_map_lookup_elem(&holders, &key) : 0;

	if (!holder)
		return;
	charge(holder, &key, now);
	__sync_fetch_and_add(&holder->waiters, -1);
	if (!took)
		return;
	struct thread *owner = thread_of(waiter->process, owner_now(waiter->call, waiter->value, waiter->word));
	is_owned_by(holder, &key, owner ? owner : waiter);
}

// The thread is preempted.
static __always_inline void holder_left(struct thread *thread, u64 now)
{
	thread->off_word = 0;
	if (!thread->wanted_word)
		return;
	struct word_key key = {.word = thread->wanted_word, .process = thread->process};
	struct holder *holder = bpf_map_lookup_elem(&holders, &key);

	if (!holder || holder->owner != thread->thread) {
		thread->wanted_word = 0;
		return;
	}
	charge(holder, &key, now);
	thread->off_word = key.word;
	thread->off_waited_ns = holder->waited_ns;
}

// It runs again, after `ns`. If others waited meanwhile for a lock that it owns, its preemption has cost them that.
static __always_inline void holder_came(struct thread *thread, u64 ns, u64 now)
{
	if (!thread->off_word)
		return;
	struct word_key key = {.word = thread->off_word, .process = thread->process};
	struct holder *holder = bpf_map_lookup_elem(&holders, &key);

	thread->off_word = 0;
	if (!holder || holder->owner != thread->thread)
		return;
	charge(holder, &key, now);
	u64 waited = holder->waited_ns - thread->off_waited_ns;
	if (!waited)
		return;
	struct preemption *preemption = FIND_OR_ADD(&preemptions, &key, &no_preemption, NO_PREEMPTION);
	if (!preemption)
		return;
	add(&preemption->count, 1);
	add(&preemption->total_ns, ns);
	add(&preemption->waited_ns, waited);
	add(&preemption->log2[bucket_of(ns)], 1);
	raise(&preemption->max_ns, ns);
}

#endif
