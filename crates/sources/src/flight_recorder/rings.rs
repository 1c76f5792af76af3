//! Reads the events of a part while its process goes on writing.

use std::ops::Range;

use locktoll_recording::reader::{EventRun, EventSegment, EventSpan, Live, ReadError, Source};

/// About how many events are read before it is checked whether they were overwritten meanwhile: 1 MiB.
const BATCH: u64 = 1 << 15;

/// The rings of one part.
pub struct Rings<S> {
    live: Live<S>,
}

impl<S: Source> Rings<S> {
    /// Begins to read the part that `source` has.
    ///
    /// # Errors
    /// If it cannot be read yet.
    pub fn open(source: S) -> Result<Self, ReadError> {
        Ok(Self {
            live: Live::open(source)?,
        })
    }

    /// Returns the part's bytes.
    pub fn source(&self) -> &S {
        self.live.source()
    }

    /// Returns where the events are now, those of one slot together and in their order.
    ///
    /// # Errors
    /// If the part cannot be read.
    pub fn spans(&mut self) -> Result<Vec<EventSpan>, ReadError> {
        let segments = self.live.events()?;
        let mut spans: Vec<EventSpan> = segments.iter().flat_map(EventSegment::spans).collect();
        spans.retain(|span| span.count > 0);
        spans.sort_by_key(|span| (span.slot, span.first));
        Ok(spans)
    }

    /// Reads the events of `wanted`. Those that were not overwritten while they were read are given to `take`, piece by piece and in
    /// their order, as long as it returns `true`. Returns whether `take` got all of them.
    ///
    /// # Errors
    /// If the part cannot be read.
    pub fn read(
        &mut self,
        wanted: &[EventSpan],
        mut take: impl FnMut(EventRun) -> bool,
    ) -> Result<bool, ReadError> {
        let mut is_whole = true;
        let mut wanted = wanted.iter().flat_map(|&span| batches(span)).peekable();
        while wanted.peek().is_some() {
            let (mut runs, mut events) = (Vec::new(), 0);
            while events < BATCH
                && let Some(span) = wanted.next()
            {
                let run = span.read(self.live.source())?;
                is_whole &= run.events.len() as u64 == span.count;
                events += span.count;
                runs.push(run);
            }
            // Events that were overwritten while they were read are not in the rings any more.
            let still_there = self.spans()?;
            for run in runs {
                let mut missing = run.events.len();
                for piece in pieces(run, &still_there) {
                    missing -= piece.events.len();
                    if !take(piece) {
                        return Ok(false);
                    }
                }
                is_whole &= missing == 0;
            }
        }
        Ok(is_whole)
    }
}

/// Returns the part of a span that has the events of these numbers.
pub fn part_of(span: EventSpan, numbers: Range<u64>) -> EventSpan {
    let mut part = span.from(numbers.start);
    part.count = part.count.min(numbers.end.saturating_sub(part.first));
    part
}

/// Returns those of sorted `spans` that belong to a slot.
pub fn of_slot(spans: &[EventSpan], slot: u32) -> &[EventSpan] {
    let begin = spans.partition_point(|span| span.slot < slot);
    let end = spans.partition_point(|span| span.slot <= slot);
    &spans[begin..end]
}

fn batches(span: EventSpan) -> impl Iterator<Item = EventSpan> {
    let firsts = (span.first..span.end()).step_by(BATCH as usize);
    firsts.map(move |first| part_of(span, first..first.saturating_add(BATCH)))
}

/// Returns the parts of a run that are in sorted `spans`.
fn pieces(run: EventRun, spans: &[EventSpan]) -> Vec<EventRun> {
    let end = run.first + run.events.len() as u64;
    let spans = of_slot(spans, run.slot);
    let has_all = |span: &EventSpan| span.first <= run.first && end <= span.end();
    if spans.iter().any(has_all) {
        return vec![run];
    }
    let found = spans.iter().filter_map(|span| {
        let (first, end) = (span.first.max(run.first), span.end().min(end));
        (first < end).then(|| EventRun {
            slot: run.slot,
            first,
            events: run.events[(first - run.first) as usize..(end - run.first) as usize].to_vec(),
        })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_recording::layout::{EventKind, EventWords, LockKind};

    fn run(first: u64, count: usize) -> EventRun {
        let lock = (LockKind::Mutex, 8, 0);
        let event = EventWords::new(EventKind::Hold, lock, 0, [1, 1], 0);
        EventRun {
            slot: 1,
            first,
            events: vec![event; count],
        }
    }

    #[test]
    fn only_what_is_still_in_the_rings_is_taken() {
        let spans = |list: &[(u64, usize)]| -> Vec<EventSpan> {
            let spans = list.iter().map(|&(first, count)| run(first, count));
            spans.map(|it| EventSpan::of(&it)).collect()
        };
        let of = |list: &[(u64, usize)]| -> Vec<(u64, usize)> {
            let found = pieces(run(100, 50), &spans(list)).into_iter();
            found.map(|it| (it.first, it.events.len())).collect()
        };
        assert_eq!(of(&[]), []);
        assert_eq!(of(&[(100, 50)]), [(100, 50)]);
        let torn = [(90, 20), (130, 5), (140, 90)];
        assert_eq!(of(&torn), [(100, 10), (130, 5), (140, 10)]);
        let mut other = run(100, 50);
        other.slot = 2;
        assert_eq!(pieces(other, &spans(&torn)), []);
    }

    #[test]
    fn a_long_span_is_read_in_batches() {
        let mut long = EventSpan::of(&run(7, 1));
        long.count = 2 * BATCH + 5;
        let batches: Vec<(u64, u64)> = batches(long).map(|it| (it.first, it.count)).collect();
        assert_eq!(
            batches,
            [(7, BATCH), (7 + BATCH, BATCH), (7 + 2 * BATCH, 5)]
        );
        assert_eq!(part_of(long, 9..12).count, 3);
        assert_eq!(part_of(long, 0..9).count, 2);
    }
}
