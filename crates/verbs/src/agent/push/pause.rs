//! Pauses between attempts: each twice as long as the one before, up to a limit.

use std::time::Duration;

const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(60);

/// The pauses after failed attempts.
#[derive(Debug, Default)]
pub struct Pauses {
    failed: u32,
}

impl Pauses {
    /// Returns the pause after one more failed attempt. It is shorter by up to a half, as `random` says: agents that lost the same server at
    /// the same time must not come back at the same time.
    pub fn next(&mut self, random: u64) -> Duration {
        let longest = FIRST
            .saturating_mul(2_u32.saturating_pow(self.failed))
            .min(LONGEST);
        self.failed = self.failed.saturating_add(1);
        let share = (random % 1024) as f64 / 1024.0;
        longest.mul_f64(1.0 - share / 2.0)
    }

    /// Begins anew after an attempt that did not fail.
    pub fn begin_anew(&mut self) {
        self.failed = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_a_limit() {
        let mut pauses = Pauses::default();
        let all: Vec<u64> = (0..9).map(|_| pauses.next(0).as_secs()).collect();
        assert_eq!(all, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
        for random in [1, 500, 1023, u64::MAX] {
            let pause = pauses.next(random);
            assert!(
                pause >= LONGEST / 2 && pause < LONGEST,
                "{random}: {pause:?}"
            );
        }
        pauses.begin_anew();
        assert_eq!(pauses.next(0), FIRST);
    }
}
