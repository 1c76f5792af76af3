//! Made-up noise for tests.

use crate::random::Random;

/// A number from 0 to 1, never 0.
pub(crate) fn uniform(random: &mut Random) -> f64 {
    1.0 - random.unit()
}

/// A number of the normal distribution with mean 0 and deviation 1 (G. E. P. Box and M. E. Muller, 1958).
pub(crate) fn normal(random: &mut Random) -> f64 {
    let (radius, turn) = (uniform(random), uniform(random));
    (-2.0 * radius.ln()).sqrt() * (turn * std::f64::consts::TAU).cos()
}
