//! From a start to the verb that it asks for.

use super::parse::Start;
use crate::serve::serve;
use locktoll_terminal::failure::Outcome;

/// Does what the process was started for.
pub fn run(start: Start) -> Outcome {
    match start {
        Start::User(cli) => cli.verb.run(),
        Start::Inner(inner) => serve(inner),
    }
}
