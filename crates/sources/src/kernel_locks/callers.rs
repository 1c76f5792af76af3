//! The function on a stack that asked for the lock.

use super::Symbols;

/// How the names of functions begin that belong to locks or to the tracepoint itself.
const INSIDE: &[&str] = &[
    "bpf_prog_",
    "bpf_trace_run",
    "bpf_trampoline_",
    "__bpf_trace_",
    "__bpf_prog_",
    "__traceiter_",
    "__probestub_",
    "trace_contention_",
    "__pv_queued_spin_lock",
    "native_queued_spin_lock",
    "queued_spin_lock",
    "queued_read_lock",
    "queued_write_lock",
    "__raw_callee_save_",
    "pv_queued_spin",
    "resilient_queued_spin",
    "resilient_tas_spin",
    "rqspinlock_",
    "_raw_spin_",
    "_raw_read_",
    "_raw_write_",
    "do_raw_",
    "raw_spin_rq_lock",
    "__mutex_lock",
    "mutex_lock",
    "__ww_mutex_lock",
    "ww_mutex_lock",
    "down_read",
    "down_write",
    "__down_read",
    "__down_write",
    "rwsem_down_",
    "rwsem_optimistic_spin",
    "percpu_down_",
    "__percpu_down_",
    "percpu_rwsem_wait",
    "rt_mutex_",
    "__rt_mutex_",
    "rt_spin_lock",
    "rt_read_lock",
    "rt_write_lock",
    "rtlock_",
    "rwbase_",
    "__rwbase_",
];

/// How many frames beyond the caller are reported.
const FURTHER: usize = 3;

/// The function that asked for the lock.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Caller {
    /// The function, or an address without a name; `None` without a stack.
    pub function: Option<String>,
    /// The functions that called it, innermost first.
    pub from: Vec<String>,
}

impl Caller {
    /// Finds the first frame outside of locks, and some beyond it.
    pub fn of(stack: &[u64], symbols: Option<&Symbols>) -> Self {
        let mut names = stack.iter().map(|&address| {
            symbols
                .and_then(|symbols| symbols.function(address))
                .map_or_else(|| hexadecimal(address), str::to_owned)
        });
        let function = names.find(|name| !is_inside(name));
        Self {
            function,
            from: names.take(FURTHER).collect(),
        }
    }
}

fn is_inside(name: &str) -> bool {
    INSIDE.iter().any(|begin| name.starts_with(begin))
}

/// Formats an address as the kernel does.
pub fn hexadecimal(address: u64) -> String {
    format!("{address:#018x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_and_tracepoints_are_not_callers() {
        for inside in [
            "bpf_prog_6deef7357e7b4530_kernel_begin",
            "__traceiter_contention_begin",
            "native_queued_spin_lock_slowpath",
            "_raw_spin_lock_irqsave",
            "__mutex_lock",
            "rwsem_down_write_slowpath",
        ] {
            assert!(is_inside(inside), "{inside}");
        }
        for caller in ["__schedule", "folio_lruvec_lock_irqsave", "mutex_spin_on"] {
            assert!(!is_inside(caller), "{caller}");
        }
    }

    #[test]
    fn without_names_addresses_stand_and_without_a_stack_nothing() {
        let caller = Caller::of(&[0xffff_ffff_8100_0000], None);
        assert_eq!(caller.function.as_deref(), Some("0xffffffff81000000"));
        assert_eq!(Caller::of(&[], None), Caller::default());
    }
}
