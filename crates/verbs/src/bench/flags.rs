//! Flags of `locktoll bench`.

use clap::{Args, ValueEnum, ValueHint};
use locktoll_lab::cell::{Arrival, Part, SleepPoints};

use crate::bench::system_locks as words;

use crate::arguments::OutputArgs;
use crate::arguments::parse_arrival;
use crate::arguments::{List, Numbers};
use crate::arguments::{Times, parse_time};

/// One experiment with every knob: locks x workloads x threads x depth x hold x think ...
#[derive(Debug, Args)]
#[command(after_help = words::EXAMPLES)]
pub struct BenchArgs {
    /// Locks to compare, by name, as NAME or NAME:N (futex3:100); `all` takes every one.
    #[arg(long, value_name = "L,...", value_hint = ValueHint::Other, default_value = words::DEFAULT_LOCKS)]
    pub lock: List<String>,
    /// What happens inside the critical section.
    #[arg(long, value_name = "W,...", default_value = "pair")]
    pub workload: List<String>,
    /// Competing threads [default: 1, the CPUs, and four times the CPUs].
    #[arg(long, allow_hyphen_values = true, value_name = "LIST")]
    pub threads: Option<Numbers>,
    /// Time of one slice; a second one of half that length times the waiting.
    #[arg(long, allow_hyphen_values = true, value_name = "T", default_value = "200ms", value_parser = parse_time)]
    pub duration: u64,
    /// Instead of a time: operations each thread does in a slice.
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "N",
        conflicts_with = "duration"
    )]
    pub rounds: Option<u64>,
    /// Interleaved rounds over all cells; six or more give 95 % intervals.
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "R",
        default_value_t = 7
    )]
    pub repeat: u32,
    /// Fewer and shorter slices: `--duration 20ms --repeat 6`, for a first look.
    #[arg(long, conflicts_with_all = ["duration", "rounds", "repeat"])]
    pub quick: bool,
    /// What to measure: throughput, the waiting for the lock, or both, each in slices of its own.
    #[arg(long, value_name = "PART", value_enum, default_value = "both")]
    pub part: PartArg,

    /// Acquisitions before the same number of releases: again on a recursive lock, on D locks in
    /// order on any other; 0 is the baseline without a lock.
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "LIST",
        default_value = "1",
        help_heading = "Knobs"
    )]
    pub depth: Numbers,
    /// Take a second lock inside the first.
    #[arg(long, help_heading = "Knobs")]
    pub nested: bool,
    /// Work while holding (calibrated arithmetic).
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "T,...",
        default_value = "0",
        help_heading = "Knobs"
    )]
    pub hold: Times,
    /// A random 0 to N pieces of 100 ns of work while holding.
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "LIST",
        default_value = "0",
        help_heading = "Knobs"
    )]
    pub delay: Numbers,
    /// Work between two operations, outside the lock.
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "T,...",
        default_value = "0",
        help_heading = "Knobs"
    )]
    pub think: Times,
    /// Where a thread yields the processor.
    #[arg(
        long,
        value_name = "POINTS",
        value_enum,
        value_delimiter = ',',
        default_value = "none",
        help_heading = "Knobs"
    )]
    pub sleep_points: Vec<SleepPointsArg>,
    /// Raise a thread's priority right after each acquisition and put it back right before the
    /// release, by a call each (Linux: 10 nice steps, which takes CAP_SYS_NICE; Windows: two levels).
    #[arg(long, help_heading = "Knobs")]
    pub raise_while_holding: bool,
    /// Let only K threads run their loop at a time [default: all].
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "LIST",
        help_heading = "Knobs"
    )]
    pub active: Option<Numbers>,
    /// Threads that the gate locks admit [default: the CPUs].
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "K",
        help_heading = "Knobs"
    )]
    pub gate: Option<u32>,
    /// Spin count of the locks that have one, where their name gives none [default: each lock's own].
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "LIST",
        help_heading = "Knobs"
    )]
    pub spin: Option<Numbers>,
    /// Share of operations that only read, 0 to 1 (read-mostly) [default: 0.95 there].
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "P,...",
        help_heading = "Knobs"
    )]
    pub read_ratio: Option<List<f64>>,
    /// Locks that share the hash table's 1024 buckets (hash-table).
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "LIST",
        default_value = "1",
        help_heading = "Knobs"
    )]
    pub stripes: Numbers,
    /// Bytes from the start of a cache line to the lock.
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "OFFSET,...",
        default_value = "0",
        help_heading = "Knobs"
    )]
    pub align: Numbers,

    /// Where threads run: none, compact, spread, or CPUs such as 0,2-3.
    #[arg(
        long,
        value_name = "PLACE",
        default_value = "none",
        help_heading = "Surroundings"
    )]
    pub pin: String,
    /// Nice value of the competing threads.
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "N",
        default_value_t = 0,
        help_heading = "Surroundings"
    )]
    pub nice: i32,
    /// Let the competing threads run as those of a background process do (Linux: nice 10; Windows:
    /// the class below normal).
    #[arg(long, help_heading = "Surroundings")]
    pub background: bool,
    /// Busy threads beside them that never touch the lock.
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "LIST",
        default_value = "0",
        help_heading = "Surroundings"
    )]
    pub hogs: Numbers,
    /// closed: the next operation begins when the last has ended; RATE: on a schedule of so many
    /// operations a second, from which waiting then counts.
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "closed|RATE",
        default_value = "closed",
        value_parser = parse_arrival,
        help_heading = "Surroundings"
    )]
    pub arrival: Arrival,

    /// Add the figures of each round to the JSON, for ratios of your own between cells.
    #[arg(long)]
    pub samples: bool,
    /// Name every lock and workload with a line each, and stop.
    #[arg(long)]
    pub list: bool,
    /// Form and place of the result; the schema of JSON is locktoll.bench/1.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `--part` as clap reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PartArg {
    /// Throughput and waiting.
    Both,
    /// Operations, CPU time and switches.
    Throughput,
    /// From wanting the lock to having it.
    Waiting,
}

impl From<PartArg> for Option<Part> {
    fn from(arg: PartArg) -> Self {
        match arg {
            PartArg::Both => None,
            PartArg::Throughput => Some(Part::Throughput),
            PartArg::Waiting => Some(Part::Waiting),
        }
    }
}

/// `--sleep-points` as clap reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SleepPointsArg {
    /// Nowhere.
    None,
    /// While holding.
    Holding,
    /// After releasing.
    Released,
    /// At both places.
    Both,
}

impl From<SleepPointsArg> for SleepPoints {
    fn from(arg: SleepPointsArg) -> Self {
        match arg {
            SleepPointsArg::None => Self::None,
            SleepPointsArg::Holding => Self::Holding,
            SleepPointsArg::Released => Self::Released,
            SleepPointsArg::Both => Self::Both,
        }
    }
}
