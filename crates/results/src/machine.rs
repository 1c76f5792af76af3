//! The result of `machine`: the schema `locktoll.machine/1`.

use crate::Made;
use locktoll_lab::clock::ClockCard;
use locktoll_lab::machine::Machine;
use locktoll_lab::noise::Noise;
use locktoll_lab::probe::Prices;
use serde::{Deserialize, Serialize};

/// The price list with its surroundings.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct MachineResult {
    /// `locktoll.machine/1`.
    pub schema: String,
    /// The program that measured.
    pub version: String,
    /// When, where and by which version of locktoll it was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
    /// Where it was measured.
    pub machine: Machine,
    /// The clock.
    pub clock: ClockCard,
    /// The activity of other programs.
    pub noise: Noise,
    /// Whether the short form was requested.
    pub quick: bool,
    /// True when the run was interrupted.
    pub partial: bool,
    /// The prices.
    #[serde(flatten)]
    pub prices: Prices,
}

impl MachineResult {
    /// The value of [`schema`](Self::schema).
    pub const SCHEMA: &str = "locktoll.machine/1";
}
