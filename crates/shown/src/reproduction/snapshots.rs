//! Snapshot tests of the text of published claims, from made-up results.

use locktoll_lab::machine::Machine;
use locktoll_lab::stats::{Estimate, Modes, PlacementShare};

use crate::{Shown, merged_markdown, reproduction_markdown};
use locktoll_made_up::made_up::computer::made;
use locktoll_results::merged::{Difference, DifferenceKind, Merged, MergedClaim, MergedMachine};
use locktoll_results::reproduction::{
    Check, Claim, ClaimVerdict, FigureSource, FiguresFrom, Point, Published, Reproduction, Series,
    Source, TwoModes,
};

fn check(
    what: &str,
    bounds: (Option<f64>, Option<f64>),
    measured: Option<(f64, f64, f64)>,
    verdict: ClaimVerdict,
) -> Check {
    Check {
        what: what.to_owned(),
        at_least: bounds.0,
        at_most: bounds.1,
        published: bounds.0.map(|least| least * 1.5),
        measured: measured.map(|(low, median, high)| Estimate {
            median,
            low,
            high,
            n: 9,
        }),
        verdict,
        reason: None,
    }
}

fn claim(id: &str, verdict: ClaimVerdict, because: &str, checks: Vec<Check>) -> Claim {
    Claim {
        id: id.to_owned(),
        title: "A lock against another".to_owned(),
        claim: "One of the locks is several times as expensive as the other, which is a long sentence that has to be folded."
            .to_owned(),
        source: Source {
            article: "An article".to_owned(),
            year: 1998,
            machine: "a machine | with a bar".to_owned(),
        },
        published: vec![Published {
            what: "1 thread".to_owned(),
            figure: "9187 ms / 1781 ms = 5.2x".to_owned(),
            lines: Vec::new(),
        }],
        verdict,
        because: because.to_owned(),
        means: match verdict {
            ClaimVerdict::Holds => Some("Yes, one of the locks is still several times as expensive as the other, in this long sentence too.".to_owned()),
            ClaimVerdict::DoesNotHold => Some("No, both locks cost | the same now.".to_owned()),
            _ => None,
        },
        note: (id == "A1").then(|| "measured another way".to_owned()),
        commands: match checks.is_empty() {
            true => Vec::new(),
            false => vec!["locktoll bench --lock pthread".to_owned()],
        },
        warnings: match verdict {
            ClaimVerdict::CannotBeJudgedHere => vec!["other processes used 40 % of the machine's CPU time".to_owned()],
            _ => Vec::new(),
        },
        checks,
        measured_in: None,
        series: Vec::new(),
        figures_from: (id == "A1").then(|| FiguresFrom {
            source: FigureSource::Proc,
            refused: Some("needs CAP_BPF".to_owned()),
        }),
        rounds: Some(28),
        looks: (verdict == ClaimVerdict::CannotBeJudgedHere).then_some(3),
        two_modes: match verdict {
            ClaimVerdict::CannotBeJudgedHere => vec![TwoModes {
                cell: "std (list, 4 threads)".to_owned(),
                modes: Modes { low: 138.4, high: 301.2, in_low: 5, in_high: 4 },
            }],
            _ => Vec::new(),
        },
        placement: (verdict == ClaimVerdict::CannotBeJudgedHere).then_some(PlacementShare {
            share: 0.4,
            low: 0.0,
            high: 0.72,
            pairs: 18,
        }),
        duration_ns: 12_300_000_000,
    }
}

fn made_up() -> Reproduction {
    use ClaimVerdict::{CannotBeJudgedHere, DoesNotHold, Holds, NotYet};
    let machine = Machine {
        kernel: Some("6.1.0".to_owned()),
        libc: Some("glibc 2.36".to_owned()),
        cpu_model: Some("Imagined CPU".to_owned()),
        usable_cpus: vec![0, 1],
        virtual_machine: Some(true),
        quota_cpus: None,
        stand_in: None,
        ..Machine::observe()
    };
    let open = Check {
        reason: Some("the interval crosses the bound".to_owned()),
        ..check(
            "a over b, 8 threads",
            (None, Some(0.5)),
            Some((0.011, 0.45, 1234.5)),
            CannotBeJudgedHere,
        )
    };
    Reproduction {
        schema: "locktoll.reproduce/1".to_owned(),
        version: "0.0.0".to_owned(),
        made: Some(made()),
        machine,
        partial: false,
        claims: vec![
            claim(
                "A1",
                Holds,
                "all 2 checks lie within their bounds",
                vec![
                    check(
                        "a over b, 1 thread",
                        (Some(3.0), None),
                        Some((34.5, 51.6, 104.0)),
                        Holds,
                    ),
                    check(
                        "a over b, 2 threads",
                        (Some(0.8), Some(1.25)),
                        Some((0.9, 1.0, 1.1)),
                        Holds,
                    ),
                ],
            ),
            claim(
                "A2",
                DoesNotHold,
                "a over b: measured 1.10 (1.00 to 1.20), claimed at least 3",
                vec![check(
                    "a over b",
                    (Some(3.0), None),
                    Some((1.0, 1.1, 1.2)),
                    DoesNotHold,
                )],
            ),
            claim(
                "A10",
                CannotBeJudgedHere,
                "a over b, 8 threads: measured 0.0110 to 1235, claimed at most 0.5: the interval crosses the bound",
                vec![
                    open,
                    check("nothing", (Some(1.0), None), None, CannotBeJudgedHere),
                ],
            ),
            claim("C1", NotYet, "needs a part that is not there", Vec::new()),
        ],
    }
}

#[test]
fn the_page_for_a_terminal() {
    insta::assert_snapshot!(anstream::adapter::strip_str(&made_up().text()).to_string());
}

#[test]
fn the_page_for_a_repository() {
    insta::assert_snapshot!(reproduction_markdown(&made_up(), None).text);
}

/// The same claims on two machines; the first claim does not hold on the second.
fn merged() -> Merged {
    let one = made_up();
    let machine = |name: &str| MergedMachine {
        name: name.to_owned(),
        version: "0.0.0".to_owned(),
        made: Some(made()),
        machine: one.machine.clone(),
        partial: false,
    };
    let claims = one.claims.iter().enumerate().map(|(at, claim)| {
        let mut other = claim.clone();
        if at == 0 {
            other.verdict = ClaimVerdict::DoesNotHold;
            other.means = Some("No, not here.".to_owned());
        }
        MergedClaim {
            id: claim.id.clone(),
            title: claim.title.clone(),
            results: vec![Some(claim.clone()), (at != 1).then_some(other)],
        }
    });
    Merged {
        schema: "locktoll.reproduce-merged/1".to_owned(),
        version: "0.0.0".to_owned(),
        made: Some(made()),
        machines: vec![machine("Imagined, 2 CPUs (#1)"), machine("Imagined, 2 CPUs (#2)")],
        claims: claims.collect(),
        differences: vec![Difference {
            claim: "A1".to_owned(),
            kind: DifferenceKind::Verdict,
            check: None,
            what: "A1 (A lock against another): holds on Imagined, 2 CPUs (#1); does not hold on Imagined, 2 CPUs (#2)".to_owned(),
        }],
    }
}

#[test]
fn the_page_of_two_machines_for_a_terminal() {
    insta::assert_snapshot!(anstream::adapter::strip_str(&merged().text()).to_string());
}

#[test]
fn the_page_of_two_machines_for_a_repository() {
    let page = merged_markdown(&merged(), Some("claims"));
    insta::assert_snapshot!(page.text);
    let files: Vec<&str> = page
        .pictures
        .iter()
        .map(|(file, _)| file.as_str())
        .collect();
    assert_eq!(files, ["A1.svg", "A2.svg", "A10.svg"]);
}

#[test]
fn every_table_of_a_stand_in_says_what_it_is() {
    let wine = "Wine 8.0, not Windows";
    let mut result = made_up();
    result.machine.stand_in = Some(wine.to_owned());
    let text = anstream::adapter::strip_str(&result.text()).to_string();
    let text_lines: Vec<&str> = text.lines().collect();
    let tables = (text_lines.iter().enumerate())
        .filter(|(_, line)| line.starts_with("     check "))
        .map(|(at, _)| text_lines[at - 1].trim());
    let labels: Vec<&str> = tables.collect();
    assert_eq!(labels, ["Measured on Wine 8.0, not Windows:"; 3]);
    let page = reproduction_markdown(&result, None).text;
    let top = page.lines().take(8).collect::<Vec<_>>().join("\n");
    assert!(top.contains(&format!("**{wine}.**")), "{top}");
    let tables = page.lines().filter(|line| line.starts_with("| check"));
    let heads: Vec<&str> = tables.collect();
    assert_eq!(heads.len(), 3);
    assert!(
        heads
            .iter()
            .all(|head| head.contains(&format!("measured ({wine})"))),
        "{heads:?}"
    );
    assert_eq!(result.json().unwrap()["machine"]["stand_in"], wine);
    // On the real thing there is no such line.
    assert!(!made_up().text().contains("Measured on"));
}

/// A claim that was measured in a guest, with the waits of both hosts from 2^14 on.
fn measured_in_a_guest() -> Reproduction {
    let host = |name: &str, counts: [u32; 4]| Series {
        name: name.to_owned(),
        x_name: "cycles, from".to_owned(),
        unit: "waits in 9 rounds of 500 ms".to_owned(),
        points: (14..)
            .zip(counts)
            .map(|(power, count)| Point {
                x: format!("2^{power}"),
                y: Some(Estimate {
                    median: f64::from(count),
                    low: f64::from(count),
                    high: f64::from(count),
                    n: 1,
                }),
            })
            .collect(),
    };
    let mut result = made_up();
    result.claims.truncate(1);
    result.claims[0].measured_in = Some("an emulated virtual machine (QEMU | 7.2)".to_owned());
    result.claims[0].series = vec![
        host("host idle", [206, 58, 0, 0]),
        host("host busy", [96, 1032, 0, 11]),
    ];
    result
}

#[test]
fn both_histograms_of_a_guest_are_next_to_each_other() {
    let result = measured_in_a_guest();
    let text = anstream::adapter::strip_str(&result.text()).to_string();
    let block = text.split("\n\n").nth(1).unwrap();
    let markdown = reproduction_markdown(&result, None).text;
    let section = markdown.split("\n## ").nth(1).unwrap();
    insta::assert_snapshot!(format!("{block}\n\n{section}"));
}

#[test]
fn histograms_fit_into_a_narrow_terminal() {
    let mut page = String::new();
    measured_in_a_guest().write(&mut page, 70).unwrap();
    let page = anstream::adapter::strip_str(&page).to_string();
    let rows: Vec<&str> = page.lines().filter(|line| line.contains("2^")).collect();
    assert_eq!(rows.len(), 4, "{page}");
    assert!(rows.iter().all(|row| row.len() <= 70), "{page}");
}
