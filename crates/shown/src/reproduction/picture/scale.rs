//! From values to places along an axis.

/// An axis for numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
    log: bool,
}

/// Values that are this many times apart, or more, get a logarithmic axis.
const WIDE: f64 = 8.0;

impl Scale {
    /// Returns an axis for quantities: from zero, or logarithmic if all are positive and far apart. `None` without values.
    pub fn for_amounts(values: &[f64]) -> Option<Self> {
        let (least, most) = ends(values)?;
        if least > 0.0 && most / least > WIDE {
            return Some(Self::log(least, most));
        }
        let high = if most > 0.0 { most * 1.08 } else { 1.0 };
        Some(Self {
            low: least.min(0.0),
            high,
            log: false,
        })
    }

    /// Returns an axis for ratios: logarithmic, unless a value is negative. Zeros lie at its beginning. `None` without values.
    pub fn for_ratios(values: &[f64]) -> Option<Self> {
        let (least, most) = ends(values)?;
        if least < 0.0 {
            let room = (most - least).max(most.abs()) * 0.08;
            return Some(Self {
                low: least - room,
                high: most + room,
                log: false,
            });
        }
        let positive: Vec<f64> = values.iter().copied().filter(|it| *it > 0.0).collect();
        let (least, most) = ends(&positive)?;
        Some(Self::log(least, most))
    }

    fn log(least: f64, most: f64) -> Self {
        Self {
            low: least / 1.3,
            high: most * 1.3,
            log: true,
        }
    }

    /// Returns the place of a value, from 0 to 1; values outside lie at the ends, and what is not a number at the beginning.
    pub fn place(&self, value: f64) -> f64 {
        let part = match self.log {
            true if value <= 0.0 => 0.0,
            true => (value / self.low).ln() / (self.high / self.low).ln(),
            false => (value - self.low) / (self.high - self.low),
        };
        match part.is_nan() {
            true => 0.0,
            false => part.clamp(0.0, 1.0),
        }
    }

    /// Returns the values to write at the axis.
    pub fn ticks(&self) -> Vec<f64> {
        let inside = |value: &f64| (self.low..=self.high).contains(value);
        if !self.log {
            let rough = (self.high - self.low) / 4.0;
            let power = 10_f64.powf(rough.log10().floor());
            let step = [1.0, 2.0, 5.0, 10.0].map(|by| by * power);
            let step = step.into_iter().find(|step| *step >= rough);
            let step = step.unwrap_or(rough);
            let first = (self.low / step).ceil() as i64;
            // The number of steps is at most four, but a value may not be a number.
            let all = (first..first.saturating_add(12)).map(|n| n as f64 * step);
            return all.filter(inside).collect();
        }
        let decades = (self.low.log10().floor() as i32)..=(self.high.log10().ceil() as i32);
        let wide = (self.high / self.low).log10();
        let by: &[f64] = if wide < 2.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let step = ((wide / 7.0).ceil() as i32).max(1);
        decades
            .filter(|decade| decade.rem_euclid(step) == 0)
            .flat_map(|decade| by.iter().map(move |by| by * 10_f64.powi(decade)))
            .filter(inside)
            .collect()
    }
}

fn ends(values: &[f64]) -> Option<(f64, f64)> {
    let finite = || values.iter().copied().filter(|value| value.is_finite());
    let least = finite().reduce(f64::min)?;
    Some((least, finite().reduce(f64::max)?))
}

/// Writes a value at an axis: `0.01`, `20`, `5k`, `2M`.
pub fn tick(value: f64) -> String {
    let (scaled, unit) = match value.abs() {
        1e9.. => (value / 1e9, "G"),
        1e6.. => (value / 1e6, "M"),
        1e3.. => (value / 1e3, "k"),
        _ => (value, ""),
    };
    match scaled.abs() {
        small if small > 0.0 && small < 1e-4 => format!("{scaled:.0e}"),
        _ => {
            // Rounded to 1e-6, so that 3 times 0.1 is not 0.30000000000000004.
            let rounded = (scaled * 1e6).round() / 1e6;
            format!("{rounded}{unit}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn amounts_begin_at_zero_unless_they_are_far_apart() {
        let near = Scale::for_amounts(&[10.0, 20.0]).unwrap();
        assert_eq!(near.place(0.0), 0.0);
        assert_eq!(near.ticks(), [0.0, 10.0, 20.0]);
        let far = Scale::for_amounts(&[10.0, 9000.0]).unwrap();
        assert_eq!(far.ticks(), [10.0, 100.0, 1000.0, 10_000.0]);
        // Equal ratios are equal distances.
        let step = far.place(100.0) - far.place(10.0);
        assert!((far.place(1000.0) - far.place(100.0) - step).abs() < 1e-9);
        assert_eq!(Scale::for_amounts(&[]), None);
        assert_eq!(Scale::for_ratios(&[0.0]), None);
    }

    #[test]
    fn values_at_an_axis_are_short() {
        let written: Vec<String> = [0.0, 0.1 * 3.0, 20.0, 5e3, 2e6, 1e-7].map(tick).to_vec();
        assert_eq!(written, ["0", "0.3", "20", "5k", "2M", "1e-7"]);
    }

    proptest! {
        #[test]
        fn every_value_has_a_place_and_order_is_kept(
            values in proptest::collection::vec(-1e6..1e9_f64, 1..9),
            ratios: bool,
        ) {
            let scale = if ratios { Scale::for_ratios(&values) } else { Scale::for_amounts(&values) };
            if let Some(scale) = scale {
                let mut sorted = values;
                sorted.sort_by(f64::total_cmp);
                let places: Vec<f64> = sorted.iter().map(|it| scale.place(*it)).collect();
                prop_assert!(places.iter().all(|it| (0.0..=1.0).contains(it)));
                prop_assert!(places.is_sorted());
                prop_assert!(scale.ticks().len() <= 24);
            }
        }
    }
}
