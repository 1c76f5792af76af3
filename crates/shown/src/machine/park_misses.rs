//! Cache misses of threads that only park and unpark each other, in one sentence or two.

use locktoll_lab::probe::{MissesFoundBy, ParkMisses};
use locktoll_terminal::quantity::price;

/// Returns the figure with its source, or why there is none.
pub fn park_misses_line(parks: &ParkMisses) -> String {
    const SUBJECT: &str = "Threads that only park and unpark each other";
    let Some(figure) = parks.per_switch else {
        let reason = parks.refused.as_deref().unwrap_or("not measured");
        return format!("{SUBJECT}: no figure for cache misses: {reason}.");
    };
    let number = |misses: f64| match misses {
        0.0 => "0".to_owned(),
        ..0.1 => format!("{misses:.4}"),
        _ => format!("{misses:.2}"),
    };
    let figure = format!(
        "{SUBJECT}: {} cache misses a switch ({} to {})",
        number(figure.median),
        number(figure.low),
        number(figure.high)
    );
    match (parks.found_by, parks.scale) {
        (Some(MissesFoundBy::Time), Some(scale)) => {
            let in_last = scale.displaced_ns.map_or_else(String::new, |ns| {
                format!(", and a load from the last cache {}", price(ns))
            });
            format!(
                "{figure}. A load counts as a miss from {} on; a load of a flushed line takes {}{in_last}. A switch uses some {:.0} lines.",
                price(scale.from_ns),
                price(scale.missed_ns),
                scale.lines_of_a_switch
            )
        }
        _ => format!("{figure}, counted by the processor."),
    }
}

#[cfg(test)]
mod tests {
    use locktoll_lab::probe::AccessScale;
    use locktoll_lab::stats::Estimate;

    use super::*;

    #[test]
    fn each_source_is_named_and_a_missing_figure_has_its_reason() {
        let figure = |median| Estimate {
            median,
            low: 0.0,
            high: 0.2,
            n: 9,
        };
        let counted = ParkMisses {
            per_switch: Some(figure(0.14)),
            found_by: Some(MissesFoundBy::Counter),
            ..ParkMisses::default()
        };
        assert_eq!(
            park_misses_line(&counted),
            "Threads that only park and unpark each other: 0.14 cache misses a switch (0 to 0.20), counted by the processor."
        );
        let timed = ParkMisses {
            per_switch: Some(figure(0.0012)),
            found_by: Some(MissesFoundBy::Time),
            scale: Some(AccessScale {
                displaced_ns: Some(40.0),
                missed_ns: 120.0,
                from_ns: 80.0,
                ..AccessScale::default()
            }),
            ..ParkMisses::default()
        };
        let line = park_misses_line(&timed);
        assert!(
            line.contains(
                ": 0.0012 cache misses a switch (0 to 0.20). A load counts as a miss from 80"
            ),
            "{line}"
        );
        let refused = ParkMisses {
            refused: Some("the clock is too coarse".to_owned()),
            ..ParkMisses::default()
        };
        assert_eq!(
            park_misses_line(&refused),
            "Threads that only park and unpark each other: no figure for cache misses: the clock is too coarse."
        );
    }
}
