//! Tests of pictures, on made-up claims.

use locktoll_lab::stats::Estimate;
use locktoll_made_up::made_up;
use locktoll_results::reproduction::{Claim, ClaimVerdict};
use locktoll_results::{PublishedLine, PublishedPoint};
use proptest::prelude::*;

use super::{View, overlay, picture};

fn line(name: &str, measured: Option<&str>, unit: &str, points: &[(&str, f64)]) -> PublishedLine {
    let point = |(x, y): &(&str, f64)| PublishedPoint {
        x: (*x).to_owned(),
        y: *y,
    };
    PublishedLine {
        name: name.to_owned(),
        measured: measured.map(str::to_owned),
        unit: unit.to_owned(),
        points: points.iter().map(point).collect(),
    }
}

/// Returns the first made-up claim, with the numbers of its publication.
fn claim() -> Claim {
    let mut claim = made_up::reproduction().claims.remove(0);
    let at = |place: &str, kernel: f64, user: f64| {
        vec![
            line("kernel lock", Some("sysv-sem"), "ns/op", &[(place, kernel)]),
            line(
                "user-first lock",
                Some("pthread"),
                "ns/op",
                &[(place, user)],
            ),
        ]
    };
    claim.published[0].lines = at("1", 918.7, 178.1);
    claim.published[1].lines = at("2", 2907.8, 2679.7);
    claim
}

fn view(claim: &Claim) -> View<'_> {
    View {
        machine: None,
        claim,
    }
}

/// Returns the elements of a picture with their classes, and all of its text.
fn parsed(svg: &str) -> (Vec<String>, String) {
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_str(svg);
    let (mut elements, mut text) = (Vec::new(), String::new());
    loop {
        match reader.read_event().expect("well-formed XML") {
            Event::Start(tag) | Event::Empty(tag) => {
                let class = tag.try_get_attribute("class").unwrap();
                let class = class.map_or(String::new(), |it| {
                    String::from_utf8(it.value.into_owned()).unwrap()
                });
                let name = String::from_utf8(tag.name().as_ref().to_vec()).unwrap();
                elements.push(format!("{name} {class}"));
            }
            Event::Text(words) => text.push_str(&words.decode().unwrap()),
            Event::GeneralRef(entity) => text.push_str(&format!("&{};", entity.decode().unwrap())),
            Event::Eof => return (elements, text),
            _ => {}
        }
    }
}

#[test]
fn the_picture_of_a_claim() {
    insta::assert_snapshot!(picture(&[view(&claim())]).unwrap());
}

#[test]
fn the_picture_of_a_claim_on_two_machines() {
    let (a, b) = (claim(), claim());
    let mut b = Claim {
        verdict: ClaimVerdict::Holds,
        ..b
    };
    b.checks[1].verdict = ClaimVerdict::Holds;
    b.checks[1].measured = Some(Estimate {
        median: 1.2,
        low: 1.1,
        high: 1.3,
        n: 9,
    });
    let on = |machine, claim| View {
        machine: Some(machine),
        claim,
    };
    let svg = picture(&[on("Imagined CPU", &a), on("Other CPU", &b)]).unwrap();
    insta::assert_snapshot!(svg);
}

#[test]
fn published_lines_are_dashed_and_keep_their_shape() {
    let claim = claim();
    let group: Vec<_> = claim.series.iter().collect();
    let overlay = overlay(&claim, &group).unwrap();
    assert_eq!(overlay.lines.len(), 2);
    assert_eq!(
        overlay.lines[0].0.points.len(),
        2,
        "parts of one line are joined"
    );
    let measured = claim.series[0].points[0].y.unwrap().median;
    assert!((overlay.factor * 918.7 - measured).abs() < 1e-9);
    let (elements, text) = parsed(&picture(&[view(&claim)]).unwrap());
    let count = |what: &str| elements.iter().filter(|it| *it == what).count();
    assert_eq!(count("polyline line dash s0"), 1);
    assert_eq!(count("polyline line s0"), 1);
    assert!(
        text.contains("the point of 'kernel lock' at 1 (threads) lies on the measured one"),
        "{text}"
    );
}

#[test]
fn a_line_has_a_gap_where_nothing_was_measured() {
    let mut claim = claim();
    let lines = |claim: &Claim| {
        let (elements, _) = parsed(&picture(&[view(claim)]).unwrap());
        elements
            .iter()
            .filter(|it| *it == "polyline line s1")
            .count()
    };
    assert_eq!(lines(&claim), 1);
    claim.series[1].points[3].y = None;
    assert_eq!(lines(&claim), 2);
}

#[test]
fn shares_are_drawn_as_they_are_and_places_that_nobody_measured_are_not_scaled() {
    let mut claim = claim();
    for published in &mut claim.published {
        published.lines.clear();
    }
    claim.published[0].lines = vec![line("p", None, "share of all", &[("1", 0.5)])];
    let scaled = |claim: &Claim| {
        let group: Vec<_> = claim.series.iter().collect();
        overlay(claim, &group).map(|it| (it.factor, it.fixed_at))
    };
    assert_eq!(scaled(&claim), Some((1.0, None)));
    claim.published[0].lines = vec![line("p", None, "ns/op", &[("3", 0.5)])];
    assert_eq!(scaled(&claim), None);
    claim.published[0].lines = vec![line("p", Some("mcs"), "ns/op", &[("1", 0.5)])];
    assert_eq!(scaled(&claim), None);
}

#[test]
fn a_claim_without_figures_has_no_picture() {
    let claims = made_up::reproduction().claims;
    let none = claims.iter().find(|it| it.verdict == ClaimVerdict::NotYet);
    assert_eq!(picture(&[view(none.unwrap())]), None);
}

#[test]
fn what_is_seen_is_also_said() {
    let (_, text) = parsed(&picture(&[view(&claim())]).unwrap());
    for words in [
        "A1 Kernel lock or user-first lock",
        "Does not hold.",
        "Published, kernel lock, ns/op: 1 919; 2 2908.",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

proptest! {
    #[test]
    fn any_text_and_any_figures_make_well_formed_xml(
        text in "\\PC{0,20}|[<>&\"'\\x00-\\x1f]{1,9}",
        values in proptest::collection::vec(proptest::num::f64::ANY, 12),
        places in proptest::collection::vec("[0-9]{1,3}|2\\^[0-9]|[a-z<]{1,3}", 4),
    ) {
        let mut claim = claim();
        claim.title = text.clone();
        claim.series[0].name = text.clone();
        claim.checks[0].what = text.clone();
        claim.published[0].lines[0].name = text;
        let mut values = values.into_iter();
        let mut next = || values.next().unwrap();
        for (point, place) in claim.series[0].points.iter_mut().zip(&places) {
            point.x = place.clone();
            point.y = Some(Estimate { median: next(), low: next(), high: next(), n: 9 });
        }
        let svg = picture(&[view(&claim)]).unwrap();
        let (elements, _) = parsed(&svg);
        prop_assert!(elements.len() > 10);
        prop_assert!(!svg.contains("=\"NaN") && !svg.contains("=\"inf"), "{}", svg);
        prop_assert_eq!(picture(&[view(&claim)]).unwrap(), svg);
    }
}
