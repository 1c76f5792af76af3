//! The verb, from flags to its output.

use std::path::{Path, PathBuf};

use locktoll_recording::layout::Mode;

use super::notices;
use super::recipe::{Recipe, Recorded, record};
use super::timeline::Asked;
use crate::alarm::Alarm;
use crate::present::{Goes, Target};
use crate::record::flags::{FailOn, OnOff, RecordArgs};
use crate::run_program::launch::{Children, ProgramStdout};
use locktoll_results::profile::Profile;
use locktoll_shown::{Choice, HTML, JSON, Selection, SortKey, Subject, TEXT};
use locktoll_sources::findings;
use locktoll_sources::preemption::Capacity;
use locktoll_sources::recording;
use locktoll_terminal::escape::{shown, word};
use locktoll_terminal::failure::{Ending, Failure, Outcome};
use locktoll_terminal::output;
use locktoll_terminal::quantity::counted;

/// Number of locks in the summary.
const TOP: usize = 10;

/// Runs the verb.
pub fn run(args: &RecordArgs) -> Outcome {
    let format = args.format();
    if args.fail_on == Some(FailOn::Order) && args.order == OnOff::Off {
        return Err(Failure::Usage(
            "--fail-on order needs the order of locks; remove --order off".to_owned(),
        ));
    }
    let page = page_beside(&args.output);
    if format.name == HTML {
        Target::File(&page).check(None, Goes::default())?;
    }
    let alarm = match args.alert[..] {
        [] => None,
        _ => Some(Alarm::prepare(&args.alert, args.alert_file.as_deref())?),
    };
    let recorded = record(Recipe {
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
            // An eighth of the room for events: a switch takes about as much as an event.
            times_bytes: args.timeline.map(|bytes| bytes / 8),
        }),
        order: args.order == OnOff::On,
        timeline: args
            .timeline
            .map(|bytes| Asked::new(bytes, &args.timeline_of, args.timeline_when.as_ref())),
        live: args.live,
        spin: args.spin,
        alarm,
        stdout: match format.name {
            TEXT | HTML => ProgramStdout::Ours,
            _ => ProgramStdout::OurStderr,
        },
    })?;
    notices::how_it_ended(&recorded);
    let ending = Ending::ProgramStatus(recorded.ended.code());
    if args.quiet {
        notices::stops(&recorded);
        if args.fail_on.is_some() {
            check(args, &recorded, &recording::load(&recorded.output)?)?;
        }
        return Ok(ending);
    }
    let mut profile = recording::load(&recorded.output)?;
    findings::add(&mut profile);
    notices::no_locks(&recorded, &profile);
    if let Some(timeline) = &profile.timeline {
        notices::nothing_kept(&timeline.kept, timeline.events());
    }
    match show(format, &recorded, &profile, &page) {
        // The reader of our output has seen enough; the program's own status must still be passed on.
        Ok(_) | Err(Failure::OutputClosed) => {}
        Err(failure) => return Err(failure),
    }
    check(args, &recorded, &profile)?;
    Ok(ending)
}

/// Fails if the recording shows what `--fail-on` names.
fn check(args: &RecordArgs, recorded: &Recorded, profile: &Profile) -> Result<(), Failure> {
    let cycles = profile.order.as_ref().map_or(0, |it| it.cycles.len());
    if args.fail_on != Some(FailOn::Order) || cycles == 0 {
        return Ok(());
    }
    let number = counted(
        cycles as u64,
        "order of locks can end in a deadlock",
        "orders of locks can end in a deadlock",
    );
    let file = word(recorded.output.as_os_str());
    Err(Failure::Run(anyhow::anyhow!(
        "{number}; `locktoll report {file} --order` shows them (--fail-on order)"
    )))
}

/// Shows the summary in the format asked for.
fn show(format: Choice, recorded: &Recorded, profile: &Profile, page: &Path) -> Outcome {
    if format.name != TEXT {
        // The text itself says where recording stopped.
        notices::stops(recorded);
    }
    let top = (format.name == TEXT).then_some(TOP);
    let selection = Selection::new(profile, SortKey::Wait, top);
    if format.name == HTML {
        let ending = Target::File(page).put_in(format, Subject::Profile(&selection))?;
        let page = shown(page.as_os_str());
        notices::warn(&format!("wrote {page} (open it in a browser)"));
        return Ok(ending);
    }
    let file = word(recorded.output.as_os_str());
    notices::warn(&format!(
        "wrote {file}; `locktoll report {file}` shows it again"
    ));
    if format.name == JSON {
        return output::print(&locktoll_shown::json(profile)?);
    }
    Target::Stdout.put_in(format, Subject::Profile(&selection))
}

/// Returns the path of the page next to a recording: standard output belongs to the program.
fn page_beside(recording: &Path) -> PathBuf {
    let mut page = recording.as_os_str().to_owned();
    page.push(".html");
    page.into()
}
