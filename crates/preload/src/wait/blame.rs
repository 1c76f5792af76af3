//! The sites that caused a wait.

use core::sync::atomic::Ordering::Relaxed;

use super::course::{End, Wait};
use crate::contended::PLACES;
use crate::index::Key;
use crate::place::Place;
use crate::recorder::Recorder;
use crate::tally::add;
use crate::thread::Thread;

impl Wait {
    /// Charges the wait to those who held the lock meanwhile.
    pub(super) fn enter_blame(
        &self,
        thread: &Thread,
        recorder: &'static Recorder,
        waited_ns: u64,
        now_ns: u64,
        end: End,
    ) {
        let (mut places, mut charged_ns) = ([Place::NOWHERE; PLACES + 1], [0; PLACES + 1]);
        if let Some((entry, before)) = &self.contended {
            for (index, charge) in entry.charged_since(before).into_iter().enumerate() {
                places[index] = entry.place(index);
                charged_ns[index] = charge;
            }
            if end == End::TimedOut {
                // The present holder has not been charged yet.
                places[PLACES] = self.holder;
                charged_ns[PLACES] = now_ns.saturating_sub(entry.since_ns().max(self.since_ns));
            }
        }
        if charged_ns.iter().all(|&charge| charge == 0) {
            let last = self
                .contended
                .map_or(Place::NOWHERE, |(entry, _)| entry.last_release().1);
            let is_seen = self.holder != Place::NOWHERE;
            places[PLACES] = if is_seen { self.holder } else { last };
            charged_ns[PLACES] = 1;
        }
        let shares_ns = shares(waited_ns, &charged_ns);
        let largest = (0..=PLACES).max_by_key(|&index| shares_ns[index]);
        for index in 0..=PLACES {
            if shares_ns[index] == 0 && Some(index) != largest {
                continue;
            }
            let key = Key {
                other: places[index].number(),
                ..self.key
            };
            if let Some(blame) = thread.make_blame(key, recorder) {
                let waits = u64::from(Some(index) == largest);
                add(&blame.waits, waits * self.stands_for);
                add(&blame.wait_ns, shares_ns[index] * self.stands_for);
            }
        }
    }
}

/// The holder of `lock`, and where it acquired it: the thread `owner` if the lock says who that is.
pub fn holder_of(recorder: &Recorder, lock: usize, owner: Option<u32>) -> Option<(u32, Place)> {
    let holds = |thread: &'static Thread| {
        let place = thread.held.place_of(lock)?;
        Some((thread.tid.load(Relaxed), place))
    };
    match owner {
        Some(owner) => recorder.holders.find(owner).and_then(holds),
        None => recorder.holders.iter().find_map(holds),
    }
}

/// Divides `whole` in proportion to `weights`, so that the parts add up to it.
fn shares<const N: usize>(whole: u64, weights: &[u64; N]) -> [u64; N] {
    let sum: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
    let mut left = whole;
    let mut shares = [0; N];
    let mut largest = 0;
    for (index, &weight) in weights.iter().enumerate() {
        // No share is larger than the whole.
        shares[index] = (u128::from(whole) * u128::from(weight) / sum.max(1)) as u64;
        left -= shares[index];
        if weight > weights[largest] {
            largest = index;
        }
    }
    shares[largest] += left;
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_in_proportion_and_add_up() {
        assert_eq!(shares(100, &[1, 1, 2]), [25, 25, 50]);
        assert_eq!(shares(10, &[1, 1, 1]).iter().sum::<u64>(), 10);
        assert_eq!(shares(7, &[0, 5, 0]), [0, 7, 0]);
        // What is left of the rounding is the largest's.
        assert_eq!(shares(10, &[1, 3, 3]), [1, 5, 4]);
        let large = shares(u64::MAX, &[u64::MAX, u64::MAX]);
        assert_eq!(large[0] + large[1], u64::MAX);
    }
}
