//! The answer of a comparison: how many rows changed in which direction, and the one that changed most.

use super::amounts::{amount, factor};
use locktoll_results::Kind;
use locktoll_results::comparison::{Comparison, Row, RowVerdict, Unit};
use locktoll_terminal::quantity::counted;

/// Returns the result in a sentence or two; the first one is the most important.
pub fn summary(it: &Comparison) -> Vec<String> {
    match it.kind {
        Kind::Reproduce => vec![claims(it)],
        Kind::Profile => [program(it), vec![rows(it)]].concat(),
        _ => vec![rows(it)],
    }
}

/// Describes in words a metric by which results are compared; for a rare one, returns its name in rules.
pub fn metric_words(metric: &str) -> &str {
    match metric {
        "ns_per_op" => "time per operation",
        "wait_ns" => "waiting time",
        "wait_ns_per_acquisition" => "wait per acquisition",
        "value_ns" => "price",
        "times_as_good_as_bare" => "result relative to bare",
        rare => rare,
    }
}

/// What a row is called, and how better and worse rows are described.
struct Words {
    one: &'static str,
    many: &'static str,
    better: &'static str,
    worse: &'static str,
}

fn words(it: &Comparison) -> Words {
    let (one, many) = match it.kind {
        Kind::Bench => ("measurement", "measurements"),
        Kind::Machine => ("price", "prices"),
        Kind::Profile | Kind::Try => ("lock", "locks"),
        _ => ("row", "rows"),
    };
    let figures = it.rows.iter().flat_map(|row| &row.metrics);
    let is_time = figures
        .into_iter()
        .any(|figure| figure.name == it.metric && figure.unit == Unit::Ns);
    let (better, worse) = match it.kind {
        Kind::Machine => ("lower", "higher"),
        Kind::Bench if is_time => ("faster", "slower"),
        Kind::Profile if it.metric == "wait_ns" => ("waited for less", "waited for more"),
        _ => ("better", "worse"),
    };
    Words {
        one,
        many,
        better,
        worse,
    }
}

/// Says how many rows have which outcome. For recordings, the row of the whole program is left out.
fn rows(it: &Comparison) -> String {
    let words = words(it);
    let rows: Vec<&Row> = it.rows.iter().filter(|row| row.key != "program").collect();
    let count = |verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    let (only_a, only_b) = (count(RowVerdict::OnlyA), count(RowVerdict::OnlyB));
    let both = rows.len() - only_a - only_b;
    let Words { one, many, .. } = words;
    let mut text = match both {
        0 => format!("The two files have no {one} in common."),
        _ => format!(
            "{} {}",
            outcome(&rows, both, &words, it),
            most(&rows, &words)
        ),
    };
    let one_side: Vec<String> = [(only_a, "A"), (only_b, "B")]
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .enumerate()
        .map(|(place, (number, side))| match place {
            0 => {
                let noun = counted(number as u64, one, many);
                let verb = if number == 1 { "is" } else { "are" };
                format!("{noun} {verb} only in {side}")
            }
            _ => format!("{number} only in {side}"),
        })
        .collect();
    if !one_side.is_empty() {
        text = format!("{} {}.", text.trim_end(), one_side.join(", "));
    }
    text.trim_end().to_owned()
}

/// `Of 6 measurements in both files, 2 are faster in B and 4 do not differ detectably.`
fn outcome(rows: &[&Row], both: usize, words: &Words, it: &Comparison) -> String {
    let count = |verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    let noun = counted(both as u64, words.one, words.many);
    let metric = metric_words(&it.metric);
    let same = count(RowVerdict::NoDifference);
    if same == both && rows.iter().any(|row| has_no_interval(row)) {
        return format!(
            "Of {noun} in both files, none can be judged: one run per side gives no interval."
        );
    }
    if same == both {
        return format!("Of {noun} in both files, none differs detectably in {metric}.");
    }
    let parts: Vec<String> = [
        (RowVerdict::Faster, format!("{} in B", words.better)),
        (RowVerdict::Slower, format!("{} in B", words.worse)),
        (RowVerdict::Changed, "changed in B".to_owned()),
        (RowVerdict::NotJudged, "not judged".to_owned()),
    ]
    .into_iter()
    .filter(|(verdict, _)| count(*verdict) > 0)
    .map(|(verdict, words)| format!("{} {words}", be(count(verdict))))
    .chain((same > 0).then(|| {
        let verb = if same == 1 { "does" } else { "do" };
        format!("{same} {verb} not differ detectably")
    }))
    .collect();
    format!("Of {noun} in both files, {}.", and(&parts))
}

/// `The largest change is mcs-park (list, 2 threads): faster in B, 0.58x the time per operation.`
fn most(rows: &[&Row], words: &Words) -> String {
    let largest = rows.iter().find(|row| {
        matches!(
            row.verdict,
            RowVerdict::Slower | RowVerdict::Faster | RowVerdict::Changed
        ) || row.verdict == RowVerdict::NoDifference && has_no_interval(row)
    });
    let Some((row, ratio)) = largest.and_then(|row| Some((row, row.ratio.as_ref()?))) else {
        return String::new();
    };
    let turned = match row.verdict {
        RowVerdict::Faster => format!("{} in B, ", words.better),
        RowVerdict::Slower => format!("{} in B, ", words.worse),
        _ => String::new(),
    };
    format!(
        "The largest change is {}: {turned}{} the {}.",
        named(row),
        factor(ratio),
        metric_words(&row.metric)
    )
}

/// Names a row, together with its setting if several rows have that name.
fn named(row: &Row) -> String {
    match row.key.strip_prefix(&row.name) {
        _ if row.name.is_empty() => row.key.clone(),
        Some(behind) if behind.starts_with(", ") => format!("{} ({})", row.name, &behind[2..]),
        _ => row.name.clone(),
    }
}

fn has_no_interval(row: &Row) -> bool {
    row.ratio.is_some_and(|ratio| ratio.confidence.is_none())
}

/// Describes the program as a whole.
fn program(it: &Comparison) -> Vec<String> {
    let row = it.rows.iter().find(|row| row.key == "program");
    let wait = row.and_then(|row| row.metrics.iter().find(|figure| figure.name == "wait_ns"));
    let Some((wait, a, b)) = wait.and_then(|wait| Some((wait, wait.a?, wait.b?))) else {
        return Vec::new();
    };
    let ratio = wait.ratio.as_ref().map(factor).unwrap_or_default();
    let judged = match wait.verdict {
        RowVerdict::Faster => "less in B",
        RowVerdict::Slower => "more in B",
        _ if wait.ratio.is_some_and(|ratio| ratio.confidence.is_none()) => {
            "one run per side proves no difference"
        }
        _ => "no detectable difference",
    };
    vec![format!(
        "The program waited {} for locks in A and {} in B ({ratio}): {judged}.",
        amount(wait.unit, a),
        amount(wait.unit, b)
    )]
}

fn claims(it: &Comparison) -> String {
    let claims: Vec<&Row> = it.rows.iter().filter(|row| row.note.is_some()).collect();
    let of = |verdict| -> Vec<&str> {
        let rows = claims.iter().filter(|row| row.verdict == verdict);
        rows.map(|row| row.key.as_str()).collect()
    };
    let all = counted(claims.len() as u64, "claim", "claims");
    if !of(RowVerdict::NotJudged).is_empty() {
        return format!("Of {all}, none can be judged, since a side is from a stand-in.");
    }
    let same = of(RowVerdict::NoDifference).len();
    if same == claims.len() {
        return format!("Of {all}, all have the same verdict in both files.");
    }
    let holds = |ids: &[&str]| if ids.len() == 1 { "holds" } else { "hold" };
    let mut parts: Vec<String> = Vec::new();
    for (verdict, words) in [
        (RowVerdict::Slower, "in A but not in B"),
        (RowVerdict::Faster, "in B but not in A"),
    ] {
        let ids = of(verdict);
        if !ids.is_empty() {
            let verb = holds(&ids);
            parts.push(format!("{} {verb} {words} ({})", ids.len(), ids.join(", ")));
        }
    }
    let one_side = of(RowVerdict::Changed);
    if !one_side.is_empty() {
        let number = one_side.len();
        parts.push(format!(
            "{number} could be judged on one side only ({})",
            one_side.join(", ")
        ));
    }
    if same > 0 {
        let verb = if same == 1 { "has" } else { "have" };
        parts.push(format!("{same} {verb} the same verdict in both"));
    }
    format!("Of {all}, {}.", and(&parts))
}

/// `1 is`, `2 are`
fn be(number: usize) -> String {
    format!("{number} {}", if number == 1 { "is" } else { "are" })
}

/// `a`, `a and b`, `a, b, and c`
fn and(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [one, other] => format!("{one} and {other}"),
        [others @ .., last] => format!("{}, and {last}", others.join(", ")),
    }
}
