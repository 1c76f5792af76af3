//! The limits and the name that all requests have.

use std::time::Duration;

/// The longest time for a request, from the connection to the end of the answer.
pub const LONGEST: Duration = Duration::from_secs(30);

/// The most bytes of an answer that are read.
pub const MOST_ANSWER_BYTES: usize = 64 << 10;

/// The name of the sender in each request.
pub const USER_AGENT: &str = concat!("locktoll/", env!("CARGO_PKG_VERSION"));
