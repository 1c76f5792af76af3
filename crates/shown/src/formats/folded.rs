//! Folded stacks, the input of flame graph tools. One line per stack, `frame;frame;lock nanoseconds`, outermost
//! first.

use std::collections::BTreeMap;

use crate::format::{Format, OfProfile, Place, Write};
use crate::profile::waits::{Waits, waits};
use crate::profile::{Selection, Side, spinning, words};
use crate::{Content, Document};

pub const FORMAT: Format = Format {
    name: "folded",
    summary: "Folded stacks, for flame graph tools",
    endings: &[".folded", ".collapsed"],
    profile: OfProfile::Sides,
    write: Write::Profile(documents),
};

fn documents(selection: &Selection<'_>, _: Place<'_>) -> anyhow::Result<Vec<Document>> {
    let mut document = String::new();
    for line in lines(selection, selection.side.unwrap_or(Side::Waiter)) {
        document.push_str(&line);
        document.push('\n');
    }
    Ok(Document::only(Content::Plain(document)))
}

/// Returns one line per stack, without line ends, sorted. Stacks that look the same are merged.
pub fn lines(selection: &Selection<'_>, side: Side) -> Vec<String> {
    let mut stacks: BTreeMap<String, u64> = BTreeMap::new();
    for waits in waits(selection, side) {
        let sum = stacks
            .entry(stack(&waits, &selection.names.name(waits.lock)))
            .or_default();
        *sum = sum.saturating_add(waits.wait_ns);
    }
    if side == Side::Waiter {
        for row in spinning::uncharged(selection.profile) {
            let frames = row.stack.iter().rev().map(words::one_frame);
            let mut names: Vec<String> = frames.collect();
            names.push(format!("busy waiting for {}", spinning::word(row)).replace(';', ":"));
            let sum = stacks.entry(names.join(";")).or_default();
            *sum = sum.saturating_add(row.cpu_ns.median as u64);
        }
    }
    // Readers add them up; only a damaged recording has times that would overflow.
    let limit = (u64::MAX / 4).checked_div(stacks.len() as u64).unwrap_or(0);
    stacks
        .into_iter()
        .filter(|(_, ns)| *ns > 0)
        .map(|(stack, ns)| format!("{stack} {}", ns.min(limit)))
        .collect()
}

/// Returns the calls, with the lock that they waited for on top.
fn stack(waits: &Waits<'_>, lock: &str) -> String {
    let mut names: Vec<String> = waits.frames.iter().rev().map(words::one_frame).collect();
    if names.is_empty() {
        names.push("(place not known)".to_owned());
    }
    names.push(lock.replace(';', ":"));
    names.join(";")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SortKey;
    use locktoll_made_up::sample;
    use locktoll_results::profile::Profile;

    fn of(profile: &Profile, side: Side) -> Vec<String> {
        lines(&Selection::new(profile, SortKey::Wait, None), side)
    }

    #[test]
    fn by_waiter() {
        insta::assert_snapshot!(of(&sample::job_server(), Side::Waiter).join("\n"));
    }

    #[test]
    fn by_holder() {
        insta::assert_snapshot!(of(&sample::job_server(), Side::Holder).join("\n"));
    }

    #[test]
    fn busy_waiting_has_a_stack_of_its_own() {
        let mut profile = sample::job_server();
        profile.spinning = vec![sample::spinning()];
        profile.spin_samples = Some(sample::spin_samples());
        let before = of(&sample::job_server(), Side::Waiter);
        let after = of(&profile, Side::Waiter);
        let new: Vec<&String> = after.iter().filter(|it| !before.contains(it)).collect();
        assert_eq!(
            new,
            ["main;drain_queue;busy waiting for queue_ready 1800000000"]
        );
        assert_eq!(
            of(&profile, Side::Holder),
            of(&sample::job_server(), Side::Holder)
        );
    }

    #[test]
    fn hostile_names_stay_one_frame_in_one_line() {
        let mut profile = sample::job_server();
        profile.locks.truncate(1);
        profile.locks[0].name = "l\n;x 99\x1b[2J".to_owned();
        profile.locks[0].stacks[0].frames[0].function = Some("f<[u8; 4]>\r\n".to_owned());
        let lines = of(&profile, Side::Waiter);
        assert_eq!(lines.len(), 2);
        let depth = profile.locks[0].stacks[0].frames.len() + 1;
        for line in &lines {
            let (stack, ns) = line.rsplit_once(' ').unwrap();
            assert!(ns.parse::<u64>().unwrap() > 0);
            assert_eq!(stack.split(';').count(), depth, "{line}");
            assert!(!line.chars().any(char::is_control), "{line:?}");
        }
    }
}
