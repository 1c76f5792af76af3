//! Flags of `locktoll top`.

use std::path::PathBuf;

use clap::Args;

use crate::arguments::{parse_interval, parse_process};
use crate::groups::GroupArgs;

/// Watch live which programs wait for locks, for which locks, and why threads switch.
#[derive(Clone, Debug, Args)]
#[command(after_help = "EXAMPLES
  locktoll top                                  programs by the time they wait for locks; Enter opens one
  locktoll top 1234                             the locks of a program
  locktoll top $(pgrep -n server)
  locktoll top --container web                  the programs of a container, by its name or id
  locktoll record -- ./server &                 lets top see the locks of ./server without privileges
  locktoll top --interval 250ms 1234
  locktoll top --json --count 10 1234 | jq -c '.chosen.locks[0] | {name, waits: .last.waits}'

Root sees the locks of every program. Other users see the locks of their own programs that run under `locktoll record`.

KEYS
  up, down, PgUp, PgDn, Home, End   move         Enter  open a program or a lock     Esc  back
  o  order by the next column       r  reverse the order             /  filter by name
  p  pause, or continue             t  figures of the last interval, or since the start
  s  save the program's profile for `locktoll report`     ?  explain the columns     q  quit")]
pub struct TopArgs {
    /// Process id of one program [default: all programs].
    #[arg(value_name = "PID", value_parser = parse_pid, allow_hyphen_values = true, conflicts_with_all = ["cgroup", "container"])]
    pub pid: Option<u32>,
    /// The control group whose programs are shown.
    #[command(flatten)]
    pub group: GroupArgs,
    /// Length of an interval.
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "T",
        default_value = "1s",
        value_parser = parse_interval
    )]
    pub interval: u64,
    /// Number of intervals [default: until q or Ctrl-C].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub count: Option<u64>,
    /// Print one line of JSON per interval instead of a screen (schema locktoll.top/1).
    #[arg(long)]
    pub json: bool,
    /// Folder for the profiles that the key s saves.
    #[arg(long, value_name = "DIR", default_value = ".", conflicts_with = "json")]
    pub save_in: PathBuf,
}

fn parse_pid(text: &str) -> Result<u32, String> {
    parse_process(text, "as in `locktoll top 1234`")
}
