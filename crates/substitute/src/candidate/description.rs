//! What is known of an algorithm before it is tried.

use super::Algorithm;

/// An algorithm, for people and for the program that tries it.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// Its name, without a parameter; that of `locktoll bench --list`, where that has the same lock.
    pub name: &'static str,
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

/// A number behind the colon.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// What it means, with its unit.
    pub meaning: &'static str,
    /// The least that is accepted.
    pub least: u32,
    /// The most that is accepted.
    pub most: u32,
    /// What it is where none is given.
    pub default: u32,
}

/// A parameter with which an algorithm is tried where no candidates are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Default {
    /// This number; 0 for algorithms that take none.
    Number(u32),
    /// So many times the processors that the program may run on.
    TimesCpus(u32),
}
