//! The condition variables of the standard library and of `parking_lot`.

use std::sync::PoisonError;

use super::{Monitor, Side};

/// `std::sync::Mutex` and `Condvar`.
#[derive(Default)]
pub(super) struct Std {
    mutex: std::sync::Mutex<()>,
    conditions: [std::sync::Condvar; 2],
}

impl Monitor for Std {
    type Held<'a> = std::sync::MutexGuard<'a, ()>;

    fn new() -> Self {
        Self::default()
    }

    #[inline]
    fn enter(&self) -> Self::Held<'_> {
        self.mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    fn wait<'a>(&'a self, held: Self::Held<'a>, side: Side) -> Self::Held<'a> {
        let condition = &self.conditions[side.index()];
        condition.wait(held).unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    fn signal(&self, side: Side) {
        self.conditions[side.index()].notify_one();
    }

    #[inline]
    fn broadcast(&self, side: Side) {
        self.conditions[side.index()].notify_all();
    }
}

/// `parking_lot::Mutex` and `Condvar`.
#[derive(Default)]
pub(super) struct ParkingLot {
    mutex: parking_lot::Mutex<()>,
    conditions: [parking_lot::Condvar; 2],
}

impl Monitor for ParkingLot {
    type Held<'a> = parking_lot::MutexGuard<'a, ()>;

    fn new() -> Self {
        Self::default()
    }

    #[inline]
    fn enter(&self) -> Self::Held<'_> {
        self.mutex.lock()
    }

    #[inline]
    fn wait<'a>(&'a self, mut held: Self::Held<'a>, side: Side) -> Self::Held<'a> {
        self.conditions[side.index()].wait(&mut held);
        held
    }

    #[inline]
    fn signal(&self, side: Side) {
        self.conditions[side.index()].notify_one();
    }

    #[inline]
    fn broadcast(&self, side: Side) {
        self.conditions[side.index()].notify_all();
    }
}
