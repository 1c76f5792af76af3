//! Names of rows, made distinct if several would be equal.
//!
//! Locks that one function creates for many callers have the same name, `lock made in new_lock (lock.c:17)`. Their rows are
//! distinguished by the calls further out on the stacks that created them: the first calls that differ.

use std::collections::HashMap;

use super::words;
use locktoll_results::profile::{Frame, Lock, Use};
use locktoll_terminal::escape::shown_text;

/// The additions to the names of rows that share their name with others, by id.
#[derive(Clone, Debug, Default)]
pub struct Names<'a>(HashMap<&'a str, String>);

impl<'a> Names<'a> {
    /// Makes the names for these rows together. Locks and signals of the same name are in separate tables.
    pub fn of(locks: &'a [Lock]) -> Self {
        let mut rows: HashMap<(&str, Use), Vec<&'a Lock>> = HashMap::new();
        for lock in locks {
            rows.entry((&lock.name, lock.used_as))
                .or_default()
                .push(lock);
        }
        let mut names = Self::default();
        for namesakes in rows.into_values() {
            names.tell_apart(namesakes, 0, Told::Functions);
        }
        names
    }

    /// Returns the name of a row, safe to be shown.
    pub fn name(&self, lock: &Lock) -> String {
        let name = shown_text(&lock.name);
        match self.0.get(lock.id.as_str()) {
            Some(beside) => format!("{name}{beside}"),
            None => name,
        }
    }

    /// Follows the stacks of birth outwards, and adds the frame at which each row differs from others.
    fn tell_apart(&mut self, mut namesakes: Vec<&'a Lock>, mut depth: usize, told: Told) {
        if namesakes.len() < 2 {
            return;
        }
        let longest = namesakes.iter().map(|lock| lock.birth.len()).max();
        while depth < longest.unwrap_or(0) {
            let mut ways: HashMap<Option<String>, Vec<&'a Lock>> = HashMap::new();
            for lock in &namesakes {
                let way = lock.birth.get(depth).map(|frame| told.of(frame));
                ways.entry(way).or_default().push(lock);
            }
            depth += 1;
            if ways.len() == 1 {
                continue;
            }
            for (way, rows) in ways {
                for lock in way.iter().flat_map(|_| &rows) {
                    let said = self.0.entry(&lock.id).or_default();
                    let more = beside(lock, &lock.birth[depth - 1], said);
                    said.push_str(&more);
                }
                self.tell_apart(rows, depth, told);
            }
            return;
        }
        if told == Told::Functions {
            return self.tell_apart(namesakes, 0, Told::Lines);
        }
        // The stacks are the same, or there are none: the ids are numbered alike, with `...#2` after the one without a number.
        namesakes.sort_by_key(|lock| (lock.id.len(), &lock.id));
        for (number, lock) in namesakes.iter().enumerate().skip(1) {
            let number = format!(" #{}", number + 1);
            self.0.entry(&lock.id).or_default().push_str(&number);
        }
    }
}

/// What counts as a difference between two calls: a different function, or, if no function differs, a different line or
/// address.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    Functions,
    Lines,
}

impl Told {
    fn of(self, frame: &Frame) -> String {
        match self {
            Self::Functions => words::function(frame),
            Self::Lines => words::frame(frame),
        }
    }
}

/// Describes the frame at which a lock differs, given what was said before. For a function that was already named, it only
/// says where in the function.
fn beside(lock: &Lock, frame: &Frame, before: &str) -> String {
    let place = words::frame(frame);
    let via = format!(" via {place}");
    if before.contains(&via) {
        return String::new();
    }
    let function = words::function(frame);
    let name = shown_text(&lock.name);
    let named = name
        .split_once(" in ")
        .is_some_and(|(_, place)| begins_with(place, &function));
    let told = || {
        before
            .split(" via ")
            .any(|place| begins_with(place, &function))
    };
    match place.strip_prefix(&function) {
        // The line of this one has just been mentioned; the others add theirs.
        Some(line) if named && before.is_empty() && name.ends_with(line) => String::new(),
        Some(line) if named || told() => line.to_owned(),
        _ => via,
    }
}

/// Whether a place, with or without its line, is in this function.
fn begins_with(place: &str, function: &str) -> bool {
    let line = place.strip_prefix(function);
    line.is_some_and(|line| line.is_empty() || line.starts_with(" ("))
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_made_up::sample;

    fn made_by(id: &str, calls: &[&str]) -> Lock {
        let mut lock = sample::job_server().locks.remove(0);
        lock.id = id.to_owned();
        lock.name = "lock made in new_lock".to_owned();
        let frame = |call: &&str| Frame {
            function: Some((*call).to_owned()),
            ..Frame::default()
        };
        lock.birth = calls.iter().map(frame).collect();
        lock
    }

    fn told(locks: &[Lock]) -> Vec<String> {
        let names = Names::of(locks);
        let beside = locks
            .iter()
            .map(|lock| names.name(lock).split_off("lock made in new_lock".len()));
        beside.collect()
    }

    #[test]
    fn a_line_that_the_name_ends_with_is_not_said_again() {
        let made_at = |id: &str, outer: u32| {
            let mut lock = made_by(id, &["main", "main"]);
            lock.name = "lock made in main (main.rs:12)".to_owned();
            for (frame, line) in lock.birth.iter_mut().zip([12, outer]) {
                frame.file = Some("/src/main.rs".to_owned());
                frame.line = Some(line);
            }
            lock
        };
        let locks = [made_at("a", 12), made_at("b", 40)];
        let names = Names::of(&locks);
        assert_eq!(names.name(&locks[0]), "lock made in main (main.rs:12)");
        assert_eq!(
            names.name(&locks[1]),
            "lock made in main (main.rs:12) (main.rs:40)"
        );
    }

    #[test]
    fn rows_of_one_name_say_where_their_stacks_part() {
        let rows = [
            made_by("1", &["new_lock", "new_pool", "main"]),
            made_by("2", &["new_lock", "new_log", "open", "main"]),
            made_by("3", &["new_lock", "new_log", "reopen", "main"]),
        ];
        assert_eq!(
            told(&rows),
            [
                " via new_pool",
                " via new_log via open",
                " via new_log via reopen"
            ]
        );
        assert_eq!(told(&rows[..1]), [""]);
    }

    #[test]
    fn rows_that_nothing_else_tells_apart_are_numbered_as_their_ids_are() {
        let rows = [made_by("a#2", &["new_lock"]), made_by("a", &["new_lock"])];
        assert_eq!(told(&rows), [" #2", ""]);
        let rows = [
            made_by("a#1", &["new_lock"]),
            made_by("a#2", &["new_lock", "main"]),
        ];
        assert_eq!(told(&rows), ["", " via main"]);
    }

    #[test]
    fn the_function_in_the_name_is_not_said_again() {
        let mut rows = [
            made_by("1", &["new_lock", "open", "main"]),
            made_by("2", &["new_lock", "close", "main"]),
            made_by("3", &["new_lock", "main"]),
            made_by("4", &["new_lock", "main"]),
        ];
        for (row, offset) in rows.iter_mut().zip([16, 32, 48, 64]) {
            row.birth[0].module = Some("/lib/libpool.so".to_owned());
            row.birth[0].offset = Some(offset);
        }
        assert_eq!(
            told(&rows),
            [
                " via open",
                " via close",
                " via main (libpool.so+0x30)",
                " via main (libpool.so+0x40)"
            ]
        );
    }

    #[test]
    fn a_lock_and_a_signal_of_one_name_are_apart_already() {
        let mut rows = [made_by("1", &["new_lock"]), made_by("2", &["new_lock"])];
        rows[1].used_as = Use::Signal;
        assert_eq!(told(&rows), ["", ""]);
    }

    #[test]
    fn other_names_stay_as_they_are() {
        let profile = sample::job_server();
        let names = Names::of(&profile.locks);
        for lock in &profile.locks {
            assert_eq!(names.name(lock), lock.name);
        }
    }
}
