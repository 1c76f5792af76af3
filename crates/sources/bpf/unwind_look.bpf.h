// SPDX-License-Identifier: MIT OR GPL-2.0-only
// Looking things up for a walk. Global functions: the verifier looks at each by itself, once, not once for every way that
// leads to it.
#ifndef LOCKTOLL_UNWIND_LOOK_H
#define LOCKTOLL_UNWIND_LOOK_H

#include "unwind_maps.bpf.h"

static __always_inline int read_user(void *to, u32 bytes, u64 at)
{
	return bpf_probe_read_user(to, bytes, (void *)at) == 0;
}

// Puts the word of the thread's stack at `at` into `walks->word`; whether it could be read. Those above it are read with it: callers' frames are there.
__noinline u32 unwind_read_word(struct thread_walks *walks, u64 at)
{
	if (!walks)
		return 0;
	u64 place = at - walks->block_at;

	if (!walks->block_at || place >= sizeof(walks->block) || place % 8) {
		walks->block_at = 0;
		if (!read_user(walks->block, sizeof(walks->block), at))
			return read_user(&walks->word, sizeof(walks->word), at);
		walks->block_at = at;
		place = 0;
	}
	place /= 8;
	// Or the compiler leaves out the bound that it knows already, and the verifier does not.
	asm volatile("" : "+r"(place));
	walks->word = walks->block[place % BLOCK];
	return 1;
}

static __always_inline u32 read_word(struct thread_walks *walks, u64 at, u64 *word)
{
	u32 is_read = unwind_read_word(walks, at);

	*word = walks->word;
	return is_read;
}

// The index in `unwind_mappings`, and one, of the mapping that `address` lies in, among `mappings` from `first` on; zero if it is in none.
__noinline u32 unwind_mapping_at(u64 address, u32 first, u32 mappings)
{
	u32 low = 0, high = mappings;

	for (int i = 0; i < 12; i++) {
		if (low >= high)
			break;
		u32 middle = (low + high) / 2, index = first + middle;
		struct mapping *mapping = bpf_map_lookup_elem(&unwind_mappings, &index);

		if (!mapping)
			return 0;
		if (address < mapping->start)
			high = middle;
		else if (address >= mapping->end)
			low = middle + 1;
		else
			return index + 1;
	}
	return 0;
}

// The rule that holds at `offset` by the table whose `pages` begin at `first_page`.
__noinline u32 unwind_rule_at(u64 offset, u32 first_page, u32 pages)
{
	u64 page = offset >> PAGE_SHIFT;

	if (page >= pages)
		return 0;
	u32 index = first_page + (u32)page;
	u64 *bounds = bpf_map_lookup_elem(&unwind_pages, &index);
	if (!bounds)
		return 0;
	u32 low = *bounds, high = *bounds >> 32;
	// No row has the address of another, so a page has no more of them than addresses.
	for (int i = 0; i <= PAGE_SHIFT; i++) {
		if (low >= high)
			break;
		u32 middle = (low + high) / 2;
		u64 *row = bpf_map_lookup_elem(&unwind_rows, &middle);

		if (!row)
			return 0;
		if (*row >> 32 <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	// Each table begins with a row for offset zero, so there is one before.
	index = low - 1;
	u64 *row = bpf_map_lookup_elem(&unwind_rows, &index);
	return row ? (u32)*row : 0;
}

// Whether the instruction before `address` is a call.
__noinline u32 unwind_follows_call(u64 address)
{
	u8 before[8] = {};

	if (!on_x86()) {
		u32 instruction = 0;

		if (address % 4 || !read_user(&instruction, sizeof(instruction), address - 4))
			return 0;
		// BL, or BLR and its authenticating forms (Arm Architecture Reference Manual, C6.2).
		return (instruction & 0xfc000000) == 0x94000000 || (instruction & 0xfefff000) == 0xd63f0000;
	}
	if (!read_user(before, sizeof(before), address - sizeof(before)))
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

#endif
