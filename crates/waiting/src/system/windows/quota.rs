//! The CPUs that the process may use: its affinity, and the CPU cap of its job (containers have one).

use core::ptr::{from_mut, null_mut};

use windows_sys::Win32::System::JobObjects::{
    JOB_OBJECT_CPU_RATE_CONTROL_ENABLE, JOB_OBJECT_CPU_RATE_CONTROL_HARD_CAP,
    JOB_OBJECT_CPU_RATE_CONTROL_MIN_MAX_RATE, JOBOBJECT_CPU_RATE_CONTROL_INFORMATION,
    JobObjectCpuRateControlInformation, QueryInformationJobObject,
};
use windows_sys::Win32::System::Threading::{
    ALL_PROCESSOR_GROUPS, GetActiveProcessorCount, GetCurrentProcess, GetProcessAffinityMask,
};

/// The rate that means all of the machine's time.
const ALL_OF_THE_TIME: u64 = 10_000;

/// Whether threads of this process run at the same time: it may use two processors, and the CPU time of more than one.
pub fn runs_two() -> bool {
    may_use_two() && job_allows_two()
}

fn may_use_two() -> bool {
    let (mut process, mut machine) = (0_usize, 0_usize);
    // SAFETY: places for the answers, and the process itself.
    let known =
        unsafe { GetProcessAffinityMask(GetCurrentProcess(), &raw mut process, &raw mut machine) };
    // No bits at all means that the process has threads in several groups of processors.
    known == 0 || process.count_ones() != 1
}

/// Whether the job allows it. A limit that cannot be read imposes none. For jobs within jobs, only the innermost is checked.
fn job_allows_two() -> bool {
    let mut rate = JOBOBJECT_CPU_RATE_CONTROL_INFORMATION::default();
    // SAFETY: a place for the answer, and its size; a null handle means the caller's own job.
    let known = unsafe {
        QueryInformationJobObject(
            null_mut(),
            JobObjectCpuRateControlInformation,
            from_mut(&mut rate).cast(),
            size_of_val(&rate) as u32,
            null_mut(),
        )
    };
    if known == 0 {
        return true;
    }
    // SAFETY: it takes a number.
    let processors = unsafe { GetActiveProcessorCount(ALL_PROCESSOR_GROUPS) };
    cap(&rate).is_none_or(|cap| u64::from(cap) * u64::from(processors) > ALL_OF_THE_TIME)
}

/// Returns the largest share of the machine's time that the job may use, in ten-thousandths, if there is such a limit.
fn cap(rate: &JOBOBJECT_CPU_RATE_CONTROL_INFORMATION) -> Option<u32> {
    let has = |flag| rate.ControlFlags & flag != 0;
    if !has(JOB_OBJECT_CPU_RATE_CONTROL_ENABLE) {
        return None;
    }
    // SAFETY: the flags say which field of the union is valid; each is a plain number.
    unsafe {
        if has(JOB_OBJECT_CPU_RATE_CONTROL_MIN_MAX_RATE) {
            Some(rate.Anonymous.Anonymous.MaxRate.into())
        } else if has(JOB_OBJECT_CPU_RATE_CONTROL_HARD_CAP) {
            Some(rate.Anonymous.CpuRate)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_hard_cap_is_one() {
        let mut rate = JOBOBJECT_CPU_RATE_CONTROL_INFORMATION::default();
        assert_eq!(cap(&rate), None);
        rate.Anonymous.CpuRate = 2_500;
        rate.ControlFlags = JOB_OBJECT_CPU_RATE_CONTROL_HARD_CAP;
        assert_eq!(cap(&rate), None, "not enabled");
        rate.ControlFlags |= JOB_OBJECT_CPU_RATE_CONTROL_ENABLE;
        assert_eq!(cap(&rate), Some(2_500));
        rate.ControlFlags = JOB_OBJECT_CPU_RATE_CONTROL_ENABLE;
        assert_eq!(cap(&rate), None, "a rate that idle time may exceed");
        rate.Anonymous.Anonymous.MaxRate = 4_000;
        rate.ControlFlags |= JOB_OBJECT_CPU_RATE_CONTROL_MIN_MAX_RATE;
        assert_eq!(cap(&rate), Some(4_000));
    }
}
