//! The settings of a run during which the kernel's locks are watched.

use std::time::Duration;

use crate::arguments::parse_time;
use crate::inner::BUILD;

/// The flags of a kernel run.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelPlan {
    /// Number of rounds.
    pub repeat: u32,
    /// Length of a round.
    pub length: Duration,
    /// Number of parallel jobs.
    pub jobs: u32,
    /// Number of additional threads that only loop.
    pub hogs: u32,
    /// The state of the host that is required to judge the run.
    pub host: Option<Host>,
}

/// The hypervisor's behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// The program runs in a virtual machine that loses no CPU time to the host.
    Idle,
    /// The program runs in a virtual machine whose processors are taken away again and again.
    Busy,
}

impl KernelPlan {
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
            repeat: 9,
            length: Duration::from_millis(500),
            jobs: 2,
            hogs: 0,
            host: None,
        };
        let mut words = flags.split_whitespace();
        while let Some(flag) = words.next() {
            let value = words.next().unwrap_or_default();
            let number = || {
                value
                    .parse::<u32>()
                    .map_err(|_| format!("kernel {flag} {value}: a number is accepted"))
            };
            match flag {
                "--repeat" => plan.repeat = number()?.max(1),
                "--jobs" => plan.jobs = number()?.max(1),
                "--hogs" => plan.hogs = number()?,
                "--duration" => plan.length = Duration::from_nanos(parse_time(value)?),
                "--host" => {
                    plan.host = Some(match value {
                        "idle" => Host::Idle,
                        "busy" => Host::Busy,
                        _ => {
                            return Err(format!(
                                "kernel --host {value}: accepted are idle and busy"
                            ));
                        }
                    });
                }
                _ => {
                    return Err(format!(
                        "kernel {flag}: accepted are --repeat, --duration, --jobs, --hogs and --host"
                    ));
                }
            }
        }
        Ok(plan)
    }

    /// Returns the command that does one round by hand.
    pub fn command(&self) -> String {
        let words = self.workload();
        format!("locktoll kernel --cycles -- locktoll {}", words.join(" "))
    }

    /// Returns the arguments with which this program becomes the workload.
    pub fn workload(&self) -> [String; 4] {
        [
            BUILD.to_owned(),
            self.length.as_millis().to_string(),
            self.jobs.to_string(),
            self.hogs.to_string(),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_read_and_wrong_ones_told() {
        let plan =
            KernelPlan::parse("--repeat 9 --duration 1s --jobs 4 --hogs 2 --host busy").unwrap();
        assert_eq!((plan.repeat, plan.jobs, plan.hogs), (9, 4, 2));
        assert_eq!(plan.host, Some(Host::Busy));
        assert_eq!(
            plan.command(),
            "locktoll kernel --cycles -- locktoll __build 1000 4 2"
        );
        for wrong in ["--rounds 3", "--repeat", "--host often", "--duration 5"] {
            assert!(KernelPlan::parse(wrong).is_err(), "{wrong}");
        }
    }
}
