// SPDX-License-Identifier: MIT OR GPL-2.0-only
// Does nothing, where and how the others do something: it reads a field of a thread that the scheduler hands over, and has a map.
#include "kernel.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u32);
} unused SEC(".maps");

SEC("tp_btf/sched_switch")
int BPF_PROG(trial_switch, _Bool preempt, struct task_struct *prev, struct task_struct *next)
{
	u32 zero = 0;
	u32 *value = bpf_map_lookup_elem(&unused, &zero);

	// No thread has this number: nothing is ever written.
	if (value && next->pid == -1)
		*value = 1;
	return 0;
}

char LICENSE[] SEC("license") = "Dual MIT/GPL";
