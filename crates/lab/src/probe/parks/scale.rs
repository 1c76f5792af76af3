//! Which times of a load are those of a cache miss, on this machine.

use super::access::CAN_FLUSH;
use super::displacer::Displacer;
use super::lines::{Before, Lines};
use super::switch_lines::lines_of_a_switch;
use crate::clock::Clock;
use crate::probe::AccessScale;

/// How often each kind of load is timed, for all lines.
const TIMES: usize = 24;

/// A load that takes this many times as long as the usual miss was interrupted.
const INTERRUPTED: f64 = 8.0;

/// Where the limit of a miss lies between a cached load and a missed one: nearer to the miss, since the last cache lies in between.
const LIMIT_AT: f64 = 0.75;

/// How many times as long a miss must take as a cached load.
const APART: f64 = 1.5;

/// Loads whose times differ from the limit by less than this share are near it, and so many of the displaced lines' may be.
const NEAR: f64 = 0.1;
const NEAR_AT_MOST: f64 = 0.2;

/// The share of flushed lines whose loads must count as misses.
const RECOGNISED_AT_LEAST: f64 = 0.8;
/// The share of lines just used whose loads must count as hits.
const CACHED_AT_LEAST: f64 = 0.99;

/// What the time of a load says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loaded {
    /// The line was in a cache.
    Hit,
    /// It came from memory.
    Miss,
    /// Something else took the time.
    Interrupted,
}

/// The limits between times, in ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    from: u64,
    to: u64,
}

impl Scale {
    /// A load that takes `from` ticks or more, and less than `to`, is a miss.
    #[cfg(test)]
    pub(super) fn of_ticks(from: u64, to: u64) -> Self {
        Self { from, to }
    }

    /// Returns what a load of this many ticks was.
    #[inline(always)]
    pub(super) fn classify(&self, ticks: u64) -> Loaded {
        match ticks {
            _ if ticks >= self.to => Loaded::Interrupted,
            _ if ticks >= self.from => Loaded::Miss,
            _ => Loaded::Hit,
        }
    }
}

/// Times of loads in ticks, by where the line was.
#[derive(Clone, Debug, Default)]
pub(super) struct Samples {
    cached: Vec<u64>,
    displaced: Vec<u64>,
    missed: Vec<u64>,
}

/// Measures the scale on the CPU of the calling thread.
///
/// # Errors
/// The reason why a miss cannot be recognised by its time here.
pub(super) fn measure(
    clock: &Clock,
    displacer: &mut Displacer,
) -> Result<(Scale, AccessScale), String> {
    if !CAN_FLUSH {
        return Err("no way is known to remove a line from this processor's caches".to_owned());
    }
    let mut lines = Lines::map()?;
    let mut samples = Samples::default();
    for _ in 0..TIMES {
        samples.cached.extend(lines.time_each(clock, Before::Load));
        samples.missed.extend(lines.time_each(clock, Before::Flush));
        // The loads after a flush have brought the lines back.
        displacer.displace();
        let displaced = lines.time_each(clock, Before::Nothing);
        samples.displaced.extend(displaced);
    }
    let (scale, shown) = of(&samples, |ticks| clock.ns(ticks))?;
    let line_ns = clock.ns(samples.mean_of_displaced(scale)) - shown.cached_ns;
    let lines_of_a_switch = lines_of_a_switch(displacer, line_ns)?;
    Ok((
        scale,
        AccessScale {
            lines_of_a_switch,
            ..shown
        },
    ))
}

impl Samples {
    /// Returns the mean time of a load of a displaced line, interrupted ones left out.
    fn mean_of_displaced(&self, scale: Scale) -> u64 {
        let times = self.displaced.iter().copied();
        let whole = times.filter(|ticks| scale.classify(*ticks) != Loaded::Interrupted);
        let (sum, number) = whole.fold((0, 0), |(sum, number), ticks| (sum + ticks, number + 1));
        sum / number.max(1)
    }
}

/// Returns the scale of these samples.
///
/// # Errors
/// If they overlap.
fn of(samples: &Samples, ns: impl Fn(u64) -> f64) -> Result<(Scale, AccessScale), String> {
    let (cached, missed) = (median(&samples.cached), median(&samples.missed));
    let scale = Scale {
        from: cached + (missed.saturating_sub(cached) as f64 * LIMIT_AT) as u64,
        to: (missed as f64 * INTERRUPTED) as u64,
    };
    let share = |times: &[u64], wanted: &dyn Fn(u64) -> bool| {
        times.iter().filter(|it| wanted(**it)).count() as f64 / times.len().max(1) as f64
    };
    let is = |wanted: Loaded| move |ticks: u64| scale.classify(ticks) == wanted;
    let recognised = share(&samples.missed, &is(Loaded::Miss));
    let cached_hits = share(&samples.cached, &is(Loaded::Hit));
    // Displaced lines are in the last cache, or have left it, too: either is fine, but not a time that may be both.
    let near = |ticks: u64| ticks.abs_diff(scale.from) as f64 <= NEAR * scale.from as f64;
    if (missed as f64) < APART * cached as f64
        || recognised < RECOGNISED_AT_LEAST
        || cached_hits < CACHED_AT_LEAST
        || share(&samples.displaced, &near) > NEAR_AT_MOST
    {
        return Err(format!(
            "loads from memory ({:.0} ns) and from the caches ({:.0} ns and more) take too similar times to be distinguished",
            ns(missed),
            ns(cached)
        ));
    }
    let in_last: Vec<u64> = (samples.displaced.iter().copied())
        .filter(|ticks| scale.classify(*ticks) == Loaded::Hit)
        .collect();
    let shown = AccessScale {
        cached_ns: ns(cached),
        displaced_ns: (!in_last.is_empty()).then(|| ns(median(&in_last))),
        missed_ns: ns(missed),
        from_ns: ns(scale.from),
        to_ns: ns(scale.to),
        recognised,
        ..AccessScale::default()
    };
    Ok((scale, shown))
}

fn median(times: &[u64]) -> u64 {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(cached: u64, displaced: u64, missed: &[u64]) -> Samples {
        Samples {
            cached: vec![cached; 10],
            displaced: vec![displaced; 10],
            missed: missed.to_vec(),
        }
    }

    #[test]
    fn a_miss_takes_nearly_as_long_as_that_of_a_flushed_line() {
        let mut missed = vec![300; 9];
        missed.push(90);
        let samples = samples(60, 100, &missed);
        let (scale, shown) = of(&samples, |ticks| ticks as f64 / 2.0).unwrap();
        let of = |ticks| scale.classify(ticks);
        assert_eq!((of(239), of(240)), (Loaded::Hit, Loaded::Miss));
        assert_eq!((of(2399), of(2400)), (Loaded::Miss, Loaded::Interrupted));
        assert_eq!((shown.from_ns, shown.recognised), (120.0, 0.9));
        assert_eq!((shown.cached_ns, shown.displaced_ns), (30.0, Some(50.0)));
    }

    #[test]
    fn interrupted_loads_are_not_in_the_mean() {
        let mut samples = samples(60, 100, &[300]);
        samples.displaced.extend([300, 9_999]);
        let mean = samples.mean_of_displaced(Scale::of_ticks(240, 2_400));
        assert_eq!(mean, (10 * 100 + 300) / 11);
    }

    #[test]
    fn displaced_lines_may_have_left_the_last_cache() {
        let (_, shown) = of(&samples(60, 300, &[300; 10]), |ticks| ticks as f64).unwrap();
        assert_eq!(shown.displaced_ns, None);
    }

    #[test]
    fn times_that_overlap_are_a_reason() {
        let refused = |samples: Samples| of(&samples, |ticks| ticks as f64).unwrap_err();
        // The clock is too coarse.
        assert!(refused(samples(41, 41, &[41; 10])).contains("too similar"));
        // The last cache is nearly as slow as memory.
        assert!(refused(samples(60, 230, &[300; 10])).contains("too similar"));
        let mut scattered = vec![300; 7];
        scattered.extend([60; 3]);
        assert!(refused(samples(60, 60, &scattered)).contains("too similar"));
        let mut slow = samples(60, 60, &[300; 10]);
        slow.cached[0] = 300;
        assert!(refused(slow).contains("too similar"));
        assert!(refused(Samples::default()).contains("too similar"));
    }
}
