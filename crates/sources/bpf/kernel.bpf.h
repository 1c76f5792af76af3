// SPDX-License-Identifier: MIT OR GPL-2.0-only
// What our programs know of the kernel: only the fields they read. The loader moves each to where the running kernel has it (CO-RE), so
// that one object fits every kernel and both architectures.
#ifndef LOCKTOLL_KERNEL_H
#define LOCKTOLL_KERNEL_H

#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;
typedef _Bool bool;

#define RELOCATED __attribute__((preserve_access_index))

struct pid_namespace {
	u32 level;
} RELOCATED;

// A number of a thread or process, once for each pid namespace that it is in, the initial one first.
struct upid {
	int nr;
	struct pid_namespace *ns;
} RELOCATED;

struct pid {
	u32 level;
	struct upid numbers[1];
} RELOCATED;

typedef struct {
	int counter;
} atomic_t;

struct signal_struct {
	atomic_t live;
} RELOCATED;

struct sched_entity___time {
	u64 sum_exec_runtime;
} RELOCATED;

struct sched_info {
	unsigned long long run_delay;
} RELOCATED;

struct task_struct {
	int pid;
	int tgid;
	u32 flags;
	u32 __state;
	int on_cpu;
	char comm[16];
	int *clear_child_tid;
	struct pid *thread_pid;
	struct signal_struct *signal;
	// What getrusage(2) and proc(5) say of it: nanoseconds, and numbers of switches.
	u64 utime;
	u64 stime;
	unsigned long nvcsw;
	unsigned long nivcsw;
	u64 start_time;
	struct sched_entity___time se;
	struct sched_info sched_info;
} RELOCATED;

// Before Linux 5.14.
struct task_struct___old {
	long state;
} RELOCATED;

struct sigaction {
	void *sa_handler;
	unsigned long sa_flags;
} RELOCATED;

struct k_sigaction {
	struct sigaction sa;
} RELOCATED;

// The user's registers, as the kernel keeps them while a thread is in it. The part of the name behind ___ is for us: the loader
// looks for `pt_regs`.
struct pt_regs___x86 {
	unsigned long ip, sp, bp, di, si, dx, r10, r8, r9, orig_ax;
} RELOCATED;

struct pt_regs___arm64 {
	u64 regs[31];
	u64 sp;
	u64 pc;
	u64 orig_x0;
	s32 syscallno;
} RELOCATED;

#endif
