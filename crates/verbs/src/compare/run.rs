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
    for line in not_judged(&comparison) {
        output::say(&line);
    }
    for line in broken.iter().flat_map(|lines| first_of(lines)) {
        output::say(&line);
    }
    let rules = broken.iter().filter(|lines| !lines.is_empty()).count();
    let idle = comparison.rules.iter().filter(|rule| rule.judged == 0);
    ending(rules, idle.count(), args.allow_unjudged)
}

/// Returns what is said about the rows that broke a rule: the first ones, and how many more there are.
fn first_of(lines: &[String]) -> Vec<String> {
    let first = lines.iter().take(NAMED);
    let mut said: Vec<String> = first.map(|line| format!("locktoll: {line}")).collect();
    if let Some(more) = lines.len().checked_sub(NAMED).filter(|more| *more > 0) {
        let rows = counted(more as u64, "more row", "more rows");
        said.push(format!("locktoll: and {rows} (--json names all)"));
    }
    said
}

/// Returns how the verb ends if `broken` rules are broken and `idle` rules could judge no row.
fn ending(broken: usize, idle: usize, allow_unjudged: bool) -> Outcome {
    match (broken, idle) {
        (0, 0) => Ok(Ending::Done),
        (0, _) if allow_unjudged => Ok(Ending::Done),
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

/// Returns what is said about the rows that no rule could judge, so that they do not pass silently.
fn not_judged(comparison: &Comparison) -> Vec<String> {
    let mut said = Vec::new();
    for rule in &comparison.rules {
        for why in &rule.unjudged_why {
            said.push(format!(
                "locktoll: '{}' was not judged on {why}",
                shown_text(&rule.rule)
            ));
        }
        if comparison.rows.is_empty() {
            let rule = shown_text(&rule.rule);
            said.push(format!(
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
        said.push(format!(
            "locktoll: {} only in {where_it_is}, so no ratio was judged: {}{more}; --fail-if {} fails on what is not in \
             {not_in}",
            counted(missing.len() as u64, "row is", "rows are"),
            missing[..named].join(", "),
            verdict.word()
        ));
    }
    said
}

#[cfg(test)]
mod tests {
    use clap::{Args, FromArgMatches};

    use super::*;
    use locktoll_made_up::sample;
    use locktoll_results::profile::Profile;
    use locktoll_results::saved::Saved;

    #[test]
    fn the_first_rows_are_named_and_the_others_counted() {
        let said = |rows: usize| first_of(&vec!["x".to_owned(); rows]);
        assert_eq!(said(0), [""; 0]);
        assert_eq!(said(NAMED), ["locktoll: x"; NAMED]);
        let one_more = said(NAMED + 1);
        assert_eq!(one_more.len(), NAMED + 1);
        assert_eq!(
            one_more[NAMED],
            "locktoll: and 1 more row (--json names all)"
        );
        assert_eq!(said(NAMED + 7).len(), NAMED + 1);
    }

    #[test]
    fn a_broken_rule_fails_and_so_does_one_that_judged_nothing() {
        let words = |broken, idle, allowed| match ending(broken, idle, allowed) {
            Ok(_) => String::new(),
            Err(Failure::Run(error)) => error.to_string(),
            Err(other) => panic!("{other:?}"),
        };
        assert_eq!(words(0, 0, false), "");
        assert_eq!(words(0, 2, true), "");
        let idle = words(0, 2, false);
        assert!(idle.contains("no row could be judged for 2 rules"));
        for allowed in [false, true] {
            assert_eq!(words(1, 2, allowed), "--fail-if: 1 rule is broken");
        }
    }

    #[test]
    fn a_number_of_rows_is_for_text_alone() {
        let refused = |flags: &[&str]| {
            let words = ["missing-a", "missing-b"].iter().chain(flags);
            let command = CompareArgs::augment_args(clap::Command::new("compare"));
            let found = command.no_binary_name(true).get_matches_from(words);
            let args = CompareArgs::from_arg_matches(&found).unwrap();
            matches!(run(&args), Err(Failure::Usage(why)) if why == present::TOP_IS_FOR_TEXT)
        };
        assert!(refused(&["--top", "3", "--json"]));
        // Here it is the files that are missing.
        assert!(!refused(&["--top", "3"]));
        assert!(!refused(&["--json"]));
    }

    fn profile(change: impl Fn(&mut Profile)) -> Results {
        let mut profile = sample::job_server();
        change(&mut profile);
        Results::of("x.locktoll", vec![Saved::Profile(Box::new(profile))])
    }

    /// Compares a recording with `a` locks with one that has `b`, under a rule, and returns the messages.
    fn said_of(a: usize, b: usize, rule: &str) -> Vec<String> {
        let side = |locks| profile(|it| it.locks.truncate(locks));
        let mut comparison = between(&side(a), &side(b), None).unwrap();
        let judged = judge(&rule.parse().unwrap(), &comparison).unwrap();
        comparison.rules.push(judged.outcome);
        not_judged(&comparison)
    }

    #[test]
    fn rows_of_one_side_are_named_unless_a_rule_names_them() {
        let ids = |from: usize| sample::job_server().locks[from].id.clone();
        let said = said_of(2, 1, "wait_ns>1.2x");
        assert_eq!(
            said[0],
            "locktoll: 'wait_ns>1.2x' was not judged on 1 row: on one side only"
        );
        let only = format!(
            "locktoll: 1 row is only in A, so no ratio was judged: {}; --fail-if only_a fails",
            ids(1)
        );
        assert!(said[1].starts_with(&only), "{said:?}");
        assert_eq!(said.len(), 2);
        assert!(said_of(1, 2, "wait_ns>1.2x")[1].contains("only in B"));
        assert_eq!(said_of(2, 1, "only_a"), [""; 0]);
        assert_eq!(said_of(2, 2, "wait_ns>1.2x"), [""; 0]);
    }

    #[test]
    fn of_many_rows_of_one_side_only_the_first_are_named() {
        let many = |locks: usize| {
            profile(|it| {
                let one = it.locks[0].clone();
                it.locks.truncate(1);
                it.locks.extend((0..locks).map(|number| {
                    let mut lock = one.clone();
                    lock.id = format!("mutex:p:lock_{number}");
                    lock
                }));
            })
        };
        let said = |locks| {
            let mut comparison = between(&many(locks), &many(0), None).unwrap();
            let judged = judge(&"slower".parse().unwrap(), &comparison).unwrap();
            comparison.rules.push(judged.outcome);
            not_judged(&comparison).pop().unwrap()
        };
        assert!(!said(NAMED).contains(" more;"), "{}", said(NAMED));
        assert!(said(NAMED + 2).contains(" and 2 more;"));
    }
}
