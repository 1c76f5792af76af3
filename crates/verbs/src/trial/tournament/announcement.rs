//! What is said before the tournament, and what is to be known besides.

use std::collections::BTreeSet;
use std::ops::Range;

use super::plan::Plan;
use crate::trial::span::span;
use crate::trial::{PASS_THROUGH, Settings};
use locktoll_terminal::quantity::counted;

/// What is going to happen and how long it takes.
pub fn announcement(plan: &Plan, settings: &Settings) -> String {
    let playing = &settings.candidates[..plan.candidates];
    let locks = playing.iter().filter(|it| it.name != PASS_THROUGH).count();
    let control = if locks < playing.len() {
        ", pass-through"
    } else {
        ""
    };
    let locks = counted(locks as u64, "lock", "locks");
    let rounds = counted(plan.rounds as u64, "round", "rounds");
    let rounds = match settings.rounds {
        Some(wanted) if wanted != plan.rounds => format!("{rounds} ({wanted} do not fit)"),
        _ => rounds,
    };
    let then = if plan.final_rounds > 0 {
        ", then a final"
    } else {
        ""
    };
    let (about, most) = (span(plan.about), span(settings.time_limit));
    format!(
        "{locks}{control} and bare, {rounds}{then}: about {about}, never more than {most}; Ctrl-C ends it and keeps what is known"
    )
}

/// The locks for which there was no time, if only the first `entered` candidates have played.
pub fn left_out(entered: usize, settings: &Settings) -> Option<String> {
    let limit = span(settings.time_limit);
    let names = names(entered..settings.candidates.len(), settings)?;
    Some(format!(
        "left out, since not all fit into {limit} (--time-limit): {names}"
    ))
}

/// The same, before anybody has played.
pub fn left_out_at_first(entered: usize, settings: &Settings) -> Option<String> {
    let limit = span(settings.time_limit);
    let names = names(entered..settings.candidates.len(), settings)?;
    Some(format!(
        "not all fit into {limit} (--time-limit); these run only if time remains: {names}"
    ))
}

/// Who plays in the time that remains.
pub fn latecomers(late: &Range<usize>, rounds: usize, settings: &Settings) -> String {
    let rounds = counted(rounds as u64, "round", "rounds");
    let names = names(late.clone(), settings).unwrap_or_default();
    format!("time remained for these, in {rounds} of their own: {names}")
}

/// `None` if there is none.
fn names(candidates: Range<usize>, settings: &Settings) -> Option<String> {
    let names = settings.candidates[candidates].iter();
    let names: Vec<&str> = names.map(|it| it.name.as_str()).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// What is to be said of the program's own exit codes.
pub fn exit_codes(codes: &BTreeSet<i32>) -> Option<String> {
    let list: Vec<String> = codes.iter().map(i32::to_string).collect();
    match list.as_slice() {
        [] => None,
        [one] if one == "0" => None,
        [one] => Some(format!(
            "the program ends with exit code {one} on its own locks, too: that is taken for its way to end"
        )),
        _ => Some(format!(
            "the program's exit code varies on its own locks ({}): a candidate may end with any, and one that was dropped for its \
             exit code before that was known may be innocent",
            list.join(", ")
        )),
    }
}
