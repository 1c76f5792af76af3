//! The verb.

use super::{request, result};
use crate::present::Target;
use crate::report::flags::ReportArgs;
use crate::saved;
use locktoll_results::profile::timeline::MOST_EVENTS;
use locktoll_results::saved::{Saved, is_document};
use locktoll_shown::{JSON, OfProfile, Selection, SortKey, Subject, needs_a_timeline};
use locktoll_sources::findings;
use locktoll_terminal::failure::{Failure, Outcome};
use locktoll_terminal::output;
use locktoll_terminal::quantity::count;

/// Runs the verb. Everything that can be known to be wrong is refused before the file is read.
pub fn run(args: &ReportArgs) -> Outcome {
    let format = request::format(args)?;
    let target = Target::of(args.output.as_deref());
    target.check(Some(&args.recording), request::goes(format, args))?;
    request::check_ending(args)?;
    let mut profile = match saved::open(&args.recording, args.input)? {
        Saved::Profile(profile) => profile,
        other => return result::show(args, format, &target, &other),
    };
    if format.profile == OfProfile::Timeline && profile.timeline.is_none() {
        return Err(Failure::Usage(needs_a_timeline(format.name)));
    }
    // The formats of a timeline show events alone.
    if format.profile != OfProfile::Timeline && !is_document(&args.recording) {
        findings::add(&mut profile);
    }
    let selection = match &args.lock {
        Some(asked) => Selection::open(&profile, asked)
            .map_err(|error| Failure::Usage(format!("{error} (--lock)")))?,
        None => Selection::new(
            &profile,
            args.sort.unwrap_or(SortKey::Wait),
            args.top.map(|top| top as usize),
        ),
    };
    if format.name == JSON {
        say_what_is_left_out(&selection);
    }
    let selection = selection.with_view(args.tables.view()).with_side(args.by);
    target.put_in(format, Subject::Profile(&selection))
}

/// A document does not have all events of a long timeline.
fn say_what_is_left_out(selection: &Selection<'_>) {
    let events = selection.events();
    if events > MOST_EVENTS {
        output::say(&format!(
            "locktoll: the timeline has {} events, of which JSON has the last {}; the recording, the page and the traces have all \
             of them",
            count(events as u64),
            count(MOST_EVENTS as u64)
        ));
    }
}
