//! Who writes the words for which threads wait: watchpoints, for milliseconds at a time, one word after the other.

use std::time::{Duration, Instant};

use super::family::ImageNumber;
use super::image::Image;
use super::places::Files;
use super::tally::{SpotKey, Tally};
use super::threads::tasks;
use crate::perf::{Refused, Watchpoint};

/// Time from the end of one turn to the next.
const PAUSE: Duration = Duration::from_millis(80);
/// How long a word is watched at first. If no write is seen, the next turn takes twice as long, up to [`DOUBLINGS`] times.
const WINDOW: Duration = Duration::from_millis(4);
const DOUBLINGS: u32 = 5;
/// A loop that tries to write the word itself stops at each attempt, so it is watched for a shorter time.
const SHORT: u32 = 2;
/// A word is not watched again after this many turns, or after this many writes.
const TURNS: u32 = 40;
const ENOUGH: u64 = 40;
/// Each thread needs a watchpoint of its own.
const THREADS: usize = 64;
/// Shared memory is watched in this many processes.
const PROCESSES: usize = 16;

/// The watch, and its turns.
#[derive(Debug)]
pub struct Watch {
    open: Option<Open>,
    next: Instant,
    /// Why the last watchpoint was refused, while none was ever set.
    refused: Option<Refused>,
    was_set: bool,
}

/// A word that is being watched.
#[derive(Debug)]
struct Open {
    spot: SpotKey,
    until: Instant,
    points: Vec<(ImageNumber, Watchpoint)>,
}

impl Watch {
    /// Starts without a word.
    pub fn begin() -> Self {
        Self {
            open: None,
            next: Instant::now(),
            refused: None,
            was_set: false,
        }
    }

    /// Returns why no word could be watched.
    pub fn refused(&self) -> Option<Refused> {
        self.refused.filter(|_| !self.was_set)
    }

    /// Ends a turn that is over, and begins the next one if it is time.
    pub fn turn(&mut self, images: &mut [Image], files: &mut Files, tally: &mut Tally) {
        let now = Instant::now();
        if let Some(open) = self.open.take_if(|it| now >= it.until) {
            open.end(images, files, tally);
            self.next = now + PAUSE;
        }
        // Where watchpoints are forbidden, asking again and again would only cost time.
        if self.refused() == Some(Refused::NotPermitted)
            || self.refused() == Some(Refused::NotThere)
        {
            return;
        }
        if self.open.is_none() && now >= self.next {
            self.next = now + PAUSE;
            self.open = self.choose(images, tally);
        }
    }

    /// Returns how long the present turn lasts; `None` between two turns. A watched word must not be watched for longer: each write to
    /// it stops the writing thread.
    pub fn left(&self) -> Option<Duration> {
        let open = self.open.as_ref()?;
        Some(open.until.saturating_duration_since(Instant::now()))
    }

    /// Ends a turn that goes on.
    pub fn end(&mut self, images: &mut [Image], files: &mut Files, tally: &mut Tally) {
        if let Some(open) = self.open.take() {
            open.end(images, files, tally);
        }
    }

    fn choose(&mut self, images: &[Image], tally: &mut Tally) -> Option<Open> {
        let candidates = tally.spots.iter().filter(|(key, spot)| {
            let writes: u64 = spot.writes.by.values().sum();
            key.word.is_some() && spot.lately > 0 && spot.writes.watched < TURNS && writes < ENOUGH
        });
        // The word that was watched least often, and of these the one with the most samples.
        let key = *candidates
            .min_by_key(|(_, spot)| (spot.writes.watched, u64::MAX - spot.lately))?
            .0;
        let spot = tally.spots.get_mut(&key)?;
        spot.writes.watched += 1;
        let (address, bytes) = aligned(key.word?, spot.waiting.code.words.first()?.width);
        let doublings = match spot.writes.by.is_empty() {
            true => (spot.writes.watched - 1).min(DOUBLINGS),
            false => 0,
        };
        let mut window = WINDOW * (1 << doublings);
        if spot.waiting.code.features.exchange {
            window = WINDOW / SHORT;
        }
        let mut points = Vec::new();
        for (number, image) in with_word(images, key) {
            for tid in tasks(image.pid, THREADS - points.len().min(THREADS)) {
                match Watchpoint::set(tid, address, bytes) {
                    Ok(point) => {
                        self.was_set = true;
                        points.push((number, point));
                    }
                    Err(Refused::Gone) => {}
                    Err(why) => self.refused = Some(why),
                }
            }
        }
        (!points.is_empty()).then(|| Open {
            spot: key,
            until: Instant::now() + window,
            points,
        })
    }
}

impl Open {
    fn end(self, images: &mut [Image], files: &mut Files, tally: &mut Tally) {
        let Some(spot) = tally.spots.get_mut(&self.spot) else {
            return;
        };
        let behind = |(address, length): (u64, u8)| address.wrapping_add(u64::from(length));
        for (image, point) in self.points {
            for written in point.end() {
                // The loop's own attempts, as those of a test-and-set lock, end no wait.
                let mut own = spot.waiting.code.instructions().map(behind);
                if own.any(|it| it == written.ip) {
                    continue;
                }
                // The byte before belongs to the instruction that wrote.
                let place = images[image].place(files, written.ip.wrapping_sub(1));
                let thread = (written.pid, written.tid);
                *spot.writes.by.entry((thread, place)).or_default() += 1;
            }
        }
    }
}

/// Returns the programs that have the word: its own, and for shared memory the others that have the same memory there.
fn with_word(images: &[Image], key: SpotKey) -> impl Iterator<Item = (ImageNumber, &Image)> {
    let identity = move |image: &Image| {
        let mapping = image.map.around(key.word.unwrap_or(0))?;
        mapping
            .shared
            .then(|| (mapping.start, mapping.inode, mapping.device.clone()))
    };
    let own = images.get(key.image).and_then(identity);
    images
        .iter()
        .enumerate()
        .filter(move |&(number, image)| {
            number == key.image || own.is_some() && identity(image) == own
        })
        .take(PROCESSES)
}

/// Returns an address and a length that the processor can watch: a power of two up to 8, and aligned to itself.
fn aligned(address: u64, width: u8) -> (u64, u8) {
    let bytes = width.clamp(1, 8).next_power_of_two().min(8);
    (address / u64::from(bytes) * u64::from(bytes), bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watched_word_is_aligned() {
        assert_eq!(aligned(0x1003, 1), (0x1003, 1));
        assert_eq!(aligned(0x1006, 4), (0x1004, 4));
        assert_eq!(aligned(0x1006, 16), (0x1000, 8));
        assert_eq!(aligned(0x1001, 0), (0x1001, 1));
    }
}
