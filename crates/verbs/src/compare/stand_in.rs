//! A side from a stand-in: its figures are shown, but not judged.

use locktoll_lab::machine::Machine;

use super::side::Results;
use locktoll_results::Kind;
use locktoll_results::comparison::{Row, RowVerdict};

/// Returns the stand-in for the system or the processor in a run of this side, if there was one.
pub(super) fn stand_in(side: &Results) -> Option<String> {
    let machines: Vec<&Machine> = match side.kind {
        Kind::Bench => side.benches().iter().map(|run| &run.machine).collect(),
        Kind::Machine => side.machines().iter().map(|run| &run.machine).collect(),
        Kind::Reproduce => side
            .reproductions()
            .iter()
            .map(|run| &run.machine)
            .collect(),
        Kind::Tour => side
            .tours()
            .iter()
            .map(|run| &run.contended.machine)
            .collect(),
        Kind::Try => side.trials().iter().map(|run| &run.machine).collect(),
        Kind::Profile | Kind::Compare | Kind::Kernel | Kind::Hang | Kind::WhatIf | Kind::Advise => {
            Vec::new()
        }
    };
    machines
        .into_iter()
        .find_map(|machine| machine.stand_in.clone())
}

/// Removes the verdicts that compare the two sides; rows that only one side has keep theirs.
pub(super) fn leave_unjudged(rows: &mut [Row]) {
    let unjudged = |verdict: &mut RowVerdict| {
        if !matches!(verdict, RowVerdict::OnlyA | RowVerdict::OnlyB) {
            *verdict = RowVerdict::NotJudged;
        }
    };
    for row in rows {
        unjudged(&mut row.verdict);
        row.metrics
            .iter_mut()
            .for_each(|figure| unjudged(&mut figure.verdict));
    }
}
