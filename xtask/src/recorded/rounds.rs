//! Bare, recorded and bare again, round after round.

use locktoll_lab::stats::{Estimate, ratio_of_pairs};

use super::way::Way;

/// One figure of each run of a round: bare, recorded, bare again.
pub type Round<T> = [T; 3];

/// The order of the runs in a round: each is first, second and last equally often, so that what drifts or heats up
/// hits all alike.
const ORDERS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [2, 1, 0],
    [1, 0, 2],
    [2, 0, 1],
    [0, 2, 1],
    [1, 2, 0],
];

/// Plays `rounds` rounds of `run`.
///
/// # Errors
/// The first that `run` returns.
pub fn play<T: Copy>(
    rounds: usize,
    mut run: impl FnMut(Way) -> anyhow::Result<T>,
) -> anyhow::Result<Vec<Round<T>>> {
    let mut played = Vec::new();
    for round in 0..rounds {
        let mut figures = [None; 3];
        for &place in &ORDERS[round % ORDERS.len()] {
            let way = if place == 1 { Way::Recorded } else { Way::Bare };
            figures[place] = Some(run(way)?);
        }
        played.push(figures.map(|figure| figure.expect("each order has all places")));
    }
    Ok(played)
}

/// What recording changed, and what the machine alone changes between runs that are the same.
#[derive(Clone, Copy, Debug)]
pub struct Ratios {
    /// Recorded over bare.
    pub recorded: Estimate,
    /// Bare again over bare: the A/A pair.
    pub same: Estimate,
}

/// The ratios of one figure. `None` where it was not measured.
pub fn ratios<T: Copy>(played: &[Round<T>], figure: impl Fn(T) -> f64) -> Option<Ratios> {
    let pairs = |other: usize| -> Vec<(f64, f64)> {
        played
            .iter()
            .map(|round| (figure(round[0]), figure(round[other])))
            .collect()
    };
    Some(Ratios {
        // Both bare runs of the round stand for it: the ratio is the steadier.
        recorded: ratio_of_pairs(
            &played
                .iter()
                .map(|round| {
                    let bare = f64::midpoint(figure(round[0]), figure(round[2]));
                    (bare, figure(round[1]))
                })
                .collect::<Vec<_>>(),
        )?,
        same: ratio_of_pairs(&pairs(2))?,
    })
}
