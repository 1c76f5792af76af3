//! `locktoll agent`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use crate::arguments::{parse_interval, parse_process};
use crate::groups::GroupArgs;

/// Publish the locks of running programs as metrics for Prometheus, for as long as the machine runs.
#[derive(Clone, Debug, Args)]
#[command(group = ArgGroup::new("watched").required(true).multiple(true).args(["pid", "name", "cgroup", "container", "all"]))]
#[command(after_help = "EXAMPLES
  locktoll agent --name '^server$'                         the programs of this name, also those that start later
  curl -s http://127.0.0.1:9779/metrics                    the metrics
  locktoll record -o out.locktoll -- ./server &            lets the agent see its locks without privileges
  locktoll agent --cgroup system.slice/redis.service       the processes of a service
  locktoll agent --container web                           the processes of a container, by its name or id
  locktoll agent --all --listen 10.0.0.5:9779              for Prometheus on another machine
  locktoll agent --all --textfile /var/lib/node_exporter/locktoll.prom
                                                           no port: node-exporter publishes the file

Programs under `locktoll record` are seen without privileges, with acquisitions, waits and holds. The waits of all other programs are seen
through the kernel, as `locktoll attach` sees them, which needs privileges. docs/fleet.md explains each metric.")]
pub struct AgentArgs {
    /// Watch this process; may be repeated.
    #[arg(long, value_name = "PID", value_parser = parse_pid, allow_hyphen_values = true)]
    pub pid: Vec<u32>,
    /// Watch the processes whose name (as in /proc/PID/comm) matches.
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
    /// Most locks with series of their own; the figures of further locks are added up in the series `other`.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub max_series: u32,
    /// Time between two readings of the programs.
    #[arg(long, allow_hyphen_values = true, value_name = "T", default_value = "10s", value_parser = parse_interval)]
    pub interval: u64,
}

fn parse_pid(text: &str) -> Result<u32, String> {
    parse_process(text, "as in `locktoll agent --pid 1234`")
}
