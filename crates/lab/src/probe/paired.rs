//! Figures derived from several probes.

use crate::stats::{Estimate, estimate};

use super::series::{Batch, LEAST_ROUNDS, Series};

/// Computes a figure from several probes, round by round, so that drift of the machine cancels out.
///
/// # Errors
/// The reason why there is no figure: the first among the probes.
pub(super) fn paired<const N: usize>(
    series: [&Series; N],
    figure: impl Fn([&Batch; N]) -> f64,
) -> Result<Estimate, String> {
    paired_slice(&series, |batches| {
        figure(std::array::from_fn(|index| batches[index]))
    })
}

/// Does the same for a number of probes that is not known at compile time.
pub(super) fn paired_slice(
    series: &[&Series],
    figure: impl Fn(&[&Batch]) -> f64,
) -> Result<Estimate, String> {
    if let Some(reason) = series.iter().find_map(|one| one.refusal()) {
        return Err(reason);
    }
    let rounds = series
        .iter()
        .map(|one| one.rounds().len())
        .min()
        .unwrap_or(0);
    let figures: Vec<f64> = (0..rounds)
        .filter_map(|round| {
            let batches: Option<Vec<&Batch>> = series
                .iter()
                .map(|one| one.rounds()[round].as_ref())
                .collect();
            batches.map(|batches| figure(&batches))
        })
        .collect();
    if figures.len() < LEAST_ROUNDS {
        return Err(format!(
            "only {} rounds in which all of its parts have a figure",
            figures.len()
        ));
    }
    estimate(&figures).ok_or_else(|| "a part of it was not measurable".into())
}

#[cfg(test)]
mod tests {
    use super::super::count::Count;
    use super::*;

    fn batch(ns: f64) -> Batch {
        Batch {
            units: 1000,
            ns,
            switches: Count::default(),
        }
    }

    #[test]
    fn differences_are_taken_round_by_round() {
        let (mut whole, mut part) = (Series::new(None), Series::new(None));
        for drift in 1..=9 {
            let drift = f64::from(drift) * 100.0;
            whole.push(Some(batch(drift + 30.0)));
            part.push(Some(batch(drift)));
        }
        let difference = paired([&whole, &part], |[whole, part]| whole.ns - part.ns).unwrap();
        assert_eq!((difference.low, difference.high), (30.0, 30.0));
    }

    #[test]
    fn a_refused_part_refuses_the_sum() {
        let whole = Series::steady(None, 100.0, 0.0);
        let part = Series::refused(None, "no such call");
        assert_eq!(
            paired([&whole, &part], |[a, b]| a.ns - b.ns).unwrap_err(),
            "no such call"
        );
    }
}
