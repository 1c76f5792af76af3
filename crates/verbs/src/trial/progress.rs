//! The progress of the tournament, on standard error.

use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use super::span::span;
use super::{Contestant, Stage, Step, TournamentWatcher};
use crate::progress_bar::{bar, say_above};
use locktoll_terminal::interrupt::Interrupt;

/// Shows the tournament as a bar on a terminal; elsewhere, prints only the lines that matter.
pub struct Progress {
    bar: ProgressBar,
    interrupt: Interrupt,
    began: Instant,
}

impl Progress {
    /// Creates the display and starts its clock.
    pub fn new(interrupt: Interrupt) -> Self {
        Self {
            bar: bar(1, "{bar:30} {msg}"),
            interrupt,
            began: Instant::now(),
        }
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl TournamentWatcher for Progress {
    fn elapsed(&mut self) -> Duration {
        self.began.elapsed()
    }

    fn interrupted(&mut self) -> bool {
        self.interrupt.requested()
    }

    fn announce(&mut self, line: &str) {
        self.tell(line);
    }

    fn next(&mut self, step: &Step<'_>) {
        let elapsed = self.began.elapsed();
        self.bar
            .set_length(elapsed.saturating_add(step.left).as_millis() as u64);
        self.bar.set_position(elapsed.as_millis() as u64);
        self.bar.set_message(message(step));
    }

    fn tell(&mut self, line: &str) {
        say_above(&self.bar, &format!("locktoll: {line}"));
    }
}

/// Describes the current run and the time that is left.
fn message(step: &Step<'_>) -> String {
    let who = match step.contestant {
        Contestant::Bare => "bare",
        Contestant::Candidate(name) => name,
    };
    let (round, rounds) = (step.round, step.rounds);
    let stage = match step.stage {
        Stage::WarmUp => "warm-up".to_owned(),
        Stage::Qualifying => format!("round {round} of {rounds}"),
        Stage::Final => format!("final, round {round} of {rounds}"),
    };
    match step.left {
        // On the first run no durations are known yet.
        Duration::MAX => format!("{stage}: {who}"),
        left => format!("about {} left: {stage}: {who}", span(left)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_is_as_long_as_what_has_passed_and_what_is_left() {
        let mut progress = Progress::new(Interrupt::listen().unwrap());
        progress.began = Instant::now() - Duration::from_secs(5);
        progress.next(&Step {
            stage: Stage::Qualifying,
            round: 1,
            rounds: 2,
            contestant: &Contestant::Bare,
            left: Duration::from_secs(500),
        });
        let (at, end) = (progress.bar.position(), progress.bar.length().unwrap());
        assert!(at >= 5_000 && end == at + 500_000, "{at} {end}");
        assert!(progress.bar.message().ends_with("round 1 of 2: bare"));
        assert!(progress.elapsed() >= Duration::from_secs(5));
        assert!(!progress.interrupted());
        progress.clear();
        assert!(progress.bar.is_finished());
    }

    #[test]
    fn says_what_runs_and_what_is_left() {
        let contestant = Contestant::Candidate("ticket".to_owned());
        let step = Step {
            stage: Stage::Final,
            round: 3,
            rounds: 15,
            contestant: &contestant,
            left: Duration::from_secs(130),
        };
        assert_eq!(
            message(&step),
            "about 3 min left: final, round 3 of 15: ticket"
        );
        let first = Step {
            stage: Stage::WarmUp,
            left: Duration::MAX,
            contestant: &Contestant::Bare,
            ..step
        };
        assert_eq!(message(&first), "warm-up: bare");
    }
}
