//! Time spent waiting for locks, as a tree of calls, which the page draws as a flame graph.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::runtime::is_runtime;
use crate::profile::waits::waits;
use crate::profile::{Selection, Side, words};
use locktoll_results::profile::Frame;

/// Calls with less than this fraction of all waiting are left out: nobody could see them. If more than `CALLS` remain, larger
/// ones are left out too, except those with at least a hundredth, which are visible.
const VISIBLE: u64 = 2_000;
const SEEN: u64 = 100;
const CALLS: usize = 2_000;

/// The most characters of a name that keeps all of its types, and of any name.
const ROOM: usize = 60;
const LONGEST: usize = 300;

/// A tree, root first. Each call precedes the calls that it makes, the largest of them first.
#[derive(Debug, Default, PartialEq, Serialize)]
pub struct Flame {
    /// The names of calls and locks.
    pub names: Vec<String>,
    /// The numbers of names all of whose calls belong to the language's runtime.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub runtime: Vec<u64>,
    /// `[depth, name, ns, waits, is a lock]`, all of them numbers. Any parser can read a list, but not a tree as deep as a
    /// recursion.
    pub calls: Vec<[u64; 5]>,
    /// Calls with less waiting than this, in nanoseconds, are left out.
    pub least_ns: u64,
}

struct Call {
    name: usize,
    depth: u64,
    ns: u64,
    waits: u64,
    is_lock: bool,
    called: HashMap<(usize, bool), usize>,
}

/// Returns the waiting for the selected locks, by the stacks of the waiters or of the holders.
pub fn flame(selection: &Selection<'_>, side: Side) -> Flame {
    let mut names = Names::default();
    let mut calls = vec![Call::new(names.number("all waiting"), 0, false)];
    for waits in waits(selection, side) {
        let mut path: Vec<(usize, bool)> = Vec::with_capacity(waits.frames.len() + 1);
        for frame in waits.frames.iter().rev() {
            path.push((names.of(frame), false));
        }
        if path.is_empty() {
            path.push((names.number("(place not known)"), false));
        }
        path.push((names.number(&selection.names.name(waits.lock)), true));
        let mut at = 0;
        calls[at].add(waits.wait_ns, waits.waits);
        for step in path {
            let next = calls.len();
            let found = *calls[at].called.entry(step).or_insert(next);
            if found == next {
                let depth = calls[at].depth + 1;
                calls.push(Call::new(step.0, depth, step.1));
            }
            at = found;
            calls[at].add(waits.wait_ns, waits.waits);
        }
    }
    written(&calls, names)
}

/// Returns the calls that can be seen, with the names that they need.
fn written(calls: &[Call], names: Names) -> Flame {
    let mut least_ns = (calls[0].ns / VISIBLE).max(1);
    let drawn = |least_ns: u64| calls.iter().filter(|call| call.ns >= least_ns).count();
    let seen_ns = calls[0].ns / SEEN;
    while drawn(least_ns) > CALLS && least_ns < seen_ns {
        least_ns = (least_ns * 2).min(seen_ns);
    }
    let mut flame = Flame {
        least_ns,
        ..Flame::default()
    };
    let mut numbers: HashMap<usize, u64> = HashMap::new();
    let mut left = vec![0];
    while let Some(at) = left.pop() {
        let call = &calls[at];
        if call.ns < least_ns {
            continue;
        }
        let number = *numbers.entry(call.name).or_insert_with(|| {
            let number = flame.names.len() as u64;
            flame.names.push(short(&names.all[call.name]));
            if names.runtime.contains(&call.name) {
                flame.runtime.push(number);
            }
            number
        });
        let is_lock = u64::from(call.is_lock);
        flame
            .calls
            .push([call.depth, number, call.ns, call.waits, is_lock]);
        let mut called: Vec<usize> = call.called.values().copied().collect();
        called.sort_by_key(|&it| (calls[it].ns, &names.all[calls[it].name]));
        left.extend(called);
    }
    flame
}

/// Returns the name of a call for a box of its width: types are removed first.
fn short(name: &str) -> String {
    match name.chars().count() {
        ..=ROOM => name.to_owned(),
        _ => words::cut_left(&words::brief(name), LONGEST),
    }
}

impl Call {
    fn new(name: usize, depth: u64, is_lock: bool) -> Self {
        Self {
            name,
            depth,
            ns: 0,
            waits: 0,
            is_lock,
            called: HashMap::new(),
        }
    }

    fn add(&mut self, ns: u64, waits: u64) {
        self.ns = self.ns.saturating_add(ns);
        self.waits = self.waits.saturating_add(waits);
    }
}

#[derive(Default)]
struct Names {
    all: Vec<String>,
    numbers: HashMap<String, usize>,
    /// The names that belong to the runtime, as far as has been seen.
    runtime: HashSet<usize>,
}

impl Names {
    fn of(&mut self, frame: &Frame) -> usize {
        let known = self.all.len();
        let number = self.number(&words::function(frame));
        match is_runtime(frame) {
            true if number == known => {
                self.runtime.insert(number);
            }
            true => {}
            false => {
                self.runtime.remove(&number);
            }
        }
        number
    }

    fn number(&mut self, name: &str) -> usize {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.all.len();
        self.all.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SortKey;
    use locktoll_made_up::sample;
    use std::fmt::Write;

    #[test]
    fn calls_are_as_wide_as_what_they_call_and_what_was_left_out() {
        let profile = sample::job_server();
        let selection = Selection::new(&profile, SortKey::Wait, None);
        for side in [Side::Waiter, Side::Holder] {
            let flame = flame(&selection, side);
            let waited_ns: u64 = profile.locks.iter().map(|it| it.waited_ns()).sum();
            assert!(flame.calls[0][2].abs_diff(waited_ns) < 100);
            for (at, call) in flame.calls.iter().enumerate() {
                let below = flame.calls[at + 1..]
                    .iter()
                    .take_while(|it| it[0] > call[0]);
                let below: u64 = below
                    .filter(|it| it[0] == call[0] + 1)
                    .map(|it| it[2])
                    .sum();
                assert!(below <= call[2]);
            }
        }
    }

    #[test]
    fn of_very_many_calls_the_small_ones_are_left_out_and_that_is_said() {
        let mut profile = sample::job_server();
        profile.locks.truncate(1);
        let lock = &mut profile.locks[0];
        let like = lock.stacks[0].clone();
        lock.stacks = (0..1_000)
            .map(|number| {
                let mut stack = like.clone();
                stack.wait_ns = if number == 0 { 100_000 } else { 1_000 };
                for frame in &mut stack.frames {
                    frame.function = Some(format!("f{number}"));
                }
                stack
            })
            .collect();
        lock.wait_ns.total = lock.stacks.iter().map(|stack| stack.wait_ns).sum();
        let selection = Selection::new(&profile, SortKey::Wait, None);
        let flame = flame(&selection, Side::Waiter);
        assert!(flame.least_ns > flame.calls[0][2] / VISIBLE, "{flame:?}");
        assert!(flame.calls.len() <= CALLS, "{}", flame.calls.len());
        assert!(flame.calls.iter().all(|call| call[2] >= flame.least_ns));
        let largest = flame.names.iter().any(|name| name == "f0");
        assert!(largest, "a hundredth of all waiting is seen: {flame:?}");
    }

    #[test]
    fn by_waiter() {
        let profile = sample::job_server();
        let selection = Selection::new(&profile, SortKey::Wait, None);
        let flame = flame(&selection, Side::Waiter);
        let mut text = String::new();
        for [depth, name, ns, waits, _] in flame.calls {
            let indent = depth as usize * 2;
            let name = &flame.names[name as usize];
            writeln!(text, "{:indent$}{name} {ns} ns in {waits}", "").unwrap();
        }
        insta::assert_snapshot!(text);
    }

    #[test]
    fn calls_of_the_runtime_are_marked_by_the_numbers_that_the_page_has() {
        let mut profile = sample::job_server();
        profile.locks.truncate(1);
        let stack = &mut profile.locks[0].stacks[0];
        stack.frames.push(Frame {
            function: Some("std::thread::spawn".to_owned()),
            ..Frame::default()
        });
        let selection = Selection::new(&profile, SortKey::Wait, None);
        let flame = flame(&selection, Side::Waiter);
        let marked: Vec<&str> = flame
            .runtime
            .iter()
            .map(|&it| flame.names[it as usize].as_str())
            .collect();
        assert_eq!(marked, ["std::thread::spawn"]);
    }

    #[test]
    fn a_recursion_of_any_depth_is_a_list() {
        let mut profile = sample::job_server();
        profile.locks.truncate(1);
        let frame = profile.locks[0].stacks[0].frames[0].clone();
        profile.locks[0].stacks[0].frames = vec![frame; 20_000];
        let selection = Selection::new(&profile, SortKey::Wait, None);
        let flame = flame(&selection, Side::Waiter);
        assert!(flame.calls.iter().any(|call| call[0] > 20_000));
        let json = serde_json::to_string(&flame).unwrap();
        let _: serde_json::Value = serde_json::from_str(&json).unwrap();
    }
}
