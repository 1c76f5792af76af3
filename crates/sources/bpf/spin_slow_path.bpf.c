// SPDX-License-Identifier: MIT OR GPL-2.0-only
// Waits for the kernel's spin locks, by the function that is called when a spin lock is taken already.
//
// The tracepoints of kernel.bpf.c leave out the waiter that is next in line, and every waiter in a virtual machine whose kernel
// takes no queue. On two processors, those are all waiters. The function itself is called by each of them.
#include "histogram.bpf.h"

// Ticks of the processor's counter in 1024 ns.
const volatile u32 ticks_in_1024_ns = 0;

// A wait does not change its processor, but an interrupt may come and wait for another lock.
#define SLOTS 4

struct slot {
	// Zero: free.
	u64 lock;
	u64 began_ns;
};

struct slots {
	struct slot slot[SLOTS];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct slots);
} waiting SEC(".maps");

struct histogram {
	u64 log2_ticks[BUCKETS];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct histogram);
} spin_waits SEC(".maps");

SEC("fentry")
int BPF_PROG(spin_begins, void *lock)
{
	u32 zero = 0;
	struct slots *slots = bpf_map_lookup_elem(&waiting, &zero);
	struct slot *free = 0;

	if (!slots)
		return 0;
#pragma unroll
	for (int i = SLOTS - 1; i >= 0; i--) {
		// A processor that asks for a lock again has got it in between: the end was not seen.
		if (!slots->slot[i].lock || slots->slot[i].lock == (u64)lock)
			free = &slots->slot[i];
	}
	if (!free) {
		// No more contexts than slots can be waiting at once: what stands there has lost its end.
#pragma unroll
		for (int i = 0; i < SLOTS; i++)
			slots->slot[i].lock = 0;
		return 0;
	}
	free->began_ns = bpf_ktime_get_ns();
	free->lock = (u64)lock;
	return 0;
}

SEC("fexit")
int BPF_PROG(spin_ends, void *lock)
{
	u64 now = bpf_ktime_get_ns(), began = 0, ns, ticks;
	u32 zero = 0, bucket;
	struct slots *slots = bpf_map_lookup_elem(&waiting, &zero);
	struct histogram *histogram = bpf_map_lookup_elem(&spin_waits, &zero);

	if (!slots || !histogram)
		return 0;
#pragma unroll
	for (int i = 0; i < SLOTS; i++) {
		if (slots->slot[i].lock == (u64)lock) {
			began = slots->slot[i].began_ns;
			slots->slot[i].lock = 0;
		}
	}
	if (!began)
		return 0;
	ns = now - began;
	// 2^44 ns are five hours; longer ones stay in the last bucket.
	ticks = ns >> 44 ? ns : ns * ticks_in_1024_ns >> 10;
	bucket = bucket_of(ticks);
	if (bucket < BUCKETS)
		histogram->log2_ticks[bucket]++;
	return 0;
}

char LICENSE[] SEC("license") = "Dual MIT/GPL";
