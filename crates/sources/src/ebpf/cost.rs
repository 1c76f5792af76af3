//! The cost of locktoll's programs, as measured by the kernel.

use std::fs;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};

use anyhow::Context;
use aya::sys::{Stats, enable_stats};

/// While this value lives, the kernel times every program (bpf(2), `BPF_ENABLE_STATS`). This costs two clock readings a run,
/// which the times do not include.
#[derive(Debug)]
pub struct CostCounting {
    _on: OwnedFd,
}

impl CostCounting {
    /// Begins counting. It takes CAP_SYS_ADMIN; without it, the programs work as well.
    ///
    /// # Errors
    /// The reason, in a few words.
    pub fn begin() -> Result<Self, String> {
        match enable_stats(Stats::RunTime) {
            Ok(_on) => Ok(Self { _on }),
            Err(error) if error.io_error.raw_os_error() == Some(libc::EPERM) => {
                Err("the kernel reports it only to processes with CAP_SYS_ADMIN".to_owned())
            }
            Err(error) => Err(format!(
                "the kernel does not measure it: {}",
                error.io_error
            )),
        }
    }
}

/// The run time of one program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProgramCost {
    /// Timed runs, that is, those while [`CostCounting`] lived.
    pub runs: u64,
    /// The time of all these runs together.
    pub run_ns: u64,
    /// How often the program was not run because it was already running on that processor.
    pub skipped: u64,
}

impl ProgramCost {
    /// Returns the cost of the program that `program` refers to: proc(5), fdinfo.
    pub(super) fn of(program: BorrowedFd<'_>) -> anyhow::Result<Self> {
        let path = format!("/proc/self/fdinfo/{}", program.as_raw_fd());
        let text = fs::read_to_string(&path).with_context(|| format!("{path} cannot be read"))?;
        Ok(Self::parse(&text))
    }

    fn parse(text: &str) -> Self {
        let field = |wanted: &str| {
            let mut lines = text.lines().filter_map(|line| line.split_once(':'));
            let found = lines.find(|(name, _)| *name == wanted);
            found
                .and_then(|(_, value)| value.trim().parse().ok())
                .unwrap_or(0)
        };
        Self {
            runs: field("run_cnt"),
            run_ns: field("run_time_ns"),
            skipped: field("recursion_misses"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kernel_tells_of_a_program_is_read() {
        let text = "pos:\t0\nflags:\t02000002\nprog_type:\t26\nrun_time_ns:\t41500\nrun_cnt:\t83\nrecursion_misses:\t2\n";
        let expected = ProgramCost {
            runs: 83,
            run_ns: 41_500,
            skipped: 2,
        };
        assert_eq!(ProgramCost::parse(text), expected);
        assert_eq!(ProgramCost::parse("pos:\t0\n"), ProgramCost::default());
    }
}
