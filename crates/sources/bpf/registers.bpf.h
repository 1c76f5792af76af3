// SPDX-License-Identifier: MIT OR GPL-2.0-only
// The user's registers on either architecture.
#ifndef LOCKTOLL_REGISTERS_H
#define LOCKTOLL_REGISTERS_H

#include "kernel.bpf.h"

// A question to the loader: which branch stays is settled before the verifier looks.
static __always_inline int on_x86(void)
{
	return bpf_core_field_exists(((struct pt_regs___x86 *)0)->orig_ax);
}

struct registers {
	u64 ip;
	u64 sp;
	u64 bp;
};

// `regs` must be a pointer that the verifier knows for one (a tracepoint's argument, or what bpf_task_pt_regs returned): then each is one
// load.
static __always_inline void user_registers(void *regs, struct registers *out)
{
	if (on_x86()) {
		struct pt_regs___x86 *x86 = regs;

		out->ip = x86->ip;
		out->sp = x86->sp;
		out->bp = x86->bp;
	} else {
		struct pt_regs___arm64 *arm64 = regs;

		out->ip = arm64->pc;
		out->sp = arm64->sp;
		out->bp = arm64->regs[29];
	}
}

static __always_inline void registers_of(struct task_struct *task, struct registers *out)
{
	user_registers((void *)bpf_task_pt_regs((void *)task), out);
}

// Arguments 0 to 5 of the system call that `regs` belong to (a pointer as above).
static __always_inline void arguments_of(void *regs, u64 out[6])
{
	if (on_x86()) {
		struct pt_regs___x86 *x86 = regs;

		out[0] = x86->di;
		out[1] = x86->si;
		out[2] = x86->dx;
		out[3] = x86->r10;
		out[4] = x86->r8;
		out[5] = x86->r9;
	} else {
		struct pt_regs___arm64 *arm64 = regs;

		// The first register is where the result goes, so the kernel keeps a copy.
		out[0] = arm64->orig_x0;
		out[1] = arm64->regs[1];
		out[2] = arm64->regs[2];
		out[3] = arm64->regs[3];
		out[4] = arm64->regs[4];
		out[5] = arm64->regs[5];
	}
}

// The number of the system call that `regs` belong to (a pointer as above); negative outside one.
static __always_inline s64 system_call_of(void *regs)
{
	if (on_x86())
		return (s64)((struct pt_regs___x86 *)regs)->orig_ax;
	return ((struct pt_regs___arm64 *)regs)->syscallno;
}

// futex(2) is older than the numbers that all architectures share.
#define NR_FUTEX (on_x86() ? 202 : 98)
#define NR_SCHED_YIELD (on_x86() ? 24 : 124)
#define NR_PRCTL (on_x86() ? 157 : 167)
#define NR_EXIT (on_x86() ? 60 : 93)
#define NR_EXIT_GROUP (on_x86() ? 231 : 94)
#define NR_RESTART (on_x86() ? 219 : 128)
#define NR_FUTEX_WAITV 449
#define NR_FUTEX_WAKE 454
#define NR_FUTEX_WAIT 455
#define NR_FUTEX_REQUEUE 456

#endif
