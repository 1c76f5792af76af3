//! `record` and `report` as a user runs them: the built binary on small programs with known locks.
#![cfg(target_os = "linux")]

mod alerts;
mod bad_input;
mod bench;
mod blame;
mod cache;
mod conditions;
mod counts;
mod demo;
mod embedded_names;
mod ended_processes;
mod exports;
mod holds;
mod identity;
mod languages;
mod options;
mod order;
mod other_locks;
mod other_users;
mod passing;
mod preemption;
mod real;
mod real_orders;
mod recordings;
mod signals;
mod snapshot_namespaces;
mod snapshots;
mod steps;
mod threads;
mod timeline;
mod timeline_findings;
mod unended;
