//! Names of rows, told apart where several would read the same.
//!
//! Locks that one function makes for many callers go by one name, `lock made in new_lock (lock.c:17)`. What tells their
//! rows apart is further out on the stacks that made them: the first calls that differ.

use std::collections::HashMap;

use super::words;
use crate::profile::{Frame, Lock, shown_text};

/// What is said beside the names of rows that share theirs with others, by id.
#[derive(Clone, Debug, Default)]
pub struct Names<'a>(HashMap<&'a str, String>);

impl<'a> Names<'a> {
    /// For these rows together.
    pub fn of(locks: &'a [Lock]) -> Self {
        let mut rows: HashMap<&str, Vec<&'a Lock>> = HashMap::new();
        for lock in locks {
            rows.entry(&lock.name).or_default().push(lock);
        }
        let mut names = Self::default();
        for namesakes in rows.into_values() {
            names.tell_apart(namesakes, 0);
        }
        names
    }

    /// The name of a row, safe to be shown.
    pub fn name(&self, lock: &Lock) -> String {
        let name = shown_text(&lock.name);
        match self.0.get(lock.id.as_str()) {
            Some(beside) => format!("{name}{beside}"),
            None => name,
        }
    }

    /// Goes outwards along the stacks of birth, and says the frame at which each row leaves others behind.
    fn tell_apart(&mut self, namesakes: Vec<&'a Lock>, mut depth: usize) {
        if namesakes.len() < 2 {
            return;
        }
        let longest = namesakes.iter().map(|lock| lock.birth.len()).max();
        while depth < longest.unwrap_or(0) {
            let mut ways: HashMap<Option<&Frame>, Vec<&'a Lock>> = HashMap::new();
            for lock in &namesakes {
                ways.entry(lock.birth.get(depth)).or_default().push(lock);
            }
            depth += 1;
            if ways.len() == 1 {
                continue;
            }
            for (frame, rows) in ways {
                for lock in frame.iter().flat_map(|_| &rows) {
                    let via = format!(" via {}", frame.map(words::frame).unwrap_or_default());
                    self.0.entry(&lock.id).or_default().push_str(&via);
                }
                self.tell_apart(rows, depth);
            }
            return;
        }
        // The same stack, or none: only the id differs.
        for lock in namesakes {
            let id = format!(" [{}]", shown_text(&lock.id));
            self.0.entry(&lock.id).or_default().push_str(&id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::sample;

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
    fn rows_that_nothing_else_tells_apart_show_their_ids() {
        let rows = [made_by("a#1", &["new_lock"]), made_by("a#2", &["new_lock"])];
        assert_eq!(told(&rows), [" [a#1]", " [a#2]"]);
        let rows = [
            made_by("a#1", &["new_lock"]),
            made_by("a#2", &["new_lock", "main"]),
        ];
        assert_eq!(told(&rows), ["", " via main"]);
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
