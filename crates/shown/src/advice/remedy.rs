//! One remedy, and the meaning of its gain.

use std::fmt::{self, Write};

use crate::profile::text::styles::STRONG;
use locktoll_results::advice::{AdviceMethod, Gain, Remedy};
use locktoll_results::profile::described;
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::fold;

/// Writes a remedy: what to do, what to expect of it, on what grounds, at what cost, and how to try it.
pub fn write(page: &mut String, number: usize, remedy: &Remedy, width: usize) -> fmt::Result {
    let lead = format!("{number}. ");
    for line in fold::lines(&lead, &shown_text(&remedy.advice), width) {
        writeln!(page, "{STRONG}{line}{STRONG:#}")?;
    }
    fold::write(
        page,
        "   Gain:      ",
        &shown_text(&expected(remedy)),
        width,
    )?;
    fold::write(page, "   Evidence:  ", &shown_text(&remedy.evidence), width)?;
    if let Some(site) = &remedy.site {
        fold::write(page, "   Place:     ", &shown_text(&described(site)), width)?;
    }
    fold::write(page, "   Cost:      ", &shown_text(&remedy.cost), width)?;
    match &remedy.command {
        Some(command) => fold::write(page, "   Try it:    ", &shown_text(command), width),
        None => Ok(()),
    }
}

/// Says what to expect: the gain, what it is a gain of, and how it was found.
fn expected(remedy: &Remedy) -> String {
    let (Some(gain), Some(method)) = (remedy.gain, remedy.method) else {
        return "not known from the recording".to_owned();
    };
    let of = remedy.gain_of.as_deref().unwrap_or("the metric");
    match method {
        AdviceMethod::Bound => format!("at most {} in {of} (bound)", factor(gain.high)),
        AdviceMethod::Model => format!("{} in {of} (model)", interval(gain)),
        AdviceMethod::Experiment => format!("{} in {of} (measured)", interval(gain)),
    }
}

/// `4.1x (2.9 .. 5.0)`.
pub fn interval(gain: Gain) -> String {
    format!(
        "{} ({:.*} .. {:.*})",
        factor(gain.median),
        digits(gain.median),
        gain.low,
        digits(gain.median),
        gain.high
    )
}

fn factor(factor: f64) -> String {
    format!("{factor:.*}x", digits(factor))
}

fn digits(factor: f64) -> usize {
    if factor < 10.0 { 2 } else { 1 }
}

/// Explains the methods that these remedies use.
pub fn meaning(remedies: &[&Remedy]) -> String {
    let uses = |method| remedies.iter().any(|it| it.method == Some(method));
    let mut text = "Gain: how many times as fast (1: no change).".to_owned();
    if uses(AdviceMethod::Model) {
        text.push_str(
            " Model: computed for threads that queue for the lock, from the counts, waits and holds of the recording. The interval \
             allows for holders that meet more or less often than the model assumes. It does not allow for another bottleneck behind \
             this lock.",
        );
    }
    if uses(AdviceMethod::Bound) {
        text.push_str(" Bound: the change cannot gain more, and may gain nothing.");
    }
    if uses(AdviceMethod::Experiment) {
        text.push_str(" Measured: interleaved runs of the program, with the 95 % interval.");
    }
    text
}
