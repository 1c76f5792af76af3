//! The verb.

use super::{request, result};
use crate::present::Target;
use crate::report::flags::ReportArgs;
use crate::saved;
use locktoll_results::saved::Saved;
use locktoll_shown::{OfProfile, Selection, SortKey, Subject, needs_a_timeline};
use locktoll_terminal::failure::{Failure, Outcome};

/// Runs the verb. Everything that can be known to be wrong is refused before the file is read.
pub fn run(args: &ReportArgs) -> Outcome {
    let format = request::format(args)?;
    let target = Target::of(args.output.as_deref());
    target.check(Some(&args.recording), request::goes(format, args))?;
    request::check_ending(args)?;
    let profile = match saved::open(&args.recording, args.input)? {
        Saved::Profile(profile) => profile,
        other => return result::show(args, format, &target, &other),
    };
    if format.profile == OfProfile::Timeline && profile.timeline.is_none() {
        return Err(Failure::Usage(needs_a_timeline(format.name)));
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
    let selection = selection.with_view(args.tables.view()).with_side(args.by);
    target.put_in(format, Subject::Profile(&selection))
}
