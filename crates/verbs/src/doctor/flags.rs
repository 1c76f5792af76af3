//! Flags of `locktoll doctor`.

use clap::{Args, ValueEnum};

use crate::arguments::OutputArgs;
use locktoll_results::doctor::Verb;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::system::help;

/// What the words of a finding mean.
const STATES: &str = "\
STATES
  works, limited, missing, unknown (it could not be read)

EFFECTS
  blocks          no figure of that verb at all
  limits          some figures are not there
  disturbs        all figures are there, and wider or shifted";

#[cfg_attr(
    target_os = "linux",
    doc = "What works here and what does not, and the exact command that would allow it."
)]
#[cfg_attr(windows, doc = "What works here and what does not.")]
#[derive(Debug, Args)]
#[command(after_help = format!("{}\n\n{STATES}\n\n{}", help::DOCTOR_EXAMPLES, help::DOCTOR_LEAVES))]
pub struct DoctorArgs {
    /// Show only what concerns this verb, and exit with 3 if it cannot work here.
    #[arg(value_name = "VERB", value_enum)]
    pub verb: Option<DoctorVerb>,
    /// With `record`: as with its own flag of this name.
    #[arg(long)]
    pub preemption: bool,
    /// Form and place of the result; the schema of JSON is locktoll.doctor/1.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The verbs that something may be in the way of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DoctorVerb {
    /// The price list.
    Machine,
    /// Experiments.
    Bench,
    /// Profiling through a preload library.
    Record,
    /// Other locks under a program.
    Try,
    /// A running program's futex waits.
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
