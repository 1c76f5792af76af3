//! The flags of pushed profiles.

use std::path::PathBuf;

use clap::Args;

use crate::arguments::{parse_interval, parse_size};

/// Where profiles are pushed, and how.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Pushed profiles")]
pub struct PushArgs {
    /// Push profiles of recorded programs to this Pyroscope, as pprof: by waiter (profile types `block`) and by holder (profile types `mutex`).
    #[arg(long, value_name = "URL", requires = "push_queue")]
    pub push_pyroscope: Option<String>,
    /// Push profiles of recorded programs to this OpenTelemetry collector, as OTLP over HTTP.
    #[arg(long, value_name = "URL", requires = "push_queue")]
    pub push_otlp: Option<String>,
    /// Push profiles of recorded programs to this OpenTelemetry collector, as OTLP over gRPC, usually to port 4317: http:// without encryption, https:// with TLS.
    #[arg(long, value_name = "URL", requires = "push_queue")]
    pub push_otlp_grpc: Option<String>,
    /// Folder that keeps profiles until they have been sent; it is created if it is missing. It must belong to the agent's user, and no other user may write to it.
    #[arg(long, value_name = "DIR")]
    pub push_queue: Option<PathBuf>,
    /// Maximum size of each server's queue; if it is full, the oldest profiles are dropped and counted.
    #[arg(long, value_name = "SIZE", default_value = "256MiB", value_parser = parse_queue_size)]
    pub push_queue_size: u64,
    /// Time between two profiles of a program.
    #[arg(long, allow_hyphen_values = true, value_name = "T", default_value = "60s", value_parser = parse_interval)]
    pub push_every: u64,
    /// File with the bearer token for the servers, read before each request; other users must not be able to read it, and only its owner may write to it.
    #[arg(long, value_name = "FILE")]
    pub push_token_file: Option<PathBuf>,
    /// File with the certificates (PEM) that servers are checked against [default: those of the system].
    #[arg(long, value_name = "FILE")]
    pub push_ca: Option<PathBuf>,
}

fn parse_queue_size(text: &str) -> Result<u64, String> {
    parse_size(text, 64 << 10, 64 << 30)
}
