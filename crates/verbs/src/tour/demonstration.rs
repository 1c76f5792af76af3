//! The second part: a recording of a program's locks.

use std::ffi::OsString;

use anyhow::Context;
use locktoll_recording::layout::Mode;

use crate::arguments::Spin;
use crate::inner::{DEMO, FLUSH_AFTER_HOLD};
use crate::record::{Recipe, record_to_profile};
use crate::run_program::launch::{Children, ProgramStdout};
use locktoll_results::profile::Profile;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::system::files::private_folder;

/// How long the job server runs.
const MILLISECONDS: &str = "4000";

/// How long it runs with the remedy.
const MILLISECONDS_AFTER: &str = "2000";

/// Runs the job server contained in this binary under the recorder.
pub fn record_the_job_server() -> Result<Profile, Failure> {
    record(&[MILLISECONDS])
}

/// Runs it again, with its wait for the disk moved out of the hold of `log_lock`.
pub fn record_the_remedy() -> Result<Profile, Failure> {
    record(&[MILLISECONDS_AFTER, FLUSH_AFTER_HOLD])
}

fn record(words: &[&str]) -> Result<Profile, Failure> {
    let folder =
        private_folder(".locktoll-tour-").context("cannot make a folder for the recording")?;
    let program = std::env::current_exe().context("cannot find the program itself")?;
    let mut command: Vec<OsString> = vec![program.into(), DEMO.into()];
    command.extend(words.iter().map(OsString::from));
    let (ended, mut profile) = record_to_profile(Recipe {
        command: &command,
        output: &folder.path().join("tour.locktoll"),
        mode: Mode::Sampled,
        order: true,
        timeline: None,
        alarm: None,
        preemption: None,
        live: false,
        spin: Spin::Off,
        children: Children::Included,
        stdout: ProgramStdout::OurStderr,
    })?;
    if ended.code() != 0 {
        let code = ended.code();
        return Err(Failure::Run(anyhow::anyhow!(
            "the demonstration program ended with status {code}"
        )));
    }
    // Show its own name, not the arguments that it was started with.
    profile.command = vec!["demonstration job server".to_owned()];
    Ok(profile)
}
