//! How many holds a timed hold represents, and which hold is timed next.

/// The number of holds of a record that are all timed at first.
pub const FIRST_HOLDS: u64 = 16;
/// The approximate cost of timing one hold.
const TIMING_NS: u64 = 80;
/// Gaps in thousandths of their mean, all equally likely: -ln(1 - (i + 1/2) / 32), scaled to a mean of 1000. These are
/// quantiles of the exponential distribution, which is close to the geometric one.
const GAPS: [u16; 32] = [
    16, 49, 82, 117, 153, 191, 230, 270, 312, 356, 402, 450, 501, 554, 610, 670, 733, 800, 872,
    950, 1035, 1127, 1228, 1340, 1467, 1611, 1780, 1983, 2237, 2577, 3094, 4204,
];

/// Returns how many holds the next timed hold represents.
pub fn period_after(timed: u64, total_ns: u64) -> u64 {
    if timed < FIRST_HOLDS {
        return 1;
    }
    let mean_ns = total_ns / timed;
    TIMING_NS.div_ceil(mean_ns / 50 + 1)
}

/// Returns how many holds go by before the next timed one.
pub fn gap(period: u64, random: u64) -> u16 {
    let quantile = u64::from(GAPS[(random >> 59) as usize]);
    // The gap before timing one hold in `period` has a mean of `period` less one. It is rounded at random, so that the mean is
    // kept.
    let thousandths = (period - 1) * quantile + random % 1000;
    u16::try_from(thousandths / 1000).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_holds_are_all_timed_and_short_ones_seldom() {
        assert_eq!(period_after(3, 30), 1, "the first ones always");
        assert_eq!(period_after(1000, 1000 * 10_000), 1);
        assert_eq!(period_after(1000, 1000 * 1_000), 4);
        assert_eq!(period_after(1000, 1000 * 20), 80);
    }

    #[test]
    fn gaps_have_the_mean_that_the_period_says() {
        let mut state = 0x1234_5678_9ABC_DEF1_u64;
        for period in [2, 8, 80] {
            let rounds = 200_000;
            let mut sum = 0_u64;
            for _ in 0..rounds {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                sum += u64::from(gap(period, state));
            }
            let mean = sum as f64 / rounds as f64;
            let wanted = (period - 1) as f64;
            assert!((mean / wanted - 1.0).abs() < 0.02, "{mean} for {wanted}");
        }
    }
}
