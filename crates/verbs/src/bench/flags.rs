//! Flags of `locktoll bench`.

use clap::{Args, ValueEnum, ValueHint};
use locktoll_lab::cell::{Arrival, MAX_THREADS, Part, SleepPoints};

use crate::bench::system_locks as words;

use crate::arguments::OutputArgs;
use crate::arguments::parse_arrival;
use crate::arguments::{List, Numbers, parse_budget, parse_precision};
use crate::arguments::{Times, parse_time};

/// Compare locks under a chosen workload, number of threads, hold time and more.
#[derive(Debug, Args)]
#[command(after_help = words::EXAMPLES)]
pub struct BenchArgs {
    /// Locks to compare, as NAME or NAME:N (futex3:100); `all` selects every lock.
    #[arg(long, value_name = "L,...", value_hint = ValueHint::Other, default_value = words::DEFAULT_LOCKS)]
    pub lock: List<String>,
    /// Work inside the critical section.
    #[arg(long, value_name = "W,...", default_value = "pair")]
    pub workload: List<String>,
    /// Number of competing threads [default: 1, the CPUs, and four times the CPUs].
    #[arg(long, allow_hyphen_values = true, value_name = "LIST", value_parser = parse_threads)]
    pub threads: Option<Numbers>,
    /// Length of one slice; waiting is timed in further slices of half that length [default: 200ms].
    #[arg(long, allow_hyphen_values = true, value_name = "T", value_parser = parse_time)]
    pub duration: Option<u64>,
    /// Operations per thread in a slice, instead of a length.
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "N",
        conflicts_with = "duration"
    )]
    pub rounds: Option<u64>,
    /// Number of interleaved rounds; six or more give 95 % intervals [default: 7].
    #[arg(long, allow_hyphen_values = true, value_name = "R")]
    pub repeat: Option<u32>,
    /// Add rounds until the interval of each time per operation (with `--part waiting`: of each median wait) ends within this share
    /// of its median, such as 5%; at most 32 times `--repeat`. Settings that are precise enough get no more rounds. Each further look
    /// at the rounds uses stricter intervals, so that all of them together are wrong in at most 5 % of the cases.
    #[arg(long, value_name = "P", value_parser = parse_precision)]
    pub until: Option<f64>,
    /// With `--until`: the time within which all rounds must fit, such as 10min. The first rounds are always run.
    #[arg(long = "budget", value_name = "T", value_parser = parse_budget, requires = "until")]
    pub budget_ns: Option<u64>,
    /// Short for `--duration 20ms --repeat 6`, for a first look.
    #[arg(long)]
    pub quick: bool,
    /// What to measure.
    #[arg(long, value_name = "PART", value_enum, default_value = "both")]
    pub part: PartArg,

    /// Number of acquisitions before as many releases: of the same lock if it is recursive, else of that many locks in order. 0
    /// takes no lock.
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "LIST",
        default_value = "1",
        help_heading = "Parameters"
    )]
    pub depth: Numbers,
    /// Take a second lock inside the first.
    #[arg(long, help_heading = "Parameters")]
    pub nested: bool,
    /// Time to hold the lock, in calibrated arithmetic.
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "T,...",
        default_value = "0",
        help_heading = "Parameters"
    )]
    pub hold: Times,
    /// Random extra hold time of 0 to N times 100 ns.
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "LIST",
        default_value = "0",
        help_heading = "Parameters"
    )]
    pub delay: Numbers,
    /// Work between two operations, without the lock.
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "T,...",
        default_value = "0",
        help_heading = "Parameters"
    )]
    pub think: Times,
    /// Where threads yield the CPU.
    #[arg(
        long,
        value_name = "POINTS",
        value_enum,
        value_delimiter = ',',
        default_value = "none",
        help_heading = "Parameters"
    )]
    pub sleep_points: Vec<SleepPointsArg>,
    /// Raise a thread's priority after each acquisition and restore it before the release (Linux: 10 nice steps, needs
    /// CAP_SYS_NICE; Windows: two levels).
    #[arg(long, help_heading = "Parameters")]
    pub raise_while_holding: bool,
    /// Let only K threads run at a time [default: all].
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "LIST",
        help_heading = "Parameters"
    )]
    pub active: Option<Numbers>,
    /// Number of threads that the gate locks admit [default: the CPUs].
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "K",
        help_heading = "Parameters"
    )]
    pub gate: Option<u32>,
    /// Spin count of locks whose name does not give one [default: each lock's own].
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "LIST",
        help_heading = "Parameters"
    )]
    pub spin: Option<Numbers>,
    /// Share of reading operations in the workload read-mostly, 0 to 1 [default: 0.95].
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "P,...",
        help_heading = "Parameters"
    )]
    pub read_ratio: Option<List<f64>>,
    /// Number of locks for the 1024 buckets of the workload hash-table.
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "LIST",
        default_value = "1",
        help_heading = "Parameters"
    )]
    pub stripes: Numbers,
    /// Offset of the lock in its cache line, in bytes.
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "OFFSET,...",
        default_value = "0",
        help_heading = "Parameters"
    )]
    pub align: Numbers,

    /// CPUs of the threads: none, compact, spread, or a list such as 0,2-3.
    #[arg(
        long,
        value_name = "PLACE",
        default_value = "none",
        help_heading = "Surroundings"
    )]
    pub pin: String,
    /// Nice value of the threads.
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "N",
        default_value_t = 0,
        help_heading = "Surroundings"
    )]
    pub nice: i32,
    /// Run the threads like a background process (Linux: nice 10; Windows: below normal priority).
    #[arg(long, help_heading = "Surroundings")]
    pub background: bool,
    /// Number of busy threads that never use the lock.
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "LIST",
        default_value = "0",
        help_heading = "Surroundings"
    )]
    pub hogs: Numbers,
    /// closed: each operation starts when the previous one has ended; RATE: operations start on a schedule, so many per second, and
    /// waiting is counted from the scheduled time.
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "closed|RATE",
        default_value = "closed",
        value_parser = parse_arrival,
        help_heading = "Surroundings"
    )]
    pub arrival: Arrival,

    /// Include the figures of every round in the JSON.
    #[arg(long)]
    pub samples: bool,
    /// List all locks and workloads and exit.
    #[arg(long)]
    pub list: bool,
    /// Format and place of the result.
    #[command(flatten)]
    pub output: OutputArgs,
}

fn parse_threads(text: &str) -> Result<Numbers, String> {
    Numbers::read(
        text,
        "a number of threads",
        &format!("1 to {MAX_THREADS}, "),
    )
}

/// `--part` as clap reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PartArg {
    /// Throughput and waiting.
    Both,
    /// Operations, CPU time and switches.
    Throughput,
    /// Time from requesting the lock to acquiring it.
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
