//! Metrics, ratios and verdicts in words.

use locktoll_lab::stats::Estimate;

use crate::table::dash;
use locktoll_results::trial::{
    Better as TrialBetter, Dropped, Metric, MetricSource, TrialRow, Verdict, WhyDropped,
};
use locktoll_terminal::quantity::{counted, duration, rate};

/// Returns how many times as good as bare it is: above 1 is better, whichever direction is better for the metric.
pub fn gain(metric: &Metric, ratio: Estimate) -> Estimate {
    match metric.better {
        TrialBetter::Higher => ratio,
        TrialBetter::Lower => Estimate {
            median: 1.0 / ratio.median,
            low: 1.0 / ratio.high,
            high: 1.0 / ratio.low,
            n: ratio.n,
        },
    }
}

/// Formats a factor: `1.62x`, `0.043x`, or a dash for an invalid one, from a document that locktoll did not write.
pub fn factor(value: f64) -> String {
    match number(value) {
        None => dash(),
        Some(number) => format!("{number}x"),
    }
}

fn number(value: f64) -> Option<String> {
    if !value.is_finite() || value < 0.0 {
        return None;
    }
    Some(match value {
        ..0.0005 => "<0.001".to_owned(),
        ..0.0995 => format!("{value:.3}"),
        ..9.995 => format!("{value:.2}"),
        ..99.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    })
}

/// Formats both bounds of a factor, or a dash if there was only one round.
pub fn bounds(estimate: Estimate) -> String {
    match (number(estimate.low), number(estimate.high)) {
        (Some(low), Some(high)) if estimate.n > 1 => format!("{low} .. {high}"),
        _ => dash(),
    }
}

/// Formats the metric's value in its unit.
pub fn value(metric: &Metric, value: f64) -> String {
    match metric.source {
        MetricSource::WallTime => duration(value),
        MetricSource::Output if value < 0.0 => format!("-{}", rate(-value)),
        MetricSource::Output => rate(value),
    }
}

/// Describes the outcome for a candidate; time has its own words.
pub fn verdict(metric: &Metric, row: &TrialRow) -> String {
    if let Some(dropped) = &row.dropped {
        return short(metric, dropped);
    }
    let is_time = metric.source == MetricSource::WallTime;
    match row.verdict {
        Some(Verdict::Faster) if is_time => "faster".to_owned(),
        Some(Verdict::Slower) if is_time => "slower".to_owned(),
        Some(Verdict::Faster) => "better".to_owned(),
        Some(Verdict::Slower) => "worse".to_owned(),
        Some(Verdict::NoDifference) => "no difference".to_owned(),
        Some(Verdict::NotJudged) => not_judged(row),
        None => dash(),
    }
}

/// With too few rounds there is no verdict, whatever the figures are.
fn not_judged(row: &TrialRow) -> String {
    let rounds = row.ratio_to_bare.map_or(0, |ratio| ratio.n);
    let rounds = counted(rounds as u64, "round", "rounds");
    match row.rounds_needed {
        Some(needed) => format!("not judged: {rounds} ({needed} needed)"),
        None => format!("not judged: {rounds}"),
    }
}

fn short(metric: &Metric, dropped: &Dropped) -> String {
    match &dropped.why {
        WhyDropped::ClearlyWorse => match metric.source {
            MetricSource::WallTime => "far slower".to_owned(),
            MetricSource::Output => "far worse".to_owned(),
        },
        WhyDropped::Signal { name, .. } => name.clone(),
        WhyDropped::ExitCode { code, .. } => format!("exit code {code}"),
        WhyDropped::TimeLimit { .. } => "time limit".to_owned(),
        WhyDropped::Load { .. } => "load failed".to_owned(),
        WhyDropped::NotReplaced { .. } => "not replaced".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(median: f64, low: f64, high: f64) -> Estimate {
        Estimate {
            median,
            low,
            high,
            n: 12,
        }
    }

    fn metric(better: TrialBetter) -> Metric {
        Metric {
            source: MetricSource::Output,
            pattern: None,
            better,
        }
    }

    #[test]
    fn above_one_is_better_whichever_way_the_metric_points() {
        let less = gain(&metric(TrialBetter::Lower), ratio(0.5, 0.4, 0.8));
        assert_eq!((less.median, less.low, less.high), (2.0, 1.25, 2.5));
        let more = gain(&metric(TrialBetter::Higher), ratio(2.0, 1.25, 2.5));
        assert_eq!((more.median, more.low, more.high), (2.0, 1.25, 2.5));
    }

    #[test]
    fn factors_keep_their_digits_and_nonsense_is_a_dash() {
        for (value, expected) in [
            (1.0, "1.00x"),
            (1.6249, "1.62x"),
            (0.0432, "0.043x"),
            (0.0001, "<0.001x"),
            (12.34, "12.3x"),
            (1234.5, "1234x"),
            (f64::INFINITY, "-"),
            (f64::NAN, "-"),
            (-1.0, "-"),
        ] {
            assert_eq!(factor(value), expected, "{value}");
        }
        assert_eq!(bounds(ratio(1.0, 0.981, 1.02)), "0.98 .. 1.02");
        let one = Estimate {
            n: 1,
            ..ratio(1.0, 1.0, 1.0)
        };
        assert_eq!(bounds(one), "-");
    }

    #[test]
    fn figures_below_zero_keep_their_sign() {
        assert_eq!(value(&metric(TrialBetter::Higher), -1250.0), "-1.25 k");
    }
}
