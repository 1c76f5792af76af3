//! The series of all locks.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::num::NonZeroUsize;
use std::sync::Arc;

use super::counts::Counts;
use super::mark::Mark;
use crate::agent::labels::{ProcessLabels, label};
use crate::agent::lock_rows::LockRow;

/// A source of readings: one process that records, or the processes that the kernel's programs see under the same labels.
pub type SourceId = u64;

/// The labels of a series.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// Those of the process.
    pub process: Arc<ProcessLabels>,
    /// The lock's id, safe to show.
    pub lock: String,
}

/// The figures of a series.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Series {
    /// Counters.
    pub counts: Counts,
    /// Whether its acquisitions, and its holds, were ever seen. Otherwise their counters are not zero but unknown.
    pub sees_acquisitions: bool,
    pub sees_holds: bool,
    /// Threads that wait now.
    pub waiting: u64,
    /// How long the longest of the present holds has lasted, as far as it is known, nanoseconds.
    pub held_ns: Option<u64>,
    /// The last reading that had this lock.
    pub(in crate::agent) seen_at: u64,
}

/// All series.
#[derive(Debug)]
pub struct Ledger {
    most: NonZeroUsize,
    series: BTreeMap<Key, Series>,
    /// The sum of the locks that have no series of their own; `None` if there never were any.
    other: Option<Series>,
    /// How many locks of this reading are in there.
    folded: u64,
    sources: HashMap<SourceId, HashMap<String, Mark>>,
    /// The number of this reading.
    reading: u64,
    /// Series of locks that are gone, the one that has been gone for the longest time last.
    gone: Vec<Key>,
    /// Series that were moved into the sum in this reading. If their lock comes back in the same reading, it would seem to begin anew.
    moved: HashSet<Key>,
}

impl Ledger {
    /// Begins with no series, and room for so many.
    pub fn new(most: NonZeroUsize) -> Self {
        Self {
            most,
            series: BTreeMap::new(),
            other: None,
            folded: 0,
            sources: HashMap::new(),
            reading: 0,
            gone: Vec::new(),
            moved: HashSet::new(),
        }
    }

    /// Begins a reading: what waits now and who holds now is not known any more.
    pub fn begin_reading(&mut self) {
        self.reading += 1;
        self.folded = 0;
        self.moved.clear();
        for series in self.series.values_mut().chain(&mut self.other) {
            (series.waiting, series.held_ns) = (0, None);
        }
        // One reading may miss a lock whose program is just being replaced.
        let gone = self
            .series
            .iter()
            .filter(|(_, it)| it.seen_at + 2 < self.reading);
        let mut gone: Vec<(u64, Key)> = gone.map(|(key, it)| (it.seen_at, key.clone())).collect();
        gone.sort_by(|a, b| b.cmp(a));
        self.gone = gone.into_iter().map(|(_, key)| key).collect();
    }

    /// Takes in the locks of a source. Those with the longest waits come first, since there may not be room for all.
    pub fn take(&mut self, source: SourceId, process: &Arc<ProcessLabels>, rows: &[LockRow]) {
        let mut marks = self.sources.remove(&source).unwrap_or_default();
        put_together(&mut marks, rows);
        for row in rows {
            let mark = marks.entry(row.id.clone()).or_default();
            let added = mark.advance(row);
            let key = Key {
                process: Arc::clone(process),
                lock: label(&row.id),
            };
            let series = self.series_of(key);
            series.counts.add(&added);
            series.sees_acquisitions |= row.acquisitions.is_some();
            series.sees_holds |= row.holds.is_some();
            series.waiting = series.waiting.saturating_add(row.waiting);
            series.held_ns = series.held_ns.max(row.held_ns);
        }
        self.sources.insert(source, marks);
    }

    /// Forgets a source that shows nothing any more. What it has shown stays counted.
    pub fn end(&mut self, source: SourceId) {
        self.sources.remove(&source);
    }

    fn series_of(&mut self, key: Key) -> &mut Series {
        let reading = self.reading;
        let is_new = !self.series.contains_key(&key);
        let may_come = !self.moved.contains(&key);
        if is_new && may_come && self.series.len() >= self.most.get() {
            self.make_room();
        }
        if !is_new || may_come && self.series.len() < self.most.get() {
            let series = self.series.entry(key).or_default();
            series.seen_at = reading;
            return series;
        }
        self.folded += 1;
        self.other.get_or_insert_default()
    }

    /// Moves the series that has been gone for the longest time into the sum of the others.
    fn make_room(&mut self) {
        while let Some(key) = self.gone.pop() {
            let Some(series) = self.series.get(&key) else {
                continue;
            };
            // Its lock has come back in this reading.
            if series.seen_at == self.reading {
                continue;
            }
            let other = self.other.get_or_insert_default();
            other.counts.add(&series.counts);
            other.sees_acquisitions |= series.sees_acquisitions;
            other.sees_holds |= series.sees_holds;
            self.series.remove(&key);
            self.moved.insert(key);
            return;
        }
    }

    /// Returns all series in the order of their labels, and the sum of the others.
    pub fn all(&self) -> (&BTreeMap<Key, Series>, Option<&Series>) {
        (&self.series, self.other.as_ref())
    }

    /// Returns how many locks of the last reading have no series of their own.
    pub fn folded(&self) -> u64 {
        self.folded
    }
}

/// Prepares for rows that have put earlier ones together: a second lock has come to the same place, or the kind of the lock has become
/// known. The earlier rows are then gone, and their figures are in the new one.
fn put_together(marks: &mut HashMap<String, Mark>, rows: &[LockRow]) {
    let now: HashSet<&str> = rows.iter().map(|row| row.id.as_str()).collect();
    let mut gone: HashMap<String, Vec<String>> = HashMap::new();
    for id in marks.keys().filter(|id| !now.contains(id.as_str())) {
        gone.entry(place(id).to_owned())
            .or_default()
            .push(id.clone());
    }
    if gone.is_empty() {
        return;
    }
    for row in rows
        .iter()
        .filter(|row| row.contended > 0 || row.acquisitions.is_some())
    {
        if marks.contains_key(&row.id) {
            continue;
        }
        if let Some(earlier) = gone.remove(place(&row.id)) {
            let earlier: Vec<Mark> = earlier.iter().filter_map(|id| marks.remove(id)).collect();
            marks.insert(row.id.clone(), Mark::together(&earlier));
        }
    }
}

/// Returns the part of an id that stays the same: without the lock's kind, and without where in its variable it is.
fn place(id: &str) -> &str {
    let (_, place) = id.split_once(':').unwrap_or(("", id));
    let place = place.strip_suffix("[]").unwrap_or(place);
    place
        .split_once("+0x")
        .map_or(place, |(variable, _)| variable)
}

#[cfg(test)]
#[path = "book_tests.rs"]
mod tests;
