//! Results that are no recordings: shown whole, as the verb that made them shows them.

use crate::cli::{OutputArgs, ProfileFormat, ReportArgs, ResultFormat};
use crate::exit::{Failure, Outcome};
use crate::profile::shown;
use crate::report::{ComparisonPage, Shown};
use crate::saved::{Kind, Saved};
use crate::verbs::present;

use super::request::Request;

/// Shows a result that was read back.
///
/// # Errors
/// [`Failure::Usage`] for flags and forms that are for recordings alone.
pub fn show(args: &ReportArgs, request: &Request, saved: &Saved) -> Outcome {
    let kind = saved.kind();
    check(args, kind)?;
    let output = OutputArgs {
        format: Some(form(args, request, kind)?),
        json: false,
        output: args.output.clone(),
    };
    if args.top.is_some() && output.format() != ResultFormat::Text {
        return Err(Failure::Usage(present::TOP_IS_FOR_TEXT.to_owned()));
    }
    let top = args.top.map(|top| top as usize);
    match saved {
        Saved::Compare(comparison) => present::put(&output, &ComparisonPage { comparison, top }),
        Saved::Bench(result) => put(&output, &**result),
        Saved::Machine(result) => put(&output, &**result),
        Saved::Reproduce(result) => put(&output, &**result),
        Saved::Tour(result) => put(&output, &**result),
        Saved::Kernel(result) => put(&output, &**result),
        Saved::Try(result) => put(&output, &**result),
        Saved::Profile(_) => unreachable!("profiles have forms of their own"),
    }
}

fn put(output: &OutputArgs, result: &impl Shown) -> Outcome {
    present::put(output, result)
}

/// Flags that would be silently without effect are refused.
fn check(args: &ReportArgs, kind: Kind) -> Result<(), Failure> {
    let tables = &args.tables;
    let without_effect = [
        ("--sort", args.sort.is_some()),
        ("--lock", args.lock.is_some()),
        ("--by", args.by.is_some()),
        ("--sites", tables.sites),
        ("--blame", tables.blame),
        ("--stacks", tables.stacks),
        ("--threads", tables.threads),
        ("--top", args.top.is_some() && kind != Kind::Compare),
    ];
    match without_effect.into_iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((flag, _)) => Err(Failure::Usage(format!(
            "{flag} is for recordings and profiles; {} is {}, which is shown whole",
            shown(args.recording.as_os_str()),
            kind.described()
        ))),
    }
}

fn form(args: &ReportArgs, request: &Request, kind: Kind) -> Result<ResultFormat, Failure> {
    match request.format {
        ProfileFormat::Text => Ok(ResultFormat::Text),
        ProfileFormat::Json => Ok(ResultFormat::Json),
        ProfileFormat::Html => Ok(ResultFormat::Html),
        ProfileFormat::Csv | ProfileFormat::Pprof | ProfileFormat::Folded | ProfileFormat::Svg => {
            Err(Failure::Usage(format!(
                "csv, pprof, folded and svg are forms of recordings and profiles; {} is {}: text, json or html",
                shown(args.recording.as_os_str()),
                kind.described()
            )))
        }
    }
}
