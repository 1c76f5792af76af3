//! The sentence with the result of a tournament, and the facts that a reader needs to judge it.

use locktoll_lab::noise::Noise;
use locktoll_lab::stats::widest_factor;

use super::finding::{comparatives, compared, finding, times, too_few};
use super::reasons::why_and_last_words;
use super::{EndedEarly, PASS_THROUGH, Played};
use locktoll_results::trial::{TrialRow, Verdict, WhyDropped};
use locktoll_terminal::escape::shown_text;

/// The factor from which on the difference between two bare runs is worth a sentence.
const SAME_IS_WIDE: f64 = 1.1;
/// Up to this many rounds, their small number is worth a sentence.
const FEW_ROUNDS: usize = 5;

/// Returns the conclusion that the tournament allows, in a few sentences.
pub fn conclusion(played: &Played, noise: &Noise) -> String {
    let mut sentences = vec![finding(played)];
    sentences.extend(promising(played));
    sentences.extend(failed(played));
    sentences.extend(not_replaced(played));
    sentences.extend(pass_through(played));
    sentences.extend(ended_early(played));
    sentences.extend(few_rounds(played));
    sentences.extend(same_is_wide(played));
    sentences.extend(disturbed(noise));
    sentences.join(" ")
}

fn promising(played: &Played) -> Option<String> {
    let (lock, ratio) = played.promising.as_ref()?;
    let is_faster = |row: &TrialRow| row.lock == *lock && row.verdict == Some(Verdict::Faster);
    if played.results.iter().any(is_faster) {
        // The finding already mentions it.
        return None;
    }
    let compared = compared(&played.metric, ratio);
    Some(format!(
        "{lock} looks best so far: it {compared}. But the best of many looks better than it is, and the final did not finish."
    ))
}

fn failed(played: &Played) -> Option<String> {
    let failure = |row: &TrialRow| {
        let why = &row.dropped.as_ref()?.why;
        let happened = match why {
            WhyDropped::ClearlyWorse | WhyDropped::NotReplaced { .. } => return None,
            WhyDropped::Signal { name, .. } => name.clone(),
            WhyDropped::ExitCode { code, .. } => format!("exit code {code}"),
            WhyDropped::TimeLimit { .. } => "not done in time".to_owned(),
            WhyDropped::Load { reason } => shown_text(reason),
        };
        Some(format!("{} ({happened})", row.lock))
    };
    let failures: Vec<String> = played.results.iter().filter_map(failure).collect();
    (!failures.is_empty()).then(|| format!("The program failed under {}.", failures.join(", ")))
}

/// Names the locks that replaced nothing, grouped by the reason.
fn not_replaced(played: &Played) -> Vec<String> {
    let mut by_reason: Vec<(&str, Vec<&str>)> = Vec::new();
    for row in &played.results {
        let Some(WhyDropped::NotReplaced { reason }) = row.dropped.as_ref().map(|it| &it.why)
        else {
            continue;
        };
        match by_reason.iter_mut().find(|(known, _)| known == reason) {
            Some((_, locks)) => locks.push(&row.lock),
            None => by_reason.push((reason, vec![&row.lock])),
        }
    }
    let sentences = by_reason.into_iter().map(|(reason, locks)| {
        format!(
            "No result for {}: {}.",
            locks.join(", "),
            shown_text(reason)
        )
    });
    sentences.collect()
}

/// Describes the effect of loading locktoll's library without replacing any lock.
fn pass_through(played: &Played) -> Option<String> {
    let row = played.results.iter().find(|row| row.lock == PASS_THROUGH)?;
    let ratio = row.ratio_to_bare.as_ref()?;
    let (better, worse) = comparatives(&played.metric);
    let word = match row.verdict? {
        Verdict::NoDifference | Verdict::NotJudged => return None,
        Verdict::Faster => better,
        Verdict::Slower => worse,
    };
    let compared = compared(&played.metric, ratio);
    Some(format!(
        "Loading locktoll's library alone makes the program {word}: with nothing replaced it {compared}. The figures of the locks \
         include that."
    ))
}

fn ended_early(played: &Played) -> Option<String> {
    Some(match played.ended_early.as_ref()? {
        EndedEarly::Interrupted => "The trial was interrupted.".to_owned(),
        EndedEarly::OutOfTime => {
            "The time limit ended the trial early; --time-limit gives it more.".to_owned()
        }
        EndedEarly::BareFailed(why) => {
            format!(
                "The trial ended early because the unmodified program failed: {}.",
                why_and_last_words(why)
            )
        }
    })
}

fn few_rounds(played: &Played) -> Option<String> {
    // The finding already says which locks could not be judged.
    let compares = played.results.iter().any(|row| row.verdict.is_some())
        && too_few(&played.results).is_empty();
    let few = compares && played.best.is_none() && (1..=FEW_ROUNDS).contains(&played.rounds);
    few.then(|| match played.rounds {
        1 => "One round alone proves nothing.".to_owned(),
        2 | 3 => format!("{} rounds prove nothing.", played.rounds),
        few => format!("{few} rounds show large differences only."),
    })
}

fn same_is_wide(played: &Played) -> Option<String> {
    let factor = played.same_against_same.as_ref().map(widest_factor)?;
    (factor >= SAME_IS_WIDE).then(|| {
        format!(
            "Two runs of the unmodified program in one round differed by a factor of up to {}: a quieter machine, longer runs or more rounds would show smaller differences.",
            times(factor)
        )
    })
}

fn disturbed(noise: &Noise) -> Option<String> {
    (!noise.warnings.is_empty())
        .then(|| format!("The machine was not quiet: {}.", noise.warnings.join("; ")))
}

#[cfg(test)]
mod tests;
