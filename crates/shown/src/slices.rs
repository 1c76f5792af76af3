//! The differences between the slices of one cell, in words.

use locktoll_lab::stats::{Modes, PlacementShare};
use locktoll_results::reproduction::TwoModes;
use locktoll_terminal::quantity::{counted, price};

/// `two modes: 138 ns in 5 slices, 300 ns in 4`
pub fn modes_words(modes: &Modes) -> String {
    format!(
        "two modes: {} in {}, {} in {}",
        price(modes.low),
        counted(modes.in_low as u64, "slice", "slices"),
        price(modes.high),
        modes.in_high
    )
}

/// `std (list, 4 threads) has two modes: 138 ns in 5 slices, 300 ns in 4`
pub fn two_modes_words(of: &TwoModes) -> String {
    format!("{} has {}", of.cell, modes_words(&of.modes))
}

/// `40 % (0 to 72 %) of the variance between slices`
pub fn placement_words(placement: &PlacementShare) -> String {
    format!(
        "{:.0} % ({:.0} to {:.0} %) of the variance between slices",
        placement.share * 100.0,
        placement.low * 100.0,
        placement.high * 100.0
    )
}
