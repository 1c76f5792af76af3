// SPDX-License-Identifier: MIT OR GPL-2.0-only
// Context switches of the whole machine by process and cause, counted where the scheduler makes them.
#include "kernel.bpf.h"
#include "registers.bpf.h"

// Why a thread leaves its processor.
enum cause {
	OTHER = 0,
	LOCK,
	INPUT_OUTPUT,
	SLEEP,
	YIELDED,
	SLICE_OVER,
	WOKEN_OVER,
	CAUSES,
};

struct counts {
	u64 of[CAUSES];
};

// What waiting in a system call is waiting for, by its number: filled in before the programs run, since numbers differ by architecture.
#define CALLS 1024

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, CALLS);
	__type(key, u32);
	__type(value, u32);
} calls SEC(".maps");

// By process. Where there are too many, those that have not switched for longest go.
struct {
	__uint(type, BPF_MAP_TYPE_LRU_PERCPU_HASH);
	__uint(max_entries, 8192);
	__type(key, u32);
	__type(value, struct counts);
} processes SEC(".maps");

// Of all together.
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct counts);
} all SEC(".maps");

// When a thread was woken, until it runs.
struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, u64);
} woken SEC(".maps");

// A wake-up that takes the processor away asks for the switch at once. One that only makes a thread ready is followed by a switch when the
// tick finds that the slice is over, milliseconds later.
#define JUST_NOW_NS 100000

struct task_struct___switch {
	int pid;
	int tgid;
	unsigned int flags;
	unsigned int in_iowait : 1;
} RELOCATED;

// The kernel's own threads, those that do input and output for others included: they have no system call.
#define OF_THE_KERNEL (0x00200000 | 0x00000010)
#define DEAD 0x80

static const struct counts none = {};

static __always_inline u32 kind_of_call(struct task_struct *prev)
{
	struct task_struct___switch *task = (void *)prev;
	s64 number;
	u32 key, *kind;

	if (task->flags & OF_THE_KERNEL)
		return OTHER;
	number = system_call_of((void *)bpf_task_pt_regs((void *)prev));
	if (number < 0 || number >= CALLS)
		return OTHER;
	key = number;
	kind = bpf_map_lookup_elem(&calls, &key);
	return kind && *kind < CAUSES ? *kind : OTHER;
}

// It had to wait.
static __always_inline u32 why_blocked(struct task_struct *prev, u32 state)
{
	struct task_struct___switch *task = (void *)prev;
	u32 kind;

	if (state & DEAD)
		return OTHER;
	if (BPF_CORE_READ_BITFIELD_PROBED(task, in_iowait))
		return INPUT_OUTPUT;
	kind = kind_of_call(prev);
	// A thread that yields never blocks in that call.
	return kind == YIELDED ? OTHER : kind;
}

// It could have gone on.
static __always_inline u32 why_taken_off(struct task_struct *prev, struct task_struct *next, int preempted)
{
	u64 *at;

	if (!preempted && kind_of_call(prev) == YIELDED)
		return YIELDED;
	at = bpf_task_storage_get(&woken, (void *)next, 0, 0);
	if (at && *at && bpf_ktime_get_ns() - *at < JUST_NOW_NS)
		return WOKEN_OVER;
	return SLICE_OVER;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(switches_switch, int preempted, struct task_struct *prev, struct task_struct *next, unsigned int state)
{
	u32 process = prev->tgid, zero = 0, cause = OTHER;
	struct counts *counts;
	u64 *at;

	// Away from an idle processor nobody was switched.
	if (prev->pid) {
		// A thread that is preempted on its way into a wait has a state already, and still wants to run.
		if (state && !preempted)
			cause = why_blocked(prev, state);
		else
			cause = why_taken_off(prev, next, preempted);
		if (cause >= CAUSES)
			return 0;
		counts = bpf_map_lookup_elem(&all, &zero);
		if (counts)
			counts->of[cause]++;
		counts = bpf_map_lookup_elem(&processes, &process);
		if (!counts) {
			bpf_map_update_elem(&processes, &process, &none, BPF_NOEXIST);
			counts = bpf_map_lookup_elem(&processes, &process);
		}
		if (counts)
			counts->of[cause]++;
	}
	at = bpf_task_storage_get(&woken, (void *)next, 0, 0);
	if (at)
		*at = 0;
	return 0;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(switches_waking, struct task_struct *task)
{
	u64 *at = bpf_task_storage_get(&woken, (void *)task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (at)
		*at = bpf_ktime_get_ns();
	return 0;
}

char LICENSE[] SEC("license") = "Dual MIT/GPL";
