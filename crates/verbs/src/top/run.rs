//! The verb, from flags to the screen.

use std::io::IsTerminal;

use locktoll_lab::watch::Unwatchable;

use super::{json_lines, screen_loop};
use crate::top::flags::TopArgs;
use crate::top::{Screen, Trouble};
use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::{Failure, Outcome};
use locktoll_terminal::system::files::why_no_process;

/// Runs the verb.
pub fn run(args: &TopArgs) -> Outcome {
    if let Some(reason) = why_no_process() {
        return Err(Failure::Unsupported(reason.to_owned()));
    }
    let group = args.group.find()?;
    if args.json {
        return json_lines::run(args, group);
    }
    if let Some(pid) = args.pid
        && !std::path::Path::new(&format!("/proc/{pid}")).exists()
    {
        return Err(refusal(Trouble::Unwatchable(Unwatchable::Missing(pid))));
    }
    if !Screen::is_possible() {
        let what = match std::io::stdout().is_terminal() {
            true => "this terminal cannot show a screen (TERM is dumb or not set)",
            false => "standard output is not a terminal",
        };
        return Err(Failure::Usage(format!(
            "{what}; use --json for one line per interval, or run it in a terminal"
        )));
    }
    if !args.save_in.is_dir() {
        return Err(Failure::Usage(format!(
            "--save-in: {} is not a folder; accepted: a folder that can be written to",
            shown(args.save_in.as_os_str())
        )));
    }
    screen_loop::run(args, group)
}

/// Returns why a program is not looked into, in one line with what can be done.
pub fn refusal(trouble: Trouble) -> Failure {
    Failure::Unsupported(match &trouble {
        Trouble::Unwatchable(Unwatchable::Missing(_) | Unwatchable::Ended(_)) => {
            format!("{trouble}; give the id of a running process, or none for all of them")
        }
        Trouble::Unwatchable(Unwatchable::ThreadOf { pid, .. }) => {
            format!("{trouble}: `locktoll top {pid}`")
        }
        Trouble::Unwatchable(Unwatchable::Closed(_)) => {
            format!("{trouble}; look as its owner or as root")
        }
        Trouble::Recorder(_, program) => format!("{trouble}: `locktoll top {program}`"),
        Trouble::Unseen { .. } => trouble.to_string(),
    })
}
