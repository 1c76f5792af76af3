//! A made-up comparison: two runs of `bench`; in the second, one lock is more expensive, one cheaper, one missing
//! and one new.

use locktoll_lab::runner::CellSummary;

use crate::compare::{Results, between};
use locktoll_made_up::made_up::benches;
use locktoll_results::bench::BenchResult;
use locktoll_results::comparison::{Comparison, RuleOutcome};
use locktoll_results::saved::Saved;

/// Returns the comparison between the two runs.
pub fn comparison() -> Comparison {
    let mut after = benches::few();
    after.machine.kernel = Some("6.12.0".to_owned());
    for cell in &mut after.cells {
        match cell.lock.as_str() {
            "std" => priced(cell, 1.31),
            "mcs-park" => priced(cell, 0.58),
            "ticket" => "clh".clone_into(&mut cell.lock),
            _ => {}
        }
    }
    let side =
        |name: &str, result: BenchResult| Results::of(name, vec![Saved::Bench(Box::new(result))]);
    let (before, after) = (
        side("before.json", benches::few()),
        side("after.json", after),
    );
    let mut comparison = between(&before, &after, None).expect("both are of one kind");
    comparison.version = "0.0.0".to_owned();
    comparison.rules = vec![RuleOutcome {
        rule: "ns_per_op>1.2x".to_owned(),
        broken_by: vec![
            "std, list, 2 threads".to_owned(),
            "std, list, 8 threads".to_owned(),
        ],
        unjudged: Vec::new(),
        unjudged_why: Vec::new(),
        judged: 6,
    }];
    comparison
}

fn priced(cell: &mut CellSummary, factor: f64) {
    cell.ns_per_op = cell.ns_per_op.map(|it| it.scaled(factor));
    cell.ops_per_second = cell.ops_per_second.map(|it| it.scaled(1.0 / factor));
    if let Some(waits) = &mut cell.acquire_ns {
        waits.p99 = waits.p99.map(|it| it.scaled(factor));
    }
}
