//! `agent` as Prometheus meets it: programs that come and go, their counters over HTTP and in a file.
#![cfg(target_os = "linux")]

#[expect(
    dead_code,
    reason = "shared with the tests of `record`, which use all of it"
)]
#[path = "../record/bench.rs"]
mod bench;
mod certificates;
mod collector;
mod counters;
mod deployed;
mod ends;
mod from_the_kernel;
#[expect(
    dead_code,
    reason = "shared with the tests of `attach`, which use all of it"
)]
#[path = "../attach_languages/group.rs"]
mod group;
mod groups;
mod metrics;
mod otlp;
mod patience;
mod pprof;
mod program;
mod prometheus;
mod pushes;
mod pushes_over_grpc;
mod receiver;
mod refused;
mod requests;
mod running;
