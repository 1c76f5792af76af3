//! `locktoll record -- CMD`.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};

use crate::cli::{RecordArgs, SortKey};
use crate::embedded;
use crate::exit::{Ending, Failure, Outcome};
use crate::launch::{self, Children, Ended, Launch, Parts, ProgramStdout};
use crate::profile::{self, Profile, shown};
use crate::{output, program, report};

/// Locks in the summary.
const TOP: usize = 10;

/// What to record, and how.
pub struct Recipe<'a> {
    /// The program and its arguments.
    pub command: &'a [OsString],
    /// Where the recording goes.
    pub output: &'a Path,
    /// Which processes are recorded.
    pub children: Children,
    /// Where the program's standard output goes.
    pub stdout: ProgramStdout,
}

/// A program that ran, and where its recording is.
pub struct Recorded {
    /// How it ended.
    pub ended: Ended,
    /// The recording.
    pub output: PathBuf,
}

/// Runs the verb.
pub fn run(args: &RecordArgs) -> Outcome {
    let recorded = record(&Recipe {
        command: &args.command,
        output: &args.output,
        children: if args.no_children {
            Children::LeftOut
        } else {
            Children::Included
        },
        stdout: if args.json {
            ProgramStdout::OurStderr
        } else {
            ProgramStdout::Ours
        },
    })?;
    let profile = profile::load(&recorded.output)?;
    say_what_is_amiss(&recorded, &profile);
    let page = if args.json {
        report::json(&profile)?
    } else if args.quiet {
        return Ok(Ending::ProgramStatus(recorded.ended.code()));
    } else {
        let options = report::TextOptions {
            sort: SortKey::Wait,
            top: TOP,
        };
        report::text(&profile, options)
    };
    let file = shown(recorded.output.as_os_str());
    warn(&format!("`locktoll report {file}` shows this again"));
    match output::print(&page) {
        // Whoever reads us has seen enough; the program's own status is still to be passed on.
        Ok(_) | Err(Failure::OutputClosed) => Ok(Ending::ProgramStatus(recorded.ended.code())),
        Err(failure) => Err(failure),
    }
}

/// Records a program and gives back its profile, for verbs that go on from there.
///
/// # Errors
/// As [`record`], and if the recording cannot be read again.
pub fn record_to_profile(recipe: &Recipe<'_>) -> Result<(Ended, Profile), Failure> {
    let recorded = record(recipe)?;
    let profile = profile::load(&recorded.output)?;
    Ok((recorded.ended, profile))
}

/// Runs a program under the recorder. Everything is checked before it is started.
///
/// # Errors
/// [`Failure::Usage`] and [`Failure::Unsupported`] before anything was started, [`Failure::Run`]
/// after.
pub fn record(recipe: &Recipe<'_>) -> Result<Recorded, Failure> {
    let name = recipe.command.first().ok_or_else(|| {
        Failure::Usage("no program is given; give it and its arguments after `--`".to_owned())
    })?;
    let program = program::check(name)?;
    let library = embedded::extract()?;
    let parts = Parts::prepare(recipe.output)?;
    for leftover in parts.leftovers() {
        let folder = shown(leftover.0.as_os_str());
        warn(&format!(
            "an earlier recording was cut short; its parts are in {folder} (`locktoll report {folder}` reads them)"
        ));
    }
    for warning in &program.warnings {
        warn(warning);
    }

    let ended = launch::run(&Launch {
        command: recipe.command,
        program: &program.path,
        library: &library,
        parts: parts.folder(),
        stdout: recipe.stdout,
    });
    let ended = match ended {
        Ok(ended) => ended,
        Err(failure) => {
            parts.discard();
            return Err(failure);
        }
    };
    if recipe.children == Children::Included {
        match parts.still_running(ended.pid) {
            0 => {}
            1 => warn("1 process that it started is still running, and is recorded up to here"),
            many => warn(&format!(
                "{many} processes that it started are still running, and are recorded up to here"
            )),
        }
    }
    let output = parts.merge(&ended, recipe.children)?;
    Ok(Recorded { ended, output })
}

/// Says on standard error what the figures alone would not.
fn say_what_is_amiss(recorded: &Recorded, profile: &Profile) {
    if let Some(signal) = recorded.ended.status.signal() {
        warn(&format!(
            "the program was ended by signal {signal}; everything up to then is in the recording"
        ));
    }
    if profile.locks.is_empty() {
        warn(
            "no pthread mutex was seen. Rust's std and parking_lot, Go, and programs that call futex \
             themselves lock in ways that are not recorded yet; so do children that were left out, \
             and programs started with an environment of their own",
        );
    }
}

/// Says something on standard error, where it does not mix with results.
fn warn(text: &str) {
    output::say(&format!("locktoll: {text}"));
}
