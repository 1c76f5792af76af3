//! Tests of [`super`].

use super::*;
use proptest::prelude::*;

fn read(text: &str) -> Rule {
    text.parse().unwrap()
}

fn beyond(figure: &str, side: Side, amount: Amount) -> Condition {
    Condition::Beyond {
        figure: figure.to_owned(),
        side,
        amount,
    }
}

#[test]
fn every_sort_of_rule_reads() {
    let rule = read("wait_ns>1.2x");
    assert_eq!(
        rule.conditions,
        [beyond("wait_ns", Side::Above, Amount::Factor(1.2))]
    );
    assert_eq!(rule.rows, None);
    let rule = read(" p99_ns [pthread, list, 8 threads] > 1.5 us ");
    assert_eq!(
        rule.conditions,
        [beyond("p99_ns", Side::Above, Amount::Ns(1500.0))]
    );
    assert_eq!(rule.rows.as_deref(), Some("pthread, list, 8 threads"));
    let rule = read("ops_per_second<0.9x and contended[slots[]]>100");
    assert_eq!(
        rule.conditions,
        [
            beyond("ops_per_second", Side::Below, Amount::Factor(0.9)),
            beyond("contended", Side::Above, Amount::Plain(100.0))
        ]
    );
    assert_eq!(rule.rows.as_deref(), Some("slots[]"));
    assert_eq!(
        read("slower").conditions,
        [Condition::Is(RowVerdict::Slower)]
    );
    assert_eq!(
        read("only_a[read and write]").rows.as_deref(),
        Some("read and write")
    );
}

#[test]
fn a_rule_is_split_at_the_word_and_alone() {
    for (text, pieces) in [
        ("a and b", vec!["a ", " b"]),
        ("a and and b", vec!["a ", " ", " b"]),
        ("sand and b", vec!["sand ", " b"]),
        ("a andb and c", vec!["a andb ", " c"]),
        ("a[x and y] and b", vec!["a[x and y] ", " b"]),
        ("a] and b", vec!["a] ", " b"]),
        ("a[[x] and y] and b", vec!["a[[x] and y] ", " b"]),
        ("and a", vec!["and a"]),
    ] {
        assert_eq!(conditions(text), pieces, "{text}");
    }
}

#[test]
fn what_is_no_rule_says_what_is() {
    for (text, expected) in [
        ("", "empty"),
        ("wait_ns", "'wait_ns' is not a rule; accepted: slower, "),
        (
            "wait_ns=1.2x",
            "is not a rule: neither > nor < follows 'wait_ns'",
        ),
        ("wait_ns>", "not a bound"),
        ("wait_ns>fast", "not a bound"),
        ("wait_ns>1.2.3x", "not a bound"),
        ("wait_ns>-1x", "not a bound"),
        ("wait_ns>1.2y", "not a unit"),
        ("wait_ns>0x", "above 0"),
        ("wait_ns[x>1.2x", "not closed"),
        ("wait_ns[]>1.2x", "names no rows"),
        (">1.2x", "begin with a name"),
        ("slower>1.2x", "stands alone"),
        ("wait_ns>1x and ", "empty"),
        ("wait_ns[a]>1x and wait_ns[b]>1ms", "twice"),
    ] {
        let error = text.parse::<Rule>().unwrap_err();
        assert!(error.contains(expected), "{text:?}: {error}");
        assert!(!error.contains('\n'), "{error}");
    }
}

proptest! {
    #[test]
    fn any_text_is_a_rule_or_one_line(text in "\\PC{0,40}") {
        if let Err(error) = text.parse::<Rule>() {
            prop_assert!(!error.is_empty() && !error.contains('\n'));
        }
    }

    #[test]
    fn nearly_rules_are_rules_or_one_line(text in "(wait_ns|slower|and| |\\[|\\]|>|<|1|\\.|x|us|é){0,12}") {
        if let Err(error) = text.parse::<Rule>() {
            prop_assert!(!error.is_empty() && !error.contains('\n'));
        }
    }

    #[test]
    fn what_is_written_is_read_back(
        figure in "[a-z][a-z0-9_]{0,20}",
        rows in prop::option::of("[a-z:+#.][a-z :+#.]{0,10}[a-z]"),
        above in any::<bool>(),
        number in 0.001f64..1e6,
        unit in prop::sample::select(vec!["x", "", "ns", "us", "ms", "s"]),
    ) {
        prop_assume!(RowVerdict::NAMED.iter().all(|it| it.word() != figure));
        let number: f64 = format!("{number:.3}").parse().unwrap();
        prop_assume!(number > 0.0);
        let chosen = rows.as_ref().map_or_else(String::new, |rows| format!("[{rows}]"));
        let rule = read(&format!("{figure}{chosen}{}{number:.3}{unit}", if above { '>' } else { '<' }));
        let amount = match unit {
            "x" => Amount::Factor(number),
            "" => Amount::Plain(number),
            "ns" => Amount::Ns(number),
            "us" => Amount::Ns(number * 1e3),
            "ms" => Amount::Ns(number * 1e6),
            _ => Amount::Ns(number * 1e9),
        };
        prop_assert_eq!(rule.rows, rows);
        prop_assert_eq!(
            &rule.conditions[..],
            &[beyond(&figure, if above { Side::Above } else { Side::Below }, amount)]
        );
    }
}
