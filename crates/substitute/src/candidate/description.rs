//! What is known about an algorithm before it is tried.

use locktoll_locks::catalogue::{Lock, Parameter};

use super::Algorithm;

/// The description of an algorithm, for people and for the program that tries it.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// Its name without a parameter, as in `locktoll bench --list`.
    pub name: &'static str,
    /// The lock's entry in the catalogue.
    pub lock: Lock,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// One line for people, with its source.
    pub summary: &'static str,
    /// What a waiter does.
    pub waits: &'static str,
    /// What a wait with a deadline does (pthread_mutex_timedlock(3)).
    pub timed: &'static str,
    /// The meaning of the number after the colon, if the algorithm takes one.
    pub parameter: Option<Parameter>,
    /// Whether its waiters only spin. With more threads than processors such a lock may stand still for whole time slices of
    /// the scheduler, so it runs under a time limit.
    pub is_pure_spinner: bool,
    /// The parameters with which it is tried if no candidates are named. Empty if it is tried by name only.
    pub defaults: &'static [Default],
}

/// A parameter with which an algorithm is tried if no candidates are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Default {
    /// Its default, the only choice for algorithms that take no number.
    Own,
    /// This number.
    Number(u32),
    /// A multiple of the number of processors that the program may run on.
    TimesCpus(u32),
}
