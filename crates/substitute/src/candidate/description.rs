//! The facts about an algorithm that are known before it is tried.

use locktoll_locks::catalogue::{Lock, Parameter};

use super::Algorithm;

/// An algorithm, for people and for the program that tries it.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// Its name, without a parameter; that of `locktoll bench --list`.
    pub name: &'static str,
    /// What the catalogue says of it.
    pub lock: Lock,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// One line for people, with its source.
    pub summary: &'static str,
    /// What a waiter does.
    pub waits: &'static str,
    /// What a wait with a deadline does (pthread_mutex_timedlock(3)).
    pub timed: &'static str,
    /// What the number behind the colon means, if it takes one.
    pub parameter: Option<Parameter>,
    /// Whether its waiters do nothing but spin: with more threads than processors such a lock may stand still for whole
    /// slices of the scheduler, and so it runs under a limit of time.
    pub is_pure_spinner: bool,
    /// With which parameters it is tried where no candidates are named: none, if it is tried by name alone.
    pub defaults: &'static [Default],
}

/// A parameter with which an algorithm is tried where no candidates are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Default {
    /// Its default; algorithms that take no number have no other.
    Own,
    /// This number.
    Number(u32),
    /// So many times the processors that the program may run on.
    TimesCpus(u32),
}
