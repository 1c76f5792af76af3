//! A row's trend, as small bars.

use crate::top::model::Trend;

/// The lowest bar means no waiters at all; an unknown value has no bar.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Returns one bar for each interval; the highest of the row is full.
pub fn bars(trend: &Trend) -> String {
    let most = trend.iter().flatten().fold(0.0, |a: f64, b| a.max(*b));
    let bar = |waiters: &Option<f64>| match waiters {
        None => ' ',
        Some(waiters) if *waiters > 0.0 => {
            let steps = (BARS.len() - 1) as f64;
            let step = (waiters / most * steps).ceil() as usize;
            BARS[step.clamp(1, BARS.len() - 1)]
        }
        Some(_) => BARS[0],
    };
    trend.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_the_lowest_bar_and_not_known_is_none() {
        let trend = [
            None,
            None,
            Some(0.0),
            Some(1e-9),
            Some(1.0),
            Some(2.0),
            Some(4.0),
            Some(0.0),
        ];
        assert_eq!(bars(&trend), "  ▁▂▃▅█▁");
        assert_eq!(bars(&Trend::default()).trim(), "");
        assert_eq!(bars(&[Some(0.0); 8]), "▁▁▁▁▁▁▁▁");
    }
}
