//! The settings of a run inside an emulated virtual machine (a guest).

use std::time::Duration;

use serde::Deserialize;

use crate::arguments::parse_time;

/// The flags of a guest run.
#[derive(Clone, Debug, PartialEq)]
pub struct GuestPlan {
    /// Number of virtual CPUs.
    pub cpus: u32,
    /// Number of parallel jobs of the build inside.
    pub jobs: u32,
    /// Length of a round.
    pub length: Duration,
    /// Number of rounds with each host.
    pub repeat: u32,
}

/// What the host does while a round runs in the guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GuestHost {
    /// Nothing else.
    Idle,
    /// A busy loop on every CPU.
    Busy,
}

/// The number of virtual CPUs that is accepted: one waits for nobody, and an emulator's threads crowd a small host.
const CPUS: std::ops::RangeInclusive<u32> = 2..=16;

impl GuestPlan {
    /// Returns the plan with this many times the rounds.
    pub fn times(&self, times: u32) -> Self {
        Self {
            repeat: self.repeat * times,
            ..self.clone()
        }
    }

    /// Parses flags.
    ///
    /// # Errors
    /// One line that says what is accepted.
    pub fn parse(flags: &str) -> Result<Self, String> {
        let mut plan = Self {
            cpus: 2,
            jobs: 4,
            length: Duration::from_millis(500),
            repeat: 9,
        };
        let mut words = flags.split_whitespace();
        while let Some(flag) = words.next() {
            let value = words.next().unwrap_or_default();
            let number = || {
                value
                    .parse::<u32>()
                    .ok()
                    .filter(|number| *number > 0)
                    .ok_or_else(|| format!("guest {flag} {value}: a number from 1 on is accepted"))
            };
            match flag {
                "--cpus" => plan.cpus = number()?,
                "--jobs" => plan.jobs = number()?,
                "--repeat" => plan.repeat = number()?,
                "--duration" => plan.length = Duration::from_nanos(parse_time(value)?),
                _ => {
                    return Err(format!(
                        "guest {flag}: accepted are --cpus, --jobs, --duration and --repeat"
                    ));
                }
            }
        }
        match CPUS.contains(&plan.cpus) {
            true => Ok(plan),
            false => Err(format!(
                "guest --cpus {}: accepted are {} to {}",
                plan.cpus,
                CPUS.start(),
                CPUS.end()
            )),
        }
    }

    /// Returns the number of rounds with either host.
    pub fn rounds(&self) -> u32 {
        2 * self.repeat
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_read_and_wrong_ones_refused() {
        let plan = GuestPlan::parse("--cpus 3 --jobs 5 --duration 1s --repeat 7").unwrap();
        let expected = GuestPlan {
            cpus: 3,
            jobs: 5,
            length: Duration::from_secs(1),
            repeat: 7,
        };
        assert_eq!(plan, expected);
        assert_eq!(plan.rounds(), 14);
        for (wrong, said) in [
            ("--host busy", "accepted are --cpus"),
            ("--repeat 0", "from 1 on"),
            ("--jobs", "from 1 on"),
            ("--cpus 1", "2 to 16"),
            ("--cpus 17", "2 to 16"),
            ("--duration 5", "unit"),
        ] {
            let refused = GuestPlan::parse(wrong).unwrap_err();
            assert!(refused.contains(said), "{wrong}: {refused}");
        }
    }
}
