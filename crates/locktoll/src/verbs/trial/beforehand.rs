//! What a recorded run says before the others: how much time is waited for locks at all, and which lock is meant.

use std::time::Duration;

use crate::exit::Failure;
use crate::output;
use crate::profile::Profile;
use crate::report::{Only, Selection};
use crate::trial::{Blocked, Processes, Recorded};

/// The recorded run takes no more than this share of the time.
const SHARE: u32 = 8;

/// Runs the program under the recorder and says what is to be expected. Of `asked`, the lock that alone is to be replaced, it
/// says how the library knows it.
///
/// # Errors
/// [`Failure::Usage`] for a lock that is not there or cannot be replaced; [`Failure::Run`] where it cannot be known.
pub fn look(
    processes: &mut Processes,
    time_limit: Duration,
    asked: Option<&str>,
) -> Result<Option<Only>, Failure> {
    match processes.record(time_limit / SHARE)? {
        Recorded::Profile(profile) => {
            let only = asked.map(|asked| only(&profile, asked)).transpose()?;
            let blocked = Blocked::of(&profile, only.as_ref().map(|it| &*it.id));
            output::say(&format!("locktoll: {}", blocked.words()));
            processes.is_blocked(blocked);
            Ok(only)
        }
        Recorded::Failed(reason) if asked.is_some() => Err(Failure::Run(anyhow::anyhow!(
            "the run from which --only is to be understood could not be recorded: {reason}"
        ))),
        Recorded::Failed(reason) => {
            output::say(&format!(
                "locktoll: no run could be recorded, so that it is not known where threads wait: {reason}"
            ));
            Ok(None)
        }
        Recorded::Interrupted => Err(Failure::Run(anyhow::anyhow!(
            "interrupted before anything was measured"
        ))),
    }
}

/// The lock that is asked for, by its id, its name or a part of either.
fn only(profile: &Profile, asked: &str) -> Result<Only, Failure> {
    let selection = Selection::open(profile, asked)
        .map_err(|error| Failure::Usage(format!("--only: {error}")))?;
    let lock = selection.locks[0];
    Ok(Only {
        id: lock.id.clone(),
        name: lock.name.clone(),
    })
}
