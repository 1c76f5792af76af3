//! Busy waiting: threads that use CPU time to wait for a word of memory to change.

use locktoll_lab::stats::Estimate;
use serde::{Deserialize, Serialize};

use super::frame::Frame;

/// Busy waiting at one place for one word.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Spinning {
    /// The function with the loop.
    pub site: Frame,
    /// The calls that led there, innermost first; empty if they are not known.
    pub stack: Vec<Frame>,
    /// The word that the loop waits for; `null` if it could not be found out.
    pub word: Option<SpunWord>,
    /// The CPU time, nanoseconds: an estimate from samples with its 95 % interval; `n` is the number of samples.
    pub cpu_ns: Estimate,
    /// How many threads were seen in the loop.
    pub threads: u64,
    /// The code that writes the word, the most frequent first; `null` if no write was seen.
    pub writers: Option<Vec<Frame>>,
    /// What the threads that write the word did while others waited; `null` if they are not known.
    pub writer_state: Option<WriterState>,
    /// The library or program whose loop it is, such as `libgomp`; `null` if it is not known by name.
    pub known_as: Option<String>,
    /// The id of the lock to which the time is charged already; `null` if it belongs to no lock that was recorded.
    #[serde(default)]
    pub lock: Option<String>,
    /// The number of threads that could run while threads waited here, on average; `null` if not known.
    #[serde(default)]
    pub runnable_threads: Option<f64>,
    /// The CPUs that these threads may use: CPUs, or fewer if a control group limits them; `null` if not known.
    #[serde(default)]
    pub usable_cpus: Option<f64>,
    /// Involuntary context switches of the waiting threads; `null` if not known.
    #[serde(default)]
    pub involuntary_switches: Option<u64>,
}

/// A word of memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SpunWord {
    /// Its name: a variable, or a mapping and the place in it.
    pub name: String,
    /// An id that is the same in another run; `null` for memory without a name.
    pub id: Option<String>,
}

/// What threads did, as shares of the time in which others waited for them. The time in which they waited in the same loop is
/// left out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct WriterState {
    /// On a CPU.
    pub running: f64,
    /// Ready to run, without a CPU.
    pub runnable: f64,
    /// Neither.
    pub asleep: f64,
}

/// The samples behind the figures on busy waiting.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SpinSamples {
    /// Samples per second of CPU time.
    pub rate_hz: f64,
    /// Samples of the program.
    pub samples: u64,
    /// Samples that did not fit, and widen the intervals.
    pub lost: u64,
    /// Samples whose code was not examined, and widen the intervals.
    pub unexamined: u64,
    /// Whether the kernel's work for the program was sampled too.
    pub with_kernel: bool,
}
