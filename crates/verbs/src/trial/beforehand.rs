//! The recorded run that comes first: it measures the time spent waiting for locks, and identifies the lock that `--only` names.

use std::ffi::OsString;
use std::time::Duration;

use crate::trial::{Blocked, Processes, Recorded};
use locktoll_results::profile::{Anchor, Anchored, Lock, LockKind, Profile};
use locktoll_results::trial::Only;
use locktoll_shown::Selection;
use locktoll_sources::recording::MOST_ANCHORS;
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::output;

/// The fraction of the time limit that the recorded run may take: one in this many.
const SHARE: u32 = 8;

/// Runs the program once under the recorder and prints what to expect of other locks. If `asked` names the only lock to replace,
/// tells `processes` how the library recognises it, and returns it.
///
/// # Errors
/// [`Failure::Usage`] if the lock does not exist or cannot be replaced; [`Failure::Run`] if the user interrupts the recording, or
/// if it fails and a lock is asked for.
pub fn look(
    processes: &mut Processes,
    time_limit: Duration,
    asked: Option<&str>,
) -> Result<Option<Only>, Failure> {
    output::say("locktoll: recording one run first");
    match processes.record(time_limit / SHARE)? {
        Recorded::Profile(profile) => {
            let only = asked
                .map(|asked| single_out(&profile, asked, "--only"))
                .transpose()?;
            let blocked = Blocked::of(&profile, only.map(|it| &*it.id));
            output::say(&format!("locktoll: {}", blocked.words()));
            processes.is_blocked(blocked);
            Ok(only.map(|lock| {
                processes.replace_only(lines(&lock.anchors));
                Only {
                    id: lock.id.clone(),
                    name: lock.name.clone(),
                }
            }))
        }
        Recorded::Failed(reason) if asked.is_some() => Err(Failure::Run(anyhow::anyhow!(
            "--only needs a recorded run, and that failed: {reason}"
        ))),
        Recorded::Failed(reason) => {
            output::say(&format!(
                "locktoll: no run could be recorded, so it is not known where threads wait: {reason}"
            ));
            Ok(None)
        }
        Recorded::Interrupted => Err(Failure::Run(anyhow::anyhow!(
            "interrupted before anything was measured"
        ))),
    }
}

/// Finds the lock that `flag` requests by its id, its name or a part of either.
///
/// # Errors
/// [`Failure::Usage`] if there is no such lock, or the library cannot find it again.
pub fn single_out<'p>(profile: &'p Profile, asked: &str, flag: &str) -> Result<&'p Lock, Failure> {
    let usage = |reason: String| Failure::Usage(format!("{flag}: {reason}"));
    let selection = Selection::open(profile, asked).map_err(|error| usage(error.to_string()))?;
    let lock = selection.locks[0];
    let id = shown_text(&lock.id);
    match lock.kind {
        LockKind::Mutex | LockKind::RwLock | LockKind::Spin => {}
        _ => {
            return Err(usage(format!(
                "{id} cannot be replaced; mutexes, reader-writer locks and spin locks can"
            )));
        }
    }
    match lock.anchors.len() {
        0 => Err(usage(format!("the origin of {id} is not known"))),
        1..=MOST_ANCHORS => Ok(lock),
        _ => Err(usage(format!(
            "{id} covers locks at more than {MOST_ANCHORS} places, more than can be replaced one by one"
        ))),
    }
}

/// Returns the text passed to the library, one line for each place: see `locktoll_substitute::only`.
pub fn lines(anchors: &[Anchor]) -> OsString {
    let mut lines = OsString::new();
    for anchor in anchors {
        let (what, bytes) = match anchor.what {
            Anchored::Object => ("object", None),
            Anchored::Within(bytes) => ("within", Some(bytes)),
            Anchored::Site => ("site", None),
        };
        lines.push(format!("{what}:"));
        lines.push(&anchor.module);
        lines.push(format!(":{:#x}", anchor.offset));
        lines.push(bytes.map_or_else(String::new, |bytes| format!(":{bytes}")));
        lines.push("\n");
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_made_up::sample;

    #[test]
    fn a_lock_is_told_to_the_library_by_its_places() {
        let anchors = [
            Anchor {
                what: Anchored::Object,
                module: "/bin/a b".into(),
                offset: 0x4040,
            },
            Anchor {
                what: Anchored::Site,
                module: "/lib/x.so".into(),
                offset: 77,
            },
            Anchor {
                what: Anchored::Within(4_000),
                module: "/lib/x.so".into(),
                offset: 0x80,
            },
        ];
        assert_eq!(
            lines(&anchors),
            "object:/bin/a b:0x4040\nsite:/lib/x.so:0x4d\nwithin:/lib/x.so:0x80:4000\n"
        );
    }

    #[test]
    fn what_cannot_be_singled_out_is_told() {
        let mut profile = sample::job_server();
        let only = |profile: &Profile, asked: &str| {
            single_out(profile, asked, "--only").map(|lock| lock.id.clone())
        };
        let refused =
            |profile: &Profile, asked: &str| only(profile, asked).unwrap_err().to_string();
        assert!(refused(&profile, "lgo_lock").contains("log_lock"));
        let id = profile.locks[0].id.clone();
        assert!(refused(&profile, &id).contains("origin of"));
        let anchor = |offset| Anchor {
            what: Anchored::Object,
            module: "/bin/a".into(),
            offset,
        };
        profile.locks[0].anchors = (0..=MOST_ANCHORS as u64).map(anchor).collect();
        assert!(refused(&profile, &id).contains("more than 64 places"));
        profile.locks[0].anchors.pop();
        assert_eq!(only(&profile, &id).unwrap(), id);
        profile.locks[0].kind = LockKind::Semaphore;
        assert!(refused(&profile, &id).contains("cannot be replaced"));
    }
}
