//! Results that are not recordings: shown whole, as the verb that made them shows them.

use crate::present::{self, Target};
use crate::report::flags::ReportArgs;
use locktoll_results::Kind;
use locktoll_results::saved::Saved;
use locktoll_shown::{Choice, ComparisonPage, Format, Shown, Subject, TEXT, listed};
use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::{Failure, Outcome};

/// Shows a result that was read back.
///
/// # Errors
/// [`Failure::Usage`] for flags and formats that only recordings have.
pub fn show(args: &ReportArgs, format: Choice, target: &Target<'_>, saved: &Saved) -> Outcome {
    let kind = saved.kind();
    check(args, kind)?;
    if format.is_for_profiles_alone() {
        return Err(Failure::Usage(format!(
            "{} are for recordings and profiles; {} is {}, which can be shown as text, json or html",
            listed(Format::is_for_profiles_alone),
            shown(args.recording.as_os_str()),
            kind.described()
        )));
    }
    if args.top.is_some() && format.name != TEXT {
        return Err(Failure::Usage(present::TOP_IS_FOR_TEXT.to_owned()));
    }
    let top = args.top.map(|top| top as usize);
    let page;
    let result: &dyn Shown = match saved {
        Saved::Compare(comparison) => {
            page = ComparisonPage { comparison, top };
            &page
        }
        Saved::Bench(result) => &**result,
        Saved::Machine(result) => &**result,
        Saved::Reproduce(result) => &**result,
        Saved::Tour(result) => &**result,
        Saved::Kernel(result) => &**result,
        Saved::Hang(result) => &**result,
        Saved::Try(result) => &**result,
        Saved::WhatIf(result) => &**result,
        Saved::Advise(result) => &**result,
        Saved::Profile(_) => unreachable!("profiles have formats of their own"),
    };
    target.put_in(format, Subject::Result(result))
}

/// Refuses flags that would have no effect.
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
        ("--order", tables.order),
        ("--alerts", tables.alerts),
        ("--top", args.top.is_some() && kind != Kind::Compare),
    ];
    match without_effect.into_iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((flag, _)) => Err(Failure::Usage(format!(
            "{flag} is for recordings and profiles; {} is {}, which is always shown in full; leave {flag} out",
            shown(args.recording.as_os_str()),
            kind.described()
        ))),
    }
}
