//! The holds of one process image.

use locktoll_recording::layout::{EventWords, event_flags};
use locktoll_results::profile::timeline::{Hold, HoldFlags};

use super::decoded::{Decoded, PartDecoder, Slot};

/// If a release does not belong to the last hold of its lock, as with recursive locks, this many of the thread's last holds are
/// searched.
const SEARCHED: usize = 16;

impl Decoded {
    /// Adds a hold in times of the clock.
    pub(super) fn add_hold(
        &mut self,
        slot: u32,
        event: EventWords,
        with: &mut PartDecoder<'_, '_, '_, '_>,
    ) -> Option<()> {
        let [begin_ns, _, end_ns, _] = event.0;
        let thread = with.threads.in_slot(slot, end_ns)?;
        let (times, flag) = match begin_ns {
            0 => ((end_ns, end_ns), HoldFlags::BEGAN_EARLIER),
            _ => ((begin_ns, end_ns), HoldFlags::default()),
        };
        self.push_hold(thread, event, times, flag, with)
    }

    /// Adds a hold in ticks. The event may be the second one of a hold, with its end: the library adds it if the first one is about to
    /// be overwritten, and the reader may still see both.
    pub(super) fn add_timed_hold(
        &mut self,
        slot: &mut Slot,
        event: EventWords,
        with: &mut PartDecoder<'_, '_, '_, '_>,
    ) -> Option<()> {
        let [begin, _, end, _] = event.0;
        let begin_ns = with.ticks.ns(begin);
        let thread = with.threads.in_slot(slot.number, begin_ns)?;
        let (end_ns, flag) = match end {
            0 => (begin_ns, HoldFlags::UNFINISHED),
            end => (with.ticks.ns(end).max(begin_ns), HoldFlags::default()),
        };
        self.push_hold(thread, event, (begin_ns, end_ns), flag, with)?;
        let row = self.holds.len() - 1;
        let hold = self.holds[row];
        if let Some(&last) = slot.last_holds.get(&hold.lock) {
            let earlier = self.holds[last];
            let is_open = earlier.flags.has(HoldFlags::UNFINISHED);
            if is_open && earlier.begin_ns == hold.begin_ns {
                self.holds[last] = hold;
                self.holds.pop();
                return Some(());
            }
            // A recursive lock is released to others by its outer hold.
            if !is_open && earlier.end_ns > hold.begin_ns {
                return Some(());
            }
        }
        slot.last_holds.insert(hold.lock, row);
        Some(())
    }

    fn push_hold(
        &mut self,
        thread: u32,
        event: EventWords,
        (begin_ns, end_ns): (u64, u64),
        flag: HoldFlags,
        with: &mut PartDecoder<'_, '_, '_, '_>,
    ) -> Option<()> {
        let hold = Hold {
            thread,
            lock: with.locks.of(event)?,
            begin_ns: with.relative(begin_ns),
            end_ns: with.relative(end_ns),
            place: with.places.site(event.site()),
            flags: flags_of(event).with(flag),
        };
        (hold.begin_ns <= hold.end_ns).then(|| self.holds.push(hold))
    }

    /// Takes over the exact time of a release from the clock, since waiters have read it.
    pub(super) fn add_release(
        &mut self,
        event: EventWords,
        with: &mut PartDecoder<'_, '_, '_, '_>,
        slot: &Slot,
    ) {
        let [at_ns, _, ticks, _] = event.0;
        let by_ticks = with.relative(with.ticks.ns(ticks));
        let Some(lock) = with.locks.of(event) else {
            return;
        };
        let is_it = |hold: &Hold| hold.lock == lock && hold.end_ns == by_ticks;
        let last = slot.last_holds.get(&lock).copied();
        let last = last.filter(|&row| is_it(&self.holds[row]));
        let recent = (slot.first_hold..self.holds.len()).rev().take(SEARCHED);
        let row = last.or_else(|| recent.into_iter().find(|&row| is_it(&self.holds[row])));
        if let Some(row) = row {
            let hold = &mut self.holds[row];
            hold.end_ns = with.relative(at_ns).max(hold.begin_ns);
            hold.flags = hold.flags.with(HoldFlags::AWAITED);
        }
    }
}

fn flags_of(event: EventWords) -> HoldFlags {
    let mut flags = HoldFlags::default();
    if event.flags() & event_flags::SHARED != 0 {
        flags = flags.with(HoldFlags::SHARED);
    }
    if event.flags() & event_flags::AWAITED != 0 {
        flags = flags.with(HoldFlags::AWAITED);
    }
    flags
}
