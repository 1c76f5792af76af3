//! Flags of `locktoll doctor`.

use clap::{Args, ValueEnum};

use crate::arguments::OutputArgs;
use locktoll_results::doctor::Verb;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::system::help;

/// What the words of a finding mean.
const STATES: &str = "\
STATES
  works, limited, missing, or unknown (it could not be read)

EFFECTS
  blocks          the verb yields nothing
  limits          some figures are missing
  disturbs        all figures are there, with wider intervals or a bias";

#[cfg_attr(
    target_os = "linux",
    doc = "Check what works on this machine, and print the commands that would allow more."
)]
#[cfg_attr(windows, doc = "Check what works on this machine.")]
#[derive(Debug, Args)]
#[command(after_help = format!("{}\n\n{STATES}\n\n{}", help::DOCTOR_EXAMPLES, help::DOCTOR_LEAVES))]
pub struct DoctorArgs {
    /// Check one verb, and exit with 3 if it does not work here.
    #[arg(value_name = "VERB", value_enum)]
    pub verb: Option<DoctorVerb>,
    /// Check for `record --preemption`.
    #[arg(long)]
    pub preemption: bool,
    /// Format and place of the result.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The verbs that something may be in the way of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DoctorVerb {
    /// Prices of this machine.
    Machine,
    /// Experiments.
    Bench,
    /// Profiling through a preload library.
    Record,
    /// Running a program on other locks.
    Try,
    /// Profiling a running program.
    Attach,
    /// The kernel's own locks.
    Kernel,
    /// The live screen.
    Top,
}

impl DoctorArgs {
    /// The verb that is asked about, if it is one.
    ///
    /// # Errors
    /// [`Failure::Usage`] for `--preemption` with another verb than `record`.
    pub fn asked(&self) -> Result<Option<Verb>, Failure> {
        let verb = match (self.verb, self.preemption) {
            (Some(DoctorVerb::Record), true) => Verb::RecordPreemption,
            (_, true) => {
                return Err(Failure::Usage(
                    "--preemption goes with record: locktoll doctor record --preemption".to_owned(),
                ));
            }
            (None, false) => return Ok(None),
            (Some(DoctorVerb::Machine), false) => Verb::Machine,
            (Some(DoctorVerb::Bench), false) => Verb::Bench,
            (Some(DoctorVerb::Record), false) => Verb::Record,
            (Some(DoctorVerb::Try), false) => Verb::Try,
            (Some(DoctorVerb::Attach), false) => Verb::Attach,
            (Some(DoctorVerb::Kernel), false) => Verb::Kernel,
            (Some(DoctorVerb::Top), false) => Verb::Top,
        };
        Ok(Some(verb))
    }
}
