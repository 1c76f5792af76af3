//! `locktoll attach`.

use clap::Args;

use super::values::parse_time;

/// What `attach` takes.
#[derive(Debug, Args)]
pub struct AttachArgs {
    /// The process.
    #[arg(value_name = "PID", value_parser = clap::value_parser!(u32).range(1..))]
    pub pid: u32,
    /// How long to watch; without it, until Ctrl-C or the program's end.
    #[arg(long, value_name = "T", value_parser = parse_time)]
    pub duration: Option<u64>,
    /// How many different places that wait or wake, stacks, and threads the kernel keeps for us; what finds no room is counted.
    #[arg(long, value_name = "N", default_value_t = 16384, value_parser = clap::value_parser!(u32).range(64..=1_048_576))]
    pub max_entries: u32,
    /// How many rules for walking stacks of calls are kept at most, eight bytes each: files with more get no stacks, and are counted.
    #[arg(long, value_name = "N", default_value_t = 16_777_216, value_parser = clap::value_parser!(u32).range(1..=268_435_456))]
    pub max_rules: u32,
}
