//! The flags, checked before anything starts.

use std::ffi::OsString;
use std::path::PathBuf;

use locktoll_results::saved::Saved;
use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::Failure;

use super::experiments::thread_runs::wanted;
use super::experiments::threads_flag::ThreadsFlag;
use super::flags::AdviseArgs;
use crate::saved;
use crate::trial;

/// What to advise on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A recording, or a profile saved as JSON.
    File(PathBuf),
    /// A program, which is recorded first.
    Command(Vec<OsString>),
}

/// What was asked for, checked.
pub struct Request {
    /// What to advise on.
    pub subject: Subject,
    /// The program's flag for its number of threads.
    pub threads: Option<ThreadsFlag>,
    /// Saved results to quote, with the names of their files.
    pub quoted: Vec<(String, Saved)>,
}

/// Checks the flags, and reads what is to be quoted.
///
/// # Errors
/// [`Failure::Usage`] for wrong use; [`Failure::Unsupported`] for a program that cannot be run.
pub fn request(args: &AdviseArgs) -> Result<Request, Failure> {
    let subject = subject(args)?;
    let mut threads = None;
    match &subject {
        Subject::File(_) => without_command(args)?,
        Subject::Command(command) => {
            if let Some(pattern) = &args.threads_flag {
                threads = Some(ThreadsFlag::find(pattern, command).map_err(Failure::Usage)?);
            }
            // The same checks as before `try`; they start nothing.
            trial::subject(wanted(args, command))?;
        }
    }
    let read = |path: &PathBuf| {
        let name = shown(path.as_os_str());
        match saved::open(path, args.input)? {
            saved @ (Saved::WhatIf(_) | Saved::Try(_)) => Ok((name, saved)),
            other => Err(Failure::Usage(format!(
                "--quote {name} is {}; accepted: a result of `whatif` or `try`, saved with -o FILE.json",
                other.kind().described()
            ))),
        }
    };
    Ok(Request {
        subject,
        threads,
        quoted: args.quote.iter().map(read).collect::<Result<_, _>>()?,
    })
}

fn subject(args: &AdviseArgs) -> Result<Subject, Failure> {
    match (&args.recording, args.command.as_slice()) {
        (Some(file), []) => Ok(Subject::File(file.clone())),
        (None, [_, ..]) => Ok(Subject::Command(args.command.clone())),
        (None, []) => Err(Failure::Usage(
            "nothing to advise on; give a recording (`locktoll advise FILE`), or a program after `--` (`locktoll advise -- CMD`)"
                .to_owned(),
        )),
        (Some(file), _) => Err(Failure::Usage(format!(
            "a recording ({}) and a program are given; give one of them: `locktoll advise FILE` or `locktoll advise -- CMD`",
            shown(file.as_os_str())
        ))),
    }
}

/// Refuses flags that need a program to run.
fn without_command(args: &AdviseArgs) -> Result<(), Failure> {
    let need_a_program = [
        ("--measure", args.measure),
        ("--threads-flag", args.threads_flag.is_some()),
        ("--time-limit", args.time_limit.is_some()),
        ("--metric", args.metric.is_some()),
        ("--load", args.load.is_some()),
        ("--exact", args.exact),
    ];
    match need_a_program.into_iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((flag, _)) => Err(Failure::Usage(format!(
            "{flag} needs a program to run; give one in place of the recording: `locktoll advise {flag} ... -- CMD`"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    /// The verb's flags, without the other verbs.
    #[derive(Parser)]
    struct Words {
        #[command(flatten)]
        args: AdviseArgs,
    }

    fn refused(words: &[&str]) -> String {
        let words = ["advise"].iter().chain(words);
        let args = Words::try_parse_from(words).unwrap().args;
        match request(&args) {
            Err(Failure::Usage(line)) => line,
            Err(other) => panic!("{other}"),
            Ok(_) => "accepted".to_owned(),
        }
    }

    #[test]
    fn wrong_flags_are_refused_before_anything_starts() {
        for (words, expected) in [
            (&[][..], "nothing to advise on"),
            (&["a.locktoll", "--", "true"], "give one of them"),
            (&["a.locktoll", "--measure"], "--measure needs a program"),
            (
                &["a.locktoll", "--threads-flag", "-t {}"],
                "--threads-flag needs a program",
            ),
            (&["a.locktoll", "--exact"], "--exact needs a program"),
            (
                &["--threads-flag", "-t {}", "--", "true"],
                "CMD does not have it",
            ),
            (
                &["--threads-flag", "-t", "--", "true", "-t", "4"],
                "accepted:",
            ),
            (&["--metric", "[", "--", "true"], "--metric"),
            (&["--metric", "x", "--", "true"], "group"),
            (&["a.locktoll"], "accepted"),
        ] {
            let line = refused(words);
            assert!(line.contains(expected), "{words:?}: {line}");
        }
    }
}
