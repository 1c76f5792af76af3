//! The verb.

use super::request::Request;
use crate::cli::ReportArgs;
use crate::exit::{Failure, Outcome};
use crate::profile;
use crate::report::Selection;
use crate::target::Target;

/// Runs the verb. All that can be known to be wrong is refused before the recording is read.
pub fn run(args: &ReportArgs) -> Outcome {
    let request = Request::of(args)?;
    let target = Target::of(args.output.as_deref());
    target.check(Some(&args.recording), request.goes())?;
    let profile = profile::load(&args.recording)?;
    let selection = match &args.lock {
        Some(asked) => Selection::open(&profile, asked)
            .map_err(|error| Failure::Usage(format!("{error} (--lock)")))?,
        None => Selection::new(&profile, args.sort, args.top.map(|top| top as usize)),
    };
    let documents = request.form(&target).documents(&selection)?;
    target.put(documents)
}
