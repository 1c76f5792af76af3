//! The document in the page: the profile's own document, cut to a size that a browser opens at once, with the page's
//! additions.

use serde::Serialize;
use serde_json::{Value, json};

use super::flame::flame;
use super::places::Places;
use super::room::{DOCUMENT, bytes};
use super::rows::rows;
use super::shut::without_unknown_preemption;
use super::timeline::timeline_document;
use crate::profile::spent::{Cause, Spent};
use crate::profile::{Selection, Side, preempted};
use locktoll_results::profile::Profile;

/// The most threads, processes, files and notes that are listed, and the most bytes of JSON that each of these lists takes.
const LISTED: usize = 1_000;
const LIST: usize = 60_000;

/// Returns a document with the schema `locktoll.profile/1` and an additional field `page`:
///
/// - `rows`: for each entry of `locks`, its name as distinguished from others, and whether it opens. Rows that do not open
///   leave out everything that is the same in most rows (`shut`);
/// - `rest`: the locks that are not in `locks`, summed up; `more_threads`: the number of threads that are not in `per_thread`;
/// - `places`: the meaning of a number wherever the schema has a frame;
/// - `spent`: where the threads' time went; `flame`: waiting as a tree of calls, by `waiter` and by `holder`;
/// - `timeline`: the timeline, if there is one. It may be larger than everything else.
///
/// # Errors
/// If a timeline refers to things that it does not have. Every field of a profile has a form in JSON.
pub fn page_document(selection: &Selection<'_>) -> anyhow::Result<Value> {
    let profile = selection.profile;
    let mut places = Places::default();
    let listed = without_locks(profile);
    let more_threads = profile.per_thread.len() - listed.per_thread.len();
    let mut document = serde_json::to_value(listed)?;
    without_unknown_preemption(&mut document);
    places.collect(&mut document);
    let flames = json!({
        "waiter": flame(selection, Side::Waiter),
        "holder": flame(selection, Side::Holder),
    });
    let taken = bytes(&document) + bytes(&flames) + places.since(&Places::default().mark());
    let rows = rows(selection, &mut places, DOCUMENT.saturating_sub(taken))?;
    let timeline = timeline_document(profile, &mut places)?;
    document["locks"] = rows.locks.into();
    document["page"] = json!({
        "rows": rows.beside,
        "rest": rows.rest,
        "more_threads": more_threads,
        "opened": selection.opened,
        "places": places.into_list(),
        "spent": Spent::of(profile).as_ref().map(spent),
        "flame": flames,
    });
    if let Some(text) = profile.preemption.as_ref().and_then(preempted::of_all) {
        document["page"]["preemption"] = text.into();
    }
    if let Some(timeline) = timeline {
        document["page"]["timeline"] = timeline;
    }
    Ok(document)
}

fn spent(spent: &Spent) -> Value {
    let cause = |&(cause, ns): &(Cause, Option<u64>)| {
        let name = match cause {
            Cause::Running => "running",
            Cause::Spinning => "spinning",
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
        "unknown_threads": spent.unknown_threads,
    })
}

/// Returns everything except the locks, of which there may be very many.
fn without_locks(profile: &Profile) -> Profile {
    fn listed<T: Clone + Serialize>(all: &[T]) -> Vec<T> {
        let mut room = LIST;
        let fits = |it: &&T| {
            let taken = serde_json::to_value(it).map_or(usize::MAX, |value| bytes(&value));
            let fits = taken <= room;
            room = room.saturating_sub(taken);
            fits
        };
        all.iter().take(LISTED).take_while(fits).cloned().collect()
    }
    Profile {
        schema: profile.schema.clone(),
        made: profile.made.clone(),
        source: profile.source,
        command: listed(&profile.command),
        duration_ns: profile.duration_ns,
        user_ns: profile.user_ns,
        system_ns: profile.system_ns,
        voluntary_switches: profile.voluntary_switches,
        involuntary_switches: profile.involuntary_switches,
        yields: profile.yields,
        threads: profile.threads,
        thread_time_ns: profile.thread_time_ns,
        wait_ns: profile.wait_ns,
        signal_wait_ns: profile.signal_wait_ns,
        time: profile.time.clone(),
        per_thread: listed(&profile.per_thread),
        processes: listed(&profile.processes),
        modules: listed(&profile.modules),
        recorder: profile.recorder.clone(),
        preemption: profile.preemption.clone(),
        order: None,
        spin_cpu_ns: profile.spin_cpu_ns,
        spin_samples: profile.spin_samples.clone(),
        spinning: listed(&profile.spinning),
        alerts: Vec::new(),
        timeline: None,
        dropped: profile.dropped.clone(),
        warnings: listed(&profile.warnings),
        locks: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SortKey;
    use crate::html::page;
    use locktoll_made_up::sample;

    /// Uses more rows than anybody has places in a source for, each with more contents than a page shows.
    #[test]
    fn whatever_a_program_has_a_page_stays_below_two_megabytes() {
        const ROWS: u64 = 100_000;
        let mut profile = sample::job_server();
        let like = profile.locks[0].clone();
        let thread = profile.per_thread[0].clone();
        profile.per_thread = vec![thread; 5_000];
        profile.warnings = vec!["<warned>".repeat(50); 1_000];
        profile.locks = (0..ROWS)
            .map(|number| {
                let mut lock = like.clone();
                // The most expensive ones are read in full; of the others, only the figures.
                let richness = if number < 300 { 60 } else { 0 };
                lock.id = format!("mutex:app:{number}");
                lock.name = format!("std::map<std::string, std::vector<int>>::at<{number}>");
                lock.wait_ns.total = 1_000_000_000 - number;
                lock.stacks = like.stacks.iter().cycle().take(richness).cloned().collect();
                for (at, frames) in lock.stacks.iter_mut().map(|it| &mut it.frames).enumerate() {
                    for (depth, frame) in frames.iter_mut().enumerate() {
                        frame.function = Some(format!("f<{number}, {at}, {depth}>(std::string)"));
                    }
                }
                if richness == 0 {
                    lock.sites.clear();
                    lock.blame.clear();
                }
                lock
            })
            .collect();
        let selection = Selection::new(&profile, SortKey::Wait, None);
        let document = page_document(&selection).unwrap();
        let page = page("many locks", std::slice::from_ref(&document)).unwrap();
        assert!(page.len() < 2_000_000, "{} bytes", page.len());
        let rows = document["locks"].as_array().unwrap().len() as u64;
        let rest = document["page"]["rest"]["locks"].as_u64().unwrap();
        assert!(rows >= 500 && rows + rest == ROWS, "{rows} and {rest}");
        let beside = document["page"]["rows"].as_array().unwrap();
        let opened = beside.iter().filter(|it| it["opens"] == true).count();
        println!(
            "{ROWS} locks: {} bytes, {rows} rows, of which {opened} open",
            page.len()
        );
        assert!(opened >= 5, "{opened} of {rows} rows open");
        assert_eq!(beside[0]["opens"], true);
    }

    /// The browser's tests open this document: `tests/page/documents/`.
    #[test]
    fn the_document_of_a_running_program_that_is_tested_in_a_browser() {
        let profile = sample::attached_server();
        let document = page_document(&Selection::new(&profile, SortKey::Wait, None)).unwrap();
        let document = format!("{document}\n").into_bytes();
        insta::with_settings!({ snapshot_path => "../../../../locktoll/tests/page/documents", prepend_module_to_snapshot => false }, {
            insta::assert_binary_snapshot!("attach.json", document);
        });
    }

    /// The browser's tests open this document: `tests/page/documents/`.
    #[test]
    fn the_document_that_is_tested_in_a_browser() {
        let profile = sample::job_server();
        let document = page_document(&Selection::new(&profile, SortKey::Wait, None)).unwrap();
        let document = format!("{document}\n").into_bytes();
        insta::with_settings!({ snapshot_path => "../../../../locktoll/tests/page/documents", prepend_module_to_snapshot => false }, {
            insta::assert_binary_snapshot!("profile.json", document);
        });
    }
}
