//! The verb, from flags to what the user reads.

use std::path::{Path, PathBuf};

use locktoll_recording::layout::Mode;

use super::recipe::{Recipe, Recorded, record};
use super::words;
use crate::cli::{RecordArgs, ResultFormat, SortKey};
use crate::exit::{Ending, Failure, Outcome};
use crate::launch::{Children, ProgramStdout};
use crate::preemption::Capacity;
use crate::profile::{self, Profile, shown};
use crate::report::Html;
use crate::report::{Form, Selection};
use crate::target::{Goes, Target};
use crate::{output, report};

/// Locks in the summary.
const TOP: usize = 10;

/// Runs the verb.
pub fn run(args: &RecordArgs) -> Outcome {
    let format = args.format();
    let page = page_beside(&args.output);
    if format == ResultFormat::Html {
        Target::File(&page).check(None, Goes::default())?;
    }
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
        preemption: args.preemption.then_some(Capacity {
            entries: args.max_entries,
        }),
        stdout: match format {
            ResultFormat::Json => ProgramStdout::OurStderr,
            ResultFormat::Text | ResultFormat::Html => ProgramStdout::Ours,
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
    match show(format, &recorded, &profile, &page) {
        // Whoever reads us has seen enough; the program's own status is still to be passed on.
        Ok(_) | Err(Failure::OutputClosed) => Ok(ending),
        Err(failure) => Err(failure),
    }
}

/// The summary, in the form asked for.
fn show(format: ResultFormat, recorded: &Recorded, profile: &Profile, page: &Path) -> Outcome {
    if format != ResultFormat::Text {
        // The text says itself where recording stopped.
        words::stops(recorded);
    }
    let summary = match format {
        ResultFormat::Text => report::text_within(
            profile,
            report::TextOptions {
                sort: SortKey::Wait,
                top: TOP,
            },
            report::line_width(),
        ),
        ResultFormat::Json => report::json(profile)?,
        ResultFormat::Html => {
            let selection = Selection::new(profile, SortKey::Wait, None);
            let ending = Target::File(page).put(Html.documents(&selection)?)?;
            let page = shown(page.as_os_str());
            words::warn(&format!("{page} shows its locks, in any browser"));
            return Ok(ending);
        }
    };
    let file = shown(recorded.output.as_os_str());
    words::warn(&format!("`locktoll report {file}` shows this again"));
    output::print(&summary)
}

/// The page beside a recording: standard output is the program's.
fn page_beside(recording: &Path) -> PathBuf {
    let mut page = recording.as_os_str().to_owned();
    page.push(".html");
    page.into()
}
