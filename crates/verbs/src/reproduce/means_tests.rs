//! Tests of [`super::means`].

use std::cmp::Ordering;

use locktoll_lab::stats::Estimate;

use super::catalogue::Catalogue;
use super::description::{Description, parse};
use super::means::{Judged, sentence};
use super::other_systems::System;
use locktoll_results::reproduction::{Check, ClaimVerdict};

const HEAD: &str = "id = \"A1\"\ntitle = \"t\"\nclaim = \"c\"\nseconds = 1\n\
    [source]\narticle = \"a\"\nyear = 1998\nmachine = \"m\"\n[[run]]\nbench = \"--lock pthread\"\n";
const BOTH: &str = "holds = \"Yes.\"\ndoes_not_hold = \"No.\"\n";
const TWO: &str = "[[check]]\nwhat = \"v\"\nvalue = {}\nat_least = 1\n\
    [[check]]\nwhat = \"w\"\nvalue = {}\nat_least = 2\nat_most = 9\npublished = 4\n";

fn described(means: &str, checks: &str) -> Result<Description, String> {
    parse("A1.toml", &format!("{HEAD}{checks}[means]\n{means}"))
}

fn judged(median: f64, verdict: ClaimVerdict, against_published: Ordering) -> Judged {
    Judged {
        check: Check {
            what: String::new(),
            at_least: None,
            at_most: None,
            published: Some(4.0),
            measured: Some(Estimate {
                median,
                low: median,
                high: median,
                n: 9,
            }),
            verdict,
            reason: None,
        },
        against_published,
    }
}

#[test]
fn the_figure_against_the_published_one_chooses_the_sentence_of_a_claim_that_holds() {
    use Ordering::{Equal, Greater, Less};
    let plain = "holds = \"about {measured}\"\ndoes_not_hold = \"No.\"\n";
    let all = format!(
        "{plain}holds_more = \"more: {{measured}} after {{published}}\"\nholds_less = \"less\"\n"
    );
    for (means, against, says) in [
        (plain, Greater, "about 6.00"),
        (plain, Less, "about 6.00"),
        (&all, Equal, "about 6.00"),
        (&all, Greater, "more: 6.00 after 4.00"),
        (&all, Less, "less"),
    ] {
        let described = described(means, TWO).unwrap();
        // Only the second check has a published figure, so the first decides nothing.
        let checks = [
            judged(1.0, ClaimVerdict::Holds, Equal),
            judged(6.0, ClaimVerdict::Holds, against),
        ];
        let said = sentence(&described, &checks, ClaimVerdict::Holds);
        assert_eq!(said.as_deref(), Some(says), "{means}");
    }
}

#[test]
fn the_check_that_fails_and_its_side_choose_the_sentence_of_a_claim_that_does_not_hold() {
    use ClaimVerdict::{DoesNotHold, Holds};
    let checks = format!("{TWO}below = \"low: {{measured}}\"\nabove = \"high: {{measured}}\"\n");
    let described = described(BOTH, &checks).unwrap();
    for (first, second, says) in [
        ((0.5, DoesNotHold), (1.0, DoesNotHold), "No."),
        ((5.0, Holds), (1.0, DoesNotHold), "low: 1.00"),
        ((5.0, Holds), (133.0, DoesNotHold), "high: 133"),
    ] {
        let checks = [first, second].map(|(median, it)| judged(median, it, Ordering::Equal));
        let said = sentence(&described, &checks, DoesNotHold);
        assert_eq!(said.as_deref(), Some(says));
    }
}

#[test]
fn without_a_verdict_nothing_is_said() {
    let described = described(BOTH, TWO).unwrap();
    for verdict in [ClaimVerdict::CannotBeJudgedHere, ClaimVerdict::NotYet] {
        let checks = vec![judged(6.0, verdict, Ordering::Greater); 2];
        assert_eq!(sentence(&described, &checks, verdict), None);
    }
}

#[test]
fn a_share_is_said_in_per_cent() {
    let means = "holds = \"{measured} of the time\"\ndoes_not_hold = \"No.\"\n";
    let check = "[[check]]\nwhat = \"v\"\nfigure = \"system_share\"\nvalue = {}\nat_least = 0.1\n";
    let described = described(means, check).unwrap();
    let checks = [judged(0.46, ClaimVerdict::Holds, Ordering::Equal)];
    let said = sentence(&described, &checks, ClaimVerdict::Holds);
    assert_eq!(said.as_deref(), Some("46.0 % of the time"));
}

#[test]
fn a_ratio_below_one_is_said_in_per_cent_and_equality_in_a_word() {
    let means = "holds = \"{times} as much (published: {published})\"\ndoes_not_hold = \"No.\"\n";
    let check = "[[check]]\nwhat = \"v\"\nvalue = {}\nat_least = 0.1\npublished = 4\n";
    let described = described(means, check).unwrap();
    let said = |median: f64, published: f64| {
        let mut checks = [judged(median, ClaimVerdict::Holds, Ordering::Equal)];
        checks[0].check.published = Some(published);
        sentence(&described, &checks, ClaimVerdict::Holds).unwrap()
    };
    assert_eq!(said(1.9, 4.0), "1.90 times as much (published: 4.00 times)");
    assert_eq!(said(0.314, 0.14), "31.4 % as much (published: 14.0 %)");
    assert_eq!(said(1.002, 1.0), "just as much (published: 1.00 times)");
    assert_eq!(said(0.998, 4.0), "just as much (published: 4.00 times)");
    assert_eq!(said(0.987, 4.0), "98.7 % as much (published: 4.00 times)");
    assert_eq!(said(0.0, 4.0), "0 % as much (published: 4.00 times)");
}

#[test]
fn missing_sentences_and_figures_that_do_not_exist_are_refused_in_one_line() {
    let value = "[[check]]\nwhat = \"v\"\nvalue = {}\nat_least = 1\n";
    let below = format!("{value}below = \"{{old}}\"\n");
    let above = format!("{value}above = \"high\"\n");
    for (means, checks, says) in [
        ("", TWO, "missing field `holds`"),
        ("holds = \"Yes.\"\n", TWO, "missing field `does_not_hold`"),
        ("does_not_hold = \"No.\"\n", TWO, "missing field `holds`"),
        (&format!("{BOTH}more = \"\"\n"), TWO, "unknown field `more`"),
        (&BOTH.replace("Yes", "{ratio}"), TWO, "'{ratio}' in"),
        (&BOTH.replace("No", "{measured"), TWO, "never closed"),
        (&BOTH.replace("No", "{published}"), TWO, "no published"),
        (&BOTH.replace("Yes", "{published}"), value, "no published"),
        (&format!("{BOTH}holds_more = \"\"\n"), value, "holds_more"),
        (BOTH, &below, "'{old}' in"),
        (BOTH, &above, "above is never said without at_most"),
    ] {
        let wrong = described(means, checks).expect_err(means);
        assert!(wrong.starts_with("A1.toml"), "{wrong}");
        assert!(wrong.contains(says) && !wrong.contains('\n'), "{wrong}");
    }
    let nothing = parse("A1.toml", &format!("{HEAD}{TWO}")).unwrap_err();
    assert_eq!(
        nothing,
        "A1.toml: needs [means] with holds = \"...\" and does_not_hold = \"...\""
    );
    let later = "id = \"A1\"\ntitle = \"t\"\nclaim = \"c\"\nnot_yet = \"later\"\n\
        [source]\narticle = \"a\"\nyear = 1998\nmachine = \"m\"\n";
    assert!(parse("A1.toml", later).is_ok());
    let wrong = parse("A1.toml", &format!("{later}[means]\n{BOTH}")).unwrap_err();
    assert!(wrong.contains("no [means]"), "{wrong}");
}

/// Returns all sentences of a claim.
fn sentences(described: &Description) -> Vec<&str> {
    let means = described.means.iter();
    let variants = means
        .clone()
        .flat_map(|it| [&it.holds_more, &it.holds_less]);
    let sides = described.checks.iter();
    let sides = sides.flat_map(|check| [&check.below, &check.above]);
    let required = means.flat_map(|it| [&it.holds, &it.does_not_hold]);
    let all = required.chain(variants.chain(sides).flatten());
    all.map(String::as_str).collect()
}

#[test]
fn every_claim_that_can_be_run_answers_yes_or_no_in_at_most_two_sentences() {
    let mut answered = 0;
    for system in [System::Linux, System::Windows] {
        let carried = Catalogue::carried_on(system).unwrap();
        for described in carried.named(&[]).unwrap() {
            let (id, said) = (&described.id, sentences(described));
            assert_eq!(said.is_empty(), described.not_yet.is_some(), "{id}");
            answered += usize::from(!said.is_empty());
            for (outcome, begins) in described.means.iter().flat_map(|it| {
                let variants = it.holds_more.iter().chain(&it.holds_less);
                let yes = variants.chain([&it.holds]).map(|it| (it, "Yes, "));
                yes.chain([(&it.does_not_hold, "No, ")])
            }) {
                assert!(outcome.starts_with(begins), "{id}: {outcome}");
            }
            for sentence in said {
                let is_short = sentence.matches(". ").count() <= 1 && sentence.len() <= 230;
                assert!(is_short && sentence.ends_with('.'), "{id}: {sentence}");
            }
            for check in &described.checks {
                for side in check.below.iter().chain(&check.above) {
                    assert!(side.starts_with("No, "), "{id}: {side}");
                }
            }
        }
    }
    assert_eq!(answered, 2 * 48);
}

#[test]
fn every_sentence_carried_takes_its_figures() {
    use ClaimVerdict::{DoesNotHold, Holds};
    use Ordering::{Equal, Greater, Less};
    let carried = Catalogue::carried().unwrap();
    let claims = carried.named(&[]).unwrap();
    for described in claims.iter().filter(|it| it.not_yet.is_none()) {
        let all = |median: f64, verdict: ClaimVerdict, against| {
            let check = judged(median, verdict, against);
            vec![check; described.checks.len()]
        };
        let said = |checks: &[Judged], verdict| {
            let said = sentence(described, checks, verdict).expect("is said");
            assert!(!said.contains(['{', '}']), "{said}");
        };
        for against in [Less, Equal, Greater] {
            said(&all(1.0, Holds, against), Holds);
        }
        for failed in 0..described.checks.len() {
            for median in [-1e9, 1e9] {
                let mut checks = all(1.0, Holds, Equal);
                checks[failed] = judged(median, DoesNotHold, Equal);
                said(&checks, DoesNotHold);
            }
        }
    }
}
