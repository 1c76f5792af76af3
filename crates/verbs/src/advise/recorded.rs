//! The profile that the advice is about: from a file, or from a run of the program.

use std::ffi::OsString;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Context;
use locktoll_recording::layout::Mode;
use locktoll_results::profile::{Profile, Source};
use locktoll_results::saved::Saved;
use locktoll_sources::recording;
use locktoll_sources::spinning::DEFAULT_RATE;
use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::interrupt::Interrupt;
use locktoll_terminal::output;
use locktoll_terminal::quantity::duration;
use locktoll_terminal::system::files::private_folder;
use rustix::process::{Pid, Signal, kill_process};

use super::experiments::thread_runs::wanted;
use super::flags::AdviseArgs;
use crate::arguments::{InputArgs, Spin};
use crate::record::{Recipe, record_to_profile};
use crate::run_program::launch::{Children, ProgramStdout};
use crate::saved;
use crate::trial;
use crate::trial::{Processes, Recorded};

/// Shorter recordings show how a program starts.
const SHORTEST_NS: u64 = 50_000_000;
/// How often the end of the recorded program is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// The time limit for a recorded server and its load.
const SERVER_LIMIT: Duration = Duration::from_secs(300);

/// Reads a recording.
///
/// # Errors
/// [`Failure::Usage`] for a file that is not a recording, or that lacks the figures that advice needs.
pub fn from_file(path: &Path, input: InputArgs) -> Result<Profile, Failure> {
    let name = shown(path.as_os_str());
    let saved = saved::open(path, input)?;
    let kind = saved.kind();
    let Saved::Profile(profile) = saved else {
        return Err(Failure::Usage(format!(
            "{name} is {}; advise needs a recording: `locktoll record -o FILE -- CMD` makes one",
            kind.described()
        )));
    };
    match unfit(&profile) {
        Some(why) => Err(Failure::Usage(format!("{name} {why}"))),
        None => Ok(*profile),
    }
}

/// Records the program. Returns its exit code and the profile.
///
/// # Errors
/// As [`record_to_profile`], and [`Failure::Run`] if the run does not show what advice needs.
pub fn from_command(command: &[OsString], exact: bool) -> Result<(u8, Profile), Failure> {
    let folder =
        private_folder(".locktoll-advise-").context("cannot make a folder for the recording")?;
    output::say("locktoll: recording the program");
    let (ended, profile) = record_to_profile(Recipe {
        command,
        output: &folder.path().join("advise.locktoll"),
        mode: if exact { Mode::Exact } else { Mode::Sampled },
        order: true,
        timeline: None,
        alarm: None,
        preemption: None,
        live: false,
        spin: Spin::At(DEFAULT_RATE),
        children: Children::Included,
        stdout: ProgramStdout::OurStderr,
    })?;
    match unfit(&profile) {
        Some(why) => Err(Failure::Run(anyhow::anyhow!("the recorded run {why}"))),
        None => Ok((ended.code(), profile)),
    }
}

/// Does the same by `locktoll record`, as a process of its own: the recorder's signals are then not those of the experiments that
/// follow. A request to stop is passed on, and ends the program.
///
/// # Errors
/// As [`from_command`].
pub fn before_experiments(
    args: &AdviseArgs,
    interrupt: &Interrupt,
) -> Result<(u8, Profile), Failure> {
    let folder =
        private_folder(".locktoll-advise-").context("cannot make a folder for the recording")?;
    let file = folder.path().join("advise.locktoll");
    output::say("locktoll: recording the program");
    let program = std::env::current_exe().context("cannot find the program itself")?;
    let stderr = std::io::stderr().as_fd().try_clone_to_owned();
    let mut command = Command::new(program);
    command.args(["record", "-q", "-o"]).arg(&file);
    if args.exact {
        command.arg("--exact");
    }
    command.arg("--").args(&args.command);
    command.stdout(stderr.context("cannot pass the program's output on")?);
    let mut child = command.spawn().context("cannot run `locktoll record`")?;
    let mut is_told = false;
    let status = loop {
        if let Some(status) = child
            .try_wait()
            .context("cannot wait for `locktoll record`")?
        {
            break status;
        }
        if interrupt.requested() && !is_told {
            is_told = true;
            if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
                // A process that has just ended needs no signal.
                let _ = kill_process(pid, Signal::INT);
            }
        }
        std::thread::sleep(LOOK_EVERY);
    };
    if !file.exists() {
        return Err(Failure::Run(anyhow::anyhow!(
            "`locktoll record` made no recording; its reason is above"
        )));
    }
    let profile = recording::load(&file)?;
    match unfit(&profile) {
        Some(why) => Err(Failure::Run(anyhow::anyhow!("the recorded run {why}"))),
        None => Ok((status.code().unwrap_or(1) as u8, profile)),
    }
}

/// Records a server while its load runs. Returns exit code 0, and the profile.
///
/// # Errors
/// As [`from_command`].
pub fn from_server(args: &AdviseArgs, interrupt: Interrupt) -> Result<(u8, Profile), Failure> {
    let (subject, warnings) = trial::subject(wanted(args, &args.command))?;
    for warning in warnings {
        output::say(&format!("locktoll: {warning}"));
    }
    output::say("locktoll: recording the server under its load");
    let limit = args.time_limit.map_or(SERVER_LIMIT, Duration::from_nanos);
    let processes = Processes::new(subject, None, PathBuf::new(), interrupt)?;
    let mut profile = match processes.record(limit)? {
        Recorded::Profile(profile) => *profile,
        Recorded::Failed(why) => {
            return Err(Failure::Run(anyhow::anyhow!(
                "the recorded run failed: {why}"
            )));
        }
        Recorded::Interrupted => {
            return Err(Failure::Run(anyhow::anyhow!(
                "interrupted before anything was recorded"
            )));
        }
    };
    profile.command = args.command.iter().map(|it| shown(it)).collect();
    match unfit(&profile) {
        Some(why) => Err(Failure::Run(anyhow::anyhow!("the recorded run {why}"))),
        None => Ok((0, profile)),
    }
}

/// Returns why no advice can be based on the profile; `None` if it can.
fn unfit(profile: &Profile) -> Option<String> {
    if profile.source == Source::Attach {
        return Some(
            "is a profile of `attach`, which does not see holds; advise needs a recording: `locktoll record -o FILE -- CMD` makes one"
                .to_owned(),
        );
    }
    if profile.duration_ns < SHORTEST_NS {
        return Some(format!(
            "lasts {}, too short for advice: the figures would be those of the program's start; give it at least {} of work",
            duration(profile.duration_ns as f64),
            duration(SHORTEST_NS as f64)
        ));
    }
    if profile.thread_time_ns == 0 && profile.wait_ns > 0 {
        return Some(
            "does not have the lifetimes of all threads, so it does not show which share of their time was waiting; record again with this \
             version of locktoll"
                .to_owned(),
        );
    }
    let acquired = profile.locks.iter().any(|it| it.acquisitions > Some(0));
    let held = profile.locks.iter().any(|it| it.hold_ns.is_some());
    if acquired && !held {
        return Some(
            "has no holds, so it does not show how long locks are held; record again, and let the program run to its end".to_owned(),
        );
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_made_up::sample;

    #[test]
    fn what_lacks_the_figures_is_refused_with_what_to_do() {
        assert_eq!(unfit(&sample::job_server()), None);
        let why = unfit(&sample::attached_server()).unwrap();
        assert!(why.contains("record -o FILE"), "{why}");
        let mut short = sample::job_server();
        short.duration_ns = 12_000_000;
        assert!(unfit(&short).unwrap().contains("too short"));
        let mut without = sample::job_server();
        without.locks.iter_mut().for_each(|it| it.hold_ns = None);
        assert!(unfit(&without).unwrap().contains("no holds"));
        let mut unknown = sample::job_server();
        unknown.thread_time_ns = 0;
        assert!(unfit(&unknown).unwrap().contains("record again"));
        // A program without locks has nothing to advise on, which is an answer.
        without.locks.clear();
        assert_eq!(unfit(&without), None);
    }
}
