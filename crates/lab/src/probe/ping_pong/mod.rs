//! Two threads that put each other to sleep and wake each other, in turn, by any mechanism.

mod arm;
mod game;
mod park;
mod spinner;

pub(super) use arm::{Arm, Unseen, alone, made};
pub(super) use game::{HandOver, Place, ping_pong};
pub(super) use park::Parking;
