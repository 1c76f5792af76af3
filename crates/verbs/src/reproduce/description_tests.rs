//! Tests of [`super::description`].

use super::description::parse;

const HEAD: &str = "id = \"A1\"\ntitle = \"t\"\nclaim = \"c\"\nseconds = 1\n";
const SOURCE: &str = "[source]\narticle = \"a\"\nyear = 1998\nmachine = \"m\"\n";
const MEANS: &str = "[means]\nholds = \"Yes.\"\ndoes_not_hold = \"No.\"\n";
const RUN: &str = "[[run]]\nbench = \"--lock pthread\"\n";
const CHECK: &str = "[[check]]\nwhat = \"w\"\nvalue = { threads = 1 }\nat_least = 1\n";

fn wrong(text: &str) -> String {
    let wrong = parse("A1.toml", text).expect_err(text);
    assert!(wrong.starts_with("A1.toml"), "{wrong}");
    assert!(!wrong.contains('\n'), "{wrong}");
    wrong
}

#[test]
fn a_right_one_is_read() {
    let described = parse("A1.toml", &format!("{HEAD}{SOURCE}{MEANS}{RUN}{CHECK}")).unwrap();
    assert_eq!((described.id.as_str(), described.checks.len()), ("A1", 1));
    let other = parse(
        "A1.toml",
        &format!("{HEAD}{SOURCE}{MEANS}{RUN}{CHECK}# a comment"),
    )
    .unwrap();
    assert_ne!(described.fingerprint, other.fingerprint);
}

#[test]
fn what_is_wrong_is_said_in_one_line() {
    for (text, says) in [
        ("", "missing field"),
        ("id = ", "line 1"),
        (&format!("{HEAD}seconds = 2\n"), "line 5"),
        (
            &format!("{HEAD}{SOURCE}{RUN}{CHECK}tolerance = 1\n"),
            "unknown field `tolerance`",
        ),
        (&format!("{HEAD}{SOURCE}"), "[[run]]"),
        (&format!("{HEAD}{SOURCE}{RUN}"), "[[check]]"),
        (
            &format!("{HEAD}not_yet = \"later\"\n{SOURCE}{RUN}{CHECK}"),
            "not_yet",
        ),
        (
            &format!("{HEAD}{SOURCE}{RUN}{RUN}{CHECK}"),
            "each needs a name",
        ),
        (
            &format!("{HEAD}{SOURCE}[[run]]\nname = \"x\"\n{CHECK}"),
            "one of bench, live, kernel, guest and machine",
        ),
        (
            &format!("{HEAD}{SOURCE}{RUN}{CHECK}at_most = 0\n"),
            "at_least 1 is more than at_most 0",
        ),
        (
            &format!("{HEAD}{SOURCE}{RUN}[[check]]\nwhat = \"w\"\nat_least = 1\n"),
            "one of value, ratio",
        ),
        (
            &format!("{HEAD}{SOURCE}{RUN}{CHECK}figure = \"switches_by_slice\"\n"),
            "at_most alone",
        ),
        (
            &format!(
                "{HEAD}{SOURCE}{RUN}[[check]]\nwhat = \"w\"\norder = [{{}}, {{}}]\nat_most = 1\n"
            ),
            "at_least alone",
        ),
        (
            &format!("{HEAD}{SOURCE}{RUN}[[check]]\nwhat = \"w\"\nvalue = {{}}\n"),
            "needs at_least, at_most or both",
        ),
        (
            &format!("{HEAD}{SOURCE}{RUN}{CHECK}figure = \"nanoseconds\"\n"),
            "unknown variant `nanoseconds`",
        ),
        (
            &format!("{}{SOURCE}{RUN}{CHECK}", HEAD.replace("A1", "a1")),
            "id 'a1'",
        ),
        (
            &format!("{}{SOURCE}{RUN}{CHECK}", HEAD.replace("= 1", "= -1")),
            "seconds",
        ),
    ] {
        let wrong = wrong(text);
        assert!(wrong.contains(says), "{wrong}: not {says}");
    }
}

#[test]
fn published_points_are_checked() {
    let with = |lines: &str| {
        let published = format!("[[published]]\nwhat = \"w\"\nfigure = \"f\"\nline = [{lines}]\n");
        format!("{HEAD}{SOURCE}{published}{MEANS}{RUN}{CHECK}")
    };
    let line = |name: &str, measured: &str, points: &str| {
        format!("{{ name = \"{name}\", {measured}unit = \"ns/op\", points = [{points}] }}")
    };
    let one = line("a", "", "{ x = 1, y = 2.5 }, { x = 2, y = 3 }");
    let described = parse("A1.toml", &with(&one)).unwrap();
    let points = &described.published[0].lines[0].points;
    assert_eq!((points[0].x.as_str(), points[1].y), ("1", 3.0));
    let here = "measured = \"pthread\", ";
    let two = [
        line("a", here, "{ x = 1, y = 2 }"),
        line("b", here, "{ x = 1, y = 3 }"),
    ];
    assert!(parse("A1.toml", &with(&two.join(", "))).is_ok());
    for (lines, says) in [
        (line("a", "", ""), "has no points"),
        (line("", "", "{ x = 1, y = 2 }"), "needs a name"),
        (
            line("a", "", "{ x = 1, y = 0 }"),
            "y = 0 at 1; accepted: a number above 0",
        ),
        (
            line("a", "", "{ x = 1, y = nan }"),
            "accepted: a number above 0",
        ),
        (
            line("a", "", "{ x = 1, y = 2 }, { x = 1, y = 3 }"),
            "two points at 1",
        ),
        (
            line("a", "", "{ x = 1, y = 2 }, { x = \"two\", y = 3 }"),
            "must be numbers, or all must be words",
        ),
        (
            line("a", "measured = \"std\", ", "{ x = 1, y = 2 }"),
            "measured = 'std'",
        ),
        (
            [one.clone(), line("b", "", "{ x = 1, y = 2 }")].join(", "),
            "needs it in each",
        ),
        (
            [
                one.clone(),
                one.replace("ns/op", "us/op").replace("x = ", "x = 1"),
            ]
            .join(", "),
            "one unit",
        ),
        (line("a", "", "{ x = [1], y = 2 }"), "a number or a word"),
    ] {
        let wrong = wrong(&with(&lines));
        assert!(wrong.contains(says), "{wrong}: not {says}");
    }
}

proptest::proptest! {
    #[test]
    fn any_text_is_read_or_refused_in_one_line(text in "(id|run|check|=|\\[|\\]|\"|[a-z0-9 .]|\n){0,60}") {
        if let Err(wrong) = parse("x.toml", &text) {
            proptest::prop_assert!(!wrong.contains('\n'), "{}", wrong);
        }
    }
}
