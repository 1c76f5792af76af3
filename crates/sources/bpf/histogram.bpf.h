// SPDX-License-Identifier: MIT OR GPL-2.0-only
// Histograms by powers of two of nanoseconds.
#ifndef LOCKTOLL_HISTOGRAM_H
#define LOCKTOLL_HISTOGRAM_H

#include "kernel.bpf.h"

// Entry `i` counts from 2^i up to 2^(i+1) ns; the last one, all that is longer (2^39 ns are nine minutes).
#define BUCKETS 40

static __always_inline u32 bucket_of(u64 ns)
{
	u32 bucket = 0;
	u32 high = ns >> 32;
	u32 word = high ? high : (u32)ns;

	if (high)
		bucket = 32;
	if (word >> 16) {
		bucket += 16;
		word >>= 16;
	}
	if (word >> 8) {
		bucket += 8;
		word >>= 8;
	}
	if (word >> 4) {
		bucket += 4;
		word >>= 4;
	}
	if (word >> 2) {
		bucket += 2;
		word >>= 2;
	}
	bucket += word >> 1;
	return bucket < BUCKETS ? bucket : BUCKETS - 1;
}

// Raises `*most` to `value`. Two processors may race: the larger of two that come at once can be lost, which is why each tries again.
static __always_inline void raise(u64 *most, u64 value)
{
	for (int attempt = 0; attempt < 4; attempt++) {
		u64 seen = *(volatile u64 *)most;

		if (seen >= value || __sync_bool_compare_and_swap(most, seen, value))
			return;
	}
}

static __always_inline void add(u64 *to, u64 amount)
{
	__sync_fetch_and_add(to, amount);
}

#endif
