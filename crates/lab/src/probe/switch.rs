//! The cost of a switch by itself, from two threads on one CPU that yield to each other.

use crate::stats::Estimate;

use super::paired::paired;
use super::series::{Batch, Series};

/// At least this share of a pair's yields must switch for their cost to be divided by the number of switches.
const LEAST_SWITCHING: f64 = 0.2;

/// Returns the additional cost of a switch over a yield that does not switch, given the switches that the kernel counted.
pub(super) fn switch_ns(pair: &Batch, alone: &Batch) -> f64 {
    match pair.switches.total {
        Some(switches) if switches >= LEAST_SWITCHING => (pair.ns - alone.ns) / switches,
        _ => f64::NAN,
    }
}

/// Returns the cost of a switch between two threads, or between two processes.
pub(super) fn switch(pair: &Series, alone: &Series) -> Result<Estimate, String> {
    paired([pair, alone], |[pair, alone]| switch_ns(pair, alone)).map_err(|reason| {
        match pair.counted() {
            Some(counted) if pair.refusal().is_none() && counted < LEAST_SWITCHING => format!(
                "only {:.3} switches a yield: the scheduler does not let these threads take turns",
                counted
            ),
            _ => reason,
        }
    })
}
