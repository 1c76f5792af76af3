// SPDX-License-Identifier: MIT OR GPL-2.0-only
// What holders and waiters are charged with.
#ifndef LOCKTOLL_ABSENCES_H
#define LOCKTOLL_ABSENCES_H

#include "preemption_maps.bpf.h"

static __always_inline void charge(struct thread *thread, struct count *count, u32 why, u64 ns)
{
	struct switched_key key = {
		.lock = count->lock,
		.pid = thread->pid,
		.sequence = thread->sequence,
		.site = count->site,
		.generation = count->generation,
		.birth = count->birth,
		.kind = count->kind,
		.entry = count->entry,
		.why = why,
	};
	struct switched *row = bpf_map_lookup_elem(&switched, &key);

	if (!row) {
		bpf_map_update_elem(&switched, &key, &never_switched, BPF_NOEXIST);
		row = bpf_map_lookup_elem(&switched, &key);
	}
	if (!row) {
		drop(NO_ROOM, 1);
		return;
	}
	add(&row->count, 1);
	add(&row->total_ns, ns);
	raise(&row->max_ns, ns);
	add(&row->log2[bucket_of(ns)], 1);
}

// A holder of the lock of `count` has been preempted.
static __always_inline void holder_left(struct thread *thread, struct count *count, u64 now)
{
	struct lock lock = {.address = count->lock, .pid = thread->pid, .sequence = thread->sequence};
	struct absence *absence = bpf_map_lookup_elem(&absences, &lock);

	if (!absence) {
		bpf_map_update_elem(&absences, &lock, &never_absent, BPF_NOEXIST);
		absence = bpf_map_lookup_elem(&absences, &lock);
	}
	if (!absence) {
		drop(NO_ROOM_FOR_WAITS, 1);
		return;
	}
	any_absence = 1;
	// The beginning first: who sees that somebody is absent sees since when.
	if (!absence->holders)
		absence->since_ns = now;
	__sync_fetch_and_add(&absence->holders, 1);
	absence->generation = count->generation;
	absence->birth = count->birth;
	absence->kind = count->kind;
	absence->entry = count->entry;
}

// It runs again.
static __always_inline void holder_came(struct thread *thread, struct count *count, u64 now)
{
	struct lock lock = {.address = count->lock, .pid = thread->pid, .sequence = thread->sequence};
	struct absence *absence = bpf_map_lookup_elem(&absences, &lock);

	// Where there was no room when it left, there are none to take away.
	if (!absence || !absence->holders)
		return;
	if (__sync_fetch_and_add(&absence->holders, -1) == 1) {
		u64 since = absence->since_ns;

		absence->last_since_ns = since;
		absence->last_until_ns = now;
		add(&absence->total_ns, now > since ? now - since : 0);
	}
}

// How long holders of the lock have been preempted up to now.
static __always_inline u64 absent_ns(struct absence *absence, u64 now)
{
	u64 total = absence->total_ns, since = absence->since_ns;

	if (absence->holders && now > since)
		total += now - since;
	return total;
}

static __always_inline void charge_wait(struct thread *thread, struct absence *absence, u64 ns)
{
	struct waited_key key = {
		.lock = thread->waiting_lock,
		.pid = thread->pid,
		.sequence = thread->sequence,
		.site = thread->waiting_site,
		.generation = absence->generation,
		.birth = absence->birth,
		.tid = thread->tid,
		.kind = absence->kind,
		.entry = absence->entry,
	};
	struct waited *row = bpf_map_lookup_elem(&waited, &key);

	if (!row) {
		bpf_map_update_elem(&waited, &key, &never_waited, BPF_NOEXIST);
		row = bpf_map_lookup_elem(&waited, &key);
	}
	if (!row) {
		drop(NO_ROOM_FOR_WAITS, 1);
		return;
	}
	add(&row->count, 1);
	add(&row->total_ns, ns);
	raise(&row->max_ns, ns);
}

// Part of `since` to `until` that lies between `from` and `to`.
static __always_inline u64 overlap_ns(u64 since, u64 until, u64 from, u64 to)
{
	if (since < from)
		since = from;
	if (until > to)
		until = to;
	return until > since ? until - since : 0;
}

// A thread that waits leaves its processor: to sleep, or because it spins and its time is over.
static __always_inline void waiter_left(struct thread *thread, u64 now)
{
	struct waiting waiting = {};
	struct lock lock = {.pid = thread->pid, .sequence = thread->sequence};
	struct absence *absence;
	u64 from, ns;

	thread->waiting_lock = 0;
	if (!thread->life)
		return;
	if (bpf_probe_read_user(&waiting, sizeof(waiting), (void *)(thread->life + WAITING))) {
		drop(UNREAD, 1);
		return;
	}
	if (!waiting.since_ns)
		return;
	thread->waiting_lock = waiting.lock;
	thread->waiting_site = waiting.site;
	thread->absent_ns = 0;
	if (!any_absence)
		return;
	lock.address = waiting.lock;
	absence = bpf_map_lookup_elem(&absences, &lock);
	if (!absence)
		return;
	thread->absent_ns = absent_ns(absence, now);
	// While it still had a processor, and waited already: the absence that goes on, and the one before.
	from = waiting.since_ns > thread->came_ns ? waiting.since_ns : thread->came_ns;
	ns = overlap_ns(absence->last_since_ns, absence->last_until_ns, from, now);
	if (absence->holders)
		ns += overlap_ns(absence->since_ns, now, from, now);
	if (ns)
		charge_wait(thread, absence, ns);
}

// It runs again.
static __always_inline void waiter_came(struct thread *thread, u64 now)
{
	struct lock lock = {.address = thread->waiting_lock, .pid = thread->pid, .sequence = thread->sequence};
	struct absence *absence;
	u64 absent;

	if (!thread->waiting_lock || !any_absence)
		return;
	absence = bpf_map_lookup_elem(&absences, &lock);
	if (!absence)
		return;
	absent = absent_ns(absence, now);
	if (absent > thread->absent_ns)
		charge_wait(thread, absence, absent - thread->absent_ns);
}

#endif
