//! All monitors once, in random order.

use locktoll_locks::Tollgate;
use serde::{Deserialize, Serialize};

use crate::random::Random;

use super::ours::Ours;
use super::rust::{ParkingLot, Std};
use super::system::System;
use super::{Monitor, broadcast, ping_pong, system};

/// The amount of work for each monitor; zero leaves a loop out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// Hand-overs of the ping-pong.
    pub hand_overs: u32,
    /// Broadcasts.
    pub broadcasts: u32,
    /// Waiters that each broadcast wakes.
    pub waiters: u32,
}

/// A monitor's times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Raced {
    /// The name of its mutex in the registry of locks.
    pub lock: String,
    /// [`ping_pong`]: nanoseconds per hand-over.
    pub ping_pong_ns: Option<f64>,
    /// [`broadcast`]: nanoseconds until all have been woken and have had the mutex.
    pub broadcast_ns: Option<f64>,
}

/// The loops compiled for a monitor.
struct Entry {
    lock: &'static str,
    ping_pong: fn(u32) -> f64,
    broadcast: fn(u32, u32) -> f64,
}

const fn entry<M: Monitor>(lock: &'static str) -> Entry {
    Entry {
        lock,
        ping_pong: ping_pong::<M>,
        broadcast: broadcast::<M>,
    }
}

const ENTRIES: [Entry; 4] = [
    entry::<Ours<Tollgate>>("tollgate"),
    entry::<System>(system::NAME),
    entry::<Std>("std"),
    entry::<ParkingLot>("parking_lot"),
];

/// Runs both loops of every monitor, in the order determined by `round`.
pub fn race(round: u32, lengths: Lengths) -> Vec<Raced> {
    let mut results = ENTRIES.map(|entry| Raced {
        lock: entry.lock.to_owned(),
        ping_pong_ns: None,
        broadcast_ns: None,
    });
    let mut steps: Vec<(usize, bool)> = (0..ENTRIES.len())
        .flat_map(|index| [(index, false), (index, true)])
        .collect();
    Random::new(round).shuffle(&mut steps);
    for (index, is_broadcast) in steps {
        let entry = &ENTRIES[index];
        if is_broadcast && lengths.broadcasts > 0 {
            let ns = (entry.broadcast)(lengths.waiters, lengths.broadcasts);
            results[index].broadcast_ns = Some(ns);
        } else if !is_broadcast && lengths.hand_overs > 0 {
            results[index].ping_pong_ns = Some((entry.ping_pong)(lengths.hand_overs));
        }
    }
    results.into()
}
