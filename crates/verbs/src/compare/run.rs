//! The verb.

use std::collections::HashSet;

use crate::compare::flags::CompareArgs;
use crate::compare::rule::judge;
use crate::compare::{Results, between};
use crate::present;
use crate::present::{Goes, Target};
use locktoll_results::Made;
use locktoll_results::comparison::{Comparison, RowVerdict};
use locktoll_shown::{ComparisonPage, TEXT};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::failure::{Ending, Failure, Outcome};
use locktoll_terminal::output;
use locktoll_terminal::quantity::counted;

/// Number of rows that a message names.
const NAMED: usize = 10;

/// Runs the verb.
pub fn run(args: &CompareArgs) -> Outcome {
    if args.top.is_some() && args.output.format().name != TEXT {
        return Err(Failure::Usage(present::TOP_IS_FOR_TEXT.to_owned()));
    }
    present::check(&args.output)?;
    let (a, b) = (
        Results::open(&args.a, args.input)?,
        Results::open(&args.b, args.input)?,
    );
    for input in a.files.iter().chain(&b.files) {
        Target::of(args.output.output.as_deref()).check(Some(input), Goes::default())?;
    }
    let mut comparison = between(&a, &b, args.by.as_deref())?;
    comparison.made = Some(Made::now());
    let mut broken = Vec::new();
    for rule in &args.fail_if {
        let judged = judge(rule, &comparison)?;
        broken.push(judged.lines);
        comparison.rules.push(judged.outcome);
    }
    // The reader of our output may have closed it; the verdict on the rules must still be reported.
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
    for lines in &broken {
        for line in lines.iter().take(NAMED) {
            output::say(&format!("locktoll: {line}"));
        }
        if let Some(more) = lines.len().checked_sub(NAMED).filter(|more| *more > 0) {
            let rows = counted(more as u64, "more row", "more rows");
            output::say(&format!("locktoll: and {rows} (--json names all)"));
        }
    }
    let rules = broken.iter().filter(|lines| !lines.is_empty()).count();
    let idle = comparison.rules.iter().filter(|rule| rule.judged == 0);
    match (rules, idle.count()) {
        (0, 0) => Ok(Ending::Done),
        (0, _) if args.allow_unjudged => Ok(Ending::Done),
        (0, idle) => Err(Failure::Run(anyhow::anyhow!(
            "--fail-if: no row could be judged for {}, so the gate fails (--allow-unjudged lets that pass)",
            counted(idle as u64, "rule", "rules")
        ))),
        (rules, _) => Err(Failure::Run(anyhow::anyhow!(
            "--fail-if: {} broken",
            counted(rules as u64, "rule is", "rules are")
        ))),
    }
}

/// Reports the rows that no rule could judge, so that they do not pass silently.
fn not_judged(comparison: &Comparison) {
    for rule in &comparison.rules {
        for why in &rule.unjudged_why {
            output::say(&format!(
                "locktoll: '{}' was not judged on {why}",
                shown_text(&rule.rule)
            ));
        }
        if comparison.rows.is_empty() {
            let rule = shown_text(&rule.rule);
            output::say(&format!(
                "locktoll: '{rule}' was not judged: neither side has a row"
            ));
        }
    }
    let named: HashSet<&String> = comparison
        .rules
        .iter()
        .flat_map(|rule| &rule.broken_by)
        .collect();
    for (verdict, where_it_is, not_in) in
        [(RowVerdict::OnlyA, "A", "B"), (RowVerdict::OnlyB, "B", "A")]
    {
        let missing: Vec<&str> = comparison
            .rows
            .iter()
            .filter(|row| row.verdict == verdict && !named.contains(&row.key))
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
