//! The durations of runs, rounds and a final, estimated from those so far.

use std::time::Duration;

use super::play::Tournament;
use super::round::ContestantIndex;

/// How long a run of one contestant takes: the mean of all its runs, since the last one alone may have been disturbed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Price {
    total: Duration,
    runs: u32,
}

impl Price {
    pub(super) fn add(&mut self, took: Duration) {
        self.total = self.total.saturating_add(took);
        self.runs = self.runs.saturating_add(1);
    }

    /// Returns the mean; `None` before the first run.
    pub(super) fn mean(self) -> Option<Duration> {
        self.total.checked_div(self.runs)
    }
}

impl Tournament<'_> {
    pub(super) fn bare_run(&self) -> Duration {
        self.bare_price.mean().unwrap_or_default()
    }

    /// Returns the expected duration of a run; a contestant that has not run yet counts as bare.
    pub(super) fn cost_of_contestant(&self, contestant: ContestantIndex) -> Duration {
        let own = match contestant {
            ContestantIndex::Bare => None,
            ContestantIndex::Candidate(candidate) => self.states[candidate].price.mean(),
        };
        own.unwrap_or_else(|| self.bare_run())
    }

    pub(super) fn cost_of(&self, playing: &[usize]) -> Duration {
        let of_playing = playing
            .iter()
            .map(|it| self.cost_of_contestant(ContestantIndex::Candidate(*it)));
        self.bare_run() * 2 + of_playing.sum::<Duration>()
    }

    /// Returns the expected duration of a round with this many candidates, while nothing is known of them.
    pub(super) fn cost(&self, candidates: usize) -> Duration {
        self.bare_run() * (candidates + 2) as u32
    }

    /// Returns the expected duration of a final with this many rounds, for a candidate as fast as bare.
    pub(super) fn final_cost(&self, rounds: usize) -> Duration {
        self.cost(1) * rounds as u32
    }

    /// Returns the expected duration of one round of a final with this candidate.
    pub(super) fn final_cost_of(&self, in_final: usize) -> Duration {
        self.cost_of(&[in_final])
    }
}
