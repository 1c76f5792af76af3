//! The causes of a cell's switches, counted in the kernel where this is allowed.

use crate::diagnosis::explained;
use crate::reproduce::evidence::CauseShares;
use locktoll_results::doctor::Verb;
use locktoll_sources::ebpf::in_outermost_namespace;
use locktoll_sources::switches::{SwitchCause, SwitchCounts, Watch};

/// The share of switches that the kernel's program may have missed.
const MISSED_AT_MOST: f64 = 0.01;

/// Counts switches by cause in the kernel. The program there ends when this value is dropped.
pub struct SwitchCounter {
    watch: Watch,
}

/// The counts of one process at one moment.
pub struct Counted {
    process: u32,
    switches: SwitchCounts,
    /// How often the program was not run, for all processes.
    missed: u64,
}

impl SwitchCounter {
    /// Begins to count.
    ///
    /// # Errors
    /// The reason why this cannot be done here, in a few words.
    pub fn begin() -> Result<Self, String> {
        if !in_outermost_namespace() {
            return Err(
                "process IDs here differ from those in the kernel (PID namespace)".to_owned(),
            );
        }
        match Watch::begin().map_err(explained(Verb::Kernel)) {
            Ok(watch) => Ok(Self { watch }),
            Err(failure) => Err(without_verb(&failure.to_string()).to_owned()),
        }
    }

    /// Returns the counts of `process` so far.
    ///
    /// # Errors
    /// If the kernel does not let us read them.
    pub fn read(&self, process: u32) -> Result<Counted, String> {
        let read = || -> anyhow::Result<Counted> {
            Ok(Counted {
                process,
                switches: self.watch.of_process(process)?,
                missed: self.watch.missed()?,
            })
        };
        read().map_err(|error| format!("the kernel's counts cannot be read: {error:#}"))
    }

    /// Returns the causes of the switches of a process since `before`.
    ///
    /// # Errors
    /// The reason why they are not known.
    pub fn since(&self, before: &Counted) -> Result<CauseShares, String> {
        let now = self.read(before.process)?;
        let switches = now.switches.since(&before.switches);
        shares(&switches, now.missed.saturating_sub(before.missed))
    }
}

/// Returns the reason of a refusal without the verb that it is addressed to, since this verb still does its work.
fn without_verb(refusal: &str) -> &str {
    refusal
        .split_once(" cannot trace here: ")
        .map_or(refusal, |(_, reason)| reason)
}

/// Returns the shares of the causes. All of them are exact, also those that are bounds if they come from `/proc`. All of the
/// `missed` switches might have been switches of this process.
fn shares(switches: &SwitchCounts, missed: u64) -> Result<CauseShares, String> {
    let all = switches.all() as f64;
    if all == 0.0 {
        return Err("no thread switched".to_owned());
    }
    let missed = missed as f64 / (all + missed as f64);
    if missed > MISSED_AT_MOST {
        return Err(format!(
            "the kernel's program missed up to {:.0} % of the switches",
            missed * 100.0
        ));
    }
    let of = |causes: &[SwitchCause]| {
        let switches = causes.iter().map(|cause| switches.of(*cause));
        switches.sum::<u64>() as f64 / all
    };
    Ok(CauseShares {
        futex: Ok(of(&[SwitchCause::Lock])),
        io: Ok(of(&[SwitchCause::InputOutput])),
        taken_off: of(&[
            SwitchCause::SliceOver,
            SwitchCause::WokenOver,
            SwitchCause::Yielded,
        ]),
        slice: Ok(of(&[SwitchCause::SliceOver])),
        yielded: Ok(of(&[SwitchCause::Yielded])),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cause_has_its_exact_share() {
        let switches = [
            (SwitchCause::Other, 5),
            (SwitchCause::Lock, 40),
            (SwitchCause::InputOutput, 20),
            (SwitchCause::Sleep, 10),
            (SwitchCause::Yielded, 15),
            (SwitchCause::SliceOver, 8),
            (SwitchCause::WokenOver, 2),
        ];
        let expected = CauseShares {
            futex: Ok(0.4),
            io: Ok(0.2),
            taken_off: 0.25,
            slice: Ok(0.08),
            yielded: Ok(0.15),
        };
        assert_eq!(shares(&switches.into_iter().collect(), 0), Ok(expected));
    }

    #[test]
    fn a_refusal_is_not_addressed_to_another_verb() {
        let refusal = "`kernel` cannot trace here: CAP_BPF is lacking; run it with sudo";
        assert_eq!(
            without_verb(refusal),
            "CAP_BPF is lacking; run it with sudo"
        );
        assert_eq!(without_verb("E2BIG"), "E2BIG");
    }

    #[test]
    fn missed_switches_are_an_error_unless_they_are_few() {
        let switches: SwitchCounts = [(SwitchCause::Lock, 990)].into_iter().collect();
        assert!(shares(&switches, 10).is_ok());
        let reason = shares(&switches, 110).unwrap_err();
        assert!(reason.contains("missed up to 10 %"), "{reason}");
        let none = shares(&SwitchCounts::default(), 0).unwrap_err();
        assert_eq!(none, "no thread switched");
    }
}
