//! The verb.

use crate::cli::CompareArgs;
use crate::compare::rule::judge;
use crate::compare::{Results, between};
use crate::exit::{Ending, Failure, Outcome};
use crate::output;
use crate::report::quantity::counted;
use crate::report::{Comparison, ComparisonPage, RowVerdict};
use crate::target::{Goes, Target};
use crate::verbs::present;

/// Rows named in a message.
const NAMED: usize = 10;

/// Runs the verb.
pub fn run(args: &CompareArgs) -> Outcome {
    present::check(&args.output)?;
    let (a, b) = (Results::open(&args.a)?, Results::open(&args.b)?);
    for input in a.files.iter().chain(&b.files) {
        Target::of(args.output.output.as_deref()).check(Some(input), Goes::default())?;
    }
    let mut comparison = between(&a, &b, args.by.as_deref())?;
    let mut broken = Vec::new();
    for rule in &args.fail_if {
        let judged = judge(rule, &comparison)?;
        broken.extend(judged.lines);
        comparison.rules.push(judged.outcome);
    }
    // Whoever reads us may have seen enough; whether a rule is broken is still to be said.
    match present::put(
        &args.output,
        &ComparisonPage {
            comparison: &comparison,
            top: args.top.map(|top| top as usize),
        },
    ) {
        Ok(_) | Err(Failure::OutputClosed) => {}
        Err(failure) => return Err(failure),
    }
    if args.fail_if.is_empty() {
        return Ok(Ending::Done);
    }
    not_judged(&comparison);
    for line in &broken {
        output::say(&format!("locktoll: {line}"));
    }
    match broken.len() {
        0 => Ok(Ending::Done),
        rows => Err(Failure::Run(anyhow::anyhow!(
            "--fail-if: {} broken",
            counted(rows as u64, "rule is", "rules are")
        ))),
    }
}

/// What no rule could look at is not a silent pass.
fn not_judged(comparison: &Comparison) {
    let asked_for = |verdict: RowVerdict| {
        let mut rules = comparison.rules.iter();
        rules.any(|rule| rule.rule.starts_with(verdict.word()))
    };
    for (verdict, where_it_is, not_in) in
        [(RowVerdict::OnlyA, "A", "B"), (RowVerdict::OnlyB, "B", "A")]
    {
        if asked_for(verdict) {
            continue;
        }
        let missing: Vec<&str> = comparison
            .rows
            .iter()
            .filter(|row| row.verdict == verdict)
            .map(|row| row.key.as_str())
            .collect();
        if missing.is_empty() {
            continue;
        }
        let named = missing.len().min(NAMED);
        let more = match missing.len() - named {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        output::say(&format!(
            "locktoll: {} only in {where_it_is}, so no ratio was judged: {}{more}; --fail-if {} fails on what is not in \
             {not_in}",
            counted(missing.len() as u64, "row is", "rows are"),
            missing[..named].join(", "),
            verdict.word()
        ));
    }
}
