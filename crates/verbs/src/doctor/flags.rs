//! Flags of `locktoll doctor`.

use clap::{Args, ValueEnum};

use crate::arguments::OutputArgs;
use locktoll_results::doctor::Verb;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::system::help;

/// The meaning of a finding's words.
const STATES: &str = "\
STATES
  works, limited, missing, or unknown (it could not be read)

EFFECTS
  blocks          the verb has no results
  limits          some figures are missing
  disturbs        all figures are there, but with wider intervals or a bias";

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

/// The verbs, in the order of the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DoctorVerb {
    /// The first look.
    Tour,
    /// Lock costs of this machine.
    Machine,
    /// Comparing locks.
    Bench,
    /// Published claims.
    Reproduce,
    /// Profiling a program from its start.
    Record,
    /// Showing recordings and results.
    Report,
    /// What a recording has gained.
    Snapshot,
    /// Running a program with other locks.
    Try,
    /// What shorter holds would gain.
    #[value(name = "whatif")]
    WhatIf,
    /// Remedies for the locks of a program.
    Advise,
    /// Profiling a running program.
    Attach,
    /// Threads of a stuck process.
    Hang,
    /// The live screen.
    Top,
    /// Metrics of running programs.
    Agent,
    /// The kernel's own locks.
    Kernel,
    /// Comparing two results.
    Compare,
    /// This verb.
    Doctor,
    /// Completion scripts.
    Completions,
    /// Manual pages.
    Man,
    /// Licences of the parts.
    Licences,
}

impl From<DoctorVerb> for Verb {
    fn from(verb: DoctorVerb) -> Self {
        match verb {
            DoctorVerb::Tour => Self::Tour,
            DoctorVerb::Machine => Self::Machine,
            DoctorVerb::Bench => Self::Bench,
            DoctorVerb::Reproduce => Self::Reproduce,
            DoctorVerb::Record => Self::Record,
            DoctorVerb::Report => Self::Report,
            DoctorVerb::Try => Self::Try,
            DoctorVerb::WhatIf => Self::WhatIf,
            DoctorVerb::Advise => Self::Advise,
            DoctorVerb::Attach => Self::Attach,
            DoctorVerb::Hang => Self::Hang,
            DoctorVerb::Top => Self::Top,
            DoctorVerb::Agent => Self::Agent,
            DoctorVerb::Snapshot => Self::Snapshot,
            DoctorVerb::Kernel => Self::Kernel,
            DoctorVerb::Compare => Self::Compare,
            DoctorVerb::Doctor => Self::Doctor,
            DoctorVerb::Completions => Self::Completions,
            DoctorVerb::Man => Self::Man,
            DoctorVerb::Licences => Self::Licences,
        }
    }
}

impl DoctorArgs {
    /// Returns the verb that was asked about, if there is one.
    ///
    /// # Errors
    /// [`Failure::Usage`] for `--preemption` with a verb other than `record`.
    pub fn asked(&self) -> Result<Option<Verb>, Failure> {
        match (self.verb, self.preemption) {
            (Some(DoctorVerb::Record), true) => Ok(Some(Verb::RecordPreemption)),
            (_, true) => Err(Failure::Usage(
                "--preemption is for record: type `locktoll doctor record --preemption`".to_owned(),
            )),
            (verb, false) => Ok(verb.map(Verb::from)),
        }
    }
}
