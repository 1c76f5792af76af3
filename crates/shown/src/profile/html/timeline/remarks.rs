//! What a timeline does not have, in sentences.

use locktoll_results::profile::timeline::{Keeps, Timeline};
use locktoll_terminal::quantity::{counted, duration};

/// Returns the sentences.
pub fn remarks(timeline: &Timeline) -> Vec<String> {
    let kept = &timeline.kept;
    let lost = &kept.lost;
    let mut all = Vec::new();
    if kept.events == Keeps::Waits {
        all.push(
            "The recording has every wait, and the holds whose release admitted a waiting thread. Other holds are not in it \
             (record --timeline-of everything keeps them)."
                .to_owned(),
        );
    }
    if !kept.only.is_empty() {
        all.push(format!(
            "Only these locks are included: {}.",
            kept.only.join(", ")
        ));
    }
    if let Some(when) = &kept.when {
        all.push(format!(
            "Only the events around each wait that matches {when} are included."
        ));
    }
    let events = |number: u64| counted(number, "event", "events");
    if lost.overwritten > 0 {
        all.push(format!(
            "Later events overwrote {}.",
            events(lost.overwritten)
        ));
    }
    if lost.without_room > 0 {
        all.push(format!(
            "{} missing: there was no room for some threads.",
            events(lost.without_room)
        ));
    }
    if lost.damaged > 0 {
        all.push(format!("Damaged, and left out: {}.", events(lost.damaged)));
    }
    if lost.left_out > 0 {
        all.push(format!(
            "{} left out to bound the size of this document.",
            events(lost.left_out)
        ));
    }
    if lost.moved > 0 {
        all.push(format!(
            "The clocks of two CPUs differ by up to {}: {} moved to the release that made it possible.",
            duration(lost.moved_ns as f64),
            counted(lost.moved, "acquisition was", "acquisitions were")
        ));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_results::profile::timeline::{EventLosses, Kept};

    #[test]
    fn each_loss_has_its_sentence() {
        let complete = Timeline {
            kept: Kept {
                events: Keeps::Everything,
                ..Kept::default()
            },
            ..Timeline::default()
        };
        assert_eq!(remarks(&complete), [""; 0]);
        let lossy = Timeline {
            kept: Kept {
                events: Keeps::Waits,
                only: vec!["log_lock".to_owned()],
                when: Some("wait>50ms".to_owned()),
                room_bytes: 1 << 20,
                lost: EventLosses {
                    overwritten: 1_234,
                    without_room: 1,
                    damaged: 2,
                    left_out: 3,
                    moved: 1,
                    moved_ns: 900,
                },
                ..Kept::default()
            },
            ..Timeline::default()
        };
        insta::assert_snapshot!(remarks(&lossy).join("\n"));
    }
}
