//! The threads of an alert.

use std::path::Path;

use crate::stuck::Calls;
use locktoll_results::profile::{AlertThread, AlertWaiters, Frame, base};

/// Adds to a thread what it was doing.
pub fn present(thread: AlertThread, calls: Option<&Calls>) -> AlertThread {
    match calls {
        None => thread,
        Some(calls) => AlertThread {
            stack: of_program(&calls.stack),
            call: calls.call.clone(),
            cut: calls.cut.clone(),
            ..thread
        },
    }
}

/// Leaves out the calls inside locktoll's own library.
fn of_program(stack: &[Frame]) -> Vec<Frame> {
    let is_own = |frame: &&Frame| {
        let module = frame.module.as_deref().map(|it| base(Path::new(it)));
        module.is_some_and(|it| it.starts_with("liblocktoll_preload"))
    };
    stack.iter().filter(|it| !is_own(it)).cloned().collect()
}

/// Groups waits by their places: the thread, its place, and when its wait began. The longest wait comes first.
pub fn grouped(
    waits: impl IntoIterator<Item = (u32, Option<Frame>, u64)>,
    now_ns: u64,
) -> Vec<AlertWaiters> {
    let mut all: Vec<AlertWaiters> = Vec::new();
    for (tid, site, since_ns) in waits {
        let waited_ns = now_ns.saturating_sub(since_ns);
        match all.iter_mut().find(|it| it.site == site) {
            Some(known) => {
                known.tids.push(tid);
                known.longest_ns = known.longest_ns.max(waited_ns);
            }
            None => all.push(AlertWaiters {
                site,
                tids: vec![tid],
                longest_ns: waited_ns,
            }),
        }
    }
    all.sort_by_key(|it| std::cmp::Reverse(it.longest_ns));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_wait_at_one_place_are_listed_together() {
        let at = |function: &str| {
            Some(Frame {
                function: Some(function.to_owned()),
                ..Frame::default()
            })
        };
        let waits = [
            (1, at("a"), 90),
            (2, at("b"), 10),
            (3, at("a"), 50),
            (4, None, 95),
        ];
        let found = grouped(waits, 100);
        let short: Vec<(&[u32], u64)> = found
            .iter()
            .map(|it| (&it.tids[..], it.longest_ns))
            .collect();
        assert_eq!(short, [(&[2][..], 90), (&[1, 3], 50), (&[4], 5)]);
    }
}
