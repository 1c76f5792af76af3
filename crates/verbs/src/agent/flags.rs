//! `locktoll agent`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::push::flags::PushArgs;
use crate::arguments::{parse_interval, parse_process};
use crate::groups::GroupArgs;

/// Publish metrics of the locks of running programs for Prometheus, and push profiles.
#[derive(Clone, Debug, Args)]
#[command(group = ArgGroup::new("watched").required(true).multiple(true).args(["pid", "name", "cgroup", "container", "all"]))]
#[command(after_help = "EXAMPLES
  locktoll agent --name '^server$'                         programs of this name, including those that start later
  curl -s http://127.0.0.1:9779/metrics                    the metrics
  locktoll record -o out.locktoll -- ./server &            a program whose locks the agent sees without privileges
  locktoll agent --cgroup system.slice/redis.service       the processes of a service
  locktoll agent --container web                           the processes of a container, by its name or id
  locktoll agent --all --listen 10.0.0.5:9779              for Prometheus on another machine
  locktoll agent --all --textfile /var/lib/node_exporter/locktoll.prom
                                                           no port: node-exporter publishes the file
  locktoll agent --name '^server$' --push-pyroscope http://127.0.0.1:4040 --push-queue /var/lib/locktoll
                                                           also push profiles to Pyroscope every minute

For your own programs under `locktoll record`, the agent publishes acquisitions, waits and holds, and needs no privileges. For all other
programs it publishes the waits that the kernel sees, as `locktoll attach` does, and needs privileges. docs/fleet.md explains each metric.")]
pub struct AgentArgs {
    /// Watch this process; the flag may be repeated.
    #[arg(long, value_name = "PID", value_parser = parse_pid, allow_hyphen_values = true)]
    pub pid: Vec<u32>,
    /// Watch the processes whose name matches: the name in /proc/PID/comm, of at most 15 bytes.
    #[arg(long, value_name = "REGEX")]
    pub name: Option<String>,
    /// The control group whose processes are watched.
    #[command(flatten)]
    pub group: GroupArgs,
    /// Watch all processes.
    #[arg(long)]
    pub all: bool,
    /// Address and port of the metrics [default: 127.0.0.1:9779; none with --textfile].
    #[arg(long, value_name = "ADDR:PORT")]
    pub listen: Option<String>,
    /// Write the metrics to this file at each interval, for node-exporter's textfile collector.
    #[arg(long, value_name = "FILE")]
    pub textfile: Option<PathBuf>,
    /// Largest number of locks with series of their own; the figures of all other locks are added up in the series `other`.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub max_series: u32,
    /// Time between two readings of the programs.
    #[arg(long, allow_hyphen_values = true, value_name = "T", default_value = "10s", value_parser = parse_interval)]
    pub interval: u64,
    /// Where profiles are pushed.
    #[command(flatten)]
    pub push: PushArgs,
}

fn parse_pid(text: &str) -> Result<u32, String> {
    parse_process(text, "as in `locktoll agent --pid 1234`")
}
