//! The candidates that are dropped.

use std::ops::Range;

use super::clearly_worse::is_clearly_worse;
use super::play::Tournament;
use super::rounds::{against_bare, metric};
use crate::trial::reasons::why_dropped;
use crate::trial::{PASS_THROUGH, Stage};
use locktoll_results::trial::{Dropped, WhyDropped};

impl Tournament<'_> {
    pub(super) fn drop_candidate(&mut self, candidate: usize, round: usize, why: WhyDropped) {
        let name = &self.settings.candidates[candidate].name;
        let when = match round {
            0 => "in the warm-up".to_owned(),
            round => format!("in round {round}"),
        };
        let line = format!("{name} is out {when}: {}", why_dropped(&why));
        self.umpire.watcher.tell(&line);
        self.states[candidate].dropped = Some(Dropped { round, why });
    }

    pub(super) fn drop_clearly_worse(&mut self, playing: &[usize], round: usize) {
        for &candidate in playing {
            // The pass-through stays: it shows how much of the others' difference comes from their locks.
            let is_control = self.settings.candidates[candidate].name == PASS_THROUGH;
            if is_control || self.states[candidate].dropped.is_some() {
                continue;
            }
            let blocks = against_bare(&self.rounds, Stage::Qualifying, candidate, metric);
            let better = self.settings.metric.better;
            if blocks.is_some_and(|it| is_clearly_worse(&it, better, &self.rounds)) {
                self.drop_candidate(candidate, round, WhyDropped::ClearlyWorse);
            }
        }
    }

    pub(super) fn playing(&self, heat: Range<usize>) -> Vec<usize> {
        heat.filter(|candidate| self.states[*candidate].dropped.is_none())
            .collect()
    }
}
