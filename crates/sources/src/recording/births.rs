//! The origins of locks: the places that initialised them, or acquired them first.

use std::collections::HashMap;

use locktoll_recording::layout::BirthBy;
use locktoll_recording::reader::{Birth, Inherited, Part};

use super::sites::{SiteId, Sites};

/// How many calls distinguish two births, counted from the innermost that is not a library's wrapper. Fewer would merge all locks
/// that one helper function makes; more would separate locks that a program makes at one place reached in many ways.
const CALLS: usize = 4;

/// The number of a birth among all births.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BirthId(u32);

/// All births, over all processes.
#[derive(Default)]
pub struct Births {
    ids: HashMap<BirthKey, BirthId>,
    births: Vec<KnownBirth>,
}

#[derive(PartialEq, Eq, Hash)]
struct BirthKey {
    initialised: bool,
    /// For a lock that was only taken first there: the place in the library from which the lock function was called. It
    /// distinguishes a mutex from the condition variable next to it.
    library: Option<SiteId>,
    calls: Vec<SiteId>,
}

/// A place that locks come from.
pub struct KnownBirth {
    /// The calls that led there when it was first seen, innermost first.
    pub calls: Vec<SiteId>,
    /// Whether the locks were initialised there, not only first taken.
    pub initialised: bool,
}

impl Births {
    /// Returns the number of the birth with these calls.
    pub fn id(&mut self, calls: Vec<SiteId>, initialised: bool, sites: &Sites) -> BirthId {
        let first = calls.first().copied();
        let key = BirthKey {
            initialised,
            library: first.filter(|&site| !initialised && sites.is_wrapper(site)),
            calls: telling(&calls, sites).to_vec(),
        };
        let births = &mut self.births;
        *self.ids.entry(key).or_insert_with(|| {
            births.push(KnownBirth { calls, initialised });
            BirthId(u32::try_from(births.len() - 1).expect("births have 32-bit numbers"))
        })
    }

    /// Returns the births of a part, by their index there; `known` are its sites, and `before` are the births of processes from
    /// which it may have been forked.
    pub fn of_part(
        &mut self,
        part: &Part,
        known: &[SiteId],
        sites: &Sites,
        before: &Ancestors,
    ) -> Vec<BirthId> {
        let id = |birth: &Birth| {
            if let Some(made) = before.made(birth) {
                return made.birth;
            }
            let stack = birth.stack.and_then(|stack| part.stacks.get(stack));
            let mut calls: Vec<SiteId> = stack
                .into_iter()
                .flat_map(|stack| stack.sites.iter().flatten())
                .filter_map(|&site| known.get(site).copied())
                .collect();
            if calls.is_empty() {
                calls.extend(birth.site.and_then(|site| known.get(site)));
            }
            let initialised = birth.by == Some(BirthBy::Initialisation);
            self.id(calls, initialised, sites)
        };
        part.births.iter().map(id).collect()
    }

    /// Returns the birth with this number.
    pub fn get(&self, id: BirthId) -> &KnownBirth {
        &self.births[id.0 as usize]
    }
}

/// The births of the parts that have been read so far. A later part may belong to a process that was forked from one of theirs.
#[derive(Default)]
pub struct Ancestors {
    made: HashMap<Inherited, Made>,
}

/// Where an inherited lock was made.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    /// The number of its birth among those of all processes.
    pub birth: BirthId,
    /// The innermost call: the position of the part, and an index into its sites.
    pub site: Option<(usize, usize)>,
}

impl Ancestors {
    /// Adds the births of a part.
    pub fn add(&mut self, part: &Part, position: usize, ids: &[BirthId]) {
        for (birth, &id) in part.births.iter().zip(ids) {
            let here = Made {
                birth: id,
                site: birth.site.map(|site| (position, site)),
            };
            let made = self.made(birth).unwrap_or(here);
            let process = &part.process;
            let called = Inherited::new(process.pid, process.sequence, birth.id);
            self.made.insert(called, made);
        }
    }

    /// Returns where a lock was made that the birth's process has inherited. `None` if it was made in that process, or by a
    /// process that is not in the recording.
    pub fn made(&self, birth: &Birth) -> Option<Made> {
        self.made.get(&birth.inherited?).copied()
    }
}

/// Returns the calls that distinguish one birth from another.
fn telling<'c>(calls: &'c [SiteId], sites: &Sites) -> &'c [SiteId] {
    let first = calls.iter().position(|&site| !sites.is_wrapper(site));
    let program = &calls[first.unwrap_or(0)..];
    &program[..program.len().min(CALLS)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_results::profile::Frame;

    /// Returns calls of these functions, innermost first.
    fn calls(sites: &mut Sites, functions: &[&str]) -> Vec<SiteId> {
        let site = |function: &&str| {
            let frame = Frame {
                function: Some((*function).to_owned()),
                line: Some(1),
                ..Frame::default()
            };
            sites.id(None, vec![frame])
        };
        functions.iter().map(site).collect()
    }

    /// Whether two births are the same if both are `initialised`, and if both are only taken first there.
    fn are_one(one: &[&str], other: &[&str]) -> [bool; 2] {
        let (mut sites, mut births) = (Sites::default(), Births::default());
        [true, false].map(|initialised| {
            let calls = [one, other].map(|it| calls(&mut sites, it));
            let [one, other] = calls.map(|it| births.id(it, initialised, &sites));
            one == other
        })
    }

    #[test]
    fn four_calls_of_the_program_distinguish_births() {
        let lock = "pthread_mutex_lock";
        let first = [lock, "a", "b", "c", "d", "main"];
        assert_eq!(are_one(&first, &first), [true; 2]);
        assert_eq!(are_one(&first, &[lock, "a", "b", "c", "d", "e"]), [true; 2]);
        assert_eq!(are_one(&first, &[lock, "a", "b", "c", "d"]), [true; 2]);
        assert_eq!(are_one(&first, &[lock, "a", "b", "c", "e"]), [false; 2]);
        assert_eq!(are_one(&first, &[lock, "a", "b", "c"]), [false; 2]);
        assert_eq!(are_one(&first, &[lock, "b", "c", "d", "main"]), [false; 2]);
    }

    #[test]
    fn a_librarys_calls_count_where_a_lock_is_first_taken_or_there_are_no_others() {
        let (lock, wait) = ("pthread_mutex_lock", "pthread_cond_wait");
        assert_eq!(are_one(&[lock, "a"], &[wait, "a"]), [true, false]);
        assert_eq!(are_one(&[lock, lock, "a"], &[lock, wait, "a"]), [true; 2]);
        assert_eq!(are_one(&[lock], &[wait]), [false; 2]);
        assert_eq!(are_one(&[lock, "a"], &["a"]), [true, false]);
        assert_eq!(are_one(&[], &[]), [true; 2]);
    }

    #[test]
    fn a_birth_keeps_the_calls_that_were_seen_first() {
        let (mut sites, mut births) = (Sites::default(), Births::default());
        let first = calls(&mut sites, &["a", "b", "c", "d", "e"]);
        let later = calls(&mut sites, &["a", "b", "c", "d", "f"]);
        let made = births.id(first.clone(), true, &sites);
        assert_eq!(births.id(later.clone(), true, &sites), made);
        let taken = births.id(later.clone(), false, &sites);
        assert_ne!(taken, made);
        let known = [made, taken].map(|it| births.get(it));
        assert!(known[0].calls == first && known[0].initialised);
        assert!(known[1].calls == later && !known[1].initialised);
    }
}
