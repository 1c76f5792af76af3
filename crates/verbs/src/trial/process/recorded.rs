//! A run under the recorder: where threads wait, and for which locks.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use locktoll_recording::layout::Mode;

use super::one_run;
use super::one_run::Ran;
use super::supervisor::Supervisor;
use super::{Preloaded, Subject};
use crate::run_program::embedded;
use crate::run_program::embedded::Library;
use crate::run_program::launch::{Children, Orders};
use locktoll_results::profile::Profile;
use locktoll_results::trial::WhyDropped;
use locktoll_sources::recording;

/// The outcome of a run under the recorder.
pub enum Recorded {
    /// What the recording shows.
    Profile(Box<Profile>),
    /// No profile, and why not: the trial can do without one.
    Failed(String),
    /// The user has asked to stop.
    Interrupted,
}

/// Runs the subject once under the recorder. The recording is stored below `folder`.
///
/// # Errors
/// As [`one_run::run`].
pub fn run(
    subject: &Subject,
    limit: Duration,
    supervisor: &Supervisor,
    folder: &Path,
) -> anyhow::Result<Recorded> {
    let library = match embedded::extract(Library::Recorder) {
        Ok(library) => library,
        Err(failure) => return Ok(Recorded::Failed(failure.to_string())),
    };
    let parts = folder.join("recorded");
    let mut new = DirBuilder::new();
    new.mode(0o700)
        .create(&parts)
        .context("there is no folder for a recording")?;
    let preloaded = Preloaded::Recorder(Orders {
        live: false,
        library: &library,
        parts: &parts,
        mode: Mode::Sampled,
        order: false,
        timeline: None,
        preemption: None,
        children: Children::Included,
    });
    let recorded = match one_run::run(subject, &preloaded, limit, supervisor)? {
        Ran::Whole(_) => match recording::load(&parts) {
            Ok(profile) => Recorded::Profile(Box::new(profile)),
            Err(failure) => Recorded::Failed(failure.to_string()),
        },
        Ran::Failed(why) => Recorded::Failed(words(&why)),
        Ran::Interrupted => Recorded::Interrupted,
    };
    // The recording is not needed any more, and may be large.
    let _ = std::fs::remove_dir_all(&parts);
    Ok(recorded)
}

/// Says why the run failed.
fn words(why: &WhyDropped) -> String {
    match why {
        WhyDropped::Signal { name, .. } => format!("the program was killed by {name}"),
        WhyDropped::ExitCode { code, .. } => format!("the program ended with exit code {code}"),
        WhyDropped::TimeLimit { .. } => "it took too long".to_owned(),
        WhyDropped::ClearlyWorse => "it was slow".to_owned(),
        WhyDropped::Load { reason } | WhyDropped::NotReplaced { reason } => reason.clone(),
    }
}
