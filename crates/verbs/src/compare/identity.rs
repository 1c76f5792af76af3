//! Matches the locks of two recordings that were made with different builds of the program.
//!
//! Ids survive most changes: they contain no lines and, if there are names, no addresses. Locks whose ids did change are
//! matched here, pass by pass, from the surest to the least sure; a pass only considers the locks that earlier ones left
//! over:
//!
//! 1. the same id except for the number that distinguishes rows of one id, and the same functions in the calls that created
//!    the lock;
//! 2. the same id except for that number;
//! 3. the same, in a file of another name: `server` and `server.new`, `libpool.so.1` and `libpool.so.2`;
//! 4. the same variable at another place in it, or one row for each of its locks on one side and one row for all of them on
//!    the other: fields moved, or there are more locks than before.
//!
//! If several locks of each side fit a pass, those that are acquired in the same functions belong together.

use std::collections::{BTreeMap, HashMap, HashSet};

use locktoll_results::profile::{Frame, Lock, caller, is_wrapper};

/// How many calls of the stack that created a lock are compared to distinguish it from other locks with the same id.
const CALLS: usize = 4;

/// Locks of two recordings that are the same lock, by their positions. Several locks on one side together match one on the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Match {
    /// Positions in A.
    pub a: Vec<usize>,
    /// Positions in B.
    pub b: Vec<usize>,
}

/// Matches the locks of two lists. Each lock is in exactly one match; a lock without a partner is alone in its match.
pub fn matches(a: &[&Lock], b: &[&Lock]) -> Vec<Match> {
    let mut left = Left {
        a: (0..a.len()).collect(),
        b: (0..b.len()).collect(),
        found: Vec::new(),
    };
    left.pass(a, b, |lock| Some((base_id(lock), born_by(lock))));
    left.pass(a, b, |lock| Some(base_id(lock)));
    left.pass(a, b, |lock| Some(without_file(&base_id(lock))));
    left.gather(a, b, |lock| variable_of(&base_id(lock)));
    left.gather(a, b, |lock| {
        Some(without_file(&variable_of(&base_id(lock))?))
    });
    let alone_a = left.a.iter().map(|&at| Match {
        a: vec![at],
        b: Vec::new(),
    });
    let alone_b = left.b.iter().map(|&at| Match {
        a: Vec::new(),
        b: vec![at],
    });
    left.found
        .iter()
        .cloned()
        .chain(alone_a)
        .chain(alone_b)
        .collect()
}

/// The locks without a partner so far, and the matches found so far.
struct Left {
    a: Vec<usize>,
    b: Vec<usize>,
    found: Vec<Match>,
}

type Group = (Vec<usize>, Vec<usize>);

impl Left {
    /// Groups the remaining locks by a key; returns the groups that have locks on both sides.
    fn groups<K: Ord>(
        &self,
        a: &[&Lock],
        b: &[&Lock],
        key: impl Fn(&Lock) -> Option<K>,
    ) -> Vec<Group> {
        let mut groups: BTreeMap<K, Group> = BTreeMap::new();
        for &at in &self.a {
            if let Some(key) = key(a[at]) {
                groups.entry(key).or_default().0.push(at);
            }
        }
        for &at in &self.b {
            if let Some(key) = key(b[at]) {
                groups.entry(key).or_default().1.push(at);
            }
        }
        let both = |(a, b): &Group| !a.is_empty() && !b.is_empty();
        groups.into_values().filter(both).collect()
    }

    /// Pairs locks with the same key.
    fn pass<K: Ord>(&mut self, a: &[&Lock], b: &[&Lock], key: impl Fn(&Lock) -> Option<K>) {
        for group in self.groups(a, b, key) {
            for (x, y) in pairs(a, b, group) {
                self.found.push(Match {
                    a: vec![x],
                    b: vec![y],
                });
            }
        }
        self.forget_found();
    }

    /// Pairs the locks of one variable: one by one in their order if both sides have the same number, or all together if one side
    /// has a row for all of them.
    fn gather<K: Ord>(&mut self, a: &[&Lock], b: &[&Lock], key: impl Fn(&Lock) -> Option<K>) {
        for (mut of_a, mut of_b) in self.groups(a, b, key) {
            let is_array = |locks: &[&Lock], at: &[usize]| {
                at.iter().any(|&at| base_id(locks[at]).ends_with("[]"))
            };
            if is_array(a, &of_a) || is_array(b, &of_b) {
                self.found.push(Match { a: of_a, b: of_b });
            } else if of_a.len() == of_b.len() {
                of_a.sort_by_key(|&at| place_of(&base_id(a[at])));
                of_b.sort_by_key(|&at| place_of(&base_id(b[at])));
                self.found
                    .extend(of_a.into_iter().zip(of_b).map(|(x, y)| Match {
                        a: vec![x],
                        b: vec![y],
                    }));
            }
        }
        self.forget_found();
    }

    fn forget_found(&mut self) {
        let of_a: HashSet<usize> = self.found.iter().flat_map(|it| &it.a).copied().collect();
        let of_b: HashSet<usize> = self.found.iter().flat_map(|it| &it.b).copied().collect();
        self.a.retain(|at| !of_a.contains(at));
        self.b.retain(|at| !of_b.contains(at));
    }
}

/// Pairs the locks of a group, the most similar ones first. If one side has extra locks and nothing distinguishes them, they stay
/// unpaired: a wrong pair would show a change that never happened.
fn pairs(a: &[&Lock], b: &[&Lock], (mut of_a, mut of_b): Group) -> Vec<(usize, usize)> {
    /// Beyond this many locks, comparing each with each takes too long.
    const MANY: usize = 60;
    if of_a.len() == 1 && of_b.len() == 1 {
        return vec![(of_a[0], of_b[0])];
    }
    let mut pairs = Vec::new();
    if of_a.len() <= MANY && of_b.len() <= MANY {
        let places = |locks: &[&Lock], of: &[usize]| -> Vec<HashSet<String>> {
            of.iter().map(|&at| taken_in(locks[at])).collect()
        };
        let (in_a, in_b) = (places(a, &of_a), places(b, &of_b));
        let mut alike: Vec<(f64, usize, usize)> = Vec::new();
        for (x, taken_a) in in_a.iter().enumerate() {
            for (y, taken_b) in in_b.iter().enumerate() {
                let shared = taken_a.intersection(taken_b).count() as f64;
                let all = taken_a.union(taken_b).count() as f64;
                if shared > 0.0 {
                    alike.push((shared / all, x, y));
                }
            }
        }
        alike.sort_by(|x, y| y.0.total_cmp(&x.0).then((x.1, x.2).cmp(&(y.1, y.2))));
        // A similarity that several pairs share does not distinguish them.
        let (mut of_x, mut of_y) = (HashMap::new(), HashMap::new());
        for (likeness, x, y) in &alike {
            *of_x.entry((likeness.to_bits(), *x)).or_insert(0) += 1;
            *of_y.entry((likeness.to_bits(), *y)).or_insert(0) += 1;
        }
        let unique = |(likeness, x, y): &(f64, usize, usize)| {
            of_x[&(likeness.to_bits(), *x)] == 1 && of_y[&(likeness.to_bits(), *y)] == 1
        };
        let (mut done_a, mut done_b) = (HashSet::new(), HashSet::new());
        for candidate in alike.iter().filter(|it| unique(it)) {
            let (_, x, y) = *candidate;
            if !done_a.contains(&x) && !done_b.contains(&y) {
                done_a.insert(x);
                done_b.insert(y);
                pairs.push((of_a[x], of_b[y]));
            }
        }
        let (mut paired_a, mut paired_b) = (HashSet::new(), HashSet::new());
        for (x, y) in &pairs {
            paired_a.insert(*x);
            paired_b.insert(*y);
        }
        of_a.retain(|at| !paired_a.contains(at));
        of_b.retain(|at| !paired_b.contains(at));
    }
    // Both sides have the same number, and only the numbers of their ids distinguish them.
    if of_a.len() == of_b.len() {
        of_a.sort_by_key(|&at| (a[at].id.len(), a[at].id.clone()));
        of_b.sort_by_key(|&at| (b[at].id.len(), b[at].id.clone()));
        pairs.extend(of_a.into_iter().zip(of_b));
    }
    pairs
}

/// Returns the id without the number that distinguishes rows of one id.
fn base_id(lock: &Lock) -> String {
    let id = match lock.id.rsplit_once('#') {
        Some((id, number))
            if !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit()) =>
        {
            id
        }
        _ => &lock.id,
    };
    without_clones(id)
}

/// Returns the functions that created a lock, innermost first.
fn born_by(lock: &Lock) -> Vec<String> {
    let of_program = lock.birth.iter().filter(|frame| !is_wrapper(frame));
    let names = of_program.filter_map(|frame| frame.function.as_deref());
    names.map(without_clones).take(CALLS).collect()
}

/// Returns the functions that acquire a lock.
fn taken_in(lock: &Lock) -> HashSet<String> {
    let callers = lock.sites.iter().filter_map(|site| caller(&site.frames));
    let name = |frame: &Frame| frame.function.as_deref().map(without_clones);
    callers.filter_map(name).collect()
}

/// Returns the name without the suffix that the compiler adds to a function it cloned or split, since that differs from build to
/// build.
fn without_clones(name: &str) -> String {
    let marks = [
        ".constprop.",
        ".isra.",
        ".part.",
        ".cold",
        ".llvm.",
        ".lto_priv.",
    ];
    let end = marks.iter().filter_map(|mark| name.find(mark)).min();
    name[..end.unwrap_or(name.len())].to_owned()
}

/// Returns the id without its file: `mutex:server:log_lock` as `mutex::log_lock`.
fn without_file(id: &str) -> String {
    match id.split_once(':') {
        Some((kind, rest)) => match rest.split_once(':') {
            Some((_, rest)) => format!("{kind}::{rest}"),
            None => id.to_owned(),
        },
        None => id.to_owned(),
    }
}

/// Returns `mutex:server:slots` for `mutex:server:slots[]` and for `mutex:server:slots+0x28`; `None` for a lock outside any
/// variable.
fn variable_of(id: &str) -> Option<String> {
    let name = id.splitn(3, ':').nth(2)?;
    let made = ["born:", "first:"].iter().any(|how| name.starts_with(how));
    if made || name.starts_with("0x") {
        return None;
    }
    let end = match id.strip_suffix("[]") {
        Some(variable) => variable.len(),
        None => offset_at(id).unwrap_or(id.len()),
    };
    Some(id[..end].to_owned())
}

/// Returns the offset of a lock in its variable.
fn place_of(id: &str) -> u64 {
    let offset = offset_at(id).and_then(|at| u64::from_str_radix(&id[at + 3..], 16).ok());
    offset.unwrap_or(0)
}

/// Returns the position of a suffix such as `+0x28` in an id.
fn offset_at(id: &str) -> Option<usize> {
    let at = id.rfind("+0x")?;
    let digits = &id[at + 3..];
    let hexadecimal = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_hexdigit());
    hexadecimal.then_some(at)
}

#[cfg(test)]
mod tests;
