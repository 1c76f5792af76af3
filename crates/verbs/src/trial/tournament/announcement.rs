//! The announcement before the tournament, and its notes.

use std::collections::BTreeSet;
use std::ops::Range;

use super::plan::Plan;
use super::standings::{LEVEL, rounds_needed};
use crate::trial::span::span;
use crate::trial::{PASS_THROUGH, Settings};
use locktoll_terminal::quantity::counted;

/// Says what is going to happen and how long it takes.
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
    let level = if plan.final_rounds > 0 {
        LEVEL / 2.0
    } else {
        LEVEL
    };
    let needed = rounds_needed(playing.len(), level);
    let few = match plan.rounds < needed {
        true => format!(" (too few to judge each lock by itself: that takes {needed})"),
        false => String::new(),
    };
    format!(
        "{locks}{control} and bare, {rounds}{few}{then}: about {about}, at most {most}; Ctrl-C ends the trial and shows the results \
         so far"
    )
}

/// Names the locks for which there was no time, if only the first `entered` candidates have played.
pub fn left_out(entered: usize, settings: &Settings) -> Option<String> {
    let limit = span(settings.time_limit);
    let names = names(entered..settings.candidates.len(), settings)?;
    Some(format!(
        "left out because not all fit into {limit} (--time-limit): {names}"
    ))
}

/// As [`left_out`], before anybody has played.
pub fn left_out_at_first(entered: usize, settings: &Settings) -> Option<String> {
    let limit = span(settings.time_limit);
    let names = names(entered..settings.candidates.len(), settings)?;
    Some(format!(
        "not all fit into {limit} (--time-limit); these run only if time remains: {names}"
    ))
}

/// Names the candidates that play in the time that remains.
pub fn latecomers(late: &Range<usize>, rounds: usize, settings: &Settings) -> String {
    let rounds = counted(rounds as u64, "round", "rounds");
    let names = names(late.clone(), settings).unwrap_or_default();
    format!("run in the time that was left, in {rounds} of their own: {names}")
}

/// Joins the names of the candidates; `None` if there are none.
fn names(candidates: Range<usize>, settings: &Settings) -> Option<String> {
    let names = settings.candidates[candidates].iter();
    let names: Vec<&str> = names.map(|it| it.name.as_str()).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// Explains the exit codes of the unmodified program, if they need an explanation.
pub fn exit_codes(codes: &BTreeSet<i32>) -> Option<String> {
    let list: Vec<String> = codes.iter().map(i32::to_string).collect();
    match list.as_slice() {
        [] => None,
        [one] if one == "0" => None,
        [one] => Some(format!(
            "the unmodified program ends with exit code {one}, so locktoll takes that for success"
        )),
        _ => Some(format!(
            "the unmodified program's exit code varies ({}), so every lock may end with any of them; a lock that was dropped for its \
             exit code earlier may have been dropped wrongly",
            list.join(", ")
        )),
    }
}
