//! Flags of `locktoll top`.

use std::path::PathBuf;

use clap::Args;

use crate::arguments::{parse_interval, parse_process};

/// Live: why the machine switches, which programs wait for locks, and for which.
#[derive(Clone, Debug, Args)]
#[command(after_help = "EXAMPLES
  locktoll top                                  programs by the time they wait for locks; Enter opens one
  locktoll top 1234                             the locks of a program
  locktoll record -- ./server &                 a program whose locks are seen without privileges
  locktoll top $(pgrep -n server)
  locktoll top --interval 250ms 1234
  locktoll top --json --count 10 1234 | jq -c '.chosen.locks[0] | {name, waits: .last.waits}'

The locks of a program are seen without privileges if it runs under `locktoll record`; its owner may then look. As root,
those of every program are seen.

KEYS
  up, down, PgUp, PgDn, Home, End   move        Enter  open a program, or a lock     Esc  back
  o  order by the next column      r  turn the order round      /  filter by name
  p  stop the screen, or let it go on           t  figures of the last interval, or of all the time
  s  save what is known of the program, for `locktoll report`   ?  what columns mean      q  quit")]
pub struct TopArgs {
    /// The program to look into, by its process id [default: all programs].
    #[arg(value_name = "PID", value_parser = parse_pid, allow_hyphen_values = true)]
    pub pid: Option<u32>,
    /// How long an interval is.
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "T",
        default_value = "1s",
        value_parser = parse_interval
    )]
    pub interval: u64,
    /// End after so many intervals [default: with q, or Ctrl-C].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub count: Option<u64>,
    /// No screen: one line of JSON an interval (schema locktoll.top/1).
    #[arg(long)]
    pub json: bool,
    /// The folder that the key s writes into.
    #[arg(long, value_name = "DIR", default_value = ".", conflicts_with = "json")]
    pub save_in: PathBuf,
}

fn parse_pid(text: &str) -> Result<u32, String> {
    parse_process(text, "as in `locktoll top 1234`")
}
