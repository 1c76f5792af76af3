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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::trial::made_up::settings;

    fn plan(candidates: usize, rounds: usize, final_rounds: usize) -> Plan {
        Plan {
            candidates,
            rounds,
            final_rounds,
            about: Duration::from_secs(90),
        }
    }

    /// Returns the announcement without its end, which is always the same.
    fn announced(plan: &Plan, settings: &Settings) -> String {
        let line = announcement(plan, settings);
        line.split_once("; Ctrl-C").unwrap().0.to_owned()
    }

    #[test]
    fn the_announcement_counts_locks_and_rounds() {
        let mut settings = settings(3, 1);
        settings.time_limit = Duration::from_secs(180);
        let time = "about 90 s, at most 3 min";
        assert_eq!(
            announced(&plan(4, 9, 13), &settings),
            format!("3 locks, pass-through and bare, 9 rounds, then a final: {time}")
        );
        assert_eq!(
            announced(&plan(2, 4, 0), &settings),
            format!("1 lock, pass-through and bare, 4 rounds: {time}")
        );
        settings.rounds = Some(9);
        let kept = announced(&plan(4, 9, 13), &settings);
        assert!(kept.contains("bare, 9 rounds, then"), "{kept}");
        let fewer = announced(&plan(4, 8, 12), &settings);
        assert!(
            fewer.contains("bare, 8 rounds (9 do not fit), then"),
            "{fewer}"
        );
        settings.candidates.remove(0);
        let without = announced(&plan(3, 9, 13), &settings);
        assert!(
            without.starts_with("3 locks and bare, 9 rounds"),
            "{without}"
        );
    }

    #[test]
    fn rounds_that_judge_no_lock_by_itself_are_told() {
        let settings = settings(3, 1);
        // Where a final follows, the rounds before it have half of the errors.
        let needed = rounds_needed(4, LEVEL / 2.0);
        let few = announced(&plan(4, needed - 1, 9), &settings);
        let told = format!(" (too few to judge each lock by itself: that takes {needed})");
        assert!(few.contains(&told), "{few}");
        assert!(!announced(&plan(4, needed, 9), &settings).contains("too few"));
        let without = rounds_needed(4, LEVEL);
        assert!(without < needed);
        assert!(!announced(&plan(4, without, 0), &settings).contains("too few"));
    }

    #[test]
    fn those_left_out_are_named() {
        let settings = settings(3, 1);
        assert_eq!(left_out(4, &settings), None);
        assert_eq!(left_out_at_first(4, &settings), None);
        let out = left_out(2, &settings).unwrap();
        assert!(out.ends_with("(--time-limit): lock-2, lock-3"), "{out}");
        let first = left_out_at_first(3, &settings).unwrap();
        assert!(first.ends_with("if time remains: lock-3"), "{first}");
        assert_eq!(
            latecomers(&(1..3), 5, &settings),
            "run in the time that was left, in 5 rounds of their own: lock-1, lock-2"
        );
    }

    #[test]
    fn exit_codes_are_explained_unless_they_are_success() {
        let told = |codes: &[i32]| exit_codes(&codes.iter().copied().collect());
        assert_eq!(told(&[]), None);
        assert_eq!(told(&[0]), None);
        assert!(told(&[3]).unwrap().contains("exit code 3, so"));
        assert!(told(&[0, 3]).unwrap().contains("varies (0, 3)"));
    }
}
