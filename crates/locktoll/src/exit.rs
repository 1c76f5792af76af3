//! Exit codes, in one place.

use std::process::ExitCode;

use locktoll_terminal::escape::shown_text;
use locktoll_terminal::failure::{Ending, Failure, Outcome};
use locktoll_terminal::output;

/// Says on standard error what went wrong, if anything did, and picks the exit code.
pub fn finish(outcome: Outcome) -> ExitCode {
    match outcome {
        Ok(Ending::Done) | Err(Failure::OutputClosed) => ExitCode::SUCCESS,
        Ok(Ending::Found) => ExitCode::from(1),
        Ok(Ending::ProgramStatus(status)) => ExitCode::from(status),
        Err(failure) => {
            // One line, which may quote what others have written.
            let why = shown_text(&failure.to_string());
            output::say(&format!("locktoll: {why}"));
            ExitCode::from(match failure {
                Failure::Run(_) => 1,
                Failure::Usage(_) => 2,
                Failure::Unsupported(_) | Failure::NotTraced(_) => 3,
                Failure::Check(_) => 4,
                Failure::OutputClosed => unreachable!("handled above"),
            })
        }
    }
}
