// SPDX-License-Identifier: MIT OR GPL-2.0-only
// The images of the watched processes; used only where several are watched or children are followed. A process has one
// image until execve(2) gives it another, in which the same addresses mean other things.
#ifndef LOCKTOLL_IMAGES_H
#define LOCKTOLL_IMAGES_H

#include "kernel.bpf.h"

// Images up to this number are those that user space began with.
const volatile u32 first_images = 0;

struct image {
	u32 process;
	// The image that it came from; zero: it was there when watching began, or user space found it.
	u32 parent;
	// Whether it took its parent's place, by execve(2); or else shares the parent's code, by fork(2).
	u32 is_by_exec;
	u32 padding;
	u64 began_ns;
	// Zero as long as it runs.
	u64 ended_ns;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct image);
} images SEC(".maps");

// The image that each process has now.
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u32);
} watched SEC(".maps");

static u32 images_so_far;

static __always_inline u32 image_of(u32 process)
{
	u32 *image = bpf_map_lookup_elem(&watched, &process);

	return image ? *image : 0;
}

static __always_inline void image_ended(u32 number)
{
	struct image *image = bpf_map_lookup_elem(&images, &number);

	if (image)
		image->ended_ns = bpf_ktime_get_ns();
}

// The process has a new image from now on; its number, or zero if there is no room.
static __always_inline u32 new_image(u32 process, u32 parent, u32 is_by_exec)
{
	u32 number = first_images + 1 + __sync_fetch_and_add(&images_so_far, 1);
	struct image image = {.process = process, .parent = parent, .is_by_exec = is_by_exec, .began_ns = bpf_ktime_get_ns()};

	if (bpf_map_update_elem(&images, &number, &image, BPF_NOEXIST))
		return 0;
	if (bpf_map_update_elem(&watched, &process, &number, BPF_ANY)) {
		bpf_map_delete_elem(&images, &number);
		return 0;
	}
	return number;
}

#endif
