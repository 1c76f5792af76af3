//! The sums of all programs.

use std::collections::HashMap;
use std::vec::Vec;

use super::image::Image;
use super::process::{Number, program};
use super::sum::Sum;
use crate::reader::{RawPart, ReadError};

/// The number of programs that have a sum of their own. The others share one.
const MOST_PROGRAMS: usize = 64;

/// The sums of the processes that have ended, one for each program.
pub struct Sums(Vec<Sum>);

impl Sums {
    /// Continues with the sums that were made before, in the order of their numbers.
    #[must_use]
    pub fn of(mut sums: Vec<RawPart>) -> Self {
        sums.sort_by_key(|it| it.process().sequence);
        Self(sums.into_iter().map(Sum::of).collect())
    }

    /// Adds the part of a process that has ended. `others` are the parts of processes from which it may have inherited locks.
    pub fn add(&mut self, part: &RawPart, others: &[&RawPart], image: Image) {
        let others: HashMap<Number, &RawPart> =
            others.iter().map(|it| (number_of(it), *it)).collect();
        let own_program = program(part);
        let own = |it: &Sum| program(it.part()) == own_program;
        let number = match self.0.iter().position(own) {
            Some(number) => number,
            None if self.0.len() > MOST_PROGRAMS => MOST_PROGRAMS,
            None => {
                let number = self.0.len();
                self.0.push(Sum::begin(part, number as u32));
                number
            }
        };
        self.0[number].add(number_of(part), part, &others, image);
    }

    /// Returns the sums as parts.
    ///
    /// # Errors
    /// None that is expected: they are read back from what was written.
    pub fn parts(&self) -> Result<Vec<RawPart>, ReadError> {
        let mut all = Vec::new();
        for sum in &self.0 {
            all.extend(RawPart::read_all(&sum.part().bytes()[..])?);
        }
        Ok(all)
    }

    /// Returns the figures of these sums that had been reported by an earlier look: in the sums of then, and of processes that were
    /// there then and have been added up since (`gone`).
    ///
    /// # Errors
    /// As [`parts`](Self::parts).
    pub fn reported(
        now: Vec<RawPart>,
        then: &[&RawPart],
        gone: &[&RawPart],
        others: &[&RawPart],
    ) -> Result<Vec<RawPart>, ReadError> {
        let mut sums = Self::of(now);
        for sum in &mut sums.0 {
            sum.clear();
        }
        for earlier in then {
            let same = sums.0.iter_mut().find(|it| it.part().is_same_part(earlier));
            if let Some(sum) = same {
                sum.add_same(earlier);
            }
        }
        for part in gone {
            sums.add(part, others, Image::default());
        }
        sums.parts()
    }
}

fn number_of(part: &RawPart) -> Number {
    (part.process().pid, part.process().sequence)
}
