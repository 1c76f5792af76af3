//! The second part: a recording of a program's locks.

use std::ffi::OsString;

use anyhow::Context;
use locktoll_recording::layout::Mode;

use crate::arguments::Spin;
use crate::inner::DEMO;
use crate::record::{Recipe, record_to_profile};
use crate::run_program::launch::{Children, ProgramStdout};
use locktoll_results::profile::Profile;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::system::files::private_folder;

/// How long the job server runs.
const MILLISECONDS: &str = "4000";

/// Runs the job server contained in this binary under the recorder.
pub fn record_the_job_server() -> Result<Profile, Failure> {
    let folder =
        private_folder(".locktoll-tour-").context("cannot make a folder for the recording")?;
    let program = std::env::current_exe().context("cannot find the program itself")?;
    let command: [OsString; 3] = [program.into(), DEMO.into(), MILLISECONDS.into()];
    let (ended, mut profile) = record_to_profile(Recipe {
        command: &command,
        output: &folder.path().join("tour.locktoll"),
        mode: Mode::Sampled,
        order: true,
        alarm: None,
        preemption: None,
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
