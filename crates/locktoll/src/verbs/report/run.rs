//! The verb.

use super::request::Request;
use super::result;
use crate::cli::{ReportArgs, SortKey};
use crate::exit::{Failure, Outcome};
use crate::report::Selection;
use crate::saved::{self, Saved};
use crate::target::Target;

/// Runs the verb. All that can be known to be wrong is refused before the file is read.
pub fn run(args: &ReportArgs) -> Outcome {
    let request = Request::of(args)?;
    let target = Target::of(args.output.as_deref());
    target.check(Some(&args.recording), request.goes())?;
    let profile = match saved::open(&args.recording)? {
        Saved::Profile(profile) => profile,
        other => return result::show(args, &request, &other),
    };
    let selection = match &args.lock {
        Some(asked) => Selection::open(&profile, asked)
            .map_err(|error| Failure::Usage(format!("{error} (--lock)")))?,
        None => Selection::new(
            &profile,
            args.sort.unwrap_or(SortKey::Wait),
            args.top.map(|top| top as usize),
        ),
    };
    let documents = request.form(&target).documents(&selection)?;
    target.put(documents)
}
