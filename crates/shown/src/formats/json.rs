//! One JSON document, for scripts.

use crate::format::{Format, OfProfile, Place, Write};
use crate::{Content, Document, Shown};

pub const FORMAT: Format = Format {
    name: "json",
    summary: "One document with a versioned schema",
    endings: &[".json"],
    profile: OfProfile::Whole,
    write: Write::Result(documents),
};

fn documents(result: &dyn Shown, _: Place<'_>) -> anyhow::Result<Vec<Document>> {
    Ok(Document::only(Content::Plain(result.json_text()?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{Selection, SortKey};
    use locktoll_made_up::{made_up, sample};
    use locktoll_results::profile::Profile;
    use locktoll_results::profile::timeline::{Finding, FindingKind, Index, Switch};

    /// A thread's times without a CPU are of no lock.
    #[test]
    fn the_timeline_of_a_single_lock_has_its_events_alone() {
        let mut profile = sample::job_server();
        let mut timeline = made_up::timeline(3_000, 3);
        let own = timeline.locks[1].clone();
        timeline.switches.push(Switch {
            thread: 2,
            out_ns: 50_000,
            in_ns: 60_000,
            waker: Index::NONE,
            preempted: false,
        });
        for lock in [0, 1] {
            timeline.findings.push(Finding {
                kind: FindingKind::Burst,
                sentence: format!("Burst: at lock {lock}."),
                wait_ns: 1,
                begin_ns: 2,
                end_ns: 3,
                lock: Index::new(lock),
                threads: vec![0],
            });
        }
        profile.locks[0].id.clone_from(&own.id);
        let whole = timeline.clone();
        profile.timeline = Some(Box::new(timeline));
        let selection = Selection::open(&profile, &own.id).unwrap();
        let document = Document::text_of(documents(&selection, Place::FILE).unwrap());
        let back: Profile = serde_json::from_str(&document).unwrap();
        let part = back.timeline.unwrap();
        assert!(part.is_sound());
        assert_eq!(part.locks, [own]);
        let waits = whole.waits.iter().filter(|it| it.lock == 1);
        let begins: Vec<u64> = waits.map(|it| it.begin_ns).collect();
        assert!((1..whole.waits.len()).contains(&begins.len()));
        assert_eq!(part.waits.begin_ns, begins);
        let holds = whole.holds.iter().filter(|it| it.lock == 1);
        assert_eq!(part.holds.len(), holds.count());
        assert_eq!(part.signals.len(), 0);
        assert_eq!(part.switches.len(), whole.switches.len());
        assert_eq!((part.begin_ns, part.end_ns), (whole.begin_ns, whole.end_ns));
        assert_eq!(part.kept, whole.kept);
        let findings: Vec<&str> = part
            .findings
            .iter()
            .map(|it| it.sentence.as_str())
            .collect();
        assert_eq!(findings, ["Burst: at lock 1."]);
    }

    #[test]
    fn only_what_was_selected() {
        let profile = sample::job_server();
        let selection = Selection::new(&profile, SortKey::Acquisitions, Some(1));
        let document = Document::text_of(documents(&selection, Place::FILE).unwrap());
        let back: Profile = serde_json::from_str(&document).unwrap();
        assert_eq!(back.locks, [selection.locks[0].clone()]);
        assert_eq!(back.wait_ns, profile.wait_ns);
    }
}
