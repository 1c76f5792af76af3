//! The document in the page: the profile's own, cut to what a browser opens at once, with what the page says beside it.

use serde_json::{Value, json};

use super::flame::flame;
use super::places::Places;
use super::rows::rows;
use crate::profile::Profile;
use crate::report::profile::spent::{Cause, Spent};
use crate::report::profile::{Selection, Side};

/// Threads, processes, files and notes that are listed.
const LISTED: usize = 1_000;

/// The schema `locktoll.profile/1` with a field `page` more:
///
/// - `rows`: beside each entry of `locks`, its name as told apart from others, and whether it opens;
/// - `rest`: the locks that are not in `locks`, summed up; `more_threads`: how many threads are not in `per_thread`;
/// - `places`: what a number stands for wherever the schema has a frame;
/// - `spent`: where the threads' time went; `flame`: waiting as a tree of calls, by `waiter` and by `holder`.
///
/// # Errors
/// None are known: every field of a profile has a form in JSON.
pub fn page_document(selection: &Selection<'_>) -> anyhow::Result<Value> {
    let profile = selection.profile;
    let mut places = Places::default();
    let rows = rows(selection, &mut places)?;
    let mut document = serde_json::to_value(without_locks(profile))?;
    places.collect(&mut document);
    document["locks"] = rows.locks.into();
    document["page"] = json!({
        "rows": rows.beside,
        "rest": rows.rest,
        "more_threads": profile.per_thread.len().saturating_sub(LISTED),
        "opened": selection.opened,
        "places": places.into_list(),
        "spent": Spent::of(profile).as_ref().map(spent),
        "flame": {
            "waiter": flame(selection, Side::Waiter),
            "holder": flame(selection, Side::Holder),
        },
    });
    Ok(document)
}

fn spent(spent: &Spent) -> Value {
    let cause = |&(cause, ns): &(Cause, Option<u64>)| {
        let name = match cause {
            Cause::Running => "running",
            Cause::Locks => "locks",
            Cause::Signals => "signals",
            Cause::Other => "other",
            Cause::Cpu => "cpu",
            Cause::Unknown => "unknown",
        };
        json!({ "cause": name, "words": cause.words(), "ns": ns })
    };
    json!({
        "total_ns": spent.total_ns,
        "causes": spent.causes.iter().map(cause).collect::<Vec<_>>(),
        "at_locks_ns": spent.at_locks_ns,
        "unknown_threads": spent.unknown_threads,
    })
}

/// All but the locks, of which there may be very many.
fn without_locks(profile: &Profile) -> Profile {
    fn listed<T: Clone>(all: &[T]) -> Vec<T> {
        all[..all.len().min(LISTED)].to_vec()
    }
    Profile {
        schema: profile.schema.clone(),
        command: listed(&profile.command),
        duration_ns: profile.duration_ns,
        user_ns: profile.user_ns,
        system_ns: profile.system_ns,
        voluntary_switches: profile.voluntary_switches,
        involuntary_switches: profile.involuntary_switches,
        threads: profile.threads,
        thread_time_ns: profile.thread_time_ns,
        wait_ns: profile.wait_ns,
        signal_wait_ns: profile.signal_wait_ns,
        time: profile.time.clone(),
        per_thread: listed(&profile.per_thread),
        processes: listed(&profile.processes),
        modules: listed(&profile.modules),
        recorder: profile.recorder.clone(),
        dropped: profile.dropped.clone(),
        warnings: listed(&profile.warnings),
        locks: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::SortKey;
    use crate::profile::sample;

    /// The browser's tests open this document: `tests/page/documents/`.
    #[test]
    fn the_document_that_is_tested_in_a_browser() {
        let profile = sample::job_server();
        let document = page_document(&Selection::new(&profile, SortKey::Wait, None)).unwrap();
        let document = format!("{document:#}\n").into_bytes();
        insta::with_settings!({ snapshot_path => "../../../../tests/page/documents", prepend_module_to_snapshot => false }, {
            insta::assert_binary_snapshot!("profile.json", document);
        });
    }
}
