//! Cache misses of threads that only park and unpark each other.
//!
//! - `section`: the probe as a whole: by counters where the processor has them, else by time.
//! - `hand_overs`: two threads that take turns. `counted`: the counter's figure. `timed`: the figure by time.
//! - `access`: one timed load, and flushing a line. `scale`: which times are those of a miss. `lines`: a small working set.
//! - `displacer`: larger data, which displace it. `switch_lines`: how many lines a switch uses.

mod access;
mod counted;
mod displacer;
mod hand_overs;
mod lines;
mod scale;
mod section;
mod switch_lines;
mod timed;

pub(super) use section::measure;
