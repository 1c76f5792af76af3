//! The verb, from flags to what the user reads.

use locktoll_recording::layout::Mode;

use super::recipe::{Recipe, record};
use super::words;
use crate::cli::{RecordArgs, SortKey};
use crate::exit::{Ending, Failure, Outcome};
use crate::launch::{Children, ProgramStdout};
use crate::profile::{self, shown};
use crate::{output, report};

/// Locks in the summary.
const TOP: usize = 10;

/// Runs the verb.
pub fn run(args: &RecordArgs) -> Outcome {
    let recorded = record(&Recipe {
        command: &args.command,
        output: &args.output,
        mode: if args.exact {
            Mode::Exact
        } else {
            Mode::Sampled
        },
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
    words::how_it_ended(&recorded);
    let ending = Ending::ProgramStatus(recorded.ended.code());
    if args.quiet {
        words::stops(&recorded);
        return Ok(ending);
    }
    let profile = profile::load(&recorded.output)?;
    words::no_locks(&recorded, &profile);
    let page = if args.json {
        words::stops(&recorded);
        report::json(&profile)?
    } else {
        // The text says itself where recording stopped.
        let options = report::TextOptions {
            sort: SortKey::Wait,
            top: TOP,
        };
        report::text(&profile, options)
    };
    let file = shown(args.output.as_os_str());
    words::warn(&format!("`locktoll report {file}` shows this again"));
    match output::print(&page) {
        // Whoever reads us has seen enough; the program's own status is still to be passed on.
        Ok(_) | Err(Failure::OutputClosed) => Ok(ending),
        Err(failure) => Err(failure),
    }
}
