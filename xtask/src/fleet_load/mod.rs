//! A fleet under load: many recorded processes with many locks, watched by one agent that is restarted, while the server of profiles is
//! away and the disk is full.
//!
//! - `options`: what is asked for. `run`: the order of the events.
//! - `fleet`: the programs. `agent`: the agent. `scrape`: its metrics. `receiver`: the server of profiles.
//! - `checks`: what is checked, and the figures.

mod agent;
mod checks;
mod fleet;
mod options;
mod receiver;
mod run;
mod scrape;

pub use run::run;
